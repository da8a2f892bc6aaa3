-- # Analysis: recursion, pivots, subtotals, percentiles, formats

--= source hits
--= {"id":"1","timestamp":1739181600000000,"event_message":"GET /a 200 12ms","shop":"north","status":200,"ms":12,"ip":"10.1.2.3","url":"https://user@www.example.test:8080/a?b=c"}
--= {"id":"2","timestamp":1739181630000000,"event_message":"GET /b 500 340ms","shop":"north","status":500,"ms":340,"ip":"10.1.9.9","url":"http://EXAMPLE.test/b"}
--= {"id":"3","timestamp":1739181900000000,"event_message":"PUT /a 200 7ms","shop":"south","status":200,"ms":7,"ip":"::1","url":"example.test:80/a"}
--= {"id":"4","timestamp":1739182200000000,"event_message":"GET /a 404 3ms","shop":"south","status":404,"ms":3,"ip":"nowhere","url":"//example.test"}
--= {"id":"5","timestamp":1739185200000000,"event_message":"GET /c 200 90ms","shop":"west","status":200,"ms":90,"url":""}

-- numbers, one made of the other
with recursive r as (select 1 as n union all select n + 1 from r where n < 4) select n, n * n as square from r order by n
--> {"n":1,"square":1}
--> {"n":2,"square":4}
--> {"n":3,"square":9}
--> {"n":4,"square":16}

-- a chain of events, followed from one to the next
with recursive steps as (select 'a' as node, 'b' as next union all select 'b', 'c' union all select 'c', 'd'), way as (select 'a' as node, 0 as far union all select s.next, w.far + 1 from way w join steps s on s.node = w.node) select node, far from way order by far
--> {"node":"a","far":0}
--> {"node":"b","far":1}
--> {"node":"c","far":2}
--> {"node":"d","far":3}

-- days without gaps, by recursion
with recursive days as (select date '2025-02-27' as d union all select date_add(d, interval 1 day) from days where d < date '2025-03-01') select d from days order by d
--> {"d":"2025-02-27"}
--> {"d":"2025-02-28"}
--> {"d":"2025-03-01"}

-- RECURSIVE beside what is not
with recursive plain as (select 7 as x) select x from plain
--> {"x":7}

-- recursion without end
with recursive r as (select 1 as n union all select n + 1 from r) select max(n) as n from r
--> error

-- recursion over events
with recursive r as (select id, 1 as depth from hits where id = '1' union all select h.id, r.depth + 1 from r inner join hits h on cast(h.id as int64) = cast(r.id as int64) + 1) select id, depth from r order by depth desc limit 2
--> {"id":"5","depth":5}
--> {"id":"4","depth":4}

-- recursion with UNION DISTINCT
with recursive r as (select 1 as n union distinct select n + 1 from r where n < 3) select n from r
--> refused Invalid: A recursive common table expression must be a UNION ALL

-- recursion read twice
with recursive r as (select 1 as n union all select a.n + 1 from r a, r b where a.n < 3) select n from r
--> refused Invalid: A recursive reference must stand exactly once in the recursive part

-- recursion with groups
with recursive r as (select 1 as n union all select max(n) + 1 from r) select n from r
--> refused Unsupported: grouping, DISTINCT, QUALIFY or a window in the recursive part of a common table expression is not supported

-- recursion that changes a type
with recursive r as (select 1 as n union all select n / 2 from r) select n from r
--> refused Invalid: Column n of a recursive common table expression has the types INT64 and FLOAT64: CAST one to the other

-- PIVOT
select shop, ok, failed from (select shop, cast(status as int64) as status, 1 as one from hits) pivot (sum(one) for status in (200 as ok, 500 as failed)) order by shop
--> {"shop":"north","ok":1,"failed":1}
--> {"shop":"south","ok":1,"failed":null}
--> {"shop":"west","ok":1,"failed":null}

-- PIVOT of texts, with counts and no aliases
select GET, PUT from (select id, split(event_message, ' ')[offset(0)] as verb from hits) pivot (count(id) for verb in ('GET', 'PUT'))
--> {"GET":4,"PUT":1}

-- PIVOT with several aggregates
with h as (select shop, cast(status as int64) as status, cast(ms as int64) as ms from hits) select shop, n_200, most_200, n_404 from h pivot (count(*) as n, max(ms) as most for status in (200 as `200`, 404 as `404`)) as p order by p.shop
--> {"shop":"north","n_200":1,"most_200":12,"n_404":0}
--> {"shop":"south","n_200":1,"most_200":7,"n_404":1}
--> {"shop":"west","n_200":1,"most_200":90,"n_404":0}

