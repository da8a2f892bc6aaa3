-- # What dashboards ask, in the dialect of the columnar store

--= source logs
--= {"id":"a1","timestamp":1739181600000000,"event_message":"GET /rest/v1/items 200","source":"edge_logs","severity_text":"INFO","log_attributes":{"request.method":"GET","request.path":"/rest/v1/items","response.status_code":"200","response.origin_time":"12","cf.country":"DE"}}
--= {"id":"a2","timestamp":1739181630000000,"event_message":"POST /rest/v1/items 201","source":"edge_logs","severity_text":"INFO","log_attributes":{"request.method":"POST","request.path":"/rest/v1/items","response.status_code":"201","response.origin_time":"48","cf.country":"FR"}}
--= {"id":"a3","timestamp":1739181670000000,"event_message":"GET /auth/v1/user 401","source":"edge_logs","severity_text":"WARN","log_attributes":{"request.method":"GET","request.path":"/auth/v1/user","response.status_code":"401","response.origin_time":"5","cf.country":"DE"}}
--= {"id":"a4","timestamp":1739182020250000,"event_message":"GET /rest/v1/items 500","source":"edge_logs","severity_text":"ERROR","log_attributes":{"request.method":"GET","request.path":"/rest/v1/items","response.status_code":"500","response.origin_time":"903","cf.country":"US"}}
--= {"id":"a5","timestamp":1739186100000000,"event_message":"DELETE /storage/v1/object/7 204","source":"edge_logs","severity_text":"INFO","log_attributes":{"request.method":"DELETE","request.path":"/storage/v1/object/7","response.status_code":"204","response.origin_time":"33","cf.country":"US"}}
--= {"id":"a6","timestamp":1739231999999999,"event_message":"GET /rest/v1/items?select=* 304","source":"edge_logs","severity_text":"INFO","log_attributes":{"request.method":"GET","request.path":"/rest/v1/items","response.status_code":"304","response.origin_time":"7"}}
--= {"id":"b1","timestamp":1739181725000000,"event_message":"connection received: host=10.0.0.1","source":"postgres_logs","severity_text":"LOG","log_attributes":{"parsed.error_severity":"LOG","parsed.user_name":"admin","parsed.session_id":"s1"}}
--= {"id":"b2","timestamp":1739181726000000,"event_message":"duplicate key value violates unique constraint","source":"postgres_logs","severity_text":"ERROR","log_attributes":{"parsed.error_severity":"ERROR","parsed.user_name":"app","parsed.session_id":"s1","parsed.sql_state_code":"23505"}}
--= {"id":"b3","timestamp":1739262600000000,"event_message":"canceling statement due to statement timeout","source":"postgres_logs","severity_text":"ERROR","log_attributes":{"parsed.error_severity":"ERROR","parsed.user_name":"app","parsed.session_id":"s2","parsed.sql_state_code":"57014"}}
--= {"id":"c1","timestamp":1739181780000000,"event_message":"request completed","source":"auth_logs","severity_text":"INFO","log_attributes":{"path":"/token","status":"200","duration":"1200000"}}
--= {"id":"c2","timestamp":1739181810000000,"event_message":"{\"level\":\"error\",\"msg\":\"invalid login\",\"user\":{\"id\":7,\"tags\":[\"a\",\"b\"]}}","source":"auth_logs","severity_text":"ERROR","log_attributes":{"path":"/token","status":"400","duration":"800000"}}
--= {"id":"d1","timestamp":1743294600000000,"event_message":"boot","source":"function_logs","severity_text":"INFO","log_attributes":{"function_id":"f1","execution_time_ms":"15.5"}}
--= {"id":"d2","timestamp":1743298200000000,"event_message":"shutdown","source":"function_logs","severity_text":"INFO","log_attributes":{"function_id":"f1","execution_time_ms":"7.25"}}
--= {"id":"d3","timestamp":1767223800000000,"event_message":"boot","source":"function_logs","severity_text":"","log_attributes":{"function_id":"f2","execution_time_ms":""}}

-- count of all events
select count() as n from logs
--> {"n":14}

-- events by source
select source, count() as n from logs group by source order by n desc, source
--> {"source":"edge_logs","n":6}
--> {"source":"function_logs","n":3}
--> {"source":"postgres_logs","n":3}
--> {"source":"auth_logs","n":2}

