-- Grouping sets, rollup, cube, and what is asked of groups.

create table sale (id int primary key, region text, city text, year int, product text, qty int, price numeric(8,2), sold date);
--> no rows

insert into sale values (1,'north','Oslo',2022,'chair',2,40.00,'2022-01-05'),(2,'north','Oslo',2022,'table',1,120.50,'2022-02-11'),(3,'north','Turku',2023,'chair',4,38.00,'2023-03-09'),(4,'south','Rome',2022,'chair',3,41.25,'2022-06-30'),(5,'south','Rome',2023,'table',2,118.00,'2023-07-14'),(6,'south','Bari',2023,'lamp',7,9.99,'2023-08-01'),(7,null,'Nowhere',2023,'lamp',1,10.00,'2023-12-24');
--> no rows

select region, sum(qty) from sale group by rollup (region) order by region nulls last, 2;
--> {"region":"north","sum":7}
--> {"region":"south","sum":12}
--> {"region":null,"sum":1}
--> {"region":null,"sum":20}

select region, city, sum(qty) as qty from sale group by rollup (region, city) order by region nulls last, city nulls last, qty;
--> {"region":"north","city":"Oslo","qty":3}
--> {"region":"north","city":"Turku","qty":4}
--> {"region":"north","city":null,"qty":7}
--> {"region":"south","city":"Bari","qty":7}
--> {"region":"south","city":"Rome","qty":5}
--> {"region":"south","city":null,"qty":12}
--> {"region":null,"city":"Nowhere","qty":1}
--> {"region":null,"city":null,"qty":1}
--> {"region":null,"city":null,"qty":20}

select coalesce(region, 'all') as region, count(*) as n from sale where region is not null group by rollup (region) order by grouping(region), region;
--> {"region":"north","n":3}
--> {"region":"south","n":3}
--> {"region":"all","n":6}

select region, year, count(*) from sale group by cube (region, year) order by region nulls last, year nulls last, 3;
--> {"region":"north","year":2022,"count":2}
--> {"region":"north","year":2023,"count":1}
--> {"region":"north","year":null,"count":3}
--> {"region":"south","year":2022,"count":1}
--> {"region":"south","year":2023,"count":2}
--> {"region":"south","year":null,"count":3}
--> {"region":null,"year":2022,"count":3}
--> {"region":null,"year":2023,"count":1}
--> {"region":null,"year":2023,"count":4}
--> {"region":null,"year":null,"count":1}
--> {"region":null,"year":null,"count":7}

select region, product, sum(qty * price) as value from sale group by grouping sets ((region), (product), ()) order by region nulls last, product nulls last, value;
--> {"region":"north","product":null,"value":"352.50"}
--> {"region":"south","product":null,"value":"429.68"}
--> {"region":null,"product":"chair","value":"355.75"}
--> {"region":null,"product":"lamp","value":"79.93"}
--> {"region":null,"product":"table","value":"356.50"}
--> {"region":null,"product":null,"value":"10.00"}
--> {"region":null,"product":null,"value":"792.18"}

select grouping(region) as g, region, sum(qty) from sale group by grouping sets ((region), ()) order by 1, 2 nulls last;
--> {"g":0,"region":"north","sum":7}
--> {"g":0,"region":"south","sum":12}
--> {"g":0,"region":null,"sum":1}
--> {"g":1,"region":null,"sum":20}

select grouping(region, year) as g, region, year, sum(qty) from sale group by cube (region, year) order by g, region nulls last, year;
--> {"g":0,"region":"north","year":2022,"sum":3}
--> {"g":0,"region":"north","year":2023,"sum":4}
--> {"g":0,"region":"south","year":2022,"sum":3}
--> {"g":0,"region":"south","year":2023,"sum":9}
--> {"g":0,"region":null,"year":2023,"sum":1}
--> {"g":1,"region":"north","year":null,"sum":7}
--> {"g":1,"region":"south","year":null,"sum":12}
--> {"g":1,"region":null,"year":null,"sum":1}
--> {"g":2,"region":null,"year":2022,"sum":6}
--> {"g":2,"region":null,"year":2023,"sum":14}
--> {"g":3,"region":null,"year":null,"sum":20}

select region, year, grouping(year) as by_year, avg(price)::numeric(8,2) as price from sale group by region, rollup (year) order by region nulls last, year nulls last;
--> {"region":"north","year":2022,"by_year":0,"price":"80.25"}
--> {"region":"north","year":2023,"by_year":0,"price":"38.00"}
--> {"region":"north","year":null,"by_year":1,"price":"66.17"}
--> {"region":"south","year":2022,"by_year":0,"price":"41.25"}
--> {"region":"south","year":2023,"by_year":0,"price":"64.00"}
--> {"region":"south","year":null,"by_year":1,"price":"56.41"}
--> {"region":null,"year":2023,"by_year":0,"price":"10.00"}
--> {"region":null,"year":null,"by_year":1,"price":"10.00"}

