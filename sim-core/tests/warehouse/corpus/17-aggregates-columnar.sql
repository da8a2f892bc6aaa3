-- # Aggregates, windows, joins and orders of the columnar dialect

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

-- counts
select count() as a, count(*) as b, count(1) as c, count(id) as d, countIf(source = 'edge_logs') as e from logs
--> {"a":14,"b":14,"c":14,"d":14,"e":6}

-- counts of what is not null
select count(toInt32OrNull(log_attributes['response.status_code'])) as n from logs
--> {"n":6}

-- counts of distinct values
select uniq(source) as a, uniqExact(source) as b, uniqCombined(source) as c, uniqHLL12(source) as d, count(distinct source) as e from logs
--> {"a":4,"b":4,"c":4,"d":4,"e":4}

-- counts of distinct pairs
select uniqExact(source, severity_text) as n, count(distinct source, severity_text) as m from logs
--> {"n":9,"m":9}

-- sums and means
select sum(length(source)) as a, avg(length(source)) as b, min(length(source)) as c, max(length(source)) as d from logs
--> {"a":150,"b":10.714285714285714,"c":9,"d":13}

-- the sum and the mean of nothing
select sum(1) as a, count() as b, sumIf(1, source = 'none') as c, countIf(source = 'none') as d from logs
--> {"a":14,"b":14,"c":0,"d":0}

-- any value
select any(source) as a, anyLast(source) as b, anyIf(id, id = 'b2') as c from logs where source = 'postgres_logs'
--> {"a":"postgres_logs","b":"postgres_logs","c":"b2"}

-- argMax and argMin
select argMax(id, timestamp) as a, argMin(id, timestamp) as b, argMaxIf(id, timestamp, source = 'auth_logs') as c, argMinIf(id, timestamp, source = 'auth_logs') as d from logs
--> {"a":"d3","b":"a1","c":"c2","d":"c1"}

-- lists of a group
select source, groupArray(id) as ids from (select id, source from logs order by id) group by source order by source
--> {"source":"auth_logs","ids":["c1","c2"]}
--> {"source":"edge_logs","ids":["a1","a2","a3","a4","a5","a6"]}
--> {"source":"function_logs","ids":["d1","d2","d3"]}
--> {"source":"postgres_logs","ids":["b1","b2","b3"]}

-- lists of distinct values
select arraySort(groupUniqArray(source)) as s from logs
--> {"s":["auth_logs","edge_logs","function_logs","postgres_logs"]}

-- lists under a condition
select groupArrayIf(id, severity_text = 'WARN') as a, arraySort(groupUniqArrayIf(source, severity_text = 'ERROR')) as b from logs
--> {"a":["a3"],"b":["auth_logs","edge_logs","postgres_logs"]}

-- sorted lists
select groupArraySorted(3)(id) as a from logs
--> {"a":["a1","a2","a3"]}

-- the median and other quantiles
select median(length(event_message)) as a, quantile(0.25)(length(event_message)) as b, quantile(length(event_message)) as c from logs where source = 'edge_logs'
--> {"a":22.5,"b":22.0,"c":22.5}

-- exact quantiles
select quantileExact(0.5)(length(event_message)) as a, quantileExact(0.75)(length(event_message)) as b, medianExact(length(event_message)) as c from logs where source = 'edge_logs'
--> {"a":23,"b":31,"c":23}

-- several quantiles at once
select quantiles(0.25, 0.5, 0.75)(length(event_message)) as q, quantilesExact(0.5, 1)(length(event_message)) as e from logs where source = 'edge_logs'
--> {"q":[22.0,22.5,29.0],"e":[23,31]}

-- quantiles under a condition
select quantileIf(0.5)(length(event_message), severity_text = 'INFO') as a, quantileExactIf(0.5)(length(event_message), severity_text = 'INFO') as b, medianIf(length(event_message), severity_text = 'INFO') as c from logs where source = 'edge_logs'
--> {"a":27.0,"b":31,"c":27.0}

-- spread
select round(stddevPop(length(event_message)), 6) as a, round(stddevSamp(length(event_message)), 6) as b, round(varPop(length(event_message)), 6) as c, round(varSamp(length(event_message)), 6) as d from logs where source = 'edge_logs'
--> {"a":4.281744,"b":4.690416,"c":18.333333,"d":22.0}

