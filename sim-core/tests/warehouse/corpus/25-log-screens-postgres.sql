-- # What log screens ask in PostgreSQL's dialect; the rows are those of a PostgreSQL server

--= source logs
--= {"id": "a1", "timestamp": 1739181600000000, "event_message": "GET /rest/v1/items 200", "status": 200, "ms": 12.5, "method": "GET", "ok": true, "tags": ["a", "b"], "m": {"x": 1, "y": "p"}}
--= {"id": "a2", "timestamp": 1739181630250000, "event_message": "POST /rest/v1/items 201", "status": 201, "ms": 48, "method": "POST", "ok": true, "tags": [], "m": {"x": 2}}
--= {"id": "a3", "timestamp": 1739182020000000, "event_message": "GET /auth/v1/user 401", "status": 401, "ms": 5.25, "method": "GET", "ok": false, "m": {"x": 10, "y": null}}
--= {"id": "a4", "timestamp": 1739186100000000, "event_message": "DELETE /storage 500", "status": 500, "ms": 903, "method": "DELETE", "ok": false, "tags": ["c"]}

-- a plain query
select 'Infinity'::float8 as a, '-Infinity'::float8 as b
--> {"a":"Infinity","b":"-Infinity"}

-- a plain query
select 1.50::text as a, 1.50 as b, 2.0::text as c, 1.5::float8::text as d, (1.10 + 2.20)::text as e
--> {"a":"1.50","b":1.5,"c":"2.0","d":"1.5","e":"3.30"}

-- a plain query
select 2147483647::int8 + 1 as a
--> {"a":2147483648}

-- sum, generate_series
select sum(2147483647) as a from generate_series(1,3)
--> {"a":6442450941}

-- sum, generate_series
select sum(x::int) as a from generate_series(2147483647,2147483647) as x
--> {"a":2147483647}

-- a plain query
select (body->>'status')::int * 10000000 as a from logs where id='a1'
--> {"a":2000000000}

-- a plain query
select (body->>'status')::bigint * 10000000 as a from logs where id='a1'
--> {"a":2000000000}

-- a plain query
select (body->>'status')::smallint as a from logs where id='a1'
--> {"a":200}

-- a plain query
select 5/2 as a, -5/2 as b, 5.0/2 as c, 5%3 as d, -5%3 as e, 5/2.0 as f
--> {"a":2,"b":-2,"c":2.5,"d":2,"e":-2,"f":2.5}

-- a plain query
select timestamp at time zone 'Asia/Tokyo' as a from logs where id='a1'
--> {"a":1739149200000000}

-- a plain query
select (timestamp at time zone 'UTC') at time zone 'Asia/Tokyo' as a from logs where id='a1'
--> {"a":"2025-02-10T19:00:00"}

-- a plain query
select timestamp '2025-02-10 10:00:00' at time zone 'America/New_York' as a
--> {"a":1739199600000000}

-- a plain query
select timestamptz '2025-02-10 10:00:00+00' at time zone 'America/New_York' as a
--> {"a":"2025-02-10T05:00:00"}

-- date_trunc, order by
select date_trunc('day', timestamp at time zone 'UTC' at time zone 'Asia/Tokyo') as a, count(*) as c from logs group by 1 order by 1
--> {"a":"2025-02-10T00:00:00","c":4}

-- t, order by
select t.a from (values (1,'x'),(2,'y')) as t(a,b) order by 1
--> {"a":1}
--> {"a":2}

-- order by
select column1 as c from (values (1),(2)) as t order by 1
--> {"c":1}
--> {"c":2}

-- t, with
with t(a,b) as (select 1, 'x') select a, b from t
--> {"a":1,"b":"x"}

-- t, sum, with
with t(a) as (values (1),(2)) select sum(a) as s from t
--> {"s":3}

-- to_char, order by
select to_char(timestamp, 'YYYY-MM-DD HH24:MI:SS.MS') as a, to_char(timestamp, 'Dy DD Mon') as b from logs order by id
--> {"a":"2025-02-10 10:00:00.000","b":"Mon 10 Feb"}
--> {"a":"2025-02-10 10:00:30.250","b":"Mon 10 Feb"}
--> {"a":"2025-02-10 10:07:00.000","b":"Mon 10 Feb"}
--> {"a":"2025-02-10 11:15:00.000","b":"Mon 10 Feb"}

