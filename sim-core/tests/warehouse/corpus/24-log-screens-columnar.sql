-- # What log screens ask in the columnar dialect; the rows are those of an independent engine

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

-- toStartOfMinute, order by
select toStartOfMinute(timestamp) as m, count() as n from logs group by m order by m
--> {"m":1739181600000000,"n":2}
--> {"m":1739181660000000,"n":1}
--> {"m":1739181720000000,"n":2}
--> {"m":1739181780000000,"n":2}
--> {"m":1739182020000000,"n":1}
--> {"m":1739186100000000,"n":1}
--> {"m":1739231940000000,"n":1}
--> {"m":1739262600000000,"n":1}
--> {"m":1743294600000000,"n":1}
--> {"m":1743298200000000,"n":1}
--> {"m":1767223800000000,"n":1}

-- toStartOfInterval, countIf, order by
select toStartOfInterval(timestamp, INTERVAL 5 MINUTE) as m, countIf(severity_text = 'ERROR') as e, countIf(severity_text != 'ERROR') as ok from logs where source = 'edge_logs' group by m order by m
--> {"m":1739181600000000,"e":0,"ok":3}
--> {"m":1739181900000000,"e":1,"ok":0}
--> {"m":1739186100000000,"e":0,"ok":1}
--> {"m":1739231700000000,"e":0,"ok":1}

-- toStartOfHour, order by
select toStartOfHour(timestamp) as h, source, count() c from logs group by h, source order by h, source
--> {"h":1739181600000000,"source":"auth_logs","c":2}
--> {"h":1739181600000000,"source":"edge_logs","c":4}
--> {"h":1739181600000000,"source":"postgres_logs","c":2}
--> {"h":1739185200000000,"source":"edge_logs","c":1}
--> {"h":1739228400000000,"source":"edge_logs","c":1}
--> {"h":1739260800000000,"source":"postgres_logs","c":1}
--> {"h":1743292800000000,"source":"function_logs","c":1}
--> {"h":1743296400000000,"source":"function_logs","c":1}
--> {"h":1767222000000000,"source":"function_logs","c":1}

-- toStartOfDay, uniq, toIntervalDay
select toStartOfDay(timestamp) as d, uniq(source) u, count() c from logs group by d order by d with fill step toIntervalDay(1) limit 10
--> {"d":1739145600000000,"u":3,"c":10}
--> {"d":1739232000000000,"u":1,"c":1}
--> {"d":1739318400000000,"u":0,"c":0}
--> {"d":1739404800000000,"u":0,"c":0}
--> {"d":1739491200000000,"u":0,"c":0}
--> {"d":1739577600000000,"u":0,"c":0}
--> {"d":1739664000000000,"u":0,"c":0}
--> {"d":1739750400000000,"u":0,"c":0}
--> {"d":1739836800000000,"u":0,"c":0}
--> {"d":1739923200000000,"u":0,"c":0}

-- toStartOfHour, toDateTime, with fill
select toStartOfHour(timestamp) as h, count() as n from logs where source='edge_logs' group by h order by h with fill from toDateTime('2025-02-10 08:00:00') to toDateTime('2025-02-10 16:00:00') step interval 1 hour
--> {"h":1739174400000000,"n":0}
--> {"h":1739178000000000,"n":0}
--> {"h":1739181600000000,"n":4}
--> {"h":1739185200000000,"n":1}
--> {"h":1739188800000000,"n":0}
--> {"h":1739192400000000,"n":0}
--> {"h":1739196000000000,"n":0}
--> {"h":1739199600000000,"n":0}
--> {"h":1739228400000000,"n":1}

-- toDate, with fill, with
select toDate(timestamp) as d, count() as n from logs group by d order by d with fill from toDate('2025-02-09') to toDate('2025-02-13') step 1 limit 5
--> {"d":"2025-02-09","n":0}
--> {"d":"2025-02-10","n":10}
--> {"d":"2025-02-11","n":1}
--> {"d":"2025-02-12","n":0}
--> {"d":"2025-03-30","n":2}

-- toStartOfHour, order by
select toStartOfHour(timestamp, 'America/New_York') as h, count() from logs group by h order by h
--> {"h":1739181600000000,"count()":8}
--> {"h":1739185200000000,"count()":1}
--> {"h":1739228400000000,"count()":1}
--> {"h":1739260800000000,"count()":1}
--> {"h":1743292800000000,"count()":1}
--> {"h":1743296400000000,"count()":1}
--> {"h":1767222000000000,"count()":1}

-- toStartOfDay, order by
select toStartOfDay(timestamp, 'Asia/Tokyo') as d, count() as c from logs group by d order by d
--> {"d":1739113200000000,"c":9}
--> {"d":1739199600000000,"c":2}
--> {"d":1743260400000000,"c":2}
--> {"d":1767193200000000,"c":1}

-- toHour, order by
select toHour(timestamp, 'Asia/Kolkata') as h, count() as c from logs group by h order by h
--> {"h":5,"c":2}
--> {"h":6,"c":1}
--> {"h":7,"c":1}
--> {"h":14,"c":1}
--> {"h":15,"c":8}
--> {"h":16,"c":1}

-- formatDateTime, order by
select formatDateTime(timestamp, '%Y-%m-%d %H:%i') as t, count() as c from logs group by t order by t
--> {"t":"2025-02-10 10:00","c":2}
--> {"t":"2025-02-10 10:01","c":1}
--> {"t":"2025-02-10 10:02","c":2}
--> {"t":"2025-02-10 10:03","c":2}
--> {"t":"2025-02-10 10:07","c":1}
--> {"t":"2025-02-10 11:15","c":1}
--> {"t":"2025-02-10 23:59","c":1}
--> {"t":"2025-02-11 08:30","c":1}
--> {"t":"2025-03-30 00:30","c":1}
--> {"t":"2025-03-30 01:30","c":1}
--> {"t":"2025-12-31 23:30","c":1}

-- formatDateTime, order by
select formatDateTime(timestamp, '%F %T', 'Europe/Berlin') as t from logs order by timestamp limit 3
--> {"t":"2025-02-10 11:00:00"}
--> {"t":"2025-02-10 11:00:30"}
--> {"t":"2025-02-10 11:01:10"}

-- dateDiff, min, max
select dateDiff('minute', min(timestamp), max(timestamp)) as mins from logs
--> {"mins":467370}

-- dateDiff, toDateTime, toDate
select dateDiff('second', toDateTime('2025-01-01 00:00:00'), toDateTime('2025-01-02 00:00:01')) as s, dateDiff('month', toDate('2025-01-31'), toDate('2025-03-01')) as m
--> {"s":86401,"m":2}

-- date_diff
select date_diff('hour', timestamp, timestamp + interval 90 minute) as h from logs limit 1
--> {"h":1}

-- order by
select log_attributes['request.path'] as path, count() as n from logs where source='edge_logs' group by path order by n desc, path limit 3
--> {"path":"/rest/v1/items","n":4}
--> {"path":"/auth/v1/user","n":1}
--> {"path":"/storage/v1/object/7","n":1}

-- round, avg, toFloat64OrZero
select log_attributes['cf.country'] as c, count() as n, round(avg(toFloat64OrZero(log_attributes['response.origin_time'])),2) as a from logs where source='edge_logs' group by c having n > 1 order by n desc, c
--> {"c":"DE","n":2,"a":8.5}
--> {"c":"US","n":2,"a":468.0}

-- groupArray, order by
select log_attributes['request.method'] as m, groupArray(log_attributes['request.path']) as p from logs where source='edge_logs' group by m order by m
--> {"m":"DELETE","p":["/storage/v1/object/7"]}
--> {"m":"GET","p":["/rest/v1/items","/auth/v1/user","/rest/v1/items","/rest/v1/items"]}
--> {"m":"POST","p":["/rest/v1/items"]}

-- arraySort, groupUniqArray, order by
select log_attributes['request.method'] as m, arraySort(groupUniqArray(log_attributes['request.path'])) as p from logs where source='edge_logs' group by m order by m
--> {"m":"DELETE","p":["/storage/v1/object/7"]}
--> {"m":"GET","p":["/auth/v1/user","/rest/v1/items"]}
--> {"m":"POST","p":["/rest/v1/items"]}

-- any
select source, any(event_message) as x from logs where source='function_logs' and log_attributes['function_id']='f2' group by source
--> {"source":"function_logs","x":"boot"}

-- argMax, argMin, order by
select source, argMax(event_message, timestamp) as last, argMin(event_message, timestamp) as first from logs group by source order by source
--> {"source":"auth_logs","last":"{\"level\":\"error\",\"msg\":\"invalid login\",\"user\":{\"id\":7,\"tags\":[\"a\",\"b\"]}}","first":"request completed"}
--> {"source":"edge_logs","last":"GET /rest/v1/items?select=* 304","first":"GET /rest/v1/items 200"}
--> {"source":"function_logs","last":"boot","first":"boot"}
--> {"source":"postgres_logs","last":"canceling statement due to statement timeout","first":"connection received: host=10.0.0.1"}

-- min, max, order by
select source, min(timestamp) as a, max(timestamp) as b from logs group by source order by source
--> {"source":"auth_logs","a":1739181780000000,"b":1739181810000000}
--> {"source":"edge_logs","a":1739181600000000,"b":1739231999999999}
--> {"source":"function_logs","a":1743294600000000,"b":1767223800000000}
--> {"source":"postgres_logs","a":1739181725000000,"b":1739262600000000}

-- topK
select topK(2)(severity_text) as t from logs where source='edge_logs'
--> {"t":["INFO","ERROR"]}

-- sum, over, order by
select source, count() as c, count() * 100 / sum(count()) over () as pct from logs group by source order by source
--> {"source":"auth_logs","c":2,"pct":14.285714285714286}
--> {"source":"edge_logs","c":6,"pct":42.857142857142854}
--> {"source":"function_logs","c":3,"pct":21.428571428571427}
--> {"source":"postgres_logs","c":3,"pct":21.428571428571427}

-- countIf, order by
select source, countIf(severity_text = 'ERROR') / count() as r from logs group by source order by source
--> {"source":"auth_logs","r":0.5}
--> {"source":"edge_logs","r":0.16666666666666666}
--> {"source":"function_logs","r":0.0}
--> {"source":"postgres_logs","r":0.6666666666666666}

-- round, countIf, toInt32OrZero
select round(100 * countIf(toInt32OrZero(log_attributes['response.status_code']) >= 500) / count(), 2) as rate from logs where source='edge_logs'
--> {"rate":16.67}

-- multiIf, toUInt16OrZero, order by
select multiIf(toUInt16OrZero(log_attributes['response.status_code']) < 300, '2xx', toUInt16OrZero(log_attributes['response.status_code']) < 400, '3xx', toUInt16OrZero(log_attributes['response.status_code']) < 500, '4xx', '5xx') as cls, count() as n from logs where source='edge_logs' group by cls order by cls
--> {"cls":"2xx","n":3}
--> {"cls":"3xx","n":1}
--> {"cls":"4xx","n":1}
--> {"cls":"5xx","n":1}

-- concat, substring, mapContains
select concat(substring(log_attributes['response.status_code'],1,1), 'xx') as c, count() as n from logs where mapContains(log_attributes, 'response.status_code') group by c order by c
--> {"c":"2xx","n":3}
--> {"c":"3xx","n":1}
--> {"c":"4xx","n":1}
--> {"c":"5xx","n":1}

-- intDiv, toInt32OrZero, order by
select intDiv(toInt32OrZero(log_attributes['response.status_code']), 100) as c, count() as n from logs where source='edge_logs' group by c order by c
--> {"c":2,"n":3}
--> {"c":3,"n":1}
--> {"c":4,"n":1}
--> {"c":5,"n":1}

-- order by
select case when severity_text in ('ERROR','FATAL') then 'bad' when severity_text = 'WARN' then 'meh' else 'ok' end as k, count() as n from logs group by k order by k
--> {"k":"bad","n":4}
--> {"k":"meh","n":1}
--> {"k":"ok","n":9}

-- sum, avg
select sum(severity_text = 'ERROR') as e, avg(severity_text = 'ERROR') as r from logs
--> {"e":4,"r":0.2857142857142857}

-- quantile, toFloat64OrZero
select quantile(0.5)(toFloat64OrZero(log_attributes['response.origin_time'])) as p50, quantile(0.95)(toFloat64OrZero(log_attributes['response.origin_time'])) as p95 from logs where source='edge_logs'
--> {"p50":22.5,"p95":689.25}

-- quantiles, toFloat64OrZero
select quantiles(0.5, 0.9, 0.99)(toFloat64OrZero(log_attributes['response.origin_time'])) as q from logs where source='edge_logs'
--> {"q":[22.5,475.5,860.2500000000001]}

-- quantileExact, toInt64OrZero, median
select quantileExact(0.9)(toInt64OrZero(log_attributes['response.origin_time'])) as q, median(toInt64OrZero(log_attributes['response.origin_time'])) as m from logs where source='edge_logs'
--> {"q":903,"m":22.5}

-- quantileTDigest, toFloat64OrZero
select quantileTDigest(0.5)(toFloat64OrZero(log_attributes['response.origin_time'])) as q from logs where source='edge_logs'
--> {"q":12.0}

-- quantileIf, toFloat64OrZero
select quantileIf(0.5)(toFloat64OrZero(log_attributes['response.origin_time']), log_attributes['request.method']='GET') as q from logs where source='edge_logs'
--> {"q":9.5}

-- stddevPop, toFloat64OrZero, varSamp, stddevSamp
select stddevPop(toFloat64OrZero(log_attributes['response.origin_time'])) as s, varSamp(toFloat64OrZero(log_attributes['response.origin_time'])) as v, stddevSamp(toFloat64OrZero(log_attributes['response.origin_time'])) as t from logs where source='edge_logs'
--> {"s":329.05825218847394,"v":129935.2,"t":360.46525491370176}

-- skewPop, toFloat64OrZero, kurtPop
select skewPop(toFloat64OrZero(log_attributes['response.origin_time'])) as s, kurtPop(toFloat64OrZero(log_attributes['response.origin_time'])) as k from logs where source='edge_logs'
--> {"s":1.7802148583813697,"k":4.18432585013559}

-- quantilesExact, toInt32OrZero
select quantilesExact(0.25, 0.75)(toInt32OrZero(log_attributes['response.origin_time'])) as q from logs where source='edge_logs'
--> {"q":[7,48]}

-- widthBucket, toFloat64OrZero, order by
select widthBucket(toFloat64OrZero(log_attributes['response.origin_time']), 0, 100, 4) as b, count() as c from logs where source='edge_logs' group by b order by b
--> {"b":1,"c":3}
--> {"b":2,"c":2}
--> {"b":5,"c":1}

-- mapKeys
select mapKeys(log_attributes) as k from logs where id='a1'
--> {"k":["cf.country","request.method","request.path","response.origin_time","response.status_code"]}

-- mapValues
select mapValues(log_attributes) as k from logs where id='a1'
--> {"k":["DE","GET","/rest/v1/items","12","200"]}

-- map
select map('b', 1, 'a', 2)['a'] as m, map('b', 1, 'a', 2)['zz'] as z
--> {"m":2,"z":0}

-- mapFilter
select mapFilter((k, v) -> k like 'request%', log_attributes) as m from logs where id='a1'
--> {"m":[{"request.method":"GET","request.path":"/rest/v1/items"}]}

-- mapSort, map
select mapSort(map('b',1,'a',2)) as m
--> {"m":[{"a":2,"b":1}]}

-- mapContainsKeyLike, order by
select mapContainsKeyLike(log_attributes, 'cf.%') as c, count() as n from logs group by c order by c
--> {"c":false,"n":9}
--> {"c":true,"n":5}

-- mapExtractKeyLike
select mapExtractKeyLike(log_attributes, 'request.%') as m from logs where id='a2'
--> {"m":[{"request.method":"POST","request.path":"/rest/v1/items"}]}

-- mapExists, order by
select mapExists((k,v) -> v = '500', log_attributes) as e, id from logs where source='edge_logs' order by id
--> {"e":false,"id":"a1"}
--> {"e":false,"id":"a2"}
--> {"e":false,"id":"a3"}
--> {"e":true,"id":"a4"}
--> {"e":false,"id":"a5"}
--> {"e":false,"id":"a6"}

-- mapAll, order by
select mapAll((k,v) -> v != '', log_attributes) as e, id from logs order by id
--> {"e":true,"id":"a1"}
--> {"e":true,"id":"a2"}
--> {"e":true,"id":"a3"}
--> {"e":true,"id":"a4"}
--> {"e":true,"id":"a5"}
--> {"e":true,"id":"a6"}
--> {"e":true,"id":"b1"}
--> {"e":true,"id":"b2"}
--> {"e":true,"id":"b3"}
--> {"e":true,"id":"c1"}
--> {"e":true,"id":"c2"}
--> {"e":true,"id":"d1"}
--> {"e":true,"id":"d2"}
--> {"e":false,"id":"d3"}

-- arrayJoin, mapKeys, order by
select arrayJoin(mapKeys(log_attributes)) as k, count() as n from logs group by k order by n desc, k
--> {"k":"request.method","n":6}
--> {"k":"request.path","n":6}
--> {"k":"response.origin_time","n":6}
--> {"k":"response.status_code","n":6}
--> {"k":"cf.country","n":5}
--> {"k":"execution_time_ms","n":3}
--> {"k":"function_id","n":3}
--> {"k":"parsed.error_severity","n":3}
--> {"k":"parsed.session_id","n":3}
--> {"k":"parsed.user_name","n":3}
--> {"k":"duration","n":2}
--> {"k":"parsed.sql_state_code","n":2}
--> {"k":"path","n":2}
--> {"k":"status","n":2}

-- array join, join, order by
select kv.1 as k, kv.2 as v from logs array join log_attributes as kv where id='a1' order by k
--> {"k":"cf.country","v":"DE"}
--> {"k":"request.method","v":"GET"}
--> {"k":"request.path","v":"/rest/v1/items"}
--> {"k":"response.origin_time","v":"12"}
--> {"k":"response.status_code","v":"200"}

-- mapKeys, mapValues, array join
select k, v from logs array join mapKeys(log_attributes) as k, mapValues(log_attributes) as v where id='b2' order by k
--> {"k":"parsed.error_severity","v":"ERROR"}
--> {"k":"parsed.session_id","v":"s1"}
--> {"k":"parsed.sql_state_code","v":"23505"}
--> {"k":"parsed.user_name","v":"app"}

-- length, order by
select length(log_attributes) as l, id from logs order by id
--> {"l":5,"id":"a1"}
--> {"l":5,"id":"a2"}
--> {"l":5,"id":"a3"}
--> {"l":5,"id":"a4"}
--> {"l":5,"id":"a5"}
--> {"l":4,"id":"a6"}
--> {"l":3,"id":"b1"}
--> {"l":4,"id":"b2"}
--> {"l":4,"id":"b3"}
--> {"l":3,"id":"c1"}
--> {"l":3,"id":"c2"}
--> {"l":2,"id":"d1"}
--> {"l":2,"id":"d2"}
--> {"l":2,"id":"d3"}

-- empty, notEmpty
select empty(log_attributes) as e, notEmpty(log_attributes) as n from logs limit 1
--> {"e":false,"n":true}

-- toString
select toString(log_attributes) as s from logs where id='d1'
--> {"s":"{'execution_time_ms':'15.5','function_id':'f1'}"}

-- sumMap, map
select sumMap(map(source, 1)) as m from logs
--> {"m":[{"auth_logs":2,"edge_logs":6,"function_logs":3,"postgres_logs":3}]}

-- maxMap, map, toInt64OrZero
select maxMap(map(source, toInt64OrZero(log_attributes['response.origin_time']))) as m from logs
--> {"m":[{"auth_logs":0,"edge_logs":903,"function_logs":0,"postgres_logs":0}]}

-- groupArray, map
select groupArray(map('id', id)) as m from logs where id in ('a1','a2')
--> {"m":[{"id":"a1"},{"id":"a2"}]}

-- a plain query
select log_attributes['missing'] as x, log_attributes['missing'] = '' as e from logs limit 1
--> {"x":"","e":true}

-- toJSONString
select toJSONString(log_attributes) as j from logs where id='b1'
--> {"j":"{\"parsed.error_severity\":\"LOG\",\"parsed.session_id\":\"s1\",\"parsed.user_name\":\"admin\"}"}

-- JSONExtractString, JSONExtractInt
select JSONExtractString(event_message, 'msg') as m, JSONExtractInt(event_message, 'user', 'id') as u from logs where id='c2'
--> {"m":"invalid login","u":7}

-- JSONExtractRaw, JSONExtractArrayRaw
select JSONExtractRaw(event_message, 'user') as r, JSONExtractArrayRaw(event_message, 'user', 'tags') as t from logs where id='c2'
--> {"r":"{\"id\":7,\"tags\":[\"a\",\"b\"]}","t":["\"a\"","\"b\""]}

-- JSONExtract, Array
select JSONExtract(event_message, 'user', 'tags', 'Array(String)') as t from logs where id='c2'
--> {"t":["a","b"]}

-- JSONExtract
select JSONExtract(event_message, 'user', 'id', 'Int64') as t, JSONExtract(event_message, 'level', 'String') as l from logs where id='c2'
--> {"t":7,"l":"error"}

-- JSONHas, isValidJSON, order by
select JSONHas(event_message, 'user', 'id') as a, JSONHas(event_message, 'nope') as b, isValidJSON(event_message) as v from logs order by id
--> {"a":false,"b":false,"v":false}
--> {"a":false,"b":false,"v":false}
--> {"a":false,"b":false,"v":false}
--> {"a":false,"b":false,"v":false}
--> {"a":false,"b":false,"v":false}
--> {"a":false,"b":false,"v":false}
--> {"a":false,"b":false,"v":false}
--> {"a":false,"b":false,"v":false}
--> {"a":false,"b":false,"v":false}
--> {"a":false,"b":false,"v":false}
--> {"a":true,"b":false,"v":true}
--> {"a":false,"b":false,"v":false}
--> {"a":false,"b":false,"v":false}
--> {"a":false,"b":false,"v":false}

-- JSONExtractKeys
select JSONExtractKeys(event_message) as k from logs where id='c2'
--> {"k":["level","msg","user"]}

-- JSONType, JSONLength
select JSONType(event_message, 'user') as a, JSONType(event_message, 'user', 'tags') as b, JSONLength(event_message, 'user', 'tags') as n from logs where id='c2'
--> {"a":"Object","b":"Array","n":2}

-- JSON_VALUE, JSON_QUERY, JSON_EXISTS
select JSON_VALUE(event_message, '$.user.id') as a, JSON_QUERY(event_message, '$.user.tags') as b, JSON_EXISTS(event_message, '$.nope') as c from logs where id='c2'
--> {"a":"7","b":"[[\"a\",\"b\"]]","c":false}

-- JSONExtractBool, JSONExtractFloat, JSONExtractUInt
select JSONExtractBool('{"a":true}', 'a') as a, JSONExtractFloat('{"a":1.5}', 'a') as b, JSONExtractUInt('{"a":7}', 'a') as c
--> {"a":true,"b":1.5,"c":7}

-- JSONExtractString, JSONExtractInt
select JSONExtractString('{"a":[1,2,{"b":"x"}]}', 'a', 3, 'b') as s, JSONExtractInt('{"a":[1,2]}', 'a', -1) as i
--> {"s":"x","i":2}

-- simpleJSONExtractString, simpleJSONExtractInt, simpleJSONHas
select simpleJSONExtractString('{"a":"x"}', 'a') as s, simpleJSONExtractInt('{"a":5}', 'a') as i, simpleJSONHas('{"a":5}', 'b') as h
--> {"s":"x","i":5,"h":false}

