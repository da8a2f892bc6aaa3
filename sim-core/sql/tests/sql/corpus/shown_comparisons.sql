-- Comparisons of arrays and rows, collations and whole rows, as checks, indexes and views show them.

create table t(id int primary key, a text, b text, n int, ts timestamptz, d date);
--> no rows

create index i1 on t(greatest(n,id)); create index i2 on t(least(n,id,3)); create index i3 on t(nullif(a,'')); create index i4 on t(position('x' in a)); create index i5 on t(substring(a from 1 for 2)); create index i6 on t(trim(a)); create index i7 on t((upper(a) collate "C")); create index i8 on t((left(a,2))); create index i9 on t((n::text)); create index i10 on t((ts at time zone 'utc')); create index i11 on t(coalesce(a, b, 'x')); create index i12 on t(a collate "C" desc, lower(b) collate "C" text_pattern_ops); create index i13 on t((case when n > 1 then a else b end)); create index i14 on t((a || ' ' || b)); create index i15 on t(extract(year from d)); create index i16 on t((array[a,b])); create index i17 on t(n) where a = any (array['x','y']); create index i18 on t(n) where a in ('x','y') and not (b is null); create index i19 on t(trim(both 'x' from a)); create index i20 on t(overlay(a placing 'x' from 1)); create index i21 on t((id in (1,2)));create index i22 on t((a is not distinct from b)); create index i23 on t(((id, n) = (1,2))); create index i24 on t(date_trunc('day', d::timestamp)); create index i25 on t((d::timestamp::date));
--> no rows

select indexdef from pg_indexes where tablename='t' order by length(indexname), indexname;
--> {"indexdef":"CREATE INDEX i1 ON public.t USING btree (GREATEST(n, id))"}
--> {"indexdef":"CREATE INDEX i2 ON public.t USING btree (LEAST(n, id, 3))"}
--> {"indexdef":"CREATE INDEX i3 ON public.t USING btree (NULLIF(a, ''::text))"}
--> {"indexdef":"CREATE INDEX i4 ON public.t USING btree (POSITION(('x'::text) IN (a)))"}
--> {"indexdef":"CREATE INDEX i5 ON public.t USING btree (SUBSTRING(a FROM 1 FOR 2))"}
--> {"indexdef":"CREATE INDEX i6 ON public.t USING btree (TRIM(BOTH FROM a))"}
--> {"indexdef":"CREATE INDEX i7 ON public.t USING btree (upper(a) COLLATE \"C\")"}
--> {"indexdef":"CREATE INDEX i8 ON public.t USING btree (\"left\"(a, 2))"}
--> {"indexdef":"CREATE INDEX i9 ON public.t USING btree (((n)::text))"}
--> {"indexdef":"CREATE INDEX i10 ON public.t USING btree ((ts AT TIME ZONE 'utc'::text))"}
--> {"indexdef":"CREATE INDEX i11 ON public.t USING btree (COALESCE(a, b, 'x'::text))"}
--> {"indexdef":"CREATE INDEX i12 ON public.t USING btree (a COLLATE \"C\" DESC, lower(b) COLLATE \"C\" text_pattern_ops)"}
--> {"indexdef":"CREATE INDEX i13 ON public.t USING btree ((\nCASE\n    WHEN (n > 1) THEN a\n    ELSE b\nEND))"}
--> {"indexdef":"CREATE INDEX i14 ON public.t USING btree ((((a || ' '::text) || b)))"}
--> {"indexdef":"CREATE INDEX i15 ON public.t USING btree (EXTRACT(year FROM d))"}
--> {"indexdef":"CREATE INDEX i16 ON public.t USING btree ((ARRAY[a, b]))"}
--> {"indexdef":"CREATE INDEX i17 ON public.t USING btree (n) WHERE (a = ANY (ARRAY['x'::text, 'y'::text]))"}
--> {"indexdef":"CREATE INDEX i18 ON public.t USING btree (n) WHERE ((a = ANY (ARRAY['x'::text, 'y'::text])) AND (NOT (b IS NULL)))"}
--> {"indexdef":"CREATE INDEX i19 ON public.t USING btree (TRIM(BOTH 'x'::text FROM a))"}
--> {"indexdef":"CREATE INDEX i20 ON public.t USING btree (OVERLAY(a PLACING 'x'::text FROM 1))"}
--> {"indexdef":"CREATE INDEX i21 ON public.t USING btree (((id = ANY (ARRAY[1, 2]))))"}
--> {"indexdef":"CREATE INDEX i22 ON public.t USING btree (((NOT (a IS DISTINCT FROM b))))"}
--> {"indexdef":"CREATE INDEX i23 ON public.t USING btree ((((id = 1) AND (n = 2))))"}
--> {"indexdef":"CREATE INDEX i24 ON public.t USING btree (date_trunc('day'::text, (d)::timestamp without time zone))"}
--> {"indexdef":"CREATE INDEX i25 ON public.t USING btree ((((d)::timestamp without time zone)::date))"}
--> {"indexdef":"CREATE UNIQUE INDEX t_pkey ON public.t USING btree (id)"}

