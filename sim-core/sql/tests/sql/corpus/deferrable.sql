create table track (id int primary key, list int, place int, constraint track_place unique (list, place) deferrable initially deferred);
--> no rows

insert into track values (1, 1, 1), (2, 1, 2), (3, 1, 3), (4, 2, null), (5, 2, null);
--> no rows

begin; update track set place = 2 where id = 1; update track set place = 1 where id = 2; commit;
--> no rows

select id, place from track order by id;
--> {"id":1,"place":2}
--> {"id":2,"place":1}
--> {"id":3,"place":3}
--> {"id":4,"place":null}
--> {"id":5,"place":null}

begin; update track set place = 1 where id = 1; commit;
--> ERROR 23505: duplicate key value violates unique constraint "track_place"
--> DETAIL: Key (list, place)=(1, 1) already exists.

select id, place from track order by id;
--> {"id":1,"place":2}
--> {"id":2,"place":1}
--> {"id":3,"place":3}
--> {"id":4,"place":null}
--> {"id":5,"place":null}

update track set place = place + 1 where list = 1;
--> no rows

select id, place from track order by id;
--> {"id":1,"place":3}
--> {"id":2,"place":2}
--> {"id":3,"place":4}
--> {"id":4,"place":null}
--> {"id":5,"place":null}

insert into track values (6, 1, 2);
--> ERROR 23505: duplicate key value violates unique constraint "track_place"
--> DETAIL: Key (list, place)=(1, 2) already exists.

begin; insert into track values (6, 1, 2); update track set place = 9 where id = 6; commit;
--> no rows

select id, place from track where list = 1 order by id;
--> {"id":1,"place":3}
--> {"id":2,"place":2}
--> {"id":3,"place":4}
--> {"id":6,"place":9}

begin; set constraints track_place immediate; update track set place = 3 where id = 6; rollback;
--> ERROR 23505: duplicate key value violates unique constraint "track_place"
--> DETAIL: Key (list, place)=(1, 3) already exists.

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

begin; set constraints all deferred; insert into item values (2); update item set id = 10 where ctid = (select max(ctid) from item); commit;
--> no rows

select id from item order by id;
--> {"id":2}
--> {"id":3}
--> {"id":4}
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

begin; set constraints child_fk deferred; insert into child values (1, 1); insert into parent values (1); commit;
--> no rows

select * from child;
--> {"id":1,"parent_id":1}

begin; set constraints all deferred; insert into child values (2, 2); set constraints all immediate; rollback;
--> ERROR 23503: insert or update on table "child" violates foreign key constraint "child_fk"
--> DETAIL: Key (parent_id)=(2) is not present in table "parent".

begin; set constraints all deferred; insert into child values (2, 2); commit;
--> ERROR 23503: insert or update on table "child" violates foreign key constraint "child_fk"
--> DETAIL: Key (parent_id)=(2) is not present in table "parent".

select * from child;
--> {"id":1,"parent_id":1}

set constraints nothing deferred;
--> ERROR 42704: constraint "nothing" does not exist

set constraints child_pkey deferred;
--> ERROR 42809: constraint "child_pkey" is not deferrable

create table late (id int primary key, next int references late deferrable initially deferred);
--> no rows

begin; insert into late values (1, 2); insert into late values (2, 1); commit;
--> no rows

select * from late order by id;
--> {"id":1,"next":2}
--> {"id":2,"next":1}

create table checked (a int check (a > 0) deferrable);
--> ERROR 42601: misplaced DEFERRABLE clause
--> AT 43

create table excluded_rows (r int4range, exclude using gist (r with &&) deferrable initially deferred);
--> no rows

begin; insert into excluded_rows values ('[1,5)'); insert into excluded_rows values ('[4,6)'); update excluded_rows set r = '[7,9)' where r = '[4,6)'; commit;
--> no rows

select * from excluded_rows order by r;
--> {"r":"[1,5)"}
--> {"r":"[7,9)"}

begin; set constraints track_place immediate; update track set place = 1 where id = 2;
--> no rows

begin; insert into late values (3, 4); savepoint a; insert into late values (4, 3); commit; select * from late order by id;
--> {"id":1,"next":2}
--> {"id":2,"next":1}
--> {"id":3,"next":4}
--> {"id":4,"next":3}
