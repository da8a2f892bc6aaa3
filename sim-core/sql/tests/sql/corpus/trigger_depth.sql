-- The number of triggers that are running, under the cascade of a foreign key.

create function ro() returns trigger language plpgsql as $$ begin if tg_op = 'DELETE' and pg_trigger_depth() > 1 then return old; end if; raise exception '% is append-only', tg_table_name; end $$;
--> no rows

create table parent(id int primary key);
--> no rows

create table child(id int primary key, p int references parent on delete cascade);
--> no rows

create trigger ro before update or delete on child for each row execute function ro();
--> no rows

insert into parent values (1);
--> no rows

insert into child values (1,1);
--> no rows

delete from parent;
--> no rows

select count(*) from child;
--> {"count":0}

insert into parent values (1);
--> no rows

insert into child values (1,1);
--> no rows

delete from child;
--> ERROR P0001: child is append-only

create table log(n serial, what text);
--> no rows

create function d() returns trigger language plpgsql as $$ begin insert into log(what) values (concat_ws(' ', tg_name, tg_when, tg_level, tg_op, pg_trigger_depth())); if tg_op = 'DELETE' then return old; end if; return new; end $$;
--> no rows

create table p2(id int primary key);
--> no rows

create table c2(id int primary key, p int default 0 references p2 on delete cascade on update cascade);
--> no rows

create table g2(c int references c2 on delete set null);
--> no rows

create trigger a1 before update or delete on c2 for each row execute function d();
--> no rows

create trigger a2 after update or delete on c2 for each row execute function d();
--> no rows

create trigger a3 before update or delete on c2 for each statement execute function d();
--> no rows

create trigger a4 after update or delete on c2 for each statement execute function d();
--> no rows

create trigger a5 before update or delete on c2 for each row when (pg_trigger_depth() = 0) execute function d();
--> no rows

create trigger a6 after update or delete on c2 for each row when (pg_trigger_depth() = 0) execute function d();
--> no rows

create trigger a7 after update or delete on c2 for each row when (pg_trigger_depth() = 1) execute function d();
--> no rows

create trigger a8 after update or delete on c2 for each statement when (pg_trigger_depth() = 0) execute function d();
--> no rows

create trigger a9 before update or delete on c2 for each statement when (pg_trigger_depth() = 1) execute function d();
--> no rows

create trigger b1 before update or delete on g2 for each row execute function d();
--> no rows

create trigger b2 after update or delete on g2 for each row when (pg_trigger_depth() = 1) execute function d();
--> no rows

create trigger b3 after update or delete on p2 for each row execute function d();
--> no rows

insert into p2 values (1),(2);
--> no rows

insert into c2 values (10,1),(20,2);
--> no rows

insert into g2 values (10),(20);
--> no rows

update p2 set id = 3 where id = 1;
--> no rows

delete from p2 where id = 3;
--> no rows

update c2 set id = 21 where id = 99;
--> no rows

delete from c2;
--> no rows

select n, what from log order by n;
--> {"n":1,"what":"a3 BEFORE STATEMENT UPDATE 2"}
--> {"n":2,"what":"a9 BEFORE STATEMENT UPDATE 2"}
--> {"n":3,"what":"a1 BEFORE ROW UPDATE 2"}
--> {"n":4,"what":"b3 AFTER ROW UPDATE 1"}
--> {"n":5,"what":"a2 AFTER ROW UPDATE 1"}
--> {"n":6,"what":"a7 AFTER ROW UPDATE 1"}
--> {"n":7,"what":"a4 AFTER STATEMENT UPDATE 1"}
--> {"n":8,"what":"a3 BEFORE STATEMENT DELETE 2"}
--> {"n":9,"what":"a9 BEFORE STATEMENT DELETE 2"}
--> {"n":10,"what":"a1 BEFORE ROW DELETE 2"}
--> {"n":11,"what":"b3 AFTER ROW DELETE 1"}
--> {"n":12,"what":"b1 BEFORE ROW UPDATE 2"}
--> {"n":13,"what":"a2 AFTER ROW DELETE 1"}
--> {"n":14,"what":"a7 AFTER ROW DELETE 1"}
--> {"n":15,"what":"a4 AFTER STATEMENT DELETE 1"}
--> {"n":16,"what":"b2 AFTER ROW UPDATE 1"}
--> {"n":17,"what":"a3 BEFORE STATEMENT UPDATE 1"}
--> {"n":18,"what":"a4 AFTER STATEMENT UPDATE 1"}
--> {"n":19,"what":"a8 AFTER STATEMENT UPDATE 1"}
--> {"n":20,"what":"a3 BEFORE STATEMENT DELETE 1"}
--> {"n":21,"what":"a1 BEFORE ROW DELETE 1"}
--> {"n":22,"what":"a5 BEFORE ROW DELETE 1"}
--> {"n":23,"what":"b1 BEFORE ROW UPDATE 2"}
--> {"n":24,"what":"a2 AFTER ROW DELETE 1"}
--> {"n":25,"what":"a6 AFTER ROW DELETE 1"}
--> {"n":26,"what":"a4 AFTER STATEMENT DELETE 1"}
--> {"n":27,"what":"a8 AFTER STATEMENT DELETE 1"}
--> {"n":28,"what":"b2 AFTER ROW UPDATE 1"}
