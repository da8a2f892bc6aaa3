-- Refusals of JSON paths.

select jsonb_path_query('1', 'strict $.*');
--> ERROR 2203C: jsonpath wildcard member accessor can only be applied to an object

select jsonb_path_query('[1]', 'strict $.*');
--> ERROR 2203C: jsonpath wildcard member accessor can only be applied to an object

select jsonb_path_query('{"a":1}', 'strict $.*');
--> {"jsonb_path_query":1}

select jsonb_path_query('1', '$.*');
--> no rows

select jsonb_path_query('1', 'strict $.*', silent => true);
--> no rows

select jsonb_path_query('{"a":[1,{"b":2}]}', 'strict $.a[*].*');
--> ERROR 2203C: jsonpath wildcard member accessor can only be applied to an object

select jsonb_path_query('{"a":[1,{"b":2}]}', 'lax $.a[*].*');
--> {"jsonb_path_query":2}

select jsonb_path_query('{}', 'strict $.size()');
--> ERROR 22039: jsonpath item method .size() can only be applied to an array

select jsonb_path_query('{}', '$.size()');
--> {"jsonb_path_query":1}

select jsonb_path_query('[1,2]', 'strict $.size()');
--> {"jsonb_path_query":2}

select jsonb_path_query('[1,[2,3]]', 'strict $[*].size()');
--> ERROR 22039: jsonpath item method .size() can only be applied to an array

select jsonb_path_query('[1,[2,3]]', 'strict $[*] ? (@.size() > 1)');
--> {"jsonb_path_query":[2,3]}

select jsonb_path_query('[{"a":1},2]', 'strict $[*] ? (@.* == 1)');
--> {"jsonb_path_query":{"a":1}}

select jsonb_path_exists('1', 'strict $.*'), '1'::jsonb @? 'strict $.*', '1'::jsonb @@ 'strict $.* == 1';
--> ERROR 2203C: jsonpath wildcard member accessor can only be applied to an object

select jsonb_path_query('1', '@');
--> ERROR 42601: @ is not allowed in root expressions
--> AT 30

select jsonb_path_query('[1]', '$[@]');
--> ERROR 42601: @ is not allowed in root expressions
--> AT 32

select jsonb_path_query('[1]', '@ ? (@ > 1)');
--> ERROR 42601: @ is not allowed in root expressions
--> AT 32

select jsonb_path_query('[1]', '$[*] ? (@ == 1)');
--> {"jsonb_path_query":1}

select jsonb_path_query('[[1]]', '$[*] ? (exists(@[*] ? (@ == 1)))');
--> {"jsonb_path_query":1}

select jsonb_path_query('1', '$ + @');
--> ERROR 42601: @ is not allowed in root expressions
--> AT 30

select ''::jsonpath;
--> ERROR 22P02: invalid input syntax for type jsonpath: ""
--> AT 8

select '  '::jsonpath;
--> ERROR 22P02: invalid input syntax for type jsonpath: "  "
--> AT 8

select jsonb_path_query('1', '');
--> ERROR 22P02: invalid input syntax for type jsonpath: ""
--> AT 30

select '$.foo()'::jsonpath;
--> ERROR 42601: syntax error at or near "(" of jsonpath input
--> AT 8

select jsonb_path_query('{"foo":1}', '$.foo');
--> {"jsonb_path_query":1}

select jsonb_path_query('1', '$.type().foo()');
--> ERROR 42601: syntax error at or near "(" of jsonpath input
--> AT 30

select jsonb_path_query('{"a":1}', 'strict $.b');
--> ERROR 2203A: JSON object does not contain key "b"

select jsonb_path_query('[1]', 'strict $[3]');
--> ERROR 22033: jsonpath array subscript is out of bounds

select jsonb_path_query('1', 'strict $[*]');
--> ERROR 22039: jsonpath wildcard array accessor can only be applied to an array

select jsonb_path_query('1', 'strict $.a');
--> ERROR 2203A: jsonpath member accessor can only be applied to an object

select jsonb_path_query('"a"', '$ + 1');
--> ERROR 22038: left operand of jsonpath operator + is not a single numeric value

select jsonb_path_query('1', '$ / 0');
--> ERROR 22012: division by zero

select jsonb_path_query('[1,2]', '$[*] + $[*]');
--> ERROR 22038: left operand of jsonpath operator + is not a single numeric value

select jsonb_path_query('"nan"', '$.double()');
--> ERROR 22036: string argument of jsonpath item method .double() is not a valid representation of a double precision number

select jsonb_path_query('[1]', '$.keyvalue()');
--> ERROR 2203C: jsonpath item method .keyvalue() can only be applied to an object

select jsonb_path_query('1', '$x');
--> ERROR 42704: could not find jsonpath variable "x"

select jsonb_path_query('1', '$x', '[]');
--> ERROR 22023: "vars" argument is not an object
--> DETAIL: Jsonpath parameters should be encoded as key-value pairs of "vars" object.

select jsonb_path_query('[1]', '$["a"]');
--> ERROR 22033: jsonpath array subscript is not a single numeric value

select jsonb_path_query('[1,2,3]', 'strict $[last + 1]');
--> ERROR 22033: jsonpath array subscript is out of bounds

select jsonb_path_query('1', 'last');
--> ERROR 42601: LAST is allowed only in array subscripts
--> AT 30
