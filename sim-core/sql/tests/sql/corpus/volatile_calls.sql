-- Calls of volatile functions, each row one, and of immutable ones in what a query groups and sorts by.

create sequence s; create function nx() returns text language sql as $$ select 'N-' || nextval('s') $$;
--> no rows

select nx() from generate_series(1,3);
--> {"nx":"N-1"}
--> {"nx":"N-2"}
--> {"nx":"N-3"}

create table t (id int, code text unique default nx(), n int); insert into t(id) select g from generate_series(1,3) g;
--> no rows

select * from t order by id;
--> {"id":1,"code":"N-4","n":null}
--> {"id":2,"code":"N-5","n":null}
--> {"id":3,"code":"N-6","n":null}

create function tok() returns text language sql as $$ select md5(random()::text) $$;
--> no rows

update t set code = tok();
--> no rows

select count(distinct code) from t;
--> {"count":3}

alter table t add column share text not null default tok();
--> no rows

select count(distinct share) from t;
--> {"count":3}

select array_agg(nx()) from t;
--> {"array_agg":["N-7","N-8","N-9"]}

select unnest(array[1,2]), nx();
--> {"unnest":1,"nx":"N-10"}
--> {"unnest":2,"nx":"N-11"}

create view v as select id, nx() as x from t; select count(distinct x) from v;
--> {"count":3}

with q as (insert into t (id) select 10 returning code) select count(*) from q;
--> {"count":1}

create function nxs() returns setof text language sql as $$ select 'S-' || nextval('s') $$; select count(distinct a) from (select nxs() as a from generate_series(1, 3)) q;
--> {"count":3}

create function nxd() returns text language sql security definer set search_path = public as $$ select 'D-' || nextval('s') $$; select count(distinct a) from (select nxd() as a from generate_series(1, 3)) q;
--> {"count":3}

create function nxi(p int) returns text language sql strict as $$ select p || nextval('s')::text $$; select count(distinct a) from (select nxi(4) as a from generate_series(1, 3)) q;
--> {"count":3}

create function outer_(p int) returns text language sql as $$ select p || nx() $$; select count(distinct substr(a, 2)) from (select outer_(g) as a from generate_series(1, 3) g) q;
--> {"count":3}

insert into t(id, code) values (1, nx()), (2, nx()); insert into t (id, code) select id, 'dup' || id from t limit 0;
--> no rows

create unique index tu on t (id) where id > 900; insert into t(id) values (901); insert into t(id) values (901) on conflict (id) where id > 900 do update set code = nx() returning code like 'N-%' as ok;
--> {"ok":true}

merge into t using (select 901 as k) q on t.id = q.k when matched then update set code = nx();
--> no rows

do $$ declare r record; c text[] := '{}'; begin for r in select nx() as a from generate_series(1, 3) loop c := c || r.a; end loop; raise notice '%', (select count(distinct x) from unnest(c) x); end $$;
--> no rows

create function nt(c text) returns text language plpgsql immutable as $$ begin return upper(c); end $$;
create table a (id int, c text, n int); insert into a values (1, 'x', 1), (2, 'X', 2), (3, 'y', 3);
--> no rows

select nt(c), count(*) from a group by nt(c) order by nt(c);
--> {"nt":"X","count":2}
--> {"nt":"Y","count":1}

select coalesce(nt(c), 'General') as t, sum(n) from a group by nt(c) order by 1;
--> {"t":"X","sum":3}
--> {"t":"Y","sum":3}

select nt(c)||'1' as k from a group by nt(c)||'1' order by 1; select upper(nt(c)) from a group by upper(nt(c)) order by 1;
--> {"upper":"X"}
--> {"upper":"Y"}

create view va as select nt(c) as k, count(*) as n from a group by nt(c); select * from va order by k;
--> {"k":"X","n":2}
--> {"k":"Y","n":1}

select distinct on (nt(c)) n from a order by nt(c), n;
--> {"n":1}
--> {"n":3}

select distinct nt(c) from a order by nt(c);
--> {"nt":"X"}
--> {"nt":"Y"}

select array_agg(distinct nt(c) order by nt(c)) from a;
--> {"array_agg":["X","Y"]}

select nt(c), count(*) from a group by nt(c) having nt(c) <> 'Y' order by count(*);
--> {"nt":"X","count":2}

create function st(c text) returns text language sql immutable strict as $$ select upper(c) $$; select st(c), count(*) from a group by st(c) order by 1;
--> {"st":"X","count":2}
--> {"st":"Y","count":1}

select nt(c), sum(n) over (partition by nt(c)) from a order by 1, 2; select st(c), rank() over (order by st(c)) from a order by 1;
--> {"st":"X","rank":1}
--> {"st":"X","rank":1}
--> {"st":"Y","rank":3}

select nt(c), count(*) from a group by rollup (nt(c)) order by 1;
--> {"nt":"X","count":2}
--> {"nt":"Y","count":1}
--> {"nt":null,"count":3}

create unique index on a (nt(c), id); insert into a values (1, 'x', 5) on conflict (nt(c), id) do update set n = 9; select n from a where nt(c) = 'X' order by n;
--> {"n":2}
--> {"n":9}

select case when nt(c) = 'X' then 1 else 0 end as k, count(*) from a group by case when nt(c) = 'X' then 1 else 0 end order by 1;
--> {"k":0,"count":1}
--> {"k":1,"count":2}
