-- Rows of JSON documents: absent members, rows before, arrays, rows within rows, domains.

create type addr as (street text, zip int);
create domain pos as int check (value > 0);
create domain nn as text not null;
create table t(id int default 5, name text not null default 'd', a addr, tags text[], ads addr[], p pos, j jsonb, js json, n numeric(6,2), c char(3), v varchar(3), ts timestamptz, b bool, d date, m int[][]);
--> no rows

select * from json_populate_record(null::t, '{"id":1}');
--> {"id":1,"name":null,"a":null,"tags":null,"ads":null,"p":null,"j":null,"js":null,"n":null,"c":null,"v":null,"ts":null,"b":null,"d":null,"m":null}

select * from json_populate_record(null::t, '{}');
--> {"id":null,"name":null,"a":null,"tags":null,"ads":null,"p":null,"j":null,"js":null,"n":null,"c":null,"v":null,"ts":null,"b":null,"d":null,"m":null}

select * from json_populate_record(null::t, null);
--> {"id":null,"name":null,"a":null,"tags":null,"ads":null,"p":null,"j":null,"js":null,"n":null,"c":null,"v":null,"ts":null,"b":null,"d":null,"m":null}

select json_populate_record(null::t, null);
--> {"json_populate_record":null}

select json_populate_record(null::t, '{}');
--> {"json_populate_record":"(,,,,,,,,,,,,,,)"}

select json_populate_record(null::addr, '{"street":"x"}');
--> {"json_populate_record":"(x,)"}

select json_populate_record(row('a',1)::addr, '{"street":"x"}');
--> {"json_populate_record":"(x,1)"}

select json_populate_record(row('a',1)::addr, '{"street":null}');
--> {"json_populate_record":"(,1)"}

select json_populate_record(row('a',1)::addr, null);
--> {"json_populate_record":"(a,1)"}

select json_populate_record(row('a',1)::addr, '{}');
--> {"json_populate_record":"(a,1)"}

select jsonb_populate_record(row('a',1)::addr, '{"zip":"7","other":1}');
--> {"jsonb_populate_record":"(a,7)"}

select * from jsonb_populate_record(row('a',1)::addr, '{"zip":null}');
--> {"street":"a","zip":null}

select p from json_populate_record(null::t, '{"p":-1}');
--> ERROR 23514: value for domain pos violates check constraint "pos_check"

select p from json_populate_record(null::t, '{"p":null}');
--> {"p":null}

select p from json_populate_record(null::t, '{"p":3}');
--> {"p":3}

select j, js from json_populate_record(null::t, '{"j":{"b":1, "a":[1, 2]},"js":{"b":1,  "a":[1, 2]}}');
--> {"j":{"a":[1,2],"b":1},"js":{"b":1,"a":[1,2]}}

select j, js from json_populate_record(null::t, '{"j":null,"js":null}');
--> {"j":null,"js":null}

select j, js from jsonb_populate_record(null::t, '{"j":"x","js":"y"}');
--> {"j":"x","js":"y"}

select n, c, v from json_populate_record(null::t, '{"n":1.239,"c":"a","v":"abc"}');
--> {"n":"1.24","c":"a  ","v":"abc"}

select v from json_populate_record(null::t, '{"v":"abcd"}');
--> ERROR 22001: value too long for type character varying(3)

select n from json_populate_record(null::t, '{"n":12345.6}');
--> ERROR 22003: numeric field overflow
--> DETAIL: A field with precision 6, scale 2 must round to an absolute value less than 10^4.

select c from json_populate_record(null::t, '{"c":"abcd"}');
--> ERROR 22001: value too long for type character(3)

select ts, b, d from json_populate_record(null::t, '{"ts":"2020-01-01T00:00:00Z","b":"yes","d":"2020-02-03"}');
--> {"ts":"2020-01-01 00:00:00+00","b":true,"d":"2020-02-03"}

select b from json_populate_record(null::t, '{"b":1}');
--> {"b":true}

select b from json_populate_record(null::t, '{"b":"maybe"}');
--> ERROR 22P02: invalid input syntax for type boolean: "maybe"

