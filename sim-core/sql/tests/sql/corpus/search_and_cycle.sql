-- SEARCH and CYCLE of recursive queries.

create table tree (id int primary key, link int, name text, at date);
--> no rows

insert into tree values (1,null,'a','2024-01-05'),(2,1,'c','2024-01-04'),(3,1,'b','2024-01-03'),(4,2,'e','2024-01-02'),(5,2,'d','2024-01-01'),(6,3,'f','2024-02-01');
--> no rows

with recursive t(id, link, name) as (select id, link, name from tree where link is null union all select c.id, c.link, c.name from tree c, t where c.link = t.id) search depth first by id set ordercol select * from t order by ordercol;
--> {"id":1,"link":null,"name":"a","ordercol":"{(1)}"}
--> {"id":2,"link":1,"name":"c","ordercol":"{(1),(2)}"}
--> {"id":4,"link":2,"name":"e","ordercol":"{(1),(2),(4)}"}
--> {"id":5,"link":2,"name":"d","ordercol":"{(1),(2),(5)}"}
--> {"id":3,"link":1,"name":"b","ordercol":"{(1),(3)}"}
--> {"id":6,"link":3,"name":"f","ordercol":"{(1),(3),(6)}"}

with recursive t(id, link, name) as (select id, link, name from tree where link is null union all select c.id, c.link, c.name from tree c join t on c.link = t.id) search breadth first by name set o select id, name, o from t order by o;
--> {"id":1,"name":"a","o":"(0,a)"}
--> {"id":3,"name":"b","o":"(1,b)"}
--> {"id":2,"name":"c","o":"(1,c)"}
--> {"id":5,"name":"d","o":"(2,d)"}
--> {"id":4,"name":"e","o":"(2,e)"}
--> {"id":6,"name":"f","o":"(2,f)"}

with recursive t as (select * from tree where link is null union all select c.* from tree c, t p where c.link = p.id) search depth first by name, id set o select id, o from t order by o;
--> {"id":1,"o":"{\"(a,1)\"}"}
--> {"id":3,"o":"{\"(a,1)\",\"(b,3)\"}"}
--> {"id":6,"o":"{\"(a,1)\",\"(b,3)\",\"(f,6)\"}"}
--> {"id":2,"o":"{\"(a,1)\",\"(c,2)\"}"}
--> {"id":5,"o":"{\"(a,1)\",\"(c,2)\",\"(d,5)\"}"}
--> {"id":4,"o":"{\"(a,1)\",\"(c,2)\",\"(e,4)\"}"}

with recursive t as (select id, link, at from tree where link is null union all select c.id, c.link, c.at from tree c, t where c.link = t.id) search breadth first by at set o select id from t order by o;
--> {"id":1}
--> {"id":3}
--> {"id":2}
--> {"id":5}
--> {"id":4}
--> {"id":6}

create table graph (f int, t int, label text);
--> no rows

insert into graph values (1,2,'1->2'),(1,3,'1->3'),(2,3,'2->3'),(1,4,'1->4'),(4,5,'4->5'),(5,1,'5->1');
--> no rows

