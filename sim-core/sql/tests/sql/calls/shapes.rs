//! The extension `postgis`. What is expected are the answers of PostGIS 3.3; a server from a package alone does not have it.

use serde_json::{Value as Json, json};

use super::Database;

fn with_shapes() -> Database {
    let database = Database::new();
    database.rows(
        "create schema gis;
         create extension postgis with schema gis;
         create table places (id int primary key, location gis.geography(point) not null, area gis.geometry(polygon, 4326));
         create index on places using gist (location);
         set search_path = public, gis;
         insert into places values
           (1, gis.st_point(-73.99, 40.73), st_geomfromtext('POLYGON((0 0,0 10,10 10,10 0,0 0),(2 2,2 3,3 3,3 2,2 2))', 4326)),
           (2, st_setsrid(st_makepoint(-73.95, 40.78), 4326)::geography, st_makeenvelope(5, 5, 20, 20, 4326)),
           (3, 'POINT(-0.1276 51.5072)', null);",
    );
    database
}

/// The only value of the only row.
fn value(database: &Database, query: &str) -> Json {
    let text = format!("set search_path = public, gis; {query}");
    let rows = database.rows(&text);
    let row = rows[0].as_object().unwrap_or_else(|| panic!("{query}: {rows}"));
    row.values().next().cloned().unwrap_or_default()
}

#[test]
fn shapes_are_read_and_shown() {
    let database = with_shapes();
    for (query, expected) in [
        ("select 'POINT(1 2)'::geometry", json!("0101000000000000000000F03F0000000000000040")),
        ("select 'POINT(1 2)'::geography", json!("0101000020E6100000000000000000F03F0000000000000040")),
        ("select st_astext('0101000000000000000000F03F0000000000000040'::geometry)", json!("POINT(1 2)")),
        (
            "select st_astext(st_geomfromgeojson('{\"type\":\"Point\",\"coordinates\":[1,2]}'))",
            json!("POINT(1 2)"),
        ),
        ("select st_astext('MULTIPOINT(1 2,3 4)')", json!("MULTIPOINT((1 2),(3 4))")),
        ("select st_astext('POINTM(1 2 3)')", json!("POINT M (1 2 3)")),
        ("select st_asewkt('SRID=4326;POINT Z(1 2 3)')", json!("SRID=4326;POINT(1 2 3)")),
        ("select st_astext('POLYGON EMPTY')", json!("POLYGON EMPTY")),
        ("select st_astext(st_makepoint(0.1 + 0.2, 1e-9))", json!("POINT(0.3 1e-9)")),
        (
            "select st_asgeojson(location) from places where id = 1",
            json!("{\"type\":\"Point\",\"coordinates\":[-73.99,40.73]}"),
        ),
        ("select to_jsonb('POINT(1 2)'::geometry)", json!({"type":"Point","coordinates":[1,2]})),
        (
            "select st_geomfromwkb(st_asbinary('SRID=4326;POINT(1 2)'::geometry))::text",
            json!("0101000000000000000000F03F0000000000000040"),
        ),
        ("select st_y(location::geometry) from places where id = 1", json!(40.73)),
        ("select st_geohash(st_setsrid(st_makepoint(-126, 48), 4326))", json!("c0w3hf1s70w3hf1s70w3")),
        (
            "select array_agg(path[1] || ':' || st_astext(geom)) from st_dump('MULTIPOINT((1 2),(3 4))')",
            json!(["1:POINT(1 2)", "2:POINT(3 4)"]),
        ),
        (
            "select st_astext(st_makeline(array_agg(st_point(n, 0) order by n))) from generate_series(1, 2) n",
            json!("LINESTRING(1 0,2 0)"),
        ),
        (
            "select st_astext(st_makeline(st_point(n, 0) order by n)) from generate_series(1, 2) n",
            json!("LINESTRING(1 0,2 0)"),
        ),
        ("select st_astext(st_collect(st_point(1, 2), st_point(3, 4)))", json!("MULTIPOINT((1 2),(3 4))")),
        (
            "select st_extent(location::geometry)::text from places where id < 3",
            json!("BOX(-73.99 40.73,-73.95 40.78)"),
        ),
        (
            "select string_agg(type || srid, ' ' order by f_table_name) from geometry_columns",
            json!("POLYGON4326"),
        ),
        (
            "select proj4text from spatial_ref_sys where srid = 4326",
            json!("+proj=longlat +datum=WGS84 +no_defs "),
        ),
        (
            "select format_type(atttypid, atttypmod) from pg_attribute where attrelid = 'places'::regclass and attname = 'location'",
            json!("geography(Point,4326)"),
        ),
    ] {
        assert_eq!(value(&database, query), expected, "{query}");
    }
}

