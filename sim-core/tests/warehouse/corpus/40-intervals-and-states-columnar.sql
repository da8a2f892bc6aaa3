-- # Intervals as values, names inside expressions, states of aggregates and functions of all columns in the columnar dialect; the rows are those of an independent engine

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

-- select INTERVAL 5 MINUTE as i
select INTERVAL 5 MINUTE as i
--> {"i":5}

-- select INTERVAL 5 MINUTE
select INTERVAL 5 MINUTE
--> {"toIntervalMinute(5)":5}

-- select toIntervalMinute(5)
select toIntervalMinute(5)
--> {"toIntervalMinute(5)":5}

-- select toIntervalMinute(5) as i, toIntervalHour(2) as h, toIntervalSecond(3), toIntervalDa
select toIntervalMinute(5) as i, toIntervalHour(2) as h, toIntervalSecond(3), toIntervalDay(1), toIntervalWeek(1), toIntervalMonth(1), toIntervalQuarter(1), toIntervalYear(1), toIntervalMillisecond(1), toIntervalMicrosecond(2)
--> {"i":5,"h":2,"toIntervalSecond(3)":3,"toIntervalDay(1)":1,"toIntervalWeek(1)":1,"toIntervalMonth(1)":1,"toIntervalQuarter(1)":1,"toIntervalYear(1)":1,"toIntervalMillisecond(1)":1,"toIntervalMicrosecond(2)":2}

-- select INTERVAL 5 MINUTE as step, toDateTime('2026-03-01 00:00:00','UTC') + step as t
select INTERVAL 5 MINUTE as step, toDateTime('2026-03-01 00:00:00','UTC') + step as t
--> {"step":5,"t":1772323500000000}

-- select toDateTime('2026-03-01 00:00:00','UTC') + step as t, INTERVAL 5 MINUTE as step
select toDateTime('2026-03-01 00:00:00','UTC') + step as t, INTERVAL 5 MINUTE as step
--> {"t":1772323500000000,"step":5}

-- with INTERVAL 1 HOUR as h select toDateTime('2026-03-01 00:00:00','UTC') - h as t
with INTERVAL 1 HOUR as h select toDateTime('2026-03-01 00:00:00','UTC') - h as t
--> {"t":1772319600000000}

-- with toIntervalHour(1) as h select toDateTime('2026-03-01 00:00:00','UTC') - h as t
with toIntervalHour(1) as h select toDateTime('2026-03-01 00:00:00','UTC') - h as t
--> {"t":1772319600000000}

-- select toDateTime('2026-03-01 00:00:00','UTC') + s as t from (select INTERVAL 2 DAY as s)
select toDateTime('2026-03-01 00:00:00','UTC') + s as t from (select INTERVAL 2 DAY as s)
--> {"t":1772496000000000}

