-- Triggers of rows that change with the row to which they refer: what they see, and in which order they fire.

create table parent (id int primary key, name text);
--> no rows

create table child (id int primary key, parent_id int references parent on delete cascade on update cascade);
--> no rows

create table seen (n int generated always as identity, what text);
--> no rows

create function see() returns trigger language plpgsql as $$ begin insert into seen (what) values (format('%s %s %s %s: %s parents, %s children', tg_name, tg_when, tg_op, tg_table_name, (select count(*) from parent), (select count(*) from child))); if tg_op = 'DELETE' then return old; end if; return new; end $$;
--> no rows

insert into parent values (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd');
--> no rows

insert into child values (1, 1), (2, 1), (3, 2), (4, 3);
--> no rows

create trigger c_before before delete or update on child for each row execute function see();
--> no rows

create trigger c_after after delete or update on child for each row execute function see();
--> no rows

create trigger c_statement after delete or update on child execute function see();
--> no rows

create trigger c_begin before delete or update on child execute function see();
--> no rows

delete from parent where id = 1;
--> no rows

select what from seen order by n;
--> {"what":"c_begin BEFORE DELETE child: 3 parents, 4 children"}
--> {"what":"c_before BEFORE DELETE child: 3 parents, 4 children"}
--> {"what":"c_before BEFORE DELETE child: 3 parents, 3 children"}
--> {"what":"c_after AFTER DELETE child: 3 parents, 2 children"}
--> {"what":"c_after AFTER DELETE child: 3 parents, 2 children"}
--> {"what":"c_statement AFTER DELETE child: 3 parents, 2 children"}

truncate seen;
--> no rows

create trigger p_before before delete or update on parent for each row execute function see();
--> no rows

create trigger p_after after delete or update on parent for each row execute function see();
--> no rows

create trigger p_statement after delete or update on parent execute function see();
--> no rows

delete from parent where id in (2, 4);
--> no rows

select what from seen order by n;
--> {"what":"p_before BEFORE DELETE parent: 3 parents, 2 children"}
--> {"what":"p_before BEFORE DELETE parent: 2 parents, 2 children"}
--> {"what":"c_begin BEFORE DELETE child: 1 parents, 2 children"}
--> {"what":"c_before BEFORE DELETE child: 1 parents, 2 children"}
--> {"what":"p_after AFTER DELETE parent: 1 parents, 1 children"}
--> {"what":"p_after AFTER DELETE parent: 1 parents, 1 children"}
--> {"what":"p_statement AFTER DELETE parent: 1 parents, 1 children"}
--> {"what":"c_after AFTER DELETE child: 1 parents, 1 children"}
--> {"what":"c_statement AFTER DELETE child: 1 parents, 1 children"}

truncate seen;
--> no rows

update parent set id = 30 where id = 3;
--> no rows

select what from seen order by n;
--> {"what":"p_before BEFORE UPDATE parent: 1 parents, 1 children"}
--> {"what":"c_begin BEFORE UPDATE child: 1 parents, 1 children"}
--> {"what":"c_before BEFORE UPDATE child: 1 parents, 1 children"}
--> {"what":"p_after AFTER UPDATE parent: 1 parents, 1 children"}
--> {"what":"p_statement AFTER UPDATE parent: 1 parents, 1 children"}
--> {"what":"c_after AFTER UPDATE child: 1 parents, 1 children"}
--> {"what":"c_statement AFTER UPDATE child: 1 parents, 1 children"}

update parent set name = 'same key' where id = 30;
--> no rows

select * from child order by id;
--> {"id":4,"parent_id":30}

truncate seen;
--> no rows

create table with_default (id int primary key, parent_id int default 30 references parent on delete set default on update set default);
--> no rows

create trigger d_before before delete or update on with_default for each row execute function see();
--> no rows

create trigger d_after after delete or update on with_default for each row execute function see();
--> no rows

insert into parent values (5, 'e'), (6, 'f');
--> no rows

insert into with_default values (1, 5), (2, 5), (3, 6);
--> no rows

delete from parent where id = 5;
--> no rows

update parent set id = 60 where id = 6;
--> no rows

select * from with_default order by id;
--> {"id":1,"parent_id":30}
--> {"id":2,"parent_id":30}
--> {"id":3,"parent_id":30}

select what from seen order by n;
--> {"what":"p_before BEFORE DELETE parent: 3 parents, 1 children"}
--> {"what":"c_begin BEFORE DELETE child: 2 parents, 1 children"}
--> {"what":"d_before BEFORE UPDATE with_default: 2 parents, 1 children"}
--> {"what":"d_before BEFORE UPDATE with_default: 2 parents, 1 children"}
--> {"what":"p_after AFTER DELETE parent: 2 parents, 1 children"}
--> {"what":"p_statement AFTER DELETE parent: 2 parents, 1 children"}
--> {"what":"c_statement AFTER DELETE child: 2 parents, 1 children"}
--> {"what":"d_after AFTER UPDATE with_default: 2 parents, 1 children"}
--> {"what":"d_after AFTER UPDATE with_default: 2 parents, 1 children"}
--> {"what":"p_before BEFORE UPDATE parent: 2 parents, 1 children"}
--> {"what":"c_begin BEFORE UPDATE child: 2 parents, 1 children"}
--> {"what":"d_before BEFORE UPDATE with_default: 2 parents, 1 children"}
--> {"what":"p_after AFTER UPDATE parent: 2 parents, 1 children"}
--> {"what":"p_statement AFTER UPDATE parent: 2 parents, 1 children"}
--> {"what":"c_statement AFTER UPDATE child: 2 parents, 1 children"}
--> {"what":"d_after AFTER UPDATE with_default: 2 parents, 1 children"}

delete from parent where id = 30;
--> ERROR 23503: update or delete on table "parent" violates foreign key constraint "with_default_parent_id_fkey" on table "with_default"
--> DETAIL: Key (id)=(30) is still referenced from table "with_default".

select * from with_default order by id;
--> {"id":1,"parent_id":30}
--> {"id":2,"parent_id":30}
--> {"id":3,"parent_id":30}

create table with_null (id int primary key, a int, b int, foreign key (a) references parent on delete set null on update set null);
--> no rows

create trigger n_after after update on with_null for each row execute function see();
--> no rows

insert into parent values (7, 'g'), (8, 'h');
--> no rows

insert into with_null values (1, 7, 7), (2, 8, 8);
--> no rows

truncate seen;
--> no rows

delete from parent where id = 7;
--> no rows

update parent set id = 80 where id = 8;
--> no rows

select * from with_null order by id;
--> {"id":1,"a":null,"b":7}
--> {"id":2,"a":null,"b":8}

select what from seen where what like 'n_after%' order by n;
--> {"what":"n_after AFTER UPDATE with_null: 3 parents, 1 children"}
--> {"what":"n_after AFTER UPDATE with_null: 3 parents, 1 children"}

create function keep() returns trigger language plpgsql as $$ begin return null; end $$;
--> no rows

create table kept (id int primary key, parent_id int references parent on delete cascade);
--> no rows

create trigger k before delete on kept for each row execute function keep();
--> no rows

insert into parent values (9, 'i');
--> no rows

insert into kept values (1, 9);
--> no rows

delete from parent where id = 9;
--> no rows

select * from kept;
--> {"id":1,"parent_id":9}

create table tree (id int primary key, above int references tree on delete cascade);
--> no rows

insert into tree values (1, null), (2, 1), (3, 2), (4, 3), (5, 1);
--> no rows

create function log_tree() returns trigger language plpgsql as $$ begin insert into seen (what) values (format('%s %s of %s', tg_when, old.id, (select count(*) from tree))); return old; end $$;
--> no rows

create trigger t_before before delete on tree for each row execute function log_tree();
--> no rows

create trigger t_after after delete on tree for each row execute function log_tree();
--> no rows

truncate seen;
--> no rows

delete from tree where id = 1;
--> no rows

select what from seen order by n;
--> {"what":"BEFORE 1 of 5"}
--> {"what":"BEFORE 2 of 4"}
--> {"what":"BEFORE 5 of 3"}
--> {"what":"AFTER 1 of 2"}
--> {"what":"BEFORE 3 of 2"}
--> {"what":"AFTER 2 of 1"}
--> {"what":"AFTER 5 of 1"}
--> {"what":"BEFORE 4 of 1"}
--> {"what":"AFTER 3 of 0"}
--> {"what":"AFTER 4 of 0"}

create table top (id int primary key);
--> no rows

create table middle (id int primary key references top on delete cascade);
--> no rows

create table bottom (id int primary key references middle on delete cascade);
--> no rows

create function log_gone() returns trigger language plpgsql as $$ begin insert into seen (what) select format('%s: %s', tg_table_name, string_agg(id::text, ',' order by id)) from gone; return null; end $$;
--> no rows

create trigger b after delete on bottom referencing old table as gone for each statement execute function log_gone();
--> no rows

create trigger t after delete on top referencing old table as gone for each statement execute function log_gone();
--> no rows

insert into top values (1), (2), (3);
--> no rows

insert into middle values (1), (2);
--> no rows

insert into bottom values (1), (2);
--> no rows

truncate seen;
--> no rows

delete from top where id < 3;
--> no rows

select what from seen order by n;
--> {"what":"top: 1,2"}
--> {"what":"bottom: 1,2"}

select count(*) from bottom;
--> {"count":0}

create table strict (id int references top);
--> no rows

insert into strict values (3);
--> no rows

delete from top where id = 3;
--> ERROR 23503: update or delete on table "top" violates foreign key constraint "strict_id_fkey" on table "strict"
--> DETAIL: Key (id)=(3) is still referenced from table "strict".

create table fine (id int primary key, parent_id int default 999 references parent on delete set default);
--> no rows

create trigger f after update on fine for each row execute function see();
--> no rows

insert into parent values (11, 'k');
--> no rows

insert into fine values (1, 11);
--> no rows

delete from parent where id = 11;
--> ERROR 23503: insert or update on table "fine" violates foreign key constraint "fine_parent_id_fkey"
--> DETAIL: Key (parent_id)=(999) is not present in table "parent".

select * from fine;
--> {"id":1,"parent_id":11}
