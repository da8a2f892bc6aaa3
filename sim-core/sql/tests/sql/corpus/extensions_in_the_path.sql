-- Functions of extensions are found where the schema of the extension is searched.

create schema tools;
--> no rows

create extension pg_trgm schema tools;
--> no rows

select similarity('a', 'a');
--> ERROR 42883: function similarity(unknown, unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select tools.similarity('a', 'a');
--> {"similarity":1}

create function alike() returns real language plpgsql set search_path = public as $$ begin return similarity('a', 'a'); end $$;
--> no rows

select alike();
--> ERROR 42883: function similarity(unknown, unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.

create function named() returns real language sql set search_path = '' as $$ select tools.similarity('a', 'a') $$;
--> no rows

select named();
--> {"named":1}

set search_path = public, tools; select similarity('a', 'a');
--> {"similarity":1}

set search_path = public, tools; create table x (id int, n real default similarity('a', 'ab'));
--> no rows

set search_path = public, tools; create view v as select id, similarity('a', 'a') as n from x;
--> no rows

create function follows() returns real language plpgsql as $$ begin return similarity('a', 'a'); end $$;
--> no rows

set search_path = public, tools; select follows();
--> {"follows":1}

set search_path = public; insert into x (id) values (1);
--> no rows

select id, n > 0 as is_alike from x;
--> {"id":1,"is_alike":true}

select * from v;
--> {"id":1,"n":1}

select follows();
--> ERROR 42883: function similarity(unknown, unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
