-- What depends on what, as pg_depend says.

create table t (id int primary key, n int check (n > 0), unique (n));
--> no rows

create table u (t int references t);
--> no rows

create view z as select * from t;
--> no rows

create view a as select * from z;
--> no rows

create materialized view m as select * from a;
--> no rows

create function fz() returns setof z language sql as $$ select * from z $$;
--> no rows

create sequence s;
--> no rows

create table b (id int default nextval('public.s'), g int generated always as (1 + 1) stored);
--> no rows

create function tg() returns trigger language plpgsql as $$ begin return new; end $$;
--> no rows

create trigger tt before insert on b for each row execute function tg();
--> no rows

create type mood as enum ('low', 'high');
--> no rows

create domain one as int check (value > 0);
--> no rows

create domain two as one;
--> no rows

create type pair as (x one, y mood);
--> no rows

create table moods (m mood, many mood[], p pair);
--> no rows

create index i on t ((n + 1));
--> no rows

create policy p on t using (id > 0);
--> no rows

create function of_pair(p pair, m mood) returns mood language sql as $$ select m $$;
--> no rows

select classid::regclass, refclassid::regclass, refobjid::regclass, refobjsubid, deptype from pg_depend where refclassid = 'pg_class'::regclass and refobjid in ('b'::regclass, 's'::regclass, 'u'::regclass) order by classid::regclass::text, refobjid::regclass::text, refobjsubid, deptype;
--> {"classid":"pg_attrdef","refclassid":"pg_class","refobjid":"b","refobjsubid":1,"deptype":"a"}
--> {"classid":"pg_attrdef","refclassid":"pg_class","refobjid":"b","refobjsubid":2,"deptype":"i"}
--> {"classid":"pg_attrdef","refclassid":"pg_class","refobjid":"s","refobjsubid":0,"deptype":"n"}
--> {"classid":"pg_constraint","refclassid":"pg_class","refobjid":"u","refobjsubid":1,"deptype":"a"}
--> {"classid":"pg_trigger","refclassid":"pg_class","refobjid":"b","refobjsubid":0,"deptype":"a"}
--> {"classid":"pg_type","refclassid":"pg_class","refobjid":"b","refobjsubid":0,"deptype":"i"}
--> {"classid":"pg_type","refclassid":"pg_class","refobjid":"u","refobjsubid":0,"deptype":"i"}

select classid::regclass, deptype from pg_depend where refclassid = 'pg_class'::regclass and refobjid = 'z'::regclass group by 1, 2 order by classid::regclass::text, deptype;
--> {"classid":"pg_rewrite","deptype":"i"}
--> {"classid":"pg_rewrite","deptype":"n"}
--> {"classid":"pg_type","deptype":"i"}

select c.relname from pg_depend d join pg_rewrite r on r.oid = d.objid join pg_class c on c.oid = r.ev_class where d.classid = 'pg_rewrite'::regclass and d.refobjid = 't'::regclass and c.oid <> d.refobjid group by 1 order by 1;
--> {"relname":"z"}

select c.relname from pg_depend d join pg_rewrite r on r.oid = d.objid join pg_class c on c.oid = r.ev_class where d.classid = 'pg_rewrite'::regclass and d.refobjid = 'a'::regclass and c.oid <> d.refobjid group by 1 order by 1;
--> {"relname":"m"}

select classid::regclass, deptype, count(*) from pg_depend where refclassid = 'pg_type'::regclass and refobjid in ('mood'::regtype, 'mood[]'::regtype, 'one'::regtype, 'pair'::regtype) and deptype = 'n' group by 1, 2 order by classid::regclass::text, deptype;
--> {"classid":"pg_class","deptype":"n","count":5}
--> {"classid":"pg_proc","deptype":"n","count":2}
--> {"classid":"pg_type","deptype":"n","count":1}

select conname from pg_depend d join pg_constraint c on c.oid = d.objid where d.classid = 'pg_constraint'::regclass and d.refclassid = 'pg_class'::regclass and d.refobjid = 't'::regclass group by 1 order by 1;
--> {"conname":"t_n_check"}
--> {"conname":"t_n_key"}
--> {"conname":"t_pkey"}
--> {"conname":"u_t_fkey"}

select relkind, relname, relnatts from pg_class where relname in ('pair', 'one', 'mood') order by 2;
--> {"relkind":"c","relname":"pair","relnatts":2}

drop sequence s;
--> ERROR 2BP01: cannot drop sequence s because other objects depend on it
--> DETAIL: default value for column id of table b depends on sequence s
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop sequence s cascade;
--> no rows

select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = 'b'::regclass;
--> {"pg_get_expr":"(1 + 1)"}

create function once(a int, of mood default 'low') returns int immutable language sql as $$ select a $$;
--> no rows

create table called (a int default once(1), b int check (once(b) > 0), c int generated always as (once(b)) stored);
--> no rows

create view calling as select once(a) from called;
--> no rows

create index calling_index on called (once(a));
--> no rows

create policy calling on called using (once(a) = 1);
--> no rows

select classid::regclass, deptype, count(*) from pg_depend where refclassid = 'pg_proc'::regclass and refobjid = 'once'::regproc group by 1, 2 order by classid::regclass::text;
--> {"classid":"pg_attrdef","deptype":"n","count":2}
--> {"classid":"pg_class","deptype":"n","count":1}
--> {"classid":"pg_constraint","deptype":"n","count":1}
--> {"classid":"pg_policy","deptype":"n","count":1}
--> {"classid":"pg_rewrite","deptype":"n","count":1}

create view grouped as select t.id, t.n, count(*) from t join u on u.t = t.id group by t.id;
--> no rows

select conname from pg_depend d join pg_constraint c on c.oid = d.refobjid where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_constraint'::regclass;
--> {"conname":"t_pkey"}
