-- Sets of pairs of the extension hstore: input and output, operators, functions, rows and triggers.

select 'a=>1'::hstore;
--> ERROR 42704: type "hstore" does not exist
--> AT 16

create extension if not exists hstore with schema extensions;
--> no rows

create extension hstore;
--> ERROR 42710: extension "hstore" already exists

select extname, extversion, nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where extname = 'hstore';
--> {"extname":"hstore","extversion":"1.8","nspname":"extensions"}

select 'a=>1, "b c" => "x y", d=>null, e=>"null", f=>NULL'::hstore as a, ''::hstore as b, '  '::hstore as c, 'k=>""'::hstore as d, '""=>1'::hstore as e, 'bb=>2,a=>1,aa=>3,B=>4'::hstore as f;
--> {"a":"\"a\"=>\"1\", \"d\"=>NULL, \"e\"=>\"null\", \"f\"=>NULL, \"b c\"=>\"x y\"","b":"","c":"","d":"\"k\"=>\"\"","e":"\"\"=>\"1\"","f":"\"B\"=>\"4\", \"a\"=>\"1\", \"aa\"=>\"3\", \"bb\"=>\"2\""}

select '"a\"b"=>"c\\d"'::hstore as a, 'a\ b=>c\,d'::hstore as b, 'a=>b=c'::hstore as c, 'a=>1,'::hstore as d, 'a  =>  1'::hstore as e, 'ä=>ö, z=>1'::hstore as f, 'a=>nullx, b=>nUlL'::hstore as g, e'a=>"x\ny"'::hstore as h;
--> {"a":"\"a\\\"b\"=>\"c\\\\d\"","b":"\"a b\"=>\"c,d\"","c":"\"a\"=>\"b=c\"","d":"\"a\"=>\"1\"","e":"\"a\"=>\"1\"","f":"\"z\"=>\"1\", \"ä\"=>\"ö\"","g":"\"a\"=>\"nullx\", \"b\"=>NULL","h":"\"a\"=>\"x\ny\""}

select 'a=>1, a=>2, b=>3, a=>null'::hstore as a, 'a=>2, a=>1'::hstore as b;
--> {"a":"\"a\"=>\"1\", \"b\"=>\"3\"","b":"\"a\"=>\"2\""}

select 'a'::hstore;
--> ERROR XX000: Unexpected end of string
--> AT 8

select '=>1'::hstore;
--> ERROR XX000: Syntax error near "=" at position 0
--> AT 8

select 'a=>1 b=>2'::hstore;
--> ERROR XX000: Syntax error near "b" at position 5
--> AT 8

select 'a=1'::hstore;
--> ERROR XX000: Syntax error near "1" at position 2
--> AT 8

select 'a=>'::hstore;
--> ERROR XX000: Unexpected end of string
--> AT 8

select 'a=>"b'::hstore;
--> ERROR XX000: Unexpected end of string
--> AT 8

select '"a'::hstore;
--> ERROR XX000: Unexpected end of string
--> AT 8

select 'a=>1, =b'::hstore;
--> ERROR XX000: Syntax error near "=" at position 6
--> AT 8

select 'a b=>1'::hstore;
--> ERROR XX000: Syntax error near "b" at position 2
--> AT 8

select 'a=>1,,b=>2'::hstore as a;
--> {"a":"\"a\"=>\"1\", \",b\"=>\"2\""}

select 'a=>\'::hstore;
--> ERROR XX000: Unexpected end of string
--> AT 8

select h->'a' as a, h->'zz' as b, h->'n' as c, h->array['a','n','zz'] as d, h['a'] as e, h['n'] is null as f from (select 'a=>1, b=>2, n=>null'::hstore as h) t;
--> {"a":"1","b":null,"c":null,"d":["1",null,null],"e":"1","f":true}

