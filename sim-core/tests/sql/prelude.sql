-- What every project's database has from the start, for a server that knows nothing of it.
do $$
declare r text;
begin
  foreach r in array array['anon', 'authenticated', 'service_role'] loop
    if not exists (select from pg_roles where rolname = r) then
      execute format('create role %I nologin', r);
    end if;
  end loop;
end $$;

create schema auth;
create schema storage;
create schema extensions;

create table auth.users (
    id uuid not null primary key,
    aud varchar(255),
    role varchar(255),
    email varchar(255),
    encrypted_password varchar(255),
    raw_app_meta_data jsonb,
    raw_user_meta_data jsonb,
    phone text,
    created_at timestamptz,
    updated_at timestamptz
);

create function auth.uid() returns uuid language sql stable as $$
    select nullif(current_setting('request.jwt.claim.sub', true), '')::uuid
$$;

create table storage.buckets (
    id text not null primary key,
    name text not null unique,
    owner uuid,
    public boolean default false,
    file_size_limit bigint,
    allowed_mime_types text[],
    created_at timestamptz default now(),
    updated_at timestamptz default now()
);

create table storage.objects (
    id uuid not null default gen_random_uuid() primary key,
    bucket_id text references storage.buckets,
    name text,
    owner uuid,
    metadata jsonb,
    created_at timestamptz default now(),
    updated_at timestamptz default now()
);

do $$
begin
  execute format('alter database %I set search_path = "$user", public, extensions', current_database());
end $$;
