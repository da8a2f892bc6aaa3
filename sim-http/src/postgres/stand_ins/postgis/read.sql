-- Reading and writing shapes. In between they are trees: {"srid": 4326, "type": "Point", "flags": 0, "coordinates": [1, 2]}, where 1 of the flags says
-- that there is a third coordinate, 2 that there is a measure.
create function {schema}._geo_kinds() returns text[] language sql immutable parallel safe
    as $$ select '{Point,LineString,Polygon,MultiPoint,MultiLineString,MultiPolygon,GeometryCollection}'::text[] $$;

create function {schema}._geo_turned(digits text) returns text language sql immutable strict parallel safe as $$
    select string_agg(substr(digits, at, 2), '' order by at desc) from generate_series(1, length(digits), 2) at $$;

create function {schema}._geo_number(digits text) returns float8 language sql immutable strict parallel safe as $$
    select case when bits >> 52 & 2047 = 2047 then 'NaN' when bits << 1 = 0 then 0 else case when bits < 0 then -1 else 1 end
        * case when bits >> 52 & 2047 = 0 then (bits & 4503599627370495) * power(2::float8, -1022) * power(2::float8, -52)
        else ((bits & 4503599627370495) + 4503599627370496) * power(2::float8, (bits >> 52 & 2047) - 1075) end end
    from (select ('x' || substr(digits, 15, 2) || substr(digits, 13, 2) || substr(digits, 11, 2) || substr(digits, 9, 2) || substr(digits, 7, 2) || substr(digits, 5, 2)
        || substr(digits, 3, 2) || substr(digits, 1, 2))::bit(64)::bigint as bits) number $$;

create function {schema}._geo_of_binary(digits text, inout at int, in outer_srid int, out tree jsonb) language plpgsql immutable parallel safe
    set search_path = pg_catalog as $$
declare
    is_little constant boolean := substr(digits, at, 2) = '01';
    code bigint;
    srid int := outer_srid;
    kind text;
    dims int;
    list jsonb := '[]';
    inner_list jsonb;
    part record;
    count int;
    rings int;
    word text;
    point jsonb;
begin
    word := substr(digits, at + 2, 8);
    code := ('x' || case when is_little then {schema}._geo_turned(word) else word end)::bit(32)::bigint;
    at := at + 10;
    if code & x'20000000'::bigint <> 0 then
        word := substr(digits, at, 8);
        srid := ('x' || case when is_little then {schema}._geo_turned(word) else word end)::bit(32)::int;
        at := at + 8;
    end if;
    kind := ({schema}._geo_kinds())[code & 255];
    dims := 2 + (code >> 31 & 1) + (code >> 30 & 1);
    tree := jsonb_build_object('srid', srid, 'type', kind, 'flags', (code >> 31 & 1) + 2 * (code >> 30 & 1));
    if kind = 'Point' then
        rings := 1;
        count := 1;
    elsif kind is null then
        raise invalid_text_representation using message = 'Unknown WKB type (' || (code & 255) || ')!';
    else
        word := substr(digits, at, 8);
        count := ('x' || case when is_little then {schema}._geo_turned(word) else word end)::bit(32)::int;
        at := at + 8;
        rings := 1;
    end if;
    if kind like 'Multi%' or kind = 'GeometryCollection' then
        for i in 1 .. count loop
            select * into part from {schema}._geo_of_binary(digits, at, srid) one;
            at := part.at;
            list := list || jsonb_build_array(case when kind = 'GeometryCollection' then part.tree else part.tree -> 'coordinates' end);
        end loop;
        tree := tree || jsonb_build_object(case when kind = 'GeometryCollection' then 'geometries' else 'coordinates' end, list);
        return;
    end if;
    if kind = 'Polygon' then
        rings := count;
    end if;
    for ring in 1 .. rings loop
        if kind = 'Polygon' then
            word := substr(digits, at, 8);
            count := ('x' || case when is_little then {schema}._geo_turned(word) else word end)::bit(32)::int;
            at := at + 8;
        end if;
        inner_list := '[]';
        for i in 1 .. count loop
            point := '[]';
            for d in 1 .. dims loop
                word := substr(digits, at, 16);
                point := point || to_jsonb({schema}._geo_number(case when is_little then word else {schema}._geo_turned(word) end));
                at := at + 16;
            end loop;
            inner_list := inner_list || jsonb_build_array(case when point ->> 0 = 'NaN' then '[]'::jsonb else point end);
        end loop;
        list := case when kind = 'Polygon' then list || jsonb_build_array(inner_list) when kind = 'Point' then inner_list -> 0 else inner_list end;
    end loop;
    tree := tree || jsonb_build_object('coordinates', list);
