-- Parameters of type record.

create table item (id int primary key, name text, made date, price numeric(8, 2), tags text[]);
--> no rows

insert into item values (1, 'a', '2026-01-02', 1.5, '{x,y}'), (2, null, null, null, null);
--> no rows

create function as_json(r record) returns jsonb language plpgsql as $$ begin return to_jsonb(r); end $$;
--> no rows

select as_json(i) from item i order by id;
--> {"as_json":{"id":1,"made":"2026-01-02","name":"a","tags":["x","y"],"price":1.5}}
--> {"as_json":{"id":2,"made":null,"name":null,"tags":null,"price":null}}

select as_json(i.*) from item i order by id;
--> {"as_json":{"id":1,"made":"2026-01-02","name":"a","tags":["x","y"],"price":1.5}}
--> {"as_json":{"id":2,"made":null,"name":null,"tags":null,"price":null}}

select as_json(row(1, 'x', date '2026-01-02', null::int));
--> {"as_json":{"f1":1,"f2":"x","f3":"2026-01-02","f4":null}}

select as_json(v) from (values (1, 'x'), (2, 'y')) v (a, b);
--> {"as_json":{"a":1,"b":"x"}}
--> {"as_json":{"a":2,"b":"y"}}

select as_json(null);
--> {"as_json":null}

select as_json(n) from item i left join item n on n.id = i.id + 1 order by i.id;
--> {"as_json":{"id":2,"made":null,"name":null,"tags":null,"price":null}}
--> {"as_json":null}

create function as_text(r record) returns text language plpgsql as $$ begin return r::text; end $$;
--> no rows

select as_text(i) from item i order by id;
--> {"as_text":"(1,a,2026-01-02,1.50,\"{x,y}\")"}
--> {"as_text":"(2,,,,)"}

select as_text(row(1, 'a b', null));
--> {"as_text":"(1,\"a b\",)"}

create function is_absent(r record) returns boolean language plpgsql as $$ begin return r is null; end $$;
--> no rows

select is_absent(null), is_absent(row(null, null)), is_absent(row(1, null)), (select is_absent(i) from item i where id = 1);
--> {"is_absent":false}

create function field(r record) returns text language plpgsql as $$ begin return r.name || ' ' || coalesce(r.made::text, '?'); end $$;
--> no rows

select field(i) from item i order by id;
--> {"field":"a 2026-01-02"}
--> {"field":null}

select field(row(1, 2));
--> ERROR 42703: record "r" has no field "name"

create function twice(a record, b record) returns jsonb language plpgsql as $$ begin return jsonb_build_object('a', row_to_json(a), 'b', b); end $$;
--> no rows

select twice(i, row(i.id)) from item i order by id;
--> {"twice":{"a":{"id":1,"made":"2026-01-02","name":"a","tags":["x","y"],"price":1.5},"b":{"f1":1}}}
--> {"twice":{"a":{"id":2,"made":null,"name":null,"tags":null,"price":null},"b":{"f1":2}}}

create function pass_on(r record) returns jsonb language plpgsql as $$ begin return as_json(r); end $$;
--> no rows

select pass_on(i) from item i order by id;
--> {"pass_on":{"id":1,"made":"2026-01-02","name":"a","tags":["x","y"],"price":1.5}}
--> {"pass_on":{"id":2,"made":null,"name":null,"tags":null,"price":null}}

create function rows_of(r record) returns setof text language plpgsql as $$ begin return next r.id::text; return next r.name; end $$;
--> no rows

select rows_of(i) from item i where id = 1;
--> {"rows_of":"1"}
--> {"rows_of":"a"}

create table log (event text, new_row jsonb, old_row jsonb);
--> no rows

create function note(event text, new record, old record) returns void language plpgsql as $$
begin
  insert into log values (event, to_jsonb(new), to_jsonb(old));
end $$;
--> no rows

create function noted() returns trigger language plpgsql as $$ begin perform note(tg_op, new, old); return null; end $$;
--> no rows

create trigger noted after insert or update or delete on item for each row execute function noted();
--> no rows

insert into item (id, name) values (3, 'c');
--> no rows

update item set name = 'd', tags = '{z}' where id = 3;
--> no rows

delete from item where id = 3;
--> no rows

select * from log;
--> {"event":"INSERT","new_row":{"id":3,"made":null,"name":"c","tags":null,"price":null},"old_row":null}
--> {"event":"UPDATE","new_row":{"id":3,"made":null,"name":"d","tags":["z"],"price":null},"old_row":{"id":3,"made":null,"name":"c","tags":null,"price":null}}
--> {"event":"DELETE","new_row":null,"old_row":{"id":3,"made":null,"name":"d","tags":["z"],"price":null}}

do $$ declare r record; begin select * into r from item where id = 1; raise notice '%', as_json(r); end $$;
--> no rows

create function sql_json(r record) returns jsonb language sql as $$ select to_jsonb(r) $$;
--> ERROR 42P13: SQL functions cannot have arguments of type record

select sql_json(i) from item i where id = 1;
--> ERROR 42883: function sql_json(item) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

create domain positive as int check (value > 0);
--> no rows

create table priced (p positive, at timestamptz, b bytea, f float4, j jsonb, u uuid, t time, e interval);
--> no rows

insert into priced values (1, '2026-01-02 03:04:05+00', '\x01ff', 1.5, '{"a": [1]}', '00000000-0000-0000-0000-000000000001', '10:00', '1 day');
--> no rows

select as_json(p) from priced p;
--> ERROR 42883: function as_json(positive) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8

select as_text(p) from priced p;
--> ERROR 42883: function as_text(positive) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.
--> AT 8
