-- Arrays of a domain's values in functions, operators and choices; functions of arrays given other values

create type pair as (n int, t text);
create domain whole as int check (value > -100);
create domain brief as text check (length(value) < 200);
create domain days as date;
create table t0 (id int primary key, c0 whole, c1 brief, c2 text[], d days, r int4range, big bigint, p pair);
insert into t0 values (1, 5, 'a', '{a,b}', '2024-01-01', '[1,5)', 7, '(1,a)'), (2, null, 'b', '{}', null, null, 1, null);
--> no rows

select array_agg(c0) from t0;
--> {"array_agg":"{5,NULL}"}

select array_agg(c1 order by c1) as x, array_agg(distinct c0) as y, pg_typeof(array_agg(c1)) from t0;
--> {"x":"{a,b}","y":"{5,NULL}","pg_typeof":"brief[]"}

select array_fill(c0, array[2]), array_fill(c1, array[2,2]), pg_typeof(array_fill(c0, array[2])) from t0;
--> {"array_fill":"{{a,a},{a,a}}","pg_typeof":"whole[]"}
--> {"array_fill":"{{b,b},{b,b}}","pg_typeof":"whole[]"}

select array[c0, c0], array[c0, 1], pg_typeof(array[c0]), pg_typeof(array[c0, 1]), array[c1, 'x'], array[c1, null], pg_typeof(array[c1,'x']) from t0;
--> {"array":["a",null],"pg_typeof":"text[]"}
--> {"array":["b",null],"pg_typeof":"text[]"}

select array(select c0 from t0 order by 1), pg_typeof(array(select c0 from t0));
--> {"array":"{5,NULL}","pg_typeof":"whole[]"}

select array_append(c2, c1) from t0;
--> {"array_append":["a","b","a"]}
--> {"array_append":["b"]}

select array_append(array[c0], c0), pg_typeof(array_append(array[c0], c0)) from t0;
--> {"array_append":"{5,5}","pg_typeof":"whole[]"}
--> {"array_append":"{NULL,NULL}","pg_typeof":"whole[]"}

select array[c0] || c0, pg_typeof(array[c0] || c0) from t0;
--> {"?column?":"{5,5}","pg_typeof":"whole[]"}
--> {"?column?":"{NULL,NULL}","pg_typeof":"whole[]"}

select array[c0] || 1, pg_typeof(array[c0] || 1) from t0;
--> {"?column?":[5,1],"pg_typeof":"integer[]"}
--> {"?column?":[null,1],"pg_typeof":"integer[]"}

select array[c0] || array[1] from t0;
--> {"?column?":[5,1]}
--> {"?column?":[null,1]}

select array[c1] || 'x', pg_typeof(array[c1] || 'x') from t0;
--> ERROR 22P02: malformed array literal: "x"
--> DETAIL: Array value must start with "{" or dimension information.
--> AT 21

select c2 && array[c1] from t0;
--> ERROR 42883: operator does not exist: text[] && brief[]
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 11

select c2 @> array[c1] from t0;
--> ERROR 42883: operator does not exist: text[] @> brief[]
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 11

select c2 = array[c1] from t0;
--> ERROR 42883: operator does not exist: text[] = brief[]
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 11

select c2 < array[c1] from t0;
--> ERROR 42883: operator does not exist: text[] < brief[]
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 11

select array[c1] = array[c1], array[c0] && array[c0], array[c0] < array[c0] from t0;
--> {"?column?":false}
--> {"?column?":false}

select array[c1] = '{a}', array[c0] = '{1}' from t0;
--> {"?column?":false}
--> {"?column?":false}

select array[c0] = array[1] from t0;
--> ERROR 42883: operator does not exist: whole[] = integer[]
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 18

select array[c0] = array[1]::whole[] from t0;
--> {"?column?":false}
--> {"?column?":false}

select c2 || array[c1] from t0;
--> {"?column?":["a","b","a"]}
--> {"?column?":["b"]}

select c2 || c1 from t0;
--> {"?column?":["a","b","a"]}
--> {"?column?":["b"]}

select c1 = any(c2), 'a' = any (array[c1]), c1 = any (array[c1]), c0 = any(array[c0]), 5 = any(array[c0]) from t0;
--> {"?column?":true}
--> {"?column?":null}

select (array[c0])[1], pg_typeof((array[c0])[1]), (array[c0])[1:1], pg_typeof((array[c0])[1:1]) from t0;
--> {"array":"{5}","pg_typeof":"whole[]"}
--> {"array":"{NULL}","pg_typeof":"whole[]"}

select array_remove(array[c0], c0), array_remove(array[c0], 1), array_position(array[c0], 5) from t0;
--> {"array_remove":[5],"array_position":1}
--> {"array_remove":[null],"array_position":null}

select array_position(array[c1], 'a') from t0;
--> {"array_position":1}
--> {"array_position":null}

select array_cat(array[c0], array[c0]), array_replace(array[c0], 5, 6) from t0;
--> {"array_cat":"{5,5}","array_replace":[6]}
--> {"array_cat":"{NULL,NULL}","array_replace":[null]}

