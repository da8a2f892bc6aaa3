-- # More of what dashboards ask in the columnar dialect

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

-- requests per method and minute
select toStartOfMinute(timestamp) as t, log_attributes['request.method'] as method, count() as n from logs where source = 'edge_logs' group by t, method order by t, method
--> {"t":1739181600000000,"method":"GET","n":1}
--> {"t":1739181600000000,"method":"POST","n":1}
--> {"t":1739181660000000,"method":"GET","n":1}
--> {"t":1739182020000000,"method":"GET","n":1}
--> {"t":1739186100000000,"method":"DELETE","n":1}
--> {"t":1739231940000000,"method":"GET","n":1}

-- 4xx and 5xx by path
select log_attributes['request.path'] as path, countIf(toInt32OrZero(log_attributes['response.status_code']) >= 400) as bad, count() as n from logs where source = 'edge_logs' group by path having bad > 0 order by bad desc, path
--> {"path":"/auth/v1/user","bad":1,"n":1}
--> {"path":"/rest/v1/items","bad":1,"n":4}

-- the class of a status
select concat(substring(log_attributes['response.status_code'], 1, 1), 'xx') as class, count() as n from logs where source = 'edge_logs' group by class order by class
--> {"class":"2xx","n":3}
--> {"class":"3xx","n":1}
--> {"class":"4xx","n":1}
--> {"class":"5xx","n":1}

-- requests slower than a limit
select id, toInt32OrZero(log_attributes['response.origin_time']) as ms from logs where ms > 30 order by ms
--> {"id":"a5","ms":33}
--> {"id":"a2","ms":48}
--> {"id":"a4","ms":903}

-- the time in seconds
select id, toInt32OrZero(log_attributes['response.origin_time']) / 1000 as s from logs where source = 'edge_logs' order by id limit 2
--> {"id":"a1","s":0.012}
--> {"id":"a2","s":0.048}

-- buckets of times
select multiIf(ms < 10, 'fast', ms < 100, 'fair', 'slow') as bucket, count() as n from (select toInt32OrZero(log_attributes['response.origin_time']) as ms from logs where source = 'edge_logs') group by bucket order by bucket
--> {"bucket":"fair","n":3}
--> {"bucket":"fast","n":2}
--> {"bucket":"slow","n":1}

-- buckets of equal width
select intDiv(toInt32OrZero(log_attributes['response.origin_time']), 25) * 25 as bucket, count() as n from logs where source = 'edge_logs' group by bucket order by bucket
--> {"bucket":0,"n":3}
--> {"bucket":25,"n":2}
--> {"bucket":900,"n":1}

-- events of a function
select id, log_attributes['execution_time_ms'] as ms from logs where log_attributes['function_id'] = 'f1' order by timestamp
--> {"id":"d1","ms":"15.5"}
--> {"id":"d2","ms":"7.25"}

-- boots and shutdowns
select event_message, count() as n from logs where source = 'function_logs' group by event_message order by n desc
--> {"event_message":"boot","n":2}
--> {"event_message":"shutdown","n":1}

-- the slowest run of each function
select log_attributes['function_id'] as f, max(toFloat64OrZero(log_attributes['execution_time_ms'])) as ms from logs where source = 'function_logs' group by f order by f
--> {"f":"f1","ms":15.5}
--> {"f":"f2","ms":0.0}

-- log-ins that failed
select id, JSONExtractString(event_message, 'level') as level from logs where source = 'auth_logs' and log_attributes['status'] = '400'
--> {"id":"c2","level":"error"}

-- durations by path
select log_attributes['path'] as path, sum(toInt64OrZero(log_attributes['duration'])) as total, avg(toInt64OrZero(log_attributes['duration'])) as mean from logs where source = 'auth_logs' group by path
--> {"path":"/token","total":2000000,"mean":1000000.0}

-- errors of the last day that there is
select source, count() as n from logs where severity_text = 'ERROR' and timestamp >= (select max(timestamp) from logs where source = 'postgres_logs') - interval 1 day group by source order by source
--> {"source":"auth_logs","n":1}
--> {"source":"edge_logs","n":1}
--> {"source":"postgres_logs","n":2}