select year, region, product, count(*) as n from sale group by year, cube (region, product) order by year, region nulls last, product nulls last, n;
--> {"year":2022,"region":"north","product":"chair","n":1}
--> {"year":2022,"region":"north","product":"table","n":1}
--> {"year":2022,"region":"north","product":null,"n":2}
--> {"year":2022,"region":"south","product":"chair","n":1}
--> {"year":2022,"region":"south","product":null,"n":1}
--> {"year":2022,"region":null,"product":"chair","n":2}
--> {"year":2022,"region":null,"product":"table","n":1}
--> {"year":2022,"region":null,"product":null,"n":3}
--> {"year":2023,"region":"north","product":"chair","n":1}
--> {"year":2023,"region":"north","product":null,"n":1}
--> {"year":2023,"region":"south","product":"lamp","n":1}
--> {"year":2023,"region":"south","product":"table","n":1}
--> {"year":2023,"region":"south","product":null,"n":2}
--> {"year":2023,"region":null,"product":"chair","n":1}
--> {"year":2023,"region":null,"product":"lamp","n":1}
--> {"year":2023,"region":null,"product":"lamp","n":2}
--> {"year":2023,"region":null,"product":"table","n":1}
--> {"year":2023,"region":null,"product":null,"n":1}
--> {"year":2023,"region":null,"product":null,"n":4}

select region, city, count(*) from sale group by rollup ((region, city)) order by 1 nulls last, 2 nulls last;
--> {"region":"north","city":"Oslo","count":2}
--> {"region":"north","city":"Turku","count":1}
--> {"region":"south","city":"Bari","count":1}
--> {"region":"south","city":"Rome","count":2}
--> {"region":null,"city":"Nowhere","count":1}
--> {"region":null,"city":null,"count":7}

select region, city, year, sum(qty) from sale group by grouping sets ((region, city), rollup (year)) order by 1 nulls last, 2 nulls last, 3 nulls last;
--> {"region":"north","city":"Oslo","year":null,"sum":3}
--> {"region":"north","city":"Turku","year":null,"sum":4}
--> {"region":"south","city":"Bari","year":null,"sum":7}
--> {"region":"south","city":"Rome","year":null,"sum":5}
--> {"region":null,"city":"Nowhere","year":null,"sum":1}
--> {"region":null,"city":null,"year":2022,"sum":6}
--> {"region":null,"city":null,"year":2023,"sum":14}
--> {"region":null,"city":null,"year":null,"sum":20}

select region, year, sum(qty) from sale group by grouping sets (cube (region, year), (region)) order by 1 nulls last, 2 nulls last, 3;
--> {"region":"north","year":2022,"sum":3}
--> {"region":"north","year":2023,"sum":4}
--> {"region":"north","year":null,"sum":7}
--> {"region":"north","year":null,"sum":7}
--> {"region":"south","year":2022,"sum":3}
--> {"region":"south","year":2023,"sum":9}
--> {"region":"south","year":null,"sum":12}
--> {"region":"south","year":null,"sum":12}
--> {"region":null,"year":2022,"sum":6}
--> {"region":null,"year":2023,"sum":1}
--> {"region":null,"year":2023,"sum":14}
--> {"region":null,"year":null,"sum":1}
--> {"region":null,"year":null,"sum":1}
--> {"region":null,"year":null,"sum":20}

select extract(year from sold)::int as y, extract(month from sold)::int as m, sum(qty) from sale group by rollup (1, 2) order by 1 nulls last, 2 nulls last;
--> {"y":2022,"m":1,"sum":2}
--> {"y":2022,"m":2,"sum":1}
--> {"y":2022,"m":6,"sum":3}
--> {"y":2022,"m":null,"sum":6}
--> {"y":2023,"m":3,"sum":4}
--> {"y":2023,"m":7,"sum":2}
--> {"y":2023,"m":8,"sum":7}
--> {"y":2023,"m":12,"sum":1}
--> {"y":2023,"m":null,"sum":14}
--> {"y":null,"m":null,"sum":20}

select date_trunc('year', sold)::date as y, count(distinct product) from sale group by rollup (date_trunc('year', sold)::date) order by 1 nulls last;
--> {"y":"2022-01-01","count":2}
--> {"y":"2023-01-01","count":3}
--> {"y":null,"count":3}

select region, sum(qty) as qty from sale group by rollup (region) having sum(qty) > 7 order by qty;
--> {"region":"south","qty":12}
--> {"region":null,"qty":20}

