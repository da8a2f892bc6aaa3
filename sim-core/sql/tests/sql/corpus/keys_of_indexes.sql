-- Constraints that take an index, materialized views without rows, checks of domains, parameters of functions.

create table q(a int, b text, c int, d int not null, e int);
--> no rows

create unique index ux on q (lower(b));
--> no rows

alter table q add constraint ux unique using index ux;
--> ERROR 42809: index "ux" contains expressions
--> DETAIL: Cannot create a primary key or unique constraint using such an index.
--> AT 19

create unique index ux2 on q (a) where a > 0;
--> no rows

alter table q add constraint ux2 unique using index ux2;
--> ERROR 42809: "ux2" is a partial index
--> DETAIL: Cannot create a primary key or unique constraint using such an index.
--> AT 19

create unique index ux3 on q (a desc);
--> no rows

alter table q add constraint ux3 unique using index ux3;
--> ERROR 42809: index "ux3" column number 1 does not have default sorting behavior
--> DETAIL: Cannot create a primary key or unique constraint using such an index.
--> AT 19

create index ux4 on q (a);
--> no rows

alter table q add constraint ux4 unique using index ux4;
--> ERROR 42809: "ux4" is not a unique index
--> DETAIL: Cannot create a primary key or unique constraint using such an index.
--> AT 19

create unique index ux5 on q (a);
--> no rows

alter table q add constraint u unique using index ux5;
--> no rows

alter table q add constraint u2 unique using index u;
--> ERROR 55000: index "u" is already associated with a constraint
--> AT 19

alter table q add constraint u2 unique using index nosuch;
--> ERROR 42704: index "nosuch" does not exist
--> AT 19

create table q2 (a int);
--> no rows

create unique index ux6 on q2 (a);
--> no rows

alter table q add constraint u2 unique using index ux6;
--> ERROR 55000: index "ux6" does not belong to table "q"
--> AT 19

create unique index ux7 on q (c, d);
--> no rows

alter table q add primary key using index ux7;
--> no rows

select conname, pg_get_constraintdef(oid), conkey from pg_constraint where conrelid = 'q'::regclass and contype <> 'n' order by 1;
--> {"conname":"u","pg_get_constraintdef":"UNIQUE (a)","conkey":[1]}
--> {"conname":"ux7","pg_get_constraintdef":"PRIMARY KEY (c, d)","conkey":[3,4]}

select indexname, indexdef from pg_indexes where tablename = 'q' order by 1;
--> {"indexname":"u","indexdef":"CREATE UNIQUE INDEX u ON public.q USING btree (a)"}
--> {"indexname":"ux","indexdef":"CREATE UNIQUE INDEX ux ON public.q USING btree (lower(b))"}
--> {"indexname":"ux2","indexdef":"CREATE UNIQUE INDEX ux2 ON public.q USING btree (a) WHERE (a > 0)"}
--> {"indexname":"ux3","indexdef":"CREATE UNIQUE INDEX ux3 ON public.q USING btree (a DESC)"}
--> {"indexname":"ux4","indexdef":"CREATE INDEX ux4 ON public.q USING btree (a)"}
--> {"indexname":"ux7","indexdef":"CREATE UNIQUE INDEX ux7 ON public.q USING btree (c, d)"}

select attname, attnotnull from pg_attribute where attrelid = 'q'::regclass and attnum > 0 order by attnum;
--> {"attname":"a","attnotnull":false}
--> {"attname":"b","attnotnull":false}
--> {"attname":"c","attnotnull":true}
--> {"attname":"d","attnotnull":true}
--> {"attname":"e","attnotnull":false}

create unique index ux8 on q (e nulls first);
--> no rows

alter table q add constraint u8 unique using index ux8;
--> ERROR 42809: index "ux8" column number 1 does not have default sorting behavior
--> DETAIL: Cannot create a primary key or unique constraint using such an index.
--> AT 19

create unique index ux9 on q using btree (b text_pattern_ops);
--> no rows

alter table q add constraint u9 unique using index ux9;
--> ERROR 42809: index "ux9" column number 1 does not have default sorting behavior
--> DETAIL: Cannot create a primary key or unique constraint using such an index.
--> AT 19

create table m0 (id int primary key, age int);
--> no rows

create materialized view m1 as select id from m0 with no data;
--> no rows

select relispopulated from pg_class where relname = 'm1';
--> {"relispopulated":false}

select ispopulated from pg_matviews where matviewname = 'm1';
--> {"ispopulated":false}

refresh materialized view m1;
--> no rows

select relispopulated from pg_class where relname = 'm1';
--> {"relispopulated":true}

create domain slug as text check (value ~ '^[a-z]+$');
--> no rows

create domain pos as int constraint positive check (value > 0) constraint small check (value < 10);
--> no rows

select constraint_name, check_clause from information_schema.check_constraints where constraint_schema = 'public' and constraint_name not like '%not_null' order by 1;
--> {"constraint_name":"positive","check_clause":"((VALUE > 0))"}
--> {"constraint_name":"slug_check","check_clause":"((VALUE ~ '^[a-z]+$'::text))"}
--> {"constraint_name":"small","check_clause":"((VALUE < 10))"}

create table pt (a int primary key) partition by range (a);
--> no rows

create table pt1 partition of pt for values from (1) to (2);
--> no rows

select relname, relreplident from pg_class where relname in ('pt', 'pt1', 'm1', 'q') order by 1;
--> {"relname":"m1","relreplident":"d"}
--> {"relname":"pt","relreplident":"d"}
--> {"relname":"pt1","relreplident":"d"}
--> {"relname":"q","relreplident":"d"}

create function dom(a pos, b pos[], c slug, d "char", e int, f text[]) returns int language sql as 'select 1';
--> no rows

select parameter_name, data_type, udt_schema, udt_name from information_schema.parameters where specific_schema = 'public' order by ordinal_position;
--> {"parameter_name":"a","data_type":"USER-DEFINED","udt_schema":"public","udt_name":"pos"}
--> {"parameter_name":"b","data_type":"ARRAY","udt_schema":"public","udt_name":"_pos"}
--> {"parameter_name":"c","data_type":"USER-DEFINED","udt_schema":"public","udt_name":"slug"}
--> {"parameter_name":"d","data_type":"\"char\"","udt_schema":"pg_catalog","udt_name":"char"}
--> {"parameter_name":"e","data_type":"integer","udt_schema":"pg_catalog","udt_name":"int4"}
--> {"parameter_name":"f","data_type":"ARRAY","udt_schema":"pg_catalog","udt_name":"_text"}

create table qc (a "char", b pg_catalog."char", c char, d "char"[]);
--> no rows

insert into qc values ('abc', 'd', 'e', '{xy}');
--> no rows

select *, pg_typeof(a), pg_typeof(c), pg_typeof(d) from qc;
--> {"a":"a","b":"d","c":"e","d":"{x}","pg_typeof":"\"char\"[]"}

select column_name, data_type, udt_name from information_schema.columns where table_name = 'qc' order by 1;
--> {"column_name":"a","data_type":"\"char\"","udt_name":"char"}
--> {"column_name":"b","data_type":"\"char\"","udt_name":"char"}
--> {"column_name":"c","data_type":"character","udt_name":"bpchar"}
--> {"column_name":"d","data_type":"ARRAY","udt_name":"_char"}
