create table seen (n int generated always as identity, event text, tag text, kind text, identity text);
--> no rows

create function note_end() returns event_trigger language plpgsql as $$ declare c record; begin for c in select * from pg_event_trigger_ddl_commands() loop insert into seen (event, tag, kind, identity) values (tg_event, c.command_tag, c.object_type, c.object_identity); end loop; end $$;
--> no rows

create function note_drop() returns event_trigger language plpgsql as $$ declare d record; begin for d in select * from pg_event_trigger_dropped_objects() loop if d.original then insert into seen (event, tag, kind, identity) values (tg_event, tg_tag, d.object_type, d.schema_name || '/' || d.object_name || '/' || d.object_identity); end if; end loop; end $$;
--> no rows

create function note_start() returns event_trigger language plpgsql as $$ begin insert into seen (event, tag) values (tg_event, tg_tag); end $$;
--> no rows

create event trigger at_end on ddl_command_end execute function note_end();
--> no rows

create event trigger at_drop on sql_drop execute function note_drop();
--> no rows

create event trigger at_start on ddl_command_start when tag in ('CREATE VIEW', 'alter table') execute function note_start();
--> no rows

create table plain (id int, name text);
--> no rows

create table keyed (id serial primary key, "Other" text unique);
--> no rows

create table if not exists plain (id int);
--> no rows

create view names as select name from plain;
--> no rows

create or replace view names as select upper(name) as name from plain;
--> no rows

create table copied as select 1 as a;
--> no rows

create materialized view stored as select 1 as a;
--> no rows

create index on plain (name);
--> no rows

create policy mine on plain using (true);
--> no rows

create function adds(a int, b text) returns int language sql as 'select 1';
--> no rows

create trigger told before insert on plain for each row execute function suppress_redundant_updates_trigger();
--> no rows

create table quiet (a int); create trigger same before update on quiet for each row execute function suppress_redundant_updates_trigger(); insert into quiet values (1), (2); update quiet set a = 2 returning a;
--> {"a":2}

create type mood as enum ('ok');
--> no rows

create schema apart;
--> no rows

create table apart."T x" (id int);
--> no rows

alter table plain add column more int;
--> no rows

alter table plain enable row level security;
--> no rows

comment on table plain is 'x';
--> no rows

select event, tag, kind, identity from seen order by n;
--> {"event":"ddl_command_end","tag":"CREATE TABLE","kind":"table","identity":"public.plain"}
--> {"event":"ddl_command_end","tag":"CREATE SEQUENCE","kind":"sequence","identity":"public.keyed_id_seq"}
--> {"event":"ddl_command_end","tag":"CREATE TABLE","kind":"table","identity":"public.keyed"}
--> {"event":"ddl_command_end","tag":"CREATE INDEX","kind":"index","identity":"public.keyed_pkey"}
--> {"event":"ddl_command_end","tag":"CREATE INDEX","kind":"index","identity":"public.\"keyed_Other_key\""}
--> {"event":"ddl_command_end","tag":"ALTER SEQUENCE","kind":"sequence","identity":"public.keyed_id_seq"}
--> {"event":"ddl_command_start","tag":"CREATE VIEW","kind":null,"identity":null}
--> {"event":"ddl_command_end","tag":"CREATE VIEW","kind":"view","identity":"public.names"}
--> {"event":"ddl_command_start","tag":"CREATE VIEW","kind":null,"identity":null}
--> {"event":"ddl_command_end","tag":"CREATE VIEW","kind":"view","identity":"public.names"}
--> {"event":"ddl_command_end","tag":"CREATE VIEW","kind":"view","identity":"public.names"}
--> {"event":"ddl_command_end","tag":"CREATE TABLE AS","kind":"table","identity":"public.copied"}
--> {"event":"ddl_command_end","tag":"CREATE MATERIALIZED VIEW","kind":"materialized view","identity":"public.stored"}
--> {"event":"ddl_command_end","tag":"CREATE INDEX","kind":"index","identity":"public.plain_name_idx"}
--> {"event":"ddl_command_end","tag":"CREATE POLICY","kind":"policy","identity":"mine on public.plain"}
--> {"event":"ddl_command_end","tag":"CREATE FUNCTION","kind":"function","identity":"public.adds(integer,pg_catalog.text)"}
--> {"event":"ddl_command_end","tag":"CREATE TRIGGER","kind":"trigger","identity":"told on public.plain"}
--> {"event":"ddl_command_end","tag":"CREATE TABLE","kind":"table","identity":"public.quiet"}
--> {"event":"ddl_command_end","tag":"CREATE TRIGGER","kind":"trigger","identity":"same on public.quiet"}
--> {"event":"ddl_command_end","tag":"CREATE TYPE","kind":"type","identity":"public.mood"}
--> {"event":"ddl_command_end","tag":"CREATE SCHEMA","kind":"schema","identity":"apart"}
--> {"event":"ddl_command_end","tag":"CREATE TABLE","kind":"table","identity":"apart.\"T x\""}
--> {"event":"ddl_command_start","tag":"ALTER TABLE","kind":null,"identity":null}
--> {"event":"ddl_command_end","tag":"ALTER TABLE","kind":"table","identity":"public.plain"}
--> {"event":"ddl_command_start","tag":"ALTER TABLE","kind":null,"identity":null}
--> {"event":"ddl_command_end","tag":"ALTER TABLE","kind":"table","identity":"public.plain"}
--> {"event":"ddl_command_end","tag":"COMMENT","kind":"table","identity":"public.plain"}

