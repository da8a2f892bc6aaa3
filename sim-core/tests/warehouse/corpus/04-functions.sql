-- # Functions of texts and numbers

-- case and length
select lower('ABC') as a, upper('abc') as b, length('Grüße') as c, byte_length('Grüße') as d, char_length('') as e, initcap('hello world') as f
--> {"a":"abc","b":"ABC","c":5,"d":7,"e":0,"f":"Hello World"}

-- substr
select substr('apple', 2) as a, substr('apple', 2, 2) as b, substr('apple', -2) as c, substr('apple', 0) as d, substr('apple', 9) as e, substr('apple', -9, 2) as f
--> {"a":"pple","b":"pp","c":"le","d":"apple","e":"","f":"ap"}

-- left, right, substring
select left('apple', 3) as a, right('apple', 3) as b, left('apple', 99) as c, right('', 3) as d, substring('apple', 3) as e
--> {"a":"app","b":"ple","c":"apple","d":"","e":"ple"}

-- concat and ||
select concat('a', 'b', 'c') as a, 'x' || 'y' as b, concat('a', null) as c
--> {"a":"abc","b":"xy","c":null}

-- starts_with, ends_with, contains_substr, strpos
select starts_with('foobar', 'foo') as a, ends_with('foobar', 'bar') as b, contains_substr('The Blue House', 'blue house') as c, strpos('foobar', 'bar') as d, strpos('foo', 'x') as e, starts_with('x', '') as f
--> {"a":true,"b":true,"c":true,"d":4,"e":0,"f":true}

-- trim
select trim('  x ') as a, ltrim('  x ') as b, rtrim('  x ') as c, trim('xxyxx', 'x') as d, ltrim('abcab', 'ba') as e, trim('\t\nx ') as f
--> {"a":"x","b":"x ","c":"  x","d":"y","e":"cab","f":"x"}

-- replace, reverse, repeat, padding
select replace('banana', 'an', 'o') as a, reverse('abc') as b, repeat('ab', 3) as c, lpad('7', 3, '0') as d, rpad('abc', 5) as e, lpad('abcdef', 3) as f
--> {"a":"booa","b":"cba","c":"ababab","d":"007","e":"abc  ","f":"abc"}

-- split
select split('a,b,,c') as a, split('a/b', '/')[offset(1)] as b, split('', ',') as c, array_length(split('abc', '')) as d
--> {"a":["a","b","","c"],"b":"b","c":[""],"d":3}

-- regexp_contains
select regexp_contains('abc', 'b') as a, regexp_contains('abc', '^b') as b, regexp_contains('ABC', '(?i)b') as c, regexp_contains('a1', r'^\w\d$') as d, regexp_contains('foo bar', r'\bbar\b') as e, regexp_contains('/rest/v1', '/rest') as f
--> {"a":true,"b":false,"c":true,"d":true,"e":true,"f":true}

-- regexp_extract
select regexp_extract('user@example.com', r'^[^@]+') as a, regexp_extract('key=value', r'=(\w+)') as b, regexp_extract('abc', 'x') as c, regexp_extract_all('a1b22', r'\d+') as d, regexp_extract_all('k=v,x=y', r'(\w)=') as e
--> {"a":"user","b":"value","c":null,"d":["1","22"],"e":["k","x"]}

-- regexp_replace
select regexp_replace('a1b22', r'\d+', '#') as a, regexp_replace('john smith', r'(\w+) (\w+)', r'\2 \1') as b, regexp_replace('abc', 'x', 'y') as c
--> {"a":"a#b#","b":"smith john","c":"abc"}

-- a pattern in a parameter
select regexp_contains('error 42', @p) as a
--@ p = [0-9]+
--> {"a":true}

