-- How calls are shown in the definitions of views, checks, defaults and indexes.

create table item (id int primary key, title text not null default 'x', price numeric(10, 2), tags text[], at timestamptz, day date, doc jsonb, n bigint, ok boolean);
--> no rows

create sequence numbers;
--> no rows

create schema app;
--> no rows

create function f(a int, b int default 2, c text default 'z') returns int language sql immutable as $$ select a + b $$;
--> no rows

create function app.g(t text) returns text language sql immutable as $$ select upper(t) $$;
--> no rows

create function va(variadic n int[]) returns int language sql immutable as $$ select n[1] $$;
--> no rows

create view v1 as select f(1), f(1, 5), f(a => 1, c => 'q'), f(id) as i from item; select pg_get_viewdef('v1');
--> ERROR 42701: column "f" specified more than once

create view v2 as select app.g(title) as g, va(1, 2) as a, va(variadic array[1, 2]) as b from item; select pg_get_viewdef('v2');
--> {"pg_get_viewdef":" SELECT app.g(item.title) AS g,\n    va(VARIADIC ARRAY[1, 2]) AS a,\n    va(VARIADIC ARRAY[1, 2]) AS b\n   FROM item;"}

create view v3 as select count(*), count(distinct title), sum(price) filter (where ok), string_agg(title, ', ' order by id desc nulls last), array_agg(distinct n order by n) from item; select pg_get_viewdef('v3');
--> ERROR 42701: column "count" specified more than once

create view v4 as select percentile_cont(0.5) within group (order by price), mode() within group (order by title desc) as m from item; select pg_get_viewdef('v4');
--> {"pg_get_viewdef":" SELECT percentile_cont((0.5)::double precision) WITHIN GROUP (ORDER BY ((item.price)::double precision)) AS percentile_cont,\n    mode() WITHIN GROUP (ORDER BY item.title DESC) AS m\n   FROM item;"}

create view v5 as select row_number() over (partition by ok order by id), lag(price, 1, 0::numeric) over w, sum(n) over (order by id rows between 1 preceding and current row) as s from item window w as (order by at desc); select pg_get_viewdef('v5');
--> {"pg_get_viewdef":" SELECT row_number() OVER (PARTITION BY item.ok ORDER BY item.id) AS row_number,\n    lag(item.price, 1, (0)::numeric) OVER w AS lag,\n    sum(item.n) OVER (ORDER BY item.id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS s\n   FROM item\n  WINDOW w AS (ORDER BY item.at DESC);"}

create view v6 as select extract(year from at) as y, extract(epoch from now() - at) as e, date_part('month', day) as m, date_trunc('day', at) as d from item; select pg_get_viewdef('v6');
--> {"pg_get_viewdef":" SELECT EXTRACT(year FROM item.at) AS y,\n    EXTRACT(epoch FROM (now() - item.at)) AS e,\n    date_part('month'::text, item.day) AS m,\n    date_trunc('day'::text, item.at) AS d\n   FROM item;"}

create view v7 as select at at time zone 'utc' as u, at at time zone 'Europe/Berlin' as b, now() at time zone 'utc' as n from item; select pg_get_viewdef('v7');
--> {"pg_get_viewdef":" SELECT (item.at AT TIME ZONE 'utc'::text) AS u,\n    (item.at AT TIME ZONE 'Europe/Berlin'::text) AS b,\n    (now() AT TIME ZONE 'utc'::text) AS n\n   FROM item;"}

create view v8 as select substring(title from 2 for 3) as a, substring(title from 2) as b, substring(title from '^a.*') as c, substring(title, 1, 2) as d, overlay(title placing 'x' from 2 for 1) as o, position('a' in title) as p from item; select pg_get_viewdef('v8');
--> {"pg_get_viewdef":" SELECT SUBSTRING(item.title FROM 2 FOR 3) AS a,\n    SUBSTRING(item.title FROM 2) AS b,\n    \"substring\"(item.title, '^a.*'::text) AS c,\n    \"substring\"(item.title, 1, 2) AS d,\n    OVERLAY(item.title PLACING 'x'::text FROM 2 FOR 1) AS o,\n    POSITION(('a'::text) IN (item.title)) AS p\n   FROM item;"}

