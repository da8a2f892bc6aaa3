create function nested(n int) returns jsonb language sql immutable as $$ select case when n <= 0 then '0'::jsonb else (select jsonb_agg(nested(n - 1)) from generate_series(1, 1)) end $$;
--> no rows

select nested(0) as a, nested(2) as b, nested(40) is null as c;
--> {"a":0,"b":[[0]],"c":false}

create function merged(a jsonb, b jsonb) returns jsonb language sql immutable as $$ select case when a is null then b when b is null then a when jsonb_typeof(a) <> 'object' or jsonb_typeof(b) <> 'object' then b else (select jsonb_object_agg(coalesce(ka, kb), case when va is null then vb when vb is null then va else merged(va, vb) end) from jsonb_each(a) as one (ka, va) full join jsonb_each(b) as two (kb, vb) on ka = kb) end $$;
--> no rows

select merged('{"a": {"x": 1}, "b": 1}', '{"a": {"y": 2}, "b": null, "c": []}') as v;
--> {"v":{"a":{"x":1,"y":2},"b":null,"c":[]}}

create function ancestors(n int) returns setof int language sql stable as $$ select n union all select a from ancestors(n / 2) a where n > 1 $$;
--> no rows

select a from ancestors(9) a;
--> {"a":9}
--> {"a":4}
--> {"a":2}
--> {"a":1}

create function even(n int) returns boolean language plpgsql as $$ begin return null; end $$; create function odd(n int) returns boolean language sql as $$ select case when n = 0 then false else even(n - 1) end $$;
--> no rows

create or replace function even(n int) returns boolean language sql as $$ select case when n = 0 then true else odd(n - 1) end $$;
--> no rows

select even(10) as a, odd(10) as b, odd(7) as c;
--> {"a":true,"b":false,"c":true}

create table noted (id text primary key, body text);
--> no rows

create procedure note_twice(a text) begin atomic insert into noted (id) values (a); update noted set body = 'at ' || a where id = a; end;
--> no rows

call note_twice('x');
--> no rows

create procedure note_and_drop(b text) language sql begin atomic insert into noted (id) values (b); delete from noted where id = b || 'x'; update noted set body = 'of ' || b where id = b; end;
--> no rows

call note_and_drop('y');
--> no rows

select * from noted order by id;
--> {"id":"x","body":"at x"}
--> {"id":"y","body":"of y"}

create function noted_as(b text) returns setof noted language sql begin atomic select * from noted where id = b; end;
--> no rows

select * from noted_as('y');
--> {"id":"y","body":"of y"}

create procedure doubled(a int, inout b int) language sql as $$ select a * 2 $$;
--> no rows

call doubled(4, null);
--> {"b":8}

create procedure doubled_and_noted(a int, out b int, out c text) language sql as $$ insert into noted values ('z'); select a * 2, 'x' $$;
--> no rows

call doubled_and_noted(4, null, null);
--> {"b":8,"c":"x"}

do $$ declare b int; c text; begin call doubled_and_noted(5, b, c); raise exception '% %', b, c; end $$;
--> ERROR 23505: duplicate key value violates unique constraint "noted_pkey"
--> DETAIL: Key (id)=(z) already exists.

create procedure noted_row(a text, out b text) language sql as $$ insert into noted values (a, 'q') returning body $$;
--> no rows

call noted_row('w', null);
--> {"b":"q"}

create procedure nothing_noted(a text) language sql as $$ delete from noted where id = a $$;
--> no rows

call nothing_noted('w');
--> no rows
