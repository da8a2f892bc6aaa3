-- No statement is counted.
create function {schema}.pg_stat_statements_reset(userid oid default 0, dbid oid default 0, queryid bigint default 0) returns void
language sql as 'select null';
create view {schema}.pg_stat_statements as select
  null::oid as userid, null::oid as dbid, null::boolean as toplevel, null::bigint as queryid, null::text as query,
  null::bigint as plans, null::float8 as total_plan_time, null::float8 as min_plan_time, null::float8 as max_plan_time,
  null::float8 as mean_plan_time, null::float8 as stddev_plan_time, null::bigint as calls, null::float8 as total_exec_time,
  null::float8 as min_exec_time, null::float8 as max_exec_time, null::float8 as mean_exec_time, null::float8 as stddev_exec_time,
  null::bigint as rows, null::bigint as shared_blks_hit, null::bigint as shared_blks_read, null::bigint as shared_blks_dirtied,
  null::bigint as shared_blks_written, null::bigint as local_blks_hit, null::bigint as local_blks_read,
  null::bigint as local_blks_dirtied, null::bigint as local_blks_written, null::bigint as temp_blks_read,
  null::bigint as temp_blks_written, null::float8 as blk_read_time, null::float8 as blk_write_time,
  null::float8 as temp_blk_read_time, null::float8 as temp_blk_write_time, null::bigint as wal_records, null::bigint as wal_fpi,
  null::numeric as wal_bytes, null::bigint as jit_functions, null::float8 as jit_generation_time, null::bigint as jit_inlining_count,
  null::float8 as jit_inlining_time, null::bigint as jit_optimization_count, null::float8 as jit_optimization_time,
  null::bigint as jit_emission_count, null::float8 as jit_emission_time
where false;
create view {schema}.pg_stat_statements_info as select 0::bigint as dealloc, null::timestamptz as stats_reset;
grant select on {schema}.pg_stat_statements, {schema}.pg_stat_statements_info to public;
