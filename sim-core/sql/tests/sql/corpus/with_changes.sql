-- Changes in the parts of one WITH: each sees the rows as they were before the statement.

create table t (id int primary key, n text);
--> no rows

create table u (id int primary key, n text);
--> no rows

insert into t values (1, 'a'), (2, 'b'), (3, 'c');
--> no rows

with d as (delete from t where id < 3 returning *), i as (insert into u select * from d returning *) select (select count(*) from t) as t, (select count(*) from u) as u, (select count(*) from d) as d, (select count(*) from i) as i;
--> {"t":3,"u":0,"d":2,"i":2}

select * from u order by id;
--> {"id":1,"n":"a"}
--> {"id":2,"n":"b"}

with a as (insert into u values (50, 'new') returning id) update u set n = 'changed' where id = 50 returning *;
--> no rows

select * from u order by id;
--> {"id":1,"n":"a"}
--> {"id":2,"n":"b"}
--> {"id":50,"n":"new"}

with a as (insert into u values (51, 'newer') returning id) delete from u where id in (50, 51) returning *;
--> {"id":50,"n":"new"}

select * from u order by id;
--> {"id":1,"n":"a"}
--> {"id":2,"n":"b"}
--> {"id":51,"n":"newer"}

with a as (update u set n = 'first' where id = 1 returning id) update u set n = n || '!' returning *;
--> {"id":1,"n":"a!"}
--> {"id":2,"n":"b!"}
--> {"id":51,"n":"newer!"}

select * from u order by id;
--> {"id":1,"n":"a!"}
--> {"id":2,"n":"b!"}
--> {"id":51,"n":"newer!"}

with a as (update u set n = 'read' where id = 1 returning id) update u set n = n || '!' where id in (select id from a) returning *;
--> no rows

select * from u order by id;
--> {"id":1,"n":"read"}
--> {"id":2,"n":"b!"}
--> {"id":51,"n":"newer!"}

with a as (delete from u where id = 51 returning *) insert into u select 52, n from a returning *;
--> {"id":52,"n":"newer!"}

with a as (delete from u where id = 52) insert into u values (52, 'again');
--> ERROR 23505: duplicate key value violates unique constraint "u_pkey"
--> DETAIL: Key (id)=(52) already exists.

with a as (delete from u where id = 52 returning *), b as (update u set n = 'b' where id in (1, 52) returning *) select * from b;
--> {"id":1,"n":"b"}
--> {"id":52,"n":"b"}

select * from u order by id;
--> {"id":1,"n":"b"}
--> {"id":2,"n":"b!"}
--> {"id":52,"n":"b"}

with a as (insert into t values (60, 'sixty') returning id) insert into u select id + 100, n from t returning *;
--> {"id":103,"n":"c"}

create table p (id int primary key);
--> no rows

create table c (id int primary key, p_id int references p);
--> no rows

with c as (insert into c values (6, 2)), p as (insert into p values (2)) select 1 as one;
--> {"one":1}

with c as (delete from c), p as (delete from p) select 1 as one;
--> {"one":1}

with p as (insert into p values (3) returning id) insert into c select 7, id from p returning *;
--> {"id":7,"p_id":3}

with x as (delete from p where id = 3) select 1 as one;
--> ERROR 23503: update or delete on table "p" violates foreign key constraint "c_p_id_fkey" on table "c"
--> DETAIL: Key (id)=(3) is still referenced from table "c".

with x as (delete from p where id = 3), y as (delete from c where id = 7) select 1 as one;
--> {"one":1}

create table numbered (id int generated always as identity, n text);
--> no rows

with a as (insert into numbered (n) values ('a')), b as (insert into numbered (n) values ('b')) insert into numbered (n) values ('main') returning id;
--> {"id":1}

select n, id from numbered order by id;
--> {"n":"main","id":1}
--> {"n":"b","id":2}
--> {"n":"a","id":3}

with a as (insert into numbered (n) values ('c') returning id), b as (insert into numbered (n) values ('d') returning id) select a.id as a, b.id as b from a, b;
--> {"a":4,"b":5}

create table seen (n int generated always as identity, what text);
--> no rows

create function see() returns trigger language plpgsql as $$ begin insert into seen (what) values (format('%s %s of %s', tg_when, tg_op, (select count(*) from t))); if tg_op = 'DELETE' then return old; end if; return new; end $$;
--> no rows

create trigger t_after after insert or delete on t for each row execute function see();
--> no rows

create trigger t_before before insert or delete on t for each row execute function see();
--> no rows

with d as (delete from t where id = 3 returning *), i as (insert into t values (70, 'q') returning *) select count(*) from t;
--> {"count":2}

select what from seen order by n;
--> {"what":"BEFORE INSERT of 2"}
--> {"what":"BEFORE DELETE of 3"}
--> {"what":"AFTER INSERT of 2"}
--> {"what":"AFTER DELETE of 2"}

with d as (delete from t where id = 70 returning *), i as (insert into u select 71, n from d returning *) select count(*) from t where id = 70;
--> {"count":1}

select * from t order by id;
--> {"id":60,"n":"sixty"}

create function move(which int) returns bigint language plpgsql as $$ declare found bigint; begin with d as (delete from u where id = which returning *), i as (insert into t select * from d returning id) select count(*) into found from u where id = which; return found; end $$;
--> no rows

select move(71);
--> {"move":1}

select count(*) from u where id = 71;
--> {"count":0}
