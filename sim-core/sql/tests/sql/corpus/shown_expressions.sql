-- Expressions of definitions as the catalogs show them, in full and for people.

create table t (id int, price numeric check (price >= 0), n text check (length(n) > 2 and n <> 'x'), v varchar(5) check (lower(v) = 'a'), x int check ((price + 1) * 2 > 3), check (id > 1 or (price < 5 and x is null)), check (not (id = 3)), check (n in ('a', 'b')), check (id between 1 and 5), check (case when id = 1 then true else false end), check (n ~ '^a'), check (coalesce(n, 'a') = 'b'), check ((id + x) is not null), check (-id < 5));
--> no rows

select pg_get_constraintdef(oid) as whole, pg_get_constraintdef(oid, true) as pretty from pg_constraint where conrelid = 't'::regclass order by conname;
--> {"whole":"CHECK (((id > 1) OR ((price < (5)::numeric) AND (x IS NULL))))","pretty":"CHECK (id > 1 OR price < 5::numeric AND x IS NULL)"}
--> {"whole":"CHECK (((id + x) IS NOT NULL))","pretty":"CHECK ((id + x) IS NOT NULL)"}
--> {"whole":"CHECK ((NOT (id = 3)))","pretty":"CHECK (NOT id = 3)"}
--> {"whole":"CHECK (((id >= 1) AND (id <= 5)))","pretty":"CHECK (id >= 1 AND id <= 5)"}
--> {"whole":"CHECK (\nCASE\n    WHEN (id = 1) THEN true\n    ELSE false\nEND)","pretty":"CHECK (\nCASE\n    WHEN id = 1 THEN true\n    ELSE false\nEND)"}
--> {"whole":"CHECK (((- id) < 5))","pretty":"CHECK ((- id) < 5)"}
--> {"whole":"CHECK (((length(n) > 2) AND (n <> 'x'::text)))","pretty":"CHECK (length(n) > 2 AND n <> 'x'::text)"}
--> {"whole":"CHECK ((n = ANY (ARRAY['a'::text, 'b'::text])))","pretty":"CHECK (n = ANY (ARRAY['a'::text, 'b'::text]))"}
--> {"whole":"CHECK ((n ~ '^a'::text))","pretty":"CHECK (n ~ '^a'::text)"}
--> {"whole":"CHECK ((COALESCE(n, 'a'::text) = 'b'::text))","pretty":"CHECK (COALESCE(n, 'a'::text) = 'b'::text)"}
--> {"whole":"CHECK ((price >= (0)::numeric))","pretty":"CHECK (price >= 0::numeric)"}
--> {"whole":"CHECK ((((price + (1)::numeric) * (2)::numeric) > (3)::numeric))","pretty":"CHECK (((price + 1::numeric) * 2::numeric) > 3::numeric)"}
--> {"whole":"CHECK ((lower((v)::text) = 'a'::text))","pretty":"CHECK (lower(v::text) = 'a'::text)"}

create index i on t (lower(n), ((id + 1)), (price * 2), v) where id > 1 and n is not null;
--> no rows

select pg_get_indexdef('i'::regclass) as whole, pg_get_indexdef('i'::regclass, 0, true) as pretty;
--> {"whole":"CREATE INDEX i ON public.t USING btree (lower(n), ((id + 1)), ((price * (2)::numeric)), v) WHERE ((id > 1) AND (n IS NOT NULL))","pretty":"CREATE INDEX i ON t USING btree (lower(n), (id + 1), (price * 2::numeric), v) WHERE id > 1 AND n IS NOT NULL"}

select n, pg_get_indexdef('i'::regclass, n, true) as pretty, pg_get_indexdef('i'::regclass, n, false) as whole from generate_series(1, 5) n;
--> {"n":1,"pretty":"lower(n)","whole":"lower(n)"}
--> {"n":2,"pretty":"(id + 1)","whole":"((id + 1))"}
--> {"n":3,"pretty":"(price * 2::numeric)","whole":"((price * (2)::numeric))"}
--> {"n":4,"pretty":"v","whole":"v"}
--> {"n":5,"pretty":"","whole":""}

