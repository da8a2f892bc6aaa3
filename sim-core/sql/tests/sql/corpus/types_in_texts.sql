-- What depends on a type because its text names it.

create type e1 as enum ('a','b'); create view v1 as select 'a'::e1 as x;
--> no rows

drop type e1;
--> ERROR 2BP01: cannot drop type e1 because other objects depend on it
--> DETAIL: view v1 depends on type e1
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type e1 cascade;
--> no rows

select count(*) from pg_views where viewname = 'v1';
--> {"count":0}

create type e2 as enum ('a','b'); create table t2 (x text); create view v2 as select x from t2 where x::e2 = 'a';
--> no rows

drop type e2;
--> ERROR 2BP01: cannot drop type e2 because other objects depend on it
--> DETAIL: view v2 depends on type e2
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type e2 cascade;
--> no rows

select count(*) from pg_views where viewname = 'v2';
--> {"count":0}

create type e3 as enum ('a','b'); create function f3(x text) returns text begin atomic select (x::e3)::text; end;
--> no rows

drop type e3;
--> ERROR 2BP01: cannot drop type e3 because other objects depend on it
--> DETAIL: function f3(text) depends on type e3
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type e3 cascade;
--> no rows

select count(*) from pg_proc where proname = 'f3';
--> {"count":0}

create type e4 as enum ('a','b'); create table t4 (x text default ('a'::e4)::text, y text check (y::e4 = 'a'), z text generated always as (lower(z0)) stored, z0 text);
--> no rows

drop type e4;
--> ERROR 2BP01: cannot drop type e4 because other objects depend on it
--> DETAIL: default value for column x of table t4 depends on type e4\nconstraint t4_y_check on table t4 depends on type e4
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type e4 cascade;
--> no rows

select column_name, column_default from information_schema.columns where table_name = 't4' order by 1;
--> {"column_name":"x","column_default":null}
--> {"column_name":"y","column_default":null}
--> {"column_name":"z","column_default":null}
--> {"column_name":"z0","column_default":null}

select conname from pg_constraint where conrelid = 't4'::regclass;
--> no rows

create type e5 as enum ('a','b'); create table t5 (x text); create policy p5 on t5 using (x::e5 = 'a');
--> no rows

drop type e5;
--> ERROR 2BP01: cannot drop type e5 because other objects depend on it
--> DETAIL: policy p5 on table t5 depends on type e5
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type e5 cascade;
--> no rows

select count(*) from pg_policy where polname = 'p5';
--> {"count":0}

create type e6 as enum ('a','b'); create table t6 (x text); create rule r6 as on insert to t6 where new.x::e6 = 'b' do instead nothing;
--> no rows

drop type e6;
--> ERROR 2BP01: cannot drop type e6 because other objects depend on it
--> DETAIL: rule r6 on table t6 depends on type e6
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type e6 cascade;
--> no rows

select count(*) from pg_rules where rulename = 'r6';
--> {"count":0}

create type e7 as enum ('a','b'); create table t7 (x text); create trigger tr7 before update on t7 for each row when (new.x::e7 = 'a') execute function suppress_redundant_updates_trigger();
--> no rows

drop type e7;
--> ERROR 2BP01: cannot drop type e7 because other objects depend on it
--> DETAIL: trigger tr7 on table t7 depends on type e7
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type e7 cascade;
--> no rows

select count(*) from pg_trigger where tgname = 'tr7';
--> {"count":0}

create domain d8 as int check (value > 0); create view v8 as select 1::d8 as x; create view v8b as select * from v8;
--> no rows

drop domain d8;
--> ERROR 2BP01: cannot drop type d8 because other objects depend on it
--> DETAIL: view v8 depends on type d8\nview v8b depends on view v8
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop domain d8 cascade;
--> no rows

create domain d9 as int check (value > 0); create table t9 (x int); create view v9 as select x from t9 where x::d9 > 3; create materialized view m9 as select cast(x as d9)::int as y from t9;
--> no rows

