create table p (id int primary key, n text, amt numeric); insert into p values (1,'a',10),(2,'a',20),(3,'b',null);

with recursive r(i) as (select 1 union all (select i+1 from r where i<5 order by i limit 1)) select * from r;

with recursive r(i) as ((select id from p order by id limit 1) union all (select p.id from p, r where p.id > r.i order by p.id limit 1)) select * from r;

with recursive t as ((select n from p order by n limit 1) union all select (select n from p where n > t.n order by n limit 1) from t where t.n is not null) select n from t where n is not null;

with recursive a as (select * from b), b as (select 1 as q) select * from a;

with a as (select * from b), b as (select 1 as q) select * from a;

select * from p x right join lateral (select x.amt as z) y on true;

select * from p x full join lateral (select x.amt as z) y on true;

select * from p x right join lateral generate_series(1, x.id) g on true;

select * from p x limit id;

select * from p x offset x.id;

select id from p union select id from p order by n;

select id from p union select id from p order by id + 1;

select id from p union select id from p order by p.id;

select * from p x, (select x.id) y;

select * from p x join (select x.id) y on true;

select * from p x left join (select * from p where p.id = x.id) y on true;

select id k, n k from p order by k;

select row_number() over (w order by id) from p window w as (order by n);

select * from p x join p y using (n) join p z using (n);

select nosuch.p.id from p;

select * from p x, lateral (select id from p where id < 4 order by id limit x.id) y order by 1, 4;

select * from p x, lateral (select id from p order by id offset x.id - 1) y order by 1, 4;

select *, (select string_agg(q.id::text, ',') from (select id from p order by id limit x.id) q) from p x order by 1;

select x.id, array(select id from p order by id limit x.id offset 1) from p x order by 1;

select x.id, y.s from p x, lateral (select p.id, sum(x.id) over (partition by x.n order by p.id) s from p) y order by 1, 2;

select x.id, y.s from p x, lateral (select p.id, row_number() over (partition by p.id % x.id order by p.id) s from p) y order by 1, 2;

do $$ declare k int := 2; r record; begin for r in select sum(id) over (order by id rows k preceding) s from p limit k loop raise notice '%', r; end loop; end $$;

select * from p x join p y on z.id = 1 join p z on true;

select * from p x join lateral (select 1) q on z.id = 1, p z;

select * from (select * from p where id = y.id) x, p y;

select * from p y, (select id from p where amt = y.amt and zz = 1) x;

select * from p y, (select amt2 from generate_series(1, y.id)) x;

select * from p y, (select 1 from (select 1 where y.amt > 0) z) x;

select * from p y cross join (values (y.id)) v;

select * from p y, (select * from p where amt > k) x, (select 1 as k) z;

select * from p y, (select k from p) x, (select 1 as k) z;

select p.id from p y;

update p set n = x.n from p x join p y on y.id = p.id;

delete from p using p x, (select 1 where p.id = 1) z;

insert into p values (2,'q') on conflict (id) do nothing returning excluded.n;

insert into p values (2,'q') on conflict (id) do update set n = p2.n;

select nosuch.p.id from p;

select public.x.id from p x;

select x.nope from p x;

select nope.id from p x;

with w as (select 1 as k) select * from p where id = w.k;

select (select count(*) from p where p.id = q.id) from p x;

drop table p; create table p (id int primary key, n text, amt numeric, at timestamptz); insert into p values (1,'a',10,'2024-01-01'),(2,'a',20,'2024-02-01'),(3,'b',null,null),(7,'c',1,'2024-03-01'); create table o (id int primary key, p_id int, v int); insert into o select g, 1 + g % 3, g * 10 from generate_series(1, 12) g;

with recursive t(id, at, n) as ((select id, at, n from p order by id desc limit 1) union all (select p.id, p.at, p.n from t join p on p.id < t.id order by p.id desc limit 1)) select * from t;

with recursive t as ((select n from p order by n limit 1) union (select p.n from p, t where p.n > t.n order by p.n limit 1)) select * from t;

with recursive t(i) as (select 1 union all (select i + 1 from t where i < 4 order by i)) select * from t;

with recursive t(i) as (select 1 union all (select i + 1 from t where i < 4) limit 3) select * from t;

with recursive a as (select count(*) c from b where q > 1), b as (select generate_series(1, 3) as q), d as (select * from a, b) select * from d order by q;

with recursive a as (select * from b), b(i) as (select 1 union all select i + 1 from b where i < 3) select * from a order by 1;

with a as (select * from a) select * from a;

with a as (select 1 as x), b as (select * from c), c as (select 2) select * from b;

select x.id, y.* from p x left join lateral (select id as oid, v from o where o.p_id = x.id order by v desc limit x.id) y on true order by 1, 2;

select x.id, (select array_agg(v order by v) from (select v from o where p_id = x.id order by v offset x.id limit 2) z) from p x order by 1;

select x.id, (select array_agg(v) from (select distinct v % 30 as v from o order by 1 limit x.id) z) from p x order by 1;

select x.id, array(select v from o union all select 0 order by 1 limit x.id) from p x order by 1;

select x.id, array(select v from o order by p_id desc, v limit nullif(x.id, 3)) from p x order by 1;

select x.id, array(select v from o limit x.id - 2) from p x order by 1;

select x.id, (select json_agg(q) from (select v, p_id from o order by v limit (select count(*) from p z where z.id <= x.id)) q) from p x order by 1;

select x.id, (select max(c) from (select p_id, count(*) c from o group by p_id order by p_id limit x.id) q) from p x order by 1;

select * from p where id in (select p_id from o where v > 10 order by v limit p.id) order by 1;

select exists (select 1 from o limit p.id - 1) from p order by id;

select x.id, y.id from p x, lateral (select id from p limit id) y;

create function top(k int) returns setof int language sql stable as $$ select v from o order by v desc limit k $$; select x.id, t from p x, top(x.id) t order by 1, 2;

select x.id, array(select * from top(x.id)) from p x order by 1;

select id from p union select id from o order by o.id;

select id from p union select id from o order by upper(n);

select * from p x right join lateral (select 1 as k) y on x.id = y.k;

select * from o left join lateral (select * from p where p.id = o.p_id limit 1) z on true full join p q on q.id = z.id order by 1, 5 limit 3;

select * from p x full join lateral (select amt) y on true;
