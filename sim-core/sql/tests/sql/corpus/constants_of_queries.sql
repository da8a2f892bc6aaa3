-- Constants of queries, which are computed before any row is read.

create table t(a int); create table t1(a int); insert into t1 values (1),(2);
--> no rows

select 1/0 from t where false;
--> ERROR 22012: division by zero

select 1/0 from t1 where false;
--> ERROR 22012: division by zero

select 1/0 where false;
--> ERROR 22012: division by zero

select case when false then 1/0 end;
--> {"case":null}

select case when true then 1 else 1/0 end;
--> {"case":1}

select a from t where 1/0 = 1;
--> ERROR 22012: division by zero

select a from t1 where 1/0 = 1;
--> ERROR 22012: division by zero

select 1/0 from t;
--> ERROR 22012: division by zero

select 1/0 from t limit 0;
--> ERROR 22012: division by zero

select a, 1/0 from t;
--> ERROR 22012: division by zero

select case when a = 1 then 1/0 end from t;
--> ERROR 22012: division by zero

select case when a = 5 then 1/0 end from t1;
--> ERROR 22012: division by zero

select case a when 5 then 1/0 else 2 end from t1;
--> ERROR 22012: division by zero

select case 1 when 5 then 1/0 else 2 end from t1;
--> {"case":2}
--> {"case":2}

select case 1 when 5 then 1/0 else 2 end;
--> {"case":2}

select coalesce(1, 1/0);
--> {"coalesce":1}

select coalesce(a, 1/0) from t1;
--> ERROR 22012: division by zero

select coalesce(a, 1/0) from t;
--> ERROR 22012: division by zero

select coalesce(null, 1, 1/0) from t1;
--> {"coalesce":1}
--> {"coalesce":1}

select a from t1 where true or 1/0 = 1;
--> {"a":1}
--> {"a":2}

select a from t1 where 1/0 = 1 or true;
--> ERROR 22012: division by zero

select a from t1 where false and 1/0 = 1;
--> no rows

select a from t1 where 1/0 = 1 and false;
--> ERROR 22012: division by zero

select a from t1 where a = 1 or 1/0 = 1;
--> ERROR 22012: division by zero

select a from t where a = 1 and 1/0 = 1;
--> ERROR 22012: division by zero

select nullif(1, 1/0) from t;
--> ERROR 22012: division by zero

select greatest(1, 1/0) from t;
--> ERROR 22012: division by zero

select array[1/0] from t;
--> ERROR 22012: division by zero

select row(1/0) from t;
--> ERROR 22012: division by zero

select 'x'::int from t;
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 8

select 'x'::text::int from t;
--> ERROR 22P02: invalid input syntax for type integer: "x"

select cast('x'::text as int) from t where false;
--> ERROR 22P02: invalid input syntax for type integer: "x"

select sqrt(-1) from t;
--> ERROR 2201F: cannot take square root of a negative number

select ln(0) from t;
--> ERROR 2201E: cannot take logarithm of zero

select substring('a' from 1 for -1) from t;
--> ERROR 22011: negative substring length not allowed

select '{1'::text::int[] from t;
--> no rows

select to_date('x','YYYY') from t;
--> no rows

select to_timestamp('2020-13','YYYY-MM') from t;
--> no rows

select 2147483647 + 1 from t;
--> ERROR 22003: integer out of range

select repeat('a', -1), 1::numeric / 0 from t;
--> ERROR 22012: division by zero

select 1/0::float8 from t;
--> ERROR 22012: division by zero

select now() + interval '1 day' * (1/0) from t;
--> ERROR 22012: division by zero

select random() / 0 from t;
--> no rows

select current_date / (1/0) from t;
--> ERROR 42883: operator does not exist: date / integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 21

select count(1/0) from t;
--> ERROR 22012: division by zero

select sum(a) from t having 1/0 = 1;
--> ERROR 22012: division by zero

select count(*) from t group by 1/0;
--> ERROR 22012: division by zero

select a from t order by 1/0;
--> ERROR 22012: division by zero

select a from t order by a + 1/0;
--> ERROR 22012: division by zero

select a from t limit 1/0;
--> ERROR 22012: division by zero

select a from t offset 1/0;
--> ERROR 22012: division by zero

select (select 1/0) from t;
--> ERROR 22012: division by zero

select (select 1/0 from t1) from t;
--> ERROR 22012: division by zero

select (select a from t1 where a = 1/0) from t;
--> ERROR 22012: division by zero

select a from t where exists (select 1/0);
--> no rows

select a from t where exists (select 1/0 from t1);
--> no rows

select exists (select 1/0 from t1);
--> {"exists":true}

select exists (select 1/0);
--> {"exists":true}

select a from t where a in (1, 1/0);
--> ERROR 22012: division by zero

