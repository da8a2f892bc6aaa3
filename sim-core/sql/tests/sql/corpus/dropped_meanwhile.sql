create table a1 (id int primary key, n int);
--> no rows

create table a2 (id int);
--> no rows

create table a3 (id int);
--> no rows

create function dr(n text) returns text language plpgsql as $$ begin execute format('drop table %I', n); return n; end $$;
--> no rows

select dr(tablename) as d from pg_tables where tablename = 'a1';
--> {"d":"a1"}

select count(*) from pg_class where relname = 'a1';
--> {"count":0}

create table a1 (id int);
--> no rows

insert into a1 values (1);
--> no rows

create function drop_all(p text) returns setof text language plpgsql as $$ declare r record; begin for r in select tablename from pg_tables where tablename like p order by 1 loop execute format('drop table if exists %I', r.tablename); return next r.tablename; end loop; end $$;
--> no rows

select * from drop_all('a2');
--> {"drop_all":"a2"}

select dr(v) as d from unnest(array['a1', 'a3']) v;
--> {"d":"a1"}
--> {"d":"a3"}

select tablename from pg_tables where tablename like 'a_' order by 1;
--> no rows

create table b1 (id int);
--> no rows

insert into b1 values (1);
--> no rows

create function try_drop() returns text language plpgsql as $$ begin drop table b1; raise exception 'no'; exception when others then return sqlerrm; end $$;
--> no rows

select try_drop() as t from generate_series(1, 2);
--> {"t":"no"}
--> {"t":"no"}

select * from b1;
--> {"id":1}

create index b1_id on b1 (id);
--> no rows

create function drop_index() returns text language plpgsql as $$ begin drop index b1_id; return 'gone'; end $$;
--> no rows

select drop_index() as d from b1;
--> {"d":"gone"}

select indexname from pg_indexes where tablename = 'b1';
--> no rows

create table names (v text);
--> no rows

insert into names values ('b1');
--> no rows

update names set v = dr('b1') || '!';
--> no rows

select * from names;
--> {"v":"b1!"}

create table parent (id int primary key);
--> no rows

create table child (id int, parent_id int references parent);
--> no rows

create function boom() returns trigger language plpgsql as $$ begin raise exception 'boom'; end $$;
--> no rows

create trigger boom before insert on child for each row execute function boom();
--> no rows

set session_replication_role = replica; insert into child values (1, 99), (2, 98); show session_replication_role;
--> {"session_replication_role":"replica"}

insert into child values (3, 97);
--> ERROR P0001: boom

alter table child enable always trigger boom;
--> no rows

alter table child enable replica trigger boom;
--> no rows

insert into child values (4, 96);
--> ERROR 23503: insert or update on table "child" violates foreign key constraint "child_parent_id_fkey"
--> DETAIL: Key (parent_id)=(96) is not present in table "parent".

insert into parent values (5);
--> no rows

insert into child values (5, 5);
--> no rows

set session_replication_role to 'replica'; insert into child values (6, 5);
--> ERROR P0001: boom

show session_replication_role;
--> {"session_replication_role":"origin"}

select * from child order by id;
--> {"id":1,"parent_id":99}
--> {"id":2,"parent_id":98}
--> {"id":5,"parent_id":5}

select tgname, tgenabled from pg_trigger where tgname = 'boom';
--> {"tgname":"boom","tgenabled":"R"}

alter table child disable trigger user;
--> no rows

insert into child values (7, 5);
--> no rows

select tgname, tgenabled from pg_trigger where tgname = 'boom';
--> {"tgname":"boom","tgenabled":"D"}
