create table a (id int primary key, n text); create table b (id int, a_id int); insert into a values (1,'x'); insert into b values (1,1);
--> no rows

select * from (select count(*) from a) q for update;
--> ERROR 0A000: FOR UPDATE is not allowed with aggregate functions

select * from (select distinct n from a) q for update;
--> ERROR 0A000: FOR UPDATE is not allowed with DISTINCT clause

select * from (select n from a group by n) q for update;
--> ERROR 0A000: FOR UPDATE is not allowed with GROUP BY clause

select * from (select row_number() over () from a) q for update;
--> ERROR 0A000: FOR UPDATE is not allowed with window functions

select * from (select id from a union select id from b) q for update;
--> ERROR 0A000: FOR UPDATE is not allowed with UNION/INTERSECT/EXCEPT

select * from (select id from a having true) q for update;
--> ERROR 42803: column "a.id" must appear in the GROUP BY clause or be used in an aggregate function
--> AT 23

select * from b join (select count(*) from a) q on true for update of b;
--> {"id":1,"a_id":1,"count":1}

select * from b join (select count(*) from a) q on true for update of q;
--> ERROR 0A000: FOR UPDATE is not allowed with aggregate functions

create view va as select count(*) c from a; create view vd as select distinct n from a; create view vw as select rank() over (order by id) r from a; create view vu as select id from a union all select id from b; create view vg as select n from a group by n;  create view vo as select b.id from b left join a on a.id = b.a_id; create view vv as select * from va; create materialized view mv as select * from a; create view vlim as select * from a limit 1; create view vs as select generate_series(1,2) g from a;
--> no rows

select * from va for update;
--> ERROR 0A000: FOR UPDATE is not allowed with aggregate functions

select * from vd for share;
--> ERROR 0A000: FOR SHARE is not allowed with DISTINCT clause

select * from vw for update;
--> ERROR 0A000: FOR UPDATE is not allowed with window functions

select * from vu for update;
--> {"id":1}
--> {"id":1}

select * from vg for update;
--> ERROR 0A000: FOR UPDATE is not allowed with GROUP BY clause

select * from vo for update;
--> ERROR 0A000: FOR UPDATE cannot be applied to the nullable side of an outer join

select * from vv for update;
--> ERROR 0A000: FOR UPDATE is not allowed with aggregate functions

select * from mv for update;
--> ERROR 42809: cannot lock rows in materialized view "mv"

select * from vlim for update;
--> {"id":1,"n":"x"}

select * from (values (1),(2)) q for update;
--> {"column1":1}
--> {"column1":2}

select * from (values (1),(2)) q for update of q;
--> {"column1":1}
--> {"column1":2}

select * from generate_series(1,2) g for update;
--> {"g":1}
--> {"g":2}

select * from generate_series(1,2) g for update of g;
--> ERROR 0A000: FOR UPDATE cannot be applied to a function
--> AT 52

select * from a, generate_series(1,2) g for update;
--> {"id":1,"n":"x","g":1}
--> {"id":1,"n":"x","g":2}

with w as (select * from a) select * from w for update;
--> {"id":1,"n":"x"}

with w as (select * from a) select * from w for update of w;
--> ERROR 0A000: FOR UPDATE cannot be applied to a WITH query
--> AT 59

select * from b left join a on a.id = b.a_id for update of a;
--> ERROR 0A000: FOR UPDATE cannot be applied to the nullable side of an outer join

select * from b left join a on a.id = b.a_id for update;
--> ERROR 0A000: FOR UPDATE cannot be applied to the nullable side of an outer join

select * from b left join (select * from a) q on q.id = b.a_id for update;
--> ERROR 0A000: FOR UPDATE cannot be applied to the nullable side of an outer join

select * from b left join (select * from a) q on q.id = b.a_id for update of q;
--> ERROR 0A000: FOR UPDATE cannot be applied to the nullable side of an outer join

select exists(select 1 from b left join a on a.id = b.a_id for update);
--> ERROR 0A000: FOR UPDATE cannot be applied to the nullable side of an outer join

select * from b join (a left join b b2 on true) on true for update of a;
--> {"id":1,"a_id":1,"n":"x"}

select * from b join (a left join b b2 on true) on true for update of b2;
--> ERROR 0A000: FOR UPDATE cannot be applied to the nullable side of an outer join

do $$ declare r record; begin select * into r from va for update; end $$;
--> ERROR 0A000: FOR UPDATE is not allowed with aggregate functions

do $$ declare r record; begin for r in select * from (select count(*) from a) q for update loop null; end loop; end $$;
--> ERROR 0A000: FOR UPDATE is not allowed with aggregate functions

create function ff() returns setof a language sql stable as 'select * from a'; select * from ff() for update of ff;
--> ERROR 0A000: FOR UPDATE cannot be applied to a function
--> AT 113

select * from ff() for update;
--> ERROR 42883: function ff() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 15

select * from b left join a on a.id = b.a_id for no key update of b;
--> {"id":1,"a_id":1,"n":"x"}

create view vfu as select * from va for update;
--> no rows

create function fz() returns setof bigint language sql as 'select c from va for update';
--> no rows

begin; declare c cursor for select * from va for update; rollback;
--> ERROR 0A000: FOR UPDATE is not allowed with aggregate functions

select * from b join a x on true for update of y;
--> ERROR 42P01: relation "y" in FOR UPDATE clause not found in FROM clause
--> AT 48

select * from b right join a on true for update;
--> ERROR 0A000: FOR UPDATE cannot be applied to the nullable side of an outer join

select * from b full join a on true for share of b;
--> ERROR 0A000: FOR SHARE cannot be applied to the nullable side of an outer join

select * from a tablesample system (100) for update;
--> {"id":1,"n":"x"}

select * from json_each('{}') j for update of j;
--> ERROR 0A000: FOR UPDATE cannot be applied to a function
--> AT 47

select * from b join a on true for update of a for update of b;
--> {"id":1,"a_id":1,"n":"x"}
