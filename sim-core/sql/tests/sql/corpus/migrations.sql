create table t (id int primary key, name text, check (length(trim(both from name)) > 0));
--> no rows

insert into t values (1, ' a ');
--> no rows

insert into t values (2, '  ');
--> ERROR 23514: new row for relation "t" violates check constraint "t_name_check"
--> DETAIL: Failing row contains (2,   ).

select trim(both from name) as b, trim(leading from t.name) as l, trim(trailing from coalesce(name, '')) as r, trim(from name) as f from t;
--> {"b":"a","l":"a ","r":" a","f":"a"}

select trim(both 'x' from 'xax') as a, trim('  b ') as b, trim(leading 'ab' from 'abc') as c;
--> {"a":"a","b":"b","c":"c"}

create function safe_int(v text) returns int language plpgsql immutable as $$ begin return v::int; exception when others then return null; end $$;
--> no rows

create table d (raw text, n int default safe_int('x'), g int generated always as (safe_int(raw)) stored);
--> no rows

insert into d (raw) values ('12'), ('y'), (null);
--> no rows

select raw, n, g from d order by raw nulls last;
--> {"raw":"12","n":null,"g":12}
--> {"raw":"y","n":null,"g":null}
--> {"raw":null,"n":null,"g":null}

update d set raw = 'z' where raw = '12' returning raw, g;
--> {"raw":"z","g":null}

insert into d (raw, n) select v, safe_int(v) from unnest(array['7', 'q']) v;
--> no rows

select raw, n, g from d where raw in ('7', 'q') order by raw;
--> {"raw":"7","n":7,"g":7}
--> {"raw":"q","n":null,"g":null}

create table log (id int, was int);
--> no rows

create function note() returns trigger language plpgsql as $$ begin insert into log values (new.id, safe_int(new.name)); return new; end $$;
--> no rows

create trigger note after insert on t for each row execute function note();
--> no rows

insert into t values (3, '33'), (4, 'none');
--> no rows

select * from log order by id;
--> {"id":3,"was":33}
--> {"id":4,"was":null}

create function header(n text) returns text language plpgsql stable as $$ begin return nullif(current_setting('request.headers', true), '')::jsonb ->> n; exception when others then return 'none'; end $$;
--> no rows

create table h (id int, agent text default header('agent'));
--> no rows

insert into h (id) values (1) returning agent;
--> {"agent":null}

create table doc (raw jsonb, id text generated always as (raw ->> 'id') stored primary key, at int default 0);
--> no rows

create function touch() returns trigger language plpgsql as $$ begin new.at := new.at + 1; return new; end $$;
--> no rows

create trigger touch before update on doc for each row execute function touch();
--> no rows

insert into doc (raw) values ('{"id":"a"}');
--> no rows

insert into doc (raw) values ('{"id":"a","b":1}') on conflict (id) do update set raw = excluded.raw returning *;
--> {"raw":{"b":1,"id":"a"},"id":"a","at":1}

insert into doc (raw) values ('{"id":"c"}'), ('{"id":"a","b":2}') on conflict (id) do update set raw = excluded.raw returning *;
--> {"raw":{"id":"c"},"id":"c","at":0}
--> {"raw":{"b":2,"id":"a"},"id":"a","at":2}

insert into doc (raw) values ('{"id":"c","d":3}') on conflict (id) do nothing returning *;
--> no rows

select * from doc order by id;
--> {"raw":{"b":2,"id":"a"},"id":"a","at":2}
--> {"raw":{"id":"c"},"id":"c","at":0}

create table tag (id int primary key, name text, slug text generated always as (lower(name)) stored unique);
--> no rows

create function keep() returns trigger language plpgsql as $$ begin insert into log values (new.id, 0); return null; end $$;
--> no rows

create trigger keep after insert or update on tag for each row execute function keep();
--> no rows

insert into tag (id, name) values (1, 'Red'), (2, 'Blue');
--> no rows

insert into tag (id, name) values (3, 'RED') on conflict (slug) do update set name = excluded.name || '!' returning id, name, slug;
--> {"id":1,"name":"RED!","slug":"red!"}

insert into tag (id, name) values (4, 'blue') on conflict do nothing returning id;
--> no rows

create function inside(v text) returns void language plpgsql set search_path = public, pg_temp as $$ begin perform set_config('app.tenant', v, true); end $$;
--> no rows

begin; select inside('7'); select current_setting('app.tenant') as t, current_setting('search_path') as p;
--> {"t":"7","p":"\"$user\", public, extensions"}

