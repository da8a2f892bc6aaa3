-- Making shapes.
create function {schema}._geo_point(numbers float8[], flags int, srid int default 0) returns {schema}.geometry language sql immutable parallel safe
    as $$ select case when array_position(numbers, null) is null then {schema}._geometry(jsonb_build_object('srid', srid, 'type', 'Point', 'flags', flags, 'coordinates', to_jsonb(numbers))) end $$;
create function {schema}.st_makepoint(float8, float8) returns {schema}.geometry language sql immutable strict parallel safe as 'select {schema}._geo_point(array[$1, $2], 0)';
create function {schema}.st_makepoint(float8, float8, float8) returns {schema}.geometry language sql immutable strict parallel safe as 'select {schema}._geo_point(array[$1, $2, $3], 1)';
create function {schema}.st_makepoint(float8, float8, float8, float8) returns {schema}.geometry language sql immutable strict parallel safe as 'select {schema}._geo_point(array[$1, $2, $3, $4], 3)';
create function {schema}.st_point(float8, float8) returns {schema}.geometry language sql immutable strict parallel safe as 'select {schema}._geo_point(array[$1, $2], 0)';
create function {schema}.st_point(float8, float8, srid integer) returns {schema}.geometry language sql immutable strict parallel safe as 'select {schema}._geo_point(array[$1, $2], 0, $3)';
create function {schema}.st_pointz(float8, float8, float8, srid integer default 0) returns {schema}.geometry language sql immutable strict parallel safe as 'select {schema}._geo_point(array[$1, $2, $3], 1, $4)';
do $same$
declare one text;
begin
    foreach one in array array['st_geomfromtext', 'st_geometryfromtext', 'st_pointfromtext', 'st_linefromtext', 'st_polygonfromtext', 'st_polyfromtext', 'st_mpolyfromtext', 'st_wkttosql',
            'st_geomfromewkt'] loop
        execute format('create function {schema}.%I(text) returns {schema}.geometry language sql immutable strict parallel safe as ''select {schema}._geometry({schema}._geo_tree($1))''', one);
        continue when one in ('st_wkttosql', 'st_geomfromewkt');
        execute format('create function {schema}.%I(text, integer) returns {schema}.geometry language sql immutable strict parallel safe as ''select {schema}._geometry({schema}._geo_tree($1, $2))''', one);
    end loop;
    foreach one in array array['st_geogfromtext', 'st_geographyfromtext'] loop
        execute format('create function {schema}.%I(text) returns {schema}.geography language sql immutable strict parallel safe as ''select {schema}._geography({schema}._geo_lonlat({schema}._geo_tree($1)))''', one);
    end loop;
    foreach one in array array['st_geomfromwkb', 'st_geomfromewkb', 'st_wkbtosql'] loop
        execute format('create function {schema}.%I(bytea) returns {schema}.geometry language sql immutable strict parallel safe as ''select {schema}._geometry({schema}._geo_tree(encode($1, ''''hex'''')))''', one);
    end loop;
end $same$;
create function {schema}.st_geomfromwkb(bytea, integer) returns {schema}.geometry language sql immutable strict parallel safe
    as $$ select {schema}._geometry({schema}._geo_tree(encode($1, 'hex')) || jsonb_build_object('srid', $2)) $$;
create function {schema}.st_geogfromwkb(bytea) returns {schema}.geography language sql immutable strict parallel safe
    as $$ select {schema}._geography({schema}._geo_lonlat({schema}._geo_tree(encode($1, 'hex')))) $$;
create cast (bytea as {schema}.geometry) with function {schema}.st_geomfromwkb(bytea) as implicit;
create function {schema}.st_geomfromgeojson(jsonb) returns {schema}.geometry language sql immutable strict parallel safe as 'select {schema}._geometry({schema}._geo_tree($1::text))';
create function {schema}.st_geomfromgeojson(json) returns {schema}.geometry language sql immutable strict parallel safe as 'select {schema}._geometry({schema}._geo_tree($1::text))';
create function {schema}.st_geomfromgeojson(text) returns {schema}.geometry language sql immutable strict parallel safe as 'select {schema}._geometry({schema}._geo_tree($1))';
create function {schema}.st_makeenvelope(float8, float8, float8, float8, integer default 0) returns {schema}.geometry language sql immutable strict parallel safe
    as $$ select {schema}._geometry(jsonb_build_object('srid', $5, 'type', 'Polygon', 'flags', 0, 'coordinates',
        jsonb_build_array(to_jsonb(array[array[$1, $2], array[$1, $4], array[$3, $4], array[$3, $2], array[$1, $2]])))) $$;
create function {schema}._geo_line(list jsonb, srid jsonb) returns {schema}.geometry language sql immutable strict parallel safe
    as $$ select {schema}._geometry({schema}._geo_checked(jsonb_build_object('srid', srid, 'type', 'LineString', 'flags', 0, 'coordinates', list))) $$;
create function {schema}.st_makeline({schema}.geometry[]) returns {schema}.geometry language sql immutable strict parallel safe
    as $$ select {schema}._geo_line(jsonb_agg(p.one order by at, p.place), min(tree ->> 'srid')::jsonb)
        from (select {schema}._geo_tree(one::text) as tree, at from unnest($1) with ordinality u(one, at) where one is not null) t,
        lateral (select one, place from jsonb_array_elements(case tree ->> 'type' when 'Point' then jsonb_build_array(tree -> 'coordinates') else tree -> 'coordinates' end)
            with ordinality u(one, place)) p $$;
create function {schema}.st_makeline({schema}.geometry, {schema}.geometry) returns {schema}.geometry language sql immutable strict parallel safe as 'select {schema}.st_makeline(array[$1, $2])';
create aggregate {schema}.st_makeline({schema}.geometry) (sfunc = array_append, stype = {schema}.geometry[], finalfunc = {schema}.st_makeline);
create function {schema}.st_makepolygon({schema}.geometry) returns {schema}.geometry language sql immutable strict parallel safe
    as $$ select {schema}._geometry({schema}._geo_checked(tree || jsonb_build_object('type', 'Polygon', 'coordinates', jsonb_build_array(tree -> 'coordinates')))) from {schema}._geo_tree($1::text) tree $$;
create function {schema}.st_polygon({schema}.geometry, integer) returns {schema}.geometry language sql immutable strict parallel safe
    as 'select {schema}.st_setsrid({schema}.st_makepolygon($1), $2)';
create function {schema}.st_collect({schema}.geometry[]) returns {schema}.geometry language sql immutable strict parallel safe as $$
    select {schema}._geometry(case when count(distinct tree ->> 'type') = 1 and min(tree ->> 'type') in ('Point', 'LineString', 'Polygon')
        then jsonb_build_object('srid', min(tree ->> 'srid')::int, 'type', 'Multi' || min(tree ->> 'type'), 'flags', min(tree ->> 'flags')::int, 'coordinates', jsonb_agg(tree -> 'coordinates' order by at))
        else jsonb_build_object('srid', min(tree ->> 'srid')::int, 'type', 'GeometryCollection', 'flags', min(tree ->> 'flags')::int, 'geometries', jsonb_agg(tree order by at)) end)
    from (select {schema}._geo_tree(one::text) as tree, at from unnest($1) with ordinality u(one, at) where one is not null) t having count(*) > 0 $$;
