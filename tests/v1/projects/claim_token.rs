//! `/v1/projects/{ref}/claim-token`.

use serde_json::json;
use sim_core::Role;
use sim_fixtures::{Call, api::peek, scenario};

use crate::steps::{Steps as _, refuse_strangers, refused};
use crate::support::both;

const TOKEN: &str = "/v1/projects/{ref}/claim-token";

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    refuse_strangers(&[
        (Call::get(TOKEN), Role::Administrator),
        (Call::post(TOKEN), Role::Administrator),
        (Call::delete(TOKEN), Role::Administrator),
    ]);
}

#[test]
fn a_token_is_shown_once_and_good_for_a_day() {
    both(scenario::active_project, |api| {
        refused(&api.get(TOKEN), 404, "claim_token_not_found", "Claim token not found");
        let made = api.act(TOKEN).json();
        let token = made["token"].as_str().expect("a token").to_owned();
        assert_eq!(
            (&made["created_at"], &made["expires_at"]),
            (&json!("2026-01-01T00:01:00Z"), &json!("2026-01-02T00:01:00Z"))
        );
        let alias = made["token_alias"].as_str().expect("an alias").to_owned();
        let (start, end) = alias.split_once("...").expect("its middle is left out");
        assert!(token.starts_with(start) && token.ends_with(end) && token.len() > alias.len(), "{alias}");
        let shown = api.get(TOKEN).json();
        assert_eq!(
            (&shown["token_alias"], &shown["created_by"]),
            (&made["token_alias"], &made["created_by"])
        );
        let journal = peek(api, |sim| serde_json::to_string(&sim.journal()).expect("it is plain data"));
        assert!(!journal.contains(&token));
        api.after(86_399);
        assert_eq!(api.get(TOKEN).status, 200);
        api.after(1);
        assert_eq!(api.get(TOKEN).status, 404);
        assert_ne!(api.act(TOKEN).json()["token"], json!(token));
        assert_eq!(api.delete(TOKEN).to_string(), "204 ");
        assert_eq!(api.get(TOKEN).status, 404);
        assert_eq!(api.delete(TOKEN).status, 204, "none is missed");
    });
}
