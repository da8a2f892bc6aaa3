-- `(column).*`, and what is no row

create type pair as (n int, t text);
create domain whole as int;
create table t0 (id int primary key, c0 whole, p pair, d text);
insert into t0 values (1, 5, '(1,a)', 'x');
--> no rows

select (no_such).* from t0 a;
--> ERROR 42703: column "no_such" does not exist
--> AT 9

select (no_such).n from t0 a;
--> ERROR 42703: column "no_such" does not exist
--> AT 9

select (a).* from t0 a;
--> {"id":1,"c0":5,"p":"(1,a)","d":"x"}

select (t0).* from t0;
--> {"id":1,"c0":5,"p":"(1,a)","d":"x"}

select (c0).* from t0 a;
--> ERROR 42809: type whole is not composite

select (p).* from t0 a;
--> {"n":1,"t":"a"}

select (d).* from t0;
--> ERROR 42809: type text is not composite

select (nope.p).* from t0;
--> ERROR 42P01: missing FROM-clause entry for table "nope"
--> AT 9

select (a.p).* from t0 a;
--> {"n":1,"t":"a"}

select (a.no).* from t0 a;
--> ERROR 42703: column a.no does not exist
--> AT 9

select (1).* from t0;
--> ERROR 42809: type integer is not composite

select (id + 1).* from t0;
--> ERROR 42809: type integer is not composite

select ('x').* from t0;
--> ERROR 42809: type unknown is not composite

select (row(1,2)).* from t0;
--> {"f1":1,"f2":2}

select (row(1,2)).f1 from t0;
--> {"f1":1}

select nope.* from t0;
--> ERROR 42P01: missing FROM-clause entry for table "nope"
--> AT 8

select c0.* from t0;
--> ERROR 42P01: missing FROM-clause entry for table "c0"
--> AT 8

select p.* from t0;
--> ERROR 42P01: missing FROM-clause entry for table "p"
--> AT 8

select (array[p]).* from t0;
--> ERROR 42809: type pair[] is not composite

select (select p from t0).*;
--> {"n":1,"t":"a"}

select (id).x from t0;
--> ERROR 42809: column notation .x applied to type integer, which is not a composite type
--> AT 9

select (d).x from t0;
--> ERROR 42809: column notation .x applied to type text, which is not a composite type
--> AT 9

select (nosuch(1)).* from t0;
--> ERROR 42883: function nosuch(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 9

insert into t0 (id) values (3) returning (nope).*;
--> ERROR 42703: column "nope" does not exist
--> AT 43

insert into t0 (id) values (3) returning (p).*, (c0).*;
--> ERROR 42809: type whole is not composite

select (public.t0).* from t0;
--> ERROR 42P01: missing FROM-clause entry for table "public"
--> AT 9

select (t0.*).id from t0;
--> {"id":1}

select ((t0)).* from t0;
--> {"id":1,"c0":5,"p":"(1,a)","d":"x"}

select (x.y.z).* from t0;
--> ERROR 42P01: missing FROM-clause entry for table "y"
--> AT 9
