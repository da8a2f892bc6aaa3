-- Slices of arrays of one and of several dimensions.

select (array[['a','b'],['c','d']])[1:2][2:2], (array[[1,2,3],[4,5,6],[7,8,9]])[2:3][1:2], (array[[1,2,3],[4,5,6],[7,8,9]])[:2][2:], (array[[1,2,3],[4,5,6],[7,8,9]])[1:1][2:2], (array[[1,2,3],[4,5,6]])[1:2][2], (array[[1,2,3],[4,5,6]])[2][1:2];
--> {"array":[[1,2],[4,5]]}

select (array[1,2,3])[1:2][1:1], (array[1,2,3])[2:], (array[1,2,3])[:2], (array[1,2,3])[:], (array[1,2,3])[5:6], (array[1,2,3])[3:1], (array[1,2,3])[null:2], (array[1,2,3])[2:null], (null::int[])[1:2];
--> {"array":null,"int4":null}

select (array[[1,2],[3,4]])[1:1], (array[[1,2],[3,4]])[:], (array[[1,2],[3,4]])[0:9][0:9], (array[[1,2],[3,4]])[1:2][3:4], (array[[[1,2],[3,4]],[[5,6],[7,8]]])[1:2][1:1][2:2], (array[[[1,2],[3,4]],[[5,6],[7,8]]])[2:2][2];
--> {"array":[[[5,6],[7,8]]]}

create table m (id int, g int[][], t text[]); insert into m values (1, '{{1,2,3},{4,5,6}}', '{a,b,c}'), (2, null, '{}'), (3, '[0:1][2:3]={{1,2},{3,4}}', '[5:7]={x,y,z}');
--> no rows

select id, g[1:2][2:3], g[1:][:1], g[2][1:2], g[0:0][3:3], t[1:2], t[6:], m.g[1:1][1:1], t[id:id+1] from m order by id;
--> {"id":1,"g":[[1]],"t":["a","b"]}
--> {"id":2,"g":null,"t":[]}
--> {"id":3,"g":[],"t":[]}

create function f(x int[]) returns int[] language plpgsql as $$ declare y int[]; begin y := x[1:2][2:2]; return y; end $$; select f(array[[1,2],[3,4]]), f(null);
--> {"f":null}

create function f2(x int[]) returns text language plpgsql as $$ declare r text := ''; begin for i in 1..array_length(x,1) loop r := r || (x[i:i][1:2])::text; end loop; return r; end $$; select f2(array[[1,2,3],[3,4,5]]);
--> {"f2":"{{1,2}}{{3,4}}"}

select array_dims((array[[1,2,3],[4,5,6]])[2:2][2:3]), array_dims(('[0:1][2:3]={{1,2},{3,4}}'::int[])[1:1][2:3]);
--> {"array_dims":"[1:1][1:2]"}

select (array[[1,2],[3,4]])[1:2][1:2][1:2], (array[1])[1:1][1:1][1:1][1:1][1:1][1:1][1:1];
--> ERROR 54000: number of array dimensions (7) exceeds the maximum allowed (6)

select (array['{"a":1}'::jsonb,'[1,2]'])[2:2];
--> {"array":[[1,2]]}

create view v as select g[1:2][2:2] a, t[2] b, t[:2] c from m; select * from v; select pg_get_viewdef('v'::regclass);
--> {"pg_get_viewdef":" SELECT m.g[1:2][2:2] AS a,\n    m.t[2] AS b,\n    m.t[:2] AS c\n   FROM m;"}

select unnest(g[1:2][1:1]) from m where id = 1;
--> {"unnest":1}
--> {"unnest":4}

select (string_to_array('a,b,c', ','))[2:3], (regexp_matches('abc', '(a)(b)'))[1:1], (select array[[1,2],[3,4]])[1:2][1:1];
--> {"string_to_array":["b","c"],"regexp_matches":["a"],"array":[[1],[3]]}

update m set g[1:2][1:1] = '{9,8}' where id = 1; update m set t[2:3] = '{q,r}' where id = 1; select * from m where id = 1;
--> {"id":1,"g":[[9,2,3],[8,5,6]],"t":["a","q","r"]}

create type co as (a int, b text); create table ct (id int, cs co[], js jsonb[], d date[]);
--> no rows

insert into ct values (1, array[row(1,'a')::co, row(2,'b')::co, row(3,'c')::co], array['{"a":1}'::jsonb, '[1,2]'], '{2026-01-01,2026-01-02}');
--> no rows

select cs[1:2], js[2:2], d[2:], cs[2:3][1:1] from ct;
--> {"cs":"{}","js":[[1,2]],"d":["2026-01-02"]}

select (cs[2:3])[1].b, (js[1:1])[1]->>'a' from ct;
--> {"b":"b","?column?":"1"}

select array_length((array[[1,2],[3,4]])[1:2][2:2], 1), cardinality((array[[1,2],[3,4]])[1:2][2:2]);
--> {"array_length":2,"cardinality":2}

create domain ints as int[]; create table dd (x ints); insert into dd values ('{{1,2},{3,4}}'); select x[1:1][2:2], pg_typeof(x[1:1]) from dd;
--> {"x":[[2]],"pg_typeof":"integer[]"}

select (array[[1,2],[3,4]])[1:2][2:2] = array[[2],[4]], 2 = any((array[[1,2],[3,4]])[1:2][2:2]);
--> {"?column?":true}

create function sl(a text[], i int, j int) returns text language plpgsql as $$ declare r text[]; e text; begin r := a[i:j][2:2]; foreach e in array r loop raise notice '%', e; end loop; return array_to_string(r, ','); end $$; select sl(array[['a','b'],['c','d']], 1, 2);
--> {"sl":"b,d"}

select a[1:2][2:2] from (select array_agg(array[x, x * 2]) a from generate_series(1, 3) x) s;
--> {"a":[[2],[4]]}

create table chk (a int[] check (cardinality(a[1:2][1:1]) < 3)); insert into chk values ('{{1,2},{3,4}}'); select * from chk;
--> {"a":[[1,2],[3,4]]}

select (array[[1,2],[3,4]])[1][2], (array[[1,2],[3,4]])[1], (array[[1,2],[3,4]])[1:1][2][1];
--> {"array":[]}

select (regexp_split_to_array('a b c', ' '))[2:3], (array_agg(g order by g desc))[1:2] from generate_series(1, 5) g;
--> {"regexp_split_to_array":["b","c"],"array_agg":[5,4]}

select ('{1,2,3}'::int[])['1':'2'], ('{1,2,3}'::int[])[1.4:2.6];
--> {"int4":[1,2,3]}

select (array[1,2,3])['a':2];
--> ERROR 22P02: invalid input syntax for type integer: "a"
--> AT 23
