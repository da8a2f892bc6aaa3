-- Partitioned tables: routing, bounds, defaults, keys, attach and detach, catalogue.

create table event (id bigint generated always as identity, at timestamptz not null, kind text, data jsonb default '{}', primary key (id, at)) partition by range (at);
--> no rows

create table event_2024_01 partition of event for values from ('2024-01-01') to ('2024-02-01');
--> no rows

create table event_2024_02 partition of event for values from ('2024-02-01') to ('2024-03-01');
--> no rows

insert into event (at, kind) values ('2024-01-15', 'a'), ('2024-02-01', 'b'), ('2024-02-29 23:59:59', 'c') returning id, kind;
--> {"id":1,"kind":"a"}
--> {"id":2,"kind":"b"}
--> {"id":3,"kind":"c"}

select id, kind, tableoid::regclass::text as part from event order by id;
--> {"id":1,"kind":"a","part":"event_2024_01"}
--> {"id":2,"kind":"b","part":"event_2024_02"}
--> {"id":3,"kind":"c","part":"event_2024_02"}

select id, kind from event_2024_02 order by id;
--> {"id":2,"kind":"b"}
--> {"id":3,"kind":"c"}

select count(*) from only event;
--> {"count":0}

insert into event (at, kind) values ('2024-03-01', 'd');
--> ERROR 23514: no partition of relation "event" found for row
--> DETAIL: Partition key of the failing row contains (at) = (2024-03-01 00:00:00+00).

insert into event (at, kind) values (null, 'd');
--> ERROR 23514: no partition of relation "event" found for row
--> DETAIL: Partition key of the failing row contains (at) = (null).

insert into event_2024_01 (id, at, kind) values (70, '2024-01-31', 'e') returning kind, data;
--> {"kind":"e","data":{}}

insert into event_2024_01 (id, at, kind) values (71, '2024-02-02', 'f');
--> ERROR 23514: new row for relation "event_2024_01" violates partition constraint
--> DETAIL: Failing row contains (71, 2024-02-02 00:00:00+00, f, {}).

insert into event_2024_01 (at, kind) values ('2024-01-31', 'no id');
--> ERROR 23502: null value in column "id" of relation "event_2024_01" violates not-null constraint
--> DETAIL: Failing row contains (null, 2024-01-31 00:00:00+00, no id, {}).

update event set at = '2024-02-10' where kind = 'a';
--> no rows

select kind, tableoid::regclass::text as part from event order by kind;
--> {"kind":"a","part":"event_2024_02"}
--> {"kind":"b","part":"event_2024_02"}
--> {"kind":"c","part":"event_2024_02"}
--> {"kind":"e","part":"event_2024_01"}

update event set at = '2024-05-01' where kind = 'a';
--> ERROR 23514: no partition of relation "event" found for row
--> DETAIL: Partition key of the failing row contains (at) = (2024-05-01 00:00:00+00).

update event_2024_02 set kind = upper(kind) where kind = 'c' returning kind;
--> {"kind":"C"}

delete from event_2024_02 where kind = 'C';
--> no rows

delete from event where kind = 'a';
--> no rows

select kind from event order by kind;
--> {"kind":"b"}
--> {"kind":"e"}

create table event_rest partition of event default;
--> no rows

insert into event (at, kind) values ('2030-01-01', 'late'), ('1999-01-01', 'early');
--> no rows

select kind from event_rest order by kind;
--> {"kind":"early"}
--> {"kind":"late"}

create table event_2030 partition of event for values from ('2030-01-01') to ('2031-01-01');
--> ERROR 23514: updated partition constraint for default partition "event_rest" would be violated by some row

delete from event_rest where kind = 'late';
--> no rows

create table event_2030 partition of event for values from ('2030-01-01') to ('2031-01-01');
--> no rows

create table event_more partition of event for values from ('2030-06-01') to ('2030-07-01');
--> ERROR 42P17: partition "event_more" would overlap partition "event_2030"
--> AT 61

create table event_more partition of event default;
--> ERROR 42P17: partition "event_more" conflicts with existing default partition "event_rest"
--> AT 44

