-- Sequences.

create sequence seq;
--> no rows

select nextval('seq') as a, nextval('seq') as b;
--> {"a":1,"b":2}

select currval('seq') as a, lastval() as b;
--> ERROR 55000: currval of sequence "seq" is not yet defined in this session

select setval('seq', 10) as a; select nextval('seq') as b;
--> {"b":11}

select setval('seq', 20, false) as a; select nextval('seq') as b;
--> {"b":20}

create sequence tens start with 10 increment by 10 minvalue 10 maxvalue 30 cycle;
--> no rows

select nextval('tens') as a, nextval('tens') as b, nextval('tens') as c, nextval('tens') as d;
--> {"a":10,"b":20,"c":30,"d":10}

create sequence short maxvalue 2;
--> no rows

select nextval('short') as a, nextval('short') as b;
--> {"a":1,"b":2}

select nextval('short');
--> ERROR 2200H: nextval: reached maximum value of sequence "short" (2)

create sequence seq;
--> ERROR 42P07: relation "seq" already exists

create sequence if not exists seq;
--> no rows

select nextval('no_such_seq');
--> ERROR 42P01: relation "no_such_seq" does not exist
--> AT 16

create sequence fresh; select currval('fresh');
--> ERROR 55000: currval of sequence "fresh" is not yet defined in this session

alter sequence short restart with 1;
--> no rows

select nextval('short') as a;
--> {"a":1}

alter sequence short maxvalue 100 increment by 5;
--> no rows

select nextval('short') as a;
--> {"a":6}

create table ticket (id int primary key default nextval('seq'), code text default 'T-' || lpad(nextval('tens')::text, 4, '0'));
--> no rows

insert into ticket default values returning id, code;
--> {"id":21,"code":"T-0020"}

select sequencename, start_value, increment_by, max_value from pg_sequences where schemaname = 'public' order by 1;
--> {"sequencename":"seq","start_value":1,"increment_by":1,"max_value":"9223372036854775807"}
--> {"sequencename":"short","start_value":1,"increment_by":5,"max_value":100}
--> {"sequencename":"tens","start_value":10,"increment_by":10,"max_value":30}

drop sequence seq;
--> ERROR 2BP01: cannot drop sequence seq because other objects depend on it
--> DETAIL: default value for column id of table ticket depends on sequence seq
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop sequence tens cascade;
--> no rows

insert into ticket (id) values (1) returning code;
--> {"code":null}

create table s (id serial primary key);
--> no rows

select setval(pg_get_serial_sequence('s', 'id'), 41) as a; insert into s default values returning id;
--> {"id":42}

select setval('s_id_seq', (select max(id) from s)) as a;
--> {"a":42}

alter table s alter column id restart with 5;
--> ERROR 55000: column "id" of relation "s" is not an identity column

create sequence owned owned by s.id;
--> no rows

drop table s; select nextval('owned');
--> ERROR 42P01: relation "owned" does not exist
--> AT 30

drop sequence if exists owned;
--> no rows

select last_value, is_called from short;
--> {"last_value":6,"is_called":true}

select sequence_name, data_type from information_schema.sequences where sequence_schema = 'public' order by 1;
--> {"sequence_name":"s_id_seq","data_type":"integer"}
--> {"sequence_name":"seq","data_type":"bigint"}
--> {"sequence_name":"short","data_type":"bigint"}

create sequence down increment -1; select nextval('down') as a, nextval('down') as b;
--> {"a":-1,"b":-2}

select setval('short', 1000);
--> ERROR 22003: setval: value 1000 is out of bounds for sequence "short" (1..100)

insert into ticket default values; insert into ticket default values; select count(*) from ticket;
--> {"count":4}
