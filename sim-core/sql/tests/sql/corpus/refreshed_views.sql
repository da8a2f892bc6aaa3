-- Materialized views with unique indexes, refreshed with rows that are there twice.

create table s (u int, m int, p text); create materialized view mv as select * from s; create unique index mvu on mv (u, m); insert into s values (1,1,'a b'),(1,1,'c');
--> no rows

refresh materialized view mv;
--> ERROR 23505: could not create unique index "mvu"
--> DETAIL: Key (u, m)=(1, 1) is duplicated.

refresh materialized view concurrently mv;
--> ERROR 23505: duplicate key value violates unique constraint "mvu"
--> DETAIL: Key (u, m)=(1, 1) already exists.

do $$ begin refresh materialized view mv; exception when unique_violation then raise exception 'dup %', sqlerrm; end $$;
--> ERROR P0001: dup could not create unique index "mvu"

select * from mv;
--> no rows

delete from s; insert into s values (1,1,'a b'),(1,1,'a b'); refresh materialized view concurrently mv;
--> ERROR 21000: new data for materialized view "mv" contains duplicate rows without any null columns
--> DETAIL: Row: (1,1,"a b")

delete from s; insert into s values (1,1,'a b'),(2,2,null); refresh materialized view concurrently mv; select * from mv order by 1;
--> {"u":1,"m":1,"p":"a b"}
--> {"u":2,"m":2,"p":null}

insert into s values (2,2,null); refresh materialized view concurrently mv; select * from mv order by 1;
--> {"u":1,"m":1,"p":"a b"}
--> {"u":2,"m":2,"p":null}

insert into s values (3,3,null),(3,3,null); refresh materialized view concurrently mv; select * from mv order by 1;
--> ERROR 23505: duplicate key value violates unique constraint "mvu"
--> DETAIL: Key (u, m)=(3, 3) already exists.

delete from s where u = 3; insert into s values (null,3,'x'),(null,3,'x'); refresh materialized view concurrently mv; select * from mv order by 1,2,3;
--> {"u":1,"m":1,"p":"a b"}
--> {"u":2,"m":2,"p":null}
--> {"u":null,"m":3,"p":"x"}
--> {"u":null,"m":3,"p":"x"}

refresh materialized view concurrently mv; select count(*) from mv;
--> {"count":4}

create index mvp on mv (p); refresh materialized view mv; insert into s values (4,4,'q'); refresh materialized view mv;
--> ERROR 23505: could not create unique index "mvu"
--> DETAIL: Key (u, m)=(2, 2) is duplicated.

delete from s where u = 2 or u is null; refresh materialized view mv; select * from mv order by 1; insert into mv values (1,1,'x');
--> ERROR 42809: cannot change materialized view "mv"

create unique index mve on mv (lower(p)); insert into s values (5,5,'Q'); refresh materialized view mv;
--> ERROR 23505: could not create unique index "mve"
--> DETAIL: Key (lower(p))=(x) is duplicated.

refresh materialized view concurrently mv;
--> no rows

refresh materialized view mv with no data; select * from mv;
--> ERROR 55000: materialized view "mv" has not been populated
--> HINT: Use the REFRESH MATERIALIZED VIEW command.