create view v9 as select trim(title) as a, trim(both 'x' from title) as b, trim(leading 'q' from title) as c, trim(trailing 'y' from title) as d, btrim(title) as e, ltrim(title, 'q') as l from item; select pg_get_viewdef('v9');
--> {"pg_get_viewdef":" SELECT TRIM(BOTH FROM item.title) AS a,\n    TRIM(BOTH 'x'::text FROM item.title) AS b,\n    TRIM(LEADING 'q'::text FROM item.title) AS c,\n    TRIM(TRAILING 'y'::text FROM item.title) AS d,\n    btrim(item.title) AS e,\n    ltrim(item.title, 'q'::text) AS l\n   FROM item;"}

create view v10 as select title::varchar(10) as a, price::int as b, cast(n as numeric(5, 1)) as c, id::text || title as d, '5'::int + id as e, day::timestamp as f from item; select pg_get_viewdef('v10');
--> {"pg_get_viewdef":" SELECT (item.title)::character varying(10) AS a,\n    (item.price)::integer AS b,\n    (item.n)::numeric(5,1) AS c,\n    ((item.id)::text || item.title) AS d,\n    (5 + item.id) AS e,\n    (item.day)::timestamp without time zone AS f\n   FROM item;"}

create view v11 as select coalesce(price, 0) as a, nullif(title, '') as b, greatest(id, 5) as c, least(price, 1.5) as d, case when ok then 'y' else 'n' end as e, case id when 1 then 'one' end as f from item; select pg_get_viewdef('v11');
--> {"pg_get_viewdef":" SELECT COALESCE(item.price, (0)::numeric) AS a,\n    NULLIF(item.title, ''::text) AS b,\n    GREATEST(item.id, 5) AS c,\n    LEAST(item.price, 1.5) AS d,\n        CASE\n            WHEN item.ok THEN 'y'::text\n            ELSE 'n'::text\n        END AS e,\n        CASE item.id\n            WHEN 1 THEN 'one'::text\n            ELSE NULL::text\n        END AS f\n   FROM item;"}

create view v12 as select doc -> 'a' as a, doc ->> 'b' as b, doc #>> '{a,b}' as c, doc @> '{"k": 1}' as d, doc ? 'x' as e, jsonb_build_object('id', id, 'title', title) as f, to_jsonb(item) as g from item; select pg_get_viewdef('v12');
--> {"pg_get_viewdef":" SELECT (item.doc -> 'a'::text) AS a,\n    (item.doc ->> 'b'::text) AS b,\n    (item.doc #>> '{a,b}'::text[]) AS c,\n    (item.doc @> '{\"k\": 1}'::jsonb) AS d,\n    (item.doc ? 'x'::text) AS e,\n    jsonb_build_object('id', item.id, 'title', item.title) AS f,\n    to_jsonb(item.*) AS g\n   FROM item;"}

create view v13 as select current_user as d, session_user as e, now() as f from item; select pg_get_viewdef('v13');
--> {"pg_get_viewdef":" SELECT CURRENT_USER AS d,\n    SESSION_USER AS e,\n    now() AS f\n   FROM item;"}

create view v14 as select title ~~ 'a%' as b, title like 'a%' as c, title ilike 'b%' as d, title not like 'c' as e, title ~ '^x' as f from item; select pg_get_viewdef('v14');
--> {"pg_get_viewdef":" SELECT (item.title ~~ 'a%'::text) AS b,\n    (item.title ~~ 'a%'::text) AS c,\n    (item.title ~~* 'b%'::text) AS d,\n    (item.title !~~ 'c'::text) AS e,\n    (item.title ~ '^x'::text) AS f\n   FROM item;"}

create view v14b as select title similar to 'y' as g from item; select pg_get_viewdef('v14b');
--> {"pg_get_viewdef":" SELECT (item.title ~ similar_to_escape('y'::text)) AS g\n   FROM item;"}

