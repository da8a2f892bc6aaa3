-- Triggers.

create table item (id int primary key, name text not null, n int default 0, changed timestamptz, total int generated always as (n * 2) stored);
--> no rows

create table log (id serial primary key, what text);
--> no rows

create function stamp() returns trigger language plpgsql as $$ begin new.changed := '2024-01-01'; return new; end $$;
--> no rows

create trigger stamped before update on item for each row execute function stamp();
--> no rows

insert into item (id, name) values (1, 'a'), (2, 'b');
--> no rows

update item set n = n + 1 returning id, n, total, changed;
--> {"id":1,"n":1,"total":2,"changed":"2024-01-01 00:00:00+00"}
--> {"id":2,"n":1,"total":2,"changed":"2024-01-01 00:00:00+00"}

create function note() returns trigger language plpgsql as $$
begin
  insert into log (what) values (tg_op || ' ' || tg_when || ' ' || tg_level || ' ' || tg_table_name || ' ' || tg_name || ' ' || coalesce(new.name, '-') || ' ' || coalesce(old.name, '-'));
  return coalesce(new, old);
end $$;
--> no rows

create trigger b_noted after insert or update or delete on item for each row execute function note();
--> no rows

create trigger a_noted after insert or update or delete on item for each row execute procedure note();
--> no rows

insert into item (id, name) values (3, 'c');
--> no rows

update item set name = 'cc' where id = 3;
--> no rows

delete from item where id = 3;
--> no rows

select what from log order by id;
--> {"what":"INSERT AFTER ROW item a_noted c -"}
--> {"what":"INSERT AFTER ROW item b_noted c -"}
--> {"what":"UPDATE AFTER ROW item a_noted cc c"}
--> {"what":"UPDATE AFTER ROW item b_noted cc c"}
--> {"what":"DELETE AFTER ROW item a_noted - cc"}
--> {"what":"DELETE AFTER ROW item b_noted - cc"}

drop trigger a_noted on item;
--> no rows

delete from log;
--> no rows

create function every() returns trigger language plpgsql as $$ begin insert into log (what) values (tg_op || ' ' || tg_when || ' ' || tg_level); return null; end $$;
--> no rows

create trigger s1 before insert or update or delete on item for each statement execute function every();
--> no rows

create trigger s2 after insert or update or delete on item execute function every();
--> no rows

insert into item (id, name) values (4, 'd'), (5, 'e');
--> no rows

update item set n = 1 where false;
--> no rows

delete from item where id = 4;
--> no rows

select what from log order by id;
--> {"what":"INSERT BEFORE STATEMENT"}
--> {"what":"INSERT AFTER ROW item b_noted d -"}
--> {"what":"INSERT AFTER ROW item b_noted e -"}
--> {"what":"INSERT AFTER STATEMENT"}
--> {"what":"UPDATE BEFORE STATEMENT"}
--> {"what":"UPDATE AFTER STATEMENT"}
--> {"what":"DELETE BEFORE STATEMENT"}
--> {"what":"DELETE AFTER ROW item b_noted - d"}
--> {"what":"DELETE AFTER STATEMENT"}

drop trigger s1 on item;
--> no rows

drop trigger s2 on item;
--> no rows

drop trigger b_noted on item;
--> no rows

delete from log;
--> no rows

create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no % on %', tg_op, tg_table_name using errcode = 'check_violation'; end $$;
--> no rows

create trigger refused before delete on item for each row when (old.id = 1) execute function refuse();
--> no rows

delete from item where id = 1;
--> ERROR 23514: no DELETE on item

delete from item where id = 5;
--> no rows

select id from item order by id;
--> {"id":1}
--> {"id":2}

alter table item disable trigger refused;
--> no rows

delete from item where id = 1 returning id, name;
--> {"id":1,"name":"a"}

alter table item enable trigger refused;
--> no rows

