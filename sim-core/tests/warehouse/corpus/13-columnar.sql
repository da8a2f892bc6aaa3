-- # Queries in the dialect of the columnar store

--= source logs
--= {"id":"1","timestamp":1739181600000000,"event_message":"GET /a 200","source":"edge_logs","severity_text":"INFO","log_attributes":{"request.method":"GET","request.path":"/a","response.status_code":"200","response.origin_time":"10"}}
--= {"id":"2","timestamp":1739181630000000,"event_message":"POST /b 500","source":"edge_logs","severity_text":"ERROR","log_attributes":{"request.method":"POST","request.path":"/b","response.status_code":"500","response.origin_time":"30"}}
--= {"id":"3","timestamp":1739181725000000,"event_message":"statement: select 1","source":"postgres_logs","severity_text":"LOG","log_attributes":{"parsed.error_severity":"LOG","parsed.query":"select 1"}}
--= {"id":"4","timestamp":1739185200000000,"event_message":"GET /a 404","source":"edge_logs","severity_text":"WARN","log_attributes":{"request.method":"GET","request.path":"/a","response.status_code":"404","response.origin_time":"20"}}

-- a value of the map
select id, log_attributes['request.method'] as method from logs where source = 'edge_logs' order by id
--> {"id":"1","method":"GET"}
--> {"id":"2","method":"POST"}
--> {"id":"4","method":"GET"}

-- a key that is not there is empty
select log_attributes['none'] as none from logs where id = '1'
--> {"none":""}

-- all columns
select * from logs where id = '3'
--> {"id":"3","timestamp":1739181725000000,"event_message":"statement: select 1","severity_text":"LOG","source":"postgres_logs","log_attributes":[{"parsed.error_severity":"LOG","parsed.query":"select 1"}]}

-- a column without a name is called by its text
select count() from logs
--> {"count()":4}

-- count of everything, of values, of distinct values
select count() as a, count(*) as b, count(id) as c, count(distinct source) as d, uniq(source) as e, uniqExact(severity_text) as f from logs
--> {"a":4,"b":4,"c":4,"d":2,"e":2,"f":4}

-- countIf by hour
select toStartOfHour(timestamp) as h, countIf(source = 'edge_logs') as edge from logs group by h order by h
--> {"h":1739181600000000,"edge":2}
--> {"h":1739185200000000,"edge":1}

-- a chart by minute
select toStartOfMinute(timestamp) as timestamp, countIf(toInt32OrZero(log_attributes['response.status_code']) < 400) as ok_count, countIf(toInt32OrZero(log_attributes['response.status_code']) >= 400 and toInt32OrZero(log_attributes['response.status_code']) < 500) as warning_count, countIf(toInt32OrZero(log_attributes['response.status_code']) >= 500) as error_count from logs where source = 'edge_logs' group by timestamp order by timestamp asc
--> {"timestamp":1739181600000000,"ok_count":1,"warning_count":0,"error_count":1}
--> {"timestamp":1739185200000000,"ok_count":0,"warning_count":1,"error_count":0}

-- other starts
select toStartOfDay(timestamp) as d, toStartOfMonth(timestamp) as m, toStartOfYear(timestamp) as y, toMonday(timestamp) as w, toStartOfFiveMinutes(timestamp) as five, toStartOfFifteenMinutes(timestamp) as fifteen, toStartOfInterval(timestamp, interval 30 second) as thirty from logs where id = '3'
--> {"d":1739145600000000,"m":"2025-02-01","y":"2025-01-01","w":"2025-02-10","five":1739181600000000,"fifteen":1739181600000000,"thirty":1739181720000000}

-- weeks begin on Sunday, and averages have weights
select toStartOfWeek(max(timestamp)) as w, avgWeighted(toInt32OrZero(id), if(id = '3', 3, 1)) as a from logs where id in ('2', '3')
--> {"w":"2025-02-09","a":2.75}