create table r("Role" varchar(10), c int, d text, constraint rc check ((("Role")::text = any ((array['a'::varchar, 'b'::character varying])::text[]))), constraint rd check (c = any (array[1,2])), constraint ri check (c <> all (array[7,8])), constraint rv check ("Role" in ('x','y')), constraint rx check (d = any (array['q','w'])), constraint ry check ("Role" = any(array['q','w'])), constraint rz check (d like any (array['a%','b%'])), constraint rw check ((c, d) = (1, 'x')), constraint rr check (d collate "C" > 'a'), constraint ru check ("Role"::text = any (array['a'::varchar::text])));
--> no rows

select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid='r'::regclass order by 1;
--> {"conname":"rc","pg_get_constraintdef":"CHECK (((\"Role\")::text = ANY (ARRAY[('a'::character varying)::text, ('b'::character varying)::text])))"}
--> {"conname":"rd","pg_get_constraintdef":"CHECK ((c = ANY (ARRAY[1, 2])))"}
--> {"conname":"ri","pg_get_constraintdef":"CHECK ((c <> ALL (ARRAY[7, 8])))"}
--> {"conname":"rr","pg_get_constraintdef":"CHECK (((d COLLATE \"C\") > 'a'::text))"}
--> {"conname":"ru","pg_get_constraintdef":"CHECK (((\"Role\")::text = ANY (ARRAY[('a'::character varying)::text])))"}
--> {"conname":"rv","pg_get_constraintdef":"CHECK (((\"Role\")::text = ANY ((ARRAY['x'::character varying, 'y'::character varying])::text[])))"}
--> {"conname":"rw","pg_get_constraintdef":"CHECK (((c = 1) AND (d = 'x'::text)))"}
--> {"conname":"rx","pg_get_constraintdef":"CHECK ((d = ANY (ARRAY['q'::text, 'w'::text])))"}
--> {"conname":"ry","pg_get_constraintdef":"CHECK (((\"Role\")::text = ANY (ARRAY['q'::text, 'w'::text])))"}
--> {"conname":"rz","pg_get_constraintdef":"CHECK ((d ~~ ANY (ARRAY['a%'::text, 'b%'::text])))"}

create view v1 as select a collate "C" as x from t;
--> no rows

create view v2 as select a from t where (a, id) in (select a, id from t);
--> no rows

create view v3 as select row_to_json(t) j, to_jsonb(t.*) k, t as w from t;
--> no rows

create view v4 as select (t).a, (t).id from t;
--> no rows

create view v5 as select row_to_json(x) from (select id, a from t) x;
--> no rows

create view v6 as select a from t where (id, n) = (1, 2) or (id, n) < (3, 4) or row(id, n) is distinct from row(1,1);
--> no rows

create view v11 as select id from t where exists (select from t) and id > all (select 0);
--> no rows

create view v13 as select count(t) c, array_agg(t) d, json_agg(t) e, jsonb_agg(t order by t.id) f from t;
--> no rows

create view v14 as select json_agg(x) from (select a, b from t order by a) x;
--> no rows

create view v15 as select id from t order by a collate "C" desc;
--> no rows

create view v16 as select (d, d) overlaps (d, d) o from t;
--> no rows

create view v17 as select jsonb_build_object('a', t.a, 'r', t.*) from t left join t t2 on t2.* is not null;
--> no rows

create view v18 as select row_number() over (partition by a order by case when b is not null and n is not null then 0 else 1 end, b) rn from t;
--> no rows

create view v19 as select distinct on (a) a, b from t order by a, b nulls first;
--> no rows

create view v20 as select a from t group by rollup(a), cube(a), grouping sets ((a), ());
--> no rows

create view v21 as select string_agg(distinct a, ',' order by a) filter (where n > 1) from t;
--> no rows

create view v22 as with recursive w(n) as (select 1 union all select n+1 from w where n < 3) select * from w;
--> no rows

create view v23 as select t.*, l.x from t cross join lateral (select t.id + 1 as x) l;
--> no rows

create view v24 as select * from generate_series(1,3) with ordinality as g(a, b);
--> no rows

create view v27 as select array(select a from t) q, array[1,2][1] e, (array[1,2])[1:2] f from t;
--> ERROR 42601: syntax error at or near "["
--> AT 63

