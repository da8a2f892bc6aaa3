-- What ORMs, migration tools and job queues send.

set time zone interval '+00:00' hour to minute; show time zone;
--> {"TimeZone":"<+00>-00"}

set time zone interval '+02:00' hour to minute; select current_setting('timezone') as zone, '2026-01-01 12:00+00'::timestamptz as at;
--> {"zone":"<+02>-02","at":"2026-01-01 14:00:00+02"}

set time zone interval '-08:30' hour to minute; select '2026-01-01 12:00+00'::timestamptz as at, '2026-01-01 12:00'::timestamptz = '2026-01-01 20:30+00' as same;
--> {"at":"2026-01-01 03:30:00-08:30","same":true}

set time zone interval '2' hour; show time zone;
--> {"TimeZone":"<+02>-02"}

set time zone interval '1 month';
--> ERROR 22023: invalid value for parameter "TimeZone": "INTERVAL '1 mon'"
--> DETAIL: Cannot specify months in time zone interval.

set time zone interval '1 day';
--> ERROR 22023: invalid value for parameter "TimeZone": "INTERVAL '1 day'"
--> DETAIL: Cannot specify days in time zone interval.

set time zone interval 'x';
--> ERROR 22007: invalid input syntax for type interval: "x"

set time zone -8; select current_setting('timezone') as zone, '2026-01-01 12:00+00'::timestamptz as at;
--> {"zone":"<-08>+08","at":"2026-01-01 04:00:00-08"}

set time zone 3.5; show time zone;
--> {"TimeZone":"<+03:30>-03:30"}

set time zone -3.5; select extract(timezone from '2026-01-01 12:00+00'::timestamptz) as seconds;
--> {"seconds":"-12600"}

set timezone to 3.5; select '2026-01-01 12:00+00'::timestamptz as at;
--> {"at":"2026-01-01 15:30:00+03:30"}

set time zone '+02:00'; select current_setting('timezone') as zone, '2026-01-01 12:00+00'::timestamptz as at;
--> {"zone":"+02:00","at":"2026-01-01 10:00:00-02"}

set time zone '+2'; select current_setting('timezone') as zone, '2026-01-01 12:00+00'::timestamptz as at;
--> {"zone":"<+02>-02","at":"2026-01-01 14:00:00+02"}

set time zone 'UTC+3'; select '2026-01-01 12:00+00'::timestamptz as at, to_char('2026-01-01 01:00+00'::timestamptz, 'HH24:MI TZ tz OF TZH TZM') as shown;
--> {"at":"2026-01-01 09:00:00-03","shown":"22:00 UTC utc -03 -03 00"}

set time zone 'utc-3:30'; select current_setting('timezone') as zone, to_char('2026-01-01 01:00+00'::timestamptz, 'HH24:MI OF TZM') as shown;
--> {"zone":"UTC-3:30","shown":"04:30 +03:30 30"}

set time zone '<+05>-5'; select '2026-07-01 12:00+00'::timestamptz as at, to_char('2026-07-01 01:00+00'::timestamptz, 'TZ OF') as shown;
--> {"at":"2026-07-01 17:00:00+05","shown":"+05 +05"}

set time zone 'FOO5BAR'; select to_char('2026-07-01 12:00+00'::timestamptz, 'HH24 TZ') as summer, to_char('2026-01-01 12:00+00'::timestamptz, 'HH24 TZ') as winter;
--> {"summer":"08 BAR","winter":"07 FOO"}

set time zone 'Europe/Berlin'; select to_char('2026-07-01 12:00+00'::timestamptz, 'HH24:MI TZ OF') as summer;
--> {"summer":"14:00 CEST +02"}

set time zone 167; select '2026-01-01 12:00+00'::timestamptz as at;
--> {"at":"2026-01-08 11:00:00+167"}

set time zone 168;
--> ERROR 22023: invalid value for parameter "TimeZone": "168"
--> DETAIL: UTC timezone offset is out of range.

set time zone '+0200';
--> ERROR 22023: invalid value for parameter "TimeZone": "+0200"
--> DETAIL: UTC timezone offset is out of range.

set time zone 'nope';
--> ERROR 22023: invalid value for parameter "TimeZone": "nope"

set time zone interval '00:00:30'; select '2026-01-01 12:00+00'::timestamptz as at;
--> {"at":"2026-01-01 12:00:30+00:00:30"}

