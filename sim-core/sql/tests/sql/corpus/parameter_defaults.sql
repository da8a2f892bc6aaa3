create type ea as enum ('x', 'y'); create function fa(p ea default 'x'::ea) returns ea language sql as $$ select p $$; create function fb(p ea[] default array['x'::ea], q text default 'ea'::text) returns ea[] language plpgsql as $$ begin return p; end $$;
create procedure pa(p ea default 'y'::ea) language plpgsql as $$ begin raise notice '%', p; end $$;
create type cp as (a int, b ea); create function fc(p cp default row(1, 'x')::cp, t text default cast('x' as ea)::text) returns text language sql as $$ select p::text || t $$;
create domain dm as text check (value <> ''); create function fd(p dm default 'q'::dm, c text default case when 'x'::ea > 'y'::ea then 'b' else 'c' end) returns text language sql as $$ select p || c $$;
alter type ea rename to eb;
--> no rows

select fa(), fb(), fc(), fd(); call pa();
--> {"fa":"x","fb":"{x}","fc":"(1,x)x","fd":"qc"}

alter type eb rename to "E C"; create schema z; alter type "E C" set schema z; alter type cp rename to cq; alter domain dm rename to dn; alter domain dn set schema z;
--> no rows

select fa(), fb(), fc(), fd(); call pa();
--> {"fa":"x","fb":"{x}","fc":"(1,x)x","fd":"qc"}

select proname, pg_get_function_arguments(oid) from pg_proc where proname in ('fa', 'fb', 'pa') order by 1;
--> {"proname":"fa","pg_get_function_arguments":"p z.\"E C\" DEFAULT 'x'::z.\"E C\""}
--> {"proname":"fb","pg_get_function_arguments":"p z.\"E C\"[] DEFAULT ARRAY['x'::z.\"E C\"], q text DEFAULT 'ea'::text"}
--> {"proname":"pa","pg_get_function_arguments":"IN p z.\"E C\" DEFAULT 'y'::z.\"E C\""}

alter schema z rename to y;
--> no rows

select fa(), fb(), fc(), fd(); call pa();
--> {"fa":"x","fb":"{x}","fc":"(1,x)x","fd":"qc"}

select proname, pg_get_function_arguments(oid), pg_get_expr(proargdefaults, 0) from pg_proc where proname in ('fa', 'fb', 'pa') order by 1;
--> {"proname":"fa","pg_get_function_arguments":"p y.\"E C\" DEFAULT 'x'::y.\"E C\"","pg_get_expr":"'x'::y.\"E C\""}
--> {"proname":"fb","pg_get_function_arguments":"p y.\"E C\"[] DEFAULT ARRAY['x'::y.\"E C\"], q text DEFAULT 'ea'::text","pg_get_expr":"ARRAY['x'::y.\"E C\"], 'ea'::text"}
--> {"proname":"pa","pg_get_function_arguments":"IN p y.\"E C\" DEFAULT 'y'::y.\"E C\"","pg_get_expr":"'y'::y.\"E C\""}

create function dflt(n int default 3) returns int language sql as $$ select n $$; create function usd(n int default dflt(1) + 1) returns int language sql as $$ select n $$;
alter function dflt(int) rename to dfl2;
--> no rows

select usd(), pg_get_function_arguments('usd'::regproc);
--> {"usd":2,"pg_get_function_arguments":"n integer DEFAULT (dfl2(1) + 1)"}

alter function dfl2(int) set schema y;
--> no rows

select usd(), pg_get_function_arguments('usd'::regproc);
--> {"usd":2,"pg_get_function_arguments":"n integer DEFAULT (y.dfl2(1) + 1)"}

create type ur as enum ('admin', 'user'); create function fu(p ur default 'user'::ur) returns text language sql as $$ select p::text $$; alter type ur rename to ur_old; create type ur as enum ('admin', 'member');
--> no rows

select fu();
--> {"fu":"user"}

select pg_get_function_arguments('fu'::regproc);
--> {"pg_get_function_arguments":"p ur_old DEFAULT 'user'::ur_old"}