create table event_more partition of event for values from ('2029-01-01') to ('2029-01-01');
--> ERROR 42P17: empty range bound specified for partition "event_more"
--> DETAIL: Specified lower bound ('2029-01-01 00:00:00+00') is greater than or equal to upper bound ('2029-01-01 00:00:00+00').
--> AT 61

create table event_more partition of event for values in ('x');
--> ERROR 42P16: invalid bound specification for a range partition
--> AT 55

create table event_more partition of event for values from ('2029-01-01', 1) to ('2029-01-01', 2);
--> ERROR 42P16: FROM must specify exactly one value per partitioning column

create table event_more partition of event for values from ('nope') to ('2029-01-01');
--> ERROR 22007: invalid input syntax for type timestamp with time zone: "nope"
--> AT 61

create table event_more partition of nope for values from (1) to (2);
--> ERROR 42P01: relation "nope" does not exist

create table plain (id int);
--> no rows

create table event_more partition of plain for values from (1) to (2);
--> ERROR 42P17: "plain" is not partitioned

alter table event add column source text default 'web';
--> no rows

insert into event (at, kind) values ('2030-02-02', 'new') returning source;
--> {"source":"web"}

select kind, source from event_2030;
--> {"kind":"new","source":"web"}

alter table event_2030 add column extra int;
--> ERROR 42809: cannot add column to a partition

alter table event rename column kind to type;
--> no rows

select type from event_2030;
--> {"type":"new"}

alter table event drop column source;
--> no rows

select * from event_2024_02;
--> {"id":2,"at":"2024-02-01 00:00:00+00","type":"b","data":{}}

alter table event alter column type set not null;
--> no rows

insert into event (at, type) values ('2024-01-01', null);
--> ERROR 23502: null value in column "type" of relation "event_2024_01" violates not-null constraint
--> DETAIL: Failing row contains (9, 2024-01-01 00:00:00+00, null, {}).

create index event_type on event (type, at);
--> no rows

insert into event (id, at, type) overriding system value values (1000, '2024-01-02', 'one'), (1000, '2024-01-02', 'two');
--> ERROR 23505: duplicate key value violates unique constraint "event_2024_01_pkey"
--> DETAIL: Key (id, at)=(1000, 2024-01-02 00:00:00+00) already exists.

select relname, relkind, relispartition from pg_class where relname like 'event%' and relkind in ('r', 'p') order by relname;
--> {"relname":"event","relkind":"p","relispartition":false}
--> {"relname":"event_2024_01","relkind":"r","relispartition":true}
--> {"relname":"event_2024_02","relkind":"r","relispartition":true}
--> {"relname":"event_2030","relkind":"r","relispartition":true}
--> {"relname":"event_rest","relkind":"r","relispartition":true}

select c.relname, pg_get_expr(c.relpartbound, c.oid) as bound from pg_class c join pg_inherits i on i.inhrelid = c.oid where i.inhparent = 'event'::regclass order by 1;
--> {"relname":"event_2024_01","bound":"FOR VALUES FROM ('2024-01-01 00:00:00+00') TO ('2024-02-01 00:00:00+00')"}
--> {"relname":"event_2024_02","bound":"FOR VALUES FROM ('2024-02-01 00:00:00+00') TO ('2024-03-01 00:00:00+00')"}
--> {"relname":"event_2030","bound":"FOR VALUES FROM ('2030-01-01 00:00:00+00') TO ('2031-01-01 00:00:00+00')"}
--> {"relname":"event_rest","bound":"DEFAULT"}

select pg_get_partkeydef('event'::regclass) as key;
--> {"key":"RANGE (at)"}

select table_name, table_type from information_schema.tables where table_name like 'event%' order by 1;
--> {"table_name":"event","table_type":"BASE TABLE"}
--> {"table_name":"event_2024_01","table_type":"BASE TABLE"}
--> {"table_name":"event_2024_02","table_type":"BASE TABLE"}
--> {"table_name":"event_2030","table_type":"BASE TABLE"}
--> {"table_name":"event_rest","table_type":"BASE TABLE"}