create view v14c as select id operator(pg_catalog.+) 1 as a from item; select pg_get_viewdef('v14c');
--> {"pg_get_viewdef":" SELECT (item.id + 1) AS a\n   FROM item;"}

create view v15 as select id in (1, 2) as a, id not in (3) as b, title = any (tags) as c, id = any (array[1, 2]) as d, id between 1 and 5 as e, id is distinct from 3 as f, ok is not true as g, price is null as h from item; select pg_get_viewdef('v15');
--> {"pg_get_viewdef":" SELECT (item.id = ANY (ARRAY[1, 2])) AS a,\n    (item.id <> 3) AS b,\n    (item.title = ANY (item.tags)) AS c,\n    (item.id = ANY (ARRAY[1, 2])) AS d,\n    ((item.id >= 1) AND (item.id <= 5)) AS e,\n    (item.id IS DISTINCT FROM 3) AS f,\n    (item.ok IS NOT TRUE) AS g,\n    (item.price IS NULL) AS h\n   FROM item;"}

create view v16 as select array[1, 2] as a, tags[1] as b, tags[1:2] as c, array[id, n] as d, row(id, title) as e, array(select n from item i2 where i2.id = item.id) as f from item; select pg_get_viewdef('v16');
--> ERROR 42P16: column "e" has pseudo-type record

create view v17 as select exists (select 1 from item b where b.id = a.id) as x, (select max(n) from item) as m, a.id > all (select 5) as g from item a; select pg_get_viewdef('v17');
--> {"pg_get_viewdef":" SELECT (EXISTS ( SELECT 1\n           FROM item b\n          WHERE (b.id = a.id))) AS x,\n    ( SELECT max(item.n) AS max\n           FROM item) AS m,\n    (a.id > ALL ( SELECT 5)) AS g\n   FROM item a;"}

create view v18 as select interval '1 day' as a, '2024-01-01'::date as b, timestamp '2024-01-01' as c, 1.5 as d, 'x' as e, null as f, true as g, -5 as h, 1e10 as i, b'101' as j, E'a\nb' as k; select pg_get_viewdef('v18');
--> {"pg_get_viewdef":" SELECT '1 day'::interval AS a,\n    '2024-01-01'::date AS b,\n    '2024-01-01 00:00:00'::timestamp without time zone AS c,\n    1.5 AS d,\n    'x'::text AS e,\n    NULL::text AS f,\n    true AS g,\n    '-5'::integer AS h,\n    '10000000000'::numeric AS i,\n    '101'::\"bit\" AS j,\n    'a\nb'::text AS k;"}

create view v19 as select g, x.k, x.v from generate_series(1, 3) g, lateral (select g * 2 as k, 'v' as v) x; select pg_get_viewdef('v19');
--> {"pg_get_viewdef":" SELECT g.g,\n    x.k,\n    x.v\n   FROM generate_series(1, 3) g(g),\n    LATERAL ( SELECT (g.g * 2) AS k,\n            'v'::text AS v) x;"}

create view v20 as select e.key, e.value, t.tag, t.ord from item, jsonb_each(doc) e, unnest(tags) with ordinality as t(tag, ord); select pg_get_viewdef('v20');
--> {"pg_get_viewdef":" SELECT e.key,\n    e.value,\n    t.tag,\n    t.ord\n   FROM item,\n    LATERAL jsonb_each(item.doc) e(key, value),\n    LATERAL unnest(item.tags) WITH ORDINALITY t(tag, ord);"}

create view v22 as select id from item where title = 'a' and (ok or price > 5) and not (n < 3) order by id desc limit 3 offset 1; select pg_get_viewdef('v22');
--> {"pg_get_viewdef":" SELECT item.id\n   FROM item\n  WHERE ((item.title = 'a'::text) AND (item.ok OR (item.price > (5)::numeric)) AND (NOT (item.n < 3)))\n  ORDER BY item.id DESC\n OFFSET 1\n LIMIT 3;"}

