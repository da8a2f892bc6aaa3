//! `/v1/projects/{ref}/config/auth/sso/providers`.

use std::sync::Arc;

use http::Method;
use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::Simulator;
use sim_core::management::auth_config::UpdateAuthConfig;
use sim_fixtures::{Api, Call, Scene, scenario};

use crate::support::{both, seconds};

const PATH: &str = "/v1/projects/{ref}/config/auth/sso/providers";
const NOBODY: &str = "/v1/projects/{ref}/config/auth/sso/providers/00000000-0000-4000-8000-000000000000";

/// A project whose users may sign in by SAML.
fn saml_project() -> Scene {
    with_saml(scenario::active_project())
}

fn with_saml(mut scene: Scene) -> Scene {
    let turn_on = UpdateAuthConfig::one(scene.project.clone(), "saml_enabled", true);
    scene.sim.as_admin().call(turn_on).expect("SAML can be turned on");
    scene
}

/// The same, with a fetcher that knows two addresses.
fn fetching_project() -> Scene {
    let shelf = |url: &str| match url {
        "https://idp.example/metadata" => Ok(metadata("https://idp.example")),
        "https://idp.example/page" => Ok("<html/>".to_owned()),
        _ => Err("404 Not Found".to_owned()),
    };
    let world = scenario::cast("pro");
    let sim =
        Simulator::builder().seed(scenario::SEED).world(world).metadata_fetcher(Arc::new(shelf)).build();
    with_saml(scenario::project_in(sim))
}

fn metadata(entity_id: &str) -> String {
    format!(
        r#"<?xml version="1.0"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="{entity_id}"><md:IDPSSODescriptor/></md:EntityDescriptor>"#
    )
}

fn provider(entity_id: &str, domains: &[&str]) -> Value {
    json!({ "type": "saml", "metadata_xml": metadata(entity_id), "domains": domains })
}

/// Creates a provider; returns its address.
fn create(api: &mut dyn Api, entity_id: &str, domains: &[&str]) -> String {
    let reply = api.post(PATH, provider(entity_id, domains));
    assert_eq!(reply.status, 201, "{reply}");
    format!("{PATH}/{}", reply.json()["id"].as_str().expect("an id"))
}

/// Status, reason and text of a refusal.
fn refusal(reply: &sim_fixtures::Reply) -> String {
    format!("{} {} {}", reply.status, reply.reason(), reply.json()["message"].as_str().unwrap_or_default())
}

#[test]
fn the_form_of_names_is_kept_and_changed() {
    both(saml_project, |api| {
        let format = |last: &str| json!(format!("urn:oasis:names:tc:SAML:2.0:nameid-format:{last}"));
        let mut body = provider("https://idp.example", &[]);
        body["name_id_format"] = format("transient");
        let created = api.post(PATH, body).json();
        assert_eq!(created["saml"]["name_id_format"], format("transient"));
        let path = format!("{PATH}/{}", created["id"].as_str().expect("an id"));
        api.send(Call::new(Method::PUT, &path).json(json!({ "name_id_format": format("persistent") })));
        assert_eq!(api.get(&path).json()["saml"]["name_id_format"], format("persistent"));
        let reply = api.send(Call::new(Method::PUT, &path).json(json!({ "name_id_format": "any" })));
        assert_eq!(reply.reason(), "invalid_body.name_id_format");
    });
}

