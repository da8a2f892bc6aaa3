-- Calls: VARIADIC, polymorphic types, INOUT and OUT parameters, defaults, names of arguments, rows and sets.

create function v1(variadic a text[]) returns int language sql as $$ select array_length(a,1) $$;
--> no rows

select v1('a'), v1('a','b'), v1(variadic array['x','y','z']);
--> {"v1":3}

select v1();
--> ERROR 42883: function v1() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select v1(1);
--> ERROR 42883: function v1(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select v1(variadic '{a,b}');
--> {"v1":2}

select v1(variadic null);
--> {"v1":null}

create function v2(sep text, variadic a anyarray) returns text language sql as $$ select array_to_string(a, sep) $$;
--> no rows

select v2(',', 1, 2, 3), v2('-', 'a'::text, 'b'), v2('-', variadic array[1,2]);
--> {"v2":"1-2"}

select v2(',', 'a', 'b');
--> ERROR 42804: could not determine polymorphic type because input has type unknown

select v2(',');
--> ERROR 42883: function v2(unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function v3(a anyelement, b anyelement) returns anyelement language sql as $$ select coalesce(a, b) $$;
--> no rows

select v3(1, 2), v3(null, 2), v3('a'::text, 'b'), v3(1.5, 2.5);
--> {"v3":"1.5"}

select v3(1, 2.5);
--> ERROR 42883: function v3(integer, numeric) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select v3('a', 'b');
--> ERROR 42804: could not determine polymorphic type because input has type unknown

select v3(null, null);
--> ERROR 42804: could not determine polymorphic type because input has type unknown

create function v4(a anyarray, b anyelement) returns bool language sql as $$ select b = any(a) $$;
--> no rows

select v4(array[1,2], 1), v4(array['a'], 'a'), v4('{1,2}'::int[], 3);
--> {"v4":false}

select v4(array[1,2], 'x'::text);
--> ERROR 42883: function v4(integer[], text) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select v4(1, 1);
--> ERROR 42883: function v4(integer, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function v5(a anycompatible, b anycompatible) returns anycompatible language sql as $$ select greatest(a, b) $$;
--> no rows

select v5(1, 2.5), v5(1::bigint, 2::smallint), v5('a', 'b');
--> {"v5":"b"}

create function v6(a anyenum) returns text language sql as $$ select a::text $$;
--> no rows

create type mood as enum ('ok','bad');
--> no rows

select v6('ok'::mood);
--> {"v6":"ok"}

select v6(1);
--> ERROR 42883: function v6(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function v7(a anynonarray) returns text language sql as $$ select a::text $$;
--> no rows

select v7(1), v7('x'::text);
--> {"v7":"x"}

select v7(array[1]);
--> ERROR 42883: function v7(integer[]) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create procedure p1(inout a int, inout b text default 'x') language plpgsql as $$ begin a := a + 1; b := b || a; end $$;
--> no rows

call p1(1);
--> {"a":2,"b":"x2"}

call p1(1, 'q');
--> {"a":2,"b":"q2"}

call p1(b => 'z', a => 4);
--> {"a":5,"b":"z5"}

call p1('5');
--> {"a":6,"b":"x6"}

do $$ declare x int := 1; y text := 'a'; begin call p1(x, y); raise notice '% %', x, y; call p1(x); end $$;
--> ERROR 42601: procedure parameter "b" is an output parameter but corresponding argument is not writable

do $$ declare x int := 1; y text := 'a'; begin call p1(b => y, a => x); raise notice '% %', x, y; end $$;
--> no rows

do $$ begin call p1(1, 'x'); end $$;
--> ERROR 42601: procedure parameter "a" is an output parameter but corresponding argument is not writable

create procedure p2(a int, out x int, out y text) language plpgsql as $$ begin x := a; y := 'y'; end $$;
--> no rows

call p2(1, null, null);
--> {"x":1,"y":"y"}

call p2(1);
--> ERROR 42883: procedure p2(integer) does not exist
--> HINT: No procedure matches the given name and argument types. You might need to add explicit type casts.
--> AT 6

call p2(1, 2, 3);
--> ERROR 42883: procedure p2(integer, integer, integer) does not exist
--> HINT: No procedure matches the given name and argument types. You might need to add explicit type casts.
--> AT 6

do $$ declare m int; n text; begin call p2(7, m, n); raise notice '% %', m, n; end $$;
--> no rows

create procedure p3(variadic a int[]) language plpgsql as $$ begin raise notice '%', a; end $$;
--> no rows

call p3(1,2,3);
--> no rows

call p3();
--> ERROR 42883: procedure p3() does not exist
--> HINT: No procedure matches the given name and argument types. You might need to add explicit type casts.
--> AT 6

select p1(1, 'x');
--> ERROR 42809: p1(integer, unknown) is a procedure
--> HINT: To call a procedure, use CALL.
--> AT 8

create function f1() returns int language sql as 'select 1';
--> no rows

call f1();
--> ERROR 42809: f1() is not a procedure
--> HINT: To call a function, use SELECT.
--> AT 6

call nosuch(1);
--> ERROR 42883: procedure nosuch(integer) does not exist
--> HINT: No procedure matches the given name and argument types. You might need to add explicit type casts.
--> AT 6

call nosuch.p(1);
--> ERROR 3F000: schema "nosuch" does not exist
--> AT 6

call public.p1(1, 'a');
--> {"a":2,"b":"a2"}

create function d1(a int, b int default 10, c int default 20) returns int language sql as 'select a + b + c';
--> no rows

select d1(1), d1(1,2), d1(1,2,3), d1(1, c => 5), d1(a => 1, b => 2);
--> {"d1":23}

select d1();
--> ERROR 42883: function d1() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select d1(1, 2, 3, 4);
--> ERROR 42883: function d1(integer, integer, integer, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select d1(1, a => 3);
--> ERROR 42883: function d1(integer, a => integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select d1(a => 1, a => 2);
--> ERROR 42601: argument name "a" used more than once
--> AT 19

select d1(c => 1);
--> ERROR 42883: function d1(c => integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select d1(1, nope => 3);
--> ERROR 42883: function d1(integer, nope => integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select d1(b => 1, 2);
--> ERROR 42601: positional argument cannot follow named argument
--> AT 19

create function d2(a timestamptz default now()) returns bool language sql as 'select a is not null';
--> no rows

select d2(), d2(null);
--> {"d2":false}

create function d3(a int default null, b text default null) returns text language sql as $$ select format('%s/%s', a, b) $$;
--> no rows

select d3(), d3(1), d3(b => 'x');
--> {"d3":"/x"}

create function d4(a json default '{}'::json) returns text language sql as $$ select a::text $$;
--> no rows

select d4();
--> {"d4":"{}"}

create function d5(a text[] default '{}') returns int language sql as $$ select cardinality(a) $$;
--> no rows

select d5(), d5(array['a']);
--> {"d5":1}

select * from d1(1);
--> {"d1":31}

select * from d1(1) as x(y);
--> {"y":31}

create function t1(a int) returns table (x int, y text) language sql as $$ select a, 'r' || a $$;
--> no rows

select t1(1), (t1(2)).y;
--> {"t1":"(1,r1)","y":"r2"}

select * from t1(3);
--> {"x":3,"y":"r3"}

select x from t1(4) where y = 'r4';
--> {"x":4}

select t.x, t.y from t1(5) t;
--> {"x":5,"y":"r5"}

select * from t1(1) with ordinality;
--> {"x":1,"y":"r1","ordinality":1}

create function t2(n int) returns setof int language sql as $$ select generate_series(1, n) $$;
--> no rows

select t2(3);
--> {"t2":1}
--> {"t2":2}
--> {"t2":3}

select * from t2(3);
--> {"t2":1}
--> {"t2":2}
--> {"t2":3}

select t2 from t2(2);
--> {"t2":1}
--> {"t2":2}

select sum(t2) from t2(4);
--> {"sum":10}

create function t3() returns setof record language sql as $$ select 1, 'a'::text $$;
--> no rows

select * from t3();
--> ERROR 42601: a column definition list is required for functions returning "record"
--> AT 15

create function o1(a int, out b int, out c text) language sql as $$ select a, a::text $$;
--> no rows

select o1(1), (o1(2)).c;
--> {"o1":"(1,1)","c":"2"}

select * from o1(3);
--> {"b":3,"c":"3"}

create function o2(inout a int) language sql as $$ select a + 1 $$;
--> no rows

select o2(1), (select o2 from o2(4));
--> {"o2":5}

create function o3(out int, out text) language sql as $$ select 1, 'x' $$;
--> no rows

select o3();
--> {"o3":"(1,x)"}

select * from o3();
--> {"column1":1,"column2":"x"}

create function same1(a int, b text) returns text language sql as $$ select 'it' $$;
--> no rows

create function same1(a text, b int) returns text language sql as $$ select 'ti' $$;
--> no rows

select same1(1, 'x'), same1('x', 1);
--> {"same1":"ti"}

select same1('1', '2');
--> ERROR 42725: function same1(unknown, unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select same1(null, 1);
--> {"same1":"ti"}

create function n1(a numeric) returns text language sql as $$ select 'numeric' $$;
--> no rows

create function n1(a float4) returns text language sql as $$ select 'float4' $$;
--> no rows

select n1(1), n1(1.5), n1(1.5::float8);
--> ERROR 42725: function n1(integer) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select n1(1::float4), n1(2::bigint);
--> ERROR 42725: function n1(bigint) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 23

create function s1(a varchar) returns text language sql as $$ select 'varchar' $$;
--> no rows

create function s1(a char(3)) returns text language sql as $$ select 'char' $$;
--> no rows

select s1('a');
--> ERROR 42725: function s1(unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select s1('a'::text);
--> ERROR 42725: function s1(text) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

create function i1(a inet) returns text language sql as $$ select 'inet' $$;
--> no rows

create function i1(a cidr) returns text language sql as $$ select 'cidr' $$;
--> no rows

select i1('10.0.0.1'), i1('10.0.0.0/8'::cidr);
--> {"i1":"cidr"}

create function tz(a timestamptz) returns text language sql as $$ select 'timestamptz' $$;
--> no rows

create function tz(a timestamp) returns text language sql as $$ select 'timestamp' $$;
--> no rows

select tz('2020-01-01'), tz(now()), tz(now()::timestamp), tz(current_date);
--> {"tz":"timestamptz"}

create function bb(a bytea) returns text language sql as $$ select 'bytea' $$;
--> no rows

create function bb(a text) returns text language sql as $$ select 'text' $$;
--> no rows

select bb('x'), bb('x'::bytea), bb(1::text);
--> {"bb":"text"}

create function ja(a jsonb) returns text language sql as $$ select 'jsonb' $$;
--> no rows

create function ja(a text) returns text language sql as $$ select 'text' $$;
--> no rows

select ja('{}'), ja('{}'::jsonb), ja('{}'::json::text);
--> {"ja":"text"}

select ja('{}'::json);
--> ERROR 42883: function ja(json) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function arr(a text[]) returns text language sql as $$ select 'text[]' $$;
--> no rows

create function arr(a text) returns text language sql as $$ select 'text' $$;
--> no rows

select arr('{}'), arr(array['a']), arr(array[]::text[]);
--> {"arr":"text[]"}

drop function ov;
--> ERROR 42883: could not find a function named "ov"

drop function arr;
--> ERROR 42725: function name "arr" is not unique
--> HINT: Specify the argument list to select the function unambiguously.

drop function arr(text);
--> no rows

drop function arr;
--> no rows

select arr(array['x']);
--> ERROR 42883: function arr(text[]) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

alter function same1(int, text) rename to same2;
--> no rows

alter function same1 rename to same3;
--> no rows

comment on function n1 is 'x';
--> ERROR 42725: function name "n1" is not unique
--> HINT: Specify the argument list to select the function unambiguously.

grant execute on function n1 to public;
--> ERROR 42725: function name "n1" is not unique
--> HINT: Specify the argument list to select the function unambiguously.

select 'n1'::regproc;
--> ERROR 42725: more than one function named "n1"
--> AT 8

select 'n1(numeric)'::regprocedure;
--> {"regprocedure":"n1(numeric)"}

select pg_get_function_identity_arguments('d1'::regproc), pg_get_function_arguments('d1'::regproc), pg_get_function_result('t1'::regproc);
--> {"pg_get_function_identity_arguments":"a integer, b integer, c integer","pg_get_function_arguments":"a integer, b integer DEFAULT 10, c integer DEFAULT 20","pg_get_function_result":"TABLE(x integer, y text)"}

create function rec(n int) returns int language sql as $$ select case when n <= 1 then 1 else n * rec(n - 1) end $$;
--> no rows

create function rec2(n int) returns int language plpgsql as $$ begin if n <= 1 then return 1; end if; return n * rec2(n - 1); end $$;
--> no rows

select rec2(5);
--> {"rec2":120}

select round(1.5::float8, 1);
--> ERROR 42883: function round(double precision, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select length(1);
--> ERROR 42883: function length(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select substr('abc', '2');
--> {"substr":"bc"}

select abs('-5');
--> {"abs":5}

select to_char(now(), 'YYYY') is not null, to_char(1, '9'), to_char('1', '9');
--> ERROR 42725: function to_char(unknown, unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 61

select date_trunc('day', '2020-01-01 10:00') is not null;
--> ERROR 42725: function date_trunc(unknown, unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select coalesce(max('a'), 'b');
--> {"coalesce":"a"}

select sum('1');
--> ERROR 42725: function sum(unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select greatest('a', 1);
--> ERROR 22P02: invalid input syntax for type integer: "a"
--> AT 17

select concat(1, 'a', null, true), concat_ws(',', 1, 2);
--> {"concat":"1at","concat_ws":"1,2"}

select lpad(1, 2, '0');
--> ERROR 42883: function lpad(integer, integer, unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select json_build_object('a', 1, 'b', 'x');
--> {"json_build_object":{"a":1,"b":"x"}}

select array_append('{1}', 2), array_append(null, 1), array_cat('{1}', '{2}');
--> {"array_append":[1],"array_cat":["1","2"]}

select mod(5, '3'), power(2, '3'), div(7, 2);
--> {"mod":2,"power":8,"div":"3"}

select generate_series('2020-01-01', '2020-01-02', '1 day');
--> ERROR 42725: function generate_series(unknown, unknown, unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select generate_series(1, '3');
--> {"generate_series":1}
--> {"generate_series":2}
--> {"generate_series":3}

select date_part('year', '2020-01-01');
--> ERROR 42725: function date_part(unknown, unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select left('abc', '1'), repeat('a', 2.0);
--> ERROR 42883: function repeat(unknown, numeric) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 26

select trunc('1.5'), sqrt('4'), ceil('1.2'), sign('-1');
--> ERROR 42725: function trunc(unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select lower(int4range(1,2)), upper('x'), lower('[1,2)');
--> {"lower":"[1,2)","upper":"X"}

select width_bucket(5, 1, 10, 3), random() < 1;
--> {"width_bucket":2,"?column?":true}

select * from t3() as (a int, b text);
--> {"a":1,"b":"a"}

select b, a from t3() as t(a int, b text) where a = 1;
--> {"b":"a","a":1}

select * from jsonb_to_recordset('[{"a":1,"b":"x"}]') as (a int, b text);
--> {"a":1,"b":"x"}

select * from json_to_record('{"a":1}') as (a int);
--> {"a":1}

with w(a) as (select 1), v(b) as (values (2)) select a, b from w, v;
--> {"a":1,"b":2}
