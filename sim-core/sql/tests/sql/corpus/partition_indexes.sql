-- The indexes and keys of partitions: parts of those of the table, those of attached tables, and what stays of them.

create table m (id int not null, k int not null, v text, w text) partition by range (k);
--> no rows

create table m1 partition of m for values from (0) to (10);
--> no rows

alter table m add primary key (id, k);
--> no rows

create index on m (v);
--> no rows

create unique index m_w on m (w, k) where w is not null;
--> no rows

create index m_lower on m (lower(v));
--> no rows

select tablename, indexname, indexdef from pg_indexes where tablename in ('m', 'm1') order by 1, 2;
--> {"tablename":"m","indexname":"m_lower","indexdef":"CREATE INDEX m_lower ON ONLY public.m USING btree (lower(v))"}
--> {"tablename":"m","indexname":"m_pkey","indexdef":"CREATE UNIQUE INDEX m_pkey ON ONLY public.m USING btree (id, k)"}
--> {"tablename":"m","indexname":"m_v_idx","indexdef":"CREATE INDEX m_v_idx ON ONLY public.m USING btree (v)"}
--> {"tablename":"m","indexname":"m_w","indexdef":"CREATE UNIQUE INDEX m_w ON ONLY public.m USING btree (w, k) WHERE (w IS NOT NULL)"}
--> {"tablename":"m1","indexname":"m1_lower_idx","indexdef":"CREATE INDEX m1_lower_idx ON public.m1 USING btree (lower(v))"}
--> {"tablename":"m1","indexname":"m1_pkey","indexdef":"CREATE UNIQUE INDEX m1_pkey ON public.m1 USING btree (id, k)"}
--> {"tablename":"m1","indexname":"m1_v_idx","indexdef":"CREATE INDEX m1_v_idx ON public.m1 USING btree (v)"}
--> {"tablename":"m1","indexname":"m1_w_k_idx","indexdef":"CREATE UNIQUE INDEX m1_w_k_idx ON public.m1 USING btree (w, k) WHERE (w IS NOT NULL)"}

create table m2 (w text, v text, k int not null, id int not null, constraint m2_key primary key (id, k));
--> no rows

create index m2_v on m2 (v);
--> no rows

create index m2_w on m2 (w);
--> no rows

create unique index m2_id on m2 (id);
--> no rows

insert into m2 values ('w', 'v', 10, 1), ('x', 'y', 11, 2);
--> no rows

alter table m attach partition m2 for values from (10) to (20);
--> no rows

select indexname, indexdef from pg_indexes where tablename = 'm2' order by 1;
--> {"indexname":"m2_id","indexdef":"CREATE UNIQUE INDEX m2_id ON public.m2 USING btree (id)"}
--> {"indexname":"m2_key","indexdef":"CREATE UNIQUE INDEX m2_key ON public.m2 USING btree (id, k)"}
--> {"indexname":"m2_lower_idx","indexdef":"CREATE INDEX m2_lower_idx ON public.m2 USING btree (lower(v))"}
--> {"indexname":"m2_v","indexdef":"CREATE INDEX m2_v ON public.m2 USING btree (v)"}
--> {"indexname":"m2_w","indexdef":"CREATE INDEX m2_w ON public.m2 USING btree (w)"}
--> {"indexname":"m2_w_k_idx","indexdef":"CREATE UNIQUE INDEX m2_w_k_idx ON public.m2 USING btree (w, k) WHERE (w IS NOT NULL)"}

select inhrelid::regclass::text as part, inhparent::regclass::text as of from pg_inherits order by 1;
--> {"part":"m1","of":"m"}
--> {"part":"m1_lower_idx","of":"m_lower"}
--> {"part":"m1_pkey","of":"m_pkey"}
--> {"part":"m1_v_idx","of":"m_v_idx"}
--> {"part":"m1_w_k_idx","of":"m_w"}
--> {"part":"m2","of":"m"}
--> {"part":"m2_key","of":"m_pkey"}
--> {"part":"m2_lower_idx","of":"m_lower"}
--> {"part":"m2_v","of":"m_v_idx"}
--> {"part":"m2_w_k_idx","of":"m_w"}