with recursive sg(f, t, label) as (select * from graph g union all select g.* from graph g, sg where g.f = sg.t) cycle f, t set is_cycle using path select * from sg order by path;
--> {"f":1,"t":2,"label":"1->2","is_cycle":false,"path":"{\"(1,2)\"}"}
--> {"f":2,"t":3,"label":"2->3","is_cycle":false,"path":"{\"(1,2)\",\"(2,3)\"}"}
--> {"f":1,"t":3,"label":"1->3","is_cycle":false,"path":"{\"(1,3)\"}"}
--> {"f":1,"t":4,"label":"1->4","is_cycle":false,"path":"{\"(1,4)\"}"}
--> {"f":4,"t":5,"label":"4->5","is_cycle":false,"path":"{\"(1,4)\",\"(4,5)\"}"}
--> {"f":5,"t":1,"label":"5->1","is_cycle":false,"path":"{\"(1,4)\",\"(4,5)\",\"(5,1)\"}"}
--> {"f":1,"t":2,"label":"1->2","is_cycle":false,"path":"{\"(1,4)\",\"(4,5)\",\"(5,1)\",\"(1,2)\"}"}
--> {"f":2,"t":3,"label":"2->3","is_cycle":false,"path":"{\"(1,4)\",\"(4,5)\",\"(5,1)\",\"(1,2)\",\"(2,3)\"}"}
--> {"f":1,"t":3,"label":"1->3","is_cycle":false,"path":"{\"(1,4)\",\"(4,5)\",\"(5,1)\",\"(1,3)\"}"}
--> {"f":1,"t":4,"label":"1->4","is_cycle":true,"path":"{\"(1,4)\",\"(4,5)\",\"(5,1)\",\"(1,4)\"}"}
--> {"f":2,"t":3,"label":"2->3","is_cycle":false,"path":"{\"(2,3)\"}"}
--> {"f":4,"t":5,"label":"4->5","is_cycle":false,"path":"{\"(4,5)\"}"}
--> {"f":5,"t":1,"label":"5->1","is_cycle":false,"path":"{\"(4,5)\",\"(5,1)\"}"}
--> {"f":1,"t":2,"label":"1->2","is_cycle":false,"path":"{\"(4,5)\",\"(5,1)\",\"(1,2)\"}"}
--> {"f":2,"t":3,"label":"2->3","is_cycle":false,"path":"{\"(4,5)\",\"(5,1)\",\"(1,2)\",\"(2,3)\"}"}
--> {"f":1,"t":3,"label":"1->3","is_cycle":false,"path":"{\"(4,5)\",\"(5,1)\",\"(1,3)\"}"}
--> {"f":1,"t":4,"label":"1->4","is_cycle":false,"path":"{\"(4,5)\",\"(5,1)\",\"(1,4)\"}"}
--> {"f":4,"t":5,"label":"4->5","is_cycle":true,"path":"{\"(4,5)\",\"(5,1)\",\"(1,4)\",\"(4,5)\"}"}
--> {"f":5,"t":1,"label":"5->1","is_cycle":false,"path":"{\"(5,1)\"}"}
--> {"f":1,"t":2,"label":"1->2","is_cycle":false,"path":"{\"(5,1)\",\"(1,2)\"}"}
--> {"f":2,"t":3,"label":"2->3","is_cycle":false,"path":"{\"(5,1)\",\"(1,2)\",\"(2,3)\"}"}
--> {"f":1,"t":3,"label":"1->3","is_cycle":false,"path":"{\"(5,1)\",\"(1,3)\"}"}
--> {"f":1,"t":4,"label":"1->4","is_cycle":false,"path":"{\"(5,1)\",\"(1,4)\"}"}
--> {"f":4,"t":5,"label":"4->5","is_cycle":false,"path":"{\"(5,1)\",\"(1,4)\",\"(4,5)\"}"}
--> {"f":5,"t":1,"label":"5->1","is_cycle":true,"path":"{\"(5,1)\",\"(1,4)\",\"(4,5)\",\"(5,1)\"}"}

with recursive sg(f, t, label) as (select * from graph g where f = 1 union all select g.* from graph g, sg where g.f = sg.t) cycle f, t set is_cycle to 'Y' default 'N' using path select f, t, label, is_cycle, cardinality(path) as n from sg order by path;
--> {"f":1,"t":2,"label":"1->2","is_cycle":"N","n":1}
--> {"f":2,"t":3,"label":"2->3","is_cycle":"N","n":2}
--> {"f":1,"t":3,"label":"1->3","is_cycle":"N","n":1}
--> {"f":1,"t":4,"label":"1->4","is_cycle":"N","n":1}
--> {"f":4,"t":5,"label":"4->5","is_cycle":"N","n":2}
--> {"f":5,"t":1,"label":"5->1","is_cycle":"N","n":3}
--> {"f":1,"t":2,"label":"1->2","is_cycle":"N","n":4}
--> {"f":2,"t":3,"label":"2->3","is_cycle":"N","n":5}
--> {"f":1,"t":3,"label":"1->3","is_cycle":"N","n":4}
--> {"f":1,"t":4,"label":"1->4","is_cycle":"Y","n":4}

