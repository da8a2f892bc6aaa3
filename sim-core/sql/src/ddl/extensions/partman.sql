create table {schema}.part_config (
  parent_table text not null primary key, control text not null, time_encoder text, time_decoder text,
  partition_interval text not null, partition_type text not null, premake integer not null default 4,
  automatic_maintenance text not null default 'on', template_table text, retention text, retention_schema text,
  retention_keep_index boolean not null default true, retention_keep_table boolean not null default true,
  epoch text not null default 'none', constraint_cols text[], optimize_constraint integer not null default 30,
  infinite_time_partitions boolean not null default false, datetime_string text, jobmon boolean not null default true,
  sub_partition_set_full boolean not null default false, undo_in_progress boolean not null default false,
  inherit_privileges boolean default false, constraint_valid boolean not null default true,
  ignore_default_data boolean not null default true, date_trunc_interval text, maintenance_order integer,
  retention_keep_publication boolean not null default false, maintenance_last_run timestamptz,
  constraint premake_value check (premake > 0),
  constraint part_config_automatic_maintenance_check check (automatic_maintenance in ('on', 'off')));

-- The table that a text names, which must be partitioned by range or list.
create function {schema}.partitioned(parent text) returns regclass language plpgsql as $$
declare
  found regclass := to_regclass(parent);
begin
  if position('.' in parent) = 0 then
    raise exception 'Parent table must be schema qualified';
  end if;
  if found is null then
    raise exception 'Unable to find given parent table in system catalogs. Please create parent table first: %', parent;
  end if;
  if not exists (select 1 from pg_partitioned_table p where p.partrelid = found) then
    raise exception 'You must have created the given parent table as ranged or list partitioned already. Ex: CREATE TABLE ... PARTITION BY RANGE ...)';
  end if;
  return found;
end $$;

-- A name with an end, short enough for a table.
create function {schema}.child_name(parent text, suffix text) returns text language sql immutable as $$
  select substr(parent, 1, 63 - length(suffix)) || suffix $$;

-- Makes the partition that begins at a value if it is not there.
create function {schema}.add_partition(parent regclass, suffix text, low text, high text) returns boolean
language plpgsql as $$
declare
  home text;
  name text;
  child text;
begin
  select n.nspname, c.relname into home, name from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = parent;
  child := {schema}.child_name(name, '_p' || suffix);
  if to_regclass(format('%I.%I', home, child)) is not null then
    return false;
  end if;
  execute format('create table %I.%I partition of %s for values from (%L) to (%L)', home, child, parent, low, high);
  return true;
end $$;

-- The beginning of the period of a time.
create function {schema}.period_start(instant timestamptz, step interval, trunc text) returns timestamptz
language plpgsql as $$
begin
  return date_trunc(case
    when trunc is not null then trunc
    when step >= interval '1 year' then 'year'
    when step >= interval '1 month' then 'month'
    when step = interval '7 days' then 'week'
    when step >= interval '1 day' then 'day'
    when step >= interval '1 hour' then 'hour'
    when step >= interval '1 minute' then 'minute'
    else 'second' end, instant);
end $$;

create function {schema}.time_format(step interval) returns text language sql as $$
  select case when step >= interval '1 day' then 'YYYYMMDD' when step > interval '0' then 'YYYYMMDD_HH24MISS' end $$;

create function {schema}.add_time_partition(parent regclass, step interval, start timestamptz) returns boolean
language sql as $$
  select {schema}.add_partition(parent, to_char(start, {schema}.time_format(step)), start::text, (start + step)::text) $$;

create function {schema}.create_parent(
  p_parent_table text, p_control text, p_interval text, p_type text default 'range', p_epoch text default 'none',
  p_premake integer default 4, p_start_partition text default null, p_default_table boolean default true,
  p_automatic_maintenance text default 'on', p_constraint_cols text[] default null, p_template_table text default null,
  p_jobmon boolean default true, p_date_trunc_interval text default null, p_control_not_null boolean default true,
  p_time_encoder text default null, p_time_decoder text default null)
