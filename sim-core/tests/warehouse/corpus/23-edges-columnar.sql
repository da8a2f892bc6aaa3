-- # Edges of the columnar dialect; the rows are those of an independent engine

--= source logs
--= known source STRING, severity_text STRING, log_attributes JSON
--= {"id":"a1","timestamp":1739181600000000,"event_message":"GET /a 200","source":"edge_logs","severity_text":"INFO","log_attributes":{"request.path":"/it's","request.method":"GET"}}

-- maps, lists and tuples as texts
select toString(map('a', 2, 'b', 1)) as a, toString(['x', 'it\'s']) as b, toString([1, 2]) as c, toString((1, 'a')) as d, toString(map('k', 'v')) as e
--> {"a":"{'a':2,'b':1}","b":"['x','it\\'s']","c":"[1,2]","d":"(1,'a')","e":"{'k':'v'}"}

-- the attributes under another name
select toString(m) as a, concat('m=', m) as b from (select log_attributes as m from logs)
--> {"a":"{'request.method':'GET','request.path':'/it\\'s'}","b":"m={'request.method':'GET','request.path':'/it\\'s'}"}

-- a list of days
select toString([toDate('2025-01-01')]) as a
--> refused Unsupported: the text of a list or tuple with days or instants is not supported

-- division by zero is infinite, which JSON does not have
select 1 / 0 as a, toString(1 / 0) as b, toString(-1 / 0) as c, 1 / 0 > 5 as d, isInfinite(1 / 0) as e, isFinite(1 / 0) as f, isFinite(1) as g, if(1 / 0 > 1, 'more', 'less') as h, divide(7, 2) as i
--> {"a":"Infinity","b":"inf","c":"-inf","d":true,"e":true,"f":false,"g":true,"h":"more","i":3.5}

-- floats as texts
select toString(1e20) as a, toString(1e15) as b, toString(1e21) as c, toString(0.1) as d, toString(1.0) as e, toString(0.000001) as f, toString(1e-7) as g
--> {"a":"100000000000000000000","b":"1000000000000000","c":"1e21","d":"0.1","e":"1","f":"0.000001","g":"1e-7"}

-- elements of JSON by their place
select JSONExtractString('["x","y"]', 1) as a, JSONExtractString('["x","y"]', -1) as b, JSONExtractString('["x","y"]', 0) as c, JSONHas('["x"]', 2) as d
--> {"a":"x","b":"y","c":"","d":false}

-- parts of texts
select substring('hello', 0) as a, substring('hello', -3, 2) as b, substring('hello', -10, 8) as c, substring('hello', 2, -1) as d, substring('hello', 10) as e, substring('hello', -10) as f
--> {"a":"","b":"ll","c":"hel","d":"ell","e":"","f":"hello"}

-- places of texts and elements
select position('abc', 'c', 0) as a, position('abc', 'c', 5) as b, repeat('a', -1) as c, arrayElement([1, 2, 3], -1) as d, arrayElement([1, 2, 3], 5) as e, arraySlice([1, 2, 3, 4], 2, -1) as f, range(5, 1, -2) as g, reverse([1, 2]) as h, reverse('ab') as i
--> {"a":3,"b":0,"c":"","d":3,"e":0,"f":[2,3],"g":[5,3],"h":[2,1],"i":"ba"}

-- nulls in lists, negations and extremes
select 1 in (2, null) as a, 1 in (1, null) as b, not null as c, greatest(1, null) as d, least(null, 2) as e, if(null, 1, 2) as f
--> {"a":false,"b":true,"c":null,"d":1,"e":2,"f":2}

-- totals of maps
select sumMap(map('a', 1, 'b', 2)) as a, minMap(m) as b, maxMap(m) as c, sumMap(m) as d from (select arrayJoin([map('a', 1), map('a', 3, 'b', 4)]) as m)
--> {"a":[{"a":2,"b":4}],"b":[{"a":1,"b":4}],"c":[{"a":3,"b":4}],"d":[{"a":4,"b":4}]}

-- values of a map of numbers
select mapValues(map('a', 2, 'b', 1)) as a
--> {"a":[2,1]}

-- days beyond the end of their month
select toDateOrNull('2025-02-30') as a, toDateOrNull('x') as b, toDateOrNull('2025-01-05') as c
--> {"a":"2025-03-02","b":null,"c":"2025-01-05"}

-- numbers that no whole number of 64 bits with a sign is
select toUInt64(-1) as a
--> error

-- states of aggregates
select sumState(1) as a
--> refused Unsupported: the state of an aggregate in an answer (column a): merge it in a query around is not supported

-- merged states
select uniqMerge(1) as a
--> refused Unsupported: uniqMerge of what is no state that a query inside makes is not supported

-- hashes with values of other types
select cityHash64('a') as a
--> refused Unsupported: the function cityHash64 is not supported

-- rows that are computed from those before
select n, n as v from (select arrayJoin([1, 4]) as n) order by n with fill interpolate (v)
--> {"n":1,"v":1}
--> {"n":2,"v":1}
--> {"n":3,"v":1}
--> {"n":4,"v":4}

-- infinity stays where a number is taken from it
select (1 / 0) - 5 as a, (1 / 0) * 2 as b, minus(1 / 0, 1) as c, multiply(-1 / 0, 3) as d
--> {"a":"Infinity","b":"Infinity","c":"Infinity","d":"-Infinity"}
