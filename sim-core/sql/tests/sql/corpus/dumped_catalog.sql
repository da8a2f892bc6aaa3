-- What tools and dumps read of the catalogue: dropped columns, partitions, storage, keys, text search.

create table dc (a int, b text default 'x' not null, c numeric(4,2));
--> no rows

alter table dc drop column b;
--> no rows

alter table dc add column e text;
--> no rows

select attname, attnum, attisdropped, atttypid, attnotnull, atthasdef, attidentity, attgenerated, attstattarget, attislocal, attacl from pg_attribute where attrelid = 'dc'::regclass and attnum > 0 and attisdropped;
--> {"attname":"........pg.dropped.2........","attnum":2,"attisdropped":true,"atttypid":0,"attnotnull":false,"atthasdef":false,"attidentity":"","attgenerated":"","attstattarget":0,"attislocal":true,"attacl":null}

select attname, attnum, attisdropped from pg_attribute where attrelid = 'dc'::regclass and attnum > 0 order by attnum;
--> {"attname":"a","attnum":1,"attisdropped":false}
--> {"attname":"........pg.dropped.2........","attnum":2,"attisdropped":true}
--> {"attname":"c","attnum":3,"attisdropped":false}
--> {"attname":"e","attnum":4,"attisdropped":false}

select relnatts from pg_class where relname = 'dc';
--> {"relnatts":4}

select * from dc;
--> no rows

select column_name, ordinal_position from information_schema.columns where table_name = 'dc' order by 2;
--> {"column_name":"a","ordinal_position":1}
--> {"column_name":"c","ordinal_position":3}
--> {"column_name":"e","ordinal_position":4}

create table pp (a int primary key, x text, d int) partition by range (a);
--> no rows

create index ppx on pp(x);
--> no rows

create table p1 partition of pp for values from (1) to (2);
--> no rows

create table tt (i int primary key, p int references p1);
--> no rows

alter table pp add foreign key (d) references tt(i);
--> no rows

select relname, relreplident, relkind, relispartition, relnatts, relhassubclass from pg_class where relname in ('pp','p1','pp_pkey','p1_pkey','ppx') order by 1;
--> {"relname":"p1","relreplident":"d","relkind":"r","relispartition":true,"relnatts":3,"relhassubclass":false}
--> {"relname":"p1_pkey","relreplident":"n","relkind":"i","relispartition":true,"relnatts":1,"relhassubclass":false}
--> {"relname":"pp","relreplident":"d","relkind":"p","relispartition":false,"relnatts":3,"relhassubclass":true}
--> {"relname":"pp_pkey","relreplident":"n","relkind":"I","relispartition":false,"relnatts":1,"relhassubclass":true}
--> {"relname":"ppx","relreplident":"n","relkind":"I","relispartition":false,"relnatts":1,"relhassubclass":true}

