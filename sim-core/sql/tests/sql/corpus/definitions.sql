-- Expressions of definitions as the catalog shows them.

create type mood as enum ('sad', 'happy');
--> no rows

create table item (
  id bigint primary key,
  name varchar(40) not null default 'none',
  note text default '',
  price numeric(10, 2) default 0,
  ratio float8 default 0.5,
  count int default -1,
  big bigint default 3000000000,
  at timestamptz default now(),
  due timestamptz default now() + interval '7 days',
  day date default current_date,
  tags text[] default '{}',
  data jsonb default '{}'::jsonb,
  mood mood default 'sad',
  done boolean default false,
  code text default upper('x') || '-1',
  uid uuid default gen_random_uuid()
);
--> no rows

select column_name, column_default from information_schema.columns where table_name = 'item' order by ordinal_position;
--> {"column_name":"id","column_default":null}
--> {"column_name":"name","column_default":"'none'::character varying"}
--> {"column_name":"note","column_default":"''::text"}
--> {"column_name":"price","column_default":"0"}
--> {"column_name":"ratio","column_default":"0.5"}
--> {"column_name":"count","column_default":"'-1'::integer"}
--> {"column_name":"big","column_default":"'3000000000'::bigint"}
--> {"column_name":"at","column_default":"now()"}
--> {"column_name":"due","column_default":"(now() + '7 days'::interval)"}
--> {"column_name":"day","column_default":"CURRENT_DATE"}
--> {"column_name":"tags","column_default":"'{}'::text[]"}
--> {"column_name":"data","column_default":"'{}'::jsonb"}
--> {"column_name":"mood","column_default":"'sad'::mood"}
--> {"column_name":"done","column_default":"false"}
--> {"column_name":"code","column_default":"(upper('x'::text) || '-1'::text)"}
--> {"column_name":"uid","column_default":"gen_random_uuid()"}

alter table item add constraint c01 check (price >= 0), add constraint c02 check (price > 0.5 and count < 10), add constraint c03 check (name <> ''), add constraint c04 check (note in ('a', 'b')), add constraint c05 check (name in ('a', 'b')), add constraint c06 check (count between 1 and 10), add constraint c07 check (char_length(name) > 2), add constraint c08 check (note is null or length(note) < 10), add constraint c09 check (mood <> 'sad'), add constraint c10 check (not done);
--> no rows

alter table item add constraint c11 check (day >= '2024-01-01'), add constraint c12 check (at > '2024-01-01'), add constraint c13 check (note ~ '^a+$'), add constraint c14 check (name like 'a%'), add constraint c15 check (note not ilike '%b'), add constraint c16 check (data ? 'k'), add constraint c17 check (data ->> 'k' is not null), add constraint c18 check (ratio < 10), add constraint c19 check (big > 5000000000), add constraint c20 check (count > -5);
--> no rows

alter table item add constraint c21 check (coalesce(note, 'x') <> 'y'), add constraint c22 check (lower(name) = name), add constraint c23 check (note = lower(note)), add constraint c24 check (count in (1, 2, 3)), add constraint c25 check (mood in ('sad', 'happy')), add constraint c26 check (note not in ('x', 'y')), add constraint c27 check (price * count < 1000), add constraint c28 check (done is true or done is not false), add constraint c29 check ((note || name) <> 'ab'), add constraint c30 check (id % 2 = 0 or id > 100);
--> no rows

alter table item add constraint c31 check (count::text <> '5'), add constraint c32 check (note::int > 5), add constraint c33 check (((count + 1) * 2) > 3), add constraint c34 check (done), add constraint c35 check (name = 'a' or (note = 'b' and (count = 1 or count = 2))), add constraint c36 check (price is not null);
--> no rows

