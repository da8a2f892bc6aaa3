-- Statements that the service allows to its projects and PostgreSQL only to a server's owner. Who calls these functions owns
-- neither the server nor a role, so each text is matched from its first to its last character before it is run. No trigger
-- of the caller fires meanwhile.
create function pg_catalog.stuntdouble_create_extension(name text, there_is_fine boolean, target text) returns void language plpgsql
    security definer set search_path = pg_catalog set session_replication_role = replica set allow_system_table_mods = on as $$
declare
    owner constant oid := coalesce(to_regrole('postgres'), to_regrole(quote_ident(session_user)));
    before constant name[] := array(select extname from pg_extension);
    stand_in record;
begin
    if exists (select from pg_extension where extname = name) then
        if there_is_fine then
            raise notice 'extension "%" already exists, skipping', name using errcode = 'duplicate_object';
            return;
        end if;
        raise duplicate_object using message = format('extension "%s" already exists', name);
    end if;
    select * into stand_in from stuntdouble_stand_ins() one where one.name = stuntdouble_create_extension.name
        or (one.name = '_vault' and stuntdouble_create_extension.name like '%\_vault');
    -- The server records statements only if it has loaded the library.
    if exists (select from pg_available_extensions() one where one.name = stuntdouble_create_extension.name)
        and (name <> 'pg_stat_statements' or current_setting('shared_preload_libraries') ~ name) then
        if name in ('adminpack', 'file_fdw', 'old_snapshot', 'pageinspect', 'pg_buffercache', 'pg_freespacemap', 'pg_surgery',
            'pg_visibility', 'pg_walinspect') then
            raise insufficient_privilege using message = format('permission denied to create extension "%s"', name),
                hint = 'Must be superuser to create this extension.';
        end if;
        execute format('create extension %I %s cascade', name,
            case when target is not null and (select relocatable or schema is null from pg_available_extension_versions one
                where one.name = stuntdouble_create_extension.name limit 1) then format('schema %I', target) end);
        if name = 'postgres_fdw' then
            execute format('grant usage on foreign data wrapper postgres_fdw to %s', owner::regrole);
        end if;
    elsif stand_in is null then
        -- Refused in the server's words.
        execute format('create extension %I', name);
    else
        if stand_in.own is not null then
            execute format('create schema if not exists %I', stand_in.own);
        end if;
        target := coalesce(stand_in.own, target, 'public');
        if to_regnamespace(quote_ident(target)) is null then
            raise invalid_schema_name using message = format('schema "%s" does not exist', target);
        end if;
        perform stuntdouble_install(name, target, stand_in.version, stand_in.script, owner, stand_in.own is not null);
        if stand_in.limits <> '' then
            raise warning 'extension "%" is a stand-in: %', name, stand_in.limits;
        end if;
    end if;
    -- Also those that it requires.
    update pg_extension set extowner = owner where extname <> all (before);
end $$;

-- Changes an extension, and says whether the statement does that.
create function pg_catalog.stuntdouble_alter_extension(statement text) returns boolean language plpgsql
    security definer set search_path = pg_catalog set session_replication_role = replica as $$
declare
    name constant text := '("(?:[^"]|"")+"|[a-z_][a-z0-9_$-]*)';
    parts constant text[] := regexp_match(statement, '^\s*alter\s+extension\s+' || name || '\s+(?:(update)(?:\s+to\s+(?:''[^'']*''|' || name ||
        '))?|set\s+schema\s+' || name || ')\s*$', 'i');
    known pg_extension;
begin
    select * into known from pg_extension where extname = (parse_ident(parts[1]))[1];
    if parts is null or known is null or not exists (select from stuntdouble_stand_ins() one where one.name = known.extname)
            and not exists (select from pg_available_extensions() one where one.name = known.extname) then
        return false;
    elsif parts[2] is not null then
        raise notice 'version "%" of extension "%" is already installed', known.extversion, known.extname;
    elsif known.extrelocatable then
        execute format('alter extension %I set schema %I', known.extname, (parse_ident(parts[4]))[1]);
    elsif known.extnamespace = to_regnamespace(parts[4]) then
        return true;
    elsif exists (select from stuntdouble_stand_ins() one where one.name = known.extname and one.own is null)
            and not exists (select from pg_available_extensions() one where one.name = known.extname) then
        perform stuntdouble_move(known, (parse_ident(parts[4]))[1]);
    else
        raise feature_not_supported using message = format('extension "%s" does not support SET SCHEMA', known.extname);
    end if;
    return true;
end $$;

