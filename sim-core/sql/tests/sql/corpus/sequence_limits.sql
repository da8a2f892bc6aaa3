-- Limits of sequences when their types and options change.

create table s1 (id serial);
--> no rows

alter sequence s1_id_seq as bigint;
--> no rows

create table s2 (id smallint generated always as identity);
--> no rows

alter table s2 alter id type bigint;
--> no rows

create table s4 (id bigserial);
--> no rows

alter sequence s4_id_seq as int;
--> no rows

create sequence a1;
--> no rows

alter sequence a1 as smallint;
--> no rows

create sequence a5 increment -1;
--> no rows

alter sequence a5 as smallint;
--> no rows

create sequence a6 maxvalue 100;
--> no rows

alter sequence a6 as smallint;
--> no rows

create sequence a7 as smallint minvalue 5 maxvalue 50 start 7 increment 2 cache 3 cycle;
--> no rows

create sequence a8 increment -2;
--> no rows

alter sequence a8 increment 2;
--> no rows

create sequence a9;
--> no rows

alter sequence a9 increment -1 no minvalue no maxvalue;
--> ERROR 22023: START value (1) cannot be greater than MAXVALUE (-1)

select sequencename, data_type::text, start_value, min_value, max_value, increment_by, cycle, cache_size, last_value from pg_sequences where schemaname = 'public' order by 1;
--> {"sequencename":"a1","data_type":"smallint","start_value":1,"min_value":1,"max_value":32767,"increment_by":1,"cycle":false,"cache_size":1,"last_value":null}
--> {"sequencename":"a5","data_type":"smallint","start_value":-1,"min_value":-32768,"max_value":-1,"increment_by":-1,"cycle":false,"cache_size":1,"last_value":null}
--> {"sequencename":"a6","data_type":"smallint","start_value":1,"min_value":1,"max_value":100,"increment_by":1,"cycle":false,"cache_size":1,"last_value":null}
--> {"sequencename":"a7","data_type":"smallint","start_value":7,"min_value":5,"max_value":50,"increment_by":2,"cycle":true,"cache_size":3,"last_value":null}
--> {"sequencename":"a8","data_type":"bigint","start_value":-1,"min_value":"-9223372036854775808","max_value":-1,"increment_by":2,"cycle":false,"cache_size":1,"last_value":null}
--> {"sequencename":"a9","data_type":"bigint","start_value":1,"min_value":1,"max_value":"9223372036854775807","increment_by":1,"cycle":false,"cache_size":1,"last_value":null}
--> {"sequencename":"s1_id_seq","data_type":"bigint","start_value":1,"min_value":1,"max_value":"9223372036854775807","increment_by":1,"cycle":false,"cache_size":1,"last_value":null}
--> {"sequencename":"s2_id_seq","data_type":"bigint","start_value":1,"min_value":1,"max_value":"9223372036854775807","increment_by":1,"cycle":false,"cache_size":1,"last_value":null}
--> {"sequencename":"s4_id_seq","data_type":"integer","start_value":1,"min_value":1,"max_value":2147483647,"increment_by":1,"cycle":false,"cache_size":1,"last_value":null}

create sequence a3;
--> no rows

alter sequence a3 increment by 0;
--> ERROR 22023: INCREMENT must not be zero

alter sequence a3 maxvalue 0;
--> ERROR 22023: MINVALUE (1) must be less than MAXVALUE (0)

alter sequence a3 cache 0;
--> ERROR 22023: CACHE (0) must be greater than zero

alter sequence a3 start 0;
--> ERROR 22023: START value (0) cannot be less than MINVALUE (1)

alter sequence a3 restart 0;
--> ERROR 22023: RESTART value (0) cannot be less than MINVALUE (1)

alter sequence a3 minvalue 10;
--> ERROR 22023: START value (1) cannot be less than MINVALUE (10)

alter sequence a3 minvalue 10 start 10;
--> ERROR 22023: RESTART value (1) cannot be less than MINVALUE (10)

alter sequence a3 minvalue 10 start 10 restart;
--> no rows

select nextval('a3'), nextval('a3');
--> {"nextval":11}

select setval('a3', 40000);
--> {"setval":40000}

alter sequence a3 as smallint;
--> ERROR 22023: RESTART value (40000) cannot be greater than MAXVALUE (32767)

alter sequence a3 as smallint restart 20;
--> no rows

select nextval('a3');
--> {"nextval":20}

alter sequence a3 maxvalue 40000;
--> ERROR 22023: MAXVALUE (40000) is out of range for sequence data type smallint

alter sequence a3 as text;
--> ERROR 22023: sequence type must be smallint, integer, or bigint

create sequence b1 as smallint maxvalue 40000;
--> ERROR 22023: MAXVALUE (40000) is out of range for sequence data type smallint

create sequence b1 minvalue 5 maxvalue 5;
--> ERROR 22023: MINVALUE (5) must be less than MAXVALUE (5)

create sequence b1 minvalue 5 maxvalue 4;
--> ERROR 22023: MINVALUE (5) must be less than MAXVALUE (4)

create sequence b1 start 0;
--> ERROR 22023: START value (0) cannot be less than MINVALUE (1)

create sequence b1 increment 0;
--> ERROR 22023: INCREMENT must not be zero

create sequence b1 cache 0;
--> ERROR 22023: CACHE (0) must be greater than zero

create sequence b1 increment -1 start 5;
--> ERROR 22023: START value (5) cannot be greater than MAXVALUE (-1)

create sequence b1 as int increment -1;
--> no rows

select nextval('b1'), nextval('b1');
--> {"nextval":-2}

alter table s2 alter id set increment 5 set maxvalue 9;
--> no rows

select nextval('s2_id_seq'), nextval('s2_id_seq');
--> {"nextval":6}

select nextval('s2_id_seq');
--> ERROR 2200H: nextval: reached maximum value of sequence "s2_id_seq" (9)

alter table s2 alter id restart;
--> no rows

insert into s2 default values returning id;
--> {"id":1}

alter table s2 alter id type smallint;
--> no rows

alter sequence s1_id_seq restart with 5 increment by 5;
--> no rows

insert into s1 default values returning id;
--> {"id":5}

alter table s1 alter id type bigint;
--> no rows

select sequencename, data_type::text, max_value from pg_sequences where sequencename in ('s1_id_seq', 's2_id_seq') order by 1;
--> {"sequencename":"s1_id_seq","data_type":"bigint","max_value":"9223372036854775807"}
--> {"sequencename":"s2_id_seq","data_type":"smallint","max_value":9}