-- messages without numbers
select replaceRegexpAll(event_message, '[0-9]+', 'N') as pattern, count() as n from logs where source = 'edge_logs' group by pattern order by n desc, pattern limit 3
--> {"pattern":"GET /rest/vN/items N","n":2}
--> {"pattern":"DELETE /storage/vN/object/N N","n":1}
--> {"pattern":"GET /auth/vN/user N","n":1}

-- words of messages
select lower(arrayJoin(splitByChar(' ', event_message))) as word, count() as n from logs where source = 'edge_logs' group by word having n > 1 order by n desc, word
--> {"word":"get","n":4}
--> {"word":"/rest/v1/items","n":3}

-- a message cut short
select id, concat(left(event_message, 10), '...') as m from logs where length(event_message) > 40 order by id
--> {"id":"b2","m":"duplicate ..."}
--> {"id":"b3","m":"canceling ..."}
--> {"id":"c2","m":"{\"level\":\"..."}

-- events whose message has a code
select id from logs where match(event_message, '\\b(500|401)\\b') order by id
--> {"id":"a3"}
--> {"id":"a4"}

-- a search for one of several words
select id from logs where event_message ilike '%timeout%' or event_message ilike '%duplicate%' order by id
--> {"id":"b2"}
--> {"id":"b3"}

-- hosts of connections
select extract(event_message, 'host=([0-9.]+)') as host, count() as n from logs where host <> '' group by host
--> {"host":"10.0.0.1","n":1}

-- nothing known of a country
select count() as n from logs where source = 'edge_logs' and log_attributes['cf.country'] = ''
--> {"n":1}

-- countries joined to one text
select arrayStringConcat(arraySort(groupUniqArray(log_attributes['cf.country'])), ',') as c from logs where source = 'edge_logs' and log_attributes['cf.country'] <> ''
--> {"c":"DE,FR,US"}

-- the number of sources of each level
select severity_text, uniqExact(source) as n from logs group by severity_text order by n desc, severity_text
--> {"severity_text":"ERROR","n":3}
--> {"severity_text":"INFO","n":3}
--> {"severity_text":"","n":1}
--> {"severity_text":"LOG","n":1}
--> {"severity_text":"WARN","n":1}

-- the latest of each level
select severity_text, max(timestamp) as last, argMax(id, timestamp) as id from logs group by severity_text order by last desc, id
--> {"severity_text":"","last":1767223800000000,"id":"d3"}
--> {"severity_text":"INFO","last":1743298200000000,"id":"d2"}
--> {"severity_text":"ERROR","last":1739262600000000,"id":"b3"}
--> {"severity_text":"LOG","last":1739181725000000,"id":"b1"}
--> {"severity_text":"WARN","last":1739181670000000,"id":"a3"}

-- days with more than one source
select toDate(timestamp) as day, uniq(source) as n from logs group by day having n > 1 order by day
--> {"day":"2025-02-10","n":3}

-- quarters and years
select toYear(timestamp) as y, toQuarter(timestamp) as q, count() as n from logs group by y, q order by y, q
--> {"y":2025,"q":1,"n":13}
--> {"y":2025,"q":4,"n":1}

-- a week as a number
select toISOWeek(timestamp) as w, count() as n from logs group by w order by w
--> {"w":1,"n":1}
--> {"w":7,"n":11}
--> {"w":13,"n":2}

-- the hour as a text
select formatDateTime(timestamp, '%H:00') as h, count() as n from logs where source = 'edge_logs' group by h order by h
--> {"h":"10:00","n":4}
--> {"h":"11:00","n":1}
--> {"h":"23:00","n":1}

-- counts before and after an instant
select countIf(timestamp < toDateTime('2025-02-10 10:05:00')) as before, countIf(timestamp >= toDateTime('2025-02-10 10:05:00')) as after from logs
--> {"before":7,"after":7}

