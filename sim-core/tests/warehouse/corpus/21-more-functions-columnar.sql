-- # More functions, groups and limits in the columnar dialect; the rows are those of an independent engine

--= source logs
--= known source STRING, severity_text STRING, log_attributes JSON
--= {"id":"a1","timestamp":1739181600000000,"event_message":"GET /rest/v1/items 200","source":"edge_logs","severity_text":"INFO","log_attributes":{"request.method":"GET","request.path":"/rest/v1/items","response.status_code":"200","response.origin_time":"12","cf.country":"DE"}}
--= {"id":"b3","timestamp":1739262600000000,"event_message":"canceling statement due to statement timeout","source":"postgres_logs","severity_text":"ERROR","log_attributes":{"parsed.error_severity":"ERROR","parsed.user_name":"app","parsed.session_id":"s2","parsed.sql_state_code":"57014"}}
--= {"id":"c1","timestamp":1739181780000000,"event_message":"request completed","source":"auth_logs","severity_text":"INFO","log_attributes":{"path":"/token","status":"200","duration":"1200000"}}

-- addresses as numbers and back
select IPv4StringToNum('10.0.0.1') as a, IPv4NumToString(167772161) as b, IPv4NumToStringClassC(167772161) as c, IPv4StringToNumOrNull('x') as d, IPv4StringToNumOrDefault('x') as e
--> {"a":167772161,"b":"10.0.0.1","c":"10.0.0.xxx","d":null,"e":0}

-- ranges of addresses
select isIPAddressInRange('10.0.0.5', '10.0.0.0/8') as a, isIPAddressInRange('11.0.0.5', '10.0.0.0/8') as b, isIPAddressInRange('::1', '::/64') as c, isIPAddressInRange('::1', '10.0.0.0/8') as d
--> {"a":true,"b":false,"c":true,"d":false}

-- addresses of both families
select toIPv4('10.0.0.1') as a, toIPv4OrDefault('x') as b, toIPv4OrNull('x') as c, toIPv6('10.0.0.1') as d, IPv4ToIPv6(toIPv4('10.0.0.1')) as e
--> {"a":"10.0.0.1","b":"0.0.0.0","c":null,"d":"::ffff:10.0.0.1","e":"::ffff:10.0.0.1"}

-- bits
select bitAnd(12, 10) as a, bitOr(12, 10) as b, bitXor(12, 10) as c, bitNot(5) as d, bitNot(toInt32(5)) as e, bitCount(255) as f, bitHammingDistance(3, 0) as g, bitTest(5, 1) as h
--> {"a":8,"b":14,"c":6,"d":250,"e":-6,"f":8,"g":2,"h":0}

-- bits of a group
select groupBitAnd(x) as a, groupBitOr(x) as b, groupBitXor(x) as c from (select arrayJoin([6, 3]) as x)
--> {"a":2,"b":7,"c":5}

-- values that go together
select corr(x, y) as a, covarPop(x, y) as b, covarSamp(x, y) as c, COVAR_POP(x, y) as d, STDDEV_POP(x) as e from (select arrayJoin([1, 2, 4]) as x, x * x + 1 as y)
--> {"a":0.9897433186107872,"b":8.0,"c":12.0,"d":8.0,"e":1.247219128924647}

-- halves go to the even neighbour, of whole numbers away from zero
select round(0.5) as a, round(1.5) as b, round(-2.5) as c, round(1.25, 1) as d, round(1.005, 2) as e, round(25.0, -1) as f, round(125, -1) as g, roundBankers(2.5) as h
--> {"a":0.0,"b":2.0,"c":-2.0,"d":1.2,"e":1.0,"f":20.0,"g":130,"h":2.0}

-- the average of lengths, rounded
select round(avg(length(x)), 2) as a from (select arrayJoin(['a', 'bb', 'bb']) as x)
--> {"a":1.67}

-- decimals are cut
select toDecimal64('1.25', 1) as a, toDecimal32(1.255, 2) as b, toDecimal64(-1.29, 1) as c
--> {"a":1.2,"b":1.25,"c":-1.2}

-- rounding down at a digit
select floor(123.456, 1) as a, floor(127, -1) as b, ceil(123.456, 1) as c
--> {"a":123.4,"b":120.0,"c":123.5}

-- whole numbers too large for their type
select toInt8(200) as a, toUInt8(300) as b, toInt16(40000) as c, toUInt16(-2) as d, toInt32('3000000000') as e, cast(300 as UInt8) as f, toInt64(1e10) as g
--> {"a":-56,"b":44,"c":-25536,"d":65534,"e":-1294967296,"f":44,"g":10000000000}

-- casts that may fail
select accurateCastOrNull(300, 'Int8') as a, accurateCastOrNull(100, 'Int8') as b, accurateCastOrNull('x', 'UInt8') as c
--> {"a":null,"b":100,"c":null}

-- cases of letters that are no ASCII
select lower('ÄB') as a, lowerUTF8('ÄB') as b, upper('äb') as c, upperUTF8('äb') as d
--> {"a":"Äb","b":"äb","c":"äB","d":"ÄB"}

