-- Materialized views without rows under other definitions, defaults of domains, comments and owners that dumps have.

create table t (id int, a text);
--> no rows

create materialized view mv as select id, a from t with no data;
--> no rows

create view v1 as select * from mv;
--> no rows

create function f1() returns setof mv language sql as $$ select * from mv $$;
--> no rows

create function f2() returns bigint language sql as $$ select count(*) from mv $$;
--> no rows

create materialized view mv2 as select count(*) c from mv with no data;
--> no rows

create table ct as select * from mv with no data;
--> no rows

create table ct2 as select * from mv;
--> ERROR 55000: materialized view "mv" has not been populated
--> HINT: Use the REFRESH MATERIALIZED VIEW command.

create policy p on t using (id in (select id from mv));
--> no rows

create function f4() returns bigint language sql begin atomic select count(*) from mv;
--> ERROR 42601: syntax error at end of input
--> AT 87

end;
--> no rows

select * from mv;
--> ERROR 55000: materialized view "mv" has not been populated
--> HINT: Use the REFRESH MATERIALIZED VIEW command.

select * from v1;
--> ERROR 55000: materialized view "mv" has not been populated
--> HINT: Use the REFRESH MATERIALIZED VIEW command.

select f2();
--> ERROR 55000: materialized view "mv" has not been populated
--> HINT: Use the REFRESH MATERIALIZED VIEW command.

select f4();
--> ERROR 42883: function f4() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select count(*) from t where id in (select id from mv);
--> ERROR 55000: materialized view "mv" has not been populated
--> HINT: Use the REFRESH MATERIALIZED VIEW command.

refresh materialized view mv2;
--> ERROR 55000: materialized view "mv" has not been populated
--> HINT: Use the REFRESH MATERIALIZED VIEW command.

explain (costs off) select 1 from t;
--> {"QUERY PLAN":"Seq Scan on t"}

refresh materialized view mv;
--> no rows

select * from v1;
--> no rows

select f2(), f4();
--> ERROR 42883: function f4() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 14

refresh materialized view mv2;
--> no rows

select * from mv2;
--> {"c":0}

refresh materialized view mv with no data;
--> no rows

select * from v1;
--> ERROR 55000: materialized view "mv" has not been populated
--> HINT: Use the REFRESH MATERIALIZED VIEW command.

create domain pct as numeric(5,2) default 0 not null check (value >= 0);
--> no rows

create table s (id int, fee pct);
--> no rows

insert into s(id, fee) values (1, 10), (2, default) returning *;
--> {"id":1,"fee":"10.00"}
--> {"id":2,"fee":"0.00"}

select typdefault, typnotnull from pg_type where typname = 'pct';
--> {"typdefault":"0","typnotnull":true}

insert into s values (3, null);
--> ERROR 23502: domain pct does not allow null values

create domain dd as text default 'a' collate "C" not null;
--> no rows

create domain de as text default 'x' || 'y' constraint nn not null constraint c check (value <> 'q');
--> no rows

select typname, typdefault, typnotnull from pg_type where typname in ('dd', 'de') order by 1;
--> {"typname":"dd","typdefault":"'a'::text","typnotnull":true}
--> {"typname":"de","typdefault":"('x'::text || 'y'::text)","typnotnull":true}

create schema app;
--> no rows

create text search configuration cc (copy = simple);
--> no rows

alter text search configuration public.cc owner to postgres;
--> no rows

alter text search configuration public.cc set schema app;
--> no rows

comment on text search configuration app.cc is 'x';
--> no rows

select obj_description(oid, 'pg_ts_config'), cfgnamespace::regnamespace, cfgowner::regrole from pg_ts_config where cfgname = 'cc';
--> {"obj_description":"x","cfgnamespace":"app","cfgowner":"postgres"}

comment on text search configuration app.cc is null;
--> no rows

comment on text search configuration nosuch is 'x';
--> ERROR 42704: text search configuration "nosuch" does not exist

create type public.co2 as (a int, b text);
--> no rows

comment on column public.co2.a is 'x';
--> no rows

comment on column co2.b is 'y';
--> no rows

comment on column co2.c is 'y';
--> ERROR 42703: column "c" of relation "co2" does not exist

select col_description('co2'::regclass, 1), col_description('co2'::regclass, 2);
--> {"col_description":"y"}

comment on column co2.b is null;
--> no rows

select col_description('co2'::regclass, 2);
--> {"col_description":null}
