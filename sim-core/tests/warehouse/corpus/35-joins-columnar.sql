-- # Joins with one partner, lists of groups and set operations in the columnar dialect; the rows are those of an independent engine

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

-- select a.number as n, b.v as v from numbers(3) a any left join (select
select a.number as n, b.v as v from numbers(3) a any left join (select number % 2 as number, 'x' as v from numbers(4)) b on a.number = b.number order by n
--> {"n":0,"v":"x"}
--> {"n":1,"v":"x"}
--> {"n":2,"v":""}

-- select a.n as n, b.v as v from (select number % 2 as n from numbers(4)
select a.n as n, b.v as v from (select number % 2 as n from numbers(4)) a any inner join (select number % 3 as n, 'x' as v from numbers(9)) b on a.n = b.n order by n
--> {"n":0,"v":"x"}
--> {"n":1,"v":"x"}

-- select n, v from (select number as n from numbers(2)) a any left join 
select n, v from (select number as n from numbers(2)) a any left join (select number as n, number * 10 as v from numbers(2)) b using (n) order by n
--> {"n":0,"v":0}
--> {"n":1,"v":10}

-- select n, v from (select number as n from numbers(2)) a left any join 
select n, v from (select number as n from numbers(2)) a left any join (select number as n, number * 10 as v from numbers(2)) b using n order by n
--> {"n":0,"v":0}
--> {"n":1,"v":10}

-- select a.n as x, b.n as y from (select number % 2 as n from numbers(4)
select a.n as x, b.n as y from (select number % 2 as n from numbers(4)) a any right join (select number as n from numbers(3)) b on a.n = b.n order by y
--> {"x":0,"y":0}
--> {"x":1,"y":1}
--> {"x":0,"y":2}

-- select a.id as x, b.id as y from (select id, timestamp, 1 as k from lo
select a.id as x, b.id as y from (select id, timestamp, 1 as k from logs where source = 'edge_logs') as a asof left join (select id, timestamp, 1 as k from logs where source = 'auth_logs') as b on a.k = b.k and a.timestamp >= b.timestamp order by x
--> {"x":"a1","y":""}
--> {"x":"a2","y":""}
--> {"x":"a3","y":""}
--> {"x":"a4","y":"c2"}
--> {"x":"a5","y":"c2"}
--> {"x":"a6","y":"c2"}

-- select a.id as x, b.id as y from (select id, timestamp, 1 as k from lo
select a.id as x, b.id as y from (select id, timestamp, 1 as k from logs where source = 'edge_logs') as a asof join (select id, timestamp, 1 as k from logs where source = 'auth_logs') as b on a.k = b.k and a.timestamp < b.timestamp order by x
--> {"x":"a1","y":"c1"}
--> {"x":"a2","y":"c1"}
--> {"x":"a3","y":"c1"}

-- select a.id as x, b.id as y from (select id, timestamp, 1 as k from lo
select a.id as x, b.id as y from (select id, timestamp, 1 as k from logs where source = 'edge_logs') as a asof join (select id, timestamp, 1 as k from logs where source = 'postgres_logs') as b using (k, timestamp) order by x
--> {"x":"a4","y":"b2"}
--> {"x":"a5","y":"b2"}
--> {"x":"a6","y":"b2"}

-- select a.n as x, b.n as y from (select number as n, 1 as k from number
select a.n as x, b.n as y from (select number as n, 1 as k from numbers(4)) a asof left join (select number * 2 as n, 1 as k from numbers(2)) b on b.k = a.k and b.n <= a.n order by x
--> {"x":0,"y":0}
--> {"x":1,"y":0}
--> {"x":2,"y":2}
--> {"x":3,"y":2}

-- select a.n as x, b.n as y from (select number as n, 1 as k from number
select a.n as x, b.n as y from (select number as n, 1 as k from numbers(4)) a asof left join (select number * 2 as n, 1 as k from numbers(2)) b on b.k = a.k and a.n > b.n order by x
--> {"x":0,"y":0}
--> {"x":1,"y":0}
--> {"x":2,"y":0}
--> {"x":3,"y":2}

-- select a.id as x from logs a semi join (select id from logs where seve
select a.id as x from logs a semi join (select id from logs where severity_text = 'ERROR') b using (id) order by x
--> {"x":"a4"}
--> {"x":"b2"}
--> {"x":"b3"}
--> {"x":"c2"}

-- select id from (select 'c1' as id) x right anti join (select id from l
select id from (select 'c1' as id) x right anti join (select id from logs where source = 'auth_logs') b using (id) order by id
--> {"id":"c2"}

-- select id from (select 'c1' as id) x right semi join (select id from l
select id from (select 'c1' as id) x right semi join (select id from logs where source = 'auth_logs') b using (id) order by id
--> {"id":"c1"}

-- select a.id as x, b.n as n from logs a left semi join (select source, 
select a.id as x, b.n as n from logs a left semi join (select source, count() as n from logs group by source having n > 3) b on a.source = b.source order by x
--> {"x":"a1","n":6}
--> {"x":"a2","n":6}
--> {"x":"a3","n":6}
--> {"x":"a4","n":6}
--> {"x":"a5","n":6}
--> {"x":"a6","n":6}

-- select sequenceMatch('(?1).*(?2)')(toDateTime(timestamp), severity_tex
select sequenceMatch('(?1).*(?2)')(toDateTime(timestamp), severity_text = 'LOG', severity_text = 'ERROR') as m from logs where source = 'postgres_logs'
--> {"m":1}

-- select sequenceMatch('(?2)(?1)')(toDateTime(timestamp), severity_text 
select sequenceMatch('(?2)(?1)')(toDateTime(timestamp), severity_text = 'LOG', severity_text = 'ERROR') as m from logs where source = 'postgres_logs'
--> {"m":0}

-- select sequenceCount('(?1)(?2)')(number, number % 2 = 0, number % 2 = 
select sequenceCount('(?1)(?2)')(number, number % 2 = 0, number % 2 = 1) as n from numbers(9)
--> {"n":4}

-- select sequenceCount('(?1).(?1)')(number, number % 3 = 0, number % 3 >
select sequenceCount('(?1).(?1)')(number, number % 3 = 0, number % 3 > 0) as n, sequenceMatch('(?1)(?1)')(number, number % 3 = 0, number % 3 > 0) as m from numbers(9)
--> {"n":0,"m":0}

-- select number % 2 as g, sequenceCount('(?1).*(?2)')(number, number < 3
select number % 2 as g, sequenceCount('(?1).*(?2)')(number, number < 3, number > 4) as n from numbers(9) group by g order by g
--> {"g":0,"n":1}
--> {"g":1,"n":1}

-- select arrayFold((acc, x) -> acc + x * 2, [1, 2, 3], toInt64(0)) as s,
select arrayFold((acc, x) -> acc + x * 2, [1, 2, 3], toInt64(0)) as s, arrayFold((acc, x, y) -> acc + x * y, [1, 2, 3], [4, 5, 6], toInt64(10)) as t
--> {"s":12,"t":42}

-- select source, arrayFold((acc, x) -> greatest(acc, x), groupArray(leng
select source, arrayFold((acc, x) -> greatest(acc, x), groupArray(length(event_message)), toUInt64(0)) as longest from logs group by source order by source
--> {"source":"auth_logs","longest":72}
--> {"source":"edge_logs","longest":31}
--> {"source":"function_logs","longest":8}
--> {"source":"postgres_logs","longest":46}

-- select deltaSum(x) as d from (select arrayJoin([5, 1, 2, 9, 3]) as x)
select deltaSum(x) as d from (select arrayJoin([5, 1, 2, 9, 3]) as x)
--> {"d":8}

-- select deltaSum(number) as d from numbers(0)
select deltaSum(number) as d from numbers(0)
--> {"d":0}

-- select deltaSumIf(number, number % 2 = 0) as d, deltaSumTimestamp(toIn
select deltaSumIf(number, number % 2 = 0) as d, deltaSumTimestamp(toInt64(9 - number), number) as t from numbers(6)
--> {"d":4,"t":0}

-- select quantileExactExclusive(0.25)(number) as q, quantileExactExclusi
select quantileExactExclusive(0.25)(number) as q, quantileExactExclusive(0.9)(number) as r, quantileExactExclusive(0.05)(number) as s from numbers(7)
--> {"q":1.0,"r":6.0,"s":0.0}

-- select quantilesExactExclusive(0.25, 0.5)(number) as q, quantileExactI
select quantilesExactExclusive(0.25, 0.5)(number) as q, quantileExactInclusive(0.25)(number) as r from numbers(11)
--> {"q":[2.0,5.0],"r":2.5}

-- select quantileExactWeighted(0.5)(number, number) as q, quantilesExact
select quantileExactWeighted(0.5)(number, number) as q, quantilesExactWeighted(0.5, 0.9)(number, 1) as r, medianExactWeighted(number, 2) as m from numbers(10)
--> {"q":7,"r":[4,8],"m":4}

-- select quantileExactWeightedIf(0.5)(number, 1, number > 3) as q from n
select quantileExactWeightedIf(0.5)(number, 1, number > 3) as q from numbers(10)
--> {"q":6}

-- select quantileGK(100, 0.5)(number) as a, quantilesGK(100, 0.25, 0.9)(
select quantileGK(100, 0.5)(number) as a, quantilesGK(100, 0.25, 0.9)(number) as b from numbers(10)
--> {"a":4.0,"b":[2.0,8.0]}

-- select groupArrayLast(3)(number) as g, groupArrayLast(3)(number % 2) a
select groupArrayLast(3)(number) as g, groupArrayLast(3)(number % 2) as h from numbers(10)
--> {"g":[9,7,8],"h":[1,1,0]}

-- select groupArrayMovingSum(number) as s, groupArrayMovingSum(2)(number
select groupArrayMovingSum(number) as s, groupArrayMovingSum(2)(number) as t, groupArrayMovingAvg(2)(number) as a, groupArrayMovingAvg(number) as b from numbers(5)
--> {"s":[0,1,3,6,10],"t":[0,1,3,5,7],"a":[0.0,0.5,1.5,2.5,3.5],"b":[0.0,0.2,0.6,1.2,2.0]}

-- select arraySort(groupArrayIntersect(x)) as g from (select arrayJoin([
select arraySort(groupArrayIntersect(x)) as g from (select arrayJoin([[1, 2, 3], [2, 3], [3, 2]]) as x)
--> {"g":[2,3]}

-- select maxIntersections(number, number + 2) as m, intervalLengthSum(nu
select maxIntersections(number, number + 2) as m, intervalLengthSum(number * 2, number * 2 + 3) as l from numbers(5)
--> {"m":2,"l":11}

-- select boundingRatio(number, number * 2) as r from numbers(5)
select boundingRatio(number, number * 2) as r from numbers(5)
--> {"r":2.0}

-- select round(skewSamp(number * number), 6) as s, round(kurtSamp(number
select round(skewSamp(number * number), 6) as s, round(kurtSamp(number * number), 6) as k from numbers(6)
--> {"s":0.510658,"k":1.427585}

-- select sumForEach([number, number * 2]) as s, maxForEach([number]) as 
select sumForEach([number, number * 2]) as s, maxForEach([number]) as m, countForEach([1, number]) as c from numbers(4)
--> {"s":[6,12],"m":[3],"c":[4,4]}

-- select sumMapIf(map('a', 1), number > 1) as m from numbers(4)
select sumMapIf(map('a', 1), number > 1) as m from numbers(4)
--> {"m":[{"a":2}]}

-- select anyHeavy(source) as a from logs where source = 'edge_logs'
select anyHeavy(source) as a from logs where source = 'edge_logs'
--> {"a":"edge_logs"}

-- select uniqUpTo(2)(source) as a, uniqUpTo(9)(source) as b from logs
select uniqUpTo(2)(source) as a, uniqUpTo(9)(source) as b from logs
--> {"a":3,"b":4}

-- select round(exponentialMovingAverage(2)(number, number), 6) as e from
select round(exponentialMovingAverage(2)(number, number), 6) as e from numbers(5)
--> {"e":2.18934}

-- zeros, system.one and series
select count() as n, sum(zero) as z from zeros(10)
--> {"n":10,"z":0}

-- select * from zeros(2)
select * from zeros(2)
--> {"zero":0}
--> {"zero":0}

-- select generate_series as g from generate_series(0, 6, 2) order by g
select generate_series as g from generate_series(0, 6, 2) order by g
--> {"g":0}
--> {"g":2}
--> {"g":4}
--> {"g":6}

-- select * from generate_series(1, 3) order by 1
select * from generate_series(1, 3) order by 1
--> {"generate_series":1}
--> {"generate_series":2}
--> {"generate_series":3}

-- select number from numbers(0, 10, 3) order by number
select number from numbers(0, 10, 3) order by number
--> {"number":0}
--> {"number":3}
--> {"number":6}
--> {"number":9}

-- select number from numbers_mt(3) order by number
select number from numbers_mt(3) order by number
--> {"number":0}
--> {"number":1}
--> {"number":2}

-- select 1 as one, dummy from system.one
select 1 as one, dummy from system.one
--> {"one":1,"dummy":0}

-- the end of a united query belongs to its last part
select 2 as x union all select 1 as x order by x
--> {"x":2}
--> {"x":1}

-- select 1 as x union all select 2 as x order by x desc limit 1
select 1 as x union all select 2 as x order by x desc limit 1
--> {"x":1}
--> {"x":2}

-- (select id from logs order by id limit 1) union all (select id from lo
(select id from logs order by id limit 1) union all (select id from logs order by id desc limit 1)
--> {"id":"a1"}
--> {"id":"d3"}

-- select id from logs order by id limit 1 union all select id from logs 
select id from logs order by id limit 1 union all select id from logs order by id desc limit 1
--> {"id":"a1"}
--> {"id":"d3"}

-- with (select count() from logs) as n select n as x union all select 1 
with (select count() from logs) as n select n as x union all select 1 as x order by x
--> {"x":14}
--> {"x":1}

-- select hasSubsequence('abc', 'ac') as a, hasSubsequence('abc', 'ca') a
select hasSubsequence('abc', 'ac') as a, hasSubsequence('abc', 'ca') as b, arrayPartialSort(3, [3, 1, 2]) as c, dotProduct([1, 2], [3, 4]) as d
--> {"a":1,"b":0,"c":[1,2,3],"d":11}
