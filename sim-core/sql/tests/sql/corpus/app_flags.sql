-- Feature flags and settings: rules in JSON, rollout by hash, versions and an activity feed.

create table environment (key text primary key check (key ~ '^[a-z]+$'), position int);
--> no rows

create table flag (key text primary key, description text, kind text not null default 'boolean' check (kind in ('boolean', 'string', 'json')), archived_at timestamptz);
--> no rows

create table flag_state (flag text references flag on delete cascade on update cascade, env text references environment on delete cascade, enabled boolean not null default false, value jsonb, rules jsonb not null default '[]' check (jsonb_typeof(rules) = 'array'), version int not null default 1, primary key (flag, env));
--> no rows

create table activity (id int generated always as identity primary key, flag text, env text, action text not null, before jsonb, after jsonb);
--> no rows

insert into environment values ('dev', 1), ('prod', 2);
--> no rows

insert into environment values ('Bad Key', 3);
--> ERROR 23514: new row for relation "environment" violates check constraint "environment_key_check"
--> DETAIL: Failing row contains (Bad Key, 3).

create function add_states() returns trigger language plpgsql as $$ begin insert into flag_state (flag, env) select new.key, key from environment; return new; end $$; create trigger flag_states after insert on flag for each row execute function add_states();
--> no rows

create function bump() returns trigger language plpgsql as $$ begin if row(new.enabled, new.value, new.rules) is not distinct from row(old.enabled, old.value, old.rules) then return new; end if; new.version := old.version + 1; return new; end $$; create trigger flag_bump before update on flag_state for each row execute function bump();
--> no rows

create function record() returns trigger language plpgsql as $$ begin insert into activity (flag, env, action, before, after) values (coalesce(new.flag, old.flag), coalesce(new.env, old.env), lower(tg_op), to_jsonb(old) - 'flag' - 'env', to_jsonb(new) - 'flag' - 'env'); return null; end $$; create trigger flag_record after insert or update or delete on flag_state for each row execute function record();
--> no rows

insert into flag (key, kind) values ('new-ui', 'boolean'), ('limits', 'json') returning key;
--> {"key":"new-ui"}
--> {"key":"limits"}

select flag, env, version from flag_state order by 1, 2;
--> {"flag":"limits","env":"dev","version":1}
--> {"flag":"limits","env":"prod","version":1}
--> {"flag":"new-ui","env":"dev","version":1}
--> {"flag":"new-ui","env":"prod","version":1}

update flag_state set enabled = true where flag = 'new-ui' and env = 'dev' returning version;
--> {"version":2}

update flag_state set enabled = true where flag = 'new-ui' and env = 'dev' returning version;
--> {"version":2}

update flag_state set value = '{"rps": 10}', rules = '[{"if":{"country":["de","at"]},"value":{"rps":5}},{"if":{"plan":["pro"]},"value":{"rps":50}}]' where flag = 'limits' returning env, version;
--> {"env":"dev","version":2}
--> {"env":"prod","version":2}

update flag_state set rules = '{}' where flag = 'limits';
--> ERROR 23514: new row for relation "flag_state" violates check constraint "flag_state_rules_check"
--> DETAIL: Failing row contains (limits, dev, f, {"rps": 10}, {}, 3).

create function bucket(unit text, salt text) returns int language sql immutable strict as $$ select ('x' || substr(md5(salt || ':' || unit), 1, 7))::bit(28)::int % 100 $$;
--> no rows

create function matches(condition jsonb, context jsonb) returns boolean language sql immutable as $$ select coalesce(bool_and(c.value @> (context -> c.key)), true) from jsonb_each(condition) as c $$;
--> no rows

select matches('{"country":["de","at"]}', '{"country":"de","plan":"free"}') as a, matches('{"country":["de"]}', '{"country":"fr"}') as b, matches('{}', '{}') as c, matches('{"plan":["pro"]}', '{}') as d;
--> {"a":true,"b":false,"c":true,"d":true}

create function evaluate(f text, e text, context jsonb default '{}') returns jsonb language plpgsql stable as $$
declare s flag_state; rule jsonb;
begin
  select * into s from flag_state where flag = f and env = e;
  if not found then raise exception 'unknown flag "%" in "%"', f, e using errcode = 'P0404'; end if;
  if not s.enabled and s.value is null then return to_jsonb(false); end if;
  for rule in select * from jsonb_array_elements(s.rules) loop
    if matches(rule -> 'if', context) then return rule -> 'value'; end if;
  end loop;
  return coalesce(s.value, to_jsonb(s.enabled));
end $$;
--> no rows

select evaluate('new-ui', 'dev') as dev, evaluate('new-ui', 'prod') as prod, evaluate('limits', 'prod', '{"country":"at"}') as at, evaluate('limits', 'prod', '{"country":"us","plan":"pro"}') as pro, evaluate('limits', 'prod', '{"country":"us","plan":"free"}') as other;
--> {"dev":true,"prod":false,"at":{"rps":5},"pro":{"rps":50},"other":{"rps":10}}

select evaluate('nope', 'dev');
--> ERROR P0404: unknown flag "nope" in "dev"

select f.key, jsonb_object_agg(s.env, evaluate(f.key, s.env) order by s.env) as states from flag f join flag_state s on s.flag = f.key group by f.key order by f.key;
--> {"key":"limits","states":{"dev":{"rps":5},"prod":{"rps":5}}}
--> {"key":"new-ui","states":{"dev":true,"prod":false}}

