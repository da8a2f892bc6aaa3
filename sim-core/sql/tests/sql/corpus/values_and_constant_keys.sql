-- Lists of values as values, and keys of groups that are the same for all rows.

insert into t values (1,'a'),(2,'b');
--> ERROR 42P01: relation "t" does not exist
--> AT 13

select tableoid::regclass, count(*) from t group by 1;
--> ERROR 42P01: relation "t" does not exist
--> AT 42

select tableoid::regclass, count(*) from t group by tableoid;
--> ERROR 42P01: relation "t" does not exist
--> AT 42

select tableoid::regclass::text, count(*) from t group by 1 order by 1;
--> ERROR 42P01: relation "t" does not exist
--> AT 48

select 'x' as k, count(*) from t group by 1;
--> ERROR 42P01: relation "t" does not exist
--> AT 32

select 5 as k, count(*) from t group by k;
--> ERROR 42P01: relation "t" does not exist
--> AT 30

select 5 as k, count(*) from t group by 1, x;
--> ERROR 42P01: relation "t" does not exist
--> AT 30

select count(*) from t group by 1=1;
--> ERROR 42P01: relation "t" does not exist
--> AT 22

select null as n, count(*) from t group by 1;
--> ERROR 42P01: relation "t" does not exist
--> AT 33

select now() > '2000-01-01' as n, count(*) from t group by 1;
--> ERROR 42P01: relation "t" does not exist
--> AT 49

select current_date = current_date, count(*) from t group by 1;
--> ERROR 42P01: relation "t" does not exist
--> AT 51

select distinct on (tableoid) tableoid::regclass, id from t order by tableoid, id;
--> ERROR 42P01: relation "t" does not exist
--> AT 59

select tableoid::regclass, id, row_number() over (partition by tableoid order by id) from t order by tableoid, id;
--> ERROR 42P01: relation "t" does not exist
--> AT 91

select (values (1));
--> {"column1":1}

select 1 = (values (1));
--> {"?column?":true}

select id from t where id = (values (1));
--> ERROR 42P01: relation "t" does not exist
--> AT 16

select id, (values (t.id + 1)) from t;
--> ERROR 42P01: relation "t" does not exist
--> AT 37

select exists (values (1));
--> {"exists":true}

select array(values (1),(2));
--> {"array":[1,2]}

select id from t where id in (values (1),(2)) and id > all (values (0));
--> ERROR 42P01: relation "t" does not exist
--> AT 16

select id from t where id = any (values (2));
--> ERROR 42P01: relation "t" does not exist
--> AT 16

select * from (values (1),(2)) v;
--> {"column1":1}
--> {"column1":2}

select coalesce((values (null::int)), 7);
--> {"coalesce":7}

select (values (1) order by 1 limit 1);
--> {"column1":1}

select ((values (3)));
--> {"column1":3}

insert into t values ((values (9)), 'q') returning *;
--> ERROR 42P01: relation "t" does not exist
--> AT 13

update t set id = (values (10)) where id = 9 returning *;
--> ERROR 42P01: relation "t" does not exist
--> AT 8

select (values (id)) from t order by (values (-id));
--> ERROR 42P01: relation "t" does not exist
--> AT 27

select not exists (values (1)) , exists(values (1)) and true;
--> {"?column?":true}

select array (values ('a'),('b'));
--> {"array":["a","b"]}

select (select 1 union values (1));
--> {"?column?":1}

select case when exists (values (1)) then 1 end;
--> {"case":1}

select (  values (5)  ), f.* from (values (1)) f;
--> {"column1":1}

do $$ declare a int := (values (4)); begin a := (values (a+1)); raise notice '%', a; if exists (values (1)) then raise notice 'y'; end if; end $$;
--> no rows

select id from t order by tableoid, id desc;
--> ERROR 42P01: relation "t" does not exist
--> AT 16

select count(*) from t where false group by tableoid;
--> ERROR 42P01: relation "t" does not exist
--> AT 22

select x from t order by tableoid desc limit 1;
--> ERROR 42P01: relation "t" does not exist
--> AT 15

create view w as select (values (1)) as a, 2 = (values (2)) as b, exists (values (3)) as c from t, (values (4)) u;
--> ERROR 42P01: relation "t" does not exist
--> AT 97

select pg_get_viewdef('w'::regclass, true);
--> ERROR 42P01: relation "w" does not exist
--> AT 23

select * from t, (values (1)) v, lateral (values (t.id)) w(k) where k = (values (1));
--> ERROR 42P01: relation "t" does not exist
--> AT 15

with a as (values (1),(2)) select * from a;
--> {"column1":1}
--> {"column1":2}

with a(x) as materialized (values (1),(2)), b as (values (3)) select * from a, b;
--> {"x":1,"column1":3}
--> {"x":2,"column1":3}

select * from ((values (1)) union (values (2))) q order by 1;
--> {"column1":1}
--> {"column1":2}

(values (1),(2)) order by 1 desc;
--> {"column1":2}
--> {"column1":1}

select * from (values (1,(values (7)))) v;
--> {"column1":1,"column2":7}

insert into t (values (5,'z')) returning *;
--> ERROR 42P01: relation "t" does not exist
--> AT 13

select array[(values (1)),(values (2))];
--> {"array":[1,2]}

select (values (1)) + (values (2)), -(values (3)), ((values (4)))::text || (values ('x'));
--> {"?column?":"4x"}

select row((values (1)), (values (2)));
--> {"row":"(1,2)"}

select * from t join (values (1)) v(i) on id = (values (1));
--> ERROR 42P01: relation "t" does not exist
--> AT 15

select greatest((values (1)), 3, (values (9)));
--> {"greatest":9}

select id from t where id between (values (1)) and (values (1));
--> ERROR 42P01: relation "t" does not exist
--> AT 16

select id from t where (values (true));
--> ERROR 42P01: relation "t" does not exist
--> AT 16

create function fv() returns int language sql as $$ values (3) $$;
--> no rows

create function fv2(a int) returns int language sql as $$ select (values (a)) $$;
--> no rows

select fv(), fv2(7);
--> {"fv":3,"fv2":7}

merge into t using (values (1,'m')) s(i,n) on t.id = s.i when matched then update set x = s.n;
--> ERROR 42P01: relation "t" does not exist
--> AT 12

select * from t order by id;
--> ERROR 42P01: relation "t" does not exist
--> AT 15

select id from t where id in ((values (1),(2))) order by id;
--> ERROR 42P01: relation "t" does not exist
--> AT 16

select sum((values (id))) from t;
--> ERROR 42P01: relation "t" does not exist
--> AT 32

select case (values (1)) when (values (1)) then (values ('yes')) else (values ('no')) end;
--> {"column1":"yes"}

update t set (id, x) = (values (100, 'h')) where id = 5 returning *;
--> ERROR 42P01: relation "t" does not exist
--> AT 8
