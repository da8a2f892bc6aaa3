-- Names of extensions' types, operators, classes and functions, as sessions with different paths see them.

create extension citext schema extensions;
--> no rows

create extension hstore schema extensions;
--> no rows

create extension if not exists pgcrypto with schema extensions;
--> no rows

create extension if not exists "uuid-ossp" with schema extensions;
--> no rows

create extension pg_trgm schema public;
--> no rows

create extension ltree schema extensions;
--> no rows

create domain dd as extensions.citext check (value ~ 'a');
--> no rows

create domain d2 as text check (value ~ 'a' and length(value) > 2);
--> no rows

create table e (id int, a citext, d hstore, l ltree, la ltree[], t text, constraint u check (a = 'x'), check ((d -> 'a') = '1'), check (a ~ 'x'), check (a like 'x%'), check (a ilike any (array['x','y'])), check (a in ('x','y')), check (a = any (array['p','q'])), check (l <@ 'a.b'), check (a between 'a' and 'b'), check (t % 'abc'), check (a is distinct from 'q'), check (a = t), check (a ~ t), check (a || 'x' <> 'y'), check (a <> all (array['p'])), check (d ? 'a'));
--> no rows

create index i1 on e using gin ((a::text) gin_trgm_ops);
--> no rows

create index i3 on e using gist (la extensions.gist__ltree_ops);
--> no rows

create index i4 on e using gist (l);
--> no rows

create index i5 on e (lower(a::text)) where a <> 'q';
--> no rows

create table g (id int, u uuid default extensions.uuid_generate_v4(), u2 uuid default uuid_generate_v4(), g text default encode(gen_random_bytes(4), 'hex'), n uuid default gen_random_uuid(), n2 uuid default extensions.gen_random_uuid(), h text generated always as (t || encode(extensions.digest(t, 'sha1'), 'hex')) stored, t text);
--> no rows

create view vv as select extensions.digest('x','sha1') d, digest('x', 'md5') d2, similarity('a','b') s, extensions.crypt('a', gen_salt('bf')) cc;
--> no rows

create view ve as select a, a like 'x', a ~ 'y' y, d -> 'x' dx, 'a'::citext ca, array['a']::citext[] aa, l @> 'a' la, t % 'x' tx, t <-> 'y' ty, a in ('x','z') ins, case when a = 'x' then 1 end from e where a = 'x' and d @> 'a=>1' and a not like 'y' order by t <-> 'y';
--> no rows

create function f(x hstore, y citext default 'a') returns setof citext language sql as $$ select 'a'::citext $$;
--> no rows

create policy p on e using (a = current_setting('x') and exists (select 1 from e e2 where e2.a = e.a));
--> no rows

create function tf() returns trigger language plpgsql as $$ begin return new; end $$;
--> no rows

create trigger tr before update on e for each row when (old.a is distinct from new.a and new.a = 'x') execute function tf();
--> no rows

select attname, format_type(atttypid, atttypmod) f, atttypid::regtype from pg_attribute where attrelid in ('public.e'::regclass,'public.ve'::regclass) and attnum > 0 order by attrelid, attnum;
--> {"attname":"id","f":"integer","atttypid":"integer"}
--> {"attname":"a","f":"citext","atttypid":"citext"}
--> {"attname":"d","f":"hstore","atttypid":"hstore"}
--> {"attname":"l","f":"ltree","atttypid":"ltree"}
--> {"attname":"la","f":"ltree[]","atttypid":"ltree[]"}
--> {"attname":"t","f":"text","atttypid":"text"}
--> {"attname":"a","f":"citext","atttypid":"citext"}
--> {"attname":"?column?","f":"boolean","atttypid":"boolean"}
--> {"attname":"y","f":"boolean","atttypid":"boolean"}
--> {"attname":"dx","f":"text","atttypid":"text"}
--> {"attname":"ca","f":"citext","atttypid":"citext"}
--> {"attname":"aa","f":"citext[]","atttypid":"citext[]"}
--> {"attname":"la","f":"boolean","atttypid":"boolean"}
--> {"attname":"tx","f":"boolean","atttypid":"boolean"}
--> {"attname":"ty","f":"real","atttypid":"real"}
--> {"attname":"ins","f":"boolean","atttypid":"boolean"}
--> {"attname":"case","f":"integer","atttypid":"integer"}

