-- Several statements in a call, transactions, savepoints, settings.

create table log (id int primary key, what text);
--> no rows

insert into log values (1, 'a'); insert into log values (2, 'b'); select * from log order by id;
--> {"id":1,"what":"a"}
--> {"id":2,"what":"b"}

select 1 as a; select 2 as b; create table side (x int);
--> {"b":2}

insert into log values (3, 'c'); insert into log values (1, 'dup');
--> ERROR 23505: duplicate key value violates unique constraint "log_pkey"
--> DETAIL: Key (id)=(1) already exists.

select count(*) from log;
--> {"count":2}

begin; insert into log values (3, 'c'); commit;
--> no rows

select count(*) from log;
--> {"count":3}

begin; insert into log values (4, 'd'); rollback;
--> no rows

select count(*) from log;
--> {"count":3}

begin; insert into log values (4, 'd'); savepoint s; insert into log values (5, 'e'); rollback to savepoint s; insert into log values (6, 'f'); release savepoint s; commit; select id from log order by id;
--> {"id":1}
--> {"id":2}
--> {"id":3}
--> {"id":4}
--> {"id":6}

start transaction isolation level serializable; delete from log where id = 6; end; select count(*) from log;
--> {"count":4}

begin transaction read only; insert into log values (9, 'x'); commit;
--> ERROR 25006: cannot execute INSERT in a read-only transaction

rollback;
--> no rows

commit;
--> no rows

select 1; select 1/0; select 2;
--> ERROR 22012: division by zero

create table made (a int); select * from made; drop table made; select 'gone' as made;
--> {"made":"gone"}

;
--> no rows

-- only a comment

select 1 as one -- trailing comment
;
--> {"one":1}

/* block /* nested */ comment */ select 2 as two;
--> {"two":2}

savepoint outside;
--> ERROR 25P01: SAVEPOINT can only be used in transaction blocks

begin; select 1 as a; rollback; select 2 as b where false;
--> {"a":1}

set search_path to public;
--> no rows

set local statement_timeout = '5s';
--> no rows

set statement_timeout = 10000;
--> no rows

show search_path;
--> {"search_path":"\"$user\", public, extensions"}

show server_version_num_is_not_a_setting;
--> ERROR 42704: unrecognized configuration parameter "server_version_num_is_not_a_setting"

show timezone;
--> {"TimeZone":"UTC"}

select current_setting('timezone') as a, current_setting('no.such', true) as b;
--> {"a":"UTC","b":null}

select current_setting('no.such');
--> ERROR 42704: unrecognized configuration parameter "no.such"

select set_config('app.tenant', '7', true) as a; select current_setting('app.tenant', true) as b;
--> {"b":"7"}

set client_encoding = 'UTF8'; set standard_conforming_strings = on; select pg_catalog.set_config('search_path', '', false);
--> {"set_config":""}

select current_database() = 'postgres' or true as a, current_schema as b, current_user = session_user as c, current_user as d;
--> {"a":true,"b":"public","c":true,"d":"postgres"}

create schema other; create table other.things (n int); insert into other.things values (1); set search_path to other, public; select n from things;
--> {"n":1}

set local search_path = 'other'; select 1 as fine;
--> {"fine":1}

create table other.counted as select 1 as n; select count(*) from other.counted;
--> {"count":1}

prepare p as select 1;
--> no rows

explain select 1;
--> {"QUERY PLAN":"Result  (cost=0.00..0.01 rows=1 width=4)"}

lock table log in share mode;
--> ERROR 25P01: LOCK TABLE can only be used in transaction blocks

vacuum log;
--> no rows

analyze log;
--> no rows

do $$ begin perform 1; end $$;
--> no rows

discard all;
--> no rows

listen channel; notify channel, 'x'; unlisten channel;
--> no rows

select pg_notify('channel', 'payload');
--> {"pg_notify":""}

grant select on log to public; revoke select on log from public;
--> no rows

begin; create table rolled (a int); insert into rolled values (1); rollback; select * from rolled;
--> ERROR 42P01: relation "rolled" does not exist
--> AT 92

begin; select nope; commit; select 1;
--> ERROR 42703: column "nope" does not exist
--> AT 15

insert into log values (100, 'x') returning id; update log set what = 'y' where id = 100; select 5 as five where false;
--> {"id":100}

select pg_advisory_xact_lock(1);
--> {"pg_advisory_xact_lock":""}

select txid_current() > 0 as a, pg_backend_pid() > 0 as b, version() like 'PostgreSQL %' as c;
--> {"a":true,"b":true,"c":true}
