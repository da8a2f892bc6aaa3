-- What functions tell about indexes, sequences, views and statistics.

create table t (a int primary key, b text, c date, d int);
create index tb on t (b desc, c nulls first) include (d);
create index te on t (lower(b), (a + d), (c - 1), ((b || 'x')), (d::text));
create index th on t using hash (d)
--> no rows

select attname, format_type(atttypid, atttypmod) _b, attnum from pg_attribute where attrelid = 'te'::regclass order by attnum
--> {"attname":"lower","_b":"text","attnum":1}
--> {"attname":"expr","_b":"integer","attnum":2}
--> {"attname":"expr1","_b":"date","attnum":3}
--> {"attname":"expr2","_b":"text","attnum":4}
--> {"attname":"d","_b":"text","attnum":5}

select indexrelid::regclass _a, indclass::text _b, indkey::text _c from pg_index where indrelid = 't'::regclass and indexrelid <> 'te'::regclass order by 1
--> {"_a":"t_pkey","_b":"1978","_c":"1"}
--> {"_a":"tb","_b":"3126 3122","_c":"2 3 4"}
--> {"_a":"th","_b":"10020","_c":"4"}

select pg_get_indexdef('te'::regclass) _a, pg_get_indexdef('te'::regclass, 1, false) _b, pg_get_indexdef('te'::regclass, 2, true) _c
--> {"_a":"CREATE INDEX te ON public.t USING btree (lower(b), ((a + d)), ((c - 1)), ((b || 'x'::text)), ((d)::text))","_b":"lower(b)","_c":"(a + d)"}

select p, pg_index_column_has_property('tb'::regclass, 1, p) _b, pg_index_column_has_property('tb'::regclass, 2, p) _c, pg_index_column_has_property('tb'::regclass, 3, p) _d, pg_index_column_has_property('th'::regclass, 1, p) _e from unnest(array['asc', 'desc', 'nulls_first', 'nulls_last', 'orderable', 'distance_orderable', 'returnable', 'search_array', 'search_nulls', 'nonsense']) p order by 1
--> {"p":"asc","_b":false,"_c":true,"_d":null,"_e":false}
--> {"p":"desc","_b":true,"_c":false,"_d":null,"_e":false}
--> {"p":"distance_orderable","_b":false,"_c":false,"_d":false,"_e":false}
--> {"p":"nonsense","_b":null,"_c":null,"_d":null,"_e":null}
--> {"p":"nulls_first","_b":true,"_c":true,"_d":null,"_e":false}
--> {"p":"nulls_last","_b":false,"_c":false,"_d":null,"_e":false}
--> {"p":"orderable","_b":true,"_c":true,"_d":false,"_e":false}
--> {"p":"returnable","_b":true,"_c":true,"_d":true,"_e":false}
--> {"p":"search_array","_b":true,"_c":true,"_d":null,"_e":false}
--> {"p":"search_nulls","_b":true,"_c":true,"_d":null,"_e":false}

select p, pg_index_has_property('tb'::regclass, p) _b, pg_index_has_property('th'::regclass, p) _c from unnest(array['clusterable', 'index_scan', 'bitmap_scan', 'backward_scan', 'nonsense']) p order by 1
--> {"p":"backward_scan","_b":true,"_c":true}
--> {"p":"bitmap_scan","_b":true,"_c":true}
--> {"p":"clusterable","_b":true,"_c":false}
--> {"p":"index_scan","_b":true,"_c":true}
--> {"p":"nonsense","_b":null,"_c":null}

select amname, pg_indexam_has_property(oid, 'can_order') _b, pg_indexam_has_property(oid, 'can_unique') _c, pg_indexam_has_property(oid, 'can_multi_col') _d, pg_indexam_has_property(oid, 'can_exclude') _e, pg_indexam_has_property(oid, 'CAN_INCLUDE') _f from pg_am where amtype = 'i' and amname in ('btree', 'hash', 'gist', 'gin', 'brin', 'spgist') order by 1
--> {"amname":"brin","_b":false,"_c":false,"_d":true,"_e":false,"_f":false}
--> {"amname":"btree","_b":true,"_c":true,"_d":true,"_e":true,"_f":true}
--> {"amname":"gin","_b":false,"_c":false,"_d":true,"_e":false,"_f":false}
--> {"amname":"gist","_b":false,"_c":false,"_d":true,"_e":true,"_f":true}
--> {"amname":"hash","_b":false,"_c":false,"_d":false,"_e":true,"_f":false}
--> {"amname":"spgist","_b":false,"_c":false,"_d":false,"_e":true,"_f":true}

create sequence s increment 5 minvalue 10 maxvalue 100 cycle
--> no rows

select pg_sequence_last_value('s') _a, nextval('s') _b, pg_sequence_last_value('s'::regclass) _c
--> {"_a":null,"_b":10,"_c":10}

select nextval('s')
--> {"nextval":15}

select pg_sequence_last_value('s')
--> {"pg_sequence_last_value":15}

