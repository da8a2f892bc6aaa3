-- # Sets, windows, samples and patterns of PostgreSQL's dialect; the rows are those of PostgreSQL

--= source pg.s
--= {"id":"1","timestamp":1739181600000000,"event_message":"one","metadata":{"tags":["x","y"],"n":1,"f":2.5,"s":"10"}}
--= {"id":"2","timestamp":1739181900000000,"event_message":"two","metadata":{"tags":["y"],"n":7,"f":0.5,"s":"2"}}
--= {"id":"3","timestamp":1739185200000000,"event_message":"three"}

-- rows as often as they are more in the first part
select id from "pg.s" except all select id from "pg.s" where id = '1'
--> {"id":"2"}
--> {"id":"3"}

-- rows as often as they are more in the first part, 2
(select 1 as a union all select 1 union all select 2) except all select 1
--> {"a":1}
--> {"a":2}

-- rows as often as they are in both
(select 1 as a union all select 1 union all select 2) intersect all (select 1 union all select 1 union all select 3)
--> {"a":1}
--> {"a":1}

-- a frame that leaves rows out
select x, sum(x) over (order by x rows between unbounded preceding and unbounded following exclude current row) as s from generate_series(1,4) as x order by x
--> {"x":1,"s":9}
--> {"x":2,"s":8}
--> {"x":3,"s":7}
--> {"x":4,"s":6}

-- a frame that leaves rows out, 2
select x, sum(x) over (order by x / 2 range between unbounded preceding and unbounded following exclude ties) as s from generate_series(1,4) as x order by x
--> {"x":1,"s":10}
--> {"x":2,"s":7}
--> {"x":3,"s":8}
--> {"x":4,"s":10}

-- a frame that leaves rows out, 3
select x, sum(x) over (partition by x % 2 order by x rows 2 preceding exclude group) as s from generate_series(1,6) as x order by x
--> {"x":1,"s":null}
--> {"x":2,"s":null}
--> {"x":3,"s":1}
--> {"x":4,"s":2}
--> {"x":5,"s":4}
--> {"x":6,"s":6}

-- a frame that leaves rows out, 4
select x, count(*) over (w rows between 1 preceding and 1 following exclude no others) as s from generate_series(1,3) as x window w as (order by x) order by x
--> {"x":1,"s":2}
--> {"x":2,"s":3}
--> {"x":3,"s":2}

-- a window made of another
select x, sum(x) over (w rows 1 preceding) as s from generate_series(1,4) as x window w as (order by x) order by x
--> {"x":1,"s":1}
--> {"x":2,"s":3}
--> {"x":3,"s":5}
--> {"x":4,"s":7}

-- a window made of another, 2
select x, sum(x) over (w order by x desc) as s from generate_series(1,4) as x window w as (partition by x % 2) order by x
--> {"x":1,"s":4}
--> {"x":2,"s":6}
--> {"x":3,"s":3}
--> {"x":4,"s":4}

-- rows that are sorted like the last one
select x from generate_series(1,6) as x order by x / 2 fetch first 2 rows with ties
--> {"x":1}
--> {"x":2}
--> {"x":3}

-- rows that are sorted like the last one, 2
select id, event_message from "pg.s" order by 1 desc fetch first row with ties
--> {"id":"3","event_message":"three"}

-- a sample of all rows
select count(*) as r from "pg.s" tablesample system (100)
--> {"r":3}

-- a sample of all rows, 2
select count(*) as r from "pg.s" tablesample bernoulli (100) where id > '1'
--> {"r":2}

-- a list of one value
select array_fill(7, array[3]) as a, array_fill('x'::text, array[2]) as b
--> {"a":[7,7,7],"b":["x","x"]}

-- the bucket of written bounds
select width_bucket(5, array[1,3,6]) as a, width_bucket(0.5, array[1.0,3.0]) as b, width_bucket(9, array[1,3,6]) as c
--> {"a":2,"b":0,"c":3}

-- the bucket of written bounds, 2
select width_bucket(timestamp '2026-03-01 05:00', array[timestamp '2026-03-01 04:00', timestamp '2026-03-01 06:00']) as r
--> {"r":1}

-- what a window collects
select x, string_agg(x::text, ',') over (order by x) as s, array_agg(x) over (order by x desc) as l, json_agg(x) over (order by x rows 1 preceding) as j from generate_series(1,3) as x order by x
--> {"x":1,"s":"1","l":[3,2,1],"j":[1]}
--> {"x":2,"s":"1,2","l":[3,2],"j":[1, 2]}
--> {"x":3,"s":"1,2,3","l":[3],"j":[2, 3]}