drop domain d9;
--> ERROR 2BP01: cannot drop type d9 because other objects depend on it
--> DETAIL: view v9 depends on type d9\nmaterialized view m9 depends on type d9
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop domain d9 cascade;
--> no rows

create type c10 as (a int, b text); create view v10 as select (row(1,'a')::c10).a as x; create table t10 (x int); create view w10 as select ((x, 'b')::c10).b from t10;
--> no rows

drop type c10;
--> ERROR 2BP01: cannot drop type c10 because other objects depend on it
--> DETAIL: view v10 depends on type c10\nview w10 depends on type c10
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type c10 cascade;
--> no rows

create type e11 as enum ('a'); create view v11 as select array['a']::e11[] as x; create view w11 as select 1 as y where 'a' = any ((array['a']::e11[])::text[]);
--> no rows

drop type e11;
--> ERROR 2BP01: cannot drop type e11 because other objects depend on it
--> DETAIL: view v11 depends on type e11\nview w11 depends on type e11
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type e11 cascade;
--> no rows

create type e12 as enum ('a', 'b'); create table t12 (x text); create index i12 on t12 ((x || 'b')) where x <> 'c'; create domain d12 as text check (value::e12 = 'a');
--> no rows

drop type e12;
--> ERROR 2BP01: cannot drop type e12 because other objects depend on it
--> DETAIL: constraint d12_check depends on type e12
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type e12 cascade;
--> no rows

select count(*) from pg_type where typname = 'd12';
--> {"count":1}

create domain d13 as int check (value > 0); create table t13 (x int); create index i13 on t13 ((x::d13));
--> no rows

drop domain d13;
--> ERROR 2BP01: cannot drop type d13 because other objects depend on it
--> DETAIL: index i13 depends on type d13
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop domain d13 cascade;
--> no rows

select count(*) from pg_indexes where indexname = 'i13';
--> {"count":0}

create schema s14; create type s14.e14 as enum ('a'); create view v14 as select ('a'::s14.e14)::text as x;
--> no rows

drop schema s14;
--> ERROR 2BP01: cannot drop schema s14 because other objects depend on it
--> DETAIL: type s14.e14 depends on schema s14\nview v14 depends on type s14.e14
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop schema s14 cascade;
--> no rows

create table t15 (a int, b int); create view v15 as select (row(1,2)::t15).a as x;
--> no rows

drop table t15 cascade;
--> no rows

create type e16 as enum ('a'); create function f16() returns text language sql as $$ select ('a'::e16)::text $$; create view v16 as select 'x'::text as y;
--> no rows

drop type e16;
--> no rows

create type e17 as enum ('e17'); create view v17 as select 'e17'::text as e17;
--> no rows

drop type e17;
--> no rows

create type e18 as enum ('a'); create view v18 as select null::text as x union all select ('a'::e18)::text;
--> no rows

drop type e18;
--> ERROR 2BP01: cannot drop type e18 because other objects depend on it
--> DETAIL: view v18 depends on type e18
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type e18 cascade;
--> no rows

create type e19 as enum ('a','b'); create function f19(e text default ('a'::e19)::text) returns text language sql as 'select e';
--> no rows

drop type e19;
--> ERROR 2BP01: cannot drop type e19 because other objects depend on it
--> DETAIL: function f19(text) depends on type e19
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type e19 cascade;
--> no rows

select count(*) from pg_proc where proname = 'f19';
--> {"count":0}

create type ft20 as (a int); create view v20 as select * from json_to_record('{"a":1}') as x(a int, b ft20);
--> no rows

drop type ft20;
--> ERROR 2BP01: cannot drop type ft20 because other objects depend on it
--> DETAIL: view v20 depends on type ft20
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type ft20 cascade;
--> no rows

create type ft21 as (a int); create view v21 as select (json_populate_record(null::ft21, '{"a":1}')).a;
--> no rows

