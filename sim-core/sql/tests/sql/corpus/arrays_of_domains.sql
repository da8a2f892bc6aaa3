-- Arrays whose elements are values of a domain are of another type than arrays of the type under it

create type mood as enum ('sad', 'ok');
create domain dm as mood;
create domain num as numeric;
create domain brief as text;
create type pair as (n int, t text);
create table t0 (id int primary key, m dm, n num, b brief, p pair);
insert into t0 values (1, 'ok', 1.0, 'x', '(1,a)'), (2, 'sad', 1.00, 'y', null);
--> no rows

select enum_first(m) from t0;
--> ERROR 42883: function enum_first(dm) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select enum_range(m, 'ok') from t0;
--> ERROR 42883: function enum_range(dm, unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select enum_range(m, 'ok'::mood) from t0;
--> ERROR 42883: function enum_range(dm, mood) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select enum_first(null);
--> ERROR 42883: function enum_first(unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select min(m), max(m) from t0;
--> ERROR 42883: function min(dm) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select min(b), pg_typeof(min(b)) from t0;
--> {"min":"x","pg_typeof":"text"}

select pg_typeof(min(n)), pg_typeof(mode() within group (order by n)), pg_typeof(percentile_disc(0.5) within group (order by n)) from t0;
--> {"pg_typeof":"num"}

select pg_typeof(first_value(n) over ()), pg_typeof(lag(n) over ()), pg_typeof(lag(n, 1, 5) over ()), pg_typeof(lag(n, 1, 5::numeric) over ()), pg_typeof(nth_value(b, 1) over ()) from t0;
--> {"pg_typeof":"brief"}
--> {"pg_typeof":"brief"}

select array_remove(array[n], 1), array_position(array[n], 1::numeric), array_replace(array[n], 1, 2), pg_typeof(array_remove(array[n], 1.00)) from t0 order by id;
--> {"array_remove":[],"array_position":1,"array_replace":[2],"pg_typeof":"numeric[]"}
--> {"array_remove":[],"array_position":1,"array_replace":[2],"pg_typeof":"numeric[]"}

select array_positions(array[n, n], 1.0), array_remove(array[n, n], n), array[n] @> array[n], array[n] && array[n] from t0 order by id;
--> {"array_positions":[1,2],"array_remove":"{}","?column?":true}
--> {"array_positions":[1,2],"array_remove":"{}","?column?":true}

select array[n] = array[1.0]::num[], array[n] < array[n], array[n] <@ array[n] from t0;
--> {"?column?":true}
--> {"?column?":true}

select array[n] @> array[1.0] from t0;
--> ERROR 42883: operator does not exist: num[] @> numeric[]
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 17

select array[m] || m, array[m] || 'ok' from t0;
--> ERROR 22P02: malformed array literal: "ok"
--> DETAIL: Array value must start with "{" or dimension information.
--> AT 35

select array[m] || 'ok'::mood, pg_typeof(array[m] || 'ok'::mood) from t0;
--> {"?column?":"{ok,ok}","pg_typeof":"mood[]"}
--> {"?column?":"{sad,ok}","pg_typeof":"mood[]"}

select string_agg(b, ','), array_agg(b), array_agg(n), json_agg(n), jsonb_agg(b), jsonb_object_agg(b, n) from t0;
--> {"string_agg":"x,y","array_agg":"{1.0,1.00}","json_agg":[1,1],"jsonb_agg":["x","y"],"jsonb_object_agg":{"x":1,"y":1}}

select x, count(*) from (select array[n] as x from t0) q group by x;
--> {"x":"{1.0}","count":2}

select array[n] as x from t0 union select array[n] from t0;
--> {"x":"{1.0}"}

select distinct array[n] as x from t0;
--> {"x":"{1.0}"}

select array[b] || array[b] as x, pg_typeof(array[b] || array[b]), pg_typeof(b || b), array_cat(array[b], array[b]) from t0;
--> {"x":"{x,x}","pg_typeof":"text","array_cat":"{x,x}"}
--> {"x":"{y,y}","pg_typeof":"text","array_cat":"{y,y}"}

select array[b] in (array[b]), array[b] between array[b] and array[b], array[b] is distinct from array[b], nullif(array[b], array[b]), nullif(array[b], '{}') from t0;
--> {"?column?":false,"nullif":"{x}"}
--> {"?column?":false,"nullif":"{y}"}

select array[b] in (array['x']) from t0;
--> ERROR 42883: operator does not exist: brief[] = text[]
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 17

select nullif(array[b], array['x']) from t0;
--> ERROR 42883: operator does not exist: brief[] = text[]
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select (case when id = 1 then array[b] else array['z'] end), pg_typeof(case when id = 1 then array[b] else array['z'] end) from t0;
--> {"array":["x"],"pg_typeof":"text[]"}
--> {"array":["z"],"pg_typeof":"text[]"}

insert into t0 (id, b) select 3, unnest(array[b]) from t0 where id = 1 returning *;
--> {"id":3,"m":null,"n":null,"b":"x","p":null}

create table t1 (a brief[], n num[]);
insert into t1 select array_agg(b), array_agg(n) from t0;
select *, a = a, a || 'x', a || b, n || 1 from t1, t0 where id = 1;
--> ERROR 22P02: malformed array literal: "x"
--> DETAIL: Array value must start with "{" or dimension information.
--> AT 119

select a = array['x'] from t1;
--> ERROR 42P01: relation "t1" does not exist
--> AT 28

select a = '{x}', a @> '{x}', a && '{x,q}' from t1;
--> ERROR 42P01: relation "t1" does not exist
--> AT 49

select a @> array['x'] from t1;
--> ERROR 42P01: relation "t1" does not exist
--> AT 29

select a @> array['x']::brief[] from t1;
--> ERROR 42P01: relation "t1" does not exist
--> AT 38

update t1 set a = array['q'], n = array[1, 2.5] returning *;
--> ERROR 42P01: relation "t1" does not exist
--> AT 8

update t1 set a = a || array['r'] returning *;
--> ERROR 42P01: relation "t1" does not exist
--> AT 8

update t1 set a = a || 'r' returning *;
--> ERROR 42P01: relation "t1" does not exist
--> AT 8

update t1 set a = array_append(a, 's') returning *, array_length(a, 1), array_to_string(a, '-');
--> ERROR 42P01: relation "t1" does not exist
--> AT 8

select * from t1, unnest(a) as u(x);
--> ERROR 42P01: relation "t1" does not exist
--> AT 15

select array_to_json(row(1)), 1;
--> ERROR 42883: function array_to_json(record) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select row_to_json(1);
--> ERROR 42883: function row_to_json(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select row_to_json(p) as x, row_to_json(t0) as y, row_to_json(row(1, 2)) as z from t0;
--> {"x":{"n":1,"t":"a"},"y":{"id":1,"m":"ok","n":1,"b":"x","p":{"n":1,"t":"a"}},"z":{"f1":1,"f2":2}}
--> {"x":null,"y":{"id":2,"m":"sad","n":1,"b":"y","p":null},"z":{"f1":1,"f2":2}}
--> {"x":null,"y":{"id":3,"m":null,"n":null,"b":"x","p":null},"z":{"f1":1,"f2":2}}

select row_to_json(array[1]);
--> ERROR 42883: function row_to_json(integer[]) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select array_to_json('x');
--> ERROR 42804: could not determine polymorphic type because input has type unknown

select array_to_json(null);
--> ERROR 42804: could not determine polymorphic type because input has type unknown

select array_to_json(array[p]), array_to_json(array_agg(t0)) from t0 group by p;
--> {"array_to_json":[{"id":2,"m":"sad","n":1,"b":"y","p":null},{"id":3,"m":null,"n":null,"b":"x","p":null}]}
--> {"array_to_json":[{"id":1,"m":"ok","n":1,"b":"x","p":{"n":1,"t":"a"}}]}

create view v as select id, x from (select 1 as id, 2 as x) a natural join (select 1::bigint as id) b; select pg_get_viewdef('v'::regclass), pg_typeof(id) from v;
--> {"pg_get_viewdef":" SELECT b.id,\n    a.x\n   FROM (( SELECT 1 AS id,\n            2 AS x) a\n     JOIN ( SELECT (1)::bigint AS id) b USING (id));","pg_typeof":"bigint"}
