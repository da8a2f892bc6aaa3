-- Constants and casts: how each type is written in a result.

select 1;
--> {"?column?":1}

select 1 as a, 'two' as b, true as c, null as d;
--> {"a":1,"b":"two","c":true,"d":null}

select 1 as a, 2 as a;
--> {"a":2}

select 2147483648 as beyond_int4, 9007199254740991 as safe, 9007199254740993 as unsafe;
--> {"beyond_int4":2147483648,"safe":9007199254740991,"unsafe":"9007199254740993"}

select 9223372036854775808 as beyond_int8;
--> {"beyond_int8":"9223372036854775808"}

select 1.50 as scale_is_kept, 1e3 as thousand, .5 as half, 1. as one;
--> {"scale_is_kept":"1.50","thousand":"1000","half":"0.5","one":"1"}

select 1.5::float8 as a, 3::float8 as b, 'NaN'::float8 as c, 1e20::float8 as d;
--> {"a":1.5,"b":3,"c":null,"d":1e+20}

select 0.1::float4 as a, 0.1::float4::float8 > 0.1::float8 as b;
--> {"a":0.1,"b":true}

select 'it''s' as a, E'tab\there' as b, E'\x41\u00e9' as c, $$dollar $1 'quoted'$$ as d, $q$with $$ inside$q$ as e;
--> {"a":"it's","b":"tab\there","c":"Aé","d":"dollar $1 'quoted'","e":"with $$ inside"}

select 'adja' 
'cent' as joined;
--> {"joined":"adjacent"}

select '12'::int + 1 as a, int '7' as b, cast('8' as bigint) as c, '1.25'::numeric as d;
--> {"a":13,"b":7,"c":8,"d":"1.25"}

select 'yes'::bool as a, 'f'::bool as b, 'on'::boolean as c, 0::bool as d, true::int as e, true::text as f;
--> {"a":true,"b":false,"c":true,"d":false,"e":1,"f":"true"}

select 'maybe'::bool;
--> ERROR 22P02: invalid input syntax for type boolean: "maybe"
--> AT 8

select 'abc'::int;
--> ERROR 22P02: invalid input syntax for type integer: "abc"
--> AT 8

select ''::int;
--> ERROR 22P02: invalid input syntax for type integer: ""
--> AT 8

select '12.5'::int;
--> ERROR 22P02: invalid input syntax for type integer: "12.5"
--> AT 8

select 12.5::int as half_goes_to_away, 13.5::int as b, -12.5::int as c, 12.5::float8::int as half_goes_to_even, 13.5::float8::int as e;
--> {"half_goes_to_away":13,"b":14,"c":-13,"half_goes_to_even":12,"e":14}

select 1::smallint + 40000;
--> {"?column?":40001}

select 70000::smallint;
--> ERROR 22003: smallint out of range

select '99999999999'::int;
--> ERROR 22003: value "99999999999" is out of range for type integer
--> AT 8

select 2147483647 + 1;
--> ERROR 22003: integer out of range

select 9223372036854775807 + 1;
--> ERROR 22003: bigint out of range

select 'hello'::varchar(3) as a, 'hi'::char(4) as b, length('hi'::char(4)) as c, 'hi'::char(4) || '!' as d;
--> {"a":"hel","b":"hi  ","c":2,"d":"hi!"}

select 123.456::numeric(5,1) as a, 123.456::numeric(6) as b;
--> {"a":"123.5","b":"123"}

select 123456.7::numeric(5,1);
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 5, scale 1 must round to an absolute value less than 10^4.

select 'c0ffee00-0000-4000-8000-000000000001'::uuid as a, 'C0FFEE000000400080000000000000AB'::uuid as b;
--> {"a":"c0ffee00-0000-4000-8000-000000000001","b":"c0ffee00-0000-4000-8000-0000000000ab"}

select 'not-a-uuid'::uuid;
--> ERROR 22P02: invalid input syntax for type uuid: "not-a-uuid"
--> AT 8

select '\xdeadBEEF'::bytea::text as a, 'abc'::bytea::text as b, '\x'::bytea = ''::bytea as c;
--> {"a":"\\xdeadbeef","b":"\\x616263","c":true}

