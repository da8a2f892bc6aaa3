-- What a body is told of what runs around it: within changes, views, aggregates, triggers and caught errors.

create function inner_f() returns text language plpgsql as $$ declare c text; begin get diagnostics c = pg_context; return c; end $$;
create table t (id int, c text);
--> no rows

create function caller_rpc_name() returns text language plpgsql stable as $$ declare v text; begin get diagnostics v = pg_context; return substring(v from 'function ([a-z_]+)\([^)]*\) line \d+ at SQL statement'); end $$;
create function rpc_one(a int) returns text language plpgsql security definer as $$ declare r text; begin select caller_rpc_name() into r; return r; end $$; select rpc_one(1);
--> {"rpc_one":"rpc_one"}

create function acc(a uuid) returns boolean language sql security definer set search_path = public as $$ select exists (select 1 from t where c is null) $$;
--> no rows

create table inv (id int, st text); create function inv_guard() returns trigger language plpgsql as $$ declare v text; begin get diagnostics v = pg_context; new.st := v; return new; end $$; create trigger g before update on inv for each row execute function inv_guard(); insert into inv values (1), (2);
--> no rows

create function accept_sql(i int) returns void language sql security definer as $$ update inv set st = 'x' where id = i $$; select accept_sql(1); select * from inv order by id;
--> {"id":1,"st":"PL/pgSQL function inv_guard() line 1 at GET DIAGNOSTICS\nSQL function \"accept_sql\" statement 1"}
--> {"id":2,"st":null}

create function accept_pl(i int) returns void language plpgsql as $$ begin perform accept_sql(i); end $$; select accept_pl(2); select * from inv order by id;
--> {"id":1,"st":"PL/pgSQL function inv_guard() line 1 at GET DIAGNOSTICS\nSQL function \"accept_sql\" statement 1"}
--> {"id":2,"st":"PL/pgSQL function inv_guard() line 1 at GET DIAGNOSTICS\nSQL function \"accept_sql\" statement 1\nSQL statement \"SELECT accept_sql(i)\"\nPL/pgSQL function accept_pl(integer) line 1 at PERFORM"}

create function up() returns setof inv language plpgsql as $$ begin return query update inv set st = 'y' returning *; end $$; select * from up() order by id;
--> {"id":1,"st":"PL/pgSQL function inv_guard() line 1 at GET DIAGNOSTICS\nSQL statement \"update inv set st = 'y' returning *\"\nPL/pgSQL function up() line 1 at RETURN QUERY"}
--> {"id":2,"st":"PL/pgSQL function inv_guard() line 1 at GET DIAGNOSTICS\nSQL statement \"update inv set st = 'y' returning *\"\nPL/pgSQL function up() line 1 at RETURN QUERY"}

with x as (update inv set st = 'z' returning *) select * from x order by id;
--> {"id":1,"st":"PL/pgSQL function inv_guard() line 1 at GET DIAGNOSTICS"}
--> {"id":2,"st":"PL/pgSQL function inv_guard() line 1 at GET DIAGNOSTICS"}

create function w() returns text language plpgsql as $$ declare r text; begin with x as (update inv set st = 'z' where id = 1 returning *) select st into r from x; return r; end $$; select w();
--> {"w":"PL/pgSQL function inv_guard() line 1 at GET DIAGNOSTICS\nSQL statement \"with x as (update inv set st = 'z' where id = 1 returning *) select st        from x\"\nPL/pgSQL function w() line 1 at SQL statement"}

create function ex(tab text) returns text language plpgsql as $$ declare r text; begin execute format('update %I set st = $1 where id = 1 returning st', tab) into r using 'q'; return r; end $$; select ex('inv');
--> {"ex":"PL/pgSQL function inv_guard() line 1 at GET DIAGNOSTICS\nSQL statement \"update inv set st = $1 where id = 1 returning st\"\nPL/pgSQL function ex(text) line 1 at EXECUTE"}

create function ins_default() returns text language plpgsql as $$ declare r text; begin insert into inv2 (id) values (1) returning c into r; return r; end $$; create table inv2 (id int, c text default inner_f()); select ins_default();
--> {"ins_default":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"insert into inv2 (id) values (1) returning c\"\nPL/pgSQL function ins_default() line 1 at SQL statement"}

create view vv as select id, inner_f() f from inv; create function rv() returns setof text language plpgsql as $$ begin return query select f from vv where id = 1; end $$; select rv();
--> {"rv":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"select f from vv where id = 1\"\nPL/pgSQL function rv() line 1 at RETURN QUERY"}

create function agg() returns text language plpgsql as $$ begin return (select string_agg(inner_f(), '|') from generate_series(1, 2)); end $$; select agg();
--> {"agg":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL expression \"(select string_agg(inner_f(), '|') from generate_series(1, 2))\"\nPL/pgSQL function agg() line 1 at RETURN|PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL expression \"(select string_agg(inner_f(), '|') from generate_series(1, 2))\"\nPL/pgSQL function agg() line 1 at RETURN"}

