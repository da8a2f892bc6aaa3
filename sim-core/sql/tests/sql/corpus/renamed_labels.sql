-- A label of an enum gets another name: what has it by type follows, and texts with the same word do not.

create type e1 as enum ('old','x'); create table t1(id int, t e1, a text constraint t1c check (a in ('old','zz')));
--> no rows

alter type e1 rename value 'old' to 'new'; select pg_get_constraintdef(oid) from pg_constraint where conname='t1c';
--> {"pg_get_constraintdef":"CHECK ((a = ANY (ARRAY['old'::text, 'zz'::text])))"}

insert into t1(a) values ('old');
--> no rows

create type e3 as enum ('old','x'); create table t3(id int, y e3 check (y in ('old','x')), z text check (z <> 'old' or y = 'old'), d e3 default 'old', ar e3[] default '{old,x}', ar2 e3[] default array['old','x']::e3[]);
--> no rows

insert into t3(id,y,z) values (1,'old','q'), (2,'x','r');
--> no rows

create index t3i on t3(id) where y = 'old'; create index t3j on t3 ((y = 'old')); create unique index t3k on t3(id, (case when y = 'old' then 'old' else 'other' end));
--> no rows

create view v3 as select y = 'old' as q, z = 'old' as r, 'old'::e3 as s, 'old'::text as w from t3;
--> no rows

create view v3b as select case y when 'old' then 'old' else 'none' end as k, coalesce(y, 'old') as c from t3 where y in ('old') and y = any('{old,x}');
--> no rows

create domain de as e3 check (value in ('old','x')); create domain dt as text default 'old' check (value <> 'bad old');
--> no rows

create domain dd as e3 default 'old'; create table t4(a dd, b int);
--> no rows

create function f3(a e3 default 'old', b text default 'old') returns text language sql as $$ select a::text || b $$;
--> no rows

alter table t3 enable row level security; create policy p3 on t3 using (y = 'old' or z = 'old') with check (y <> 'old');
--> no rows

create function g3() returns trigger language plpgsql as $$ begin new.z = 'fired'; return new; end $$; create trigger tr3 before insert on t3 for each row when (new.y = 'old' and new.z is distinct from 'old') execute function g3();
--> no rows

create function b3(a e3) returns text begin atomic select case when a = 'old' then 'old' else 'no' end; end;
--> no rows

create function b4(a e3) returns boolean return a = 'old';
--> no rows

alter type e3 rename value 'old' to 'new one';
--> no rows

select conname, pg_get_constraintdef(oid) from pg_constraint where conname like 't3%' or conname like 'd%_check' order by 1;
--> {"conname":"de_check","pg_get_constraintdef":"CHECK ((VALUE = ANY (ARRAY['new one'::e3, 'x'::e3])))"}
--> {"conname":"dt_check","pg_get_constraintdef":"CHECK ((VALUE <> 'bad old'::text))"}
--> {"conname":"t3_check","pg_get_constraintdef":"CHECK (((z <> 'old'::text) OR (y = 'new one'::e3)))"}
--> {"conname":"t3_y_check","pg_get_constraintdef":"CHECK ((y = ANY (ARRAY['new one'::e3, 'x'::e3])))"}

select attname, pg_get_expr(adbin, adrelid) from pg_attrdef join pg_attribute on (attrelid, attnum) = (adrelid, adnum) where adrelid in ('t3'::regclass, 't4'::regclass) order by 1;
--> {"attname":"ar","pg_get_expr":"'{\"new one\",x}'::e3[]"}
--> {"attname":"ar2","pg_get_expr":"ARRAY['new one'::e3, 'x'::e3]"}
--> {"attname":"d","pg_get_expr":"'new one'::e3"}

select indexdef from pg_indexes where tablename = 't3' order by 1;
--> {"indexdef":"CREATE INDEX t3i ON public.t3 USING btree (id) WHERE (y = 'new one'::e3)"}
--> {"indexdef":"CREATE INDEX t3j ON public.t3 USING btree (((y = 'new one'::e3)))"}
--> {"indexdef":"CREATE UNIQUE INDEX t3k ON public.t3 USING btree (id, (\nCASE\n    WHEN (y = 'new one'::e3) THEN 'old'::text\n    ELSE 'other'::text\nEND))"}