select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'public.e'::regclass or contypid <> 0 and conname ~ '^(dd|d2)_' order by conname;
--> {"conname":"d2_check","pg_get_constraintdef":"CHECK (((VALUE ~ 'a'::text) AND (length(VALUE) > 2)))"}
--> {"conname":"dd_check","pg_get_constraintdef":"CHECK ((VALUE ~ 'a'::citext))"}
--> {"conname":"e_a_check","pg_get_constraintdef":"CHECK ((a ~ 'x'::citext))"}
--> {"conname":"e_a_check1","pg_get_constraintdef":"CHECK ((a ~~ 'x%'::citext))"}
--> {"conname":"e_a_check2","pg_get_constraintdef":"CHECK ((a ~~* ANY (ARRAY['x'::text, 'y'::text])))"}
--> {"conname":"e_a_check3","pg_get_constraintdef":"CHECK ((a = ANY (ARRAY['x'::citext, 'y'::citext])))"}
--> {"conname":"e_a_check4","pg_get_constraintdef":"CHECK (((a)::text = ANY (ARRAY['p'::text, 'q'::text])))"}
--> {"conname":"e_a_check5","pg_get_constraintdef":"CHECK (((a >= 'a'::citext) AND (a <= 'b'::citext)))"}
--> {"conname":"e_a_check6","pg_get_constraintdef":"CHECK ((a IS DISTINCT FROM 'q'::citext))"}
--> {"conname":"e_a_check7","pg_get_constraintdef":"CHECK ((((a)::text || 'x'::text) <> 'y'::text))"}
--> {"conname":"e_a_check8","pg_get_constraintdef":"CHECK (((a)::text <> ALL (ARRAY['p'::text])))"}
--> {"conname":"e_check","pg_get_constraintdef":"CHECK (((a)::text = t))"}
--> {"conname":"e_check1","pg_get_constraintdef":"CHECK ((a ~ t))"}
--> {"conname":"e_d_check","pg_get_constraintdef":"CHECK (((d -> 'a'::text) = '1'::text))"}
--> {"conname":"e_d_check1","pg_get_constraintdef":"CHECK ((d ? 'a'::text))"}
--> {"conname":"e_l_check","pg_get_constraintdef":"CHECK ((l <@ 'a.b'::ltree))"}
--> {"conname":"e_t_check","pg_get_constraintdef":"CHECK ((t % 'abc'::text))"}
--> {"conname":"u","pg_get_constraintdef":"CHECK ((a = 'x'::citext))"}

select column_name, column_default, generation_expression from information_schema.columns where table_name = 'g' and table_schema = 'public' order by 1;
--> {"column_name":"g","column_default":"encode(gen_random_bytes(4), 'hex'::text)","generation_expression":null}
--> {"column_name":"h","column_default":null,"generation_expression":"(t || encode(digest(t, 'sha1'::text), 'hex'::text))"}
--> {"column_name":"id","column_default":null,"generation_expression":null}
--> {"column_name":"n","column_default":"gen_random_uuid()","generation_expression":null}
--> {"column_name":"n2","column_default":"extensions.gen_random_uuid()","generation_expression":null}
--> {"column_name":"t","column_default":null,"generation_expression":null}
--> {"column_name":"u","column_default":"uuid_generate_v4()","generation_expression":null}
--> {"column_name":"u2","column_default":"uuid_generate_v4()","generation_expression":null}

select pg_get_viewdef('public.vv'::regclass);
--> {"pg_get_viewdef":" SELECT digest('x'::text, 'sha1'::text) AS d,\n    digest('x'::text, 'md5'::text) AS d2,\n    similarity('a'::text, 'b'::text) AS s,\n    crypt('a'::text, gen_salt('bf'::text)) AS cc;"}

