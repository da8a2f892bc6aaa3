-- The queries of views as PostgreSQL shows them: with their own names, types and brackets.

create table t(id int primary key, a text, b int, c date, v varchar(10));
create table u(id int primary key, t_id int, x numeric, a text)
--> no rows

create view w1 as with q as (select id, a from t where b > 1) select q.id, q.a from q join u on u.id = q.id
--> no rows

create view w2 as with recursive r(n) as (select 1 union all select n + 1 from r where n < 5) select n from r
--> no rows

create view w3 as with q1 as materialized (select id from t), q2 as (select id from q1) select * from q2
--> no rows

create view s1 as select id from t where id in (select t_id from u)
--> no rows

create view s2 as select id from t where not exists (select 1 from u where u.t_id = t.id)
--> no rows

create view s3 as select id, (select count(*) from u where u.t_id = t.id) as n, array(select x from u) as xs from t
--> no rows

create view s4 as select id from t where id not in (select id from t where b = 2) and b > all (select id from u) and b = any (select id from u)
--> no rows

create view s5 as select case when exists (select 1 from u) then 'a' else 'b' end as k, coalesce((select max(x) from u), 0) m from t
--> no rows

create view j1 as select id, t.a, u.x from t join u using (id)
--> no rows

create view j2 as select id, t.a as ta, u.a as ua from t left join u using (id)
--> no rows

create view j3 as select id, u.x from t full join u using (id)
--> no rows

create view j4 as select id, x from t right join u using (id, a)
--> no rows

create view j5 as select * from t natural join (select id, x from u) z
--> no rows

create view f1 as select id, sum(b) over (partition by a order by c rows between 1 preceding and current row) s, avg(b) over (order by c range between unbounded preceding and unbounded following exclude current row) from t
--> no rows

create view f2 as select id, row_number() over w as r, sum(b) over (w rows unbounded preceding) from t window w as (partition by a order by c desc)
--> no rows

create view f3 as select id, sum(b) over (order by c range between interval '1 day' preceding and current row), lag(b, 1) over (order by id) from t
--> no rows

create view g1 as select g from generate_series(1, 3) g
--> no rows

create view g2 as select g.n, o from generate_series(1, 3) with ordinality as g(n, o)
--> no rows

create view g3 as select t.id, e.value from t, unnest(array[1,2]) as e(value)
--> no rows

create view g4 as select t.id, l.x from t left join lateral (select x from u where u.t_id = t.id order by x desc limit 1) l on true
--> no rows

create view g5 as select v.a, v.b from (values (1, 'a'), (2, 'b')) v(a, b)
--> no rows

create view g6 as select k.key, k.value from jsonb_each('{"a":1}'::jsonb) k
--> no rows

create view d1 as select z.id from (select id from t) t2(idd), (select u.id from u) z
--> no rows

create view d2 as select t.id from (select t.id from t) t
--> no rows

create view d3 as select y.i from t y(i, j)
--> no rows

create view o1 as select id from t union select id from u order by 1 limit 5
--> no rows

create view o2 as (select id from t order by id limit 1) union all select id from u
--> no rows

create view o3 as select id from t union all (select id from u intersect select t_id from u)
--> no rows

create view gr as select a, b, count(*) from t group by rollup (a, b)
--> no rows

create view gr2 as select a, b, count(*) from t group by grouping sets ((a), (a, b), ())
--> no rows

create view l1 as select id from t order by id fetch first 3 rows only
--> no rows

create view l2 as select id from t offset 2
--> no rows

create view st as select * from t
--> no rows

create view nd as select distinct on (a) a, b from t order by a, b desc nulls last
--> no rows

create view ll as select t.id from t, lateral (select u.x from u where u.id = t.id) q where q.x is not null
--> no rows

create view cs as select case b when 1 then 'one' else case when a is null then 'n' else 'm' end end from t
--> no rows

create view xx as select t.id from t cross join u where t.id = u.id and u.x in (1, 2, 3) and t.v in ('a', 'b') and t.v = 'x' and t.b in (select 1)
--> no rows

create view lv as select t1.id from t t1 join t t2 on t1.id = t2.b and exists (select 1 from t where t.id = t2.id)
--> no rows

create view vv as values (1, 'a'), (2, 'b')
--> no rows

create view sq as select q.n from (select count(*) as n from (select id from t where b > 0) i) q where q.n > 1
--> no rows

create view em as select 1 as one where false
--> no rows

create materialized view mv as select a, count(*) from t group by a having count(*) > 1
--> no rows

create view nn as select nullif(a, '') n, greatest(b, 1) g, a || b::text as ab, (b + 1) * 2 as m, -b as neg, b % 2 as r, a ~ 'x' as re, a like 'x%' as l, not (b > 1) as nt, extract(year from c) y, c + interval '1 day' as nx, current_date as d, now() as n2 from t
--> no rows

