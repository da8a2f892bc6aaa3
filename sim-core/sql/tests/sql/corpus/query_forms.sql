-- Queries in forms that are read as others: lists of values and tables as operands, queries without targets, aliases of joins.

create table t(id int, x int, y int); insert into t values (1,1,2),(2,3,4);
--> no rows

create table e(); insert into e default values;
--> no rows

select id from t where x = any (values (1),(2));
--> {"id":1}

select id from t where x <> all (values (1),(2));
--> {"id":2}

select id from t where (x,y) = any (select 1,2);
--> {"id":1}

select id from t where (x,y) = any (values (1,2),(3,4)) order by id;
--> {"id":1}
--> {"id":2}

select id from t where (x,y) <> all (select 1,2);
--> {"id":2}

select id from t where (x,y) = any (select 1,2,3);
--> ERROR 42601: subquery has too many columns
--> AT 30

select id from t where x > some (values (1),(9));
--> {"id":2}

update t set (x,y) = (values (7,8)) where id = 1;
--> no rows

select * from t order by 1;
--> {"id":1,"x":7,"y":8}
--> {"id":2,"x":3,"y":4}

select;
--> {}

select from t;
--> {}
--> {}

select where false;
--> no rows

select exists (select), exists (select where false);
--> {"exists":false}

select exists (table t);
--> {"exists":true}

select array(table t);
--> ERROR 42601: subquery must return only one column
--> AT 8

select count(*) from (table t) q;
--> {"count":2}

select (table e) is null;
--> ERROR 42601: subquery must return only one column
--> AT 8

select x, y, count(*) from t group by distinct rollup(x,y), rollup(x) order by 1,2;
--> {"x":3,"y":4,"count":1}
--> {"x":3,"y":null,"count":1}
--> {"x":7,"y":8,"count":1}
--> {"x":7,"y":null,"count":1}
--> {"x":null,"y":null,"count":2}

select x, y, count(*) from t group by distinct x, y order by 1,2;
--> {"x":3,"y":4,"count":1}
--> {"x":7,"y":8,"count":1}

select x, count(*) from t group by all x order by 1;
--> {"x":3,"count":1}
--> {"x":7,"count":1}

select j.c1, j.c3 from (t a join t b on a.id=b.id) as j(c1,c2,c3) order by 1;
--> {"c1":1,"c3":8}
--> {"c1":2,"c3":4}

select j.* from (t a join t b using (id)) as j order by 1;
--> {"id":1,"x":7,"y":8}
--> {"id":2,"x":3,"y":4}

select j.* from (t a join t b using (id)) as j(k) order by 1;
--> {"k":1,"x":7,"y":8}
--> {"k":2,"x":3,"y":4}

create view joined as select j.k, j.q from (t a join t b using (id)) as j(k,p,q) where j.k > 1;
--> no rows

select j.x from (t a join t b using (id)) as j;
--> ERROR 42702: column reference "x" is ambiguous
--> AT 8

select j.x from (select 1 as x, 2 as x) as j;
--> ERROR 42702: column reference "x" is ambiguous
--> AT 8

select k, q from joined;
--> {"k":2,"q":4}

create view of_values as select id from t where x = any (values (1),(3));
--> no rows

select * from of_values;
--> {"id":2}

select id from t fetch first 1 rows;
--> ERROR 42601: syntax error at or near ";"
--> AT 36

select id from t order by id fetch first 1 rows only;
--> {"id":1}

select id from t order by id fetch next row only;
--> {"id":1}

insert into t value (3, 1);
--> ERROR 42601: syntax error at or near "value"
--> AT 15

insert into t (id) value (3);
--> ERROR 42601: syntax error at or near "value"
--> AT 20

create table value (value int); insert into value (value) values (1);
--> no rows

select pg_typeof();
--> ERROR 42883: function pg_typeof() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create table ser(a serial[]);
--> ERROR 0A000: array of serial is not implemented
--> AT 20

create function ceil(a text) returns text language sql as $$ select 'c' || a $$;
--> no rows

create function floor(a text) returns text language sql as $$ select 'f' || a $$;
--> no rows

select ceil('x'::text), public.floor('y'::text), ceil(1.5), floor(1.5::float8), ceiling(2.1), pg_catalog.floor(-0.5);
--> {"ceil":"2","floor":"-1","ceiling":"3"}

create view rounded as select ceil(1.5) as c, floor(y) as f, ceiling(2.1) from t;
--> no rows

select pg_get_viewdef('rounded'::regclass);
--> {"pg_get_viewdef":" SELECT ceil(1.5) AS c,\n    floor((t.y)::double precision) AS f,\n    ceiling(2.1) AS ceiling\n   FROM t;"}

create materialized view nothing as select; select count(*) from nothing;
--> {"count":1}

create table nothings as select from generate_series(1, 3); select count(*) from nothings;
--> {"count":3}

refresh materialized view nothing; select count(*) from nothing;
--> {"count":1}
