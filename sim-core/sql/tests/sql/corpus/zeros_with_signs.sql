-- A zero with a sign equals one without

select nullif(-(0)::float8, 0::float8) as a, nullif((- (0)::float8), ((0)::float8 + (0)::float8)) as b, -(0::float8) = 0::float8 as c, -(0::float8) < 0::float8 as d;
--> {"a":null,"b":null,"c":true,"d":false}

select array[-(0)::float8] = array[0::float8] as a, array[-(0)::float8] < array[0::float8] as b, array[-(0)::float8] @> array[0::float8] as c, 0::float8 = any (array[-(0)::float8]) as d;
--> {"a":true,"b":false,"c":true,"d":true}

select 0::float8 between symmetric -(0)::float8 and -(0)::float8 as a, greatest(-(0)::float8, 0::float8) = 0 as b, count(distinct x) from (values (-(0)::float8), (0::float8)) as v(x);
--> {"a":true,"b":true,"count":1}

select percentile_cont(0.5) within group (order by nullif((- (0)::float8), ((0)::float8 + (0)::float8))) as x;
--> {"x":null}
