create type e1 as enum ('a','b'); create type e2 as enum ('a','b');
--> no rows

create table t (id int, k e1 default 'a', n e1); create index on t (id) where n = 'a';
--> no rows

alter table t alter column k type e2 using k::text::e2;
--> ERROR 42804: default for column "k" cannot be cast automatically to type e2

alter table t alter column n type e2 using n::text::e2;
--> ERROR 42883: operator does not exist: e2 = e1
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 61

alter table t alter column k drop default, alter column k type e2 using k::text::e2, alter column k set default 'b';
--> no rows

drop index t_id_idx; alter table t add check (n = 'a');
--> no rows

alter table t alter column n type e2 using n::text::e2;
--> ERROR 42883: operator does not exist: e2 = e1
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

alter table t drop constraint t_n_check; alter table t add check (n in ('a','b'));
--> no rows

alter table t alter column n type e2 using n::text::e2;
--> ERROR 42883: operator does not exist: e2 = e1
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

create table t2 (id int default 5, b text default 'x');
--> no rows

alter table t2 alter column b type int using 3;
--> ERROR 42804: default for column "b" cannot be cast automatically to type integer

alter table t2 alter column id type text;
--> no rows

alter table t2 alter column id type boolean using true;
--> ERROR 42804: default for column "id" cannot be cast automatically to type boolean

create table t3 (n text check (n ~ 'x'), m text); create index on t3 (lower(m));
--> no rows

alter table t3 alter column n type int using 1;
--> ERROR 42883: operator does not exist: integer ~ text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.

create type pair as (x int, y text);
--> no rows

create function f(r record) returns jsonb language plpgsql as $$ begin return to_jsonb(r); end $$;
--> no rows

select f((1,'i')::pair), f(row(1,'i')::pair), f(row(1,'i'));
--> {"f":{"f1":1,"f2":"i"}}

insert into t3 values ('x','m'); select t3.*::text from t3; select (t3.*)::text from t3; select t3::text from t3;
--> {"t3":"(x,m)"}

create function va(variadic a int[]) returns int language sql as $$ select array_length(a,1) $$;
--> no rows

select va(variadic a => array[1,2,3]); select va(a => array[1,2]); select va(variadic array[1,2]); select va(variadic a := '{1}');
--> ERROR 42883: function va(a => integer[]) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 47

create aggregate array_concat_agg(anycompatiblearray) (sfunc = array_cat, stype = anycompatiblearray);
--> no rows

select array_concat_agg(a) from (values (array[1,2]),(array[3])) v(a);
--> {"array_concat_agg":[1,2,3]}

create aggregate array_concat_agg2(anyarray) (sfunc = array_cat, stype = anyarray);
--> ERROR 42883: function array_cat(anyarray, anyarray) does not exist

create aggregate app(anycompatible) (sfunc = array_append, stype = anycompatiblearray, initcond = '{}'); select app(x) from generate_series(1,3) x;
--> {"app":[1,2,3]}

do $$ begin raise; end $$;
--> ERROR 0Z002: RAISE without parameters cannot be used outside an exception handler

do $$ begin raise exception using errcode='22012'; end $$;
--> ERROR 22012: 22012

do $$ begin raise division_by_zero; end $$;
--> ERROR 22012: division_by_zero

do $$ begin raise sqlstate '22012'; end $$;
--> ERROR 22012: 22012

do $$ begin raise sqlstate '22012' using message = 'm', detail='d', hint='h', column='c', constraint='k', datatype='dt', table='t', schema='s'; exception when others then declare a text; b text; c text; d text; e text; f text; g text; h text; i text; begin get stacked diagnostics a = returned_sqlstate, b = message_text, c = pg_exception_detail, d = pg_exception_hint, e = column_name, f = constraint_name, g = pg_datatype_name, h = table_name, i = schema_name; raise notice '% % % % % % % % %',a,b,c,d,e,f,g,h,i; get stacked diagnostics a = pg_exception_context; raise notice '%', a; end; end $$;
--> no rows

