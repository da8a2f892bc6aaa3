-- Functions and procedures in PL/pgSQL.

create function inc(i int) returns int language plpgsql immutable as $$ begin return i + 1; end $$;
--> no rows

select inc(1) as a, inc(inc(5)) as b;
--> {"a":2,"b":7}

select inc(x) as a from generate_series(1, 3) as x where inc(x) > 2 order by inc(x) desc;
--> {"a":4}
--> {"a":3}

select * from inc(4);
--> {"inc":5}

create function fact(n int) returns numeric language plpgsql as $$ begin if n <= 1 then return 1; else return n * fact(n - 1); end if; end $$;
--> no rows

select fact(5) as a, fact(20) as b;
--> {"a":"120","b":"2432902008176640000"}

create table item (id int primary key, name text, price numeric, tags text[], at timestamptz);
--> no rows

insert into item values (1, 'pen', 1.50, '{a,b}', '2024-01-01'), (2, 'ink', 4.25, '{c}', '2024-02-01'), (3, 'pad', null, null, null);
--> no rows

create function total() returns numeric language plpgsql stable as $$
declare
  result numeric := 0;
  r record;
begin
  for r in select * from item order by id loop
    result := result + coalesce(r.price, 10);
  end loop;
  return result;
end $$;
--> no rows

select total() as a;
--> {"a":"15.75"}

create function name_of(wanted int) returns text language plpgsql as $$
declare n item.name%type;
begin
  select name into n from item where id = wanted;
  if not found then return 'none'; end if;
  return n;
end $$;
--> no rows

select name_of(1) as a, name_of(9) as b;
--> {"a":"pen","b":"none"}

create function strictly(wanted int) returns item language plpgsql as $$
declare r item%rowtype;
begin
  select * into strict r from item where id >= wanted;
  return r;
end $$;
--> no rows

select * from strictly(3);
--> {"id":3,"name":"pad","price":null,"tags":null,"at":null}

select strictly(1);
--> ERROR P0003: query returned more than one row
--> HINT: Make sure the query returns a single row, or use LIMIT 1.

select strictly(9);
--> ERROR P0002: query returned no rows

select (strictly(3)).name as a;
--> {"a":"pad"}

create function levels() returns setof text language plpgsql as $$
begin
  return next 'low';
  return next 'high';
  return query select name from item order by id;
  return;
end $$;
--> no rows

select * from levels();
--> {"levels":"low"}
--> {"levels":"high"}
--> {"levels":"pen"}
--> {"levels":"ink"}
--> {"levels":"pad"}

select levels() as a;
--> {"a":"low"}
--> {"a":"high"}
--> {"a":"pen"}
--> {"a":"ink"}
--> {"a":"pad"}

create function priced(lowest numeric, out id int, out label text) returns setof record language plpgsql as $$
begin
  for id, label in select i.id, upper(i.name) from item i where price >= lowest order by 1 loop
    return next;
  end loop;
end $$;
--> no rows

select * from priced(1);
--> {"id":1,"label":"PEN"}
--> {"id":2,"label":"INK"}

create function pairs(n int) returns table (a int, b text) language plpgsql as $$
begin
  return query select g, repeat('x', g) from generate_series(1, n) g;
end $$;
--> no rows

select * from pairs(2) as p order by a desc;
--> {"a":2,"b":"xx"}
--> {"a":1,"b":"x"}

select i.id, p.b from item i, pairs(i.id) p where p.a = i.id order by i.id;
--> {"id":1,"b":"x"}
--> {"id":2,"b":"xx"}
--> {"id":3,"b":"xxx"}

create function twofold(a int, out twice int, out half numeric) language plpgsql as $$ begin twice := a * 2; half := a / 2.0; end $$;
--> no rows

select * from twofold(5);
--> {"twice":10,"half":"2.5000000000000000"}

select twofold(5);
--> {"twofold":"(10,2.5000000000000000)"}

create function kinds(x int) returns text language plpgsql as $$
begin
  case x
    when 1, 2 then return 'few';
    when 3 then return 'three';
    else return 'many';
  end case;
end $$;
--> no rows

select kinds(1) as a, kinds(2) as b, kinds(3) as c, kinds(4) as d;
--> {"a":"few","b":"few","c":"three","d":"many"}