returns boolean language plpgsql as $$
declare
  parent regclass := {schema}.partitioned(p_parent_table);
  home text;
  name text;
  kind text;
  is_set boolean;
  step interval;
  id_step bigint;
  start timestamptz;
  first bigint;
begin
  if p_type not in ('range', 'list') then
    raise exception '% is not a valid partitioning type for pg_partman', p_type;
  end if;
  if p_type = 'list' or p_epoch <> 'none' or p_time_encoder is not null or p_time_decoder is not null then
    raise exception 'partitions by list, by epoch or by encoded times are not simulated' using errcode = '0A000';
  end if;
  if exists (select 1 from {schema}.part_config c where c.parent_table = p_parent_table) then
    raise exception 'duplicate key value violates unique constraint "part_config_parent_table_pkey"' using errcode = '23505';
  end if;
  select n.nspname, c.relname into home, name from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = parent;
  select format_type(a.atttypid, null), a.attnotnull into kind, is_set from pg_attribute a
    where a.attrelid = parent and a.attname = p_control and not a.attisdropped;
  if kind is null then
    raise exception 'Could not find control column % in parent table', p_control;
  end if;
  if p_control_not_null and not is_set then
    raise exception 'Control column given (%) for parent table (%) must be set to NOT NULL', p_control, p_parent_table;
  end if;
  if kind in ('timestamp with time zone', 'timestamp without time zone', 'date') then
    step := p_interval::interval;
    start := coalesce(p_start_partition::timestamptz, now());
    start := {schema}.period_start(start, step, p_date_trunc_interval);
    for i in 0..p_premake loop
      if i > 0 and p_start_partition is null then
        perform {schema}.add_time_partition(parent, step, start - step * i);
      end if;
      perform {schema}.add_time_partition(parent, step, start + step * i);
    end loop;
  elsif kind in ('smallint', 'integer', 'bigint', 'numeric') then
    id_step := p_interval::bigint;
    if id_step < 2 then
      raise exception 'Interval for range partitioning must be greater than or equal to 2 (P_INTERVAL = %)', p_interval;
    end if;
    execute format('select coalesce(max(%I), 0)::bigint from %s', p_control, parent) into first;
    first := coalesce(p_start_partition::bigint, first);
    first := first - first % id_step;
    for i in 0..p_premake loop
      if i > 0 and p_start_partition is null and first - id_step * i >= 0 then
        perform {schema}.add_partition(parent, (first - id_step * i)::text, (first - id_step * i)::text, (first - id_step * (i - 1))::text);
      end if;
      perform {schema}.add_partition(parent, (first + id_step * i)::text, (first + id_step * i)::text, (first + id_step * (i + 1))::text);
    end loop;
  else
    raise exception 'Control column % must be a time or a whole number, and is %', p_control, kind;
  end if;
  if p_default_table then
    execute format('create table %I.%I partition of %s default', home, {schema}.child_name(name, '_default'), parent);
  end if;
  if p_template_table is null then
    p_template_table := '{schema}.' || quote_ident(substr('template_' || home || '_' || name, 1, 63));
    execute format('create table %s (like %s)', p_template_table, parent);
  elsif p_template_table = 'false' then
    p_template_table := null;
  elsif to_regclass(p_template_table) is null then
    raise exception 'Unable to find given template table in system catalogs. Please create it first: %', p_template_table;
  end if;
  insert into {schema}.part_config (parent_table, control, partition_interval, partition_type, premake, automatic_maintenance,
    template_table, epoch, constraint_cols, datetime_string, jobmon, date_trunc_interval)
  values (p_parent_table, p_control, coalesce(step::text, id_step::text), p_type, p_premake, p_automatic_maintenance,
    p_template_table, p_epoch, p_constraint_cols, {schema}.time_format(step), p_jobmon, p_date_trunc_interval);
  return true;
end $$;

create function {schema}.show_partitions(p_parent_table text, p_order text default 'ASC', p_include_default boolean default false)
returns table (partition_schemaname text, partition_tablename text) language plpgsql stable as $$
declare
  parent regclass := {schema}.partitioned(p_parent_table);
