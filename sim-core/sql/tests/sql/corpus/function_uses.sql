-- Functions as applications define and use them, one kind after the other.

create function f1(a int default 1) returns int language sql as 'select a';
--> no rows

create function f1(a text default 'x') returns text language sql as 'select a';
--> no rows

select f1();
--> ERROR 42725: function f1() is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 8

select f1(null);
--> {"f1":null}

select f1(1), f1('x');
--> {"f1":"x"}

drop function f1(int, int);
--> ERROR 42883: function f1(integer, integer) does not exist

drop function if exists f1(bool);
--> no rows

create function f2(a int, b int = 3, variadic c int[] = '{}') returns int language sql as 'select a + b + cardinality(c)';
--> no rows

select f2(1), f2(1,2), f2(1,2,3,4);
--> {"f2":5}

select pg_get_function_arguments('f2'::regproc);
--> {"pg_get_function_arguments":"a integer, b integer DEFAULT 3, VARIADIC c integer[] DEFAULT '{}'::integer[]"}

alter function f2(int, int, int[]) stable;
--> no rows

alter function f2 strict;
--> no rows

alter function f2 rename to f2b;
--> no rows

alter function f2b(int, int, int[]) set search_path = public;
--> no rows

alter function f2b(int, int, int[]) reset all;
--> no rows

alter function nosuch() stable;
--> ERROR 42883: function nosuch() does not exist

alter function f2b(int, int, int[]) owner to postgres;
--> no rows

create or replace function f3() returns void language plpgsql as $$ begin return; end $$;
--> no rows

select f3();
--> {"f3":""}

create or replace function f3() returns void language sql as $$ select 1 $$;
--> no rows

select f3() is null;
--> {"?column?":true}

create function f4(x int) returns text language plpgsql as $$ begin if x > 0 then return 'pos'; elsif x = 0 then return 'zero'; end if; end $$;
--> no rows

select f4(1), f4(0);
--> {"f4":"zero"}

select f4(-1);
--> ERROR 2F005: control reached end of function without RETURN

create function f5(x int) returns int language plpgsql as $$ declare y int := x; z constant int := 5; begin declare y int := 10; begin y := y + x; return y + z; end; end $$;
--> no rows

select f5(1);
--> {"f5":16}

create function f6(x int) returns int language plpgsql as $$ declare z constant int := 5; begin declare z int := 1; begin z := 2; return z; end; end $$;
--> no rows

select f6(1);
--> {"f6":2}

create function f7(inout a int, inout b int) language plpgsql as $$ begin a := a + 1; b := b * 2; end $$;
--> no rows

select f7(1, 2), (f7(3,4)).b;
--> {"f7":"(2,4)","b":8}

select * from f7(5, 6);
--> {"a":6,"b":12}

create function f8(out a int, out b text) returns setof record language plpgsql as $$ begin a := 1; b := 'x'; return next; a := 2; return next; end $$;
--> no rows

select * from f8();
--> {"a":1,"b":"x"}
--> {"a":2,"b":"x"}

select f8();
--> {"f8":"(1,x)"}
--> {"f8":"(2,x)"}

create function f9(n int) returns setof int language plpgsql as $$ begin for i in 1..n loop return next i; end loop; return; end $$;
--> no rows

select f9(3);
--> {"f9":1}
--> {"f9":2}
--> {"f9":3}

select array(select f9(3));
--> {"array":[1,2,3]}

create function f10(n int) returns table (k int, v text) language plpgsql as $$ begin return query select i, 'v' || i from generate_series(1, n) i; return query select 0, 'end'::text; end $$;
--> no rows

select * from f10(2);
--> {"k":1,"v":"v1"}
--> {"k":2,"v":"v2"}
--> {"k":0,"v":"end"}

select (f10(1)).*;
--> {"k":1,"v":"v1"}
--> {"k":0,"v":"end"}

create function f11() returns trigger language plpgsql as $$ begin return new; end $$;
--> no rows

select f11();
--> ERROR 0A000: trigger functions can only be called as triggers

create table t (id int, v text);
--> no rows

create trigger tr before insert on t for each row execute function f11();
--> no rows

create trigger tr2 before insert on t for each row execute function f1();
--> ERROR 42883: function f1() does not exist

create trigger tr3 before insert on t for each row execute function nosuch();
--> ERROR 42883: function nosuch() does not exist

create function f12(r t) returns text language sql as $$ select r.v || '!' $$;
--> no rows

insert into t values (1, 'a');
--> no rows

select f12(t), t.f12 from t;
--> {"f12":"a!"}

select f12(row(1, 'q'));
--> {"f12":"q!"}

select f12((1, 'q')::t);
--> {"f12":"q!"}

create function f13(t) returns int language sql as $$ select $1.id $$;
--> no rows

select f13(t) from t;
--> {"f13":1}

create function f14() returns t language sql as $$ select * from t $$;
--> no rows

select f14(), (f14()).v;
--> {"f14":"(1,a)","v":"a"}

create function f15() returns t language plpgsql as $$ declare r t; begin select * into r from t; return r; end $$;
--> no rows

select f15(), (f15()).id;
--> {"f15":"(1,a)","id":1}

create function f16(a int[]) returns int language plpgsql as $$ declare s int := 0; x int; begin foreach x in array a loop s := s + x; end loop; return s; end $$;
--> no rows

select f16(array[1,2,3]), f16('{4,5}');
--> {"f16":9}

create function f17(a anyelement, out b anyelement, out c anyarray) language sql as $$ select a, array[a, a] $$;
--> no rows

select f17(1), (f17('x'::text)).c;
--> {"f17":"(1,\"{1,1}\")","c":["x","x"]}