create function skip() returns trigger language plpgsql as $$ begin if new.n < 0 then return null; end if; new.name := upper(new.name); return new; end $$;
--> no rows

create trigger skipped before insert or update of n on item for each row execute function skip();
--> no rows

insert into item (id, name, n) values (1, 'x', 1), (7, 'y', -1), (8, 'z', 2) returning id, name, n, total;
--> {"id":1,"name":"X","n":1,"total":2}
--> {"id":8,"name":"Z","n":2,"total":4}

update item set n = -5 where id = 1;
--> no rows

update item set name = 'lower' where id = 1 returning name;
--> {"name":"lower"}

update item set n = 9 where id = 1 returning name, n, total;
--> {"name":"LOWER","n":9,"total":18}

insert into item (id, name, n) values (1, 'again', 3) on conflict (id) do update set n = excluded.n + item.n, name = excluded.name returning id, name, n;
--> {"id":1,"name":"AGAIN","n":12}

insert into item (id, name, n) values (1, 'again', 3), (9, 'nine', 3) on conflict do nothing returning id;
--> {"id":9}

insert into item (id, name, n) values (1, 'again', 3);
--> ERROR 23505: duplicate key value violates unique constraint "item_pkey"
--> DETAIL: Key (id)=(1) already exists.

insert into item (id, name, n) select id + 100, name, n from item where id = 8 returning *;
--> {"id":108,"name":"Z","n":2,"changed":null,"total":4}

with added as (insert into item (id, name, n) values (20, 'w', 1) returning id, name) select * from added;
--> {"id":20,"name":"W"}

update item set n = s.k from (values (20, 5), (8, 6)) as s(i, k) where s.i = item.id;
--> no rows

select id, name, n from item order by id;
--> {"id":1,"name":"AGAIN","n":12}
--> {"id":2,"name":"b","n":1}
--> {"id":8,"name":"Z","n":6}
--> {"id":9,"name":"NINE","n":3}
--> {"id":20,"name":"W","n":5}
--> {"id":108,"name":"Z","n":2}

create function args() returns trigger language plpgsql as $$ begin new.name := tg_argv[0] || tg_argv[1] || tg_nargs; return new; end $$;
--> no rows

create trigger z_args before insert on item for each row execute function args('p', 2);
--> no rows

insert into item (id, name, n) values (30, 'w', 1) returning name;
--> {"name":"p22"}

drop trigger z_args on item;
--> no rows

create trigger changed_only after update on item for each row when (old.* is distinct from new.*) execute function note();
--> no rows

update item set n = n where id = 30;
--> no rows

update item set n = n + 1 where id = 30;
--> no rows

select what from log order by id;
--> {"what":"UPDATE AFTER ROW item changed_only P22 p22"}
--> {"what":"UPDATE AFTER ROW item changed_only P22 P22"}

delete from log;
--> no rows

create table parent (id int primary key);
--> no rows

create table child (id int primary key, parent_id int references parent on delete cascade, name text default 'kid');
--> no rows

create trigger child_noted after delete on child for each row execute function note();
--> no rows

insert into parent values (1), (2);
--> no rows

insert into child (id, parent_id) values (10, 1), (11, 1), (12, 2);
--> no rows

delete from parent where id = 1;
--> no rows

select what from log order by id;
--> {"what":"DELETE AFTER ROW child child_noted - kid"}
--> {"what":"DELETE AFTER ROW child child_noted - kid"}

select id from child;
--> {"id":12}

create table account (id int primary key, balance int check (balance >= 0));
--> no rows

create table audit (id serial primary key, account_id int, before jsonb, after jsonb);
--> no rows

create function audited() returns trigger language plpgsql security definer as $$
begin
  if tg_op = 'INSERT' then
    insert into audit (account_id, after) values (new.id, to_jsonb(new));
  elsif tg_op = 'UPDATE' then
    insert into audit (account_id, before, after) values (new.id, to_jsonb(old), to_jsonb(new));
  else
    insert into audit (account_id, before) values (old.id, row_to_json(old)::jsonb);
    return old;
  end if;
  return new;
