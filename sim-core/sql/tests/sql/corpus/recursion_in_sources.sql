-- Recursive queries that read themselves within another query of their FROM.

create table c (id int primary key, p int, w int);
--> no rows

insert into c values (1,null,1),(2,1,2),(3,2,3);
--> no rows

with recursive t as (select id, p, 0 l from c where p is null union all select q.id, q.p, q.l from (select c.id, c.p, t.l + 1 l from c join t on c.p = t.id) q) select * from t order by id;
--> {"id":1,"p":null,"l":0}
--> {"id":2,"p":1,"l":1}
--> {"id":3,"p":2,"l":2}

with recursive t as (select 1 n union all select z.n from (select n + 1 as n from t) z where z.n < 4) select * from t;
--> {"n":1}
--> {"n":2}
--> {"n":3}

with recursive t(n) as (select 1 union all select x.m from lateral (select 1) y, (select n + 1 m from t) x where x.m < 4) select * from t;
--> {"n":1}
--> {"n":2}
--> {"n":3}

with recursive t(n) as (select 1 union all select n from (select n+1 as n from (select * from t) b) a where n < 5) select * from t;
--> {"n":1}
--> {"n":2}
--> {"n":3}
--> {"n":4}

with recursive t(n) as (select 1 union all select (select max(n) + 1 from t) where (select max(n) from t) < 3) select * from t;
--> ERROR 42P19: recursive reference to query "t" must not appear within a subquery
--> AT 75

with recursive t(n) as (select 1 union all select n from (select max(n)+1 n from t) a where n < 3) select * from t limit 3;
--> ERROR 42P19: aggregate functions are not allowed in a recursive query's recursive term
--> AT 66

with recursive t(n) as (select 1 union all select a.n from c left join (select n + 1 n from t) a on true where a.n < 3) select * from t limit 3;
--> ERROR 42P19: recursive reference to query "t" must not appear within an outer join
--> AT 93

with recursive t(n) as (select 1 union all select a.n from (select t.n+1 n from t join c on t.n = c.id union all select n + 2 from t) a where a.n < 5) select * from t;
--> ERROR 42P19: recursive reference to query "t" must not appear more than once
--> AT 132

with recursive t(n) as (select 1 union all select a.n from (with u as (select n + 1 n from t) select * from u) a where a.n < 5) select * from t;
--> {"n":1}
--> {"n":2}
--> {"n":3}
--> {"n":4}

with recursive t(n) as (select 1 union all (with u as (select n + 1 n from t) select n from u where n < 4)) select * from t;
--> {"n":1}
--> {"n":2}
--> {"n":3}

with recursive t(n) as (select 1 union all select a.n + b.n from (select n from t) a, (select n from t) b where a.n < 9) select * from t;
--> ERROR 42P19: recursive reference to query "t" must not appear more than once
--> AT 102

with recursive t(n) as (select 1 union all select n+1 from t where n < 4 and exists (select 1 from t t2 where t2.n = t.n)) select * from t;
--> ERROR 42P19: recursive reference to query "t" must not appear within a subquery
--> AT 100

create view rv as with recursive t(n) as (select 1 union all select n from (select n + 1 as n from t) a where n < 4) select * from t;
--> no rows

select * from rv;
--> {"n":1}
--> {"n":2}
--> {"n":3}

select pg_get_viewdef('rv'::regclass);
--> {"pg_get_viewdef":" WITH RECURSIVE t(n) AS (\n         SELECT 1 AS \"?column?\"\n        UNION ALL\n         SELECT a.n\n           FROM ( SELECT (t_1.n + 1) AS n\n                   FROM t t_1) a\n          WHERE (a.n < 4)\n        )\n SELECT t.n\n   FROM t;"}

with recursive t(n) as (select 1 union all (select n + 1 from t where n < 3)) select * from t;
--> {"n":1}
--> {"n":2}
--> {"n":3}

with recursive t as (select id, p from c where p is null union all select c.id, c.p from c where c.id in (select p from t)) select * from t;
--> ERROR 42P19: recursive reference to query "t" must not appear within a subquery
--> AT 121

with recursive t(n) as (select 1 union select b.n from (select t.n % 3 + 1 as n from t) b) select * from t order by n;
--> {"n":1}
--> {"n":2}
--> {"n":3}

with recursive t(id, path) as (select id, array[id] from c where p is null union all select k.id, k.path from (select c.id, t.path || c.id as path, t.path as before from t inner join c on c.p = t.id) k where not k.id = any (k.before)) select * from t order by id;
--> {"id":1,"path":[1]}
--> {"id":2,"path":[1,2]}
--> {"id":3,"path":[1,2,3]}

with recursive t(n, m) as (select 1, 1 union all select s.x, c.w from (select n + 1 as x from t where n < 3) s left join c on c.id = s.x) select * from t;
--> {"n":1,"m":1}
--> {"n":2,"m":2}
--> {"n":3,"m":3}

with recursive t(n) as (select 1 union all select s.x from c join (select n + 1 as x from t where n < 3) s on c.id = s.x join c d on d.id = c.id) select * from t;
--> {"n":1}
--> {"n":2}
--> {"n":3}

create function counted(up int) returns setof int language sql as $$ with recursive t(n) as (select 1 union all select a.n from (select n + 1 as n from t) a where a.n <= up) select n from t $$;
--> no rows

select * from counted(3);
--> {"counted":1}
--> {"counted":2}
--> {"counted":3}
