-- No statement is recorded.
create function {schema}.pg_stat_statements(showtext boolean, out userid oid, out dbid oid, out toplevel boolean, out queryid bigint, out query text,
    out plans bigint, out total_plan_time float8, out min_plan_time float8, out max_plan_time float8, out mean_plan_time float8,
    out stddev_plan_time float8, out calls bigint, out total_exec_time float8, out min_exec_time float8, out max_exec_time float8,
    out mean_exec_time float8, out stddev_exec_time float8, out rows bigint, out shared_blks_hit bigint, out shared_blks_read bigint,
    out shared_blks_dirtied bigint, out shared_blks_written bigint, out local_blks_hit bigint, out local_blks_read bigint,
    out local_blks_dirtied bigint, out local_blks_written bigint, out temp_blks_read bigint, out temp_blks_written bigint,
    out blk_read_time float8, out blk_write_time float8, out temp_blk_read_time float8, out temp_blk_write_time float8,
    out wal_records bigint, out wal_fpi bigint, out wal_bytes numeric, out jit_functions bigint, out jit_generation_time float8,
    out jit_inlining_count bigint, out jit_inlining_time float8, out jit_optimization_count bigint, out jit_optimization_time float8,
    out jit_emission_count bigint, out jit_emission_time float8) returns setof record language plpgsql stable strict parallel safe
    as 'begin end';
create view {schema}.pg_stat_statements as select * from {schema}.pg_stat_statements(true);
create function {schema}.pg_stat_statements_info(out dealloc bigint, out stats_reset timestamptz) returns record language sql stable strict
    parallel safe as 'select 0::bigint, pg_catalog.now()';
create view {schema}.pg_stat_statements_info as select * from {schema}.pg_stat_statements_info();
create function {schema}.pg_stat_statements_reset(userid oid default 0, dbid oid default 0, queryid bigint default 0) returns void language plpgsql
    strict parallel safe as 'begin end';
grant select on {schema}.pg_stat_statements, {schema}.pg_stat_statements_info to public;
do $rights$
begin
    if to_regrole('postgres') is not null then
        grant all on {schema}.pg_stat_statements, {schema}.pg_stat_statements_info to postgres with grant option;
    end if;
end $rights$;