select id from json_populate_record(null::t, '{"id":"x"}');
--> ERROR 22P02: invalid input syntax for type integer: "x"

select id from json_populate_record(null::t, '{"id":1.5}');
--> ERROR 22P02: invalid input syntax for type integer: "1.5"

select id from json_populate_record(null::t, '{"id":true}');
--> ERROR 22P02: invalid input syntax for type integer: "true"

select id from json_populate_record(null::t, '{"id":[1]}');
--> ERROR 22P02: invalid input syntax for type integer: "[1]"

select name from json_populate_record(null::t, '{"name":[1, 2]}');
--> {"name":"[1, 2]"}

select name from json_populate_record(null::t, '{"name":{"a": 1}}');
--> {"name":"{\"a\": 1}"}

select name from jsonb_populate_record(null::t, '{"name":{"a":1}}');
--> {"name":"{\"a\": 1}"}

select tags from json_populate_record(null::t, '{"tags":"{a,b}"}');
--> {"tags":["a","b"]}

select tags from json_populate_record(null::t, '{"tags":"x"}');
--> ERROR 22P02: malformed array literal: "x"
--> DETAIL: Array value must start with "{" or dimension information.

select tags from json_populate_record(null::t, '{"tags":1}');
--> ERROR 22P02: expected JSON array
--> HINT: See the value of key "tags".

select tags from json_populate_record(null::t, '{"tags":{"a":1}}');
--> ERROR 22P02: expected JSON array
--> HINT: See the value of key "tags".

select tags from json_populate_record(null::t, '{"tags":[["a"],["b"]]}');
--> {"tags":[["a"],["b"]]}

select m from json_populate_record(null::t, '{"m":[[1,2],[3,4]]}');
--> {"m":[[1,2],[3,4]]}

select m from json_populate_record(null::t, '{"m":[[1,2],[3]]}');
--> ERROR 22P02: malformed JSON array
--> DETAIL: Multidimensional arrays must have sub-arrays with matching dimensions.

select m from json_populate_record(null::t, '{"m":[[1,2],3]}');
--> ERROR 22P02: expected JSON array
--> HINT: See the array element [1] of key "m".

select m from json_populate_record(null::t, '{"m":[1,[2]]}');
--> ERROR 22P02: invalid input syntax for type integer: "[2]"

select m from json_populate_record(null::t, '{"m":[]}');
--> {"m":[]}

select m from json_populate_record(null::t, '{"m":[[]]}');
--> {"m":[]}

select m from json_populate_record(null::t, '{"m":["x"]}');
--> ERROR 22P02: invalid input syntax for type integer: "x"

select m from json_populate_record(null::t, '{"m":[[1],["x"]]}');
--> ERROR 22P02: invalid input syntax for type integer: "x"

select a from json_populate_record(null::t, '{"a":"(x,1)"}');
--> {"a":"(x,1)"}

select a from json_populate_record(null::t, '{"a":"x"}');
--> ERROR 22P02: malformed record literal: "x"
--> DETAIL: Missing left parenthesis.

select a from json_populate_record(null::t, '{"a":[1,2]}');
--> ERROR 22023: cannot call populate_composite on an array

select a from json_populate_record(null::t, '{"a":1}');
--> ERROR 22023: cannot call populate_composite on a scalar

select a from json_populate_record(null::t, '{"a":{"zip":"x"}}');
--> ERROR 22P02: invalid input syntax for type integer: "x"

select ads from json_populate_record(null::t, '{"ads":[1]}');
--> ERROR 22023: cannot call populate_composite on a scalar

select ads from json_populate_record(null::t, '{"ads":[{"zip":"x"}]}');
--> ERROR 22P02: invalid input syntax for type integer: "x"

select * from json_populate_record(null::addr, '[1]');
--> ERROR 22023: cannot call populate_composite on an array

select * from json_populate_record(null::addr, '1');
--> ERROR 22023: cannot call populate_composite on a scalar

select * from jsonb_populate_record(null::addr, '[1]');
--> ERROR 22023: cannot call populate_composite on an array

select * from jsonb_populate_record(null::addr, '"x"');
--> ERROR 22023: cannot call populate_composite on a scalar