-- events by source and level
select source, severity_text, count() as n from logs group by source, severity_text order by source, severity_text
--> {"source":"auth_logs","severity_text":"ERROR","n":1}
--> {"source":"auth_logs","severity_text":"INFO","n":1}
--> {"source":"edge_logs","severity_text":"ERROR","n":1}
--> {"source":"edge_logs","severity_text":"INFO","n":4}
--> {"source":"edge_logs","severity_text":"WARN","n":1}
--> {"source":"function_logs","severity_text":"","n":1}
--> {"source":"function_logs","severity_text":"INFO","n":2}
--> {"source":"postgres_logs","severity_text":"ERROR","n":2}
--> {"source":"postgres_logs","severity_text":"LOG","n":1}

-- errors by minute of one source
select toStartOfMinute(timestamp) as minute, countIf(severity_text = 'ERROR') as errors, count() as n from logs where source = 'edge_logs' group by minute order by minute
--> {"minute":1739181600000000,"errors":0,"n":2}
--> {"minute":1739181660000000,"errors":0,"n":1}
--> {"minute":1739182020000000,"errors":1,"n":1}
--> {"minute":1739186100000000,"errors":0,"n":1}
--> {"minute":1739231940000000,"errors":0,"n":1}

-- a chart with three classes of status
select toStartOfHour(timestamp) as t, countIf(toInt32OrZero(log_attributes['response.status_code']) between 200 and 399) as ok, countIf(toInt32OrZero(log_attributes['response.status_code']) between 400 and 499) as client, countIf(toInt32OrZero(log_attributes['response.status_code']) >= 500) as server from logs where source = 'edge_logs' group by t order by t
--> {"t":1739181600000000,"ok":2,"client":1,"server":1}
--> {"t":1739185200000000,"ok":1,"client":0,"server":0}
--> {"t":1739228400000000,"ok":1,"client":0,"server":0}

-- the newest events of a page
select id, timestamp, event_message from logs order by timestamp desc limit 3
--> {"id":"d3","timestamp":1767223800000000,"event_message":"boot"}
--> {"id":"d2","timestamp":1743298200000000,"event_message":"shutdown"}
--> {"id":"d1","timestamp":1743294600000000,"event_message":"boot"}

-- the next page
select id from logs where timestamp < toDateTime64('2025-02-10 23:59:59', 6) order by timestamp desc limit 2 offset 1
--> {"id":"a4"}
--> {"id":"c2"}

-- one event by its id
select id, severity_text, log_attributes['parsed.sql_state_code'] as code from logs where id = 'b2' limit 1
--> {"id":"b2","severity_text":"ERROR","code":"23505"}

-- all attributes of an event
select log_attributes from logs where id = 'b1'
--> {"log_attributes":[{"parsed.error_severity":"LOG","parsed.user_name":"admin","parsed.session_id":"s1"}]}

-- a search in the message, whatever the case
select id from logs where event_message ilike '%ITEMS%' order by id
--> {"id":"a1"}
--> {"id":"a2"}
--> {"id":"a4"}
--> {"id":"a6"}

-- a search that excludes
select id from logs where event_message not ilike '%get%' and source = 'edge_logs' order by id
--> {"id":"a2"}
--> {"id":"a5"}

-- a search for several methods
select id from logs where log_attributes['request.method'] in ('POST', 'DELETE') order by id
--> {"id":"a2"}
--> {"id":"a5"}

-- a search by prefix of the path
select id from logs where log_attributes['request.path'] like '/rest/%' order by id
--> {"id":"a1"}
--> {"id":"a2"}
--> {"id":"a4"}
--> {"id":"a6"}

-- a search by regular expression
select id from logs where match(event_message, '(timeout|violates)') order by id
--> {"id":"b2"}
--> {"id":"b3"}

-- status codes, the most frequent first
select log_attributes['response.status_code'] as status, count() as n from logs where source = 'edge_logs' group by status order by n desc, status
--> {"status":"200","n":1}
--> {"status":"201","n":1}
--> {"status":"204","n":1}
--> {"status":"304","n":1}
--> {"status":"401","n":1}
--> {"status":"500","n":1}

