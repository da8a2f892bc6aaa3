//! The engine with a test service: facts that hold for every service, whatever its resources.

#![forbid(unsafe_code)]

use std::sync::LazyLock;
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sim_core::engine::{
    Builder, Cx, Empty, Manner, Meta, Registry, Resource, Scope, Secret, Section, Service, Task, TaskEntry,
    act, create_user, get, post, put,
};
use sim_core::{Edition, Error, Operation, Pace, Policy, Profile, Simulator, World, operations};

operations![SetProvider, GetProvider, ResetProviders, Ring, Tune];

/// Which vendor sends text messages.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
enum Vendor {
    #[serde(rename = "vendor_a")]
    A,
    #[serde(rename = "vendor_b")]
    B,
}

/// Settings of a provider slot.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
struct Provider {
    /// The client's secret.
    external_idp_01_secret: Secret,
    /// Who sends text messages.
    sms_provider: Vendor,
}

/// Set a provider.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SetProvider {
    /// The slot.
    #[schemars(length(max = 8))]
    slot: String,
    /// The client's secret.
    external_idp_01_secret: Secret,
    /// Who sends text messages.
    sms_provider: Vendor,
}

impl Operation for SetProvider {
    type Output = Provider;
    const META: Meta = put("set-provider", "/v1/providers/{slot}");

    fn run(self, cx: &mut Cx<'_>) -> Result<Provider, Error> {
        let sql = "INSERT INTO provider VALUES (?1, ?2) ON CONFLICT DO UPDATE SET secret = ?2";
        cx.db.run(sql, (&self.slot, &self.external_idp_01_secret.0));
        if self.slot == "refused" {
            return Err(Error::invalid("refused", "stored, then refused"));
        }
        Ok(Provider { external_idp_01_secret: self.external_idp_01_secret, sms_provider: self.sms_provider })
    }
}

/// Get a provider.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
struct GetProvider {
    /// The slot.
    slot: String,
}

impl Operation for GetProvider {
    type Output = Provider;
    const META: Meta =
        Meta { scope: Some(Scope("providers:read")), ..get("get-provider", "/v1/providers/{slot}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Provider, Error> {
        let secret =
            cx.db.maybe("SELECT secret FROM provider WHERE slot = ?1", (&self.slot,), |row| row.get(0));
        let secret: String = secret.ok_or_else(|| Error::not_found("provider", &self.slot))?;
        Ok(Provider { external_idp_01_secret: Secret(secret), sms_provider: Vendor::B })
    }
}

/// Reset all providers.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
struct ResetProviders {}

impl Operation for ResetProviders {
    type Output = Empty;
    const META: Meta = act("reset-providers", "/v1/providers/reset");

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        cx.db.run("DELETE FROM provider", ());
        Ok(Empty {})
    }
}

/// Ring a bell after some seconds, and then again after as many.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
struct Ring {
    /// Seconds from now, and again.
    seconds: u64,
    /// What the bell says.
    text: String,
}

impl Operation for Ring {
    type Output = Empty;
    const META: Meta = post("ring", "/v1/bells");

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let wait = Duration::from_secs(self.seconds);
        cx.after(wait, &Bell { text: self.text, again: Some(wait) });
        Ok(Empty {})
    }
}

#[derive(Serialize, Deserialize)]
struct Bell {
    text: String,
    again: Option<Duration>,
}

impl Task for Bell {
    const KIND: &'static str = "bell";

    fn subject(&self) -> &str {
        &self.text
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        if let Some(wait) = self.again {
            cx.after(wait, &Bell { text: self.text.clone(), again: None });
        }
        format!("{} rang at {}", self.text, cx.now)
    }
}

/// What a receiver is tuned to.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Band {
    /// Medium waves.
    Medium,
    /// Digital radio.
    #[schemars(extend("x-since" = "2026-11"))]
    Digital,
}

/// Tune a receiver.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
struct Tune {
    /// The band.
    band: Band,
    /// How loud. It had to be given once.
    #[serde(default)]
    #[schemars(range(max = 11), extend("x-2025-05" = json!({ "required": true, "maximum": 10 })))]
    volume: u8,
    /// The station, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    station: Option<String>,
    /// The antenna.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-until" = "2025-05"))]
    antenna: Option<String>,
}

