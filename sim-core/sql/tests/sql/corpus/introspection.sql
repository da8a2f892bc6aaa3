create type pair as (a int, b varchar(7)[]);
--> no rows

create domain code as varchar(5) default 'x' check (value <> 'q');
--> no rows

create type mood as enum ('sad', 'ok');
--> no rows

create table owner (id int primary key, name varchar(20) not null, unique nulls not distinct (name));
--> no rows

create table thing (id int primary key generated always as identity, owner_id int references owner on delete cascade, label varchar(10), tags int[], kind code, part pair, feeling mood, price numeric(5, 2), data jsonb, vec tsvector, made timestamptz default now(), unique (label, owner_id) deferrable initially deferred);
--> no rows

create index thing_label on thing (label desc, price nulls first) include (owner_id) where price > 1;
--> no rows

create index thing_lower on thing (lower(label), label desc);
--> no rows

create index thing_data on thing using gin (data jsonb_path_ops);
--> no rows

create index thing_tags on thing using gin (tags, vec);
--> no rows

create index thing_pattern on thing (label text_pattern_ops, feeling, made);
--> no rows

create index thing_hash on thing using hash (label);
--> no rows

create sequence small as smallint increment 2;
--> no rows

create function area(a int, b text default 'x', variadic c int[] default '{}', out d int) language sql as 'select 1';
--> no rows

create procedure act(a int) language sql as 'select 1';
--> no rows

create function rows_of() returns setof thing language sql strict as 'select * from thing';
--> no rows

create function stamp() returns trigger language plpgsql as 'begin return new; end';
--> no rows

create trigger seen after update on thing referencing old table as before new table as after for each statement execute function stamp();
--> no rows

create trigger narrow before update of label, tags on thing for each row execute function stamp();
--> no rows

create view brief as select id, label from thing;
--> no rows

create trigger made instead of insert on brief for each row execute function stamp();
--> no rows

-- Indexes, as tools for models read them.
select c.relname, i.indisunique, i.indoption, i.indnatts, i.indnkeyatts, i.indcheckxmin, i.indnullsnotdistinct, i.indimmediate, i.indkey from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid in ('thing'::regclass, 'owner'::regclass) order by 1;
--> {"relname":"owner_name_key","indisunique":true,"indoption":"0","indnatts":1,"indnkeyatts":1,"indcheckxmin":false,"indnullsnotdistinct":true,"indimmediate":true,"indkey":"2"}
--> {"relname":"owner_pkey","indisunique":true,"indoption":"0","indnatts":1,"indnkeyatts":1,"indcheckxmin":false,"indnullsnotdistinct":false,"indimmediate":true,"indkey":"1"}
--> {"relname":"thing_data","indisunique":false,"indoption":"0","indnatts":1,"indnkeyatts":1,"indcheckxmin":false,"indnullsnotdistinct":false,"indimmediate":true,"indkey":"9"}
--> {"relname":"thing_hash","indisunique":false,"indoption":"0","indnatts":1,"indnkeyatts":1,"indcheckxmin":false,"indnullsnotdistinct":false,"indimmediate":true,"indkey":"3"}
--> {"relname":"thing_label","indisunique":false,"indoption":"3 2","indnatts":3,"indnkeyatts":2,"indcheckxmin":false,"indnullsnotdistinct":false,"indimmediate":true,"indkey":"3 8 2"}
--> {"relname":"thing_label_owner_id_key","indisunique":true,"indoption":"0 0","indnatts":2,"indnkeyatts":2,"indcheckxmin":false,"indnullsnotdistinct":false,"indimmediate":false,"indkey":"3 2"}
--> {"relname":"thing_lower","indisunique":false,"indoption":"0 3","indnatts":2,"indnkeyatts":2,"indcheckxmin":false,"indnullsnotdistinct":false,"indimmediate":true,"indkey":"0 3"}
--> {"relname":"thing_pattern","indisunique":false,"indoption":"0 0 0","indnatts":3,"indnkeyatts":3,"indcheckxmin":false,"indnullsnotdistinct":false,"indimmediate":true,"indkey":"3 7 11"}
--> {"relname":"thing_pkey","indisunique":true,"indoption":"0","indnatts":1,"indnkeyatts":1,"indcheckxmin":false,"indnullsnotdistinct":false,"indimmediate":true,"indkey":"1"}
--> {"relname":"thing_tags","indisunique":false,"indoption":"0 0","indnatts":2,"indnkeyatts":2,"indcheckxmin":false,"indnullsnotdistinct":false,"indimmediate":true,"indkey":"4 10"}

