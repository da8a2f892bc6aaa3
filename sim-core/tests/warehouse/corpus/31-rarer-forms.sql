-- # Rarer forms: places of matches, formats, zones, bits, lists with types

-- the second match
select regexp_extract('a1b2c3', '[a-z]([0-9])', 1, 2) as v
--> {"v":"2"}

-- a match from a place
select regexp_extract('a1b2c3', '[0-9]', 3, 1) as v
--> {"v":"2"}

-- no such match
select regexp_extract('a1b2c3', '[0-9]', 1, 9) as v
--> {"v":null}

-- REGEXP_SUBSTR with a place
select regexp_substr('a1b2c3', '[0-9]', 3) as v
--> {"v":"2"}

-- the place of a match from a place
select regexp_instr('a1b2c3', '[0-9]', 3) as v
--> {"v":4}

-- the place of the second match
select regexp_instr('a1b2c3', '[0-9]', 1, 2) as v
--> {"v":4}

-- the place after a match
select regexp_instr('a1b2c3', '[0-9]', 1, 2, 1) as v
--> {"v":5}

-- the place of a group
select regexp_instr('a1b2c3', '[a-z]([0-9])', 1, 1) as v
--> {"v":2}

-- no place of a match
select regexp_instr('abc', '[0-9]', 2) as v
--> {"v":0}

-- INSTR of the second
select instr('banana', 'an', 1, 2) as v
--> {"v":4}

-- INSTR from a place
select instr('banana', 'an', 3) as v
--> {"v":4}

-- INSTR from the end
select instr('banana', 'an', -1, 1) as v
--> {"v":4}

-- INSTR from the end, the second
select instr('banana', 'an', -1, 2) as v
--> {"v":2}

-- INSTR of a third one that is not there
select instr('helloooo', 'oo', 1, 4) as v
--> {"v":0}

-- FORMAT: literals
select format('%T|%T|%T', [1,2], 'a', ['x','y']) as v
--> {"v":"[1, 2]|\"a\"|[\"x\", \"y\"]"}

-- FORMAT: literals of moments
select format('%T|%T', date '2026-03-01', timestamp '2026-03-01 10:00:00') as v
--> {"v":"DATE \"2026-03-01\"|TIMESTAMP \"2026-03-01 10:00:00+00\""}

-- FORMAT: a text with a quote
select format('%T', "it's") as v
--> {"v":"\"it's\""}

-- FORMAT: lists
select format('%t', ['a','b']) as v
--> {"v":"[a, b]"}

-- FORMAT: exponents
select format('%e|%.2E', 1234.5, 1234.5) as v
--> {"v":"1.234500e+03|1.23E+03"}

-- FORMAT: the shorter form
select format('%g|%g|%g|%g', 0.0001, 1234567.0, 0.5, 100.0) as v
--> {"v":"0.0001|1.23457e+06|0.5|100"}

-- FORMAT: octal digits
select format('%o', 8) as v
--> {"v":"10"}

-- weeks of a year
select format_timestamp('%U', timestamp '2026-03-01') as a, format_timestamp('%W', timestamp '2026-03-01') as b, format_date('%U', date '2026-01-01') as c
--> {"a":"09","b":"08","c":"00"}

-- a whole date
select format_timestamp('%c', timestamp '2026-03-01 10:00:00') as v
--> {"v":"Sun Mar  1 10:00:00 2026"}

-- seconds with their digits
select format_timestamp('%E*S', timestamp '2026-03-01 10:00:00.25') as a, format_timestamp('%E2S', timestamp '2026-03-01 10:00:01.256') as b, format_timestamp('%E*S', timestamp '2026-03-01 10:00:07') as c
--> {"a":"00.25","b":"01.25","c":"07"}

-- zones of formats
select format_timestamp('%z %Z %Ez', timestamp '2026-03-01 10:00:00') as v
--> {"v":"+0000 UTC +00:00"}

-- hours and centuries
select format_timestamp('%k|%l|%P|%C|%g', timestamp '2026-03-01 15:00:00') as v
--> {"v":"15| 3|pm|20|26"}

-- an interval of hours and minutes
select timestamp_add(timestamp '2026-03-01 00:00:00', interval '1:30' hour to minute) as v
--> {"v":1772328600000000}

-- the same with an operator
select timestamp '2026-03-01 00:00:00' - interval '1 2:30:00.5' day to second as v
--> {"v":1772227799500000}