create view v23 as select title, count(*) as c from item group by title having count(*) > 1 order by 2 desc, 1; select pg_get_viewdef('v23');
--> {"pg_get_viewdef":" SELECT item.title,\n    count(*) AS c\n   FROM item\n  GROUP BY item.title\n HAVING (count(*) > 1)\n  ORDER BY (count(*)) DESC, item.title;"}

create view v24 as with a as (select id from item where ok), b(x) as materialized (select n from item) select a.id, b.x from a join b on b.x = a.id left join item using (id); select pg_get_viewdef('v24');
--> {"pg_get_viewdef":" WITH a AS (\n         SELECT item_1.id\n           FROM item item_1\n          WHERE item_1.ok\n        ), b(x) AS MATERIALIZED (\n         SELECT item_1.n\n           FROM item item_1\n        )\n SELECT a.id,\n    b.x\n   FROM ((a\n     JOIN b ON ((b.x = a.id)))\n     LEFT JOIN item USING (id));"}

create view v25 as select distinct on (title) title, id from item order by title, id; select pg_get_viewdef('v25');
--> {"pg_get_viewdef":" SELECT DISTINCT ON (item.title) item.title,\n    item.id\n   FROM item\n  ORDER BY item.title, item.id;"}

create view v26 as select id from item union all select n from item except select 5 order by 1; select pg_get_viewdef('v26');
--> {"pg_get_viewdef":"(\n         SELECT item.id\n           FROM item\n        UNION ALL\n         SELECT item.n AS id\n           FROM item\n) EXCEPT\n SELECT 5 AS id\n  ORDER BY 1;"}

create view v27 as select (now() - interval '1 hour') > at as old, age(at) as a, make_date(2024, 1, 2) as m, to_char(at, 'YYYY') as t from item; select pg_get_viewdef('v27');
--> {"pg_get_viewdef":" SELECT ((now() - '01:00:00'::interval) > item.at) AS old,\n    age(item.at) AS a,\n    make_date(2024, 1, 2) AS m,\n    to_char(item.at, 'YYYY'::text) AS t\n   FROM item;"}

create view v28 as select lower(title) collate "C" as l, title || ' ' || coalesce(tags[1], '') as t, length(title) * 2 as n from item; select pg_get_viewdef('v28');
--> {"pg_get_viewdef":" SELECT (lower(item.title) COLLATE \"C\") AS l,\n    ((item.title || ' '::text) || COALESCE(item.tags[1], ''::text)) AS t,\n    (length(item.title) * 2) AS n\n   FROM item;"}

create view v29 as select nextval('numbers') as a, nextval('numbers'::regclass) as b, 'item'::regclass as c, 'text'::regtype as d, currval('app.numbers2'::text) as e;
--> no rows

create view v29 as select nextval('numbers') as a, nextval('numbers'::regclass) as b, 'item'::regclass as c, 'text'::regtype as d; select pg_get_viewdef('v29');
--> ERROR 42P07: relation "v29" already exists

create view v30 as select round(price, 1) as a, round(price) as b, abs(-n) as c, n % 3 as d, n ^ 2 as e, |/ 4 as f, mod(id, 2) as g, power(id, 2) as h from item; select pg_get_viewdef('v30');
--> {"pg_get_viewdef":" SELECT round(item.price, 1) AS a,\n    round(item.price) AS b,\n    abs((- item.n)) AS c,\n    (item.n % (3)::bigint) AS d,\n    ((item.n)::double precision ^ (2)::double precision) AS e,\n    (|/ (4)::double precision) AS f,\n    mod(item.id, 2) AS g,\n    power((item.id)::double precision, (2)::double precision) AS h\n   FROM item;"}

create view v31 as select regexp_replace(title, 'a', 'b', 'g') as a, split_part(title, ',', 1) as b, replace(title, 'x', '') as c, concat(title, id) as d, format('%s', id) as e, md5(title) as f, left(title, 2) as l from item; select pg_get_viewdef('v31');
--> {"pg_get_viewdef":" SELECT regexp_replace(item.title, 'a'::text, 'b'::text, 'g'::text) AS a,\n    split_part(item.title, ','::text, 1) AS b,\n    replace(item.title, 'x'::text, ''::text) AS c,\n    concat(item.title, item.id) AS d,\n    format('%s'::text, item.id) AS e,\n    md5(item.title) AS f,\n    \"left\"(item.title, 2) AS l\n   FROM item;"}

