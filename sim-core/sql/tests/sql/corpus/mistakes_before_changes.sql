-- Mistakes in any part of a WITH are found before it changes rows

create table t (id serial primary key, v int check (v < 10)); create sequence s;
--> no rows

with w as (insert into t (v) values (50) returning id) select id, no_such from w;
--> ERROR 42703: column "no_such" does not exist
--> AT 67

with w as (insert into t (v) values (5) returning id) select id, no_such from w;
--> ERROR 42703: column "no_such" does not exist
--> AT 66

with w as (insert into t (v) values (5) returning id) select * from w;
--> {"id":1}

with w as (insert into t (v) values (nextval('s')) returning id, v) select *, no_such(1) from w;
--> ERROR 42883: function no_such(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 79

with w as (insert into t (v) values (nextval('s')) returning id, v) select * from w;
--> {"id":2,"v":1}

with w as (insert into t (v) values (50) returning no_such) select * from w;
--> ERROR 42703: column "no_such" does not exist
--> AT 52

insert into t (v) values (50) returning no_such;
--> ERROR 42703: column "no_such" does not exist
--> AT 41

insert into t (v) values (nextval('s')) returning no_such;
--> ERROR 42703: column "no_such" does not exist
--> AT 51

insert into t (v) values (nextval('s')) returning v;
--> {"v":2}

update t set v = 50 returning no_such;
--> ERROR 42703: column "no_such" does not exist
--> AT 31

delete from t where id = 1/(id - id) returning no_such;
--> ERROR 42703: column "no_such" does not exist
--> AT 48

with w as (update t set v = 50 returning id) delete from t using w where t.id = no_such;
--> ERROR 42703: column "no_such" does not exist
--> AT 81

with w as (update t set v = 50 returning id), x as (select nope from w) select * from x;
--> ERROR 42703: column "nope" does not exist
--> AT 60

with w as (update t set v = v returning id), x as (delete from t using w where t.id = w.id + 100 returning t.id) select * from w left join x using (id) order by 1;
--> {"id":1}
--> {"id":2}
--> {"id":3}

with w as (update t set v = 5 where id = 1) select * from w;
--> ERROR 0A000: WITH query "w" does not have a RETURNING clause
--> AT 59

with w as (update t set v = 5 where id = 1) select 1;
--> {"?column?":1}

with w as (update t set v = 50 where id = 2) select nope;
--> ERROR 42703: column "nope" does not exist
--> AT 53

with a as (insert into t (v) values (1) returning *), b as (insert into t (v) select v + 1 from a returning *) select * from a union all select * from b order by 1;
--> {"id":4,"v":1}
--> {"id":5,"v":2}

create table log (x int); create function f() returns trigger language plpgsql as $$ begin insert into log values (new.id); return new; end $$; create trigger tr before insert on t for each row execute function f();
--> no rows

with w as (insert into t (v) values (50) returning id) select id, no_such from w;
--> ERROR 42703: column "no_such" does not exist
--> AT 67

insert into t (v) values (50) returning no_such;
--> ERROR 42703: column "no_such" does not exist
--> AT 41

with w as (insert into t (v) values (3) returning id) insert into log select id from w returning *;
--> {"x":6}

with w as (insert into t (v) values (3) returning id), q as (select count(*) as n from t) select q.n, w.id > 0 from w, q;
--> {"n":6,"?column?":true}

grant select on t to public; set local role anon; with w as (update t set v = 5) select nope;
--> ERROR 42703: column "nope" does not exist
--> AT 89

set local role anon; with w as (update t set v = 5) select 1;
--> {"?column?":1}
