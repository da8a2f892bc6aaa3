-- Mistakes that PostgreSQL refuses and other databases let pass.

create table t (id int primary key, a int not null default 0, b text);
--> no rows

insert into t(id, a) values (1, 1) on conflict (id) do update set a = a + 1;
--> ERROR 42702: column reference "a" is ambiguous
--> AT 71

insert into t(id, a) values (1, 1) on conflict (id) do update set a = excluded.a where id = 1;
--> ERROR 42702: column reference "id" is ambiguous
--> AT 88

insert into t(id, a) values (1, 1) on conflict (id) do update set a = t.a + excluded.a where t.id = 1 returning id, a;
--> {"id":1,"a":1}

insert into t as x (id, a) values (1, 1) on conflict (id) do update set a = x.a + 1 returning a, x.id;
--> {"a":2,"id":1}

create function bump(n int) returns int language plpgsql as $$
begin
  insert into t(id, a) values (n, 1) on conflict (id) do update set a = a + 1;
  return 1;
end $$;
--> no rows

select bump(1);
--> ERROR 42702: column reference "a" is ambiguous

select * from (select 1);
--> ERROR 42601: subquery in FROM must have an alias
--> HINT: For example, FROM (SELECT ...) [AS] foo.
--> AT 15

select * from (select 1 as one), (select 2 as two) x;
--> ERROR 42601: subquery in FROM must have an alias
--> HINT: For example, FROM (SELECT ...) [AS] foo.
--> AT 15

select * from (values (1, 2));
--> ERROR 42601: VALUES in FROM must have an alias
--> HINT: For example, FROM (VALUES ...) [AS] foo.
--> AT 15

select * from t, lateral (select t.a);
--> ERROR 42601: subquery in FROM must have an alias
--> HINT: For example, FROM (SELECT ...) [AS] foo.
--> AT 26

select * from t join (select 1 as id) using (id);
--> ERROR 42601: subquery in FROM must have an alias
--> HINT: For example, FROM (SELECT ...) [AS] foo.
--> AT 22

select * from (select 1 as one) as x;
--> {"one":1}

select * from (t cross join (select 1 as one) x) order by id;
--> {"id":1,"a":2,"b":null,"one":1}

select * from t order by 'a';
--> ERROR 42601: non-integer constant in ORDER BY
--> AT 26

select * from t order by true;
--> ERROR 42601: non-integer constant in ORDER BY
--> AT 26

select * from t order by 1.5;
--> ERROR 42601: non-integer constant in ORDER BY
--> AT 26

select * from t order by null;
--> ERROR 42601: non-integer constant in ORDER BY
--> AT 26

select * from t order by 7;
--> ERROR 42P10: ORDER BY position 7 is not in select list
--> AT 26

select * from t order by 'a'::text, id;
--> {"id":1,"a":2,"b":null}

select a from t group by 'a';
--> ERROR 42601: non-integer constant in GROUP BY
--> AT 26

select distinct on ('a') a from t;
--> ERROR 42601: non-integer constant in DISTINCT ON
--> AT 21

select distinct on (5) a from t;
--> ERROR 42P10: DISTINCT ON position 5 is not in select list
--> AT 21

select a from t union select 1 order by 'a';
--> ERROR 42601: non-integer constant in ORDER BY
--> AT 41

select row_number() over (order by 'a') from t;
--> {"row_number":1}

select array_agg(a order by 'a') from t;
--> {"array_agg":[2]}

select string_agg(b, ',' order by 1) from t;
--> {"string_agg":null}

update t set a = count(*);
--> ERROR 42803: aggregate functions are not allowed in UPDATE
--> AT 18

update t set a = max(a);
--> ERROR 42803: aggregate functions are not allowed in UPDATE
--> AT 18

update t set a = (select count(*) from t);
--> no rows

update t set a = row_number() over ();
--> ERROR 42P20: window functions are not allowed in UPDATE
--> AT 18

update t set a = 1 where count(*) > 1;
--> ERROR 42803: aggregate functions are not allowed in WHERE
--> AT 26

delete from t where max(a) > 1;
--> ERROR 42803: aggregate functions are not allowed in WHERE
--> AT 21

insert into t(id) values (count(*));
--> ERROR 42803: aggregate functions are not allowed in VALUES
--> AT 27

insert into t(id) values (row_number() over ());
--> ERROR 42P20: window functions are not allowed in VALUES
--> AT 27

create table u (id int);
--> no rows

select count() from t;
--> ERROR 42809: count(*) must be used to call a parameterless aggregate function
--> AT 8

select lower(b) over () from t;
--> ERROR 42809: OVER specified, but lower is not a window function nor an aggregate function
--> AT 8

select t.id from t left join u;
--> ERROR 42601: syntax error at or near ";"
--> AT 31

select t.id from t join u where true;
--> ERROR 42601: syntax error at or near "where"
--> AT 27

select t.id from t inner join u x order by 1;
--> ERROR 42601: syntax error at or near "order"
--> AT 35

select t.id from t full join u;
--> ERROR 42601: syntax error at or near ";"
--> AT 31

select t.id from t natural join u;
--> no rows

select t.id from t cross join u;
--> no rows

with x as (insert into t(id) values (9)) select * from x;
--> ERROR 0A000: WITH query "x" does not have a RETURNING clause
--> AT 56

with x as (insert into t(id) values (9) returning id) select * from x;
--> {"id":9}

update t set a = 1 limit 1;
--> ERROR 42601: syntax error at or near "limit"
--> AT 20

update t set a = 1 where id = 9 order by id;
--> ERROR 42601: syntax error at or near "order"
--> AT 33

delete from t limit 1;
--> ERROR 42601: syntax error at or near "limit"
--> AT 15

delete from t where id = 9 order by id limit 1;
--> ERROR 42601: syntax error at or near "order"
--> AT 28

create table made as select 1, 2;
--> ERROR 42701: column "?column?" specified more than once

create table made as select a, a from t;
--> ERROR 42701: column "a" specified more than once

create table made (x, y) as select a, a from t;
--> no rows

create materialized view seen as select a, a from t;
--> ERROR 42701: column "a" specified more than once

with recursive x(a) as (select 1 union all select max(a) from x) select * from x;
--> ERROR 42P19: aggregate functions are not allowed in a recursive query's recursive term
--> AT 51

with recursive x(a) as (select 1 union all select a + 1 from x order by a) select * from x;
--> ERROR 0A000: ORDER BY in a recursive query is not implemented
--> AT 73

with recursive x(a) as (select 1 union all select a + 1 from x limit 5) select * from x;
--> ERROR 0A000: LIMIT in a recursive query is not implemented
--> AT 70

with recursive x(a) as (select 1 union all select a + 1 from x offset 5) select * from x;
--> ERROR 0A000: OFFSET in a recursive query is not implemented
--> AT 71

with recursive x(a) as (select 1 union all select a + 1 from x where a < 3) select * from x order by a limit 5;
--> {"a":1}
--> {"a":2}
--> {"a":3}

with recursive x(a) as (select 1 union all select 2 order by 1 limit 1) select * from x;
--> {"a":1}

with recursive x(a) as (select 1 union all select x.a + 1 from x join t on t.id = x.a) select count(*) from x;
--> {"count":2}

select array[[1, 2], [3]];
--> ERROR 2202E: multidimensional arrays must have array expressions with matching dimensions

select array[array[1], array[1, 2]];
--> ERROR 2202E: multidimensional arrays must have array expressions with matching dimensions

select array[[1, 2], [3, 4]] as a, array[array[1], array[2]] as b;
--> {"a":[[1,2],[3,4]],"b":[[1],[2]]}
