-- Bodies in SQL with operators for which there are no such operands.

create type e as enum ('a', 'b'); create table t (a text, e e, j jsonb, n numeric, i int, d date);
--> no rows

create function f1(a numeric, b int) returns text language sql as 'select a || b';
--> ERROR 42883: operator does not exist: numeric || integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 77

create function f2(a text, b e) returns bool language sql as 'select a ~~ b';
--> ERROR 42883: operator does not exist: text ~~ e
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 72

create function f3(a jsonb, b numeric) returns jsonb language sql as 'select a - b';
--> ERROR 42883: operator does not exist: jsonb - numeric
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 80

create function f4(a date, b text) returns date language sql as 'select a + b';
--> ERROR 42883: operator does not exist: date + text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 75

create function f5(a text) returns bool language sql as 'select a like e from t';
--> ERROR 42883: operator does not exist: text ~~ e
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 67

create function f6() returns setof text language sql as 'select n || i from t';
--> ERROR 42883: operator does not exist: numeric || integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 67

create function f7(a int, b text) returns int language sql as 'select a * b';
--> ERROR 42883: operator does not exist: integer * text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 73

create function f8(a text) returns int language sql as 'select -a';
--> ERROR 42883: operator does not exist: - text
--> HINT: No operator matches the given name and argument type. You might need to add an explicit type cast.
--> AT 64

create function f9(a bool) returns int language sql as 'select a + 1';
--> ERROR 42883: operator does not exist: boolean + integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 66

create function f10(a int[], b text) returns int[] language sql as 'select a || b';
--> ERROR 42883: operator does not exist: integer[] || text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 78

create function f11(a int[], b int) returns int[] language sql as 'select a || b';
--> no rows

create function f12(a json, b text) returns text language sql as 'select a ? b';
--> ERROR 42883: operator does not exist: json ? text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 76

create function f13(a json) returns json language sql as 'select a || a';
--> ERROR 42883: operator does not exist: json || json
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 68

create function f14(a uuid) returns text language sql as $$ select 'x' || a $$;
--> no rows

create function f15(a uuid) returns uuid language sql as $$ select a || a $$;
--> ERROR 42883: operator does not exist: uuid || uuid
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 70

create function f16(a interval, b date) returns date language sql as 'select a - b';
--> ERROR 42883: operator does not exist: interval - date
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 80

create function f17(a date, b date) returns interval language sql as 'select a - b';
--> ERROR 42P13: return type mismatch in function declared to return interval
--> DETAIL: Actual return type is integer.

create function f18(a text, b text) returns text language sql as 'select a - b';
--> ERROR 42883: operator does not exist: text - text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 76

create function f19(a text) returns void language sql as 'update t set i = i + a';
--> ERROR 42883: operator does not exist: integer + text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 78

create function f20(a text) returns void language sql as 'insert into t (i) values (a + 1); delete from t where n % a = 0';
--> ERROR 42883: operator does not exist: text + integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 87

create function f21(a point, b int) returns bool language sql as 'select a @> b';
--> ERROR 42883: operator does not exist: point @> integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 76

create function f22(a int4range, b text) returns bool language sql as 'select a @> b';
--> ERROR 42883: operator does not exist: int4range @> text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 81

create function f23(a anyelement) returns anyelement language sql as 'select a + 1';
--> no rows

create function f24(a anyelement) returns text language sql as $$ select a || 'x' $$;
--> no rows

create function f25(a anyarray, b anyelement) returns anyarray language sql as 'select a || b';
--> no rows

create function f26(a jsonb) returns text language sql as $$ select a -> 'x' ->> 1.5 $$;
--> ERROR 42883: operator does not exist: jsonb ->> numeric
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 78

create function f27(a jsonb) returns text language sql as $$ select a #>> 'x' $$;
--> ERROR 22P02: malformed array literal: "x"
--> DETAIL: Array value must start with "{" or dimension information.
--> AT 75

create function f28(a text) returns text language sql as $$ select a #>> '{x}' $$;
--> ERROR 42883: operator does not exist: text #>> unknown
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 70

create function f29(a text, b int) returns text language sql as $$ select a ->> b $$;
--> ERROR 42883: operator does not exist: text ->> integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 77

create function f30(a text) returns text language sql as $$ select a::jsonb ->> 'x' || 1 $$;
--> no rows

create function f31(a text) returns bool language sql as $$ select a @@ a $$;
--> no rows

create function f32(a int) returns bool language sql as $$ select a ~ '1' $$;
--> ERROR 42883: operator does not exist: integer ~ unknown
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 69

create function f33(a int) returns bool language sql as $$ select a similar to '1' $$;
--> ERROR 42883: operator does not exist: integer ~ text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 69

create function f34(a int) returns bool language sql as $$ select a ilike '1' $$;
--> ERROR 42883: operator does not exist: integer ~~* unknown
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 69

create function f35(a money, b numeric) returns money language sql as $$ select a * b $$;
--> no rows

create function f36(a int, b boolean) returns int language sql as $$ select a & b $$;
--> ERROR 42883: operator does not exist: integer & boolean
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 79

create function f37(a numeric) returns numeric language sql as $$ select a & 1 $$;
--> ERROR 42883: operator does not exist: numeric & integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 76

create function f38(a text) returns numeric language sql as $$ select a ^ 2 $$;
--> ERROR 42883: operator does not exist: text ^ integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 73

create function f39(a text) returns numeric language sql as $$ select |/ a $$;
--> ERROR 42883: operator does not exist: |/ text
--> HINT: No operator matches the given name and argument type. You might need to add an explicit type cast.
--> AT 71

