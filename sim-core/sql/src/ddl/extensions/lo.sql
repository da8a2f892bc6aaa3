create domain {schema}.lo as oid;
create function {schema}.lo_oid({schema}.lo) returns oid language sql immutable strict as $$ select $1::oid $$;
create function {schema}.lo_manage() returns trigger language plpgsql as $$
declare
  before text := to_jsonb(old)->>tg_argv[0];
begin
  if before is not null and (tg_op = 'DELETE' or before is distinct from to_jsonb(new)->>tg_argv[0]) then
    perform lo_unlink(before::oid);
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
