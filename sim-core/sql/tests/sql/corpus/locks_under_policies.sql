-- Rows that are locked are those that the role may change; MERGE refuses rows that policies hide.

create role locker; create table o (id int primary key, v int); insert into o select g, g from generate_series(1,5) g; alter table o enable row level security; grant select, update on o to locker; create policy s on o for select to locker using (id < 5); create policy u on o for update to locker using (id < 3); create table x (id int primary key, t text); insert into x values (1,'a'),(3,'c'); grant all on x to locker; create view vo as select * from o; grant all on vo to locker;
--> no rows

set role locker; select id from o order by id for update;
--> {"id":1}
--> {"id":2}

set role locker; select id from o order by id for share;
--> {"id":1}
--> {"id":2}

set role locker; select id from o order by id for no key update skip locked;
--> {"id":1}
--> {"id":2}

set role locker; select id from o order by id for key share nowait;
--> {"id":1}
--> {"id":2}

set role locker; select o.id, t from o join x using (id) order by 1 for update of o;
--> {"id":1,"t":"a"}

set role locker; select o.id, t from o join x using (id) order by 1 for update of x;
--> {"id":1,"t":"a"}
--> {"id":3,"t":"c"}

set role locker; select o.id, t from o left join x using (id) order by 1 for update of o;
--> {"id":1,"t":"a"}
--> {"id":2,"t":null}

set role locker; select id from (select * from o) q order by id for update;
--> {"id":1}
--> {"id":2}

set role locker; select id from (select * from o for update) q order by id;
--> {"id":1}
--> {"id":2}

set role locker; with c as (select id from o order by id for update) select * from c;
--> {"id":1}
--> {"id":2}

set role locker; with c as (select id from o order by id) select * from c for update;
--> {"id":1}
--> {"id":2}
--> {"id":3}
--> {"id":4}

set role locker; select (select count(*) from (select 1 from o for update) z);
--> {"count":2}

set role locker; select x.id from x where exists (select 1 from o where o.id = x.id) order by 1 for update;
--> {"id":1}
--> {"id":3}

set role locker; select id from vo order by id for update;
--> {"id":1}
--> {"id":2}
--> {"id":3}
--> {"id":4}
--> {"id":5}

set role locker; do $$ declare r record; begin select * into r from o where id = 3 for update; if not found then raise notice 'none'; end if; raise exception 'found %', r; end $$;
--> ERROR P0001: found (,)

set role locker; do $$ begin perform 1 from o where id = 3 for update; raise exception 'found %', found; end $$;
--> ERROR P0001: found f

revoke update on o from locker; set role locker; select id from o for update;
--> ERROR 42501: permission denied for table o

set role locker; select id from o for share;
--> {"id":1}
--> {"id":2}

grant update (v) on o to locker; set role locker; select id from o order by id for update;
--> {"id":1}
--> {"id":2}

revoke update on x from locker; set role locker; select id from x for update;
--> ERROR 42501: permission denied for table x

revoke all on vo from locker; grant select on vo to locker; set role locker; select id from vo for update;
--> ERROR 42501: permission denied for view vo

create policy d on o for delete to locker using (id = 1); grant all on o to locker; set role locker; merge into o using (values (3, 1)) s(id, v) on o.id = s.id when matched then update set v = s.v;
--> ERROR 42501: target row violates row-level security policy (USING expression) for table "o"

set role locker; merge into o using (values (2, 1)) s(id, v) on o.id = s.id when matched then delete;
--> ERROR 42501: permission denied for table o

set role locker; merge into o using (values (2, 77)) s(id, v) on o.id = s.id when matched then update set v = s.v; select * from o order by 1;
--> {"id":1,"v":1}
--> {"id":2,"v":77}
--> {"id":3,"v":3}
--> {"id":4,"v":4}

set role locker; merge into o using (values (3, 1)) s(id, v) on o.id = s.id when matched then do nothing; select count(*) from o;
--> {"count":4}
