-- What migrations ask of the catalog.

create table person (id int primary key, name text, email text);
--> no rows

create table shop (id int primary key, place text, hidden bool);
--> no rows

create function note() returns trigger language plpgsql as 'begin return null; end';
--> no rows

create trigger named after insert on person for each row execute function note('a', 'b c');
--> no rows

create trigger renamed before update of name, email on person for each row when (old.name is distinct from new.name) execute function note();
--> no rows

create trigger all_new after insert on person referencing new table as fresh for each statement execute function note();
--> no rows

create trigger pair after update on person referencing old table as before new table as after for each statement execute function note();
--> no rows

create constraint trigger later after insert on person deferrable initially deferred for each row execute function note();
--> no rows

create constraint trigger soon after insert on person deferrable for each row execute function note();
--> no rows

create constraint trigger now after insert on person from shop for each row execute function note();
--> no rows

select tgname, tgoldtable, tgnewtable, tgdeferrable, tginitdeferred, tgconstraint <> 0 as c, tgconstrrelid::regclass::text as r, tgconstrindid as i, tgattr::text as attr, tgnargs, encode(tgargs, 'hex') as args, tgqual is not null as q, tgparentid, tgisinternal, tgenabled, tgtype from pg_trigger where tgrelid = 'person'::regclass order by tgname;
--> {"tgname":"all_new","tgoldtable":null,"tgnewtable":"fresh","tgdeferrable":false,"tginitdeferred":false,"c":false,"r":"-","i":0,"attr":"","tgnargs":0,"args":"","q":false,"tgparentid":0,"tgisinternal":false,"tgenabled":"O","tgtype":4}
--> {"tgname":"later","tgoldtable":null,"tgnewtable":null,"tgdeferrable":true,"tginitdeferred":true,"c":true,"r":"-","i":0,"attr":"","tgnargs":0,"args":"","q":false,"tgparentid":0,"tgisinternal":false,"tgenabled":"O","tgtype":5}
--> {"tgname":"named","tgoldtable":null,"tgnewtable":null,"tgdeferrable":false,"tginitdeferred":false,"c":false,"r":"-","i":0,"attr":"","tgnargs":2,"args":"610062206300","q":false,"tgparentid":0,"tgisinternal":false,"tgenabled":"O","tgtype":5}
--> {"tgname":"now","tgoldtable":null,"tgnewtable":null,"tgdeferrable":false,"tginitdeferred":false,"c":true,"r":"shop","i":0,"attr":"","tgnargs":0,"args":"","q":false,"tgparentid":0,"tgisinternal":false,"tgenabled":"O","tgtype":5}
--> {"tgname":"pair","tgoldtable":"before","tgnewtable":"after","tgdeferrable":false,"tginitdeferred":false,"c":false,"r":"-","i":0,"attr":"","tgnargs":0,"args":"","q":false,"tgparentid":0,"tgisinternal":false,"tgenabled":"O","tgtype":16}
--> {"tgname":"renamed","tgoldtable":null,"tgnewtable":null,"tgdeferrable":false,"tginitdeferred":false,"c":false,"r":"-","i":0,"attr":"2 3","tgnargs":0,"args":"","q":true,"tgparentid":0,"tgisinternal":false,"tgenabled":"O","tgtype":19}
--> {"tgname":"soon","tgoldtable":null,"tgnewtable":null,"tgdeferrable":true,"tginitdeferred":false,"c":true,"r":"-","i":0,"attr":"","tgnargs":0,"args":"","q":false,"tgparentid":0,"tgisinternal":false,"tgenabled":"O","tgtype":5}

select conname, contype, condeferrable, condeferred, conrelid::regclass::text as r from pg_constraint where contype = 't' order by conname;
--> {"conname":"later","contype":"t","condeferrable":true,"condeferred":true,"r":"person"}
--> {"conname":"now","contype":"t","condeferrable":false,"condeferred":false,"r":"person"}
--> {"conname":"soon","contype":"t","condeferrable":true,"condeferred":false,"r":"person"}

select t.tgname, a.attname from pg_trigger t join pg_attribute a on a.attrelid = t.tgrelid and a.attnum = any (t.tgattr) order by 1, 2;
--> {"tgname":"renamed","attname":"email"}
--> {"tgname":"renamed","attname":"name"}

alter table person enable always trigger named;
--> no rows

alter table person enable replica trigger renamed;
--> no rows

alter table person disable trigger pair;
--> no rows

select tgname, tgenabled from pg_trigger where tgrelid = 'person'::regclass and not tgisinternal order by tgname;
--> {"tgname":"all_new","tgenabled":"O"}
--> {"tgname":"later","tgenabled":"O"}
--> {"tgname":"named","tgenabled":"A"}
--> {"tgname":"now","tgenabled":"O"}
--> {"tgname":"pair","tgenabled":"D"}
--> {"tgname":"renamed","tgenabled":"R"}
--> {"tgname":"soon","tgenabled":"O"}