-- JSONExtractInt, JSONExtractString, JSONExtractFloat
select JSONExtractInt('{"a":"12"}','a') as i, JSONExtractString('{"a":12}','a') as s, JSONExtractFloat('{"a":"1.5"}','a') as f
--> {"i":12,"s":"12","f":1.5}

-- toJSONString, tuple
select toJSONString(tuple(1,'x')) as t, toJSONString([1,2]) as a, toJSONString('q"x') as s, toJSONString(1.5) as f
--> {"t":"[1,\"x\"]","a":"[1,2]","s":"\"q\\\"x\"","f":"1.5"}

-- arrayMap, arrayFilter, arrayExists
select arrayMap(x -> x * 2, [1,2,3]) as a, arrayFilter(x -> x > 1, [1,2,3]) as f, arrayExists(x -> x = 2, [1,2]) as e
--> {"a":[2,4,6],"f":[2,3],"e":true}

-- arraySort, arrayReverseSort
select arraySort(x -> -x, [1,3,2]) as a, arrayReverseSort([3,1,2]) as r, arraySort(['b','a']) as s
--> {"a":[3,2,1],"r":[3,2,1],"s":["a","b"]}

-- arrayReduce
select arrayReduce('sum', [1,2,3]) as s, arrayReduce('max', [1,5,2]) as m, arrayReduce('uniq', [1,1,2]) as u
--> {"s":6,"m":5,"u":2}

-- arrayZip
select arrayZip([1,2],['a','b']) as z
--> {"z":[{"_field_1":1,"_field_2":"a"},{"_field_1":2,"_field_2":"b"}]}

-- arrayStringConcat, splitByChar, splitByString
select arrayStringConcat(['a','b'], ',') as s, splitByChar(',', 'a,b,c') as c, splitByString('--', 'a--b') as d
--> {"s":"a,b","c":["a","b","c"],"d":["a","b"]}

-- has, indexOf, countEqual, arrayElement
select has([1,2],3) as h, indexOf([5,6],6) as i, countEqual([1,1,2],1) as c, arrayElement([1,2],1) as e, [10,20][2] as x
--> {"h":false,"i":2,"c":2,"e":1,"x":20}

-- arrayCumSum, arrayDifference, arrayCompact
select arrayCumSum([1,2,3]) as c, arrayDifference([1,3,6]) as d, arrayCompact([1,1,2]) as o
--> {"c":[1,3,6],"d":[0,2,3],"o":[1,2]}

-- range
select range(5) as a, range(2,5) as b, range(0,10,3) as c
--> {"a":[0,1,2,3,4],"b":[2,3,4],"c":[0,3,6,9]}

-- arrayPopBack, arrayPopFront, arrayPushBack, arrayPushFront
select arrayPopBack([1,2]) as a, arrayPopFront([1,2]) as b, arrayPushBack([1],2) as c, arrayPushFront([1],0) as d
--> {"a":[1],"b":[2],"c":[1,2],"d":[0,1]}

-- arrayJoin
select arrayJoin([1,2,3]) as x, x * 2 as y
--> {"x":1,"y":2}
--> {"x":2,"y":4}
--> {"x":3,"y":6}

-- array join, join, order by
select id, x from logs array join [1,2] as x where id in ('a1','a2') order by id, x
--> {"id":"a1","x":1}
--> {"id":"a1","x":2}
--> {"id":"a2","x":1}
--> {"id":"a2","x":2}

-- splitByChar, array join, join
select id, x from logs left array join splitByChar('/', log_attributes['request.path']) as x where id in ('a1','b1') order by id, x
--> {"id":"a1","x":""}
--> {"id":"a1","x":"items"}
--> {"id":"a1","x":"rest"}
--> {"id":"a1","x":"v1"}
--> {"id":"b1","x":""}

-- splitByChar, arrayEnumerate, array join
select id, n, x from logs array join splitByChar('/', log_attributes['request.path']) as x, arrayEnumerate(splitByChar('/', log_attributes['request.path'])) as n where id='a1' order by n
--> {"id":"a1","n":1,"x":""}
--> {"id":"a1","n":2,"x":"rest"}
--> {"id":"a1","n":3,"x":"v1"}
--> {"id":"a1","n":4,"x":"items"}

-- groupArray
select groupArray(2)(id) as g from logs where source='edge_logs'
--> {"g":["a1","a2"]}

-- groupArraySorted
select groupArraySorted(3)(id) as g from logs
--> {"g":["a1","a2","a3"]}

-- groupArrayIf
select groupArrayIf(id, severity_text='ERROR') as g from logs
--> {"g":["a4","b2","b3","c2"]}

-- groupConcat
select groupConcat(',')(id) as g from logs where source='edge_logs'
--> {"g":"a1,a2,a3,a4,a5,a6"}

-- row_number, over, order by
select id, row_number() over (partition by source order by timestamp) as n from logs order by id
--> {"id":"a1","n":1}
--> {"id":"a2","n":2}
--> {"id":"a3","n":3}
--> {"id":"a4","n":4}
--> {"id":"a5","n":5}
--> {"id":"a6","n":6}
--> {"id":"b1","n":1}
--> {"id":"b2","n":2}
--> {"id":"b3","n":3}
--> {"id":"c1","n":1}
--> {"id":"c2","n":2}
--> {"id":"d1","n":1}
--> {"id":"d2","n":2}
--> {"id":"d3","n":3}

-- rank, dense_rank, over
select id, rank() over (order by severity_text) as r, dense_rank() over (order by severity_text) as d from logs order by id
--> {"id":"a1","r":6,"d":3}
--> {"id":"a2","r":6,"d":3}
--> {"id":"a3","r":14,"d":5}
--> {"id":"a4","r":2,"d":2}
--> {"id":"a5","r":6,"d":3}
--> {"id":"a6","r":6,"d":3}
--> {"id":"b1","r":13,"d":4}
--> {"id":"b2","r":2,"d":2}
--> {"id":"b3","r":2,"d":2}
--> {"id":"c1","r":6,"d":3}
--> {"id":"c2","r":2,"d":2}
--> {"id":"d1","r":6,"d":3}
--> {"id":"d2","r":6,"d":3}
--> {"id":"d3","r":1,"d":1}

-- lagInFrame, over, order by
select id, lagInFrame(timestamp) over (partition by source order by timestamp) as p from logs where source='edge_logs' order by id
--> {"id":"a1","p":0}
--> {"id":"a2","p":1739181600000000}
--> {"id":"a3","p":1739181630000000}
--> {"id":"a4","p":1739181670000000}
--> {"id":"a5","p":1739182020250000}
--> {"id":"a6","p":1739186100000000}

-- leadInFrame, over, order by
select id, leadInFrame(id, 1, 'end') over (order by timestamp rows between unbounded preceding and unbounded following) as p from logs order by timestamp
--> {"id":"a1","p":"a2"}
--> {"id":"a2","p":"a3"}
--> {"id":"a3","p":"b1"}
--> {"id":"b1","p":"b2"}
--> {"id":"b2","p":"c1"}
--> {"id":"c1","p":"c2"}
--> {"id":"c2","p":"a4"}
--> {"id":"a4","p":"a5"}
--> {"id":"a5","p":"a6"}
--> {"id":"a6","p":"b3"}
--> {"id":"b3","p":"d1"}
--> {"id":"d1","p":"d2"}
--> {"id":"d2","p":"d3"}
--> {"id":"d3","p":"end"}

-- sum, toInt64OrZero, over
select id, sum(toInt64OrZero(log_attributes['response.origin_time'])) over (partition by source order by timestamp rows between 1 preceding and current row) as s from logs where source='edge_logs' order by id
--> {"id":"a1","s":12}
--> {"id":"a2","s":60}
--> {"id":"a3","s":53}
--> {"id":"a4","s":908}
--> {"id":"a5","s":936}
--> {"id":"a6","s":40}

-- over, order by
select id, count() over (partition by source) as c from logs order by id
--> {"id":"a1","c":6}
--> {"id":"a2","c":6}
--> {"id":"a3","c":6}
--> {"id":"a4","c":6}
--> {"id":"a5","c":6}
--> {"id":"a6","c":6}
--> {"id":"b1","c":3}
--> {"id":"b2","c":3}
--> {"id":"b3","c":3}
--> {"id":"c1","c":2}
--> {"id":"c2","c":2}
--> {"id":"d1","c":3}
--> {"id":"d2","c":3}
--> {"id":"d3","c":3}

-- first_value, last_value, over
select id, first_value(id) over (partition by source order by timestamp) as f, last_value(id) over (partition by source order by timestamp rows between unbounded preceding and unbounded following) as l from logs order by id
--> {"id":"a1","f":"a1","l":"a6"}
--> {"id":"a2","f":"a1","l":"a6"}
--> {"id":"a3","f":"a1","l":"a6"}
--> {"id":"a4","f":"a1","l":"a6"}
--> {"id":"a5","f":"a1","l":"a6"}
--> {"id":"a6","f":"a1","l":"a6"}
--> {"id":"b1","f":"b1","l":"b3"}
--> {"id":"b2","f":"b1","l":"b3"}
--> {"id":"b3","f":"b1","l":"b3"}
--> {"id":"c1","f":"c1","l":"c2"}
--> {"id":"c2","f":"c1","l":"c2"}
--> {"id":"d1","f":"d1","l":"d3"}
--> {"id":"d2","f":"d1","l":"d3"}
--> {"id":"d3","f":"d1","l":"d3"}

-- ntile, over, order by
select id, ntile(3) over (order by timestamp) as t from logs order by id
--> {"id":"a1","t":1}
--> {"id":"a2","t":1}
--> {"id":"a3","t":1}
--> {"id":"a4","t":2}
--> {"id":"a5","t":2}
--> {"id":"a6","t":2}
--> {"id":"b1","t":1}
--> {"id":"b2","t":1}
--> {"id":"b3","t":3}
--> {"id":"c1","t":2}
--> {"id":"c2","t":2}
--> {"id":"d1","t":3}
--> {"id":"d2","t":3}
--> {"id":"d3","t":3}

-- percent_rank, cume_dist, over
select id, percent_rank() over (order by timestamp) as t, cume_dist() over (order by timestamp) as c from logs order by id
--> {"id":"a1","t":0.0,"c":0.07142857142857142}
--> {"id":"a2","t":0.07692307692307693,"c":0.14285714285714285}
--> {"id":"a3","t":0.15384615384615385,"c":0.21428571428571427}
--> {"id":"a4","t":0.5384615384615384,"c":0.5714285714285714}
--> {"id":"a5","t":0.6153846153846154,"c":0.6428571428571429}
--> {"id":"a6","t":0.6923076923076923,"c":0.7142857142857143}
--> {"id":"b1","t":0.23076923076923078,"c":0.2857142857142857}
--> {"id":"b2","t":0.3076923076923077,"c":0.35714285714285715}
--> {"id":"b3","t":0.7692307692307693,"c":0.7857142857142857}
--> {"id":"c1","t":0.38461538461538464,"c":0.42857142857142855}
--> {"id":"c2","t":0.46153846153846156,"c":0.5}
--> {"id":"d1","t":0.8461538461538461,"c":0.8571428571428571}
--> {"id":"d2","t":0.9230769230769231,"c":0.9285714285714286}
--> {"id":"d3","t":1.0,"c":1.0}

-- nth_value, over, order by
select id, nth_value(id, 2) over (partition by source order by timestamp rows between unbounded preceding and unbounded following) as t from logs order by id
--> {"id":"a1","t":"a2"}
--> {"id":"a2","t":"a2"}
--> {"id":"a3","t":"a2"}
--> {"id":"a4","t":"a2"}
--> {"id":"a5","t":"a2"}
--> {"id":"a6","t":"a2"}
--> {"id":"b1","t":"b2"}
--> {"id":"b2","t":"b2"}
--> {"id":"b3","t":"b2"}
--> {"id":"c1","t":"c2"}
--> {"id":"c2","t":"c2"}
--> {"id":"d1","t":"d2"}
--> {"id":"d2","t":"d2"}
--> {"id":"d3","t":"d2"}

-- avg, toFloat64OrZero, max
select id, avg(toFloat64OrZero(log_attributes['response.origin_time'])) over w as a, max(timestamp) over w as m from logs where source='edge_logs' window w as (order by timestamp rows 2 preceding) order by id
--> {"id":"a1","a":12.0,"m":1739181600000000}
--> {"id":"a2","a":30.0,"m":1739181630000000}
--> {"id":"a3","a":21.666666666666668,"m":1739181670000000}
--> {"id":"a4","a":318.6666666666667,"m":1739182020250000}
--> {"id":"a5","a":313.6666666666667,"m":1739186100000000}
--> {"id":"a6","a":314.3333333333333,"m":1739231999999999}

-- toStartOfHour, sum, over
select toStartOfHour(timestamp) as h, count() as n, sum(count()) over (order by h) as running from logs group by h order by h
--> {"h":1739181600000000,"n":8,"running":8}
--> {"h":1739185200000000,"n":1,"running":9}
--> {"h":1739228400000000,"n":1,"running":10}
--> {"h":1739260800000000,"n":1,"running":11}
--> {"h":1743292800000000,"n":1,"running":12}
--> {"h":1743296400000000,"n":1,"running":13}
--> {"h":1767222000000000,"n":1,"running":14}

-- lagInFrame, toStartOfHour, over
select h, n, n - lagInFrame(n, 1, 0) over (order by h) as d from (select toStartOfHour(timestamp) as h, count() as n from logs group by h) order by h
--> {"h":1739181600000000,"n":8,"d":8}
--> {"h":1739185200000000,"n":1,"d":-7}
--> {"h":1739228400000000,"n":1,"d":0}
--> {"h":1739260800000000,"n":1,"d":0}
--> {"h":1743292800000000,"n":1,"d":0}
--> {"h":1743296400000000,"n":1,"d":0}
--> {"h":1767222000000000,"n":1,"d":0}

-- dateDiff, lagInFrame, over
select id, dateDiff('second', lagInFrame(timestamp, 1, timestamp) over (partition by source order by timestamp), timestamp) as gap from logs where source = 'edge_logs' order by id
--> {"id":"a1","gap":0}
--> {"id":"a2","gap":30}
--> {"id":"a3","gap":40}
--> {"id":"a4","gap":350}
--> {"id":"a5","gap":4080}
--> {"id":"a6","gap":45899}

-- sumIf, over, order by
select id, sumIf(1, severity_text='ERROR') over (order by timestamp) as e from logs order by timestamp
--> {"id":"a1","e":0}
--> {"id":"a2","e":0}
--> {"id":"a3","e":0}
--> {"id":"b1","e":0}
--> {"id":"b2","e":1}
--> {"id":"c1","e":1}
--> {"id":"c2","e":2}
--> {"id":"a4","e":3}
--> {"id":"a5","e":3}
--> {"id":"a6","e":3}
--> {"id":"b3","e":4}
--> {"id":"d1","e":4}
--> {"id":"d2","e":4}
--> {"id":"d3","e":4}

-- lag, lead, over
select id, lag(id) over (order by id) as p, lead(id) over (order by id) as n from logs order by id limit 3
--> {"id":"a1","p":"","n":"a2"}
--> {"id":"a2","p":"a1","n":"a3"}
--> {"id":"a3","p":"a2","n":"a4"}

-- limit by, order by
select source, id from logs order by timestamp limit 1 by source
--> {"source":"edge_logs","id":"a1"}
--> {"source":"postgres_logs","id":"b1"}
--> {"source":"auth_logs","id":"c1"}
--> {"source":"function_logs","id":"d1"}

-- limit by, order by
select source, id from logs order by source, timestamp desc limit 2 by source
--> {"source":"auth_logs","id":"c2"}
--> {"source":"auth_logs","id":"c1"}
--> {"source":"edge_logs","id":"a6"}
--> {"source":"edge_logs","id":"a5"}
--> {"source":"function_logs","id":"d3"}
--> {"source":"function_logs","id":"d2"}
--> {"source":"postgres_logs","id":"b3"}
--> {"source":"postgres_logs","id":"b2"}

-- limit by, order by
select source, id from logs order by source, timestamp limit 1 by source limit 2
--> {"source":"auth_logs","id":"c1"}
--> {"source":"edge_logs","id":"a1"}

-- limit by, order by
select source, severity_text, count() as c from logs group by source, severity_text order by source, c desc, severity_text limit 1 by source
--> {"source":"auth_logs","severity_text":"ERROR","c":1}
--> {"source":"edge_logs","severity_text":"INFO","c":4}
--> {"source":"function_logs","severity_text":"INFO","c":2}
--> {"source":"postgres_logs","severity_text":"ERROR","c":2}

-- order by
select id from logs order by timestamp desc limit 2 offset 1
--> {"id":"d2"}
--> {"id":"d1"}

-- order by
select id from logs order by timestamp limit 1, 2
--> {"id":"a2"}
--> {"id":"a3"}

-- order by
select top 2 id from logs order by id
--> {"id":"a1"}
--> {"id":"a2"}

-- order by
select id from logs order by id offset 12 rows fetch next 2 rows only
--> {"id":"d2"}
--> {"id":"d3"}

-- with, order by
select * from (select source, count() c from logs group by source with totals) order by source
--> {"source":"auth_logs","c":2}
--> {"source":"edge_logs","c":6}
--> {"source":"function_logs","c":3}
--> {"source":"postgres_logs","c":3}

-- rollup, order by
select source, severity_text, count() as c from logs group by rollup(source, severity_text) order by source, severity_text, c
--> {"source":"","severity_text":"","c":14}
--> {"source":"auth_logs","severity_text":"","c":2}
--> {"source":"auth_logs","severity_text":"ERROR","c":1}
--> {"source":"auth_logs","severity_text":"INFO","c":1}
--> {"source":"edge_logs","severity_text":"","c":6}
--> {"source":"edge_logs","severity_text":"ERROR","c":1}
--> {"source":"edge_logs","severity_text":"INFO","c":4}
--> {"source":"edge_logs","severity_text":"WARN","c":1}
--> {"source":"function_logs","severity_text":"","c":1}
--> {"source":"function_logs","severity_text":"","c":3}
--> {"source":"function_logs","severity_text":"INFO","c":2}
--> {"source":"postgres_logs","severity_text":"","c":3}
--> {"source":"postgres_logs","severity_text":"ERROR","c":2}
--> {"source":"postgres_logs","severity_text":"LOG","c":1}

-- with, order by
select source, severity_text, count() as c from logs group by source, severity_text with rollup order by source, severity_text, c
--> {"source":"","severity_text":"","c":14}
--> {"source":"auth_logs","severity_text":"","c":2}
--> {"source":"auth_logs","severity_text":"ERROR","c":1}
--> {"source":"auth_logs","severity_text":"INFO","c":1}
--> {"source":"edge_logs","severity_text":"","c":6}
--> {"source":"edge_logs","severity_text":"ERROR","c":1}
--> {"source":"edge_logs","severity_text":"INFO","c":4}
--> {"source":"edge_logs","severity_text":"WARN","c":1}
--> {"source":"function_logs","severity_text":"","c":1}
--> {"source":"function_logs","severity_text":"","c":3}
--> {"source":"function_logs","severity_text":"INFO","c":2}
--> {"source":"postgres_logs","severity_text":"","c":3}
--> {"source":"postgres_logs","severity_text":"ERROR","c":2}
--> {"source":"postgres_logs","severity_text":"LOG","c":1}

-- cube, order by
select source, severity_text, count() as c from logs group by cube(source, severity_text) order by source, severity_text, c
--> {"source":"","severity_text":"","c":1}
--> {"source":"","severity_text":"","c":14}
--> {"source":"","severity_text":"ERROR","c":4}
--> {"source":"","severity_text":"INFO","c":7}
--> {"source":"","severity_text":"LOG","c":1}
--> {"source":"","severity_text":"WARN","c":1}
--> {"source":"auth_logs","severity_text":"","c":2}
--> {"source":"auth_logs","severity_text":"ERROR","c":1}
--> {"source":"auth_logs","severity_text":"INFO","c":1}
--> {"source":"edge_logs","severity_text":"","c":6}
--> {"source":"edge_logs","severity_text":"ERROR","c":1}
--> {"source":"edge_logs","severity_text":"INFO","c":4}
--> {"source":"edge_logs","severity_text":"WARN","c":1}
--> {"source":"function_logs","severity_text":"","c":1}
--> {"source":"function_logs","severity_text":"","c":3}
--> {"source":"function_logs","severity_text":"INFO","c":2}
--> {"source":"postgres_logs","severity_text":"","c":3}
--> {"source":"postgres_logs","severity_text":"ERROR","c":2}
--> {"source":"postgres_logs","severity_text":"LOG","c":1}

-- sets, order by
select source, severity_text, count() as c from logs group by grouping sets ((source), (severity_text), ()) order by source, severity_text, c
--> {"source":"","severity_text":"","c":1}
--> {"source":"","severity_text":"","c":14}
--> {"source":"","severity_text":"ERROR","c":4}
--> {"source":"","severity_text":"INFO","c":7}
--> {"source":"","severity_text":"LOG","c":1}
--> {"source":"","severity_text":"WARN","c":1}
--> {"source":"auth_logs","severity_text":"","c":2}
--> {"source":"edge_logs","severity_text":"","c":6}
--> {"source":"function_logs","severity_text":"","c":3}
--> {"source":"postgres_logs","severity_text":"","c":3}

-- grouping, sets, order by
select source, grouping(source) as g, count() as c from logs group by grouping sets ((source), ()) order by g, source
--> {"source":"auth_logs","g":0,"c":2}
--> {"source":"edge_logs","g":0,"c":6}
--> {"source":"function_logs","g":0,"c":3}
--> {"source":"postgres_logs","g":0,"c":3}
--> {"source":"","g":1,"c":14}

-- order by
select source, count() from logs group by all order by all
--> {"source":"auth_logs","count()":2}
--> {"source":"edge_logs","count()":6}
--> {"source":"function_logs","count()":3}
--> {"source":"postgres_logs","count()":3}

-- order by
select count(), source as s from logs group by s order by 1 desc, 2
--> {"count()":6,"s":"edge_logs"}
--> {"count()":3,"s":"function_logs"}
--> {"count()":3,"s":"postgres_logs"}
--> {"count()":2,"s":"auth_logs"}

-- a plain query
select count() from logs where source in (select source from logs where severity_text='ERROR')
--> {"count()":11}

-- max
select (select count() from logs) as n, (select max(timestamp) from logs) as m
--> {"n":14,"m":1767223800000000}

-- min, order by
select source, count() as n from logs where timestamp > (select min(timestamp) from logs) + interval 1 hour group by source order by source
--> {"source":"edge_logs","n":2}
--> {"source":"function_logs","n":3}
--> {"source":"postgres_logs","n":1}

-- all, union all, order by
(select id from logs where source='edge_logs' order by id limit 1) union all (select id from logs where source='auth_logs' order by id limit 1)
--> {"id":"a1"}
--> {"id":"c1"}

-- union all, order by
select x from (select 1 as x union all select 2 as x union all select 2 as x) order by x
--> {"x":1}
--> {"x":2}
--> {"x":2}

-- distinct
select x from (select 1 as x union distinct select 1 as x)
--> {"x":1}

-- order by
select id from logs where source='edge_logs' intersect select id from logs where severity_text='INFO' order by id
--> {"id":"a1"}
--> {"id":"a2"}
--> {"id":"a5"}
--> {"id":"a6"}

-- order by
select id from logs where source='edge_logs' except select id from logs where severity_text='INFO' order by id
--> {"id":"a3"}
--> {"id":"a4"}

-- with, order by
with e as (select * from logs where severity_text='ERROR') select source, count() as n from e group by source order by source
--> {"source":"auth_logs","n":1}
--> {"source":"edge_logs","n":1}
--> {"source":"postgres_logs","n":2}

