-- Reading: joins, sub-queries, sets, CTEs, lateral, distinct on.

create table dept (id int primary key, name text);
--> no rows

create table emp (id int primary key, dept_id int, boss_id int, name text, salary int, hired date);
--> no rows

insert into dept values (1, 'ops'), (2, 'dev'), (3, 'hr');
--> no rows

insert into emp values (1, 1, null, 'ann', 500, '2020-01-01'), (2, 1, 1, 'bob', 300, '2021-05-01'), (3, 2, 1, 'cid', 400, '2021-06-01'), (4, 2, 3, 'dan', 400, '2022-01-01'), (5, null, 3, 'eve', 100, '2023-01-01');
--> no rows

select e.name, d.name as dept from emp e join dept d on d.id = e.dept_id order by e.id;
--> {"name":"ann","dept":"ops"}
--> {"name":"bob","dept":"ops"}
--> {"name":"cid","dept":"dev"}
--> {"name":"dan","dept":"dev"}

select e.name, d.name from emp e left join dept d on d.id = e.dept_id order by e.id;
--> {"name":"ops"}
--> {"name":"ops"}
--> {"name":"dev"}
--> {"name":"dev"}
--> {"name":null}

select d.name, e.name as worker from emp e right join dept d on d.id = e.dept_id order by d.id, e.id;
--> {"name":"ops","worker":"ann"}
--> {"name":"ops","worker":"bob"}
--> {"name":"dev","worker":"cid"}
--> {"name":"dev","worker":"dan"}
--> {"name":"hr","worker":null}

select d.name as d, e.name as e from emp e full join dept d on d.id = e.dept_id order by d nulls last, e nulls last;
--> {"d":"dev","e":"cid"}
--> {"d":"dev","e":"dan"}
--> {"d":"hr","e":null}
--> {"d":"ops","e":"ann"}
--> {"d":"ops","e":"bob"}
--> {"d":null,"e":"eve"}

select count(*) from emp cross join dept;
--> {"count":15}

select count(*) from emp, dept where dept_id = dept.id;
--> {"count":4}

select name from emp join dept using (name);
--> no rows

select e.name, b.name as boss from emp e left join emp b on b.id = e.boss_id order by 1;
--> {"name":"ann","boss":null}
--> {"name":"bob","boss":"ann"}
--> {"name":"cid","boss":"ann"}
--> {"name":"dan","boss":"cid"}
--> {"name":"eve","boss":"cid"}

select * from emp natural join (select 1 as dept_id, 'x' as extra) as x order by id;
--> {"dept_id":1,"id":1,"boss_id":null,"name":"ann","salary":500,"hired":"2020-01-01","extra":"x"}
--> {"dept_id":1,"id":2,"boss_id":1,"name":"bob","salary":300,"hired":"2021-05-01","extra":"x"}

select name from emp e join dept d on d.id = e.dept_id;
--> ERROR 42702: column reference "name" is ambiguous
--> AT 8

select nope.name from emp;
--> ERROR 42P01: missing FROM-clause entry for table "nope"
--> AT 8

select emp.name from emp e;
--> ERROR 42P01: invalid reference to FROM-clause entry for table "emp"
--> HINT: Perhaps you meant to reference the table alias "e".
--> AT 8

select name from emp where salary > (select avg(salary) from emp) order by name;
--> {"name":"ann"}
--> {"name":"cid"}
--> {"name":"dan"}

select name from emp where dept_id in (select id from dept where name like 'd%') order by name;
--> {"name":"cid"}
--> {"name":"dan"}

select name from dept d where exists (select 1 from emp e where e.dept_id = d.id) order by name;
--> {"name":"dev"}
--> {"name":"ops"}

select name from dept d where not exists (select 1 from emp e where e.dept_id = d.id);
--> {"name":"hr"}

select name from emp where dept_id not in (select id from dept where name = 'ops') order by name;
--> {"name":"cid"}
--> {"name":"dan"}

