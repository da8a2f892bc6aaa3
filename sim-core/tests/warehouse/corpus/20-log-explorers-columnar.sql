-- # What log explorers ask in the columnar dialect; the rows are those of an independent engine

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

-- toStartOfInterval
select toStartOfInterval(timestamp, interval 15 minute) as b, log_attributes['response.status_code'] as c, count() as n from logs where source='edge_logs' group by b, c order by b, c
--> {"b":1739181600000000,"c":"200","n":1}
--> {"b":1739181600000000,"c":"201","n":1}
--> {"b":1739181600000000,"c":"401","n":1}
--> {"b":1739181600000000,"c":"500","n":1}
--> {"b":1739186100000000,"c":"204","n":1}
--> {"b":1739231100000000,"c":"304","n":1}

-- topK
select topK(3)(log_attributes['request.path']) as t from logs where source='edge_logs'
--> {"t":["/rest/v1/items","/auth/v1/user","/storage/v1/object/7"]}

-- topKIf
select topKIf(2)(source, severity_text='INFO') as t from logs
--> {"t":["edge_logs","function_logs"]}

-- tuple
select tuple(source, count()) as t from logs group by source order by source
--> {"t":{"_field_1":"auth_logs","_field_2":2}}
--> {"t":{"_field_1":"edge_logs","_field_2":6}}
--> {"t":{"_field_1":"function_logs","_field_2":3}}
--> {"t":{"_field_1":"postgres_logs","_field_2":3}}

-- select (source, count()).2 as n from logs group by source or
select (source, count()).2 as n from logs group by source order by source
--> {"n":2}
--> {"n":6}
--> {"n":3}
--> {"n":3}

-- tupleElement, tuple
select tupleElement((1,'x'), 2) as a, (1,2) = (1,2) as b, tuple(1) as c
--> {"a":"x","b":true,"c":{"_field_1":1}}

-- cast, Nullable
select cast('x', 'Nullable(String)') as t, cast(1.7, 'Int32') as i, cast('1.7', 'Float32') as f
--> {"t":"x","i":1,"f":1.7}

-- toStartOfInterval, toIntervalHour
select toStartOfInterval(timestamp, toIntervalHour(6)) as b, count() as n from logs group by b order by b
--> {"b":1739167200000000,"n":9}
--> {"b":1739210400000000,"n":1}
--> {"b":1739253600000000,"n":1}
--> {"b":1743292800000000,"n":2}
--> {"b":1767204000000000,"n":1}

-- toStartOfInterval
select toStartOfInterval(timestamp, interval 3 hour, 'Europe/Berlin') as b, count() as n from logs group by b order by b
--> {"b":1739174400000000,"n":8}
--> {"b":1739185200000000,"n":1}
--> {"b":1739228400000000,"n":1}
--> {"b":1739260800000000,"n":1}
--> {"b":1743289200000000,"n":1}
--> {"b":1743296400000000,"n":1}
--> {"b":1767222000000000,"n":1}

-- toStartOfNanosecond, toDateTime64
select toStartOfNanosecond(toDateTime64('2025-02-10 10:00:00.123456',6,'UTC')) as a
--> {"a":1739181600123456}

-- toStartOfMillisecond, toStartOfMicrosecond, toStartOfISOYear
select toStartOfMillisecond(timestamp) as a, toStartOfMicrosecond(timestamp) as b, toStartOfISOYear(timestamp) as c from logs order by timestamp, id limit 1
--> {"a":1739181600000000,"b":1739181600000000,"c":"2024-12-30"}

-- arrayMap, arrayFilter, arraySort
select arrayMap((x, y) -> x + y, [1,2], [3,4]) as a, arrayFilter((x, y) -> y > 1, ['a','b'], [1,2]) as b, arraySort((x, y) -> y, ['a','b'], [2,1]) as c
--> {"a":[4,6],"b":["b"],"c":["b","a"]}

-- arrayReduce
select arrayReduce('max', [1,5,3]) as a, arrayReduce('avg', [1,2]) as b, arrayReduce('uniq', [1,1,2]) as c, arrayReduce('count', [1,2]) as d
--> {"a":5,"b":1.5,"c":2,"d":2}

-- arrayJoin, arrayZip
select arrayJoin(arrayZip(['a','b'],[1,2])) as p, p.1 as k, p.2 as v order by k
--> {"p":{"_field_1":"a","_field_2":1},"k":"a","v":1}
--> {"p":{"_field_1":"b","_field_2":2},"k":"b","v":2}

-- arrayStringConcat, arrayMap, upper, splitByChar
select arrayStringConcat(arrayMap(x -> upper(x), splitByChar('/', log_attributes['request.path'])), '.') as p, count() as n from logs where source='edge_logs' group by p order by p
--> {"p":".AUTH.V1.USER","n":1}
--> {"p":".REST.V1.ITEMS","n":4}
--> {"p":".STORAGE.V1.OBJECT.7","n":1}

-- arrayFirstOrNull, arrayLastOrNull, arrayMin, arrayAvg
select arrayFirstOrNull(x -> x > 5, [1,2]) as a, arrayLastOrNull(x -> x > 1, [1,2,3]) as b, arrayMin(x -> -x, [1,2]) as c, arrayAvg(x -> x * 2, [1,2]) as d
--> {"a":null,"b":3,"c":-2,"d":3.0}

-- arraySum, arrayExists, arrayAll
select arraySum(x -> x * x, [1,2,3]) as a, arrayExists(x -> x like '%a%', ['ba']) as b, arrayAll(x -> x != '', ['a']) as c
--> {"a":14,"b":true,"c":true}

-- if, multiIf
select if(1, 'a', 'b') as a, if(null, 1, 2) as b, multiIf(null, 1, 2) as c, multiIf(source = 'edge_logs', 'e', source like 'auth%', 'a', 'o') as d, count() as n from logs group by d order by d
--> {"a":"a","b":2,"c":2,"d":"a","n":2}
--> {"a":"a","b":2,"c":2,"d":"e","n":6}
--> {"a":"a","b":2,"c":2,"d":"o","n":6}

-- countIf, sumIf, length, avgIf, uniqIf
select countIf(severity_text != 'INFO') as a, sumIf(length(id), source='edge_logs') as b, avgIf(length(event_message), source='edge_logs') as c, uniqIf(source, severity_text='INFO') as d, uniqExactIf(source, severity_text='INFO') as e, groupUniqArrayIf(source, severity_text='LOG') as f, argMaxIf(source, timestamp, severity_text='LOG') as g, minIf(timestamp, severity_text='ERROR') as h from logs
--> {"a":7,"b":12,"c":25.0,"d":3,"e":3,"f":["postgres_logs"],"g":"postgres_logs","h":1739181726000000}

-- sumOrNull, length, avgOrNull, maxOrNull, countOrNull
select sumOrNull(length(id)) as a, avgOrNull(length(id)) as b, maxOrNull(id) as c, countOrNull() as d, anyOrNull(id) as e, quantileOrNull(0.5)(length(id)) as f, uniqOrNull(id) as g, sumOrDefault(length(id)) as h, minOrDefault(id) as i, avgOrDefault(length(id)) as j from logs where source='none'
--> {"a":null,"b":null,"c":null,"d":null,"e":null,"f":null,"g":null,"h":0,"i":"","j":0.0}

-- toInt64OrZero, toInt64OrNull, toUInt8OrZero, toInt32OrZero, toFloat64OrZero
select toInt64OrZero('12abc') as a, toInt64OrZero(' 12') as b, toInt64OrNull('') as c, toUInt8OrZero('300') as d, toInt32OrZero('1.5') as e, toFloat64OrZero('1e3') as f, toUInt64OrZero('-1') as g
--> {"a":0,"b":0,"c":null,"d":0,"e":0,"f":1000.0,"g":0}

-- formatDateTime
select formatDateTime(timestamp, '%Y-%m-%d %H:%i:%S') as a, formatDateTime(timestamp, '%d/%m/%y') as b, formatDateTime(timestamp, '%b %e %W') as c, formatDateTime(timestamp, '%T %R %I %p %j') as d, formatDateTime(timestamp, '%F %D %u %V %G') as e from logs order by timestamp, id limit 1
--> {"a":"2025-02-10 10:00:00","b":"10/02/25","c":"Feb 10 Monday","d":"10:00:00 10:00 10 AM 041","e":"2025-02-10 02/10/25 1 07 2025"}

-- formatDateTime, toDateTime
select formatDateTime(timestamp, '%H:%i', 'Asia/Tokyo') as a, formatDateTime(toDateTime('2025-02-10 00:00:00'), '%Q %M %a %c %h %l %k %C %n %t %%') as b from logs order by timestamp, id limit 1
--> {"a":"19:00","b":"1 February Mon 02 12 12 00 20 \n \t %"}

-- JSONExtractString, JSONExtractInt, JSONExtract, JSONExtractArrayRaw, JSONExtractKeys
select JSONExtractString(event_message, 'msg') as m, JSONExtractInt(event_message, 'status') as s, JSONExtract(event_message, 'user', 'id', 'Int64') as u, JSONExtractArrayRaw(event_message, 'tags') as t, JSONExtractKeys(event_message) as k, JSONType(event_message, 'user') as y from logs where source='auth_logs' order by timestamp
--> {"m":"","s":0,"u":0,"t":[],"k":[],"y":"Null"}
--> {"m":"invalid login","s":0,"u":7,"t":[],"k":["level","msg","user"],"y":"Object"}

-- JSON_VALUE, JSON_QUERY, JSON_EXISTS, JSONHas, JSONLength
select JSON_VALUE('{"a":{"b":"c"}}', '$.a.b') as a, JSON_QUERY('{"a":[1]}', '$.a') as b, JSON_EXISTS('{"a":1}', '$.a') as c, JSONHas('{"a":[1]}', 'a', 1) as d, JSONHas('{"a":[1]}', 'b') as e, JSONLength('[1,2]') as f, JSONType('{"a":1}', 'a') as g, JSONArrayLength('[1,2,3]') as h
--> {"a":"c","b":"[[1]]","c":true,"d":true,"e":false,"f":2,"g":"Int64","h":3}