select * from json_populate_recordset(null::addr, '[{"street":"a","zip":1},{"zip":2},{},{"street":null}]');
--> {"street":"a","zip":1}
--> {"street":null,"zip":2}
--> {"street":null,"zip":null}
--> {"street":null,"zip":null}

select * from json_populate_recordset(row('q',9)::addr, '[{"street":"a","zip":1},{"zip":2},{},{"street":null}]');
--> {"street":"a","zip":1}
--> {"street":"q","zip":2}
--> {"street":"q","zip":9}
--> {"street":null,"zip":9}

select * from jsonb_populate_recordset(row('q',9)::addr, '[{"street":"a"},{"zip":2}]');
--> {"street":"a","zip":9}
--> {"street":"q","zip":2}

select * from jsonb_populate_recordset(null::addr, '[]');
--> no rows

select * from jsonb_populate_recordset(null::addr, null);
--> no rows

select * from json_populate_recordset(null::addr, '[1]');
--> ERROR 22023: argument of json_populate_recordset must be an array of objects

select * from json_populate_recordset(null::addr, '{"a":1}');
--> ERROR 22023: cannot call json_populate_recordset on an object

select * from jsonb_populate_recordset(null::addr, '{"a":1}');
--> ERROR 22023: cannot call jsonb_populate_recordset on a non-array

select * from jsonb_populate_recordset(null::addr, '[{"zip":1},2]');
--> ERROR 22023: argument of jsonb_populate_recordset must be an array of objects

select * from json_populate_recordset(null::addr, '1');
--> ERROR 22023: cannot call json_populate_recordset on a scalar

select json_populate_recordset(null::addr, '[{"zip":1},{"street":"x"}]');
--> {"json_populate_recordset":"(,1)"}
--> {"json_populate_recordset":"(x,)"}

select (json_populate_recordset(null::addr, '[{"zip":1},{"street":"x"}]')).*;
--> {"street":null,"zip":1}
--> {"street":"x","zip":null}

select * from json_to_record('{"a":1,"b":[1,2],"c":{"street":"x"},"d":null}') as x(a int, b int[], c addr, d text);
--> {"a":1,"b":[1,2],"c":"(x,)","d":null}

select * from json_to_record('{"a":1}') as x(a pos, b pos);
--> {"a":1,"b":null}

select * from json_to_record('{"a":-1}') as x(a pos);
--> ERROR 23514: value for domain pos violates check constraint "pos_check"

select * from json_to_record('{"a":1}') as x(a int, b nn);
--> ERROR 23502: domain nn does not allow null values

select * from json_to_record('{"b":null}') as x(a int, b nn);
--> ERROR 23502: domain nn does not allow null values

select * from json_to_record('{"b":"x"}') as x(a int, b nn);
--> {"a":null,"b":"x"}

select * from json_to_record(null) as x(a int);
--> {"a":null}

select * from json_to_record('{}') as x(a int);
--> {"a":null}

select * from json_to_record('[]') as x(a int);
--> ERROR 22023: cannot call populate_composite on an array

select * from jsonb_to_record('{"a":1.0,"b":"t","c":"2020-01-01","A":3}') as x(a numeric, b bool, c date, "A" int);
--> {"a":"1.0","b":true,"c":"2020-01-01","A":3}

select * from jsonb_to_recordset('[{"a":1,"b":"x"},{"b":"y"},{}]') as x(a int, b text);
--> {"a":1,"b":"x"}
--> {"a":null,"b":"y"}
--> {"a":null,"b":null}

select * from jsonb_to_recordset('[{"a":1,"b":"x"}]') as x(a int, b text) where a > 1;
--> no rows

select * from json_to_recordset('{"a":1}') as x(a int);
--> ERROR 22023: cannot call json_to_recordset on an object

select * from json_to_recordset('[1]') as x(a int);
--> ERROR 22023: argument of json_to_recordset must be an array of objects

select * from json_to_recordset(null) as x(a int);
--> no rows

select * from json_to_record('{"a":1}');
--> ERROR 42601: a column definition list is required for functions returning "record"
--> AT 15

