-- # More of PostgreSQL's dialect; the rows are those of a PostgreSQL server

--= source edge
--= {"id":"1","timestamp":1739181600000000,"event_message":"GET /a 200","ms":10,"kind":"a","tags":["x","y"],"at":{"k":1}}
--= {"id":"2","timestamp":1739181660500000,"event_message":"PUT /b 500","ms":20,"kind":"b"}
--= {"id":"3","timestamp":1739185200000000,"event_message":"GET /c 200","ms":40,"kind":"a"}
--= {"id":"4","timestamp":1739190000000000,"event_message":"GET /d 200","kind":"a"}

-- parts of texts, counted from the end
select left('hello', -2) as a, right('hello', -2) as b, left('hello', -10) as c, right('hello', 9) as d, split_part('a,b,c', ',', -1) as e, split_part('a,b,c', ',', -4) as f, split_part('abc', '', 1) as g, split_part('abc', '', 2) as h
--> {"a":"hel","b":"llo","c":"","d":"hello","e":"c","f":"","g":"abc","h":""}

-- lengths of nothing and less
select repeat('a', -1) as a, lpad('abc', -1) as b, lpad('abc', 5, '') as c, lpad('abc', 5) as d, rpad('abc', 2, 'x') as e, rpad('abc', 7, 'xy') as f, substr('hello', 2, 0) as g
--> {"a":"","b":"","c":"abc","d":"  abc","e":"ab","f":"abcxyxy","g":""}

-- a negative length of a part
select substring('hello', 2, -1) as a
--> error

-- only blanks are trimmed, or the given characters
select trim(E'\t a ') as a, btrim('xyaxy', 'xy') as b, trim(leading 'x' from 'xax') as c, trim(trailing 'x' from 'xax') as d, trim(both 'x' from 'xax') as e, ltrim('  a') as f, rtrim('a  ') as g
--> {"a":"\t a","b":"a","c":"ax","d":"xa","e":"a","f":"a","g":"a"}

-- concatenation of other values than texts
select 'a' || 1 as a, 1 || 'a' as b, concat('a', 1, true, null) as c, concat_ws(',', 'a', null, 'b', 2) as d, 'a' || null as e
--> {"a":"a1","b":"1a","c":"a1t","d":"a,b,2","e":null}

-- halves of float8 go to the even neighbour, those of numeric do not
select round(2.5::float8) as a, round(3.5::float8) as b, round(-2.5::float8) as c, round(2.5) as d, round(-2.5) as e, 2.5::float8::int as f, 2.5::int as g, 0.5::float8::bigint as h, ceil(-0.5) as i
--> {"a":2.0,"b":4.0,"c":-2.0,"d":3.0,"e":-3.0,"f":2,"g":3,"h":0,"i":0.0}

-- whole numbers of a type
select 2147483647::int as a, 32767::smallint as b, 3000000000::bigint as c
--> {"a":2147483647,"b":32767,"c":3000000000}

-- a whole number that its type does not have
select ('3000000000')::int as a
--> error

-- a small whole number that its type does not have
select (40000)::smallint as a
--> refused Invalid: smallint out of range

-- types with a scale or a length
select 1.255::numeric(10, 2) as a, 'abcdef'::varchar(3) as b
--> {"a":1.26,"b":"abc"}

-- powers
select -2 ^ 2 as a, 2 ^ 3 as b, power(2, -1) as c
--> {"a":4.0,"b":8.0,"c":0.5}

-- a power that is no number
select power(-8, 0.5) as a
--> error

-- a power of zero
select power(0, -1) as a
--> error

-- elements of arrays are counted from 1
select (array[1, 2, 3])[1] as a, (array[1, 2, 3])[3] as b, (array[1, 2, 3])[4] as c, (array[1, 2, 3])[0] as d
--> {"a":1,"b":3,"c":null,"d":null}

-- arrays
select array_length(array[1, 2, 3], 1) as a, cardinality(array[1, 2]) as b, array_append(array[1], 2) as c, array_prepend(0, array[1]) as d, array_cat(array[1], array[2]) as e, 1 = any(array[1, 2]) as f, 3 <> all(array[1, 2]) as g, string_to_array('a,b', ',') as h, regexp_match('abc', '(b)(c)') as i, regexp_match('abc', 'b') as j, regexp_match('abc', 'x') is null as k
--> {"a":3,"b":2,"c":[1,2],"d":[0,1],"e":[1,2],"f":true,"g":true,"h":["a","b"],"i":["b","c"],"j":["b"],"k":true}

-- the length of another dimension
select array_length(array[1], 2) as a
--> refused Unsupported: array_length of another dimension than 1 is not supported

-- an escape sign of LIKE
select 'a%b' like 'a!%b' escape '!' as a, 'axb' like 'a!%b' escape '!' as b, 'A%b' ilike 'a!%B' escape '!' as c, 'a\b' like 'a\b' escape '' as d, 'abc' ~~ 'a%' as e, 'abc' !~~ 'a%' as f, 'abc' ~~* 'A%' as g, position('c' in 'abc') as h, regexp_like('abc', 'b') as i, regexp_count('abcb', 'b') as j
--> {"a":true,"b":false,"c":true,"d":true,"e":true,"f":false,"g":true,"h":3,"i":true,"j":2}

