-- # Functions that give several rows, in PostgreSQL's dialect; the rows are those of a PostgreSQL server

--= source edge
--= {"id":"1","timestamp":1739181600000000,"event_message":"GET /a 200","ms":10,"kind":"a","tags":["x","y"],"request":{"method":"GET","path":"/a"}}
--= {"id":"2","timestamp":1739181660500000,"event_message":"PUT /b 500","ms":20,"kind":"b","tags":["y"],"request":{"method":"PUT"}}
--= {"id":"3","timestamp":1739185200000000,"event_message":"GET /c 200","ms":40,"kind":"a"}

-- the elements of a list among the targets
select id, jsonb_array_elements_text(body->'tags') as tag from edge order by 1, 2
--> {"id":"1","tag":"x"}
--> {"id":"1","tag":"y"}
--> {"id":"2","tag":"y"}

-- its name is that of the function
select jsonb_array_elements_text(body->'tags') from edge order by 1
--> {"jsonb_array_elements_text":"x"}
--> {"jsonb_array_elements_text":"y"}
--> {"jsonb_array_elements_text":"y"}

-- an expression over elements
select id, upper(jsonb_array_elements_text(body->'tags')) || '!' as tag from edge order by id, tag
--> {"id":"1","tag":"X!"}
--> {"id":"1","tag":"Y!"}
--> {"id":"2","tag":"Y!"}

-- elements that are JSON
select id, jsonb_array_elements(body->'tags') #>> '{}' as tag from edge order by id, tag
--> {"id":"1","tag":"x"}
--> {"id":"1","tag":"y"}
--> {"id":"2","tag":"y"}

-- keys, sorted by their name
select id, jsonb_object_keys(body->'request') as k from edge order by k, id
--> {"id":"1","k":"method"}
--> {"id":"2","k":"method"}
--> {"id":"1","k":"path"}

-- grouped by a key's number
select jsonb_object_keys(body->'request') as k, count(*) as n from edge group by 1 order by 2 desc, 1
--> {"k":"method","n":2}
--> {"k":"path","n":1}

-- grouped by its name
select jsonb_object_keys(body->'request') as k, count(*) as n from edge group by k order by n desc, k
--> {"k":"method","n":2}
--> {"k":"path","n":1}

-- grouped by the call itself
select jsonb_array_elements_text(body->'tags') as tag, max(id) as last from edge group by jsonb_array_elements_text(body->'tags') order by jsonb_array_elements_text(body->'tags') desc
--> {"tag":"y","last":"2"}
--> {"tag":"x","last":"1"}

-- distinct elements
select distinct jsonb_array_elements_text(body->'tags') as tag from edge order by tag
--> {"tag":"x"}
--> {"tag":"y"}

-- elements that only sort
select id from edge order by jsonb_array_elements_text(body->'tags') desc, id
--> {"id":"1"}
--> {"id":"2"}
--> {"id":"1"}

-- with a filter and a limit of the rows
select id, jsonb_array_elements_text(body->'tags') as tag from edge where id > '1' order by tag limit 1
--> {"id":"2","tag":"y"}

-- without FROM
select generate_series(1, 3) as n
--> {"n":1}
--> {"n":2}
--> {"n":3}

-- a series with a step, downwards
select generate_series(5, 1, -2) as n order by n
--> {"n":1}
--> {"n":3}
--> {"n":5}

-- a series of instants
select to_char(generate_series(timestamp '2026-03-01 10:00', timestamp '2026-03-01 12:00', interval '1 hour'), 'HH24:MI') as at order by at
--> {"at":"10:00"}
--> {"at":"11:00"}
--> {"at":"12:00"}

-- the elements of an array
select unnest(array[3, 1, 2]) as n order by n
--> {"n":1}
--> {"n":2}
--> {"n":3}

-- the elements of an array of texts, with their row
select id, unnest(string_to_array(event_message, ' ')) as word from edge where id = '1'
--> {"id":"1","word":"GET"}
--> {"id":"1","word":"/a"}
--> {"id":"1","word":"200"}

-- parts of a text
select string_to_table('a,b,c', ',') as part
--> {"part":"a"}
--> {"part":"b"}
--> {"part":"c"}

-- parts between matches
select regexp_split_to_table('a1b22c', '\d+') as part
--> {"part":"a"}
--> {"part":"b"}
--> {"part":"c"}

-- parts between matches of nothing
select regexp_split_to_table('abc', '') as part
--> {"part":"a"}
--> {"part":"b"}
--> {"part":"c"}

-- parts with matches of nothing between
select regexp_split_to_table('a,b', ',*') as part
--> {"part":"a"}
--> {"part":"b"}

-- several side by side: a shorter one is filled with nulls
select generate_series(1, 3) as n, unnest(array['a', 'b']) as x order by n
--> {"n":1,"x":"a"}
--> {"n":2,"x":"b"}
--> {"n":3,"x":null}

-- several, of each row
select id, jsonb_array_elements_text(body->'tags') as tag, jsonb_object_keys(body->'request') as k from edge order by id, tag nulls last, k nulls last
--> {"id":"1","tag":"x","k":"path"}
--> {"id":"1","tag":"y","k":"method"}
--> {"id":"2","tag":"y","k":"method"}

-- the same call twice is one
select generate_series(1, 2) as a, generate_series(1, 2) + 10 as b order by a
--> {"a":1,"b":11}
--> {"a":2,"b":12}

-- one in the arguments of another
select generate_series(1, generate_series(1, 3)) as n order by n
--> {"n":1}
--> {"n":1}
--> {"n":1}
--> {"n":2}
--> {"n":2}
--> {"n":3}

