-- # Rarer functions of the columnar dialect, with the rows of another engine

-- bars
select bar(5,0,10,10) as a, bar(3,0,10,7) as b, bar(0,0,10,10) as c, bar(12,0,10,10) as d, bar(1,0,100,20) as e, bar(33.3,0,100,20) as f
--> {"a":"█████","b":"██","c":"","d":"██████████","e":"▏","f":"██████▋"}

-- binary digits
select bin(5) as a, bin(256) as b, bin(0) as c
--> {"a":"00000101","b":"0000000100000000","c":"00000000"}

-- hexadecimal digits of numbers
select hex(255) as a, hex(256) as b, hex(0) as c, hex('ab') as d
--> {"a":"FF","b":"0100","c":"00","d":"6162"}

-- characters by their numbers
select char(72, 101) as v
--> {"v":"He"}

-- divisors and multiples
select gcd(12,18) as a, lcm(4,6) as b, gcd(-12,18) as c
--> {"a":6,"b":12,"c":6}

-- the difference of texts
select editDistance('kitten','sitting') as a, levenshteinDistance('abc','') as b
--> {"a":3,"b":3}

-- the product of a list
select arrayProduct([2,3]) as a, arrayProduct([2,3.5]) as b
--> {"a":6.0,"b":7.0}

-- a list in a list
select hasSubstr([1,2,3],[2,3]) as a, hasSubstr([1,2,3],[1,3]) as b, hasSubstr([1,2,3],[]) as c, hasSubstr(['a','b'],['b']) as d
--> {"a":true,"b":false,"c":true,"d":true}

-- lists without lists in them
select arrayFlatten([[1],[2,3]]) as a, arrayFlatten([[[1]],[[2],[3]]]) as b, arrayFlatten([1,2]) as c
--> {"a":[1,2,3],"b":[1,2,3],"c":[1,2]}

-- entropy
select entropy(x) as v from (select arrayJoin([1,1,2,2]) as x)
--> {"v":1.0}

-- entropy of three values
select entropy(x) as v from (select arrayJoin(['a','a','b','c']) as x)
--> {"v":1.5}

-- a bitmap's size
select groupBitmap(x) as v from (select arrayJoin([1,1,2]) as x)
--> {"v":2}

-- retention
select retention(x = 1, x = 2, x = 5) as v from (select arrayJoin([1,2]) as x)
--> {"v":[1,1,0]}

-- no retention
select retention(x = 7, x = 2) as v from (select arrayJoin([1,2]) as x)
--> {"v":[0,0]}

-- a line through points
select simpleLinearRegression(x, y) as v from (select arrayJoin([(1,2),(2,4),(3,7)]) as p, p.1 as x, p.2 as y)
--> {"v":{"k":2.5,"b":-0.6666666666666666}}

-- a funnel
select windowFunnel(10)(t, e = 1, e = 2) as v from (select arrayJoin([(1,1),(5,2)]) as p, toDateTime(p.1) as t, p.2 as e)
--> {"v":2}

-- a funnel that is too slow
select windowFunnel(3)(t, e = 1, e = 2) as v from (select arrayJoin([(1,1),(5,2)]) as p, toDateTime(p.1) as t, p.2 as e)
--> {"v":1}

-- a funnel with other events
select windowFunnel(10)(t, e = 1, e = 2, e = 3) as v from (select arrayJoin([(1,1),(3,3),(5,2),(6,3)]) as p, toDateTime(p.1) as t, p.2 as e)
--> {"v":3}

-- a funnel that never begins
select windowFunnel(10)(t, e = 1, e = 2, e = 3) as v from (select arrayJoin([(1,2),(3,3),(5,2)]) as p, toDateTime(p.1) as t, p.2 as e)
--> {"v":0}

-- a funnel that begins again
select windowFunnel(5)(t, e = 1, e = 2, e = 3) as v from (select arrayJoin([(1,1),(4,1),(5,2),(8,3)]) as p, p.1 as t, p.2 as e)
--> {"v":3}

-- keys and values of JSON
select JSONExtractKeysAndValues('{"a":1,"b":2}','Int64') as a, JSONExtractKeysAndValues('{"a":"x","b":"y"}','String') as b, JSONExtractKeysAndValues('{"a":1.5,"b":2}','Float64') as c, JSONExtractKeysAndValues('{"a":"x","b":2}','Int64') as d, JSONExtractKeysAndValues('[1]','Int64') as e
--> {"a":[{"_field_1":"a","_field_2":1},{"_field_1":"b","_field_2":2}],"b":[{"_field_1":"a","_field_2":"x"},{"_field_1":"b","_field_2":"y"}],"c":[{"_field_1":"a","_field_2":1.5},{"_field_1":"b","_field_2":2.0}],"d":[{"_field_1":"b","_field_2":2}],"e":[]}

-- a tuple of one
select (1,) as a, ('x',).1 as b, tuple(1) as c
--> {"a":{"_field_1":1},"b":"x","c":{"_field_1":1}}

-- equal lists
select [1,2] = [1,2] as a, [1,2] != [1,3] as b, ['a'] = splitByChar(',', 'a') as c, splitByChar(',', 'a,b') = ['a','b'] as d
--> {"a":true,"b":true,"c":true,"d":true}

-- hexadecimal numbers
select 0x1F as a, 0x1F + 1 as b
--> {"a":31,"b":32}

