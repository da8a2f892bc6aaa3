-- What psql and pg_dump ask of the catalog.

create table thing (id int primary key, kind "char", name text);
--> no rows

create function f(a int, b text) returns int language sql as 'select a';
--> no rows

create view seen as select id from thing;
--> no rows

create rule none as on delete to thing do instead nothing;
--> no rows

select c.tableoid, c.relname, c.reltoastrelid = 0 as plain, c.relhassubclass as h, c.relisshared as s from pg_class c where relname = 'seen';
--> {"tableoid":1259,"relname":"seen","plain":true,"h":false,"s":false}

select tableoid::regclass::text as t from pg_namespace where nspname = 'public';
--> {"t":"pg_namespace"}

select p.tableoid, proname, proargtypes::text as a, pronargs, proparallel, probin, prosqlbody from pg_proc p where proname = 'f';
--> {"tableoid":1255,"proname":"f","a":"23 25","pronargs":2,"proparallel":"u","probin":null,"prosqlbody":null}

select typname, typname[0] as first, typname[0] = '_' as array from pg_type where typname in ('int4', '_int4') order by 1;
--> {"typname":"_int4","first":"_","array":true}
--> {"typname":"int4","first":"i","array":false}

select a.attname, a.attcompression, a.atthasmissing, a.attoptions from pg_attribute a where attrelid = 'thing'::regclass and attnum > 0 order by attnum;
--> {"attname":"id","attcompression":"","atthasmissing":false,"attoptions":null}
--> {"attname":"kind","attcompression":"","atthasmissing":false,"attoptions":null}
--> {"attname":"name","attcompression":"","atthasmissing":false,"attoptions":null}

select kind, acldefault(kind, 10)::text as a from unnest(array['r', 's', 'n', 'f', 'l', 'T', 'd', 't', 'L', 'F', 'S', 'c']::"char"[]) as kind;
--> {"kind":"r","a":"{postgres=arwdDxt/postgres}"}
--> {"kind":"s","a":"{postgres=rwU/postgres}"}
--> {"kind":"n","a":"{postgres=UC/postgres}"}
--> {"kind":"f","a":"{=X/postgres,postgres=X/postgres}"}
--> {"kind":"l","a":"{=U/postgres,postgres=U/postgres}"}
--> {"kind":"T","a":"{=U/postgres,postgres=U/postgres}"}
--> {"kind":"d","a":"{=Tc/postgres,postgres=CTc/postgres}"}
--> {"kind":"t","a":"{postgres=C/postgres}"}
--> {"kind":"L","a":"{postgres=rw/postgres}"}
--> {"kind":"F","a":"{postgres=U/postgres}"}
--> {"kind":"S","a":"{postgres=U/postgres}"}
--> {"kind":"c","a":"{}"}

select case when true then 'r'::"char" else ' '::"char" end as c, pg_typeof('r'::"char")::text as t, 'ab'::char as d, 'ab'::"char" as e;
--> {"c":"r","t":"\"char\"","d":"a","e":"a"}

select pg_get_ruledef(oid) as r from pg_rewrite where rulename = 'none';
--> {"r":"CREATE RULE \"none\" AS\n    ON DELETE TO public.thing DO INSTEAD NOTHING;"}

select option_name, option_value from pg_options_to_table(array['a=1', 'b=x=y', 'c']);
--> {"option_name":"a","option_value":"1"}
--> {"option_name":"b","option_value":"x=y"}
--> {"option_name":"c","option_value":null}

select pubname, pubviaroot from pg_publication where pubname = 'platform_realtime';
--> {"pubname":"platform_realtime","pubviaroot":false}

create publication told for table thing;
--> no rows

select p.pubname, r.prrelid::regclass::text as t, r.prqual, r.prattrs from pg_publication_rel r join pg_publication p on p.oid = r.prpubid;
--> {"pubname":"told","t":"thing","prqual":null,"prattrs":null}

select lanname from pg_language where lanispl order by 1;
--> {"lanname":"plpgsql"}

create table ev (t date, n int) partition by range (t);
--> no rows

create table ev1 partition of ev for values from ('2024-01-01') to ('2025-01-01');
--> no rows

select pg_partition_ancestors('ev1'::regclass)::text as a;
--> {"a":"ev1"}
--> {"a":"ev"}

select pg_partition_ancestors('thing'::regclass)::text as a;
--> no rows

select count(*) as n from pg_subscription;
--> {"n":0}

select getdatabaseencoding() as e, pg_char_to_encoding('UTF8') as n, pg_tablespace_location(1663) as l;
--> {"e":"UTF8","n":6,"l":""}

create domain low as int check (value < 9) constraint even check (value % 2 = 0);
--> no rows

select conname, contype, conrelid, contypid::regtype::text as t from pg_constraint where contypid = 'low'::regtype order by 1;
--> {"conname":"even","contype":"c","conrelid":0,"t":"low"}
--> {"conname":"low_check","contype":"c","conrelid":0,"t":"low"}

select relname, relhastriggers from pg_class where relname in ('thing', 'ev') order by 1;
--> {"relname":"ev","relhastriggers":false}
--> {"relname":"thing","relhastriggers":false}

create table child (t int references thing);
--> no rows

select relname, relhastriggers from pg_class where relname in ('thing', 'child') order by 1;
--> {"relname":"child","relhastriggers":true}
--> {"relname":"thing","relhastriggers":true}

select 0::regproc::text as p, 0::regclass::text as c, 0::regtype::text as t;
--> {"p":"-","c":"-","t":"-"}

select typname, typcollation from pg_type where typname in ('text', 'int4', 'varchar', 'low') order by 1;
--> {"typname":"int4","typcollation":0}
--> {"typname":"low","typcollation":0}
--> {"typname":"text","typcollation":100}
--> {"typname":"varchar","typcollation":100}

select set_config('search_path', '', false);
select format_type('public.low'::regtype, null) as hidden, format_type(23, null) as plain;
--> {"hidden":"public.low","plain":"integer"}