-- the other combinators
select sumIf(toInt64OrZero(log_attributes['response.origin_time']), source = 'edge_logs') as s, avgIf(toFloat64OrZero(log_attributes['response.origin_time']), source = 'edge_logs') as a, minIf(id, source = 'postgres_logs') as i, maxIf(id, source = 'edge_logs') as x, uniqIf(source, id < '3') as u from logs
--> {"s":60,"a":20.0,"i":"3","x":"4","u":1}

-- quantiles lie between values
select quantile(0.5)(toFloat64OrZero(log_attributes['response.origin_time'])) as p50, quantile(0.25)(toInt32OrZero(log_attributes['response.origin_time'])) as p25, quantileIf(0.5)(toInt32OrZero(log_attributes['response.origin_time']), id <> '4') as two, median(toInt32OrZero(log_attributes['response.origin_time'])) as m from logs where source = 'edge_logs'
--> {"p50":20.0,"p25":15.0,"two":20.0,"m":20.0}

-- several quantiles
select quantiles(0.5, 1)(toInt32OrZero(log_attributes['response.origin_time'])) as q from logs where source = 'edge_logs'
--> {"q":[20.0,30.0]}

-- a quantile takes a fraction
select quantile(95)(length(id)) as q from logs
--> refused Invalid: quantile takes numbers from 0 to 1 before its arguments

-- conversions
select toInt32OrZero('x') as a, toInt32OrZero('7') as b, toInt64OrNull('x') as c, toFloat64OrZero('1.5') as d, toString(7) as e, toUInt8('9') as f, toFloat64OrZero('') as g
--> {"a":0,"b":7,"c":null,"d":1.5,"e":"7","f":9,"g":0.0}

-- a conversion that fails
select toInt32('many') as n
--> error

-- casts
select cast('5' as Int32) as a, '6'::UInt64 as b, cast(7 as String) as c, cast('1.5' as Nullable(Float64)) as d
--> {"a":5,"b":6,"c":"7","d":1.5}

-- ILIKE, LIKE and their functions
select id from logs where event_message ilike 'get%' and not event_message like 'get%' and ilike(event_message, '%404') order by id
--> {"id":"4"}

-- NOT ILIKE
select id from logs where event_message not ilike '%GET%' order by id
--> {"id":"2"}
--> {"id":"3"}

-- match
select id from logs where match(event_message, '^(GET|POST) /[ab] [45]') order by id
--> {"id":"2"}
--> {"id":"4"}

-- texts
select lower('A') as a, upper('b') as b, length('abc') as c, substring('abcdef', 2, 3) as d, position('abc', 'c') as e, startsWith('abc', 'ab') as f, endsWith('abc', 'bc') as g, replaceAll('aXbX', 'X', '-') as h, replaceRegexpAll('a1b22', '[0-9]+', '#') as i, concat('a', 'b') as j, trim(' a ') as k, empty('') as l, notEmpty('x') as m, positionCaseInsensitive('ABC', 'b') as n
--> {"a":"a","b":"B","c":3,"d":"bcd","e":3,"f":true,"g":true,"h":"a-b-","i":"a#b#","j":"ab","k":"a","l":true,"m":true,"n":2}

-- quotes and backslashes in texts
select 'it''s' as a, 'a\\b' as b, 'x\'y' as c
--> {"a":"it's","b":"a\\b","c":"x'y"}

-- if and multiIf
select id, if(source = 'edge_logs', 'edge', 'other') as a, multiIf(severity_text = 'ERROR', 3, severity_text = 'WARN', 2, 1) as b from logs order by id
--> {"id":"1","a":"edge","b":1}
--> {"id":"2","a":"edge","b":3}
--> {"id":"3","a":"other","b":1}
--> {"id":"4","a":"edge","b":2}

-- CASE
select case when source = 'edge_logs' then 'e' else 'p' end as kind, count() as n from logs group by kind order by kind
--> {"kind":"e","n":3}
--> {"kind":"p","n":1}

