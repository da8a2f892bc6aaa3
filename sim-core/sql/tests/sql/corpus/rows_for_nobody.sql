-- Statements of PL/pgSQL that return rows which no variable takes.

create table a (id int primary key, n text); insert into a values (1, 'x'), (2, 'y');
--> no rows

do $$ begin insert into a values (5,'y') returning id; end $$;
--> ERROR 42601: query has no destination for result data

do $$ begin update a set n = 'z' where id = 77 returning id; end $$;
--> ERROR 42601: query has no destination for result data

do $$ begin delete from a returning *; end $$;
--> ERROR 42601: query has no destination for result data

do $$ begin insert into a values (1,'y') on conflict do nothing returning *; end $$;
--> ERROR 42601: query has no destination for result data

do $$ begin with x as (select 9 as k) insert into a select k, 'w' from x returning id; end $$;
--> ERROR 42601: query has no destination for result data

do $$ begin with x as (insert into a values (11, 'q') returning id) select id from x; end $$;
--> ERROR 42601: query has no destination for result data
--> HINT: If you want to discard the results of a SELECT, use PERFORM instead.

do $$ begin with x as (insert into a values (11, 'q') returning id) insert into a select id + 1, 'v' from x; end $$;
--> no rows

do $$ begin explain select 1; end $$;
--> ERROR 42601: query has no destination for result data

do $$ begin show timezone; end $$;
--> ERROR 42601: query has no destination for result data

do $$ declare k int; begin insert into a values (21, 'q') returning id into k; execute 'insert into a values (22, ''q'') returning id'; for k in delete from a where id > 20 returning id loop null; end loop; create temp table tt as select 1; end $$;
--> no rows

create function tf() returns trigger language plpgsql as $$ begin insert into a values (99, 'aud') returning id; return new; end $$; create table b (id int); create trigger t after insert on b for each row execute function tf();
--> no rows

insert into b values (1);
--> ERROR 42601: query has no destination for result data

select * from a order by 1;
--> {"id":1,"n":"x"}
--> {"id":2,"n":"y"}
--> {"id":11,"n":"q"}
--> {"id":12,"n":"v"}
