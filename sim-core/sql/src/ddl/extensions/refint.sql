-- The names of the columns stand on both sides of the name of the other table.
create function {schema}.check_primary_key() returns trigger language plpgsql as $$
declare
  half int := (tg_nargs - 1) / 2;
  found_it boolean;
  conditions text := '';
begin
  for i in 0 .. half - 1 loop
    if to_jsonb(new)->>tg_argv[i] is null then
      return new;
    end if;
    conditions := conditions || case when i > 0 then ' and ' else '' end || format('%I::text = %L', tg_argv[half + 1 + i], to_jsonb(new)->>tg_argv[i]);
  end loop;
  execute format('select exists (select 1 from %s where %s)', tg_argv[half], conditions) into found_it;
  if not found_it then
    raise triggered_action_exception using message = 'tuple references non-existent key', detail = format('Trigger "%s" found tuple referencing non-existent key in "%s".', tg_name, tg_argv[half]);
  end if;
  return new;
end $$;
create function {schema}.check_foreign_key() returns trigger language plpgsql as $$
declare
  tables int := tg_argv[0]::int;
  act text := lower(left(tg_argv[1], 1));
  keys int := (tg_nargs - 2 - tables) / (tables + 1);
  at int := 2 + keys;
  conditions text;
  referenced boolean;
  number bigint;
  changed boolean := tg_op = 'DELETE';
begin
  for i in 2 .. 1 + keys loop
    if to_jsonb(old)->>tg_argv[i] is null then
      return case when tg_op = 'DELETE' then old else new end;
    end if;
    changed := changed or to_jsonb(new)->>tg_argv[i] is distinct from to_jsonb(old)->>tg_argv[i];
  end loop;
  if not changed then
    return new;
  end if;
  for t in 1 .. tables loop
    conditions := '';
    for i in 1 .. keys loop
      conditions := conditions || case when i > 1 then ' and ' else '' end || format('%I::text = %L', tg_argv[at + i], to_jsonb(old)->>tg_argv[1 + i]);
    end loop;
    if act = 'r' then
      execute format('select exists (select 1 from %s where %s)', tg_argv[at], conditions) into referenced;
      if referenced then
        raise triggered_action_exception using message = format('"%s": tuple is referenced in "%s"', tg_name, tg_argv[at]);
      end if;
    elsif act = 'c' and tg_op = 'DELETE' then
      execute format('delete from %s where %s', tg_argv[at], conditions);
    elsif act = 'c' then
      execute format('update %s set %s where %s', tg_argv[at], (select string_agg(format('%I = %L', tg_argv[at + i], to_jsonb(new)->>tg_argv[1 + i]), ', ') from generate_series(1, keys) i), conditions);
    else
      execute format('update %s set %s where %s', tg_argv[at], (select string_agg(format('%I = null', tg_argv[at + i]), ', ') from generate_series(1, keys) i), conditions);
    end if;
    if act <> 'r' then
      get diagnostics number = row_count;
      raise notice '%: % tuple(s) of % are %', tg_name, number, tg_argv[at], case when act = 'c' then 'deleted' else 'set to null' end;
    end if;
    at := at + keys + 1;
  end loop;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