create view nb as select id from t where b not between 1 and 2 and a similar to 'x%' and a not similar to 'y%'
--> no rows

create schema other; create table other.t (id int, k text); create view ot as select o.id, t.a from other.t o join t on t.id = o.id where o.id in (select id from other.t)
--> no rows

create view td as with a as (select id from t union select id from u), b as (select count(*) as n from a) select a.id, b.n from a, b where a.id > (select min(id) from a) order by a.id desc limit 3
--> no rows

create view sc as select z.a from (select a from t union select v from t order by 1) z
--> no rows

create view se as select id from t where (select count(*) from u where u.t_id = t.id and exists (select 1 from t x where x.id = u.id)) > 1
--> no rows

create view sp as select t.id, (select string_agg(u.a, ', ' order by u.id nulls first) from u where u.t_id = t.id) as names from t where t.v in (select a from u)
--> no rows

create view nj as select t.id from t join (u join other.t o on o.id = u.id) on u.id = t.id
--> no rows

create view wt as select id from t order by b fetch first 2 rows with ties
--> no rows

create view fl as select n, lag(n) over w, first_value(n) over (partition by n % 2 order by n groups between 1 preceding and 1 following exclude ties) from generate_series(1, 3) n window w as (order by n)
--> no rows

create view wk as select sum(b) over (partition by lower(a), b + 1 order by lower(v) desc, (v::text || 'x')) s from t
--> no rows

create view sk as select string_agg(a, ',' order by lower(a), b + 1) o from t
--> no rows

create view un as select z.id from (select id from (select id from t union all select id from u order by 1 desc limit 2) y) z
--> no rows

create view la as select t.id, x.n from t, generate_series(1, t.b) x(n)
--> no rows

create view cu as select a, b, grouping(a) as g from t group by cube (a, b) having count(*) > 1
--> no rows