-- simpleJSONHas, simpleJSONExtractInt, simpleJSONExtractFloat, simpleJSONExtractBool, simpleJSONExtractRaw
select simpleJSONHas('{"a":1}','a') as a, simpleJSONExtractInt('{"a":15}','a') as b, simpleJSONExtractFloat('{"a":1.5}','a') as c, simpleJSONExtractBool('{"a":true}','a') as d, simpleJSONExtractRaw('{"a":[1]}','a') as e, visitParamHas('{"a":1}','b') as f
--> {"a":true,"b":15,"c":1.5,"d":true,"e":"[1]","f":false}

-- splitByChar, splitByString, splitByRegexp, splitByNonAlpha
select splitByChar('.', 'a.b.c') as a, splitByString(', ', 'a, b') as b, splitByRegexp('[.,]', 'a.b,c') as c, splitByChar(',', 'a,b,c', 2) as d, splitByString('', 'abc') as e, splitByNonAlpha('a!b c') as f, splitByChar('/', '/a/b')[2] as g
--> {"a":["a","b","c"],"b":["a","b"],"c":["a","b","c"],"d":["a","b"],"e":["a","b","c"],"f":["a","b","c"],"g":"a"}

-- positionCaseInsensitive, countSubstringsCaseInsensitive, startsWithUTF8, hasAllTokens, like
select positionCaseInsensitive('ABC','b') as a, countSubstringsCaseInsensitive('aA','a') as b, startsWithUTF8('äb','ä') as c, hasAllTokens('a b c', ['a','b']) as d, like('abc','a%') as e, ilike('ABC','a%') as f, notLike('a','b') as g
--> {"a":2,"b":2,"c":true,"d":true,"e":true,"f":true,"g":true}

-- arrayJoin, mapKeys
select arrayJoin(mapKeys(log_attributes)) as k, count() as n from logs group by k order by n desc, k limit 5
--> {"k":"request.method","n":6}
--> {"k":"request.path","n":6}
--> {"k":"response.origin_time","n":6}
--> {"k":"response.status_code","n":6}
--> {"k":"cf.country","n":5}

-- mapKeys, mapValues, array join, join
select k, v, count() as n from logs array join mapKeys(log_attributes) as k, mapValues(log_attributes) as v where k = 'request.method' group by k, v order by v
--> {"k":"request.method","v":"DELETE","n":1}
--> {"k":"request.method","v":"GET","n":4}
--> {"k":"request.method","v":"POST","n":1}

-- groupArray
select log_attributes['request.method'] as m, groupArray(log_attributes['response.status_code']) as s from (select * from logs where source='edge_logs' order by timestamp) group by m order by m
--> {"m":"DELETE","s":["204"]}
--> {"m":"GET","s":["200","401","500","304"]}
--> {"m":"POST","s":["201"]}

-- countIf, having
select source, countIf(severity_text='ERROR') as e, e / count() as r from logs group by source having e > 0 order by r desc, source
--> {"source":"postgres_logs","e":2,"r":0.6666666666666666}
--> {"source":"auth_logs","e":1,"r":0.5}
--> {"source":"edge_logs","e":1,"r":0.16666666666666666}

-- with (select count() from logs) as total select source, coun
with (select count() from logs) as total select source, count() / total as share from logs group by source order by source
--> {"source":"auth_logs","share":0.14285714285714285}
--> {"source":"edge_logs","share":0.42857142857142855}
--> {"source":"function_logs","share":0.21428571428571427}
--> {"source":"postgres_logs","share":0.21428571428571427}

-- with 3 as n select n + 1 as x, n * n as y
with 3 as n select n + 1 as x, n * n as y
--> {"x":4,"y":9}

-- toStartOfHour
with toStartOfHour(timestamp) as h select h, count() as n from logs group by h order by h limit 3
--> {"h":1739181600000000,"n":8}
--> {"h":1739185200000000,"n":1}
--> {"h":1739228400000000,"n":1}