set timezone = 'interval ''+01:00'''; show time zone;
--> {"TimeZone":"<+01>-01"}

select '2026-01-01 12:00+00'::timestamptz at time zone 'UTC+3' as west, '2026-01-01 12:00+00'::timestamptz at time zone '<+05>-5' as east, '2026-07-01 12:00+00'::timestamptz at time zone 'EST5EDT4,M3.2.0,M11.1.0' as ruled;
--> {"west":"2026-01-01 09:00:00","east":"2026-01-01 17:00:00","ruled":"2026-07-01 08:00:00"}

create type "My Enum" as enum ('a', 'b'); create schema "Other One"; create type "Other One".mood as enum ('x'); create table "Other One"."Tab" (id int primary key); create function "Other One"."Fn"(a int, b text) returns int language sql as 'select 1'; create function plain_one(a int) returns int language sql as 'select 1';
--> no rows

select t, t::regtype::text as shown from (values ('"pg_catalog"."uuid"'), ('"public"."My Enum"'), ('"public"."My Enum"[]'), ('"Other One"."mood"'), ('"pg_catalog"."_text"'), ('_int4'), ('"char"'), ('char'), ('pg_catalog.char'), ('public."_My Enum"'), ('"Other One"."_mood"'), ('character varying(20)'), ('timestamp(3) with time zone'), ('TIMESTAMP  WITH time ZONE[]'), ('int4[][]'), ('"pg_catalog"."int4"[]'), ('interval day to second'), ('"Other One"."Tab"')) v(t);
--> {"t":"\"pg_catalog\".\"uuid\"","shown":"uuid"}
--> {"t":"\"public\".\"My Enum\"","shown":"\"My Enum\""}
--> {"t":"\"public\".\"My Enum\"[]","shown":"\"My Enum\"[]"}
--> {"t":"\"Other One\".\"mood\"","shown":"\"Other One\".mood"}
--> {"t":"\"pg_catalog\".\"_text\"","shown":"text[]"}
--> {"t":"_int4","shown":"integer[]"}
--> {"t":"\"char\"","shown":"\"char\""}
--> {"t":"char","shown":"character"}
--> {"t":"pg_catalog.char","shown":"\"char\""}
--> {"t":"public.\"_My Enum\"","shown":"\"My Enum\"[]"}
--> {"t":"\"Other One\".\"_mood\"","shown":"\"Other One\".mood[]"}
--> {"t":"character varying(20)","shown":"character varying"}
--> {"t":"timestamp(3) with time zone","shown":"timestamp with time zone"}
--> {"t":"TIMESTAMP  WITH time ZONE[]","shown":"timestamp with time zone[]"}
--> {"t":"int4[][]","shown":"integer[]"}
--> {"t":"\"pg_catalog\".\"int4\"[]","shown":"integer[]"}
--> {"t":"interval day to second","shown":"interval"}
--> {"t":"\"Other One\".\"Tab\"","shown":"\"Other One\".\"Tab\""}

select '"char"'::regtype::text as a, '"pg_catalog"."char"'::regtype::text as b, 'char'::regtype::text as c;
--> {"a":"\"char\"","b":"\"char\"","c":"character"}

select t::regtype from (values ('"pg_catalog"."nope"')) v(t);
--> ERROR 42704: type "pg_catalog.nope" does not exist

select t, t::regclass::text as shown from (values ('"Other One"."Tab"'), ('"Other One"."Tab_pkey"'), ('"pg_catalog"."pg_class"'), ('"pg_class"'), ('PG_CLASS'), ('"information_schema"."tables"')) v(t);
--> {"t":"\"Other One\".\"Tab\"","shown":"\"Other One\".\"Tab\""}
--> {"t":"\"Other One\".\"Tab_pkey\"","shown":"\"Other One\".\"Tab_pkey\""}
--> {"t":"\"pg_catalog\".\"pg_class\"","shown":"pg_class"}
--> {"t":"\"pg_class\"","shown":"pg_class"}
--> {"t":"PG_CLASS","shown":"pg_class"}
--> {"t":"\"information_schema\".\"tables\"","shown":"information_schema.tables"}

select 'information_schema.tables'::regclass::text as view;
--> {"view":"information_schema.tables"}

select t::regclass from (values ('"Other One"."tab"')) v(t);
--> ERROR 42P01: relation "Other One.tab" does not exist

