-- Small things that are refused, and small things that are not.

create role clerk; create sequence sq; grant usage on sq to clerk; revoke usage on sq from clerk; grant select on sq to clerk;
--> no rows

select 'Infinity'::numeric(20,4);
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 20, scale 4 cannot hold an infinite value.

create table n1 (a numeric(10,2)); insert into n1 values ('Infinity');
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 10, scale 2 cannot hold an infinite value.

insert into n1 values ('NaN'); select * from n1;
--> ERROR 42P01: relation "n1" does not exist
--> AT 13

select ('inf'::float8)::numeric(5,2);
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 5, scale 2 cannot hold an infinite value.

create domain money_amount as numeric(20,4) check (value <> 'Infinity'); create table a (o money_amount); insert into a values ('Infinity');
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 20, scale 4 cannot hold an infinite value.

create table gd (a int, b int generated always as (a * 2) stored); insert into gd values (1, default); update gd set a = 4, b = default; select * from gd;
--> {"a":4,"b":8}

update gd set b = 5;
--> ERROR 428C9: column "b" can only be updated to DEFAULT
--> DETAIL: Column "b" is a generated column.

select '{{1},{2,3}}'::int[];
--> ERROR 22P02: malformed array literal: "{{1},{2,3}}"
--> DETAIL: Multidimensional arrays must have sub-arrays with matching dimensions.
--> AT 8

select '{{1,2},{3}}'::text[];
--> ERROR 22P02: malformed array literal: "{{1,2},{3}}"
--> DETAIL: Multidimensional arrays must have sub-arrays with matching dimensions.
--> AT 8

select '{1,{2}}'::int[];
--> ERROR 22P02: malformed array literal: "{1,{2}}"
--> DETAIL: Unexpected "{" character.
--> AT 8

select array[[1,2],[3]];
--> ERROR 2202E: multidimensional arrays must have array expressions with matching dimensions

create table c2 (id int, constraint k check (id > 1), constraint k unique (id));
--> ERROR 42710: constraint "k" for relation "c2" already exists

create table c2 (id int, constraint k check (id > 1)); alter table c2 add constraint k unique (id);
--> ERROR 42710: constraint "k" for relation "c2" already exists

create table p (id int primary key, n text); insert into p values (1, 'b'), (2, 'a');
--> no rows

select id k, n k from p order by k;
--> ERROR 42702: ORDER BY "k" is ambiguous
--> AT 34

select id k, id k from p order by k;
--> {"k":1}
--> {"k":2}

select id from p where id = any (array[]);
--> ERROR 42P18: cannot determine type of empty array
--> HINT: Explicitly cast to the desired type, for example ARRAY[]::integer[].
--> AT 34

select id from p union select id from p order by n;
--> ERROR 42703: column "n" does not exist
--> AT 50

select ntile(0) over () from p;
--> ERROR 22014: argument of ntile must be greater than zero

select nth_value(id, 0) over () from p;
--> ERROR 22016: argument of nth_value must be greater than zero

create function gs() returns setof int language sql as 'select id from p order by id'; create table d (a int, b int); insert into d values (1, gs()); select * from d order by 2;
--> {"a":1,"b":1}
--> {"a":1,"b":2}

insert into d values (1, generate_series(5, 6)); select * from d order by 2;
--> {"a":1,"b":1}
--> {"a":1,"b":2}
--> {"a":1,"b":5}
--> {"a":1,"b":6}

insert into d values (1, gs()), (2, 3);
--> ERROR 0A000: set-returning functions are not allowed in VALUES
--> AT 26

create table lk (id int); create table lk3 (id int, like lk);
--> ERROR 42701: column "id" specified more than once

insert into p values (3, 'c') on conflict (id, id) do nothing; select count(*) from p;
--> {"count":3}

select sum(x) from unnest(array[1.1,2.2,3.3]::real[]) x;
--> {"sum":6.6000004}

select n, id from p group by rollup (id);
--> ERROR 42803: column "p.n" must appear in the GROUP BY clause or be used in an aggregate function
--> AT 8

select string_agg(n, ',' order by id) over () from p;
--> ERROR 0A000: aggregate ORDER BY is not implemented for window functions
--> AT 8

create table gr (id int); grant delete (id) on gr to clerk;
--> ERROR 0LP01: invalid privilege type DELETE for column

grant insert (id), update (id) on gr to clerk; grant delete on sq to clerk;
--> ERROR 42P01: relation "gr" does not exist
