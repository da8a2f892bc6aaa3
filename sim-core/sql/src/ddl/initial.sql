-- What a hosted project's database begins with: one description for both engines. It needs no superuser.
create schema auth;
create schema storage;
create schema extensions;
create schema realtime;
create schema vault;
create schema graphql;
create schema graphql_public;
create schema pgsodium;
create schema pgbouncer;
create schema platform_functions;
create extension if not exists "uuid-ossp" with schema extensions;
create extension if not exists pgcrypto with schema extensions;

-- Who a client is, from the claims that the service in front of the database sets.
create function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim', true), ''), nullif(current_setting('request.jwt.claims', true), ''))::jsonb
$$;
create function auth.uid() returns uuid language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''), nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
$$;
create function auth.role() returns text language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim.role', true), ''), nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role')::text
$$;
create function auth.email() returns text language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claim.email', true), ''), nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email')::text
$$;

create type auth.aal_level as enum ('aal1', 'aal2', 'aal3');
create type auth.code_challenge_method as enum ('s256', 'plain');
create type auth.factor_status as enum ('unverified', 'verified');
create type auth.factor_type as enum ('totp', 'webauthn', 'phone');
create type auth.one_time_token_type as enum ('confirmation_token', 'reauthentication_token', 'recovery_token', 'email_change_token_new', 'email_change_token_current', 'phone_change_token');
create type auth.oauth_registration_type as enum ('dynamic', 'manual');
create type auth.oauth_client_type as enum ('public', 'confidential');
create type auth.oauth_response_type as enum ('code');
create type auth.oauth_authorization_status as enum ('pending', 'approved', 'denied', 'expired');
create type storage.buckettype as enum ('STANDARD', 'ANALYTICS', 'VECTOR');