select t, t::regnamespace::text as shown from (values ('"Other One"'), ('"public"'), ('PUBLIC'), ('"pg_catalog"')) v(t);
--> {"t":"\"Other One\"","shown":"\"Other One\""}
--> {"t":"\"public\"","shown":"public"}
--> {"t":"PUBLIC","shown":"public"}
--> {"t":"\"pg_catalog\"","shown":"pg_catalog"}

select t::regnamespace from (values ('Other One')) v(t);
--> ERROR 42602: invalid name syntax

select 'a.b'::regnamespace;
--> ERROR 42602: invalid name syntax
--> AT 8

select 'a.b'::regrole;
--> ERROR 42602: invalid name syntax
--> AT 8

select t, t::regrole::text as shown from (values ('"anon"'), ('ANON')) v(t);
--> {"t":"\"anon\"","shown":"anon"}
--> {"t":"ANON","shown":"anon"}

select t, t::regproc::text as shown from (values ('"Other One"."Fn"'), ('"public"."plain_one"'), ('PLAIN_ONE'), ('"pg_catalog"."now"')) v(t);
--> {"t":"\"Other One\".\"Fn\"","shown":"\"Other One\".\"Fn\""}
--> {"t":"\"public\".\"plain_one\"","shown":"plain_one"}
--> {"t":"PLAIN_ONE","shown":"plain_one"}
--> {"t":"\"pg_catalog\".\"now\"","shown":"now"}

select t, t::regprocedure::text as shown from (values ('"Other One"."Fn"(int,text)'), ('"public"."plain_one"(integer)'), ('plain_one( INT )'), ('"Other One"."Fn"(integer, character varying)')) v(t) where t not like '%varying%';
--> {"t":"\"Other One\".\"Fn\"(int,text)","shown":"\"Other One\".\"Fn\"(integer,text)"}
--> {"t":"\"public\".\"plain_one\"(integer)","shown":"plain_one(integer)"}
--> {"t":"plain_one( INT )","shown":"plain_one(integer)"}

select t::regprocedure from (values ('plain_one')) v(t);
--> ERROR 22P02: expected a left parenthesis

select to_regtype(t)::text as type, to_regclass(t)::text as class, to_regproc(t)::text as proc from (values ('"pg_catalog"."uuid"'), ('"Other One"."Tab"'), ('"Other One"."Fn"')) v(t);
--> {"type":"uuid","class":null,"proc":null}
--> {"type":"\"Other One\".\"Tab\"","class":"\"Other One\".\"Tab\"","proc":null}
--> {"type":null,"class":null,"proc":"\"Other One\".\"Fn\""}

select array_agg(t)::regtype[]::text as types from (values ('"public"."My Enum"'), ('pg_catalog.int4')) v(t);
--> {"types":"{\"\\\"My Enum\\\"\",integer}"}

create table job (id int primary key, name text, at timestamptz default '2026-01-01', tries int default 0, key text); create table queue (id int primary key, name text, job_id int); insert into job values (1, 'a'), (2, 'b'), (3, 'c'); insert into queue values (1, 'q1', 1), (2, 'q2', 2), (3, 'q3', 1); create function tick() returns int language plpgsql volatile as $$ begin return 7; end $$; create sequence numbers;
--> no rows

with found as (select id from job where id < 3 order by id for update skip locked) update job set at = now(), tries = tries + 1 from found where found.id = job.id returning job.id, found.id as found, job.tries, job.at = now() as now;
--> {"id":1,"found":1,"tries":1,"now":true}
--> {"id":2,"found":2,"tries":1,"now":true}

update job set tries = tick() from queue q where q.job_id = job.id and q.id < 3 returning job.id, q.name, job.tries, q.*;
--> {"id":1,"name":"q1","tries":7,"job_id":1}
--> {"id":2,"name":"q2","tries":7,"job_id":2}

update job set tries = nextval('numbers') from queue q where q.job_id = job.id and q.id < 3 returning job.id, q.name, job.tries; select currval('numbers') as last;
--> {"last":2}

update job set key = gen_random_uuid()::text from (select q.name, q.job_id, random() as r from queue q where id <> 3) z where z.job_id = job.id returning job.id, z.name, length(key) as length, z.r between 0 and 1 as drawn;
--> {"id":1,"name":"q1","length":36,"drawn":true}
--> {"id":2,"name":"q2","length":36,"drawn":true}

with changed as (update job set tries = tick() from queue q where q.id = job.id and q.id = 2 returning job.id, q.name) select * from changed;
--> {"id":2,"name":"q2"}

