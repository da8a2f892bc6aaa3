-- The numbers of a vector, and a vector of numbers.
create function {schema}._{type}_items({schema}.{type}) returns float8[] language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
begin
    if $1::text !~ '^\s*\[\s*[-+0-9.eE]+\s*(,\s*[-+0-9.eE]+\s*)*\]\s*$' then
        raise invalid_text_representation using message = format('invalid input syntax for type {type}: "%s"', $1);
    end if;
    return string_to_array(btrim($1::text, E'[] \t\n'), ',')::float8[];
end $$;
create function {schema}.array_to_{type}(float8[], integer default -1, boolean default false) returns {schema}.{type}
    language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
begin
    if array_position($1, null) is not null then
        raise null_value_not_allowed using message = 'array must not contain nulls';
    elsif coalesce(cardinality($1), 0) = 0 then
        raise data_exception using message = '{type} must have at least 1 dimension';
    elsif cardinality($1) > 16000 then
        raise program_limit_exceeded using message = '{type} cannot have more than 16000 dimensions';
    elsif $2 <> -1 and cardinality($1) <> $2 - 4 then
        raise data_exception using message = format('expected %s dimensions, not %s', $2 - 4, cardinality($1));
    end if;
    return ('[' || array_to_string($1::float4[], ',') || ']')::text::{schema}.{type};
end $$;
