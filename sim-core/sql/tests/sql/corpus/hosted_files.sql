-- The end of a pulled schema file, and what else such files do with the platform's functions on files.

CREATE TRIGGER enforce_bucket_name_length_trigger BEFORE INSERT OR UPDATE OF name ON storage.buckets FOR EACH ROW EXECUTE FUNCTION storage.enforce_bucket_name_length(); CREATE TRIGGER protect_buckets_delete BEFORE DELETE ON storage.buckets FOR EACH STATEMENT EXECUTE FUNCTION storage.protect_delete(); CREATE TRIGGER protect_objects_delete BEFORE DELETE ON storage.objects FOR EACH STATEMENT EXECUTE FUNCTION storage.protect_delete(); CREATE TRIGGER update_objects_updated_at BEFORE UPDATE ON storage.objects FOR EACH ROW EXECUTE FUNCTION storage.update_updated_at_column();
--> no rows

CREATE TRIGGER objects_delete_delete_prefix AFTER DELETE ON storage.objects FOR EACH ROW EXECUTE FUNCTION storage.delete_prefix_hierarchy_trigger(); CREATE TRIGGER objects_insert_create_prefix BEFORE INSERT ON storage.objects FOR EACH ROW EXECUTE FUNCTION storage.objects_insert_prefix_trigger(); CREATE TRIGGER objects_update_create_prefix BEFORE UPDATE ON storage.objects FOR EACH ROW WHEN (((new.name <> old.name) OR (new.bucket_id <> old.bucket_id))) EXECUTE FUNCTION storage.objects_update_prefix_trigger(); CREATE TRIGGER prefixes_create_hierarchy BEFORE INSERT ON storage.prefixes FOR EACH ROW WHEN ((pg_trigger_depth() < 1)) EXECUTE FUNCTION storage.prefixes_insert_trigger(); CREATE TRIGGER prefixes_delete_hierarchy AFTER DELETE ON storage.prefixes FOR EACH ROW EXECUTE FUNCTION storage.delete_prefix_hierarchy_trigger();
--> no rows

insert into storage.buckets (id, name) values ('docs', 'docs'), ('pics', 'pics');
--> no rows

insert into storage.buckets (id, name) values ('long', repeat('x', 101));
--> ERROR P0001: bucket name "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" is too long (101 characters). Max is 100.

insert into storage.objects (bucket_id, name, metadata, created_at, updated_at) values ('docs', 'a.txt', '{"size":1}', '2026-01-03', '2026-01-01'), ('docs', 'folder/b.txt', '{"size":2}', '2026-01-02', '2026-01-02'), ('docs', 'folder/sub/c.txt', null, '2026-01-01', '2026-01-03'), ('docs', 'folder/sub/d.txt', null, '2026-01-04', '2026-01-04'), ('docs', 'z/e.txt', null, '2026-01-05', '2026-01-05'), ('pics', 'folder/p.png', null, '2026-01-01', '2026-01-01');
--> no rows

select bucket_id, name, level from storage.prefixes order by 1, 2;
--> {"bucket_id":"docs","name":"folder","level":1}
--> {"bucket_id":"docs","name":"folder/sub","level":2}
--> {"bucket_id":"docs","name":"z","level":1}
--> {"bucket_id":"pics","name":"folder","level":1}

select name, id is null as folder, metadata from storage.search('', 'docs');
--> {"name":"folder","folder":true,"metadata":null}
--> {"name":"z","folder":true,"metadata":null}
--> {"name":"a.txt","folder":false,"metadata":{"size":1}}

select name, id is null as folder from storage.search('folder/', 'docs', 10, 2);
--> {"name":"sub","folder":true}
--> {"name":"b.txt","folder":false}

select name, id is null as folder from storage.search('folder/', 'docs', 10, 2, 0, 's');
--> {"name":"sub","folder":true}

select name from storage.search('', 'docs', 10, 1, 0, '', 'name', 'desc');
--> {"name":"z"}
--> {"name":"folder"}
--> {"name":"a.txt"}

select name from storage.search('', 'docs', 1, 1, 1);
--> {"name":"z"}

