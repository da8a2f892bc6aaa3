-- What a session sets, takes and asks within a statement and a transaction.

select set_config('app.w','1',true), current_setting('app.w',true);
--> {"set_config":"1","current_setting":"1"}

begin; select set_config('app.w','2',true); select current_setting('app.w',true) as before, set_config('app.w','3',true), current_setting('app.w',true) as after; commit;
--> {"before":"2","set_config":"3","after":"3"}

create function setter(v text) returns text language sql as $$ select set_config('app.t', v, true) $$;
--> no rows

create function setterp(v text) returns text language plpgsql as $$ begin perform set_config('app.t', v, true); return v; end $$;
--> no rows

create function getter() returns text language sql stable as $$ select current_setting('app.t', true) $$;
--> no rows

create function getterp() returns text language plpgsql as $$ begin return current_setting('app.t', true); end $$;
--> no rows

begin; select setter('a'); select setter('b') || current_setting('app.t', true) as both; commit;
--> {"both":"bb"}

select setterp('c') || current_setting('app.t', true) as both, getter(), getterp(), setterp('d'), current_setting('app.t'), getter() as again, getterp() as againp;
--> {"both":"cc","getter":"c","getterp":"c","setterp":"d","current_setting":"d","again":"d","againp":"d"}

select set_config('app.t','x',true), getter(), getterp(), set_config('app.t','y',true) as y, getter() as again, getterp() as againp;
--> {"set_config":"x","getter":"x","getterp":"x","y":"y","again":"y","againp":"y"}

with s as materialized (select set_config('app.t','w',true) as x) select x, current_setting('app.t',true) from s;
--> {"x":"w","current_setting":"w"}

select i, set_config('app.t', i::text, true), current_setting('app.t') from generate_series(1,3) i;
--> {"i":1,"set_config":"1","current_setting":"1"}
--> {"i":2,"set_config":"2","current_setting":"2"}
--> {"i":3,"set_config":"3","current_setting":"3"}

select set_config('app.none','1',true), current_setting('app.none');
--> {"set_config":"1","current_setting":"1"}

select current_setting('app.never_set');
--> ERROR 42704: unrecognized configuration parameter "app.never_set"

begin; select set_config('app.z','5',true); select current_setting('app.z'); commit;
--> {"current_setting":"5"}

do $$ begin if setterp('q') || current_setting('app.t') <> 'qq' then raise exception 'not seen'; end if; end $$;
--> no rows

select pg_advisory_lock(1), pg_advisory_unlock(1), pg_advisory_unlock(1) as again;
--> {"pg_advisory_lock":"","pg_advisory_unlock":true,"again":false}

select pg_try_advisory_lock(2), pg_try_advisory_lock(2) as twice, pg_advisory_unlock(2), pg_advisory_unlock(2) as second, pg_advisory_unlock(2) as third;
--> {"pg_try_advisory_lock":true,"twice":true,"pg_advisory_unlock":true,"second":true,"third":false}

select pg_try_advisory_lock(1,2), pg_advisory_unlock_shared(1,2), pg_advisory_unlock(1,2), pg_advisory_unlock_all();
--> {"pg_try_advisory_lock":true,"pg_advisory_unlock_shared":false,"pg_advisory_unlock":true,"pg_advisory_unlock_all":""}

begin; select pg_advisory_xact_lock(7); select pg_advisory_unlock(7), (select count(*) from pg_locks where locktype = 'advisory'); commit;
--> {"pg_advisory_unlock":false,"count":1}

begin; select pg_advisory_xact_lock(7); commit; select count(*) from pg_locks where locktype = 'advisory';
--> {"count":0}

begin; select pg_advisory_lock(3), pg_advisory_lock_shared(4), pg_advisory_lock(5,6), pg_advisory_lock(123456789012); select locktype, classid, objid, objsubid, mode, granted from pg_locks where locktype = 'advisory' order by classid, objid; commit;
--> {"locktype":"advisory","classid":0,"objid":3,"objsubid":1,"mode":"ExclusiveLock","granted":true}
--> {"locktype":"advisory","classid":0,"objid":4,"objsubid":1,"mode":"ShareLock","granted":true}
--> {"locktype":"advisory","classid":5,"objid":6,"objsubid":2,"mode":"ExclusiveLock","granted":true}
--> {"locktype":"advisory","classid":28,"objid":3197704724,"objsubid":1,"mode":"ExclusiveLock","granted":true}

select pg_advisory_unlock_all();
--> {"pg_advisory_unlock_all":""}

begin; select pg_advisory_lock(9); rollback; select pg_advisory_unlock(9);
--> {"pg_advisory_unlock":true}

select count(*) > 0 as some from pg_locks;
--> {"some":true}

begin read only; show transaction_read_only; commit;
--> {"transaction_read_only":"on"}

begin read only; create table zz (a int); commit;
--> ERROR 25006: cannot execute CREATE TABLE in a read-only transaction