create function searched(x int) returns text language plpgsql as $$ begin case when x > 0 then return 'pos'; when x < 0 then return 'neg'; end case; end $$;
--> no rows

select searched(1) as a, searched(-1) as b;
--> {"a":"pos","b":"neg"}

select searched(0);
--> ERROR 20000: case not found
--> HINT: CASE statement is missing ELSE part.

create function loops() returns int[] language plpgsql as $$
declare
  out int[] := '{}';
  i int := 0;
begin
  loop
    i := i + 1;
    continue when i = 2;
    exit when i > 4;
    out := out || i;
  end loop;
  while i > 0 loop i := i - 2; out := array_append(out, i); end loop;
  for k in 1..3 loop out := out || k * 10; end loop;
  for k in reverse 9..1 by 4 loop out := out || k * 100; end loop;
  <<outer>>
  for a in 1..3 loop
    for b in 1..3 loop
      continue outer when b = 2;
      out := out || a * 1000 + b;
    end loop;
  end loop;
  return out;
end $$;
--> no rows

select loops() as a;
--> {"a":[1,3,4,3,1,-1,10,20,30,900,500,100,1001,2001,3001]}

create function each_of(list text[]) returns text language plpgsql as $$
declare t text; all_of text := '';
begin
  foreach t in array list loop all_of := all_of || '<' || t || '>'; end loop;
  return all_of;
end $$;
--> no rows

select each_of('{a,b,c}') as a, each_of('{}') as b;
--> {"a":"<a><b><c>","b":""}

create function elements() returns int[] language plpgsql as $$
declare a int[] := array[1, 2, 3];
begin
  a[2] := 20;
  a[5] := 50;
  return a;
end $$;
--> no rows

select elements() as a;
--> {"a":[1,20,3,null,50]}

create function safe_divide(a numeric, b numeric) returns text language plpgsql as $$
begin
  return (a / b)::numeric(10, 2)::text;
exception
  when division_by_zero then return 'by zero';
  when others then return sqlstate || ': ' || sqlerrm;
end $$;
--> no rows

select safe_divide(1, 4) as a, safe_divide(1, 0) as b;
--> {"a":"0.25","b":"by zero"}

create function guarded(n int) returns text language plpgsql as $$
begin
  begin
    insert into item (id, name) values (100 + n, 'tmp');
    insert into item (id, name) values (n, 'again');
  exception when unique_violation then
    return 'duplicate, ' || (select count(*) from item where id > 100);
  end;
  return 'inserted';
end $$;
--> no rows

select guarded(1) as a;
--> {"a":"duplicate, 0"}

select guarded(50) as a;
--> {"a":"inserted"}

select count(*) from item;
--> {"count":5}

delete from item where id > 3;
--> no rows

create function raises(kind text) returns int language plpgsql as $$
begin
  if kind = 'plain' then
    raise exception 'bad % of %%: %', kind, null using hint = 'Try another.', detail = 'Some detail.';
  elsif kind = 'coded' then
    raise exception 'coded' using errcode = '22012';
  elsif kind = 'named' then
    raise unique_violation using message = 'named ' || kind;
  elsif kind = 'state' then
    raise sqlstate 'U0001';
  elsif kind = 'bare' then
    raise division_by_zero;
  elsif kind = 'assert' then
    assert 1 = 2, 'one is not two';
  end if;
  raise notice 'fine %', kind;
  return 1;
end $$;
--> no rows

select raises('plain');
--> ERROR P0001: bad plain of %: <NULL>
--> DETAIL: Some detail.
--> HINT: Try another.

select raises('coded');
--> ERROR 22012: coded

select raises('named');
--> ERROR 23505: named named

select raises('state');
--> ERROR U0001: U0001

select raises('bare');
--> ERROR 22012: division_by_zero

select raises('assert');
--> ERROR P0004: one is not two

select raises('fine') as a;
--> {"a":1}

create function again() returns text language plpgsql as $$
declare m text; d text; h text; s text;
begin
  begin
    perform raises('plain');
  exception when raise_exception then
    get stacked diagnostics m = message_text, d = pg_exception_detail, h = pg_exception_hint, s = returned_sqlstate;
    return concat_ws('|', m, d, h, s);
  end;
end $$;
--> no rows

select again() as a;
--> {"a":"bad plain of %: <NULL>|Some detail.|Try another.|P0001"}

