-- # What clients are known to send, row by row

--= source a.b.c
--= {"id":"1","timestamp":1739181600000000,"event_message":"one 404","project":"p","count":5,"size":"12","metadata":{"level":"info","status":200,"request":{"method":"GET","path":"/a"},"context":[{"host":"h1","pid":7}]}}
--= {"id":"2","timestamp":1739181660000000,"event_message":"two","project":"p","count":50,"size":"big","metadata":{"level":"error","status":500,"request":{"method":"PUT","path":"/b"},"context":[{"host":"h2","pid":8},{"host":"h3","pid":9}]}}
--= {"id":"3","timestamp":1739181720000000,"event_message":"three","project":"q","count":7,"size":"7"}

--= source d.e
--= {"id":"x","timestamp":1739181600000000,"event_message":"other","project":"p","owner":"ann"}

--= endpoint counted
--= with c as (select t.project, t.id from `a.b.c` t) select project, count(id) as n from c group by project

-- 1: names in backticks become the table of the source
select id from `a.b.c` where id = '1'
--> {"id":"1"}

-- 2: a bare column is a field of the event
select project from `a.b.c` where id = '1'
--> {"project":"p"}

-- 3: a field behind the alias of a source
select t.project from `a.b.c` t where t.id = '1'
--> {"project":"p"}

-- 4: a column without an alias is called by its last part
select t.project, t.metadata.level from `a.b.c` as t where t.id = '1'
--> {"project":"p","level":"info"}

-- 5: fields under comparisons, AND, OR and BETWEEN are texts and numbers
select id from `a.b.c` where (project = 'p' and count between 1 and 10) or project = 'q' order by id
--> {"id":"1"}
--> {"id":"3"}

-- 6: fields inside functions and casts
select upper(project) as u, cast(size as int64) as n, length(event_message) as l from `a.b.c` where id = '1'
--> {"u":"P","n":12,"l":7}

-- 7: fields in a lone IN
select id from `a.b.c` where project in ('q', 'r')
--> {"id":"3"}

-- 8: an unnested object behind its alias
select m.level from `a.b.c` as t cross join unnest(t.metadata) as m where m.status = 500
--> {"level":"error"}

-- 9: the same without the alias of the source
select m.level from `a.b.c` cross join unnest(metadata) as m where m.status = 500
--> {"level":"error"}

-- 10: chained unnests over a common table expression
with c as (select t.id, t.metadata from `a.b.c` as t) select id, r.method from c cross join unnest(metadata) as m cross join unnest(m.request) as r order by id
--> {"id":"1","method":"GET"}
--> {"id":"2","method":"PUT"}

-- 11: the same on a source, and inside a common table expression
with c as (select t.id, r.path from `a.b.c` as t cross join unnest(t.metadata) as m cross join unnest(m.request) as r) select c.id, c.path, r.method from c cross join `a.b.c` as t cross join unnest(t.metadata) as m cross join unnest(m.request) as r where c.id = t.id and c.id = '1'
--> {"id":"1","path":"/a","method":"GET"}

-- 12: left and inner joins of lists
select t.id, m.level from `a.b.c` as t left join unnest(t.metadata) as m on true inner join unnest(m.request) as r on true order by t.id
--> {"id":"1","level":"info"}
--> {"id":"2","level":"error"}

-- 13: an unnested object called as its column
with c as (select t.id, t.metadata from `a.b.c` as t) select metadata.level from c cross join unnest(metadata) as metadata where id = '1'
--> {"level":"info"}

-- 14: a column of a common table expression unnested under a new name
with c as (select t.metadata from `a.b.c` as t) select other.status from c cross join unnest(c.metadata) as other order by status
--> {"status":200}
--> {"status":500}

-- 15: fields of a column of a common table expression
with c as (select t.metadata from `a.b.c` as t where t.id = '1') select c.metadata.level, c.metadata.request.method from c
--> {"level":"info","method":"GET"}

-- 16: columns of a common table expression, outside
with c as (select t.id as key, t.project as owner from `a.b.c` as t) select key from c where owner = 'q'
--> {"key":"3"}

-- 17: columns of a common table expression inside another
with c as (select t.id, t.project from `a.b.c` as t), d as (select c.id from c where c.project = 'q') select d.id from d
--> {"id":"3"}

