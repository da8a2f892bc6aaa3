-- Documents of the wrong kind, of which functions make rows.

create type ty as (a int, b text);
--> no rows

select * from jsonb_to_recordset('{"a":1}') as x(a int);
--> ERROR 22023: cannot call jsonb_to_recordset on a non-array

select * from jsonb_to_recordset('[1,{"a":2}]') as x(a int);
--> ERROR 22023: argument of jsonb_to_recordset must be an array of objects

select * from jsonb_to_recordset('[null]') as x(a int);
--> ERROR 22023: argument of jsonb_to_recordset must be an array of objects

select * from jsonb_to_recordset('[[1]]') as x(a int);
--> ERROR 22023: argument of jsonb_to_recordset must be an array of objects

select * from jsonb_to_recordset('[]') as x(a int);
--> no rows

select * from jsonb_to_recordset(null) as x(a int);
--> no rows

select * from jsonb_to_recordset('null') as x(a int);
--> ERROR 22023: cannot call jsonb_to_recordset on a non-array

select * from jsonb_to_recordset('"x"') as x(a int);
--> ERROR 22023: cannot call jsonb_to_recordset on a non-array

select * from json_to_recordset('{"a":1}') as x(a int);
--> ERROR 22023: cannot call json_to_recordset on an object

select * from json_to_recordset('5') as x(a int);
--> ERROR 22023: cannot call json_to_recordset on a scalar

select * from json_to_recordset(' [ {"a":1}, 5]') as x(a int);
--> ERROR 22023: argument of json_to_recordset must be an array of objects

select * from json_to_recordset(' [ {"a":1} , {"b":1}]') as x(a int);
--> {"a":1}
--> {"a":null}

select * from jsonb_to_record('[1]') as x(a int);
--> ERROR 22023: cannot call populate_composite on an array

select * from jsonb_to_record('5') as x(a int);
--> ERROR 22023: cannot call populate_composite on a scalar

select * from jsonb_to_record('null') as x(a int);
--> ERROR 22023: cannot call populate_composite on a scalar

select * from jsonb_to_record(null) as x(a int);
--> {"a":null}

select * from json_to_record('[{"a":1}]') as x(a int);
--> ERROR 22023: cannot call populate_composite on an array

select * from json_to_record('true') as x(a int);
--> ERROR 22023: cannot call populate_composite on a scalar

select * from json_populate_recordset(null::ty, '[1]');
--> ERROR 22023: argument of json_populate_recordset must be an array of objects

select * from jsonb_populate_recordset(null::ty, '{"a":"b"}');
--> ERROR 22023: cannot call jsonb_populate_recordset on a non-array

select * from jsonb_populate_recordset(null::ty, '{"a":"b"}'::jsonb);
--> ERROR 22023: cannot call jsonb_populate_recordset on a non-array

select jsonb_populate_recordset(null::ty, '[{"a":1},{"b":"q"}]'::jsonb);
--> {"jsonb_populate_recordset":"(1,)"}
--> {"jsonb_populate_recordset":"(,q)"}

select jsonb_populate_recordset(null::ty, '"q"'::jsonb);
--> ERROR 22023: cannot call jsonb_populate_recordset on a non-array

select jsonb_populate_record(null::ty, '"x"'::jsonb);
--> ERROR 22023: cannot call populate_composite on a scalar

select jsonb_populate_record(null::ty, '[]'::jsonb);
--> ERROR 22023: cannot call populate_composite on an array

select jsonb_populate_record(null::ty, null::jsonb);
--> {"jsonb_populate_record":null}

select jsonb_populate_record((1,'a')::ty, '{"b":"n"}'::jsonb);
--> {"jsonb_populate_record":"(1,n)"}

select (jsonb_populate_record(null::ty, '{"a":3}')).*;
--> {"a":3,"b":null}

create table t (id int, v jsonb); insert into t values (1, '[{"a":1},{"a":2}]'), (2, '{"a":7}');
--> no rows

select t.id, r.* from t, jsonb_to_recordset(v) as r(a int) where id = 1;
--> {"id":1,"a":1}
--> {"id":1,"a":2}

select t.id, r.* from t, jsonb_to_recordset(v) as r(a int);
--> ERROR 22023: cannot call jsonb_to_recordset on a non-array

select t.id, r.* from t, jsonb_to_record(v) as r(a int) where id = 2;
--> {"id":2,"a":7}

create function imp(p jsonb) returns int language plpgsql as $$ declare n int; begin insert into t select x.id, x.v from jsonb_to_recordset(p) as x(id int, v jsonb); get diagnostics n = row_count; return n; end $$; select imp('[{"id":5,"v":{"q":1}}]');
--> {"imp":1}

select imp('{"id":5}');
--> ERROR 22023: cannot call jsonb_to_recordset on a non-array