select pg_get_expr(indpred, indrelid) as a, pg_get_expr(indpred, indrelid, true) as b, pg_get_expr(indexprs, indrelid) as c, pg_get_expr(indexprs, indrelid, true) as d from pg_index where indexrelid = 'i'::regclass;
--> {"a":"((id > 1) AND (n IS NOT NULL))","b":"id > 1 AND n IS NOT NULL","c":"lower(n), (id + 1), (price * (2)::numeric)","d":"lower(n), id + 1, price * 2::numeric"}

create unique index u on t ((id * 2 + 1), lower(n));
--> no rows

insert into t values (2, 1, 'abb', 'a', 7);
--> ERROR 23514: new row for relation "t" violates check constraint "t_id_check2"
--> DETAIL: Failing row contains (2, 1, abb, a, 7).

alter table t drop constraint t_n_check1, drop constraint t_check4, drop constraint t_check3, drop constraint t_n_check2, drop constraint t_n_check3, drop constraint t_check5;
--> ERROR 42704: constraint "t_check4" of relation "t" does not exist

create table d (a int default 1 + 1, b text default 'x', c timestamptz default now() - interval '1 day', e int default (2 * 3) - 1, f text default lower('A') || 'b', g varchar(3) default 'q', h numeric default 1, i jsonb default '{}', j text[] default array['a'], k text[] default '{}', l bool default (not true), m int generated always as (a * 2 + e) stored, n text generated always as (b) stored, o text generated always as (coalesce(b, f)) stored, p tsvector generated always as (to_tsvector('english', coalesce(b, '') || ' ' || f)) stored, q int generated always as (case when a > 1 then 1 else 2 end) stored, r bool generated always as (a > 1 and e is not null) stored, s text generated always as (i ->> 'x') stored, u int generated always as ((i ->> 'x')::int) stored, w numeric generated always as (h * 2) stored, y text generated always as (upper(g)) stored, z text generated always as (zz) stored, zz text);
--> no rows

select attname, pg_get_expr(adbin, adrelid) as whole, pg_get_expr(adbin, adrelid, true) as pretty from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum where adrelid = 'd'::regclass order by attnum;
--> {"attname":"a","whole":"(1 + 1)","pretty":"1 + 1"}
--> {"attname":"b","whole":"'x'::text","pretty":"'x'::text"}
--> {"attname":"c","whole":"(now() - '1 day'::interval)","pretty":"now() - '1 day'::interval"}
--> {"attname":"e","whole":"((2 * 3) - 1)","pretty":"2 * 3 - 1"}
--> {"attname":"f","whole":"(lower('A'::text) || 'b'::text)","pretty":"lower('A'::text) || 'b'::text"}
--> {"attname":"g","whole":"'q'::character varying","pretty":"'q'::character varying"}
--> {"attname":"h","whole":"1","pretty":"1"}
--> {"attname":"i","whole":"'{}'::jsonb","pretty":"'{}'::jsonb"}
--> {"attname":"j","whole":"ARRAY['a'::text]","pretty":"ARRAY['a'::text]"}
--> {"attname":"k","whole":"'{}'::text[]","pretty":"'{}'::text[]"}
--> {"attname":"l","whole":"(NOT true)","pretty":"NOT true"}
--> {"attname":"m","whole":"((a * 2) + e)","pretty":"a * 2 + e"}
--> {"attname":"n","whole":"b","pretty":"b"}
--> {"attname":"o","whole":"COALESCE(b, f)","pretty":"COALESCE(b, f)"}
--> {"attname":"p","whole":"to_tsvector('english'::regconfig, ((COALESCE(b, ''::text) || ' '::text) || f))","pretty":"to_tsvector('english'::regconfig, (COALESCE(b, ''::text) || ' '::text) || f)"}
--> {"attname":"q","whole":"\nCASE\n    WHEN (a > 1) THEN 1\n    ELSE 2\nEND","pretty":"\nCASE\n    WHEN a > 1 THEN 1\n    ELSE 2\nEND"}
--> {"attname":"r","whole":"((a > 1) AND (e IS NOT NULL))","pretty":"a > 1 AND e IS NOT NULL"}
--> {"attname":"s","whole":"(i ->> 'x'::text)","pretty":"i ->> 'x'::text"}
--> {"attname":"u","whole":"((i ->> 'x'::text))::integer","pretty":"(i ->> 'x'::text)::integer"}
--> {"attname":"w","whole":"(h * (2)::numeric)","pretty":"h * 2::numeric"}
--> {"attname":"y","whole":"upper((g)::text)","pretty":"upper(g::text)"}
--> {"attname":"z","whole":"zz","pretty":"zz"}