alter table person enable trigger named;
--> no rows

select tgname, tgenabled from pg_trigger where tgname in ('named', 'renamed') order by tgname;
--> {"tgname":"named","tgenabled":"O"}
--> {"tgname":"renamed","tgenabled":"R"}

alter table person disable trigger all;
--> no rows

alter table person enable trigger user;
--> no rows

select distinct tgenabled from pg_trigger where tgrelid = 'person'::regclass;
--> {"tgenabled":"O"}

create publication shops for table shop (id, place), person where (id > 5);
--> no rows

create publication every for all tables;
--> no rows

select pubname, schemaname, tablename, attnames, attnames::text as t, rowfilter from pg_publication_tables where pubname in ('shops', 'every') and schemaname = 'public' order by pubname, tablename;
--> {"pubname":"every","schemaname":"public","tablename":"person","attnames":"{id,name,email}","t":"{id,name,email}","rowfilter":null}
--> {"pubname":"every","schemaname":"public","tablename":"shop","attnames":"{id,place,hidden}","t":"{id,place,hidden}","rowfilter":null}
--> {"pubname":"shops","schemaname":"public","tablename":"person","attnames":"{id,name,email}","t":"{id,name,email}","rowfilter":"(id > 5)"}
--> {"pubname":"shops","schemaname":"public","tablename":"shop","attnames":"{id,place}","t":"{id,place}","rowfilter":null}

select p.pubname, r.prrelid::regclass::text as t, r.prattrs::text as a, pg_get_expr(r.prqual, r.prrelid) as q from pg_publication_rel r join pg_publication p on p.oid = r.prpubid where pubname = 'shops' order by 2;
--> {"pubname":"shops","t":"person","a":null,"q":"(id > 5)"}
--> {"pubname":"shops","t":"shop","a":"1 2","q":null}

create publication only_inserts for table shop with (publish = 'insert, delete', publish_via_partition_root = true);
--> no rows

select pubname, puballtables, pubinsert, pubupdate, pubdelete, pubtruncate, pubviaroot from pg_publication where pubname in ('only_inserts', 'every') order by 1;
--> {"pubname":"every","puballtables":true,"pubinsert":true,"pubupdate":true,"pubdelete":true,"pubtruncate":true,"pubviaroot":false}
--> {"pubname":"only_inserts","puballtables":false,"pubinsert":true,"pubupdate":false,"pubdelete":true,"pubtruncate":false,"pubviaroot":true}

alter publication only_inserts set (publish = 'update');
--> no rows

alter publication only_inserts add table person (id, email) where (name = 'x');
--> no rows

select tablename, attnames, rowfilter from pg_publication_tables where pubname = 'only_inserts' order by 1;
--> {"tablename":"person","attnames":"{id,email}","rowfilter":"(name = 'x'::text)"}
--> {"tablename":"shop","attnames":"{id,place,hidden}","rowfilter":null}

select pubname, pubinsert, pubupdate, pubviaroot from pg_publication where pubname = 'only_inserts';
--> {"pubname":"only_inserts","pubinsert":false,"pubupdate":true,"pubviaroot":true}

create view seen_pg_stat_all_tables as select * from pg_stat_all_tables;
--> no rows

select string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' order by attnum) as c from pg_attribute where attrelid = 'seen_pg_stat_all_tables'::regclass and attnum > 0 and attname not like 'backend_x%';
--> {"c":"relid oid, schemaname name, relname name, seq_scan bigint, seq_tup_read bigint, idx_scan bigint, idx_tup_fetch bigint, n_tup_ins bigint, n_tup_upd bigint, n_tup_del bigint, n_tup_hot_upd bigint, n_live_tup bigint, n_dead_tup bigint, n_mod_since_analyze bigint, n_ins_since_vacuum bigint, last_vacuum timestamp with time zone, last_autovacuum timestamp with time zone, last_analyze timestamp with time zone, last_autoanalyze timestamp with time zone, vacuum_count bigint, autovacuum_count bigint, analyze_count bigint, autoanalyze_count bigint"}

create view seen_pg_stat_user_indexes as select * from pg_stat_user_indexes;
--> no rows

select string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' order by attnum) as c from pg_attribute where attrelid = 'seen_pg_stat_user_indexes'::regclass and attnum > 0 and attname not like 'backend_x%';
--> {"c":"relid oid, indexrelid oid, schemaname name, relname name, indexrelname name, idx_scan bigint, idx_tup_read bigint, idx_tup_fetch bigint"}

create view seen_pg_statio_user_tables as select * from pg_statio_user_tables;
--> no rows

