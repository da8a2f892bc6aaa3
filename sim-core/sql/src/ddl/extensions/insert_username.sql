create function {schema}.insert_username() returns trigger language plpgsql as $$
begin
  return jsonb_populate_record(new, jsonb_build_object(tg_argv[0], current_user));
end $$;
