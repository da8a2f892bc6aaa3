-- `EXCEPT ALL` and `INTERSECT ALL`.

create table a (x int, y text, n numeric);
--> no rows

create table b (x int, y text, n numeric);
--> no rows

insert into a values (1, 'a', 1.0), (1, 'a', 1.0), (1, 'a', 1.0), (2, null, null), (2, null, null), (3, 'c', 3);
--> no rows

insert into b values (1, 'a', 1.0), (2, null, null), (4, 'd', 4);
--> no rows

select x from a except all select x from b order by 1;
--> {"x":1}
--> {"x":1}
--> {"x":2}
--> {"x":3}

select x, y from a except all select x, y from b order by 1, 2;
--> {"x":1,"y":"a"}
--> {"x":1,"y":"a"}
--> {"x":2,"y":null}
--> {"x":3,"y":"c"}

select x, y, n from a except all select x, y, n from b order by 1, 2, 3;
--> {"x":1,"y":"a","n":"1.0"}
--> {"x":1,"y":"a","n":"1.0"}
--> {"x":2,"y":null,"n":null}
--> {"x":3,"y":"c","n":"3"}

select x from a intersect all select x from b order by 1 desc;
--> {"x":2}
--> {"x":1}

select x, n from a intersect all select x, n from a order by 1 limit 2;
--> {"x":1,"n":"1.0"}
--> {"x":1,"n":"1.0"}

select x from a union all select x from b except all select 1 order by 1;
--> {"x":1}
--> {"x":1}
--> {"x":1}
--> {"x":2}
--> {"x":2}
--> {"x":2}
--> {"x":3}
--> {"x":4}

select x from a except all (select x from b union select 1) order by 1;
--> {"x":1}
--> {"x":1}
--> {"x":2}
--> {"x":3}

(select x from a order by 1 limit 3) except all select 1;
--> {"x":1}
--> {"x":1}

select x from a except all select x from b except select 3 order by 1;
--> {"x":1}
--> {"x":2}

select x from a except select 3 except all select 2 order by 1;
--> {"x":1}

select count(*) from (select x from a except all select x from b) q;
--> {"count":4}

with q as (select x from a except all select 1) select * from q order by 1;
--> {"x":1}
--> {"x":1}
--> {"x":2}
--> {"x":2}
--> {"x":3}

create view v as select x, y from a except all select x, y from b;
--> no rows

select pg_get_viewdef('v'::regclass);
--> {"pg_get_viewdef":" SELECT a.x,\n    a.y\n   FROM a\nEXCEPT ALL\n SELECT b.x,\n    b.y\n   FROM b;"}

select * from v order by 1, 2;
--> {"x":1,"y":"a"}
--> {"x":1,"y":"a"}
--> {"x":2,"y":null}
--> {"x":3,"y":"c"}

create view v2 as select x from a intersect all select x from b union all select 9;
--> no rows

select pg_get_viewdef('v2'::regclass, true);
--> {"pg_get_viewdef":"(\n         SELECT a.x\n           FROM a\n        INTERSECT ALL\n         SELECT b.x\n           FROM b\n) UNION ALL\n SELECT 9 AS x;"}

select * from v2 order by 1;
--> {"x":1}
--> {"x":2}
--> {"x":9}

select 1 except all select 1, 2;
--> ERROR 42601: each EXCEPT query must have the same number of columns
--> AT 28

select 1 union select 1, 2;
--> ERROR 42601: each UNION query must have the same number of columns
--> AT 23

select 1 except all select 'x';
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 28

select 1::bigint except all select 2::int;
--> {"int8":1}

select array[1, 2] except all select array[1, 3];
--> {"array":[1,2]}

select date '2024-01-01' intersect all select '2024-01-01';
--> {"date":"2024-01-01"}

select x from a where x in (select x from a except all select x from b) order by 1;
--> {"x":1}
--> {"x":1}
--> {"x":1}
--> {"x":2}
--> {"x":2}
--> {"x":3}

insert into b select x, y, n from a except all select x, y, n from b;
--> no rows

select * from b order by 1, 3;
--> {"x":1,"y":"a","n":"1.0"}
--> {"x":1,"y":"a","n":"1.0"}
--> {"x":1,"y":"a","n":"1.0"}
--> {"x":2,"y":null,"n":null}
--> {"x":2,"y":null,"n":null}
--> {"x":3,"y":"c","n":"3"}
--> {"x":4,"y":"d","n":"4"}

select jsonb '{"a":1.0}' intersect all select jsonb '{"a":1}';
--> {"jsonb":{"a":1}}

create function f() returns setof int language sql as 'select x from a except all select 1';
--> no rows

select * from f() order by 1;
--> {"f":1}
--> {"f":1}
--> {"f":2}
--> {"f":2}
--> {"f":3}

do $$ declare n int; begin for n in select x from a except all select x from b order by 1 loop raise notice '%', n; end loop; end $$;
--> no rows

select 1 where exists (select 1 except all select 1);
--> no rows

select x from a except distinct select 1 order by 1;
--> {"x":2}
--> {"x":3}