#[test]
fn lines_are_measured_cut_and_encoded() {
    let database = with_shapes();
    for (query, expected) in [
        ("select st_linelocatepoint('LINESTRING(0 0,10 0)', 'POINT(2 1)')", json!(0.2)),
        ("select st_linelocatepoint('LINESTRING(0 0,10 0,10 10)', 'POINT(20 20)')", json!(1)),
        (
            "select st_astext(st_linesubstring('LINESTRING(0 0,4 0,4 4)', 0.25, 0.75))",
            json!("LINESTRING(2 0,4 0,4 2)"),
        ),
        ("select st_astext(st_linesubstring('LINESTRING(0 0,4 0)', 0.5, 0.5))", json!("POINT(2 0)")),
        (
            "select st_astext(st_addpoint('LINESTRING(0 0,1 1)', 'POINT(2 2)'))",
            json!("LINESTRING(0 0,1 1,2 2)"),
        ),
        (
            "select st_astext(st_addpoint('LINESTRING(0 0,1 1)', 'POINT(2 2)', 0))",
            json!("LINESTRING(2 2,0 0,1 1)"),
        ),
        (
            "select st_astext(st_setpoint('LINESTRING(-1 2,-1 3)', 0, 'POINT(-1 1)'))",
            json!("LINESTRING(-1 1,-1 3)"),
        ),
        ("select st_astext(st_removepoint('LINESTRING(0 0,1 1,2 2)', 1))", json!("LINESTRING(0 0,2 2)")),
        ("select st_astext(st_points('LINESTRING(0 0,1 1)'))", json!("MULTIPOINT((0 0),(1 1))")),
        (
            "select st_asencodedpolyline('SRID=4326;LINESTRING(-120.2 38.5,-120.95 40.7,-126.453 43.252)')",
            json!("_p~iF~ps|U_ulLnnqC_mqNvxq`@"),
        ),
        (
            "select st_asewkt(st_linefromencodedpolyline('_p~iF~ps|U_ulLnnqC_mqNvxq`@'))",
            json!("SRID=4326;LINESTRING(-120.2 38.5,-120.95 40.7,-126.453 43.252)"),
        ),
        ("select st_maxdistance('POINT(0 0)', 'LINESTRING(2 0,0 2)')", json!(2)),
        ("select st_dfullywithin('POINT(0 0)', 'LINESTRING(2 0,0 3)', 2)", json!(false)),
        ("select st_astext(st_boundary('LINESTRING(1 1,0 0,-1 1)'))", json!("MULTIPOINT((1 1),(-1 1))")),
        (
            "select st_astext(st_boundary('POLYGON((1 1,0 0,-1 1,1 1))'))",
            json!("LINESTRING(1 1,0 0,-1 1,1 1)"),
        ),
        (
            "select st_astext(st_collectionextract('GEOMETRYCOLLECTION(GEOMETRYCOLLECTION(LINESTRING(0 0,1 1)),LINESTRING(2 2,3 3))', 2))",
            json!("MULTILINESTRING((0 0,1 1),(2 2,3 3))"),
        ),
        (
            "select st_overlaps('POLYGON((0 0,0 2,2 2,2 0,0 0))', 'POLYGON((1 1,1 3,3 3,3 1,1 1))')",
            json!(true),
        ),
        (
            "select st_overlaps('POLYGON((0 0,0 2,2 2,2 0,0 0))', 'POLYGON((2 0,2 2,3 2,3 0,2 0))')",
            json!(false),
        ),
        ("select st_crosses('LINESTRING(-1 1,3 1)', 'POLYGON((0 0,0 2,2 2,2 0,0 0))')", json!(true)),
        ("select st_crosses('LINESTRING(0.5 1,1 1)', 'POLYGON((0 0,0 2,2 2,2 0,0 0))')", json!(false)),
        ("select st_astext(st_pointfromtext('LINESTRING(0 0,1 1)'))", json!(null)),
        ("select st_astext(st_mpointfromtext('MULTIPOINT((1 2))', 4326))", json!("MULTIPOINT((1 2))")),
        ("select st_isvalidreason('POINT(1 2)')", json!("Valid Geometry")),
        ("select st_astext(point '(1,2)'::geometry)", json!("POINT(1 2)")),
        ("select 'POINT(1 2)'::geometry::point::text", json!("(1,2)")),
    ] {
        assert_eq!(value(&database, query), expected, "{query}");
    }
}

