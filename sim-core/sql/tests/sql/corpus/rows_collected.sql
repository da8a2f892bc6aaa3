create type m as (cur text, amt numeric(10,2)); create type ol as (sku text, qty int, price m, tags text[]); create table o (id int generated always as identity, lines ol[]);
--> no rows

select pg_typeof(array(select r from jsonb_populate_recordset(null::ol, '[{"sku":"z"}]') r));
--> {"pg_typeof":"ol[]"}

select pg_typeof(array_agg(r)), pg_typeof((array_agg(r))[1]) from jsonb_populate_recordset(null::ol, '[{"sku":"z"}]') r;
--> {"pg_typeof":"ol"}

select array_agg(r) from jsonb_populate_recordset(null::ol, '[{"sku":"z","price":{"amt":2},"tags":["a"]}]') r;
--> {"array_agg":"{\"(z,,\\\"(,2.00)\\\",{a})\"}"}

select array_agg(r)::text from jsonb_populate_recordset(null::ol, '[{"sku":"z","price":{"amt":2},"tags":["a"]}]') r;
--> {"array_agg":"{\"(z,,\\\"(,2.00)\\\",{a})\"}"}

select to_json(array_agg(r)) from jsonb_populate_recordset(null::ol, '[{"sku":"z","price":{"amt":2},"tags":["a"]}]') r;
--> {"to_json":[{"sku":"z","qty":null,"price":{"cur":null,"amt":2},"tags":["a"]}]}

insert into o (lines) select array_agg(r) from jsonb_populate_recordset(null::ol, '[{"sku":"z","qty":1,"price":{"amt":2}}]') r returning lines;
--> {"lines":"{\"(z,1,\\\"(,2.00)\\\",)\"}"}

insert into o (lines) values (array(select r from jsonb_populate_recordset(null::ol, '[{"sku":"y","qty":1,"price":{"amt":2}}]') r)) returning lines;
--> {"lines":"{\"(y,1,\\\"(,2.00)\\\",)\"}"}

insert into o (lines) select array_agg(r) from (select row('x', 1, row('e', 1)::m, null)::ol as r) q returning lines;
--> {"lines":"{\"(x,1,\\\"(e,1.00)\\\",)\"}"}

insert into o (lines) select array_agg(row('w', 1, row('e', 1)::m, null)::ol) returning lines;
--> {"lines":"{\"(w,1,\\\"(e,1.00)\\\",)\"}"}

insert into o (lines) select array_agg(row('w', 1, row('e', 1)::m, null)) returning lines;
--> ERROR 42804: column "lines" is of type ol[] but expression is of type record[]
--> HINT: You will need to rewrite or cast the expression.
--> AT 30

insert into o (lines) select array_agg(q) from (select 'v' as sku, 1 as qty, row('e', 1)::m as price, '{}'::text[] as tags) q returning lines;
--> ERROR 42804: column "lines" is of type ol[] but expression is of type record[]
--> HINT: You will need to rewrite or cast the expression.
--> AT 30

insert into o (lines) select array_agg(q::ol) from (select 'v' as sku, 1 as qty, row('e', 1)::m as price, '{}'::text[] as tags) q returning lines;
--> {"lines":"{\"(v,1,\\\"(e,1.00)\\\",{})\"}"}

create table src (sku text, qty int, price m, tags text[]); insert into src values ('s', 1, row('e', 2), '{t}'); insert into o (lines) select array_agg(s::text::ol) from src s returning lines;
--> {"lines":"{\"(s,1,\\\"(e,2.00)\\\",{t})\"}"}

insert into o (lines) select array_agg(s) from unnest(array[row('w', 1, row('e', 1)::m, null)::ol]) s returning lines;
--> {"lines":"{\"(w,1,\\\"(e,1.00)\\\",)\"}"}

select array_agg(s) from src s;
--> {"array_agg":"{\"(s,1,\\\"(e,2.00)\\\",{t})\"}"}

select array(select s from src s), (array(select s from src s))[1].price;
--> {"array":"{\"(s,1,\\\"(e,2.00)\\\",{t})\"}","price":"(e,2.00)"}

update o set lines = (select array_agg(l order by l.qty desc) from unnest(lines) l) returning id, lines;
--> {"id":1,"lines":"{\"(z,1,\\\"(,2.00)\\\",)\"}"}
--> {"id":2,"lines":"{\"(y,1,\\\"(,2.00)\\\",)\"}"}
--> {"id":3,"lines":"{\"(x,1,\\\"(e,1.00)\\\",)\"}"}
--> {"id":4,"lines":"{\"(w,1,\\\"(e,1.00)\\\",)\"}"}
--> {"id":5,"lines":"{\"(v,1,\\\"(e,1.00)\\\",{})\"}"}
--> {"id":6,"lines":"{\"(s,1,\\\"(e,2.00)\\\",{t})\"}"}
--> {"id":7,"lines":"{\"(w,1,\\\"(e,1.00)\\\",)\"}"}

select id, l.sku, (l.price).amt from o, unnest(lines) l order by 1;
--> {"id":1,"sku":"z","amt":"2.00"}
--> {"id":2,"sku":"y","amt":"2.00"}
--> {"id":3,"sku":"x","amt":"1.00"}
--> {"id":4,"sku":"w","amt":"1.00"}
--> {"id":5,"sku":"v","amt":"1.00"}
--> {"id":6,"sku":"s","amt":"2.00"}
--> {"id":7,"sku":"w","amt":"1.00"}

select jsonb_agg(r) from jsonb_populate_recordset(null::ol, '[{"sku":"z","price":{"amt":2},"tags":["a"]}]') r;
--> {"jsonb_agg":[{"qty":null,"sku":"z","tags":["a"],"price":{"amt":2,"cur":null}}]}

create function add_lines(j jsonb) returns int language plpgsql as $$ declare ls ol[]; n int; begin select array_agg(r) into ls from jsonb_populate_recordset(null::ol, j) r; insert into o (lines) values (ls) returning id into n; ls := array(select r from jsonb_populate_recordset(null::ol, j) r where r.qty > 1); update o set lines = lines || ls where id = n; return n; end $$; select lines from o where id = add_lines('[{"sku":"z","qty":1},{"sku":"y","qty":2,"price":{"cur":"e","amt":1.5}}]');
--> no rows

select lines from o order by id desc limit 1;
--> {"lines":"{\"(z,1,,)\",\"(y,2,\\\"(e,1.50)\\\",)\",\"(y,2,\\\"(e,1.50)\\\",)\"}"}
