-- # More functions, windows and types of the columnar dialect; the rows are those of an independent engine

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

-- FROM_UNIXTIME
select FROM_UNIXTIME(1741169853) as r
--> {"r":1741169853000000}

-- JSONExtract
select JSONExtract('[1,"a"]', 'Tuple(Int64, String)') as r
--> {"r":{"_field_1":1,"_field_2":"a"}}

-- JSONExtract, form 2
select JSONExtract('{"a":1,"b":"x"}', 'Tuple(a Int64, b String)') as r
--> {"r":{"a":1,"b":"x"}}

-- JSONExtract, Array
select JSONExtract('{"a":[[1],[2,3]]}', 'a', 'Array(Array(Int64))') as r
--> {"r":[[1],[2,3]]}

-- JSONExtract, Array, form 2
select JSONExtract('{"a":[{"k":1},{"k":2}]}', 'a', 'Array(Tuple(k Int64))') as r
--> {"r":[{"k":1},{"k":2}]}

-- JSONExtract, Map
select JSONExtract('{"a":{"x":1}}', 'a', 'Map(String, Int64)') as r
--> {"r":[{"x":1}]}

-- JSONExtract, form 3
select JSONExtract('{"t":"2025-01-01 00:00:00"}', 't', 'DateTime') as r
--> {"r":1735689600000000}

-- JSONExtract, form 4
select JSONExtract(event_message, 'Tuple(level String, n Int64)').level as n from logs where source = 'auth_logs' limit 1
--> {"n":""}

-- JSONKey
select JSONKey('{"a":1,"b":2}', 2) as r
--> {"r":"b"}

-- L1Distance
select L1Distance((1,2),(2,4)) as r
--> {"r":3}

-- L2Distance
select L2Distance([1,2],[2,4]) as r
--> {"r":2.23606797749979}

-- L2Norm
select L2Norm((3,4)) as r
--> {"r":5.0}

-- URLHierarchy
select URLHierarchy('https://a.com/x/y?q=1') as r
--> {"r":["https://a.com/","https://a.com/x/","https://a.com/x/y?","https://a.com/x/y?q=1"]}

-- URLPathHierarchy
select URLPathHierarchy('https://a.com/x/y?q=1') as r
--> {"r":["/x/","/x/y?","/x/y?q=1"]}

-- accurateCast
select accurateCast('5','Int32') as r
--> {"r":5}

-- acos
select acos(1) as r
--> {"r":0.0}

-- acosh
select acosh(2) as r
--> {"r":1.3169578969248166}

-- addTupleOfIntervals, toDateTime
select addTupleOfIntervals(toDateTime('2025-03-05 10:17:33'), (interval 1 day, interval 1 month)) as r
--> {"r":1743934653000000}

-- arrayAUC
select arrayAUC([0.1,0.4,0.35,0.8],[0,0,1,1]) as r
--> {"r":0.75}

-- arrayCumSumNonNegative
select arrayCumSumNonNegative([1,-5,2]) as r
--> {"r":[1,0,2]}

-- arrayDotProduct
select arrayDotProduct([1,2],[3,4]) as r
--> {"r":11}

-- arrayEnumerateDense
select arrayEnumerateDense([10,20,10]) as r
--> {"r":[1,2,1]}

-- arrayEnumerateUniq
select arrayEnumerateUniq([1,1,2],[1,1,1]) as r
--> {"r":[1,2,1]}

-- arrayFill
select arrayFill((x, y) -> y > 0, [1,2,3], [1,0,1]) as r
--> {"r":[1,1,3]}

-- arrayFill, form 2
select arrayFill(x -> x > 0, [1,0,2]) as r
--> {"r":[1,1,2]}

-- arrayIntersect
select arrayIntersect([1,2],[2,3],[2]) as r
--> {"r":[2]}

-- arrayJaccardIndex
select arrayJaccardIndex([1,2],[2,3]) as r
--> {"r":0.3333333333333333}

-- arrayPartialReverseSort
select arrayPartialReverseSort(1,[1,3,2]) as r
--> {"r":[3,2,1]}

-- arrayPartialSort
select arrayPartialSort(x -> -x, 2, [1,2,3]) as r
--> {"r":[3,2,1]}

-- arrayReduce
select arrayReduce('argMax', ['a','b'], [2,1]) as r
--> {"r":"a"}

