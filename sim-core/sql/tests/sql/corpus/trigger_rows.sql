-- Triggers that change the row that is about to change.

create table item (id int primary key, n int, note text);
--> no rows

create table log (id serial primary key, what text);
--> no rows

insert into item values (1, 10, 'a'), (2, 20, 'b'), (3, 30, 'c');
--> no rows

create function bump_self() returns trigger language plpgsql as $$ begin update item set n = n + 1 where id = old.id; return new; end $$;
--> no rows

create trigger t1 before update on item for each row execute function bump_self();
--> no rows

create or replace function bump_self() returns trigger language plpgsql as $$ begin if pg_trigger_depth() = 1 then update item set n = n + 1 where id = old.id; end if; return new; end $$;
--> no rows

update item set note = 'x' where id = 1;
--> ERROR 27000: tuple to be updated was already modified by an operation triggered by the current command
--> HINT: Consider using an AFTER trigger instead of a BEFORE trigger to propagate changes to other rows.

select * from item order by id;
--> {"id":1,"n":10,"note":"a"}
--> {"id":2,"n":20,"note":"b"}
--> {"id":3,"n":30,"note":"c"}

create or replace function bump_self() returns trigger language plpgsql as $$ begin if pg_trigger_depth() = 1 then update item set n = n + 1 where id = old.id; end if; return null; end $$;
--> no rows

update item set note = 'y' where id = 1;
--> no rows

select * from item order by id;
--> {"id":1,"n":10,"note":"a"}
--> {"id":2,"n":20,"note":"b"}
--> {"id":3,"n":30,"note":"c"}

create or replace function bump_self() returns trigger language plpgsql as $$ begin if pg_trigger_depth() = 1 then delete from item where id = old.id; end if; return new; end $$;
--> no rows

update item set note = 'z' where id = 1;
--> ERROR 27000: tuple to be updated was already modified by an operation triggered by the current command
--> HINT: Consider using an AFTER trigger instead of a BEFORE trigger to propagate changes to other rows.

select * from item order by id;
--> {"id":1,"n":10,"note":"a"}
--> {"id":2,"n":20,"note":"b"}
--> {"id":3,"n":30,"note":"c"}

drop trigger t1 on item;
--> no rows

create function on_delete() returns trigger language plpgsql as $$ begin update item set n = 0 where id = old.id; return old; end $$;
--> no rows

create trigger t2 before delete on item for each row execute function on_delete();
--> no rows

delete from item where id = 2;
--> ERROR 27000: tuple to be deleted was already modified by an operation triggered by the current command
--> HINT: Consider using an AFTER trigger instead of a BEFORE trigger to propagate changes to other rows.

select * from item order by id;
--> {"id":1,"n":10,"note":"a"}
--> {"id":2,"n":20,"note":"b"}
--> {"id":3,"n":30,"note":"c"}

create or replace function on_delete() returns trigger language plpgsql as $$ begin update item set n = 0 where id = old.id; return null; end $$;
--> no rows

delete from item where id = 2;
--> no rows

select * from item order by id;
--> {"id":1,"n":10,"note":"a"}
--> {"id":2,"n":0,"note":"b"}
--> {"id":3,"n":30,"note":"c"}

create or replace function on_delete() returns trigger language plpgsql as $$ begin if pg_trigger_depth() = 1 then delete from item where id = old.id; end if; return old; end $$;
--> no rows

delete from item where id = 2;
--> ERROR 27000: tuple to be deleted was already modified by an operation triggered by the current command
--> HINT: Consider using an AFTER trigger instead of a BEFORE trigger to propagate changes to other rows.

select * from item order by id;
--> {"id":1,"n":10,"note":"a"}
--> {"id":2,"n":0,"note":"b"}
--> {"id":3,"n":30,"note":"c"}

create or replace function on_delete() returns trigger language plpgsql as $$ begin if pg_trigger_depth() = 1 then update item set n = 99 where id <> old.id; end if; return old; end $$;
--> no rows

delete from item where id = 3;
--> no rows

delete from item where id in (2, 3);
--> no rows

select * from item order by id;
--> {"id":1,"n":99,"note":"a"}

drop trigger t2 on item;
--> no rows

create function others() returns trigger language plpgsql as $$ begin if pg_trigger_depth() = 1 then update item set n = n + 100 where id <> new.id; end if; return new; end $$;
--> no rows

create trigger t3 before update on item for each row execute function others();
--> no rows

insert into item values (5, 50, 'e'), (6, 60, 'f');
--> no rows

update item set note = 'all';
--> ERROR 27000: tuple to be updated was already modified by an operation triggered by the current command
--> HINT: Consider using an AFTER trigger instead of a BEFORE trigger to propagate changes to other rows.

update item set note = 'one' where id = 6;
--> no rows

select * from item order by id;
--> {"id":1,"n":199,"note":"a"}
--> {"id":5,"n":150,"note":"e"}
--> {"id":6,"n":60,"note":"one"}

drop trigger t3 on item;
--> no rows

create trigger t3 after update on item for each row execute function others();
--> no rows

update item set note = 'after';
--> no rows

select * from item order by id;
--> {"id":1,"n":399,"note":"after"}
--> {"id":5,"n":350,"note":"after"}
--> {"id":6,"n":260,"note":"after"}

