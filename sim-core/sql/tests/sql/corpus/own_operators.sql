-- Operators of a project, whose functions are its own.

create function add_twice(a int, b int) returns int language sql immutable as 'select a + 2 * b';
--> no rows

create operator ### (leftarg = int, rightarg = int, function = add_twice);
--> no rows

select 1 ### 2;
--> {"?column?":5}

select 1 ### 2 ### 3 as chain, 5 ### 2::smallint as small;
--> {"chain":11,"small":9}

select 'a' ### 1;
--> ERROR 22P02: invalid input syntax for type integer: "a"
--> AT 8

select 'a'::text ### 1;
--> ERROR 42883: operator does not exist: text ### integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 18

create operator ### (leftarg = int, rightarg = int, procedure = add_twice);
--> ERROR 42723: operator ### already exists

select oprname, oprkind, oprcanmerge, oprcanhash, oprleft::regtype, oprright::regtype, oprresult::regtype, oprcode from pg_operator where oid >= 16384;
--> {"oprname":"###","oprkind":"b","oprcanmerge":false,"oprcanhash":false,"oprleft":"integer","oprright":"integer","oprresult":"integer","oprcode":"add_twice"}

comment on operator ### (int, int) is 'adds twice';
--> no rows

select obj_description(oid, 'pg_operator') from pg_operator where oid >= 16384;
--> {"obj_description":"adds twice"}

drop function add_twice(int, int);
--> ERROR 2BP01: cannot drop function add_twice(integer,integer) because other objects depend on it
--> DETAIL: operator ###(integer,integer) depends on function add_twice(integer,integer)
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

create function minus(a jsonb, b jsonb) returns jsonb language plpgsql immutable as $$ begin return (select coalesce(jsonb_object_agg(k, v), '{}') from jsonb_each(a) e(k, v) where not b ? k); end $$;
--> no rows

create operator public.- (function = public.minus, leftarg = jsonb, rightarg = jsonb);
--> no rows

select '{"a": 1, "b": 2}'::jsonb - '{"a": 0}'::jsonb as rest;
--> {"rest":{"b":2}}

select '{"a": 1, "b": 2}'::jsonb - 'a'::text as rest;
--> {"rest":{"b":2}}

create type point2 as (x int, y int);
--> no rows

create function point2_add(a point2, b point2) returns point2 language sql as $$ select ((a).x + (b).x, (a).y + (b).y)::point2 $$;
--> no rows

create operator + (leftarg = point2, rightarg = point2, function = point2_add, commutator = +);
--> no rows

select row(1, 2)::point2 + row(3, 4)::point2 as sum;
--> {"sum":"(4,6)"}

create function point2_near(a point2, b point2) returns boolean language sql as $$ select abs((a).x - (b).x) + abs((a).y - (b).y) < 3 $$;
--> no rows

create operator ~= (leftarg = point2, rightarg = point2, function = point2_near, restrict = eqsel, join = eqjoinsel);
--> no rows

create table place (id int primary key, at point2);
--> no rows

insert into place values (1, row(1, 1)), (2, row(1, 2)), (3, row(9, 9));
--> no rows

select id from place where at ~= row(1, 0)::point2 order by id;
--> {"id":1}
--> {"id":2}

select a.id, b.id as other from place a join place b on a.at ~= b.at and a.id < b.id;
--> {"id":1,"other":2}

select 1 operator(public.###) 2 as qualified;
--> {"qualified":5}

create schema math;
--> no rows

create operator math.#### (leftarg = int, rightarg = int, function = add_twice);
--> no rows

select 1 #### 2;
--> ERROR 42883: operator does not exist: integer #### integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 10

set search_path = math, public;
--> no rows

select 1 #### 2;
--> ERROR 42883: operator does not exist: integer #### integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 10

reset search_path;
--> no rows

create operator === (leftarg = int, rightarg = int, function = nosuch);
--> ERROR 42883: function nosuch(integer, integer) does not exist

create operator === (leftarg = int, rightarg = nosuch, function = add_twice);
--> ERROR 42704: type "nosuch" does not exist

create operator === (leftarg = int, rightarg = int);
--> ERROR 42P13: operator function must be specified

create operator === (function = add_twice);
--> ERROR 42P13: operator argument types must be specified

create operator === (leftarg = int, function = add_twice);
--> ERROR 42P13: operator right argument type must be specified
--> DETAIL: Postfix operators are not supported.

drop operator ### (int, text);
--> ERROR 42883: operator does not exist: integer ### text

drop operator if exists ### (int, text);
--> no rows

alter operator ### (int, int) owner to postgres;
--> no rows

drop operator ### (int, int);
--> no rows

select 1 ### 2;
--> ERROR 42883: operator does not exist: integer ### integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 10

drop type point2;
--> ERROR 2BP01: cannot drop type point2 because other objects depend on it
--> DETAIL: function point2_add(point2,point2) depends on type point2\noperator +(point2,point2) depends on type point2\nfunction point2_near(point2,point2) depends on type point2\noperator ~=(point2,point2) depends on type point2\ncolumn at of table place depends on type point2
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop function point2_near(point2, point2) cascade;
--> no rows

drop operator if exists ~= (point2, point2);
--> no rows

drop schema math cascade;
--> no rows

drop operator public.- (jsonb, jsonb), + (point2, point2);
--> no rows

select '{"a": 1}'::jsonb - '{"a": 0}'::jsonb as rest;
--> ERROR 42883: operator does not exist: jsonb - jsonb
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 26

select count(*) from pg_operator where oid >= 16384;
--> {"count":0}
