-- json and jsonb.

select '{"a": {"b": [10, 20, {"c": "x"}]}}'::jsonb -> 'a' as a, '{"a": {"b": [10, 20]}}'::jsonb -> 'a' -> 'b' -> 1 as b, '{"a": "text"}'::jsonb ->> 'a' as c, '[1,2,3]'::jsonb -> -1 as d, '{"a": null}'::jsonb ->> 'a' as e, '{"a": 1}'::jsonb -> 'z' as f, '{"a": {"b":1}}'::jsonb ->> 'a' as g;
--> {"a":{"b":[10,20,{"c":"x"}]},"b":20,"c":"text","d":3,"e":null,"f":null,"g":"{\"b\": 1}"}

select '{"a": {"b": [10, 20, {"c": "x"}]}}'::jsonb #> '{a,b,2}' as a, '{"a": {"b": [10, 20, {"c": "x"}]}}'::jsonb #>> '{a,b,2,c}' as b, '{"a": 1}'::json #>> array['a'] as c;
--> {"a":{"c":"x"},"b":"x","c":"1"}

select '{"a": 1, "b": 2}'::jsonb @> '{"a": 1}' as a, '{"a": 1}'::jsonb <@ '{"a": 1, "b": 2}' as b, '[1, 2, 3]'::jsonb @> '[3, 1]' as c, '{"tags": ["x", "y"]}'::jsonb @> '{"tags": ["y"]}' as d, '[1, [2]]'::jsonb @> '[2]' as e, '["a", "b"]'::jsonb @> '"a"' as f;
--> {"a":true,"b":true,"c":true,"d":true,"e":false,"f":true}

select '{"a": 1, "b": 2}'::jsonb ? 'a' as a, '["x", "y"]'::jsonb ? 'y' as b, '{"a": 1}'::jsonb ?| array['z', 'a'] as c, '{"a": 1}'::jsonb ?& array['a', 'b'] as d;
--> {"a":true,"b":true,"c":true,"d":false}

select '{"a": 1}'::jsonb || '{"b": 2, "a": 3}'::jsonb as a, '[1]'::jsonb || '[2, 3]'::jsonb as b, '[1]'::jsonb || '{"a": 2}'::jsonb as c, '{"a": 1, "b": 2}'::jsonb - 'a' as d, '["a", "b", "c"]'::jsonb - 1 as e, '{"a": 1, "b": 2, "c": 3}'::jsonb - array['a', 'c'] as f, '{"a": {"b": 1, "c": 2}}'::jsonb #- '{a,b}' as g, '["x", "y"]'::jsonb - 'x' as h;
--> {"a":{"a":3,"b":2},"b":[1,2,3],"c":[1,{"a":2}],"d":{"b":2},"e":["a","c"],"f":{"b":2},"g":{"a":{"c":2}},"h":["y"]}

select jsonb_set('{"a": 1}', '{b}', '2') as a, jsonb_set('{"a": {"b": 1}}', '{a,b}', '"new"') as b, jsonb_set('{"a": 1}', '{b}', '2', false) as c, jsonb_set('[1, 2, 3]', '{1}', '9') as d, jsonb_insert('[1, 2]', '{1}', '5') as e, jsonb_insert('[1, 2]', '{1}', '5', true) as f, jsonb_set('[1]', '{5}', '2') as g;
--> {"a":{"a":1,"b":2},"b":{"a":{"b":"new"}},"c":{"a":1},"d":[1,9,3],"e":[1,5,2],"f":[1,2,5],"g":[1,2]}

select jsonb_build_object('id', 1, 'name', 'x', 'on', true, 'n', null, 'd', date '2024-01-01', 'num', 1.50, 'arr', array[1, 2]) as a, json_build_object('b', 1, 'a', jsonb_build_array(1, 'x', null)) as b, jsonb_build_array() as c, json_build_array(1, 'two', 3.0)::text as d;
--> {"a":{"d":"2024-01-01","n":null,"id":1,"on":true,"arr":[1,2],"num":1.5,"name":"x"},"b":{"b":1,"a":[1,"x",null]},"c":[],"d":"[1, \"two\", 3.0]"}

