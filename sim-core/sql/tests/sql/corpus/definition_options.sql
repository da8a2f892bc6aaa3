-- Options of tables, columns, indexes and views: what the catalog shows of them, and what is refused.

create table t1(id int, a int, b int, constraint pk primary key (id) include (a), constraint uq unique (a) include (b));
--> no rows

select conname, pg_get_constraintdef(oid) from pg_constraint where conrelid='t1'::regclass order by 1;
--> {"conname":"pk","pg_get_constraintdef":"PRIMARY KEY (id) INCLUDE (a)"}
--> {"conname":"uq","pg_get_constraintdef":"UNIQUE (a) INCLUDE (b)"}

select indexdef from pg_indexes where tablename='t1' order by 1;
--> {"indexdef":"CREATE UNIQUE INDEX pk ON public.t1 USING btree (id) INCLUDE (a)"}
--> {"indexdef":"CREATE UNIQUE INDEX uq ON public.t1 USING btree (a) INCLUDE (b)"}

create table t2(id int primary key, a int) with (fillfactor=70, autovacuum_enabled=false);
--> no rows

select reloptions from pg_class where relname='t2';
--> {"reloptions":["fillfactor=70","autovacuum_enabled=false"]}

alter table t2 set (autovacuum_vacuum_scale_factor=0.05, toast.autovacuum_enabled = off);
--> no rows

select reloptions from pg_class where relname='t2';
--> {"reloptions":["fillfactor=70","autovacuum_enabled=false","autovacuum_vacuum_scale_factor=0.05"]}

alter table t2 reset (fillfactor);
--> no rows

select reloptions from pg_class where relname='t2';
--> {"reloptions":["autovacuum_enabled=false","autovacuum_vacuum_scale_factor=0.05"]}

alter table t2 set (nonsense = 1);
--> ERROR 22023: unrecognized parameter "nonsense"

alter table t2 set (fillfactor = 5);
--> ERROR 22023: value 5 out of bounds for option "fillfactor"
--> DETAIL: Valid values are between "10" and "100".

alter table t2 set (fillfactor = abc);
--> ERROR 22023: invalid value for integer option "fillfactor": abc

alter table t2 set (autovacuum_enabled = maybe);
--> ERROR 22023: invalid value for boolean option "autovacuum_enabled": maybe

create table t2b(a int) with (nonsense=1);
--> ERROR 22023: unrecognized parameter "nonsense"

create table t2c(a int) with (fillfactor=70, fillfactor=80);
--> ERROR 22023: parameter "fillfactor" specified more than once

create index t2i on t2(a) with (fillfactor=70);
--> no rows

select reloptions from pg_class where relname='t2i';
--> {"reloptions":["fillfactor=70"]}

select indexdef from pg_indexes where indexname='t2i';
--> {"indexdef":"CREATE INDEX t2i ON public.t2 USING btree (a) WITH (fillfactor='70')"}

alter index t2i set (fillfactor=60);
--> no rows

select indexdef from pg_indexes where indexname='t2i';
--> {"indexdef":"CREATE INDEX t2i ON public.t2 USING btree (a) WITH (fillfactor='60')"}

alter index t2i reset (fillfactor);
--> no rows

select indexdef from pg_indexes where indexname='t2i';
--> {"indexdef":"CREATE INDEX t2i ON public.t2 USING btree (a)"}

alter index t2i set (pages_per_range=60);
--> ERROR 22023: unrecognized parameter "pages_per_range"

create index t2g on t2 using brin(a) with (pages_per_range=32, autosummarize=on);
--> no rows

select indexdef from pg_indexes where indexname='t2g';
--> {"indexdef":"CREATE INDEX t2g ON public.t2 USING brin (a) WITH (pages_per_range='32', autosummarize='on')"}

create index on t2 using gin(a) with (fastupdate=off);
--> ERROR 42704: data type integer has no default operator class for access method "gin"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create table t2d(x jsonb, y int, z int, primary key (y) with (fillfactor=50));
--> no rows

create index t2dg on t2d using gin(x) with (fastupdate=off);
--> no rows