begin
  if upper(p_order) not in ('ASC', 'DESC') then
    raise exception 'p_order parameter must be one of the following values: ASC, DESC';
  end if;
  return query select n.nspname::text, c.relname::text
    from pg_inherits h join pg_class c on c.oid = h.inhrelid join pg_namespace n on n.oid = c.relnamespace
    where h.inhparent = parent and (p_include_default or pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT')
    order by case when upper(p_order) = 'ASC' then {schema}.low_bound(c.oid) end,
      case when upper(p_order) = 'DESC' then {schema}.low_bound(c.oid) end desc;
end $$;

-- The bounds of a partition, as texts that sort as their values do.
create function {schema}.low_bound(child oid) returns text language sql stable as $$
  select case when low ~ '^-?\d+$' then lpad(low, 20, '0') else low end
  from (select substring(pg_get_expr(c.relpartbound, c.oid) from $r$FROM \('?([^')]*)'?\)$r$) as low from pg_class c where c.oid = child) b $$;
create function {schema}.high_bound(child oid) returns text language sql stable as $$
  select substring(pg_get_expr(c.relpartbound, c.oid) from $r$TO \('?([^')]*)'?\)$r$) from pg_class c where c.oid = child $$;

create function {schema}.show_partition_info(p_child_table text, p_partition_interval text default null, p_parent_table text default null,
  out child_start_time timestamptz, out child_end_time timestamptz, out child_start_id bigint, out child_end_id bigint, out suffix text)
language plpgsql stable as $$
declare
  child regclass := to_regclass(p_child_table);
  low text := {schema}.low_bound(child);
begin
  if child is null then
    raise exception 'Child table given does not exist (%)', p_child_table;
  end if;
  suffix := substring(p_child_table from '_p([0-9_]+)"?$');
  if low ~ '^\d{20}$' then
    child_start_id := low::bigint;
    child_end_id := {schema}.high_bound(child)::bigint;
  else
    child_start_time := low::timestamptz;
    child_end_time := {schema}.high_bound(child)::timestamptz;
  end if;
end $$;

-- Takes out the partitions that end before a value; returns their number.
create function {schema}.drop_before(config {schema}.part_config, at_time timestamptz, at_id bigint, keep boolean, to_schema text)
returns integer language plpgsql as $$
declare
  child record;
  gone integer := 0;
begin
  for child in select c.oid::regclass as name, {schema}.high_bound(c.oid) as high
    from pg_inherits h join pg_class c on c.oid = h.inhrelid
    where h.inhparent = to_regclass(config.parent_table) and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
    order by {schema}.low_bound(c.oid)
  loop
    continue when at_time is not null and child.high::timestamptz > at_time;
    continue when at_id is not null and child.high::bigint > at_id;
    execute format('alter table %s detach partition %s', to_regclass(config.parent_table), child.name);
    if to_schema is not null then
      execute format('alter table %s set schema %I', child.name, to_schema);
    elsif not keep then
      execute format('drop table %s', child.name);
    end if;
    gone := gone + 1;
  end loop;
  return gone;
end $$;

create function {schema}.config_of(parent text) returns {schema}.part_config language plpgsql stable as $$
declare
  config {schema}.part_config;
begin
  select c.* into config from {schema}.part_config c where c.parent_table = parent;
  if not found then
    raise exception 'ERROR: No entry in part_config found for given table: %', parent;
  end if;
  return config;
end $$;

create function {schema}.drop_partition_time(p_parent_table text, p_retention interval default null, p_keep_table boolean default null,
  p_keep_index boolean default null, p_retention_schema text default null, p_reference_timestamp timestamptz default now())
returns integer language plpgsql as $$
declare
  config {schema}.part_config := {schema}.config_of(p_parent_table);
  age interval := coalesce(p_retention, config.retention::interval);
begin
  if age is null then
    raise exception 'No retention is set for %', p_parent_table;
  end if;
  return {schema}.drop_before(config, p_reference_timestamp - age, null,
    coalesce(p_keep_table, config.retention_keep_table), coalesce(p_retention_schema, config.retention_schema));