select h ? 'a' as a, h ? 'n' as b, h ? 'q' as c, h ?& array['a','b'] as d, h ?& array['a','q'] as e, h ?| array['q','b'] as f, h ?| array['q','r'] as g, h ?& array[]::text[] as h, h ?| array[]::text[] as i, h ?& array['a',null] as j from (select 'a=>1, b=>2, n=>null'::hstore as h) t;
--> {"a":true,"b":true,"c":false,"d":true,"e":false,"f":true,"g":false,"h":true,"i":false,"j":true}

select 'a=>1, b=>2'::hstore @> 'a=>1'::hstore as a, 'a=>1, b=>2'::hstore @> 'a=>2' as b, 'a=>1'::hstore <@ 'a=>1, b=>2'::hstore as c, 'a=>null'::hstore @> 'a=>null' as d, 'a=>null'::hstore @> 'a=>1' as e, 'a=>1'::hstore @> 'a=>null' as f, 'a=>1'::hstore @> '' as g, ''::hstore <@ 'a=>1' as h;
--> {"a":true,"b":false,"c":true,"d":true,"e":false,"f":false,"g":true,"h":true}

select 'a=>1, b=>2'::hstore || 'b=>3, c=>4' as a, 'a=>1'::hstore || '' as b, ''::hstore || 'a=>1' as c, 'a=>1'::hstore || null as d, 'a=>1'::hstore || hstore('a', null) as e;
--> {"a":"\"a\"=>\"1\", \"b\"=>\"3\", \"c\"=>\"4\"","b":"\"a\"=>\"1\"","c":"\"a\"=>\"1\"","d":null,"e":"\"a\"=>NULL"}

select 'a=>1, b=>2, c=>3'::hstore - 'b'::text as a, 'a=>1, b=>2, c=>3'::hstore - array['a','c','z'] as b, 'a=>1, b=>2, c=>3'::hstore - 'a=>1, b=>9'::hstore as c, 'a=>1, b=>null'::hstore - 'b=>null'::hstore as d, 'a=>1'::hstore - 'zz'::text as e, 'a=>1'::hstore - null::text as f;
--> {"a":"\"a\"=>\"1\", \"c\"=>\"3\"","b":"\"b\"=>\"2\"","c":"\"b\"=>\"2\", \"c\"=>\"3\"","d":"\"a\"=>\"1\"","e":"\"a\"=>\"1\"","f":null}

select %% 'a=>1, b=>null'::hstore as a, %# 'a=>1, b=>null'::hstore as b, hstore_to_array('cc=>1, b=>2') as c, hstore_to_matrix('cc=>1, b=>2') as d, hstore_to_matrix('') as e, hstore_to_array('') as f;
--> {"a":["a","1","b",null],"b":[["a","1"],["b",null]],"c":["b","2","cc","1"],"d":[["b","2"],["cc","1"]],"e":[],"f":[]}

select hstore('a', 'b') as a, hstore('a', null) as b, hstore(null, 'b') as c, hstore('', '') as d, tconvert('x', 'y') as e, hstore('k', 5::text) as f;
--> {"a":"\"a\"=>\"b\"","b":"\"a\"=>NULL","c":null,"d":"\"\"=>\"\"","e":"\"x\"=>\"y\"","f":"\"k\"=>\"5\""}

select hstore(array['a','1','b',null]) as a, hstore(array[['a','1'],['b','2']]) as b, hstore(array['a','b'], array['1','2']) as c, hstore(array['a','b'], null) as d, hstore(null::text[]) as e, hstore(array[]::text[]) as f, hstore(array['a','a'], array['1','2']) as g, array['x','y']::hstore as h;
--> {"a":"\"a\"=>\"1\", \"b\"=>NULL","b":"\"a\"=>\"1\", \"b\"=>\"2\"","c":"\"a\"=>\"1\", \"b\"=>\"2\"","d":"\"a\"=>NULL, \"b\"=>NULL","e":null,"f":"","g":"\"a\"=>\"1\"","h":"\"x\"=>\"y\""}

select hstore(array['a','1','b']);
--> ERROR 2202E: array must have even number of elements

select hstore(array[['a','1','b'],['c','d','e']]);
--> ERROR 2202E: array must have two columns

select hstore(array['a',null], array['b','c']);
--> ERROR 22004: null value not allowed for hstore key