impl Operation for Tune {
    type Output = Tune;
    const META: Meta = put("tune", "/v1/receiver");

    fn run(self, _: &mut Cx<'_>) -> Result<Tune, Error> {
        let station = self.station.or(Some("none".to_owned()));
        let antenna = self.antenna.or(Some("none".to_owned()));
        Ok(Tune { station, antenna, ..self })
    }
}

fn seed(cx: &mut Cx<'_>, world: &World) -> Result<(), Error> {
    world.users.iter().try_for_each(|user| create_user(cx, user).map(drop))
}

static SERVICE: Service = Service {
    name: "test",
    title: "Toy",
    sections: &[Section {
        title: "Things",
        resources: &[Resource {
            tables: "CREATE TABLE provider (slot TEXT PRIMARY KEY, secret TEXT NOT NULL) STRICT;",
            operations: OPERATIONS,
            tasks: &[TaskEntry::of::<Bell>()],
        }],
        views: &[],
    }],
    blank: &[],
    manner: &Manner::MESSAGE,
    manners: &[],
    guards: &[],
    tags: &[],
    open_enums: None,
    ends: &[],
    unused: |_, _| Vec::new(),
    databases: None,
    seed,
};

static TOY: LazyLock<Registry> = LazyLock::new(|| Registry::new(&SERVICE));

fn toy() -> Builder {
    Builder::new(&TOY)
}

fn renamed() -> Simulator {
    let names =
        [("idp_01", "acme"), ("vendor_a", "courier")].map(|(from, to)| (from.to_owned(), to.to_owned()));
    toy().profile(Profile { names: names.into(), ..Profile::default() }).build()
}

fn send(sim: &mut Simulator, method: &str, path: &str, body: &Value) -> (u16, String) {
    let body = if body.is_null() { Bytes::new() } else { body.to_string().into() };
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("authorization", format!("Bearer {}", sim.token()))
        .body(body)
        .expect("the request is well-formed");
    let response = sim.handle(&request);
    (response.status().as_u16(), String::from_utf8(response.body().to_vec()).expect("bodies are text"))
}

fn provider(slot: &str) -> SetProvider {
    SetProvider {
        slot: slot.to_owned(),
        external_idp_01_secret: "s3cret-value".into(),
        sms_provider: Vendor::A,
    }
}

fn ring(seconds: u64, text: &str) -> Ring {
    Ring { seconds, text: text.to_owned() }
}

fn spoken(edition: Edition) -> Simulator {
    toy().policy(Policy { edition, ..Policy::default() }).build()
}

fn tune(edition: Edition, body: &Value) -> (u16, Value) {
    let (status, body) = send(&mut spoken(edition), "PUT", "/v1/receiver", body);
    (status, serde_json::from_str(&body).expect("bodies are JSON"))
}

#[test]
fn a_field_of_another_edition_is_neither_read_nor_answered() {
    let body = json!({ "band": "medium", "volume": 5, "station": "three", "antenna": "long" });
    let (_, newest) = tune(Edition::V2026_11, &body);
    assert_eq!(newest, json!({ "band": "medium", "volume": 5, "station": "three" }));
    let (_, first) = tune(Edition::V2025_05, &body);
    assert_eq!(first, json!({ "band": "medium", "volume": 5, "antenna": "long" }));
}

#[test]
fn bounds_enum_members_and_required_fields_are_those_of_the_edition() {
    let refused = |body: Value, problem: &str| {
        let (status, answer) = tune(Edition::V2025_05, &body);
        assert_eq!((status, answer["message"].as_str()), (400, Some(problem)));
        assert_eq!(tune(Edition::V2026_11, &body).0, 200);
    };
    refused(json!({ "band": "medium" }), "volume: Required");
    refused(json!({ "band": "medium", "volume": 11 }), "volume: Number must be less than or equal to 10");
    let only = "band: Invalid enum value. Expected 'medium', received 'digital'";
    refused(json!({ "band": "digital", "volume": 1 }), only);
}