select case classid when 'pg_class'::regclass then objid::regclass::text else (select conname || ' on ' || conrelid::regclass from pg_constraint c where c.oid = objid) end o, objsubid, case refclassid when 'pg_class'::regclass then refobjid::regclass::text else (select conname || ' on ' || conrelid::regclass from pg_constraint c where c.oid = refobjid) end r, refobjsubid, deptype from pg_depend where (classid = 'pg_class'::regclass and objid in (select oid from pg_class where relname ~ '^(p1|pp_|ppx)') or classid = 'pg_constraint'::regclass and objid in (select oid from pg_constraint where conrelid in ('p1'::regclass, 'tt'::regclass))) and refclassid in ('pg_class'::regclass, 'pg_constraint'::regclass) order by 1, 2, 3, 4, 5;
--> {"o":"p1","objsubid":0,"r":"pp","refobjsubid":0,"deptype":"a"}
--> {"o":"p1_pkey","objsubid":0,"r":"p1","refobjsubid":0,"deptype":"S"}
--> {"o":"p1_pkey","objsubid":0,"r":"p1_pkey on p1","refobjsubid":0,"deptype":"i"}
--> {"o":"p1_pkey","objsubid":0,"r":"pp_pkey","refobjsubid":0,"deptype":"P"}
--> {"o":"p1_pkey on p1","objsubid":0,"r":"p1","refobjsubid":0,"deptype":"S"}
--> {"o":"p1_pkey on p1","objsubid":0,"r":"p1","refobjsubid":1,"deptype":"a"}
--> {"o":"p1_pkey on p1","objsubid":0,"r":"pp_pkey on pp","refobjsubid":0,"deptype":"P"}
--> {"o":"p1_x_idx","objsubid":0,"r":"p1","refobjsubid":0,"deptype":"S"}
--> {"o":"p1_x_idx","objsubid":0,"r":"p1","refobjsubid":2,"deptype":"a"}
--> {"o":"p1_x_idx","objsubid":0,"r":"ppx","refobjsubid":0,"deptype":"P"}
--> {"o":"pp_d_fkey on p1","objsubid":0,"r":"p1","refobjsubid":0,"deptype":"S"}
--> {"o":"pp_d_fkey on p1","objsubid":0,"r":"p1","refobjsubid":3,"deptype":"a"}
--> {"o":"pp_d_fkey on p1","objsubid":0,"r":"pp_d_fkey on pp","refobjsubid":0,"deptype":"P"}
--> {"o":"pp_d_fkey on p1","objsubid":0,"r":"tt","refobjsubid":1,"deptype":"n"}
--> {"o":"pp_d_fkey on p1","objsubid":0,"r":"tt_pkey","refobjsubid":0,"deptype":"n"}
--> {"o":"pp_pkey","objsubid":0,"r":"pp_pkey on pp","refobjsubid":0,"deptype":"i"}
--> {"o":"ppx","objsubid":0,"r":"pp","refobjsubid":2,"deptype":"a"}
--> {"o":"tt_p_fkey on tt","objsubid":0,"r":"p1","refobjsubid":1,"deptype":"n"}
--> {"o":"tt_p_fkey on tt","objsubid":0,"r":"p1_pkey","refobjsubid":0,"deptype":"n"}
--> {"o":"tt_p_fkey on tt","objsubid":0,"r":"tt","refobjsubid":2,"deptype":"a"}
--> {"o":"tt_pkey on tt","objsubid":0,"r":"tt","refobjsubid":1,"deptype":"a"}

select conname, conrelid::regclass, conparentid <> 0 par, conislocal, coninhcount, connoinherit, conindid::regclass from pg_constraint where conrelid in ('pp'::regclass, 'p1'::regclass, 'tt'::regclass) order by 1, 2;
--> {"conname":"p1_pkey","conrelid":"p1","par":true,"conislocal":false,"coninhcount":1,"connoinherit":false,"conindid":"p1_pkey"}
--> {"conname":"pp_d_fkey","conrelid":"pp","par":false,"conislocal":true,"coninhcount":0,"connoinherit":false,"conindid":"tt_pkey"}
--> {"conname":"pp_d_fkey","conrelid":"p1","par":true,"conislocal":false,"coninhcount":1,"connoinherit":false,"conindid":"tt_pkey"}
--> {"conname":"pp_pkey","conrelid":"pp","par":false,"conislocal":true,"coninhcount":0,"connoinherit":true,"conindid":"pp_pkey"}
--> {"conname":"tt_p_fkey","conrelid":"tt","par":false,"conislocal":true,"coninhcount":0,"connoinherit":true,"conindid":"p1_pkey"}
--> {"conname":"tt_pkey","conrelid":"tt","par":false,"conislocal":true,"coninhcount":0,"connoinherit":true,"conindid":"tt_pkey"}

create table u (id int primary key, age int, t text, j jsonb, n numeric, ta text[], v varchar(3), b bytea, i inet, q tsquery, r int4range);
--> no rows

create materialized view m1 as select id from u with no data;
--> no rows

select relispopulated from pg_class where relname = 'm1';
--> {"relispopulated":false}

select ispopulated from pg_matviews where matviewname = 'm1';
--> {"ispopulated":false}

refresh materialized view m1;
--> no rows

select relispopulated from pg_class where relname = 'm1';
--> {"relispopulated":true}

create type mood as enum ('a');
--> no rows

create type ct as (a int, b text, c char(3), d text[]);
--> no rows

create domain slug as text check (value ~ '^[a-z]+$');
--> no rows

select constraint_name, check_clause from information_schema.check_constraints where constraint_name = 'slug_check';
--> {"constraint_name":"slug_check","check_clause":"((VALUE ~ '^[a-z]+$'::text))"}

alter table u add m mood, add c ct, add s slug, add sa slug[];
--> no rows

alter table u alter v set storage main;
--> no rows

