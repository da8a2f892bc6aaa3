-- Prepared statements and what becomes of their tables.

create table item (id int primary key, title text, price numeric(8, 2), added date default '2024-01-01');
--> no rows

insert into item values (1, 'one', 1.5), (2, 'two', 2.5), (3, 'three', null);
--> no rows

prepare all_items as select * from item order by id; execute all_items;
--> {"id":1,"title":"one","price":"1.50","added":"2024-01-01"}
--> {"id":2,"title":"two","price":"2.50","added":"2024-01-01"}
--> {"id":3,"title":"three","price":null,"added":"2024-01-01"}

prepare by_id (int) as select title, price from item where id = $1; execute by_id(2);
--> {"title":"two","price":"2.50"}

prepare guessed as select title from item where id = $1 and price > $2; execute guessed(2, 1.1); select name, parameter_types, from_sql from pg_prepared_statements order by name;
--> {"name":"guessed","parameter_types":"{integer,numeric}","from_sql":true}

prepare typed (text, numeric, uuid[]) as select $1, $2, $3; select name, statement, parameter_types from pg_prepared_statements;
--> {"name":"typed","statement":"prepare typed (text, numeric, uuid[]) as select $1, $2, $3; select name, statement, parameter_types from pg_prepared_statements;","parameter_types":"{text,numeric,uuid[]}"}

prepare a as select * from item order by id; alter table item add extra int; execute a;
--> ERROR 0A000: cached plan must not change result type

prepare a as select id, title from item order by id; alter table item add extra2 int; execute a;
--> {"id":1,"title":"one"}
--> {"id":2,"title":"two"}
--> {"id":3,"title":"three"}

prepare a as select * from item order by id limit 1; alter table item drop column extra; execute a;
--> ERROR 42703: column "extra" of relation "item" does not exist

prepare a as select id, extra2 from item order by id limit 1; alter table item drop column extra2; execute a;
--> ERROR 42703: column "extra2" does not exist
--> AT 25

prepare a as select id, price from item order by id; alter table item alter price type text; execute a;
--> ERROR 0A000: cached plan must not change result type

alter table item alter price type numeric(8, 2) using price::numeric;
--> no rows

prepare a as select id, price from item order by id; alter table item alter price type numeric(10, 3); execute a;
--> ERROR 0A000: cached plan must not change result type

prepare a as select id from item where price > $1 order by id; alter table item alter price type double precision; execute a(1.5);
--> {"id":2}

alter table item alter price type numeric(8, 2);
--> no rows

prepare a as select title from item order by id limit 1; alter table item rename title to name; execute a;
--> ERROR 42703: column "title" does not exist
--> AT 21

prepare a as select title from item order by id limit 1;
--> no rows

prepare a as select * from item order by id limit 1; alter table item rename name to title; execute a;
--> ERROR 42703: column "name" does not exist

prepare a as select title from item order by id limit 1; alter table item rename to thing; execute a;
--> ERROR 42P01: relation "item" does not exist
--> AT 32

prepare a as select title from thing order by id limit 1; drop table thing cascade; execute a;
--> ERROR 42P01: relation "thing" does not exist
--> AT 32

create table item (id int primary key, title text, price numeric(8, 2));
--> ERROR 42P07: relation "item" already exists

insert into item values (1, 'one', 1.5), (2, 'two', 2.5);
--> ERROR 23505: duplicate key value violates unique constraint "item_pkey"
--> DETAIL: Key (id)=(1) already exists.

prepare a as select * from item order by id; drop table item; create table item (id int primary key, title text, price numeric(8, 2)); insert into item values (9, 'nine', 9); execute a;
--> ERROR 0A000: cached plan must not change result type

prepare a as select * from item order by id; drop table item; create table item (id bigint primary key, title text); execute a;
--> ERROR 0A000: cached plan must not change result type

drop table item;
--> no rows

create table item (id int primary key, title text, price numeric(8, 2));
--> no rows

insert into item values (1, 'one', 1.5), (2, 'two', 2.5);
--> no rows

prepare ins as insert into item (id, title) values ($1, $2); execute ins(3, 'three'); alter table item alter title set not null; execute ins(4, null);
--> ERROR 23502: null value in column "title" of relation "item" violates not-null constraint
--> DETAIL: Failing row contains (4, null, null).

prepare ins as insert into item values ($1, $2, $3); alter table item add more text default 'm'; execute ins(5, 'five', 5.555); select * from item where id = 5;
--> {"id":5,"title":"five","price":"5.56","more":"m"}

