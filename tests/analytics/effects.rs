//! Fields of requests: each changes the answer, or the answer says that it has no effect.

use http::Method;
use serde_json::{Value, json};
use sim_core::Simulator;
use sim_fixtures::analytics::{self, GATEWAY};
use sim_fixtures::{Api, Call, InProcess, Reply};

const URL: &str = "http://127.0.0.1:9/a";
const OTHER_URL: &str = "http://127.0.0.1:9/b";
const UUID: &str = "22222222-2222-4222-8222-222222222222";
const OTHER_UUID: &str = "33333333-3333-4333-8333-333333333333";

/// A world with one thing of each kind, and the tokens of these by their paths.
struct World {
    sim: Simulator,
    tokens: Vec<(&'static str, String)>,
}

impl World {
    fn new() -> World {
        let mut api = InProcess::new(analytics::one_source());
        let mut tokens = vec![("sources", GATEWAY.to_owned())];
        for kind in ["backends", "endpoints", "alerts", "rules", "teams"] {
            let reply = api.post(&format!("/api/{kind}"), base(kind));
            assert_eq!(reply.status, 201, "{kind}: {reply}");
            tokens.push((kind, reply.json()["token"].as_str().expect("a token").to_owned()));
        }
        let pairs = json!([{ "key": "a", "value": "1" }, { "key": "b", "value": "2" }]);
        assert_eq!(api.post("/api/key-values", pairs).status, 201);
        let mut forked = None;
        api.look(&mut |sim| forked = Some(sim.fork()));
        World { sim: forked.expect("it was looked at"), tokens }
    }

    /// The answer to the call in a copy of this world.
    fn answer(&self, call: Call) -> Reply {
        let mut api = InProcess::new(self.sim.fork());
        if call.method == Method::POST && call.path == "/api/teams" {
            // One user owns one team.
            let old = api.send(Call::delete(&self.path("/api/teams/{token}")));
            assert_eq!(old.status, 204, "{old}");
        }
        api.send(call)
    }

