create type money_amt as (cur text, amt numeric(10,2)); create type oline as (sku text, qty int, price money_amt, at timestamptz, tags text[]); create table ord (id int generated always as identity primary key, lines oline[] not null default '{}', head oline, j jsonb); insert into ord (lines, head, j) values (array[row('a', 2, row('eur', 3.5), '2024-01-01 10:00+00', '{x,y}')::oline, row('b', null, null, null, null)::oline], row('h', 1, row('usd', 1), '2024-02-02', '{}'), '[{"sku":"j","qty":3,"price":{"cur":"gbp","amt":1.239},"tags":["q"]},{"sku":"k"}]'), ('{}', null, null), (array[null, row('c', 5, row('eur', null), null, array[null]::text[])::oline], row(null, null, null, null, null), '[]');
--> no rows

select o.id, l.* from ord o, unnest(o.lines) l order by 1, 2;
--> {"id":1,"sku":"a","qty":2,"price":"(eur,3.50)","at":"2024-01-01 10:00:00+00","tags":["x","y"]}
--> {"id":1,"sku":"b","qty":null,"price":null,"at":null,"tags":null}
--> {"id":3,"sku":"c","qty":5,"price":"(eur,)","at":null,"tags":[null]}
--> {"id":3,"sku":null,"qty":null,"price":null,"at":null,"tags":null}

select o.id, l.sku, (l.price).amt * l.qty as total, l from ord o cross join lateral unnest(o.lines) with ordinality as l(sku, qty, price, at, tags, n) order by 1, n;
--> {"id":1,"sku":"a","total":"7.00","l":"(a,2,\"(eur,3.50)\",\"2024-01-01 10:00:00+00\",\"{x,y}\",1)"}
--> {"id":1,"sku":"b","total":null,"l":"(b,,,,,2)"}
--> {"id":3,"sku":null,"total":null,"l":"(,,,,,1)"}
--> {"id":3,"sku":"c","total":null,"l":"(c,5,\"(eur,)\",,{NULL},2)"}

select o.id, sum((l.price).amt * l.qty) as total, count(l), count(*), array_agg(l.sku order by l.sku desc nulls first) from ord o left join lateral unnest(o.lines) l on true group by o.id order by 1;
--> {"id":1,"total":"7.00","count":2,"array_agg":["b","a"]}
--> {"id":2,"total":null,"count":1,"array_agg":[null]}
--> {"id":3,"total":null,"count":2,"array_agg":[null,"c"]}

select id, lines[1].sku, (lines[1]).price, ((lines[1]).price).cur, lines[2], cardinality(lines), (lines)[1].tags[1] from ord order by id;
--> {"id":1,"sku":"a","price":"(eur,3.50)","cur":"eur","lines":"(b,,,,)","cardinality":2,"tags":"x"}
--> {"id":2,"sku":null,"price":null,"cur":null,"lines":null,"cardinality":0,"tags":null}
--> {"id":3,"sku":null,"price":null,"cur":null,"lines":"(c,5,\"(eur,)\",,{NULL})","cardinality":2,"tags":null}

select id, to_jsonb(lines), to_json(head), jsonb_build_object('l', lines, 'h', head) from ord order by id;
--> {"id":1,"to_jsonb":[{"at":"2024-01-01T10:00:00+00:00","qty":2,"sku":"a","tags":["x","y"],"price":{"amt":3.5,"cur":"eur"}},{"at":null,"qty":null,"sku":"b","tags":null,"price":null}],"to_json":{"sku":"h","qty":1,"price":{"cur":"usd","amt":1},"at":"2024-02-02T00:00:00+00:00","tags":[]},"jsonb_build_object":{"h":{"at":"2024-02-02T00:00:00+00:00","qty":1,"sku":"h","tags":[],"price":{"amt":1,"cur":"usd"}},"l":[{"at":"2024-01-01T10:00:00+00:00","qty":2,"sku":"a","tags":["x","y"],"price":{"amt":3.5,"cur":"eur"}},{"at":null,"qty":null,"sku":"b","tags":null,"price":null}]}}
--> {"id":2,"to_jsonb":[],"to_json":null,"jsonb_build_object":{"h":null,"l":[]}}
--> {"id":3,"to_jsonb":[null,{"at":null,"qty":5,"sku":"c","tags":[null],"price":{"amt":null,"cur":"eur"}}],"to_json":{"sku":null,"qty":null,"price":null,"at":null,"tags":null},"jsonb_build_object":{"h":{"at":null,"qty":null,"sku":null,"tags":null,"price":null},"l":[null,{"at":null,"qty":5,"sku":"c","tags":[null],"price":{"amt":null,"cur":"eur"}}]}}

