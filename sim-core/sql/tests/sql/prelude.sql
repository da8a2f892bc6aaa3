-- The roles of every project, for a server that knows nothing of them; what else a project begins with follows.
do $$
declare r text;
begin
  foreach r in array array['anon', 'authenticated', 'service_role', 'authenticator', 'dashboard_user', 'platform_admin',
    'platform_auth_admin', 'platform_storage_admin', 'platform_functions_admin', 'platform_realtime_admin'] loop
    if not exists (select from pg_roles where rolname = r) then
      execute format('create role %I nologin', r);
    end if;
  end loop;
end $$;

do $$
begin
  execute format('alter database %I set search_path = "$user", public, extensions', current_database());
end $$;

alter role service_role bypassrls;
