-- Rows compared with the row of a query.

create table t (id int primary key, n text); insert into t values (1,'x'),(2,'y'),(3,null);
--> no rows

select id from t where (id, n) = (select 1, 'x');
--> {"id":1}

select id from t where row(id, n) = (select 1, 'x');
--> {"id":1}

select id from t where (id, n) <> (select 1, 'x') order by id;
--> {"id":2}
--> {"id":3}

select id from t where (id, n) < (select id, n from t where id = 2) order by id;
--> {"id":1}

select id from t where (n, id) >= (select n, id from t where id = 2) order by id;
--> {"id":2}

select (id, n) = (select id, n from t where id = 1) from t order by id;
--> {"?column?":true}
--> {"?column?":false}
--> {"?column?":false}

select id from t where (id, n) = (select id, n from t);
--> ERROR 21000: more than one row returned by a subquery used as an expression

select id from t where (id, n) = (select 1);
--> ERROR 42601: subquery has too few columns
--> AT 32

select id from t where (id, n) = (select 1, 'x', 2);
--> ERROR 42601: subquery has too many columns
--> AT 32

select id from t where (id, n) = (select id, n from t where false);
--> no rows

update t set n = 'z' where (id, n) = (select 2, 'y'); select * from t order by 1;
--> {"id":1,"n":"x"}
--> {"id":2,"n":"z"}
--> {"id":3,"n":null}

do $$ begin if (1, 'x') = (select id, n from t where id = 1) then raise exception 'same'; end if; end $$;
--> ERROR P0001: same

select id from t a where (id, n) = (select b.id, b.n from t b where b.id = a.id) order by id;
--> {"id":1}
--> {"id":2}

select (select id from t where id = 1) = id from t order by id;
--> {"?column?":true}
--> {"?column?":false}
--> {"?column?":false}