-- PIVOT of numbers and truth values without aliases
select _1, TRUE_ from (select 1 as a, true as b) pivot (count(*) for a in (1)) cross join (select `TRUE` as TRUE_ from (select true as b) pivot (count(*) for b in (true)))
--> {"_1":1,"TRUE_":1}

-- UNPIVOT
select shop, kind, n from (select 'north' as shop, 3 as hits, 1 as errors union all select 'south', 2, null) unpivot (n for kind in (hits, errors)) order by shop, kind
--> {"shop":"north","kind":"errors","n":1}
--> {"shop":"north","kind":"hits","n":3}
--> {"shop":"south","kind":"hits","n":2}

-- UNPIVOT with nulls and labels
select kind, n from (select 2 as hits, null as errors) unpivot include nulls (n for kind in (hits as 'all', errors as 'bad')) order by kind
--> {"kind":"all","n":2}
--> {"kind":"bad","n":null}

-- PIVOT of a source
select one from hits pivot (count(*) for id in ('1' as one))
--> refused Unsupported: PIVOT of a source: select its fields in a subquery is not supported

-- PIVOT of lists
select x from (select 1 as a, 2 as b) pivot (array_agg(b) for a in (1 as x))
--> refused Unsupported: array_agg in PIVOT is not supported

-- subtotals
select shop, status, count(*) as n from hits group by rollup (shop, status) order by shop, status
--> {"shop":null,"status":null,"n":5}
--> {"shop":"north","status":null,"n":2}
--> {"shop":"north","status":200,"n":1}
--> {"shop":"north","status":500,"n":1}
--> {"shop":"south","status":null,"n":2}
--> {"shop":"south","status":200,"n":1}
--> {"shop":"south","status":404,"n":1}
--> {"shop":"west","status":null,"n":1}
--> {"shop":"west","status":200,"n":1}

-- subtotals by names of the list, told apart
select upper(shop) as place, grouping(upper(shop)) as total, sum(ms) as ms from hits group by rollup (place) having count(*) > 1 order by place
--> {"place":null,"total":1,"ms":452}
--> {"place":"NORTH","total":0,"ms":352}
--> {"place":"SOUTH","total":0,"ms":10}

-- subtotals of every kind
select s.shop, s.ok, count(*) as n from (select shop, cast(status as int64) < 400 as ok from hits) as s group by cube (shop, ok) order by shop, ok, n
--> {"shop":null,"ok":null,"n":5}
--> {"shop":null,"ok":false,"n":2}
--> {"shop":null,"ok":true,"n":3}
--> {"shop":"north","ok":null,"n":2}
--> {"shop":"north","ok":false,"n":1}
--> {"shop":"north","ok":true,"n":1}
--> {"shop":"south","ok":null,"n":2}
--> {"shop":"south","ok":false,"n":1}
--> {"shop":"south","ok":true,"n":1}
--> {"shop":"west","ok":null,"n":1}
--> {"shop":"west","ok":true,"n":1}

-- subtotals by choice
select shop, status, count(*) as n from hits where shop != 'west' group by grouping sets ((shop), status, ()) order by shop, status
--> {"shop":null,"status":null,"n":4}
--> {"shop":null,"status":200,"n":2}
--> {"shop":null,"status":404,"n":1}
--> {"shop":null,"status":500,"n":1}
--> {"shop":"north","status":null,"n":2}
--> {"shop":"south","status":null,"n":2}

-- a rollup beside another key
select shop, status, count(*) as n from hits group by shop, rollup (status)
--> refused Unsupported: ROLLUP, CUBE or GROUPING SETS beside other keys is not supported

-- a total of no rows
select shop, count(*) as n from hits where false group by rollup (shop)
--> {"shop":null,"n":0}

-- subtotals with a window
select shop, row_number() over () as n from hits group by rollup (shop)
--> refused Unsupported: a window function beside ROLLUP, CUBE or GROUPING SETS is not supported

-- percentiles
select distinct percentile_cont(ms, 0.5) over () as median, percentile_disc(ms, 0.5) over () as one_of_them, percentile_cont(ms, 0) over () as least, percentile_cont(ms, 0.75) over () as p75, percentile_disc(ms, 1) over () as most from hits
--> {"median":12.0,"one_of_them":12,"least":3.0,"p75":90.0,"most":340}