select string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' order by attnum) as c from pg_attribute where attrelid = 'seen_pg_statio_user_tables'::regclass and attnum > 0 and attname not like 'backend_x%';
--> {"c":"relid oid, schemaname name, relname name, heap_blks_read bigint, heap_blks_hit bigint, idx_blks_read bigint, idx_blks_hit bigint, toast_blks_read bigint, toast_blks_hit bigint, tidx_blks_read bigint, tidx_blks_hit bigint"}

create view seen_pg_statio_user_indexes as select * from pg_statio_user_indexes;
--> no rows

select string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' order by attnum) as c from pg_attribute where attrelid = 'seen_pg_statio_user_indexes'::regclass and attnum > 0 and attname not like 'backend_x%';
--> {"c":"relid oid, indexrelid oid, schemaname name, relname name, indexrelname name, idx_blks_read bigint, idx_blks_hit bigint"}

create view seen_pg_stat_database as select * from pg_stat_database;
--> no rows

select string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' order by attnum) as c from pg_attribute where attrelid = 'seen_pg_stat_database'::regclass and attnum > 0 and attname not like 'backend_x%';
--> {"c":"datid oid, datname name, numbackends integer, xact_commit bigint, xact_rollback bigint, blks_read bigint, blks_hit bigint, tup_returned bigint, tup_fetched bigint, tup_inserted bigint, tup_updated bigint, tup_deleted bigint, conflicts bigint, temp_files bigint, temp_bytes bigint, deadlocks bigint, checksum_failures bigint, checksum_last_failure timestamp with time zone, blk_read_time double precision, blk_write_time double precision, session_time double precision, active_time double precision, idle_in_transaction_time double precision, sessions bigint, sessions_abandoned bigint, sessions_fatal bigint, sessions_killed bigint, stats_reset timestamp with time zone"}

create view seen_pg_stat_activity as select * from pg_stat_activity;
--> no rows

select string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' order by attnum) as c from pg_attribute where attrelid = 'seen_pg_stat_activity'::regclass and attnum > 0 and attname not like 'backend_x%';
--> {"c":"datid oid, datname name, pid integer, leader_pid integer, usesysid oid, usename name, application_name text, client_addr inet, client_hostname text, client_port integer, backend_start timestamp with time zone, xact_start timestamp with time zone, query_start timestamp with time zone, state_change timestamp with time zone, wait_event_type text, wait_event text, state text, query_id bigint, query text, backend_type text"}

select schemaname, relname, last_vacuum, last_autovacuum, last_analyze, vacuum_count, analyze_count from pg_stat_user_tables where schemaname = 'public' order by relname;
--> {"schemaname":"public","relname":"person","last_vacuum":null,"last_autovacuum":null,"last_analyze":null,"vacuum_count":0,"analyze_count":0}
--> {"schemaname":"public","relname":"shop","last_vacuum":null,"last_autovacuum":null,"last_analyze":null,"vacuum_count":0,"analyze_count":0}

select count(*) from pg_stat_all_tables where relname = 'shop' and n_dead_tup >= 0 and n_mod_since_analyze >= 0 and n_ins_since_vacuum >= 0 and seq_scan >= 0 and idx_scan >= 0;
--> {"count":1}

select relname, indexrelname, idx_scan >= 0 as s, idx_tup_read >= 0 as r, idx_tup_fetch >= 0 as f from pg_stat_user_indexes where schemaname = 'public' order by 1, 2;
--> {"relname":"person","indexrelname":"person_pkey","s":true,"r":true,"f":true}
--> {"relname":"shop","indexrelname":"shop_pkey","s":true,"r":true,"f":true}

select relname, heap_blks_hit >= 0 as h, idx_blks_hit >= 0 as i from pg_statio_user_tables where schemaname = 'public' order by 1;
--> {"relname":"person","h":true,"i":true}
--> {"relname":"shop","h":true,"i":true}

select relname, indexrelname, idx_blks_read >= 0 as h from pg_statio_user_indexes where schemaname = 'public' order by 1, 2;
--> {"relname":"person","indexrelname":"person_pkey","h":true}
--> {"relname":"shop","indexrelname":"shop_pkey","h":true}

select pg_stat_get_dead_tuples('shop'::regclass) >= 0 as d, pg_stat_get_live_tuples('shop'::regclass) >= 0 as l, pg_stat_get_last_vacuum_time('shop'::regclass) as v, pg_stat_get_last_autovacuum_time('shop'::regclass) as av, pg_stat_get_last_analyze_time('shop'::regclass) as a, pg_stat_get_last_autoanalyze_time('shop'::regclass) as aa, pg_stat_get_vacuum_count('shop'::regclass) as vc, pg_stat_get_numscans('shop'::regclass) >= 0 as n, pg_stat_get_mod_since_analyze('shop'::regclass) >= 0 as m;
--> {"d":true,"l":true,"v":null,"av":null,"a":null,"aa":null,"vc":0,"n":true,"m":true}

