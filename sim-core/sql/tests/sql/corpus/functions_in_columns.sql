-- Functions in generated columns, indexes, checks and defaults.
create function plain(v text) returns text language sql immutable as $$ select lower(v) $$;
create function parts(v text) returns text language sql immutable as $$ with a as (select lower(v) as x) select x from a $$;
create function body(v text) returns text language plpgsql immutable as $$ begin return lower(v); end $$;
--> no rows

create table one (a text, b text generated always as (plain(a)) stored);
--> no rows

create table two (a text, b text generated always as (parts(a)) stored);
--> no rows

create table three (a text, b text generated always as (body(a)) stored);
--> no rows

create table four (a text check (parts(a) = 'x'), b text default parts('Y'));
--> no rows

insert into one values ('A'), ('B');
--> no rows

insert into two values ('C') returning b;
--> {"b":"c"}

insert into three values ('D');
--> no rows

insert into four (a) values ('X');
--> no rows

insert into four (a) values ('Z');
--> ERROR 23514: new row for relation "four" violates check constraint "four_a_check"
--> DETAIL: Failing row contains (Z, y).

select * from one order by a;
--> {"a":"A","b":"a"}
--> {"a":"B","b":"b"}

select * from two;
--> {"a":"C","b":"c"}

select * from three;
--> {"a":"D","b":"d"}

select * from four;
--> {"a":"X","b":"y"}

select a from one where b = 'a';
--> {"a":"A"}

select a from one where parts(a) = 'a' order by plain(a);
--> {"a":"A"}

create index on one (plain(a));
--> no rows

create index on one (parts(b));
--> no rows

create unique index one_body on one (body(b));
--> no rows

insert into one values ('a');
--> ERROR 23505: duplicate key value violates unique constraint "one_body"
--> DETAIL: Key (body(b))=(a) already exists.

update one set a = 'Q' where b = 'b' returning b;
--> {"b":"q"}

delete from one where b = 'q' returning *;
--> {"a":"Q","b":"q"}

alter table one add column c text generated always as (parts(a || 'Q')) stored;
--> no rows

select * from one;
--> {"a":"A","b":"a","c":"aq"}

insert into one select 'n' || n from generate_series(1, 3) n on conflict do nothing returning b, c;
--> {"b":"n1","c":"n1q"}
--> {"b":"n2","c":"n2q"}
--> {"b":"n3","c":"n3q"}

create view shown as select b, c from one;
--> no rows

select * from shown order by 1;
--> {"b":"a","c":"aq"}
--> {"b":"n1","c":"n1q"}
--> {"b":"n2","c":"n2q"}
--> {"b":"n3","c":"n3q"}

select count(*) from one, two where one.b < two.b;
--> {"count":1}

with gone as (delete from one where b = 'n1' returning b, c) select * from gone;
--> {"b":"n1","c":"n1q"}

do $$ declare v text; begin select b into v from one where b = 'n2'; raise notice '%', v; end $$;
--> no rows

create table words (title text, slug text generated always as (regexp_replace(plain(title), '[^a-z]+', '-', 'g')) stored unique);
--> no rows

insert into words values ('Hello There'), ('Hello, There');
--> ERROR 23505: duplicate key value violates unique constraint "words_slug_key"
--> DETAIL: Key (slug)=(hello-there) already exists.

insert into words values ('Hello There') on conflict (slug) do update set title = 'again' returning *;
--> {"title":"Hello There","slug":"hello-there"}

create function named(a int, b int default 2) returns int language sql as 'select a * b';
--> no rows

select named(a := 3), named(3, b := 4), named(b => 1, a => 5);
--> {"named":5}

select named(a := 1, c := 2);
--> ERROR 42883: function named(a => integer, c => integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create schema apart;
create table apart.here (id int primary key);
--> no rows

select 'apart.here'::regclass, 'apart.here'::regclass::text;
--> {"regclass":"apart.here","text":"apart.here"}

set search_path = apart;
select 'here'::regclass::text, 'public.one'::regclass::text, 'here_pkey'::regclass::text;
--> {"text":"here_pkey"}

set search_path = '';
select 'public.one'::regclass::text, format('%s', 'apart.here'::regclass), 'pg_class'::regclass::text;
--> {"text":"pg_class","format":"apart.here"}

create table apart.one (a int);
set search_path = apart, public;
select 'one'::regclass::text, 'public.one'::regclass::text, 'public.two'::regclass::text;
--> {"text":"two"}

create table moved (id int primary key);
create table moving (id int, at timestamptz not null default now());
insert into moving values (1), (2), (3);
create function delete(i int) returns setof int language plpgsql as $$ begin return query execute
  'with gone as (delete from moving where id = $1 returning id) insert into moved select id from gone returning id' using i; end $$;
create function each(i int) returns boolean language sql as $$ select exists (select 1 from delete(i)) $$;
--> no rows

select delete(1);
--> {"delete":1}

select each(2), each(3);
--> {"each":true}

select id from moved order by 1;
--> {"id":1}
--> {"id":2}
--> {"id":3}

select inet_client_port() is null or inet_client_port() >= -1 as known;
--> {"known":true}

create table plans (id int, interval text check (interval in ('month', 'year')), price int);
--> no rows

insert into plans values (1, 'month', 10), (2, 'year', 24);
--> no rows

insert into plans values (3, 'week', 1);
--> ERROR 23514: new row for relation "plans" violates check constraint "plans_interval_check"
--> DETAIL: Failing row contains (3, week, 1).

select id from plans where interval = 'year' or not interval like 'm%' and interval is not null;
--> {"id":2}

select sum(case interval when 'month' then price else price / 12.0 end) as a, max(plans.interval) as b, interval '1 day' as c from plans;
--> {"a":"12.0000000000000000","b":"year","c":"1 day"}

create table spans (a interval not null default interval '1 hour', b interval);
--> no rows

select cast('1 day' as interval) as a, '2 days'::interval as b, interval '1' day as c;
--> {"a":"1 day","b":"2 days","c":"1 day"}

create function several(variadic xs int[]) returns int language sql as 'select sum(x)::int from unnest(xs) x';
--> no rows

select several(1, 2, 3) as a, several(variadic array[1, 2]) as b, several(variadic '{4}') as c, several(variadic array_append(array[1], 5)) as d;
--> {"a":6,"b":3,"c":4,"d":6}

select format('%s-%s', variadic array['a', 'b']) as a, concat(variadic array['c', 'd']) as b, jsonb_build_object(variadic array['k', 'v']) as c;
--> {"a":"a-b","b":"cd","c":{"k":"v"}}

create function rows_of_values() returns table (a int, b text) language sql as $$ values (1, 'a'), (2, 'b') $$;
--> no rows

select * from rows_of_values() where a = 2;
--> {"a":2,"b":"b"}

select b from (select (rows_of_values()).b) s order by 1;
--> {"b":"a"}
--> {"b":"b"}
