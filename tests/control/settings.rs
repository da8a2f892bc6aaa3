//! `/_sim/organizations/{slug}/options` and `/_sim/projects/{ref}/pool-mode`: settings that only the
//! service's web pages can change.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::{Policy, Profile, Simulator};
use sim_fixtures::scenario;

use crate::support::both;

#[test]
fn options_of_an_organization_stay_where_not_given() {
    both(scenario::four_roles, |api| {
        let path = "/_sim/organizations/acme/options";
        assert_eq!(api.put(path, json!({ "opt_in_tags": ["AI_SQL_GENERATOR_OPT_IN"] })).status, 200);
        assert_snapshot!(api.put(path, json!({ "allowed_release_channels": ["beta"] })), @r#"200 {"id":"acme","name":"Acme","plan":"pro","opt_in_tags":["AI_SQL_GENERATOR_OPT_IN"],"allowed_release_channels":["beta"]}"#);
        assert_eq!(api.get("/v1/organizations/acme").json(), api.put(path, json!({})).json());
        let reply = api.put(path, json!({ "opt_in_tags": ["ALL"] }));
        assert_eq!((reply.status, reply.reason()), (400, "invalid_body.opt_in_tags.0"), "{reply}");
        let nowhere = api.put("/_sim/organizations/nowhere/options", json!({}));
        assert_snapshot!(nowhere, @r#"404 {"message":"Organization not found"}"#);
    });
}

#[test]
fn a_pool_mode_is_set_and_seen() {
    both(scenario::active_project, |api| {
        let (path, config) =
            ("/_sim/projects/{ref}/pool-mode", "/v1/projects/{ref}/config/database/pgbouncer");
        for mode in ["session", "statement", "transaction"] {
            assert_snapshot!(api.put(path, json!({ "pool_mode": mode })), @"200 {}");
            assert_eq!(api.get(config).json()["pool_mode"], mode);
        }
        assert_eq!(api.put(path, json!({ "pool_mode": "never" })).reason(), "invalid_body.pool_mode");
    });
    both(scenario::four_roles, |api| {
        let reply = api.put("/_sim/projects/{ref}/pool-mode", json!({ "pool_mode": "session" }));
        assert_snapshot!(reply, @r#"404 {"message":"Project not found"}"#);
    });
}

/// The bounds of a policy's settings, as its schema declares them: path, least, most.
fn bounds(schema: &Value, root: &Value, path: &str, found: &mut Vec<(String, Option<i64>, Option<i64>)>) {
    let schema = match schema["$ref"].as_str().and_then(|at| at.rsplit('/').next()) {
        Some(name) => &root["$defs"][name],
        None => schema,
    };
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}/{name}");
        let real = field["anyOf"].as_array().and_then(|all| all.first()).unwrap_or(field);
        let bound = |key: &str| real[key].as_i64();
        if bound("minimum").is_some() || bound("maximum").is_some() {
            found.push((path.clone(), bound("minimum"), bound("maximum")));
        }
        bounds(real, root, &path, found);
    }
}

/// A policy with `value` at a place, or the reason why there is none.
fn with(place: &str, value: i64) -> Result<Policy, String> {
    let policy = Policy {
        disk_growth: Some(Default::default()),
        analytics: sim_core::engine::AnalyticsPolicy {
            warehouse: Some(Default::default()),
            ..Default::default()
        },
        ..Policy::default()
    };
    let mut policy = serde_json::to_value(policy).expect("plain data");
    let (above, name) = place.rsplit_once('/').expect("a pointer");
    policy.pointer_mut(above).expect("its fields")[name] = value.into();
    serde_json::from_value(policy).map_err(|error| error.to_string())
}

#[test]
fn the_defaults_pass_the_checks_of_what_is_given() {
    let given = Simulator::builder().policy(Policy::default()).profile(Profile::default());
    assert!(given.try_build().is_ok());
}

#[test]
fn a_policy_holds_the_bounds_that_its_schema_declares() {
    let (schema, mut found) = (schemars::schema_for!(Policy).to_value(), Vec::new());
    bounds(&schema, &schema, "", &mut found);
    let mut refused = 0;
    for (place, least, most) in found {
        let outside =
            [least.and_then(|least| least.checked_sub(1)), most.and_then(|most| most.checked_add(1))];
        for value in outside.into_iter().flatten() {
            // A type that has no such number refuses it when the policy is read.
            let Ok(policy) = with(&place, value) else { continue };
            let error = Simulator::builder().policy(policy).try_build().map(drop).expect_err(&place);
            let field = place[1..].replace('/', ".");
            assert_eq!(error.reason, format!("invalid_policy.{field}"), "{place} = {value}");
            assert!(error.message.starts_with(&format!("policy.{field}: Number must be ")), "{error}");
            refused += 1;
        }
        for value in [least, most].into_iter().flatten() {
            let policy = with(&place, value).expect("it is in bounds");
            assert!(Simulator::builder().policy(policy).try_build().is_ok(), "{place} = {value}");
        }
    }
    assert!(refused > 20, "{refused}");
}
