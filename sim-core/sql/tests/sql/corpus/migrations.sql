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

begin;
--> no rows

select inside('7');
--> {"inside":""}

select current_setting('app.tenant') as t, current_setting('search_path') as p;
--> ERROR 42704: unrecognized configuration parameter "app.tenant"

rollback;
--> no rows

create function quiet() returns text language plpgsql set app.level = 'high' as $$ begin perform set_config('app.level', 'low', true); return current_setting('app.level'); end $$;
--> no rows

set app.level = 'none';
--> no rows

select quiet();
--> {"quiet":"low"}

select current_setting('app.level') as l;
--> ERROR 42704: unrecognized configuration parameter "app.level"

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