-- round, trunc, ceil
select round(2.5) as a, round(3.5) as b, round(2.567, 2) as c, round(2.5::float8) as d, round(-2.5) as e, trunc(2.567,2) as f, ceil(-1.5) as g
--> {"a":3.0,"b":4.0,"c":2.57,"d":2.0,"e":-3.0,"f":2.56,"g":-1.0}

-- avg, sum
select avg((body->>'status')::int) as a, avg((body->>'ms')::float8) as b, sum((body->>'ms')::numeric) as c from logs
--> {"a":325.5,"b":242.1875,"c":968.75}

-- stddev, variance
select stddev((body->>'ms')::float8) as a, variance((body->>'status')::int) as b from logs
--> {"a":440.9375132884477,"b":22467.0}

-- percentile_cont, group, percentile_disc, mode
select percentile_cont(0.5) within group (order by (body->>'ms')::float8) as a, percentile_disc(0.5) within group (order by (body->>'status')::int) as b, mode() within group (order by body->>'method') as c from logs
--> {"a":30.25,"b":201,"c":"GET"}

-- array_agg, string_agg, order by
select body->>'method' as m, count(*) as c, array_agg(id order by id) as ids, string_agg(id, ',' order by id desc) as s from logs group by 1 order by 1
--> {"m":"DELETE","c":1,"ids":["a4"],"s":"a4"}
--> {"m":"GET","c":2,"ids":["a1","a3"],"s":"a3,a1"}
--> {"m":"POST","c":1,"ids":["a2"],"s":"a2"}

-- jsonb_each_text, e, order by
select k, v from logs, jsonb_each_text(body->'m') as e(k, v) where id='a1' order by k
--> {"k":"x","v":"1"}
--> {"k":"y","v":"p"}

-- jsonb_each, order by
select key, value from logs, jsonb_each(body->'m') where id='a1' order by key
--> {"key":"x","value":1}
--> {"key":"y","value":"p"}

-- jsonb_typeof
select jsonb_typeof(body->'ok') as a, jsonb_typeof(body->'tags') as b, jsonb_typeof(body->'zz') as c from logs where id='a1'
--> {"a":"boolean","b":"array","c":null}

-- order by
select (body->>'ok')::boolean as a, (body->'ok')::boolean as b, (body->'status')::int as c, (body->'ms')::float8 as d from logs order by id
--> {"a":true,"b":true,"c":200,"d":12.5}
--> {"a":true,"b":true,"c":201,"d":48.0}
--> {"a":false,"b":false,"c":401,"d":5.25}
--> {"a":false,"b":false,"c":500,"d":903.0}

-- filter, bool_and, bool_or, every
select count(*) filter (where body->>'method'='GET') as a, bool_and((body->>'ok')::boolean) as b, bool_or((body->>'ok')::boolean) as c, every(true) as d from logs
--> {"a":2,"b":false,"c":true,"d":true}

-- date_trunc, order by
select date_trunc('minute', timestamp) as m, count(*) as c from logs group by 1 order by 1
--> {"m":1739181600000000,"c":2}
--> {"m":1739182020000000,"c":1}
--> {"m":1739186100000000,"c":1}

-- date_bin, order by
select date_bin('5 minutes', timestamp, timestamp '2025-01-01') as m, count(*) as c from logs group by 1 order by 1
--> {"m":1739181600000000,"c":2}
--> {"m":1739181900000000,"c":1}
--> {"m":1739186100000000,"c":1}

-- extract, date_part, order by
select extract(epoch from timestamp) as a, extract(hour from timestamp) as b, extract(dow from timestamp) as c, extract(isodow from timestamp) as d, extract(week from timestamp) as e, extract(doy from timestamp) as f, date_part('minute', timestamp) as g from logs order by id
--> {"a":1739181600.0,"b":10,"c":1,"d":1,"e":7,"f":41,"g":0}
--> {"a":1739181630.25,"b":10,"c":1,"d":1,"e":7,"f":41,"g":0}
--> {"a":1739182020.0,"b":10,"c":1,"d":1,"e":7,"f":41,"g":7}
--> {"a":1739186100.0,"b":11,"c":1,"d":1,"e":7,"f":41,"g":15}

-- generate_series
select g::date as d from generate_series(timestamp '2025-02-10', timestamp '2025-02-12', interval '1 day') as g
--> {"d":"2025-02-10"}
--> {"d":"2025-02-11"}
--> {"d":"2025-02-12"}

