create table p1 (id int, o int, k varchar(10), z int); create table c1 (id int, pid int, k text); alter table c1 enable row level security;
create policy cp on c1 for update using (pid in (select id from p1 where o = 1)) with check (exists (select 1 from p1 where p1.k = c1.k));
create policy cq on c1 for select using (exists (select * from p1 a join p1 b using (z)));
--> no rows

alter table p1 alter column o type bigint;
--> ERROR 0A000: cannot alter type of a column used in a policy definition
--> DETAIL: policy cp on table c1 depends on column "o"

alter table p1 drop column o;
--> ERROR 2BP01: cannot drop column o of table p1 because other objects depend on it
--> DETAIL: policy cp on table c1 depends on column o of table p1\npolicy cq on table c1 depends on column o of table p1
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

alter table p1 alter column z type bigint;
--> ERROR 0A000: cannot alter type of a column used in a policy definition
--> DETAIL: policy cq on table c1 depends on column "z"

alter table p1 drop column z;
--> ERROR 2BP01: cannot drop column z of table p1 because other objects depend on it
--> DETAIL: policy cq on table c1 depends on column z of table p1
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

alter table p1 drop column id;
--> ERROR 2BP01: cannot drop column id of table p1 because other objects depend on it
--> DETAIL: policy cp on table c1 depends on column id of table p1\npolicy cq on table c1 depends on column id of table p1
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

alter table p1 drop column k cascade; select policyname from pg_policies;
--> no rows

alter table p1 drop column z cascade; select policyname from pg_policies;
--> no rows

create type e1 as enum ('a','b'); create type e2 as enum ('a','c');
create table ir (id int, status e1); create policy irp on c1 using (exists (select 1 from ir where ir.status in ('a', 'b')));
alter table ir alter column status type e2 using status::text::e2;
--> ERROR 0A000: cannot alter type of a column used in a policy definition
--> DETAIL: policy irp on table c1 depends on column "status"

create table n1 (id int, x int); create view nv as select id, x from n1; create policy np on c1 using (exists (select 1 from nv where x = 1));
--> no rows

alter table n1 drop column x;
--> ERROR 2BP01: cannot drop column x of table n1 because other objects depend on it
--> DETAIL: view nv depends on column x of table n1\npolicy np on table c1 depends on view nv
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

alter table n1 alter x type bigint;
--> ERROR 0A000: cannot alter type of a column used by a view or rule
--> DETAIL: rule _RETURN on view nv depends on column "x"

alter table n1 drop column x cascade; select policyname from pg_policies order by 1;
--> no rows

create table own (id int, u int, w int); create policy own1 on own using (exists (select 1 from own o2 where o2.u = own.id)); create policy own2 on own using (w = 1);
--> no rows

alter table own drop column u;
--> ERROR 2BP01: cannot drop column u of table own because other objects depend on it
--> DETAIL: policy own1 on table own depends on column u of table own
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

alter table own alter column u type text;
--> ERROR 0A000: cannot alter type of a column used in a policy definition
--> DETAIL: policy own1 on table own depends on column "u"

alter table own drop column w;
--> ERROR 2BP01: cannot drop column w of table own because other objects depend on it
--> DETAIL: policy own2 on table own depends on column w of table own
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

alter table own drop column id cascade; select policyname from pg_policies order by 1;
--> {"policyname":"own2"}

alter table own drop column w cascade; select policyname from pg_policies order by 1;
--> no rows