-- paths with their mean and longest time
select log_attributes['request.path'] as path, avg(toFloat64OrZero(log_attributes['response.origin_time'])) as mean, max(toInt32OrZero(log_attributes['response.origin_time'])) as longest from logs where source = 'edge_logs' group by path order by path
--> {"path":"/auth/v1/user","mean":5.0,"longest":5}
--> {"path":"/rest/v1/items","mean":242.5,"longest":903}
--> {"path":"/storage/v1/object/7","mean":33.0,"longest":33}

-- the slowest requests
select id, toInt32OrZero(log_attributes['response.origin_time']) as ms from logs where source = 'edge_logs' order by ms desc limit 3
--> {"id":"a4","ms":903}
--> {"id":"a2","ms":48}
--> {"id":"a5","ms":33}

-- percentiles of the time
select quantile(0.5)(toFloat64OrZero(log_attributes['response.origin_time'])) as p50, quantile(0.9)(toFloat64OrZero(log_attributes['response.origin_time'])) as p90, quantile(0.99)(toFloat64OrZero(log_attributes['response.origin_time'])) as p99 from logs where source = 'edge_logs'
--> {"p50":22.5,"p90":475.5,"p99":860.2500000000001}

-- exact percentiles are values that occur
select quantileExact(0.5)(toInt32OrZero(log_attributes['response.origin_time'])) as p50, quantileExact(0.9)(toInt32OrZero(log_attributes['response.origin_time'])) as p90 from logs where source = 'edge_logs'
--> {"p50":33,"p90":903}

-- share of failures
select countIf(toInt32OrZero(log_attributes['response.status_code']) >= 500) / count() as share from logs where source = 'edge_logs'
--> {"share":0.16666666666666666}

-- share of failures in percent, rounded
select round(countIf(severity_text = 'ERROR') * 100 / count(), 1) as percent from logs
--> {"percent":28.6}

-- users of the database by errors
select log_attributes['parsed.user_name'] as user, countIf(severity_text = 'ERROR') as errors from logs where source = 'postgres_logs' group by user order by errors desc, user
--> {"user":"app","errors":2}
--> {"user":"admin","errors":0}

-- codes of errors, none is left out
select log_attributes['parsed.sql_state_code'] as code, count() as n from logs where source = 'postgres_logs' group by code order by code
--> {"code":"","n":1}
--> {"code":"23505","n":1}
--> {"code":"57014","n":1}

-- countries, without the unknown
select log_attributes['cf.country'] as country, uniq(log_attributes['request.path']) as paths, count() as n from logs where country <> '' group by country order by country
--> {"country":"DE","paths":2,"n":2}
--> {"country":"FR","paths":1,"n":1}
--> {"country":"US","paths":2,"n":2}

-- sources of the last hours
select distinct source from logs where timestamp >= toDateTime('2025-02-10 10:00:00') and timestamp < toDateTime('2025-02-10 11:00:00') order by source
--> {"source":"auth_logs"}
--> {"source":"edge_logs"}
--> {"source":"postgres_logs"}

-- first and last event of each source
select source, min(timestamp) as first, max(timestamp) as last from logs group by source order by source
--> {"source":"auth_logs","first":1739181780000000,"last":1739181810000000}
--> {"source":"edge_logs","first":1739181600000000,"last":1739231999999999}
--> {"source":"function_logs","first":1743294600000000,"last":1767223800000000}
--> {"source":"postgres_logs","first":1739181725000000,"last":1739262600000000}

-- the last message of each source
select source, argMax(event_message, timestamp) as last from logs group by source order by source
--> {"source":"auth_logs","last":"{\"level\":\"error\",\"msg\":\"invalid login\",\"user\":{\"id\":7,\"tags\":[\"a\",\"b\"]}}"}
--> {"source":"edge_logs","last":"GET /rest/v1/items?select=* 304"}
--> {"source":"function_logs","last":"boot"}
--> {"source":"postgres_logs","last":"canceling statement due to statement timeout"}

-- sources with more than two events
select source, count() as n from logs group by source having n > 2 order by source
--> {"source":"edge_logs","n":6}
--> {"source":"function_logs","n":3}
--> {"source":"postgres_logs","n":3}

-- sources with an error
select source from logs group by source having countIf(severity_text = 'ERROR') > 0 order by source
--> {"source":"auth_logs"}
--> {"source":"edge_logs"}
--> {"source":"postgres_logs"}