create table auth.users (
  instance_id uuid,
  id uuid not null primary key,
  aud varchar(255),
  role varchar(255),
  email varchar(255),
  encrypted_password varchar(255),
  email_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_token varchar(255),
  confirmation_sent_at timestamptz,
  recovery_token varchar(255),
  recovery_sent_at timestamptz,
  email_change_token_new varchar(255),
  email_change varchar(255),
  email_change_sent_at timestamptz,
  last_sign_in_at timestamptz,
  raw_app_meta_data jsonb,
  raw_user_meta_data jsonb,
  is_super_admin boolean,
  created_at timestamptz,
  updated_at timestamptz,
  phone text unique default null,
  phone_confirmed_at timestamptz,
  phone_change text default '',
  phone_change_token varchar(255) default '',
  phone_change_sent_at timestamptz,
  confirmed_at timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
  email_change_token_current varchar(255) default '',
  email_change_confirm_status smallint default 0,
  banned_until timestamptz,
  reauthentication_token varchar(255) default '',
  reauthentication_sent_at timestamptz,
  is_sso_user boolean not null default false,
  deleted_at timestamptz,
  is_anonymous boolean not null default false
);
create table auth.identities (
  provider_id text not null,
  user_id uuid not null references auth.users(id) on delete cascade,
  identity_data jsonb not null,
  provider text not null,
  last_sign_in_at timestamptz,
  created_at timestamptz,
  updated_at timestamptz,
  email text generated always as (lower(identity_data ->> 'email')) stored,
  id uuid not null default gen_random_uuid() primary key,
  unique (provider_id, provider)
);
create table auth.instances (
  id uuid not null primary key,
  uuid uuid,
  raw_base_config text,
  created_at timestamptz,
  updated_at timestamptz
);
create table auth.audit_log_entries (
  instance_id uuid,
  id uuid not null primary key,
  payload json,
  created_at timestamptz,
  ip_address varchar(64) not null default ''
);
create table auth.schema_migrations (
  version varchar(255) not null primary key
);
create table auth.oauth_clients (
  id uuid not null primary key,
  client_secret_hash text,
  registration_type auth.oauth_registration_type not null,
  redirect_uris text not null,
  grant_types text not null,
  client_name text,
  client_uri text,
  logo_uri text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  client_type auth.oauth_client_type not null default 'confidential',
  token_endpoint_auth_method text not null
);
create table auth.sessions (
  id uuid not null primary key,
  user_id uuid not null references auth.users(id) on delete cascade,
  created_at timestamptz,
  updated_at timestamptz,
  factor_id uuid,
  aal auth.aal_level,
  not_after timestamptz,
  refreshed_at timestamp,
  user_agent text,
  ip inet,
  tag text,
  oauth_client_id uuid references auth.oauth_clients(id) on delete cascade,
  refresh_token_hmac_key text,
  refresh_token_counter bigint,
  scopes text
);
create table auth.refresh_tokens (
  instance_id uuid,
  id bigserial primary key,
  token varchar(255) unique,
  user_id varchar(255),
  revoked boolean,
  created_at timestamptz,
  updated_at timestamptz,
  parent varchar(255),
  session_id uuid references auth.sessions(id) on delete cascade
);
create table auth.mfa_factors (
  id uuid not null primary key,
  user_id uuid not null references auth.users(id) on delete cascade,
  friendly_name text,
  factor_type auth.factor_type not null,
  status auth.factor_status not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  secret text,
  phone text,
  last_challenged_at timestamptz unique,
  web_authn_credential jsonb,
  web_authn_aaguid uuid,
  last_webauthn_challenge_data jsonb
);
create table auth.mfa_challenges (
  id uuid not null primary key,
  factor_id uuid not null references auth.mfa_factors(id) on delete cascade,
  created_at timestamptz not null,
  verified_at timestamptz,
  ip_address inet not null,
  otp_code text,
  web_authn_session_data jsonb
);
create table auth.mfa_amr_claims (
  session_id uuid not null references auth.sessions(id) on delete cascade,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  authentication_method text not null,
  id uuid not null primary key,
  constraint mfa_amr_claims_session_id_authentication_method_pkey unique (session_id, authentication_method)
);
create table auth.one_time_tokens (
  id uuid not null primary key,
  user_id uuid not null references auth.users(id) on delete cascade,
  token_type auth.one_time_token_type not null,
  token_hash text not null check (char_length(token_hash) > 0),
  relates_to text not null,
  created_at timestamp not null default now(),
  updated_at timestamp not null default now()
);
create table auth.flow_state (
  id uuid not null primary key,
  user_id uuid,
  auth_code text,
  code_challenge_method auth.code_challenge_method,
  code_challenge text,
  provider_type text not null,
  provider_access_token text,
  provider_refresh_token text,
  created_at timestamptz,
  updated_at timestamptz,
  authentication_method text not null,
  auth_code_issued_at timestamptz,
  invite_token text,
  referrer text,
  oauth_client_state_id uuid,
  linking_target_id uuid,
  email_optional boolean not null default false
);
create table auth.sso_providers (
  id uuid not null primary key,
  resource_id text,
  created_at timestamptz,
  updated_at timestamptz,
  disabled boolean
);
create table auth.sso_domains (
  id uuid not null primary key,
  sso_provider_id uuid not null references auth.sso_providers(id) on delete cascade,
  domain text not null,
  created_at timestamptz,
  updated_at timestamptz
);
create table auth.saml_providers (
  id uuid not null primary key,
  sso_provider_id uuid not null references auth.sso_providers(id) on delete cascade,
  entity_id text not null unique,
  metadata_xml text not null,
  metadata_url text,
  attribute_mapping jsonb,
  created_at timestamptz,
  updated_at timestamptz,
  name_id_format text
);
create table auth.saml_relay_states (
  id uuid not null primary key,
  sso_provider_id uuid not null references auth.sso_providers(id) on delete cascade,
  request_id text not null,
  for_email text,
  redirect_to text,
  created_at timestamptz,
  updated_at timestamptz,
  flow_state_id uuid references auth.flow_state(id) on delete cascade
);
create table auth.oauth_authorizations (
  id uuid not null primary key,
  authorization_id text not null unique,
  client_id uuid not null references auth.oauth_clients(id) on delete cascade,
  user_id uuid references auth.users(id) on delete cascade,
  redirect_uri text not null,
  scope text not null,
  state text,
  resource text,
  code_challenge text,
  code_challenge_method auth.code_challenge_method,
  response_type auth.oauth_response_type not null default 'code',
  status auth.oauth_authorization_status not null default 'pending',
  authorization_code text unique,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default (now() + interval '3 minutes'),
  approved_at timestamptz,
  nonce text
);
create table auth.oauth_consents (
  id uuid not null primary key,
  user_id uuid not null references auth.users(id) on delete cascade,
  client_id uuid not null references auth.oauth_clients(id) on delete cascade,
  scopes text not null,
  granted_at timestamptz not null default now(),
  revoked_at timestamptz,
  unique (user_id, client_id)
);
create table auth.oauth_client_states (
  id uuid not null primary key,
  provider_type text not null,
  code_verifier text,
  created_at timestamptz not null
);
create table auth.custom_oauth_providers (
  id uuid not null default gen_random_uuid() primary key,
  provider_type text not null,
  identifier text not null unique,
  name text not null,
  client_id text not null,
  client_secret text not null,
  acceptable_client_ids text[] not null default '{}',
  scopes text[] not null default '{}',
  pkce_enabled boolean not null default true,
  attribute_mapping jsonb not null default '{}',
  authorization_params jsonb not null default '{}',
  enabled boolean not null default true,
  email_optional boolean not null default false,
  issuer text,
  discovery_url text,
  skip_nonce_check boolean not null default false,
  cached_discovery jsonb,
  discovery_cached_at timestamptz,
  authorization_url text,
  token_url text,
  userinfo_url text,
  jwks_uri text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  custom_claims_allowlist text[] not null default '{}'
);
create table auth.webauthn_challenges (
  id uuid not null default gen_random_uuid() primary key,
  user_id uuid references auth.users(id) on delete cascade,
  challenge_type text not null,
  session_data jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create table auth.webauthn_credentials (
  id uuid not null default gen_random_uuid() primary key,
  user_id uuid not null references auth.users(id) on delete cascade,
  credential_id bytea not null,
  public_key bytea not null,
  attestation_type text not null default '',
  aaguid uuid,
  sign_count bigint not null default 0,
  transports jsonb not null default '[]',
  backup_eligible boolean not null default false,
  backed_up boolean not null default false,
  friendly_name text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_used_at timestamptz
);
alter table auth.users enable row level security;
alter table auth.identities enable row level security;
alter table auth.instances enable row level security;
alter table auth.audit_log_entries enable row level security;
alter table auth.schema_migrations enable row level security;
alter table auth.sessions enable row level security;
alter table auth.refresh_tokens enable row level security;
alter table auth.mfa_factors enable row level security;
alter table auth.mfa_challenges enable row level security;
alter table auth.mfa_amr_claims enable row level security;
alter table auth.one_time_tokens enable row level security;
alter table auth.flow_state enable row level security;
alter table auth.sso_providers enable row level security;
alter table auth.sso_domains enable row level security;
alter table auth.saml_providers enable row level security;
alter table auth.saml_relay_states enable row level security;

create table storage.buckets (
  id text not null primary key,
  name text not null,
  owner uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  public boolean default false,
  avif_autodetection boolean default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  owner_id text,
  type storage.buckettype not null default 'STANDARD',
  versioning_status text not null default 'DISABLED'
);
create unique index bname on storage.buckets (name);
create table storage.objects (
  id uuid not null default gen_random_uuid() primary key,
  bucket_id text references storage.buckets(id),
  name text,
  owner uuid,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  last_accessed_at timestamptz default now(),
  metadata jsonb,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  version text,
  owner_id text,
  user_metadata jsonb,
  archived_at timestamptz,
  is_delete_marker boolean not null default false,
  is_versioned boolean not null default false
);
create unique index bucketid_objname on storage.objects (bucket_id, name);
create table storage.migrations (
  id integer not null primary key,
  name varchar(100) not null unique,
  hash varchar(40) not null,
  executed_at timestamp default current_timestamp
);
create table storage.s3_multipart_uploads (
  id text not null primary key,
  in_progress_size bigint not null default 0,
  upload_signature text not null,
  bucket_id text not null references storage.buckets(id),
  key text not null,
  version text not null,
  owner_id text,
  created_at timestamptz not null default now(),
  user_metadata jsonb,
  metadata jsonb
);
create table storage.s3_multipart_uploads_parts (
  id uuid not null default gen_random_uuid() primary key,
  upload_id text not null references storage.s3_multipart_uploads(id) on delete cascade,
  size bigint not null default 0,
  part_number integer not null,
  bucket_id text not null references storage.buckets(id),
  key text not null,
  etag text not null,
  owner_id text,
  version text not null,
  created_at timestamptz not null default now()
);
create table storage.buckets_analytics (
  name text not null,
  type storage.buckettype not null default 'ANALYTICS',
  format text not null default 'ICEBERG',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  id uuid not null default gen_random_uuid() primary key,
  deleted_at timestamptz
);
create table storage.buckets_vectors (
  id text not null primary key,
  type storage.buckettype not null default 'VECTOR',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create table storage.vector_indexes (
  id text not null default gen_random_uuid() primary key,
  name text not null,
  bucket_id text not null references storage.buckets_vectors(id),
  data_type text not null,
  dimension integer not null,
  distance_metric text not null,
  metadata_configuration jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create table storage.iceberg_namespaces (
  id uuid not null default gen_random_uuid() primary key,
  bucket_name text not null,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  metadata jsonb not null default '{}',
  catalog_id uuid not null references storage.buckets_analytics(id) on delete cascade
);
create table storage.iceberg_tables (
  id uuid not null default gen_random_uuid() primary key,
  namespace_id uuid not null references storage.iceberg_namespaces(id) on delete cascade,
  bucket_name text not null,
  name text not null,
  location text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  remote_table_id text,
  shard_key text,
  shard_id text,
  catalog_id uuid not null references storage.buckets_analytics(id) on delete cascade
);
alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
alter table storage.migrations enable row level security;
alter table storage.s3_multipart_uploads enable row level security;
alter table storage.s3_multipart_uploads_parts enable row level security;
alter table storage.buckets_analytics enable row level security;
alter table storage.buckets_vectors enable row level security;
alter table storage.vector_indexes enable row level security;
alter table storage.iceberg_namespaces enable row level security;
alter table storage.iceberg_tables enable row level security;

create function storage.foldername(name text) returns text[] language sql immutable as $$
  select (string_to_array(name, '/'))[1:array_length(string_to_array(name, '/'), 1) - 1]
$$;
create function storage.filename(name text) returns text language sql immutable as $$
  select (string_to_array(name, '/'))[array_length(string_to_array(name, '/'), 1)]
$$;
create function storage.extension(name text) returns text language sql immutable as $$
  select reverse(split_part(reverse((string_to_array(name, '/'))[array_length(string_to_array(name, '/'), 1)]), '.', 1))
$$;
create function storage.get_size_by_bucket() returns table (size bigint, bucket_id text) language sql stable as $$
  select sum((o.metadata ->> 'size')::bigint)::bigint, o.bucket_id from storage.objects o group by o.bucket_id
$$;
create function storage.operation() returns text language sql stable as $$
  select current_setting('storage.operation', true)
$$;
create function storage.allow_only_operation(expected_operation text) returns boolean language sql stable as $$
  select coalesce(current_setting('storage.operation', true) = expected_operation, false)
$$;
create function storage.allow_any_operation(expected_operations text[]) returns boolean language sql stable as $$
  select coalesce(current_setting('storage.operation', true) = any (expected_operations), false)
$$;

create table realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp not null default now(),
  inserted_at timestamp not null default now(),
  id uuid not null default gen_random_uuid() primary key
);
alter table realtime.messages enable row level security;
create table realtime.subscription (
  id bigint generated always as identity primary key,
  subscription_id uuid not null,
  entity regclass not null,
  filters text[] not null default '{}',
  claims jsonb not null,
  created_at timestamp not null default now()
);
create function realtime.subscription_check_filters() returns trigger language plpgsql as $$
declare
  filter text;
begin
  foreach filter in array new.filters loop
    if not exists (
      select from pg_attribute
      where attrelid = new.entity and attname = split_part(filter, '=', 1) and attnum > 0 and not attisdropped)
    then
      raise exception 'invalid column for filter %', split_part(filter, '=', 1);
    end if;
  end loop;
  return new;
end $$;
create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void language plpgsql as $$
begin
  insert into realtime.messages (payload, event, topic, private, extension) values (payload, event, topic, private, 'broadcast');
end $$;
create function realtime.broadcast_changes(
  topic_name text, event_name text, operation text, table_name text, table_schema text, new record, old record, level text default 'ROW')
returns void language plpgsql as $$
begin
  if level = 'STATEMENT' then
    raise exception 'function can only be triggered for each row, not for each statement';
  end if;
  if operation not in ('INSERT', 'UPDATE', 'DELETE') then
    raise exception 'Unexpected operation type: %', operation;
  end if;
  perform realtime.send(
    jsonb_build_object('old_record', old, 'record', new, 'operation', operation, 'table', table_name, 'schema', table_schema),
    event_name, topic_name);
end $$;
create function realtime.topic() returns text language sql stable as $$
  select nullif(current_setting('realtime.topic', true), '')::text
$$;

create table vault.secrets (
  id uuid not null default gen_random_uuid() primary key,
  name text,
  description text not null default '',
  secret text not null,
  key_id uuid,
  nonce bytea,
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null default current_timestamp
);
create unique index secrets_name_idx on vault.secrets (name) where name is not null;
create view vault.decrypted_secrets as
  select id, name, description, secret, secret || '' as decrypted_secret, key_id, nonce, created_at, updated_at from vault.secrets;
create function vault.create_secret(
  new_secret text, new_name text default null, new_description text default '', new_key_id uuid default null)
returns uuid language sql as $$
  insert into vault.secrets (secret, name, description, key_id) values (new_secret, new_name, new_description, new_key_id) returning id
$$;
create function vault.update_secret(
  secret_id uuid, new_secret text default null, new_name text default null, new_description text default null,
  new_key_id uuid default null)
returns void language sql as $$
  update vault.secrets set secret = coalesce(new_secret, secret), name = coalesce(new_name, name),
    description = coalesce(new_description, description), key_id = coalesce(new_key_id, key_id), updated_at = now() where id = secret_id
$$;

create table platform_functions.hooks (
  id bigserial primary key,
  hook_table_id integer not null,
  hook_name text not null,
  created_at timestamptz not null default now(),
  request_id bigint
);
create function platform_functions.http_request() returns trigger language plpgsql security definer as $$
declare
  request_id bigint;
  url text := tg_argv[0];
  method text := tg_argv[1];
  headers jsonb := coalesce(nullif(tg_argv[2], 'null'), '{"Content-Type": "application/json"}')::jsonb;
  params jsonb := coalesce(nullif(tg_argv[3], 'null'), '{}')::jsonb;
  timeout integer := coalesce(nullif(tg_argv[4], 'null'), '1000')::integer;
begin
  if coalesce(url, 'null') = 'null' then
    raise exception 'url argument is missing';
  end if;
  if coalesce(method, 'null') = 'null' then
    raise exception 'method argument is missing';
  end if;
  if method = 'GET' then
    request_id := net.http_get(url, params, headers, timeout);
  elsif method = 'POST' then
    request_id := net.http_post(
      url,
      jsonb_build_object('old_record', old, 'record', new, 'type', tg_op, 'table', tg_table_name, 'schema', tg_table_schema),
      params, headers, timeout);
  else
    raise exception 'method argument % is invalid', method;
  end if;
  insert into platform_functions.hooks (hook_table_id, hook_name, request_id) values (tg_relid::bigint, tg_name, request_id);
  return new;
end $$;
create table platform_functions.migrations (
  version text not null primary key,
  inserted_at timestamptz not null default now()
);
create publication platform_realtime;

-- Queries in that language are refused, as on the service until a project has the extension.
create function graphql.resolve(
  query text, variables jsonb default '{}', "operationName" text default null, extensions jsonb default null)
returns jsonb language sql as $$
  select '{"errors": [{"message": "GraphQL queries are not supported."}]}'::jsonb
$$;
create function graphql_public.graphql(
  "operationName" text default null, query text default null, variables jsonb default null, extensions jsonb default null)
returns jsonb language sql as $$
  select '{"errors": [{"message": "pg_graphql extension is not enabled."}]}'::jsonb
$$;

-- What files with a pulled schema name: functions of the platform's own triggers on its files, and of its listings. The triggers
-- themselves are those of the file.
create function storage.update_updated_at_column() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;
create function storage.enforce_bucket_name_length() returns trigger language plpgsql as $$
begin
  if length(new.name) > 100 then
    raise exception 'bucket name "%" is too long (% characters). Max is 100.', new.name, length(new.name);
  end if;
  return new;
end $$;
create function storage.protect_delete() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('storage.allow_delete_query', true), 'false') <> 'true' then
    raise insufficient_privilege using
      message = 'Direct deletion from storage tables is not allowed. Use the Storage API instead.',
      hint = 'This prevents accidental data loss from orphaned objects.';
  end if;
  return null;
end $$;
create function storage.can_insert_object(bucketid text, name text, owner uuid, metadata jsonb) returns void language plpgsql as $$
begin
  insert into storage.objects (bucket_id, name, owner, metadata) values ($1, $2, $3, $4);
  -- The caller wants to know whether it may, and takes the row back.
  raise sqlstate 'PT200' using message = 'ROLLBACK', detail = 'rollback successful insert';
end $$;
create function storage.get_common_prefix(p_key text, p_prefix text, p_delimiter text) returns text language sql immutable as $$
  select case when position(p_delimiter in substr(p_key, length(p_prefix) + 1)) > 0
    then left(p_key, length(p_prefix) + position(p_delimiter in substr(p_key, length(p_prefix) + 1)) + length(p_delimiter) - 1) end
$$;
create function storage.list_objects_with_delimiter(
  _bucket_id text, prefix_param text, delimiter_param text, max_keys integer default 100, start_after text default '',
  next_token text default '', sort_order text default 'asc')
returns table (name text, id uuid, metadata jsonb, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz)
language plpgsql stable as $$
begin
  return query
    with listed as (
      select storage.get_common_prefix(o.name, prefix_param, delimiter_param) as folder, o.*
      from storage.objects o where o.bucket_id = _bucket_id and starts_with(o.name, prefix_param)
    ), keys as (
      select distinct on (coalesce(l.folder, l.name) collate "C") coalesce(l.folder, l.name) as key, l.folder is null as is_file, l.*
      from listed l order by coalesce(l.folder, l.name) collate "C"
    )
    select k.key, case when k.is_file then k.id end, case when k.is_file then k.metadata end,
      case when k.is_file then k.updated_at end, case when k.is_file then k.created_at end,
      case when k.is_file then k.last_accessed_at end
    from keys k
    where coalesce(nullif(next_token, ''), nullif(start_after, '')) is null
      or (lower(sort_order) = 'desc') = (k.key collate "C" < coalesce(nullif(next_token, ''), start_after))
        and k.key <> coalesce(nullif(next_token, ''), start_after)
    order by case when lower(sort_order) = 'desc' then k.key end collate "C" desc, k.key collate "C"
    limit max_keys;
end $$;
create function storage.list_multipart_uploads_with_delimiter(
  bucket_id text, prefix_param text, delimiter_param text, max_keys integer default 100, next_key_token text default '',
  next_upload_token text default '')
returns table (key text, id text, created_at timestamptz) language plpgsql as $$
begin
  return query
    select distinct on (u.listed collate "C") u.listed, u.id, u.created_at
    from (
      select coalesce(storage.get_common_prefix(m.key, prefix_param, delimiter_param), m.key) as listed, m.*
      from storage.s3_multipart_uploads m
      where m.bucket_id = list_multipart_uploads_with_delimiter.bucket_id and starts_with(m.key, prefix_param)
    ) u
    where next_key_token = '' or u.listed collate "C" > next_key_token
      or next_upload_token <> '' and u.listed = next_key_token and u.id collate "C" > next_upload_token
    order by u.listed collate "C", u.created_at
    limit max_keys;
end $$;
create function storage.search_v2(
  prefix text, bucket_name text, limits integer default 100, levels integer default 1, start_after text default '',
  sort_order text default 'asc', sort_column text default 'name', sort_column_after text default '')
returns table (
  key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
language plpgsql stable as $$
declare
  falls boolean := lower(sort_order) = 'desc';
  by_time boolean := lower(sort_column) in ('created_at', 'updated_at');
begin
  return query
    with listed as (
      select array_to_string(o.path_tokens[:levels], '/') || case when cardinality(o.path_tokens) > levels then '/' else '' end as path,
        cardinality(o.path_tokens) = levels as is_file, o.*
      from storage.objects o
      where o.bucket_id = bucket_name and starts_with(lower(o.name), lower(prefix)) and cardinality(o.path_tokens) >= levels
    ), entries as (
      select distinct on (l.path collate "C") l.path, l.is_file, l.id as id_, l.updated_at as updated, l.created_at as created,
        l.last_accessed_at as accessed, l.metadata as facts,
        case when not by_time or not l.is_file then 'epoch' when lower(sort_column) = 'created_at' then l.created_at else l.updated_at end as at
      from listed l order by l.path collate "C"
    )
    select split_part(e.path, '/', levels), e.path, case when e.is_file then e.id_ end, case when e.is_file then e.updated end,
      case when e.is_file then e.created end, case when e.is_file then e.accessed end, case when e.is_file then e.facts end
    from entries e
    where start_after = ''
      or case when by_time and sort_column_after <> '' and date_trunc('milliseconds', e.at) <> sort_column_after::timestamptz
        then falls = (date_trunc('milliseconds', e.at) < sort_column_after::timestamptz)
        else falls = (e.path collate "C" < start_after) and e.path <> start_after end
    order by case when falls then e.at end desc, case when not falls then e.at end,
      case when falls then e.path end collate "C" desc, e.path collate "C"
    limit least(coalesce(limits, 100), 1500);
end $$;
create function storage.search_by_timestamp(
  p_prefix text, p_bucket_id text, p_limit integer, p_level integer, p_start_after text, p_sort_order text, p_sort_column text,
  p_sort_column_after text)
returns table (
  key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
language plpgsql stable as $$
begin
  return query select found.* from storage.search_v2(
    p_prefix, p_bucket_id, p_limit, p_level, p_start_after, p_sort_order, p_sort_column, p_sort_column_after) found;
end $$;
create function storage.search(
  prefix text, bucketname text, limits integer default 100, levels integer default 1, offsets integer default 0, search text default '',
  sortcolumn text default 'name', sortorder text default 'asc')
returns table (name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
language plpgsql stable as $$
declare
  falls boolean := lower(sortorder) = 'desc';
begin
  return query
    with listed as (
      select o.path_tokens[levels] as token, cardinality(o.path_tokens) = levels as is_file, o.*
      from storage.objects o
      where o.bucket_id = bucketname and starts_with(lower(o.name), lower(prefix || search)) and cardinality(o.path_tokens) >= levels
    ), entries as (
      select l.token, null::uuid as id_, null::timestamptz as updated, null::timestamptz as created, null::timestamptz as accessed,
        null::jsonb as facts, null::timestamptz as at
      from listed l where not l.is_file group by l.token
      union all
      select l.token, l.id, l.updated_at, l.created_at, l.last_accessed_at, l.metadata,
        case lower(sortcolumn) when 'updated_at' then l.updated_at when 'created_at' then l.created_at
          when 'last_accessed_at' then l.last_accessed_at end
      from listed l where l.is_file
    )
    select e.token, e.id_, e.updated, e.created, e.accessed, e.facts from entries e
    order by e.id_ is not null, case when falls then e.at end desc, case when not falls then e.at end,
      case when falls then e.token end collate "C" desc, e.token collate "C"
    limit limits offset offsets;
end $$;
create function storage.search_legacy_v1(
  prefix text, bucketname text, limits integer default 100, levels integer default 1, offsets integer default 0, search text default '',
  sortcolumn text default 'name', sortorder text default 'asc')
returns table (name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
language plpgsql stable as $$
begin
  return query select found.* from storage.search(prefix, bucketname, limits, levels, offsets, search, sortcolumn, sortorder) found;
end $$;
create function storage.search_v1_optimised(
  prefix text, bucketname text, limits integer default 100, levels integer default 1, offsets integer default 0, search text default '',
  sortcolumn text default 'name', sortorder text default 'asc')
returns table (name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb)
language plpgsql stable as $$
begin
  return query select found.* from storage.search(prefix, bucketname, limits, levels, offsets, search, sortcolumn, sortorder) found;
end $$;
-- An earlier edition of the platform kept the folders of files in a table of their own.
create function storage.get_level(name text) returns integer language sql immutable strict as $$
  select cardinality(string_to_array(name, '/'))
$$;
create function storage.get_prefix(name text) returns text language sql immutable strict as $$
  select array_to_string((string_to_array(name, '/'))[:cardinality(string_to_array(name, '/')) - 1], '/')
$$;
create function storage.get_prefixes(name text) returns text[] language sql immutable strict as $$
  select coalesce(array_agg(array_to_string((string_to_array(name, '/'))[:level], '/') order by level), '{}')
  from generate_series(1, cardinality(string_to_array(name, '/')) - 1) level
$$;
create table storage.prefixes (
  bucket_id text not null references storage.buckets(id),
  name text not null,
  level integer not null generated always as (cardinality(string_to_array(name, '/'))) stored,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  primary key (bucket_id, level, name)
);
alter table storage.prefixes enable row level security;
create function storage.add_prefixes(_bucket_id text, _name text) returns void language sql security definer as $$
  insert into storage.prefixes (bucket_id, name) select _bucket_id, prefix from unnest(storage.get_prefixes(_name)) prefix
  on conflict do nothing
$$;
create function storage.delete_prefix(_bucket_id text, _name text) returns boolean language plpgsql security definer as $$
begin
  if exists (select from storage.prefixes p where p.bucket_id = _bucket_id and starts_with(p.name, _name || '/'))
    or exists (select from storage.objects o where o.bucket_id = _bucket_id and starts_with(o.name, _name || '/')) then
    return false;
  end if;
  delete from storage.prefixes p where p.bucket_id = _bucket_id and p.name = _name;
  return true;
end $$;
create function storage.delete_leaf_prefixes(bucket_ids text[], names text[]) returns void language plpgsql security definer as $$
declare
  given record;
  folder text;
begin
  for given in select * from unnest(bucket_ids, names) given(bucket_id, name) loop
    folder := given.name;
    while folder <> '' and storage.delete_prefix(given.bucket_id, folder) loop
      folder := storage.get_prefix(folder);
    end loop;
  end loop;
end $$;
create function storage.lock_top_prefixes(bucket_ids text[], names text[]) returns void language plpgsql security definer as $$
begin
end $$;
create function storage.delete_prefix_hierarchy_trigger() returns trigger language plpgsql as $$
begin
  if storage.get_prefix(old.name) <> '' then
    perform storage.delete_prefix(old.bucket_id, storage.get_prefix(old.name));
  end if;
  return old;
end $$;
create function storage.prefixes_insert_trigger() returns trigger language plpgsql as $$
begin
  perform storage.add_prefixes(new.bucket_id, new.name);
  return new;
end $$;
create function storage.objects_insert_prefix_trigger() returns trigger language plpgsql as $$
begin
  perform storage.add_prefixes(new.bucket_id, new.name);
  return new;
end $$;
create function storage.objects_update_prefix_trigger() returns trigger language plpgsql as $$
begin
  perform storage.add_prefixes(new.bucket_id, new.name);
  perform storage.delete_leaf_prefixes(array[old.bucket_id], array[storage.get_prefix(old.name)]);
  return new;
end $$;
create function storage.objects_update_level_trigger() returns trigger language plpgsql as $$
begin
  return new;
end $$;
create function storage.objects_delete_cleanup() returns trigger language plpgsql security definer as $$
begin
  return null;
end $$;
create function storage.objects_update_cleanup() returns trigger language plpgsql security definer as $$
begin
  return null;
end $$;
create function storage.prefixes_delete_cleanup() returns trigger language plpgsql security definer as $$
begin
  return null;
end $$;