-- Moves a stand-in to another schema. Its functions name that in their bodies.
create function pg_catalog.stuntdouble_move(extension pg_extension, target text) returns void language plpgsql
    set search_path = pg_catalog set allow_system_table_mods = on as $$
declare
    old constant oid := extension.extnamespace;
    new constant oid := to_regnamespace(quote_ident(target));
    before constant text := old::regnamespace || '.';
    after constant text := quote_ident(target) || '.';
    catalog text[];
begin
    if new is null then
        raise invalid_schema_name using message = format('schema "%s" does not exist', target);
    end if;
    update pg_proc set prosrc = replace(prosrc, before, after) where pronamespace = old
        and oid in (select objid from pg_depend where classid = 'pg_proc'::regclass and refobjid = extension.oid and deptype = 'e');
    foreach catalog slice 1 in array '{{pg_proc,pro},{pg_type,typ},{pg_class,rel},{pg_operator,opr},{pg_opclass,opc},{pg_opfamily,opf},{pg_constraint,con}}'::text[] loop
        -- Also what belongs to a member: the type of an array or of a row, an index, a key.
        execute format($sql$with recursive member (classid, objid) as (
                select classid, objid from pg_depend where refclassid = 'pg_extension'::regclass and refobjid = $1 and deptype = 'e'
                union select d.classid, d.objid from member m join pg_depend d on d.refclassid = m.classid and d.refobjid = m.objid and d.deptype in ('i', 'a'))
            update %1$s set %2$snamespace = $3 from member where classid = %1$L::regclass and objid = oid and %2$snamespace = $2$sql$,
            catalog[1], catalog[2]) using extension.oid, old, new;
    end loop;
    update pg_depend set refobjid = new where refclassid = 'pg_namespace'::regclass and refobjid = old and (classid, objid) in (
        select classid, objid from pg_depend where refclassid = 'pg_extension'::regclass and refobjid = extension.oid
        union select 'pg_extension'::regclass, extension.oid);
    update pg_extension set extnamespace = new where oid = extension.oid;
end $$;

-- What an extension's script creates belongs to the extension, and goes with it.
create function pg_catalog.stuntdouble_install(
    name text, target text, version text, script text, owner oid, is_owned boolean) returns void language plpgsql
    set search_path = pg_catalog set allow_system_table_mods = on set client_min_messages = warning set check_function_bodies = off as $$
declare
    first constant oid := pg_nextoid('pg_extension', 'oid', 'pg_extension_oid_index');
    made record;
    kinds constant regclass[] := array['pg_class', 'pg_proc', 'pg_type', 'pg_operator', 'pg_opclass', 'pg_opfamily', 'pg_am', 'pg_cast'];
    kind regclass;
begin
    insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
        values (first, name, owner, to_regnamespace(quote_ident(target)), false, version);
    execute replace(script, '{schema}', quote_ident(target));
    foreach kind in array kinds loop
        for made in execute format('select oid from %s where oid > %s', kind, first) loop
            -- A row's type, an index and the sequence of a column go with their table.
            if not exists (select from pg_depend where classid = kind and objid = made.oid
                    and (deptype = 'e' or deptype in ('i', 'a') and kind in ('pg_class'::regclass, 'pg_type'::regclass))) then
                insert into pg_depend values (kind, made.oid, 0, 'pg_extension'::regclass, first, 0, 'e');
            end if;
        end loop;
    end loop;
    -- Dumps leave these rights out.
    insert into pg_init_privs select pg_class.oid, 'pg_class'::regclass, 0, 'e', relacl from pg_class
        where relacl is not null and exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and refobjid = first);
    if not is_owned then
        return;
    end if;
    execute format('alter schema %I owner to %s', target, owner::regrole);
    for made in select oid::regclass as it from pg_class where relnamespace = to_regnamespace(quote_ident(target))::oid and relkind in ('r', 'v') loop
        execute format('alter table %s owner to %s', made.it, owner::regrole);
    end loop;
    for made in select oid::regprocedure as it from pg_proc where pronamespace = to_regnamespace(quote_ident(target))::oid loop
        execute format('alter routine %s owner to %s', made.it, owner::regrole);
    end loop;
end $$;

-- Runs one of the other statements, and says whether it is one.
-- Whether the caller's role may set a parameter of the server.
create function pg_catalog.stuntdouble_may_set(parameter text) returns boolean language plpgsql stable set search_path = pg_catalog as $$
begin
    return has_parameter_privilege('postgres', parameter, 'set');
exception when undefined_function or undefined_object then
    -- Before version 15 nobody can be allowed to.
    return false;
end $$;

create function pg_catalog.stuntdouble_run_as_owner(statement text, path text) returns boolean language plpgsql
    security definer set search_path = pg_catalog set session_replication_role = replica set standard_conforming_strings = on
    set allow_system_table_mods = on as $$