-- months of years
select date_add(date '2026-03-01', interval '1-2' year to month) as v
--> {"v":"2027-05-01"}

-- the last day of a week
select last_day(date '2026-03-04', week) as a, last_day(date '2026-03-04', isoweek) as b, last_day(date '2026-03-04', week(monday)) as c
--> {"a":"2026-03-07","b":"2026-03-08","c":"2026-03-08"}

-- the last day of longer periods
select last_day(date '2026-02-10', month) as a, last_day(date '2026-02-10', quarter) as b, last_day(date '2026-02-10', year) as c, last_day(date '2026-02-10', isoyear) as d
--> {"a":"2026-02-28","b":"2026-03-31","c":"2026-12-31","d":"2027-01-03"}

-- the last day of a local time's week
select last_day(datetime '2026-03-04 10:00:00', week) as v
--> {"v":"2026-03-07"}

-- the last day of an hour
select last_day(date '2026-03-04', hour) as v
--> refused Invalid: LAST_DAY does not support the HOUR date part

-- a day by a format
select cast(date '2026-03-01' as string format 'DD-MM-YYYY') as a, cast(date '2026-03-01' as string format 'DAY') as b
--> refused Unsupported: CAST with the FORMAT element "DAY" is not supported

-- moments by a format
select cast(timestamp '2026-03-01 10:20:30' as string format 'YYYY-MM-DD HH24:MI:SS') as a, cast(date '2026-03-01' as string format 'Dy, DD MON YY') as b, cast('01-03-2026' as date format 'DD-MM-YYYY') as c, safe_cast('x' as date format 'DD-MM-YYYY') as d
--> {"a":"2026-03-01 10:20:30","b":"Sun, 01 MAR 26","c":"2026-03-01","d":null}

-- an instant's text in a zone
select string(timestamp '2026-03-01 10:00:00', 'Europe/Berlin') as a, string(timestamp '2026-03-01 10:00:00', 'Asia/Kolkata') as b, string(timestamp '2026-07-01 10:00:00', 'America/New_York') as c
--> {"a":"2026-03-01 11:00:00+01","b":"2026-03-01 15:30:00+05:30","c":"2026-07-01 06:00:00-04"}

-- a literal with a zone's name
select timestamp '2026-03-01 11:00:00 Europe/Berlin' as v
--> {"v":1772359200000000}

-- a time of parts
select time(10, 20, 30) as v
--> {"v":"10:20:30"}

-- no time of parts
select time(25, 0, 0) as v
--> error

-- days and numbers
select date '2026-03-01' + 1 as a, date '2026-03-01' - 1 as b, 1 + date '2026-02-28' as c
--> {"a":"2026-03-02","b":"2026-02-28","c":"2026-03-01"}

-- days between days
select date '2026-03-01' - date '2026-02-01' as v
--> refused Unsupported: a difference of DATE values, which is an INTERVAL: DATE_DIFF gives it in units is not supported

-- bits
select 5 ^ 3 as a, ~5 as b, 1 << 3 as c, 16 >> 2 as d, -1 >> 60 as e, 1 << 64 as f, 6 & 3 | 8 as g
--> {"a":6,"b":-6,"c":8,"d":4,"e":15,"f":0,"g":10}

-- what binds closer
select 1 + 2 ^ 3 as a, 1 << 2 + 1 as b, 1 | 2 ^ 3 & 1 as c
--> {"a":0,"b":8,"c":3}

-- hexadecimal numbers
select 0x1F as a, -0x1F as b
--> {"a":31,"b":-31}

-- bytes
select to_hex(b'abc') as a, to_hex(b'\x01\xff') as b, length(b'abc') as c, safe_convert_bytes_to_string(b'abc') as d
--> {"a":"616263","b":"01ff","c":3,"d":"abc"}

-- lists with a type
select array<int64>[] as a, array<int64>[1, 2] as b, array<string>['a', null] as c, array<float64>[1] as d
--> {"a":[],"b":[1,2],"c":["a",null],"d":[1.0]}

-- the sum of no elements
select sum(x) as v, count(*) as n from unnest(array<int64>[]) x
--> {"v":null,"n":0}

-- structures with types
select struct<a int64, b string>(1, 'x').b as v
--> {"v":"x"}

-- the greatest sums
select approx_top_sum(x, y, 2) as v from unnest([struct('a' as x, 1 as y), ('b', 5), ('a', 2), ('c', null)])
--> {"v":[{"value":"b","sum":5},{"value":"a","sum":3}]}

