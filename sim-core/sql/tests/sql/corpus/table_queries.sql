-- TABLE as a query.

create table p (id int primary key, n text, v int); insert into p values (1,'a',10),(2,'b',20),(3,'a',30);
--> no rows

table p;
--> {"id":1,"n":"a","v":10}
--> {"id":2,"n":"b","v":20}
--> {"id":3,"n":"a","v":30}

table p order by id desc limit 1;
--> {"id":3,"n":"a","v":30}

table p limit 1 offset 1;
--> {"id":2,"n":"b","v":20}

table p offset 2;
--> {"id":3,"n":"a","v":30}

table public.p order by 1 fetch first 1 row only;
--> {"id":1,"n":"a","v":10}

table p union all table p order by 1 limit 2;
--> {"id":1,"n":"a","v":10}
--> {"id":1,"n":"a","v":10}

with w as (table p) table w order by 1;
--> {"id":1,"n":"a","v":10}
--> {"id":2,"n":"b","v":20}
--> {"id":3,"n":"a","v":30}

select * from (table p) q order by id limit 1;
--> {"id":1,"n":"a","v":10}

select count(*) from (table p union table p) q;
--> {"count":3}

select array(select id from p order by 1), exists (table p);
--> {"array":[1,2,3],"exists":true}

create view vt as table p; select * from vt order by id limit 1;
--> {"id":1,"n":"a","v":10}

create table pc as table p; select count(*) from pc;
--> {"count":3}

insert into pc table p; select count(*) from pc;
--> {"count":6}

table p for update;
--> {"id":1,"n":"a","v":10}
--> {"id":2,"n":"b","v":20}
--> {"id":3,"n":"a","v":30}

create function ft() returns setof p language sql as 'table p order by id'; select id from ft();
--> {"id":1}
--> {"id":2}
--> {"id":3}

do $$ declare n int; begin for n in select id from (table p) x loop null; end loop; raise exception '%', n; end $$;
--> ERROR P0001: 3

table only p order by id limit 1;
--> {"id":1,"n":"a","v":10}

table nope;
--> ERROR 42P01: relation "nope" does not exist
--> AT 7
