-- What tools ask of the catalogue: storage, keys behind references, casts of domains, arbiters that are checked late.

create table s22 (c int unique deferrable, d tstzrange, constraint nd2 exclude using gist (d with &&) deferrable);
--> no rows

insert into s22 values (1, '[2020-01-01,2020-01-02)') on conflict do nothing;
--> ERROR 55000: ON CONFLICT does not support deferrable unique constraints/exclusion constraints as arbiters

insert into s22 values (1, '[2020-01-01,2020-01-02)') on conflict (c) do nothing;
--> ERROR 55000: ON CONFLICT does not support deferrable unique constraints/exclusion constraints as arbiters

insert into s22 values (1, '[2020-01-01,2020-01-02)') on conflict on constraint nd2 do nothing;
--> ERROR 55000: ON CONFLICT does not support deferrable unique constraints/exclusion constraints as arbiters

insert into s22 values (1, '[2020-01-01,2020-01-02)') on conflict on constraint s22_c_key do update set c = 2;
--> ERROR 55000: ON CONFLICT does not support deferrable unique constraints/exclusion constraints as arbiters

select indexrelid::regclass, indimmediate from pg_index where indrelid = 's22'::regclass order by 1;
--> {"indexrelid":"s22_c_key","indimmediate":false}
--> {"indexrelid":"nd2","indimmediate":false}

select * from (select 1 a) x natural join (select true a) y;
--> ERROR 42804: JOIN/USING types integer and boolean cannot be matched

select * from (select 1 a) x join (select true a) y using (a);
--> ERROR 42804: JOIN/USING types integer and boolean cannot be matched

create type price as (amount numeric(12,2), cur char(3)); create table pr (price price); create view vp as select (p.price).amount, (p.price).cur from pr p;
--> no rows

select pg_get_viewdef('vp'::regclass, true);
--> {"pg_get_viewdef":" SELECT (p.price).amount AS amount,\n    (p.price).cur AS cur\n   FROM pr p;"}

select column_name, data_type, numeric_precision, character_maximum_length from information_schema.columns where table_name = 'vp' order by 1;
--> {"column_name":"amount","data_type":"numeric","numeric_precision":12,"character_maximum_length":null}
--> {"column_name":"cur","data_type":"character","numeric_precision":null,"character_maximum_length":3}

select attname, format_type(atttypid, atttypmod) from pg_attribute where attrelid = 'vp'::regclass and attnum > 0;
--> {"attname":"amount","format_type":"numeric(12,2)"}
--> {"attname":"cur","format_type":"character(3)"}

create domain elo as int; create domain slug as text check (value ~ '^[a-z]+$'); create table dm (elo elo, s slug); create view dmv as select elo >= 1010 a, elo + 1 b, s || 'x' c, s = 'y' d, upper(s) e, elo in (1, 2) f, - elo g, s like 'a%' h, s = any (array['a']) i, elo between 1 and 2 j from dm;
--> no rows

select pg_get_viewdef('dmv'::regclass);
--> {"pg_get_viewdef":" SELECT ((dm.elo)::integer >= 1010) AS a,\n    ((dm.elo)::integer + 1) AS b,\n    ((dm.s)::text || 'x'::text) AS c,\n    ((dm.s)::text = 'y'::text) AS d,\n    upper((dm.s)::text) AS e,\n    ((dm.elo)::integer = ANY (ARRAY[1, 2])) AS f,\n    (- (dm.elo)::integer) AS g,\n    ((dm.s)::text ~~ 'a%'::text) AS h,\n    ((dm.s)::text = ANY (ARRAY['a'::text])) AS i,\n    (((dm.elo)::integer >= 1) AND ((dm.elo)::integer <= 2)) AS j\n   FROM dm;"}

create table tc1 (id int primary key); create table tc2 (id int references tc1); truncate tc1 cascade;
--> no rows

create table ck (country character(2) check (country ~ '^[A-Z]{2}$'), n name check (n ~ 'a'), w character(3) check (w like 'a%'));
--> no rows

select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'ck'::regclass order by 1;
--> {"pg_get_constraintdef":"CHECK ((country ~ '^[A-Z]{2}$'::text))"}
--> {"pg_get_constraintdef":"CHECK ((n ~ 'a'::text))"}
--> {"pg_get_constraintdef":"CHECK ((w ~~ 'a%'::text))"}