-- nothing begins at place 0
select substring('hello', 0) as a, substring('hello', 0, 2) as b, substr('hello', 2) as c, substring('hello', -3, 2) as d, substring('hello', 1, 0) as e
--> {"a":"","b":"","c":"ello","d":"ll","e":""}

-- hosts
select domain('https://a.b.c:80/x') as a, domain('https://user@a.b.c/x') as b, domain('http://localhost/x') as c, domain('not a url') as d, domain('GET /x.y') as e, domain('//example.com/x') as f, domainWithoutWWW('https://www.example.com/a') as g, domain('https://user:pw@www.example.com/') as h
--> {"a":"a.b.c","b":"a.b.c","c":"","d":"","e":"","f":"example.com","g":"example.com","h":""}

-- paths
select path('https://example.com/a/b?x=1#f') as a, path('/a/b?x=1') as b, path('example.com/a') as c, path('https://example.com') as d, path('//example.com/a') as e, pathFull('/a?x=1') as f, pathFull('https://example.com/a?x=1#f') as g
--> {"a":"/a/b","b":"/a/b","c":"/a","d":"","e":"/a","f":"/a?x=1","g":"/a?x=1#f"}

-- parts of addresses
select port('https://example.com:8080/a') as a, port('https://example.com/a', 443) as b, netloc('http://user:pw@www.example.com:80/') as c, cutQueryString('https://example.com/?a=1#f') as d, basename('/a/b.txt') as e
--> {"a":8080,"b":443,"c":"user:pw@www.example.com:80","d":"https://example.com/#f","e":"b.txt"}

-- texts of markup
select encodeXMLComponent('<a b="c">&\'') as a, decodeXMLComponent('&lt;a&gt;&amp;') as b
--> {"a":"&lt;a b=&quot;c&quot;&gt;&amp;&apos;","b":"<a>&"}

-- padding, trimming and last signs
select leftPad('7', 3) as a, rightPad('7', 3) as b, trimBoth('xax', 'x') as c, left('hello', -1) as d, right('hello', -1) as e, appendTrailingCharIfAbsent('a', '/') as f, firstLine('a\nb') as g
--> {"a":"  7","b":"7  ","c":"a","d":"hell","e":"ello","f":"a/","g":"a"}

-- parts from either end
select substringIndex('a.b.c', '.', 2) as a, substringIndex('a.b.c', '.', -1) as b, substringIndex('a.b.c', '.', -2) as c
--> {"a":"a.b","b":"c","c":"b.c"}

-- base64 for addresses
select base64URLEncode('a?b>') as a, countMatchesCaseInsensitive('fooBAR', '[a-z]+') as b, hasTokenOrNull('hello x', 'x') as c
--> {"a":"YT9iPg","b":1,"c":true}

-- the text of a map of attributes
select toString(log_attributes) as a from logs where id = 'b3'
--> {"a":"{'parsed.error_severity':'ERROR','parsed.session_id':'s2','parsed.sql_state_code':'57014','parsed.user_name':'app'}"}

-- tuples as JSON
select toJSONString(tuple(1, 'a')) as a, toJSONString(map('a', 1)) as b
--> {"a":"[1,\"a\"]","b":"{\"a\":1}"}

-- the length of JSON, and truth and numbers in it
select JSONLength('{"a":1,"b":2}') as a, JSONLength('{"a":[1,2,3]}', 'a') as b, JSONExtractBool('{"a":1}', 'a') as c, JSONExtractUInt('{"a":-1}', 'a') as d, JSONExtractInt('{"a":1.7}', 'a') as e, JSONExtractInt('{"a":"x"}', 'a') as f
--> {"a":2,"b":3,"c":true,"d":0,"e":1,"f":0}

-- an instant is cut to its digits
select toDateTime(toDateTime64('2025-02-09 01:02:03.987', 3)) as a, toDateTime64('2025-02-09 01:02:03.987654', 3) as b, toDateTime64(toDateTime64('2025-02-09 01:02:03.987654', 6), 1) as c, parseDateTimeBestEffort('2025-02-09T01:02:03.5Z') as d
--> {"a":1739062923000000,"b":1739062923987000,"c":1739062923900000,"d":1739062923000000}

-- days from texts and numbers
select toDate('2025-02-09 10:00:00') as a, toDate(20000) as b, toDate(1739181600) as c, toDateTime('1739181600') as d, date '2025-02-09' as e, timestamp '2025-02-09 01:44:00' as f
--> {"a":"2025-02-09","b":"2024-10-04","c":"2025-02-10","d":1739181600000000,"e":"2025-02-09","f":1739065440000000}

-- days and instants from their parts
select makeDate(2025, 40) as a, makeDateTime64(2025, 2, 9, 1, 2, 3, 123) as b, YYYYMMDDToDate(20250209) as c, YYYYMMDDhhmmssToDateTime(20250209010203) as d
--> {"a":"2025-02-09","b":1739062923123000,"c":"2025-02-09","d":1739062923000000}

