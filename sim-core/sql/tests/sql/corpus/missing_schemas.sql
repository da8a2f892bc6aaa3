-- Objects in a schema that does not exist: a query misses the table, and a command the schema.

select 'nope.t'::regclass;
--> ERROR 3F000: schema "nope" does not exist
--> AT 8

select 'nope.f'::regproc;
--> ERROR 3F000: schema "nope" does not exist
--> AT 8

select 'nope.f(int)'::regprocedure;
--> ERROR 3F000: schema "nope" does not exist
--> AT 8

select 'nope.ty'::regtype;
--> ERROR 3F000: schema "nope" does not exist
--> AT 8

select 'nope'::regnamespace;
--> ERROR 3F000: schema "nope" does not exist
--> AT 8

select 'nope.c'::regcollation;
--> ERROR 3F000: schema "nope" does not exist
--> AT 8

grant select on nope.t to anon;
--> ERROR 3F000: schema "nope" does not exist

revoke select on nope.t from anon;
--> ERROR 3F000: schema "nope" does not exist

grant execute on function nope.f() to anon;
--> ERROR 3F000: schema "nope" does not exist

grant usage on type nope.t to anon;
--> ERROR 3F000: schema "nope" does not exist

grant usage on sequence nope.s to anon;
--> ERROR 3F000: schema "nope" does not exist

grant usage on schema nope to anon;
--> ERROR 3F000: schema "nope" does not exist

comment on table nope.t is 'x';
--> ERROR 3F000: schema "nope" does not exist

comment on column nope.t.c is 'x';
--> ERROR 3F000: schema "nope" does not exist

comment on function nope.f() is 'x';
--> ERROR 3F000: schema "nope" does not exist

comment on type nope.t is 'x';
--> ERROR 3F000: schema "nope" does not exist

comment on view nope.t is 'x';
--> ERROR 3F000: schema "nope" does not exist

comment on trigger x on nope.t is 'x';
--> ERROR 3F000: schema "nope" does not exist

comment on policy x on nope.t is 'x';
--> ERROR 3F000: schema "nope" does not exist

comment on constraint x on nope.t is 'x';
--> ERROR 3F000: schema "nope" does not exist

comment on index nope.i is 'x';
--> ERROR 3F000: schema "nope" does not exist

comment on sequence nope.i is 'x';
--> ERROR 3F000: schema "nope" does not exist

comment on schema nope is 'x';
--> ERROR 3F000: schema "nope" does not exist

select to_regclass('nope.t'), to_regproc('nope.f'), to_regtype('nope.t'), to_regprocedure('nope.f(int)');
--> {"to_regclass":null,"to_regproc":null,"to_regtype":null,"to_regprocedure":null}

create view nope.t as select 1;
--> ERROR 3F000: schema "nope" does not exist

create function nope.f() returns int language sql as 'select 1';
--> ERROR 3F000: schema "nope" does not exist

create type nope.t as enum ('a');
--> ERROR 3F000: schema "nope" does not exist

create sequence nope.s;
--> ERROR 3F000: schema "nope" does not exist

create index on nope.t (id);
--> ERROR 3F000: schema "nope" does not exist

create policy p on nope.t using (true);
--> ERROR 3F000: schema "nope" does not exist

create trigger x before insert on nope.t for each row execute function f();
--> ERROR 3F000: schema "nope" does not exist

create trigger x before insert on nope.t for each row execute function nope.f();
--> ERROR 3F000: schema "nope" does not exist

alter table nope.t add column x int;
--> ERROR 3F000: schema "nope" does not exist

alter table if exists nope.t add column x int;
--> no rows

alter table nope.t enable row level security;
--> ERROR 3F000: schema "nope" does not exist

alter function nope.f() owner to postgres;
--> ERROR 3F000: schema "nope" does not exist

alter type nope.t add value 'x';
--> ERROR 3F000: schema "nope" does not exist

alter type nope.t rename to x;
--> ERROR 3F000: schema "nope" does not exist

alter sequence nope.s restart;
--> ERROR 3F000: schema "nope" does not exist

alter view nope.v rename to x;
--> ERROR 3F000: schema "nope" does not exist

alter index nope.i rename to x;
--> ERROR 3F000: schema "nope" does not exist

alter policy p on nope.t using (true);
--> ERROR 3F000: schema "nope" does not exist

alter table nope.t owner to postgres;
--> ERROR 3F000: schema "nope" does not exist

drop table nope.t;
--> ERROR 3F000: schema "nope" does not exist

drop function nope.f();
--> ERROR 3F000: schema "nope" does not exist

drop function nope.f;
--> ERROR 3F000: schema "nope" does not exist

drop type nope.t;
--> ERROR 3F000: schema "nope" does not exist

drop view nope.v;
--> ERROR 3F000: schema "nope" does not exist

drop index nope.i;
--> ERROR 3F000: schema "nope" does not exist

drop sequence nope.s;
--> ERROR 3F000: schema "nope" does not exist

drop policy p on nope.t;
--> ERROR 3F000: schema "nope" does not exist

drop trigger p on nope.t;
--> ERROR 3F000: schema "nope" does not exist

drop policy if exists p on nope.t;
--> no rows

drop trigger if exists p on nope.t;
--> no rows

drop function if exists nope.f();
--> no rows

drop type if exists nope.t;
--> no rows

drop domain nope.d;
--> ERROR 3F000: schema "nope" does not exist

truncate nope.t;
--> ERROR 3F000: schema "nope" does not exist

lock table nope.t;
--> ERROR 25P01: LOCK TABLE can only be used in transaction blocks

