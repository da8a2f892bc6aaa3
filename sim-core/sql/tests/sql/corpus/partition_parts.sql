-- Parts of partitioned tables: how they come, go and are shown.

create table ev (id int not null, kind text not null, at date not null, note text) partition by range (at);
--> no rows

create table ev_2023 partition of ev for values from ('2023-01-01') to ('2024-01-01');
--> no rows

create table ev_2024 (like ev including all);
--> no rows

alter table ev attach partition ev_2024 for values from ('2024-01-01') to ('2025-01-01');
--> no rows

create table ev_other partition of ev default;
--> no rows

insert into ev values (1, 'a', '2023-05-01'), (2, 'b', '2024-05-01'), (3, 'c', '2030-01-01');
--> no rows

select tableoid::regclass as part, id from ev order by id;
--> {"part":"ev_2023","id":1}
--> {"part":"ev_2024","id":2}
--> {"part":"ev_other","id":3}

create table ev_2030 partition of ev for values from ('2030-01-01') to ('2031-01-01');
--> ERROR 23514: updated partition constraint for default partition "ev_other" would be violated by some row

create table ev_2031 partition of ev for values from ('2031-01-01') to ('2032-01-01');
--> no rows

create table ev_2032 (id int, kind text not null, at date not null, note text); alter table ev attach partition ev_2032 for values from ('2032-01-01') to ('2033-01-01');
--> ERROR 42804: column "id" in child table must be marked NOT NULL

create table ev_2033 (id int not null, kind text not null, at date not null); alter table ev attach partition ev_2033 for values from ('2033-01-01') to ('2034-01-01');
--> ERROR 42804: child table is missing column "note"

create table ev_2034 (id int not null, kind text not null, at date not null, note text, more int); alter table ev attach partition ev_2034 for values from ('2034-01-01') to ('2035-01-01');
--> ERROR 42804: table "ev_2034" contains column "more" not found in parent "ev"
--> DETAIL: The new partition may contain only the columns present in parent.

create table ev_2035 (id bigint not null, kind text not null, at date not null, note text); alter table ev attach partition ev_2035 for values from ('2035-01-01') to ('2036-01-01');
--> ERROR 42804: child table "ev_2035" has different type for column "id"

create table ev_2036 (like ev including all); insert into ev_2036 values (9, 'x', '2020-01-01'); alter table ev attach partition ev_2036 for values from ('2036-01-01') to ('2037-01-01');
--> ERROR 23514: partition constraint of relation "ev_2036" is violated by some row

alter table ev attach partition ev_2024 for values from ('2040-01-01') to ('2041-01-01');
--> ERROR 42809: "ev_2024" is already a partition

create table ev_x partition of ev for values from ('2024-06-01') to ('2025-06-01');
--> ERROR 42P17: partition "ev_x" would overlap partition "ev_2024"
--> AT 52

create table ev_x partition of ev for values from ('2025-06-01') to ('2025-06-01');
--> ERROR 42P17: empty range bound specified for partition "ev_x"
--> DETAIL: Specified lower bound ('2025-06-01') is greater than or equal to upper bound ('2025-06-01').
--> AT 52

create table ev_x partition of ev default;
--> ERROR 42P17: partition "ev_x" conflicts with existing default partition "ev_other"
--> AT 35

create table ev_x partition of ev for values in ('2025-06-01');
--> ERROR 42P16: invalid bound specification for a range partition
--> AT 46

select relname, pg_get_expr(relpartbound, oid) as bound from pg_class where relispartition and relname like 'ev%' order by relname;
--> {"relname":"ev_2023","bound":"FOR VALUES FROM ('2023-01-01') TO ('2024-01-01')"}
--> {"relname":"ev_2024","bound":"FOR VALUES FROM ('2024-01-01') TO ('2025-01-01')"}
--> {"relname":"ev_2031","bound":"FOR VALUES FROM ('2031-01-01') TO ('2032-01-01')"}
--> {"relname":"ev_other","bound":"DEFAULT"}

select pg_get_partkeydef('ev'::regclass), pg_get_partkeydef('ev_2024'::regclass);
--> {"pg_get_partkeydef":null}

