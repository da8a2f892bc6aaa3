-- Plans. Their costs are not PostgreSQL's, so they are left out.

create table item (id int primary key, n int, title text);
--> no rows

create table part (id int primary key, item int references item, label text);
--> no rows

explain (costs off) select 1;
--> {"QUERY PLAN":"Result"}

explain (costs off) select * from item;
--> {"QUERY PLAN":"Seq Scan on item"}

explain (costs off) select * from item i where n = 1;
--> {"QUERY PLAN":"Seq Scan on item i"}
--> {"QUERY PLAN":"  Filter: (n = 1)"}

explain (costs off) select * from item where id = 1;
--> {"QUERY PLAN":"Index Scan using item_pkey on item"}
--> {"QUERY PLAN":"  Index Cond: (id = 1)"}

explain (costs off) select title from item where id = 1 and n > 2;
--> {"QUERY PLAN":"Index Scan using item_pkey on item"}
--> {"QUERY PLAN":"  Index Cond: (id = 1)"}
--> {"QUERY PLAN":"  Filter: (n > 2)"}

explain (costs off) select * from item order by n desc, title;
--> {"QUERY PLAN":"Sort"}
--> {"QUERY PLAN":"  Sort Key: n DESC, title"}
--> {"QUERY PLAN":"  ->  Seq Scan on item"}

explain (costs off) select * from item order by title limit 5;
--> {"QUERY PLAN":"Limit"}
--> {"QUERY PLAN":"  ->  Sort"}
--> {"QUERY PLAN":"        Sort Key: title"}
--> {"QUERY PLAN":"        ->  Seq Scan on item"}

explain (costs off) select count(*) from item where n > 3;
--> {"QUERY PLAN":"Aggregate"}
--> {"QUERY PLAN":"  ->  Seq Scan on item"}
--> {"QUERY PLAN":"        Filter: (n > 3)"}

explain (costs off) select n, count(*) from item group by n;
--> {"QUERY PLAN":"HashAggregate"}
--> {"QUERY PLAN":"  Group Key: n"}
--> {"QUERY PLAN":"  ->  Seq Scan on item"}

explain (costs off) select distinct n from item;
--> {"QUERY PLAN":"HashAggregate"}
--> {"QUERY PLAN":"  Group Key: n"}
--> {"QUERY PLAN":"  ->  Seq Scan on item"}

explain (costs off) select * from generate_series(1, 3) g;
--> {"QUERY PLAN":"Function Scan on generate_series g"}

explain (costs off) values (1), (2);
--> {"QUERY PLAN":"Values Scan on \"*VALUES*\""}

explain (costs off) select n from item union all select id from part;
--> {"QUERY PLAN":"Append"}
--> {"QUERY PLAN":"  ->  Seq Scan on item"}
--> {"QUERY PLAN":"  ->  Seq Scan on part"}

explain (costs off) insert into item values (1, 2, 'x');
--> {"QUERY PLAN":"Insert on item"}
--> {"QUERY PLAN":"  ->  Result"}

explain (costs off) update item set n = 1 where id = 1;
--> {"QUERY PLAN":"Update on item"}
--> {"QUERY PLAN":"  ->  Index Scan using item_pkey on item"}
--> {"QUERY PLAN":"        Index Cond: (id = 1)"}

explain (costs off) delete from item where n = 1;
--> {"QUERY PLAN":"Delete on item"}
--> {"QUERY PLAN":"  ->  Seq Scan on item"}
--> {"QUERY PLAN":"        Filter: (n = 1)"}

explain (costs off, format json) select * from item where n = 1;
--> {"QUERY PLAN":[{"Plan":{"Node Type":"Seq Scan","Parallel Aware":false,"Async Capable":false,"Relation Name":"item","Alias":"item","Filter":"(n = 1)"}}]}

explain (costs off, format json) select count(*) from item;
--> {"QUERY PLAN":[{"Plan":{"Node Type":"Aggregate","Strategy":"Plain","Partial Mode":"Simple","Parallel Aware":false,"Async Capable":false,"Plans":[{"Node Type":"Seq Scan","Parent Relationship":"Outer","Parallel Aware":false,"Async Capable":false,"Relation Name":"item","Alias":"item"}]}}]}

explain (nosuch) select 1;
--> ERROR 42601: unrecognized EXPLAIN option "nosuch"
--> AT 10

explain (format nosuch) select 1;
--> ERROR 22023: unrecognized value for EXPLAIN option "format": "nosuch"
--> AT 10

explain select nosuch from item;
--> ERROR 42703: column "nosuch" does not exist
--> AT 16

explain (costs off) select * from nosuch;
--> ERROR 42P01: relation "nosuch" does not exist
--> AT 35

explain (costs off) update item set nosuch = 1;
--> ERROR 42703: column "nosuch" of relation "item" does not exist
--> AT 37

explain (costs off);
--> ERROR 42601: syntax error at or near ";"
--> AT 20

explain;
--> ERROR 42601: syntax error at or near ";"
--> AT 8
