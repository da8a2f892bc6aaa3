-- Rows as texts.

create type pair as (a int, b text);
--> no rows

create table item (id int primary key, title text, price numeric(10, 2), tags text[], at date);
--> no rows

create type outer_row as (p pair, n int, list pair[]);
--> no rows

create type state as enum ('new', 'done');
--> no rows

create type with_kinds as (s state, j jsonb, u uuid, t timestamptz, f boolean, d float8);
--> no rows

select '(1,"a b")'::pair;
--> {"pair":"(1,\"a b\")"}

select ('(1,"a b")'::pair).a, ('(1,"a b")'::pair).b;
--> {"a":1,"b":"a b"}

select '(1,)'::pair, ('(1,)'::pair).b is null;
--> {"pair":"(1,)","?column?":true}

select '(,)'::pair, '(,)'::pair is null;
--> {"pair":"(,)","?column?":true}

select '(1,"")'::pair, ('(1,"")'::pair).b = '';
--> {"pair":"(1,\"\")","?column?":true}

select '(1,"a""b")'::pair, ('(1,"a""b")'::pair).b;
--> {"pair":"(1,\"a\"\"b\")","b":"a\"b"}

select '(1,"a\"b\\c")'::pair, ('(1,"a\"b\\c")'::pair).b;
--> {"pair":"(1,\"a\"\"b\\\\c\")","b":"a\"b\\c"}

select '(1,a\,b)'::pair, ('(1,a\,b)'::pair).b;
--> {"pair":"(1,\"a,b\")","b":"a,b"}

select '( 1 , a b )'::pair, '[' || ('( 1 , a b )'::pair).b || ']';
--> {"pair":"(1,\" a b \")","?column?":"[ a b ]"}

select ' (1,x) '::pair;
--> {"pair":"(1,x)"}

select '(1,"a (b), c")'::pair;
--> {"pair":"(1,\"a (b), c\")"}

select '(1,null)'::pair, ('(1,null)'::pair).b is null;
--> {"pair":"(1,null)","?column?":false}

select '(1,NULL)'::pair;
--> {"pair":"(1,NULL)"}

select '1,a'::pair;
--> ERROR 22P02: malformed record literal: "1,a"
--> DETAIL: Missing left parenthesis.
--> AT 8

select '(1,a'::pair;
--> ERROR 22P02: malformed record literal: "(1,a"
--> DETAIL: Unexpected end of input.
--> AT 8

select '(1)'::pair;
--> ERROR 22P02: malformed record literal: "(1)"
--> DETAIL: Too few columns.
--> AT 8

select '(1,a,b)'::pair;
--> ERROR 22P02: malformed record literal: "(1,a,b)"
--> DETAIL: Too many columns.
--> AT 8

select '(x,a)'::pair;
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 8

select '(1,a) x'::pair;
--> ERROR 22P02: malformed record literal: "(1,a) x"
--> DETAIL: Junk after right parenthesis.
--> AT 8

select ''::pair;
--> ERROR 22P02: malformed record literal: ""
--> DETAIL: Missing left parenthesis.
--> AT 8

select '()'::pair;
--> ERROR 22P02: malformed record literal: "()"
--> DETAIL: Too few columns.
--> AT 8

select '(1,"a)'::pair;
--> ERROR 22P02: malformed record literal: "(1,"a)"
--> DETAIL: Unexpected end of input.
--> AT 8

select '(99999999999,a)'::pair;
--> ERROR 22003: value "99999999999" is out of range for type integer
--> AT 8

select '(1,"a b",9.5,"{x,y}",2024-01-02)'::item;
--> {"item":"(1,\"a b\",9.50,\"{x,y}\",2024-01-02)"}

select ('(1,"a b",9.5,"{x,y}",2024-01-02)'::item).*;
--> {"id":1,"title":"a b","price":"9.50","tags":["x","y"],"at":"2024-01-02"}

select ('(1,"a b",9.567,"{x,""y z""}",2024-01-02)'::item).tags[2];
--> {"tags":"y z"}

select '(1,"a b",,,)'::item;
--> {"item":"(1,\"a b\",,,)"}

select '(1,"a b")'::item;
--> ERROR 22P02: malformed record literal: "(1,"a b")"
--> DETAIL: Too few columns.
--> AT 8

select '(1,"a b",9.5,{x,y},2024-01-02)'::item;
--> ERROR 22P02: malformed array literal: "{x"
--> DETAIL: Unexpected end of input.
--> AT 8

select '(1,"a b",cheap,,)'::item;
--> ERROR 22P02: invalid input syntax for type numeric: "cheap"
--> AT 8

select '("(1,a)",2,"{""(1,x)"",""(2,y)""}")'::outer_row;
--> {"outer_row":"(\"(1,a)\",2,\"{\"\"(1,x)\"\",\"\"(2,y)\"\"}\")"}

