create type pgmq.message_record as (msg_id bigint, read_ct integer, enqueued_at timestamptz, vt timestamptz, message jsonb);
create type pgmq.queue_record as (queue_name varchar, is_partitioned boolean, is_unlogged boolean, created_at timestamptz);
create type pgmq.metrics_result as (
  queue_name text, queue_length bigint, newest_msg_age_sec integer, oldest_msg_age_sec integer, total_messages bigint,
  scrape_time timestamptz);
create table pgmq.meta (
  queue_name varchar unique not null, is_partitioned boolean not null, is_unlogged boolean not null,
  created_at timestamptz not null default now());

create function pgmq.create(queue_name text) returns void language plpgsql as $$
declare
  queue text := lower(queue_name);
begin
  if length(queue) >= 48 then
    raise exception 'queue name is too long, maximum length is 48 characters';
  end if;
  if exists (select 1 from pgmq.meta m where m.queue_name = queue) then
    return;
  end if;
  execute format('create table pgmq.%I (msg_id bigint primary key generated always as identity, read_ct int not null default 0,
    enqueued_at timestamptz not null default now(), vt timestamptz not null, message jsonb)', 'q_' || queue);
  execute format('create index on pgmq.%I (vt asc)', 'q_' || queue);
  execute format('create table pgmq.%I (msg_id bigint primary key, read_ct int not null default 0,
    enqueued_at timestamptz not null default now(), archived_at timestamptz not null default now(), vt timestamptz not null,
    message jsonb)', 'a_' || queue);
  insert into pgmq.meta (queue_name, is_partitioned, is_unlogged) values (queue, false, false);
end $$;
create function pgmq.create_non_partitioned(queue_name text) returns void language sql as $$ select pgmq.create(queue_name) $$;
create function pgmq.create_unlogged(queue_name text) returns void language plpgsql as $$
begin
  perform pgmq.create(queue_name);
  update pgmq.meta m set is_unlogged = true where m.queue_name = lower(create_unlogged.queue_name);
end $$;
create function pgmq.drop_queue(queue_name text) returns boolean language plpgsql as $$
declare
  queue text := lower(queue_name);
begin
  if not exists (select 1 from pgmq.meta m where m.queue_name = queue) then
    raise notice 'pgmq queue `%` does not exist', queue;
    return false;
  end if;
  execute format('drop table pgmq.%I', 'q_' || queue);
  execute format('drop table pgmq.%I', 'a_' || queue);
  delete from pgmq.meta m where m.queue_name = queue;
  return true;
end $$;
create function pgmq.list_queues() returns setof pgmq.queue_record language sql as $$
  select queue_name, is_partitioned, is_unlogged, created_at from pgmq.meta $$;
create function pgmq.purge_queue(queue_name text) returns bigint language plpgsql as $$
declare
  purged bigint;
begin
  execute format('delete from pgmq.%I', 'q_' || lower(queue_name));
  get diagnostics purged = row_count;
  return purged;
end $$;

create function pgmq.send(queue_name text, msg jsonb, delay integer default 0) returns setof bigint language plpgsql as $$
begin
  return query execute format('insert into pgmq.%I (vt, message) values (now() + $2 * interval ''1 second'', $1) returning msg_id',
    'q_' || lower(queue_name)) using msg, delay;
end $$;
create function pgmq.send_batch(queue_name text, msgs jsonb[], delay integer default 0) returns setof bigint language plpgsql as $$
begin
  return query execute format('insert into pgmq.%I (vt, message) select now() + $2 * interval ''1 second'', m from unnest($1) as m returning msg_id',
    'q_' || lower(queue_name)) using msgs, delay;
end $$;
create function pgmq.read(queue_name text, vt integer, qty integer) returns setof pgmq.message_record language plpgsql as $$
begin
  return query execute format('update pgmq.%1$I q set vt = now() + $1 * interval ''1 second'', read_ct = read_ct + 1
    where q.msg_id in (select msg_id from pgmq.%1$I where vt <= now() order by msg_id limit $2)
    returning q.msg_id, q.read_ct, q.enqueued_at, q.vt, q.message', 'q_' || lower(queue_name)) using vt, qty;
end $$;
create function pgmq.read_with_poll(
  queue_name text, vt integer, qty integer, max_poll_seconds integer default 5, poll_interval_ms integer default 100)
returns setof pgmq.message_record language sql as $$ select * from pgmq.read(queue_name, vt, qty) $$;
create function pgmq.pop(queue_name text) returns setof pgmq.message_record language plpgsql as $$
begin
  return query execute format('delete from pgmq.%1$I q where q.msg_id in (select msg_id from pgmq.%1$I where vt <= now() order by msg_id limit 1)
    returning q.msg_id, q.read_ct, q.enqueued_at, q.vt, q.message', 'q_' || lower(queue_name));
end $$;
create function pgmq.set_vt(queue_name text, msg_id bigint, vt integer) returns setof pgmq.message_record language plpgsql as $$
begin
  return query execute format('update pgmq.%I q set vt = now() + $2 * interval ''1 second'' where q.msg_id = $1
    returning q.msg_id, q.read_ct, q.enqueued_at, q.vt, q.message', 'q_' || lower(queue_name)) using msg_id, vt;
end $$;
create function pgmq.delete(queue_name text, msg_ids bigint[]) returns setof bigint language plpgsql as $$
begin
  return query execute format('delete from pgmq.%I where msg_id = any ($1) returning msg_id', 'q_' || lower(queue_name)) using msg_ids;
end $$;
create function pgmq.delete(queue_name text, msg_id bigint) returns boolean language sql as $$
  select exists (select 1 from pgmq.delete(queue_name, array[msg_id])) $$;
create function pgmq.archive(queue_name text, msg_ids bigint[]) returns setof bigint language plpgsql as $$
begin
  return query execute format('with gone as (delete from pgmq.%I where msg_id = any ($1) returning msg_id, vt, read_ct, enqueued_at, message)
    insert into pgmq.%I (msg_id, vt, read_ct, enqueued_at, message) select msg_id, vt, read_ct, enqueued_at, message from gone returning msg_id',
    'q_' || lower(queue_name), 'a_' || lower(queue_name)) using msg_ids;
end $$;
create function pgmq.archive(queue_name text, msg_id bigint) returns boolean language sql as $$
  select exists (select 1 from pgmq.archive(queue_name, array[msg_id])) $$;
create function pgmq.metrics(queue_name text) returns pgmq.metrics_result language plpgsql as $$
declare
  found pgmq.metrics_result;
begin
  execute format('select $1, count(*), extract(epoch from now() - max(enqueued_at))::int, extract(epoch from now() - min(enqueued_at))::int,
    coalesce(greatest(max(msg_id), (select max(msg_id) from pgmq.%I)), 0), now() from pgmq.%I', 'a_' || lower(queue_name), 'q_' || lower(queue_name))
    into found using queue_name;
  return found;
end $$;
create function pgmq.metrics_all() returns setof pgmq.metrics_result language plpgsql as $$
declare
  queue record;
begin
  for queue in select m.queue_name from pgmq.meta m order by 1 loop
    return next pgmq.metrics(queue.queue_name);
  end loop;
end $$;
