-- # More queries of dashboards with intervals; the rows are those of a PostgreSQL server

--= source edge
--= {"id":"1","timestamp":1739181600000000,"event_message":"GET /a 200","ms":10,"kind":"a","tags":["x","y"],"r":{"method":"GET","path":"/a"}}
--= {"id":"2","timestamp":1739181660500000,"event_message":"PUT /b 500","ms":20,"kind":"b","tags":["y"]}
--= {"id":"3","timestamp":1739270400000000,"event_message":"GET /c 200","ms":40,"kind":"a"}

-- JSON in lines
select jsonb_pretty('{"bb":[1,{"c":null}],"a":{},"d":[]}'::jsonb) as a
--> {"a":"{\n    \"a\": {\n    },\n    \"d\": [\n    ],\n    \"bb\": [\n        1,\n        {\n            \"c\": null\n        }\n    ]\n}"}

-- a time of parts
select make_time(10, 20, 30) as v
--> {"v":"10:20:30"}

-- an interval in a parameter's place
select id from edge where timestamp > timestamp '2025-02-11 12:00:00' - (id || ' days')::interval order by id
--> {"id":"2"}
--> {"id":"3"}

-- half of a span
select (max(timestamp) - min(timestamp)) / 2 as v from edge
--> {"v":"12:20:00"}

-- a span as hours
select to_char(max(timestamp) - min(timestamp), 'HH24:MI:SS') as v from edge
--> {"v":"00:40:00"}

-- a rounded span
select round(extract(epoch from max(timestamp) - min(timestamp))::numeric / 60, 2) as v from edge
--> {"v":1480.00}

-- the longest gap
select max(gap)::text as v from (select timestamp - lag(timestamp) over (order by timestamp) as gap from edge) q
--> {"v":"1 day 00:38:59.5"}

-- spans by kind
select body->>'kind' as k, max(timestamp) - min(timestamp) as span, count(*) as n from edge group by 1 order by 2 desc, 1
--> {"k":"a","span":"1 day 00:40:00","n":2}
--> {"k":"b","span":"00:00:00","n":1}

-- groups of equal spans
select x, count(*) as n from (values (interval '1 day'), (interval '24 hours'), (interval '2 days')) t(x) group by x order by x desc limit 1
--> {"x":"2 days","n":1}

-- an interval in CASE
select id from edge where timestamp < timestamp '2025-02-10' + case when id = '1' then interval '1 day' else interval '1 hour' end order by id
--> {"id":"1"}

-- an interval in a list
select interval '1 hour' in (interval '60 minutes', interval '2 hours') as v
--> {"v":true}

-- the greatest interval
select greatest(interval '1 day', interval '25 hours')::text as a, least(interval '1 day', interval '25 hours')::text as b
--> {"a":"25:00:00","b":"1 day"}

-- a null interval
select null::interval is null as a, coalesce(null::interval, '1 hour') as b
--> {"a":true,"b":"01:00:00"}

-- too many days
select sum(x) as v from (values (interval '2000000000 days'), (interval '2000000000 days')) t(x)
--> error

-- a list that is null
select array_position(null::int[], 1) as v
--> {"v":null}
