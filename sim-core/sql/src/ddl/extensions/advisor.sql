-- As the extension says that it has no advice: in its column of errors.
create function {schema}.index_advisor(query text) returns table (startup_cost_before jsonb, startup_cost_after jsonb, total_cost_before jsonb,
  total_cost_after jsonb, index_statements text[], errors text[]) language sql volatile
as $$ select null::jsonb, null::jsonb, null::jsonb, null::jsonb, '{}'::text[], array['hypothetical indexes are not supported'] $$;