select relid::regclass as r, parentrelid::regclass as p, isleaf, level from pg_partition_tree('ev') order by 1;
--> {"r":"ev","p":null,"isleaf":false,"level":0}
--> {"r":"ev_2023","p":"ev","isleaf":true,"level":1}
--> {"r":"ev_2024","p":"ev","isleaf":true,"level":1}
--> {"r":"ev_other","p":"ev","isleaf":true,"level":1}
--> {"r":"ev_2031","p":"ev","isleaf":true,"level":1}

select pg_partition_root('ev_2024') as root;
--> {"root":"ev"}

select relid::regclass as r from pg_partition_ancestors('ev_2024') as t(relid);
--> {"r":"ev_2024"}
--> {"r":"ev"}

select inhrelid::regclass as r, inhdetachpending as d from pg_inherits where inhparent = 'ev'::regclass order by 1;
--> {"r":"ev_2023","d":false}
--> {"r":"ev_2024","d":false}
--> {"r":"ev_other","d":false}
--> {"r":"ev_2031","d":false}

select partstrat, partnatts, partattrs, partdefid::regclass as d from pg_partitioned_table where partrelid = 'ev'::regclass;
--> {"partstrat":"r","partnatts":1,"partattrs":"3","d":"ev_other"}

update ev set at = '2024-07-01' where id = 1; select tableoid::regclass as part, id from ev order by id;
--> {"part":"ev_2024","id":1}
--> {"part":"ev_2024","id":2}
--> {"part":"ev_other","id":3}

update ev_2024 set at = '2023-07-01' where id = 1;
--> ERROR 23514: new row for relation "ev_2024" violates partition constraint
--> DETAIL: Failing row contains (1, a, 2023-07-01, null).

insert into ev_2024 values (7, 'w', '2023-01-01');
--> ERROR 23514: new row for relation "ev_2024" violates partition constraint
--> DETAIL: Failing row contains (7, w, 2023-01-01, null).

insert into ev_2024 values (7, 'w', '2024-01-01');
--> no rows

alter table ev detach partition ev_2024; select count(*) from ev; select count(*) from ev_2024;
--> {"count":3}

insert into ev values (11, 'd', '2024-03-03'); select tableoid::regclass as part, id from ev where id = 11;
--> {"part":"ev_other","id":11}

alter table ev attach partition ev_2024 for values from ('2024-01-01') to ('2025-01-01');
--> ERROR 23514: updated partition constraint for default partition "ev_other" would be violated by some row

delete from ev where id = 11; alter table ev attach partition ev_2024 for values from ('2024-01-01') to ('2025-01-01'); select count(*) from ev;
--> {"count":4}

alter table ev detach partition ev_2024 concurrently;
--> ERROR 55000: cannot detach partitions concurrently when a default partition exists

alter table ev detach partition nothing;
--> ERROR 42P01: relation "nothing" does not exist

alter table ev detach partition ev_2036;
--> ERROR 42P01: relation "ev_2036" does not exist

truncate ev_2024; select count(*) from ev;
--> {"count":1}

drop table ev_2024; select count(*) from ev;
--> {"count":1}

truncate ev; select count(*) from ev_2023;
--> {"count":0}

alter table ev add primary key (id, at); select conname, pg_get_constraintdef(oid) as d, conislocal, coninhcount from pg_constraint where conrelid in ('ev'::regclass, 'ev_2023'::regclass) and contype = 'p' order by conname;
--> {"conname":"ev_2023_pkey","d":"PRIMARY KEY (id, at)","conislocal":false,"coninhcount":1}
--> {"conname":"ev_pkey","d":"PRIMARY KEY (id, at)","conislocal":true,"coninhcount":0}

alter table ev add unique (id);
--> ERROR 0A000: unique constraint on partitioned table must include all partitioning columns
--> DETAIL: UNIQUE constraint on table "ev" lacks column "at" which is part of the partition key.

alter table ev add constraint ev_kind_at unique (kind, at);
--> no rows