prepare ins as insert into item values ($1, $2, $3) returning *; alter table item add again text default 'n'; execute ins(6, 'six', 6);
--> ERROR 0A000: cached plan must not change result type

prepare upd as update item set title = $2 where id = $1 returning id, title; execute upd(1, 'uno'); execute upd(99, 'x'); execute upd('2', 5::text);
--> {"id":2,"title":"5"}

prepare del as delete from item where id = any($1) returning id; execute del('{1,2}'); execute del(array[3]);
--> {"id":1}
--> {"id":2}

select count(*) from item;
--> {"count":1}

prepare a as select $1 + 1; execute a(1);
--> {"?column?":2}

prepare a as select $1 || 'x' as r; execute a('y');
--> {"r":"yx"}

prepare a as select $1; execute a('y');
--> {"?column?":"y"}

prepare a as select $1::int + $2 as r; execute a(1, 2);
--> {"r":3}

prepare a as select $1 = 1 as r; execute a(null);
--> {"r":null}

prepare a as select $2::text as r; execute a(1, 'b');
--> ERROR 42P18: could not determine data type of parameter $1

prepare a (int, int) as select $1 as r; execute a(1, 2);
--> {"r":1}

prepare a (int) as select $1 + $2 as r; execute a(1, 2);
--> {"r":3}

prepare a as select 1 as r; execute a(1);
--> {"r":1}

prepare a as select $1::int as r; execute a;
--> ERROR 42601: wrong number of parameters for prepared statement "a"
--> DETAIL: Expected 1 parameters but got 0.

prepare a as select $1::int as r; execute a(1, 2);
--> ERROR 42601: wrong number of parameters for prepared statement "a"
--> DETAIL: Expected 1 parameters but got 2.

prepare a as select $1::int as r; execute a('x');
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 45

prepare a (date) as select $1 as r; execute a('2024-02-30');
--> ERROR 22008: date/time field value out of range: "2024-02-30"
--> AT 47

prepare a as select $1::int as r; execute a(1 + 1), (2);
--> ERROR 42601: syntax error at or near ","
--> AT 51

prepare a as select 1; prepare a as select 2;
--> ERROR 42P05: prepared statement "a" already exists

execute nothing;
--> ERROR 26000: prepared statement "nothing" does not exist

deallocate nothing;
--> ERROR 26000: prepared statement "nothing" does not exist

prepare a as select 1; deallocate a; execute a;
--> ERROR 26000: prepared statement "a" does not exist

prepare a as select 1; prepare b as select 2; deallocate all; select count(*) from pg_prepared_statements;
--> {"count":0}

prepare a as select 1; deallocate prepare a; select count(*) from pg_prepared_statements;
--> {"count":0}

prepare a as select 1; deallocate prepare all; select count(*) from pg_prepared_statements;
--> {"count":0}

prepare a as select 1; discard plans; execute a; discard all;
--> ERROR 25001: DISCARD ALL cannot run inside a transaction block

prepare a as create table b (id int);
--> ERROR 42601: syntax error at or near "create"
--> AT 14

prepare a as explain select 1;
--> ERROR 42601: syntax error at or near "explain"
--> AT 14

prepare a as select 1; begin; execute a; rollback; execute a;
--> {"?column?":1}

begin; prepare a as select 7 as r; rollback; execute a;
--> {"r":7}

prepare a as values (1, 'x'), (2, 'y'); execute a;
--> {"column1":1,"column2":"x"}
--> {"column1":2,"column2":"y"}

prepare a as with x as (select 1 as n) select n + $1 as r from x; execute a(4);
--> {"r":5}

prepare a as select * from no_such;
--> ERROR 42P01: relation "no_such" does not exist
--> AT 28

prepare a as select no_such from item;
--> ERROR 42703: column "no_such" does not exist
--> AT 21

prepare a as select $1::nosuch;
--> ERROR 42704: type "nosuch" does not exist
--> AT 25

prepare a as select count(*) from item where title like $1 || '%'; execute a('f');
--> {"count":1}

prepare a as select id from item order by id limit $1 offset $2; execute a(1, 1);
--> no rows

prepare a as select case when $1 then 'yes' else 'no' end as r; execute a(true); execute a('f');
--> {"r":"no"}

prepare a as select coalesce($1, 'none') as r; execute a(null);
--> {"r":"none"}

prepare a as select $1::jsonb -> 'k' as r; execute a('{"k": [1]}');
--> {"r":[1]}