#[test]
fn tiles_and_cells_have_their_areas() {
    let database = with_shapes();
    for (query, expected) in [
        (
            "select st_astext(st_tileenvelope(2, 1, 1), 4)",
            json!(
                "POLYGON((-10018754.1714 0,-10018754.1714 10018754.1714,0 10018754.1714,0 0,-10018754.1714 0))"
            ),
        ),
        (
            "select st_astext(st_tileenvelope(3, 1, 1, st_makeenvelope(-180, -90, 180, 90, 4326)))",
            json!("POLYGON((-135 45,-135 67.5,-90 67.5,-90 45,-135 45))"),
        ),
        ("select st_srid(st_tileenvelope(zoom => 2, x => 1, y => 1, margin => 0.5))", json!(3857)),
        (
            "select st_astext(st_pointfromgeohash('9qqj7nmxncgyy4d0dbxqz0'), 6)",
            json!("POINT(-115.172816 36.114646)"),
        ),
        (
            "select st_astext(st_geomfromgeohash('9qqj', 1))",
            json!("POLYGON((-135 0,-135 45,-90 45,-90 0,-135 0))"),
        ),
    ] {
        assert_eq!(value(&database, query), expected, "{query}");
    }
}

#[test]
fn a_row_with_a_shape_is_a_feature() {
    let database = with_shapes();
    for (query, expected) in [
        (
            "select st_asgeojson(t.*) from (values (1, 'one', 'POINT(1 1)'::geometry)) as t(id, name, geom)",
            "{\"type\": \"Feature\", \"geometry\": {\"type\":\"Point\",\"coordinates\":[1,1]}, \"properties\": {\"id\": 1, \"name\": \"one\"}}",
        ),
        (
            "select st_asgeojson(p, 'location', 1) from (select id, location, null::int as n from places where id = 1) p",
            "{\"type\": \"Feature\", \"geometry\": {\"type\":\"Point\",\"coordinates\":[-74,40.7]}, \"properties\": {\"id\": 1, \"n\": null}}",
        ),
        (
            "select st_asgeojson(p, geom_column => 'area') from (select id, area from places where id = 3) p",
            "{\"type\": \"Feature\", \"geometry\": {\"type\": null}, \"properties\": {\"id\": 3}}",
        ),
    ] {
        assert_eq!(value(&database, query), json!(expected), "{query}");
    }
    let error = database.with("select gis.st_asgeojson(row(1))", &[]).expect_err("no shape");
    assert_eq!((error.code.as_str(), error.message.as_str()), ("42703", "geometry column is missing"));
}

#[test]
fn distances_and_areas_are_those_of_the_earth_or_the_plane() {
    let database = with_shapes();
    let near = |query: &str, expected: f64| {
        let found = value(&database, query).as_f64().unwrap_or(f64::NAN);
        assert!((found - expected).abs() <= expected * 1e-10, "{query}: {found}, not {expected}");
    };
    near("select st_distance('POINT(0 0)'::geometry, 'POINT(3 4)'::geometry)", 5.0);
    near("select st_distance('POINT(0 0)'::geography, 'POINT(3 4)'::geography)", 554_058.923_752_69);
    near("select st_distance('POINT(0 0)'::geography, 'POINT(3 4)'::geography, false)", 555_812.706_921_09);
    near(
        "select st_distance(location, st_point(-73.98, 40.74)::geography) from places where id = 1",
        1_395.250_038_13,
    );
    near("select st_area(area) from places where id = 1", 99.0);
    near("select st_area(area::geography) from places where id = 1", 1_215_579_361_237.521);
    near("select st_perimeter(area::geography) from places where id = 1", 4_864_829.038_460_84);
    near("select st_length('LINESTRING(0 0,1 1,2 3)'::geography)", 404_455.139_972_690_6);
    near("select st_azimuth('POINT(0 0)'::geography, 'POINT(1 1)'::geography)", 0.788_680_084_525_966);
    assert_eq!(
        database.rows(
            "set search_path = public, gis;
             select id from places where st_dwithin(location, st_point(-73.98, 40.74)::geography, 6000)
             order by location <-> st_point(-73.98, 40.74)::geography",
        ),
        json!([{"id":1},{"id":2}])
    );
}

