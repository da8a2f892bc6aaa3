-- # Queries of dashboards in PostgreSQL's dialect: DISTINCT ON, LATERAL, names of recursive columns; the rows are those of a PostgreSQL server

--= source edge
--= {"id":"1","timestamp":1739181600000000,"event_message":"GET /a 200","ms":10,"kind":"a","tags":["x","y"],"items":[{"sku":"p","qty":2},{"sku":"q","qty":5}]}
--= {"id":"2","timestamp":1739181660500000,"event_message":"PUT /b 500","ms":20,"kind":"b","items":[{"sku":"p","qty":1}]}
--= {"id":"3","timestamp":1739185200000000,"event_message":"GET /c 200","ms":40,"kind":"a"}
--= {"id":"4","timestamp":1739190000000000,"event_message":"GET /d 200","kind":"a"}

-- the first of each kind
select distinct on (body->>'kind') body->>'kind' as kind, id from edge order by body->>'kind', id
--> {"kind":"a","id":"1"}
--> {"kind":"b","id":"2"}

-- the last of each kind, by names
select distinct on (kind) body->>'kind' as kind, id, event_message as m from edge order by kind desc, id desc
--> {"kind":"b","id":"2","m":"PUT /b 500"}
--> {"kind":"a","id":"4","m":"GET /d 200"}

-- by numbers, with a limit
select distinct on (1) body->>'kind' as kind, id from edge order by 1, timestamp desc limit 1
--> {"kind":"a","id":"4"}

-- of two keys
select distinct on (body->>'kind', left(event_message, 3)) id from edge order by body->>'kind', left(event_message, 3), timestamp
--> {"id":"1"}
--> {"id":"2"}

-- without an order
select distinct on (body->>'kind') body->>'kind' as kind from edge
--> {"kind":"a"}
--> {"kind":"b"}

-- an order of groups
select distinct on (substr(event_message, 1, 3)) substr(event_message, 1, 3) as method, body->>'kind' as kind, count(*) as n from edge group by 1, 2 order by 1, n desc
--> {"method":"GET","kind":"a","n":3}
--> {"method":"PUT","kind":"b","n":1}

-- nulls are equal
select distinct on (body->>'none') id from edge order by body->>'none', id desc
--> {"id":"4"}

-- in a query inside
select count(*) as n from (select distinct on (body->>'kind') id from edge order by body->>'kind', timestamp) as t
--> {"n":2}

-- another order
select distinct on (body->>'kind') id from edge order by id
--> refused Invalid: SELECT DISTINCT ON expressions must match initial ORDER BY expressions

-- values of a row by a name
select t.id, l.n from edge as t cross join lateral (select (t.body->>'ms')::int * 2 as n) as l order by t.id
--> {"id":"1","n":20}
--> {"id":"2","n":40}
--> {"id":"3","n":80}
--> {"id":"4","n":null}

-- after a comma
select id, n from edge, lateral (select length(event_message) as n, id || '!' as x) as l where n > 0 order by id limit 2
--> {"id":"1","n":10}
--> {"id":"2","n":10}

-- names of the columns
select id, a, b from edge as t, lateral (select t.event_message, upper(t.body->>'kind')) as l(a, b) order by id limit 1
--> {"id":"1","a":"GET /a 200","b":"A"}

-- an aggregate over the elements of a list
select t.id, l.total, l.n from edge as t cross join lateral (select sum((e->>'qty')::int) as total, count(*) as n from jsonb_array_elements(t.body->'items') as e) as l order by t.id
--> {"id":"1","total":7,"n":2}
--> {"id":"2","total":1,"n":1}
--> {"id":"3","total":null,"n":0}
--> {"id":"4","total":null,"n":0}

-- rows of a list, filtered
select t.id, l.sku from edge as t cross join lateral (select e->>'sku' as sku from jsonb_array_elements(t.body->'items') as e where (e->>'qty')::int > 1) as l order by 1, 2
--> {"id":"1","sku":"p"}
--> {"id":"1","sku":"q"}

-- also those without any
select t.id, l.sku from edge as t left join lateral (select e->>'sku' as sku from jsonb_array_elements(t.body->'items') as e order by e->>'sku' desc limit 1) as l on true order by 1
--> {"id":"1","sku":"q"}
--> {"id":"2","sku":"p"}
--> {"id":"3","sku":null}
--> {"id":"4","sku":null}

