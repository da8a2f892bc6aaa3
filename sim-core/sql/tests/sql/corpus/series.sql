-- Functions that give rows.

select * from generate_series(1, 3);
--> {"generate_series":1}
--> {"generate_series":2}
--> {"generate_series":3}

select n from generate_series(10, 1, -4) as n;
--> {"n":10}
--> {"n":6}
--> {"n":2}

select generate_series(1, 3) as n;
--> {"n":1}
--> {"n":2}
--> {"n":3}

select generate_series(1, 2) as a, generate_series(1, 3) as b;
--> {"a":1,"b":1}
--> {"a":2,"b":2}
--> {"a":null,"b":3}

select * from generate_series(1, 0);
--> no rows

select n, ord from generate_series(5, 7) with ordinality as t(n, ord);
--> {"n":5,"ord":1}
--> {"n":6,"ord":2}
--> {"n":7,"ord":3}

select x::numeric from generate_series(1.0, 2.0, 0.5) as x;
--> {"x":"1.0"}
--> {"x":"1.5"}
--> {"x":"2.0"}

select g.d::date as day, coalesce(v.n, 0) as n from generate_series('2024-01-01'::timestamp, '2024-01-03', '1 day') as g(d) left join (values (date '2024-01-02', 5)) as v(day, n) on v.day = g.d order by 1;
--> {"day":"2024-01-01","n":0}
--> {"day":"2024-01-02","n":5}
--> {"day":"2024-01-03","n":0}

select t.key, t.value from jsonb_each_text('{"a": "1", "b": "2"}'::jsonb) as t order by 1;
--> {"key":"a","value":"1"}
--> {"key":"b","value":"2"}

select * from string_to_table('a-b-c', '-') as part;
--> {"part":"a"}
--> {"part":"b"}
--> {"part":"c"}

select i, (array['a', 'b'])[i] as v from generate_subscripts(array['a', 'b'], 1) as i;
--> {"i":1,"v":"a"}
--> {"i":2,"v":"b"}

select * from rows from (generate_series(1, 2), unnest(array['x'])) as t(n, s);
--> {"n":1,"s":"x"}
--> {"n":2,"s":null}

select x from unnest(array[3, 1, 2]) as x order by x;
--> {"x":1}
--> {"x":2}
--> {"x":3}

select id, part from (values (1, 'a b'), (2, 'c')) as t(id, words), regexp_split_to_table(words, ' ') as part order by 1, 2;
--> {"id":1,"part":"a"}
--> {"id":1,"part":"b"}
--> {"id":2,"part":"c"}

select d.id, e.value ->> 'k' as k from (values (1, '[{"k": "x"}, {"k": "y"}]'::jsonb)) as d(id, doc) cross join jsonb_array_elements(d.doc) as e order by k;
--> {"id":1,"k":"x"}
--> {"id":1,"k":"y"}

select d.id, e.value as tag from (values (1, '["p", "q"]'::jsonb), (2, '[]')) as d(id, doc) left join lateral jsonb_array_elements_text(d.doc) as e(value) on true order by 1, 2;
--> {"id":1,"tag":"p"}
--> {"id":1,"tag":"q"}
--> {"id":2,"tag":null}

select count(*) from generate_series(1, 1000);
--> {"count":1000}

select sum(n) as s, avg(n) as a from generate_series(1, 100) as n where n % 3 = 0;
--> {"s":1683,"a":"51.0000000000000000"}

select date_trunc('month', d)::date as m, count(*) as n from generate_series('2024-01-30'::date, '2024-02-03'::date, '1 day') d group by 1 order by 1;
--> {"m":"2024-01-01","n":2}
--> {"m":"2024-02-01","n":3}

select row_number() over (order by n desc) as r, n from generate_series(1, 3) n order by r;
--> {"r":1,"n":3}
--> {"r":2,"n":2}
--> {"r":3,"n":1}

select (jsonb_each('{"a": 1}')).key as k;
--> {"k":"a"}

select n from generate_series(1, 3) n where n not in (select m from generate_series(2, 2) m);
--> {"n":1}
--> {"n":3}

select array_agg(n * n order by n) as squares from generate_series(1, 5) as n;
--> {"squares":[1,4,9,16,25]}

select chr(64 + n) as letter from generate_series(1, 3) n;
--> {"letter":"A"}
--> {"letter":"B"}
--> {"letter":"C"}

select * from (select generate_series(1, 4) as n) t where n > 2;
--> {"n":3}
--> {"n":4}

select case when n % 15 = 0 then 'fizzbuzz' when n % 5 = 0 then 'buzz' when n % 3 = 0 then 'fizz' else n::text end as say from generate_series(1, 15) n;
--> {"say":"1"}
--> {"say":"2"}
--> {"say":"fizz"}
--> {"say":"4"}
--> {"say":"buzz"}
--> {"say":"fizz"}
--> {"say":"7"}
--> {"say":"8"}
--> {"say":"fizz"}
--> {"say":"buzz"}
--> {"say":"11"}
--> {"say":"fizz"}
--> {"say":"13"}
--> {"say":"14"}
--> {"say":"fizzbuzz"}

select * from current_date as d where d is null;
--> no rows

select * from abs(-3) as v;
--> {"v":3}

select * from json_each('{"a":[1,2]}');
--> {"key":"a","value":[1,2]}

select key from json_object_keys('{"b":1,"a":2}') as key;
--> {"key":"b"}
--> {"key":"a"}

select * from unnest('{1,2}'::int[]) as u join generate_series(2, 3) as g on g = u;
--> {"u":2,"g":2}