select round(100.0 * n_dead_tup / nullif(n_live_tup + n_dead_tup, 0), 1) is null as none from pg_stat_user_tables where relname = 'shop';
--> {"none":true}

create extension btree_gin;
--> no rows

create extension btree_gist;
--> no rows

create table mix (id uuid, n int, t text, at timestamptz, f bool, price numeric, tags text[]);
--> no rows

create index mix_gin on mix using gin (id, n, t, at, price, tags);
--> no rows

create index mix_gist on mix using gist (id, n, t, at, price);
--> no rows

create index mix_bool on mix using gin (f);
--> no rows

create function f() returns int language sql as 'select 1';
--> no rows

create function g(a int) returns int language sql as 'select 1';
--> no rows

create function "Odd Name"(a text) returns int language sql as 'select 1';
--> no rows

create schema far;
--> no rows

create function far.h(a int, b text[]) returns int language sql as 'select 1';
--> no rows

select 'public.f'::regproc::text as a, 'f'::regproc as b, 'far.h'::regproc as c, '"Odd Name"'::regproc as d;
--> {"a":"f","b":"f","c":"far.h","d":"\"Odd Name\""}

select to_regproc('f')::text as a, to_regproc('far.h')::text as b, to_regproc('missing') as c, to_regproc('"Odd Name"')::text as d, to_regproc('public."Odd Name"')::text as e, to_regproc('public.missing') as f;
--> {"a":"f","b":"far.h","c":null,"d":"\"Odd Name\"","e":"\"Odd Name\"","f":null}

select to_regprocedure('f()')::regproc::text as a, to_regprocedure('g(int)')::regproc::text as b, to_regprocedure('public."Odd Name"(text)')::text as c, to_regprocedure('far.h(int, text[])')::text as d, to_regprocedure('g(text)') as e, to_regprocedure('g(integer)')::oid::regproc::text as f;
--> {"a":"f","b":"g","c":"\"Odd Name\"(text)","d":"far.h(integer,text[])","e":null,"f":"g"}

select proname from pg_proc where oid = to_regprocedure('public.g(int)');
--> {"proname":"g"}

select '"public"."s"'::regclass;
--> ERROR 42P01: relation "public.s" does not exist
--> AT 8

select 's'::regclass;
--> ERROR 42P01: relation "s" does not exist
--> AT 8

select 'public.s'::regclass;
--> ERROR 42P01: relation "public.s" does not exist
--> AT 8

select '"S p"'::regclass;
--> ERROR 42P01: relation "S p" does not exist
--> AT 8

select to_regclass('"public"."s"') as a, to_regclass('"public"."shop"')::text as b;
--> {"a":null,"b":"shop"}

select 'missing'::regproc;
--> ERROR 42883: function "missing" does not exist
--> AT 8

select 'public.missing'::regproc;
--> ERROR 42883: function "public.missing" does not exist
--> AT 8

select '"Missing One"'::regproc;
--> ERROR 42883: function ""Missing One"" does not exist
--> AT 8

select 'missing(int)'::regprocedure;
--> ERROR 42883: function "missing(int)" does not exist
--> AT 8

select 'nowhere'::regnamespace;
--> ERROR 3F000: schema "nowhere" does not exist
--> AT 8

select 'nobody'::regrole;
--> ERROR 42704: role "nobody" does not exist
--> AT 8

select tgname, tgfoid::regproc::text as f, tgfoid::regprocedure::text as p from pg_trigger where tgname = 'named';
--> {"tgname":"named","f":"note","p":"note()"}

set search_path = ''; select 'public.f'::regproc::text as a, 'public.g(int)'::regprocedure::text as b, 'public."Odd Name"'::regproc as c, 'pg_catalog.version'::regproc::text as d, to_regproc('f') as e;
--> {"a":"public.f","b":"public.g(integer)","c":"public.\"Odd Name\"","d":"version","e":null}

set search_path = ''; select tgname, tgfoid::regproc::text as f from pg_catalog.pg_trigger where tgname = 'named';
--> {"tgname":"named","f":"public.note"}

create function twice(a int) returns int language sql as 'select 1';
--> no rows

create function twice(a text) returns int language sql as 'select 1';
--> no rows

select 'twice'::regproc;
--> ERROR 42725: more than one function named "twice"
--> AT 8

select to_regproc('twice') as a;
--> {"a":null}

select 'twice(int)'::regprocedure::regproc::text as a;
--> {"a":"public.twice"}

grant select, insert on shop to anon;
--> no rows

grant update on shop to service_role with grant option;
--> no rows