end $$;
--> no rows

create trigger audited after insert or update or delete on account for each row execute function audited();
--> no rows

insert into account values (1, 10), (2, 20);
--> no rows

update account set balance = balance - 5 where id = 1;
--> no rows

update account set balance = balance - 50 where id = 1;
--> ERROR 23514: new row for relation "account" violates check constraint "account_balance_check"
--> DETAIL: Failing row contains (1, -45).

delete from account where id = 2;
--> no rows

select account_id, before, after from audit order by id;
--> {"account_id":1,"before":null,"after":{"id":1,"balance":10}}
--> {"account_id":2,"before":null,"after":{"id":2,"balance":20}}
--> {"account_id":1,"before":{"id":1,"balance":10},"after":{"id":1,"balance":5}}
--> {"account_id":2,"before":{"id":2,"balance":20},"after":null}

create table copy_of (like account);
--> no rows

create function copied() returns trigger language plpgsql as $$ begin insert into copy_of values (new.*); return new; end $$;
--> no rows

create trigger copied after insert on account for each row execute function copied();
--> no rows

insert into account values (3, 30);
--> no rows

select * from copy_of;
--> {"id":3,"balance":30}

create function transfer() returns trigger language plpgsql as $$
begin
  update account set balance = balance + new.balance where id = 1;
  return null;
end $$;
--> no rows

create trigger transferred after insert on account for each row when (new.id > 100) execute function transfer();
--> no rows

insert into account values (101, 7), (102, 8);
--> no rows

select * from account order by id;
--> {"id":1,"balance":20}
--> {"id":3,"balance":30}
--> {"id":101,"balance":7}
--> {"id":102,"balance":8}

create constraint trigger late after insert on account deferrable initially deferred for each row execute function refuse();
--> no rows

insert into account values (200, 1);
--> ERROR 23514: no INSERT on account

select count(*) from account where id = 200;
--> {"count":0}

drop trigger late on account;
--> no rows

create function profile() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.copy_of (id, balance) values (new.id, 0) on conflict do nothing;
  return new;
exception when others then
  raise warning 'failed: %', sqlerrm;
  return new;
end $$;
--> no rows

create trigger profiled after insert on item for each row execute function profile();
--> no rows

insert into item (id, name) values (40, 'forty');
--> no rows

select count(*) from copy_of where id = 40;
--> {"count":1}

create function loop_forever() returns trigger language plpgsql as $$ begin update parent set id = id where id = new.id; return new; end $$;
--> no rows

create function wrong_row() returns trigger language plpgsql as $$ declare r record; begin select 1 as a into r; return r; end $$;
--> no rows

create trigger wrong before insert on parent for each row execute function wrong_row();
--> no rows

create function falls_off() returns trigger language plpgsql as $$ begin null; end $$;
--> no rows

create trigger falls before insert on child for each row execute function falls_off();
--> no rows

insert into child (id) values (99);
--> ERROR 2F005: control reached end of trigger procedure without RETURN

select falls_off();
--> ERROR 0A000: trigger functions can only be called as triggers

create trigger bad before insert on child for each row execute function inc_missing();
--> ERROR 42883: function inc_missing() does not exist

create table tree (id int primary key, parent int, depth int);
--> no rows

create function depth_of() returns trigger language plpgsql as $$
begin
  select t.depth + 1 into new.depth from tree t where t.id = new.parent;
  new.depth := coalesce(new.depth, 0);
  return new;
end $$;
--> no rows

create trigger depth before insert or update on tree for each row execute function depth_of();
--> no rows

insert into tree (id, parent) values (1, null), (2, 1), (3, 2);
--> no rows

select * from tree order by id;
--> {"id":1,"parent":null,"depth":0}
--> {"id":2,"parent":1,"depth":1}
--> {"id":3,"parent":2,"depth":2}

