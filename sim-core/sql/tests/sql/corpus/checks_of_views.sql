-- WITH CHECK OPTION is asked after constraints and unique keys, and a view without a default of its own updates to null

create table t (id int primary key, c int not null default 5, d int check (d > 0), e int unique); insert into t values (1,1,1,1),(2,2,2,2); create view v as select id, c, d, e from t where c < 10 with check option;

insert into v values (1, 20, 3, 3);

insert into v values (3, 20, -3, 3);

insert into v values (3, null, 3, 3);

insert into v values (3, 20, 3, 2);

insert into v values (3, 20, 3, 3);

insert into v (id) values (3) returning *;

update v set c = default where id = 1;

update v set c = 20, e = 2 where id = 1;

update v set c = 20 where id = 1;

update v set d = default where id = 1 returning *;

update v set c = 7 where id = 1 returning *;

alter view v alter column c set default 3; update v set c = default where id = 1 returning *;

insert into v values (1, 30, 1, 9) on conflict (id) do update set c = excluded.c;

insert into v values (1, 3, 1, 9) on conflict (id) do update set c = excluded.c + 1 returning *;

insert into v values (1, 3, 1, 9) on conflict (id) do update set c = 50;

create view w as select id, c from v where c > 0 with cascaded check option;

insert into w values (9, -1);

insert into w values (9, 11);

insert into w values (9, 1) returning *;

update w set c = default where id = 9 returning *;

create function tg() returns trigger language plpgsql as $$ begin new.c := new.c + 100; return new; end $$; create trigger tg before insert on t for each row execute function tg();

insert into v values (20, 1, 1, 77);

insert into v (id, c) select 40 + g, -100 from generate_series(1, 2) g returning *;

select * from t order by id;

merge into t using (values (1)) s(id) on t.id = s.id when matched and 5 then delete;

merge into t using (values (1)) s(id) on t.id = s.id when not matched and 'x'::text then insert values (1);

merge into t using (values (1)) s(id) on t.id = s.id when matched and 'true' then update set d = 9;

select * from t order by id;

create table pt (id int, k int) partition by list (k); create table p1 partition of pt for values in (1); create view pv as select * from p1 where id > 0 with check option;

insert into pv values (1, 2);

insert into pv values (-1, 1);

insert into pv values (1, 1) returning *;

update pv set id = -1;
