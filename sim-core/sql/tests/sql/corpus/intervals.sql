select '1.6 sec'::interval(0), interval '1.66 sec', interval(1) '1.66 sec', '-1.66 sec'::interval(1);
--> {"interval":"-00:00:01.7"}

select '1 year 2 mons 3 days 04:05:06.7'::interval year, '1 year 2 mons 3 days 04:05:06.7'::interval month, '1 year 2 mons 3 days 04:05:06.7'::interval year to month, '1 year 2 mons 3 days 04:05:06.7'::interval day;
--> {"interval":"1 year 2 mons 3 days"}

select '1 year 2 mons 3 days 04:05:06.7'::interval hour, '1 year 2 mons 3 days 04:05:06.7'::interval minute, '1 year 2 mons 3 days 04:05:06.7'::interval second, '1 year 2 mons 3 days 04:05:06.7'::interval day to minute;
--> {"interval":"1 year 2 mons 3 days 04:05:00"}

select interval '3' day, interval '1-2' year to month, interval '5' month, interval '1 2:03' day to hour, interval '7' hour, interval '1.5' second;
--> {"interval":"00:00:01.5"}

select '3'::interval day, '3'::interval minute, '90'::interval;
--> {"interval":"00:01:30"}

create table spans (a interval(0), b interval day to second(1), c interval, d interval year to month[]); insert into spans values ('1.6 sec', '1 day 1.66 sec', '1.66 sec', '{1 year 1 day}'); select a, b, c, d::text from spans;
--> {"a":"00:00:02","b":"1 day 00:00:01.7","c":"00:00:01.66","d":"{\"1 year\"}"}

select attname, format_type(atttypid, atttypmod) from pg_attribute where attrelid = 'spans'::regclass and attnum > 0 order by attnum;
--> {"attname":"a","format_type":"interval(0)"}
--> {"attname":"b","format_type":"interval day to second(1)"}
--> {"attname":"c","format_type":"interval"}
--> {"attname":"d","format_type":"interval year to month[]"}

select json_agg(t) from (values (1), (2)) t(id);
--> {"json_agg":[{"id":1},{"id":2}]}

select json_agg(array[id]), json_agg(id), json_agg(json_build_object('a', id)) from (values (1), (2)) t(id);
--> {"json_agg":[{"a":1},{"a":2}]}

select json_agg(a) from (values (1)) t(id) left join (values (2)) a(id) using (id);
--> {"json_agg":[null]}

create function defaulted(a date default null, b text default 'x', c numeric default '2.00', d boolean default true, e text[] default array['a']) returns int language sql set search_path = pg_catalog, public stable as $$ select 1 $$; select pg_get_functiondef('defaulted'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.defaulted(a date DEFAULT NULL::date, b text DEFAULT 'x'::text, c numeric DEFAULT 2.00, d boolean DEFAULT true, e text[] DEFAULT ARRAY['a'::text])\n RETURNS integer\n LANGUAGE sql\n STABLE\n SET search_path TO 'pg_catalog', 'public'\nAS $function$ select 1 $function$\n"}

select pg_get_function_arguments('defaulted'::regproc);
--> {"pg_get_function_arguments":"a date DEFAULT NULL::date, b text DEFAULT 'x'::text, c numeric DEFAULT 2.00, d boolean DEFAULT true, e text[] DEFAULT ARRAY['a'::text]"}

create function unset() returns int language sql set search_path to '' set statement_timeout = '5s' as $$ select 1 $$; select pg_get_functiondef('unset'::regproc);
--> {"pg_get_functiondef":"CREATE OR REPLACE FUNCTION public.unset()\n RETURNS integer\n LANGUAGE sql\n SET search_path TO ''\n SET statement_timeout TO '5s'\nAS $function$ select 1 $function$\n"}

create function wrong() returns int language sql set nosuch = 1 as $$ select 1 $$;
--> ERROR 42704: unrecognized configuration parameter "nosuch"

create table literals (a numeric(14,2) default '2.00', b int default '5', c boolean default 'true', d text[] default array['x'], e bigint default '5', f numeric default 3, g numeric default '3'); select attname, pg_get_expr(adbin, adrelid) from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum where adrelid = 'literals'::regclass order by attnum;
--> {"attname":"a","pg_get_expr":"2.00"}
--> {"attname":"b","pg_get_expr":"5"}
--> {"attname":"c","pg_get_expr":"true"}
--> {"attname":"d","pg_get_expr":"ARRAY['x'::text]"}
--> {"attname":"e","pg_get_expr":"'5'::bigint"}
--> {"attname":"f","pg_get_expr":"3"}
--> {"attname":"g","pg_get_expr":"'3'::numeric"}

create materialized view sized with (fillfactor = 70) as select 1 as a; create materialized view heaped using heap as select 1 as a with no data; create table heaped_too using heap as select 1 as a; select relname, relkind from pg_class where relname in ('sized', 'heaped', 'heaped_too') order by 1;
--> {"relname":"heaped","relkind":"m"}
--> {"relname":"heaped_too","relkind":"r"}
--> {"relname":"sized","relkind":"m"}
