-- # Digests, codes of bytes, lists side by side, patterns and set operations by name

-- the digests of a text and of bytes are the same
select to_hex(sha1('abc')) as a, to_hex(sha1(b'abc')) as b
--> {"a":"a9993e364706816aba3e25717850c26c9cd0d89d","b":"a9993e364706816aba3e25717850c26c9cd0d89d"}

-- the digest of an empty text
select to_hex(sha1('')) as a, to_hex(sha256(b'')) as b
--> {"a":"da39a3ee5e6b4b0d3255bfef95601890afd80709","b":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}

-- digests of bytes
select to_hex(md5(b'abc')) as a, to_hex(sha256(b'abc')) as b
--> {"a":"900150983cd24fb0d6963f7d28e17f72","b":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}

-- a digest of null is null
select sha1(cast(null as string)) as a
--> {"a":null}

-- a fingerprint of another kind
select farm_fingerprint('abc') as a
--> refused Unsupported: the function farm_fingerprint is not supported

-- sounds of names
select soundex('Robert') as a, soundex('Rupert') as b, soundex('Ashcraft') as c, soundex('Tymczak') as d, soundex('Pfister') as e, soundex('Honeyman') as f
--> {"a":"R163","b":"R163","c":"A261","d":"T522","e":"P236","f":"H555"}

-- sounds of short and empty texts
select soundex('A') as a, soundex('') as b, soundex('12') as c, soundex('lee') as d
--> {"a":"A000","b":"","c":"","d":"L000"}

-- nested lists of JSON as one
select json_flatten(json '[1, [2, [3, "x"]], []]') as a
--> {"a":[1,2,3,"x"]}

-- JSON that is no list
select json_flatten(json '{"a":[1]}') as a, json_flatten(json '7') as b
--> {"a":[{"a":[1]}],"b":[7]}

-- two lists side by side
select array_zip([1, 2], ['a', 'b']) as z
--> {"z":[{"_field_1":1,"_field_2":"a"},{"_field_1":2,"_field_2":"b"}]}

-- three lists side by side
select array_length(array_zip([1, 2], ['a', 'b'], [true, false])) as n
--> {"n":2}

-- lists of different lengths must have a mode
select array_zip([1, 2], ['a']) as z
--> error

-- the shorter list is filled with nulls
select array_zip([1, 2], ['a'], mode => 'PAD') as z
--> {"z":[{"_field_1":1,"_field_2":"a"},{"_field_1":2,"_field_2":null}]}

-- the longer list is cut
select array_zip([1, 2], ['a'], mode => 'TRUNCATE') as z
--> {"z":[{"_field_1":1,"_field_2":"a"}]}

-- a function of the elements side by side
select array_zip([1, 2], [10, 20], (x, y) -> x + y) as z
--> {"z":[11,22]}

-- a missing list
select array_zip([1], cast(null as array<int64>)) as z
--> {"z":[]}

-- bytes in base 32
select to_base32(b'') as a, to_base32(b'f') as b, to_base32(b'fo') as c, to_base32(b'foo') as d, to_base32(b'foob') as e, to_base32(b'fooba') as f, to_base32(b'foobar') as g
--> {"a":"","b":"MY======","c":"MZXQ====","d":"MZXW6===","e":"MZXW6YQ=","f":"MZXW6YTB","g":"MZXW6YTBOI======"}

-- bytes from base 32
select safe_convert_bytes_to_string(from_base32('MZXW6YTBOI======')) as a, length(from_base32('MY======')) as b, length(from_base32('')) as c
--> {"a":"foobar","b":1,"c":0}

-- a text that is not of base 32
select from_base32('MZX1') as a
--> error

-- a pattern of several matches
select 'abc' like any ('a%', 'x%') as a, 'abc' like any ('x%', 'y%') as b, 'abc' like some ('x%', '%c') as c
--> {"a":true,"b":false,"c":true}

-- all patterns match
select 'abc' like all ('a%', '%c') as a, 'abc' like all ('a%', '%x') as b
--> {"a":true,"b":false}

-- patterns of a list
select 'abc' like any unnest(['x%', '%b%']) as a
--> {"a":true}

