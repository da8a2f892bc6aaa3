-- Temporary objects, which go when the call ends.

create temp table tmp1 (a int primary key, b text default 'x', c serial);
insert into tmp1 (a) values (1), (2);
select * from tmp1 order by a;
--> {"a":1,"b":"x","c":1}
--> {"a":2,"b":"x","c":2}

select * from tmp1;
--> ERROR 42P01: relation "tmp1" does not exist
--> AT 15

create temporary table tmp1 as select 1 as n, 'y' as t;
insert into pg_temp.tmp1 values (2, 'z');
select * from tmp1 order by n;
--> {"n":1,"t":"y"}
--> {"n":2,"t":"z"}

create table kept (id int, v text);
insert into kept values (1, 'permanent');
create temp table kept (id int, v text);
insert into kept values (2, 'temporary');
select v, (select v from public.kept) as p from kept;
--> {"v":"temporary","p":"permanent"}

select v from kept;
--> {"v":"permanent"}

create temp table if not exists tmp2 (a int) on commit drop;
create temp table if not exists tmp2 (a int) on commit drop;
insert into tmp2 values (1);
select count(*) from tmp2;
--> {"count":1}

begin;
create temp table tmp3 (a int) on commit drop;
create temp table tmp4 (a int) on commit delete rows;
create temp table tmp5 (a int) on commit preserve rows;
insert into tmp3 values (1);
insert into tmp4 values (1);
insert into tmp5 values (1);
commit;
select to_regclass('tmp3') is null as gone, (select count(*) from tmp4) as four, (select count(*) from tmp5) as five;
--> {"gone":true,"four":0,"five":1}

create table t1 (a int) on commit drop;
--> ERROR 42P16: ON COMMIT can only be used on temporary tables

create temp table public.t1 (a int);
--> ERROR 42P16: cannot create temporary relation in non-temporary schema
--> AT 19

create temp sequence tseq start 5;
select nextval('tseq') as a, nextval('pg_temp.tseq') as b;
--> {"a":5,"b":6}

create temp view tview as select id + 1 as n from kept;
select n from tview;
--> {"n":2}

create temp table src (a int);
create view over_temp as select a from src;
insert into src values (7);
select a from over_temp;
--> {"a":7}

select to_regclass('over_temp') is null as gone;
--> {"gone":true}

create function pg_temp.f1(i int) returns int language sql as 'select i + 1';
select pg_temp.f1(2) as a;
--> {"a":3}

create function pg_temp.f2() returns int language plpgsql as $$ begin return 3; end $$;
select f2();
--> ERROR 42883: function f2() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 96

select pg_temp.f1(2);
--> ERROR 3F000: schema "pg_temp" does not exist
--> AT 8

create temp table tmp6 (a int);
drop table tmp6;
select to_regclass('tmp6') is null as gone;
--> {"gone":true}

create temp table tmp7 (a int);
select relpersistence, relkind from pg_class where relname = 'tmp7';
--> {"relpersistence":"t","relkind":"r"}

create temp table tmp8 (a int);
select table_type from information_schema.tables where table_name = 'tmp8';
--> {"table_type":"LOCAL TEMPORARY"}

create temp table tmp9 (id int primary key);
create table refers (t int references tmp9);
--> ERROR 42P16: constraints on permanent tables may reference only permanent tables

create table target (id int primary key);
create temp table tmp10 (t int references target);
--> ERROR 42P16: constraints on temporary tables may reference only temporary tables

create temp table tmp11 (a int, check (a > 0));
create index on tmp11 (a);
alter table tmp11 add column b int default 3;
insert into tmp11 values (0);
--> ERROR 23514: new row for relation "tmp11" violates check constraint "tmp11_a_check"
--> DETAIL: Failing row contains (0, 3).

create temp table tmp12 (a int unique);
insert into tmp12 values (1) on conflict do nothing;
update tmp12 set a = 5 where a = 1;
delete from tmp12 where a = 6;
truncate tmp12;
select count(*) from tmp12;
--> {"count":0}

do $$ begin
  create temp table inner_table on commit drop as select x from generate_series(1, 4) as x;
  update inner_table set x = x * 10;
end $$;
select sum(x) from inner_table;
--> {"sum":100}

create function uses_temp() returns bigint language plpgsql as $$
declare n bigint;
begin
  create temp table work (a int) on commit drop;
  insert into work select 1 from generate_series(1, 3);
  select count(*) into n from work;
  drop table work;
  return n;
end $$;
select uses_temp() as a;
--> {"a":3}

select uses_temp() + uses_temp() as a;
--> {"a":6}

create temp table tmp13 (a int);
select nosuch();
--> ERROR 42883: function nosuch() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 41

select to_regclass('tmp13') is null as gone;
--> {"gone":true}

begin;
create temp table tmp14 (a int);
commit;
select nosuch();
--> ERROR 42883: function nosuch() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 56

select to_regclass('tmp14') is null as gone;
--> {"gone":true}

create temp table tmp15 (a int);
discard temp;
select to_regclass('tmp15') is null as gone;
--> {"gone":true}

create type pg_temp.pair as (a int, b int);
select (row(1, 2)::pg_temp.pair).b as b;
--> {"b":2}

create temp table one (a int);
create temp table one (a int);
--> ERROR 42P07: relation "one" already exists

create local temporary table two (a int);
create unlogged table three (a int);
select count(*) from pg_class where relname in ('one', 'two', 'three');
--> {"count":2}

select relname from pg_class where relname in ('one', 'two', 'three') and pg_table_is_visible(oid);
--> {"relname":"three"}