select hstore(array[null,'1']);
--> ERROR 22004: null value not allowed for hstore key

select hstore(array['a'], array['1','2']);
--> ERROR 2202E: arrays must have same bounds

select hstore(array[['a','b'],['c','d']], array['1','2']);
--> ERROR 2202E: wrong number of array subscripts

select akeys('b=>1, a=>2, cc=>null') as a, avals('b=>1, a=>2, cc=>null') as b, akeys('') as c, avals('') as d;
--> {"a":["a","b","cc"],"b":["2","1",null],"c":[],"d":[]}

select skeys('b=>1, a=>2, cc=>null');
--> {"skeys":"a"}
--> {"skeys":"b"}
--> {"skeys":"cc"}

select svals('b=>1, a=>2, cc=>null');
--> {"svals":"2"}
--> {"svals":"1"}
--> {"svals":null}

select key, value from each('b=>1, a=>2, cc=>null');
--> {"key":"a","value":"2"}
--> {"key":"b","value":"1"}
--> {"key":"cc","value":null}

select (each('b=>1, a=>2')).key;
--> {"key":"a"}
--> {"key":"b"}

select * from each(null::hstore);
--> no rows

select e.k, e.v, ordinality from each('b=>1, a=>2'::hstore) with ordinality as e(k, v, ordinality) order by ordinality desc;
--> {"k":"b","v":"1","ordinality":2}
--> {"k":"a","v":"2","ordinality":1}

select each('b=>1, a=>"x y"');
--> {"each":"(a,\"x y\")"}
--> {"each":"(b,1)"}

select key, count(*), min(value) as least from (values ('a=>1, b=>2'::hstore), ('b=>3'), ('c=>null')) t(h), each(h) group by key order by key;
--> {"key":"a","count":1,"least":"1"}
--> {"key":"b","count":2,"least":"2"}
--> {"key":"c","count":1,"least":null}

select exist('a=>null', 'a') as a, exist('a=>1', 'b') as b, defined('a=>null', 'a') as c, defined('a=>1', 'a') as d, defined('a=>1', 'b') as e, isexists('a=>1', 'a') as f, isdefined('a=>1', 'a') as g, fetchval('a=>1', 'a') as h;
--> {"a":true,"b":false,"c":false,"d":true,"e":false,"f":true,"g":true,"h":"1"}

select delete('a=>1, b=>2, c=>3', 'b') as a, delete('a=>1, b=>2, c=>3', array['a','b']) as b, delete('a=>1, b=>2, c=>3', 'a=>4, b=>2'::hstore) as c, hs_concat('a=>1', 'b=>2') as d, hs_contains('a=>1, b=>2', 'a=>1') as e, hs_contained('a=>1', 'a=>1, b=>2') as f;
--> {"a":"\"a\"=>\"1\", \"c\"=>\"3\"","b":"\"c\"=>\"3\"","c":"\"a\"=>\"1\", \"c\"=>\"3\"","d":"\"a\"=>\"1\", \"b\"=>\"2\"","e":true,"f":true}

select slice('a=>1, b=>2, c=>3', array['b','c','x']) as a, slice_array('a=>1, b=>2, c=>null', array['b','c','x', null]) as b, slice('a=>1', array[]::text[]) as c, slice('c=>1, a=>2', array['c', 'a', 'c']) as d;
--> {"a":"\"b\"=>\"2\", \"c\"=>\"3\"","b":["2",null,null,null],"c":"","d":"\"a\"=>\"2\", \"c\"=>\"1\""}

select hstore_to_json('a=>1, b=>null, "c d"=>"x\"y"') as a, hstore_to_jsonb('bb=>1, a=>true') as b, hstore_to_json('') as c, 'a=>1'::hstore::json as d, 'a=>1, n=>null'::hstore::jsonb as e, cast(hstore('a', 'b') as jsonb) ->> 'a' as f;
--> {"a":{"a":"1","b":null,"c d":"x\"y"},"b":{"a":"true","bb":"1"},"c":{},"d":{"a":"1"},"e":{"a":"1","n":null},"f":"b"}