select id, r.* from ord, lateral jsonb_populate_recordset(null::oline, j) r order by 1, 2;
--> {"id":1,"sku":"j","qty":3,"price":"(gbp,1.24)","at":null,"tags":["q"]}
--> {"id":1,"sku":"k","qty":null,"price":null,"at":null,"tags":null}

select id, array(select r from jsonb_populate_recordset(null::oline, j) r) from ord order by id;
--> {"id":1,"array":"{\"(j,3,\\\"(gbp,1.24)\\\",,{q})\",\"(k,,,,)\"}"}
--> {"id":2,"array":"{}"}
--> {"id":3,"array":"{}"}

insert into ord (lines) select array_agg(r) from jsonb_populate_recordset(null::oline, '[{"sku":"z","qty":1,"price":{"amt":2}}]') r returning lines;
--> {"lines":"{\"(z,1,\\\"(,2.00)\\\",,)\"}"}

update ord set lines = lines || row('n', 9, row('eur', 9), null, null)::oline where id = 2 returning lines, array_length(lines, 1);
--> {"lines":"{\"(n,9,\\\"(eur,9.00)\\\",,)\"}","array_length":1}

update ord set lines[1].qty = 77 where id = 1 returning (lines[1]).qty;
--> {"qty":77}

update ord set head.price.amt = 5.556 where id = 1 returning head;
--> {"head":"(h,1,\"(usd,5.56)\",\"2024-02-02 00:00:00+00\",{})"}

update ord set lines[2] = null, head = row('q', 1, null, null, null) where id = 1 returning lines, head;
--> {"lines":"{\"(a,77,\\\"(eur,3.50)\\\",\\\"2024-01-01 10:00:00+00\\\",\\\"{x,y}\\\")\",NULL}","head":"(q,1,,,)"}

select id, lines = (select lines from ord where id = 2), lines is null, head is null, head is not null, head = row(null, null, null, null, null)::oline from ord order by id;
--> {"id":1,"?column?":false}
--> {"id":2,"?column?":null}
--> {"id":3,"?column?":true}
--> {"id":4,"?column?":null}

create function total(ls oline[]) returns numeric language plpgsql immutable as $$ declare l oline; s numeric := 0; begin foreach l in array ls loop if l is null then continue; end if; s := s + coalesce(l.qty, 0) * coalesce((l.price).amt, 0); end loop; return s; end $$; select id, total(lines) from ord order by id;
--> {"id":1,"total":"269.50"}
--> {"id":2,"total":"81.00"}
--> {"id":3,"total":"0"}
--> {"id":4,"total":"2.00"}

create function mk(n int) returns oline[] language plpgsql as $$ declare r oline[] := '{}'; l oline; begin for i in 1..n loop l.sku := 's' || i; l.qty := i; l.price := row('eur', i * 1.5); l.tags := array_append(l.tags, 't' || i); r := r || l; end loop; r[1].qty := 100; r[2] := row('two', 2, null, null, null); return r; end $$; select mk(3);
--> {"mk":"{\"(s1,100,\\\"(eur,1.50)\\\",,{t1})\",\"(two,2,,,)\",\"(s3,3,\\\"(eur,4.50)\\\",,\\\"{t1,t2,t3}\\\")\"}"}

create function each_line(n int) returns setof oline language sql as $$ select (unnest(mk(n))).* $$; select * from each_line(2);
--> {"sku":"s1","qty":100,"price":"(eur,1.50)","at":null,"tags":["t1"]}
--> {"sku":"two","qty":2,"price":null,"at":null,"tags":null}