select viewname, definition from pg_views where schemaname = 'public' order by 1
--> {"viewname":"cs","definition":" SELECT\n        CASE t.b\n            WHEN 1 THEN 'one'::text\n            ELSE\n            CASE\n                WHEN (t.a IS NULL) THEN 'n'::text\n                ELSE 'm'::text\n            END\n        END AS \"case\"\n   FROM t;"}
--> {"viewname":"cu","definition":" SELECT t.a,\n    t.b,\n    GROUPING(t.a) AS g\n   FROM t\n  GROUP BY CUBE(t.a, t.b)\n HAVING (count(*) > 1);"}
--> {"viewname":"d1","definition":" SELECT z.id\n   FROM ( SELECT t.id\n           FROM t) t2(idd),\n    ( SELECT u.id\n           FROM u) z;"}
--> {"viewname":"d2","definition":" SELECT t.id\n   FROM ( SELECT t_1.id\n           FROM t t_1) t;"}
--> {"viewname":"d3","definition":" SELECT y.i\n   FROM t y(i, j, b, c, v);"}
--> {"viewname":"em","definition":" SELECT 1 AS one\n  WHERE false;"}
--> {"viewname":"f1","definition":" SELECT t.id,\n    sum(t.b) OVER (PARTITION BY t.a ORDER BY t.c ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s,\n    avg(t.b) OVER (ORDER BY t.c RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW) AS avg\n   FROM t;"}
--> {"viewname":"f2","definition":" SELECT t.id,\n    row_number() OVER w AS r,\n    sum(t.b) OVER (w ROWS UNBOUNDED PRECEDING) AS sum\n   FROM t\n  WINDOW w AS (PARTITION BY t.a ORDER BY t.c DESC);"}
--> {"viewname":"f3","definition":" SELECT t.id,\n    sum(t.b) OVER (ORDER BY t.c RANGE BETWEEN '1 day'::interval PRECEDING AND CURRENT ROW) AS sum,\n    lag(t.b, 1) OVER (ORDER BY t.id) AS lag\n   FROM t;"}
--> {"viewname":"fl","definition":" SELECT n.n,\n    lag(n.n) OVER w AS lag,\n    first_value(n.n) OVER (PARTITION BY (n.n % 2) ORDER BY n.n GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) AS first_value\n   FROM generate_series(1, 3) n(n)\n  WINDOW w AS (ORDER BY n.n);"}
--> {"viewname":"g1","definition":" SELECT g.g\n   FROM generate_series(1, 3) g(g);"}
--> {"viewname":"g2","definition":" SELECT g.n,\n    g.o\n   FROM generate_series(1, 3) WITH ORDINALITY g(n, o);"}
--> {"viewname":"g3","definition":" SELECT t.id,\n    e.value\n   FROM t,\n    unnest(ARRAY[1, 2]) e(value);"}
--> {"viewname":"g4","definition":" SELECT t.id,\n    l.x\n   FROM (t\n     LEFT JOIN LATERAL ( SELECT u.x\n           FROM u\n          WHERE (u.t_id = t.id)\n          ORDER BY u.x DESC\n         LIMIT 1) l ON (true));"}
--> {"viewname":"g5","definition":" SELECT v.a,\n    v.b\n   FROM ( VALUES (1,'a'::text), (2,'b'::text)) v(a, b);"}
--> {"viewname":"g6","definition":" SELECT k.key,\n    k.value\n   FROM jsonb_each('{\"a\": 1}'::jsonb) k(key, value);"}
--> {"viewname":"gr","definition":" SELECT t.a,\n    t.b,\n    count(*) AS count\n   FROM t\n  GROUP BY ROLLUP(t.a, t.b);"}
--> {"viewname":"gr2","definition":" SELECT t.a,\n    t.b,\n    count(*) AS count\n   FROM t\n  GROUP BY GROUPING SETS ((t.a), (t.a, t.b), ());"}
--> {"viewname":"j1","definition":" SELECT t.id,\n    t.a,\n    u.x\n   FROM (t\n     JOIN u USING (id));"}
--> {"viewname":"j2","definition":" SELECT t.id,\n    t.a AS ta,\n    u.a AS ua\n   FROM (t\n     LEFT JOIN u USING (id));"}
--> {"viewname":"j3","definition":" SELECT id,\n    u.x\n   FROM (t\n     FULL JOIN u USING (id));"}
--> {"viewname":"j4","definition":" SELECT u.id,\n    u.x\n   FROM (t\n     RIGHT JOIN u USING (id, a));"}
--> {"viewname":"j5","definition":" SELECT t.id,\n    t.a,\n    t.b,\n    t.c,\n    t.v,\n    z.x\n   FROM (t\n     JOIN ( SELECT u.id,\n            u.x\n           FROM u) z USING (id));"}
--> {"viewname":"l1","definition":" SELECT t.id\n   FROM t\n  ORDER BY t.id\n LIMIT 3;"}
--> {"viewname":"l2","definition":" SELECT t.id\n   FROM t\n OFFSET 2;"}
--> {"viewname":"la","definition":" SELECT t.id,\n    x.n\n   FROM t,\n    LATERAL generate_series(1, t.b) x(n);"}
--> {"viewname":"ll","definition":" SELECT t.id\n   FROM t,\n    LATERAL ( SELECT u.x\n           FROM u\n          WHERE (u.id = t.id)) q\n  WHERE (q.x IS NOT NULL);"}
--> {"viewname":"lv","definition":" SELECT t1.id\n   FROM (t t1\n     JOIN t t2 ON (((t1.id = t2.b) AND (EXISTS ( SELECT 1\n           FROM t\n          WHERE (t.id = t2.id))))));"}
--> {"viewname":"nb","definition":" SELECT t.id\n   FROM t\n  WHERE (((t.b < 1) OR (t.b > 2)) AND (t.a ~ similar_to_escape('x%'::text)) AND (t.a !~ similar_to_escape('y%'::text)));"}
--> {"viewname":"nd","definition":" SELECT DISTINCT ON (t.a) t.a,\n    t.b\n   FROM t\n  ORDER BY t.a, t.b DESC NULLS LAST;"}
--> {"viewname":"nj","definition":" SELECT t.id\n   FROM (t\n     JOIN (u\n     JOIN other.t o ON ((o.id = u.id))) ON ((u.id = t.id)));"}
--> {"viewname":"nn","definition":" SELECT NULLIF(t.a, ''::text) AS n,\n    GREATEST(t.b, 1) AS g,\n    (t.a || (t.b)::text) AS ab,\n    ((t.b + 1) * 2) AS m,\n    (- t.b) AS neg,\n    (t.b % 2) AS r,\n    (t.a ~ 'x'::text) AS re,\n    (t.a ~~ 'x%'::text) AS l,\n    (NOT (t.b > 1)) AS nt,\n    EXTRACT(year FROM t.c) AS y,\n    (t.c + '1 day'::interval) AS nx,\n    CURRENT_DATE AS d,\n    now() AS n2\n   FROM t;"}
--> {"viewname":"o1","definition":" SELECT t.id\n   FROM t\nUNION\n SELECT u.id\n   FROM u\n  ORDER BY 1\n LIMIT 5;"}
--> {"viewname":"o2","definition":"( SELECT t.id\n   FROM t\n  ORDER BY t.id\n LIMIT 1)\nUNION ALL\n SELECT u.id\n   FROM u;"}
--> {"viewname":"o3","definition":" SELECT t.id\n   FROM t\nUNION ALL (\n         SELECT u.id\n           FROM u\n        INTERSECT\n         SELECT u.t_id AS id\n           FROM u\n);"}
--> {"viewname":"ot","definition":" SELECT o.id,\n    t.a\n   FROM (other.t o\n     JOIN t ON ((t.id = o.id)))\n  WHERE (o.id IN ( SELECT t_1.id\n           FROM other.t t_1));"}
--> {"viewname":"s1","definition":" SELECT t.id\n   FROM t\n  WHERE (t.id IN ( SELECT u.t_id\n           FROM u));"}
--> {"viewname":"s2","definition":" SELECT t.id\n   FROM t\n  WHERE (NOT (EXISTS ( SELECT 1\n           FROM u\n          WHERE (u.t_id = t.id))));"}
--> {"viewname":"s3","definition":" SELECT t.id,\n    ( SELECT count(*) AS count\n           FROM u\n          WHERE (u.t_id = t.id)) AS n,\n    ARRAY( SELECT u.x\n           FROM u) AS xs\n   FROM t;"}
--> {"viewname":"s4","definition":" SELECT t.id\n   FROM t\n  WHERE ((NOT (t.id IN ( SELECT t_1.id\n           FROM t t_1\n          WHERE (t_1.b = 2)))) AND (t.b > ALL ( SELECT u.id\n           FROM u)) AND (t.b IN ( SELECT u.id\n           FROM u)));"}
--> {"viewname":"s5","definition":" SELECT\n        CASE\n            WHEN (EXISTS ( SELECT 1\n               FROM u)) THEN 'a'::text\n            ELSE 'b'::text\n        END AS k,\n    COALESCE(( SELECT max(u.x) AS max\n           FROM u), (0)::numeric) AS m\n   FROM t;"}
--> {"viewname":"sc","definition":" SELECT z.a\n   FROM ( SELECT t.a\n           FROM t\n        UNION\n         SELECT t.v\n           FROM t\n  ORDER BY 1) z;"}
--> {"viewname":"se","definition":" SELECT t.id\n   FROM t\n  WHERE (( SELECT count(*) AS count\n           FROM u\n          WHERE ((u.t_id = t.id) AND (EXISTS ( SELECT 1\n                   FROM t x\n                  WHERE (x.id = u.id))))) > 1);"}
--> {"viewname":"sk","definition":" SELECT string_agg(t.a, ','::text ORDER BY (lower(t.a)), (t.b + 1)) AS o\n   FROM t;"}
--> {"viewname":"sp","definition":" SELECT t.id,\n    ( SELECT string_agg(u.a, ', '::text ORDER BY u.id NULLS FIRST) AS string_agg\n           FROM u\n          WHERE (u.t_id = t.id)) AS names\n   FROM t\n  WHERE ((t.v)::text IN ( SELECT u.a\n           FROM u));"}
--> {"viewname":"sq","definition":" SELECT q.n\n   FROM ( SELECT count(*) AS n\n           FROM ( SELECT t.id\n                   FROM t\n                  WHERE (t.b > 0)) i) q\n  WHERE (q.n > 1);"}
--> {"viewname":"st","definition":" SELECT t.id,\n    t.a,\n    t.b,\n    t.c,\n    t.v\n   FROM t;"}
--> {"viewname":"td","definition":" WITH a AS (\n         SELECT t.id\n           FROM t\n        UNION\n         SELECT u.id\n           FROM u\n        ), b AS (\n         SELECT count(*) AS n\n           FROM a a_1\n        )\n SELECT a.id,\n    b.n\n   FROM a,\n    b\n  WHERE (a.id > ( SELECT min(a_1.id) AS min\n           FROM a a_1))\n  ORDER BY a.id DESC\n LIMIT 3;"}
--> {"viewname":"un","definition":" SELECT z.id\n   FROM ( SELECT y.id\n           FROM ( SELECT t.id\n                   FROM t\n                UNION ALL\n                 SELECT u.id\n                   FROM u\n          ORDER BY 1 DESC\n         LIMIT 2) y) z;"}
--> {"viewname":"vv","definition":" VALUES (1,'a'::text), (2,'b'::text);"}
--> {"viewname":"w1","definition":" WITH q AS (\n         SELECT t.id,\n            t.a\n           FROM t\n          WHERE (t.b > 1)\n        )\n SELECT q.id,\n    q.a\n   FROM (q\n     JOIN u ON ((u.id = q.id)));"}
--> {"viewname":"w2","definition":" WITH RECURSIVE r(n) AS (\n         SELECT 1 AS \"?column?\"\n        UNION ALL\n         SELECT (r_1.n + 1)\n           FROM r r_1\n          WHERE (r_1.n < 5)\n        )\n SELECT r.n\n   FROM r;"}
--> {"viewname":"w3","definition":" WITH q1 AS MATERIALIZED (\n         SELECT t.id\n           FROM t\n        ), q2 AS (\n         SELECT q1.id\n           FROM q1\n        )\n SELECT q2.id\n   FROM q2;"}
--> {"viewname":"wk","definition":" SELECT sum(t.b) OVER (PARTITION BY (lower(t.a)), (t.b + 1) ORDER BY (lower((t.v)::text)) DESC, ((t.v)::text || 'x'::text)) AS s\n   FROM t;"}
--> {"viewname":"wt","definition":" SELECT t.id\n   FROM t\n  ORDER BY t.b\n FETCH FIRST (2) ROWS WITH TIES;"}
--> {"viewname":"xx","definition":" SELECT t.id\n   FROM (t\n     CROSS JOIN u)\n  WHERE ((t.id = u.id) AND (u.x = ANY (ARRAY[(1)::numeric, (2)::numeric, (3)::numeric])) AND ((t.v)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[])) AND ((t.v)::text = 'x'::text) AND (t.b IN ( SELECT 1)));"}

