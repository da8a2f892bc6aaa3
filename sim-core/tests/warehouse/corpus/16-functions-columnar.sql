-- # Functions of the columnar dialect

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

-- conversions to whole numbers
select toInt8('5') as a, toUInt16('65535') as b, toInt64('-9') as c, toInt32OrZero('7.5') as d, toInt64OrNull('') as e, toUInt32OrZero('-1x') as f
--> {"a":5,"b":65535,"c":-9,"d":0,"e":null,"f":0}

-- conversions with a default
select toInt32OrDefault('x', toInt32(4)) as a, toFloat64OrNull('nan?') as b
--> {"a":4,"b":null}

-- conversions of numbers to texts
select toString(12) as a, toString(-1.5) as b, toString(toInt64('7')) as c
--> {"a":"12","b":"-1.5","c":"7"}

-- conversions of instants to texts
select toString(toDateTime('2025-02-10 10:00:05')) as a, toString(toDate('2025-02-10')) as b
--> {"a":"2025-02-10 10:00:05","b":"2025-02-10"}

-- conversions of texts to instants
select toDateTime('2025-02-10 10:00:05') as a, toDateTime64('2025-02-10 10:00:05.25', 6) as b, parseDateTimeBestEffortOrNull('soon') as c
--> {"a":1739181605000000,"b":1739181605250000,"c":null}

-- conversions of days
select toDate('2025-02-10') as a, toDate(toDateTime('2025-02-10 23:59:59')) as b
--> {"a":"2025-02-10","b":"2025-02-10"}

-- casts
select cast('12' as Int64) as a, '3'::Int32 as b, cast(1.75 as String) as c, cast('1' as Nullable(Int32)) as d
--> {"a":12,"b":3,"c":"1.75","d":1}

-- numbers of instants
select toUnixTimestamp(toDateTime('2025-02-10 10:00:05')) as a, toUnixTimestamp64Milli(toDateTime64('2025-02-10 10:00:05.250', 3)) as b, toUnixTimestamp64Micro(toDateTime64('2025-02-10 10:00:05.25', 6)) as c
--> {"a":1739181605,"b":1739181605250,"c":1739181605250000}

-- instants of numbers
select fromUnixTimestamp64Milli(1739181605250) as a, toDateTime(1739181605) as b
--> {"a":1739181605250000,"b":1739181605000000}

-- starts of units
select toStartOfSecond(toDateTime64('2025-02-10 10:07:45.250', 3)) as s, toStartOfMinute(toDateTime('2025-02-10 10:07:45')) as m, toStartOfHour(toDateTime('2025-02-10 10:07:45')) as h, toStartOfDay(toDateTime('2025-02-10 10:07:45')) as d
--> {"s":1739182065000000,"m":1739182020000000,"h":1739181600000000,"d":1739145600000000}

-- starts of several minutes
select toStartOfFiveMinutes(toDateTime('2025-02-10 10:07:45')) as a, toStartOfTenMinutes(toDateTime('2025-02-10 10:07:45')) as b, toStartOfFifteenMinutes(toDateTime('2025-02-10 10:07:45')) as c
--> {"a":1739181900000000,"b":1739181600000000,"c":1739181600000000}

-- starts of intervals
select toStartOfInterval(toDateTime('2025-02-10 10:07:45'), interval 20 second) as a, toStartOfInterval(toDateTime('2025-02-10 10:07:45'), interval 6 hour) as b, toStartOfInterval(toDateTime('2025-02-10 10:07:45'), toIntervalMinute(3)) as c
--> {"a":1739182060000000,"b":1739167200000000,"c":1739181960000000}

-- instants truncated
select dateTrunc('hour', toDateTime('2025-02-10 10:07:45')) as a, date_trunc('minute', toDateTime('2025-02-10 10:07:45')) as b
--> {"a":1739181600000000,"b":1739182020000000}

-- parts of an instant
select toYear(timestamp) as y, toMonth(timestamp) as mo, toDayOfMonth(timestamp) as d, toHour(timestamp) as h, toMinute(timestamp) as mi, toSecond(timestamp) as s from logs where id = 'a6'
--> {"y":2025,"mo":2,"d":10,"h":23,"mi":59,"s":59}