select table_name, count(*) from information_schema.columns where table_name like 'event%' group by 1 order by 1;
--> {"table_name":"event","count":4}
--> {"table_name":"event_2024_01","count":4}
--> {"table_name":"event_2024_02","count":4}
--> {"table_name":"event_2030","count":4}
--> {"table_name":"event_rest","count":4}

select viewname from pg_views where viewname like 'event%';
--> no rows

create table event_2024_03 (id bigint not null, at timestamptz not null, type text not null, data jsonb);
--> no rows

insert into event_2024_03 values (500, '2024-03-05', 'attached', null);
--> no rows

alter table event attach partition event_2024_03 for values from ('2024-03-01') to ('2024-04-01');
--> no rows

select id, type, tableoid::regclass::text as part from event where id = 500;
--> {"id":500,"type":"attached","part":"event_2024_03"}

alter table event attach partition event_2024_03 for values from ('2024-03-01') to ('2024-04-01');
--> ERROR 42809: "event_2024_03" is already a partition

alter table event detach partition event_2024_03;
--> no rows

select count(*) from event where id = 500;
--> {"count":0}

select id, type from event_2024_03;
--> {"id":500,"type":"attached"}

insert into event_2024_03 (id, at, type) values (501, '1980-01-01', 'free') returning id;
--> {"id":501}

alter table event attach partition event_2024_03 for values from ('2024-03-01') to ('2024-04-01');
--> ERROR 23514: partition constraint of relation "event_2024_03" is violated by some row

alter table event detach partition plain;
--> ERROR 42P01: relation "plain" is not a partition of relation "event"

create table bad (id bigint not null, at timestamptz not null, other int);
--> no rows

alter table event attach partition bad for values from ('2025-03-01') to ('2025-04-01');
--> ERROR 42804: table "bad" contains column "other" not found in parent "event"
--> DETAIL: The new partition may contain only the columns present in parent.

create table bad2 (id int not null, at timestamptz not null, type text not null, data jsonb);
--> no rows

alter table event attach partition bad2 for values from ('2025-03-01') to ('2025-04-01');
--> ERROR 42804: child table "bad2" has different type for column "id"

drop table event_2024_01;
--> no rows

select type from event order by type;
--> {"type":"b"}
--> {"type":"early"}
--> {"type":"new"}

truncate event_2030;
--> no rows

select count(*) from event;
--> {"count":2}

alter table event_2030 rename to event_thirty;
--> no rows

insert into event (at, type) values ('2030-03-03', 'x');
--> no rows

select tableoid::regclass::text as part from event where type = 'x';
--> {"part":"event_thirty"}

create view recent as select id, type from event_thirty;
--> no rows

drop table event_thirty;
--> ERROR 2BP01: cannot drop table event_thirty because other objects depend on it
--> DETAIL: view recent depends on table event_thirty
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop view recent;
--> no rows

drop table event;
--> no rows

select count(*) from pg_class where relname like 'event\_%' and relkind in ('r', 'p');
--> {"count":1}

create table customer (id int, region text, name text) partition by list (region);
--> no rows

create table customer_eu partition of customer for values in ('de', 'fr', 'it');
--> no rows

create table customer_us partition of customer for values in ('us', null);
--> no rows

create table customer_other partition of customer default;
--> no rows

insert into customer values (1, 'de', 'anna'), (2, 'us', 'bob'), (3, null, 'cid'), (4, 'jp', 'dai');
--> no rows

select id, tableoid::regclass::text as part from customer order by id;
--> {"id":1,"part":"customer_eu"}
--> {"id":2,"part":"customer_us"}
--> {"id":3,"part":"customer_us"}
--> {"id":4,"part":"customer_other"}

update customer set region = 'fr' where id = 4 returning id, tableoid::regclass::text as part;
--> {"id":4,"part":"customer_eu"}

create table customer_fr partition of customer for values in ('fr');
--> ERROR 42P17: partition "customer_fr" would overlap partition "customer_eu"
--> AT 63