select name from storage.search('folder/sub/', 'docs', 10, 3, 0, '', 'created_at', 'desc');
--> {"name":"d.txt"}
--> {"name":"c.txt"}

select key, name, id is null as folder from storage.search_v2('', 'docs');
--> {"key":"a.txt","name":"a.txt","folder":false}
--> {"key":"folder","name":"folder/","folder":true}
--> {"key":"z","name":"z/","folder":true}

select key, name from storage.search_v2('folder/', 'docs', 10, 2, '', 'desc');
--> {"key":"sub","name":"folder/sub/"}
--> {"key":"b.txt","name":"folder/b.txt"}

select key, name from storage.search_v2('folder/sub/', 'docs', 10, 3, '', 'desc', 'created_at');
--> {"key":"d.txt","name":"folder/sub/d.txt"}
--> {"key":"c.txt","name":"folder/sub/c.txt"}

select key, name from storage.search_v2('', 'docs', 1, 1, 'a.txt');
--> {"key":"folder","name":"folder/"}

select key, name from storage.search_by_timestamp('folder/', 'docs', 5, 2, '', 'asc', 'updated_at', '');
--> {"key":"sub","name":"folder/sub/"}
--> {"key":"b.txt","name":"folder/b.txt"}

select name from storage.search_legacy_v1('', 'docs');
--> {"name":"folder"}
--> {"name":"z"}
--> {"name":"a.txt"}

select name from storage.search_v1_optimised('folder/', 'docs', 10, 2);
--> {"name":"sub"}
--> {"name":"b.txt"}

select name, id is null as folder, metadata from storage.list_objects_with_delimiter('docs', '', '/');
--> {"name":"a.txt","folder":false,"metadata":{"size":1}}
--> {"name":"folder/","folder":true,"metadata":null}
--> {"name":"z/","folder":true,"metadata":null}

select name from storage.list_objects_with_delimiter('docs', 'folder/', '/');
--> {"name":"folder/b.txt"}
--> {"name":"folder/sub/"}

select name from storage.list_objects_with_delimiter('docs', '', '/', 10, 'a.txt');
--> {"name":"folder/"}
--> {"name":"z/"}

select name from storage.list_objects_with_delimiter('docs', '', '/', 10, '', 'z/', 'desc');
--> {"name":"folder/"}
--> {"name":"a.txt"}

select name from storage.list_objects_with_delimiter('docs', 'folder', 'sub/', 2);
--> {"name":"folder/b.txt"}
--> {"name":"folder/sub/"}

insert into storage.s3_multipart_uploads (id, upload_signature, bucket_id, key, version) values ('u1', 's', 'docs', 'up/a', 'v'), ('u2', 's', 'docs', 'up/b', 'v'), ('u3', 's', 'docs', 'solo', 'v');
--> no rows

select key, id from storage.list_multipart_uploads_with_delimiter('docs', '', '/');
--> {"key":"solo","id":"u3"}
--> {"key":"up/","id":"u1"}

select key, id from storage.list_multipart_uploads_with_delimiter('docs', 'up/', '/', 10, 'up/a', 'u1');
--> {"key":"up/b","id":"u2"}

select storage.get_level('a/b/c'), storage.get_prefix('a/b/c'), storage.get_prefix('c'), storage.get_prefixes('a/b/c'), storage.get_prefixes('c'), storage.get_common_prefix('a/b/c', 'a/', '/'), storage.get_common_prefix('c', '', '/');
--> {"get_level":3,"get_prefix":"","get_prefixes":[],"get_common_prefix":null}

select storage.can_insert_object('docs', 'folder/n.txt', null, '{}');
--> ERROR PT200: ROLLBACK
--> DETAIL: rollback successful insert

select count(*) from storage.objects where name = 'folder/n.txt';
--> {"count":0}

delete from storage.objects where name = 'a.txt';
--> ERROR 42501: Direct deletion from storage tables is not allowed. Use the Storage API instead.
--> HINT: This prevents accidental data loss from orphaned objects.

delete from storage.buckets where id = 'pics';
--> ERROR 42501: Direct deletion from storage tables is not allowed. Use the Storage API instead.
--> HINT: This prevents accidental data loss from orphaned objects.