create function rethrown() returns int language plpgsql as $$ begin begin perform raises('coded'); exception when others then raise; end; return 1; end $$;
--> no rows

select rethrown();
--> ERROR 22012: coded

create function dynamic(tab text, wanted int) returns text language plpgsql as $$
declare n text;
begin
  execute format('select name from %I where id = $1', tab) into n using wanted;
  return n;
end $$;
--> no rows

select dynamic('item', 2) as a;
--> {"a":"ink"}

select dynamic('missing', 2);
--> ERROR 42P01: relation "missing" does not exist

create function counted() returns int language plpgsql as $$
declare n int;
begin
  update item set price = coalesce(price, 0) + 1;
  get diagnostics n = row_count;
  return n;
end $$;
--> no rows

select counted() as a;
--> {"a":3}

select id, price from item order by id;
--> {"id":1,"price":"2.50"}
--> {"id":2,"price":"5.25"}
--> {"id":3,"price":"1"}

create function changed(n int) returns text language plpgsql as $$
declare r record;
begin
  update item set name = name || n where id = n returning id, name into r;
  if found then return r.id || ' ' || r.name; end if;
  return null;
end $$;
--> no rows

select changed(1) as a, changed(77) as b;
--> {"a":"1 pen1","b":null}

create function ambiguous(id int) returns text language plpgsql as $$ begin return (select name from item where id = id limit 1); end $$;
--> no rows

select ambiguous(2);
--> ERROR 42702: column reference "id" is ambiguous
--> DETAIL: It could refer to either a PL/pgSQL variable or a table column.

create function by_column(id int) returns bigint language plpgsql as $$
#variable_conflict use_column
begin return (select count(*) from item where id = id); end $$;
--> no rows

select by_column(2) as a;
--> {"a":3}

create function by_variable(id int) returns bigint language plpgsql as $$
#variable_conflict use_variable
begin return (select count(*) from item where id = id); end $$;
--> no rows

select by_variable(2) as a;
--> {"a":3}

create function qualified(id int) returns text language plpgsql as $$ begin return (select i.name from item i where i.id = qualified.id); end $$;
--> no rows

select qualified(2) as a;
--> {"a":"ink"}

create function no_destination() returns int language plpgsql as $$ begin select 1; return 1; end $$;
--> no rows

select no_destination();
--> ERROR 42601: query has no destination for result data
--> HINT: If you want to discard the results of a SELECT, use PERFORM instead.

create function no_return(a int) returns int language plpgsql as $$ begin if a > 0 then return 1; end if; end $$;
--> no rows

select no_return(1) as a;
--> {"a":1}

select no_return(0);
--> ERROR 2F005: control reached end of function without RETURN

create function quiet() returns void language plpgsql as $$ begin perform 1; end $$;
--> no rows

select quiet() as a;
--> {"a":""}

create function typed() returns text language plpgsql as $$
declare
  n numeric(5, 2) := 1.239;
  v varchar(3) := 'abc';
  b boolean := 'yes';
  d date := '2024-02-03';
  j jsonb := '{"a": [1, 2]}';
  i int := '42';
begin
  i := 2.6;
  return concat_ws(' ', n, v, b, d + 1, j->'a'->>1, i);
end $$;
--> no rows

select typed() as a;
--> {"a":"1.24 abc t 2024-02-04 2 3"}

do $$ declare i int := 'x'; begin end $$;
--> ERROR 22P02: invalid input syntax for type integer: "x"

do $$ declare v varchar(3) := 'abcd'; begin end $$;
--> ERROR 22001: value too long for type character varying(3)

do $$ declare c constant int := 1; begin c := 2; end $$;
--> ERROR 22005: variable "c" is declared CONSTANT
--> AT 42

do $$ declare n int not null := 1; begin n := null; end $$;
--> ERROR 22004: null value cannot be assigned to variable "n" declared NOT NULL

do $$ declare r record; begin raise notice '%', r.a; end $$;
--> ERROR 55000: record "r" is not assigned yet
--> DETAIL: The tuple structure of a not-yet-assigned record is indeterminate.

do $$ declare r record; begin select 1 as a into r; r.b := 2; end $$;
--> ERROR 42703: record "r" has no field "b"