-- the next event of the same kind
select t.id, n.id as next from edge as t left join lateral (select u.id from edge as u where u.body->>'kind' = t.body->>'kind' and u.timestamp > t.timestamp order by u.timestamp limit 1) as n on true order by t.id
--> {"id":"1","next":"3"}
--> {"id":"2","next":null}
--> {"id":"3","next":"4"}
--> {"id":"4","next":null}

-- a condition of the join
select t.id, l.n from edge as t join lateral (select (t.body->>'ms')::int as n) as l on l.n > 10 order by t.id
--> {"id":"2","n":20}
--> {"id":"3","n":40}

-- grouped by its value
select l.method, count(*) as n from edge as t cross join lateral (select split_part(t.event_message, ' ', 1) as method) as l group by l.method order by n desc
--> {"method":"GET","n":3}
--> {"method":"PUT","n":1}

-- two of them, the second of the first
select t.id, m.c from edge as t cross join lateral (select (t.body->>'ms')::int as b) as l cross join lateral (select l.b + 1 as c) as m order by t.id
--> {"id":"1","c":11}
--> {"id":"2","c":21}
--> {"id":"3","c":41}
--> {"id":"4","c":null}

-- names of recursive columns
with recursive r(n) as (select 1 union all select n + 1 from r where n < 4) select sum(n) as s, count(*) as c from r
--> {"s":10,"c":4}

-- two names
with recursive f(a, b) as (select 0, 1 union all select b, a + b from f where b < 20) select max(a) as m from f
--> {"m":13}

-- a name for a table that is not recursive
with recursive r(x) as (select id from edge) select max(x) as m from r
--> {"m":"4"}

-- the seconds between two instants
select extract(epoch from max(timestamp) - min(timestamp)) as s from edge
--> {"s":8400.0}

-- SIMILAR TO
select id from edge where event_message similar to '(GET|PUT) /[ab]%' order by id
--> {"id":"1"}
--> {"id":"2"}

-- SIMILAR TO of the whole text, with signs that are none of a pattern
select 'a.c' similar to 'a.c' as a, 'abc' similar to 'a.c' as b, 'abc' similar to 'a_c' as c, 'abc' similar to 'b' as d, 'abc' not similar to '%b%' as e, 'a%c' similar to 'a\%c' as f, 'aab' similar to 'a{2}b' as g
--> {"a":true,"b":false,"c":true,"d":false,"e":false,"f":true,"g":true}

-- a part of a text in place of another
select overlay('abcdef' placing 'XY' from 2) as a, overlay('abcdef' placing 'X' from 2 for 3) as b, overlay('abc' placing 'Z' from 1 for 0) as c
--> {"a":"aXYdef","b":"aXef","c":"Zabc"}

-- texts between dollars
select $$it's$$ as a, $x$b$x$ as b
--> {"a":"it's","b":"b"}

-- JSON of other names
select json_build_array(1, 'x', true) as a
--> {"a":[1, "x", true]}

-- several percentiles
select percentile_cont(array[0.5, 0.95]) within group (order by (body->>'ms')::int) as p, percentile_disc(array[0.0, 0.5, 1.0]) within group (order by (body->>'ms')::int) as d from edge
--> {"p":[20.0,38.0],"d":[10,20,40]}

-- an element added to an array
select array[1, 2] || 3 as a, 0 || array[1] as b, array[1] || array[2] as c, cardinality(array['a'] || upper('b')) as d
--> {"a":[1,2,3],"b":[0,1],"c":[1,2],"d":2}

-- a day of a zone
select id, extract(epoch from date_trunc('day', timestamp, 'Europe/Berlin')) as day from edge order by id limit 1
--> {"id":"1","day":1739142000.0}

-- a week of a zone
select extract(epoch from date_trunc('week', timestamp '2026-03-01 23:30:00', 'Europe/Berlin')) as week
--> {"week":1772406000.0}

-- this instant
select localtimestamp = now() as a, localtimestamp > timestamp '2000-01-01' as b
--> {"a":true,"b":true}
