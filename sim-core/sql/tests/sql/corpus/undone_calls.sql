-- Statements that change rows and call functions whose blocks undo what they have done.

create table t(id int primary key, n text); insert into t values (1); create table r(x text, id serial);
create function safe(q text) returns text language plpgsql as $$ begin execute q; return 'ok'; exception when others then return sqlerrm; end $$;
create function outer1(q text) returns text language plpgsql as $$ begin return safe(q); end $$;
create function outer2(q text) returns text language sql as $$ select outer1(q) $$;
--> no rows

insert into r select safe('insert into t values (1)') returning *;
--> {"x":"duplicate key value violates unique constraint \"t_pkey\"","id":1}

insert into r(x) values (safe('insert into t values (2)')) , (safe('insert into t values (null)')) returning *;
--> {"x":"ok","id":2}
--> {"x":"null value in column \"id\" of relation \"t\" violates not-null constraint","id":3}

insert into r(x) values ('plain') returning x, safe('insert into t values (1)'), safe('insert into t values (3)');
--> {"x":"plain","safe":"ok"}

update r set x = safe('insert into t values (1)') where id = 1 returning *;
--> {"x":"duplicate key value violates unique constraint \"t_pkey\"","id":1}

update r set x = outer2('insert into t values (1)') where id = 1 and safe('delete from nope') like '%nope%' returning *;
--> {"x":"duplicate key value violates unique constraint \"t_pkey\"","id":1}

delete from r where safe('insert into t values (1)') = 'ok';
--> no rows

delete from r where id = 2 returning outer1('insert into t values (1)');
--> {"outer1":"duplicate key value violates unique constraint \"t_pkey\""}

with a as (insert into r(x) select safe('insert into t values (1)') returning x) select * from a;
--> {"x":"duplicate key value violates unique constraint \"t_pkey\""}

do $$ begin insert into r(x) select outer1('insert into t values (1)'); update r set x = outer1('insert into t values (99)') where id = 5; end $$; select * from r order by id;
--> {"x":"duplicate key value violates unique constraint \"t_pkey\"","id":1}
--> {"x":"null value in column \"id\" of relation \"t\" violates not-null constraint","id":3}
--> {"x":"plain","id":4}
--> {"x":"ok","id":5}
--> {"x":"duplicate key value violates unique constraint \"t_pkey\"","id":6}

create temp table z as select 1 as a; insert into z select length(safe('insert into t values (1)')); select * from z;
--> {"a":1}
--> {"a":55}

insert into r (x) values ('a') on conflict (id) do update set x = safe('insert into t values (1)') returning *;
--> ERROR 42P10: there is no unique or exclusion constraint matching the ON CONFLICT specification

create table dflt (a int, b text default safe('insert into t values (1)')); insert into dflt (a) values (1); select * from dflt;
--> {"a":1,"b":"duplicate key value violates unique constraint \"t_pkey\""}

create policy p on t for insert to authenticated with check (false); alter table t enable row level security; grant all on t to authenticated; grant all on r to authenticated; grant all on sequence r_id_seq to authenticated;
--> no rows

set role authenticated; insert into r (x) select safe('insert into t values (55)') returning x;
--> {"x":"new row violates row-level security policy for table \"t\""}
