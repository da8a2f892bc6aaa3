-- Arrays with nulls in definitions, under a cast to text

create table a1 (id int, g text generated always as ((array['2023-06-15'::date, null])::text) stored);
--> ERROR 42P17: generation expression is not immutable

create table a1 (id int, g text generated always as ((array[id, null])::text) stored); insert into a1 values (1); select * from a1;
--> ERROR 42P17: generation expression is not immutable

create table a1 (id int, t timestamp, g text generated always as ((array[t, null])::text) stored);
--> ERROR 42P17: generation expression is not immutable

create table a1 (id int, d date, g text[] generated always as (array[d::text]) stored);
--> ERROR 42P17: generation expression is not immutable

create table a1 (id int, d date, g date[] generated always as (array[d, null]) stored); insert into a1 values (1, '2024-01-01'); select * from a1;
--> {"id":1,"d":"2024-01-01","g":["2024-01-01",null]}

create table a1 (id int, d date, check ((array['2024-01-01'::date, null])::text like '%b%')); insert into a1 values (1);
--> ERROR 42P07: relation "a1" already exists

create table a1 (id int, d date, check ((array['2024-01-01'::date, null])::text like '%2%')); insert into a1 values (1); select * from a1;
--> ERROR 42P07: relation "a1" already exists

create table a2 (id int); create policy p on a2 using ((array['2024-01-01'::date, null])::text like '%b%'); alter table a2 enable row level security; grant all on a2 to public; select pg_get_expr(polqual, polrelid) from pg_policy; set local role authenticated; select * from a2;
--> {"pg_get_expr":"((ARRAY['2024-01-01'::date, NULL::date])::text ~~ '%b%'::text)"}

create view v as select array['2024-01-01'::date, null] as x, array[null, '1 day'::interval]::text as y, array[1, null] as z, array[null::text, 'x'] as w; select * from v;
--> {"x":["2024-01-01",null],"y":"{NULL,\"1 day\"}","z":[1,null],"w":[null,"x"]}

create function f() returns text language sql as $$ select (array['2024-01-01'::date, null])::text $$; select f();
--> {"f":"{2024-01-01,NULL}"}

create table a1 (id int, check ((array[id, null])::text = 'x')); select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'a1'::regclass;
--> ERROR 42P07: relation "a1" already exists

create table a1 (id int); create policy p on a1 using ((array[id, null])::text = 'x'); select pg_get_expr(polqual, polrelid) from pg_policy;
--> ERROR 42P07: relation "a1" already exists

create table a1 (id int); create view v as select (array[id, null])::text = 'x' from a1; select pg_get_viewdef('v'::regclass);
--> ERROR 42P07: relation "a1" already exists

create table a1 (id int, d text default (array[1, null])::text); insert into a1 values (1) returning *;
--> ERROR 42P07: relation "a1" already exists

create table a1 (id int); create index on a1 (((array[id, null])::text));
--> ERROR 42P07: relation "a1" already exists
