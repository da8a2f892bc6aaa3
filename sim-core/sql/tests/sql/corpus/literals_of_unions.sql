-- Literals without a type are texts where rows are told apart, grouped or sorted by them, as an INSERT then finds.

create table d (a date, b int);
--> no rows

insert into d select '2024-01-01', 1 union select '2024-01-02', 2;
--> ERROR 42804: column "a" is of type date but expression is of type text
--> HINT: You will need to rewrite or cast the expression.
--> AT 22

insert into d select '2024-01-01', 1 union all select '2024-01-02', 2;
--> ERROR 42804: column "a" is of type date but expression is of type text
--> HINT: You will need to rewrite or cast the expression.
--> AT 22

insert into d select distinct '2024-01-01', 1;
--> ERROR 42804: column "a" is of type date but expression is of type text
--> HINT: You will need to rewrite or cast the expression.
--> AT 31

insert into d select '2024-01-01', b from d order by 1;
--> ERROR 42804: column "a" is of type date but expression is of type text
--> HINT: You will need to rewrite or cast the expression.
--> AT 22

insert into d select '2024-01-01', b from d group by 1, 2;
--> ERROR 42804: column "a" is of type date but expression is of type text
--> HINT: You will need to rewrite or cast the expression.
--> AT 22

insert into d select '2024-01-01' as z, b from d order by z;
--> ERROR 42804: column "a" is of type date but expression is of type text
--> HINT: You will need to rewrite or cast the expression.
--> AT 22

insert into d select '2024-01-01', b from d order by b;
--> no rows

insert into d select distinct on (b) '2024-01-01', b from d;
--> no rows

insert into d (values ('2024-01-01', 1)) union all values ('2024-01-01', 1);
--> ERROR 42804: column "a" is of type date but expression is of type text
--> HINT: You will need to rewrite or cast the expression.

insert into d select null, 1 union select null, 2;
--> ERROR 42804: column "a" is of type date but expression is of type text
--> HINT: You will need to rewrite or cast the expression.
--> AT 22

select null union select null union select 1;
--> ERROR 42804: UNION types text and integer cannot be matched
--> AT 44

select '1' union select '2' union select 3;
--> ERROR 42804: UNION types text and integer cannot be matched
--> AT 42

insert into d select * from (values ('2024-01-01', 1)) v;
--> ERROR 42804: column "a" is of type date but expression is of type text
--> HINT: You will need to rewrite or cast the expression.
--> AT 22

insert into d (a) select case when true then '2024-01-01' end;
--> ERROR 42804: column "a" is of type date but expression is of type text
--> HINT: You will need to rewrite or cast the expression.
--> AT 26

insert into d (a) select coalesce('2024-01-01');
--> ERROR 42804: column "a" is of type date but expression is of type text
--> HINT: You will need to rewrite or cast the expression.
--> AT 26

insert into d (a) select max('2024-01-01');
--> ERROR 42804: column "a" is of type date but expression is of type text
--> HINT: You will need to rewrite or cast the expression.
--> AT 26

insert into d (a) (select '2024-01-01');
--> no rows

insert into d (a) with q as (select 1) select '2024-01-01' from q;
--> no rows

insert into d (a) select x from (select '2024-01-01' as x) q;
--> ERROR 42804: column "a" is of type date but expression is of type text
--> HINT: You will need to rewrite or cast the expression.
--> AT 26
