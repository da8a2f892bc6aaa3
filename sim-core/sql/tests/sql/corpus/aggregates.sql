-- Aggregates and window functions.

create table score (id int primary key, team text, points int, ratio float8, price numeric(6,2), ok bool, at date);
--> no rows

insert into score values (1, 'a', 10, 0.5, 1.50, true, '2024-01-01'), (2, 'a', 20, 1.5, 2.25, false, '2024-01-02'), (3, 'b', 20, 2.5, null, true, '2024-01-03'), (4, 'b', null, null, 4.00, null, '2024-01-04'), (5, 'c', 5, 3.0, 0.10, true, null);
--> no rows

select count(*) as a, count(points) as b, sum(points) as c, avg(points) as d, min(points) as e, max(points) as f from score;
--> {"a":5,"b":4,"c":55,"d":"13.7500000000000000","e":5,"f":20}

select sum(ratio) as a, avg(ratio) as b, sum(price) as c, avg(price) as d, min(price) as e, max(at) as f from score;
--> {"a":7.5,"b":1.875,"c":"7.85","d":"1.9625000000000000","e":"0.10","f":"2024-01-04"}

select sum(points) as a, avg(points) as b, max(points) as c, count(*) as d, array_agg(points) as e, string_agg(team, ',') as f, bool_or(ok) as g, json_agg(team) as h from score where false;
--> {"a":null,"b":null,"c":null,"d":0,"e":null,"f":null,"g":null,"h":null}

select bool_and(ok) as a, bool_or(ok) as b, every(ok) as c, bit_and(points) as d, bit_or(points) as e from score;
--> {"a":false,"b":true,"c":false,"d":0,"e":31}

select round(stddev(points), 6) as a, round(stddev_pop(points), 6) as b, round(variance(points), 6) as c, round(var_pop(points), 6) as d, stddev(points) filter (where id = 1) as e from score;
--> {"a":"7.500000","b":"6.495191","c":"56.250000","d":"42.187500","e":null}

select percentile_cont(0.5) within group (order by points) as a, percentile_disc(0.5) within group (order by points) as b, percentile_cont(0.25) within group (order by ratio) as c, mode() within group (order by points) as d from score;
--> {"a":15,"b":10,"c":1.25,"d":20}

select percentile_cont(array[0.25, 0.75]) within group (order by points) as a from score;
--> {"a":[8.75,20]}

select round(corr(points, ratio)::numeric, 6) as a, round(regr_slope(ratio, points)::numeric, 6) as b, regr_count(ratio, points) as c, round(covar_pop(points, ratio)::numeric, 6) as d from score;
--> {"a":"-0.125274","b":"-0.018519","c":4,"d":"-0.781250"}

select string_agg(distinct team, '|' order by team) as a, array_agg(points order by points desc nulls last) as b, count(distinct points) as c, sum(distinct points) as d from score;
--> {"a":"a|b|c","b":[20,20,10,5,null],"c":3,"d":35}

select team, count(*) filter (where ok) as good, sum(points) filter (where points > 10) as big from score group by team order by team;
--> {"team":"a","good":1,"big":20}
--> {"team":"b","good":1,"big":20}
--> {"team":"c","good":1,"big":null}

select json_object_agg(id, team order by id) as a, jsonb_object_agg(team, points) filter (where id in (2, 3)) as b from score;
--> {"a":{"1":"a","2":"a","3":"b","4":"b","5":"c"},"b":{"a":20,"b":20}}

select sum(points::bigint) as a, sum(points::numeric) as b, avg(ratio::float4) as c, sum(1) as d, sum(null::int) as e, max(team) as f from score;
--> {"a":"55","b":"55","c":1.875,"d":5,"e":null,"f":"c"}

select sum(team) from score;
--> ERROR 42883: function sum(text) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select sum(sum(points)) from score;
--> ERROR 42803: aggregate function calls cannot be nested
--> AT 12

select avg(points)::numeric(10,2) as a, round(avg(points), 1) as b, avg(points)::int as c, avg(points)::float8 as d from score;
--> {"a":"13.75","b":"13.8","c":14,"d":13.75}

select id, row_number() over (order by points desc nulls last, id) as rn, rank() over (order by points desc nulls last) as r, dense_rank() over (order by points desc nulls last) as dr from score order by id;
--> {"id":1,"rn":3,"r":3,"dr":2}
--> {"id":2,"rn":1,"r":1,"dr":1}
--> {"id":3,"rn":2,"r":1,"dr":1}
--> {"id":4,"rn":5,"r":5,"dr":4}
--> {"id":5,"rn":4,"r":4,"dr":3}

