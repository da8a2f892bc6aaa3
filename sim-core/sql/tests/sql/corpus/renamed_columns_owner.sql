create role dev_of_columns; grant dev_of_columns to postgres; grant all on schema public to dev_of_columns; set role dev_of_columns; create table o (id int, org int); create table d (id int, oid int, org_id int); alter table o enable row level security; alter table o force row level security; alter table d enable row level security; alter table d force row level security;
create policy op on o using (id in (select oid from d where org_id = 7)); create policy dp on d using (oid in (select id from o where org = org_id)); create policy dq on d for insert with check (exists (select 1 from o, d x where org = x.org_id and d.org_id = o.org));
alter table o rename org to org_id; alter table d rename oid to o_id;
select policyname, qual, with_check from pg_policies order by 1;
--> {"policyname":"dp","qual":"(o_id IN ( SELECT o.id\n   FROM o\n  WHERE (o.org_id = d.org_id)))","with_check":null}
--> {"policyname":"dq","qual":null,"with_check":"(EXISTS ( SELECT 1\n   FROM o,\n    d x\n  WHERE ((o.org_id = x.org_id) AND (d.org_id = o.org_id))))"}
--> {"policyname":"op","qual":"(id IN ( SELECT d.o_id AS oid\n   FROM d\n  WHERE (d.org_id = 7)))","with_check":null}

set role dev_of_columns; alter table o rename org_id to q; alter table o drop column q;
--> ERROR 2BP01: cannot drop column q of table o because other objects depend on it
--> DETAIL: policy dp on table d depends on column q of table o\npolicy dq on table d depends on column q of table o
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

set role dev_of_columns; alter table o alter q type text;
--> ERROR 42703: column "q" of relation "o" does not exist

set role dev_of_columns; alter table o drop column q cascade; select policyname from pg_policies order by 1;
--> ERROR 42703: column "q" of relation "o" does not exist

create table a1 (k int, v int); create table a2 (k int, v int, w int); insert into a1 values (1, 1), (2, 5); insert into a2 values (1, 1, 1), (2, 2, 5);
create view c1 as select a1.k, (select count(*) from a2 where v = w) as n from a1; create view c2 as select k from a1 where exists (select 1 from a2 where a2.k = a1.k and w = a1.v); create view c3 as select a1.v as w, a2.v from a1 join a2 using (k) order by w; create view c4 as select k, max(v) as w from a1 group by k order by w desc, v;
--> ERROR 42803: column "a1.v" must appear in the GROUP BY clause or be used in an aggregate function
--> AT 491

create view c5 as select x.k, w from a1 x, a2 y where x.k = y.k order by v, w;
--> ERROR 42P01: relation "a1" does not exist
--> AT 38

create view c6 as select x.k, w from a1 x, lateral (select w from a2 where a2.k = x.k) y where v = w;
alter table a1 rename v to w;
select * from c1;
--> ERROR 42P01: relation "a1" does not exist
--> AT 38

select * from c2;
--> ERROR 42P01: relation "c2" does not exist
--> AT 15

select * from c3;
--> ERROR 42P01: relation "c3" does not exist
--> AT 15

select * from c6; select viewname, definition from pg_views where viewname ~ '^c\d' order by 1;
--> ERROR 42P01: relation "c6" does not exist
--> AT 15

create table inh (id int, "a b" int, "Sel" int, "x""y" int, check ("a b" > 0 and "Sel" > 0)); create policy ip on a1 using (exists (select 1 from inh where "a b" = k and inh."Sel" = 1 and "x""y" is null)); 
alter table inh rename "a b" to "c d"; alter table inh rename "Sel" to sel; alter table inh rename "x""y" to "z""w"; alter table inh rename "z""w" to zz;
select qual from pg_policies where policyname = 'ip'; select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'inh'::regclass;
--> ERROR 42P01: relation "a1" does not exist