-- a histogram by five minutes
select toStartOfFiveMinutes(timestamp) as t, count() as n from logs where source = 'edge_logs' group by t order by t
--> {"t":1739181600000000,"n":3}
--> {"t":1739181900000000,"n":1}
--> {"t":1739186100000000,"n":1}
--> {"t":1739231700000000,"n":1}

-- a histogram by an interval
select toStartOfInterval(timestamp, interval 15 minute) as t, count() as n from logs where source = 'edge_logs' group by t order by t
--> {"t":1739181600000000,"n":4}
--> {"t":1739186100000000,"n":1}
--> {"t":1739231100000000,"n":1}

-- a histogram by two hours
select toStartOfInterval(timestamp, interval 2 hour) as t, count() as n from logs where timestamp < toDateTime('2025-02-11 00:00:00') group by t order by t
--> {"t":1739181600000000,"n":9}
--> {"t":1739224800000000,"n":1}

-- a histogram by thirty seconds
select toStartOfInterval(timestamp, interval 30 second) as t, count() as n from logs where source = 'auth_logs' group by t order by t
--> {"t":1739181780000000,"n":1}
--> {"t":1739181810000000,"n":1}

-- a histogram by day
select toStartOfDay(timestamp) as day, count() as n from logs group by day order by day
--> {"day":1739145600000000,"n":10}
--> {"day":1739232000000000,"n":1}
--> {"day":1743292800000000,"n":2}
--> {"day":1767139200000000,"n":1}

-- a histogram without gaps
select toStartOfMinute(timestamp) as t, count() as n from logs where source = 'edge_logs' and timestamp < toDateTime('2025-02-10 10:10:00') group by t order by t with fill step toIntervalMinute(1)
--> {"t":1739181600000000,"n":2}
--> {"t":1739181660000000,"n":1}
--> {"t":1739181720000000,"n":0}
--> {"t":1739181780000000,"n":0}
--> {"t":1739181840000000,"n":0}
--> {"t":1739181900000000,"n":0}
--> {"t":1739181960000000,"n":0}
--> {"t":1739182020000000,"n":1}

-- a histogram without gaps, from and to
select toStartOfHour(timestamp) as t, count() as n from logs where source = 'edge_logs' group by t order by t with fill from toDateTime('2025-02-10 09:00:00') to toDateTime('2025-02-10 13:00:00') step interval 1 hour
--> {"t":1739178000000000,"n":0}
--> {"t":1739181600000000,"n":4}
--> {"t":1739185200000000,"n":1}
--> {"t":1739188800000000,"n":0}
--> {"t":1739228400000000,"n":1}

-- numbers without gaps
select toInt32(status) as s, count() as n from (select log_attributes['status'] as status from logs where source = 'auth_logs') group by s order by s with fill from 200 to 401 step 100
--> {"s":200,"n":1}
--> {"s":300,"n":0}
--> {"s":400,"n":1}

-- days without gaps, the newest first
select toStartOfDay(timestamp) as d, count() as n from logs where source = 'postgres_logs' group by d order by d desc with fill step interval -1 day
--> {"d":1739232000000000,"n":1}
--> {"d":1739145600000000,"n":2}

-- events in a subquery
select kind, count() as n from (select if(source = 'edge_logs', 'http', 'other') as kind from logs) group by kind order by kind
--> {"kind":"http","n":6}
--> {"kind":"other","n":8}

-- an outer average over minutes
select avg(n) as mean, max(n) as most from (select toStartOfMinute(timestamp) as m, count() as n from logs where source = 'edge_logs' group by m)
--> {"mean":1.2,"most":2}

-- a common table expression per step
with e as (select id, source, severity_text from logs where severity_text = 'ERROR'), by_source as (select source, count() as n from e group by source) select source, n from by_source order by n desc, source
--> {"source":"postgres_logs","n":2}
--> {"source":"auth_logs","n":1}
--> {"source":"edge_logs","n":1}

-- a join of requests and errors of the same minute
select e.id as request, p.id as error from logs as e join logs as p on toStartOfMinute(e.timestamp) = toStartOfMinute(p.timestamp) where e.source = 'auth_logs' and p.source = 'auth_logs' and e.id < p.id order by request, error
--> {"request":"c1","error":"c2"}

