//! Fields that an operation does not know: they are named in the answer, or refused.

use http::Method;
use serde_json::json;
use sim_core::engine::UnknownFields;
use sim_fixtures::{Call, Reply, api};

use crate::steps::{refused, under};
use crate::support::both;

const STORAGE: &str = "/v1/projects/{ref}/config/storage";

fn patch(path: &str) -> Call {
    Call::new(Method::PATCH, path)
}

fn ignored(reply: &Reply) -> &str {
    assert!(reply.status < 300, "{reply}");
    reply.header("x-sim-ignored")
}

fn knowing(unknown_fields: UnknownFields) -> impl Fn() -> sim_fixtures::Scene {
    move || under(|policy| policy.unknown_fields = unknown_fields)
}

#[test]
fn an_answer_names_fields_that_have_no_effect() {
    both(knowing(UnknownFields::Mark), |api| {
        let body = json!({
            "fileSizeLimit": 5, "colour": 1,
            "features": { "s3Protocol": { "enabled": true, "speed": 2 }, "imageTransformation": { "enabled": true } },
        });
        let reply = api.send(patch(STORAGE).json(body));
        assert_eq!(ignored(&reply), "body.colour,body.features.s3Protocol.speed");
        assert_eq!(ignored(&api.send(patch(STORAGE).json(json!({ "fileSizeLimit": 5 })))), "");
    });
}

#[test]
fn an_answer_names_query_parameters_that_have_no_effect() {
    both(knowing(UnknownFields::Mark), |api| {
        assert_eq!(
            ignored(&api.get("/v1/projects/{ref}?limit=3&page[]=1&limit=4")),
            "query.limit,query.page[]"
        );
        // A read that was answered before is marked as well.
        assert_eq!(ignored(&api.get("/v1/projects/{ref}?limit=3&page[]=1")), "query.limit,query.page[]");
        assert_eq!(ignored(&api.get("/v1/projects/{ref}/health?services=auth")), "");
    });
}

#[test]
fn names_of_any_kind_and_number_fit_into_the_header() {
    both(knowing(UnknownFields::Mark), |api| {
        let odd = json!({ "a,b": 1, "line\nbreak": 1, "ü": 1 });
        assert_eq!(ignored(&api.send(patch(STORAGE).json(odd))), "body.a%2Cb,body.line%0Abreak,body.%C3%BC");
        let many: serde_json::Map<_, _> =
            (0..1000).map(|number| (format!("{number:0>300}"), json!(number))).collect();
        let reply = api.send(patch(STORAGE).json(many.into()));
        let names = ignored(&reply);
        assert!(names.len() < 3000 && names.ends_with(",+more"), "{names}");
        let short: serde_json::Map<_, _> =
            (0..60).map(|number| (format!("a{number}"), json!(number))).collect();
        let reply = api.send(patch(STORAGE).json(short.into()));
        assert!(ignored(&reply).starts_with("body.a0,body.a1,") && ignored(&reply).ends_with(",+more"));
    });
}

#[test]
fn an_answer_names_a_body_that_is_not_read() {
    both(knowing(UnknownFields::Mark), |api| {
        let get = |body: &str| Call::get("/v1/projects/{ref}").bytes("application/json", body.to_owned());
        assert_eq!(ignored(&api.send(get(r#"{"name":"x"}"#))), "body");
        assert_eq!(ignored(&api.send(get("{}"))), "");
    });
}

#[test]
fn journal_and_explanation_name_what_had_no_effect() {
    both(knowing(UnknownFields::Mark), |api| {
        let reply = api.send(patch(STORAGE).json(json!({ "colour": 1 })));
        let call = reply.header("x-sim-call").parse().expect("a call has a number");
        let explained = api::peek(api, |sim| sim.explain(call).expect("the journal has the call"));
        assert_eq!(explained.call.ignored, ["body.colour"]);
        assert!(explained.to_string().contains("ignored      body.colour"), "{explained}");
        let coverage = api::peek(api, |sim| sim.coverage());
        assert!(
            coverage.ignored.iter().any(|one| one.name == "body.colour" && one.count == 1),
            "{coverage:?}"
        );
    });
}

#[test]
fn a_world_can_refuse_fields_without_effect() {
    both(knowing(UnknownFields::Refuse), |api| {
        let reply = api.send(patch(STORAGE).json(json!({ "fileSizeLimit": 5, "colour": 1 })));
        refused(&reply, 400, "invalid_body.colour", "colour: Unrecognized key");
        let reply = api.get("/v1/projects/{ref}?limit=3");
        refused(&reply, 400, "invalid_query.limit", "limit: Unrecognized key");
        assert_ne!(api.get(STORAGE).json()["fileSizeLimit"], 5);
    });
}

#[test]
fn a_world_can_ignore_fields_without_effect() {
    both(knowing(UnknownFields::Accept), |api| {
        assert_eq!(ignored(&api.send(patch(STORAGE).json(json!({ "colour": 1 })))), "");
    });
}

#[test]
fn a_digest_from_an_answer_does_not_change_the_secret() {
    const AUTH: &str = "/v1/projects/{ref}/config/auth";
    both(knowing(UnknownFields::Refuse), |api| {
        let secret = format!("v1,whsec_{}", "A".repeat(32));
        let set = json!({
            "smtp_pass": "mail", "hook_send_email_secrets": secret, "hook_send_email_uri": "https://example.com",
        });
        assert_eq!(api.send(patch(AUTH).json(set)).status, 200);
        let before = api.get(AUTH).json();
        let mut settings = before.clone();
        let answer_only =
            ["saml_allow_encrypted_assertions", "custom_oauth_max_providers", "nimbus_oauth_email_optional"];
        for name in answer_only {
            settings.as_object_mut().expect("settings are an object").remove(name);
        }
        let reply = api.send(patch(AUTH).json(settings));
        assert_eq!((reply.status, reply.json()), (200, before));
    });
}