-- percentiles of each group
select distinct shop, percentile_cont(ms, 0.5) over (partition by shop) as median from hits order by shop
--> {"shop":"north","median":176.0}
--> {"shop":"south","median":5.0}
--> {"shop":"west","median":90.0}

-- percentiles of texts, and of nothing
select percentile_disc(x, 0.5) over () as mid, percentile_cont(y, 0.5) over () as none from (select 'a' as x, cast(null as float64) as y union all select 'b', null union all select 'c', null) limit 1
--> {"mid":"b","none":null}

-- a percentile without a window
select percentile_cont(ms, 0.5) as m from hits
--> refused Unsupported: the function percentile_cont is not supported

-- a percentile above one
select percentile_cont(ms, 90) over () as m from hits
--> refused Invalid: The second argument of PERCENTILE_CONT must be a number from 0 to 1

-- the most frequent values
select approx_top_count(shop, 2) as top from hits
--> {"top":[{"value":"north","count":2},{"value":"south","count":2}]}

-- the most frequent numbers, one row each
select t.value, t.count from (select approx_top_count(cast(status as int64), 5) as top from hits), unnest(top) as t order by t.count desc, t.value
--> {"value":200,"count":3}
--> {"value":404,"count":1}
--> {"value":500,"count":1}

-- the value of the row with the greatest or least of another
select max_by(id, ms) as slowest, min_by(id, ms) as fastest, any_value(event_message having max timestamp) as last from hits
--> {"slowest":"2","fastest":"4","last":"GET /c 200 90ms"}

-- the same for each group
select shop, max_by(cast(status as int64), timestamp) as newest from hits group by shop order by shop
--> {"shop":"north","newest":500}
--> {"shop":"south","newest":404}
--> {"shop":"west","newest":200}

-- string_agg with a limit
select string_agg(id, ',' order by ms desc limit 2) as slow, string_agg(distinct shop, '/' order by shop limit 2) as shops from hits
--> {"slow":"2,5","shops":"north/south"}

-- frames of a distance
select id, count(*) over (order by unix_seconds(timestamp) range between 300 preceding and current row) as recent from hits order by id
--> {"id":"1","recent":1}
--> {"id":"2","recent":2}
--> {"id":"3","recent":3}
--> {"id":"4","recent":2}
--> {"id":"5","recent":1}

-- moving averages
select id, avg(ms) over (order by timestamp rows between 1 preceding and 1 following) as m from hits order by id
--> {"id":"1","m":176.0}
--> {"id":"2","m":119.66666666666667}
--> {"id":"3","m":116.66666666666667}
--> {"id":"4","m":33.333333333333336}
--> {"id":"5","m":46.5}

-- whether all or some so far, and the second of a window
select id, logical_and(status = 200) over (order by id) as every, logical_or(status = 500) over (order by id) as some, nth_value(id, 2) over (order by id) as second from hits order by id limit 3
--> {"id":"1","every":true,"some":false,"second":null}
--> {"id":"2","every":false,"some":true,"second":"2"}
--> {"id":"3","every":false,"some":true,"second":"2"}

-- a distance of texts
select count(*) over (order by shop range between 1 preceding and current row) as n from hits
--> refused Unsupported: this bound of a window frame is not supported

-- LIKE ANY
select id from hits where event_message like any ('PUT%', '%/b%') order by id
--> {"id":"2"}
--> {"id":"3"}

-- buckets of minutes
select timestamp_bucket(timestamp, interval 5 minute) as bucket, count(*) as n from hits group by bucket order by bucket
--> {"bucket":1739181600000000,"n":2}
--> {"bucket":1739181900000000,"n":1}
--> {"bucket":1739182200000000,"n":1}
--> {"bucket":1739185200000000,"n":1}

-- buckets of days
select date_bucket(date '2025-02-10', interval 7 day) as a, datetime_bucket(datetime '2025-02-10 10:07:00', interval 15 minute) as b
--> {"a":"2025-02-09","b":"2025-02-10T10:00:00"}

-- buckets of borders
select id, range_bucket(ms, [0, 10, 100, 1000]) as bucket from hits order by id
--> {"id":"1","bucket":2}
--> {"id":"2","bucket":3}
--> {"id":"3","bucket":1}
--> {"id":"4","bucket":1}
--> {"id":"5","bucket":2}

