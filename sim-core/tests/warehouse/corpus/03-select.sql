-- # SELECT, grouping, ordering

--= source sales
--= {"id":"1","timestamp":1739181600000000,"event_message":"a","shop":"north","item":"tea","price":3,"units":10}
--= {"id":"2","timestamp":1739181660000000,"event_message":"b","shop":"north","item":"milk","price":1.5,"units":4}
--= {"id":"3","timestamp":1739181720000000,"event_message":"c","shop":"south","item":"tea","price":3.5,"units":2}
--= {"id":"4","timestamp":1739181780000000,"event_message":"d","shop":"south","item":"rice","price":2,"units":0}
--= {"id":"5","timestamp":1739181840000000,"event_message":"e","shop":"west","price":9}

-- comments of three kinds and a trailing comma
select id, -- one
# two
/* three */ shop,
from sales where id = '1'
--> {"id":"1","shop":"north"}

-- a query without a table
select 1 as one, 'x' as x, null as n, true as t
--> {"one":1,"x":"x","n":null,"t":true}

-- literals: texts of every kind
select 'a\'b' as a, "it's" as b, r'\d+' as c, 'tab\there' as d, '''three 'quotes' ''' as e, '' as f
--> {"a":"a'b","b":"it's","c":"\\d+","d":"tab\there","e":"three 'quotes' ","f":""}

-- literals: numbers
select 9223372036854775807 as big, -9223372036854775807 as small, 1.5 as f, 1e3 as e, -2 as m, .5 as p
--> {"big":9223372036854775807,"small":-9223372036854775807,"f":1.5,"e":1000.0,"m":-2,"p":0.5}

-- literals: moments
select timestamp '2025-02-10 10:00:00+00' as t, date '2025-02-10' as d, datetime '2025-02-10 10:00:00' as dt
--> {"t":1739181600000000,"d":"2025-02-10","dt":"2025-02-10T10:00:00"}

-- group by a name of the list
select upper(shop) as place, count(*) as n from sales group by place order by place
--> {"place":"NORTH","n":2}
--> {"place":"SOUTH","n":2}
--> {"place":"WEST","n":1}

-- group by a name that is a column's too: the list comes first
with c as (select timestamp, shop from sales)
select timestamp_trunc(timestamp, hour) as timestamp, count(*) as n from c group by timestamp
--> {"timestamp":1739181600000000,"n":5}

-- group by a number
select shop, count(*) as n from sales group by 1 order by 2 desc, 1 limit 2
--> {"shop":"north","n":2}
--> {"shop":"south","n":2}

-- group by an expression
select substr(shop, 1, 1) as first, sum(units) as units from sales group by substr(shop, 1, 1) order by first
--> {"first":"n","units":14}
--> {"first":"s","units":2}
--> {"first":"w","units":null}

-- group by all
select shop, count(*) as n from sales group by all order by shop
--> {"shop":"north","n":2}
--> {"shop":"south","n":2}
--> {"shop":"west","n":1}

-- order by a name of the list inside an expression
select shop, count(*) as n from sales group by shop order by n * -1, shop desc
--> {"shop":"south","n":2}
--> {"shop":"north","n":2}
--> {"shop":"west","n":1}

-- order by a column that is not in the list
select id from sales order by sales.timestamp desc limit 2
--> {"id":"5"}
--> {"id":"4"}

-- order by what is the same for all rows
select item, true as t from sales order by true, 'x', t, date '2025-02-10', item desc limit 1
--> {"item":"tea","t":true}

-- order by an aggregate
select shop from sales group by shop order by sum(price) desc
--> {"shop":"west"}
--> {"shop":"south"}
--> {"shop":"north"}

-- nulls first and last
select id, item from sales order by item nulls last, id
--> {"id":"2","item":"milk"}
--> {"id":"4","item":"rice"}
--> {"id":"1","item":"tea"}
--> {"id":"3","item":"tea"}
--> {"id":"5","item":null}