create function upd(inout l oline, out doubled numeric) language plpgsql as $$ begin l.qty := l.qty * 2; doubled := (l.price).amt * 2; end $$; select * from upd(row('a', 2, row('eur', 3), null, null)::oline);
--> {"l":"(a,4,\"(eur,3.00)\",,)","doubled":"6.00"}

select (upd(head)).* from ord where id = 1;
--> {"l":"(q,2,,,)","doubled":null}

select l.sku, count(*) over (partition by (l.price).cur), rank() over (order by (l.price).amt desc nulls last) from ord, unnest(lines) l where l.sku is not null order by 1;
--> {"sku":"a","count":3,"rank":2}
--> {"sku":"c","count":3,"rank":4}
--> {"sku":"n","count":3,"rank":1}
--> {"sku":"z","count":1,"rank":3}

select distinct on ((l.price).cur) (l.price).cur, l.sku from ord, unnest(lines) l order by 1, 2 desc;
--> {"cur":"eur","sku":"n"}
--> {"cur":null,"sku":null}

create domain pct as numeric check (value between 0 and 100); create type disc as (p pct, until date); create table offers (id int, d disc, ds disc[]); insert into offers values (1, row(10, '2024-01-01'), array[row(5, null)::disc]); insert into offers values (2, row(101, null), null);
--> ERROR 23514: value for domain pct violates check constraint "pct_check"

update offers set d.p = -1;
--> ERROR 42P01: relation "offers" does not exist
--> AT 8

select (d).p + 1, (ds[1]).p, d from offers;
--> ERROR 42P01: relation "offers" does not exist
--> AT 37

insert into offers select 3, jsonb_populate_record(null::disc, '{"p": 200}');
--> ERROR 42P01: relation "offers" does not exist
--> AT 13

select jsonb_populate_record(o, '{"id": 9, "d": {"p": 50}}') from offers o;
--> ERROR 42P01: relation "offers" does not exist
--> AT 67

select (jsonb_populate_record(o, '{"id": 9, "d": {"p": 50}}')).d.until from offers o;
--> ERROR 42P01: relation "offers" does not exist
--> AT 77

select * from json_to_record('{"a":{"cur":"x","amt":1.555},"b":[{"cur":"y"}],"c":"2024-01-01","d":null,"e":[[1,2],[3,4]]}') as r(a money_amt, b money_amt[], c date, d int, e int[][]);
--> {"a":"(x,1.56)","b":"{\"(y,)\"}","c":"2024-01-01","d":null,"e":[[1,2],[3,4]]}

select row(1, row('a', 1.234)::money_amt)::text, row('x,y', 'q"z', '', null, 'a b', E'\\')::text, array[row('a,b', 1)::money_amt]::text, row(array[1,2], '{"a":1}'::jsonb, true, '2024-01-01'::date)::text;
--> {"row":"(\"{1,2}\",\"{\"\"a\"\": 1}\",t,2024-01-01)","array":"{\"(\\\"a,b\\\",1.00)\"}"}

select '("a,b",1)'::money_amt, '(,)'::money_amt, '{"(a,1)","(\"b c\",2.5)",NULL}'::money_amt[], '(a,1'::money_amt;
--> ERROR 22P02: malformed record literal: "(a,1"
--> DETAIL: Unexpected end of input.
--> AT 97

select ('(a,1.239)'::money_amt).amt, (row('x', 2)::money_amt).cur, (select m from (select row('x', 2)::money_amt as m) q);
--> {"amt":"1.24","cur":"x","m":"(x,2.00)"}

select coalesce(head, row('none', 0, null, null, null)::oline) from ord order by id;
--> {"coalesce":"(q,1,,,)"}
--> {"coalesce":"(none,0,,,)"}
--> {"coalesce":"(,,,,)"}
--> {"coalesce":"(none,0,,,)"}

select case when head is null then row('c', 0, null, null, null)::oline else head end from ord order by id;
--> {"head":"(q,1,,,)"}
--> {"head":"(c,0,,,)"}
--> {"head":"(c,0,,,)"}
--> {"head":"(c,0,,,)"}

create view lv as select o.id, l.sku, l.price from ord o, unnest(o.lines) l; select * from lv where (price).cur = 'eur' order by 1, 2;
--> {"id":1,"sku":"a","price":"(eur,3.50)"}
--> {"id":2,"sku":"n","price":"(eur,9.00)"}
--> {"id":3,"sku":"c","price":"(eur,)"}