-- arrayReduce, form 2
select arrayReduce('maxIf', [1,2,3], [1,0,1]) as r
--> {"r":3}

-- arrayReduce, quantile
select arrayReduce('quantile(0.5)', [1,2,3]) as r
--> {"r":2.0}

-- arrayReduce, quantiles
select arrayReduce('quantiles(0.5,0.9)', [1,2,3]) as r
--> {"r":[2.0,2.8]}

-- arrayReduce, form 3
select arrayReduce('sumIf', [1,2,3], [1,0,1]) as r
--> {"r":4}

-- arrayReduce, topK
select arrayReduce('topK(2)', ['a','b','a']) as r
--> {"r":["a","b"]}

-- arrayReverseFill
select arrayReverseFill(x -> x > 0, [0,1,0]) as r
--> {"r":[1,1,0]}

-- arrayReverseSplit
select arrayReverseSplit(x -> x > 2, [1,3,2,4]) as r
--> {"r":[[1,3],[2,4]]}

-- arrayShiftLeft
select arrayShiftLeft([1,2,3],1) as r
--> {"r":[2,3,0]}

-- arrayShiftRight
select arrayShiftRight([1,2,3],1) as r
--> {"r":[0,1,2]}

-- arrayShiftRight, form 2
select arrayShiftRight([1,2,3],1,9) as r
--> {"r":[9,1,2]}

-- arraySplit
select arraySplit((x, y) -> y, [1,2,3,4], [1,0,1,0]) as r
--> {"r":[[1,2],[3,4]]}

-- arraySplit, form 2
select arraySplit(x -> x > 2, [1,3,2,4]) as r
--> {"r":[[1],[3,2],[4]]}

-- asin
select asin(1) as r
--> {"r":1.5707963267948966}

-- asinh
select asinh(1) as r
--> {"r":0.881373587019543}

-- atanh
select atanh(0.5) as r
--> {"r":0.5493061443340548}

-- avg
select avg(number) over (order by number groups between 1 preceding and current row) s from numbers(4) order by number
--> {"s":0.0}
--> {"s":0.5}
--> {"s":1.5}
--> {"s":2.5}

-- base64URLDecode
select base64URLDecode('PDw_Pz4-') as r
--> {"r":"<<??>>"}

-- bitPositionsToArray
select bitPositionsToArray(5) as r
--> {"r":[0,2]}

-- bitTestAll
select bitTestAll(7,0,1) as r
--> {"r":1}

-- bitTestAny
select bitTestAny(4,0,2) as r
--> {"r":1}

-- bitmaskToArray
select bitmaskToArray(5) as r
--> {"r":[1,4]}

-- byteHammingDistance
select byteHammingDistance('abc','abd') as r
--> {"r":1}

-- caseWithoutExpression
select caseWithoutExpression(1=1,'a','b') as r
--> {"r":"a"}

-- changeDay, toDate
select changeDay(toDate('2025-03-09'), 4) as r
--> {"r":"2025-03-04"}

-- changeHour, toDateTime
select changeHour(toDateTime('2025-03-05 10:17:33'), 4) as r
--> {"r":1741148253000000}

-- changeMinute, toDateTime
select changeMinute(toDateTime('2025-03-05 10:17:33'), 4) as r
--> {"r":1741169073000000}

-- changeMonth, toDate
select changeMonth(toDate('2025-03-09'), 4) as r
--> {"r":"2025-04-09"}

-- changeSecond, toDateTime
select changeSecond(toDateTime('2025-03-05 10:17:33'), 4) as r
--> {"r":1741169824000000}

-- changeYear, toDate
select changeYear(toDate('2025-03-09'), 2024) as r
--> {"r":"2024-03-09"}

-- compareSubstrings
select compareSubstrings('abc','abd',0,0,2) as r
--> {"r":0}

-- compareSubstrings, form 2
select compareSubstrings('abc','abd',0,0,3) as r
--> {"r":-1}

-- corrStable
select corrStable(number, number * 2) from numbers(5)
--> {"corrStable(number, multiply(number, 2))":1.0}

-- cosineDistance
select cosineDistance([1.0,2.0],[2.0,4.0]) as r
--> {"r":0.0}

