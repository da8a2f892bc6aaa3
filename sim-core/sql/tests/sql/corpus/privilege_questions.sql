-- Questions about privileges whose role, object or privilege is computed.

create table t (a int, b int);
create role reader;
create role writer;
grant select on t to reader;
grant insert (a), update (a) on t to writer;
grant reader to writer
--> no rows

select p, has_table_privilege('reader', 't', p) _b, has_table_privilege('t', p) _c from unnest(array['select', ' INSERT ', 'DELETE', 'SELECT WITH GRANT OPTION']) p order by 1
--> {"p":" INSERT ","_b":false,"_c":true}
--> {"p":"DELETE","_b":false,"_c":true}
--> {"p":"SELECT WITH GRANT OPTION","_b":false,"_c":true}
--> {"p":"select","_b":true,"_c":true}

select p, has_any_column_privilege('writer', 't', p) from unnest(array['select', 'insert', 'update', 'references']) p order by 1
--> {"p":"insert","has_any_column_privilege":true}
--> {"p":"references","has_any_column_privilege":false}
--> {"p":"select","has_any_column_privilege":true}
--> {"p":"update","has_any_column_privilege":true}

select p, has_column_privilege('writer', 't', 'a', p) _b, has_column_privilege('writer', 't', 'b', p) _c from unnest(array['insert', 'update', 'references']) p order by 1
--> {"p":"insert","_b":true,"_c":false}
--> {"p":"references","_b":false,"_c":false}
--> {"p":"update","_b":true,"_c":false}

select r, p, has_table_privilege(r, 't'::regclass, p) _c from unnest(array['reader', 'writer']) r, unnest(array['select', 'insert']) p order by 1, 2
--> {"r":"reader","p":"insert","_c":false}
--> {"r":"reader","p":"select","_c":true}
--> {"r":"writer","p":"insert","_c":false}
--> {"r":"writer","p":"select","_c":true}

select has_table_privilege('t', p) from unnest(array['nonsense']) p
--> ERROR 22023: unrecognized privilege type: "nonsense"

select has_table_privilege('t', null) _a, has_table_privilege(null::regclass, 'select') _b, has_table_privilege(null::name, 't', 'select') _c, has_schema_privilege('public', null) _d, has_function_privilege('reader', null::oid, 'execute') _e, pg_has_role(null, 'usage') _f
--> {"_a":null,"_b":null,"_c":null,"_d":null,"_e":null,"_f":null}

select a.attname, has_column_privilege('writer', c.oid, a.attnum, 'insert') _b, has_column_privilege(c.oid, a.attnum, 'select') _c from pg_attribute a join pg_class c on c.oid = a.attrelid where c.relname = 't' and a.attnum > 0 order by 1
--> {"attname":"a","_b":true,"_c":true}
--> {"attname":"b","_b":false,"_c":true}

select p, has_schema_privilege('reader', 'public', p), has_sequence_privilege('reader', s::regclass, 'usage') from unnest(array['usage', 'create']) p, (values (null)) v(s) order by 1
--> {"p":"create","has_schema_privilege":false,"has_sequence_privilege":null}
--> {"p":"usage","has_schema_privilege":true,"has_sequence_privilege":null}

select p, pg_has_role('writer', 'reader', p) _b, pg_has_role('reader', 'writer', p) _c from unnest(array['usage', 'member']) p order by 1
--> {"p":"member","_b":true,"_c":false}
--> {"p":"usage","_b":true,"_c":false}

select m.rolname, r.rolname, pg_has_role(m.oid, r.oid, 'member') _c from pg_roles m, pg_roles r where m.rolname in ('reader', 'writer') and r.rolname in ('reader', 'writer') order by 1, 2
--> {"rolname":"reader","_c":true}
--> {"rolname":"writer","_c":false}
--> {"rolname":"reader","_c":true}
--> {"rolname":"writer","_c":true}

select pg_has_role('reader', 'writer', p) from unnest(array['nonsense']) p
--> ERROR 22023: unrecognized privilege type: "nonsense"

select has_database_privilege('reader', 'postgres', 'connect') _a, has_database_privilege('reader', 'postgres', 'create') _b, has_database_privilege('postgres', 'create, temp') _c, has_database_privilege('reader', 'postgres', 'temporary') _d
--> {"_a":true,"_b":false,"_c":true,"_d":true}

select p, has_database_privilege('reader', 'postgres', p) from unnest(array['connect', 'create', 'temp']) p order by 1
--> {"p":"connect","has_database_privilege":true}
--> {"p":"create","has_database_privilege":false}
--> {"p":"temp","has_database_privilege":true}

select has_database_privilege('reader', 'nowhere', 'connect')
--> ERROR 3D000: database "nowhere" does not exist

select has_database_privilege('postgres', 'select')
--> ERROR 22023: unrecognized privilege type: "select"

select r, has_database_privilege(r, 'postgres', 'create') from unnest(array['reader', 'postgres']) r order by 1
--> {"r":"postgres","has_database_privilege":true}
--> {"r":"reader","has_database_privilege":false}

select has_language_privilege('reader', 'plpgsql', 'usage') _a, has_language_privilege('sql', 'usage') _b, has_type_privilege('reader', 'int4', 'usage') _c, has_tablespace_privilege('reader', 'pg_default', 'create') _d
--> {"_a":true,"_b":true,"_c":true,"_d":false}

select has_language_privilege('nothing', 'usage')
--> ERROR 42704: language "nothing" does not exist

select has_tablespace_privilege('nothing', 'create')
--> ERROR 42704: tablespace "nothing" does not exist

select has_server_privilege('nothing', 'usage')
--> ERROR 42704: server "nothing" does not exist

select has_foreign_data_wrapper_privilege('nothing', 'usage')
--> ERROR 42704: foreign-data wrapper "nothing" does not exist

create foreign data wrapper w;
create server s foreign data wrapper w
--> no rows

select has_server_privilege('s', 'usage') a, has_server_privilege('postgres', 's', 'usage') b, has_foreign_data_wrapper_privilege('w', 'usage') c
--> {"a":true,"b":true,"c":true}