-- FORMAT
select format('%s has %d', 'x', 5) as a, format('%05d|%-4d|%+d', 42, 7, 3) as b, format('%.2f %f', 2.345, 1) as c, format('100%%') as d, format('%t %t', date '2025-02-10', null) as e, format("%'d", 1234567) as f, format('%x %X', 255, 255) as g, format('%6.1f|%-6s|%6s', 3.14159, 'ab', 'cd') as h, format('%s', null) as i
--> {"a":"x has 5","b":"00042|7   |+3","c":"2.35 1.000000","d":"100%","e":"2025-02-10 NULL","f":"1,234,567","g":"ff FF","h":"   3.1|ab    |    cd","i":null}

-- FORMAT of fields
select format('%s:%d', shop, status) as s from hits where id = '2'
--> {"s":"north:500"}

-- FORMAT with too few arguments
select format('%s %s', 'x') as s
--> refused Invalid: FORMAT has too few arguments

-- FORMAT with a number for a text
select format('%s', 1) as s
--> refused Invalid: No matching signature for function FORMAT for argument types: STRING, INT64

-- FORMAT of a format that is not known
select format(event_message, 1) as s from hits
--> refused Unsupported: FORMAT with a format that is no text in the query is not supported

-- FORMAT with another directive
select format('%v', 1) as s
--> refused Unsupported: the directive %v of FORMAT is not supported

-- PARSE_TIMESTAMP and its like
select parse_timestamp('%Y-%m-%d %H:%M:%S', '2025-02-10 10:00:00') as a, parse_timestamp('%d/%b/%Y:%H:%M:%S %z', '10/Feb/2025:10:00:00 +0100') as b, parse_date('%F', '2025-02-10') as c, parse_datetime('%Y%m%dT%H%M%E*S', '20250210T100000.25') as d, parse_time('%I:%M %p', '03:04 PM') as e, parse_timestamp('%s', '1739181600') as f
--> {"a":1739181600000000,"b":1739178000000000,"c":"2025-02-10","d":"2025-02-10T10:00:00.25","e":"15:04:00","f":1739181600000000}

-- PARSE_TIMESTAMP in a zone
select parse_timestamp('%F %T', '2025-07-10 10:00:00', 'America/New_York') as a
--> {"a":1752156000000000}

-- a text of another form
select parse_date('%F', 'tomorrow') as x
--> error Failed to parse input string "tomorrow"

-- a day that is not there
select parse_date('%F', '2025-02-30') as x
--> error

-- SAFE. makes null of what fails
select safe.parse_date('%F', '2025-02-30') as a, safe.parse_timestamp('%F', 'x') as b, safe.parse_json('{') as c, safe.substr('abc', 1, -1) as d, safe.ln(0) as e, safe.sqrt(-1) as f, safe.mod(1, 0) as g, safe.left('abc', -1) as h, safe.upper('a') as i, safe.div(7, 2) as j
--> {"a":null,"b":null,"c":null,"d":null,"e":null,"f":null,"g":null,"h":null,"i":"A","j":3}

-- SAFE. before what it is not known for
select safe.format('%s', 'x') as a
--> refused Unsupported: SAFE. before format is not supported

-- times of day
select format_time('%H:%M', time '15:04:05') as a, extract(hour from time '15:04:05') as b, extract(minute from parse_time('%T', '01:02:03')) as c
--> {"a":"15:04","b":15,"c":2}

-- days from numbers
select date_from_unix_date(20129) as a
--> {"a":"2025-02-10"}

-- sums that do not fail
select safe_add(9223372036854775807, 1) as a, safe_subtract(1, 2) as b, safe_multiply(4611686018427387904, 2) as c, safe_add(1, 2) as d
--> {"a":null,"b":-1,"c":null,"d":3}

-- characters and codes
select ascii('A') as a, chr(233) as b, unicode('é') as c, to_hex(from_hex('00ff')) as d, to_base64(from_base64('eA==')) as e, regexp_instr('abc123', r'\d') as f, regexp_instr('abc', 'x') as g, regexp_extract('a1b2', r'\d', 3) as h, length(to_hex(sha512('x'))) as i
--> {"a":65,"b":"é","c":233,"d":"00ff","e":"eA==","f":4,"g":0,"h":"2","i":128}

-- hosts of addresses
select id, net.host(url) as host from hits order by id
--> {"id":"1","host":"www.example.test"}
--> {"id":"2","host":"EXAMPLE.test"}
--> {"id":"3","host":"example.test"}
--> {"id":"4","host":"example.test"}
--> {"id":"5","host":null}

