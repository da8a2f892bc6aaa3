-- Dictionaries and configurations of text search in the catalog, and collations by name.

create extension if not exists unaccent with schema extensions;
--> no rows

create text search configuration fr (copy = simple);
--> no rows

alter text search configuration fr alter mapping for hword, hword_part, word with unaccent, simple;
--> no rows

select prsname, nspname from pg_ts_parser p join pg_namespace n on n.oid = p.prsnamespace;
--> {"prsname":"default","nspname":"pg_catalog"}

select ( select alias from pg_catalog.ts_token_type(3722::pg_catalog.oid) as t where t.tokid = m.maptokentype ) as tokenname, m.mapdict::pg_catalog.regdictionary as dictname, mapseqno from pg_catalog.pg_ts_config_map m where m.mapcfg = (select oid from pg_ts_config where cfgname = 'fr') order by 1, 3;
--> {"tokenname":"asciihword","dictname":"simple","mapseqno":1}
--> {"tokenname":"asciiword","dictname":"simple","mapseqno":1}
--> {"tokenname":"email","dictname":"simple","mapseqno":1}
--> {"tokenname":"file","dictname":"simple","mapseqno":1}
--> {"tokenname":"float","dictname":"simple","mapseqno":1}
--> {"tokenname":"host","dictname":"simple","mapseqno":1}
--> {"tokenname":"hword","dictname":"unaccent","mapseqno":1}
--> {"tokenname":"hword","dictname":"simple","mapseqno":2}
--> {"tokenname":"hword_asciipart","dictname":"simple","mapseqno":1}
--> {"tokenname":"hword_numpart","dictname":"simple","mapseqno":1}
--> {"tokenname":"hword_part","dictname":"unaccent","mapseqno":1}
--> {"tokenname":"hword_part","dictname":"simple","mapseqno":2}
--> {"tokenname":"int","dictname":"simple","mapseqno":1}
--> {"tokenname":"numhword","dictname":"simple","mapseqno":1}
--> {"tokenname":"numword","dictname":"simple","mapseqno":1}
--> {"tokenname":"sfloat","dictname":"simple","mapseqno":1}
--> {"tokenname":"uint","dictname":"simple","mapseqno":1}
--> {"tokenname":"url","dictname":"simple","mapseqno":1}
--> {"tokenname":"url_path","dictname":"simple","mapseqno":1}
--> {"tokenname":"version","dictname":"simple","mapseqno":1}
--> {"tokenname":"word","dictname":"unaccent","mapseqno":1}
--> {"tokenname":"word","dictname":"simple","mapseqno":2}

select 'simple'::regdictionary, 'english_stem'::regdictionary::text, 'simple'::regdictionary::oid;
--> {"regdictionary":"simple","text":"english_stem","oid":3765}

select 'nosuch'::regdictionary;
--> ERROR 42704: text search dictionary "nosuch" does not exist
--> AT 8

select dictname, dictnamespace::regnamespace from pg_ts_dict where dictname in ('simple', 'unaccent', 'french_stem') order by 1;
--> {"dictname":"french_stem","dictnamespace":"pg_catalog"}
--> {"dictname":"simple","dictnamespace":"pg_catalog"}
--> {"dictname":"unaccent","dictnamespace":"extensions"}

select to_tsvector('fr', 'Hôtel à la mer');
--> {"to_tsvector":"'a':2 'hotel':1 'la':3 'mer':4"}

set search_path = '';
--> no rows

select distinct m.mapdict::pg_catalog.regdictionary::text as dictname from pg_catalog.pg_ts_config_map m where m.mapcfg = (select oid from pg_catalog.pg_ts_config where cfgname = 'fr') order by 1;
--> {"dictname":"simple"}
--> {"dictname":"unaccent"}

reset search_path;
--> no rows

select 'default'::regcollation, '"C"'::regcollation::oid, 950::regcollation;
--> {"regcollation":"\"C\"","oid":950}

create table rc (a text collate "C", b text, c int);
--> no rows

select attname, attcollation::regcollation from pg_attribute where attrelid = 'rc'::regclass and attnum > 0 order by attnum;
--> {"attname":"a","attcollation":"\"C\""}
--> {"attname":"b","attcollation":"\"default\""}
--> {"attname":"c","attcollation":"-"}

select 'nosuch'::regcollation;
--> ERROR 42704: collation "nosuch" for encoding "UTF8" does not exist
--> AT 8
