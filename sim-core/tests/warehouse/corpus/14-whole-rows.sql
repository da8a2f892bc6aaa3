-- # Whole rows, and lists that may be missing

--= source edge_logs
--= {"id":"1","timestamp":1739181600000000,"event_message":"GET /a","metadata":{"request":{"method":"GET"},"response":{"status_code":200}}}
--= {"id":"2","timestamp":1739181601000000,"event_message":"odd","metadata":{"response":{"status_code":500}}}

--= source nested_logs
--= {"id":"1","timestamp":1739181600000000,"event_message":"nested","metadata":{"request":{"headers":{"host":"h"}}}}

-- an empty list in place of a list that is missing
select x.method from edge_logs cross join unnest(metadata) as m cross join unnest(coalesce(m.request, [])) as x
--> {"method":"GET"}

-- the same by IFNULL
select x.method from edge_logs cross join unnest(metadata) as m cross join unnest(ifnull(m.request, [])) as x
--> {"method":"GET"}

-- the same by IF
select x.method from edge_logs cross join unnest(metadata) as m cross join unnest(if(m.request is null, [], m.request)) as x
--> {"method":"GET"}

-- rows without the list stay in an outer join
select t.id, x.method from edge_logs as t cross join unnest(metadata) as m left join unnest(coalesce(m.request, [])) as x on true order by t.id
--> {"id":"1","method":"GET"}
--> {"id":"2","method":null}

-- objects inside are lists of one, with and without the empty list
select coalesce(m.request, []) as a, m.request as b from nested_logs cross join unnest(metadata) as m
--> {"a":[{"headers":[{"host":"h"}]}],"b":[{"headers":[{"host":"h"}]}]}

-- an empty list by itself
select [] as a, coalesce(m.request, []) as b from edge_logs cross join unnest(metadata) as m where edge_logs.id = '2'
--> {"a":[],"b":[]}

-- an empty list beside a list of texts
select array_length(coalesce(if(id = '1', ['x'], null), [])) as n from edge_logs order by id
--> {"n":1}
--> {"n":0}

-- a whole row as a value
select w.id, w.event_message as m, w.metadata.response.status_code as s from (select el as w from edge_logs as el) order by w.id
--> {"id":"1","m":"GET /a","s":200}
--> {"id":"2","m":"odd","s":500}

-- a whole row as JSON
select json_value(to_json_string(t), '$.event_message') as m from nested_logs as t
--> {"m":"nested"}

-- whole rows in aggregates
select array_length(array_agg(t)) as n, any_value(t).id is not null as b from edge_logs as t
--> {"n":2,"b":true}

-- a whole row of a query
with a as (select id, 1 as n from edge_logs) select a as r from a order by a.id limit 1
--> {"r":{"id":"1","n":1}}