-- with, order by
with 5 as k select id from logs order by id limit 2
--> {"id":"a1"}
--> {"id":"a2"}

-- with
with 'edge_logs' as s select count() from logs where source = s
--> {"count()":6}

-- toStartOfHour, with, order by
with toStartOfHour(timestamp) as h select h, count() from logs group by h order by h
--> {"h":1739181600000000,"count()":8}
--> {"h":1739185200000000,"count()":1}
--> {"h":1739228400000000,"count()":1}
--> {"h":1739260800000000,"count()":1}
--> {"h":1743292800000000,"count()":1}
--> {"h":1743296400000000,"count()":1}
--> {"h":1767222000000000,"count()":1}

-- join, with
with x as (select 1 as a), y as (select a + 1 as b from x) select a, b from x cross join y
--> {"a":1,"b":2}

-- union all, with, order by
with recursive t as (select 1 as n union all select n + 1 from t where n < 4) select n from t order by n
--> {"n":1}
--> {"n":2}
--> {"n":3}
--> {"n":4}

-- join, order by
select a.id as i, b.id as j from logs as a join logs as b on a.log_attributes['parsed.session_id'] = b.log_attributes['parsed.session_id'] where a.source='postgres_logs' and b.source='postgres_logs' order by i, j
--> {"i":"b1","j":"b1"}
--> {"i":"b1","j":"b2"}
--> {"i":"b2","j":"b1"}
--> {"i":"b2","j":"b2"}
--> {"i":"b3","j":"b3"}

-- join, using, join
select a.source, b.n from (select distinct source from logs) as a left join (select source, count() as n from logs where severity_text='ERROR' group by source) as b using (source) order by a.source
--> {"source":"auth_logs","n":1}
--> {"source":"edge_logs","n":1}
--> {"source":"function_logs","n":0}
--> {"source":"postgres_logs","n":2}

-- join, using, join
select s, n, m from (select source as s, count() as n from logs group by s) as x full join (select 'zzz' as s, 7 as m) as y using (s) order by s
--> {"s":"auth_logs","n":2,"m":0}
--> {"s":"edge_logs","n":6,"m":0}
--> {"s":"function_logs","n":3,"m":0}
--> {"s":"postgres_logs","n":3,"m":0}
--> {"s":"zzz","n":0,"m":7}

-- join, join, order by
select a.id from logs as a left anti join (select id from logs where severity_text='INFO') as b on a.id=b.id order by a.id
--> {"id":"a3"}
--> {"id":"a4"}
--> {"id":"b1"}
--> {"id":"b2"}
--> {"id":"b3"}
--> {"id":"c2"}
--> {"id":"d3"}

-- join, join, order by
select a.id from logs as a left semi join (select id from logs where severity_text='INFO') as b on a.id=b.id order by a.id
--> {"id":"a1"}
--> {"id":"a2"}
--> {"id":"a5"}
--> {"id":"a6"}
--> {"id":"c1"}
--> {"id":"d1"}
--> {"id":"d2"}

-- a plain query
select count() from logs a, logs b where a.id = b.id
--> {"count()":14}

-- join
select count() from logs a inner join logs b using id
--> {"count()":14}

-- exists
select exists(select 1 from logs where id='a1') as e
--> {"e":true}

-- order by
select * from (select source, count() as n from logs group by source) order by n desc, source limit 2
--> {"source":"edge_logs","n":6}
--> {"source":"function_logs","n":3}

-- a plain query
select count() from (select source, id from logs limit 3)
--> {"count()":3}

-- numbers
select number from numbers(3)
--> {"number":0}
--> {"number":1}
--> {"number":2}

-- numbers, order by
select number, number % 2 = 0 as even from numbers(2, 3) order by number
--> {"number":2,"even":true}
--> {"number":3,"even":false}
--> {"number":4,"even":true}

-- toDateTime, numbers
select toDateTime('2025-01-01 00:00:00') + number * 3600 as h from numbers(3)
--> {"h":1735689600000000}
--> {"h":1735693200000000}
--> {"h":1735696800000000}

-- countIf, arrayJoin, order by
select h, countIf(1) from (select arrayJoin([1,1,2]) as h) group by h order by h
--> {"h":1,"countIf(1)":2}
--> {"h":2,"countIf(1)":1}

-- order by
select * from values('a String, b Int32', ('x', 1), ('y', 2)) order by a
--> {"a":"x","b":1}
--> {"a":"y","b":2}

-- t
select * from (values (1, 'x'), (2, 'y')) as t(a, b)
--> {"a":1,"b":"x"}
--> {"a":2,"b":"y"}

-- except, order by
select * except (log_attributes, event_message, timestamp) from logs order by id limit 1
--> {"id":"a1","severity_text":"INFO","source":"edge_logs"}

-- columns
select columns('^s') from logs where id='a1'
--> {"severity_text":"INFO","source":"edge_logs"}

-- uniqExact, uniqIf, distinct
select count(distinct source) as a, uniqExact(source, severity_text) as b, uniqIf(source, severity_text='ERROR') as c from logs
--> {"a":4,"b":9,"c":3}

-- sum, avg, min, max, any
select sum(1) as s, avg(2) as a, min(id) as mi, max(id) as ma, any(1) as an from logs where id='none'
--> {"s":0,"a":null,"mi":"","ma":"","an":0}

-- max, min, avg, quantile, groupArray
select max(timestamp) as m, min(source) as s, avg(1) as a, quantile(0.5)(1) as q, groupArray(id) as g, uniq(id) as u from logs where id='none'
--> {"m":0,"s":"","a":null,"q":null,"g":[],"u":0}

-- sumOrNull, maxOrNull, avgOrDefault
select sumOrNull(1) as s, maxOrNull(1) as m, avgOrDefault(1) as a from logs where id='none'
--> {"s":null,"m":null,"a":0.0}

-- filter, sum
select count(*) filter (where severity_text='ERROR') as e, sum(1) filter(where source='edge_logs') as s from logs
--> {"e":4,"s":6}

-- anyLast
select anyLast(id) as l from logs where source='function_logs'
--> {"l":"d3"}

-- groupBitOr, toUInt8, groupBitXor, numbers
select groupBitOr(toUInt8(1)) as g, groupBitXor(number) as x from numbers(5)
--> {"g":1,"x":4}

-- avgWeighted, numbers
select avgWeighted(number, number) as a from numbers(5)
--> {"a":3.0}

-- first_value, last_value, order by
select first_value(id) as f, last_value(id) as l from (select id from logs order by timestamp)
--> {"f":"a1","l":"d3"}

-- sumIf, toInt64OrZero, avgIf, toFloat64OrZero, maxIf
select sumIf(toInt64OrZero(log_attributes['response.origin_time']), log_attributes['request.method']='GET') as s, avgIf(toFloat64OrZero(log_attributes['response.origin_time']), log_attributes['request.method']='GET') as a, maxIf(id, severity_text='ERROR') as m, argMaxIf(id, timestamp, source='auth_logs') as g from logs
--> {"s":927,"a":231.75,"m":"c2","g":"c2"}

-- countIf, not
select countIf(not (severity_text='INFO')) as c, countIf(severity_text like 'E%' and source ilike 'EDGE%') as d from logs
--> {"c":7,"d":1}

-- sumDistinct, countDistinct, arrayJoin
select sumDistinct(x) as s, countDistinct(x) as c from (select arrayJoin([1,1,2]) as x)
--> {"s":3,"c":2}

-- upper, lower, length, lengthUTF8, reverse
select upper('abc') as a, lower('ABC') as b, length('häß') as c, lengthUTF8('häß') as d, reverse('abc') as e
--> {"a":"ABC","b":"abc","c":5,"d":3,"e":"cba"}

-- substring, left, right
select substring('hello', 2, 3) as a, substring('hello', -3) as b, left('hello', 2) as c, right('hello', 2) as d, substring('hello', 10) as e
--> {"a":"ell","b":"llo","c":"he","d":"lo","e":""}

-- position, positionCaseInsensitive, locate
select position('hello','l') as a, positionCaseInsensitive('HeLLo','l') as b, locate('l','hello') as c, position('l' in 'hello') as d
--> {"a":3,"b":3,"c":3,"d":3}

-- startsWith, endsWith, like, ilike, match
select startsWith('abc','a') as a, endsWith('abc','c') as b, like('abc','a%') as c, ilike('ABC','a%') as d, match('abc','^a.c$') as e
--> {"a":true,"b":true,"c":true,"d":true,"e":true}

-- replaceAll, replaceOne, replaceRegexpAll, replaceRegexpOne
select replaceAll('aXbX','X','-') as a, replaceOne('aXbX','X','-') as b, replaceRegexpAll('a1b2','[0-9]','#') as c, replaceRegexpOne('a1b2','[0-9]','#') as d
--> {"a":"a-b-","b":"a-bX","c":"a#b#","d":"a#b2"}

-- replaceRegexpAll
select replaceRegexpAll('hello world', '(\\w+) (\\w+)', '\\2 \\1') as r
--> {"r":"world hello"}

-- extract, extractAll, extractGroups
select extract('abc123','[0-9]+') as a, extractAll('a1b22','[0-9]+') as b, extractGroups('a=1','(\\w)=(\\d)') as c
--> {"a":"123","b":["1","22"],"c":["a","1"]}

-- extractAllGroups, extractAllGroupsHorizontal
select extractAllGroups('a=1,b=2','(\\w)=(\\d)') as v, extractAllGroupsHorizontal('a=1,b=2','(\\w)=(\\d)') as h
--> {"v":[["a","1"],["b","2"]],"h":[["a","b"],["1","2"]]}

-- splitByRegexp, splitByWhitespace, alphaTokens, splitByNonAlpha, tokens
select splitByRegexp('[,;]', 'a,b;c') as a, splitByWhitespace(' a  b ') as b, alphaTokens('a1b') as c, splitByNonAlpha('a,b c') as d, tokens('a-b c') as e
--> {"a":["a","b","c"],"b":["a","b"],"c":["a","b"],"d":["a","b","c"],"e":["a","b","c"]}

-- trim, ltrim, rtrim
select trim('  a ') as a, ltrim('  a') as b, rtrim('a  ') as c, trim(both 'x' from 'xax') as d, trim(leading 'x' from 'xax') as e, trim(trailing 'x' from 'xax') as f
--> {"a":"a","b":"a","c":"a","d":"a","e":"ax","f":"xa"}

-- concat, concatWithSeparator
select concat('a', 1, 'b', 2.5) as c, 'a' || 'b' as d, concatWithSeparator('-', 'a', 'b') as e
--> {"c":"a1b2.5","d":"ab","e":"a-b"}

-- format
select format('{} is {}', 'a', 'b') as f, format('{1}{0}', 'a', 'b') as g
--> {"f":"a is b","g":"ba"}

-- lpad, rpad, leftPad, repeat, space
select lpad('7', 3, '0') as a, rpad('7', 3, '0') as b, leftPad('7', 3, '0') as c, repeat('ab', 3) as d, space(2) as e
--> {"a":"007","b":"700","c":"007","d":"ababab","e":"  "}

-- domain, domainWithoutWWW, path, protocol, queryString
select domain('https://www.example.com:8080/p?q=1#f') as a, domainWithoutWWW('https://www.example.com/p') as b, path('https://e.com/p/q?x=1') as c, protocol('https://e.com') as d, queryString('https://e.com/p?x=1&y=2') as e
--> {"a":"www.example.com","b":"example.com","c":"/p/q","d":"https","e":"x=1&y=2"}

-- extractURLParameter, extractURLParameters, extractURLParameterNames, cutURLParameter
select extractURLParameter('https://e.com/?x=1&y=2','y') as a, extractURLParameters('https://e.com/?x=1&y=2') as b, extractURLParameterNames('https://e.com/?x=1&y=2') as c, cutURLParameter('https://e.com/?x=1&y=2','x') as d
--> {"a":"2","b":["x=1","y=2"],"c":["x","y"],"d":"https://e.com/?y=2"}

-- encodeURLComponent, decodeURLComponent, encodeURLFormComponent
select encodeURLComponent('a b&c') as a, decodeURLComponent('a%20b') as b, encodeURLFormComponent('a b') as c
--> {"a":"a%20b%26c","b":"a b","c":"a+b"}

-- countSubstrings, countMatches, multiSearchAny, multiSearchFirstIndex, multiSearchFirstPosition
select countSubstrings('aaa','a') as a, countMatches('a1b2','[0-9]') as b, multiSearchAny('abc',['x','b']) as c, multiSearchFirstIndex('abc',['x','b']) as d, multiSearchFirstPosition('abc',['x','b']) as e, multiSearchAllPositions('abc',['c','a']) as f
--> {"a":3,"b":2,"c":true,"d":2,"e":2,"f":[3,1]}

-- hasToken, hasTokenCaseInsensitive
select hasToken('a b c','b') as a, hasTokenCaseInsensitive('A B','b') as b, hasToken('ab','b') as c
--> {"a":true,"b":true,"c":false}

-- a plain query
select 'abc' like 'a_c' as a, 'abc' not like '%d%' as b, 'ABC' ilike '%b%' as c, 'a%c' like 'a\\%c' as d, 'a_c' like 'a\\_c' as e
--> {"a":true,"b":true,"c":true,"d":true,"e":true}

-- a plain query
select 'abc' in ('abc','d') as a, 3 not in (1,2) as b, 'x' = 'X' as c, 'a' < 'b' as d, 5 between 1 and 5 as e, 7 not between 1 and 5 as f
--> {"a":true,"b":true,"c":false,"d":true,"e":true,"f":true}

-- extractKeyValuePairs
select extractKeyValuePairs('a:1, b:2') as k
--> {"k":[{"a":"1","b":"2"}]}

-- extractKeyValuePairs
select extractKeyValuePairs('method=GET path=/x status=200', '=', ' ') as k
--> {"k":[{"method":"GET","path":"/x","status":"200"}]}

-- substringIndex, splitByChar
select substringIndex('a.b.c','.',2) as a, substringIndex('a.b.c','.',-1) as b, splitByChar('.', 'a.b.c')[-1] as c
--> {"a":"a.b","b":"c","c":"c"}

-- toDateTime, toDate, toDateTime64
select toDateTime('2025-02-10 10:20:30') as a, toDate('2025-02-10') as b, toDateTime64('2025-02-10 10:20:30.123', 3) as c, toDateTime('2025-02-10 10:20:30', 'America/New_York') as d
--> {"a":1739182830000000,"b":"2025-02-10","c":1739182830123000,"d":1739200830000000}

-- dateName, toDate, monthName
select dateName('weekday', toDate('2025-02-10')) as a, monthName(toDate('2025-02-10')) as b, dateName('month', toDate('2025-02-10')) as c, dateName('year', toDate('2025-02-10')) as d
--> {"a":"Monday","b":"February","c":"February","d":"2025"}

-- addHours, toDateTime, subtractDays, toDate, addMonths
select addHours(toDateTime('2025-02-10 10:20:30'), 3) as a, subtractDays(toDate('2025-02-10'), 1) as b, addMonths(toDate('2025-01-31'), 1) as c, addWeeks(toDate('2025-02-10'), 1) as d, subtractMinutes(toDateTime('2025-02-10 10:20:30'), 21) as e, addYears(toDate('2024-02-29'), 1) as f, addQuarters(toDate('2025-02-10'), 1) as g
--> {"a":1739193630000000,"b":"2025-02-09","c":"2025-02-28","d":"2025-02-17","e":1739181570000000,"f":"2025-02-28","g":"2025-05-10"}

-- toDateTime, toDate
select toDateTime('2025-02-10 10:20:30') + interval 1 month as a, toDateTime('2025-02-10 10:20:30') - interval 2 week as b, toDate('2025-02-10') + interval 1 hour as c, toDate('2025-02-10') + 3 as d, toDateTime('2025-02-10 10:20:30') - 30 as e
--> {"a":1741602030000000,"b":1737973230000000,"c":1739149200000000,"d":"2025-02-13","e":1739182800000000}

-- toUnixTimestamp, toDateTime, toUnixTimestamp64Milli, fromUnixTimestamp, fromUnixTimestamp64Milli
select toUnixTimestamp(toDateTime('2025-02-10 10:20:30')) as a, toUnixTimestamp64Milli(timestamp) as b, fromUnixTimestamp(1739182830) as c, fromUnixTimestamp64Milli(toInt64(1739182830123)) as d from logs where id='a4'
--> {"a":1739182830,"b":1739182020250,"c":1739182830000000,"d":1739182830123000}

-- toYYYYMM, toYYYYMMDD, toYYYYMMDDhhmmss, toISOWeek, toWeek
select toYYYYMM(timestamp) as a, toYYYYMMDD(timestamp) as b, toYYYYMMDDhhmmss(timestamp) as c, toISOWeek(timestamp) as d, toWeek(timestamp) as e, toQuarter(timestamp) as f, toDayOfWeek(timestamp) as g, toDayOfYear(timestamp) as h from logs where id='a1'
--> {"a":202502,"b":20250210,"c":20250210100000,"d":7,"e":6,"f":1,"g":1,"h":41}

-- date_trunc, dateTrunc
select date_trunc('hour', timestamp) as a, dateTrunc('day', timestamp) as b, date_trunc('week', timestamp) as c, date_trunc('month', timestamp) as d, date_trunc('minute', timestamp, 'Asia/Tokyo') as e from logs where id='a4'
--> {"a":1739181600000000,"b":1739145600000000,"c":"2025-02-10","d":"2025-02-01","e":1739182020000000}

-- age, toDateTime, dateDiff, timestampDiff
select age('hour', toDateTime('2025-02-10 10:59:00'), toDateTime('2025-02-10 12:00:00')) as a, dateDiff('hour', toDateTime('2025-02-10 10:59:00'), toDateTime('2025-02-10 12:00:00')) as b, timestampDiff(hour, toDateTime('2025-02-10 10:59:00'), toDateTime('2025-02-10 12:00:00')) as c
--> {"a":1,"b":2,"c":2}

-- dateAdd, toDateTime, date_add, toDate, dateSub
select dateAdd(hour, 2, toDateTime('2025-02-10 10:00:00')) as a, date_add(day, 1, toDate('2025-02-10')) as b, dateSub(minute, 5, toDateTime('2025-02-10 10:00:00')) as c, timestamp_add(toDateTime('2025-02-10 10:00:00'), interval 1 day) as d
--> {"a":1739188800000000,"b":"2025-02-11","c":1739181300000000,"d":1739268000000000}

-- extract
select extract(hour from timestamp) as a, extract(dow from timestamp) as b, extract(epoch from timestamp) as c, extract(year from timestamp) as d from logs where id='a1'
--> {"a":10,"b":1,"c":1739181600,"d":2025}

-- order by
select timestamp >= '2025-02-10 10:05:00' as a, timestamp = '2025-02-10 10:00:00' as b, timestamp between '2025-02-10 00:00:00' and '2025-02-11 00:00:00' as c, id from logs order by id
--> {"a":false,"b":true,"c":true,"id":"a1"}
--> {"a":false,"b":false,"c":true,"id":"a2"}
--> {"a":false,"b":false,"c":true,"id":"a3"}
--> {"a":true,"b":false,"c":true,"id":"a4"}
--> {"a":true,"b":false,"c":true,"id":"a5"}
--> {"a":true,"b":false,"c":true,"id":"a6"}
--> {"a":false,"b":false,"c":true,"id":"b1"}
--> {"a":false,"b":false,"c":true,"id":"b2"}
--> {"a":true,"b":false,"c":false,"id":"b3"}
--> {"a":false,"b":false,"c":true,"id":"c1"}
--> {"a":false,"b":false,"c":true,"id":"c2"}
--> {"a":true,"b":false,"c":false,"id":"d1"}
--> {"a":true,"b":false,"c":false,"id":"d2"}
--> {"a":true,"b":false,"c":false,"id":"d3"}

-- toDateTime64, parseDateTimeBestEffort
select count() from logs where timestamp >= toDateTime64('2025-02-10 10:00:30', 3) and timestamp < parseDateTimeBestEffort('2025-02-10T12:00:00Z')
--> {"count()":8}

-- toDate
select count() from logs where toDate(timestamp) = '2025-02-10'
--> {"count()":10}

-- toDateTime
select count() from logs where timestamp > toDateTime('2025-02-10 10:02:00') - interval 90 second
--> {"count()":12}

-- toStartOfInterval, toStartOfMillisecond, toMillisecond
select toStartOfInterval(timestamp, interval 250 millisecond) as a, toStartOfMillisecond(timestamp) as b, toMillisecond(timestamp) as c from logs where id='a4'
--> {"a":1739182020250000,"b":1739182020250000,"c":250}

-- toDateTime, toDate
select toDateTime('1969-12-31 23:00:00') as a, toDate('1960-01-01') as b, toDateTime('2110-01-01 00:00:00') as c, toDate('2200-01-01') as d
--> {"a":0,"b":"1970-01-01","c":4294967295000000,"d":"2149-06-06"}

-- toDateTime64, toDate32
select toDateTime64('1890-01-01 00:00:00', 3) as a, toDateTime64('2310-01-01 00:00:00', 3) as b, toDate32('1890-01-01') as c
--> {"a":-2524521600000000,"b":10729324800000000,"c":"1890-01-01"}

-- toDateTime, toDate
select toDateTime(-5) as a, toDateTime(4294967297) as b, toDate(70000) as c, toDate(-1) as d
--> {"a":0,"b":4294967295000000,"c":"1970-01-01","d":"1970-01-01"}

-- dateDiff, toDate, toDateTime64
select dateDiff('day', toDate('2025-02-10'), toDate('2025-03-10')) as a, dateDiff('week', toDate('2025-02-09'), toDate('2025-02-10')) as b, dateDiff('quarter', toDate('2025-01-01'), toDate('2025-04-01')) as c, dateDiff('millisecond', toDateTime64('2025-02-10 10:00:00.000',3), toDateTime64('2025-02-10 10:00:00.500',3)) as d
--> {"a":28,"b":1,"c":1,"d":500}

-- intDiv
select 1/0 as a, -1/0 as b, 0/0 as c, intDiv(7,2) as d, 7 % 3 as e, -7 % 3 as f, 7.5 % 2 as g, intDiv(-7, 2) as h
--> {"a":"Infinity","b":"-Infinity","c":null,"d":3,"e":1,"f":-1,"g":1.5,"h":-3}

-- arrayJoin, order by
select x from (select arrayJoin([1, 0/0, 2, 1/0, -1/0]) as x) order by x
--> {"x":"-Infinity"}
--> {"x":1.0}
--> {"x":2.0}
--> {"x":"Infinity"}
--> {"x":null}

-- arrayJoin, order by
select x from (select arrayJoin([1, 0/0, 2]) as x) order by x desc
--> {"x":2.0}
--> {"x":1.0}
--> {"x":null}

-- arrayJoin, order by
select x, count() as c from (select arrayJoin([0/0, 0/0, 1]) as x) group by x order by x
--> {"x":1.0,"c":1}
--> {"x":null,"c":2}

-- toInt8, toUInt8, toInt32, toInt64OrNull, toInt32OrZero
select toInt8(200) as a, toUInt8(-1) as b, toInt32('12') as c, toInt64OrNull('x') as d, toInt32OrZero('x') as e, toUInt64OrDefault('x', toUInt64(7)) as f, toFloat64('1.5') as g, toFloat64OrNull('x') as h, toInt32(1.9) as i, toInt32(-1.9) as j
--> {"a":-56,"b":255,"c":12,"d":null,"e":0,"f":7,"g":1.5,"h":null,"i":1,"j":-1}