#[test]
fn the_document_is_that_of_the_edition() {
    let document = |edition| {
        let document = spoken(edition).openapi();
        let body = &document["paths"]["/v1/receiver"]["put"]["requestBody"];
        body["content"]["application/json"]["schema"].clone()
    };
    let (first, newest) = (document(Edition::V2025_05), document(Edition::V2026_11));
    let fields = |schema: &Value| {
        schema["properties"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, _)| name.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(fields(&first), ["band", "volume", "antenna"]);
    assert_eq!(first["required"], json!(["band", "volume"]));
    assert_eq!(first["properties"]["volume"]["maximum"], 10);
    assert_eq!(fields(&newest), ["band", "volume", "station"]);
    assert_eq!(newest["required"], json!(["band"]));
    assert!(!newest.to_string().contains("x-2025-05") && !newest.to_string().contains("x-dropped"));
}

#[test]
fn a_profile_renames_fields_and_enum_members_both_ways() {
    let mut sim = renamed();
    let body = json!({ "external_acme_secret": "x", "sms_provider": "courier" });
    let reply = send(&mut sim, "PUT", "/v1/providers/one", &body);
    assert_eq!(reply, (200, r#"{"external_acme_secret":"x","sms_provider":"courier"}"#.to_owned()));
    let neutral = json!({ "external_idp_01_secret": "x", "sms_provider": "vendor_a" });
    assert_eq!(send(&mut toy().build(), "PUT", "/v1/providers/one", &neutral).0, 200);
}

#[test]
fn a_profile_renames_the_openapi_document() {
    let document = renamed().openapi().to_string();
    assert!(document.contains("external_acme_secret") && document.contains("courier"));
    assert!(!document.contains("idp_01") && !document.contains("vendor_a"));
}

#[test]
fn a_typed_call_and_an_http_call_leave_the_same_journal() {
    let (mut typed, mut wire) = (renamed(), renamed());
    typed.call(provider("one")).expect("the provider is good");
    send(
        &mut wire,
        "PUT",
        "/v1/providers/one",
        &json!({ "external_acme_secret": "s3cret-value", "sms_provider": "courier" }),
    );
    assert_eq!(typed.journal(), wire.journal());
}

#[test]
fn a_fixed_path_does_not_hide_a_resource_with_its_name() {
    let mut sim = toy().build();
    let body = json!({ "external_idp_01_secret": "x", "sms_provider": "vendor_b" });
    assert_eq!(send(&mut sim, "PUT", "/v1/providers/reset", &body).0, 200);
    assert_eq!(send(&mut sim, "GET", "/v1/providers/reset", &Value::Null).0, 200);
    assert_eq!(send(&mut sim, "POST", "/v1/providers/reset", &Value::Null), (200, "{}".to_owned()));
    assert_eq!(send(&mut sim, "GET", "/v1/providers/reset", &Value::Null).0, 404);
    assert_eq!(send(&mut sim, "DELETE", "/v1/providers/reset", &Value::Null).0, 405);
}

#[test]
fn secrets_are_masked_in_the_journal_and_replayed_all_the_same() {
    let mut sim = toy().build();
    sim.call(provider("one")).expect("the provider is good");
    sim.call(GetProvider { slot: "one".to_owned() }).expect("the provider is there");
    let journal = serde_json::to_string(&sim.journal()).expect("the journal is plain data");
    assert!(!journal.contains("s3cret-value"), "{journal}");
    let replayed = sim.replay_file().expect("the journal is whole").run(&TOY).expect("nothing diverges");
    assert_eq!(replayed.journal_hash(), sim.journal_hash());
}

#[test]
fn a_refused_operation_leaves_no_trace() {
    let mut sim = toy().build();
    let refusal = sim.call(provider("refused")).expect_err("the slot is refused");
    assert_eq!((refusal.status(), &*refusal.reason), (400, "refused"));
    let gone = sim.call(GetProvider { slot: "refused".to_owned() }).expect_err("nothing was stored");
    assert_eq!(gone.message, "Provider not found");
}

#[test]
fn each_problem_of_an_input_is_named() {
    let reply = send(
        &mut toy().build(),
        "PUT",
        "/v1/providers/far-too-long",
        &json!({ "sms_provider": "x", "y": 1 }),
    );
    let message = "slot: String must contain at most 8 character(s), external_idp_01_secret: Required, \
                   sms_provider: Invalid enum value. Expected 'vendor_a' | 'vendor_b', received 'x', \
                   y: Unrecognized key, expected one of slot, external_idp_01_secret, sms_provider";
    assert_eq!(reply, (400, json!({ "message": message }).to_string()));
}

#[test]
fn work_is_done_at_its_own_instant_in_order() {
    let mut sim = toy().build();
    sim.call(ring(20, "late")).expect("the bell is good");
    sim.call(ring(10, "early")).expect("the bell is good");
    let rang: Vec<_> =
        sim.advance(Duration::from_secs(60)).into_iter().map(|happened| happened.became).collect();
    let expected = [
        "early rang at 2026-01-01T00:00:10Z",
        "late rang at 2026-01-01T00:00:20Z",
        "early rang at 2026-01-01T00:00:20Z",
        "late rang at 2026-01-01T00:00:40Z",
    ];
    assert_eq!(rang, expected);
    assert!(sim.agenda().is_empty());
}

#[test]
fn instant_pace_is_done_when_the_call_returns() {
    let mut sim = toy().policy(Policy { pace: Pace::Instant, ..Policy::default() }).build();
    sim.call(ring(10, "bell")).expect("the bell is good");
    assert_eq!(sim.history(Some("bell")).len(), 2);
    assert!(sim.agenda().is_empty());
}

#[test]
fn manual_pace_waits_for_a_step() {
    let mut sim = toy().policy(Policy { pace: Pace::Manual, ..Policy::default() }).build();
    sim.call(ring(10, "bell")).expect("the bell is good");
    assert!(sim.advance(Duration::from_secs(3600)).is_empty());
    let first = sim.step().expect("the bell is due");
    assert_eq!(first.became, "bell rang at 2026-01-01T01:00:00Z");
    let second = sim.step().expect("it rings again");
    assert_eq!(second.became, "bell rang at 2026-01-01T01:00:10Z");
    assert_eq!((sim.step(), sim.now().to_string()), (None, "2026-01-01T01:00:10Z".to_owned()));
    let replayed = sim.replay_file().expect("the journal is whole").run(&TOY).expect("nothing diverges");
    assert_eq!((replayed.journal_hash(), replayed.now()), (sim.journal_hash(), sim.now()));
}

#[test]
fn a_world_can_outlive_the_calendar() {
    let mut sim = toy().build();
    sim.call(ring(i64::MAX as u64, "never")).expect("the bell is good");
    sim.advance(Duration::MAX);
    sim.call(ring(1, "late")).expect("the bell is good");
    sim.advance(Duration::from_nanos(1));
    let replayed = sim.replay_file().expect("the journal is whole").run(&TOY).expect("nothing diverges");
    assert_eq!((replayed.journal_hash(), replayed.now()), (sim.journal_hash(), sim.now()));
}

#[test]
fn a_profile_offers_a_version_of_postgres() {
    let refusal = toy().profile(Profile { postgres_versions: Vec::new(), ..Profile::default() }).try_build();
    assert_eq!(refusal.err().map(|error| error.reason), Some("invalid_profile.postgres_versions".into()));
}

#[test]
fn the_journal_is_bounded_and_keeps_its_hash() {
    let bounded = |journal_calls| toy().policy(Policy { journal_calls, ..Policy::default() }).build();
    let (mut short, mut long) = (bounded(10), bounded(1_000));
    for sim in [&mut short, &mut long] {
        for _ in 0..200 {
            let _ = sim.call(GetProvider { slot: "none".to_owned() });
        }
    }
    assert!(short.journal().len() < 10 + 64, "the journal holds {} calls", short.journal().len());
    assert_eq!(short.journal_hash(), long.journal_hash());
    assert!(short.replay_file().is_none());
}
