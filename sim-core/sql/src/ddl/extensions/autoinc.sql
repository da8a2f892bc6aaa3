create function {schema}.autoinc() returns trigger language plpgsql as $$
declare
  made jsonb := to_jsonb(new);
begin
  if tg_level <> 'ROW' then
    raise 'must be fired for row' using errcode = '39P01';
  elsif tg_when <> 'BEFORE' then
    raise 'must be fired before event' using errcode = '39P01';
  end if;
  for i in 0 .. tg_nargs - 1 by 2 loop
    if coalesce(made->>tg_argv[i], '0') = '0' then
      made := jsonb_set(made, array[tg_argv[i]], to_jsonb(nextval(tg_argv[i + 1]::regclass)));
    end if;
  end loop;
  return jsonb_populate_record(new, made);
end $$;
