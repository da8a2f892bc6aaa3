-- Rows that triggers write are not seen by other parts of the statement.

create table t(id int primary key, a int); create table l(n int, x text);
insert into t values (1,1),(2,2);
create function f() returns trigger language plpgsql as $$ begin insert into l values (new.id, tg_op); update t set a = a + 100 where id = 99; return new; end $$;
create trigger tb before insert or update on t for each row execute function f();
--> no rows

with i as (insert into t values (3,3) returning id) select (select count(*) from l), (select count(*) from t), id from i;
--> {"count":2,"id":3}

select * from l order by 1,2;
--> {"n":3,"x":"INSERT"}

with i as (insert into t values (4,4) returning id) select count(*) from l;
--> {"count":1}

with u as (update t set a = 5 where id = 1 returning id), d as (delete from l returning n) select (select count(*) from u), (select count(*) from d);
--> {"count":2}

select * from l order by 1,2;
--> {"n":1,"x":"UPDATE"}

with i as (insert into t values (5,5)), u as (update l set x = 'upd' returning n) select count(*) from u;
--> {"count":1}

select * from l order by 1,2;
--> {"n":1,"x":"upd"}
--> {"n":5,"x":"INSERT"}

with i as (insert into t values (6,6) returning id), s as (select count(*) as c from l) select i.id, s.c from i, s;
--> {"id":6,"c":2}

with i as (insert into t values (7,7) returning id), j as (insert into t select (select count(*)::int + 100 from l), 0 returning id) select i.id, j.id from i, j;
--> {"id":103}

select * from t order by id;
--> {"id":1,"a":5}
--> {"id":2,"a":2}
--> {"id":3,"a":3}
--> {"id":4,"a":4}
--> {"id":5,"a":5}
--> {"id":6,"a":6}
--> {"id":7,"a":7}
--> {"id":103,"a":0}

create function after_() returns trigger language plpgsql as $$ begin insert into l values (new.id, 'after'); return null; end $$;
create trigger ta after insert on t for each row execute function after_();
--> no rows

with i as (insert into t values (8,8) returning id) select i.id, (select count(*) from l where n = 8) from i;
--> {"id":8,"count":0}

select * from l where n = 8 order by x;
--> {"n":8,"x":"INSERT"}
--> {"n":8,"x":"after"}

insert into t values (9,9) returning id, (select count(*) from l where n = 9);
--> {"id":9,"count":0}

insert into t select 10, count(*) from l where n = 10 returning a, (select count(*) from l where n = 10);
--> {"a":0,"count":0}

insert into t select g, (select count(*) from l where n > 20) from generate_series(21,23) g returning id, a, (select count(*) from l where n > 20);
--> {"id":21,"a":1,"count":1}
--> {"id":22,"a":1,"count":1}
--> {"id":23,"a":1,"count":1}

create function cnt(i int) returns bigint language sql stable as $$ select count(*) from l where n >= i $$;
create function vcnt(i int) returns bigint language sql volatile as $$ select count(*) from l where n >= i $$;
--> no rows

with i as (insert into t values (41,0) returning id), j as (update t set a = 1 where id = 41 returning id) select (select count(*) from i), (select count(*) from j);
--> {"count":0}

with d as (delete from t where id = 41 returning id), j as (insert into t values (41, 7) returning id) select (select count(*) from d), (select count(*) from j);
--> {"count":1}

create table p(id int primary key); create table c(id int references p on delete cascade, x int);
insert into p values (1),(2); insert into c values (1,1),(2,2);
--> no rows

with d as (delete from p where id = 1 returning id) select (select count(*) from c), (select count(*) from p), id from d;
--> {"count":2,"id":1}

select * from c;
--> {"id":2,"x":2}

create function g() returns trigger language plpgsql as $$ begin delete from c where x = 2; return old; end $$;
create trigger pb before delete on p for each row execute function g();
--> no rows

with d as (delete from p where id = 2 returning id) select (select count(*) from c), id from d;
--> {"count":1,"id":2}

select * from c;
--> no rows