-- xor
select 1 + 2 * 3 as a, (1 + 2) * 3 as b, 5 - -3 as c, -(-2) as d, 1 = 1 as e, 1 != 2 as f, not 1 as g, 1 and 0 as h, 1 or 0 as i, xor(1, 1) as j
--> {"a":7,"b":9,"c":8,"d":2,"e":true,"f":true,"g":false,"h":false,"i":true,"j":false}

-- coalesce, ifNull, nullIf, isNull, assumeNotNull
select coalesce(null, 1) as a, ifNull(null, 2) as b, nullIf(1, 1) as c, isNull(null) as d, assumeNotNull(1) as e, null = null as f, null and 0 as g, 1 + null as h
--> {"a":1,"b":2,"c":null,"d":true,"e":1,"f":null,"g":false,"h":null}

-- if, multiIf, transform
select if(1 > 2, 'a', 'b') as a, 1 > 2 ? 'a' : 'b' as b, multiIf(0, 1, 1, 2, 3) as c, case 2 when 1 then 'x' when 2 then 'y' end as d, case when 0 then 1 end as e, transform(2, [1,2], ['a','b'], 'z') as f
--> {"a":"b","b":"b","c":2,"d":"y","e":null,"f":"b"}

-- greatest, least, clamp, max2, width_bucket
select greatest(1, 2, 3) as a, least('b','a') as b, clamp(10, 1, 5) as c, max2(1, 2) as d, width_bucket(5, 0, 10, 2) as e
--> {"a":3,"b":"a","c":5,"d":2,"e":2}

-- toBool, toString, toInt32
select toBool('true') as a, true as b, false or true as c, toString(true) as d, toInt32(true) as e
--> {"a":true,"b":true,"c":true,"d":"true","e":1}

-- plus, minus, multiply, divide, modulo
select plus(1,2) as a, minus(3,1) as b, multiply(2,3) as c, divide(1,2) as d, modulo(7,3) as e, negate(5) as f, intDivOrZero(1,0) as g, moduloOrZero(1,0) as h, positiveModulo(-1, 3) as i, divideOrNull(1,0) as j
--> {"a":3,"b":2,"c":6,"d":0.5,"e":1,"f":-5,"g":0,"h":0,"i":2,"j":null}

-- a plain query
select 1 as x, x + 1 as y, y * 2 as z
--> {"x":1,"y":2,"z":4}

-- a plain query
select 'it''s' as a, 'a\'b' as b, 'tab\there' as c, 'uni\u00e9' as d, $$raw 'x'$$ as e, "id" as f from logs where id = 'a1'
--> {"a":"it's","b":"a'b","c":"tab\there","d":"uni\\u00e9","e":"raw 'x'","f":"a1"}

-- toStartOfHour, with fill, with
select toStartOfHour(timestamp) as h, source, count() as c from logs where source in ('edge_logs','auth_logs') and timestamp < '2025-02-11' group by h, source order by source, h with fill step interval 1 hour
--> {"h":1739181600000000,"source":"auth_logs","c":2}
--> {"h":1739181600000000,"source":"edge_logs","c":4}
--> {"h":1739185200000000,"source":"edge_logs","c":1}
--> {"h":1739188800000000,"source":"edge_logs","c":0}
--> {"h":1739192400000000,"source":"edge_logs","c":0}
--> {"h":1739196000000000,"source":"edge_logs","c":0}
--> {"h":1739199600000000,"source":"edge_logs","c":0}
--> {"h":1739203200000000,"source":"edge_logs","c":0}
--> {"h":1739206800000000,"source":"edge_logs","c":0}
--> {"h":1739210400000000,"source":"edge_logs","c":0}
--> {"h":1739214000000000,"source":"edge_logs","c":0}
--> {"h":1739217600000000,"source":"edge_logs","c":0}
--> {"h":1739221200000000,"source":"edge_logs","c":0}
--> {"h":1739224800000000,"source":"edge_logs","c":0}
--> {"h":1739228400000000,"source":"edge_logs","c":1}

-- toStartOfHour, with fill, with
select source, toStartOfHour(timestamp) as h, count() as c from logs where source in ('edge_logs','auth_logs') group by source, h order by source, h with fill step 3600
--> {"source":"auth_logs","h":1739181600000000,"c":2}
--> {"source":"edge_logs","h":1739181600000000,"c":4}
--> {"source":"edge_logs","h":1739185200000000,"c":1}
--> {"source":"edge_logs","h":1739188800000000,"c":0}
--> {"source":"edge_logs","h":1739192400000000,"c":0}
--> {"source":"edge_logs","h":1739196000000000,"c":0}
--> {"source":"edge_logs","h":1739199600000000,"c":0}
--> {"source":"edge_logs","h":1739203200000000,"c":0}
--> {"source":"edge_logs","h":1739206800000000,"c":0}
--> {"source":"edge_logs","h":1739210400000000,"c":0}
--> {"source":"edge_logs","h":1739214000000000,"c":0}
--> {"source":"edge_logs","h":1739217600000000,"c":0}
--> {"source":"edge_logs","h":1739221200000000,"c":0}
--> {"source":"edge_logs","h":1739224800000000,"c":0}
--> {"source":"edge_logs","h":1739228400000000,"c":1}

-- toStartOfHour, with fill, with
select toStartOfHour(timestamp) as h, source, count() as c from logs where source='edge_logs' group by h, source order by h with fill step 3600, source
--> {"h":1739181600000000,"source":"edge_logs","c":4}
--> {"h":1739185200000000,"source":"edge_logs","c":1}
--> {"h":1739188800000000,"source":"","c":0}
--> {"h":1739192400000000,"source":"","c":0}
--> {"h":1739196000000000,"source":"","c":0}
--> {"h":1739199600000000,"source":"","c":0}
--> {"h":1739203200000000,"source":"","c":0}
--> {"h":1739206800000000,"source":"","c":0}
--> {"h":1739210400000000,"source":"","c":0}
--> {"h":1739214000000000,"source":"","c":0}
--> {"h":1739217600000000,"source":"","c":0}
--> {"h":1739221200000000,"source":"","c":0}
--> {"h":1739224800000000,"source":"","c":0}
--> {"h":1739228400000000,"source":"edge_logs","c":1}

-- toStartOfMinute, toDateTime, with fill
select toStartOfMinute(timestamp) as m, count() as c from logs where source='edge_logs' and timestamp < '2025-02-10 10:10:00' group by m order by m asc with fill from toDateTime('2025-02-10 09:58:00') to toDateTime('2025-02-10 10:12:00') step 60
--> {"m":1739181480000000,"c":0}
--> {"m":1739181540000000,"c":0}
--> {"m":1739181600000000,"c":2}
--> {"m":1739181660000000,"c":1}
--> {"m":1739181720000000,"c":0}
--> {"m":1739181780000000,"c":0}
--> {"m":1739181840000000,"c":0}
--> {"m":1739181900000000,"c":0}
--> {"m":1739181960000000,"c":0}
--> {"m":1739182020000000,"c":1}
--> {"m":1739182080000000,"c":0}
--> {"m":1739182140000000,"c":0}
--> {"m":1739182200000000,"c":0}
--> {"m":1739182260000000,"c":0}

-- toStartOfHour, with fill, with
select toStartOfHour(timestamp) as h, count() as c from logs where source='edge_logs' group by h order by h desc with fill step -3600
--> {"h":1739228400000000,"c":1}
--> {"h":1739224800000000,"c":0}
--> {"h":1739221200000000,"c":0}
--> {"h":1739217600000000,"c":0}
--> {"h":1739214000000000,"c":0}
--> {"h":1739210400000000,"c":0}
--> {"h":1739206800000000,"c":0}
--> {"h":1739203200000000,"c":0}
--> {"h":1739199600000000,"c":0}
--> {"h":1739196000000000,"c":0}
--> {"h":1739192400000000,"c":0}
--> {"h":1739188800000000,"c":0}
--> {"h":1739185200000000,"c":1}
--> {"h":1739181600000000,"c":4}

-- toStartOfHour, with fill, with
select toStartOfHour(timestamp) as h, count() as c from logs where source='edge_logs' group by h order by h with fill step interval 1 hour limit 3
--> {"h":1739181600000000,"c":4}
--> {"h":1739185200000000,"c":1}
--> {"h":1739188800000000,"c":0}

-- sum, toStartOfHour, with fill
select h, sum(c) as t from (select toStartOfHour(timestamp) as h, count() as c from logs where source='edge_logs' group by h order by h with fill step interval 1 hour) group by h order by h limit 4
--> {"h":1739181600000000,"t":4}
--> {"h":1739185200000000,"t":1}
--> {"h":1739188800000000,"t":0}
--> {"h":1739192400000000,"t":0}

-- numbers, with fill, with
select number as n from numbers(3) order by n with fill from 0 to 6
--> {"n":0}
--> {"n":1}
--> {"n":2}
--> {"n":3}
--> {"n":4}
--> {"n":5}

-- numbers, with fill, with
select number * 2 as n, 'x' as s from numbers(3) order by n with fill step 1
--> {"n":0,"s":"x"}
--> {"n":1,"s":""}
--> {"n":2,"s":"x"}
--> {"n":3,"s":""}
--> {"n":4,"s":"x"}

-- toStartOfMonth, with fill, with
select toStartOfMonth(timestamp) as m, count() as c from logs group by m order by m with fill step interval 1 month
--> {"m":"2025-02-01","c":11}
--> {"m":"2025-03-01","c":2}
--> {"m":"2025-04-01","c":0}
--> {"m":"2025-05-01","c":0}
--> {"m":"2025-06-01","c":0}
--> {"m":"2025-07-01","c":0}
--> {"m":"2025-08-01","c":0}
--> {"m":"2025-09-01","c":0}
--> {"m":"2025-10-01","c":0}
--> {"m":"2025-11-01","c":0}
--> {"m":"2025-12-01","c":1}

-- toDate, with fill, with
select toDate(timestamp) as d, count() from logs where timestamp < '2025-03-01' group by d order by d with fill from toDate('2025-02-08') to toDate('2025-02-14')
--> {"d":"2025-02-08","count()":0}
--> {"d":"2025-02-09","count()":0}
--> {"d":"2025-02-10","count()":10}
--> {"d":"2025-02-11","count()":1}
--> {"d":"2025-02-12","count()":0}
--> {"d":"2025-02-13","count()":0}

-- toUnixTimestamp, toStartOfHour, order by
select toUnixTimestamp(toStartOfHour(timestamp)) * 1000 as t, count() as c from logs where source='edge_logs' group by t order by t
--> {"t":1739181600000,"c":4}
--> {"t":1739185200000,"c":1}
--> {"t":1739228400000,"c":1}

-- toUnixTimestamp, order by
select toUnixTimestamp(timestamp) - toUnixTimestamp(timestamp) % 300 as b, count() c from logs where source='edge_logs' group by b order by b
--> {"b":1739181600,"c":3}
--> {"b":1739181900,"c":1}
--> {"b":1739186100,"c":1}
--> {"b":1739231700,"c":1}

-- fromUnixTimestamp, intDiv, toUnixTimestamp
select fromUnixTimestamp(intDiv(toUnixTimestamp(timestamp), 300) * 300) as b, count() c from logs where source='edge_logs' group by b order by b
--> {"b":1739181600000000,"c":3}
--> {"b":1739181900000000,"c":1}
--> {"b":1739186100000000,"c":1}
--> {"b":1739231700000000,"c":1}

-- toStartOfInterval, toIntervalMinute, countIf
select toStartOfInterval(timestamp, toIntervalMinute(30)) as b, countIf(source='edge_logs') as edge, countIf(source='postgres_logs') as pg, countIf(source not in ('edge_logs','postgres_logs')) as other from logs group by b order by b
--> {"b":1739181600000000,"edge":4,"pg":2,"other":2}
--> {"b":1739185200000000,"edge":1,"pg":0,"other":0}
--> {"b":1739230200000000,"edge":1,"pg":0,"other":0}
--> {"b":1739262600000000,"edge":0,"pg":1,"other":0}
--> {"b":1743294600000000,"edge":0,"pg":0,"other":1}
--> {"b":1743298200000000,"edge":0,"pg":0,"other":1}
--> {"b":1767223800000000,"edge":0,"pg":0,"other":1}

-- formatDateTime, toStartOfHour, order by
select formatDateTime(toStartOfHour(timestamp), '%Y-%m-%dT%H:00:00Z') as t, count() as c from logs group by t order by t
--> {"t":"2025-02-10T10:00:00Z","c":8}
--> {"t":"2025-02-10T11:00:00Z","c":1}
--> {"t":"2025-02-10T23:00:00Z","c":1}
--> {"t":"2025-02-11T08:00:00Z","c":1}
--> {"t":"2025-03-30T00:00:00Z","c":1}
--> {"t":"2025-03-30T01:00:00Z","c":1}
--> {"t":"2025-12-31T23:00:00Z","c":1}

-- order by
select id, timestamp, event_message from logs where event_message ilike '%get%' order by timestamp desc limit 3
--> {"id":"a6","timestamp":1739231999999999,"event_message":"GET /rest/v1/items?select=* 304"}
--> {"id":"a4","timestamp":1739182020250000,"event_message":"GET /rest/v1/items 500"}
--> {"id":"a3","timestamp":1739181670000000,"event_message":"GET /auth/v1/user 401"}

-- order by
select id from logs where event_message like '%\\_%' or event_message like '%items?select%' order by id
--> {"id":"a6"}

-- match, order by
select id from logs where match(event_message, '(?i)GET|POST') order by id
--> {"id":"a1"}
--> {"id":"a2"}
--> {"id":"a3"}
--> {"id":"a4"}
--> {"id":"a6"}

-- positionCaseInsensitive
select id from logs where positionCaseInsensitive(event_message, 'duplicate') > 0
--> {"id":"b2"}

-- order by
select id from logs where event_message not ilike '%rest%' and source='edge_logs' order by id
--> {"id":"a3"}
--> {"id":"a5"}

-- multiSearchAnyCaseInsensitive, order by
select id from logs where multiSearchAnyCaseInsensitive(event_message, ['DUPLICATE','timeout']) order by id
--> {"id":"b2"}
--> {"id":"b3"}

-- hasToken, lower, order by
select id from logs where hasToken(lower(event_message), 'boot') order by id
--> {"id":"d1"}
--> {"id":"d3"}

-- order by
select id from logs where severity_text not in ('INFO','LOG','') order by id
--> {"id":"a3"}
--> {"id":"a4"}
--> {"id":"b2"}
--> {"id":"b3"}
--> {"id":"c2"}

-- order by
select id from logs where log_attributes['response.status_code'] >= '400' and log_attributes['response.status_code'] < '600' order by id
--> {"id":"a3"}
--> {"id":"a4"}

-- toInt32OrNull, order by
select id from logs where toInt32OrNull(log_attributes['response.status_code']) between 400 and 599 order by id
--> {"id":"a3"}
--> {"id":"a4"}

-- toUInt16OrZero, order by
select id from logs where toUInt16OrZero(log_attributes['response.status_code']) != 200 and source='edge_logs' order by id
--> {"id":"a2"}
--> {"id":"a3"}
--> {"id":"a4"}
--> {"id":"a5"}
--> {"id":"a6"}

-- has, order by
select id from logs where has(['401','500'], log_attributes['response.status_code']) order by id
--> {"id":"a3"}
--> {"id":"a4"}

-- order by
select id from logs where log_attributes['cf.country'] != '' order by id
--> {"id":"a1"}
--> {"id":"a2"}
--> {"id":"a3"}
--> {"id":"a4"}
--> {"id":"a5"}

-- mapContains, empty, order by
select id from logs where mapContains(log_attributes, 'cf.country') and not empty(log_attributes['cf.country']) order by id
--> {"id":"a1"}
--> {"id":"a2"}
--> {"id":"a3"}
--> {"id":"a4"}
--> {"id":"a5"}

-- where, order by
select id from logs where (source, severity_text) in (('edge_logs','ERROR'),('auth_logs','ERROR')) order by id
--> {"id":"a4"}
--> {"id":"c2"}

-- a plain query
select id, log_attributes['response.status_code'] as status from logs where status = '500'
--> {"id":"a4","status":"500"}

-- toInt32OrZero, order by
select id, toInt32OrZero(log_attributes['response.status_code']) as status from logs where status > 400 order by status
--> {"id":"a3","status":401}
--> {"id":"a4","status":500}

-- upper, order by
select id, upper(source) as source from logs where source = 'edge_logs' order by id limit 2
--> no rows

-- having, order by
select source as s, count() as c from logs group by s having c > 2 and s like '%logs' order by s
--> {"s":"edge_logs","c":6}
--> {"s":"function_logs","c":3}
--> {"s":"postgres_logs","c":3}

-- order by
select source, count() as c, c * 2 as d, d + 1 as e from logs group by source order by source
--> {"source":"auth_logs","c":2,"d":4,"e":5}
--> {"source":"edge_logs","c":6,"d":12,"e":13}
--> {"source":"function_logs","c":3,"d":6,"e":7}
--> {"source":"postgres_logs","c":3,"d":6,"e":7}

-- max, avg
select max(c) as m, avg(c) as a from (select source, count() as c from logs group by source)
--> {"m":6,"a":3.5}

-- groupArray
select source, groupArray((id, severity_text)) as g from logs where source='auth_logs' group by source
--> {"source":"auth_logs","g":[{"_field_1":"c1","_field_2":"INFO"},{"_field_1":"c2","_field_2":"ERROR"}]}

-- arrayMap, groupArray
select source, arrayMap(x -> x.1, groupArray((id, severity_text))) as g from logs where source='auth_logs' group by source
--> {"source":"auth_logs","g":["c1","c2"]}

-- arraySort, arrayMap, upper, groupUniqArray
select source, arraySort(arrayMap(x -> upper(x), groupUniqArray(severity_text))) as g from logs group by source order by source
--> {"source":"auth_logs","g":["ERROR","INFO"]}
--> {"source":"edge_logs","g":["ERROR","INFO","WARN"]}
--> {"source":"function_logs","g":["","INFO"]}
--> {"source":"postgres_logs","g":["ERROR","LOG"]}

-- length, groupUniqArray, arrayStringConcat, arraySort
select source, length(groupUniqArray(severity_text)) as n, arrayStringConcat(arraySort(groupUniqArray(severity_text)), '|') as s from logs group by source order by source
--> {"source":"auth_logs","n":2,"s":"ERROR|INFO"}
--> {"source":"edge_logs","n":3,"s":"ERROR|INFO|WARN"}
--> {"source":"function_logs","n":2,"s":"|INFO"}
--> {"source":"postgres_logs","n":2,"s":"ERROR|LOG"}

-- arraySlice, groupArray, order by
select source, arraySlice(groupArray(id), 1, 2) as g, groupArray(id)[1] as f from logs group by source order by source
--> {"source":"auth_logs","g":["c1","c2"],"f":"c1"}
--> {"source":"edge_logs","g":["a1","a2"],"f":"a1"}
--> {"source":"function_logs","g":["d1","d2"],"f":"d1"}
--> {"source":"postgres_logs","g":["b1","b2"],"f":"b1"}

-- arrayFilter, groupArray
select source, arrayFilter(x -> x != '', groupArray(log_attributes['cf.country'])) as g from logs where source='edge_logs' group by source
--> {"source":"edge_logs","g":["DE","FR","DE","US","US"]}

-- uniq, arrayJoin, order by
select key, count() as c, uniq(value) as u from (select arrayJoin(log_attributes) as kv, kv.1 as key, kv.2 as value from logs) group by key order by c desc, key
--> {"key":"request.method","c":6,"u":3}
--> {"key":"request.path","c":6,"u":3}
--> {"key":"response.origin_time","c":6,"u":6}
--> {"key":"response.status_code","c":6,"u":6}
--> {"key":"cf.country","c":5,"u":3}
--> {"key":"execution_time_ms","c":3,"u":3}
--> {"key":"function_id","c":3,"u":2}
--> {"key":"parsed.error_severity","c":3,"u":2}
--> {"key":"parsed.session_id","c":3,"u":2}
--> {"key":"parsed.user_name","c":3,"u":2}
--> {"key":"duration","c":2,"u":2}
--> {"key":"parsed.sql_state_code","c":2,"u":2}
--> {"key":"path","c":2,"u":1}
--> {"key":"status","c":2,"u":2}

-- arrayJoin, order by
select arrayJoin(log_attributes.keys) as k, count() as c from logs group by k order by c desc, k limit 4
--> {"k":"request.method","c":6}
--> {"k":"request.path","c":6}
--> {"k":"response.origin_time","c":6}
--> {"k":"response.status_code","c":6}

-- arrayZip, mapKeys, mapValues
select kv.1 as key, kv.2 as value, count() as c from logs array join arrayZip(mapKeys(log_attributes), mapValues(log_attributes)) as kv where source='auth_logs' group by key, value order by key, value
--> {"key":"duration","value":"1200000","c":1}
--> {"key":"duration","value":"800000","c":1}
--> {"key":"path","value":"/token","c":2}
--> {"key":"status","value":"200","c":1}
--> {"key":"status","value":"400","c":1}

-- arrayFilter, startsWith, mapKeys
select id, k from logs left array join arrayFilter(x -> startsWith(x, 'cf'), mapKeys(log_attributes)) as k where source='edge_logs' order by id
--> {"id":"a1","k":"cf.country"}
--> {"id":"a2","k":"cf.country"}
--> {"id":"a3","k":"cf.country"}
--> {"id":"a4","k":"cf.country"}
--> {"id":"a5","k":"cf.country"}
--> {"id":"a6","k":""}

-- arrayEnumerate, mapKeys, array join
select id, i, x from logs array join arrayEnumerate(mapKeys(log_attributes)) as i, mapKeys(log_attributes) as x where id='d1' order by i
--> {"id":"d1","i":1,"x":"execution_time_ms"}
--> {"id":"d1","i":2,"x":"function_id"}

-- array join, join, order by
select x, y from (select [1,2] as a, ['p','q'] as b) array join a as x, b as y order by x
--> {"x":1,"y":"p"}
--> {"x":2,"y":"q"}

-- array join, join, order by
select a, b from (select [1,2] as a, 'z' as b) array join a order by a
--> {"a":1,"b":"z"}
--> {"a":2,"b":"z"}

-- sum, array join, join
select sum(x) as s from (select [1,2,3] as a) array join a as x
--> {"s":6}

-- arrayJoin
select arrayJoin([('a', 1), ('b', 2)]) as t, t.1 as n, t.2 as v
--> {"t":{"_field_1":"a","_field_2":1},"n":"a","v":1}
--> {"t":{"_field_1":"b","_field_2":2},"n":"b","v":2}

-- extract, order by
select path, count() as c from (select extract(event_message, ' (/[^ ?]*)') as path from logs where source='edge_logs') group by path order by c desc, path
--> {"path":"/rest/v1/items","c":4}
--> {"path":"/auth/v1/user","c":1}
--> {"path":"/storage/v1/object/7","c":1}

-- extract, order by
select extract(event_message, '^(\\w+) ') as method, count() as c from logs where source='edge_logs' group by method order by c desc, method
--> {"method":"GET","c":4}
--> {"method":"DELETE","c":1}
--> {"method":"POST","c":1}

-- splitByChar, order by
select splitByChar(' ', event_message)[1] as m, splitByChar(' ', event_message)[-1] as st, count() as c from logs where source='edge_logs' group by m, st order by m, st
--> {"m":"DELETE","st":"204","c":1}
--> {"m":"GET","st":"200","c":1}
--> {"m":"GET","st":"304","c":1}
--> {"m":"GET","st":"401","c":1}
--> {"m":"GET","st":"500","c":1}
--> {"m":"POST","st":"201","c":1}

