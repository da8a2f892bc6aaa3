-- The parts of a WITH see the rows that follow a change by a foreign key as they were

create table p (id int primary key); create table c (id int primary key, p int references p on delete cascade); create table d (id int, c int references c on delete set null); insert into p values (1),(2); insert into c values (1,1),(2,1),(3,2); insert into d values (1,1),(2,3);
--> no rows

with w as (delete from p where id = 1 returning id) select (select count(*) from c) as n, (select count(*) from d where c is not null) as m from w;
--> {"n":3,"m":2}

select * from c;
--> {"id":3,"p":2}

select * from d order by id;
--> {"id":1,"c":null}
--> {"id":2,"c":3}

with w as (update p set id = id returning id) select count(*) from w, c;
--> {"count":1}

with w as (delete from p returning id), x as (delete from c returning id) select * from w full join x using (id) order by 1;
--> {"id":2}
--> {"id":3}

select * from d order by id;
--> {"id":1,"c":null}
--> {"id":2,"c":null}
