-- Assertions of tests in the form of TAP. The plan and the counts are settings, so they go with a transaction that is rolled back.
create function {schema}._get(label text) returns integer language sql stable as $$ select nullif(current_setting('pgtap.' || label, true), '')::int $$;
create function {schema}._set(label text, value integer) returns integer language plpgsql as $$ begin perform set_config('pgtap.' || label, coalesce(value::text, ''), false); return value; end $$;
create function {schema}._query(query text) returns text language sql immutable as $$ select case when query like '"%' or query !~ '[[:space:]]' then 'execute ' || query else query end $$;
create function {schema}._shown(value text) returns text language sql immutable as $$ select coalesce(value, 'NULL') $$;
create function {schema}._idents(names name[]) returns text language sql immutable as $$ select array_to_string(array(select quote_ident(one) from unnest(names) one), ', ') $$;
create function {schema}.pg_version() returns text language sql immutable as $$ select current_setting('server_version') $$;
create function {schema}.pg_version_num() returns integer language sql immutable as $$ select current_setting('server_version_num')::int $$;
create function {schema}.pgtap_version() returns numeric language sql immutable as $$ select 1.2::numeric $$;
create function {schema}.os_name() returns text language sql immutable as $$ select 'linux'::text $$;
create function {schema}.diag(msg text) returns text language sql strict as $$ select '# ' || replace(replace(replace(msg, e'\r\n', e'\n# '), e'\n', e'\n# '), e'\r', e'\n# ') $$;
create function {schema}.diag(msg anyelement) returns text language sql as $$ select {schema}.diag(msg::text) $$;
create function {schema}.plan(integer) returns text language plpgsql as $$
begin
  if {schema}._get('plan') is not null then
    perform {schema}._set('plan', null);
    raise exception 'You tried to plan twice!';
  end if;
  perform {schema}._set('plan', $1), {schema}._set('ran', 0), {schema}._set('failed', 0), set_config('pgtap.todo', '', false);
  return '1..' || $1;
end $$;
create function {schema}.no_plan() returns setof boolean language plpgsql strict as $$ begin perform {schema}.plan(0); return; end $$;
create function {schema}.num_failed() returns integer language sql strict as $$ select {schema}._get('failed') $$;
create function {schema}.finish(exception_on_failure boolean default null) returns setof text language plpgsql as $$
declare
  planned int := {schema}._get('plan');
  ran int := {schema}._get('ran');
  failed int := {schema}._get('failed');
begin
  if planned is null then
    raise exception '# No tests run!';
  end if;
  perform {schema}._set('plan', null), {schema}._set('ran', null), {schema}._set('failed', null);
  if planned = 0 then
    planned := ran;
    return next '1..' || planned;
  end if;
  if ran <> planned then
    return next {schema}.diag('Looks like you planned ' || planned || ' test' || case planned when 1 then '' else 's' end || ' but ran ' || ran);
  elsif failed > 0 then
    if exception_on_failure then
      raise exception '% test% failed of %', failed, case failed when 1 then '' else 's' end, planned;
    end if;
    return next {schema}.diag('Looks like you failed ' || failed || ' test' || case failed when 1 then '' else 's' end || ' of ' || planned);
  end if;
end $$;
create function {schema}._todo() returns text language plpgsql as $$
declare
  kept text[] := string_to_array(nullif(current_setting('pgtap.todo', true), ''), ':');
  remaining int;
begin
  if kept is null then
    return null;
  end if;
  remaining := kept[1]::int;
  if remaining > 0 then
    perform set_config('pgtap.todo', case remaining when 1 then '' else (remaining - 1) || ':' || array_to_string(kept[2:], ':') end, false);
  end if;
  return array_to_string(kept[2:], ':');
end $$;
create function {schema}.todo(why text, how_many integer) returns setof boolean language plpgsql as $$ begin perform set_config('pgtap.todo', coalesce(how_many, 1) || ':' || coalesce(why, ''), false); return; end $$;
create function {schema}.todo(how_many integer, why text) returns setof boolean language plpgsql as $$ begin perform {schema}.todo(why, how_many); return; end $$;
create function {schema}.todo(why text) returns setof boolean language plpgsql as $$ begin perform {schema}.todo(why, 1); return; end $$;
create function {schema}.todo(how_many integer) returns setof boolean language plpgsql as $$ begin perform {schema}.todo('', how_many); return; end $$;
create function {schema}.todo_start(text) returns setof boolean language plpgsql as $$ begin perform {schema}.todo($1, -1); return; end $$;
create function {schema}.todo_start() returns setof boolean language plpgsql as $$ begin perform {schema}.todo('', -1); return; end $$;
create function {schema}.todo_end() returns setof boolean language plpgsql as $$ begin perform set_config('pgtap.todo', '', false); return; end $$;
create function {schema}.in_todo() returns boolean language sql as $$ select coalesce(current_setting('pgtap.todo', true), '') <> '' $$;
create function {schema}.ok(aok boolean, descr text) returns text language plpgsql as $$
declare
  why text;
  number int;
begin
  if {schema}._get('plan') is null then
    raise exception 'You tried to run a test without a plan! Gotta have a plan';
  end if;
  why := {schema}._todo();
  number := {schema}._set('ran', {schema}._get('ran') + 1);
  if aok is not true and why is null then
    perform {schema}._set('failed', {schema}._get('failed') + 1);
  end if;
  return case when aok then '' else 'not ' end || 'ok ' || number
    || case descr when '' then '' else coalesce(' - ' || substr({schema}.diag(descr), 3), '') end
    || coalesce(' ' || {schema}.diag('TODO ' || why), '')
    || case when aok then '' else e'\n' || {schema}.diag('Failed ' || case when why is null then '' else '(TODO) ' end || 'test ' || number
        || case descr when '' then '' else coalesce(': "' || descr || '"', '') end)
      || case when aok is null then e'\n' || {schema}.diag('    (test result was NULL)') else '' end end;
end $$;
create function {schema}.ok(boolean) returns text language sql as $$ select {schema}.ok($1, null) $$;
create function {schema}._ok(result boolean, descr text, details text) returns text language plpgsql as $$ declare line text := {schema}.ok(result, descr); begin return line || case when result then '' else coalesce(e'\n' || {schema}.diag(details), '') end; end $$;
create function {schema}.pass(text) returns text language sql as $$ select {schema}.ok(true, $1) $$;
create function {schema}.pass() returns text language sql as $$ select {schema}.ok(true, null) $$;
create function {schema}.fail(text) returns text language sql as $$ select {schema}.ok(false, $1) $$;
create function {schema}.fail() returns text language sql as $$ select {schema}.ok(false, null) $$;
create function {schema}.skip(why text, how_many integer) returns text language plpgsql as $$
declare
  lines text[] := '{}';
begin
  for i in 1 .. how_many loop
    lines := lines || ({schema}.ok(true, null) || ' ' || {schema}.diag('SKIP' || coalesce(' ' || why, '')));
  end loop;
  return array_to_string(lines, e'\n');
end $$;
create function {schema}.skip(text) returns text language sql as $$ select {schema}.skip($1, 1) $$;
create function {schema}.skip(integer, text) returns text language sql as $$ select {schema}.skip($2, $1) $$;
create function {schema}.skip(integer) returns text language sql as $$ select {schema}.skip(null, $1) $$;
create function {schema}.is(anyelement, anyelement, text) returns text language sql as $$ select {schema}._ok(not $1 is distinct from $2, $3, '        have: ' || {schema}._shown($1::text) || e'\n        want: ' || {schema}._shown($2::text)) $$;
create function {schema}.is(anyelement, anyelement) returns text language sql as $$ select {schema}.is($1, $2, null) $$;
create function {schema}.isnt(anyelement, anyelement, text) returns text language sql as $$ select {schema}._ok($1 is distinct from $2, $3, '        have: ' || {schema}._shown($1::text) || e'\n        want: anything else') $$;
create function {schema}.isnt(anyelement, anyelement) returns text language sql as $$ select {schema}.isnt($1, $2, null) $$;
create function {schema}.matches(anyelement, text, text) returns text language sql as $$ select {schema}._ok($1::text ~ $2, $3, '                  ' || {schema}._shown(quote_literal($1)) || e'\n   doesn''t match: ' || {schema}._shown(quote_literal($2))) $$;
create function {schema}.matches(anyelement, text) returns text language sql as $$ select {schema}.matches($1, $2, null) $$;
create function {schema}.imatches(anyelement, text, text) returns text language sql as $$ select {schema}._ok($1::text ~* $2, $3, '                  ' || {schema}._shown(quote_literal($1)) || e'\n   doesn''t match: ' || {schema}._shown(quote_literal($2))) $$;
create function {schema}.imatches(anyelement, text) returns text language sql as $$ select {schema}.imatches($1, $2, null) $$;
create function {schema}.doesnt_match(anyelement, text, text) returns text language sql as $$ select {schema}._ok($1::text !~ $2, $3, '                  ' || {schema}._shown(quote_literal($1)) || e'\n         matches: ' || {schema}._shown(quote_literal($2))) $$;
create function {schema}.doesnt_match(anyelement, text) returns text language sql as $$ select {schema}.doesnt_match($1, $2, null) $$;
create function {schema}.alike(anyelement, text, text) returns text language sql as $$ select {schema}._ok($1::text like $2, $3, '                  ' || {schema}._shown(quote_literal($1)) || e'\n   doesn''t match: ' || {schema}._shown(quote_literal($2))) $$;
create function {schema}.alike(anyelement, text) returns text language sql as $$ select {schema}.alike($1, $2, null) $$;
create function {schema}.ialike(anyelement, text, text) returns text language sql as $$ select {schema}._ok($1::text ilike $2, $3, '                  ' || {schema}._shown(quote_literal($1)) || e'\n   doesn''t match: ' || {schema}._shown(quote_literal($2))) $$;
create function {schema}.ialike(anyelement, text) returns text language sql as $$ select {schema}.ialike($1, $2, null) $$;
create function {schema}.unalike(anyelement, text, text) returns text language sql as $$ select {schema}._ok($1::text not like $2, $3, '                  ' || {schema}._shown(quote_literal($1)) || e'\n         matches: ' || {schema}._shown(quote_literal($2))) $$;
create function {schema}.unalike(anyelement, text) returns text language sql as $$ select {schema}.unalike($1, $2, null) $$;
create function {schema}.cmp_ok(anyelement, text, anyelement, text) returns text language plpgsql as $$
declare
  have constant text := quote_literal($1);
  want constant text := quote_literal($3);
  result boolean;
begin
  execute 'select ' || coalesce(have, 'NULL') || '::' || pg_typeof($1) || ' ' || $2 || ' ' || coalesce(want, 'NULL') || '::' || pg_typeof($3) into result;
  return {schema}._ok(result, $4, '    ' || {schema}._shown(have) || e'\n        ' || $2 || e'\n    ' || {schema}._shown(want));
end $$;
create function {schema}.cmp_ok(anyelement, text, anyelement) returns text language sql as $$ select {schema}.cmp_ok($1, $2, $3, null) $$;
create function {schema}.isa_ok(anyelement, regtype, text) returns text language sql as $$ select {schema}._ok(pg_typeof($1) = $2, $3 || ' isa ' || $2, '    ' || $3 || ' isn''t a "' || $2 || '" it''s a "' || pg_typeof($1) || '"') $$;
create function {schema}.isa_ok(anyelement, regtype) returns text language sql as $$ select {schema}.isa_ok($1, $2, 'the value') $$;
create function {schema}.throws_ok(query text, code char(5), message text, descr text) returns text language plpgsql as $$
declare
  named constant text := coalesce(descr, 'threw ' || code || ': ' || message, 'threw ' || code, 'threw ' || message, 'threw an exception');
