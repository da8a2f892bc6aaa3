-- Foreign keys and what they do.

create table author (id int primary key, name text not null);
--> no rows

create table book (
    id int primary key,
    author_id int not null references author,
    editor_id int references author (id) on delete set null,
    title text
);
--> no rows

insert into author values (1, 'ann'), (2, 'bob'), (3, 'cid');
--> no rows

insert into book values (10, 1, 2, 'first'), (11, 1, null, 'second');
--> no rows

insert into book values (12, 9, null, 'orphan');
--> ERROR 23503: insert or update on table "book" violates foreign key constraint "book_author_id_fkey"
--> DETAIL: Key (author_id)=(9) is not present in table "author".

insert into book values (12, null, null, 'orphan');
--> ERROR 23502: null value in column "author_id" of relation "book" violates not-null constraint
--> DETAIL: Failing row contains (12, null, null, orphan).

delete from author where id = 1;
--> ERROR 23503: update or delete on table "author" violates foreign key constraint "book_author_id_fkey" on table "book"
--> DETAIL: Key (id)=(1) is still referenced from table "book".

delete from author where id = 2;
--> no rows

select id, editor_id from book order by id;
--> {"id":10,"editor_id":null}
--> {"id":11,"editor_id":null}

update author set id = 7 where id = 1;
--> ERROR 23503: update or delete on table "author" violates foreign key constraint "book_author_id_fkey" on table "book"
--> DETAIL: Key (id)=(1) is still referenced from table "book".

update book set author_id = 99 where id = 10;
--> ERROR 23503: insert or update on table "book" violates foreign key constraint "book_author_id_fkey"
--> DETAIL: Key (author_id)=(99) is not present in table "author".

drop table author;
--> ERROR 2BP01: cannot drop table author because other objects depend on it
--> DETAIL: constraint book_author_id_fkey on table book depends on table author\nconstraint book_editor_id_fkey on table book depends on table author
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop table author cascade;
--> no rows

insert into book values (12, 99, null, 'free now') returning id;
--> {"id":12}

create table team (id int primary key, slug text unique);
--> no rows

create table member (team_id int references team on delete cascade on update cascade, user_id int, primary key (team_id, user_id));
--> no rows

create table note (id int primary key, team_slug text references team (slug) on update cascade on delete set default default 'none', body text);
--> no rows

insert into team values (1, 'red'), (2, 'blue'), (3, 'none');
--> no rows

insert into member values (1, 100), (1, 101), (2, 100);
--> no rows

insert into note values (1, 'red', 'x'), (2, null, 'y');
--> no rows

update team set id = 5, slug = 'crimson' where id = 1;
--> no rows

select * from member order by team_id, user_id;
--> {"team_id":2,"user_id":100}
--> {"team_id":5,"user_id":100}
--> {"team_id":5,"user_id":101}

select id, team_slug from note order by id;
--> {"id":1,"team_slug":"crimson"}
--> {"id":2,"team_slug":null}

delete from team where id = 5 returning slug;
--> {"slug":"crimson"}

select count(*) from member;
--> {"count":1}

select team_slug from note where id = 1;
--> {"team_slug":"none"}

create table parent (a int, b int, primary key (a, b));
--> no rows

create table child (id int, a int, b int, constraint child_of_parent foreign key (a, b) references parent (a, b) on delete restrict);
--> no rows

insert into parent values (1, 2);
--> no rows

insert into child values (1, 1, 2), (2, 1, null), (3, null, null);
--> no rows

insert into child values (4, 1, 3);
--> ERROR 23503: insert or update on table "child" violates foreign key constraint "child_of_parent"
--> DETAIL: Key (a, b)=(1, 3) is not present in table "parent".

delete from parent;
--> ERROR 23503: update or delete on table "parent" violates foreign key constraint "child_of_parent" on table "child"
--> DETAIL: Key (a, b)=(1, 2) is still referenced from table "child".

create table bad (x int references parent);
--> ERROR 42830: number of referencing and referenced columns for foreign key disagree

create table bad (x int references no_such);
--> ERROR 42P01: relation "no_such" does not exist

create table bad (x text references team (id));
--> ERROR 42804: foreign key constraint "bad_x_fkey" cannot be implemented
--> DETAIL: Key columns "x" and "id" are of incompatible types: text and integer.

create table bad (x int references team (nope));
--> ERROR 42703: column "nope" referenced in foreign key constraint does not exist

create table bad (x text, foreign key (x) references note (body));
--> ERROR 42830: there is no unique constraint matching given keys for referenced table "note"

create table node (id int primary key, parent_id int references node on delete cascade, name text);
--> no rows

insert into node values (1, null, 'root'), (2, 1, 'left'), (3, 1, 'right'), (4, 2, 'leaf');
--> no rows

delete from node where id = 2;
--> no rows

select id from node order by id;
--> {"id":1}
--> {"id":3}

insert into node values (5, 6, 'x'), (6, null, 'y');
--> no rows

alter table child drop constraint child_of_parent;
--> no rows

insert into child values (4, 1, 3);
--> no rows

alter table child add constraint child_of_parent foreign key (a, b) references parent;
--> ERROR 23503: insert or update on table "child" violates foreign key constraint "child_of_parent"
--> DETAIL: Key (a, b)=(1, 3) is not present in table "parent".

delete from child where id = 4;
--> no rows

alter table child add constraint child_of_parent foreign key (a, b) references parent on delete cascade;
--> no rows

delete from parent;
--> no rows

select count(*) from child;
--> {"count":2}

create table deferred (id int primary key, next_id int references deferred deferrable initially deferred);
--> no rows

begin; insert into deferred values (1, 2); insert into deferred values (2, 1); commit;
--> no rows

select * from deferred order by id;
--> {"id":1,"next_id":2}
--> {"id":2,"next_id":1}

begin; insert into deferred values (3, 4); commit;
--> ERROR 23503: insert or update on table "deferred" violates foreign key constraint "deferred_next_id_fkey"
--> DETAIL: Key (next_id)=(4) is not present in table "deferred".

alter table note drop constraint no_such_constraint;
--> ERROR 42704: constraint "no_such_constraint" of relation "note" does not exist

alter table note drop constraint if exists no_such_constraint;
--> no rows

alter table team drop constraint team_pkey;
--> ERROR 2BP01: cannot drop constraint team_pkey on table team because other objects depend on it
--> DETAIL: constraint member_team_id_fkey on table member depends on index team_pkey
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

select conname, contype, confdeltype from pg_constraint where conrelid = 'note'::regclass order by conname;
--> {"conname":"note_pkey","contype":"p","confdeltype":" "}
--> {"conname":"note_team_slug_fkey","contype":"f","confdeltype":"d"}

select tc.table_name, kcu.column_name, ccu.table_name as foreign_table, ccu.column_name as foreign_column from information_schema.table_constraints tc join information_schema.key_column_usage kcu on tc.constraint_name = kcu.constraint_name join information_schema.constraint_column_usage ccu on ccu.constraint_name = tc.constraint_name where tc.constraint_type = 'FOREIGN KEY' and tc.table_name = 'note';
--> {"table_name":"note","column_name":"team_slug","foreign_table":"team","foreign_column":"slug"}
