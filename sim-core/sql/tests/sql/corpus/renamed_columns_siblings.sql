create schema app; create table app."Team" (id int primary key, "orgId" int, tags int[]); create table app.m (team int, "userId" int, "role" text); create table app.doc (id int, team int, "userId" int);
alter table app.doc enable row level security; alter table app.m enable row level security; grant usage on schema app to authenticated; grant all on all tables in schema app to authenticated;
insert into app."Team" values (1, 7, '{1,2}'), (2, 8, '{3}'); insert into app.m values (1, 5, 'x'), (2, 6, 'y'); insert into app.doc values (10, 1, 5), (11, 2, 6);
create policy a on app.doc using (exists (select 1 from app.m x join app."Team" t on t.id = x.team where x."userId" = doc."userId" and t."orgId" in (7, 8) and t.tags[1] = 1 and (t).id > 0));
create policy b on app.m for select using ("role" = 'x' or exists (select 1 from app.m me where me."userId" = m."userId" and me."role" <> 'x'));
create policy c on app.doc for update using ((select (array_agg(t."orgId" order by t."orgId" desc))[1] from app."Team" t where t.id = team) > 0) with check (case when true then team end in (select t.id from app."Team" t where coalesce(t."orgId", 0) > 0 group by t.id, t."orgId" having max("orgId") > 0));
create policy d on app.doc for delete using (team not in (select distinct on ("orgId") id from app."Team" order by "orgId", id limit 1));
alter table app."Team" rename column "orgId" to org_id; alter table app.m rename "userId" to user_id; alter table app."Team" rename tags to "Tags"; alter table app."Team" rename id to team; alter table app.m rename role to "user role";
select policyname, qual, with_check from pg_policies order by 1;
--> {"policyname":"a","qual":"(EXISTS ( SELECT 1\n   FROM (app.m x\n     JOIN app.\"Team\" t ON ((t.team = x.team)))\n  WHERE ((x.user_id = doc.\"userId\") AND (t.org_id = ANY (ARRAY[7, 8])) AND (t.\"Tags\"[1] = 1) AND (t.team > 0))))","with_check":null}
--> {"policyname":"b","qual":"((\"user role\" = 'x'::text) OR (EXISTS ( SELECT 1\n   FROM app.m me\n  WHERE ((me.user_id = m.user_id) AND (me.\"user role\" <> 'x'::text)))))","with_check":null}
--> {"policyname":"c","qual":"(( SELECT (array_agg(t.org_id ORDER BY t.org_id DESC))[1] AS array_agg\n   FROM app.\"Team\" t\n  WHERE (t.team = doc.team)) > 0)","with_check":"(\nCASE\n    WHEN true THEN team\n    ELSE NULL::integer\nEND IN ( SELECT t.team AS id\n   FROM app.\"Team\" t\n  WHERE (COALESCE(t.org_id, 0) > 0)\n  GROUP BY t.team, t.org_id\n HAVING (max(t.org_id) > 0)))"}
--> {"policyname":"d","qual":"(NOT (team IN ( SELECT DISTINCT ON (\"Team\".org_id) \"Team\".team AS id\n   FROM app.\"Team\"\n  ORDER BY \"Team\".org_id, \"Team\".team\n LIMIT 1)))","with_check":null}

set role authenticated; select * from app.doc;
--> ERROR 42P17: infinite recursion detected in policy for relation "m"

set role authenticated; select * from app.m;
--> ERROR 42P17: infinite recursion detected in policy for relation "m"

set role authenticated; update app.doc set id = 12 returning *;
--> ERROR 42P17: infinite recursion detected in policy for relation "m"

set role authenticated; delete from app.doc returning *;
--> ERROR 42P17: infinite recursion detected in policy for relation "m"

