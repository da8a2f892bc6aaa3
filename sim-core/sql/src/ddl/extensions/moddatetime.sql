create function {schema}.moddatetime() returns trigger language plpgsql as $$
begin
  return jsonb_populate_record(new, jsonb_build_object(tg_argv[0], now()));
end $$;