select c.relname, k.n, o.opcname, o.opcdefault, m.amname from pg_index i join pg_class c on c.oid = i.indexrelid cross join lateral unnest(i.indclass) with ordinality k (class, n) join pg_opclass o on o.oid = k.class join pg_am m on m.oid = c.relam where i.indrelid = 'thing'::regclass order by 1, 2;
--> {"relname":"thing_data","n":1,"opcname":"jsonb_path_ops","opcdefault":false,"amname":"gin"}
--> {"relname":"thing_hash","n":1,"opcname":"text_ops","opcdefault":true,"amname":"hash"}
--> {"relname":"thing_label","n":1,"opcname":"text_ops","opcdefault":true,"amname":"btree"}
--> {"relname":"thing_label","n":2,"opcname":"numeric_ops","opcdefault":true,"amname":"btree"}
--> {"relname":"thing_label_owner_id_key","n":1,"opcname":"text_ops","opcdefault":true,"amname":"btree"}
--> {"relname":"thing_label_owner_id_key","n":2,"opcname":"int4_ops","opcdefault":true,"amname":"btree"}
--> {"relname":"thing_lower","n":1,"opcname":"text_ops","opcdefault":true,"amname":"btree"}
--> {"relname":"thing_lower","n":2,"opcname":"text_ops","opcdefault":true,"amname":"btree"}
--> {"relname":"thing_pattern","n":1,"opcname":"text_pattern_ops","opcdefault":false,"amname":"btree"}
--> {"relname":"thing_pattern","n":2,"opcname":"enum_ops","opcdefault":true,"amname":"btree"}
--> {"relname":"thing_pattern","n":3,"opcname":"timestamptz_ops","opcdefault":true,"amname":"btree"}
--> {"relname":"thing_pkey","n":1,"opcname":"int4_ops","opcdefault":true,"amname":"btree"}
--> {"relname":"thing_tags","n":1,"opcname":"array_ops","opcdefault":true,"amname":"gin"}
--> {"relname":"thing_tags","n":2,"opcname":"tsvector_ops","opcdefault":true,"amname":"gin"}

select c.relname, a.attname, case i.indoption[k.place - 1] & 1 when 1 then 'DESC' else 'ASC' end as direction, i.indoption[k.place - 1] & 2 <> 0 as nulls_first from pg_index i join pg_class c on c.oid = i.indexrelid cross join lateral unnest(i.indkey) with ordinality k (number, place) join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number where i.indrelid = 'thing'::regclass and k.place <= i.indnkeyatts order by 1, k.place;
--> {"relname":"thing_data","attname":"data","direction":"ASC","nulls_first":false}
--> {"relname":"thing_hash","attname":"label","direction":"ASC","nulls_first":false}
--> {"relname":"thing_label","attname":"label","direction":"DESC","nulls_first":true}
--> {"relname":"thing_label","attname":"price","direction":"ASC","nulls_first":true}
--> {"relname":"thing_label_owner_id_key","attname":"label","direction":"ASC","nulls_first":false}
--> {"relname":"thing_label_owner_id_key","attname":"owner_id","direction":"ASC","nulls_first":false}
--> {"relname":"thing_lower","attname":"label","direction":"DESC","nulls_first":true}
--> {"relname":"thing_pattern","attname":"label","direction":"ASC","nulls_first":false}
--> {"relname":"thing_pattern","attname":"feeling","direction":"ASC","nulls_first":false}
--> {"relname":"thing_pattern","attname":"made","direction":"ASC","nulls_first":false}
--> {"relname":"thing_pkey","attname":"id","direction":"ASC","nulls_first":false}
--> {"relname":"thing_tags","attname":"tags","direction":"ASC","nulls_first":false}
--> {"relname":"thing_tags","attname":"vec","direction":"ASC","nulls_first":false}

