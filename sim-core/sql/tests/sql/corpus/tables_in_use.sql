create table d1 (id int primary key); create table d2 (id int references d1 deferrable initially deferred);
--> no rows

begin; insert into d1 values (5); insert into d2 values (5); alter table d2 add column y int; commit;
--> ERROR 55006: cannot ALTER TABLE "d2" because it has pending trigger events

begin; insert into d1 values (6); insert into d2 values (6); truncate d2; commit;
--> ERROR 55006: cannot TRUNCATE "d2" because it has pending trigger events

begin; insert into d1 values (7); insert into d2 values (7); drop table d2; commit;
--> ERROR 55006: cannot DROP TABLE "d2" because it has pending trigger events

begin; insert into d1 values (8); insert into d2 values (8); create index on d2 (id); commit;
--> ERROR 55006: cannot CREATE INDEX "d2" because it has pending trigger events

begin; insert into d1 values (9); insert into d2 values (9); set constraints all immediate; alter table d2 add column y int; commit;
--> no rows

begin; delete from d1 where id = 5; alter table d1 add column y int; commit;
--> no rows

begin; insert into d1 values (18); alter table d1 add column y2 int; commit;
--> no rows

begin; insert into d2 values (9); alter table d2 add constraint ck check (id > 0); commit;
--> ERROR 55006: cannot ALTER TABLE "d2" because it has pending trigger events

begin; insert into d2 values (9); alter table d2 rename to d3; rollback;
--> no rows

begin; insert into d2 values (9); alter table d2 enable row level security; rollback;
--> ERROR 55006: cannot ALTER TABLE "d2" because it has pending trigger events

begin; insert into d2 values (9); create trigger x after insert on d2 for each row execute function suppress_redundant_updates_trigger(); rollback;
--> no rows

begin; insert into d2 values (9); cluster d2; rollback;
--> ERROR 42704: there is no previously clustered index for table "d2"

begin; insert into d2 values (9); reindex table d2; rollback;
--> no rows

begin; insert into d2 values (9); truncate d1 cascade; rollback;
--> ERROR 55006: cannot TRUNCATE "d2" because it has pending trigger events

begin; insert into d2 values (9); drop table d1 cascade; rollback;
--> no rows

begin; insert into d2 values (9); alter table d2 owner to authenticated; rollback;
--> ERROR 55006: cannot ALTER TABLE "d2" because it has pending trigger events

begin; insert into d2 values (9); alter table d2 replica identity full; rollback;
--> ERROR 55006: cannot ALTER TABLE "d2" because it has pending trigger events

begin; insert into d2 values (9); alter table d2 alter id set default 5; rollback;
--> ERROR 55006: cannot ALTER TABLE "d2" because it has pending trigger events

begin; insert into d2 values (9); comment on table d2 is 'x'; rollback;
--> no rows

begin; insert into d2 values (9); alter table d2 rename id to id2; rollback;
--> no rows

begin; insert into d2 values (9); drop index if exists d2_id_idx; rollback;
--> no rows

do $$ begin insert into d2 values (9); alter table d2 add column yy int; end $$;
--> ERROR 55006: cannot ALTER TABLE "d2" because it has pending trigger events

create table t (id int primary key, n text); insert into t values (1,'a');
--> no rows

do $$ declare r record; begin for r in select * from t loop alter table t add column z int; end loop; end $$;
--> ERROR 55006: cannot ALTER TABLE "t" because it is being used by active queries in this session

do $$ declare r record; begin for r in select * from t loop truncate t; end loop; end $$;
--> ERROR 55006: cannot TRUNCATE "t" because it is being used by active queries in this session

do $$ declare r record; begin for r in select * from t loop drop table t; end loop; end $$;
--> ERROR 55006: cannot DROP TABLE "t" because it is being used by active queries in this session

do $$ declare r record; begin for r in select * from t loop create index on t (n); end loop; end $$;
--> ERROR 55006: cannot CREATE INDEX "t" because it is being used by active queries in this session

do $$ declare r record; begin for r in select * from t loop create index on t (n); exit; end loop; create index on t (n); end $$;
--> ERROR 55006: cannot CREATE INDEX "t" because it is being used by active queries in this session

do $$ declare r record; begin for r in select n.id from t n loop execute 'alter table t add column q int'; end loop; end $$;
--> ERROR 55006: cannot ALTER TABLE "t" because it is being used by active queries in this session

do $$ declare r record; begin for r in select id from t loop alter table t enable row level security; end loop; end $$;
--> ERROR 55006: cannot ALTER TABLE "t" because it is being used by active queries in this session

do $$ declare r record; begin for r in select id from t loop create policy p1 on t using (true); end loop; end $$;
--> no rows

do $$ declare r record; begin for r in select id from t loop grant select on t to anon; end loop; end $$;
--> no rows

do $$ declare c cursor for select * from t; r record; begin open c; fetch c into r; alter table t add column zz int; end $$;
--> ERROR 55006: cannot ALTER TABLE "t" because it is being used by active queries in this session

do $$ declare c cursor for select * from t; r record; begin open c; fetch c into r; close c; alter table t add column zz int; end $$;
--> no rows

begin; declare c cursor for select * from t; fetch c; alter table t add column zzz int; rollback;
--> ERROR 55006: cannot ALTER TABLE "t" because it is being used by active queries in this session

create function fa() returns int language plpgsql as $$ begin alter table t add column fz int; return 1; end $$; insert into t select fa(), 'x';
--> ERROR 55006: cannot ALTER TABLE "t" because it is being used by active queries in this session