-- a join by a common column
select source, a.n as n, b.errors as errors from (select source, count() as n from logs group by source) as a inner join (select source, count() as errors from logs where severity_text = 'ERROR' group by source) as b using (source) order by source
--> {"source":"auth_logs","n":2,"errors":1}
--> {"source":"edge_logs","n":6,"errors":1}
--> {"source":"postgres_logs","n":3,"errors":2}

-- sessions of the database
select log_attributes['parsed.session_id'] as session, groupArray(id) as ids from (select * from logs where source = 'postgres_logs' order by id) group by session order by session
--> {"session":"s1","ids":["b1","b2"]}
--> {"session":"s2","ids":["b3"]}

-- attributes, how often each is there
select arrayJoin(mapKeys(log_attributes)) as key, count() as n from logs group by key order by n desc, key limit 5
--> {"key":"request.method","n":6}
--> {"key":"request.path","n":6}
--> {"key":"response.origin_time","n":6}
--> {"key":"response.status_code","n":6}
--> {"key":"cf.country","n":5}

-- values of one attribute
select distinct log_attributes['request.method'] as method from logs where mapContains(log_attributes, 'request.method') order by method
--> {"method":"DELETE"}
--> {"method":"GET"}
--> {"method":"POST"}

-- keys by array join
select key, count() as n from logs array join mapKeys(log_attributes) as key where source = 'auth_logs' group by key order by key
--> {"key":"duration","n":2}
--> {"key":"path","n":2}
--> {"key":"status","n":2}

-- a union of two sources
select id, 'edge' as kind from logs where id = 'a1' union all select id, 'db' as kind from logs where id = 'b1'
--> {"id":"a1","kind":"edge"}
--> {"id":"b1","kind":"db"}

-- a union in brackets, each with its limit
select kind, count() as n from ((select 'e' as kind from logs where source = 'edge_logs' limit 2) union all (select 'p' as kind from logs where source = 'postgres_logs' limit 1)) group by kind order by kind
--> {"kind":"e","n":2}
--> {"kind":"p","n":1}

-- rows that one list has and another has not
select id from logs where source = 'edge_logs' and id not in (select id from logs where severity_text = 'INFO') order by id
--> {"id":"a3"}
--> {"id":"a4"}

-- a running total
select id, count() over (order by timestamp) as total from logs where source = 'edge_logs' order by timestamp
--> {"id":"a1","total":1}
--> {"id":"a2","total":2}
--> {"id":"a3","total":3}
--> {"id":"a4","total":4}
--> {"id":"a5","total":5}
--> {"id":"a6","total":6}

-- a running sum of times
select id, sum(toInt32OrZero(log_attributes['response.origin_time'])) over (order by timestamp rows between unbounded preceding and current row) as total from logs where source = 'edge_logs' order by timestamp
--> {"id":"a1","total":12}
--> {"id":"a2","total":60}
--> {"id":"a3","total":65}
--> {"id":"a4","total":968}
--> {"id":"a5","total":1001}
--> {"id":"a6","total":1008}

-- time since the event before
select id, dateDiff('second', lagInFrame(timestamp) over (order by timestamp rows between unbounded preceding and unbounded following), timestamp) as s from logs where source = 'postgres_logs' and id <> 'b1' order by timestamp limit 1 offset 1
--> {"id":"b3","s":80874}

-- the rank of each request by its time
select id, rank() over (order by toInt32OrZero(log_attributes['response.origin_time']) desc) as place from logs where source = 'edge_logs' order by place
--> {"id":"a4","place":1}
--> {"id":"a2","place":2}
--> {"id":"a5","place":3}
--> {"id":"a1","place":4}
--> {"id":"a6","place":5}
--> {"id":"a3","place":6}

-- the number of a row within its source
select id, row_number() over (partition by source order by timestamp) as n from logs where source in ('auth_logs', 'postgres_logs') order by id
--> {"id":"b1","n":1}
--> {"id":"b2","n":2}
--> {"id":"b3","n":3}
--> {"id":"c1","n":1}
--> {"id":"c2","n":2}