select pg_get_viewdef('public.ve'::regclass);
--> {"pg_get_viewdef":" SELECT e.a,\n    (e.a ~~ 'x'::citext) AS \"?column?\",\n    (e.a ~ 'y'::citext) AS y,\n    (e.d -> 'x'::text) AS dx,\n    'a'::citext AS ca,\n    ARRAY['a'::citext] AS aa,\n    (e.l @> 'a'::ltree) AS la,\n    (e.t % 'x'::text) AS tx,\n    (e.t <-> 'y'::text) AS ty,\n    (e.a = ANY (ARRAY['x'::citext, 'z'::citext])) AS ins,\n        CASE\n            WHEN (e.a = 'x'::citext) THEN 1\n            ELSE NULL::integer\n        END AS \"case\"\n   FROM e\n  WHERE ((e.a = 'x'::citext) AND (e.d @> '\"a\"=>\"1\"'::hstore) AND (e.a !~~ 'y'::citext))\n  ORDER BY (e.t <-> 'y'::text);"}

select pg_get_function_arguments(oid), pg_get_function_result(oid) from pg_proc where proname = 'f' and pronamespace = 'public'::regnamespace;
--> {"pg_get_function_arguments":"x hstore, y citext DEFAULT 'a'::citext","pg_get_function_result":"SETOF citext"}

select qual from pg_policies where tablename = 'e';
--> {"qual":"(((a)::text = current_setting('x'::text)) AND (EXISTS ( SELECT 1\n   FROM e e2\n  WHERE (e2.a = e.a))))"}

select pg_get_triggerdef(oid) from pg_trigger where tgname = 'tr';
--> {"pg_get_triggerdef":"CREATE TRIGGER tr BEFORE UPDATE ON public.e FOR EACH ROW WHEN (((old.a IS DISTINCT FROM new.a) AND (new.a = 'x'::citext))) EXECUTE FUNCTION tf()"}

set search_path = '';
--> no rows

select attname, format_type(atttypid, atttypmod) f, atttypid::regtype from pg_attribute where attrelid in ('public.e'::regclass,'public.ve'::regclass) and attnum > 0 order by attrelid, attnum;
--> {"attname":"id","f":"integer","atttypid":"integer"}
--> {"attname":"a","f":"citext","atttypid":"citext"}
--> {"attname":"d","f":"hstore","atttypid":"hstore"}
--> {"attname":"l","f":"ltree","atttypid":"ltree"}
--> {"attname":"la","f":"ltree[]","atttypid":"ltree[]"}
--> {"attname":"t","f":"text","atttypid":"text"}
--> {"attname":"a","f":"citext","atttypid":"citext"}
--> {"attname":"?column?","f":"boolean","atttypid":"boolean"}
--> {"attname":"y","f":"boolean","atttypid":"boolean"}
--> {"attname":"dx","f":"text","atttypid":"text"}
--> {"attname":"ca","f":"citext","atttypid":"citext"}
--> {"attname":"aa","f":"citext[]","atttypid":"citext[]"}
--> {"attname":"la","f":"boolean","atttypid":"boolean"}
--> {"attname":"tx","f":"boolean","atttypid":"boolean"}
--> {"attname":"ty","f":"real","atttypid":"real"}
--> {"attname":"ins","f":"boolean","atttypid":"boolean"}
--> {"attname":"case","f":"integer","atttypid":"integer"}