-- the share of each source, in percent
select source, round(100 * count() / (select count() from logs), 1) as percent from logs group by source order by percent desc, source
--> {"source":"edge_logs","percent":42.9}
--> {"source":"function_logs","percent":21.4}
--> {"source":"postgres_logs","percent":21.4}
--> {"source":"auth_logs","percent":14.3}

-- ranks of sources by their events
select source, n, row_number() over (order by n desc, source) as place from (select source, count() as n from logs group by source) order by place
--> {"source":"edge_logs","n":6,"place":1}
--> {"source":"function_logs","n":3,"place":2}
--> {"source":"postgres_logs","n":3,"place":3}
--> {"source":"auth_logs","n":2,"place":4}

-- a total that grows by the hour
select h, n, sum(n) over (order by h) as total from (select toStartOfHour(timestamp) as h, count() as n from logs group by h) order by h
--> {"h":1739181600000000,"n":8,"total":8}
--> {"h":1739185200000000,"n":1,"total":9}
--> {"h":1739228400000000,"n":1,"total":10}
--> {"h":1739260800000000,"n":1,"total":11}
--> {"h":1743292800000000,"n":1,"total":12}
--> {"h":1743296400000000,"n":1,"total":13}
--> {"h":1767222000000000,"n":1,"total":14}

-- the change from hour to hour
select h, n, n - lag(n, 1, 0) over (order by h) as change from (select toStartOfHour(timestamp) as h, count() as n from logs where source = 'edge_logs' group by h) order by h
--> {"h":1739181600000000,"n":4,"change":4}
--> {"h":1739185200000000,"n":1,"change":-3}
--> {"h":1739228400000000,"n":1,"change":0}

-- the first event of each session
select log_attributes['parsed.session_id'] as session, min(timestamp) as first, count() as n from logs where session <> '' group by session order by session
--> {"session":"s1","first":1739181725000000,"n":2}
--> {"session":"s2","first":1739262600000000,"n":1}

-- how long a session lasted
select log_attributes['parsed.session_id'] as session, dateDiff('second', min(timestamp), max(timestamp)) as s from logs where session <> '' group by session order by session
--> {"session":"s1","s":1}
--> {"session":"s2","s":0}

-- sessions with an error
select distinct log_attributes['parsed.session_id'] as session from logs where severity_text = 'ERROR' and source = 'postgres_logs' order by session
--> {"session":"s1"}
--> {"session":"s2"}

-- two sources side by side
select a.n as edge, b.n as postgres from (select count() as n from logs where source = 'edge_logs') as a cross join (select count() as n from logs where source = 'postgres_logs') as b
--> {"edge":6,"postgres":3}

-- errors and all, by source, in a join
select a.source as source, a.n as n, b.n as errors from (select source, count() as n from logs group by source) as a join (select source, count() as n from logs where severity_text = 'ERROR' group by source) as b on a.source = b.source order by source
--> {"source":"auth_logs","n":2,"errors":1}
--> {"source":"edge_logs","n":6,"errors":1}
--> {"source":"postgres_logs","n":3,"errors":2}

-- minutes with an error and without, filled
select toStartOfMinute(timestamp) as t, countIf(severity_text = 'ERROR') as errors from logs where source = 'auth_logs' or source = 'postgres_logs' and timestamp < toDateTime('2025-02-11 00:00:00') group by t order by t with fill step 60
--> {"t":1739181720000000,"errors":1}
--> {"t":1739181780000000,"errors":1}

-- the attribute with the longest name
select key from (select distinct arrayJoin(mapKeys(log_attributes)) as key from logs) order by length(key) desc, key limit 1
--> {"key":"parsed.error_severity"}

-- how many attributes an event has
select id, length(mapKeys(log_attributes)) as n from logs where source in ('auth_logs', 'function_logs') order by id
--> {"id":"c1","n":3}
--> {"id":"c2","n":3}
--> {"id":"d1","n":2}
--> {"id":"d2","n":2}
--> {"id":"d3","n":2}