create function quiet() returns text language plpgsql set app.level = 'high' as $$ begin perform set_config('app.level', 'low', true); return current_setting('app.level'); end $$;
--> no rows

set app.level = 'none'; select quiet(); select current_setting('app.level') as l;
--> {"l":"none"}

create index on t (id, name);
--> no rows

create table keyed (a int, b int, c int, primary key (c, a));
--> no rows

select unnest(indkey) as k from pg_index where indrelid = 'keyed'::regclass;
--> {"k":3}
--> {"k":1}

select k, n from pg_index, unnest(indkey) with ordinality u(k, n) where indrelid = 'keyed'::regclass order by n;
--> {"k":3,"n":1}
--> {"k":1,"n":2}

select array_length(indkey, 1) as l, array_position(indkey, 1::int2) as p, array_to_string(indkey, ',') as s, indkey::int2[] as i, indkey[0] as f, indkey from pg_index where indrelid = 'keyed'::regclass;
--> {"l":2,"p":1,"s":"3,1","i":[3,1],"f":3,"indkey":"3 1"}

select generate_subscripts(indkey, 1) as g from pg_index where indrelid = 'keyed'::regclass;
--> {"g":0}
--> {"g":1}

select attname from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey) where i.indrelid = 'keyed'::regclass order by 1;
--> {"attname":"a"}
--> {"attname":"c"}

select string_agg(attname, ',' order by array_position(i.indkey::int2[], a.attnum)) as cols from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey::int2[]) where i.indrelid = 'keyed'::regclass;
--> {"cols":"c,a"}

select proargtypes[0]::regtype as first, proargtypes::regtype[] as a, array_length(proargtypes, 1) as n from pg_proc where proname = 'safe_int';
--> {"first":"text","a":"[0:0]={text}","n":1}

select pg_advisory_xact_lock(1, 2), pg_advisory_xact_lock(hashtext('a'), hashtext('b'));
--> {"pg_advisory_xact_lock":""}

select pg_advisory_xact_lock(hashtextextended('abc', 0)), pg_try_advisory_xact_lock(1, 2) as t, pg_advisory_xact_lock_shared(3);
--> {"pg_advisory_xact_lock":"","t":true,"pg_advisory_xact_lock_shared":""}

select hashtext('abc') as a, hashtext('') as b, hashtext('a longer text, of more than twelve bytes') as c, hashtextextended('abc', 0) as d, hashtextextended('a longer text, of more than twelve bytes', 42) as e;
--> {"a":-785388649,"b":-1477818771,"c":-887503599,"d":"-6747756470228489321","e":"8422982372946683587"}

create table "Upper" (id text, "Big" bigserial, own int generated by default as identity);
--> no rows

select pg_get_serial_sequence('"Upper"', 'Big') as a, pg_get_serial_sequence('public."Upper"', 'own') as b, pg_get_serial_sequence('"Upper"', 'id') as c;
--> {"a":"public.\"Upper_Big_seq\"","b":"public.\"Upper_own_seq\"","c":null}

select setval(pg_get_serial_sequence('"Upper"', 'Big'), 5) as s, nextval(pg_get_serial_sequence('"Upper"', 'Big')) as n;
--> {"s":5,"n":6}

select pg_get_serial_sequence('"Upper"', 'nope');
--> ERROR 42703: column "nope" of relation "Upper" does not exist

select pg_get_serial_sequence('upper', 'id');
--> ERROR 42P01: relation "upper" does not exist

do $$ declare r record; begin for r in select table_name::text as t, column_name::text as c from information_schema.columns where table_name = 'Upper' and column_name in ('Big', 'own') loop perform setval(pg_get_serial_sequence(quote_ident(r.t), r.c), 100); end loop; end $$;
--> no rows

insert into "Upper" (id) values ('x') returning "Big", own;
--> {"Big":101,"own":101}

alter table t alter column name set (n_distinct = -0.5);
--> no rows

alter table t alter column name reset (n_distinct);
--> no rows

alter table t alter column name set compression pglz;
--> no rows

alter table "Upper" alter own set increment by 5 restart;
--> no rows

insert into "Upper" (id) values ('y'), ('z') returning own;
--> {"own":1}
--> {"own":6}

alter table "Upper" alter own set generated always set start 3 restart with 9;
--> no rows

insert into "Upper" (id) values ('z') returning own;
--> {"own":9}

alter table "Upper" alter id set increment by 5;
--> ERROR 55000: column "id" of relation "Upper" is not an identity column