-- nulls
select ifNull(null, 'a') as a, isNull(null) as b, coalesce(null, 'c') as c, isNotNull('x') as d, nullIf('a', 'a') as e
--> {"a":"a","b":true,"c":"c","d":true,"e":null}

-- instants as texts
select id from logs where timestamp >= toDateTime64('2025-02-10 10:02:00', 3) and timestamp < '2025-02-10 12:00:00' order by id
--> {"id":"3"}
--> {"id":"4"}

-- instants as numbers
select toDateTime(1739181600) as a, fromUnixTimestamp64Milli(1739181600500) as b, toUnixTimestamp(toDateTime('2025-02-10 10:00:00')) as c
--> {"a":1739181600000000,"b":1739181600500000,"c":1739181600}

-- intervals
select id from logs where timestamp > now() - interval 30 minute order by id
--> {"id":"3"}
--> {"id":"4"}

-- intervals of other units, and functions for them
select toDateTime('2025-02-10 10:00:00') + interval 1 day as a, toDateTime('2025-02-10 10:00:00') - interval 1 week as b, addHours(toDateTime('2025-02-10 10:00:00'), 2) as c, subtractMinutes(toDateTime('2025-02-10 10:00:00'), 1) as d
--> {"a":1739268000000000,"b":1738576800000000,"c":1739188800000000,"d":1739181540000000}

-- today and yesterday
select today() as a, yesterday() as b
--> {"a":"2025-02-10","b":"2025-02-09"}

-- parts of instants
select toHour(timestamp) as h, toMinute(timestamp) as m, toSecond(timestamp) as s, toDayOfWeek(timestamp) as w, toYear(timestamp) as y, toMonth(timestamp) as mo, toDayOfMonth(timestamp) as d from logs where id = '3'
--> {"h":10,"m":2,"s":5,"w":1,"y":2025,"mo":2,"d":10}

-- differences count borders
select dateDiff('hour', toDateTime('2025-02-10 10:59:00'), toDateTime('2025-02-10 11:01:00')) as h, dateDiff('minute', toDateTime('2025-02-10 10:59:00'), toDateTime('2025-02-10 11:01:00')) as m
--> {"h":1,"m":2}

-- instants as formatted texts
select formatDateTime(timestamp, '%Y-%m-%d %H:%i:%S') as t from logs where id = '3'
--> {"t":"2025-02-10 10:02:05"}

-- keys and values of a map
select mapKeys(log_attributes) as k, mapValues(log_attributes) as v, mapContains(log_attributes, 'parsed.query') as c, length(mapKeys(log_attributes)) as n from logs where id = '3'
--> {"k":["parsed.error_severity","parsed.query"],"v":["LOG","select 1"],"c":true,"n":2}

-- arrayJoin
select arrayJoin(mapKeys(log_attributes)) as k, count() as n from logs where source = 'edge_logs' group by k order by k
--> {"k":"request.method","n":3}
--> {"k":"request.path","n":3}
--> {"k":"response.origin_time","n":3}
--> {"k":"response.status_code","n":3}

-- ARRAY JOIN
select id, k from logs array join mapKeys(log_attributes) as k where id = '3' order by k
--> {"id":"3","k":"parsed.error_severity"}
--> {"id":"3","k":"parsed.query"}

-- lists
select groupArray(id) as a, has(splitByChar(',', 'a,b'), 'b') as b, splitByChar(',', 'a,b') as c, splitByChar(',', 'a,b')[2] as d, arrayStringConcat(splitByChar(',', 'a,b'), '-') as e from logs where id = '2'
--> {"a":["2"],"b":true,"c":["a","b"],"d":"b","e":"a-b"}

-- argMax and any
select argMax(id, timestamp) as a, argMin(id, timestamp) as b, any(source) as c from logs where source = 'edge_logs'
--> {"a":"4","b":"1","c":"edge_logs"}