update tree set parent = 1 where id = 3 returning depth;
--> {"depth":1}

create unique index tree_depth on tree (lower(depth::text)) where id > 100;
--> no rows

insert into tree (id, parent) values (1, null) on conflict (id) do update set parent = null where tree.parent is not null returning id;
--> no rows

insert into auth.users (id, email, raw_user_meta_data) values ('00000000-0000-0000-0000-000000000001', 'a@x.test', '{"name": "Ann"}');
--> no rows

create table profile (id uuid primary key references auth.users on delete cascade, name text);
--> no rows

create function handle_new_user() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into public.profile (id, name) values (new.id, new.raw_user_meta_data ->> 'name');
  return new;
end $$;
--> no rows

create trigger on_auth_user_created after insert on auth.users for each row execute procedure public.handle_new_user();
--> no rows

insert into auth.users (id, email, raw_user_meta_data) values ('00000000-0000-0000-0000-000000000002', 'b@x.test', '{"name": "Bob"}');
--> no rows

select name from profile;
--> {"name":"Bob"}

delete from auth.users where email = 'b@x.test';
--> no rows

select count(*) from profile;
--> {"count":0}

create function guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.id <> old.id then
    raise exception 'id is fixed';
  end if;
  if (tg_op = 'DELETE') then return old; end if;
  return new;
end $$;
--> no rows

create trigger guard before insert or update or delete on tree for each row execute function guard();
--> no rows

update tree set id = 50 where id = 3;
--> ERROR P0001: id is fixed

delete from tree where id = 3 returning id;
--> {"id":3}

alter table tree disable trigger all;
--> no rows

update tree set id = 50 where id = 2 returning id, depth;
--> {"id":50,"depth":1}

alter table tree enable trigger all;
--> no rows

select tgname, tgenabled from pg_trigger where tgrelid = 'tree'::regclass and not tgisinternal order by 1;
--> {"tgname":"depth","tgenabled":"O"}
--> {"tgname":"guard","tgenabled":"O"}

create function sum_up() returns trigger language plpgsql as $$
declare total int;
begin
  select sum(balance) into total from account;
  if total > 1000 then raise exception 'too much: %', total; end if;
  return null;
end $$;
--> no rows

create trigger sum_up after insert or update on account for each statement execute function sum_up();
--> no rows

insert into account values (500, 2000);
--> ERROR P0001: too much: 4065

insert into account values (501, 20), (502, 30);
--> no rows

create or replace function guard() returns trigger language plpgsql as $$ begin return null; end $$;
--> no rows

insert into tree (id) values (80) returning id;
--> no rows

drop function guard();
--> ERROR 2BP01: cannot drop function guard() because other objects depend on it
--> DETAIL: trigger guard on table tree depends on function guard()
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

drop function guard() cascade;
--> no rows

insert into tree (id) values (80) returning id;
--> {"id":80}

create function renaming() returns trigger language plpgsql as $$ begin new := jsonb_populate_record(null::tree, jsonb_build_object('id', new.id, 'depth', 77)); return new; end $$;
--> no rows

create trigger renaming before insert on tree for each row execute function renaming();
--> no rows

drop trigger depth on tree;
--> no rows

insert into tree (id) values (81) returning *;
--> {"id":81,"parent":null,"depth":77}

create trigger emptied before truncate on copy_of for each statement execute function refuse();
--> no rows

truncate copy_of;
--> ERROR 23514: no TRUNCATE on copy_of

create table watched (id int primary key, name text);
create table changes (n int generated always as identity, op text, was jsonb, "is" jsonb, none boolean, whole text, id int);
create function note_change() returns trigger language plpgsql as $$
declare
  was jsonb = to_jsonb(old);
  "is" jsonb := to_jsonb(new);
begin
  insert into changes (op, was, "is", none, whole, id)
  values (tg_op, was, "is", new is null, coalesce(row_to_json(new), row_to_json(old))::text, coalesce(new.id, old.id));
  return coalesce(new, old);
