-- What a role may not do that owns nothing: changes, comments, upkeep, roles, and what needs a right on the database.

create table doc (id int, t text);
--> no rows

create policy d1 on doc using (true);
--> no rows

create view vw as select 1 as a;
--> no rows

create rule ru as on insert to vw do instead nothing;
--> no rows

create procedure pr() language sql as 'select 1';
--> no rows

create aggregate ag(int) (sfunc = int4pl, stype = int, initcond = '0');
--> no rows

create type ct as (a int);
--> no rows

create type en as enum ('a');
--> no rows

create schema app;
--> no rows

create publication pb for table doc with (publish = 'insert');
--> no rows

create statistics st on id, t from doc;
--> no rows

create text search configuration cfg (copy = simple);
--> no rows

create trigger tg before insert on doc for each row execute function suppress_redundant_updates_trigger();
--> no rows

alter table doc add constraint ck check (id > 0);
--> no rows

create index di on doc (id);
--> no rows

create collation col (locale = 'C');
--> no rows

create table seen (what text);
--> no rows

grant usage on schema public to authenticated;
--> no rows

grant all on seen, vw to authenticated;
--> no rows

grant select on doc to authenticated;
--> no rows

set role authenticated; drop publication pb;
--> ERROR 42501: must be owner of publication pb

set role authenticated; alter publication pb set (publish = 'update');
--> ERROR 42501: must be owner of publication pb

set role authenticated; alter publication pb rename to pc;
--> ERROR 42501: must be owner of publication pb

set role authenticated; alter publication pb drop table doc;
--> ERROR 42501: must be owner of publication pb

set role authenticated; do $$ begin create publication pq; exception when insufficient_privilege then insert into seen values ('publication'); end $$;
--> no rows

set role authenticated; do $$ begin create schema q; exception when insufficient_privilege then insert into seen values ('schema'); end $$;
--> no rows

set role authenticated; do $$ begin create schema if not exists app; exception when insufficient_privilege then insert into seen values ('schema if not exists'); end $$;
--> no rows

set role authenticated; do $$ begin create schema authorization authenticated; exception when insufficient_privilege then insert into seen values ('own schema'); end $$;
--> no rows

set role authenticated; select * from seen order by what;
--> {"what":"own schema"}
--> {"what":"publication"}
--> {"what":"schema"}
--> {"what":"schema if not exists"}

set role authenticated; alter type en set schema app;
--> ERROR 42501: permission denied for schema app

set role authenticated; alter type ct add attribute b int;
--> ERROR 42501: must be owner of table ct

set role authenticated; alter type ct rename attribute a to z;
--> ERROR 42501: must be owner of table ct

set role authenticated; drop index di;
--> ERROR 42501: must be owner of index di

set role authenticated; reindex table doc;
--> ERROR 42501: must be owner of table doc

set role authenticated; reindex index di;
--> ERROR 42501: must be owner of index di

set role authenticated; comment on routine pr() is 'x';
--> ERROR 42501: must be owner of routine pr

set role authenticated; comment on procedure pr() is 'x';
--> ERROR 42501: must be owner of procedure pr

set role authenticated; comment on aggregate ag(int) is 'x';
--> ERROR 42501: must be owner of aggregate ag

set role authenticated; comment on constraint ck on doc is 'x';
--> ERROR 42501: must be owner of relation doc

set role authenticated; comment on policy d1 on doc is 'x';
--> ERROR 42501: must be owner of relation doc

set role authenticated; comment on trigger tg on doc is 'x';
--> ERROR 42501: must be owner of relation doc

set role authenticated; comment on rule ru on vw is 'x';
--> ERROR 42501: must be owner of relation vw

set role authenticated; comment on publication pb is 'x';
--> ERROR 42501: must be owner of publication pb

set role authenticated; comment on statistics st is 'x';
--> ERROR 42501: must be owner of statistics object st

set role authenticated; comment on text search configuration cfg is 'x';
--> ERROR 42501: must be owner of text search configuration cfg

set role authenticated; comment on language plpgsql is 'x';
--> ERROR 42501: must be owner of language plpgsql

set role authenticated; comment on extension plpgsql is 'x';
--> ERROR 42501: must be owner of extension plpgsql

set role authenticated; comment on collation col is 'x';
--> ERROR 42501: must be owner of collation col

set role authenticated; comment on role anon is 'x';
--> ERROR 42501: must have CREATEROLE privilege

set role authenticated; reassign owned by authenticated to anon;
--> ERROR 42501: permission denied to reassign objects

set role authenticated; reassign owned by anon to authenticated;
--> ERROR 42501: permission denied to reassign objects

set role authenticated; drop owned by anon;
--> ERROR 42501: permission denied to drop objects

set role authenticated; create statistics s8 on id, t from doc;
--> ERROR 42501: must be owner of table doc

set role authenticated; drop text search configuration cfg;
--> ERROR 42501: must be owner of text search configuration cfg

set role authenticated; alter procedure pr() rename to pz;
--> ERROR 42501: must be owner of function pr

set role authenticated; alter aggregate ag(int) rename to agg;
--> ERROR 42501: must be owner of function ag

set role authenticated; alter procedure pr() security definer;
--> ERROR 42501: must be owner of procedure pr

set role authenticated; alter default privileges for role anon grant select on tables to authenticated;
--> ERROR 42501: must be member of role "anon"

set role authenticated; grant select on doc to anon;
--> no rows

set role authenticated; grant select, insert on doc to anon;
--> no rows

set role authenticated; grant all on doc to anon;
--> no rows

set role authenticated; revoke select on doc from anon;
--> no rows

set role authenticated; grant usage on type en to anon;
--> no rows

set role authenticated; grant execute on procedure pr() to anon;
--> no rows

set role authenticated; grant usage on schema public to anon;
--> no rows

set role authenticated; grant usage on schema app to anon;
--> ERROR 42501: permission denied for schema app

set role authenticated; alter role anon set x.y = 'z';
--> ERROR 42501: permission denied

set role authenticated; alter role anon rename to anon2;
--> ERROR 42501: permission denied to rename role

set role authenticated; alter role anon login;
--> ERROR 42501: permission denied

set role authenticated; create role q1;
--> ERROR 42501: permission denied to create role

set role authenticated; drop role anon;
--> ERROR 42501: permission denied to drop role

set role authenticated; grant anon to authenticated;
--> ERROR 42501: must have admin option on role "anon"

set role authenticated; create extension hstore;
--> ERROR 42501: permission denied to create extension "hstore"
--> HINT: Must have CREATE privilege on current database to create this extension.

set role authenticated; create event trigger et on ddl_command_end execute function nothing();
--> ERROR 42501: permission denied to create event trigger "et"
--> HINT: Must be superuser to create an event trigger.

set role authenticated; create foreign data wrapper fx;
--> ERROR 42501: permission denied to create foreign-data wrapper "fx"
--> HINT: Must be superuser to create a foreign-data wrapper.

set role authenticated; begin; lock table doc in access share mode; commit;
--> no rows

set role authenticated; begin; lock table doc in row exclusive mode; commit;
--> no rows

set role authenticated; begin; lock table doc; commit;
--> no rows

select pubname, pubinsert, pubupdate from pg_publication;
--> {"pubname":"platform_realtime","pubinsert":true,"pubupdate":true}
--> {"pubname":"pb","pubinsert":true,"pubupdate":false}

select obj_description('doc'::regclass) as d;
--> {"d":null}

select indexname from pg_indexes where tablename = 'doc';
--> {"indexname":"di"}
