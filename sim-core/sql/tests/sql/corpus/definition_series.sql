-- Definitions that come one after the other, as in the migrations of a project.

create table sr(id serial primary key, n int);
--> no rows

alter sequence sr_id_seq rename to other_seq;
--> no rows

insert into sr(n) values (1) returning id;
--> {"id":1}

select column_default from information_schema.columns where table_name='sr' and column_name='id';
--> {"column_default":"nextval('other_seq'::regclass)"}

alter sequence other_seq owned by none;
--> no rows

insert into sr(n) values (1) returning id;
--> {"id":2}

drop sequence other_seq;
--> ERROR 2BP01: cannot drop sequence other_seq because other objects depend on it
--> DETAIL: default value for column id of table sr depends on sequence other_seq
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

insert into sr(n) values (1) returning id;
--> {"id":3}

create schema zs;
--> no rows

set search_path = zs, public; create function zs.gen() returns int language sql as 'select 7'; create table dt(a int default gen(), b int check (b < gen()), c int generated always as (1) stored); create index on dt((b + 1)); alter table dt enable row level security; create policy p on dt using (gen() = 7) with check (gen() > a);
--> no rows

insert into zs.dt(b) values (1) returning *;
--> {"a":7,"b":1,"c":1}

insert into zs.dt(b) values (8) returning *;
--> ERROR 23514: new row for relation "dt" violates check constraint "dt_b_check"
--> DETAIL: Failing row contains (7, 8, 1).

alter table zs.dt alter a set default zs.gen();
--> no rows

set role anon; select * from zs.dt;
--> ERROR 42501: permission denied for schema zs
--> AT 30

create table ord(a int, b int, c int generated always as (a + b) stored, d text default 'x' || 'y', e timestamptz default current_timestamp, f uuid default gen_random_uuid(), g numeric(5,1) default 1.5, h interval default interval '1 day', i date default current_date, j json default '{}', k boolean default true, l bytea default '\x00', m text default null, n text default 'a'::text, o varchar(10) default 'b', p char(3) default 'c', q int[] default array[1,2], r text default current_user, s time default '10:00', t inet default '127.0.0.1', u double precision default 1e3, v int default -1, w bigint default 5, x int default (1 + 2), y text default upper('q'), z jsonb default jsonb_build_object('a', 1));
--> no rows

create table part(id int, at date not null, primary key (id, at)) partition by range (at);
--> no rows

create table part_2024 partition of part for values from ('2024-01-01') to ('2025-01-01');
--> no rows

create table part_bad partition of part for values from ('2024-06-01') to ('2025-06-01');
--> ERROR 42P17: partition "part_bad" would overlap partition "part_2024"
--> AT 58

create table part_def partition of part default;
--> no rows

create table part_def2 partition of part default;
--> ERROR 42P17: partition "part_def2" conflicts with existing default partition "part_def"
--> AT 42

create table part_3 (id int, at date not null);
--> no rows

alter table part attach partition part_3 for values from ('2025-01-01') to ('2026-01-01');
--> ERROR 42804: column "id" in child table must be marked NOT NULL

alter table part add unique (id);
--> ERROR 0A000: unique constraint on partitioned table must include all partitioning columns
--> DETAIL: UNIQUE constraint on table "part" lacks column "at" which is part of the partition key.

alter table part detach partition part_3;
--> ERROR 42P01: relation "part_3" is not a partition of relation "part"

alter table part add column note text default 'n';
--> no rows

alter table part_2024 add column bad int;
--> ERROR 42809: cannot add column to a partition

alter table only part add constraint c check (id > 0);
--> ERROR 42P16: constraint must be added to child tables too

alter table part add constraint c check (id > 0) no inherit;
--> ERROR 42P16: cannot add NO INHERIT constraint to partitioned table "part"

alter table part add constraint c check (id > 0);
--> no rows

create index on only part (note);
--> no rows

create index on part_2024 (note);
--> no rows

select indexrelid::regclass::text, indisvalid from pg_index where indrelid in ('part'::regclass, 'part_2024'::regclass) order by 1;
--> {"indexrelid":"part_2024_note_idx","indisvalid":true}
--> {"indexrelid":"part_2024_pkey","indisvalid":true}
--> {"indexrelid":"part_note_idx","indisvalid":false}
--> {"indexrelid":"part_pkey","indisvalid":true}

drop table part_2024;
--> no rows

alter table part rename to parts;
--> no rows

select relname, relkind, relispartition from pg_class where relname like 'part%' order by 1;
--> {"relname":"part_3","relkind":"r","relispartition":false}
--> {"relname":"part_def","relkind":"r","relispartition":true}
--> {"relname":"part_def_pkey","relkind":"i","relispartition":true}
--> {"relname":"part_note_idx","relkind":"I","relispartition":false}
--> {"relname":"part_pkey","relkind":"I","relispartition":false}
--> {"relname":"parts","relkind":"p","relispartition":false}

create trigger t1 after insert on ord execute function nope();
--> ERROR 42883: function nope() does not exist

create or replace trigger t1 before update on ord for each row execute function suppress_redundant_updates_trigger();
--> no rows

select pg_get_triggerdef(oid) from pg_trigger where tgname='t1';
--> {"pg_get_triggerdef":"CREATE TRIGGER t1 BEFORE UPDATE ON public.ord FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()"}

