create table b (id int primary key, n text, k int default 3); create view v1 as select id, upper(n) un, n, k from b where k < 10; insert into v1 (id, n) values (1,'a') returning *;
--> {"id":1,"un":"A","n":"a","k":3}

update v1 set n = 'q' where un = 'A' returning *;
--> {"id":1,"un":"Q","n":"q","k":3}

update v1 set n = un || 'x' returning un, id;
--> {"un":"QX","id":1}

delete from v1 where un like 'QX%' returning v1.*;
--> {"id":1,"un":"QX","n":"Qx","k":3}

select * from b;
--> no rows

create table o (id int primary key, vv int); create view v2 as select id, vv as v2, id as again from o;
--> no rows

insert into v2 (id, v2) values (1, 2) returning *;
--> {"id":1,"v2":2,"again":1}

insert into v2 (again, v2) values (2, 2) returning *;
--> {"id":2,"v2":2,"again":2}

insert into v2 (id, again, v2) values (3, 3, 2) returning *;
--> ERROR 42601: multiple assignments to same column "id"

update v2 set v2 = 5 where again = 1 returning *;
--> {"id":1,"v2":5,"again":1}

update v2 set id = 6, again = 7;
--> ERROR 42601: multiple assignments to same column "id"

update v2 set again = 7 where id = 1 returning *;
--> {"id":7,"v2":5,"again":7}

delete from v2 where again = 7 returning again, id;
--> {"again":7,"id":7}

create view v3 as select id::text as tid, id, vv from o;
--> no rows

insert into v3 (id, vv) values (90, 1) on conflict (id) do update set vv = 5 returning *;
--> {"tid":"90","id":90,"vv":1}

insert into v3 (id, vv) values (90, 1) on conflict (id) do update set vv = 5 where v3.tid = '90' returning *;
--> {"tid":"90","id":90,"vv":5}

update v3 set vv = 77 where tid = '90' returning tid;
--> {"tid":"90"}

update v3 set tid = 'x';
--> ERROR 0A000: cannot update column "tid" of view "v3"
--> DETAIL: View columns that are not columns of their base relation are not updatable.

insert into v3 (tid) values ('x');
--> ERROR 0A000: cannot insert into column "tid" of view "v3"
--> DETAIL: View columns that are not columns of their base relation are not updatable.

create view v4 as select tid || '!' as t4, vv + 1 as w, id, vv from v3 where tid <> 'zz';
--> no rows

update v4 set vv = 78 where t4 = '90!' and w = 78 returning *;
--> {"t4":"90!","w":79,"id":90,"vv":78}

with u as (update v4 set vv = 79 where w > 0 returning *) select * from u;
--> {"t4":"2!","w":80,"id":2,"vv":79}
--> {"t4":"90!","w":80,"id":90,"vv":79}

update v4 set vv = s.w from (select 1 as w) s where v4.w > s.w returning v4.w, s.w, v4;
--> {"w":1,"v4":"(2!,2,2,1)"}
--> {"w":1,"v4":"(90!,2,90,1)"}

do $$ declare r record; begin update v4 set vv = 80 returning * into r; raise notice '%', r; end $$;
--> ERROR P0003: query returned more than one row
--> HINT: Make sure the query returns a single row, or use LIMIT 1.

create view v5 as select id, (select count(*) from b) as c, vv from o;
--> no rows

update v5 set vv = 1 where c >= 0 returning *;
--> {"id":2,"c":0,"vv":1}
--> {"id":90,"c":0,"vv":1}

create view v6 as select *, 5 as five from o with check option; insert into v6 values (200, 3) returning *;
--> {"id":200,"vv":3,"five":5}

delete from v6 using b where five = 5 returning *;
--> no rows

create table prod (id int generated always as identity primary key, name text not null, price numeric(10,2), stock int default 0, owner uuid, tags text[], created_at timestamptz default '2024-01-01'); create view pv as select p.id, p.name, p.price * 1.2 as gross, p.stock > 0 as available, 'EUR' as currency, p.price, p.stock, coalesce(array_length(p.tags, 1), 0) as n_tags, p.tags from prod p where p.stock >= 0 with check option;
--> no rows