-- with a as (select source from logs group by source), b as (s
with a as (select source from logs group by source), b as (select count() as n from a) select n from b
--> {"n":4}

-- union, with recursive
with recursive t as (select 1 as n union all select n + 1 from t where n < 3) select n from t order by n
--> {"n":1}
--> {"n":2}
--> {"n":3}

-- sum, between
select source, count() as n, sum(n) over (order by n, source rows between unbounded preceding and current row) as running from logs group by source order by n, source
--> {"source":"auth_logs","n":2,"running":2}
--> {"source":"function_logs","n":3,"running":5}
--> {"source":"postgres_logs","n":3,"running":8}
--> {"source":"edge_logs","n":6,"running":14}

-- toStartOfHour, lagInFrame
select toStartOfHour(timestamp) as h, count() as n, n - lagInFrame(n) over (order by h) as d from logs group by h order by h
--> {"h":1739181600000000,"n":8,"d":8}
--> {"h":1739185200000000,"n":1,"d":-7}
--> {"h":1739228400000000,"n":1,"d":0}
--> {"h":1739260800000000,"n":1,"d":0}
--> {"h":1743292800000000,"n":1,"d":0}
--> {"h":1743296400000000,"n":1,"d":0}
--> {"h":1767222000000000,"n":1,"d":0}

-- dense_rank, ntile, percent_rank, cume_dist
select source, id, dense_rank() over (order by source) as d, ntile(2) over (order by id) > 0 as t, percent_rank() over (order by source) as p, cume_dist() over (order by source) as c from logs where source in ('auth_logs','postgres_logs') order by source, id limit 3
--> {"source":"auth_logs","id":"c1","d":1,"t":true,"p":0.0,"c":0.4}
--> {"source":"auth_logs","id":"c2","d":1,"t":true,"p":0.0,"c":0.4}
--> {"source":"postgres_logs","id":"b1","d":2,"t":true,"p":0.5,"c":1.0}

-- any, last_value, window
select id, any(source) over w as a, last_value(source) over w as l, count() over w as c from logs where source='auth_logs' window w as (partition by source) order by timestamp
--> {"id":"c1","a":"auth_logs","l":"auth_logs","c":2}
--> {"id":"c2","a":"auth_logs","l":"auth_logs","c":2}

-- toStartOfHour, toDateTime, with fill
select toStartOfHour(timestamp) as t, count() as n from logs where source='edge_logs' group by t order by t with fill from toDateTime('2025-02-10 09:00:00') to toDateTime('2025-02-10 14:00:00') step interval 1 hour
--> {"t":1739178000000000,"n":0}
--> {"t":1739181600000000,"n":4}
--> {"t":1739185200000000,"n":1}
--> {"t":1739188800000000,"n":0}
--> {"t":1739192400000000,"n":0}
--> {"t":1739228400000000,"n":1}

-- toStartOfMinute, toIntervalMinute, with fill
select toStartOfMinute(timestamp) as t, count() as n from logs where source='edge_logs' group by t order by t with fill step toIntervalMinute(30)
--> {"t":1739181600000000,"n":2}
--> {"t":1739181660000000,"n":1}
--> {"t":1739182020000000,"n":1}
--> {"t":1739183400000000,"n":0}
--> {"t":1739185200000000,"n":0}
--> {"t":1739186100000000,"n":1}
--> {"t":1739187000000000,"n":0}
--> {"t":1739188800000000,"n":0}
--> {"t":1739190600000000,"n":0}
--> {"t":1739192400000000,"n":0}
--> {"t":1739194200000000,"n":0}
--> {"t":1739196000000000,"n":0}
--> {"t":1739197800000000,"n":0}
--> {"t":1739199600000000,"n":0}
--> {"t":1739201400000000,"n":0}
--> {"t":1739203200000000,"n":0}
--> {"t":1739205000000000,"n":0}
--> {"t":1739206800000000,"n":0}
--> {"t":1739208600000000,"n":0}
--> {"t":1739210400000000,"n":0}
--> {"t":1739212200000000,"n":0}
--> {"t":1739214000000000,"n":0}
--> {"t":1739215800000000,"n":0}
--> {"t":1739217600000000,"n":0}
--> {"t":1739219400000000,"n":0}
--> {"t":1739221200000000,"n":0}
--> {"t":1739223000000000,"n":0}
--> {"t":1739224800000000,"n":0}
--> {"t":1739226600000000,"n":0}
--> {"t":1739228400000000,"n":0}
--> {"t":1739230200000000,"n":0}
--> {"t":1739231940000000,"n":1}

-- numbers, with fill
select number as x from numbers(1, 5) where x % 2 = 0 order by x with fill step 1
--> {"x":2}
--> {"x":3}
--> {"x":4}

-- toDate, with fill
select toDate(timestamp) as d, count() as n from logs group by d order by d with fill from toDate('2025-02-09') to toDate('2025-02-12') step 1
--> {"d":"2025-02-09","n":0}
--> {"d":"2025-02-10","n":10}
--> {"d":"2025-02-11","n":1}
--> {"d":"2025-03-30","n":2}
--> {"d":"2025-12-31","n":1}

-- limit 1 by
select source, id from logs order by source, timestamp desc, id limit 1 by source
--> {"source":"auth_logs","id":"c2"}
--> {"source":"edge_logs","id":"a6"}
--> {"source":"function_logs","id":"d3"}
--> {"source":"postgres_logs","id":"b3"}

-- dateDiff, toDate, toDateTime, timeDiff, age
select dateDiff('day', toDate('2025-02-01'), toDate('2025-02-10')) as a, dateDiff('hour', toDateTime('2025-02-10 10:59:00'), toDateTime('2025-02-10 11:00:00')) as b, dateDiff('week', toDate('2025-02-01'), toDate('2025-02-10')) as c, timeDiff(toDateTime('2025-02-10 10:00:00'), toDateTime('2025-02-10 10:00:30')) as d, age('day', toDateTime('2025-02-01 12:00:00'), toDateTime('2025-02-10 10:00:00')) as e, timestampDiff('minute', toDateTime('2025-02-10 10:00:00'), toDateTime('2025-02-10 10:10:00')) as f
--> {"a":9,"b":1,"c":2,"d":30,"e":8,"f":10}

-- greatest, least, coalesce, ifNull, isNull
select greatest('a','b') as a, least(1.5, 2) as b, coalesce(null, 'x') as c, ifNull(null, 1) as d, isNull('') as e, isNotDistinctFrom(null, null) as f, null is null as g, nullIn as h from (select 1 as nullIn)
--> {"a":"b","b":1.5,"c":"x","d":1,"e":false,"f":true,"g":true,"h":1}

-- has, between
select count() as n from logs where event_message like 'GET%' and log_attributes['response.status_code']::UInt16 between 200 and 299 and not has(['x'], source)
--> {"n":1}

-- select count() as n from logs where log_attributes['request.
select count() as n from logs where log_attributes['request.method'] = 'GET' or (source = 'postgres_logs' and severity_text in ('ERROR', 'FATAL'))
--> {"n":6}

-- select count() as n from logs where (source, severity_text) 
select count() as n from logs where (source, severity_text) not in (('edge_logs','INFO'), ('auth_logs','INFO'))
--> {"n":9}

-- toDateTime64
select count() as n from logs where timestamp >= toDateTime64('2025-02-10 10:00:00', 3) and timestamp < toDateTime64('2025-02-10 11:00:00', 3)
--> {"n":8}

-- notEmpty, length
select count() as n from logs where event_message not ilike '%get%' and notEmpty(event_message) and length(log_attributes) > 2
--> {"n":7}

-- join
select a.id as x, b.id as y from logs a inner join logs b on a.source = b.source and a.id < b.id where a.source = 'auth_logs' order by x
--> {"x":"c1","y":"c2"}

-- countIf, join, distinct
select a.source as source, countIf(b.severity_text='ERROR') as n from (select distinct source from logs) a cross join logs b where a.source = b.source group by a.source order by a.source
--> {"source":"auth_logs","n":1}
--> {"source":"edge_logs","n":1}
--> {"source":"function_logs","n":0}
--> {"source":"postgres_logs","n":2}

-- sum, union
select source, sum(c) as t from (select source, count() as c from logs group by source union all select 'edge_logs' as source, 10 as c) group by source order by t desc, source
--> {"source":"edge_logs","t":16}
--> {"source":"function_logs","t":3}
--> {"source":"postgres_logs","t":3}
--> {"source":"auth_logs","t":2}

-- select *, 1 as one from (select source, count() as n from lo
select *, 1 as one from (select source, count() as n from logs group by source) order by source limit 2
--> {"source":"auth_logs","n":2,"one":1}
--> {"source":"edge_logs","n":6,"one":1}

-- select t.* from (select source, count() as n from logs group
select t.* from (select source, count() as n from logs group by source) as t order by t.source limit 1
--> {"source":"auth_logs","n":2}

-- select source as `a b`, count() as "c d" from logs group by 
select source as `a b`, count() as "c d" from logs group by `a b` order by `a b` limit 1
--> {"a b":"auth_logs","c d":2}

-- grouping, grouping sets
select grouping(source) as g, source, count() as n from logs group by grouping sets ((source), ()) order by g, source
--> {"g":0,"source":"auth_logs","n":2}
--> {"g":0,"source":"edge_logs","n":6}
--> {"g":0,"source":"function_logs","n":3}
--> {"g":0,"source":"postgres_logs","n":3}
--> {"g":1,"source":"","n":14}

-- rollup
select source, count() as n from logs group by source with rollup order by n desc, source
--> {"source":"","n":14}
--> {"source":"edge_logs","n":6}
--> {"source":"function_logs","n":3}
--> {"source":"postgres_logs","n":3}
--> {"source":"auth_logs","n":2}

-- distinct, between
select 1 in (1,2) as a, 1 not in (2) as b, (1,2) in ((1,2)) as c, 'a' in ('a') as d, 5 between 1 and 10 as e, not 0 as f, 3 <=> 3 as g, 3 <> 4 as h, 3 is distinct from 4 as i
--> {"a":true,"b":true,"c":true,"d":true,"e":true,"f":true,"g":true,"h":true,"i":true}

-- if, toUInt16
select if(log_attributes['response.status_code'] != '', toUInt16(log_attributes['response.status_code']), 0) as s, count() as n from logs group by s order by s
--> {"s":0,"n":8}
--> {"s":200,"n":1}
--> {"s":201,"n":1}
--> {"s":204,"n":1}
--> {"s":304,"n":1}
--> {"s":401,"n":1}
--> {"s":500,"n":1}

-- toUInt16OrZero, multiIf
select toUInt16OrZero(log_attributes['response.status_code']) as status, multiIf(status >= 500, 'error', status >= 400, 'warning', status = 0, 'none', 'success') as level, count() as n from logs group by status, level order by status
--> {"status":0,"level":"none","n":8}
--> {"status":200,"level":"success","n":1}
--> {"status":201,"level":"success","n":1}
--> {"status":204,"level":"success","n":1}
--> {"status":304,"level":"success","n":1}
--> {"status":401,"level":"warning","n":1}
--> {"status":500,"level":"error","n":1}

-- nullIf, ifNull
select nullIf(log_attributes['cf'], '') as c, ifNull(c, '-') as d, count() as n from logs group by c, d order by n desc
--> {"c":null,"d":"-","n":14}

-- arrayStringConcat, groupUniqArray, arraySort, length, groupArray
select arrayStringConcat(groupUniqArray(source), ',') != '' as s, arraySort(groupUniqArray(source)) as a, length(groupArray(id)) as l from logs
--> {"s":true,"a":["auth_logs","edge_logs","function_logs","postgres_logs"],"l":14}

-- arrayMap, arraySort, groupArray
select arrayMap(t -> t.1, arraySort(t -> -t.2, groupArray((source, n)))) as a from (select source, count() as n from logs group by source) where source in ('edge_logs', 'auth_logs', 'function_logs') and n != 2
--> {"a":["edge_logs","function_logs"]}

-- positionUTF8, leftUTF8, rightUTF8, upperUTF8, reverseUTF8
select positionUTF8(event_message,'MB') as p, leftUTF8(event_message,3) as l, rightUTF8(event_message,3) as r, upperUTF8(event_message) as u, reverseUTF8(event_message) as v from logs where event_message like 'Gr%'
--> no rows

-- toString, toDate
select toString(1.0) as a, toString(1.5) as b, toString(timestamp) as c, toString(toDate(timestamp)) as d, toString(true) as e from logs order by timestamp, id limit 1
--> {"a":"1","b":"1.5","c":"2025-02-10 10:00:00","d":"2025-02-10","e":"true"}

-- toDate
select toDate(timestamp) as d, count() as n from logs group by d order by d
--> {"d":"2025-02-10","n":10}
--> {"d":"2025-02-11","n":1}
--> {"d":"2025-03-30","n":2}
--> {"d":"2025-12-31","n":1}

-- select count() as n from logs where timestamp >= '2025-02-10
select count() as n from logs where timestamp >= '2025-02-10 11:00:00'
--> {"n":6}

-- toDate
select count() as n from logs where toDate(timestamp) = '2025-02-10'
--> {"n":10}

-- toDateTime
select count() as n from logs where timestamp > toDateTime('2025-02-10 11:00:00', 'Europe/Berlin')
--> {"n":13}

-- parseDateTimeBestEffort
select count() as n from logs where timestamp > parseDateTimeBestEffort('2025-02-10T11:00:00Z')
--> {"n":6}

-- parseDateTime64BestEffort
select count() as n from logs where timestamp > parseDateTime64BestEffort('2025-02-10T11:00:00.000Z', 3)
--> {"n":6}

-- toDateTime64
select count() as n from logs where timestamp > toDateTime64('2025-02-10 11:00:00.000', 3, 'UTC')
--> {"n":6}

-- fromUnixTimestamp64Milli
select count() as n from logs where timestamp > fromUnixTimestamp64Milli(1739185200000)
--> {"n":6}

-- toDateTime
select count() as n from logs where timestamp > toDateTime(1739185200)
--> {"n":6}

-- parseDateTime
select parseDateTime('2025-02-10 11:00:00', '%Y-%m-%d %H:%i:%s') as t
--> {"t":1739185200000000}

-- select source || '/' || severity_text as c from logs order b
select source || '/' || severity_text as c from logs order by timestamp, id limit 1
--> {"c":"edge_logs/INFO"}

-- select log_attributes['response.status_code'] = '200' as ok,
select log_attributes['response.status_code'] = '200' as ok, count() as n from logs where source='edge_logs' group by ok order by ok
--> {"ok":false,"n":5}
--> {"ok":true,"n":1}

-- toUInt16OrZero, having
select toUInt16OrZero(log_attributes['response.status_code']) as s, count() as n from logs where source='edge_logs' group by s having s >= 400 order by s
--> {"s":401,"n":1}
--> {"s":500,"n":1}

-- intDiv, toUInt16OrZero
select intDiv(toUInt16OrZero(log_attributes['response.status_code']), 100) * 100 as c, count() as n from logs where source='edge_logs' group by c order by c
--> {"c":200,"n":3}
--> {"c":300,"n":1}
--> {"c":400,"n":1}
--> {"c":500,"n":1}

-- coalesce, nullIf
select coalesce(nullIf(log_attributes['x'], ''), 'none') as x, count() as n from logs group by x
--> {"x":"none","n":14}

-- mapContains
select mapContains(log_attributes,'request.method') as m, count() as n from logs group by m order by m
--> {"m":false,"n":8}
--> {"m":true,"n":6}

-- has
select has(log_attributes,'request.method') as m, count() as n from logs group by m order by m
--> {"m":false,"n":8}
--> {"m":true,"n":6}

-- arraySort, arrayReverseSort, arraySum, arrayAvg, arrayMin
select arraySort(x -> -x, [3,1,2]) as a, arrayReverseSort([3,1,2]) as b, arraySort([3,1,2]) as c, arraySum([1,2]) as d, arrayAvg([1,2]) as e, arrayMin([1,2]) as f, arrayMax([1,2]) as g, arrayDistinct([1,1,2]) as h, arrayUniq([1,1]) as i
--> {"a":[3,2,1],"b":[3,2,1],"c":[1,2,3],"d":3,"e":1.5,"f":1,"g":2,"h":[1,2],"i":1}

-- arrayFirst, arrayLast, arrayFirstIndex, arrayExists, arrayAll
select arrayFirst(x -> x > 1, [1,2,3]) as a, arrayLast(x -> x > 1, [1,2,3]) as b, arrayFirstIndex(x -> x>1,[1,2,3]) as c, arrayExists(x -> x>2,[1,2,3]) as d, arrayAll(x -> x>0,[1,2]) as e, arrayCumSum([1,2,3]) as f, arrayDifference([1,3,6]) as g
--> {"a":2,"b":3,"c":2,"d":true,"e":true,"f":[1,3,6],"g":[0,2,3]}

-- arrayReduce, arrayWithConstant, range, length, empty
select arrayReduce('sum',[1,2]) as r, arrayWithConstant(2,'x') as w, range(3) as a, range(1,4) as b, range(0,10,5) as c, length([1,2]) as l, [1,2,3][-1] as m, empty([]) as n
--> {"r":3,"w":["x","x"],"a":[0,1,2],"b":[1,2,3],"c":[0,5],"l":2,"m":3,"n":true}

-- arraySlice, arrayReverse, arrayConcat, arrayPushBack
select arraySlice([1,2,3,4],2) as a, arraySlice([1,2,3,4],2,2) as b, arraySlice([1,2,3,4],-2) as c, arrayReverse([1,2]) as d, arrayConcat([1],[2]) as e, arrayPushBack([1],2) as f
--> {"a":[2,3,4],"b":[2,3],"c":[3,4],"d":[2,1],"e":[1,2],"f":[1,2]}

-- groupArray, toInt32OrZero
select groupArray(toInt32OrZero(log_attributes['response.status_code'])) as g from (select * from logs where source='edge_logs' order by timestamp)
--> {"g":[200,201,401,500,204,304]}

-- groupArray, toDate
select groupArray(timestamp) as g, groupArray(toDate(timestamp)) as d from (select * from logs where source='postgres_logs' order by timestamp)
--> {"g":[1739181725000000,1739181726000000,1739262600000000],"d":["2025-02-10","2025-02-10","2025-02-11"]}

-- min, max, any, toDate
select min(timestamp) as a, max(timestamp) as b, any(toDate(timestamp)) as c from logs
--> {"a":1739181600000000,"b":1767223800000000,"c":"2025-02-10"}

-- groupArray
select groupArray((source, severity_text)) as g from (select * from logs where source='postgres_logs' order by timestamp)
--> {"g":[{"_field_1":"postgres_logs","_field_2":"LOG"},{"_field_1":"postgres_logs","_field_2":"ERROR"},{"_field_1":"postgres_logs","_field_2":"ERROR"}]}

-- argMax
select argMax((source, id), timestamp) as g from logs
--> {"g":{"_field_1":"function_logs","_field_2":"d3"}}

-- sumOrNull, toInt64OrNull, sum, avg, max
select sumOrNull(toInt64OrNull(log_attributes['zzz'])) as s, sum(toInt64OrNull(log_attributes['zzz'])) as t, avg(toInt64OrNull(log_attributes['zzz'])) as a, max(toInt64OrNull(log_attributes['zzz'])) as m, count(toInt64OrNull(log_attributes['zzz'])) as c from logs
--> {"s":null,"t":null,"a":null,"m":null,"c":0}

-- sum, toInt64OrZero, avg, max, min
select sum(toInt64OrZero(log_attributes['zzz'])) as t, avg(toInt64OrZero(log_attributes['x'])) as a, max(toInt64OrZero(log_attributes['x'])) as m, min(log_attributes['x']) as c, quantile(0.5)(1) as q from logs where 1=0
--> {"t":0,"a":null,"m":0,"c":"","q":null}

-- select count() as n, source from logs where 1=0 group by sou
select count() as n, source from logs where 1=0 group by source
--> no rows

-- stddevPop, stddevSamp, varPop, varSamp, stddevPopStable
select stddevPop(x) as a, stddevSamp(x) as b, varPop(x) as c, varSamp(x) as d, stddevPopStable(x) as e from (select toFloat64OrZero(log_attributes['response.origin_time']) as x from logs where source='edge_logs')
--> {"a":329.05825218847394,"b":360.46525491370176,"c":108279.33333333333,"d":129935.2,"e":329.05825218847394}

-- stddevSampIf, stddevPopIf
select stddevSampIf(1, 0), stddevPopIf(1, source='none') as y from logs
--> {"stddevSampIf(1, 0)":null,"y":null}

-- corr, covarPop, covarSamp, toFloat64OrZero, toHour
select corr(x,y) as a, covarPop(x,y) as b, covarSamp(x,y) as c from (select toFloat64OrZero(log_attributes['response.origin_time']) as x, toHour(timestamp) as y from logs where source='edge_logs')
--> {"a":-0.23587330594471836,"b":-371.3333333333333,"c":-445.6}

-- topK
select source, topK(1)(severity_text)[1] as t from logs group by source order by source
--> {"source":"auth_logs","t":"ERROR"}
--> {"source":"edge_logs","t":"INFO"}
--> {"source":"function_logs","t":"INFO"}
--> {"source":"postgres_logs","t":"ERROR"}

-- topKIf
select topKIf(2)(source, source='edge_logs') as t from logs
--> {"t":["edge_logs"]}

-- toStartOfSecond, toStartOfFiveMinutes, toStartOfTenMinutes, toStartOfFifteenMinutes, toStartOfDay
select toStartOfSecond(timestamp) as t, toStartOfFiveMinutes(timestamp) as f, toStartOfTenMinutes(timestamp) as g, toStartOfFifteenMinutes(timestamp) as h, toStartOfDay(timestamp) as i, toStartOfWeek(timestamp) as j, toStartOfWeek(timestamp,1) as k, toStartOfMonth(timestamp) as l, toStartOfQuarter(timestamp) as m, toStartOfYear(timestamp) as n, toMonday(timestamp) as o from logs where source='edge_logs' order by timestamp limit 1
--> {"t":1739181600000000,"f":1739181600000000,"g":1739181600000000,"h":1739181600000000,"i":1739145600000000,"j":"2025-02-09","k":"2025-02-10","l":"2025-02-01","m":"2025-01-01","n":"2025-01-01","o":"2025-02-10"}

-- date_trunc, dateTrunc
select date_trunc('hour', timestamp) as a, date_trunc('month', timestamp) as b, dateTrunc('week', timestamp) as c, date_trunc('minute', timestamp, 'UTC') as d from logs order by timestamp, id limit 1
--> {"a":1739181600000000,"b":"2025-02-01","c":"2025-02-10","d":1739181600000000}

-- toIntervalDay, addHours, subtractMinutes, date_add, date_sub
select timestamp + 3600 as a, timestamp + toIntervalDay(1) as b, addHours(timestamp, 2) as c, subtractMinutes(timestamp, 5) as d, date_add(hour, 1, timestamp) as e, date_sub(day, 1, timestamp) as f, timestamp + interval 1 month as g, addMonths(timestamp, 1) as h from logs order by timestamp, id limit 1
--> {"a":1739185200000000,"b":1739268000000000,"c":1739188800000000,"d":1739181300000000,"e":1739185200000000,"f":1739095200000000,"g":1741600800000000,"h":1741600800000000}

-- select timestamp + interval '1' hour as a, timestamp + inter
select timestamp + interval '1' hour as a, timestamp + interval '1 hour' as b, timestamp - interval 1 week as c, timestamp + interval 250 millisecond as d from logs order by timestamp, id limit 1
--> {"a":1739185200000000,"b":1739185200000000,"c":1738576800000000,"d":1739181600250000}

-- toDate, toDateTime
select toDate('2025-02-10') + 1 as a, toDate('2025-02-10') - interval 1 day as b, toDate('2025-02-10') - toDate('2025-02-01') as c, toDateTime('2025-02-10 10:00:00') - toDateTime('2025-02-10 09:00:00') as d
--> {"a":"2025-02-11","b":"2025-02-09","c":9,"d":3600.0}

-- max, min
select max(timestamp) - min(timestamp) as d from logs
--> {"d":28042200.0}

-- toTimezone, toStartOfDay, toDate, toDateTime
select toTimezone(timestamp,'Asia/Tokyo') as a, toStartOfDay(timestamp,'Asia/Tokyo') as b, toDate(timestamp,'Asia/Tokyo') as c, toDateTime(timestamp, 'Asia/Tokyo') as d, toDateTime(timestamp) as e from logs where source='edge_logs' order by timestamp limit 1
--> {"a":1739181600000000,"b":1739113200000000,"c":"2025-02-10","d":1739181600000000,"e":1739181600000000}

-- toDateTime
select toDateTime('2025-02-10 10:00:00','Asia/Tokyo') as a
--> {"a":1739149200000000}

-- toStartOfHour, toTimeZone, toStartOfDay
select toStartOfHour(toTimeZone(timestamp,'Asia/Kolkata')) as a, toStartOfDay(toTimeZone(timestamp,'Asia/Kolkata')) as b from logs order by timestamp, id limit 1
--> {"a":1739179800000000,"b":1739125800000000}

-- monthName, dateName, toLastDayOfMonth, toDaysSinceYearZero, toYearWeek
select monthName(timestamp) as a, dateName('weekday', timestamp) as b, toLastDayOfMonth(timestamp) as c, toDaysSinceYearZero(timestamp) as d, toYearWeek(timestamp) as e from logs order by timestamp, id limit 1
--> {"a":"February","b":"Monday","c":"2025-02-28","d":739657,"e":202506}

-- startsWith, endsWith, like, match, multiSearchAny
select startsWith(event_message,'GET') as a, endsWith(event_message,'200') as b, like(event_message,'GET%') as c, match(event_message,'^GET') as d, event_message not like '%x%' as e, event_message ilike 'get%' as f, multiSearchAny(event_message,['GET','PUT']) as g, countSubstrings(event_message,'/') as h, countMatches(event_message,'/') as i, position(event_message,'/',6) as j, locate('GET', event_message) as k from logs where source='edge_logs' order by timestamp limit 1
--> {"a":true,"b":true,"c":true,"d":true,"e":true,"f":true,"g":true,"h":3,"i":3,"j":10,"k":1}

-- hasToken, hasTokenCaseInsensitive
select hasToken(event_message,'statement') as t, hasTokenCaseInsensitive(event_message,'STATEMENT') as u from logs where source='postgres_logs' order by timestamp
--> {"t":false,"u":false}
--> {"t":false,"u":false}
--> {"t":true,"u":true}

-- select 1 as a, a + 1 as b, b * 2 as c
select 1 as a, a + 1 as b, b * 2 as c
--> {"a":1,"b":2,"c":4}

-- countIf, round
select count() as total, countIf(severity_text='ERROR') as errors, round(errors / total * 100, 2) as pct from logs
--> {"total":14,"errors":4,"pct":28.57}

-- sum
select source, count() as n, sum(n) over () as t, n / t as share from logs group by source order by source
--> {"source":"auth_logs","n":2,"t":14,"share":0.14285714285714285}
--> {"source":"edge_logs","n":6,"t":14,"share":0.42857142857142855}
--> {"source":"function_logs","n":3,"t":14,"share":0.21428571428571427}
--> {"source":"postgres_logs","n":3,"t":14,"share":0.21428571428571427}

-- avg, toInt32OrZero, nth_value, between
select id, count() over (order by timestamp rows between 1 preceding and 1 following) as c, avg(toInt32OrZero(log_attributes['response.origin_time'])) over (partition by source) as a, nth_value(id, 2) over (order by timestamp rows between unbounded preceding and unbounded following) as n from logs where source='edge_logs' order by timestamp
--> {"id":"a1","c":2,"a":168.0,"n":"a2"}
--> {"id":"a2","c":3,"a":168.0,"n":"a2"}
--> {"id":"a3","c":3,"a":168.0,"n":"a2"}
--> {"id":"a4","c":3,"a":168.0,"n":"a2"}
--> {"id":"a5","c":3,"a":168.0,"n":"a2"}
--> {"id":"a6","c":2,"a":168.0,"n":"a2"}

-- lag, lead, first_value, distinct
select source, lag(source) over (order by source) as l, lead(source, 1, 'end') over (order by source) as m, first_value(source) over (order by source) as f from (select distinct source from logs) order by source
--> {"source":"auth_logs","l":"","m":"edge_logs","f":"auth_logs"}
--> {"source":"edge_logs","l":"auth_logs","m":"function_logs","f":"auth_logs"}
--> {"source":"function_logs","l":"edge_logs","m":"postgres_logs","f":"auth_logs"}
--> {"source":"postgres_logs","l":"function_logs","m":"end","f":"auth_logs"}

-- lagInFrame, leadInFrame, distinct, between
select source, lagInFrame(source, 1) over (order by source rows between unbounded preceding and unbounded following) as l, leadInFrame(source, 1, 'z') over (order by source rows between unbounded preceding and unbounded following) as m from (select distinct source from logs) order by source
--> {"source":"auth_logs","l":"","m":"edge_logs"}
--> {"source":"edge_logs","l":"auth_logs","m":"function_logs"}
--> {"source":"function_logs","l":"edge_logs","m":"postgres_logs"}
--> {"source":"postgres_logs","l":"function_logs","m":"z"}

-- left join, join, distinct
select a.source as s, b.n as n from (select distinct source from logs) as a left join (select source, count() as n from logs where severity_text='ERROR' group by source) as b on a.source=b.source order by s
--> {"s":"auth_logs","n":1}
--> {"s":"edge_logs","n":1}
--> {"s":"function_logs","n":0}
--> {"s":"postgres_logs","n":2}

-- select id from logs order by timestamp desc, id limit 2, 3
select id from logs order by timestamp desc, id limit 2, 3
--> {"id":"d1"}
--> {"id":"b3"}
--> {"id":"a6"}

-- select id from logs order by timestamp desc, id limit 3 offs
select id from logs order by timestamp desc, id limit 3 offset 2
--> {"id":"d1"}
--> {"id":"b3"}
--> {"id":"a6"}

-- select top 2 id from logs order by timestamp, id
select top 2 id from logs order by timestamp, id
--> {"id":"a1"}
--> {"id":"a2"}

-- select id from logs order by timestamp, id fetch first 2 row
select id from logs order by timestamp, id fetch first 2 rows only
--> {"id":"a1"}
--> {"id":"a2"}

-- distinct
select distinct on (source) source, id from logs order by source, timestamp
--> {"source":"auth_logs","id":"c1"}
--> {"source":"edge_logs","id":"a1"}
--> {"source":"function_logs","id":"d1"}
--> {"source":"postgres_logs","id":"b1"}

-- groupArray
select source, groupArray(id)[1] as i from logs group by source order by source
--> {"source":"auth_logs","i":"c1"}
--> {"source":"edge_logs","i":"a1"}
--> {"source":"function_logs","i":"d1"}
--> {"source":"postgres_logs","i":"b1"}

-- arrayJoin
select arrayJoin([1,2]) as a, arrayJoin(['x','y']) as b order by a, b
--> {"a":1,"b":"x"}
--> {"a":1,"b":"y"}
--> {"a":2,"b":"x"}
--> {"a":2,"b":"y"}

-- numbers
select number, number * 2 as d from numbers(5) where number % 2 = 0
--> {"number":0,"d":0}
--> {"number":2,"d":4}
--> {"number":4,"d":8}

-- union
select 1 union all select 2
--> {"1":1}
--> {"1":2}

-- union, distinct
select 1 as x union distinct select 1 as x
--> {"x":1}

-- union
select x from (select 1 as x union all select 2 as x) order by x
--> {"x":1}
--> {"x":2}

-- select count() as n from logs where log_attributes['request.
select count() as n from logs where log_attributes['request.method'] in ('GET','POST') and not (log_attributes['response.status_code'] in ('200'))
--> {"n":4}

-- select count() as n from logs where source in (select source
select count() as n from logs where source in (select source from logs where severity_text='ERROR')
--> {"n":11}

-- select count() as n from logs where source == 'edge_logs' an
select count() as n from logs where source == 'edge_logs' and severity_text != 'ERROR'
--> {"n":5}

-- select count() as n from logs where event_message like '%\_%
select count() as n from logs where event_message like '%\_%'
--> {"n":0}

-- lower
select count() as n from logs where event_message ilike '%ITEMS%' or lower(event_message) like '%timeout%'
--> {"n":5}

-- match
select count() as n from logs where match(event_message, '(?i)ITEMS')
--> {"n":4}

-- select count() as n from logs where event_message regexp '^G
select count() as n from logs where event_message regexp '^GET'
--> {"n":4}

-- extract
select count() as n from logs where extract(event_message, '(\d{3})$') = '500'
--> {"n":1}

-- extract
select extract(hour from timestamp) as h, extract(minute from timestamp) as m from logs order by timestamp, id limit 1
--> {"h":10,"m":0}

-- quantilesExact, toInt32OrZero, medianTDigest, quantilesTiming
select quantilesExact(0.5,0.9)(toInt32OrZero(log_attributes['response.origin_time'])) as p, medianTDigest(1) as m, quantilesTiming(0.5)(1) as t from logs where source='edge_logs'
--> {"p":[33,903],"m":1.0,"t":[1]}

-- toStartOfMinute
select toStartOfMinute(timestamp) as t, source, count() as n from logs where source in ('edge_logs','auth_logs') group by t, source order by t, source
--> {"t":1739181600000000,"source":"edge_logs","n":2}
--> {"t":1739181660000000,"source":"edge_logs","n":1}
--> {"t":1739181780000000,"source":"auth_logs","n":2}
--> {"t":1739182020000000,"source":"edge_logs","n":1}
--> {"t":1739186100000000,"source":"edge_logs","n":1}
--> {"t":1739231940000000,"source":"edge_logs","n":1}

-- toUnixTimestamp, toStartOfMinute
select toUnixTimestamp(toStartOfMinute(timestamp)) * 1000 as t, count() as n from logs group by t order by t limit 2
--> {"t":1739181600000,"n":2}
--> {"t":1739181660000,"n":1}

-- toStartOfInterval, countIf, toUInt16OrZero, between
select toStartOfInterval(timestamp, interval 5 minute) as time, countIf(toUInt16OrZero(log_attributes['response.status_code']) >= 500) as e5, countIf(toUInt16OrZero(log_attributes['response.status_code']) between 400 and 499) as e4 from logs where source='edge_logs' group by time order by time asc
--> {"time":1739181600000000,"e5":0,"e4":1}
--> {"time":1739181900000000,"e5":1,"e4":0}
--> {"time":1739186100000000,"e5":0,"e4":0}
--> {"time":1739231700000000,"e5":0,"e4":0}

-- if, countIf
select if(count() = 0, 0, countIf(severity_text='ERROR') / count()) as r from logs
--> {"r":0.2857142857142857}

-- JSONExtractString, JSONExtract, Array, JSONExtractInt, JSONExtractRaw
select JSONExtractString('{"a":{"b":"c"}}', 'a', 'b') as a, JSONExtract('{"a":[1,2]}', 'a', 'Array(Int32)') as b, JSONExtract('{"a":1.5}', 'a', 'Float64') as c, JSONExtractInt('{"a":"5"}','a') as d, JSONExtractString('{"a":5}','a') as e, JSONExtractRaw('{"a":[1, 2]}','a') as f, isValidJSON('{') as g, simpleJSONExtractString('{"a":"x"}','a') as h, visitParamExtractInt('{"a":5}','a') as i, JSONExtractUInt('{"a":5}','a') as j, JSONExtractBool('{"a":true}','a') as k, JSONLength('{"a":[1]}','a') as l, toJSONString(map('a',1)) as m
--> {"a":"c","b":[1,2],"c":1.5,"d":5,"e":"5","f":"[1,2]","g":false,"h":"x","i":5,"j":5,"k":true,"l":1,"m":"{\"a\":1}"}

-- select count() as n from logs where source <> 'edge_logs'
select count() as n from logs where source <> 'edge_logs'
--> {"n":8}

-- countIf
select countIf(source = 'edge_logs') as e, count() as n from logs
--> {"e":6,"n":14}

-- select source, count() as n from logs where source not in ('
select source, count() as n from logs where source not in ('edge_logs') group by source order by source
--> {"source":"auth_logs","n":2}
--> {"source":"function_logs","n":3}
--> {"source":"postgres_logs","n":3}

-- topK
select topK(3)(log_attributes['request.path']) as t from logs where source = 'edge_logs'
--> {"t":["/rest/v1/items","/auth/v1/user","/storage/v1/object/7"]}

-- format
select format('{} {}', source, severity_text) as x from logs order by timestamp, id limit 3
--> {"x":"edge_logs INFO"}
--> {"x":"edge_logs INFO"}
--> {"x":"edge_logs WARN"}

-- format
select format('{0}-{1}-{0}', 'a', 'b') as x
--> {"x":"a-b-a"}

-- cast
select cast(log_attributes['response.status_code'], 'UInt16') as s from logs where source='edge_logs' order by timestamp
--> {"s":200}
--> {"s":201}
--> {"s":401}
--> {"s":500}
--> {"s":204}
--> {"s":304}

-- cast
select cast('12', 'Int32') as a, cast(1.5, 'String') as b, cast('2025-02-10 10:00:00', 'DateTime') as c
--> {"a":12,"b":"1.5","c":1739181600000000}

-- select log_attributes['response.status_code']::UInt16 as s f
select log_attributes['response.status_code']::UInt16 as s from logs where source='edge_logs' order by timestamp
--> {"s":200}
--> {"s":201}
--> {"s":401}
--> {"s":500}
--> {"s":204}
--> {"s":304}

-- toInt64OrNull
select toInt64OrNull(log_attributes['response.origin_time']) as o, toInt64OrNull('x') as x from logs where source='edge_logs' order by timestamp
--> {"o":12,"x":null}
--> {"o":48,"x":null}
--> {"o":5,"x":null}
--> {"o":903,"x":null}
--> {"o":33,"x":null}
--> {"o":7,"x":null}

-- tuple
select tuple(source, severity_text) as t, count() as n from logs group by t order by n desc, t limit 3
--> {"t":{"_field_1":"edge_logs","_field_2":"INFO"},"n":4}
--> {"t":{"_field_1":"function_logs","_field_2":"INFO"},"n":2}
--> {"t":{"_field_1":"postgres_logs","_field_2":"ERROR"},"n":2}

-- select (source, severity_text) as t, count() as n from logs 
select (source, severity_text) as t, count() as n from logs group by t order by n desc, t limit 3
--> {"t":{"_field_1":"edge_logs","_field_2":"INFO"},"n":4}
--> {"t":{"_field_1":"function_logs","_field_2":"INFO"},"n":2}
--> {"t":{"_field_1":"postgres_logs","_field_2":"ERROR"},"n":2}

-- tupleElement
select tupleElement((1,'a'),2) as x
--> {"x":"a"}

-- select (1,'a').2 as x
select (1,'a').2 as x
--> {"x":"a"}

-- arrayMap
select arrayMap(x -> x * 2, [1,2,3]) as x
--> {"x":[2,4,6]}

-- arrayMap
select arrayMap((x, y) -> x + y, [1,2,3], [4,5,6]) as x
--> {"x":[5,7,9]}

-- arrayFilter, mapKeys
select arrayFilter(x -> x like 'request%', mapKeys(log_attributes)) as k from logs where source='edge_logs' order by timestamp limit 1
--> {"k":["request.method","request.path"]}

-- mapFilter
select mapFilter((k, v) -> k like 'parsed.user%', log_attributes) as m from logs where source='postgres_logs' order by timestamp
--> {"m":[{"parsed.user_name":"admin"}]}
--> {"m":[{"parsed.user_name":"app"}]}
--> {"m":[{"parsed.user_name":"app"}]}

-- mapApply, upper
select mapApply((k, v) -> (k, upper(v)), log_attributes) as m from logs where source='postgres_logs' order by timestamp
--> {"m":[{"parsed.error_severity":"LOG","parsed.session_id":"S1","parsed.user_name":"ADMIN"}]}
--> {"m":[{"parsed.error_severity":"ERROR","parsed.session_id":"S1","parsed.sql_state_code":"23505","parsed.user_name":"APP"}]}
--> {"m":[{"parsed.error_severity":"ERROR","parsed.session_id":"S2","parsed.sql_state_code":"57014","parsed.user_name":"APP"}]}

-- map
select map('a', 1, 'b', 2) as m
--> {"m":[{"a":1,"b":2}]}

-- map
select map('a', 1, 'b', 2)['b'] as m
--> {"m":2}

-- array join, join
select kv.1 as k, kv.2 as v from logs array join log_attributes as kv where source = 'postgres_logs' order by timestamp, k
--> {"k":"parsed.error_severity","v":"LOG"}
--> {"k":"parsed.session_id","v":"s1"}
--> {"k":"parsed.user_name","v":"admin"}
--> {"k":"parsed.error_severity","v":"ERROR"}
--> {"k":"parsed.session_id","v":"s1"}
--> {"k":"parsed.sql_state_code","v":"23505"}
--> {"k":"parsed.user_name","v":"app"}
--> {"k":"parsed.error_severity","v":"ERROR"}
--> {"k":"parsed.session_id","v":"s2"}
--> {"k":"parsed.sql_state_code","v":"57014"}
--> {"k":"parsed.user_name","v":"app"}

-- JSONExtractString, JSONExtractInt, JSONExtractFloat, JSONExtractBool
select JSONExtractString(event_message,'level') as l, JSONExtractInt(event_message,'user','id') as i, JSONExtractFloat(event_message,'user','score') as f, JSONExtractBool(event_message,'user','ok') as b from logs where source='auth_logs' order by timestamp
--> {"l":"","i":0,"f":0.0,"b":false}
--> {"l":"error","i":7,"f":0.0,"b":false}

-- JSONExtractRaw, JSONExtractKeys, JSONHas, JSONLength
select JSONExtractRaw(event_message,'user') as r, JSONExtractKeys(event_message) as k, JSONHas(event_message,'user','roles') as h, JSONLength(event_message,'tags') as n from logs where source='auth_logs' order by timestamp
--> {"r":"","k":[],"h":false,"n":0}
--> {"r":"{\"id\":7,\"tags\":[\"a\",\"b\"]}","k":["level","msg","user"],"h":false,"n":0}

-- JSONExtract, Array
select JSONExtract(event_message,'tags','Array(String)') as t from logs where source='auth_logs' order by timestamp
--> {"t":[]}
--> {"t":[]}

-- JSONExtract, Nullable
select JSONExtract(event_message,'user','id','Nullable(Int64)') as t from logs where source='auth_logs' order by timestamp
--> {"t":null}
--> {"t":7}

-- JSONExtractArrayRaw
select JSONExtractArrayRaw(event_message,'user','roles') as t from logs where source='auth_logs' order by timestamp
--> {"t":[]}
--> {"t":[]}

-- JSONType
select JSONType(event_message,'user') as t from logs where source='auth_logs' order by timestamp
--> {"t":"Null"}
--> {"t":"Object"}

-- JSON_VALUE
select JSON_VALUE(event_message,'$.user.id') as t from logs where source='auth_logs' order by timestamp
--> {"t":""}
--> {"t":"7"}

-- JSON_QUERY
select JSON_QUERY(event_message,'$.user') as t from logs where source='auth_logs' order by timestamp
--> {"t":""}
--> {"t":"[{\"id\":7,\"tags\":[\"a\",\"b\"]}]"}

-- JSON_EXISTS
select JSON_EXISTS(event_message,'$.user') as t from logs where source='auth_logs' order by timestamp
--> {"t":false}
--> {"t":true}

-- toStartOfInterval
select toStartOfInterval(timestamp, interval 15 minute) as t, count() as n from logs group by t order by t
--> {"t":1739181600000000,"n":8}
--> {"t":1739186100000000,"n":1}
--> {"t":1739231100000000,"n":1}
--> {"t":1739262600000000,"n":1}
--> {"t":1743294600000000,"n":1}
--> {"t":1743298200000000,"n":1}
--> {"t":1767223800000000,"n":1}

-- toStartOfInterval
select toStartOfInterval(timestamp, interval 1 month) as t, count() as n from logs group by t order by t
--> {"t":"2025-02-01","n":11}
--> {"t":"2025-03-01","n":2}
--> {"t":"2025-12-01","n":1}

-- toStartOfInterval, toIntervalHour
select toStartOfInterval(timestamp, toIntervalHour(6)) as t, count() as n from logs group by t order by t
--> {"t":1739167200000000,"n":9}
--> {"t":1739210400000000,"n":1}
--> {"t":1739253600000000,"n":1}
--> {"t":1743292800000000,"n":2}
--> {"t":1767204000000000,"n":1}

-- toStartOfInterval
select toStartOfInterval(timestamp, interval 1 week) as t, count() as n from logs group by t order by t
--> {"t":"2025-02-10","n":11}
--> {"t":"2025-03-24","n":2}
--> {"t":"2025-12-29","n":1}

-- toStartOfInterval
select toStartOfInterval(timestamp, interval 1 day, 'Europe/Berlin') as t, count() as n from logs group by t order by t
--> {"t":1739142000000000,"n":9}
--> {"t":1739228400000000,"n":2}
--> {"t":1743289200000000,"n":2}
--> {"t":1767222000000000,"n":1}

-- toStartOfInterval
select toStartOfInterval(timestamp, interval 500 millisecond) as t, count() as n from logs where source='edge_logs' group by t order by t
--> {"t":1739181600000000,"n":1}
--> {"t":1739181630000000,"n":1}
--> {"t":1739181670000000,"n":1}
--> {"t":1739182020000000,"n":1}
--> {"t":1739186100000000,"n":1}
--> {"t":1739231999500000,"n":1}

-- toStartOfMinute, with fill
select toStartOfMinute(timestamp) as t, count() as n from logs where source='edge_logs' group by t order by t with fill step interval 1 minute limit 12
--> {"t":1739181600000000,"n":2}
--> {"t":1739181660000000,"n":1}
--> {"t":1739181720000000,"n":0}
--> {"t":1739181780000000,"n":0}
--> {"t":1739181840000000,"n":0}
--> {"t":1739181900000000,"n":0}
--> {"t":1739181960000000,"n":0}
--> {"t":1739182020000000,"n":1}
--> {"t":1739182080000000,"n":0}
--> {"t":1739182140000000,"n":0}
--> {"t":1739182200000000,"n":0}
--> {"t":1739182260000000,"n":0}

-- toStartOfHour, toDateTime, toIntervalHour, with fill
select toStartOfHour(timestamp) as t, count() as n from logs group by t order by t with fill from toDateTime('2025-02-10 09:00:00') to toDateTime('2025-02-10 18:00:00') step toIntervalHour(1)
--> {"t":1739178000000000,"n":0}
--> {"t":1739181600000000,"n":8}
--> {"t":1739185200000000,"n":1}
--> {"t":1739188800000000,"n":0}
--> {"t":1739192400000000,"n":0}
--> {"t":1739196000000000,"n":0}
--> {"t":1739199600000000,"n":0}
--> {"t":1739203200000000,"n":0}
--> {"t":1739206800000000,"n":0}
--> {"t":1739228400000000,"n":1}
--> {"t":1739260800000000,"n":1}
--> {"t":1743292800000000,"n":1}
--> {"t":1743296400000000,"n":1}
--> {"t":1767222000000000,"n":1}

-- limit 1 by
select source, id from logs order by source, timestamp limit 1 by source
--> {"source":"auth_logs","id":"c1"}
--> {"source":"edge_logs","id":"a1"}
--> {"source":"function_logs","id":"d1"}
--> {"source":"postgres_logs","id":"b1"}

-- limit 1 by
select source, severity_text, count() as n from logs group by source, severity_text order by n desc, source, severity_text limit 1 by source
--> {"source":"edge_logs","severity_text":"INFO","n":4}
--> {"source":"function_logs","severity_text":"INFO","n":2}
--> {"source":"postgres_logs","severity_text":"ERROR","n":2}
--> {"source":"auth_logs","severity_text":"ERROR","n":1}

-- quantile, toFloat64OrZero
select quantile(0.95)(toFloat64OrZero(log_attributes['response.origin_time'])) as p from logs where source='edge_logs'
--> {"p":689.25}

-- quantiles, toFloat64OrZero
select quantiles(0.5,0.9,0.99)(toFloat64OrZero(log_attributes['response.origin_time'])) as p from logs where source='edge_logs'
--> {"p":[22.5,475.5,860.2500000000001]}

-- quantileExact, toInt32OrZero
select quantileExact(0.5)(toInt32OrZero(log_attributes['response.origin_time'])) as p from logs where source='edge_logs'
--> {"p":33}

-- quantileExactInclusive, toInt32OrZero
select quantileExactInclusive(0.5)(toInt32OrZero(log_attributes['response.origin_time'])) as p from logs where source='edge_logs'
--> {"p":22.5}

-- quantileTDigest, toInt32OrZero
select quantileTDigest(0.5)(toInt32OrZero(log_attributes['response.origin_time'])) as p from logs where source='edge_logs'
--> {"p":12.0}

-- quantilesTDigest, toInt32OrZero
select quantilesTDigest(0.5,0.9)(toInt32OrZero(log_attributes['response.origin_time'])) as p from logs where source='edge_logs'
--> {"p":[12.0,903.0]}

-- quantileTiming, toInt32OrZero
select quantileTiming(0.5)(toInt32OrZero(log_attributes['response.origin_time'])) as p from logs where source='edge_logs'
--> {"p":33}

-- quantileDeterministic, toInt32OrZero
select quantileDeterministic(0.5)(toInt32OrZero(log_attributes['response.origin_time']), 1) as p from logs where source='edge_logs'
--> {"p":22.5}

-- quantileIf, toInt32OrZero
select quantileIf(0.5)(toInt32OrZero(log_attributes['response.origin_time']), severity_text='INFO') as p from logs where source='edge_logs'
--> {"p":22.5}

-- medianExact, toInt32OrZero
select medianExact(toInt32OrZero(log_attributes['response.origin_time'])) as p from logs where source='edge_logs'
--> {"p":33}

-- dateDiff, min, max
select dateDiff('minute', min(timestamp), max(timestamp)) as d from logs
--> {"d":467370}

-- dateDiff, toDateTime
select dateDiff('hour', toDateTime('2025-02-10 10:59:00'), toDateTime('2025-02-10 11:01:00')) as d
--> {"d":1}

-- dateDiff, min, max
select dateDiff('millisecond', min(timestamp), max(timestamp)) as d from logs where source='edge_logs'
--> {"d":50399999}

-- formatDateTime
select formatDateTime(timestamp, '%Y-%m-%d %H:%i:%S') as f from logs order by timestamp, id limit 3
--> {"f":"2025-02-10 10:00:00"}
--> {"f":"2025-02-10 10:00:30"}
--> {"f":"2025-02-10 10:01:10"}

-- formatDateTime
select formatDateTime(timestamp, '%F %T') as f, formatDateTime(timestamp, '%H:%M') as g, formatDateTime(timestamp, '%d/%m/%y') as h, formatDateTime(timestamp,'%j %u %w %V %e %I %p %b %a %f') as i from logs order by timestamp, id limit 2
--> {"f":"2025-02-10 10:00:00","g":"10:February","h":"10/02/25","i":"041 1 1 07 10 10 AM Feb Mon 000000"}
--> {"f":"2025-02-10 10:00:30","g":"10:February","h":"10/02/25","i":"041 1 1 07 10 10 AM Feb Mon 000000"}

-- formatDateTime
select formatDateTime(timestamp, '%D %R %s %G %c %l %k %h %W %M %Q %r %y %C %n%t%%') as f from logs order by timestamp, id limit 1
--> {"f":"02/10/25 10:00 00 2025 02 10 10 10 Monday February 1 10:00 AM 25 20 \n\t%"}

-- formatDateTime
select formatDateTime(timestamp, '%H:%i', 'America/New_York') as f from logs order by timestamp, id limit 1
--> {"f":"05:00"}

-- splitByChar
select splitByChar('/', log_attributes['request.path']) as p from logs where source='edge_logs' order by timestamp
--> {"p":["","rest","v1","items"]}
--> {"p":["","rest","v1","items"]}
--> {"p":["","auth","v1","user"]}
--> {"p":["","rest","v1","items"]}
--> {"p":["","storage","v1","object","7"]}
--> {"p":["","rest","v1","items"]}

-- splitByChar
select splitByChar('/', log_attributes['request.path'])[3] as p, count() as n from logs where source='edge_logs' group by p order by n desc, p
--> {"p":"v1","n":6}

-- splitByString, splitByRegexp
select splitByString(', ', 'a, b, c') as p, splitByRegexp('[,;]', 'a,b;c') as q
--> {"p":["a","b","c"],"q":["a","b","c"]}

-- extract
select extract(event_message, 'host=(.*)') as h from logs where source='postgres_logs' order by timestamp
--> {"h":"10.0.0.1"}
--> {"h":""}
--> {"h":""}

-- extractAll
select extractAll(event_message, '[a-z]+') as h from logs where source='postgres_logs' order by timestamp limit 1
--> {"h":["connection","received","host"]}

-- extractGroups
select extractGroups('a=1', '(\\w)=(\\d)') as g
--> {"g":["a","1"]}

-- replaceRegexpAll
select replaceRegexpAll(event_message, '\\d+', '#') as m, count() as n from logs where source='edge_logs' group by m order by m
--> {"m":"DELETE /storage/v#/object/# #","n":1}
--> {"m":"GET /auth/v#/user #","n":1}
--> {"m":"GET /rest/v#/items #","n":2}
--> {"m":"GET /rest/v#/items?select=* #","n":1}
--> {"m":"POST /rest/v#/items #","n":1}

-- replaceRegexpOne
select replaceRegexpOne('a1b2', '\\d', '#') as m
--> {"m":"a#b2"}

-- replaceRegexpAll
select replaceRegexpAll('hello', '(l+)', '<\\1>') as m
--> {"m":"he<ll>o"}

-- position, positionCaseInsensitive
select position(event_message, 'items') as p, positionCaseInsensitive(event_message, 'REST') as q from logs where source='edge_logs' order by timestamp
--> {"p":14,"q":6}
--> {"p":15,"q":7}
--> {"p":0,"q":0}
--> {"p":14,"q":6}
--> {"p":0,"q":0}
--> {"p":14,"q":6}

-- uniq, uniqExact, uniqCombined64, uniqHLL12
select uniq(log_attributes['request.path']) as u, uniqExact(source) as v, uniqCombined64(source) as w, uniqHLL12(source) as x from logs
--> {"u":4,"v":4,"w":4,"x":4}

-- groupArray
select groupArray(severity_text) as g from logs where source='postgres_logs'
--> {"g":["LOG","ERROR","ERROR"]}

-- arraySort, groupUniqArray
select arraySort(groupUniqArray(source)) as g from logs
--> {"g":["auth_logs","edge_logs","function_logs","postgres_logs"]}

-- groupArray
select groupArray(2)(source) as g from (select source from logs order by source)
--> {"g":["auth_logs","auth_logs"]}

-- groupUniqArray
select groupUniqArray(1)(source) as g from (select source from logs where source='edge_logs')
--> {"g":["edge_logs"]}

-- argMax, argMin
select argMax(event_message, timestamp) as a, argMin(event_message, timestamp) as b from logs
--> {"a":"boot","b":"GET /rest/v1/items 200"}

-- argMaxIf
select argMaxIf(event_message, timestamp, source='edge_logs') as a from logs
--> {"a":"GET /rest/v1/items?select=* 304"}

-- sumIf, toInt64OrZero, avgIf, maxIf, uniqIf
select sumIf(toInt64OrZero(log_attributes['response.origin_time']), source='edge_logs') as a, avgIf(toInt64OrZero(log_attributes['response.origin_time']), source='edge_logs') as b, maxIf(timestamp, source='edge_logs') as c, uniqIf(log_attributes['request.path'], source='edge_logs') as d from logs
--> {"a":1008,"b":168.0,"c":1739231999999999,"d":3}

-- sum, avg, max, countIf
select sum(source='edge_logs') as s, avg(source='edge_logs') as a, max(source='edge_logs') as m, countIf(source='edge_logs')/count() as r from logs
--> {"s":6,"a":0.42857142857142855,"m":true,"r":0.42857142857142855}

-- any
select any(source) as a from logs where source='edge_logs'
--> {"a":"edge_logs"}

-- anyLast, any_value
select anyLast(source) as a, any_value(source) as b from logs where source='edge_logs'
--> {"a":"edge_logs","b":"edge_logs"}

-- if
select if(severity_text='ERROR', 'bad', 'good') as s, count() as n from logs group by s order by s
--> {"s":"bad","n":4}
--> {"s":"good","n":10}

-- multiIf
select multiIf(severity_text='ERROR','e', severity_text='WARN','w','i') as s, count() as n from logs group by s order by s
--> {"s":"e","n":4}
--> {"s":"i","n":9}
--> {"s":"w","n":1}

-- transform
select transform(severity_text, ['ERROR','LOG'], ['E','L'], '-') as s, count() as n from logs group by s order by s
--> {"s":"-","n":9}
--> {"s":"E","n":4}
--> {"s":"L","n":1}

-- select case severity_text when 'ERROR' then 1 else 0 end as 
select case severity_text when 'ERROR' then 1 else 0 end as e, count() as n from logs group by e order by e
--> {"e":0,"n":10}
--> {"e":1,"n":4}

-- has, hasAny, indexOf, arrayCount, arrayElement
select has(['a','b'],'a') as h, hasAny(['a'],['b']) as i, indexOf(['a','b'],'b') as j, arrayCount(x -> x>1,[1,2,3]) as k, arrayElement([1,2],2) as l
--> {"h":true,"i":false,"j":2,"k":2,"l":2}

-- select (source, severity_text) in (('edge_logs','INFO')) as 
select (source, severity_text) in (('edge_logs','INFO')) as x, count() as n from logs group by x order by x
--> {"x":false,"n":10}
--> {"x":true,"n":4}

-- select source in ('edge_logs','auth_logs') as x, count() as 
select source in ('edge_logs','auth_logs') as x, count() as n from logs group by x order by x
--> {"x":false,"n":6}
--> {"x":true,"n":8}

-- max
select id from logs where (source, id) in (select source, max(id) from logs group by source) order by id
--> {"id":"a6"}
--> {"id":"b3"}
--> {"id":"c2"}
--> {"id":"d3"}

-- select timestamp - interval 1 hour as t from logs order by t
select timestamp - interval 1 hour as t from logs order by timestamp, id limit 1
--> {"t":1739178000000000}

-- toTimeZone
select toTimeZone(timestamp, 'America/New_York') as t from logs order by timestamp, id limit 1
--> {"t":1739181600000000}

-- toHour
select toHour(timestamp, 'Asia/Tokyo') as h, count() as n from logs group by h order by h
--> {"h":8,"n":2}
--> {"h":9,"n":1}
--> {"h":10,"n":1}
--> {"h":17,"n":1}
--> {"h":19,"n":8}
--> {"h":20,"n":1}

-- toYYYYMM, toYYYYMMDD, toYYYYMMDDhhmmss
select toYYYYMM(timestamp) as a, toYYYYMMDD(timestamp) as b, toYYYYMMDDhhmmss(timestamp) as c from logs order by timestamp, id limit 1
--> {"a":202502,"b":20250210,"c":20250210100000}

-- toDayOfWeek, toHour
select toDayOfWeek(timestamp) as d, toHour(timestamp) as h, count() as n from logs group by d, h order by d, h
--> {"d":1,"h":10,"n":8}
--> {"d":1,"h":11,"n":1}
--> {"d":1,"h":23,"n":1}
--> {"d":2,"h":8,"n":1}
--> {"d":3,"h":23,"n":1}
--> {"d":7,"h":0,"n":1}
--> {"d":7,"h":1,"n":1}

-- toUnixTimestamp, toUnixTimestamp64Milli, toUnixTimestamp64Micro, toUnixTimestamp64Nano
select toUnixTimestamp(timestamp) as u, toUnixTimestamp64Milli(timestamp) as m, toUnixTimestamp64Micro(timestamp) as c, toUnixTimestamp64Nano(timestamp) as n from logs order by timestamp, id limit 1
--> {"u":1739181600,"m":1739181600000,"c":1739181600000000,"n":1739181600000000000}

-- toDateTime
with toDateTime('2025-02-10 12:00:00') as t0 select count() as n from logs where timestamp < t0
--> {"n":9}

-- with 'edge_logs' as src select count() as n from logs where 
with 'edge_logs' as src select count() as n from logs where source = src
--> {"n":6}

-- with errors as (select * from logs where severity_text='ERRO
with errors as (select * from logs where severity_text='ERROR') select source, count() as n from errors group by source order by source
--> {"source":"auth_logs","n":1}
--> {"source":"edge_logs","n":1}
--> {"source":"postgres_logs","n":2}

-- max, join
with a as (select source, count() as n from logs group by source), b as (select source, max(timestamp) as t from logs group by source) select a.source as source, n, t from a join b on a.source = b.source order by source
--> {"source":"auth_logs","n":2,"t":1739181810000000}
--> {"source":"edge_logs","n":6,"t":1739231999999999}
--> {"source":"function_logs","n":3,"t":1767223800000000}
--> {"source":"postgres_logs","n":3,"t":1739262600000000}

-- join
with a as (select source, count() as n from logs group by source) select * from a inner join a as b using (source) order by source
--> {"source":"auth_logs","n":2,"b.n":2}
--> {"source":"edge_logs","n":6,"b.n":6}
--> {"source":"function_logs","n":3,"b.n":3}
--> {"source":"postgres_logs","n":3,"b.n":3}

-- rank
select source, n, rank() over (order by n desc) as r from (select source, count() as n from logs group by source) order by r, source
--> {"source":"edge_logs","n":6,"r":1}
--> {"source":"function_logs","n":3,"r":2}
--> {"source":"postgres_logs","n":3,"r":2}
--> {"source":"auth_logs","n":2,"r":4}

-- row_number, qualify
select source, timestamp, row_number() over (partition by source order by timestamp desc) as r from logs qualify r = 1 order by source
--> {"source":"auth_logs","timestamp":1739181810000000,"r":1}
--> {"source":"edge_logs","timestamp":1739231999999999,"r":1}
--> {"source":"function_logs","timestamp":1767223800000000,"r":1}
--> {"source":"postgres_logs","timestamp":1739262600000000,"r":1}

-- sum
select source, count() as n, n * 100 / sum(n) over () as pct from logs group by source order by source
--> {"source":"auth_logs","n":2,"pct":14.285714285714286}
--> {"source":"edge_logs","n":6,"pct":42.857142857142854}
--> {"source":"function_logs","n":3,"pct":21.428571428571427}
--> {"source":"postgres_logs","n":3,"pct":21.428571428571427}

-- sum
select sum(count()) over (order by source) as c, source from logs group by source order by source
--> {"c":2,"source":"auth_logs"}
--> {"c":8,"source":"edge_logs"}
--> {"c":11,"source":"function_logs"}
--> {"c":14,"source":"postgres_logs"}

-- with totals
select source, count() as n from logs group by source with totals order by source
--> {"source":"auth_logs","n":2}
--> {"source":"edge_logs","n":6}
--> {"source":"function_logs","n":3}
--> {"source":"postgres_logs","n":3}

-- rollup, rollup
select source, severity_text, count() as n from logs group by rollup(source, severity_text) order by source, severity_text, n
--> {"source":"","severity_text":"","n":14}
--> {"source":"auth_logs","severity_text":"","n":2}
--> {"source":"auth_logs","severity_text":"ERROR","n":1}
--> {"source":"auth_logs","severity_text":"INFO","n":1}
--> {"source":"edge_logs","severity_text":"","n":6}
--> {"source":"edge_logs","severity_text":"ERROR","n":1}
--> {"source":"edge_logs","severity_text":"INFO","n":4}
--> {"source":"edge_logs","severity_text":"WARN","n":1}
--> {"source":"function_logs","severity_text":"","n":1}
--> {"source":"function_logs","severity_text":"","n":3}
--> {"source":"function_logs","severity_text":"INFO","n":2}
--> {"source":"postgres_logs","severity_text":"","n":3}
--> {"source":"postgres_logs","severity_text":"ERROR","n":2}
--> {"source":"postgres_logs","severity_text":"LOG","n":1}

-- cube, cube
select source, severity_text, count() as n from logs group by cube(source, severity_text) order by source, severity_text, n
--> {"source":"","severity_text":"","n":1}
--> {"source":"","severity_text":"","n":14}
--> {"source":"","severity_text":"ERROR","n":4}
--> {"source":"","severity_text":"INFO","n":7}
--> {"source":"","severity_text":"LOG","n":1}
--> {"source":"","severity_text":"WARN","n":1}
--> {"source":"auth_logs","severity_text":"","n":2}
--> {"source":"auth_logs","severity_text":"ERROR","n":1}
--> {"source":"auth_logs","severity_text":"INFO","n":1}
--> {"source":"edge_logs","severity_text":"","n":6}
--> {"source":"edge_logs","severity_text":"ERROR","n":1}
--> {"source":"edge_logs","severity_text":"INFO","n":4}
--> {"source":"edge_logs","severity_text":"WARN","n":1}
--> {"source":"function_logs","severity_text":"","n":1}
--> {"source":"function_logs","severity_text":"","n":3}
--> {"source":"function_logs","severity_text":"INFO","n":2}
--> {"source":"postgres_logs","severity_text":"","n":3}
--> {"source":"postgres_logs","severity_text":"ERROR","n":2}
--> {"source":"postgres_logs","severity_text":"LOG","n":1}

-- select source, count() as n from logs group by all order by 
select source, count() as n from logs group by all order by all
--> {"source":"auth_logs","n":2}
--> {"source":"edge_logs","n":6}
--> {"source":"function_logs","n":3}
--> {"source":"postgres_logs","n":3}

-- except
select * except (log_attributes, id) from logs order by timestamp, id limit 2
--> {"timestamp":1739181600000000,"event_message":"GET /rest/v1/items 200","severity_text":"INFO","source":"edge_logs"}
--> {"timestamp":1739181630000000,"event_message":"POST /rest/v1/items 201","severity_text":"INFO","source":"edge_logs"}

-- upper
select * replace (upper(source) as source) from logs order by timestamp, id limit 1
--> {"id":"a1","timestamp":1739181600000000,"event_message":"GET /rest/v1/items 200","severity_text":"INFO","source":"EDGE_LOGS","log_attributes":[{"request.method":"GET","request.path":"/rest/v1/items","response.status_code":"200","response.origin_time":"12","cf.country":"DE"}]}