select region, year, sum(qty) from sale group by cube (region, year) having grouping(region, year) in (1, 3) order by 1 nulls last, 2 nulls last, 3;
--> {"region":"north","year":null,"sum":7}
--> {"region":"south","year":null,"sum":12}
--> {"region":null,"year":null,"sum":1}
--> {"region":null,"year":null,"sum":20}

select case when grouping(region) = 1 then 'total' else coalesce(region, 'unknown') end as region, sum(qty) from sale group by rollup (region) order by grouping(region), 1;
--> {"region":"north","sum":7}
--> {"region":"south","sum":12}
--> {"region":"unknown","sum":1}
--> {"region":"total","sum":20}

select region, sum(qty) as qty, rank() over (order by sum(qty) desc) as place from sale group by rollup (region) order by place, region nulls last;
--> {"region":null,"qty":20,"place":1}
--> {"region":"south","qty":12,"place":2}
--> {"region":"north","qty":7,"place":3}
--> {"region":null,"qty":1,"place":4}

select region, year, sum(qty) as qty, sum(sum(qty)) over (partition by grouping(region, year)) as level from sale group by cube (region, year) order by level, region nulls last, year nulls last, qty;
--> {"region":"north","year":2022,"qty":3,"level":"20"}
--> {"region":"north","year":2023,"qty":4,"level":"20"}
--> {"region":"north","year":null,"qty":7,"level":"20"}
--> {"region":"south","year":2022,"qty":3,"level":"20"}
--> {"region":"south","year":2023,"qty":9,"level":"20"}
--> {"region":"south","year":null,"qty":12,"level":"20"}
--> {"region":null,"year":2022,"qty":6,"level":"20"}
--> {"region":null,"year":2023,"qty":1,"level":"20"}
--> {"region":null,"year":2023,"qty":14,"level":"20"}
--> {"region":null,"year":null,"qty":1,"level":"20"}
--> {"region":null,"year":null,"qty":20,"level":"20"}

select distinct grouping(region) as g from sale group by rollup (region) order by g;
--> {"g":0}
--> {"g":1}

select sum(qty) as qty from sale group by rollup (region) order by qty limit 2;
--> {"qty":1}
--> {"qty":7}

select sum(qty) as qty from sale group by rollup (region) order by qty desc offset 1 limit 2;
--> {"qty":12}
--> {"qty":7}

select region, (select max(s.qty) from sale s where s.region = sale.region) as most, count(*) from sale group by rollup (region) order by 1 nulls last, 3;
--> {"region":"north","most":4,"count":3}
--> {"region":"south","most":7,"count":3}
--> {"region":null,"most":null,"count":1}
--> {"region":null,"most":null,"count":7}

select region, array_agg(distinct product order by product) as products from sale group by rollup (region) order by region nulls last, array_length(array_agg(distinct product), 1);
--> {"region":"north","products":["chair","table"]}
--> {"region":"south","products":["chair","lamp","table"]}
--> {"region":null,"products":["lamp"]}
--> {"region":null,"products":["chair","lamp","table"]}

select region, json_agg(id order by id) filter (where qty > 1) as ids from sale group by rollup (region) order by 1 nulls last, count(*);
--> {"region":"north","ids":[1,3]}
--> {"region":"south","ids":[4,5,6]}
--> {"region":null,"ids":null}
--> {"region":null,"ids":[1,3,4,5,6]}

select region, string_agg(city, ',' order by city, id) as cities from sale group by grouping sets ((region), ()) order by region nulls last, length(string_agg(city, ','));
--> {"region":"north","cities":"Oslo,Oslo,Turku"}
--> {"region":"south","cities":"Bari,Rome,Rome"}
--> {"region":null,"cities":"Nowhere"}
--> {"region":null,"cities":"Bari,Nowhere,Oslo,Oslo,Rome,Rome,Turku"}

with t as (select region, sum(qty) as qty, grouping(region) as g from sale group by rollup (region)) select * from t where g = 1;
--> {"region":null,"qty":20,"g":1}

select * from (select region, count(*) as n from sale group by cube (region)) t where region is null order by n;
--> {"region":null,"n":1}
--> {"region":null,"n":7}

select count(*), sum(qty) from sale where false group by grouping sets (());
--> {"count":0,"sum":null}

select region, count(*) from sale where false group by rollup (region);
--> {"region":null,"count":0}

select region, count(*) from sale where false group by grouping sets ((region), (), ());
--> {"region":null,"count":0}
--> {"region":null,"count":0}

select s.region, x.label, sum(s.qty) from sale s join (values ('chair', 'seat'), ('table', 'board'), ('lamp', 'light')) as x(product, label) using (product) group by rollup (s.region, x.label) order by 1 nulls last, 2 nulls last, 3;
--> {"region":"north","label":"board","sum":1}
--> {"region":"north","label":"seat","sum":6}
--> {"region":"north","label":null,"sum":7}
--> {"region":"south","label":"board","sum":2}
--> {"region":"south","label":"light","sum":7}
--> {"region":"south","label":"seat","sum":3}
--> {"region":"south","label":null,"sum":12}
--> {"region":null,"label":"light","sum":1}
--> {"region":null,"label":null,"sum":1}
--> {"region":null,"label":null,"sum":20}

