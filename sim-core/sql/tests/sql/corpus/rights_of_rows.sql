-- Functions that checks, generated columns and indexes call, and roles that may not call them.

create role stranger; create role other_stranger; create schema private; create function private.ok(t text) returns boolean language sql immutable as $$ select length(t) < 5 $$; create function private.okp(t text) returns boolean language plpgsql immutable as $$ begin return length(t) < 5; end $$; create function private.twice(i int) returns int language sql immutable as $$ select i * 2 $$; grant usage on schema private to stranger; revoke all on all functions in schema private from public, stranger;
--> no rows

create table t (id int, a text check (private.ok(a))); grant all on t to stranger;
--> no rows

set role stranger; insert into t values (1, 'q');
--> ERROR 42501: permission denied for function ok

insert into t values (1, 'q'); select * from t;
--> {"id":1,"a":"q"}

set role stranger; update t set id = 2;
--> ERROR 42501: permission denied for function ok

set role stranger; delete from t;
--> no rows

create table tp (id int, a text check (private.okp(a))); grant all on tp to stranger;
--> no rows

set role stranger; insert into tp values (1, 'q');
--> ERROR 42501: permission denied for function okp

create table g (a int, b int generated always as (private.twice(a)) stored); grant all on g to stranger;
--> no rows

set role stranger; insert into g (a) values (2);
--> ERROR 42501: permission denied for function twice

create table ix (a int); create index on ix (private.twice(a)); grant all on ix to stranger;
--> no rows

set role stranger; insert into ix values (2);
--> ERROR 42501: permission denied for function twice

drop index ix_twice_idx; set role stranger; insert into ix values (2); select * from ix;
--> {"a":2}

create unique index on ix (a) where private.twice(a) > 3;
--> no rows

set role stranger; insert into ix values (4);
--> ERROR 42501: permission denied for function twice

create domain d as text check (private.ok(value)); create table td (a d, b int); grant all on td to stranger;
--> no rows

set role stranger; insert into td values ('q');
--> ERROR 42501: permission denied for function ok

set role stranger; select 'q'::d;
--> ERROR 42501: permission denied for function ok

set role stranger; insert into td (b) values (1);
--> ERROR 42501: permission denied for function ok

set role stranger; update td set b = 2; select * from td;
--> no rows

set role stranger; update td set a = 'z';
--> ERROR 42501: permission denied for function ok

insert into td values ('q', 7); set role stranger; select * from td order by b;
--> {"a":"q","b":7}

create function ins() returns void language sql security definer as $$ insert into t values (7, 'def') $$; set role stranger; select ins(); select * from t;
--> {"id":7,"a":"def"}

grant execute on all functions in schema private to stranger; set role stranger; insert into t values (3, 'w'); insert into g (a) values (2); insert into td values ('q'); select * from t order by id;
--> {"id":3,"a":"w"}
--> {"id":7,"a":"def"}

set role stranger; insert into t values (3, 'wwwwwwww');
--> ERROR 23514: new row for relation "t" violates check constraint "t_a_check"
--> DETAIL: Failing row contains (3, wwwwwwww).

create table dflt (a int default private.twice(4)); grant all on dflt to other_stranger; grant usage on schema private to other_stranger; set role other_stranger; insert into dflt default values;
--> ERROR 42501: permission denied for function twice
