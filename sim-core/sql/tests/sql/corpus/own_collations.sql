-- Collations that a project creates, and the collations of columns.

create collation german (provider = icu, locale = 'de-DE');
--> no rows

create collation german (provider = icu, locale = 'de-DE');
--> ERROR 42710: collation "german" already exists

create collation if not exists german (provider = icu, locale = 'de-DE');
--> no rows

create collation c2 (locale = 'C');
--> no rows

create collation c2 (locale = 'C');
--> ERROR 42710: collation "c2" for encoding "UTF8" already exists

create collation c3 from "C";
--> no rows

create collation c4 from german;
--> no rows

create collation c5 from "default";
--> ERROR 42P17: collation "default" cannot be copied

create collation c5 from nosuch;
--> ERROR 42704: collation "nosuch" for encoding "UTF8" does not exist

create collation c5 (provider = icu);
--> ERROR 42P17: parameter "locale" must be specified

create collation c5 (lc_collate = 'C');
--> ERROR 42P17: parameter "lc_ctype" must be specified

create collation c5 (locale = 'C', lc_collate = 'C');
--> ERROR 42601: conflicting or redundant options
--> DETAIL: LOCALE cannot be specified together with LC_COLLATE or LC_CTYPE.

create collation c5 (locale = 'C', locale = 'C');
--> ERROR 42601: conflicting or redundant options
--> AT 36

create collation c5 (locale = 'C', foo = 'C');
--> ERROR 42601: collation attribute "foo" not recognized
--> AT 36

create collation c5 (provider = foo, locale = 'C');
--> ERROR 42P17: unrecognized collation provider: foo

create collation c5 (locale = 'no_such');
--> ERROR 22023: could not create locale "no_such": No such file or directory
--> DETAIL: The operating system could not find any locale data for the locale name "no_such".

create collation c5 (locale = 'C', deterministic = false);
--> ERROR 0A000: nondeterministic collations not supported with this provider

