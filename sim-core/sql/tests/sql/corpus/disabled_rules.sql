-- Rules that are not in force, or in some sessions only.

create table c(id int primary key, del bool default false); create rule sd as on delete to c do instead update c set del = true where id = old.id; create rule ri as on insert to c do also notify x; create rule up as on update to c where new.id < 0 do instead nothing; insert into c values (1),(2),(3);
--> no rows

alter table c disable rule sd;
--> no rows

delete from c where id = 1; select * from c order by 1;
--> {"id":2,"del":false}
--> {"id":3,"del":false}

alter table c enable rule sd; delete from c where id = 2; select * from c order by 1;
--> {"id":2,"del":true}
--> {"id":3,"del":false}

alter table c enable replica rule sd; delete from c where id = 2; select * from c order by 1;
--> {"id":3,"del":false}

alter table c enable always rule sd; delete from c where id = 3; select * from c order by 1;
--> {"id":3,"del":true}

select rulename, ev_enabled from pg_rewrite where ev_class = 'c'::regclass order by 1;
--> {"rulename":"ri","ev_enabled":"O"}
--> {"rulename":"sd","ev_enabled":"A"}
--> {"rulename":"up","ev_enabled":"O"}

alter table c disable rule nope;
--> ERROR 42704: rule "nope" for relation "c" does not exist

alter table if exists nope disable rule nope;
--> no rows

alter table c disable rule up; update c set id = -3 where id = 3; select * from c order by 1;
--> {"id":-3,"del":true}

alter table c enable replica rule sd, enable rule up, disable rule ri; select rulename, ev_enabled from pg_rewrite where ev_class = 'c'::regclass order by 1;
--> {"rulename":"ri","ev_enabled":"D"}
--> {"rulename":"sd","ev_enabled":"R"}
--> {"rulename":"up","ev_enabled":"O"}

begin; set local session_replication_role = replica; delete from c where id = -3; select * from c; rollback;
--> {"id":-3,"del":true}

begin; set local session_replication_role = replica; alter table c enable rule sd; delete from c where id = -3; select * from c; rollback;
--> no rows

create view v as select * from c;
--> no rows

alter table v disable rule "_RETURN";
--> ERROR 42809: ALTER action DISABLE RULE cannot be performed on relation "v"
--> DETAIL: This operation is not supported for views.

create rule vi as on insert to v do instead insert into c values (new.id); alter table v disable rule vi; insert into v(id) values (10); select * from c order by 1;
--> ERROR 42809: ALTER action DISABLE RULE cannot be performed on relation "v"
--> DETAIL: This operation is not supported for views.

alter table v enable rule vi; insert into v(id) values (11); select * from c order by 1;
--> ERROR 42809: ALTER action ENABLE RULE cannot be performed on relation "v"
--> DETAIL: This operation is not supported for views.

create rule vd as on delete to v do instead nothing; alter table v disable rule vd; delete from v where id = 11; select * from c order by 1;
--> ERROR 42809: ALTER action DISABLE RULE cannot be performed on relation "v"
--> DETAIL: This operation is not supported for views.

create rule cn as on update to c do instead nothing; update c set del = true; alter table c disable rule cn; update c set del = true where id = 10 returning *; select * from c order by 1;
--> ERROR 0A000: cannot perform UPDATE RETURNING on relation "c"
--> HINT: You need an unconditional ON UPDATE DO INSTEAD rule with a RETURNING clause.

alter table c disable rule sd; delete from c where id = 10 returning id;
--> no rows

alter table c enable rule sd; delete from c where id = 11 returning id;
--> ERROR 0A000: cannot perform DELETE RETURNING on relation "c"
--> HINT: You need an unconditional ON DELETE DO INSTEAD rule with a RETURNING clause.

insert into c values (20) on conflict do nothing;
--> ERROR 0A000: INSERT with ON CONFLICT clause cannot be used with table that has INSERT or UPDATE rules

alter table c disable rule ri, disable rule up, disable rule cn; insert into c values (20) on conflict do nothing;
--> ERROR 42704: rule "cn" for relation "c" does not exist

merge into c using (select 1) x on false when not matched then insert values (30);
--> ERROR 0A000: cannot execute MERGE on relation "c"
--> DETAIL: MERGE is not supported for relations with rules.

set role anon; alter table c disable rule sd;
--> ERROR 42501: must be owner of table c

create table k(id int primary key, cid int references c on delete cascade); create rule kd as on delete to k do instead nothing; alter table k disable rule kd; insert into c values (40); insert into k values (1, 40); alter table c disable rule sd; delete from c where id = 40; select * from k;
--> no rows

select relhasrules from pg_class where relname in ('c','k') order by relname;
--> {"relhasrules":true}
--> {"relhasrules":true}

create or replace rule kd as on delete to k do instead nothing; select rulename, ev_enabled from pg_rewrite where ev_class = 'k'::regclass;
--> {"rulename":"kd","ev_enabled":"D"}

alter table k disable rule kd; alter rule kd on k rename to kd2; select rulename, ev_enabled from pg_rewrite where ev_class = 'k'::regclass;
--> {"rulename":"kd2","ev_enabled":"D"}

with d as (delete from k returning *) select * from d;
--> no rows

create table shown_t(id int, note text); create rule shown as on update to shown_t where new.id < 0 or old.note is distinct from 'x' do instead nothing; create rule shown2 as on delete to shown_t where old.id = 1 do instead nothing; select pg_get_ruledef(oid) from pg_rewrite where ev_class = 'shown_t'::regclass order by rulename;
--> {"pg_get_ruledef":"CREATE RULE shown AS\n    ON UPDATE TO public.shown_t\n   WHERE ((new.id < 0) OR (old.note IS DISTINCT FROM 'x'::text)) DO INSTEAD NOTHING;"}
--> {"pg_get_ruledef":"CREATE RULE shown2 AS\n    ON DELETE TO public.shown_t\n   WHERE (old.id = 1) DO INSTEAD NOTHING;"}

select rulename, definition from pg_rules where tablename = 'shown_t' order by 1;
--> {"rulename":"shown","definition":"CREATE RULE shown AS\n    ON UPDATE TO public.shown_t\n   WHERE ((new.id < 0) OR (old.note IS DISTINCT FROM 'x'::text)) DO INSTEAD NOTHING;"}
--> {"rulename":"shown2","definition":"CREATE RULE shown2 AS\n    ON DELETE TO public.shown_t\n   WHERE (old.id = 1) DO INSTEAD NOTHING;"}
