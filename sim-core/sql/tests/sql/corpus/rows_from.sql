-- ROWS FROM: functions whose rows are put side by side; forms of queries in bodies.

select * from rows from (generate_series(1,2), unnest(array['x'])) as t(n,s);
--> {"n":1,"s":"x"}
--> {"n":2,"s":null}

select * from rows from (generate_series(1,2), unnest(array['x','y','z'])) with ordinality;
--> {"generate_series":1,"unnest":"x","ordinality":1}
--> {"generate_series":2,"unnest":"y","ordinality":2}
--> {"generate_series":null,"unnest":"z","ordinality":3}

select * from rows from (generate_series(1,3));
--> {"generate_series":1}
--> {"generate_series":2}
--> {"generate_series":3}

select * from rows from (generate_series(1,3)) as q;
--> {"q":1}
--> {"q":2}
--> {"q":3}

select q from rows from (generate_series(1,3)) as q;
--> {"q":1}
--> {"q":2}
--> {"q":3}

select q from rows from (generate_series(1,2), generate_series(5,6)) as q;
--> {"q":"(1,5)"}
--> {"q":"(2,6)"}

select * from rows from (json_to_recordset('[{"a":1,"b":"x"},{"a":2,"b":"y"}]') as (a int, b text), generate_series(1,3)) as x(p,q,r) order by p;
--> {"p":1,"q":"x","r":1}
--> {"p":2,"q":"y","r":2}
--> {"p":null,"q":null,"r":3}

select * from rows from (jsonb_to_recordset('[{"color":"red","quantity":2.50},{"color":"blue","quantity":1}]') as (color text, quantity numeric)) with ordinality as x(color, quantity, ordinality) order by ordinality desc;
--> {"color":"blue","quantity":"1","ordinality":2}
--> {"color":"red","quantity":"2.50","ordinality":1}

create table doc (id int primary key, items jsonb);
--> no rows

insert into doc values (1, '[{"id":1,"n":"a"},{"id":2,"n":"b"}]'), (2, '[]'), (3, '[{"id":7}]');
--> no rows

select d.id, x.* from doc d, rows from (jsonb_to_recordset(d.items) as (id int, n text)) with ordinality as x(i, n, o) order by 1, 4;
--> {"id":1,"i":1,"n":"a","o":1}
--> {"id":1,"i":2,"n":"b","o":2}
--> {"id":3,"i":7,"n":null,"o":1}

select d.id, x.* from doc d left join lateral rows from (jsonb_to_recordset(d.items) as (id int, n text), generate_series(1, d.id)) as x(i, n, o) on true order by 1, 4;
--> {"id":1,"i":1,"n":"a","o":1}
--> {"id":1,"i":2,"n":"b","o":null}
--> {"id":2,"i":null,"n":null,"o":1}
--> {"id":2,"i":null,"n":null,"o":2}
--> {"id":3,"i":7,"n":null,"o":1}
--> {"id":3,"i":null,"n":null,"o":2}
--> {"id":3,"i":null,"n":null,"o":3}

select (select count(*)::int from rows from (jsonb_to_recordset(d.items) as ("Int" integer)) with ordinality as c0) as c from doc d order by id;
--> {"c":2}
--> {"c":0}
--> {"c":1}

create function pair(n int) returns table (a int, b text) language sql as $$ select i, 'v' || i from generate_series(1, n) i $$;
--> no rows

create function pl(n int) returns setof int language plpgsql as $$ begin for i in 1..n loop return next i * 10; end loop; end $$;
--> no rows

select * from rows from (pair(2), pl(3)) with ordinality;
--> {"a":1,"b":"v1","pl":10,"ordinality":1}
--> {"a":2,"b":"v2","pl":20,"ordinality":2}
--> {"a":null,"b":null,"pl":30,"ordinality":3}

select * from rows from (pair(2), pl(3)) with ordinality as z(q);
--> {"q":1,"b":"v1","pl":10,"ordinality":1}
--> {"q":2,"b":"v2","pl":20,"ordinality":2}
--> {"q":null,"b":null,"pl":30,"ordinality":3}

