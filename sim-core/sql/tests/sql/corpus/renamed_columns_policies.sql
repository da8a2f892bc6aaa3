create schema app; create table app.orgs (id int, name text, owner uuid, meta jsonb, parts int[]); create table app.members (org int, name text, owner uuid); create table app.docs (id int, org int, name text, owner uuid);
alter table app.docs enable row level security; grant usage on schema app to authenticated; grant select on all tables in schema app to authenticated;
insert into app.orgs values (1, 'a', '00000000-0000-0000-0000-000000000001', '{"k": 1}', '{1}'); insert into app.members values (1, 'a', '00000000-0000-0000-0000-000000000001'); insert into app.docs values (5, 1, 'a', '00000000-0000-0000-0000-000000000001');
create policy p1 on app.docs for select using (exists (select 1 from app.orgs, app.members where app.orgs.name = app.members.name and orgs.id = members.org and docs.name = orgs.name));
create policy p2 on app.docs for update using (org = any (array(select o.id from app.orgs o where o.name = docs.name and (o.meta ->> 'name') is null)));
create policy p3 on app.docs for insert with check ((select count(*) from app.orgs o where (o.owner, o.name) = (docs.owner, docs.name)) > 0 and name in (select lower(members.name) from app.members));
create policy p4 on app.docs for delete using (exists (select from app.orgs o where o.name like 'a%' and o.name between 'a' and 'z' and o.name is not null and not (o.name = 'name') and coalesce(o.name, 'name') <> '' and o.name::varchar(10) ~ 'a'));
create policy p5 on app.docs using (org in (with o as (select id, name from app.orgs) select o.id from o where o.name = 'a' union all select id from app.orgs where name = 'b' order by 1));
create policy p6 on app.docs using (exists (select 1 from app.orgs o left join lateral (select max(m.name) as name from app.members m where m.org = o.id) x on x.name = o.name where x.name is not null));
create policy p7 on app.docs using ((select string_agg(distinct o.name, ',' order by o.name) filter (where o.name <> 'q') from app.orgs o group by o.owner having count(o.name) > 0) = 'a');
create policy p8 on app.docs using ((select name from (select name, row_number() over (partition by name order by name) as rn from app.orgs) s where rn = 1 limit 1) = docs.name);
create policy q1 on app.docs using ((select (o).name from app.orgs o limit 1) = 'a' and (select to_jsonb(o) ->> 'id' from app.orgs o limit 1) = '1');
create policy q2 on app.docs using (exists (select 1 from app.orgs o cross join unnest(o.parts) as part where o.id = part));
create policy q3 on app.docs using (exists (select 1 from app.orgs name where name.name = 'a'));
alter table app.orgs rename column name to title; alter table app.orgs rename parts to pieces;
select policyname, qual, with_check from pg_policies order by 1;
--> {"policyname":"p1","qual":"(EXISTS ( SELECT 1\n   FROM app.orgs,\n    app.members\n  WHERE ((orgs.title = members.name) AND (orgs.id = members.org) AND (docs.name = orgs.title))))","with_check":null}
--> {"policyname":"p2","qual":"(org = ANY (ARRAY( SELECT o.id\n   FROM app.orgs o\n  WHERE ((o.title = docs.name) AND ((o.meta ->> 'name'::text) IS NULL)))))","with_check":null}
--> {"policyname":"p3","qual":null,"with_check":"((( SELECT count(*) AS count\n   FROM app.orgs o\n  WHERE ((o.owner = docs.owner) AND (o.title = docs.name))) > 0) AND (name IN ( SELECT lower(members.name) AS lower\n   FROM app.members)))"}
--> {"policyname":"p4","qual":"(EXISTS ( SELECT\n   FROM app.orgs o\n  WHERE ((o.title ~~ 'a%'::text) AND ((o.title >= 'a'::text) AND (o.title <= 'z'::text)) AND (o.title IS NOT NULL) AND (NOT (o.title = 'name'::text)) AND (COALESCE(o.title, 'name'::text) <> ''::text) AND (((o.title)::character varying(10))::text ~ 'a'::text))))","with_check":null}
--> {"policyname":"p5","qual":"(org IN ( WITH o AS (\n         SELECT orgs.id,\n            orgs.title AS name\n           FROM app.orgs\n        )\n SELECT o.id\n   FROM o\n  WHERE (o.name = 'a'::text)\nUNION ALL\n SELECT orgs.id\n   FROM app.orgs\n  WHERE (orgs.title = 'b'::text)\n  ORDER BY 1))","with_check":null}
--> {"policyname":"p6","qual":"(EXISTS ( SELECT 1\n   FROM (app.orgs o\n     LEFT JOIN LATERAL ( SELECT max(m.name) AS name\n           FROM app.members m\n          WHERE (m.org = o.id)) x ON ((x.name = o.title)))\n  WHERE (x.name IS NOT NULL)))","with_check":null}
--> {"policyname":"p7","qual":"(( SELECT string_agg(DISTINCT o.title, ','::text ORDER BY o.title) FILTER (WHERE (o.title <> 'q'::text)) AS string_agg\n   FROM app.orgs o\n  GROUP BY o.owner\n HAVING (count(o.title) > 0)) = 'a'::text)","with_check":null}
--> {"policyname":"p8","qual":"(( SELECT s.name\n   FROM ( SELECT orgs.title AS name,\n            row_number() OVER (PARTITION BY orgs.title ORDER BY orgs.title) AS rn\n           FROM app.orgs) s\n  WHERE (s.rn = 1)\n LIMIT 1) = name)","with_check":null}
--> {"policyname":"q1","qual":"((( SELECT o.title AS name\n   FROM app.orgs o\n LIMIT 1) = 'a'::text) AND (( SELECT (to_jsonb(o.*) ->> 'id'::text)\n   FROM app.orgs o\n LIMIT 1) = '1'::text))","with_check":null}
--> {"policyname":"q2","qual":"(EXISTS ( SELECT 1\n   FROM (app.orgs o\n     CROSS JOIN LATERAL unnest(o.pieces) part(part))\n  WHERE (o.id = part.part)))","with_check":null}
--> {"policyname":"q3","qual":"(EXISTS ( SELECT 1\n   FROM app.orgs name\n  WHERE (name.title = 'a'::text)))","with_check":null}