select a from t where a in (select 1/0);
--> ERROR 22012: division by zero

select * from (select 1/0 as x) s where false;
--> ERROR 22012: division by zero

select 1 from (select 1/0 as x) s;
--> {"?column?":1}

select 1 from (select 1/0 as x from t1) s;
--> {"?column?":1}
--> {"?column?":1}

select x from (select 1/0 as x from t) s;
--> ERROR 22012: division by zero

select 1 from (select 1/0 as x from t1 offset 0) s;
--> {"?column?":1}
--> {"?column?":1}

with w as (select 1/0 as x from t) select 1;
--> {"?column?":1}

with w as (select 1/0 as x) select 1;
--> {"?column?":1}

with w as materialized (select 1/0 as x) select 1 from t;
--> no rows

with w as (select 1/0 as x) select * from w where false;
--> ERROR 22012: division by zero

select * from t1 join t on 1/0 = 1;
--> ERROR 22012: division by zero

select * from t1 left join t on 1/0 = 1;
--> ERROR 22012: division by zero

insert into t select 1/0 from t;
--> ERROR 22012: division by zero

insert into t values (case when false then 1/0 end);
--> no rows

update t set a = 1/0;
--> ERROR 22012: division by zero

update t set a = 1 where 1/0 = 1;
--> ERROR 22012: division by zero

delete from t where 1/0 = 1;
--> ERROR 22012: division by zero

update t set a = 1/0 where false;
--> ERROR 22012: division by zero

select 1/0 from t union all select 1;
--> ERROR 22012: division by zero

select 1 union all select 1/0 from t;
--> ERROR 22012: division by zero

values (1), (1/0);
--> ERROR 22012: division by zero

select 1 where 1/0 = 1 and false;
--> ERROR 22012: division by zero

select 1 where false and 1/0 = 1;
--> no rows

select * from generate_series(1, 1/0) where false;
--> ERROR 22012: division by zero

select a / 0 from t;
--> {"?column?":null}

select a from t where a / 0 = 1;
--> no rows

select 1 from t where null and 1/0 = 1;
--> ERROR 22012: division by zero

select 1 from t where null::bool or 1/0 = 1;
--> ERROR 22012: division by zero

select not (1/0 = 1) from t;
--> ERROR 22012: division by zero

select (1/0) is null from t;
--> ERROR 22012: division by zero

select 1/0 = any(array[1]) from t;
--> ERROR 22012: division by zero

select 1 = any(array[1/0]) from t;
--> ERROR 22012: division by zero

select abs(1/0), -(1/0) from t;
--> ERROR 22012: division by zero

select null + 1/0 from t;
--> ERROR 22012: division by zero

select 1/0 + null from t;
--> ERROR 22012: division by zero

select a + null + 1/0 from t;
--> ERROR 22012: division by zero

select concat('a', 1/0) from t;
--> ERROR 22012: division by zero

select coalesce(null::int, 1/0) from t;
--> ERROR 22012: division by zero

select '2020-01-01'::date + 1/0 from t;
--> ERROR 22012: division by zero

select ('x' || 'y')::int from t;
--> ERROR 22P02: invalid input syntax for type integer: "xy"

select upper('x')::int from t;
--> ERROR 22P02: invalid input syntax for type integer: "X"

select lower('x')::date from t;
--> ERROR 22007: invalid input syntax for type date: "x"

select '[1'::text::json from t;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: The input string ended unexpectedly.

select cast('abc' as varchar(2))::int from t;
--> ERROR 22P02: invalid input syntax for type integer: "ab"

select 1/0 from t1 where a > 5;
--> ERROR 22012: division by zero

select a from t1 where a > 5 and 1/0 > 1;
--> ERROR 22012: division by zero

select a from t1 where a > 5 and a > 1/0;
--> ERROR 22012: division by zero

select case when a > 5 then 'x'::text::int end from t1;
--> ERROR 22P02: invalid input syntax for type integer: "x"

select case when a > 5 then 1/(a-a) end from t1;
--> {"case":null}
--> {"case":null}

select case when a > 5 then 1/(1-1) end from t1;
--> ERROR 22012: division by zero

select count(*) filter (where 1/0 = 1) from t;
--> ERROR 22012: division by zero

select sum(1/0) over () from t;
--> ERROR 22012: division by zero

select rank() over (order by 1/0) from t;
--> ERROR 22012: division by zero

select generate_series(1, 1/0) from t;
--> ERROR 22012: division by zero

select jsonb_build_object('a', 1/0) from t;
--> ERROR 22012: division by zero

select distinct 1/0 from t;
--> ERROR 22012: division by zero

select distinct on (1/0) a from t;
--> ERROR 22012: division by zero

select 1 from t group by a having 1/0 = 1;
--> ERROR 22012: division by zero
