-- The numbers of transactions, which go up, and snapshots of them.

create table t (a int); insert into t values (1);
--> no rows

select xmin::text::bigint > 0 as ok from t;
--> {"ok":true}

select txid_current() = txid_current() as a, pg_current_xact_id()::text::bigint = txid_current() as b;
--> {"a":true,"b":true}

select txid_current_if_assigned() is null as a, pg_current_xact_id_if_assigned() is null as b;
--> {"a":true,"b":true}

insert into t values (2); select txid_current_if_assigned() is null as a;
--> {"a":false}

select pg_current_snapshot()::text ~ '^\d+:\d+:$' as a, pg_typeof(pg_current_snapshot()) as b, pg_typeof(txid_current_snapshot()) as c;
--> {"a":true,"b":"pg_snapshot","c":"txid_snapshot"}

select pg_snapshot_xmin(pg_current_snapshot()) = pg_current_xact_id() as a, txid_snapshot_xmax(txid_current_snapshot()) = txid_current() as b, txid_visible_in_snapshot(txid_current() - 1, txid_current_snapshot()) as c;
--> {"a":true,"b":true,"c":true}

select pg_snapshot_xip(pg_current_snapshot());
--> no rows

select '10:20:10,14,15'::pg_snapshot as a, '10:20:10,14,15'::txid_snapshot as b;
--> {"a":"10:20:10,14,15","b":"10:20:10,14,15"}

select pg_snapshot_xip('10:20:10,14,15'::pg_snapshot) as a;
--> {"a":"10"}
--> {"a":"14"}
--> {"a":"15"}

select pg_snapshot_xmin('10:20:10,14,15') as a, pg_snapshot_xmax('10:20:10,14,15') as b, pg_visible_in_snapshot('12', '10:20:10,14,15') as c, pg_visible_in_snapshot('14', '10:20:10,14,15') as d, pg_visible_in_snapshot('20', '10:20:10,14,15') as e, pg_visible_in_snapshot('9', '10:20:10,14,15') as f;
--> {"a":"10","b":"20","c":true,"d":false,"e":false,"f":true}

select '20:10:'::pg_snapshot;
--> ERROR 22P02: invalid input syntax for type pg_snapshot: "20:10:"
--> AT 8

select '10:20:9'::pg_snapshot;
--> ERROR 22P02: invalid input syntax for type pg_snapshot: "10:20:9"
--> AT 8

select '10:20:15,14'::pg_snapshot;
--> ERROR 22P02: invalid input syntax for type pg_snapshot: "10:20:15,14"
--> AT 8

select '10:20:14,14,15'::pg_snapshot as a, '10:20:20'::txid_snapshot;
--> ERROR 22P02: invalid input syntax for type pg_snapshot: "10:20:20"
--> AT 44

select 'x'::txid_snapshot;
--> ERROR 22P02: invalid input syntax for type pg_snapshot: "x"
--> AT 8

create table n (id bigint, x text); insert into n values (txid_current(), 'a'); insert into n values (txid_current(), 'b');
--> no rows

insert into n values (txid_current(), 'c');
--> no rows

select count(distinct id), (max(id) - min(id)) > 0 as up from n;
--> {"count":2,"up":true}

begin; insert into n values (txid_current(), 'd'); rollback; insert into n values (txid_current(), 'e');
--> no rows

select id > lag(id) over (order by x) as up from n order by x;
--> {"up":null}
--> {"up":false}
--> {"up":true}
--> {"up":true}

do $$ declare a bigint := txid_current(); begin commit; insert into n values (txid_current() - a, 'f'); end $$;
--> no rows

select id > 0 as up from n where x = 'f';
--> {"up":true}

select txid_status(txid_current() - 1), txid_status(txid_current());
--> {"txid_status":"in progress"}

create table aud (id int, tx bigint default txid_current(), tx8 xid8 default pg_current_xact_id()); insert into aud values (1), (2); update aud set id = id + 1; select count(distinct tx) from aud;
--> {"count":1}

create function trg() returns trigger language plpgsql as $$ begin new.tx := txid_current(); return new; end $$; create trigger trg before update on aud for each row execute function trg(); update aud set id = 9 where id = 2; select count(distinct tx), bool_and(tx8::text::bigint <= tx) from aud;
--> {"count":2,"bool_and":true}

select lastval();
--> ERROR 55000: lastval is not yet defined in this session

begin read only; select txid_current() > 0 as ok; commit;
--> {"ok":true}

begin; savepoint s; create table ss (a bigint); insert into ss values (txid_current()); release s; select count(*) from ss where a = txid_current(); commit;
--> {"count":1}
