-- Subscripts of JSON paths that are computed.

select jsonb_path_query_array('[1,2,3,4]', '$[0 to $last]', jsonb_build_object('last', 1));
--> {"jsonb_path_query_array":[1,2]}

select jsonb_path_query_array('[1,2,3,4]', '$[$i]', '{"i": 2}');
--> {"jsonb_path_query_array":[3]}

select jsonb_path_query_array('[1,2,3,4]', '$[$i + 1, last - $i, last - 1 to last]', '{"i": 1}');
--> {"jsonb_path_query_array":[3,3,3,4]}

select jsonb_path_query_array('[1,2,3,4]', '$[$i]', '{"i": 1.9}');
--> {"jsonb_path_query_array":[2]}

select jsonb_path_query_array('[1,2,3,4]', '$[-1]');
--> {"jsonb_path_query_array":[]}

select jsonb_path_query_array('[1,2,3,4]', '$[last - 10]');
--> {"jsonb_path_query_array":[]}

select jsonb_path_query_array('[1,2,3,4]', '$[$i]', '{"i": "1"}');
--> ERROR 22033: jsonpath array subscript is not a single numeric value

select jsonb_path_query_array('[1,2,3,4]', '$[$i]', '{"i": [1]}');
--> ERROR 22033: jsonpath array subscript is not a single numeric value

select jsonb_path_query_array('[1,2,3,4]', '$[$i]', '{"i": null}');
--> ERROR 22033: jsonpath array subscript is not a single numeric value

select jsonb_path_query_array('[1,2,3,4]', '$[$i]', '{}');
--> ERROR 42704: could not find jsonpath variable "i"

select jsonb_path_query_array('[1,2,3,4]', '$[99999999999]');
--> ERROR 22033: jsonpath array subscript is out of integer range

select jsonb_path_query_array('[1,2,3,4]', 'strict $[7]');
--> ERROR 22033: jsonpath array subscript is out of bounds

select jsonb_path_query_array('[1,2,3,4]', 'strict $[-1]');
--> ERROR 22033: jsonpath array subscript is out of bounds

select jsonb_path_query_array('[1,2,3,4]', 'strict $[2 to 1]');
--> ERROR 22033: jsonpath array subscript is out of bounds

select jsonb_path_query_array('[1,2,3,4]', '$[2 to 1]');
--> {"jsonb_path_query_array":[]}

select jsonb_path_query_array('[1,2,3,4]', 'last');
--> ERROR 42601: LAST is allowed only in array subscripts
--> AT 44

select jsonb_path_query_array('{"a": [10,20,30], "i": 1}', '$.a[$.i]');
--> {"jsonb_path_query_array":[20]}

select jsonb_path_query_array('[{"a": [10,20,30], "i": 1}, {"a": [5], "i": 0}]', '$[*] ? (@.a[@.i] > 15)');
--> {"jsonb_path_query_array":[{"a":[10,20,30],"i":1}]}

select jsonb_path_query_array('{"a": [[1,2],[3,4,5]]}', '$.a[*][last]');
--> {"jsonb_path_query_array":[2,5]}

select jsonb_path_query_array('{"a": [[1,2],[3,4,5]]}', '$.a[last][last - $n]', '{"n": 1}');
--> {"jsonb_path_query_array":[4]}

select jsonb_path_query_array('[1,2,3,4]', '$[(1 + 1) * 1, 0.7, $.size() - 1]');
--> {"jsonb_path_query_array":[3,1,4]}

select jsonb_path_query_array('[1,2,3,4]', '$["a"]');
--> ERROR 22033: jsonpath array subscript is not a single numeric value

select jsonb_path_query_array('[1,2,3,4]', '$[true]');
--> ERROR 22033: jsonpath array subscript is not a single numeric value

select jsonb_path_query_array('[1,2,3,4]', '$[*].double()');
--> {"jsonb_path_query_array":[1,2,3,4]}

select jsonb_path_exists('[1,2,3]', '$[$x to last] ? (@ > $min)', '{"x": 1, "min": 2}');
--> {"jsonb_path_exists":true}

select jsonb_path_query_first('[1,2,3]', '$[last]');
--> {"jsonb_path_query_first":3}

select jsonb_path_query('[[1,2],[3]]', '$[0 to 1][0]');
--> {"jsonb_path_query":1}
--> {"jsonb_path_query":3}

select jsonb_path_query_array('5', '$[0, last]');
--> {"jsonb_path_query_array":[5,5]}

select jsonb_path_query_array('5', 'strict $[0]');
--> ERROR 22039: jsonpath array accessor can only be applied to an array

select jsonb_path_query_array('[]', '$[last]');
--> {"jsonb_path_query_array":[]}

select jsonb_path_query_array('[]', 'strict $[last]');
--> ERROR 22033: jsonpath array subscript is out of bounds

select jsonb_path_query_array('[1,2,3]', '$[last to 0]');
--> {"jsonb_path_query_array":[]}

select jsonb_path_query_array('[1,2,3]', '$[0 to ]');
--> ERROR 42601: syntax error at or near "]" of jsonpath input
--> AT 42

select jsonb_path_query_array('[1,2,3]', '$[$a', '{"a": 1}');
--> ERROR 42601: syntax error at end of jsonpath input
--> AT 42

select jsonb_path_query_array('[1,2,3]', '$[$"a b"]', '{"a b": 1}');
--> {"jsonb_path_query_array":[2]}

select jsonb_path_query_array('[1,2,3]', '$[1 / 0]');
--> ERROR 22012: division by zero

select jsonb_path_exists('[1,2,3]', '$[1 / 0]', silent => true);
--> {"jsonb_path_exists":null}
