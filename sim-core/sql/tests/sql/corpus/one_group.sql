-- Aggregate queries without keys have one row, also where no row matches.

create table o(id int, c text, n int);
--> no rows

create table i(o int, v int);
--> no rows

insert into o values (1,'a',1),(2,'b',2);
--> no rows

insert into i values (2,10),(2,20);
--> no rows

update o set (c, n) = (select 'k', count(*) from i where i.o = o.id);
--> no rows

select * from o order by id;
--> {"id":1,"c":"k","n":0}
--> {"id":2,"c":"k","n":2}

update o set (n, c) = (select v, 'w' || v from i where i.o = o.id order by v desc limit 1);
--> no rows

select * from o order by id;
--> {"id":1,"c":null,"n":null}
--> {"id":2,"c":"w20","n":20}

update o set (n, c) = (select v, 'w' || v from i where i.o = o.id order by 2 limit 1);
--> no rows

select * from o order by id;
--> {"id":1,"c":null,"n":null}
--> {"id":2,"c":"w10","n":10}

update o set (n, c) = (select distinct i.o, 'w' from i where i.o = o.id);
--> no rows

select * from o order by id;
--> {"id":1,"c":null,"n":null}
--> {"id":2,"c":"w","n":2}

update o set (n, c) = (select distinct 7, 'w' || v from i where i.o = o.id and v > 10);
--> no rows

select * from o order by id;
--> {"id":1,"c":null,"n":null}
--> {"id":2,"c":"w20","n":7}

update o set (n, c) = (select 1, 'x' union all select 2, 'y' limit 1);
--> no rows

select * from o order by id;
--> {"id":1,"c":"x","n":1}
--> {"id":2,"c":"x","n":1}

update o set (n, c) = (with w as (select v from i where i.o = o.id) select coalesce(sum(v), -1), 'cte' from w);
--> no rows

select * from o order by id;
--> {"id":1,"c":"cte","n":-1}
--> {"id":2,"c":"cte","n":30}

select id, (select 'x' from i where i.o = o.id group by ()) from o order by 1;
--> {"id":1,"?column?":"x"}
--> {"id":2,"?column?":"x"}

select 1 from i where false having count(*) = 0;
--> {"?column?":1}

select 1 as x from i where false having true;
--> {"x":1}

select 1 as x from i where false having 1 = 2;
--> no rows

select 1 as x from i having true;
--> {"x":1}

select 'a' as x from i group by ();
--> {"x":"a"}

select 'a' as x, count(*) from i where false group by ();
--> {"x":"a","count":0}

select 'a' as x from i where false order by count(*);
--> {"x":"a"}

select 'a' as x from i order by sum(v);
--> {"x":"a"}

select 'a' as x from i group by grouping sets ((), ());
--> {"x":"a"}
--> {"x":"a"}

select exists (select 1 from i where false having true), exists (select from i where false having count(*) = 0);
--> {"exists":true}

select distinct 'a' as x from i having count(*) > 1;
--> {"x":"a"}

select 'z' as z union all select 'y' from i where false having true;
--> {"z":"z"}
--> {"z":"y"}

select v from i having true;
--> ERROR 42803: column "i.v" must appear in the GROUP BY clause or be used in an aggregate function
--> AT 8

select (select v from i where false having true);
--> ERROR 42803: column "i.v" must appear in the GROUP BY clause or be used in an aggregate function
--> AT 16

insert into o select 9, 'agg', 3 from i where false having true;
--> no rows

select * from o order by id;
--> {"id":1,"c":"cte","n":-1}
--> {"id":2,"c":"cte","n":30}
--> {"id":9,"c":"agg","n":3}

update o set (n) = (select 5 from i where false having true);
--> no rows

select * from o order by id;
--> {"id":1,"c":"cte","n":5}
--> {"id":2,"c":"cte","n":5}
--> {"id":9,"c":"agg","n":5}

create table u(id int primary key, c text, n int);
--> no rows

insert into u values (1,'a',1);
--> no rows

insert into u values (1,'q',2) on conflict (id) do update set (c, n) = (select 'k', count(*) from i where i.o = -excluded.id);
--> no rows

select * from u;
--> {"id":1,"c":"k","n":0}

select array(select 'a' from i where false having true);
--> {"array":["a"]}

select row_number() over () from i where false having true;
--> {"row_number":1}
