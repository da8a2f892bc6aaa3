-- Foreign keys of partitions: of one alone, of the whole table, of tables that are attached and detached, and to a partition.

create table queue (name text primary key, note text);
--> no rows

create table job (id int, name text not null, dead text, primary key (name, id)) partition by list (name);
--> no rows

create table job_a partition of job for values in ('a');
--> no rows

create table job_b (dead text, id int not null, name text not null);
--> no rows

insert into queue values ('a'), ('b'), ('d');
--> no rows

alter table job_a add constraint a_queue foreign key (name) references queue (name) on delete restrict deferrable initially deferred;
--> no rows

alter table job_a add foreign key (dead) references queue on delete cascade;
--> no rows

select conname, conrelid::regclass::text, pg_get_constraintdef(oid) from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2;
--> {"conname":"a_queue","conrelid":"job_a","pg_get_constraintdef":"FOREIGN KEY (name) REFERENCES queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED"}
--> {"conname":"job_a_dead_fkey","conrelid":"job_a","pg_get_constraintdef":"FOREIGN KEY (dead) REFERENCES queue(name) ON DELETE CASCADE"}

insert into job values (1, 'a', 'd'), (2, 'a', null);
--> no rows

insert into job values (3, 'a', 'x');
--> ERROR 23503: insert or update on table "job_a" violates foreign key constraint "job_a_dead_fkey"
--> DETAIL: Key (dead)=(x) is not present in table "queue".

insert into job_a values (3, 'a', 'x');
--> ERROR 23503: insert or update on table "job_a" violates foreign key constraint "job_a_dead_fkey"
--> DETAIL: Key (dead)=(x) is not present in table "queue".

update job set dead = 'y' where id = 1;
--> ERROR 23503: insert or update on table "job_a" violates foreign key constraint "job_a_dead_fkey"
--> DETAIL: Key (dead)=(y) is not present in table "queue".

delete from queue where name = 'a';
--> ERROR 23503: update or delete on table "queue" violates foreign key constraint "a_queue" on table "job_a"
--> DETAIL: Key (name)=(a) is still referenced from table "job_a".

delete from queue where name = 'd';
--> no rows

select * from job order by id;
--> {"id":2,"name":"a","dead":null}

alter table job_a drop constraint job_a_dead_fkey;
--> no rows

insert into job values (4, 'a', 'anything') returning id;
--> {"id":4}

alter table job_a add foreign key (dead) references queue;
--> ERROR 23503: insert or update on table "job_a" violates foreign key constraint "job_a_dead_fkey"
--> DETAIL: Key (dead)=(anything) is not present in table "queue".

alter table job_a add constraint later foreign key (dead) references queue not valid;
--> no rows

insert into job values (5, 'a', 'nothing');
--> ERROR 23503: insert or update on table "job_a" violates foreign key constraint "later"
--> DETAIL: Key (dead)=(nothing) is not present in table "queue".

alter table job_a validate constraint later;
--> ERROR 23503: insert or update on table "job_a" violates foreign key constraint "later"
--> DETAIL: Key (dead)=(anything) is not present in table "queue".

update job set dead = null where id = 4;
--> no rows

alter table job_a validate constraint later;
--> no rows

alter table job_b add primary key (name, id);
--> no rows

alter table job_b add constraint b_queue foreign key (name) references queue (name) on update cascade;
--> no rows

insert into job_b values (null, 1, 'b');
--> no rows

alter table job attach partition job_b for values in ('b', 'bb');
--> no rows

select * from job order by name, id;
--> {"id":2,"name":"a","dead":null}
--> {"id":4,"name":"a","dead":null}
--> {"id":1,"name":"b","dead":null}

select * from job_b;
--> {"dead":null,"id":1,"name":"b"}

insert into job values (2, 'bb', null);
--> ERROR 23503: insert or update on table "job_b" violates foreign key constraint "b_queue"
--> DETAIL: Key (name)=(bb) is not present in table "queue".

update queue set name = 'bb' where name = 'b';
--> no rows

select * from job order by name, id;
--> {"id":2,"name":"a","dead":null}
--> {"id":4,"name":"a","dead":null}
--> {"id":1,"name":"bb","dead":null}

delete from queue where name = 'bb';
--> ERROR 23503: update or delete on table "queue" violates foreign key constraint "b_queue" on table "job_b"
--> DETAIL: Key (name)=(bb) is still referenced from table "job_b".

