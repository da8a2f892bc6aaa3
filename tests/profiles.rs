//! Names of a profile: in requests, answers, refusals and parameters; refused if they are ambiguous.

use serde_json::{Value, json};
use sim_core::{Profile, Simulator};
use sim_fixtures::{Call, api::peek, scenario};

use crate::support::both;

const AUTH: &str = "/v1/projects/{ref}/config/auth";

fn called(names: &[(&str, &str)]) -> Profile {
    let names = names.iter().map(|(token, wire)| ((*token).to_owned(), (*wire).to_owned()));
    Profile { names: names.collect(), ..Profile::default() }
}

#[test]
fn a_name_that_is_a_part_of_another_one_takes_nothing_of_it() {
    let names = [("idp_14", "abc"), ("idp_15", "abc_oidc"), ("vendor_a", "courier")];
    let world = || {
        let begun = Simulator::builder().profile(called(&names)).world(scenario::cast("pro"));
        scenario::project_in(begun.build())
    };
    both(world, |api| {
        let body = json!({ "external_abc_oidc_enabled": true, "external_abc_oidc_client_id": "so" });
        let reply = api.patch(AUTH, body);
        assert_eq!(reply.status, 200, "{reply}");
        let config = api.get(AUTH).json();
        assert_eq!(config["external_abc_oidc_enabled"], true);
        assert_eq!(config["external_abc_oidc_client_id"], "so");
        assert_eq!(config["external_abc_enabled"], false);
        assert_eq!(config["external_abc_client_id"], Value::Null);
    });
}

#[test]
fn of_a_field_under_both_names_that_of_the_profile_counts() {
    let world = || {
        let begun = Simulator::builder().profile(called(&[("idp_09", "acme")]));
        scenario::project_in(begun.world(scenario::cast("pro")).build())
    };
    both(world, |api| {
        for (first, second) in [("acme", "idp_09"), ("idp_09", "acme")] {
            for enabled in [true, false] {
                let mut body = serde_json::Map::new();
                for name in [first, second] {
                    let value = if name == "acme" { enabled } else { !enabled };
                    body.insert(format!("external_{name}_enabled"), json!(value));
                }
                let reply = api.patch(AUTH, Value::Object(body));
                assert_eq!(reply.json()["external_acme_enabled"], enabled, "{reply}");
                assert_eq!(reply.header("x-sim-ignored"), "body.external_idp_09_enabled");
            }
        }
        let wrong = json!({ "external_acme_enabled": 5, "external_idp_09_enabled": true });
        assert_eq!(api.patch(AUTH, wrong).status, 400);
        let alone = api.patch(AUTH, json!({ "external_idp_09_enabled": true }));
        assert_eq!(
            (&alone.json()["external_acme_enabled"], alone.header("x-sim-ignored")),
            (&json!(true), "")
        );
    });
}

#[test]
fn a_refusal_has_the_names_of_the_profile() {
    let world = || {
        let begun = Simulator::builder().profile(called(&[("idp_09", "acme"), ("vendor_a", "courier")]));
        scenario::project_in(begun.world(scenario::cast("pro")).build())
    };
    both(world, |api| {
        let reply = api.patch(AUTH, json!({ "external_acme_enabled": 5 }));
        assert_eq!((reply.status, reply.reason()), (400, "invalid_body.external_acme_enabled"), "{reply}");
        let text = reply.json()["message"].to_string();
        assert!(text.contains("external_acme_enabled: Expected boolean"), "{text}");
        let text = api.patch(AUTH, json!({ "sms_provider": "bogus" })).json()["message"].to_string();
        assert!(text.contains("'courier'") && !text.contains("vendor_a"), "{text}");
    });
}