-- correlation
select round(corr(toInt32OrZero(log_attributes['response.origin_time']), length(event_message)), 6) as c, round(covarPop(toInt32OrZero(log_attributes['response.origin_time']), length(event_message)), 6) as d from logs where source = 'edge_logs'
--> {"c":-0.310043,"d":-436.833333}

-- the most frequent values
select topK(2)(severity_text) as t from logs where source = 'edge_logs'
--> {"t":["INFO","ERROR"]}

-- bits of a group
select groupBitAnd(length(id)) as a, groupBitOr(length(id)) as b from logs
--> {"a":2,"b":2}

-- distinct under a condition
select uniqIf(source, severity_text = 'ERROR') as a, uniqExactIf(source, severity_text <> 'ERROR') as b from logs
--> {"a":3,"b":4}

-- sum of distinct values
select sum(distinct length(id)) as s, sumDistinct(length(id)) as d from logs
--> {"s":2,"d":2}

-- min and max of texts and instants
select min(source) as a, max(source) as b, min(timestamp) as c, max(timestamp) as d from logs
--> {"a":"auth_logs","b":"postgres_logs","c":1739181600000000,"d":1767223800000000}

-- GROUP BY with totals in a rollup
select source, count() as n from logs where source in ('auth_logs', 'edge_logs') group by rollup(source) order by n, source
--> {"source":"auth_logs","n":2}
--> {"source":"edge_logs","n":6}
--> {"source":"","n":8}

-- GROUP BY with rollup after it
select source, severity_text, count() as n from logs where source = 'edge_logs' group by source, severity_text with rollup order by n, source, severity_text
--> {"source":"edge_logs","severity_text":"ERROR","n":1}
--> {"source":"edge_logs","severity_text":"WARN","n":1}
--> {"source":"edge_logs","severity_text":"INFO","n":4}
--> {"source":"","severity_text":"","n":6}
--> {"source":"edge_logs","severity_text":"","n":6}

-- GROUP BY several sets
select source, severity_text, count() as n from logs where source = 'edge_logs' group by grouping sets ((source), (severity_text)) order by n, source, severity_text
--> {"source":"","severity_text":"ERROR","n":1}
--> {"source":"","severity_text":"WARN","n":1}
--> {"source":"","severity_text":"INFO","n":4}
--> {"source":"edge_logs","severity_text":"","n":6}

-- GROUP BY of all that is not aggregated
select source, severity_text, count() as n from logs group by all order by n desc, source, severity_text limit 2
--> {"source":"edge_logs","severity_text":"INFO","n":4}
--> {"source":"function_logs","severity_text":"INFO","n":2}

-- ORDER BY ALL
select source, count() as n from logs group by source order by all
--> {"source":"auth_logs","n":2}
--> {"source":"edge_logs","n":6}
--> {"source":"function_logs","n":3}
--> {"source":"postgres_logs","n":3}

-- HAVING by a column's name
select source, count() as n from logs group by source having n >= 3 order by source
--> {"source":"edge_logs","n":6}
--> {"source":"function_logs","n":3}
--> {"source":"postgres_logs","n":3}

-- HAVING without the column
select source from logs group by source having count() = 2 order by source
--> {"source":"auth_logs"}

-- DISTINCT of several columns
select distinct source, severity_text from logs where source in ('auth_logs', 'postgres_logs') order by source, severity_text
--> {"source":"auth_logs","severity_text":"ERROR"}
--> {"source":"auth_logs","severity_text":"INFO"}
--> {"source":"postgres_logs","severity_text":"ERROR"}
--> {"source":"postgres_logs","severity_text":"LOG"}

-- DISTINCT ON
select distinct on (source) source, id from logs order by source, id
--> {"source":"auth_logs","id":"c1"}
--> {"source":"edge_logs","id":"a1"}
--> {"source":"function_logs","id":"d1"}
--> {"source":"postgres_logs","id":"b1"}

-- LIMIT BY two keys
select source, severity_text, id from logs where source = 'edge_logs' order by id limit 1 by source, severity_text
--> {"source":"edge_logs","severity_text":"INFO","id":"a1"}
--> {"source":"edge_logs","severity_text":"WARN","id":"a3"}
--> {"source":"edge_logs","severity_text":"ERROR","id":"a4"}

-- LIMIT with OFFSET by comma
select id from logs order by id limit 1, 2
--> {"id":"a2"}
--> {"id":"a3"}

-- FETCH
select id from logs order by id offset 1 rows fetch first 2 rows only
--> {"id":"a2"}
--> {"id":"a3"}