select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'public.e'::regclass or contypid <> 0 and conname ~ '^(dd|d2)_' order by conname;
--> {"conname":"d2_check","pg_get_constraintdef":"CHECK (((VALUE ~ 'a'::text) AND (length(VALUE) > 2)))"}
--> {"conname":"dd_check","pg_get_constraintdef":"CHECK ((VALUE ~ 'a'::citext))"}
--> {"conname":"e_a_check","pg_get_constraintdef":"CHECK ((a ~ 'x'::citext))"}
--> {"conname":"e_a_check1","pg_get_constraintdef":"CHECK ((a ~~ 'x%'::citext))"}
--> {"conname":"e_a_check2","pg_get_constraintdef":"CHECK ((a ~~* ANY (ARRAY['x'::text, 'y'::text])))"}
--> {"conname":"e_a_check3","pg_get_constraintdef":"CHECK ((a = ANY (ARRAY['x'::citext, 'y'::citext])))"}
--> {"conname":"e_a_check4","pg_get_constraintdef":"CHECK (((a)::text = ANY (ARRAY['p'::text, 'q'::text])))"}
--> {"conname":"e_a_check5","pg_get_constraintdef":"CHECK (((a >= 'a'::citext) AND (a <= 'b'::citext)))"}
--> {"conname":"e_a_check6","pg_get_constraintdef":"CHECK ((a IS DISTINCT FROM 'q'::citext))"}
--> {"conname":"e_a_check7","pg_get_constraintdef":"CHECK ((((a)::text || 'x'::text) <> 'y'::text))"}
--> {"conname":"e_a_check8","pg_get_constraintdef":"CHECK (((a)::text <> ALL (ARRAY['p'::text])))"}
--> {"conname":"e_check","pg_get_constraintdef":"CHECK (((a)::text = t))"}
--> {"conname":"e_check1","pg_get_constraintdef":"CHECK ((a ~ t))"}
--> {"conname":"e_d_check","pg_get_constraintdef":"CHECK (((d -> 'a'::text) = '1'::text))"}
--> {"conname":"e_d_check1","pg_get_constraintdef":"CHECK ((d ? 'a'::text))"}
--> {"conname":"e_l_check","pg_get_constraintdef":"CHECK ((l <@ 'a.b'::ltree))"}
--> {"conname":"e_t_check","pg_get_constraintdef":"CHECK ((t % 'abc'::text))"}
--> {"conname":"u","pg_get_constraintdef":"CHECK ((a = 'x'::citext))"}

select column_name, column_default, generation_expression from information_schema.columns where table_name = 'g' and table_schema = 'public' order by 1;
--> {"column_name":"g","column_default":"encode(gen_random_bytes(4), 'hex'::text)","generation_expression":null}
--> {"column_name":"h","column_default":null,"generation_expression":"(t || encode(digest(t, 'sha1'::text), 'hex'::text))"}
--> {"column_name":"id","column_default":null,"generation_expression":null}
--> {"column_name":"n","column_default":"gen_random_uuid()","generation_expression":null}
--> {"column_name":"n2","column_default":"extensions.gen_random_uuid()","generation_expression":null}
--> {"column_name":"t","column_default":null,"generation_expression":null}
--> {"column_name":"u","column_default":"uuid_generate_v4()","generation_expression":null}
--> {"column_name":"u2","column_default":"uuid_generate_v4()","generation_expression":null}

select pg_get_viewdef('public.vv'::regclass);
--> {"pg_get_viewdef":" SELECT digest('x'::text, 'sha1'::text) AS d,\n    digest('x'::text, 'md5'::text) AS d2,\n    similarity('a'::text, 'b'::text) AS s,\n    crypt('a'::text, gen_salt('bf'::text)) AS cc;"}

select pg_get_viewdef('public.ve'::regclass);
--> {"pg_get_viewdef":" SELECT e.a,\n    (e.a ~~ 'x'::citext) AS \"?column?\",\n    (e.a ~ 'y'::citext) AS y,\n    (e.d -> 'x'::text) AS dx,\n    'a'::citext AS ca,\n    ARRAY['a'::citext] AS aa,\n    (e.l @> 'a'::ltree) AS la,\n    (e.t % 'x'::text) AS tx,\n    (e.t <-> 'y'::text) AS ty,\n    (e.a = ANY (ARRAY['x'::citext, 'z'::citext])) AS ins,\n        CASE\n            WHEN (e.a = 'x'::citext) THEN 1\n            ELSE NULL::integer\n        END AS \"case\"\n   FROM e\n  WHERE ((e.a = 'x'::citext) AND (e.d @> '\"a\"=>\"1\"'::hstore) AND (e.a !~~ 'y'::citext))\n  ORDER BY (e.t <-> 'y'::text);"}

select pg_get_function_arguments(oid), pg_get_function_result(oid) from pg_proc where proname = 'f' and pronamespace = 'public'::regnamespace;
--> {"pg_get_function_arguments":"x hstore, y citext DEFAULT 'a'::citext","pg_get_function_result":"SETOF citext"}

