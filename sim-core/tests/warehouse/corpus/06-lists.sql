-- # Lists, structures and JSON

-- lists
select [1, 2, 3] as a, ['x', 'y'] as b, [] as c, [1, 2.5] as d, [true, null] as e, array[1, 2] as f
--> {"a":[1,2,3],"b":["x","y"],"c":[],"d":[1.0,2.5],"e":[true,null],"f":[1,2]}

-- elements
select a[0] as a, a[offset(1)] as b, a[ordinal(1)] as c, a[safe_offset(9)] as d, a[safe_ordinal(2)] as e from (select [10, 20] as a)
--> {"a":10,"b":20,"c":10,"d":null,"e":20}

-- an element that is not there
select [1, 2][offset(2)] as x
--> error Array index 2 is out of bounds

-- elements of every type
select ['x'][0] as s, [1.5][0] as f, [true][0] as b, [date '2025-02-10'][0] as d, [timestamp '2025-02-10'][0] as t, [struct(1 as a)][0].a as n
--> {"s":"x","f":1.5,"b":true,"d":"2025-02-10","t":1739145600000000,"n":1}

-- UNNEST of a list
select x * 2 as y from unnest([1, 2, 3]) as x order by y desc
--> {"y":6}
--> {"y":4}
--> {"y":2}

-- UNNEST with offset
select x, i from unnest(['a', 'b']) as x with offset as i order by i
--> {"x":"a","i":0}
--> {"x":"b","i":1}

-- UNNEST of nothing
select count(*) as n from unnest([]) as x
--> {"n":0}

-- ARRAY of a query
select array(select x * x from unnest([3, 1, 2]) as x order by x) as squares
--> {"squares":[1,4,9]}

-- lists of structures
select array(select as struct x, x * x as square from unnest([1, 2]) as x order by x) as rows_
--> {"rows_":[{"x":1,"square":1},{"x":2,"square":4}]}

-- a list that comes with its row
with t as (select 'a' as k, [1, 2] as l union all select 'b', [] union all select 'c', [3])
select k, x from t, unnest(l) as x order by k, x
--> {"k":"a","x":1}
--> {"k":"a","x":2}
--> {"k":"c","x":3}

-- a left join with a list
with t as (select 'a' as k, [1, 2] as l union all select 'b', [])
select k, x from t left join unnest(t.l) as x order by k, x
--> {"k":"a","x":1}
--> {"k":"a","x":2}
--> {"k":"b","x":null}

-- array_length, array_concat, array_reverse, array_to_string
select array_length([1, 2]) as a, array_concat([1], [2, 3]) as b, array_reverse([1, 2]) as c, array_to_string(['a', null, 'b'], '-') as d, array_to_string(['a', null], '-', '?') as e, [1] || [2] as f
--> {"a":2,"b":[1,2,3],"c":[2,1],"d":"a-b","e":"a-?","f":[1,2]}

-- generate_array
select generate_array(1, 4) as a, generate_array(0, 10, 5) as b, generate_array(3, 1, -1) as c, generate_array(3, 1) as d
--> {"a":[1,2,3,4],"b":[0,5,10],"c":[3,2,1],"d":[]}

-- generate_array without end
select generate_array(1, 9000000000) as x
--> error

-- IN UNNEST
select 2 in unnest([1, 2]) as a, 'x' not in unnest(['y']) as b, 5 in unnest([]) as c
--> {"a":true,"b":true,"c":false}

-- array_agg of structures, and its first element
select k, array_agg(struct(x as x, y as y) order by x limit 1)[offset(0)].y as y from (select 'a' as k, 2 as x, 'late' as y union all select 'a', 1, 'early' union all select 'b', 5, 'only') group by k order by k
--> {"k":"a","y":"early"}
--> {"k":"b","y":"only"}

-- structures
select struct(1 as a, 'x' as b) as s, struct(1 as a, 'x' as b).b as b, (select as struct 5 as five, null as none) as t
--> {"s":{"a":1,"b":"x"},"b":"x","t":{"five":5,"none":null}}

-- moments inside structures and lists
select struct(timestamp '2025-02-10' as t, date '2025-02-10' as d, [datetime '2025-02-10 01:02:03'] as l, time '01:02:03' as h) as s
--> {"s":{"t":1739145600000000,"d":"2025-02-10","l":["2025-02-10T01:02:03"],"h":"01:02:03"}}

-- fields of unnested structures
select s.a, b from unnest([struct(1 as a, 'x' as b), struct(2, 'y')]) as s order by s.a desc
--> {"a":2,"b":"y"}
--> {"a":1,"b":"x"}

-- json_value and json_query of a text
select json_value('{"a":{"b":[1,"x"]}}', '$.a.b[1]') as a, json_value('{"a":1}', '$.a') as b, json_query('{"a":{"c":1,"b":2}}', '$.a') as c, json_value('no json', '$.a') as d, json_extract_scalar('{"a":true}', '$.a') as e, json_value('{"a b":1}', '$."a b"') as f
--> {"a":"x","b":"1","c":"{\"b\":2,\"c\":1}","d":null,"e":"true","f":"1"}

-- parse_json and its fields
select parse_json('{"a":[1,{"b":"x"}]}') as j, json_value(parse_json('{"a":[1,{"b":"x"}]}').a[1].b) as x, parse_json('{"k":"v"}')['k'] as v, array_length(json_query_array(parse_json('{"l":[1,2]}'), '$.l')) as n
--> {"j":[{"a":[1,{"b":"x"}]}],"x":"x","v":"v","n":2}

-- parse_json of what is none
select parse_json('{') as x
--> error

-- to_json_string
select to_json_string(1) as a, to_json_string('x"y') as b, to_json_string([1, 2]) as c, to_json_string(struct(1 as a, 'x' as b)) as d, to_json_string(null) as e, to_json_string(true) as f
--> {"a":"1","b":"\"x\\\"y\"","c":"[1,2]","d":"{\"a\":1,\"b\":\"x\"}","e":"null","f":"true"}
