create table p (id int primary key, n text, amt numeric); insert into p values (1,'a',10),(2,'a',20),(3,'b',null);
--> no rows

with recursive r(i) as (select 1 union all (select i+1 from r where i<5 order by i limit 1)) select * from r;
--> {"i":1}
--> {"i":2}
--> {"i":3}
--> {"i":4}
--> {"i":5}

with recursive r(i) as ((select id from p order by id limit 1) union all (select p.id from p, r where p.id > r.i order by p.id limit 1)) select * from r;
--> {"i":1}
--> {"i":2}
--> {"i":3}

with recursive t as ((select n from p order by n limit 1) union all select (select n from p where n > t.n order by n limit 1) from t where t.n is not null) select n from t where n is not null;
--> {"n":"a"}
--> {"n":"b"}

with recursive a as (select * from b), b as (select 1 as q) select * from a;
--> {"q":1}

with a as (select * from b), b as (select 1 as q) select * from a;
--> ERROR 42P01: relation "b" does not exist
--> DETAIL: There is a WITH item named "b", but it cannot be referenced from this part of the query.
--> HINT: Use WITH RECURSIVE, or re-order the WITH items to remove forward references.
--> AT 26

select * from p x right join lateral (select x.amt as z) y on true;
--> ERROR 42P10: invalid reference to FROM-clause entry for table "x"
--> DETAIL: The combining JOIN type must be INNER or LEFT for a LATERAL reference.
--> AT 46

select * from p x full join lateral (select x.amt as z) y on true;
--> ERROR 42P10: invalid reference to FROM-clause entry for table "x"
--> DETAIL: The combining JOIN type must be INNER or LEFT for a LATERAL reference.
--> AT 45

select * from p x right join lateral generate_series(1, x.id) g on true;
--> ERROR 42P10: invalid reference to FROM-clause entry for table "x"
--> DETAIL: The combining JOIN type must be INNER or LEFT for a LATERAL reference.
--> AT 57

select * from p x limit id;
--> ERROR 42P10: argument of LIMIT must not contain variables
--> AT 25

select * from p x offset x.id;
--> ERROR 42P10: argument of OFFSET must not contain variables
--> AT 26

select id from p union select id from p order by n;
--> ERROR 42703: column "n" does not exist
--> AT 50

select id from p union select id from p order by id + 1;
--> ERROR 0A000: invalid UNION/INTERSECT/EXCEPT ORDER BY clause
--> DETAIL: Only result column names can be used, not expressions or functions.
--> HINT: Add the expression/function to every SELECT, or move the UNION into a FROM clause.
--> AT 50

select id from p union select id from p order by p.id;
--> ERROR 42P01: missing FROM-clause entry for table "p"
--> AT 50

select * from p x, (select x.id) y;
--> ERROR 42P01: invalid reference to FROM-clause entry for table "x"
--> HINT: There is an entry for table "x", but it cannot be referenced from this part of the query.
--> AT 28

select * from p x join (select x.id) y on true;
--> ERROR 42P01: invalid reference to FROM-clause entry for table "x"
--> HINT: There is an entry for table "x", but it cannot be referenced from this part of the query.
--> AT 32

select * from p x left join (select * from p where p.id = x.id) y on true;
--> ERROR 42P01: invalid reference to FROM-clause entry for table "x"
--> HINT: There is an entry for table "x", but it cannot be referenced from this part of the query.
--> AT 59

select id k, n k from p order by k;
--> ERROR 42702: ORDER BY "k" is ambiguous
--> AT 34

select row_number() over (w order by id) from p window w as (order by n);
--> ERROR 42P20: cannot override ORDER BY clause of window "w"
--> AT 26

select * from p x join p y using (n) join p z using (n);
--> {"n":"a","id":1,"amt":"10"}
--> {"n":"a","id":2,"amt":"20"}
--> {"n":"a","id":1,"amt":"10"}
--> {"n":"a","id":2,"amt":"20"}
--> {"n":"a","id":1,"amt":"10"}
--> {"n":"a","id":2,"amt":"20"}
--> {"n":"a","id":1,"amt":"10"}
--> {"n":"a","id":2,"amt":"20"}
--> {"n":"b","id":3,"amt":null}

select nosuch.p.id from p;
--> ERROR 42P01: invalid reference to FROM-clause entry for table "p"
--> HINT: There is an entry for table "p", but it cannot be referenced from this part of the query.
--> AT 8

