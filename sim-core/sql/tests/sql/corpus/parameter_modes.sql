-- Modes of parameters, defaults, notations.

create function out_two(a int, out b int, out c text) language sql as $$ select a + 1, 'c' || a $$;
--> no rows

select out_two(1);
--> {"out_two":"(2,c1)"}

select * from out_two(1);
--> {"b":2,"c":"c1"}

select (out_two(2)).b, (out_two(2)).c;
--> {"b":3,"c":"c2"}

create function inout_one(inout a int) language sql as $$ select a * 2 $$;
--> no rows

select inout_one(4), pg_typeof(inout_one(4));
--> {"inout_one":8,"pg_typeof":"integer"}

create function inout_out(inout a int, out b text) language plpgsql as $$ begin b := 'was ' || a; a := a + 1; end $$;
--> no rows

select * from inout_out(3);
--> {"a":4,"b":"was 3"}

create function defaults(a int, b int default 2, c text default 'x') returns text language sql as $$ select a || '-' || b || '-' || c $$;
--> no rows

select defaults(1), defaults(1, 5), defaults(1, 5, 'y');
--> {"defaults":"1-5-y"}

select defaults(a => 1), defaults(1, c => 'z'), defaults(c => 'q', a => 9), defaults(a := 3, b := 4);
--> {"defaults":"3-4-x"}