select * from pg_sequence_parameters('s'::regclass)
--> {"start_value":10,"minimum_value":10,"maximum_value":100,"increment":5,"cycle_option":true,"cache_size":1,"data_type":20}

select (pg_sequence_parameters('s'::regclass)).increment
--> {"increment":5}

create view plain as select a, b from t;
create view computed as select a + 1 as a, lower(b) as b from t;
create view mixed as select a, lower(b) as b from t;
create view grouped as select count(*) from t;
create view over_mixed as select a, b from mixed;
create view triggered as select count(*) as n from t;
create function f() returns trigger language plpgsql as 'begin return new; end';
create trigger tr instead of insert on triggered for each row execute function f();
create materialized view stored as select 1 as a
--> no rows

select relname, pg_relation_is_updatable(oid, false) _b, pg_relation_is_updatable(oid, true) _c from pg_class where relnamespace = 'public'::regnamespace order by 1
--> {"relname":"computed","_b":16,"_c":16}
--> {"relname":"grouped","_b":0,"_c":0}
--> {"relname":"mixed","_b":28,"_c":28}
--> {"relname":"over_mixed","_b":28,"_c":28}
--> {"relname":"plain","_b":28,"_c":28}
--> {"relname":"s","_b":0,"_c":0}
--> {"relname":"stored","_b":0,"_c":0}
--> {"relname":"t","_b":28,"_c":28}
--> {"relname":"t_pkey","_b":0,"_c":0}
--> {"relname":"tb","_b":0,"_c":0}
--> {"relname":"te","_b":0,"_c":0}
--> {"relname":"th","_b":0,"_c":0}
--> {"relname":"triggered","_b":0,"_c":8}

select c.relname, a.attname, pg_column_is_updatable(c.oid, a.attnum, false) _c from pg_class c join pg_attribute a on a.attrelid = c.oid where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and a.attnum > 0 order by 1, 2
--> {"relname":"computed","attname":"a","_c":false}
--> {"relname":"computed","attname":"b","_c":false}
--> {"relname":"grouped","attname":"count","_c":false}
--> {"relname":"mixed","attname":"a","_c":true}
--> {"relname":"mixed","attname":"b","_c":false}
--> {"relname":"over_mixed","attname":"a","_c":true}
--> {"relname":"over_mixed","attname":"b","_c":false}
--> {"relname":"plain","attname":"a","_c":true}
--> {"relname":"plain","attname":"b","_c":true}
--> {"relname":"t","attname":"a","_c":true}
--> {"relname":"t","attname":"b","_c":true}
--> {"relname":"t","attname":"c","_c":true}
--> {"relname":"t","attname":"d","_c":true}
--> {"relname":"triggered","attname":"n","_c":false}

select table_name, is_updatable, is_insertable_into, is_trigger_insertable_into from information_schema.views where table_schema = 'public' order by 1
--> {"table_name":"computed","is_updatable":"NO","is_insertable_into":"NO","is_trigger_insertable_into":"NO"}
--> {"table_name":"grouped","is_updatable":"NO","is_insertable_into":"NO","is_trigger_insertable_into":"NO"}
--> {"table_name":"mixed","is_updatable":"YES","is_insertable_into":"YES","is_trigger_insertable_into":"NO"}
--> {"table_name":"over_mixed","is_updatable":"YES","is_insertable_into":"YES","is_trigger_insertable_into":"NO"}
--> {"table_name":"plain","is_updatable":"YES","is_insertable_into":"YES","is_trigger_insertable_into":"NO"}
--> {"table_name":"triggered","is_updatable":"NO","is_insertable_into":"NO","is_trigger_insertable_into":"YES"}

select table_name, is_insertable_into from information_schema.tables where table_schema = 'public' order by 1
--> {"table_name":"computed","is_insertable_into":"NO"}
--> {"table_name":"grouped","is_insertable_into":"NO"}
--> {"table_name":"mixed","is_insertable_into":"YES"}
--> {"table_name":"over_mixed","is_insertable_into":"YES"}
--> {"table_name":"plain","is_insertable_into":"YES"}
--> {"table_name":"t","is_insertable_into":"YES"}
--> {"table_name":"triggered","is_insertable_into":"NO"}

select table_name, column_name, is_updatable from information_schema.columns where table_schema = 'public' order by 1, 2
--> {"table_name":"computed","column_name":"a","is_updatable":"NO"}
--> {"table_name":"computed","column_name":"b","is_updatable":"NO"}
--> {"table_name":"grouped","column_name":"count","is_updatable":"NO"}
--> {"table_name":"mixed","column_name":"a","is_updatable":"YES"}
--> {"table_name":"mixed","column_name":"b","is_updatable":"NO"}
--> {"table_name":"over_mixed","column_name":"a","is_updatable":"YES"}
--> {"table_name":"over_mixed","column_name":"b","is_updatable":"NO"}
--> {"table_name":"plain","column_name":"a","is_updatable":"YES"}
--> {"table_name":"plain","column_name":"b","is_updatable":"YES"}
--> {"table_name":"t","column_name":"a","is_updatable":"YES"}
--> {"table_name":"t","column_name":"b","is_updatable":"YES"}
--> {"table_name":"t","column_name":"c","is_updatable":"YES"}
--> {"table_name":"t","column_name":"d","is_updatable":"YES"}
--> {"table_name":"triggered","column_name":"n","is_updatable":"NO"}