select a.grantor::regrole::text as by, a.grantee::regrole::text as g, a.privilege_type as p, a.is_grantable as o from pg_class c, aclexplode(c.relacl) a where c.relname = 'shop' and a.grantee in ('anon'::regrole, 'service_role'::regrole) order by 2, 3;
--> {"by":"postgres","g":"anon","p":"DELETE","o":false}
--> {"by":"postgres","g":"anon","p":"INSERT","o":false}
--> {"by":"postgres","g":"anon","p":"REFERENCES","o":false}
--> {"by":"postgres","g":"anon","p":"SELECT","o":false}
--> {"by":"postgres","g":"anon","p":"TRIGGER","o":false}
--> {"by":"postgres","g":"anon","p":"TRUNCATE","o":false}
--> {"by":"postgres","g":"anon","p":"UPDATE","o":false}
--> {"by":"postgres","g":"service_role","p":"DELETE","o":false}
--> {"by":"postgres","g":"service_role","p":"INSERT","o":false}
--> {"by":"postgres","g":"service_role","p":"REFERENCES","o":false}
--> {"by":"postgres","g":"service_role","p":"SELECT","o":false}
--> {"by":"postgres","g":"service_role","p":"TRIGGER","o":false}
--> {"by":"postgres","g":"service_role","p":"TRUNCATE","o":false}
--> {"by":"postgres","g":"service_role","p":"UPDATE","o":true}

create table untouched (id int);
--> no rows

revoke all on untouched from anon, authenticated, service_role;
--> no rows

select coalesce(a.grantee::regrole::text, '') as g, a.privilege_type as p from pg_class c, aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a where c.relname = 'untouched' order by 1, 2;
--> {"g":"postgres","p":"DELETE"}
--> {"g":"postgres","p":"INSERT"}
--> {"g":"postgres","p":"REFERENCES"}
--> {"g":"postgres","p":"SELECT"}
--> {"g":"postgres","p":"TRIGGER"}
--> {"g":"postgres","p":"TRUNCATE"}
--> {"g":"postgres","p":"UPDATE"}

select a.grantee::regrole as g, a.privilege_type as p from pg_proc p, lateral aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a where proname = 'f' and a.grantee in (0, p.proowner) order by 1, 2;
--> {"g":"-","p":"EXECUTE"}
--> {"g":"postgres","p":"EXECUTE"}

select (aclexplode(acldefault('f', 10))).grantee, (aclexplode(acldefault('f', 10))).privilege_type;
--> {"grantee":0,"privilege_type":"EXECUTE"}
--> {"grantee":10,"privilege_type":"EXECUTE"}

select n.nspname, x.privilege_type from pg_namespace n left join lateral aclexplode(n.nspacl) x on x.grantee = 'anon'::regrole where nspname = 'far';
--> {"nspname":"far","privilege_type":null}

grant usage on schema far to anon;
--> no rows

select n.nspname, x.privilege_type, x.is_grantable from pg_namespace n left join lateral aclexplode(n.nspacl) x on x.grantee = 'anon'::regrole where nspname = 'far';
--> {"nspname":"far","privilege_type":"USAGE","is_grantable":false}

alter default privileges in schema far grant select on tables to anon;
--> no rows

select d.defaclobjtype, x.grantee::regrole::text as g, x.privilege_type from pg_default_acl d, aclexplode(d.defaclacl) x where d.defaclnamespace = 'far'::regnamespace order by 2, 3;
--> {"defaclobjtype":"r","g":"anon","privilege_type":"SELECT"}

select count(*) from aclexplode(null);
--> {"count":0}

select exists (select 1 from pg_class c cross join lateral aclexplode(c.relacl) as acl(grantor, grantee, privilege_type, is_grantable) where c.oid = 'shop'::regclass and acl.grantee = 'anon'::regrole and acl.privilege_type = 'INSERT') as has;
--> {"has":true}

create procedure p(a int) language sql as 'select 1';
--> no rows

select proname, pg_get_function_result(oid) as r from pg_proc where proname in ('p', 'f') order by 1;
--> {"proname":"f","r":"integer"}
--> {"proname":"p","r":null}

create function quick(a int) returns setof int language sql immutable parallel safe cost 5 rows 20 as 'select a';
--> no rows

create function slow() returns int language plpgsql parallel restricted not leakproof as 'begin return 1; end';
--> no rows

create function many() returns table (a int) language plpgsql as 'begin return query select 1; end';
--> no rows

select proname, proparallel, procost, prorows, proleakproof from pg_proc where proname in ('quick', 'slow', 'many', 'f', 'p', 'note') order by 1;
--> {"proname":"f","proparallel":"u","procost":100,"prorows":0,"proleakproof":false}
--> {"proname":"many","proparallel":"u","procost":100,"prorows":1000,"proleakproof":false}
--> {"proname":"note","proparallel":"u","procost":100,"prorows":0,"proleakproof":false}
--> {"proname":"p","proparallel":"u","procost":100,"prorows":0,"proleakproof":false}
--> {"proname":"quick","proparallel":"s","procost":5,"prorows":20,"proleakproof":false}
--> {"proname":"slow","proparallel":"r","procost":100,"prorows":0,"proleakproof":false}