select '{"a": 1, "b": [1,2]}'::json as kept, '{"b": 2,  "a": 1, "b": 3}'::jsonb as folded, 'null'::json as nil;
--> {"kept":{"a":1,"b":[1,2]},"folded":{"a":1,"b":3},"nil":null}

select '{"a": }'::json;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Expected JSON value, but found "}".
--> AT 8

select '{"a": 1}'::json::text as a, '{"b":1,"a":[1, 2 ]}'::jsonb::text as b, ' {"x" :1}'::json::text as c;
--> {"a":"{\"a\": 1}","b":"{\"a\": [1, 2], \"b\": 1}","c":" {\"x\" :1}"}

select date '2024-02-29' as a, '2024-02-29 13:14:15.5'::timestamp as b, '2024-02-29T13:14:15+02:00'::timestamptz as c, time '08:30' as d;
--> {"a":"2024-02-29","b":"2024-02-29 13:14:15.5","c":"2024-02-29 11:14:15+00","d":"08:30:00"}

select '2024-02-30'::date;
--> ERROR 22008: date/time field value out of range: "2024-02-30"
--> AT 8

select 'not a date'::date;
--> ERROR 22007: invalid input syntax for type date: "not a date"
--> AT 8

select '13:61'::time;
--> ERROR 22008: date/time field value out of range: "13:61"
--> AT 8

select interval '1 year 2 months 3 days 04:05:06.7' as a, '90 minutes'::interval as b, interval '-1 day' as c, '1 week'::interval as d, interval '0' as e;
--> {"a":"1 year 2 mons 3 days 04:05:06.7","b":"01:30:00","c":"-1 days","d":"7 days","e":"00:00:00"}

select 'P1Y2M3DT4H5M6S'::interval as a, '1 mon ago'::interval as b, interval '1' hour as c, interval '1-2' as d;
--> {"a":"1 year 2 mons 3 days 04:05:06","b":"-1 mons","c":"01:00:00","d":"1 year 2 mons"}

select array[1,2,3] as a, array['a','b c','d"e',null] as b, '{x,"y z",NULL}'::text[] as c, array[true,false] as d, array[[1,2],[3,4]] as e, '{}'::int[] as f;
--> {"a":[1,2,3],"b":["a","b c","d\"e",null],"c":["x","y z",null],"d":[true,false],"e":[[1,2],[3,4]],"f":[]}

select array[1.5, 2.25] as numerics, array[1.5::float8] as floats, array[1::bigint, 2] as bigints, array['2024-01-02'::date] as dates;
--> {"numerics":[1.5,2.25],"floats":[1.5],"bigints":["1","2"],"dates":["2024-01-02"]}

select array[1,2,3]::text as a, array['a','b c','d"e',null,'','NULL']::text as b;
--> {"a":"{1,2,3}","b":"{a,\"b c\",\"d\\\"e\",NULL,\"\",\"NULL\"}"}

select row(1,'a b',null) as a, (1,2) = (1,2) as b, row(1,2)::text as c;
--> {"a":"(1,\"a b\",)","b":true,"c":"(1,2)"}

select null::int as a, null::text as b, null is null as c, null = 1 as d, 1 is distinct from null as e, null is not distinct from null as f;
--> {"a":null,"b":null,"c":true,"d":null,"e":true,"f":true}

select 'x' as "Quoted Name", 1 as lower_CASE, 2 "two words";
--> {"Quoted Name":"x","lower_case":1,"two words":2}

select 5 / 2 as a, 5 % 2 as b, -5 / 2 as c, -5 % 2 as d, 5 / 2.0 as e, 5.0::float8 / 2 as f, 2 ^ 10 as g;
--> {"a":2,"b":1,"c":-2,"d":-1,"e":"2.5000000000000000","f":2.5,"g":1024}

select 1 / 0;
--> ERROR 22012: division by zero

select 1.0 / 0;
--> ERROR 22012: division by zero

