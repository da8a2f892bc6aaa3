-- # Functions side by side, zones in formats and what is refused by name in PostgreSQL's dialect

-- two functions side by side
select a, b from rows from (generate_series(1, 3), generate_series(5, 6)) as t(a, b)
--> {"a":1,"b":5}
--> {"a":2,"b":6}
--> {"a":3,"b":null}

-- a function with its places
select a, o from rows from (generate_series(4, 5)) with ordinality as t(a, o)
--> {"a":4,"o":1}
--> {"a":5,"o":2}

-- one function
select x from rows from (generate_series(1, 2)) as t(x)
--> {"x":1}
--> {"x":2}

-- a list and a series
select a, b from rows from (unnest(array['a', 'b']), generate_series(1, 3)) as t(a, b)
--> {"a":"a","b":1}
--> {"a":"b","b":2}
--> {"a":null,"b":3}

-- two functions without a name
select 1 as x from rows from (generate_series(1, 2), generate_series(1, 2))
--> refused Unsupported: ROWS FROM of several functions without a name is not supported

-- the zone of a timestamp
select to_char(timestamptz '2026-03-01 10:11:12+00', 'TZ tz OF TZH TZM TZH:TZM') as s
--> {"s":"UTC utc +00 +00 00 +00:00"}

-- a timestamp without a zone has no name of one
select to_char(timestamp '2026-03-01 10:11:12', '[TZ][tz][OF][TZH][TZM]') as s
--> {"s":"[][][+00][+00][00]"}

-- a day
select to_char(date '2026-03-01', '[TZ][OF]') as s
--> {"s":"[UTC][+00]"}

-- names of months and days without blanks
select to_char(timestamptz '2026-03-01 10:11:12+00', '[TMMonth][TMMONTH][TMmonth][TMMon][TMDay][TMDAY][TMDy][TMYYYY][TMDD][TM]') as s
--> {"s":"[March][MARCH][march][Mar][Sunday][SUNDAY][Sun][2026][01][]"}

-- numbers are not spelt
select to_char(timestamptz '2026-03-01 10:11:12+00', '[DDSP][SP][DDTHSP][YYYYSP][DDthSP]') as s
--> {"s":"[01][SP][01STSP][2026][01stSP]"}

-- an hour with its zone
select to_char(timestamptz '2026-03-01 10:11:12+00', 'YYYY-MM-DD"T"HH24:MI:SSOF') as s
--> {"s":"2026-03-01T10:11:12+00"}

-- texts with Unicode escapes
select U&'d\0061t\+000061' as s, U&'\0441' as c
--> {"s":"data","c":"с"}

-- another sign for escapes
select U&'d!0061t' uescape '!' as s
--> refused Unsupported: UESCAPE is not supported

-- a name with Unicode escapes
select U&"d\0061ta" from (select 1 as data) as t
--> refused Unsupported: a name with Unicode escapes is not supported

-- the order of a search
with recursive t(n) as (select 1 union all select n + 1 from t where n < 3) search depth first by n set o select * from t
--> refused Unsupported: SEARCH of WITH RECURSIVE is not supported

-- cycles
with recursive t(n) as (select 1 union all select n % 3 + 1 from t) cycle n set c using p select * from t
--> refused Unsupported: CYCLE of WITH RECURSIVE is not supported

-- ranges
select '[1,5)'::int4range as r
--> refused Unsupported: the type int4range is not supported

-- a range by its function
select int4range(1, 5) @> 3 as r
--> refused Unsupported: the function int4range is not supported

-- addresses
select inet '10.0.0.1' << inet '10.0.0.0/8' as b
--> refused Unsupported: the type inet is not supported

-- a cast to an address
select '10.0.0.1'::inet as b
--> refused Unsupported: the type inet is not supported

-- words of a text
select to_tsvector('english', 'a b') @@ to_tsquery('a') as b
--> refused Unsupported: the function to_tsvector is not supported

-- the type of words
select 'a b'::tsvector as b
--> refused Unsupported: the type tsvector is not supported

-- amounts of money
select money '1.5' as b
--> refused Unsupported: the type money is not supported

-- a type that no server has
select '1'::nonsense as b
--> refused Invalid: Type not found: NONSENSE