analyze nope.t;
--> ERROR 3F000: schema "nope" does not exist

vacuum nope.t;
--> ERROR 3F000: schema "nope" does not exist

reindex table nope.t;
--> ERROR 3F000: schema "nope" does not exist

refresh materialized view nope.m;
--> ERROR 3F000: schema "nope" does not exist

select pg_relation_size('nope.t');
--> ERROR 3F000: schema "nope" does not exist
--> AT 25

select 1::nope.t;
--> ERROR 3F000: schema "nope" does not exist
--> AT 11

select nope.f();
--> ERROR 3F000: schema "nope" does not exist
--> AT 8

select * from nope.f();
--> ERROR 3F000: schema "nope" does not exist
--> AT 15

call nope.p();
--> ERROR 3F000: schema "nope" does not exist
--> AT 6

select * from nope.t;
--> ERROR 42P01: relation "nope.t" does not exist
--> AT 15

insert into nope.t values (1);
--> ERROR 42P01: relation "nope.t" does not exist
--> AT 13

merge into nope.t using (select 1 a) s on true when matched then delete;
--> ERROR 42P01: relation "nope.t" does not exist
--> AT 12

create table a1 (like nope.t);
--> ERROR 3F000: schema "nope" does not exist
--> AT 23

create table a2 (x nope.t);
--> ERROR 3F000: schema "nope" does not exist
--> AT 20

create table a3 (id int references nope.t(id));
--> ERROR 3F000: schema "nope" does not exist

create table a5 partition of nope.t default;
--> ERROR 3F000: schema "nope" does not exist

create table a6 as select * from nope.t;
--> ERROR 42P01: relation "nope.t" does not exist
--> AT 34

create statistics nope.s on a, b from nope.t;
--> ERROR 3F000: schema "nope" does not exist

create rule r as on insert to nope.t do nothing;
--> ERROR 3F000: schema "nope" does not exist

create aggregate nope.a (int) (sfunc = int4pl, stype = int);
--> ERROR 3F000: schema "nope" does not exist

alter default privileges in schema nope grant select on tables to anon;
--> ERROR 3F000: schema "nope" does not exist

grant select on all tables in schema nope to anon;
--> ERROR 3F000: schema "nope" does not exist

do $$ begin perform 'nope.t'::regclass; exception when undefined_table then raise exception 'T'; when invalid_schema_name then raise exception 'S'; end $$;
--> ERROR P0001: S

select cast('x' as nope.t);
--> ERROR 3F000: schema "nope" does not exist
--> AT 20

select '{}'::nope.t[];
--> ERROR 3F000: schema "nope" does not exist
--> AT 14

create operator nope.+ (function = int4pl, leftarg = int, rightarg = int);
--> ERROR 3F000: schema "nope" does not exist

select 1 operator(nope.+) 1;
--> ERROR 3F000: schema "nope" does not exist
--> AT 10

select 'a' collate nope.c;
--> ERROR 3F000: schema "nope" does not exist
--> AT 12

alter table nope.t rename to x;
--> ERROR 3F000: schema "nope" does not exist

alter table nope.t set schema public;
--> ERROR 3F000: schema "nope" does not exist

drop aggregate nope.a(int);
--> ERROR 3F000: schema "nope" does not exist

drop procedure nope.p();
--> ERROR 3F000: schema "nope" does not exist

drop routine nope.p();
--> ERROR 3F000: schema "nope" does not exist

drop materialized view nope.m;
--> ERROR 3F000: schema "nope" does not exist

drop foreign table nope.m;
--> ERROR 3F000: schema "nope" does not exist

drop collation nope.c;
--> ERROR 3F000: schema "nope" does not exist

create table here (id int); create function public.tf() returns trigger language plpgsql as 'begin return new; end'; create trigger x before insert on here for each row execute function nope.f();
--> ERROR 3F000: schema "nope" does not exist

select x::regclass from (values ('nope.t')) v(x);
--> ERROR 3F000: schema "nope" does not exist

select x::regproc from (values ('nope.f')) v(x);
--> ERROR 3F000: schema "nope" does not exist

select x::regprocedure from (values ('nope.f(int)')) v(x);
--> ERROR 3F000: schema "nope" does not exist

select x::regclass from (values ('public.nothere')) v(x);
--> ERROR 42P01: relation "public.nothere" does not exist

select x::regclass, y::regproc from (values ('public.here', 'public.tf')) v(x, y);
--> ERROR 42P01: relation "public.here" does not exist

select to_regclass(x), to_regproc(x) from (values ('nope.t')) v(x);
--> {"to_regclass":null,"to_regproc":null}

create function c1(t text) returns text language plpgsql as $$ begin perform t::regclass; return 'there'; exception when undefined_table then return 'no table'; when invalid_schema_name then return 'no schema'; end $$; select c1('nope.t'), c1('public.nothere'), c1('here');
--> {"c1":"no table"}

select 'pg_catalog.nothere'::regclass;
--> ERROR 42P01: relation "pg_catalog.nothere" does not exist
--> AT 8

select 'information_schema.nothere'::regclass;
--> ERROR 42P01: relation "information_schema.nothere" does not exist
--> AT 8

select '"No Pe".t'::regclass;
--> ERROR 3F000: schema "No Pe" does not exist
--> AT 8

alter table if exists nope.t rename to x; alter index if exists nope.i rename to x; alter view if exists nope.v rename to x; alter sequence if exists nope.s restart; drop policy if exists p on nope.t; drop trigger if exists p on nope.t; drop function if exists nope.f(int); drop index if exists nope.i; drop table if exists nope.t;
--> no rows
