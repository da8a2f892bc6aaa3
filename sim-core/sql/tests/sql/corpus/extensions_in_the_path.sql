-- Functions of extensions are found where the schema of the extension is searched.

create schema tools;

create extension pg_trgm schema tools;

select similarity('a', 'a');

select tools.similarity('a', 'a');

create function alike() returns real language plpgsql set search_path = public as $$ begin return similarity('a', 'a'); end $$;

select alike();

create function alike_too() returns real language sql set search_path = '' as $$ select similarity('a', 'a') $$;

create function named() returns real language sql set search_path = '' as $$ select tools.similarity('a', 'a') $$;

select named();

set search_path = public, tools;

select similarity('a', 'a');

create table x (id int, n real default similarity('a', 'ab'));

create view v as select id, similarity('a', 'a') as n from x;

create function follows() returns real language plpgsql as $$ begin return similarity('a', 'a'); end $$;

select follows();

set search_path = public;

insert into x (id) values (1);

select id, n > 0 as is_alike from x;

select * from v;

select follows();