select column_name, column_default, generation_expression from information_schema.columns where table_name = 'd' and ordinal_position > 9 order by ordinal_position;
--> {"column_name":"k","column_default":"'{}'::text[]","generation_expression":null}
--> {"column_name":"l","column_default":"(NOT true)","generation_expression":null}
--> {"column_name":"m","column_default":null,"generation_expression":"((a * 2) + e)"}
--> {"column_name":"n","column_default":null,"generation_expression":"b"}
--> {"column_name":"o","column_default":null,"generation_expression":"COALESCE(b, f)"}
--> {"column_name":"p","column_default":null,"generation_expression":"to_tsvector('english'::regconfig, ((COALESCE(b, ''::text) || ' '::text) || f))"}
--> {"column_name":"q","column_default":null,"generation_expression":"\nCASE\n    WHEN (a > 1) THEN 1\n    ELSE 2\nEND"}
--> {"column_name":"r","column_default":null,"generation_expression":"((a > 1) AND (e IS NOT NULL))"}
--> {"column_name":"s","column_default":null,"generation_expression":"(i ->> 'x'::text)"}
--> {"column_name":"u","column_default":null,"generation_expression":"((i ->> 'x'::text))::integer"}
--> {"column_name":"w","column_default":null,"generation_expression":"(h * (2)::numeric)"}
--> {"column_name":"y","column_default":null,"generation_expression":"upper((g)::text)"}
--> {"column_name":"z","column_default":null,"generation_expression":"zz"}
--> {"column_name":"zz","column_default":null,"generation_expression":null}

insert into d (a, b, i, zz) values (5, 'hello', '{"x": "7"}', 'late') returning a, m, n, o, p, q, r, s, u, w, y, z;
--> {"a":5,"m":15,"n":"hello","o":"hello","p":"'ab':2 'hello':1","q":1,"r":true,"s":"7","u":7,"w":"2","y":"Q","z":"late"}

alter table d add aa text generated always as (b || '-' || g) stored;
--> no rows

select aa, pg_get_expr(adbin, adrelid) as e from d, pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum where adrelid = 'd'::regclass and attname = 'aa';
--> {"aa":"hello-q","e":"((b || '-'::text) || (g)::text)"}

alter table d rename b to "B b";
--> no rows

select pg_get_expr(adbin, adrelid) as e from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum where adrelid = 'd'::regclass and attname in ('aa', 'o') order by attnum;
--> {"e":"COALESCE(\"B b\", f)"}
--> {"e":"((\"B b\" || '-'::text) || (g)::text)"}

update d set "B b" = 'new' returning aa, o;
--> {"aa":"new-q","o":"new"}

-- A condition about a row that calls a function for the row.

create table m (id int primary key, org int, member int);
--> no rows

create function ids(of_org int) returns table (member int) language plpgsql security definer as $$ begin return query select m.member from m where m.org = $1; end $$;
--> no rows

create policy p on m for select to authenticated using (member in (select ids(m.org) as ids));
--> no rows

create policy q on m for insert to authenticated with check (id in (select generate_series(m.id, m.id + 1)));
--> no rows

alter table m enable row level security;
--> no rows

grant select, insert on m to authenticated;
--> no rows

insert into m values (1, 1, 5), (2, 2, null);
--> no rows

begin; set local role authenticated; select id from m; rollback;
--> {"id":1}

begin; set local role authenticated; insert into m values (3, 1, 6); rollback;
--> no rows