select (('("(1,a)",2,"{""(1,x)"",""(2,y)""}")'::outer_row).p).b;
--> {"b":"a"}

select ('("(1,a)",2,"{""(1,x)"",""(2,y)""}")'::outer_row).list[2];
--> {"list":"(2,y)"}

select (('("(1,a)",2,"{""(1,x)"",""(2,y)""}")'::outer_row).list[2]).b;
--> {"b":"y"}

select '("(1,""a b"")",2,)'::outer_row;
--> {"outer_row":"(\"(1,\"\"a b\"\")\",2,)"}

select '{"(1,a)","(2,\"b c\")"}'::pair[];
--> {"pair":"{\"(1,a)\",\"(2,\\\"b c\\\")\"}"}

select unnest('{"(1,a)","(2,\"b c\")"}'::pair[]);
--> {"unnest":"(1,a)"}
--> {"unnest":"(2,\"b c\")"}

select * from unnest('{"(1,a)","(2,\"b c\")"}'::pair[]);
--> {"a":1,"b":"a"}
--> {"a":2,"b":"b c"}

select '{"(1,a)",NULL}'::pair[];
--> {"pair":"{\"(1,a)\",NULL}"}

select '(new,"{""k"": [1, 2]}",00000000-0000-0000-0000-000000000001,"2024-01-02 03:04:05+00",t,1.5)'::with_kinds;
--> {"with_kinds":"(new,\"{\"\"k\"\": [1, 2]}\",00000000-0000-0000-0000-000000000001,\"2024-01-02 03:04:05+00\",t,1.5)"}

select '(old,,,,,)'::with_kinds;
--> ERROR 22P02: invalid input value for enum state: "old"
--> AT 8

select '(new,"{k",,,,)'::with_kinds;
--> ERROR 22P02: invalid input syntax for type json
--> DETAIL: Token "k" is invalid.
--> AT 8

select '(new,,nothing,,,)'::with_kinds;
--> ERROR 22P02: invalid input syntax for type uuid: "nothing"
--> AT 8

select '(new,,,,maybe,)'::with_kinds;
--> ERROR 22P02: invalid input syntax for type boolean: "maybe"
--> AT 8

select ('(new,"{""k"": [1, 2]}",,,,)'::with_kinds).j -> 'k';
--> {"?column?":[1,2]}

select row(1, 'a b')::pair, row(1, null)::pair, row(null, null)::pair is null;
--> {"row":"(1,)","?column?":true}

select row(1, 'a b')::pair::text, row(1, 'a"b')::text, row('', ' ', null, 'x\y', '(', ',')::text;
--> {"row":"(\"\",\" \",,\"x\\\\y\",\"(\",\",\")"}

select (row(1, 'a b')::pair::text)::pair;
--> {"row":"(1,\"a b\")"}

select row(1, row(2, 'x y'))::text;
--> {"row":"(1,\"(2,\"\"x y\"\")\")"}

select row(array[1, 2], array['a b', null, ''])::text;
--> {"row":"(\"{1,2}\",\"{\"\"a b\"\",NULL,\"\"\"\"}\")"}

select row(true, 1.50, date '2024-01-02', '{"a": 1}'::jsonb, null::int)::text;
--> {"row":"(t,1.50,2024-01-02,\"{\"\"a\"\": 1}\",)"}

select cast('(1,b)' as pair) = row(1, 'b')::pair;
--> {"?column?":true}

select pair '(1,b)';
--> {"pair":"(1,b)"}

insert into item values (1, 'one', 1, '{a}', '2024-01-01'), (2, 'two "q"', null, null, null);
--> no rows

select i from item i order by id;
--> {"i":"(1,one,1.00,{a},2024-01-01)"}
--> {"i":"(2,\"two \"\"q\"\"\",,,)"}

select i::text from item i order by id;
--> {"i":"(1,one,1.00,{a},2024-01-01)"}
--> {"i":"(2,\"two \"\"q\"\"\",,,)"}

select (i::text::item).title from item i order by id;
--> {"title":"one"}
--> {"title":"two \"q\""}

create table kept (id int, p pair, ps pair[]);
--> no rows

insert into kept values (1, '(1,a)', '{"(2,b)","(3,)"}'), (2, row(5, 'x'), array[row(6, 'y')::pair]), (3, null, null);
--> no rows

select * from kept order by id;
--> {"id":1,"p":"(1,a)","ps":"{\"(2,b)\",\"(3,)\"}"}
--> {"id":2,"p":"(5,x)","ps":"{\"(6,y)\"}"}
--> {"id":3,"p":null,"ps":null}

update kept set p.b = 'changed' where id = 1;
--> no rows

update kept set p = '(7,"new value")' where id = 3;
--> no rows