create function {schema}.st_collect({schema}.geometry, {schema}.geometry) returns {schema}.geometry language sql immutable parallel safe as 'select {schema}.st_collect(array[$1, $2])';
create aggregate {schema}.st_collect({schema}.geometry) (sfunc = array_append, stype = {schema}.geometry[], finalfunc = {schema}.st_collect);
create function {schema}.st_multi({schema}.geometry) returns {schema}.geometry language sql immutable strict parallel safe
    as $$ select case when {schema}._geo_tree($1::text) ->> 'type' in ('Point', 'LineString', 'Polygon') then {schema}.st_collect(array[$1]) else $1 end $$;
create function {schema}.st_setsrid({schema}.geometry, integer) returns {schema}.geometry language sql immutable strict parallel safe
    as $$ select {schema}._geometry({schema}._geo_tree($1::text) || jsonb_build_object('srid', $2)) $$;
create function {schema}.st_setsrid({schema}.geography, integer) returns {schema}.geography language sql immutable strict parallel safe
    as $$ select {schema}._geography({schema}._geo_lonlat({schema}._geo_tree($1::text) || jsonb_build_object('srid', $2))) $$;

-- Reading shapes.
create function {schema}.st_srid({schema}.geometry) returns integer language sql immutable strict parallel safe as $$ select ({schema}._geo_tree($1::text) -> 'srid')::int $$;
create function {schema}.st_srid({schema}.geography) returns integer language sql immutable strict parallel safe as 'select 4326';
create function {schema}._geo_ordinate(tree jsonb, at int, name text) returns float8 language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
begin
    if tree ->> 'type' <> 'Point' then
        raise invalid_parameter_value using message = format('Argument to %s() must have type POINT', name);
    end if;
    return (tree -> 'coordinates' ->> at)::float8;
end $$;
create function {schema}.st_x({schema}.geometry) returns float8 language sql immutable strict parallel safe as $$ select {schema}._geo_ordinate({schema}._geo_tree($1::text), 0, 'ST_X') $$;
create function {schema}.st_y({schema}.geometry) returns float8 language sql immutable strict parallel safe as $$ select {schema}._geo_ordinate({schema}._geo_tree($1::text), 1, 'ST_Y') $$;
create function {schema}.st_z({schema}.geometry) returns float8 language sql immutable strict parallel safe
    as $$ select case when (tree -> 'flags')::int & 1 = 1 then {schema}._geo_ordinate(tree, 2, 'ST_Z') end from {schema}._geo_tree($1::text) tree $$;
create function {schema}._geo_written(list jsonb) returns text language sql immutable strict parallel safe as $$
    select case when jsonb_typeof(list -> 0) = 'number' then (select string_agg(one, ' ' order by at) from jsonb_array_elements_text(list) with ordinality u(one, at))
        else '(' || (select string_agg({schema}._geo_written(one), ',' order by at) from jsonb_array_elements(list) with ordinality u(one, at)) || ')' end $$;
create function {schema}._geo_text(tree jsonb) returns text language sql immutable strict parallel safe as $$
    select upper(tree ->> 'type') || (array['', ' Z ', ' M ', ' ZM '])[(tree -> 'flags')::int + 1] || case
        when coalesce(tree -> 'coordinates', tree -> 'geometries') = '[]' then ' EMPTY'
        when tree ->> 'type' = 'GeometryCollection' then '(' || (select string_agg({schema}._geo_text(one), ',' order by at) from jsonb_array_elements(tree -> 'geometries') with ordinality u(one, at)) || ')'
        when tree ->> 'type' = 'Point' then '(' || {schema}._geo_written(tree -> 'coordinates') || ')'
        else {schema}._geo_written(tree -> 'coordinates') end $$;
create function {schema}._geo_rounded(tree jsonb, digits int) returns jsonb language sql immutable strict parallel safe as $$
    select case jsonb_typeof(tree) when 'number' then to_jsonb(trim_scale(round(tree::numeric, digits)))
        when 'array' then coalesce((select jsonb_agg({schema}._geo_rounded(one, digits) order by at) from jsonb_array_elements(tree) with ordinality u(one, at)), '[]') else tree end $$;
create function {schema}._geo_brief(tree jsonb, digits int) returns jsonb language sql immutable strict parallel safe
    as $$ select tree || jsonb_build_object('coordinates', {schema}._geo_rounded(tree -> 'coordinates', digits)) $$;
create function {schema}._geo_json(tree jsonb, digits int) returns text language sql immutable strict parallel safe as $$
    select format(case when tree ->> 'type' = 'GeometryCollection' then '{"type":"%s","geometries":[%s]}' else '{"type":"%s","coordinates":%s}' end, tree ->> 'type',
        case when tree ->> 'type' = 'GeometryCollection' then (select string_agg({schema}._geo_json(one, digits), ',' order by at) from jsonb_array_elements(tree -> 'geometries') with ordinality u(one, at))
        else replace({schema}._geo_rounded(tree -> 'coordinates', digits)::text, ' ', '') end) $$;
create function {schema}.st_asgeojson({schema}.geometry, integer default 9, integer default 8) returns text language sql immutable strict parallel safe
    as $$ select {schema}._geo_json({schema}._geo_tree($1::text), $2) $$;
create function {schema}.st_asgeojson({schema}.geography, integer default 9, integer default 0) returns text language sql immutable strict parallel safe
    as $$ select {schema}._geo_json({schema}._geo_tree($1::text), $2) $$;
create function {schema}.json({schema}.geometry) returns json language sql immutable strict parallel safe as $$ select {schema}.st_asgeojson($1)::json $$;
create cast ({schema}.geometry as json) with function {schema}.json({schema}.geometry);
create function {schema}.jsonb({schema}.geometry) returns jsonb language sql immutable strict parallel safe as $$ select {schema}.st_asgeojson($1)::jsonb $$;
create cast ({schema}.geometry as jsonb) with function {schema}.jsonb({schema}.geometry);

create function {schema}._geo_plain(value text) returns text language sql immutable strict parallel safe
    as $$ select case when value ~ '^01[0-9A-F]{16,}$' then value else {schema}._geo_digits({schema}._geo_tree(value)) end $$;