select opcname, amname, opcintype::regtype from pg_opclass o join pg_am a on a.oid = o.opcmethod where opcdefault and opcintype = 'jsonb'::regtype order by 2;
--> {"opcname":"jsonb_ops","amname":"btree","opcintype":"jsonb"}
--> {"opcname":"jsonb_ops","amname":"gin","opcintype":"jsonb"}
--> {"opcname":"jsonb_ops","amname":"hash","opcintype":"jsonb"}

select opfname from pg_opfamily f join pg_am a on a.oid = f.opfmethod where amname = 'btree' and opfname like 'int%' order by 1;
--> {"opfname":"integer_ops"}
--> {"opfname":"interval_ops"}

select castsource::regtype, casttarget::regtype, castcontext, castmethod from pg_cast where castsource = 'int4'::regtype and casttarget in ('int8'::regtype, 'bool'::regtype, 'oid'::regtype) order by 2;
--> {"castsource":"integer","casttarget":"boolean","castcontext":"e","castmethod":"f"}
--> {"castsource":"integer","casttarget":"bigint","castcontext":"i","castmethod":"f"}
--> {"castsource":"integer","casttarget":"oid","castcontext":"i","castmethod":"b"}

-- Functions.
select proname, provariadic::regtype, pronargs, pronargdefaults, pg_get_expr(proargdefaults, 0) is not null as has_defaults from pg_proc where pronamespace = 'public'::regnamespace order by 1;
--> {"proname":"act","provariadic":"-","pronargs":1,"pronargdefaults":0,"has_defaults":false}
--> {"proname":"area","provariadic":"integer","pronargs":3,"pronargdefaults":2,"has_defaults":true}
--> {"proname":"rows_of","provariadic":"-","pronargs":0,"pronargdefaults":0,"has_defaults":false}
--> {"proname":"stamp","provariadic":"-","pronargs":0,"pronargdefaults":0,"has_defaults":false}

select routine_name, routine_type, data_type, type_udt_schema, type_udt_name, dtd_identifier, parameter_style, sql_data_access, is_null_call, schema_level_routine, max_dynamic_result_sets, as_locator, is_udt_dependent, new_savepoint_level from information_schema.routines where specific_schema = 'public' order by 1;
--> {"routine_name":"act","routine_type":"PROCEDURE","data_type":null,"type_udt_schema":null,"type_udt_name":null,"dtd_identifier":null,"parameter_style":"GENERAL","sql_data_access":"MODIFIES","is_null_call":null,"schema_level_routine":"YES","max_dynamic_result_sets":0,"as_locator":"NO","is_udt_dependent":"NO","new_savepoint_level":null}
--> {"routine_name":"area","routine_type":"FUNCTION","data_type":"integer","type_udt_schema":"pg_catalog","type_udt_name":"int4","dtd_identifier":"0","parameter_style":"GENERAL","sql_data_access":"MODIFIES","is_null_call":"NO","schema_level_routine":"YES","max_dynamic_result_sets":0,"as_locator":"NO","is_udt_dependent":"NO","new_savepoint_level":null}
--> {"routine_name":"rows_of","routine_type":"FUNCTION","data_type":"USER-DEFINED","type_udt_schema":"public","type_udt_name":"thing","dtd_identifier":"0","parameter_style":"GENERAL","sql_data_access":"MODIFIES","is_null_call":"YES","schema_level_routine":"YES","max_dynamic_result_sets":0,"as_locator":"NO","is_udt_dependent":"NO","new_savepoint_level":null}
--> {"routine_name":"stamp","routine_type":"FUNCTION","data_type":"trigger","type_udt_schema":"pg_catalog","type_udt_name":"trigger","dtd_identifier":"0","parameter_style":"GENERAL","sql_data_access":"MODIFIES","is_null_call":"NO","schema_level_routine":"YES","max_dynamic_result_sets":0,"as_locator":"NO","is_udt_dependent":"NO","new_savepoint_level":null}

