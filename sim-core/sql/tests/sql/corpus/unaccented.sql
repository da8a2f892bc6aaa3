-- The dictionary of `unaccent` as an argument: literals, casts, schemas, and how views show it.

create extension unaccent with schema extensions;
select extensions.unaccent('extensions.unaccent'::regdictionary, 'Éa') as a, extensions.unaccent('extensions.unaccent', 'Éa') as b;
select extensions.unaccent('unaccent'::text, 'x');
select extensions.unaccent('public.unaccent', 'é');
select extensions.unaccent('simple', 'É') as a, extensions.unaccent('english_stem', 'Stars') as b;
select ts_lexize('english_stem'::regdictionary, 'stars') as a, ts_lexize('english_stem', 'the') as b, ts_lexize('unaccent', 'Hôtel') as c, ts_lexize('extensions.unaccent', 'Hotel') as d, ts_lexize('simple'::regdictionary, 'The') as e;
create function f_unaccent(text) returns text language sql immutable strict parallel safe as $$ select extensions.unaccent('extensions.unaccent'::regdictionary, $1) $$;
create table q (name text);
create index on q (f_unaccent(name));
insert into q values ('Éa'), ('Ça va');
alter table q add column n text generated always as (f_unaccent(lower(name))) stored;
insert into q values ('Tée');
select * from q order by f_unaccent(name);
create view uv as select extensions.unaccent('extensions.unaccent', name) as x, ts_lexize('english_stem', name) as y from q;
select pg_get_viewdef('uv'::regclass) as v;
create function p_unaccent(t text) returns text language plpgsql immutable set search_path = '' as $$ begin return extensions.unaccent('extensions.unaccent', t); end $$;
select p_unaccent('é') as a;
set search_path = '';
select extensions.unaccent('unaccent', 'é');
select extensions.unaccent('extensions.unaccent', 'é') as a, public.f_unaccent('é') as b;
select pg_catalog.pg_get_viewdef('public.uv'::pg_catalog.regclass) as v;
--> ERROR 42883: function extensions.unaccent(text, unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 190
