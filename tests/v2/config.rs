//! `/v2/projects/{ref}/config`.

use insta::assert_snapshot;
use serde_json::json;
use sim_core::{Edition, Role};
use sim_fixtures::{Call, scenario};

use crate::steps::{refuse_strangers, under};
use crate::support::both;

const CONFIG: &str = "/v2/projects/{ref}/config";

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    refuse_strangers(&[(Call::get(CONFIG), Role::ReadOnly)]);
}

#[test]
fn settings_that_v1_changes_are_shown() {
    both(scenario::active_project, |api| {
        let before = api.get(CONFIG).json();
        let data = &before["data"];
        assert_eq!((&data["type"], &data["id"]), (&json!("project_config"), &json!(api.project())));
        let changes = [
            ("/v1/projects/{ref}/postgrest", json!({ "max_rows": 7, "db_pool": 3 })),
            ("/v1/projects/{ref}/config/auth", json!({ "site_url": "https://shop.example" })),
            ("/v1/projects/{ref}/config/storage", json!({ "fileSizeLimit": 9 })),
            ("/v1/projects/{ref}/config/realtime", json!({ "max_concurrent_users": 11 })),
            ("/v1/projects/{ref}/config/database/pooler", json!({ "default_pool_size": 5 })),
            (
                "/v1/projects/{ref}/config/database/postgres",
                json!({ "pg_net.batch_size": 6, "work_mem": "8MB" }),
            ),
        ];
        for (path, body) in changes {
            let reply = api.patch(path, body);
            assert!(reply.status < 300, "{path}: {reply}");
        }
        let after = api.get(CONFIG).json();
        let rows = [
            ("/api/max_rows", json!(1000), json!(7)),
            ("/api/db_pool", json!(null), json!(3)),
            ("/auth/site_url", json!("http://localhost:3000"), json!("https://shop.example")),
            ("/storage/file_size_limit", json!(50 << 20), json!(9)),
            ("/realtime/max_concurrent_users", json!(200), json!(11)),
            ("/pooler/default_pool_size", json!(15), json!(5)),
            ("/database/postgres_settings", json!({}), json!({ "work_mem": "8MB", "pg_net_batch_size": 6 })),
        ];
        for (place, old, new) in rows {
            let at = |document: &serde_json::Value| document["data"]["attributes"].pointer(place).cloned();
            assert_eq!((at(&before), at(&after)), (Some(old), Some(new)), "{place}");
        }
    });
}

#[test]
fn restrictions_that_wait_are_shown_beside_those_in_force() {
    let slow = || under(|policy| policy.durations.apply_restrictions_ms = 60_000);
    both(slow, |api| {
        let restrictions = |api: &mut dyn sim_fixtures::Api| {
            api.get(CONFIG).json()["data"]["attributes"]["database"]["network_restrictions"].clone()
        };
        let everyone = json!([{ "address": "0.0.0.0/0", "type": "v4" }, { "address": "::/0", "type": "v6" }]);
        assert_eq!(restrictions(api)["allowed_cidrs"], everyone);
        let body = json!({ "dbAllowedCidrs": ["10.0.0.0/8"], "dbAllowedCidrsV6": [] });
        assert_eq!(api.post("/v1/projects/{ref}/network-restrictions/apply", body).status, 201);
        let stored = restrictions(api);
        assert_eq!((&stored["status"], &stored["allowed_cidrs"]), (&json!("stored"), &everyone));
        let wanted = json!([{ "address": "10.0.0.0/8", "type": "v4" }]);
        assert_eq!(stored["pending_allowed_cidrs"], wanted);
        assert!(stored["updated_at"].is_string() && stored.get("applied_at").is_none(), "{stored}");
        api.advance(crate::support::seconds(3600));
        let applied = restrictions(api);
        assert_eq!((&applied["status"], &applied["allowed_cidrs"]), (&json!("applied"), &wanted));
        assert_eq!(applied.get("pending_allowed_cidrs"), None);
        assert!(applied["applied_at"].is_string(), "{applied}");
    });
}

#[test]
fn refusals_have_a_code_a_message_and_an_issue_for_each_field() {
    both(scenario::active_project, |api| {
        assert_snapshot!(
            api.send(Call::get(CONFIG).nobody()),
            @r#"401 {"error":{"code":"unauthorized","message":"Unauthorized"}}"#
        );
        assert_snapshot!(
            api.get("/v2/projects/nosuchprojectatallxx/config"),
            @r#"404 {"error":{"code":"project_not_found","message":"Project not found"}}"#
        );
        let reply = api.get("/v2/projects/short/config").json();
        assert_eq!(reply["error"]["code"], "validation_failed");
        assert_eq!(reply["error"]["issues"][0]["meta"], json!({ "field": "ref" }));
        assert_snapshot!(
            api.get("/v2/nothing"),
            @r#"404 {"error":{"code":"not_found","message":"Cannot GET /v2/nothing"}}"#
        );
    });
}

#[test]
fn the_first_edition_has_no_second_version() {
    both(
        || under(|policy| policy.edition = Edition::V2025_05),
        |api| assert_eq!((api.get(CONFIG).status, api.get(CONFIG).reason()), (404, "unknown_path")),
    );
}
