-- Rows of arrays as documents, with rows inside of them; elements of arrays that are equal numbers

create type pair as (n int, t text);
create domain num as numeric;
create table t0 (id int primary key, n numeric, p pair, d date, a int[], j jsonb, o num);
insert into t0 values (1, 1.0, '(1,a)', '2024-01-01', '{1}', '{"a": 1}', 3.50), (2, 1.00, null, null, null, null, null);
--> no rows

select array_to_json(array_agg(t0)) from t0;
--> {"array_to_json":[{"id":1,"n":1,"p":{"n":1,"t":"a"},"d":"2024-01-01","a":[1],"j":{"a":1},"o":3.5},{"id":2,"n":1,"p":null,"d":null,"a":null,"j":null,"o":null}]}

select array_to_json(array_agg(q)) from (select n, p, o from t0) q;
--> {"array_to_json":[{"n":1,"p":{"n":1,"t":"a"},"o":3.5},{"n":1,"p":null,"o":null}]}

select json_agg(t0), jsonb_agg(t0), to_json(array_agg(t0)) from t0;
--> {"json_agg":[{"id":1,"n":1,"p":{"n":1,"t":"a"},"d":"2024-01-01","a":[1],"j":{"a":1},"o":3.5},{"id":2,"n":1,"p":null,"d":null,"a":null,"j":null,"o":null}],"jsonb_agg":[{"a":[1],"d":"2024-01-01","j":{"a":1},"n":1,"o":3.5,"p":{"n":1,"t":"a"},"id":1},{"a":null,"d":null,"j":null,"n":1,"o":null,"p":null,"id":2}],"to_json":[{"id":1,"n":1,"p":{"n":1,"t":"a"},"d":"2024-01-01","a":[1],"j":{"a":1},"o":3.5},{"id":2,"n":1,"p":null,"d":null,"a":null,"j":null,"o":null}]}

select array_to_json(array_agg(p)), array_to_json(array[p]) from t0 group by id order by id;
--> {"array_to_json":[{"n":1,"t":"a"}]}
--> {"array_to_json":[null]}

select array_to_json(array_agg(row(n, p))) from t0;
--> {"array_to_json":[{"f1":1,"f2":{"n":1,"t":"a"}},{"f1":1,"f2":null}]}

select array_to_json(array(select p from t0)), array_to_json(array(select t0 from t0));
--> {"array_to_json":[{"id":1,"n":1,"p":{"n":1,"t":"a"},"d":"2024-01-01","a":[1],"j":{"a":1},"o":3.5},{"id":2,"n":1,"p":null,"d":null,"a":null,"j":null,"o":null}]}

select to_jsonb(array_agg(t0 order by id)) from t0;
--> {"to_jsonb":[{"a":[1],"d":"2024-01-01","j":{"a":1},"n":1,"o":3.5,"p":{"n":1,"t":"a"},"id":1},{"a":null,"d":null,"j":null,"n":1,"o":null,"p":null,"id":2}]}

select array_to_json(array_agg(t0), true) from t0;
--> {"array_to_json":[{"id":1,"n":1,"p":{"n":1,"t":"a"},"d":"2024-01-01","a":[1],"j":{"a":1},"o":3.5},{"id":2,"n":1,"p":null,"d":null,"a":null,"j":null,"o":null}]}

select array_remove(array['12:00+01'::timetz], '11:00+00'), array_remove(array[0.0::float8], -0.0::float8);
--> {"array_remove":[]}

select array[interval '1 day'] @> array[interval '24 hours'], array['1.0'::jsonb] && array['1'::jsonb], array[1.0] <@ array[1], interval '24 hours' = any (array[interval '1 day']);
--> ERROR 42883: operator does not exist: numeric[] <@ integer[]
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 116

select array[n] || n, pg_typeof(array[o] || o), array[o] || array[o] from t0;
--> {"?column?":"{3.50,3.50}","pg_typeof":"num[]"}
--> {"?column?":"{NULL,NULL}","pg_typeof":"num[]"}

create type deep as (p pair, ps pair[], x num, xs num[]);
create table t9 (id int, d deep);
insert into t9 values (1, row(row(1, 'q"x'), array[row(2, 'y')::pair, null], 2.50, array[1.0])), (2, null), (3, row(null, null, null, null));
select array_to_json(array_agg(t9 order by id)), to_jsonb(array_agg(d order by id)), json_agg(d order by id), row_to_json(row(array_agg(d order by id))) from t9;
--> {"array_to_json":[{"id":1,"d":{"p":{"n":1,"t":"q\"x"},"ps":[{"n":2,"t":"y"},null],"x":2.5,"xs":[1]}},{"id":2,"d":null},{"id":3,"d":{"p":null,"ps":null,"x":null,"xs":null}}],"to_jsonb":[{"p":{"n":1,"t":"q\"x"},"x":2.5,"ps":[{"n":2,"t":"y"},null],"xs":[1]},null,{"p":null,"x":null,"ps":null,"xs":null}],"json_agg":[{"p":{"n":1,"t":"q\"x"},"ps":[{"n":2,"t":"y"},null],"x":2.5,"xs":[1]},null,{"p":null,"ps":null,"x":null,"xs":null}],"row_to_json":{"f1":[{"p":{"n":1,"t":"q\"x"},"ps":[{"n":2,"t":"y"},null],"x":2.5,"xs":[1]},null,{"p":null,"ps":null,"x":null,"xs":null}]}}