select id, (p).a, (p).b, ps[1], (ps[2]).b from kept order by id;
--> {"id":1,"a":1,"b":null,"ps":"(2,b)"}
--> {"id":2,"a":5,"b":null,"ps":"(6,y)"}
--> {"id":3,"a":7,"b":null,"ps":null}

update kept set ps[2] = '(9,z)' where id = 1;
--> no rows

update kept set ps[2].b = 'deep' where id = 1;
--> no rows

select ps from kept where id = 1;
--> {"ps":"{\"(2,b)\",\"(9,deep)\"}"}

select to_jsonb(k) from kept k order by id;
--> {"to_jsonb":{"p":{"a":1,"b":"changed"},"id":1,"ps":[{"a":2,"b":"b"},{"a":9,"b":"deep"}]}}
--> {"to_jsonb":{"p":{"a":5,"b":"x"},"id":2,"ps":[{"a":6,"b":"y"}]}}
--> {"to_jsonb":{"p":{"a":7,"b":"new value"},"id":3,"ps":null}}

select row_to_json('(1,"a b")'::pair), to_json('(1,)'::pair);
--> {"row_to_json":{"a":1,"b":"a b"},"to_json":{"a":1,"b":null}}

select jsonb_populate_record(null::pair, '{"a": 4, "b": "json"}');
--> {"jsonb_populate_record":"(4,json)"}

select jsonb_populate_record('(1,base)'::pair, '{"a": 4}');
--> {"jsonb_populate_record":"(4,base)"}

select * from jsonb_populate_recordset(null::pair, '[{"a": 1, "b": "x"}, {"a": 2}]');
--> {"a":1,"b":"x"}
--> {"a":2,"b":null}

select * from json_to_record('{"a": 1, "p": "(3,t)"}') as x(a int, p pair);
--> {"a":1,"p":"(3,t)"}

select * from json_to_record('{"a": 1, "p": {"a": 3, "b": "t"}}') as x(a int, p pair);
--> {"a":1,"p":"(3,t)"}

do $$ declare p pair; q item%rowtype; r record; begin p := '(3,"in block")'; raise notice '% % %', p, p.a, p.b; q := '(4,t,1,,)'::item; raise notice '%', q; select * into r from item where id = 1; raise notice '%', r; p := row(8, 'row'); raise notice '%', p; p.b := null; raise notice '%', p; p := null; raise notice '% %', p, p is null; end $$;
--> no rows

do $$ declare p pair; begin p := '(x,y)'; end $$;
--> ERROR 22P02: invalid input syntax for type integer: "x"

do $$ declare p pair; begin p := 'nothing'; end $$;
--> ERROR 22P02: malformed record literal: "nothing"
--> DETAIL: Missing left parenthesis.

do $$ declare p pair; begin p := '(1,2,3)'; exception when invalid_text_representation then raise notice '% %', sqlstate, sqlerrm; end $$;
--> no rows

create function pair_of(t text) returns pair language sql as $$ select t::pair $$;
--> no rows

select pair_of('(1,a)'), (pair_of('(1,a)')).b;
--> {"pair_of":"(1,a)","b":"a"}

select pair_of('1');
--> ERROR 22P02: malformed record literal: "1"
--> DETAIL: Missing left parenthesis.

select * from pair_of('(2,"c d")');
--> {"a":2,"b":"c d"}

select p, count(*) from (values ('(1,a)'::pair), ('(1,a)'), ('(2,b)')) v(p) group by p order by p;
--> {"p":"(1,a)","count":2}
--> {"p":"(2,b)","count":1}

select '(1,b)'::pair < '(2,a)'::pair, '(1,a)'::pair = '(1,)'::pair, '(1,a)'::pair is distinct from '(1,a)'::pair;
--> {"?column?":false}

select max(x) from (values ('(1,a)'::pair), ('(3,c)')) v(x);
--> ERROR 42883: function max(pair) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select pg_typeof('(1,a)'::pair), pg_typeof(row(1, 2)), pg_typeof((select i from item i limit 1));
--> {"pg_typeof":"item"}

select '(1,a)'::record;
--> ERROR 0A000: input of anonymous composite types is not implemented
--> AT 8

select record '(1,a)';
--> ERROR 0A000: input of anonymous composite types is not implemented
--> AT 15

select case when true then '(1,a)' else '(2,b)'::pair end;
--> {"case":"(1,a)"}

select string_agg(p::text, ';' order by id) from kept;
--> {"string_agg":"(1,changed);(5,x);(7,\"new value\")"}

select format('%s %L', '(1,"a b")'::pair, '(1,"a b")'::pair);
--> {"format":"(1,\"a b\") '(1,\"a b\")'"}

select length('(1,"a b")'::pair::text), md5('(1,a)'::pair::text);
--> {"length":9,"md5":"d4003cc6a9e83808846664c712882b46"}