-- other parts of an instant
select toDayOfWeek(timestamp) as w, toDayOfYear(timestamp) as y, toQuarter(timestamp) as q, toISOWeek(timestamp) as i, toISOYear(timestamp) as iy from logs where id = 'd3'
--> {"w":3,"y":365,"q":4,"i":1,"iy":2026}

-- numbers of months and days
select toYYYYMM(timestamp) as a, toYYYYMMDD(timestamp) as b, toYYYYMMDDhhmmss(timestamp) as c from logs where id = 'd3'
--> {"a":202512,"b":20251231,"c":20251231233000}

-- parts by EXTRACT
select extract(year from timestamp) as y, extract(month from timestamp) as m, extract(hour from timestamp) as h from logs where id = 'd3'
--> {"y":2025,"m":12,"h":23}

-- milliseconds of an instant
select toMillisecond(timestamp) as ms from logs where id = 'a4'
--> {"ms":250}

-- instants moved by functions
select addSeconds(t, 5) as a, addMinutes(t, 5) as b, addHours(t, -1) as c, addDays(t, 1) as d, addWeeks(t, 1) as e, subtractDays(t, 1) as f from (select toDateTime('2025-02-10 10:00:00') as t)
--> {"a":1739181605000000,"b":1739181900000000,"c":1739178000000000,"d":1739268000000000,"e":1739786400000000,"f":1739095200000000}

-- instants moved by intervals
select t + interval 90 second as a, t - interval 1 hour as b, t + toIntervalDay(2) as c from (select toDateTime('2025-02-10 10:00:00') as t)
--> {"a":1739181690000000,"b":1739178000000000,"c":1739354400000000}

-- months are as long as they are
select addMonths(toDateTime('2025-01-31 10:00:00'), 1) as a, addYears(toDateTime('2024-02-29 10:00:00'), 1) as b, subtractMonths(toDateTime('2025-03-31 00:00:00'), 1) as c
--> {"a":1740736800000000,"b":1740736800000000,"c":1740700800000000}

-- differences in borders of units
select dateDiff('second', a, b) as s, dateDiff('minute', a, b) as m, dateDiff('hour', a, b) as h, dateDiff('day', a, b) as d from (select toDateTime('2025-02-10 23:59:59') as a, toDateTime('2025-02-11 00:00:01') as b)
--> {"s":2,"m":1,"h":1,"d":1}

-- differences in larger units
select dateDiff('week', a, b) as w, dateDiff('month', a, b) as m, dateDiff('quarter', a, b) as q, dateDiff('year', a, b) as y from (select toDateTime('2024-12-31 23:00:00') as a, toDateTime('2025-01-06 00:00:01') as b)
--> {"w":1,"m":1,"q":1,"y":1}

-- differences under the newer name
select date_diff('hour', toDateTime('2025-02-10 10:59:00'), toDateTime('2025-02-10 12:01:00')) as h, timestampDiff('minute', toDateTime('2025-02-10 10:59:00'), toDateTime('2025-02-10 11:01:00')) as m
--> {"h":2,"m":2}

-- whole units between two instants
select age('hour', toDateTime('2025-02-10 10:59:00'), toDateTime('2025-02-10 12:01:00')) as h, age('minute', toDateTime('2025-02-10 10:59:30'), toDateTime('2025-02-10 11:01:00')) as m
--> {"h":1,"m":1}

-- instants as texts of a form
select formatDateTime(timestamp, '%d.%m.%y %H:%i:%S') as a, formatDateTime(timestamp, '%F %T') as b from logs where id = 'a5'
--> {"a":"10.02.25 11:15:00","b":"2025-02-10 11:15:00"}

-- names of months and days
select formatDateTime(timestamp, '%b') as a, formatDateTime(timestamp, '%a') as b, dateName('month', timestamp) as c, dateName('weekday', timestamp) as d from logs where id = 'd3'
--> {"a":"Dec","b":"Wed","c":"December","d":"Wednesday"}