select c.relname, pg_get_expr(c.relpartbound, c.oid) as bound from pg_class c where c.relispartition and relname like 'customer%' order by 1;
--> {"relname":"customer_eu","bound":"FOR VALUES IN ('de', 'fr', 'it')"}
--> {"relname":"customer_other","bound":"DEFAULT"}
--> {"relname":"customer_us","bound":"FOR VALUES IN ('us', NULL)"}

insert into customer_eu values (9, 'us', 'eve');
--> ERROR 23514: new row for relation "customer_eu" violates partition constraint
--> DETAIL: Failing row contains (9, us, eve).

select region, count(*) from customer group by region order by region nulls last;
--> {"region":"de","count":1}
--> {"region":"fr","count":1}
--> {"region":"us","count":1}
--> {"region":null,"count":1}

select e.name from customer_eu e join customer c on c.id = e.id order by 1;
--> {"name":"anna"}
--> {"name":"dai"}

create table reading (sensor int, at date, value float8) partition by range (sensor, at);
--> no rows

create table reading_a partition of reading for values from (1, '2024-01-01') to (10, '2024-01-01');
--> no rows

create table reading_b partition of reading for values from (10, '2024-01-01') to (maxvalue, maxvalue);
--> no rows

create table reading_c partition of reading for values from (minvalue, minvalue) to (1, '2024-01-01');
--> no rows

insert into reading values (1, '2023-12-31', 1), (1, '2024-01-01', 2), (10, '2023-12-31', 3), (10, '2024-01-01', 4), (99, '2000-01-01', 5), (-5, '2024-01-01', 6);
--> no rows

select sensor, at, tableoid::regclass::text as part from reading order by 1, 2;
--> {"sensor":-5,"at":"2024-01-01","part":"reading_c"}
--> {"sensor":1,"at":"2023-12-31","part":"reading_c"}
--> {"sensor":1,"at":"2024-01-01","part":"reading_a"}
--> {"sensor":10,"at":"2023-12-31","part":"reading_a"}
--> {"sensor":10,"at":"2024-01-01","part":"reading_b"}
--> {"sensor":99,"at":"2000-01-01","part":"reading_b"}

insert into reading values (null, '2024-01-01', 1);
--> ERROR 23514: no partition of relation "reading" found for row
--> DETAIL: Partition key of the failing row contains (sensor, at) = (null, 2024-01-01).

create table reading_d partition of reading for values from (5, '2024-01-01') to (6, minvalue);
--> ERROR 42P17: partition "reading_d" would overlap partition "reading_a"
--> AT 62

create table hashed (id int, name text) partition by hash (id);
--> no rows

create table hashed_0 partition of hashed for values with (modulus 3, remainder 0);
--> no rows

create table hashed_1 partition of hashed for values with (modulus 3, remainder 1);
--> no rows

create table hashed_2 partition of hashed for values with (modulus 3, remainder 2);
--> no rows

insert into hashed select i, 'n' || i from generate_series(1, 12) as i;
--> no rows

select id, tableoid::regclass::text as part from hashed order by id;
--> {"id":1,"part":"hashed_2"}
--> {"id":2,"part":"hashed_0"}
--> {"id":3,"part":"hashed_1"}
--> {"id":4,"part":"hashed_0"}
--> {"id":5,"part":"hashed_2"}
--> {"id":6,"part":"hashed_0"}
--> {"id":7,"part":"hashed_1"}
--> {"id":8,"part":"hashed_0"}
--> {"id":9,"part":"hashed_2"}
--> {"id":10,"part":"hashed_1"}
--> {"id":11,"part":"hashed_2"}
--> {"id":12,"part":"hashed_2"}

create table hashed_3 partition of hashed for values with (modulus 3, remainder 2);
--> ERROR 42P17: partition "hashed_3" would overlap partition "hashed_2"
--> AT 54

create table hashed_4 partition of hashed for values with (modulus 3, remainder 3);
--> ERROR 42P16: remainder for hash partition must be less than modulus

create table hashed_5 partition of hashed default;
--> ERROR 42P16: a hash-partitioned table may not have a default partition

