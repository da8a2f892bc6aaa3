-- # Fields of events

--= source a.b.c
--= {"id":"1","timestamp":1739181600000000,"event_message":"one","project":"p","count":5,"ratio":0.5,"flag":true,"tags":["x","y"],"metadata":{"level":"info","code":"200","deep":{"er":{"est":"bottom"}},"items":[{"name":"n1","price":3},{"name":"n2","price":4}],"one":[{"host":"h1"}]}}
--= {"id":"2","timestamp":1739181601000000,"event_message":"two","project":"p","count":50,"ratio":2,"flag":false,"metadata":{"level":"error","code":404}}
--= {"id":"3","timestamp":1739181602000000,"project":"q","count":"7","tags":["z"],"metadata":{"code":"many"}}
--= {"id":"4","timestamp":1739181603000000,"event_message":"four","count":"many"}

-- a name in backticks, a bare field
select id, project from `a.b.c` where id = '1'
--> {"id":"1","project":"p"}

-- a name with dots and without backticks
select t.id from a.b.c as t where t.project = 'q'
--> {"id":"3"}

-- a field by the whole name of its source
select `a.b.c`.id from `a.b.c` where `a.b.c`.project = 'q'
--> {"id":"3"}

-- columns without a name are called by the last part of their path
select t.id, m.level, t.metadata.code from `a.b.c` t cross join unnest(t.metadata) as m where id = '2'
--> {"id":"2","level":"error","code":404}

-- expressions without a name are numbered
select 1, count(*), 'x' as x, 2 from `a.b.c`
--> {"f0_":1,"f1_":4,"x":"x","f2_":2}

-- what an event lacks is null
select id, ratio, missing, event_message from `a.b.c` where id in ('3', '4') order by id
--> {"id":"3","ratio":null,"missing":null,"event_message":null}
--> {"id":"4","ratio":null,"missing":null,"event_message":"four"}

-- values keep their kind
select count, ratio, flag, tags, metadata from `a.b.c` where id = '1'
--> {"count":5,"ratio":0.5,"flag":true,"tags":["x","y"],"metadata":[{"level":"info","code":"200","deep":[{"er":[{"est":"bottom"}]}],"items":[{"name":"n1","price":3},{"name":"n2","price":4}],"one":[{"host":"h1"}]}]}

-- a text that spells a number compares as one, another with nothing
select id from `a.b.c` where count > 6 order by id
--> {"id":"2"}
--> {"id":"3"}

-- BETWEEN numbers
select id from `a.b.c` where count between 5 and 7 order by id
--> {"id":"1"}
--> {"id":"3"}

-- numbers in a list
select id from `a.b.c` where count in (5, 50, 500) order by id
--> {"id":"1"}
--> {"id":"2"}

-- a number compares with a text as text
select id from `a.b.c` cross join unnest(metadata) m where m.code = '404'
--> {"id":"2"}

-- not equal leaves out what is missing
select id from `a.b.c` where project != 'p'
--> {"id":"3"}

-- IS NULL and IS NOT NULL
select id from `a.b.c` where project is null or (tags is not null and flag is null) order by id
--> {"id":"3"}
--> {"id":"4"}

-- a truth value as a condition
select id from `a.b.c` where flag and not (flag = false)
--> {"id":"1"}

-- IS TRUE, IS NOT TRUE, IS FALSE
select id, flag is true as a, flag is not true as b, flag is false as c from `a.b.c` where id in ('2', '3') order by id
--> {"id":"2","a":false,"b":true,"c":true}
--> {"id":"3","a":false,"b":true,"c":false}

-- LIKE alone
select id from `a.b.c` where event_message like '%o%' order by id
--> {"id":"1"}
--> {"id":"2"}
--> {"id":"4"}

-- LIKE is case-sensitive and has escapes
select 'abc' like 'A%' as a, 'a%c' like 'a\\%c' as b, 'abc' like 'a\\%c' as c, 'abc' like 'a_c' as d, 'abc' not like 'x%' as e
--> {"a":false,"b":true,"c":false,"d":true,"e":true}

-- LIKE on a field
select id from `a.b.c` cross join unnest(metadata) m where m.level like 'err%'
--> {"id":"2"}

-- a path through objects
select t.metadata.deep.er.est from `a.b.c` t where t.metadata.deep.er.est = 'bottom'
--> {"est":"bottom"}

-- a path through a list of one
select t.metadata.one.host as host from `a.b.c` t where id = '1'
--> {"host":"h1"}

-- an object in an event is a list of one
select m.level, d.er from `a.b.c` t, unnest(t.metadata) as m, unnest(m.deep) as d
--> {"level":"info","er":[{"est":"bottom"}]}

-- the elements of a list of objects, one row for each
select t.id, i.name, i.price from `a.b.c` t cross join unnest(t.metadata) m cross join unnest(m.items) i order by i.price
--> {"id":"1","name":"n1","price":3}
--> {"id":"1","name":"n2","price":4}