-- months end on their last day
select timestamp '2025-01-31 10:00:00' + interval '1 month' as a, timestamp '2025-03-31' - interval '1 month' as b, timestamp '2024-02-29' + interval '1 year' as c, timestamp '2025-01-31' + interval '1 mon' as d
--> {"a":1740736800000000,"b":1740700800000000,"c":1740700800000000,"d":1740700800000000}

-- intervals of several units
select timestamp '2025-01-01' + interval '1 day 2 hours' as a, timestamp '2025-01-01' + interval '01:30:00' as b, timestamp '2025-01-01' - interval '1.5 hours' as c
--> {"a":1735783200000000,"b":1735695000000000,"c":1735684200000000}

-- an interval of months and days
select timestamp '2025-01-01' + interval '1 month 2 days' as a
--> {"a":1738540800000000}

-- days and numbers
select date '2025-01-31' + 1 as a, date '2025-01-03' - 5 as b, date '2025-01-03' - date '2025-01-01' as c, date_trunc('month', date '2025-01-15') as d, make_date(2025, 2, 28) as e
--> {"a":"2025-02-01","b":"2024-12-29","c":2,"d":1735689600000000,"e":"2025-02-28"}

-- the seconds between two instants
select extract(epoch from timestamp '2025-01-03' - timestamp '2025-01-01') as a, extract(epoch from max(timestamp) - min(timestamp)) as b, extract(milliseconds from timestamp '2025-01-01 00:00:01.5') as c, extract(microseconds from timestamp '2025-01-01 00:00:01.5') as d from edge
--> {"a":172800.0,"b":8400.0,"c":1500.0,"d":1500000}

