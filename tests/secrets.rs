//! Reads never show secrets. The test puts a unique text into every field that a schema marks `x-secret`, and
//! searches for it in every record of calls: journal, explanations, changes, rows, logs, refusals.
//!
//! Outputs that contain secrets on purpose are left out: responses of the service itself, replay files,
//! exported worlds (decisions.md).

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};
use sim_core::engine::{Body, Filter};
use sim_core::management::project::CreateProject;
use sim_core::{Profile, Simulator};
use sim_fixtures::{Api, Call, InProcess, Scene, api};
use sim_http::Server;

use crate::isolation::{Asked, analytics, management};

/// The place of a value in a JSON document: names of fields, `*` for each item of a list.
type Place = Vec<String>;

/// The places at which `schema` has a secret.
fn secrets_of(document: &Value, schema: &Value, place: &mut Place, found: &mut BTreeSet<Place>) {
    if let Some(name) = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()) {
        return secrets_of(document, &document["components"]["schemas"][name], place, found);
    }
    if schema["x-secret"] == true {
        found.insert(place.clone());
        return;
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        schema[key].as_array().into_iter().flatten().for_each(|one| secrets_of(document, one, place, found));
    }
    let mut below = |name: &str, schema: &Value| {
        place.push(name.to_owned());
        secrets_of(document, schema, place, found);
        place.pop();
    };
    schema["properties"].as_object().into_iter().flatten().for_each(|(name, schema)| below(name, schema));
    for (name, schema) in [("*", &schema["items"]), ("any", &schema["additionalProperties"])] {
        if schema.is_object() {
            below(name, schema);
        }
    }
}

/// The secrets in the body or in the response of an operation.
fn places(document: &Value, asked: &Asked, of_answer: bool) -> BTreeSet<Place> {
    let meta = &asked.meta;
    let described = &document["paths"][meta.path][meta.method.as_str().to_lowercase()];
    let schema = match of_answer {
        true => &described["responses"][meta.status.to_string()],
        false => &described["requestBody"],
    };
    let mut found = BTreeSet::new();
    for one in schema["content"].as_object().into_iter().flatten().map(|(_, content)| &content["schema"]) {
        secrets_of(document, one, &mut Vec::new(), &mut found);
    }
    found
}

/// Puts `secret` at a place of `value`, and creates the objects and lists around it.
fn plant(value: &mut Value, place: &[String], secret: &str) {
    match place.split_first() {
        None if value.is_object() => value["password"] = secret.into(),
        None => *value = secret.into(),
        Some((name, rest)) if name == "*" => {
            if !value.is_array() {
                *value = json!([{}]);
            }
            plant(&mut value[0], rest, secret);
        }
        Some((name, rest)) => {
            if !value.is_object() {
                *value = json!({});
            }
            plant(&mut value[name.as_str()], rest, secret);
        }
    }
}

/// The texts at a place of `value`.
fn at(value: &Value, place: &[String], found: &mut Vec<String>) {
    match (place.split_first(), value) {
        (None, Value::String(text)) => found.push(text.clone()),
        (Some((_, rest)), Value::Array(list)) => list.iter().for_each(|one| at(one, rest, found)),
        (Some((name, rest)), value) => at(&value[name.as_str()], rest, found),
        _ => {}
    }
}

/// A unique secret, as 64 hex digits, which every field for a key accepts, and as a word.
fn secrets(number: usize) -> [String; 2] {
    [format!("{:0>64}", format!("5ec2e7{number:04}")), format!("planted-secret-{number:04}-text")]
}

/// All records of calls, one by one.
fn told(sim: &Simulator, changed: &[u64]) -> Vec<(String, String)> {
    let mut all = vec![
        ("journal".to_owned(), text(&sim.journal())),
        ("search".to_owned(), text(&sim.search_journal(&Filter::default(), 0, u64::MAX))),
        ("agenda".to_owned(), text(&sim.agenda())),
        ("history".to_owned(), text(&sim.history(None))),
        ("coverage".to_owned(), text(&sim.coverage())),
    ];
    for call in sim.journal().iter().map(|call| call.call) {
        all.push((format!("explain {call}"), text(&sim.explain(call))));
    }
    for call in changed {
        all.push((format!("changes of {call}"), text(&sim.changes_of(*call))));
    }
    let tables =
        sim.query_journal("select name from sqlite_schema where type = 'table'").expect("there are tables");
    for table in tables.iter().filter_map(|row| row["name"].as_str()) {
        let rows = sim.query_journal(&format!("select * from \"{table}\"")).expect("a table can be read");
        all.push((format!("rows of {table}"), text(&rows)));
    }
    all
}

/// As the control API writes it.
fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("it is plain data")
}

/// Finding the changes of a call replays the world, so the test reads only some of them.
const CHANGES: usize = 2;

