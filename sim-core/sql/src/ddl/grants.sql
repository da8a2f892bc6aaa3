-- Who may do what: clients reach everything in `public`, where row security decides, and the platform's schemas.
grant usage on schema public, auth, storage, extensions, realtime, graphql, graphql_public, platform_functions
    to anon, authenticated, service_role;
-- Who is to own something in a schema must be able to create it there.
grant all on schema auth to platform_auth_admin;
grant all on schema storage to platform_storage_admin;
grant all on all tables in schema storage to anon, authenticated, service_role;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