#[test]
fn relations_of_shapes_look_at_holes_and_borders() {
    let database = with_shapes();
    let relations = |point: &str| {
        let query = format!(
            "select array[st_contains(area, p), st_covers(area, p), st_intersects(area, p)]::text
             from places, st_setsrid('{point}'::geometry, 4326) p where id = 1"
        );
        value(&database, &query).as_str().map(str::to_owned).unwrap_or_default()
    };
    assert_eq!(relations("POINT(1 1)"), "{t,t,t}");
    assert_eq!(relations("POINT(2.5 2.5)"), "{f,f,f}", "in the hole");
    assert_eq!(relations("POINT(2 2)"), "{f,t,t}", "on the border of the hole");
    assert_eq!(relations("POINT(0 5)"), "{f,t,t}", "on the border");
    assert_eq!(relations("POINT(11 11)"), "{f,f,f}");
    for (query, expected) in [
        ("select st_touches('POLYGON((0 0,0 1,1 1,1 0,0 0))', 'POLYGON((1 0,1 1,2 1,2 0,1 0))')", true),
        ("select st_touches('POLYGON((0 0,0 2,2 2,2 0,0 0))', 'POLYGON((1 1,1 3,3 3,3 1,1 1))')", false),
        ("select st_contains('POLYGON((0 0,0 2,2 2,2 0,0 0))', 'LINESTRING(0 0,2 0)')", false),
        ("select st_covers('LINESTRING(0 0,2 2)', 'LINESTRING(0 0,1 1)')", true),
        ("select a.area && b.area from places a, places b where a.id = 1 and b.id = 2", true),
        (
            "select st_covers('POLYGON((0 0,0 1,1 1,1 0,0 0))'::geography, 'POINT(0.5 1.00001)'::geography)",
            true,
        ),
        ("select st_covers('POLYGON((0 0,0 1,1 1,1 0,0 0))'::geography, 'POINT(1.5 0.5)'::geography)", false),
    ] {
        assert_eq!(value(&database, query), json!(expected), "{query}");
    }
}

#[test]
fn wrong_shapes_are_refused() {
    let database = with_shapes();
    for (text, expected) in [
        ("select 'POINT(1'::geometry", "22P02: parse error - invalid geometry"),
        ("select 'POLYGON((0 0,1 1,2 2,3 4))'::geometry", "22P02: geometry contains non-closed rings"),
        ("select 'LINESTRING(0 0)'::geometry", "22P02: geometry requires more points"),
        (
            "select '0101000000000000000000F03F'::geometry",
            "22P02: WKB structure does not match expected size!",
        ),
        (
            "insert into places values (9, 'LINESTRING(0 0,1 1)')",
            "22023: Geometry type (LineString) does not match column type (Point)",
        ),
        (
            "insert into places values (9, 'POINT(1 2)', st_makeenvelope(1, 1, 2, 2, 3857))",
            "22023: Geometry SRID (3857) does not match column SRID (4326)",
        ),
        (
            "insert into places values (9, 'POINT Z(1 2 3)')",
            "22023: Geometry has Z dimension but column does not",
        ),
        ("create table t (a geometry(Foo))", "22023: Invalid geometry type modifier: foo"),
        (
            "create table t (a geography(Point, 3857))",
            "22023: Only lon/lat coordinate systems are supported in geography.",
        ),
        (
            "select st_distance('SRID=4326;POINT(0 0)'::geometry, 'POINT(3 4)'::geometry)",
            "22023: ST_Distance: Operation on mixed SRID geometries (Point, 4326) != (Point, 0)",
        ),
        ("select st_x('LINESTRING(0 0,1 1)')", "22023: Argument to ST_X() must have type POINT"),
        ("select st_buffer(location, 10) from places", "0A000: the function st_buffer is not supported"),
        (
            "select gis.st_simplifypreservetopology(area, 1) from places",
            "0A000: the function st_simplifypreservetopology is not supported",
        ),
        (
            "select st_clusterdbscan(area, eps := 1, minpoints := 2) over () from places",
            "0A000: the function st_clusterdbscan is not supported",
        ),
        ("select area <#> area from places", "0A000: the function <#> is not supported"),
        ("select null::box3d", "0A000: type box3d is not supported"),
        (
            "select st_makevalid('POLYGON((0 0,2 2,0 2,2 0,0 0))')",
            "0A000: ST_MakeValid of a shape that is not valid is not supported",
        ),
        (
            "select st_crosses('LINESTRING(0 0,2 2)', 'LINESTRING(0 2,2 0)')",
            "0A000: ST_Crosses of two lines that meet is not supported",
        ),
        ("select st_tileenvelope(2, 4, 0)", "22023: ST_TileEnvelope: Invalid tile x value, 4"),
        ("select st_pointfromgeohash('a')", "22023: decode_geohash_bbox: Invalid character 'a'"),
        ("select st_nothing(area) from places", "42883: function st_nothing(geometry) does not exist"),
        ("select st_union(area) from places", "0A000: the function st_union is not supported"),
        (
            "select st_transform(st_setsrid(st_point(1, 2), 4326), 2154)",
            "0A000: a transformation from SRID 4326 to 2154 is not supported",
        ),
        (
            "select st_makeline(st_collect(location::geometry)) from places",
            "42803: aggregate function calls cannot be nested",
        ),
        (
            "select id from places where st_collect(location::geometry) is null",
            "42803: aggregate functions are not allowed in WHERE",
        ),
        ("drop extension postgis", "2BP01: cannot drop extension postgis because other objects depend on it"),
    ] {
        let error = database.with(&format!("set search_path = public, gis; {text}"), &[]).expect_err(text);
        assert_eq!(format!("{}: {}", error.code, error.message), expected, "{text}");
    }
    let nested =
        format!("select '{}POINT(1 2){}'::geometry", "GEOMETRYCOLLECTION(".repeat(5000), ")".repeat(5000));
    let error = database.with(&format!("set search_path = gis; {nested}"), &[]).expect_err("too deep");
    assert_eq!(error.message, "Geometry has too many chained collections");
    let absent = Database::new().with("create table t (a geometry)", &[]).expect_err("no extension");
    assert_eq!(absent.message, "type \"geometry\" does not exist");
}

