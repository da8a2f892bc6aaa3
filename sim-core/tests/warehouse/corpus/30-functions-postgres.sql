-- # More of PostgreSQL's dialect: lists, numbers, JSON, texts; the rows are those of a PostgreSQL server

--= source edge
--= {"id":"1","timestamp":1739181600000000,"event_message":"GET /a 200","ms":10,"kind":"a","tags":["x","y"],"r":{"method":"GET","path":"/a"}}
--= {"id":"2","timestamp":1739181660500000,"event_message":"PUT /b 500","ms":20,"kind":"b","tags":["y"]}
--= {"id":"3","timestamp":1739270400000000,"event_message":"GET /c 200","ms":40,"kind":"a"}

-- a place in a list
select array_position(array['a','b','c'], 'b') as v
--> {"v":2}

-- no place
select array_position(array[1,2], 5) as v
--> {"v":null}

-- all places
select array_positions(array['a','b','a'], 'a') as v
--> {"v":[1,3]}

-- a list without a value
select array_remove(array[1,2,1], 1) as v
--> {"v":[2]}

-- a list with another value
select array_replace(array[1,2,1], 1, 5) as v
--> {"v":[5,2,5]}

-- lists that overlap
select array[1,2] && array[2,5] as a, array['a'] && array['b'] as b
--> {"a":true,"b":false}

-- equal lists
select array[1,2] = array[1,2] as a, array[1,2] <> array[2,1] as b, array['x'] = array['x','y'] as c
--> {"a":true,"b":true,"c":false}

-- bounds of a list
select array_upper(array[5,6,7],1) as u, array_lower(array[5,6,7],1) as l, array_ndims(array[1]) as n, cardinality(array[1,2]) as c
--> {"u":3,"l":1,"n":1,"c":2}

-- a trimmed list
select trim_array(array[1,2,3], 2) as v
--> {"v":[1]}

-- a list in a text
select '{1,2,3}'::int[] as a, '{x,"a b"}'::text[] as b
--> {"a":[1,2,3],"b":["x","a b"]}

-- ANY of a list in a text
select id from edge where body->>'kind' = any('{a,c}') order by id
--> {"id":"1"}
--> {"id":"3"}

-- numbers of nulls
select num_nulls(1, null, 'x') as a, num_nonnulls(1, null, 'x') as b
--> {"a":1,"b":2}

-- greatest common divisor
select gcd(12, 18) as a, lcm(4, 6) as b, gcd(-8, 12) as c, factorial(5) as d
--> {"a":6,"b":12,"c":4,"d":120}

-- bits
select 7 # 2 as a, ~5 as b, 1 << 3 as c, 16 >> 2 as d, 6 & 3 as e, 6 | 1 as f
--> {"a":5,"b":-6,"c":8,"d":4,"e":2,"f":7}

-- roots and absolute values
select |/ 16 as a, @ -5 as c
--> {"a":4.0,"c":5}

-- degrees and radians
select degrees(pi()) as a, round(radians(180)::numeric, 6)::float8 as b
--> {"a":180.0,"b":3.141593}

-- starts with
select 'abc' ^@ 'ab' as a, 'abc' ^@ 'b' as b
--> {"a":true,"b":false}

-- hexadecimal numbers
select to_hex(255) as a, to_hex(-1) as b
--> {"a":"ff","b":"ffffffff"}

-- quoted
select quote_literal('a''b') as a, quote_ident('a b') as b, quote_ident('ab') as c, quote_literal(E'a\\b') as d, quote_nullable(null) as e
--> {"a":"'a''b'","b":"\"a b\"","c":"ab","d":"E'a\\\\b'","e":"NULL"}

-- format
select format('%s-%s', 'a', 1) as a, format('%I=%L', 'a b', 'x''y') as b, format('%2$s %1$s %%', 'a', 'b') as c
--> {"a":"a-1","b":"\"a b\"='x''y'","c":"b a %"}