select jsonb_build_object('a');
--> ERROR 22023: argument list must have even number of elements
--> HINT: The arguments of jsonb_build_object() must consist of alternating keys and values.

select jsonb_build_object(null, 1);
--> ERROR 22023: argument 1: key must not be null

select to_jsonb('text'::text) as a, to_jsonb(5) as b, to_jsonb(array['x', 'y']) as c, to_json(timestamp '2024-05-06 07:08:09')::text as d, to_jsonb(1.10) as e, to_jsonb(null::text) as f, to_json('say "hi"'::text)::text as g, to_jsonb(true) as h;
--> {"a":"text","b":5,"c":["x","y"],"d":"\"2024-05-06T07:08:09\"","e":1.1,"f":null,"g":"\"say \\\"hi\\\"\"","h":true}

select to_jsonb(t) as a from (values (1, 'one', null::text), (2, 'two', 'x')) as t(id, name, note) order by id;
--> {"a":{"id":1,"name":"one","note":null}}
--> {"a":{"id":2,"name":"two","note":"x"}}

select row_to_json(t)::text as a from (select 1 as id, 'x' as name, array[1, 2] as list, '{"k": 1}'::jsonb as doc) as t;
--> {"a":"{\"id\":1,\"name\":\"x\",\"list\":[1,2],\"doc\":{\"k\": 1}}"}

select json_agg(t order by id) as a from (values (1, 'one'), (2, 'two')) as t(id, name);
--> {"a":[{"id":1,"name":"one"},{"id":2,"name":"two"}]}

select jsonb_agg(x order by x desc) as a, jsonb_agg(x) filter (where x > 5) as b, coalesce(jsonb_agg(x) filter (where x > 5), '[]') as c, json_agg(x order by x)::text as d from (values (1), (3), (2)) as t(x);
--> {"a":[3,2,1],"b":null,"c":[],"d":"[1, 2, 3]"}

select jsonb_object_agg(k, v) as a from (values ('b', 2), ('a', 1)) as t(k, v);
--> {"a":{"a":1,"b":2}}

select key, value from jsonb_each('{"a": 1, "b": {"c": 2}}') order by key;
--> {"key":"a","value":1}
--> {"key":"b","value":{"c":2}}

select key, value from jsonb_each_text('{"a": 1, "b": "x", "c": null}') order by key;
--> {"key":"a","value":"1"}
--> {"key":"b","value":"x"}
--> {"key":"c","value":null}

select value from jsonb_array_elements('[1, "two", {"three": 3}]') as t(value);
--> {"value":1}
--> {"value":"two"}
--> {"value":{"three":3}}

select value, ordinality from jsonb_array_elements_text('["a", "b"]') with ordinality as t(value, ordinality);
--> {"value":"a","ordinality":1}
--> {"value":"b","ordinality":2}

select jsonb_object_keys('{"b": 1, "a": 2}') as key order by 1;
--> {"key":"a"}
--> {"key":"b"}

select jsonb_array_length('[1, 2, [3]]') as a, jsonb_typeof('{}') as b, jsonb_typeof('[]') as c, jsonb_typeof('"x"') as d, jsonb_typeof('1.5') as e, jsonb_typeof('true') as f, jsonb_typeof('null') as g, json_typeof('1') as h;
--> {"a":3,"b":"object","c":"array","d":"string","e":"number","f":"boolean","g":"null","h":"number"}

select jsonb_array_length('{"a": 1}');
--> ERROR 22023: cannot get array length of a non-array

select jsonb_array_elements('{"a": 1}');
--> ERROR 22023: cannot extract elements from an object

select jsonb_strip_nulls('{"a": null, "b": {"c": null, "d": 1}, "e": [null]}') as a, jsonb_pretty('{"a": [1, 2], "b": {}}') as b;
--> {"a":{"b":{"d":1},"e":[null]},"b":"{\n    \"a\": [\n        1,\n        2\n    ],\n    \"b\": {\n    }\n}"}

