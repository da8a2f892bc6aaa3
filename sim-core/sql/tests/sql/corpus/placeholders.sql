-- Placeholders of ranges and of compatible types, their defaults, and types that no column can have.

create function t1(r anyrange) returns anyelement language sql as 'select lower(r)';
--> no rows

select t1(int4range(1,5)), t1(numrange(1.5,2));
--> no rows

create function t2(m anymultirange) returns anyrange language sql as 'select range_merge(m)';
--> no rows

select t2('{[1,2),[5,7)}'::int4multirange);
--> no rows

create function t3(a anycompatible, b anycompatible) returns anycompatible language sql as 'select greatest(a, b)';
--> no rows

select t3(1, 2.5), pg_typeof(t3(1, 2.5));
--> no rows

create function t4(r anycompatiblerange, v anycompatible) returns boolean language sql as 'select r @> v';
--> no rows

select t4(numrange(1, 5), 3);
--> no rows

create function t5(a anycompatiblearray, v anycompatible) returns anycompatiblearray language sql as 'select array_append(a, v)';
--> no rows

select t5(array[1,2], 3);
--> no rows

create function t6(a anycompatiblenonarray) returns text language sql as 'select a::text';
--> no rows

select t6(3);
--> no rows

create function t7(a anycompatiblemultirange) returns anycompatiblerange language sql as 'select range_merge(a)';
--> no rows

select t7('{[1,2)}'::int4multirange);
--> no rows

create function t8(a anyelement) returns anyrange language sql as 'select null';
--> no rows

create function t9(a anyrange) returns anymultirange language sql as 'select multirange(a)';
--> no rows

select t9(int4range(1,5));
--> no rows

create function t10(a anyenum) returns anyarray language sql as 'select enum_range(a)';
--> no rows

create function pl1(r anyrange) returns anyelement language plpgsql as 'begin return upper(r); end';
--> no rows

select pl1(daterange('2020-01-01','2020-02-01'));
--> no rows

create function pl2(r anyrange, out lo anyelement, out hi anyelement) language plpgsql as 'begin lo := lower(r); hi := upper(r); end';
--> no rows

select * from pl2(int4range(1,5));
--> no rows

select t1('[1,2)');
--> no rows

select t1(5);
--> no rows

create function an5(a anyelement default null::int) returns anyelement language sql as 'select a';
--> no rows

select an5(), pg_typeof(an5()), an5(3.5);
--> no rows

create function an6(a anyelement, b anyarray default '{1,2}'::int[]) returns int language sql as 'select cardinality(b)';
--> no rows

select an6(1);
--> no rows

create function an7(a anyelement default 'x') returns anyelement language sql as 'select a';
--> no rows

create table an (x anyelement);
--> no rows

create table an (x anyarray);
--> no rows

create table an (x record);
--> no rows

create table an (x cstring);
--> no rows

create table an (x void);
--> no rows

create table an (x trigger);
--> no rows

create table an (x unknown);
--> no rows

create table an (x anyrange);
--> no rows

create table an (x internal);
--> no rows

create table an (x event_trigger);
--> no rows

create table an (x int, y "any");
--> no rows

create type anc as (x anyelement);
--> no rows

create domain and1 as anyelement;
--> no rows

create domain and2 as record;
--> no rows

create view anv as select null::unknown x;
--> no rows

create function t11(a unknown) returns int language sql as 'select 1';
--> no rows

create function t12(a record) returns int language sql as 'select 1';
--> no rows

create function t13(a cstring) returns int language sql as 'select 1';
--> no rows

create function t14(a internal) returns int language sql as 'select 1';
--> no rows

create function t15(a void) returns int language sql as 'select 1';
--> no rows

create function t16(a trigger) returns int language sql as 'select 1';
--> no rows

create function t17(a "any") returns int language sql as 'select 1';
--> no rows

create function t19() returns anyelement language sql as 'select 1';
--> no rows

create function t20() returns cstring language sql as 'select 1';
--> no rows

create function t22() returns "any" language sql as 'select 1';
--> no rows

create function t23() returns trigger language sql as 'select 1';
--> no rows

create function p11(a unknown) returns int language plpgsql as 'begin return 1; end';
--> no rows

create function p12(a record) returns int language plpgsql as 'begin return 1; end';
--> no rows

create function p13(a cstring) returns int language plpgsql as 'begin return 1; end';
--> no rows

create function p14(a internal) returns int language plpgsql as 'begin return 1; end';
--> no rows

create function p15(a void) returns int language plpgsql as 'begin return 1; end';
--> no rows

create function p16(a trigger) returns int language plpgsql as 'begin return 1; end';
--> no rows

create function p17(a "any") returns int language plpgsql as 'begin return 1; end';
--> no rows

create function p18() returns unknown language plpgsql as 'begin return 1; end';
--> no rows

create function p20() returns cstring language plpgsql as 'begin return 1; end';
--> no rows

create function p21(out a anyelement) language plpgsql as 'begin a := 1; end';
--> no rows

create function p22(a int) returns table (x anyelement) language plpgsql as 'begin end';
--> no rows

create function srf() returns setof record language plpgsql as $$ begin return query select 1, 2; end $$;
--> no rows

select * from srf() as (a int, b int);
--> no rows

create function srt() returns table (a int, b int) language plpgsql as $$ begin return query select 1, 2; end $$;
--> no rows

select srt();
--> no rows