-- a row as JSON
select row_to_json(t) as v from (select 1 as a, 'b' as c) t
--> {"v":[{"a":1,"c":"b"}]}

-- rows as a list
select json_agg(row_to_json(t)) as v from (select 1 as a) t
--> {"v":[{"a":1}]}

-- numbers of a pattern
select to_char(1234.5, '9,999.99') as a, to_char(12, '000') as b, to_char(1234567, 'FM9,999,999') as c, to_char(0.5, 'FM990.00%') as d, to_char(-5, '99') as e, to_char(0, '99') as f, to_char(0.5, '9.99') as g, to_char(5, 'FM9.99') as h, to_char(1234, '99') as i, to_char(12.345, 'FM999.00') as j
--> {"a":" 1,234.50","b":" 012","c":"1,234,567","d":"0.50%","e":" -5","f":"  0","g":"  .50","h":"5.","i":" ##","j":"12.35"}

-- numbers of more patterns
select to_char(-1234.56, '9G999D99') as a, to_char(0.1, 'FM9.99') as b, to_char(0.1, '0.9') as c, to_char(12, '9,999') as d, to_char(12, 'FM9,999') as e, to_char(12, '0,000') as f, to_char(-0.001, '0.00') as g, to_char(99.999, '99.99') as h, to_char(85.5, '990.0%') as i, to_char(-12, 'FM0000') as j, to_char(1.5::float8, 'FM9.000') as k
--> {"a":"-1,234.56","b":".1","c":" 0.1","d":"    12","e":"12","f":" 0,012","g":" 0.00","h":" ##.##","i":"  85.5%","j":"-0012","k":"1.500"}

-- dates of a pattern
select to_date('01.03.2026', 'DD.MM.YYYY') as a, to_char(to_timestamp('2026-03-01 10:20:30', 'YYYY-MM-DD HH24:MI:SS'), 'YYYY-MM-DD HH24:MI:SS') as b
--> {"a":"2026-03-01","b":"2026-03-01 10:20:30"}

-- made moments
select make_date(2026, 3, 1) as a, make_timestamp(2026, 3, 1, 10, 20, 30.5) as b
--> {"a":"2026-03-01","b":"2026-03-01T10:20:30.5"}

-- centuries
select extract(century from date '2026-03-01') as a, extract(decade from date '2026-03-01') as b, extract(millennium from date '2026-03-01') as c, date_part('century', timestamp '2000-12-31 10:00') as d
--> {"a":21,"b":202,"c":3,"d":20}

-- finite
select isfinite(timestamp '2026-03-01') as v
--> {"v":true}

-- padded names
select to_char(timestamp '2026-03-01 10:05', 'Day, DD Month YYYY') as a, to_char(timestamp '2026-03-02 10:05', 'FMDDth FMMonth') as b, to_char(timestamp '2026-03-01 10:05', 'DY MON HH12:MI AM') as c, to_char(timestamp '2026-03-11 00:05', 'FMDDth') as d
--> {"a":"Sunday   , 01 March     2026","b":"2nd March","c":"SUN MAR 10:05 AM","d":"11th"}

-- regressions
select regr_slope(y,x) as a, regr_intercept(y,x) as b, regr_count(y,x) as c, regr_r2(y,x) as d, regr_avgx(y,x) as e, regr_avgy(y,x) as f, regr_sxx(y,x) as g, regr_syy(y,x) as h, regr_sxy(y,x) as i from (values (1,2),(2,4),(3,7)) v(x,y)
--> {"a":2.5,"b":-0.6666666666666666,"c":3,"d":0.986842105263158,"e":2.0,"f":4.333333333333333,"g":2.0,"h":12.666666666666666,"i":5.0}

-- keys of JSON
select body ?| array['kind','no'] as a, body ?& array['kind','tags'] as b from edge order by id
--> {"a":true,"b":true}
--> {"a":true,"b":true}
--> {"a":true,"b":false}

