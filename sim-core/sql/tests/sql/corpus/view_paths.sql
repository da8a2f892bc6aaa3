-- Names in a view are found where they were when it was created.

create schema ap;
--> no rows

set search_path = ap, public; create table tx(i int); insert into tx values (1); create view vx as select i from tx; create materialized view mx as select i from tx; create view vy as select * from vx;
--> no rows

select * from ap.vx;
--> {"i":1}

select * from ap.vy;
--> {"i":1}

insert into ap.tx values (2);
--> no rows

refresh materialized view ap.mx;
--> no rows

select * from ap.mx order by 1;
--> {"i":1}
--> {"i":2}

create table tx(i int, j int);
--> no rows

insert into tx values (7, 7);
--> no rows

select * from ap.vx order by 1;
--> {"i":1}
--> {"i":2}

create view vp as select * from tx;
--> no rows

set search_path = ap; select * from public.vp;
--> {"i":7,"j":7}

set search_path = ap; select i from tx order by 1;
--> {"i":1}
--> {"i":2}

select pg_get_viewdef('ap.vx');
--> {"pg_get_viewdef":" SELECT tx.i\n   FROM ap.tx;"}

alter schema ap rename to ap2;
--> no rows

select * from ap2.vy order by 1;
--> {"i":1}
--> {"i":2}

select pg_get_viewdef('ap2.vx');
--> {"pg_get_viewdef":" SELECT tx.i\n   FROM ap2.tx;"}

set search_path = ap2; create or replace view vx as select i, 1 as k from tx;
--> no rows

select * from ap2.vx order by 1;
--> {"i":1,"k":1}
--> {"i":2,"k":1}
