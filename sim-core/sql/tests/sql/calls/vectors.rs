//! The extensions `vector` and `pgjwt`, by their documentation: a server from a package does not have them.

use serde_json::json;

use super::Database;

fn with_vectors() -> Database {
    let database = Database::new();
    database.rows(
        "create extension vector with schema extensions;
         create table items (id bigserial primary key, embedding vector(3));
         insert into items (embedding) values ('[1,2,3]'), ('[4,5,6]'), (null);",
    );
    database
}

fn refusal(database: &Database, text: &str) -> String {
    let error = database.with(text, &[]).expect_err(text);
    format!("{}: {}", error.code, error.message)
}

#[test]
fn vectors_are_ordered_by_distance() {
    let database = with_vectors();
    for (text, expected) in [
        (
            "select id from items order by embedding <-> '[3,1,2]' limit 5",
            json!([{"id":1},{"id":2},{"id":3}]),
        ),
        ("select id from items where embedding <-> '[3,1,2]' < 5", json!([{"id":1}])),
        (
            "select embedding <-> '[1,2,4]' as a, embedding <#> '[1,2,3]' as b, embedding <+> '[0,0,0]' as c from items where id = 1",
            json!([{"a":1,"b":-14,"c":6}]),
        ),
        (
            "select 1 - (embedding <=> '[1,2,3]') as same, '[1,0]'::vector <=> '[0,1]' as across, '[1,0]'::vector <=> '[-2,0]' as against from items where id = 1",
            json!([{"same":1,"across":1,"against":2}]),
        ),
        (
            "select id, embedding operator(extensions.<->) '[4,5,6]' as d from items where id = 2",
            json!([{"id":2,"d":0}]),
        ),
        (
            "select l2_distance('[0,0]'::vector, '[3,4]') as a, inner_product('[1,2]'::vector, '[3,4]') as b, cosine_distance('[1,1]'::vector, '[1,1]') as c, l1_distance('[0,0]'::vector, '[3,4]') as d, vector_dims('[1,2,3]'::vector) as e, vector_norm('[3,4]'::vector) as f, extensions.vector_dims(embedding) as g from items where id = 1",
            json!([{"a":5,"b":11,"c":0,"d":7,"e":3,"f":5,"g":3}]),
        ),
    ] {
        assert_eq!(database.rows(text), expected, "{text}");
    }
}

#[test]
fn vectors_are_read_written_added_and_cast() {
    let database = with_vectors();
    for (text, expected) in [
        (
            "select ' [1, 2.50 ,-3e2] '::vector as a, '[1,2]'::vector(2) as b",
            json!([{"a":"[1,2.5,-300]","b":"[1,2]"}]),
        ),
        (
            "select '[1,2]'::vector + '[3,4]' as a, '[1,2]'::vector - '[3,4]' as b, '[1,2]'::vector * '[3,4]' as c, '[1,2]'::vector || '[3]' as d",
            json!([{"a":"[4,6]","b":"[-2,-2]","c":"[3,8]","d":"[1,2,3]"}]),
        ),
        (
            "select array[1,2,3]::vector as a, array[1.5,2.5]::vector as b, '{1,2}'::real[]::vector(2) as c, array[0.25]::double precision[]::vector as d, '[1,2.5]'::vector::real[] as e, '[1,2]'::vector::text as f",
            json!([{"a":"[1,2,3]","b":"[1.5,2.5]","c":"[1,2]","d":"[0.25]","e":[1,2.5],"f":"[1,2]"}]),
        ),
        (
            "select avg(embedding) as a, sum(embedding) as b, count(embedding) as c from items",
            json!([{"a":"[2.5,3.5,4.5]","b":"[5,7,9]","c":2}]),
        ),
        (
            "select '[1,2]'::vector < '[1,3]' as a, '[1,2]'::vector = '[1.0,2.0]' as b",
            json!([{"a":true,"b":true}]),
        ),
        (
            "select l2_normalize('[3,4]'::vector) as a, subvector('[1,2,3,4]'::vector, 2, 2) as b",
            json!([{"a":"[0.6,0.8]","b":"[2,3]"}]),
        ),
        (
            "select '[1.0001,65504]'::halfvec(2) as a, '[1,2]'::vector::halfvec as b, '[3,4]'::halfvec <-> '[0,0]' as c, '[1,2]'::halfvec::vector as d",
            json!([{"a":"[1,65504]","b":"[1,2]","c":5,"d":"[1,2]"}]),
        ),
        (
            "select binary_quantize('[1,0,-1]'::vector)::text as a, binary_quantize('[-1,2,3]'::halfvec)::bit(3) <~> '110' as b, b'110' <%> b'111' as c, jaccard_distance(b'00', b'00') as d, hamming_distance(b'110', b'101') as e",
            json!([{"a":"100","b":2,"c":0.33333333333333337,"d":1,"e":2}]),
        ),
        (
            "insert into items (embedding) values (array[7,8,9]) returning embedding",
            json!([{"embedding":"[7,8,9]"}]),
        ),
        (
            "select format_type(atttypid, atttypmod) as t from pg_attribute where attname = 'embedding'",
            json!([{"t":"vector(3)"}]),
        ),
    ] {
        assert_eq!(database.rows(text), expected, "{text}");
    }
}