-- events with a given value anywhere
select id from logs where has(mapValues(log_attributes), 'app') order by id
--> {"id":"b2"}
--> {"id":"b3"}

-- flags of an event
select id, severity_text in ('ERROR', 'FATAL') as failed, mapContains(log_attributes, 'status') as has_status from logs where source = 'auth_logs' order by id
--> {"id":"c1","failed":false,"has_status":true}
--> {"id":"c2","failed":true,"has_status":true}

-- numbers rounded to tens
select round(toInt32OrZero(log_attributes['response.origin_time']), -1) as r, count() as n from logs where source = 'edge_logs' group by r order by r
--> {"r":10,"n":3}
--> {"r":30,"n":1}
--> {"r":50,"n":1}
--> {"r":900,"n":1}

-- a median by group
select log_attributes['request.method'] as m, median(toInt32OrZero(log_attributes['response.origin_time'])) as ms from logs where source = 'edge_logs' group by m order by m
--> {"m":"DELETE","ms":33.0}
--> {"m":"GET","ms":9.5}
--> {"m":"POST","ms":48.0}

-- a page of groups
select source, count() as n from logs group by source order by source limit 2 offset 2
--> {"source":"function_logs","n":3}
--> {"source":"postgres_logs","n":3}

-- LIMIT BY a hidden column
select id from logs where source <> 'function_logs' order by timestamp desc limit 1 by source
--> {"id":"b3"}
--> {"id":"a6"}
--> {"id":"c2"}

-- LIMIT BY a hidden attribute, sorted by another one
select id from logs where source = 'edge_logs' order by toInt32OrZero(log_attributes['response.origin_time']) desc limit 1 by log_attributes['request.method']
--> {"id":"a4"}
--> {"id":"a2"}
--> {"id":"a5"}

-- QUALIFY and a hidden order
select id from logs where source = 'auth_logs' qualify row_number() over (partition by source order by id) <= 2 order by timestamp desc
--> {"id":"c2"}
--> {"id":"c1"}

-- a left join gives zeros and empty texts
select a.k as k, b.n as n, b.t as t from (select 'x' as k union all select 'y' as k) as a left join (select 'x' as k, 1 as n, 'text' as t) as b on a.k = b.k order by k
--> {"k":"x","n":1,"t":"text"}
--> {"k":"y","n":0,"t":""}

-- no partner is no null
select a.k as k from (select 'x' as k union all select 'y' as k) as a left join (select 'x' as k, 1 as n) as b on a.k = b.k where b.n = 0 order by k
--> {"k":"y"}

-- a right join fills the left side
select a.n as n, b.k as k from (select 'x' as k, 1 as n) as a right join (select 'x' as k union all select 'y' as k) as b on a.k = b.k order by k
--> {"n":1,"k":"x"}
--> {"n":0,"k":"y"}

-- a full join fills both sides
select a.n as n, b.m as m from (select 'x' as k, 1 as n) as a full join (select 'y' as k, 2 as m) as b on a.k = b.k order by n, m
--> {"n":0,"m":2}
--> {"n":1,"m":0}

-- a left join counts what is missing as nothing
select a.source as source, countIf(b.id = '') as alone from logs as a left join (select id, source from logs where source = 'auth_logs') as b on a.id = b.id group by source order by source
--> {"source":"auth_logs","alone":0}
--> {"source":"edge_logs","alone":6}
--> {"source":"function_logs","alone":3}
--> {"source":"postgres_logs","alone":3}

-- a left join over a common table expression
with slow as (select log_attributes['request.path'] as path, max(toInt32OrZero(log_attributes['response.origin_time'])) as ms from logs where source = 'edge_logs' group by path having ms > 100) select l.id as id, s.ms as ms from logs as l left join slow as s on l.log_attributes['request.path'] = s.path where l.source = 'edge_logs' order by id limit 3
--> {"id":"a1","ms":903}
--> {"id":"a2","ms":903}
--> {"id":"a3","ms":0}
