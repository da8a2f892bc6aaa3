-- Roles belong to the server, so a project may not create any by itself: with the right to create them goes, up to version 15, that to
-- change those of all other projects. These functions do it for the project. A role of projects has the comment below. Each database
-- lists those that it has created and not dropped, and shows no others; on the server they stay, because other databases may use them.
set allow_system_table_mods = on;
create table pg_catalog.stuntdouble_roles (name text primary key);
do $do$
begin
    execute replace('create or replace view pg_catalog.pg_roles as ' || pg_get_viewdef('pg_catalog.pg_roles'::regclass), ';', '')
        || $$ where shobj_description(pg_authid.oid, 'pg_authid') is distinct from 'created by a project'
            or rolname in (select name from pg_catalog.stuntdouble_roles) $$;
end $do$;
reset allow_system_table_mods;

create function pg_catalog.stuntdouble_is_own(name text) returns boolean language sql stable set search_path = pg_catalog as $$
    select exists (select from stuntdouble_roles own where own.name = $1)
$$;

-- The options that a role can have, and the others.
create function pg_catalog.stuntdouble_role_options(name text, options text, out kept text, out groups text[], out members text[])
    language plpgsql set search_path = pg_catalog as $$
declare
    literal constant text := '''(?:[^''\\]|'''')*''';
    one constant text := '(?:"(?:[^"]|"")+"|[[:alpha:]_][[:alnum:]_$]*)';
    parts text[];
begin
    kept := '';
    groups := '{}';
    members := '{}';
    options := regexp_replace(options, '^\s*with(?=\s|$)', '', 'i');
    loop
        options := btrim(options, E' \t\r\n');
        exit when options = '';
        parts := regexp_match(options, '^((?:no)?(?:login|inherit|bypassrls)|no(?:superuser|createdb|createrole|replication)'
            || '|(?:encrypted\s+)?password\s+(?:null|' || literal || ')|connection\s+limit\s+-?\d+|valid\s+until\s+' || literal || ')(?=\s|$)(.*)$', 'i');
        if parts is not null then
            kept := kept || ' ' || parts[1];
            options := parts[2];
            continue;
        end if;
        parts := regexp_match(options, '^(createdb|createrole|replication)(?=\s|$)(.*)$', 'i');
        if parts is not null then
            raise warning 'role "%" does not get %, which would give it rights over other projects of this server', name, lower(parts[1]);
            options := parts[2];
            continue;
        end if;
        parts := regexp_match(options, '^(in\s+(?:role|group)|role|user|admin)\s+(' || one || '(?:\s*,\s*' || one || ')*)(?=\s|$)(.*)$', 'i');
        if parts is null then
            raise insufficient_privilege using message = case when options ~* '^superuser(?=\s|$)' then 'must be superuser to create superusers'
                else 'permission denied to create role with these options' end;
        elsif parts[1] ~* '^in' then
            groups := groups || stuntdouble_names(parts[2]);
        else
            members := members || stuntdouble_names(parts[2]);
        end if;
        options := parts[3];
    end loop;
end $$;

create function pg_catalog.stuntdouble_names(list text) returns text[] language sql immutable set search_path = pg_catalog as $$
    select coalesce(array_agg((parse_ident(one[1]))[1]), '{}') from regexp_matches(list, '"(?:[^"]|"")+"|[[:alpha:]_][[:alnum:]_$]*', 'g') one
$$;

create function pg_catalog.stuntdouble_create_role(name text, options text) returns void language plpgsql
    set search_path = pg_catalog as $$
declare
    given record;
    other text;
begin
    if name ~ '^(pg_|project_|stuntdouble)' then
        raise insufficient_privilege using message = format('role name "%s" is reserved', name);
    elsif stuntdouble_is_own(name) then
        raise duplicate_object using message = format('role "%s" already exists', name);
    end if;
    select * into given from stuntdouble_role_options(name, options);
    -- Another project may have created this one, which does not change then.
    if shobj_description(to_regrole(quote_ident(name)), 'pg_authid') is distinct from 'created by a project' then
        execute format('create role %I %s', name, given.kept);
        execute format('comment on role %I is %L', name, 'created by a project');
        execute format('grant %I to postgres', name);
    end if;
    insert into stuntdouble_roles values (name);
    foreach other in array given.groups loop
        perform stuntdouble_change_member('grant', other, name);
    end loop;
    foreach other in array given.members loop
        perform stuntdouble_change_member('grant', name, other);
    end loop;
