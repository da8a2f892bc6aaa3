-- What extensions have, as sessions with other paths see it.

create extension if not exists citext schema extensions;
--> no rows

create extension if not exists hstore schema extensions;
--> no rows

create extension if not exists pg_trgm schema public;
--> no rows

create extension if not exists unaccent schema extensions;
--> no rows

create extension if not exists "uuid-ossp" schema extensions;
--> no rows

create table public.t (a extensions.citext default 'x', b extensions.hstore, d extensions.hstore, e uuid default extensions.uuid_generate_v4(), f uuid default uuid_generate_v4(), g extensions.citext[], s text);
--> no rows

create index t_s on public.t using gin (s gin_trgm_ops);
--> no rows

create view vv as select extensions.unaccent('x') d, b, a::text as at, 'x'::citext as c from t;
--> no rows

create function f(x hstore, y citext default 'q') returns citext language sql as $$ select 'a'::citext $$;
--> no rows

select format_type(atttypid, atttypmod) from pg_attribute where attrelid = 'public.t'::regclass and attnum > 0 order by attnum;
--> {"format_type":"citext"}
--> {"format_type":"hstore"}
--> {"format_type":"hstore"}
--> {"format_type":"uuid"}
--> {"format_type":"uuid"}
--> {"format_type":"citext[]"}
--> {"format_type":"text"}

select column_name, column_default from information_schema.columns where table_name = 't' and column_default is not null order by ordinal_position;
--> {"column_name":"a","column_default":"'x'::citext"}
--> {"column_name":"e","column_default":"uuid_generate_v4()"}
--> {"column_name":"f","column_default":"uuid_generate_v4()"}

select pg_get_viewdef('vv'::regclass);
--> {"pg_get_viewdef":" SELECT unaccent('x'::text) AS d,\n    t.b,\n    (t.a)::text AS at,\n    'x'::citext AS c\n   FROM t;"}

select pg_get_function_arguments('f'::regproc), pg_get_function_result('f'::regproc);
--> {"pg_get_function_arguments":"x hstore, y citext DEFAULT 'q'::citext","pg_get_function_result":"citext"}

set search_path = '';
--> no rows

select pg_catalog.format_type(atttypid, atttypmod) from pg_catalog.pg_attribute where attrelid = 'public.t'::regclass and attnum > 0 order by attnum;
--> {"format_type":"citext"}
--> {"format_type":"hstore"}
--> {"format_type":"hstore"}
--> {"format_type":"uuid"}
--> {"format_type":"uuid"}
--> {"format_type":"citext[]"}
--> {"format_type":"text"}

select column_name, column_default from information_schema.columns where table_name = 't' and column_default is not null order by ordinal_position;
--> {"column_name":"a","column_default":"'x'::citext"}
--> {"column_name":"e","column_default":"uuid_generate_v4()"}
--> {"column_name":"f","column_default":"uuid_generate_v4()"}

select pg_get_viewdef('public.vv'::regclass);
--> {"pg_get_viewdef":" SELECT unaccent('x'::text) AS d,\n    t.b,\n    (t.a)::text AS at,\n    'x'::citext AS c\n   FROM t;"}

select pg_get_function_arguments('public.f'::regproc), pg_get_function_result('public.f'::regproc);
--> {"pg_get_function_arguments":"x hstore, y citext DEFAULT 'q'::citext","pg_get_function_result":"citext"}

select pg_get_indexdef('public.t_s'::regclass);
--> {"pg_get_indexdef":"CREATE INDEX t_s ON public.t USING gin (s gin_trgm_ops)"}

select 'extensions.citext'::regtype, 'extensions.hstore[]'::regtype;
--> {"regtype":"hstore[]"}

set search_path = public;
--> no rows

select pg_catalog.format_type(atttypid, atttypmod) from pg_catalog.pg_attribute where attrelid = 'public.t'::regclass and attnum > 0 order by attnum;
--> {"format_type":"citext"}
--> {"format_type":"hstore"}
--> {"format_type":"hstore"}
--> {"format_type":"uuid"}
--> {"format_type":"uuid"}
--> {"format_type":"citext[]"}
--> {"format_type":"text"}

select column_name, column_default from information_schema.columns where table_name = 't' and column_default is not null order by ordinal_position;
--> {"column_name":"a","column_default":"'x'::citext"}
--> {"column_name":"e","column_default":"uuid_generate_v4()"}
--> {"column_name":"f","column_default":"uuid_generate_v4()"}