do $both$
declare type text;
begin
    foreach type in array array['geometry', 'geography'] loop
        execute format($sql$
            create function {schema}.st_astext({schema}.%1$I) returns text language sql immutable strict parallel safe as 'select {schema}._geo_text({schema}._geo_tree($1::text))';
            create function {schema}.st_astext({schema}.%1$I, integer) returns text language sql immutable strict parallel safe as 'select {schema}._geo_text({schema}._geo_brief({schema}._geo_tree($1::text), $2))';
            create function {schema}.st_asewkt({schema}.%1$I) returns text language sql immutable strict parallel safe
                as $$ select coalesce('SRID=' || nullif(srid, 0) || ';', '') || replace({schema}._geo_text(tree), ' Z (', '(') from {schema}._geo_tree($1::text) tree, lateral (select (tree -> 'srid')::int srid) s $$;
            create function {schema}.st_asbinary({schema}.%1$I) returns bytea language sql immutable strict parallel safe
                as $$ select decode({schema}._geo_digits({schema}._geo_tree($1::text) || '{"srid": 0}'), 'hex') $$;
            create function {schema}.st_asewkb({schema}.%1$I) returns bytea language sql immutable strict parallel safe as $$ select decode({schema}._geo_digits({schema}._geo_tree($1::text)), 'hex') $$;
            create function {schema}.geometrytype({schema}.%1$I) returns text language sql immutable strict parallel safe as $$ select upper({schema}._geo_tree($1::text) ->> 'type') $$;
            create function {schema}.%1$s_eq({schema}.%1$I, {schema}.%1$I) returns boolean language sql immutable strict parallel safe
                as 'select {schema}._geo_plain($1::text) = {schema}._geo_plain($2::text)';
            create function {schema}.%1$s_cmp({schema}.%1$I, {schema}.%1$I) returns integer language sql immutable strict parallel safe
                as 'select pg_catalog.bttextcmp({schema}._geo_plain($1::text) collate "C", {schema}._geo_plain($2::text) collate "C")';
            create function {schema}.%1$s_lt({schema}.%1$I, {schema}.%1$I) returns boolean language sql immutable strict parallel safe as 'select {schema}.%1$s_cmp($1, $2) < 0';
            create function {schema}.%1$s_le({schema}.%1$I, {schema}.%1$I) returns boolean language sql immutable strict parallel safe as 'select {schema}.%1$s_cmp($1, $2) <= 0';
            create function {schema}.%1$s_gt({schema}.%1$I, {schema}.%1$I) returns boolean language sql immutable strict parallel safe as 'select {schema}.%1$s_cmp($1, $2) > 0';
            create function {schema}.%1$s_ge({schema}.%1$I, {schema}.%1$I) returns boolean language sql immutable strict parallel safe as 'select {schema}.%1$s_cmp($1, $2) >= 0';
            create operator {schema}.= (leftarg = {schema}.%1$I, rightarg = {schema}.%1$I, function = {schema}.%1$s_eq, commutator = operator({schema}.=));
            create operator {schema}.< (leftarg = {schema}.%1$I, rightarg = {schema}.%1$I, function = {schema}.%1$s_lt, commutator = operator({schema}.>));
            create operator {schema}.<= (leftarg = {schema}.%1$I, rightarg = {schema}.%1$I, function = {schema}.%1$s_le, commutator = operator({schema}.>=));
            create operator {schema}.> (leftarg = {schema}.%1$I, rightarg = {schema}.%1$I, function = {schema}.%1$s_gt, commutator = operator({schema}.<));
            create operator {schema}.>= (leftarg = {schema}.%1$I, rightarg = {schema}.%1$I, function = {schema}.%1$s_ge, commutator = operator({schema}.<=));
            create operator class {schema}.btree_%1$s_ops default for type {schema}.%1$I using btree as operator 1 {schema}.<, operator 2 {schema}.<=, operator 3 {schema}.=,
                operator 4 {schema}.>=, operator 5 {schema}.>, function 1 {schema}.%1$s_cmp({schema}.%1$I, {schema}.%1$I);
        $sql$, type);
    end loop;
end $both$;
create function {schema}.st_geometrytype({schema}.geometry) returns text language sql immutable strict parallel safe as $$ select 'ST_' || ({schema}._geo_tree($1::text) ->> 'type') $$;
create function {schema}.st_isempty({schema}.geometry) returns boolean language sql immutable strict parallel safe
    as $$ select coalesce(tree -> 'coordinates', tree -> 'geometries') = '[]' from {schema}._geo_tree($1::text) tree $$;
create function {schema}.st_isvalid({schema}.geometry) returns boolean language sql immutable strict parallel safe as $$ select {schema}._geo_tree($1::text) is not null $$;

-- All positions, and all pieces of lines; of a point, one without length.
create function {schema}._geo_points(tree jsonb) returns table (x float8, y float8) language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
begin
    if tree ->> 'type' = 'GeometryCollection' then
        return query select p.* from jsonb_array_elements(tree -> 'geometries') one, {schema}._geo_points(one) p;
        return;
    end if;
    return query select (one ->> 0)::float8, (one ->> 1)::float8 from jsonb_path_query(tree -> 'coordinates', case tree ->> 'type' when 'Point' then '$' when 'LineString' then '$[*]'
        when 'MultiPoint' then '$[*]' when 'MultiPolygon' then '$[*][*][*]' else '$[*][*]' end::jsonpath) one where one <> '[]';
end $$;
create function {schema}._geo_lines(tree jsonb) returns setof jsonb language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
begin
    if tree ->> 'type' = 'GeometryCollection' then
        return query select l from jsonb_array_elements(tree -> 'geometries') one, {schema}._geo_lines(one) l;
        return;
    end if;
    return query select case when tree ->> 'type' in ('Point', 'MultiPoint') then jsonb_build_array(one) else one end
        from jsonb_path_query(tree -> 'coordinates', case tree ->> 'type' when 'Point' then '$' when 'LineString' then '$' when 'MultiPolygon' then '$[*][*]' else '$[*]' end::jsonpath) one where one <> '[]';
end $$;
create type {schema}._geo_piece as (x1 float8, y1 float8, x2 float8, y2 float8);
create function {schema}._geo_pieces(tree jsonb) returns setof {schema}._geo_piece language sql immutable strict parallel safe as $$
    select (line -> (at - 1) ->> 0)::float8, (line -> (at - 1) ->> 1)::float8,
        (coalesce(line -> at, line -> (at - 1)) ->> 0)::float8, (coalesce(line -> at, line -> (at - 1)) ->> 1)::float8
    from {schema}._geo_lines(tree) line, generate_series(1, greatest(jsonb_array_length(line) - 1, 1)) at $$;
-- The polygons, each as a list of rings.
create function {schema}._geo_areas(tree jsonb) returns setof jsonb language sql immutable strict parallel safe as $$
    select one from jsonb_path_query(tree, case tree ->> 'type' when 'Polygon' then '$.coordinates' when 'MultiPolygon' then '$.coordinates[*]' else '$.geometries[*] ? (@.type == "Polygon").coordinates' end::jsonpath) one $$;

create function {schema}._geo_to_piece(px float8, py float8, x1 float8, y1 float8, x2 float8, y2 float8) returns float8 language sql immutable parallel safe as $$
    select sqrt((px - x1 - t * (x2 - x1)) ^ 2 + (py - y1 - t * (y2 - y1)) ^ 2)
    from (select case when x1 = x2 and y1 = y2 then 0 else greatest(0, least(1, ((px - x1) * (x2 - x1) + (py - y1) * (y2 - y1)) / ((x2 - x1) ^ 2 + (y2 - y1) ^ 2))) end as t) s $$;
create function {schema}._geo_cross(a {schema}._geo_piece, b {schema}._geo_piece) returns boolean language sql immutable parallel safe as $$
    select ((b.x1 - a.x1) * (a.y2 - a.y1) - (b.y1 - a.y1) * (a.x2 - a.x1)) * ((b.x2 - a.x1) * (a.y2 - a.y1) - (b.y2 - a.y1) * (a.x2 - a.x1)) < 0
       and ((a.x1 - b.x1) * (b.y2 - b.y1) - (a.y1 - b.y1) * (b.x2 - b.x1)) * ((a.x2 - b.x1) * (b.y2 - b.y1) - (a.y2 - b.y1) * (b.x2 - b.x1)) < 0 $$;
