-- What is wrong in a JSON text, and where it ends.

select '(1,2)'::jsonb;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "(" is invalid.
--> AT 8

select '{"a":1,}'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Expected string, but found "}".
--> AT 8

select '{"a":'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: The input string ended unexpectedly.
--> AT 8

select ''::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: The input string ended unexpectedly.
--> AT 8

select '{"a" 1}'::jsonb;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Expected ":", but found "1".
--> AT 8

select '{"a":"b
c"}'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Character with value 0x0a must be escaped.
--> AT 8

select '"\x"'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Escape sequence "\x" is invalid.
--> AT 8

select '"\u00"'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: "\u" must be followed by four hexadecimal digits.
--> AT 8

select '"\u0000"'::jsonb;
--> ERROR 22P05: unsupported Unicode escape sequence
--> DETAIL: \u0000 cannot be converted to text.
--> AT 8

select '[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27, x, 1,2]'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "x" is invalid.
--> AT 8

select '{
 "a": 1,
 "b": tru,
 "c": 3
}'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "tru" is invalid.
--> AT 8

select '{"a":1} x'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "x" is invalid.
--> AT 8

select '[1 2]'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Expected "," or "]", but found "2".
--> AT 8

select '{a:1}'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "a" is invalid.
--> AT 8

select '01'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "01" is invalid.
--> AT 8

select '1.'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "1." is invalid.
--> AT 8

select '-'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "-" is invalid.
--> AT 8

select '"abc'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token ""abc" is invalid.
--> AT 8

select '{"k": "ünï", "ö": ä}'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "ä" is invalid.
--> AT 8

create table t (j jsonb);
--> no rows

insert into t values ('{"a"');
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: The input string ended unexpectedly.
--> AT 23

insert into t select x::jsonb from (values ('{b}')) v(x);
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "b" is invalid.

do $$ begin perform '{x}'::jsonb; end $$;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "x" is invalid.

create function f(t text) returns jsonb language plpgsql as $$ declare r jsonb; begin r := t; return r; end $$;
--> no rows

select f('{x}');
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "x" is invalid.

create function g(t text) returns jsonb language plpgsql as $$ declare r jsonb; begin r := t::jsonb; return r; end $$;
--> no rows

select g('{x}');
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "x" is invalid.

create function h(t text) returns jsonb language plpgsql as $$ declare r jsonb; begin select t::jsonb into r; return r; end $$;
--> no rows

select h('{x}');
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "x" is invalid.

select '"\ud800"'::jsonb;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Unicode low surrogate must follow a high surrogate.
--> AT 8

select '"\udc00x"'::jsonb;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Unicode low surrogate must follow a high surrogate.
--> AT 8

select 'nulll'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "nulll" is invalid.
--> AT 8

select '[,]'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Expected JSON value, but found ",".
--> AT 8

select '{"a":}'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Expected JSON value, but found "}".
--> AT 8

select '{1:2}'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Expected string or "}", but found "1".
--> AT 8

select json '{"a":1}' -> 'a', 'true1'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "true1" is invalid.
--> AT 31

select '"\u0000"'::json::text as a, '"\ud800"'::json::text as b, '"\udc00"'::json::text as c;
--> {"a":"\"\\u0000\"","b":"\"\\ud800\"","c":"\"\\udc00\""}

select '"\u0000"'::json #>> '{}';
--> ERROR 22P05: unsupported Unicode escape sequence
--> DETAIL: \u0000 cannot be converted to text.

select '"\ud83d\ude00 \u00e4"'::jsonb, '"\ud83d\ude00"'::json ->> 0;
--> {"jsonb":"😀 ä","?column?":null}

select '"\ud83dx"'::jsonb;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Unicode low surrogate must follow a high surrogate.
--> AT 8

select '"\ud83d\ud83d"'::jsonb;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Unicode high surrogate must not follow a high surrogate.
--> AT 8

select '"\ud83d\n"'::jsonb;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Unicode low surrogate must follow a high surrogate.
--> AT 8

select '1e'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "1e" is invalid.
--> AT 8

select '-01'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "-01" is invalid.
--> AT 8

select '1_000'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "1_000" is invalid.
--> AT 8

select '"a	b"'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Character with value 0x09 must be escaped.
--> AT 8

select 'a'::text + 'b'::text;
--> ERROR 42883: operator does not exist: text + text
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 18

select 1.5::numeric(10, 2) || 'b'::jsonb;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "b" is invalid.
--> AT 31

select '{}'::json like 'x';
--> ERROR 42883: operator does not exist: json ~~ unknown
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 19

select 'x'::text::json in ('{}');
--> ERROR 42883: operator does not exist: json = unknown
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 24