create view v32 as select jsonb_agg(doc order by id) filter (where ok) as a, json_object_agg(title, id) as b, bool_and(ok) as c, max(at) as d, avg(price)::numeric(10, 2) as e from item; select pg_get_viewdef('v32');
--> {"pg_get_viewdef":" SELECT jsonb_agg(item.doc ORDER BY item.id) FILTER (WHERE item.ok) AS a,\n    json_object_agg(item.title, item.id) AS b,\n    bool_and(item.ok) AS c,\n    max(item.at) AS d,\n    (avg(item.price))::numeric(10,2) AS e\n   FROM item;"}

create view v33 as select grouping(title) as g, title, ok, count(*) from item group by rollup (title, ok); select pg_get_viewdef('v33');
--> {"pg_get_viewdef":" SELECT GROUPING(item.title) AS g,\n    item.title,\n    item.ok,\n    count(*) AS count\n   FROM item\n  GROUP BY ROLLUP(item.title, item.ok);"}

create view v34 as select i.*, j.title as other from item i left join item j on j.id = i.id and j.ok; select pg_get_viewdef('v34');
--> {"pg_get_viewdef":" SELECT i.id,\n    i.title,\n    i.price,\n    i.tags,\n    i.at,\n    i.day,\n    i.doc,\n    i.n,\n    i.ok,\n    j.title AS other\n   FROM (item i\n     LEFT JOIN item j ON (((j.id = i.id) AND j.ok)));"}

alter table item add constraint c1 check (price > 0 and price < 100), add constraint c2 check (title in ('a', 'b', 'x')), add constraint c3 check (length(trim(title)) > 0), add constraint c4 check (title ~* '^[a-z]+$'), add constraint c5 check (n is null or n between 1 and 9), add constraint c6 check (day > '2020-01-01' and at > day), add constraint c7 check (f(id) > 0 and f(id, 3) > 1), add constraint c8 check (coalesce(array_length(tags, 1), 0) <= 5), add constraint c9 check (jsonb_typeof(doc) = 'object'), add constraint c10 check (app.g(title) <> ''), add constraint c11 check (position('@' in title) = 0), add constraint c12 check (extract(year from day) > 2000);
--> no rows

select conname, pg_get_constraintdef(oid) as d from pg_constraint where conrelid = 'item'::regclass order by conname;
--> {"conname":"c1","d":"CHECK (((price > (0)::numeric) AND (price < (100)::numeric)))"}
--> {"conname":"c10","d":"CHECK ((app.g(title) <> ''::text))"}
--> {"conname":"c11","d":"CHECK ((POSITION(('@'::text) IN (title)) = 0))"}
--> {"conname":"c12","d":"CHECK ((EXTRACT(year FROM day) > (2000)::numeric))"}
--> {"conname":"c2","d":"CHECK ((title = ANY (ARRAY['a'::text, 'b'::text, 'x'::text])))"}
--> {"conname":"c3","d":"CHECK ((length(TRIM(BOTH FROM title)) > 0))"}
--> {"conname":"c4","d":"CHECK ((title ~* '^[a-z]+$'::text))"}
--> {"conname":"c5","d":"CHECK (((n IS NULL) OR ((n >= 1) AND (n <= 9))))"}
--> {"conname":"c6","d":"CHECK (((day > '2020-01-01'::date) AND (at > day)))"}
--> {"conname":"c7","d":"CHECK (((f(id) > 0) AND (f(id, 3) > 1)))"}
--> {"conname":"c8","d":"CHECK ((COALESCE(array_length(tags, 1), 0) <= 5))"}
--> {"conname":"c9","d":"CHECK ((jsonb_typeof(doc) = 'object'::text))"}
--> {"conname":"item_pkey","d":"PRIMARY KEY (id)"}