begin; set transaction read only; select current_setting('transaction_read_only'); commit;
--> {"current_setting":"on"}

begin; set transaction_read_only = on; rollback; show transaction_read_only;
--> {"transaction_read_only":"off"}

begin isolation level repeatable read; select current_setting('transaction_isolation'); commit;
--> {"current_setting":"repeatable read"}

begin isolation level serializable; rollback; show transaction_isolation;
--> {"transaction_isolation":"read committed"}

begin isolation level serializable; commit and chain; show transaction_isolation; commit;
--> {"transaction_isolation":"serializable"}

begin isolation level serializable; rollback and chain; show transaction_isolation; commit;
--> {"transaction_isolation":"serializable"}

begin isolation level serializable; commit and chain; rollback; show transaction_isolation;
--> {"transaction_isolation":"read committed"}

begin read only; commit and chain; create table zz (a int); commit;
--> ERROR 25006: cannot execute CREATE TABLE in a read-only transaction

begin; create table chained (a int); commit and chain; insert into chained values (1); rollback and chain; insert into chained values (2); commit; select a from chained;
--> {"a":2}

listen room; notify room, 'hello'; select pg_listening_channels(); unlisten *;
--> no rows

select pg_notify('', 'x');
--> ERROR 22023: channel name cannot be empty

select pg_notify(null, 'x');
--> ERROR 22023: channel name cannot be empty

select count(*) from pg_listening_channels();
--> {"count":0}

create table guarded (a int primary key, b text unique, c int not null default 1);
--> no rows

alter table guarded enable row level security;
--> no rows

insert into guarded values (1, 'x');
--> no rows

create function again() returns void language plpgsql as $$ begin insert into guarded values (1, 'y'); end $$;
--> no rows

select again();
--> ERROR 23505: duplicate key value violates unique constraint "guarded_pkey"
--> DETAIL: Key (a)=(1) already exists.

create function again_sql() returns void language sql as $$ insert into guarded (a, b) select 2, 'x' $$;
--> no rows

select again_sql();
--> ERROR 23505: duplicate key value violates unique constraint "guarded_b_key"
--> DETAIL: Key (b)=(x) already exists.

create function again_of_two() returns int language plpgsql as $$ declare n int; begin insert into guarded (a, b) values (5, 'p'), (1, 'q') returning a into n; return n; end $$;
--> no rows

select again_of_two();
--> ERROR 23505: duplicate key value violates unique constraint "guarded_pkey"
--> DETAIL: Key (a)=(1) already exists.

create function told() returns text language plpgsql as $$ declare t text; begin insert into guarded values (1, 'y'); exception when unique_violation then get stacked diagnostics t = pg_exception_detail; return t; end $$;
--> no rows

select told();
--> {"told":"Key (a)=(1) already exists."}

prepare q (int, text) as select $1 + 1, $2; select name, parameter_types, from_sql from pg_prepared_statements; deallocate q;
--> {"name":"q","parameter_types":"{integer,text}","from_sql":true}

begin; set datestyle = 'ISO, DMY'; select current_setting('datestyle'), '03/02/2026'::date as slashes, '13.02.2026'::date as points, '2026-02-03'::date as year_first, '03-02-2026 10:00'::timestamp as instant; commit;
--> {"current_setting":"ISO, DMY","slashes":"2026-02-03","points":"2026-02-13","year_first":"2026-02-03","instant":"2026-02-03 10:00:00"}

set datestyle = 'ISO, YMD'; select '03/02/01'::date;
--> {"date":"2003-02-01"}

set datestyle = dmy; show datestyle;
--> {"DateStyle":"ISO, DMY"}

set datestyle = 'European'; set datestyle = 'ISO'; show datestyle;
--> {"DateStyle":"ISO, DMY"}

set datestyle = 'ISO, DMY'; select '02/13/2026'::date;
--> ERROR 22008: date/time field value out of range: "02/13/2026"
--> HINT: Perhaps you need a different "datestyle" setting.
--> AT 36

set datestyle = 'nonsense';
--> ERROR 22023: invalid value for parameter "DateStyle": "nonsense"
--> DETAIL: Unrecognized key word: "nonsense".

select '03/02/2026'::date;
--> {"date":"2026-03-02"}

create function read_day(t text) returns date language plpgsql set datestyle = 'ISO, DMY' as $$ begin return t::date; end $$;
--> no rows

select read_day('03/02/2026'), '03/02/2026'::date as outside;
--> {"read_day":"2026-02-03","outside":"2026-03-02"}

set names 'UTF8'; show client_encoding;
--> {"client_encoding":"UTF8"}

set schema 'public'; show search_path;
--> {"search_path":"public"}

begin; set local datestyle = 'ISO, DMY'; rollback; select '03/02/2026'::date;
--> {"date":"2026-03-02"}
