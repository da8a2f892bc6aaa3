create table p (id int, org int); create table c (id int, pid int, org_id int); alter table c enable row level security; grant all on c, p to authenticated;
insert into p values (1,7),(2,7); insert into c values (10,1,7),(11,2,8);
create policy c1 on c for select using (pid in (select p.id from p where p.org = 7));
create policy c2 on c for update using (exists (select 1 from p where p.id = pid and org = org_id)) with check (pid = any (select id from p x where x.org = c.org_id));
create policy c3 on c for insert with check (org_id in (select org from p));
create policy c4 on c for delete using (org_id = (select max(s.org) from (select * from p) s));
create policy c5 on c for all using (exists (select 1 from p join p q using (org) where q.id = c.pid and org = 7));
create policy c6 on c as restrictive for all using (exists (with w as (select org, id from p) select w.org from w join lateral (select org o2 from p where p.id = w.id) l on l.o2 = w.org));
create policy c7 on c using (exists (select 1 from p natural join (select 7 as org) z where p.id = pid));
create policy c8 on c using ((select count(*) from p group by org order by org limit 1) > 0);
create policy c9 on c using (exists (select org::text, p.org, case when true then org end from p union select '1', 2, org from p));
alter table p rename column org to org_id;
select policyname, qual, with_check from pg_policies order by 1;
--> {"policyname":"c1","qual":"(pid IN ( SELECT p.id\n   FROM p\n  WHERE (p.org_id = 7)))","with_check":null}
--> {"policyname":"c2","qual":"(EXISTS ( SELECT 1\n   FROM p\n  WHERE ((p.id = c.pid) AND (p.org_id = c.org_id))))","with_check":"(pid IN ( SELECT x.id\n   FROM p x\n  WHERE (x.org_id = c.org_id)))"}
--> {"policyname":"c3","qual":null,"with_check":"(org_id IN ( SELECT p.org_id AS org\n   FROM p))"}
--> {"policyname":"c4","qual":"(org_id = ( SELECT max(s.org) AS max\n   FROM ( SELECT p.id,\n            p.org_id AS org\n           FROM p) s))","with_check":null}
--> {"policyname":"c5","qual":"(EXISTS ( SELECT 1\n   FROM (p p(id, org)\n     JOIN p q(id, org) USING (org))\n  WHERE ((q.id = c.pid) AND (p.org = 7))))","with_check":null}
--> {"policyname":"c6","qual":"(EXISTS ( WITH w AS (\n         SELECT p.org_id AS org,\n            p.id\n           FROM p\n        )\n SELECT w.org\n   FROM (w\n     JOIN LATERAL ( SELECT p.org_id AS o2\n           FROM p\n          WHERE (p.id = w.id)) l ON ((l.o2 = w.org)))))","with_check":null}
--> {"policyname":"c7","qual":"(EXISTS ( SELECT 1\n   FROM (p p(id, org)\n     JOIN ( SELECT 7 AS org) z USING (org))\n  WHERE (p.id = c.pid)))","with_check":null}
--> {"policyname":"c8","qual":"(( SELECT count(*) AS count\n   FROM p\n  GROUP BY p.org_id\n  ORDER BY p.org_id\n LIMIT 1) > 0)","with_check":null}
--> {"policyname":"c9","qual":"(EXISTS ( SELECT (p.org_id)::text AS org,\n    p.org_id AS org,\n        CASE\n            WHEN true THEN p.org_id\n            ELSE NULL::integer\n        END AS \"case\"\n   FROM p\nUNION\n SELECT '1'::text,\n    2,\n    p.org_id AS org\n   FROM p))","with_check":null}

set role authenticated; select * from c;
--> {"id":10,"pid":1,"org_id":7}
--> {"id":11,"pid":2,"org_id":8}

set role authenticated; update c set id = id + 1 returning *;
--> {"id":11,"pid":1,"org_id":7}
--> {"id":12,"pid":2,"org_id":8}

set role authenticated; insert into c values (12, 1, 7) returning *;
--> {"id":12,"pid":1,"org_id":7}

set role authenticated; delete from c returning *;
--> {"id":11,"pid":1,"org_id":7}
--> {"id":12,"pid":2,"org_id":8}
--> {"id":12,"pid":1,"org_id":7}

create table t1 (id int, a int); create table t2 (id int, a int, b int);
insert into t1 values (1,2); insert into t2 values (1,3,2);
create view v1 as select x.a, y.a as ya, b from t1 x join t2 y on x.id = y.id where x.a < y.a;
create view v2 as select * from v1 where a in (select a from t2) or true;
create view v3 as select id, b as x from t2 where exists (select 1 from t1 where a = b);
create view v4 as select t1.id, (select t2.a from t2 where t2.id = t1.id) from t1 order by a;
create materialized view m1 as select a, count(*) from t1 group by a;
create view v5 as select * from t1 join t2 using (id, a);
create view v6 as select * from t1 natural join t2;
create function f1(n int) returns int begin atomic select a from t1 where a > n; end;
create function f2() returns int begin atomic insert into t1 (id, a) select id, a from t2; update t1 set a = t2.a + t1.a from t2 where t1.id = t2.id; delete from t1 where a > 100; select a from t1 limit 1; end;
create table l1 (who int, a int);
create rule r1 as on insert to t2 do also insert into l1 (who, a) values (new.id, new.a);
create rule r2 as on update to l1 do also update t1 set a = new.a where t1.a = old.a;
alter table t1 rename column a to b;
select viewname, definition from pg_views where schemaname = 'public' order by 1;
select definition from pg_matviews where matviewname = 'm1';
select pg_get_functiondef('f1'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.f1(n integer)\n RETURNS integer\n LANGUAGE sql\nBEGIN ATOMIC\n SELECT t1.b AS a\n    FROM t1\n   WHERE (t1.b > f1.n);\nEND\n"}

select * from v1; select * from v2; select * from v3; select * from v4; select * from v5; select * from v6;
--> {"id":1,"a":3}

select f1(0);
--> {"f1":2}

select f2();
--> {"f2":5}

select * from t1 order by 1, 2;
--> {"id":1,"b":5}
--> {"id":1,"b":6}

insert into l1 values (1,5); update l1 set a = 6; select * from t1 order by 1, 2;
--> {"id":1,"b":6}
--> {"id":1,"b":6}

alter table l1 rename column a to aa; insert into t2 values (9,9,9); select * from l1 order by 1, 2;
--> {"who":1,"aa":6}
--> {"who":9,"aa":9}

alter table l1 rename aa to a; update l1 set a = 7 where a = 9; select * from l1 order by 1,2;
--> {"who":1,"a":6}
--> {"who":9,"a":7}