do $$ begin raise 'a % b', 1; exception when raise_exception then raise notice '%', sqlerrm; raise; end $$;
--> ERROR P0001: a 1 b

do $$ begin raise 'a % b'; end $$;
--> ERROR 42601: too few parameters specified for RAISE

do $$ begin raise 'a b', 1; end $$;
--> ERROR 42601: too many parameters specified for RAISE

do $$ begin raise log 'a'; raise info 'b'; raise debug 'c'; raise warning 'd' using hint = 'q', detail = 'w', errcode='01000'; raise notice 'a%%b'; end $$;
--> no rows

do $$ begin raise exception 'x' using message = 'y'; end $$;
--> ERROR 42601: RAISE option already specified: MESSAGE

do $$ begin raise unique_violation using message = 'dup' || 5; end $$;
--> ERROR 23505: dup5

do $$ begin raise notice using message = 'only'; raise notice unique_violation; end $$;
--> no rows

do $$ begin raise exception 'x' using errcode = 'P0099', errcode='P0001'; end $$;
--> ERROR 42601: RAISE option already specified: ERRCODE

do $$ begin raise exception using message = null; end $$;
--> ERROR 22004: RAISE statement option cannot be null

do $$ begin raise exception '%', null; end $$;
--> ERROR P0001: <NULL>

do $$ begin assert false; end $$;
--> ERROR P0004: assertion failed

do $$ begin assert 1=2, 'msg'; exception when assert_failure then raise notice 'caught %', sqlerrm; end $$;
--> no rows

do $$ begin assert null, 'q'||1; end $$;
--> ERROR P0004: q1

do $$ begin assert false; exception when others then raise notice 'no'; end $$;
--> ERROR P0004: assertion failed

do $$ begin perform 1/0; exception when division_by_zero or unique_violation then raise notice '% %', sqlstate, sqlerrm; end $$;
--> no rows

do $$ begin perform 1/0; exception when sqlstate '22012' then raise notice 'ok'; raise exception using errcode = sqlstate, message = sqlerrm; end $$;
--> ERROR 22012: division by zero

do $$ begin raise notice using errcode = '22012'; raise notice using hint = 'h'; raise warning sqlstate '22012' using detail = 'd'; end $$;
--> no rows

do $$ begin raise exception using errcode = 'division_by_zero'; end $$;
--> ERROR 22012: division_by_zero

do $$ begin raise division_by_zero using errcode = '22011'; end $$;
--> ERROR 42601: RAISE option already specified: ERRCODE

do $$ begin raise exception 'x' using detail = 'a', detail = 'b'; end $$;
--> ERROR 42601: RAISE option already specified: DETAIL

do $$ begin raise exception 'x' using column = 'a', constraint = 'b', column = 'c'; end $$;
--> ERROR 42601: RAISE option already specified: COLUMN

do $$ begin raise exception 'x' using schema = 'a', table = 'b', schema = 'c'; end $$;
--> ERROR 42601: RAISE option already specified: SCHEMA

do $$ declare a text; begin begin raise exception 'x'; exception when others then null; end; get stacked diagnostics a = message_text; end $$;
--> ERROR 0Z002: GET STACKED DIAGNOSTICS cannot be used outside an exception handler

create table pe (p pair, t text); insert into pe values (row(1,'q'), 'z'), (null, 'y');
--> no rows

select pe.*::text, (pe.*)::text, f(pe.p), f(pe.*) from pe order by t;
--> {"pe":"(,y)","f":{"p":null,"t":"y"}}
--> {"pe":"(\"(1,q)\",z)","f":{"p":{"x":1,"y":"q"},"t":"z"}}

select f((1,'i')::pair), f(null::pair), f((select p from pe where t = 'z'));
--> {"f":{"x":1,"y":"q"}}

