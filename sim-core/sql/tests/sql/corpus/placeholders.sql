-- Placeholders of ranges and of compatible types, their defaults, and types that no column can have.

create function t1(r anyrange) returns anyelement language sql as 'select lower(r)';
--> no rows

select t1(int4range(1,5)), t1(numrange(1.5,2));
--> {"t1":"1.5"}

create function t2(m anymultirange) returns anyrange language sql as 'select range_merge(m)';
--> no rows

select t2('{[1,2),[5,7)}'::int4multirange);
--> {"t2":"[1,7)"}

create function t3(a anycompatible, b anycompatible) returns anycompatible language sql as 'select greatest(a, b)';
--> no rows

select t3(1, 2.5), pg_typeof(t3(1, 2.5));
--> {"t3":"2.5","pg_typeof":"numeric"}

create function t4(r anycompatiblerange, v anycompatible) returns boolean language sql as 'select r @> v';
--> no rows

select t4(numrange(1, 5), 3);
--> {"t4":true}

create function t5(a anycompatiblearray, v anycompatible) returns anycompatiblearray language sql as 'select array_append(a, v)';
--> no rows

select t5(array[1,2], 3);
--> {"t5":[1,2,3]}

create function t6(a anycompatiblenonarray) returns text language sql as 'select a::text';
--> no rows

select t6(3);
--> {"t6":"3"}

create function t7(a anycompatiblemultirange) returns anycompatiblerange language sql as 'select range_merge(a)';
--> no rows

select t7('{[1,2)}'::int4multirange);
--> {"t7":"[1,2)"}

create function t8(a anyelement) returns anyrange language sql as 'select null';
--> ERROR 42P13: cannot determine result data type
--> DETAIL: A result of type anyrange requires at least one input of type anyrange or anymultirange.

create function t9(a anyrange) returns anymultirange language sql as 'select multirange(a)';
--> no rows

select t9(int4range(1,5));
--> {"t9":"{[1,5)}"}

create function t10(a anyenum) returns anyarray language sql as 'select enum_range(a)';
--> no rows

create function pl1(r anyrange) returns anyelement language plpgsql as 'begin return upper(r); end';
--> no rows

select pl1(daterange('2020-01-01','2020-02-01'));
--> {"pl1":"2020-02-01"}

create function pl2(r anyrange, out lo anyelement, out hi anyelement) language plpgsql as 'begin lo := lower(r); hi := upper(r); end';
--> no rows

select * from pl2(int4range(1,5));
--> {"lo":1,"hi":5}

select t1('[1,2)');
--> ERROR 42804: could not determine polymorphic type because input has type unknown