select unnest(array[c0]), pg_typeof(unnest(array[c0])) from t0;
--> {"unnest":5,"pg_typeof":"whole"}
--> {"unnest":null,"pg_typeof":"whole"}

select array[array[c0], array[c0]], pg_typeof(array[array[c0]]) from t0;
--> {"array":"{{5},{5}}","pg_typeof":"whole[]"}
--> {"array":"{{NULL},{NULL}}","pg_typeof":"whole[]"}

select array_agg(array[c0]) from t0;
--> {"array_agg":"{{5},{NULL}}"}

select array_agg(c0) over (order by id), array_agg(array[c0]) over (order by id) from t0;
--> {"array_agg":"{{5}}"}
--> {"array_agg":"{{5},{NULL}}"}

select coalesce(array[c0], array[c0]), coalesce(array[c0], '{}'), case when true then array[c0] end from t0;
--> {"coalesce":"{5}","case":"{5}"}
--> {"coalesce":"{NULL}","case":"{NULL}"}

select coalesce(array[c0], '{}'::int[]) from t0;
--> {"coalesce":"{5}"}
--> {"coalesce":"{NULL}"}

select array[c0] union select array[c0] from t0;
--> ERROR 42703: column "c0" does not exist
--> AT 14

select coalesce(c2, array[c1]) from t0;
--> {"coalesce":["a","b"]}
--> {"coalesce":[]}

select coalesce(c2, array[c1]) from t0;
--> {"coalesce":["a","b"]}
--> {"coalesce":[]}

select case when true then c2 else array[c1] end from t0;
--> {"array":"{a,b}"}
--> {"array":"{}"}

select greatest(c2, array[c1]) from t0;
--> {"greatest":["a","b"]}
--> {"greatest":["b"]}

select coalesce(array[d], array['x']) from t0;
--> ERROR 42846: COALESCE could not convert type text[] to days[]
--> AT 27

select array[array['2024-01-01'::date], array['x'::text]];
--> ERROR 42846: ARRAY could not convert type text[] to date[]
--> AT 41

select array['2024-01-01'::date, null]::text, array[null, '2024-01-01'::date];
--> {"array":[null,"2024-01-01"]}

select array[array['2024-01-01'::date, null], null];
--> ERROR 2202E: multidimensional arrays must have array expressions with matching dimensions

select array_to_string(array[c0], ','), array_to_json(array[c1]), to_jsonb(array[c0]), cardinality(array[c0]), array_length(array[c0], 1) from t0;
--> {"array_to_string":"5","array_to_json":["a"],"to_jsonb":[5],"cardinality":1,"array_length":1}
--> {"array_to_string":"","array_to_json":["b"],"to_jsonb":[null],"cardinality":1,"array_length":1}

select min(array[c0]), max(array[c1]) from t0;
--> {"min":"{5}","max":"{b}"}

select array_to_json(r) from t0;
--> ERROR 42883: function array_to_json(int4range) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select array_to_json(id) from t0;
--> ERROR 42883: function array_to_json(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select enum_first(array[1]);
--> ERROR 42883: function enum_first(integer[]) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select enum_first('{2,NULL,5}'::int[]);
--> ERROR 42883: function enum_first(integer[]) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select enum_last(1);
--> ERROR 42883: function enum_last(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select enum_range(1, 2);
--> ERROR 42883: function enum_range(integer, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select array_length(1, 1);
--> ERROR 42883: function array_length(integer, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select array_ndims('x'::text);
--> ERROR 42883: function array_ndims(text) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select cardinality(r) from t0;
--> ERROR 42883: function cardinality(int4range) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select unnest(r) from t0;
--> ERROR 42883: function unnest(int4range) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select unnest(id) from t0;
--> ERROR 42883: function unnest(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select range_merge(1, 2);
--> ERROR 42883: function range_merge(integer, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select lower(1);
--> ERROR 42883: function lower(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select upper(1), isempty(1);
--> ERROR 42883: function upper(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select isempty(c2) from t0;
--> ERROR 42883: function isempty(text[]) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select array_append(1, 2);
--> ERROR 42883: function array_append(integer, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select array_cat(1, 2);
--> ERROR 42883: function array_cat(integer, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select array_to_string(1, ',');
--> ERROR 42883: function array_to_string(integer, unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select array_position(1, 2);
--> ERROR 42883: function array_position(integer, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select array_upper(r, 1) from t0;
--> ERROR 42883: function array_upper(int4range, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select trim_array(r, 1) from t0;
--> ERROR 42883: function trim_array(int4range, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select array_dims(p) from t0;
--> ERROR 42883: function array_dims(pair) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select array_remove(r, 1) from t0;
--> ERROR 42883: function array_remove(int4range, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select array_replace(r, 1, 2) from t0;
--> ERROR 42883: function array_replace(int4range, integer, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select array_positions(id, 1) from t0;
--> ERROR 42883: function array_positions(integer, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select array_prepend(1, r) from t0;
--> ERROR 42883: function array_prepend(integer, int4range) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select generate_subscripts(r, 1) from t0;
--> ERROR 42883: function generate_subscripts(int4range, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select (a.c1).x from t0 a;
--> ERROR 42809: column notation .x applied to type brief, which is not a composite type
--> AT 9
