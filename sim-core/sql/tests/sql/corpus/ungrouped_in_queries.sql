-- Columns of a grouped query within its inner queries.

create table p (id int primary key, n text, amt numeric); create table o (id int primary key, p_id int references p, v int, s text); insert into p values (1,'a',10),(2,'a',20),(3,'b',null); insert into o values (1,1,5,'x'),(2,1,6,'y'),(3,2,7,'x');
--> no rows

select n, (select count(*) from o where o.p_id = p.id) from p group by n;
--> ERROR 42803: subquery uses ungrouped column "p.id" from outer query
--> AT 50

select count(*), (select max(o.v) from o where o.p_id = p.id) from p;
--> ERROR 42803: subquery uses ungrouped column "p.id" from outer query
--> AT 57

select n, array(select v from o where o.p_id = p.id) from p group by n;
--> ERROR 42803: subquery uses ungrouped column "p.id" from outer query
--> AT 48

select n, json_build_object('k', (select count(*) from o where o.p_id = p.id)) from p group by n;
--> ERROR 42803: subquery uses ungrouped column "p.id" from outer query
--> AT 73

select n from p group by n order by (select count(*) from o where o.p_id = p.id);
--> ERROR 42803: subquery uses ungrouped column "p.id" from outer query
--> AT 76

select n, 1 in (select v from o where o.p_id = p.id) from p group by n;
--> ERROR 42803: subquery uses ungrouped column "p.id" from outer query
--> AT 48

select n, p.id in (select v from o) from p group by n;
--> ERROR 42803: column "p.id" must appear in the GROUP BY clause or be used in an aggregate function
--> AT 11

select upper(n), (select max(v) from o where o.s = p.n) from p group by upper(n);
--> ERROR 42803: subquery uses ungrouped column "p.n" from outer query
--> AT 52

select upper(n), (select max(v) from o where o.s = upper(p.n)) from p group by upper(n);
--> ERROR 42803: subquery uses ungrouped column "p.n" from outer query
--> AT 58

select n, (select max(v) from o where o.s = p.n) from p group by n order by 1;
--> {"n":"a","max":null}
--> {"n":"b","max":null}

select p.id, n, (select count(*) from o where o.p_id = p.id), (select max(v) from o where o.s = p.n) from p group by p.id order by 1;
--> {"id":1,"n":"a","count":2,"max":null}
--> {"id":2,"n":"a","count":1,"max":null}
--> {"id":3,"n":"b","count":0,"max":null}

select n, (select v from o where o.id = min(p.id)) from p group by n order by 1;
--> {"n":"a","v":5}
--> {"n":"b","v":7}

select n, (select count(*) from o where o.p_id = any(array_agg(p.id))) from p group by n order by 1;
--> {"n":"a","count":3}
--> {"n":"b","count":0}

select n, sum((select count(*) from o where o.p_id = p.id)) from p group by n order by 1;
--> {"n":"a","sum":"3"}
--> {"n":"b","sum":"0"}

select n, json_agg(json_build_object('c', (select count(*) from o where o.p_id = p.id)) order by p.id) from p group by n order by 1;
--> {"n":"a","json_agg":[{"c":2},{"c":1}]}
--> {"n":"b","json_agg":[{"c":0}]}

select n, (select max(o.v + p.id) from o) from p group by n;
--> ERROR 42803: subquery uses ungrouped column "p.id" from outer query
--> AT 29

select n, (select sum(p.id) from o) from p group by n order by 1;
--> ERROR 21000: more than one row returned by a subquery used as an expression

select n, count(*) from p group by n having exists (select 1 from o where o.s = p.n);
--> no rows

select n, (select (select max(v) from o where o.p_id = p.id)) from p group by n;
--> ERROR 42803: subquery uses ungrouped column "p.id" from outer query
--> AT 56

select n, (select x.c from (select count(*) c from o where o.p_id = p.id) x) from p group by n;
--> ERROR 42803: subquery uses ungrouped column "p.id" from outer query
--> AT 69

select n, (with x as (select count(*) c from o where o.p_id = p.id) select c from x) from p group by n;
--> ERROR 42803: subquery uses ungrouped column "p.id" from outer query
--> AT 63

