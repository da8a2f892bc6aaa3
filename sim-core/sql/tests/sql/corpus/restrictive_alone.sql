-- Restrictive policies are not asked where no policy grants a row

create role alone_r; grant usage on schema public to alone_r; create table t (id int primary key, n int); grant select, insert on t to alone_r; alter table t enable row level security; create policy a on t as restrictive for all to alone_r using (exists (select 1 from t q));
--> no rows

set local role alone_r; select * from t;
--> no rows

set local role alone_r; update t set n = 1;
--> ERROR 42501: permission denied for table t

set local role alone_r; insert into t values (1, 1);
--> ERROR 42501: new row violates row-level security policy for table "t"

create policy b on t for insert to alone_r with check (true);
--> no rows

set local role alone_r; insert into t values (1, 1);
--> ERROR 42501: new row violates row-level security policy "a" for table "t"

set local role alone_r; select * from t;
--> no rows

create policy c on t for select to alone_r using (true);
--> no rows

set local role alone_r; select * from t;
--> ERROR 42P17: infinite recursion detected in policy for relation "t"
