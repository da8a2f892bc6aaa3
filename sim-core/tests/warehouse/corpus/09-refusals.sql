-- # What is refused

--= source logs
--= {"id":"1","timestamp":1739181600000000,"event_message":"one","metadata":{"level":"info"}}

-- no query
selec id from logs
--> refused Syntax

-- half a query
select id from logs where
--> refused Syntax

-- an open text
select 'abc from logs
--> refused Syntax

-- nothing but a comment
-- nothing
-- at all
--> refused Syntax: sql parser error: there is no query

-- UNION without a word for doubles
select 1 as x union select 2
--> refused Syntax: sql parser error: Expected keyword ALL or keyword DISTINCT after UNION

-- INSERT
insert into logs (id) values ('2')
--> refused NotAQuery: Only SELECT queries allowed

-- UPDATE
update logs set id = '2' where true
--> refused NotAQuery: Only SELECT queries allowed

-- DELETE
delete from logs where true
--> refused NotAQuery: Only SELECT queries allowed

-- TRUNCATE
truncate table logs
--> refused NotAQuery: Only SELECT queries allowed

-- MERGE
merge into logs using logs as l on false when not matched then insert (id) values ('2')
--> refused NotAQuery: Only SELECT queries allowed

-- DROP
drop table logs
--> refused NotAQuery: Only SELECT queries allowed

-- CREATE
create table t as select id from logs
--> refused NotAQuery: Only SELECT queries allowed

-- ALTER
alter table logs add column x int64
--> refused NotAQuery: Only SELECT queries allowed

-- GRANT
grant select on logs to someone
--> refused NotAQuery: Only SELECT queries allowed

-- SHOW
show tables
--> refused NotAQuery: Only SELECT queries allowed

-- COPY to a file
copy logs to '/tmp/x'
--> refused NotAQuery: Only SELECT queries allowed

-- CALL
call something()
--> refused NotAQuery: Only SELECT queries allowed

-- EXPLAIN
explain select id from logs
--> refused NotAQuery: Only SELECT queries allowed

-- several statements
select id from logs; select id from logs
--> refused NotSingular: Only singular query allowed

-- a query and a statement that writes
select id from logs; drop table logs
--> refused NotSingular: Only singular query allowed

-- session_user
select session_user() as x
--> refused RestrictedFunction: Restricted function session_user

-- a query of another database
select x.a from external_query('connection', 'select 1') as x
--> refused RestrictedFunction: Restricted function external_query

-- a query of another database in an expression
select external_query('connection', 'select 1') as x
--> refused RestrictedFunction: Restricted function external_query

-- a wildcard
select * from logs
--> refused Wildcard: restricted wildcard (*) in a result column

-- a wildcard of one table
select l.* from logs l
--> refused Wildcard: restricted wildcard (*) in a result column

-- a wildcard in a common table expression
with a as (select * from logs) select id from a
--> refused Wildcard: restricted wildcard (*) in a result column

-- a wildcard in a subquery
select id from logs where exists (select * from logs)
--> refused Wildcard: restricted wildcard (*) in a result column

-- a wildcard with exceptions
select * except (id) from logs
--> refused Wildcard: restricted wildcard (*) in a result column

-- another source
select id from other
--> refused UnknownSource: can't find source other

-- several other sources
select a.id from other a, `not.mine` b, logs c
--> refused UnknownSource: can't find source other, not.mine

-- another source in a subquery
select id from logs where id in (select id from secrets)
--> refused UnknownSource: can't find source secrets

-- the tables of the system
select table_name from `INFORMATION_SCHEMA.TABLES`
--> refused UnknownSource: can't find source INFORMATION_SCHEMA.TABLES

-- the tables of SQLite
select name from sqlite_master
--> refused UnknownSource: can't find source sqlite_master

-- the tables of PostgreSQL
select usename from pg_catalog.pg_user
--> refused UnknownSource: can't find source pg_catalog.pg_user

-- the stored table of a source
select id from log_events_0
--> refused UnknownSource: can't find source log_events_0

-- wildcard tables
select id from `logs_*`
--> refused UnknownSource: can't find source logs_*

-- a common table expression before it is there
with a as (select x from b), b as (select 1 as x) select x from a
--> refused UnknownSource: can't find source b

-- files
select pg_read_file('/etc/passwd') as x
--> refused Unsupported: the function pg_read_file is not supported

-- functions of SQLite
select load_extension('x') as x
--> refused Unsupported: the function load_extension is not supported

-- functions that wait
select pg_sleep(10) as x
--> refused Unsupported: the function pg_sleep is not supported

-- functions of the translation's own
select wh_fail('x') as x
--> refused Unsupported: the function wh_fail is not supported

-- chance
select rand() as x
--> refused Unsupported: the function rand is not supported

-- a column that is not there
with a as (select 1 as x) select y from a
--> refused UnknownField: Field "y" does not exist.

-- a column of a table that is not there
select z.id from (select 1 as x) as y
--> refused UnknownField: Field "z.id" does not exist.

-- a column that is there twice
with a as (select 1 as x), b as (select 2 as x) select x from a, b
--> refused UnknownField: Column name x is ambiguous

-- two columns of one name
select 1 as x, 2 as X
--> refused Invalid: Duplicate column names in the result: X

-- two tables of one name
select a.id from logs a, logs a
--> refused Invalid: Duplicate table alias a in the same FROM clause

