//! Extensions: those of the server, and stand-ins for what it lacks.

use serde_json::{Value, json};

use super::{World, server};

#[test]
fn extensions_that_the_server_lacks_have_stand_ins() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows(
        "create extension if not exists vector with schema extensions; create extension pg_cron; create extension pg_net with schema extensions;
         create extension pgmq; create extension http with schema extensions; create extension pgjwt with schema extensions;
         create extension if not exists pg_graphql with schema graphql; create extension platform_vault with schema vault",
    );
    world.rows(
        "create table item (id int primary key, at vector(3)); create index on item using hnsw (at vector_cosine_ops) with (m = 16);
         create index on item using ivfflat (at vector_l2_ops) with (lists = 100);
         insert into item values (1, '[1,2,3]'), (2, '[3, 2, 1]')",
    );
    assert_eq!(
        world.rows("select id, at, round((at <=> '[1,2,3]')::numeric, 3) as near, at <-> '[1,2,3]' as far from item order by at <=> '[1,2,3]'"),
        json!([{ "id": 1, "at": "[1,2,3]", "near": "0.000", "far": 0 }, { "id": 2, "at": "[3,2,1]", "near": "0.286", "far": 2.8284271247461903_f64 }])
    );
    assert_eq!(
        world.rows("select avg(at) as a, sum(at) as b, count(distinct at) as c from item"),
        json!([{ "a": "[2,2,2]", "b": "[4,4,4]", "c": 2 }])
    );
    assert!(world.refusal("insert into item values (3, '[1,2]')").contains("expected 3 dimensions, not 2"));
    assert!(
        world.refusal("insert into item values (3, 'one')").contains("invalid input syntax for type vector")
    );
    assert_eq!(world.one("select cron.schedule('a', '* * * * *', 'select 1')"), 1);
    assert_eq!(world.one("select net.http_post('http://localhost')"), 1);
    assert!(world.refusal("select http_get('http://localhost')").contains("Couldn't connect to server"));
    world.rows("select pgmq.create('jobs'); select pgmq.send('jobs', '{\"a\":1}')");
    assert_eq!(world.one("select message from pgmq.read('jobs', 30, 1)"), json!({ "a": 1 }));
    assert_eq!(world.one("select pgmq.archive('jobs', 1)"), true);
    let token = "sign('{\"sub\":\"a\"}', 'secret')";
    assert_eq!(world.one(&format!("select valid from verify({token}, 'secret')")), true);
    world.rows("create extension pg_hashids");
    assert_eq!(
        world.rows("select id_encode(12345, 'this is my salt') as a, id_encode(1, 'this is my salt', 8) as b, id_decode('laHquq', 'this is my salt') as c, id_decode_once('jNl') as d"),
        json!([{ "a": "NkK9", "b": "gB0NV05e", "c": ["1", "2", "3"], "d": 1001 }])
    );
    world.rows("select net.http_post('http://localhost', '{\"a\": 1}')");
    assert_eq!(
        world.one(
            "select convert_from(body, 'UTF8') from net.http_request_queue where body is not null limit 1"
        ),
        "{}"
    );
    world.rows(
        "create index concurrently on item using hnsw (at vector_l2_ops) with (\"m\"='16', \"ef_construction\"='64');
        ",
    );
    world.rows(
        "create index on item using \"hnsw\" ((binary_quantize(at)::bit(3)) bit_hamming_ops) with (\"m\"='16', \"ef_construction\"='64');
         create index on item using hnsw ((at::halfvec(3)) halfvec_l2_ops) with (m = 16);
         do $$ begin
             create index on item using ivfflat (at vector_ip_ops) with (lists = 10);
             execute format('create index %I on item using hnsw (at vector_l2_ops) with (m = 16, ef_construction = 64)', 'made');
         end $$;
         create table sparse (at sparsevec(5)); create index on sparse using hnsw (at sparsevec_cosine_ops); insert into sparse values ('{1:1.5,4:2}/5')",
    );
    assert_eq!(
        world.rows("select at <-> '{1:1.5}/5' as far, at::vector as dense, '[0,1]'::vector::sparsevec as thin, hamming_distance(B'101', B'110') as bits,
                           binary_quantize('[1,-1]'::vector) as signs, subvector('[1,2,3]'::vector, 2, 2) || '[4]' as part from sparse"),
        json!([{ "far": 2, "dense": "[1.5,0,0,2,0]", "thin": "{2:1}/2", "bits": 2, "signs": "10", "part": "[2,3,4]" }])
    );
    assert!(world.refusal("insert into sparse values ('{1:1}/4')").contains("expected 5 dimensions, not 4"));
    for function in [
        "vector_in(cstring, oid, integer)",
        "vector_recv(internal, oid, integer)",
        "halfvec_typmod_in(cstring[])",
        "array_to_vector(double precision[], integer, boolean)",
        "array_to_halfvec(numeric[], integer, boolean)",
        "vector_to_float4(extensions.vector, integer, boolean)",
        "vector(extensions.vector, integer, boolean)",
        "halfvec_to_sparsevec(extensions.halfvec, integer, boolean)",
        "binary_quantize(extensions.halfvec)",
        "jaccard_distance(bit, bit)",
        "hnswhandler(internal)",
        "ivfflathandler(internal)",
        "ivfflat_bit_support(internal)",
        "vector_l2_squared_distance(extensions.vector, extensions.vector)",
        "sparsevec_l2_squared_distance(extensions.sparsevec, extensions.sparsevec)",
        "vector_spherical_distance(extensions.vector, extensions.vector)",
        "vector_combine(double precision[], double precision[])",
    ] {
        assert_ne!(
            world.one(&format!("select to_regprocedure('extensions.{function}')")),
            Value::Null,
            "{function}"
        );
        world.rows(&format!("grant all on function extensions.{function} to anon"));
    }
    // What an extension has is no part of a dump.
    let loose = "select count(*) from pg_opfamily f where f.oid > 16383 and not exists
                 (select from pg_depend where classid = 'pg_opfamily'::regclass and objid = f.oid and deptype = 'e')";
    assert_eq!(world.one(loose), 0);
    world.rows("drop extension pgmq; drop extension vector cascade");
    assert!(world.refusal("select '[1]'::vector").contains("42704"));
}

