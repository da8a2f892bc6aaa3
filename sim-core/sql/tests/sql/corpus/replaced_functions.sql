-- What CREATE OR REPLACE must leave as it is.

create function d1(a int, b text default 'x') returns int language sql as 'select 1';
--> no rows

create or replace function d1(a int, b text) returns int language sql as 'select 1';
--> ERROR 42P13: cannot remove parameter defaults from existing function
--> HINT: Use DROP FUNCTION d1(integer,text) first.

create or replace function d1(a int, bb text default 'x') returns int language sql as 'select 1';
--> ERROR 42P13: cannot change name of input parameter "b"
--> HINT: Use DROP FUNCTION d1(integer,text) first.

create or replace function d1(a int, text default 'x') returns int language sql as 'select 1';
--> ERROR 42P13: cannot change name of input parameter "b"
--> HINT: Use DROP FUNCTION d1(integer,text) first.

create or replace function d1(a int default 3, b text default 'y') returns int language sql as 'select 1';
--> no rows

create or replace function d1(a int, b text default 'x') returns bigint language sql as 'select 1';
--> ERROR 42P13: cannot change return type of existing function
--> HINT: Use DROP FUNCTION d1(integer,text) first.

create or replace function d1(a int, b text default 'x') returns setof int language sql as 'select 1';
--> ERROR 42P13: cannot change return type of existing function
--> HINT: Use DROP FUNCTION d1(integer,text) first.

create or replace procedure d1(int, text) language sql as 'select 1';
--> ERROR 42809: cannot change routine kind
--> DETAIL: "d1" is a function.

create function d2() returns table (x int, y text) language sql as $$ select 1, 'a' $$;
--> no rows

create or replace function d2() returns table (x int, z text) language sql as $$ select 1, 'a' $$;
--> ERROR 42P13: cannot change return type of existing function
--> DETAIL: Row type defined by OUT parameters is different.
--> HINT: Use DROP FUNCTION d2() first.

create or replace function d2() returns table (x int, y varchar) language sql as $$ select 1, 'a'::varchar $$;
--> ERROR 42P13: cannot change return type of existing function
--> DETAIL: Row type defined by OUT parameters is different.
--> HINT: Use DROP FUNCTION d2() first.

create or replace function d2() returns table (x int) language sql as $$ select 1 $$;
--> ERROR 42P13: cannot change return type of existing function
--> HINT: Use DROP FUNCTION d2() first.

create or replace function d2(out x int, out y text) returns setof record language sql as $$ select 1, 'a' $$;
--> no rows

create or replace function d2() returns setof record language sql as $$ select 1, 'a' $$;
--> ERROR 42P13: cannot change return type of existing function
--> DETAIL: Row type defined by OUT parameters is different.
--> HINT: Use DROP FUNCTION d2() first.

create function nn(x int) returns int language sql as 'select 1';
--> no rows

create or replace function nn(int) returns int language sql as 'select 1';
--> ERROR 42P13: cannot change name of input parameter "x"
--> HINT: Use DROP FUNCTION nn(integer) first.

create function nn2(int) returns int language sql as 'select 1';
--> no rows

create or replace function nn2(x int) returns int language sql as 'select 1';
--> no rows

create function oo(out a int, out b int) language sql as 'select 1,2';
--> no rows

create or replace function oo(out a int, out c int) language sql as 'select 1,2';
--> ERROR 42P13: cannot change return type of existing function
--> DETAIL: Row type defined by OUT parameters is different.
--> HINT: Use DROP FUNCTION oo() first.

create or replace function oo(out a int, out b int, out c int) language sql as 'select 1,2,3';
--> ERROR 42P13: cannot change return type of existing function
--> DETAIL: Row type defined by OUT parameters is different.
--> HINT: Use DROP FUNCTION oo() first.

create or replace function oo(out a int) language sql as 'select 1';
--> ERROR 42P13: cannot change return type of existing function
--> HINT: Use DROP FUNCTION oo() first.

create function io(inout a int, out b text) language sql as $$ select 1, 'x' $$;
--> no rows

create or replace function io(inout a int, out b text, out d int) language sql as $$ select 1, 'x', 2 $$;
--> ERROR 42P13: cannot change return type of existing function
--> DETAIL: Row type defined by OUT parameters is different.
--> HINT: Use DROP FUNCTION io(integer) first.