alter trigger t1 on ord rename to t2;
--> no rows

alter trigger nope on ord rename to t2;
--> ERROR 42704: trigger "nope" for table "ord" does not exist

drop trigger nope on ord;
--> ERROR 42704: trigger "nope" for table "ord" does not exist

drop trigger if exists nope on ord;
--> no rows

drop trigger if exists t2 on nope;
--> no rows

drop trigger t2 on ord;
--> no rows

create policy p on ord for select to anon, authenticated using (a > 1);
--> no rows

create policy p on ord using (true);
--> ERROR 42710: policy "p" for table "ord" already exists

create policy p2 on ord for insert using (true);
--> ERROR 42601: only WITH CHECK expression allowed for INSERT

create policy p3 on ord for update with check (b > 1);
--> no rows

create policy p4 on ord for delete with check (true);
--> ERROR 42601: WITH CHECK cannot be applied to SELECT or DELETE

create policy p5 on ord to nope using (true);
--> ERROR 42704: role "nope" does not exist

create policy p6 on ord using (nope);
--> ERROR 42703: column "nope" does not exist

alter policy p on ord to public;
--> no rows

alter policy p on ord using (a > 2) with check (true);
--> ERROR 42601: only USING expression allowed for SELECT, DELETE

alter policy p on ord rename to pp;
--> no rows

alter policy nope on ord using (true);
--> ERROR 42704: policy "nope" for table "ord" does not exist

select polname, polcmd, polpermissive, pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid) from pg_policy where polrelid='ord'::regclass order by 1;
--> {"polname":"p3","polcmd":"w","polpermissive":true,"pg_get_expr":"(b > 1)"}
--> {"polname":"pp","polcmd":"r","polpermissive":true,"pg_get_expr":null}

drop policy nope on ord;
--> ERROR 42704: policy "nope" for table "ord" does not exist

drop policy if exists nope on ord;
--> no rows

create extension if not exists citext schema extensions;
--> no rows

create extension citext;
--> ERROR 42710: extension "citext" already exists

drop extension nope;
--> ERROR 42704: extension "nope" does not exist

create publication pub for all tables;
--> no rows

alter publication pub drop table nope;
--> ERROR 55000: publication "pub" is defined as FOR ALL TABLES
--> DETAIL: Tables cannot be added to or dropped from FOR ALL TABLES publications.

alter publication pub add table ord;
--> ERROR 55000: publication "pub" is defined as FOR ALL TABLES
--> DETAIL: Tables cannot be added to or dropped from FOR ALL TABLES publications.

drop publication nope;
--> ERROR 42704: publication "nope" does not exist

create statistics st (dependencies) on a, b from ord;
--> no rows

create statistics st on a, b from ord;
--> ERROR 42710: statistics object "st" already exists

drop statistics st;
--> no rows

create rule ru as on insert to ord do instead nothing;
--> no rows

drop rule nope on ord;
--> ERROR 42704: rule "nope" for relation "ord" does not exist

grant select on nope to anon;
--> ERROR 42P01: relation "nope" does not exist

grant select on ord to nope;
--> ERROR 42704: role "nope" does not exist

grant nope on ord to anon;
--> ERROR 42601: unrecognized privilege type "nope"

grant select (a, nope) on ord to anon;
--> ERROR 42703: column "nope" of relation "ord" does not exist

grant insert, update (a) on ord to anon with grant option;
--> no rows

revoke all on ord from anon cascade;
--> no rows

grant usage on schema nope to anon;
--> ERROR 3F000: schema "nope" does not exist

grant execute on function nope() to anon;
--> ERROR 42883: function nope() does not exist

grant all on all tables in schema public to anon;
--> no rows

alter default privileges in schema public grant select on tables to anon;
--> no rows

alter default privileges for role nope grant select on tables to anon;
--> ERROR 42704: role "nope" does not exist

create table n1(a int primary key, b int unique, c int check (c > 0), d int references n1, constraint e check (a > 1) no inherit);
--> no rows

select conname, connoinherit, pg_get_constraintdef(oid) as d from pg_constraint where conrelid='n1'::regclass order by 1;
--> {"conname":"e","connoinherit":true,"d":"CHECK ((a > 1)) NO INHERIT"}
--> {"conname":"n1_b_key","connoinherit":true,"d":"UNIQUE (b)"}
--> {"conname":"n1_c_check","connoinherit":false,"d":"CHECK ((c > 0))"}
--> {"conname":"n1_d_fkey","connoinherit":true,"d":"FOREIGN KEY (d) REFERENCES n1(a)"}
--> {"conname":"n1_pkey","connoinherit":true,"d":"PRIMARY KEY (a)"}

create table n2(a int primary key) partition by range (a);
--> no rows

create table n3 partition of n2 for values from (1) to (5);
--> no rows

select conname, connoinherit from pg_constraint where conrelid in ('n2'::regclass, 'n3'::regclass) order by 1;
--> {"conname":"n2_pkey","connoinherit":true}
--> {"conname":"n3_pkey","connoinherit":false}

create trigger x after insert on n1 for each row execute function suppress_redundant_updates_trigger();
--> no rows

create constraint trigger xc after insert on n1 for each row execute function suppress_redundant_updates_trigger();
--> no rows

select conname, connoinherit from pg_constraint where conname = 'xc';
--> {"conname":"xc","connoinherit":true}
