-- DISTINCT in aggregates that convert their arguments.

create table e (id int, n text, en int, v varchar(5), x numeric, j jsonb, js json);
--> no rows

insert into e values (1,'x',3,'p',1.0,'{"a":1}','{}'),(2,'w',2,'q',1,'{"a":1}','{}'),(3,'x',3,'p',2,null,null);
--> no rows

select jsonb_agg(distinct n order by n) from e;
--> {"jsonb_agg":["w","x"]}

select jsonb_agg(distinct en order by en desc) from e;
--> {"jsonb_agg":[3,2]}

select json_agg(distinct n order by n) from e;
--> {"json_agg":["w","x"]}

select json_agg(distinct n order by id) from e;
--> ERROR 42P10: in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list
--> AT 37

select json_agg(distinct n order by n, id) from e;
--> ERROR 42P10: in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list
--> AT 40

select json_object_agg(distinct n, en order by n) from e;
--> {"json_object_agg":{"w":2,"x":3}}

select string_agg(distinct v, ',' order by v) from e;
--> {"string_agg":"p,q"}

select string_agg(distinct v, ',' order by v desc), string_agg(distinct n, ',' order by n) from e;
--> {"string_agg":"w,x"}

select string_agg(distinct v::text, ',' order by v::text) from e;
--> {"string_agg":"p,q"}

select coalesce(jsonb_agg(distinct q.n order by q.n) filter (where q.n is not null), '[]') from e q;
--> {"coalesce":["w","x"]}

create view ve as select jsonb_agg(distinct n order by n) ns from e;
--> no rows

select * from ve;
--> {"ns":["w","x"]}

select pg_get_viewdef('ve');
--> {"pg_get_viewdef":" SELECT jsonb_agg(DISTINCT e.n ORDER BY e.n) AS ns\n   FROM e;"}

select json_agg(distinct n) from e;
--> {"json_agg":["w","x"]}

select json_agg(distinct jsonb_build_object('n', n)) from e;
--> {"json_agg":[{"n":"w"},{"n":"x"}]}

select json_agg(distinct to_jsonb(e)) from e;
--> {"json_agg":[{"j":null,"n":"x","v":"p","x":2,"en":3,"id":3,"js":null},{"j":{"a":1},"n":"w","v":"q","x":1,"en":2,"id":2,"js":{}},{"j":{"a":1},"n":"x","v":"p","x":1,"en":3,"id":1,"js":{}}]}

select jsonb_agg(distinct jsonb_build_object('n', n, 'e', en)) from e;
--> {"jsonb_agg":[{"e":2,"n":"w"},{"e":3,"n":"x"}]}

select json_agg(distinct json_build_object('n', n)) from e;
--> ERROR 42883: could not identify an equality operator for type json
--> AT 26

select json_agg(distinct js) from e;
--> ERROR 42883: could not identify an equality operator for type json
--> AT 26

select json_agg(distinct e) from e;
--> ERROR 42883: could not identify an equality operator for type e
--> AT 26

select jsonb_agg(distinct e) from (select id % 2 as r, n, en from e) e;
--> {"jsonb_agg":[{"n":"w","r":0,"en":2},{"n":"x","r":1,"en":3}]}

select json_agg(distinct e) from (select id % 2 as r, n, en from e) e;
--> {"json_agg":[{"r":0,"n":"w","en":2},{"r":1,"n":"x","en":3}]}

select jsonb_object_agg(distinct n, en) from e;
--> {"jsonb_object_agg":{"w":2,"x":3}}

select json_object_agg(distinct n, en) from e;
--> {"json_object_agg":{"w":2,"x":3}}

select json_object_agg(distinct n, js) from e;
--> ERROR 42883: could not identify an equality operator for type json
--> AT 36

select jsonb_object_agg(distinct en, n order by en desc) from e;
--> {"jsonb_object_agg":{"2":"w","3":"x"}}

select json_agg(distinct x), jsonb_agg(distinct x) from e;
--> {"json_agg":[1,2],"jsonb_agg":[1,2]}

select json_agg(distinct j), jsonb_agg(distinct j) from e;
--> {"json_agg":[{"a":1},null],"jsonb_agg":[{"a":1},null]}

select count(distinct js) from e;
--> ERROR 42883: could not identify an equality operator for type json
--> AT 23

select count(distinct (n, en)) from e;
--> {"count":2}

select array_agg(distinct n order by n desc), array_agg(distinct en) from e;
--> {"array_agg":[2,3]}

select array_agg(distinct n order by id) from e;
--> ERROR 42P10: in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list
--> AT 38

select sum(distinct en), avg(distinct en), count(distinct n) from e;
--> {"sum":5,"avg":"2.5000000000000000","count":2}

select n, json_agg(distinct en order by en) from e group by n order by n;
--> {"n":"w","json_agg":[2]}
--> {"n":"x","json_agg":[3]}

select jsonb_agg(distinct en > 2) from e;
--> {"jsonb_agg":[false,true]}

select jsonb_agg(distinct lower(n) order by lower(n)) from e;
--> {"jsonb_agg":["w","x"]}

select jsonb_agg(distinct date '2024-01-01' + id order by date '2024-01-01' + id desc) from e;
--> {"jsonb_agg":["2024-01-04","2024-01-03","2024-01-02"]}

select jsonb_agg(distinct null::int), json_agg(distinct array[en]) from e;
--> {"jsonb_agg":[null],"json_agg":[[2],[3]]}

select json_agg(distinct (n, en)) from e;
--> {"json_agg":[{"f1":"w","f2":2},{"f1":"x","f2":3}]}

create function names() returns jsonb language sql as $$ select jsonb_agg(distinct jsonb_build_object('id', en, 'n', n)) from e $$;
--> no rows

select names();
--> {"names":[{"n":"w","id":2},{"n":"x","id":3}]}
