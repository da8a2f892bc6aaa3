-- # More forms of PostgreSQL's dialect; the rows are those of PostgreSQL

--= source pg.s
--= {"id":"1","timestamp":1739181600000000,"event_message":"one","metadata":{"tags":["x","y"],"n":1,"f":2.5,"s":"10"}}
--= {"id":"2","timestamp":1739181900000000,"event_message":"two","metadata":{"tags":["y"],"n":7,"f":0.5,"s":"2"}}
--= {"id":"3","timestamp":1739185200000000,"event_message":"three"}

-- the text of a list
select array[1, -2]::text as a, array['a', 'b c', null, '', 'q"x', 'null']::text as b, array[true, false]::text as c, array[]::int[]::text as d
--> {"a":"{1,-2}","b":"{a,\"b c\",NULL,\"\",\"q\\\"x\",\"null\"}","c":"{t,f}","d":"{}"}

-- the text of a list of rows
select (array_agg(id order by id desc))::text as t, array_agg(id order by id)::varchar as u from "pg.s"
--> {"t":"{3,2,1}","u":"{1,2,3}"}

-- BETWEEN SYMMETRIC
select 5 between symmetric 10 and 1 as a, 5 not between symmetric 10 and 1 as b, 5 between symmetric 1 + 1 and 4 as c, 5 between asymmetric 1 and 9 as d
--> {"a":true,"b":false,"c":false,"d":true}

-- BETWEEN SYMMETRIC as a condition
select id from "pg.s" where length(event_message) between symmetric 3 and 1 order by id
--> {"id":"1"}
--> {"id":"2"}

-- widths in format
select format('%5s|%-5s|%s|%I|%L|%%|%1$s', 'ab', 'cd', 'x', 'my col', 'it''s') as f, format('%*s|%-*s|', 5, 'x', 3, 'y') as g, format('%2$-4s|%1$4s', 'a', 'b') as h, format('%0s', 'z') as i
--> {"f":"   ab|cd   |x|\"my col\"|'it''s'|%|ab","g":"    x|y  |","h":"b   |   a","i":"z"}

-- digits after the point
select scale(1.230) as s, scale(5) as t, min_scale(1.2300) as m, min_scale(7) as w, trim_scale(1.2300) as ts
--> {"s":3,"t":0,"m":2,"w":0,"ts":1.23}

-- natural joins
select id, v from (select id from "pg.s") a natural join (select '1' as id, 5 as v) b
--> {"id":"1","v":5}

-- natural outer joins
select id, v from (select id from "pg.s") a natural left join (select '1' as id, 5 as v) b order by id
--> {"id":"1","v":5}
--> {"id":"2","v":null}
--> {"id":"3","v":null}

-- a natural join without common columns
select a, b from (select 1 as a) x natural join (select 2 as b) y
--> {"a":1,"b":2}

-- a natural join with a source
select id, n from "pg.s" natural join (select '2' as id, 'two' as event_message, 9 as n) x
--> {"id":"2","n":9}

-- templates of numbers
select to_char(14, 'RN') as a, to_char(14, 'FMRN') as b, to_char(1999, 'fmrn') as c, to_char(-5, '999S') as d, to_char(3, '9th') as e, to_char(-1, '9PR') as f, to_char(5, 'L9') as g, to_char(12345, '9.99EEEE') as h, to_char(-7, 'MI99') as i, to_char(7, 'SG99') as j, to_char(1234.5, 'FM9,999.00') as k, to_char(12, '"n" 99') as l
--> {"a":"            XIV","b":"XIV","c":"mcmxcix","d":"  5-","e":" 3rd","f":"<1>","g":"  5","h":" 1.23e+04","i":"- 7","j":"+ 7","k":"1,234.50","l":"n  12"}

-- numbers of templates
select to_number('12-', '99S') as a, to_number('1,234.5', '9G999D9') as b, to_number('<5>', '9PR') as c
--> {"a":-12,"b":1234.5,"c":-5}

-- signs behind numbers
select to_number('12-', '999') as a, to_number('12-', '99S') as b, to_number('12-', '99MI') as c, to_number('12-', '9MI') as d, to_number('-12', '99PR') as e, to_number('12-', 'S99') as f, to_number('12-', 'SG99') as g, to_number('12-', '99SG') as h, to_number('12-', '9PR') as i
--> {"a":12,"b":-12,"c":-12,"d":1,"e":-12,"f":-12,"g":12,"h":-12,"i":1}

-- a range by time
select id, count(*) over (order by timestamp range between interval '10 minutes' preceding and current row) as n from "pg.s" order by id
--> {"id":"1","n":1}
--> {"id":"2","n":2}
--> {"id":"3","n":1}

-- a range by time to both sides
select id, count(*) over (order by timestamp range between interval '1 hour' preceding and interval '5 minutes' following) as n from "pg.s" order by id
--> {"id":"1","n":2}
--> {"id":"2","n":2}
--> {"id":"3","n":3}

-- groups of a window
select x, sum(x) over (order by x groups between 1 preceding and current row) as s from (values (1), (1), (2), (5)) as v(x) order by x
--> {"x":1,"s":2}
--> {"x":1,"s":2}
--> {"x":2,"s":4}
--> {"x":5,"s":7}

-- an object of rows in order
select jsonb_object_agg(id, event_message order by id) as o from "pg.s"
--> {"o":[{"1": "one", "2": "two", "3": "three"}]}

-- ILIKE ANY, LIKE ALL, ILIKE ALL
select id from "pg.s" where event_message ilike any (array['ON%', '%WO']) or event_message like all (array['t%', '%ee']) or event_message ilike all (array['Z%']) order by id
--> {"id":"1"}
--> {"id":"2"}
--> {"id":"3"}

-- regexp_like
select regexp_like('abc', 'B') as a, regexp_like('abc', 'B', 'i') as b, regexp_like('abc', '^a.c$') as c
--> {"a":false,"b":true,"c":true}

-- types and sizes
select pg_typeof(1) as a, pg_typeof(true) as b, pg_typeof(date '2026-01-01') as c, pg_typeof(1.5) as d, pg_typeof('{}'::jsonb) as e, pg_size_pretty(10::bigint) as f, pg_size_pretty(10240::bigint) as g, pg_size_pretty(-20000000::bigint) as h, pg_size_pretty(123456789012::bigint) as i, pg_size_pretty(20480::bigint) as j, pg_size_pretty(20479::bigint) as k
--> {"a":"integer","b":"boolean","c":"date","d":"numeric","e":"jsonb","f":"10 bytes","g":"10 kB","h":"-19 MB","i":"115 GB","j":"20 kB","k":"20 kB"}

-- text of a type
select upper('x') as a, pg_typeof(upper('x')) as b, pg_typeof(event_message) as c from "pg.s" where id = '1'
--> {"a":"X","b":"text","c":"text"}

-- the text of a stored instant has no zone
select timestamp::text as a, (timestamp + interval '1 hour')::text as b, date_trunc('hour', timestamp)::varchar as c, to_timestamp(0)::text as d, timestamp::timestamptz::text as e from "pg.s" where id = '2'
--> {"a":"2025-02-10 10:05:00","b":"2025-02-10 11:05:00","c":"2025-02-10 10:00:00","d":"1970-01-01 00:00:00+00","e":"2025-02-10 10:05:00+00"}

-- the text of bytes
select decode('YWJj', 'base64')::text as a, left(sha256('a'::bytea)::text, 6) as b
--> {"a":"\\x616263","b":"\\xca97"}