-- Whether a position is in a polygon: 1 inside, 0 on its edge, -1 outside.
create function {schema}._geo_side(rings jsonb, px float8, py float8) returns int language sql immutable parallel safe as $$
    select case when bool_or({schema}._geo_to_piece(px, py, x1, y1, x2, y2) = 0) then 0
        when count(*) filter (where (y1 > py) <> (y2 > py) and px < (x2 - x1) * (py - y1) / nullif(y2 - y1, 0) + x1) % 2 = 1 then 1 else -1 end
    from {schema}._geo_pieces(jsonb_build_object('type', 'Polygon', 'coordinates', rings)) $$;
create function {schema}._geo_inside(tree jsonb, px float8, py float8) returns int language sql immutable parallel safe
    as $$ select coalesce(max({schema}._geo_side(rings, px, py)), -1) from {schema}._geo_areas(tree) rings $$;
create function {schema}._geo_distance(a jsonb, b jsonb) returns float8 language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
declare
    nearest float8;
begin
    if (a -> 'srid') <> (b -> 'srid') then
        raise invalid_parameter_value using message = format('Operation on mixed SRID geometries (%s, %s) != (%s, %s)', a ->> 'type', a -> 'srid', b ->> 'type', b -> 'srid');
    elsif a ->> 'type' = 'Point' and b ->> 'type' = 'Point' then
        return sqrt(((a #> '{coordinates,0}')::float8 - (b #> '{coordinates,0}')::float8) ^ 2 + ((a #> '{coordinates,1}')::float8 - (b #> '{coordinates,1}')::float8) ^ 2);
    elsif exists (select from {schema}._geo_points(a) p where {schema}._geo_inside(b, p.x, p.y) >= 0)
        or exists (select from {schema}._geo_points(b) p where {schema}._geo_inside(a, p.x, p.y) >= 0) then
        return 0;
    end if;
    select min(case when {schema}._geo_cross(p, q) then 0 else least({schema}._geo_to_piece(p.x1, p.y1, q.x1, q.y1, q.x2, q.y2),
            {schema}._geo_to_piece(p.x2, p.y2, q.x1, q.y1, q.x2, q.y2), {schema}._geo_to_piece(q.x1, q.y1, p.x1, p.y1, p.x2, p.y2), {schema}._geo_to_piece(q.x2, q.y2, p.x1, p.y1, p.x2, p.y2)) end)
        into nearest from {schema}._geo_pieces(a) p, {schema}._geo_pieces(b) q;
    return nearest;
end $$;

-- The distance of two positions on the spheroid of WGS 84, by Vincenty's formula, or on its sphere.
create function {schema}._geo_way(lon1 float8, lat1 float8, lon2 float8, lat2 float8, on_spheroid boolean) returns float8 language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
declare
    a constant float8 := 6378137;
    f constant float8 := 1 / 298.257223563;
    b constant float8 := a * (1 - f);
    u1 constant float8 := atan((1 - f) * tan(radians(lat1)));
    u2 constant float8 := atan((1 - f) * tan(radians(lat2)));
    l constant float8 := radians(lon2 - lon1);
    lambda float8 := l;
    before float8;
    sin_s float8;
    cos_s float8;
    s float8;
    sin_a float8;
    cos2_a float8;
    cos_m float8;
    c float8;
    uu float8;
    k1 float8;
    k2 float8;
begin
    if lon1 = lon2 and lat1 = lat2 then
        return 0;
    elsif not on_spheroid then
        return 6371008.771415059 * 2 * asin(least(1, sqrt(sin(radians(lat2 - lat1) / 2) ^ 2 + cos(radians(lat1)) * cos(radians(lat2)) * sin(l / 2) ^ 2)));
    end if;
    for i in 1 .. 200 loop
        sin_s := sqrt((cos(u2) * sin(lambda)) ^ 2 + (cos(u1) * sin(u2) - sin(u1) * cos(u2) * cos(lambda)) ^ 2);
        cos_s := sin(u1) * sin(u2) + cos(u1) * cos(u2) * cos(lambda);
        s := atan2(sin_s, cos_s);
        sin_a := case when sin_s = 0 then 0 else cos(u1) * cos(u2) * sin(lambda) / sin_s end;
        cos2_a := 1 - sin_a ^ 2;
        cos_m := case when cos2_a = 0 then 0 else cos_s - 2 * sin(u1) * sin(u2) / cos2_a end;
        c := f / 16 * cos2_a * (4 + f * (4 - 3 * cos2_a));
        before := lambda;
        lambda := l + (1 - c) * f * sin_a * (s + c * sin_s * (cos_m + c * cos_s * (-1 + 2 * cos_m ^ 2)));
        exit when abs(lambda - before) < 1e-13;
    end loop;
    uu := cos2_a * (a * a - b * b) / (b * b);
    k1 := 1 + uu / 16384 * (4096 + uu * (-768 + uu * (320 - 175 * uu)));
    k2 := uu / 1024 * (256 + uu * (-128 + uu * (74 - 47 * uu)));
    return b * k1 * (s - k2 * sin_s * (cos_m + k2 / 4 * (cos_s * (-1 + 2 * cos_m ^ 2) - k2 / 6 * cos_m * (-3 + 4 * sin_s ^ 2) * (-3 + 4 * cos_m ^ 2))));
end $$;
-- The position on an edge that is nearest to another, on the sphere.
create function {schema}._geo_foot(px float8, py float8, x1 float8, y1 float8, x2 float8, y2 float8, out x float8, out y float8) language plpgsql immutable strict parallel safe
    set search_path = pg_catalog as $$
declare
    p constant float8[] := array[cos(radians(py)) * cos(radians(px)), cos(radians(py)) * sin(radians(px)), sin(radians(py))];
    a constant float8[] := array[cos(radians(y1)) * cos(radians(x1)), cos(radians(y1)) * sin(radians(x1)), sin(radians(y1))];
    b constant float8[] := array[cos(radians(y2)) * cos(radians(x2)), cos(radians(y2)) * sin(radians(x2)), sin(radians(y2))];
    n float8[] := array[a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1]];
    length constant float8 := sqrt(n[1] ^ 2 + n[2] ^ 2 + n[3] ^ 2);
    height float8;
    f float8[];
begin
    if length > 0 then
        n := array[n[1] / length, n[2] / length, n[3] / length];
        height := p[1] * n[1] + p[2] * n[2] + p[3] * n[3];
        f := array[p[1] - height * n[1], p[2] - height * n[2], p[3] - height * n[3]];
        -- Between the ends if it is on the inner side of both.
        if (a[2] * f[3] - a[3] * f[2]) * n[1] + (a[3] * f[1] - a[1] * f[3]) * n[2] + (a[1] * f[2] - a[2] * f[1]) * n[3] >= 0
            and (f[2] * b[3] - f[3] * b[2]) * n[1] + (f[3] * b[1] - f[1] * b[3]) * n[2] + (f[1] * b[2] - f[2] * b[1]) * n[3] >= 0 then
            x := degrees(atan2(f[2], f[1]));
            y := degrees(atan2(f[3], sqrt(f[1] ^ 2 + f[2] ^ 2)));
            return;
        end if;
    end if;
    if p[1] * a[1] + p[2] * a[2] + p[3] * a[3] >= p[1] * b[1] + p[2] * b[2] + p[3] * b[3] then
        x := x1;
        y := y1;
    else
        x := x2;
        y := y2;
    end if;
end $$;
create function {schema}._geo_far(a jsonb, b jsonb, on_spheroid boolean) returns float8 language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
declare
    nearest float8;
begin
    if a ->> 'type' = 'Point' and b ->> 'type' = 'Point' then
        return {schema}._geo_way((a #> '{coordinates,0}')::float8, (a #> '{coordinates,1}')::float8, (b #> '{coordinates,0}')::float8, (b #> '{coordinates,1}')::float8, on_spheroid);
    elsif exists (select from {schema}._geo_points(a) p where {schema}._geo_inside(b, p.x, p.y) >= 0)
        or exists (select from {schema}._geo_points(b) p where {schema}._geo_inside(a, p.x, p.y) >= 0)
        or exists (select from {schema}._geo_pieces(a) p, {schema}._geo_pieces(b) q where {schema}._geo_cross(p, q)) then
        return 0;
    end if;
    select min({schema}._geo_way(p.x, p.y, f.x, f.y, on_spheroid)) into nearest
    from (select * from {schema}._geo_points(a) s, {schema}._geo_pieces(b) e union all select * from {schema}._geo_points(b) s, {schema}._geo_pieces(a) e) p,
        {schema}._geo_foot(p.x, p.y, p.x1, p.y1, p.x2, p.y2) f;
    return nearest;
end $$;

create function {schema}.st_distance({schema}.geometry, {schema}.geometry) returns float8 language sql immutable strict parallel safe
    as 'select {schema}._geo_distance({schema}._geo_tree($1::text), {schema}._geo_tree($2::text))';
create function {schema}.st_distance({schema}.geography, {schema}.geography, use_spheroid boolean default true) returns float8 language sql immutable strict parallel safe
    as 'select {schema}._geo_far({schema}._geo_tree($1::text), {schema}._geo_tree($2::text), $3)';
create function {schema}.st_distance(text, text) returns float8 language sql immutable strict parallel safe as 'select {schema}._geo_distance({schema}._geo_tree($1), {schema}._geo_tree($2))';
create function {schema}.st_distancesphere({schema}.geometry, {schema}.geometry) returns float8 language sql immutable strict parallel safe
    as 'select {schema}._geo_far({schema}._geo_tree($1::text), {schema}._geo_tree($2::text), false)';
create function {schema}.st_distancespheroid({schema}.geometry, {schema}.geometry) returns float8 language sql immutable strict parallel safe
    as 'select {schema}._geo_far({schema}._geo_tree($1::text), {schema}._geo_tree($2::text), true)';
create function {schema}.st_dwithin({schema}.geometry, {schema}.geometry, float8) returns boolean language sql immutable strict parallel safe as 'select {schema}.st_distance($1, $2) <= $3';
create function {schema}.st_dwithin({schema}.geography, {schema}.geography, float8, use_spheroid boolean default true) returns boolean language sql immutable strict parallel safe
    as 'select {schema}.st_distance($1, $2, $4) <= $3';
create function {schema}.st_dwithin(text, text, float8) returns boolean language sql immutable strict parallel safe as 'select {schema}.st_distance($1, $2) <= $3';
create function {schema}._geography_near({schema}.geography, {schema}.geography) returns float8 language sql immutable strict parallel safe as 'select {schema}.st_distance($1, $2, false)';
create operator {schema}.<-> (leftarg = {schema}.geometry, rightarg = {schema}.geometry, function = {schema}.st_distance, commutator = operator({schema}.<->));
create operator {schema}.<-> (leftarg = {schema}.geography, rightarg = {schema}.geography, function = {schema}._geography_near, commutator = operator({schema}.<->));

-- Relations. Edges of two shapes that only touch do not cross.
create function {schema}._geo_covers(a jsonb, b jsonb) returns boolean language sql immutable strict parallel safe as $$
    select not exists (select from {schema}._geo_points(b) p where {schema}._geo_inside(a, p.x, p.y) < 0 and not exists (
            select from {schema}._geo_pieces(a) q where {schema}._geo_to_piece(p.x, p.y, q.x1, q.y1, q.x2, q.y2) = 0))
        and exists (select from {schema}._geo_points(b))
        and not exists (select from {schema}._geo_pieces(a) p, {schema}._geo_pieces(b) q where {schema}._geo_cross(p, q)) $$;
create function {schema}._geo_contains(a jsonb, b jsonb) returns boolean language sql immutable strict parallel safe as $$
    select {schema}._geo_covers(a, b) and (not exists (select from {schema}._geo_areas(a)) or exists (select from {schema}._geo_areas(b))
        or exists (select from {schema}._geo_pieces(b) p where {schema}._geo_inside(a, (p.x1 + p.x2) / 2, (p.y1 + p.y2) / 2) = 1)) $$;
do $relations$
declare
    one text[];
    relations constant text[] := array[['st_contains', '_geo_contains(a, b)', 'geometry'], ['st_within', '_geo_contains(b, a)', 'geometry'], ['st_covers', '_geo_covers(a, b)', 'geometry'],
        ['st_covers', '_geo_covers(a, b)', 'geography'], ['st_coveredby', '_geo_covers(b, a)', 'geometry'], ['st_coveredby', '_geo_covers(b, a)', 'geography'],
        ['st_intersects', '_geo_distance(a, b) = 0', 'geometry'], ['st_intersects', '_geo_distance(a, b) = 0', 'geography'], ['st_disjoint', '_geo_distance(a, b) <> 0', 'geometry']];
begin
    foreach one slice 1 in array relations loop
        execute format('create function {schema}.%I({schema}.%3$I, {schema}.%3$I) returns boolean language sql immutable strict parallel safe
            as ''select {schema}.%2$s from {schema}._geo_tree($1::text) a, {schema}._geo_tree($2::text) b''', one[1], one[2], one[3]);
    end loop;
end $relations$;
create function {schema}.st_equals({schema}.geometry, {schema}.geometry) returns boolean language sql immutable strict parallel safe
    as 'select {schema}._geo_covers(a, b) and {schema}._geo_covers(b, a) from {schema}._geo_tree($1::text) a, {schema}._geo_tree($2::text) b';

-- Boxes.
create function {schema}._geo_box(tree jsonb) returns float8[] language sql immutable strict parallel safe as $$ select array[min(x), min(y), max(x), max(y)] from {schema}._geo_points(tree) $$;
create function {schema}._geo_sides({schema}.box2d) returns float8[] language sql immutable strict parallel safe
    as $$ select regexp_match($1::text, '^BOX\(([-+0-9.e]+) ([-+0-9.e]+),([-+0-9.e]+) ([-+0-9.e]+)\)$')::float8[] $$;
create function {schema}._box2d(float8[]) returns {schema}.box2d language sql immutable strict parallel safe
    as $$ select case when $1[1] is not null then format('BOX(%s %s,%s %s)', $1[1], $1[2], $1[3], $1[4])::varchar::{schema}.box2d end $$;
create function {schema}.box2d({schema}.geometry) returns {schema}.box2d language sql immutable strict parallel safe as 'select {schema}._box2d({schema}._geo_box({schema}._geo_tree($1::text)))';
create cast ({schema}.geometry as {schema}.box2d) with function {schema}.box2d({schema}.geometry) as implicit;
create function {schema}.geometry({schema}.box2d) returns {schema}.geometry language sql immutable strict parallel safe
    as $$ select {schema}.st_makeenvelope(b[1], b[2], b[3], b[4]) from {schema}._geo_sides($1) b $$;
create cast ({schema}.box2d as {schema}.geometry) with function {schema}.geometry({schema}.box2d) as implicit;
create function {schema}.st_makebox2d({schema}.geometry, {schema}.geometry) returns {schema}.box2d language sql immutable strict parallel safe
    as 'select {schema}._box2d(array[{schema}.st_x($1), {schema}.st_y($1), {schema}.st_x($2), {schema}.st_y($2)])';
create function {schema}.st_envelope({schema}.geometry) returns {schema}.geometry language sql immutable strict parallel safe
    as $$ select case when {schema}._geo_tree($1::text) ->> 'type' = 'Point' then $1 else {schema}.st_setsrid({schema}.st_makeenvelope(b[1], b[2], b[3], b[4]), {schema}.st_srid($1)) end
        from {schema}._geo_box({schema}._geo_tree($1::text)) b $$;
create function {schema}._geo_extended({schema}.box2d, {schema}.geometry) returns {schema}.box2d language sql immutable parallel safe as $$
    select {schema}._box2d(array[least(a[1], b[1]), least(a[2], b[2]), greatest(a[3], b[3]), greatest(a[4], b[4])])
    from (select {schema}._geo_sides($1) a, {schema}._geo_box({schema}._geo_tree($2::text)) b) boxes $$;
create aggregate {schema}.st_extent({schema}.geometry) (sfunc = {schema}._geo_extended, stype = {schema}.box2d);
create function {schema}._geo_boxes_meet({schema}.geometry, {schema}.geometry) returns boolean language sql immutable strict parallel safe
    as $$ select coalesce(a[1] <= b[3] and b[1] <= a[3] and a[2] <= b[4] and b[2] <= a[4], false) from {schema}._geo_box({schema}._geo_tree($1::text)) a, {schema}._geo_box({schema}._geo_tree($2::text)) b $$;
create function {schema}._geo_boxes_meet({schema}.geography, {schema}.geography) returns boolean language sql immutable strict parallel safe
    as $$ select {schema}._geo_boxes_meet($1::{schema}.geometry, $2::{schema}.geometry) $$;
create operator {schema}.&& (leftarg = {schema}.geometry, rightarg = {schema}.geometry, function = {schema}._geo_boxes_meet, commutator = operator({schema}.&&));
create operator {schema}.&& (leftarg = {schema}.geography, rightarg = {schema}.geography, function = {schema}._geo_boxes_meet, commutator = operator({schema}.&&));
create function {schema}._geo_box_contains({schema}.geometry, {schema}.geometry) returns boolean language sql immutable strict parallel safe
    as $$ select coalesce(a[1] <= b[1] and b[3] <= a[3] and a[2] <= b[2] and b[4] <= a[4], false) from {schema}._geo_box({schema}._geo_tree($1::text)) a, {schema}._geo_box({schema}._geo_tree($2::text)) b $$;
create function {schema}._geo_box_within({schema}.geometry, {schema}.geometry) returns boolean language sql immutable strict parallel safe as 'select {schema}._geo_box_contains($2, $1)';
create operator {schema}.~ (leftarg = {schema}.geometry, rightarg = {schema}.geometry, function = {schema}._geo_box_contains, commutator = operator({schema}.@));
create operator {schema}.@ (leftarg = {schema}.geometry, rightarg = {schema}.geometry, function = {schema}._geo_box_within, commutator = operator({schema}.~));
do $sides$
declare at int; name text;
begin
    for at, name in select * from (values (1, 'st_xmin'), (2, 'st_ymin'), (3, 'st_xmax'), (4, 'st_ymax')) sides loop
        execute format('create function {schema}.%I({schema}.box2d) returns float8 language sql immutable strict parallel safe as ''select ({schema}._geo_sides($1))[%s]''', name, at);
    end loop;
end $sides$;

-- Measures.
create function {schema}.st_length({schema}.geometry) returns float8 language sql immutable strict parallel safe as $$
    select case when tree ->> 'type' like '%Polygon' then 0 else coalesce((select sum(sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2)) from {schema}._geo_pieces(tree)), 0) end from {schema}._geo_tree($1::text) tree $$;
create function {schema}.st_length({schema}.geography, use_spheroid boolean default true) returns float8 language sql immutable strict parallel safe as $$
    select case when tree ->> 'type' like '%Polygon' then 0 else coalesce((select sum({schema}._geo_way(x1, y1, x2, y2, $2)) from {schema}._geo_pieces(tree)), 0) end from {schema}._geo_tree($1::text) tree $$;
create function {schema}.st_perimeter({schema}.geometry) returns float8 language sql immutable strict parallel safe as $$
    select case when tree ->> 'type' like '%Polygon' then (select sum(sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2)) from {schema}._geo_pieces(tree)) else 0 end from {schema}._geo_tree($1::text) tree $$;
create function {schema}.st_perimeter({schema}.geography, use_spheroid boolean default true) returns float8 language sql immutable strict parallel safe as $$
    select case when tree ->> 'type' like '%Polygon' then (select sum({schema}._geo_way(x1, y1, x2, y2, $2)) from {schema}._geo_pieces(tree)) else 0 end from {schema}._geo_tree($1::text) tree $$;
create function {schema}._geo_ring(ring jsonb) returns float8 language sql immutable strict parallel safe
    as $$ select abs(sum(x1 * y2 - x2 * y1)) / 2 from {schema}._geo_pieces(jsonb_build_object('type', 'LineString', 'coordinates', ring)) $$;
-- The latitude on the sphere of the same area, and the area of a ring on that sphere.
create function {schema}._geo_ring_on_earth(ring jsonb) returns float8 language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
declare
    e constant float8 := sqrt(0.0066943799901413165);
    whole constant float8 := (1 - e * e) * (1 / (1 - e * e) - ln((1 - e) / (1 + e)) / (2 * e));
    sum float8 := 0;
    piece record;
    s float8;
    b1 float8;
    b2 float8;
    l float8;
begin
    for piece in select * from {schema}._geo_pieces(jsonb_build_object('type', 'LineString', 'coordinates', ring)) loop
        s := sin(radians(piece.y1));
        b1 := asin(greatest(-1, least(1, (1 - e * e) * (s / (1 - e * e * s * s) - ln((1 - e * s) / (1 + e * s)) / (2 * e)) / whole)));
        s := sin(radians(piece.y2));
        b2 := asin(greatest(-1, least(1, (1 - e * e) * (s / (1 - e * e * s * s) - ln((1 - e * s) / (1 + e * s)) / (2 * e)) / whole)));
        l := radians(piece.x2 - piece.x1);
        l := l - 2 * pi() * round(l / (2 * pi()));
        sum := sum + 2 * atan2(tan(l / 2) * (tan(b1 / 2) + tan(b2 / 2)), 1 + tan(b1 / 2) * tan(b2 / 2));
    end loop;
    return abs(sum) * 6378137 ^ 2 * whole / 2;
end $$;
create function {schema}.st_area({schema}.geometry) returns float8 language sql immutable strict parallel safe as $$
    select coalesce(sum(case at when 1 then 1 else -1 end * {schema}._geo_ring(ring)), 0) from {schema}._geo_areas({schema}._geo_tree($1::text)) rings, jsonb_array_elements(rings) with ordinality u(ring, at) $$;
create function {schema}.st_area({schema}.geography, use_spheroid boolean default true) returns float8 language sql immutable strict parallel safe as $$
    select coalesce(sum(case at when 1 then 1 else -1 end * {schema}._geo_ring_on_earth(ring)), 0) from {schema}._geo_areas({schema}._geo_tree($1::text)) rings, jsonb_array_elements(rings) with ordinality u(ring, at) $$;
create function {schema}.st_centroid({schema}.geometry) returns {schema}.geometry language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
declare
    tree constant jsonb := {schema}._geo_tree($1::text);
    x float8;
    y float8;
begin
    if exists (select from {schema}._geo_areas(tree)) then
        -- A ring inside counts against that around it, whichever way it is written.
        select sum(w * cx) / nullif(sum(w), 0), sum(w * cy) / nullif(sum(w), 0) into x, y
        from {schema}._geo_areas(tree) rings, jsonb_array_elements(rings) with ordinality u(ring, at),
            lateral (select case at when 1 then 1 else -1 end * abs(sum(k)) as w, sum((x1 + x2) * k) / (3 * nullif(sum(k), 0)) as cx, sum((y1 + y2) * k) / (3 * nullif(sum(k), 0)) as cy
                from (select *, x1 * y2 - x2 * y1 as k from {schema}._geo_pieces(jsonb_build_object('type', 'LineString', 'coordinates', ring))) p) c;
    elsif tree ->> 'type' like '%Line%' then
        select sum(w * (x1 + x2) / 2) / nullif(sum(w), 0), sum(w * (y1 + y2) / 2) / nullif(sum(w), 0) into x, y
        from (select *, sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2) as w from {schema}._geo_pieces(tree)) p;
    else
        select avg(p.x), avg(p.y) into x, y from {schema}._geo_points(tree) p;
    end if;
    return {schema}._geo_point(array[x, y], 0, (tree -> 'srid')::int);
end $$;
create function {schema}.st_centroid({schema}.geography, use_spheroid boolean default true) returns {schema}.geography language sql immutable strict parallel safe
    as $$ select {schema}.st_centroid($1::{schema}.geometry)::{schema}.geography $$;
create function {schema}.st_npoints({schema}.geometry) returns integer language sql immutable strict parallel safe as 'select count(*)::int from {schema}._geo_points({schema}._geo_tree($1::text))';
create function {schema}.st_numpoints({schema}.geometry) returns integer language sql immutable strict parallel safe
    as $$ select case when tree ->> 'type' = 'LineString' then jsonb_array_length(tree -> 'coordinates') end from {schema}._geo_tree($1::text) tree $$;
create function {schema}.st_numgeometries({schema}.geometry) returns integer language sql immutable strict parallel safe
    as $$ select case when tree ->> 'type' like 'Multi%' or tree ? 'geometries' then jsonb_array_length(coalesce(tree -> 'coordinates', tree -> 'geometries')) else 1 end from {schema}._geo_tree($1::text) tree $$;
create function {schema}.st_geometryn({schema}.geometry, integer) returns {schema}.geometry language sql immutable strict parallel safe
    as $$ select {schema}._geometry(case when tree ? 'geometries' then tree -> 'geometries' -> ($2 - 1) when tree ->> 'type' not like 'Multi%' then case $2 when 1 then tree end
        else tree || jsonb_build_object('type', substr(tree ->> 'type', 6), 'coordinates', tree -> 'coordinates' -> ($2 - 1)) end) from {schema}._geo_tree($1::text) tree where $2 between 1 and {schema}.st_numgeometries($1) $$;
create function {schema}.st_pointn({schema}.geometry, integer) returns {schema}.geometry language sql immutable strict parallel safe
    as $$ select {schema}._geometry(tree || jsonb_build_object('type', 'Point', 'coordinates', tree -> 'coordinates' -> (case when $2 > 0 then $2 - 1 else $2 end)))
        from {schema}._geo_tree($1::text) tree where tree ->> 'type' = 'LineString' and abs($2) between 1 and jsonb_array_length(tree -> 'coordinates') $$;
create function {schema}.st_startpoint({schema}.geometry) returns {schema}.geometry language sql immutable strict parallel safe as 'select {schema}.st_pointn($1, 1)';
create function {schema}.st_endpoint({schema}.geometry) returns {schema}.geometry language sql immutable strict parallel safe as 'select {schema}.st_pointn($1, -1)';
create function {schema}.st_exteriorring({schema}.geometry) returns {schema}.geometry language sql immutable strict parallel safe
    as $$ select {schema}._geometry(tree || jsonb_build_object('type', 'LineString', 'coordinates', tree -> 'coordinates' -> 0)) from {schema}._geo_tree($1::text) tree where tree ->> 'type' = 'Polygon' $$;
create function {schema}.st_azimuth({schema}.geometry, {schema}.geometry) returns float8 language sql immutable strict parallel safe as $$
    select case when dx <> 0 or dy <> 0 then case when atan2(dx, dy) < 0 then atan2(dx, dy) + 2 * pi() else atan2(dx, dy) end end
    from (select {schema}.st_x($2) - {schema}.st_x($1) as dx, {schema}.st_y($2) - {schema}.st_y($1) as dy) d $$;
create function {schema}._geo_moved(list jsonb, is_back boolean) returns jsonb language sql immutable strict parallel safe as $$
    select case when jsonb_typeof(list -> 0) = 'number' then (case when is_back
            then jsonb_build_array(degrees((list -> 0)::float8 / 6378137), degrees(2 * atan(exp((list -> 1)::float8 / 6378137)) - pi() / 2))
            else jsonb_build_array(radians((list -> 0)::float8) * 6378137, ln(tan(pi() / 4 + radians((list -> 1)::float8) / 2)) * 6378137) end) || jsonb_path_query_array(list, '$[2 to last]')
        else coalesce((select jsonb_agg({schema}._geo_moved(one, is_back) order by at) from jsonb_array_elements(list) with ordinality u(one, at)), '[]') end $$;
create function {schema}.st_transform({schema}.geometry, integer) returns {schema}.geometry language plpgsql immutable strict parallel safe set search_path = pg_catalog as $$
declare
    tree constant jsonb := {schema}._geo_tree($1::text);
    own constant int := tree -> 'srid';
begin
    if own = $2 then
        return $1;
    elsif own = 0 then
        raise invalid_parameter_value using message = 'ST_Transform: Input geometry has unknown (0) SRID';
    elsif not (own in (4326, 3857) and $2 in (4326, 3857)) or tree ? 'geometries' then
        raise feature_not_supported using message = format('ST_Transform from %s to %s is not supported', own, $2),
            detail = 'The stand-in for the extension postgis transforms between 4326 and 3857 only.';
    end if;
    return {schema}._geometry(tree || jsonb_build_object('srid', $2, 'coordinates', {schema}._geo_moved(tree -> 'coordinates', $2 = 4326)));
end $$;

-- Functions that the stand-in has by name only.
do $refused$
declare
    one text;
    refused constant text[] := array['st_buffer(geometry, float8) geometry', 'st_buffer(geography, float8) geography', 'st_buffer(geometry, float8, text) geometry', 'st_buffer(geography, float8, text) geography',
        'st_buffer(geography, float8, integer) geography', 'st_intersection(geometry, geometry) geometry',
        'st_difference(geometry, geometry) geometry', 'st_symdifference(geometry, geometry) geometry', 'st_union(geometry, geometry) geometry', 'st_union(geometry[]) geometry', 'st_unaryunion(geometry) geometry',
        'st_convexhull(geometry) geometry', 'st_simplify(geometry, float8) geometry', 'st_simplifypreservetopology(geometry, float8) geometry', 'st_makevalid(geometry) geometry', 'st_touches(geometry, geometry) boolean',
        'st_crosses(geometry, geometry) boolean', 'st_overlaps(geometry, geometry) boolean', 'st_snaptogrid(geometry, float8) geometry', 'st_linemerge(geometry) geometry',
        'st_closestpoint(geometry, geometry) geometry', 'st_lineinterpolatepoint(geometry, float8) geometry', 'st_linelocatepoint(geometry, geometry) float8', 'st_pointonsurface(geometry) geometry',
        'st_project(geography, float8, float8) geography', 'st_geohash(geometry, integer) text', 'st_tileenvelope(integer, integer, integer) geometry', 'st_asmvtgeom(geometry, box2d) geometry',
        'st_segmentize(geography, float8) geography', 'st_generatepoints(geometry, integer) geometry', 'st_subdivide(geometry, integer) setof geometry'];
begin
    foreach one in array refused loop
        execute format('create function {schema}.%s returns %s language plpgsql immutable strict parallel safe as %L',
            regexp_replace(split_part(one, ' ', 1) || substr(split_part(one, ')', 1) || ')', length(split_part(one, ' ', 1)) + 1), '\m(geometry|geography|box2d)\M', '{schema}.\1', 'g'),
            regexp_replace(btrim(split_part(one, ')', 2)), '\m(geometry|geography)\M', '{schema}.\1'),
            format('begin raise feature_not_supported using message = %L, hint = ''The function needs the extension itself.''; end',
                format('the stand-in for the extension postgis does not support %s()', split_part(one, '(', 1))));
    end loop;
end $refused$;
create aggregate {schema}.st_union({schema}.geometry) (sfunc = array_append, stype = {schema}.geometry[], finalfunc = {schema}.st_union);

-- The catalog.
create table {schema}.spatial_ref_sys (srid integer not null primary key check (srid > 0 and srid <= 998999), auth_name varchar(256), auth_srid integer, srtext varchar(2048), proj4text varchar(2048));
insert into {schema}.spatial_ref_sys values (4326, 'EPSG', 4326, 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]',
    '+proj=longlat +datum=WGS84 +no_defs'), (3857, 'EPSG', 3857, 'PROJCS["WGS 84 / Pseudo-Mercator"]', '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +wktext +no_defs');
