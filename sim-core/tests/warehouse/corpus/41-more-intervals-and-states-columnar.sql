-- # More of intervals, names inside expressions, states and all columns in the columnar dialect, over events; the rows are those of an independent engine

--= source logs
--= known source STRING, severity_text STRING, log_attributes JSON
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

-- select toDateTime('2026-03-01 00:00:00','UTC') + toIntervalQuarter(1) as q, toDateTime('20
select toDateTime('2026-03-01 00:00:00','UTC') + toIntervalQuarter(1) as q, toDateTime('2026-03-01 00:00:00','UTC') - toIntervalYear(2) as y
--> {"q":1780272000000000,"y":1709251200000000}

-- select toDateTime64('2026-03-01 00:00:00.5', 3, 'UTC') + INTERVAL 250 MILLISECOND as t
select toDateTime64('2026-03-01 00:00:00.5', 3, 'UTC') + INTERVAL 250 MILLISECOND as t
--> {"t":1772323200750000}

-- select INTERVAL 1 DAY + toDateTime('2026-03-01 00:00:00','UTC') as t
select INTERVAL 1 DAY + toDateTime('2026-03-01 00:00:00','UTC') as t
--> {"t":1772409600000000}

-- select toDate('2026-03-01') + INTERVAL 1 DAY + INTERVAL 2 DAY as d
select toDate('2026-03-01') + INTERVAL 1 DAY + INTERVAL 2 DAY as d
--> {"d":"2026-03-04"}

-- select id from logs where timestamp > toDateTime('2025-02-10 10:00:00','UTC') + INTERVAL 1
select id from logs where timestamp > toDateTime('2025-02-10 10:00:00','UTC') + INTERVAL 1 MINUTE and timestamp < toDateTime('2025-02-10 10:00:00','UTC') + INTERVAL '3 minutes' order by id
--> {"id":"a3"}
--> {"id":"b1"}
--> {"id":"b2"}

-- with toIntervalMinute(5) as step select toStartOfInterval(timestamp, step) as t, count() a
with toIntervalMinute(5) as step select toStartOfInterval(timestamp, step) as t, count() as n from logs where source = 'edge_logs' group by t order by t
--> {"t":1739181600000000,"n":3}
--> {"t":1739181900000000,"n":1}
--> {"t":1739186100000000,"n":1}
--> {"t":1739231700000000,"n":1}

-- with INTERVAL 1 HOUR as step select toStartOfInterval(timestamp, step) as t, count() as n
with INTERVAL 1 HOUR as step select toStartOfInterval(timestamp, step) as t, count() as n from logs group by t order by t with fill step INTERVAL 1 HOUR limit 3
--> {"t":1739181600000000,"n":8}
--> {"t":1739185200000000,"n":1}
--> {"t":1739188800000000,"n":0}

-- select w.step as s, toDateTime('2026-03-01 00:00:00','UTC') + w.step as t from (select toI
select w.step as s, toDateTime('2026-03-01 00:00:00','UTC') + w.step as t from (select toIntervalDay(number) as step from numbers(2)) as w order by s
--> {"s":0,"t":1772323200000000}
--> {"s":1,"t":1772409600000000}

-- select step, count() as n from (select toIntervalDay(number % 2) as step from numbers(5))
select step, count() as n from (select toIntervalDay(number % 2) as step from numbers(5)) group by step order by step
--> {"step":0,"n":3}
--> {"step":1,"n":2}

-- select * from (select toIntervalDay(1) as step, toDate('2026-03-01') as d) where d + step
select * from (select toIntervalDay(1) as step, toDate('2026-03-01') as d) where d + step = toDate('2026-03-02')
--> {"step":1,"d":"2026-03-01"}

-- select d + step as e from (select * from (select toIntervalDay(1) as step, toDate('2026-03
select d + step as e from (select * from (select toIntervalDay(1) as step, toDate('2026-03-01') as d))
--> {"e":"2026-03-02"}

-- select groupArray(toIntervalMinute(number)) as l from numbers(3)
select groupArray(toIntervalMinute(number)) as l from numbers(3)
--> refused Invalid: Illegal type IntervalMinute of an argument of function groupArray

-- select ifNull(toIntervalMinute(1), toIntervalMinute(2)) as l
select ifNull(toIntervalMinute(1), toIntervalMinute(2)) as l
--> {"l":1}

-- select toIntervalMinute(number) as i from numbers(4) where i > INTERVAL 1 MINUTE order by
select toIntervalMinute(number) as i from numbers(4) where i > INTERVAL 1 MINUTE order by i
--> {"i":2}
--> {"i":3}

-- select max(i) as m from (select toIntervalMinute(number) as i from numbers(4))
select max(i) as m from (select toIntervalMinute(number) as i from numbers(4))
--> {"m":3}

-- select least(INTERVAL 5 MINUTE, INTERVAL 3 MINUTE) as m
select least(INTERVAL 5 MINUTE, INTERVAL 3 MINUTE) as m
--> {"m":3}

-- select dateDiff('minute', toDateTime('2026-03-01 00:00:00','UTC'), toDateTime('2026-03-01
select dateDiff('minute', toDateTime('2026-03-01 00:00:00','UTC'), toDateTime('2026-03-01 00:00:00','UTC') + INTERVAL 2 HOUR) as m
--> {"m":120}

-- select count() as n from logs where timestamp between toDateTime('2025-02-10 10:00:00','UT
select count() as n from logs where timestamp between toDateTime('2025-02-10 10:00:00','UTC') - INTERVAL 1 DAY and toDateTime('2025-02-10 10:00:00','UTC') + INTERVAL 1 DAY
--> {"n":11}

-- select toUnixTimestamp(toDateTime('2026-03-01 00:00:00','UTC') + INTERVAL 5 MINUTE) as m
select toUnixTimestamp(toDateTime('2026-03-01 00:00:00','UTC') + INTERVAL 5 MINUTE) as m
--> {"m":1772323500}

-- select subtractMinutes(toDateTime('2026-03-01 00:00:00','UTC'), 5) as a, addMinutes(toDate
select subtractMinutes(toDateTime('2026-03-01 00:00:00','UTC'), 5) as a, addMinutes(toDateTime('2026-03-01 00:00:00','UTC'), 5) as b
--> {"a":1772322900000000,"b":1772323500000000}

-- select date_sub(toDateTime('2026-03-01 00:00:00','UTC'), INTERVAL 3 HOUR) as t
select date_sub(toDateTime('2026-03-01 00:00:00','UTC'), INTERVAL 3 HOUR) as t
--> {"t":1772312400000000}

-- select date_sub(HOUR, 3, toDateTime('2026-03-01 00:00:00','UTC')) as t
select date_sub(HOUR, 3, toDateTime('2026-03-01 00:00:00','UTC')) as t
--> {"t":1772312400000000}

-- select timestamp_add(toDateTime('2026-03-01 00:00:00','UTC'), INTERVAL 3 HOUR) as t
select timestamp_add(toDateTime('2026-03-01 00:00:00','UTC'), INTERVAL 3 HOUR) as t
--> {"t":1772334000000000}

-- select addTupleOfIntervals(toDateTime('2026-03-01 00:00:00','UTC'), (INTERVAL 1 DAY, INTER
select addTupleOfIntervals(toDateTime('2026-03-01 00:00:00','UTC'), (INTERVAL 1 DAY, INTERVAL 2 HOUR)) as t
--> {"t":1772416800000000}

-- select arraySum([1, 2] AS l) as s, length(l) as n
select arraySum([1, 2] AS l) as s, length(l) as n
--> {"s":3,"n":2}

-- select max(number AS n) as a, min(n) as b, a - b as c from numbers(5)
select max(number AS n) as a, min(n) as b, a - b as c from numbers(5)
--> {"a":4,"b":0,"c":4}

-- select countIf((number % 2 AS o) = 1) as odd, sum(o) as s from numbers(5)
select countIf((number % 2 AS o) = 1) as odd, sum(o) as s from numbers(5)
--> {"odd":2,"s":2}

-- select (number % 2 AS o), max(number) as m from numbers(5) group by o having o = 1
select (number % 2 AS o), max(number) as m from numbers(5) group by o having o = 1
--> {"o":1,"m":3}

-- select n2, count() as c from (select (number % 2 AS n2), number as x from numbers(5)) grou
select n2, count() as c from (select (number % 2 AS n2), number as x from numbers(5)) group by n2 order by n2
--> {"n2":0,"c":3}
--> {"n2":1,"c":2}

-- select lower(severity_text AS sev) as l, sev from logs where id = 'a3'
select lower(severity_text AS sev) as l, sev from logs where id = 'a3'
--> {"l":"warn","sev":"WARN"}

-- select if((log_attributes['request.method'] AS m) = 'GET', 'read', m) as k, count() as n f
select if((log_attributes['request.method'] AS m) = 'GET', 'read', m) as k, count() as n from logs where source = 'edge_logs' group by k order by k
--> {"k":"DELETE","n":1}
--> {"k":"POST","n":1}
--> {"k":"read","n":4}

-- select number from numbers(6) where (number * 2 AS d) in (4, 6) order by d desc
select number from numbers(6) where (number * 2 AS d) in (4, 6) order by d desc
--> {"number":3}
--> {"number":2}

-- select sum(if((number AS a) > 2, a, 0)) as s from numbers(5)
select sum(if((number AS a) > 2, a, 0)) as s from numbers(5)
--> {"s":7}

-- select ((number + 1 AS a) * 2 AS b) + a as c from numbers(2) order by number
select ((number + 1 AS a) * 2 AS b) + a as c from numbers(2) order by number
--> {"c":3}
--> {"c":6}

-- select concat((upper('a') AS u), u, u) as s
select concat((upper('a') AS u), u, u) as s
--> {"s":"AAA"}

-- select a from (select (1 AS a) union all select 2 as a) order by a
select a from (select (1 AS a) union all select 2 as a) order by a
--> {"a":1}
--> {"a":2}

-- select x from (select 1 as y, (y + 1 AS x) union all select 5 as y, 7 as x) order by x
select x from (select 1 as y, (y + 1 AS x) union all select 5 as y, 7 as x) order by x
--> {"x":2}
--> {"x":7}

-- select * except (id, timestamp) apply(length) from (select id, timestamp, source, severity
select * except (id, timestamp) apply(length) from (select id, timestamp, source, severity_text from logs where id = 'a1')
--> {"length(source)":9,"length(severity_text)":4}

-- select * apply(x -> toString(x)) from (select 1 as a, 2 as b)
select * apply(x -> toString(x)) from (select 1 as a, 2 as b)
--> {"toString(a)":"1","toString(b)":"2"}

-- select * apply(x -> if(x > 1, x, 0)) from (select 1 as a, 2 as b)
select * apply(x -> if(x > 1, x, 0)) from (select 1 as a, 2 as b)
--> {"if(greater(a, 1), a, 0)":0,"if(greater(b, 1), b, 0)":2}

-- select source, COLUMNS('^log_n') apply(sum) from (select source, 1 as log_n1, 2 as log_n2
select source, COLUMNS('^log_n') apply(sum) from (select source, 1 as log_n1, 2 as log_n2 from logs) group by source order by source
--> {"source":"auth_logs","sum(log_n1)":2,"sum(log_n2)":4}
--> {"source":"edge_logs","sum(log_n1)":6,"sum(log_n2)":12}
--> {"source":"function_logs","sum(log_n1)":3,"sum(log_n2)":6}
--> {"source":"postgres_logs","sum(log_n1)":3,"sum(log_n2)":6}

-- select COLUMNS('n') apply(max), count() as c from (select number as n1, number * 2 as n2 f
select COLUMNS('n') apply(max), count() as c from (select number as n1, number * 2 as n2 from numbers(4))
--> {"max(n1)":3,"max(n2)":6,"c":4}

-- select t.* apply(max) from (select number as n1, number * 2 as n2 from numbers(4)) as t
select t.* apply(max) from (select number as n1, number * 2 as n2 from numbers(4)) as t
--> {"max(n1)":3,"max(n2)":6}

-- select * apply(count) from (select 1 as a, 2 as b)
select * apply(count) from (select 1 as a, 2 as b)
--> {"count(a)":1,"count(b)":1}

-- select * apply(quantile(0.9)) apply(round) from (select number as a from numbers(11))
select * apply(quantile(0.9)) apply(round) from (select number as a from numbers(11))
--> {"round(quantile(0.9)(a))":9.0}

-- select * except a from (select 1 as a, 2 as b)
select * except a from (select 1 as a, 2 as b)
--> {"b":2}

-- select * except (a) replace (b + 1 as b) from (select 1 as a, 2 as b)
select * except (a) replace (b + 1 as b) from (select 1 as a, 2 as b)
--> {"b":3}

-- select length(COLUMNS('^s')) as n from (select 'abc' as s, 1 as x)
select length(COLUMNS('^s')) as n from (select 'abc' as s, 1 as x)
--> {"n":3}

-- select greatest(COLUMNS('a|b')) as g from (select 1 as a, 2 as b)
select greatest(COLUMNS('a|b')) as g from (select 1 as a, 2 as b)
--> {"g":2}

-- select id, argMax(id, timestamp) over () as m from logs order by id limit 2
select id, argMax(id, timestamp) over () as m from logs order by id limit 2
--> {"id":"a1","m":"d3"}
--> {"id":"a2","m":"d3"}

-- select source, id, argMin(id, timestamp) over (partition by source order by timestamp rows
select source, id, argMin(id, timestamp) over (partition by source order by timestamp rows between unbounded preceding and current row) as m from logs order by id limit 4
--> {"source":"edge_logs","id":"a1","m":"a1"}
--> {"source":"edge_logs","id":"a2","m":"a1"}
--> {"source":"edge_logs","id":"a3","m":"a1"}
--> {"source":"edge_logs","id":"a4","m":"a1"}

-- select number, argMax(number, number) over (order by number rows between 1 following and 1
select number, argMax(number, number) over (order by number rows between 1 following and 1 following) as m from numbers(3) order by number
--> {"number":0,"m":1}
--> {"number":1,"m":2}
--> {"number":2,"m":0}

-- select number, argMax(toString(number), -number) over (order by number) as m from numbers(
select number, argMax(toString(number), -number) over (order by number) as m from numbers(3) order by number
--> {"number":0,"m":"0"}
--> {"number":1,"m":"0"}
--> {"number":2,"m":"0"}

-- select key, val from logs array join mapKeys(log_attributes) as key, mapValues(log_attribu
select key, val from logs array join mapKeys(log_attributes) as key, mapValues(log_attributes) as val where id = 'd1' order by key
--> {"key":"execution_time_ms","val":"15.5"}
--> {"key":"function_id","val":"f1"}

-- select kv.1 as attribute, count() as n, uniq(kv.2) as u from logs array join log_attribute
select kv.1 as attribute, count() as n, uniq(kv.2) as u from logs array join log_attributes as kv where source = 'edge_logs' group by attribute order by attribute
--> {"attribute":"cf.country","n":5,"u":3}
--> {"attribute":"request.method","n":6,"u":3}
--> {"attribute":"request.path","n":6,"u":3}
--> {"attribute":"response.origin_time","n":6,"u":6}
--> {"attribute":"response.status_code","n":6,"u":6}

-- select id, kv.2 as v from logs array join log_attributes as kv where kv.1 = 'request.metho
select id, kv.2 as v from logs array join log_attributes as kv where kv.1 = 'request.method' order by id
--> {"id":"a1","v":"GET"}
--> {"id":"a2","v":"POST"}
--> {"id":"a3","v":"GET"}
--> {"id":"a4","v":"GET"}
--> {"id":"a5","v":"DELETE"}
--> {"id":"a6","v":"GET"}

-- select id, kv.1 as k from (select id, log_attributes as m from logs where id in ('a1','c1'
select id, kv.1 as k from (select id, log_attributes as m from logs where id in ('a1','c1')) array join m as kv order by id, k limit 4
--> {"id":"a1","k":"cf.country"}
--> {"id":"a1","k":"request.method"}
--> {"id":"a1","k":"request.path"}
--> {"id":"a1","k":"response.origin_time"}

-- select sum(kv.2) as s from (select map('a', 1, 'b', 2) as m) array join m as kv
select sum(kv.2) as s from (select map('a', 1, 'b', 2) as m) array join m as kv
--> {"s":3}

-- select id from logs order by source desc, id limit 1, 1 by source
select id from logs order by source desc, id limit 1, 1 by source
--> {"id":"b2"}
--> {"id":"d2"}
--> {"id":"a2"}
--> {"id":"c2"}

-- select source, count() as c from logs group by source order by c desc, source limit 0, 2
select source, count() as c from logs group by source order by c desc, source limit 0, 2
--> {"source":"edge_logs","c":6}
--> {"source":"function_logs","c":3}

-- select uniqMerge(u) as n from (select source, uniqState(severity_text) as u from logs grou
select uniqMerge(u) as n from (select source, uniqState(severity_text) as u from logs group by source)
--> {"n":5}

-- select source, countMerge(c) as n, maxMerge(m) as last from (select source, severity_text,
select source, countMerge(c) as n, maxMerge(m) as last from (select source, severity_text, countState() as c, maxState(timestamp) as m from logs group by source, severity_text) group by source order by source
--> {"source":"auth_logs","n":2,"last":1739181810000000}
--> {"source":"edge_logs","n":6,"last":1739231999999999}
--> {"source":"function_logs","n":3,"last":1767223800000000}
--> {"source":"postgres_logs","n":3,"last":1739262600000000}

-- select toStartOfHour(t) as h, sumMerge(s) as n from (select toStartOfMinute(timestamp) as
select toStartOfHour(t) as h, sumMerge(s) as n from (select toStartOfMinute(timestamp) as t, sumState(1) as s from logs where source = 'edge_logs' group by t) group by h order by h
--> {"h":1739181600000000,"n":4}
--> {"h":1739185200000000,"n":1}
--> {"h":1739228400000000,"n":1}

-- select quantilesMerge(0.5, 0.95)(q) as q from (select source, quantilesState(0.5, 0.95)(to
select quantilesMerge(0.5, 0.95)(q) as q from (select source, quantilesState(0.5, 0.95)(toFloat64OrZero(log_attributes['response.origin_time'])) as q from logs where source = 'edge_logs' group by source)
--> {"q":[22.5,689.25]}

-- select groupArrayMerge(g) as l from (select groupArrayState(id) as g from (select id from
select groupArrayMerge(g) as l from (select groupArrayState(id) as g from (select id from logs where source = 'auth_logs' order by id))
--> {"l":["c1","c2"]}

-- select groupUniqArrayMerge(g) as l from (select groupUniqArrayState(source) as g from logs
select groupUniqArrayMerge(g) as l from (select groupUniqArrayState(source) as g from logs where source = 'auth_logs')
--> {"l":["auth_logs"]}

-- select argMaxMerge(a) as x from (select source, argMaxState(id, timestamp) as a from logs
select argMaxMerge(a) as x from (select source, argMaxState(id, timestamp) as a from logs group by source)
--> {"x":"d3"}

-- select argMaxMerge(a) as x, argMinMerge(b) as y from (select severity_text, argMaxState(id
select argMaxMerge(a) as x, argMinMerge(b) as y from (select severity_text, argMaxState(id, timestamp) as a, argMinState(id, timestamp) as b from logs group by severity_text)
--> {"x":"d3","y":"a1"}

-- select avgMerge(a) as x from (select source, avgStateIf(length(event_message), severity_te
select avgMerge(a) as x from (select source, avgStateIf(length(event_message), severity_text = 'ERROR') as a from logs group by source)
--> {"x":46.0}

-- select countMergeIf(c, source != 'edge_logs') as n from (select source, countState() as c
select countMergeIf(c, source != 'edge_logs') as n from (select source, countState() as c from logs group by source)
--> {"n":8}

-- select uniqExactMerge(x) as n from (select uniqExactMergeState(u) as x from (select source
select uniqExactMerge(x) as n from (select uniqExactMergeState(u) as x from (select source, uniqExactState(severity_text) as u from logs group by source))
--> {"n":5}

-- with s as (select source, sumState(length(event_message)) as l from logs group by source)
with s as (select source, sumState(length(event_message)) as l from logs group by source) select source, sumMerge(l) as n from s group by source order by source
--> {"source":"auth_logs","n":89}
--> {"source":"edge_logs","n":150}
--> {"source":"function_logs","n":16}
--> {"source":"postgres_logs","n":124}

-- select finalizeAggregation(u) as n, source from (select source, uniqExactState(severity_te
select finalizeAggregation(u) as n, source from (select source, uniqExactState(severity_text) as u from logs group by source) order by source
--> {"n":2,"source":"auth_logs"}
--> {"n":3,"source":"edge_logs"}
--> {"n":2,"source":"function_logs"}
--> {"n":2,"source":"postgres_logs"}

-- select stddevSampMerge(s) as n from (select number % 2 as k, stddevSampState(number) as s
select stddevSampMerge(s) as n from (select number % 2 as k, stddevSampState(number) as s from numbers(6) group by k)
--> {"n":1.8708286933869707}

-- select minMerge(s) as n from (select minState(number) as s from numbers(0))
select minMerge(s) as n from (select minState(number) as s from numbers(0))
--> {"n":0}

-- select sumMerge(s) as n from (select sumState(number) as s from numbers(0))
select sumMerge(s) as n from (select sumState(number) as s from numbers(0))
--> {"n":0}

-- select a.id as id, b.n as n, c.sev as sev from logs a inner join (select source, count() a
select a.id as id, b.n as n, c.sev as sev from logs a inner join (select source, count() as n from logs group by source) b on a.source = b.source any inner join (select source, 'x' as sev from logs) c on a.source = c.source where a.severity_text != 'zzz' order by id
--> {"id":"a1","n":6,"sev":"x"}
--> {"id":"b1","n":3,"sev":"x"}
--> {"id":"c1","n":2,"sev":"x"}
--> {"id":"d1","n":3,"sev":"x"}

-- select b.n as n, c.v as v from (select number as n from numbers(4)) a inner join (select n
select b.n as n, c.v as v from (select number as n from numbers(4)) a inner join (select number as n from numbers(3)) b on a.n = b.n any right join (select number as n, number * 100 as v from numbers(2)) c on b.n = c.n order by v
--> {"n":0,"v":0}
--> {"n":1,"v":100}

-- select count() as n from (select number % 2 as n from numbers(4)) a inner join (select num
select count() as n from (select number % 2 as n from numbers(4)) a inner join (select number as n from numbers(3)) b on a.n = b.n any inner join (select number as n from numbers(2)) c on b.n = c.n
--> {"n":2}

-- select number as n, number as v from numbers(3) where number in (1, 2) order by n with fil
select number as n, number as v from numbers(3) where number in (1, 2) order by n with fill from 0 to 5 interpolate (v as v + 10)
--> {"n":0,"v":10}
--> {"n":1,"v":1}
--> {"n":2,"v":2}
--> {"n":3,"v":12}
--> {"n":4,"v":22}

-- select number * 2 as n, toString(number) as v from numbers(3) order by n with fill interpo
select number * 2 as n, toString(number) as v from numbers(3) order by n with fill interpolate (v as concat(v, 'x'))
--> {"n":0,"v":"0"}
--> {"n":1,"v":"0x"}
--> {"n":2,"v":"1"}
--> {"n":3,"v":"1x"}
--> {"n":4,"v":"2"}

-- select number * 2 as n, number * 1.5 as v from numbers(3) order by n with fill interpolate
select number * 2 as n, number * 1.5 as v from numbers(3) order by n with fill interpolate (v as v + 0.25)
--> {"n":0,"v":0.0}
--> {"n":1,"v":0.25}
--> {"n":2,"v":1.5}
--> {"n":3,"v":1.75}
--> {"n":4,"v":3.0}

-- select toDate('2026-03-01') + number * 2 as d, number as v from numbers(3) order by d with
select toDate('2026-03-01') + number * 2 as d, number as v from numbers(3) order by d with fill step 1 interpolate (v as v + 1)
--> {"d":"2026-03-01","v":0}
--> {"d":"2026-03-02","v":1}
--> {"d":"2026-03-03","v":1}
--> {"d":"2026-03-04","v":2}
--> {"d":"2026-03-05","v":2}

-- select hex(SHA224('')) as a, hex(SHA1('')) as b, hex(SHA384('x')) as c
select hex(SHA224('')) as a, hex(SHA1('')) as b, hex(SHA384('x')) as c
--> {"a":"D14A028C2A3A2BC9476102BB288234C415A2B01F828EA62AC5B3E42F","b":"DA39A3EE5E6B4B0D3255BFEF95601890AFD80709","c":"D752C2C51FBA0E29AA190570A9D4253E44077A058D3297FA3A5630D5BD012622F97C28ACAED313B5C83BB990CAA7DA85"}

-- select hex(SHA1(repeat('a', 55))) as a, hex(SHA1(repeat('a', 56))) as b, hex(SHA1(repeat('
select hex(SHA1(repeat('a', 55))) as a, hex(SHA1(repeat('a', 56))) as b, hex(SHA1(repeat('a', 64))) as c, hex(SHA1(repeat('a', 119))) as d
--> {"a":"C1C8BBDC22796E28C0E15163D20899B65621D65A","b":"C2DB330F6083854C99D4B5BFB6E8F29F201BE699","c":"0098BA824B5C16427BD7A1122A5A442A25EC644D","d":"EE971065AAA017E0632A8CA6C77BB3BF8B1DFC56"}

-- select length(SHA256('abc')) as n, length(MD5('abc')) as m
select length(SHA256('abc')) as n, length(MD5('abc')) as m
--> {"n":32,"m":16}

-- select substring(lower(hex(SHA1(id))), 1, 8) as h, count() as n from logs where source = '
select substring(lower(hex(SHA1(id))), 1, 8) as h, count() as n from logs where source = 'auth_logs' group by h order by h
--> {"h":"2f22765d","n":1}
--> {"h":"6b1f5330","n":1}

-- an interval of several choices
select toDateTime('2026-03-01 00:00:00','UTC') + multiIf(number = 0, INTERVAL 1 HOUR, INTERVAL 2 HOUR) as t from numbers(2) order by number
--> {"t":1772326800000000}
--> {"t":1772330400000000}

-- intervals times numbers
select INTERVAL 5 MINUTE * 2 as i
--> refused Invalid: Illegal types of the arguments of *: INTERVAL 5 MINUTE and 2

-- sums of intervals
select sum(toIntervalMinute(number)) as i from numbers(3)
--> refused Invalid: Illegal type IntervalMinute of an argument of function sum

-- an interval or a number
select if(1, INTERVAL 5 MINUTE, 3) as i
--> refused Unsupported: an interval beside one of another unit, or beside another value, in one place is not supported

-- a tuple of an interval and another value
select (INTERVAL 5 MINUTE, 3) as i
--> refused Unsupported: an interval beside one of another unit, or beside another value, in one place is not supported

-- CASE of intervals
select case when 1 = 1 then INTERVAL 5 MINUTE else INTERVAL 1 MINUTE end as i
--> refused Unsupported: CASE of intervals: write if or multiIf is not supported

-- a list of intervals
select [INTERVAL 5 MINUTE] as i
--> refused Unsupported: a list of intervals is not supported

-- a function of elements that gives intervals
select arrayMap(x -> toIntervalHour(x), [1]) as i
--> refused Unsupported: a list of intervals is not supported

-- an interval of a query in brackets
select toDateTime('2026-03-01 00:00:00','UTC') + (select INTERVAL 1 HOUR) as i
--> refused Unsupported: a query in brackets that gives an interval is not supported

-- intervals of different units in one column
select toDateTime('2026-03-01 00:00:00','UTC') + s as t from (select INTERVAL 1 HOUR as s union all select INTERVAL 1 DAY as s)
--> refused Unsupported: an interval beside one of another unit, or beside another value, in one place is not supported

-- intervals of one unit in one column
select toDateTime('2026-03-01 00:00:00','UTC') + s as t from (select INTERVAL 1 HOUR as s union all select INTERVAL 2 HOUR as s) order by t
--> {"t":1772326800000000}
--> {"t":1772330400000000}

-- a state inside an expression
select sumMerge(s) as n from (select sumState(number) + 1 as s from numbers(2))
--> refused Unsupported: sumMerge of what is no state that a query inside makes is not supported

-- a state of another aggregate
select avgMerge(s) as n from (select sumState(number) as s from numbers(2))
--> refused Invalid: avgMerge of a state of sum

-- rows that INTERPOLATE fills
select count() as n, max(v) as v from (select number * 2000 as n, number as v from numbers(2) order by n with fill interpolate (v as v + 1))
--> {"n":2001,"v":1999}

-- a state of a call around
select toString(sumState(number)) as n from numbers(2)
--> refused Unsupported: the state of an aggregate inside an expression is not supported
