-- Functions, triggers, policies, extensions: recorded, seen in the catalog, called where that can be done.

create table task (id int primary key, owner uuid, title text, done boolean default false, updated_at timestamptz);
--> no rows

create function add(a int, b int) returns int language sql immutable as $$ select a + b $$;
--> no rows

select add(2, 3) as a, add(a => 1, b => 10) as b;
--> {"a":5,"b":11}

create or replace function add(a int, b int) returns int language sql immutable as 'select $1 + $2 + 100';
--> no rows

select add(2, 3) as a;
--> {"a":105}

create function add(a text, b text) returns text language sql as $$ select a || b $$;
--> no rows

select add('x', 'y') as a;
--> {"a":"xy"}

create function add(a int, b int) returns int language sql as $$ select 1 $$;
--> ERROR 42723: function "add" already exists with same argument types

create function greet(name text default 'you') returns text language sql stable as $$ select 'hello ' || name $$;
--> no rows

select greet() as a, greet('ann') as b;
--> {"a":"hello you","b":"hello ann"}

create function open_tasks() returns setof task language sql stable as $$ select * from task where not done $$;
--> no rows

insert into task (id, title) values (1, 'wash'), (2, 'dry');
--> no rows

select id, title from open_tasks() order by id;
--> {"id":1,"title":"wash"}
--> {"id":2,"title":"dry"}

create function pairs(n int) returns table (a int, b int) language sql as $$ select g, g * 2 from generate_series(1, n) g $$;
--> no rows

select * from pairs(2);
--> {"a":1,"b":2}
--> {"a":2,"b":4}

create function total_of(variadic numbers int[]) returns bigint language sql as $$ select sum(x) from unnest(numbers) as x $$;
--> no rows

select total_of(1, 2, 3) as a;
--> {"a":6}

create function shout(t text) returns text language plpgsql as $$ begin return upper(t) || '!'; end $$;
--> no rows

select shout('hi') as a;
--> {"a":"HI!"}

create function touch() returns trigger language plpgsql as $$ begin new.updated_at = now(); return new; end $$;
--> no rows

create trigger task_touch before update on task for each row execute function touch();
--> no rows

create trigger task_touch before update on task for each row execute function touch();
--> ERROR 42710: trigger "task_touch" for relation "task" already exists

create or replace trigger task_touch before update on task for each row execute procedure touch();
--> no rows

select tgname from pg_trigger where tgrelid = 'task'::regclass and not tgisinternal;
--> {"tgname":"task_touch"}

select trigger_name, event_manipulation, action_timing from information_schema.triggers where event_object_table = 'task';
--> {"trigger_name":"task_touch","event_manipulation":"UPDATE","action_timing":"BEFORE"}

drop trigger task_touch on task;
--> no rows

drop trigger task_touch on task;
--> ERROR 42704: trigger "task_touch" for table "task" does not exist

drop trigger if exists task_touch on task;
--> no rows

alter table task enable row level security;
--> no rows

create policy "owners read" on task for select to authenticated using (auth.uid() = owner);
--> no rows

create policy "owners write" on task for all using (auth.uid() = owner) with check (auth.uid() = owner);
--> no rows

create policy "owners read" on task for select using (true);
--> ERROR 42710: policy "owners read" for table "task" already exists

select policyname, cmd, roles, permissive from pg_policies where tablename = 'task' order by policyname;
--> {"policyname":"owners read","cmd":"SELECT","roles":"{authenticated}","permissive":"PERMISSIVE"}
--> {"policyname":"owners write","cmd":"ALL","roles":"{public}","permissive":"PERMISSIVE"}

select relrowsecurity, relforcerowsecurity from pg_class where oid = 'task'::regclass;
--> {"relrowsecurity":true,"relforcerowsecurity":false}

alter policy "owners read" on task rename to "owner reads";
--> no rows

drop policy "owner reads" on task;
--> no rows

drop policy "owner reads" on task;
--> ERROR 42704: policy "owner reads" for table "task" does not exist