create table s (a int, b int, c text); insert into s values (1, 2, 'x'); create table u (a int, b int); insert into u values (2, 2), (1, 1);
create view sv as select a, b, c as label from s; create view sw as select a, (select count(*) from u where u.a = s.b) as n, b from s where b = (select max(a) from u);
create table g (id int); alter table g enable row level security; insert into g values (1), (2); grant all on g, s, u, sv to authenticated;
create policy gp on g using (exists (select 1 from s where a = g.id and b = 2)); create policy gq on g for select using (id in (select a from sv where label = 'x'));
alter table s rename a to tmp; alter table s rename b to a; alter table s rename tmp to b; alter view sv rename column label to tag; alter table sv rename column a to aa; alter table s rename c to kind;
select * from sv; select viewname, definition from pg_views where schemaname = 'public' order by 1;
--> {"viewname":"sv","definition":" SELECT s.b AS aa,\n    s.a AS b,\n    s.kind AS tag\n   FROM s;"}
--> {"viewname":"sw","definition":" SELECT s.b AS a,\n    ( SELECT count(*) AS count\n           FROM u\n          WHERE (u.a = s.a)) AS n,\n    s.a AS b\n   FROM s\n  WHERE (s.a = ( SELECT max(u.a) AS max\n           FROM u));"}

select * from sw;
--> {"a":1,"n":1,"b":2}

select policyname, qual from pg_policies where tablename = 'g' order by 1;
--> {"policyname":"gp","qual":"(EXISTS ( SELECT 1\n   FROM s\n  WHERE ((s.b = g.id) AND (s.a = 2))))"}
--> {"policyname":"gq","qual":"(id IN ( SELECT sv.aa AS a\n   FROM sv\n  WHERE (sv.tag = 'x'::text)))"}

set role authenticated; select * from g;
--> {"id":1}

create table pt (id int, k int, v text) partition by list (k); create table pt1 partition of pt for values in (1); create table pt2 (v text, k int, id int); alter table pt attach partition pt2 for values in (2);
insert into pt values (1, 1, 'a'), (2, 2, 'b'); create view pv as select id, v from pt; create view pv2 as select v as w from pt2; create policy gr on g using (exists (select 1 from pt where v = 'b' and pt.id = g.id) or exists (select 1 from pt2 p where p.v = 'zz'));
alter table pt rename v to val; select * from pv; select * from pv2; select qual from pg_policies where policyname = 'gr';
--> {"qual":"((EXISTS ( SELECT 1\n   FROM pt\n  WHERE ((pt.val = 'b'::text) AND (pt.id = g.id)))) OR (EXISTS ( SELECT 1\n   FROM pt2 p\n  WHERE (p.val = 'zz'::text))))"}

create table tr (id int, st text, addr text); create function trf() returns trigger language plpgsql as $$ begin new.id := 100; return new; end $$;
create trigger t1 before update of st on tr for each row when (old.st is distinct from new.st and (new.addr is null or new.st = 'addr')) execute function trf();
alter table tr rename st to status; alter table tr rename addr to address; select pg_get_triggerdef(oid) from pg_trigger where tgrelid = 'tr'::regclass;
--> {"pg_get_triggerdef":"CREATE TRIGGER t1 BEFORE UPDATE OF status ON public.tr FOR EACH ROW WHEN (((old.status IS DISTINCT FROM new.status) AND ((new.address IS NULL) OR (new.status = 'addr'::text)))) EXECUTE FUNCTION trf()"}

insert into tr values (1, 'a', null); update tr set status = 'b'; select * from tr;
--> {"id":100,"status":"b","address":null}

