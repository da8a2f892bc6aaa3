-- Foreign keys without an action are checked at their place among those that change other rows.

create table n1 (id int primary key);
--> no rows

create table n2 (id int primary key, n1 int references n1 on delete cascade);
--> no rows

create table n3 (n1 int references n1, n2 int references n2 on delete cascade);
--> no rows

insert into n1 values (1);
--> no rows

insert into n2 values (1, 1);
--> no rows

insert into n3 values (1, 1);
--> no rows

delete from n1;
--> ERROR 23503: update or delete on table "n1" violates foreign key constraint "n3_n1_fkey" on table "n3"
--> DETAIL: Key (id)=(1) is still referenced from table "n3".

select count(*) from n3;
--> {"count":1}

create table first_checked (id int primary key);
--> no rows

create table checked (b int references first_checked, a int references first_checked on delete cascade);
--> no rows

insert into first_checked values (1), (2);
--> no rows

insert into checked values (1, 1), (null, 2);
--> no rows

delete from first_checked where id = 1;
--> ERROR 23503: update or delete on table "first_checked" violates foreign key constraint "checked_b_fkey" on table "checked"
--> DETAIL: Key (id)=(1) is still referenced from table "checked".

delete from first_checked where id = 2;
--> no rows

select * from checked;
--> {"b":1,"a":1}

create table first_gone (id int primary key);
--> no rows

create table gone (a int references first_gone on delete cascade, b int references first_gone);
--> no rows

insert into first_gone values (1), (2);
--> no rows

insert into gone values (1, 1), (1, null), (2, 2), (null, 1);
--> no rows

delete from first_gone where id = 1;
--> ERROR 23503: update or delete on table "first_gone" violates foreign key constraint "gone_b_fkey" on table "gone"
--> DETAIL: Key (id)=(1) is still referenced from table "gone".

delete from gone where a is null;
--> no rows

delete from first_gone where id = 1;
--> no rows

select * from gone;
--> {"a":2,"b":2}

create function nothing() returns trigger language plpgsql as $$ begin return null; end $$;
--> no rows

create trigger seen after delete on gone for each row execute function nothing();
--> no rows

delete from first_gone;
--> no rows

select * from gone;
--> no rows

create table s (id int primary key, parent int references s on delete cascade, root int references s);
--> no rows

insert into s values (1, null, 1), (2, 1, 1), (3, 2, 1);
--> no rows

delete from s where id = 1;
--> ERROR 23503: update or delete on table "s" violates foreign key constraint "s_root_fkey" on table "s"
--> DETAIL: Key (id)=(1) is still referenced from table "s".

delete from s where id = 2;
--> no rows

delete from s;
--> no rows

create table x (id int primary key);
--> no rows

create table y (id int primary key, x int references x on delete cascade);
--> no rows

create table z (y int not null references y on delete set null);
--> no rows

create table w (x int references x on delete restrict);
--> no rows

insert into x values (1);
--> no rows

insert into y values (1, 1);
--> no rows

insert into z values (1);
--> no rows

insert into w values (1);
--> no rows

delete from x;
--> ERROR 23503: update or delete on table "x" violates foreign key constraint "w_x_fkey" on table "w"
--> DETAIL: Key (id)=(1) is still referenced from table "w".

delete from w;
--> no rows

delete from z;
--> no rows

delete from x returning id;
--> {"id":1}

create table orgs (id int primary key);
--> no rows

create table members (org int references orgs on delete cascade, id int, primary key (org, id));
--> no rows

create table tasks (id int primary key, org int references orgs on delete cascade, owner int, foreign key (org, owner) references members (org, id) on delete restrict);
--> no rows

insert into orgs values (1), (2);
--> no rows

insert into members values (1, 1), (2, 1);
--> no rows

insert into tasks values (1, 1, 1), (2, 2, null);
--> no rows

delete from orgs where id = 1;
--> no rows

delete from orgs where id = 2;
--> no rows

select * from tasks;
--> no rows

create table notes (id int primary key, org int references orgs on delete set null, task int references tasks);
--> no rows

insert into notes values (1, 1, 1);
--> ERROR 23503: insert or update on table "notes" violates foreign key constraint "notes_org_fkey"
--> DETAIL: Key (org)=(1) is not present in table "orgs".