#[test]
fn relations_of_long_shapes_draw_on_the_budget() {
    let database = with_shapes();
    // Each piece of one line crosses each of the other.
    let lines = "select st_makeline(array_agg(st_point(n, (n % 2) * 2000) order by n)) as across,
                        st_makeline(array_agg(st_point((n % 2) * 2000, n) order by n)) as along
                 from generate_series(0, 2000) n";
    for call in [
        "st_covers(across, along)",
        "st_touches(across, along)",
        "st_distance(across::geography, along::geography)",
    ] {
        let text = format!("set search_path = public, gis; select {call} from ({lines}) l");
        let error = database.with(&text, &[]).expect_err(call);
        assert_eq!(error.code.as_str(), "57014", "{call}: {}", error.message);
    }
}

#[test]
fn a_dropped_extension_takes_the_columns_of_its_types() {
    let database = with_shapes();
    database.rows("drop extension postgis cascade");
    let columns = database.rows("select attname from pg_attribute where attrelid = 'places'::regclass and attnum > 0 and not attisdropped");
    assert_eq!(columns, json!([{"attname":"id"}]));
}

#[test]
fn the_table_of_reference_systems_belongs_to_the_platform() {
    let database = Database::new();
    database.rows("create extension postgis");
    for refused in [
        "alter table public.spatial_ref_sys enable row level security",
        "alter table public.spatial_ref_sys rename to other",
        "create policy p on public.spatial_ref_sys for select using (true)",
        "create index on public.spatial_ref_sys (auth_srid)",
        "comment on table public.spatial_ref_sys is 'x'",
    ] {
        assert!(database.refusal(refused).contains("must be owner of table spatial_ref_sys"), "{refused}");
    }
    for denied in [
        "insert into public.spatial_ref_sys (srid) values (990001)",
        "update public.spatial_ref_sys set auth_name = 'x'",
        "delete from public.spatial_ref_sys",
        "truncate public.spatial_ref_sys",
        "create table other (id int references public.spatial_ref_sys (srid))",
    ] {
        assert!(database.refusal(denied).contains("permission denied for table spatial_ref_sys"), "{denied}");
    }
    let dropped = database.refusal("drop table public.spatial_ref_sys");
    assert!(dropped.contains("cannot drop table spatial_ref_sys because extension postgis requires it"));
    // As in dumps: these take no effect.
    database.rows(
        "grant all on table public.spatial_ref_sys to anon; revoke all on public.spatial_ref_sys from anon, public",
    );
    for role in ["postgres", "anon"] {
        let read = format!("set role {role}; select count(*) from public.spatial_ref_sys");
        assert_eq!(database.rows(&read), json!([{"count": 2}]), "{role}");
    }
    let rights = "select has_table_privilege('anon', 'public.spatial_ref_sys', 'insert') as a,
                         has_table_privilege('public.spatial_ref_sys', 'insert') as b";
    assert_eq!(database.rows(rights), json!([{"a": false, "b": false}]));
    database.rows("drop extension postgis");
}