fn nothing_tells((sim, project, calls): (Simulator, String, Vec<Asked>), least: usize) {
    let (api_document, control_document) = (sim.openapi(), sim.control_openapi());
    let mut number = 0;
    for asked in &calls {
        let document = if asked.meta.path.starts_with("/_sim") { &control_document } else { &api_document };
        let mut here = InProcess::new(Scene { sim: sim.fork(), project: project.as_str().into() });
        let (mut planted, mut changed) = (Vec::new(), Vec::new());
        for place in places(document, asked, false) {
            number += 1;
            for secret in secrets(number) {
                let mut body = serde_json::from_slice(&asked.call.body).unwrap_or_default();
                plant(&mut body, &place, &secret);
                let mut call = asked.call.clone();
                call.headers.retain(|(name, _)| name != "content-type");
                let reply = here.send(call.json(body));
                if reply.status >= 400 {
                    assert!(!reply.to_string().contains(&secret), "{}: {reply}", asked.meta.id);
                } else if changed.len() < CHANGES {
                    changed.push(api::peek(&mut here, |sim| sim.calls()));
                }
                planted.push(secret);
            }
        }
        if matches!(asked.meta.body, Body::Raw(_) | Body::FieldsOrBytes(_)) {
            number += 1;
            let [_, secret] = secrets(number);
            here.send(asked.call.clone().bytes("application/octet-stream", secret.clone()));
            planted.push(secret);
        }
        let answered = places(document, asked, true);
        if !answered.is_empty() {
            let reply = here.send(asked.call.clone());
            let value = serde_json::from_slice(&reply.body).unwrap_or_default();
            answered.iter().for_each(|place| at(&value, place, &mut planted));
            number += 1;
        }
        // A truncated or missing secret can't be recognised.
        planted.retain(|secret| secret.len() >= 16);
        if planted.is_empty() {
            continue;
        }
        let shown = api::peek(&mut here, |sim| told(sim, &changed));
        for (what, text) in &shown {
            let seen = planted.iter().find(|secret| text.contains(secret.as_str()));
            assert_eq!(seen, None, "{}: {what} shows a secret", asked.meta.id);
        }
    }
    assert!(number >= least, "{number} secrets were planted");
}

#[test]
fn no_output_shows_secrets_of_projects() {
    nothing_tells(management(1), 50);
}

#[test]
fn secrets_of_the_analytics_server_are_never_shown() {
    nothing_tells(analytics(1), 6);
}

#[test]
fn fields_by_other_names_are_masked_also_where_a_world_is_taken_up() {
    let mut profile = Profile::default();
    profile.names.insert("idp_01".to_owned(), "acme".to_owned());
    let mut sim = Simulator::builder().profile(profile).build();
    let project = sim.call(CreateProject::named("demo", "acme")).expect("the name is new").id;
    sim.advance(Duration::from_secs(60));
    let mut api = InProcess::new(Scene { sim, project });
    let body = json!({ "external_acme_secret": "a-secret", "external_acme_client_id": "seen" });
    assert_eq!(api.patch("/v1/projects/{ref}/config/auth", body).status, 200);
    let (shown, again) = api::peek(&mut api, |sim| {
        let again = sim.export().and_then(|seed| seed.build()).expect("it comes back");
        (sim.journal(), again.journal())
    });
    let request = shown.last().and_then(|call| call.request.as_deref());
    assert_eq!(request, Some(r#"{"external_acme_secret":"•••","external_acme_client_id":"seen"}"#));
    assert_eq!(again, shown);
}

#[test]
fn secrets_are_in_no_line_of_the_log_and_in_no_page_of_the_control_api() {
    let log = Arc::new(Mutex::new(String::new()));
    let lines = Arc::clone(&log);
    let server = Server::builder()
        .log(move |line| lines.lock().expect("one thread").push_str(&format!("{line}\n{line:?}\n")));
    let (sim, project, _) = analytics(1);
    let server = server.posts(false).spawn(sim).expect("a port and a thread are available");
    let mut http = sim_fixtures::Http::new(server.url(), &project, Box::new(|_| {}));
    let secret = "planted-secret-in-a-backend";
    let token = "api_key=token-of-owner";
    let config = json!({ "name": "b", "type": "webhook", "config": { "url": "https://a.test", "headers": { "x-key": secret } } });
    assert_eq!(http.send(Call::post(&format!("/api/backends?{token}")).nobody().json(config)).status, 201);
    assert_eq!(http.send(Call::get("/api/account?%61pi_key=token-of-owner").nobody()).status, 200);
    let control = [
        "/_sim/journal",
        "/_sim/journal/search",
        "/_sim/journal/1/explain",
        "/_sim/tokens",
        "/_sim/coverage",
    ];
    let calls = server.sim().calls();
    let changes = format!("/_sim/journal/{}/changes", calls - 1);
    let mut seen = log.lock().expect("one thread").clone();
    for path in control.into_iter().chain([changes.as_str()]) {
        let reply = http.send(Call::get(path).nobody());
        assert!([200, 404].contains(&reply.status), "{path}: {reply}");
        seen.push_str(&reply.to_string());
    }
    assert!(seen.contains("/api/backends"), "{seen}");
    seen.push_str(&news(&server));
    for text in [secret, "token-of-owner"] {
        assert!(!seen.contains(text), "{text} is in {seen}");
    }
}

/// The event stream of all past calls, as a watcher gets it.
fn news(server: &Server) -> String {
    let mut stream = TcpStream::connect(server.addr()).expect("the server listens");
    write!(stream, "GET /_sim/events?after=0.0-0.0 HTTP/1.1\r\nhost: localhost\r\n\r\n").expect("it reads");
    let mut lines = BufReader::new(stream).lines().map(|line| line.expect("text"));
    let news = lines.find(|line| line.starts_with("data: ")).expect("it starts with the present state");
    assert!(news.contains("/api/backends"), "{news}");
    news
}
