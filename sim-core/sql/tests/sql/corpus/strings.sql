-- Functions on text.

select length('héllo') as a, char_length('abc') as b, octet_length('hé') as c, bit_length('ab') as d;
--> {"a":5,"b":3,"c":3,"d":16}

select upper('abc') as a, lower('ABC') as b, initcap('hello wORLD of-things') as c;
--> {"a":"ABC","b":"abc","c":"Hello World Of-Things"}

select substring('stuntdouble' from 6 for 3) as a, substring('stuntdouble' from 6) as b, substr('stuntdouble', 1, 5) as c, substr('abc', -1, 3) as d, substring('abc' for 2) as e;
--> {"a":"dou","b":"double","c":"stunt","d":"a","e":"ab"}

select substr('abc', 1, -1);
--> ERROR 22011: negative substring length not allowed

select left('abcdef', 2) as a, left('abcdef', -2) as b, right('abcdef', 2) as c, right('abcdef', -2) as d, left('abc', 10) as e;
--> {"a":"ab","b":"abcd","c":"ef","d":"cdef","e":"abc"}

select trim('  x  ') as a, ltrim('  x') as b, rtrim('x  ') || '|' as c, trim(both 'x' from 'xxaxx') as d, trim(leading '0' from '007') as e, btrim('xyabcyx', 'xy') as f, rtrim('abc!!', '!') as g;
--> {"a":"x","b":"x","c":"x|","d":"a","e":"7","f":"abc","g":"abc"}

select lpad('7', 3, '0') as a, rpad('ab', 5, 'xy') as b, lpad('abcdef', 3) as c, lpad('x', 3) as d, rpad('x', 0) as e;
--> {"a":"007","b":"abxyx","c":"abc","d":"  x","e":""}

select replace('a-b-c', '-', '+') as a, translate('12345', '143', 'ax') as b, reverse('abc') as c, repeat('ab', 3) as d, repeat('a', -1) as e;
--> {"a":"a+b+c","b":"a2x5","c":"cba","d":"ababab","e":""}

select position('lo' in 'hello') as a, strpos('hello', 'z') as b, position('' in 'x') as c;
--> {"a":4,"b":0,"c":1}

select split_part('a,b,c', ',', 2) as a, split_part('a,b,c', ',', 9) as b, split_part('a,b,c', ',', -1) as c, split_part('abc', '', 1) as d;
--> {"a":"b","b":"","c":"c","d":"abc"}

select split_part('a,b', ',', 0);
--> ERROR 22023: field position must not be zero

select concat('a', null, 1, true) as a, concat_ws('-', 'a', null, 'b', 3) as b, concat_ws(null, 'a') as c, concat() as d;
--> ERROR 42883: function concat() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 108

select 'a' || ' ' || 'b' as a, 'n: ' || 5 as b, 'd: ' || date '2024-01-01' as c;
--> {"a":"a b","b":"n: 5","c":"d: 2024-01-01"}

select ascii('A') as a, ascii('é') as b, chr(233) as c, chr(65) as d, ascii('') as e;
--> {"a":65,"b":233,"c":"é","d":"A","e":0}

select md5('hello') as a, md5('') as b;
--> {"a":"5d41402abc4b2a76b9719d911017c592","b":"d41d8cd98f00b204e9800998ecf8427e"}

select encode(sha256('hello'), 'hex') as a, encode('hello', 'base64') as b, decode('aGVsbG8=', 'base64')::text as c, encode('\x00ff'::bytea, 'escape') as d, convert_from(decode('68c3a9', 'hex'), 'UTF8') as e, convert_to('é', 'UTF8')::text as f;
--> {"a":"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824","b":"aGVsbG8=","c":"\\x68656c6c6f","d":"\\000\\377","e":"hé","f":"\\xc3a9"}

select decode('zz', 'hex');
--> ERROR 22023: invalid hexadecimal digit: "z"

select encode('x', 'base32');
--> ERROR 22023: unrecognized encoding: "base32"

select quote_ident('Plain') as a, quote_ident('plain') as b, quote_ident('select') as c, quote_literal('it''s') as d, quote_literal(5) as e, quote_nullable(null) as f, quote_literal(E'a\\b') as g, quote_ident('with space') as h;
--> {"a":"\"Plain\"","b":"plain","c":"\"select\"","d":"'it''s'","e":"'5'","f":"NULL","g":"E'a\\\\b'","h":"\"with space\""}

select format('Hello %s', 'world') as a, format('%I.%I = %L', 'Sch', 'tab', 'it''s') as b, format('%%|%5s|%-5s|', 'a', 'b') as c, format('%2$s %1$s', 'a', 'b') as d, format('%s', null) as e, format('%L', null) as f, format('%s and %s', 1, true) as g;
--> {"a":"Hello world","b":"\"Sch\".tab = 'it''s'","c":"%|    a|b    |","d":"b a","e":"","f":"NULL","g":"1 and t"}

select format('%s %s', 'only one');
--> ERROR 22023: too few arguments for format()

select format('%x', 1);
--> ERROR 22023: unrecognized format() type specifier "x"
--> HINT: For a single "%" use "%%".

select starts_with('abc', 'ab') as a, 'abc' ^@ 'b' as b;
--> {"a":true,"b":false}

select string_to_array('a,b,,c', ',') as a, string_to_array('a,b,NULL', ',', 'NULL') as b, string_to_array('abc', null) as c, string_to_array('', ',') as d, array_to_string(array['a', null, 'c'], '-') as e, array_to_string(array['a', null, 'c'], '-', '?') as f, array_to_string(array[1,2,3], ', ') as g;
--> {"a":["a","b","","c"],"b":["a","b",null],"c":["a","b","c"],"d":[],"e":"a-c","f":"a-?-c","g":"1, 2, 3"}

select overlay('Txxxxas' placing 'hom' from 2 for 4) as a, overlay('abcdef' placing 'X' from 3) as b;
--> {"a":"Thomas","b":"abXdef"}

select to_hex(255) as a, to_hex(-1) as b, to_hex(4294967296) as c;
--> {"a":"ff","b":"ffffffff","c":"100000000"}

select 'abc' < 'abd' as a, 'a' < 'b' as b, 'abc' = 'abc ' as c, 'abc'::char(5) = 'abc '::char(5) as d;
--> {"a":true,"b":true,"c":false,"d":true}

select 'text'::name as a, 'x'::"char" as b;
--> {"a":"text","b":"x"}

select lower('MiXeD') || upper('MiXeD') || length('x')::text as a;
--> {"a":"mixedMIXED1"}

select string_agg(x, ',' order by x desc) as a from (values ('a'), ('c'), ('b')) as t(x);
--> {"a":"c,b,a"}

select unistr('\00e9x') as a, 'é' = U&'\00e9' as b;
--> {"a":"éx","b":true}

select levenshtein('a', 'b');
--> ERROR 42883: function levenshtein(unknown, unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select no_such_function('a', 1);
--> ERROR 42883: function no_such_function(unknown, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select upper(5);
--> ERROR 42883: function upper(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select length(12345);
--> ERROR 42883: function length(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select lower('a', 'b');
--> ERROR 42883: function lower(unknown, unknown) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select 'Prefix ' || coalesce(nullif(trim('   '), ''), 'none') as a;
--> {"a":"Prefix none"}

select parse_ident('"Some".thing') as a, to_char(5, '00') as b, regexp_replace(trim(both '-' from lower(regexp_replace('  Hello, World! ', '[^a-zA-Z0-9]+', '-', 'g'))), '-{2,}', '-') as slug;
--> {"a":["Some","thing"],"b":" 05","slug":"hello-world"}