select hstore_to_json_loose('"a key"=>1, b=>t, c=>null, d=>12345, e=>012345, f=>1.234, g=>2.345e+4, h=>f, i=>true, j=>-1, k=>1e10, l=>"1.", m=>" 1"') as a, hstore_to_jsonb_loose('b=>t, c=>null, d=>12345, e=>012345, f=>1.2340, g=>2.345e+4, h=>f, j=>-1, m=>abc') as b;
--> {"a":{"b":true,"c":null,"d":12345,"e":"012345","f":1.234,"g":23450,"h":false,"i":"true","j":-1,"k":10000000000,"l":"1.","m":" 1","a key":1},"b":{"b":true,"c":null,"d":12345,"e":"012345","f":1.234,"g":23450,"h":false,"j":-1,"m":"abc"}}

select to_jsonb('a=>1'::hstore) as a, to_json('a=>1, b=>null'::hstore) as b, jsonb_build_object('h', 'a=>1'::hstore) as c, row_to_json(t) as d, jsonb_set(to_jsonb(t), '{h,x}', '1') as e from (select 'x=>"y z"'::hstore as h) t;
--> {"a":{"a":"1"},"b":{"a":"1","b":null},"c":{"h":{"a":"1"}},"d":{"h":{"x":"y z"}},"e":{"h":{"x":1}}}

select to_jsonb(array['a=>1'::hstore, 'b=>2']) as a, array['a=>1'::hstore, 'b=>null'] as b, '{"a=>1","\"b\"=>\"2\""}'::hstore[] as c, array_agg(h) as d, (array['a=>1'::hstore])[1]->'a' as e from (values ('q=>1'::hstore)) t(h);
--> {"a":[{"a":"1"},{"b":"2"}],"b":"{\"\\\"a\\\"=>\\\"1\\\"\",\"\\\"b\\\"=>NULL\"}","c":"{\"\\\"a\\\"=>\\\"1\\\"\",\"\\\"b\\\"=>\\\"2\\\"\"}","d":"{\"\\\"q\\\"=>\\\"1\\\"\"}","e":"1"}

select 'a=>1'::hstore::text as a, ('b=>' || 2)::hstore as b, 'a=>1'::text::hstore as c, 'a=>1'::varchar::hstore -> 'a' as d, hstore('a=>7') as e, pg_typeof(hstore('a=>7')) as f, length('a=>1'::hstore::text) as g;
--> {"a":"\"a\"=>\"1\"","b":"\"b\"=>\"2\"","c":"\"a\"=>\"1\"","d":"1","e":"\"a\"=>\"7\"","f":"hstore","g":8}

select 'a=>1'::hstore = 'a=>1' as a, 'b=>2, a=>1'::hstore = 'a=>1, b=>2'::hstore as b, 'a=>1'::hstore <> 'a=>2' as c, 'a=>1'::hstore is distinct from null as d, 'a=>1'::hstore #<# 'b=>1' as e, 'a=>1'::hstore #>=# 'b=>1' as f, 'a=>1'::hstore in ('a=>1', 'b=>2') as g;
--> {"a":true,"b":true,"c":true,"d":true,"e":true,"f":false,"g":true}

select 'a=>1'::hstore < 'b=>1'::hstore;
--> ERROR 42883: operator does not exist: hstore < hstore
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 23

select h from (values ('b=>1'::hstore), (''), ('a=>2'), ('aa=>1'), ('a=>2, b=>1'), (null), ('a=>null'), ('a=>""'), ('a=>10')) t(h) order by h;
--> {"h":""}
--> {"h":"\"a\"=>\"\""}
--> {"h":"\"a\"=>NULL"}
--> {"h":"\"a\"=>\"10\""}
--> {"h":"\"a\"=>\"2\""}
--> {"h":"\"a\"=>\"2\", \"b\"=>\"1\""}
--> {"h":"\"aa\"=>\"1\""}
--> {"h":"\"b\"=>\"1\""}
--> {"h":null}