select defaults(b => 1);
--> ERROR 42883: function defaults(b => integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select defaults(1, a => 2);
--> ERROR 42883: function defaults(integer, a => integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select defaults(1, d => 2);
--> ERROR 42883: function defaults(integer, d => integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select defaults(a => 1, 2);
--> ERROR 42601: positional argument cannot follow named argument
--> AT 25

select defaults(1, 2, 'x', 4);
--> ERROR 42883: function defaults(integer, integer, unknown, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select defaults();
--> ERROR 42883: function defaults() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select defaults(1, b => 2, b => 3);
--> ERROR 42601: argument name "b" used more than once
--> AT 28

create function bad_default(a int default 1, b int) returns int language sql as $$ select 1 $$;
--> ERROR 42P13: input parameters after one with a default value must also have defaults

create function bad_default(a int default 'x') returns int language sql as $$ select 1 $$;
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 43

create function dup(a int, a int) returns int language sql as $$ select 1 $$;
--> ERROR 42P13: parameter name "a" used more than once

create function bad_out(out a int) returns text language sql as $$ select 1 $$;
--> ERROR 42P13: function result type must be integer because of OUT parameters

create function table_out(n int) returns table (id int, label text) language sql as $$ select g, 'l' || g from generate_series(1, n) g $$;
--> no rows

select * from table_out(2);
--> {"id":1,"label":"l1"}
--> {"id":2,"label":"l2"}

select table_out(2);
--> {"table_out":"(1,l1)"}
--> {"table_out":"(2,l2)"}

select label from table_out(3) where id > 1;
--> {"label":"l2"}
--> {"label":"l3"}

select t.id, x.label from (values (1), (2)) t(id), table_out(t.id) x order by 1, 2;
--> {"id":1,"label":"l1"}
--> {"id":2,"label":"l1"}
--> {"id":2,"label":"l2"}

create function table_and_out(out a int) returns table (b int) language sql as $$ select 1 $$;
--> ERROR 42601: OUT and INOUT arguments aren't allowed in TABLE functions

create function sum_all(variadic n int[]) returns bigint language sql as $$ select sum(x) from unnest(n) x $$;
--> no rows

select sum_all(1), sum_all(1, 2, 3), sum_all(variadic array[4, 5]), sum_all(variadic '{}');
--> {"sum_all":null}

select sum_all();
--> ERROR 42883: function sum_all() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select sum_all(array[1, 2]);
--> ERROR 42883: function sum_all(integer[]) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select sum_all(1, 'x');
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 19

select sum_all(1, '2');
--> {"sum_all":3}

create function joined(sep text, variadic items text[]) returns text language sql as $$ select array_to_string(items, sep) $$;
--> no rows

create function v_default(a int, variadic b int[] default '{7}') returns int language sql as $$ select a + b[1] $$;
--> no rows

select v_default(1), v_default(1, 2);
--> {"v_default":3}

create function v_middle(variadic a int[], b int) returns int language sql as $$ select 1 $$;
--> ERROR 42P13: VARIADIC parameter must be the last input parameter

create function v_plain(variadic a int) returns int language sql as $$ select 1 $$;
--> ERROR 42P13: VARIADIC parameter must be an array

create function first_of(a anyarray) returns anyelement language sql as $$ select a[1] $$;
--> no rows

select first_of(array[3, 4]), first_of(array['x', 'y']), pg_typeof(first_of(array[1.5]));
--> {"first_of":"x","pg_typeof":"numeric"}

select first_of('{1,2}');
--> ERROR 42804: could not determine polymorphic type because input has type unknown

select first_of(1);
--> ERROR 42883: function first_of(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function pick(a anyelement, b anyelement) returns anyelement language sql as $$ select coalesce(a, b) $$;
--> no rows

select pick(1, 2), pick(null, 'x'::text), pick('a'::text, 'b');
--> {"pick":"a"}

select pick(1, 'x'::text);
--> ERROR 42883: function pick(integer, text) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select pick(1, 2.5);
--> ERROR 42883: function pick(integer, numeric) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function pick_c(a anycompatible, b anycompatible) returns anycompatible language sql as $$ select coalesce(a, b) $$;
--> no rows

select pick_c(1, 2.5), pg_typeof(pick_c(1, 2.5)), pg_typeof(pick_c(null::int, 2::bigint));
--> {"pick_c":"1","pg_typeof":"bigint"}

create function as_array(variadic a anyarray) returns anyarray language sql as $$ select a $$;
--> no rows

select as_array(1, 2), as_array('a'::text, 'b');
--> {"as_array":["a","b"]}

create function no_arg() returns anyelement language sql as $$ select 1 $$;
--> ERROR 42P13: cannot determine result data type
--> DETAIL: A result of type anyelement requires at least one input of type anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange.

create function rec_fn() returns record language sql as $$ select 1, 'a'::text $$;
--> no rows

select rec_fn();
--> {"rec_fn":"(1,a)"}

select * from rec_fn();
--> ERROR 42601: a column definition list is required for functions returning "record"
--> AT 15

select * from rec_fn() as (a int, b text);
--> {"a":1,"b":"a"}

select * from rec_fn() as t(a int, b text);
--> {"a":1,"b":"a"}

select * from rec_fn() as t(a int);
--> ERROR 42P13: return type mismatch in function declared to return record
--> DETAIL: Final statement returns too many columns.

select * from rec_fn() as t(a int, b int);
--> ERROR 42P13: return type mismatch in function declared to return record
--> DETAIL: Final statement returns text instead of integer at column 2.

select * from rec_fn() as t(a int, b text, c int);
--> ERROR 42P13: return type mismatch in function declared to return record
--> DETAIL: Final statement returns too few columns.

select * from rec_fn() as t(a bigint, b varchar);
--> {"a":1,"b":"a"}

select * from rec_fn() t;
--> ERROR 42601: a column definition list is required for functions returning "record"
--> AT 15

create function recs() returns setof record language plpgsql as $$ begin return query select 1, 'a'::text; return query select 2, 'b'::text; end $$;
--> no rows

select * from recs() as t(a int, b text) order by a desc;
--> {"a":2,"b":"b"}
--> {"a":1,"b":"a"}

select * from out_two(1) as t(x int, y text);
--> ERROR 42601: a column definition list is redundant for a function with OUT parameters
--> AT 31

select * from recs() as t(a int, b int);
--> ERROR 42804: structure of query does not match function result type
--> DETAIL: Returned type text does not match expected type integer in column 2.

select * from recs() as t(a int, b text, c int);
--> ERROR 42804: structure of query does not match function result type
--> DETAIL: Number of returned columns (2) does not match expected column count (3).

select * from recs() as t(a int);
--> ERROR 42804: structure of query does not match function result type
--> DETAIL: Number of returned columns (2) does not match expected column count (1).

select * from recs() as t(a bigint, b text);
--> ERROR 42804: structure of query does not match function result type
--> DETAIL: Returned type integer does not match expected type bigint in column 1.

create function rec_var(n int) returns record language plpgsql as $$ declare r record; begin select n, 'x'::text into r; return r; end $$; select * from rec_var(1) as t(a int, b text);
--> {"a":1,"b":"x"}

select * from rec_var(1) as t(a int);
--> ERROR 42804: returned record type does not match expected record type
--> DETAIL: Number of returned columns (2) does not match expected column count (1).

create function rec_next() returns setof record language plpgsql as $$ declare r record; begin for r in select g, 'l' || g from generate_series(1, 2) g loop return next r; end loop; end $$; select * from rec_next() as t(a int, b text);
--> {"a":1,"b":"l1"}
--> {"a":2,"b":"l2"}

select t.b, x.a from rec_var(3) as t(a int, b text), lateral (select * from rec_next() as u(a int, b text) where u.a < t.a) x order by 2;
--> {"b":"x","a":1}
--> {"b":"x","a":2}

select * from out_two(1) as t(x, y);
--> {"x":2,"y":"c1"}

create procedure p_in(a int) language plpgsql as $$ begin raise notice 'got %', a; end $$;
--> no rows

call p_in(3);
--> no rows

call p_in(a => 4);
--> no rows

call p_in('5');
--> no rows

call p_in();
--> ERROR 42883: procedure p_in() does not exist
--> HINT: No procedure matches the given name and argument types. You might need to add explicit type casts.
--> AT 6

call p_in('x');
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 11

select p_in(1);
--> ERROR 42809: p_in(integer) is a procedure
--> HINT: To call a procedure, use CALL.
--> AT 8

create procedure p_inout(inout a int, inout b text default 'none') language plpgsql as $$ begin a := a * 10; b := b || '!'; end $$;
--> no rows

call p_inout(2);
--> {"a":20,"b":"none!"}

call p_inout(2, 'hi');
--> {"a":20,"b":"hi!"}

call p_inout(b => 'named', a => 7);
--> {"a":70,"b":"named!"}

create procedure p_out(a int, out b int) language plpgsql as $$ begin b := a + 100; end $$;
--> no rows

call p_out(1, null);
--> {"b":101}

call p_out(1);
--> ERROR 42883: procedure p_out(integer) does not exist
--> HINT: No procedure matches the given name and argument types. You might need to add explicit type casts.
--> AT 6

do $$ declare x int; y int := 5; z text := 'v'; begin call p_out(1, x); raise notice '%', x; call p_inout(y, z); raise notice '% %', y, z; call p_inout(a => y, b => z); raise notice '% %', y, z; end $$;
--> no rows

do $$ begin call p_inout(1, 'x'); end $$;
--> ERROR 42601: procedure parameter "a" is an output parameter but corresponding argument is not writable

do $$ declare x int; begin select * from out_two(5) into x; raise notice '%', x; end $$;
--> no rows

call out_two(1);
--> ERROR 42883: procedure out_two(integer) does not exist
--> HINT: No procedure matches the given name and argument types. You might need to add explicit type casts.
--> AT 6

call nothing(1);
--> ERROR 42883: procedure nothing(integer) does not exist
--> HINT: No procedure matches the given name and argument types. You might need to add explicit type casts.
--> AT 6

create procedure p_variadic(variadic a text[]) language plpgsql as $$ begin raise notice '%', a; end $$;
--> no rows

call p_variadic('a', 'b');
--> no rows

create procedure p_ret() returns int language sql as $$ select 1 $$;
--> ERROR 42601: syntax error at or near "int"
--> AT 34

create or replace function out_two(a int, out b int, out d text) language sql as $$ select 1, 'x' $$;
--> ERROR 42P13: cannot change return type of existing function
--> DETAIL: Row type defined by OUT parameters is different.
--> HINT: Use DROP FUNCTION out_two(integer) first.

create or replace function out_two(x int, out b int, out c text) language sql as $$ select 1, 'x' $$;
--> ERROR 42P13: cannot change name of input parameter "a"
--> HINT: Use DROP FUNCTION out_two(integer) first.

create or replace function defaults(a int, b int, c text) returns text language sql as $$ select 'x' $$;
--> ERROR 42P13: cannot remove parameter defaults from existing function
--> HINT: Use DROP FUNCTION defaults(integer,integer,text) first.

create or replace function defaults(a int, b int default 3, c text default 'w') returns text language sql as $$ select a || '/' || b || '/' || c $$; select defaults(1);
--> {"defaults":"1/3/w"}

drop function out_two(int, int, text);
--> ERROR 42883: function out_two(integer, integer, text) does not exist

drop function out_two(int, out int, out text);
--> no rows

drop function inout_out(inout int, out text);
--> no rows

drop function defaults;
--> no rows

drop function defaults;
--> ERROR 42883: could not find a function named "defaults"

drop procedure p_out(int, out int);
--> no rows

drop procedure p_inout(int, text);
--> no rows

create function amb(a int, b int default 1) returns int language sql as $$ select 1 $$; create function amb(a int) returns int language sql as $$ select 2 $$; select amb(1);
--> ERROR 42725: function amb(integer) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 167

select amb(1, 2);
--> ERROR 42883: function amb(integer, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select pg_get_function_arguments(oid) as a, pg_get_function_identity_arguments(oid) as i, pg_get_function_result(oid) as r from pg_proc where proname in ('joined', 'table_out', 'v_default', 'pick_c', 'rec_fn', 'p_variadic', 'inout_one') order by proname;
--> {"a":"INOUT a integer","i":"INOUT a integer","r":"integer"}
--> {"a":"sep text, VARIADIC items text[]","i":"sep text, VARIADIC items text[]","r":"text"}
--> {"a":"VARIADIC a text[]","i":"VARIADIC a text[]","r":null}
--> {"a":"a anycompatible, b anycompatible","i":"a anycompatible, b anycompatible","r":"anycompatible"}
--> {"a":"","i":"","r":"record"}
--> {"a":"n integer","i":"n integer","r":"TABLE(id integer, label text)"}
--> {"a":"a integer, VARIADIC b integer[] DEFAULT '{7}'::integer[]","i":"a integer, VARIADIC b integer[]","r":"integer"}

select proname, proargnames::text, proargmodes::text, proallargtypes::regtype[]::text as t, pronargs, pronargdefaults, provariadic::regtype from pg_proc where proname in ('joined', 'table_out', 'v_default', 'inout_one') order by proname;
--> {"proname":"inout_one","proargnames":"{a}","proargmodes":"{b}","t":"{integer}","pronargs":1,"pronargdefaults":0,"provariadic":"-"}
--> {"proname":"joined","proargnames":"{sep,items}","proargmodes":"{i,v}","t":"{text,text[]}","pronargs":2,"pronargdefaults":0,"provariadic":"text"}
--> {"proname":"table_out","proargnames":"{n,id,label}","proargmodes":"{i,t,t}","t":"{integer,integer,text}","pronargs":1,"pronargdefaults":0,"provariadic":"-"}
--> {"proname":"v_default","proargnames":"{a,b}","proargmodes":"{i,v}","t":"{integer,integer[]}","pronargs":2,"pronargdefaults":1,"provariadic":"integer"}

select parameter_name, parameter_mode, data_type, parameter_default from information_schema.parameters where specific_name like 'v\_default%' or specific_name like 'table\_out%' order by specific_name, ordinal_position;
--> {"parameter_name":"n","parameter_mode":"IN","data_type":"integer","parameter_default":null}
--> {"parameter_name":"id","parameter_mode":"OUT","data_type":"integer","parameter_default":null}
--> {"parameter_name":"label","parameter_mode":"OUT","data_type":"text","parameter_default":null}
--> {"parameter_name":"a","parameter_mode":"IN","data_type":"integer","parameter_default":null}
--> {"parameter_name":"b","parameter_mode":"IN","data_type":"ARRAY","parameter_default":"'{7}'::integer[]"}

create function with_row(r record) returns text language plpgsql as $$ begin return r::text; end $$;
--> no rows

create function of_expr(n numeric default 1.5, t text default upper('a'), j jsonb default '{}', a int[] default array[1, 2], e text default null) returns int language sql as $$ select 1 $$; select pg_get_function_arguments('of_expr'::regproc) as a;
--> {"a":"n numeric DEFAULT 1.5, t text DEFAULT upper('a'::text), j jsonb DEFAULT '{}'::jsonb, a integer[] DEFAULT ARRAY[1, 2], e text DEFAULT NULL::text"}

create function setof_out(out a int, out b int) returns setof record language sql as $$ select 1, 2 union all select 3, 4 $$;
--> no rows

select * from setof_out() order by a;
--> {"a":1,"b":2}
--> {"a":3,"b":4}

select (setof_out()).a;
--> {"a":1}
--> {"a":3}

create function one_out(out a int) returns setof int language sql as $$ select 1 union all select 2 $$; select one_out();
--> {"one_out":1}
--> {"one_out":2}

create function named_result() returns int language plpgsql as $$ declare result int; begin select defaults_x(1) into result; return result; end $$; select named_result();
--> ERROR 42883: function defaults_x(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.

create function shadow(id int) returns int language plpgsql as $$ begin return (select id from (values (5)) v(id)); end $$; select shadow(1);
--> ERROR 42702: column reference "id" is ambiguous
--> DETAIL: It could refer to either a PL/pgSQL variable or a table column.

create function qualified(id int) returns int language sql as $$ select qualified.id + $1 $$; select qualified(4);
--> {"qualified":8}