#[test]
fn a_provider_is_identified_by_its_metadata() {
    both(saml_project, |api| {
        let created = api.post(PATH, provider("https://idp.example", &["example.com"]));
        assert_snapshot!(created, @r#"201 {"id":"9bd77ce8-9718-477c-b63b-f717daa4c171","saml":{"id":"8f2b89ec-cbab-45aa-84eb-f6b7d07e289b","entity_id":"https://idp.example","metadata_xml":"<?xml version=\"1.0\"?><md:EntityDescriptor xmlns:md=\"urn:oasis:names:tc:SAML:2.0:metadata\" entityID=\"https://idp.example\"><md:IDPSSODescriptor/></md:EntityDescriptor>","attribute_mapping":{}},"domains":[{"id":"cd18ee69-3ab7-43e3-ac06-a4e291cbea89","domain":"example.com","created_at":"2026-01-01T00:01:00Z","updated_at":"2026-01-01T00:01:00Z"}],"created_at":"2026-01-01T00:01:00Z","updated_at":"2026-01-01T00:01:00Z"}"#);
        let path = format!("{PATH}/{}", created.json()["id"].as_str().expect("an id"));
        assert_eq!(api.get(&path).json(), created.json());
        assert_eq!(api.get(PATH).json(), json!({ "items": [created.json()] }));
    });
}

#[test]
fn providers_are_listed_oldest_first() {
    both(saml_project, |api| {
        assert_snapshot!(api.get(PATH), @r#"200 {"items":[]}"#);
        for name in ["b", "a", "c"] {
            create(api, name, &[]);
        }
        let list = api.get(PATH).json();
        let ids: Vec<_> = (0..3).map(|index| list["items"][index]["saml"]["entity_id"].clone()).collect();
        assert_eq!(ids, ["b", "a", "c"]);
    });
}

#[test]
fn a_mapping_is_returned_unchanged() {
    both(saml_project, |api| {
        let mapping = json!({ "keys": {
            "email": { "name": "mail" },
            "groups": { "names": ["groups", "roles"], "array": true },
            "tier": { "default": { "level": 1 } },
        } });
        let mut body = provider("https://idp.example", &[]);
        body["attribute_mapping"] = mapping.clone();
        assert_eq!(api.post(PATH, body).json()["saml"]["attribute_mapping"], mapping);
    });
}

#[test]
fn metadata_must_be_metadata() {
    let rows = [
        ("<EntityDescriptor", "metadata_xml: Invalid XML, "),
        ("<EntityDescriptor entityID=\"a\"></X>", "metadata_xml: Invalid XML, "),
        ("<html/>", "metadata_xml: Expected an EntityDescriptor, received html"),
        ("<EntityDescriptor/>", "metadata_xml: The EntityDescriptor has no entityID"),
    ];
    both(saml_project, |api| {
        for (xml, text) in rows {
            let reply = api.post(PATH, json!({ "type": "saml", "metadata_xml": xml }));
            assert!(
                refusal(&reply).starts_with(&format!("400 invalid_body.metadata_xml {text}")),
                "{xml}: {reply}"
            );
        }
        assert_snapshot!(api.get(PATH), @r#"200 {"items":[]}"#);
    });
}

#[test]
fn where_metadata_comes_from_is_checked_before_whether_saml_is_enabled() {
    let (xml, url) = ("<EntityDescriptor/>", "https://idp.example/metadata");
    let rows = [
        (
            json!({ "type": "saml" }),
            "400 invalid_body.metadata_xml metadata_xml: Required, or metadata_url in its place",
        ),
        (
            json!({ "type": "saml", "metadata_xml": xml, "metadata_url": url }),
            "400 invalid_body.metadata_url metadata_url: Only one of metadata_xml and metadata_url can be given",
        ),
        (
            json!({ "type": "saml", "metadata_url": "http://idp.example" }),
            "400 invalid_body.metadata_url metadata_url: Invalid url, must start with https://",
        ),
    ];
    both(scenario::active_project, |api| {
        for (body, answer) in &rows {
            assert_eq!(refusal(&api.post(PATH, body.clone())), *answer, "{body}");
        }
        let update = json!({ "metadata_xml": xml, "metadata_url": url });
        assert_eq!(refusal(&api.put(NOBODY, update)), rows[1].1);
    });
}

#[test]
fn a_create_has_a_form() {
    let rows = [
        (json!({}), "400 invalid_body.type type: Required"),
        (
            json!({ "type": "oidc" }),
            "400 invalid_body.type type: Invalid enum value. Expected 'saml', received 'oidc'",
        ),
        (
            json!({ "type": "saml" }),
            "400 invalid_body.metadata_xml metadata_xml: Required, or metadata_url in its place",
        ),
        (
            json!({ "type": "saml", "metadata_xml": metadata("a"), "metadata_url": "https://idp.example/metadata" }),
            "400 invalid_body.metadata_url metadata_url: Only one of metadata_xml and metadata_url can be given",
        ),
        (
            json!({ "type": "saml", "metadata_url": "http://idp.example/metadata" }),
            "400 invalid_body.metadata_url metadata_url: Invalid url, must start with https://",
        ),
        (
            provider("a", &["no domain"]),
            "400 invalid_body.domains.0 domains.0: Invalid, must be a domain name such as example.com",
        ),
        (
            provider("a", &["a.example", "localhost"]),
            "400 invalid_body.domains.1 domains.1: Invalid, must be a domain name such as example.com",
        ),
        (
            json!({ "type": "saml", "metadata_xml": metadata("a"), "attribute_mapping": {} }),
            "400 invalid_body.attribute_mapping.keys attribute_mapping.keys: Required",
        ),
    ];
    both(saml_project, |api| {
        for (body, text) in &rows {
            assert_eq!(refusal(&api.post(PATH, body.clone())), *text, "{body}");
        }
    });
}

#[test]
fn an_entity_is_one_provider() {
    both(saml_project, |api| {
        create(api, "https://idp.example", &[]);
        assert_eq!(
            refusal(&api.post(PATH, provider("https://idp.example", &[]))),
            "400 entity_id_taken SAML Identity Provider for this EntityID (https://idp.example) already exists"
        );
    });
}

#[test]
fn a_domain_belongs_to_one_provider() {
    both(saml_project, |api| {
        let first = create(api, "a", &["example.com"]);
        let id = first.rsplit('/').next().expect("an id").to_owned();
        let reply = api.post(PATH, provider("b", &["other.example", "EXAMPLE.com"]));
        let text = format!(
            "domains.1: SSO Domain 'EXAMPLE.com' is already assigned to an SSO identity provider ({id})"
        );
        assert_eq!(refusal(&reply), format!("400 domain_taken {text}"));
        assert_eq!(api.get(PATH).json()["items"].as_array().map(Vec::len), Some(1));
        // Repeated in one call, no other provider has it.
        let reply = api.post(PATH, provider("b", &["twice.example", "twice.example"]));
        assert_eq!((reply.status, reply.reason()), (400, "invalid_body.domains.1"));
        // A domain that one provider gives up is free for another.
        api.put(&first, json!({ "domains": [] }));
        create(api, "b", &["example.com"]);
    });
}

#[test]
fn an_update_replaces_the_given_fields_and_keeps_the_rest() {
    both(saml_project, |api| {
        let path = create(api, "a", &["one.example", "two.example"]);
        let before = api.get(&path).json();
        api.advance(seconds(1));
        let after = api.put(&path, json!({ "domains": ["two.example", "three.example"] })).json();
        assert_eq!(after, api.get(&path).json());
        assert_eq!(after["saml"], before["saml"]);
        assert_eq!(after["domains"][0], before["domains"][1], "an unchanged domain keeps its id");
        assert_eq!(after["domains"][1]["domain"], "three.example");
        assert_eq!(
            (&after["created_at"], &after["updated_at"]),
            (&json!("2026-01-01T00:01:00Z"), &json!("2026-01-01T00:01:01Z"))
        );

        let mapped = api
            .put(&path, json!({ "attribute_mapping": { "keys": { "email": { "name": "mail" } } } }))
            .json();
        assert_eq!(mapped["domains"], after["domains"]);
        assert_eq!(mapped["saml"]["attribute_mapping"]["keys"]["email"]["name"], "mail");
    });
}

#[test]
fn an_update_keeps_to_the_entity() {
    both(saml_project, |api| {
        let path = create(api, "a", &[]);
        let same = metadata("a").replace("<md:IDPSSODescriptor/>", "");
        assert_eq!(
            api.put(&path, json!({ "metadata_xml": same })).json()["saml"]["metadata_xml"],
            json!(same)
        );
        assert_eq!(
            refusal(&api.put(&path, json!({ "metadata_xml": metadata("b") }))),
            "400 entity_id_differs SAML Metadata can be updated only if the EntityIDs match for the provider; expected 'a' but got 'b'"
        );
        assert_eq!(api.put(&path, json!({ "metadata_xml": "x" })).reason(), "invalid_body.metadata_xml");
        create(api, "b", &["taken.example"]);
        assert_eq!(api.put(&path, json!({ "domains": ["taken.example"] })).reason(), "domain_taken");
    });
}

#[test]
fn removing_a_provider_returns_it() {
    both(saml_project, |api| {
        let path = create(api, "a", &["example.com"]);
        let before = api.get(&path).json();
        let removed = api.delete(&path);
        assert_eq!((removed.status, removed.json()), (200, before));
        assert_snapshot!(api.get(PATH), @r#"200 {"items":[]}"#);
        assert_eq!(api.get(&path).status, 404);
        create(api, "a", &["example.com"]);
    });
}

#[test]
fn an_unknown_provider_is_404() {
    let text = "404 sso_provider_not_found SSO Identity Provider not found";
    both(saml_project, |api| {
        assert_eq!(refusal(&api.get(NOBODY)), text);
        assert_eq!(refusal(&api.put(NOBODY, json!({}))), text);
        assert_eq!(refusal(&api.delete(NOBODY)), text);
        assert_eq!(
            refusal(&api.get(&format!("{PATH}/x"))),
            "400 invalid_path.provider_id provider_id: Invalid uuid"
        );
    });
}

#[test]
fn without_saml_no_providers_are_listed() {
    let off = "404 saml_not_enabled SAML 2.0 support is not enabled for this project";
    let either = "404 saml_not_enabled Either SAML 2.0 was not enabled for this project, or the provider does not exist";
    both(saml_project, |api| {
        let path = create(api, "a", &[]);
        api.patch("/v1/projects/{ref}/config/auth", json!({ "saml_enabled": false }));
        assert_eq!(api.get(PATH).to_string(), r#"200 {"items":[]}"#);
        assert_eq!(refusal(&api.post(PATH, provider("b", &[]))), off);
        assert_eq!(refusal(&api.get(&path)), either);
        assert_eq!(refusal(&api.put(&path, json!({}))), either);
        assert_eq!(refusal(&api.delete(&path)), either);
        api.patch("/v1/projects/{ref}/config/auth", json!({ "saml_enabled": true }));
        assert_eq!(api.get(&path).status, 200, "turned on again, they are still there");
    });
    both(scenario::active_project, |api| assert_eq!(api.get(PATH).to_string(), r#"200 {"items":[]}"#));
}

#[test]
fn metadata_is_what_was_set_for_its_address() {
    both(saml_project, |api| {
        let url = "https://idp.example/metadata";
        let document = json!({ "url": url, "text": metadata("https://idp.example") });
        assert_eq!(api.put("/_sim/documents", document).to_string(), "200 {}");
        let body = json!({ "type": "saml", "metadata_url": url });
        let made = api.post(PATH, body.clone());
        assert_eq!((made.status, &made.json()["saml"]["entity_id"]), (201, &json!("https://idp.example")));
        assert_eq!(api.put("/_sim/documents", json!({ "url": url })).status, 200);
        let nowhere = api.put("/_sim/documents", json!({ "url": "idp.example", "text": "" }));
        assert_eq!((nowhere.status, nowhere.reason()), (400, "invalid_body.url"), "{nowhere}");
        assert_eq!(api.post(PATH, body).reason(), "fetcher_missing");
    });
}

#[test]
fn metadata_is_fetched_by_the_embedder_s_fetcher_only() {
    both(saml_project, |api| {
        let body = json!({ "type": "saml", "metadata_url": "https://idp.example/metadata" });
        assert_eq!(
            refusal(&api.post(PATH, body)),
            "400 fetcher_missing metadata_url: nothing is fetched here, because this simulator was given no fetcher; PUT /_sim/documents sets what is there"
        );
    });
    both(fetching_project, |api| {
        let fetch = |url: &str| json!({ "type": "saml", "metadata_url": url });
        let created = api.post(PATH, fetch("https://idp.example/metadata")).json();
        assert_eq!(created["saml"]["entity_id"], "https://idp.example");
        assert_eq!(created["saml"]["metadata_url"], "https://idp.example/metadata");
        assert_eq!(created["saml"]["metadata_xml"], metadata("https://idp.example"));
        assert_eq!(
            refusal(&api.post(PATH, fetch("https://idp.example/nothing"))),
            "400 not_fetched metadata_url: could not be fetched, 404 Not Found"
        );
        assert_eq!(
            refusal(&api.post(PATH, fetch("https://idp.example/page"))),
            "400 invalid_body.metadata_url metadata_url: Expected an EntityDescriptor, received html"
        );
        // After an update with metadata as text, the metadata has no address.
        let path = format!("{PATH}/{}", created["id"].as_str().expect("an id"));
        let updated = api.put(&path, json!({ "metadata_xml": metadata("https://idp.example") })).json();
        assert_eq!(updated["saml"]["metadata_url"], Value::Null);
    });
}

#[test]
fn a_replay_uses_the_recorded_documents_and_fetches_nothing() {
    let mut api = sim_fixtures::InProcess::new(fetching_project());
    for url in ["https://idp.example/metadata", "https://idp.example/nothing"] {
        api.post(PATH, json!({ "type": "saml", "metadata_url": url }));
    }
    api.look(&mut |sim| {
        let file =
            serde_json::to_string(&sim.replay_file().expect("the journal is whole")).expect("it is JSON");
        let file: sim_core::Replay = serde_json::from_str(&file).expect("it is a replay file");
        assert_eq!(file.fetched.len(), 2);
        let again = file.run(sim.registry()).expect("nothing diverges");
        assert_eq!(again.journal_hash(), sim.journal_hash());
    });
}

#[test]
fn reading_is_for_members_and_changing_for_administrators() {
    both(saml_project, |api| {
        let path = create(api, "a", &[]);
        assert_eq!(api.send(Call::get(PATH).token("token-of-reader")).status, 200);
        assert_eq!(api.send(Call::get(&path).token("token-of-reader")).status, 200);
        assert_eq!(api.send(Call::get(PATH).token("token-of-outsider")).status, 403);
        assert_eq!(api.send(Call::get(PATH).nobody()).status, 401);
        let developer = |call: Call| call.token("token-of-developer");
        assert_eq!(api.send(developer(Call::post(PATH)).json(provider("b", &[]))).status, 403);
        assert_eq!(api.send(developer(Call::put(&path)).json(json!({}))).status, 403);
        assert_eq!(api.send(developer(Call::delete(&path))).status, 403);
    });
    both(scenario::four_roles, |api| {
        assert_snapshot!(api.get(PATH), @r#"404 {"message":"Project not found"}"#);
    });
}

#[test]
fn a_domain_is_given_once() {
    both(saml_project, |api| {
        let reply = api.post(PATH, provider("https://idp.example", &["c.example", "C.example"]));
        let text = r#"400 {"message":"domains.1: 'C.example' is given twice, at 0 too"}"#;
        assert_eq!((reply.reason(), reply.to_string()), ("invalid_body.domains.1", text.to_owned()));
    });
}
