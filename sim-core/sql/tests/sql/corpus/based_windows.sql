-- Windows based on other windows.

create table p (id int primary key, n text, v int); insert into p values (1,'a',10),(2,'b',20),(3,'a',30);
--> no rows

select id, sum(v) over (w2) from p window w as (order by id), w2 as (w) order by id;
--> {"id":1,"sum":10}
--> {"id":2,"sum":30}
--> {"id":3,"sum":60}

select id, sum(v) over w2 from p window w as (order by id), w2 as (w rows 1 preceding) order by id;
--> {"id":1,"sum":10}
--> {"id":2,"sum":30}
--> {"id":3,"sum":50}

select id, sum(v) over (w partition by n) from p window w as (order by id);
--> ERROR 42P20: cannot override PARTITION BY clause of window "w"
--> AT 24

select id, sum(v) over (w order by n) from p window w as (order by id);
--> ERROR 42P20: cannot override ORDER BY clause of window "w"
--> AT 24

select id, sum(v) over (w rows 1 preceding) from p window w as (order by id rows 2 preceding);
--> ERROR 42P20: cannot copy window "w" because it has a frame clause
--> AT 24

select id, sum(v) over (w) from p window w as (order by id rows 2 preceding);
--> ERROR 42P20: cannot copy window "w" because it has a frame clause
--> HINT: Omit the parentheses in this OVER clause.
--> AT 24

select id, sum(v) over w from p window w as (order by id rows 1 preceding) order by id;
--> {"id":1,"sum":10}
--> {"id":2,"sum":30}
--> {"id":3,"sum":50}

select id, sum(v) over (w order by id) from p window w as (partition by n) order by id;
--> {"id":1,"sum":10}
--> {"id":2,"sum":20}
--> {"id":3,"sum":40}

select id, sum(v) over (w rows 1 preceding) from p window w as (partition by n order by id) order by id;
--> {"id":1,"sum":10}
--> {"id":2,"sum":20}
--> {"id":3,"sum":40}

select id, sum(v) over (w2) from p window w2 as (w), w as (order by id);
--> ERROR 42704: window "w" does not exist
--> AT 49

select id, sum(v) over (nope) from p;
--> ERROR 42704: window "nope" does not exist
--> AT 24

select id, sum(v) over w2 from p window w as (order by id), w2 as (w rows between 1 preceding and 1 following exclude current row) order by id;
--> {"id":1,"sum":20}
--> {"id":2,"sum":40}
--> {"id":3,"sum":20}