-- 18: a comma between a common table expression and a source
with c as (select 'q' as wanted) select t.id from c, `a.b.c` as t where t.project = c.wanted
--> {"id":"3"}

-- 19: several common table expressions, one with a union, and a union on top
with c as (select t.id from `a.b.c` as t where t.id = '1' union all select t.id from `d.e` as t), d as (select 'last' as id) select id from c union all select id from d order by id
--> {"id":"1"}
--> {"id":"last"}
--> {"id":"x"}

-- 20: the timestamp outside of the list is an instant
select id from `a.b.c` where timestamp > '2025-02-10T10:01:30' order by timestamp
--> {"id":"3"}

-- 21: the timestamp in the list is microseconds
select t.timestamp from `a.b.c` as t where t.id = '1'
--> {"timestamp":1739181600000000}

-- 22: the timestamp of a common table expression against a text
with c as (select t.timestamp, t.id from `a.b.c` as t) select id from c where c.timestamp > '2025-02-10T10:01:30'
--> {"id":"3"}

-- 23: the timestamp cast to what it is
select id from `a.b.c` as t where cast(t.timestamp as timestamp) > '2025-02-10 10:01:30'
--> {"id":"3"}

-- 24: timestamp_trunc
select timestamp_trunc(t.timestamp, hour) as h, count(*) as n from `a.b.c` as t group by h
--> {"h":1739181600000000,"n":3}

-- 25: timestamp_sub
select id from `a.b.c` as t where t.timestamp > timestamp_sub(timestamp '2025-02-10 10:02:00', interval 1 minute)
--> {"id":"3"}

-- 26: current_timestamp
select id from `a.b.c` as t where t.timestamp < current_timestamp() and t.id = '1'
--> {"id":"1"}

-- 27: countif
select countif(count > 6) as n, countif(project = 'p') as p from `a.b.c`
--> {"n":2,"p":2}

-- 28: regexp_contains, in either kind of quotes, and with a parameter
select id, regexp_contains("abc", "b") as x from `a.b.c` as t where regexp_contains(event_message, '4[0-9]4') or regexp_contains(t.metadata.level, @level) order by id
--@ level = err
--> {"id":"1","x":true}
--> {"id":"2","x":true}

-- 29: an anchored pattern on a column of a common table expression
with c as (select t.event_message from `a.b.c` as t) select event_message from c where regexp_contains(event_message, '^t.*e$')
--> {"event_message":"three"}

-- 30: a number compared with a field
select id from `a.b.c` where count >= 7 order by id
--> {"id":"2"}
--> {"id":"3"}

-- 31: BETWEEN on a field of an unnested object
select t.id from `a.b.c` as t cross join unnest(t.metadata) as m where m.status between 400 and 599
--> {"id":"2"}

-- 32: a column of a common table expression equal to a text
with c as (select t.id, t.project from `a.b.c` as t) select id from c where project = 'q'
--> {"id":"3"}

-- 33: parameters, one a part of another's name
select id from `a.b.c` where project = @p and id = @p_id
--@ p = p
--@ p_id = 2
--> {"id":"2"}

-- 34: casts to numbers by any name
select cast(count as bigint) as a, cast(count as numeric) as b, cast(count as float64) as c from `a.b.c` where id = '1'
--> {"a":5,"b":5,"c":5.0}

-- 35: safe_cast and int64
select id, safe_cast(size as int64) as n from `a.b.c` order by id
--> {"id":"1","n":12}
--> {"id":"2","n":null}
--> {"id":"3","n":7}

-- 36: all that passes through: CASE, COALESCE, IS NULL, IN, NOT IN, groups by number, comments, a trailing comma
select -- which
  case when project is null then 'none' else coalesce(project, '') end as p, /* how many */ count(*) as n, from `a.b.c` where id in ('1', '2', '3') and id not in ('2') group by 1 order by 1 limit 5
--> {"p":"p","n":1}
--> {"p":"q","n":1}

-- 37: double-quoted texts are texts
select id, "x" as x from `a.b.c` where project = "q"
--> {"id":"3","x":"x"}

-- beyond: approx_quantiles and its elements
select approx_quantiles(cast(count as int64), 2)[offset(1)] as a, approx_quantiles(cast(count as int64), 2)[0] as b from `a.b.c`
--> {"a":7,"b":5}