create view vg as select n, (select count(*) from o where o.p_id = p.id) c from p group by n;
--> ERROR 42803: subquery uses ungrouped column "p.id" from outer query
--> AT 68

create function fg() returns bigint language sql as $$ select (select count(*) from o where o.p_id = p.id) from p group by n $$;
--> ERROR 42803: subquery uses ungrouped column "p.id" from outer query
--> AT 102

create function fp() returns setof record language plpgsql as $$ begin return query select n, (select count(*) from o where o.p_id = p.id) from p group by n; end $$;
--> no rows

select * from fp() as t(n text, c bigint);
--> ERROR 42803: subquery uses ungrouped column "p.id" from outer query

select p.id, one(p.id) from p group by p.id order by 1;
--> ERROR 42883: function one(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 14

select n, one(min(p.id)) from p group by n order by 1;
--> ERROR 42883: function one(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 11

select date_trunc('month', now()) = (select date_trunc('month', now())), count(*) from p group by 1;
--> {"?column?":true,"count":3}

select s, (select n from p where p.id = o.p_id) from o group by s, p_id order by 1, 2;
--> {"s":"x","n":"a"}
--> {"s":"x","n":"a"}
--> {"s":"y","n":"a"}

select s, (select p.n from p where p.id = o.p_id limit 1) from o group by s order by 1;
--> ERROR 42803: subquery uses ungrouped column "o.p_id" from outer query
--> AT 43

select distinct n, (select count(*) from o where o.p_id = p.id) from p group by n, p.id order by 1, 2;
--> {"n":"a","count":1}
--> {"n":"a","count":2}
--> {"n":"b","count":0}

select n, (select string_agg(o.s, ',' order by o.id) from o where o.p_id = max(p.id)) from p group by n order by 1;
--> {"n":"a","string_agg":"x"}
--> {"n":"b","string_agg":null}

select grouping(n), (select count(*) from o where s = n) from p group by rollup (n) order by 1, 2;
--> {"grouping":0,"count":0}
--> {"grouping":0,"count":0}
--> {"grouping":1,"count":0}

select grouping(n), (select count(*) from o where p_id = p.id) from p group by rollup (n);
--> ERROR 42803: subquery uses ungrouped column "p.id" from outer query
--> AT 58

select coalesce((select v from o where o.p_id = p.id limit 1), 0), count(*) from p group by 1 order by 1;
--> {"coalesce":0,"count":1}
--> {"coalesce":5,"count":1}
--> {"coalesce":7,"count":1}

select (select v from o where o.p_id = p.id limit 1) as k, count(*) from p group by k order by 1;
--> {"k":5,"count":1}
--> {"k":7,"count":1}
--> {"k":null,"count":1}

select (select v from o where o.p_id = p.id limit 1) + 1, count(*) from p group by (select v from o where o.p_id = p.id limit 1);
--> {"?column?":null,"count":1}
--> {"?column?":6,"count":1}
--> {"?column?":8,"count":1}

select count(*) filter (where exists (select 1 from o where o.p_id = p.id)) from p;
--> {"count":2}

select row_number() over (order by (select count(*) from o where o.p_id = p.id)), n from p group by n;
--> ERROR 42803: subquery uses ungrouped column "p.id" from outer query
--> AT 75

select percentile_cont(0.5) within group (order by (select count(*) from o where o.p_id = p.id)) from p;
--> {"percentile_cont":1}

select mode() within group (order by n), array_agg(distinct n), string_agg(n, ',' order by id) from p;
--> {"mode":"a","array_agg":["a","b"],"string_agg":"a,a,b"}

select p.*, (select count(*) from o where o.p_id = p.id) from p group by p.id order by id limit 1;
--> {"id":1,"n":"a","amt":"10","count":2}

select x.n, (select count(*) from o where o.p_id = x.k) from (select n, min(id) k from p group by n) x group by x.n, x.k order by 1;
--> {"n":"a","count":2}
--> {"n":"b","count":0}

select x.n, (select count(*) from o where o.p_id = x.k) from (select n, min(id) k from p group by n) x group by x.n order by 1;
--> ERROR 42803: subquery uses ungrouped column "x.k" from outer query
--> AT 52
