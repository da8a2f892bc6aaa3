-- What the catalog says of the functions of extensions, and of the schemas that objects are in.

create extension if not exists pgcrypto schema extensions; create extension if not exists hstore; create extension if not exists citext; create extension if not exists pg_trgm; create extension if not exists "uuid-ossp" schema extensions; create extension if not exists btree_gist; create extension if not exists unaccent;
--> no rows

select n.nspname from pg_extension x join pg_depend d on d.refclassid='pg_extension'::regclass and d.refobjid=x.oid and d.deptype='e' join pg_proc p on d.classid='pg_proc'::regclass and d.objid=p.oid join pg_namespace n on n.oid=p.pronamespace where x.extname='pgcrypto' and p.proname='digest';
--> {"nspname":"extensions"}
--> {"nspname":"extensions"}

select x.extname, n.nspname, p.proname from pg_extension x join pg_depend d on d.refclassid = 'pg_extension'::regclass and d.refobjid = x.oid and d.deptype = 'e' join pg_proc p on d.classid = 'pg_proc'::regclass and d.objid = p.oid join pg_namespace n on n.oid = p.pronamespace where p.proname in ('crypt', 'hmac', 'similarity', 'word_similarity', 'uuid_generate_v4', 'akeys', 'unaccent') group by 1, 2, 3 order by 1, 2, 3;
--> {"extname":"hstore","nspname":"public","proname":"akeys"}
--> {"extname":"pg_trgm","nspname":"public","proname":"similarity"}
--> {"extname":"pg_trgm","nspname":"public","proname":"word_similarity"}
--> {"extname":"pgcrypto","nspname":"extensions","proname":"crypt"}
--> {"extname":"pgcrypto","nspname":"extensions","proname":"hmac"}
--> {"extname":"unaccent","nspname":"public","proname":"unaccent"}
--> {"extname":"uuid-ossp","nspname":"extensions","proname":"uuid_generate_v4"}

select count(*) from pg_proc p left join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e' join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'public' and d.objid is null;
--> {"count":0}

create function public.mine() returns int language sql as 'select 1'; select p.proname from pg_proc p left join pg_depend d on d.objid = p.oid and d.deptype = 'e' where p.pronamespace = 'public'::regnamespace and d.objid is null;
--> {"proname":"mine"}

create schema kept; create extension fuzzystrmatch schema kept; select n.nspname, p.proname from pg_proc p join pg_namespace n on n.oid = p.pronamespace where p.proname in ('soundex', 'metaphone') order by 2;
--> {"nspname":"kept","proname":"metaphone"}
--> {"nspname":"kept","proname":"soundex"}

drop extension fuzzystrmatch; select proname from pg_proc where proname in ('soundex', 'metaphone');
--> no rows

create type mood as enum ('a'); create view sees as select 1 a; create sequence counts; create domain small as int; select d.classid::regclass, d.deptype, n.nspname from pg_depend d join pg_namespace n on n.oid = d.refobjid and d.refclassid = 'pg_namespace'::regclass where d.objid in ('sees'::regclass, 'counts'::regclass, 'mood'::regtype, 'small'::regtype, 'mine'::regproc) order by d.classid::regclass::text, d.deptype;
--> {"classid":"pg_class","deptype":"n","nspname":"public"}
--> {"classid":"pg_class","deptype":"n","nspname":"public"}
--> {"classid":"pg_proc","deptype":"n","nspname":"public"}
--> {"classid":"pg_type","deptype":"n","nspname":"public"}
--> {"classid":"pg_type","deptype":"n","nspname":"public"}