select h, count(*) from (values ('a=>1, b=>2'::hstore), ('b=>2, a=>1'), ('c=>1')) t(h) group by h order by h;
--> {"h":"\"a\"=>\"1\", \"b\"=>\"2\"","count":2}
--> {"h":"\"c\"=>\"1\"","count":1}

select distinct h from (values ('a=>1, b=>2'::hstore), ('b=>2, a=>1'), ('c=>1')) t(h) order by h desc;
--> {"h":"\"c\"=>\"1\""}
--> {"h":"\"a\"=>\"1\", \"b\"=>\"2\""}

create table item (id int primary key, name text, price numeric(8,2), made date, tags hstore default '' not null, ok bool, at timestamp, list int[]);
--> no rows

insert into item values (1, 'lamp', 9.5, '2024-01-02', 'color=>red, size=>L', true, '2024-01-02 03:04:05', '{1,2}'), (2, 'chair', null, null, 'color=>blue', false, null, null), (3, null, 1, null, '', null, null, '{}');
--> no rows

insert into item (id, tags) values (4, 'wrong');
--> ERROR XX000: Unexpected end of string
--> AT 40

insert into item (id, tags) values (4, hstore('n', null) || 'm=>1');
--> no rows

select id, tags->'color' as color, tags ? 'size' as sized from item where tags ? 'color' order by tags->'color';
--> {"id":2,"color":"blue","sized":false}
--> {"id":1,"color":"red","sized":true}

create index item_tags on item using gin (tags);
--> no rows

create index item_tags2 on item using gist (tags);
--> no rows

create index item_tags3 on item using btree (tags);
--> no rows

create index item_tags4 on item using hash (tags);
--> no rows

create index item_color on item ((tags->'color'));
--> no rows

create unique index item_tags_key on item (tags) where id > 100;
--> no rows

select indexdef from pg_indexes where tablename = 'item' and indexname like 'item_%' order by indexname;
--> {"indexdef":"CREATE INDEX item_color ON public.item USING btree (((tags -> 'color'::text)))"}
--> {"indexdef":"CREATE UNIQUE INDEX item_pkey ON public.item USING btree (id)"}
--> {"indexdef":"CREATE INDEX item_tags ON public.item USING gin (tags)"}
--> {"indexdef":"CREATE INDEX item_tags2 ON public.item USING gist (tags)"}
--> {"indexdef":"CREATE INDEX item_tags3 ON public.item USING btree (tags)"}
--> {"indexdef":"CREATE INDEX item_tags4 ON public.item USING hash (tags)"}
--> {"indexdef":"CREATE UNIQUE INDEX item_tags_key ON public.item USING btree (tags) WHERE (id > 100)"}

select id from item where tags @> 'color=>red' order by id;
--> {"id":1}

select id from item where tags ?| array['size', 'm'] order by id;
--> {"id":1}
--> {"id":4}

update item set tags = tags || 'sold=>yes' where id = 1 returning tags;
--> {"tags":"\"size\"=>\"L\", \"sold\"=>\"yes\", \"color\"=>\"red\""}

update item set tags['sold'] = 'no', tags['new'] = 'x' where id = 1 returning tags;
--> {"tags":"\"new\"=>\"x\", \"size\"=>\"L\", \"sold\"=>\"no\", \"color\"=>\"red\""}

update item set tags['n'] = null where id = 2 returning tags;
--> {"tags":"\"n\"=>NULL, \"color\"=>\"blue\""}

update item set tags[null] = 'x' where id = 2;
--> ERROR 22004: hstore subscript in assignment must not be null

update item set tags['a']['b'] = 'x' where id = 2;
--> ERROR 0A000: hstore allows only one subscript

select tags['a':'b'] from item;
--> ERROR 0A000: hstore allows only one subscript

select tags['a']['b'] from item;
--> ERROR 0A000: hstore allows only one subscript

select tags[1] from item where id = 1;
--> {"tags":null}

update item set tags = delete(tags, 'sold') - 'new'::text - 'n'::text where id < 3;
--> no rows