select parameter_name, ordinal_position, parameter_mode, is_result, as_locator, udt_schema, udt_name, dtd_identifier from information_schema.parameters where specific_schema = 'public' order by specific_name, ordinal_position;
--> {"parameter_name":"a","ordinal_position":1,"parameter_mode":"IN","is_result":"NO","as_locator":"NO","udt_schema":"pg_catalog","udt_name":"int4","dtd_identifier":"1"}
--> {"parameter_name":"a","ordinal_position":1,"parameter_mode":"IN","is_result":"NO","as_locator":"NO","udt_schema":"pg_catalog","udt_name":"int4","dtd_identifier":"1"}
--> {"parameter_name":"b","ordinal_position":2,"parameter_mode":"IN","is_result":"NO","as_locator":"NO","udt_schema":"pg_catalog","udt_name":"text","dtd_identifier":"2"}
--> {"parameter_name":"c","ordinal_position":3,"parameter_mode":"IN","is_result":"NO","as_locator":"NO","udt_schema":"pg_catalog","udt_name":"_int4","dtd_identifier":"3"}
--> {"parameter_name":"d","ordinal_position":4,"parameter_mode":"OUT","is_result":"NO","as_locator":"NO","udt_schema":"pg_catalog","udt_name":"int4","dtd_identifier":"4"}

-- The standard's views.
select column_name, udt_schema, udt_name, domain_catalog is null as plain, domain_schema, domain_name, character_maximum_length, character_octet_length, numeric_precision, numeric_precision_radix, numeric_scale, datetime_precision, is_self_referencing from information_schema.columns where table_name = 'thing' order by ordinal_position;
--> {"column_name":"id","udt_schema":"pg_catalog","udt_name":"int4","plain":true,"domain_schema":null,"domain_name":null,"character_maximum_length":null,"character_octet_length":null,"numeric_precision":32,"numeric_precision_radix":2,"numeric_scale":0,"datetime_precision":null,"is_self_referencing":"NO"}
--> {"column_name":"owner_id","udt_schema":"pg_catalog","udt_name":"int4","plain":true,"domain_schema":null,"domain_name":null,"character_maximum_length":null,"character_octet_length":null,"numeric_precision":32,"numeric_precision_radix":2,"numeric_scale":0,"datetime_precision":null,"is_self_referencing":"NO"}
--> {"column_name":"label","udt_schema":"pg_catalog","udt_name":"varchar","plain":true,"domain_schema":null,"domain_name":null,"character_maximum_length":10,"character_octet_length":40,"numeric_precision":null,"numeric_precision_radix":null,"numeric_scale":null,"datetime_precision":null,"is_self_referencing":"NO"}
--> {"column_name":"tags","udt_schema":"pg_catalog","udt_name":"_int4","plain":true,"domain_schema":null,"domain_name":null,"character_maximum_length":null,"character_octet_length":null,"numeric_precision":null,"numeric_precision_radix":null,"numeric_scale":null,"datetime_precision":null,"is_self_referencing":"NO"}
--> {"column_name":"kind","udt_schema":"pg_catalog","udt_name":"varchar","plain":false,"domain_schema":"public","domain_name":"code","character_maximum_length":5,"character_octet_length":20,"numeric_precision":null,"numeric_precision_radix":null,"numeric_scale":null,"datetime_precision":null,"is_self_referencing":"NO"}
--> {"column_name":"part","udt_schema":"public","udt_name":"pair","plain":true,"domain_schema":null,"domain_name":null,"character_maximum_length":null,"character_octet_length":null,"numeric_precision":null,"numeric_precision_radix":null,"numeric_scale":null,"datetime_precision":null,"is_self_referencing":"NO"}
--> {"column_name":"feeling","udt_schema":"public","udt_name":"mood","plain":true,"domain_schema":null,"domain_name":null,"character_maximum_length":null,"character_octet_length":null,"numeric_precision":null,"numeric_precision_radix":null,"numeric_scale":null,"datetime_precision":null,"is_self_referencing":"NO"}
--> {"column_name":"price","udt_schema":"pg_catalog","udt_name":"numeric","plain":true,"domain_schema":null,"domain_name":null,"character_maximum_length":null,"character_octet_length":null,"numeric_precision":5,"numeric_precision_radix":10,"numeric_scale":2,"datetime_precision":null,"is_self_referencing":"NO"}
--> {"column_name":"data","udt_schema":"pg_catalog","udt_name":"jsonb","plain":true,"domain_schema":null,"domain_name":null,"character_maximum_length":null,"character_octet_length":null,"numeric_precision":null,"numeric_precision_radix":null,"numeric_scale":null,"datetime_precision":null,"is_self_referencing":"NO"}
--> {"column_name":"vec","udt_schema":"pg_catalog","udt_name":"tsvector","plain":true,"domain_schema":null,"domain_name":null,"character_maximum_length":null,"character_octet_length":null,"numeric_precision":null,"numeric_precision_radix":null,"numeric_scale":null,"datetime_precision":null,"is_self_referencing":"NO"}
--> {"column_name":"made","udt_schema":"pg_catalog","udt_name":"timestamptz","plain":true,"domain_schema":null,"domain_name":null,"character_maximum_length":null,"character_octet_length":null,"numeric_precision":null,"numeric_precision_radix":null,"numeric_scale":null,"datetime_precision":6,"is_self_referencing":"NO"}