create index on ev (kind); select indexrelid::regclass as i, indrelid::regclass as t from pg_index where indrelid in ('ev'::regclass, 'ev_2023'::regclass) order by 1;
--> {"i":"ev_pkey","t":"ev"}
--> {"i":"ev_2023_pkey","t":"ev_2023"}
--> {"i":"ev_kind_at","t":"ev"}
--> {"i":"ev_2023_kind_at_key","t":"ev_2023"}
--> {"i":"ev_kind_idx","t":"ev"}
--> {"i":"ev_2023_kind_idx","t":"ev_2023"}

create index ev_note on only ev (note); select indisvalid from pg_index where indexrelid = 'ev_note'::regclass;
--> {"indisvalid":false}

create index ev_2023_note on ev_2023 (note); alter index ev_note attach partition ev_2023_note;
--> no rows

drop index ev_2023_kind_idx;
--> ERROR 2BP01: cannot drop index ev_2023_kind_idx because index ev_kind_idx requires it
--> HINT: You can drop index ev_kind_idx instead.

insert into ev values (1, 'a', '2023-01-01'); insert into ev values (1, 'b', '2023-01-01');
--> ERROR 23505: duplicate key value violates unique constraint "ev_2023_pkey"
--> DETAIL: Key (id, at)=(1, 2023-01-01) already exists.

insert into ev values (2, 'a', '2023-01-01');
--> no rows

insert into ev values (1, 'q', '2023-01-01') on conflict (id, at) do update set kind = excluded.kind returning *;
--> {"id":1,"kind":"q","at":"2023-01-01","note":null}

create table cities (id int, region text, name text) partition by list (region);
--> no rows

create table cities_eu partition of cities for values in ('de', 'fr', null);
--> no rows

create table cities_us partition of cities for values in ('us') partition by hash (id);
--> no rows

create table cities_us_0 partition of cities_us for values with (modulus 2, remainder 0);
--> no rows

create table cities_us_1 partition of cities_us for values with (modulus 2, remainder 1);
--> no rows

create table cities_us_x partition of cities_us for values with (modulus 2, remainder 1);
--> ERROR 42P17: partition "cities_us_x" would overlap partition "cities_us_1"
--> AT 60

create table cities_us_x partition of cities_us for values with (modulus 2, remainder 2);
--> ERROR 42P16: remainder for hash partition must be less than modulus

create table cities_us_x partition of cities_us for values with (modulus 3, remainder 0);
--> ERROR 42P17: every hash partition modulus must be a factor of the next larger modulus
--> DETAIL: The new modulus 3 is not divisible by 2, the modulus of existing partition "cities_us_1".

create table cities_us_x partition of cities_us default;
--> ERROR 42P16: a hash-partitioned table may not have a default partition

create table cities_x partition of cities for values in ('de');
--> ERROR 42P17: partition "cities_x" would overlap partition "cities_eu"
--> AT 58

insert into cities select g, 'us', 'c' || g from generate_series(1, 6) g; insert into cities values (10, 'de', 'b'), (11, null, 'n');
--> no rows

select tableoid::regclass as part, id from cities order by id;
--> {"part":"cities_us_0","id":1}
--> {"part":"cities_us_0","id":2}
--> {"part":"cities_us_1","id":3}
--> {"part":"cities_us_1","id":4}
--> {"part":"cities_us_1","id":5}
--> {"part":"cities_us_1","id":6}
--> {"part":"cities_eu","id":10}
--> {"part":"cities_eu","id":11}

insert into cities values (12, 'jp', 'k');
--> ERROR 23514: no partition of relation "cities" found for row
--> DETAIL: Partition key of the failing row contains (region) = (jp).

select relid::regclass as r, parentrelid::regclass as p, isleaf, level from pg_partition_tree('cities') order by 1;
--> {"r":"cities","p":null,"isleaf":false,"level":0}
--> {"r":"cities_eu","p":"cities","isleaf":true,"level":1}
--> {"r":"cities_us","p":"cities","isleaf":false,"level":1}
--> {"r":"cities_us_0","p":"cities_us","isleaf":true,"level":2}
--> {"r":"cities_us_1","p":"cities_us","isleaf":true,"level":2}