update job set name = 'b' where name = 'bb';
--> ERROR 23503: insert or update on table "job_b" violates foreign key constraint "b_queue"
--> DETAIL: Key (name)=(b) is not present in table "queue".

update job set name = 'a', id = 7 where name = 'bb';
--> no rows

update job set name = 'b', id = 7 where name = 'a' and id = 2;
--> ERROR 23503: insert or update on table "job_b" violates foreign key constraint "b_queue"
--> DETAIL: Key (name)=(b) is not present in table "queue".

alter table job add constraint dead_queue foreign key (dead) references queue (name) on delete set null;
--> no rows

select conname, conrelid::regclass::text, (select conname from pg_constraint p where p.oid = c.conparentid) as part_of, conislocal, coninhcount from pg_constraint c where contype = 'f' and connamespace = 'public'::regnamespace order by 2, 1;
--> {"conname":"dead_queue","conrelid":"job","part_of":null,"conislocal":true,"coninhcount":0}
--> {"conname":"a_queue","conrelid":"job_a","part_of":null,"conislocal":true,"coninhcount":0}
--> {"conname":"dead_queue","conrelid":"job_a","part_of":"dead_queue","conislocal":false,"coninhcount":1}
--> {"conname":"later","conrelid":"job_a","part_of":null,"conislocal":true,"coninhcount":0}
--> {"conname":"b_queue","conrelid":"job_b","part_of":null,"conislocal":true,"coninhcount":0}
--> {"conname":"dead_queue","conrelid":"job_b","part_of":"dead_queue","conislocal":false,"coninhcount":1}

alter table job_b drop constraint dead_queue;
--> ERROR 42P16: cannot drop inherited constraint "dead_queue" of relation "job_b"

insert into queue values ('e');
--> no rows

insert into job values (8, 'bb', 'e');
--> no rows

insert into job values (9, 'bb', 'f');
--> ERROR 23503: insert or update on table "job_b" violates foreign key constraint "dead_queue"
--> DETAIL: Key (dead)=(f) is not present in table "queue".

delete from queue where name = 'e';
--> no rows

select * from job order by name, id;
--> {"id":2,"name":"a","dead":null}
--> {"id":4,"name":"a","dead":null}
--> {"id":7,"name":"a","dead":null}
--> {"id":8,"name":"bb","dead":null}

create table job_c (id int not null, name text not null, dead text, foreign key (dead) references queue (name) on delete set null);
--> no rows

insert into job_c values (1, 'c', 'z');
--> ERROR 23503: insert or update on table "job_c" violates foreign key constraint "job_c_dead_fkey"
--> DETAIL: Key (dead)=(z) is not present in table "queue".

insert into job_c values (1, 'c', null);
--> no rows

alter table job attach partition job_c for values in ('c');
--> no rows

select conname, (select conname from pg_constraint p where p.oid = c.conparentid) as part_of from pg_constraint c where conrelid = 'job_c'::regclass order by 1;
--> {"conname":"job_c_dead_fkey","part_of":"dead_queue"}
--> {"conname":"job_c_pkey","part_of":"job_pkey"}

create table job_d (id int not null, name text not null, dead text);
--> no rows

insert into job_d values (1, 'd', 'none');
--> no rows

alter table job attach partition job_d for values in ('d');
--> ERROR 23503: insert or update on table "job_d" violates foreign key constraint "dead_queue"
--> DETAIL: Key (dead)=(none) is not present in table "queue".

update job_d set dead = null;
--> no rows

create table dead_queue_is_taken (n int);
--> no rows

alter table job_d add constraint dead_queue check (id > 0);
--> no rows

alter table job attach partition job_d for values in ('d');
--> no rows

select conname, contype, pg_get_constraintdef(oid) from pg_constraint where conrelid = 'job_d'::regclass order by 1;
--> {"conname":"dead_queue","contype":"c","pg_get_constraintdef":"CHECK ((id > 0))"}
--> {"conname":"job_d_dead_fkey","contype":"f","pg_get_constraintdef":"FOREIGN KEY (dead) REFERENCES queue(name) ON DELETE SET NULL"}
--> {"conname":"job_d_pkey","contype":"p","pg_get_constraintdef":"PRIMARY KEY (name, id)"}