select domain_schema, domain_name, data_type, character_maximum_length, character_octet_length, udt_schema, udt_name, dtd_identifier from information_schema.domains where domain_schema = 'public';
--> {"domain_schema":"public","domain_name":"code","data_type":"character varying","character_maximum_length":5,"character_octet_length":20,"udt_schema":"pg_catalog","udt_name":"varchar","dtd_identifier":"1"}

select constraint_schema, constraint_name, domain_name, is_deferrable, initially_deferred from information_schema.domain_constraints where domain_schema = 'public';
--> {"constraint_schema":"public","constraint_name":"code_check","domain_name":"code","is_deferrable":"NO","initially_deferred":"NO"}

select attribute_name, ordinal_position, is_nullable, data_type, attribute_udt_schema, attribute_udt_name, dtd_identifier, is_derived_reference_attribute from information_schema.attributes where udt_schema = 'public' order by 2;
--> {"attribute_name":"a","ordinal_position":1,"is_nullable":"YES","data_type":"integer","attribute_udt_schema":"pg_catalog","attribute_udt_name":"int4","dtd_identifier":"1","is_derived_reference_attribute":"NO"}
--> {"attribute_name":"b","ordinal_position":2,"is_nullable":"YES","data_type":"ARRAY","attribute_udt_schema":"pg_catalog","attribute_udt_name":"_varchar","dtd_identifier":"2","is_derived_reference_attribute":"NO"}

select user_defined_type_schema, user_defined_type_name, user_defined_type_category, is_instantiable from information_schema.user_defined_types where user_defined_type_schema = 'public';
--> {"user_defined_type_schema":"public","user_defined_type_name":"pair","user_defined_type_category":"STRUCTURED","is_instantiable":"YES"}

select domain_schema, domain_name, table_name, column_name from information_schema.column_domain_usage where table_schema = 'public';
--> {"domain_schema":"public","domain_name":"code","table_name":"thing","column_name":"kind"}

select udt_schema, udt_name, table_name, column_name from information_schema.column_udt_usage where table_schema = 'public' and udt_schema = 'public' order by 4;
--> {"udt_schema":"public","udt_name":"mood","table_name":"thing","column_name":"feeling"}
--> {"udt_schema":"public","udt_name":"pair","table_name":"thing","column_name":"part"}

select object_name, object_type, collection_type_identifier, data_type, udt_schema, udt_name, dtd_identifier from information_schema.element_types where object_schema = 'public' and object_type = 'TABLE';
--> {"object_name":"thing","object_type":"TABLE","collection_type_identifier":"4","data_type":"integer","udt_schema":"pg_catalog","udt_name":"int4","dtd_identifier":"a4"}

select table_name, constraint_name from information_schema.constraint_table_usage where table_schema = 'public' order by 1, 2;
--> {"table_name":"owner","constraint_name":"owner_name_key"}
--> {"table_name":"owner","constraint_name":"owner_pkey"}
--> {"table_name":"owner","constraint_name":"thing_owner_id_fkey"}
--> {"table_name":"thing","constraint_name":"thing_label_owner_id_key"}
--> {"table_name":"thing","constraint_name":"thing_pkey"}

select constraint_name, constraint_type, is_deferrable, initially_deferred, nulls_distinct from information_schema.table_constraints where table_schema = 'public' and constraint_type <> 'CHECK' order by 1;
--> {"constraint_name":"owner_name_key","constraint_type":"UNIQUE","is_deferrable":"NO","initially_deferred":"NO","nulls_distinct":"NO"}
--> {"constraint_name":"owner_pkey","constraint_type":"PRIMARY KEY","is_deferrable":"NO","initially_deferred":"NO","nulls_distinct":null}
--> {"constraint_name":"thing_label_owner_id_key","constraint_type":"UNIQUE","is_deferrable":"YES","initially_deferred":"YES","nulls_distinct":"YES"}
--> {"constraint_name":"thing_owner_id_fkey","constraint_type":"FOREIGN KEY","is_deferrable":"NO","initially_deferred":"NO","nulls_distinct":null}
--> {"constraint_name":"thing_pkey","constraint_type":"PRIMARY KEY","is_deferrable":"NO","initially_deferred":"NO","nulls_distinct":null}

