-- `FOR UPDATE` and its kin, and the queries whose rows they cannot lock.

create table t (a int primary key, b text);
--> no rows

insert into t values (1, 'x'), (2, 'y');
--> no rows

select a from t order by a for update;
--> {"a":1}
--> {"a":2}

select a from t order by a for no key update;
--> {"a":1}
--> {"a":2}

select a from t order by a limit 1 for share skip locked;
--> {"a":1}

select a from t order by a for key share nowait;
--> {"a":1}
--> {"a":2}

select count(*) from t for update;
--> ERROR 0A000: FOR UPDATE is not allowed with aggregate functions

select max(a) from t where b = 'x' for update;
--> ERROR 0A000: FOR UPDATE is not allowed with aggregate functions

select a from t group by a for update;
--> ERROR 0A000: FOR UPDATE is not allowed with GROUP BY clause

select 1 as one from t having true for update;
--> ERROR 0A000: FOR UPDATE is not allowed with HAVING clause

select row_number() over () from t for share;
--> ERROR 0A000: FOR SHARE is not allowed with window functions

select distinct a from t for no key update;
--> ERROR 0A000: FOR NO KEY UPDATE is not allowed with DISTINCT clause

select distinct on (a) a from t for key share;
--> ERROR 0A000: FOR KEY SHARE is not allowed with DISTINCT clause

select a from t union select a from t for update;
--> ERROR 0A000: FOR UPDATE is not allowed with UNION/INTERSECT/EXCEPT

select a from t union all select a from t order by 1 for no key update;
--> ERROR 0A000: FOR NO KEY UPDATE is not allowed with UNION/INTERSECT/EXCEPT

select a from t union (select a from t for update);
--> ERROR 0A000: FOR UPDATE is not allowed with UNION/INTERSECT/EXCEPT

values (1) for update;
--> ERROR 0A000: FOR UPDATE cannot be applied to VALUES

select * from (select a from t union select 2) q for update;
--> ERROR 0A000: FOR UPDATE is not allowed with UNION/INTERSECT/EXCEPT

select * from (select distinct a from t) q for update;
--> ERROR 0A000: FOR UPDATE is not allowed with DISTINCT clause

select * from (select a, b from t) q order by a for update;
--> {"a":1,"b":"x"}
--> {"a":2,"b":"y"}

select * from t x, (select count(*) as n from t) q order by x.a for update of x;
--> {"a":1,"b":"x","n":2}
--> {"a":2,"b":"y","n":2}

select * from t x, (select distinct b from t) q order by x.a for update of q;
--> ERROR 0A000: FOR UPDATE is not allowed with DISTINCT clause

select a from t for update of x;
--> ERROR 42P01: relation "x" in FOR UPDATE clause not found in FROM clause
--> AT 31

select x.a from t x for update of t;
--> ERROR 42P01: relation "t" in FOR UPDATE clause not found in FROM clause
--> AT 35

select x.a from t x order by a for update of x;
--> {"a":1}
--> {"a":2}

with q as (select a from t) select * from q order by a for update;
--> {"a":1}
--> {"a":2}

with q as (select a from t) select * from q for update of q;
--> ERROR 0A000: FOR UPDATE cannot be applied to a WITH query
--> AT 59

select (select count(*) from t) as n, a from t order by a for update;
--> {"n":2,"a":1}
--> {"n":2,"a":2}

select a from t where a in (select max(a) from t) for update;
--> {"a":2}

update t set b = 'z' where a = (select a from t order by a limit 1 for update skip locked) returning *;
--> {"a":1,"b":"z"}

do $$ declare n int; begin select count(*) into n from t for update; end $$;
--> ERROR 0A000: FOR UPDATE is not allowed with aggregate functions

do $$ declare n int; begin select a into n from t order by a limit 1 for update; raise notice '%', n; end $$;
--> no rows