select relname, pg_get_viewdef(oid, true) from pg_class where relkind in ('v', 'm') and relnamespace = 'public'::regnamespace order by 1
--> {"relname":"cs","pg_get_viewdef":" SELECT\n        CASE t.b\n            WHEN 1 THEN 'one'::text\n            ELSE\n            CASE\n                WHEN t.a IS NULL THEN 'n'::text\n                ELSE 'm'::text\n            END\n        END AS \"case\"\n   FROM t;"}
--> {"relname":"cu","pg_get_viewdef":" SELECT t.a,\n    t.b,\n    GROUPING(t.a) AS g\n   FROM t\n  GROUP BY CUBE(t.a, t.b)\n HAVING count(*) > 1;"}
--> {"relname":"d1","pg_get_viewdef":" SELECT z.id\n   FROM ( SELECT t.id\n           FROM t) t2(idd),\n    ( SELECT u.id\n           FROM u) z;"}
--> {"relname":"d2","pg_get_viewdef":" SELECT t.id\n   FROM ( SELECT t_1.id\n           FROM t t_1) t;"}
--> {"relname":"d3","pg_get_viewdef":" SELECT y.i\n   FROM t y(i, j, b, c, v);"}
--> {"relname":"em","pg_get_viewdef":" SELECT 1 AS one\n  WHERE false;"}
--> {"relname":"f1","pg_get_viewdef":" SELECT t.id,\n    sum(t.b) OVER (PARTITION BY t.a ORDER BY t.c ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s,\n    avg(t.b) OVER (ORDER BY t.c RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW) AS avg\n   FROM t;"}
--> {"relname":"f2","pg_get_viewdef":" SELECT t.id,\n    row_number() OVER w AS r,\n    sum(t.b) OVER (w ROWS UNBOUNDED PRECEDING) AS sum\n   FROM t\n  WINDOW w AS (PARTITION BY t.a ORDER BY t.c DESC);"}
--> {"relname":"f3","pg_get_viewdef":" SELECT t.id,\n    sum(t.b) OVER (ORDER BY t.c RANGE BETWEEN '1 day'::interval PRECEDING AND CURRENT ROW) AS sum,\n    lag(t.b, 1) OVER (ORDER BY t.id) AS lag\n   FROM t;"}
--> {"relname":"fl","pg_get_viewdef":" SELECT n.n,\n    lag(n.n) OVER w AS lag,\n    first_value(n.n) OVER (PARTITION BY (n.n % 2) ORDER BY n.n GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) AS first_value\n   FROM generate_series(1, 3) n(n)\n  WINDOW w AS (ORDER BY n.n);"}
--> {"relname":"g1","pg_get_viewdef":" SELECT g.g\n   FROM generate_series(1, 3) g(g);"}
--> {"relname":"g2","pg_get_viewdef":" SELECT g.n,\n    g.o\n   FROM generate_series(1, 3) WITH ORDINALITY g(n, o);"}
--> {"relname":"g3","pg_get_viewdef":" SELECT t.id,\n    e.value\n   FROM t,\n    unnest(ARRAY[1, 2]) e(value);"}
--> {"relname":"g4","pg_get_viewdef":" SELECT t.id,\n    l.x\n   FROM t\n     LEFT JOIN LATERAL ( SELECT u.x\n           FROM u\n          WHERE u.t_id = t.id\n          ORDER BY u.x DESC\n         LIMIT 1) l ON true;"}
--> {"relname":"g5","pg_get_viewdef":" SELECT v.a,\n    v.b\n   FROM ( VALUES (1,'a'::text), (2,'b'::text)) v(a, b);"}
--> {"relname":"g6","pg_get_viewdef":" SELECT k.key,\n    k.value\n   FROM jsonb_each('{\"a\": 1}'::jsonb) k(key, value);"}
--> {"relname":"gr","pg_get_viewdef":" SELECT t.a,\n    t.b,\n    count(*) AS count\n   FROM t\n  GROUP BY ROLLUP(t.a, t.b);"}
--> {"relname":"gr2","pg_get_viewdef":" SELECT t.a,\n    t.b,\n    count(*) AS count\n   FROM t\n  GROUP BY GROUPING SETS ((t.a), (t.a, t.b), ());"}
--> {"relname":"j1","pg_get_viewdef":" SELECT t.id,\n    t.a,\n    u.x\n   FROM t\n     JOIN u USING (id);"}
--> {"relname":"j2","pg_get_viewdef":" SELECT t.id,\n    t.a AS ta,\n    u.a AS ua\n   FROM t\n     LEFT JOIN u USING (id);"}
--> {"relname":"j3","pg_get_viewdef":" SELECT id,\n    u.x\n   FROM t\n     FULL JOIN u USING (id);"}
--> {"relname":"j4","pg_get_viewdef":" SELECT u.id,\n    u.x\n   FROM t\n     RIGHT JOIN u USING (id, a);"}
--> {"relname":"j5","pg_get_viewdef":" SELECT t.id,\n    t.a,\n    t.b,\n    t.c,\n    t.v,\n    z.x\n   FROM t\n     JOIN ( SELECT u.id,\n            u.x\n           FROM u) z USING (id);"}
--> {"relname":"l1","pg_get_viewdef":" SELECT t.id\n   FROM t\n  ORDER BY t.id\n LIMIT 3;"}
--> {"relname":"l2","pg_get_viewdef":" SELECT t.id\n   FROM t\n OFFSET 2;"}
--> {"relname":"la","pg_get_viewdef":" SELECT t.id,\n    x.n\n   FROM t,\n    LATERAL generate_series(1, t.b) x(n);"}
--> {"relname":"ll","pg_get_viewdef":" SELECT t.id\n   FROM t,\n    LATERAL ( SELECT u.x\n           FROM u\n          WHERE u.id = t.id) q\n  WHERE q.x IS NOT NULL;"}
--> {"relname":"lv","pg_get_viewdef":" SELECT t1.id\n   FROM t t1\n     JOIN t t2 ON t1.id = t2.b AND (EXISTS ( SELECT 1\n           FROM t\n          WHERE t.id = t2.id));"}
--> {"relname":"mv","pg_get_viewdef":" SELECT t.a,\n    count(*) AS count\n   FROM t\n  GROUP BY t.a\n HAVING count(*) > 1;"}
--> {"relname":"nb","pg_get_viewdef":" SELECT t.id\n   FROM t\n  WHERE (t.b < 1 OR t.b > 2) AND t.a ~ similar_to_escape('x%'::text) AND t.a !~ similar_to_escape('y%'::text);"}
--> {"relname":"nd","pg_get_viewdef":" SELECT DISTINCT ON (t.a) t.a,\n    t.b\n   FROM t\n  ORDER BY t.a, t.b DESC NULLS LAST;"}
--> {"relname":"nj","pg_get_viewdef":" SELECT t.id\n   FROM t\n     JOIN (u\n     JOIN other.t o ON o.id = u.id) ON u.id = t.id;"}
--> {"relname":"nn","pg_get_viewdef":" SELECT NULLIF(t.a, ''::text) AS n,\n    GREATEST(t.b, 1) AS g,\n    t.a || t.b::text AS ab,\n    (t.b + 1) * 2 AS m,\n    - t.b AS neg,\n    t.b % 2 AS r,\n    t.a ~ 'x'::text AS re,\n    t.a ~~ 'x%'::text AS l,\n    NOT t.b > 1 AS nt,\n    EXTRACT(year FROM t.c) AS y,\n    t.c + '1 day'::interval AS nx,\n    CURRENT_DATE AS d,\n    now() AS n2\n   FROM t;"}
--> {"relname":"o1","pg_get_viewdef":" SELECT t.id\n   FROM t\nUNION\n SELECT u.id\n   FROM u\n  ORDER BY 1\n LIMIT 5;"}
--> {"relname":"o2","pg_get_viewdef":"( SELECT t.id\n   FROM t\n  ORDER BY t.id\n LIMIT 1)\nUNION ALL\n SELECT u.id\n   FROM u;"}
--> {"relname":"o3","pg_get_viewdef":" SELECT t.id\n   FROM t\nUNION ALL (\n         SELECT u.id\n           FROM u\n        INTERSECT\n         SELECT u.t_id AS id\n           FROM u\n);"}
--> {"relname":"ot","pg_get_viewdef":" SELECT o.id,\n    t.a\n   FROM other.t o\n     JOIN t ON t.id = o.id\n  WHERE (o.id IN ( SELECT t_1.id\n           FROM other.t t_1));"}
--> {"relname":"s1","pg_get_viewdef":" SELECT t.id\n   FROM t\n  WHERE (t.id IN ( SELECT u.t_id\n           FROM u));"}
--> {"relname":"s2","pg_get_viewdef":" SELECT t.id\n   FROM t\n  WHERE NOT (EXISTS ( SELECT 1\n           FROM u\n          WHERE u.t_id = t.id));"}
--> {"relname":"s3","pg_get_viewdef":" SELECT t.id,\n    ( SELECT count(*) AS count\n           FROM u\n          WHERE u.t_id = t.id) AS n,\n    ARRAY( SELECT u.x\n           FROM u) AS xs\n   FROM t;"}
--> {"relname":"s4","pg_get_viewdef":" SELECT t.id\n   FROM t\n  WHERE NOT (t.id IN ( SELECT t_1.id\n           FROM t t_1\n          WHERE t_1.b = 2)) AND (t.b > ALL ( SELECT u.id\n           FROM u)) AND (t.b IN ( SELECT u.id\n           FROM u));"}
--> {"relname":"s5","pg_get_viewdef":" SELECT\n        CASE\n            WHEN (EXISTS ( SELECT 1\n               FROM u)) THEN 'a'::text\n            ELSE 'b'::text\n        END AS k,\n    COALESCE(( SELECT max(u.x) AS max\n           FROM u), 0::numeric) AS m\n   FROM t;"}
--> {"relname":"sc","pg_get_viewdef":" SELECT z.a\n   FROM ( SELECT t.a\n           FROM t\n        UNION\n         SELECT t.v\n           FROM t\n  ORDER BY 1) z;"}
--> {"relname":"se","pg_get_viewdef":" SELECT t.id\n   FROM t\n  WHERE (( SELECT count(*) AS count\n           FROM u\n          WHERE u.t_id = t.id AND (EXISTS ( SELECT 1\n                   FROM t x\n                  WHERE x.id = u.id)))) > 1;"}
--> {"relname":"sk","pg_get_viewdef":" SELECT string_agg(t.a, ','::text ORDER BY (lower(t.a)), (t.b + 1)) AS o\n   FROM t;"}
--> {"relname":"sp","pg_get_viewdef":" SELECT t.id,\n    ( SELECT string_agg(u.a, ', '::text ORDER BY u.id NULLS FIRST) AS string_agg\n           FROM u\n          WHERE u.t_id = t.id) AS names\n   FROM t\n  WHERE (t.v::text IN ( SELECT u.a\n           FROM u));"}
--> {"relname":"sq","pg_get_viewdef":" SELECT q.n\n   FROM ( SELECT count(*) AS n\n           FROM ( SELECT t.id\n                   FROM t\n                  WHERE t.b > 0) i) q\n  WHERE q.n > 1;"}
--> {"relname":"st","pg_get_viewdef":" SELECT t.id,\n    t.a,\n    t.b,\n    t.c,\n    t.v\n   FROM t;"}
--> {"relname":"td","pg_get_viewdef":" WITH a AS (\n         SELECT t.id\n           FROM t\n        UNION\n         SELECT u.id\n           FROM u\n        ), b AS (\n         SELECT count(*) AS n\n           FROM a a_1\n        )\n SELECT a.id,\n    b.n\n   FROM a,\n    b\n  WHERE a.id > (( SELECT min(a_1.id) AS min\n           FROM a a_1))\n  ORDER BY a.id DESC\n LIMIT 3;"}
--> {"relname":"un","pg_get_viewdef":" SELECT z.id\n   FROM ( SELECT y.id\n           FROM ( SELECT t.id\n                   FROM t\n                UNION ALL\n                 SELECT u.id\n                   FROM u\n          ORDER BY 1 DESC\n         LIMIT 2) y) z;"}
--> {"relname":"vv","pg_get_viewdef":" VALUES (1,'a'::text), (2,'b'::text);"}
--> {"relname":"w1","pg_get_viewdef":" WITH q AS (\n         SELECT t.id,\n            t.a\n           FROM t\n          WHERE t.b > 1\n        )\n SELECT q.id,\n    q.a\n   FROM q\n     JOIN u ON u.id = q.id;"}
--> {"relname":"w2","pg_get_viewdef":" WITH RECURSIVE r(n) AS (\n         SELECT 1 AS \"?column?\"\n        UNION ALL\n         SELECT r_1.n + 1\n           FROM r r_1\n          WHERE r_1.n < 5\n        )\n SELECT r.n\n   FROM r;"}
--> {"relname":"w3","pg_get_viewdef":" WITH q1 AS MATERIALIZED (\n         SELECT t.id\n           FROM t\n        ), q2 AS (\n         SELECT q1.id\n           FROM q1\n        )\n SELECT q2.id\n   FROM q2;"}
--> {"relname":"wk","pg_get_viewdef":" SELECT sum(t.b) OVER (PARTITION BY (lower(t.a)), (t.b + 1) ORDER BY (lower(t.v::text)) DESC, (t.v::text || 'x'::text)) AS s\n   FROM t;"}
--> {"relname":"wt","pg_get_viewdef":" SELECT t.id\n   FROM t\n  ORDER BY t.b\n FETCH FIRST (2) ROWS WITH TIES;"}
--> {"relname":"xx","pg_get_viewdef":" SELECT t.id\n   FROM t\n     CROSS JOIN u\n  WHERE t.id = u.id AND (u.x = ANY (ARRAY[1::numeric, 2::numeric, 3::numeric])) AND (t.v::text = ANY (ARRAY['a'::character varying, 'b'::character varying]::text[])) AND t.v::text = 'x'::text AND (t.b IN ( SELECT 1));"}

