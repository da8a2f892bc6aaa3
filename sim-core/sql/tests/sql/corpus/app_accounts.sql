create type st as enum ('new', 'paid', 'sent'); create type addr as (street text, zip text); create table acc (id uuid primary key default gen_random_uuid(), email text unique, st st default 'new', home addr, prefs jsonb default '{"a":{"b":1}}', hist st[] default '{new}', valid daterange default daterange('2024-01-01', null)); insert into acc (id, email, st, home, hist) values ('00000000-0000-0000-0000-000000000001', 'a@x', 'paid', row('s', '1'), '{new,paid}'), ('00000000-0000-0000-0000-000000000002', 'b@x', 'new', null, '{new}'), ('00000000-0000-0000-0000-000000000003', 'c@x', 'sent', row('s', null), '{new,paid,sent}');
--> no rows

select st, count(*), array_agg(email order by email), max(st), min(st), bool_and(st > 'new') from acc group by st order by st desc;
--> {"st":"sent","count":1,"array_agg":["c@x"],"max":"sent","min":"sent","bool_and":true}
--> {"st":"paid","count":1,"array_agg":["a@x"],"max":"paid","min":"paid","bool_and":true}
--> {"st":"new","count":1,"array_agg":["b@x"],"max":"new","min":"new","bool_and":false}

select email, hist[array_length(hist, 1)], 'paid' = any(hist), hist @> '{sent}', array_position(hist, 'paid'), hist || 'sent'::st, array_remove(hist, 'new'), hist < '{new,sent}', hist && '{sent,paid}' from acc order by hist desc;
--> {"email":"c@x","hist":"sent","?column?":true,"array_position":2,"array_remove":"{paid,sent}"}
--> {"email":"a@x","hist":"paid","?column?":true,"array_position":2,"array_remove":"{paid}"}
--> {"email":"b@x","hist":"new","?column?":false,"array_position":null,"array_remove":"{}"}

select unnest(enum_range(null::st)) as s, enum_first(null::st), (select count(*) from acc where st = s.s) from unnest(enum_range(null::st)) s(s) order by 1;
--> {"s":"new","enum_first":"new","count":1}
--> {"s":"new","enum_first":"new","count":1}
--> {"s":"new","enum_first":"new","count":1}
--> {"s":"paid","enum_first":"new","count":1}
--> {"s":"paid","enum_first":"new","count":1}
--> {"s":"paid","enum_first":"new","count":1}
--> {"s":"sent","enum_first":"new","count":1}
--> {"s":"sent","enum_first":"new","count":1}
--> {"s":"sent","enum_first":"new","count":1}

select max(hist), min(hist) from acc;
--> {"max":"{new,paid,sent}","min":"{new}"}

select (home).zip, count(*) from acc group by (home).zip order by 1 nulls first;
--> {"zip":null,"count":2}
--> {"zip":"1","count":1}

select home, count(*) from acc group by home order by home nulls first;
--> {"home":null,"count":1}
--> {"home":"(s,1)","count":1}
--> {"home":"(s,)","count":1}