end $$;

-- Makes a role a member of another, or ends that. One of them is the project's own, the other one too or one that all projects have.
create function pg_catalog.stuntdouble_change_member(verb text, granted text, member text) returns void language plpgsql
    set search_path = pg_catalog as $$
declare
    of_all constant text[] := array['anon', 'authenticated', 'service_role', 'authenticator', 'postgres'];
    name text;
begin
    foreach name in array array[granted, member] loop
        if to_regrole(quote_ident(name)) is null then
            raise undefined_object using message = format('role "%s" does not exist', name);
        end if;
    end loop;
    if granted ~ '^pg_' and (stuntdouble_is_own(member) or member = any (of_all)) then
        perform stuntdouble_change_right(verb, granted, member);
    elsif verb = 'grant' and member = 'postgres' and granted ~ '^(platform|pgsodium)_' and not pg_has_role(member, granted, 'member') then
        raise warning 'role "postgres" does not become a member of role "%": both belong to the server', granted;
    elsif verb = 'grant' and pg_has_role(member, granted, 'member') and not stuntdouble_is_own(granted) then
        raise notice 'role "%" is already a member of role "%"', member, granted;
    elsif not ((stuntdouble_is_own(granted) and (stuntdouble_is_own(member) or member = any (of_all)))
            or (stuntdouble_is_own(member) and granted = any (of_all))) then
        raise insufficient_privilege using message = format('must have admin option on role "%s"', granted);
    elsif verb = 'grant' then
        execute format('grant %I to %I', granted, member);
    elsif member = 'postgres' then
        raise warning 'role "postgres" stays a member of role "%", as it is for all projects of this server', granted;
    else
        execute format('revoke %I from %I', granted, member);
    end if;
end $$;

-- A member of one of the server's own roles would see other projects: its rights on all data are given here as rights on each schema and table.
create function pg_catalog.stuntdouble_change_right(verb text, granted text, member text) returns void language plpgsql
    set search_path = pg_catalog as $$
declare
    rights constant text := case granted when 'pg_read_all_data' then 'select' when 'pg_write_all_data' then 'insert, update, delete' end;
    whom constant text := format(case verb when 'grant' then 'to %I' else 'from %I' end, member);
    place text;
begin
    if granted not in ('pg_read_all_data', 'pg_write_all_data', 'pg_monitor', 'pg_read_all_settings', 'pg_read_all_stats', 'pg_stat_scan_tables',
            'pg_signal_backend', 'pg_checkpoint', 'pg_use_reserved_connections', 'pg_create_subscription', 'pg_maintain') then
        raise insufficient_privilege using message = format('must have admin option on role "%s"', granted);
    elsif rights is null then
        raise warning '% % has no effect: the server''s own roles see all projects', verb, granted;
        return;
    end if;
    raise notice '% % changes rights on what this database has: the server''s own roles see all projects', verb, granted;
    execute format('alter default privileges for role postgres %s usage on schemas %s; alter default privileges for role postgres %1$s %3$s on tables %2$s', verb, whom, rights);
    for place in select quote_ident(nspname) from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema' loop
        execute format('%s usage on schema %s %s; %1$s %4$s on all tables in schema %2$s %3$s', verb, place, whom, rights);
    end loop;
end $$;

create function pg_catalog.stuntdouble_drop_role(name text, missing_is_fine boolean) returns void language plpgsql
    set search_path = pg_catalog as $$
begin
    if not stuntdouble_is_own(name) then
        if not missing_is_fine then
            raise undefined_object using message = format('role "%s" does not exist', name);
        end if;
        raise notice 'role "%" does not exist, skipping', name;
    elsif exists (select from pg_shdepend where refclassid = 'pg_authid'::regclass and refobjid = to_regrole(quote_ident(name))
            and dbid = (select oid from pg_database where datname = current_database())) then
        raise dependent_objects_still_exist using message = format('role "%s" cannot be dropped because some objects depend on it', name);
    end if;
    delete from stuntdouble_roles own where own.name = stuntdouble_drop_role.name;
end $$;

-- The other role gets what the first one owns and is allowed to do in this database, and is a member of the same roles.
create function pg_catalog.stuntdouble_rename_role(name text, new text) returns void language plpgsql
    set search_path = pg_catalog set allow_system_table_mods = on as $$