-- select toDateTime('2026-03-01 00:00:00','UTC') + q.s as t from (select INTERVAL 2 DAY as s
select toDateTime('2026-03-01 00:00:00','UTC') + q.s as t from (select INTERVAL 2 DAY as s) q
--> {"t":1772496000000000}

-- select s from (select INTERVAL 2 DAY as s)
select s from (select INTERVAL 2 DAY as s)
--> {"s":2}

-- select toStartOfInterval(toDateTime('2026-03-01 00:07:00','UTC'), step) as t, INTERVAL 5 M
select toStartOfInterval(toDateTime('2026-03-01 00:07:00','UTC'), step) as t, INTERVAL 5 MINUTE as step
--> {"t":1772323500000000,"step":5}

-- select toStartOfInterval(toDateTime('2026-03-01 00:07:00','UTC'), (INTERVAL 5 MINUTE)) as
select toStartOfInterval(toDateTime('2026-03-01 00:07:00','UTC'), (INTERVAL 5 MINUTE)) as t
--> {"t":1772323500000000}

-- select INTERVAL 5 MINUTE + INTERVAL 10 MINUTE as i
select INTERVAL 5 MINUTE + INTERVAL 10 MINUTE as i
--> {"i":15}

-- select INTERVAL 5 MINUTE + INTERVAL 1 HOUR as i
select INTERVAL 5 MINUTE + INTERVAL 1 HOUR as i
--> {"i":{"_field_1":5,"_field_2":1}}

-- select toDateTime('2026-03-01 00:00:00','UTC') + (INTERVAL 5 MINUTE + INTERVAL 1 HOUR) as
select toDateTime('2026-03-01 00:00:00','UTC') + (INTERVAL 5 MINUTE + INTERVAL 1 HOUR) as t
--> {"t":1772327100000000}

-- select toDateTime('2026-03-01 00:00:00','UTC') - (INTERVAL 5 MINUTE + INTERVAL 10 MINUTE)
select toDateTime('2026-03-01 00:00:00','UTC') - (INTERVAL 5 MINUTE + INTERVAL 10 MINUTE) as t
--> {"t":1772322300000000}

-- select -INTERVAL 5 MINUTE as i
select -INTERVAL 5 MINUTE as i
--> {"i":-5}

-- select INTERVAL 5 MINUTE - INTERVAL 3 MINUTE as i
select INTERVAL 5 MINUTE - INTERVAL 3 MINUTE as i
--> {"i":2}

-- select toString(INTERVAL 5 MINUTE) as i
select toString(INTERVAL 5 MINUTE) as i
--> {"i":"5"}

-- select toTypeName(INTERVAL 5 MINUTE) as i
select toTypeName(INTERVAL 5 MINUTE) as i
--> {"i":"IntervalMinute"}

-- select INTERVAL 5 MINUTE = INTERVAL 300 SECOND as i
select INTERVAL 5 MINUTE = INTERVAL 300 SECOND as i
--> {"i":true}

-- select INTERVAL 5 MINUTE = toIntervalMinute(5) as i
select INTERVAL 5 MINUTE = toIntervalMinute(5) as i
--> {"i":true}

-- select INTERVAL 5 MINUTE > INTERVAL 3 MINUTE as i
select INTERVAL 5 MINUTE > INTERVAL 3 MINUTE as i
--> {"i":true}

-- select if(1, INTERVAL 5 MINUTE, INTERVAL 3 MINUTE) as i
select if(1, INTERVAL 5 MINUTE, INTERVAL 3 MINUTE) as i
--> {"i":5}

-- select if(1, INTERVAL 5 MINUTE, INTERVAL 3 HOUR) as i
select if(1, INTERVAL 5 MINUTE, INTERVAL 3 HOUR) as i
--> refused Unsupported: an interval beside one of another unit, or beside another value, in one place is not supported

-- select toDateTime('2026-03-01 00:00:00','UTC') + if(1, INTERVAL 5 MINUTE, INTERVAL 3 MINUT
select toDateTime('2026-03-01 00:00:00','UTC') + if(1, INTERVAL 5 MINUTE, INTERVAL 3 MINUTE) as t
--> {"t":1772323500000000}

-- select toIntervalMinute(number) as i from numbers(3) order by number
select toIntervalMinute(number) as i from numbers(3) order by number
--> {"i":0}
--> {"i":1}
--> {"i":2}

-- select toDateTime('2026-03-01 00:00:00','UTC') + toIntervalMinute(number * 10) as t from n
select toDateTime('2026-03-01 00:00:00','UTC') + toIntervalMinute(number * 10) as t from numbers(3) order by number
--> {"t":1772323200000000}
--> {"t":1772323800000000}
--> {"t":1772324400000000}

-- select arrayMap(x -> toDateTime('2026-03-01 00:00:00','UTC') + toIntervalHour(x), [1,2]) a
select arrayMap(x -> toDateTime('2026-03-01 00:00:00','UTC') + toIntervalHour(x), [1,2]) as l
--> {"l":[1772326800000000,1772330400000000]}

-- select INTERVAL '5 minute' as i
select INTERVAL '5 minute' as i
--> {"i":5}

-- select INTERVAL '1 hour 30 minutes' as i
select INTERVAL '1 hour 30 minutes' as i
--> {"i":{"_field_1":1,"_field_2":30}}

-- select toDateTime('2026-03-01 00:00:00','UTC') + INTERVAL '1 hour 30 minutes' as t
select toDateTime('2026-03-01 00:00:00','UTC') + INTERVAL '1 hour 30 minutes' as t
--> {"t":1772328600000000}

-- select INTERVAL 1 WEEK as w, toDate('2026-03-01') + w as d
select INTERVAL 1 WEEK as w, toDate('2026-03-01') + w as d
--> {"w":1,"d":"2026-03-08"}

-- select INTERVAL 1 MONTH as m, toDate('2026-01-31') + m as d
select INTERVAL 1 MONTH as m, toDate('2026-01-31') + m as d
--> {"m":1,"d":"2026-02-28"}

-- select (INTERVAL 1 DAY, INTERVAL 2 HOUR) as t
select (INTERVAL 1 DAY, INTERVAL 2 HOUR) as t
--> {"t":{"_field_1":1,"_field_2":2}}

-- select toDateTime('2026-03-01 00:00:00','UTC') + (INTERVAL 1 DAY, INTERVAL 2 HOUR) as t
select toDateTime('2026-03-01 00:00:00','UTC') + (INTERVAL 1 DAY, INTERVAL 2 HOUR) as t
--> {"t":1772416800000000}

-- select toInt64(INTERVAL 5 MINUTE) as i
select toInt64(INTERVAL 5 MINUTE) as i
--> {"i":5}

-- select max(toIntervalMinute(number)) as i from numbers(3)
select max(toIntervalMinute(number)) as i from numbers(3)
--> {"i":2}

-- select toIntervalMinute(number) as i, count() as n from numbers(4) group by i order by i
select toIntervalMinute(number) as i, count() as n from numbers(4) group by i order by i
--> {"i":0,"n":1}
--> {"i":1,"n":1}
--> {"i":2,"n":1}
--> {"i":3,"n":1}

-- select date_add(INTERVAL 3 HOUR, toDateTime('2026-03-01 00:00:00','UTC')) as t
select date_add(INTERVAL 3 HOUR, toDateTime('2026-03-01 00:00:00','UTC')) as t
--> {"t":1772334000000000}

-- select addInterval(INTERVAL 1 DAY, INTERVAL 3 HOUR) as t
select addInterval(INTERVAL 1 DAY, INTERVAL 3 HOUR) as t
--> {"t":{"_field_1":1,"_field_2":3}}

-- select toInterval(5, 'minute') as i
select toInterval(5, 'minute') as i
--> {"i":5}

-- select toDateTime('2026-03-01 00:00:00','UTC') + toInterval(5, 'minute') as i
select toDateTime('2026-03-01 00:00:00','UTC') + toInterval(5, 'minute') as i
--> {"i":1772323500000000}

-- select parseTimeDelta('5m') as i
select parseTimeDelta('5m') as i
--> refused Unsupported: the function parseTimeDelta is not supported

-- select (1 AS x) + x as y
select (1 AS x) + x as y
--> {"y":2}

-- select (1 AS x) + 1
select (1 AS x) + 1
--> {"plus(x, 1)":2}

-- select (length('abc') AS n) * 2 as d, n + 1 as e
select (length('abc') AS n) * 2 as d, n + 1 as e
--> {"d":6,"e":4}

-- select sum(number AS n) as s from numbers(4)
select sum(number AS n) as s from numbers(4)
--> {"s":6}

-- select sum(number AS n) as s, max(n) as m from numbers(4)
select sum(number AS n) as s, max(n) as m from numbers(4)
--> {"s":6,"m":3}

-- select number from numbers(10) where (number % 3 AS m) = 1 and m < 2 order by number
select number from numbers(10) where (number % 3 AS m) = 1 and m < 2 order by number
--> {"number":1}
--> {"number":4}
--> {"number":7}

-- select m, count() as c from numbers(10) where (number % 3 AS m) < 2 group by m order by m
select m, count() as c from numbers(10) where (number % 3 AS m) < 2 group by m order by m
--> {"m":0,"c":4}
--> {"m":1,"c":3}

-- select (number % 3 AS m), count() as c from numbers(10) group by m order by m
select (number % 3 AS m), count() as c from numbers(10) group by m order by m
--> {"m":0,"c":4}
--> {"m":1,"c":3}
--> {"m":2,"c":3}

-- select if((number * 2 AS d) > 4, d, 0) as v from numbers(5) order by number
select if((number * 2 AS d) > 4, d, 0) as v from numbers(5) order by number
--> {"v":0}
--> {"v":0}
--> {"v":0}
--> {"v":6}
--> {"v":8}

-- select d from (select (number * 2 AS d) + 1 as e, d from numbers(3)) order by d
select d from (select (number * 2 AS d) + 1 as e, d from numbers(3)) order by d
--> {"d":0}
--> {"d":2}
--> {"d":4}

-- select (count() AS c) / 2 as half, c from numbers(5)
select (count() AS c) / 2 as half, c from numbers(5)
--> {"half":2.5,"c":5}

-- select number, (number + 1 AS a), (a * 2 AS b), b + a as c from numbers(2) order by number
select number, (number + 1 AS a), (a * 2 AS b), b + a as c from numbers(2) order by number
--> {"number":0,"a":1,"b":2,"c":3}
--> {"number":1,"a":2,"b":4,"c":6}

-- select [1 AS a, a + 1] as l
select [1 AS a, a + 1] as l
--> {"l":[1,2]}

-- select tuple(1 AS a, 'x' AS b) as t
select tuple(1 AS a, 'x' AS b) as t
--> {"t":{"_field_1":1,"_field_2":"x"}}

-- select (1 AS a, 'x' AS b) as t
select (1 AS a, 'x' AS b) as t
--> {"t":{"_field_1":1,"_field_2":"x"}}

-- select count() as c from numbers(10) group by (number % 2 AS p) order by p
select count() as c from numbers(10) group by (number % 2 AS p) order by p
--> {"c":5}
--> {"c":5}

-- select number from numbers(5) order by (number % 2 AS p), number
select number from numbers(5) order by (number % 2 AS p), number
--> {"number":0}
--> {"number":2}
--> {"number":4}
--> {"number":1}
--> {"number":3}

-- select toString(1 AS x)
select toString(1 AS x)
--> {"toString(x)":"1"}

-- select plus(1 AS x, x)
select plus(1 AS x, x)
--> {"plus(x, x)":2}

-- select k, v from (select map('a','1','b','2') as m) array join mapKeys(m) as k, mapValues(
select k, v from (select map('a','1','b','2') as m) array join mapKeys(m) as k, mapValues(m) as v
--> {"k":"a","v":"1"}
--> {"k":"b","v":"2"}

-- select kv from (select map('a','1','b','2') as m) array join m as kv
select kv from (select map('a','1','b','2') as m) array join m as kv
--> {"kv":{"_field_1":"a","_field_2":"1"}}
--> {"kv":{"_field_1":"b","_field_2":"2"}}

-- select kv.1 as k, kv.2 as v from (select map('a','1','b','2') as m) array join m as kv ord
select kv.1 as k, kv.2 as v from (select map('a','1','b','2') as m) array join m as kv order by k
--> {"k":"a","v":"1"}
--> {"k":"b","v":"2"}

-- select kv from logs array join log_attributes as kv where id = 'a1' order by kv.1
select kv from logs array join log_attributes as kv where id = 'a1' order by kv.1
--> {"kv":{"_field_1":"cf.country","_field_2":"DE"}}
--> {"kv":{"_field_1":"request.method","_field_2":"GET"}}
--> {"kv":{"_field_1":"request.path","_field_2":"/rest/v1/items"}}
--> {"kv":{"_field_1":"response.origin_time","_field_2":"12"}}
--> {"kv":{"_field_1":"response.status_code","_field_2":"200"}}

-- select log_attributes from logs array join log_attributes where id = 'a1' order by log_att
select log_attributes from logs array join log_attributes where id = 'a1' order by log_attributes.1 limit 1
--> {"log_attributes":{"_field_1":"cf.country","_field_2":"DE"}}

-- select tupleElement(kv, 'keys') as k from logs array join log_attributes as kv where id='a
select tupleElement(kv, 'keys') as k from logs array join log_attributes as kv where id='a1' order by k
--> {"k":"cf.country"}
--> {"k":"request.method"}
--> {"k":"request.path"}
--> {"k":"response.origin_time"}
--> {"k":"response.status_code"}

-- select m from (select map('a',1,'b',2) as m) array join m
select m from (select map('a',1,'b',2) as m) array join m
--> {"m":{"_field_1":"a","_field_2":1}}
--> {"m":{"_field_1":"b","_field_2":2}}

-- select kv.1 as k, count() as n from logs array join log_attributes as kv group by k order
select kv.1 as k, count() as n from logs array join log_attributes as kv group by k order by n desc, k limit 3
--> {"k":"request.method","n":6}
--> {"k":"request.path","n":6}
--> {"k":"response.origin_time","n":6}

-- select kv.1, kv.2 from logs left array join log_attributes as kv where id='d1' order by 1
select kv.1, kv.2 from logs left array join log_attributes as kv where id='d1' order by 1
--> {"tupleElement(kv, 1)":"execution_time_ms","tupleElement(kv, 2)":"15.5"}
--> {"tupleElement(kv, 1)":"function_id","tupleElement(kv, 2)":"f1"}

-- select source, id from logs order by source, id limit 1, 2 by source
select source, id from logs order by source, id limit 1, 2 by source
--> {"source":"auth_logs","id":"c2"}
--> {"source":"edge_logs","id":"a2"}
--> {"source":"edge_logs","id":"a3"}
--> {"source":"function_logs","id":"d2"}
--> {"source":"function_logs","id":"d3"}
--> {"source":"postgres_logs","id":"b2"}
--> {"source":"postgres_logs","id":"b3"}

-- select source, id from logs order by source, id limit 2 offset 1 by source
select source, id from logs order by source, id limit 2 offset 1 by source
--> {"source":"auth_logs","id":"c2"}
--> {"source":"edge_logs","id":"a2"}
--> {"source":"edge_logs","id":"a3"}
--> {"source":"function_logs","id":"d2"}
--> {"source":"function_logs","id":"d3"}
--> {"source":"postgres_logs","id":"b2"}
--> {"source":"postgres_logs","id":"b3"}

-- select source, id from logs order by source, id limit 1, 2 by source limit 3
select source, id from logs order by source, id limit 1, 2 by source limit 3
--> {"source":"auth_logs","id":"c2"}
--> {"source":"edge_logs","id":"a2"}
--> {"source":"edge_logs","id":"a3"}

-- select source, id from logs order by source, id limit 1 by source limit 1, 2
select source, id from logs order by source, id limit 1 by source limit 1, 2
--> refused Unsupported: an offset of LIMIT after LIMIT BY is not supported

-- select source, severity_text, count() as c from logs group by source, severity_text order
select source, severity_text, count() as c from logs group by source, severity_text order by source, c desc, severity_text limit 0, 1 by source
--> {"source":"auth_logs","severity_text":"ERROR","c":1}
--> {"source":"edge_logs","severity_text":"INFO","c":4}
--> {"source":"function_logs","severity_text":"INFO","c":2}
--> {"source":"postgres_logs","severity_text":"ERROR","c":2}

-- select * apply(toString) from (select 1 as a, 2 as b)
select * apply(toString) from (select 1 as a, 2 as b)
--> {"toString(a)":"1","toString(b)":"2"}

-- select * apply toString from (select 1 as a, 2 as b)
select * apply toString from (select 1 as a, 2 as b)
--> {"toString(a)":"1","toString(b)":"2"}

-- select * apply(sum) from (select number as a, number * 2 as b from numbers(3))
select * apply(sum) from (select number as a, number * 2 as b from numbers(3))
--> {"sum(a)":3,"sum(b)":6}

-- select * apply(x -> x + 1) from (select number as a, number * 2 as b from numbers(2)) orde
select * apply(x -> x + 1) from (select number as a, number * 2 as b from numbers(2)) order by 1
--> {"plus(a, 1)":1,"plus(b, 1)":1}
--> {"plus(a, 1)":2,"plus(b, 1)":3}

-- select * except(a) apply(max) from (select number as a, number * 2 as b from numbers(3))
select * except(a) apply(max) from (select number as a, number * 2 as b from numbers(3))
--> {"max(b)":4}

-- select COLUMNS('a|b') apply(max) apply(toString) from (select number as a, number * 2 as b
select COLUMNS('a|b') apply(max) apply(toString) from (select number as a, number * 2 as b, 1 as c from numbers(3))
--> {"toString(max(a))":"2","toString(max(b))":"4"}

-- select * apply(quantile(0.5)) from (select number as a, number * 2 as b from numbers(3))
select * apply(quantile(0.5)) from (select number as a, number * 2 as b from numbers(3))
--> {"quantile(0.5)(a)":1.0,"quantile(0.5)(b)":2.0}

-- select columns('^e') from logs order by id limit 1
select columns('^e') from logs order by id limit 1
--> {"event_message":"GET /rest/v1/items 200"}

-- select COLUMNS('^(id|source)$') from logs order by id limit 2
select COLUMNS('^(id|source)$') from logs order by id limit 2
--> {"id":"a1","source":"edge_logs"}
--> {"id":"a2","source":"edge_logs"}

-- select COLUMNS('i') except (id) from (select 1 as id, 2 as i2, 3 as x)
select COLUMNS('i') except (id) from (select 1 as id, 2 as i2, 3 as x)
--> {"i2":2}

-- select COLUMNS(id, source) from logs order by id limit 2
select COLUMNS(id, source) from logs order by id limit 2
--> {"id":"a1","source":"edge_logs"}
--> {"id":"a2","source":"edge_logs"}

-- select logs.COLUMNS('^id$') from logs order by id limit 1
select logs.COLUMNS('^id$') from logs order by id limit 1
--> {"id":"a1"}

-- select COLUMNS('a') + COLUMNS('b') as s from (select 1 as a, 2 as b)
select COLUMNS('a') + COLUMNS('b') as s from (select 1 as a, 2 as b)
--> {"s":3}

-- select * replace (a + 1 as a) apply(toString) from (select 1 as a, 2 as b)
select * replace (a + 1 as a) apply(toString) from (select 1 as a, 2 as b)
--> {"toString(plus(a, 1))":"2","toString(b)":"2"}

-- select number, argMax(number, number % 3) over (order by number) as m from numbers(5) orde
select number, argMax(number, number % 3) over (order by number) as m from numbers(5) order by number
--> {"number":0,"m":0}
--> {"number":1,"m":1}
--> {"number":2,"m":2}
--> {"number":3,"m":2}
--> {"number":4,"m":2}

-- select number, argMin(number, number % 3) over (partition by number % 2 order by number) a
select number, argMin(number, number % 3) over (partition by number % 2 order by number) as m from numbers(6) order by number
--> {"number":0,"m":0}
--> {"number":1,"m":1}
--> {"number":2,"m":0}
--> {"number":3,"m":3}
--> {"number":4,"m":0}
--> {"number":5,"m":3}

-- select id, argMax(event_message, timestamp) over (partition by source) as m from logs orde
select id, argMax(event_message, timestamp) over (partition by source) as m from logs order by id
--> {"id":"a1","m":"GET /rest/v1/items?select=* 304"}
--> {"id":"a2","m":"GET /rest/v1/items?select=* 304"}
--> {"id":"a3","m":"GET /rest/v1/items?select=* 304"}
--> {"id":"a4","m":"GET /rest/v1/items?select=* 304"}
--> {"id":"a5","m":"GET /rest/v1/items?select=* 304"}
--> {"id":"a6","m":"GET /rest/v1/items?select=* 304"}
--> {"id":"b1","m":"canceling statement due to statement timeout"}
--> {"id":"b2","m":"canceling statement due to statement timeout"}
--> {"id":"b3","m":"canceling statement due to statement timeout"}
--> {"id":"c1","m":"{\"level\":\"error\",\"msg\":\"invalid login\",\"user\":{\"id\":7,\"tags\":[\"a\",\"b\"]}}"}
--> {"id":"c2","m":"{\"level\":\"error\",\"msg\":\"invalid login\",\"user\":{\"id\":7,\"tags\":[\"a\",\"b\"]}}"}
--> {"id":"d1","m":"boot"}
--> {"id":"d2","m":"boot"}
--> {"id":"d3","m":"boot"}

-- select id, argMax(event_message, timestamp) over (partition by source order by id rows bet
select id, argMax(event_message, timestamp) over (partition by source order by id rows between 1 preceding and current row) as m from logs order by id
--> {"id":"a1","m":"GET /rest/v1/items 200"}
--> {"id":"a2","m":"POST /rest/v1/items 201"}
--> {"id":"a3","m":"GET /auth/v1/user 401"}
--> {"id":"a4","m":"GET /rest/v1/items 500"}
--> {"id":"a5","m":"DELETE /storage/v1/object/7 204"}
--> {"id":"a6","m":"GET /rest/v1/items?select=* 304"}
--> {"id":"b1","m":"connection received: host=10.0.0.1"}
--> {"id":"b2","m":"duplicate key value violates unique constraint"}
--> {"id":"b3","m":"canceling statement due to statement timeout"}
--> {"id":"c1","m":"request completed"}
--> {"id":"c2","m":"{\"level\":\"error\",\"msg\":\"invalid login\",\"user\":{\"id\":7,\"tags\":[\"a\",\"b\"]}}"}
--> {"id":"d1","m":"boot"}
--> {"id":"d2","m":"shutdown"}
--> {"id":"d3","m":"boot"}

-- select id, argMinIf(id, timestamp, severity_text = 'ERROR') over (partition by source) as
select id, argMinIf(id, timestamp, severity_text = 'ERROR') over (partition by source) as m from logs order by id
--> {"id":"a1","m":"a4"}
--> {"id":"a2","m":"a4"}
--> {"id":"a3","m":"a4"}
--> {"id":"a4","m":"a4"}
--> {"id":"a5","m":"a4"}
--> {"id":"a6","m":"a4"}
--> {"id":"b1","m":"b2"}
--> {"id":"b2","m":"b2"}
--> {"id":"b3","m":"b2"}
--> {"id":"c1","m":"c2"}
--> {"id":"c2","m":"c2"}
--> {"id":"d1","m":""}
--> {"id":"d2","m":""}
--> {"id":"d3","m":""}

-- select id, argMax(timestamp, id) over (partition by source) as m from logs order by id
select id, argMax(timestamp, id) over (partition by source) as m from logs order by id
--> {"id":"a1","m":1739231999999999}
--> {"id":"a2","m":1739231999999999}
--> {"id":"a3","m":1739231999999999}
--> {"id":"a4","m":1739231999999999}
--> {"id":"a5","m":1739231999999999}
--> {"id":"a6","m":1739231999999999}
--> {"id":"b1","m":1739262600000000}
--> {"id":"b2","m":1739262600000000}
--> {"id":"b3","m":1739262600000000}
--> {"id":"c1","m":1739181810000000}
--> {"id":"c2","m":1739181810000000}
--> {"id":"d1","m":1767223800000000}
--> {"id":"d2","m":1767223800000000}
--> {"id":"d3","m":1767223800000000}

-- select number as n, number as v from numbers(3) where number in (0, 2) order by n with fil
select number as n, number as v from numbers(3) where number in (0, 2) order by n with fill from 0 to 4 interpolate (v as v + 1)
--> {"n":0,"v":0}
--> {"n":1,"v":1}
--> {"n":2,"v":2}
--> {"n":3,"v":3}

-- select number * 3 as n, number + 10 as v, 'x' as t from numbers(3) order by n with fill fr
select number * 3 as n, number + 10 as v, 'x' as t from numbers(3) order by n with fill from 0 to 9 interpolate (v as v * 2, t as concat(t, '+'))
--> {"n":0,"v":10,"t":"x"}
--> {"n":1,"v":20,"t":"x+"}
--> {"n":2,"v":40,"t":"x++"}
--> {"n":3,"v":11,"t":"x"}
--> {"n":4,"v":22,"t":"x+"}
--> {"n":5,"v":44,"t":"x++"}
--> {"n":6,"v":12,"t":"x"}
--> {"n":7,"v":24,"t":"x+"}
--> {"n":8,"v":48,"t":"x++"}

-- select number * 2 as n, number as a, number * 10 as b from numbers(3) order by n with fill
select number * 2 as n, number as a, number * 10 as b from numbers(3) order by n with fill interpolate (a as a + 1, b)
--> {"n":0,"a":0,"b":0}
--> {"n":1,"a":1,"b":0}
--> {"n":2,"a":1,"b":10}
--> {"n":3,"a":2,"b":10}
--> {"n":4,"a":2,"b":20}

-- select number * 2 as n, number as a, number * 10 as b from numbers(3) order by n with fill
select number * 2 as n, number as a, number * 10 as b from numbers(3) order by n with fill interpolate (a as 7)
--> {"n":0,"a":0,"b":0}
--> {"n":1,"a":7,"b":0}
--> {"n":2,"a":1,"b":10}
--> {"n":3,"a":7,"b":0}
--> {"n":4,"a":2,"b":20}

-- select number * 2 as n, number as a, number * 10 as b from numbers(3) order by n with fill
select number * 2 as n, number as a, number * 10 as b from numbers(3) order by n with fill interpolate (a as b, b as a)
--> {"n":0,"a":0,"b":0}
--> {"n":1,"a":0,"b":0}
--> {"n":2,"a":1,"b":10}
--> {"n":3,"a":10,"b":1}
--> {"n":4,"a":2,"b":20}

-- select toStartOfMinute(timestamp) as t, count() as c from logs where source = 'edge_logs'
select toStartOfMinute(timestamp) as t, count() as c from logs where source = 'edge_logs' and id in ('a1','a3') group by t order by t with fill step 60 interpolate (c as c + 1)
--> {"t":1739181600000000,"c":1}
--> {"t":1739181660000000,"c":1}

-- select number * 2 as n, number as a from numbers(3) order by n desc with fill interpolate
select number * 2 as n, number as a from numbers(3) order by n desc with fill interpolate (a as a + 1)
--> {"n":4,"a":2}
--> {"n":3,"a":3}
--> {"n":2,"a":1}
--> {"n":1,"a":2}
--> {"n":0,"a":0}

-- select a.n as n, b.v as v, c.w as w from (select number as n from numbers(3)) a left join
select a.n as n, b.v as v, c.w as w from (select number as n from numbers(3)) a left join (select number as n, number * 10 as v from numbers(2)) b on a.n = b.n any left join (select number % 2 as n, 'y' as w from numbers(4)) c on a.n = c.n order by n
--> {"n":0,"v":0,"w":"y"}
--> {"n":1,"v":10,"w":"y"}
--> {"n":2,"v":0,"w":""}

-- select a.n as n, b.v as v, c.w as w from (select number as n from numbers(3)) a inner join
select a.n as n, b.v as v, c.w as w from (select number as n from numbers(3)) a inner join (select number as n, number * 10 as v from numbers(2)) b on a.n = b.n any inner join (select number % 2 as n, 'y' as w from numbers(4)) c on b.n = c.n order by n
--> {"n":0,"v":0,"w":"y"}
--> {"n":1,"v":10,"w":"y"}

-- select a.n as n, c.w as w from (select number as n from numbers(3)) a any left join (selec
select a.n as n, c.w as w from (select number as n from numbers(3)) a any left join (select number as n, number * 10 as v from numbers(2)) b on a.n = b.n any left join (select number % 2 as n, 'y' as w from numbers(4)) c on a.n = c.n order by n
--> {"n":0,"w":"y"}
--> {"n":1,"w":"y"}
--> {"n":2,"w":""}

-- select n, v, w from (select number as n from numbers(3)) a left join (select number as n,
select n, v, w from (select number as n from numbers(3)) a left join (select number as n, number * 10 as v from numbers(2)) b using (n) any left join (select number % 2 as n, 'y' as w from numbers(4)) c using (n) order by n
--> {"n":0,"v":0,"w":"y"}
--> {"n":1,"v":10,"w":"y"}
--> {"n":2,"v":0,"w":""}

-- select n, v, w from (select number as n from numbers(3)) a inner join (select number as n,
select n, v, w from (select number as n from numbers(3)) a inner join (select number as n, number * 10 as v from numbers(2)) b using n any inner join (select number % 2 as n, 'y' as w from numbers(4)) c using n order by n
--> {"n":0,"v":0,"w":"y"}
--> {"n":1,"v":10,"w":"y"}

-- select countMerge(s) as n from (select source, countState() as s from logs group by source
select countMerge(s) as n from (select source, countState() as s from logs group by source)
--> {"n":14}

-- select sumMerge(s) as n from (select number % 2 as k, sumState(number) as s from numbers(5
select sumMerge(s) as n from (select number % 2 as k, sumState(number) as s from numbers(5) group by k)
--> {"n":10}

-- select minMerge(a) as n, maxMerge(b) as x, avgMerge(c) as v from (select number % 2 as k,
select minMerge(a) as n, maxMerge(b) as x, avgMerge(c) as v from (select number % 2 as k, minState(number) as a, maxState(number) as b, avgState(number) as c from numbers(5) group by k)
--> {"n":0,"x":4,"v":2.0}

-- select uniqMerge(u) as n, uniqExactMerge(e) as m from (select number % 2 as k, uniqState(n
select uniqMerge(u) as n, uniqExactMerge(e) as m from (select number % 2 as k, uniqState(number % 3) as u, uniqExactState(number % 3) as e from numbers(6) group by k)
--> {"n":3,"m":3}

-- select quantileMerge(0.5)(q) as n from (select number % 2 as k, quantileState(0.5)(number)
select quantileMerge(0.5)(q) as n from (select number % 2 as k, quantileState(0.5)(number) as q from numbers(6) group by k)
--> {"n":2.5}

-- select quantilesMerge(0.5, 0.9)(q) as n from (select number % 2 as k, quantilesState(0.5,
select quantilesMerge(0.5, 0.9)(q) as n from (select number % 2 as k, quantilesState(0.5, 0.9)(number) as q from numbers(6) group by k)
--> {"n":[2.5,4.5]}

-- select medianMerge(q) as n from (select number % 2 as k, medianState(number) as q from num
select medianMerge(q) as n from (select number % 2 as k, medianState(number) as q from numbers(6) group by k)
--> {"n":2.5}

-- select arraySort(groupArrayMerge(q)) as n from (select number % 2 as k, groupArrayState(nu
select arraySort(groupArrayMerge(q)) as n from (select number % 2 as k, groupArrayState(number) as q from numbers(6) group by k)
--> {"n":[0,1,2,3,4,5]}

-- select arraySort(groupUniqArrayMerge(q)) as n from (select number % 2 as k, groupUniqArray
select arraySort(groupUniqArrayMerge(q)) as n from (select number % 2 as k, groupUniqArrayState(number % 4) as q from numbers(6) group by k)
--> {"n":[0,1,2,3]}

-- select k, countMerge(s) as n from (select number % 2 as k, number % 3 as j, countState() a
select k, countMerge(s) as n from (select number % 2 as k, number % 3 as j, countState() as s from numbers(10) group by k, j) group by k order by k
--> {"k":0,"n":5}
--> {"k":1,"n":5}

-- select k, avgMerge(s) as n, uniqMerge(u) as m, quantileMerge(0.9)(q) as q from (select num
select k, avgMerge(s) as n, uniqMerge(u) as m, quantileMerge(0.9)(q) as q from (select number % 2 as k, number % 3 as j, avgState(number) as s, uniqState(number) as u, quantileState(0.9)(number) as q from numbers(10) group by k, j) group by k order by k
--> {"k":0,"n":4.0,"m":5,"q":7.2}
--> {"k":1,"n":5.0,"m":5,"q":8.2}

-- select sumMergeIf(s, k = 1) as n from (select number % 2 as k, sumState(number) as s from
select sumMergeIf(s, k = 1) as n from (select number % 2 as k, sumState(number) as s from numbers(5) group by k)
--> {"n":4}

-- select sumMerge(s) as n from (select number % 2 as k, sumStateIf(number, number > 1) as s
select sumMerge(s) as n from (select number % 2 as k, sumStateIf(number, number > 1) as s from numbers(5) group by k)
--> {"n":9}

-- select countMerge(s) as n from (select number % 2 as k, countIfState(number > 1) as s from
select countMerge(s) as n from (select number % 2 as k, countIfState(number > 1) as s from numbers(5) group by k)
--> {"n":3}

-- select countIfMerge(s) as n from (select number % 2 as k, countIfState(number > 1) as s fr
select countIfMerge(s) as n from (select number % 2 as k, countIfState(number > 1) as s from numbers(5) group by k)
--> {"n":3}

-- select anyMerge(s) as n from (select 1 as k, anyState(number) as s from numbers(1) group b
select anyMerge(s) as n from (select 1 as k, anyState(number) as s from numbers(1) group by k)
--> {"n":0}

-- select anyLastMerge(s) as n from (select 1 as k, anyLastState(number) as s from numbers(1)
select anyLastMerge(s) as n from (select 1 as k, anyLastState(number) as s from numbers(1) group by k)
--> {"n":0}

-- select argMaxMerge(s) as n from (select number % 2 as k, argMaxState(number, number % 5) a
select argMaxMerge(s) as n from (select number % 2 as k, argMaxState(number, number % 5) as s from numbers(5) group by k)
--> {"n":4}

-- select argMinMerge(s) as n from (select number % 2 as k, argMinState(toString(number), num
select argMinMerge(s) as n from (select number % 2 as k, argMinState(toString(number), number % 5) as s from numbers(5) group by k)
--> {"n":"0"}

-- select sumMerge(x) as n from (select k, sumMergeState(s) as x from (select number % 2 as k
select sumMerge(x) as n from (select k, sumMergeState(s) as x from (select number % 2 as k, number % 3 as j, sumState(number) as s from numbers(10) group by k, j) group by k)
--> {"n":45}

-- select uniqMerge(x) as n from (select k, uniqMergeState(s) as x from (select number % 2 as
select uniqMerge(x) as n from (select k, uniqMergeState(s) as x from (select number % 2 as k, number % 3 as j, uniqState(number) as s from numbers(10) group by k, j) group by k)
--> {"n":10}

-- select finalizeAggregation(s) as n from (select number % 2 as k, sumState(number) as s fro
select finalizeAggregation(s) as n from (select number % 2 as k, sumState(number) as s from numbers(5) group by k) order by n
--> {"n":4}
--> {"n":6}

-- select finalizeAggregation(s) as n from (select number % 2 as k, avgState(number) as s fro
select finalizeAggregation(s) as n from (select number % 2 as k, avgState(number) as s from numbers(5) group by k) order by n
--> {"n":2.0}
--> {"n":2.0}

-- with x as (select number % 2 as k, countState() as c, avgState(number) as a from numbers(5
with x as (select number % 2 as k, countState() as c, avgState(number) as a from numbers(5) group by k) select countMerge(c) as c, avgMerge(a) as a from x
--> {"c":5,"a":2.0}

-- select countMerge(s) as n from (select countState() as s from numbers(0))
select countMerge(s) as n from (select countState() as s from numbers(0))
--> {"n":0}

-- select avgMerge(s) as n, maxMerge(m) as x from (select avgState(number) as s, maxState(num
select avgMerge(s) as n, maxMerge(m) as x from (select avgState(number) as s, maxState(number) as m from numbers(4))
--> {"n":1.5,"x":3}

-- select sumSimpleState(number) as n from numbers(4)
select sumSimpleState(number) as n from numbers(4)
--> {"n":6}

-- select varPopMerge(s) as n from (select number % 2 as k, varPopState(number) as s from num
select varPopMerge(s) as n from (select number % 2 as k, varPopState(number) as s from numbers(5) group by k)
--> {"n":2.0}

-- select stddevPopMerge(s) as n from (select number % 2 as k, stddevPopState(number) as s fr
select stddevPopMerge(s) as n from (select number % 2 as k, stddevPopState(number) as s from numbers(5) group by k)
--> {"n":1.4142135623730951}

-- select quantileTDigestMerge(0.5)(s) as n from (select 1 as k, quantileTDigestState(0.5)(nu
select quantileTDigestMerge(0.5)(s) as n from (select 1 as k, quantileTDigestState(0.5)(number) as s from numbers(5) group by k)
--> {"n":2.0}

-- select quantileExactMerge(0.5)(s) as n from (select 1 as k, quantileExactState(0.5)(number
select quantileExactMerge(0.5)(s) as n from (select 1 as k, quantileExactState(0.5)(number) as s from numbers(5) group by k)
--> {"n":2}

-- select sumForEach(l) as n from (select arrayJoin([[1,2],[3,4]]) as l)
select sumForEach(l) as n from (select arrayJoin([[1,2],[3,4]]) as l)
--> {"n":[4,6]}

-- select sumForEach([number, 1]) as n from numbers(3)
select sumForEach([number, 1]) as n from numbers(3)
--> {"n":[3,3]}

-- select avgForEach([number, 1]) as n from numbers(3)
select avgForEach([number, 1]) as n from numbers(3)
--> {"n":[1.0,1.0]}

-- select sumArray([number, 1]) as n from numbers(3)
select sumArray([number, 1]) as n from numbers(3)
--> {"n":6}

-- select countArray([number, 1]) as n from numbers(3)
select countArray([number, 1]) as n from numbers(3)
--> {"n":6}

-- select maxArray([number, 1]) as n from numbers(3)
select maxArray([number, 1]) as n from numbers(3)
--> {"n":2}

-- select uniqArray([number, 1]) as n from numbers(3)
select uniqArray([number, 1]) as n from numbers(3)
--> {"n":3}

-- select avgArray([number, 1]) as n from numbers(3)
select avgArray([number, 1]) as n from numbers(3)
--> {"n":1.0}

-- select quantileArray(0.5)([number, 1]) as n from numbers(3)
select quantileArray(0.5)([number, 1]) as n from numbers(3)
--> refused Unsupported: the function quantileArray is not supported

-- select sumMap(map('a', number)) as n from numbers(3)
select sumMap(map('a', number)) as n from numbers(3)
--> {"n":[{"a":3}]}

-- select sumDistinct(number % 2) as n from numbers(5)
select sumDistinct(number % 2) as n from numbers(5)
--> {"n":1}

-- select sumOrNull(number) as n from numbers(0)
select sumOrNull(number) as n from numbers(0)
--> {"n":null}

-- select hex(SHA1('abc')) as h
select hex(SHA1('abc')) as h
--> {"h":"A9993E364706816ABA3E25717850C26C9CD0D89D"}

-- select hex(SHA256('abc')) as h
select hex(SHA256('abc')) as h
--> {"h":"BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"}

-- select hex(MD5('abc')) as h
select hex(MD5('abc')) as h
--> {"h":"900150983CD24FB0D6963F7D28E17F72"}

-- select lower(hex(MD5(event_message))) as h from logs order by id limit 2
select lower(hex(MD5(event_message))) as h from logs order by id limit 2
--> {"h":"873998aa4cc9b2fc087ab9dd250362be"}
--> {"h":"49adf529c0cb6a78eaf850bf182f1e96"}

-- select lower(hex(SHA1(event_message))) as h from logs order by id limit 2
select lower(hex(SHA1(event_message))) as h from logs order by id limit 2
--> {"h":"6ca24bb92b3f2098d2de35bba7f8f49c0ed2facb"}
--> {"h":"55575ff53a335706358751ed8be9ed6324113e2c"}

-- select hex(SHA224('abc')) as h
select hex(SHA224('abc')) as h
--> {"h":"23097D223405D8228642A477BDA255B32AADBCE4BDA0B3F7E36C9DA7"}

-- select hex(SHA512('abc')) as h
select hex(SHA512('abc')) as h
--> {"h":"DDAF35A193617ABACC417349AE20413112E6FA4E89A97EA20A9EEEE64B55D39A2192992A274FC1A836BA3C23A3FEEBBD454D4423643CE80E2A9AC94FA54CA49F"}

-- select hex(SHA384('abc')) as h
select hex(SHA384('abc')) as h
--> {"h":"CB00753F45A35E8BB5A03D699AC65007272C32AB0EDED1631A8B605A43FF5BED8086072BA1E7CC2358BAECA134C825A7"}

-- select hex(SHA512_256('abc')) as h
select hex(SHA512_256('abc')) as h
--> refused Unsupported: the function SHA512_256 is not supported

-- select hex(MD4('abc')) as h
select hex(MD4('abc')) as h
--> refused Unsupported: the function MD4 is not supported

-- select cityHash64('abc') as h
select cityHash64('abc') as h
--> refused Unsupported: the function cityHash64 is not supported

-- select xxHash64('abc') as h
select xxHash64('abc') as h
--> refused Unsupported: the function xxHash64 is not supported

-- select sipHash64('abc') as h
select sipHash64('abc') as h
--> refused Unsupported: the function sipHash64 is not supported

-- select xxHash32('abc') as h
select xxHash32('abc') as h
--> refused Unsupported: the function xxHash32 is not supported

-- select murmurHash3_64('abc') as h
select murmurHash3_64('abc') as h
--> refused Unsupported: the function murmurHash3_64 is not supported

-- select farmHash64('abc') as h
select farmHash64('abc') as h
--> refused Unsupported: the function farmHash64 is not supported

-- select halfMD5('abc') as h
select halfMD5('abc') as h
--> refused Unsupported: the function halfMD5 is not supported

-- select CRC32('abc') as h
select CRC32('abc') as h
--> refused Unsupported: the function CRC32 is not supported

-- select intHash32(5) as h
select intHash32(5) as h
--> refused Unsupported: the function intHash32 is not supported

-- select javaHash('abc') as h
select javaHash('abc') as h
--> refused Unsupported: the function javaHash is not supported

-- select length(SHA1('abc')) as n
select length(SHA1('abc')) as n
--> {"n":20}

-- select MD5('abc') = MD5('abc') as n
select MD5('abc') = MD5('abc') as n
--> {"n":true}

-- select base64Encode(MD5('abc')) as b
select base64Encode(MD5('abc')) as b
--> {"b":"kAFQmDzST7DWlj99KOF/cg=="}

-- select base64Encode(SHA256('abc')) as b
select base64Encode(SHA256('abc')) as b
--> {"b":"ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="}

-- select welchTTest(number, number % 2) as t from numbers(10)
select welchTTest(number, number % 2) as t from numbers(10)
--> refused Unsupported: the function welchTTest is not supported

-- select studentTTest(number, number % 2) as t from numbers(10)
select studentTTest(number, number % 2) as t from numbers(10)
--> refused Unsupported: the function studentTTest is not supported

-- select mannWhitneyUTest(number, number % 2) as t from numbers(10)
select mannWhitneyUTest(number, number % 2) as t from numbers(10)
--> refused Unsupported: the function mannWhitneyUTest is not supported

-- select kolmogorovSmirnovTest(number, number % 2) as t from numbers(10)
select kolmogorovSmirnovTest(number, number % 2) as t from numbers(10)
--> refused Unsupported: the function kolmogorovSmirnovTest is not supported

-- select cramersV(number % 2, number % 3) as t from numbers(10)
select cramersV(number % 2, number % 3) as t from numbers(10)
--> refused Unsupported: the function cramersV is not supported

-- select corr(number, number * 2) as t from numbers(10)
select corr(number, number * 2) as t from numbers(10)
--> {"t":1.0}

-- select skewPop(number) as t from numbers(10)
select skewPop(number) as t from numbers(10)
--> {"t":0.0}

-- select kurtPop(number) as t from numbers(10)
select kurtPop(number) as t from numbers(10)
--> {"t":1.7757575757575785}

-- select covarPop(number, number * 2) as t from numbers(10)
select covarPop(number, number * 2) as t from numbers(10)
--> {"t":16.5}