create table rct (a regclass, primary key (a)); select indclass::text from pg_index where indrelid = 'rct'::regclass;
--> {"indclass":"1981"}

select information_schema._pg_truetypid(a.*, t.*), information_schema._pg_truetypmod(a.*, t.*) from pg_attribute a join pg_type t on t.oid = a.atttypid where attrelid = 'ck'::regclass and attnum > 0 order by attnum;
--> {"_pg_truetypid":1042,"_pg_truetypmod":6}
--> {"_pg_truetypid":19,"_pg_truetypmod":-1}
--> {"_pg_truetypid":1042,"_pg_truetypmod":7}

select conname, conindid::regclass from pg_constraint where conrelid = 'tc2'::regclass;
--> {"conname":"tc2_id_fkey","conindid":"tc1_pkey"}

create table st (a int, b text, c jsonb, d numeric, e uuid, f varchar(5), g int[], h bytea, j timestamptz, m inet, n interval, o int4range, p tsvector, q bit(3), t char(3)); alter table st alter b set storage main;
--> no rows

select attname, attstorage, attcollation from pg_attribute where attrelid = 'st'::regclass and attnum > 0 order by attnum;
--> {"attname":"a","attstorage":"p","attcollation":0}
--> {"attname":"b","attstorage":"m","attcollation":100}
--> {"attname":"c","attstorage":"x","attcollation":0}
--> {"attname":"d","attstorage":"m","attcollation":0}
--> {"attname":"e","attstorage":"p","attcollation":0}
--> {"attname":"f","attstorage":"x","attcollation":100}
--> {"attname":"g","attstorage":"x","attcollation":0}
--> {"attname":"h","attstorage":"x","attcollation":0}
--> {"attname":"j","attstorage":"p","attcollation":0}
--> {"attname":"m","attstorage":"m","attcollation":0}
--> {"attname":"n","attstorage":"p","attcollation":0}
--> {"attname":"o","attstorage":"x","attcollation":0}
--> {"attname":"p","attstorage":"x","attcollation":0}
--> {"attname":"q","attstorage":"x","attcollation":0}
--> {"attname":"t","attstorage":"x","attcollation":100}

select typname, typstorage from pg_type where typname in ('int4','text','jsonb','numeric','uuid','_int4','bytea','inet','varchar','tsvector','int4range') order by 1;
--> {"typname":"_int4","typstorage":"x"}
--> {"typname":"bytea","typstorage":"x"}
--> {"typname":"inet","typstorage":"m"}
--> {"typname":"int4","typstorage":"p"}
--> {"typname":"int4range","typstorage":"x"}
--> {"typname":"jsonb","typstorage":"x"}
--> {"typname":"numeric","typstorage":"m"}
--> {"typname":"text","typstorage":"x"}
--> {"typname":"tsvector","typstorage":"x"}
--> {"typname":"uuid","typstorage":"p"}
--> {"typname":"varchar","typstorage":"x"}

create index ix on st (a) include (b, c); select attname, attnum, atttypid::regtype from pg_attribute where attrelid = 'ix'::regclass order by attnum;
--> {"attname":"a","attnum":1,"atttypid":"integer"}
--> {"attname":"b","attnum":2,"atttypid":"text"}
--> {"attname":"c","attnum":3,"atttypid":"jsonb"}

select array_agg(row('a',1))::text as a, array(select (1,'x'))::text as b;
--> {"a":"{\"(a,1)\"}","b":"{\"(1,x)\"}"}

create procedure pio(inout a int) language sql as 'select 1'; select prorettype::regtype from pg_proc where proname = 'pio';
--> {"prorettype":"record"}

create trigger tg1 after insert on st for each row execute function suppress_redundant_updates_trigger(); create constraint trigger tg2 after insert on st for each row execute function suppress_redundant_updates_trigger();
--> no rows

select trigger_name, action_order from information_schema.triggers where event_object_table = 'st' order by 1;
--> {"trigger_name":"tg1","action_order":1}
--> {"trigger_name":"tg2","action_order":2}

create type ctt as (a text[], b char(3)); select attname, attcollation, attndims from pg_attribute where attrelid = 'ctt'::regclass;
--> {"attname":"a","attcollation":100,"attndims":1}
--> {"attname":"b","attcollation":100,"attndims":0}
