-- # Parameters, consumers' queries, endpoints as tables

--= source logs
--= {"id":"1","timestamp":1739181600000000,"event_message":"one","project":"p","metadata":{"level":"info"}}
--= {"id":"2","timestamp":1739181601000000,"event_message":"two","project":"p","metadata":{"level":"error"}}
--= {"id":"3","timestamp":1739181602000000,"event_message":"three","project":"q","metadata":{"level":"error"}}

--= endpoint errors.by.project
--= with e as (select l.project from logs l cross join unnest(l.metadata) m where m.level = @level)
--= select project, count(*) as n from e group by project

--= endpoint of.endpoints
--= select sum(n) as total from errors.by.project

--= endpoint circle
--= select id from circle

-- one parameter in several places
select @a as x, concat(@a, @b) as y, @a = @b as z
--@ a = 1
--@ b = 2
--> {"x":"1","y":"12","z":false}

-- a longer name that begins like another
select @project as a, @project_tier as b
--@ project = p
--@ project_tier = FREE
--> {"a":"p","b":"FREE"}

-- a parameter in a condition and in a group
select project = @p as mine, count(*) as n from logs group by project = @p order by n
--@ p = q
--> {"mine":true,"n":1}
--> {"mine":false,"n":2}

-- a parameter is a text, whatever it looks like
select id from logs where id = @id or project = @evil
--@ id = 2
--@ evil = x' or 'a' = 'a
--> {"id":"2"}

-- a parameter as a number
select cast(@n as int64) + 1 as n, safe_cast(@n as int64) as m
--@ n = 41
--> {"n":42,"m":41}

-- a parameter as a limit
select id from logs order by id limit @n
--@ n = 1
--> {"id":"1"}

-- the most rows
select id from logs order by id
--! 2
--> {"id":"1"}
--> {"id":"2"}

-- the most rows and a lower limit
select id from logs order by id limit 1
--! 2
--> {"id":"1"}

-- the most rows of a union
select 1 as x union all select 2 union all select 3 order by x desc
--! 2
--> {"x":3}
--> {"x":2}

-- a consumer's query takes the place of the last SELECT
with a as (select id, metadata from logs where project = @p) select id from a order by id limit 1
--& select id, m.level from a cross join unnest(metadata) as m order by id desc
--@ p = p
--> {"id":"2","level":"error"}
--> {"id":"1","level":"info"}

-- without one, the stored SELECT runs
with a as (select id from logs where project = @p) select id from a order by id limit 1
--@ p = p
--> {"id":"1"}

-- a consumer's query with common table expressions of its own
with a as (select id, project from logs) select id from a
--& with b as (select project, count(*) as n from a group by project), c as (select n from b) select n from c order by n
--> {"n":1}
--> {"n":2}

-- a consumer's query joins, nests and unites
with a as (select id, project from logs), b as (select 'p' as project, 'mine' as owner) select id from a
--& select x.id, b.owner from (select id, project from a) as x left join b on x.project = b.project union all select 'z', 'nobody' order by id
--> {"id":"1","owner":"mine"}
--> {"id":"2","owner":"mine"}
--> {"id":"3","owner":null}
--> {"id":"z","owner":"nobody"}

-- a consumer's query under the most rows
with a as (select id from logs) select id from a
--& select id from a order by id limit 5
--! 2
--> {"id":"1"}
--> {"id":"2"}

-- a common table expression hides a source of its name
with logs as (select 'hidden' as id) select id from logs
--> {"id":"hidden"}

-- an endpoint as a table
select e.project, e.n from `errors.by.project` as e order by e.project
--@ level = error
--> {"project":"p","n":1}
--> {"project":"q","n":1}

-- an endpoint that uses another
select total from of.endpoints
--@ level = error
--> {"total":2}

-- a consumer's query reads a source
with a as (select id from logs) select id from a
--& select id from logs
--> refused OutsideSandbox: Table not found in CTE: (logs)

-- a consumer's query reads a source inside a subquery
with a as (select id from logs) select id from a
--& select id from a where exists (select 1 from logs) and id in (select id from other)
--> refused OutsideSandbox: Table not found in CTE: (logs, other)

-- a consumer's query reads a source inside its own common table expression
with a as (select id from logs) select id from a
--& with x as (select id from `errors.by.project`) select id from x
--> refused OutsideSandbox: Table not found in CTE: (errors.by.project)

-- a consumer's query of an endpoint without common table expressions
select id from logs
--& select id from logs
--> refused OutsideSandbox: Table not found in CTE: (logs)

-- a consumer's query that writes
with a as (select id from logs) select id from a
--& delete from a where true
--> refused NotAQuery: Only SELECT queries allowed

-- a consumer's query with a wildcard
with a as (select id from logs) select id from a
--& select * from a
--> refused Wildcard: restricted wildcard (*) in a result column

-- two consumer's queries
with a as (select id from logs) select id from a
--& select id from a; select id from a
--> refused NotSingular: Only singular query allowed

-- an endpoint that uses itself
select id from circle
--> refused Invalid: Endpoint circle uses itself