set role authenticated; select * from app.docs;
--> {"id":5,"org":1,"name":"a","owner":"00000000-0000-0000-0000-000000000001"}

alter table app.orgs rename column title to org; alter table app.orgs rename column owner to "Owner"; alter table app.members rename org to organization; alter table app.docs rename owner to created_by; alter table app.docs rename name to title; alter table app.orgs rename pieces to "order";
select policyname, qual, with_check from pg_policies order by 1;
--> {"policyname":"p1","qual":"(EXISTS ( SELECT 1\n   FROM app.orgs,\n    app.members\n  WHERE ((orgs.org = members.name) AND (orgs.id = members.organization) AND (docs.title = orgs.org))))","with_check":null}
--> {"policyname":"p2","qual":"(org = ANY (ARRAY( SELECT o.id\n   FROM app.orgs o\n  WHERE ((o.org = docs.title) AND ((o.meta ->> 'name'::text) IS NULL)))))","with_check":null}
--> {"policyname":"p3","qual":null,"with_check":"((( SELECT count(*) AS count\n   FROM app.orgs o\n  WHERE ((o.\"Owner\" = docs.created_by) AND (o.org = docs.title))) > 0) AND (title IN ( SELECT lower(members.name) AS lower\n   FROM app.members)))"}
--> {"policyname":"p4","qual":"(EXISTS ( SELECT\n   FROM app.orgs o\n  WHERE ((o.org ~~ 'a%'::text) AND ((o.org >= 'a'::text) AND (o.org <= 'z'::text)) AND (o.org IS NOT NULL) AND (NOT (o.org = 'name'::text)) AND (COALESCE(o.org, 'name'::text) <> ''::text) AND (((o.org)::character varying(10))::text ~ 'a'::text))))","with_check":null}
--> {"policyname":"p5","qual":"(org IN ( WITH o AS (\n         SELECT orgs.id,\n            orgs.org AS name\n           FROM app.orgs\n        )\n SELECT o.id\n   FROM o\n  WHERE (o.name = 'a'::text)\nUNION ALL\n SELECT orgs.id\n   FROM app.orgs\n  WHERE (orgs.org = 'b'::text)\n  ORDER BY 1))","with_check":null}
--> {"policyname":"p6","qual":"(EXISTS ( SELECT 1\n   FROM (app.orgs o\n     LEFT JOIN LATERAL ( SELECT max(m.name) AS name\n           FROM app.members m\n          WHERE (m.organization = o.id)) x ON ((x.name = o.org)))\n  WHERE (x.name IS NOT NULL)))","with_check":null}
--> {"policyname":"p7","qual":"(( SELECT string_agg(DISTINCT o.org, ','::text ORDER BY o.org) FILTER (WHERE (o.org <> 'q'::text)) AS string_agg\n   FROM app.orgs o\n  GROUP BY o.\"Owner\"\n HAVING (count(o.org) > 0)) = 'a'::text)","with_check":null}
--> {"policyname":"p8","qual":"(( SELECT s.name\n   FROM ( SELECT orgs.org AS name,\n            row_number() OVER (PARTITION BY orgs.org ORDER BY orgs.org) AS rn\n           FROM app.orgs) s\n  WHERE (s.rn = 1)\n LIMIT 1) = title)","with_check":null}
--> {"policyname":"q1","qual":"((( SELECT o.org AS name\n   FROM app.orgs o\n LIMIT 1) = 'a'::text) AND (( SELECT (to_jsonb(o.*) ->> 'id'::text)\n   FROM app.orgs o\n LIMIT 1) = '1'::text))","with_check":null}
--> {"policyname":"q2","qual":"(EXISTS ( SELECT 1\n   FROM (app.orgs o\n     CROSS JOIN LATERAL unnest(o.\"order\") part(part))\n  WHERE (o.id = part.part)))","with_check":null}
--> {"policyname":"q3","qual":"(EXISTS ( SELECT 1\n   FROM app.orgs name\n  WHERE (name.org = 'a'::text)))","with_check":null}