create collation case_insensitive (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
--> no rows

create collation natural_order (provider = icu, locale = 'en-u-kn-true');
--> no rows

select collname, collnamespace::regnamespace, collprovider, collisdeterministic, collencoding, collcollate, collctype, colliculocale from pg_collation where collname in ('german', 'c2', 'c3', 'c4', 'C', 'POSIX', 'default', 'ucs_basic') and collname <> 'default' order by 1;
--> {"collname":"C","collnamespace":"pg_catalog","collprovider":"c","collisdeterministic":true,"collencoding":-1,"collcollate":"C","collctype":"C","colliculocale":null}
--> {"collname":"POSIX","collnamespace":"pg_catalog","collprovider":"c","collisdeterministic":true,"collencoding":-1,"collcollate":"POSIX","collctype":"POSIX","colliculocale":null}
--> {"collname":"c2","collnamespace":"public","collprovider":"c","collisdeterministic":true,"collencoding":6,"collcollate":"C","collctype":"C","colliculocale":null}
--> {"collname":"c3","collnamespace":"public","collprovider":"c","collisdeterministic":true,"collencoding":-1,"collcollate":"C","collctype":"C","colliculocale":null}
--> {"collname":"c4","collnamespace":"public","collprovider":"i","collisdeterministic":true,"collencoding":-1,"collcollate":null,"collctype":null,"colliculocale":"de-DE"}
--> {"collname":"german","collnamespace":"public","collprovider":"i","collisdeterministic":true,"collencoding":-1,"collcollate":null,"collctype":null,"colliculocale":"de-DE"}
--> {"collname":"ucs_basic","collnamespace":"pg_catalog","collprovider":"c","collisdeterministic":true,"collencoding":6,"collcollate":"C","collctype":"C","colliculocale":null}

create table words (a text collate german, b text collate "C" not null, c varchar(9) collate "en-x-icu" default 'x', d text, e text collate "default", f int, g text[] collate "POSIX");
--> no rows

select column_name, collation_catalog = current_database() as here, collation_schema, collation_name from information_schema.columns where table_name = 'words' order by ordinal_position;
--> {"column_name":"a","here":true,"collation_schema":"public","collation_name":"german"}
--> {"column_name":"b","here":true,"collation_schema":"pg_catalog","collation_name":"C"}
--> {"column_name":"c","here":true,"collation_schema":"pg_catalog","collation_name":"en-x-icu"}
--> {"column_name":"d","here":null,"collation_schema":null,"collation_name":null}
--> {"column_name":"e","here":null,"collation_schema":null,"collation_name":null}
--> {"column_name":"f","here":null,"collation_schema":null,"collation_name":null}
--> {"column_name":"g","here":true,"collation_schema":"pg_catalog","collation_name":"POSIX"}

select a.attname, c.collname from pg_attribute a left join pg_collation c on c.oid = a.attcollation where a.attrelid = 'words'::regclass and attnum > 0 order by attnum;
--> {"attname":"a","collname":"german"}
--> {"attname":"b","collname":"C"}
--> {"attname":"c","collname":"en-x-icu"}
--> {"attname":"d","collname":"default"}
--> {"attname":"e","collname":"default"}
--> {"attname":"f","collname":null}
--> {"attname":"g","collname":"POSIX"}

insert into words (a, b, d) values ('b', 'B', 'x'), ('a', 'a', 'y'), ('c', 'C', 'z');
--> no rows

select a, b from words order by a;
--> {"a":"a","b":"a"}
--> {"a":"b","b":"B"}
--> {"a":"c","b":"C"}

select b from words order by b;
--> {"b":"B"}
--> {"b":"C"}
--> {"b":"a"}

select a from words order by a collate german desc;
--> {"a":"c"}
--> {"a":"b"}
--> {"a":"a"}

select max(a), min(b collate c2) from words;
--> {"max":"c","min":"B"}

select a from words where a collate german > 'a' order by 1;
--> {"a":"b"}
--> {"a":"c"}

select 1 collate german;
--> ERROR 42804: collations are not supported by type integer
--> AT 10

select 'a' collate public.german, 'a' collate nosuch.german;
--> ERROR 3F000: schema "nosuch" does not exist
--> AT 39

create index words_a on words (a collate german);
--> no rows

create index words_b on words (b collate c3, lower(a) collate "C");
--> no rows

alter table words alter d type text collate german;
--> no rows

alter table words alter a type text;
--> no rows

alter table words add h text collate c2;
--> no rows

select column_name, collation_schema, collation_name from information_schema.columns where table_name = 'words' and collation_name is not null order by ordinal_position;
--> {"column_name":"b","collation_schema":"pg_catalog","collation_name":"C"}
--> {"column_name":"c","collation_schema":"pg_catalog","collation_name":"en-x-icu"}
--> {"column_name":"d","collation_schema":"public","collation_name":"german"}
--> {"column_name":"g","collation_schema":"pg_catalog","collation_name":"POSIX"}
--> {"column_name":"h","collation_schema":"public","collation_name":"c2"}

create table words2 (like words);
--> no rows

select column_name, collation_name from information_schema.columns where table_name = 'words2' and collation_name is not null order by ordinal_position;
--> {"column_name":"b","collation_name":"C"}
--> {"column_name":"c","collation_name":"en-x-icu"}
--> {"column_name":"d","collation_name":"german"}
--> {"column_name":"g","collation_name":"POSIX"}
--> {"column_name":"h","collation_name":"c2"}

create view v as select b, a, d from words order by b collate german;
--> no rows

select pg_get_viewdef('v');
--> {"pg_get_viewdef":" SELECT words.b,\n    words.a,\n    words.d\n   FROM words\n  ORDER BY (words.b COLLATE german);"}

create domain word as text collate german;
--> no rows

create type pair as (x text collate german, y int);
--> no rows

drop view v;
--> no rows

alter collation german rename to deutsch;
--> no rows

select column_name, collation_name from information_schema.columns where table_name = 'words' and collation_name is not null order by ordinal_position;
--> {"column_name":"b","collation_name":"C"}
--> {"column_name":"c","collation_name":"en-x-icu"}
--> {"column_name":"d","collation_name":"deutsch"}
--> {"column_name":"g","collation_name":"POSIX"}
--> {"column_name":"h","collation_name":"c2"}

comment on collation deutsch is 'as in German';
--> no rows

select obj_description(oid, 'pg_collation') from pg_collation where collname = 'deutsch';
--> {"obj_description":"as in German"}

drop collation c2;
--> ERROR 2BP01: cannot drop collation c2 because other objects depend on it
--> DETAIL: column h of table words depends on collation c2\ncolumn h of table words2 depends on collation c2
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop collation c2 cascade;
--> no rows

select column_name from information_schema.columns where table_name = 'words' order by ordinal_position;
--> {"column_name":"a"}
--> {"column_name":"b"}
--> {"column_name":"c"}
--> {"column_name":"d"}
--> {"column_name":"e"}
--> {"column_name":"f"}
--> {"column_name":"g"}

drop collation c2;
--> ERROR 42704: collation "c2" for encoding "UTF8" does not exist

drop collation if exists c2;
--> no rows

alter collation c2 rename to c9;
--> ERROR 42704: collation "c2" for encoding "UTF8" does not exist

alter collation c3 refresh version;
--> no rows

create schema s;
--> no rows

alter collation c3 set schema s;
--> no rows

select 'a' collate c3;
--> ERROR 42704: collation "c3" for encoding "UTF8" does not exist
--> AT 12

select 'a' collate s.c3;
--> {"?column?":"a"}

drop index words_b;
--> no rows

drop collation s.c3, c4;
--> no rows