select indexdef from pg_indexes where tablename='t2d' order by 1;
--> {"indexdef":"CREATE INDEX t2dg ON public.t2d USING gin (x) WITH (fastupdate=off)"}
--> {"indexdef":"CREATE UNIQUE INDEX t2d_pkey ON public.t2d USING btree (y) WITH (fillfactor='50')"}

select pg_get_constraintdef(oid) from pg_constraint where conrelid='t2d'::regclass order by 1;
--> {"pg_get_constraintdef":"PRIMARY KEY (y)"}

create materialized view mv with (autovacuum_enabled=false, fillfactor=90) as select 1 a;
--> no rows

select reloptions from pg_class where relname='mv';
--> {"reloptions":["autovacuum_enabled=false","fillfactor=90"]}

alter materialized view mv set (fillfactor=80);
--> no rows

alter materialized view mv reset (autovacuum_enabled);
--> no rows

select reloptions from pg_class where relname='mv';
--> {"reloptions":["fillfactor=80"]}

create unlogged table t3(id serial primary key);
--> no rows

select relname, relpersistence from pg_class where relname like 't3%' order by 1;
--> {"relname":"t3","relpersistence":"u"}
--> {"relname":"t3_id_seq","relpersistence":"u"}
--> {"relname":"t3_pkey","relpersistence":"u"}

alter table t3 set logged;
--> no rows

select relname, relpersistence from pg_class where relname like 't3%' order by 1;
--> {"relname":"t3","relpersistence":"p"}
--> {"relname":"t3_id_seq","relpersistence":"p"}
--> {"relname":"t3_pkey","relpersistence":"p"}

alter table t3 set unlogged;
--> no rows

select relname, relpersistence from pg_class where relname like 't3%' order by 1;
--> {"relname":"t3","relpersistence":"u"}
--> {"relname":"t3_id_seq","relpersistence":"u"}
--> {"relname":"t3_pkey","relpersistence":"u"}

create table t4(id int generated by default as identity, n text);
--> no rows

insert into t4(id,n) overriding user value values (901,'u') returning id;
--> {"id":1}

insert into t4 overriding user value select 5, 'x' returning id;
--> {"id":2}

insert into t4 values (7,'x') returning id;
--> {"id":7}

create table t4a(id int generated always as identity, n text);
--> no rows

insert into t4a(id,n) overriding user value values (901,'u') returning id;
--> {"id":1}

insert into t4a(id,n) overriding system value values (901,'u') returning id;
--> {"id":901}

insert into t4a(id,n) values (901,'u') returning id;
--> ERROR 428C9: cannot insert a non-DEFAULT value into column "id"
--> DETAIL: Column "id" is an identity column defined as GENERATED ALWAYS.
--> HINT: Use OVERRIDING SYSTEM VALUE to override.

create table t5(a int, b int generated always as (a*2) stored);
--> no rows

alter table t5 alter column a type bigint;
--> ERROR 0A000: cannot alter type of a column used by a generated column
--> DETAIL: Column "a" is used by generated column "b".

alter table t5 drop column a;
--> ERROR 2BP01: cannot drop column a of table t5 because other objects depend on it
--> DETAIL: column b of table t5 depends on column a of table t5
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

alter table t5 drop column a cascade;
--> no rows

create view v1 (x, y) as select a from t2;
--> ERROR 42601: CREATE VIEW specifies more column names than columns

create table t6 (x, y, z) as select id, a from t2;
--> ERROR 42601: too many column names were specified

create materialized view mv6 (x, y, z) as select id, a from t2;
--> ERROR 42601: too many column names were specified

create function tf() returns trigger language plpgsql as $$ begin return new; end $$;
--> no rows

create trigger tg before update on t2 for each row execute function tf();
--> no rows

comment on trigger tg on t2 is 'hello';
--> no rows

create or replace trigger tg before insert on t2 for each row execute function tf();
--> no rows

select obj_description(oid,'pg_trigger') from pg_trigger where tgname='tg';
--> {"obj_description":"hello"}

create trigger tg2 before update of nocol on t2 for each row execute function tf();
--> ERROR 42703: column "nocol" of relation "t2" does not exist