create function f18(a text) returns text language sql immutable strict as $$ select upper(a) $$;
--> no rows

select f18(null), f18('a');
--> {"f18":"A"}

create function f19(a int) returns int language sql as $$ select a * 2 where a > 0 $$;
--> no rows

select f19(2), f19(-1);
--> {"f19":null}

create function f20() returns int language sql as $$ select 1 union all select 2 $$;
--> no rows

select f20();
--> {"f20":1}

create function f21(jsonb) returns jsonb language sql as $$ select $1 -> 'a' $$;
--> no rows

select f21('{"a":1}'), f21(to_jsonb('x'::text));
--> {"f21":null}

create function f22(a date, b date default current_date) returns int language sql as $$ select b - a $$;
--> no rows

select f22('2020-01-01', '2020-01-03'), f22(current_date);
--> {"f22":0}

select f22('2020-01-01'::timestamp, '2020-01-03');
--> ERROR 42883: function f22(timestamp without time zone, unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function f23(a regclass) returns text language sql as $$ select a::text $$;
--> no rows

select f23('t'), f23('t'::regclass);
--> {"f23":"t"}

create function f24(a varchar(3)) returns text language sql as $$ select a $$;
--> no rows

select f24('abcdef');
--> {"f24":"abcdef"}

create function f25(a numeric(5,2)) returns numeric language sql as $$ select a $$;
--> no rows

select f25(1.23456);
--> {"f25":"1.23456"}

create function f26(a "char") returns text language sql as $$ select a::text $$;
--> no rows

select f26('x');
--> {"f26":"x"}

create function f27(a uuid) returns text language sql as $$ select 'uuid' $$;
--> no rows

select f27('00000000-0000-0000-0000-000000000000');
--> {"f27":"uuid"}

select f27('x'::text);
--> ERROR 42883: function f27(text) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function f28(a interval default '1 day', b timestamptz default '2020-01-01') returns timestamptz language sql as $$ select b + a $$;
--> no rows

select f28() is not null, f28(b => '2021-01-01') > '2021-01-01';
--> {"?column?":true}

create function "F29"("A" int, "b c" text default 'q') returns text language sql as $$ select "A" || "b c" $$;
--> no rows

select "F29"(1), "F29"("A" => 2, "b c" => 'z');
--> {"F29":"2z"}

select f29(1);
--> ERROR 42883: function f29(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function f30(a int) returns int language sql security definer set search_path = '' as $$ select a $$;
--> no rows

select f30(1);
--> {"f30":1}

select proname, prosecdef, proconfig from pg_proc where proname = 'f30';
--> {"proname":"f30","prosecdef":true,"proconfig":["search_path=\"\""]}

create function f31(variadic "any") returns int language sql as 'select 1';
--> ERROR 42P13: SQL functions cannot have arguments of type "any"

create function f32(a int, a int) returns int language plpgsql as $$ begin return 1; end $$;
--> ERROR 42P13: parameter name "a" used more than once

create function f35(a int) returns int language plpgsql as $$ <<b>> declare a int := 5; begin return b.a + f35.a; end $$;
--> no rows

select f35(1);
--> {"f35":6}

create function f36(_a int) returns text language plpgsql as $$ begin case _a when 1 then return 'one'; when 2, 3 then return 'few'; else return 'many'; end case; end $$;
--> no rows

select f36(1), f36(3), f36(9);
--> {"f36":"many"}

create function f37() returns text language plpgsql as $$ begin return (select v from t where id = 1); end $$;
--> no rows

select f37();
--> {"f37":"a"}

create function f38() returns int language plpgsql as $$ declare n int; begin insert into t values (2, 'b') returning id into n; return n; end $$;
--> no rows

select f38();
--> {"f38":2}

create function f39(tab text) returns bigint language plpgsql as $$ declare n bigint; begin execute format('select count(*) from %I', tab) into n; return n; end $$;
--> no rows

select f39('t');
--> {"f39":2}

create procedure q1(a int, inout b int default 7) language plpgsql as $$ begin b := a + b; end $$;
--> no rows

call q1(1);
--> {"b":8}

call q1(1, 2);
--> {"b":3}

call q1(a => 2);
--> {"b":9}

drop procedure q1(int);
--> ERROR 42883: procedure q1(integer) does not exist

drop procedure q1(int, int);
--> no rows

drop function q1;
--> ERROR 42883: could not find a function named "q1"

drop routine if exists q1;
--> no rows

create schema other;
--> no rows

create function other.noted() returns trigger language plpgsql as $$ begin new.v := 'other'; return new; end $$;
--> no rows

create function noted(text) returns void language sql as $$ select 1 $$;
--> no rows

create function noted() returns trigger language plpgsql as $$ begin new.v := 'mine'; return new; end $$;
--> no rows

create trigger noted before insert on t for each row execute function noted();
--> no rows

insert into t values (7, 'x') returning v;
--> {"v":"mine"}

create function twin(a int) returns int language sql as 'select 1';
--> no rows

create function twin2(b int) returns int language sql as 'select 1';
--> no rows

alter function twin2(int) rename to twin;
--> ERROR 42723: function twin(integer) already exists in schema "public"

create function other.twin(a int) returns int language sql as 'select 1';
--> no rows

alter function twin(int) set schema other;
--> ERROR 42723: function twin(integer) already exists in schema "other"

alter procedure twin(int) stable;
--> ERROR 42809: twin(integer) is not a procedure

create procedure pr9(a int) language sql as 'select 1';
--> no rows

alter function pr9(int) rename to pr10;
--> ERROR 42809: pr9(integer) is not a function

alter routine pr9(int) rename to pr10;
--> no rows
