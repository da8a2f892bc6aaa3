-- A call that ends within a transaction leaves nothing of it.

create table t(id int primary key, n text);
--> no rows

begin; insert into t values (1,'a'); select * from t;
--> {"id":1,"n":"a"}

select * from t;
--> no rows

insert into t values (5,'e'); begin; insert into t values (6,'f'); commit; begin; insert into t values (7,'g');
--> no rows

select * from t;
--> {"id":5,"n":"e"}
--> {"id":6,"n":"f"}

begin; set local role anon; select current_user;
--> {"current_user":"anon"}

select current_user;
--> {"current_user":"postgres"}

begin; create table u (a int); create temp table v (a int); insert into v values (1); select * from v;
--> {"a":1}

select * from u;
--> ERROR 42P01: relation "u" does not exist
--> AT 15

begin; select nextval('s');
--> ERROR 42P01: relation "s" does not exist
--> AT 23

create sequence s; begin; select nextval('s');
--> {"nextval":1}

select nextval('s');
--> ERROR 42P01: relation "s" does not exist
--> AT 16

create sequence s; select nextval('s');
--> {"nextval":1}

begin; select nextval('s');
--> {"nextval":2}

select nextval('s');
--> {"nextval":3}

begin; declare c cursor for select 1; fetch c;
--> {"?column?":1}

begin; savepoint a; insert into t values (8,'h'); release a;
--> no rows

select * from t; start transaction; delete from t;
--> {"id":5,"n":"e"}
--> {"id":6,"n":"f"}

select * from t;
--> {"id":5,"n":"e"}
--> {"id":6,"n":"f"}
