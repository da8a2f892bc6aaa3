-- Policies of buckets and objects: own folders, public files, a quota, signed metadata.

insert into storage.buckets (id, name, public) values ('avatars', 'avatars', true), ('private', 'private', false) on conflict (id) do nothing;
--> no rows

select id, public from storage.buckets order by id;
--> {"id":"avatars","public":true}
--> {"id":"private","public":false}

insert into auth.users (id, email) values ('00000000-0000-0000-0000-0000000000a1', 'ann@x.io'), ('00000000-0000-0000-0000-0000000000b2', 'bob@x.io');
--> no rows

create policy "public avatars" on storage.objects for select using (bucket_id = 'avatars');
--> no rows

create policy "own avatar" on storage.objects for insert to authenticated with check (bucket_id = 'avatars' and (storage.foldername(name))[1] = auth.uid()::text);
--> no rows

create policy "own avatar again" on storage.objects for update to authenticated using (bucket_id = 'avatars' and owner = auth.uid()) with check (bucket_id = 'avatars');
--> no rows

create policy "own files" on storage.objects for all to authenticated using (bucket_id = 'private' and owner = auth.uid()) with check (bucket_id = 'private' and owner = auth.uid());
--> no rows

create policy "no executables" on storage.objects as restrictive for insert to authenticated with check (storage.extension(name) not in ('exe', 'sh'));
--> no rows

select policyname, cmd, permissive from pg_policies where schemaname = 'storage' order by policyname;
--> {"policyname":"no executables","cmd":"INSERT","permissive":"RESTRICTIVE"}
--> {"policyname":"own avatar","cmd":"INSERT","permissive":"PERMISSIVE"}
--> {"policyname":"own avatar again","cmd":"UPDATE","permissive":"PERMISSIVE"}
--> {"policyname":"own files","cmd":"ALL","permissive":"PERMISSIVE"}
--> {"policyname":"public avatars","cmd":"SELECT","permissive":"PERMISSIVE"}

select storage.foldername('a/b/c.png') as folders, storage.filename('a/b/c.png') as file, storage.extension('a/b/c.png') as ext;
--> {"folders":["a","b"],"file":"c.png","ext":"png"}

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-0000000000a1","role":"authenticated"}'; insert into storage.objects (bucket_id, name, owner) values ('avatars', '00000000-0000-0000-0000-0000000000a1/me.png', auth.uid()) returning bucket_id, name;
--> {"bucket_id":"avatars","name":"00000000-0000-0000-0000-0000000000a1/me.png"}

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-0000000000a1","role":"authenticated"}'; insert into storage.objects (bucket_id, name, owner) values ('avatars', '00000000-0000-0000-0000-0000000000b2/me.png', auth.uid());
--> ERROR 42501: new row violates row-level security policy for table "objects"

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-0000000000a1","role":"authenticated"}'; insert into storage.objects (bucket_id, name, owner) values ('avatars', '00000000-0000-0000-0000-0000000000a1/run.sh', auth.uid());
--> ERROR 42501: new row violates row-level security policy "no executables" for table "objects"

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-0000000000b2","role":"authenticated"}'; insert into storage.objects (bucket_id, name, owner) values ('private', 'b.txt', auth.uid()), ('private', 'notes/c.txt', auth.uid()) returning name;
--> {"name":"b.txt"}
--> {"name":"notes/c.txt"}

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-0000000000b2","role":"authenticated"}'; insert into storage.objects (bucket_id, name, owner) values ('private', 'd.txt', '00000000-0000-0000-0000-0000000000a1');
--> ERROR 42501: new row violates row-level security policy for table "objects"

set role anon; select bucket_id, name from storage.objects order by name;
--> {"bucket_id":"avatars","name":"00000000-0000-0000-0000-0000000000a1/me.png"}

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-0000000000b2"}'; select bucket_id, name from storage.objects order by name;
--> {"bucket_id":"avatars","name":"00000000-0000-0000-0000-0000000000a1/me.png"}
--> {"bucket_id":"private","name":"b.txt"}
--> {"bucket_id":"private","name":"notes/c.txt"}

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-0000000000a1"}'; select count(*) from storage.objects where bucket_id = 'private';
--> {"count":0}