-- the other way round
select 'abc' not like any ('a%', 'b%') as a
--> refused Unsupported: 'abc' NOT LIKE ANY ('a%', 'b%') is not supported

-- the other way round for all
select 'abc' not like all ('a%', 'b%') as a
--> refused Unsupported: NOT LIKE with ANY, SOME or ALL is not supported

-- rows of two queries by the names of their columns
select 1 as a, 'x' as b union all by name select 'y' as b, 2 as a
--> {"a":1,"b":"x"}
--> {"a":2,"b":"y"}

-- different rows of two queries by name
select 1 as a, 2 as b union distinct by name select 2 as b, 1 as a
--> {"a":1,"b":2}

-- rows of one query that the other has not, by name
select a, b from (select 1 as a, 2 as b union all select 3 as a, 4 as b) except distinct by name select 2 as b, 1 as a
--> {"a":3,"b":4}

-- rows that both have, by name
select 1 as a, 2 as b intersect distinct by name select 2 as b, 1 as a
--> {"a":1,"b":2}

-- three queries by name
select 1 as a, 2 as b union all by name select 4 as b, 3 as a union all by name select 5 as a, 6 as b
--> {"a":1,"b":2}
--> {"a":3,"b":4}
--> {"a":5,"b":6}

-- a column of one side only
select 1 as a union all by name select 2 as b
--> refused Invalid: Column a of a set operation BY NAME is on one side only

-- more columns on the other side
select 1 as a union all by name select 2 as b, 3 as a
--> refused Invalid: Column b of a set operation BY NAME is on one side only

-- bytes as a text of a format and back
select cast(b'abc' as string format 'HEX') as a, cast(b'abc' as string format 'BASE64') as b, cast(b'abc' as string format 'BASE32') as c, cast(b'abc' as string format 'UTF-8') as d
--> {"a":"616263","b":"YWJj","c":"MFRGG===","d":"abc"}

-- a text of a format as bytes
select safe_convert_bytes_to_string(cast('616263' as bytes format 'HEX')) as a, safe_convert_bytes_to_string(cast('YWJj' as bytes format 'BASE64')) as b
--> {"a":"abc","b":"abc"}

-- another format of bytes
select cast(b'abc' as string format 'BASE2') as a
--> refused Unsupported: CAST with the FORMAT element "BASE2" is not supported

-- a timestamp as a text in a zone
select cast(timestamp '2026-03-01 10:11:12' as string format 'YYYY-MM-DD HH24:MI' at time zone 'Europe/Berlin') as a
--> {"a":"2026-03-01 11:11"}

-- a text of a zone as a timestamp
select cast('2026-03-01 11:11' as timestamp format 'YYYY-MM-DD HH24:MI' at time zone 'Europe/Berlin') as a
--> {"a":1772359860000000}

-- a timestamp with its zone as a text and back
select cast(timestamp '2026-03-01 10:11:12' as string format 'HH24:MI TZH:TZM') as a, cast('2026-03-01 10:11:12+02:00' as timestamp format 'YYYY-MM-DD HH24:MI:SSTZH:TZM') as b
--> {"a":"10:11 +00:00","b":1772352672000000}

-- quarters
select cast(date '2026-03-01' as string format 'Q') as q
--> {"q":"1"}

-- seconds of the day
select cast(timestamp '2026-03-01 10:11:12' as string format 'SSSSS') as s
--> refused Unsupported: CAST with the FORMAT element "SSSSS" is not supported

-- days of the week
select cast(date '2026-03-01' as string format 'D') as d
--> refused Unsupported: CAST with the FORMAT element "D" is not supported

-- a local time has no zone
select cast(datetime '2026-03-01 10:11:12' as string format 'HH24 TZH:TZM') as d
--> refused Unsupported: a FORMAT element of a zone for what has none is not supported

-- a text is not read by its quarter
select cast('1' as date format 'Q') as q
--> refused Unsupported: CAST from a text with the FORMAT element Q is not supported

-- a number by a format
select cast(1234.5 as string format '9,999.99') as a
--> refused Unsupported: CAST with the FORMAT element "9,999.99" is not supported
