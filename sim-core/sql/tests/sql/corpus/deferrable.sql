create table track (id int primary key, list int, place int, constraint track_place unique (list, place) deferrable initially deferred);
--> no rows

insert into track values (1, 1, 1), (2, 1, 2), (3, 1, 3), (4, 2, null), (5, 2, null);
--> no rows

begin;
--> no rows

update track set place = 2 where id = 1;
--> ERROR 23505: duplicate key value violates unique constraint "track_place"
--> DETAIL: Key (list, place)=(1, 2) already exists.

update track set place = 1 where id = 2;
--> ERROR 23505: duplicate key value violates unique constraint "track_place"
--> DETAIL: Key (list, place)=(1, 1) already exists.

commit;
--> no rows

select id, place from track order by id;
--> {"id":1,"place":1}
--> {"id":2,"place":2}
--> {"id":3,"place":3}
--> {"id":4,"place":null}
--> {"id":5,"place":null}

begin;
--> no rows

update track set place = 1 where id = 1;
--> no rows

commit;
--> no rows

select id, place from track order by id;
--> {"id":1,"place":1}
--> {"id":2,"place":2}
--> {"id":3,"place":3}
--> {"id":4,"place":null}
--> {"id":5,"place":null}

update track set place = place + 1 where list = 1;
--> no rows

select id, place from track order by id;
--> {"id":1,"place":2}
--> {"id":2,"place":3}
--> {"id":3,"place":4}
--> {"id":4,"place":null}
--> {"id":5,"place":null}

insert into track values (6, 1, 2);
--> ERROR 23505: duplicate key value violates unique constraint "track_place"
--> DETAIL: Key (list, place)=(1, 2) already exists.

begin;
--> no rows

insert into track values (6, 1, 2);
--> ERROR 23505: duplicate key value violates unique constraint "track_place"
--> DETAIL: Key (list, place)=(1, 2) already exists.

update track set place = 9 where id = 6;
--> no rows

commit;
--> no rows

select id, place from track where list = 1 order by id;
--> {"id":1,"place":2}
--> {"id":2,"place":3}
--> {"id":3,"place":4}

begin;
--> no rows

set constraints track_place immediate;
--> no rows

update track set place = 3 where id = 6;
--> no rows

rollback;
--> no rows

insert into track values (7, 1, 2) on conflict (list, place) do nothing;
--> ERROR 55000: ON CONFLICT does not support deferrable unique constraints/exclusion constraints as arbiters

insert into track values (7, 1, 2) on conflict on constraint track_place do nothing;
--> ERROR 55000: ON CONFLICT does not support deferrable unique constraints/exclusion constraints as arbiters

select conname, condeferrable, condeferred, pg_get_constraintdef(oid) as d from pg_constraint where conname = 'track_place';
--> {"conname":"track_place","condeferrable":true,"condeferred":true,"d":"UNIQUE (list, place) DEFERRABLE INITIALLY DEFERRED"}

create table item (id int, constraint item_pk primary key (id) deferrable initially immediate);
--> no rows

insert into item values (1), (2), (3);
--> no rows

update item set id = id + 1;
--> no rows

select id from item order by id;
--> {"id":2}
--> {"id":3}
--> {"id":4}

insert into item values (2);
--> ERROR 23505: duplicate key value violates unique constraint "item_pk"
--> DETAIL: Key (id)=(2) already exists.

begin;
--> no rows

set constraints all deferred;
--> no rows

insert into item values (2);
--> ERROR 23505: duplicate key value violates unique constraint "item_pk"
--> DETAIL: Key (id)=(2) already exists.

update item set id = 10 where ctid = (select max(ctid) from item);
--> no rows

commit;
--> no rows

select id from item order by id;
--> {"id":2}
--> {"id":3}
--> {"id":10}

insert into item values (null);
--> ERROR 23502: null value in column "id" of relation "item" violates not-null constraint
--> DETAIL: Failing row contains (null).

create table refers (id int references item (id));
--> ERROR 55000: cannot use a deferrable unique constraint for referenced table "item"

alter table item add constraint extra unique (id) deferrable;
--> no rows

alter table item drop constraint extra;
--> no rows

create table doubled (a int);
--> no rows

insert into doubled values (1), (1);
--> no rows

alter table doubled add constraint doubled_a unique (a) deferrable initially deferred;
--> ERROR 23505: could not create unique index "doubled_a"
--> DETAIL: Key (a)=(1) is duplicated.

create table parent (id int primary key);
--> no rows

create table child (id int primary key, parent_id int constraint child_fk references parent deferrable initially immediate);
--> no rows

insert into child values (1, 1);
--> ERROR 23503: insert or update on table "child" violates foreign key constraint "child_fk"
--> DETAIL: Key (parent_id)=(1) is not present in table "parent".

begin;
--> no rows

set constraints child_fk deferred;
--> no rows

insert into child values (1, 1);
--> ERROR 23503: insert or update on table "child" violates foreign key constraint "child_fk"
--> DETAIL: Key (parent_id)=(1) is not present in table "parent".

insert into parent values (1);
--> no rows

commit;
--> no rows

select * from child;
--> no rows

begin;
--> no rows

set constraints all deferred;
--> no rows

insert into child values (2, 2);
--> ERROR 23503: insert or update on table "child" violates foreign key constraint "child_fk"
--> DETAIL: Key (parent_id)=(2) is not present in table "parent".

set constraints all immediate;
--> no rows

rollback;
--> no rows

begin;
--> no rows

set constraints all deferred;
--> no rows

insert into child values (2, 2);
--> ERROR 23503: insert or update on table "child" violates foreign key constraint "child_fk"
--> DETAIL: Key (parent_id)=(2) is not present in table "parent".

commit;
--> no rows

select * from child;
--> no rows

set constraints nothing deferred;
--> ERROR 42704: constraint "nothing" does not exist

set constraints child_pkey deferred;
--> ERROR 42809: constraint "child_pkey" is not deferrable

create table late (id int primary key, next int references late deferrable initially deferred);
--> no rows

begin;
--> no rows

insert into late values (1, 2);
--> ERROR 23503: insert or update on table "late" violates foreign key constraint "late_next_fkey"
--> DETAIL: Key (next)=(2) is not present in table "late".

insert into late values (2, 1);
--> ERROR 23503: insert or update on table "late" violates foreign key constraint "late_next_fkey"
--> DETAIL: Key (next)=(1) is not present in table "late".

commit;
--> no rows

select * from late order by id;
--> no rows

create table checked (a int check (a > 0) deferrable);
--> ERROR 42601: misplaced DEFERRABLE clause
--> AT 43

create table excluded_rows (r int4range, exclude using gist (r with &&) deferrable initially deferred);
--> no rows

begin;
--> no rows

insert into excluded_rows values ('[1,5)');
--> no rows

insert into excluded_rows values ('[4,6)');
--> ERROR 23P01: conflicting key value violates exclusion constraint "excluded_rows_r_excl"
--> DETAIL: Key (r)=([4,6)) conflicts with existing key (r)=([1,5)).

update excluded_rows set r = '[7,9)' where r = '[4,6)';
--> no rows

commit;
--> no rows

select * from excluded_rows order by r;
--> {"r":"[1,5)"}
