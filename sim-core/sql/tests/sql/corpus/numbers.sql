-- Functions on numbers.

select abs(-5) as a, abs(-5.50) as b, sign(-3) as c, sign(2.5) as d, ceil(1.2) as e, ceiling(-1.2) as f, floor(-1.2) as g, floor(1.7::float8) as h;
--> {"a":5,"b":"5.50","c":-1,"d":"1","e":"2","f":"-1","g":"-2","h":1}

select round(2.5) as a, round(-2.5) as b, round(1.2345, 2) as c, round(1234.5, -2) as d, round(2.5::float8) as e, round(3.5::float8) as f, trunc(1.789, 1) as g, trunc(-1.7) as h, round(5) as i;
--> {"a":"3","b":"-3","c":"1.23","d":"1200","e":2,"f":4,"g":"1.7","h":"-1","i":5}

select round(1.5::float8, 1);
--> ERROR 42883: function round(double precision, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select mod(7, 3) as a, mod(-7, 3) as b, mod(7.5, 2) as c, div(7, 2) as d, gcd(12, 18) as e, lcm(4, 6) as f;
--> {"a":1,"b":-1,"c":"1.5","d":"3","e":6,"f":12}

select power(2, 10) as a, power(2.0, 0.5) as b, power(2::numeric, 3) as c, sqrt(16) as d, sqrt(2.0) as e, round(cbrt(27)) as f, exp(0) as g, ln(1) as h, log(100) as i, log(2.0, 8.0) as j, exp(1.0) as k;
--> {"a":1024,"b":"1.4142135623730950","c":"8.0000000000000000","d":4,"e":"1.414213562373095","f":3,"g":1,"h":0,"i":2,"j":"3.0000000000000000","k":"2.7182818284590452"}

select round(pi()::numeric, 10) as a, round(sin(1)::numeric, 10) as b, round(cos(1)::numeric, 10) as c, round(atan2(1, 2)::numeric, 10) as d, degrees(pi()) as e, round(radians(180)::numeric, 5) as f;
--> {"a":"3.1415926536","b":"0.8414709848","c":"0.5403023059","d":"0.4636476090","e":180,"f":"3.14159"}

select sqrt(-1);
--> ERROR 2201F: cannot take square root of a negative number

select ln(0);
--> ERROR 2201E: cannot take logarithm of zero

select power(0, -1);
--> ERROR 2201F: zero raised to a negative power is undefined

select mod(1, 0);
--> ERROR 22012: division by zero

select factorial(5) as a, width_bucket(5.35, 0.024, 10.06, 5) as b, width_bucket(35, array[10, 20, 30]) as c, scale(8.410) as d, min_scale(8.4100) as e, trim_scale(8.4100) as f;
--> {"a":"120","b":3,"c":3,"d":3,"e":2,"f":"8.41"}

select 0.1 + 0.2 = 0.3 as numeric_is_exact, 0.1::float8 + 0.2::float8 = 0.3::float8 as float_is_not, 0.1::float8 + 0.2::float8 as shown;
--> {"numeric_is_exact":true,"float_is_not":false,"shown":0.30000000000000004}

select 1e15::float8 as a, 1e-5::float8 as b, 123456789.123::float8 as c, 1e15::float8::text as d, 1e16::float8::text as e, 0.00001::float8::text as f, 100000::float4::text as g, 1e6::float4::text as h, 1.0::float8::text as i, '-0'::float8::text as j, 'Infinity'::float8::text as k;
--> {"a":1000000000000000,"b":0.00001,"c":123456789.123,"d":"1e+15","e":"1e+16","f":"1e-05","g":"100000","h":"1e+06","i":"1","j":"-0","k":"Infinity"}

select 1.0::numeric = 1.00::numeric as a, 2.50::numeric::text as b, 2.50::numeric::float8 as c, 3.7::numeric::int as d, 1e2::numeric as e, 'NaN'::numeric as f;
--> {"a":true,"b":"2.50","c":2.5,"d":4,"e":"100","f":"NaN"}

select to_char(1234567.891, 'FM9,999,999.00') as a, to_char(0.5, 'FM990.0%') as b, to_char(42, '0000') as c, to_char(-5, '999') as d, to_char(5, '999') as e, to_char(1234.5, '9999.99') as f, to_char(12, 'FM99th') as g, to_char(485, 'FMRN') as h, to_char(-12.3, 'FM999.9MI') as i, to_char(12.345, 'FM999D99') as j;
--> {"a":"1,234,567.89","b":"0.5%","c":" 0042","d":"  -5","e":"   5","f":" 1234.50","g":"12th","h":"CDLXXXV","i":"12.3-","j":"12.35"}

select to_number('1,234.56', '9,999.99') as a, to_number('-12', 'S99') as b;
--> {"a":"1234.56","b":"-12"}

select 5::numeric(10,2) as a, (10::numeric(10,2) / 4) as b, 0.5::numeric(3,2) * 2 as c, avg(x) as d, sum(x) as e from (values (1.50), (2.25)) as t(x) group by 1, 2, 3;
--> {"a":"5.00","b":"2.5000000000000000","c":"1.00","d":"1.8750000000000000","e":"3.75"}

select 7 / 2 as a, 7 / 2::numeric as b, 7::numeric / 2 as c, (7 / 2.0)::int as d, 1 / 3.0::float8 as e;
--> {"a":3,"b":"3.5000000000000000","c":"3.5000000000000000","d":4,"e":0.3333333333333333}

select random() between 0 and 1 as a, gen_random_uuid() <> gen_random_uuid() as b, length(gen_random_uuid()::text) as c;
--> {"a":true,"b":true,"c":36}

select 100::int4 * 100000000::int4;
--> ERROR 22003: integer out of range

select 32767::smallint + 1::smallint;
--> ERROR 22003: smallint out of range

select -2147483648 as a, abs(-2147483648::bigint) as b;
--> {"a":-2147483648,"b":2147483648}

select trunc(123.456, -2) as a, round(123.456, -1) as b, 1.000 as c, 1.000 * 1 as d, 1.000 / 1 as e, 2 * 1.5 as f, sum(v) as g from (values (0.1), (0.2), (0.30)) as t(v);
--> {"a":"100","b":"120","c":"1.000","d":"1.000","e":"1.00000000000000000000","f":"3.0","g":"0.60"}

select 'abc'::numeric;
--> ERROR 22P02: invalid input syntax for type numeric: "abc"
--> AT 8

select 1e400::float8;
--> ERROR 22003: "10000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000" is out of range for type double precision

select bit_count('\x1234'::bytea) as a, 10::bit(4)::text as b, b'101'::text as c;
--> {"a":5,"b":"1010","c":"101"}

select min(x) as a, max(x) as b from (values (1.10), (10.2), (9.9)) as t(x);
--> {"a":"1.10","b":"10.2"}

-- The digits of a result depend on those of its operands.
select (1::numeric / '3'::numeric) as d0,
  (10.0::numeric / '3'::numeric) as d1,
  (2::numeric / '3.0'::numeric) as d2,
  (1234567.0::numeric / '7'::numeric) as d3,
  (0.00001::numeric / '3'::numeric) as d4,
  (1.000::numeric / '1'::numeric) as d5,
  (sqrt(0.5::numeric)) as d6,
  (sqrt(1e-10::numeric)) as d7,
  (sqrt(100000::numeric)) as d8,
  (sqrt(12345678901234567890::numeric)) as d9;
--> {"d0":"0.33333333333333333333","d1":"3.3333333333333333","d2":"0.66666666666666666667","d3":"176366.714285714286","d4":"0.000003333333333333333333","d5":"1.00000000000000000000","d6":"0.70710678118654752","d7":"0.000010000000000000000","d8":"316.2277660168379","d9":"3513641828.8201443"}

select (sqrt(0::numeric)) as d0,
  (10.0::numeric ^ '20'::numeric) as d1,
  (2.5::numeric ^ '-3'::numeric) as d2,
  (1.000000000000000001::numeric ^ '3'::numeric) as d3,
  (2.0::numeric ^ '0'::numeric) as d4,
  (10.5::numeric ^ '2.5'::numeric) as d5,
  (0.5::numeric ^ '0.5'::numeric) as d6,
  ('-2.0'::numeric ^ 3::numeric) as d7,
  (ln(2.0::numeric)) as d8,
  (ln(100000.0::numeric)) as d9;
--> {"d0":"0.000000000000000","d1":"100000000000000000000.0000000000000000","d2":"0.0640000000000000","d3":"1.000000000000000003","d4":"1.0000000000000000","d5":"357.25083099973330","d6":"0.7071067811865475","d7":"-8.0000000000000000","d8":"0.6931471805599453","d9":"11.512925464970228"}

select (ln(1.05::numeric)) as d0,
  (log(100.0::numeric)) as d1,
  (log(2.0::numeric, 10::numeric)) as d2,
  (log(0.5::numeric)) as d3,
  (exp(10.0::numeric)) as d4,
  (exp(-5.5::numeric)) as d5,
  (exp(100.0::numeric)) as d6,
  (round(1234.5, -2)) as d7,
  (round(5, -1)) as d8,
  (round(-0.4)) as d9;
--> {"d0":"0.048790164169432003","d1":"2.0000000000000000","d2":"3.3219280948873623","d3":"-0.3010299956639812","d4":"22026.465794806717","d5":"0.004086771438464067","d6":"26881171418161354484126255515800135873611118.8","d7":"1200","d8":"10","d9":"0"}