select id, flag, env, action, before ->> 'version' as v from activity order by id;
--> {"id":1,"flag":"new-ui","env":"dev","action":"insert","v":null}
--> {"id":2,"flag":"new-ui","env":"prod","action":"insert","v":null}
--> {"id":3,"flag":"limits","env":"dev","action":"insert","v":null}
--> {"id":4,"flag":"limits","env":"prod","action":"insert","v":null}
--> {"id":5,"flag":"new-ui","env":"dev","action":"update","v":"1"}
--> {"id":6,"flag":"new-ui","env":"dev","action":"update","v":"2"}
--> {"id":7,"flag":"limits","env":"dev","action":"update","v":"1"}
--> {"id":8,"flag":"limits","env":"prod","action":"update","v":"1"}

select key, before -> key as was, after -> key as became from activity, lateral jsonb_object_keys(after) as k(key) where action = 'update' and before -> key is distinct from after -> key order by id, key;
--> {"key":"enabled","was":false,"became":true}
--> {"key":"version","was":1,"became":2}
--> {"key":"rules","was":[],"became":[{"if":{"country":["de","at"]},"value":{"rps":5}},{"if":{"plan":["pro"]},"value":{"rps":50}}]}
--> {"key":"value","was":null,"became":{"rps":10}}
--> {"key":"version","was":1,"became":2}
--> {"key":"rules","was":[],"became":[{"if":{"country":["de","at"]},"value":{"rps":5}},{"if":{"plan":["pro"]},"value":{"rps":50}}]}
--> {"key":"value","was":null,"became":{"rps":10}}
--> {"key":"version","was":1,"became":2}

update flag set key = 'new-interface' where key = 'new-ui';
--> no rows

select flag, env, version from flag_state where flag like 'new%' order by env;
--> {"flag":"new-interface","env":"dev","version":2}
--> {"flag":"new-interface","env":"prod","version":1}

insert into flag values ('new-interface');
--> ERROR 23505: duplicate key value violates unique constraint "flag_pkey"
--> DETAIL: Key (key)=(new-interface) already exists.

insert into flag (key, kind) values ('x', 'number');
--> ERROR 23514: new row for relation "flag" violates check constraint "flag_kind_check"
--> DETAIL: Failing row contains (x, null, number, null).

insert into flag (key) values ('beta') on conflict (key) do update set description = 'again' returning key, description;
--> {"key":"beta","description":null}

insert into flag (key) values ('beta') on conflict (key) do update set description = coalesce(flag.description, '') || 'again' returning description;
--> {"description":"again"}

create view live as select f.key, s.env, s.enabled, jsonb_array_length(s.rules) as rules from flag f join flag_state s on s.flag = f.key where f.archived_at is null;
--> no rows

select * from live where enabled or rules > 0 order by key, env;
--> {"key":"limits","env":"dev","enabled":false,"rules":2}
--> {"key":"limits","env":"prod","enabled":false,"rules":2}
--> {"key":"new-interface","env":"dev","enabled":true,"rules":0}

update flag set archived_at = now() where key = 'beta'; select count(*) from live;
--> {"count":4}

create table preset (name text primary key, states jsonb not null); insert into preset values ('all-on', '{"new-interface":true,"limits":true}');
--> no rows

update flag_state s set enabled = (p.states ->> s.flag)::boolean from preset p where p.name = 'all-on' and s.env = 'prod' and p.states ? s.flag returning s.flag, s.enabled, s.version;
--> {"flag":"limits","enabled":true,"version":3}
--> {"flag":"new-interface","enabled":true,"version":2}

merge into flag_state s using (select key as flag, 'dev' as env from flag) f on s.flag = f.flag and s.env = f.env when matched and s.enabled = false then update set enabled = true when not matched then insert (flag, env, enabled) values (f.flag, f.env, true);
--> no rows

select flag, enabled, version from flag_state where env = 'dev' order by flag;
--> {"flag":"beta","enabled":true,"version":2}
--> {"flag":"limits","enabled":true,"version":3}
--> {"flag":"new-interface","enabled":true,"version":2}

select rules #> '{0,if,country}' as countries, rules #>> '{1,value,rps}' as rps, rules -> -1 -> 'if' as last from flag_state where flag = 'limits' and env = 'dev';
--> {"countries":["de","at"],"rps":"50","last":{"plan":["pro"]}}

update flag_state set rules = rules - 0 where flag = 'limits' and env = 'dev' returning jsonb_array_length(rules) as n;
--> {"n":1}

update flag_state set rules = jsonb_insert(rules, '{0}', '{"if":{"beta":[true]},"value":1}') where flag = 'limits' and env = 'dev' returning rules -> 0 as first;
--> {"first":{"if":{"beta":[true]},"value":1}}

select jsonb_path_query_array(rules, '$[*].if.keyvalue().key') as keys from flag_state where flag = 'limits' order by env;
--> {"keys":["beta","plan"]}
--> {"keys":["country","plan"]}

delete from environment where key = 'prod';
--> no rows

select action, count(*) from activity group by action order by action;
--> {"action":"delete","count":3}
--> {"action":"insert","count":6}
--> {"action":"update","count":12}

delete from flag; select (select count(*) from flag_state) as states, (select count(*) from activity where action = 'delete') as deletes;
--> {"states":0,"deletes":6}