-- the elements of a list of texts
select id, tag from `a.b.c`, unnest(tags) as tag order by id, tag
--> {"id":"1","tag":"x"}
--> {"id":"1","tag":"y"}
--> {"id":"3","tag":"z"}

-- a cross join drops events without the object
select id from `a.b.c` cross join unnest(metadata) as m order by id
--> {"id":"1"}
--> {"id":"2"}
--> {"id":"3"}

-- a left join keeps them
select id, m.level from `a.b.c` left join unnest(metadata) as m on true order by id
--> {"id":"1","level":"info"}
--> {"id":"2","level":"error"}
--> {"id":"3","level":null}
--> {"id":"4","level":null}

-- a left join without a condition, and with one
select id, i.name from `a.b.c` t left join unnest(t.metadata) m left join unnest(m.items) i on i.price > 3 order by id
--> {"id":"1","name":"n2"}
--> {"id":"2","name":null}
--> {"id":"3","name":null}
--> {"id":"4","name":null}

-- inner join of a list
select id, m.level from `a.b.c` inner join unnest(metadata) as m on true where m.level is not null order by id
--> {"id":"1","level":"info"}
--> {"id":"2","level":"error"}

-- the alias of a list is a column's name
select metadata.level from `a.b.c` cross join unnest(metadata) as metadata where metadata.code = 'many'
--> {"level":null}

-- fields of an unnested object without its alias
select id, level from `a.b.c` cross join unnest(metadata) as m where level = 'info'
--> {"id":"1","level":"info"}

-- the element itself
select i from `a.b.c` t, unnest(t.metadata) m, unnest(m.items) i where i.price = 4
--> {"i":[{"name":"n2","price":4}]}

-- a list without UNNEST
select t.id, tags from `a.b.c` t, t.tags where id = '1' order by tags
--> {"id":"1","tags":"x"}
--> {"id":"1","tags":"y"}

-- the places of elements
select tag, place from `a.b.c`, unnest(tags) as tag with offset as place where id = '1' order by place desc
--> {"tag":"y","place":1}
--> {"tag":"x","place":0}

-- the places of elements under their own name
select tag, offset from `a.b.c`, unnest(tags) as tag with offset where id = '1' order by offset
--> {"tag":"x","offset":0}
--> {"tag":"y","offset":1}

-- a column of a common table expression and what is in it
with c as (select t.id, t.metadata from `a.b.c` t)
select c.id, c.metadata.level, c.metadata.deep.er from c where c.id = '1'
--> {"id":"1","level":"info","er":[{"est":"bottom"}]}

-- unnest in a common table expression, its column outside
with c as (select t.id, m.level as lvl from `a.b.c` t cross join unnest(t.metadata) as m)
select lvl, count(*) as n from c group by lvl order by lvl
--> {"lvl":null,"n":1}
--> {"lvl":"error","n":1}
--> {"lvl":"info","n":1}

-- a field of a field of an unnested column under a new alias
with c as (select t.metadata as stuff from `a.b.c` t)
select s.code, d.er.est from c, unnest(stuff) as s left join unnest(s.deep) d order by code
--> {"code":"200","est":"bottom"}
--> {"code":"many","est":null}
--> {"code":404,"est":null}

-- cast of a field
select id, cast(count as int64) + 1 as next from `a.b.c` where id in ('1', '3') order by id
--> {"id":"1","next":6}
--> {"id":"3","next":8}

-- cast of what is no number
select cast(count as int64) as n from `a.b.c` where id = '4'
--> error Bad int64 value: many

-- safe_cast of what is no number
select id, safe_cast(count as int64) as n, safe_cast(m.code as float64) as f from `a.b.c` left join unnest(metadata) m on true order by id
--> {"id":"1","n":5,"f":200.0}
--> {"id":"2","n":50,"f":404.0}
--> {"id":"3","n":7,"f":null}
--> {"id":"4","n":null,"f":null}

-- sums and averages of fields
select sum(count) as sum, avg(count) as avg, min(count) as min, max(ratio) as max from `a.b.c` where id in ('1', '2')
--> {"sum":55,"avg":27.5,"min":5,"max":2}

-- sums of fields with text in them
select sum(count) as sum, count(count) as n from `a.b.c`
--> {"sum":62,"n":4}

-- arithmetic with fields
select count * 2 + 1 as odd, count / 2 as half, ratio * 10 as ten from `a.b.c` where id = '1'
--> {"odd":11,"half":2.5,"ten":5}

-- coalesce of fields and literals
select id, coalesce(project, 'none') as project, coalesce(ratio, 0) as ratio, ifnull(event_message, '') as message from `a.b.c` order by id
--> {"id":"1","project":"p","ratio":0.5,"message":"one"}
--> {"id":"2","project":"p","ratio":2,"message":"two"}
--> {"id":"3","project":"q","ratio":0,"message":""}
--> {"id":"4","project":"none","ratio":0,"message":"four"}

