//! Fields that an operation does not know: they are named in the answer, or refused.

use http::Method;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sim_core::engine::UnknownFields;
use sim_core::seed::Seed;
use sim_fixtures::{Call, Reply, api, scenario};

use crate::steps::{Steps as _, refused, under};
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
fn an_answer_names_fields_that_are_declared_to_have_no_effect() {
    both(knowing(UnknownFields::Mark), |api| {
        let key = json!({ "type": "secret", "name": "spare" });
        let id =
            api.post("/v1/projects/{ref}/api-keys", key).json()["id"].as_str().unwrap_or_default().to_owned();
        let path = format!("/v1/projects/{{ref}}/api-keys/{id}?was_compromised=true&reason=leak&reveal=true");
        assert_eq!(ignored(&api.delete(&path)), "query.was_compromised,query.reason");
        let function = json!({ "slug": "hi", "name": "hi", "body": "serve()", "ezbr_sha256": "00" });
        let made = api.post("/v1/projects/{ref}/functions", function);
        assert_eq!(ignored(&made), "body.ezbr_sha256");
        let reply = api.patch("/v1/projects/{ref}/functions/hi?slug=hi", json!({ "name": "ho" }));
        assert_eq!(ignored(&reply), "query.slug");
        let digest: String = Sha256::digest("bundle").iter().map(|byte| format!("{byte:02x}")).collect();
        let path = format!("/v1/projects/{{ref}}/functions/hi?name=ho&ezbr_sha256={digest}");
        let sent = |bytes: &str| patch(&path).bytes("application/octet-stream", bytes.to_owned());
        assert_eq!(ignored(&api.send(sent("bundle"))), "");
        assert_eq!(ignored(&api.send(sent("other"))), "query.ezbr_sha256");
        let body = json!({ "name": "ho", "slug": "hi" });
        assert_eq!(ignored(&api.patch("/v1/projects/{ref}/functions/hi", body)), "body.slug");
    });
    both(knowing(UnknownFields::Refuse), |api| {
        let reply = api.patch("/v1/projects/{ref}/functions/hi", json!({ "slug": "hi" }));
        refused(&reply, 400, "invalid_body.slug", "slug: Has no effect here");
    });
}

#[test]
fn a_parameter_with_one_value_is_refused_if_it_is_sent_twice() {
    both(knowing(UnknownFields::Mark), |api| {
        let reply = api.get("/v1/projects/{ref}/database/migrations?x=1&x=2");
        assert_eq!(ignored(&reply), "query.x");
        let reply = api.get("/v1/organizations/acme/projects?limit=1&limit=2");
        refused(&reply, 400, "invalid_query.limit", "limit: Expected integer, received array");
        let far = api.get("/v1/organizations/acme/projects?offset=99999999999999999999");
        assert!(
            far.json()["message"].to_string().contains("offset: Number must be less than or equal to"),
            "{far}"
        );
        let one = api.get("/v1/projects/{ref}/health?services=auth");
        let two = api.get("/v1/projects/{ref}/health?services=auth&services=db");
        assert_eq!([one, two].map(|reply| reply.json().as_array().map(Vec::len)), [Some(1), Some(2)]);
        let part = "--x\r\ncontent-disposition: form-data; name=\"metadata\"\r\n\r\n{\"entrypoint_path\":\"a.ts\"}\r\n";
        let call = Call::post("/v1/projects/{ref}/functions/deploy?slug=hi");
        let reply = api.send(call.bytes("multipart/form-data; boundary=x", format!("{part}{part}--x--\r\n")));
        refused(&reply, 400, "invalid_body.metadata", "metadata: Expected object, received array");
    });
}