delete from tasks where id = 1;
--> no rows

delete from orgs where id = 1;
--> no rows

delete from notes;
--> no rows

delete from orgs where id = 1;
--> no rows

create table later (id int primary key);
--> no rows

create table waits (a int references later deferrable initially deferred, b int references later on delete cascade);
--> no rows

insert into later values (1);
--> no rows

insert into waits values (1, 1);
--> no rows

delete from later;
--> no rows

select * from waits;
--> no rows

create table codes (code text primary key);
--> no rows

create table uses (a text references codes, b text references codes on update cascade);
--> no rows

insert into codes values ('a'), ('b');
--> no rows

insert into uses values ('a', 'a'), (null, 'b');
--> no rows

update codes set code = code || '1' where code = 'a';
--> ERROR 23503: update or delete on table "codes" violates foreign key constraint "uses_a_fkey" on table "uses"
--> DETAIL: Key (code)=(a) is still referenced from table "uses".

update codes set code = code || '1' where code = 'b';
--> no rows

select * from uses order by b;
--> {"a":"a","b":"a"}
--> {"a":null,"b":"b1"}

insert into codes values ('b1') on conflict (code) do update set code = 'b2';
--> no rows

insert into codes values ('a') on conflict (code) do update set code = 'a2';
--> ERROR 23503: update or delete on table "codes" violates foreign key constraint "uses_a_fkey" on table "uses"
--> DETAIL: Key (code)=(a) is still referenced from table "uses".

select * from uses order by b;
--> {"a":"a","b":"a"}
--> {"a":null,"b":"b2"}

create table p (id int primary key, n int unique);
--> no rows

create table c (n int references p (n) on update restrict);
--> no rows

insert into p values (1, 2), (2, 1);
--> no rows

insert into c values (2);
--> no rows

update p set n = n + 1;
--> ERROR 23503: update or delete on table "p" violates foreign key constraint "c_n_fkey" on table "c"
--> DETAIL: Key (n)=(2) is still referenced from table "c".

select * from p order by id;
--> {"id":1,"n":2}
--> {"id":2,"n":1}

with a as (delete from first_gone returning id) delete from n1 returning id;
--> ERROR 23503: update or delete on table "n1" violates foreign key constraint "n3_n1_fkey" on table "n3"
--> DETAIL: Key (id)=(1) is still referenced from table "n3".

merge into n1 using (select 1 as id) k on n1.id = k.id when matched then delete;
--> ERROR 23503: update or delete on table "n1" violates foreign key constraint "n3_n1_fkey" on table "n3"
--> DETAIL: Key (id)=(1) is still referenced from table "n3".

create table tree (id int primary key, parent int not null references tree on delete set null);
--> no rows

insert into tree values (1, 1), (2, 1), (3, 2);
--> no rows

delete from tree where id = 1;
--> ERROR 23502: null value in column "parent" of relation "tree" violates not-null constraint
--> DETAIL: Failing row contains (2, null).

delete from tree;
--> no rows

create table marked (id int primary key, parent int references marked on delete set null, kind text check (parent is not null or kind = 'root'));
--> no rows

insert into marked values (1, null, 'root'), (2, 1, 'leaf'), (3, 2, 'leaf');
--> no rows

delete from marked where id = 2;
--> ERROR 23514: new row for relation "marked" violates check constraint "marked_check"
--> DETAIL: Failing row contains (3, null, leaf).

delete from marked where id > 1;
--> no rows

delete from marked;
--> no rows

create table several (id int primary key);
--> no rows

create table by_restrict (a int references several on delete restrict);
--> no rows

create table by_default (a int references several);
--> no rows

insert into several values (1), (2);
--> no rows

insert into by_restrict values (1);
--> no rows

insert into by_default values (1), (2);
--> no rows

delete from several;
--> ERROR 23503: update or delete on table "several" violates foreign key constraint "by_restrict_a_fkey" on table "by_restrict"
--> DETAIL: Key (id)=(1) is still referenced from table "by_restrict".

delete from several where id = 2;
--> ERROR 23503: update or delete on table "several" violates foreign key constraint "by_default_a_fkey" on table "by_default"
--> DETAIL: Key (id)=(2) is still referenced from table "by_default".