-- countSubstrings
select countSubstrings('aXbXc','X',3) as r
--> {"r":1}

-- countSubstringsCaseInsensitiveUTF8
select countSubstringsCaseInsensitiveUTF8('éÉ','é') as r
--> {"r":2}

-- covarPopStable
select covarPopStable(number, number * 2) from numbers(5)
--> {"covarPopStable(number, multiply(number, 2))":4.0}

-- cutToFirstSignificantSubdomain
select cutToFirstSignificantSubdomain('https://a.b.example.co.uk/x') as r
--> {"r":"example.co.uk"}

-- cutToFirstSignificantSubdomain, form 2
select cutToFirstSignificantSubdomain('https://news.example.com/') as r
--> {"r":"example.com"}

-- cutToFirstSignificantSubdomain, form 3
select cutToFirstSignificantSubdomain('tr') as r
--> {"r":""}

-- cutToFirstSignificantSubdomain, form 4
select cutToFirstSignificantSubdomain('www.example.com') as r
--> {"r":"example.com"}

-- cutURLParameter
select cutURLParameter('https://a.com/?x=1&y=2&z=3',['x','y']) as r
--> {"r":"https://a.com/?z=3"}

-- dateDiff, toDateTime
select dateDiff('day', toDateTime('2024-03-05 10:17:33'), toDateTime('2025-03-05 10:18:33'), 'Asia/Tokyo') as r
--> {"r":365}

-- domainRFC
select domainRFC('https://user@a.b.example.co.uk:80/x/y?q=1&r=2#frag') as r
--> {"r":"a.b.example.co.uk"}

-- dotProduct
select dotProduct((1,2),(3,4)) as r
--> {"r":11}

-- endsWithCaseInsensitive
select endsWithCaseInsensitive('HellO','lo') as r
--> {"r":true}

-- factorial
select factorial(5) as r
--> {"r":120}

-- firstSignificantSubdomain
select firstSignificantSubdomain('http://www.example.com') as r
--> {"r":"example"}

-- firstSignificantSubdomain, form 2
select firstSignificantSubdomain('https://a.b.example.co.uk/x') as r
--> {"r":"example"}

-- firstSignificantSubdomain, form 3
select firstSignificantSubdomain('https://news.example.com.tr/') as r
--> {"r":"example"}

-- fromDaysSinceYearZero
select fromDaysSinceYearZero(739000) as r
--> {"r":"2023-04-25"}

-- fromUnixTimestamp
select fromUnixTimestamp(1741169853, '%Y-%m-%d') as r
--> {"r":"2025-03-05"}

-- fromUnixTimestamp64Second
select fromUnixTimestamp64Second(1741169853) as r
--> {"r":1741169853000000}

-- fromUnixTimestampInJodaSyntax
select fromUnixTimestampInJodaSyntax(1741169853, 'yyyy-MM-dd') as r
--> {"r":"2025-03-05"}

-- groupArrayInsertAt, toString
select groupArrayInsertAt('-')(toString(number), number * 2) from numbers(3)
--> {"groupArrayInsertAt('-')(toString(number), multiply(number, 2))":["0","-","1","-","2"]}

-- groupArrayInsertAt, toString, form 2
select groupArrayInsertAt('x', 5)(toString(number), number) from numbers(3)
--> {"groupArrayInsertAt('x', 5)(toString(number), number)":["0","1","2","x","x"]}

-- groupArrayInsertAt, toString, form 3
select groupArrayInsertAt(toString(number), number) from numbers(3)
--> {"groupArrayInsertAt(toString(number), number)":["0","1","2"]}

-- hasSubsequenceCaseInsensitive
select hasSubsequenceCaseInsensitive('ABC','ac') as r
--> {"r":1}

-- histogram
select histogram(3)(number) as h from numbers(10)
--> {"h":[{"_field_1":0.0,"_field_2":3.0,"_field_3":3.75},{"_field_1":3.0,"_field_2":6.0,"_field_3":2.5},{"_field_1":6.0,"_field_2":9.0,"_field_3":3.75}]}

-- instr
select instr('hello','l') as r
--> {"r":3}

-- isValidUTF8
select isValidUTF8('abc') as r
--> {"r":1}

-- last_day, toDate
select last_day(toDate('2025-03-05')) as r
--> {"r":"2025-03-31"}