-- JSON without several keys
select (body->'r') - array['method','x'] as v from edge where id = '1'
--> {"v":[{"path":"/a"}]}

-- JSON without a path
select '{"a":{"b":1,"c":2},"l":[1,2]}'::jsonb #- '{a,b}' as a, '{"l":[1,2,3]}'::jsonb #- '{l,1}' as b
--> {"a":[{"a":[{"c":2}],"l":[1,2]}],"b":[{"l":[1,3]}]}

-- the last element
select '[1,2,3]'::jsonb -> -1 as a, '[1,2,3]'::jsonb ->> -2 as b
--> {"a":3,"b":"2"}

-- a path of a list
select '{"a":{"b":[5,6]}}'::jsonb #>> array['a','b','1'] as a
--> {"a":"6"}

-- JSON of two lists
select jsonb_object(array['a','b'], array['1','2']) as a, jsonb_object('{a,1,b,2}') as b
--> {"a":[{"a":"1","b":"2"}],"b":[{"a":"1","b":"2"}]}

-- a member that is only replaced
select jsonb_set('{"a":1}'::jsonb, '{b}', '2'::jsonb, false) as a, jsonb_set('{"a":1}'::jsonb, '{a}', '2'::jsonb, false) as b
--> {"a":[{"a":1}],"b":[{"a":2}]}

-- is it JSON
select '{"a":1}' is json as a, '{' is json as b, '[1]' is json array as c, '1' is json object as d, '1' is json scalar as e, '{' is not json as f
--> {"a":true,"b":false,"c":true,"d":false,"e":true,"f":true}

-- members as columns
select x.a, x.b from jsonb_to_record('{"a":1,"b":"x"}') as x(a int, b text)
--> {"a":1,"b":"x"}

-- members of a list
select x.a, x.b from jsonb_to_recordset('[{"a":1,"b":"x"},{"a":2}]') as x(a int, b text) order by a
--> {"a":1,"b":"x"}
--> {"a":2,"b":null}

-- members of events
select t.id, r.method, r.path from edge t, jsonb_to_record(t.body->'r') as r(method text, path text) order by 1
--> {"id":"1","method":"GET","path":"/a"}
--> {"id":"2","method":null,"path":null}
--> {"id":"3","method":null,"path":null}

-- elements with their numbers
select t.id, e.v, e.i from edge t cross join lateral jsonb_array_elements_text(t.body->'tags') with ordinality as e(v, i) order by 1, 3
--> {"id":"1","v":"x","i":1}
--> {"id":"1","v":"y","i":2}
--> {"id":"2","v":"y","i":1}

-- elements or nothing
select t.id, x.tag from edge t left join lateral jsonb_array_elements_text(t.body->'tags') x(tag) on true order by 1, 2
--> {"id":"1","tag":"x"}
--> {"id":"1","tag":"y"}
--> {"id":"2","tag":"y"}
--> {"id":"3","tag":null}

-- columns of one name
select id, 1 + 1, 2 + 2 from edge order by id
--> {"id":"1","?column?":2,"?column?":4}
--> {"id":"2","?column?":2,"?column?":4}
--> {"id":"3","?column?":2,"?column?":4}

