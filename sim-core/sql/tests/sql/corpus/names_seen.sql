-- Names in definitions, as sessions see them whose path lacks public.

create type public.kd as enum ('a', 'b');
--> no rows

create domain public.pos as int check (value > 0);
--> no rows

create table public.z (id int, k public.kd);
--> no rows

create table public.places (id bigint primary key, name text);
--> no rows

create function public.ff(a int, k public.kd default 'a'::public.kd) returns int immutable language sql as $$ select a $$;
--> no rows

select pg_catalog.set_config('search_path', '', false);
--> {"set_config":""}

create table public.y5 (k public.kd, constraint c check (k = any (array['a'::public.kd, 'b'::public.kd])));
--> no rows

create index i2 on public.z (id) where (k = 'a'::public.kd);
--> no rows

create index i4 on public.z (public.ff(id)) where (public.ff(id) > 0);
--> no rows

alter table public.z add constraint c10 check (k in ('a', 'b'));
--> no rows

alter table public.z add column d public.kd default 'a'::public.kd not null, add column p public.pos default 3::public.pos;
--> no rows

alter table public.z add column g text generated always as (case when k = 'a'::public.kd then 'x' else 'y' end) stored;
--> no rows

create function public.f() returns trigger language plpgsql as $$ begin new.id := new.id + 10; return new; end $$;
--> no rows

create trigger t before insert on public.z for each row when (new.k = 'a'::public.kd) execute function public.f();
--> no rows

create policy p on public.z using (k = 'a'::public.kd);
--> no rows

create view public.v as select z.*, public.ff(z.id) x from public.z where k = 'a'::public.kd;
--> no rows

insert into public.z (id, k) values (1, 'a'), (2, 'b');
--> no rows

insert into public.y5 values ('b');
--> no rows

insert into public.y5 values ('c');
--> ERROR 22P02: invalid input value for enum kd: "c"
--> AT 31

update public.z set id = id + 1 where k = 'a'::public.kd;
--> no rows

select * from public.z order by id;
--> {"id":2,"k":"b","d":"a","p":3,"g":"y"}
--> {"id":12,"k":"a","d":"a","p":3,"g":"x"}

select * from public.v;
--> {"id":12,"k":"a","d":"a","p":3,"g":"x","x":12}

create table public.w (like public.z including all);
--> no rows

insert into public.w (id, k) values (5, 'b');
--> no rows

select conname, pg_get_constraintdef(oid) from pg_constraint where conname in ('c', 'c10', 'pos_check') and conrelid in (0, 'public.y5'::regclass, 'public.z'::regclass) order by 1, 2;
--> {"conname":"c","pg_get_constraintdef":"CHECK ((k = ANY (ARRAY['a'::kd, 'b'::kd])))"}
--> {"conname":"c10","pg_get_constraintdef":"CHECK ((k = ANY (ARRAY['a'::kd, 'b'::kd])))"}
--> {"conname":"pos_check","pg_get_constraintdef":"CHECK ((VALUE > 0))"}

select indexname, indexdef from pg_indexes where indexname in ('i2', 'i4') order by 1;
--> {"indexname":"i2","indexdef":"CREATE INDEX i2 ON public.z USING btree (id) WHERE (k = 'a'::kd)"}
--> {"indexname":"i4","indexdef":"CREATE INDEX i4 ON public.z USING btree (ff(id)) WHERE (ff(id) > 0)"}

select adnum, pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = 'public.z'::regclass order by 1;
--> {"adnum":3,"pg_get_expr":"'a'::kd"}
--> {"adnum":4,"pg_get_expr":"(3)::pos"}
--> {"adnum":5,"pg_get_expr":"\nCASE\n    WHEN (k = 'a'::kd) THEN 'x'::text\n    ELSE 'y'::text\nEND"}

select pg_get_expr(polqual, polrelid) from pg_policy where polrelid = 'public.z'::regclass;
--> {"pg_get_expr":"(k = 'a'::kd)"}

select pg_get_triggerdef(oid) from pg_trigger where tgrelid = 'public.z'::regclass;
--> {"pg_get_triggerdef":"CREATE TRIGGER t BEFORE INSERT ON public.z FOR EACH ROW WHEN ((new.k = 'a'::kd)) EXECUTE FUNCTION f()"}

select pg_get_viewdef('public.v'::regclass);
--> {"pg_get_viewdef":" SELECT z.id,\n    z.k,\n    z.d,\n    z.p,\n    z.g,\n    ff(z.id) AS x\n   FROM z\n  WHERE (z.k = 'a'::kd);"}

create function public.g(k public.kd, ks public.kd[] default '{a}') returns setof public.z language sql as $$ select * from public.z $$;
--> no rows

select pg_get_functiondef('public.g'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.g(k kd, ks kd[] DEFAULT '{a}'::kd[])\n RETURNS SETOF z\n LANGUAGE sql\nAS $function$ select * from public.z $function$\n"}

select pg_get_function_result('public.g'::regproc), pg_get_function_arguments('public.g'::regproc), 'public.z'::regclass, 'public.kd'::regtype, format_type('public.kd[]'::regtype, -1);
--> {"pg_get_function_result":"SETOF z","pg_get_function_arguments":"k kd, ks kd[] DEFAULT '{a}'::kd[]","regclass":"z","regtype":"kd","format_type":"kd[]"}

create table public.c (id bigint references public.places (id), k public.kd default 'b');
--> no rows

select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'public.c'::regclass;
--> {"pg_get_constraintdef":"FOREIGN KEY (id) REFERENCES places(id)"}

create table public.ex (a int4range, k public.kd, exclude using gist (a with &&) where (k = 'a'::public.kd));
--> no rows

select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'public.ex'::regclass;
--> {"pg_get_constraintdef":"EXCLUDE USING gist (a WITH &&) WHERE ((k = 'a'::kd))"}

insert into public.ex values ('[1,3)', 'a'), ('[2,4)', 'b');
--> no rows

insert into public.ex values ('[2,4)', 'a');
--> ERROR 23P01: conflicting key value violates exclusion constraint "ex_a_excl"
--> DETAIL: Key (a)=([2,4)) conflicts with existing key (a)=([1,3)).

set search_path = auth;
--> no rows

create table public.y6 (k public.kd check (k <> 'a'::public.kd), unique (k));
--> no rows

select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'public.y6'::regclass order by 1;
--> {"pg_get_constraintdef":"CHECK ((k <> 'a'::kd))"}
--> {"pg_get_constraintdef":"UNIQUE (k)"}

reset search_path;
--> no rows

select pg_get_constraintdef(oid) from pg_constraint where conrelid = 'y6'::regclass order by 1;
--> {"pg_get_constraintdef":"CHECK ((k <> 'a'::kd))"}
--> {"pg_get_constraintdef":"UNIQUE (k)"}

select pg_get_viewdef('v'::regclass);
--> {"pg_get_viewdef":" SELECT z.id,\n    z.k,\n    z.d,\n    z.p,\n    z.g,\n    ff(z.id) AS x\n   FROM z\n  WHERE (z.k = 'a'::kd);"}