-- in a query inside
select count(*) as n from (select jsonb_array_elements_text(body->'tags') as tag from edge) as t where tag = 'y'
--> {"n":2}

-- in a common table expression
with tags as (select id, jsonb_array_elements_text(body->'tags') as tag from edge) select tag, count(*) as n from tags group by tag order by n desc
--> {"tag":"y","n":2}
--> {"tag":"x","n":1}

-- in a condition of another query
select id from edge where 'x' in (select jsonb_array_elements_text(body->'tags'))
--> {"id":"1"}

-- in a list made of rows
select array(select jsonb_object_keys(body->'request') order by 1) as keys from edge where id = '1'
--> {"keys":["method","path"]}

-- matches of a pattern
select regexp_matches(event_message, '(\w+) (\S+)') as m from edge order by id
--> {"m":["GET","/a"]}
--> {"m":["PUT","/b"]}
--> {"m":["GET","/c"]}

-- all matches of a pattern
select id, (regexp_matches(event_message, '[A-Z]', 'g'))[1] as sign from edge where id = '1'
--> {"id":"1","sign":"G"}
--> {"id":"1","sign":"E"}
--> {"id":"1","sign":"T"}

-- matches without regard to case, in FROM
select m[1] as a, m[2] as b from edge, regexp_matches(event_message, '(get|put) /(.)', 'i') as m order by 2
--> {"a":"GET","b":"a"}
--> {"a":"PUT","b":"b"}
--> {"a":"GET","b":"c"}

-- all matches in FROM
select m[1] as sign from edge, regexp_matches(event_message, '\d', 'g') as m where id = '2'
--> {"sign":"5"}
--> {"sign":"0"}
--> {"sign":"0"}

-- a group that takes no part
select regexp_matches('ab', '(x)?(b)') as m
--> {"m":[null,"b"]}

-- no match is no row
select id, regexp_matches(event_message, 'PUT') as m from edge
--> {"id":"2","m":["PUT"]}

-- an array in FROM
select x from unnest(array[2, 1]) as x order by x
--> {"x":1}
--> {"x":2}

-- an array in FROM, with a name for its column
select t.x from unnest(array[2, 1]) as t(x) order by 1
--> {"x":1}
--> {"x":2}

-- two arrays in FROM
select a, b from unnest(array[1, 2, 3], array['a', 'b']) as t(a, b) order by a
--> {"a":1,"b":"a"}
--> {"a":2,"b":"b"}
--> {"a":3,"b":null}

-- numbers of rows
select n, x from unnest(array['a', 'b']) with ordinality as t(x, n) order by n
--> {"n":1,"x":"a"}
--> {"n":2,"x":"b"}

-- numbers of the rows of a function
select t.id, e.tag, e.n from edge as t, jsonb_array_elements_text(t.body->'tags') with ordinality as e(tag, n) order by id, n
--> {"id":"1","tag":"x","n":1}
--> {"id":"1","tag":"y","n":2}
--> {"id":"2","tag":"y","n":1}

-- numbers of rows by their own name
select s.s, s.ordinality from generate_series(10, 12) with ordinality as s order by s.s
--> {"s":10,"ordinality":1}
--> {"s":11,"ordinality":2}
--> {"s":12,"ordinality":3}

-- places of an array
select generate_subscripts(array['a', 'b'], 1) as n
--> {"n":1}
--> {"n":2}

-- parts of a text in FROM
select p from string_to_table('a b', ' ') as p
--> {"p":"a"}
--> {"p":"b"}

-- an empty list has no rows
select id, jsonb_array_elements(body->'none') as e from edge
--> no rows

-- a function that gives rows in a condition
select id from edge where jsonb_array_elements_text(body->'tags') = 'x'
--> refused Unsupported: jsonb_array_elements_text, which gives rows, at this place is not supported

-- a function that gives rows in CASE
select case when id = '1' then jsonb_array_elements_text(body->'tags') end as a from edge
--> refused Unsupported: jsonb_array_elements_text, which gives rows, at this place is not supported

-- a function that gives rows in an aggregate
select count(jsonb_array_elements_text(body->'tags')) as a from edge
--> refused Unsupported: jsonb_array_elements_text, which gives rows, at this place is not supported

-- a function that gives rows in COALESCE
select coalesce(jsonb_array_elements_text(body->'tags'), '') as a from edge
--> refused Unsupported: jsonb_array_elements_text, which gives rows, at this place is not supported

-- a window counts the rows before
select row_number() over (order by id) as n, jsonb_array_elements_text(body->'tags') as a from edge
--> refused Unsupported: a window function beside a function that gives rows is not supported

-- rows of an aggregate
select unnest(array_agg(id)) as a from edge
--> refused Invalid

-- a value of single rows beside an aggregate
select count(*) as n, jsonb_array_elements_text(body->'tags') as a from edge
--> refused Invalid

-- several groupings
select jsonb_object_keys(body->'request') as k, count(*) as n from edge group by rollup (k)
--> refused Unsupported: ROLLUP, CUBE or GROUPING SETS beside a function that gives rows is not supported

-- rows of several columns
select jsonb_each(body->'request') as a from edge
--> refused Unsupported: jsonb_each, which gives rows, at this place is not supported

-- numbers of rows of several columns
select n from edge, jsonb_each(body->'request') with ordinality as e(k, v, n)
--> refused Unsupported

-- the elements of what is no array
select unnest(body->'tags') as a from edge
--> refused Invalid