do $$ declare k int := 0; begin k := k + 1; raise exception 'k is %', k; end $$;
--> ERROR P0001: k is 1

do $$
declare r record; total int := 0;
begin
  for r in execute 'select id from item where id > $1' using 1 loop total := total + r.id; end loop;
  raise exception 'total %', total;
end $$;
--> ERROR P0001: total 5

do $$
declare c cursor (lowest int) for select id, name from item where id >= lowest order by id; r record; n int := 0;
begin
  for r in c(2) loop n := n + r.id; end loop;
  open c(1);
  fetch c into r;
  fetch c into r;
  close c;
  raise exception '% %', n, r.name;
end $$;
--> ERROR P0001: 5 ink

create procedure add_item(new_id int, label text default 'new') language plpgsql as $$ begin insert into item (id, name) values (new_id, label); end $$;
--> no rows

call add_item(10);
--> no rows

call add_item(11, 'eleven');
--> no rows

select id, name from item where id >= 10 order by id;
--> {"id":10,"name":"new"}
--> {"id":11,"name":"eleven"}

call add_item('x');
--> ERROR 22P02: invalid input syntax for type integer: "x"
--> AT 15

call missing(1);
--> ERROR 42883: procedure missing(integer) does not exist
--> HINT: No procedure matches the given name and argument types. You might need to add explicit type casts.
--> AT 6

call inc(1);
--> ERROR 42809: inc(integer) is not a procedure
--> HINT: To call a function, use SELECT.
--> AT 6

select add_item(12);
--> ERROR 42809: add_item(integer) is a procedure
--> HINT: To call a procedure, use CALL.
--> AT 8

create procedure doubled(inout n int, out msg text) language plpgsql as $$ begin n := n * 2; msg := 'got ' || n; end $$;
--> no rows

call doubled(4, null);
--> {"n":8,"msg":"got 8"}

do $$ declare a int := 5; b text; begin call doubled(a, b); raise exception '% %', a, b; end $$;
--> ERROR P0001: 10 got 10

create function several(a int) returns int language sql as $$ insert into item (id, name) values (a, 'sql'); select a * 2; $$;
--> no rows

select several(30) as a;
--> {"a":60}

select name from item where id = 30;
--> {"name":"sql"}

create function renamed(a int) returns text language sql as $$ update item set name = 'renamed' where id = a returning name $$;
--> no rows

select renamed(30) as a, renamed(31) as b;
--> {"a":"renamed","b":null}

create function cleared() returns void language sql as $$ delete from item where id >= 10 $$;
--> no rows

select cleared() as a;
--> {"a":null}

select count(*) from item;
--> {"count":3}

create table checked (n int check (inc(n) > 1), m int default inc(41));
--> no rows

insert into checked (n) values (1) returning *;
--> {"n":1,"m":42}

insert into checked (n) values (0);
--> ERROR 23514: new row for relation "checked" violates check constraint "checked_n_check"
--> DETAIL: Failing row contains (0, 42).

create function null_strict(a int) returns int strict language plpgsql as $$ begin return 1; end $$;
--> no rows

select null_strict(null) as a, null_strict(2) as b;
--> {"a":null,"b":1}

create function pathed() returns text language plpgsql set search_path = '' as $$ begin return (select count(*) from public.item)::text; end $$;
--> no rows

select pathed() as a;
--> {"a":"3"}

create function unpathed() returns text language plpgsql set search_path to '' as $$ begin return (select count(*) from item)::text; end $$;
--> no rows

select unpathed();
--> ERROR 42P01: relation "item" does not exist

create function scoped() returns text language plpgsql as $$
<<outside>>
declare x int := 1;
begin
  declare x int := 2;
  begin
    return x || ' ' || outside.x;
  end;
end $$;
--> no rows

select scoped() as a;
--> {"a":"2 1"}

create function renamed_argument(int, text) returns text language plpgsql as $$ declare a alias for $1; begin return a || $2; end $$;
--> no rows

select renamed_argument(1, 'x') as a;
--> {"a":"1x"}

create function row_result() returns record language plpgsql as $$ declare r record; begin select 1 as a, 'x'::text as b into r; return r; end $$;
--> no rows

select * from row_result() as t(a int, b text);
--> {"a":1,"b":"x"}