drop policy if exists "owner reads" on task;
--> no rows

select count(*) from task;
--> {"count":2}

create extension if not exists pgcrypto;
--> no rows

create extension if not exists "uuid-ossp" with schema extensions;
--> no rows

create extension pgcrypto;
--> ERROR 42710: extension "pgcrypto" already exists

select extname from pg_extension where extname in ('pgcrypto', 'plpgsql') order by 1;
--> {"extname":"pgcrypto"}
--> {"extname":"plpgsql"}

select encode(digest('x', 'sha256'), 'hex') as a;
--> {"a":"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"}

drop extension pgcrypto;
--> no rows

select proname, pronargs, provolatile from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'public' order by proname, pronargs, provolatile;
--> {"proname":"add","pronargs":2,"provolatile":"i"}
--> {"proname":"add","pronargs":2,"provolatile":"v"}
--> {"proname":"greet","pronargs":1,"provolatile":"s"}
--> {"proname":"open_tasks","pronargs":0,"provolatile":"s"}
--> {"proname":"pairs","pronargs":1,"provolatile":"v"}
--> {"proname":"shout","pronargs":1,"provolatile":"v"}
--> {"proname":"total_of","pronargs":1,"provolatile":"v"}
--> {"proname":"touch","pronargs":0,"provolatile":"v"}

select routine_name, data_type from information_schema.routines where routine_schema = 'public' and routine_name in ('greet', 'shout') order by 1;
--> {"routine_name":"greet","data_type":"text"}
--> {"routine_name":"shout","data_type":"text"}

drop function add(int, int);
--> no rows

drop function add;
--> no rows

drop function add;
--> ERROR 42883: could not find a function named "add"

drop function if exists add(int, int);
--> no rows

drop function greet(text), shout;
--> no rows

create function broken() returns int language sql as $$ select nope $$;
--> ERROR 42703: column "nope" does not exist
--> AT 64

create function wrong() returns int language sql as $$ select 'x'::text $$;
--> ERROR 42P13: return type mismatch in function declared to return integer
--> DETAIL: Actual return type is text.

create function no_language() returns int as $$ select 1 $$;
--> ERROR 42P13: no language specified

create function nothing() returns void language sql as $$ update task set done = true where id = 1 $$;
--> no rows

select nothing();
--> {"nothing":null}

select done from task where id = 1;
--> {"done":true}

create procedure close_all() language sql as $$ update task set done = true $$;
--> no rows

call close_all();
--> no rows

select count(*) from task where not done;
--> {"count":0}

create role reader;
--> no rows

grant usage on schema public to reader, anon; grant select on all tables in schema public to reader;
--> no rows

alter default privileges in schema public grant select on tables to reader;
--> no rows

select has_table_privilege('reader', 'task', 'select') as a, has_table_privilege('reader', 'task', 'insert') as b;
--> {"a":true,"b":false}

revoke all on all tables in schema public from reader;
--> no rows

create publication changes for table task;
--> no rows

alter publication changes add table auth.users;
--> no rows

select schemaname, tablename from pg_publication_tables where pubname = 'changes' order by 1, 2;
--> {"schemaname":"auth","tablename":"users"}
--> {"schemaname":"public","tablename":"task"}

drop publication changes;
--> no rows

create function security() returns int language sql security definer set search_path = '' as $$ select 1 $$;
--> no rows

select security() as a;
--> {"a":1}

create function begin_atomic(x int) returns int language sql begin atomic select x * 2; end;
--> no rows

select begin_atomic(4) as a;
--> {"a":8}

create rule no_delete as on delete to task do instead nothing;
--> no rows

create aggregate my_sum (int) (sfunc = int4pl, stype = int, initcond = '0');
--> no rows

create event trigger et on ddl_command_end execute function touch();
--> ERROR 42P17: function touch must return type event_trigger

create operator === (leftarg = int, rightarg = int, function = int4eq);
--> no rows