create view {schema}.geometry_columns as select current_database()::varchar(256) as f_table_catalog, n.nspname as f_table_schema, c.relname as f_table_name, a.attname as f_geometry_column,
    2 + case when a.atttypmod > 2 then (a.atttypmod - 3) >> 3 & 1 else 0 end as coord_dimension, coalesce((array[4326, 3857])[case when a.atttypmod > 2 then (a.atttypmod - 3) >> 5 end], 0) as srid,
    upper(coalesce(({schema}._geo_kinds())[case when a.atttypmod > 2 then (a.atttypmod - 3) & 7 end], 'Geometry'))::varchar(30) as type
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where a.atttypid = '{schema}.geometry'::regtype and not a.attisdropped and c.relkind in ('r', 'v', 'm', 'f', 'p');
create view {schema}.geography_columns as select current_database() as f_table_catalog, n.nspname as f_table_schema, c.relname as f_table_name, a.attname as f_geography_column,
    2 + case when a.atttypmod > 2 then (a.atttypmod - 3) >> 3 & 1 else 0 end as coord_dimension, 4326 as srid,
    coalesce(({schema}._geo_kinds())[case when a.atttypmod > 2 then (a.atttypmod - 3) & 7 end], 'Geometry') as type
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where a.atttypid = '{schema}.geography'::regtype and not a.attisdropped and c.relkind in ('r', 'v', 'm', 'f', 'p');
grant select on {schema}.spatial_ref_sys, {schema}.geometry_columns, {schema}.geography_columns to public;
create function {schema}.postgis_version() returns text language sql immutable as $$ select '3.3 USE_GEOS=0 USE_PROJ=0 USE_STATS=0'::text $$;
create function {schema}.postgis_lib_version() returns text language sql immutable as $$ select '3.3.7'::text $$;
create function {schema}.postgis_full_version() returns text language sql immutable as $$ select 'POSTGIS="3.3.7" (stand-in)'::text $$;