-- replaceRegexpAll, order by
select replaceRegexpAll(log_attributes['request.path'], '/[0-9]+', '/:id') as p, count() as c from logs where source='edge_logs' group by p order by c desc, p
--> {"p":"/rest/v1/items","c":4}
--> {"p":"/auth/v1/user","c":1}
--> {"p":"/storage/v1/object/:id","c":1}

-- concat, quantile, toFloat64OrZero, max
select concat(log_attributes['request.method'], ' ', log_attributes['request.path']) as e, count() as c, quantile(0.95)(toFloat64OrZero(log_attributes['response.origin_time'])) as p95, max(timestamp) as last from logs where source='edge_logs' group by e order by c desc, e
--> {"e":"GET /rest/v1/items","c":3,"p95":813.9,"last":1739231999999999}
--> {"e":"DELETE /storage/v1/object/7","c":1,"p95":33.0,"last":1739186100000000}
--> {"e":"GET /auth/v1/user","c":1,"p95":5.0,"last":1739181670000000}
--> {"e":"POST /rest/v1/items","c":1,"p95":48.0,"last":1739181630000000}

-- countIf, toInt32OrZero, if
select countIf(toInt32OrZero(log_attributes['response.status_code']) between 200 and 299) as ok, countIf(toInt32OrZero(log_attributes['response.status_code']) >= 500) as err, ok + err as t, if(t = 0, 0, err / t) as rate from logs where source='edge_logs'
--> {"ok":3,"err":1,"t":4,"rate":0.25}

-- toStartOfHour, avgIf, toFloat64OrZero
select toStartOfHour(timestamp) as h, avgIf(toFloat64OrZero(log_attributes['response.origin_time']), log_attributes['request.method'] = 'GET') as a from logs where source='edge_logs' group by h order by h
--> {"h":1739181600000000,"a":306.6666666666667}
--> {"h":1739185200000000,"a":null}
--> {"h":1739228400000000,"a":7.0}

-- toStartOfHour, quantiles, toFloat64OrZero
select toStartOfHour(timestamp) as h, quantiles(0.5, 0.95)(toFloat64OrZero(log_attributes['response.origin_time'])) as q, q[1] as p50, q[2] as p95 from logs where source='edge_logs' group by h order by h
--> {"h":1739181600000000,"q":[30.0,774.7499999999997],"p50":30.0,"p95":774.7499999999997}
--> {"h":1739185200000000,"q":[33.0,33.0],"p50":33.0,"p95":33.0}
--> {"h":1739228400000000,"q":[7.0,7.0],"p50":7.0,"p95":7.0}

-- avg, toFloat64OrNull, max
select log_attributes['function_id'] as f, count() as c, avg(toFloat64OrNull(log_attributes['execution_time_ms'])) as a, max(toFloat64OrNull(log_attributes['execution_time_ms'])) as m from logs where source='function_logs' group by f order by f
--> {"f":"f1","c":2,"a":11.375,"m":15.5}
--> {"f":"f2","c":1,"a":null,"m":null}

-- any, anyLast
select source, any(severity_text), anyLast(severity_text) from logs where source = 'function_logs' group by source
--> {"source":"function_logs","any(severity_text)":"INFO","anyLast(severity_text)":""}

-- argMax, argMaxIf, order by
select source, argMax(severity_text, timestamp) as s, argMaxIf(id, timestamp, severity_text = 'INFO') as i from logs group by source order by source
--> {"source":"auth_logs","s":"ERROR","i":"c1"}
--> {"source":"edge_logs","s":"INFO","i":"a6"}
--> {"source":"function_logs","s":"","i":"d2"}
--> {"source":"postgres_logs","s":"ERROR","i":""}

-- max, min, order by
select source, max(timestamp) - min(timestamp) as d from logs group by source order by source
--> {"source":"auth_logs","d":30.0}
--> {"source":"edge_logs","d":50399.999999}
--> {"source":"function_logs","d":23929200.0}
--> {"source":"postgres_logs","d":80875.0}

-- dateDiff, min, max
select source, dateDiff('minute', min(timestamp), max(timestamp)) as d from logs group by source order by source
--> {"source":"auth_logs","d":0}
--> {"source":"edge_logs","d":839}
--> {"source":"function_logs","d":398820}
--> {"source":"postgres_logs","d":1348}

-- sum, over, order by
select source, sum(c) over (order by source) as r, c from (select source, count() as c from logs group by source) order by source
--> {"source":"auth_logs","r":2,"c":2}
--> {"source":"edge_logs","r":8,"c":6}
--> {"source":"function_logs","r":11,"c":3}
--> {"source":"postgres_logs","r":14,"c":3}

-- round, sum, rank
select source, c, round(c / sum(c) over () * 100, 1) as pct, rank() over (order by c desc) as r from (select source, count() as c from logs group by source) order by r, source
--> {"source":"edge_logs","c":6,"pct":42.9,"r":1}
--> {"source":"function_logs","c":3,"pct":21.4,"r":2}
--> {"source":"postgres_logs","c":3,"pct":21.4,"r":2}
--> {"source":"auth_logs","c":2,"pct":14.3,"r":4}

-- row_number, over, order by
select * from (select id, source, row_number() over (partition by source order by timestamp desc) as rn from logs) where rn = 1 order by source
--> {"id":"c2","source":"auth_logs","rn":1}
--> {"id":"a6","source":"edge_logs","rn":1}
--> {"id":"d3","source":"function_logs","rn":1}
--> {"id":"b3","source":"postgres_logs","rn":1}

-- row_number, over, order by
select id, source, row_number() over (partition by source order by timestamp desc) as rn from logs qualify rn = 1 order by source
--> {"id":"c2","source":"auth_logs","rn":1}
--> {"id":"a6","source":"edge_logs","rn":1}
--> {"id":"d3","source":"function_logs","rn":1}
--> {"id":"b3","source":"postgres_logs","rn":1}

-- avg, toStartOfHour, over
select h, c, avg(c) over (order by h rows between 2 preceding and current row) as ma from (select toStartOfHour(timestamp) as h, count() as c from logs group by h) order by h
--> {"h":1739181600000000,"c":8,"ma":8.0}
--> {"h":1739185200000000,"c":1,"ma":4.5}
--> {"h":1739228400000000,"c":1,"ma":3.3333333333333335}
--> {"h":1739260800000000,"c":1,"ma":1.0}
--> {"h":1743292800000000,"c":1,"ma":1.0}
--> {"h":1743296400000000,"c":1,"ma":1.0}
--> {"h":1767222000000000,"c":1,"ma":1.0}

-- any, toStartOfHour, over
select h, c, c - any(c) over (order by h rows between 1 preceding and 1 preceding) as d from (select toStartOfHour(timestamp) as h, count() as c from logs group by h) order by h
--> {"h":1739181600000000,"c":8,"d":8}
--> {"h":1739185200000000,"c":1,"d":-7}
--> {"h":1739228400000000,"c":1,"d":0}
--> {"h":1739260800000000,"c":1,"d":0}
--> {"h":1743292800000000,"c":1,"d":0}
--> {"h":1743296400000000,"c":1,"d":0}
--> {"h":1767222000000000,"c":1,"d":0}

-- sum, toUnixTimestamp, over
select id, sum(1) over (order by timestamp range between 60 preceding and current row) as s from (select id, toUnixTimestamp(timestamp) as timestamp from logs) order by id
--> {"id":"a1","s":1}
--> {"id":"a2","s":2}
--> {"id":"a3","s":2}
--> {"id":"a4","s":1}
--> {"id":"a5","s":1}
--> {"id":"a6","s":1}
--> {"id":"b1","s":2}
--> {"id":"b2","s":3}
--> {"id":"b3","s":1}
--> {"id":"c1","s":3}
--> {"id":"c2","s":2}
--> {"id":"d1","s":1}
--> {"id":"d2","s":1}
--> {"id":"d3","s":1}

-- join, join, order by
select l.id as id, e.c as c from logs l left join (select source, count() as c from logs where severity_text='ERROR' group by source) e on l.source = e.source where l.timestamp < '2025-02-10 10:05:00' order by id
--> {"id":"a1","c":1}
--> {"id":"a2","c":1}
--> {"id":"a3","c":1}
--> {"id":"b1","c":2}
--> {"id":"b2","c":2}
--> {"id":"c1","c":1}
--> {"id":"c2","c":1}

-- join, join, having
select l.id, e.source, e.c from logs as l inner join (select source, count() as c from logs group by source having c > 3) as e on e.source = l.source and l.severity_text = 'ERROR' order by l.id
--> {"id":"a4","e.source":"edge_logs","c":6}

-- round, join, with
with errors as (select source, count() as c from logs where severity_text = 'ERROR' group by source), totals as (select source, count() as c from logs group by source) select totals.source as source, errors.c as errors, totals.c as total, round(errors.c / totals.c, 3) as rate from totals left join errors on totals.source = errors.source order by source
--> {"source":"auth_logs","errors":1,"total":2,"rate":0.5}
--> {"source":"edge_logs","errors":1,"total":6,"rate":0.167}
--> {"source":"function_logs","errors":0,"total":3,"rate":0.0}
--> {"source":"postgres_logs","errors":2,"total":3,"rate":0.667}

-- toStartOfHour, sum, with
with toStartOfHour(timestamp) as h, severity_text = 'ERROR' as is_error select h, sum(is_error) as e, count() as c from logs group by h order by h
--> {"h":1739181600000000,"e":3,"c":8}
--> {"h":1739185200000000,"e":0,"c":1}
--> {"h":1739228400000000,"e":0,"c":1}
--> {"h":1739260800000000,"e":1,"c":1}
--> {"h":1743292800000000,"e":0,"c":1}
--> {"h":1743296400000000,"e":0,"c":1}
--> {"h":1767222000000000,"e":0,"c":1}

-- union all
select 'edge' as kind, count() as c from logs where source='edge_logs' union all select 'pg' as kind, count() as c from logs where source='postgres_logs' union all select 'fn', count() from logs where source='function_logs'
--> {"kind":"edge","c":6}
--> {"kind":"pg","c":3}
--> {"kind":"fn","c":3}

-- union all, order by
select kind, c from (select 'edge' as kind, count() as c from logs where source='edge_logs' union all select 'pg', count() from logs where source='postgres_logs') order by c desc, kind limit 1
--> {"kind":"edge","c":6}

-- all, union all, order by
select * from ((select id, timestamp from logs where source='edge_logs' order by timestamp desc limit 2) union all (select id, timestamp from logs where source='postgres_logs' order by timestamp desc limit 2)) order by timestamp desc limit 3
--> {"id":"b3","timestamp":1739262600000000}
--> {"id":"a6","timestamp":1739231999999999}
--> {"id":"a5","timestamp":1739186100000000}

-- min, max, uniq, dateDiff
select count() as total, min(timestamp) as first, max(timestamp) as last, uniq(source) as sources, dateDiff('day', first, last) as days from logs
--> {"total":14,"first":1739181600000000,"last":1767223800000000,"sources":4,"days":324}

-- order by
select severity_text, count() as c from logs group by severity_text order by c desc, severity_text limit 2 offset 1
--> {"severity_text":"ERROR","c":4}
--> {"severity_text":"","c":1}

-- if, order by
select if(severity_text = '', 'none', severity_text) as s, count() as c from logs group by s order by s
--> {"s":"ERROR","c":4}
--> {"s":"INFO","c":7}
--> {"s":"LOG","c":1}
--> {"s":"WARN","c":1}
--> {"s":"none","c":1}

-- coalesce, nullIf, order by
select coalesce(nullIf(severity_text, ''), 'none') as s, count() as c from logs group by s order by s
--> {"s":"ERROR","c":4}
--> {"s":"INFO","c":7}
--> {"s":"LOG","c":1}
--> {"s":"WARN","c":1}
--> {"s":"none","c":1}

-- toDayOfWeek, toHour, order by
select toDayOfWeek(timestamp) as d, toHour(timestamp) as h, count() as c from logs group by d, h order by d, h
--> {"d":1,"h":10,"c":8}
--> {"d":1,"h":11,"c":1}
--> {"d":1,"h":23,"c":1}
--> {"d":2,"h":8,"c":1}
--> {"d":3,"h":23,"c":1}
--> {"d":7,"h":0,"c":1}
--> {"d":7,"h":1,"c":1}

-- toYear, toMonth, order by
select toYear(timestamp) as y, toMonth(timestamp) as m, count() as c from logs group by y, m order by y, m
--> {"y":2025,"m":2,"c":11}
--> {"y":2025,"m":3,"c":2}
--> {"y":2025,"m":12,"c":1}

-- toStartOfWeek, toMonday, order by
select toStartOfWeek(timestamp) as w, toStartOfWeek(timestamp, 1) as w1, toMonday(timestamp) as m, count() from logs group by w, w1, m order by w
--> {"w":"2025-02-09","w1":"2025-02-10","m":"2025-02-10","count()":11}
--> {"w":"2025-03-30","w1":"2025-03-24","m":"2025-03-24","count()":2}
--> {"w":"2025-12-28","w1":"2025-12-29","m":"2025-12-29","count()":1}

-- toStartOfHour, toTimeZone, order by
select toStartOfHour(toTimeZone(timestamp, 'Asia/Kolkata')) as h, count() as c from logs group by h order by h
--> {"h":1739179800000000,"c":8}
--> {"h":1739183400000000,"c":1}
--> {"h":1739230200000000,"c":1}
--> {"h":1739262600000000,"c":1}
--> {"h":1743294600000000,"c":1}
--> {"h":1743298200000000,"c":1}
--> {"h":1767223800000000,"c":1}

-- toStartOfDay, formatDateTime, order by
select toStartOfDay(timestamp, 'Europe/Berlin') as d, formatDateTime(d, '%Y-%m-%d', 'Europe/Berlin') as s, count() as c from logs group by d order by d
--> {"d":1739142000000000,"s":"2025-02-10","c":9}
--> {"d":1739228400000000,"s":"2025-02-11","c":2}
--> {"d":1743289200000000,"s":"2025-03-30","c":2}
--> {"d":1767222000000000,"s":"2026-01-01","c":1}

-- toDate, order by
select toDate(timestamp, 'America/Los_Angeles') as d, count() as c from logs group by d order by d
--> {"d":"2025-02-10","c":10}
--> {"d":"2025-02-11","c":1}
--> {"d":"2025-03-29","c":2}
--> {"d":"2025-12-31","c":1}

-- toStartOfInterval, toDateTime, toHour
select toStartOfInterval(toDateTime('2025-03-30 05:00:00', 'Europe/Berlin'), interval 1 day, 'Europe/Berlin') as a, toHour(toDateTime('2025-03-30 05:00:00', 'Europe/Berlin'), 'Europe/Berlin') as b
--> {"a":1743289200000000,"b":5}

-- addMonths, toDateTime, addYears, toDate
select addMonths(toDateTime('2025-01-31 10:00:00'), 1) as a, toDateTime('2025-03-31 10:00:00') - interval 1 month as b, addYears(toDate('2024-02-29'), -1) as c
--> {"a":1740736800000000,"b":1740736800000000,"c":"2023-02-28"}

-- toStartOfMonth, order by
select toStartOfMonth(timestamp, 'Asia/Tokyo') as m, count() from logs group by m order by m
--> {"m":"2025-02-01","count()":11}
--> {"m":"2025-03-01","count()":2}
--> {"m":"2026-01-01","count()":1}

-- toStartOfInterval, order by
select toStartOfInterval(timestamp, interval 6 hour, 'Asia/Kolkata') as h, count() from logs group by h order by h
--> {"h":1739169000000000,"count()":9}
--> {"h":1739212200000000,"count()":1}
--> {"h":1739255400000000,"count()":1}
--> {"h":1743294600000000,"count()":2}
--> {"h":1767205800000000,"count()":1}

-- toStartOfInterval, order by
select toStartOfInterval(timestamp, interval 1 month, 'Asia/Kolkata') as h, count() from logs group by h order by h
--> {"h":"2025-02-01","count()":11}
--> {"h":"2025-03-01","count()":2}
--> {"h":"2026-01-01","count()":1}

-- toStartOfInterval, order by
select toStartOfInterval(timestamp, interval 1 week, 'Asia/Kolkata') as h, count() from logs group by h order by h
--> {"h":"2025-02-10","count()":11}
--> {"h":"2025-03-24","count()":2}
--> {"h":"2025-12-29","count()":1}

-- date_trunc, order by
select date_trunc('day', timestamp, 'Asia/Tokyo') as d, count() as c from logs group by d order by d
--> {"d":1739113200000000,"c":9}
--> {"d":1739199600000000,"c":2}
--> {"d":1743260400000000,"c":2}
--> {"d":1767193200000000,"c":1}

-- medianExact, toInt64OrZero, medianIf, toFloat64OrZero, medianTDigest
select medianExact(toInt64OrZero(log_attributes['response.origin_time'])) as m, medianIf(toFloat64OrZero(log_attributes['response.origin_time']), log_attributes['request.method'] = 'GET') as n, medianTDigest(toFloat64OrZero(log_attributes['response.origin_time'])) as t from logs where source='edge_logs'
--> {"m":33,"n":9.5,"t":12.0}

-- roundDown, toInt64OrZero, order by
select roundDown(toInt64OrZero(log_attributes['response.origin_time']), [0,10,100]) as b, count() as c from logs where source='edge_logs' group by b order by b
--> {"b":0,"c":2}
--> {"b":10,"c":3}
--> {"b":100,"c":1}

-- floor, toFloat64OrZero, order by
select floor(toFloat64OrZero(log_attributes['response.origin_time']) / 10) * 10 as b, count() as c from logs where source='edge_logs' group by b order by b
--> {"b":0.0,"c":2}
--> {"b":10.0,"c":1}
--> {"b":30.0,"c":1}
--> {"b":40.0,"c":1}
--> {"b":900.0,"c":1}

-- multiIf, toFloat64OrZero, order by
select multiIf(t < 10, '<10', t < 50, '10-50', t < 100, '50-100', '100+') as b, count() as c from (select toFloat64OrZero(log_attributes['response.origin_time']) as t from logs where source='edge_logs') group by b order by b
--> {"b":"10-50","c":3}
--> {"b":"100+","c":1}
--> {"b":"<10","c":2}

-- arrayMap, round, quantiles, toFloat64OrZero
select arrayMap(q -> round(q, 1), quantiles(0.5, 0.9)(toFloat64OrZero(log_attributes['response.origin_time']))) as q from logs where source='edge_logs'
--> {"q":[22.5,475.5]}

-- sumMap, mapFromArrays
select sumMap(mapFromArrays([source, severity_text], [1, 1])) as m from logs where source = 'edge_logs'
--> {"m":[{"ERROR":1,"INFO":4,"WARN":1,"edge_logs":6}]}

-- mapFromArrays, groupArray, order by
select mapFromArrays(groupArray(source), groupArray(c)) as m from (select source, count() as c from logs group by source order by source)
--> {"m":[{"auth_logs":2,"edge_logs":6,"function_logs":3,"postgres_logs":3}]}

-- JSONExtractString, isValidJSON
select JSONExtractString(event_message, 'level') as level, count() as c from logs where isValidJSON(event_message) group by level
--> {"level":"error","c":1}

-- JSONExtract, Array, array join
select id, t from logs array join JSONExtract(event_message, 'user', 'tags', 'Array(String)') as t where id='c2' order by t
--> {"id":"c2","t":"a"}
--> {"id":"c2","t":"b"}

-- toString, toStartOfHour, order by
select toString(toStartOfHour(timestamp)) as s, toString(count()) as c from logs group by s order by s limit 2
--> {"s":"2025-02-10 10:00:00","c":"8"}
--> {"s":"2025-02-10 11:00:00","c":"1"}

-- substring, length, order by
select substring(event_message, 1, 20) as m, length(event_message) as l from logs order by id limit 3
--> {"m":"GET /rest/v1/items 2","l":22}
--> {"m":"POST /rest/v1/items ","l":23}
--> {"m":"GET /auth/v1/user 40","l":21}

-- lower, upper, left, substring
select lower(severity_text) as l, upper(left(source, 1)) || substring(source, 2) as s, count() as c from logs group by l, s order by l, s
--> {"l":"","s":"Function_logs","c":1}
--> {"l":"error","s":"Auth_logs","c":1}
--> {"l":"error","s":"Edge_logs","c":1}
--> {"l":"error","s":"Postgres_logs","c":2}
--> {"l":"info","s":"Auth_logs","c":1}
--> {"l":"info","s":"Edge_logs","c":4}
--> {"l":"info","s":"Function_logs","c":2}
--> {"l":"log","s":"Postgres_logs","c":1}
--> {"l":"warn","s":"Edge_logs","c":1}

-- uniq, uniqExact, distinct
select uniq(source, severity_text) as u, uniqExact((source, severity_text)) as v, count(distinct source, severity_text) as w from logs
--> {"u":9,"v":9,"w":9}

-- tuple, order by
select tuple(source, severity_text) as t, count() as c from logs group by t order by c desc, t
--> {"t":{"_field_1":"edge_logs","_field_2":"INFO"},"c":4}
--> {"t":{"_field_1":"function_logs","_field_2":"INFO"},"c":2}
--> {"t":{"_field_1":"postgres_logs","_field_2":"ERROR"},"c":2}
--> {"t":{"_field_1":"auth_logs","_field_2":"ERROR"},"c":1}
--> {"t":{"_field_1":"auth_logs","_field_2":"INFO"},"c":1}
--> {"t":{"_field_1":"edge_logs","_field_2":"ERROR"},"c":1}
--> {"t":{"_field_1":"edge_logs","_field_2":"WARN"},"c":1}
--> {"t":{"_field_1":"function_logs","_field_2":""},"c":1}
--> {"t":{"_field_1":"postgres_logs","_field_2":"LOG"},"c":1}

-- toInt32OrZero, order by
select id from logs order by toInt32OrZero(log_attributes['response.status_code']) desc, id limit 3
--> {"id":"a4"}
--> {"id":"a3"}
--> {"id":"a6"}

-- length, order by
select id from logs order by length(event_message), id limit 3
--> {"id":"d1"}
--> {"id":"d3"}
--> {"id":"d2"}

-- order by
select id, severity_text from logs order by severity_text = 'ERROR' desc, timestamp desc limit 3
--> {"id":"b3","severity_text":"ERROR"}
--> {"id":"a4","severity_text":"ERROR"}
--> {"id":"c2","severity_text":"ERROR"}

-- order by
select id from logs where 1 order by id limit 1
--> {"id":"a1"}

-- a plain query
select count() from logs where 0
--> {"count()":0}

-- toDate
select count() from logs where toDate(timestamp) in ('2025-02-10', '2025-02-11')
--> {"count()":11}

-- a plain query
select count() from logs where timestamp > '2025-02-10T10:01:00Z'
--> {"count()":12}

-- a plain query
select count() from logs where timestamp >= '2025-02-10T10:01:00.000Z' and timestamp <= '2025-02-10T12:00:00.000Z'
--> {"count()":7}

-- toString
select count() from logs where toString(timestamp) like '2025-02-10 10:%'
--> {"count()":8}

-- toDateTime64
select count() from logs where timestamp >= toDateTime64('2025-02-10 10:00:00.000000', 6, 'UTC')
--> {"count()":14}

-- toDateTime
select count() from logs where timestamp >= toDateTime(1739181660)
--> {"count()":12}

-- fromUnixTimestamp64Milli
select count() from logs where timestamp >= fromUnixTimestamp64Milli(1739181660000)
--> {"count()":12}

-- nullIf
select count(id), count(1), count(null), count(nullIf(severity_text, '')) from logs
--> {"count(id)":14,"count(1)":14,"count(NULL)":0,"count(nullIf(severity_text, ''))":13}