alter table job detach partition job_d;
--> no rows

select conname, contype, conparentid from pg_constraint where conrelid = 'job_d'::regclass order by 1;
--> {"conname":"dead_queue","contype":"c","conparentid":0}
--> {"conname":"job_d_dead_fkey","contype":"f","conparentid":0}
--> {"conname":"job_d_pkey","contype":"p","conparentid":0}

insert into job_d values (2, 'd', 'none');
--> ERROR 23503: insert or update on table "job_d" violates foreign key constraint "job_d_dead_fkey"
--> DETAIL: Key (dead)=(none) is not present in table "queue".

insert into job_d values (2, 'elsewhere', null);
--> no rows

alter table job detach partition job_b;
--> no rows

insert into job_b values ('none', 9, 'bb');
--> ERROR 23503: insert or update on table "job_b" violates foreign key constraint "dead_queue"
--> DETAIL: Key (dead)=(none) is not present in table "queue".

insert into job_b values (null, 9, 'none');
--> ERROR 23503: insert or update on table "job_b" violates foreign key constraint "b_queue"
--> DETAIL: Key (name)=(none) is not present in table "queue".

alter table job drop constraint dead_queue;
--> no rows

select conname, conrelid::regclass::text from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 2, 1;
--> {"conname":"a_queue","conrelid":"job_a"}
--> {"conname":"later","conrelid":"job_a"}
--> {"conname":"b_queue","conrelid":"job_b"}
--> {"conname":"dead_queue","conrelid":"job_b"}
--> {"conname":"job_d_dead_fkey","conrelid":"job_d"}

insert into job values (9, 'c', 'none');
--> no rows

alter table only job add foreign key (dead) references queue;
--> ERROR 42809: cannot use ONLY for foreign key on partitioned table "job" referencing relation "queue"

drop table queue;
--> ERROR 2BP01: cannot drop table queue because other objects depend on it
--> DETAIL: constraint a_queue on table job_a depends on table queue\nconstraint later on table job_a depends on table queue\nconstraint b_queue on table job_b depends on table queue\nconstraint dead_queue on table job_b depends on table queue\nconstraint job_d_dead_fkey on table job_d depends on table queue
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop table queue cascade;
--> no rows

select conname, conrelid::regclass::text from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 2, 1;
--> no rows

insert into job values (10, 'a', 'none') returning id;
--> {"id":10}

create table target (id int primary key, t text) partition by range (id);
--> no rows

create table target_1 partition of target for values from (0) to (10);
--> no rows

create table target_2 partition of target for values from (10) to (20);
--> no rows

create table source (n int, target int references target_1);
--> no rows

insert into target values (1), (2), (11);
--> no rows

insert into source values (1, 1), (2, null);
--> no rows

insert into source values (3, 11);
--> ERROR 23503: insert or update on table "source" violates foreign key constraint "source_target_fkey"
--> DETAIL: Key (target)=(11) is not present in table "target_1".

delete from target where id = 2 returning id;
--> {"id":2}

delete from target where id = 1;
--> ERROR 23503: update or delete on table "target_1" violates foreign key constraint "source_target_fkey" on table "source"
--> DETAIL: Key (id)=(1) is still referenced from table "source".

delete from target_1 where id = 1;
--> ERROR 23503: update or delete on table "target_1" violates foreign key constraint "source_target_fkey" on table "source"
--> DETAIL: Key (id)=(1) is still referenced from table "source".

update target set id = 3 where id = 1;
--> ERROR 23503: update or delete on table "target_1" violates foreign key constraint "source_target_fkey" on table "source"
--> DETAIL: Key (id)=(1) is still referenced from table "source".

update target set id = 12 where id = 1;
--> ERROR 23503: update or delete on table "target_1" violates foreign key constraint "source_target_fkey" on table "source"
--> DETAIL: Key (id)=(1) is still referenced from table "source".

update target set t = 'x' where id = 1 returning t;
--> {"t":"x"}

truncate target;
--> ERROR 0A000: cannot truncate a table referenced in a foreign key constraint
--> DETAIL: Table "source" references "target_1".
--> HINT: Truncate table "source" at the same time, or use TRUNCATE ... CASCADE.