select attname, attstorage, attcollation, attndims from pg_attribute where attrelid = 'u'::regclass and attnum > 0 order by attnum;
--> {"attname":"id","attstorage":"p","attcollation":0,"attndims":0}
--> {"attname":"age","attstorage":"p","attcollation":0,"attndims":0}
--> {"attname":"t","attstorage":"x","attcollation":100,"attndims":0}
--> {"attname":"j","attstorage":"x","attcollation":0,"attndims":0}
--> {"attname":"n","attstorage":"m","attcollation":0,"attndims":0}
--> {"attname":"ta","attstorage":"x","attcollation":100,"attndims":1}
--> {"attname":"v","attstorage":"m","attcollation":100,"attndims":0}
--> {"attname":"b","attstorage":"x","attcollation":0,"attndims":0}
--> {"attname":"i","attstorage":"m","attcollation":0,"attndims":0}
--> {"attname":"q","attstorage":"p","attcollation":0,"attndims":0}
--> {"attname":"r","attstorage":"x","attcollation":0,"attndims":0}
--> {"attname":"m","attstorage":"p","attcollation":0,"attndims":0}
--> {"attname":"c","attstorage":"x","attcollation":0,"attndims":0}
--> {"attname":"s","attstorage":"x","attcollation":100,"attndims":0}
--> {"attname":"sa","attstorage":"x","attcollation":100,"attndims":1}

select attname, attstorage, attcollation from pg_attribute where attrelid = 'ct'::regclass order by attnum;
--> {"attname":"a","attstorage":"p","attcollation":0}
--> {"attname":"b","attstorage":"x","attcollation":100}
--> {"attname":"c","attstorage":"x","attcollation":100}
--> {"attname":"d","attstorage":"x","attcollation":100}

select typname, typstorage, typcollation from pg_type where typname in ('mood','_mood','ct','_ct','u','slug','text','_text','numeric','int4','name','_name','jsonb','inet','int4range','regdictionary','_regcollation') order by 1;
--> {"typname":"_ct","typstorage":"x","typcollation":0}
--> {"typname":"_mood","typstorage":"x","typcollation":0}
--> {"typname":"_name","typstorage":"x","typcollation":950}
--> {"typname":"_regcollation","typstorage":"x","typcollation":0}
--> {"typname":"_text","typstorage":"x","typcollation":100}
--> {"typname":"ct","typstorage":"x","typcollation":0}
--> {"typname":"inet","typstorage":"m","typcollation":0}
--> {"typname":"int4","typstorage":"p","typcollation":0}
--> {"typname":"int4range","typstorage":"x","typcollation":0}
--> {"typname":"jsonb","typstorage":"x","typcollation":0}
--> {"typname":"mood","typstorage":"p","typcollation":0}
--> {"typname":"name","typstorage":"p","typcollation":950}
--> {"typname":"numeric","typstorage":"m","typcollation":0}
--> {"typname":"regdictionary","typstorage":"p","typcollation":0}
--> {"typname":"slug","typstorage":"x","typcollation":100}
--> {"typname":"text","typstorage":"x","typcollation":100}
--> {"typname":"u","typstorage":"x","typcollation":0}

create index ii on u (t) include (age, n);
--> no rows

select attrelid::regclass, attname, attnum, atttypid::regtype from pg_attribute where attrelid = 'ii'::regclass order by 1,3;
--> {"attrelid":"ii","attname":"t","attnum":1,"atttypid":"text"}
--> {"attrelid":"ii","attname":"age","attnum":2,"atttypid":"integer"}
--> {"attrelid":"ii","attname":"n","attnum":3,"atttypid":"numeric"}

create table org (id int primary key, a int unique, b int, unique (a, b));
--> no rows

create table mem (o int references org, a int references org (a), x int, y int, foreign key (y, x) references org (b, a));
--> no rows

select conname, conindid::regclass from pg_constraint where conrelid = 'mem'::regclass order by 1;
--> {"conname":"mem_a_fkey","conindid":"org_a_key"}
--> {"conname":"mem_o_fkey","conindid":"org_pkey"}
--> {"conname":"mem_y_x_fkey","conindid":"org_a_b_key"}

create procedure pr(inout a int) language plpgsql as $$ begin end $$;
--> no rows

create procedure pr2(a int) language plpgsql as $$ begin end $$;
--> no rows

select proname, prorettype::regtype from pg_proc where proname in ('pr','pr2') order by 1;
--> {"proname":"pr","prorettype":"record"}
--> {"proname":"pr2","prorettype":"void"}

create function tf() returns trigger language plpgsql as $$ begin return new; end $$;
--> no rows

create trigger b1 after insert on u for each row execute function tf();
--> no rows

