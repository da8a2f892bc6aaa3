-- Functions that return sets among targets: called for each group, and after windows.

create table t(k text, d date, tags text[], v int);
--> no rows

insert into t values ('a','2024-01-01','{x,y}',1),('a','2024-01-03','{y,z}',2),('b','2024-01-02',null,3);
--> no rows

select sum(v) over (order by v), unnest(tags) from t;
--> {"sum":1,"unnest":"x"}
--> {"sum":1,"unnest":"y"}
--> {"sum":3,"unnest":"y"}
--> {"sum":3,"unnest":"z"}

select row_number() over (order by v desc) n, unnest(tags) as tag, v from t order by tag, n;
--> {"n":3,"tag":"x","v":1}
--> {"n":2,"tag":"y","v":2}
--> {"n":3,"tag":"y","v":1}
--> {"n":2,"tag":"z","v":2}

select count(*) over (), generate_series(1, v) from t order by v limit 3;
--> {"count":3,"generate_series":1}
--> {"count":3,"generate_series":1}
--> {"count":3,"generate_series":2}

select rank() over w, unnest(tags) from t window w as (order by v);
--> {"rank":1,"unnest":"x"}
--> {"rank":1,"unnest":"y"}
--> {"rank":2,"unnest":"y"}
--> {"rank":2,"unnest":"z"}

select distinct count(*) over (), unnest(tags) as u from t order by u;
--> {"count":3,"u":"x"}
--> {"count":3,"u":"y"}
--> {"count":3,"u":"z"}

select generate_series(1, (row_number() over (order by v))::int), v from t;
--> {"generate_series":1,"v":1}
--> {"generate_series":1,"v":2}
--> {"generate_series":2,"v":2}
--> {"generate_series":1,"v":3}
--> {"generate_series":2,"v":3}
--> {"generate_series":3,"v":3}

select count(unnest(tags)) from t;
--> ERROR 0A000: aggregate function calls cannot contain set-returning function calls
--> HINT: You might be able to move the set-returning function into a LATERAL FROM item.
--> AT 14

select sum(generate_series(1,v)) over () from t;
--> ERROR 0A000: window function calls cannot contain set-returning function calls
--> HINT: You might be able to move the set-returning function into a LATERAL FROM item.
--> AT 12

select coalesce(unnest(tags),'x') from t;
--> ERROR 0A000: set-returning functions are not allowed in COALESCE
--> HINT: You might be able to move the set-returning function into a LATERAL FROM item.
--> AT 17

select case when v > 1 then unnest(tags) end from t;
--> ERROR 0A000: set-returning functions are not allowed in CASE
--> HINT: You might be able to move the set-returning function into a LATERAL FROM item.
--> AT 29

select case when unnest(tags) = 'x' then 1 end from t;
--> ERROR 42804: argument of CASE/WHEN must not return a set
--> AT 18

select nullif(unnest(tags), 'x') from t;
--> {"nullif":null}
--> {"nullif":"y"}
--> {"nullif":"y"}
--> {"nullif":"z"}

select greatest(unnest(tags), 'x') from t;
--> {"greatest":"x"}
--> {"greatest":"y"}
--> {"greatest":"y"}
--> {"greatest":"z"}

select coalesce(v, (select unnest(array[1]))) from t;
--> {"coalesce":1}
--> {"coalesce":2}
--> {"coalesce":3}

select upper(unnest(tags)) from t;
--> {"upper":"X"}
--> {"upper":"Y"}
--> {"upper":"Y"}
--> {"upper":"Z"}

select array[unnest(tags)] from t;
--> {"array":["x"]}
--> {"array":["y"]}
--> {"array":["y"]}
--> {"array":["z"]}

select unnest(tags) in ('x') from t;
--> ERROR 42804: argument of IN must not return a set
--> AT 8

select v from t where unnest(tags) = 'x';
--> ERROR 0A000: set-returning functions are not allowed in WHERE
--> AT 23

select unnest(tags) as tag, count(*) from t group by tag order by tag;
--> {"tag":"x","count":1}
--> {"tag":"y","count":2}
--> {"tag":"z","count":1}

select unnest(tags) as tag, count(*) from t group by 1 order by 2 desc, 1;
--> {"tag":"y","count":2}
--> {"tag":"x","count":1}
--> {"tag":"z","count":1}

select count(*) from t group by unnest(tags) order by 1;
--> {"count":1}
--> {"count":1}
--> {"count":2}

select v from t order by unnest(tags), v;
--> {"v":1}
--> {"v":1}
--> {"v":2}
--> {"v":2}

select v, unnest(tags) from t order by 2 desc, 1;
--> {"v":2,"unnest":"z"}
--> {"v":1,"unnest":"y"}
--> {"v":2,"unnest":"y"}
--> {"v":1,"unnest":"x"}

select k, unnest(array[1,2]) from t group by k order by 1,2;
--> {"k":"a","unnest":1}
--> {"k":"a","unnest":2}
--> {"k":"b","unnest":1}
--> {"k":"b","unnest":2}

select k, count(*), unnest(array[1,2]) from t group by k order by 1,3;
--> {"k":"a","count":2,"unnest":1}
--> {"k":"a","count":2,"unnest":2}
--> {"k":"b","count":1,"unnest":1}
--> {"k":"b","count":1,"unnest":2}

select count(*), unnest(array[1,2]) from t;
--> {"count":3,"unnest":1}
--> {"count":3,"unnest":2}

select unnest(array[1,2]) from t having count(*) > 1;
--> {"unnest":1}
--> {"unnest":2}

select k, unnest(array_agg(v)) x, row_number() over (order by k) from t group by k order by 1,2;
--> {"k":"a","x":1,"row_number":1}
--> {"k":"a","x":2,"row_number":1}
--> {"k":"b","x":3,"row_number":2}

select unnest(tags) tag, count(*), unnest(array_agg(k order by k)) from t group by tag order by 1,3;
--> {"tag":"x","count":1,"unnest":"a"}
--> {"tag":"y","count":2,"unnest":"a"}
--> {"tag":"y","count":2,"unnest":"a"}
--> {"tag":"z","count":1,"unnest":"a"}

select unnest(tags) tag, row_number() over (order by count(*) desc, unnest(tags)) from t group by 1 order by 1;
--> {"tag":"x","row_number":2}
--> {"tag":"y","row_number":1}
--> {"tag":"z","row_number":3}

select distinct on (k) k, unnest(array_agg(v)) from t group by k order by k, 2 desc;
--> {"k":"a","unnest":2}
--> {"k":"b","unnest":3}

select row_number() over (order by v), unnest(tags) from t;
--> {"row_number":1,"unnest":"x"}
--> {"row_number":1,"unnest":"y"}
--> {"row_number":2,"unnest":"y"}
--> {"row_number":2,"unnest":"z"}

select unnest(array[count(*), sum(v)]) as a, unnest(array['c','s','q']) as b from t;
--> {"a":3,"b":"c"}
--> {"a":6,"b":"s"}
--> {"a":null,"b":"q"}