-- a level as a number
select id, multiIf(severity_text = 'ERROR', 3, severity_text = 'WARN', 2, severity_text = '', 0, 1) as level from logs where source in ('edge_logs', 'function_logs') order by id
--> {"id":"a1","level":1}
--> {"id":"a2","level":1}
--> {"id":"a3","level":2}
--> {"id":"a4","level":3}
--> {"id":"a5","level":1}
--> {"id":"a6","level":1}
--> {"id":"d1","level":1}
--> {"id":"d2","level":1}
--> {"id":"d3","level":0}

-- errors of the hours of a day
select toHour(timestamp) as hour, count() as n from logs where severity_text = 'ERROR' group by hour order by hour
--> {"hour":8,"n":1}
--> {"hour":10,"n":3}

-- events of the days of a week
select toDayOfWeek(timestamp) as day, count() as n from logs group by day order by day
--> {"day":1,"n":10}
--> {"day":2,"n":1}
--> {"day":3,"n":1}
--> {"day":7,"n":2}

-- fields of a JSON message
select JSONExtractString(event_message, 'msg') as msg, JSONExtractInt(event_message, 'user', 'id') as user from logs where id = 'c2'
--> {"msg":"invalid login","user":7}

-- messages that are JSON
select id from logs where isValidJSON(event_message) order by id
--> {"id":"c2"}

-- a path without its parameters
select splitByChar('?', event_message)[1] as m from logs where id = 'a6'
--> {"m":"GET /rest/v1/items"}

-- the first part of a path
select splitByChar('/', log_attributes['request.path'])[2] as part, count() as n from logs where source = 'edge_logs' group by part order by n desc, part
--> {"part":"rest","n":4}
--> {"part":"auth","n":1}
--> {"part":"storage","n":1}

-- a number in a message
select extract(event_message, '([0-9]{3})$') as status from logs where id = 'a4'
--> {"status":"500"}

-- lengths of messages
select source, sum(length(event_message)) as bytes from logs group by source order by source
--> {"source":"auth_logs","bytes":89}
--> {"source":"edge_logs","bytes":150}
--> {"source":"function_logs","bytes":16}
--> {"source":"postgres_logs","bytes":124}

-- the longest message
select argMax(id, length(event_message)) as id from logs
--> {"id":"c2"}

-- grouping with a total of all
select count() as n, uniqExact(source) as sources, min(id) as first, max(id) as last from logs
--> {"n":14,"sources":4,"first":"a1","last":"d3"}

-- order by two keys
select id from logs where source in ('edge_logs', 'auth_logs') order by severity_text, id desc
--> {"id":"c2"}
--> {"id":"a4"}
--> {"id":"c1"}
--> {"id":"a6"}
--> {"id":"a5"}
--> {"id":"a2"}
--> {"id":"a1"}
--> {"id":"a3"}

-- order by position
select source, count() as n from logs group by 1 order by 2 desc, 1 limit 2
--> {"source":"edge_logs","n":6}
--> {"source":"function_logs","n":3}

-- group by an expression that is not selected
select count() as n from logs group by toStartOfDay(timestamp) order by n
--> {"n":1}
--> {"n":1}
--> {"n":2}
--> {"n":10}

-- seconds of a message's duration
select id, round(toFloat64OrZero(log_attributes['duration']) / 1000000, 2) as s from logs where source = 'auth_logs' order by id
--> {"id":"c1","s":1.2}
--> {"id":"c2","s":0.8}

-- a mean that ignores what is no number
select avg(toFloat64OrNull(log_attributes['execution_time_ms'])) as mean from logs where source = 'function_logs'
--> {"mean":11.375}

-- a sum over what is there
select sum(toFloat64OrZero(log_attributes['execution_time_ms'])) as ms, count() as n from logs where source = 'function_logs'
--> {"ms":22.75,"n":3}

-- local hours in another time zone
select toHour(timestamp, 'America/New_York') as hour, count() as n from logs where source = 'postgres_logs' group by hour order by hour
--> {"hour":3,"n":1}
--> {"hour":5,"n":2}

-- the hour that a change of clocks skips
select id, toHour(toTimeZone(timestamp, 'Europe/Berlin')) as hour from logs where id in ('d1', 'd2') order by id
--> {"id":"d1","hour":1}
--> {"id":"d2","hour":3}

-- a local time as a text
select formatDateTime(timestamp, '%Y-%m-%d %H:%i:%S', 'Asia/Tokyo') as t from logs where id = 'd3'
--> {"t":"2026-01-01 08:30:00"}