update storage.objects set name = 'moved/c.txt' where name = 'folder/sub/c.txt' returning updated_at <> '2026-01-03' as touched;
--> {"touched":true}

select name from storage.prefixes where bucket_id = 'docs' order by 1;
--> {"name":"folder"}
--> {"name":"folder/sub"}
--> {"name":"moved"}
--> {"name":"z"}

set storage.allow_delete_query = 'true'; delete from storage.objects where bucket_id = 'docs' and name like 'folder/sub/%'; select name from storage.prefixes where bucket_id = 'docs' order by 1;
--> {"name":"folder"}
--> {"name":"moved"}
--> {"name":"z"}

select storage.delete_prefix('docs', 'folder'), storage.delete_prefix('docs', 'nothing');
--> {"delete_prefix":true}

select storage.add_prefixes('docs', 'q/r/s.txt'); select name from storage.prefixes where name like 'q%' order by 1;
--> {"name":"q"}
--> {"name":"q/r"}

select storage.delete_leaf_prefixes('{docs}', '{q/r}'); select name from storage.prefixes where name like 'q%' order by 1;
--> {"delete_leaf_prefixes":""}

drop trigger if exists objects_delete_delete_prefix on storage.objects; drop trigger if exists prefixes_delete_hierarchy on storage.prefixes; drop trigger if exists nothing_there on storage.prefixes;
--> no rows

create or replace function storage.protect_delete() returns trigger language plpgsql as $$ begin return null; end $$;
--> no rows

create or replace function storage.foldername(name text) returns text[] language plpgsql as $$ declare _parts text[]; begin select string_to_array(name, '/') into _parts; return _parts[1:array_length(_parts,1)-1]; end $$; select storage.foldername('a/b/c');
--> {"foldername":["a","b"]}

alter function storage.search(text, text, integer, integer, integer, text, text, text) owner to platform_storage_admin;
--> no rows

grant execute on function storage.search_v2(prefix text, bucket_name text, limits integer, levels integer, start_after text, sort_order text, sort_column text, sort_column_after text) to anon, authenticated; revoke all on function storage.get_level(name text) from anon; grant delete, insert, references, select, trigger, truncate, update on table storage.prefixes to anon;
--> no rows

drop function if exists storage.search_legacy_v1(text, text, integer, integer, integer, text, text, text); drop function storage.get_level(text);
--> no rows

select graphql.resolve('{ a }', variables => '{}') ? 'errors' as refused, graphql_public.graphql(query => '{ a }') as answer;
--> {"refused":true,"answer":{"errors":[{"message":"pg_graphql extension is not enabled."}]}}

grant all on function graphql.resolve to anon; grant all on function graphql_public.graphql("operationName" text, query text, variables jsonb, extensions jsonb) to anon;
--> no rows

create or replace function graphql_public.graphql("operationName" text default null, query text default null, variables jsonb default null, extensions jsonb default null) returns jsonb language sql as $$ select graphql.resolve(query := query, variables := coalesce(variables, '{}'), "operationName" := "operationName", extensions := extensions) $$;
--> no rows

select vault.create_secret('v1', 'n1') is null as a, vault.create_secret('v2', 'n2') is null as b;
--> {"a":false,"b":false}

delete from vault.decrypted_secrets where name = 'n1';
--> no rows

update vault.decrypted_secrets set description = 'q' where name = 'n2' returning name, description, secret;
--> {"name":"n2","description":"q","secret":"v2"}

update vault.decrypted_secrets set decrypted_secret = 'q' where name = 'n2';
--> ERROR 0A000: cannot update column "decrypted_secret" of view "decrypted_secrets"
--> DETAIL: View columns that are not columns of their base relation are not updatable.

update vault.decrypted_secrets set secret = 'w' where name = 'n2'; select decrypted_secret from vault.decrypted_secrets where name = 'n2';
--> {"decrypted_secret":"w"}

insert into vault.decrypted_secrets (name, secret) values ('a', 'b'); select name, decrypted_secret from vault.decrypted_secrets order by 1;
--> {"name":"a","decrypted_secret":"b"}
--> {"name":"n2","decrypted_secret":"w"}