insert into pv (name, price, stock, tags) values ('a', 10, 3, '{x,y}'), ('b', 20.55, 0, null) returning *;
--> {"id":1,"name":"a","gross":"12.000","available":true,"currency":"EUR","price":"10.00","stock":3,"n_tags":2,"tags":["x","y"]}
--> {"id":2,"name":"b","gross":"24.660","available":false,"currency":"EUR","price":"20.55","stock":0,"n_tags":0,"tags":null}

insert into pv (name, price) values ('c', 5) returning id, gross, available, currency;
--> {"id":3,"gross":"6.000","available":false,"currency":"EUR"}

update pv set stock = stock + 1 where available returning id, available, gross::int;
--> {"id":1,"available":true,"gross":12}

update pv set price = gross where currency = 'EUR' and n_tags = 0 returning id, price, gross;
--> {"id":2,"price":"24.66","gross":"29.592"}
--> {"id":3,"price":"6.00","gross":"7.200"}

insert into pv (name, price, stock) values ('x', 1, -1) returning gross;
--> ERROR 44000: new row violates check option for view "pv"
--> DETAIL: Failing row contains (4, x, 1.00, -1, null, null, 2024-01-01 00:00:00+00).

alter table prod alter column id restart with 5;
--> no rows

insert into pv (name, gross) values ('x', 1);
--> ERROR 0A000: cannot insert into column "gross" of view "pv"
--> DETAIL: View columns that are not columns of their base relation are not updatable.

update pv set gross = 1 returning *;
--> ERROR 0A000: cannot update column "gross" of view "pv"
--> DETAIL: View columns that are not columns of their base relation are not updatable.

update pv set stock = -1 where gross > 20 returning *;
--> ERROR 44000: new row violates check option for view "pv"
--> DETAIL: Failing row contains (2, b, 24.66, -1, null, null, 2024-01-01 00:00:00+00).

update pv v set price = 9 where v.gross > 20 and not v.available returning v.*, v.gross as g;
--> {"id":2,"name":"b","gross":"10.800","available":false,"currency":"EUR","price":"9.00","stock":0,"n_tags":0,"tags":null,"g":"10.800"}

delete from pv where gross < 8 returning *;
--> {"id":3,"name":"c","gross":"7.200","available":false,"currency":"EUR","price":"6.00","stock":0,"n_tags":0,"tags":null}

create view pv2 as select id, gross || ' ' || currency as label, upper(name) as uname, name from pv where available;
--> no rows

update pv2 set name = name || '!' where label like '%EUR' returning *;
--> {"id":1,"label":"12.000 EUR","uname":"A!","name":"a!"}

update pv2 set name = 'zz' from (values ('A!')) s(n) where uname = s.n returning label, uname, s.n;
--> {"label":"12.000 EUR","uname":"ZZ","n":"A!"}

delete from pv2 using prod where prod.id = pv2.id and uname = 'ZZ' returning prod.name, label;
--> {"name":"zz","label":"12.000 EUR"}

grant select, insert, update, delete on pv, pv2 to authenticated; alter table prod enable row level security;
--> no rows

set role authenticated; insert into pv (name, price, stock) values ('auth', 7, 1) returning *;
--> {"id":5,"name":"auth","gross":"8.400","available":true,"currency":"EUR","price":"7.00","stock":1,"n_tags":0,"tags":null}

set role authenticated; update pv set stock = 9 where gross > 1 returning id, gross, available;
--> {"id":2,"gross":"10.800","available":true}
--> {"id":5,"gross":"8.400","available":true}

alter view pv set (security_invoker = on); grant all on prod to authenticated; create policy s on prod for select to authenticated using (price > 6); create policy u on prod for update to authenticated using (true); create policy i on prod for insert to authenticated with check (true);
--> no rows

set role authenticated; update pv set stock = 10 where gross > 1 returning id, gross, available;
--> {"id":2,"gross":"10.800","available":true}
--> {"id":5,"gross":"8.400","available":true}

set role authenticated; insert into pv (name, price, stock) values ('inv', 3, 1) returning *;
--> ERROR 42501: new row violates row-level security policy for table "prod"

alter table prod alter column id restart with 7;
--> no rows

revoke all on pv from authenticated; grant update (stock) on pv to authenticated;
--> no rows

set role authenticated; update pv set stock = 11;
--> no rows

set role authenticated; update pv set stock = 11 where gross > 0;
--> ERROR 42501: permission denied for view pv

