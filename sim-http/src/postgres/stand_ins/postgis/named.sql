-- The names of types of shapes with their modifiers, whose number stands for them.
alter function pg_catalog.format_type(oid, integer) rename to system_format_type;
create function pg_catalog.stuntdouble_shape_type(oid, integer) returns text language sql stable parallel safe as $$
    select pg_catalog.system_format_type($1, null) || '(' || (array['Geometry', 'Point', 'LineString', 'Polygon', 'MultiPoint', 'MultiLineString', 'MultiPolygon',
        'GeometryCollection'])[($2 - 3 & 7) + 1] || (array['', 'Z', 'M', 'ZM'])[($2 - 3 >> 3 & 3) + 1] || coalesce((array[',4326', ',3857'])[$2 - 3 >> 5], '') || ')'
    from pg_catalog.pg_type join pg_catalog.pg_proc on pg_proc.oid = typmodin where pg_type.oid = $1 and prosrc = 'array_cardinality' $$;
create function pg_catalog.format_type(oid, integer) returns text language sql stable parallel safe as $$
    select case when $2 > 2 and $1 >= 16384 then coalesce(pg_catalog.stuntdouble_shape_type($1, $2), pg_catalog.system_format_type($1, $2))
        else pg_catalog.system_format_type($1, $2) end $$;