#[test]
fn words_of_paths_and_kinds_of_drains_have_the_names_of_the_profile() {
    let world = || {
        let profile = called(&[("cloud_a", "acme"), ("drain_a", "logco"), ("columnar", "fast")]);
        scenario::project_in(Simulator::builder().profile(profile).world(scenario::cast("team")).build())
    };
    both(world, |api| {
        const LINKS: &str = "/v2/projects/{ref}/private-link/associations";
        let attributes = json!({ "acme_account_id": "123456789012" });
        let link = json!({ "data": { "type": "private_link_association", "attributes": attributes } });
        let made = api.post(LINKS, link);
        assert_eq!(made.status, 201, "{made}");
        let neutral = api.delete(&format!("{LINKS}/cloud_a-account/123456789012"));
        assert_eq!((neutral.status, neutral.reason()), (404, "unknown_path"));
        assert_eq!(api.delete(&format!("{LINKS}/acme-account/123456789012")).status, 204);
        let document = peek(api, |sim| sim.openapi());
        let path = "/v2/projects/{ref}/private-link/associations/acme-account/{acme_account_id}";
        assert!(document["paths"][path]["delete"].is_object());

        let config = json!({ "url": "https://a.test", "api_key": "k" });
        let drain = json!({ "name": "logs", "backend_type": "logco", "config": config });
        let body = json!({ "data": { "type": "log_drain", "attributes": drain } });
        let made = api.post("/v2/projects/{ref}/analytics/log-drains", body);
        assert_eq!(
            (made.status, &made.json()["data"]["attributes"]["backend_type"]),
            (201, &json!("logco")),
            "{made}"
        );
    });
}

#[test]
fn a_parameter_has_the_name_of_the_profile() {
    let world = || Simulator::analytics().profile(called(&[("wh", "xx")])).build();
    both(world, |api| {
        assert_eq!(api.get("/api/query?xx_sql=select+1+as+n").json(), json!({ "result": [{ "n": 1 }] }));
        let refused = api.get("/api/query");
        assert_eq!(refused.status, 400);
        assert!(refused.json()["error"].to_string().contains("sql, xx_sql and pg_sql"), "{refused}");
    });
}

#[test]
fn the_pooler_has_the_host_of_the_profile() {
    let world = || {
        let pooler_host = "acme-0-{region}.pooler.acme.test".to_owned();
        let begun = Simulator::builder().profile(Profile { pooler_host, ..Profile::default() });
        scenario::project_in(begun.world(scenario::cast("pro")).build())
    };
    both(world, |api| {
        let entrances = api.get("/v1/projects/{ref}/config/database/pooler").json();
        assert_eq!(entrances[0]["db_host"], "acme-0-us-east-1.pooler.acme.test");
    });
}

#[test]
fn answers_name_their_caller_if_the_profile_names_the_server_of_accounts() {
    let world = |names: &'static [(&str, &str)]| {
        move || {
            let begun = Simulator::builder().profile(called(names)).world(scenario::cast("pro"));
            scenario::project_in(begun.build())
        }
    };
    both(world(&[("auth_server", "people")]), |api| {
        let id = api.get("/v1/profile").json()["people_id"].as_str().unwrap_or_default().to_owned();
        assert_eq!(id.len(), 36);
        // The last of equal reads comes from the cache.
        for path in ["/v1/projects", "/v1/projects", "/v1/projects", "/v1/nothing", "/v1/projects?limit=1"] {
            assert_eq!(api.get(path).header("x-people-id"), id, "{path}");
        }
        assert_eq!(api.send(Call::get("/v1/projects").nobody()).header("x-people-id"), "");
    });
    both(world(&[("cloud_a", "sky")]), |api| {
        let reply = api.get("/v1/projects");
        assert!(reply.headers.keys().all(|name| !name.as_str().starts_with("x-auth")), "{reply}");
    });
}