set role authenticated; select * from app.docs;
--> {"id":5,"org":1,"title":"a","created_by":"00000000-0000-0000-0000-000000000001"}

alter table app.orgs drop column org;
--> ERROR 2BP01: cannot drop column org of table app.orgs because other objects depend on it
--> DETAIL: policy p1 on table app.docs depends on column org of table app.orgs\npolicy p2 on table app.docs depends on column org of table app.orgs\npolicy p3 on table app.docs depends on column org of table app.orgs\npolicy p4 on table app.docs depends on column org of table app.orgs\npolicy p5 on table app.docs depends on column org of table app.orgs\npolicy p6 on table app.docs depends on column org of table app.orgs\npolicy p7 on table app.docs depends on column org of table app.orgs\npolicy p8 on table app.docs depends on column org of table app.orgs\npolicy q1 on table app.docs depends on column org of table app.orgs\npolicy q3 on table app.docs depends on column org of table app.orgs
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

alter table app.orgs alter column "Owner" type text;
--> ERROR 0A000: cannot alter type of a column used in a policy definition
--> DETAIL: policy p3 on table app.docs depends on column "Owner"

alter table app.members alter column name type varchar;
--> ERROR 0A000: cannot alter type of a column used in a policy definition
--> DETAIL: policy p1 on table app.docs depends on column "name"

alter table app.members drop column organization cascade; select policyname from pg_policies order by 1;
--> {"policyname":"p2"}
--> {"policyname":"p3"}
--> {"policyname":"p4"}
--> {"policyname":"p5"}
--> {"policyname":"p7"}
--> {"policyname":"p8"}
--> {"policyname":"q1"}
--> {"policyname":"q2"}
--> {"policyname":"q3"}