select trigger_name, event_object_column from information_schema.triggered_update_columns where trigger_schema = 'public' order by 2;
--> {"trigger_name":"narrow","event_object_column":"label"}
--> {"trigger_name":"narrow","event_object_column":"tags"}

select trigger_name, event_manipulation, action_reference_old_table, action_reference_new_table, action_reference_old_row, created from information_schema.triggers where trigger_schema = 'public' order by 1, 2;
--> {"trigger_name":"made","event_manipulation":"INSERT","action_reference_old_table":null,"action_reference_new_table":null,"action_reference_old_row":null,"created":null}
--> {"trigger_name":"narrow","event_manipulation":"UPDATE","action_reference_old_table":null,"action_reference_new_table":null,"action_reference_old_row":null,"created":null}
--> {"trigger_name":"seen","event_manipulation":"UPDATE","action_reference_old_table":"before","action_reference_new_table":"after","action_reference_old_row":null,"created":null}

select table_name, is_updatable, is_insertable_into, is_trigger_updatable, is_trigger_deletable, is_trigger_insertable_into from information_schema.views where table_schema = 'public';
--> {"table_name":"brief","is_updatable":"YES","is_insertable_into":"YES","is_trigger_updatable":"NO","is_trigger_deletable":"NO","is_trigger_insertable_into":"YES"}

select sequence_name, data_type, numeric_precision, numeric_precision_radix, numeric_scale, start_value, maximum_value, increment, cycle_option from information_schema.sequences where sequence_schema = 'public' order by 1;
--> {"sequence_name":"small","data_type":"smallint","numeric_precision":16,"numeric_precision_radix":2,"numeric_scale":0,"start_value":"1","maximum_value":"32767","increment":"2","cycle_option":"NO"}

select character_set_name, character_repertoire, form_of_use from information_schema.character_sets;
--> {"character_set_name":"UTF8","character_repertoire":"UCS","form_of_use":"UTF8"}

select count(*) from information_schema.information_schema_catalog_name;
--> {"count":1}

select table_name, table_type, self_referencing_column_name, reference_generation, user_defined_type_name, is_typed from information_schema.tables where table_schema = 'public' order by 1;
--> {"table_name":"brief","table_type":"VIEW","self_referencing_column_name":null,"reference_generation":null,"user_defined_type_name":null,"is_typed":"NO"}
--> {"table_name":"owner","table_type":"BASE TABLE","self_referencing_column_name":null,"reference_generation":null,"user_defined_type_name":null,"is_typed":"NO"}
--> {"table_name":"thing","table_type":"BASE TABLE","self_referencing_column_name":null,"reference_generation":null,"user_defined_type_name":null,"is_typed":"NO"}

select default_character_set_name, sql_path from information_schema.schemata where schema_name = 'public';
--> {"default_character_set_name":null,"sql_path":null}

select privilege_type, is_grantable, with_hierarchy from information_schema.role_table_grants where table_name = 'owner' and grantee = 'anon' order by 1;
--> {"privilege_type":"DELETE","is_grantable":"NO","with_hierarchy":"NO"}
--> {"privilege_type":"INSERT","is_grantable":"NO","with_hierarchy":"NO"}
--> {"privilege_type":"REFERENCES","is_grantable":"NO","with_hierarchy":"NO"}
--> {"privilege_type":"SELECT","is_grantable":"NO","with_hierarchy":"YES"}
--> {"privilege_type":"TRIGGER","is_grantable":"NO","with_hierarchy":"NO"}
--> {"privilege_type":"TRUNCATE","is_grantable":"NO","with_hierarchy":"NO"}
--> {"privilege_type":"UPDATE","is_grantable":"NO","with_hierarchy":"NO"}

-- What only a server has.
select last_value from pg_sequences where sequencename = 'small'; select nextval('small'), nextval('small'); select last_value, data_type from pg_sequences where sequencename = 'small';
--> {"last_value":3,"data_type":"smallint"}

