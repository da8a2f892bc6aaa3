//! `/v2/projects/{ref}/backups/download`.

use serde_json::{Value, json};
use sim_core::Role;
use sim_fixtures::{Call, scenario};

use crate::steps::{Steps as _, refuse_strangers};
use crate::support::{both, seconds};

const DOWNLOAD: &str = "/v2/projects/{ref}/backups/download";

fn asked(id: &Value) -> Value {
    json!({ "data": { "type": "project_backup_file_url", "id": id } })
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    refuse_strangers(&[(Call::post(DOWNLOAD).json(asked(&json!(1))), Role::Administrator)]);
}

#[test]
fn a_backup_that_was_made_has_an_address() {
    both(scenario::active_project, |api| {
        api.advance(seconds(2 * 86_400));
        let backups = api.get("/v1/projects/{ref}/database/backups").json();
        let id = backups["backups"][0]["id"].clone();
        let reply = api.post(DOWNLOAD, asked(&id));
        let shown = reply.json();
        assert_eq!((reply.status, &shown["data"]["id"]), (200, &id));
        let address = shown["data"]["attributes"]["file_url"].as_str().unwrap_or_default().to_owned();
        assert!(address.starts_with("https://backups.") && address.contains(&api.project()), "{address}");
        assert_eq!(api.post(DOWNLOAD, asked(&json!(1))).reason(), "backup_not_found");
        let wrong = api.post(DOWNLOAD, asked(&json!("one")));
        assert_eq!(wrong.reason(), "invalid_body.data.id");
    });
}

#[test]
fn physical_backups_have_none() {
    both(scenario::active_project, |api| {
        api.resize("small");
        api.addon("pitr_7", true);
        api.advance(seconds(2 * 86_400));
        let backups = api.get("/v1/projects/{ref}/database/backups").json();
        assert_eq!(backups["backups"][0]["is_physical_backup"], true);
        let reply = api.post(DOWNLOAD, asked(&backups["backups"][0]["id"]));
        assert_eq!(reply.json()["error"]["code"], "backup_unsupported");
    });
}