create table texts (k text, u uuid, n bigint) partition by hash (k, n);
--> no rows

create table texts_0 partition of texts for values with (modulus 2, remainder 0); create table texts_1 partition of texts for values with (modulus 2, remainder 1);
--> no rows

insert into texts select 'key number ' || i, null, i * 10000000000 from generate_series(-3, 6) as i;
--> no rows

select k, tableoid::regclass::text as part from texts order by n;
--> {"k":"key number -3","part":"texts_1"}
--> {"k":"key number -2","part":"texts_0"}
--> {"k":"key number -1","part":"texts_1"}
--> {"k":"key number 0","part":"texts_1"}
--> {"k":"key number 1","part":"texts_1"}
--> {"k":"key number 2","part":"texts_1"}
--> {"k":"key number 3","part":"texts_0"}
--> {"k":"key number 4","part":"texts_0"}
--> {"k":"key number 5","part":"texts_1"}
--> {"k":"key number 6","part":"texts_1"}

create table tenant (org uuid, id int, body text, unique (org, id)) partition by hash (org);
--> no rows

create table tenant_0 partition of tenant for values with (modulus 2, remainder 0); create table tenant_1 partition of tenant for values with (modulus 2, remainder 1);
--> no rows

insert into tenant values ('00000000-0000-0000-0000-000000000001', 1, 'a'), ('00000000-0000-0000-0000-000000000002', 1, 'b'), ('3f2504e0-4f89-41d3-9a0c-0305e82c3301', 1, 'c') on conflict (org, id) do update set body = 'again';
--> no rows

insert into tenant values ('00000000-0000-0000-0000-000000000001', 1, 'x') on conflict (org, id) do update set body = excluded.body returning body;
--> {"body":"x"}

select org, tableoid::regclass::text as part from tenant order by org;
--> {"org":"00000000-0000-0000-0000-000000000001","part":"tenant_1"}
--> {"org":"00000000-0000-0000-0000-000000000002","part":"tenant_0"}
--> {"org":"3f2504e0-4f89-41d3-9a0c-0305e82c3301","part":"tenant_1"}

create table nested (y int, m int, v text) partition by range (y);
--> no rows

create table nested_2024 partition of nested for values from (2024) to (2025) partition by list (m);
--> no rows

create table nested_2024_1 partition of nested_2024 for values in (1);
--> no rows

create table nested_2024_2 partition of nested_2024 for values in (2);
--> no rows

create table nested_2025 partition of nested for values from (2025) to (2026);
--> no rows

insert into nested values (2024, 1, 'a'), (2024, 2, 'b'), (2025, 7, 'c');
--> no rows

select v, tableoid::regclass::text as part from nested order by v;
--> {"v":"a","part":"nested_2024_1"}
--> {"v":"b","part":"nested_2024_2"}
--> {"v":"c","part":"nested_2025"}

select v from nested_2024 order by v;
--> {"v":"a"}
--> {"v":"b"}

insert into nested values (2027, 1, 'z');
--> ERROR 23514: no partition of relation "nested" found for row
--> DETAIL: Partition key of the failing row contains (y) = (2027).

insert into nested_2024 values (2024, 2, 'd') returning v;
--> {"v":"d"}

select relname, relkind from pg_class where relname like 'nested%' order by 1;
--> {"relname":"nested","relkind":"p"}
--> {"relname":"nested_2024","relkind":"p"}
--> {"relname":"nested_2024_1","relkind":"r"}
--> {"relname":"nested_2024_2","relkind":"r"}
--> {"relname":"nested_2025","relkind":"r"}

drop table nested_2024;
--> no rows

select v from nested;
--> {"v":"c"}

create table keyless (id int primary key, at date) partition by range (at);
--> ERROR 0A000: unique constraint on partitioned table must include all partitioning columns
--> DETAIL: PRIMARY KEY constraint on table "keyless" lacks column "at" which is part of the partition key.

create table lower_key (id int, name text) partition by list (lower(name));
--> no rows

create table lower_key_a partition of lower_key for values in ('ann', 'bob');
--> no rows

