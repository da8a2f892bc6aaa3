-- Columns and constraints that a partition is given when it is created, and how it is stored.

create table l(k int, v text, n int) partition by list (k);
--> no rows

create table p1 partition of l (k default 5, constraint z check (k >= 0)) for values in (0,1,5);
--> no rows

insert into l(v) values ('a');
--> ERROR 23514: no partition of relation "l" found for row
--> DETAIL: Partition key of the failing row contains (k) = (null).

insert into p1(v) values ('a');
--> no rows

create table p2 partition of l (v not null, n check (n > 0)) for values in (2);
--> no rows

insert into l values (2,null,1);
--> ERROR 23502: null value in column "v" of relation "p2" violates not-null constraint
--> DETAIL: Failing row contains (2, null, 1).

insert into l values (2,'a',0);
--> ERROR 23514: new row for relation "p2" violates check constraint "p2_n_check"
--> DETAIL: Failing row contains (2, a, 0).

insert into l values (2,'a',1);
--> no rows

create table p3 partition of l (primary key (k)) for values in (3);
--> no rows

insert into l values (3,'a',1), (3,'b',1);
--> ERROR 23505: duplicate key value violates unique constraint "p3_pkey"
--> DETAIL: Key (k)=(3) already exists.

create table p4 partition of l (nocol default 5) for values in (4);
--> ERROR 42703: column "nocol" does not exist

create table p6 partition of l (k with options default 6, n unique) for values in (6) partition by list (v);
--> ERROR 0A000: unique constraint on partitioned table must include all partitioning columns
--> DETAIL: UNIQUE constraint on table "p6" lacks column "v" which is part of the partition key.

create table p6 partition of l (k with options default 6) for values in (6) partition by list (v);
--> no rows

create table p7 partition of l (v with options primary key) for values in (7);
--> no rows

create table p8 partition of l (k int) for values in (8);
--> ERROR 42601: syntax error at or near "int"
--> AT 35

create table p9 partition of l () for values in (9);
--> ERROR 42601: syntax error at or near ")"
--> AT 33

select conrelid::regclass, conname, pg_get_constraintdef(oid) from pg_constraint where conrelid::regclass::text like 'p_' order by 1, 2;
--> {"conrelid":"p1","conname":"z","pg_get_constraintdef":"CHECK ((k >= 0))"}
--> {"conrelid":"p2","conname":"p2_n_check","pg_get_constraintdef":"CHECK ((n > 0))"}
--> {"conrelid":"p3","conname":"p3_pkey","pg_get_constraintdef":"PRIMARY KEY (k)"}
--> {"conrelid":"p7","conname":"p7_pkey","pg_get_constraintdef":"PRIMARY KEY (v)"}

select tableoid::regclass, * from l order by 1, 2;
--> {"tableoid":"p1","k":5,"v":"a","n":null}
--> {"tableoid":"p2","k":2,"v":"a","n":1}

alter table p1 alter column v set storage external;
--> no rows

alter table p1 alter column v set statistics 500;
--> no rows

alter table p1 alter v set compression pglz, alter v set (n_distinct = 5);
--> no rows

select attname, attstattarget, attcompression, attoptions from pg_attribute where attrelid = 'p1'::regclass and attnum > 0 order by attnum;
--> {"attname":"k","attstattarget":-1,"attcompression":"","attoptions":null}
--> {"attname":"v","attstattarget":500,"attcompression":"p","attoptions":["n_distinct=5"]}
--> {"attname":"n","attstattarget":-1,"attcompression":"","attoptions":null}

alter table l alter column v set statistics 100;
--> no rows

select attrelid::regclass, attname, attstattarget, attcompression, attoptions from pg_attribute where attrelid in ('l'::regclass, 'p1'::regclass, 'p2'::regclass) and attnum > 0 order by 1, attnum;
--> {"attrelid":"l","attname":"k","attstattarget":-1,"attcompression":"","attoptions":null}
--> {"attrelid":"l","attname":"v","attstattarget":100,"attcompression":"","attoptions":null}
--> {"attrelid":"l","attname":"n","attstattarget":-1,"attcompression":"","attoptions":null}
--> {"attrelid":"p1","attname":"k","attstattarget":-1,"attcompression":"","attoptions":null}
--> {"attrelid":"p1","attname":"v","attstattarget":100,"attcompression":"p","attoptions":["n_distinct=5"]}
--> {"attrelid":"p1","attname":"n","attstattarget":-1,"attcompression":"","attoptions":null}
--> {"attrelid":"p2","attname":"k","attstattarget":-1,"attcompression":"","attoptions":null}
--> {"attrelid":"p2","attname":"v","attstattarget":100,"attcompression":"","attoptions":null}
--> {"attrelid":"p2","attname":"n","attstattarget":-1,"attcompression":"","attoptions":null}

alter table p1 set unlogged;
--> no rows

select relpersistence from pg_class where relname='p1';
--> {"relpersistence":"u"}

alter table p1 set logged;
--> no rows

select relpersistence from pg_class where relname='p1';
--> {"relpersistence":"p"}

alter table p1 set (fillfactor = 70);
--> no rows

alter table p1 alter column k set default 0, alter column v set not null;
--> no rows

alter table p1 alter column v type varchar(9);
--> ERROR 42P16: cannot alter inherited column "v"