-- generate_series, date_trunc, d
select d.d as d, count(l.id) as c from generate_series(date_trunc('hour', timestamp '2025-02-10 09:00'), timestamp '2025-02-10 12:00', interval '1 hour') as d(d) left join logs l on date_trunc('hour', l.timestamp) = d.d group by 1 order by 1
--> {"d":1739178000000000,"c":0}
--> {"d":1739181600000000,"c":3}
--> {"d":1739185200000000,"c":1}
--> {"d":1739188800000000,"c":0}

-- row_number, lag, lead, first_value, sum
select row_number() over (order by id) as n, lag(id) over (order by id) as p, lead(id, 1, 'z') over (order by id) as q, first_value(id) over (order by id) as f, sum((body->>'status')::int) over (order by id rows between 1 preceding and current row) as s from logs order by id
--> {"n":1,"p":null,"q":"a2","f":"a1","s":200}
--> {"n":2,"p":"a1","q":"a3","f":"a1","s":401}
--> {"n":3,"p":"a2","q":"a4","f":"a1","s":602}
--> {"n":4,"p":"a3","q":"z","f":"a1","s":901}

-- ntile, percent_rank, cume_dist, nth_value
select id, ntile(2) over (order by id) as n, percent_rank() over (order by id) as p, cume_dist() over (order by id) as c, nth_value(id, 2) over (order by id) as v from logs order by id
--> {"id":"a1","n":1,"p":0.0,"c":0.25,"v":null}
--> {"id":"a2","n":1,"p":0.3333333333333333,"c":0.5,"v":"a2"}
--> {"id":"a3","n":2,"p":0.6666666666666666,"c":0.75,"v":"a2"}
--> {"id":"a4","n":2,"p":1.0,"c":1.0,"v":"a2"}

-- order by
select id from logs where event_message ~ '^GET' order by id
--> {"id":"a1"}
--> {"id":"a3"}

-- order by
select id from logs where event_message ~* 'post' or event_message !~ 'v1' order by id
--> {"id":"a2"}
--> {"id":"a4"}

-- order by
select id from logs where event_message ilike '%get%' and event_message not like '%401%' order by id
--> {"id":"a1"}

-- regexp_match, order by
select (regexp_match(event_message, '^(\w+) (\S+)'))[2] as p from logs order by id
--> {"p":"/rest/v1/items"}
--> {"p":"/rest/v1/items"}
--> {"p":"/auth/v1/user"}
--> {"p":"/storage"}

-- coalesce, nullif, greatest, least
select coalesce(null, 1) as a, nullif(1,1) as b, greatest(1,2,null) as c, least(1,2) as d, null is null as e, 1 is distinct from null as f
--> {"a":1,"b":null,"c":2,"d":1,"e":true,"f":true}

-- a plain query
select case when 1=1 then 'a' else 'b' end as a, case 2 when 1 then 'x' end as b
--> {"a":"a","b":null}

-- all, order by
select id from logs where id in ('a1','a2') and id <> all(array['a2']) order by id
--> {"id":"a1"}

-- any, order by
select id from logs where id = any(array['a1','a4']) order by id
--> {"id":"a1"}
--> {"id":"a4"}

-- a plain query
select true and null as a, false and null as b, not null as c
--> {"a":null,"b":false,"c":null}

-- length, char_length, octet_length, upper
select length('häß') as a, char_length('x') as b, octet_length('ä') as c, upper('ä') as d
--> {"a":3,"b":1,"c":2,"d":"Ä"}

-- numeric
select 7::text as a, 1.0::int as b, 2.5::int as c, 3.5::int as d, '12'::int as e, ' 12 '::int as f, 't'::bool as g, 1::bool as h, true::int as i, 1.5::numeric(10,1) as j, 12.345::numeric(5,2) as k
--> {"a":"7","b":1,"c":3,"d":4,"e":12,"f":12,"g":true,"h":true,"i":1,"j":1.5,"k":12.35}

-- order by
select id from logs order by (body->>'ms')::float8 desc nulls last limit 2 offset 1
--> {"id":"a2"}
--> {"id":"a1"}

-- order by
select id from logs order by body->'ms' desc
--> {"id":"a4"}
--> {"id":"a2"}
--> {"id":"a1"}
--> {"id":"a3"}

