-- Comparisons with arrays in generated columns and indexes.

create table g1 (caps text[], e boolean generated always as ('x' = any (caps)) stored, f boolean generated always as (not ('x' <> all (caps))) stored);
--> no rows

insert into g1 values ('{x}'), ('{y}'), ('{}'), (null), ('{y,null}'), ('{x,null}'), ('{{a,x},{b,c}}');
--> no rows

select * from g1;
--> {"caps":["x"],"e":true,"f":true}
--> {"caps":["y"],"e":false,"f":false}
--> {"caps":[],"e":false,"f":false}
--> {"caps":null,"e":null,"f":null}
--> {"caps":["y",null],"e":null,"f":null}
--> {"caps":["x",null],"e":true,"f":true}
--> {"caps":[["a","x"],["b","c"]],"e":true,"f":true}

create table k1 (caps text[], r text);
--> no rows

create unique index ku on k1 (r) where 'x' = any (caps);
--> no rows

insert into k1 values ('{x}', 'a'), ('{y}', 'a'), ('{y}', 'a');
--> no rows

insert into k1 values ('{z,x}', 'a');
--> ERROR 23505: duplicate key value violates unique constraint "ku"
--> DETAIL: Key (r)=(a) already exists.

insert into k1 values ('{z}', 'a'), ('{x}', 'b');
--> no rows

create table g2 (n int[], q numeric[], i int, v varchar(9), t text[], d date[], s boolean generated always as (i = any (n)) stored, w boolean generated always as (v = any (t)) stored, x boolean generated always as ('2024-01-01' = any (d)) stored, y boolean generated always as (i <> all (n)) stored);
--> no rows

insert into g2 values ('{1,2}', '{1.0,2.5}', 1, 'a', '{a,b}', '{2024-01-01}'), ('{1,2}', '{1.5}', 3, 'c', '{a,b}', '{2024-01-02}'), (null, null, null, null, null, null), ('{}', '{}', null, 'a', '{}', '{}');
--> no rows

select s, w, x, y from g2;
--> {"s":true,"w":true,"x":true,"y":false}
--> {"s":false,"w":false,"x":false,"y":true}
--> {"s":null,"w":null,"x":null,"y":null}
--> {"s":false,"w":false,"x":false,"y":true}

alter table g2 add column z boolean generated always as (2 = any (n)) stored;
--> no rows

select z from g2;
--> {"z":true}
--> {"z":true}
--> {"z":null}
--> {"z":false}

create index on g2 ((i = any (n)));
--> no rows

select pg_get_expr(adbin, adrelid) from pg_attrdef where adrelid = 'g1'::regclass order by adnum;
--> {"pg_get_expr":"('x'::text = ANY (caps))"}
--> {"pg_get_expr":"(NOT ('x'::text <> ALL (caps)))"}

update g1 set caps = array_append(caps, 'x') where e is false returning *;
--> {"caps":["y","x"],"e":true,"f":true}
--> {"caps":["x"],"e":true,"f":true}
