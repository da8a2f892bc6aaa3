select json_typeof('"\u0000"'::json);
--> {"json_typeof":"string"}

select json_array_length('["\u0000", 1]'::json);
--> {"json_array_length":2}

select json_typeof('{"a\u0000": 1}'::json), json_typeof('["\ud800"]'::json);
--> {"json_typeof":"array"}

select '["\u0000", 1]'::json -> 1;
--> ERROR 22P05: unsupported Unicode escape sequence
--> DETAIL: \u0000 cannot be converted to text.

select '["\u0000", 1]'::json ->> 0;
--> ERROR 22P05: unsupported Unicode escape sequence
--> DETAIL: \u0000 cannot be converted to text.

select '["\u0000", 1]'::json -> 0;
--> ERROR 22P05: unsupported Unicode escape sequence
--> DETAIL: \u0000 cannot be converted to text.

select '{"a": "\u0000", "b": 2}'::json -> 'b', '{"a": "\u0000", "b": 2}'::json ->> 'b';
--> ERROR 22P05: unsupported Unicode escape sequence
--> DETAIL: \u0000 cannot be converted to text.

select '{"a": "\u0000", "b": 2}'::json #> '{b}', '{"a": "\u0000", "b": [1,2]}'::json #>> '{b,1}';
--> ERROR 22P05: unsupported Unicode escape sequence
--> DETAIL: \u0000 cannot be converted to text.

select '{"a": "\u0000", "b": 2}'::json -> 'a';
--> ERROR 22P05: unsupported Unicode escape sequence
--> DETAIL: \u0000 cannot be converted to text.

select json_array_elements('["\u0000", 1]'::json);
--> {"json_array_elements":"\u0000"}
--> {"json_array_elements":1}

select json_array_elements_text('[1, "\u0000"]'::json);
--> ERROR 22P05: unsupported Unicode escape sequence
--> DETAIL: \u0000 cannot be converted to text.

select json_each('{"a": "\u0000", "b": 2}'::json);
--> ERROR 22P05: unsupported Unicode escape sequence
--> DETAIL: \u0000 cannot be converted to text.

select json_object_keys('{"a": "\u0000", "b": 2}'::json);
--> ERROR 22P05: unsupported Unicode escape sequence
--> DETAIL: \u0000 cannot be converted to text.

select json_each_text('{"a": "\u0000", "b": 2}'::json);
--> ERROR 22P05: unsupported Unicode escape sequence
--> DETAIL: \u0000 cannot be converted to text.

select json_strip_nulls('{"a": "\u0000", "b": null}'::json);
--> ERROR 22P05: unsupported Unicode escape sequence
--> DETAIL: \u0000 cannot be converted to text.

select '"\ud83d\ude00"'::json ->> 0, json_typeof('"\ud83d"'::json);
--> {"?column?":null,"json_typeof":"string"}

select '{"a": "\ud83d"}'::json -> 'a';
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Unicode low surrogate must follow a high surrogate.

select '{"a": "\ud83d"}'::json ->> 'a';
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Unicode low surrogate must follow a high surrogate.

select '["\ud83d"]'::jsonb;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Unicode low surrogate must follow a high surrogate.
--> AT 8

select json_build_object('x', '"\u0000"'::json);
--> {"json_build_object":{"x":"\u0000"}}

select row_to_json(x) from (select '"\u0000"'::json as j) x;
--> {"row_to_json":{"j":"\u0000"}}

select json_agg('"\u0000"'::json);
--> {"json_agg":["\u0000"]}

select '"\u0000"'::json::text, '"\u0000"'::json::jsonb;
--> ERROR 22P05: unsupported Unicode escape sequence
--> DETAIL: \u0000 cannot be converted to text.

select '$.a['::jsonpath;
--> ERROR 42601: syntax error at end of jsonpath input
--> AT 8

select jsonb_path_query('{}', '$.a[');
--> ERROR 42601: syntax error at end of jsonpath input
--> AT 31

create table t (p jsonpath); insert into t values ('$.[');
--> ERROR 42601: syntax error at or near "[" of jsonpath input
--> AT 52