#[test]
fn sparse_vectors_are_read_written_measured_and_cast() {
    let database = Database::new();
    database.rows(
        "create extension vector;
         create table items (id int primary key, embedding sparsevec(5));
         create index on items using hnsw (embedding sparsevec_l2_ops);
         insert into items values (1, '{1:1,3:2.5}/5'), (2, ' { 2:-1 , 1 : 3, 4:0 } / 5'), (3, '[1,2,0,0,5]'::vector), (4, array[0,0,0,0,0]);",
    );
    for (text, expected) in [
        (
            "select embedding from items order by id",
            json!([{"embedding":"{1:1,3:2.5}/5"},{"embedding":"{1:3,2:-1}/5"},{"embedding":"{1:1,2:2,5:5}/5"},{"embedding":"{}/5"}]),
        ),
        ("select id from items order by embedding <-> '{1:3}/5' limit 2", json!([{"id":2},{"id":4}])),
        ("select id from items order by embedding", json!([{"id":4},{"id":1},{"id":3},{"id":2}])),
        (
            "select embedding <#> '{1:1}/5' as a, embedding <+> '{1:2}/5' as b, embedding = '{3:2.5,1:1}/5' as c from items where id = 1",
            json!([{"a":-1,"b":3.5,"c":true}]),
        ),
        (
            "select cosine_distance('{1:2}/3'::sparsevec, '{1:4}/3') as a, inner_product('{1:2,2:3}/3'::sparsevec, '{2:4}/3') as b, l2_norm('{1:3,3:4}/3'::sparsevec) as c, l2_normalize('{1:3,3:4}/3'::sparsevec) as d",
            json!([{"a":0,"b":12,"c":5,"d":"{1:0.6,3:0.8}/3"}]),
        ),
        (
            "select embedding::vector as a, embedding::halfvec(5) as b, array[1.5, 0]::sparsevec as c from items where id = 1",
            json!([{"a":"[1,0,2.5,0,0]","b":"[1,0,2.5,0,0]","c":"{1:1.5}/2"}]),
        ),
    ] {
        assert_eq!(database.rows(text), expected, "{text}");
    }
    for (text, expected) in [
        ("select '{4:1}/3'::sparsevec", "22000: sparsevec index out of bounds"),
        ("select '{1:1,1:2}/3'::sparsevec", "22000: sparsevec indices must not contain duplicates"),
        ("select '1:1/3'::sparsevec", "22P02: invalid input syntax for type sparsevec: \"1:1/3\""),
        ("select '{}/0'::sparsevec", "22000: sparsevec must have at least 1 dimension"),
        ("select '{}/1000000001'::sparsevec", "54000: sparsevec cannot have more than 1000000000 dimensions"),
        ("select '{1:nan}/2'::sparsevec", "22000: NaN not allowed in sparsevec"),
        ("select '{1:1e50}/2'::sparsevec", "22003: \"1e50\" is out of range for type sparsevec"),
        ("insert into items values (5, '{}/4')", "22000: expected 5 dimensions, not 4"),
        ("select '{}/3'::sparsevec <-> '{}/4'", "22000: different sparsevec dimensions 3 and 4"),
        ("select '{}/20000'::sparsevec::vector", "54000: vector cannot have more than 16000 dimensions"),
        ("create table t (a sparsevec(0))", "22023: dimensions for type sparsevec must be at least 1"),
    ] {
        assert_eq!(refusal(&database, text), expected, "{text}");
    }
}