create function g(a int, b text default 'x', c int default 1 + 1) returns int language sql as 'select 1'
--> no rows

select n, pg_get_function_arg_default('g'::regproc, n) from generate_series(0, 4) n order by 1
--> {"n":0,"pg_get_function_arg_default":null}
--> {"n":1,"pg_get_function_arg_default":null}
--> {"n":2,"pg_get_function_arg_default":"'x'::text"}
--> {"n":3,"pg_get_function_arg_default":"(1 + 1)"}
--> {"n":4,"pg_get_function_arg_default":null}

create statistics st (ndistinct, mcv) on a, d from t;
create statistics st2 on b, c from t
--> no rows

select stxname, pg_get_statisticsobjdef(oid) from pg_statistic_ext order by 1
--> {"stxname":"st","pg_get_statisticsobjdef":"CREATE STATISTICS public.st (ndistinct, mcv) ON a, d FROM t"}
--> {"stxname":"st2","pg_get_statisticsobjdef":"CREATE STATISTICS public.st2 ON b, c FROM t"}

select pg_relation_filenode('t') is not null _a, pg_relation_filenode('plain') is null _b, pg_relation_filepath('tb') is not null _c, pg_relation_filepath('computed') _d
--> {"_a":true,"_b":true,"_c":true,"_d":null}

select pg_relation_size('t', 'main') >= 0, pg_database_size('postgres') >= 0, pg_tablespace_size('pg_default') >= 0
--> {"?column?":true}

select pg_database_size('nowhere')
--> ERROR 3D000: database "nowhere" does not exist

select pg_tablespace_size('nowhere')
--> ERROR 42704: tablespace "nowhere" does not exist

create table x1 (id int primary key); create table x2 (id int primary key references x1); create table x3 (id int references x2)
--> no rows

drop table x1, x2
--> ERROR 2BP01: cannot drop desired object(s) because other objects depend on them
--> DETAIL: constraint x3_id_fkey on table x3 depends on table x2
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop table x3; drop table x1, x2
--> no rows

create schema q; create table q.a (id int primary key); create table q.b (id int references q.a); create type q.e as enum ('x'); create table q.c (e q.e)
--> no rows

drop schema q cascade
--> no rows

set local work_mem = '8MB'
--> no rows

set transaction read only
--> no rows

select 1 for update
--> {"?column?":1}

select (select 1 for share nowait) _a, 2 as two for no key update skip locked
--> {"_a":1,"two":2}

select to_json('pg_class'::regclass) a, to_jsonb(26::oid) b, json_build_object('a', 26::oid) c, to_json(array[26::oid, null]) d, row_to_json(r) e, to_jsonb(array['pg_class'::regclass]) f from pg_class t, (select 26::oid as o, 'int4'::regtype as t) r where t.relname = 'pg_class'
--> {"a":"pg_class","b":"26","c":{"a":"26"},"d":["26",null],"e":{"o":"26","t":"integer"},"f":["pg_class"]}

create table d1 (id int primary key, "Big" text check ("Big" <> '')); create type d2 as enum ('x'); create function d3(a int, b text default '') returns int language sql as 'select 1'; create view d4 as select 1 as one; create sequence d5; create schema "D6"; create index d7 on d1 ("Big")
--> no rows

select o, pg_describe_object('pg_class'::regclass, o::regclass, 0) from unnest(array['d1', 'd4', 'd5', 'd7']) o order by 1
--> {"o":"d1","pg_describe_object":"table d1"}
--> {"o":"d4","pg_describe_object":"view d4"}
--> {"o":"d5","pg_describe_object":"sequence d5"}
--> {"o":"d7","pg_describe_object":"index d7"}

select pg_describe_object('pg_class'::regclass, 'd1'::regclass, 2) a, pg_describe_object('pg_class'::regclass, 'd4'::regclass, 1) b, pg_describe_object('pg_type'::regclass, 'd2'::regtype, 0) c, pg_describe_object('pg_type'::regclass, 'd2[]'::regtype, 0) d, pg_describe_object('pg_proc'::regclass, 'd3'::regproc, 0) e, pg_describe_object('pg_namespace'::regclass, '"D6"'::regnamespace, 0) f
--> {"a":"column Big of table d1","b":"column one of view d4","c":"type d2","d":"type d2[]","e":"function d3(integer,text)","f":"schema D6"}

select pg_describe_object(1259, 1, 0)
--> {"pg_describe_object":null}

select conname, pg_describe_object('pg_constraint'::regclass, oid, 0) from pg_constraint where conrelid = 'd1'::regclass order by 1
--> {"conname":"d1_Big_check","pg_describe_object":"constraint d1_Big_check on table d1"}
--> {"conname":"d1_pkey","pg_describe_object":"constraint d1_pkey on table d1"}