with recursive sg(f, t, label) as (select * from graph g where f = 1 union all select g.* from graph g, sg where g.f = sg.t) search depth first by f, t set seq cycle f, t set is_cycle using path select * from sg order by seq;
--> {"f":1,"t":2,"label":"1->2","seq":"{\"(1,2)\"}","is_cycle":false,"path":"{\"(1,2)\"}"}
--> {"f":2,"t":3,"label":"2->3","seq":"{\"(1,2)\",\"(2,3)\"}","is_cycle":false,"path":"{\"(1,2)\",\"(2,3)\"}"}
--> {"f":1,"t":3,"label":"1->3","seq":"{\"(1,3)\"}","is_cycle":false,"path":"{\"(1,3)\"}"}
--> {"f":1,"t":4,"label":"1->4","seq":"{\"(1,4)\"}","is_cycle":false,"path":"{\"(1,4)\"}"}
--> {"f":4,"t":5,"label":"4->5","seq":"{\"(1,4)\",\"(4,5)\"}","is_cycle":false,"path":"{\"(1,4)\",\"(4,5)\"}"}
--> {"f":5,"t":1,"label":"5->1","seq":"{\"(1,4)\",\"(4,5)\",\"(5,1)\"}","is_cycle":false,"path":"{\"(1,4)\",\"(4,5)\",\"(5,1)\"}"}
--> {"f":1,"t":2,"label":"1->2","seq":"{\"(1,4)\",\"(4,5)\",\"(5,1)\",\"(1,2)\"}","is_cycle":false,"path":"{\"(1,4)\",\"(4,5)\",\"(5,1)\",\"(1,2)\"}"}
--> {"f":2,"t":3,"label":"2->3","seq":"{\"(1,4)\",\"(4,5)\",\"(5,1)\",\"(1,2)\",\"(2,3)\"}","is_cycle":false,"path":"{\"(1,4)\",\"(4,5)\",\"(5,1)\",\"(1,2)\",\"(2,3)\"}"}
--> {"f":1,"t":3,"label":"1->3","seq":"{\"(1,4)\",\"(4,5)\",\"(5,1)\",\"(1,3)\"}","is_cycle":false,"path":"{\"(1,4)\",\"(4,5)\",\"(5,1)\",\"(1,3)\"}"}
--> {"f":1,"t":4,"label":"1->4","seq":"{\"(1,4)\",\"(4,5)\",\"(5,1)\",\"(1,4)\"}","is_cycle":true,"path":"{\"(1,4)\",\"(4,5)\",\"(5,1)\",\"(1,4)\"}"}

with recursive sg(f, t) as (select f, t from graph g where f = 1 union distinct select g.f, g.t from graph g, sg where g.f = sg.t) cycle f set is_cycle using path select * from sg where not is_cycle order by path;
--> {"f":1,"t":2,"is_cycle":false,"path":"{(1)}"}
--> {"f":1,"t":3,"is_cycle":false,"path":"{(1)}"}
--> {"f":1,"t":4,"is_cycle":false,"path":"{(1)}"}
--> {"f":2,"t":3,"is_cycle":false,"path":"{(1),(2)}"}
--> {"f":4,"t":5,"is_cycle":false,"path":"{(1),(4)}"}
--> {"f":5,"t":1,"is_cycle":false,"path":"{(1),(4),(5)}"}

with recursive x(a) as (select 1 union all select a + 1 from x where a < 5) cycle a set c using p select * from x order by a;
--> {"a":1,"c":false,"p":"{(1)}"}
--> {"a":2,"c":false,"p":"{(1),(2)}"}
--> {"a":3,"c":false,"p":"{(1),(2),(3)}"}
--> {"a":4,"c":false,"p":"{(1),(2),(3),(4)}"}
--> {"a":5,"c":false,"p":"{(1),(2),(3),(4),(5)}"}

with recursive x(a) as (select 1 union all select a % 3 + 1 from x) cycle a set c using p select * from x order by p;
--> {"a":1,"c":false,"p":"{(1)}"}
--> {"a":2,"c":false,"p":"{(1),(2)}"}
--> {"a":3,"c":false,"p":"{(1),(2),(3)}"}
--> {"a":1,"c":true,"p":"{(1),(2),(3),(1)}"}

with recursive x(a) as (select 1 union all select a + 1 from x where a < 5) search depth first by b set s select * from x;
--> ERROR 42601: search column "b" not in WITH query column list
--> AT 77

with recursive x(a) as (select 1 union all select a + 1 from x where a < 5) search depth first by a, a set s select * from x;
--> ERROR 42701: search column "a" specified more than once
--> AT 77

with recursive x(a) as (select 1 union all select a + 1 from x where a < 5) cycle b set c using p select * from x;
--> ERROR 42601: cycle column "b" not in WITH query column list
--> AT 77

with recursive x(a) as (select 1 union all select a + 1 from x where a < 5) cycle a, a set c using p select * from x;
--> ERROR 42701: cycle column "a" specified more than once
--> AT 77

with recursive x(a) as (select 1 union all select a + 1 from x where a < 5) cycle a set c using c select * from x;
--> ERROR 42601: cycle mark column name and cycle path column name are the same
--> AT 77

with recursive x(a) as (select 1 union all select a + 1 from x where a < 5) search depth first by a set s cycle a set s using p select * from x;
--> ERROR 42601: search sequence column name and cycle mark column name are the same
--> AT 77

with recursive x(a) as (select 1 union all select a + 1 from x where a < 5) search depth first by a set s cycle a set c using s select * from x;
--> ERROR 42601: search sequence column name and cycle path column name are the same
--> AT 77