drop trigger t3 on item;
--> no rows

create function del_others() returns trigger language plpgsql as $$ begin delete from item where id > old.id; return new; end $$;
--> no rows

create trigger t4 before update on item for each row execute function del_others();
--> no rows

update item set note = 'gone' where id >= 5;
--> ERROR 27000: tuple to be updated was already modified by an operation triggered by the current command
--> HINT: Consider using an AFTER trigger instead of a BEFORE trigger to propagate changes to other rows.

select * from item order by id;
--> {"id":1,"n":399,"note":"after"}
--> {"id":5,"n":350,"note":"after"}
--> {"id":6,"n":260,"note":"after"}

insert into item values (7, 70, 'g') on conflict (id) do update set note = 'upsert';
--> no rows

create or replace function del_others() returns trigger language plpgsql as $$ begin if pg_trigger_depth() = 1 then update item set n = n + 1 where id = old.id; end if; return new; end $$;
--> no rows

insert into item values (7, 71, 'h') on conflict (id) do update set note = 'upsert';
--> ERROR 27000: tuple to be updated was already modified by an operation triggered by the current command
--> HINT: Consider using an AFTER trigger instead of a BEFORE trigger to propagate changes to other rows.

select * from item order by id;
--> {"id":1,"n":399,"note":"after"}
--> {"id":5,"n":350,"note":"after"}
--> {"id":6,"n":260,"note":"after"}
--> {"id":7,"n":70,"note":"g"}

do $$ begin update item set note = 'k' where id = 7; exception when triggered_data_change_violation then raise notice 'caught %', sqlstate; insert into log (what) values (sqlerrm); end $$;
--> no rows

select what from log;
--> {"what":"tuple to be updated was already modified by an operation triggered by the current command"}

create table parent (id int primary key, children int not null default 0);
--> no rows

create table child (id int primary key, parent int references parent on delete cascade);
--> no rows

create function count_children() returns trigger language plpgsql as $$ begin update parent set children = (select count(*) from child where parent = coalesce(new.parent, old.parent)) where id = coalesce(new.parent, old.parent); return null; end $$;
--> no rows

create trigger t5 after insert or delete on child for each row execute function count_children();
--> no rows

insert into parent values (1), (2);
--> no rows

insert into child values (1, 1), (2, 1), (3, 2);
--> no rows

select * from parent order by id;
--> {"id":1,"children":2}
--> {"id":2,"children":1}

delete from parent where id = 1;
--> no rows

select * from parent order by id;
--> {"id":2,"children":1}

create function clear_children() returns trigger language plpgsql as $$ begin delete from child where parent = old.id; return old; end $$;
--> no rows

create trigger t6 before delete on parent for each row execute function clear_children();
--> no rows

delete from parent where id = 2;
--> ERROR 27000: tuple to be deleted was already modified by an operation triggered by the current command
--> HINT: Consider using an AFTER trigger instead of a BEFORE trigger to propagate changes to other rows.

select * from parent order by id;
--> {"id":2,"children":1}

drop trigger t5 on child;
--> no rows

drop trigger t6 on parent;
--> no rows

create trigger t5 before insert or delete on child for each row execute function count_children();
--> no rows

insert into parent values (4);
--> no rows

insert into child values (9, 4);
--> no rows

select * from child order by id;
--> {"id":3,"parent":2}

merge into item using (values (7, 'm')) v(id, note) on item.id = v.id when matched then update set note = v.note;
--> ERROR 27000: tuple to be updated or deleted was already modified by an operation triggered by the current command
--> HINT: Consider using an AFTER trigger instead of a BEFORE trigger to propagate changes to other rows.

merge into item using (values (7, 'm')) v(id, note) on item.id = v.id when matched then delete;
--> no rows

select * from item order by id;
--> {"id":1,"n":399,"note":"after"}
--> {"id":5,"n":350,"note":"after"}
--> {"id":6,"n":260,"note":"after"}

create table tree (id int primary key, parent int, depth int default 0);
--> no rows

insert into tree values (1, null, 0), (2, 1, 1), (3, 2, 2);
--> no rows

create function move_below() returns trigger language plpgsql as $$ begin if new.parent is distinct from old.parent then update tree set depth = new.depth + 1 where parent = new.id; end if; return new; end $$;
--> no rows

create trigger t7 before update on tree for each row execute function move_below();
--> no rows

update tree set parent = null, depth = 0 where id = 2;
--> no rows

update tree set parent = null, depth = 7;
--> no rows

select * from tree order by id;
--> {"id":1,"parent":null,"depth":7}
--> {"id":2,"parent":null,"depth":7}
--> {"id":3,"parent":null,"depth":7}

create function audit_self() returns trigger language plpgsql as $$ begin update tree set depth = depth + 1 where id = new.id and pg_trigger_depth() < 2; return new; end $$;
--> no rows

drop trigger t7 on tree;
--> no rows

create trigger t8 after update on tree for each row execute function audit_self();
--> no rows

update tree set depth = 20 where id = 1;
--> no rows

select * from tree order by id;
--> {"id":1,"parent":null,"depth":21}
--> {"id":2,"parent":null,"depth":7}
--> {"id":3,"parent":null,"depth":7}
