-- The functions of aggregates and casts, which not all roles may call.

create function addm(a int, b int) returns int language plpgsql immutable as $$ begin return a+b; end $$; create function fin(a int) returns text language sql immutable as $$ select 'r' || a $$;

create aggregate sumx(int) (sfunc=addm, stype=int, initcond='0', finalfunc=fin);

revoke all on all functions in schema public from public, anon, authenticated; grant execute on function sumx(int) to authenticated;

set local role authenticated; select sumx(x) from generate_series(1,3) x;

set local role authenticated; select sumx(x) over (order by x) from generate_series(1,3) x;

set local role authenticated; select addm(1, 2);

set local role anon; select sumx(x) from generate_series(1,3) x;

create role other; grant all on schema public to other; grant other to postgres; alter aggregate sumx(int) owner to other;

set local role authenticated; select sumx(x) from generate_series(1,3) x;

select sumx(x) from generate_series(1,3) x;

create type ty as (a text); create function mk(text) returns ty language plpgsql immutable as $$ begin return row($1)::ty; end $$; create cast (text as ty) with function mk(text);

revoke all on function mk(text) from public, anon, authenticated;

select ('abc'::text)::ty;

set local role authenticated; select ('abc'::text)::ty;

create table tt (a ty); grant all on tt to authenticated; 

set local role authenticated; insert into tt values ('abc'::text::ty);

create type co as enum ('a','b'); create function co2(co) returns int language sql immutable as $$ select 5 $$; create cast (co as int) with function co2(co) as implicit; revoke all on function co2(co) from public, anon, authenticated;

set local role authenticated; select 'a'::co::int;

set local role authenticated; select 'a'::co + 1;

select 'a'::co + 1;
