create extension if not exists pg_stat_statements with schema extensions;
create extension if not exists pgjwt with schema extensions;
create extension if not exists pg_graphql with schema graphql;
create extension if not exists platform_vault with schema vault;
create extension if not exists pgsodium with schema pgsodium;