alter function slow() parallel safe cost 7;
--> no rows

alter function many() rows 3;
--> no rows

select proname, proparallel, procost, prorows from pg_proc where proname in ('slow', 'many') order by 1;
--> {"proname":"many","proparallel":"u","procost":100,"prorows":3}
--> {"proname":"slow","proparallel":"s","procost":7,"prorows":0}

select pg_get_functiondef('quick'::regproc) as d;
--> {"d":"CREATE OR REPLACE FUNCTION public.quick(a integer)\n RETURNS SETOF integer\n LANGUAGE sql\n IMMUTABLE PARALLEL SAFE COST 5 ROWS 20\nAS $function$select a$function$\n"}

select pg_get_functiondef('slow'::regproc) as d;
--> {"d":"CREATE OR REPLACE FUNCTION public.slow()\n RETURNS integer\n LANGUAGE plpgsql\n PARALLEL SAFE COST 7\nAS $function$begin return 1; end$function$\n"}

create extension citext;
--> no rows

select typname, typnamespace::regnamespace::text as n, typcategory, typtype from pg_type where typname in ('citext', '_citext') order by 1;
--> {"typname":"_citext","n":"public","typcategory":"A","typtype":"b"}
--> {"typname":"citext","n":"public","typcategory":"S","typtype":"b"}

create table typed (a citext, b citext[], c text, d varchar(5), e uuid, f inet);
--> no rows

select column_name, data_type, udt_schema, udt_name from information_schema.columns where table_name = 'typed' order by ordinal_position;
--> {"column_name":"a","data_type":"USER-DEFINED","udt_schema":"public","udt_name":"citext"}
--> {"column_name":"b","data_type":"ARRAY","udt_schema":"public","udt_name":"_citext"}
--> {"column_name":"c","data_type":"text","udt_schema":"pg_catalog","udt_name":"text"}
--> {"column_name":"d","data_type":"character varying","udt_schema":"pg_catalog","udt_name":"varchar"}
--> {"column_name":"e","data_type":"uuid","udt_schema":"pg_catalog","udt_name":"uuid"}
--> {"column_name":"f","data_type":"inet","udt_schema":"pg_catalog","udt_name":"inet"}

select count(*) from pg_available_extension_versions where name = 'citext' and version = '1.6';
--> {"count":1}

select name, version, installed, trusted, relocatable from pg_available_extension_versions where name in ('citext', 'unaccent') and version in ('1.6', '1.1') order by 1;
--> {"name":"citext","version":"1.6","installed":true,"trusted":true,"relocatable":true}
--> {"name":"unaccent","version":"1.1","installed":false,"trusted":true,"relocatable":true}

select name, abbrev, utc_offset, is_dst from pg_timezone_names where name in ('UTC', 'Etc/UTC', 'Asia/Tokyo', 'Asia/Kolkata') order by 1;
--> {"name":"Asia/Kolkata","abbrev":"IST","utc_offset":"05:30:00","is_dst":false}
--> {"name":"Asia/Tokyo","abbrev":"JST","utc_offset":"09:00:00","is_dst":false}
--> {"name":"Etc/UTC","abbrev":"UTC","utc_offset":"00:00:00","is_dst":false}
--> {"name":"UTC","abbrev":"UTC","utc_offset":"00:00:00","is_dst":false}

select exists (select 1 from pg_timezone_names where name = 'Europe/Berlin') as a, exists (select 1 from pg_timezone_names where name = 'Mars/Olympus') as b;
--> {"a":true,"b":false}

create table event (at date not null, kind int) partition by range (at);
--> no rows

create table event_1 partition of event for values from ('2024-01-01') to ('2025-01-01');
--> no rows

create table event_d partition of event default;
--> no rows

create table city (name text) partition by list (name);
--> no rows

create table city_1 partition of city for values in ('a', 'b');
--> no rows

create table hashed (id int) partition by hash (id);
--> no rows

create table hashed_0 partition of hashed for values with (modulus 2, remainder 0);
--> no rows

select partrelid::regclass::text as t, partstrat, partnatts, partdefid::regclass::text as d, partattrs::text as a from pg_partitioned_table order by 1;
--> {"t":"city","partstrat":"l","partnatts":1,"d":"-","a":"1"}
--> {"t":"event","partstrat":"r","partnatts":1,"d":"event_d","a":"1"}
--> {"t":"hashed","partstrat":"h","partnatts":1,"d":"-","a":"1"}