create table defs (a int default nextval('numbers'), b int default nextval('numbers'::regclass), c timestamptz default now(), d timestamptz default timezone('utc', now()), e timestamp default (now() at time zone 'utc'), f text default 'x' || 'y', g jsonb default '{}', h text[] default '{}', i text[] default array[]::text[], j numeric default 1.5, k uuid default gen_random_uuid(), m boolean default false, n int default f(1), o text default app.g('q'), p interval default '1 day', q text default lower('ABC'), r int default (5 + 2) * 3, s timestamptz default now() + interval '30 days', t varchar(5) default 'ab', u smallint default 1, v bigint default 0, w real default 0.5, x text default null, y text default current_user, z int default -1);
--> no rows

select attname, pg_get_expr(adbin, adrelid) as d from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum where adrelid = 'defs'::regclass order by attnum;
--> {"attname":"a","d":"nextval('numbers'::regclass)"}
--> {"attname":"b","d":"nextval('numbers'::regclass)"}
--> {"attname":"c","d":"now()"}
--> {"attname":"d","d":"timezone('utc'::text, now())"}
--> {"attname":"e","d":"(now() AT TIME ZONE 'utc'::text)"}
--> {"attname":"f","d":"('x'::text || 'y'::text)"}
--> {"attname":"g","d":"'{}'::jsonb"}
--> {"attname":"h","d":"'{}'::text[]"}
--> {"attname":"i","d":"ARRAY[]::text[]"}
--> {"attname":"j","d":"1.5"}
--> {"attname":"k","d":"gen_random_uuid()"}
--> {"attname":"m","d":"false"}
--> {"attname":"n","d":"f(1)"}
--> {"attname":"o","d":"app.g('q'::text)"}
--> {"attname":"p","d":"'1 day'::interval"}
--> {"attname":"q","d":"lower('ABC'::text)"}
--> {"attname":"r","d":"((5 + 2) * 3)"}
--> {"attname":"s","d":"(now() + '30 days'::interval)"}
--> {"attname":"t","d":"'ab'::character varying"}
--> {"attname":"u","d":"1"}
--> {"attname":"v","d":"0"}
--> {"attname":"w","d":"0.5"}
--> {"attname":"y","d":"CURRENT_USER"}
--> {"attname":"z","d":"'-1'::integer"}

select column_name, column_default from information_schema.columns where table_name = 'defs' and column_name in ('a', 'd', 'g', 'o') order by 1;
--> {"column_name":"a","column_default":"nextval('numbers'::regclass)"}
--> {"column_name":"d","column_default":"timezone('utc'::text, now())"}
--> {"column_name":"g","column_default":"'{}'::jsonb"}
--> {"column_name":"o","column_default":"app.g('q'::text)"}

create table gens (a int, b text, c int generated always as (a * 2) stored, d text generated always as (lower(b) || '-' || a) stored, e tsvector generated always as (to_tsvector('english', coalesce(b, ''))) stored, g int generated always as (f(a)) stored, h text generated always as (case when a > 5 then 'big' else 'small' end) stored, i numeric generated always as (round(a / 3.0, 2)) stored);
--> no rows

select attname, pg_get_expr(adbin, adrelid) as d from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum where adrelid = 'gens'::regclass order by attnum;
--> {"attname":"c","d":"(a * 2)"}
--> {"attname":"d","d":"((lower(b) || '-'::text) || a)"}
--> {"attname":"e","d":"to_tsvector('english'::regconfig, COALESCE(b, ''::text))"}
--> {"attname":"g","d":"f(a)"}
--> {"attname":"h","d":"\nCASE\n    WHEN (a > 5) THEN 'big'::text\n    ELSE 'small'::text\nEND"}
--> {"attname":"i","d":"round(((a)::numeric / 3.0), 2)"}