select qual from pg_policies where tablename = 'e';
--> {"qual":"(((a)::text = current_setting('x'::text)) AND (EXISTS ( SELECT 1\n   FROM e e2\n  WHERE (e2.a = e.a))))"}

select pg_get_triggerdef(oid) from pg_trigger where tgname = 'tr';
--> {"pg_get_triggerdef":"CREATE TRIGGER tr BEFORE UPDATE ON public.e FOR EACH ROW WHEN (((old.a IS DISTINCT FROM new.a) AND (new.a = 'x'::citext))) EXECUTE FUNCTION tf()"}

set search_path = public;
--> no rows

select attname, format_type(atttypid, atttypmod) f, atttypid::regtype from pg_attribute where attrelid in ('public.e'::regclass,'public.ve'::regclass) and attnum > 0 order by attrelid, attnum;
--> {"attname":"id","f":"integer","atttypid":"integer"}
--> {"attname":"a","f":"citext","atttypid":"citext"}
--> {"attname":"d","f":"hstore","atttypid":"hstore"}
--> {"attname":"l","f":"ltree","atttypid":"ltree"}
--> {"attname":"la","f":"ltree[]","atttypid":"ltree[]"}
--> {"attname":"t","f":"text","atttypid":"text"}
--> {"attname":"a","f":"citext","atttypid":"citext"}
--> {"attname":"?column?","f":"boolean","atttypid":"boolean"}
--> {"attname":"y","f":"boolean","atttypid":"boolean"}
--> {"attname":"dx","f":"text","atttypid":"text"}
--> {"attname":"ca","f":"citext","atttypid":"citext"}
--> {"attname":"aa","f":"citext[]","atttypid":"citext[]"}
--> {"attname":"la","f":"boolean","atttypid":"boolean"}
--> {"attname":"tx","f":"boolean","atttypid":"boolean"}
--> {"attname":"ty","f":"real","atttypid":"real"}
--> {"attname":"ins","f":"boolean","atttypid":"boolean"}
--> {"attname":"case","f":"integer","atttypid":"integer"}

select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'public.e'::regclass or contypid <> 0 and conname ~ '^(dd|d2)_' order by conname;
--> {"conname":"d2_check","pg_get_constraintdef":"CHECK (((VALUE ~ 'a'::text) AND (length(VALUE) > 2)))"}
--> {"conname":"dd_check","pg_get_constraintdef":"CHECK ((VALUE ~ 'a'::citext))"}
--> {"conname":"e_a_check","pg_get_constraintdef":"CHECK ((a ~ 'x'::citext))"}
--> {"conname":"e_a_check1","pg_get_constraintdef":"CHECK ((a ~~ 'x%'::citext))"}
--> {"conname":"e_a_check2","pg_get_constraintdef":"CHECK ((a ~~* ANY (ARRAY['x'::text, 'y'::text])))"}
--> {"conname":"e_a_check3","pg_get_constraintdef":"CHECK ((a = ANY (ARRAY['x'::citext, 'y'::citext])))"}
--> {"conname":"e_a_check4","pg_get_constraintdef":"CHECK (((a)::text = ANY (ARRAY['p'::text, 'q'::text])))"}
--> {"conname":"e_a_check5","pg_get_constraintdef":"CHECK (((a >= 'a'::citext) AND (a <= 'b'::citext)))"}
--> {"conname":"e_a_check6","pg_get_constraintdef":"CHECK ((a IS DISTINCT FROM 'q'::citext))"}
--> {"conname":"e_a_check7","pg_get_constraintdef":"CHECK ((((a)::text || 'x'::text) <> 'y'::text))"}
--> {"conname":"e_a_check8","pg_get_constraintdef":"CHECK (((a)::text <> ALL (ARRAY['p'::text])))"}
--> {"conname":"e_check","pg_get_constraintdef":"CHECK (((a)::text = t))"}
--> {"conname":"e_check1","pg_get_constraintdef":"CHECK ((a ~ t))"}
--> {"conname":"e_d_check","pg_get_constraintdef":"CHECK (((d -> 'a'::text) = '1'::text))"}
--> {"conname":"e_d_check1","pg_get_constraintdef":"CHECK ((d ? 'a'::text))"}
--> {"conname":"e_l_check","pg_get_constraintdef":"CHECK ((l <@ 'a.b'::ltree))"}
--> {"conname":"e_t_check","pg_get_constraintdef":"CHECK ((t % 'abc'::text))"}
--> {"conname":"u","pg_get_constraintdef":"CHECK ((a = 'x'::citext))"}