-- leftPadUTF8
select leftPadUTF8('é',3,'-') as r
--> {"r":"--é"}

-- log1p
select log1p(1) as r
--> {"r":0.6931471805599453}

-- makeDate32
select makeDate32(2025,3,5) as r
--> {"r":"2025-03-05"}

-- maxIntersectionsPosition
select maxIntersectionsPosition(number, number + 2) from numbers(3)
--> {"maxIntersectionsPosition(number, plus(number, 2))":1}

-- mismatches
select mismatches('abc','abd') as r
--> {"r":1}

-- nowInBlock, toDateTime
select nowInBlock() > toDateTime('2020-01-01') as r
--> {"r":true}

-- interpolate
select number as n, number * 10 as v from numbers(7) where n % 3 = 1 order by n with fill from 0 to 8 interpolate (v)
--> {"n":0,"v":0}
--> {"n":1,"v":10}
--> {"n":2,"v":10}
--> {"n":3,"v":10}
--> {"n":4,"v":40}
--> {"n":5,"v":40}
--> {"n":6,"v":40}
--> {"n":7,"v":40}

-- select number as n, number * 10 as v from numbers(7) where n
select number as n, number * 10 as v from numbers(7) where n % 3 = 1 order by n with fill from 0 to 8 step 2 interpolate
--> {"n":0,"v":0}
--> {"n":1,"v":10}
--> {"n":2,"v":10}
--> {"n":4,"v":40}
--> {"n":6,"v":40}

-- groupArray
select number, groupArray(number) over (order by number rows between 1 preceding and current row) as q from numbers(4) order by number
--> {"number":0,"q":[0]}
--> {"number":1,"q":[0,1]}
--> {"number":2,"q":[1,2]}
--> {"number":3,"q":[2,3]}

-- lagInFrame
select number, lagInFrame(number, 1) over (order by number rows between 1 preceding and current row) as p from numbers(3) order by number
--> {"number":0,"p":0}
--> {"number":1,"p":0}
--> {"number":2,"p":1}

-- leadInFrame
select number, leadInFrame(number) over (order by number) as p from numbers(3) order by number
--> {"number":0,"p":0}
--> {"number":1,"p":0}
--> {"number":2,"p":0}

-- nth_value
select number, nth_value(number, 2) over (order by number) as p from numbers(3) order by number
--> {"number":0,"p":0}
--> {"number":1,"p":1}
--> {"number":2,"p":1}

-- quantile
select number, quantile(0.5)(number) over (order by number rows between 1 preceding and current row) as q from numbers(4) order by number
--> {"number":0,"q":0.0}
--> {"number":1,"q":0.5}
--> {"number":2,"q":1.5}
--> {"number":3,"q":2.5}

-- sum, intDiv
select number, sum(number) over (order by intDiv(number, 2) groups between 1 preceding and 1 following) s from numbers(8) order by number
--> {"number":0,"s":6}
--> {"number":1,"s":6}
--> {"number":2,"s":15}
--> {"number":3,"s":15}
--> {"number":4,"s":27}
--> {"number":5,"s":27}
--> {"number":6,"s":22}
--> {"number":7,"s":22}

-- uniq
select number, uniq(number % 2) over (order by number) as q from numbers(4) order by number
--> {"number":0,"q":1}
--> {"number":1,"q":2}
--> {"number":2,"q":2}
--> {"number":3,"q":2}

-- overlay
select overlay('abcdef','XY',3) as r
--> {"r":"abXYef"}

-- overlayUTF8
select overlayUTF8('abcdef','XY',3,1) as r
--> {"r":"abXYdef"}

-- parseDateTime32BestEffortOrNull
select parseDateTime32BestEffortOrNull('x') as r
--> {"r":null}

-- parseDateTimeBestEffortUSOrNull
select parseDateTimeBestEffortUSOrNull('x') as r
--> {"r":null}

-- parseDateTimeInJodaSyntax
select parseDateTimeInJodaSyntax('2025-03-05 10:17','yyyy-MM-dd HH:mm') as r
--> {"r":1741169820000000}

-- pmod
select pmod(-7,3) as r
--> {"r":2}

-- positionCaseInsensitive
select positionCaseInsensitive('HeLLo','l', 4) as r
--> {"r":4}