-- JSON in a text
select JSONExtractString('{"a":{"b.c":"x"}}', 'a', 'b.c') as a, JSONExtractInt('{"n":5}', 'n') as b, JSONExtractString('{}', 'a') as c, JSONHas('{"a":1}', 'a') as d, JSONExtractFloat('{"f":1.5}', 'f') as e, JSONExtractBool('{"t":true}', 't') as f
--> {"a":"x","b":5,"c":"","d":true,"e":1.5,"f":true}

-- queries in brackets, each with its own limit
(select id, 'a' as part from logs where source = 'edge_logs' order by id limit 2) union all (select id, 'b' as part from logs where source = 'postgres_logs' limit 1)
--> {"id":"1","part":"a"}
--> {"id":"2","part":"a"}
--> {"id":"3","part":"b"}

-- UNION ALL in a subquery
select part, count() as n from (select 'a' as part from logs union all select 'b' as part from logs where id = '1') group by part order by part
--> {"part":"a","n":4}
--> {"part":"b","n":1}

-- common table expressions
with edge as (select id, log_attributes['request.path'] as path from logs where source = 'edge_logs') select path, count() as n from edge group by path order by n desc, path
--> {"path":"/a","n":2}
--> {"path":"/b","n":1}

-- names of columns in WHERE and in other columns
select toInt32OrZero(log_attributes['response.status_code']) as status, status >= 500 as failed from logs where status >= 400 order by status
--> {"status":404,"failed":false}
--> {"status":500,"failed":true}

-- HAVING
select source, count() as n from logs group by source having n > 1
--> {"source":"edge_logs","n":3}

-- LIMIT BY
select id, source, timestamp from logs order by source, timestamp desc limit 1 by source
--> {"id":"4","source":"edge_logs","timestamp":1739185200000000}
--> {"id":"3","source":"postgres_logs","timestamp":1739181725000000}

-- has of an aggregate
select has(groupArray(id), '2') as b from logs
--> {"b":true}

-- LIMIT and OFFSET
select id from logs order by id limit 2 offset 1
--> {"id":"2"}
--> {"id":"3"}

-- PREWHERE
select id from logs prewhere source = 'postgres_logs' where id <> '1'
--> {"id":"3"}

-- IN
select id from logs where severity_text in ('ERROR', 'WARN') and source not in ('postgres_logs') order by id
--> {"id":"2"}
--> {"id":"4"}

-- IN a query
select id from logs where id in (select max(id) from logs)
--> {"id":"4"}

-- a join
select a.id, b.id as other from logs as a join logs as b on a.log_attributes['request.path'] = b.log_attributes['request.path'] and a.id < b.id where a.source = 'edge_logs'
--> {"id":"1","other":"4"}

-- arithmetic
select 7 / 2 as a, intDiv(7, 2) as b, 7 % 3 as c, modulo(7, 3) as d, round(1.25, 1) as e, abs(-3) as f, greatest(1, 2) as g
--> {"a":3.5,"b":3,"c":1,"d":1,"e":1.2,"f":3,"g":2}

-- a window
select id, row_number() over (partition by source order by timestamp desc) as place from logs where source = 'edge_logs' order by id
--> {"id":"1","place":3}
--> {"id":"2","place":2}
--> {"id":"4","place":1}

-- DISTINCT
select distinct source from logs order by source
--> {"source":"edge_logs"}
--> {"source":"postgres_logs"}

-- a function that is not known
select geohashEncode(1, 2) as g
--> refused Unsupported: the function geohashEncode is not supported

-- statements that write
insert into logs (id) values ('9')
--> refused NotAQuery: Only SELECT queries allowed

-- another format
select id from logs format JSON
--> refused Invalid: FORMAT is the server's own: leave it out, answers are always rows of JSON

-- a field that is not there
select nothing_here_at_all(1) as n from logs
--> refused Unsupported: the function nothing_here_at_all is not supported
