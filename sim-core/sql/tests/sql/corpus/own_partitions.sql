-- What one partition has and the others do not: keys, checks, columns without nulls, triggers.

create table m (id int, k text, v int, primary key (id, k)) partition by list (k);
--> no rows

create table ma partition of m for values in ('a');
--> no rows

create table mb partition of m for values in ('b');
--> no rows

create table md partition of m default;
--> no rows

alter table ma add constraint positive check (v > 0);
--> no rows

insert into m values (1, 'a', -1);
--> ERROR 23514: new row for relation "ma" violates check constraint "positive"
--> DETAIL: Failing row contains (1, a, -1).

insert into ma values (1, 'a', -1);
--> ERROR 23514: new row for relation "ma" violates check constraint "positive"
--> DETAIL: Failing row contains (1, a, -1).

insert into m values (1, 'b', -1), (1, 'a', 1), (1, 'z', -1);
--> no rows

update m set v = -5 where k = 'a';
--> ERROR 23514: new row for relation "ma" violates check constraint "positive"
--> DETAIL: Failing row contains (1, a, -5).

update m set k = 'a' where id = 1 and k = 'z' and v = -1;
--> ERROR 23514: new row for relation "ma" violates check constraint "positive"
--> DETAIL: Failing row contains (1, a, -1).

alter table mb add constraint positive check (v > 0);
--> ERROR 23514: check constraint "positive" of relation "mb" is violated by some row

alter table ma add constraint one_v unique (v);
--> no rows

insert into m values (2, 'a', 1);
--> ERROR 23505: duplicate key value violates unique constraint "one_v"
--> DETAIL: Key (v)=(1) already exists.

insert into m values (2, 'b', 1), (2, 'z', 1);
--> no rows

insert into ma values (2, 'a', 2);
--> no rows

update ma set v = 1 where id = 2;
--> ERROR 23505: duplicate key value violates unique constraint "one_v"
--> DETAIL: Key (v)=(1) already exists.

select id, k, v from m order by id, k;
--> {"id":1,"k":"a","v":1}
--> {"id":1,"k":"b","v":-1}
--> {"id":1,"k":"z","v":-1}
--> {"id":2,"k":"a","v":2}
--> {"id":2,"k":"b","v":1}
--> {"id":2,"k":"z","v":1}

create unique index on md (v) where v > 0;
--> no rows

insert into m values (3, 'z', 1);
--> ERROR 23505: duplicate key value violates unique constraint "md_v_idx"
--> DETAIL: Key (v)=(1) already exists.

insert into m values (3, 'z', -1);
--> no rows

create table mz partition of m for values in ('y');
--> no rows

insert into m values (4, 'y', 1);
--> no rows

alter table ma alter v set not null;
--> no rows

insert into m values (5, 'a', null);
--> ERROR 23502: null value in column "v" of relation "ma" violates not-null constraint
--> DETAIL: Failing row contains (5, a, null).

insert into ma values (5, 'a', null);
--> ERROR 23502: null value in column "v" of relation "ma" violates not-null constraint
--> DETAIL: Failing row contains (5, a, null).

insert into m values (5, 'b', null);
--> no rows

alter table mb alter column v set not null;
--> ERROR 23502: column "v" of relation "mb" contains null values

alter table ma alter v drop not null;
--> no rows

insert into m values (5, 'a', null) returning v;
--> {"v":null}

alter table ma drop constraint one_v;
--> no rows

insert into m values (6, 'a', 1) returning id;
--> {"id":6}

alter table ma drop constraint positive;
--> no rows

insert into m values (7, 'a', -7) returning id;
--> {"id":7}

insert into ma values (8, 'b', 8);
--> ERROR 23514: new row for relation "ma" violates partition constraint
--> DETAIL: Failing row contains (8, b, 8).

update ma set k = 'b' where id = 7;
--> ERROR 23514: new row for relation "ma" violates partition constraint
--> DETAIL: Failing row contains (7, b, -7).

create table seen (n int generated always as identity, what text);
--> no rows

create function see() returns trigger language plpgsql as $$ begin insert into seen (what) values (format('%s %s %s', tg_name, tg_op, tg_table_name)); return new; end $$;
--> no rows

create table s (id int, t text, unique (id));
--> no rows

create trigger t before insert or update on s for each row execute function see();
--> no rows

insert into s values (1, 'before');
--> no rows

create table sp (id int, t text) partition by range (id);
--> no rows

alter table sp attach partition s for values from (0) to (10);
--> no rows

insert into sp values (2, 'x');
--> no rows

insert into s values (3, 'y');
--> no rows

insert into sp values (2, 'again');
--> ERROR 23505: duplicate key value violates unique constraint "s_id_key"
--> DETAIL: Key (id)=(2) already exists.

select what from seen order by n;
--> {"what":"t INSERT s"}
--> {"what":"t INSERT s"}
--> {"what":"t INSERT s"}

select * from sp order by id;
--> {"id":1,"t":"before"}
--> {"id":2,"t":"x"}
--> {"id":3,"t":"y"}

create table other (id int, t text check (t <> 'bad'), primary key (id));
--> no rows

insert into other values (15, 'x');
--> no rows

alter table sp attach partition other for values from (10) to (20);
--> no rows

insert into sp values (15, 'y');
--> ERROR 23505: duplicate key value violates unique constraint "other_pkey"
--> DETAIL: Key (id)=(15) already exists.

insert into sp values (16, 'bad');
--> ERROR 23514: new row for relation "other" violates check constraint "other_t_check"
--> DETAIL: Failing row contains (16, bad).

insert into sp values (17, 'good') returning *;
--> {"id":17,"t":"good"}

alter table sp detach partition other;
--> no rows

insert into other values (15, 'y');
--> ERROR 23505: duplicate key value violates unique constraint "other_pkey"
--> DETAIL: Key (id)=(15) already exists.

select * from other order by id;
--> {"id":15,"t":"x"}
--> {"id":17,"t":"good"}

drop table s;
--> no rows

select count(*) from sp;
--> {"count":0}

create table d (id int, k int, n int default 1) partition by list (k);
--> no rows

create table d1 partition of d for values in (1);
--> no rows

alter table d alter n set default 2;
--> no rows

insert into d1 (id, k) values (1, 1) returning n;
--> {"n":2}

alter table d1 alter n set default 3;
--> no rows

insert into d (id, k) values (2, 1) returning n;
--> {"n":2}

insert into d1 (id, k) values (3, 1) returning n;
--> {"n":3}

alter table d alter n drop default;
--> no rows

insert into d1 (id, k) values (4, 1) returning n;
--> {"n":null}