create function cnd() returns text language plpgsql as $$ declare r text; begin if (select count(*) from inv where inner_f() is not null) > 0 then r := (select inner_f() from inv limit 1); end if; return r; end $$; select cnd();
--> {"cnd":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL assignment \"r := (select inner_f() from inv limit 1)\"\nPL/pgSQL function cnd() line 1 at assignment"}

create function ret_rec(out a text, out b text) language plpgsql as $$ begin a := inner_f(); select inner_f() into b; end $$; select * from ret_rec();
--> {"a":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function ret_rec() line 1 at assignment","b":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"select inner_f()\"\nPL/pgSQL function ret_rec() line 1 at SQL statement"}

create function lat() returns setof text language plpgsql as $$ begin return query select x.f from inv i, lateral (select inner_f() || i.id f) x order by 1; end $$; select lat();
--> {"lat":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"select x.f from inv i, lateral (select inner_f() || i.id f) x order by 1\"\nPL/pgSQL function lat() line 1 at RETURN QUERY1"}
--> {"lat":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL statement \"select x.f from inv i, lateral (select inner_f() || i.id f) x order by 1\"\nPL/pgSQL function lat() line 1 at RETURN QUERY2"}

do $$ declare r record; begin for r in select id from inv order by id loop update inv set st = 'l' where id = r.id; end loop; end $$; select * from inv order by id;
--> {"id":1,"st":"PL/pgSQL function inv_guard() line 1 at GET DIAGNOSTICS\nSQL statement \"update inv set st = 'l' where id = r.id\"\nPL/pgSQL function inline_code_block line 1 at SQL statement"}
--> {"id":2,"st":"PL/pgSQL function inv_guard() line 1 at GET DIAGNOSTICS\nSQL statement \"update inv set st = 'l' where id = r.id\"\nPL/pgSQL function inline_code_block line 1 at SQL statement"}

do $$ begin raise notice '%', inner_f(); end $$;
--> no rows

create function nested_block() returns text language plpgsql as $$
declare r text;
begin
  begin
    begin
      r := inner_f();
    exception when others then null;
    end;
  end;
  if true then
    for i in 1..1 loop
      r := r || '#' || inner_f();
    end loop;
  end if;
  return r;
end $$; select nested_block();
--> {"nested_block":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function nested_block() line 6 at assignment#PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function nested_block() line 12 at assignment"}

create function after_exc() returns text language plpgsql as $$
declare r text; c text;
begin
  begin
    perform 1/0;
  exception when division_by_zero then
    get stacked diagnostics c = pg_exception_context;
    r := inner_f();
  end;
  r := r || '#' || inner_f() || '#' || c;
  return r;
end $$; select after_exc();
--> {"after_exc":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function after_exc() line 8 at assignment#PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nPL/pgSQL function after_exc() line 10 at assignment#SQL statement \"SELECT 1/0\"\nPL/pgSQL function after_exc() line 5 at PERFORM"}

create function deep_err(i int) returns text language plpgsql as $$ begin update inv set id = 1 / i where id = 1; return 'x'; end $$;
create function catcher() returns text language plpgsql as $$ declare c text; begin perform deep_err(0); return 'n'; exception when others then get stacked diagnostics c = pg_exception_context; return c; end $$;
create function top_f() returns text language plpgsql as $$ begin return catcher(); end $$; select top_f();
--> {"top_f":"SQL statement \"update inv set id = 1 / i where id = 1\"\nPL/pgSQL function deep_err(integer) line 1 at SQL statement\nSQL statement \"SELECT deep_err(0)\"\nPL/pgSQL function catcher() line 1 at PERFORM\nPL/pgSQL function top_f() line 1 at RETURN"}

create function reraise() returns text language plpgsql as $$ begin begin perform deep_err(0); exception when others then raise; end; return 'x'; end $$; select reraise();
--> ERROR 22012: division by zero

create table log (c text); create function elog() returns trigger language plpgsql as $$ declare v text; begin begin raise exception 'x'; exception when others then get stacked diagnostics v = pg_exception_context; insert into log values (v); end; return new; end $$; create trigger tl after insert on inv for each row execute function elog();
create function mk() returns void language plpgsql as $$ begin insert into inv values (5, 'a'); end $$; select mk(); select * from log;
--> {"c":"PL/pgSQL function elog() line 1 at RAISE\nSQL statement \"insert into inv values (5, 'a')\"\nPL/pgSQL function mk() line 1 at SQL statement"}

create function rs() returns setof int language plpgsql as $$ begin return query execute 'select id / 0 from inv'; end $$; select rs();
--> ERROR 22012: division by zero

create procedure pc() language sql as $$ insert into inv2 (id) values (9); update inv set st = 'p' where id = 2 $$; call pc(); select st from inv where id = 2; select c from inv2 where id = 9;
--> {"c":"PL/pgSQL function inner_f() line 1 at GET DIAGNOSTICS\nSQL function \"pc\" statement 1"}

do $$ begin call pc(); end $$; select st from inv where id = 2;
--> {"st":"PL/pgSQL function inv_guard() line 1 at GET DIAGNOSTICS\nSQL function \"pc\" statement 2\nSQL statement \"call pc()\"\nPL/pgSQL function inline_code_block line 1 at CALL"}
