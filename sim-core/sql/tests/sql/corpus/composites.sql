-- Rows as values: populated from JSON, expanded, collected, beside columns of the same name; sets among targets.

create table p (id int primary key, p text, tags text[]);
--> no rows

insert into p values (1, 'one', '{a,b}'), (2, 'two', null);
--> no rows

create type pair as (a int, b text);
--> no rows

create type nest as (id int, inside pair, many pair[]);
--> no rows

create function two(int) returns pair language sql immutable as $$ select $1, 'n' || $1 $$;
--> no rows

create function few(int) returns setof pair language sql as $$ select i, 'v' || i from generate_series(1, $1) i $$;
--> no rows

create function cols(int, out x int, out y text) language sql as $$ select $1 * 2, 'y' || $1 $$;
--> no rows

create function many(n int) returns table (k int, v text) language plpgsql as $$ begin for k in 1..n loop v := repeat('*', k); return next; end loop; end $$;
--> no rows

select row_to_json(p) as j from p order by id;
--> ERROR 42883: function row_to_json(text) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select row_to_json(p.*) as j, p.p as name from p order by id;
--> {"j":{"id":1,"p":"one","tags":["a","b"]},"name":"one"}
--> {"j":{"id":2,"p":"two","tags":null},"name":"two"}

select to_jsonb(t) as j from p t order by id;
--> {"j":{"p":"one","id":1,"tags":["a","b"]}}
--> {"j":{"p":"two","id":2,"tags":null}}

select json_agg(t order by t.id desc) as j from p t;
--> {"j":[{"id":2,"p":"two","tags":null},{"id":1,"p":"one","tags":["a","b"]}]}

select array_agg(row(1, 'x')) as r;
--> {"r":"{\"(1,x)\"}"}

select array_agg(t order by id) as rows from p t;
--> {"rows":"{\"(1,one,\\\"{a,b}\\\")\",\"(2,two,)\"}"}

select array_agg(two(id) order by id) as pairs from p;
--> {"pairs":"{\"(1,n1)\",\"(2,n2)\"}"}

select (array_agg(two(id) order by id))[2] as second from p;
--> {"second":"(2,n2)"}

select ((array_agg(two(id) order by id))[1]).b as b from p;
--> {"b":"n1"}

select two(3) as whole, (two(3)).a as a, (two(3)).b as b;
--> {"whole":"(3,n3)","a":3,"b":"n3"}

select (two(4)).*;
--> {"a":4,"b":"n4"}

select id, (two(id)).* from p order by id;
--> {"id":1,"a":1,"b":"n1"}
--> {"id":2,"a":2,"b":"n2"}

select (cols(5)).*, (cols(5)).x + 1 as more;
--> {"x":10,"y":"y5","more":11}

select cols(2) as c;
--> {"c":"(4,y2)"}

select few(2) as s;
--> {"s":"(1,v1)"}
--> {"s":"(2,v2)"}

select (few(2)).*;
--> {"a":1,"b":"v1"}
--> {"a":2,"b":"v2"}

select (few(3)).b as b;
--> {"b":"v1"}
--> {"b":"v2"}
--> {"b":"v3"}

select id, (few(id)).a as a from p order by 1, 2;
--> {"id":1,"a":1}
--> {"id":2,"a":1}
--> {"id":2,"a":2}

select many(2) as m;
--> {"m":"(,*)"}
--> {"m":"(,**)"}

select (many(3)).k as k, 1 as one;
--> {"k":null,"one":1}
--> {"k":null,"one":1}
--> {"k":null,"one":1}

select * from few(2) as s(x, y);
--> {"x":1,"y":"v1"}
--> {"x":2,"y":"v2"}

select s from few(2) as s;
--> {"s":"(1,v1)"}
--> {"s":"(2,v2)"}

select s.b, s is null as n from few(2) s;
--> {"b":"v1","n":false}
--> {"b":"v2","n":false}

select p.id, m.* from p, many(p.id) as m order by 1, 2;
--> {"id":1,"k":null,"v":"*"}
--> {"id":2,"k":null,"v":"*"}
--> {"id":2,"k":null,"v":"**"}

select p.id, m.v from p left join lateral many(p.id - 1) m on true order by 1;
--> {"id":1,"v":null}
--> {"id":2,"v":"*"}

select * from jsonb_populate_record(null::pair, '{"a": 1, "b": "x", "c": 9}');
--> {"a":1,"b":"x"}

select (jsonb_populate_record(null::pair, '{"a": "5"}')).*;
--> {"a":5,"b":null}

