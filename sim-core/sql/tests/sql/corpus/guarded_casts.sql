-- Casts of constant arguments that a condition in the body of a function guards.

create function c2(d text) returns int language sql immutable as $$ select case when d ~ '^\d+$' then d::int else -1 end $$;
--> no rows

select c2('abc');
--> {"c2":-1}

create table k(id uuid, slug text); insert into k values ('00000000-0000-0000-0000-000000000000','abc');
--> no rows

create function s20(r text) returns setof k language sql stable as $$ select * from k where slug = r or (r ~ '^[0-9a-f-]{36}$' and id = r::uuid) $$;
--> no rows

select * from s20('abc');
--> {"id":"00000000-0000-0000-0000-000000000000","slug":"abc"}

create function s6(a text) returns int language sql as $$ select case when a = '' then null else a::int end $$;
--> no rows

select s6('');
--> {"s6":null}

create function s16(a text) returns jsonb language sql as $$ select case when left(a,1) in ('{','[') then a::jsonb else to_jsonb(a) end $$;
--> no rows

select s16('hello');
--> {"s16":"hello"}

select case when 'abc' ~ '^\d' then 'abc'::int else 0 end;
--> ERROR 22P02: invalid input syntax for type integer: "abc"
--> AT 37

select case when 'abc'::text ~ '^\d' then 'abc'::text::int else 0 end;
--> {"case":0}

select case when true then 1 else 1/0 end;
--> {"case":1}

create function s7(a text) returns boolean language sql immutable return case when a in ('yes', 'no') then a = 'yes' else a::boolean end; select s7('yes');
--> {"s7":true}

create table kk (a int, b int generated always as (c2('abc')) stored, check (c2('zz') = -1)); insert into kk values (1) returning *;
--> {"a":1,"b":-1}

create function c3(d text) returns int language sql immutable as $$ select case when c2(d) > 0 then c2('zzz') + d::int else c2('zzz') end $$; select c3('abc'), c3('5');
--> {"c3":4}

create function c4(d text default 'none') returns numeric language sql as $$ select coalesce(case when d <> 'none' then d::numeric end, 0) $$; select c4();
--> {"c4":"0"}

do $$ declare x int; begin x := c2('abc'); if x <> -1 then raise exception 'no'; end if; select c2('def') into x; end $$;
--> no rows

create function c5(d text) returns inet language sql as $$ select case when d like '%.%' then d::inet end $$; select c5('abc'), c5('1.2.3.4');
--> {"c5":"1.2.3.4"}

select c6('12');
--> ERROR 42883: function c6(unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function c7(a text, b text) returns boolean language sql as $$ select a ~ '^\d+$' and a::int > b::int $$; select c7('x', '1');
--> {"c7":false}

create function c8(a text) returns date language sql as $$ select case when a = '' then null else a::date end $$; select c8('');
--> {"c8":null}

create function c9(a text) returns text[] language sql as $$ select case when a like '{%' then a::text[] else array[a] end $$; select c9('x');
--> {"c9":["x"]}

create function c10(a text) returns setof int language sql as $$ select g from generate_series(1, case when a ~ '^\d+$' then a::int else 2 end) g $$; select * from c10('x');
--> {"c10":1}
--> {"c10":2}

select k.slug from k where case when 'abc' = '' then true else slug = 'abc' and c2('q') = -1 end;
--> {"slug":"abc"}

create function c11(a text) returns bigint language sql as $$ select count(*) from k where exists (select 1 where a ~ '^\d+$' and a::int > 0) $$; select c11('x');
--> {"c11":0}