#[test]
fn rights_on_functions_that_only_other_versions_of_extensions_have_change_without_effect() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows("grant all on function extensions.more_reset() to anon; revoke all on function vault.more(bytea) from public");
    world.rows("grant all on function public.more_recv(internal, oid, integer) to anon; alter function graphql.more(text) owner to postgres");
    let graphql = "graphql_public.graphql(text, text, jsonb, jsonb)";
    world.rows(&format!("grant all on function {graphql} to anon"));
    let answer = world.one("select graphql_public.graphql(query => '{ a }')");
    assert_eq!(answer["errors"][0]["message"], "pg_graphql extension is not enabled.");
    for (text, code) in [
        ("grant all on function public.more(text) to anon", "42883"),
        ("grant all on function extensions.more(text) to nobody_of_the_kind", "42"),
        (&*format!("grant all on function {graphql} to nobody_of_the_kind"), "42704"),
    ] {
        match world.ask(text) {
            Ok(_) => assert!(text.contains("extensions.more"), "{text}"),
            Err(error) => assert!(error.message.contains(code), "{text}: {}", error.message),
        }
    }
}

#[test]
fn extensions_that_another_brings_belong_to_the_caller() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    if world.one("select count(*) from pg_available_extensions where name in ('cube', 'earthdistance')") == 2
    {
        world.rows(
            "create extension earthdistance cascade; drop extension earthdistance; drop extension cube",
        );
    }
}