-- grouping by a field, whatever it holds
select count, count(*) as n from `a.b.c` group by count order by n, count
--> {"count":"7","n":1}
--> {"count":"many","n":1}
--> {"count":5,"n":1}
--> {"count":50,"n":1}

-- ordering by a field: nulls, texts, numbers
select id, ratio from `a.b.c` order by ratio desc, id
--> {"id":"2","ratio":2}
--> {"id":"1","ratio":0.5}
--> {"id":"3","ratio":null}
--> {"id":"4","ratio":null}

-- fields compared with each other
select id from `a.b.c` t cross join unnest(t.metadata) m where m.code = t.count or t.id = t.count or t.project < t.id
--> no rows

-- distinct fields
select distinct project from `a.b.c` order by project
--> {"project":null}
--> {"project":"p"}
--> {"project":"q"}

-- the number of distinct values
select count(distinct project) as n, approx_count_distinct(project) as m from `a.b.c`
--> {"n":2,"m":2}

-- functions of texts on fields
select upper(m.level) as up, length(m.level) as n, concat(t.project, '/', m.level) as c, substr(m.level, 2, 2) as s from `a.b.c` t, unnest(t.metadata) m where t.id = '1'
--> {"up":"INFO","n":4,"c":"p/info","s":"nf"}

-- starts_with and regexp_contains on fields
select id from `a.b.c` t, unnest(t.metadata) m where starts_with(m.level, 'in') or regexp_contains(m.level, r'^err\w+$') order by id
--> {"id":"1"}
--> {"id":"2"}

-- a field as an instant
select timestamp(t.timestamp) as a, timestamp_trunc(t.timestamp, second) as b, date(t.timestamp) as c from `a.b.c` t where id = '1'
--> {"a":1739181600000000,"b":1739181600000000,"c":"2025-02-10"}

-- instants compare with texts in the query
select id from `a.b.c` where timestamp >= '2025-02-10T10:00:02Z' and timestamp < '2025-02-10 10:00:03' order by id
--> {"id":"3"}

-- instants between texts in the query
select id from `a.b.c` where timestamp between '2025-02-10 10:00:01+00' and '2025-02-10T12:00:02+02:00' order by id
--> {"id":"2"}
--> {"id":"3"}

-- IN UNNEST of a field
select id from `a.b.c` where 'x' in unnest(tags)
--> {"id":"1"}

-- EXISTS over the elements of a field
select id from `a.b.c` t where exists (select 1 from unnest(t.tags) as tag where tag = 'z')
--> {"id":"3"}

-- a list made of the elements of a field
select id, array(select concat(tag, '!') from unnest(t.tags) as tag order by tag desc) as loud from `a.b.c` t where id in ('1', '4') order by id
--> {"id":"1","loud":["y!","x!"]}
--> {"id":"4","loud":[]}

-- a subquery that refers to the row around it
select id, (select sum(i.price) from unnest(t.metadata) m, unnest(m.items) i) as total from `a.b.c` t order by id
--> {"id":"1","total":7}
--> {"id":"2","total":null}
--> {"id":"3","total":null}
--> {"id":"4","total":null}

-- the first element of a field
select id, tags[0] as a, tags[offset(0)] as b, tags[ordinal(1)] as c, tags[safe_offset(1)] as d from `a.b.c` where tags is not null order by id
--> {"id":"1","a":"x","b":"x","c":"x","d":"y"}
--> {"id":"3","a":"z","b":"z","c":"z","d":null}

-- a field of an element
select metadata.items[offset(1)].name as name, metadata.items[safe_offset(9)].name as none from `a.b.c` where id = '1'
--> {"name":"n2","none":null}

-- an element that is not there
select tags[offset(5)] as x from `a.b.c` where id = '1'
--> error Array index 5 is out of bounds

-- array_length and array_to_string of a field
select id, array_length(tags) as n, array_to_string(tags, '+') as s from `a.b.c` order by id
--> {"id":"1","n":2,"s":"x+y"}
--> {"id":"2","n":null,"s":null}
--> {"id":"3","n":1,"s":"z"}
--> {"id":"4","n":null,"s":null}

-- JSON of a field
select to_json_string(metadata) as json from `a.b.c` where id = '2'
--> {"json":"{\"code\":404,\"level\":\"error\"}"}

-- the text of an object is its JSON
select id from `a.b.c` where regexp_contains(metadata, r'"host":"h\d"')
--> {"id":"1"}

-- json_value of a field
select json_value(metadata, '$.level') as a, json_value(metadata, '$.items[1].name') as b, json_value(metadata, '$.deep') as c, json_query(metadata, '$.deep.er') as d from `a.b.c` where id = '1'
--> {"a":"info","b":"n2","c":null,"d":[{"est":"bottom"}]}

-- min and max of fields
select min(project) as a, max(project) as b, any_value(id) as c from `a.b.c`
--> {"a":"p","b":"q","c":"1"}
