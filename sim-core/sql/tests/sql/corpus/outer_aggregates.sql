-- Aggregates in a query inside of the one that they belong to.

create table t(k text, d date, tags text[], v int);
--> no rows

insert into t values ('a','2024-01-01','{x,y}',1),('a','2024-01-03','{y,z}',2),('b','2024-01-02',null,3);
--> no rows

select k, (select count(distinct c) from unnest(array_agg(v)) c) from t group by k order by k;
--> {"k":"a","count":2}
--> {"k":"b","count":1}

select k, array(select distinct u from unnest(array_agg(v)) u order by u) from t group by k order by k;
--> {"k":"a","array":[1,2]}
--> {"k":"b","array":[3]}

select k, (select count(*) from t t2 where t2.v <= sum(t.v)) from t group by k order by k;
--> {"k":"a","count":3}
--> {"k":"b","count":3}

select k, exists (select 1 from t b where b.v = max(t.v) + 1) from t group by k order by k;
--> {"k":"a","exists":true}
--> {"k":"b","exists":false}

select k, array(select distinct unnest(array_agg(v)) order by 1) from t group by k order by k;
--> {"k":"a","array":[1,2]}
--> {"k":"b","array":[3]}

select unnest(array_agg(v)) from t;
--> {"unnest":1}
--> {"unnest":2}
--> {"unnest":3}

select generate_series(min(d), max(d), '1 day') from t;
--> {"generate_series":"2024-01-01 00:00:00+00"}
--> {"generate_series":"2024-01-02 00:00:00+00"}
--> {"generate_series":"2024-01-03 00:00:00+00"}

select jsonb_array_elements(jsonb_agg(v)) from t;
--> {"jsonb_array_elements":1}
--> {"jsonb_array_elements":2}
--> {"jsonb_array_elements":3}

select k, (select max(t.v)) from t group by k order by k;
--> {"k":"a","max":2}
--> {"k":"b","max":3}

select k, (select max(t.v) + b.v from t b where b.v = 3) from t group by k order by k;
--> {"k":"a","?column?":5}
--> {"k":"b","?column?":6}

select (select max(t.v)) from t;
--> {"max":3}

select (select count(t.v) from t b limit 1) from t;
--> {"count":3}

select (select array_agg(b.v order by b.v) from t b where b.v < max(t.v)) from t;
--> {"array_agg":[1,2]}

select k, (select string_agg(x.u::text, ',' order by x.u) from (select distinct u from unnest(array_agg(t.v)) u) x) from t group by k order by k;
--> {"k":"a","string_agg":"1,2"}
--> {"k":"b","string_agg":"3"}

select k from t group by k having exists (select 1 from t b where b.v = max(t.v) + 1);
--> {"k":"a"}

select k from t group by k order by (select max(t.v) * -1);
--> {"k":"b"}
--> {"k":"a"}

select k from t where (select max(t.v)) > 1 group by k;
--> ERROR 42803: aggregate functions are not allowed in WHERE
--> AT 31

select k from t where exists (select 1 from t b where b.v = max(t.v));
--> ERROR 42803: aggregate functions are not allowed in WHERE
--> AT 61

select b.m from t, lateral (select max(t.v) m) b;
--> ERROR 42803: aggregate functions are not allowed in FROM clause of their own query level
--> AT 36

update t set v = (select max(t.v));
--> ERROR 42803: aggregate functions are not allowed in UPDATE
--> AT 26

delete from t where v = (select max(t.v));
--> ERROR 42803: aggregate functions are not allowed in WHERE
--> AT 33

select sum((select max(t.v))) from t;
--> ERROR 42803: aggregate function calls cannot be nested
--> AT 20

select (select sum(t.v) over ()) from t;
--> {"sum":1}
--> {"sum":2}
--> {"sum":3}

select k, (select sum(t.v + b.v) from t b) from t group by k, v order by 1, 2;
--> {"k":"a","sum":9}
--> {"k":"a","sum":12}
--> {"k":"b","sum":15}

select k, (select (select max(t.v))) from t group by k order by k;
--> {"k":"a","max":2}
--> {"k":"b","max":3}

select k, (select (select max(t.v) from t c limit 1) from t b limit 1) from t group by k order by k;
--> {"k":"a","max":2}
--> {"k":"b","max":3}

select k, (select (select max(b.v)) from t b) from t group by k order by k;
--> {"k":"a","max":3}
--> {"k":"b","max":3}

select k, (select count(*) filter (where t.v > 1)) from t group by k order by k;
--> {"k":"a","count":1}
--> {"k":"b","count":1}

select k, (select json_agg(x) from (select unnest(array_agg(t.v)) as x order by 1) q) from t group by k order by k;
--> {"k":"a","json_agg":[1,2]}
--> {"k":"b","json_agg":[3]}

select k, v in (select max(t.v) from t b) from t group by k, v order by k, v;
--> {"k":"a","?column?":true}
--> {"k":"a","?column?":true}
--> {"k":"b","?column?":true}

select k, max(v) = any (select b.v from t b) from t group by k order by k;
--> {"k":"a","?column?":true}
--> {"k":"b","?column?":true}

select k, (select b.k from t b where b.v = count(*) limit 1) from t group by k order by k;
--> ERROR 42803: aggregate functions are not allowed in WHERE
--> AT 44

create view vv as select k, array(select distinct u from unnest(array_agg(v)) u order by u) us from t group by k;
--> no rows

select * from vv order by k;
--> {"k":"a","us":[1,2]}
--> {"k":"b","us":[3]}

create function ff() returns table(k text, n bigint) language sql as $$ select k, (select count(distinct c) from unnest(array_agg(v)) c) from t group by k $$;
--> no rows

select * from ff() order by 1;
--> {"k":"a","n":2}
--> {"k":"b","n":1}

create function fp() returns setof int language plpgsql as $$ begin return query select unnest(array_agg(v order by v)) from t; end $$;
--> no rows

select * from fp();
--> {"fp":1}
--> {"fp":2}
--> {"fp":3}

delete from t where v in (select unnest((array_agg(v order by v))[2:]) from t group by k having count(*) > 1) returning v;
--> {"v":2}

insert into t(v) select unnest(array_agg(v + 10 order by v)) from t returning v;
--> {"v":11}
--> {"v":13}

select (select count(*) from t b where b.v < avg(t.v) group by b.k limit 1) from t;
--> {"count":1}

select sum(count(*)) from t;
--> ERROR 42803: aggregate function calls cannot be nested
--> AT 12

select k, (select count(*) from jsonb_array_elements(jsonb_agg(t.tags)) e) from t group by grouping sets ((k), ()) order by k, 2;
--> {"k":"a","count":1}
--> {"k":"b","count":1}
--> {"k":null,"count":2}
--> {"k":null,"count":4}
