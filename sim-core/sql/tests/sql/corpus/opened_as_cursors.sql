-- What is opened as a cursor and returns no rows, constraints of triggers, and columns of records.

create table t (a int primary key, b int); create function tf() returns trigger language plpgsql as $$ begin return new; end $$; create constraint trigger ct after insert on t deferrable initially deferred for each row execute function tf();
--> no rows

alter table t drop constraint ct;
--> ERROR 2BP01: cannot drop constraint ct on table t because trigger ct on table t requires it
--> HINT: You can drop trigger ct on table t instead.

alter table t drop constraint if exists ct;
--> ERROR 2BP01: cannot drop constraint ct on table t because trigger ct on table t requires it
--> HINT: You can drop trigger ct on table t instead.

alter table t drop constraint ct cascade;
--> ERROR 2BP01: cannot drop constraint ct on table t because trigger ct on table t requires it
--> HINT: You can drop trigger ct on table t instead.

select conname, contype from pg_constraint where conrelid = 't'::regclass order by 1;
--> {"conname":"ct","contype":"t"}
--> {"conname":"t_pkey","contype":"p"}

select tgname from pg_trigger where tgrelid = 't'::regclass order by 1;
--> {"tgname":"ct"}

select conname, contype from pg_constraint where conrelid = 't'::regclass order by 1;
--> {"conname":"ct","contype":"t"}
--> {"conname":"t_pkey","contype":"p"}

select tgname from pg_trigger where tgrelid = 't'::regclass order by 1;
--> {"tgname":"ct"}

alter table t alter constraint ct not deferrable;
--> ERROR 42809: constraint "ct" of relation "t" is not a foreign key constraint

alter table t add constraint ct check (b > 0);
--> ERROR 42710: constraint "ct" for relation "t" already exists

drop trigger ct on t;
--> no rows

drop trigger ct2 on t;
--> ERROR 42704: trigger "ct2" for table "t" does not exist

do $$ declare r record; begin for r in execute 'insert into t values (1,2)' loop raise notice 'x'; end loop; end $$;
--> ERROR 42P11: cannot open INSERT query as cursor

do $$ declare r record; begin for r in execute 'insert into t values (2,2) returning a' loop raise notice 'x %', r.a; end loop; end $$;
--> no rows

select * from t order by 1;
--> {"a":2,"b":2}

do $$ declare r record; begin for r in execute 'update t set b = 3' loop raise notice 'x'; end loop; end $$;
--> ERROR 42P11: cannot open UPDATE query as cursor

do $$ declare r record; begin for r in execute 'create table zz (a int)' loop raise notice 'x'; end loop; end $$;
--> ERROR 42P11: cannot open CREATE TABLE query as cursor

do $$ declare r record; begin for r in execute 'delete from t where a = 99' loop raise notice 'x'; end loop; end $$;
--> ERROR 42P11: cannot open DELETE query as cursor

do $$ declare r record; begin for r in execute '' loop raise notice 'x'; end loop; end $$;
--> ERROR 42P11: cannot open multi-query plan as cursor

do $$ declare r record; begin for r in execute 'select 1; select 2' loop raise notice 'x'; end loop; end $$;
--> ERROR 42P11: cannot open multi-query plan as cursor

do $$ declare r record; begin for r in execute 'begin' loop raise notice 'x'; end loop; end $$;
--> ERROR 42P11: cannot open BEGIN query as cursor

do $$ declare r record; begin for r in execute 'set x.y = 1' loop raise notice 'x'; end loop; end $$;
--> ERROR 42P11: cannot open SET query as cursor

do $$ declare r record; begin for r in execute 'show search_path' loop raise notice 'x %', r; end loop; end $$;
--> no rows

do $$ declare r record; begin for r in execute 'explain (costs off) select 1' loop raise notice 'x %', r; end loop; end $$;
--> no rows

do $$ declare c refcursor; begin open c for execute 'insert into t values (3,2)'; end $$;
--> ERROR 42P11: cannot open INSERT query as cursor

do $$ declare c refcursor; begin open c for execute 'update t set b = 1 returning a'; end $$;
--> no rows

do $$ declare c refcursor; begin open c for execute 'create table zz (a int)'; end $$;
--> ERROR 42P11: cannot open CREATE TABLE query as cursor

do $$ declare c refcursor; begin open c for execute 'select 1; select 2'; end $$;
--> ERROR 42P11: cannot open multi-query plan as cursor