update acc set home.zip = coalesce((home).zip, 'none'), hist = array_append(hist, st), prefs = jsonb_set(prefs, '{a,b}', (coalesce((prefs #>> '{a,b}')::int, 0) + 1)::text::jsonb) where st <> 'sent' returning email, home, hist, prefs;
--> {"email":"a@x","home":"(s,1)","hist":"{new,paid,paid}","prefs":{"a":{"b":2}}}
--> {"email":"b@x","home":"(,none)","hist":"{new,new}","prefs":{"a":{"b":2}}}

insert into acc (email, st) values ('a@x', 'sent') on conflict (email) do update set st = greatest(acc.st, excluded.st), hist = acc.hist || excluded.st, home = row(coalesce((acc.home).street, 'x'), 'up') returning email, st, hist, home;
--> {"email":"a@x","st":"sent","hist":"{new,paid,paid,sent}","home":"(s,up)"}

select email, valid @> '2024-06-01'::date, upper(valid) is null, valid * daterange('2023-01-01', '2024-02-01'), valid - daterange('2024-02-01', null) from acc order by email;
--> {"email":"a@x","?column?":"[2024-01-01,2024-02-01)"}
--> {"email":"b@x","?column?":"[2024-01-01,2024-02-01)"}
--> {"email":"c@x","?column?":"[2024-01-01,2024-02-01)"}

select jsonb_agg(to_jsonb(a) - 'id' order by email) from acc a;
--> {"jsonb_agg":[{"st":"sent","hist":["new","paid","paid","sent"],"home":{"zip":"up","street":"s"},"email":"a@x","prefs":{"a":{"b":2}},"valid":"[2024-01-01,)"},{"st":"new","hist":["new","new"],"home":{"zip":"none","street":null},"email":"b@x","prefs":{"a":{"b":2}},"valid":"[2024-01-01,)"},{"st":"sent","hist":["new","paid","sent"],"home":{"zip":null,"street":"s"},"email":"c@x","prefs":{"a":{"b":1}},"valid":"[2024-01-01,)"}]}

select jsonb_object_agg(email, jsonb_build_object('st', st, 'home', home, 'hist', hist)) from acc;
--> {"jsonb_object_agg":{"a@x":{"st":"sent","hist":["new","paid","paid","sent"],"home":{"zip":"up","street":"s"}},"b@x":{"st":"new","hist":["new","new"],"home":{"zip":"none","street":null}},"c@x":{"st":"sent","hist":["new","paid","sent"],"home":{"zip":null,"street":"s"}}}}

select row_to_json(r) from (select email, st, (select json_agg(h order by h desc) from unnest(hist) h) as hist from acc order by email) r;
--> {"row_to_json":{"email":"a@x","st":"sent","hist":["sent","paid","paid","new"]}}
--> {"row_to_json":{"email":"b@x","st":"new","hist":["new","new"]}}
--> {"row_to_json":{"email":"c@x","st":"sent","hist":["sent","paid","new"]}}

with c as (select st, count(*) n from acc group by st) select s, coalesce(n, 0) from unnest(enum_range(null::st)) s left join c on c.st = s order by s;
--> {"s":"new","coalesce":1}
--> {"s":"paid","coalesce":0}
--> {"s":"sent","coalesce":2}

select email, lag(st) over (order by st, email), rank() over (order by hist), dense_rank() over (order by home nulls first), count(*) over (partition by home) from acc order by email;
--> {"email":"a@x","lag":"new","rank":2,"dense_rank":1,"count":1}
--> {"email":"b@x","lag":null,"rank":1,"dense_rank":3,"count":1}
--> {"email":"c@x","lag":"sent","rank":3,"dense_rank":2,"count":1}

select a.email, b.email from acc a join acc b on a.home = b.home and a.email < b.email;
--> no rows

select email from acc where (st, email) > ('new', 'a@x') order by st, email limit 2;
--> {"email":"b@x"}
--> {"email":"a@x"}

select email from acc where (home).street = 's' and st in ('paid', 'sent') and hist <> '{new}' order by email;
--> {"email":"a@x"}
--> {"email":"c@x"}

select distinct on (home) home, email from acc order by home, email desc;
--> {"home":"(s,up)","email":"a@x"}
--> {"home":"(s,)","email":"c@x"}
--> {"home":"(,none)","email":"b@x"}

select array_agg(distinct home), array_agg(distinct st order by st desc), count(distinct hist) from acc;
--> {"array_agg":"{sent,new}","count":3}

create table audit (at timestamptz default now(), old acc, new acc, diff jsonb); create function aud() returns trigger language plpgsql as $$ begin insert into audit (old, new, diff) values (old, new, (select jsonb_object_agg(n.key, n.value) from jsonb_each(to_jsonb(new)) n join jsonb_each(to_jsonb(old)) o using (key) where n.value is distinct from o.value)); return new; end $$; create trigger aud after update on acc for each row when (old.* is distinct from new.*) execute function aud(); update acc set st = 'sent' where email = 'b@x'; update acc set st = 'sent' where email = 'b@x'; select (old).st, (new).st, diff, old = new, (new).hist from audit;
--> {"st":"sent","diff":{"st":"sent"},"?column?":false,"hist":"{new,new}"}

select (a.new).email, a.new is distinct from c as changed from audit a join acc c on c.id = (a.new).id;
--> {"email":"b@x","changed":false}

create table slot (room int, during tsrange, exclude using gist (room with =, during with &&)); insert into slot values (1, '[2024-01-01 10:00,2024-01-01 11:00)'), (1, '[2024-01-01 11:00,2024-01-01 12:00)'); insert into slot values (1, '[2024-01-01 10:30,2024-01-01 10:45)');
--> ERROR 42704: data type integer has no default operator class for access method "gist"
--> HINT: You must specify an operator class for the index or define a default operator class for the data type.

select room, range_agg(during), upper(range_agg(during)) - lower(range_agg(during)) from slot group by room;
--> ERROR 42P01: relation "slot" does not exist
--> AT 90

select tsrange('2024-01-01', '2024-01-02') - during from slot where lower(during) = '2024-01-01 11:00';
--> ERROR 42P01: relation "slot" does not exist
--> AT 58

select s, s + interval '30 min' from generate_series(timestamp '2024-01-01 10:00', '2024-01-01 12:00', '30 min') s where not exists (select 1 from slot where during && tsrange(s, s + interval '30 min')) order by 1;
--> ERROR 42P01: relation "slot" does not exist
--> AT 148

create table tree (id int primary key, parent int references tree, path int[], w numeric); insert into tree values (1, null, '{1}', 1), (2, 1, '{1,2}', 2.5), (3, 1, '{1,3}', 3), (10, 2, '{1,2,10}', 4); with recursive t as (select id, parent, w, array[id] as p, 1 as d from tree where parent is null union all select c.id, c.parent, c.w, t.p || c.id, d + 1 from tree c join t on c.parent = t.id) search depth first by id set o cycle id set cyc using cp select id, p, d, sum(w) over (order by o), cyc from t order by o;
--> {"id":1,"p":[1],"d":1,"sum":"1","cyc":false}
--> {"id":2,"p":[1,2],"d":2,"sum":"3.5","cyc":false}
--> {"id":10,"p":[1,2,10],"d":3,"sum":"7.5","cyc":false}
--> {"id":3,"p":[1,3],"d":2,"sum":"10.5","cyc":false}

select id, path, path[1:cardinality(path) - 1], (select sum(w) from tree x where x.path @> array[t.id]) from tree t order by path;
--> ERROR 42702: ORDER BY "path" is ambiguous
--> AT 126

select id from tree order by path desc;
--> {"id":3}
--> {"id":10}
--> {"id":2}
--> {"id":1}

select parent, array_agg(id order by w desc), (array_agg(id order by w desc))[1], sum(w) filter (where id > 2), string_agg(id::text, ',' order by id desc) from tree group by rollup (parent) order by parent nulls last;
--> {"parent":1,"array_agg":3,"sum":"3","string_agg":"3,2"}
--> {"parent":2,"array_agg":10,"sum":"4","string_agg":"10"}
--> {"parent":null,"array_agg":1,"sum":null,"string_agg":"1"}
--> {"parent":null,"array_agg":10,"sum":"7","string_agg":"10,3,2,1"}

select * from (values (1, interval '1 day'), (2, interval '24 hours'), (3, interval '25 hours')) v(i, iv) order by iv, i;
--> {"i":1,"iv":"1 day"}
--> {"i":2,"iv":"24:00:00"}
--> {"i":3,"iv":"25:00:00"}

select iv, count(*), sum(iv), avg(iv) from (values (interval '1 day'), (interval '24 hours'), (interval '25 hours')) v(iv) group by iv order by iv;
--> {"iv":"1 day","count":2,"sum":"1 day 24:00:00","avg":"24:00:00"}
--> {"iv":"25:00:00","count":1,"sum":"25:00:00","avg":"25:00:00"}

select * from (values (array[1, null]), (array[1]), (array[null]::int[]), ('{}'), (null)) v(a) order by a;
--> {"a":[]}
--> {"a":[1]}
--> {"a":[1,null]}
--> {"a":[null]}
--> {"a":null}

select '{"a":1}'::jsonb = '{"a":1.0}', '[1,2]'::jsonb < '[1,2,3]', '{}'::jsonb < '[]', jsonb '"b"' > jsonb '"a"', jsonb 'true' > jsonb 'false', jsonb '[]' < jsonb 'null', array['{"a":1}'::jsonb] = array['{"a":1.0}'::jsonb];
--> {"?column?":true}

select distinct j from (values ('{"a":1}'::jsonb), ('{"a":1.0}'), ('[1]'), ('null'), (null)) v(j) order by j;
--> {"j":null}
--> {"j":[1]}
--> {"j":{"a":1}}
--> {"j":null}