select * from p x, lateral (select id from p where id < 4 order by id limit x.id) y order by 1, 4;
--> {"id":1,"n":"a","amt":"10"}
--> {"id":1,"n":"a","amt":"20"}
--> {"id":2,"n":"a","amt":"20"}
--> {"id":1,"n":"b","amt":null}
--> {"id":2,"n":"b","amt":null}
--> {"id":3,"n":"b","amt":null}

select * from p x, lateral (select id from p order by id offset x.id - 1) y order by 1, 4;
--> {"id":1,"n":"a","amt":"10"}
--> {"id":2,"n":"a","amt":"10"}
--> {"id":3,"n":"a","amt":"10"}
--> {"id":2,"n":"a","amt":"20"}
--> {"id":3,"n":"a","amt":"20"}
--> {"id":3,"n":"b","amt":null}

select *, (select string_agg(q.id::text, ',') from (select id from p order by id limit x.id) q) from p x order by 1;
--> {"id":1,"n":"a","amt":"10","string_agg":"1"}
--> {"id":2,"n":"a","amt":"20","string_agg":"1,2"}
--> {"id":3,"n":"b","amt":null,"string_agg":"1,2,3"}

select x.id, array(select id from p order by id limit x.id offset 1) from p x order by 1;
--> {"id":1,"array":[2]}
--> {"id":2,"array":[2,3]}
--> {"id":3,"array":[2,3]}

select x.id, y.s from p x, lateral (select p.id, sum(x.id) over (partition by x.n order by p.id) s from p) y order by 1, 2;
--> {"id":1,"s":1}
--> {"id":1,"s":2}
--> {"id":1,"s":3}
--> {"id":2,"s":2}
--> {"id":2,"s":4}
--> {"id":2,"s":6}
--> {"id":3,"s":3}
--> {"id":3,"s":6}
--> {"id":3,"s":9}

select x.id, y.s from p x, lateral (select p.id, row_number() over (partition by p.id % x.id order by p.id) s from p) y order by 1, 2;
--> {"id":1,"s":1}
--> {"id":1,"s":2}
--> {"id":1,"s":3}
--> {"id":2,"s":1}
--> {"id":2,"s":1}
--> {"id":2,"s":2}
--> {"id":3,"s":1}
--> {"id":3,"s":1}
--> {"id":3,"s":1}

do $$ declare k int := 2; r record; begin for r in select sum(id) over (order by id rows k preceding) s from p limit k loop raise notice '%', r; end loop; end $$;
--> no rows

select * from p x join p y on z.id = 1 join p z on true;
--> ERROR 42P01: missing FROM-clause entry for table "z"
--> AT 31

select * from p x join lateral (select 1) q on z.id = 1, p z;
--> ERROR 42P01: missing FROM-clause entry for table "z"
--> AT 48

select * from (select * from p where id = y.id) x, p y;
--> ERROR 42P01: missing FROM-clause entry for table "y"
--> AT 43

select * from p y, (select id from p where amt = y.amt and zz = 1) x;
--> ERROR 42P01: invalid reference to FROM-clause entry for table "y"
--> HINT: There is an entry for table "y", but it cannot be referenced from this part of the query.
--> AT 50

select * from p y, (select amt2 from generate_series(1, y.id)) x;
--> ERROR 42P01: invalid reference to FROM-clause entry for table "y"
--> HINT: There is an entry for table "y", but it cannot be referenced from this part of the query.
--> AT 57

select * from p y, (select 1 from (select 1 where y.amt > 0) z) x;
--> ERROR 42P01: invalid reference to FROM-clause entry for table "y"
--> HINT: There is an entry for table "y", but it cannot be referenced from this part of the query.
--> AT 51

select * from p y cross join (values (y.id)) v;
--> ERROR 42P01: invalid reference to FROM-clause entry for table "y"
--> HINT: There is an entry for table "y", but it cannot be referenced from this part of the query.
--> AT 39

select * from p y, (select * from p where amt > k) x, (select 1 as k) z;
--> ERROR 42703: column "k" does not exist
--> AT 49

select * from p y, (select k from p) x, (select 1 as k) z;
--> ERROR 42703: column "k" does not exist
--> AT 28

select p.id from p y;
--> ERROR 42P01: invalid reference to FROM-clause entry for table "p"
--> HINT: Perhaps you meant to reference the table alias "y".
--> AT 8

update p set n = x.n from p x join p y on y.id = p.id;
--> ERROR 42P01: invalid reference to FROM-clause entry for table "p"
--> HINT: There is an entry for table "p", but it cannot be referenced from this part of the query.
--> AT 50

delete from p using p x, (select 1 where p.id = 1) z;
--> ERROR 42P01: invalid reference to FROM-clause entry for table "p"
--> HINT: There is an entry for table "p", but it cannot be referenced from this part of the query.
--> AT 42