-- instants in many forms
select toString(parseDateTimeBestEffort('Mar 1 2026 10:00','UTC')) as a, toString(parseDateTimeBestEffort('1 Mar 2026 10:00:05','UTC')) as b, toString(parseDateTimeBestEffort('Sun, 01 Mar 2026 10:00:05 GMT','UTC')) as c, toString(parseDateTimeBestEffort('01/03/2026 10:00:00','UTC')) as d, toString(parseDateTimeBestEffort('1772359200','UTC')) as e, toString(parseDateTimeBestEffort('20260301100005','UTC')) as f, toString(parseDateTimeBestEffort('2026/03/01 10:00:00','UTC')) as g, toString(parseDateTimeBestEffort('2026-03-01T10:00:00+02:00','UTC')) as h
--> {"a":"2026-03-01 10:00:00","b":"2026-03-01 10:00:05","c":"2026-03-01 10:00:05","d":"2026-03-01 10:00:00","e":"2026-03-01 10:00:00","f":"2026-03-01 10:00:05","g":"2026-03-01 10:00:00","h":"2026-03-01 08:00:00"}

-- instants without a zone
select toString(parseDateTimeBestEffort('March 1, 2026 10:00')) as a, toString(parseDateTimeBestEffort('20260301')) as b, parseDateTimeBestEffortOrNull('soon') as c
--> {"a":"2026-03-01 10:00:00","b":"2026-03-01 00:00:00","c":null}

-- no instant
select parseDateTimeBestEffort('soon') as v
--> error

-- parts of a text
select ngrams('abcd', 2) as a, ngrams('a', 2) as b
--> {"a":["ab","bc","cd"],"b":[]}

-- a time in words
select formatReadableTimeDelta(3661) as a, formatReadableTimeDelta(59) as b, formatReadableTimeDelta(0) as c, formatReadableTimeDelta(172805) as d, formatReadableTimeDelta(34560000) as e, formatReadableTimeDelta(2700000) as f, formatReadableTimeDelta(1.5) as g, formatReadableTimeDelta(-61) as h
--> {"a":"1 hour, 1 minute and 1 second","b":"59 seconds","c":"0 seconds","d":"2 days and 5 seconds","e":"1 year, 1 month, 4 days and 12 hours","f":"1 month and 18 hours","g":"1 second","h":"-1 minute and 1 second"}

-- degrees
select degrees(pi()) as a, radians(180) as b, sin(0) as c, cos(0) as d, atan2(0, 1) as e
--> {"a":180.0,"b":3.141592653589793,"c":0.0,"d":1.0,"e":0.0}

-- ages
select roundAge(0) as a, roundAge(20) as b, roundAge(60) as c, caseWithExpression(1, 1, 'a', 'b') as d
--> {"a":0,"b":18,"c":55,"d":"a"}

-- composed characters
select normalizeUTF8NFD('é') = 'é' as a, lengthUTF8(normalizeUTF8NFD('é')) as b
--> {"a":false,"b":2}

-- settings
select 1 as v settings max_threads = 1
--> refused Unsupported: SETTINGS of a query without FROM is not supported

-- a form of the answer
select 1 as v format JSON
--> refused Invalid: FORMAT is the server's own: leave it out, answers are always rows of JSON

-- a column that is called format
select format from (select 1 as format)
--> {"format":1}

-- a name keeps its letters
select arrayRandomSample([1,2,3], 1) as v
--> refused Unsupported: the function arrayRandomSample is not supported

-- another name
select JSONExtractKeysAndValuesRaw('{}') as v
--> refused Unsupported: the function JSONExtractKeysAndValuesRaw is not supported

-- the elements of all lists
select groupArrayArray(x) as a from (select arrayJoin([[1],[2,3]]) as x)
--> {"a":[1,2,3]}

-- the different elements of all lists
select arraySort(groupUniqArrayArray(x)) as a from (select arrayJoin([['a','b'],['b']]) as x)
--> {"a":["a","b"]}

-- the heaviest values
select topKWeighted(2)(x, w) as v from (select arrayJoin([('a',1),('b',5),('a',2),('c',1)]) as p, p.1 as x, p.2 as w)
--> {"v":["b","a"]}

-- digits of an instant in a zone
select toString(toDateTime64('2026-03-01 10:07:13.123456', 3, 'UTC')) as a, toString(toDateTime64('2026-03-01 10:07:13.12', 3, 'UTC')) as b
--> {"a":"2026-03-01 10:07:13.123","b":"2026-03-01 10:07:13.120"}

-- sizes by thousands
select formatReadableDecimalSize(123456789) as a, formatReadableDecimalSize(999) as b, formatReadableDecimalSize(1000) as c
--> {"a":"123.46 MB","b":"999.00 B","c":"1.00 KB"}

-- the lower median
select quantileExactLow(0.5)(number) as a, medianExactLow(number) as b, quantileExactLow(0.9)(number) as c, quantileExactHigh(0.5)(number) as d from numbers(10)
--> {"a":4,"b":4,"c":9,"d":5}

-- the kind of a join before its side
select a.number as n from numbers(3) a semi left join numbers(2) b on a.number = b.number order by n
--> {"n":0}
--> {"n":1}

-- rows without a partner, with the kind before its side
select a.number as n from numbers(3) a anti left join numbers(2) b on a.number = b.number
--> {"n":2}

-- infinities in tuples and lists
select (1 / 0, 1) as t, [1 / 0] as l, groupArray((number + 1) / 0) as g from numbers(2)
--> {"t":{"_field_1":"Infinity","_field_2":1},"l":["Infinity"],"g":["Infinity","Infinity"]}