-- Indexes. No operator is in their classes, so no query uses one. They are kept as those of trigrams are, in few bytes whatever the length of a shape.
do $indexes$
declare type text; method text;
begin
    begin
        create function {schema}._geo_index_in(cstring) returns {schema}._geo_index language internal immutable strict parallel safe as 'textin';
        create function {schema}._geo_index_out({schema}._geo_index) returns cstring language internal immutable strict parallel safe as 'textout';
        create type {schema}._geo_index (input = {schema}._geo_index_in, output = {schema}._geo_index_out, internallength = variable, alignment = int4);
        foreach method in array array['consistent(internal, text, smallint, oid, internal) boolean', 'union(internal, internal) {schema}._geo_index', 'compress(internal) internal', 'decompress(internal) internal',
                'penalty(internal, internal, internal) internal', 'picksplit(internal, internal) internal', 'same({schema}._geo_index, {schema}._geo_index, internal) internal'] loop
            execute format('create function {schema}._geo_index_%s) returns %s language c immutable strict parallel safe as ''$libdir/pg_trgm'', %L', split_part(method, ')', 1),
                split_part(method, ')', 2), 'gtrgm_' || split_part(method, '(', 1));
        end loop;
        foreach type in array array['geometry', 'geography'] loop
            execute format('create operator class {schema}.gist_%1$s_ops%2$s default for type {schema}.%1$I using gist as function 1 {schema}._geo_index_consistent(internal, text, smallint, oid, internal),
                function 2 {schema}._geo_index_union(internal, internal), function 3 {schema}._geo_index_compress(internal), function 4 {schema}._geo_index_decompress(internal),
                function 5 {schema}._geo_index_penalty(internal, internal, internal), function 6 {schema}._geo_index_picksplit(internal, internal),
                function 7 {schema}._geo_index_same({schema}._geo_index, {schema}._geo_index, internal), storage {schema}._geo_index', type, case type when 'geometry' then '_2d' else '' end);
        end loop;
    exception when undefined_file then
        raise warning 'this server lacks the library of the extension pg_trgm, so there is no index on shapes';
    end;
end $indexes$;