select (jsonb_populate_record(row(7, 'old')::pair, '{"b": "new"}')).a as a, (jsonb_populate_record(row(7, 'old')::pair, '{"b": "new"}')).b as b;
--> {"a":7,"b":"new"}

select jsonb_populate_record(null::pair, '{"a": 1}') as whole;
--> {"whole":"(1,)"}

select (jsonb_populate_record(t, '{"p": "changed"}')).* from p t where id = 1;
--> {"id":1,"p":"changed","tags":["a","b"]}

select * from json_populate_recordset(null::pair, '[{"a":1},{"a":2,"b":"z"}]') order by a;
--> {"a":1,"b":null}
--> {"a":2,"b":"z"}

select * from jsonb_to_recordset('[{"a":1,"b":{"c":2}},{"a":null}]') as x(a int, b jsonb);
--> {"a":1,"b":{"c":2}}
--> {"a":null,"b":null}

select * from json_to_record('{"a":"1","b":[1,2],"c":"2024-01-01"}') as x(a int, b int[], c date);
--> {"a":1,"b":[1,2],"c":"2024-01-01"}

insert into p select * from jsonb_populate_record(null::p, '{"id":3,"p":"three","tags":["x"]}') returning *;
--> {"id":3,"p":"three","tags":["x"]}

insert into p select (jsonb_populate_record(null::p, '{"id":4,"p":"four"}')).* returning id, p;
--> {"id":4,"p":"four"}

update p set (p, tags) = (select p, tags from jsonb_populate_record(null::p, '{"p":"again"}')) where id = 4 returning *;
--> {"id":4,"p":"again","tags":null}

select row(1, 'a', null)::text as t, row(1, 'a') = row(1, 'a') as eq, row(1, 2) < row(1, 3) as lt, row(null, 1) is null as n;
--> {"t":"(1,a,)","eq":true,"lt":true,"n":false}

select row(1, 'a b', '', null, 'q"q', true, 1.50, date '2024-01-01')::text as t;
--> {"t":"(1,\"a b\",\"\",,\"q\"\"q\",t,1.50,2024-01-01)"}

select (1, 'x')::pair as c, ((1, 'x')::pair).b as b, '(2,"y z")'::pair as lit, ('(3,)'::pair).b is null as n;
--> {"c":"(1,x)","b":"x","lit":"(2,\"y z\")","n":true}

select (n).inside.b as b, (n).many[1].a as a from (select row(1, row(2, 'in'), array[row(3, 'm')::pair])::nest as n) t;
--> {"b":"in","a":3}

select to_json(row(1, row(2, 'in'), array[row(3, 'm')::pair])::nest) as j;
--> {"j":{"id":1,"inside":{"a":2,"b":"in"},"many":[{"a":3,"b":"m"}]}}

select unnest(array[row(1, 'a'), row(2, 'b')]::pair[]) as u;
--> {"u":"(1,a)"}
--> {"u":"(2,b)"}

select (unnest(array[row(1, 'a'), row(2, 'b')]::pair[])).*;
--> {"a":1,"b":"a"}
--> {"a":2,"b":"b"}

select * from unnest(array[row(1, 'a'), row(2, 'b')]::pair[]) as u where a > 1;
--> {"a":2,"b":"b"}

select u.b from unnest(array[row(1, 'a'), row(2, 'b')]::pair[]) with ordinality as u(a, b, n) order by n desc;
--> {"b":"b"}
--> {"b":"a"}

select generate_series(1, 2) as a, generate_series(1, 3) as b;
--> {"a":1,"b":1}
--> {"a":2,"b":2}
--> {"a":null,"b":3}

select generate_series(1, 3) as n, 'x' as c order by 1 desc limit 2;
--> {"n":3,"c":"x"}
--> {"n":2,"c":"x"}

select id, unnest(tags) as tag from p order by id, tag;
--> {"id":1,"tag":"a"}
--> {"id":1,"tag":"b"}
--> {"id":3,"tag":"x"}

select id, jsonb_array_elements('[1,2]') as e from p where id = 1;
--> {"id":1,"e":1}
--> {"id":1,"e":2}

select jsonb_each('{"a":1,"b":2}') as kv;
--> {"kv":"(a,1)"}
--> {"kv":"(b,2)"}

select (jsonb_each('{"a":1,"b":2}')).key as k;
--> {"k":"a"}
--> {"k":"b"}

select key, value from p, jsonb_each(to_jsonb(p)) where id = 1 order by key;
--> ERROR 22023: cannot call jsonb_each on a non-object