-- a column that is neither grouped nor aggregated
select id, count(*) as n from logs
--> refused Invalid: SELECT list expression references column id which is neither grouped nor aggregated

-- the same with groups
select event_message, count(*) as n from logs group by id
--> refused Invalid: SELECT list expression references column event_message which is neither grouped nor aggregated

-- an aggregate of an aggregate
select sum(count(*)) as n from logs
--> refused Invalid: Aggregations of aggregations are not allowed

-- an aggregate of a name of the list that is one
select id, max(timestamp) as last, count(*) as n from logs group by id having sum(n) > 1
--> refused Invalid: Aggregations of aggregations are not allowed

-- an aggregate of a column of the query around it
select id from logs where id = (select max(id))
--> refused Unsupported: an aggregate of a column of the query around it is not supported

-- sorting groups by a column
select event_message from logs group by event_message order by id
--> refused Invalid: SELECT list expression references column id which is neither grouped nor aggregated

-- a subquery that takes a column that is not grouped
select count(*) as n, (select max(x) from unnest([1]) as x where l.id = '1') as m from logs l
--> refused Invalid: SELECT list expression references column l.id which is neither grouped nor aggregated

-- an aggregate in WHERE
select id from logs where count(*) > 1
--> refused Invalid: Aggregate function not allowed in WHERE clause

-- a window function in WHERE
select id from logs where row_number() over () = 1
--> refused Invalid: Analytic function not allowed in WHERE clause

-- grouping by a list
select [1] as l, count(*) as n from logs group by l
--> refused Invalid: Grouping by expressions of type ARRAY<INT64> is not allowed

-- a column number that is out of range
select id from logs order by 2
--> refused Invalid: column number 2 is out of range

-- types that do not compare
select 1 = 'a' as x
--> refused Invalid: No matching signature for operator = for argument types: INT64, STRING

-- an instant and a day
select id from logs where timestamp > date '2025-02-10'
--> refused Invalid: No matching signature for operator > for argument types: TIMESTAMP, DATE

-- an instant and a text that is not in the query
select id from logs where timestamp > event_message
--> refused Invalid: No matching signature for operator > for argument types: TIMESTAMP, STRING

-- a text in the query that is no instant
select id from logs where timestamp > 'yesterday'
--> refused Invalid: Could not cast literal "yesterday" to type TIMESTAMP

-- a text as a condition
select id from logs where 'x'
--> refused Invalid: A value of type STRING can't be used as BOOL

-- a text in arithmetic
select 'a' + 1 as x
--> refused Invalid: No matching signature for operator + for argument types: STRING, INT64

-- arguments of other types
select starts_with(1, 'a') as x
--> refused Invalid: No matching signature for function STARTS_WITH for argument types: INT64, STRING

-- too few arguments
select replace('a') as x
--> refused Invalid: No matching signature for function REPLACE for argument types: STRING

-- an unknown function
select frobnicate(1) as x
--> refused Unsupported: the function frobnicate is not supported

-- an unknown type
select cast(1 as money) as x
--> refused Invalid: Type not found: MONEY

-- a cast between types that have nothing in common
select cast(date '2025-02-10' as int64) as x
--> refused Invalid: Invalid cast from DATE to INT64

-- branches of several types
select case when true then 1 else 'x' end as x
--> refused Invalid: No matching signature for function CASE for argument types: INT64, STRING

-- an unknown unit
select timestamp_trunc(timestamp, fortnight) as x from logs
--> refused Invalid: A valid date part name is required but found fortnight

-- months of an instant
select timestamp_sub(timestamp, interval 1 month) as x from logs
--> refused Invalid: TIMESTAMP arithmetic does not support the MONTH date part

-- a list as a table that is none
select x from unnest(5) as x
--> refused Invalid: Values referenced in UNNEST must be arrays. UNNEST contains expression of type INT64

-- a field of a list
select [struct(1 as a)].a as x
--> refused Invalid: Cannot access field a on a value with type ARRAY<STRUCT<a INT64>>

-- a subquery of two columns in an expression
select (select 1, 2) as x
--> refused Invalid: A subquery in an expression must have exactly one column

-- sides of a union with different numbers of columns
select 1 as x union all select 2, 3
--> refused Invalid: Queries in UNION have mismatched column count; 1 and 2

-- a negative limit
select id from logs limit -1
--> refused Invalid: LIMIT expects a non-negative integer literal or parameter

-- a structure with two fields of one name
select struct(1 as a, 2 as a) as x
--> refused Unsupported: a structure with two fields named a is not supported

-- a join without a condition
select a.id from logs a left join logs b
--> refused Invalid: LEFT JOIN must have an immediately following ON or USING clause

-- ILIKE
select id from logs where event_message ilike 'ONE'
--> refused Unsupported: event_message ILIKE 'ONE' is not supported

-- the past of a table
select id from logs for system_time as of current_timestamp()
--> refused Unsupported

-- a sample of a table
select id from logs tablesample system (10 percent)
--> refused Unsupported

-- a variable of the system
select @@time_zone as x
--> refused Unsupported: a system variable is not supported

-- a parameter without a name
select ? as x
--> refused Unsupported: a parameter without a name is not supported

-- the pipe syntax
from logs |> where id = '1'
--> refused Wildcard: restricted wildcard (*) in a result column
