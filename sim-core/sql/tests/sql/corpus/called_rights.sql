-- The functions of aggregates and casts, which not all roles may call.

create function addm(a int, b int) returns int language plpgsql immutable as $$ begin return a+b; end $$; create function fin(a int) returns text language sql immutable as $$ select 'r' || a $$;
--> no rows

create aggregate sumx(int) (sfunc=addm, stype=int, initcond='0', finalfunc=fin);
--> no rows

revoke all on all functions in schema public from public, anon, authenticated; grant execute on function sumx(int) to authenticated;
--> no rows

set local role authenticated; select sumx(x) from generate_series(1,3) x;
--> {"sumx":"r6"}

set local role authenticated; select sumx(x) over (order by x) from generate_series(1,3) x;
--> {"sumx":"r1"}
--> {"sumx":"r3"}
--> {"sumx":"r6"}

set local role authenticated; select addm(1, 2);
--> ERROR 42501: permission denied for function addm

set local role anon; select sumx(x) from generate_series(1,3) x;
--> ERROR 42501: permission denied for aggregate sumx

create role other; grant all on schema public to other; grant other to postgres; alter aggregate sumx(int) owner to other;
--> no rows

set local role authenticated; select sumx(x) from generate_series(1,3) x;
--> ERROR 42501: permission denied for function fin

select sumx(x) from generate_series(1,3) x;
--> ERROR 42501: permission denied for function fin

create type ty as (a text); create function mk(text) returns ty language plpgsql immutable as $$ begin return row($1)::ty; end $$; create cast (text as ty) with function mk(text);
--> no rows

revoke all on function mk(text) from public, anon, authenticated;
--> no rows

select ('abc'::text)::ty;
--> {"ty":"(abc)"}

set local role authenticated; select ('abc'::text)::ty;
--> ERROR 42501: permission denied for function mk

create table tt (a ty); grant all on tt to authenticated;
--> no rows

set local role authenticated; insert into tt values ('abc'::text::ty);
--> ERROR 42501: permission denied for function mk

create type co as enum ('a','b'); create function co2(co) returns int language sql immutable as $$ select 5 $$; create cast (co as int) with function co2(co) as implicit; revoke all on function co2(co) from public, anon, authenticated;
--> no rows

set local role authenticated; select 'a'::co::int;
--> ERROR 42501: permission denied for function co2

set local role authenticated; select 'a'::co + 1;
--> ERROR 42501: permission denied for function co2

select 'a'::co + 1;
--> {"?column?":6}