set role authenticated; select * from app.docs;
--> {"id":5,"org":1,"title":"a","created_by":"00000000-0000-0000-0000-000000000001"}

begin; alter table app.orgs rename org to x1; rollback; select policyname, qual from pg_policies where policyname = 'p5';
--> {"policyname":"p5","qual":"(org IN ( WITH o AS (\n         SELECT orgs.id,\n            orgs.org AS name\n           FROM app.orgs\n        )\n SELECT o.id\n   FROM o\n  WHERE (o.name = 'a'::text)\nUNION ALL\n SELECT orgs.id\n   FROM app.orgs\n  WHERE (orgs.org = 'b'::text)\n  ORDER BY 1))"}

alter table app.orgs rename to "Orgs"; alter table app."Orgs" rename id to "Id"; alter schema app rename to "App"; alter table "App"."Orgs" rename "Id" to key;
select policyname, qual, with_check from pg_policies order by 1;
--> {"policyname":"p2","qual":"(org = ANY (ARRAY( SELECT o.key AS id\n   FROM \"App\".\"Orgs\" o\n  WHERE ((o.org = docs.title) AND ((o.meta ->> 'name'::text) IS NULL)))))","with_check":null}
--> {"policyname":"p3","qual":null,"with_check":"((( SELECT count(*) AS count\n   FROM \"App\".\"Orgs\" o\n  WHERE ((o.\"Owner\" = docs.created_by) AND (o.org = docs.title))) > 0) AND (title IN ( SELECT lower(members.name) AS lower\n   FROM \"App\".members)))"}
--> {"policyname":"p4","qual":"(EXISTS ( SELECT\n   FROM \"App\".\"Orgs\" o\n  WHERE ((o.org ~~ 'a%'::text) AND ((o.org >= 'a'::text) AND (o.org <= 'z'::text)) AND (o.org IS NOT NULL) AND (NOT (o.org = 'name'::text)) AND (COALESCE(o.org, 'name'::text) <> ''::text) AND (((o.org)::character varying(10))::text ~ 'a'::text))))","with_check":null}
--> {"policyname":"p5","qual":"(org IN ( WITH o AS (\n         SELECT \"Orgs\".key AS id,\n            \"Orgs\".org AS name\n           FROM \"App\".\"Orgs\"\n        )\n SELECT o.id\n   FROM o\n  WHERE (o.name = 'a'::text)\nUNION ALL\n SELECT \"Orgs\".key AS id\n   FROM \"App\".\"Orgs\"\n  WHERE (\"Orgs\".org = 'b'::text)\n  ORDER BY 1))","with_check":null}
--> {"policyname":"p7","qual":"(( SELECT string_agg(DISTINCT o.org, ','::text ORDER BY o.org) FILTER (WHERE (o.org <> 'q'::text)) AS string_agg\n   FROM \"App\".\"Orgs\" o\n  GROUP BY o.\"Owner\"\n HAVING (count(o.org) > 0)) = 'a'::text)","with_check":null}
--> {"policyname":"p8","qual":"(( SELECT s.name\n   FROM ( SELECT \"Orgs\".org AS name,\n            row_number() OVER (PARTITION BY \"Orgs\".org ORDER BY \"Orgs\".org) AS rn\n           FROM \"App\".\"Orgs\") s\n  WHERE (s.rn = 1)\n LIMIT 1) = title)","with_check":null}
--> {"policyname":"q1","qual":"((( SELECT o.org AS name\n   FROM \"App\".\"Orgs\" o\n LIMIT 1) = 'a'::text) AND (( SELECT (to_jsonb(o.*) ->> 'id'::text)\n   FROM \"App\".\"Orgs\" o\n LIMIT 1) = '1'::text))","with_check":null}
--> {"policyname":"q2","qual":"(EXISTS ( SELECT 1\n   FROM (\"App\".\"Orgs\" o\n     CROSS JOIN LATERAL unnest(o.\"order\") part(part))\n  WHERE (o.key = part.part)))","with_check":null}
--> {"policyname":"q3","qual":"(EXISTS ( SELECT 1\n   FROM \"App\".\"Orgs\" name\n  WHERE (name.org = 'a'::text)))","with_check":null}