insert into lower_key values (1, 'Ann'), (2, 'BOB');
--> no rows

insert into lower_key values (3, 'Zoe');
--> ERROR 23514: no partition of relation "lower_key" found for row
--> DETAIL: Partition key of the failing row contains (lower(name)) = (zoe).

select pg_get_partkeydef('lower_key'::regclass);
--> {"pg_get_partkeydef":"LIST (lower(name))"}

create table volatile_key (id int, at timestamptz) partition by range ((at > now()));
--> ERROR 42P17: functions in partition key expression must be marked IMMUTABLE

create table wrong_key (id int) partition by range (nope);
--> ERROR 42703: column "nope" named in partition key does not exist
--> AT 53

create table wrong_way (id int) partition by circle (id);
--> ERROR 22023: unrecognized partitioning strategy "circle"

create table two_lists (a int, b int) partition by list (a, b);
--> ERROR 42P17: cannot use "list" partition strategy with more than one column

create table ref (id int primary key); insert into ref values (1), (2);
--> no rows

create table used (ref_id int not null references ref on delete cascade, at date not null, n int check (n > 0)) partition by range (at);
--> no rows

create table used_1 partition of used for values from ('2024-01-01') to ('2025-01-01');
--> no rows

insert into used values (1, '2024-02-02', 1), (2, '2024-03-03', 2);
--> no rows

insert into used values (9, '2024-02-02', 1);
--> ERROR 23503: insert or update on table "used_1" violates foreign key constraint "used_ref_id_fkey"
--> DETAIL: Key (ref_id)=(9) is not present in table "ref".

insert into used values (1, '2024-02-02', 0);
--> ERROR 23514: new row for relation "used_1" violates check constraint "used_n_check"
--> DETAIL: Failing row contains (1, 2024-02-02, 0).

delete from ref where id = 1;
--> no rows

select * from used_1;
--> {"ref_id":2,"at":"2024-03-03","n":2}

create table counted (n int, op text);
--> no rows

create function count_it() returns trigger language plpgsql as $$ begin insert into counted values (new.n, tg_op); return new; end $$;
--> no rows

create trigger counting after insert or update on used for each row execute function count_it();
--> no rows

insert into used values (2, '2024-04-04', 5);
--> no rows

insert into used_1 values (2, '2024-05-05', 6);
--> no rows

update used set n = n + 1 where n = 6;
--> no rows

select * from counted order by n, op;
--> {"n":5,"op":"INSERT"}
--> {"n":6,"op":"INSERT"}
--> {"n":7,"op":"UPDATE"}

alter table used enable row level security; create policy few on used using (n < 7) with check (n < 9); grant all on used to authenticated;
--> no rows

set role authenticated; select ref_id, n from used order by n;
--> {"ref_id":2,"n":2}
--> {"ref_id":2,"n":5}

set role authenticated; insert into used values (2, '2024-06-06', 20);
--> ERROR 42501: new row violates row-level security policy for table "used"

set role authenticated; select count(*) from used_1;
--> {"count":3}

create table checked (id int, at date, constraint in_time check (at < '2025-01-01'));
--> no rows

insert into checked values (1, '2024-12-31');
--> no rows

create table timed (id int, at date) partition by range (at);
--> no rows

alter table timed attach partition checked for values from ('2024-01-01') to ('2025-06-01');
--> no rows

insert into timed values (2, '2025-02-02');
--> ERROR 23514: new row for relation "checked" violates check constraint "in_time"
--> DETAIL: Failing row contains (2, 2025-02-02).

insert into timed values (3, '2024-02-02') returning *;
--> {"id":3,"at":"2024-02-02"}

copy timed from stdin;
--> ERROR 57014: COPY from stdin failed: unread

comment on table timed is 'by time';
--> no rows

select obj_description('timed'::regclass) as c;
--> {"c":"by time"}

grant select on checked to anon;
--> no rows

set role anon; select id from checked order by id;
--> {"id":1}
--> {"id":3}

set role anon; select id from timed;
--> {"id":1}
--> {"id":3}