end $$;

create function {schema}.drop_partition_id(p_parent_table text, p_retention bigint default null, p_keep_table boolean default null,
  p_keep_index boolean default null, p_retention_schema text default null)
returns integer language plpgsql as $$
declare
  config {schema}.part_config := {schema}.config_of(p_parent_table);
  kept bigint := coalesce(p_retention, config.retention::bigint);
  newest bigint;
begin
  if kept is null then
    raise exception 'No retention is set for %', p_parent_table;
  end if;
  execute format('select max(%I)::bigint from %s', config.control, to_regclass(p_parent_table)) into newest;
  return {schema}.drop_before(config, null, newest - kept,
    coalesce(p_keep_table, config.retention_keep_table), coalesce(p_retention_schema, config.retention_schema));
end $$;

-- Makes the partitions that a set is short of, and takes out those that are too old.
create function {schema}.maintain(config {schema}.part_config) returns void language plpgsql as $$
declare
  parent regclass := to_regclass(config.parent_table);
  by_time boolean := config.datetime_string is not null;
  newest timestamptz;
  newest_id bigint;
  step interval;
  id_step bigint;
  start timestamptz;
  first bigint;
begin
  if by_time then
    execute format('select max(%I)::timestamptz from %s', config.control, parent) into newest;
    if config.infinite_time_partitions then
      newest := greatest(newest, now());
    end if;
    if newest is not null then
      step := config.partition_interval::interval;
      start := {schema}.period_start(newest, step, config.date_trunc_interval);
      for i in 0..config.premake loop
        perform {schema}.add_time_partition(parent, step, start + step * i);
      end loop;
    end if;
    if config.retention is not null then
      perform {schema}.drop_partition_time(config.parent_table);
    end if;
  else
    execute format('select max(%I)::bigint from %s', config.control, parent) into newest_id;
    if newest_id is not null then
      id_step := config.partition_interval::bigint;
      first := newest_id - newest_id % id_step;
      for i in 0..config.premake loop
        perform {schema}.add_partition(parent, (first + id_step * i)::text, (first + id_step * i)::text, (first + id_step * (i + 1))::text);
      end loop;
    end if;
    if config.retention is not null then
      perform {schema}.drop_partition_id(config.parent_table);
    end if;
  end if;
  update {schema}.part_config c set maintenance_last_run = now() where c.parent_table = config.parent_table;
end $$;

create function {schema}.run_maintenance(p_parent_table text default null, p_analyze boolean default false, p_jobmon boolean default true)
returns void language plpgsql as $$
declare
  config {schema}.part_config;
begin
  if p_parent_table is not null then
    perform {schema}.maintain({schema}.config_of(p_parent_table));
    return;
  end if;
  for config in select c.* from {schema}.part_config c where c.automatic_maintenance = 'on'
    order by c.maintenance_order nulls last, c.parent_table
  loop
    perform {schema}.maintain(config);
  end loop;
end $$;

create procedure {schema}.run_maintenance_proc(p_wait integer default 0, p_analyze boolean default null, p_jobmon boolean default true)
language plpgsql as $$
begin
  perform {schema}.run_maintenance();
end $$;

-- The rows of default partitions, which belong into partitions of their own.
create function {schema}.check_default(p_exact_count boolean default true)
returns table (default_table text, count bigint) language plpgsql as $$
declare
  child record;
  rows bigint;
begin
  for child in select c.oid::regclass as name from {schema}.part_config f
    join pg_inherits h on h.inhparent = to_regclass(f.parent_table) join pg_class c on c.oid = h.inhrelid
    where pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT' order by f.parent_table
  loop
    execute format('select count(*) from %s', child.name) into rows;
    if rows > 0 then
      default_table := child.name::text;
      count := case when p_exact_count then rows else 1 end;
      return next;
    end if;
  end loop;
end $$;

-- The tables of an extension belong to the platform.
grant all on {schema}.part_config to postgres with grant option;