-- a day of the week in letters, and a percent sign
select formatDateTime(timestamp, '%H:00 %%') as a, formatDateTime(timestamp, '%j') as b from logs where id = 'd3'
--> {"a":"23:00 %","b":"365"}

-- months by name
select monthName(timestamp) as m from logs where id = 'd3'
--> {"m":"December"}

-- letters
select lower('AB') as a, upper('ab') as b, lowerUTF8('ÄB') as c, upperUTF8('äb') as d, initcap('one two') as e
--> {"a":"ab","b":"AB","c":"äb","d":"ÄB","e":"One Two"}

-- lengths in bytes and in letters
select length('äb') as a, lengthUTF8('äb') as b, char_length('äb') as c, octet_length('äb') as d
--> {"a":3,"b":2,"c":2,"d":3}

-- parts of a text
select substring('abcdef', 2) as a, substring('abcdef', 2, 3) as b, substr('abcdef', -2) as c, left('abcdef', 2) as d, right('abcdef', 2) as e
--> {"a":"bcdef","b":"bcd","c":"ef","d":"ab","e":"ef"}

-- places in a text
select position('abcabc', 'c') as a, position('abc', 'x') as b, locate('abc', 'b') as c, positionCaseInsensitive('ABC', 'b') as d, position('b' in 'abc') as e
--> {"a":3,"b":0,"c":0,"d":2,"e":2}

-- the beginning and the end of a text
select startsWith('abc', 'ab') as a, endsWith('abc', 'ab') as b, startsWith('abc', '') as c
--> {"a":true,"b":false,"c":true}

-- texts replaced
select replaceAll('a-b-c', '-', '+') as a, replaceOne('a-b-c', '-', '+') as b, replace('aXbX', 'X', '') as c
--> {"a":"a+b+c","b":"a+b-c","c":"ab"}

-- texts replaced by pattern
select replaceRegexpAll('a1b22', '[0-9]+', '#') as a, replaceRegexpOne('a1b22', '[0-9]+', '#') as b, replaceRegexpAll('john smith', '(\\w+) (\\w+)', '\\2 \\1') as c
--> {"a":"a#b#","b":"a#b22","c":"smith john"}

-- parts by pattern
select extract('id=42;x', 'id=([0-9]+)') as a, extractAll('a1b22', '[0-9]+') as b, extract('none', '([0-9]+)') as c
--> {"a":"42","b":["1","22"],"c":""}

-- patterns that are found
select match('abc', '^a.c$') as a, match('ABC', '(?i)abc') as b, match('abc', 'x') as c
--> {"a":true,"b":true,"c":false}

-- one of several texts is there
select multiSearchAny('connection refused', ['timeout', 'refused']) as a, hasToken('a refused b', 'refused') as b, multiSearchAny('x', ['y']) as c
--> {"a":true,"b":true,"c":false}

-- texts in LIKE
select 'a_c' like 'a\\_c' as a, 'abc' like 'a\\_c' as b, 'ABC' ilike 'a%' as c, notLike('abc', 'b%') as d, notILike('ABC', 'a%') as e
--> {"a":true,"b":false,"c":true,"d":true,"e":false}

-- white space
select trim('  a ') as a, trimLeft('  a ') as b, trimRight('  a ') as c, trimBoth(' a ') as d
--> {"a":"a","b":"a ","c":"  a","d":"a"}

-- texts trimmed of given letters
select trim(both '/' from '/a/b/') as a, trim(leading '0' from '007') as b, trim(trailing '.' from 'x..') as c
--> {"a":"a/b","b":"7","c":"x"}

-- texts repeated, reversed, padded
select repeat('ab', 3) as a, reverse('abc') as b, leftPad('7', 3, '0') as c, rightPad('a', 3, '.') as d
--> {"a":"ababab","b":"cba","c":"007","d":"a.."}

-- texts joined
select concat('a', 'b', 'c') as a, 'x' || 'y' as b, concatWithSeparator('-', 'a', 'b') as c
--> {"a":"abc","b":"xy","c":"a-b"}

-- empty texts
select empty('') as a, notEmpty('') as b, empty(' ') as c
--> {"a":true,"b":false,"c":false}