create function array_of_rows() returns jsonb language plpgsql as $$
declare r item; result jsonb;
begin
  select * into r from item where id = 1;
  result := to_jsonb(r) - 'at' - 'price';
  return result || jsonb_build_object('n', r.id);
end $$;
--> no rows

select array_of_rows() as a;
--> {"a":{"n":1,"id":1,"name":"pen1","tags":["a","b"]}}

create function made() returns text language plpgsql as $$
begin
  create table if not exists made_here (a int);
  insert into made_here values (1), (2);
  return (select sum(a) from made_here)::text;
end $$;
--> no rows

select made() as a;
--> {"a":"3"}

create function spin() returns int language plpgsql as $$ begin return spin(); end $$;
--> no rows

create trigger no_function before insert on item for each row execute function no_such();
--> ERROR 42883: function no_such() does not exist

create function settings() returns text language plpgsql as $$ begin perform set_config('app.user', 'ann', true); return current_setting('app.user', true); end $$;
--> no rows

select settings() as a;
--> {"a":"ann"}

select spin();
--> ERROR 54001: stack depth limit exceeded
--> HINT: Increase the configuration parameter "max_stack_depth" (currently 2048kB), after ensuring the platform's stack depth limit is adequate.

create function from_sql() returns int language sql as $$ select inc(inc(1)) $$;
--> no rows

select from_sql() as a;
--> {"a":3}

create view shown as select id, inc(id) as next from item;
--> no rows

select * from shown order by id;
--> {"id":1,"next":2}
--> {"id":2,"next":3}
--> {"id":3,"next":4}

create table generated (a int, b int generated always as (inc(a)) stored);
--> no rows

insert into generated (a) values (4) returning a, b;
--> {"a":4,"b":5}

create index item_next on item (inc(id));
--> no rows

select id from item where inc(id) = 3;
--> {"id":2}

update item set price = inc(id), name = name_of(id) || '!' where inc(id) = 2 returning id, name, price;
--> {"id":1,"name":"pen1!","price":"2"}

insert into item (id, name) select inc(id) + 500, name_of(id) from item where id = 1 returning id, name;
--> {"id":502,"name":"pen1!"}

delete from item where id = inc(501) returning id;
--> {"id":502}

create function effect(n int) returns int language plpgsql as $$ begin insert into made_here values (n); return n; end $$;
--> no rows

select effect(x) from generate_series(1, 3) x;
--> {"effect":1}
--> {"effect":2}
--> {"effect":3}

select count(*) from made_here;
--> {"count":5}

insert into made_here select effect(9);
--> no rows

select count(*) from made_here where a = 9;
--> {"count":2}

create function counts_up() returns setof int language plpgsql as $$ declare i int := 0; begin while i < 3 loop i := i + 1; return next i; end loop; end $$;
--> no rows

select sum(c) as a from counts_up() c;
--> {"a":6}

select array(select counts_up()) as a;
--> {"a":[1,2,3]}

select * from counts_up() with ordinality as t(c, n);
--> {"c":1,"n":1}
--> {"c":2,"n":2}
--> {"c":3,"n":3}

create function wrong_columns() returns table (a int, b int) language plpgsql as $$ begin return query select 1; end $$;
--> no rows

select * from wrong_columns();
--> ERROR 42804: structure of query does not match function result type
--> DETAIL: Number of returned columns (1) does not match expected column count (2).

create function wrong_type() returns setof int language plpgsql as $$ begin return query select 'x'::text; end $$;
--> no rows

select * from wrong_type();
--> ERROR 42804: structure of query does not match function result type
--> DETAIL: Returned type text does not match expected type integer in column 1.

create function of_json(j jsonb) returns text language plpgsql as $$
declare k text; v jsonb; result text := '';
begin
  for k, v in select * from jsonb_each(j) loop result := result || k || '=' || v::text || ';'; end loop;
  return result;
end $$;
--> no rows

select of_json('{"a": 1, "b": [true]}') as a;
--> {"a":"a=1;b=[true];"}

create function enumed(t text) returns text language plpgsql as $$ declare r record; begin for r in select i, c from unnest(array[1, 2]) as i, (values ('x')) as v(c) loop t := t || r.i || r.c; end loop; return t; end $$;
--> no rows

select enumed('>') as a;
--> {"a":">1x2x"}

create type mood as enum ('sad', 'happy');
--> no rows

