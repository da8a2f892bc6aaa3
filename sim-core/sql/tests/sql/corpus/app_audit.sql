-- An audit log by triggers: who changed what, before and after, with a view and a retention function.

create schema audit;
--> no rows

create type audit.operation as enum ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE');
--> no rows

create table audit.record (id bigint generated always as identity primary key, record_id uuid, old_record_id uuid, op audit.operation not null, ts timestamptz not null default now(), table_schema name not null, table_name name not null, record jsonb, old_record jsonb, check (coalesce(record_id, old_record_id) is not null or op = 'TRUNCATE'), check ((op in ('INSERT', 'UPDATE')) = (record_id is not null)));
--> no rows

create index record_ts on audit.record using brin (ts);
--> no rows

create index record_id_idx on audit.record (record_id) where record_id is not null;
--> no rows

create function audit.primary_key_columns(entity regclass) returns text[] language sql stable security definer set search_path = '' as $$ select coalesce(array_agg(a.attname::text order by a.attnum), '{}') from pg_catalog.pg_index i join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey) where i.indrelid = entity and i.indisprimary $$;
--> no rows

create function audit.to_record_id(entity text, pkey text[], rec jsonb) returns uuid language sql stable as $$ select case when rec is null then null when pkey = '{}' then null else md5(entity || (select string_agg(rec ->> k, ',' order by k) from unnest(pkey) as k))::uuid end $$;
--> no rows

create function audit.insert_update_delete() returns trigger language plpgsql security definer as $$
declare
  pkey text[] := audit.primary_key_columns(tg_relid);
  new_row jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  old_row jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
begin
  insert into audit.record (record_id, old_record_id, op, table_schema, table_name, record, old_record)
  values (audit.to_record_id(tg_table_name, pkey, new_row), audit.to_record_id(tg_table_name, pkey, old_row), tg_op::audit.operation, tg_table_schema, tg_table_name, new_row, old_row);
  return coalesce(new, old);
end $$;
--> no rows

create function audit.truncated() returns trigger language plpgsql security definer as $$ begin insert into audit.record (op, table_schema, table_name) values (tg_op::audit.operation, tg_table_schema, tg_table_name); return null; end $$;
--> no rows

create function audit.enable(entity regclass) returns void language plpgsql as $$
begin
  if not exists (select 1 from pg_trigger where tgrelid = entity and tgname = 'audit_i_u_d') then
    execute format('create trigger audit_i_u_d after insert or update or delete on %s for each row execute function audit.insert_update_delete()', entity);
  end if;
  if not exists (select 1 from pg_trigger where tgrelid = entity and tgname = 'audit_t') then
    execute format('create trigger audit_t after truncate on %s for each statement execute function audit.truncated()', entity);
  end if;
end $$;
--> no rows

create table public.account (id int primary key, name text not null, balance numeric(10,2) not null default 0, tags text[] default '{}', updated_at timestamptz);
--> no rows

create table public.transfer (id int, account_id int references account, amount numeric(10,2), primary key (id, account_id));
--> no rows

select audit.enable('public.account'), audit.enable('public.transfer'), audit.enable('public.account');
--> {"enable":""}

select tgname, tgrelid::regclass::text as t from pg_trigger where tgname like 'audit%' order by 2, 1;
--> {"tgname":"audit_i_u_d","t":"account"}
--> {"tgname":"audit_t","t":"account"}
--> {"tgname":"audit_i_u_d","t":"transfer"}
--> {"tgname":"audit_t","t":"transfer"}

insert into account (id, name, balance) values (1, 'ann', 10), (2, 'bob', 20.5);
--> no rows

update account set balance = balance + 5 where id = 1;
--> no rows

update account set tags = array['vip'], name = 'Bob' where id = 2;
--> no rows

insert into transfer values (1, 1, 3.5), (1, 2, -3.5);
--> no rows

delete from transfer where account_id = 2;
--> no rows

select op, table_name, record ->> 'id' as id, old_record ->> 'id' as old_id from audit.record order by record.id;
--> {"op":"INSERT","table_name":"account","id":"1","old_id":null}
--> {"op":"INSERT","table_name":"account","id":"2","old_id":null}
--> {"op":"UPDATE","table_name":"account","id":"1","old_id":"1"}
--> {"op":"UPDATE","table_name":"account","id":"2","old_id":"2"}
--> {"op":"INSERT","table_name":"transfer","id":"1","old_id":null}
--> {"op":"INSERT","table_name":"transfer","id":"1","old_id":null}
--> {"op":"DELETE","table_name":"transfer","id":null,"old_id":"1"}

