-- Functions with a body of SQL's own form: names mean what they meant when the function was created.

create table acc (id int, bal numeric);
--> no rows

create function total(p_min numeric default 0) returns numeric language sql stable begin atomic select sum(bal) from acc where bal >= p_min; end;
--> no rows

create function dbl(x int) returns int language sql immutable return x * 2;
--> no rows

create function dbl(x text) returns text return x || x;
--> no rows

select pg_get_functiondef('dbl(int)'::regprocedure), pg_get_function_sqlbody('dbl(text)'::regprocedure);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.dbl(x integer)\n RETURNS integer\n LANGUAGE sql\n IMMUTABLE\nRETURN (x * 2)\n","pg_get_function_sqlbody":"RETURN (x || x)"}

select pg_get_functiondef('total'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.total(p_min numeric DEFAULT 0)\n RETURNS numeric\n LANGUAGE sql\n STABLE\nBEGIN ATOMIC\n SELECT sum(acc.bal) AS sum\n    FROM acc\n   WHERE (acc.bal >= total.p_min);\nEND\n"}

select pg_get_function_sqlbody('total'::regproc), prosrc = '' as no_text, prosqlbody is not null as has_body from pg_proc where proname = 'total';
--> {"pg_get_function_sqlbody":"BEGIN ATOMIC\n SELECT sum(acc.bal) AS sum\n    FROM acc\n   WHERE (acc.bal >= total.p_min);\nEND","no_text":true,"has_body":true}

select routine_definition = '' as no_text, routine_body from information_schema.routines where routine_name = 'total';
--> {"no_text":true,"routine_body":"SQL"}

insert into acc values (1, 10), (2, 5);
--> no rows

alter table acc rename column bal to balance;
--> no rows

select total(), total(6), dbl(4), dbl('a');
--> {"total":"10","dbl":"aa"}

select pg_get_function_sqlbody('total'::regproc);
--> {"pg_get_function_sqlbody":"BEGIN ATOMIC\n SELECT sum(acc.balance) AS sum\n    FROM acc\n   WHERE (acc.balance >= total.p_min);\nEND"}

alter table acc drop column balance;
--> ERROR 2BP01: cannot drop column balance of table acc because other objects depend on it
--> DETAIL: function total(numeric) depends on column balance of table acc
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

alter table acc alter column balance type int;
--> ERROR 0A000: cannot alter type of a column used by a function or procedure
--> DETAIL: function total(numeric) depends on column "balance"

drop table acc;
--> ERROR 2BP01: cannot drop table acc because other objects depend on it
--> DETAIL: function total(numeric) depends on table acc
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

alter table acc drop column id;
--> no rows

alter table acc add column id int;
--> no rows

create procedure add_acc(i int, b numeric) begin atomic insert into acc (id, balance) values (i, b); insert into acc (balance, id) values (b * 2, i + 1); end;
--> no rows

call add_acc(7, 3);
--> no rows

select id, balance from acc order by id;
--> {"id":7,"balance":"3"}
--> {"id":8,"balance":"6"}
--> {"id":null,"balance":"10"}
--> {"id":null,"balance":"5"}

alter table acc rename to accounts;
--> no rows

call add_acc(8, 1);
--> no rows

select total(), (select count(*) from accounts) as rows;
--> {"total":"27","rows":6}

select pg_get_function_sqlbody('total'::regproc);
--> {"pg_get_function_sqlbody":"BEGIN ATOMIC\n SELECT sum(accounts.balance) AS sum\n    FROM accounts\n   WHERE (accounts.balance >= total.p_min);\nEND"}

alter table accounts rename column id to key;
--> no rows

call add_acc(10, 1);
--> no rows

select count(*) from accounts where key > 9;
--> {"count":2}

create schema other;
--> no rows

alter table accounts set schema other;
--> no rows

select total();
--> {"total":"30"}

call add_acc(20, 1);
--> no rows

set search_path = other;
--> no rows

select public.total();
--> {"total":"33"}

select pg_get_function_sqlbody('public.total'::regproc);
--> {"pg_get_function_sqlbody":"BEGIN ATOMIC\n SELECT sum(accounts.balance) AS sum\n    FROM other.accounts\n   WHERE (accounts.balance >= total.p_min);\nEND"}

reset search_path;
--> no rows

create schema first;
--> no rows

create table first.accounts (balance numeric);
--> no rows

set search_path = first, public;
--> no rows

select public.total() is not null as kept;
--> {"kept":true}

create function here() returns bigint begin atomic select count(*) from accounts; end;
--> ERROR 42P01: relation "accounts" does not exist
--> AT 73

set search_path = public;
--> no rows

select first.here();
--> ERROR 42883: function first.here() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

reset search_path;
--> no rows

drop schema first;
--> ERROR 2BP01: cannot drop schema first because other objects depend on it
--> DETAIL: table first.accounts depends on schema first
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop schema first cascade;
--> no rows

create function uses(x int) returns int return dbl(x) + 1;
--> no rows

select uses(2);
--> {"uses":5}

drop function dbl(int);
--> ERROR 2BP01: cannot drop function dbl(integer) because other objects depend on it
--> DETAIL: function uses(integer) depends on function dbl(integer)
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

alter function dbl(int) rename to twice;
--> no rows

select uses(2), pg_get_function_sqlbody('uses'::regproc);
--> {"uses":5,"pg_get_function_sqlbody":"RETURN (twice(x) + 1)"}

drop function twice(int) cascade;
--> no rows

select uses(2);
--> ERROR 42883: function uses(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function gone() returns int return (select max(a) from missing);
--> ERROR 42P01: relation "missing" does not exist
--> AT 63

create function gone() returns int begin atomic insert into missing values (1); select 1; end;
--> ERROR 42P01: relation "missing" does not exist
--> AT 61

create function wrong() returns int begin atomic select nothing from other.accounts; end;
--> ERROR 42703: column "nothing" does not exist
--> AT 57

create function lang() returns int language plpgsql return 1;
--> ERROR 42P13: inline SQL function body only valid for language SQL

create type mood as enum ('sad', 'ok');
--> no rows

create function moody(m text) returns boolean return m::mood = 'ok';
--> no rows

drop type mood;
--> ERROR 2BP01: cannot drop type mood because other objects depend on it
--> DETAIL: function moody(text) depends on type mood
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

alter type mood rename to state;
--> no rows

select moody('ok'), pg_get_function_sqlbody('moody'::regproc);
--> {"moody":true,"pg_get_function_sqlbody":"RETURN ((m)::state = 'ok'::state)"}

create function several(x int) returns table (key int, n bigint) begin atomic select a.key, count(*) over () from other.accounts a where a.key > x order by 1 limit 2; end;
--> no rows

select * from several(7);
--> {"key":8,"n":7}
--> {"key":8,"n":7}

select pg_get_functiondef('several'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.several(x integer)\n RETURNS TABLE(key integer, n bigint)\n LANGUAGE sql\nBEGIN ATOMIC\n SELECT a.key,\n     count(*) OVER () AS count\n    FROM other.accounts a\n   WHERE (a.key > several.x)\n   ORDER BY a.key\n  LIMIT 2;\nEND\n"}

create function two(x int) returns int begin atomic select 1; select x + 1; end;
--> no rows

select two(4), pg_get_function_sqlbody('two'::regproc);
--> {"two":5,"pg_get_function_sqlbody":"BEGIN ATOMIC\n SELECT 1;\n SELECT (x + 1);\nEND"}

create function up(k int, b numeric) returns setof numeric begin atomic update other.accounts a set balance = b where a.key = k returning a.balance; end;
--> no rows

select * from up(7, 99);
--> {"up":"99"}

alter table other.accounts rename column balance to amount;
--> no rows

select * from up(7, 98);
--> {"up":"98"}

alter table other.accounts drop column amount;
--> ERROR 2BP01: cannot drop column amount of table other.accounts because other objects depend on it
--> DETAIL: function total(numeric) depends on column amount of table other.accounts\nfunction add_acc(integer,numeric) depends on column amount of table other.accounts\nfunction up(integer,numeric) depends on column amount of table other.accounts
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

create function del(k int) returns void begin atomic delete from other.accounts where key = k; end;
--> no rows

select del(7);
--> {"del":null}

alter table other.accounts drop column key;
--> ERROR 2BP01: cannot drop column key of table other.accounts because other objects depend on it
--> DETAIL: function add_acc(integer,numeric) depends on column key of table other.accounts\nfunction several(integer) depends on column key of table other.accounts\nfunction up(integer,numeric) depends on column key of table other.accounts\nfunction del(integer) depends on column key of table other.accounts
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop table other.accounts cascade;
--> no rows

select del(8);
--> ERROR 42883: function del(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create or replace function two(x int) returns int language sql as 'select x + 2';
--> no rows

select two(4), pg_get_function_sqlbody('two'::regproc) is null as is_text;
--> {"two":6,"is_text":true}

create or replace function two(x int) returns int return case when x > 1 then x else null end;
--> no rows

select two(4), pg_get_functiondef('two'::regproc);
--> {"two":4,"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.two(x integer)\n RETURNS integer\n LANGUAGE sql\nRETURN CASE WHEN (x > 1) THEN x ELSE NULL::integer END\n"}

create function plain_number() returns int return 5;
--> no rows

select plain_number(), pg_get_function_sqlbody('plain_number'::regproc);
--> {"plain_number":5,"pg_get_function_sqlbody":"RETURN 5"}