-- order by
select source s, count(*) cnt from logs group by 1 order by 2 desc, 1
--> {"s":"edge_logs","cnt":6}
--> {"s":"function_logs","cnt":3}
--> {"s":"postgres_logs","cnt":3}
--> {"s":"auth_logs","cnt":2}

-- distinct, order by
select distinct log_attributes['request.method'] as m, severity_text from logs where source='edge_logs' order by m, severity_text
--> {"m":"DELETE","severity_text":"INFO"}
--> {"m":"GET","severity_text":"ERROR"}
--> {"m":"GET","severity_text":"INFO"}
--> {"m":"GET","severity_text":"WARN"}
--> {"m":"POST","severity_text":"INFO"}

-- distinct, distinct, order by
select distinct(source) from logs order by source limit 2
--> {"source":"auth_logs"}
--> {"source":"edge_logs"}

-- distinct
select count() from (select distinct source, severity_text from logs)
--> {"count()":9}

-- toStartOfHour, order by
select toStartOfHour(timestamp) as timestamp, count() as c from logs where source='edge_logs' group by timestamp order by timestamp
--> {"timestamp":1739181600000000,"c":4}
--> {"timestamp":1739185200000000,"c":1}
--> {"timestamp":1739228400000000,"c":1}

-- toStartOfMinute, order by
select toStartOfMinute(timestamp) as ts, source, count() as count from logs group by ts, source order by ts desc, source limit 5
--> {"ts":1767223800000000,"source":"function_logs","count":1}
--> {"ts":1743298200000000,"source":"function_logs","count":1}
--> {"ts":1743294600000000,"source":"function_logs","count":1}
--> {"ts":1739262600000000,"source":"postgres_logs","count":1}
--> {"ts":1739231940000000,"source":"edge_logs","count":1}

-- order by
select timestamp as ts, event_message as msg from logs where ts > '2025-02-10 10:05:00' order by ts limit 3
--> {"ts":1739182020250000,"msg":"GET /rest/v1/items 500"}
--> {"ts":1739186100000000,"msg":"DELETE /storage/v1/object/7 204"}
--> {"ts":1739231999999999,"msg":"GET /rest/v1/items?select=* 304"}

-- order by
select event_message, count() from logs group by event_message order by count() desc, event_message limit 3
--> {"event_message":"boot","count()":2}
--> {"event_message":"DELETE /storage/v1/object/7 204","count()":1}
--> {"event_message":"GET /auth/v1/user 401","count()":1}

-- order by
select source, count() from logs group by source order by count() desc, source
--> {"source":"edge_logs","count()":6}
--> {"source":"function_logs","count()":3}
--> {"source":"postgres_logs","count()":3}
--> {"source":"auth_logs","count()":2}

-- order by
select severity_text s, count() n from logs where s != '' group by s order by n desc, s
--> {"s":"INFO","n":7}
--> {"s":"ERROR","n":4}
--> {"s":"LOG","n":1}
--> {"s":"WARN","n":1}

-- having
select count() as n from logs having n > 5
--> {"n":14}

-- max, order by
select source, max(timestamp) as timestamp from logs group by source order by timestamp desc
--> {"source":"function_logs","timestamp":1767223800000000}
--> {"source":"postgres_logs","timestamp":1739262600000000}
--> {"source":"edge_logs","timestamp":1739231999999999}
--> {"source":"auth_logs","timestamp":1739181810000000}

-- join, join
select a.source, b.source from (select source from logs where id='a1') a cross join (select source from logs where id='b1') b
--> {"source":"edge_logs","b.source":"postgres_logs"}

-- join
select l.id, r.id from logs l join logs r on l.id = r.id where l.id='a1'
--> {"id":"a1","r.id":"a1"}

-- join, join, order by
select l.*, r.c from (select id, source from logs) l join (select source, count() as c from logs group by source) r on l.source = r.source order by l.id limit 2
--> {"id":"a1","source":"edge_logs","c":6}
--> {"id":"a2","source":"edge_logs","c":6}

-- upper
select 1 + 1, upper('a'), 2 > 1, 'x' || 'y', not 0, -3, 5 between 1 and 9, 3 in (1,2,3), 'a' like 'b%'
--> {"plus(1, 1)":2,"upper('a')":"A","greater(2, 1)":true,"concat('x', 'y')":"xy","not(0)":true,"-3":-3,"and(greaterOrEquals(5, 1), lessOrEquals(5, 9))":true,"in(3, (1, 2, 3))":true,"like('a', 'b%')":false}

-- sum, max, min
select count() / 2, sum(1) * 2, max(id), min(id) = 'a1' from logs
--> {"divide(count(), 2)":7.0,"multiply(sum(1), 2)":28,"max(id)":"d3","equals(min(id), 'a1')":true}

-- if, multiIf
select if(count() > 3, 'many', 'few'), multiIf(count() > 100, 'a', 'b') from logs
--> {"if(greater(count(), 3), 'many', 'few')":"many","multiIf(greater(count(), 100), 'a', 'b')":"b"}

-- quantile, countIf, uniqExact, avg, length
select quantile(0.9)(1), countIf(severity_text = 'ERROR'), uniqExact(source), avg(length(id)) from logs
--> {"quantile(0.9)(1)":1.0,"countIf(equals(severity_text, 'ERROR'))":4,"uniqExact(source)":4,"avg(length(id))":2.0}

-- a plain query
select case when id = 'a1' then 1 else 2 end from logs where id='a1'
--> {"multiIf(equals(id, 'a1'), 1, 2)":1}

-- toHour
select id, toHour(timestamp) from logs where id='a1'
--> {"id":"a1","toHour(timestamp)":10}

-- toDate, order by
select toDate(timestamp), count() from logs group by toDate(timestamp) order by toDate(timestamp)
--> {"toDate(timestamp)":"2025-02-10","count()":10}
--> {"toDate(timestamp)":"2025-02-11","count()":1}
--> {"toDate(timestamp)":"2025-03-30","count()":2}
--> {"toDate(timestamp)":"2025-12-31","count()":1}

-- toStartOfHour, order by
select toStartOfHour(timestamp), count() from logs group by 1 order by 1
--> {"toStartOfHour(timestamp)":1739181600000000,"count()":8}
--> {"toStartOfHour(timestamp)":1739185200000000,"count()":1}
--> {"toStartOfHour(timestamp)":1739228400000000,"count()":1}
--> {"toStartOfHour(timestamp)":1739260800000000,"count()":1}
--> {"toStartOfHour(timestamp)":1743292800000000,"count()":1}
--> {"toStartOfHour(timestamp)":1743296400000000,"count()":1}
--> {"toStartOfHour(timestamp)":1767222000000000,"count()":1}

-- arrayJoin
select arrayJoin([1,2]), 'k'
--> {"arrayJoin([1, 2])":1,"'k'":"k"}
--> {"arrayJoin([1, 2])":2,"'k'":"k"}

-- order by
select log_attributes['request.method'], count() from logs where source='edge_logs' group by log_attributes['request.method'] order by 2 desc, 1
--> {"arrayElement(log_attributes, 'request.method')":"GET","count()":4}
--> {"arrayElement(log_attributes, 'request.method')":"DELETE","count()":1}
--> {"arrayElement(log_attributes, 'request.method')":"POST","count()":1}

-- cast, toDate
select cast(1 as String), '5'::Int32, interval 1 day + toDate('2025-01-01')
--> {"CAST(1, 'STRING')":"1","CAST('5', 'Int32')":5,"plus(toIntervalDay(1), toDate('2025-01-01'))":"2025-01-02"}

-- distinct, order by
select distinct source from logs where severity_text in ('INFO','ERROR') order by 1
--> {"source":"auth_logs"}
--> {"source":"edge_logs"}
--> {"source":"function_logs"}
--> {"source":"postgres_logs"}

-- sum
select sum(c) from (select count() as c from logs group by source)
--> {"sum(c)":14}

-- order by
select id, severity_text = 'ERROR' ? 'e' : 'o' as k from logs order by id limit 3
--> {"id":"a1","k":"o"}
--> {"id":"a2","k":"o"}
--> {"id":"a3","k":"o"}

-- sum
select sum(severity_text = 'ERROR' ? 1 : 0) as e from logs
--> {"e":4}

-- toStartOfHour, with, order by
select toStartOfHour(timestamp) as h, severity_text, count() as c from logs group by h, severity_text with totals order by h, severity_text
--> {"h":1739181600000000,"severity_text":"ERROR","c":3}
--> {"h":1739181600000000,"severity_text":"INFO","c":3}
--> {"h":1739181600000000,"severity_text":"LOG","c":1}
--> {"h":1739181600000000,"severity_text":"WARN","c":1}
--> {"h":1739185200000000,"severity_text":"INFO","c":1}
--> {"h":1739228400000000,"severity_text":"INFO","c":1}
--> {"h":1739260800000000,"severity_text":"ERROR","c":1}
--> {"h":1743292800000000,"severity_text":"INFO","c":1}
--> {"h":1743296400000000,"severity_text":"INFO","c":1}
--> {"h":1767222000000000,"severity_text":"","c":1}

-- sum, over, order by
select source, severity_text, count() as c, sum(c) over (partition by source) as t from logs group by source, severity_text order by source, severity_text
--> {"source":"auth_logs","severity_text":"ERROR","c":1,"t":2}
--> {"source":"auth_logs","severity_text":"INFO","c":1,"t":2}
--> {"source":"edge_logs","severity_text":"ERROR","c":1,"t":6}
--> {"source":"edge_logs","severity_text":"INFO","c":4,"t":6}
--> {"source":"edge_logs","severity_text":"WARN","c":1,"t":6}
--> {"source":"function_logs","severity_text":"","c":1,"t":3}
--> {"source":"function_logs","severity_text":"INFO","c":2,"t":3}
--> {"source":"postgres_logs","severity_text":"ERROR","c":2,"t":3}
--> {"source":"postgres_logs","severity_text":"LOG","c":1,"t":3}

-- groupArray, arrayCount, has, arrayDistinct, length
select source, groupArray(severity_text) as a, arrayCount(x -> x = 'ERROR', a) as e, has(a, 'WARN') as w, arrayDistinct(a) as d, length(a) as n from logs group by source order by source
--> {"source":"auth_logs","a":["INFO","ERROR"],"e":1,"w":false,"d":["INFO","ERROR"],"n":2}
--> {"source":"edge_logs","a":["INFO","INFO","WARN","ERROR","INFO","INFO"],"e":1,"w":true,"d":["INFO","WARN","ERROR"],"n":6}
--> {"source":"function_logs","a":["INFO","INFO",""],"e":0,"w":false,"d":["INFO",""],"n":3}
--> {"source":"postgres_logs","a":["LOG","ERROR","ERROR"],"e":2,"w":false,"d":["LOG","ERROR"],"n":3}

-- arrayReduce, groupArray, length
select source, arrayReduce('sum', groupArray(length(id))) as s from logs group by source order by source
--> {"source":"auth_logs","s":4}
--> {"source":"edge_logs","s":12}
--> {"source":"function_logs","s":6}
--> {"source":"postgres_logs","s":6}

-- arrayMap, concat, groupArray
select source, arrayMap((x, y) -> concat(x, '-', y), groupArray(id), groupArray(severity_text)) as a from logs where source='auth_logs' group by source
--> {"source":"auth_logs","a":["c1-INFO","c2-ERROR"]}

-- arraySort, arrayMap, arrayEnumerate
select arraySort((x, y) -> y, [1,2,3], [3,2,1]) as a, arrayMap((x, i) -> x * i, [5,6], arrayEnumerate([5,6])) as b
--> {"a":[3,2,1],"b":[5,12]}

-- arrayFirstIndex, arrayLastIndex, arrayAll, arrayMin, arrayMax
select arrayFirstIndex(x -> x > 1, [1,2,3]) as a, arrayLastIndex(x -> x > 1, [1,2,3]) as b, arrayAll(x -> x > 0, [1,2]) as c, arrayMin(x -> -x, [1,2]) as d, arrayMax(x -> x * 2, [1,2]) as e, arrayAvg(x -> x + 1, [1,2]) as f
--> {"a":2,"b":3,"c":true,"d":-2,"e":4,"f":2.5}

-- arraySum, arrayCount, arrayCumSum
select arraySum(x -> x * x, [1,2,3]) as a, arrayCount(x -> x % 2 = 1, [1,2,3]) as b, arrayCumSum(x -> x + 1, [1,2]) as c
--> {"a":14,"b":2,"c":[2,5]}

-- mapKeys, mapFilter
select mapKeys(mapFilter((k, v) -> v != '', log_attributes)) as k from logs where id='d3'
--> {"k":["function_id"]}

-- arrayMap, concat, arraySort, arrayZip, mapKeys
select arrayMap(kv -> concat(kv.1, '=', kv.2), arraySort(kv -> kv.1, arrayZip(mapKeys(log_attributes), mapValues(log_attributes)))) as s from logs where id='c1'
--> {"s":["duration=1200000","path=/token","status=200"]}

-- arrayStringConcat, arrayMap, concat, mapKeys, mapValues
select arrayStringConcat(arrayMap((k, v) -> concat(k, '=', v), mapKeys(log_attributes), mapValues(log_attributes)), ' ') as s from logs where id='c1'
--> {"s":"duration=1200000 path=/token status=200"}

-- arrayExists, mapKeys, order by
select id, arrayExists(x -> x like 'cf%', mapKeys(log_attributes)) as e from logs where source = 'edge_logs' order by id
--> {"id":"a1","e":true}
--> {"id":"a2","e":true}
--> {"id":"a3","e":true}
--> {"id":"a4","e":true}
--> {"id":"a5","e":true}
--> {"id":"a6","e":false}

-- mapContains, order by
select mapContains(log_attributes, 'cf.country') as a, log_attributes['cf.country'] as b from logs where source='edge_logs' order by id
--> {"a":true,"b":"DE"}
--> {"a":true,"b":"FR"}
--> {"a":true,"b":"DE"}
--> {"a":true,"b":"US"}
--> {"a":true,"b":"US"}
--> {"a":false,"b":""}

-- avg, toFloat64OrNull, sum, toFloat64OrZero
select avg(toFloat64OrNull(log_attributes['execution_time_ms'])) as a, sum(toFloat64OrZero(log_attributes['execution_time_ms'])) as b, count(toFloat64OrNull(log_attributes['execution_time_ms'])) as c from logs
--> {"a":11.375,"b":22.75,"c":2}

-- toInt32, toUInt8, toInt8, toUInt32
select toInt32('5') + 1 as a, toUInt8(255) + 1 as b, toUInt8(255) * 2 as c, toInt8(127) + toInt8(1) as d, 250 + 10 as e, toUInt32(4294967295) + 1 as f
--> {"a":6,"b":256,"c":510,"d":128,"e":260,"f":4294967296}

-- intDiv
select 7 / 2 as a, intDiv(7, 2) as b, 7 % 2 as c, -7 % 3 as d, intDiv(-7, 2) as e, 1 / 3 as f, 10 / 5 as g, 0.1 + 0.2 as h, 1e3 as i
--> {"a":3.5,"b":3,"c":1,"d":-1,"e":-3,"f":0.3333333333333333,"g":2.0,"h":0.30000000000000004,"i":1000.0}

-- round, floor, ceil, trunc
select round(1234.5678, 2) as a, round(1234.5678, -2) as b, round(-1.5) as c, floor(1.999, 2) as d, ceil(1.001, 2) as e, trunc(1.999, 1) as f, round(0.5) as g, round(1.5) as h
--> {"a":1234.57,"b":1200.0,"c":-2.0,"d":1.99,"e":1.01,"f":1.9,"g":0.0,"h":2.0}

-- concat, toString, length, upper
select concat('a', NULL) as a, concat('a', toString(NULL)) as b, NULL || 'x' as c, length(NULL) as d, upper(NULL) as e
--> {"a":null,"b":null,"c":null,"d":null,"e":null}

-- sum, max
select count(NULL) as a, sum(NULL) as b, max(NULL) as c
--> {"a":0,"b":null,"c":null}

-- sum, avg, max, arrayJoin
select sum(x) as a, avg(x) as b, count(x) as c, max(x) as d from (select arrayJoin([1, NULL, 3]) as x)
--> {"a":4,"b":2.0,"c":2,"d":3}

-- arrayJoin, order by
select x from (select arrayJoin([3, NULL, 1]) as x) order by x
--> {"x":1}
--> {"x":3}
--> {"x":null}

-- arrayJoin, order by
select x from (select arrayJoin([3, NULL, 1]) as x) order by x desc
--> {"x":3}
--> {"x":1}
--> {"x":null}

-- arrayJoin, order by
select x from (select arrayJoin([3, NULL, 1]) as x) order by x nulls first
--> {"x":null}
--> {"x":1}
--> {"x":3}

-- arrayJoin, order by
select x, count() as c from (select arrayJoin([1, NULL, NULL]) as x) group by x order by x
--> {"x":1,"c":1}
--> {"x":null,"c":2}

-- groupArray, groupUniqArray, uniq, arrayJoin
select groupArray(x) as a, groupUniqArray(x) as b, uniq(x) as c from (select arrayJoin([1, NULL, 1]) as x)
--> {"a":[1,1],"b":[1],"c":1}

-- coalesce, ifNull, nullIf, isNull
select coalesce(NULL, NULL, 'c') as a, ifNull('x', 'y') as b, nullIf('a', 'b') as c, isNull('') as d, NULL = 1 as e, NULL is null as f, 1 in (NULL) as g
--> {"a":"c","b":"x","c":"a","d":false,"e":null,"f":true,"g":false}

-- if, multiIf
select if(NULL, 'a', 'b') as a, multiIf(NULL, 'a', 1, 'b', 'c') as b, case when NULL then 1 else 2 end as c, NULL or 1 as d, NULL and 0 as e
--> {"a":"b","b":"b","c":2,"d":true,"e":false}

-- min, max, any, sum, avg
select min(id) as a, max(timestamp) as b, any(source) as c, count() as d, sum(1) as e, avg(1) as f, groupArray(id) as g, uniq(id) as h, argMax(id, timestamp) as i from logs where 0
--> {"a":"","b":0,"c":"","d":0,"e":0,"f":null,"g":[],"h":0,"i":""}

-- a plain query
select source, count() as c from logs where 0 group by source
--> no rows

-- toStartOfHour, min, max, dateDiff
select toStartOfHour(min(timestamp)) as a, toStartOfHour(max(timestamp)) as b, dateDiff('hour', a, b) as d from logs where source='edge_logs'
--> {"a":1739181600000000,"b":1739228400000000,"d":13}

-- formatDateTime
select formatDateTime(timestamp, '%d/%m/%Y %H:%i:%S') as a, formatDateTime(timestamp, '%b %e, %Y') as b, formatDateTime(timestamp, '%I:%i %p') as c, formatDateTime(timestamp, '%W') as d, formatDateTime(timestamp, '%j %V %u') as e, formatDateTime(timestamp, '%s') as f, formatDateTime(timestamp, '%M %D') as g from logs where id='a4'
--> {"a":"10/02/2025 10:07:00","b":"Feb 10, 2025","c":"10:07 AM","d":"Monday","e":"041 07 1","f":"00","g":"February 02/10/25"}

-- toStartOfWeek, toDate, toMonday, toStartOfQuarter, toStartOfYear
select toStartOfWeek(toDate('2025-02-12')) as a, toStartOfWeek(toDate('2025-02-12'), 1) as b, toMonday(toDate('2025-02-16')) as c, toStartOfQuarter(toDate('2025-02-12')) as d, toStartOfYear(timestamp) as e, toLastDayOfWeek(toDate('2025-02-12')) as f from logs where id='a1'
--> {"a":"2025-02-09","b":"2025-02-10","c":"2025-02-10","d":"2025-01-01","e":"2025-01-01","f":"2025-02-15"}

-- dateDiff, toDateTime, toDate
select dateDiff('day', toDateTime('2025-02-10 23:59:59'), toDateTime('2025-02-11 00:00:00')) as a, dateDiff('hour', toDateTime('2025-02-10 10:59:59'), toDateTime('2025-02-10 11:00:00')) as b, dateDiff('minute', toDateTime('2025-02-10 10:00:59'), toDateTime('2025-02-10 10:00:00')) as c, dateDiff('year', toDate('2024-12-31'), toDate('2025-01-01')) as d, dateDiff('week', toDate('2025-02-08'), toDate('2025-02-10')) as e
--> {"a":1,"b":1,"c":0,"d":1,"e":1}

-- subtractHours, addMinutes, addSeconds, toIntervalDay, addMilliseconds
select subtractHours(timestamp, 2) as a, addMinutes(timestamp, 90) as b, addSeconds(timestamp, -1) as c, timestamp - interval 1 hour as d, timestamp + toIntervalDay(2) as e, addMilliseconds(timestamp, 5) as f from logs where id='a1'
--> {"a":1739174400000000,"b":1739187000000000,"c":1739181599000000,"d":1739178000000000,"e":1739354400000000,"f":1739181600005000}

-- toDateTime, toUnixTimestamp
select timestamp - toDateTime('2025-02-10 09:00:00') as a, toUnixTimestamp(timestamp) - 1739181600 as b from logs where id='a4'
--> {"a":4020.25,"b":420}

-- toDateTime, toDate
select toDateTime('2025-02-10 10:00:00') - toDateTime('2025-02-10 09:00:00') as a, toDate('2025-02-10') - toDate('2025-02-01') as b, toDate('2025-02-10') > '2025-02-09' as c, toDateTime('2025-02-10 10:00:00') = '2025-02-10 10:00:00' as d
--> {"a":3600.0,"b":9,"c":true,"d":true}

-- toUnixTimestamp, toDateTime, toDateTime64
select toUnixTimestamp('2025-02-10 10:00:00') as a, toUnixTimestamp('2025-02-10 10:00:00', 'Asia/Tokyo') as b, toDateTime(1739181600, 'UTC') as c, toDateTime64(1739181600.5, 3) as d
--> {"a":1739181600,"b":1739149200,"c":1739181600000000,"d":1739181600500000}

-- splitByChar, splitByString, arrayStringConcat
select splitByChar(',', '') as a, splitByChar(',', 'a,,b') as b, splitByString('', 'abc') as c, arrayStringConcat([1,2], ',') as d, splitByChar('/', '/a/b/')[2] as e, splitByChar('/', 'x')[5] as f
--> {"a":[""],"b":["a","","b"],"c":["a","b","c"],"d":"1,2","e":"a","f":""}

-- extract, extractAll, match, replaceRegexpAll, replaceRegexpOne
select extract('GET /a/b 200', '/\\w+') as a, extractAll('a=1 b=2', '(\\w)=') as b, match('abc', 'b') as c, replaceRegexpAll('a  b', '\\s+', ' ') as d, replaceRegexpOne('aaa', 'a', 'b') as e, extract('x', 'y') as f, match('ABC', '(?i)abc') as g
--> {"a":"/a","b":["a","b"],"c":true,"d":"a b","e":"baa","f":"","g":true}

-- like, notLike, startsWith, endsWith
select like('a%b', 'a\\%b') as a, 'GET /x' like 'GET %' as b, 'foo' not like '%bar%' as c, 'FOO' ilike 'f__' as d, notLike('a', 'b') as e, startsWith('abc', '') as f, endsWith('abc', 'abc') as g
--> {"a":true,"b":true,"c":true,"d":true,"e":true,"f":true,"g":true}

-- countSubstrings, position, substring, left, right
select countSubstrings('a,b,c', ',') as a, position('abc', '') as b, position('abc', 'z') as c, substring('abc', 0) as d, substring('abc', 2, 100) as e, substring('abc', -2, 1) as f, left('abc', -1) as g, right('abc', 10) as h
--> {"a":2,"b":1,"c":0,"d":"","e":"bc","f":"b","g":"ab","h":"abc"}