-- positionCaseInsensitiveUTF8
select positionCaseInsensitiveUTF8('éA','a') as r
--> {"r":2}

-- printf
select printf('%05.2f|%x|%X|%o|%e', 3.14159, 255, 255, 8, 1234.5) as r
--> {"r":"03.14|ff|FF|10|1.234500e+03"}

-- printf, form 2
select printf('%d-%s',1,'a') as r
--> {"r":"1-a"}

-- quantileTimingWeighted
select quantileTimingWeighted(0.5)(number, 1) from numbers(11)
--> {"quantileTimingWeighted(0.5)(number, 1)":5}

-- regexpExtract
select regexpExtract('a1b2','([a-z])(\\d)',0) as r
--> {"r":"a1"}

-- rightPadUTF8
select rightPadUTF8('é',3,'-') as r
--> {"r":"é--"}

-- roundDuration
select roundDuration(100) as r
--> {"r":60}

-- roundToExp2
select roundToExp2(100) as r
--> {"r":64}

-- sigmoid
select sigmoid(0) as r
--> {"r":0.5}

-- histogram, toInt32OrZero
select source, histogram(2)(toInt32OrZero(log_attributes['response.status_code'])) as h from logs where source='edge_logs' group by source
--> {"source":"edge_logs","h":[{"_field_1":200.0,"_field_2":338.875,"_field_3":3.75},{"_field_1":338.875,"_field_2":500.0,"_field_3":2.25}]}

-- splitByAlpha
select splitByAlpha('a1b') as r
--> {"r":["a","b"]}

-- splitByRegexp
select splitByRegexp('','abc') as r
--> {"r":["a","b","c"]}

-- startsWithCaseInsensitive
select startsWithCaseInsensitive('Hello','he') as r
--> {"r":true}

-- substringIndexUTF8
select substringIndexUTF8('a.b.c','.',1) as r
--> {"r":"a"}

-- sumCount
select sumCount(number) from numbers(3)
--> {"sumCount(number)":{"_field_1":3,"_field_2":3}}

-- timeSlots, toDateTime, toUInt32
select timeSlots(toDateTime('2025-03-05 10:17:33'), toUInt32(3600)) as r
--> {"r":[1741168800000000,1741170600000000,1741172400000000]}

-- timeSlots, toDateTime, toUInt32, form 2
select timeSlots(toDateTime('2025-03-05 10:17:33'), toUInt32(600), 300) as r
--> {"r":[1741169700000000,1741170000000000,1741170300000000]}

-- timezoneOf, toDateTime
select timezoneOf(toDateTime('2025-03-05 10:17:33','Asia/Tokyo')) as r
--> {"r":"Asia/Tokyo"}

-- timezoneOffset, toDateTime
select timezoneOffset(toDateTime('2025-03-05 10:17:33','Asia/Tokyo')) as r
--> {"r":32400}

-- toDateTime32
select toDateTime32('2025-03-05 10:17:33') as r
--> {"r":1741169853000000}

-- toDaysInMonth, toDate
select toDaysInMonth(toDate('2025-02-01')) as r
--> {"r":28}

-- toDecimalString
select toDecimalString(1.5,3) as r
--> {"r":"1.500"}

-- toDecimalString, toDecimal32
select toDecimalString(toDecimal32('2.1456',4), 2) as r
--> {"r":"2.15"}

-- toLastDayOfWeek, toDate
select toLastDayOfWeek(toDate('2025-03-05'), 1) as r
--> {"r":"2025-03-09"}

-- toRelativeQuarterNum, toDate
select toRelativeQuarterNum(toDate('2025-03-05')) as r
--> {"r":8100}

-- toRelativeWeekNum, toDate
select toRelativeWeekNum(toDate('2025-03-05')) as r
--> {"r":2879}

-- toStartOfWeek, toDate
select toStartOfWeek(toDate('2025-03-05'), 2) as r
--> {"r":"2025-03-02"}

-- toStartOfWeek, toDate, form 2
select toStartOfWeek(toDate('2025-03-05'), 5) as r
--> {"r":"2025-03-03"}

-- toTimeWithFixedDate, toDateTime
select toTimeWithFixedDate(toDateTime('2025-03-05 10:17:33')) as r
--> {"r":123453000000}

-- toTypeName
select toTypeName('a') as r
--> {"r":"String"}