with x(a) as (select 1) search depth first by a set s select * from x;
--> ERROR 42601: WITH query is not recursive
--> AT 6

with recursive x(a) as (select 1) cycle a set c using p select * from x;
--> ERROR 42601: WITH query is not recursive
--> AT 16

with recursive x(a) as (values (1) union all select a + 1 from x where a < 3) search depth first by a set s select * from x order by s;
--> {"a":1,"s":"{(1)}"}
--> {"a":2,"s":"{(1),(2)}"}
--> {"a":3,"s":"{(1),(2),(3)}"}

with recursive x(a) as (select 1 union all (select a + 1 from x where a < 3)) search depth first by a set s select * from x order by s;
--> {"a":1,"s":"{(1)}"}
--> {"a":2,"s":"{(1),(2)}"}
--> {"a":3,"s":"{(1),(2),(3)}"}

with recursive x(a) as (select 1 union all select a + 1 from (select * from x) y where a < 3) search depth first by a set s select * from x order by s;
--> ERROR 0A000: with a SEARCH or CYCLE clause, the recursive reference to WITH query "x" must be at the top level of its right-hand SELECT

with recursive x(a) as (select 1 union all select y.a + 1 from x as y where y.a < 12) search breadth first by a set s, z as (select count(*) as n from x) select a, s, n from x, z order by s;
--> {"a":1,"s":"(0,1)","n":12}
--> {"a":2,"s":"(1,2)","n":12}
--> {"a":3,"s":"(2,3)","n":12}
--> {"a":4,"s":"(3,4)","n":12}
--> {"a":5,"s":"(4,5)","n":12}
--> {"a":6,"s":"(5,6)","n":12}
--> {"a":7,"s":"(6,7)","n":12}
--> {"a":8,"s":"(7,8)","n":12}
--> {"a":9,"s":"(8,9)","n":12}
--> {"a":10,"s":"(9,10)","n":12}
--> {"a":11,"s":"(10,11)","n":12}
--> {"a":12,"s":"(11,12)","n":12}

with recursive x(a) as (select 1 union all select a + 1 from x where a < 5) cycle a set c to 1 default 0 using p select a, c from x order by a;
--> {"a":1,"c":0}
--> {"a":2,"c":0}
--> {"a":3,"c":0}
--> {"a":4,"c":0}
--> {"a":5,"c":0}

with recursive x(a, b) as (select 1, true union all select a + 1, not b from x where a < 3) search depth first by b, a set s select * from x order by s;
--> {"a":1,"b":true,"s":"{\"(t,1)\"}"}
--> {"a":2,"b":false,"s":"{\"(t,1)\",\"(f,2)\"}"}
--> {"a":3,"b":true,"s":"{\"(t,1)\",\"(f,2)\",\"(t,3)\"}"}

with recursive x(a) as (select 'q r'::text union all select a || ',' from x where length(a) < 5) search depth first by a set s select * from x order by s;
--> {"a":"q r","s":"{\"(\\\"q r\\\")\"}"}
--> {"a":"q r,","s":"{\"(\\\"q r\\\")\",\"(\\\"q r,\\\")\"}"}
--> {"a":"q r,,","s":"{\"(\\\"q r\\\")\",\"(\\\"q r,\\\")\",\"(\\\"q r,,\\\")\"}"}

create function walk() returns setof int language sql as $$ with recursive t(id, link) as (select id, link from tree where link is null union all select c.id, c.link from tree c, t where c.link = t.id) search depth first by id set o select id from t order by o $$;
--> no rows

select * from walk();
--> {"walk":1}
--> {"walk":2}
--> {"walk":4}
--> {"walk":5}
--> {"walk":3}
--> {"walk":6}

select 1 as search, 2 as depth, 3 as cycle;
--> {"search":1,"depth":2,"cycle":3}

with search(depth) as (select 1) select depth from search cycle;
--> {"depth":1}

with recursive x(a) as (select 8 union all select a + 1 from x where a < 12) search depth first by a set s select a, s from x order by s desc;
--> {"a":12,"s":"{(8),(9),(10),(11),(12)}"}
--> {"a":11,"s":"{(8),(9),(10),(11)}"}
--> {"a":10,"s":"{(8),(9),(10)}"}
--> {"a":9,"s":"{(8),(9)}"}
--> {"a":8,"s":"{(8)}"}

with recursive x(a, b) as (select 1, null::int union all select a + 1, a from x where a < 3) search breadth first by b, a set s select * from x order by s;
--> {"a":1,"b":null,"s":"(0,,1)"}
--> {"a":2,"b":1,"s":"(1,1,2)"}
--> {"a":3,"b":2,"s":"(2,2,3)"}
