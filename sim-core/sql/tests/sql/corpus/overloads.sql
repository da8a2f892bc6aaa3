-- Which of several functions of one name a call means: the types of its arguments, literals without a type, defaults, names, VARIADIC.

create function d(a date) returns int language sql as 'select 1';
--> no rows

create function d(a timestamptz) returns int language sql as 'select 2';
--> no rows

select d('2026-01-01');
--> {"d":2}

create function ov(a int) returns int language sql as 'select 1';
--> no rows

create function ov(a int, b int default 1) returns int language sql as 'select 2';
--> no rows

select ov(1);
--> ERROR 42725: function ov(integer) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select ov(1,2);
--> {"ov":2}

create function dd(a int default 1) returns int language sql as 'select 1';
--> no rows

create function dd(a bigint default 2) returns int language sql as 'select 2';
--> no rows

select dd();
--> ERROR 42725: function dd() is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select dd(1);
--> {"dd":1}

select dd(1::bigint);
--> {"dd":2}

select dd('1');
--> ERROR 42725: function dd(unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

create function j(a json) returns text language sql as $$ select 'json' $$;
--> no rows

create function j(a jsonb) returns text language sql as $$ select 'jsonb' $$;
--> no rows

select j('{}');
--> ERROR 42725: function j(unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select j('{}'::jsonb);
--> {"j":"jsonb"}

create function e(a int[]) returns text language sql as $$ select 'int[]' $$;
--> no rows

create function e(a text[]) returns text language sql as $$ select 'text[]' $$;
--> no rows

select e('{}');
--> ERROR 42725: function e(unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select e(array[1]);
--> {"e":"int[]"}

select e(array['x']);
--> {"e":"text[]"}

create function n(a int, b numeric) returns int language sql as 'select 1';
--> no rows

create function n(a numeric, b int) returns int language sql as 'select 2';
--> no rows

select n(1,1);
--> ERROR 42725: function n(integer, integer) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select n(1,1.0);
--> {"n":1}

select n('1','1');
--> ERROR 42725: function n(unknown, unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

create function ov2(a int) returns int language sql as 'select 1';
--> no rows

create function ov2(a numeric, b int default 1) returns int language sql as 'select 2';
--> no rows

select ov2(1::smallint);
--> ERROR 42725: function ov2(smallint) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select ov2(1.5);
--> {"ov2":2}

create function k(a text) returns text language sql as $$ select 'text' $$;
--> no rows

create function k(a date) returns text language sql as $$ select 'date' $$;
--> no rows

select k(a => 'x');
--> {"k":"text"}

create function k2(a timestamp) returns text language sql as $$ select 'ts' $$;
--> no rows

create function k2(a date) returns text language sql as $$ select 'date' $$;
--> no rows

select k2(a => '2020-01-01');
--> ERROR 42725: function k2(a => unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select k2('2020-01-01');
--> ERROR 42725: function k2(unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

create function f3(a float8) returns text language sql as $$ select 'float8' $$;
--> no rows

create function f3(a numeric) returns text language sql as $$ select 'numeric' $$;
--> no rows

select f3(1), f3(1.5), f3('1'), f3(1::bigint);
--> {"f3":"float8"}

create function f4(a numeric) returns text language sql as $$ select 'numeric' $$;
--> no rows

create function f4(a bigint) returns text language sql as $$ select 'bigint' $$;
--> no rows

select f4(1), f4(1.5), f4(1::smallint);
--> ERROR 42725: function f4(integer) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select f4('1');
--> ERROR 42725: function f4(unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select f4(null);
--> ERROR 42725: function f4(unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

create function f5(a uuid) returns text language sql as $$ select 'uuid' $$;
--> no rows

create function f5(a text) returns text language sql as $$ select 'text' $$;
--> no rows

select f5('00000000-0000-0000-0000-000000000000'), f5(null), f5(gen_random_uuid());
--> {"f5":"uuid"}

create function f6(a anyelement) returns text language sql as $$ select 'any' $$;
--> no rows

create function f6(a int) returns text language sql as $$ select 'int' $$;
--> no rows

select f6(1), f6(1::bigint), f6('x'::text);
--> {"f6":"any"}

select f6('x');
--> ERROR 42725: function f6(unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select f6('1');
--> ERROR 42725: function f6(unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

create function f7(variadic a int[]) returns text language sql as $$ select 'variadic' $$;
--> no rows

create function f7(a int) returns text language sql as $$ select 'one' $$;
--> no rows

create function f7(a int, b int) returns text language sql as $$ select 'two' $$;
--> no rows

select f7(1), f7(1,2), f7(1,2,3), f7(variadic array[1]);
--> {"f7":"variadic"}

create function f8(a int, variadic b int[]) returns text language sql as $$ select 'v2' $$;
--> no rows

create function f8(variadic a int[]) returns text language sql as $$ select 'v1' $$;
--> no rows

select f8(1);
--> {"f8":"v1"}

select f8(1,2);
--> ERROR 42725: function f8(integer, integer) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

create function va(a int, variadic c int[] default '{}') returns int language sql as $$ select a + coalesce(array_length(c,1),0) $$;
--> no rows

select va(1), va(1,2), va(1,2,3);
--> {"va":3}

select va(a => 1);
--> ERROR 42883: function va(a => integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function lower(a int) returns text language sql as $$ select 'mine' $$;
--> no rows

select lower('ABC'), lower(1), lower('X'::text), lower('X'::varchar);
--> {"lower":"x"}

create function upper(a text) returns text language sql as $$ select 'mine' $$;
--> no rows

select upper('abc'), public.upper('abc'), pg_catalog.upper('abc');
--> {"upper":"ABC"}

create function now() returns timestamptz language sql as $$ select '2020-01-01'::timestamptz $$;
--> no rows

select now() > '2021-01-01', public.now() > '2021-01-01';
--> {"?column?":false}

create schema s1;
--> no rows

create schema s2;
--> no rows

create function s1.q(a int) returns text language sql as $$ select 's1' $$;
--> no rows

create function s2.q(a int) returns text language sql as $$ select 's2' $$;
--> no rows

create function s2.q(a text) returns text language sql as $$ select 's2 text' $$;
--> no rows

set search_path = s1, s2, public;
--> no rows

select q(1), q('x'), q(null);
--> ERROR 42883: function q(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

set search_path = s2, s1, public;
--> no rows

select q(1), q('x'::text);
--> ERROR 42883: function q(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

reset search_path;
--> no rows

create procedure pr(a int) language sql as $$ select 1 $$;
--> no rows

create procedure pr(a int, b int default 1) language sql as $$ select 1 $$;
--> no rows

call pr(1);
--> ERROR 42725: procedure pr(integer) is not unique
--> HINT: Could not choose a best candidate procedure. You might need to add explicit type casts.
--> AT 6

call pr(1,2);
--> no rows

call pr('x', 'y', 'z');
--> ERROR 42883: procedure pr(unknown, unknown, unknown) does not exist
--> HINT: No procedure matches the given name and argument types. You might need to add explicit type casts.
--> AT 6

create procedure po(a int, out b int) language plpgsql as $$ begin b := a*2; end $$;
--> no rows

create procedure po(a text, out b text) language plpgsql as $$ begin b := a||a; end $$;
--> no rows

call po(1, null);
--> {"b":2}

call po('x', null);
--> {"b":"xx"}

call po(1, null::int);
--> {"b":2}

call po('x'::text, null::int);
--> ERROR 42883: procedure po(text, integer) does not exist
--> HINT: No procedure matches the given name and argument types. You might need to add explicit type casts.
--> AT 6

do $$ declare x int; begin call po(2, b => x); raise notice '%', x; end $$;
--> no rows

do $$ declare x int; y text; begin call po(2, x); call po('q'::text, y); raise notice '% %', x, y; end $$;
--> no rows

create function nm(a int, b text default 'b', c bool default false) returns text language sql as $$ select format('%s %s %s', a, b, c) $$;
--> no rows

select nm(1), nm(1, c => true), nm(b => 'x', a => 2), nm(a := 3, c := true);
--> {"nm":"3 b t"}

select nm(1, a => 2);
--> ERROR 42883: function nm(integer, a => integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select nm(b => 'x');
--> ERROR 42883: function nm(b => unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select nm(1, d => 2);
--> ERROR 42883: function nm(integer, d => integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function nm(a int, x int) returns text language sql as $$ select 'x' $$;
--> no rows

select nm(a => 1, x => 2), nm(1, 2);
--> {"nm":"x"}

select nm(1, b => 'z');
--> {"nm":"1 z f"}

create function ch(a char) returns text language sql as $$ select 'char' $$;
--> no rows

create function ch(a varchar) returns text language sql as $$ select 'varchar' $$;
--> no rows

create function ch(a text) returns text language sql as $$ select 'text' $$;
--> no rows

select ch('x'), ch('x'::text), ch('x'::varchar), ch('x'::char), ch('x'::name);
--> {"ch":"text"}

create function b1(a bool) returns text language sql as $$ select 'bool' $$;
--> no rows

create function b1(a int) returns text language sql as $$ select 'int' $$;
--> no rows

select b1('t');
--> ERROR 42725: function b1(unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select b1(true), b1(1), b1(1::smallint);
--> {"b1":"int"}

create domain di as int;
--> no rows

create function dm(a di) returns text language sql as $$ select 'di' $$;
--> no rows

create function dm(a bigint) returns text language sql as $$ select 'bigint' $$;
--> no rows

select dm(1::di), dm(1), dm(1::bigint), dm(1::smallint);
--> ERROR 42725: function dm(integer) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 19

create type mood as enum ('a','b');
--> no rows

create function en(a mood) returns text language sql as $$ select 'mood' $$;
--> no rows

create function en(a int) returns text language sql as $$ select 'int' $$;
--> no rows

select en('a'::mood);
--> {"en":"mood"}

select en('a');
--> ERROR 42725: function en(unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

create function en2(a mood) returns text language sql as $$ select 'mood' $$;
--> no rows

create function en2(a text) returns text language sql as $$ select 'text' $$;
--> no rows

select en2('a'), en2('a'::mood), en2('a'::text);
--> {"en2":"text"}

create table tt (i int);
--> no rows

insert into tt values (1);
--> no rows

create function rw(a tt) returns text language sql as $$ select 'tt' $$;
--> no rows

create function rw(a int) returns text language sql as $$ select 'int' $$;
--> no rows

select rw(tt), rw(tt.i), rw(tt.*) from tt;
--> {"rw":"tt"}

select rw(row(1));
--> {"rw":"tt"}

create function iv(a interval) returns text language sql as $$ select 'interval' $$;
--> no rows

create function iv(a time) returns text language sql as $$ select 'time' $$;
--> no rows

select iv('1:00');
--> ERROR 42725: function iv(unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select iv(interval '1h'), iv(time '1:00');
--> {"iv":"time"}

create aggregate ag(int) (sfunc = int4pl, stype = int, initcond = '0');
--> no rows

create aggregate ag(numeric) (sfunc = numeric_add, stype = numeric, initcond = '0');
--> no rows

select ag(x) from (values (1),(2)) v(x);
--> {"ag":3}

select ag(x::smallint) from (values (1),(2)) v(x);
--> ERROR 42725: function ag(smallint) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select ag(x::float8) from (values (1),(2)) v(x);
--> ERROR 42883: function ag(double precision) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select ag('1');
--> ERROR 42725: function ag(unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8