select name, (select count(*) from emp s where s.boss_id = e.id) as reports from emp e order by reports desc, name;
--> {"name":"ann","reports":2}
--> {"name":"cid","reports":2}
--> {"name":"bob","reports":0}
--> {"name":"dan","reports":0}
--> {"name":"eve","reports":0}

select (select name from emp);
--> ERROR 21000: more than one row returned by a subquery used as an expression

select (select id, name from emp limit 1);
--> ERROR 42601: subquery must return only one column
--> AT 8

select name from emp where salary >= all (select salary from emp);
--> {"name":"ann"}

select name from emp where (dept_id, salary) in ((1, 300), (2, 400)) order by name;
--> {"name":"bob"}
--> {"name":"cid"}
--> {"name":"dan"}

select name from emp order by salary desc, name asc limit 2;
--> {"name":"ann"}
--> {"name":"cid"}

select name from emp order by dept_id nulls first, name offset 1 limit 2;
--> {"name":"ann"}
--> {"name":"bob"}

select name from emp order by dept_id desc, name;
--> {"name":"eve"}
--> {"name":"cid"}
--> {"name":"dan"}
--> {"name":"ann"}
--> {"name":"bob"}

select name from emp order by 1 fetch first 2 rows only;
--> {"name":"ann"}
--> {"name":"bob"}

select name as n, salary * 2 as s from emp order by s desc, n limit 1;
--> {"n":"ann","s":1000}

select distinct dept_id from emp order by dept_id;
--> {"dept_id":1}
--> {"dept_id":2}
--> {"dept_id":null}

select distinct on (dept_id) dept_id, name, salary from emp order by dept_id, salary, name desc;
--> {"dept_id":1,"name":"bob","salary":300}
--> {"dept_id":2,"name":"dan","salary":400}
--> {"dept_id":null,"name":"eve","salary":100}

select distinct on (salary) name from emp order by name;
--> ERROR 42P10: SELECT DISTINCT ON expressions must match initial ORDER BY expressions
--> AT 21

select dept_id, count(*) as n, sum(salary) as total, avg(salary) as mean from emp group by dept_id order by dept_id;
--> {"dept_id":1,"n":2,"total":800,"mean":"400.0000000000000000"}
--> {"dept_id":2,"n":2,"total":800,"mean":"400.0000000000000000"}
--> {"dept_id":null,"n":1,"total":100,"mean":"100.0000000000000000"}

select d.name, count(e.id) as n from dept d left join emp e on e.dept_id = d.id group by d.id order by n desc, d.name;
--> {"name":"dev","n":2}
--> {"name":"ops","n":2}
--> {"name":"hr","n":0}

select dept_id, count(*) from emp group by dept_id having count(*) > 1 order by 1;
--> {"dept_id":1,"count":2}
--> {"dept_id":2,"count":2}

select dept_id, name from emp group by dept_id;
--> ERROR 42803: column "emp.name" must appear in the GROUP BY clause or be used in an aggregate function
--> AT 17

select name from emp having count(*) > 1;
--> ERROR 42803: column "emp.name" must appear in the GROUP BY clause or be used in an aggregate function
--> AT 8

select count(*) from emp where count(*) > 1;
--> ERROR 42803: aggregate functions are not allowed in WHERE
--> AT 32

select extract(year from hired)::int as year, count(*) from emp group by 1 order by 1;
--> {"year":2020,"count":1}
--> {"year":2021,"count":2}
--> {"year":2022,"count":1}
--> {"year":2023,"count":1}

select dept_id is null as unplaced, count(*) from emp group by unplaced order by unplaced;
--> {"unplaced":false,"count":4}
--> {"unplaced":true,"count":1}

select coalesce(d.name, 'all') as dept, sum(salary) from emp e join dept d on d.id = e.dept_id group by rollup (d.name) order by 1;
--> {"dept":"all","sum":1600}
--> {"dept":"dev","sum":800}
--> {"dept":"ops","sum":800}

