create type {schema}.tablefunc_crosstab_2 as (row_name text, category_1 text, category_2 text);
create type {schema}.tablefunc_crosstab_3 as (row_name text, category_1 text, category_2 text, category_3 text);
create type {schema}.tablefunc_crosstab_4 as (row_name text, category_1 text, category_2 text, category_3 text, category_4 text);
create function {schema}.normal_rand(integer, double precision, double precision) returns setof double precision language sql strict as $$
  select $2 + $3 * sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random()) from generate_series(1, $1)
$$;
-- The query that makes rows from documents. The types of the columns that a query wants come last.
create function {schema}._shaping(wanted text[]) returns text language sql immutable as $$
  select 'select ' || string_agg('(one->>' || place - 1 || ')::' || type, ', ' order by place) || ' from unnest($1) one'
  from unnest(wanted) with ordinality e(type, place)
$$;
create function {schema}._crosstab(query text, wanted text[]) returns setof record language plpgsql strict as $$
declare
  one record;
  fields text[];
  made jsonb[] := '{}';
  line jsonb;
  before text;
begin
  for one in execute query loop
    select array_agg(value order by place) into fields from json_each_text(row_to_json(one)) with ordinality e(key, value, place);
    if cardinality(fields) <> 3 then
      raise invalid_parameter_value using message = 'invalid source data SQL statement', detail = 'The provided SQL must return 3 columns: rowid, category, and values.';
    end if;
    if line is null or before is distinct from fields[1] then
      if line is not null then
        made := made || line;
      end if;
      line := jsonb_build_array(fields[1]);
      before := fields[1];
    end if;
    if jsonb_array_length(line) < cardinality(wanted) then
      line := line || jsonb_build_array(fields[3]);
    end if;
  end loop;
  if line is not null then
    made := made || line;
  end if;
  return query execute {schema}._shaping(wanted) using made;
end $$;
create function {schema}._crosstab(query text, categories text, wanted text[]) returns setof record language plpgsql strict as $$
declare
  one record;
  fields text[];
  known text[] := '{}';
  made jsonb[] := '{}';
  line jsonb;
  before text;
  extras int;
  at int;
begin
  for one in execute categories loop
    select array_agg(value) into fields from json_each_text(row_to_json(one));
    if cardinality(fields) <> 1 then
      raise syntax_error using message = 'provided "categories" SQL must return 1 column of at least one row';
    end if;
    if fields[1] is null then
      raise syntax_error using message = 'provided "categories" SQL must not return NULL values';
    elsif fields[1] = any (known) then
      raise duplicate_object using message = format('duplicate category name: "%s"', fields[1]);
    end if;
    known := known || fields[1];
  end loop;
  if known = '{}' then
    raise syntax_error using message = 'provided "categories" SQL must return 1 column of at least one row';
  end if;
  for one in execute query loop
    select array_agg(value order by place) into fields from json_each_text(row_to_json(one)) with ordinality e(key, value, place);
    extras := cardinality(fields) - 3;
    if extras < 0 then
      raise invalid_parameter_value using message = 'invalid source data SQL statement', detail = 'The provided SQL must return 3  columns: rowid, category, and values.';
    elsif cardinality(wanted) <> 1 + extras + cardinality(known) then
      raise datatype_mismatch using message = 'invalid return type', detail = format('Query-specified return tuple has %s columns but crosstab returns %s.', cardinality(wanted), 1 + extras + cardinality(known));
    end if;
    if line is null or before is distinct from fields[1] then
      if line is not null then
        made := made || line;
      end if;
      line := to_jsonb(fields[1:1 + extras]) || to_jsonb(array_fill(null::text, array[cardinality(known)]));
      before := fields[1];
    end if;
    at := array_position(known, fields[extras + 2]);
    if at is not null then
      line := jsonb_set(line, array[(extras + at)::text], coalesce(to_jsonb(fields[extras + 3]), 'null'));
    end if;
  end loop;
  if line is not null then
    made := made || line;
  end if;
  return query execute {schema}._shaping(wanted) using made;
end $$;
create function {schema}.crosstab(text) returns setof record language plpgsql strict as $$ begin return; end $$;
create function {schema}.crosstab(text, integer) returns setof record language plpgsql strict as $$ begin return; end $$;
create function {schema}.crosstab(text, text) returns setof record language plpgsql strict as $$ begin return; end $$;
create function {schema}.crosstab2(text) returns setof {schema}.tablefunc_crosstab_2 language sql strict as $$
  select * from {schema}.crosstab($1) as t(row_name text, category_1 text, category_2 text)
$$;
create function {schema}.crosstab3(text) returns setof {schema}.tablefunc_crosstab_3 language sql strict as $$
  select * from {schema}.crosstab($1) as t(row_name text, category_1 text, category_2 text, category_3 text)
$$;
create function {schema}.crosstab4(text) returns setof {schema}.tablefunc_crosstab_4 language sql strict as $$
  select * from {schema}.crosstab($1) as t(row_name text, category_1 text, category_2 text, category_3 text, category_4 text)
$$;
create function {schema}._below(source text, ordered text, start text, level int, deepest int, path text[]) returns setof jsonb language plpgsql as $$
declare
  child text;
begin
  if deepest > 0 and level > deepest then
    return;
  end if;
  for child in execute source || ordered using start loop
    if child = any (path) then
      raise 'infinite recursion detected';
    end if;
    return next jsonb_build_array(child, start, level, path || child);
    return query select * from {schema}._below(source, ordered, child, level + 1, deepest, path || child);
  end loop;
end $$;
create function {schema}._connectby(relation text, key text, parent text, ordering text, start text, deepest int, delimiter text, wanted text[]) returns setof record language plpgsql as $$
declare
  source text := format('select %s::text from %s where %s::text = $1 and %1$s is not null and %1$s <> %3$s', key, relation, parent);
  made jsonb[];
begin
  select array_agg(jsonb_build_array(one->0, one->1, one->2)
      || case when delimiter is null then '[]' else jsonb_build_array((select string_agg(value, delimiter order by at) from jsonb_array_elements_text(one->3) with ordinality p(value, at))) end
      || case when ordering is null then '[]' else jsonb_build_array(place) end order by place) into made
  from (select one, row_number() over () as place from (
    select jsonb_build_array(start, null, 0, array[start]) as one
    union all select * from {schema}._below(source, coalesce(' order by ' || ordering, ''), start, 1, deepest, array[start])) all_of) numbered;
  return query execute {schema}._shaping(wanted) using made;
end $$;
create function {schema}.connectby(text, text, text, text, integer) returns setof record language plpgsql strict as $$ begin return; end $$;
create function {schema}.connectby(text, text, text, text, integer, text) returns setof record language plpgsql strict as $$ begin return; end $$;
create function {schema}.connectby(text, text, text, text, text, integer) returns setof record language plpgsql strict as $$ begin return; end $$;
create function {schema}.connectby(text, text, text, text, text, integer, text) returns setof record language plpgsql strict as $$ begin return; end $$;