select table_name, view_definition from information_schema.views where table_schema = 'public' and table_name in ('w1', 's3', 'j1', 'f1') order by 1
--> {"table_name":"f1","view_definition":" SELECT t.id,\n    sum(t.b) OVER (PARTITION BY t.a ORDER BY t.c ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s,\n    avg(t.b) OVER (ORDER BY t.c RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW) AS avg\n   FROM t;"}
--> {"table_name":"j1","view_definition":" SELECT t.id,\n    t.a,\n    u.x\n   FROM (t\n     JOIN u USING (id));"}
--> {"table_name":"s3","view_definition":" SELECT t.id,\n    ( SELECT count(*) AS count\n           FROM u\n          WHERE (u.t_id = t.id)) AS n,\n    ARRAY( SELECT u.x\n           FROM u) AS xs\n   FROM t;"}
--> {"table_name":"w1","view_definition":" WITH q AS (\n         SELECT t.id,\n            t.a\n           FROM t\n          WHERE (t.b > 1)\n        )\n SELECT q.id,\n    q.a\n   FROM (q\n     JOIN u ON ((u.id = q.id)));"}

create table members (team int, who uuid); create table docs (id int, team int, owner uuid, title text); alter table docs enable row level security; create function me() returns uuid language sql stable as 'select null::uuid'
--> no rows