create trigger tg3 before update of a, a on t2 for each row execute function tf();
--> ERROR 42701: column "a" specified more than once

create table t7(a int, b int generated always as (a*2) stored, c int generated always as (b*2) stored);
--> ERROR 42P17: cannot use generated column "b" in column generation expression
--> DETAIL: A generated column cannot reference another generated column.
--> AT 91

create table t7b(a int, b int generated always as (b*2) stored);
--> ERROR 42P17: cannot use generated column "b" in column generation expression
--> DETAIL: A generated column cannot reference another generated column.
--> AT 52

create table t7c(a int default (select 1));
--> ERROR 0A000: cannot use subquery in DEFAULT expression
--> AT 32

create table t7d(a int);
--> no rows

alter table t7d alter a set default (select 1);
--> ERROR 0A000: cannot use subquery in DEFAULT expression

alter table t7d add column g int generated always as (a + (select 1)) stored;
--> ERROR 0A000: cannot use subquery in column generation expression

alter table t7d add column g int generated always as (a + random()) stored;
--> ERROR 42P17: generation expression is not immutable

alter table t7d add column g int generated always as (a + count(*)) stored;
--> ERROR 42803: aggregate functions are not allowed in column generation expressions

alter table t7d add column g int generated always as (a) stored default 5;
--> ERROR 42601: both default and generation expression specified for column "g" of table "t7d"
--> AT 65

do $$ begin create type e1 as enum ('a', 'a'); exception when unique_violation then raise exception 'twice'; end $$;
--> ERROR P0001: twice

create type ct as (a int, a int);
--> ERROR 42701: column "a" specified more than once

create type ct2 as (a int);
--> no rows

alter type ct2 add attribute a text;
--> ERROR 42701: column "a" of relation "ct2" already exists

alter table t2 replica identity full;
--> no rows

select relreplident from pg_class where relname='t2';
--> {"relreplident":"f"}

alter table t2 replica identity using index t2_pkey;
--> no rows

select relreplident from pg_class where relname='t2';
--> {"relreplident":"i"}

select indisreplident from pg_index where indexrelid='t2_pkey'::regclass;
--> {"indisreplident":true}

alter table t2 replica identity nothing;
--> no rows

alter table t2 replica identity default;
--> no rows

alter table t2 replica identity using index nope;
--> ERROR 42704: index "nope" for table "t2" does not exist

alter table t2 replica identity using index t2i;
--> ERROR 42809: cannot use non-unique index "t2i" as replica identity

create unique index cu on t2((a+1));
--> no rows

alter table t2 replica identity using index cu;
--> ERROR 0A000: cannot use expression index "cu" as replica identity

create unique index cu2 on t2(a);
--> no rows

alter table t2 replica identity using index cu2;
--> ERROR 42809: index "cu2" cannot be used as replica identity because column "a" is nullable

create unique index cu3 on t2(id) where id > 3;
--> no rows

alter table t2 replica identity using index cu3;
--> ERROR 0A000: cannot use partial index "cu3" as replica identity

cluster t2 using t2_pkey;
--> no rows

select indisclustered from pg_index where indexrelid='t2_pkey'::regclass;
--> {"indisclustered":true}

alter table t2 cluster on t2i;
--> no rows

select indexrelid::regclass, indisclustered from pg_index where indrelid='t2'::regclass order by pg_get_indexdef(indexrelid);
--> {"indexrelid":"t2g","indisclustered":false}
--> {"indexrelid":"t2i","indisclustered":true}
--> {"indexrelid":"cu","indisclustered":false}
--> {"indexrelid":"cu2","indisclustered":false}
--> {"indexrelid":"cu3","indisclustered":false}
--> {"indexrelid":"t2_pkey","indisclustered":false}

alter table t2 set without cluster;
--> no rows

select indexrelid::regclass, indisclustered from pg_index where indrelid='t2'::regclass order by pg_get_indexdef(indexrelid);
--> {"indexrelid":"t2g","indisclustered":false}
--> {"indexrelid":"t2i","indisclustered":false}
--> {"indexrelid":"cu","indisclustered":false}
--> {"indexrelid":"cu2","indisclustered":false}
--> {"indexrelid":"cu3","indisclustered":false}
--> {"indexrelid":"t2_pkey","indisclustered":false}

