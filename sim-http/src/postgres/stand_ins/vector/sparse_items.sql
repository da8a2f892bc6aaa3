-- The same for a text that names only the numbers other than zero: `{1:2.5,3:1}/4`.
create function {schema}._{type}_items({schema}.{type}) returns float8[] language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
declare
    parts text[];
    items float8[];
    at bigint;
begin
    if $1::text !~ '^\s*\{\s*(\d+\s*:\s*[-+0-9.eE]+\s*(,\s*\d+\s*:\s*[-+0-9.eE]+\s*)*)?\}\s*/\s*\d{1,9}\s*$' then
        raise invalid_text_representation using message = format('invalid input syntax for type {type}: "%s"', $1);
    end if;
    items := array_fill(0::float8, array[split_part($1::text, '/', 2)::integer]);
    for parts in select regexp_matches($1::text, '(\d+)\s*:\s*([-+0-9.eE]+)', 'g') loop
        at := parts[1]::bigint;
        if at not between 1 and cardinality(items) then
            raise data_exception using message = '{type} index out of bounds';
        end if;
        items[at] := parts[2]::float8;
    end loop;
    return items;
end $$;
create function {schema}.array_to_{type}(float8[], integer default -1, boolean default false) returns {schema}.{type}
    language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
begin
    if array_position($1, null) is not null then
        raise null_value_not_allowed using message = 'array must not contain nulls';
    elsif coalesce(cardinality($1), 0) = 0 then
        raise data_exception using message = '{type} must have at least 1 dimension';
    elsif $2 <> -1 and cardinality($1) <> $2 - 4 then
        raise data_exception using message = format('expected %s dimensions, not %s', $2 - 4, cardinality($1));
    end if;
    return (select format('{%s}/%s', string_agg(at || ':' || x::float4, ',' order by at) filter (where x <> 0), cardinality($1))
        from unnest($1) with ordinality u(x, at))::text::{schema}.{type};
end $$;