create function feel(m mood default 'happy') returns mood language plpgsql as $$ declare other mood := 'sad'; begin if m = 'happy' then return other; end if; return 'happy'; end $$;
--> no rows

select feel() as a, feel('sad') as b;
--> {"a":"sad","b":"happy"}

create type pair as (a int, b text);
--> no rows

create function paired(n int) returns pair language plpgsql as $$ declare p pair; begin p.a := n; p.b := 'b' || n; return p; end $$;
--> no rows

select * from paired(3);
--> {"a":3,"b":"b3"}

select (paired(4)).b as a;
--> {"a":"b4"}

create function of_pairs() returns setof pair language plpgsql as $$ declare p pair; begin for i in 1..2 loop p := row(i, 'x'); return next p; end loop; return query select 3, 'y'::text; end $$;
--> no rows

select * from of_pairs();
--> {"a":1,"b":"x"}
--> {"a":2,"b":"x"}
--> {"a":3,"b":"y"}

create function with_default(a int, b int default 10) returns int language plpgsql as $$ begin return a + b; end $$;
--> no rows

select with_default(1) as a, with_default(b => 2, a => 3) as b;
--> {"a":11,"b":5}

create function sum_of(variadic list int[]) returns int language plpgsql as $$ declare s int := 0; x int; begin foreach x in array list loop s := s + x; end loop; return s; end $$;
--> no rows

select sum_of(1, 2, 3) as a;
--> {"a":6}

create function nested_calls(n int) returns text language plpgsql as $$ begin perform effect(n); return name_of(1) || inc(n); end $$;
--> no rows

select nested_calls(1) as a;
--> {"a":"pen1!2"}

create function uses_now() returns boolean language plpgsql as $$ declare t timestamptz := now(); begin return t = now() and clock_timestamp() is not null; end $$;
--> no rows

select uses_now() as a;
--> {"a":true}

create function uses_sequence() returns text language plpgsql as $$ declare a bigint; b bigint; begin a := nextval('numbers'); select nextval('numbers') into b; return a || ' ' || b || ' ' || currval('numbers'); end $$;
--> no rows

create sequence numbers;
--> no rows

select uses_sequence() as a;
--> {"a":"1 2 2"}

select nextval('numbers') as a;
--> {"a":3}

create function multi(a int) returns text language plpgsql as $$
declare x int; y text;
begin
  select 1, 'one' into x, y;
  x := x + a;
  if x > 1 and y is not null then
    y := case when x > 2 then 'big' else 'small' end;
  end if;
  return x || y;
end $$;
--> no rows

select multi(1) as a, multi(5) as b;
--> {"a":"2small","b":"6big"}

create function upserts(n int) returns void language plpgsql as $$
begin
  insert into item (id, name) values (n, 'first') on conflict (id) do update set name = 'second ' || n;
end $$;
--> no rows

select upserts(70), upserts(70);
--> {"upserts":""}

select name from item where id = 70;
--> {"name":"second 70"}

do $$ begin perform 1; exception when others then null; end $$ language plpgsql;
--> no rows

do language plpgsql $$ begin null; end $$;
--> no rows

do $$ begin
  for i in 1..3 loop
    execute 'create table gen_' || i || ' (id int)';
    execute format('insert into %I values (%L)', 'gen_' || i, i);
  end loop;
end $$;
--> no rows

select (select id from gen_1) as a, (select id from gen_3) as b;
--> {"a":1,"b":3}

drop function inc(int);
--> ERROR 2BP01: cannot drop function inc(integer) because other objects depend on it
--> DETAIL: default value for column m of table checked depends on function inc(integer)\nconstraint checked_n_check on table checked depends on function inc(integer)\nview shown depends on function inc(integer)\ncolumn b of table generated depends on function inc(integer)\nindex item_next depends on function inc(integer)
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

create schema apart;
create table apart.seen (x int);
insert into apart.seen values (1);
create function sees() returns int language plpgsql as $$ declare n int; begin select x into n from seen; return n; end $$;
create function shows() returns text language sql as $$ select current_setting('search_path') $$;
--> no rows

alter function sees() set search_path = apart, public;
--> no rows

alter function shows() set search_path to '';
--> no rows

select sees(), shows();
--> {"sees":1,"shows":"\"\""}