declare
    name constant text := '(?:"(?:[^"]|"")+"|[a-z_][a-z0-9_$]*)';
    names constant text := name || '(?:\.' || name || ')?';
    literal constant text := '(?:''(?:[^'']|'''')*''|e''(?:[^''\\]|\\.|'''')*'')';
    event_trigger constant text := 'event\s+trigger\s+';
    parts text[];
    parameter text;
begin
    statement := btrim(statement, E' \t\r\n');
    if statement ~* ('^create\s+' || event_trigger || name || '\s+on\s+' || name || '(?:\s+(?:when|and)\s+"?tag"?\s+in\s*\(\s*' || literal || '(?:\s*,\s*' ||
            literal || ')*\s*\))*\s+execute\s+(?:function|procedure)\s+' || names || '\s*\(\s*\)$')
        or statement ~* ('^alter\s+' || event_trigger || name || '\s+(?:disable|enable(?:\s+(?:replica|always))?|rename\s+to\s+' || name || ')$')
        or statement ~* ('^drop\s+' || event_trigger || '(?:if\s+exists\s+)?' || name || '(?:\s*,\s*' || name || ')*(?:\s+(?:cascade|restrict))?$')
        or statement ~* ('^comment\s+on\s+' || event_trigger || name || '\s+is\s+(?:null|' || literal || ')$')
        or statement ~* ('^drop\s+foreign\s+data\s+wrapper\s+(?:if\s+exists\s+)?' || name || '(?:\s+(?:cascade|restrict))?$') then
        perform set_config('search_path', path, true);
        execute statement;
        return true;
    end if;
    -- They are the platform's here, and `postgres` may do with them what an owner may.
    parts := regexp_match(statement, '^alter\s+(event\s+trigger|database)\s+(' || name || ')\s+owner\s+to\s+"?postgres"?$', 'i');
    if parts[1] ~* '^event' and exists (select from pg_event_trigger where evtname = (parse_ident(parts[2]))[1])
            or parts[1] ~* '^database' and (parse_ident(parts[2]))[1] in ('postgres', current_database()) then
        return true;
    end if;
    parts := regexp_match(statement, '^comment\s+on\s+database\s+(' || name || ')\s+is\s+(null|' || literal || ')$', 'i');
    if (parse_ident(parts[1]))[1] in ('postgres', current_database()) then
        execute format('comment on database %I is %s', current_database(), parts[2]);
        return true;
    end if;
    -- Its privileges count in this database only.
    parts := regexp_match(statement, '^(grant|revoke(?:\s+grant\s+option\s+for)?)\s+((?:all(?:\s+privileges)?|create|connect|temporary|temp)(?:\s*,\s*'
        || '(?:create|connect|temporary|temp))*)\s+on\s+database\s+(' || name || ')\s+(to|from)\s+(' || name || '(?:\s*,\s*' || name ||
        ')*)(\s+with\s+grant\s+option)?(?:\s+granted\s+by\s+' || name || ')?(\s+(?:cascade|restrict))?$', 'i');
    if (parse_ident(parts[3]))[1] in ('postgres', current_database()) then
        if lower(parts[1]) <> 'grant' and parts[5] ~* '(^|[,\s])"?postgres"?(?![\w$])' then
            raise warning 'the role "postgres" keeps its privileges on the database';
        else
            execute format('%s %s on database %I %s %s%s%s', parts[1], parts[2], current_database(), parts[4], parts[5], parts[6], parts[7]);
        end if;
        return true;
    end if;
    parts := regexp_match(statement, '^create\s+foreign\s+data\s+wrapper\s+(' || name || ')((?:\s+(?:no\s+handler|no\s+validator|handler\s+' || names ||
        '|validator\s+' || names || '))*)(\s+options\s*\((?:\s*' || name || '\s+' || literal || '\s*,?)*\))?$', 'i');
    -- The functions of the extension are not here. Without a handler a foreign table is refused when it is read.
    if parts is not null and (parts[2] ~* '^(\s+no\s+(handler|validator))*$' or exists (select from pg_extension where extname = 'wrappers')) then
        execute format('create foreign data wrapper %s %s', parts[1], parts[3]);
        execute format('grant usage on foreign data wrapper %s to postgres', parts[1]);
        return true;
    end if;
    parts := regexp_match(statement, '^create\s+publication\s+(' || name || ')\s+for\s+(?:all\s+tables|tables\s+in\s+schema\s+' || name || '(?:\s*,\s*' || name ||
        ')*)(?:\s+with\s*\([^()]*\))?$', 'i');
    if parts is not null then
        execute statement;
        update pg_publication set pubowner = coalesce(to_regrole('postgres'), to_regrole(quote_ident(session_user)))
            where pubname = (parse_ident(parts[1]))[1];
        return true;
    end if;
    -- Roles and databases belong to the server: a setting counts in this database only.
    statement := regexp_replace(statement, '^(alter\s+\S+\s+\S+\s+(?:in\s+database\s+\S+\s+)?set\s+)time\s+zone\s+', '\1timezone to ', 'i');
    parts := regexp_match(statement, '^alter\s+(role|user|database)\s+(' || name || ')\s+(?:in\s+database\s+' || name || '\s+)?((?:set|reset)\s+(' ||
        name || '(?:\.' || name || ')*)(?:\s*(?:=|\mto\M)\s*(?:' || literal || '|"[^"]+"|[-+a-z0-9_.]+)(?:\s*,\s*(?:' || literal || '|"[^"]+"|[-+a-z0-9_.]+))*)?)$', 'i');
    if parts is null then
        return false;
    elsif lower(parts[1]) = 'database' then
        if (parse_ident(parts[2]))[1] not in ('postgres', current_database()) then
            return false;
        end if;
    -- That of `postgres` would count for who runs the SQL of all calls.
    elsif coalesce((select rolsuper or rolname ~ '^(pg_|project_|stuntdouble|postgres$)' from pg_roles
            where rolname = (parse_ident(parts[2]))[1]), true) then
        return false;
    end if;
    parameter := lower(array_to_string(parse_ident(parts[4]), '.'));
    if parameter = 'transaction_timeout' and not exists (select from pg_settings one where one.name = parameter) then
        raise notice 'this server has no parameter "transaction_timeout"';
        return true;
    end if;
    if parameter in ('role', 'session_authorization')
            or (select context <> 'user' from pg_settings one where one.name = parameter) and not stuntdouble_may_set(parameter) then
        raise insufficient_privilege using message = format('permission denied to set parameter "%s"', parameter);
    end if;
    if lower(parts[1]) = 'database' then
        execute format('alter database %I %s', current_database(), parts[3]);
    else
        execute format('alter role %s in database %I %s', parts[2], current_database(), parts[3]);
    end if;
    return true;