drop type ft21;
--> ERROR 2BP01: cannot drop type ft21 because other objects depend on it
--> DETAIL: view v21 depends on type ft21
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type ft21 cascade;
--> no rows

create type e22 as enum ('a'); create view v22 as select enum_range(null::e22)::text as x; create view v22b as select x from (select ('a'::e22)::text as x) q;
--> no rows

drop type e22;
--> ERROR 2BP01: cannot drop type e22 because other objects depend on it
--> DETAIL: view v22 depends on type e22\nview v22b depends on type e22
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type e22 cascade;
--> no rows

create type e23 as enum ('a'); create view v23 as with q as (select ('a'::e23)::text as x) select * from q where exists (select 1 where 'a'::e23 = 'a');
--> no rows

drop type e23 cascade;
--> no rows

create type e24 as enum ('a'); create table p24 (a text) partition by list ((a::e24));
--> ERROR 42P17: functions in partition key expression must be marked IMMUTABLE

create type e25 as enum ('a', 'b'); create table t25 (x e25); create view v25 as select x::text from t25 where x = 'a';
--> no rows

drop type e25 cascade;
--> no rows

create function g30(int) returns int language sql as 'select $1'; create table t30 (a int); create table l30 (a int); create rule r30 as on insert to t30 do also insert into l30 values (g30(new.a));
--> no rows

drop function g30;
--> ERROR 2BP01: cannot drop function g30(integer) because other objects depend on it
--> DETAIL: rule r30 on table t30 depends on function g30(integer)
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop function g30 cascade;
--> no rows

insert into t30 values (1);
--> no rows

create type e31 as enum ('a'); create table t31 (a text); create index i31 on t31 (a) where a = 'b'; alter table t31 add constraint c31 check (a::e31 is not null), alter a set default ('a'::e31)::text;
--> no rows

drop type e31 cascade;
--> no rows

insert into t31 default values; insert into t31 values ('zz'); select * from t31;
--> {"a":null}
--> {"a":"zz"}

create schema s32; create type s32.e32 as enum ('a'); create type e32 as enum ('b'); create table t32 (a text default ('b'::e32)::text);
--> no rows

drop type s32.e32;
--> no rows

drop type e32;
--> ERROR 2BP01: cannot drop type e32 because other objects depend on it
--> DETAIL: default value for column a of table t32 depends on type e32
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

create table t33 (a int, b int); create view v33 as select row_to_json(row(1,2)::t33) as x; create table u33 (x text default (row(1,2)::t33)::text);
--> no rows

drop table t33;
--> ERROR 2BP01: cannot drop table t33 because other objects depend on it
--> DETAIL: view v33 depends on type t33\ndefault value for column x of table u33 depends on type t33
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop table t33 cascade;
--> no rows

create domain d34 as int check (value > 0); create table p34 (a int check (a::d34 > 5)) partition by range (a); create table p34a partition of p34 for values from (0) to (10);
--> no rows

drop domain d34;
--> ERROR 2BP01: cannot drop type d34 because other objects depend on it
--> DETAIL: constraint p34_a_check on table p34 depends on type d34\nconstraint p34_a_check on table p34a depends on type d34
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop domain d34 cascade;
--> no rows

create type e40 as enum ('a', 'b'); create table t40 (m e40 default 'a' check (m <> 'b'::e40), n e40 not null, check (m <> n), unique (m, n)); create index i40 on t40 (m) where m = 'b'::e40; create policy p40 on t40 using (m = 'a'::e40);
--> no rows

drop type e40;
--> ERROR 2BP01: cannot drop type e40 because other objects depend on it
--> DETAIL: column n of table t40 depends on type e40\ncolumn m of table t40 depends on type e40\npolicy p40 on table t40 depends on type e40
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type e40 cascade;
--> no rows

select conname from pg_constraint where conrelid = 't40'::regclass;
--> no rows

select count(*) from pg_indexes where tablename = 't40';
--> {"count":0}
