-- The order of documents, where an empty array is the least

select '[]'::jsonb < 'null'::jsonb, '[]'::jsonb < '1'::jsonb, '[]'::jsonb < '{}'::jsonb, '[[]]'::jsonb < '[null]'::jsonb, '[1]'::jsonb < '"a"', '{"a":[]}'::jsonb < '{"a":null}'::jsonb, '[1,2]'::jsonb > '[3]'::jsonb, '[]'::jsonb = '[]'::jsonb;
--> {"?column?":true}

select x from unnest(array['[]', 'null', '1', '"a"', 'true', 'false', '{}', '[1]', '[[]]', '{"a":1}', '[null]']::jsonb[]) as x order by x;
--> {"x":[]}
--> {"x":null}
--> {"x":"a"}
--> {"x":1}
--> {"x":false}
--> {"x":true}
--> {"x":[null]}
--> {"x":[1]}
--> {"x":[[]]}
--> {"x":{}}
--> {"x":{"a":1}}

select x from unnest(array['[]', 'null', '1', '"a"', 'true', 'false', '{}', '[1]', '[[]]', '{"a":1}', '[null]', null]::jsonb[]) as x order by x desc;
--> {"x":null}
--> {"x":{"a":1}}
--> {"x":{}}
--> {"x":[[]]}
--> {"x":[1]}
--> {"x":[null]}
--> {"x":true}
--> {"x":false}
--> {"x":1}
--> {"x":"a"}
--> {"x":null}
--> {"x":[]}

select '[]'::jsonb = '[]'::jsonb as a, '[]'::jsonb <= '[]' as b, '[]'::jsonb < 'null'::jsonb as c, '[]'::jsonb < '{}'::jsonb as d, '[[]]'::jsonb < '[null]'::jsonb as e, '{"a":[]}'::jsonb < '{"a":null}'::jsonb as f, '[1,2]'::jsonb > '"x"'::jsonb as g;
--> {"a":true,"b":true,"c":true,"d":true,"e":false,"f":false,"g":true}

select jsonb_agg(x order by x) from (values ('[]'::jsonb), ('1'), ('null'), ('{}')) v(x);
--> {"jsonb_agg":[[],null,1,{}]}
