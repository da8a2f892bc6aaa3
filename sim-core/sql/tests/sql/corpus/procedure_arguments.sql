create procedure p(in a text, out b int) language plpgsql as $$ begin b := 1; end $$;
--> no rows

alter procedure p(text, int) owner to postgres;
--> no rows

comment on procedure p(text, int) is 'x';
--> no rows

grant execute on procedure p(text, int) to anon;
--> no rows

revoke execute on procedure p(text, int) from anon;
--> no rows

alter procedure p(text, integer) set search_path = public;
--> no rows

alter routine p(text, int) rename to q;
--> no rows

alter procedure q(text) rename to p;
--> no rows

alter procedure p(text, int4) security definer;
--> no rows

comment on routine p(text, int) is 'y';
--> no rows

select obj_description('p(text)'::regprocedure);
--> {"obj_description":"y"}

create schema z; alter procedure p(text, int) set schema z;
--> no rows

alter routine z.p(text) set schema public;
--> no rows

grant execute on routine p(text, int) to anon;
--> no rows

drop procedure p(text, int, int);
--> ERROR 42883: procedure p(text, integer, integer) does not exist

drop procedure p(int, text);
--> ERROR 42883: procedure p(integer, text) does not exist

drop function p(text, int);
--> ERROR 42883: function p(text, integer) does not exist

drop procedure if exists p(text, bigint);
--> no rows

drop procedure p(text, int);
--> no rows

create procedure p(out b int, in a text, out c text) language plpgsql as $$ begin b := 1; c := 'x'; end $$; create procedure p(a int, b text) language sql as $$ select 1 $$;
--> no rows

drop procedure p(int, text);
--> no rows

drop procedure p(int, text, text);
--> no rows

create procedure p(in a text, out b int) language plpgsql as $$ begin b := 1; end $$; create procedure p(in a text, in c int) language plpgsql as $$ begin null; end $$;
--> no rows

drop procedure p(text, int);
--> ERROR 42725: procedure name "p" is not unique

comment on procedure p(text, int) is 'a';
--> ERROR 42725: procedure name "p" is not unique

grant execute on procedure p(text, int) to anon;
--> ERROR 42725: procedure name "p" is not unique

drop procedure p(text);
--> no rows

drop procedure p(text, int);
--> no rows

create procedure p(inout a text, out b int) language plpgsql as $$ begin b := 1; end $$;
--> no rows

drop procedure p(text, int);
--> no rows

create function f(in a text, out b int) language sql as $$ select 1 $$;
--> no rows

drop function f(text, int);
--> ERROR 42883: function f(text, integer) does not exist

drop routine f(text, int);
--> no rows

alter routine f(text, int) owner to postgres;
--> ERROR 42883: function f(text, integer) does not exist

drop routine f(text);
--> ERROR 42883: function f(text) does not exist

create procedure p(in a text, out b int) language plpgsql as $$ begin b := 1; end $$; create procedure p(in a text, out b text) language plpgsql as $$ begin b := 1; end $$;
--> ERROR 42723: function "p" already exists with same argument types

drop routine p(text, int);
--> ERROR 42883: function p(text, integer) does not exist

create or replace procedure pv(out b int, variadic a int[]) language plpgsql as $$ begin b := 1; end $$;
--> no rows

drop procedure pv(int, int[]);
--> no rows

select 'pv(int, int[])'::regprocedure;
--> ERROR 42883: function "pv(int, int[])" does not exist
--> AT 8

create procedure p(in a text, out b int) language plpgsql as $$ begin b := 1; end $$;
create extension if not exists pgcrypto; select has_function_privilege('anon', 'p(text, int)', 'execute');
--> ERROR 42883: function "p(text, int)" does not exist

select 'p(text, int)'::regprocedure;
--> ERROR 42883: function "p(text, int)" does not exist
--> AT 8

drop procedure p(in text, int);
--> ERROR 42883: procedure p(text, integer) does not exist

drop procedure p(text, out int);
--> ERROR 42883: procedure p(text) does not exist