#[test]
fn extensions_move_to_another_schema() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    for (name, member) in [
        ("btree_gist", "gbtreekey4"),
        ("btree_gin", ""),
        ("citext", "citext"),
        ("pg_trgm", "gtrgm"),
        ("hstore", "hstore"),
    ] {
        world.rows(&format!(
            "create extension {name} schema public; alter extension {name} set schema extensions"
        ));
        let place =
            format!("select extnamespace::regnamespace::text from pg_extension where extname = '{name}'");
        assert_eq!(world.one(&place), "extensions");
        if !member.is_empty() {
            assert_eq!(world.one(&format!("select to_regtype('extensions.{member}') is not null")), true);
        }
    }
    assert!(world.refusal("alter extension no_such set schema extensions").contains("42704"));
    // With it, statements are looked at that make wrappers.
    world.rows("create extension wrappers with schema extensions; create role moved_one; alter extension citext set schema public");
    world.rows(
        "create foreign data wrapper pay handler pay_fdw_handler validator extensions.pay_fdw_validator options (a 'b');
         create server pay foreign data wrapper pay options (api_key 'x'); create foreign table bill (id text) server pay",
    );
    assert!(world.refusal("select * from bill").contains("foreign-data wrapper \"pay\" has no handler"));
}

#[test]
fn shapes_have_a_stand_in() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows(
        "create extension postgis with schema extensions;
         create table place (id int primary key, at geography(Point, 4326) not null, area geometry(Polygon,4326), any_one geometry);
         create index on place using gist (at); create index on place using gist (area);
         insert into place values (1, 'POINT(13.4 52.5)', st_geomfromtext('POLYGON((0 0,0 2,2 2,2 0,0 0))', 4326), 'LINESTRING(0 0,3 4)'),
             (2, st_makepoint(2.35, 48.86)::geography, null, st_setsrid(st_point(1, 1), 3857))",
    );
    assert_eq!(
        world.rows("select id, st_astext(at) as text, round(st_distance(at, 'POINT(2.35 48.86)')::numeric / 1000) as far, st_area(area) as area,
                           st_length(any_one) as length, st_asgeojson(at)::json -> 'coordinates' -> 0 as x from place order by at <-> 'POINT(2.35 48.86)'"),
        json!([{ "id": 2, "text": "POINT(2.35 48.86)", "far": "0", "area": null, "length": 0, "x": 2.35 },
               { "id": 1, "text": "POINT(13.4 52.5)", "far": "878", "area": 4, "length": 5, "x": 13.4 }])
    );
    assert_eq!(
        world.rows("select st_contains(area, st_setsrid(st_point(1, 1), 4326)) as inside, st_dwithin(at, st_point(13.41, 52.5)::geography, 1000) as near,
                           at::text as text, st_srid(any_one) as srid from place where id = 1"),
        json!([{ "inside": true, "near": true, "text": "0101000020E6100000CDCCCCCCCCCC2A400000000000404A40", "srid": 0 }])
    );
    let columns = "select string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' order by attnum) from pg_attribute
                   where attrelid = 'place'::regclass and attnum > 1";
    assert_eq!(world.one(columns), "at geography(Point,4326), area geometry(Polygon,4326), any_one geometry");
    for (text, part) in [
        (
            "insert into place values (3, 'LINESTRING(0 0,1 1)')",
            "Geometry type (LineString) does not match column type (Point)",
        ),
        (
            "insert into place values (3, 'POINT(0 0)', 'POLYGON((0 0,0 2,2 2,0 0))')",
            "SRID (0) does not match column SRID (4326)",
        ),
        ("insert into place values (3, 'here')", "parse error - invalid geometry"),
        ("select st_buffer(area, 1) from place", "0A000"),
        ("select st_union(area) from place", "0A000"),
        ("select st_transform(area, 25832) from place", "0A000"),
    ] {
        let refused = world.refusal(text);
        assert!(refused.contains(part), "{text}: {refused}");
    }
    assert_eq!(world.fork().one("select count(*) from place where at is not null"), 2);
    world.rows("drop extension postgis cascade");
    assert_eq!(world.one("select format_type('varchar'::regtype, 14)"), "character varying(10)");
}
