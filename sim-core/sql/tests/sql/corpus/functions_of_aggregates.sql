-- Functions in SQL whose arguments are aggregates, or whose aggregates read arguments alone.

create table t (id int primary key, k int);
--> no rows

insert into t select g, g % 3 from generate_series(1,9) g;
--> no rows

create function pct(a numeric, b numeric) returns numeric language sql immutable as $$ select case when b = 0 then 0 else round(a / b * 100, 1) end $$;
--> no rows

create function inc(n bigint) returns bigint language sql as $$ select n + 1 $$;
--> no rows

select pct(count(*) filter (where k = 0), count(*)) from t;
--> {"pct":"33.3"}

select inc(count(*)) from t;
--> {"inc":10}

select id, inc(row_number() over (order by id)) from t where id < 4 order by id;
--> {"id":1,"inc":2}
--> {"id":2,"inc":3}
--> {"id":3,"inc":4}

select k, inc(count(*)), pct(count(*), 9) from t group by k order by k;
--> {"k":0,"inc":4,"pct":"33.3"}
--> {"k":1,"inc":4,"pct":"33.3"}
--> {"k":2,"inc":4,"pct":"33.3"}

select k from t group by k having inc(count(*)) > 3 order by inc(count(*)), k;
--> {"k":0}
--> {"k":1}
--> {"k":2}

select inc(count(*)) from t where false;
--> {"inc":1}

select inc(random()::int * 0 + count(*)) from t;
--> {"inc":10}

select inc(count(1)), inc(sum(1)), inc(sum(id)) from t;
--> {"inc":46}

create view shares as select k, pct(count(*), (select count(*) from t)) as share, jsonb_build_object('n', inc(count(*))) as n from t group by k;
--> no rows

select * from shares order by k;
--> {"k":0,"share":"33.3","n":{"n":4}}
--> {"k":1,"share":"33.3","n":{"n":4}}
--> {"k":2,"share":"33.3","n":{"n":4}}

create function m(n int) returns int language sql stable as $$ select id from t where id = n $$;
--> no rows

select m(max(id)) from t;
--> {"m":9}

select k, m(min(id)) from t group by k having m(max(id)) > 7 order by m(max(id));
--> {"k":2,"m":2}
--> {"k":0,"m":3}

select id, inc(sum(id) over (order by id)) from t where id < 4 order by id;
--> {"id":1,"inc":2}
--> {"id":2,"inc":4}
--> {"id":3,"inc":7}

create function s1(n int) returns bigint language sql as $$ select sum(n) from t $$;
--> no rows

create function s4(x text) returns text language sql as $$ select string_agg(x, '') from generate_series(1, 3) $$;
--> no rows

select s1(2), s1(1 + 1), s4('a'), s4('a' || 'b');
--> {"s1":18,"s4":"ababab"}

select id, s1(k) from t where id < 4 order by id;
--> {"id":1,"s1":9}
--> {"id":2,"s1":18}
--> {"id":3,"s1":0}

create function owned(p int) returns bigint language sql stable as $$ select count(*) from t where k = p and id > p $$;
--> no rows

select k, owned(k) from t group by k order by k;
--> {"k":0,"owned":3}
--> {"k":1,"owned":2}
--> {"k":2,"owned":2}

create function first_ids(n int) returns int[] language sql as $$ select array_agg(id) from (select id from t order by id limit n) s $$;
--> no rows

select first_ids(3), first_ids(4 - 1), first_ids(cardinality(array[1,2])), first_ids((select 2));
--> {"first_ids":[1,2]}

select k, first_ids(k) from t where id < 4 order by id;
--> {"k":1,"first_ids":[1]}
--> {"k":2,"first_ids":[1,2]}
--> {"k":0,"first_ids":null}

do $$ declare b int[]; n int := 5; begin b := first_ids(n); b := first_ids(n - 1); raise notice '%', b; end $$;
--> no rows
