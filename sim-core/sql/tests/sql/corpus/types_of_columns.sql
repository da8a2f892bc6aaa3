-- Types of columns in the heads of functions.

create table places (id bigint primary key, name varchar(20));
--> no rows

create function n1() returns table (id public.places.id%type, name places.name%type) language sql as $$ select id, name from public.places $$;
--> no rows

create function f1(a public.places.id%type, out b public.places.name%type) language sql as $$ select name from public.places where id = a $$;
--> no rows

create function f2(public.places.id%type) returns setof public.places.name%type language sql as $$ select name from public.places where id = $1 $$;
--> no rows

create function f3(a public.places.nope%type) returns int language sql as $$ select 1 $$;
--> ERROR 42703: column "nope" of relation "places" does not exist

create function f4(a public.nowhere.nope%type) returns int language sql as $$ select 1 $$;
--> ERROR 42P01: relation "public.nowhere" does not exist

create function f5(a nope%type) returns int language sql as $$ select 1 $$;
--> ERROR 42601: syntax error at or near "%"
--> AT 26

insert into places values (1, 'x');
--> no rows

select * from n1();
--> {"id":1,"name":"x"}

select f1(1), f2(1);
--> {"f1":"x","f2":"x"}

grant execute on function f1(public.places.id%type) to anon;
--> no rows

alter function f2(places.id%type) immutable;
--> no rows

create procedure pr(inout a places.name%type) language plpgsql as $$ begin a := a || '!'; end $$;
--> no rows

call pr('hi');
--> {"a":"hi!"}

drop function f1(places.id%type);
--> no rows

drop procedure if exists pr(places.name%type);
--> no rows

create index on places (public.f2(id));
--> ERROR 0A000: set-returning functions are not allowed in index expressions
--> AT 25

create function public.g(x bigint) returns text immutable language sql as $$ select x::text $$;
--> no rows

create index named on places (public.g(id), lower(name) desc);
--> no rows

select indexdef from pg_indexes where indexname = 'named';
--> {"indexdef":"CREATE INDEX named ON public.places USING btree (g(id), lower((name)::text) DESC)"}

set check_function_bodies = off;
--> no rows

create function later(a text default 'T') returns text language sql as $$ select a || count(*) from not_there_yet $$;
--> ERROR 42P01: relation "not_there_yet" does not exist
--> AT 101

reset check_function_bodies;
--> no rows

create table before_it (id int, code text default later());
--> ERROR 42883: function later() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 51

insert into before_it values (1, default);
--> ERROR 42P01: relation "before_it" does not exist
--> AT 13

create table not_there_yet (id int);
--> no rows

insert into before_it values (1, default);
--> ERROR 42P01: relation "before_it" does not exist
--> AT 13

select * from before_it;
--> ERROR 42P01: relation "before_it" does not exist
--> AT 15