select pg_get_viewdef('v3'), pg_get_viewdef('v3b');
--> {"pg_get_viewdef":" SELECT\n        CASE t3.y\n            WHEN 'new one'::e3 THEN 'old'::text\n            ELSE 'none'::text\n        END AS k,\n    COALESCE(t3.y, 'new one'::e3) AS c\n   FROM t3\n  WHERE ((t3.y = 'new one'::e3) AND (t3.y = ANY ('{\"new one\",x}'::e3[])));"}

select qual, with_check from pg_policies where tablename = 't3';
--> {"qual":"((y = 'new one'::e3) OR (z = 'old'::text))","with_check":"(y <> 'new one'::e3)"}

select pg_get_functiondef('f3'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.f3(a e3 DEFAULT 'new one'::e3, b text DEFAULT 'old'::text)\n RETURNS text\n LANGUAGE sql\nAS $function$ select a::text || b $function$\n"}

select pg_get_functiondef('b3'::regproc), pg_get_functiondef('b4'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.b4(a e3)\n RETURNS boolean\n LANGUAGE sql\nRETURN (a = 'new one'::e3)\n"}

select pg_get_triggerdef(oid) from pg_trigger where tgname = 'tr3';
--> {"pg_get_triggerdef":"CREATE TRIGGER tr3 BEFORE INSERT ON public.t3 FOR EACH ROW WHEN (((new.y = 'new one'::e3) AND (new.z IS DISTINCT FROM 'old'::text))) EXECUTE FUNCTION g3()"}

insert into t3(id,y,z) values (3,'new one','qq'), (4, 'x', null); select * from t3 order by id;
--> {"id":1,"y":"new one","z":"q","d":"new one","ar":"{\"new one\",x}","ar2":"{\"new one\",x}"}
--> {"id":2,"y":"x","z":"r","d":"new one","ar":"{\"new one\",x}","ar2":"{\"new one\",x}"}
--> {"id":3,"y":"new one","z":"fired","d":"new one","ar":"{\"new one\",x}","ar2":"{\"new one\",x}"}
--> {"id":4,"y":"x","z":null,"d":"new one","ar":"{\"new one\",x}","ar2":"{\"new one\",x}"}

select * from v3;
--> {"q":true,"r":false,"s":"new one","w":"old"}
--> {"q":false,"r":false,"s":"new one","w":"old"}
--> {"q":true,"r":false,"s":"new one","w":"old"}
--> {"q":false,"r":null,"s":"new one","w":"old"}

select * from v3b;
--> {"k":"old","c":"new one"}
--> {"k":"old","c":"new one"}

select f3(), b3('new one'), b4('new one'), b4('x');
--> {"f3":"new oneold","b3":"old","b4":false}

insert into t4(b) values (1) returning *;
--> {"a":"new one","b":1}

select 'new one'::de;
--> {"de":"new one"}

select 'old'::de;
--> ERROR 22P02: invalid input value for enum e3: "old"
--> AT 8

select id from t3 where y = 'new one' order by id;
--> {"id":1}
--> {"id":3}

insert into t3(id, y) values (3, 'old');
--> ERROR 22P02: invalid input value for enum e3: "old"
--> AT 34

insert into t3(id, y) values (1, 'new one');
--> ERROR 23505: duplicate key value violates unique constraint "t3k"
--> DETAIL: Key (id, (\nCASE\n    WHEN y = 'new one'::e3 THEN 'old'::text\n    ELSE 'other'::text\nEND))=(1, old) already exists.

insert into t3(id,y,z) values (9,'x','old');
--> ERROR 23514: new row for relation "t3" violates check constraint "t3_check"
--> DETAIL: Failing row contains (9, x, old, new one, {"new one",x}, {"new one",x}).