-- nulls first and last
select x from (select arrayJoin([1, null, 2]) as x) order by x nulls first
--> {"x":null}
--> {"x":1}
--> {"x":2}

-- nulls are last
select x from (select arrayJoin([1, null, 2]) as x) order by x desc
--> {"x":2}
--> {"x":1}
--> {"x":null}

-- a window of sums
select id, sum(length(id)) over (partition by source order by id) as s from logs where source = 'auth_logs' order by id
--> {"id":"c1","s":2}
--> {"id":"c2","s":4}

-- the value before and after
select id, lagInFrame(id) over (order by id rows between unbounded preceding and unbounded following) as before, leadInFrame(id) over (order by id rows between unbounded preceding and unbounded following) as after from logs where source = 'postgres_logs' order by id
--> {"id":"b1","before":"","after":"b2"}
--> {"id":"b2","before":"b1","after":"b3"}
--> {"id":"b3","before":"b2","after":""}

-- the value before with a default
select id, lag(id, 1, '-') over (order by id) as before, lead(id, 1, '-') over (order by id) as after from logs where source = 'postgres_logs' order by id
--> {"id":"b1","before":"-","after":"b2"}
--> {"id":"b2","before":"b1","after":"b3"}
--> {"id":"b3","before":"b2","after":"-"}

-- ranks with ties
select id, rank() over (order by severity_text) as r, dense_rank() over (order by severity_text) as d, row_number() over (order by severity_text, id) as n from logs where source = 'edge_logs' order by n
--> {"id":"a4","r":1,"d":1,"n":1}
--> {"id":"a1","r":2,"d":2,"n":2}
--> {"id":"a2","r":2,"d":2,"n":3}
--> {"id":"a5","r":2,"d":2,"n":4}
--> {"id":"a6","r":2,"d":2,"n":5}
--> {"id":"a3","r":6,"d":3,"n":6}

-- the first and the last value of a window
select id, first_value(id) over (partition by source order by id rows between unbounded preceding and unbounded following) as f, last_value(id) over (partition by source order by id rows between unbounded preceding and unbounded following) as l from logs where source = 'auth_logs' order by id
--> {"id":"c1","f":"c1","l":"c2"}
--> {"id":"c2","f":"c1","l":"c2"}

-- a window with a name
select id, count() over w as n from logs where source = 'auth_logs' window w as (partition by source) order by id
--> {"id":"c1","n":2}
--> {"id":"c2","n":2}

-- a moving average
select id, avg(toInt32OrZero(log_attributes['response.origin_time'])) over (order by timestamp rows between 1 preceding and current row) as m from logs where source = 'edge_logs' order by timestamp
--> {"id":"a1","m":12.0}
--> {"id":"a2","m":30.0}
--> {"id":"a3","m":26.5}
--> {"id":"a4","m":454.0}
--> {"id":"a5","m":468.0}
--> {"id":"a6","m":20.0}

-- a share of the whole
select source, count() as n, round(n / sum(n) over (), 3) as share from logs group by source order by source
--> {"source":"auth_logs","n":2,"share":0.143}
--> {"source":"edge_logs","n":6,"share":0.429}
--> {"source":"function_logs","n":3,"share":0.214}
--> {"source":"postgres_logs","n":3,"share":0.214}

-- quartiles of rows
select id, ntile(2) over (order by id) as t from logs where source = 'edge_logs' order by id
--> {"id":"a1","t":1}
--> {"id":"a2","t":1}
--> {"id":"a3","t":1}
--> {"id":"a4","t":2}
--> {"id":"a5","t":2}
--> {"id":"a6","t":2}

-- an inner join
select a.id as a, b.id as b from logs as a inner join logs as b on a.source = b.source and a.severity_text = b.severity_text where a.id < b.id order by a, b
--> {"a":"a1","b":"a2"}
--> {"a":"a1","b":"a5"}
--> {"a":"a1","b":"a6"}
--> {"a":"a2","b":"a5"}
--> {"a":"a2","b":"a6"}
--> {"a":"a5","b":"a6"}
--> {"a":"b2","b":"b3"}
--> {"a":"d1","b":"d2"}

-- a join of several tables
select a.id as a, b.id as b, c.id as c from logs as a join logs as b on a.source = b.source join logs as c on b.source = c.source where a.source = 'auth_logs' and a.id < b.id order by a, b, c
--> {"a":"c1","b":"c2","c":"c1"}
--> {"a":"c1","b":"c2","c":"c2"}

