-- Operators with their schemas: where they stand, and how definitions show them; and the longest runs of their characters.

create extension if not exists citext with schema extensions;
--> no rows

create extension if not exists hstore with schema extensions;
--> no rows

create extension if not exists pg_trgm with schema extensions;
--> no rows

create extension if not exists ltree with schema extensions;
--> no rows

create table t (a extensions.citext, d extensions.hstore, l extensions.ltree, s text, constraint u check (a = 'x'), constraint w check ((d -> 'a') = '1'), constraint x check (a ~ 'x' and a like 'x%'), i int);
--> no rows

create index i4 on t (a) where a operator(extensions.=) 'x';
--> no rows

create domain dom as extensions.citext check (value ~ 'a');
--> no rows

create view v as select a operator(extensions.=) 'x' as e, s operator(extensions.%) 'y' p, l operator(extensions.@>) 'a.b' q, a = any (array['x']::extensions.citext[]) r from t where not (a operator(extensions.=) 'y') order by s operator(extensions.<->) 'z';
--> no rows

create policy p on t using (a operator(extensions.=) 'z' and d operator(extensions.?) 'k');
--> no rows

alter table t add column g boolean generated always as (d operator(extensions.?) 'k') stored;
--> no rows

create function opf(a int, b int) returns boolean language sql immutable as 'select a = b';
--> no rows

create function opn(a int) returns int language sql immutable as 'select -a';
--> no rows

create schema app;
--> no rows

create operator app.=== (leftarg = int, rightarg = int, function = opf);
--> no rows

create operator public.!!! (rightarg = int, function = opn);
--> no rows

create view v2 as select i operator(app.===) 3 x, 3 operator(pg_catalog.+) 4 y, !!! i z from t;
--> no rows

alter table t add constraint y check (i operator(app.===) 3);
--> no rows

select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 't'::regclass or contypid = 'dom'::regtype order by 1;
--> {"conname":"dom_check","pg_get_constraintdef":"CHECK ((VALUE ~ 'a'::citext))"}
--> {"conname":"u","pg_get_constraintdef":"CHECK ((a = 'x'::citext))"}
--> {"conname":"w","pg_get_constraintdef":"CHECK (((d -> 'a'::text) = '1'::text))"}
--> {"conname":"x","pg_get_constraintdef":"CHECK (((a ~ 'x'::citext) AND (a ~~ 'x%'::citext)))"}
--> {"conname":"y","pg_get_constraintdef":"CHECK ((i OPERATOR(app.===) 3))"}

select pg_get_viewdef('v'::regclass);
--> {"pg_get_viewdef":" SELECT (t.a = 'x'::citext) AS e,\n    (t.s % 'y'::text) AS p,\n    (t.l @> 'a.b'::ltree) AS q,\n    (t.a = ANY (ARRAY['x'::citext])) AS r\n   FROM t\n  WHERE (NOT (t.a = 'y'::citext))\n  ORDER BY (t.s <-> 'z'::text);"}

select pg_get_viewdef('v2'::regclass, true);
--> {"pg_get_viewdef":" SELECT t.i OPERATOR(app.===) 3 AS x,\n    3 + 4 AS y,\n    !!! t.i AS z\n   FROM t;"}

select 1 operator(app.===) 1, 1 operator(app.===) 2, !!! 5, operator(public.!!!) 5;
--> {"?column?":-5}

select 1 === 1;
--> ERROR 42883: operator does not exist: integer === integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 10

set search_path = ''; select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'public.t'::regclass or contypid = 'public.dom'::regtype order by 1;
--> {"conname":"dom_check","pg_get_constraintdef":"CHECK ((VALUE OPERATOR(extensions.~) 'a'::extensions.citext))"}
--> {"conname":"u","pg_get_constraintdef":"CHECK ((a OPERATOR(extensions.=) 'x'::extensions.citext))"}
--> {"conname":"w","pg_get_constraintdef":"CHECK (((d OPERATOR(extensions.->) 'a'::text) = '1'::text))"}
--> {"conname":"x","pg_get_constraintdef":"CHECK (((a OPERATOR(extensions.~) 'x'::extensions.citext) AND (a OPERATOR(extensions.~~) 'x%'::extensions.citext)))"}
--> {"conname":"y","pg_get_constraintdef":"CHECK ((i OPERATOR(app.===) 3))"}

set search_path = ''; select indexdef from pg_indexes where tablename = 't';
--> {"indexdef":"CREATE INDEX i4 ON public.t USING btree (a) WHERE (a OPERATOR(extensions.=) 'x'::extensions.citext)"}

set search_path = ''; select pg_get_viewdef('public.v'::regclass);
--> {"pg_get_viewdef":" SELECT (t.a OPERATOR(extensions.=) 'x'::extensions.citext) AS e,\n    (t.s OPERATOR(extensions.%) 'y'::text) AS p,\n    (t.l OPERATOR(extensions.@>) 'a.b'::extensions.ltree) AS q,\n    (t.a OPERATOR(extensions.=) ANY (ARRAY['x'::extensions.citext])) AS r\n   FROM public.t\n  WHERE (NOT (t.a OPERATOR(extensions.=) 'y'::extensions.citext))\n  ORDER BY (t.s OPERATOR(extensions.<->) 'z'::text);"}

