-- Types without `=` or `<`: what would tell their values apart, or sort them, is refused.

create table t (a int, j json, p point, js json[]);
--> no rows

select distinct j from t;
--> ERROR 42883: could not identify an equality operator for type json
--> AT 17

select distinct a, j from t;
--> ERROR 42883: could not identify an equality operator for type json
--> AT 20

select distinct on (j) a from t;
--> ERROR 42883: could not identify an equality operator for type json
--> AT 21

select distinct on (a) a, j from t order by a;
--> no rows

select count(distinct j) from t;
--> ERROR 42883: could not identify an equality operator for type json
--> AT 23

select array_agg(distinct j) from t;
--> ERROR 42883: could not identify an equality operator for type json
--> AT 27

select j from t group by j;
--> ERROR 42883: could not identify an equality operator for type json
--> AT 26

select p from t group by p;
--> ERROR 42883: could not identify an equality operator for type point
--> AT 26

select j from t group by 1;
--> ERROR 42883: could not identify an equality operator for type json
--> AT 26

select a, j from t group by rollup (a, j);
--> ERROR 42883: could not identify an equality operator for type json
--> AT 40

select array[j] from t group by 1;
--> ERROR 42883: could not identify an equality operator for type json[]
--> AT 33

select js from t group by js;
--> ERROR 42883: could not identify an equality operator for type json[]
--> AT 27

select row_number() over (partition by j) from t;
--> ERROR 42883: could not identify an equality operator for type json
--> AT 40

select row_number() over (order by j) from t;
--> ERROR 42883: could not identify an ordering operator for type json
--> HINT: Use an explicit ordering operator or modify the query.
--> AT 36

select array_agg(a order by j) from t;
--> ERROR 42883: could not identify an ordering operator for type json
--> HINT: Use an explicit ordering operator or modify the query.
--> AT 29

select a from t order by j;
--> ERROR 42883: could not identify an ordering operator for type json
--> HINT: Use an explicit ordering operator or modify the query.
--> AT 26

select a from t order by t;
--> ERROR 42883: could not identify an ordering operator for type t
--> HINT: Use an explicit ordering operator or modify the query.
--> AT 26

select j from t union select j from t;
--> ERROR 42883: could not identify an equality operator for type json
--> AT 8

select a, j from t except select a, j from t;
--> ERROR 42883: could not identify an equality operator for type json
--> AT 11

select j from t intersect all select j from t;
--> ERROR 42883: could not identify an equality operator for type json
--> AT 8

select j from t union all select j from t;
--> no rows

select '{}'::json union select '{}'::json;
--> ERROR 42883: could not identify an equality operator for type json
--> AT 8

select j from t union all select null union select '{}';
--> ERROR 42883: could not identify an equality operator for type json
--> AT 8

with recursive r as (select j from t union select j from r) select * from r;
--> ERROR 42883: could not identify an equality operator for type json
--> AT 29

select t from t union select t from t;
--> ERROR 42883: could not identify an equality operator for type t
--> AT 8

select distinct t from t;
--> ERROR 42883: could not identify an equality operator for type t
--> AT 17

select distinct j::jsonb from t;
--> no rows

select distinct j::text from t order by 1;
--> no rows

select count(j), count(distinct j::text) from t;
--> {"count":0}

select json_agg(j order by a) from t;
--> {"json_agg":null}

create view v as select distinct j from t;
--> ERROR 42883: could not identify an equality operator for type json
--> AT 34

select j = j from t;
--> ERROR 42883: operator does not exist: json = json
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 10