create function f40(a text) returns int language sql as $$ select case when a then 1 else 2 end $$;
--> ERROR 42804: argument of CASE/WHEN must be type boolean, not type text
--> AT 77

create function f41(a text[], b text) returns bool language sql as $$ select a @> b $$;
--> ERROR 42883: operator does not exist: text[] @> text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 80

create function f42(a text[], b int[]) returns bool language sql as $$ select a && b $$;
--> ERROR 42883: operator does not exist: text[] && integer[]
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 81

create function f43(a timestamptz, b time) returns timestamptz language sql as $$ select a + b $$;
--> no rows

create function f44(a time, b time) returns time language sql as $$ select a + b $$;
--> ERROR 42725: operator is not unique: time without time zone + time without time zone
--> HINT: Could not choose a best candidate operator. You might need to add explicit type casts.
--> AT 78

create function f45(a text) returns bool language sql as $$ select (a + 1) is null from t where exists (select 1 from t where i || n is null) $$;
--> ERROR 42883: operator does not exist: text + integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 71

create function f48(a hstore) returns int language sql as $$ select 1 $$;
--> ERROR 42704: type hstore does not exist

set check_function_bodies = off; create function f49(a int) returns text language sql as $$ select a || 1 $$;
--> no rows

create procedure p50(a int) language sql as $$ insert into t (a) values (a || 1) $$;
--> ERROR 42883: operator does not exist: integer || integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 76

create function f51(a record) returns text language sql as $$ select a || 1 $$;
--> ERROR 42P13: SQL functions cannot have arguments of type record

create function f52(a t) returns text language sql as $$ select a || 1 $$;
--> ERROR 42883: operator does not exist: t || integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 67

create function f53(a t) returns text language sql as $$ select a.i || a.n $$;
--> ERROR 42883: operator does not exist: integer || numeric
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 69

create view v54 as select i || n as x from t;
--> ERROR 42883: operator does not exist: integer || numeric
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 29

create function f56(a text) returns text language sql as $$ select a || '2'::e $$;
--> ERROR 22P02: invalid input value for enum e: "2"
--> AT 73

create function f57() returns text language sql as $$ select 'b'::e || null $$;
--> no rows

create function f58(a int, b text) returns bool language sql as $$ select a = b $$;
--> ERROR 42883: operator does not exist: integer = text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 77

create function f59(a int, b text) returns bool language sql as $$ select a in (b) $$;
--> ERROR 42883: operator does not exist: integer = text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 77

create function f60(a int, b text) returns bool language sql as $$ select a = any(array[b]) $$;
--> ERROR 42883: operator does not exist: integer = text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 77

create function f61(a int, b text) returns bool language sql as $$ select a between b and b $$;
--> ERROR 42883: operator does not exist: integer >= text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 77

create function f62(a bytea, b text) returns bytea language sql as $$ select a || b $$;
--> ERROR 42P13: return type mismatch in function declared to return bytea
--> DETAIL: Actual return type is text.

create function f63(a bit, b text) returns bit language sql as $$ select a || b $$;
--> ERROR 42P13: return type mismatch in function declared to return bit
--> DETAIL: Actual return type is text.

create function f64(a tsvector, b text) returns tsvector language sql as $$ select a || b $$;
--> ERROR 42P13: return type mismatch in function declared to return tsvector
--> DETAIL: Actual return type is text.

create function f65(a jsonb, b text) returns jsonb language sql as $$ select a || b $$;
--> ERROR 42P13: return type mismatch in function declared to return jsonb
--> DETAIL: Actual return type is text.

create function f66(a jsonb, b int) returns jsonb language sql as $$ select a || b $$;
--> ERROR 42883: operator does not exist: jsonb || integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 79

create function f67(a jsonb, b text) returns jsonb language sql as $$ select a - b $$;
--> no rows

create function f68(a inet, b text) returns inet language sql as $$ select a + b $$;
--> ERROR 42883: operator does not exist: inet + text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 78

create function f70(a int) returns int language sql as $$ select a <=> 1 $$;
--> ERROR 42883: operator does not exist: integer <=> integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 68

create table t2 (a text, i int);
--> no rows

select - a from t2;
--> ERROR 42883: operator does not exist: - text
--> HINT: No operator matches the given name and argument type. You might need to add an explicit type cast.
--> AT 8

select |/ a from t2;
--> ERROR 42883: operator does not exist: |/ text
--> HINT: No operator matches the given name and argument type. You might need to add an explicit type cast.
--> AT 8

select 1, @ a from t2;
--> ERROR 42883: operator does not exist: @ text
--> HINT: No operator matches the given name and argument type. You might need to add an explicit type cast.
--> AT 11

select i similar to '1' from t2;
--> ERROR 42883: operator does not exist: integer ~ text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 10

select i not similar to '1' from t2;
--> ERROR 42883: operator does not exist: integer !~ text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 10

select a similar to i from t2;
--> ERROR 42883: function pg_catalog.similar_to_escape(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 10

create function s(a int) returns bool language sql as $$ select a similar to '1' $$;
--> ERROR 42883: operator does not exist: integer ~ text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 67

select s(1);
--> ERROR 42883: function s(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create view v as select -a from t2;
--> ERROR 42883: operator does not exist: - text
--> HINT: No operator matches the given name and argument type. You might need to add an explicit type cast.
--> AT 25

select i ~ '1' from t2;
--> ERROR 42883: operator does not exist: integer ~ unknown
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 10