create table lg (id int, what text); create view tv as select id, status from tr;
create rule rv as on insert to tv do instead insert into tr (id, status) values (new.id, new.status) returning id, status;
create rule rt as on delete to tr do also insert into lg (id, what) select old.id, s.kind from s where s.b = 1;
create function sf(status text) returns setof int begin atomic select tr.id from tr where tr.status = sf.status order by id; end;
create function sg() returns void begin atomic insert into u as x (a, b) values (1, 1) on conflict do nothing; update u set (a, b) = (select s.a, s.b from s limit 1) where u.a = 1; with w as (select a from u) select 1 from w; end;
alter table tr rename status to state; alter table tr rename id to key; alter table lg rename what to kind; alter table s rename kind to sort; alter table u rename a to first;
select pg_get_functiondef('sf'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.sf(status text)\n RETURNS SETOF integer\n LANGUAGE sql\nBEGIN ATOMIC\n SELECT tr.key AS id\n    FROM tr\n   WHERE (tr.state = sf.status)\n   ORDER BY tr.key;\nEND\n"}

select * from sf('b'); select sg();
--> {"sg":null}

insert into tv values (7, 'q') returning *;
--> {"id":7,"status":"q"}

delete from tr where key = 7 returning *; select * from lg; select * from u order by 1, 2;
--> {"first":2,"b":1}
--> {"first":2,"b":1}
--> {"first":2,"b":2}

create table w1 (id int, n int); create table w2 (id int, n int); insert into w1 values (1, 5); insert into w2 values (1, 6);
create view wv as select w1.n, w2.n as m, w1.n + w2.n as total, row_number() over (partition by w1.n order by w2.n) as r, sum(w1.n) over win as s from w1 join w2 using (id) window win as (order by w1.n);
create view wu as select n from w1 union select n from w2 order by n; create view wx as select x.n from (select n from w1) x where n in (select n from w2) or true;
create view wr as with recursive t(n) as (select n from w1 union all select n - 1 from t where n > 3) select n from t;
create view wl as select w1.id, l.* from w1, lateral (select n as k, w1.n from w2 where w2.n > w1.n) l;
create view wj as select to_jsonb(w1) as j, w1.*::text as t, (w1).n as f from w1;
create view wo as select id, n from w1 group by id, n having n > 1 order by n desc;
create view wf as select * from w1 full join w2 using (id, n);
alter table w1 rename n to number; select viewname, definition from pg_views where viewname like 'w_' order by 1;
--> {"viewname":"wf","definition":" SELECT id,\n    n\n   FROM (w1 w1(id, n)\n     FULL JOIN w2 USING (id, n));"}
--> {"viewname":"wj","definition":" SELECT to_jsonb(w1.*) AS j,\n    (w1.*)::text AS t,\n    w1.number AS f\n   FROM w1;"}
--> {"viewname":"wl","definition":" SELECT w1.id,\n    l.k,\n    l.n\n   FROM w1,\n    LATERAL ( SELECT w2.n AS k,\n            w1.number AS n\n           FROM w2\n          WHERE (w2.n > w1.number)) l;"}
--> {"viewname":"wo","definition":" SELECT w1.id,\n    w1.number AS n\n   FROM w1\n  GROUP BY w1.id, w1.number\n HAVING (w1.number > 1)\n  ORDER BY w1.number DESC;"}
--> {"viewname":"wr","definition":" WITH RECURSIVE t(n) AS (\n         SELECT w1.number AS n\n           FROM w1\n        UNION ALL\n         SELECT (t_1.n - 1)\n           FROM t t_1\n          WHERE (t_1.n > 3)\n        )\n SELECT t.n\n   FROM t;"}
--> {"viewname":"wu","definition":" SELECT w1.number AS n\n   FROM w1\nUNION\n SELECT w2.n\n   FROM w2\n  ORDER BY 1;"}
--> {"viewname":"wv","definition":" SELECT w1.number AS n,\n    w2.n AS m,\n    (w1.number + w2.n) AS total,\n    row_number() OVER (PARTITION BY w1.number ORDER BY w2.n) AS r,\n    sum(w1.number) OVER win AS s\n   FROM (w1\n     JOIN w2 USING (id))\n  WINDOW win AS (ORDER BY w1.number);"}
--> {"viewname":"wx","definition":" SELECT x.n\n   FROM ( SELECT w1.number AS n\n           FROM w1) x\n  WHERE ((x.n IN ( SELECT w2.n\n           FROM w2)) OR true);"}

select * from wv; select * from wu; select * from wx; select * from wr; select * from wl;
--> {"id":1,"k":6,"n":5}

select * from wu;
--> {"n":5}
--> {"n":6}

select * from wx;
--> {"n":5}

select * from wr;
--> {"n":5}
--> {"n":4}
--> {"n":3}

select * from wl;
--> {"id":1,"k":6,"n":5}

select * from wj;
--> {"j":{"id":1,"number":5},"t":"(1,5)","f":5}

select * from wo;
--> {"id":1,"n":5}

select * from wf;
--> {"id":1,"n":5}
--> {"id":1,"n":6}