select array_to_string(indkey, ',') as s from pg_index where indrelid = 'keyed'::regclass;
--> {"s":"3,1"}

create table guarded (id int, b int);
--> no rows

insert into guarded values (1, 1), (2, null);
--> no rows

create function give_new() returns trigger language plpgsql as $$ begin return new; end $$;
--> no rows

create trigger a before delete on guarded for each row execute function give_new();
--> no rows

delete from guarded;
--> no rows

select * from guarded order by id;
--> {"id":1,"b":1}
--> {"id":2,"b":null}

create table single (id int);
--> no rows

create trigger a before insert or update on single for each row execute function give_new();
--> no rows

insert into single values (1), (null);
--> no rows

update single set id = 5 where id = 1;
--> no rows

select * from single order by id;
--> {"id":5}
--> {"id":null}

do $$ declare o single; begin o := row(9); raise notice '%', o; if o.id <> 9 then raise exception 'no'; end if; end $$;
--> no rows

create function of_single() returns single language plpgsql as $$ declare r single; begin select * into r from single where id = 5; return r; end $$;
--> no rows

select * from of_single();
--> {"id":5}

create function with_option() returns table (id int) language plpgsql as E'/* one */ -- two\n#variable_conflict use_column\nbegin return query select s.id from single s where id = 5; end';
--> no rows

select * from with_option();
--> {"id":5}

begin; set local transaction_read_only = on; insert into single values (3); rollback;
--> ERROR 25006: cannot execute INSERT in a read-only transaction

begin; set transaction read only; create table never (id int); rollback;
--> ERROR 25006: cannot execute CREATE TABLE in a read-only transaction

begin; select set_config('transaction_read_only', 'on', true); delete from single; rollback;
--> ERROR 25006: cannot execute DELETE in a read-only transaction

create table q (id int, s int, f bool);
--> no rows

insert into q values (1, 5), (2, 3), (3, 9);
--> no rows

with top as (select id from q where s > 4), upd as (update q set f = true from top where q.id = top.id returning q.id) select count(*) from upd;
--> {"count":2}

with low as (select id from q where s < 4), gone as (delete from q using low where q.id = low.id returning q.*) select * from gone;
--> {"id":2,"s":3,"f":null}

with recursive n(i) as (values (7) union all select i + 1 from n where i < 9), made as (insert into q select i, i, false from n returning id) select array_agg(id order by id) as ids from made;
--> {"ids":[7,8,9]}

with v(id, s) as (values (1, 50), (3, 90)), upd as (update q set s = v.s from v where q.id = v.id returning q.id, q.s), extra as (insert into q select id + 100, s from upd returning id) select count(*) as n from extra;
--> {"n":2}

create table dup (a int, b text);
--> no rows

insert into dup values (1, 'x'), (1, 'y'), (2, 'z');
--> no rows

delete from dup t using dup u where t.ctid < u.ctid and t.a = u.a;
--> no rows

select * from dup order by a;
--> {"a":1,"b":"y"}
--> {"a":2,"b":"z"}

insert into dup values (2, 'w'), (2, 'v');
--> no rows

delete from dup where ctid not in (select min(ctid) from dup group by a);
--> no rows

select * from dup order by a;
--> {"a":1,"b":"y"}
--> {"a":2,"b":"z"}

delete from dup where ctid = any (array(select ctid from dup where a = 2));
--> no rows

select count(*) as n from dup where ctid is not null;
--> {"n":1}

insert into dup values (9, 'n') returning xmax = 0 as inserted;
--> {"inserted":true}

create function plain_default() returns text language plpgsql as $$ begin return 'a'; end $$;
--> no rows

alter table single add column p text not null default plain_default();
--> no rows

select p from single where id = 5;
--> {"p":"a"}

create function wrapped(n int) returns text language plpgsql as $$ begin return '<' || n || '>'; end $$;
--> no rows

alter table q alter column s type text using wrapped(s);
--> no rows

select id, s from q where id = 3;
--> {"id":3,"s":"<90>"}

select oidvectortypes(proargtypes) as t from pg_proc where proname in ('safe_int', 'with_option') order by proname;
--> {"t":"text"}
--> {"t":""}

select trim(both from '==a==', '=') as t, trim(leading '=' from '==a==') as l;
--> {"t":"a","l":"a=="}

create table ra (id int, b int);
--> no rows

create table rb (id int);
--> no rows

alter table ra enable row level security;
--> no rows