select rolname, rolpassword from pg_roles where rolname = 'anon';
--> {"rolname":"anon","rolpassword":"********"}

select usename, passwd from pg_user where usename = 'postgres';
--> {"usename":"postgres","passwd":"********"}

select count(*) from pg_stat_archiver; select count(*) from pg_stat_bgwriter; select count(*) from pg_stat_wal;
--> {"count":1}

select schemaname, relname from pg_statio_user_sequences where schemaname = 'public' order by 2;
--> {"schemaname":"public","relname":"small"}
--> {"schemaname":"public","relname":"thing_id_seq"}

select relname, seq_scan is null as uncounted, idx_scan is null as without_index from pg_stat_xact_user_tables where schemaname = 'public' order by 1;
--> {"relname":"owner","uncounted":false,"without_index":false}
--> {"relname":"thing","uncounted":false,"without_index":false}

select count(*) from pg_prepared_xacts; select count(*) from pg_replication_slots; select count(*) from pg_largeobject_metadata; select count(*) from pg_seclabel; select count(*) from pg_stat_progress_vacuum;
--> {"count":0}

select rulename, ev_type, is_instead, ev_qual from pg_rewrite where ev_class = 'brief'::regclass;
--> {"rulename":"_RETURN","ev_type":"1","is_instead":true,"ev_qual":"<>"}

show transaction isolation level;
--> {"transaction_isolation":"read committed"}

begin isolation level serializable; show transaction isolation level; rollback;
--> {"transaction_isolation":"serializable"}

select name from pg_settings where name = 'work_mem'; show session authorization; show time zone;
--> {"TimeZone":"UTC"}

begin; set transaction isolation level repeatable read, deferrable; show transaction_isolation; show transaction_deferrable; commit; show transaction_isolation;
--> {"transaction_isolation":"read committed"}

set session characteristics as transaction isolation level serializable; show default_transaction_isolation;
--> {"default_transaction_isolation":"serializable"}

set transaction isolation level nonsense;
--> ERROR 42601: syntax error at or near "nonsense"
--> AT 33

set session characteristics as isolation level serializable;
--> ERROR 42601: syntax error at or near "isolation"
--> AT 32

set transaction
--> ERROR 42601: syntax error at end of input
--> AT 16

select c.relname, pg_get_indexdef(c.oid, 1, true) as first, pg_get_indexdef(c.oid, 2, false) as second, pg_get_indexdef(c.oid, 3, true) as third, pg_get_indexdef(c.oid, 9, true) as none from pg_index i join pg_class c on c.oid = i.indexrelid where indrelid = 'thing'::regclass and c.relname in ('thing_label', 'thing_pkey', 'thing_pattern') order by 1;
--> {"relname":"thing_label","first":"label","second":"price","third":"owner_id","none":""}
--> {"relname":"thing_pattern","first":"label","second":"feeling","third":"made","none":""}
--> {"relname":"thing_pkey","first":"id","second":"","third":"","none":""}

select c.relname, pg_get_indexdef(c.oid, k::int, true) as key from pg_index i join pg_class c on c.oid = i.indexrelid cross join lateral generate_series(1, i.indnatts::bigint) k where indrelid = 'owner'::regclass order by 1, k;
--> {"relname":"owner_name_key","key":"name"}
--> {"relname":"owner_pkey","key":"id"}

select (array[10, 20, 30])[2::bigint] as one, (array[10, 20, 30])[1.6] as two, (array[1, 2, 3])[1::bigint:2.4] as three;
--> {"one":20,"two":20,"three":[1,2]}

select (array[1, 2])['a'::text];
--> ERROR 42804: array subscript must have type integer
--> AT 22

create unique index owner_upper on owner (upper(name), length(name));
--> no rows

select pg_get_indexdef('owner_upper'::regclass, 1, true) as pretty, pg_get_indexdef('owner_upper'::regclass, 1, false) as plain;
--> {"pretty":"upper(name::text)","plain":"upper((name)::text)"}

insert into owner values (1, 'Ann'), (2, 'ANN');
--> ERROR 23505: duplicate key value violates unique constraint "owner_upper"
--> DETAIL: Key (upper(name::text), length(name::text))=(ANN, 3) already exists.