declare
    catalogs constant text[] := '{pg_class.relacl,pg_proc.proacl,pg_namespace.nspacl,pg_type.typacl,pg_attribute.attacl,pg_default_acl.defaclacl}';
    known record;
    place text;
    before text;
    after text;
begin
    select rolcanlogin, rolinherit, rolbypassrls, oid into known from pg_authid where rolname = name;
    perform stuntdouble_create_role(new, concat_ws(' ', case when known.rolcanlogin then 'login' end,
        case when not known.rolinherit then 'noinherit' end, case when known.rolbypassrls then 'bypassrls' end));
    execute format('reassign owned by %I to %I', name, new);
    -- As in the text of an `aclitem`.
    before := split_part(makeaclitem(known.oid, known.oid, 'SELECT', false)::text, '=r/', 1);
    after := split_part(makeaclitem(quote_ident(new)::regrole, known.oid, 'SELECT', false)::text, '=r/', 1);
    foreach place in array catalogs loop
        execute format('update %1$I set %2$I = (select array_agg((case when starts_with(given, %3$L) then %4$L || substr(given, length(%3$L))
                when right(given, length(%5$L)) = %5$L then left(given, -length(%5$L)) || %6$L else given end)::aclitem) from unnest(%2$I::text[]) given)
            where exists (select from aclexplode(%2$I) given where %7$s in (given.grantee, given.grantor))',
            split_part(place, '.', 1), split_part(place, '.', 2), before || '=', after, '/' || before, '/' || after, known.oid);
    end loop;
    update pg_policy set polroles = array_replace(polroles, known.oid, quote_ident(new)::regrole::oid) where known.oid = any (polroles);
    update pg_shdepend set refobjid = quote_ident(new)::regrole where refclassid = 'pg_authid'::regclass and refobjid = known.oid
        and dbid = (select oid from pg_database where datname = current_database());
    for place in select quote_ident(rolname) from pg_auth_members join pg_authid one on one.oid = roleid where member = known.oid loop
        execute format('grant %s to %I', place, new);
    end loop;
    for place in select quote_ident(rolname) from pg_auth_members m join pg_authid one on one.oid = m.member where roleid = known.oid loop
        execute format('grant %I to %s', new, place);
    end loop;
    delete from pg_db_role_setting where setrole = quote_ident(new)::regrole
        and setdatabase in (0, (select oid from pg_database where datname = current_database()));
    update pg_db_role_setting set setrole = quote_ident(new)::regrole where setrole = known.oid
        and setdatabase in (0, (select oid from pg_database where datname = current_database()));
    perform stuntdouble_drop_role(name, true);
end $$;

-- Runs a statement that changes roles of the project, and says whether it is one.
create function pg_catalog.stuntdouble_change_role(statement text) returns boolean language plpgsql
    security definer set search_path = pg_catalog as $$
declare
    one constant text := '(?:"(?:[^"]|"")+"|[[:alpha:]_][[:alnum:]_$]*)';
    names constant text := '(' || one || '(?:\s*,\s*' || one || ')*)';
    parts text[];
    given record;
    granted text;
    member text;
