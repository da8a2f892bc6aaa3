show lock_timeout;
--> {"lock_timeout":"0"}

show client_min_messages;
--> {"client_min_messages":"notice"}

select current_setting('work_mem'), current_setting('is_superuser'), current_setting('maintenance_work_mem');
--> {"current_setting":"64MB"}

set work_mem = '64MB'; show work_mem; reset work_mem; show work_mem;
--> {"work_mem":"4MB"}

set nosuch = 1;
--> ERROR 42704: unrecognized configuration parameter "nosuch"

set jit = 'perhaps';
--> ERROR 22023: parameter "jit" requires a Boolean value

set shared_buffers = '1GB';
--> ERROR 55P02: parameter "shared_buffers" cannot be changed without restarting the server

set server_version = '16';
--> ERROR 55P02: parameter "server_version" cannot be changed

set app.x = 'y'; show app.x;
--> {"app.x":"y"}

set work_mem = '-4';
--> ERROR 22023: -4 kB is outside the valid range for parameter "work_mem" (64 .. 2147483647)

set work_mem = '3 kB';
--> ERROR 22023: 3 kB is outside the valid range for parameter "work_mem" (64 .. 2147483647)

set work_mem = 'x';
--> ERROR 22023: invalid value for parameter "work_mem": "x"

set work_mem = '64 XB';
--> ERROR 22023: invalid value for parameter "work_mem": "64 XB"
--> HINT: Valid units for this parameter are "B", "kB", "MB", "GB", and "TB".

set lock_timeout = '1.5s'; show lock_timeout;
--> {"lock_timeout":"1500ms"}

set lock_timeout = '90min'; show lock_timeout; set lock_timeout = 0; show lock_timeout;
--> {"lock_timeout":"0"}

set client_min_messages = 'nosuch';
--> ERROR 22023: invalid value for parameter "client_min_messages": "nosuch"
--> HINT: Available values: debug5, debug4, debug3, debug2, debug1, log, notice, warning, error.

set default_transaction_isolation = 'serializable'; show default_transaction_isolation;
--> {"default_transaction_isolation":"serializable"}

set random_page_cost = 1.1; show random_page_cost;
--> {"random_page_cost":"1.1"}

set constraint_exclusion = true; show constraint_exclusion;
--> {"constraint_exclusion":"on"}

set enable_seqscan = 'yes'; show enable_seqscan;
--> {"enable_seqscan":"on"}

select set_config('work_mem', '8MB', false); select current_setting('work_mem');
--> {"current_setting":"8MB"}

select set_config('nosuch', '8MB', false);
--> ERROR 42704: unrecognized configuration parameter "nosuch"

select current_setting('nosuch');
--> ERROR 42704: unrecognized configuration parameter "nosuch"

select current_setting('nosuch', true);
--> {"current_setting":null}

select current_setting(name) = current_setting(upper(name)) from (values ('work_mem'), ('lock_timeout')) v(name);
--> {"?column?":true}
--> {"?column?":true}

set work_mem = '8MB'; select name, setting, unit, context, vartype, min_val, max_val, enumvals, boot_val, source from pg_settings where name in ('work_mem', 'constraint_exclusion', 'lock_timeout') order by 1;
--> {"name":"constraint_exclusion","setting":"partition","unit":null,"context":"user","vartype":"enum","min_val":null,"max_val":null,"enumvals":["partition","on","off"],"boot_val":"partition","source":"default"}
--> {"name":"lock_timeout","setting":"0","unit":"ms","context":"user","vartype":"integer","min_val":"0","max_val":"2147483647","enumvals":null,"boot_val":"0","source":"default"}
--> {"name":"work_mem","setting":"8192","unit":"kB","context":"user","vartype":"integer","min_val":"64","max_val":"2147483647","enumvals":null,"boot_val":"4096","source":"session"}

select jsonb_array_length('[]') > 0 or true, true or 1 / 0 = 1;
--> {"?column?":true}

do $$ declare c jsonb := '{}'; begin if c = '{}'::jsonb or jsonb_array_length(c) = 0 then perform 1; end if; end $$;
--> no rows

create table guarded (v text, check (v = 'x' or v::int > 0)); insert into guarded values ('x'), ('4');
--> no rows

insert into guarded values ('0');
--> ERROR 23514: new row for relation "guarded" violates check constraint "guarded_v_check"
--> DETAIL: Failing row contains (0).

select unnest(array[1, 2]) a, unnest(array['x', 'y', 'z']) b;
--> {"a":1,"b":"x"}
--> {"a":2,"b":"y"}
--> {"a":null,"b":"z"}

