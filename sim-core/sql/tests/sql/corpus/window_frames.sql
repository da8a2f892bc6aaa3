-- Frames of windows: groups, exclusions, distances; first rows with ties; samples.

create table m (id int primary key, team text, pts int, score float8, at timestamptz, day date);
--> no rows

insert into m values (1,'a',10,1.5,'2024-01-01 00:00Z','2024-01-01'),(2,'a',20,2.5,'2024-01-01 06:00Z','2024-01-01'),(3,'a',20,2.5,'2024-01-02 00:00Z','2024-01-02'),(4,'b',5,0.5,'2024-01-03 12:00Z','2024-01-03'),(5,'b',20,4.0,'2024-01-05 00:00Z','2024-01-05'),(6,'b',null,null,'2024-01-09 00:00Z','2024-01-09');
--> no rows

select id, sum(pts) over (order by id rows between unbounded preceding and unbounded following exclude current row) as others from m order by id;
--> {"id":1,"others":65}
--> {"id":2,"others":55}
--> {"id":3,"others":55}
--> {"id":4,"others":70}
--> {"id":5,"others":55}
--> {"id":6,"others":75}

select id, sum(pts) over (order by pts rows between unbounded preceding and current row exclude ties) as s from m where pts is not null order by pts, id;
--> {"id":4,"s":5}
--> {"id":1,"s":15}
--> {"id":2,"s":35}
--> {"id":3,"s":35}
--> {"id":5,"s":35}

select id, count(*) over (order by pts groups between 1 preceding and 1 following exclude group) as n from m order by id;
--> {"id":1,"n":4}
--> {"id":2,"n":2}
--> {"id":3,"n":2}
--> {"id":4,"n":1}
--> {"id":5,"n":2}
--> {"id":6,"n":3}

select id, count(*) over (order by pts range between unbounded preceding and unbounded following exclude ties) as n from m order by id;
--> {"id":1,"n":6}
--> {"id":2,"n":4}
--> {"id":3,"n":4}
--> {"id":4,"n":6}
--> {"id":5,"n":4}
--> {"id":6,"n":6}

select id, array_agg(id) over (partition by team order by id rows between 1 preceding and 1 following exclude no others) as ids from m order by id;
--> {"id":1,"ids":[1,2]}
--> {"id":2,"ids":[1,2,3]}
--> {"id":3,"ids":[2,3]}
--> {"id":4,"ids":[4,5]}
--> {"id":5,"ids":[4,5,6]}
--> {"id":6,"ids":[5,6]}

select id, array_agg(id) over (partition by team order by id rows 1 preceding exclude current row) as ids from m order by id;
--> {"id":1,"ids":null}
--> {"id":2,"ids":[1]}
--> {"id":3,"ids":[2]}
--> {"id":4,"ids":null}
--> {"id":5,"ids":[4]}
--> {"id":6,"ids":[5]}

select id, avg(pts) over w as mean, max(pts) over w as top from m window w as (partition by team order by id rows between unbounded preceding and unbounded following exclude current row) order by id;
--> {"id":1,"mean":"20.0000000000000000","top":20}
--> {"id":2,"mean":"15.0000000000000000","top":20}
--> {"id":3,"mean":"15.0000000000000000","top":20}
--> {"id":4,"mean":"20.0000000000000000","top":20}
--> {"id":5,"mean":"5.0000000000000000","top":5}
--> {"id":6,"mean":"12.5000000000000000","top":20}

select id, first_value(id) over (w rows between 1 preceding and 1 following exclude current row) as f from m window w as (partition by team order by id) order by id;
--> {"id":1,"f":2}
--> {"id":2,"f":1}
--> {"id":3,"f":2}
--> {"id":4,"f":5}
--> {"id":5,"f":4}
--> {"id":6,"f":5}

select id, last_value(id) over (order by id rows between current row and 2 following exclude current row) as l from m order by id;
--> {"id":1,"l":3}
--> {"id":2,"l":4}
--> {"id":3,"l":5}
--> {"id":4,"l":6}
--> {"id":5,"l":6}
--> {"id":6,"l":null}

select id, nth_value(id, 2) over (partition by team order by id rows between unbounded preceding and unbounded following exclude ties) as second from m order by id;
--> {"id":1,"second":2}
--> {"id":2,"second":2}
--> {"id":3,"second":2}
--> {"id":4,"second":5}
--> {"id":5,"second":5}
--> {"id":6,"second":5}

select id, sum(pts) over (order by pts range between 10 preceding and 10 following) as s from m where pts is not null order by id;
--> {"id":1,"s":75}
--> {"id":2,"s":70}
--> {"id":3,"s":70}
--> {"id":4,"s":15}
--> {"id":5,"s":70}