create policy p1 on docs for select using ((select me()) = owner);
create policy p2 on docs for insert with check (exists (select 1 from members where members.team = docs.team and members.who = me()));
create policy p3 on docs using (team in (select team from members m where m.who = (select me())) or title = 'public') with check (owner = me());
create policy p4 on docs as restrictive for delete using (id not in (select d.id from docs d where d.title is null) and id in (select id from docs where title = 'x'));
create policy p5 on docs for update using (true)
--> no rows

select policyname, permissive, cmd, qual, with_check from pg_policies where tablename = 'docs' order by 1
--> {"policyname":"p1","permissive":"PERMISSIVE","cmd":"SELECT","qual":"(( SELECT me() AS me) = owner)","with_check":null}
--> {"policyname":"p2","permissive":"PERMISSIVE","cmd":"INSERT","qual":null,"with_check":"(EXISTS ( SELECT 1\n   FROM members\n  WHERE ((members.team = docs.team) AND (members.who = me()))))"}
--> {"policyname":"p3","permissive":"PERMISSIVE","cmd":"ALL","qual":"((team IN ( SELECT m.team\n   FROM members m\n  WHERE (m.who = ( SELECT me() AS me)))) OR (title = 'public'::text))","with_check":"(owner = me())"}
--> {"policyname":"p4","permissive":"RESTRICTIVE","cmd":"DELETE","qual":"((NOT (id IN ( SELECT d.id\n   FROM docs d\n  WHERE (d.title IS NULL)))) AND (id IN ( SELECT docs_1.id\n   FROM docs docs_1\n  WHERE (docs_1.title = 'x'::text))))","with_check":null}
--> {"policyname":"p5","permissive":"PERMISSIVE","cmd":"UPDATE","qual":"true","with_check":null}

select polname, pg_get_expr(polqual, polrelid) from pg_policy where polrelid = 'docs'::regclass order by 1
--> {"polname":"p1","pg_get_expr":"(( SELECT me() AS me) = owner)"}
--> {"polname":"p2","pg_get_expr":null}
--> {"polname":"p3","pg_get_expr":"((team IN ( SELECT m.team\n   FROM members m\n  WHERE (m.who = ( SELECT me() AS me)))) OR (title = 'public'::text))"}
--> {"polname":"p4","pg_get_expr":"((NOT (id IN ( SELECT d.id\n   FROM docs d\n  WHERE (d.title IS NULL)))) AND (id IN ( SELECT docs_1.id\n   FROM docs docs_1\n  WHERE (docs_1.title = 'x'::text))))"}
--> {"polname":"p5","pg_get_expr":"true"}