-- texts split
select splitByChar(',', 'a,b,c') as a, splitByString('::', 'a::b') as b, splitByChar('/', '/x/y')[3] as c, splitByWhitespace(' a  b ') as d, splitByRegexp('[,;]', 'a,b;c') as e
--> {"a":["a","b","c"],"b":["a","b"],"c":"y","d":["a","b"],"e":["a","b","c"]}

-- a part of a split text that is not there
select splitByChar(',', 'a,b')[5] as a, splitByChar(',', 'a,b')[-1] as b
--> {"a":"","b":"b"}

-- words
select alphaTokens('a1bc2') as a, tokens('one, two') as b
--> {"a":["a","bc"],"b":["one","two"]}

-- texts as hexadecimal and base64
select hex('ab') as a, unhex('6162') as b, base64Encode('ab') as c, base64Decode('YWI=') as d
--> {"a":"6162","b":"ab","c":"YWI=","d":"ab"}

-- digests
select lower(hex(MD5('abc'))) as a, lower(hex(SHA256('abc'))) as b
--> {"a":"900150983cd24fb0d6963f7d28e17f72","b":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}

-- addresses
select domain('https://www.example.test:8080/a?b=c') as a, path('https://example.test/a/b?c=d') as b, protocol('https://example.test/') as c, domainWithoutWWW('https://www.example.test/') as d
--> {"a":"www.example.test","b":"/a/b","c":"https","d":"example.test"}

-- parameters of an address
select extractURLParameter('https://example.test/?a=1&b=2', 'b') as a, queryString('https://example.test/?a=1') as b, cutQueryString('https://example.test/x?a=1') as c
--> {"a":"2","b":"a=1","c":"https://example.test/x"}

-- encoded addresses
select decodeURLComponent('a%20b') as a, encodeURLComponent('a b') as b
--> {"a":"a b","b":"a%20b"}

-- JSON of a text
select JSONExtractString('{"a":{"b":"x"}}', 'a', 'b') as a, JSONExtractInt('{"n":5}', 'n') as b, JSONExtractFloat('{"f":1.5}', 'f') as c, JSONExtractBool('{"t":true}', 't') as d, JSONExtractRaw('{"a":{"b":1}}', 'a') as e
--> {"a":"x","b":5,"c":1.5,"d":true,"e":"{\"b\":1}"}

-- JSON that is not there
select JSONExtractString('{}', 'a') as a, JSONExtractInt('{}', 'n') as b, JSONHas('{"a":1}', 'b') as c, JSONExtractString('no json', 'a') as d, JSONExtractRaw('{}', 'a') as e
--> {"a":"","b":0,"c":false,"d":"","e":""}

-- JSON lists
select JSONLength('{"a":[1,2,3]}', 'a') as a, JSONExtractInt('{"a":[1,2,3]}', 'a', 2) as b, JSONExtractArrayRaw('{"a":["x",2]}', 'a') as c
--> {"a":3,"b":2,"c":["\"x\"","2"]}

-- JSON of a given type
select JSONExtract('{"a":"x"}', 'a', 'String') as a, JSONExtract('{"n":5}', 'n', 'Int64') as b, JSONExtract('{"l":["a","b"]}', 'l', 'Array(String)') as c
--> {"a":"x","b":5,"c":["a","b"]}

-- JSON keys and types
select JSONExtractKeys('{"a":1,"b":2}') as a, JSONType('{"a":1}', 'a') as b
--> {"a":["a","b"],"b":"Int64"}

-- simple JSON
select simpleJSONExtractString('{"a":"x"}', 'a') as a, simpleJSONExtractInt('{"n":5}', 'n') as b, visitParamExtractString('{"a":"y"}', 'a') as c, simpleJSONHas('{"a":1}', 'a') as d
--> {"a":"x","b":5,"c":"y","d":true}

-- JSON by a path
select JSON_VALUE('{"a":{"b":"x"}}', '$.a.b') as a
--> {"a":"x"}

-- texts that are JSON
select isValidJSON('{"a":1}') as a, isValidJSON('{a}') as b
--> {"a":true,"b":false}