    /// The path with the token of the thing that it is about.
    fn path(&self, path: &str) -> String {
        let token = self.tokens.iter().find(|(kind, _)| path.starts_with(&format!("/api/{kind}/")));
        token.map_or_else(|| path.to_owned(), |(_, token)| path.replace("{token}", token))
    }
}

/// A body with which such a thing is made.
fn base(kind: &str) -> Value {
    match kind {
        "sources" => json!({ "name": "s" }),
        "backends" => json!({
            "name": "b", "type": "webhook", "config": { "url": "http://127.0.0.1:9/c" }, "metadata": { "type": "a" },
        }),
        "endpoints" => json!({ "name": "e", "query": "select 3 as x" }),
        "alerts" => json!({ "name": "a", "query": "select 3 as x", "cron": "*/30 * * * *" }),
        "rules" => json!({ "source_id": 1, "backend_id": 1, "lql_string": "m.a:1" }),
        "teams" => json!({ "name": "t" }),
        _ => json!({}),
    }
}

/// Two good values of a field.
fn values(field: &str) -> [Value; 2] {
    match field {
        "name" | "description" | "service_name" => [json!("one"), json!("two")],
        "query" => [json!("select 1 as x"), json!("select 2 as x")],
        "language" => [json!("wh_sql"), json!("pg_sql")],
        "cron" => [json!("*/20 * * * *"), json!("0 * * * *")],
        "scopes" => [json!("ingest"), json!("query")],
        "token" | "public_token" => [json!(UUID), json!(OTHER_UUID)],
        "labels" => [json!("a=b"), json!("c")],
        "enabled" | "favorite" | "sandboxable" | "enable_auth" | "redact_pii" => [json!(true), json!(false)],
        "webhook_notification_url" | "chat_hook_url" => [json!(URL), json!(OTHER_URL)],
        "backend_ids" => [json!([]), json!([1])],
        "config" => [json!({ "url": URL }), json!({ "url": OTHER_URL })],
        "metadata" => [json!({ "type": "a" }), json!({ "type": "b" })],
        "cache_duration_seconds" | "proactive_requerying_seconds" => [json!(60), json!(61)],
        "max_limit" | "api_quota" => [json!(6), json!(7)],
        "warehouse_table_ttl" | "retention_days" => [json!(2), json!(3)],
        "notifications_every" => [json!(60_000), json!(120_000)],
        "notifications" => {
            [json!({ "user_email_notifications": true }), json!({ "user_email_notifications": false })]
        }
        "custom_event_message_keys" | "transform_drop_fields" => [json!("m.a"), json!("m.b")],
        "transform_copy_fields" | "transform_key_values" => [json!("m.a:b"), json!("m.a:c")],
        "drop_lql_string" | "lql_string" => [json!("m.a:2"), json!("m.a:3")],
        "sink" => [json!(null), json!(GATEWAY)],
        "backend_id" => [json!(null), json!(1)],
        "keys" | "values" => [json!([]), json!(["a", "1"])],
        other => panic!("{other} is new: give it two values"),
    }
}

/// Whether the answer says that the field has no effect.
fn marks(reply: &Reply, field: &str) -> bool {
    reply.header("x-sim-ignored").split(',').any(|one| one == format!("body.{field}"))
}

#[test]
fn every_field_of_a_body_changes_the_answer_or_is_marked() {
    let world = World::new();
    let document = world.sim.openapi();
    let (mut silent, mut count) = (Vec::new(), 0);
    for (path, methods) in document["paths"].as_object().expect("it has paths") {
        for (method, operation) in methods.as_object().expect("a path has methods") {
            let fields = &body_of(&document, operation)["properties"];
            let kind = path.split('/').nth(2).unwrap_or_default();
            for field in fields.as_object().into_iter().flat_map(|fields| fields.keys()) {
                // The type of a backend decides about its settings; a query's parameters are those of its text.
                if ["type", "parameters"].contains(&field.as_str()) {
                    continue;
                }
                count += 1;
                let method: Method = method.to_uppercase().parse().expect("a method");
                let mut body =
                    if method == Method::PATCH || method == Method::DELETE { json!({}) } else { base(kind) };
                let answers = values(field).map(|value| {
                    body[field] = value;
                    world.answer(Call::new(method.clone(), &world.path(path)).json(body.clone()))
                });
                let name = format!("{method} {path} {field}");
                for answer in &answers {
                    // A rule has one target, and this one has a backend.
                    let is_other_target = kind == "rules" && answer.status == 422;
                    assert!(answer.status < 300 || is_other_target, "{name}: {answer}");
                }
                let [one, other] = &answers;
                if one.to_string() == other.to_string() && !marks(one, field) {
                    silent.push(name);
                }
            }
        }
    }
    assert_eq!(silent, [""; 0]);
    assert!(count > 80, "{count} fields");
}

/// The schema of the operation's body.
fn body_of<'d>(document: &'d Value, operation: &'d Value) -> &'d Value {
    let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
    match schema["$ref"].as_str() {
        Some(name) => &document["components"]["schemas"][name.rsplit('/').next().unwrap_or_default()],
        None => schema,
    }
}

#[test]
fn what_a_thing_shows_but_nobody_sets_is_marked() {
    let world = World::new();
    let rows: &[(&str, &[&str])] = &[
        (
            "sources",
            &[
                "id",
                "inserted_at",
                "updated_at",
                "metrics",
                "has_rejected_events",
                "wh_table_id",
                "wh_table_schema",
            ],
        ),
        ("endpoints", &["id", "inserted_at", "updated_at", "source_mapping"]),
        ("alerts", &["id", "inserted_at", "updated_at"]),
        ("teams", &["token", "user", "team_users"]),
    ];
    for (kind, fields) in rows {
        for field in *fields {
            for method in [Method::POST, Method::PUT] {
                let path = if method == Method::POST {
                    format!("/api/{kind}")
                } else {
                    format!("/api/{kind}/{{token}}")
                };
                let mut body = base(kind);
                body[field] = json!("x");
                let reply = world.answer(Call::new(method.clone(), &world.path(&path)).json(body));
                assert_eq!(reply.status, 201, "{method} {kind} {field}: {reply}");
                assert!(marks(&reply, field), "{method} {kind} {field}: {reply}");
            }
        }
    }
}

/// Two queries for each parameter of an operation, which ask for different things.
fn queries(method: &str, path: &str, name: &str) -> Option<[String; 2]> {
    let of = |one: &str, other: &str| Some([one, other].map(|value| format!("{name}={value}")));
    match (method, path, name) {
        // They are those of the endpoint's text.
        (_, "/api/endpoints/query/{token_or_name}", "parameters") => None,
        ("get", "/api/backends", "metadata[type]") => of("a", "b"),
        ("get", "/api/key-values", "key") => of("a", "b"),
        ("get", "/api/key-values", "value") => of("1", "2"),
        ("get", "/api/rules", "backend_id") => of("1", "7"),
        ("get", "/api/rules", "backend_token") => of("{backend}", UUID),
        ("get", "/api/sources/{token}/schema", "variant") => of("dot", "json"),
        ("get", "/api/query", "backend_id") => {
            Some(["1", "7"].map(|id| format!("pg_sql=select+1+as+a&backend_id={id}")))
        }
        ("get", "/api/query", _) => of("select+1+as+a", "select+2+as+b"),
        ("get", "/api/query/parse", _) => of("select+%40a+as+x", "select+%40b+as+x"),
        ("post", _, "source" | "collection") => of(GATEWAY, UUID),
        ("post", _, "source_name" | "collection_name") => of("gateway", "nowhere"),
        _ => panic!("{method} {path} {name} is new: give it two queries"),
    }
}

#[test]
fn every_parameter_changes_the_answer() {
    let world = World::new();
    let document = world.sim.openapi();
    let (mut silent, mut count) = (Vec::new(), 0);
    for (path, methods) in document["paths"].as_object().expect("it has paths") {
        for (method, operation) in methods.as_object().expect("a path has methods") {
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            for parameter in parameters.filter(|one| one["in"] == "query") {
                let name = parameter["name"].as_str().expect("it has a name");
                let Some(queries) = queries(method, path, name) else { continue };
                count += 1;
                let backend = world.path("/api/backends/{token}").replace("/api/backends/", "");
                let at =
                    world.path(path).replace("{family}/{form}", "browser/reports").replace("{form}", "json");
                let answers = queries.map(|query| {
                    let query = query.replace("{backend}", &backend);
                    let call =
                        Call::new(method.to_uppercase().parse().expect("a method"), &format!("{at}?{query}"));
                    world.answer(if method == "post" { call.json(json!({ "message": "m" })) } else { call })
                });
                let [one, other] = &answers;
                let ignored = one.header("x-sim-ignored");
                assert!(!ignored.contains("query."), "{method} {path} {name}: {ignored}");
                if one.to_string() == other.to_string() {
                    silent.push(format!("{method} {path} {name}"));
                }
            }
        }
    }
    assert_eq!(silent, [""; 0]);
    assert!(count > 25, "{count} parameters");
}

#[test]
fn every_field_of_a_sources_notifications_changes_it() {
    let world = World::new();
    let path = world.path("/api/sources/{token}");
    let shown = world.answer(Call::get(&path)).json()["notifications"][0].clone();
    for (field, value) in shown.as_object().expect("it has fields") {
        let other = match value {
            Value::Bool(is) => json!(!is),
            Value::Array(_) => json!(["1"]),
            _ => json!("a@example.test"),
        };
        let mut api = InProcess::new(world.sim.fork());
        let body = json!({ "notifications": { field: other } });
        let changed = api.send(Call::new(Method::PATCH, &path).json(body));
        assert!(changed.status < 300, "{field}: {changed}");
        assert_eq!(api.get(&path).json()["notifications"][0][field], other, "{field}");
    }
}