truncate seen;
--> no rows

alter table plain drop column more;
--> no rows

drop view names;
--> no rows

drop function adds(int, text);
--> no rows

drop policy mine on plain;
--> no rows

drop table keyed; drop table copied;
--> no rows

drop schema apart cascade;
--> no rows

select event, tag, kind, identity from seen order by n;
--> {"event":"ddl_command_start","tag":"ALTER TABLE","kind":null,"identity":null}
--> {"event":"sql_drop","tag":"ALTER TABLE","kind":"table column","identity":null}
--> {"event":"ddl_command_end","tag":"ALTER TABLE","kind":"table","identity":"public.plain"}
--> {"event":"sql_drop","tag":"DROP VIEW","kind":"view","identity":"public/names/public.names"}
--> {"event":"sql_drop","tag":"DROP FUNCTION","kind":"function","identity":null}
--> {"event":"sql_drop","tag":"DROP POLICY","kind":"policy","identity":null}
--> {"event":"sql_drop","tag":"DROP TABLE","kind":"table","identity":"public/keyed/public.keyed"}
--> {"event":"sql_drop","tag":"DROP TABLE","kind":"table","identity":"public/copied/public.copied"}
--> {"event":"sql_drop","tag":"DROP SCHEMA","kind":"schema","identity":null}

truncate seen; alter event trigger at_end disable; alter event trigger at_drop disable; drop type mood; select count(*) from seen;
--> {"count":0}

alter event trigger at_end enable; create role unseen; drop role unseen; select count(*) from seen;
--> {"count":0}

drop event trigger at_end; drop event trigger at_drop; drop event trigger at_start;
--> no rows

create function secure_new() returns event_trigger language plpgsql security definer set search_path = pg_catalog as $$ declare cmd record; begin for cmd in select * from pg_event_trigger_ddl_commands() where command_tag in ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO') and object_type in ('table', 'partitioned table') loop if cmd.schema_name is not null and cmd.schema_name in ('public') then execute format('alter table if exists %s enable row level security', cmd.object_identity); end if; end loop; end $$;
--> no rows

create event trigger ensure_secure on ddl_command_end when tag in ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO') execute function secure_new();
--> no rows

create table secured (id int);
--> no rows

create table secured_too as select 1 as id;
--> no rows

select relname, relrowsecurity from pg_class where relname like 'secured%' order by 1;
--> {"relname":"secured","relrowsecurity":true}
--> {"relname":"secured_too","relrowsecurity":true}

create function refuses() returns event_trigger language plpgsql as $$ begin raise exception 'no % here', tg_tag; end $$;
--> no rows

create event trigger no_drop on ddl_command_start when tag in ('DROP TABLE') execute function refuses();
--> no rows

drop table secured;
--> ERROR P0001: no DROP TABLE here

select count(*) from secured;
--> {"count":0}

select * from pg_event_trigger_ddl_commands();
--> ERROR 39P03: pg_event_trigger_ddl_commands() can only be called in an event trigger function

select * from pg_event_trigger_dropped_objects();
--> ERROR 39P03: pg_event_trigger_dropped_objects() can only be called in a sql_drop event trigger function

drop event trigger no_drop; drop event trigger ensure_secure;
--> no rows