-- the last value that is not null
select o, last_value(x ignore nulls) over (order by o) as v, first_value(x ignore nulls) over (order by o) as f from unnest([struct(1 as o, cast(null as int64) as x), (2, 5), (3, null)]) order by o
--> {"o":1,"v":null,"f":null}
--> {"o":2,"v":5,"f":5}
--> {"o":3,"v":5,"f":5}

-- the difference of texts by itself
select edit_distance('kitten', 'sitting') as a, edit_distance('', 'abc') as b
--> {"a":3,"b":3}

-- normalized texts
select normalize('é', NFD) = 'é' as a, char_length(normalize('é', NFD)) as b, normalize('ﬁ', NFKC) as c, normalize('é') = 'é' as d
--> {"a":false,"b":2,"c":"fi","d":true}

-- a part of a list
select array_slice([1,2,3,4], 1, 2) as a, array_slice([1,2,3,4], -2, -1) as b, array_slice([1,2], 5, 6) as c
--> {"a":[2,3],"b":[3,4],"c":[]}

-- code points
select to_code_points('aé') as a, code_points_to_string([97, 233]) as b, to_hex(code_points_to_bytes([1, 255])) as c
--> {"a":[97,233],"b":"aé","c":"01ff"}

-- numbers of texts
select parse_numeric('- 12.34') as a, parse_numeric('1.5-') as b, parse_numeric('1,234.5') as c, parse_numeric('+7') as d, parse_numeric('12e3') as e
--> {"a":-12.34,"b":-1.5,"c":1234.5,"d":7,"e":12000}

-- zeros and nulls
select zeroifnull(null) as a, nullifzero(0) as b, nullifzero(5) as c, is_inf(1.0) as d
--> {"a":0,"b":null,"c":5,"d":false}

-- weeks that begin on a day
select extract(week(monday) from date '2026-03-01') as a, extract(week(monday) from date '2026-03-02') as b, extract(week(monday) from date '2026-01-01') as c, extract(week(sunday) from date '2026-03-01') as d
--> {"a":8,"b":9,"c":0,"d":9}

-- the domain that is registered
select net.reg_domain('http://www.example.co.uk/x') as v
--> refused Unsupported: the function net.reg_domain is not supported

-- the last value of a narrow frame
select o, last_value(x ignore nulls) over (order by o rows between 1 preceding and current row) as v, first_value(x ignore nulls) over (order by o rows between 1 preceding and 1 following) as f from unnest([struct(1 as o, 'a' as x), (2, null), (3, null), (4, 'd')]) order by o
--> {"o":1,"v":"a","f":"a"}
--> {"o":2,"v":"a","f":"a"}
--> {"o":3,"v":null,"f":"d"}
--> {"o":4,"v":"d","f":"d"}

-- the last value of each part
select p, o, last_value(x ignore nulls) over (partition by p order by o) as v from unnest([struct('a' as p, 1 as o, 1.5 as x), ('a', 2, null), ('b', 1, null), ('b', 2, 2.5)]) order by p, o
--> {"p":"a","o":1,"v":1.5}
--> {"p":"a","o":2,"v":1.5}
--> {"p":"b","o":1,"v":null}
--> {"p":"b","o":2,"v":2.5}

-- a day beyond the last year
select date '9999-12-31' + 1 as v
--> error

-- far too many days
select date '2026-01-01' - 9223372036854775807 as v
--> error

-- infinite numbers in FORMAT
select format('%e %g', ieee_divide(1, 0), ieee_divide(-1, 0)) as v
--> {"v":"inf -inf"}

-- too large a result
select cosh(1000) as v
--> error

-- outside of the domain
select acos(2) as v
--> error

-- angles
select sin(0) as a, cos(0) as b, atan2(0, 1) as c, tanh(0) as d
--> {"a":0.0,"b":1.0,"c":0.0,"d":0.0}

-- infinities in lists and structures
select [ieee_divide(1, 0), 2] as a, struct(ieee_divide(-1, 0) as x) as b, array_agg(ieee_divide(x, 0) order by x) as c, [concat('9.0e+999 "\\', 'x')] as d from unnest([1, -2]) as x
--> {"a":["Infinity",2.0],"b":{"x":"-Infinity"},"c":["-Infinity","Infinity"],"d":["9.0e+999 \"\\x"]}