create or replace function io(inout z int, out b text) language sql as $$ select 1, 'x' $$;
--> ERROR 42P13: cannot change return type of existing function
--> DETAIL: Row type defined by OUT parameters is different.
--> HINT: Use DROP FUNCTION io(integer) first.

create or replace function io(a int, out z int, out b text) language sql as $$ select 1, 'x' $$;
--> ERROR 42P13: cannot change return type of existing function
--> DETAIL: Row type defined by OUT parameters is different.
--> HINT: Use DROP FUNCTION io(integer) first.

create procedure pp(a int, out b int) language plpgsql as $$ begin b := 1; end $$;
--> no rows

create or replace procedure pp(a int, out b int, out c int) language plpgsql as $$ begin b := 1; end $$;
--> ERROR 42P13: cannot change return type of existing function
--> DETAIL: Row type defined by OUT parameters is different.
--> HINT: Use DROP PROCEDURE pp(integer) first.

create or replace procedure pp(a int) language plpgsql as $$ begin null; end $$;
--> ERROR 42P13: cannot change whether a procedure has output parameters
--> HINT: Use DROP PROCEDURE pp(integer) first.

create or replace procedure pp(a int, out z int) language plpgsql as $$ begin null; end $$;
--> ERROR 42P13: cannot change return type of existing function
--> DETAIL: Row type defined by OUT parameters is different.
--> HINT: Use DROP PROCEDURE pp(integer) first.

create or replace procedure pp(aa int, out b int) language plpgsql as $$ begin null; end $$;
--> ERROR 42P13: cannot change name of input parameter "a"
--> HINT: Use DROP PROCEDURE pp(integer) first.

create procedure pq(a int, b int default 1) language plpgsql as $$ begin null; end $$;
--> no rows

create or replace procedure pq(a int, b int) language plpgsql as $$ begin null; end $$;
--> ERROR 42P13: cannot remove parameter defaults from existing function
--> HINT: Use DROP PROCEDURE pq(integer,integer) first.

create or replace function pq(a int, b int) returns int language plpgsql as $$ begin null; end $$;
--> ERROR 42809: cannot change routine kind
--> DETAIL: "pq" is a procedure.

create or replace procedure pq(x int, b int default 1) language plpgsql as $$ begin null; end $$;
--> ERROR 42P13: cannot change name of input parameter "a"
--> HINT: Use DROP PROCEDURE pq(integer,integer) first.

create function one(out a int) language sql as 'select 1';
--> no rows

create or replace function one(out b int) language sql as 'select 1';
--> no rows

create function df(a int default 1) returns int language sql as 'select 1';
--> no rows

create or replace function df(a int default '1') returns int language sql as 'select 1';
--> no rows

create or replace function df(a int default 1.5) returns int language sql as 'select 1';
--> no rows

create or replace function df(a int default 2 + 1) returns int language sql as 'select 1';
--> no rows

create aggregate agg(int) (sfunc = int4pl, stype = int, initcond = '0');
--> no rows

create or replace function agg(int) returns int language sql as 'select 1';
--> ERROR 42809: cannot change routine kind
--> DETAIL: "agg" is an aggregate function.

create table t1c (a int);
--> no rows

create function st() returns setof t1c language sql as 'select 1';
--> no rows

create or replace function st() returns setof int language sql as 'select 1';
--> ERROR 42P13: cannot change return type of existing function
--> HINT: Use DROP FUNCTION st() first.

create function same(a int) returns int language sql as 'select 1';
--> no rows

create function same(b int) returns int language sql as 'select 1';
--> ERROR 42723: function "same" already exists with same argument types

create schema sx; create function sx.f(a int) returns int language sql as 'select 1';
--> no rows

create or replace function sx.f(b int) returns int language sql as 'select 1';
--> ERROR 42P13: cannot change name of input parameter "a"
--> HINT: Use DROP FUNCTION sx.f(integer) first.

create function "Up"(a int) returns int language sql as 'select 1';
--> no rows

create or replace function "Up"(b int) returns int language sql as 'select 1';
--> ERROR 42P13: cannot change name of input parameter "a"
--> HINT: Use DROP FUNCTION "Up"(integer) first.