-- having
select body->>'method' as m from logs group by body->>'method' having count(*) > 1
--> {"m":"GET"}

-- rollup, order by
select body->>'method' as m, body->>'ok' as o, count(*) as c from logs group by rollup(1,2) order by 1 nulls last,2 nulls last
--> {"m":"DELETE","o":"false","c":1}
--> {"m":"DELETE","o":null,"c":1}
--> {"m":"GET","o":"false","c":1}
--> {"m":"GET","o":"true","c":1}
--> {"m":"GET","o":null,"c":2}
--> {"m":"POST","o":"true","c":1}
--> {"m":"POST","o":null,"c":1}
--> {"m":null,"o":null,"c":4}

-- grouping, sets, order by
select body->>'method' as m, grouping(body->>'method') as g, count(*) as c from logs group by grouping sets ((body->>'method'),()) order by g, m
--> {"m":"DELETE","g":0,"c":1}
--> {"m":"GET","g":0,"c":2}
--> {"m":"POST","g":0,"c":1}
--> {"m":null,"g":1,"c":4}

-- exists, order by
select id from logs where exists(select 1 from logs l2 where l2.body->>'method' = logs.body->>'method' and l2.id <> logs.id) order by id
--> {"id":"a1"}
--> {"id":"a3"}

-- max
select (select count(*) from logs) as a, (select max(timestamp) from logs) as m
--> {"a":4,"m":1739186100000000}

-- union all, order by
select id from logs where id='a1' union select id from logs where id='a2' union all select id from logs where id='a1' order by 1
--> {"id":"a1"}
--> {"id":"a1"}
--> {"id":"a2"}

-- order by
select id from logs intersect select 'a1' order by 1
--> {"id":"a1"}

-- order by
select id from logs except select 'a1' order by 1
--> {"id":"a2"}
--> {"id":"a3"}
--> {"id":"a4"}

-- a plain query
select id from logs fetch first 1 row only
--> {"id":"a1"}

-- union all, with, order by
with recursive t as (select 1 as n union all select n+1 from t where n<4) select n from t order by n
--> {"n":1}
--> {"n":2}
--> {"n":3}
--> {"n":4}

-- order by
select timestamp from logs where timestamp > '2025-02-10 10:01' order by 1
--> {"timestamp":1739182020000000}
--> {"timestamp":1739186100000000}

-- order by
select timestamp from logs where timestamp between '2025-02-10 10:00' and '2025-02-10 10:05' order by 1
--> {"timestamp":1739181600000000}
--> {"timestamp":1739181630250000}

-- a plain query
select body - 'tags' - 'm' as b from logs where id='a1'
--> {"b":[{"id":"a1","timestamp":1739181600000000,"event_message":"GET /rest/v1/items 200","status":200,"ms":12.5,"method":"GET","ok":true}]}

-- jsonb_set
select jsonb_set(body, '{status}', '1') ->> 'status' as a, body || '{"z":1}' ->> 'z' as b from logs where id='a1'
--> {"a":"1","b":"1"}

-- array_agg, distinct, order by
select array_agg(distinct body->>'method' order by body->>'method') as a, count(distinct body->>'method') as c from logs
--> {"a":["DELETE","GET","POST"],"c":3}

-- min, max, sum
select min(id) as a, max(timestamp) as b, min(body->>'zz') as c, sum((body->>'zz')::int) as d, count(body->>'zz') as e from logs
--> {"a":"a1","b":1739186100000000,"c":null,"d":null,"e":0}

-- sum, avg, max, array_agg
select sum(1) as a, avg(1) as b, max(id) as c, array_agg(id) as d, count(*) as e from logs where false
--> {"a":null,"b":null,"c":null,"d":[],"e":0}

-- a plain query
select 1 as "Weird Name", 2 as b
--> {"Weird Name":1,"b":2}

-- where, order by
select id, body->>'status' as status from logs where (body->>'status')::int >= 400 and (body->>'ok')::boolean is false order by id
--> {"id":"a3","status":"401"}
--> {"id":"a4","status":"500"}

-- a plain query
select 'a' || 1 as a, 'x' || null as b, 1 || 'b' as c
--> {"a":"a1","b":null,"c":"1b"}

-- sum, generate_series
select (1.10)::text || 'x' as a, 3.00 * 2 as b, (3.00 * 2)::text as c, sum(1.50)::text as d from generate_series(1,2)
--> {"a":"1.10x","b":6.0,"c":"6.00","d":"3.00"}