select fa() from t;
--> ERROR 42883: function fa() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function tr() returns trigger language plpgsql as $$ begin alter table t add column fz2 int; return new; end $$; create trigger tr before insert on t for each row execute function tr();
--> no rows

insert into t values (2,'b');
--> ERROR 55006: cannot ALTER TABLE "t" because it is being used by active queries in this session

drop trigger tr on t; create trigger tr after insert on t for each row execute function tr();
--> no rows

insert into t values (2,'b');
--> ERROR 55006: cannot ALTER TABLE "t" because it is being used by active queries in this session

drop trigger tr on t; create trigger tr after insert on t for each statement execute function tr();
--> no rows

insert into t values (3,'b');
--> ERROR 55006: cannot ALTER TABLE "t" because it is being used by active queries in this session

do $$ declare r record; begin for r in select id from t loop drop index t_n_idx; end loop; end $$;
--> ERROR 42704: index "t_n_idx" does not exist

do $$ declare r record; begin for r in select relname from pg_class where relname = 't' loop execute 'alter table t add column q9 int'; end loop; end $$;
--> no rows

drop table t; create table t (id int primary key, n text); insert into t values (1,'a'); create table u (id int primary key, t int references t on delete cascade); insert into u values (1,1);
--> no rows

do $$ declare r record; begin for r in select conname, conrelid::regclass as t from pg_constraint where contype = 'f' and conrelid = 'u'::regclass loop execute format('alter table %s drop constraint %I', r.t, r.conname); end loop; end $$;
--> no rows

do $$ declare r record; begin for r in select * from pg_policies loop null; end loop; alter table t add column zz int; end $$;
--> no rows

do $$ declare r record; begin for r in select attname from pg_attribute where attrelid = 't'::regclass and attnum > 0 and not attisdropped loop execute format('comment on column t.%I is %L', r.attname, 'x'); end loop; alter table t add column k int; end $$;
--> no rows

do $$ begin if exists (select 1 from t) then alter table t add column w int; end if; perform 1 from t; alter table t add column w2 int; end $$;
--> no rows

do $$ declare n int; begin select count(*) into n from t; execute 'alter table t add column w3 int'; insert into t (id) values (77) returning id into n; alter table t add column w4 int; delete from t where id = 77; alter table t add column w5 int; end $$;
--> no rows

create function mk() returns void language plpgsql as $$ begin create table if not exists nt (id int); alter table nt add column if not exists x int; end $$; select mk();
--> {"mk":""}

create function mt() returns trigger language plpgsql as $$ begin execute format('create table if not exists part_%s (id int)', new.id); execute format('alter table part_%s enable row level security', new.id); return new; end $$; create trigger mt after insert on t for each row execute function mt();
--> no rows

insert into t (id) values (5), (6);
--> no rows

begin; insert into t (id) values (50); alter table t add column x7 int; commit;
--> no rows

begin; insert into u values (3, 5); alter table u add foreign key (t) references t on delete cascade; commit;
--> no rows

begin; insert into u values (4, 6); alter table t add column x8 int; delete from t where id = 6; alter table u add column x8 int; commit;
--> no rows

create table e (id int, r tsrange, exclude using gist (r with &&) deferrable initially deferred); create table uq (id int unique deferrable initially deferred);
--> no rows

begin; insert into e values (1, '[2024-01-01,2024-01-02)'); alter table e add column x8 int; commit;
--> no rows

begin; insert into uq values (1); alter table uq add column x8 int; commit;
--> no rows

begin; insert into uq values (2); insert into uq values (2); alter table uq add column x9 int; commit;
--> ERROR 55006: cannot ALTER TABLE "uq" because it has pending trigger events

create function ct() returns trigger language plpgsql as $$ begin return null; end $$; create constraint trigger ct after insert on uq deferrable initially deferred for each row execute function ct();
--> no rows

begin; insert into uq values (4); alter table uq add column x10 int; commit;
--> ERROR 55006: cannot ALTER TABLE "uq" because it has pending trigger events

begin; insert into uq values (4); drop trigger ct on uq; commit;
--> no rows

create function ct2() returns trigger language plpgsql as $$ begin execute 'alter table uq add column late int'; return null; end $$; create constraint trigger ct2 after insert on uq deferrable initially deferred for each row execute function ct2();
--> no rows

insert into uq values (5);
--> ERROR 55006: cannot ALTER TABLE "uq" because it is being used by active queries in this session

create materialized view mv as select * from t;
--> no rows

do $$ declare r record; begin for r in select * from mv loop refresh materialized view mv; end loop; end $$;
--> ERROR 55006: cannot REFRESH MATERIALIZED VIEW "mv" because it is being used by active queries in this session

create table pp (id int, k int) partition by list (k); create table pp1 partition of pp for values in (1); insert into pp values (1,1);
--> no rows

do $$ declare r record; begin for r in select * from pp loop create table pp2 partition of pp for values in (2); end loop; end $$;
--> no rows

do $$ declare r record; begin for r in select * from pp loop alter table pp1 add check (id > 0); end loop; end $$;
--> ERROR 55006: cannot ALTER TABLE "pp1" because it is being used by active queries in this session

do $$ declare r record; begin for r in select * from pp loop alter table pp detach partition pp1; end loop; end $$;
--> no rows

create schema sx; create table sx.a (id int); insert into sx.a values (1);
--> no rows

do $$ declare r record; begin for r in select * from sx.a loop drop schema sx cascade; end loop; end $$;
--> ERROR 55006: cannot DROP TABLE "a" because it is being used by active queries in this session