create view v28 as values (1,'a'),(2,'b');
--> no rows

create view v29 as select a from t union select b from t except select 'x' order by 1 limit 3 offset 1;
--> no rows

create view v30 as select a is true as x, a is not unknown y from (select n > 1 a from t) q;
--> no rows

select viewname, definition from pg_views where schemaname='public' order by length(viewname), viewname;
--> {"viewname":"v1","definition":" SELECT (t.a COLLATE \"C\") AS x\n   FROM t;"}
--> {"viewname":"v2","definition":" SELECT t.a\n   FROM t\n  WHERE ((t.a, t.id) IN ( SELECT t_1.a,\n            t_1.id\n           FROM t t_1));"}
--> {"viewname":"v3","definition":" SELECT row_to_json(t.*) AS j,\n    to_jsonb(t.*) AS k,\n    t.*::t AS w\n   FROM t;"}
--> {"viewname":"v4","definition":" SELECT t.a,\n    t.id\n   FROM t;"}
--> {"viewname":"v5","definition":" SELECT row_to_json(x.*) AS row_to_json\n   FROM ( SELECT t.id,\n            t.a\n           FROM t) x;"}
--> {"viewname":"v6","definition":" SELECT t.a\n   FROM t\n  WHERE (((t.id = 1) AND (t.n = 2)) OR (ROW(t.id, t.n) < ROW(3, 4)) OR ((t.id IS DISTINCT FROM 1) OR (t.n IS DISTINCT FROM 1)));"}
--> {"viewname":"v11","definition":" SELECT t.id\n   FROM t\n  WHERE ((EXISTS ( SELECT\n           FROM t t_1)) AND (t.id > ALL ( SELECT 0)));"}
--> {"viewname":"v13","definition":" SELECT count(t.*) AS c,\n    array_agg(t.*) AS d,\n    json_agg(t.*) AS e,\n    jsonb_agg(t.* ORDER BY t.id) AS f\n   FROM t;"}
--> {"viewname":"v14","definition":" SELECT json_agg(x.*) AS json_agg\n   FROM ( SELECT t.a,\n            t.b\n           FROM t\n          ORDER BY t.a) x;"}
--> {"viewname":"v15","definition":" SELECT t.id\n   FROM t\n  ORDER BY (t.a COLLATE \"C\") DESC;"}
--> {"viewname":"v16","definition":" SELECT ((t.d, t.d) OVERLAPS (t.d, t.d)) AS o\n   FROM t;"}
--> {"viewname":"v17","definition":" SELECT jsonb_build_object('a', t.a, 'r', t.*) AS jsonb_build_object\n   FROM (t\n     LEFT JOIN t t2 ON ((t2.* IS NOT NULL)));"}
--> {"viewname":"v18","definition":" SELECT row_number() OVER (PARTITION BY t.a ORDER BY\n        CASE\n            WHEN ((t.b IS NOT NULL) AND (t.n IS NOT NULL)) THEN 0\n            ELSE 1\n        END, t.b) AS rn\n   FROM t;"}
--> {"viewname":"v19","definition":" SELECT DISTINCT ON (t.a) t.a,\n    t.b\n   FROM t\n  ORDER BY t.a, t.b NULLS FIRST;"}
--> {"viewname":"v20","definition":" SELECT t.a\n   FROM t\n  GROUP BY ROLLUP(t.a), CUBE(t.a), GROUPING SETS ((t.a), ());"}
--> {"viewname":"v21","definition":" SELECT string_agg(DISTINCT t.a, ','::text ORDER BY t.a) FILTER (WHERE (t.n > 1)) AS string_agg\n   FROM t;"}
--> {"viewname":"v22","definition":" WITH RECURSIVE w(n) AS (\n         SELECT 1 AS \"?column?\"\n        UNION ALL\n         SELECT (w_1.n + 1)\n           FROM w w_1\n          WHERE (w_1.n < 3)\n        )\n SELECT w.n\n   FROM w;"}
--> {"viewname":"v23","definition":" SELECT t.id,\n    t.a,\n    t.b,\n    t.n,\n    t.ts,\n    t.d,\n    l.x\n   FROM (t\n     CROSS JOIN LATERAL ( SELECT (t.id + 1) AS x) l);"}
--> {"viewname":"v24","definition":" SELECT g.a,\n    g.b\n   FROM generate_series(1, 3) WITH ORDINALITY g(a, b);"}
--> {"viewname":"v28","definition":" VALUES (1,'a'::text), (2,'b'::text);"}
--> {"viewname":"v29","definition":"(\n         SELECT t.a\n           FROM t\n        UNION\n         SELECT t.b AS a\n           FROM t\n) EXCEPT\n SELECT 'x'::text AS a\n  ORDER BY 1\n OFFSET 1\n LIMIT 3;"}
--> {"viewname":"v30","definition":" SELECT (q.a IS TRUE) AS x,\n    (q.a IS NOT UNKNOWN) AS y\n   FROM ( SELECT (t.n > 1) AS a\n           FROM t) q;"}

