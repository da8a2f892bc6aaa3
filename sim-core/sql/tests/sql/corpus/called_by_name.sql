-- Functions by the names that tools and older code call them by.

select jsonb_exists('{"a":1}','a'), jsonb_exists_any('{"a":1}',array['b','a']), jsonb_exists_all('{"a":1}',array['b']);
--> {"jsonb_exists":true,"jsonb_exists_any":true,"jsonb_exists_all":false}

select jsonb_contains('{"a":1,"b":2}','{"a":1}'), jsonb_contained('{"a":1}','{"a":1,"b":2}');
--> {"jsonb_contains":true,"jsonb_contained":true}

select jsonb_object_field_text('{"a":1}','a'), jsonb_object_field('{"a":1}','a'), jsonb_array_element_text('[1,2]',1), jsonb_array_element('[1,2]',1);
--> {"jsonb_object_field_text":"1","jsonb_object_field":1,"jsonb_array_element_text":"2","jsonb_array_element":2}

select json_object_field_text('{"a":1}','a'), json_object_field('{"a":1}','a'), json_array_element_text('[1,2]',1), json_array_element('[1,2]',-1);
--> {"json_object_field_text":"1","json_object_field":1,"json_array_element_text":"2","json_array_element":2}

select jsonb_delete('{"a":1}'::jsonb,'a'), jsonb_delete_path('{"a":{"b":1}}','{a,b}'), jsonb_delete('[1,2]'::jsonb,0) as at, jsonb_concat('{"a":1}','{"b":2}');
--> {"jsonb_delete":{},"jsonb_delete_path":{"a":{}},"at":[2],"jsonb_concat":{"a":1,"b":2}}

select jsonb_exists(d, k) from (values ('{"a":1}'::jsonb, 'a'), ('{"a":1}', 'b')) v(d, k);
--> {"jsonb_exists":true}
--> {"jsonb_exists":false}

select "like"('abc','a%'), notlike('abc','b%'), textlike('abc','a%'), texticlike('ABC','a%'), textregexeq('abc','b'), texticregexne('ABC','b');
--> {"like":true,"notlike":true,"textlike":true,"texticlike":true,"textregexeq":true,"texticregexne":false}

select percentile_cont(0.5) within group (order by i) from (values (interval '1 hour'), (interval '2 hours')) v(i);
--> {"percentile_cont":"01:30:00"}

select percentile_cont(array[0.25,0.5,1]) within group (order by i) from (values (interval '1 hour'), (interval '2 hours'), (interval '1 day')) v(i);
--> {"percentile_cont":["01:30:00","02:00:00","1 day"]}

select percentile_cont(0.3) within group (order by i desc) from (values (interval '1 month'), (interval '3 months 2 days')) v(i);
--> {"percentile_cont":"3 mons -16 days -14:24:00"}

select string_agg(b, '\x2c'::bytea order by b) from (values ('\x61'::bytea), ('\x62'), (null)) v(b);
--> {"string_agg":{"type":"Buffer","data":[97,44,98]}}

select string_agg(b, null) from (values ('\x61'::bytea), ('\x62')) v(b);
--> {"string_agg":{"type":"Buffer","data":[97,98]}}

select max(t), min(t) from (values ('10:00+02'::timetz), ('09:30+00')) v(t);
--> {"max":"09:30:00+00","min":"10:00:00+02"}

select json_extract_path_text('{"a":{"b":1}}', variadic '{a}'::text[]);
--> {"json_extract_path_text":"{\"b\":1}"}

select jsonb_extract_path('{"a":{"b":1}}', variadic string_to_array('a,b',','));
--> {"jsonb_extract_path":1}

select concat(variadic string_to_array('a b',' ')), concat_ws(',', variadic string_to_array('a b',' ')), format('%s %I %L', variadic string_to_array('a B c',' '));
--> {"concat":"ab","concat_ws":"a,b","format":"a \"B\" 'c'"}

select concat_ws('-', variadic x), concat(variadic x), format('%1$s-%2$s', variadic x) from (values (array['a','b']), (array['c',null])) v(x);
--> {"concat_ws":"a-b","concat":"ab","format":"a-b"}
--> {"concat_ws":"c","concat":"c","format":"c-"}

select format('%2$s', variadic x) from (values (array['a'])) v(x);
--> ERROR 22023: too few arguments for format()

select format('%s %s', variadic x) from (values (array[1.5, 2])) v(x);
--> {"format":"1.5 2"}

select json_build_array(variadic array[1,2]), json_build_object(variadic array['a','b']), jsonb_build_object(variadic x), jsonb_build_array(variadic x) from (values (array['k','v'])) v(x);
--> {"json_build_array":[1,2],"json_build_object":{"a":"b"},"jsonb_build_object":{"k":"v"},"jsonb_build_array":["k","v"]}

select num_nulls(variadic x), num_nonnulls(variadic x) from (values (array[1,null,2]), ('{}'), (null)) v(x);
--> {"num_nulls":1,"num_nonnulls":2}
--> {"num_nulls":0,"num_nonnulls":0}
--> {"num_nulls":null,"num_nonnulls":null}

select concat(variadic 'a');
--> ERROR 42804: VARIADIC argument must be an array
--> AT 24

create type st as (a int, b text);
--> no rows

select jsonb_populate_recordset(null::st,'[{"a":1},{"b":"x"}]');
--> {"jsonb_populate_recordset":"(1,)"}
--> {"jsonb_populate_recordset":"(,x)"}

select json_populate_recordset(null::st,'[{"a":1}]');
--> {"json_populate_recordset":"(1,)"}

select (jsonb_populate_recordset(null::st,'[{"a":1,"b":"q"}]')).*;
--> {"a":1,"b":"q"}

select (json_populate_recordset(null::st, x)).a, 1 as one from (values ('[{"a":1,"b":"q"},{"a":5}]'::json), ('[]')) v(x);
--> {"a":1,"one":1}
--> {"a":5,"one":1}

select jsonb_populate_recordset(row(7, 'd')::st, x) from (values ('[{"a":1},{}]'::jsonb), (null)) v(x);
--> {"jsonb_populate_recordset":"(1,d)"}
--> {"jsonb_populate_recordset":"(7,d)"}

select 'a & b'::tsquery @> 'a'::tsquery as contains, 'a'::tsquery <@ 'a & b'::tsquery as contained, 'a'::tsquery @> 'a | b'::tsquery as reverse, '!a & c'::tsquery @> 'a'::tsquery as negated;
--> {"contains":true,"contained":true,"reverse":false,"negated":true}

select currval(null::regclass), nextval(null::regclass), setval(null::regclass, 1);
--> {"currval":null,"nextval":null,"setval":null}

select to_char(1e10::numeric,'9.99EEEE'), to_char(12345.678,'9.999EEEE'), to_char(0.00012::float8,'9.9EEEE'), to_char(-5,'9.9EEEE'), to_char(0,'9.99EEEE'), to_char(99.96,'9.9EEEE'), to_char(7,'9EEEE');
--> {"to_char":" 7e+00"}

select to_char(1,'9.9EEEE9');
--> ERROR 42601: "EEEE" must be the last pattern used