-- what a window collects, 2
select x, string_agg(x::text, '-') filter (where x > 1) over (order by x) as s, array_agg(x) filter (where x <> 2) over () as l from generate_series(1,3) as x order by x
--> {"x":1,"s":null,"l":[1,3]}
--> {"x":2,"s":"2","l":[1,3]}
--> {"x":3,"s":"2-3","l":[1,3]}

-- spread and truth in a window
select x, stddev(x) over (order by x) as a, var_pop(x) over (order by x rows 1 preceding) as b, bool_and(x > 1) over (order by x desc) as c from generate_series(1,4) as x order by x
--> {"x":1,"a":null,"b":0.0,"c":false}
--> {"x":2,"a":0.7071067811865476,"b":0.25,"c":true}
--> {"x":3,"a":1.0,"b":0.25,"c":true}
--> {"x":4,"a":1.2909944487358056,"b":0.25,"c":true}

-- patterns of to_char
select to_char(timestamp '2026-03-01 04:05:06.789', 'WW W CC J Q') as r
--> {"r":"09 1 21 2461101 1"}

-- patterns of to_char, 2
select to_char(timestamp '2026-03-01 14:05:06.789', 'IW IYYY IYY IY I ID IDDD DDD D DY Dy dy DAY Day day RM rm') as r
--> {"r":"09 2026 026 26 6 7 063 060 1 SUN Sun sun SUNDAY    Sunday    sunday    III  iii "}

-- patterns of to_char, 3
select to_char(timestamp '2026-03-01 14:05:06.789', 'yyyy-mm-dd hh24:mi:ss.ms US FF1 FF2 FF3 FF6 SSSS SSSSS AM am A.M. p.m. BC ad') as r
--> {"r":"2026-03-01 14:05:06.789 789000 7 78 789 789000 50706 50706 PM pm P.M. p.m. AD ad"}

-- patterns of to_char, 4
select to_char(timestamp '2026-03-01 04:05:06.789', 'FMMonth FMDDth, Y,YYY HH12 "at" MI, FMMI FMSS FMDay FMMONTH FMDDD FMWW') as r
--> {"r":"March 1st, 2,026 04 at 05, 5 6 Sunday MARCH 60 9"}

-- patterns of to_char, 5
select to_char(timestamp '2026-12-31 23:59:59', 'MONTH|month|MON|mon|Mon|YYY|Y|DDth|DDTH|FMHH24|HH|"Q"Q|Week WW') as r
--> {"r":"DECEMBER |december |DEC|dec|Dec|026|6|31st|31ST|23|11|Q4|5eek 53"}

-- the bytes of values
select pg_column_size(1) as a, pg_column_size('abc'::text) as b, pg_column_size(1::bigint) as c, pg_column_size(now()) as d, pg_column_size(true) as e, pg_column_size('abc') as f
--> {"a":4,"b":7,"c":8,"d":8,"e":1,"f":4}

-- types of instants
select pg_typeof(now()) as a, pg_typeof(timestamp '2026-01-01') as b, pg_typeof(timestamp) as c from "pg.s" where id = '1'
--> {"a":"timestamp with time zone","b":"timestamp without time zone","c":"timestamp without time zone"}

-- the column of jsonb_array_elements_text
select g.id, t.v from "pg.s" g left join lateral (select value as v from jsonb_array_elements_text(g.body -> 'metadata' -> 'tags')) t on true order by g.id, t.v
--> {"id":"1","v":"x"}
--> {"id":"1","v":"y"}
--> {"id":"2","v":"y"}
--> {"id":"3","v":null}

-- the place that a value would have
select rank(3) within group (order by x) as a, dense_rank(3) within group (order by x) as b, percent_rank(3) within group (order by x) as c, cume_dist(3) within group (order by x) as d, rank(3) within group (order by x desc) as e from generate_series(1,4) as x
--> {"a":3,"b":3,"c":0.5,"d":0.8,"e":2}

-- dimensions and days
select array_dims(array[1,2]) as a, extract(julian from timestamp '2026-03-01') as b
--> {"a":"[1:2]","b":2461101.0000000000000000000000000000}

-- rows as values
select row(1,'a') is not null as a, row(1,2) = row(1,2) as b, row(1,2) < row(1,3) as c
--> {"a":true,"b":true,"c":true}

-- types of instants, 2
select pg_typeof('x'::text) as a, pg_typeof('x') as b, pg_typeof(2 > 1) as c
--> {"a":"text","b":"unknown","c":"boolean"}

-- EXCLUDE belongs to a frame
select sum(x) over (order by x exclude ties) as s from generate_series(1, 2) as x
--> refused Syntax
