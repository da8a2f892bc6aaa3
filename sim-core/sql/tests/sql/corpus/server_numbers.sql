-- What a server says of its own size and sessions.

create table t (a int primary key, b text);
--> no rows

insert into t select i, repeat('x', 100) || i from generate_series(1, 1000) i;
--> no rows

select pg_database_size(current_database()) > 1000000 as database, pg_tablespace_size('pg_default') > 1000000 as tablespace;
--> {"database":true,"tablespace":true}

select pg_relation_size('t'), pg_table_size('t'), pg_indexes_size('t'), pg_total_relation_size('t');
--> {"pg_relation_size":147456,"pg_table_size":180224,"pg_indexes_size":40960,"pg_total_relation_size":221184}

select pg_relation_size('t_pkey'), pg_relation_size('t', 'fsm'), pg_relation_size('t', 'init');
--> {"pg_relation_size":0}

create table e (a int);
--> no rows

select pg_relation_size('e'), pg_table_size('e'), pg_total_relation_size('e'), pg_indexes_size('e');
--> {"pg_relation_size":0,"pg_table_size":0,"pg_total_relation_size":0,"pg_indexes_size":0}

create table e2 (a int primary key);
--> no rows

select pg_relation_size('e2'), pg_table_size('e2'), pg_total_relation_size('e2'), pg_indexes_size('e2');
--> {"pg_relation_size":0,"pg_table_size":0,"pg_total_relation_size":8192,"pg_indexes_size":8192}

create table e3 (a text);
--> no rows

select pg_relation_size('e3'), pg_table_size('e3'), pg_total_relation_size('e3');
--> {"pg_relation_size":0,"pg_table_size":8192,"pg_total_relation_size":8192}

insert into e3 values ('x'), (null);
--> no rows

select pg_relation_size('e3'), pg_table_size('e3'), pg_total_relation_size('e3');
--> {"pg_relation_size":8192,"pg_table_size":16384,"pg_total_relation_size":16384}

create view v as select 1 as a;
--> no rows

select pg_relation_size('v'), pg_total_relation_size('v');
--> {"pg_relation_size":0,"pg_total_relation_size":0}

select pg_size_pretty(pg_total_relation_size('e2'));
--> {"pg_size_pretty":"8192 bytes"}

select pg_relation_size(null), pg_total_relation_size(null::regclass), pg_relation_size(999999999::oid);
--> {"pg_relation_size":null,"pg_total_relation_size":null}

select pg_relation_size('t', 'nope');
--> ERROR 22023: invalid fork name
--> HINT: Valid fork names are "main", "fsm", "vm", and "init".

select count(*) > 0 as some from pg_stat_activity where state = 'active';
--> {"some":true}

select usename, state, backend_type, query like 'select usename, state%' as own from pg_stat_activity where pid = pg_backend_pid();
--> {"usename":"postgres","state":"active","backend_type":"client backend","own":true}

select xact_start is not null as begun, query_start is not null as asked, wait_event, usesysid = (select oid from pg_roles where rolname = current_user) as own from pg_stat_activity where pid = pg_backend_pid();
--> {"begun":true,"asked":true,"wait_event":null,"own":true}

select numbackends > 0 as used from pg_stat_database where datname = current_database();
--> {"used":true}

select count(*) from pg_stat_bgwriter;
--> {"count":1}