alter table rb enable row level security;
--> no rows

create policy ai on ra for insert with check (exists (select 1 from rb where rb.id = ra.b));
--> no rows

create policy bs on rb for select using (exists (select 1 from ra where ra.b = rb.id) or id = 1);
--> no rows

create policy as1 on ra for select using (id = 1);
--> no rows

create role insider;
--> no rows

grant all on ra, rb to insider;
--> no rows

insert into rb values (1);
--> no rows

set role insider; insert into ra values (1, 1);
--> no rows

set role insider; select * from ra;
--> {"id":1,"b":1}

set role insider; select * from rb;
--> {"id":1}

create policy as2 on ra for select using (exists (select 1 from rb where rb.id = ra.b));
--> no rows

set role insider; select * from ra;
--> ERROR 42P17: infinite recursion detected in policy for relation "ra"

create function some_of(c int default null, o int default null) returns setof int language plpgsql as $$ begin return query select id from dup2 order by id limit c offset o; end $$;
--> no rows

create table dup2 (id int);
--> no rows

insert into dup2 select generate_series(1, 5);
--> no rows

select * from some_of();
--> {"some_of":1}
--> {"some_of":2}
--> {"some_of":3}
--> {"some_of":4}
--> {"some_of":5}

select * from some_of(2, 1);
--> {"some_of":2}
--> {"some_of":3}

select id from dup2 order by id limit (select null::int) offset (select 3);
--> {"id":4}
--> {"id":5}

create function page(p jsonb) returns setof int language sql as $$ select id from dup2 order by id limit (p ->> 'limit')::int offset coalesce((p ->> 'offset')::int, 0) $$;
--> no rows

select * from page('{}') limit 2;
--> {"page":1}
--> {"page":2}

select * from page('{"limit":1,"offset":2}');
--> {"page":3}

select * from page('{"limit":-1}');
--> ERROR 2201W: LIMIT must not be negative

create table deep (id int, n int, d int);
--> no rows

create function once() returns trigger language plpgsql as $$ begin new.d := pg_trigger_depth(); if pg_trigger_depth() < 2 then insert into deep values (new.id + 100, 0); end if; return new; end $$;
--> no rows

create trigger once before insert on deep for each row when (pg_trigger_depth() < 5) execute function once();
--> no rows

insert into deep values (1, 1);
--> no rows

select id, d from deep order by id;
--> {"id":1,"d":1}
--> {"id":101,"d":2}

select pg_trigger_depth() as d;
--> {"d":0}

create table outer_only (id int, n int default 0);
--> no rows

create function bump() returns trigger language plpgsql as $$ begin update outer_only set n = n + 1 where id = new.id; return null; end $$;
--> no rows

create trigger bump after update on outer_only for each row when (pg_trigger_depth() = 0) execute function bump();
--> no rows

insert into outer_only values (1);
--> no rows

update outer_only set n = 10;
--> no rows

select * from outer_only;
--> {"id":1,"n":11}