select relname, pg_get_expr(relpartbound, oid) as b, case when relname in ('event_1', 'city_1') then pg_get_partition_constraintdef(oid) end as n from pg_class where relispartition and relkind = 'r' order by 1;
--> {"relname":"city_1","b":"FOR VALUES IN ('a', 'b')","n":"((name IS NOT NULL) AND (name = ANY (ARRAY['a'::text, 'b'::text])))"}
--> {"relname":"event_1","b":"FOR VALUES FROM ('2024-01-01') TO ('2025-01-01')","n":"((at IS NOT NULL) AND (at >= '2024-01-01'::date) AND (at < '2025-01-01'::date))"}
--> {"relname":"event_d","b":"DEFAULT","n":null}
--> {"relname":"hashed_0","b":"FOR VALUES WITH (modulus 2, remainder 0)","n":null}

select relid::text as r, parentrelid::text as p, isleaf, level from pg_partition_tree('event') order by 1;
--> {"r":"event","p":null,"isleaf":false,"level":0}
--> {"r":"event_1","p":"event","isleaf":true,"level":1}
--> {"r":"event_d","p":"event","isleaf":true,"level":1}

select relid::text as r, parentrelid::text as p, isleaf, level from pg_partition_tree('event_1'::regclass) order by 1;
--> {"r":"event_1","p":"event","isleaf":true,"level":0}

select count(*) from pg_partition_tree('shop');
--> {"count":0}

select pg_partition_root('event_1')::text as r, pg_partition_root('event')::text as s, pg_partition_root('shop') as t;
--> {"r":"event","s":"event","t":null}

select relid::regclass::text as r from pg_partition_ancestors('event_1') as relid;
--> {"r":"event_1"}
--> {"r":"event"}

select pg_get_partkeydef('event'::regclass) as k, pg_get_partkeydef('city'::regclass) as c;
--> {"k":"RANGE (at)","c":"LIST (name)"}

create schema counted;
--> no rows

create extension if not exists pg_stat_statements with schema counted;
--> no rows

select string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' order by attnum) as c from pg_attribute a join pg_class c on c.oid = attrelid where relname = 'pg_stat_statements' and attnum > 0;
--> {"c":"userid oid, dbid oid, toplevel boolean, queryid bigint, query text, plans bigint, total_plan_time double precision, min_plan_time double precision, max_plan_time double precision, mean_plan_time double precision, stddev_plan_time double precision, calls bigint, total_exec_time double precision, min_exec_time double precision, max_exec_time double precision, mean_exec_time double precision, stddev_exec_time double precision, rows bigint, shared_blks_hit bigint, shared_blks_read bigint, shared_blks_dirtied bigint, shared_blks_written bigint, local_blks_hit bigint, local_blks_read bigint, local_blks_dirtied bigint, local_blks_written bigint, temp_blks_read bigint, temp_blks_written bigint, blk_read_time double precision, blk_write_time double precision, temp_blk_read_time double precision, temp_blk_write_time double precision, wal_records bigint, wal_fpi bigint, wal_bytes numeric, jit_functions bigint, jit_generation_time double precision, jit_inlining_count bigint, jit_inlining_time double precision, jit_optimization_count bigint, jit_optimization_time double precision, jit_emission_count bigint, jit_emission_time double precision"}

select count(*) > 0 as has from pg_depend d join pg_extension e on e.oid = d.refobjid join pg_class c on c.oid = d.objid where d.deptype = 'e' and d.refclassid = 'pg_extension'::regclass and d.classid = 'pg_class'::regclass and extname = 'pg_stat_statements' and relname = 'pg_stat_statements';
--> {"has":true}

select (aclexplode(relacl)).* from pg_class where relname = 'nothing of it';
--> no rows

select unnest(array[1, 2]) as a, unnest(array[1, 2]) as b;
--> {"a":1,"b":1}
--> {"a":2,"b":2}

select p.proname, bool_or(a.grantee = 0) as everybody from pg_proc p cross join lateral aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where p.proname in ('f', 'g') and a.privilege_type = 'EXECUTE' group by 1 order by 1;
--> {"proname":"f","everybody":true}
--> {"proname":"g","everybody":true}

revoke execute on function f() from public;
--> no rows

select has_function_privilege('anon', 'f()', 'execute') as a, (select count(*) from pg_proc p, aclexplode(p.proacl) a where p.oid = 'f'::regproc and a.grantee = 0) as c;
--> {"a":true,"c":0}

select c.relname, t.tgname, p.proname, case t.tgenabled when 'O' then 'on' else 'off' end as e, (t.tgtype & 2) > 0 as before, (t.tgtype & 1) > 0 as row from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid where not t.tgisinternal and c.relname = 'person' order by 2;
--> {"relname":"person","tgname":"all_new","proname":"note","e":"on","before":false,"row":false}
--> {"relname":"person","tgname":"later","proname":"note","e":"on","before":false,"row":true}
--> {"relname":"person","tgname":"named","proname":"note","e":"on","before":false,"row":true}
--> {"relname":"person","tgname":"now","proname":"note","e":"on","before":false,"row":true}
--> {"relname":"person","tgname":"pair","proname":"note","e":"on","before":false,"row":false}
--> {"relname":"person","tgname":"renamed","proname":"note","e":"on","before":true,"row":true}
--> {"relname":"person","tgname":"soon","proname":"note","e":"on","before":false,"row":true}