end $$;

-- Runs a statement as the server's owner if the service allows it, else as the caller. The service allows it to `postgres`, and to who has its rights.
create function pg_catalog.stuntdouble_on_behalf(statement text) returns void language plpgsql as $$
declare
    name constant pg_catalog.text := '("(?:[^"]|"")+"|[a-z_][a-z0-9_$-]*)';
    parts constant pg_catalog.text[] := pg_catalog.regexp_match(statement, '^\s*create\s+extension\s+(if\s+not\s+exists\s+)?' || name ||
        '((?:\s+(?:with|cascade|schema\s+' || name || '|version\s+(?:''[^'']*''|' || name || ')))*)\s*$', 'i');
    target pg_catalog.text;
begin
    if not pg_catalog.has_function_privilege('pg_catalog.stuntdouble_run_as_owner(text, text)', 'execute') then
        if not exists (select from pg_catalog.pg_available_extensions() one where one.name = (pg_catalog.parse_ident(parts[2]))[1])
                and exists (select from pg_catalog.stuntdouble_stand_ins() one where one.name = (pg_catalog.parse_ident(parts[2]))[1]) then
            raise insufficient_privilege using message = pg_catalog.format('permission denied to create extension "%s"', (pg_catalog.parse_ident(parts[2]))[1]),
                hint = 'Must be superuser to create this extension.';
        elsif (pg_catalog.parse_ident((pg_catalog.regexp_match(statement, '^\s*alter\s+(?:role|user)\s+' || name, 'i'))[1]))[1] in (current_user, 'current_user', 'current_role') then
            raise feature_not_supported using message = 'changes of a role by itself are not supported: it belongs to the server, which other projects use';
        end if;
        execute statement;
    elsif parts is not null then
        target := (pg_catalog.regexp_match(parts[3], '\mschema\s+' || name, 'i'))[1];
        perform pg_catalog.stuntdouble_create_extension((pg_catalog.parse_ident(parts[2]))[1], parts[1] is not null,
            coalesce((pg_catalog.parse_ident(target))[1], pg_catalog.current_schema()));
    elsif pg_catalog.stuntdouble_run_as_owner(statement, pg_catalog.current_setting('search_path'))
        or pg_catalog.stuntdouble_alter_extension(statement) then
        return;
    -- On a server of others there is no such function, and not every role may call it.
    elsif pg_catalog.has_function_privilege(pg_catalog.to_regprocedure('pg_catalog.stuntdouble_change_role(text)'), 'execute') then
        if not pg_catalog.stuntdouble_change_role(statement) then
            execute statement;
        end if;
    else
        execute statement;
    end if;