-- nulls are the least
select item from sales order by item, id limit 2
--> {"item":null}
--> {"item":"milk"}

-- texts sort by their characters' numbers
select x from unnest(['b', 'B', 'a', 'é', 'Z']) as x order by x
--> {"x":"B"}
--> {"x":"Z"}
--> {"x":"a"}
--> {"x":"b"}
--> {"x":"é"}

-- limit and offset
select id from sales order by id limit 2 offset 3
--> {"id":"4"}
--> {"id":"5"}

-- having
select shop, sum(units) as total from sales group by shop having sum(units) > 2
--> {"shop":"north","total":14}

-- having by a name of the list
select shop, sum(units) as total from sales group by shop having total < 3
--> {"shop":"south","total":2}

-- aggregates without groups
select count(*) as n, count(units) as u, sum(units) as s, avg(price) as a, min(item) as lo, max(item) as hi from sales
--> {"n":5,"u":4,"s":16,"a":3.8,"lo":"milk","hi":"tea"}

-- aggregates of nothing
select count(*) as n, sum(units) as s, max(shop) as m, array_agg(shop) as l, countif(units > 1) as c, array_length(array_agg(shop)) as a, string_agg(shop) as t, approx_quantiles(price, 2) as q from sales where id = 'none'
--> {"n":0,"s":null,"m":null,"l":[],"c":0,"a":null,"t":null,"q":[]}

-- countif, logical_and, logical_or
select countif(units > 2) as c, logical_and(price > 1) as every, logical_or(price > 5) as some from sales
--> {"c":2,"every":true,"some":true}

-- string_agg and array_agg in order
select string_agg(id, '-' order by id desc) as ids, array_agg(item ignore nulls order by item, id limit 3) as items from sales
--> {"ids":"5-4-3-2-1","items":["milk","rice","tea"]}

-- distinct in aggregates
select count(distinct shop) as shops, sum(distinct units) as units, array_agg(distinct shop order by shop) as names from sales
--> {"shops":3,"units":16,"names":["north","south","west"]}

-- distinct texts in order
select string_agg(distinct shop, '+' order by shop desc) as a, string_agg(distinct item) = 'x' as b, array_agg(distinct units ignore nulls order by units desc) as c from sales where id != '5' and item != 'rice' and item != 'milk'
--> {"a":"south+north","b":false,"c":[10,2]}

-- approx_quantiles
select approx_quantiles(price, 2) as halves, approx_quantiles(price, 4)[offset(3)] as third from sales
--> {"halves":[1.5,3,9],"third":3.5}

-- approx_quantiles: the example of the manual
select approx_quantiles(x, 2) as q, approx_quantiles(distinct x, 2) as d from unnest([1, 1, 1, 4, 5, 6, 7, 8, 9, 10]) as x
--> {"q":[1,5,10],"d":[1,6,10]}

-- standard deviation and variance
select stddev_pop(x) as p, var_samp(x) as s, round(stddev(x), 4) as r from unnest([2, 4, 4, 4, 5, 5, 7, 9]) as x
--> {"p":2.0,"s":4.571428571428571,"r":2.1381}

-- case
select id, case when price >= 3 then 'dear' when price < 2 then 'cheap' else 'fair' end as kind, case shop when 'north' then 1 when 'south' then 2 end as place from sales order by id
--> {"id":"1","kind":"dear","place":1}
--> {"id":"2","kind":"cheap","place":1}
--> {"id":"3","kind":"dear","place":2}
--> {"id":"4","kind":"fair","place":2}
--> {"id":"5","kind":"dear","place":null}

-- if, ifnull, nullif, coalesce
select if(1 < 2, 'yes', 'no') as a, ifnull(null, 'x') as b, nullif(5, 5) as c, nullif(5, 6) as d, coalesce(null, null, 3) as e
--> {"a":"yes","b":"x","c":null,"d":5,"e":3}