select hstore(i) from item i order by id;
--> {"hstore":"\"at\"=>\"2024-01-02 03:04:05\", \"id\"=>\"1\", \"ok\"=>\"t\", \"list\"=>\"{1,2}\", \"made\"=>\"2024-01-02\", \"name\"=>\"lamp\", \"tags\"=>\"\\\"size\\\"=>\\\"L\\\", \\\"color\\\"=>\\\"red\\\"\", \"price\"=>\"9.50\""}
--> {"hstore":"\"at\"=>NULL, \"id\"=>\"2\", \"ok\"=>\"f\", \"list\"=>NULL, \"made\"=>NULL, \"name\"=>\"chair\", \"tags\"=>\"\\\"color\\\"=>\\\"blue\\\"\", \"price\"=>NULL"}
--> {"hstore":"\"at\"=>NULL, \"id\"=>\"3\", \"ok\"=>NULL, \"list\"=>\"{}\", \"made\"=>NULL, \"name\"=>NULL, \"tags\"=>\"\", \"price\"=>\"1.00\""}
--> {"hstore":"\"at\"=>NULL, \"id\"=>\"4\", \"ok\"=>NULL, \"list\"=>NULL, \"made\"=>NULL, \"name\"=>NULL, \"tags\"=>\"\\\"m\\\"=>\\\"1\\\", \\\"n\\\"=>NULL\", \"price\"=>NULL"}

select hstore(i.*) -> array['id','name','price','ok','at','list'] from item i where id = 1;
--> {"?column?":["1","lamp","9.50","t","2024-01-02 03:04:05","{1,2}"]}

select hstore(row(1, 'x', null, true, '2024-01-01'::date, array[1,2])) as a, hstore(null::item) as b, akeys(hstore(row(1, 2))) as c;
--> {"a":"\"f1\"=>\"1\", \"f2\"=>\"x\", \"f3\"=>NULL, \"f4\"=>\"t\", \"f5\"=>\"2024-01-01\", \"f6\"=>\"{1,2}\"","b":"\"at\"=>NULL, \"id\"=>NULL, \"ok\"=>NULL, \"list\"=>NULL, \"made\"=>NULL, \"name\"=>NULL, \"tags\"=>NULL, \"price\"=>NULL","c":["f1","f2"]}

select hstore(s) from (select id, name as label, price * 2 as twice from item where id < 3) s order by id;
--> {"hstore":"\"id\"=>\"1\", \"label\"=>\"lamp\", \"twice\"=>\"19.00\""}
--> {"hstore":"\"id\"=>\"2\", \"label\"=>\"chair\", \"twice\"=>NULL"}

select i #= 'name=>desk, price=>3' from item i where id = 2;
--> {"?column?":"(2,desk,3.00,,\"\"\"color\"\"=>\"\"blue\"\"\",f,,)"}