create function vb(a text, variadic b text[] default '{}') returns text language plpgsql as $$ begin return a || array_to_string(b, ','); end $$;
--> no rows

select vb('x', variadic b => array['q','r']);
--> {"vb":"xq,r"}

select vb(a => 'z');
--> ERROR 42883: function vb(a => unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select vb(a => 'x', variadic b => '{p}');
--> {"vb":"xp"}

select vb(variadic array['q'], 'n');
--> ERROR 42601: syntax error at or near ","
--> AT 30

select vb(a => 'x', b => array['q']);
--> ERROR 42883: function vb(a => unknown, b => text[]) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select vb(variadic "b" := array['q','r'], a := 'n');
--> ERROR 42601: syntax error at or near ","
--> AT 41

do $$ declare l text[] := '{k,l}'; begin raise notice '%', vb('x', variadic b => l); end $$;
--> no rows

select app(x), app(x::text) from generate_series(1,2) x;
--> {"app":["1","2"]}

create aggregate pre(anycompatible) (sfunc = array_prepend, stype = anycompatiblearray);
--> ERROR 42883: function array_prepend(anycompatiblearray, anycompatible) does not exist

select array_concat_agg(array[x::text]) from generate_series(1,3) x;
--> {"array_concat_agg":["1","2","3"]}

create view nv as select 1 as a; create index ni on pe (t); select relname, relreplident from pg_class where relname in ('nv','ni','pe') order by 1;
--> {"relname":"ni","relreplident":"n"}
--> {"relname":"nv","relreplident":"n"}
--> {"relname":"pe","relreplident":"d"}

create table nat (a national character varying(5), b national char(3), c nchar(2));
--> no rows

select format_type(atttypid, atttypmod) from pg_attribute where attrelid = 'nat'::regclass and attnum > 0 order by attnum;
--> {"format_type":"character varying(5)"}
--> {"format_type":"character(3)"}
--> {"format_type":"character(2)"}

drop table if exists public.users;
--> no rows

drop view if exists public.vv, nope.vv;
--> no rows

drop table public.users;
--> ERROR 42P01: table "users" does not exist

drop table nope.users;
--> ERROR 3F000: schema "nope" does not exist

drop index nope.i;
--> ERROR 3F000: schema "nope" does not exist

drop index if exists nope.i, public.i;
--> no rows

drop sequence nope.s;
--> ERROR 3F000: schema "nope" does not exist

drop foreign table public.ft;
--> ERROR 42704: foreign table "ft" does not exist

set check_function_bodies = off; create function later_one() returns setof int language sql as $$ select id from later_table $$; create function later_rows() returns table (a int, b text) language sql stable as $$ select id, name from later_table $$; create view early as select * from later_one(); create view early_rows as select r.b, r.a, (select max(x) from later_one() x) as m from later_rows() r; set check_function_bodies = on;
--> no rows

select * from early;
--> ERROR 42P01: relation "later_table" does not exist

create table later_table (id int, name text); insert into later_table values (4, 'n'); select * from early;
--> {"later_one":4}

select * from early_rows;
--> {"b":"n","a":4,"m":4}

create materialized view early_kept as select * from no_such_function();
--> ERROR 42883: function no_such_function() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 54

create table own_name (a int, own_name text); insert into own_name values (1, 'z'); select own_name.*::text, (own_name.*)::text as b from own_name;
--> {"own_name":"(1,z)","b":"(1,z)"}

create view own_rows as select own_name.*::text as r, (o.*)::text as s from own_name left join own_name o on false; select * from own_rows;
--> {"r":"(1,z)","s":null}

do $$ declare r own_name; x text; begin r.a := 4; x := r.*::text; raise notice '%', x; select (v.*)::text into x from (values (1)) v; raise exception '%', x; end $$;
--> ERROR P0001: (1)

do $$ declare a int[] := '{}'; begin for i in 1..3000 loop a[i] := i; end loop; raise exception '%', array_length(a, 1); end $$;
--> ERROR P0001: 3000