select jsonb_path_query('{"a": [1, 2, 3]}', '$.a[*] ? (@ > 1)') as v;
--> {"v":2}
--> {"v":3}

select jsonb_path_exists('{"a": [1, 2, 3]}', '$.a[*] ? (@ > 2)') as a, jsonb_path_query_first('{"a": {"b": 5}}', '$.a.b') as b, jsonb_path_query_array('[1, 2, 3]', '$[*]') as c, '{"a": 1}'::jsonb @? '$.a' as d, '{"a": 1}'::jsonb @@ '$.a == 1' as e;
--> {"a":true,"b":5,"c":[1,2,3],"d":true,"e":true}

select '{"a": 1}'::jsonb = '{"a":1.0}'::jsonb as a, '{"a": 1, "b": 2}'::jsonb = '{"b": 2, "a": 1}'::jsonb as b, '[1, 2]'::jsonb < '[1, 3]'::jsonb as c;
--> {"a":true,"b":true,"c":true}

select ('{"n": 5}'::jsonb ->> 'n')::int + 1 as a, ('{"n": 5}'::jsonb -> 'n')::int as b, ('{"f": true}'::jsonb ->> 'f')::boolean as c, ('{"d": "2024-01-01"}'::jsonb ->> 'd')::date as d, ('"x"'::jsonb) #>> '{}' as e, '5'::jsonb::numeric as f;
--> {"a":6,"b":5,"c":true,"d":"2024-01-01","e":"x","f":"5"}

select '{"a": "x"}'::jsonb -> 'a' -> 'b' as a, '{"a": "x"}'::jsonb::int as b;
--> ERROR 22023: cannot cast jsonb object to type integer

select ('{"list": ["p", "q"]}'::jsonb)['list'][0] as a, ('{"a": {"b": 1}}'::jsonb)['a']['b'] as b;
--> {"a":"p","b":1}

select * from jsonb_to_record('{"a": 1, "b": "x", "c": [1, 2]}') as t(a int, b text, c jsonb, d text);
--> {"a":1,"b":"x","c":[1,2],"d":null}

select * from jsonb_to_recordset('[{"id": 1, "name": "one"}, {"id": 2, "name": "two"}]') as t(id int, name text) order by id;
--> {"id":1,"name":"one"}
--> {"id":2,"name":"two"}

select '"\u00e9\n\t\"q\" \/"'::jsonb as a, '"a\\b"'::jsonb::text as b, '1.10'::jsonb::text as c, '1e3'::jsonb::text as d, '[]'::jsonb::text as e, '{"long_key": 1, "b": 2, "aa": 3}'::jsonb::text as f;
--> {"a":"é\n\t\"q\" /","b":"\"a\\\\b\"","c":"1.10","d":"1000","e":"[]","f":"{\"b\": 2, \"aa\": 3, \"long_key\": 1}"}

select json_array_elements('[1,2]')::text as a;
--> {"a":"1"}
--> {"a":"2"}

select jsonb_object('{a,1,b,2}') as a, jsonb_object(array['k1', 'k2'], array['v1', 'v2']) as b;
--> {"a":{"a":"1","b":"2"},"b":{"k1":"v1","k2":"v2"}}

select count(*) as a from (values ('{"role": "admin"}'::jsonb), ('{"role": "user"}'), ('{}')) as t(meta) where meta ->> 'role' = 'admin' or not meta ? 'role';
--> {"a":2}

select '{"a" 1}'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Expected ":", but found "1".
--> AT 8

select '[1 2]'::jsonb;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Expected "," or "]", but found "2".
--> AT 8

select '{"a":1,}'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Expected string, but found "}".
--> AT 8

select '{"a":1 "b"}'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Expected "," or "}", but found ""b"".
--> AT 8

select '[1] 2'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Expected end of input, but found "2".
--> AT 8

select '{1:2}'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Expected string or "}", but found "1".
--> AT 8

select '[tru]'::jsonb;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "tru" is invalid.
--> AT 8

select '{"a": 1'::jsonb;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: The input string ended unexpectedly.
--> AT 8