begin
  execute {schema}._query(query);
  return {schema}.ok(false, named) || e'\n' || {schema}.diag(e'      caught: no exception\n      wanted: ' || coalesce(code, 'an exception'));
exception when others or assert_failure then
  return {schema}._ok((code is null or sqlstate = code) and (message is null or sqlerrm = message), named,
    '      caught: ' || sqlstate || ': ' || sqlerrm || e'\n      wanted: ' || coalesce(code, 'an exception') || coalesce(': ' || message, ''));
end $$;
create function {schema}.throws_ok(text, text, text) returns text language sql as $$ select case when octet_length($2) = 5 then {schema}.throws_ok($1, $2::char(5), $3, null) else {schema}.throws_ok($1, null, $2, $3) end $$;
create function {schema}.throws_ok(text, text) returns text language sql as $$ select case when octet_length($2) = 5 then {schema}.throws_ok($1, $2::char(5), null, null) else {schema}.throws_ok($1, null, $2, null) end $$;
create function {schema}.throws_ok(text) returns text language sql as $$ select {schema}.throws_ok($1, null, null, null) $$;
create function {schema}.throws_ok(text, integer, text, text) returns text language sql as $$ select {schema}.throws_ok($1, $2::char(5), $3, $4) $$;
create function {schema}.throws_ok(text, integer, text) returns text language sql as $$ select {schema}.throws_ok($1, $2::char(5), $3, null) $$;
create function {schema}.throws_ok(text, integer) returns text language sql as $$ select {schema}.throws_ok($1, $2::char(5), null, null) $$;
create function {schema}._throws(query text, pattern text, operation text, descr text, words text) returns text language plpgsql as $$
declare
  result boolean;
begin
  execute {schema}._query(query);
  return {schema}.ok(false, descr) || e'\n' || {schema}.diag('    no exception thrown');
exception when others or assert_failure then
  result := case operation when 'like' then sqlerrm like pattern when 'ilike' then sqlerrm ilike pattern when '~' then sqlerrm ~ pattern else sqlerrm ~* pattern end;
  return {schema}._ok(result, descr, '   error message: ' || quote_literal(sqlerrm) || e'\n   doesn''t match: ' || quote_literal(pattern));
end $$;
create function {schema}.throws_like(text, text, text) returns text language sql as $$ select {schema}._throws($1, $2, 'like', $3, '') $$;
create function {schema}.throws_like(text, text) returns text language sql as $$ select {schema}.throws_like($1, $2, 'Should throw exception like ' || quote_literal($2)) $$;
create function {schema}.throws_ilike(text, text, text) returns text language sql as $$ select {schema}._throws($1, $2, 'ilike', $3, '') $$;
create function {schema}.throws_ilike(text, text) returns text language sql as $$ select {schema}.throws_ilike($1, $2, 'Should throw exception like ' || quote_literal($2)) $$;
create function {schema}.throws_matching(text, text, text) returns text language sql as $$ select {schema}._throws($1, $2, '~', $3, '') $$;
create function {schema}.throws_matching(text, text) returns text language sql as $$ select {schema}.throws_matching($1, $2, 'Should throw exception matching ' || quote_literal($2)) $$;
create function {schema}.throws_imatching(text, text, text) returns text language sql as $$ select {schema}._throws($1, $2, '~*', $3, '') $$;
create function {schema}.throws_imatching(text, text) returns text language sql as $$ select {schema}.throws_imatching($1, $2, 'Should throw exception matching ' || quote_literal($2)) $$;
create function {schema}.lives_ok(query text, descr text) returns text language plpgsql as $$
begin
  execute {schema}._query(query);
  return {schema}.ok(true, descr);
exception when others or assert_failure then
  return {schema}._ok(false, descr, '    died: ' || sqlstate || ': ' || sqlerrm);
end $$;
create function {schema}.lives_ok(text) returns text language sql as $$ select {schema}.lives_ok($1, null) $$;
create function {schema}.performs_ok(text, numeric, text) returns text language sql as $$ select {schema}.lives_ok($1, $3) $$;
create function {schema}._rows(query text) returns text[] language plpgsql as $$
declare
  found record;
  rows text[] := '{}';
begin
  for found in execute {schema}._query(query) loop
    rows := rows || found::text;
  end loop;
  return rows;
end $$;
create function {schema}._rows(list anyarray) returns text[] language sql as $$ select array(select row(one)::text from unnest(list) one) $$;
create function {schema}._equal(have text[], want text[], wanted boolean, descr text) returns text language plpgsql as $$
declare
  number int;
begin
  if (have = want) = wanted then
    return {schema}.ok(true, descr);
  elsif not wanted then
    return {schema}._ok(false, descr, null);
  end if;
  select min(i) into number from generate_series(1, greatest(cardinality(have), cardinality(want))) i where have[i] is distinct from want[i];
  return {schema}._ok(false, descr, '    Results differ beginning at row ' || number || e':\n        have: ' || {schema}._shown(have[number]) || e'\n        want: ' || {schema}._shown(want[number]));
end $$;
create function {schema}._same(have text[], want text[], kind text, descr text) returns text language plpgsql as $$
declare
  extra text[];
  missing text[];
begin
  if kind like 'set%' then
    select array(select unnest(have) except select unnest(want)), array(select unnest(want) except select unnest(have)) into extra, missing;
  else
    select array(select one from unnest(have) one group by one having count(*) > (select count(*) from unnest(want) other where other = one)),
      array(select one from unnest(want) one group by one having count(*) > (select count(*) from unnest(have) other where other = one)) into extra, missing;
  end if;
  if kind like '%\_has' then
    extra := '{}';
  elsif kind like '%\_hasnt' then
    missing := '{}';
    extra := array(select unnest(have) intersect select unnest(want));
  end if;
  return {schema}._ok(extra = '{}' and missing = '{}', descr, concat_ws(e'\n',
    '    ' || case when kind like '%\_hasnt' then nullif('Rows' , '') else 'Extra' end || case when kind like '%\_hasnt' then ' found' else ' records' end || e':\n        ' || nullif(array_to_string(extra, e'\n        '), ''),
    e'    Missing records:\n        ' || nullif(array_to_string(missing, e'\n        '), '')));
end $$;
create function {schema}.results_eq(text, text, text) returns text language sql as $$ select {schema}._equal({schema}._rows($1), {schema}._rows($2), true, $3) $$;
create function {schema}.results_eq(text, text) returns text language sql as $$ select {schema}.results_eq($1, $2, null) $$;
create function {schema}.results_eq(text, anyarray, text) returns text language sql as $$ select {schema}._equal({schema}._rows($1), {schema}._rows($2), true, $3) $$;
create function {schema}.results_eq(text, anyarray) returns text language sql as $$ select {schema}.results_eq($1, $2, null) $$;
create function {schema}.results_ne(text, text, text) returns text language sql as $$ select {schema}._equal({schema}._rows($1), {schema}._rows($2), false, $3) $$;
create function {schema}.results_ne(text, text) returns text language sql as $$ select {schema}.results_ne($1, $2, null) $$;
create function {schema}.results_ne(text, anyarray, text) returns text language sql as $$ select {schema}._equal({schema}._rows($1), {schema}._rows($2), false, $3) $$;
create function {schema}.results_ne(text, anyarray) returns text language sql as $$ select {schema}.results_ne($1, $2, null) $$;
create function {schema}.is_empty(query text, descr text) returns text language plpgsql as $$ declare rows text[] := {schema}._rows(query); begin return {schema}._ok(rows = '{}', descr, e'    Unexpected records:\n        ' || array_to_string(rows, e'\n        ')); end $$;
create function {schema}.is_empty(text) returns text language sql as $$ select {schema}.is_empty($1, null) $$;
create function {schema}.isnt_empty(query text, descr text) returns text language sql as $$ select {schema}.ok({schema}._rows(query) <> '{}', descr) $$;
create function {schema}.isnt_empty(text) returns text language sql as $$ select {schema}.isnt_empty($1, null) $$;
create function {schema}.row_eq(query text, want anyelement, descr text) returns text language plpgsql as $$ declare rows text[] := {schema}._rows(query); begin return {schema}._ok(rows[1] is not distinct from want::text, descr, '        have: ' || {schema}._shown(rows[1]) || e'\n        want: ' || {schema}._shown(want::text)); end $$;
create function {schema}.row_eq(text, anyelement) returns text language sql as $$ select {schema}.row_eq($1, $2, null) $$;
create function {schema}.collect_tap(variadic text[]) returns text language sql as $$ select array_to_string($1, e'\n') $$;
create function {schema}.collect_tap(character varying[]) returns text language sql as $$ select array_to_string($1, e'\n') $$;
create function {schema}.runtests(schema name, pattern text) returns setof text language plpgsql as $$
declare
  test text;
  line text;
  lines text[];
begin
  perform {schema}.no_plan();
  for test in select quote_ident(n.nspname) || '.' || quote_ident(p.proname) from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
      where n.nspname = coalesce(schema, n.nspname) and (schema is not null or n.nspname not in ('pg_catalog', 'information_schema')) and p.pronargs = 0 and p.proname ~ pattern
        and p.proname !~ '^(startup|shutdown|setup|teardown)' order by p.proname loop
    return next '    # Subtest: ' || test || '()';
    lines := '{}';
    for line in execute 'select * from ' || test || '()' loop
      return next '    ' || line;
    end loop;
  end loop;
  return query select {schema}.finish();