-- lists
select [1, 2, 3] as a, array('x', 'y') as b, length([1, 2]) as c, empty([]) as d, notEmpty([1]) as e
--> {"a":[1,2,3],"b":["x","y"],"c":2,"d":true,"e":true}

-- a list that has an element
select has([1, 2], 2) as a, has(['a'], 'b') as b, hasAny(['a', 'b'], ['b', 'c']) as c, hasAll(['a', 'b'], ['a', 'c']) as d, indexOf(['a', 'b'], 'b') as e
--> {"a":true,"b":false,"c":true,"d":false,"e":2}

-- lists joined and cut
select arrayConcat([1], [2, 3]) as a, arraySlice([1, 2, 3, 4], 2, 2) as b, arrayReverse([1, 2, 3]) as c, arrayPushBack([1], 2) as d
--> {"a":[1,2,3],"b":[2,3],"c":[3,2,1],"d":[1,2]}

-- lists sorted and without repetitions
select arraySort([3, 1, 2]) as a, arrayReverseSort([3, 1, 2]) as b, arraySort(arrayDistinct(['b', 'a', 'b'])) as c, arrayUniq([1, 1, 2]) as d
--> {"a":[1,2,3],"b":[3,2,1],"c":["a","b"],"d":2}

-- sums of a list
select arraySum([1, 2, 3]) as a, arrayMax([1, 3, 2]) as b, arrayMin([2, 1]) as c, arrayAvg([1, 2]) as d, arrayCount(x -> x > 1, [1, 2, 3]) as e
--> {"a":6,"b":3,"c":1,"d":1.5,"e":2}

-- lists by a function of each element
select arrayMap(x -> x * 2, [1, 2]) as a, arrayFilter(x -> x > 1, [1, 2, 3]) as b, arrayExists(x -> x = 2, [1, 2]) as c, arrayAll(x -> x > 0, [1, 2]) as d, arrayFirst(x -> x > 1, [1, 2, 3]) as e
--> {"a":[2,4],"b":[2,3],"c":true,"d":true,"e":2}

-- lists of texts by a function
select arrayMap(x -> upper(x), ['a', 'b']) as a, arrayFilter(x -> x like '/a%', ['/ab', '/b']) as b, arrayStringConcat(arrayMap(x -> concat(x, '!'), ['a', 'b']), ' ') as c
--> {"a":["A","B"],"b":["/ab"],"c":"a! b!"}

-- lists of numbers
select range(3) as a, range(1, 4) as b, arrayStringConcat(['a', 'b'], ', ') as c, arrayStringConcat(['a', 'b']) as d
--> {"a":[0,1,2],"b":[1,2,3],"c":"a, b","d":"ab"}

-- rows of a list
select arrayJoin([1, 2, 3]) as x
--> {"x":1}
--> {"x":2}
--> {"x":3}

-- rows of a list and of its places
select x, i from (select ['a', 'b'] as l) array join l as x, arrayEnumerate(l) as i order by i
--> {"x":"a","i":1}
--> {"x":"b","i":2}

-- a list that is emptied by ARRAY JOIN
select id, k from (select 'a' as id, [1, 2] as l union all select 'b' as id, [] as l) array join l as k order by id, k
--> {"id":"a","k":1}
--> {"id":"a","k":2}

-- maps
select log_attributes['parsed.user_name'] as a, log_attributes['none'] as b, mapContains(log_attributes, 'none') as c, length(log_attributes) as d from logs where id = 'b1'
--> {"a":"admin","b":"","c":false,"d":3}

-- keys and values of a map
select arraySort(mapKeys(log_attributes)) as k, arraySort(mapValues(log_attributes)) as v from logs where id = 'b1'
--> {"k":["parsed.error_severity","parsed.session_id","parsed.user_name"],"v":["LOG","admin","s1"]}

-- keys of a map that are like a text
select id from logs where arrayExists(k -> k like 'parsed.%', mapKeys(log_attributes)) order by id
--> {"id":"b1"}
--> {"id":"b2"}
--> {"id":"b3"}

-- a map of one's own
select map('a', 1, 'b', 2)['b'] as a, mapKeys(map('x', 'y')) as b
--> {"a":2,"b":["x"]}