select * from json_to_record('{"a":1,"a":2}') as x(a int);
--> {"a":2}

select * from jsonb_to_record('{"a":"x"}') as x(a int);
--> ERROR 22P02: invalid input syntax for type integer: "x"

select * from json_to_record('{"a":{"b":[1,2,{"c":3}]}}') as x(a json);
--> {"a":{"b":[1,2,{"c":3}]}}

select * from json_to_record('{"a":"\u00e9\n"}') as x(a text);
--> {"a":"é\n"}

select * from json_to_record('{"a":"12:00"}') as x(a time, b interval);
--> {"a":"12:00:00","b":null}

select * from json_to_record('{"a":99999999999}') as x(a int);
--> ERROR 22003: value "99999999999" is out of range for type integer

select * from json_to_record('{"a":"abc"}') as x(a varchar(2));
--> ERROR 22001: value too long for type character varying(2)

select * from json_to_record('{"a":["x","y"],"b":["2020-01-01"]}') as x(a varchar(1)[], b date[]);
--> {"a":["x","y"],"b":["2020-01-01"]}

select * from json_to_record('{"a":[-1]}') as x(a pos[]);
--> ERROR 23514: value for domain pos violates check constraint "pos_check"

select x.*, y.* from (values ('{"a":1}'::json),('{"a":2}')) v(j), json_to_record(v.j) as x(a int), json_populate_record(null::addr, '{"zip":3}') y;
--> {"a":1,"street":null,"zip":3}
--> {"a":2,"street":null,"zip":3}

insert into t select * from json_populate_record(null::t, '{"id":1}');
--> ERROR 23502: null value in column "name" of relation "t" violates not-null constraint
--> DETAIL: Failing row contains (1, null, null, null, null, null, null, null, null, null, null, null, null, null, null).

insert into t select * from json_populate_record(null::t, '{"id":1,"name":"x"}') returning id, name;
--> {"id":1,"name":"x"}

select (json_populate_record(t, '{"id":9}')).id, (json_populate_record(t, '{"id":9}')).name from t;
--> {"id":9,"name":"x"}

select * from t, jsonb_populate_record(t, '{"name":"zz"}') q;
--> {"id":1,"name":"zz","a":null,"tags":null,"ads":null,"p":null,"j":null,"js":null,"n":null,"c":null,"v":null,"ts":null,"b":null,"d":null,"m":null}

select * from json_populate_record(null, '{"id":1}');
--> ERROR 42804: could not determine polymorphic type because input has type unknown

select * from json_populate_record(null::int, '{"id":1}');
--> ERROR 42804: first argument of json_populate_record must be a row type

select * from json_populate_record(null::record, '{"id":1}') as x(id int);
--> {"id":1}

select * from json_populate_record(row(1,2), '{"f1":7}') as x(f1 int, f2 int);
--> {"f1":7,"f2":2}

select to_jsonb(json_populate_record(null::addr, '{"street":"x"}'));
--> {"to_jsonb":{"zip":null,"street":"x"}}

create domain addr_d as addr check ((value).zip > 0);
--> no rows

select json_populate_record(null::addr_d, '{"zip":1}');
--> {"json_populate_record":"(,1)"}

select json_populate_record(null::addr_d, '{"zip":-1}');
--> ERROR 23514: value for domain addr_d violates check constraint "addr_d_check"

select * from json_populate_record(row('x',2)::addr_d, '{"zip":3}');
--> {"street":"x","zip":3}

create type nest as (a addr, l addr[], d addr_d);
--> no rows

select json_populate_record(null::nest, '{"a":{"zip":1},"l":[{"zip":2}],"d":{"zip":3}}');
--> {"json_populate_record":"(\"(,1)\",\"{\"\"(,2)\"\"}\",\"(,3)\")"}

select json_populate_record(null::nest, '{"d":{"zip":-3}}');
--> ERROR 23514: value for domain addr_d violates check constraint "addr_d_check"

select json_populate_record(row(row('s',1),null,null)::nest, '{"a":{"zip":9}}');
--> {"json_populate_record":"(\"(s,9)\",,)"}
