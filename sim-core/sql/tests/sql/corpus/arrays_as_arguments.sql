-- Functions of arrays in defaults, views and checks.

create table a1(d text default array_to_string(array['old'],','), e text default concat_ws(',', 'a', array['b']::text), f text default array_to_string('{a,b}'::text[], '-', 'x'), g text[] default array_append(array['x'], 'y'), h text default format('%s', array['a']), i jsonb default to_jsonb(array['a']), j text default array_to_string(array[1,2], ','), k text default array_to_json(array['q'])::text, l int default array_length(array['q'], 1), m text default concat('a', 1, array['z']), n text default array_to_string(string_to_array('a b', ' '), '+'));
--> no rows

insert into a1 default values returning *;
--> {"d":"old","e":"a,{b}","f":"a-b","g":["x","y"],"h":"{a}","i":["a"],"j":"1,2","k":"[\"q\"]","l":1,"m":"a1{z}","n":"a+b"}

select column_name, column_default from information_schema.columns where table_name = 'a1' order by 1;
--> {"column_name":"d","column_default":"array_to_string(ARRAY['old'::text], ','::text)"}
--> {"column_name":"e","column_default":"concat_ws(','::text, 'a', (ARRAY['b'::text])::text)"}
--> {"column_name":"f","column_default":"array_to_string('{a,b}'::text[], '-'::text, 'x'::text)"}
--> {"column_name":"g","column_default":"array_append(ARRAY['x'::text], 'y'::text)"}
--> {"column_name":"h","column_default":"format('%s'::text, ARRAY['a'::text])"}
--> {"column_name":"i","column_default":"to_jsonb(ARRAY['a'::text])"}
--> {"column_name":"j","column_default":"array_to_string(ARRAY[1, 2], ','::text)"}
--> {"column_name":"k","column_default":"(array_to_json(ARRAY['q'::text]))::text"}
--> {"column_name":"l","column_default":"array_length(ARRAY['q'::text], 1)"}
--> {"column_name":"m","column_default":"concat('a', 1, ARRAY['z'::text])"}
--> {"column_name":"n","column_default":"array_to_string(string_to_array('a b'::text, ' '::text), '+'::text)"}

create function fd(x text default array_to_string(array['m','n'],'+'), y text default concat(array['a'])) returns text language sql as $$ select x || y $$; select fd();
--> {"fd":"m+n{a}"}

create view vv as select array_to_string(array['a','b'], ',') as q, concat_ws('-', array['a'], 1) as r, format('%s %s', array['a'], 2) as f; select * from vv;
--> {"q":"a,b","r":"{a}-1","f":"{a} 2"}

select pg_get_viewdef('vv'::regclass);
--> {"pg_get_viewdef":" SELECT array_to_string(ARRAY['a'::text, 'b'::text], ','::text) AS q,\n    concat_ws('-'::text, ARRAY['a'::text], 1) AS r,\n    format('%s %s'::text, ARRAY['a'::text], 2) AS f;"}

create index ix on a1 (array_to_string(g, ','));
--> ERROR 42P17: functions in index expression must be marked IMMUTABLE

alter table a1 add constraint cc check (array_to_string(g, ',') <> 'zz' and concat(i) <> ''); select pg_get_constraintdef(oid) from pg_constraint where conname = 'cc';
--> {"pg_get_constraintdef":"CHECK (((array_to_string(g, ','::text) <> 'zz'::text) AND (concat(i) <> ''::text)))"}

insert into a1 default values returning d;
--> {"d":"old"}