select regexp_matches('a1b2', '[a-z]\d', 'g') as m;
--> {"m":["a1"]}
--> {"m":["b2"]}

select count(*) from (select generate_series(1, 5)) t;
--> {"count":5}

select p from p where p.p = 'one';
--> {"p":"one"}

select t::text as t from p t order by id limit 1;
--> {"t":"(1,one,\"{a,b}\")"}

select max(p.p) as m, count(p) as n, count(p.tags) as t from p;
--> {"m":"two","n":4,"t":2}

select coalesce(t, row(0, 'none', null)::p) as c from (select 1) x left join p t on t.id = 99;
--> {"c":"(0,none,)"}

create function first_tag(p) returns text language sql stable as $$ select $1.tags[1] $$;
--> no rows

select id, first_tag(p) as f, p.first_tag as computed from p order by id;
--> ERROR 42883: function first_tag(text) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 12

create function label(x p, prefix text default '#') returns text language sql as $$ select prefix || x.id || ':' || coalesce(x.p, '?') $$;
--> no rows

select label(p) as a, label(p, '!') as b, p.label as c from p order by id;
--> ERROR 42883: function label(text) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create function make(i int) returns p language plpgsql as $$ declare r p; begin r.id := i; r.p := 'made'; r.tags := array['t' || i]; return r; end $$;
--> no rows

select (make(9)).id as id, (make(9)).tags as tags, make(9) as whole;
--> {"id":9,"tags":["t9"],"whole":"(9,made,{t9})"}

insert into p select (make(10)).* returning id, p, tags;
--> {"id":10,"p":"made","tags":["t10"]}

create function swap(inout a pair, inout b pair) language plpgsql as $$ declare t pair; begin t := a; a := b; b := t; end $$;
--> no rows

select * from swap(row(1, 'l'), row(2, 'r'));
--> {"a":"(2,r)","b":"(1,l)"}

select ((swap(row(1, 'l'), row(2, 'r'))).a).b as b;
--> {"b":"r"}

create table holder (id int, v pair, vs pair[]);
--> no rows

insert into holder values (1, row(1, 'a'), array[row(2, 'b')::pair, row(3, 'c')::pair]), (2, null, '{}'), (3, row(null, null), null);
--> no rows

update holder set v.b = 'changed' where id = 1 returning v;
--> {"v":"(1,changed)"}

update holder set v = row((v).a + 1, 'whole') where id = 1 returning (v).*;
--> {"a":2,"b":"whole"}

select id from holder where v = row(2, 'whole')::pair;
--> {"id":1}

select h.id, u.a, u.b from holder h, unnest(h.vs) u order by 1, 2;
--> {"id":1,"a":2,"b":"b"}
--> {"id":1,"a":3,"b":"c"}

select distinct (v).b as b from holder order by 1 nulls last;
--> {"b":"whole"}
--> {"b":null}

create type spot as (x int, y int);
--> no rows

alter type spot add attribute z text, add attribute w int;
--> no rows

alter type spot add attribute z int;
--> ERROR 42701: column "z" of relation "spot" already exists

alter type spot rename attribute z to label;
--> no rows

alter type spot rename attribute nothing to other;
--> ERROR 42703: column "nothing" does not exist

alter type spot alter attribute w type numeric;
--> no rows

alter type spot drop attribute y;
--> no rows

alter type spot drop attribute y;
--> ERROR 42703: column "y" of relation "spot" does not exist

alter type spot drop attribute if exists y;
--> no rows

select (row(1, 'a', 2.5)::spot).*;
--> {"x":1,"label":"a","w":"2.5"}

create table spots (s spot);
--> no rows

alter type spot alter attribute w type int;
--> ERROR 0A000: cannot alter type "spot" because column "spots.s" uses it

alter type spot add attribute later int;
--> no rows

insert into spots values (row(1, 'b', 2, 3));
--> no rows

select (s).label, (s).later from spots;
--> {"label":"b","later":3}

create function joined(sep text, variadic parts text[] default '{}') returns text language sql as $$ select array_to_string(parts, sep) $$;
--> no rows

select joined('-') as a, joined('-', 'x', 'y') as b, joined('-', variadic array['z']) as c;
--> {"a":"","b":"x-y","c":"z"}

alter table spots add constraint one primary key (s);
--> no rows

create table clustered (id int primary key);
alter table clustered cluster on clustered_pkey;
--> no rows

alter table clustered cluster on nothing;
--> ERROR 42704: index "nothing" for table "clustered" does not exist

alter table clustered set without cluster;
--> no rows
