-- # What searches are written with

--= source found_logs
--= {"id":"1","timestamp":1739181600000000,"event_message":"one","metadata":{"level":"info","tags":["web","eu"],"items":[{"sku":"x1","qty":2},{"sku":"x2","qty":10}]}}
--= {"id":"2","timestamp":1739181601000000,"event_message":"two","metadata":{"level":"error","items":[{"qty":1}]}}
--= {"id":"3","timestamp":1739181602000000,"event_message":"three"}

-- all values along a path
select id, values_along(t.metadata, 'items.sku') as v from found_logs as t order by id
--> {"id":"1","v":["x1","x2"]}
--> {"id":"2","v":[null]}
--> {"id":"3","v":[]}

-- a search in any element of a list
select t.id from found_logs as t where coalesce(exists (select 1 from unnest(values_along(t.metadata, 'items.sku')) as found where found = 'x2'), false)
--> {"id":"1"}

-- a comparison in any element of a list
select t.id from found_logs as t where coalesce(exists (select 1 from unnest(values_along(t.metadata, 'items.qty')) as found where found > 5), false)
--> {"id":"1"}

-- a search for what is missing in an element
select t.id from found_logs as t where coalesce((t.metadata is null or exists (select 1 from unnest(values_along(t.metadata, 'items.sku')) as found where to_json_string(found) = 'null')), false) order by t.id
--> {"id":"2"}
--> {"id":"3"}

-- a search for what is missing everywhere
select t.id from found_logs as t where not coalesce((t.metadata is null or exists (select 1 from unnest(values_along(t.metadata, 'tags')) as found where to_json_string(found) = 'null')), false)
--> {"id":"1"}