select relname, pg_get_expr(relpartbound, oid) as bound, relkind from pg_class where relname like 'cities%' order by relname;
--> {"relname":"cities","bound":null,"relkind":"p"}
--> {"relname":"cities_eu","bound":"FOR VALUES IN ('de', 'fr', NULL)","relkind":"r"}
--> {"relname":"cities_us","bound":"FOR VALUES IN ('us')","relkind":"p"}
--> {"relname":"cities_us_0","bound":"FOR VALUES WITH (modulus 2, remainder 0)","relkind":"r"}
--> {"relname":"cities_us_1","bound":"FOR VALUES WITH (modulus 2, remainder 1)","relkind":"r"}

select pg_get_partkeydef('cities'::regclass), pg_get_partkeydef('cities_us'::regclass);
--> {"pg_get_partkeydef":"HASH (id)"}

update cities set region = 'fr' where id = 3 returning tableoid::regclass as part, id;
--> {"part":"cities_eu","id":3}

create table multi (a int, b text, c date) partition by range (a, b);
--> no rows

create table multi_1 partition of multi for values from (1, 'a') to (5, 'm');
--> no rows

create table multi_2 partition of multi for values from (5, 'm') to (maxvalue, maxvalue);
--> no rows

create table multi_0 partition of multi for values from (minvalue, minvalue) to (1, 'a');
--> no rows

insert into multi values (1, 'a'), (5, 'l'), (5, 'm'), (0, 'z'), (99, 'q'); select tableoid::regclass as part, a, b from multi order by a, b;
--> {"part":"multi_0","a":0,"b":"z"}
--> {"part":"multi_1","a":1,"b":"a"}
--> {"part":"multi_1","a":5,"b":"l"}
--> {"part":"multi_2","a":5,"b":"m"}
--> {"part":"multi_2","a":99,"b":"q"}

insert into multi values (null, 'x');
--> ERROR 23514: no partition of relation "multi" found for row
--> DETAIL: Partition key of the failing row contains (a, b) = (null, x).

select pg_get_partkeydef('multi'::regclass); select relname, pg_get_expr(relpartbound, oid) as bound from pg_class where relname like 'multi\_%' order by relname;
--> {"relname":"multi_0","bound":"FOR VALUES FROM (MINVALUE, MINVALUE) TO (1, 'a')"}
--> {"relname":"multi_1","bound":"FOR VALUES FROM (1, 'a') TO (5, 'm')"}
--> {"relname":"multi_2","bound":"FOR VALUES FROM (5, 'm') TO (MAXVALUE, MAXVALUE)"}

create table by_expr (id int, at timestamptz) partition by range ((at at time zone 'utc'));
--> no rows

create table by_lower (id int, name text) partition by list (lower(name)); create table by_lower_a partition of by_lower for values in ('a'); insert into by_lower values (1, 'A'); select pg_get_partkeydef('by_lower'::regclass);
--> {"pg_get_partkeydef":"LIST (lower(name))"}

create table by_hash (id uuid, t text) partition by hash (id, t); select pg_get_partkeydef('by_hash'::regclass);
--> {"pg_get_partkeydef":"HASH (id, t)"}

create table months (at timestamptz not null, v int) partition by range (at); do $$ declare d date; begin for d in select generate_series('2024-01-01'::date, '2024-03-01', '1 month') loop execute format('create table months_%s partition of months for values from (%L) to (%L)', to_char(d, 'YYYY_MM'), d, d + interval '1 month'); end loop; end $$;
--> no rows

select relname, pg_get_expr(relpartbound, oid) as bound from pg_class where relname like 'months\_%' order by relname;
--> {"relname":"months_2024_01","bound":"FOR VALUES FROM ('2024-01-01 00:00:00+00') TO ('2024-02-01 00:00:00+00')"}
--> {"relname":"months_2024_02","bound":"FOR VALUES FROM ('2024-02-01 00:00:00+00') TO ('2024-03-01 00:00:00+00')"}
--> {"relname":"months_2024_03","bound":"FOR VALUES FROM ('2024-03-01 00:00:00+00') TO ('2024-04-01 00:00:00+00')"}

insert into months values ('2024-02-29 23:00+00', 1), ('2024-03-31 12:00+00', 2); select tableoid::regclass as part, v from months order by v;
--> {"part":"months_2024_02","v":1}
--> {"part":"months_2024_03","v":2}