end $$;

-- The statements of a text, without comments.
create function pg_catalog.stuntdouble_split(text text) returns text[] language plpgsql immutable set search_path = pg_catalog as $$
declare
    parts text[] := '{}';
    part text := '';
    piece text;
    -- The next characters of the text: each step copies what is left of them.
    near text := '';
    tag text;
    more int;
begin
    while near <> '' or text <> '' loop
        tag := substring(near from '^\$(?:[[:alpha:]_][[:alnum:]_]*)?\$');
        -- Words and spaces, a string, a quoted name, a comment, a text in dollars, or one other character.
        piece := coalesce(substring(near from '^(?:(?![eE]'')[[:alpha:]_][[:alnum:]_$]*|[^[:alpha:]_''"$/;-])+'),
            substring(near from '^[eE]''(?:[^''\\]|\\.|'''')*'''), substring(near from '^''(?:[^'']|'''')*'''), substring(near from '^"(?:[^"]|"")*"'),
            substring(near from '^--[^\n]*'), substring(near from '^/\*(?:[^*]|\*+[^*/])*\*+/'),
            left(near, nullif(strpos(substr(near, length(tag) + 1), tag), 0) - 1 + 2 * length(tag)), left(near, 1));
        if text <> '' and (piece = near or length(piece) = 1 and (tag is not null or near ~ '^([''"]|[eE]''|/\*)')) then
            more := greatest(4000, length(near));
            near := near || left(text, more);
            text := substr(text, more + 1);
            continue;
        end if;
        near := substr(near, length(piece) + 1);
        if piece = ';' then
            parts := parts || btrim(part, E' \t\r\n');
            part := '';
        else
            part := part || case when piece ~ '^(--|/\*)' then ' ' else piece end;
        end if;
    end loop;
    return array_remove(parts || btrim(part, E' \t\r\n'), '');
end $$;

-- Whether a statement is one that the server's owner runs.
create function pg_catalog.stuntdouble_is_of_owner(statement text) returns boolean language sql immutable set search_path = pg_catalog as $$
    select statement ~* ('^((create|alter)\s+extension|(create|alter|drop|comment\s+on)\s+event\s+trigger|(create|drop)\s+foreign\s+data\s+wrapper|create\s+publication'
        || '|(create|alter|drop|comment\s+on)\s+(role|user|group)\s+(?!mapping\s)|alter\s+database\s|(grant|revoke)\s[^(]*\son\s+database\s)')
        or (statement ~* '^(grant|revoke)\s' and statement !~* '\son\s')
$$;

-- What PL/pgSQL's `execute` gets to run: the statement itself, unless it is one of these, which has been run then.
create function pg_catalog.stuntdouble_executed(statement text) returns text language plpgsql as $$
declare
    plain constant pg_catalog.text := pg_catalog.regexp_replace(pg_catalog.regexp_replace(statement, '^(\s|--[^\n]*|/\*([^*]|\*+[^*/])*\*+/)+', ''), '[\s;]+$', '');
    parts pg_catalog.text[];
    part pg_catalog.text;
begin
    if pg_catalog.strpos(plain, ';') > 0 and plain ~* '\m(extension|trigger|wrapper|publication|role|user|group|database|grant|revoke)\M' then
        parts := pg_catalog.stuntdouble_split(plain);
        if pg_catalog.cardinality(parts) > 1 and exists (select from pg_catalog.unnest(parts) one where pg_catalog.stuntdouble_is_of_owner(one)) then
            foreach part in array parts[:pg_catalog.cardinality(parts) - 1] loop
                execute pg_catalog.stuntdouble_executed(part);
            end loop;
            return pg_catalog.stuntdouble_executed(parts[pg_catalog.cardinality(parts)]);
        end if;
    end if;
    if pg_catalog.stuntdouble_is_of_owner(plain) then
        perform pg_catalog.stuntdouble_on_behalf(plain);
        return 'select';
    -- The stand-in has no options of indexes.
    elsif plain ~* '^create\s.*\susing\s+"?(hnsw|ivfflat)' and exists (select from pg_catalog.pg_am join pg_catalog.pg_proc
            on pg_proc.oid = amhandler where amname in ('hnsw', 'ivfflat') and prosrc = 'hashhandler') then
        return pg_catalog.regexp_replace(plain, '\swith\s*\([^()]*\)', '', 'i');
    end if;
    return statement;
end $$;