set search_path = ''; select pg_get_viewdef('public.v'::regclass, true);
--> {"pg_get_viewdef":" SELECT t.a OPERATOR(extensions.=) 'x'::extensions.citext AS e,\n    t.s OPERATOR(extensions.%) 'y'::text AS p,\n    t.l OPERATOR(extensions.@>) 'a.b'::extensions.ltree AS q,\n    t.a OPERATOR(extensions.=) ANY (ARRAY['x'::extensions.citext]) AS r\n   FROM public.t\n  WHERE NOT t.a OPERATOR(extensions.=) 'y'::extensions.citext\n  ORDER BY (t.s OPERATOR(extensions.<->) 'z'::text);"}

set search_path = ''; select pg_get_viewdef('public.v2'::regclass, true);
--> {"pg_get_viewdef":" SELECT t.i OPERATOR(app.===) 3 AS x,\n    3 + 4 AS y,\n    OPERATOR(public.!!!) t.i AS z\n   FROM public.t;"}

set search_path = ''; select qual from pg_policies where tablename = 't';
--> {"qual":"((a OPERATOR(extensions.=) 'z'::extensions.citext) AND (d OPERATOR(extensions.?) 'k'::text))"}

set search_path = ''; select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = 'public.t'::regclass;
--> {"pg_get_expr":"(d OPERATOR(extensions.?) 'k'::text)"}

set search_path = ''; select 3 operator(pg_catalog.+) 4, 3 operator(app.===) 3, not 3 operator(pg_catalog.=) 4;
--> {"?column?":true}

set search_path = ''; select operator(pg_catalog.-) 5, operator(pg_catalog.-) 5 operator(pg_catalog.+) 2, operator(pg_catalog.@) -5;
--> {"?column?":5}

set search_path = ''; select 'abc' operator(pg_catalog.~~) 'a%', 'abc' operator(pg_catalog.!~~*) 'a%', 'a' operator(pg_catalog.||) 'b' operator(pg_catalog.||) 'c';
--> {"?column?":"abc"}

set search_path = ''; select a, b from (values (2, 1), (1, 2)) v(a, b) order by a using operator(pg_catalog.>);
--> {"a":2,"b":1}
--> {"a":1,"b":2}

set search_path = ''; select 2 operator(pg_catalog.+) 3 * 4, 2 * 3 operator(pg_catalog.+) 4;
--> {"?column?":10}

set search_path = ''; select 'x' operator(extensions.=) 'X'::extensions.citext, 'x' operator(pg_catalog.=) 'X'::extensions.citext;
--> {"?column?":false}

set search_path = ''; select 1 operator(nosuch.=) 1;
--> ERROR 3F000: schema "nosuch" does not exist
--> AT 32

set search_path = ''; select 1 operator(public.=) 1;
--> ERROR 42883: operator does not exist: integer public.= integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 32

set search_path = ''; select 1 operator(pg_catalog.===) 1;
--> ERROR 42883: operator does not exist: integer pg_catalog.=== integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 32

set search_path = ''; select operator(extensions.-) 3;
--> ERROR 42883: operator does not exist: extensions.- integer
--> HINT: No operator matches the given name and argument type. You might need to add an explicit type cast.
--> AT 30

set search_path = ''; select operator(pg_catalog.~) 5, operator(pg_catalog.|/) 4, operator(pg_catalog.!!) 'a'::tsquery;
--> {"?column?":"!'a'"}

set search_path = app, public; select 1 === 1, 2===1;
--> {"?column?":false}

set search_path = app, public; create view v3 as select 1 === i as x, !!! i + 1 as y from t;
--> no rows

set search_path = app, public; select pg_get_viewdef('v3'::regclass);
--> {"pg_get_viewdef":" SELECT (1 === t.i) AS x,\n    (!!! (t.i + 1)) AS y\n   FROM t;"}

set search_path = app, public; select 2^-1;
--> ERROR 42883: operator does not exist: integer ^- integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 40

set search_path = app, public; select 4*|/4;
--> ERROR 42883: operator does not exist: integer *|/ integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 40

set search_path = app, public; select 2*-1, 3 <-1, 5-+2, 2 - -1, 5>-1, 1||-1::text, 2-+-+3, '{"a":[1,2]}'::jsonb->'a'->-1;
--> ERROR 42883: operator does not exist: integer ||- text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 73

-- What the grammar has is in no schema.
select pg_catalog.coalesce(1, 2);
--> ERROR 42883: function pg_catalog.coalesce(integer, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 49

select pg_catalog.nullif('', 'a');
--> ERROR 42883: function pg_catalog.nullif(unknown, unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select coalesce(null, 2) as a, nullif(1, 2) as b, greatest(1, 3) as c;
--> {"a":2,"b":1,"c":3}