cluster t2 using nope;
--> ERROR 42704: index "nope" for table "t2" does not exist

cluster t2;
--> ERROR 42704: there is no previously clustered index for table "t2"

create domain d1 as int check (x > 0);
--> ERROR 42703: column "x" does not exist

create domain d2 as int default 'x';
--> ERROR 22P02: invalid input syntax for type integer: "x"

create domain d3 as int check (value > 0) check (value > 5);
--> no rows

select conname, pg_get_constraintdef(oid) from pg_constraint where contypid='d3'::regtype order by 1;
--> {"conname":"d3_check","pg_get_constraintdef":"CHECK ((VALUE > 0))"}
--> {"conname":"d3_check1","pg_get_constraintdef":"CHECK ((VALUE > 5))"}

create index on t2 using hash (a, a);
--> ERROR 0A000: access method "hash" does not support multicolumn indexes

create type e2 as enum ('xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx');
--> ERROR 42602: invalid enum label "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
--> DETAIL: Labels must be 63 bytes or less.

create table small (id int);
--> no rows

alter table small set unlogged;
--> no rows

create table refers (id int primary key);
--> no rows

create table referring (r int references refers);
--> no rows

alter table refers set unlogged;
--> ERROR 42P16: could not change table "refers" to unlogged because it references logged table "referring"

alter table referring set unlogged;
--> no rows

alter table refers set unlogged;
--> no rows

select relname, relpersistence from pg_class where relname in ('refers', 'referring') order by 1;
--> {"relname":"referring","relpersistence":"u"}
--> {"relname":"refers","relpersistence":"u"}

create table again (a int references refers);
--> ERROR 42P16: constraints on permanent tables may reference only permanent tables

create unlogged view uv as select 1 a;
--> ERROR 42601: views cannot be unlogged because they do not have storage

create unlogged materialized view um as select 1 a;
--> ERROR 0A000: materialized views cannot be unlogged

create table pa (a int) partition by list (a) with (fillfactor = 50);
--> ERROR 22023: unrecognized parameter "fillfactor"

create table pa (a int) partition by list (a);
--> no rows

create table pa1 partition of pa for values in (1) with (fillfactor = 50);
--> no rows

select relname, reloptions from pg_class where relname in ('pa', 'pa1') order by 1;
--> {"relname":"pa","reloptions":null}
--> {"relname":"pa1","reloptions":["fillfactor=50"]}

alter table pa1 set (fillfactor = 60);
--> no rows

select relname, reloptions from pg_class where relname in ('pa', 'pa1') order by 1;
--> {"relname":"pa","reloptions":null}
--> {"relname":"pa1","reloptions":["fillfactor=60"]}

insert into pa values (1);
--> no rows

insert into pa1 values (2);
--> ERROR 23514: new row for relation "pa1" violates partition constraint
--> DETAIL: Failing row contains (2).

create index on t2 (nope);
--> ERROR 42703: column "nope" does not exist

create index on t2 (a) include (nope);
--> ERROR 42703: column "nope" does not exist

create index on t2 using gin (a) include (id);
--> ERROR 0A000: access method "gin" does not support included columns

create unique index on t2 using hash (a);
--> ERROR 0A000: access method "hash" does not support unique indexes

create view vo with (security_barrier = maybe) as select 1 a;
--> ERROR 22023: invalid value for boolean option "security_barrier": maybe

create view vo with (nope) as select 1 a;
--> ERROR 22023: unrecognized parameter "nope"

create view vo with (check_option = 'local', security_invoker) as select a from t2;
--> no rows

select reloptions from pg_class where relname = 'vo';
--> {"reloptions":["check_option=local","security_invoker=true"]}

alter view vo reset (security_invoker = true);
--> ERROR 42601: RESET must not include values for parameters

alter table vo set (security_barrier = on);
--> no rows

select reloptions from pg_class where relname = 'vo';
--> {"reloptions":["check_option=local","security_invoker=true","security_barrier=on"]}