create constraint trigger a1 after insert on u deferrable for each row execute function tf();
--> no rows

create trigger c1 before insert on u for each row execute function tf();
--> no rows

create trigger a2 after insert or update on u for each row execute function tf();
--> no rows

create trigger a3 after insert on u for each statement execute function tf();
--> no rows

select trigger_name, event_manipulation, action_order from information_schema.triggers where event_object_table = 'u' order by 1,2;
--> {"trigger_name":"a1","event_manipulation":"INSERT","action_order":1}
--> {"trigger_name":"a2","event_manipulation":"INSERT","action_order":2}
--> {"trigger_name":"a2","event_manipulation":"UPDATE","action_order":1}
--> {"trigger_name":"a3","event_manipulation":"INSERT","action_order":1}
--> {"trigger_name":"b1","event_manipulation":"INSERT","action_order":3}
--> {"trigger_name":"c1","event_manipulation":"INSERT","action_order":1}

select attname, information_schema._pg_truetypid(a.*, t.*)::regtype, information_schema._pg_truetypmod(a.*, t.*), information_schema._pg_char_max_length(information_schema._pg_truetypid(a.*, t.*), information_schema._pg_truetypmod(a.*, t.*)), information_schema._pg_numeric_precision(information_schema._pg_truetypid(a.*, t.*), information_schema._pg_truetypmod(a.*, t.*)) from pg_attribute a join pg_type t on t.oid = a.atttypid where attrelid = 'u'::regclass and attnum > 0 order by attnum;
--> {"attname":"id","_pg_truetypid":"integer","_pg_truetypmod":-1,"_pg_char_max_length":null,"_pg_numeric_precision":32}
--> {"attname":"age","_pg_truetypid":"integer","_pg_truetypmod":-1,"_pg_char_max_length":null,"_pg_numeric_precision":32}
--> {"attname":"t","_pg_truetypid":"text","_pg_truetypmod":-1,"_pg_char_max_length":null,"_pg_numeric_precision":null}
--> {"attname":"j","_pg_truetypid":"jsonb","_pg_truetypmod":-1,"_pg_char_max_length":null,"_pg_numeric_precision":null}
--> {"attname":"n","_pg_truetypid":"numeric","_pg_truetypmod":-1,"_pg_char_max_length":null,"_pg_numeric_precision":null}
--> {"attname":"ta","_pg_truetypid":"text[]","_pg_truetypmod":-1,"_pg_char_max_length":null,"_pg_numeric_precision":null}
--> {"attname":"v","_pg_truetypid":"character varying","_pg_truetypmod":7,"_pg_char_max_length":3,"_pg_numeric_precision":null}
--> {"attname":"b","_pg_truetypid":"bytea","_pg_truetypmod":-1,"_pg_char_max_length":null,"_pg_numeric_precision":null}
--> {"attname":"i","_pg_truetypid":"inet","_pg_truetypmod":-1,"_pg_char_max_length":null,"_pg_numeric_precision":null}
--> {"attname":"q","_pg_truetypid":"tsquery","_pg_truetypmod":-1,"_pg_char_max_length":null,"_pg_numeric_precision":null}
--> {"attname":"r","_pg_truetypid":"int4range","_pg_truetypmod":-1,"_pg_char_max_length":null,"_pg_numeric_precision":null}
--> {"attname":"m","_pg_truetypid":"mood","_pg_truetypmod":-1,"_pg_char_max_length":null,"_pg_numeric_precision":null}
--> {"attname":"c","_pg_truetypid":"ct","_pg_truetypmod":-1,"_pg_char_max_length":null,"_pg_numeric_precision":null}
--> {"attname":"s","_pg_truetypid":"text","_pg_truetypmod":-1,"_pg_char_max_length":null,"_pg_numeric_precision":null}
--> {"attname":"sa","_pg_truetypid":"slug[]","_pg_truetypmod":-1,"_pg_char_max_length":null,"_pg_numeric_precision":null}

select array_agg((coalesce(attname::text,''), atttypid::regtype::text, attnum <= 1) order by attnum) from pg_attribute where attrelid = 'org'::regclass and attnum > 0;
--> {"array_agg":"{\"(id,integer,t)\",\"(a,integer,f)\",\"(b,integer,f)\"}"}

select array_agg(row('a',1))::text, array(select (1,'x y'))::text, array_agg(row(n, null, true)) from (values (1.50),(2)) v(n);
--> {"array_agg":"{\"(1.50,,t)\",\"(2,,t)\"}","array":"{\"(1,\\\"x y\\\")\"}"}

