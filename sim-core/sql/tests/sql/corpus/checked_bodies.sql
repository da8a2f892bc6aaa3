-- Bodies in SQL that call what does not exist, and privileges of types.

create table t(id int);
--> no rows

create function one(a int) returns int language sql as $$ select a $$;
--> no rows

create function sf1() returns int language sql as $$ select nofunc(1) $$;
--> ERROR 42883: function nofunc(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 61

create function sf2() returns int language sql as $$ select one('x'::text) $$;
--> ERROR 42883: function one(text) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 61

create function sf3() returns int language sql as $$ select one('1') $$;
--> no rows

create function sf4() returns int language sql as $$ select 1; select count(*)::int from t where nope(id) $$;
--> ERROR 42883: function nope(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 98

create function sf5() returns int language sql as $$ select 1; select one(id, 2) from t $$;
--> ERROR 42883: function one(integer, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 71

create function sf6() returns void language sql as $$ insert into t select nofunc(1) $$;
--> ERROR 42883: function nofunc(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 76

set check_function_bodies = off;
--> no rows

create function sf7() returns int language sql as $$ select nofunc(1) $$;
--> ERROR 42883: function nofunc(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 61

reset check_function_bodies;
--> no rows

create table pk(id int primary key); create table fk(id int references pk);
--> no rows

alter table fk disable trigger user;
--> no rows

alter table t disable trigger all;
--> no rows

create type mood as enum ('a');
--> no rows

create domain small as int;
--> no rows

grant usage on type missing_type to public;
--> ERROR 42704: type "missing_type" does not exist

revoke usage on type missing_type from public;
--> ERROR 42704: type "missing_type" does not exist

grant usage on domain small to public;
--> no rows

grant usage on type mood, small, pg_catalog.int4 to public;
--> no rows

prepare pr as select 1 as a, 'x' as b;
--> no rows

create table ce as execute pr;
--> ERROR 26000: prepared statement "pr" does not exist

select * from ce;
--> ERROR 42P01: relation "ce" does not exist
--> AT 15

prepare pr2(int) as select $1 as a;
--> no rows

create table ce2 as execute pr2(5);
--> ERROR 26000: prepared statement "pr2" does not exist

create temp table ce3 as execute pr2(6) with no data;
--> ERROR 26000: prepared statement "pr2" does not exist

select * from ce2;
--> ERROR 42P01: relation "ce2" does not exist
--> AT 15

create table ce4 as execute missing;
--> ERROR 26000: prepared statement "missing" does not exist
