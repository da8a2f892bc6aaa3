-- # Queries in PostgreSQL's dialect

--= source edge
--= {"id":"1","timestamp":1739181600000000,"event_message":"GET /a 200","project":"p","count":5,"metadata":{"level":"info","status":200,"request":{"path":"/a"},"tags":["x","y"],"context":[{"host":"h1"},{"host":"h2"}]}}
--= {"id":"2","timestamp":1739181660000000,"event_message":"PUT /b 500","project":"p","count":"50","metadata":{"level":"error","status":500,"request":{"path":"/b"}}}
--= {"id":"3","timestamp":1739185200000000,"project":"q"}

--= source a.b
--= {"id":"x","timestamp":1739181600000000,"event_message":"other"}

--= endpoint per_project
--= select body ->> 'project' as project, count(*) as n from edge group by 1

-- the four columns
select id, timestamp, event_message, body from edge where id = '1'
--> {"id":"1","timestamp":1739181600000000,"event_message":"GET /a 200","body":[{"id":"1","timestamp":1739181600000000,"event_message":"GET /a 200","project":"p","count":5,"metadata":[{"level":"info","status":200,"request":[{"path":"/a"}],"tags":["x","y"],"context":[{"host":"h1"},{"host":"h2"}]}]}]}

-- ways into the body
select body -> 'count' as a, body ->> 'project' as b, body -> 'metadata' ->> 'level' as c, body #>> '{metadata,request,path}' as d, body -> 'metadata' -> 'tags' ->> 1 as e, body #> '{metadata,tags,0}' as f, body ->> 'none' as g from edge where id = '1'
--> {"a":5,"b":"p","c":"info","d":"/a","e":"y","f":"x","g":null}

-- names of columns without one
select count(*), max(id), (body ->> 'count')::int as n, id::text from edge where id = '1' group by id, body ->> 'count'
--> {"count":1,"max":"1","n":5,"id":"1"}