select 1 as n union select 2 union select 1 order by n;
--> {"n":1}
--> {"n":2}

select 1 as n union all select 1;
--> {"n":1}
--> {"n":1}

select n from generate_series(1, 5) n intersect select n from generate_series(3, 8) n order by n;
--> {"n":3}
--> {"n":4}
--> {"n":5}

select n from generate_series(1, 5) n except select 3 order by 1;
--> {"n":1}
--> {"n":2}
--> {"n":4}
--> {"n":5}

select 1 union select 'x';
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 23

select 1, 2 union select 1;
--> ERROR 42601: each UNION query must have the same number of columns
--> AT 26

select 1 as a union select 2.5 order by a;
--> {"a":"1"}
--> {"a":"2.5"}

(select 1 as a order by 1 limit 1) union all (select 2) order by a desc;
--> {"a":2}
--> {"a":1}

with top as (select * from emp where salary >= 400) select name from top order by name;
--> {"name":"ann"}
--> {"name":"cid"}
--> {"name":"dan"}

with a as (select 1 as n), b as (select n + 1 as n from a) select a.n + b.n as total from a, b;
--> {"total":3}

with recursive chain as (select id, name, 0 as depth from emp where boss_id is null union all select e.id, e.name, c.depth + 1 from emp e join chain c on e.boss_id = c.id) select name, depth from chain order by depth, name;
--> {"name":"ann","depth":0}
--> {"name":"bob","depth":1}
--> {"name":"cid","depth":1}
--> {"name":"dan","depth":2}
--> {"name":"eve","depth":2}

with recursive n(i) as (values (1) union all select i + 1 from n where i < 5) select sum(i) from n;
--> {"sum":15}

with recursive path as (select id, name::text as path from emp where boss_id is null union all select e.id, p.path || '/' || e.name from emp e join path p on e.boss_id = p.id) select path from path order by path;
--> {"path":"ann"}
--> {"path":"ann/bob"}
--> {"path":"ann/cid"}
--> {"path":"ann/cid/dan"}
--> {"path":"ann/cid/eve"}

with recursive seen as (select 1 as n union select (n % 3) + 1 from seen) select n from seen order by n;
--> {"n":1}
--> {"n":2}
--> {"n":3}

with moved as (update emp set salary = salary + 1 where dept_id = 2 returning id, salary) select count(*) as n, max(salary) as top from moved;
--> {"n":2,"top":401}

with gone as (delete from emp where name = 'eve' returning *), kept as (select count(*) as n from emp) select gone.name, kept.n from gone, kept;
--> {"name":"eve","n":5}

with new as (insert into dept (id, name) values (4, 'law') returning id) select id from new;
--> {"id":4}

select name from dept order by id;
--> {"name":"ops"}
--> {"name":"dev"}
--> {"name":"hr"}
--> {"name":"law"}

select d.name, t.name as best, t.salary from dept d cross join lateral (select e.name, e.salary from emp e where e.dept_id = d.id order by e.salary desc, e.name limit 1) t order by d.name;
--> {"name":"dev","best":"cid","salary":401}
--> {"name":"ops","best":"ann","salary":500}

select d.name, x.n from dept d left join lateral (select count(*) as n from emp e where e.dept_id = d.id) x on true order by d.name;
--> {"name":"dev","n":2}
--> {"name":"hr","n":0}
--> {"name":"law","n":0}
--> {"name":"ops","n":2}

select t.* from (values (1, 'a'), (2, 'b')) as t (n, s) order by n desc;
--> {"n":2,"s":"b"}
--> {"n":1,"s":"a"}

select e.* from emp e where id = 1;
--> {"id":1,"dept_id":1,"boss_id":null,"name":"ann","salary":500,"hired":"2020-01-01"}