select encode(set_bit(set_bit(overlay(uuid_send('11111111-2222-4333-8444-555555555555') placing substring(int8send(1700000000123) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid as v7;
--> {"v7":"018bcfe5-687b-7333-8444-555555555555"}

select set_byte('\x0102'::bytea, 1, 255) as s, get_byte('\x0102'::bytea, 0) as g, get_bit('\x02'::bytea, 1) as b, set_bit('\x00'::bytea, 7, 1) as t, substring('\x010203'::bytea from 2) as u, substring('\x010203'::bytea from 0 for 2) as v, overlay('\x01020304'::bytea placing '\xff'::bytea from 2) as o, position('\x02'::bytea in '\x0102'::bytea) as p;
--> {"s":{"type":"Buffer","data":[1,255]},"g":1,"b":1,"t":{"type":"Buffer","data":[128]},"u":{"type":"Buffer","data":[2,3]},"v":{"type":"Buffer","data":[1]},"o":{"type":"Buffer","data":[1,255,3,4]},"p":2}

select get_byte('\x0102'::bytea, 2);
--> ERROR 2202E: index 2 out of valid range, 0..1

select set_bit('\x00'::bytea, 8, 1);
--> ERROR 2202E: index 8 out of valid range, 0..7

select int4send(258) as i, int2send(1::int2) as s, float8send(1.5) as f, btrim('\x000102000000'::bytea, '\x00'::bytea) as t;
--> {"i":{"type":"Buffer","data":[0,0,1,2]},"s":{"type":"Buffer","data":[0,1]},"f":{"type":"Buffer","data":[63,248,0,0,0,0,0,0]},"t":{"type":"Buffer","data":[1,2]}}

select array_to_json(array_agg(x)) as a, to_jsonb(array_agg(x)) as b from (select 1 as a, 'x' as b) x;
--> {"a":[{"a":1,"b":"x"}],"b":[{"a":1,"b":"x"}]}

create function nothing() returns void language sql as $$ select set_config('app.x', '4', true) $$;
--> no rows

select nothing() is null as n, nothing()::text as t;
--> {"n":true,"t":null}

select * from nothing();
--> {"nothing":null}

create function upper_of(x text) returns text language sql immutable as $$ select upper(x) $$;
--> no rows

create table named_by (id int, s text);
--> no rows

create unique index on named_by (id, upper_of(s));
--> no rows

insert into named_by values (1, 'q') on conflict (id, upper_of(s)) do update set s = 'r' returning *;
--> {"id":1,"s":"q"}

insert into named_by values (1, 'Q') on conflict (id, upper_of(s)) do update set s = 'r' returning *;
--> {"id":1,"s":"r"}

create table s1 (id int primary key, tags text[]);
--> no rows

insert into s1 values (1, '{b,a}'), (2, '{c}');
--> no rows

select unnest(tags) as t from s1 order by unnest(tags);
--> {"t":"a"}
--> {"t":"b"}
--> {"t":"c"}

select unnest(tags) as t, count(*) from s1 group by unnest(tags) order by 1;
--> {"t":"a","count":1}
--> {"t":"b","count":1}
--> {"t":"c","count":1}

select id, unnest(tags) from s1 order by 2 desc;
--> {"id":2,"unnest":"c"}
--> {"id":1,"unnest":"b"}
--> {"id":1,"unnest":"a"}

create table secured (id int, o text);
--> no rows

insert into secured values (1, 'a'), (2, 'b');
--> no rows

alter table secured enable row level security;
--> no rows

create policy p on secured for select using (o = 'a');
--> no rows

create view v_invoker with ("security_invoker"='true') as select * from secured;
--> no rows

create view v_owner as select * from secured;
--> no rows

grant select on v_invoker, v_owner, secured to insider;
--> no rows

set role insider; select count(*) as n from v_invoker;
--> {"n":1}

set role insider; select count(*) as n from v_owner;
--> {"n":2}

select reloptions from pg_class where relname = 'v_invoker';
--> {"reloptions":["security_invoker=true"]}

alter view v_owner set ("security_invoker"='on', security_barrier = true);
--> no rows

set role insider; select count(*) as n from v_owner;
--> {"n":1}

alter view v_owner reset (security_invoker);
--> no rows

set role insider; select count(*) as n from v_owner;
--> {"n":2}

create function can(a int, u int) returns boolean language plpgsql as $$ begin if u = 1 then raise exception 'self'; end if; return true; end $$;
--> no rows

create table member (u int, a int);
--> no rows

insert into member values (1, 1), (2, 1);
--> no rows

select u from member where u = (select 1) or can(a, u) order by u;
--> {"u":1}
--> {"u":2}

select u from member where exists (select 1 from secured where id = u and id = 1) or 10 / (u - 1) > 1 order by u;
--> {"u":1}
--> {"u":2}

select u in (select 1) or can(a, u) as c from member order by u;
--> {"c":true}
--> {"c":true}

update member set a = safe_int('x') where u = 1 returning a;
--> {"a":null}

update member set a = coalesce(safe_int('x'), (select safe_int('7'))) where u = 2 returning a;
--> {"a":7}

delete from member where safe_int('x') is null and u = 1 returning u;
--> {"u":1}

select pg_catalog.substr('abc', 1, 1) as a, 'x' || pg_catalog.substring('abc', 2, 1) as b, pg_catalog.floor(1.5) as f, pg_catalog.ceil(1.5) as c, pg_catalog.ceiling(1.2) as d, pg_catalog.mod(5, 3) as m;
--> {"a":"a","b":"xb","f":"1","c":"2","d":"2","m":2}

select pg_catalog.trim('  b ');
--> ERROR 42883: function pg_catalog.trim(unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function short_id(n int) returns text language plpgsql set search_path = '' as $$ declare result text := ''; begin for i in 0..(n - 1) loop result := result || pg_catalog.substr('abcdef', (i % 6) + 1, 1); end loop; return result; end $$;
--> no rows

select public.short_id(8) as s;
--> {"s":"abcdefab"}