do $$ declare c refcursor; begin open c for execute 'show search_path'; end $$;
--> no rows

do $$ declare c refcursor; begin open c for execute ''; end $$;
--> ERROR 42P11: cannot open multi-query plan as cursor

do $$ declare c refcursor; begin open c for execute null; end $$;
--> ERROR 22004: query string argument of EXECUTE is null

do $$ declare c refcursor; begin open c for execute 'with q as (insert into t values (5,5) returning a) select * from q'; end $$;
--> no rows

do $$ declare c refcursor; begin open c for insert into t values (4, 4); end $$;
--> ERROR 42P11: cannot open INSERT query as cursor

do $$ declare c refcursor; begin open c for update t set b = 1 returning a; end $$;
--> no rows

do $$ declare c cursor for insert into t values (4,4); begin open c; end $$;
--> ERROR 42P11: cannot open INSERT query as cursor

do $$ declare r record; begin for r in insert into t values (7,7) loop null; end loop; end $$;
--> ERROR 42P11: cannot open INSERT query as cursor

do $$ declare r record; begin for r in insert into t values (8,8) returning * loop raise notice '%', r; end loop; end $$;
--> no rows

do $$ declare x int; begin execute 'insert into t values (9,9)' into x; end $$;
--> ERROR 42601: INTO used with a command that cannot return data

do $$ declare x int; begin execute 'create table q9 (a int)' into x; raise notice '%', x; end $$;
--> ERROR 42601: INTO used with a command that cannot return data

create function qf() returns setof int language plpgsql as $$ begin return query execute 'insert into t values (20, 1)'; end $$;
--> no rows

select * from qf();
--> ERROR 42601: INSERT query does not return tuples

create function qg() returns setof int language plpgsql as $$ begin return query execute 'insert into t values (21, 1) returning a'; end $$;
--> no rows

select * from qg();
--> {"qg":21}

create function qh() returns setof int language plpgsql as $$ begin return query execute 'create table qh (a int)'; end $$;
--> no rows

select * from qh();
--> ERROR 42601: CREATE TABLE query does not return tuples

create function qi() returns setof int language plpgsql as $$ begin return query insert into t values (22, 1); end $$;
--> no rows

select * from qi();
--> ERROR 42601: INSERT query does not return tuples

create view vc as with recursive g(f, t) as (select a, b from t union all select t.a, t.b from g join t on t.a = g.t) cycle f set is_cycle using path select * from g;
--> ERROR 42P16: column "path" has pseudo-type record[]

select pg_get_viewdef('vc'::regclass);
--> ERROR 42P01: relation "vc" does not exist
--> AT 23

create view vc2 as with recursive g(f, t) as (select a, b from t union all select t.a, t.b from g join t on t.a = g.t) cycle f set is_cycle using path select f, t, is_cycle from g;
--> no rows

create view vc3 as with recursive g(f, t) as (select a, b from t union all select t.a, t.b from g join t on t.a = g.t) search depth first by f set ord select * from g;
--> ERROR 42P16: column "ord" has pseudo-type record[]

create view vc4 as with recursive g(f, t) as (select a, b from t union all select t.a, t.b from g join t on t.a = g.t) search breadth first by f set ord select f from g order by ord;
--> no rows

create materialized view vc5 as with recursive g(f, t) as (select a, b from t union all select t.a, t.b from g join t on t.a = g.t) cycle f set is_cycle using path select * from g;
--> ERROR 42P16: column "path" has pseudo-type record[]

create table vc6 as with recursive g(f, t) as (select a, b from t union all select t.a, t.b from g join t on t.a = g.t) cycle f set is_cycle using path select * from g;
--> ERROR 42P16: column "path" has pseudo-type record[]

create view vr as select row(1,2) as r;
--> ERROR 42P16: column "r" has pseudo-type record

create view vr2 as select array[row(1,2)] as r;
--> ERROR 42P16: column "r" has pseudo-type record[]

create table vr3 as select array[row(1,2)] as r;
--> ERROR 42P16: column "r" has pseudo-type record[]

create view vr4 as select r from (select row(1,2) as r) q where r is not null;
--> ERROR 42P16: column "r" has pseudo-type record

create table vr5 (a record);
--> ERROR 42P16: column "a" has pseudo-type record

create table vr6 (a record[]);
--> ERROR 42P16: column "a" has pseudo-type record[]