begin
    statement := btrim(statement, E' \t\r\n');
    parts := regexp_match(statement, '^create\s+(role|user|group)\s+(' || one || ')(?=\s|$)(.*)$', 'i');
    if parts is not null then
        perform stuntdouble_create_role((stuntdouble_names(parts[2]))[1],
            case when lower(parts[1]) = 'user' then 'login ' else '' end || regexp_replace(parts[3], '^\s*with(?=\s|$)', '', 'i'));
        return true;
    end if;
    parts := regexp_match(statement, '^drop\s+(?:role|user|group)\s+(if\s+exists\s+)?' || names || '$', 'i');
    if parts is not null then
        foreach member in array stuntdouble_names(parts[2]) loop
            if not stuntdouble_is_own(member) and exists (select from pg_roles where rolname = member) then
                return false;
            end if;
            perform stuntdouble_drop_role(member, parts[1] is not null);
        end loop;
        return true;
    end if;
    parts := regexp_match(statement, '^(grant|revoke)\s+(?:(?:admin|inherit|set)\s+option\s+for\s+)?' || names || '\s+(?:to|from)\s+' || names
        || '(\s+with\s+.*)?(?:\s+granted\s+by\s+' || one || ')?(?:\s+(?:cascade|restrict))?$', 'i');
    if parts is not null then
        if statement ~* '^revoke\s+(inherit|set)\s' then
            raise warning 'no membership loses one of its options here: the member keeps all of it';
            return true;
        elsif parts[4] ~* '\m(inherit|set)\s+false' then
            raise warning 'memberships have no options here: the member inherits the role''s rights and may set it';
        end if;
        if statement ~* '\sadmin\s+option|with\s+admin' then
            raise warning 'no role gets or loses the admin option: roles belong to the server, which other projects use';
            if statement ~* '^revoke' then
                return true;
            end if;
        end if;
        foreach granted in array stuntdouble_names(parts[2]) loop
            foreach member in array stuntdouble_names(parts[3]) loop
                perform stuntdouble_change_member(lower(parts[1]), granted,
                    case lower(member) when 'current_user' then 'postgres' when 'session_user' then 'postgres' when 'current_role' then 'postgres' else member end);
            end loop;
        end loop;
        return true;
    end if;
    parts := regexp_match(statement, '^alter\s+group\s+(' || one || ')\s+(add|drop)\s+user\s+' || names || '$', 'i');
    if parts is not null then
        foreach member in array stuntdouble_names(parts[3]) loop
            perform stuntdouble_change_member(case lower(parts[2]) when 'add' then 'grant' else 'revoke' end, (stuntdouble_names(parts[1]))[1], member);
        end loop;
        return true;
    end if;
    parts := regexp_match(statement, '^(alter|comment\s+on)\s+(?:role|user|group)\s+(' || one || ')(?=\s|$)(.*)$', 'i');
    if parts[1] ~* '^comment' and to_regrole(parts[2]) is not null then
        raise warning 'the comment on role % is not kept', parts[2];
        return true;
    elsif parts is null or not stuntdouble_is_own((stuntdouble_names(parts[2]))[1]) then
        return false;
    end if;
    member := (stuntdouble_names(parts[2]))[1];
    granted := (regexp_match(parts[3], '^\s+rename\s+to\s+(' || one || ')$', 'i'))[1];
    if granted is not null then
        perform stuntdouble_rename_role(member, (stuntdouble_names(granted))[1]);
        return true;
    end if;
    select * into given from stuntdouble_role_options(member, parts[3]);
    if given.groups <> '{}' or given.members <> '{}' then
        return false;
    end if;
    execute format('alter role %I %s', member, given.kept);
    return true;
end $$;

revoke execute on function pg_catalog.stuntdouble_create_role(text, text), pg_catalog.stuntdouble_change_role(text),
    pg_catalog.stuntdouble_change_member(text, text, text), pg_catalog.stuntdouble_drop_role(text, boolean),
    pg_catalog.stuntdouble_rename_role(text, text),
    pg_catalog.stuntdouble_change_right(text, text, text) from public;
grant execute on function pg_catalog.stuntdouble_change_role(text) to postgres;
-- So it is with what else is carried out with the rights of the server's owner.
revoke execute on function pg_catalog.stuntdouble_create_extension(text, boolean, text), pg_catalog.stuntdouble_alter_extension(text),
    pg_catalog.stuntdouble_run_as_owner(text, text) from public;
grant execute on function pg_catalog.stuntdouble_create_extension(text, boolean, text), pg_catalog.stuntdouble_alter_extension(text),
    pg_catalog.stuntdouble_run_as_owner(text, text) to postgres;

-- From version 16 on, who may use a role and who may become it are asked apart. Before, each member may.
do $do$
declare
    one record;
begin
    if current_setting('server_version_num')::int >= 160000 then
        return;
    end if;
    for one in select oid::regprocedure as it, pronargs as count, oidvectortypes(proargtypes) as types, pronargs = 3 as has_user
            from pg_proc where pronamespace = 'pg_catalog'::regnamespace and proname = 'pg_has_role' loop
        execute format('alter function pg_catalog.%s rename to system_has_role', one.it);
        execute format('create function pg_catalog.pg_has_role(%s) returns boolean language sql stable strict parallel safe as %L', one.types,
            format('select pg_catalog.system_has_role($1, %s pg_catalog.regexp_replace($%s, ''\mset\M'', ''member'', ''gi''))',
                case when one.has_user then '$2,' else '' end, one.count));
    end loop;
end $do$;