select conname, pg_get_constraintdef(oid) as def from pg_constraint where conrelid = 'item'::regclass and contype = 'c' order by 1;
--> {"conname":"c01","def":"CHECK ((price >= (0)::numeric))"}
--> {"conname":"c02","def":"CHECK (((price > 0.5) AND (count < 10)))"}
--> {"conname":"c03","def":"CHECK (((name)::text <> ''::text))"}
--> {"conname":"c04","def":"CHECK ((note = ANY (ARRAY['a'::text, 'b'::text])))"}
--> {"conname":"c05","def":"CHECK (((name)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[])))"}
--> {"conname":"c06","def":"CHECK (((count >= 1) AND (count <= 10)))"}
--> {"conname":"c07","def":"CHECK ((char_length((name)::text) > 2))"}
--> {"conname":"c08","def":"CHECK (((note IS NULL) OR (length(note) < 10)))"}
--> {"conname":"c09","def":"CHECK ((mood <> 'sad'::mood))"}
--> {"conname":"c10","def":"CHECK ((NOT done))"}
--> {"conname":"c11","def":"CHECK ((day >= '2024-01-01'::date))"}
--> {"conname":"c12","def":"CHECK ((at > '2024-01-01 00:00:00+00'::timestamp with time zone))"}
--> {"conname":"c13","def":"CHECK ((note ~ '^a+$'::text))"}
--> {"conname":"c14","def":"CHECK (((name)::text ~~ 'a%'::text))"}
--> {"conname":"c15","def":"CHECK ((note !~~* '%b'::text))"}
--> {"conname":"c16","def":"CHECK ((data ? 'k'::text))"}
--> {"conname":"c17","def":"CHECK (((data ->> 'k'::text) IS NOT NULL))"}
--> {"conname":"c18","def":"CHECK ((ratio < (10)::double precision))"}
--> {"conname":"c19","def":"CHECK ((big > '5000000000'::bigint))"}
--> {"conname":"c20","def":"CHECK ((count > '-5'::integer))"}
--> {"conname":"c21","def":"CHECK ((COALESCE(note, 'x'::text) <> 'y'::text))"}
--> {"conname":"c22","def":"CHECK ((lower((name)::text) = (name)::text))"}
--> {"conname":"c23","def":"CHECK ((note = lower(note)))"}
--> {"conname":"c24","def":"CHECK ((count = ANY (ARRAY[1, 2, 3])))"}
--> {"conname":"c25","def":"CHECK ((mood = ANY (ARRAY['sad'::mood, 'happy'::mood])))"}
--> {"conname":"c26","def":"CHECK ((note <> ALL (ARRAY['x'::text, 'y'::text])))"}
--> {"conname":"c27","def":"CHECK (((price * (count)::numeric) < (1000)::numeric))"}
--> {"conname":"c28","def":"CHECK (((done IS TRUE) OR (done IS NOT FALSE)))"}
--> {"conname":"c29","def":"CHECK (((note || (name)::text) <> 'ab'::text))"}
--> {"conname":"c30","def":"CHECK ((((id % (2)::bigint) = 0) OR (id > 100)))"}
--> {"conname":"c31","def":"CHECK (((count)::text <> '5'::text))"}
--> {"conname":"c32","def":"CHECK (((note)::integer > 5))"}
--> {"conname":"c33","def":"CHECK ((((count + 1) * 2) > 3))"}
--> {"conname":"c34","def":"CHECK (done)"}
--> {"conname":"c35","def":"CHECK ((((name)::text = 'a'::text) OR ((note = 'b'::text) AND ((count = 1) OR (count = 2)))))"}
--> {"conname":"c36","def":"CHECK ((price IS NOT NULL))"}

select constraint_name, check_clause from information_schema.check_constraints where constraint_name in ('c01', 'c07', 'c34') order by 1;
--> {"constraint_name":"c01","check_clause":"((price >= (0)::numeric))"}
--> {"constraint_name":"c07","check_clause":"((char_length((name)::text) > 2))"}
--> {"constraint_name":"c34","check_clause":"(done)"}

create index item_lower on item (lower(name)); create index item_pair on item ((note || code)); create unique index item_done on item (note) where done and mood = 'happy'; create index item_data on item using gin (data); create index item_key on item ((data ->> 'k'));
--> no rows

select indexname, indexdef from pg_indexes where tablename = 'item' order by 1;
--> {"indexname":"item_data","indexdef":"CREATE INDEX item_data ON public.item USING gin (data)"}
--> {"indexname":"item_done","indexdef":"CREATE UNIQUE INDEX item_done ON public.item USING btree (note) WHERE (done AND (mood = 'happy'::mood))"}
--> {"indexname":"item_key","indexdef":"CREATE INDEX item_key ON public.item USING btree (((data ->> 'k'::text)))"}
--> {"indexname":"item_lower","indexdef":"CREATE INDEX item_lower ON public.item USING btree (lower((name)::text))"}
--> {"indexname":"item_pair","indexdef":"CREATE INDEX item_pair ON public.item USING btree (((note || code)))"}
--> {"indexname":"item_pkey","indexdef":"CREATE UNIQUE INDEX item_pkey ON public.item USING btree (id)"}

insert into item (id, note) select 1, 'a' where false on conflict (note) where done and mood = 'happy' do nothing;
--> no rows

create table stamp (id int, a timestamp default (now() at time zone 'utc'), b timestamp default timezone('utc', now()), c int default extract(year from now()), d timestamp default timestamp '2024-01-02 03:04:05', owner uuid);
--> no rows

select column_name, column_default from information_schema.columns where table_name = 'stamp' order by ordinal_position;
--> {"column_name":"id","column_default":null}
--> {"column_name":"a","column_default":"(now() AT TIME ZONE 'utc'::text)"}
--> {"column_name":"b","column_default":"timezone('utc'::text, now())"}
--> {"column_name":"c","column_default":"EXTRACT(year FROM now())"}
--> {"column_name":"d","column_default":"'2024-01-02 03:04:05'::timestamp without time zone"}
--> {"column_name":"owner","column_default":null}

alter table stamp enable row level security; create policy own on stamp for select to authenticated using (auth.uid() = owner); create policy all_of on stamp for insert with check (true); create policy some_of on stamp for update using (id > 5 and owner is not null) with check (id < 10);
--> no rows

select policyname, cmd, qual, with_check from pg_policies where tablename = 'stamp' order by 1;
--> {"policyname":"all_of","cmd":"INSERT","qual":null,"with_check":"true"}
--> {"policyname":"own","cmd":"SELECT","qual":"(auth.uid() = owner)","with_check":null}
--> {"policyname":"some_of","cmd":"UPDATE","qual":"((id > 5) AND (owner IS NOT NULL))","with_check":"(id < 10)"}