-- trim, trimLeft, leftPad, rightPad, repeat
select trim(' a ') as a, trimLeft('xxa', 'x') as b, leftPad('abc', 2) as c, rightPad('a', 3, '*') as d, repeat('ab', 0) as e, concat('a', 'b', 'c') as f, lpad('abc', 5, 'xy') as g
--> {"a":"a","b":"a","c":"ab","d":"a**","e":"","f":"abc","g":"xyabc"}

-- JSONExtractString, JSONExtractInt, JSONExtractKeys, JSONExtractArrayRaw, JSONExtractFloat
select JSONExtractString('not json', 'a') as a, JSONExtractInt('', 'a') as b, JSONExtractKeys('{"b":1,"a":2}') as c, JSONExtractArrayRaw('[1,"a",{"b":2}]') as d, JSONExtractFloat('{"a":1e2}', 'a') as e, JSONExtractUInt('{"a":-1}', 'a') as f, JSONExtractString('{"a":{"b":1}}', 'a') as g, JSONExtractString('{"a b":"x"}', 'a b') as h
--> {"a":"","b":0,"c":["b","a"],"d":["1","\"a\"","{\"b\":2}"],"e":100.0,"f":0,"g":"{\"b\":1}","h":"x"}

-- JSONExtract, Array, Nullable
select JSONExtract('{"a":[1,2]}', 'a', 'Array(Int32)') as a, JSONExtract('{"a":"5"}', 'a', 'Int32') as b, JSONExtract('{"a":5}', 'a', 'String') as c, JSONExtract('{"a":true}', 'a', 'Bool') as d, JSONExtract('{"a":1}', 'b', 'Nullable(Int32)') as e, JSONExtract('{"a":1.5}', 'a', 'Float64') as f
--> {"a":[1,2],"b":5,"c":"5","d":true,"e":null,"f":1.5}

-- JSON_VALUE, JSON_QUERY, JSON_EXISTS
select JSON_VALUE('{"a":{"b":"x"}}', '$.a.b') as a, JSON_VALUE('{"a":[1,2]}', '$.a[1]') as b, JSON_QUERY('{"a":{"b":1}}', '$.a') as c, JSON_VALUE('{"a":1}', '$.z') as d, JSON_EXISTS('{"a":1}', '$.a') as e
--> {"a":"x","b":"2","c":"[{\"b\":1}]","d":"","e":true}

-- argMin, argMax, length, tuple
select argMin(source, timestamp) as a, argMax(source, length(event_message)) as b, argMin(tuple(id, source), timestamp) as c from logs
--> {"a":"edge_logs","b":"auth_logs","c":{"_field_1":"a1","_field_2":"edge_logs"}}

-- avgWeighted, sumIf, countIf, minIf, anyIf
select avgWeighted(x, w) as a, sumIf(x, w > 1) as b, countIf(x > 1 and w > 1) as c, minIf(x, w > 5) as d, anyIf(x, w = 2) as e from (select arrayJoin([(1,1),(2,2),(3,3)]) as t, t.1 as x, t.2 as w)
--> {"a":2.3333333333333335,"b":5,"c":2,"d":0,"e":2}

-- quantile, median, quantileExact, quantiles, quantileExactInclusive
select quantile(x) as a, median(x) as b, quantileExact(x) as c, quantiles(0.1, 0.9)(x) as d, quantileExact(0.25)(x) as e, quantileExactInclusive(0.25)(x) as f, stddevPop(x) as g, varSamp(x) as h from (select arrayJoin([1,2,3,4,10]) as x)
--> {"a":3.0,"b":3.0,"c":3,"d":[1.4,7.6000000000000005],"e":2,"f":2.0,"g":3.1622776601683795,"h":12.5}

-- sum, max, length
select id, sum(c) over (order by id rows between 2 preceding and 1 preceding) as s, max(c) over (order by id rows between unbounded preceding and 1 preceding) as m, count() over (order by id rows between 1 following and 2 following) as n from (select id, length(event_message) as c from logs) order by id limit 4
--> {"id":"a1","s":0,"m":0,"n":2}
--> {"id":"a2","s":22,"m":22,"n":2}
--> {"id":"a3","s":45,"m":23,"n":2}
--> {"id":"a4","s":44,"m":23,"n":2}

-- sum, round, over
select source, c, sum(c) over (order by c desc, source rows unbounded preceding) as cum, round(cum / sum(c) over (), 2) as share from (select source, count() as c from logs group by source) order by cum
--> {"source":"edge_logs","c":6,"cum":6,"share":0.43}
--> {"source":"function_logs","c":3,"cum":9,"share":0.64}
--> {"source":"postgres_logs","c":3,"cum":12,"share":0.86}
--> {"source":"auth_logs","c":2,"cum":14,"share":1.0}

-- lagInFrame, over, order by
select id, timestamp - lagInFrame(timestamp, 1, timestamp) over (partition by source order by timestamp) as gap from logs where source='edge_logs' order by id
--> {"id":"a1","gap":0.0}
--> {"id":"a2","gap":30.0}
--> {"id":"a3","gap":40.0}
--> {"id":"a4","gap":350.25}
--> {"id":"a5","gap":4079.75}
--> {"id":"a6","gap":45899.999999}

-- any, over, order by
select id, any(severity_text) over (partition by source order by timestamp rows between 1 following and 1 following) as nxt from logs where source='auth_logs' order by id
--> {"id":"c1","nxt":"ERROR"}
--> {"id":"c2","nxt":""}

-- rank, over, order by
select * from (select source, id, rank() over (partition by source order by timestamp desc) as r from logs) where r <= 2 order by source, r, id
--> {"source":"auth_logs","id":"c2","r":1}
--> {"source":"auth_logs","id":"c1","r":2}
--> {"source":"edge_logs","id":"a6","r":1}
--> {"source":"edge_logs","id":"a5","r":2}
--> {"source":"function_logs","id":"d3","r":1}
--> {"source":"function_logs","id":"d2","r":2}
--> {"source":"postgres_logs","id":"b3","r":1}
--> {"source":"postgres_logs","id":"b2","r":2}

-- row_number, over, with
with ranked as (select *, row_number() over (partition by source order by timestamp desc) as rn from logs) select source, id, event_message from ranked where rn = 1 order by source
--> {"source":"auth_logs","id":"c2","event_message":"{\"level\":\"error\",\"msg\":\"invalid login\",\"user\":{\"id\":7,\"tags\":[\"a\",\"b\"]}}"}
--> {"source":"edge_logs","id":"a6","event_message":"GET /rest/v1/items?select=* 304"}
--> {"source":"function_logs","id":"d3","event_message":"boot"}
--> {"source":"postgres_logs","id":"b3","event_message":"canceling statement due to statement timeout"}

-- countIf, using, join
with a as (select source, count() as n from logs group by source), b as (select source, countIf(severity_text='ERROR') as e from logs group by source) select a.source, n, e, e / n as rate from a join b using (source) order by rate desc, a.source
--> {"source":"postgres_logs","n":3,"e":2,"rate":0.6666666666666666}
--> {"source":"auth_logs","n":2,"e":1,"rate":0.5}
--> {"source":"edge_logs","n":6,"e":1,"rate":0.16666666666666666}
--> {"source":"function_logs","n":3,"e":0,"rate":0.0}

-- with, max, with
with (select max(timestamp) from logs where source='edge_logs') as last select id from logs where timestamp > last - interval 1 day and source='edge_logs' order by id
--> {"id":"a1"}
--> {"id":"a2"}
--> {"id":"a3"}
--> {"id":"a4"}
--> {"id":"a5"}
--> {"id":"a6"}

-- has, with
with ['edge_logs','auth_logs'] as wanted select count() from logs where has(wanted, source)
--> {"count()":8}

-- sum, union all, with
with x as (select 1 as n union all select 2) select sum(n) as s from x
--> {"s":3}

-- order by
select id from logs where source = (select source from logs group by source order by count() desc limit 1) order by id limit 2
--> {"id":"a1"}
--> {"id":"a2"}

-- order by
select source, (select count() from logs) as total, count() as c from logs group by source order by source
--> {"source":"auth_logs","total":14,"c":2}
--> {"source":"edge_logs","total":14,"c":6}
--> {"source":"function_logs","total":14,"c":3}
--> {"source":"postgres_logs","total":14,"c":3}

-- max, order by
select id from logs where id in (select max(id) from logs group by source) order by id
--> {"id":"a6"}
--> {"id":"b3"}
--> {"id":"c2"}
--> {"id":"d3"}

-- order by
select id from logs where id not in (select id from logs where severity_text = 'INFO') order by id
--> {"id":"a3"}
--> {"id":"a4"}
--> {"id":"b1"}
--> {"id":"b2"}
--> {"id":"b3"}
--> {"id":"c2"}
--> {"id":"d3"}

-- where, max, order by
select id from logs where (source, timestamp) in (select source, max(timestamp) from logs group by source) order by id
--> {"id":"a6"}
--> {"id":"b3"}
--> {"id":"c2"}
--> {"id":"d3"}

-- countIf, having, order by
select source from logs group by source having countIf(severity_text='ERROR') > 0 and count() >= 2 order by source
--> {"source":"auth_logs"}
--> {"source":"edge_logs"}
--> {"source":"postgres_logs"}

-- max, order by
select source from logs group by source order by max(timestamp) desc limit 1
--> {"source":"function_logs"}

-- with, order by
select source, count() as c from logs group by source order by c desc, source limit 1 with ties
--> {"source":"edge_logs","c":6}

-- limit by, order by
select id, source from logs order by source desc, id limit 1 by source limit 2
--> {"id":"b1","source":"postgres_logs"}
--> {"id":"d1","source":"function_logs"}

-- limit by, order by
select id, source from logs order by id limit 1 offset 1 by source
--> {"id":"a2","source":"edge_logs"}
--> {"id":"b2","source":"postgres_logs"}
--> {"id":"c2","source":"auth_logs"}
--> {"id":"d2","source":"function_logs"}

-- toStartOfDay, limit by, order by
select toStartOfDay(timestamp) as d, source, count() as c from logs group by d, source order by d, c desc, source limit 1 by d
--> {"d":1739145600000000,"source":"edge_logs","c":6}
--> {"d":1739232000000000,"source":"postgres_logs","c":1}
--> {"d":1743292800000000,"source":"function_logs","c":2}
--> {"d":1767139200000000,"source":"function_logs","c":1}

-- toStartOfHour, countIf, toDateTime, toIntervalHour
select toStartOfHour(timestamp) as h, countIf(severity_text='ERROR') as errors, count() as total from logs where timestamp between '2025-02-10 10:00:00' and '2025-02-10 14:00:00' group by h order by h with fill from toStartOfHour(toDateTime('2025-02-10 10:00:00')) to toStartOfHour(toDateTime('2025-02-10 14:00:00')) step toIntervalHour(1)
--> {"h":1739181600000000,"errors":3,"total":8}
--> {"h":1739185200000000,"errors":0,"total":1}
--> {"h":1739188800000000,"errors":0,"total":0}
--> {"h":1739192400000000,"errors":0,"total":0}

-- toStartOfInterval, toDateTime, with fill
select toStartOfInterval(timestamp, interval 4 hour) as t, severity_text as s, count() as c from logs where source='edge_logs' group by t, s order by s, t with fill from toDateTime('2025-02-10 08:00:00') to toDateTime('2025-02-10 20:00:00') step interval 4 hour
--> {"t":1739174400000000,"s":"ERROR","c":1}
--> {"t":1739188800000000,"s":"ERROR","c":0}
--> {"t":1739203200000000,"s":"ERROR","c":0}
--> {"t":1739174400000000,"s":"INFO","c":3}
--> {"t":1739188800000000,"s":"INFO","c":0}
--> {"t":1739203200000000,"s":"INFO","c":0}
--> {"t":1739217600000000,"s":"INFO","c":1}
--> {"t":1739174400000000,"s":"WARN","c":1}
--> {"t":1739188800000000,"s":"WARN","c":0}
--> {"t":1739203200000000,"s":"WARN","c":0}

-- toDate, with fill, with
select toDate(timestamp) as d, source, count() as c from logs where timestamp < '2025-02-13' group by d, source order by source desc, d with fill from toDate('2025-02-10') to toDate('2025-02-12') step 1
--> {"d":"2025-02-10","source":"postgres_logs","c":2}
--> {"d":"2025-02-11","source":"postgres_logs","c":1}
--> {"d":"2025-02-10","source":"edge_logs","c":6}
--> {"d":"2025-02-11","source":"edge_logs","c":0}
--> {"d":"2025-02-10","source":"auth_logs","c":2}
--> {"d":"2025-02-11","source":"auth_logs","c":0}

-- numbers, order by
select number, number * number as sq from numbers(5) where number % 2 = 0 order by number desc
--> {"number":4,"sq":16}
--> {"number":2,"sq":4}
--> {"number":0,"sq":0}

-- toDate, numbers, join
select toDate('2025-02-10') + number as d, count(l.id) as c from numbers(3) as n left join logs as l on toDate(l.timestamp) = toDate('2025-02-10') + n.number group by d order by d
--> {"d":"2025-02-10","c":10}
--> {"d":"2025-02-11","c":1}
--> {"d":"2025-02-12","c":1}

-- numbers, join, toHour
select n.number as h, c from numbers(24) as n left join (select toHour(timestamp) as hh, count() as c from logs group by hh) as x on n.number = x.hh where c > 0 order by h
--> {"h":0,"c":1}
--> {"h":1,"c":1}
--> {"h":8,"c":1}
--> {"h":10,"c":8}
--> {"h":11,"c":1}
--> {"h":23,"c":2}

-- a plain query
select * from (select 1 as a, 2 as b) as x, (select 3 as c) as y
--> {"a":1,"b":2,"c":3}

-- join, join
select x.a as a, y.a as b from (select 1 as a) x left join (select 2 as a) y on x.a = y.a
--> {"a":1,"b":0}

-- extractKeyValuePairs
select id, extractKeyValuePairs('a=1 b="x y" c=', '=', ' ')['b'] as b from logs where id='a1'
--> {"id":"a1","b":"x y"}

-- extractKeyValuePairs, extractAllGroupsVertical
select extractKeyValuePairs('level:info, user:"bob smith"') as k, extractAllGroupsVertical('k1=v1;k2=v2', '(\\w+)=(\\w+)') as g
--> {"k":[{"level":"info","user":"bob smith"}],"g":[["k1","v1"],["k2","v2"]]}

-- any
select source, any(log_attributes)['request.method'] as m from logs where source='edge_logs' group by source
--> {"source":"edge_logs","m":"GET"}

-- columns, order by
select columns('id|sour') from logs order by id limit 1
--> {"id":"a1","source":"edge_logs"}

-- a plain query
select * from values('k String, v UInt8', ('a', 1), ('b', 2)) as t where v > 1
--> {"k":"b","v":2}

-- x, join, join
select t.k as k from (select * from values(('a', 1), ('b', 2))) as x(k, v) join (select 'a' as k) as t on x.k = t.k
--> {"k":"a"}

-- toStartOfHour, countIf, round
select toStartOfHour(timestamp) as hour, countIf(log_attributes['response.status_code'] like '5%') as server, countIf(log_attributes['response.status_code'] like '4%') as client, round(server / count() * 100, 2) as pct from logs where source = 'edge_logs' group by hour order by hour
--> {"hour":1739181600000000,"server":1,"client":1,"pct":25.0}
--> {"hour":1739185200000000,"server":0,"client":0,"pct":0.0}
--> {"hour":1739228400000000,"server":0,"client":0,"pct":0.0}

-- quantilesIf, toFloat64OrZero, order by
select log_attributes['request.path'] as path, quantilesIf(0.5, 0.95)(toFloat64OrZero(log_attributes['response.origin_time']), log_attributes['request.method'] = 'GET') as q from logs where source='edge_logs' group by path order by path
--> {"path":"/auth/v1/user","q":[5.0,5.0]}
--> {"path":"/rest/v1/items","q":[12.0,813.9]}
--> {"path":"/storage/v1/object/7","q":[null,null]}

-- groupArray, order by
select source, groupArray(3)(event_message) as samples, count() from logs group by source order by source
--> {"source":"auth_logs","samples":["request completed","{\"level\":\"error\",\"msg\":\"invalid login\",\"user\":{\"id\":7,\"tags\":[\"a\",\"b\"]}}"],"count()":2}
--> {"source":"edge_logs","samples":["GET /rest/v1/items 200","POST /rest/v1/items 201","GET /auth/v1/user 401"],"count()":6}
--> {"source":"function_logs","samples":["boot","shutdown","boot"],"count()":3}
--> {"source":"postgres_logs","samples":["connection received: host=10.0.0.1","duplicate key value violates unique constraint","canceling statement due to statement timeout"],"count()":3}

-- arrayMap, length, groupArray
select source, arrayMap(x -> length(x), groupArray(event_message)) as l from logs where source='auth_logs' group by source
--> {"source":"auth_logs","l":[17,72]}

-- sumMap, map, order by
select source, sumMap(map(severity_text, 1)) as m from logs group by source order by source
--> {"source":"auth_logs","m":[{"ERROR":1,"INFO":1}]}
--> {"source":"edge_logs","m":[{"ERROR":1,"INFO":4,"WARN":1}]}
--> {"source":"function_logs","m":[{"":1,"INFO":2}]}
--> {"source":"postgres_logs","m":[{"ERROR":2,"LOG":1}]}

-- map, countIf, order by
select source, map('count', count(), 'errors', countIf(severity_text='ERROR')) as m from logs group by source order by source
--> {"source":"auth_logs","m":[{"count":2,"errors":1}]}
--> {"source":"edge_logs","m":[{"count":6,"errors":1}]}
--> {"source":"function_logs","m":[{"count":3,"errors":0}]}
--> {"source":"postgres_logs","m":[{"count":3,"errors":2}]}

-- tuple, min, max
select source, tuple(min(timestamp), max(timestamp)) as t from logs group by source order by source
--> {"source":"auth_logs","t":{"_field_1":1739181780000000,"_field_2":1739181810000000}}
--> {"source":"edge_logs","t":{"_field_1":1739181600000000,"_field_2":1739231999999999}}
--> {"source":"function_logs","t":{"_field_1":1743294600000000,"_field_2":1767223800000000}}
--> {"source":"postgres_logs","t":{"_field_1":1739181725000000,"_field_2":1739262600000000}}

-- uniq, order by
select source, (count(), uniq(severity_text)) as t, t.1 as c from logs group by source order by source
--> {"source":"auth_logs","t":{"_field_1":2,"_field_2":2},"c":2}
--> {"source":"edge_logs","t":{"_field_1":6,"_field_2":3},"c":6}
--> {"source":"function_logs","t":{"_field_1":3,"_field_2":2},"c":3}
--> {"source":"postgres_logs","t":{"_field_1":3,"_field_2":2},"c":3}

-- arrayJoin, splitByChar, lower
select arrayJoin(splitByChar(' ', lower(event_message))) as w, count() as c from logs group by w order by c desc, w limit 5
--> {"w":"get","c":4}
--> {"w":"/rest/v1/items","c":3}
--> {"w":"boot","c":2}
--> {"w":"statement","c":2}
--> {"w":"/auth/v1/user","c":1}

-- splitByWhitespace, length, array join
select w, count() as c from logs array join splitByWhitespace(event_message) as w where length(w) > 3 group by w order by c desc, w limit 4
--> {"w":"/rest/v1/items","c":3}
--> {"w":"boot","c":2}
--> {"w":"statement","c":2}
--> {"w":"/auth/v1/user","c":1}

-- arrayJoin, extractAll, order by
select arrayJoin(extractAll(event_message, '[0-9]+')) as n, count() from logs group by n order by n
--> {"n":"0","count()":2}
--> {"n":"1","count()":7}
--> {"n":"10","count()":1}
--> {"n":"200","count()":1}
--> {"n":"201","count()":1}
--> {"n":"204","count()":1}
--> {"n":"304","count()":1}
--> {"n":"401","count()":1}
--> {"n":"500","count()":1}
--> {"n":"7","count()":2}

-- arraySort, extractAll, order by
select id, arraySort(extractAll(event_message, '[a-z]+'))[1] as first from logs order by id limit 4
--> {"id":"a1","first":"items"}
--> {"id":"a2","first":"items"}
--> {"id":"a3","first":"auth"}
--> {"id":"a4","first":"items"}

-- multiIf, toHour, order by
select multiIf(hour < 12, 'morning', hour < 18, 'afternoon', 'evening') as part, count() as c from (select toHour(timestamp) as hour from logs) group by part order by part
--> {"part":"evening","c":2}
--> {"part":"morning","c":12}

-- toDayOfWeek, order by
select toDayOfWeek(timestamp) in (6, 7) as weekend, count() from logs group by weekend order by weekend
--> {"weekend":false,"count()":12}
--> {"weekend":true,"count()":2}

-- toHour, toMinute, order by
select id from logs where toHour(timestamp) between 9 and 11 and toMinute(timestamp) >= 5 order by id
--> {"id":"a4"}
--> {"id":"a5"}

-- not, order by
select id from logs where not (source in ('edge_logs','auth_logs')) and severity_text <> 'INFO' order by id
--> {"id":"b1"}
--> {"id":"b2"}
--> {"id":"b3"}
--> {"id":"d3"}

-- where, order by
select id from logs where (severity_text = 'ERROR' or event_message like '%boot%') and timestamp < '2025-03-01' order by id
--> {"id":"a4"}
--> {"id":"b2"}
--> {"id":"b3"}
--> {"id":"c2"}

-- empty, order by
select id from logs where log_attributes['a'] = '' and empty(log_attributes['b']) order by id limit 1
--> {"id":"a1"}

-- lower, order by
select id from logs where lower(event_message) like '%get%' order by timestamp desc, id desc limit 2
--> {"id":"a6"}
--> {"id":"a4"}

-- order by
select id from logs where event_message = 'boot' or event_message in ('shutdown') order by id
--> {"id":"d1"}
--> {"id":"d2"}
--> {"id":"d3"}

-- length, position
select count() from logs where length(event_message) > 20 and position(event_message, 'v1') > 0
--> {"count()":6}

-- match
select count() from logs where match(event_message, '^(GET|POST) /rest/v1/items')
--> {"count()":4}

-- countIf, match
select countIf(match(event_message, '\\b\\d{3}$')) as n from logs
--> {"n":6}

-- uniqExactIf, uniqIf
select uniqExactIf(log_attributes['request.path'], source='edge_logs') as u, uniqIf(source, severity_text != 'INFO') as v from logs
--> {"u":3,"v":4}

-- minIf, maxIf
select minIf(timestamp, severity_text='ERROR') as f, maxIf(timestamp, severity_text='ERROR') as l from logs
--> {"f":1739181726000000,"l":1739262600000000}

-- avgIf, sumIf, maxIf, anyIf, groupArrayIf
select avgIf(1, severity_text='NOPE') as a, sumIf(1, severity_text='NOPE') as s, maxIf(id, severity_text='NOPE') as m, anyIf(id, severity_text='NOPE') as n, groupArrayIf(id, severity_text='NOPE') as g, minIf(timestamp, severity_text='NOPE') as t from logs
--> {"a":null,"s":0,"m":"","n":"","g":[],"t":0}

-- argMaxIf, argMinIf
select argMaxIf(id, timestamp, severity_text='ERROR') as a, argMinIf(event_message, timestamp, source='auth_logs') as b from logs
--> {"a":"b3","b":"request completed"}

-- quantileIf, toFloat64OrZero
select quantileIf(0.9)(toFloat64OrZero(log_attributes['response.origin_time']), source='edge_logs') as q from logs
--> {"q":475.5}

-- countDistinctIf
select countDistinctIf(source, severity_text='ERROR') from logs
--> {"countDistinctIf(source, equals(severity_text, 'ERROR'))":3}

