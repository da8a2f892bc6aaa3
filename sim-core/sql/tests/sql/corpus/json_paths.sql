select jsonb_path_query_array('[1, 2, 3]', '$[*] ? (@ > $least)', '{"least": 1}') as a, jsonb_path_query_first('[1, 2, 3]', '$[*] ? (@ > $least)', '{"least": 2}') as b, jsonb_path_exists('[1]', '$[*] ? (@ == $x)', vars => '{"x": 1}') as c, jsonb_path_match('{"a": 1}', '$.a == $x', '{"x": 2}') as d;
--> {"a":[2,3],"b":3,"c":true,"d":false}

select jsonb_path_query('{"a": "x"}', '$.a ? (@ == $"the name")', '{"the name": "x"}') as v;
--> {"v":"x"}

select jsonb_path_query_array('[1]', '$[*] ? (@ > $missing)', '{"least": 1}');
--> ERROR 42704: could not find jsonpath variable "missing"

select jsonb_path_query_array('[1]', '$', '[]');
--> ERROR 22023: "vars" argument is not an object
--> DETAIL: Jsonpath parameters should be encoded as key-value pairs of "vars" object.

select jsonb_path_query_array('[1, 2, 3, 4]', '$[*] ? (@ % 2 == 0)') as a, jsonb_path_query_array('[1, 2]', '$[*] * 2');
--> ERROR 22038: left operand of jsonpath operator * is not a single numeric value

select jsonb_path_query('{"a": 7, "b": 2}', '$.a + $.b * 2') as a, jsonb_path_query('{"a": 7}', '$.a / 2') as b, jsonb_path_query('{"a": 7}', '($.a - 2) % 3') as c, jsonb_path_query('[1, -2]', '-$[*]') as d;
--> {"a":11,"b":3.5,"c":2,"d":-1}
--> {"a":null,"b":null,"c":null,"d":2}

select jsonb_path_query('{"a": [1]}', '$.a / 0');
--> ERROR 22012: division by zero

select jsonb_path_query('{"a": "x"}', '$.a + 1');
--> ERROR 22038: left operand of jsonpath operator + is not a single numeric value

select jsonb_path_query_array('["1.5", 2, "x"]', '$[0 to 1].double()') as a, jsonb_path_query_array('[1.5, -1.5]', '$[*].ceiling()') as b, jsonb_path_query_array('[1.5, -1.5]', '$[*].floor()') as c, jsonb_path_query_array('[1.5, -1.5]', '$[*].abs()') as d;
--> {"a":[1.5,2],"b":[2,-1],"c":[1,-2],"d":[1.5,1.5]}

select jsonb_path_query('["x"]', '$[*].double()');
--> ERROR 22036: string argument of jsonpath item method .double() is not a valid representation of a double precision number

select jsonb_path_query('["x"]', '$[*].abs()');
--> ERROR 22036: jsonpath item method .abs() can only be applied to a numeric value

select jsonb_path_query('[1]', '$[*].keyvalue()');
--> ERROR 2203C: jsonpath item method .keyvalue() can only be applied to an object

select jsonb_path_query_array('{"a": 1, "b": [2, 3]}', '$.keyvalue().key') as a, jsonb_path_query_array('{"a": 1, "b": [2, 3]}', '$.keyvalue().value[*]') as b, jsonb_path_query('{"a": 1}', '$.keyvalue()') as c;
--> {"a":["a","b"],"b":[1,2,3],"c":{"id":0,"key":"a","value":1}}

select jsonb_path_query_array('{"a": {"b": {"c": 1}}, "c": 2}', '$.**.c') as a, jsonb_path_query_array('{"a": {"b": 1}}', '$.**') as b, jsonb_path_query_array('{"a": {"b": 1}}', '$.**{1}') as c, jsonb_path_query_array('{"a": {"b": [1]}}', 'strict $.**{1 to 2}') as d, jsonb_path_query_array('{"a": {"b": {"c": 1}}, "c": 2}', 'strict $.**.c') as e;
--> {"a":[2,1],"b":[{"a":{"b":1}},{"b":1},1],"c":[{"b":1}],"d":[{"b":[1]},[1]],"e":[2,1]}

select jsonb_path_query_array('["abc", "Abd", "xab", 1]', '$[*] ? (@ like_regex "^ab")') as a, jsonb_path_query_array('["abc", "Abd", "xab", 1]', '$[*] ? (@ like_regex "^ab" flag "i")') as b, jsonb_path_query_array('["a.c", "abc"]', '$[*] ? (@ like_regex "a.c" flag "q")') as c, jsonb_path_query_array('["a\nb"]', '$[*] ? (@ like_regex "^b" flag "m")') as d, jsonb_path_query_array('["a\nb"]', '$[*] ? (@ like_regex "a.b")') as e;
--> {"a":["abc"],"b":["abc","Abd"],"c":["a.c"],"d":["a\nb"],"e":[]}

select jsonb_path_query_array('["a"]', '$[*] ? (@ like_regex "(")');
--> ERROR 2201B: invalid regular expression: parentheses () not balanced
--> AT 40

select jsonb_path_query_array('["a"]', '$[*] ? (@ like_regex "a" flag "z")');
--> ERROR 42601: invalid input syntax for type jsonpath
--> DETAIL: Unrecognized flag character "z" in LIKE_REGEX predicate.
--> AT 40

select '{"n": [{"s": "low", "k": 5}, {"s": "HIGH", "k": 3}]}'::jsonb @? '$.n[*] ? (@.k < 4 && @.s like_regex "^h" flag "i")' as a, '[1, 2]'::jsonb @@ '$[0] + 1 == $[1]' as b;
--> {"a":true,"b":true}

select jsonb_path_query_array('{"a": 1}', 'strict $.b', silent => true) as a, jsonb_path_exists('{"a": 1}', 'strict $.b', '{}', true) as b, jsonb_path_match('{"a": 1}', '$.a', silent => true) as c, jsonb_path_query_first('["x"]', '$[*].double()', '{}', true) as d;
--> {"a":[],"b":null,"c":null,"d":null}

select jsonb_path_query_array(null, '$') as a, jsonb_path_query_array('[1]', '$[*]', null) as b;
--> {"a":null,"b":null}

select jsonb_path_query_array('[1e2, 1.5e1, -3]', '$[*] ? (@ == 1e2 || @ == 15 || @ == -3)') as v;
--> {"v":[100,15,-3]}

select jsonb_set_lax('{"a": 1, "b": 2}', '{a}', null) as a, jsonb_set_lax('{"a": 1, "b": 2}', '{a}', null, true, 'delete_key') as b, jsonb_set_lax('{"a": 1}', '{a}', null, true, 'return_target') as c, jsonb_set_lax('{"a": 1}', '{b}', '2') as d, jsonb_set_lax('{"a": 1}', '{b}', '2', false, 'delete_key') as e, jsonb_set_lax(null, '{b}', '2') is null as f;
--> {"a":{"a":null,"b":2},"b":{"b":2},"c":{"a":1},"d":{"a":1,"b":2},"e":{"a":1},"f":true}

select jsonb_set_lax('{"a": 1}', '{a}', null, true, 'raise_exception');
--> ERROR 22004: JSON value must not be null
--> DETAIL: Exception was raised because null_value_treatment is "raise_exception".
--> HINT: To avoid, either change the null_value_treatment argument or ensure that an SQL NULL is not passed.

select jsonb_set_lax('{"a": 1}', '{a}', null, true, 'other');
--> ERROR 22023: null_value_treatment must be "delete_key", "return_target", "use_json_null", or "raise_exception"