select conname, contype, conrelid::regclass::text as of, (select conname from pg_constraint p where p.oid = c.conparentid) as part_of from pg_constraint c where conrelid in ('m'::regclass, 'm1'::regclass, 'm2'::regclass) order by 1;
--> {"conname":"m1_pkey","contype":"p","of":"m1","part_of":"m_pkey"}
--> {"conname":"m2_key","contype":"p","of":"m2","part_of":"m_pkey"}
--> {"conname":"m_pkey","contype":"p","of":"m","part_of":null}

select relname, relkind, relispartition from pg_class where relname like 'm%' and relnamespace = 'public'::regnamespace order by 1;
--> {"relname":"m","relkind":"p","relispartition":false}
--> {"relname":"m1","relkind":"r","relispartition":true}
--> {"relname":"m1_lower_idx","relkind":"i","relispartition":true}
--> {"relname":"m1_pkey","relkind":"i","relispartition":true}
--> {"relname":"m1_v_idx","relkind":"i","relispartition":true}
--> {"relname":"m1_w_k_idx","relkind":"i","relispartition":true}
--> {"relname":"m2","relkind":"r","relispartition":true}
--> {"relname":"m2_id","relkind":"i","relispartition":false}
--> {"relname":"m2_key","relkind":"i","relispartition":true}
--> {"relname":"m2_lower_idx","relkind":"i","relispartition":true}
--> {"relname":"m2_v","relkind":"i","relispartition":true}
--> {"relname":"m2_w","relkind":"i","relispartition":false}
--> {"relname":"m2_w_k_idx","relkind":"i","relispartition":true}
--> {"relname":"m_lower","relkind":"I","relispartition":false}
--> {"relname":"m_pkey","relkind":"I","relispartition":false}
--> {"relname":"m_v_idx","relkind":"I","relispartition":false}
--> {"relname":"m_w","relkind":"I","relispartition":false}

select * from m2 order by id;
--> {"w":"w","v":"v","k":10,"id":1}
--> {"w":"x","v":"y","k":11,"id":2}

select * from m order by id;
--> {"id":1,"k":10,"v":"v","w":"w"}
--> {"id":2,"k":11,"v":"y","w":"x"}

insert into m values (2, 12);
--> ERROR 23505: duplicate key value violates unique constraint "m2_id"
--> DETAIL: Key (id)=(2) already exists.

insert into m values (2, 11);
--> ERROR 23505: duplicate key value violates unique constraint "m2_key"
--> DETAIL: Key (id, k)=(2, 11) already exists.

insert into m2 (id, k) values (1, 10);
--> ERROR 23505: duplicate key value violates unique constraint "m2_key"
--> DETAIL: Key (id, k)=(1, 10) already exists.

insert into m values (3, 12, 'v', 'x') returning id;
--> {"id":3}

insert into m values (4, 11, 'v', 'x');
--> ERROR 23505: duplicate key value violates unique constraint "m2_w_k_idx"
--> DETAIL: Key (w, k)=(x, 11) already exists.

insert into m values (1, 1, null, null) returning id;
--> {"id":1}

insert into m1 values (1, 1, null, null);
--> ERROR 23505: duplicate key value violates unique constraint "m1_pkey"
--> DETAIL: Key (id, k)=(1, 1) already exists.

drop index m2_v;
--> ERROR 2BP01: cannot drop index m2_v because index m_v_idx requires it
--> HINT: You can drop index m_v_idx instead.

drop index m2_key;
--> ERROR 2BP01: cannot drop index m2_key because index m_pkey requires it
--> HINT: You can drop index m_pkey instead.

alter table m2 drop constraint m2_key;
--> ERROR 42P16: cannot drop inherited constraint "m2_key" of relation "m2"

alter table m2 add primary key (id);
--> ERROR 42P16: multiple primary keys for table "m2" are not allowed

drop index m2_w;
--> no rows

drop index m_v_idx;
--> no rows

