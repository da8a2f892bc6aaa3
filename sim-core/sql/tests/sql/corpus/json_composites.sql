create type addr as (street text, zip text); create table emp (id int, a addr, hist addr[]);
--> no rows

select * from jsonb_populate_record(null::emp, '{"id":7,"a":{"street":"p"}}');
--> {"id":7,"a":"(p,)","hist":null}

select * from jsonb_populate_record(null::emp, '{"id":7,"hist":[{"street":"p"},{"zip":"4"}]}');
--> {"id":7,"a":null,"hist":"{\"(p,)\",\"(,4)\"}"}

select * from jsonb_populate_record(row(1,row('s','z')::addr,null)::emp, '{"a":{"street":"p"}}');
--> {"id":1,"a":"(p,z)","hist":null}

select * from jsonb_populate_recordset(null::emp, '[{"id":7,"a":{"street":"p"}},{"id":8}]');
--> {"id":7,"a":"(p,)","hist":null}
--> {"id":8,"a":null,"hist":null}

select * from json_populate_record(null::emp, '{"id":7,"a":{"street":"p"}}');
--> {"id":7,"a":"(p,)","hist":null}

select * from json_populate_record(null::emp, '{"id":7,"a":"(q,r)"}');
--> {"id":7,"a":"(q,r)","hist":null}

select * from json_populate_record(null::emp, '{"id":7,"a":5}');
--> ERROR 22023: cannot call populate_composite on a scalar

select * from json_populate_record(null::emp, '{"id":7,"a":[5]}');
--> ERROR 22023: cannot call populate_composite on an array

select * from json_populate_record(null::emp, '{"id":7,"hist":"x"}');
--> ERROR 22P02: malformed array literal: "x"
--> DETAIL: Array value must start with "{" or dimension information.

select * from jsonb_to_record('{"id":7,"a":{"street":"p"}}') as x(id int, a addr);
--> {"id":7,"a":"(p,)"}

select * from jsonb_to_recordset('[{"id":7,"a":{"street":"p","zip":5}}]') as x(id int, a addr);
--> {"id":7,"a":"(p,5)"}

select * from json_to_recordset('[{"id":7,"a":{"street":"p","zip":5}, "h":[{"zip":4}]}]') as x(id int, a addr, h addr[]);
--> {"id":7,"a":"(p,5)","h":"{\"(,4)\"}"}

do $$ declare e emp; begin e := jsonb_populate_record(e, '{"id":7,"a":{"street":"p"}}'); raise notice '%', e; e := jsonb_populate_record(e, '{"a":{"zip":"9"}}'); raise notice '%', e; end $$;
--> no rows

select jsonb_populate_record(null::emp, '{"id":7,"a":{"street":"p"}}');
--> {"jsonb_populate_record":"(7,\"(p,)\",)"}

create domain pos as int check (value > 0); create type w as (p pos, n int[]);
--> no rows

select * from jsonb_populate_record(null::w, '{"p":3,"n":[[1,2],[3,4]]}');
--> {"p":3,"n":[[1,2],[3,4]]}

select * from jsonb_populate_record(null::w, '{"p":-3}');
--> ERROR 23514: value for domain pos violates check constraint "pos_check"

create type ww as (w w, k int); select * from jsonb_populate_record(null::ww, '{"w":{"p":3,"n":[1,2]},"k":"3"}');
--> {"w":"(3,\"{1,2}\")","k":3}

select * from jsonb_populate_record(row(1,row('s','z')::addr,'{"(a,b)"}')::emp, '{"hist":[{"street":"p"},null,"(x,y)"]}');
--> {"id":1,"a":"(s,z)","hist":"{\"(p,)\",NULL,\"(x,y)\"}"}

create type box3 as (name text, inner_ w, ws w[]);
--> no rows

select * from jsonb_populate_record(null::box3, '{"name":"n","inner_":{"p":2,"n":[1]},"ws":[{"p":3},{"n":[4,5]}]}');
--> {"name":"n","inner_":"(2,{1})","ws":"{\"(3,)\",\"(,\\\"{4,5}\\\")\"}"}

select jsonb_populate_record(row('o', row(1,'{1}')::w, null)::box3, '{"inner_":{"n":[7]}}');
--> {"jsonb_populate_record":"(o,\"(1,{7})\",)"}

select * from jsonb_to_recordset('[{"w":{"p":1}},{"w":null},{}]') as x(w w);
--> {"w":"(1,)"}
--> {"w":null}
--> {"w":null}

select * from json_populate_recordset(null::emp, '[{"hist":[]},{"hist":null},{"hist":"{}"}]');
--> {"id":null,"a":null,"hist":"{}"}
--> {"id":null,"a":null,"hist":null}
--> {"id":null,"a":null,"hist":"{}"}

select jsonb_populate_record(null::ww, '{"w":true}');
--> ERROR 22023: cannot call populate_composite on a scalar