create view totals as select region, product, sum(qty) as qty, grouping(region, product) as level from sale group by rollup (region, product);
--> no rows

select * from totals where level > 0 order by level, region nulls last, qty;
--> {"region":"north","product":null,"qty":7,"level":1}
--> {"region":"south","product":null,"qty":12,"level":1}
--> {"region":null,"product":null,"qty":1,"level":1}
--> {"region":null,"product":null,"qty":20,"level":3}

insert into sale (id, region, qty) select 100 + row_number() over (order by region nulls last, grouping(region)), coalesce(region, '?'), sum(qty) from sale group by rollup (region) returning id, region, qty;
--> {"id":101,"region":"north","qty":7}
--> {"id":102,"region":"south","qty":12}
--> {"id":103,"region":"?","qty":1}
--> {"id":104,"region":"?","qty":20}

delete from sale where id > 100;
--> no rows

create table report as select year, sum(qty) as qty from sale group by rollup (year) order by year;
--> no rows

select * from report order by year nulls last;
--> {"year":2022,"qty":6}
--> {"year":2023,"qty":14}
--> {"year":null,"qty":20}

select region from sale group by rollup (city);
--> ERROR 42803: column "sale.region" must appear in the GROUP BY clause or be used in an aggregate function
--> AT 8

select grouping(city) from sale group by rollup (region);
--> ERROR 42803: arguments to GROUPING must be grouping expressions of the associated query level
--> AT 17

select grouping(region) from sale;
--> ERROR 42803: arguments to GROUPING must be grouping expressions of the associated query level
--> AT 17

select region, count(*) from sale group by rollup (count(*));
--> ERROR 42803: aggregate functions are not allowed in GROUP BY
--> AT 52

select product, count(*) from sale group by product having count(*) > all (array[1, 2]) order by product;
--> {"product":"chair","count":3}

select product, count(*) from sale group by product having count(*) >= all (select count(*) from sale group by product) order by product;
--> {"product":"chair","count":3}

select product, sum(qty) from sale group by product having sum(qty) = any (array[3, 8, 9]) order by product;
--> {"product":"chair","sum":9}
--> {"product":"lamp","sum":8}
--> {"product":"table","sum":3}

select product from sale group by product having max(price) > any (select price from sale where region = 'north') order by product;
--> {"product":"chair"}
--> {"product":"table"}

select product, count(*) > all (array[1, 2]) as many from sale group by product order by product;
--> {"product":"chair","many":true}
--> {"product":"lamp","many":false}
--> {"product":"table","many":false}

select product, sum(qty) in (3, 9) as hit from sale group by product order by product;
--> {"product":"chair","hit":true}
--> {"product":"lamp","hit":false}
--> {"product":"table","hit":true}

select product from sale group by product having sum(qty) in (select qty * 4 from sale) order by product;
--> {"product":"lamp"}

select product from sale group by product having exists (select 1 from sale s where s.product = sale.product and s.year = 2022) order by product;
--> {"product":"chair"}
--> {"product":"table"}

select 1 as one from sale having true;
--> {"one":1}

select 1 as one from sale where false having count(*) = 0;
--> {"one":1}

select max(qty) from sale having max(qty) > 100;
--> no rows

select year, product from sale group by (year, product) order by 1, 2;
--> {"year":2022,"product":"chair"}
--> {"year":2022,"product":"table"}
--> {"year":2023,"product":"chair"}
--> {"year":2023,"product":"lamp"}
--> {"year":2023,"product":"table"}

select year, count(*) from sale group by (year), () order by 1;
--> {"year":2022,"count":3}
--> {"year":2023,"count":4}

select count(*) from sale group by () order by 1;
--> {"count":7}

select region, count(*) filter (where qty > 2) as big, grouping(region) as g from sale group by region order by region nulls last;
--> {"region":"north","big":1,"g":0}
--> {"region":"south","big":2,"g":0}
--> {"region":null,"big":0,"g":0}

select upper(region) as r, count(*) from sale group by rollup (upper(region)) order by 1 nulls last, 2;
--> {"r":"NORTH","count":3}
--> {"r":"SOUTH","count":3}
--> {"r":null,"count":1}
--> {"r":null,"count":7}

select id, qty, sum(price) from sale group by grouping sets ((id, qty)) having id < 3 order by id;
--> {"id":1,"qty":2,"sum":"40.00"}
--> {"id":2,"qty":1,"sum":"120.50"}
