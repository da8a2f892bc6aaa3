-- Unique indexes of partitioned tables, and statistics as other sessions see them.

create table pt (a int, b int) partition by range (b);
--> no rows

create unique index on pt (a);
--> ERROR 0A000: unique constraint on partitioned table must include all partitioning columns
--> DETAIL: UNIQUE constraint on table "pt" lacks column "b" which is part of the partition key.

create unique index on pt (a, (b + 1));
--> ERROR 0A000: unique constraint on partitioned table must include all partitioning columns
--> DETAIL: UNIQUE constraint on table "pt" lacks column "b" which is part of the partition key.

create unique index on pt (a, b);
--> no rows

create table pe (a int, b int) partition by range ((b + 1));
--> no rows

create unique index on pe (a, b);
--> ERROR 0A000: unsupported UNIQUE constraint with partition key definition
--> DETAIL: UNIQUE constraints cannot be used when partition keys include expressions.

create schema eng;
--> no rows

create table eng.ev (tenant int, name text);
--> no rows

create statistics eng.ev_st (dependencies, ndistinct) on tenant, name from eng.ev;
--> no rows

select pg_get_statisticsobjdef(oid) from pg_statistic_ext;
--> {"pg_get_statisticsobjdef":"CREATE STATISTICS eng.ev_st (ndistinct, dependencies) ON tenant, name FROM eng.ev"}

create table ev2 (tenant int, name text);
--> no rows

create statistics ev2_st on tenant, name from ev2;
--> no rows

set search_path = '';
--> no rows

select pg_catalog.pg_get_statisticsobjdef(oid) from pg_catalog.pg_statistic_ext order by stxname;
--> {"pg_get_statisticsobjdef":"CREATE STATISTICS public.ev2_st ON tenant, name FROM ev2"}
--> {"pg_get_statisticsobjdef":"CREATE STATISTICS eng.ev_st (ndistinct, dependencies) ON tenant, name FROM eng.ev"}