-- round, avg
select round(avg((body->>'ms')::numeric), 2) as a, round(avg((body->>'ms')::numeric), 2)::text as b from logs
--> {"a":242.19,"b":"242.19"}

-- jsonb_each, e, order by
select k, v from logs, jsonb_each(body->'m') as e(k, v) where id='a1' order by k
--> {"k":"x","v":1}
--> {"k":"y","v":"p"}

-- jsonb_each, order by
select key, count(*) as c from logs, jsonb_each(body) group by key order by c desc, key limit 3
--> {"key":"event_message","c":4}
--> {"key":"id","c":4}
--> {"key":"method","c":4}

-- date_trunc
select date_trunc('hour', timestamp) at time zone 'UTC' as h from logs where id='a1'
--> {"h":1739181600000000}

-- date_trunc, order by
select date_trunc('day', timestamp at time zone 'UTC' at time zone 'Asia/Tokyo') as d, count(*) as c from logs group by 1 order by 1
--> {"d":"2025-02-10T00:00:00","c":4}

-- to_char
select to_char(timestamp at time zone 'UTC' at time zone 'America/New_York', 'HH24:MI') as h from logs where id='a1'
--> {"h":"05:00"}

-- extract
select extract(hour from timestamp at time zone 'UTC' at time zone 'Asia/Kolkata') as h from logs where id='a1'
--> {"h":15}

-- order by
select timestamp at time zone 'UTC' > timestamptz '2025-02-10 10:05:00+00' as a, id from logs order by id
--> {"a":false,"id":"a1"}
--> {"a":false,"id":"a2"}
--> {"a":true,"id":"a3"}
--> {"a":true,"id":"a4"}

-- max
select max(timestamp) at time zone 'UTC' at time zone 'Europe/Berlin' as a from logs
--> {"a":"2025-02-10T12:15:00"}

-- v, order by
select d, n from (values ('a', 1), ('b', null)) as v(d, n) order by d
--> {"d":"a","n":1}
--> {"d":"b","n":null}

-- v, join, with
with v(d) as (values (timestamp '2025-02-10 10:00:00')) select l.id from logs l join v on l.timestamp >= v.d order by 1
--> {"id":"a1"}
--> {"id":"a2"}
--> {"id":"a3"}
--> {"id":"a4"}

-- generate_series, g, order by
select x from generate_series(1, 3) as g(x) order by x desc
--> {"x":3}
--> {"x":2}
--> {"x":1}

-- generate_series, g, date_trunc
select h, count(l.id) as n from generate_series(timestamp '2025-02-10 09:00', timestamp '2025-02-10 12:00', interval '1 hour') as g(h) left join logs l on date_trunc('hour', l.timestamp) = g.h group by h order by h
--> {"h":1739178000000000,"n":0}
--> {"h":1739181600000000,"n":3}
--> {"h":1739185200000000,"n":1}
--> {"h":1739188800000000,"n":0}

-- order by
select id from logs order by id desc fetch first 2 rows only
--> {"id":"a4"}
--> {"id":"a3"}

-- order by
select id from logs order by id offset 1 rows fetch next row only
--> {"id":"a2"}

-- a plain query
select body @> '{"m":{"x":1}}' as a, body->'tags' @> '["a"]' as b, '{"a":1}'::jsonb <@ '{"a":1,"b":2}'::jsonb as c from logs where id='a1'
--> {"a":true,"b":true,"c":true}

-- a plain query
select (body || '{"z":{"y":2}}') #>> '{z,y}' as a from logs where id='a1'
--> {"a":"2"}

-- a plain query
select 'yes'::bool as a, 'off'::boolean as b, 'T'::bool as c
--> {"a":true,"b":false,"c":true}

-- round, numeric, abs
select round((body->>'ms')::numeric, 1)::text as a, (body->>'ms')::numeric(10,2)::text as b, (1.5 * 2.25)::text as c, (3 - 0.50)::text as d, abs(-1.20)::text as e from logs where id='a1'
--> {"a":"12.5","b":"12.50","c":"3.375","d":"2.50","e":"1.20"}

-- a plain query
select 100000 * 100000::bigint as a, (body->>'status')::int + 5 as b, -(body->>'status')::int - 1 as c from logs where id='a1'
--> {"a":10000000000,"b":205,"c":-201}