select indexname from pg_indexes where tablename in ('m', 'm1', 'm2') order by 1;
--> {"indexname":"m1_lower_idx"}
--> {"indexname":"m1_pkey"}
--> {"indexname":"m1_w_k_idx"}
--> {"indexname":"m2_id"}
--> {"indexname":"m2_key"}
--> {"indexname":"m2_lower_idx"}
--> {"indexname":"m2_w_k_idx"}
--> {"indexname":"m_lower"}
--> {"indexname":"m_pkey"}
--> {"indexname":"m_w"}

alter table m detach partition m2;
--> no rows

select indexname, indexdef from pg_indexes where tablename = 'm2' order by 1;
--> {"indexname":"m2_id","indexdef":"CREATE UNIQUE INDEX m2_id ON public.m2 USING btree (id)"}
--> {"indexname":"m2_key","indexdef":"CREATE UNIQUE INDEX m2_key ON public.m2 USING btree (id, k)"}
--> {"indexname":"m2_lower_idx","indexdef":"CREATE INDEX m2_lower_idx ON public.m2 USING btree (lower(v))"}
--> {"indexname":"m2_w_k_idx","indexdef":"CREATE UNIQUE INDEX m2_w_k_idx ON public.m2 USING btree (w, k) WHERE (w IS NOT NULL)"}

insert into m2 values (null, null, 10, 1);
--> ERROR 23505: duplicate key value violates unique constraint "m2_key"
--> DETAIL: Key (id, k)=(1, 10) already exists.

insert into m2 values (null, null, 30, 30) returning id;
--> {"id":30}

select conname, conparentid from pg_constraint where conrelid = 'm2'::regclass;
--> {"conname":"m2_key","conparentid":0}

alter table m drop constraint m_pkey;
--> no rows

select indexname from pg_indexes where tablename in ('m', 'm1') order by 1;
--> {"indexname":"m1_lower_idx"}
--> {"indexname":"m1_w_k_idx"}
--> {"indexname":"m_lower"}
--> {"indexname":"m_w"}

select attname, attnotnull from pg_attribute where attrelid = 'm1'::regclass and attnum > 0 order by attnum;
--> {"attname":"id","attnotnull":true}
--> {"attname":"k","attnotnull":true}
--> {"attname":"v","attnotnull":false}
--> {"attname":"w","attnotnull":false}

create table o (id int, k int, t text) partition by list (k);
--> no rows

create table o1 partition of o for values in (1);
--> no rows

create index o_t on only o (t);
--> no rows

select indexname from pg_indexes where tablename like 'o%' and schemaname = 'public' order by 1;
--> {"indexname":"o_t"}

select indisvalid from pg_index where indexrelid = 'o_t'::regclass;
--> {"indisvalid":false}

create index o1_t on o1 (t);
--> no rows

create index o1_id on o1 (id);
--> no rows

alter index o_t attach partition o1_id;
--> ERROR 42P17: cannot attach index "o1_id" as a partition of index "o_t"
--> DETAIL: The index definitions do not match.

alter index o_t attach partition o1_t;
--> no rows

alter index o_t attach partition o1_t;
--> no rows

select indisvalid from pg_index where indexrelid = 'o_t'::regclass;
--> {"indisvalid":true}

create index o1_t_2 on o1 (t);
--> no rows

alter index o_t attach partition o1_t_2;
--> ERROR 55000: cannot attach index "o1_t_2" as a partition of index "o_t"
--> DETAIL: Another index is already attached for partition "o1".

alter index o1_id attach partition o1_t_2;
--> ERROR 42809: ALTER action ATTACH PARTITION cannot be performed on relation "o1_id"
--> DETAIL: This operation is not supported for indexes.

alter table only o add constraint o_key unique (id, k);
--> no rows

alter table only o1 add constraint o1_key unique (id, k);
--> no rows

alter index o_key attach partition o1_key;
--> no rows

select conname, conparentid <> 0 as part from pg_constraint where conrelid in ('o'::regclass, 'o1'::regclass) order by 1;
--> {"conname":"o1_key","part":true}
--> {"conname":"o_key","part":false}

alter table only o add check (id > 0);
--> ERROR 42P16: constraint must be added to child tables too

create table o2 partition of o for values in (2);
--> no rows

