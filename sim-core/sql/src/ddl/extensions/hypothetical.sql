-- No hypothetical index can be made: plans don't use them.
create function {schema}.hypopg(out indexname text, out indexrelid oid, out indrelid oid, out innatts integer, out indisunique boolean,
  out indkey int2vector, out indcollation oidvector, out indclass oidvector, out indoption oidvector, out indexprs pg_node_tree,
  out indpred pg_node_tree, out amid oid) returns setof record language plpgsql as $$ begin return; end $$;
create function {schema}.hypopg_create_index(sql_order text, out indexrelid oid, out indexname text) returns setof record language plpgsql as $$
begin
  raise exception using errcode = '0A000', message = 'hypothetical indexes are not supported', hint = 'Create the index and ask EXPLAIN.';
end $$;
create function {schema}.hypopg_drop_index(indexid oid) returns boolean language sql as $$ select false $$;
create function {schema}.hypopg_reset() returns void language plpgsql as $$ begin end $$;
create function {schema}.hypopg_reset_index() returns void language plpgsql as $$ begin end $$;
create function {schema}.hypopg_get_indexdef(indexid oid) returns text language sql as $$ select null::text $$;
create function {schema}.hypopg_relation_size(indexid oid) returns bigint language sql as $$ select null::bigint $$;
create view {schema}.hypopg_list_indexes as
  select null::oid as indexrelid, null::text as index_name, null::name as schema_name, null::name as table_name, null::name as am_name where false;
grant select on {schema}.hypopg_list_indexes to public;