select e from emp e where id = 1;
--> {"e":"(1,1,,ann,500,2020-01-01)"}

select count(*), count(boss_id), count(distinct dept_id) from emp;
--> {"count":2}

select name from emp where name ilike 'A%' or name ~ '^b' order by name;
--> {"name":"ann"}
--> {"name":"bob"}

select name from emp where hired >= '2021-01-01' and hired < '2022-01-01' order by name;
--> {"name":"bob"}
--> {"name":"cid"}

select nope from emp;
--> ERROR 42703: column "nope" does not exist
--> HINT: Perhaps you meant to reference the column "emp.name".
--> AT 8

select * from nope;
--> ERROR 42P01: relation "nope" does not exist
--> AT 15

select name from emp where nope = 1;
--> ERROR 42703: column "nope" does not exist
--> HINT: Perhaps you meant to reference the column "emp.name".
--> AT 28

select name from emp order by nope;
--> ERROR 42703: column "nope" does not exist
--> HINT: Perhaps you meant to reference the column "emp.name".
--> AT 31

select name from emp group by nope;
--> ERROR 42703: column "nope" does not exist
--> HINT: Perhaps you meant to reference the column "emp.name".
--> AT 31

select name from emp order by 9;
--> ERROR 42P10: ORDER BY position 9 is not in select list
--> AT 31

select name from emp limit -1;
--> ERROR 2201W: LIMIT must not be negative

select * from emp as e(a, b) where a = 1;
--> {"a":1,"b":1,"boss_id":null,"name":"ann","salary":500,"hired":"2020-01-01"}

select * from emp e join emp e on true;
--> ERROR 42712: table name "e" specified more than once

select max(salary) filter (where dept_id = 1) as ops, bool_and(salary > 100) as all_paid, string_agg(name, ', ' order by name) as names from emp;
--> {"ops":500,"all_paid":true,"names":"ann, bob, cid, dan"}

select name, case when salary >= 400 then 'high' else 'low' end as band from emp where id <= 3 order by id;
--> {"name":"ann","band":"high"}
--> {"name":"bob","band":"low"}
--> {"name":"cid","band":"high"}

select sub.band, count(*) from (select case when salary >= 400 then 'high' else 'low' end as band from emp) sub group by sub.band order by 1;
--> {"band":"high","count":3}
--> {"band":"low","count":1}

select name from emp tablesample system (100) order by name;
--> {"name":"ann"}
--> {"name":"bob"}
--> {"name":"cid"}
--> {"name":"dan"}

select name from emp where id = 1 for update;
--> {"name":"ann"}

table dept;
--> {"id":1,"name":"ops"}
--> {"id":2,"name":"dev"}
--> {"id":3,"name":"hr"}
--> {"id":4,"name":"law"}

select grouping(dept_id) as g, dept_id, count(*) from emp group by grouping sets ((dept_id), ()) order by 1, 2;
--> {"g":0,"dept_id":1,"count":2}
--> {"g":0,"dept_id":2,"count":2}
--> {"g":1,"dept_id":null,"count":4}

select from emp where false;
--> no rows

select all name from emp where id = 1;
--> {"name":"ann"}

select 1 where false;
--> no rows

select *, salary / 2 as half from emp where id = 2;
--> {"id":2,"dept_id":1,"boss_id":1,"name":"bob","salary":300,"hired":"2021-05-01","half":150}

select name from emp where salary = (select max(salary) from emp where dept_id = 99);
--> no rows

select a.n, b.n as m from generate_series(1, 2) as a(n), generate_series(1, 2) as b(n) where a.n <> b.n order by 1, 2;
--> {"n":1,"m":2}
--> {"n":2,"m":1}

select * from (select 1 as x) as a, (select 2 as x) as b;
--> {"x":2}

select x from (select 1 as x) a join (select 1 as x) b using (x);
--> {"x":1}

select sum(salary) over () as s from emp where id = 1 group by salary;
--> {"s":500}