-- instants as texts
select to_char(timestamp, 'YYYY-MM-DD HH24:MI:SS') as a, to_char(timestamp, 'Dy, DD Mon YY HH12:MI AM') as b, to_char(timestamp, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as c, to_char(timestamp, 'FMDay FMMonth Q IW ID DDD IYYY US') as d from edge where id = '2'
--> {"a":"2025-02-10 10:01:00","b":"Mon, 10 Feb 25 10:01 AM","c":"2025-02-10T10:01:00.500Z","d":"Monday February 1 07 1 041 2025 500000"}

-- a pattern that is padded
select to_char(timestamp, 'Month') as a from edge
--> {"a":"February "}
--> {"a":"February "}
--> {"a":"February "}
--> {"a":"February "}

-- a number as a text
select to_char(1234.5, '9999.99') as a
--> {"a":" 1234.50"}

-- bins
select date_bin('15 minutes', timestamp '2025-01-01 10:17:00', timestamp '2025-01-01') as a, date_bin('15 minutes', timestamp '2025-01-01 10:17:00', timestamp '2025-01-01 00:02:30') as b, date_bin(interval '1 hour', timestamp '2024-12-31 23:17:00', timestamp '2025-01-01') as c
--> {"a":1735726500000000,"b":1735725750000000,"c":1735686000000000}

-- bins by the hour
select date_bin('1 hour', timestamp, timestamp '2025-01-01') as hour, count(*) as n from edge group by 1 order by 1
--> {"hour":1739181600000000,"n":2}
--> {"hour":1739185200000000,"n":1}
--> {"hour":1739188800000000,"n":1}

-- a bin of months
select date_bin('1 month', timestamp, timestamp '2025-01-01') as a from edge
--> refused Unsupported: a bucket of 1 month is not supported

-- series in FROM
select n from generate_series(1, 10, 4) as n order by n
--> {"n":1}
--> {"n":5}
--> {"n":9}

-- a series that has no end
select n from generate_series(5, 1) as n
--> no rows

-- a series backwards
select n from generate_series(5, 1, -2) as n order by n
--> {"n":1}
--> {"n":3}
--> {"n":5}

-- a series of instants
select n from generate_series(timestamp '2025-01-30', timestamp '2025-03-31', interval '1 month') as n order by n
--> {"n":1738195200000000}
--> {"n":1740700800000000}
--> {"n":1743120000000000}

-- a series by nothing
select n from generate_series(1, 5, 0) as n
--> error

-- hours without events
select h, count(e.id) as n from generate_series(timestamp '2025-02-10 10:00:00', timestamp '2025-02-10 12:00:00', interval '1 hour') as h left join edge as e on date_trunc('hour', e.timestamp) = h group by h order by h
--> {"h":1739181600000000,"n":2}
--> {"h":1739185200000000,"n":1}
--> {"h":1739188800000000,"n":1}

-- percentiles
select percentile_cont(0.5) within group (order by (body ->> 'ms')::int) as a, percentile_cont(0.75) within group (order by (body ->> 'ms')::int) as b, percentile_cont(0.75) within group (order by (body ->> 'ms')::int desc) as c, percentile_disc(0.5) within group (order by (body ->> 'ms')::int) as d, percentile_disc(0) within group (order by (body ->> 'ms')::int) as e, mode() within group (order by body ->> 'kind') as f, percentile_disc(0.5) within group (order by timestamp) as g from edge
--> {"a":20.0,"b":30.0,"c":15.0,"d":20,"e":10,"f":"a","g":1739181660500000}

-- percentiles of groups, with a filter
select body ->> 'kind' as k, percentile_cont(0.5) within group (order by (body ->> 'ms')::int) as p, percentile_cont(0.5) within group (order by (body ->> 'ms')::int) filter (where (body ->> 'ms')::int > 10) as q from edge group by 1 order by 1
--> {"k":"a","p":25.0,"q":40.0}
--> {"k":"b","p":20.0,"q":20.0}

-- a percentile that is no fraction
select percentile_cont(1.5) within group (order by id) as a from edge
--> refused Invalid

-- percentiles from above
select percentile_disc(0.5) within group (order by id desc) as a from edge
--> refused Unsupported: percentile_disc of a descending order is not supported

-- WITHIN GROUP of another aggregate
select sum(1) within group (order by id) as a from edge
--> refused Unsupported: FILTER or WITHIN GROUP is not supported

-- lists of a group
select string_agg(body ->> 'kind', ',' order by id desc) as a, string_agg(distinct body ->> 'kind', '-' order by body ->> 'kind') as b, string_agg(id, ',' order by id) filter (where id > '2') as c, array_agg(id order by id desc) as d, array_agg(id order by id) filter (where body ->> 'kind' = 'a') as e, array_agg(distinct body ->> 'kind' order by body ->> 'kind') as f from edge
--> {"a":"a,a,b,a","b":"a-b","c":"3,4","d":["4","3","2","1"],"e":["1","3","4"],"f":["a","b"]}

-- JSON of a group
select jsonb_agg(id order by id) as a, jsonb_object_agg(id, (body ->> 'ms')::int) as b from edge where id < '3'
--> {"a":["1","2"],"b":[{"1":10,"2":20}]}

-- filters of other aggregates
select bool_or(id = '1') filter (where id > '1') as a, stddev_pop((body ->> 'ms')::int) filter (where id = '1') as b from edge
--> {"a":false,"b":0.0}

-- texts as JSON
select '{"a":{"b":[1,2]}}'::jsonb -> 'a' -> 'b' as a, '{"a":1}'::jsonb ->> 'a' as b, '{"a":{"b":"x"}}'::jsonb #>> '{a,b}' as c, to_jsonb('a'::text) as d, jsonb_typeof('[1]'::jsonb) as e, jsonb_array_length('[1,2]'::jsonb) as f
--> {"a":[1,2],"b":"1","c":"x","d":"a","e":"array","f":2}

-- a text that is no JSON
select '{'::jsonb as a
--> error

-- what JSON contains
select '{"a":1,"b":2}'::jsonb @> '{"a":1}'::jsonb as a, '{"a":1}'::jsonb <@ '{"a":1,"b":2}'::jsonb as b, '{"a":1}'::jsonb ? 'a' as c, '["a"]'::jsonb ? 'b' as d, '[1,[2]]'::jsonb @> '[[2]]'::jsonb as e, '[1]'::jsonb @> '1'::jsonb as f, '{"a":{"b":1}}'::jsonb @> '{"a":{}}'::jsonb as g, body @> '{"kind":"a"}'::jsonb as h from edge where id = '1'
--> {"a":true,"b":true,"c":true,"d":false,"e":true,"f":true,"g":true,"h":true}

-- changes of JSON
select '{"a":1}'::jsonb || '{"b":2}'::jsonb as a, '{"a":1,"b":2}'::jsonb - 'a' as b, jsonb_set('{"a":{"b":1}}'::jsonb, '{a,b}', '2') as c, jsonb_set('{"a":1}'::jsonb, '{b}', '[3]') as d, jsonb_set('{"a":1}'::jsonb, '{x,y}', '2') as e, jsonb_strip_nulls('{"a":null,"b":1}'::jsonb) as f, jsonb_set('[1,2]'::jsonb, '{-1}', '5') as g, '[1]'::jsonb || '2'::jsonb as h
--> {"a":[{"a":1,"b":2}],"b":[{"b":2}],"c":[{"a":[{"b":2}]}],"d":[{"a":1,"b":[3]}],"e":[{"a":1}],"f":[{"b":1}],"g":[1,5],"h":[1,2]}

-- elements and keys of JSON in FROM
select t, k from edge cross join jsonb_array_elements_text(body -> 'tags') as t cross join jsonb_object_keys(body -> 'at') as k where id = '1' order by t
--> {"t":"x","k":"k"}
--> {"t":"y","k":"k"}

-- buckets of a width
select width_bucket(5.35, 0.024, 10.06, 5) as a, width_bucket(-1, 0, 10, 5) as b, width_bucket(11, 0, 10, 5) as c, width_bucket(10, 0, 10, 5) as d, width_bucket(5, 10, 0, 5) as e, width_bucket(0, 0, 10, 5) as f
--> {"a":3,"b":0,"c":6,"d":6,"e":3,"f":1}