insert into p values (2,'q') on conflict (id) do nothing returning excluded.n;
--> ERROR 42P01: missing FROM-clause entry for table "excluded"
--> AT 68

insert into p values (2,'q') on conflict (id) do update set n = p2.n;
--> ERROR 42P01: missing FROM-clause entry for table "p2"
--> AT 65

select nosuch.p.id from p;
--> ERROR 42P01: invalid reference to FROM-clause entry for table "p"
--> HINT: There is an entry for table "p", but it cannot be referenced from this part of the query.
--> AT 8

select public.x.id from p x;
--> ERROR 42P01: invalid reference to FROM-clause entry for table "x"
--> HINT: There is an entry for table "x", but it cannot be referenced from this part of the query.
--> AT 8

select x.nope from p x;
--> ERROR 42703: column x.nope does not exist
--> AT 8

select nope.id from p x;
--> ERROR 42P01: missing FROM-clause entry for table "nope"
--> AT 8

with w as (select 1 as k) select * from p where id = w.k;
--> ERROR 42P01: missing FROM-clause entry for table "w"
--> AT 54

select (select count(*) from p where p.id = q.id) from p x;
--> ERROR 42P01: missing FROM-clause entry for table "q"
--> AT 45

drop table p; create table p (id int primary key, n text, amt numeric, at timestamptz); insert into p values (1,'a',10,'2024-01-01'),(2,'a',20,'2024-02-01'),(3,'b',null,null),(7,'c',1,'2024-03-01'); create table o (id int primary key, p_id int, v int); insert into o select g, 1 + g % 3, g * 10 from generate_series(1, 12) g;
--> no rows

with recursive t(id, at, n) as ((select id, at, n from p order by id desc limit 1) union all (select p.id, p.at, p.n from t join p on p.id < t.id order by p.id desc limit 1)) select * from t;
--> {"id":7,"at":"2024-03-01 00:00:00+00","n":"c"}
--> {"id":3,"at":null,"n":"b"}
--> {"id":2,"at":"2024-02-01 00:00:00+00","n":"a"}
--> {"id":1,"at":"2024-01-01 00:00:00+00","n":"a"}

with recursive t as ((select n from p order by n limit 1) union (select p.n from p, t where p.n > t.n order by p.n limit 1)) select * from t;
--> {"n":"a"}
--> {"n":"b"}
--> {"n":"c"}

with recursive t(i) as (select 1 union all (select i + 1 from t where i < 4 order by i)) select * from t;
--> {"i":1}
--> {"i":2}
--> {"i":3}
--> {"i":4}

with recursive t(i) as (select 1 union all (select i + 1 from t where i < 4) limit 3) select * from t;
--> ERROR 0A000: LIMIT in a recursive query is not implemented
--> AT 84

with recursive a as (select count(*) c from b where q > 1), b as (select generate_series(1, 3) as q), d as (select * from a, b) select * from d order by q;
--> {"c":2,"q":1}
--> {"c":2,"q":2}
--> {"c":2,"q":3}

with recursive a as (select * from b), b(i) as (select 1 union all select i + 1 from b where i < 3) select * from a order by 1;
--> {"i":1}
--> {"i":2}
--> {"i":3}

with a as (select * from a) select * from a;
--> ERROR 42P01: relation "a" does not exist
--> DETAIL: There is a WITH item named "a", but it cannot be referenced from this part of the query.
--> HINT: Use WITH RECURSIVE, or re-order the WITH items to remove forward references.
--> AT 26

with a as (select 1 as x), b as (select * from c), c as (select 2) select * from b;
--> ERROR 42P01: relation "c" does not exist
--> DETAIL: There is a WITH item named "c", but it cannot be referenced from this part of the query.
--> HINT: Use WITH RECURSIVE, or re-order the WITH items to remove forward references.
--> AT 48

select x.id, y.* from p x left join lateral (select id as oid, v from o where o.p_id = x.id order by v desc limit x.id) y on true order by 1, 2;
--> {"id":1,"oid":12,"v":120}
--> {"id":2,"oid":7,"v":70}
--> {"id":2,"oid":10,"v":100}
--> {"id":3,"oid":5,"v":50}
--> {"id":3,"oid":8,"v":80}
--> {"id":3,"oid":11,"v":110}
--> {"id":7,"oid":null,"v":null}

select x.id, (select array_agg(v order by v) from (select v from o where p_id = x.id order by v offset x.id limit 2) z) from p x order by 1;
--> {"id":1,"array_agg":[60,90]}
--> {"id":2,"array_agg":[70,100]}
--> {"id":3,"array_agg":[110]}
--> {"id":7,"array_agg":null}