-- toTypeName, form 2
select toTypeName((1,'a')) as r
--> {"r":"Tuple(UInt8, String)"}

-- toTypeName, form 3
select toTypeName(-1) as r
--> {"r":"Int8"}

-- toTypeName, form 4
select toTypeName(1) as r
--> {"r":"UInt8"}

-- toTypeName, form 5
select toTypeName(1.5) as r
--> {"r":"Float64"}

-- toTypeName, form 6
select toTypeName(300) as r
--> {"r":"UInt16"}

-- toTypeName, form 7
select toTypeName(70000) as r
--> {"r":"UInt32"}

-- toTypeName, form 8
select toTypeName([1,2]) as r
--> {"r":"Array(UInt8)"}

-- toTypeName, count
select toTypeName(count()) as r
--> {"r":"UInt64"}

-- toTypeName, map
select toTypeName(map('a',1)) as r
--> {"r":"Map(String, UInt8)"}

-- toTypeName, form 9
select toTypeName(null) as r
--> {"r":"Nullable(Nothing)"}

-- toTypeName, toDate
select toTypeName(toDate('2020-01-01')) as r
--> {"r":"Date"}

-- toTypeName, toInt64
select toTypeName(toInt64(3)) as r
--> {"r":"Int64"}

-- toTypeName, toNullable
select toTypeName(toNullable(1)) as r
--> {"r":"Nullable(UInt8)"}

-- toTypeName, toString
select toTypeName(toString(1)) as r
--> {"r":"String"}

-- toWeek, toDate
select toWeek(toDate('2025-03-05'), 1) as r
--> {"r":10}

-- toWeek, toDate, form 2
select toWeek(toDate('2025-03-05'), 2) as r
--> {"r":9}

-- toYearWeek, toDate
select toYearWeek(toDate('2024-12-31'), 1) as r
--> {"r":202501}

-- translateUTF8
select translateUTF8('éab','é','e') as r
--> {"r":"eab"}

-- tupleConcat
select tupleConcat((1,),(2,)) as r
--> {"r":{"_field_1":1,"_field_2":2}}

-- tupleHammingDistance
select tupleHammingDistance((1,2),(1,3)) as r
--> {"r":1}

-- tupleMinus
select tupleMinus((1,2),(3,4)) as r
--> {"r":{"_field_1":-2,"_field_2":-2}}

-- tuplePlus
select tuplePlus((1,2),(3,4)) as r
--> {"r":{"_field_1":4,"_field_2":6}}

-- uniqArray
select uniqArray([number, 1]) from numbers(3)
--> {"uniqArray([number, 1])":3}

-- arrayMap
with x -> x * 2 as dbl select arrayMap(dbl, [1,2]) as d
--> {"d":[2,4]}

-- leadInFrame, lagInFrame
select id, leadInFrame(id) over (order by timestamp rows between current row and 1 following) as next, lagInFrame(id, 2, '-') over (order by timestamp rows between 1 preceding and current row) as none from logs where source = 'edge_logs' order by timestamp
--> {"id":"a1","next":"a2","none":"-"}
--> {"id":"a2","next":"a3","none":"-"}
--> {"id":"a3","next":"a4","none":"-"}
--> {"id":"a4","next":"a5","none":"-"}
--> {"id":"a5","next":"a6","none":"-"}
--> {"id":"a6","next":"","none":"-"}

-- quantileExact, length, stddevPop
select source, quantileExact(0.5)(length(event_message)) over (partition by source) as m, stddevPop(length(event_message)) over (partition by source order by timestamp) as s from logs where source in ('auth_logs','postgres_logs') order by source, timestamp
--> {"source":"auth_logs","m":72,"s":0.0}
--> {"source":"auth_logs","m":72,"s":27.5}
--> {"source":"postgres_logs","m":44,"s":0.0}
--> {"source":"postgres_logs","m":44,"s":6.0}
--> {"source":"postgres_logs","m":44,"s":5.2493385826745405}