select indexname from pg_indexes where tablename = 'o2' order by 1;
--> {"indexname":"o2_id_k_key"}
--> {"indexname":"o2_t_idx"}

alter table o rename column t to title;
--> no rows

select indexname, indexdef from pg_indexes where tablename like 'o%' and schemaname = 'public' order by 1;
--> {"indexname":"o1_id","indexdef":"CREATE INDEX o1_id ON public.o1 USING btree (id)"}
--> {"indexname":"o1_key","indexdef":"CREATE UNIQUE INDEX o1_key ON public.o1 USING btree (id, k)"}
--> {"indexname":"o1_t","indexdef":"CREATE INDEX o1_t ON public.o1 USING btree (title)"}
--> {"indexname":"o1_t_2","indexdef":"CREATE INDEX o1_t_2 ON public.o1 USING btree (title)"}
--> {"indexname":"o2_id_k_key","indexdef":"CREATE UNIQUE INDEX o2_id_k_key ON public.o2 USING btree (id, k)"}
--> {"indexname":"o2_t_idx","indexdef":"CREATE INDEX o2_t_idx ON public.o2 USING btree (title)"}
--> {"indexname":"o_key","indexdef":"CREATE UNIQUE INDEX o_key ON ONLY public.o USING btree (id, k)"}
--> {"indexname":"o_t","indexdef":"CREATE INDEX o_t ON ONLY public.o USING btree (title)"}

alter table o1 rename column title to t;
--> ERROR 42P16: cannot rename inherited column "title"

alter table o drop column id;
--> no rows

select indexname from pg_indexes where tablename like 'o%' and schemaname = 'public' order by 1;
--> {"indexname":"o1_t"}
--> {"indexname":"o1_t_2"}
--> {"indexname":"o2_t_idx"}
--> {"indexname":"o_t"}

select * from o1;
--> no rows

create table c (id int, k int, constraint positive check (id > 0)) partition by list (k);
--> no rows

create table c1 (id int, k int);
--> no rows

alter table c attach partition c1 for values in (1);
--> ERROR 42804: child table is missing constraint "positive"

alter table c1 add constraint positive check (id > 1);
--> no rows

alter table c attach partition c1 for values in (1);
--> ERROR 42804: child table "c1" has different definition for check constraint "positive"

alter table c1 drop constraint positive, add constraint positive check (id > 0);
--> no rows

alter table c attach partition c1 for values in (1);
--> no rows

select conname, conrelid::regclass::text, conislocal, coninhcount from pg_constraint where conname = 'positive' order by 2;
--> {"conname":"positive","conrelid":"c","conislocal":true,"coninhcount":0}
--> {"conname":"positive","conrelid":"c1","conislocal":false,"coninhcount":1}

alter table c1 drop constraint positive;
--> ERROR 42P16: cannot drop inherited constraint "positive" of relation "c1"

alter table c rename constraint positive to above_zero;
--> no rows

select conname, conrelid::regclass::text from pg_constraint where conrelid in ('c'::regclass, 'c1'::regclass) order by 2;
--> {"conname":"above_zero","conrelid":"c"}
--> {"conname":"above_zero","conrelid":"c1"}

insert into c values (0, 1);
--> ERROR 23514: new row for relation "c1" violates check constraint "above_zero"
--> DETAIL: Failing row contains (0, 1).

alter table c1 add constraint small check (id < 10);
--> no rows

alter table c add constraint small check (id < 10);
--> no rows

alter table c drop constraint small;
--> no rows

select conname from pg_constraint where conrelid = 'c1'::regclass order by 1;
--> {"conname":"above_zero"}

create table two (id int primary key) partition by range (id);
--> no rows

create table two_1 (id int primary key, other int);
--> no rows

alter table two attach partition two_1 for values from (0) to (1);
--> ERROR 42804: table "two_1" contains column "other" not found in parent "two"
--> DETAIL: The new partition may contain only the columns present in parent.

alter table two_1 drop column other;
--> no rows

alter table two attach partition two_1 for values from (0) to (1);
--> no rows

insert into two values (0);
--> no rows