set role authenticated; select * from "App".docs;
--> {"id":5,"org":1,"title":"a","created_by":"00000000-0000-0000-0000-000000000001"}

create table base (id int, flag boolean, grp text); insert into base values (1, true, 'x'); create view bv as select id, flag from base where flag; create view bw with (security_invoker = true) as select b.id as bid, b.flag as f2 from bv b; create materialized view bm as select id, grp from base;
create table it (id int); alter table it enable row level security; insert into it values (1), (2); grant select on it, bv, bw, bm, base to authenticated;
create policy a1 on it using (id in (select id from bv where flag) and id in (select bid from bw where f2)); create policy a2 on it as restrictive using (exists (select 1 from bm where grp = 'x' and bm.id = it.id));
alter table base rename flag to active; alter table base rename id to base_id; alter view bv rename flag to on_now; alter view bw rename column bid to b_id; alter materialized view bm rename grp to kind; alter table base rename grp to kind;
select viewname, definition from pg_views where schemaname = 'public' order by 1; select policyname, qual from pg_policies where tablename = 'it' order by 1;
--> {"policyname":"a1","qual":"((id IN ( SELECT bv.id\n   FROM bv\n  WHERE bv.on_now)) AND (id IN ( SELECT bw.b_id AS bid\n   FROM bw\n  WHERE bw.f2)))"}
--> {"policyname":"a2","qual":"(EXISTS ( SELECT 1\n   FROM bm\n  WHERE ((bm.kind = 'x'::text) AND (bm.id = it.id))))"}

set role authenticated; select * from it;
--> {"id":1}

select viewname, definition from pg_views where schemaname = 'public' order by 1;
--> {"viewname":"bv","definition":" SELECT base.base_id AS id,\n    base.active AS on_now\n   FROM base\n  WHERE base.active;"}
--> {"viewname":"bw","definition":" SELECT b.id AS b_id,\n    b.on_now AS f2\n   FROM bv b;"}

refresh materialized view bm; select * from bm; select definition from pg_matviews;
--> {"definition":" SELECT base.base_id AS id,\n    base.kind\n   FROM base;"}

create function has_org(o int) returns boolean language sql stable as $$ select exists (select 1 from base where base_id = o) $$; create policy a3 on it using (has_org((select max(base_id) from base)) and has_org(id));
alter table base rename base_id to id;
select qual from pg_policies where policyname = 'a3';
--> {"qual":"(has_org(( SELECT max(base.id) AS max\n   FROM base)) AND has_org(id))"}

create function at1(o int, out n int, out k text) returns record begin atomic select id, kind from base where id = o and kind <> 'kind'; end; create function at2(o int default 1) returns boolean return (select active from base where base.id = o); create procedure at3() begin atomic insert into base values (2, false, 'y'); delete from base using it where it.id = base.id and base.kind = 'zz'; update base b set kind = b.kind || 'q', active = not active from it where b.id = it.id returning b.kind; end;
alter table base rename kind to type; alter table base rename active to "isActive"; alter table it rename id to it_id;
select * from at1(1);
--> {"n":1,"k":"x"}

select at2(), at2(1); call at3();
--> {"at2":true}

select * from base order by 1; select pg_get_functiondef('at1'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.at1(o integer, OUT n integer, OUT k text)\n RETURNS record\n LANGUAGE sql\nBEGIN ATOMIC\n SELECT base.id,\n     base.type AS kind\n    FROM base\n   WHERE ((base.id = at1.o) AND (base.type <> 'kind'::text));\nEND\n"}
