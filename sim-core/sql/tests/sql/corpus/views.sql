-- Views and materialized views.

create table sale (id int primary key, region text, amount numeric(8,2), sold date);
--> no rows

insert into sale values (1, 'north', 10.00, '2024-01-01'), (2, 'south', 20.50, '2024-01-02'), (3, 'north', 5.25, '2024-02-01');
--> no rows

create view north as select id, amount from sale where region = 'north';
--> no rows

select * from north order by id;
--> {"id":1,"amount":"10.00"}
--> {"id":3,"amount":"5.25"}

create view north as select 1;
--> ERROR 42P07: relation "north" already exists

create or replace view north as select id, amount, sold from sale where region = 'north';
--> no rows

select * from north order by id;
--> {"id":1,"amount":"10.00","sold":"2024-01-01"}
--> {"id":3,"amount":"5.25","sold":"2024-02-01"}

create or replace view north as select id from sale;
--> ERROR 42P16: cannot drop columns from view

create view per_region (name, total) as select region, sum(amount) from sale group by region;
--> no rows

select * from per_region order by name;
--> {"name":"north","total":"15.25"}
--> {"name":"south","total":"20.50"}

select column_name, data_type from information_schema.columns where table_name = 'per_region' order by ordinal_position;
--> {"column_name":"name","data_type":"text"}
--> {"column_name":"total","data_type":"numeric"}

insert into north values (4, 1.00, '2024-03-01');
--> no rows

select region is null as a from sale where id = 4;
--> {"a":true}

update north set amount = 11 where id = 1 returning amount;
--> {"amount":"11.00"}

delete from north where id = 3 returning id;
--> {"id":3}

insert into per_region values ('x', 1);
--> ERROR 55000: cannot insert into view "per_region"
--> DETAIL: Views containing GROUP BY are not automatically updatable.
--> HINT: To enable inserting into the view, provide an INSTEAD OF INSERT trigger or an unconditional ON INSERT DO INSTEAD rule.

create view nested as select n.id, n.amount * 2 as doubled from north n;
--> no rows

select * from nested order by id;
--> {"id":1,"doubled":"22.00"}

drop view north;
--> ERROR 2BP01: cannot drop view north because other objects depend on it
--> DETAIL: view nested depends on view north
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop view if exists no_such_view;
--> no rows

drop view no_such_view;
--> ERROR 42P01: view "no_such_view" does not exist

drop table per_region;
--> ERROR 42809: "per_region" is not a table
--> HINT: Use DROP VIEW to remove a view.

drop view per_region;
--> no rows

create materialized view monthly as select date_trunc('month', sold)::date as month, sum(amount) as total from sale group by 1;
--> no rows

select * from monthly order by month;
--> {"month":"2024-01-01","total":"31.50"}
--> {"month":"2024-03-01","total":"1.00"}

insert into sale values (9, 'east', 100, '2024-01-15');
--> no rows

select total from monthly where month = '2024-01-01';
--> {"total":"31.50"}

refresh materialized view monthly;
--> no rows

select total from monthly where month = '2024-01-01';
--> {"total":"131.50"}

insert into monthly values ('2024-01-01', 1);
--> ERROR 42809: cannot change materialized view "monthly"

create unique index on monthly (month);
--> no rows

refresh materialized view concurrently monthly;
--> no rows

create view with_invoker with (security_invoker = true) as select id from sale;
--> no rows

select count(*) from with_invoker;
--> {"count":4}

select table_name, table_type from information_schema.tables where table_schema = 'public' order by table_name;
--> {"table_name":"nested","table_type":"VIEW"}
--> {"table_name":"north","table_type":"VIEW"}
--> {"table_name":"sale","table_type":"BASE TABLE"}
--> {"table_name":"with_invoker","table_type":"VIEW"}

select viewname from pg_views where schemaname = 'public' order by viewname;
--> {"viewname":"nested"}
--> {"viewname":"north"}
--> {"viewname":"with_invoker"}

create view broken as select nope from sale;
--> ERROR 42703: column "nope" does not exist
--> AT 30

create view broken as select * from no_such;
--> ERROR 42P01: relation "no_such" does not exist
--> AT 37

create view star as select * from sale;
--> no rows

alter table sale add column extra int;
--> no rows

select * from star where id = 1;
--> {"id":1,"region":"north","amount":"11.00","sold":"2024-01-01"}

alter view star rename to starred;
--> no rows

drop view starred, with_invoker;
--> no rows

create temp view tv as select 1 as one;
--> no rows

create view "Odd View" as select 1 as "A B";
--> no rows

select "A B" from "Odd View";
--> {"A B":1}

create recursive view nums (n) as select 1 union all select n + 1 from nums where n < 3;
--> no rows

select * from nums order by n;
--> {"n":1}
--> {"n":2}
--> {"n":3}

drop materialized view monthly;
--> no rows

create materialized view counted as select 1 as n, 2 as m with no data;
--> no rows

refresh materialized view concurrently counted;
--> ERROR 0A000: CONCURRENTLY cannot be used when the materialized view is not populated

refresh materialized view counted; refresh materialized view concurrently counted;
--> ERROR 55000: cannot refresh materialized view "public.counted" concurrently
--> HINT: Create a unique index with no WHERE clause on one or more columns of the materialized view.

create unique index counted_part on counted (n) where m > 1; create unique index counted_sum on counted ((n + m)); create index counted_plain on counted (n); refresh materialized view concurrently counted;
--> ERROR 0A000: CONCURRENTLY cannot be used when the materialized view is not populated

create unique index counted_n on counted (n); refresh materialized view concurrently counted with no data;
--> ERROR 0A000: CONCURRENTLY cannot be used when the materialized view is not populated

refresh materialized view concurrently counted; select * from counted;
--> ERROR 0A000: CONCURRENTLY cannot be used when the materialized view is not populated