end $$;
create trigger noted after insert or update or delete on watched for each row execute function note_change();
--> no rows

insert into watched values (1, 'a'), (2, null);
--> no rows

update watched set name = 'b' where id = 1;
--> no rows

delete from watched;
--> no rows

select op, was, "is", none, whole, id from changes order by op, id;
--> {"op":"DELETE","was":{"id":1,"name":"b"},"is":null,"none":true,"whole":"{\"id\":1,\"name\":\"b\"}","id":1}
--> {"op":"DELETE","was":{"id":2,"name":null},"is":null,"none":true,"whole":"{\"id\":2,\"name\":null}","id":2}
--> {"op":"INSERT","was":null,"is":{"id":1,"name":"a"},"none":false,"whole":"{\"id\":1,\"name\":\"a\"}","id":1}
--> {"op":"INSERT","was":null,"is":{"id":2,"name":null},"none":false,"whole":"{\"id\":2,\"name\":null}","id":2}
--> {"op":"UPDATE","was":{"id":1,"name":"a"},"is":{"id":1,"name":"b"},"none":false,"whole":"{\"id\":1,\"name\":\"b\"}","id":1}

create function both_rows() returns trigger language plpgsql as $$
begin
  raise notice '% % %', old, new, jsonb_build_object('old', old, 'new', new);
  if tg_op = 'DELETE' then
    insert into changes (op, was) select 'sql', to_jsonb(r) from (select old.*) r;
  end if;
  insert into changes (op, was) values (tg_op, jsonb_build_object('old', old, 'new', new));
  return null;
end $$;
create trigger noted_too after insert or delete on watched for each row execute function both_rows();
--> no rows

insert into watched values (3, 'c');
--> no rows

delete from watched where id = 3;
--> no rows

select op, was from changes where n > 5 order by n;
--> {"op":"INSERT","was":null}
--> {"op":"INSERT","was":{"new":{"id":3,"name":"c"},"old":null}}
--> {"op":"DELETE","was":{"id":3,"name":"c"}}
--> {"op":"sql","was":{"id":3,"name":"c"}}
--> {"op":"DELETE","was":{"new":null,"old":{"id":3,"name":"c"}}}

do $$
declare
  r watched;
  a watched%rowtype;
begin
  raise notice '% %', to_jsonb(r), r is null;
  select * into r from watched where id = 77;
  raise notice '%', row_to_json(r);
  r := row(1, 'x');
  a := r;
  raise notice '% % %', to_jsonb(r), a, r is distinct from a;
end $$;
--> no rows

create table upserted (id int primary key, n int default 0);
create function counts() returns trigger language plpgsql as $$ begin new.n := new.n + 1; return new; end $$;
create trigger counting before insert or update on upserted for each row execute function counts();
--> no rows

insert into upserted values (1, 5) on conflict (id) do update set n = excluded.n returning id, n, (xmax = 0) as inserted;
--> {"id":1,"n":6,"inserted":true}

insert into upserted values (1, 7), (2, 8) on conflict (id) do update set n = excluded.n returning id, n, (xmax = 0) as inserted;
--> {"id":1,"n":9,"inserted":false}
--> {"id":2,"n":9,"inserted":true}

insert into upserted values (3, 1), (3, 2) on conflict (id) do update set n = excluded.n;
--> ERROR 21000: ON CONFLICT DO UPDATE command cannot affect row a second time
--> HINT: Ensure that no rows proposed for insertion within the same command have duplicate constrained values.

insert into upserted values (1, 1), (1, 2) on conflict (id) do update set n = upserted.n + 10 returning n;
--> ERROR 21000: ON CONFLICT DO UPDATE command cannot affect row a second time
--> HINT: Ensure that no rows proposed for insertion within the same command have duplicate constrained values.

update upserted set n = 0 where id = 1 returning id, n;
--> {"id":1,"n":1}
