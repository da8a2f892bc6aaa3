-- Requests are recorded; nothing sends them.
create table net.http_request_queue (
  id bigserial primary key, method text not null, url text not null, headers jsonb, body bytea, timeout_milliseconds integer not null);
create table net._http_response (
  id bigint, status_code integer, content_type text, headers jsonb, content text, timed_out boolean, error_msg text,
  created timestamptz not null default now());
create function net.http_get(url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 5000)
returns bigint language sql as $$
  insert into net.http_request_queue (method, url, headers, timeout_milliseconds)
  values ('GET', url, headers, timeout_milliseconds) returning id $$;
create function net.http_delete(url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 5000)
returns bigint language sql as $$
  insert into net.http_request_queue (method, url, headers, timeout_milliseconds)
  values ('DELETE', url, headers, timeout_milliseconds) returning id $$;
create function net.http_post(url text, body jsonb default '{}', params jsonb default '{}',
  headers jsonb default '{"Content-Type": "application/json"}', timeout_milliseconds integer default 5000)
returns bigint language sql as $$
  insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
  values ('POST', url, headers, convert_to(body::text, 'UTF8'), timeout_milliseconds) returning id $$;
