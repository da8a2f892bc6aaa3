-- One statement for each usual refusal.

create table t (id int primary key, a text not null, n int check (n between 1 and 9), u uuid unique);
--> no rows

insert into t values (1, 'x', 1, '00000000-0000-0000-0000-000000000001');
--> no rows

selekt 1;
--> ERROR 42601: syntax error at or near "selekt"
--> AT 1

select from where;
--> ERROR 42601: syntax error at or near "where"
--> AT 13

select 1 +;
--> ERROR 42601: syntax error at or near ";"
--> AT 11

select (1;
--> ERROR 42601: syntax error at or near ";"
--> AT 10

select 1);
--> ERROR 42601: syntax error at or near ")"
--> AT 9

select 'unterminated;
--> ERROR 42601: unterminated quoted string at or near "'unterminated;"
--> AT 8

create tabel x (a int);
--> ERROR 42601: syntax error at or near "tabel"
--> AT 8

create table x (a int,);
--> ERROR 42601: syntax error at or near ")"
--> AT 23

insert into t;
--> ERROR 42601: syntax error at or near ";"
--> AT 14

insert t values (1);
--> ERROR 42601: syntax error at or near "t"
--> AT 8

update t where id = 1;
--> ERROR 42601: syntax error at or near "where"
--> AT 10

select * form t;
--> ERROR 42601: syntax error at or near "form"
--> AT 10

drop table t t2;
--> ERROR 42601: syntax error at or near "t2"
--> AT 14

select * from t where;
--> ERROR 42601: syntax error at or near ";"
--> AT 22

select id from t order;
--> ERROR 42601: syntax error at or near ";"
--> AT 23

select foo from t;
--> ERROR 42703: column "foo" does not exist
--> AT 8

select t.foo from t;
--> ERROR 42703: column t.foo does not exist
--> AT 8

select x.id from t;
--> ERROR 42P01: missing FROM-clause entry for table "x"
--> AT 8

select * from missing;
--> ERROR 42P01: relation "missing" does not exist
--> AT 15

select * from nowhere.missing;
--> ERROR 42P01: relation "nowhere.missing" does not exist
--> AT 15