select t1(5);
--> ERROR 42883: function t1(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function an5(a anyelement default null::int) returns anyelement language sql as 'select a';
--> no rows

select an5(), pg_typeof(an5()), an5(3.5);
--> {"an5":"3.5","pg_typeof":"integer"}

create function an6(a anyelement, b anyarray default '{1,2}'::int[]) returns int language sql as 'select cardinality(b)';
--> no rows

select an6(1);
--> {"an6":2}

create function an7(a anyelement default 'x') returns anyelement language sql as 'select a';
--> no rows

create table an (x anyelement);
--> ERROR 42P16: column "x" has pseudo-type anyelement

create table an (x anyarray);
--> ERROR 42P16: column "x" has pseudo-type anyarray

create table an (x record);
--> ERROR 42P16: column "x" has pseudo-type record

create table an (x cstring);
--> ERROR 42P16: column "x" has pseudo-type cstring

create table an (x void);
--> ERROR 42P16: column "x" has pseudo-type void

create table an (x trigger);
--> ERROR 42P16: column "x" has pseudo-type trigger

create table an (x unknown);
--> ERROR 42P16: column "x" has pseudo-type unknown

create table an (x anyrange);
--> ERROR 42P16: column "x" has pseudo-type anyrange

create table an (x internal);
--> ERROR 42P16: column "x" has pseudo-type internal

create table an (x event_trigger);
--> ERROR 42P16: column "x" has pseudo-type event_trigger

create table an (x int, y "any");
--> ERROR 42P16: column "y" has pseudo-type "any"

create type anc as (x anyelement);
--> ERROR 42P16: column "x" has pseudo-type anyelement

create domain and1 as anyelement;
--> ERROR 42804: "anyelement" is not a valid base type for a domain

create domain and2 as record;
--> ERROR 42804: "record" is not a valid base type for a domain

create view anv as select null::unknown x;
--> no rows

create function t11(a unknown) returns int language sql as 'select 1';
--> ERROR 42P13: SQL functions cannot have arguments of type unknown

create function t12(a record) returns int language sql as 'select 1';
--> ERROR 42P13: SQL functions cannot have arguments of type record

create function t13(a cstring) returns int language sql as 'select 1';
--> ERROR 42P13: SQL functions cannot have arguments of type cstring

create function t14(a internal) returns int language sql as 'select 1';
--> ERROR 42P13: SQL functions cannot have arguments of type internal

create function t15(a void) returns int language sql as 'select 1';
--> ERROR 42P13: SQL functions cannot have arguments of type void

create function t16(a trigger) returns int language sql as 'select 1';
--> ERROR 42P13: SQL functions cannot have arguments of type trigger

create function t17(a "any") returns int language sql as 'select 1';
--> ERROR 42P13: SQL functions cannot have arguments of type "any"

create function t19() returns anyelement language sql as 'select 1';
--> ERROR 42P13: cannot determine result data type
--> DETAIL: A result of type anyelement requires at least one input of type anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange.

create function t20() returns cstring language sql as 'select 1';
--> ERROR 42P13: SQL functions cannot return type cstring

create function t22() returns "any" language sql as 'select 1';
--> ERROR 42P13: SQL functions cannot return type "any"

create function t23() returns trigger language sql as 'select 1';
--> ERROR 42P13: SQL functions cannot return type trigger

create function p11(a unknown) returns int language plpgsql as 'begin return 1; end';
--> ERROR 0A000: PL/pgSQL functions cannot accept type unknown

create function p12(a record) returns int language plpgsql as 'begin return 1; end';
--> no rows

create function p13(a cstring) returns int language plpgsql as 'begin return 1; end';
--> ERROR 0A000: PL/pgSQL functions cannot accept type cstring

create function p14(a internal) returns int language plpgsql as 'begin return 1; end';
--> ERROR 0A000: PL/pgSQL functions cannot accept type internal

create function p15(a void) returns int language plpgsql as 'begin return 1; end';
--> ERROR 0A000: PL/pgSQL functions cannot accept type void

create function p16(a trigger) returns int language plpgsql as 'begin return 1; end';
--> ERROR 0A000: PL/pgSQL functions cannot accept type trigger

create function p17(a "any") returns int language plpgsql as 'begin return 1; end';
--> ERROR 0A000: PL/pgSQL functions cannot accept type "any"

create function p18() returns unknown language plpgsql as 'begin return 1; end';
--> ERROR 0A000: PL/pgSQL functions cannot return type unknown

create function p20() returns cstring language plpgsql as 'begin return 1; end';
--> ERROR 0A000: PL/pgSQL functions cannot return type cstring

create function p21(out a anyelement) language plpgsql as 'begin a := 1; end';
--> ERROR 42P13: cannot determine result data type
--> DETAIL: A result of type anyelement requires at least one input of type anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange.

create function p22(a int) returns table (x anyelement) language plpgsql as 'begin end';
--> ERROR 42P13: cannot determine result data type
--> DETAIL: A result of type anyelement requires at least one input of type anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange.

create function srf() returns setof record language plpgsql as $$ begin return query select 1, 2; end $$;
--> no rows

select * from srf() as (a int, b int);
--> {"a":1,"b":2}

create function srt() returns table (a int, b int) language plpgsql as $$ begin return query select 1, 2; end $$;
--> no rows

select srt();
--> {"srt":"(1,2)"}
