-- # Pipes, functions of elements, and what windows collect in the warehouse's dialect

--= source a.logs
--= {"id":"1","timestamp":1739181600000000,"event_message":"status 200 for /items","metadata":{"tags":["x","y"],"n":1}}
--= {"id":"2","timestamp":1739181900000000,"event_message":"Status 500 for /users","metadata":{"tags":["y"],"n":7}}
--= {"id":"3","timestamp":1739185200000000,"event_message":"boot","metadata":{"n":7}}

-- pipes: a condition and columns
from `a.logs` |> where id > '1' |> select id, event_message as m |> order by id desc
--> {"id":"3","m":"boot"}
--> {"id":"2","m":"Status 500 for /users"}

-- pipes: an aggregate with keys, which come first
from `a.logs` |> as t |> aggregate count(*) as n, max(t.id) as last group by t.metadata.n as k |> where n > 0 |> order by k
--> {"k":1,"n":1,"last":"1"}
--> {"k":7,"n":2,"last":"3"}

-- pipes: an aggregate of all rows
select id from `a.logs` |> aggregate count(*) as n
--> {"n":3}

-- pipes: columns more
from `a.logs` |> extend length(event_message) as l |> where l < 10 |> extend l * 2 as double |> select id, l, double
--> {"id":"3","l":4,"double":8}

-- pipes: rows of an order and a limit, and then their columns
from `a.logs` |> order by id desc |> limit 1 |> select id
--> {"id":"3"}

-- pipes: a limit twice
select id from `a.logs` |> order by id |> limit 2 |> order by id desc |> limit 1
--> {"id":"2"}

-- pipes: other values, other names and fewer columns
select id, event_message from `a.logs` |> set event_message = upper(event_message) |> rename event_message as m |> drop id |> order by m |> limit 1
--> {"m":"BOOT"}

-- pipes: a join
from `a.logs` as a |> join (select '2' as k) as b on a.id = b.k |> select a.id, b.k
--> {"id":"2","k":"2"}

-- pipes: all columns are refused as everywhere
from `a.logs` |> where id = '1'
--> refused Wildcard: restricted wildcard (*) in a result column

-- pipes: a step that is not known
from `a.logs` |> select id |> union all (select 'x' as id)
--> refused Unsupported: |> UNION is not supported

-- pipes: a change of columns that are not told
from `a.logs` |> drop id |> select event_message
--> refused Unsupported: |> DROP before SELECT or AGGREGATE is not supported

-- lists of a group one after another
select array_concat_agg(t.metadata.tags) as tags from `a.logs` t
--> {"tags":["x","y","y"]}

-- lists of a group in an order, and so many of them
select array_concat_agg(x.l order by x.o desc limit 2) as r from unnest([struct([1, 2] as l, 1 as o), struct([3] as l, 2 as o), struct([4] as l, 3 as o)]) as x
--> {"r":[4,3]}

-- ERROR where nothing comes to it
select if(id = '9', error('no such event'), id) as id from `a.logs` order by id limit 1
--> {"id":"1"}

-- ERROR
select error('bad') as r
--> error bad

-- ARRAY_TRANSFORM and ARRAY_FILTER
select array_transform([1, 2, 3], e -> e * 2) as a, array_filter([1, 2, 3], e -> e > 1 and e < 3) as b, array_transform(['a', 'b'], (e, i) -> concat(e, cast(i as string))) as c
--> {"a":[2,4,6],"b":[2],"c":["a0","b1"]}

-- functions of elements that use a column
select id, array_filter(t.metadata.tags, tag -> tag > t.id and tag != 'x') as tags from `a.logs` t where id = '1'
--> {"id":"1","tags":["y"]}

-- whether a list has elements
select array_includes([1, 2], 2) as a, array_includes([1, 2], e -> e > 2) as b, array_includes_any([1, 2], [2, 3]) as c, array_includes_all([1, 2], [1, 3]) as d
--> {"a":true,"b":false,"c":true,"d":false}

-- elements and their places
select array_find([1, 2, 3], e -> e > 1) as a, array_find_all([1, 2, 3], e -> e > 1) as b, array_offset([5, 6, 5], 5) as c, array_offsets([5, 6, 5], 5) as d, array_offset([5, 6], e -> e > 5) as e
--> {"a":2,"b":[2,3],"c":0,"d":[0,2],"e":1}

-- numbers of a list
select array_max([1, 3, 2]) as a, array_min([2, 1]) as b, array_sum([1, 2]) as c, array_avg([1, 2]) as d, array_is_distinct([1, 1]) as e, array_is_distinct([1, 2]) as f
--> {"a":3,"b":1,"c":3,"d":1.5,"e":false,"f":true}

-- distances
select euclidean_distance([1.0, 2.0], [4.0, 6.0]) as a, round(cosine_distance([1.0, 0.0], [1.0, 1.0]), 4) as b
--> {"a":5.0,"b":0.2929}

-- SEARCH
select id from `a.logs` where search(event_message, 'status') and not search(event_message, 'stat') order by id
--> {"id":"1"}
--> {"id":"2"}

-- SEARCH for several words
select id from `a.logs` where search(event_message, 'for 500')
--> {"id":"2"}

-- what a window collects
select x, string_agg(cast(x as string), '-') over (order by x) as a, array_agg(x) over (order by x rows between 1 preceding and current row) as b, count(distinct mod(x, 2)) over () as c, any_value(x) over (order by x) as d from unnest([1, 2, 3]) as x order by x
--> {"x":1,"a":"1","b":[1],"c":2,"d":1}
--> {"x":2,"a":"1-2","b":[1,2],"c":2,"d":1}
--> {"x":3,"a":"1-2-3","b":[2,3],"c":2,"d":1}

-- spread in a window
select x, stddev_pop(x) over (order by x) as a, var_samp(x) over (order by x rows between 1 preceding and current row) as b from unnest([1, 3, 5]) as x order by x
--> {"x":1,"a":0.0,"b":null}
--> {"x":3,"a":1.0,"b":2.0}
--> {"x":5,"a":1.632993161855452,"b":2.0}

-- a window made of another
select x, sum(x) over (w rows between 1 preceding and current row) as s from unnest([1, 2, 3]) as x window w as (order by x) order by x
--> {"x":1,"s":1}
--> {"x":2,"s":3}
--> {"x":3,"s":5}

-- GROUPS are no frames of the warehouse
select sum(x) over (order by x groups between 1 preceding and current row) as s from unnest([1]) as x
--> refused Unsupported: a frame of GROUPS is not supported

-- GROUPING of a name of the list
select mod(x, 2) as p, count(*) as n, grouping(p) as g from unnest([1, 2, 3]) as x group by rollup(p) order by g, p
--> {"p":0,"n":1,"g":0}
--> {"p":1,"n":2,"g":0}
--> {"p":null,"n":3,"g":1}

-- a sample of all rows
select count(*) as n from `a.logs` tablesample system (100 percent)
--> {"n":3}

-- a sample at random
select count(*) as n from `a.logs` tablesample system (10 percent)
--> refused Unsupported: `a`.`logs` TABLESAMPLE SYSTEM (10 PERCENT) is not supported