select missing_fn(1);
--> ERROR 42883: function missing_fn(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select nowhere.missing_fn(1);
--> ERROR 3F000: schema "nowhere" does not exist
--> AT 8

select id + a from t;
--> ERROR 42883: operator does not exist: integer + text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 11

select a + 1 from t;
--> ERROR 42883: operator does not exist: text + integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 10

select not a from t;
--> ERROR 42804: argument of NOT must be type boolean, not type text
--> AT 12

select * from t where a;
--> ERROR 42804: argument of WHERE must be type boolean, not type text
--> AT 23

select * from t where id = 'abc';
--> ERROR 22P02: invalid input syntax for type integer: "abc"
--> AT 28

select * from t where id = a;
--> ERROR 42883: operator does not exist: integer = text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 26

select * from t where u = 'zzz';
--> ERROR 22P02: invalid input syntax for type uuid: "zzz"
--> AT 27

select a || n from t;
--> {"?column?":"x1"}

select sum(a) from t;
--> ERROR 42883: function sum(text) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

insert into t values (1, 'y', 1, null);
--> ERROR 23505: duplicate key value violates unique constraint "t_pkey"
--> DETAIL: Key (id)=(1) already exists.

insert into t values (2, null, 1, null);
--> ERROR 23502: null value in column "a" of relation "t" violates not-null constraint
--> DETAIL: Failing row contains (2, null, 1, null).

insert into t values (2, 'y', 10, null);
--> ERROR 23514: new row for relation "t" violates check constraint "t_n_check"
--> DETAIL: Failing row contains (2, y, 10, null).

insert into t values (2, 'y', 1, '00000000-0000-0000-0000-000000000001');
--> ERROR 23505: duplicate key value violates unique constraint "t_u_key"
--> DETAIL: Key (u)=(00000000-0000-0000-0000-000000000001) already exists.

insert into t (id) values (2);
--> ERROR 23502: null value in column "a" of relation "t" violates not-null constraint
--> DETAIL: Failing row contains (2, null, null, null).

insert into t values ('x', 'y');
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 23

insert into t (id, a, n) values (3000000000, 'y', 1);
--> ERROR 22003: integer out of range

select 1/0;
--> ERROR 22012: division by zero

select 1/0.0;
--> ERROR 22012: division by zero

select 10 % 0;
--> ERROR 22012: division by zero

select 'x'::int;
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 8

select '1,2'::numeric;
--> ERROR 22P02: invalid input syntax for type numeric: "1,2"
--> AT 8

select '2024-13-01'::date;
--> ERROR 22008: date/time field value out of range: "2024-13-01"
--> HINT: Perhaps you need a different "datestyle" setting.
--> AT 8

select '2024-01-01 25:00'::timestamp;
--> ERROR 22008: date/time field value out of range: "2024-01-01 25:00"
--> AT 8

select '5'::uuid;
--> ERROR 22P02: invalid input syntax for type uuid: "5"
--> AT 8

select '{'::jsonb;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: The input string ended unexpectedly.
--> AT 8

select 'x'::jsonb;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "x" is invalid.
--> AT 8

select 2147483647 * 2;
--> ERROR 22003: integer out of range

select 99999999999::int;
--> ERROR 22003: integer out of range

select 1e10::int;
--> ERROR 22003: integer out of range

select cast('nope' as boolean);
--> ERROR 22P02: invalid input syntax for type boolean: "nope"
--> AT 13

select array[1,2] || 'x';
--> ERROR 22P02: malformed array literal: "x"
--> DETAIL: Array value must start with "{" or dimension information.
--> AT 22

select 1 = 'x';
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 12

select 1 = true;
--> ERROR 42883: operator does not exist: integer = boolean
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 10

select 1::uuid;
--> ERROR 42846: cannot cast type integer to uuid
--> AT 9

select true + 1;
--> ERROR 42883: operator does not exist: boolean + integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 13

select date '2024-01-01'::int;
--> ERROR 42846: cannot cast type date to integer
--> AT 25

create table t (a int);
--> ERROR 42P07: relation "t" already exists

create index t_pkey on t (a);
--> ERROR 42P07: relation "t_pkey" already exists

create unique index on t (nope);
--> ERROR 42703: column "nope" does not exist

create table y (a int references missing);
--> ERROR 42P01: relation "missing" does not exist

create table y (a int primary key, b int primary key);
--> ERROR 42P16: multiple primary keys for table "y" are not allowed
--> AT 42

alter table t add column a text;
--> ERROR 42701: column "a" of relation "t" already exists

alter table t drop column nope;
--> ERROR 42703: column "nope" of relation "t" does not exist

alter table t alter column nope set not null;
--> ERROR 42703: column "nope" of relation "t" does not exist

alter table t rename to t;
--> ERROR 42P07: relation "t" already exists

alter table t add constraint t_pkey primary key (a);
--> ERROR 42P16: multiple primary keys for table "t" are not allowed

alter table t add constraint t_u_key unique (n);
--> ERROR 42P07: relation "t_u_key" already exists

drop table missing;
--> ERROR 42P01: table "missing" does not exist

drop view t;
--> ERROR 42809: "t" is not a view
--> HINT: Use DROP TABLE to remove a table.

drop index missing;
--> ERROR 42704: index "missing" does not exist

drop index t_pkey;
--> ERROR 2BP01: cannot drop index t_pkey because constraint t_pkey on table t requires it
--> HINT: You can drop constraint t_pkey on table t instead.

drop schema missing;
--> ERROR 3F000: schema "missing" does not exist

drop schema public;
--> ERROR 2BP01: cannot drop schema public because other objects depend on it
--> DETAIL: table t depends on schema public
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop type missing;
--> ERROR 42704: type "missing" does not exist

drop function missing();
--> ERROR 42883: function missing() does not exist

drop sequence missing;
--> ERROR 42P01: sequence "missing" does not exist

drop column a;
--> ERROR 42601: syntax error at or near "column"
--> AT 6

create view v as select id, id from t;
--> ERROR 42701: column "id" specified more than once

create schema public;
--> ERROR 42P06: schema "public" already exists

create type int4 as enum ('a');
--> no rows

create extension no_such_extension;
--> ERROR 0A000: extension "no_such_extension" is not available
--> DETAIL: Could not open extension control file "/usr/share/postgresql/15/extension/no_such_extension.control": No such file or directory.
--> HINT: The extension must first be installed on the system where PostgreSQL is running.

create role postgres;
--> ERROR 42710: role "postgres" already exists

set role no_such_role;
--> ERROR 22023: role "no_such_role" does not exist

grant select on missing to public;
--> ERROR 42P01: relation "missing" does not exist

comment on table missing is 'x';
--> ERROR 42P01: relation "missing" does not exist

comment on column t.nope is 'x';
--> ERROR 42703: column "nope" of relation "t" does not exist

select * from t limit 'x';
--> ERROR 22P02: invalid input syntax for type bigint: "x"
--> AT 23

select count(*, 1) from t;
--> ERROR 42601: syntax error at or near ","
--> AT 15

select * from t group by id having a = 'x' order by nope;
--> ERROR 42703: column "nope" does not exist
--> AT 53

select a, count(*) from t;
--> ERROR 42803: column "t.a" must appear in the GROUP BY clause or be used in an aggregate function
--> AT 8

select (select id, a from t);
--> ERROR 42601: subquery must return only one column
--> AT 8

select id from t union select a from t;
--> ERROR 42804: UNION types integer and text cannot be matched
--> AT 31

insert into t (id, a) select 1;
--> ERROR 42601: INSERT has more target columns than expressions
--> AT 20

insert into t (id) select id, a from t;
--> ERROR 42601: INSERT has more expressions than target columns
--> AT 31

values (1), (1, 2);
--> ERROR 42601: VALUES lists must all be the same length
--> AT 14

select * from generate_series(1, 10, 0);
--> ERROR 22023: step size cannot equal zero

select nextval('t');
--> ERROR 42809: "t" is not a sequence

select 'a' like 'b' escape 'cc';
--> ERROR 22025: invalid escape string
--> HINT: Escape string must be empty or one character.

select extract(foo from now());
--> ERROR 22023: unit "foo" not recognized for type timestamp with time zone

select interval '1 fortnight';
--> ERROR 22007: invalid input syntax for type interval: "1 fortnight"
--> AT 17

select to_date('x', 'YYYY');
--> ERROR 22007: invalid value "x" for "YYYY"
--> DETAIL: Value must be an integer.

select chr(-1);
--> ERROR 22023: character number must be positive

select repeat('x', 2000000000);
--> ERROR 54000: requested length too large

select lpad('x', 5, 'y', 'z');
--> ERROR 42883: function lpad(unknown, integer, unknown, unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select substring('a' from 1 for -1);
--> ERROR 22011: negative substring length not allowed

select array[1,2,3][1][2] as a, (array[[1,2],[3]])[1];
--> ERROR 42601: syntax error at or near "["
--> AT 20

select row(1,2) = row(1,2,3);
--> ERROR 42601: unequal number of entries in row expressions
--> AT 17

select t.* from t t2;
--> ERROR 42P01: invalid reference to FROM-clause entry for table "t"
--> HINT: Perhaps you meant to reference the table alias "t2".
--> AT 8

select $1;
--> ERROR 42P02: there is no parameter $1
--> AT 8

select now()::int;
--> ERROR 42846: cannot cast type timestamp with time zone to integer
--> AT 13

truncate missing;
--> ERROR 42P01: relation "missing" does not exist

update t set id = id + 1, a = null;
--> ERROR 23502: null value in column "a" of relation "t" violates not-null constraint
--> DETAIL: Failing row contains (2, null, 1, 00000000-0000-0000-0000-000000000001).

delete from t where id = (select id from t, t t2 where t.id = nope);
--> ERROR 42702: column reference "id" is ambiguous
--> AT 34

select pg_catalog.no_such();
--> ERROR 42883: function pg_catalog.no_such() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select * from pg_catalog.pg_no_such;
--> ERROR 42P01: relation "pg_catalog.pg_no_such" does not exist
--> AT 15

select * from information_schema.nope;
--> ERROR 42P01: relation "information_schema.nope" does not exist
--> AT 15

alter type missing add value 'x';
--> ERROR 42704: type "missing" does not exist

create policy p on missing for select using (true);
--> ERROR 42P01: relation "missing" does not exist

create trigger tr before insert on t for each row execute function missing();
--> ERROR 42883: function missing() does not exist

execute missing;
--> ERROR 26000: prepared statement "missing" does not exist

select max(id) from t order by a;
--> ERROR 42803: column "t.a" must appear in the GROUP BY clause or be used in an aggregate function
--> AT 32

select distinct a from t order by n;
--> ERROR 42P10: for SELECT DISTINCT, ORDER BY expressions must appear in select list
--> AT 35

with x as (select 1) select * from y;
--> ERROR 42P01: relation "y" does not exist
--> AT 36

with x as (select 1), x as (select 2) select 1;
--> ERROR 42712: WITH query name "x" specified more than once
--> AT 23

with recursive r as (select 1 as n union all select n + 1 from r where n < 3 union all select 1) select count(*) from r;
--> ERROR 42P19: recursive reference to query "r" must not appear within its non-recursive term
--> AT 64

with x (a, b) as (select 1) select * from x;
--> ERROR 42P10: WITH query "x" has 1 columns available but 2 columns specified
--> AT 6

select a.b.c.d from t;
--> ERROR 0A000: cross-database references are not implemented: a.b.c.d
--> AT 8

select id as from t;
--> ERROR 42601: syntax error at or near "t"
--> AT 19

select * from t where id in (1, 'x');
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 33

select case when 1 then 2 end;
--> ERROR 42804: argument of CASE/WHEN must be type boolean, not type integer
--> AT 18

select coalesce(1, 'x');
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 20

select greatest(1, 'x');
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 20

select t.id, (select max(n) from t t2 where t2.missing = t.id) from t;
--> ERROR 42703: column t2.missing does not exist
--> AT 45

create table bad (a int, check (b > 0));
--> ERROR 42703: column "b" does not exist
--> AT 33

create table bad (a varchar(0));
--> ERROR 22023: length for type varchar must be at least 1
--> AT 21

create table bad (a numeric(2000));
--> ERROR 22023: NUMERIC precision 2000 must be between 1 and 1000
--> AT 21

create table bad (a int default missing());
--> ERROR 42883: function missing() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 33

create table bad (a int default b, b int);
--> ERROR 0A000: cannot use column reference in DEFAULT expression
--> AT 33

create table bad (a int generated always as (now()) stored);
--> ERROR 42P17: generation expression is not immutable

create table bad (a serial default 1);
--> ERROR 42601: multiple default values specified for column "a" of table "bad"

create unique index t_a on t (a); create unique index t_a on t (a);
--> ERROR 42P07: relation "t_a" already exists

create index on missing (a);
--> ERROR 42P01: relation "missing" does not exist

alter table t alter column a type int;
--> ERROR 42804: column "a" cannot be cast automatically to type integer
--> HINT: You might need to specify "USING a::integer".

alter table t alter column a type int using a::int;
--> ERROR 22P02: invalid input syntax for type integer: "x"

alter table t add check (n > 5);
--> ERROR 23514: check constraint "t_n_check1" of relation "t" is violated by some row

alter table t alter column id drop not null;
--> ERROR 42P16: column "id" is in a primary key

select 1 as select;
--> {"select":1}

select user.name from t as user;
--> ERROR 42601: syntax error at or near "."
--> AT 12

create table conflicting (id int primary key);
--> no rows

insert into conflicting values (1) on conflict (do nothing;
--> ERROR 42601: syntax error at or near "do"
--> AT 49

insert into conflicting values (1) on conflict () do nothing;
--> ERROR 42601: syntax error at or near ")"
--> AT 49