drop trigger later on person;
--> no rows

select count(*) from pg_constraint where conname = 'later';
--> {"count":0}

alter publication only_inserts drop table person;
--> no rows

select tablename from pg_publication_tables where pubname = 'only_inserts' order by 1;
--> {"tablename":"shop"}

alter publication only_inserts set table person (id);
--> no rows

select tablename, attnames from pg_publication_tables where pubname = 'only_inserts' order by 1;
--> {"tablename":"person","attnames":"{id}"}

create publication wrong for table shop (missing);
--> ERROR 42703: column "missing" of relation "shop" does not exist

create publication wrong for table shop with (nothing = true);
--> ERROR 42601: unrecognized publication parameter: "nothing"

drop publication only_inserts;
--> no rows

do $$ begin if not exists (select 1 from pg_publication_tables where pubname = 'shops' and schemaname = 'public' and tablename = 'mix') then alter publication shops add table mix; end if; end $$;
--> no rows

select tablename from pg_publication_tables where pubname = 'shops' order by 1;
--> {"tablename":"mix"}
--> {"tablename":"person"}
--> {"tablename":"shop"}

create index no_class on mix using gist (tags);
--> ERROR 42704: data type text[] has no default operator class for access method "gist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create table plain (id int, tags text[], at tsrange, doc tsvector, j jsonb);
--> no rows

drop index mix_gin, mix_gist, mix_bool;
--> no rows

drop extension btree_gist;
--> no rows

drop extension btree_gin;
--> no rows

create index plain_gist on plain using gist (id);
--> ERROR 42704: data type integer has no default operator class for access method "gist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index plain_gist_2 on plain using gist (at, doc);
--> no rows

create index plain_gin on plain using gin (id);
--> ERROR 42704: data type integer has no default operator class for access method "gin"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

create index plain_gin_2 on plain using gin (tags, doc, j);
--> no rows

create function odd() returns int language sql parallel sometimes as 'select 1';
--> ERROR 42601: parameter "parallel" must be SAFE, RESTRICTED, or UNSAFE

create function odd() returns int language sql rows 5 as 'select 1';
--> ERROR 22023: ROWS is not applicable when function does not return a set

create function odd() returns int language sql cost 0 as 'select 1';
--> ERROR 22023: COST must be positive

create or replace function quick(a int) returns setof int language sql stable as 'select a';
--> no rows

select proparallel, procost, prorows, provolatile from pg_proc where proname = 'quick';
--> {"proparallel":"u","procost":100,"prorows":1000,"provolatile":"s"}

select pg_get_functiondef('p'::regproc) as d;
--> {"d":"CREATE OR REPLACE PROCEDURE public.p(IN a integer)\n LANGUAGE sql\nAS $procedure$select 1$procedure$\n"}

select 'f()'::regproc;
--> ERROR 42883: function "f()" does not exist
--> AT 8

select 'shop'::regclass::oid::regclass::text as a, 'shop_pkey'::regclass::text as b, 'pg_class'::regclass::text as c, 'pg_catalog.pg_class'::regclass::text as d;
--> {"a":"shop","b":"shop_pkey","c":"pg_class","d":"pg_class"}

select relname, relkind from pg_class where relname in ('pg_stat_user_tables', 'pg_stat_activity', 'pg_timezone_names', 'pg_trigger', 'pg_publication_tables', 'pg_partitioned_table') order by 1;
--> {"relname":"pg_partitioned_table","relkind":"r"}
--> {"relname":"pg_publication_tables","relkind":"v"}
--> {"relname":"pg_stat_activity","relkind":"v"}
--> {"relname":"pg_stat_user_tables","relkind":"v"}
--> {"relname":"pg_timezone_names","relkind":"v"}
--> {"relname":"pg_trigger","relkind":"r"}

select n_live_tup, seq_scan from pg_stat_user_tables where relname = 'nothing';
--> no rows

select schemaname || '.' || relname as t, pg_size_pretty(pg_total_relation_size(relid)) is not null as s from pg_stat_user_tables where schemaname = 'far' order by 1;
--> no rows

select conname, pg_get_constraintdef(oid) as d from pg_constraint where contype = 't' order by 1;
--> {"conname":"now","d":"TRIGGER"}
--> {"conname":"soon","d":"TRIGGER DEFERRABLE"}

select oid::regprocedure::text as p from pg_proc where proname = 'twice' order by 1;
--> {"p":"twice(integer)"}
--> {"p":"twice(text)"}

select quote_ident(nspname) || '.' || quote_ident(proname) as q from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.oid = 'far.h'::regproc;
--> {"q":"far.h"}