-- casts and comparisons
select id from edge where (body #>> '{metadata,status}')::int >= 500 or (body ->> 'count')::numeric < 10 order by id
--> {"id":"1"}
--> {"id":"2"}

-- a cast that fails
select ('many')::int as n
--> error

-- patterns
select id, event_message ~ '^GET' as a, event_message ~* 'get' as b, event_message !~ '\d' as c, event_message ilike 'put%' as d, event_message not like 'PUT%' as e from edge where event_message is not null order by id
--> {"id":"1","a":true,"b":true,"c":false,"d":false,"e":true}
--> {"id":"2","a":false,"b":false,"c":false,"d":true,"e":false}

-- buckets of hours
select date_trunc('hour', timestamp) as hour, count(*) filter (where body -> 'metadata' ->> 'level' = 'error') as errors, count(*) as n from edge group by 1 order by hour desc
--> {"hour":1739185200000000,"errors":0,"n":1}
--> {"hour":1739181600000000,"errors":1,"n":2}

-- intervals and now
select id from edge where timestamp > now() - interval '40 minutes' and timestamp <= '2025-02-10 11:00:00' order by id
--> {"id":"1"}
--> {"id":"2"}
--> {"id":"3"}

-- intervals of other units
select timestamp + interval '1 day' as a, timestamp - interval '90 seconds' as b from edge where id = '1'
--> {"a":1739268000000000,"b":1739181510000000}

-- division of whole numbers is whole
select 7 / 2 as a, 7 % 3 as b, 7.0 / 2 as c, 2 ^ 3 as d
--> {"a":3,"b":1,"c":3.5,"d":8.0}

-- nulls are the greatest
select event_message as m from edge order by event_message desc limit 2
--> {"m":null}
--> {"m":"PUT /b 500"}

-- elements of a list
select e.id, c ->> 'host' as host from edge as e cross join jsonb_array_elements(e.body -> 'metadata' -> 'context') as c order by host
--> {"id":"1","host":"h1"}
--> {"id":"1","host":"h2"}

-- common table expressions, joins and unions
with errors as (select id, body ->> 'project' as project from edge where body #>> '{metadata,level}' = 'error') select a.id, b.id as other from errors a join edge b on b.body ->> 'project' = a.project and b.id <> a.id union select 'z', null order by id
--> {"id":"2","other":"1"}
--> {"id":"z","other":null}

-- a name with dots
select id from "a.b"
--> {"id":"x"}

-- parameters
select id from edge where body ->> 'project' = @project and id = @id
--@ project = p
--@ id = 2
--> {"id":"2"}

-- functions
select lower('A') as a, coalesce(null, 'x') as b, split_part('a,b', ',', 2) as c, md5('x') as d, to_timestamp(1739181600) as e, extract(hour from timestamp) as f, jsonb_typeof(body -> 'count') as g, jsonb_array_length(body #> '{metadata,tags}') as h, jsonb_extract_path_text(body, 'metadata', 'level') as i, btrim(' x ') as j from edge where id = '1'
--> {"a":"a","b":"x","c":"b","d":"9dd4e461268c8034f5c8564e155c67a6","e":1739181600000000,"f":10,"g":"number","h":2,"i":"info","j":"x"}

-- in a zone
select timestamp at time zone 'UTC' at time zone 'Europe/Berlin' as t from edge where id = '1'
--> {"t":"2025-02-10T11:00:00"}

-- a plain instant is a local time of the zone
select timestamp at time zone 'Europe/Berlin' as t from edge where id = '1'
--> {"t":1739178000000000}

-- an instant of a query inside could be of either type
select t at time zone 'UTC' as t from (select timestamp as t from edge) as q
--> refused Unsupported: AT TIME ZONE of a column that a query inside gives: write it in that query is not supported

-- what is no number
select 'NaN'::float8 as a
--> refused Unsupported: NaN as a value is not supported

-- sums beyond their type
select (body ->> 'count')::int * 1000000000 as n from edge where id = '1'
--> error

-- an endpoint as a table
select p.project, p.n from per_project as p order by p.n desc
--> {"project":"p","n":2}
--> {"project":"q","n":1}

-- a consumer's query over the endpoint's tables
with logs as (select id, body from edge) select id from logs
--& select id from logs where body ->> 'project' = 'q'
--> {"id":"3"}

-- a window
select id, row_number() over (partition by body ->> 'project' order by timestamp desc) as place from edge order by id
--> {"id":"1","place":2}
--> {"id":"2","place":1}
--> {"id":"3","place":1}

-- a field as if it were a column
select project from edge
--> refused UnknownField: Field "project" does not exist.

-- a consumer's query of a source
with logs as (select id from edge) select id from logs
--& select id from edge
--> refused OutsideSandbox: Table not found in CTE: (edge)

-- the tables of the server
select usename from pg_user
--> refused UnknownSource: can't find source pg_user

-- the catalog by its schema
select relname from pg_catalog.pg_class
--> refused UnknownSource: can't find source pg_catalog.pg_class

-- the files of the server
select pg_read_file('/etc/passwd') as x
--> refused RestrictedFunction: Restricted function pg_read_file

-- the version of the server
select version() as x
--> refused RestrictedFunction: Restricted function version

-- another server
select dblink('x', 'y') as x
--> refused RestrictedFunction: Restricted function dblink

-- large objects
select lo_import('/etc/passwd') as x
--> refused RestrictedFunction: Restricted function lo_import

-- statements that write
insert into edge (id) values ('9')
--> refused NotAQuery: Only SELECT queries allowed

-- a common table expression that writes
with gone as (delete from edge returning id) select id from gone
--> refused

-- two statements
select 1 as one; select 2 as two
--> refused NotSingular: Only singular query allowed

-- SELECT INTO
select id into copied from edge
--> refused Unsupported: SELECT INTO is not supported

-- rows that are locked
select id from edge for update
--> refused Unsupported: FOR UPDATE is not supported

-- a wildcard
select * from edge
--> refused Wildcard: restricted wildcard (*) in a result column

-- settings
set role postgres
--> refused NotAQuery: Only SELECT queries allowed

-- a function that is not known
select similarity('a', 'b') as n
--> refused Unsupported: the function similarity is not supported

-- an interval of no unit
select timestamp - interval '1 fortnight' as t from edge
--> refused Invalid: invalid input syntax for type interval: "1 fortnight"

-- only the first match is replaced without the flag g
select regexp_replace('a1b2', '[0-9]', '#') as a, regexp_replace('a1b2', '[0-9]', '#', 'g') as b, regexp_replace('aAa', 'A', 'x', 'gi') as c, regexp_replace('a1', '([0-9])', '<\1>') as d
--> {"a":"a#b2","b":"a#b#","c":"xxx","d":"a<1>"}

-- logarithms
select log(100.0) as a, log(2.0, 8.0) as b, ln(1.0) as c
--> {"a":2.0,"b":3.0,"c":0.0}

-- nulls do not count for the greatest and the least, and are empty in a concatenation
select greatest(null, 1) as a, least(2, null, 1) as b, greatest('a', null, 'b') as c, concat('a', null, 1, 'b') as d
--> {"a":1,"b":1,"c":"b","d":"a1b"}

-- parts of texts may begin before them
select substr('hello', 0, 2) as a, substr('hello', -1, 3) as b, substr('hello', -1) as c, substring('hello' from 2 for 2) as d, substring('abc123' from '[0-9]+') as e
--> {"a":"h","b":"h","c":"hello","d":"el","e":"123"}

-- weeks begin on Monday, and parts of an instant have PostgreSQL's names
select date_trunc('week', timestamp '2025-02-09 10:00:00') as a, extract(week from timestamp '2025-02-09 10:00:00') as b, extract(dow from timestamp '2025-02-09 10:00:00') as c, extract(isodow from timestamp '2025-02-09 10:00:00') as d, date_part('doy', timestamp '2025-02-09 10:00:00') as e, extract(epoch from timestamp '2025-02-09 10:00:00.5') as f, extract(second from timestamp '2025-02-09 10:00:07.25') as g
--> {"a":1738540800000000,"b":6,"c":0,"d":7,"e":40,"f":1739095200.5,"g":7.25}

-- whether a condition holds for a row or for all
select bool_or(id = '1') as a, bool_and(id = '1') as b, every(id <> 'x') as c from edge
--> {"a":true,"b":false,"c":true}