end $$;

-- The parts of a list between brackets.
create function {schema}._geo_parts(list text) returns setof text language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
declare
    depth int := 0;
    piece text;
    part text := '';
begin
    for piece in select (regexp_matches(list, '[^(),]+|[(),]', 'g'))[1] loop
        depth := depth + case piece when '(' then 1 when ')' then -1 else 0 end;
        if piece = ',' and depth = 0 then
            return next part;
            part := '';
        else
            part := part || piece;
        end if;
    end loop;
    return next part;
end $$;

create function {schema}._geo_of_text(value text, srid int) returns jsonb language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
declare
    parts constant text[] := regexp_match(value, '^\s*(?:SRID\s*=\s*(\d+)\s*;)?\s*([A-Z]+?)\s*(Z|M|ZM)?\s*(\(.*\)|EMPTY)\s*$', 'i');
    kind text;
    body text;
    list jsonb;
    flags int := 0;
    dims int;
begin
    select one into kind from unnest({schema}._geo_kinds()) one where upper(one) = upper(parts[2]);
    srid := coalesce(parts[1]::int, srid);
    if kind is null then
        raise invalid_text_representation using message = 'parse error - invalid geometry', hint = format('"%s" <-- parse error', left(value, 60));
    elsif upper(parts[4]) = 'EMPTY' then
        return jsonb_build_object('srid', srid, 'type', kind, 'flags', 0, case when kind = 'GeometryCollection' then 'geometries' else 'coordinates' end, '[]'::jsonb);
    elsif kind = 'GeometryCollection' then
        select jsonb_agg({schema}._geo_of_text(one, srid)) into list from {schema}._geo_parts(substr(parts[4], 2, length(parts[4]) - 2)) one;
        return jsonb_build_object('srid', srid, 'type', kind, 'flags', list #> '{0,flags}', 'geometries', list);
    end if;
    body := regexp_replace(regexp_replace(btrim(parts[4]), '\s*([(),])\s*', '\1', 'g'), '\s+', ' ', 'g');
    if kind = 'MultiPoint' then
        body := '(' || regexp_replace(substr(body, 2, length(body) - 2), '[()]', '', 'g') || ')';
    end if;
    begin
        dims := length(regexp_replace(split_part(split_part(body, ',', 1), ')', 1), '[^ ]', '', 'g')) + 1;
        body := translate(regexp_replace(body, '([^(),]+)', '[\1]', 'g'), '() ', '[],');
        list := body::jsonb;
    exception when others then
        raise invalid_text_representation using message = 'parse error - invalid geometry', hint = format('"%s" <-- parse error', left(value, 60));
    end;
    flags := case when upper(parts[3]) = 'ZM' or dims = 4 then 3 when upper(parts[3]) = 'M' then 2 when dims = 3 then 1 else 0 end;
    return jsonb_build_object('srid', srid, 'type', kind, 'flags', flags, 'coordinates', case when kind = 'Point' then list -> 0 else list end);
end $$;

-- The dimensions of the first position of a list.
create function {schema}._geo_dims(list jsonb) returns int language sql immutable parallel safe as $$
    select case when jsonb_typeof(list -> 0) = 'array' then {schema}._geo_dims(list -> 0) else coalesce(jsonb_array_length(list), 0) end $$;

create function {schema}._geo_of_json(value jsonb, srid int) returns jsonb language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
declare
    kind constant text := (select one from unnest({schema}._geo_kinds()) one where one = value ->> 'type');
    parts jsonb;
begin
    if kind is null or jsonb_typeof(coalesce(value -> 'coordinates', value -> 'geometries')) is distinct from 'array' then
        raise invalid_text_representation using message = 'unknown GeoJSON type';
    elsif kind = 'GeometryCollection' then
        select jsonb_agg({schema}._geo_of_json(one, srid)) into parts from jsonb_array_elements(value -> 'geometries') one;
        return jsonb_build_object('srid', srid, 'type', kind, 'flags', 0, 'geometries', coalesce(parts, '[]'));
    end if;
    return jsonb_build_object('srid', srid, 'type', kind, 'flags', case when {schema}._geo_dims(value -> 'coordinates') > 2 then 1 else 0 end,
        'coordinates', value -> 'coordinates');
end $$;

create function {schema}._geo_checked(tree jsonb) returns jsonb language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
declare
    part jsonb;
begin
    if tree ->> 'type' = 'LineString' and jsonb_array_length(tree -> 'coordinates') = 1 then
        raise invalid_parameter_value using message = 'geometry requires more points';
    end if;
    for part in select one from jsonb_array_elements(case tree ->> 'type' when 'Polygon' then tree -> 'coordinates'
            when 'MultiPolygon' then jsonb_path_query_array(tree, '$.coordinates[*][*]') else '[]' end) one loop
        if part -> 0 is distinct from part -> -1 then
            raise invalid_parameter_value using message = 'geometry contains non-closed rings';
        elsif jsonb_array_length(part) < 4 then
            raise invalid_parameter_value using message = 'geometry requires more points';
        end if;
    end loop;
    return tree;
end $$;

create function {schema}._geo_tree(value text, srid int default 0) returns jsonb language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
declare
    tree jsonb;
begin
    -- Most shapes are points.
    if value like '0101000020E6100000%' and length(value) = 50 then
        return jsonb_build_object('srid', 4326, 'type', 'Point', 'flags', 0, 'coordinates',
            jsonb_build_array({schema}._geo_number(substr(value, 19, 16)), {schema}._geo_number(substr(value, 35, 16))));
    elsif value ~ '^0[01][0-9A-Fa-f]{16,}$' then
        begin
            select one.tree into tree from {schema}._geo_of_binary(value, 1, srid) one;
        exception when data_exception then
            raise invalid_text_representation using message = 'WKB structure does not match expected size!';
        end;
        return tree;
    elsif value ~ '^\s*\{' then
        return {schema}._geo_checked({schema}._geo_of_json(value::jsonb, 4326));
    end if;
    return {schema}._geo_checked({schema}._geo_of_text(value, srid));
end $$;

create function {schema}._geo_word(number bigint) returns text language sql immutable strict parallel safe
    as $$ select {schema}._geo_turned(lpad(to_hex(number), 8, '0')) $$;

create function {schema}._geo_positions(list jsonb, dims int) returns text language sql immutable strict parallel safe as $$
    select coalesce(string_agg({schema}._geo_turned(encode(float8send(coalesce((one ->> (d - 1))::float8, 0)), 'hex')), '' order by at, d), '')
    from jsonb_array_elements(list) with ordinality u(one, at), generate_series(1, dims) d $$;

create function {schema}._geo_digits(tree jsonb, is_inner boolean default false) returns text language plpgsql immutable strict parallel safe
    set search_path = pg_catalog as $$
declare
    kind constant text := tree ->> 'type';
    flags constant int := tree -> 'flags';
    dims constant int := 2 + (flags & 1) + (flags >> 1);
    srid constant int := case when is_inner then 0 else (tree -> 'srid')::int end;
    list constant jsonb := coalesce(tree -> 'coordinates', tree -> 'geometries');
    head constant text := '01' || {schema}._geo_word(array_position({schema}._geo_kinds(), kind) + ((flags & 1)::bigint << 31) + ((flags >> 1)::bigint << 30)
        + case when srid <> 0 then x'20000000'::bigint else 0 end) || case when srid <> 0 then {schema}._geo_word(srid) else '' end;
    body text;
begin
    if kind = 'Point' then
        body := case when list = '[]' then repeat('000000000000f87f', dims) else {schema}._geo_positions(jsonb_build_array(list), dims) end;
    elsif kind = 'LineString' then
        body := {schema}._geo_word(jsonb_array_length(list)) || {schema}._geo_positions(list, dims);
    elsif kind = 'Polygon' then
        select {schema}._geo_word(jsonb_array_length(list)) || coalesce(string_agg({schema}._geo_word(jsonb_array_length(one)) || {schema}._geo_positions(one, dims), '' order by at), '')
            into body from jsonb_array_elements(list) with ordinality u(one, at);
    else
        select {schema}._geo_word(jsonb_array_length(list)) || coalesce(string_agg({schema}._geo_digits(case when kind = 'GeometryCollection' then one
                else jsonb_build_object('type', substr(kind, 6), 'flags', flags, 'coordinates', one) end, true), '' order by at), '')
            into body from jsonb_array_elements(list) with ordinality u(one, at);
    end if;
    return upper(head || body);
end $$;

create function {schema}._geometry(tree jsonb) returns {schema}.geometry language sql immutable strict parallel safe
    as $$ select {schema}._geo_digits(tree)::varchar::{schema}.geometry $$;
create function {schema}._geography(tree jsonb) returns {schema}.geography language sql immutable strict parallel safe
    as $$ select {schema}._geo_digits(tree)::varchar::{schema}.geography $$;

-- What the modifiers of a column allow.
create function {schema}._geo_fits(tree jsonb, modifier int, name text) returns jsonb language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
declare
    kind constant text := ({schema}._geo_kinds())[(modifier - 3) & 7];
    flags constant int := (modifier - 3) >> 3 & 3;
    srid constant int := (array[4326, 3857])[(modifier - 3) >> 5];
begin
    if modifier < 3 then
        return tree;
    elsif srid <> 0 and (tree -> 'srid')::int <> srid then
        raise invalid_parameter_value using message = format('Geometry SRID (%s) does not match column SRID (%s)', tree -> 'srid', srid);
    elsif tree ->> 'type' <> kind and not (kind = 'GeometryCollection' and tree ->> 'type' like 'Multi%') then
        raise invalid_parameter_value using message = format('Geometry type (%s) does not match column type (%s)', tree ->> 'type', kind);
    elsif flags & 1 > (tree -> 'flags')::int & 1 then
        raise invalid_parameter_value using message = 'Column has Z dimension but geometry does not';
    elsif flags & 1 < (tree -> 'flags')::int & 1 then
        raise invalid_parameter_value using message = 'Geometry has Z dimension but column does not';
    end if;
    return tree;
end $$;
create function {schema}.geometry({schema}.geometry, integer, boolean) returns {schema}.geometry language sql immutable strict parallel safe
    as $$ select {schema}._geometry({schema}._geo_fits({schema}._geo_tree($1::text), $2, 'geometry')) $$;
create cast ({schema}.geometry as {schema}.geometry) with function {schema}.geometry({schema}.geometry, integer, boolean) as implicit;

create function {schema}._geo_lonlat(tree jsonb) returns jsonb language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
begin
    if (tree -> 'srid')::int in (0, 4326) then
        return tree || '{"srid": 4326}';
    end if;
    raise invalid_parameter_value using message = 'Only lon/lat coordinate systems are supported in geography.';
end $$;
create function {schema}.geography({schema}.geography, integer, boolean) returns {schema}.geography language sql immutable strict parallel safe
    as $$ select {schema}._geography({schema}._geo_fits({schema}._geo_lonlat({schema}._geo_tree($1::text)), $2, 'geography')) $$;
create cast ({schema}.geography as {schema}.geography) with function {schema}.geography({schema}.geography, integer, boolean) as implicit;

-- Casts.
create function {schema}.geography({schema}.geometry) returns {schema}.geography language sql immutable strict parallel safe
    as $$ select {schema}._geography({schema}._geo_lonlat({schema}._geo_tree($1::text))) $$;
create cast ({schema}.geometry as {schema}.geography) with function {schema}.geography({schema}.geometry) as implicit;
create function {schema}.geometry({schema}.geography) returns {schema}.geometry language sql immutable strict parallel safe
    as $$ select {schema}._geometry({schema}._geo_lonlat({schema}._geo_tree($1::text))) $$;
create cast ({schema}.geography as {schema}.geometry) with function {schema}.geometry({schema}.geography);
create function {schema}.geometry(text) returns {schema}.geometry language sql immutable strict parallel safe
    as $$ select {schema}._geometry({schema}._geo_tree($1)) $$;
create cast (text as {schema}.geometry) with function {schema}.geometry(text) as implicit;