-- three-valued logic
select null and false as a, null or true as b, not null as c, null = null as d, null is null as e, 1 in (2, null) as f, 1 not in (2, 3) as g
--> {"a":false,"b":true,"c":null,"d":null,"e":true,"f":null,"g":true}

-- is distinct from
select null is distinct from 1 as a, null is not distinct from null as b, 1 is distinct from 1 as c
--> {"a":true,"b":true,"c":false}

-- precedence of operators
select 1 + 2 * 3 as a, (1 + 2) * 3 as b, not false and false as c, true or false and false as d, 7 - 2 - 1 as e, -2 * -3 as f
--> {"a":7,"b":9,"c":false,"d":true,"e":4,"f":6}

-- a subquery in FROM
select s.shop, s.n from (select shop, count(*) as n from sales group by shop) as s where s.n = 1
--> {"shop":"west","n":1}

-- a subquery in FROM without a name
select n from (select count(*) as n from sales)
--> {"n":5}

-- a cross join of tables
select a.id as a, b.id as b from sales a cross join sales b where a.id < b.id and b.id <= '3' order by a, b
--> {"a":"1","b":"2"}
--> {"a":"1","b":"3"}
--> {"a":"2","b":"3"}

-- a comma between tables
select count(*) as n from sales a, sales b, (select 1 as one) c
--> {"n":25}

-- inner and left joins
select a.id, b.id as same from sales a left join sales b on a.item = b.item and a.id != b.id order by a.id
--> {"id":"1","same":"3"}
--> {"id":"2","same":null}
--> {"id":"3","same":"1"}
--> {"id":"4","same":null}
--> {"id":"5","same":null}

-- right and full joins
with a as (select 1 as x union all select 2), b as (select 2 as y union all select 3)
select x, y from a full outer join b on a.x = b.y order by coalesce(x, y)
--> {"x":1,"y":null}
--> {"x":2,"y":2}
--> {"x":null,"y":3}

-- a right join
with a as (select 1 as x union all select 2), b as (select 2 as y union all select 3)
select x, y from a right join b on a.x = b.y order by y
--> {"x":2,"y":2}
--> {"x":null,"y":3}

-- using
with a as (select 1 as k, 'a' as x union all select 2, 'b'), b as (select 2 as k, 'c' as y union all select 3, 'd')
select k, x, y from a full join b using (k) order by k
--> {"k":1,"x":"a","y":null}
--> {"k":2,"x":"b","y":"c"}
--> {"k":3,"x":null,"y":"d"}

-- a left join on CASE
with n as (select 1 as x union all select 2 union all select 3), m as (select 10 as y union all select 20)
select x, y from n left join m on case when x = 1 then y = 10 when x = 2 then y = 20 else false end order by x
--> {"x":1,"y":10}
--> {"x":2,"y":20}
--> {"x":3,"y":null}

-- brackets around joins
with a as (select 1 as x), b as (select 1 as x), c as (select 2 as x)
select a.x as ax, c.x as cx from a left join (b join c on b.x < c.x) on a.x = b.x
--> {"ax":1,"cx":2}

-- union all, with other columns' names on the right
select 'a' as x, 1 as n union all select 'b', 2 union all select 'a', 1 order by x, n desc
--> {"x":"a","n":1}
--> {"x":"a","n":1}
--> {"x":"b","n":2}

-- union distinct, intersect, except
(select 1 as x union distinct select 1) union all (select x from unnest([1, 2]) as x intersect distinct select 2) union all (select x from unnest([3, 4]) x except distinct select 4)
--> {"x":1}
--> {"x":2}
--> {"x":3}

-- union of whole and other numbers, and of nothing
select 1 as x union all select 2.5 union all select null order by x
--> {"x":null}
--> {"x":1.0}
--> {"x":2.5}

-- a common table expression with a union
with u as (select id, shop as w from sales where id = '1' union all select id, item from sales where id = '2')
select w from u order by id
--> {"w":"north"}
--> {"w":"milk"}