set role service_role; select count(*) from storage.objects;
--> {"count":3}

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-0000000000b2"}'; update storage.objects set name = 'stolen' where bucket_id = 'avatars' returning name;
--> no rows

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-0000000000a1"}'; update storage.objects set metadata = '{"size": 2048, "mimetype": "image/png"}' where bucket_id = 'avatars' returning metadata ->> 'size' as size;
--> {"size":"2048"}

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-0000000000b2"}'; delete from storage.objects where name = 'b.txt' returning name;
--> {"name":"b.txt"}

set role anon; insert into storage.objects (bucket_id, name) values ('avatars', 'x.png');
--> ERROR 42501: new row violates row-level security policy for table "objects"

create function public.used_bytes(of uuid) returns bigint language sql stable security definer set search_path = '' as $$ select coalesce(sum((metadata ->> 'size')::bigint), 0) from storage.objects where owner = of $$;
--> no rows

select public.used_bytes('00000000-0000-0000-0000-0000000000a1') as a, public.used_bytes('00000000-0000-0000-0000-0000000000b2') as b;
--> {"a":2048,"b":0}

create policy quota on storage.objects as restrictive for insert to authenticated with check (public.used_bytes(auth.uid()) < 2000);
--> no rows

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-0000000000a1"}'; insert into storage.objects (bucket_id, name, owner) values ('avatars', '00000000-0000-0000-0000-0000000000a1/two.png', auth.uid());
--> ERROR 42501: new row violates row-level security policy "quota" for table "objects"

drop policy quota on storage.objects;
--> no rows

create table public.file_share (object_name text not null, with_user uuid references auth.users on delete cascade, primary key (object_name, with_user));
--> no rows

alter table public.file_share enable row level security;
--> no rows

create policy shares on public.file_share for select to authenticated using (with_user = auth.uid());
--> no rows

grant select on public.file_share to authenticated;
--> no rows

create policy "shared files" on storage.objects for select to authenticated using (bucket_id = 'private' and exists (select 1 from public.file_share s where s.object_name = objects.name and s.with_user = auth.uid()));
--> no rows

insert into public.file_share values ('notes/c.txt', '00000000-0000-0000-0000-0000000000a1');
--> no rows

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-0000000000a1"}'; select name from storage.objects where bucket_id = 'private';
--> {"name":"notes/c.txt"}

create view public.my_files with (security_invoker = true) as select bucket_id, name, storage.extension(name) as ext from storage.objects;
--> no rows

grant select on public.my_files to authenticated;
--> no rows

set role authenticated; set request.jwt.claims = '{"sub":"00000000-0000-0000-0000-0000000000b2"}'; select name, ext from public.my_files order by name;
--> {"name":"00000000-0000-0000-0000-0000000000a1/me.png","ext":"png"}
--> {"name":"notes/c.txt","ext":"txt"}

create function public.folder_tree() returns table (folder text, files bigint) language sql stable as $$ select coalesce((storage.foldername(name))[1], '/'), count(*) from storage.objects group by 1 order by 2 desc, 1 $$;
--> no rows

select * from public.folder_tree();
--> {"folder":"00000000-0000-0000-0000-0000000000a1","files":1}
--> {"folder":"notes","files":1}

delete from auth.users where id = '00000000-0000-0000-0000-0000000000a1';
--> no rows

select count(*) from public.file_share;
--> {"count":0}

insert into storage.objects (bucket_id, name) values ('nope', 'x');
--> ERROR 23503: insert or update on table "objects" violates foreign key constraint "objects_bucket_id_fkey"
--> DETAIL: Key (bucket_id)=(nope) is not present in table "buckets".

delete from storage.buckets where id = 'avatars';
--> ERROR 23503: update or delete on table "buckets" violates foreign key constraint "objects_bucket_id_fkey" on table "objects"
--> DETAIL: Key (id)=(avatars) is still referenced from table "objects".

alter policy "own files" on storage.objects to authenticated, service_role;
--> no rows

select roles from pg_policies where policyname = 'own files';
--> {"roles":"{authenticated,service_role}"}