insert into two values (0);
--> ERROR 23505: duplicate key value violates unique constraint "two_1_pkey"
--> DETAIL: Key (id)=(0) already exists.

insert into two_1 values (0) on conflict on constraint two_1_pkey do nothing;
--> no rows

insert into two_1 values (0) on conflict (id) do nothing;
--> no rows

create table wrong (k int, id int, primary key (k)) partition by list (k);
--> no rows

create table wrong_1 partition of wrong for values in (1) partition by list (id);
--> ERROR 0A000: unique constraint on partitioned table must include all partitioning columns
--> DETAIL: PRIMARY KEY constraint on table "wrong_1" lacks column "id" which is part of the partition key.

create table wrong_2 (k int, id int, constraint wrong_2_key primary key (k, id));
--> no rows

alter table wrong attach partition wrong_2 for values in (2);
--> ERROR 42P16: multiple primary keys for table "wrong_2" are not allowed

create table sub (k int, id int, t text) partition by list (k);
--> no rows

create table sub_1 partition of sub for values in (1) partition by list (id);
--> no rows

create table sub_1_1 partition of sub_1 for values in (1);
--> no rows

create unique index sub_key on sub (k, id);
--> no rows

create index on sub_1 (t);
--> no rows

select tablename, indexname from pg_indexes where tablename like 'sub%' order by 1, 2;
--> {"tablename":"sub","indexname":"sub_key"}
--> {"tablename":"sub_1","indexname":"sub_1_k_id_idx"}
--> {"tablename":"sub_1","indexname":"sub_1_t_idx"}
--> {"tablename":"sub_1_1","indexname":"sub_1_1_k_id_idx"}
--> {"tablename":"sub_1_1","indexname":"sub_1_1_t_idx"}
--> {"tablename":"subscription","indexname":"subscription_pkey"}

select inhrelid::regclass::text as part, inhparent::regclass::text as of from pg_inherits where inhrelid::regclass::text like 'sub%' order by 1;
--> {"part":"sub_1","of":"sub"}
--> {"part":"sub_1_1","of":"sub_1"}
--> {"part":"sub_1_1_k_id_idx","of":"sub_1_k_id_idx"}
--> {"part":"sub_1_1_t_idx","of":"sub_1_t_idx"}
--> {"part":"sub_1_k_id_idx","of":"sub_key"}

insert into sub values (1, 1, 'a'), (1, 1, 'b');
--> ERROR 23505: duplicate key value violates unique constraint "sub_1_1_k_id_idx"
--> DETAIL: Key (k, id)=(1, 1) already exists.

drop index sub_1_k_id_idx;
--> ERROR 2BP01: cannot drop index sub_1_k_id_idx because index sub_key requires it
--> HINT: You can drop index sub_key instead.

drop index sub_key;
--> no rows

select tablename, indexname from pg_indexes where tablename like 'sub%' order by 1, 2;
--> {"tablename":"sub_1","indexname":"sub_1_t_idx"}
--> {"tablename":"sub_1_1","indexname":"sub_1_1_t_idx"}
--> {"tablename":"subscription","indexname":"subscription_pkey"}

select conname, relid::text from pg_constraint, pg_partition_ancestors('two_1') where conrelid = relid and contype = 'p' order by 1;
--> {"conname":"two_1_pkey","relid":"two_1"}
--> {"conname":"two_pkey","relid":"two"}

select relid::text from pg_partition_ancestors('two_1') as a order by 1;
--> {"relid":"two"}
--> {"relid":"two_1"}

create table own_order (v text, id int not null);
--> no rows

create table in_order (id int not null, v text default 'd') partition by range (id);
--> no rows

alter table in_order attach partition own_order for values from (0) to (10);
--> no rows

insert into own_order (id) values (1) returning *;
--> {"v":null,"id":1}

insert into in_order (id) values (2) returning *;
--> {"id":2,"v":"d"}

insert into own_order (id) values (11);
--> ERROR 23514: new row for relation "own_order" violates partition constraint
--> DETAIL: Failing row contains (null, 11).

select * from own_order order by id;
--> {"v":null,"id":1}
--> {"v":"d","id":2}