create function mark() returns trigger language plpgsql as $$ begin if tg_op = 'DELETE' then return old; end if; new.name = new.name || '!'; return new; end $$; create trigger mark before update or delete on job for each row execute function mark();
--> no rows

update job set tries = tries + 1 from queue q where q.job_id = job.id and q.id = 2 returning job.name, q.name as queue, q.name || job.name as both;
--> {"name":"b!","queue":"q2","both":"q2b!"}

delete from job using queue q where q.job_id = job.id and q.id = 2 returning q.name as queue, job.name;
--> {"queue":"q2","name":"b!"}

create view shown_job as select id, name from job; create function instead() returns trigger language plpgsql as $$ begin update job set name = new.name where id = old.id; return new; end $$; create trigger instead instead of update on shown_job for each row execute function instead();
--> no rows

update shown_job v set name = v.name || q.name from queue q where q.job_id = v.id and q.id = 1 returning v.name, q.name as queue;
--> {"name":"aq1","queue":"q1"}

create table pair (id int, name text); insert into pair values (1, 'x') returning pair, row(id, name), array[row(id, name)], 'pair'::regclass, 'int4'::regtype;
--> {"pair":"(1,x)","row":"(1,x)","array":"{\"(1,x)\"}","regclass":"pair","regtype":"integer"}

update pair set name = 'a b' returning pair, (pair).name, array['pair'::regclass];
--> {"pair":"(1,\"a b\")","name":"a b","array":"{pair}"}

update pair set name = 'y' from queue q where q.id = pair.id returning q, row(q.name, pair.name), pair;
--> {"q":"(1,q1,1)","row":"(q1,y)","pair":"(1,y)"}

with changed as (update pair set name = 'z' returning pair, id) select (changed.pair).name, changed.pair, changed.id from changed;
--> {"name":"z","pair":"(1,z)","id":1}

create function change_pair() returns text language plpgsql as $$ declare r record; begin update pair set name = 'w' returning * into r; return r.name; end $$; select change_pair();
--> {"change_pair":"w"}

delete from pair returning pair;
--> {"pair":"(1,w)"}

create type wanted as (queue varchar, name text, priority int, args jsonb, at timestamptz); create table wanted_job (id bigserial primary key, queue varchar, name text, priority int, args jsonb, at timestamptz);
--> no rows

create function defer(jobs wanted[]) returns bigint[] language plpgsql as $$ declare ids bigint[]; begin with added as (insert into wanted_job (queue, name, priority, args, at) select (job).queue, (job).name, (job).priority, (job).args, (job).at from unnest(jobs) as job returning id) select array_agg(id) from added into ids; return ids; end $$;
--> no rows

select unnest(defer('{"(q,t,3,\"{\"\"a\"\": 1}\",)","(r,,,,\"2026-01-01 00:00:00+00\")"}'::wanted[])) as id;
--> {"id":1}
--> {"id":2}

select queue, name, priority, args, at from wanted_job order by id;
--> {"queue":"q","name":"t","priority":3,"args":{"a":1},"at":null}
--> {"queue":"r","name":null,"priority":null,"args":null,"at":"2026-01-01 00:00:00+00"}

select (x).args->>'a' as a, (x).priority from unnest('{"(q,t,3,\"{\"\"a\"\": 1}\",)",NULL}'::wanted[]) x;
--> {"a":"1","priority":3}
--> {"a":null,"priority":null}

select ('{"(q,t,3,\"{\"\"a\"\": 1}\",)"}'::wanted[])[1];
--> {"wanted":"(q,t,3,\"{\"\"a\"\": 1}\",)"}

select '{"(q,t)"}'::wanted[];
--> ERROR 22P02: malformed record literal: "(q,t)"
--> DETAIL: Too few columns.
--> AT 8

create table kept (list wanted[]); insert into kept values ('{"(q,t,3,\"{\"\"a\"\": 1}\",)"}'); select list, (list[1]).args from kept;
--> {"list":"{\"(q,t,3,\\\"{\\\"\\\"a\\\"\\\": 1}\\\",)\"}","args":{"a":1}}

select array[row(1, 'x'), row(2, null)] as written, array_agg(row(g, 'y')) as made from generate_series(1, 2) g;
--> {"written":"{\"(1,x)\",\"(2,)\"}","made":"{\"(1,y)\",\"(2,y)\"}"}
