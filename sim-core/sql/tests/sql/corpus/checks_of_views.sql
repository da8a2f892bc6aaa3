-- WITH CHECK OPTION is asked after constraints and unique keys, and a view without a default of its own updates to null

create table t (id int primary key, c int not null default 5, d int check (d > 0), e int unique); insert into t values (1,1,1,1),(2,2,2,2); create view v as select id, c, d, e from t where c < 10 with check option;
--> no rows

insert into v values (1, 20, 3, 3);
--> ERROR 23505: duplicate key value violates unique constraint "t_pkey"
--> DETAIL: Key (id)=(1) already exists.

insert into v values (3, 20, -3, 3);
--> ERROR 23514: new row for relation "t" violates check constraint "t_d_check"
--> DETAIL: Failing row contains (3, 20, -3, 3).

insert into v values (3, null, 3, 3);
--> ERROR 23502: null value in column "c" of relation "t" violates not-null constraint
--> DETAIL: Failing row contains (3, null, 3, 3).

insert into v values (3, 20, 3, 2);
--> ERROR 23505: duplicate key value violates unique constraint "t_e_key"
--> DETAIL: Key (e)=(2) already exists.

insert into v values (3, 20, 3, 3);
--> ERROR 44000: new row violates check option for view "v"
--> DETAIL: Failing row contains (3, 20, 3, 3).

insert into v (id) values (3) returning *;
--> {"id":3,"c":5,"d":null,"e":null}

update v set c = default where id = 1;
--> ERROR 23502: null value in column "c" of relation "t" violates not-null constraint
--> DETAIL: Failing row contains (1, null, 1, 1).

update v set c = 20, e = 2 where id = 1;
--> ERROR 23505: duplicate key value violates unique constraint "t_e_key"
--> DETAIL: Key (e)=(2) already exists.

update v set c = 20 where id = 1;
--> ERROR 44000: new row violates check option for view "v"
--> DETAIL: Failing row contains (1, 20, 1, 1).

update v set d = default where id = 1 returning *;
--> {"id":1,"c":1,"d":null,"e":1}

update v set c = 7 where id = 1 returning *;
--> {"id":1,"c":7,"d":null,"e":1}

alter view v alter column c set default 3; update v set c = default where id = 1 returning *;
--> {"id":1,"c":3,"d":null,"e":1}

insert into v values (1, 30, 1, 9) on conflict (id) do update set c = excluded.c;
--> ERROR 44000: new row violates check option for view "v"
--> DETAIL: Failing row contains (1, 30, null, 1).

insert into v values (1, 3, 1, 9) on conflict (id) do update set c = excluded.c + 1 returning *;
--> {"id":1,"c":4,"d":null,"e":1}

insert into v values (1, 3, 1, 9) on conflict (id) do update set c = 50;
--> ERROR 44000: new row violates check option for view "v"
--> DETAIL: Failing row contains (1, 50, null, 1).

create view w as select id, c from v where c > 0 with cascaded check option;
--> no rows

insert into w values (9, -1);
--> ERROR 44000: new row violates check option for view "w"
--> DETAIL: Failing row contains (9, -1, null, null).

insert into w values (9, 11);
--> ERROR 44000: new row violates check option for view "v"
--> DETAIL: Failing row contains (9, 11, null, null).

insert into w values (9, 1) returning *;
--> {"id":9,"c":1}

update w set c = default where id = 9 returning *;
--> ERROR 23502: null value in column "c" of relation "t" violates not-null constraint
--> DETAIL: Failing row contains (9, null, null, null).

create function tg() returns trigger language plpgsql as $$ begin new.c := new.c + 100; return new; end $$; create trigger tg before insert on t for each row execute function tg();
--> no rows

insert into v values (20, 1, 1, 77);
--> ERROR 44000: new row violates check option for view "v"
--> DETAIL: Failing row contains (20, 101, 1, 77).

insert into v (id, c) select 40 + g, -100 from generate_series(1, 2) g returning *;
--> {"id":41,"c":0,"d":null,"e":null}
--> {"id":42,"c":0,"d":null,"e":null}

select * from t order by id;
--> {"id":1,"c":4,"d":null,"e":1}
--> {"id":2,"c":2,"d":2,"e":2}
--> {"id":3,"c":5,"d":null,"e":null}
--> {"id":9,"c":1,"d":null,"e":null}
--> {"id":41,"c":0,"d":null,"e":null}
--> {"id":42,"c":0,"d":null,"e":null}

merge into t using (values (1)) s(id) on t.id = s.id when matched and 5 then delete;
--> ERROR 42804: argument of WHEN must be type boolean, not type integer
--> AT 71

merge into t using (values (1)) s(id) on t.id = s.id when not matched and 'x'::text then insert values (1);
--> ERROR 42804: argument of WHEN must be type boolean, not type text
--> AT 75

merge into t using (values (1)) s(id) on t.id = s.id when matched and 'true' then update set d = 9;
--> no rows

select * from t order by id;
--> {"id":1,"c":4,"d":9,"e":1}
--> {"id":2,"c":2,"d":2,"e":2}
--> {"id":3,"c":5,"d":null,"e":null}
--> {"id":9,"c":1,"d":null,"e":null}
--> {"id":41,"c":0,"d":null,"e":null}
--> {"id":42,"c":0,"d":null,"e":null}

create table pt (id int, k int) partition by list (k); create table p1 partition of pt for values in (1); create view pv as select * from p1 where id > 0 with check option;
--> no rows

insert into pv values (1, 2);
--> ERROR 23514: new row for relation "p1" violates partition constraint
--> DETAIL: Failing row contains (1, 2).

insert into pv values (-1, 1);
--> ERROR 44000: new row violates check option for view "pv"
--> DETAIL: Failing row contains (-1, 1).

insert into pv values (1, 1) returning *;
--> {"id":1,"k":1}

update pv set id = -1;
--> ERROR 44000: new row violates check option for view "pv"
--> DETAIL: Failing row contains (-1, 1).