select proname, proconfig from pg_proc where proname in ('sees', 'shows') order by 1;
--> {"proname":"sees","proconfig":["search_path=apart, public"]}
--> {"proname":"shows","proconfig":["search_path=\"\""]}

alter function shows() set search_path to apart;
--> no rows

select shows();
--> {"shows":"apart"}

alter function shows() reset search_path;
--> no rows

select proconfig from pg_proc where proname = 'shows';
--> {"proconfig":null}

alter function sees() security definer stable strict;
--> no rows

select prosecdef, provolatile, proisstrict from pg_proc where proname = 'sees';
--> {"prosecdef":true,"provolatile":"s","proisstrict":true}

alter function sees security invoker called on null input;
--> no rows

select prosecdef, provolatile, proisstrict from pg_proc where proname = 'sees';
--> {"prosecdef":false,"provolatile":"s","proisstrict":false}

alter function sees() nonsense;
--> ERROR 42601: syntax error at or near "nonsense"
--> AT 23

alter function sees() language sql;
--> ERROR 42601: syntax error at or near "language"
--> AT 23

alter routine sees() reset all;
--> no rows

select sees();
--> ERROR 42P01: relation "seen" does not exist

alter function sees() cost 10 parallel safe;
--> no rows

alter function sees() rename to looks;
--> no rows

alter function looks() set schema apart;
--> no rows

select apart.looks();
--> ERROR 42P01: relation "seen" does not exist

create function reads() returns int language sql set search_path = apart as 'select x from seen';
--> no rows

create function reads_too() returns int language sql set search_path to 'apart', 'public' as 'select x from seen; ';
--> no rows

create function zone() returns text language sql set timezone to 'Asia/Tokyo' as $$ select current_setting('timezone') $$;
--> no rows

create table seen (x int);
insert into seen values (2);
--> no rows

select reads(), reads_too(), zone();
--> {"reads":1,"reads_too":1,"zone":"Asia/Tokyo"}

create function reads_all() returns setof int language sql set search_path = apart as 'select x from seen';
--> no rows

select * from reads_all();
--> {"reads_all":1}

create function lost() returns int language sql security definer set search_path = '' as 'select x from seen';
--> ERROR 42P01: relation "seen" does not exist
--> AT 105

create function quoted() returns int language plpgsql set search_path = 'apart', 'public' as $$ declare n int; begin select x into n from seen; return n; end $$;
--> no rows

select quoted();
--> {"quoted":1}

create function is_open(x int) returns boolean language sql stable as 'select $1 > 0';
create view opened as select x, is_open(x) as open from seen;
create function slug_of() returns text language plpgsql as $$ begin return 'slug'; end $$;
create table guarded (id int primary key check (is_open(id)), slug text default slug_of());
alter table guarded enable row level security;
create policy open_ones on guarded using (is_open(id)) with check (is_open(id));
grant select, insert on guarded to anon;
create function safe_read() returns int language plpgsql set search_path = '' as $$ declare n int; begin select o.x into n from public.opened o where o.open; return n; end $$;
create function safe_write(i int) returns text language plpgsql set search_path = '' as $$ declare s text; begin insert into public.guarded (id) values (i) returning slug into s; return s; end $$;
--> no rows

select safe_read(), safe_write(1);
--> {"safe_read":2,"safe_write":"slug"}

select safe_write(-1);
--> ERROR 23514: new row for relation "guarded" violates check constraint "guarded_id_check"
--> DETAIL: Failing row contains (-1, slug).

set search_path = '';
select x, open from public.opened;
--> {"x":2,"open":true}

set role anon;
select public.safe_write(2);
--> {"safe_write":"slug"}

set role anon;
select count(*) from public.guarded;
--> {"count":2}

set search_path = '';
show search_path;
--> {"search_path":"\"\""}

set search_path = '';
select current_setting('search_path') as a, current_schemas(false) as b;
--> {"a":"\"\"","b":"{}"}

set search_path = apart, public;
select current_setting('search_path') as a, current_schema() as b;
--> {"a":"apart, public","b":"apart"}

select set_config('search_path', 'apart,public', false);
select current_setting('search_path') as a;
--> {"a":"apart,public"}

select set_config('search_path', '', false);
show search_path;
--> {"search_path":""}

set search_path to "apart" , public;
show search_path;
--> {"search_path":"apart, public"}
