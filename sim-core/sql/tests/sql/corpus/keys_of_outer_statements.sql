-- Foreign keys are checked at the end of the statement that changes the rows, not by statements that its triggers or functions run

create table p (id int primary key); create table c (id int primary key, up int references p, v int not null); create table log (n int references p); create function lg() returns trigger language plpgsql as $$ begin insert into log values (null); return new; end $$; create trigger a before insert on c for each row execute function lg();
--> no rows

insert into c values (20, 1, 1), (20, 1, 1);
--> ERROR 23505: duplicate key value violates unique constraint "c_pkey"
--> DETAIL: Key (id)=(20) already exists.

insert into c values (26, 1, 1), (null, null, 1);
--> ERROR 23502: null value in column "id" of relation "c" violates not-null constraint
--> DETAIL: Failing row contains (null, null, 1).

insert into c values (26, 1, 1), (27, 1, 1);
--> ERROR 23503: insert or update on table "c" violates foreign key constraint "c_up_fkey"
--> DETAIL: Key (up)=(1) is not present in table "p".

insert into c values (26, null, 1); insert into p values (1);
--> no rows

insert into c values (27, 1, 1);
--> no rows

delete from p where id = 1;
--> ERROR 23503: update or delete on table "p" violates foreign key constraint "c_up_fkey" on table "c"
--> DETAIL: Key (id)=(1) is still referenced from table "c".

create function addp() returns trigger language plpgsql as $$ begin insert into p values (new.up) on conflict do nothing; return new; end $$; create trigger b after insert on c for each row execute function addp();
--> no rows

insert into c values (30, 9, 1);
--> ERROR 23503: insert or update on table "c" violates foreign key constraint "c_up_fkey"
--> DETAIL: Key (up)=(9) is not present in table "p".

create table d (id int primary key, up int references p deferrable initially deferred); create function lg2() returns trigger language plpgsql as $$ begin insert into log values (7); return new; end $$; create trigger a before insert on d for each row execute function lg2();
--> no rows

insert into d values (1, 5);
--> ERROR 23503: insert or update on table "log" violates foreign key constraint "log_n_fkey"
--> DETAIL: Key (n)=(7) is not present in table "p".

drop trigger a on d; create trigger b before insert on d for each row execute function addp();
--> no rows

insert into d values (1, 5); select * from d;
--> {"id":1,"up":5}

create function many() returns int language plpgsql as $$ begin insert into log values (null); return 99; end $$; create table e (id int primary key, up int references p);
--> no rows

insert into e select 1, many() union all select 1, many();
--> ERROR 23505: duplicate key value violates unique constraint "e_pkey"
--> DETAIL: Key (id)=(1) already exists.

insert into e values (1, many()), (2, null);
--> ERROR 23503: insert or update on table "e" violates foreign key constraint "e_up_fkey"
--> DETAIL: Key (up)=(99) is not present in table "p".

with x as (insert into e values (1, 77) returning id) insert into e select 1, null from x;
--> ERROR 23505: duplicate key value violates unique constraint "e_pkey"
--> DETAIL: Key (id)=(1) already exists.

with x as (insert into p values (77) returning id) insert into e select 5, id from x; select * from e;
--> {"id":5,"up":77}

delete from p where id = 77;
--> ERROR 23503: update or delete on table "p" violates foreign key constraint "e_up_fkey" on table "e"
--> DETAIL: Key (id)=(77) is still referenced from table "e".

create table s (id int primary key, up int references s); insert into s values (1, 2), (2, 1); select * from s;
--> {"id":1,"up":2}
--> {"id":2,"up":1}

create trigger a before insert on s for each row execute function lg();
--> no rows

insert into s values (3, 4), (4, 3); select * from s;
--> {"id":1,"up":2}
--> {"id":2,"up":1}
--> {"id":3,"up":4}
--> {"id":4,"up":3}