-- digests
select to_hex(md5('x')) as a, to_hex(sha256('')) as b, to_base64(md5('x')) as c
--> {"a":"9dd4e461268c8034f5c8564e155c67a6","b":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","c":"ndTkYSaMgDT1yFZOFVxnpg=="}

-- division is never whole
select 7 / 2 as a, 6 / 3 as b, div(7, 2) as c, mod(7, 3) as d, div(-7, 2) as e, mod(-7, 3) as f
--> {"a":3.5,"b":2.0,"c":3,"d":1,"e":-3,"f":-1}

-- division by zero
select 1 / 0 as x
--> error division by zero

-- safe_divide
select safe_divide(1, 0) as a, safe_divide(1, 4) as b, safe_divide(null, 1) as c
--> {"a":null,"b":0.25,"c":null}

-- numbers that get too large
select 9223372036854775807 + 1 as x
--> error

-- products that get too large
select 9223372036854775807 * 2 as x
--> error

-- rounding, halves away from zero
select round(2.5) as a, round(-2.5) as b, round(1.235, 2) as c, round(1234, -2) as d, trunc(2.9) as e, trunc(-2.9) as f
--> {"a":3.0,"b":-3.0,"c":1.24,"d":1200.0,"e":2.0,"f":-2.0}

-- ceil and floor
select ceil(1.2) as a, floor(-1.2) as b, ceiling(2) as c, floor(2.0) as d
--> {"a":2.0,"b":-2.0,"c":2.0,"d":2.0}

-- abs, sign, powers and roots
select abs(-3) as a, abs(-1.5) as b, sign(-7) as c, pow(2, 10) as d, sqrt(16) as e, exp(0) as f, ln(1) as g, log(8, 2) as h, log10(1000) as i
--> {"a":3,"b":1.5,"c":-1,"d":1024.0,"e":4.0,"f":1.0,"g":0.0,"h":3.0,"i":3.0}

-- greatest and least
select greatest(1, 3, 2) as a, least('b', 'a') as b, greatest(1, null) as c, least(1, 2.5) as d
--> {"a":3,"b":"a","c":null,"d":1.0}

-- bits
select 6 & 3 as a, 6 | 1 as b
--> {"a":2,"b":7}

-- casts between texts and numbers
select cast('12' as int64) as a, cast(' 12 ' as int64) as b, cast('0x1f' as int64) as c, cast(12 as string) as d, cast('1.5' as float64) as e, cast(1.5 as string) as f, cast(2.5 as int64) as g, cast(-2.5 as int64) as h, cast(1.0 as string) as i
--> {"a":12,"b":12,"c":31,"d":"12","e":1.5,"f":"1.5","g":3,"h":-3,"i":"1"}

-- casts of truth values
select cast(true as string) as a, cast('false' as bool) as b, cast(1 as bool) as c, cast(false as int64) as d, cast(null as string) as e
--> {"a":"true","b":false,"c":true,"d":0,"e":null}

-- a cast that fails
select cast('abc' as int64) as x
--> error Bad int64 value: abc

-- casts of a text that is no whole number
select safe_cast('1.5' as int64) as a, safe_cast('x' as float64) as b, safe_cast('maybe' as bool) as c, safe_cast('' as int64) as d, safe_cast('99999999999999999999' as int64) as e
--> {"a":null,"b":null,"c":null,"d":null,"e":null}

-- other names of types
select cast('1' as integer) as a, cast('1' as bigint) as b, cast('1.25' as numeric) as c, cast(1 as float64) as d
--> {"a":1,"b":1,"c":1.25,"d":1.0}

-- whole and other numbers compare
select 1 = 1.0 as a, 2 > 1.5 as b, 1 in (1.0, 2) as c, 3 between 2.5 and 3.5 as d
--> {"a":true,"b":true,"c":true,"d":true}

-- texts compare by their characters' numbers
select 'a' < 'b' as a, 'Z' < 'a' as b, 'é' > 'z' as c, 'a' between 'A' and 'b' as d
--> {"a":true,"b":true,"c":true,"d":true}

-- json_set and json_remove
select json_set(json '{"a":1}', '$.a', 2) as a, json_set(json '{"a":1}', '$.b.c', 'x') as b, json_set(json '{}', '$.a', 1, '$.b', true) as c, json_remove(json '{"a":1,"b":{"c":2}}', '$.a', '$.b.c') as d, json_set(json '[1]', '$.a', 1) as e, json_strip_nulls(json '{"a":null,"b":1}') as f
--> {"a":[{"a":2}],"b":[{"a":1,"b":[{"c":"x"}]}],"c":[{"a":1,"b":true}],"d":[{"b":[{}]}],"e":[1],"f":[{"b":1}]}

-- json_set of an element
select json_set(json '[1]', '$[0]', 2) as a
--> refused Unsupported: JSON_SET with another path than $.name is not supported

-- ends of lists
select array_first([1, 2]) as a, array_last(['x', 'y']) as b
--> {"a":1,"b":"y"}

-- the first of nothing
select array_first(split('', ',')) as a, array_last(generate_array(2, 1)) as b
--> error

-- a division that does not fail
select ieee_divide(1, 0) as a, ieee_divide(-1, 0) as b, ieee_divide(7, 2) as c, parse_numeric('1.5') as d
--> {"a":"Infinity","b":"-Infinity","c":3.5,"d":1.5}

-- conversions that may fail
select safe.timestamp('x') as a, safe.date('2025-02-30') as b, safe.parse_numeric('x') as c, safe.chr(-1) as d, safe.lpad('a', -1) as e, safe.split('a,b', ',') as f
--> {"a":null,"b":null,"c":null,"d":null,"e":null,"f":["a","b"]}

-- sketches
select hll_count.init('a') as a
--> refused Unsupported: the function hll_count.init is not supported

-- the rest of trimmed and replaced texts
select trim('xyaxy', 'xy') as a, ltrim('xxa', 'x') as b, rtrim('axx', 'x') as c, replace('aaa', '', 'b') as d, replace('aXa', 'X', 'ab') as e, strpos('äöü', 'ü') as f, 'a' || 'b' || 'c' as g
--> {"a":"a","b":"a","c":"a","d":"aaa","e":"aaba","f":3,"g":"abc"}
