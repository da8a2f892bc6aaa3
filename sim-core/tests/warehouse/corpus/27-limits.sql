-- # What no number is: overflow, infinity and NaN; groupings without aggregates; set operations

-- sums and products that are too large
select 1e308 * 10 as a
--> error

-- a difference that is too large
select -1e308 - 1e308 as a
--> error

-- a quotient that is too large
select 1e308 / 0.1 as a
--> error

-- a power that is too large
select pow(10, 400) as a
--> error

-- an exponential that is too large
select exp(1000) as a
--> error

-- infinity comes of a cast or a division that allows it, and stays
select cast('inf' as float64) + 1 as a, cast('-inf' as float64) * 2 as b, ieee_divide(1, 0) - 5 as c, pow(cast('inf' as float64), 2) as d, 1 / cast('inf' as float64) as e
--> {"a":"Infinity","b":"-Infinity","c":"Infinity","d":"Infinity","e":0.0}

-- the text of infinity
select cast(cast('inf' as float64) as string) as a, cast(ieee_divide(-1, 0) as string) as b, cast(1.5 as string) as c
--> {"a":"inf","b":"-inf","c":"1.5"}

-- numbers are no NaN
select is_nan(1.5) as a, is_nan(cast('inf' as float64)) as b, is_nan(null) as c
--> {"a":false,"b":false,"c":null}

-- groupings without aggregates
select a, grouping(a) as g from unnest(['x', 'y']) as a group by grouping sets (a, ()) order by g, a
--> {"a":"x","g":0}
--> {"a":"y","g":0}
--> {"a":null,"g":1}

-- a rollup without aggregates
select a from unnest(['x', 'y']) as a group by rollup (a) order by a
--> {"a":null}
--> {"a":"x"}
--> {"a":"y"}

-- a grouping of nothing
select grouping(a) as g from unnest(split('', ',')) as a where a = 'none' group by grouping sets (a, ())
--> {"g":1}

-- HAVING without groups and without aggregates in the list
select 1 as a from unnest([1, 2]) as x having count(*) > 1
--> {"a":1}

-- the same where it does not hold
select 1 as a from unnest([1, 2]) as x having count(*) > 2
--> no rows

-- the same with an order and a limit
select 'x' as a from unnest([1, 2]) as x having count(*) > 1 order by 1 limit 5
--> {"a":"x"}

-- several set operations need parentheses
select 1 as a union all select 1 union distinct select 1
--> refused Syntax: sql parser error: Different set operations cannot be used in the same query without using parentheses for grouping

-- another operation that binds closer
select 1 as a union all select 1 intersect distinct select 1
--> refused Syntax: sql parser error: Different set operations cannot be used in the same query without using parentheses for grouping

-- with parentheses
(select 1 as a union all select 1) union distinct select 1
--> {"a":1}

-- parentheses on the right
select 1 as a union all (select 1 union distinct select 1) union all select 2
--> {"a":1}
--> {"a":1}
--> {"a":2}

-- one operation several times
select 1 as a union all select 1 union all select 2
--> {"a":1}
--> {"a":1}
--> {"a":2}

-- an error of the parser says once whose it is
select from where
--> refused Syntax

-- whether a number is infinite
select is_inf(1.5) as a, is_inf(cast('-inf' as float64)) as b, is_inf(null) as c
--> {"a":false,"b":true,"c":null}

-- digits in groups
select parse_numeric('1,234.5') as a, parse_bignumeric('-1,000') as b
--> {"a":1234.5,"b":-1000}

-- bits that differ
select 5 ^ 3 as a, 5 ^ 5 as b
--> {"a":6,"b":0}