drop table target_1;
--> ERROR 2BP01: cannot drop table target_1 because other objects depend on it
--> DETAIL: constraint source_target_fkey on table source depends on table target_1
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

delete from source;
--> no rows

update target set id = 12 where id = 1 returning id;
--> {"id":12}

select conname, confrelid::regclass::text from pg_constraint where conrelid = 'source'::regclass;
--> {"conname":"source_target_fkey","confrelid":"target_1"}

create table self (id int, above int, k text, primary key (k, id)) partition by list (k);
--> no rows

create table self_a partition of self for values in ('a');
--> no rows

alter table self_a add constraint self_a_key unique (id);
--> no rows

alter table self_a add foreign key (above) references self_a (id);
--> no rows

insert into self values (1, null, 'a'), (2, 1, 'a');
--> no rows

insert into self values (3, 9, 'a');
--> ERROR 23503: insert or update on table "self_a" violates foreign key constraint "self_a_above_fkey"
--> DETAIL: Key (above)=(9) is not present in table "self_a".

delete from self where id = 1;
--> ERROR 23503: update or delete on table "self_a" violates foreign key constraint "self_a_above_fkey" on table "self_a"
--> DETAIL: Key (id)=(1) is still referenced from table "self_a".

delete from self;
--> no rows

create table seen (what text);
--> no rows

create function see() returns trigger language plpgsql as $$ begin insert into seen values (tg_op || ' ' || tg_table_name || ' ' || tg_level); return coalesce(new, old); end $$;
--> no rows

create table owner (id int primary key);
--> no rows

create table thing (id int, k text, owner int) partition by list (k);
--> no rows

create table thing_a partition of thing for values in ('a');
--> no rows

create table thing_b partition of thing default;
--> no rows

alter table thing_a add foreign key (owner) references owner on delete cascade on update cascade;
--> no rows

alter table thing_b add foreign key (owner) references owner on delete set null;
--> no rows

create trigger t after delete or update on thing for each row execute function see();
--> no rows

create trigger s after delete or update on thing_a for each statement execute function see();
--> no rows

insert into owner values (1), (2), (3);
--> no rows

insert into thing values (1, 'a', 1), (2, 'a', 2), (3, 'b', 1), (4, 'c', 3);
--> no rows

delete from owner where id = 1;
--> no rows

select * from seen;
--> {"what":"DELETE thing_a ROW"}
--> {"what":"DELETE thing_a STATEMENT"}
--> {"what":"UPDATE thing_b ROW"}

select * from thing order by id;
--> {"id":2,"k":"a","owner":2}
--> {"id":3,"k":"b","owner":null}
--> {"id":4,"k":"c","owner":3}

update owner set id = 5 where id = 2;
--> no rows

select * from thing order by id;
--> {"id":2,"k":"a","owner":5}
--> {"id":3,"k":"b","owner":null}
--> {"id":4,"k":"c","owner":3}

create table thing_c partition of thing for values in ('d');
--> no rows

insert into thing values (6, 'd', 77), (7, 'e', 3);
--> no rows

insert into thing values (8, 'e', 77);
--> ERROR 23503: insert or update on table "thing_b" violates foreign key constraint "thing_b_owner_fkey"
--> DETAIL: Key (owner)=(77) is not present in table "owner".

create table whole (id int, k int, primary key (id, k)) partition by list (k);
--> no rows

create table whole_1 partition of whole for values in (1);
--> no rows

create table whole_2 partition of whole for values in (2);
--> no rows

create table of_whole (id int, k int, foreign key (id, k) references whole on delete cascade);
--> no rows

insert into whole values (1, 1), (2, 2);
--> no rows

insert into of_whole values (1, 1);
--> no rows

drop table whole_1;
--> ERROR 2BP01: cannot drop table whole_1 because other objects depend on it
--> DETAIL: constraint of_whole_id_k_fkey on table of_whole depends on table whole_1
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

select * from of_whole;
--> {"id":1,"k":1}

alter table whole detach partition whole_2;
--> no rows

select * from whole;
--> {"id":1,"k":1}

drop table whole;
--> ERROR 2BP01: cannot drop table whole because other objects depend on it
--> DETAIL: constraint of_whole_id_k_fkey on table of_whole depends on table whole
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop table whole cascade;
--> no rows

select count(*) from pg_constraint where conrelid = 'of_whole'::regclass;
--> {"count":0}