-- sumOrNullIf, avgOrNullIf
select sumOrNullIf(1, severity_text='NOPE') as a, avgOrNullIf(1, severity_text='NOPE') as b from logs
--> {"a":null,"b":null}

-- countIf, over, order by
select countIf(severity_text='ERROR') over (partition by source) as e, id from logs order by id
--> {"e":1,"id":"a1"}
--> {"e":1,"id":"a2"}
--> {"e":1,"id":"a3"}
--> {"e":1,"id":"a4"}
--> {"e":1,"id":"a5"}
--> {"e":1,"id":"a6"}
--> {"e":2,"id":"b1"}
--> {"e":2,"id":"b2"}
--> {"e":2,"id":"b3"}
--> {"e":1,"id":"c1"}
--> {"e":1,"id":"c2"}
--> {"e":0,"id":"d1"}
--> {"e":0,"id":"d2"}
--> {"e":0,"id":"d3"}

-- max, over, order by
select id, max(timestamp) over (partition by source) = timestamp as is_last from logs order by id
--> {"id":"a1","is_last":false}
--> {"id":"a2","is_last":false}
--> {"id":"a3","is_last":false}
--> {"id":"a4","is_last":false}
--> {"id":"a5","is_last":false}
--> {"id":"a6","is_last":true}
--> {"id":"b1","is_last":false}
--> {"id":"b2","is_last":false}
--> {"id":"b3","is_last":true}
--> {"id":"c1","is_last":false}
--> {"id":"c2","is_last":true}
--> {"id":"d1","is_last":false}
--> {"id":"d2","is_last":false}
--> {"id":"d3","is_last":true}

-- first_value, over, order by
select id, first_value(event_message) over (partition by source order by timestamp desc) as last_message from logs order by id limit 3
--> {"id":"a1","last_message":"GET /rest/v1/items?select=* 304"}
--> {"id":"a2","last_message":"GET /rest/v1/items?select=* 304"}
--> {"id":"a3","last_message":"GET /rest/v1/items?select=* 304"}

-- over, order by
select id, count() over (order by timestamp rows between unbounded preceding and current row) as n from logs order by timestamp
--> {"id":"a1","n":1}
--> {"id":"a2","n":2}
--> {"id":"a3","n":3}
--> {"id":"b1","n":4}
--> {"id":"b2","n":5}
--> {"id":"c1","n":6}
--> {"id":"c2","n":7}
--> {"id":"a4","n":8}
--> {"id":"a5","n":9}
--> {"id":"a6","n":10}
--> {"id":"b3","n":11}
--> {"id":"d1","n":12}
--> {"id":"d2","n":13}
--> {"id":"d3","n":14}

-- avg, length, over
select id, avg(length(event_message)) over (order by id rows between 1 preceding and 1 following) as a from logs order by id limit 3
--> {"id":"a1","a":22.5}
--> {"id":"a2","a":22.0}
--> {"id":"a3","a":22.0}

-- row_number, over, order by
select id, row_number() over () > 0 as r from logs order by id limit 1
--> {"id":"a1","r":true}

-- sum, over, order by
select source, sum(count()) over (order by source) as running from logs group by source order by source
--> {"source":"auth_logs","running":2}
--> {"source":"edge_logs","running":8}
--> {"source":"function_logs","running":11}
--> {"source":"postgres_logs","running":14}

-- rank, over, order by
select source, rank() over (order by count() desc) as r, count() as c from logs group by source order by r, source
--> {"source":"edge_logs","r":1,"c":6}
--> {"source":"function_logs","r":2,"c":3}
--> {"source":"postgres_logs","r":2,"c":3}
--> {"source":"auth_logs","r":4,"c":2}

-- max, over, order by
select source, c, max(c) over () as m, c = m as top from (select source, count() as c from logs group by source) order by source
--> {"source":"auth_logs","c":2,"m":6,"top":false}
--> {"source":"edge_logs","c":6,"m":6,"top":true}
--> {"source":"function_logs","c":3,"m":6,"top":false}
--> {"source":"postgres_logs","c":3,"m":6,"top":false}

-- lagInFrame, if, toStartOfHour
select h, c, lagInFrame(c) over (order by h) as prev, if(prev = 0, 0, c / prev) as ratio from (select toStartOfHour(timestamp) as h, count() as c from logs group by h) order by h
--> {"h":1739181600000000,"c":8,"prev":0,"ratio":0.0}
--> {"h":1739185200000000,"c":1,"prev":8,"ratio":0.125}
--> {"h":1739228400000000,"c":1,"prev":1,"ratio":1.0}
--> {"h":1739260800000000,"c":1,"prev":1,"ratio":1.0}
--> {"h":1743292800000000,"c":1,"prev":1,"ratio":1.0}
--> {"h":1743296400000000,"c":1,"prev":1,"ratio":1.0}
--> {"h":1767222000000000,"c":1,"prev":1,"ratio":1.0}

-- toHour, toDate, join
select a.h as h, a.c as today, b.c as before from (select toHour(timestamp) as h, count() as c from logs where toDate(timestamp) = '2025-02-10' group by h) a left join (select toHour(timestamp) as h, count() as c from logs where toDate(timestamp) = '2025-02-11' group by h) b on a.h = b.h order by h
--> {"h":10,"today":8,"before":0}
--> {"h":11,"today":1,"before":0}
--> {"h":23,"today":1,"before":0}

-- join
select a.id, b.id from logs a inner join logs b on a.source = b.source and a.id < b.id where a.source = 'auth_logs'
--> {"id":"c1","b.id":"c2"}

-- join
select count() from logs a left join logs b on a.id = b.log_attributes['x']
--> {"count()":14}

-- join, distinct, order by
select a.source s, count(distinct b.id) n from logs a left join logs b on a.source = b.source group by s order by s
--> {"s":"auth_logs","n":2}
--> {"s":"edge_logs","n":6}
--> {"s":"function_logs","n":3}
--> {"s":"postgres_logs","n":3}

-- join, using, join
select l.id as id, u.name as name from logs l left join (select 'a1' as id, 'one' as name union all select 'a2', 'two') u using (id) order by id limit 3
--> {"id":"a1","name":"one"}
--> {"id":"a2","name":"two"}
--> {"id":"a3","name":""}

-- join, join
select id, name from logs join (select 'a1' as id, 'one' as name) as u using id
--> {"id":"a1","name":"one"}

-- sum, union all, order by
select s, sum(n) as n from (select source as s, 1 as n from logs union all select severity_text as s, 10 as n from logs) group by s order by s
--> {"s":"","n":10}
--> {"s":"ERROR","n":40}
--> {"s":"INFO","n":70}
--> {"s":"LOG","n":10}
--> {"s":"WARN","n":10}
--> {"s":"auth_logs","n":2}
--> {"s":"edge_logs","n":6}
--> {"s":"function_logs","n":3}
--> {"s":"postgres_logs","n":3}

-- union all, order by
select * from (select source, count() as c from logs group by source union all select 'total', count() from logs) order by c, source
--> {"source":"auth_logs","c":2}
--> {"source":"function_logs","c":3}
--> {"source":"postgres_logs","c":3}
--> {"source":"edge_logs","c":6}
--> {"source":"total","c":14}

-- toDate, distinct, order by
select distinct toDate(timestamp) as d from logs order by d
--> {"d":"2025-02-10"}
--> {"d":"2025-02-11"}
--> {"d":"2025-03-30"}
--> {"d":"2025-12-31"}

-- toDate, distinct, order by
select distinct source, toDate(timestamp) as d from logs order by source, d limit 3
--> {"source":"auth_logs","d":"2025-02-10"}
--> {"source":"edge_logs","d":"2025-02-10"}
--> {"source":"function_logs","d":"2025-03-30"}

-- uniqExact, tuple, distinct
select count(), count(distinct source, severity_text), uniqExact(tuple(source, severity_text)) from logs
--> {"count()":14,"count(DISTINCT source, severity_text)":9,"uniqExact(tuple(source, severity_text))":9}

-- any, anyLast, order by
select any(source) as s, anyLast(source) as l from (select source from logs order by timestamp)
--> {"s":"edge_logs","l":"function_logs"}

-- order by
select source from logs group by source order by count() desc, source limit 2
--> {"source":"edge_logs"}
--> {"source":"function_logs"}

-- max, having, order by
select source, count() from logs group by source having count() = max(1) or count() > 2 order by source
--> {"source":"edge_logs","count()":6}
--> {"source":"function_logs","count()":3}
--> {"source":"postgres_logs","count()":3}

-- concat, order by
select id as a, a as b, concat(b, '!') as c from logs order by a limit 1
--> {"a":"a1","b":"a1","c":"a1!"}

-- length, order by
select event_message as m, length(m) as l, l > 20 as long from logs order by l desc, m limit 2
--> {"m":"{\"level\":\"error\",\"msg\":\"invalid login\",\"user\":{\"id\":7,\"tags\":[\"a\",\"b\"]}}","l":72,"long":true}
--> {"m":"duplicate key value violates unique constraint","l":46,"long":true}

-- countIf
select count() as total, countIf(source='edge_logs') as edge, total - edge as rest, edge / total as share from logs
--> {"total":14,"edge":6,"rest":8,"share":0.42857142857142855}

-- toUInt32, toString, toFloat64, toInt32, round
select toUInt32(count()) as a, toString(count()) as b, toFloat64(count()) / 3 as c, toInt32(round(avg(length(event_message)))) as d from logs
--> {"a":14,"b":"14","c":4.666666666666667,"d":27}

-- floor, avg, length, ceil, round
select floor(avg(length(event_message)), 1) as a, ceil(avg(length(event_message))) as b, round(avg(length(event_message)), 3) as c from logs
--> {"a":27.0,"b":28.0,"c":27.071}

-- formatReadableSize, sum, length, formatReadableQuantity
select formatReadableSize(sum(length(event_message))) as s, formatReadableQuantity(count()) as q from logs
--> {"s":"379.00 B","q":"14.00"}

-- formatReadableSize, formatReadableQuantity
select formatReadableSize(0) as a, formatReadableSize(1023) as b, formatReadableSize(1024) as c, formatReadableSize(1e12) as d, formatReadableQuantity(1e9) as e
--> {"a":"0.00 B","b":"1023.00 B","c":"1.00 KiB","d":"931.32 GiB","e":"1.00 billion"}

-- concat, toString, toHour
select concat(toString(toHour(timestamp)), 'h') as h, count() from logs group by h order by h
--> {"h":"0h","count()":1}
--> {"h":"10h","count()":8}
--> {"h":"11h","count()":1}
--> {"h":"1h","count()":1}
--> {"h":"23h","count()":2}
--> {"h":"8h","count()":1}

-- leftPad, toString, toHour
select leftPad(toString(toHour(timestamp)), 2, '0') as h, count() from logs group by h order by h
--> {"h":"00","count()":1}
--> {"h":"01","count()":1}
--> {"h":"08","count()":1}
--> {"h":"10","count()":8}
--> {"h":"11","count()":1}
--> {"h":"23","count()":2}

-- toStartOfInterval, order by
select toStartOfInterval(timestamp, interval 15 minute, 'America/New_York') as t, count() from logs group by t order by t
--> {"t":1739181600000000,"count()":8}
--> {"t":1739186100000000,"count()":1}
--> {"t":1739231100000000,"count()":1}
--> {"t":1739262600000000,"count()":1}
--> {"t":1743294600000000,"count()":1}
--> {"t":1743298200000000,"count()":1}
--> {"t":1767223800000000,"count()":1}

-- toStartOfInterval, order by
select toStartOfInterval(timestamp, interval 1 hour) + interval 30 minute as t, count() from logs group by t order by t
--> {"t":1739183400000000,"count()":8}
--> {"t":1739187000000000,"count()":1}
--> {"t":1739230200000000,"count()":1}
--> {"t":1739262600000000,"count()":1}
--> {"t":1743294600000000,"count()":1}
--> {"t":1743298200000000,"count()":1}
--> {"t":1767223800000000,"count()":1}

-- toStartOfInterval, order by
select toStartOfInterval(timestamp, interval 90 second) as t, count() from logs where source='edge_logs' group by t order by t
--> {"t":1739181600000000,"count()":3}
--> {"t":1739181960000000,"count()":1}
--> {"t":1739186100000000,"count()":1}
--> {"t":1739231910000000,"count()":1}

-- toStartOfInterval, order by
select toStartOfInterval(timestamp, interval 1 quarter) as t, toStartOfInterval(timestamp, interval 1 year) as y, count() from logs group by t, y order by t
--> {"t":"2025-01-01","y":"2025-01-01","count()":13}
--> {"t":"2025-10-01","y":"2025-01-01","count()":1}

-- toUnixTimestamp, toStartOfMinute, order by
select toUnixTimestamp(toStartOfMinute(timestamp)) as t, count() from logs where source='edge_logs' group by t order by t
--> {"t":1739181600,"count()":2}
--> {"t":1739181660,"count()":1}
--> {"t":1739182020,"count()":1}
--> {"t":1739186100,"count()":1}
--> {"t":1739231940,"count()":1}

-- toUnixTimestamp64Milli, toDateTime64, toStartOfMinute
select toUnixTimestamp64Milli(toDateTime64(toStartOfMinute(timestamp), 3)) as t from logs where id='a4'
--> {"t":1739182020000}

-- toUnixTimestamp64Micro, toUnixTimestamp64Nano
select toUnixTimestamp64Micro(timestamp) as t, toUnixTimestamp64Nano(timestamp) as n from logs where id='a4'
--> {"t":1739182020250000,"n":1739182020250000000}

-- toDateTime64, toDateTime, toDate
select toDateTime64(timestamp, 3) as a, toDateTime(timestamp) as b, toDate(timestamp) as c from logs where id='a6'
--> {"a":1739231999999000,"b":1739231999000000,"c":"2025-02-10"}

-- toTimeZone, formatDateTime, toString, toDateTime
select toTimeZone(timestamp, 'Asia/Tokyo') as t, formatDateTime(toTimeZone(timestamp, 'Asia/Tokyo'), '%H:%i') as f, toString(toTimeZone(toDateTime(timestamp), 'Asia/Tokyo')) as s from logs where id='a1'
--> {"t":1739181600000000,"f":"19:00","s":"2025-02-10 19:00:00"}

-- formatDateTime
select formatDateTime(timestamp, '%Y-%m-%dT%H:%i:%SZ') as a, formatDateTime(timestamp, '%Y-%m-%d %H:%i:%S.%f') as b, formatDateTime(timestamp, '%d %b') as c from logs where id='a4'
--> {"a":"2025-02-10T10:07:00Z","b":"2025-02-10 10:07:00.250000","c":"10 Feb"}

-- dateName, order by
select dateName('weekday', timestamp) as d, count() from logs group by d order by d
--> {"d":"Monday","count()":10}
--> {"d":"Sunday","count()":2}
--> {"d":"Tuesday","count()":1}
--> {"d":"Wednesday","count()":1}

-- dateDiff, addSeconds, addMinutes
select dateDiff('second', timestamp, addSeconds(timestamp, 90)) as a, dateDiff('s', timestamp, addMinutes(timestamp, 2)) as b from logs where id='a1'
--> {"a":90,"b":120}

-- age, toDateTime
select age('day', toDateTime('2025-02-10 12:00:00'), toDateTime('2025-02-12 11:00:00')) as a
--> {"a":1}

-- toDateTime, order by
select timestamp > toDateTime('2025-02-10 10:00:00') and timestamp < toDateTime('2025-02-10 10:01:00') as r, id from logs where source='edge_logs' order by id
--> {"r":false,"id":"a1"}
--> {"r":true,"id":"a2"}
--> {"r":false,"id":"a3"}
--> {"r":false,"id":"a4"}
--> {"r":false,"id":"a5"}
--> {"r":false,"id":"a6"}

-- toDateTime, toDateTime64
select toDateTime('2025-02-10T10:00:00') as a, toDateTime('2025-02-10') as b, toDateTime64('2025-02-10T10:00:00.5', 1) as c
--> {"a":1739181600000000,"b":1739145600000000,"c":1739181600500000}

-- toDate, toDateOrNull, toDateTimeOrNull, toDateTimeOrZero
select toDate('2025-02-10T10:00:00') as a, toDateOrNull('nope') as b, toDateTimeOrNull('2025-02-10 10:00:00') as c, toDateTimeOrZero('x') as d
--> {"a":"2025-02-10","b":null,"c":1739181600000000,"d":0}

-- JSONExtractString, JSONExtractInt
select JSONExtractString(event_message, 'user', 'tags', 1) as t, JSONExtractInt(event_message, 'user', 'id') + 1 as n from logs where id='c2'
--> {"t":"a","n":8}

-- JSONExtractKeys, arrayJoin
select JSONExtractKeys(event_message) as k, arrayJoin(k) as j from logs where id='c2'
--> {"k":["level","msg","user"],"j":"level"}
--> {"k":["level","msg","user"],"j":"msg"}
--> {"k":["level","msg","user"],"j":"user"}

-- arrayMap, JSONExtractString, JSONExtractArrayRaw
select arrayMap(x -> JSONExtractString(x), JSONExtractArrayRaw(event_message, 'user', 'tags')) as t from logs where id='c2'
--> {"t":["a","b"]}

-- countIf, JSONHas, JSONExtractString
select countIf(JSONHas(event_message, 'level')) as n, countIf(JSONExtractString(event_message, 'level') = 'error') as e from logs
--> {"n":1,"e":1}

-- ifNull, nullIf, JSONExtractString
select ifNull(nullIf(JSONExtractString(event_message, 'level'), ''), 'none') as l, count() from logs group by l order by l
--> {"l":"error","count()":1}
--> {"l":"none","count()":13}

-- toString, map, length, mapKeys, mapValues
select toString(map()) as m, length(map('a', 1)) as l, mapKeys(map('a', 1, 'b', 2)) as k, mapValues(map('a', 1)) as v, map('a', 1)['b'] as z
--> {"m":"{}","l":1,"k":["a","b"],"v":[1],"z":0}

-- tuple
select tuple(1, 'a', [1,2]) as t, (1, (2, 3)).2.1 as n, [(1, 'x')] as l
--> {"t":{"_field_1":1,"_field_2":"a","_field_3":[1,2]},"n":2,"l":[{"_field_1":1,"_field_2":"x"}]}

-- arrayElement, arraySlice, arrayReverse, arrayUniq, arrayIntersect
select arrayElement(['a','b'], -1) as a, arraySlice(['a','b','c'], 2) as b, arrayReverse([1,2]) as c, arrayUniq(['a','a']) as d, arrayIntersect([1,2,3],[2,3,4]) as e
--> {"a":"b","b":["b","c"],"c":[2,1],"d":1,"e":[2,3]}

-- arrayJoin, order by
select in_list.x as x from (select arrayJoin([1,2,3]) as x) as in_list where x in (select arrayJoin([2,3])) order by x
--> {"x":2}
--> {"x":3}

-- if, toString, numbers
select number, if(number % 15 = 0, 'FizzBuzz', if(number % 5 = 0, 'Buzz', toString(number))) as f from numbers(1, 15) where f != '' order by number limit 5
--> {"number":1,"f":"1"}
--> {"number":2,"f":"2"}
--> {"number":3,"f":"3"}
--> {"number":4,"f":"4"}
--> {"number":5,"f":"Buzz"}

-- numbers, join, order by
select n.number as a, m.number as b from numbers(2) as n cross join numbers(2) as m order by a, b
--> {"a":0,"b":0}
--> {"a":0,"b":1}
--> {"a":1,"b":0}
--> {"a":1,"b":1}

-- toHour, toDateTime, toStartOfDay, toDate, toString
select toHour(toDateTime(timestamp, 'Asia/Tokyo')) as h, toStartOfDay(toDateTime(timestamp, 'Asia/Tokyo')) as d, toDate(toDateTime(timestamp, 'Asia/Tokyo')) as t, toString(toDateTime(timestamp, 'Asia/Tokyo')) as s, count() from logs group by h, d, t, s order by s
--> {"h":19,"d":1739113200000000,"t":"2025-02-10","s":"2025-02-10 19:00:00","count()":1}
--> {"h":19,"d":1739113200000000,"t":"2025-02-10","s":"2025-02-10 19:00:30","count()":1}
--> {"h":19,"d":1739113200000000,"t":"2025-02-10","s":"2025-02-10 19:01:10","count()":1}
--> {"h":19,"d":1739113200000000,"t":"2025-02-10","s":"2025-02-10 19:02:05","count()":1}
--> {"h":19,"d":1739113200000000,"t":"2025-02-10","s":"2025-02-10 19:02:06","count()":1}
--> {"h":19,"d":1739113200000000,"t":"2025-02-10","s":"2025-02-10 19:03:00","count()":1}
--> {"h":19,"d":1739113200000000,"t":"2025-02-10","s":"2025-02-10 19:03:30","count()":1}
--> {"h":19,"d":1739113200000000,"t":"2025-02-10","s":"2025-02-10 19:07:00","count()":1}
--> {"h":20,"d":1739113200000000,"t":"2025-02-10","s":"2025-02-10 20:15:00","count()":1}
--> {"h":8,"d":1739199600000000,"t":"2025-02-11","s":"2025-02-11 08:59:59","count()":1}
--> {"h":17,"d":1739199600000000,"t":"2025-02-11","s":"2025-02-11 17:30:00","count()":1}
--> {"h":9,"d":1743260400000000,"t":"2025-03-30","s":"2025-03-30 09:30:00","count()":1}
--> {"h":10,"d":1743260400000000,"t":"2025-03-30","s":"2025-03-30 10:30:00","count()":1}
--> {"h":8,"d":1767193200000000,"t":"2026-01-01","s":"2026-01-01 08:30:00","count()":1}

-- toHour, toDateTime, formatDateTime, toString
select toHour(toDateTime('2025-02-10 10:00:00', 'Asia/Tokyo')) as h, formatDateTime(toDateTime('2025-02-10 10:00:00', 'Asia/Tokyo'), '%H') as f, toString(toDateTime('2025-02-10 10:00:00', 'Asia/Tokyo')) as s
--> {"h":10,"f":"10","s":"2025-02-10 10:00:00"}

-- date_trunc, toTimeZone, toStartOfInterval, toYYYYMMDD, toMonday
select date_trunc('day', toTimeZone(timestamp, 'Asia/Tokyo')) as d, toStartOfInterval(toTimeZone(timestamp, 'Asia/Tokyo'), interval 1 day) as e, toYYYYMMDD(toTimeZone(timestamp, 'Asia/Tokyo')) as y, toMonday(toTimeZone(timestamp, 'Asia/Tokyo')) as m from logs where id='a6'
--> {"d":1739199600000000,"e":1739199600000000,"y":20250211,"m":"2025-02-10"}

-- length, empty
select length(m) as l, empty(m) as e from (select log_attributes as m from logs where id='a1')
--> {"l":5,"e":false}

-- toYYYYMMDD, toISOWeek, toTimeZone, toYYYYMM, monthName
select toYYYYMMDD(timestamp, 'Asia/Tokyo') as a, toISOWeek(toTimeZone(timestamp, 'Asia/Tokyo')) as b, toYYYYMM(toTimeZone(timestamp, 'Asia/Tokyo')) as c, monthName(toTimeZone(timestamp, 'Asia/Tokyo')) as d, toDayOfYear(toTimeZone(timestamp, 'Asia/Tokyo')) as e, toStartOfFiveMinutes(toTimeZone(timestamp, 'Asia/Tokyo')) as f, toUnixTimestamp(toTimeZone(timestamp, 'Asia/Tokyo')) as g from logs where id='a6'
--> {"a":20250211,"b":7,"c":202502,"d":"February","e":42,"f":1739231700000000,"g":1739231999}
