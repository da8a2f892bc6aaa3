create table b (id int primary key, n text, k int default 3); create view v1 as select id, upper(n) un, n, k from b where k < 10; insert into v1 (id, n) values (1,'a') returning *;

update v1 set n = 'q' where un = 'A' returning *;

update v1 set n = un || 'x' returning un, id;

delete from v1 where un like 'QX%' returning v1.*;

select * from b;

create table o (id int primary key, vv int); create view v2 as select id, vv as v2, id as again from o;

insert into v2 (id, v2) values (1, 2) returning *;

insert into v2 (again, v2) values (2, 2) returning *;

insert into v2 (id, again, v2) values (3, 3, 2) returning *;

update v2 set v2 = 5 where again = 1 returning *;

update v2 set id = 6, again = 7;

update v2 set again = 7 where id = 1 returning *;

delete from v2 where again = 7 returning again, id;

create view v3 as select id::text as tid, id, vv from o;

insert into v3 (id, vv) values (90, 1) on conflict (id) do update set vv = 5 returning *;

insert into v3 (id, vv) values (90, 1) on conflict (id) do update set vv = 5 where v3.tid = '90' returning *;

update v3 set vv = 77 where tid = '90' returning tid;

update v3 set tid = 'x';

insert into v3 (tid) values ('x');

create view v4 as select tid || '!' as t4, vv + 1 as w, id, vv from v3 where tid <> 'zz';

update v4 set vv = 78 where t4 = '90!' and w = 78 returning *;

with u as (update v4 set vv = 79 where w > 0 returning *) select * from u;

update v4 set vv = s.w from (select 1 as w) s where v4.w > s.w returning v4.w, s.w, v4;

do $$ declare r record; begin update v4 set vv = 80 returning * into r; raise notice '%', r; end $$;

create view v5 as select id, (select count(*) from b) as c, vv from o;

update v5 set vv = 1 where c >= 0 returning *;

create view v6 as select *, 5 as five from o with check option; insert into v6 values (200, 3) returning *;

delete from v6 using b where five = 5 returning *;

create table prod (id int generated always as identity primary key, name text not null, price numeric(10,2), stock int default 0, owner uuid, tags text[], created_at timestamptz default '2024-01-01'); create view pv as select p.id, p.name, p.price * 1.2 as gross, p.stock > 0 as available, 'EUR' as currency, p.price, p.stock, coalesce(array_length(p.tags, 1), 0) as n_tags, p.tags from prod p where p.stock >= 0 with check option;

insert into pv (name, price, stock, tags) values ('a', 10, 3, '{x,y}'), ('b', 20.55, 0, null) returning *;

insert into pv (name, price) values ('c', 5) returning id, gross, available, currency;

update pv set stock = stock + 1 where available returning id, available, gross::int;

update pv set price = gross where currency = 'EUR' and n_tags = 0 returning id, price, gross;

insert into pv (name, price, stock) values ('x', 1, -1) returning gross;

insert into pv (name, gross) values ('x', 1);

update pv set gross = 1 returning *;

update pv set stock = -1 where gross > 20 returning *;

update pv v set price = 9 where v.gross > 20 and not v.available returning v.*, v.gross as g;

delete from pv where gross < 8 returning *;

create view pv2 as select id, gross || ' ' || currency as label, upper(name) as uname, name from pv where available;

update pv2 set name = name || '!' where label like '%EUR' returning *;

update pv2 set name = 'zz' from (values ('A!')) s(n) where uname = s.n returning label, uname, s.n;

delete from pv2 using prod where prod.id = pv2.id and uname = 'ZZ' returning prod.name, label;

grant select, insert, update, delete on pv, pv2 to authenticated; alter table prod enable row level security;

set role authenticated; insert into pv (name, price, stock) values ('auth', 7, 1) returning *;

set role authenticated; update pv set stock = 9 where gross > 1 returning id, gross, available;

alter view pv set (security_invoker = on); grant all on prod to authenticated; create policy s on prod for select to authenticated using (price > 6); create policy u on prod for update to authenticated using (true); create policy i on prod for insert to authenticated with check (true);

set role authenticated; update pv set stock = 10 where gross > 1 returning id, gross, available;

set role authenticated; insert into pv (name, price, stock) values ('inv', 3, 1) returning *;

revoke all on pv from authenticated; grant update (stock) on pv to authenticated; 

set role authenticated; update pv set stock = 11;

set role authenticated; update pv set stock = 11 where gross > 0;

create table log (t text); create function lg() returns trigger language plpgsql as $$ begin insert into log values (new.name); return new; end $$; create trigger lg after update on prod for each row execute function lg();

update pv set price = price + 1 where available returning id, gross;

with u as (update pv set price = price + 1 where available returning id, gross) select * from u order by 1;

do $$ declare g numeric; v pv; begin update pv set price = 3 where id = 1 returning gross into g; raise notice '%', g; update pv set price = 4 where id = 1 returning * into v; raise notice '%', v; end $$;

create function f() returns setof pv language sql as $$ update pv set price = 8 where available returning * $$; select * from f();

insert into pv values (default, 'q');

insert into pv values (default, 'q', 5);

insert into pv select 1, 'z';

insert into pv default values;

insert into pv (id, name) overriding system value values (1, 'dup') on conflict (id) do update set name = excluded.name where pv.gross > 1 returning *;

insert into pv (id, name) overriding system value values (1, 'dup') on conflict (id) do update set price = excluded.gross where excluded.available returning *;

create view agg as select id, (select count(*) from log) as logs, random() < 2 as r, now() > '2020-01-01' as n, name from prod;

merge into pv using (values (1, 50)) s(id, p) on pv.id = s.id and pv.gross > 1 when matched then update set price = s.p;

create view dupv as select id, name, name as title, id as key from prod; update dupv set title = 'T' where key = 1 returning *;

update dupv set title = 'T', name = 'N';

insert into dupv (title) values ('fresh') returning title, name, key is not null as k;

insert into dupv (title, title) values ('fresh', 'x');

insert into dupv (title, name) values ('fresh', 'x');

delete from dupv where title = 'fresh' returning name;

select column_name, is_updatable from information_schema.columns where table_name in ('pv', 'dupv') order by table_name, ordinal_position;