create table log (t text); create function lg() returns trigger language plpgsql as $$ begin insert into log values (new.name); return new; end $$; create trigger lg after update on prod for each row execute function lg();
--> no rows

update pv set price = price + 1 where available returning id, gross;
--> {"id":2,"gross":"12.000"}
--> {"id":5,"gross":"9.600"}

with u as (update pv set price = price + 1 where available returning id, gross) select * from u order by 1;
--> {"id":2,"gross":"13.200"}
--> {"id":5,"gross":"10.800"}

do $$ declare g numeric; v pv; begin update pv set price = 3 where id = 1 returning gross into g; raise notice '%', g; update pv set price = 4 where id = 1 returning * into v; raise notice '%', v; end $$;
--> no rows

create function f() returns setof pv language sql as $$ update pv set price = 8 where available returning * $$; select * from f();
--> {"id":2,"name":"b","gross":"9.600","available":true,"currency":"EUR","price":"8.00","stock":11,"n_tags":0,"tags":null}
--> {"id":5,"name":"auth","gross":"9.600","available":true,"currency":"EUR","price":"8.00","stock":11,"n_tags":0,"tags":null}

insert into pv values (default, 'q');
--> no rows

insert into pv values (default, 'q', 5);
--> ERROR 0A000: cannot insert into column "gross" of view "pv"
--> DETAIL: View columns that are not columns of their base relation are not updatable.

insert into pv select 1, 'z';
--> ERROR 428C9: cannot insert a non-DEFAULT value into column "id"
--> DETAIL: Column "id" is an identity column defined as GENERATED ALWAYS.
--> HINT: Use OVERRIDING SYSTEM VALUE to override.

insert into pv default values;
--> ERROR 23502: null value in column "name" of relation "prod" violates not-null constraint
--> DETAIL: Failing row contains (8, null, null, 0, null, null, 2024-01-01 00:00:00+00).

insert into pv (id, name) overriding system value values (1, 'dup') on conflict (id) do update set name = excluded.name where pv.gross > 1 returning *;
--> {"id":1,"name":"dup","gross":null,"available":false,"currency":"EUR","price":null,"stock":0,"n_tags":0,"tags":null}

insert into pv (id, name) overriding system value values (1, 'dup') on conflict (id) do update set price = excluded.gross where excluded.available returning *;
--> no rows

create view agg as select id, (select count(*) from log) as logs, random() < 2 as r, now() > '2020-01-01' as n, name from prod;
--> no rows

merge into pv using (values (1, 50)) s(id, p) on pv.id = s.id and pv.gross > 1 when matched then update set price = s.p;
--> ERROR 0A000: cannot execute MERGE on relation "pv"
--> DETAIL: This operation is not supported for views.

create view dupv as select id, name, name as title, id as key from prod; update dupv set title = 'T' where key = 1 returning *;
--> {"id":1,"name":"T","title":"T","key":1}

update dupv set title = 'T', name = 'N';
--> ERROR 42601: multiple assignments to same column "name"

insert into dupv (title) values ('fresh') returning title, name, key is not null as k;
--> {"title":"fresh","name":"fresh","k":true}

insert into dupv (title, title) values ('fresh', 'x');
--> ERROR 42701: column "title" specified more than once
--> AT 26

insert into dupv (title, name) values ('fresh', 'x');
--> ERROR 42601: multiple assignments to same column "name"

delete from dupv where title = 'fresh' returning name;
--> {"name":"fresh"}

select column_name, is_updatable from information_schema.columns where table_name in ('pv', 'dupv') order by table_name, ordinal_position;
--> {"column_name":"id","is_updatable":"YES"}
--> {"column_name":"name","is_updatable":"YES"}
--> {"column_name":"title","is_updatable":"YES"}
--> {"column_name":"key","is_updatable":"YES"}
--> {"column_name":"id","is_updatable":"YES"}
--> {"column_name":"name","is_updatable":"YES"}
--> {"column_name":"gross","is_updatable":"NO"}
--> {"column_name":"available","is_updatable":"NO"}
--> {"column_name":"currency","is_updatable":"NO"}
--> {"column_name":"price","is_updatable":"YES"}
--> {"column_name":"stock","is_updatable":"YES"}
--> {"column_name":"n_tags","is_updatable":"NO"}
--> {"column_name":"tags","is_updatable":"YES"}