create index on ord (((head).sku)); select id from ord where (head).sku = 'q';
--> {"id":1}

create table kids (like offers including all); insert into kids select * from offers; select * from kids natural join offers;
--> ERROR 42P01: relation "offers" does not exist
--> AT 25

select array_agg(row(id, head)::text order by id) from ord;
--> {"array_agg":["(1,\"(q,1,,,)\")","(2,)","(3,\"(,,,,)\")","(4,)"]}

select max((l.price).amt) filter (where l.qty > 1), jsonb_object_agg(l.sku, l.price) filter (where l.sku is not null) from ord, unnest(lines) l;
--> {"max":"9.00","jsonb_object_agg":{"a":{"amt":3.5,"cur":"eur"},"c":{"amt":null,"cur":"eur"},"n":{"amt":9,"cur":"eur"},"z":{"amt":2,"cur":null}}}

select * from ord o where exists (select 1 from unnest(o.lines) l where l.tags @> '{x}' or l.sku = any('{n,z}')) order by id;
--> {"id":1,"lines":"{\"(a,77,\\\"(eur,3.50)\\\",\\\"2024-01-01 10:00:00+00\\\",\\\"{x,y}\\\")\",NULL}","head":"(q,1,,,)","j":[{"qty":3,"sku":"j","tags":["q"],"price":{"amt":1.239,"cur":"gbp"}},{"sku":"k"}]}
--> {"id":2,"lines":"{\"(n,9,\\\"(eur,9.00)\\\",,)\"}","head":null,"j":null}
--> {"id":4,"lines":"{\"(z,1,\\\"(,2.00)\\\",,)\"}","head":null,"j":null}

select id, (select jsonb_agg(jsonb_build_object('s', l.sku, 'q', l.qty) order by l.qty nulls last) from unnest(lines) l) from ord order by id;
--> {"id":1,"jsonb_agg":[{"q":77,"s":"a"},{"q":null,"s":null}]}
--> {"id":2,"jsonb_agg":[{"q":9,"s":"n"}]}
--> {"id":3,"jsonb_agg":[{"q":5,"s":"c"},{"q":null,"s":null}]}
--> {"id":4,"jsonb_agg":[{"q":1,"s":"z"}]}

with x as (update ord set lines = array(select row(l.sku, l.qty + 1, l.price, l.at, l.tags)::oline from unnest(lines) l where l.sku is not null) returning id, lines) select id, l.sku, l.qty from x, unnest(x.lines) l order by 1, 2;
--> {"id":1,"sku":"a","qty":78}
--> {"id":2,"sku":"n","qty":10}
--> {"id":3,"sku":"c","qty":6}
--> {"id":4,"sku":"z","qty":2}

select lines::text, head::text, lines::text::oline[] = lines from ord order by id;
--> {"lines":"{\"(a,78,\\\"(eur,3.50)\\\",\\\"2024-01-01 10:00:00+00\\\",\\\"{x,y}\\\")\"}","head":"(q,1,,,)","?column?":true}
--> {"lines":"{\"(n,10,\\\"(eur,9.00)\\\",,)\"}","head":null,"?column?":true}
--> {"lines":"{\"(c,6,\\\"(eur,)\\\",,{NULL})\"}","head":"(,,,,)","?column?":true}
--> {"lines":"{\"(z,2,\\\"(,2.00)\\\",,)\"}","head":null,"?column?":true}

select unnest(lines) from ord where id = 3;
--> {"unnest":"(c,6,\"(eur,)\",,{NULL})"}

select (unnest(lines)).sku from ord order by 1;
--> {"sku":"a"}
--> {"sku":"c"}
--> {"sku":"n"}
--> {"sku":"z"}

select id, array_to_string(lines, ';'), array_to_string(array(select (l).sku from unnest(lines) l), ',') from ord order by id;
--> {"id":1,"array_to_string":"a"}
--> {"id":2,"array_to_string":"n"}
--> {"id":3,"array_to_string":"c"}
--> {"id":4,"array_to_string":"z"}