select z.* from rows from (now(), pl(0)) as z(a, b) where a is null;
--> no rows

select rows from (select 1 as rows) as t;
--> {"rows":1}

select 1, rows from (select 1 as rows) as t;
--> {"?column?":1,"rows":1}

create view rv as select * from rows from (generate_series(1,2), unnest(array['x'])) with ordinality as t(n,s,o);
--> no rows

select * from rv;
--> {"n":1,"s":"x","o":1}
--> {"n":2,"s":null,"o":2}

select pg_get_viewdef('rv'::regclass);
--> {"pg_get_viewdef":" SELECT t.n,\n    t.s,\n    t.o\n   FROM ROWS FROM(generate_series(1, 2), unnest(ARRAY['x'::text])) WITH ORDINALITY t(n, s, o);"}

select * from rows from (unnest(array[1,2], array['a','b','c']), pair(1)) as t;
--> {"unnest":"a","a":1,"b":"v1"}
--> {"unnest":"b","a":null,"b":null}
--> {"unnest":"c","a":null,"b":null}

select * from rows from (nosuch(1)) as t;
--> ERROR 42883: function nosuch(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 26

select * from rows from (jsonb_to_recordset('[]')) as t;
--> ERROR 42601: a column definition list is required for functions returning "record"
--> AT 26

select * from rows from (jsonb_to_recordset('[]')) as t(a int);
--> no rows

select * from rows from (generate_series(1,2) as g) as t;
--> ERROR 42601: syntax error at or near "g"
--> AT 50

select sum(n) from rows from (pl(4)) as t(n) join rows from (pl(2)) as u(m) on n = m;
--> {"sum":30}

do $$ declare r record; begin for r in select * from rows from (pair(2)) with ordinality as t(x, y, z) loop raise notice '%', r; end loop; end $$;
--> no rows

select * from rows from (jsonb_each('{"a":1,"b":2}'), jsonb_object_keys('{"c":1}')) as t;
--> {"key":"a","value":1,"jsonb_object_keys":"c"}
--> {"key":"b","value":2,"jsonb_object_keys":null}

insert into doc select * from rows from (generate_series(10,11), jsonb_array_elements('[1,2]'));
--> no rows

select * from doc order by id;
--> {"id":1,"items":[{"n":"a","id":1},{"n":"b","id":2}]}
--> {"id":2,"items":[]}
--> {"id":3,"items":[{"id":7}]}
--> {"id":10,"items":1}
--> {"id":11,"items":2}

select * from rows from (decode('00ff','hex'), generate_series(1,2));
--> {"decode":{"type":"Buffer","data":[0,255]},"generate_series":1}
--> {"decode":null,"generate_series":2}

do $$ declare r record; begin for r in select * from rows from (generate_series(1,2)) as t(x) loop raise notice '%', r; end loop; end $$;
--> no rows

do $$ declare r record; begin for r in select x from rows from (generate_series(1,2)) with ordinality as t(x,y) loop raise notice '%', r; end loop; end $$;
--> no rows

do $$ declare r int; begin select sum(x) into r from rows from (generate_series(1,2)) as t(x); raise notice '%', r; perform * from rows from (now()) as t; end $$;
--> no rows

create view rv2 as select d.id, x.i from doc d, rows from (jsonb_to_recordset(d.items) as (i int, n text)) with ordinality as x(i, n, o);
--> no rows

create view rv3 as select * from rows from (unnest(array[1,2]), unnest(array['a'])) as u(p, q);
--> no rows

select pg_get_viewdef('rv3'::regclass);
--> {"pg_get_viewdef":" SELECT u.p,\n    u.q\n   FROM UNNEST(ARRAY[1, 2], ARRAY['a'::text]) u(p, q);"}

create view rv4 as select * from rows from (jsonb_to_recordset('[]') as (i int, n text)) as u;
--> no rows

do $$ declare r int; begin select count(*) into r from doc where id = any (values (1), (2)); raise notice '%', r; end $$;
--> no rows

do $$ declare r record; begin for r in select count(*) from (table doc) q loop raise notice '%', r.count; end loop; end $$;
--> no rows