-- an anti join
select a.id as id from logs as a left anti join (select id from logs where severity_text = 'ERROR') as b on a.id = b.id where a.source = 'edge_logs' order by id
--> {"id":"a1"}
--> {"id":"a2"}
--> {"id":"a3"}
--> {"id":"a5"}
--> {"id":"a6"}

-- a semi join
select a.id as id from logs as a left semi join (select id from logs where severity_text = 'ERROR') as b on a.id = b.id order by id
--> {"id":"a4"}
--> {"id":"b2"}
--> {"id":"b3"}
--> {"id":"c2"}

-- a cross join
select a.id as a, b.n as n from (select id from logs where source = 'auth_logs') as a cross join (select 1 as n) as b order by a
--> {"a":"c1","n":1}
--> {"a":"c2","n":1}

-- a cross join by comma
select a.id as a, b.id as b from logs a, logs b where a.id = 'a1' and b.id = 'b1'
--> {"a":"a1","b":"b1"}

-- a join USING two columns
select source, severity_text, x, y from (select source, severity_text, count() as x from logs group by source, severity_text) as a join (select source, severity_text, min(id) as y from logs group by source, severity_text) as b using (source, severity_text) where source = 'edge_logs' order by y
--> {"source":"edge_logs","severity_text":"INFO","x":4,"y":"a1"}
--> {"source":"edge_logs","severity_text":"WARN","x":1,"y":"a3"}
--> {"source":"edge_logs","severity_text":"ERROR","x":1,"y":"a4"}

-- a query as a value
select id from logs where timestamp = (select max(timestamp) from logs)
--> {"id":"d3"}

-- a query as a column
select (select count() from logs) as n, 1 as one
--> {"n":14,"one":1}

-- common table expressions that read each other
with a as (select id, source from logs), b as (select source, count() as n from a group by source) select max(n) as n from b
--> {"n":6}

-- IN with a tuple
select id from logs where (source, severity_text) in (('edge_logs', 'WARN'), ('auth_logs', 'ERROR')) order by id
--> {"id":"a3"}
--> {"id":"c2"}

-- UNION DISTINCT
select source from logs where id in ('a1', 'a2') union distinct select source from logs where id = 'b1' order by source
--> {"source":"edge_logs"}
--> {"source":"postgres_logs"}

-- EXCEPT
select source from logs except distinct select source from logs where severity_text = 'ERROR' order by source
--> {"source":"function_logs"}

-- EXISTS
select count() as n from logs where exists (select 1 from logs where id = 'zz')
--> {"n":0}

-- numbers without a table
select number as n from numbers(3)
--> {"n":0}
--> {"n":1}
--> {"n":2}

-- hours without a table
select toDateTime('2025-02-10 10:00:00') + toIntervalHour(number) as h from numbers(2) order by h
--> {"h":1739181600000000}
--> {"h":1739185200000000}

-- WITH FILL and INTERPOLATE
select toStartOfMinute(timestamp) as t, count() as n from logs where source = 'auth_logs' group by t order by t with fill from toDateTime('2025-02-10 10:02:00') to toDateTime('2025-02-10 10:05:00') step interval 1 minute
--> {"t":1739181720000000,"n":0}
--> {"t":1739181780000000,"n":2}
--> {"t":1739181840000000,"n":0}

-- WITH FILL of numbers
select n from (select arrayJoin([1, 4]) as n) order by n with fill
--> {"n":1}
--> {"n":2}
--> {"n":3}
--> {"n":4}

-- WITH FILL with a step
select n, 'x' as s from (select arrayJoin([0, 6]) as n) order by n with fill step 3
--> {"n":0,"s":"x"}
--> {"n":3,"s":""}
--> {"n":6,"s":"x"}

-- a filled key after another key
select s, n from (select 'a' as s, arrayJoin([1, 3]) as n) order by s, n with fill from 1 to 5
--> {"s":"a","n":1}
--> {"s":"a","n":2}
--> {"s":"a","n":3}
--> {"s":"a","n":4}

-- QUALIFY
select id, source from logs qualify row_number() over (partition by source order by timestamp desc) = 1 order by source
--> {"id":"c2","source":"auth_logs"}
--> {"id":"a6","source":"edge_logs"}
--> {"id":"d3","source":"function_logs"}
--> {"id":"b3","source":"postgres_logs"}

-- sampling by a hash that is a number
select count() as n from logs where length(id) % 2 = 0
--> {"n":14}

-- comments
select count() as n /* all */ from logs -- of them
--> {"n":14}