select op, record - 'updated_at' as new, old_record - 'updated_at' as old from audit.record where table_name = 'account' order by audit.record.id;
--> {"op":"INSERT","new":{"id":1,"name":"ann","tags":[],"balance":10},"old":null}
--> {"op":"INSERT","new":{"id":2,"name":"bob","tags":[],"balance":20.5},"old":null}
--> {"op":"UPDATE","new":{"id":1,"name":"ann","tags":[],"balance":15},"old":{"id":1,"name":"ann","tags":[],"balance":10}}
--> {"op":"UPDATE","new":{"id":2,"name":"Bob","tags":["vip"],"balance":20.5},"old":{"id":2,"name":"bob","tags":[],"balance":20.5}}

select record_id = old_record_id as same from audit.record where op = 'UPDATE' order by id;
--> {"same":true}
--> {"same":true}

select count(distinct record_id) from audit.record where table_name = 'account';
--> {"count":2}

create view audit.changes as select r.id, r.table_name, k.key, r.old_record -> k.key as before, r.record -> k.key as after from audit.record r cross join lateral jsonb_object_keys(r.record) as k(key) where r.op = 'UPDATE' and r.old_record -> k.key is distinct from r.record -> k.key;
--> no rows

select table_name, key, before, after from audit.changes order by id, key;
--> {"table_name":"account","key":"balance","before":10,"after":15}
--> {"table_name":"account","key":"name","before":"bob","after":"Bob"}
--> {"table_name":"account","key":"tags","before":[],"after":["vip"]}

truncate transfer;
--> no rows

select op, table_name from audit.record where op = 'TRUNCATE';
--> {"op":"TRUNCATE","table_name":"transfer"}

create function audit.history(entity text, pk int) returns table (op audit.operation, name text, balance numeric) language sql stable as $$ select r.op, r.record ->> 'name', (r.record ->> 'balance')::numeric from audit.record r where r.table_name = entity and (r.record ->> 'id')::int = pk order by r.id $$;
--> no rows

select * from audit.history('account', 1);
--> {"op":"INSERT","name":"ann","balance":"10.00"}
--> {"op":"UPDATE","name":"ann","balance":"15.00"}

select h.name from audit.history('account', 2) as h where h.op = 'UPDATE';
--> {"name":"Bob"}

alter table account disable trigger audit_i_u_d;
--> no rows

update account set name = 'silent' where id = 1;
--> no rows

alter table account enable trigger audit_i_u_d;
--> no rows

select count(*) from audit.record where record ->> 'name' = 'silent';
--> {"count":0}

begin; update account set balance = 0 where id = 1; rollback;
--> no rows

select count(*) from audit.record where (record ->> 'balance')::numeric = 0;
--> {"count":0}

do $$ begin begin update account set balance = -1 where id = 1; raise exception 'no'; exception when others then null; end; end $$;
--> no rows

select count(*) from audit.record;
--> {"count":8}

create function audit.purge(keep interval) returns int language plpgsql as $$ declare n int; begin delete from audit.record where ts < now() - keep; get diagnostics n = row_count; return n; end $$;
--> no rows

select audit.purge('1 day') as purged;
--> {"purged":0}

update audit.record set ts = now() - interval '2 days' where op = 'INSERT';
--> no rows

select audit.purge('1 day') as purged;
--> {"purged":4}

revoke all on schema audit from public; grant usage on schema audit to authenticated; grant select on audit.changes to authenticated;
--> no rows

set role authenticated; select count(*) from audit.changes;
--> {"count":3}

set role authenticated; select count(*) from audit.record;
--> ERROR 42501: permission denied for table record

drop function audit.insert_update_delete();
--> ERROR 2BP01: cannot drop function audit.insert_update_delete() because other objects depend on it
--> DETAIL: trigger audit_i_u_d on table account depends on function audit.insert_update_delete()\ntrigger audit_i_u_d on table transfer depends on function audit.insert_update_delete()
--> HINT: Use DROP ... CASCADE to drop the dependent objects too.

select table_name, count(*) filter (where op = 'UPDATE') as updates, count(*) filter (where op = 'DELETE') as deletes from audit.record group by rollup (table_name) order by table_name nulls last;
--> {"table_name":"account","updates":2,"deletes":0}
--> {"table_name":"transfer","updates":0,"deletes":1}
--> {"table_name":null,"updates":2,"deletes":1}
