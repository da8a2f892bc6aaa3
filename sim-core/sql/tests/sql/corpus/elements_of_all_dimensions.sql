-- `ANY`, `ALL` and searches in arrays of several dimensions.

select 2 = any(array[[1,2],[3,4]]) a, 2 = all(array[[2,2],[2,2]]) b, 5 = any(array[[1,2],[3,4]]) c, 4 <> all(array[[1,2],[3,4]]) d, 3 < any(array[[1,2],[3,4]]) e;
--> {"a":true,"b":true,"c":false,"d":false,"e":true}

create table t (a int[][]); insert into t values ('{{1,2},{3,4}}'), ('{5}'); select a, 3 = any(a) x, 5 = any(a) y, 9 = any(a) z, 1 <> all(a) w from t;
--> {"a":[[1,2],[3,4]],"x":true,"y":false,"z":false,"w":false}
--> {"a":[5],"x":false,"y":true,"z":false,"w":true}

select 'b' = any('{{a,b},{c,d}}'::text[]) a, 'd' like any('{{a,b},{c,d%}}'::text[]) b, 'z' ilike any(array[['a','b'],['c','Z']]) c;
--> {"a":true,"b":true,"c":true}

create function f(x int, a int[]) returns boolean language plpgsql as $$ begin return x = any(a); end $$; select f(4, array[[1,2],[3,4]]), f(5, array[[1,2],[3,4]]), f(2, (array[[1,2],[3,4]])[1:1]);
--> {"f":true}

select array[[1,2],[3,4]] @> array[4] a, array[[1,2],[3,4]] && array[[4],[9]] b, array[3] <@ array[[1,2],[3,4]] c, array_position(array[1,2], 2) d;
--> {"a":true,"b":true,"c":true,"d":2}

select unnest(array[[1,2],[3,4]]), cardinality(array[[1,2],[3,4]]);
--> {"unnest":1,"cardinality":4}
--> {"unnest":2,"cardinality":4}
--> {"unnest":3,"cardinality":4}
--> {"unnest":4,"cardinality":4}

select array[[1,2],[3,4]] = array[[1,2],[3,4]] a, array[[1,2],[3,4]] = array[1,2,3,4] b, array[[1,2]] || array[3,4] c, array_remove(array[1,2], 1) d, array_replace(array[[1,2],[3,4]], 4, 9) e, array_to_string(array[[1,2],[3,4]], ',') f;
--> {"a":true,"b":false,"c":[[1,2],[3,4]],"d":[2],"e":[[1,2],[3,9]],"f":"1,2,3,4"}

select * from t where 4 = any(a);
--> {"a":[[1,2],[3,4]]}

select 1 from pg_class where relname = any(array[['pg_class','x'],['y','z']]);
--> {"?column?":1}

select '[1,2]'::jsonb = any(array['[1,2]','3']::jsonb[]) a, '3'::jsonb = any(array['[1,2]','3']::jsonb[]) b, '2'::jsonb = any(array['[1,2]','3']::jsonb[]) c;
--> {"a":true,"b":true,"c":false}

create type co as (a int, b text); select row(1,'a')::co = any(array[row(1,'a')::co, row(2,'b')::co]) a, row(3,'a')::co = any(array[row(1,'a')::co, row(2,'b')::co]) b;
--> {"a":true,"b":false}

create table k (id int, g int[] check (5 <> all(g)), h boolean generated always as (2 = any(g)) stored); insert into k values (1, '{{1,2},{3,4}}'), (2, '{1}'); select * from k;
--> {"id":1,"g":[[1,2],[3,4]],"h":true}
--> {"id":2,"g":[1],"h":false}

insert into k values (3, '{{1,2},{3,5}}');
--> ERROR 23514: new row for relation "k" violates check constraint "k_g_check"
--> DETAIL: Failing row contains (3, {{1,2},{3,5}}, t).

select array_remove(array[[1,2],[3,4]], 2);
--> ERROR 0A000: removing elements from multidimensional arrays is not supported

select array_position(array[[1,2],[3,4]], 2);
--> ERROR 0A000: searching for elements in multidimensional arrays is not supported

select array_positions(array[[1,2],[3,4]], 2);
--> ERROR 0A000: searching for elements in multidimensional arrays is not supported

select array_append(array[[1,2],[3,4]], 2);
--> ERROR 22000: argument must be empty or one-dimensional array

select array[[1,2],[3,4]] || 5;
--> ERROR 22000: argument must be empty or one-dimensional array

select 4 = any(null::int[]) a, null = any(array[[1,2]]) b, 4 = any('{}'::int[]) c, 4 <> all('{}'::int[]) d;
--> {"a":null,"b":null,"c":false,"d":true}

create policy p on k using (id = any((select array_agg(array[x, x]) from generate_series(1, 2) x)::int[])); alter table k enable row level security; grant select on k to anon; set role anon; select id from k order by id; reset role;
--> {"id":1}
--> {"id":2}

select array[[1,2],[3,4]]::text[] @> array['4'], 'x' = any(string_to_array('x,y', ',')), 5 = any(select unnest(array[[4],[5]]));
--> {"?column?":true}

select date '2026-01-02' = any(array[[date '2026-01-01'],[date '2026-01-02']]), 1.0 = any(array[[1.00, 2],[3, 4]]) from (select 1) x;
--> {"?column?":true}

select array_remove(array[row(1,'a')::co, row(2,'b')::co], row(1,'a')::co) a, array_position(array[row(1,'a')::co, row(2,'b')::co], row(2,'b')::co) b;
--> {"a":"{\"(2,b)\"}","b":2}