select id, sum(pts) over (order by pts desc range between 5 preceding and current row) as s from m where pts is not null order by id;
--> {"id":1,"s":10}
--> {"id":2,"s":60}
--> {"id":3,"s":60}
--> {"id":4,"s":15}
--> {"id":5,"s":60}

select id, sum(score) over (order by score range between 1.0 preceding and 1.0 following) as s from m where score is not null order by id;
--> {"id":1,"s":7}
--> {"id":2,"s":6.5}
--> {"id":3,"s":6.5}
--> {"id":4,"s":2}
--> {"id":5,"s":4}

select id, count(*) over (order by at range between interval '1 day' preceding and current row) as n from m order by id;
--> {"id":1,"n":1}
--> {"id":2,"n":2}
--> {"id":3,"n":3}
--> {"id":4,"n":1}
--> {"id":5,"n":1}
--> {"id":6,"n":1}

select id, count(*) over (order by at range between interval '6 hours' preceding and interval '12 hours' following) as n from m order by id;
--> {"id":1,"n":2}
--> {"id":2,"n":2}
--> {"id":3,"n":1}
--> {"id":4,"n":1}
--> {"id":5,"n":1}
--> {"id":6,"n":1}

select id, count(*) over (order by at desc range between '2 days'::interval preceding and current row) as n from m order by id;
--> {"id":1,"n":3}
--> {"id":2,"n":2}
--> {"id":3,"n":2}
--> {"id":4,"n":2}
--> {"id":5,"n":1}
--> {"id":6,"n":1}

select id, sum(pts) over (partition by team order by day range between interval '1 day' preceding and current row) as n from m order by id;
--> {"id":1,"n":30}
--> {"id":2,"n":30}
--> {"id":3,"n":50}
--> {"id":4,"n":5}
--> {"id":5,"n":20}
--> {"id":6,"n":null}

select id, count(*) over (order by day range between '2 days' preceding and '1 day' following) as n from m order by id;
--> {"id":1,"n":3}
--> {"id":2,"n":3}
--> {"id":3,"n":4}
--> {"id":4,"n":4}
--> {"id":5,"n":2}
--> {"id":6,"n":1}

select id, count(*) over (order by day range between interval '1 month' preceding and current row exclude current row) as n from m order by id;
--> {"id":1,"n":1}
--> {"id":2,"n":1}
--> {"id":3,"n":2}
--> {"id":4,"n":3}
--> {"id":5,"n":4}
--> {"id":6,"n":5}

select id, sum(pts) over (order by id rows between 2 preceding and 1 preceding) as s from m order by id;
--> {"id":1,"s":null}
--> {"id":2,"s":10}
--> {"id":3,"s":30}
--> {"id":4,"s":40}
--> {"id":5,"s":25}
--> {"id":6,"s":25}

select id, sum(pts) over (order by id rows between 1 following and 2 following) as s from m order by id;
--> {"id":1,"s":40}
--> {"id":2,"s":25}
--> {"id":3,"s":25}
--> {"id":4,"s":20}
--> {"id":5,"s":null}
--> {"id":6,"s":null}

select id, sum(pts) over (order by id rows between (1 + 1) preceding and current row) as s from m order by id;
--> {"id":1,"s":10}
--> {"id":2,"s":30}
--> {"id":3,"s":50}
--> {"id":4,"s":45}
--> {"id":5,"s":45}
--> {"id":6,"s":25}

select id, sum(pts) over (order by id rows -1 preceding) from m;
--> ERROR 22013: frame starting offset must not be negative

select id, sum(pts) over (rows between current row and 1 preceding) from m;
--> ERROR 42P20: frame starting from current row cannot have preceding rows
--> AT 56

select id, sum(pts) over (order by team, id range between 1 preceding and current row) from m;
--> ERROR 42P20: RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column
--> AT 26

select id, sum(pts) over (groups between 1 preceding and current row) from m;
--> ERROR 42P20: GROUPS mode requires an ORDER BY clause
--> AT 26

select id, ntile(4) over (order by id) as n, percent_rank() over (order by pts) as p, cume_dist() over (order by pts) as c from m order by id;
--> {"id":1,"n":1,"p":0.2,"c":0.3333333333333333}
--> {"id":2,"n":1,"p":0.4,"c":0.8333333333333334}
--> {"id":3,"n":2,"p":0.4,"c":0.8333333333333334}
--> {"id":4,"n":2,"p":0,"c":0.16666666666666666}
--> {"id":5,"n":3,"p":0.4,"c":0.8333333333333334}
--> {"id":6,"n":4,"p":1,"c":1}