-- bytes
select encode('abc'::bytea, 'hex') as a, encode(sha256('abc'::bytea), 'hex') as b, encode('abc'::bytea, 'base64') as c, convert_from(decode('616263', 'hex'), 'UTF8') as d, length('abc'::bytea) as e
--> {"a":"616263","b":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","c":"YWJj","d":"abc","e":3}

-- a day and a time
select date '2026-03-01' + time '10:00' as v
--> {"v":"2026-03-01T10:00:00"}

-- a time plus an interval
select time '10:00' + interval '90 minutes' as a, time '01:00' - interval '2 hours' as b, time '12:00' - time '10:30' as c
--> {"a":"11:30:00","b":"23:00:00","c":"01:30:00"}

-- a series of a text step
select count(*) as n from generate_series(timestamp '2026-03-01', timestamp '2026-03-02', '6 hours') g
--> {"n":5}

-- a series of several units
select to_char(g, 'DD HH24:MI') as v from generate_series(timestamp '2026-03-01', timestamp '2026-03-02', interval '9 hours 30 minutes') g order by g
--> {"v":"01 00:00"}
--> {"v":"01 09:30"}
--> {"v":"01 19:00"}

-- a series with empty buckets
select to_char(g, 'HH24:MI') as h, count(t.id) as n from generate_series(timestamp '2025-02-10 09:00', timestamp '2025-02-10 12:00', '1 hour') g left join edge t on date_trunc('hour', t.timestamp) = g group by g order by g
--> {"h":"09:00","n":0}
--> {"h":"10:00","n":2}
--> {"h":"11:00","n":0}
--> {"h":"12:00","n":0}

-- trimmed
select trim(both from ' x ') as a, trim(leading from ' x') as b, trim(both 'x' from 'xax') as c, trim(trailing from 'x ') as d
--> {"a":"x","b":"x","c":"a","d":"x"}

-- names of types
select '5'::int8 as a, 'a'::char(3) as b, id::uuid::text as c from (values ('00000000-0000-0000-0000-000000000001')) v(id)
--> {"a":5,"b":"a  ","c":"00000000-0000-0000-0000-000000000001"}

-- rows that are compared
select (1, 2) = (1, 2) as a, (1, 2) < (1, 3) as b, (1, 'x') <> (1, 'y') as c, row(2, 1) > (1, 5) as d
--> {"a":true,"b":true,"c":true,"d":true}

-- overlapping times
select (timestamp '2026-03-01', timestamp '2026-03-03') overlaps (timestamp '2026-03-02', timestamp '2026-03-04') as a
--> {"a":true}

-- json paths
select jsonb_path_query_array('{"a":[1,2,3]}', '$.a[*] ? (@ > 1)') as a, jsonb_path_exists('{"a":[1,2,3]}', '$.a[*] ? (@ > 2)') as b, jsonb_path_query_first('{"a":[1,2,3]}', '$.a[1]') as c, jsonb_path_match('{"n":1}', '$.n == 1') as d
--> {"a":[2, 3],"b":true,"c":2,"d":true}

-- rows of a json path
select x from jsonb_path_query('{"a":[{"k":1},{"k":2},{"j":3}]}', '$.a[*].k') as x order by 1
--> {"x":1}
--> {"x":2}

-- filters by a json path
select id from edge where body @? '$.tags[*] ? (@ == "x")' order by id
--> {"id":"1"}

-- predicates
select id, body @@ '$.ms >= 20' as v from edge order by id
--> {"id":"1","v":false}
--> {"id":"2","v":true}
--> {"id":"3","v":true}

-- more json paths
select jsonb_path_query_array('{"l":[{"n":1,"s":"ab"},{"n":5,"s":"cd"}]}', '$.l[*] ? (@.n > 1 && @.s starts with "c" || @.s == "ab").n') as a, jsonb_path_query_array('[1,[2,3]]', '$[*][*]') as b, jsonb_path_query_array('{"a":1,"b":2}', '$.*') as c, jsonb_path_query_array('[1,2,3]', '$[last]') as d, jsonb_path_query_array('[1,2,3]', '$[0 to 1]') as e, jsonb_path_query_array('{"s":"Abc"}', '$.s ? (@ like_regex "^a" flag "i")') as f, jsonb_path_query_array('{"a":[]}', '$.a.size()') as g, jsonb_path_query_array('{"a":null}', '$.a ? (@ == null)') as h, jsonb_path_query_array('[{"x":1},{"y":2}]', '$[*] ? (exists(@.x))') as i
--> {"a":[1, 5],"b":[1, 2, 3],"c":[1, 2],"d":[3],"e":[1, 2],"f":["Abc"],"g":[0],"h":[null],"i":[{"x": 1}]}