#[test]
fn ambiguous_names_are_refused_at_start() {
    let refused = |names: &[(&str, &str)]| {
        let built = Simulator::builder().profile(called(names)).try_build();
        built
            .err()
            .map_or_else(|| "accepted".to_owned(), |error| format!("{} {}", error.reason, error.message))
    };
    for (names, words) in [
        (&[("idp_01", "xx"), ("idp_02", "xx")][..], &["invalid_profile.names.idp_02", "idp_01 = \"xx\""][..]),
        (&[("vendor_c", "a"), ("vendor_d", "a_verify")], &["`a_verify`", "vendor_c = \"a\"", "vendor_d"]),
        (&[("idp_01", "phone")], &["external_phone_enabled"]),
        (&[("idp_99", "zzz")], &["invalid_profile.names.idp_99", "no such token"]),
        (&[("idpp", "x")], &["invalid_profile.names.idpp", "no such token"]),
        (&[("idp_01", "a b")], &["names.idp_01: must be 1 to 60 letters"]),
        (&[("idp_01", "idp_02"), ("idp_02", "idp_01")], &["accepted"]),
        // A name of the other service.
        (&[("idp_14", "abc"), ("chat", "abc")], &["accepted"]),
    ] {
        let text = refused(names);
        assert!(words.iter().all(|word| text.contains(word)), "{names:?}: {text}");
    }
    let variables = |pairs: &[(&str, &str)]| {
        let variables = pairs.iter().map(|(name, other)| ((*name).to_owned(), (*other).to_owned())).collect();
        let profile = Profile { variables, ..Profile::default() };
        Simulator::builder().profile(profile).try_build().err().map_or(String::new(), |error| error.message)
    };
    let key = "ANALYTICS_API_KEY";
    assert!(variables(&[("ANALYTICS_APIKEY", "X")]).contains("did you mean `ANALYTICS_API_KEY`?"));
    assert!(variables(&[(key, "A B")]).contains("variables.ANALYTICS_API_KEY: must be letters"));
    assert!(variables(&[(key, "PLATFORM_MODE")]).contains("is the name of PLATFORM_MODE already"));
    assert_eq!(variables(&[(key, "PLATFORM_MODE"), ("PLATFORM_MODE", key)]), "");
    let pooler = Profile { pooler_host: "pooler.{regon}.test".to_owned(), ..Profile::default() };
    let text = Simulator::builder().profile(pooler).try_build().err().map(|error| error.message);
    assert!(text.as_ref().is_some_and(|text| text.ends_with("did you mean `region`?")), "{text:?}");
}

#[test]
fn names_that_lead_nowhere_are_refused_at_start() {
    let refused = |change: &dyn Fn(&mut Profile)| {
        let mut profile = Profile::default();
        change(&mut profile);
        Simulator::builder().profile(profile).try_build().err().map_or(String::new(), |error| error.message)
    };
    let form = |name: &str, form: &str| {
        refused(&|profile| drop(profile.ingest_forms.insert(name.to_owned(), form.to_owned())))
    };
    assert_eq!(form("acme", "edje"), "ingest_forms.acme: there is no form \"edje\"; did you mean `edge`?");
    assert_eq!(form("json", "edge"), "ingest_forms.json: is the name of another form");
    assert!(form("a b", "edge").starts_with("ingest_forms.a b: must be words of a path"));
    assert_eq!(form("acme/logs", "edge"), "");
    let same = refused(&|profile| {
        profile.log_sources.insert("edge_logs".to_owned(), "postgres.logs".to_owned());
    });
    assert_eq!(same, "log_sources.postgres_logs: \"postgres.logs\" is the source of edge_logs already");
    let keeps = "PostgreSQL keeps names that begin with `pg_` for itself";
    assert!(
        refused(&|profile| profile.platform = "pg".to_owned()).starts_with(&format!("platform: {keeps}"))
    );
    let schema = refused(&|profile| profile.migrations_schema = "pg_moves".to_owned());
    assert!(schema.starts_with(&format!("migrations_schema: {keeps}")));
    for (field, text) in [
        ("hostname_ownership_label", refused(&|profile| profile.hostname_ownership_label = "a b".to_owned())),
        ("dataset_suffix", refused(&|profile| profile.dataset_suffix = "a b".to_owned())),
        ("warehouse_project", refused(&|profile| profile.warehouse_project = String::new())),
    ] {
        assert!(text.starts_with(&format!("{field}: must be letters, digits, `_`, `-` or `.`")), "{text}");
    }
    assert_eq!(
        refused(&|profile| profile.directives_key = String::new()),
        "directives_key: must not be empty"
    );
}