select pg_get_viewdef('v18', true), pg_get_viewdef('v6', true), pg_get_viewdef('v3', true);
--> {"pg_get_viewdef":" SELECT row_to_json(t.*) AS j,\n    to_jsonb(t.*) AS k,\n    t.*::t AS w\n   FROM t;"}

create view w1 as select @ n as m, ~ n as s, |/ 4.0::float8 as f, $$q$$ as dq, 1.5e3 as e from t;
--> no rows

create view w2 as select row(id, a) = row(n, b) as same, row_to_json(row(id, a)) as j from t;
--> no rows

create view w3 as select a like any (array['x%', 'y%']) as q, id <> all (array[1, 2]) as r from t;
--> no rows

create type pair as (x int, y text);
--> no rows

create table of_pairs (p pair);
--> no rows

create view w4 as select (p).x, (p).y as z, p from of_pairs;
--> no rows

select viewname, definition from pg_views where viewname in ('w1', 'w2', 'w3', 'w4') order by 1;
--> {"viewname":"w1","definition":" SELECT (@ t.n) AS m,\n    (~ t.n) AS s,\n    (|/ (4.0)::double precision) AS f,\n    'q'::text AS dq,\n    '1500'::numeric AS e\n   FROM t;"}
--> {"viewname":"w2","definition":" SELECT ((t.id = t.n) AND (t.a = t.b)) AS same,\n    row_to_json(ROW(t.id, t.a)) AS j\n   FROM t;"}
--> {"viewname":"w3","definition":" SELECT (t.a ~~ ANY (ARRAY['x%'::text, 'y%'::text])) AS q,\n    (t.id <> ALL (ARRAY[1, 2])) AS r\n   FROM t;"}
--> {"viewname":"w4","definition":" SELECT (of_pairs.p).x AS x,\n    (of_pairs.p).y AS z,\n    of_pairs.p\n   FROM of_pairs;"}

create table vc (v varchar(5), i bigint, e text, constraint a1 check (v = any (array['a', 'b']::varchar[])), constraint a2 check (v in ('a', 'b')), constraint a3 check (i = any (array[1, 2])), constraint a4 check (e = any ('{a,b}')), constraint a5 check ((e collate "C") < 'b'), constraint a6 check (trim(e) <> ''), constraint a7 check (position('@' in e) > 1), constraint a8 check ((i, e) <> (1, 'x')));
--> no rows

select conname, pg_get_constraintdef(oid) as def from pg_constraint where conrelid = 'vc'::regclass order by 1;
--> {"conname":"a1","def":"CHECK (((v)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[])))"}
--> {"conname":"a2","def":"CHECK (((v)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[])))"}
--> {"conname":"a3","def":"CHECK ((i = ANY (ARRAY[1, 2])))"}
--> {"conname":"a4","def":"CHECK ((e = ANY ('{a,b}'::text[])))"}
--> {"conname":"a5","def":"CHECK (((e COLLATE \"C\") < 'b'::text))"}
--> {"conname":"a6","def":"CHECK ((TRIM(BOTH FROM e) <> ''::text))"}
--> {"conname":"a7","def":"CHECK ((POSITION(('@'::text) IN (e)) > 1))"}
--> {"conname":"a8","def":"CHECK (((i <> 1) OR (e <> 'x'::text)))"}

insert into vc values ('a', 1, 'a@b');
--> ERROR 23514: new row for relation "vc" violates check constraint "a4"
--> DETAIL: Failing row contains (a, 1, a@b).

insert into vc values ('c', 1, 'a@b');
--> ERROR 23514: new row for relation "vc" violates check constraint "a1"
--> DETAIL: Failing row contains (c, 1, a@b).

insert into vc values ('a', 3, 'a@b');
--> ERROR 23514: new row for relation "vc" violates check constraint "a3"
--> DETAIL: Failing row contains (a, 3, a@b).

insert into vc values ('a', 1, 'a');
--> ERROR 23514: new row for relation "vc" violates check constraint "a7"
--> DETAIL: Failing row contains (a, 1, a).

insert into vc values ('a', 1, 'b');
--> ERROR 23514: new row for relation "vc" violates check constraint "a5"
--> DETAIL: Failing row contains (a, 1, b).