insert into months values ('2024-05-01', 3);
--> ERROR 23514: no partition of relation "months" found for row
--> DETAIL: Partition key of the failing row contains (at) = (2024-05-01 00:00:00+00).

create function noted() returns trigger language plpgsql as $$ begin raise notice '% % %', tg_table_name, tg_op, tg_level; return new; end $$;
--> no rows

create trigger on_months after insert on months for each row execute function noted();
--> no rows

create trigger before_stat before insert on months for each statement execute function noted();
--> no rows

alter table months_2024_01 add column extra int;
--> ERROR 42809: cannot add column to a partition

alter table months add column extra int default 4; select extra from months_2024_02;
--> {"extra":4}

alter table months_2024_01 drop column v;
--> ERROR 42P16: cannot drop inherited column "v"

alter table months_2024_01 alter column v type bigint;
--> ERROR 42P16: cannot alter inherited column "v"

alter table months_2024_01 alter v set data type bigint;
--> ERROR 42P16: cannot alter inherited column "v"

alter table months_2024_01 drop column if exists nothing;
--> no rows

alter table months drop column at;
--> ERROR 42P16: cannot drop column "at" because it is part of the partition key of relation "months"

alter table months alter v type bigint; select format_type(atttypid, atttypmod) as t from pg_attribute where attrelid = 'months_2024_01'::regclass and attname = 'v';
--> {"t":"bigint"}

alter table months add constraint positive check (v > 0); insert into months values ('2024-01-01', -1);
--> ERROR 23514: new row for relation "months_2024_01" violates check constraint "positive"
--> DETAIL: Failing row contains (2024-01-01 00:00:00+00, -1, 4).

alter table months_2024_01 drop constraint positive;
--> ERROR 42704: constraint "positive" of relation "months_2024_01" does not exist

alter table months_2024_01 alter v set default 9; insert into months (at) values ('2024-01-05') returning v; insert into months_2024_01 (at) values ('2024-01-06') returning v;
--> {"v":9}

create table ref_target (id int primary key); alter table months add column ref int references ref_target; insert into months values ('2024-01-07', 1, 1, 5);
--> ERROR 23503: insert or update on table "months_2024_01" violates foreign key constraint "months_ref_fkey"
--> DETAIL: Key (ref)=(5) is not present in table "ref_target".

drop table months_2024_01; select count(*) from pg_inherits where inhparent = 'months'::regclass;
--> {"count":2}

drop table months; select count(*) from pg_class where relname like 'months%';
--> {"count":0}

create table no_parts (id int) partition by list (id); insert into no_parts values (1);
--> ERROR 23514: no partition of relation "no_parts" found for row
--> DETAIL: Partition key of the failing row contains (id) = (1).

select * from no_parts;
--> ERROR 42P01: relation "no_parts" does not exist
--> AT 15

create temp table part_temp partition of no_parts for values in (1);
--> ERROR 42P01: relation "no_parts" does not exist

create table child partition of no_parts for values in (1) partition by list (id); create table grandchild partition of child for values in (1, 2); insert into no_parts values (1), (2);
--> ERROR 42P01: relation "no_parts" does not exist

insert into no_parts values (1); select tableoid::regclass as part, * from no_parts;
--> ERROR 42P01: relation "no_parts" does not exist
--> AT 13

alter table no_parts rename to some_parts; select pg_get_expr(relpartbound, oid) as b from pg_class where relname = 'grandchild';
--> ERROR 42P01: relation "no_parts" does not exist

create table bad (id int) partition by range (nothing);
--> ERROR 42703: column "nothing" named in partition key does not exist
--> AT 47

create table bad (id int) partition by list (id, id);
--> ERROR 42P17: cannot use "list" partition strategy with more than one column

create table bad (id int primary key, k text) partition by list (k);
--> ERROR 0A000: unique constraint on partitioned table must include all partitioning columns
--> DETAIL: PRIMARY KEY constraint on table "bad" lacks column "k" which is part of the partition key.

create table bad partition of ref_target for values in (1);
--> ERROR 42P01: relation "ref_target" does not exist

alter table ref_target attach partition ev_2036 for values in (1);
--> ERROR 42P01: relation "ref_target" does not exist