select id, team, sum(points) over (partition by team order by id) as running, count(*) over (partition by team) as members from score order by id;
--> {"id":1,"team":"a","running":10,"members":2}
--> {"id":2,"team":"a","running":30,"members":2}
--> {"id":3,"team":"b","running":20,"members":2}
--> {"id":4,"team":"b","running":20,"members":2}
--> {"id":5,"team":"c","running":5,"members":1}

select id, lag(points) over (order by id) as prev, lead(points, 2, -1) over (order by id) as next2, first_value(team) over (order by id) as first, last_value(id) over (order by id rows between unbounded preceding and unbounded following) as last, nth_value(team, 3) over (order by id) as third from score order by id;
--> {"id":1,"prev":null,"next2":20,"first":"a","last":5,"third":null}
--> {"id":2,"prev":10,"next2":null,"first":"a","last":5,"third":null}
--> {"id":3,"prev":20,"next2":5,"first":"a","last":5,"third":"b"}
--> {"id":4,"prev":20,"next2":-1,"first":"a","last":5,"third":"b"}
--> {"id":5,"prev":null,"next2":-1,"first":"a","last":5,"third":"b"}

select id, ntile(2) over (order by id) as half, percent_rank() over (order by id) as pr, cume_dist() over (order by id) as cd from score order by id;
--> {"id":1,"half":1,"pr":0,"cd":0.2}
--> {"id":2,"half":1,"pr":0.25,"cd":0.4}
--> {"id":3,"half":1,"pr":0.5,"cd":0.6}
--> {"id":4,"half":2,"pr":0.75,"cd":0.8}
--> {"id":5,"half":2,"pr":1,"cd":1}

select id, avg(points) over (order by id rows between 1 preceding and current row) as moving, sum(points) over w as total from score window w as (order by id rows between unbounded preceding and current row) order by id;
--> {"id":1,"moving":"10.0000000000000000","total":10}
--> {"id":2,"moving":"15.0000000000000000","total":30}
--> {"id":3,"moving":"20.0000000000000000","total":50}
--> {"id":4,"moving":"20.0000000000000000","total":50}
--> {"id":5,"moving":"5.0000000000000000","total":55}

select team, sum(points) as total, rank() over (order by sum(points) desc nulls last) as place from score group by team order by place, team;
--> {"team":"a","total":30,"place":1}
--> {"team":"b","total":20,"place":2}
--> {"team":"c","total":5,"place":3}

select id from (select id, row_number() over (partition by team order by id desc) as rn from score) t where rn = 1 order by id;
--> {"id":2}
--> {"id":4}
--> {"id":5}

select id, points - lag(points) over (partition by team order by id) as diff from score where points is not null order by id;
--> {"id":1,"diff":null}
--> {"id":2,"diff":10}
--> {"id":3,"diff":null}
--> {"id":5,"diff":null}

select id from score where row_number() over () = 1;
--> ERROR 42P20: window functions are not allowed in WHERE
--> AT 28

select id, sum(points) over (order by at range between interval '1 day' preceding and current row) as recent from score where at is not null order by id;
--> {"id":1,"recent":10}
--> {"id":2,"recent":30}
--> {"id":3,"recent":40}
--> {"id":4,"recent":20}

select id, string_agg(team, '') over (order by id) as s, max(points) over (partition by ok) as m from score where ok order by id;
--> {"id":1,"s":"a","m":20}
--> {"id":3,"s":"ab","m":20}
--> {"id":5,"s":"abc","m":20}

select array_agg(id order by id) filter (where points is null) as a, count(*) filter (where team = 'a' and ok) as b from score;
--> {"a":[4],"b":1}

select team, percentile_disc(0.5) within group (order by id) as mid from score group by team order by team;
--> {"team":"a","mid":1}
--> {"team":"b","mid":3}
--> {"team":"c","mid":5}

select row_number() over () as n, x from unnest(array['p', 'q']) as x;
--> {"n":1,"x":"p"}
--> {"n":2,"x":"q"}

select id, sum(points) over (order by id groups between 1 preceding and 1 following exclude current row) as around from score order by id;
--> {"id":1,"around":20}
--> {"id":2,"around":30}
--> {"id":3,"around":20}
--> {"id":4,"around":25}
--> {"id":5,"around":null}

select bit_xor(points) as a, min(array[id]) as b from score;
--> {"a":15,"b":[1]}

select rank(15) within group (order by points) as a from score;
--> {"a":3}

select jsonb_agg(jsonb_build_object('id', id, 'team', team) order by id) as a from score where id < 3;
--> {"a":[{"id":1,"team":"a"},{"id":2,"team":"a"}]}

select team, json_agg(json_build_object('id', id, 'at', at) order by id) as items from score where team = 'a' group by team;
--> {"team":"a","items":[{"id":1,"at":"2024-01-01"},{"id":2,"at":"2024-01-02"}]}
