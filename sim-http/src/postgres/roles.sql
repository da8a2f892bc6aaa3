-- Creates a role for a project, which may not create any by itself: roles belong to the server, and with the right to create them
-- goes, up to version 15, that to change those of all other projects.
create function pg_catalog.stuntdouble_create_role(name text, options text) returns void language plpgsql
    security definer set search_path = pg_catalog as $$
begin
    -- Roles belong to the server, so another project may have created this one.
    if shobj_description(to_regrole(quote_ident(name)), 'pg_authid') = 'created by a project' then
        return;
    end if;
    if name ~ '^(pg_|project_|stuntdouble)' then
        raise insufficient_privilege using message = format('role name "%s" is reserved', name);
    end if;
    -- Nothing by which a role becomes a member of another, or more than a project's own.
    if options !~* '^\s*(with\s)?(\s*(no)?(login|inherit|bypassrls)|\s*no(superuser|createdb|createrole|replication)|\s*(encrypted\s+)?password\s+(null|''([^''\\]|'''')*'')|\s*connection\s+limit\s+-?\d+|\s*valid\s+until\s+''[^''\\]*'')*\s*$' then
        raise insufficient_privilege using message = 'permission denied to create role with these options';
    end if;
    execute format('create role %I %s', name, options);
    execute format('comment on role %I is %L', name, 'created by a project');
    execute format('grant %I to postgres', name);
end $$;
revoke execute on function pg_catalog.stuntdouble_create_role(text, text) from public;
grant execute on function pg_catalog.stuntdouble_create_role(text, text) to postgres;