select id, lag(pts, 2, 0) over (order by id) as l, lead(pts) over (partition by team order by id) as f from m order by id;
--> {"id":1,"l":0,"f":20}
--> {"id":2,"l":0,"f":20}
--> {"id":3,"l":10,"f":null}
--> {"id":4,"l":20,"f":20}
--> {"id":5,"l":20,"f":null}
--> {"id":6,"l":5,"f":null}

select id, pts from m order by pts desc nulls last fetch first 1 row with ties;
--> {"id":2,"pts":20}
--> {"id":3,"pts":20}
--> {"id":5,"pts":20}

select id, pts from m order by pts nulls last fetch first 3 rows with ties;
--> {"id":4,"pts":5}
--> {"id":1,"pts":10}
--> {"id":2,"pts":20}
--> {"id":3,"pts":20}
--> {"id":5,"pts":20}

select pts from m order by pts desc nulls last offset 1 fetch next 1 rows with ties;
--> {"pts":20}
--> {"pts":20}

select team from m order by pts desc nulls last, id fetch first 2 rows with ties;
--> {"team":"a"}
--> {"team":"a"}

select team, sum(pts) as total from m group by team order by total desc fetch first row with ties;
--> {"team":"a","total":50}

select distinct pts from m order by pts nulls last fetch first 2 rows with ties;
--> {"pts":5}
--> {"pts":10}

select id from m where team = 'a' union all select id from m where team = 'b' order by 1 fetch first 3 rows with ties;
--> {"id":1}
--> {"id":2}
--> {"id":3}

select * from (select id, pts from m order by pts desc nulls last fetch first 1 row with ties) t order by id;
--> {"id":2,"pts":20}
--> {"id":3,"pts":20}
--> {"id":5,"pts":20}

with top as (select id, pts from m order by pts desc nulls last fetch first (1) rows with ties) select count(*) from top;
--> {"count":3}

select id from m order by pts + 1 desc nulls last fetch first 2 rows with ties;
--> {"id":2}
--> {"id":3}
--> {"id":5}

select id from m fetch first 2 rows with ties;
--> ERROR 42601: WITH TIES cannot be specified without ORDER BY clause

select id from m order by id fetch first 2 rows only;
--> {"id":1}
--> {"id":2}

select id from m order by id offset 2 rows fetch next row only;
--> {"id":3}

select count(*) from m tablesample bernoulli (100);
--> {"count":6}

select count(*) from m tablesample system (0);
--> {"count":0}

select t.id from m as t tablesample system (100) repeatable (42) where t.id < 3 order by t.id;
--> {"id":1}
--> {"id":2}

select count(*) from m tablesample bernoulli (101);
--> ERROR 2202H: sample percentage must be between 0 and 100

select count(*) <= 6 as ok from m tablesample bernoulli (50) repeatable (1);
--> {"ok":true}

create view mv as select * from m;
--> no rows

select count(*) from mv tablesample system (100);
--> ERROR 0A000: TABLESAMPLE clause can only be applied to tables and materialized views
--> AT 22

select count(*) from m tablesample nope (10);
--> ERROR 42704: tablesample method nope does not exist
--> AT 36

select rank(15) within group (order by pts) as r from m;
--> {"r":3}

select dense_rank(15) within group (order by pts desc) as r, percent_rank(20) within group (order by pts) as p, cume_dist(10) within group (order by pts) as c from m where pts is not null;
--> {"r":2,"p":0.4,"c":0.5}

select team, rank(20) within group (order by pts) as r from m group by team order by team;
--> {"team":"a","r":2}
--> {"team":"b","r":2}

select mode() within group (order by pts) as m, percentile_disc(0.5) within group (order by pts) as d, percentile_cont(0.25) within group (order by pts) as c from m;
--> {"m":20,"d":20,"c":10}

select percentile_cont(array[0.25, 0.5, 0.75]) within group (order by score) as q from m;
--> {"q":[1.5,2.5,2.5]}

select percentile_disc(array[0.1, 0.9]) within group (order by pts) as q from m;
--> {"q":[5,20]}

select percentile_cont(0.5) within group (order by at) as mid from m;
--> ERROR 42883: function percentile_cont(numeric, timestamp with time zone) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select team, percentile_cont(0.5) within group (order by pts) filter (where pts > 5) as mid from m group by team order by team;
--> {"team":"a","mid":20}
--> {"team":"b","mid":20}

select mode() within group (order by team desc) as t from m;
--> {"t":"b"}

select percentile_cont(1.5) within group (order by pts) from m;
--> ERROR 22003: percentile value 1.5 is not between 0 and 1

select corr(pts, score), regr_slope(pts, score), covar_samp(pts, score) from m;
--> {"corr":0.8812799848882907,"regr_slope":4.779411764705883,"covar_samp":8.125}