select 'default'::regcollation, '"C"'::regcollation::oid, attcollation::regcollation from pg_attribute where attrelid = 'u'::regclass and attname in ('t','age') order by attnum;
--> {"regcollation":"\"default\"","oid":950,"attcollation":"-"}
--> {"regcollation":"\"default\"","oid":950,"attcollation":"\"default\""}

select 'nono'::regcollation;
--> ERROR 42704: collation "nono" for encoding "UTF8" does not exist
--> AT 8

select 'nono'::regdictionary;
--> ERROR 42704: text search dictionary "nono" does not exist
--> AT 8

select count(*), min(alias) from ts_token_type(3722);
--> {"count":23,"min":"asciihword"}

select prsname, prsnamespace::regnamespace from pg_ts_parser;
--> {"prsname":"default","prsnamespace":"pg_catalog"}

select maptokentype, mapseqno, mapdict from pg_ts_config_map where mapcfg = 3748 order by 1;
--> {"maptokentype":1,"mapseqno":1,"mapdict":3765}
--> {"maptokentype":2,"mapseqno":1,"mapdict":3765}
--> {"maptokentype":3,"mapseqno":1,"mapdict":3765}
--> {"maptokentype":4,"mapseqno":1,"mapdict":3765}
--> {"maptokentype":5,"mapseqno":1,"mapdict":3765}
--> {"maptokentype":6,"mapseqno":1,"mapdict":3765}
--> {"maptokentype":7,"mapseqno":1,"mapdict":3765}
--> {"maptokentype":8,"mapseqno":1,"mapdict":3765}
--> {"maptokentype":9,"mapseqno":1,"mapdict":3765}
--> {"maptokentype":10,"mapseqno":1,"mapdict":3765}
--> {"maptokentype":11,"mapseqno":1,"mapdict":3765}
--> {"maptokentype":15,"mapseqno":1,"mapdict":3765}
--> {"maptokentype":16,"mapseqno":1,"mapdict":3765}
--> {"maptokentype":17,"mapseqno":1,"mapdict":3765}
--> {"maptokentype":18,"mapseqno":1,"mapdict":3765}
--> {"maptokentype":19,"mapseqno":1,"mapdict":3765}
--> {"maptokentype":20,"mapseqno":1,"mapdict":3765}
--> {"maptokentype":21,"mapseqno":1,"mapdict":3765}
--> {"maptokentype":22,"mapseqno":1,"mapdict":3765}

create text search configuration cc (copy = english);
--> no rows

alter text search configuration cc alter mapping for asciiword with simple;
--> no rows

create extension unaccent schema extensions;
--> no rows

alter text search configuration cc alter mapping for hword, word with extensions.unaccent, english_stem;
--> no rows

alter text search configuration cc drop mapping for int;
--> no rows

select (select alias from pg_catalog.ts_token_type(c.cfgparser) t where t.tokid = m.maptokentype) as tokenname, m.mapdict::regdictionary from pg_ts_config c join pg_ts_config_map m on m.mapcfg = c.oid where cfgname = 'cc' order by m.mapcfg, m.maptokentype, m.mapseqno;
--> {"tokenname":"asciiword","mapdict":"simple"}
--> {"tokenname":"word","mapdict":"unaccent"}
--> {"tokenname":"word","mapdict":"english_stem"}
--> {"tokenname":"numword","mapdict":"simple"}
--> {"tokenname":"email","mapdict":"simple"}
--> {"tokenname":"url","mapdict":"simple"}
--> {"tokenname":"host","mapdict":"simple"}
--> {"tokenname":"sfloat","mapdict":"simple"}
--> {"tokenname":"version","mapdict":"simple"}
--> {"tokenname":"hword_numpart","mapdict":"simple"}
--> {"tokenname":"hword_part","mapdict":"english_stem"}
--> {"tokenname":"hword_asciipart","mapdict":"english_stem"}
--> {"tokenname":"numhword","mapdict":"simple"}
--> {"tokenname":"asciihword","mapdict":"english_stem"}
--> {"tokenname":"hword","mapdict":"unaccent"}
--> {"tokenname":"hword","mapdict":"english_stem"}
--> {"tokenname":"url_path","mapdict":"simple"}
--> {"tokenname":"file","mapdict":"simple"}
--> {"tokenname":"float","mapdict":"simple"}
--> {"tokenname":"uint","mapdict":"simple"}