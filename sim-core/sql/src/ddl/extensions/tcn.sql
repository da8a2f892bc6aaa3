create function {schema}.triggered_change_notification() returns trigger language plpgsql as $$
declare
  old_or_new jsonb := case when tg_op = 'DELETE' or tg_op = 'UPDATE' then to_jsonb(old) else to_jsonb(new) end;
  payload text := quote_ident(tg_table_name) || ',' || left(tg_op, 1);
  one record;
begin
  if tg_when <> 'AFTER' or tg_level <> 'ROW' then
    raise 'triggered_change_notification: must be called after the change, for each row' using errcode = '39P01';
  end if;
  payload := '"' || replace(tg_table_name, '"', '""') || '",' || left(tg_op, 1);
  for one in
    select a.attname from pg_index i, unnest(i.indkey) with ordinality k(number, place), pg_attribute a
    where i.indrelid = tg_relid and i.indisprimary and a.attrelid = i.indrelid and a.attnum = k.number order by k.place
  loop
    payload := payload || ',"' || replace(one.attname, '"', '""') || '"=''' || replace(coalesce(old_or_new->>one.attname, ''), '''', '''''') || '''';
  end loop;
  perform pg_notify(coalesce(tg_argv[0], 'tcn'), payload);
  return null;
end $$;
