-- Rows that should change with the row to which they refer, where a rule makes something else of that.

create table p(id int primary key, u int unique); create table c(id int primary key, pid int references p on delete cascade on update cascade, pu int references p(u) on delete set null, del bool default false); create rule sd as on delete to c do instead update c set del = true where id = old.id; insert into p values (1,1),(2,2),(3,null); insert into c values (10,1,null);
--> no rows

delete from p where id = 2;
--> ERROR XX000: referential integrity query on "p" from constraint "c_pid_fkey" on "c" gave unexpected result
--> HINT: This is most likely due to a rule having rewritten the query.

delete from p where id = 1;
--> ERROR XX000: referential integrity query on "p" from constraint "c_pid_fkey" on "c" gave unexpected result
--> HINT: This is most likely due to a rule having rewritten the query.

delete from p where id = 99;
--> no rows

update p set id = 20 where id = 2; select * from p order by id;
--> {"id":1,"u":1}
--> {"id":3,"u":null}
--> {"id":20,"u":2}

alter table c disable rule sd; delete from p where id = 1; select * from c;
--> no rows

alter table c enable rule sd; delete from p; select * from p;
--> ERROR XX000: referential integrity query on "p" from constraint "c_pid_fkey" on "c" gave unexpected result
--> HINT: This is most likely due to a rule having rewritten the query.

create table n(id int primary key, pid int references p on delete cascade); drop rule sd on c; create rule nd as on delete to n do instead nothing; insert into n values (1, 3), (2, 20); insert into p values (30, 30);
--> no rows

delete from p where id = 30;
--> ERROR XX000: referential integrity query on "p" from constraint "n_pid_fkey" on "n" gave unexpected result
--> HINT: This is most likely due to a rule having rewritten the query.

delete from p where id = 3;
--> ERROR XX000: referential integrity query on "p" from constraint "n_pid_fkey" on "n" gave unexpected result
--> HINT: This is most likely due to a rule having rewritten the query.

with d as (delete from p where id = 3 returning *) select * from d;
--> ERROR XX000: referential integrity query on "p" from constraint "n_pid_fkey" on "n" gave unexpected result
--> HINT: This is most likely due to a rule having rewritten the query.

do $$ begin delete from p where id = 3; exception when others then raise notice '%', sqlstate; end $$;
--> no rows

drop rule nd on n; create rule nd as on delete to n where old.id = 1 do instead nothing; delete from p where id = 30; select * from p order by id;
--> {"id":3,"u":null}
--> {"id":20,"u":2}

delete from p where id = 20; select * from n order by id;
--> {"id":1,"pid":3}

drop rule nd on n; create rule nd as on delete to n do also insert into c(id) values (old.id + 100); insert into p values (40,40); insert into n values (4, 40); delete from p where id = 40; select * from c order by id;
--> {"id":104,"pid":null,"pu":null,"del":false}

drop rule nd on n; create table other(id int); insert into other values (5); create rule nd as on delete to n do instead delete from other where id = old.id; insert into p values (50, 50); insert into n values (5, 50); delete from p where id = 50; select * from other; select * from n order by 1;
--> {"id":1,"pid":3}
--> {"id":5,"pid":50}

create table s(id int primary key, pid int default 0 references p on delete set null on update cascade); create rule su as on update to s do instead nothing; insert into p values (60, 60), (61, 61);
--> no rows

delete from p where id = 60;
--> ERROR XX000: referential integrity query on "p" from constraint "s_pid_fkey" on "s" gave unexpected result
--> HINT: This is most likely due to a rule having rewritten the query.

update p set id = 62 where id = 61;
--> ERROR XX000: referential integrity query on "p" from constraint "s_pid_fkey" on "s" gave unexpected result
--> HINT: This is most likely due to a rule having rewritten the query.

update p set u = 63 where id = 61; select * from p where id = 61;
--> {"id":61,"u":63}

create table r(id int primary key, pid int references p on delete restrict); create rule rd as on delete to r do instead nothing; drop table s; insert into r values (1, 61); delete from p where id = 61;
--> ERROR 23503: update or delete on table "p" violates foreign key constraint "r_pid_fkey" on table "r"
--> DETAIL: Key (id)=(61) is still referenced from table "r".

delete from r; delete from p where id = 60; select * from p order by id;
--> ERROR 42P01: relation "r" does not exist
--> AT 13

create table sc(id int primary key, parent int references sc on delete cascade, del bool default false); create rule scd as on delete to sc do instead update sc set del = true where id = old.id; insert into sc values (1, null), (2, 1); delete from sc where id = 1; select * from sc order by id;
--> {"id":1,"parent":null,"del":true}
--> {"id":2,"parent":1,"del":false}

create table pt(id int primary key) partition by range (id); create table pt1 partition of pt for values from (0) to (10); create table ch(id int, pid int references pt on delete cascade); create rule chd as on delete to ch do instead nothing; insert into pt values (1);
--> no rows

truncate pt cascade; truncate p cascade; select count(*) from n;
--> {"count":0}