prepare a as select * from generate_series($1, $2) g; execute a(1, 3);
--> ERROR 42725: function generate_series(unknown, unknown) is not unique
--> HINT: Could not choose a best candidate function. You might need to add explicit type casts.
--> AT 28

prepare a as select $1 in (1, 2) as r, $2 between 1 and 3 as s; execute a(2, 4);
--> {"r":true,"s":false}

prepare a as select array[$1, 2] as r; execute a(1);
--> {"r":[1,2]}

prepare a as select * from (values ($1, $2)) v(x, y); execute a(1, 'q');
--> {"x":"1","y":"q"}

prepare a as insert into item (id, title, price) select $1, $2, $3; execute a(20, 'twenty', '20.5'); select title, price from item where id = 20;
--> {"title":"twenty","price":"20.50"}

create view shown as select id, title from item;
--> no rows

prepare a as select * from shown order by id limit 1; create or replace view shown as select id, title, price from item; execute a;
--> ERROR 0A000: cached plan must not change result type

prepare a as select * from shown order by id limit 1; drop view shown; execute a;
--> ERROR 42P01: relation "shown" does not exist
--> AT 28

create function twice(n int) returns int language sql as $$ select n * 2 $$;
--> no rows

prepare a as select twice($1) as r; create or replace function twice(n int) returns int language sql as $$ select n * 3 $$; execute a(2);
--> {"r":6}

create type mood as enum ('sad', 'happy');
--> no rows

prepare a (mood) as select $1 as r; execute a('happy'); execute a('angry');
--> ERROR 22P02: invalid input value for enum mood: "angry"
--> AT 67

do $$ begin prepare p as select 1; execute 'deallocate p'; end $$;
--> no rows

create function run_prepared(k int) returns text language plpgsql as $$ declare r text; begin execute 'prepare inner_one (int) as select title from item where id = $1'; execute format('execute inner_one(%s)', k) into r; execute 'deallocate inner_one'; return r; end $$;
--> no rows

select run_prepared(20);
--> {"run_prepared":"twenty"}

do $$ declare r item; begin execute 'select * from item where id = $1' into r using 20; raise notice '%', r; execute 'update item set title = $1 where id = $2' using 'changed', 20; end $$;
--> no rows

select title from item where id = 20;
--> {"title":"changed"}

prepare a as select title from item where id = 20; do $$ begin update item set title = 'later' where id = 20; end $$; execute a;
--> {"title":"later"}

create table copy_of as execute a;
--> ERROR 26000: prepared statement "a" does not exist

prepare a as select id, title from item where id > $1 order by id; create table copied as execute a(6); select * from copied;
--> {"id":20,"title":"later"}

explain (costs off) execute a(1);
--> ERROR 26000: prepared statement "a" does not exist

prepare a as select id, title from item where id = $1; explain (costs off) execute a(1);
--> {"QUERY PLAN":"Index Scan using item_pkey on item"}
--> {"QUERY PLAN":"  Index Cond: (id = 1)"}

create schema other; create table other.item (id int, title text); insert into other.item values (100, 'elsewhere');
--> no rows

prepare a as select id, title from item order by id limit 1; set search_path to other, public; execute a;
--> {"id":100,"title":"elsewhere"}

prepare a as select id from item order by id limit 1; set search_path to other; execute a; reset search_path;
--> {"id":100}

prepare a as select id from public.item order by id limit 1; alter table public.item set schema other;
--> ERROR 42P07: relation "item" already exists in schema "other"

prepare a as select current_user as r; set role anon; execute a;
--> {"r":"anon"}

create table partly (id int, kind text) partition by list (kind);
--> no rows

create table partly_a partition of partly for values in ('a');
--> no rows

prepare a as insert into partly values ($1, $2); execute a(1, 'a'); create table partly_b partition of partly for values in ('b'); execute a(2, 'b'); select tableoid::regclass, id from partly order by id;
--> {"tableoid":"partly_a","id":1}
--> {"tableoid":"partly_b","id":2}

prepare a as select id from partly order by id; alter table partly detach partition partly_a; execute a;
--> {"id":2}

select name, statement, parameter_types, from_sql, generic_plans, custom_plans from pg_prepared_statements;
--> no rows

prepare "Quoted Name" as select 1 as r; execute "Quoted Name"; deallocate "Quoted Name";
--> {"r":1}

prepare a() as select 1;
--> ERROR 42601: syntax error at or near ")"
--> AT 11

prepare a as select 1; execute a();
--> ERROR 42601: syntax error at or near ")"
--> AT 34