end $$;
create function {schema}.runtests(name) returns setof text language sql as $$ select * from {schema}.runtests($1, '^test') $$;
create function {schema}.runtests(text) returns setof text language sql as $$ select * from {schema}.runtests(null, $1) $$;
create function {schema}.runtests() returns setof text language sql as $$ select * from {schema}.runtests(null, '^test') $$;
create function {schema}.has_table(name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p') and n.nspname = $1 and c.relname = $2), $3) $$;
create function {schema}.has_table(name, name) returns text language sql as $$ select {schema}.has_table($1, $2, 'Table ' || quote_ident($1) || '.' || quote_ident($2) || ' should exist') $$;
create function {schema}.has_table(name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_class c where c.relkind in ('r', 'p') and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1), $2) $$;
create function {schema}.has_table(name) returns text language sql as $$ select {schema}.has_table($1, 'Table ' || quote_ident($1) || ' should exist') $$;
create function {schema}.hasnt_table(name, name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p') and n.nspname = $1 and c.relname = $2), $3) $$;
create function {schema}.hasnt_table(name, name) returns text language sql as $$ select {schema}.hasnt_table($1, $2, 'Table ' || quote_ident($1) || '.' || quote_ident($2) || ' should not exist') $$;
create function {schema}.hasnt_table(name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_class c where c.relkind in ('r', 'p') and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1), $2) $$;
create function {schema}.hasnt_table(name) returns text language sql as $$ select {schema}.hasnt_table($1, 'Table ' || quote_ident($1) || ' should not exist') $$;
create function {schema}.has_view(name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('v') and n.nspname = $1 and c.relname = $2), $3) $$;
create function {schema}.has_view(name, name) returns text language sql as $$ select {schema}.has_view($1, $2, 'View ' || quote_ident($1) || '.' || quote_ident($2) || ' should exist') $$;
create function {schema}.has_view(name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_class c where c.relkind in ('v') and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1), $2) $$;
create function {schema}.has_view(name) returns text language sql as $$ select {schema}.has_view($1, 'View ' || quote_ident($1) || ' should exist') $$;
create function {schema}.hasnt_view(name, name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('v') and n.nspname = $1 and c.relname = $2), $3) $$;
create function {schema}.hasnt_view(name, name) returns text language sql as $$ select {schema}.hasnt_view($1, $2, 'View ' || quote_ident($1) || '.' || quote_ident($2) || ' should not exist') $$;
create function {schema}.hasnt_view(name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_class c where c.relkind in ('v') and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1), $2) $$;
create function {schema}.hasnt_view(name) returns text language sql as $$ select {schema}.hasnt_view($1, 'View ' || quote_ident($1) || ' should not exist') $$;
create function {schema}.has_materialized_view(name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('m') and n.nspname = $1 and c.relname = $2), $3) $$;
create function {schema}.has_materialized_view(name, name) returns text language sql as $$ select {schema}.has_materialized_view($1, $2, 'Materialized view ' || quote_ident($1) || '.' || quote_ident($2) || ' should exist') $$;
create function {schema}.has_materialized_view(name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_class c where c.relkind in ('m') and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1), $2) $$;
create function {schema}.has_materialized_view(name) returns text language sql as $$ select {schema}.has_materialized_view($1, 'Materialized view ' || quote_ident($1) || ' should exist') $$;
create function {schema}.hasnt_materialized_view(name, name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('m') and n.nspname = $1 and c.relname = $2), $3) $$;
create function {schema}.hasnt_materialized_view(name, name) returns text language sql as $$ select {schema}.hasnt_materialized_view($1, $2, 'Materialized view ' || quote_ident($1) || '.' || quote_ident($2) || ' should not exist') $$;
create function {schema}.hasnt_materialized_view(name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_class c where c.relkind in ('m') and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1), $2) $$;
create function {schema}.hasnt_materialized_view(name) returns text language sql as $$ select {schema}.hasnt_materialized_view($1, 'Materialized view ' || quote_ident($1) || ' should not exist') $$;
create function {schema}.has_sequence(name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('S') and n.nspname = $1 and c.relname = $2), $3) $$;
create function {schema}.has_sequence(name, name) returns text language sql as $$ select {schema}.has_sequence($1, $2, 'Sequence ' || quote_ident($1) || '.' || quote_ident($2) || ' should exist') $$;
create function {schema}.has_sequence(name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_class c where c.relkind in ('S') and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1), $2) $$;
create function {schema}.has_sequence(name) returns text language sql as $$ select {schema}.has_sequence($1, 'Sequence ' || quote_ident($1) || ' should exist') $$;
create function {schema}.hasnt_sequence(name, name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('S') and n.nspname = $1 and c.relname = $2), $3) $$;
create function {schema}.hasnt_sequence(name, name) returns text language sql as $$ select {schema}.hasnt_sequence($1, $2, 'Sequence ' || quote_ident($1) || '.' || quote_ident($2) || ' should not exist') $$;
create function {schema}.hasnt_sequence(name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_class c where c.relkind in ('S') and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1), $2) $$;
create function {schema}.hasnt_sequence(name) returns text language sql as $$ select {schema}.hasnt_sequence($1, 'Sequence ' || quote_ident($1) || ' should not exist') $$;
create function {schema}.has_foreign_table(name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('f') and n.nspname = $1 and c.relname = $2), $3) $$;
create function {schema}.has_foreign_table(name, name) returns text language sql as $$ select {schema}.has_foreign_table($1, $2, 'Foreign table ' || quote_ident($1) || '.' || quote_ident($2) || ' should exist') $$;
create function {schema}.has_foreign_table(name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_class c where c.relkind in ('f') and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1), $2) $$;
create function {schema}.has_foreign_table(name) returns text language sql as $$ select {schema}.has_foreign_table($1, 'Foreign table ' || quote_ident($1) || ' should exist') $$;
create function {schema}.hasnt_foreign_table(name, name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('f') and n.nspname = $1 and c.relname = $2), $3) $$;
create function {schema}.hasnt_foreign_table(name, name) returns text language sql as $$ select {schema}.hasnt_foreign_table($1, $2, 'Foreign table ' || quote_ident($1) || '.' || quote_ident($2) || ' should not exist') $$;
create function {schema}.hasnt_foreign_table(name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_class c where c.relkind in ('f') and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1), $2) $$;
create function {schema}.hasnt_foreign_table(name) returns text language sql as $$ select {schema}.hasnt_foreign_table($1, 'Foreign table ' || quote_ident($1) || ' should not exist') $$;
create function {schema}.has_relation(name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f', 'c') and n.nspname = $1 and c.relname = $2), $3) $$;
create function {schema}.has_relation(name, name) returns text language sql as $$ select {schema}.has_relation($1, $2, 'Relation ' || quote_ident($1) || '.' || quote_ident($2) || ' should exist') $$;
create function {schema}.has_relation(name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_class c where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f', 'c') and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1), $2) $$;
create function {schema}.has_relation(name) returns text language sql as $$ select {schema}.has_relation($1, 'Relation ' || quote_ident($1) || ' should exist') $$;
create function {schema}.hasnt_relation(name, name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f', 'c') and n.nspname = $1 and c.relname = $2), $3) $$;
create function {schema}.hasnt_relation(name, name) returns text language sql as $$ select {schema}.hasnt_relation($1, $2, 'Relation ' || quote_ident($1) || '.' || quote_ident($2) || ' should not exist') $$;
create function {schema}.hasnt_relation(name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_class c where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f', 'c') and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1), $2) $$;
create function {schema}.hasnt_relation(name) returns text language sql as $$ select {schema}.hasnt_relation($1, 'Relation ' || quote_ident($1) || ' should not exist') $$;
create function {schema}.has_schema(name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_namespace where nspname = $1), $2) $$;
create function {schema}.has_schema(name) returns text language sql as $$ select {schema}.has_schema($1, 'Schema ' || quote_ident($1) || ' should exist') $$;
create function {schema}.hasnt_schema(name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_namespace where nspname = $1), $2) $$;
create function {schema}.hasnt_schema(name) returns text language sql as $$ select {schema}.hasnt_schema($1, 'Schema ' || quote_ident($1) || ' should not exist') $$;
create function {schema}.has_role(name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_roles where rolname = $1), $2) $$;
create function {schema}.has_role(name) returns text language sql as $$ select {schema}.has_role($1, 'Role ' || quote_ident($1) || ' should exist') $$;
create function {schema}.hasnt_role(name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_roles where rolname = $1), $2) $$;
create function {schema}.hasnt_role(name) returns text language sql as $$ select {schema}.hasnt_role($1, 'Role ' || quote_ident($1) || ' should not exist') $$;
create function {schema}.has_user(name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_roles where rolname = $1), $2) $$;
create function {schema}.has_user(name) returns text language sql as $$ select {schema}.has_user($1, 'User ' || quote_ident($1) || ' should exist') $$;
create function {schema}.hasnt_user(name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_roles where rolname = $1), $2) $$;
create function {schema}.hasnt_user(name) returns text language sql as $$ select {schema}.hasnt_user($1, 'User ' || quote_ident($1) || ' should not exist') $$;
create function {schema}.has_language(name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_language where lanname = $1), $2) $$;
create function {schema}.has_language(name) returns text language sql as $$ select {schema}.has_language($1, 'Procedural language ' || quote_ident($1) || ' should exist') $$;
create function {schema}.hasnt_language(name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_language where lanname = $1), $2) $$;
create function {schema}.hasnt_language(name) returns text language sql as $$ select {schema}.hasnt_language($1, 'Procedural language ' || quote_ident($1) || ' should not exist') $$;
create function {schema}.has_extension(name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_extension where extname = $1), $2) $$;
create function {schema}.has_extension(name) returns text language sql as $$ select {schema}.has_extension($1, 'Extension ' || quote_ident($1) || ' should exist') $$;
create function {schema}.hasnt_extension(name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_extension where extname = $1), $2) $$;
create function {schema}.hasnt_extension(name) returns text language sql as $$ select {schema}.hasnt_extension($1, 'Extension ' || quote_ident($1) || ' should not exist') $$;
create function {schema}.has_extension(name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace where n.nspname = $1 and e.extname = $2), $3) $$;
create function {schema}.has_extension(name, name) returns text language sql as $$ select {schema}.has_extension($1, $2, 'Extension ' || quote_ident($2) || ' should ' || 'exist in schema ' || quote_ident($1)) $$;
create function {schema}.hasnt_extension(name, name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace where n.nspname = $1 and e.extname = $2), $3) $$;
create function {schema}.hasnt_extension(name, name) returns text language sql as $$ select {schema}.hasnt_extension($1, $2, 'Extension ' || quote_ident($2) || ' should ' || 'not exist in schema ' || quote_ident($1)) $$;
create function {schema}.has_type(name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace where t.typisdefined and n.nspname = $1 and t.typname = $2 and t.typtype in ('b', 'c', 'd', 'e', 'p', 'r', 'm')), $3) $$;
create function {schema}.has_type(name, name) returns text language sql as $$ select {schema}.has_type($1, $2, 'Type ' || quote_ident($1) || '.' || quote_ident($2) || ' should exist') $$;
create function {schema}.has_type(name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_type t where t.typisdefined and pg_catalog.pg_type_is_visible(t.oid) and t.typname = $1 and t.typtype in ('b', 'c', 'd', 'e', 'p', 'r', 'm')), $2) $$;
create function {schema}.has_type(name) returns text language sql as $$ select {schema}.has_type($1, ('Type ' || quote_ident($1) || ' should exist')::text) $$;
create function {schema}.hasnt_type(name, name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace where t.typisdefined and n.nspname = $1 and t.typname = $2 and t.typtype in ('b', 'c', 'd', 'e', 'p', 'r', 'm')), $3) $$;
create function {schema}.hasnt_type(name, name) returns text language sql as $$ select {schema}.hasnt_type($1, $2, 'Type ' || quote_ident($1) || '.' || quote_ident($2) || ' should not exist') $$;
create function {schema}.hasnt_type(name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_type t where t.typisdefined and pg_catalog.pg_type_is_visible(t.oid) and t.typname = $1 and t.typtype in ('b', 'c', 'd', 'e', 'p', 'r', 'm')), $2) $$;
create function {schema}.hasnt_type(name) returns text language sql as $$ select {schema}.hasnt_type($1, ('Type ' || quote_ident($1) || ' should not exist')::text) $$;
create function {schema}.has_enum(name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace where t.typisdefined and n.nspname = $1 and t.typname = $2 and t.typtype in ('e')), $3) $$;
create function {schema}.has_enum(name, name) returns text language sql as $$ select {schema}.has_enum($1, $2, 'Enum ' || quote_ident($1) || '.' || quote_ident($2) || ' should exist') $$;
create function {schema}.has_enum(name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_type t where t.typisdefined and pg_catalog.pg_type_is_visible(t.oid) and t.typname = $1 and t.typtype in ('e')), $2) $$;
create function {schema}.has_enum(name) returns text language sql as $$ select {schema}.has_enum($1, ('Enum ' || quote_ident($1) || ' should exist')::text) $$;
create function {schema}.hasnt_enum(name, name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace where t.typisdefined and n.nspname = $1 and t.typname = $2 and t.typtype in ('e')), $3) $$;
create function {schema}.hasnt_enum(name, name) returns text language sql as $$ select {schema}.hasnt_enum($1, $2, 'Enum ' || quote_ident($1) || '.' || quote_ident($2) || ' should not exist') $$;
create function {schema}.hasnt_enum(name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_type t where t.typisdefined and pg_catalog.pg_type_is_visible(t.oid) and t.typname = $1 and t.typtype in ('e')), $2) $$;
create function {schema}.hasnt_enum(name) returns text language sql as $$ select {schema}.hasnt_enum($1, ('Enum ' || quote_ident($1) || ' should not exist')::text) $$;
create function {schema}.has_domain(name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace where t.typisdefined and n.nspname = $1 and t.typname = $2 and t.typtype in ('d')), $3) $$;
create function {schema}.has_domain(name, name) returns text language sql as $$ select {schema}.has_domain($1, $2, 'Domain ' || quote_ident($1) || '.' || quote_ident($2) || ' should exist') $$;
create function {schema}.has_domain(name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_type t where t.typisdefined and pg_catalog.pg_type_is_visible(t.oid) and t.typname = $1 and t.typtype in ('d')), $2) $$;
create function {schema}.has_domain(name) returns text language sql as $$ select {schema}.has_domain($1, ('Domain ' || quote_ident($1) || ' should exist')::text) $$;
create function {schema}.hasnt_domain(name, name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace where t.typisdefined and n.nspname = $1 and t.typname = $2 and t.typtype in ('d')), $3) $$;
create function {schema}.hasnt_domain(name, name) returns text language sql as $$ select {schema}.hasnt_domain($1, $2, 'Domain ' || quote_ident($1) || '.' || quote_ident($2) || ' should not exist') $$;
create function {schema}.hasnt_domain(name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_type t where t.typisdefined and pg_catalog.pg_type_is_visible(t.oid) and t.typname = $1 and t.typtype in ('d')), $2) $$;
create function {schema}.hasnt_domain(name) returns text language sql as $$ select {schema}.hasnt_domain($1, ('Domain ' || quote_ident($1) || ' should not exist')::text) $$;
create function {schema}.has_composite(name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace where t.typisdefined and n.nspname = $1 and t.typname = $2 and t.typtype in ('c')), $3) $$;
create function {schema}.has_composite(name, name) returns text language sql as $$ select {schema}.has_composite($1, $2, 'Composite type ' || quote_ident($1) || '.' || quote_ident($2) || ' should exist') $$;
create function {schema}.has_composite(name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_type t where t.typisdefined and pg_catalog.pg_type_is_visible(t.oid) and t.typname = $1 and t.typtype in ('c')), $2) $$;
create function {schema}.has_composite(name) returns text language sql as $$ select {schema}.has_composite($1, ('Composite type ' || quote_ident($1) || ' should exist')::text) $$;
create function {schema}.hasnt_composite(name, name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace where t.typisdefined and n.nspname = $1 and t.typname = $2 and t.typtype in ('c')), $3) $$;
create function {schema}.hasnt_composite(name, name) returns text language sql as $$ select {schema}.hasnt_composite($1, $2, 'Composite type ' || quote_ident($1) || '.' || quote_ident($2) || ' should not exist') $$;
create function {schema}.hasnt_composite(name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_type t where t.typisdefined and pg_catalog.pg_type_is_visible(t.oid) and t.typname = $1 and t.typtype in ('c')), $2) $$;
create function {schema}.hasnt_composite(name) returns text language sql as $$ select {schema}.hasnt_composite($1, ('Composite type ' || quote_ident($1) || ' should not exist')::text) $$;
create function {schema}.enum_has_labels(name, name, name[], text) returns text language sql as $$ select {schema}.is((select array_agg(e.enumlabel order by e.enumsortorder) from pg_catalog.pg_enum e join pg_catalog.pg_type t on t.oid = e.enumtypid join pg_catalog.pg_namespace n on n.oid = t.typnamespace where n.nspname = $1 and t.typname = $2), $3, $4) $$;
create function {schema}.enum_has_labels(name, name, name[]) returns text language sql as $$ select {schema}.enum_has_labels($1, $2, $3, 'Enum ' || quote_ident($1) || '.' || quote_ident($2) || ' should have labels (' || array_to_string($3, ', ') || ')') $$;
create function {schema}.enum_has_labels(name, name[], text) returns text language sql as $$ select {schema}.is((select array_agg(e.enumlabel order by e.enumsortorder) from pg_catalog.pg_enum e join pg_catalog.pg_type t on t.oid = e.enumtypid where pg_catalog.pg_type_is_visible(t.oid) and t.typname = $1), $2, $3) $$;
create function {schema}.enum_has_labels(name, name[]) returns text language sql as $$ select {schema}.enum_has_labels($1, $2, 'Enum ' || quote_ident($1) || ' should have labels (' || array_to_string($2, ', ') || ')') $$;
create function {schema}.has_column(name, name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where a.attnum > 0 and not a.attisdropped and n.nspname = $1 and c.relname = $2 and a.attname = $3), $4) $$;
create function {schema}.has_column(name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where a.attnum > 0 and not a.attisdropped and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and a.attname = $2), $3) $$;
create function {schema}.has_column(name, name) returns text language sql as $$ select {schema}.has_column($1, $2, 'Column ' || quote_ident($1) || '.' || quote_ident($2) || ' should exist') $$;
create function {schema}.hasnt_column(name, name, name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where a.attnum > 0 and not a.attisdropped and n.nspname = $1 and c.relname = $2 and a.attname = $3), $4) $$;
create function {schema}.hasnt_column(name, name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where a.attnum > 0 and not a.attisdropped and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and a.attname = $2), $3) $$;
create function {schema}.hasnt_column(name, name) returns text language sql as $$ select {schema}.hasnt_column($1, $2, 'Column ' || quote_ident($1) || '.' || quote_ident($2) || ' should not exist') $$;
create function {schema}.col_not_null(name, name, name, text) returns text language sql as $$ select {schema}.ok((select a.attnotnull from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where a.attnum > 0 and not a.attisdropped and n.nspname = $1 and c.relname = $2 and a.attname = $3), $4) $$;
create function {schema}.col_not_null(name, name, text) returns text language sql as $$ select {schema}.ok((select a.attnotnull from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where a.attnum > 0 and not a.attisdropped and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and a.attname = $2), $3) $$;
create function {schema}.col_not_null(name, name) returns text language sql as $$ select {schema}.col_not_null($1, $2, 'Column ' || quote_ident($1) || '.' || quote_ident($2) || ' should be NOT NULL') $$;
create function {schema}.col_is_null(name, name, name, text) returns text language sql as $$ select {schema}.ok((select not a.attnotnull from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where a.attnum > 0 and not a.attisdropped and n.nspname = $1 and c.relname = $2 and a.attname = $3), $4) $$;
create function {schema}.col_is_null(name, name, text) returns text language sql as $$ select {schema}.ok((select not a.attnotnull from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where a.attnum > 0 and not a.attisdropped and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and a.attname = $2), $3) $$;
create function {schema}.col_is_null(name, name) returns text language sql as $$ select {schema}.col_is_null($1, $2, 'Column ' || quote_ident($1) || '.' || quote_ident($2) || ' should allow NULL') $$;
create function {schema}.col_has_default(name, name, name, text) returns text language sql as $$ select {schema}.ok((select a.atthasdef from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where a.attnum > 0 and not a.attisdropped and n.nspname = $1 and c.relname = $2 and a.attname = $3), $4) $$;
create function {schema}.col_has_default(name, name, text) returns text language sql as $$ select {schema}.ok((select a.atthasdef from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where a.attnum > 0 and not a.attisdropped and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and a.attname = $2), $3) $$;
create function {schema}.col_has_default(name, name) returns text language sql as $$ select {schema}.col_has_default($1, $2, 'Column ' || quote_ident($1) || '.' || quote_ident($2) || ' should have a default') $$;
create function {schema}.col_hasnt_default(name, name, name, text) returns text language sql as $$ select {schema}.ok((select not a.atthasdef from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where a.attnum > 0 and not a.attisdropped and n.nspname = $1 and c.relname = $2 and a.attname = $3), $4) $$;
create function {schema}.col_hasnt_default(name, name, text) returns text language sql as $$ select {schema}.ok((select not a.atthasdef from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where a.attnum > 0 and not a.attisdropped and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and a.attname = $2), $3) $$;
create function {schema}.col_hasnt_default(name, name) returns text language sql as $$ select {schema}.col_hasnt_default($1, $2, 'Column ' || quote_ident($1) || '.' || quote_ident($2) || ' should not have a default') $$;
create function {schema}._type_is(have text, want text, descr text) returns text language sql as $$ select {schema}._ok(have is not distinct from want or have is not distinct from to_regtype(want)::text, descr, '        have: ' || {schema}._shown(have) || e'\n        want: ' || {schema}._shown(want)) $$;
create function {schema}.col_type_is(name, name, name, text, text) returns text language sql as $$ select {schema}._type_is((select pg_catalog.format_type(a.atttypid, a.atttypmod) from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where a.attnum > 0 and not a.attisdropped and n.nspname = $1 and c.relname = $2 and a.attname = $3), $4, $5) $$;
create function {schema}.col_type_is(name, name, name, text) returns text language sql as $$ select {schema}.col_type_is($1, $2, $3, $4, 'Column ' || quote_ident($1) || '.' || quote_ident($2) || '.' || quote_ident($3) || ' should be type ' || $4) $$;
create function {schema}.col_type_is(name, name, text, text) returns text language sql as $$ select {schema}._type_is((select pg_catalog.format_type(a.atttypid, a.atttypmod) from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where a.attnum > 0 and not a.attisdropped and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and a.attname = $2), $3, $4) $$;
create function {schema}.col_type_is(name, name, text) returns text language sql as $$ select {schema}.col_type_is($1, $2, $3, 'Column ' || quote_ident($1) || '.' || quote_ident($2) || ' should be type ' || $3) $$;
create function {schema}.col_default_is(name, name, name, text, text) returns text language sql as $$ select {schema}._ok((select pg_catalog.pg_get_expr(d.adbin, d.adrelid) from pg_catalog.pg_attrdef d join pg_catalog.pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2 and a.attname = $3) = $4 or (select pg_catalog.pg_get_expr(d.adbin, d.adrelid) from pg_catalog.pg_attrdef d join pg_catalog.pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2 and a.attname = $3) like quote_literal($4) || '::%', $5, '        have: ' || {schema}._shown((select pg_catalog.pg_get_expr(d.adbin, d.adrelid) from pg_catalog.pg_attrdef d join pg_catalog.pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2 and a.attname = $3)) || e'\n        want: ' || {schema}._shown($4)) $$;
create function {schema}.col_default_is(name, name, text, text) returns text language sql as $$ select {schema}._ok((select pg_catalog.pg_get_expr(d.adbin, d.adrelid) from pg_catalog.pg_attrdef d join pg_catalog.pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and a.attname = $2) = $3 or (select pg_catalog.pg_get_expr(d.adbin, d.adrelid) from pg_catalog.pg_attrdef d join pg_catalog.pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and a.attname = $2) like quote_literal($3) || '::%', $4, '        have: ' || {schema}._shown((select pg_catalog.pg_get_expr(d.adbin, d.adrelid) from pg_catalog.pg_attrdef d join pg_catalog.pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and a.attname = $2)) || e'\n        want: ' || {schema}._shown($3)) $$;
create function {schema}.col_default_is(name, name, text) returns text language sql as $$ select {schema}.col_default_is($1, $2, $3, 'Column ' || quote_ident($1) || '.' || quote_ident($2) || ' should default to ' || {schema}._shown($3)) $$;
create function {schema}.has_pk(name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2 and k.contype = 'p'), $3) $$;
create function {schema}.has_pk(name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and k.contype = 'p'), $2) $$;
create function {schema}.has_pk(name) returns text language sql as $$ select {schema}.has_pk($1, 'Table ' || quote_ident($1) || ' should have a primary key') $$;
create function {schema}.has_pk(name, name) returns text language sql as $$ select {schema}.has_pk($1, $2, 'Table ' || quote_ident($1) || '.' || quote_ident($2) || ' should have a primary key') $$;
create function {schema}.hasnt_pk(name, name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2 and k.contype = 'p'), $3) $$;
create function {schema}.hasnt_pk(name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and k.contype = 'p'), $2) $$;
create function {schema}.hasnt_pk(name) returns text language sql as $$ select {schema}.hasnt_pk($1, 'Table ' || quote_ident($1) || ' should not have a primary key') $$;
create function {schema}.hasnt_pk(name, name) returns text language sql as $$ select {schema}.hasnt_pk($1, $2, 'Table ' || quote_ident($1) || '.' || quote_ident($2) || ' should not have a primary key') $$;
create function {schema}.has_fk(name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2 and k.contype = 'f'), $3) $$;
create function {schema}.has_fk(name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and k.contype = 'f'), $2) $$;
create function {schema}.has_fk(name) returns text language sql as $$ select {schema}.has_fk($1, 'Table ' || quote_ident($1) || ' should have a foreign key constraint') $$;
create function {schema}.has_fk(name, name) returns text language sql as $$ select {schema}.has_fk($1, $2, 'Table ' || quote_ident($1) || '.' || quote_ident($2) || ' should have a foreign key constraint') $$;
create function {schema}.hasnt_fk(name, name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2 and k.contype = 'f'), $3) $$;
create function {schema}.hasnt_fk(name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and k.contype = 'f'), $2) $$;
create function {schema}.hasnt_fk(name) returns text language sql as $$ select {schema}.hasnt_fk($1, 'Table ' || quote_ident($1) || ' should not have a foreign key constraint') $$;
create function {schema}.hasnt_fk(name, name) returns text language sql as $$ select {schema}.hasnt_fk($1, $2, 'Table ' || quote_ident($1) || '.' || quote_ident($2) || ' should not have a foreign key constraint') $$;
create function {schema}.has_unique(name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2 and k.contype = 'u'), $3) $$;
create function {schema}.has_unique(name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and k.contype = 'u'), $2) $$;
create function {schema}.has_unique(name) returns text language sql as $$ select {schema}.has_unique($1, 'Table ' || quote_ident($1) || ' should have a unique constraint') $$;
create function {schema}.has_check(name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2 and k.contype = 'c'), $3) $$;
create function {schema}.has_check(name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and k.contype = 'c'), $2) $$;
create function {schema}.has_check(name) returns text language sql as $$ select {schema}.has_check($1, 'Table ' || quote_ident($1) || ' should have a check constraint') $$;
create function {schema}.col_is_pk(name, name, name[], text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2 and k.contype = 'p' and array(select a.attname from unnest(k.conkey) with ordinality u (n, i) join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.n order by a.attname) = array(select one::name from unnest($3) one order by one::name)), $4) $$;
create function {schema}.col_is_pk(name, name, name, text) returns text language sql as $$ select {schema}.col_is_pk($1, $2, array[$3]::name[], $4) $$;
create function {schema}.col_is_pk(name, name[], text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and k.contype = 'p' and array(select a.attname from unnest(k.conkey) with ordinality u (n, i) join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.n order by a.attname) = array(select one::name from unnest($2) one order by one::name)), $3) $$;
create function {schema}.col_is_pk(name, name, text) returns text language sql as $$ select {schema}.col_is_pk($1, array[$2]::name[], $3) $$;
create function {schema}.col_is_pk(name, name[]) returns text language sql as $$ select {schema}.col_is_pk($1, $2, 'Columns ' || quote_ident($1) || '(' || {schema}._idents($2) || ') should be a primary key') $$;
create function {schema}.col_is_pk(name, name) returns text language sql as $$ select {schema}.col_is_pk($1, array[$2]::name[], 'Column ' || quote_ident($1) || '(' || quote_ident($2) || ') should be a primary key') $$;
create function {schema}.col_is_fk(name, name, name[], text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2 and k.contype = 'f' and array(select a.attname from unnest(k.conkey) with ordinality u (n, i) join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.n order by a.attname) = array(select one::name from unnest($3) one order by one::name)), $4) $$;
create function {schema}.col_is_fk(name, name, name, text) returns text language sql as $$ select {schema}.col_is_fk($1, $2, array[$3]::name[], $4) $$;
create function {schema}.col_is_fk(name, name[], text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and k.contype = 'f' and array(select a.attname from unnest(k.conkey) with ordinality u (n, i) join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.n order by a.attname) = array(select one::name from unnest($2) one order by one::name)), $3) $$;
create function {schema}.col_is_fk(name, name, text) returns text language sql as $$ select {schema}.col_is_fk($1, array[$2]::name[], $3) $$;
create function {schema}.col_is_fk(name, name[]) returns text language sql as $$ select {schema}.col_is_fk($1, $2, 'Columns ' || quote_ident($1) || '(' || {schema}._idents($2) || ') should be a foreign key') $$;
create function {schema}.col_is_fk(name, name) returns text language sql as $$ select {schema}.col_is_fk($1, array[$2]::name[], 'Column ' || quote_ident($1) || '(' || quote_ident($2) || ') should be a foreign key') $$;
create function {schema}.col_is_unique(name, name, name[], text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2 and k.contype = 'u' and array(select a.attname from unnest(k.conkey) with ordinality u (n, i) join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.n order by a.attname) = array(select one::name from unnest($3) one order by one::name)), $4) $$;
create function {schema}.col_is_unique(name, name, name, text) returns text language sql as $$ select {schema}.col_is_unique($1, $2, array[$3]::name[], $4) $$;
create function {schema}.col_is_unique(name, name[], text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and k.contype = 'u' and array(select a.attname from unnest(k.conkey) with ordinality u (n, i) join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.n order by a.attname) = array(select one::name from unnest($2) one order by one::name)), $3) $$;
create function {schema}.col_is_unique(name, name, text) returns text language sql as $$ select {schema}.col_is_unique($1, array[$2]::name[], $3) $$;
create function {schema}.col_is_unique(name, name[]) returns text language sql as $$ select {schema}.col_is_unique($1, $2, 'Columns ' || quote_ident($1) || '(' || {schema}._idents($2) || ') should have a unique constraint') $$;
create function {schema}.col_is_unique(name, name) returns text language sql as $$ select {schema}.col_is_unique($1, array[$2]::name[], 'Column ' || quote_ident($1) || '(' || quote_ident($2) || ') should have a unique constraint') $$;
create function {schema}.col_has_check(name, name, name[], text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2 and k.contype = 'c' and array(select a.attname from unnest(k.conkey) with ordinality u (n, i) join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.n order by a.attname) = array(select one::name from unnest($3) one order by one::name)), $4) $$;
create function {schema}.col_has_check(name, name, name, text) returns text language sql as $$ select {schema}.col_has_check($1, $2, array[$3]::name[], $4) $$;
create function {schema}.col_has_check(name, name[], text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and k.contype = 'c' and array(select a.attname from unnest(k.conkey) with ordinality u (n, i) join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.n order by a.attname) = array(select one::name from unnest($2) one order by one::name)), $3) $$;
create function {schema}.col_has_check(name, name, text) returns text language sql as $$ select {schema}.col_has_check($1, array[$2]::name[], $3) $$;
create function {schema}.col_has_check(name, name[]) returns text language sql as $$ select {schema}.col_has_check($1, $2, 'Columns ' || quote_ident($1) || '(' || {schema}._idents($2) || ') should have a check constraint') $$;
create function {schema}.col_has_check(name, name) returns text language sql as $$ select {schema}.col_has_check($1, array[$2]::name[], 'Column ' || quote_ident($1) || '(' || quote_ident($2) || ') should have a check constraint') $$;
create function {schema}.fk_ok(name, name, name[], name, name, name[], text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace join pg_catalog.pg_class r on r.oid = k.confrelid join pg_catalog.pg_namespace m on m.oid = r.relnamespace where k.contype = 'f' and n.nspname = $1 and c.relname = $2 and m.nspname = $4 and r.relname = $5 and array(select a.attname from unnest(k.conkey) with ordinality u (n, i) join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.n order by a.attname) = array(select one::name from unnest($3) one order by one::name) and array(select a.attname from unnest(k.confkey) u (n) join pg_catalog.pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.n order by a.attname) = array(select one::name from unnest($6) one order by one::name)), $7) $$;
create function {schema}.fk_ok(name, name, name, name, name, name, text) returns text language sql as $$ select {schema}.fk_ok($1, $2, array[$3]::name[], $4, $5, array[$6]::name[], $7) $$;
create function {schema}.fk_ok(name, name, name, name, name, name) returns text language sql as $$ select {schema}.fk_ok($1, $2, $3, $4, $5, $6, quote_ident($1) || '.' || quote_ident($2) || '(' || quote_ident($3) || ') should reference ' || quote_ident($4) || '.' || quote_ident($5) || '(' || quote_ident($6) || ')') $$;
create function {schema}.fk_ok(name, name[], name, name[], text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_constraint k join pg_catalog.pg_class c on c.oid = k.conrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace join pg_catalog.pg_class r on r.oid = k.confrelid join pg_catalog.pg_namespace m on m.oid = r.relnamespace where k.contype = 'f' and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and pg_catalog.pg_table_is_visible(r.oid) and r.relname = $3 and array(select a.attname from unnest(k.conkey) with ordinality u (n, i) join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.n order by a.attname) = array(select one::name from unnest($2) one order by one::name) and array(select a.attname from unnest(k.confkey) u (n) join pg_catalog.pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.n order by a.attname) = array(select one::name from unnest($4) one order by one::name)), $5) $$;
create function {schema}.fk_ok(name, name, name, name, text) returns text language sql as $$ select {schema}.fk_ok($1, array[$2]::name[], $3, array[$4]::name[], $5) $$;
create function {schema}.fk_ok(name, name, name, name) returns text language sql as $$ select {schema}.fk_ok($1, $2, $3, $4, quote_ident($1) || '(' || quote_ident($2) || ') should reference ' || quote_ident($3) || '(' || quote_ident($4) || ')') $$;
create function {schema}.has_index(name, name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid join pg_catalog.pg_class c on c.oid = x.indrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2 and i.relname = $3), $4) $$;
create function {schema}.has_index(name, name, name) returns text language sql as $$ select {schema}.has_index($1, $2, $3, 'Index ' || quote_ident($3) || ' should exist') $$;
create function {schema}.has_index(name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid join pg_catalog.pg_class c on c.oid = x.indrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and i.relname = $2), $3) $$;
create function {schema}.has_index(name, name) returns text language sql as $$ select {schema}.has_index($1, $2, 'Index ' || quote_ident($2) || ' should exist') $$;
create function {schema}.hasnt_index(name, name, name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid join pg_catalog.pg_class c on c.oid = x.indrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2 and i.relname = $3), $4) $$;
create function {schema}.hasnt_index(name, name, name) returns text language sql as $$ select {schema}.hasnt_index($1, $2, $3, 'Index ' || quote_ident($3) || ' should not exist') $$;
create function {schema}.hasnt_index(name, name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid join pg_catalog.pg_class c on c.oid = x.indrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and i.relname = $2), $3) $$;
create function {schema}.hasnt_index(name, name) returns text language sql as $$ select {schema}.hasnt_index($1, $2, 'Index ' || quote_ident($2) || ' should not exist') $$;
create function {schema}.has_trigger(name, name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_trigger g join pg_catalog.pg_class c on c.oid = g.tgrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where not g.tgisinternal and n.nspname = $1 and c.relname = $2 and g.tgname = $3), $4) $$;
create function {schema}.has_trigger(name, name, name) returns text language sql as $$ select {schema}.has_trigger($1, $2, $3, 'Table ' || quote_ident($1) || '.' || quote_ident($2) || ' should have trigger ' || quote_ident($3)) $$;
create function {schema}.has_trigger(name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_trigger g join pg_catalog.pg_class c on c.oid = g.tgrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where not g.tgisinternal and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and g.tgname = $2), $3) $$;
create function {schema}.has_trigger(name, name) returns text language sql as $$ select {schema}.has_trigger($1, $2, 'Table ' || quote_ident($1) || ' should have trigger ' || quote_ident($2)) $$;
create function {schema}.hasnt_trigger(name, name, name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_trigger g join pg_catalog.pg_class c on c.oid = g.tgrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where not g.tgisinternal and n.nspname = $1 and c.relname = $2 and g.tgname = $3), $4) $$;
create function {schema}.hasnt_trigger(name, name, name) returns text language sql as $$ select {schema}.hasnt_trigger($1, $2, $3, 'Table ' || quote_ident($1) || '.' || quote_ident($2) || ' should not have trigger ' || quote_ident($3)) $$;
create function {schema}.hasnt_trigger(name, name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_trigger g join pg_catalog.pg_class c on c.oid = g.tgrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where not g.tgisinternal and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1 and g.tgname = $2), $3) $$;
create function {schema}.hasnt_trigger(name, name) returns text language sql as $$ select {schema}.hasnt_trigger($1, $2, 'Table ' || quote_ident($1) || ' should not have trigger ' || quote_ident($2)) $$;
create function {schema}.has_function(name, name, name[], text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 and p.proname = $2 and array(select pg_catalog.format_type(t, null) from unnest(p.proargtypes) with ordinality u (t, i) order by i) = array(select coalesce(to_regtype(w)::text, w) from unnest($3::text[]) with ordinality u (w, i) order by i)), $4) $$;
create function {schema}.has_function(name, name, name[]) returns text language sql as $$ select {schema}.has_function($1, $2, $3, 'Function ' || quote_ident($1) || '.' || quote_ident($2) || '(' || array_to_string($3, ', ') || ') should exist') $$;
create function {schema}.has_function(name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 and p.proname = $2), $3) $$;
create function {schema}.has_function(name, name) returns text language sql as $$ select {schema}.has_function($1, $2, 'Function ' || quote_ident($1) || '.' || quote_ident($2) || '() should exist') $$;
create function {schema}.has_function(name, name[], text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where pg_catalog.pg_function_is_visible(p.oid) and p.proname = $1 and array(select pg_catalog.format_type(t, null) from unnest(p.proargtypes) with ordinality u (t, i) order by i) = array(select coalesce(to_regtype(w)::text, w) from unnest($2::text[]) with ordinality u (w, i) order by i)), $3) $$;
create function {schema}.has_function(name, name[]) returns text language sql as $$ select {schema}.has_function($1, $2, 'Function ' || quote_ident($1) || '(' || array_to_string($2, ', ') || ') should exist') $$;
create function {schema}.has_function(name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where pg_catalog.pg_function_is_visible(p.oid) and p.proname = $1), $2) $$;
create function {schema}.has_function(name) returns text language sql as $$ select {schema}.has_function($1, ('Function ' || quote_ident($1) || '() should exist')::text) $$;
create function {schema}.hasnt_function(name, name, name[], text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 and p.proname = $2 and array(select pg_catalog.format_type(t, null) from unnest(p.proargtypes) with ordinality u (t, i) order by i) = array(select coalesce(to_regtype(w)::text, w) from unnest($3::text[]) with ordinality u (w, i) order by i)), $4) $$;
create function {schema}.hasnt_function(name, name, name[]) returns text language sql as $$ select {schema}.hasnt_function($1, $2, $3, 'Function ' || quote_ident($1) || '.' || quote_ident($2) || '(' || array_to_string($3, ', ') || ') should not exist') $$;
create function {schema}.hasnt_function(name, name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 and p.proname = $2), $3) $$;
create function {schema}.hasnt_function(name, name) returns text language sql as $$ select {schema}.hasnt_function($1, $2, 'Function ' || quote_ident($1) || '.' || quote_ident($2) || '() should not exist') $$;
create function {schema}.hasnt_function(name, name[], text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where pg_catalog.pg_function_is_visible(p.oid) and p.proname = $1 and array(select pg_catalog.format_type(t, null) from unnest(p.proargtypes) with ordinality u (t, i) order by i) = array(select coalesce(to_regtype(w)::text, w) from unnest($2::text[]) with ordinality u (w, i) order by i)), $3) $$;
create function {schema}.hasnt_function(name, name[]) returns text language sql as $$ select {schema}.hasnt_function($1, $2, 'Function ' || quote_ident($1) || '(' || array_to_string($2, ', ') || ') should not exist') $$;
create function {schema}.hasnt_function(name, text) returns text language sql as $$ select {schema}.ok(not exists (select from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where pg_catalog.pg_function_is_visible(p.oid) and p.proname = $1), $2) $$;
create function {schema}.hasnt_function(name) returns text language sql as $$ select {schema}.hasnt_function($1, ('Function ' || quote_ident($1) || '() should not exist')::text) $$;
create function {schema}.function_returns(name, name, name[], text, text) returns text language sql as $$ select {schema}._type_is((select case when p.proretset then 'setof ' else '' end || pg_catalog.format_type(p.prorettype, null) from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 and p.proname = $2 and array(select pg_catalog.format_type(t, null) from unnest(p.proargtypes) with ordinality u (t, i) order by i) = array(select coalesce(to_regtype(w)::text, w) from unnest($3::text[]) with ordinality u (w, i) order by i) limit 1), $4, $5) $$;
create function {schema}.function_returns(name, name, name[], text) returns text language sql as $$ select {schema}.function_returns($1, $2, $3, $4, 'Function ' || quote_ident($1) || '.' || quote_ident($2) || '(' || array_to_string($3, ', ') || ') should return ' || $4) $$;
create function {schema}.function_returns(name, name, text, text) returns text language sql as $$ select {schema}._type_is((select case when p.proretset then 'setof ' else '' end || pg_catalog.format_type(p.prorettype, null) from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 and p.proname = $2 limit 1), $3, $4) $$;
create function {schema}.function_returns(name, name, text) returns text language sql as $$ select {schema}.function_returns($1, $2, $3, 'Function ' || quote_ident($1) || '.' || quote_ident($2) || '() should return ' || $3) $$;
create function {schema}.function_returns(name, name[], text, text) returns text language sql as $$ select {schema}._type_is((select case when p.proretset then 'setof ' else '' end || pg_catalog.format_type(p.prorettype, null) from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where pg_catalog.pg_function_is_visible(p.oid) and p.proname = $1 and array(select pg_catalog.format_type(t, null) from unnest(p.proargtypes) with ordinality u (t, i) order by i) = array(select coalesce(to_regtype(w)::text, w) from unnest($2::text[]) with ordinality u (w, i) order by i) limit 1), $3, $4) $$;
create function {schema}.function_returns(name, name[], text) returns text language sql as $$ select {schema}.function_returns($1, $2, $3, 'Function ' || quote_ident($1) || '(' || array_to_string($2, ', ') || ') should return ' || $3) $$;
create function {schema}.function_returns(name, text, text) returns text language sql as $$ select {schema}._type_is((select case when p.proretset then 'setof ' else '' end || pg_catalog.format_type(p.prorettype, null) from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where pg_catalog.pg_function_is_visible(p.oid) and p.proname = $1 limit 1), $2, $3) $$;
create function {schema}.function_returns(name, text) returns text language sql as $$ select {schema}.function_returns($1, $2, ('Function ' || quote_ident($1) || '() should return ' || $2)::text) $$;
create function {schema}.function_lang_is(name, name, name[], name, text) returns text language sql as $$ select {schema}.is((select l.lanname from pg_catalog.pg_language l, pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 and p.proname = $2 and array(select pg_catalog.format_type(t, null) from unnest(p.proargtypes) with ordinality u (t, i) order by i) = array(select coalesce(to_regtype(w)::text, w) from unnest($3::text[]) with ordinality u (w, i) order by i) and l.oid = p.prolang limit 1)::text, $4::text, $5) $$;
create function {schema}.function_lang_is(name, name, name, text) returns text language sql as $$ select {schema}.is((select l.lanname from pg_catalog.pg_language l, pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 and p.proname = $2 and l.oid = p.prolang limit 1)::text, $3::text, $4) $$;
create function {schema}.is_definer(name, name, name[], text) returns text language sql as $$ select {schema}.ok((select p.prosecdef from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 and p.proname = $2 and array(select pg_catalog.format_type(t, null) from unnest(p.proargtypes) with ordinality u (t, i) order by i) = array(select coalesce(to_regtype(w)::text, w) from unnest($3::text[]) with ordinality u (w, i) order by i)), $4) $$;
create function {schema}.is_definer(name, name, name[]) returns text language sql as $$ select {schema}.is_definer($1, $2, $3, 'Function ' || quote_ident($1) || '.' || quote_ident($2) || '(' || array_to_string($3, ', ') || ') should be security definer') $$;
create function {schema}.is_definer(name, name, text) returns text language sql as $$ select {schema}.ok((select p.prosecdef from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 and p.proname = $2 limit 1), $3) $$;
create function {schema}.is_definer(name, name) returns text language sql as $$ select {schema}.is_definer($1, $2, 'Function ' || quote_ident($1) || '.' || quote_ident($2) || '() should be security definer') $$;
create function {schema}.is_definer(name, text) returns text language sql as $$ select {schema}.ok((select p.prosecdef from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where pg_catalog.pg_function_is_visible(p.oid) and p.proname = $1 limit 1), $2) $$;
create function {schema}.is_definer(name) returns text language sql as $$ select {schema}.is_definer($1, ('Function ' || quote_ident($1) || '() should be security definer')::text) $$;
create function {schema}.isnt_definer(name, name, name[], text) returns text language sql as $$ select {schema}.ok(not (select p.prosecdef from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 and p.proname = $2 and array(select pg_catalog.format_type(t, null) from unnest(p.proargtypes) with ordinality u (t, i) order by i) = array(select coalesce(to_regtype(w)::text, w) from unnest($3::text[]) with ordinality u (w, i) order by i)), $4) $$;
create function {schema}.isnt_definer(name, name, name[]) returns text language sql as $$ select {schema}.isnt_definer($1, $2, $3, 'Function ' || quote_ident($1) || '.' || quote_ident($2) || '(' || array_to_string($3, ', ') || ') should not be security definer') $$;
create function {schema}.isnt_definer(name, name, text) returns text language sql as $$ select {schema}.ok(not (select p.prosecdef from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 and p.proname = $2 limit 1), $3) $$;
create function {schema}.isnt_definer(name, name) returns text language sql as $$ select {schema}.isnt_definer($1, $2, 'Function ' || quote_ident($1) || '.' || quote_ident($2) || '() should not be security definer') $$;
create function {schema}.isnt_definer(name, text) returns text language sql as $$ select {schema}.ok(not (select p.prosecdef from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where pg_catalog.pg_function_is_visible(p.oid) and p.proname = $1 limit 1), $2) $$;
create function {schema}.isnt_definer(name) returns text language sql as $$ select {schema}.isnt_definer($1, ('Function ' || quote_ident($1) || '() should not be security definer')::text) $$;
create function {schema}.is_strict(name, name, name[], text) returns text language sql as $$ select {schema}.ok((select p.proisstrict from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 and p.proname = $2 and array(select pg_catalog.format_type(t, null) from unnest(p.proargtypes) with ordinality u (t, i) order by i) = array(select coalesce(to_regtype(w)::text, w) from unnest($3::text[]) with ordinality u (w, i) order by i)), $4) $$;
create function {schema}.is_strict(name, name, name[]) returns text language sql as $$ select {schema}.is_strict($1, $2, $3, 'Function ' || quote_ident($1) || '.' || quote_ident($2) || '(' || array_to_string($3, ', ') || ') should be strict') $$;
create function {schema}.is_strict(name, name, text) returns text language sql as $$ select {schema}.ok((select p.proisstrict from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 and p.proname = $2 limit 1), $3) $$;
create function {schema}.is_strict(name, name) returns text language sql as $$ select {schema}.is_strict($1, $2, 'Function ' || quote_ident($1) || '.' || quote_ident($2) || '() should be strict') $$;
create function {schema}.is_strict(name, text) returns text language sql as $$ select {schema}.ok((select p.proisstrict from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where pg_catalog.pg_function_is_visible(p.oid) and p.proname = $1 limit 1), $2) $$;
create function {schema}.is_strict(name) returns text language sql as $$ select {schema}.is_strict($1, ('Function ' || quote_ident($1) || '() should be strict')::text) $$;
create function {schema}.volatility_is(name, name, name[], text, text) returns text language sql as $$ select {schema}.is((select case p.provolatile when 'v' then 'volatile' when 's' then 'stable' else 'immutable' end from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 and p.proname = $2 and array(select pg_catalog.format_type(t, null) from unnest(p.proargtypes) with ordinality u (t, i) order by i) = array(select coalesce(to_regtype(w)::text, w) from unnest($3::text[]) with ordinality u (w, i) order by i)), lower($4), $5) $$;
create function {schema}.volatility_is(name, name, text, text) returns text language sql as $$ select {schema}.is((select case p.provolatile when 'v' then 'volatile' when 's' then 'stable' else 'immutable' end from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = $1 and p.proname = $2 limit 1), lower($3), $4) $$;
create function {schema}._are(what text, have text[], want text[], descr text) returns text language sql as $$ select {schema}._ok(have @> want and have <@ want, descr, concat_ws(e'\n', '    Extra ' || what || e':\n        ' || nullif(array_to_string(array(select unnest(have) except select unnest(want) order by 1), e'\n        '), ''), '    Missing ' || what || e':\n        ' || nullif(array_to_string(array(select unnest(want) except select unnest(have) order by 1), e'\n        '), ''))) $$;
create function {schema}.tables_are(name, name[], text) returns text language sql as $$ select {schema}._are('tables', array(select c.relname::text from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p') and n.nspname = $1), $2::text[], $3) $$;
create function {schema}.tables_are(name, name[]) returns text language sql as $$ select {schema}.tables_are($1, $2, 'Schema ' || quote_ident($1) || ' should have the correct tables') $$;
create function {schema}.tables_are(name[], text) returns text language sql as $$ select {schema}._are('tables', array(select c.relname::text from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p') and pg_catalog.pg_table_is_visible(c.oid) and n.nspname not in ('pg_catalog', 'information_schema')), $1::text[], $2) $$;
create function {schema}.tables_are(name[]) returns text language sql as $$ select {schema}.tables_are($1, 'Search path ' || current_setting('search_path') || ' should have the correct tables') $$;
create function {schema}.views_are(name, name[], text) returns text language sql as $$ select {schema}._are('views', array(select c.relname::text from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('v') and n.nspname = $1), $2::text[], $3) $$;
create function {schema}.views_are(name, name[]) returns text language sql as $$ select {schema}.views_are($1, $2, 'Schema ' || quote_ident($1) || ' should have the correct views') $$;
create function {schema}.views_are(name[], text) returns text language sql as $$ select {schema}._are('views', array(select c.relname::text from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('v') and pg_catalog.pg_table_is_visible(c.oid) and n.nspname not in ('pg_catalog', 'information_schema')), $1::text[], $2) $$;
create function {schema}.views_are(name[]) returns text language sql as $$ select {schema}.views_are($1, 'Search path ' || current_setting('search_path') || ' should have the correct views') $$;
create function {schema}.sequences_are(name, name[], text) returns text language sql as $$ select {schema}._are('sequences', array(select c.relname::text from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('S') and n.nspname = $1), $2::text[], $3) $$;
create function {schema}.sequences_are(name, name[]) returns text language sql as $$ select {schema}.sequences_are($1, $2, 'Schema ' || quote_ident($1) || ' should have the correct sequences') $$;
create function {schema}.sequences_are(name[], text) returns text language sql as $$ select {schema}._are('sequences', array(select c.relname::text from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('S') and pg_catalog.pg_table_is_visible(c.oid) and n.nspname not in ('pg_catalog', 'information_schema')), $1::text[], $2) $$;
create function {schema}.sequences_are(name[]) returns text language sql as $$ select {schema}.sequences_are($1, 'Search path ' || current_setting('search_path') || ' should have the correct sequences') $$;
create function {schema}.materialized_views_are(name, name[], text) returns text language sql as $$ select {schema}._are('materialized_views', array(select c.relname::text from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('m') and n.nspname = $1), $2::text[], $3) $$;
create function {schema}.materialized_views_are(name, name[]) returns text language sql as $$ select {schema}.materialized_views_are($1, $2, 'Schema ' || quote_ident($1) || ' should have the correct materialized_views') $$;
create function {schema}.materialized_views_are(name[], text) returns text language sql as $$ select {schema}._are('materialized_views', array(select c.relname::text from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind in ('m') and pg_catalog.pg_table_is_visible(c.oid) and n.nspname not in ('pg_catalog', 'information_schema')), $1::text[], $2) $$;
create function {schema}.materialized_views_are(name[]) returns text language sql as $$ select {schema}.materialized_views_are($1, 'Search path ' || current_setting('search_path') || ' should have the correct materialized_views') $$;
create function {schema}.schemas_are(name[], text) returns text language sql as $$ select {schema}._are('schemas', array(select nspname::text from pg_catalog.pg_namespace where nspname not like 'pg\_%' and nspname <> 'information_schema'), $1::text[], $2) $$;
create function {schema}.schemas_are(name[]) returns text language sql as $$ select {schema}.schemas_are($1, 'There should be the correct schemas') $$;
create function {schema}.roles_are(name[], text) returns text language sql as $$ select {schema}._are('roles', array(select rolname::text from pg_catalog.pg_roles), $1::text[], $2) $$;
create function {schema}.roles_are(name[]) returns text language sql as $$ select {schema}.roles_are($1, 'There should be the correct roles') $$;
create function {schema}.columns_are(name, name, name[], text) returns text language sql as $$ select {schema}._are('columns', array(select a.attname::text from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where a.attnum > 0 and not a.attisdropped and n.nspname = $1 and c.relname = $2), $3::text[], $4) $$;
create function {schema}.columns_are(name, name, name[]) returns text language sql as $$ select {schema}.columns_are($1, $2, $3, 'Table ' || quote_ident($1) || '.' || quote_ident($2) || ' should have the correct columns') $$;
create function {schema}.columns_are(name, name[], text) returns text language sql as $$ select {schema}._are('columns', array(select a.attname::text from pg_catalog.pg_attribute a join pg_catalog.pg_class c on c.oid = a.attrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where a.attnum > 0 and not a.attisdropped and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1), $2::text[], $3) $$;
create function {schema}.columns_are(name, name[]) returns text language sql as $$ select {schema}.columns_are($1, $2, 'Table ' || quote_ident($1) || ' should have the correct columns') $$;
create function {schema}.functions_are(name, name[], text) returns text language sql as $$ select {schema}._are('functions', array(select p.proname::text from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = $1), $2::text[], $3) $$;
create function {schema}.functions_are(name, name[]) returns text language sql as $$ select {schema}.functions_are($1, $2, 'Schema ' || quote_ident($1) || ' should have the correct functions') $$;
create function {schema}.enums_are(name, name[], text) returns text language sql as $$ select {schema}._are('enums', array(select t.typname::text from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace where t.typtype = 'e' and n.nspname = $1), $2::text[], $3) $$;
create function {schema}.enums_are(name, name[]) returns text language sql as $$ select {schema}.enums_are($1, $2, 'Schema ' || quote_ident($1) || ' should have the correct enums') $$;
create function {schema}.extensions_are(name, name[], text) returns text language sql as $$ select {schema}._are('extensions', array(select e.extname::text from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace where n.nspname = $1), $2::text[], $3) $$;
create function {schema}.extensions_are(name, name[]) returns text language sql as $$ select {schema}.extensions_are($1, $2, 'Schema ' || quote_ident($1) || ' should have the correct extensions') $$;
create function {schema}.indexes_are(name, name, name[], text) returns text language sql as $$ select {schema}._are('indexes', array(select i.relname::text from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid join pg_catalog.pg_class c on c.oid = x.indrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where true and n.nspname = $1 and c.relname = $2), $3::text[], $4) $$;
create function {schema}.indexes_are(name, name, name[]) returns text language sql as $$ select {schema}.indexes_are($1, $2, $3, 'Table ' || quote_ident($1) || '.' || quote_ident($2) || ' should have the correct indexes') $$;
create function {schema}.indexes_are(name, name[], text) returns text language sql as $$ select {schema}._are('indexes', array(select i.relname::text from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid join pg_catalog.pg_class c on c.oid = x.indrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where true and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1), $2::text[], $3) $$;
create function {schema}.indexes_are(name, name[]) returns text language sql as $$ select {schema}.indexes_are($1, $2, 'Table ' || quote_ident($1) || ' should have the correct indexes') $$;
create function {schema}.triggers_are(name, name, name[], text) returns text language sql as $$ select {schema}._are('triggers', array(select g.tgname::text from pg_catalog.pg_trigger g join pg_catalog.pg_class c on c.oid = g.tgrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where not g.tgisinternal and n.nspname = $1 and c.relname = $2), $3::text[], $4) $$;
create function {schema}.triggers_are(name, name, name[]) returns text language sql as $$ select {schema}.triggers_are($1, $2, $3, 'Table ' || quote_ident($1) || '.' || quote_ident($2) || ' should have the correct triggers') $$;
create function {schema}.triggers_are(name, name[], text) returns text language sql as $$ select {schema}._are('triggers', array(select g.tgname::text from pg_catalog.pg_trigger g join pg_catalog.pg_class c on c.oid = g.tgrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where not g.tgisinternal and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1), $2::text[], $3) $$;
create function {schema}.triggers_are(name, name[]) returns text language sql as $$ select {schema}.triggers_are($1, $2, 'Table ' || quote_ident($1) || ' should have the correct triggers') $$;
create function {schema}.policies_are(name, name, name[], text) returns text language sql as $$ select {schema}._are('policies', array(select g.polname::text from pg_catalog.pg_policy g join pg_catalog.pg_class c on c.oid = g.polrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where true and n.nspname = $1 and c.relname = $2), $3::text[], $4) $$;
create function {schema}.policies_are(name, name, name[]) returns text language sql as $$ select {schema}.policies_are($1, $2, $3, 'Table ' || quote_ident($1) || '.' || quote_ident($2) || ' should have the correct policies') $$;
create function {schema}.policies_are(name, name[], text) returns text language sql as $$ select {schema}._are('policies', array(select g.polname::text from pg_catalog.pg_policy g join pg_catalog.pg_class c on c.oid = g.polrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where true and pg_catalog.pg_table_is_visible(c.oid) and c.relname = $1), $2::text[], $3) $$;
create function {schema}.policies_are(name, name[]) returns text language sql as $$ select {schema}.policies_are($1, $2, 'Table ' || quote_ident($1) || ' should have the correct policies') $$;
create function {schema}.policy_roles_are(name, name, name, name[], text) returns text language sql as $$ select {schema}._are('policy roles', (select p.roles::text[] from pg_catalog.pg_policies p where p.schemaname = $1 and p.tablename = $2 and p.policyname = $3), $4::text[], $5) $$;
create function {schema}.policy_roles_are(name, name, name, name[]) returns text language sql as $$ select {schema}.policy_roles_are($1, $2, $3, $4, 'Policy ' || quote_ident($3) || ' for table ' || quote_ident($1) || '.' || quote_ident($2) || ' should have the correct roles') $$;
create function {schema}.policy_roles_are(name, name, name[], text) returns text language sql as $$ select {schema}._are('policy roles', (select p.roles::text[] from pg_catalog.pg_policies p where p.schemaname = any (current_schemas(false)) and p.tablename = $1 and p.policyname = $2), $3::text[], $4) $$;
create function {schema}.policy_roles_are(name, name, name[]) returns text language sql as $$ select {schema}.policy_roles_are($1, $2, $3, 'Policy ' || quote_ident($2) || ' for table ' || quote_ident($1) || ' should have the correct roles') $$;
create function {schema}.policy_cmd_is(name, name, name, text, text) returns text language sql as $$ select {schema}.is((select p.cmd from pg_catalog.pg_policies p where p.schemaname = $1 and p.tablename = $2 and p.policyname = $3), upper($4), $5) $$;
create function {schema}.policy_cmd_is(name, name, name, text) returns text language sql as $$ select {schema}.policy_cmd_is($1, $2, $3, $4, 'Policy ' || quote_ident($3) || ' for table ' || quote_ident($1) || '.' || quote_ident($2) || ' should apply to ' || upper($4) || ' command') $$;
create function {schema}.policy_cmd_is(name, name, text, text) returns text language sql as $$ select {schema}.is((select p.cmd from pg_catalog.pg_policies p where p.schemaname = any (current_schemas(false)) and p.tablename = $1 and p.policyname = $2), upper($3), $4) $$;
create function {schema}.policy_cmd_is(name, name, text) returns text language sql as $$ select {schema}.policy_cmd_is($1, $2, $3, 'Policy ' || quote_ident($2) || ' for table ' || quote_ident($1) || ' should apply to ' || upper($3) || ' command') $$;
create function {schema}.table_privs_are(name, name, name, name[], text) returns text language sql as $$ select {schema}._are('privileges', array(select one from unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'::text[]) one where pg_catalog.has_table_privilege($3, quote_ident($1) || '.' || quote_ident($2), one)), array(select upper(one::text) from unnest($4) one), $5) $$;
create function {schema}.table_privs_are(name, name, name, name[]) returns text language sql as $$ select {schema}.table_privs_are($1, $2, $3, $4, 'Role ' || quote_ident($3) || ' should be granted ' || case when $4 = '{}' then 'no privileges' else array_to_string($4, ', ') end || ' on table ' || quote_ident($1) || '.' || quote_ident($2)) $$;
create function {schema}.table_privs_are(name, name, name[], text) returns text language sql as $$ select {schema}._are('privileges', array(select one from unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'::text[]) one where pg_catalog.has_table_privilege($2, quote_ident($1), one)), array(select upper(one::text) from unnest($3) one), $4) $$;
create function {schema}.table_privs_are(name, name, name[]) returns text language sql as $$ select {schema}.table_privs_are($1, $2, $3, 'Role ' || quote_ident($2) || ' should be granted ' || case when $3 = '{}' then 'no privileges' else array_to_string($3, ', ') end || ' on table ' || quote_ident($1)) $$;
create function {schema}.schema_privs_are(name, name, name[], text) returns text language sql as $$ select {schema}._are('privileges', array(select one from unnest('{CREATE,USAGE}'::text[]) one where pg_catalog.has_schema_privilege($2, $1, one)), array(select upper(one::text) from unnest($3) one), $4) $$;
create function {schema}.schema_privs_are(name, name, name[]) returns text language sql as $$ select {schema}.schema_privs_are($1, $2, $3, 'Role ' || quote_ident($2) || ' should be granted ' || case when $3 = '{}' then 'no privileges' else array_to_string($3, ', ') end || ' on schema ' || quote_ident($1)) $$;
create function {schema}.sequence_privs_are(name, name, name, name[], text) returns text language sql as $$ select {schema}._are('privileges', array(select one from unnest('{USAGE,SELECT,UPDATE}'::text[]) one where pg_catalog.has_sequence_privilege($3, quote_ident($1) || '.' || quote_ident($2), one)), array(select upper(one::text) from unnest($4) one), $5) $$;
create function {schema}.sequence_privs_are(name, name, name, name[]) returns text language sql as $$ select {schema}.sequence_privs_are($1, $2, $3, $4, 'Role ' || quote_ident($3) || ' should be granted ' || case when $4 = '{}' then 'no privileges' else array_to_string($4, ', ') end || ' on sequence ' || quote_ident($1) || '.' || quote_ident($2)) $$;
create function {schema}.sequence_privs_are(name, name, name[], text) returns text language sql as $$ select {schema}._are('privileges', array(select one from unnest('{USAGE,SELECT,UPDATE}'::text[]) one where pg_catalog.has_sequence_privilege($2, quote_ident($1), one)), array(select upper(one::text) from unnest($3) one), $4) $$;
create function {schema}.sequence_privs_are(name, name, name[]) returns text language sql as $$ select {schema}.sequence_privs_are($1, $2, $3, 'Role ' || quote_ident($2) || ' should be granted ' || case when $3 = '{}' then 'no privileges' else array_to_string($3, ', ') end || ' on sequence ' || quote_ident($1)) $$;
create function {schema}.set_eq(text, text, text) returns text language sql as $$ select {schema}._same({schema}._rows($1), {schema}._rows($2), 'set_eq', $3) $$;
create function {schema}.set_eq(text, text) returns text language sql as $$ select {schema}.set_eq($1, $2, null::text) $$;
create function {schema}.set_eq(text, anyarray, text) returns text language sql as $$ select {schema}._same({schema}._rows($1), {schema}._rows($2), 'set_eq', $3) $$;
create function {schema}.set_eq(text, anyarray) returns text language sql as $$ select {schema}.set_eq($1, $2, null::text) $$;
create function {schema}.set_has(text, text, text) returns text language sql as $$ select {schema}._same({schema}._rows($1), {schema}._rows($2), 'set_has', $3) $$;
create function {schema}.set_has(text, text) returns text language sql as $$ select {schema}.set_has($1, $2, null::text) $$;
create function {schema}.set_hasnt(text, text, text) returns text language sql as $$ select {schema}._same({schema}._rows($1), {schema}._rows($2), 'set_hasnt', $3) $$;
create function {schema}.set_hasnt(text, text) returns text language sql as $$ select {schema}.set_hasnt($1, $2, null::text) $$;
create function {schema}.set_ne(text, text, text) returns text language sql as $$ select {schema}.ok((select coalesce(array_agg(distinct x order by x), '{}') from unnest({schema}._rows($1)) x) <> (select coalesce(array_agg(distinct x order by x), '{}') from unnest({schema}._rows($2)) x), $3) $$;
create function {schema}.set_ne(text, text) returns text language sql as $$ select {schema}.set_ne($1, $2, null::text) $$;
create function {schema}.set_ne(text, anyarray, text) returns text language sql as $$ select {schema}.ok((select coalesce(array_agg(distinct x order by x), '{}') from unnest({schema}._rows($1)) x) <> (select coalesce(array_agg(distinct x order by x), '{}') from unnest({schema}._rows($2)) x), $3) $$;
create function {schema}.set_ne(text, anyarray) returns text language sql as $$ select {schema}.set_ne($1, $2, null::text) $$;
create function {schema}.bag_eq(text, text, text) returns text language sql as $$ select {schema}._same({schema}._rows($1), {schema}._rows($2), 'bag_eq', $3) $$;
create function {schema}.bag_eq(text, text) returns text language sql as $$ select {schema}.bag_eq($1, $2, null::text) $$;
create function {schema}.bag_eq(text, anyarray, text) returns text language sql as $$ select {schema}._same({schema}._rows($1), {schema}._rows($2), 'bag_eq', $3) $$;
create function {schema}.bag_eq(text, anyarray) returns text language sql as $$ select {schema}.bag_eq($1, $2, null::text) $$;
create function {schema}.bag_has(text, text, text) returns text language sql as $$ select {schema}._same({schema}._rows($1), {schema}._rows($2), 'bag_has', $3) $$;
create function {schema}.bag_has(text, text) returns text language sql as $$ select {schema}.bag_has($1, $2, null::text) $$;
create function {schema}.bag_hasnt(text, text, text) returns text language sql as $$ select {schema}._same({schema}._rows($1), {schema}._rows($2), 'bag_hasnt', $3) $$;
create function {schema}.bag_hasnt(text, text) returns text language sql as $$ select {schema}.bag_hasnt($1, $2, null::text) $$;
create function {schema}.bag_ne(text, text, text) returns text language sql as $$ select {schema}.ok((select coalesce(array_agg(x order by x), '{}') from unnest({schema}._rows($1)) x) <> (select coalesce(array_agg(x order by x), '{}') from unnest({schema}._rows($2)) x), $3) $$;
create function {schema}.bag_ne(text, text) returns text language sql as $$ select {schema}.bag_ne($1, $2, null::text) $$;
create function {schema}.bag_ne(text, anyarray, text) returns text language sql as $$ select {schema}.ok((select coalesce(array_agg(x order by x), '{}') from unnest({schema}._rows($1)) x) <> (select coalesce(array_agg(x order by x), '{}') from unnest({schema}._rows($2)) x), $3) $$;
create function {schema}.bag_ne(text, anyarray) returns text language sql as $$ select {schema}.bag_ne($1, $2, null::text) $$;
create function {schema}.table_owner_is(name, name, name, text) returns text language sql as $$ select {schema}.is((select pg_catalog.pg_get_userbyid(c.relowner) from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2), $3, $4) $$;
create function {schema}.is_member_of(name, name, text) returns text language sql as $$ select {schema}.ok(pg_catalog.pg_has_role($2, $1, 'USAGE'), $3) $$;
create function {schema}.is_member_of(name, name) returns text language sql as $$ select {schema}.is_member_of($1, $2, 'Should have correct members of role ' || quote_ident($1)) $$;
create function {schema}.is_superuser(name, text) returns text language sql as $$ select {schema}.ok((select rolsuper from pg_catalog.pg_roles where rolname = $1), $2) $$;
create function {schema}.isnt_superuser(name, text) returns text language sql as $$ select {schema}.ok(not (select rolsuper from pg_catalog.pg_roles where rolname = $1), $2) $$;
create function {schema}.trigger_is(name, name, name, name, name, text) returns text language sql as $$ select {schema}.ok(exists (select from pg_catalog.pg_trigger g join pg_catalog.pg_class c on c.oid = g.tgrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace join pg_catalog.pg_proc p on p.oid = g.tgfoid join pg_catalog.pg_namespace m on m.oid = p.pronamespace where n.nspname = $1 and c.relname = $2 and g.tgname = $3 and m.nspname = $4 and p.proname = $5), $6) $$;
create function {schema}.trigger_is(name, name, name, name, name) returns text language sql as $$ select {schema}.trigger_is($1, $2, $3, $4, $5, 'Trigger ' || quote_ident($3) || ' should call ' || quote_ident($4) || '.' || quote_ident($5) || '()') $$;
create function {schema}.index_is_unique(name, name, name, text) returns text language sql as $$ select {schema}.ok((select x.indisunique from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid join pg_catalog.pg_class c on c.oid = x.indrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2 and i.relname = $3), $4) $$;
