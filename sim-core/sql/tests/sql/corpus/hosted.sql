-- What a hosted project's database begins with, and the lines of a schema dump.

create table item (id bigint not null, owner uuid, title text, kind text, primary key (id));
--> no rows

set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-000000000001","role":"authenticated","email":"a@b.test"}'; select auth.uid() as uid, auth.role() as role, auth.email() as email, auth.jwt() ->> 'sub' as sub;
--> {"uid":"00000000-0000-0000-0000-000000000001","role":"authenticated","email":"a@b.test","sub":"00000000-0000-0000-0000-000000000001"}

select auth.uid() is null as a, auth.jwt() is null as b;
--> {"a":true,"b":true}

set request.jwt.claim.sub = '00000000-0000-0000-0000-000000000002'; select auth.uid() as uid;
--> {"uid":"00000000-0000-0000-0000-000000000002"}

select storage.foldername('u1/pics/a.png') as a, (storage.foldername('u1/pics/a.png'))[1] as b, storage.filename('u1/a.tar.gz') as c, storage.extension('u1/a.tar.gz') as d;
--> {"a":["u1","pics"],"b":"u1","c":"a.tar.gz","d":"gz"}

create policy own_files on storage.objects for select to authenticated using (bucket_id = 'avatars' and (storage.foldername(name))[1] = (auth.uid())::text);
--> no rows

insert into storage.buckets (id, name, public) values ('avatars', 'avatars', true) returning id, type, versioning_status;
--> {"id":"avatars","type":"STANDARD","versioning_status":"DISABLED"}

insert into storage.objects (bucket_id, name, metadata) values ('avatars', 'u1/a.png', '{"size": 10}'), ('avatars', 'u1/b/c.png', '{"size": 5}') returning name, path_tokens;
--> {"name":"u1/a.png","path_tokens":["u1","a.png"]}
--> {"name":"u1/b/c.png","path_tokens":["u1","b","c.png"]}

insert into storage.objects (id, bucket_id, name) values ('00000000-0000-0000-0000-0000000000ff', 'missing', 'x');
--> ERROR 23503: insert or update on table "objects" violates foreign key constraint "objects_bucket_id_fkey"
--> DETAIL: Key (bucket_id)=(missing) is not present in table "buckets".

select * from storage.get_size_by_bucket();
--> {"size":15,"bucket_id":"avatars"}

insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data) values ('00000000-0000-0000-0000-000000000001', 'A@b.test', '2024-01-02 03:04:05+00', '{"name":"a"}') returning email, confirmed_at, is_anonymous, phone_change, email_change_confirm_status;
--> {"email":"A@b.test","confirmed_at":"2024-01-02 03:04:05+00","is_anonymous":false,"phone_change":"","email_change_confirm_status":0}

insert into auth.identities (provider_id, user_id, identity_data, provider) values ('p1', '00000000-0000-0000-0000-000000000001', '{"email":"A@B.test"}', 'email') returning provider, email;
--> {"provider":"email","email":"a@b.test"}

select count(*) from auth.identities;
--> {"count":1}

insert into auth.sessions (id, user_id, aal) values ('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-000000000001', 'aal1') returning aal;
--> {"aal":"aal1"}

insert into auth.refresh_tokens (token, session_id) values ('t', '00000000-0000-0000-0000-00000000000a') returning id;
--> {"id":1}

delete from auth.users;
--> no rows

select (select count(*) from auth.identities) as a, (select count(*) from auth.sessions) as b, (select count(*) from auth.refresh_tokens) as c;
--> {"a":0,"b":0,"c":0}

select count(*) as tables from information_schema.tables where table_schema = 'auth';
--> {"tables":23}

select count(*) as columns from information_schema.columns where table_schema = 'auth' and table_name = 'users';
--> {"columns":35}

select count(*) from auth.webauthn_credentials;
--> {"count":0}

select tablename from pg_tables where schemaname = 'storage' and not rowsecurity order by 1;
--> no rows

create table profile (id uuid primary key references auth.users on delete cascade, name text);
--> no rows

alter publication platform_realtime add table only public.item;
--> no rows