-- beyond: structures and lists as literals
select struct(1 as a, 'x' as b).b as x, [1, 2, 3][ordinal(2)] as y, d[0] as z from (select [9] as d)
--> {"x":"x","y":2,"z":9}

-- beyond: cast as datetime, datetime(), float64 and string
select cast(t.timestamp as datetime) as a, datetime(t.timestamp, 'UTC') as b, cast(t.count as float64) as c, cast(t.count as string) as d from `a.b.c` as t where id = '1'
--> {"a":"2025-02-10T10:00:00","b":"2025-02-10T10:00:00","c":5.0,"d":"5"}

-- beyond: safe_cast of what is no number
select safe_cast('many' as int64) as a, safe_cast(size as float64) as b from `a.b.c` where id = '2'
--> {"a":null,"b":null}

-- beyond: a real cross join of tables
select a.id, d.owner from `a.b.c` as a cross join `d.e` as d where a.project = d.project order by a.id
--> {"id":"1","owner":"ann"}
--> {"id":"2","owner":"ann"}

-- beyond: a subquery in FROM
select s.n from (select count(*) as n from `a.b.c`) as s
--> {"n":3}

-- beyond: an endpoint used as a table
select c.project, c.n from counted as c order by c.n desc
--> {"project":"p","n":2}
--> {"project":"q","n":1}

-- beyond: a consumer's query with its own common table expression
with logs as (select t.id, t.project, t.metadata from `a.b.c` as t) select id from logs
--& with mine as (select l.id, m.level from logs as l cross join unnest(l.metadata) as m) select mine.level from mine where mine.id = '2'
--> {"level":"error"}

-- beyond: grouping and ordering by a name of the list
select project as who, count(*) as count from `a.b.c` group by who order by count desc
--> {"who":"p","count":2}
--> {"who":"q","count":1}

-- beyond: truncated instants called as the column that they come from are merged
with c as (select t.timestamp from `a.b.c` as t) select timestamp_trunc(timestamp, hour) as timestamp, count(*) as n from c group by timestamp
--> {"timestamp":1739181600000000,"n":3}

-- beyond: LIKE as the only condition
select id from `a.b.c` where event_message like 't%' order by id
--> {"id":"2"}
--> {"id":"3"}

-- beyond: not equal on a column of a common table expression
with c as (select t.id, t.project from `a.b.c` as t) select id from c where project != 'p'
--> {"id":"3"}

-- beyond: starts_with of a path, averages and sums of paths, coalesce, ifnull and json_value of fields
select starts_with(r.path, '/a') as s, avg(m.status) as a, sum(m.status) as n, coalesce(r.none, '') as c, ifnull(r.none, 'x') as i, json_value(m.request, '$.method') as j from `a.b.c` as t cross join unnest(t.metadata) as m cross join unnest(m.request) as r where t.id = '1' group by 1, 4, 5, 6
--> {"s":true,"a":200.0,"n":200,"c":"","i":"x","j":"GET"}

-- beyond: a number against a text that is none
select id from `a.b.c` where size > 8 order by id
--> {"id":"1"}

-- beyond: lists of objects
select t.id, c.host from `a.b.c` as t cross join unnest(t.metadata) as m cross join unnest(m.context) as c where c.pid > 7 order by c.host
--> {"id":"2","host":"h2"}
--> {"id":"2","host":"h3"}

-- beyond: an unnested object that an event lacks drops the event
select t.id from `a.b.c` as t cross join unnest(t.metadata) as m order by t.id
--> {"id":"1"}
--> {"id":"2"}

-- beyond: lists of instants in FROM
select d, count(t.id) as n from unnest(generate_timestamp_array(timestamp '2025-02-10 10:00:00', timestamp '2025-02-10 10:02:00', interval 1 minute)) as d left join `a.b.c` as t on timestamp_trunc(t.timestamp, minute) = d group by d order by d
--> {"d":1739181600000000,"n":1}
--> {"d":1739181660000000,"n":1}
--> {"d":1739181720000000,"n":1}

-- a parameter does not sort rows
select id from `a.b.c` where id < '4' order by @p, id
--@ p = x
--> {"id":"1"}
--> {"id":"2"}
--> {"id":"3"}