select (i #= hstore('name', 'desk')).name, (i #= 'price=>"1.255"').price, (i #= 'list=>"{7,8}"').list from item i where id = 1;
--> {"name":"desk","price":"1.26","list":[7,8]}

select (populate_record(i, 'name=>x, ok=>f, zzz=>1')).* from item i where id = 1;
--> {"id":1,"name":"x","price":"9.50","made":"2024-01-02","tags":"\"size\"=>\"L\", \"color\"=>\"red\"","ok":false,"at":"2024-01-02 03:04:05","list":[1,2]}

select * from populate_record(null::item, 'id=>9, name=>y, tags=>"a=>1"');
--> {"id":9,"name":"y","price":null,"made":null,"tags":"\"a\"=>\"1\"","ok":null,"at":null,"list":null}

select (populate_record(null::item, 'id=>x')).id;
--> ERROR 22P02: invalid input syntax for type integer: "x"

select (populate_record(i, null)).name as a, (i #= '').name as b, (i #= hstore('name', null)).name as c from item i where id = 1;
--> {"a":"lamp","b":"lamp","c":null}

update item set (name, price) = (select r.name, r.price from populate_record(item, 'name=>stool, price=>2') r) where id = 2 returning id, name, price, made;
--> {"id":2,"name":"stool","price":"2.00","made":null}

create table log (id bigint generated always as identity, op text, changed hstore, before hstore);
--> no rows

create function note() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into log (op, changed, before) values (tg_op, hstore(new) - hstore(old), hstore(old.*) - array['tags', 'at', 'list']);
  elsif tg_op = 'INSERT' then
    insert into log (op, changed) values (tg_op, hstore(new.*));
    return new;
  else
    insert into log (op, before) select tg_op, hstore(array_agg(key), array_agg(value)) from each(hstore(old)) where value is not null;
  end if;
  return null;
end $$;
--> no rows

create trigger note after insert or update or delete on item for each row execute function note();
--> no rows

update item set name = 'sofa', price = 4.25 where id = 2;
--> no rows

insert into item (id, name) values (5, 'bed');
--> no rows

delete from item where id = 5;
--> no rows

select op, changed, before from log order by id;
--> {"op":"UPDATE","changed":"\"name\"=>\"sofa\", \"price\"=>\"4.25\"","before":"\"id\"=>\"2\", \"ok\"=>\"f\", \"made\"=>NULL, \"name\"=>\"stool\", \"price\"=>\"2.00\""}
--> {"op":"INSERT","changed":"\"at\"=>NULL, \"id\"=>\"5\", \"ok\"=>NULL, \"list\"=>NULL, \"made\"=>NULL, \"name\"=>\"bed\", \"tags\"=>\"\", \"price\"=>NULL","before":null}
--> {"op":"DELETE","changed":null,"before":"\"id\"=>\"5\", \"name\"=>\"bed\", \"tags\"=>\"\""}

create function stamp() returns trigger language plpgsql as $$
declare h hstore := hstore(new); k text; v text;
begin
  new := new #= hstore('name', upper(new.name));
  new := populate_record(new, hstore(array['ok', 't', 'at', '2024-05-06 07:08:09']));
  for k, v in select * from each(h) loop
    if k = 'price' and v is null then
      new := new #= hstore(k, '0.5');
    end if;
  end loop;
  h['seen'] := 'yes';
  h := h - 'list'::text;
  new.tags := new.tags || slice(h, array['seen', 'id']);
  if h -> 'id' = '6' then
    new.tags['six'] := 'true';
  end if;
  return new;
end $$;
--> no rows

create trigger stamp before insert on item for each row execute function stamp();
--> no rows

insert into item (id, name) values (6, 'shelf') returning name, price, ok, at, tags;
--> {"name":"SHELF","price":"0.50","ok":true,"at":"2024-05-06 07:08:09","tags":"\"id\"=>\"6\", \"six\"=>\"true\", \"seen\"=>\"yes\""}

create function describe(h hstore, variadic k text[]) returns text language sql immutable as $$ select string_agg(k || '=' || coalesce(h->k, '-'), ';') from unnest(k) k $$;
--> no rows

select describe('a=>1, b=>2', 'a', 'q') as a, describe(hstore('x', 'y'), 'x') as b;
--> {"a":"a=1;q=-","b":"x=y"}

create type pair as (n int, h hstore);
--> no rows

select (row(1, 'a=>1')::pair).h->'a' as a, row(1, 'a=>1')::pair::text as b, row_to_json(row(1, 'a=>1')::pair) as c;
--> {"a":"1","b":"(1,\"\"\"a\"\"=>\"\"1\"\"\")","c":{"n":1,"h":{"a":"1"}}}

select coalesce(null::hstore, 'a=>1') as a, case when true then 'b=>2'::hstore else '' end as b, nullif('a=>1'::hstore, 'a=>1') as c, greatest('a=>1'::hstore, 'b=>1') as d;
--> {"a":"\"a\"=>\"1\"","b":"\"b\"=>\"2\"","c":null,"d":"\"b\"=>\"1\""}

select hstore_eq('a=>1', 'a=>1') as a, hstore_ne('a=>1', 'a=>1') as b, hstore_lt('a=>1', 'a=>2') as c, hstore_cmp('a=>1', 'a=>2') as d, hstore_gt('b=>1', '') as e;
--> {"a":true,"b":false,"c":true,"d":-1,"e":true}

select hstore_hash('a=>1, b=>null') as a, hstore_hash('') as b;
--> {"a":1954216632,"b":-1524351049}

select format_type('hstore'::regtype, null) as a, typname, typcategory, typlen, typarray <> 0 as arr from pg_type where typname in ('hstore', '_hstore') order by typname;
--> {"a":"hstore","typname":"_hstore","typcategory":"A","typlen":-1,"arr":false}
--> {"a":"hstore","typname":"hstore","typcategory":"U","typlen":-1,"arr":true}

select column_name, data_type, udt_name, column_default from information_schema.columns where table_name = 'item' and column_name in ('tags', 'list') order by 1;
--> {"column_name":"list","data_type":"ARRAY","udt_name":"_int4","column_default":null}
--> {"column_name":"tags","data_type":"USER-DEFINED","udt_name":"hstore","column_default":"''::hstore"}

select opcname, amname, opcdefault from pg_opclass c join pg_am a on a.oid = opcmethod where opcintype = 'hstore'::regtype order by 1, 2;
--> {"opcname":"btree_hstore_ops","amname":"btree","opcdefault":true}
--> {"opcname":"gin_hstore_ops","amname":"gin","opcdefault":true}
--> {"opcname":"gist_hstore_ops","amname":"gist","opcdefault":true}
--> {"opcname":"hash_hstore_ops","amname":"hash","opcdefault":true}

select hstore(1);
--> ERROR 42883: function hstore(integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select 'a=>1'::hstore -> 1;
--> ERROR 42883: operator does not exist: hstore -> integer
--> HINT: No operator matches the given name and argument types. You might need to add explicit type casts.
--> AT 23

select 'a=>1'::hstore::int;
--> ERROR 42846: cannot cast type hstore to integer
--> AT 22

select sum(h) from (values ('a=>1'::hstore)) t(h);
--> ERROR 42883: function sum(hstore) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create domain attributes as hstore check (value ? 'id');
--> no rows

select 'id=>1, b=>2'::attributes -> 'b' as a, akeys('id=>1'::attributes) as b;
--> {"a":"2","b":["id"]}

select 'b=>1'::attributes;
--> ERROR 23514: value for domain attributes violates check constraint "attributes_check"

create table keyed (h hstore primary key, n int);
--> no rows

insert into keyed values ('a=>1, b=>2', 1), ('b=>2', 2);
--> no rows

insert into keyed values ('b=>2, a=>1', 3);
--> ERROR 23505: duplicate key value violates unique constraint "keyed_pkey"
--> DETAIL: Key (h)=("a"=>"1", "b"=>"2") already exists.

insert into keyed values ('b=>2, a=>1', 3) on conflict (h) do update set n = excluded.n returning h, n;
--> {"h":"\"a\"=>\"1\", \"b\"=>\"2\"","n":3}

grant execute on function akeys(hstore) to anon;
--> no rows

create view tagged as select id, akeys(tags) as keys, tags -> 'color' as color from item where tags ?& array['color'] or hstore_to_array(tags) @> array['n'];
--> no rows

select * from tagged order by id;
--> {"id":1,"keys":["size","color"],"color":"red"}
--> {"id":2,"keys":["color"],"color":"blue"}
--> {"id":4,"keys":["m","n"],"color":null}

drop extension hstore cascade;
--> no rows

select column_name from information_schema.columns where table_name in ('item', 'keyed', 'log') order by table_name, ordinal_position;
--> {"column_name":"id"}
--> {"column_name":"name"}
--> {"column_name":"price"}
--> {"column_name":"made"}
--> {"column_name":"ok"}
--> {"column_name":"at"}
--> {"column_name":"list"}
--> {"column_name":"n"}
--> {"column_name":"id"}
--> {"column_name":"op"}

select 'a=>1'::hstore;
--> ERROR 42704: type "hstore" does not exist
--> AT 16
