-- # Forms of PostgreSQL's dialect: names, JSON that is written as text, lists; the rows are those of a PostgreSQL server

--= source edge
--= {"id":"1","timestamp":1739181600000000,"event_message":"GET /a 200","ms":10,"kind":"a","tags":["x","y"]}
--= {"id":"2","timestamp":1739181660500000,"event_message":"PUT /b 500","ms":20,"kind":"b","tags":["y"]}
--= {"id":"3","timestamp":1739270400000000,"event_message":"GET /c 200","ms":40,"kind":"a"}

-- names of columns
select (body->>'ms')::int, '1'::bigint, 1::numeric, 'a'::varchar(3), date '2026-01-02', position('b' in 'ab'), substring('abc' from 2), trim(leading 'x' from 'xa'), ceil(1.5), (select count(*) from edge), case when true then 1 else id::int end, array[1], (array[7])[1] + 0 from edge where id = '1'
--> {"int4":10,"int8":1,"numeric":1,"varchar":"a","date":"2026-01-02","position":2,"substring":"bc","ltrim":"a","ceil":2.0,"count":3,"id":1,"array":[1],"?column?":7}

-- a cast keeps the name of its column
select id::int, (id)::text as t, (body->>'kind')::text from edge where id = '1'
--> {"id":1,"t":"1","text":"a"}

-- a written text is json where json is wanted
select jsonb_set('{"a":1}', '{b}', '2') as a, jsonb_strip_nulls('{"a":null,"b":1}') as b, jsonb_pretty('[]') as c, jsonb_typeof('[1]') as d
--> {"a":[{"a":1,"b":2}],"b":[{"b":1}],"c":"[\n]","d":"array"}

-- a path of json as a list
select jsonb_set('{"a":{"b":1}}'::jsonb, array['a', 'b'], '5') as a
--> {"a":[{"a":[{"b":5}]}]}

-- an element is put into json
select jsonb_insert('{"a":[0,1,2]}', '{a,1}', '"new"') as a, jsonb_insert('{"a":[0,1,2]}', '{a,1}', '"new"', true) as b, jsonb_insert('{"a":[]}', '{a,-1}', '7') as c, jsonb_insert('{"a":1}', '{b}', 'null') as d, jsonb_insert('{"a":[0]}', '{a,9}', '7') as e, jsonb_insert('{"a":1}', '{x,y}', '7') as f
--> {"a":[{"a":[0,"new",1,2]}],"b":[{"a":[0,1,"new",2]}],"c":[{"a":[7]}],"d":[{"a":1,"b":null}],"e":[{"a":[0,7]}],"f":[{"a":1}]}

-- a key that is there is not replaced
select jsonb_insert('{"a":1}', '{a}', '2') as a
--> error

-- places from the end
select body->'tags'->-1 as a, body->'tags'->>-1 as b, body->'tags'->>-5 as c from edge where id = '1'
--> {"a":"y","b":"y","c":null}

-- a literal of json
select jsonb '{"a":[1]}' as a, json '[1]' as b
--> {"a":[{"a":[1]}],"b":[1]}

-- comparisons with each element
select id from edge where (body->>'ms')::int > all (array[5, 15]) order by id
--> {"id":"2"}
--> {"id":"3"}

-- comparisons with some element
select id from edge where (body->>'ms')::int < any (array[5, 15]) or (body->>'ms')::int <> all (array[10, 20]) order by id
--> {"id":"1"}
--> {"id":"3"}

-- patterns of a list
select id from edge where event_message like any (array['GET /a%', '%500']) and event_message ~ any (array['^GET', '^PUT']) order by id
--> {"id":"1"}
--> {"id":"2"}

-- no element
select 1 = all (array[]::int[]) as a, 1 > any (array[]::int[]) as b
--> {"a":true,"b":false}

-- parts of a list
select (array[1,2,3])[2:3] as a, (array[1,2,3])[:2] as b, (array[1,2,3])[2:] as c, (array[1,2,3])[0:1] as d, (array[1,2,3])[5:6] as e
--> {"a":[2,3],"b":[1,2],"c":[2,3],"d":[1],"e":[]}

-- filters in windows
select id, count(*) filter (where body->>'kind' = 'a') over (order by id) as a, sum((body->>'ms')::int) filter (where id <> '2') over (order by id) as b, max((body->>'ms')::int) filter (where id = '9') over () as c from edge order by id
--> {"id":"1","a":1,"b":10,"c":null}
--> {"id":"2","a":1,"b":10,"c":null}
--> {"id":"3","a":2,"b":50,"c":null}

-- days in a series
select d from generate_series('2026-01-01'::date, '2026-01-03'::date, '1 day') as d order by d
--> {"d":1767225600000000}
--> {"d":1767312000000000}
--> {"d":1767398400000000}

-- numbers of texts
select to_number('12,454.8-', '99G999D9S') as a, to_number('1,234.50', '9,999.99') as b, to_number('  42 ', '999') as c, to_number('$1,234', 'L9,999') as d, to_number('<7>', '9PR') as e, to_number('12345', '999') as f
--> {"a":-12454.8,"b":1234.5,"c":42,"d":1234,"e":-7,"f":123}