-- counts of distinct values under a condition
select uniqIf(log_attributes['request.path'], severity_text = 'INFO') as a, uniqExactIf(source, severity_text = 'ERROR') as b from logs
--> {"a":3,"b":3}

-- sums and means under conditions
select sumIf(toInt32OrZero(log_attributes['response.origin_time']), severity_text = 'INFO') as s, avgIf(toInt32OrZero(log_attributes['response.origin_time']), severity_text <> 'INFO') as a, minIf(timestamp, severity_text = 'ERROR') as f, maxIf(timestamp, severity_text = 'ERROR') as l from logs where source = 'edge_logs'
--> {"s":100,"a":454.0,"f":1739182020250000,"l":1739182020250000}

-- the top values of an attribute
select topK(1)(log_attributes['request.method']) as top from logs where source = 'edge_logs'
--> {"top":["GET"]}

-- lists of distinct values
select arraySort(groupUniqArray(severity_text)) as levels from logs where source = 'edge_logs'
--> {"levels":["ERROR","INFO","WARN"]}

-- a list with a limit
select groupArray(2)(id) as ids from (select id from logs order by id)
--> {"ids":["a1","a2"]}

-- argMax and argMin under a condition
select argMaxIf(id, timestamp, source = 'edge_logs') as last, argMinIf(id, timestamp, severity_text = 'ERROR') as first from logs
--> {"last":"a6","first":"b2"}

-- any value of a group that has one
select source, any(severity_text) as s from logs where source = 'auth_logs' and id = 'c1' group by source
--> {"source":"auth_logs","s":"INFO"}

-- a condition by its number
select sum(severity_text = 'ERROR') as errors from logs
--> {"errors":4}

-- a flag as a number
select id, source = 'edge_logs' and toInt32OrZero(log_attributes['response.status_code']) >= 400 as failed from logs where id in ('a1', 'a3') order by id
--> {"id":"a1","failed":false}
--> {"id":"a3","failed":true}

-- a text from several parts
select concat(source, ':', severity_text) as k, count() as n from logs where source = 'edge_logs' group by k order by k
--> {"k":"edge_logs:ERROR","n":1}
--> {"k":"edge_logs:INFO","n":4}
--> {"k":"edge_logs:WARN","n":1}

-- parts joined by a sign
select concatWithSeparator('/', source, id) as k from logs where id = 'a1'
--> {"k":"edge_logs/a1"}

-- NOT, AND and OR
select id from logs where not (source = 'edge_logs' or source = 'function_logs') and (severity_text = 'ERROR' or id = 'c1') order by id
--> {"id":"b2"}
--> {"id":"b3"}
--> {"id":"c1"}
--> {"id":"c2"}

-- a range of time by two texts
select count() as n from logs where timestamp between '2025-02-10 10:00:00' and '2025-02-10 10:05:00'
--> {"n":7}

-- a range of time by an instant with a zone
select count() as n from logs where timestamp >= parseDateTimeBestEffort('2025-02-10T10:03:00Z')
--> {"n":9}

-- a range of days
select count() as n from logs where toDate(timestamp) = toDate('2025-02-10')
--> {"n":10}

-- a list of instants
select count() as n from logs where timestamp in (toDateTime64('2025-02-10 10:00:00', 6), toDateTime64('2025-02-10 10:00:30', 6))
--> {"n":2}

-- nothing found
select id from logs where source = 'realtime_logs'
--> no rows

-- a total of nothing
select count() as n, sum(length(id)) as s from logs where source = 'realtime_logs'
--> {"n":0,"s":0}

-- column names in quotes
select count() as "number of events", source as `the source` from logs group by `the source` order by `the source` limit 1
--> {"number of events":2,"the source":"auth_logs"}

-- a table with its own name
select l.id, l.source from logs l where l.id = 'a1'
--> {"id":"a1","source":"edge_logs"}

-- columns by the table's name
select logs.id as id from logs where logs.source = 'auth_logs' order by logs.id
--> {"id":"c1"}
--> {"id":"c2"}

-- everything but some columns
select * except (log_attributes, event_message) from logs where id = 'a1'
--> {"id":"a1","timestamp":1739181600000000,"source":"edge_logs","severity_text":"INFO"}