-- arraySort, groupUniqArray, groupArray
select source, arraySort(groupUniqArray(severity_text) over (partition by source)) as s, groupArray(id) over (partition by source order by timestamp) as ids from logs where source <> 'edge_logs' order by source, timestamp
--> {"source":"auth_logs","s":["ERROR","INFO"],"ids":["c1"]}
--> {"source":"auth_logs","s":["ERROR","INFO"],"ids":["c1","c2"]}
--> {"source":"function_logs","s":["","INFO"],"ids":["d1"]}
--> {"source":"function_logs","s":["","INFO"],"ids":["d1","d2"]}
--> {"source":"function_logs","s":["","INFO"],"ids":["d1","d2","d3"]}
--> {"source":"postgres_logs","s":["ERROR","LOG"],"ids":["b1"]}
--> {"source":"postgres_logs","s":["ERROR","LOG"],"ids":["b1","b2"]}
--> {"source":"postgres_logs","s":["ERROR","LOG"],"ids":["b1","b2","b3"]}

-- avg, intDiv
select avg(number) over (order by intDiv(number, 2) groups between 1 preceding and current row) as s from numbers(6) order by number
--> {"s":0.5}
--> {"s":0.5}
--> {"s":1.5}
--> {"s":1.5}
--> {"s":3.5}
--> {"s":3.5}

-- toInt32OrZero
select toInt32OrZero(log_attributes['status']) div 100 as c, 7 mod 4 as d, 7 div 2 as e from logs where id = 'c1'
--> {"c":2,"d":3,"e":3}

-- arrayReduce, quantilesExact, groupArray
select arrayReduce('quantilesExact(0.5, 0.9)', groupArray(number)) as r from numbers(11)
--> {"r":[5,9]}

-- JSONExtract, Array, form 3
select JSONExtract(event_message, 'Tuple(level String, msg String)').1 as level, JSONExtract(event_message, 'user', 'Tuple(id Int64, tags Array(String))').2 as tags from logs where id = 'c2'
--> {"level":"error","tags":["a","b"]}

-- JSONExtract, Map, form 2
select JSONExtract('{"a":{"x":1,"y":2}}', 'a', 'Map(String, Int64)') as m, JSONExtract('{"a":[{"k":"p","v":[1,2]}]}', 'a', 'Array(Tuple(k String, v Array(UInt8)))') as l
--> {"m":[{"x":1,"y":2}],"l":[{"k":"p","v":[1,2]}]}

-- toStartOfHour, count, interpolate
select toStartOfHour(timestamp) as h, count() as n from logs where source = 'edge_logs' group by h order by h with fill step interval 1 hour interpolate (n as n) limit 4
--> {"h":1739181600000000,"n":4}
--> {"h":1739185200000000,"n":1}
--> {"h":1739188800000000,"n":1}
--> {"h":1739192400000000,"n":1}

-- mapApply, map, mapFilter
select mapApply((k, v) -> (k, v + 1), map('a', 1)) as a, mapFilter((k, v) -> v > 1, map('a', 1, 'b', 2)) as b, mapExists((k, v) -> v = 1, map('a', 1)) as c
--> {"a":[{"a":2}],"b":[{"b":2}],"c":true}

-- arrayMap, form 2
with x -> x * 2 as dbl select arrayMap(dbl, [1, 2]) as d
--> {"d":[2,4]}

-- dateDiff, toDateTime, form 2
select dateDiff('day', toDateTime('2025-02-10 20:00:00'), toDateTime('2025-02-11 01:00:00'), 'America/New_York') as a, dateDiff('day', toDateTime('2025-02-10 20:00:00'), toDateTime('2025-02-11 01:00:00')) as b
--> {"a":0,"b":1}

-- sequenceMatch, toDateTime
select sequenceMatch('(?1)(?t<=2)(?2)')(toDateTime(number), number = 1, number = 3) as a, sequenceMatch('(?1)(?t>2)(?2)')(toDateTime(number), number = 1, number = 3) as b from numbers(5)
--> {"a":1,"b":0}

-- sequenceCount, toDateTime
select sequenceCount('(?1)(?t<=1)(?2)')(toDateTime(number), number % 2 = 1, number % 2 = 0) as a, sequenceCount('(?1)(?t>=2)(?2)')(toDateTime(number), number % 3 = 1, number % 3 = 0) as b from numbers(12)
--> {"a":5,"b":3}