#[test]
fn a_member_that_comes_twice_counts_once_and_is_named() {
    let twice =
        r#"{"fileSizeLimit":5,"features":{"s3Protocol":{"enabled":false,"enabled":true}},"fileSizeLimit":6}"#;
    let bytes = |call: Call, body: &str| call.bytes("application/json", body.to_owned());
    both(knowing(UnknownFields::Mark), |api| {
        let reply = api.send(bytes(patch(STORAGE), twice));
        assert_eq!(ignored(&reply), "body.features.s3Protocol.enabled,body.fileSizeLimit");
        let kept = api.get(STORAGE).json();
        assert_eq!(
            (&kept["fileSizeLimit"], &kept["features"]["s3Protocol"]["enabled"]),
            (&json!(6), &json!(true))
        );
        // In a list, in a part of a form, and of its files.
        let secrets = r#"[{"name":"A","value":"1"},{"name":"B","value":"2","value":"3"}]"#;
        let reply = api.send(bytes(Call::post("/v1/projects/{ref}/secrets"), secrets));
        assert_eq!(ignored(&reply), "body.secrets.1.value");
        let part = |head: &str, body: &str| {
            format!("--x\r\ncontent-disposition: form-data; {head}\r\n\r\n{body}\r\n")
        };
        let form = [
            part("name=\"metadata\"", r#"{"entrypoint_path":"b.ts","entrypoint_path":"a.ts"}"#),
            part("name=\"file\"; filename=\"a.ts\"", "serve()"),
            part("name=\"file\"; filename=\"a.ts\"", "serve(1)"),
            "--x--\r\n".to_owned(),
        ];
        let call = Call::post("/v1/projects/{ref}/functions/deploy?slug=hi");
        let reply = api.send(call.bytes("multipart/form-data; boundary=x", form.concat()));
        assert_eq!(ignored(&reply), "body.metadata.entrypoint_path,body.file.1");
        // What is ours refuses it.
        let rule = r#"{"on":{"path":"/v1/*","path":"/v2/*"},"effect":{"kind":"reset"}}"#;
        let reply = api.send(bytes(Call::post("/_sim/faults"), rule));
        refused(&reply, 400, "invalid_body.on.path", "on.path: Given more than once");
    });
    both(knowing(UnknownFields::Refuse), |api| {
        let reply = api.send(bytes(patch(STORAGE), twice));
        let text = "features.s3Protocol.enabled: Given more than once, fileSizeLimit: Given more than once";
        refused(&reply, 400, "invalid_body.features.s3Protocol.enabled", text);
    });
    both(knowing(UnknownFields::Accept), |api| {
        assert_eq!(ignored(&api.send(bytes(patch(STORAGE), twice))), "");
    });
    let seed = r#"{"users":[{"name":"ada","name":"ben"}]}"#;
    assert!(Seed::parse(seed).is_err_and(|error| error.message.contains("name")));
}

#[test]
fn an_item_that_changes_nothing_is_named() {
    let secret = |name: &str, value: &str| json!({ "name": name, "value": value });
    let secrets = json!([secret("A", "1"), secret("B", "2"), secret("A", "3")]);
    let rows: &[(Call, &str)] = &[
        (Call::post("/v1/projects/{ref}/secrets").json(secrets), "body.secrets.0"),
        (
            Call::delete("/v1/projects/{ref}/secrets").json(json!(["C", "B", "B"])),
            "body.names.0,body.names.2",
        ),
        (Call::delete("/v1/projects/{ref}/secrets").json(json!(["A"])), ""),
        (
            Call::delete("/v1/projects/{ref}/network-bans").json(json!({ "ipv4_addresses": ["192.0.2.1"] })),
            "body.ipv4_addresses.0",
        ),
        (
            Call::delete("/v1/projects/{ref}/network-bans")
                .json(json!({ "ipv4_addresses": [], "requester_ip": true })),
            "body.requester_ip",
        ),
        (
            patch("/v1/projects/{ref}/network-restrictions")
                .json(json!({ "remove": { "dbAllowedCidrs": ["0.0.0.0/0", "192.0.2.0/24"] } })),
            "body.remove.dbAllowedCidrs.1",
        ),
        (
            patch("/v1/projects/{ref}/network-restrictions")
                .json(json!({ "add": { "dbAllowedCidrs": ["192.0.2.0/24", "192.0.2.0/24"] } })),
            "body.add.dbAllowedCidrs.1",
        ),
        (Call::delete("/v1/projects/{ref}/database/migrations?gte=99990101000000"), "query.gte"),
        (
            Call::get("/v1/projects/{ref}/types/typescript?included_schemas=public,nowhere"),
            "query.included_schemas",
        ),
        (Call::get("/v1/projects/{ref}/types/typescript?included_schemas="), "query.included_schemas"),
        (Call::get("/v1/projects/{ref}/types/typescript?included_schemas=public,storage"), ""),
    ];
    both(knowing(UnknownFields::Mark), |api| {
        for (call, names) in rows {
            assert_eq!(ignored(&api.send(call.clone())), *names, "{call}");
        }
    });
    both(knowing(UnknownFields::Refuse), |api| {
        let reply = api.send(Call::delete("/v1/projects/{ref}/secrets").json(json!(["C"])));
        refused(&reply, 400, "invalid_body.names.0", "names.0: Has no effect here");
    });
}

#[test]
fn of_two_names_of_a_field_that_of_the_edition_counts() {
    both(knowing(UnknownFields::Mark), |api| {
        let project = |name: &str, id: &str| json!({ "name": name, "organization_slug": "acme", "organization_id": id, "db_pass": "secret", "region": "us-east-1" });
        let made = api.post("/v1/projects", project("one", "other"));
        assert_eq!(
            (ignored(&made), &made.json()["organization_slug"]),
            ("body.organization_id", &json!("acme"))
        );
        assert_eq!(ignored(&api.post("/v1/projects", project("two", "acme"))), "");
    });
}

#[test]
fn an_answer_names_fields_that_other_values_leave_without_effect() {
    both(knowing(UnknownFields::Mark), |api| {
        let project = |more: Value| {
            let mut body = json!({ "name": "other", "organization_id": "acme", "db_pass": "secret", "region": "us-east-1" });
            body.as_object_mut()
                .into_iter()
                .for_each(|body| body.extend(more.as_object().cloned().unwrap_or_default()));
            body
        };
        let both = json!({ "region_selection": { "type": "specific", "code": "eu-west-1" } });
        let made = api.post("/v1/projects", project(both));
        assert_eq!((ignored(&made), &made.json()["region"]), ("body.region", &json!("eu-west-1")));
        let function = json!({ "slug": "hi", "name": "hi", "body": "x", "import_map": false, "import_map_path": "a.json" });
        let made = api.post("/v1/projects/{ref}/functions", function);
        assert_eq!(ignored(&made), "body.import_map_path");
        let disk = json!({ "type": "io2", "size_gb": 10, "iops": 1000, "throughput_mibps": 200 });
        let changed = api.post("/v1/projects/{ref}/config/disk", json!({ "attributes": disk }));
        assert_eq!(ignored(&changed), "body.attributes.throughput_mibps");
        let branch = |name: &str| json!({ "name": name, "desired_instance_size": "nano" });
        let document = json!({ "data": { "type": "branch", "attributes": branch("one") } });
        let made = api.post("/v2/projects/{ref}/branches", document);
        assert_eq!(ignored(&made), "body.data.attributes.desired_instance_size");
    });
    both(scenario::four_roles, |api| {
        api.plan("free");
        let body = json!({
            "name": "small", "organization_id": "acme", "db_pass": "secret", "region": "us-east-1",
            "desired_instance_size": "large",
        });
        assert_eq!(ignored(&api.post("/v1/projects", body)), "body.desired_instance_size");
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