-- addresses of machines
select id, net.ip_to_string(net.ip_trunc(net.safe_ip_from_string(ip), 16)) as net from hits order by id
--> {"id":"1","net":"10.1.0.0"}
--> {"id":"2","net":"10.1.0.0"}
--> {"id":"3","net":"::"}
--> {"id":"4","net":null}
--> {"id":"5","net":null}

-- addresses as bytes
select to_hex(net.ip_from_string('10.1.2.3')) as a, net.ip_to_string(net.ip_from_string('2001:db8::1')) as b, safe.net.ip_from_string('1.2.3') as c
--> {"a":"0a010203","b":"2001:db8::1","c":null}

-- an address that is none
select net.ip_from_string('1.2.3.256') as x
--> error Invalid IP address: 1.2.3.256

-- lists inside JSON
select json_value_array('{"a":["x",1,true]}', '$.a') as a, json_extract_string_array('["x"]') as b, json_query_array('[{"a":1},2]') as c, json_value_array('[[1]]') as d, json_value_array(parse_json('[1, null]')) as e
--> {"a":["x","1","true"],"b":["x"],"c":["{\"a\":1}","2"],"d":[],"e":["1",null]}

-- keys of JSON
select json_keys(parse_json('{"b":{"c":1},"a":[{"d":1}]}')) as k
--> {"k":["a","b","b.c"]}

-- values out of JSON
select int64(parse_json('5')) as a, float64(parse_json('1.5')) as b, bool(parse_json('true')) as c, string(parse_json('"x"')) as d, lax_int64(parse_json('"12"')) as e, lax_bool(parse_json('"x"')) as f, string(date '2025-02-10') as g
--> {"a":5,"b":1.5,"c":true,"d":"x","e":12,"f":null,"g":"2025-02-10"}

-- JSON made of values
select to_json_string(json_object('a', 1, 'b', [1, 2])) as a, to_json_string(json_array(1, 'x', null, true)) as b, json_value(json '{"k":"v"}', '$.k') as c, numeric '1.5' as d
--> {"a":"{\"a\":1,\"b\":[1,2]}","b":"[1,\"x\",null,true]","c":"v","d":1.5}

-- shares of all rows, counted in another query
select shop, safe_divide(count(*), (select count(*) from hits)) as share from hits group by shop order by shop
--> {"shop":"north","share":0.4}
--> {"shop":"south","share":0.4}
--> {"shop":"west","share":0.2}

-- groups by what a query makes of each row
select array_to_string(array(select upper(part) from unnest(split(shop, 'o')) as part), '.') as name, count(*) as n from hits group by name order by name
--> {"name":"N.RTH","n":2}
--> {"name":"S.UTH","n":2}
--> {"name":"WEST","n":1}

-- a table named as its column
with shop as (select shop, count(*) as n from hits group by shop) select shop.shop, shop.n from shop order by shop.shop desc
--> {"shop":"west","n":1}
--> {"shop":"south","n":2}
--> {"shop":"north","n":2}

-- different rows, sorted by a column of their table
select distinct h.shop, h.status from hits as h order by h.status desc, h.shop limit 2
--> {"shop":"north","status":500}
--> {"shop":"south","status":404}

-- groups by a constant text
select 'all' as kind, count(*) as n from hits group by kind
--> {"kind":"all","n":5}

-- letters in place of others
select translate('a-b-c', '-b', '_') as t
--> {"t":"a__c"}

-- bits of a group, and how many
select bit_and(x) as a, bit_or(x) as b, bit_xor(x) as c, bit_count(7) as d, bit_count(-1) as e from unnest([6, 3]) as x
--> {"a":2,"b":7,"c":5,"d":3,"e":64}

-- values that go together
select corr(x, y) as a, covar_pop(x, y) as b, covar_samp(x, y) as c from (select 1 as x, 2 as y union all select 2, 4 union all select 3, 7)
--> {"a":0.9933992677987828,"b":1.6666666666666667,"c":2.5}

-- of one row there is no correlation
select corr(x, x) as a, covar_pop(x, x) as b, covar_samp(x, x) as c, safe_negate(x) as d, cbrt(8) as e from (select 1 as x) group by x
--> {"a":null,"b":0.0,"c":null,"d":-1,"e":2.0}

-- buckets from an origin
select timestamp_bucket(timestamp '2025-01-01 01:17:00', interval 1 hour, timestamp '2025-01-01 00:20:00') as a, date_bucket(date '2025-02-10', interval 7 day, date '2025-02-01') as b
--> {"a":1735690800000000,"b":"2025-02-08"}