#[test]
fn wrong_vectors_are_refused() {
    let database = with_vectors();
    for (text, expected) in [
        ("insert into items (embedding) values ('[1,2]')", "22000: expected 3 dimensions, not 2"),
        ("select '[1,2]'::vector <-> '[1,2,3]'", "22000: different vector dimensions 2 and 3"),
        ("select '[1,2]'::vector(3)", "22000: expected 3 dimensions, not 2"),
        ("select 'abc'::vector", "22P02: invalid input syntax for type vector: \"abc\""),
        ("select '[]'::vector", "22000: vector must have at least 1 dimension"),
        ("select '[1,NaN]'::vector", "22000: NaN not allowed in vector"),
        ("select '[1e39]'::vector", "22003: \"1e39\" is out of range for type vector"),
        ("select array[1,null]::vector", "22004: array must not contain nulls"),
        ("create table t (v vector(0))", "22023: dimensions for type vector must be at least 1"),
        ("create table t (v vector(16001))", "22023: dimensions for type vector cannot exceed 16000"),
        ("select b'1' <~> b'11'", "22000: different bit lengths 1 and 2"),
        ("select '[70000]'::halfvec", "22003: \"70000\" is out of range for type halfvec"),
    ] {
        assert_eq!(refusal(&database, text), expected, "{text}");
    }
    let without = Database::new();
    assert_eq!(refusal(&without, "create table t (v vector(3))"), "42704: type \"vector\" does not exist");
}

#[test]
fn indexes_for_vectors_are_in_the_catalog() {
    let database = with_vectors();
    database.rows(
        "create index on items using ivfflat (embedding vector_cosine_ops) with (lists = 100);
         create index by_bits on items using hnsw ((binary_quantize(embedding)::bit(3)) bit_hamming_ops);
         create index by_l2 on items using hnsw (embedding extensions.vector_l2_ops) with (m = 16, ef_construction = 64);
         set hnsw.ef_search = 100;",
    );
    let indexes = database.rows("select indexname from pg_indexes where tablename = 'items' order by 1");
    assert_eq!(
        indexes,
        json!([{"indexname":"by_bits"},{"indexname":"by_l2"},{"indexname":"items_embedding_idx"},{"indexname":"items_pkey"}])
    );
}

#[test]
fn tokens_are_signed_and_verified() {
    const TOKEN: &str = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiYWRtaW4iOnRydWV9.TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFh7HgQ";
    let database = Database::new();
    let signed = database.rows(
        r#"select extensions.sign('{"sub":"1234567890","name":"John Doe","admin":true}', 'secret') as token"#,
    );
    assert_eq!(signed, json!([{ "token": TOKEN }]));
    let verify = |secret: &str| {
        database.rows(&format!(
            "select payload ->> 'sub' as sub, valid from extensions.verify('{TOKEN}', '{secret}')"
        ))
    };
    assert_eq!(verify("secret"), json!([{"sub":"1234567890","valid":true}]));
    assert_eq!(verify("other"), json!([{"sub":"1234567890","valid":false}]));
    let late = "select valid from verify(sign('{\"exp\":1}', 'secret', 'HS512'), 'secret', 'HS512')";
    assert_eq!(database.rows(late), json!([{"valid":false}]));
    let encoded = "select url_encode('\\xfbff') as a, convert_from(url_decode('YWJj'), 'UTF8') as b";
    assert_eq!(database.rows(encoded), json!([{"a":"-_8","b":"abc"}]));
}