alter publication platform_realtime add table item;
--> ERROR 42710: relation "item" is already member of publication "platform_realtime"

alter publication platform_realtime drop table profile;
--> ERROR 42704: relation "profile" is not part of the publication

select pubname, schemaname, tablename from pg_publication_tables;
--> {"pubname":"platform_realtime","schemaname":"public","tablename":"item"}

alter publication platform_realtime owner to postgres;
--> no rows

alter publication platform_realtime drop table item;
--> no rows

grant usage on schema public to platform_auth_admin;
--> no rows

grant all on table item to anon, authenticated, service_role;
--> no rows

grant select on item to nobody_v;
--> ERROR 42704: role "nobody_v" does not exist

revoke all on item from nobody_v;
--> ERROR 42704: role "nobody_v" does not exist

alter table item owner to nobody_w;
--> ERROR 42704: role "nobody_w" does not exist

alter table item owner to postgres;
--> no rows

alter schema public owner to nobody_w;
--> ERROR 42704: role "nobody_w" does not exist

alter type auth.aal_level owner to nobody_w;
--> ERROR 42704: role "nobody_w" does not exist

alter table public.item alter column id add generated by default as identity (
    sequence name public.item_id_seq
    start with 1
    increment by 1
    no minvalue
    no maxvalue
    cache 1
);
--> no rows

insert into item (title) values ('a'), ('b') returning id;
--> {"id":1}
--> {"id":2}

select pg_get_serial_sequence('item', 'id') as a;
--> {"a":"public.item_id_seq"}

create table tagged (id bigint generated by default as identity (sequence name tagged_numbers start with 5), name text);
--> no rows

insert into tagged (name) values ('a') returning id;
--> {"id":5}

create index item_kind on item (id) where kind in ('x', 'y');
--> no rows

create unique index item_title on item (title) where (kind)::text = any ((array['x'::character varying, 'y'::character varying])::text[]);
--> no rows

insert into item (title, kind) values ('c', 'x');
--> no rows

insert into item (title, kind) values ('c', 'y');
--> ERROR 23505: duplicate key value violates unique constraint "item_title"
--> DETAIL: Key (title)=(c) already exists.

insert into item (title, kind) values ('c', 'z') returning title;
--> {"title":"c"}

create role auditor;
--> no rows

create role auditor;
--> ERROR 42710: role "auditor" already exists

grant auditor to authenticator;
--> no rows

grant auditor to nobody_v;
--> ERROR 42704: role "nobody_v" does not exist

select rolname, rolcanlogin, rolinherit from pg_roles where rolname = 'auditor';
--> {"rolname":"auditor","rolcanlogin":false,"rolinherit":true}

alter role auditor with login noinherit;
--> no rows

select rolname, rolcanlogin, rolinherit from pg_roles where rolname = 'auditor';
--> {"rolname":"auditor","rolcanlogin":true,"rolinherit":false}

create user clerk;
--> no rows

select rolcanlogin from pg_roles where rolname = 'clerk';
--> {"rolcanlogin":true}

drop role auditor;
--> no rows

drop role nobody_v;
--> ERROR 42704: role "nobody_v" does not exist

drop role if exists nobody_v;
--> no rows

drop role clerk;
--> no rows

begin foo;
--> ERROR 42601: syntax error at or near "foo"
--> AT 7

commit bar;
--> ERROR 42601: syntax error at or near "bar"
--> AT 8

end nonsense;
--> ERROR 42601: syntax error at or near "nonsense"
--> AT 5

start transaction foo;
--> ERROR 42601: syntax error at or near "foo"
--> AT 19

rollback foo;
--> ERROR 42601: syntax error at or near "foo"
--> AT 10

begin transaction isolation level nonsense;
--> ERROR 42601: syntax error at or near "nonsense"
--> AT 35

begin isolation level serializable, read write; commit work;
--> no rows

start transaction read only; rollback transaction;
--> no rows

create table twice (id uuid unique not null primary key, a int unique, unique (a), constraint named unique (id));
--> no rows

select conname, contype from pg_constraint where conrelid = 'twice'::regclass order by 1;
--> {"conname":"named","contype":"p"}
--> {"conname":"twice_a_key","contype":"u"}
