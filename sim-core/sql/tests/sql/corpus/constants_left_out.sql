-- Constants that other constants leave out, and those of queries in views, bodies, cursors.

create table t(a int); create table t1(a int); insert into t1 values (1),(2);
--> no rows

select a from t where false and a = 1;
--> no rows

select a from t where a = 1 and false and 1/0 = 1;
--> no rows

select coalesce(1, a) from t1;
--> {"coalesce":1}
--> {"coalesce":1}

select coalesce(1/0, a) from t;
--> ERROR 22012: division by zero

select coalesce(null, a, 1/0) from t;
--> ERROR 22012: division by zero

select case when true then 1/0 else a end from t;
--> ERROR 22012: division by zero

select case when false then a else 1/0 end from t;
--> ERROR 22012: division by zero

select case when false then a else 1 end, not (false and a = 1), 1 + case when true then 2 else a end from t1;
--> {"case":1,"?column?":3}
--> {"case":1,"?column?":3}

select case when a = 1 then case when false then 1/0 end end from t1;
--> {"case":null}
--> {"case":null}

select case when a = 5 then case when true then 1/0 end end from t1;
--> ERROR 22012: division by zero

select case a when 1/0 then 1 end from t;
--> ERROR 22012: division by zero

select count(*) from t1 where a in (select 1 where false and 1/0 = 1);
--> {"count":0}

select * from t1 where exists (select 1 from t where 1/0 = 1);
--> ERROR 22012: division by zero

select (select max(a) from t where a > 1/0) from t1 where false;
--> ERROR 22012: division by zero

create view v as select a, 1/0 as z from t1;
--> no rows

select a from v where a < 0;
--> no rows

select z from v where a < 0;
--> ERROR 22012: division by zero

select * from v where false;
--> ERROR 22012: division by zero

create function f(i int) returns int language plpgsql as $$ begin return (select 1/0 from t limit 1); end $$;
--> no rows

select f(1);
--> ERROR 22012: division by zero

create function g(i int) returns int language plpgsql as $$ declare r int; begin for r in select 1/0 from t loop return r; end loop; return 7; end $$;
--> no rows

select g(1);
--> ERROR 22012: division by zero

prepare p as select 1/0 from t;
--> no rows

prepare q(int) as select $1 / 0 from t; execute q(1);
--> ERROR 22012: division by zero

create table made as select 1/0 as x from t;
--> ERROR 22012: division by zero

begin; declare c cursor for select 1/0 from t; fetch c; commit;
--> ERROR 22012: division by zero

create materialized view mv as select 1/0 as x from t;
--> ERROR 22012: division by zero

insert into t select a from t1 where 1/0 = 1 and a < 0;
--> ERROR 22012: division by zero

select * from t1 order by a limit 1 - 1/0;
--> ERROR 22012: division by zero

select sum(a) filter (where 1/0 = 1) from t;
--> ERROR 22012: division by zero
