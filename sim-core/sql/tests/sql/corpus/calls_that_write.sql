-- Queries whose functions change the rows that the query reads.

create table w(id int primary key, bal int); insert into w values (1,100), (2, 50);
--> no rows

create function deduct(i int, n int) returns int language plpgsql as $$ declare r int; begin update w set bal = bal - n where id = i returning bal into r; return r; end $$;
--> no rows

select deduct(1, 5), bal from w where id = 1;
--> {"deduct":95,"bal":100}

select bal, deduct(1, 5), bal from w where id = 1;
--> {"bal":95,"deduct":90}

select deduct(1, 5), (select bal from w where id = 1);
--> {"deduct":85,"bal":90}

select deduct(1, 5), (select sum(bal) from w), exists (select 1 from w where bal = 85), jsonb_build_object('a', deduct(1, 1), 'b', (select bal from w where id = 1));
--> {"deduct":80,"sum":135,"exists":true,"jsonb_build_object":{"a":79,"b":85}}

create table t(id int generated always as identity primary key, a int); insert into t(a) values (1),(2),(3);
--> no rows

create function clone(p int) returns int language plpgsql as $$ declare n int; begin insert into t(a) select a from t where id = p returning id into n; return n; end $$;
--> no rows

select clone(id) from t;
--> {"clone":4}
--> {"clone":5}
--> {"clone":6}

select * from t order by id;
--> {"id":1,"a":1}
--> {"id":2,"a":2}
--> {"id":3,"a":3}
--> {"id":4,"a":1}
--> {"id":5,"a":2}
--> {"id":6,"a":3}

select clone(id), a, id from t where a > 1 order by id desc limit 2;
--> {"clone":7,"a":3,"id":6}
--> {"clone":8,"a":2,"id":5}

select count(*), max(id) from t;
--> {"count":8,"max":8}

select count(clone(id)) from t where a = 3;
--> {"count":3}

select a, count(clone(id)) from t group by a order by a;
--> {"a":1,"count":2}
--> {"a":2,"count":3}
--> {"a":3,"count":6}

select id, clone(id) is null as x from t where clone(id) > 0 order by id;
--> {"id":1,"x":false}
--> {"id":2,"x":false}
--> {"id":3,"x":false}
--> {"id":4,"x":false}
--> {"id":5,"x":false}
--> {"id":6,"x":false}
--> {"id":7,"x":false}
--> {"id":8,"x":false}
--> {"id":9,"x":false}
--> {"id":10,"x":false}
--> {"id":11,"x":false}
--> {"id":12,"x":false}
--> {"id":13,"x":false}
--> {"id":14,"x":false}
--> {"id":15,"x":false}
--> {"id":16,"x":false}
--> {"id":17,"x":false}
--> {"id":18,"x":false}
--> {"id":19,"x":false}
--> {"id":20,"x":false}
--> {"id":21,"x":false}
--> {"id":22,"x":false}

select count(*) from t;
--> {"count":66}

create function cnts() returns bigint language sql stable as $$ select count(*) from t $$; select clone(1), cnts(), (select count(*) from t);
--> {"clone":67,"cnts":66,"count":66}

create view vc as select id, a from t; select clone(id) is not null as x from vc where id < 4;
--> {"x":true}
--> {"x":true}
--> {"x":true}

with q as (select * from t where id <= 2) select clone(id) is not null, q.a, (select count(*) from t) from q order by q.id;
--> {"?column?":true,"a":1,"count":70}
--> {"?column?":true,"a":2,"count":70}

select t.*, clone(t.id) from t where id = 1;
--> {"id":1,"a":1,"clone":73}

select (t).a, clone(t.id), t from t where id = 1;
--> {"a":1,"clone":74,"t":"(1,1)"}

select row_number() over (order by id) as n, clone(id) from t where id < 4;
--> {"n":1,"clone":75}
--> {"n":2,"clone":76}
--> {"n":3,"clone":77}

select distinct clone(id) > 0 from t where id < 4;
--> {"?column?":true}

do $$ declare x int; n bigint; r record; begin select clone(1), (select count(*) from t) into x, n; for r in select clone(id) as c, id from t where id <= 3 loop null; end loop; raise notice '% %', x, n; end $$; select count(*) from t;
--> {"count":84}

select x.id, clone(x.id), y.a from t x left join t y on y.id = x.id + 1000000 where x.id < 3 order by 1;
--> {"id":1,"clone":85,"a":null}
--> {"id":2,"clone":86,"a":null}

select clone(id) as c from t where id < 3 union all select 5 order by 1 desc limit 1;
--> {"c":88}

select case when id = 1 then clone(id) else 0 end > 0 as made, coalesce(a, clone(id)) from t where id < 3 order by id;
--> {"made":true,"coalesce":1}
--> {"made":false,"coalesce":2}

create table log (m text); create function say(x text) returns void language plpgsql as $$ begin insert into log values (x); end $$; select say(a::text) from t where id < 3 order by id desc; select * from log;
--> {"m":"2"}
--> {"m":"1"}

select say(m), count(*) over () from log; select count(*) from log;
--> {"count":4}

insert into t (a) select clone(id) from t where id < 3; select count(*) from t;
--> {"count":93}

create function mk(p int) returns setof int language plpgsql as $$ begin insert into t(a) values (p) ; return next p; return; end $$; select mk(id) from t where id < 4;
--> {"mk":1}
--> {"mk":2}
--> {"mk":3}

select 'x' as lit, clone(1) is null as y, null as z;
--> {"lit":"x","y":false,"z":null}

select 'x' as lit, clone(id) is null as y, null as z from t where id = 1 union select 'y', false, 'q' order by 1;
--> {"lit":"x","y":false,"z":null}
--> {"lit":"y","y":false,"z":"q"}