select 10.0 / 3 as a, 1::numeric / 3 as b, 2 / 3.0 as c, 1234567.0 / 7 as d, 0.00001 / 3 as e;
--> {"a":"3.3333333333333333","b":"0.33333333333333333333","c":"0.66666666666666666667","d":"176366.714285714286","e":"0.000003333333333333333333"}

select 1.10 + 2.205 as a, 1.10 * 2.20 as b, 10 - 0.5 as c, -(1.50) as d, 7.5 % 2 as e;
--> {"a":"3.305","b":"2.4200","c":"9.5","d":"-1.50","e":"1.5"}

select 12345678901234567890.123456789 * 98765432109876543210.987654321 as exact;
--> {"exact":"1219326311370217952261850327336229233322.374638011112635269"}

select 'a' || 1 as a, 1 || 'a' as b, 'a' || null as c, 'x' || true as d, 'n' || 1.50 as e;
--> {"a":"a1","b":"1a","c":null,"d":"xtrue","e":"n1.50"}

select 'a' + 1;
--> ERROR 22P02: invalid input syntax for type integer: "a"
--> AT 8

select 1 + 'one';
--> ERROR 22P02: invalid input syntax for type integer: "one"
--> AT 12

select 'a'::text + 1;
--> ERROR 42883: operator does not exist: text + integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 18

select true and null as a, false and null as b, true or null as c, not null::bool as d;
--> {"a":null,"b":false,"c":true,"d":null}

select 1 and true;
--> ERROR 42804: argument of AND must be type boolean, not type integer
--> AT 8

select case when 1 > 2 then 'a' when null then 'b' else 'c' end as a, case 3 when 1 then 'one' when 3 then 'three' end as b, case when false then 1 end as c;
--> {"a":"c","b":"three","c":null}

select case when true then 1 else 'x' end;
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 35

select coalesce(null, null, 3) as a, coalesce(null, 'x') as b, nullif(1, 1) as c, nullif(2, 1) as d, greatest(1, 5, null, 3) as e, least('b', 'a') as f;
--> {"a":3,"b":"x","c":null,"d":2,"e":5,"f":"a"}

select 3 between 1 and 5 as a, 3 not between 1 and 2 as b, 3 between symmetric 5 and 1 as c, 2 in (1, 2) as d, 2 not in (1, null) as e;
--> {"a":true,"b":true,"c":true,"d":true,"e":null}

select 'abc' like 'a%' as a, 'abc' like '_b_' as b, 'ABC' ilike 'a%' as c, 'a%c' like 'a\%c' as d, 'abc' not like 'z%' as e, 'a_c' like 'a!_c' escape '!' as f, 'ABC' like 'a%' as g;
--> {"a":true,"b":true,"c":true,"d":true,"e":true,"f":true,"g":false}

select 5 & 3 as a, 5 | 3 as b, 5 # 3 as c, ~5 as d, 1 << 4 as e, 256 >> 2 as f;
--> {"a":1,"b":7,"c":6,"d":-6,"e":16,"f":64}

select @ -5 as a, |/ 25.0 as b, 5 > 3 as c, 5 <> 5 as d, 5 != 4 as e;
--> {"a":5,"b":5,"c":true,"d":false,"e":true}

select '127.0.0.1'::inet as a, '10.1.2.3/8'::inet as b, '10.0.0.0/8'::cidr as c;
--> {"a":"127.0.0.1","b":"10.1.2.3/8","c":"10.0.0.0/8"}

select 'pg_class'::regclass::text as a, 'int4'::regtype::text as b, 'character varying'::regtype::text as c;
--> {"a":"pg_class","b":"integer","c":"character varying"}

select pg_typeof(1) as a, pg_typeof(1.5) as b, pg_typeof('x'::text) as c, pg_typeof(array[1]) as d, pg_typeof(now()) as e, pg_typeof(1::bigint + 1) as f, pg_typeof(null) as g, pg_typeof(1 / 2.0::float8) as h;
--> {"a":"integer","b":"numeric","c":"text","d":"integer[]","e":"timestamp with time zone","f":"bigint","g":"unknown","h":"double precision"}
