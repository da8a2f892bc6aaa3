-- JSON Schema, as far as it needs no other document. Each error is a line.
create function {schema}._json_schema_is(kind text, instance jsonb) returns boolean language sql immutable as $$
  select case when kind <> 'integer' then jsonb_typeof(instance) = kind when jsonb_typeof(instance) = 'number' then (instance #>> '{}')::numeric % 1 = 0 else false end $$;
create function {schema}._json_schema_format(format text, value text) returns boolean language plpgsql immutable strict as $$
begin
  if format = 'date-time' then
    return value ~ '^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[-+]\d\d:\d\d)$' and value::timestamptz is not null;
  elsif format = 'date' then
    return value ~ '^\d{4}-\d\d-\d\d$' and value::date is not null;
  elsif format = 'time' then
    return value ~ '^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[-+]\d\d:\d\d)$';
  elsif format = 'email' then
    return value ~ '^[^@\s]+@[^@\s]+$';
  elsif format = 'uuid' then
    return value ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$';
  elsif format = 'uri' then
    return value ~ '^[A-Za-z][-A-Za-z0-9+.]*:\S+$';
  elsif format = 'ipv4' then
    return value ~ '^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.|$)){4}$' and right(value, 1) <> '.';
  elsif format = 'hostname' then
    return value ~ '^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?(\.[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?)*$';
  end if;
  return true;
exception when others then
  return false;
end $$;
create function {schema}._json_schema_errors(schema jsonb, instance jsonb, root jsonb, place text) returns text[] language plpgsql immutable strict as $$
declare
  kind text := jsonb_typeof(instance);
  kinds jsonb := schema -> 'type';
  value text := instance #>> '{}';
  number numeric;
  errors text[] := '{}';
  part jsonb;
  name text;
  count int := 0;
begin
  if schema = 'true' then
    return errors;
  elsif schema = 'false' then
    return array[format('False schema does not allow %s', instance)];
  elsif jsonb_typeof(schema) <> 'object' then
    raise exception using errcode = '22023', message = format('invalid JSON schema: %s', schema);
  elsif schema ? '$ref' then
    if schema ->> '$ref' !~ '^#' then
      raise exception using errcode = '0A000', message = format('references to other JSON schemas are not supported: %s', schema ->> '$ref');
    end if;
    part := case schema ->> '$ref' when '#' then root else root #> string_to_array(substr(schema ->> '$ref', 3), '/') end;
    if part is null then
      raise exception using errcode = '22023', message = format('JSON schema has no %s', schema ->> '$ref');
    end if;
    errors := {schema}._json_schema_errors(part, instance, root, place);
  end if;
  if kinds is not null and not exists (select 1 from jsonb_array_elements_text(case jsonb_typeof(kinds) when 'array' then kinds else jsonb_build_array(kinds) end) one
      where {schema}._json_schema_is(one, instance)) then
    errors := errors || format(case jsonb_typeof(kinds) when 'array' then '%s is not of types %s' else '%s is not of type %s' end, instance,
      case jsonb_typeof(kinds) when 'array' then (select string_agg('"' || one || '"', ', ') from jsonb_array_elements_text(kinds) one) else kinds::text end);
  end if;
  if schema ? 'const' and instance <> schema -> 'const' then
    errors := errors || format('%s was expected', schema -> 'const');
  end if;
  if schema ? 'enum' and not exists (select 1 from jsonb_array_elements(schema -> 'enum') one where one = instance) then
    errors := errors || format('%s is not one of %s', instance, (select string_agg(one::text, ', ') from jsonb_array_elements(schema -> 'enum') one));
  end if;
  if kind = 'string' then
    if length(value) < (schema ->> 'minLength')::numeric then
      errors := errors || format('%s is shorter than %s characters', instance, schema -> 'minLength');
    end if;
    if length(value) > (schema ->> 'maxLength')::numeric then
      errors := errors || format('%s is longer than %s characters', instance, schema -> 'maxLength');
    end if;
    if value !~ (schema ->> 'pattern') then
      errors := errors || format('%s does not match "%s"', instance, schema ->> 'pattern');
    end if;
    if not {schema}._json_schema_format(schema ->> 'format', value) then
      errors := errors || format('%s is not a "%s"', instance, schema ->> 'format');
    end if;
  elsif kind = 'number' then
    number := value::numeric;
    if number < (schema ->> 'minimum')::numeric then
      errors := errors || format('%s is less than the minimum of %s', instance, schema -> 'minimum');
    end if;
    if number > (schema ->> 'maximum')::numeric then
      errors := errors || format('%s is greater than the maximum of %s', instance, schema -> 'maximum');
    end if;
    if jsonb_typeof(schema -> 'exclusiveMinimum') = 'number' and number <= (schema ->> 'exclusiveMinimum')::numeric then
      errors := errors || format('%s is less than or equal to the minimum of %s', instance, schema -> 'exclusiveMinimum');
    end if;
    if jsonb_typeof(schema -> 'exclusiveMaximum') = 'number' and number >= (schema ->> 'exclusiveMaximum')::numeric then
      errors := errors || format('%s is greater than or equal to the maximum of %s', instance, schema -> 'exclusiveMaximum');
    end if;
    if number % nullif((schema ->> 'multipleOf')::numeric, 0) <> 0 then
      errors := errors || format('%s is not a multiple of %s', instance, schema -> 'multipleOf');
    end if;
  elsif kind = 'array' then
    if jsonb_array_length(instance) < (schema ->> 'minItems')::numeric then
      errors := errors || format('%s has less than %s items', instance, schema -> 'minItems');
    end if;
    if jsonb_array_length(instance) > (schema ->> 'maxItems')::numeric then
      errors := errors || format('%s has more than %s items', instance, schema -> 'maxItems');
    end if;
    if schema -> 'uniqueItems' = 'true' and (select count(*) <> count(distinct one) from jsonb_array_elements(instance) one) then
      errors := errors || format('%s has non-unique elements', instance);
    end if;
    for i in 0 .. jsonb_array_length(instance) - 1 loop
      part := case when jsonb_typeof(schema -> 'prefixItems') = 'array' and i < jsonb_array_length(schema -> 'prefixItems') then schema -> 'prefixItems' -> i
        when jsonb_typeof(schema -> 'items') = 'array' then coalesce(schema -> 'items' -> i, schema -> 'additionalItems') else schema -> 'items' end;
      if part is not null then
        errors := errors || {schema}._json_schema_errors(part, instance -> i, root, place || '/' || i);
      end if;
      if schema ? 'contains' then
        if {schema}._json_schema_errors(schema -> 'contains', instance -> i, root, place) = '{}' then
          count := count + 1;
        end if;
      end if;
    end loop;
    if schema ? 'contains' and count < coalesce((schema ->> 'minContains')::numeric, 1) then
      errors := errors || format('None of %s are valid under the given schema', instance);
    end if;
  elsif kind = 'object' then
    for name in select one from jsonb_array_elements_text(case jsonb_typeof(schema -> 'required') when 'array' then schema -> 'required' else '[]' end) one loop
      if not instance ? name then
        errors := errors || format('"%s" is a required property', name);
      end if;
    end loop;
    if (select count(*) from jsonb_object_keys(instance)) < (schema ->> 'minProperties')::numeric then
      errors := errors || format('%s has less than %s properties', instance, schema -> 'minProperties');
    end if;
    if (select count(*) from jsonb_object_keys(instance)) > (schema ->> 'maxProperties')::numeric then
      errors := errors || format('%s has more than %s properties', instance, schema -> 'maxProperties');
    end if;
    for name in select one from jsonb_object_keys(instance) one loop
      count := 0;
      if coalesce(schema -> 'properties', '{}') ? name then
        errors := errors || {schema}._json_schema_errors(schema -> 'properties' -> name, instance -> name, root, place || '/' || name);
        count := 1;
      end if;
      for part in select one.value from jsonb_each(coalesce(schema -> 'patternProperties', '{}')) one where name ~ one.key loop
        errors := errors || {schema}._json_schema_errors(part, instance -> name, root, place || '/' || name);
        count := 1;
      end loop;
      if count = 0 and schema -> 'additionalProperties' = 'false' then
        errors := errors || format('Additional properties are not allowed (''%s'' was unexpected)', name);
      elsif count = 0 and schema ? 'additionalProperties' then
        errors := errors || {schema}._json_schema_errors(schema -> 'additionalProperties', instance -> name, root, place || '/' || name);
      end if;
      if schema ? 'propertyNames' then
        errors := errors || {schema}._json_schema_errors(schema -> 'propertyNames', to_jsonb(name), root, place);
      end if;
      for part in select one from jsonb_array_elements(case jsonb_typeof(schema -> 'dependentRequired' -> name) when 'array' then schema -> 'dependentRequired' -> name else '[]' end) one loop
        if not instance ? (part #>> '{}') then
          errors := errors || format('%s is a required property', part);
        end if;
      end loop;
    end loop;
  end if;
  for part in select one from jsonb_array_elements(coalesce(schema -> 'allOf', '[]')) one loop
    errors := errors || {schema}._json_schema_errors(part, instance, root, place);
  end loop;
  if schema ? 'anyOf' and not exists (select 1 from jsonb_array_elements(schema -> 'anyOf') one where {schema}._json_schema_errors(one, instance, root, place) = '{}') then
    errors := errors || format('%s is not valid under any of the schemas listed in the ''anyOf'' keyword', instance);
  end if;
  if schema ? 'oneOf' then
    select count(*) into count from jsonb_array_elements(schema -> 'oneOf') one where {schema}._json_schema_errors(one, instance, root, place) = '{}';
    if count = 0 then
      errors := errors || format('%s is not valid under any of the schemas listed in the ''oneOf'' keyword', instance);
    elsif count > 1 then
      errors := errors || format('%s is valid under more than one of the schemas listed in the ''oneOf'' keyword', instance);
    end if;
  end if;
  if schema ? 'not' then
    if {schema}._json_schema_errors(schema -> 'not', instance, root, place) = '{}' then
      errors := errors || format('%s is not allowed for %s', schema -> 'not', instance);
    end if;
  end if;
  if schema ? 'if' then
    part := case when {schema}._json_schema_errors(schema -> 'if', instance, root, place) = '{}' then schema -> 'then' else schema -> 'else' end;
    if part is not null then
      errors := errors || {schema}._json_schema_errors(part, instance, root, place);
    end if;
  end if;
  return errors;
end $$;
create function {schema}.json_matches_schema(schema json, instance json) returns boolean language sql immutable strict
as $$ select {schema}._json_schema_errors(schema::jsonb, instance::jsonb, schema::jsonb, '') = '{}' $$;
create function {schema}.jsonb_matches_schema(schema json, instance jsonb) returns boolean language sql immutable strict
as $$ select {schema}._json_schema_errors(schema::jsonb, instance, schema::jsonb, '') = '{}' $$;
create function {schema}.jsonschema_validation_errors(schema json, instance json) returns text[] language sql immutable strict
as $$ select {schema}._json_schema_errors(schema::jsonb, instance::jsonb, schema::jsonb, '') $$;
create function {schema}.jsonschema_is_valid(schema json) returns boolean language sql immutable strict as $$
  select jsonb_typeof(schema::jsonb) in ('object', 'boolean') and coalesce(jsonb_typeof(schema::jsonb -> 'type') in ('string', 'array'), true)
    and not exists (select 1 from jsonb_array_elements_text(case jsonb_typeof(schema::jsonb -> 'type') when 'array' then schema::jsonb -> 'type'
      when 'string' then jsonb_build_array(schema::jsonb -> 'type') else '[]' end) one where one not in ('array', 'boolean', 'integer', 'null', 'number', 'object', 'string'))
    and coalesce(jsonb_typeof(schema::jsonb -> 'properties') = 'object', true) and coalesce(jsonb_typeof(schema::jsonb -> 'required') = 'array', true) $$;
