-- Other types of generated columns.

create table g (id int, a int generated always as (id * 2) stored, t text generated always as ('x' || id) stored, b int);
--> no rows

insert into g (id, b) values (1, 5), (2, 6);
--> no rows

create index ga on g (a);
--> no rows

create view gv as select id from g;
--> no rows

alter table g alter a type bigint;
--> no rows

alter table g alter a set data type numeric(10,2);
--> no rows

select * from g order by id;
--> {"id":1,"a":"2.00","t":"x1","b":5}
--> {"id":2,"a":"4.00","t":"x2","b":6}

alter table g alter t type varchar(20);
--> no rows

insert into g (id) values (3);
--> no rows

select a, t, pg_typeof(a), pg_typeof(t) from g order by id;
--> {"a":"2.00","t":"x1","pg_typeof":"character varying"}
--> {"a":"4.00","t":"x2","pg_typeof":"character varying"}
--> {"a":"6.00","t":"x3","pg_typeof":"character varying"}

alter table g alter a type int using id;
--> ERROR 42611: cannot specify USING when altering type of generated column
--> DETAIL: Column "a" is a generated column.

alter table g alter t type int;
--> ERROR 42804: column "t" cannot be cast automatically to type integer

alter table g alter t type date;
--> ERROR 42804: column "t" cannot be cast automatically to type date

select column_name, data_type, generation_expression from information_schema.columns where table_name = 'g' order by ordinal_position;
--> {"column_name":"id","data_type":"integer","generation_expression":null}
--> {"column_name":"a","data_type":"numeric","generation_expression":"(id * 2)"}
--> {"column_name":"t","data_type":"character varying","generation_expression":"('x'::text || id)"}
--> {"column_name":"b","data_type":"integer","generation_expression":null}

select * from g where a = 4;
--> {"id":2,"a":"4.00","t":"x2","b":6}

update g set id = 7 where id = 2 returning a, t;
--> {"a":"14.00","t":"x7"}

alter table g alter a type int;
--> no rows

select indexdef from pg_indexes where tablename = 'g';
--> {"indexdef":"CREATE INDEX ga ON public.g USING btree (a)"}