-- whole units between instants
select age('month', toDate('2025-01-31'), toDate('2025-02-28')) as a, age('month', toDateTime('2025-01-15 10:00:00'), toDateTime('2025-03-15 09:00:00')) as b, age('year', toDate('2024-02-29'), toDate('2025-02-28')) as c, age('quarter', toDate('2024-01-15'), toDate('2025-03-14')) as d, age('month', toDate('2025-03-15'), toDate('2025-01-16')) as e, age('week', toDate('2025-02-01'), toDate('2025-02-14')) as f
--> {"a":0,"b":1,"c":0,"d":4,"e":-1,"f":1}

-- intervals from an origin
select toStartOfInterval(toDateTime('2025-02-09 23:17:00'), interval 1 hour, toDateTime('2025-02-09 00:20:00')) as a, toStartOfInterval(toDateTime('2025-02-09 23:17:00'), interval 1 day, toDateTime('2025-02-01 06:00:00')) as b, toStartOfInterval(toDate('2025-02-09'), interval 3 day, toDate('2025-02-01')) as c
--> {"a":1739139600000000,"b":1739080800000000,"c":"2025-02-07"}

-- weeks and days of the week
select toWeek(toDate('2025-01-05'), 0) as a, toWeek(toDate('2024-12-30'), 3) as b, toDayOfWeek(toDate('2025-02-09'), 1) as c, toDayOfWeek(toDate('2025-02-10'), 2) as d, toDayOfWeek(toDate('2025-02-09'), 3) as e
--> {"a":1,"b":1,"c":6,"d":1,"e":1}

-- names of parts
select dateName('year', toDateTime('2025-02-09 01:00:00')) as a, dateName('hour', toDateTime('2025-02-09 01:00:00')) as b, dateName('weekday', toDateTime('2025-02-09 01:00:00')) as c, dateName('dayofyear', toDateTime('2025-02-09 01:00:00')) as d
--> {"a":"2025","b":"1","c":"Sunday","d":"40"}

-- instants of other zones
select toUTCTimestamp(toDateTime('2025-02-09 01:00:00'), 'Europe/Berlin') as a, fromUTCTimestamp(toDateTime('2025-02-09 01:00:00'), 'Europe/Berlin') as b, addDate(toDate('2025-01-31'), interval 3 day) as c, subDate(toDate('2025-01-31'), interval 3 day) as d
--> {"a":1739059200000000,"b":1739066400000000,"c":"2025-02-03","d":"2025-01-28"}

-- lists
select arrayConcat([1], [2], [3], [4]) as a, arrayCount([1, 0, 1]) as b, arrayRemove([1, 2, 1], 1) as c, arrayExcept([1, 2], [2]) as d, arraySlice([1, 2, 3], -2, 1) as e, arrayElementOrNull([1, 2], 5) as f
--> {"a":[1,2,3,4],"b":2,"c":[2],"d":[1],"e":[2],"f":null}

-- the first and the last value of a group
select first_value(x) as a, last_value(x) as b from (select arrayJoin([3, 1, 2]) as x)
--> {"a":3,"b":2}

-- the value at the greatest of several keys
select argMax(x, (y, x)) as a, argMin(x, (y, x)) as b from (select arrayJoin([3, 1, 2]) as x, 1 as y)
--> {"a":3,"b":1}

-- averages of distinct values, and texts of groups
select avgDistinct(x) as a, groupConcat(',')(x) as b, groupConcat(',', 2)(x) as c, groupConcat(x) as d from (select arrayJoin([1, 1, 3]) as x)
--> {"a":2.0,"b":"1,1,3","c":"1,1","d":"113"}

-- rows with the same key as the last
select source, count() as n from (select arrayJoin(['a', 'a', 'b', 'c', 'c']) as source) group by source order by n desc limit 1 with ties
--> {"source":"c","n":2}
--> {"source":"a","n":2}

-- a join of all partners
select a.x as x, b.y as y from (select arrayJoin([1, 2]) as x) as a all inner join (select 1 as x, arrayJoin([5, 6]) as y) as b on a.x = b.x order by y
--> {"x":1,"y":5}
--> {"x":1,"y":6}

-- rows of each key from the second on
select a, b from (select arrayJoin([1, 2, 3, 4]) as b, b % 2 as a) order by a, b limit 2 offset 1 by a
--> {"a":0,"b":4}
--> {"a":1,"b":3}

-- ANY JOIN
select a.id from logs as a any join logs as b on a.source = b.source
--> {"id":"a1"}
--> {"id":"b3"}
--> {"id":"c1"}

-- ANY on the other side of the word
select a.id from logs as a left any join logs as b on a.source = b.source
--> {"id":"a1"}
--> {"id":"b3"}
--> {"id":"c1"}

-- ASOF JOIN
select a.id from logs as a asof join logs as b on a.source = b.source and a.timestamp > b.timestamp
--> no rows

-- PASTE JOIN is refused
select a.number from numbers(2) a paste join numbers(2) b
--> refused Unsupported: PASTE JOIN is not supported

-- ties of nothing that is sorted
select id from logs limit 1 with ties
--> refused Unsupported: WITH TIES without ORDER BY, or beside another LIMIT is not supported

-- bits of a value whose type is not known
select bitNot(length(id)) as a from logs
--> refused Unsupported: bitNot of other than a literal or toInt… is not supported