select generate_series(1, 3), generate_series(1, 2);
--> {"generate_series":1}
--> {"generate_series":2}
--> {"generate_series":null}

select id, unnest(a), unnest(b) from (values (1, array[1], array['a', 'b']), (2, array[2, 3], null)) t(id, a, b);
--> {"id":1,"unnest":"a"}
--> {"id":1,"unnest":"b"}
--> {"id":2,"unnest":null}
--> {"id":2,"unnest":null}

select (jsonb_each(j)).key, (jsonb_each(j)).value from (values ('{"a": 1, "b": 2}'::jsonb)) t(j);
--> {"key":"a","value":1}
--> {"key":"b","value":2}

create sequence counted; select last_value, is_called from counted;
--> {"last_value":1,"is_called":false}

select nextval('counted'); select last_value, is_called from counted;
--> {"last_value":1,"is_called":true}

create function strict_sql(p text) returns text language sql immutable strict as $$ select coalesce(p, 'none') $$; select strict_sql(null), strict_sql('a');
--> {"strict_sql":"a"}

create function strict_rows(p text, q int) returns table (a text, b int) language sql strict as $$ select coalesce(p, 'none'), q $$; select * from strict_rows(null, 1);
--> no rows

create table sized (b varchar(3), c char(2), d varchar(2)[]); select * from jsonb_populate_record(null::sized, '{"b": "abc", "c": "x", "d": ["ab"]}');
--> {"b":"abc","c":"x ","d":["ab"]}

select * from jsonb_populate_record(null::sized, '{"b": "abcd"}');
--> ERROR 22001: value too long for type character varying(3)

select * from jsonb_populate_record(null::sized, '{"c": "abcd"}');
--> ERROR 22001: value too long for type character(2)

select * from jsonb_populate_record(null::sized, '{"d": ["abcd"]}');
--> ERROR 22001: value too long for type character varying(2)

select * from jsonb_to_record('{"b": "abcd"}') as x(b varchar(3));
--> ERROR 22001: value too long for type character varying(3)

select information_schema.tables.table_name from information_schema.tables where information_schema.tables.table_name = 'sized';
--> {"table_name":"sized"}

select pg_catalog.pg_class.relname from pg_catalog.pg_class where pg_catalog.pg_class.relname = 'sized';
--> {"relname":"sized"}

select array['int', 'text', 'int4[]', 'timestamptz', 'decimal']::regtype[]::text, '{int,text}'::regtype[]::text;
--> {"array":"{integer,text,integer[],\"timestamp with time zone\",numeric}","text":"{integer,text}"}

select array_to_string(x::regtype[], ',') from (values (array['int', 'bool'])) v(x);
--> {"array_to_string":"integer,boolean"}

select t::regtype::text from (values ('int'), ('varchar')) v(t);
--> {"t":"integer"}
--> {"t":"character varying"}

select t::regtype from (values ('nosuch')) v(t);
--> ERROR 42704: type "nosuch" does not exist

select t::regclass::text from (values ('sized'), ('nosuch')) v(t);
--> ERROR 42P01: relation "nosuch" does not exist

select t::regrole from (values ('nosuch')) v(t);
--> ERROR 42704: role "nosuch" does not exist

create table numbered (id xid8 default pg_current_xact_id(), n int); insert into numbered (n) values (1), (2); select count(distinct id), min(pg_typeof(id)::text), bool_and(id::text::bigint > 0) from numbered;
--> {"count":1,"min":"xid8","bool_and":true}

select pg_column_size(1), pg_column_size(null::text), pg_column_size(now()), pg_column_size(true), pg_column_size(1.5::float8);
--> {"pg_column_size":8}

select pg_has_role(rolname, 'anon', 'usage') from pg_roles where rolname in ('anon', 'authenticated') order by rolname;
--> {"pg_has_role":true}
--> {"pg_has_role":false}

create function calls_nothing() returns int language sql as $$ select nofn() $$;
--> ERROR 42883: function nofn() does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 71

create function calls_nothing() returns int language sql as $$ select public.nofn(1) $$;
--> ERROR 42883: function public.nofn(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 71

set check_function_bodies = off; create function calls_later() returns int language sql as $$ select nofn() $$;
--> no rows

set xmloption = 'debug';
--> ERROR 22023: invalid value for parameter "xmloption": "debug"
--> HINT: Available values: content, document.

select a = 1 or (10 / (a - 1) > 0 and 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' <> '') as a from (values (1)) t(a);
--> {"a":true}

select a <> 1 and (10 / (a - 1) > 0 and 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' <> '') as a from (values (1)) t(a);
--> {"a":false}
