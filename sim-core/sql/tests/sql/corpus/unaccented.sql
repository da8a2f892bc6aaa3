-- The dictionary of `unaccent` as an argument: literals, casts, schemas, and how views show it.

create extension unaccent with schema extensions;
--> no rows

select extensions.unaccent('extensions.unaccent'::regdictionary, 'Éa') as a, extensions.unaccent('extensions.unaccent', 'Éa') as b;
--> {"a":"Ea","b":"Ea"}

select extensions.unaccent('unaccent'::text, 'x');
--> ERROR 42883: function extensions.unaccent(text, unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select extensions.unaccent('public.unaccent', 'é');
--> ERROR 42704: text search dictionary "public.unaccent" does not exist
--> AT 28

select extensions.unaccent('simple', 'É') as a, extensions.unaccent('english_stem', 'Stars') as b;
--> {"a":"é","b":"star"}

select ts_lexize('english_stem'::regdictionary, 'stars') as a, ts_lexize('english_stem', 'the') as b, ts_lexize('unaccent', 'Hôtel') as c, ts_lexize('extensions.unaccent', 'Hotel') as d, ts_lexize('simple'::regdictionary, 'The') as e;
--> {"a":["star"],"b":[],"c":["Hotel"],"d":null,"e":["the"]}

create function f_unaccent(text) returns text language sql immutable strict parallel safe as $$ select extensions.unaccent('extensions.unaccent'::regdictionary, $1) $$;
--> no rows

create table q (name text);
--> no rows

create index on q (f_unaccent(name));
--> no rows

insert into q values ('Éa'), ('Ça va');
--> no rows

alter table q add column n text generated always as (f_unaccent(lower(name))) stored;
--> no rows

insert into q values ('Tée');
--> no rows

select * from q order by f_unaccent(name);
--> {"name":"Ça va","n":"ca va"}
--> {"name":"Éa","n":"ea"}
--> {"name":"Tée","n":"tee"}

create view uv as select extensions.unaccent('extensions.unaccent', name) as x, ts_lexize('english_stem', name) as y from q;
--> no rows

select pg_get_viewdef('uv'::regclass) as v;
--> {"v":" SELECT unaccent('unaccent'::regdictionary, q.name) AS x,\n    ts_lexize('english_stem'::regdictionary, q.name) AS y\n   FROM q;"}

create function p_unaccent(t text) returns text language plpgsql immutable set search_path = '' as $$ begin return extensions.unaccent('extensions.unaccent', t); end $$;
--> no rows

select p_unaccent('é') as a;
--> {"a":"e"}

set search_path = '';
--> no rows

select extensions.unaccent('unaccent', 'é');
--> {"unaccent":"e"}

select extensions.unaccent('extensions.unaccent', 'é') as a, public.f_unaccent('é') as b;
--> {"a":"e","b":"e"}

select pg_catalog.pg_get_viewdef('public.uv'::pg_catalog.regclass) as v;
--> {"v":" SELECT unaccent('unaccent'::regdictionary, q.name) AS x,\n    ts_lexize('english_stem'::regdictionary, q.name) AS y\n   FROM q;"}