select x.id, (select array_agg(v) from (select distinct v % 30 as v from o order by 1 limit x.id) z) from p x order by 1;
--> {"id":1,"array_agg":[0]}
--> {"id":2,"array_agg":[0,10]}
--> {"id":3,"array_agg":[0,10,20]}
--> {"id":7,"array_agg":[0,10,20]}

select x.id, array(select v from o union all select 0 order by 1 limit x.id) from p x order by 1;
--> {"id":1,"array":[0]}
--> {"id":2,"array":[0,10]}
--> {"id":3,"array":[0,10,20]}
--> {"id":7,"array":[0,10,20,30,40,50,60]}

select x.id, array(select v from o order by p_id desc, v limit nullif(x.id, 3)) from p x order by 1;
--> {"id":1,"array":[20]}
--> {"id":2,"array":[20,50]}
--> {"id":3,"array":[20,50,80,110,10,40,70,100,30,60,90,120]}
--> {"id":7,"array":[20,50,80,110,10,40,70]}

select x.id, array(select v from o limit x.id - 2) from p x order by 1;
--> ERROR 2201W: LIMIT must not be negative

select x.id, (select json_agg(q) from (select v, p_id from o order by v limit (select count(*) from p z where z.id <= x.id)) q) from p x order by 1;
--> {"id":1,"json_agg":[{"v":10,"p_id":2}]}
--> {"id":2,"json_agg":[{"v":10,"p_id":2},{"v":20,"p_id":3}]}
--> {"id":3,"json_agg":[{"v":10,"p_id":2},{"v":20,"p_id":3},{"v":30,"p_id":1}]}
--> {"id":7,"json_agg":[{"v":10,"p_id":2},{"v":20,"p_id":3},{"v":30,"p_id":1},{"v":40,"p_id":2}]}

select x.id, (select max(c) from (select p_id, count(*) c from o group by p_id order by p_id limit x.id) q) from p x order by 1;
--> {"id":1,"max":4}
--> {"id":2,"max":4}
--> {"id":3,"max":4}
--> {"id":7,"max":4}

select * from p where id in (select p_id from o where v > 10 order by v limit p.id) order by 1;
--> {"id":3,"n":"b","amt":null,"at":null}

select exists (select 1 from o limit p.id - 1) from p order by id;
--> {"exists":false}
--> {"exists":true}
--> {"exists":true}
--> {"exists":true}

select x.id, y.id from p x, lateral (select id from p limit id) y;
--> ERROR 42P10: argument of LIMIT must not contain variables
--> AT 61

create function top(k int) returns setof int language sql stable as $$ select v from o order by v desc limit k $$; select x.id, t from p x, top(x.id) t order by 1, 2;
--> {"id":1,"t":120}
--> {"id":2,"t":110}
--> {"id":2,"t":120}
--> {"id":3,"t":100}
--> {"id":3,"t":110}
--> {"id":3,"t":120}
--> {"id":7,"t":60}
--> {"id":7,"t":70}
--> {"id":7,"t":80}
--> {"id":7,"t":90}
--> {"id":7,"t":100}
--> {"id":7,"t":110}
--> {"id":7,"t":120}

select x.id, array(select * from top(x.id)) from p x order by 1;
--> {"id":1,"array":[120]}
--> {"id":2,"array":[120,110]}
--> {"id":3,"array":[120,110,100]}
--> {"id":7,"array":[120,110,100,90,80,70,60]}

select id from p union select id from o order by o.id;
--> ERROR 42P01: missing FROM-clause entry for table "o"
--> AT 50

select id from p union select id from o order by upper(n);
--> ERROR 42703: column "n" does not exist
--> AT 56

select * from p x right join lateral (select 1 as k) y on x.id = y.k;
--> {"id":1,"n":"a","amt":"10","at":"2024-01-01 00:00:00+00","k":1}

select * from o left join lateral (select * from p where p.id = o.p_id limit 1) z on true full join p q on q.id = z.id order by 1, 5 limit 3;
--> {"id":2,"p_id":2,"v":10,"n":"a","amt":"20","at":"2024-02-01 00:00:00+00"}
--> {"id":3,"p_id":3,"v":20,"n":"b","amt":null,"at":null}
--> {"id":1,"p_id":1,"v":30,"n":"a","amt":"10","at":"2024-01-01 00:00:00+00"}

select * from p x full join lateral (select amt) y on true;
--> ERROR 42P10: invalid reference to FROM-clause entry for table "x"
--> DETAIL: The combining JOIN type must be INNER or LEFT for a LATERAL reference.
--> AT 45
