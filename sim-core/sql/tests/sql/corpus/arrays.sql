-- Arrays.

select (array[10, 20, 30])[2] as a, (array[10, 20, 30])[5] as b, (array[10, 20, 30])[1:2] as c, (array[10, 20, 30])[2:] as d, (array[[1, 2], [3, 4]])[2][1] as e;
--> {"a":20,"b":null,"c":[10,20],"d":[20,30],"e":3}

select array[1, 2] || array[3] as a, array[1, 2] || 3 as b, 0 || array[1] as c, array_append(array['a'], 'b') as d, array_prepend('z', array['a']) as e, array_cat(array[1], array[2, 3]) as f, null || array[1] as g;
--> {"a":[1,2,3],"b":[1,2,3],"c":[0,1],"d":["a","b"],"e":["z","a"],"f":[1,2,3],"g":[1]}

select array[1, 2, 3] @> array[2] as a, array[2] <@ array[1, 2] as b, array[1, 2] && array[2, 3] as c, array[1, 2] && array[4] as d, array[1, 2] = array[1, 2] as e, array[1, 2] < array[1, 3] as f, '{}'::int[] <@ array[1] as g;
--> {"a":true,"b":true,"c":true,"d":false,"e":true,"f":true,"g":true}

select array_length(array[1, 2, 3], 1) as a, array_length('{}'::int[], 1) as b, cardinality(array[[1, 2], [3, 4]]) as c, array_ndims(array[[1], [2]]) as d, array_upper(array[5, 6], 1) as e, array_lower(array[5, 6], 1) as f, cardinality('{}'::text[]) as g, array_dims(array[1, 2]) as h;
--> {"a":3,"b":null,"c":4,"d":2,"e":2,"f":1,"g":0,"h":"[1:2]"}

select array_position(array['a', 'b', 'c'], 'b') as a, array_position(array['a'], 'z') as b, array_positions(array[1, 2, 1], 1) as c, array_remove(array[1, 2, 1], 1) as d, array_replace(array[1, 2, 1], 1, 9) as e, array_fill(7, array[3]) as f;
--> {"a":2,"b":null,"c":[1,3],"d":[2],"e":[9,2,9],"f":[7,7,7]}

select unnest(array['x', 'y', 'z']) as v;
--> {"v":"x"}
--> {"v":"y"}
--> {"v":"z"}

select v, i from unnest(array['x', 'y']) with ordinality as t(v, i);
--> {"v":"x","i":1}
--> {"v":"y","i":2}

select * from unnest(array[1, 2], array['a', 'b', 'c']) as t(n, s);
--> {"n":1,"s":"a"}
--> {"n":2,"s":"b"}
--> {"n":null,"s":"c"}

select 2 = any (array[1, 2]) as a, 2 <> all (array[1, 3]) as b, 5 > all (array[1, 2]) as c, 1 = any (null::int[]) as d, 'b' = any ('{a,b}') as e, 3 = any (array[1, null]) as f;
--> {"a":true,"b":true,"c":true,"d":null,"e":true,"f":null}

select array_agg(x order by x) as a, array_agg(distinct y order by y) as b from (values (3, 'p'), (1, 'q'), (2, 'p')) as t(x, y);
--> {"a":[1,2,3],"b":["p","q"]}

select array(select g * g from generate_series(1, 4) as g order by g) as squares;
--> {"squares":[1,4,9,16]}

select array_agg(g) filter (where g % 2 = 0) as even, array_agg(null::int) as nil from generate_series(1, 5) as g;
--> {"even":[2,4],"nil":[null,null,null,null,null]}

select '{1,2,3}'::int[] as a, '{"a,b",c}'::text[] as b, '{{1,2},{3,4}}'::int[] as c, '{t,f}'::bool[] as d, '{2024-01-01}'::date[] as e;
--> {"a":[1,2,3],"b":["a,b","c"],"c":[[1,2],[3,4]],"d":[true,false],"e":["2024-01-01"]}

select '{1,two}'::int[];
--> ERROR 22P02: invalid input syntax for type integer: "two"
--> AT 8

select '{1,2'::int[];
--> ERROR 22P02: malformed array literal: "{1,2"
--> DETAIL: Unexpected end of input.
--> AT 8

select array[1, 'x'];
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 17

select array[1, 2.5] as a, array[null, 1] as b, array[]::text[] as c, array['a', 'b']::varchar[] as d, array[1, 2]::text[] as e, array['1', '2']::int[] as f;
--> {"a":[1,2.5],"b":[null,1],"c":[],"d":["a","b"],"e":["1","2"],"f":[1,2]}

select array[];
--> ERROR 42P18: cannot determine type of empty array
--> HINT: Explicitly cast to the desired type, for example ARRAY[]::integer[].
--> AT 8

select array_to_json(array[1, 2]) as a, to_jsonb(array[array[1, 2], array[3, 4]]) as b, array_to_string(array[1.5, 2.0], '|') as c;
--> {"a":[1,2],"b":[[1,2],[3,4]],"c":"1.5|2.0"}

select string_to_array('1,2,3', ',')::int[] as a, cardinality(string_to_array('a b c', ' ')) as b, (string_to_array('a/b/c', '/'))[3] as c;
--> {"a":[1,2,3],"b":3,"c":"c"}

create table post (id int primary key, tags text[] not null default '{}', scores int[]);
--> no rows

insert into post values (1, '{rust,sql}', '{1,2}'), (2, array['sql'], null), (3, default, '{}') returning id, tags, scores;
--> {"id":1,"tags":["rust","sql"],"scores":[1,2]}
--> {"id":2,"tags":["sql"],"scores":null}
--> {"id":3,"tags":[],"scores":[]}

select id from post where 'sql' = any (tags) order by id;
--> {"id":1}
--> {"id":2}

select id from post where tags @> '{rust}' order by id;
--> {"id":1}

select id, array_length(tags, 1) as n, scores[1] as first from post order by id;
--> {"id":1,"n":2,"first":1}
--> {"id":2,"n":1,"first":null}
--> {"id":3,"n":null,"first":null}

select distinct unnest(tags) as tag from post order by tag;
--> {"tag":"rust"}
--> {"tag":"sql"}

select p.id, t.tag from post p cross join lateral unnest(p.tags) as t(tag) order by 1, 2;
--> {"id":1,"tag":"rust"}
--> {"id":1,"tag":"sql"}
--> {"id":2,"tag":"sql"}

update post set tags = array_append(tags, 'new') where id = 3 returning tags;
--> {"tags":["new"]}

update post set scores[2] = 9 where id = 1 returning scores;
--> {"scores":[1,9]}

select tag, count(*) as n from post, unnest(tags) as tag group by tag order by n desc, tag;
--> {"tag":"sql","n":2}
--> {"tag":"new","n":1}
--> {"tag":"rust","n":1}

select array_agg(tags) as a from post where id = 1;
--> {"a":[["rust","sql"]]}