-- sequenceMatch, toDateTime, form 2
select sequenceMatch('(?1)(?t<3)(?2)(?t==2)(?3)')(toDateTime(number), number = 1, number = 3, number = 5) as a, sequenceMatch('(?1).*(?t>=3)(?2)')(toDateTime(number), number = 1, number = 3) as b, sequenceMatch('(?1).(?t<=4)(?2)')(toDateTime(number), number = 1, number = 4) as c from numbers(8)
--> {"a":1,"b":0,"c":0}

-- sequenceCount, toDateTime, sequenceMatch
select sequenceCount('(?1)(?t<=60)(?2)')(toDateTime(timestamp), severity_text = 'ERROR', severity_text = 'INFO') as a, sequenceMatch('(?1)(?t>3600)(?2)')(toDateTime(timestamp), severity_text = 'ERROR', source = 'function_logs') as b from logs
--> {"a":1,"b":1}

-- arrayJoin, histogram
select arrayJoin(histogram(2)(number)) as bin from numbers(4)
--> {"bin":{"_field_1":0.0,"_field_2":1.5,"_field_3":2.0}}
--> {"bin":{"_field_1":1.5,"_field_2":3.0,"_field_3":2.0}}

-- histogram, length
select source, histogram(2)(length(event_message)) as h from logs where source = 'edge_logs' group by source
--> {"source":"edge_logs","h":[{"_field_1":21.0,"_field_2":26.5,"_field_3":3.75},{"_field_1":26.5,"_field_2":31.0,"_field_3":2.25}]}

-- quantileDD, quantileBFloat16
select round(quantileDD(0.01, 0.5)(number), 3) as a, round(quantileDD(0.01, 0.9)(number - 50), 3) as b, quantileBFloat16(0.5)(number * 100) as c, quantilesBFloat16(0.25, 0.9)(number) as d from numbers(101)
--> {"a":49.903,"b":40.048,"c":4992.0,"d":[25.0,90.0]}

-- a missing key in a condition
select if(source = '', 'all', source) as s, count() as n from logs group by source with rollup order by n, s
--> {"s":"auth_logs","n":2}
--> {"s":"function_logs","n":3}
--> {"s":"postgres_logs","n":3}
--> {"s":"edge_logs","n":6}
--> {"s":"all","n":14}

-- a missing key in a call
select upper(source) as s, count() as n from logs group by source with rollup order by n, s
--> {"s":"AUTH_LOGS","n":2}
--> {"s":"FUNCTION_LOGS","n":3}
--> {"s":"POSTGRES_LOGS","n":3}
--> {"s":"EDGE_LOGS","n":6}
--> {"s":"","n":14}

-- missing keys in a text
select concat(source, '/', severity_text) as s, count() as n from logs group by grouping sets ((source), (severity_text)) order by n, s
--> {"s":"/","n":1}
--> {"s":"/LOG","n":1}
--> {"s":"/WARN","n":1}
--> {"s":"auth_logs/","n":2}
--> {"s":"function_logs/","n":3}
--> {"s":"postgres_logs/","n":3}
--> {"s":"/ERROR","n":4}
--> {"s":"edge_logs/","n":6}
--> {"s":"/INFO","n":7}

-- a missing key by its name
select number % 2 as k, k + 10 as j, count() as n from numbers(5) group by k with rollup order by n, k
--> {"k":1,"j":11,"n":2}
--> {"k":0,"j":10,"n":3}
--> {"k":0,"j":10,"n":5}

-- a missing key in HAVING
select source, count() as n from logs group by source with rollup having source = '' or n > 3 order by n, source
--> {"source":"edge_logs","n":6}
--> {"source":"","n":14}

-- missing keys of a cube
select if(source = '', 'all', source) as s, severity_text, sum(length(event_message)) as n from logs group by cube(source, severity_text) having n > 40 order by n, s, severity_text
--> {"s":"auth_logs","severity_text":"ERROR","n":72}
--> {"s":"auth_logs","severity_text":"","n":89}
--> {"s":"postgres_logs","severity_text":"ERROR","n":90}
--> {"s":"edge_logs","severity_text":"INFO","n":107}
--> {"s":"postgres_logs","severity_text":"","n":124}
--> {"s":"all","severity_text":"INFO","n":136}
--> {"s":"edge_logs","severity_text":"","n":150}
--> {"s":"all","severity_text":"ERROR","n":184}
--> {"s":"all","severity_text":"","n":379}