create index i1 on item (lower(title)); create index i2 on item ((doc ->> 'k')) where ok; create index i3 on item (coalesce(price, 0) desc nulls last, title collate "C"); create index i4 on item using gin (doc jsonb_path_ops); create index i5 on item (date_trunc('day', at at time zone 'utc')); create index i6 on item ((price * 2), f(id)) include (n); create unique index i7 on item (title) where title <> 'z' and n is not null; create index i8 on item using gin (to_tsvector('simple', title)); create index i9 on item (app.g(title) text_pattern_ops); create index i10 on item using hash (title); create index i11 on item ((title || 'x')) where title in ('a', 'b');
--> no rows

select indexname, indexdef from pg_indexes where tablename = 'item' order by indexname;
--> {"indexname":"i1","indexdef":"CREATE INDEX i1 ON public.item USING btree (lower(title))"}
--> {"indexname":"i10","indexdef":"CREATE INDEX i10 ON public.item USING hash (title)"}
--> {"indexname":"i11","indexdef":"CREATE INDEX i11 ON public.item USING btree (((title || 'x'::text))) WHERE (title = ANY (ARRAY['a'::text, 'b'::text]))"}
--> {"indexname":"i2","indexdef":"CREATE INDEX i2 ON public.item USING btree (((doc ->> 'k'::text))) WHERE ok"}
--> {"indexname":"i3","indexdef":"CREATE INDEX i3 ON public.item USING btree (COALESCE(price, (0)::numeric) DESC NULLS LAST, title COLLATE \"C\")"}
--> {"indexname":"i4","indexdef":"CREATE INDEX i4 ON public.item USING gin (doc jsonb_path_ops)"}
--> {"indexname":"i5","indexdef":"CREATE INDEX i5 ON public.item USING btree (date_trunc('day'::text, (at AT TIME ZONE 'utc'::text)))"}
--> {"indexname":"i6","indexdef":"CREATE INDEX i6 ON public.item USING btree (((price * (2)::numeric)), f(id)) INCLUDE (n)"}
--> {"indexname":"i7","indexdef":"CREATE UNIQUE INDEX i7 ON public.item USING btree (title) WHERE ((title <> 'z'::text) AND (n IS NOT NULL))"}
--> {"indexname":"i8","indexdef":"CREATE INDEX i8 ON public.item USING gin (to_tsvector('simple'::regconfig, title))"}
--> {"indexname":"i9","indexdef":"CREATE INDEX i9 ON public.item USING btree (app.g(title) text_pattern_ops)"}
--> {"indexname":"item_pkey","indexdef":"CREATE UNIQUE INDEX item_pkey ON public.item USING btree (id)"}

select pg_get_indexdef('i3'::regclass, 1, true) as a, pg_get_indexdef('i3'::regclass, 2, false) as b, pg_get_expr(indpred, indrelid) as p from pg_index where indexrelid = 'i7'::regclass;
--> {"a":"COALESCE(price, 0::numeric)","b":"title","p":"((title <> 'z'::text) AND (n IS NOT NULL))"}

create policy p1 on item using (title = current_setting('app.t', true)) with check (n = (select max(n) from item i where i.id = item.id)); create policy p2 on item for insert with check (auth.uid()::text = title); create policy p3 on item for select to anon using (exists (select 1 from item b where b.id = item.id and b.ok)); create policy p4 on item for update using ((select auth.uid()) is not null and (auth.jwt() ->> 'role') = 'x');
--> no rows

select polname, pg_get_expr(polqual, polrelid) as q, pg_get_expr(polwithcheck, polrelid) as c from pg_policy where polrelid = 'item'::regclass order by polname;
--> {"polname":"p1","q":"(title = current_setting('app.t'::text, true))","c":"(n = ( SELECT max(i.n) AS max\n   FROM item i\n  WHERE (i.id = item.id)))"}
--> {"polname":"p2","q":null,"c":"((auth.uid())::text = title)"}
--> {"polname":"p3","q":"(EXISTS ( SELECT 1\n   FROM item b\n  WHERE ((b.id = item.id) AND b.ok)))","c":null}
--> {"polname":"p4","q":"((( SELECT auth.uid() AS uid) IS NOT NULL) AND ((auth.jwt() ->> 'role'::text) = 'x'::text))","c":null}