-- limit inside the parts of a union
(select id from sales order by id limit 1) union all (select id from sales order by id desc limit 1)
--> {"id":"1"}
--> {"id":"5"}

-- one common table expression uses another
with a as (select shop, units from sales), b as (select a.shop, sum(a.units) as units from a group by a.shop)
select b.shop from b where b.units is null
--> {"shop":"west"}

-- WITH inside WITH
with a as (with b as (select shop, count(*) as n from sales group by shop) select n from b where shop = 'north')
select n from a
--> {"n":2}

-- WITH inside a subquery
select x from (with b as (select 7 as x) select x from b)
--> {"x":7}

-- distinct
select distinct shop from sales order by shop desc
--> {"shop":"west"}
--> {"shop":"south"}
--> {"shop":"north"}

-- a scalar subquery
select id from sales where price = (select max(price) from sales)
--> {"id":"5"}

-- a scalar subquery of several rows
select (select price from sales) as x
--> error

-- a scalar subquery of no row
select (select price from sales where id = 'none') as x
--> {"x":null}

-- IN and NOT IN of a subquery
select id from sales where shop in (select shop from sales where units = 10) and id not in (select '2')
--> {"id":"1"}

-- EXISTS with a reference to the row around it
select a.id from sales a where not exists (select 1 from sales b where b.shop = a.shop and b.id != a.id)
--> {"id":"5"}

-- a reference to the row around an aggregate
select id, (select concat(a.id, ':', cast(count(*) as string)) from sales b where b.shop = a.shop) as n from sales a where id <= '2' order by id
--> {"id":"1","n":"1:2"}
--> {"id":"2","n":"2:2"}

-- row numbers
select id, row_number() over (partition by shop order by price desc) as place from sales order by id
--> {"id":"1","place":1}
--> {"id":"2","place":2}
--> {"id":"3","place":1}
--> {"id":"4","place":2}
--> {"id":"5","place":1}

-- running sums and neighbours
select id, sum(units) over (order by id rows between unbounded preceding and current row) as so_far, lag(id) over (order by id) as before, lead(id, 1, 'none') over (order by id) as after from sales where units is not null order by id
--> {"id":"1","so_far":10,"before":null,"after":"2"}
--> {"id":"2","so_far":14,"before":"1","after":"3"}
--> {"id":"3","so_far":16,"before":"2","after":"4"}
--> {"id":"4","so_far":16,"before":"3","after":"none"}

-- rank, a window by name, shares
select shop, count(*) as n, rank() over w as place, sum(count(*)) over () as total from sales group by shop window w as (order by count(*) desc) order by shop
--> {"shop":"north","n":2,"place":1,"total":5}
--> {"shop":"south","n":2,"place":1,"total":5}
--> {"shop":"west","n":1,"place":3,"total":5}

-- qualify
select shop, id from sales where true qualify row_number() over (partition by shop order by id desc) = 1 order by shop
--> {"shop":"north","id":"2"}
--> {"shop":"south","id":"4"}
--> {"shop":"west","id":"5"}

-- names are the same in either case
SELECT Id, SHOP AS Place FROM sales AS S WHERE s.ID = '1' ORDER BY PLACE
--> {"Id":"1","Place":null}

-- a keyword for a name
select id as `select`, shop as `group by` from sales where id = '1'
--> {"select":"1","group by":"north"}

-- a column called as an alias of a table
with t as (select 1 as t, 2 as x) select t.t, t.x from t
--> {"t":1,"x":2}

-- a chain of conditions of any length
select count(*) as n from sales where id = '1' or id = '2' or id = 'x1' or id = 'x2' or id = 'x3' or id = 'x4' or id = 'x5' or id = 'x6' or id = 'x7' or id = 'x8' or id = 'x9' or id = 'y1' or id = 'y2' or id = 'y3' or id = 'y4' or id = 'y5' or id = 'y6' or id = 'y7' or id = 'y8' or id = 'y9' or id = 'z1' or id = 'z2'
--> {"n":2}