-- CASE
select case when 1 = 2 then 'a' when 1 = 1 then 'b' end as a, case 'x' when 'x' then 1 else 2 end as b
--> {"a":"b","b":1}

-- values changed by a table
select transform(severity_text, ['ERROR', 'WARN'], ['bad', 'odd'], 'fine') as s, count() as n from logs where source = 'edge_logs' group by s order by s
--> {"s":"bad","n":1}
--> {"s":"fine","n":4}
--> {"s":"odd","n":1}

-- nulls
select isNull(null) as a, isNotNull(1) as b, ifNull(null, 'x') as c, coalesce(null, null, 3) as d, nullIf('a', 'a') as e, assumeNotNull('z') as f
--> {"a":true,"b":true,"c":"x","d":3,"e":null,"f":"z"}

-- nulls in comparisons
select null = 1 as a, null is null as b, 1 is not null as c, null in (1, 2) as d
--> {"a":null,"b":true,"c":true,"d":null}

-- divisions by nothing
select intDivOrZero(1, 0) as a, moduloOrZero(5, 0) as b, if(0 = 0, 0, 1 / 0) as c
--> {"a":0,"b":0,"c":0.0}

-- rounding
select round(2.345, 2) as a, floor(-1.5) as b, ceil(1.2) as c, trunc(-1.7) as d, round(17, -1) as e, roundBankers(2.5) as f
--> {"a":2.35,"b":-2.0,"c":2.0,"d":-1.0,"e":20,"f":2.0}

-- roots, powers, logarithms
select sqrt(9) as a, pow(2, 10) as b, exp(0) as c, log(1) as d, log2(8) as e, log10(1000) as f, cbrt(27) as g, power(3, 2) as h
--> {"a":3.0,"b":1024.0,"c":1.0,"d":0.0,"e":3.0,"f":3.0,"g":3.0,"h":9.0}

-- signs
select abs(-3) as a, sign(-2) as b, negate(3) as c, plus(1, 2) as d, minus(5, 3) as e, multiply(2, 3) as f, divide(1, 4) as g
--> {"a":3,"b":-1,"c":-3,"d":3,"e":2,"f":6,"g":0.25}

-- the least and the greatest
select least(3, 1, 2) as a, greatest(3, 1, 2) as b, least('a', 'b') as c, max2(1, 2) as d, min2(1, 2) as e
--> {"a":1,"b":3,"c":"a","d":2,"e":1}

-- bits
select bitAnd(6, 3) as a, bitOr(6, 3) as b, bitXor(6, 3) as c, bitShiftLeft(1, 4) as d
--> {"a":2,"b":7,"c":5,"d":16}

-- comparisons by name
select equals(1, 1) as a, notEquals(1, 2) as b, less(1, 2) as c, greaterOrEquals(1, 2) as d, and(1 = 1, 1 = 2) as e, or(1 = 1, 1 = 2) as f, not(1 = 1) as g, xor(1 = 1, 1 = 2) as h
--> {"a":true,"b":true,"c":true,"d":false,"e":false,"f":true,"g":false,"h":true}

-- between
select 5 between 1 and 5 as a, 5 not between 1 and 4 as b, 'b' between 'a' and 'c' as c
--> {"a":true,"b":true,"c":true}

-- sizes for people
select formatReadableSize(1536) as a, formatReadableQuantity(1500000) as b, formatReadableTimeDelta(3661) as c
--> {"a":"1.50 KiB","b":"1.50 million","c":"1 hour, 1 minute and 1 second"}

-- types by name
select toTypeName('a') as a, toTypeName(toInt64(1)) as b
--> {"a":"String","b":"Int64"}

-- hosts and addresses
select IPv4NumToString(167772161) as a, IPv4StringToNum('10.0.0.1') as b, isIPv4String('10.0.0.1') as c, isIPAddressInRange('10.1.2.3', '10.0.0.0/8') as d
--> {"a":"10.0.0.1","b":167772161,"c":true,"d":true}

-- an expression that its own form makes too long
select [1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1] as x
--> refused Syntax