select column_name, column_default, generation_expression from information_schema.columns where table_name = 'g' and table_schema = 'public' order by 1;
--> {"column_name":"g","column_default":"encode(gen_random_bytes(4), 'hex'::text)","generation_expression":null}
--> {"column_name":"h","column_default":null,"generation_expression":"(t || encode(digest(t, 'sha1'::text), 'hex'::text))"}
--> {"column_name":"id","column_default":null,"generation_expression":null}
--> {"column_name":"n","column_default":"gen_random_uuid()","generation_expression":null}
--> {"column_name":"n2","column_default":"extensions.gen_random_uuid()","generation_expression":null}
--> {"column_name":"t","column_default":null,"generation_expression":null}
--> {"column_name":"u","column_default":"uuid_generate_v4()","generation_expression":null}
--> {"column_name":"u2","column_default":"uuid_generate_v4()","generation_expression":null}

select pg_get_viewdef('public.vv'::regclass);
--> {"pg_get_viewdef":" SELECT digest('x'::text, 'sha1'::text) AS d,\n    digest('x'::text, 'md5'::text) AS d2,\n    similarity('a'::text, 'b'::text) AS s,\n    crypt('a'::text, gen_salt('bf'::text)) AS cc;"}

select pg_get_viewdef('public.ve'::regclass);
--> {"pg_get_viewdef":" SELECT e.a,\n    (e.a ~~ 'x'::citext) AS \"?column?\",\n    (e.a ~ 'y'::citext) AS y,\n    (e.d -> 'x'::text) AS dx,\n    'a'::citext AS ca,\n    ARRAY['a'::citext] AS aa,\n    (e.l @> 'a'::ltree) AS la,\n    (e.t % 'x'::text) AS tx,\n    (e.t <-> 'y'::text) AS ty,\n    (e.a = ANY (ARRAY['x'::citext, 'z'::citext])) AS ins,\n        CASE\n            WHEN (e.a = 'x'::citext) THEN 1\n            ELSE NULL::integer\n        END AS \"case\"\n   FROM e\n  WHERE ((e.a = 'x'::citext) AND (e.d @> '\"a\"=>\"1\"'::hstore) AND (e.a !~~ 'y'::citext))\n  ORDER BY (e.t <-> 'y'::text);"}

select pg_get_function_arguments(oid), pg_get_function_result(oid) from pg_proc where proname = 'f' and pronamespace = 'public'::regnamespace;
--> {"pg_get_function_arguments":"x hstore, y citext DEFAULT 'a'::citext","pg_get_function_result":"SETOF citext"}

select qual from pg_policies where tablename = 'e';
--> {"qual":"(((a)::text = current_setting('x'::text)) AND (EXISTS ( SELECT 1\n   FROM e e2\n  WHERE (e2.a = e.a))))"}

select pg_get_triggerdef(oid) from pg_trigger where tgname = 'tr';
--> {"pg_get_triggerdef":"CREATE TRIGGER tr BEFORE UPDATE ON public.e FOR EACH ROW WHEN (((old.a IS DISTINCT FROM new.a) AND (new.a = 'x'::citext))) EXECUTE FUNCTION tf()"}

set search_path = '';
--> no rows

insert into public.e (a, d, l, t) values ('xa', 'a=>1', 'a.b', 'abc');
--> ERROR 23514: new row for relation "e" violates check constraint "e_a_check2"
--> DETAIL: Failing row contains (null, xa, "a"=>"1", a.b, null, abc).

reset search_path;
--> no rows
