//! Every scenario is in the state that its name says, as seen through the API.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sim_core::Simulator;
use sim_core::seed::scenario::{self, Scenario};
use sim_fixtures::api::peek;
use sim_fixtures::{Api, Call, InProcess};

use crate::support::held;

const PROJECT: &str = "/v1/projects/{ref}";
const UPGRADE: &str = "/v1/projects/{ref}/upgrade/status";
const BRANCHES: &str = "/v1/projects/{ref}/branches";
const READ_ONLY: &str = "/v1/projects/{ref}/readonly";
const HOSTNAME: &str = "/v1/projects/{ref}/custom-hostname";

/// A fact about a scenario: the response on this path has this value at this place.
type Promise = (&'static str, &'static str, Value);

fn status(status: &str) -> Promise {
    (PROJECT, "/status", status.into())
}

fn branch(status: &str) -> Promise {
    (BRANCHES, "/1/status", status.into())
}

fn step(progress: &str) -> Promise {
    (UPGRADE, "/databaseUpgradeStatus/progress", progress.into())
}

#[rustfmt::skip]
fn promised(name: &str) -> Promise {
    match name {
        "four-roles" => ("/v1/projects", "", json!([])),
        "active-project" => status("ACTIVE_HEALTHY"),
        "new-project" => status("COMING_UP"),
        "failed-create" => status("INIT_FAILED"),
        "pausing-project" => status("PAUSING"),
        "paused-project" => status("INACTIVE"),
        "failed-pause" => status("PAUSE_FAILED"),
        "restoring-project" => status("RESTORING"),
        "failed-restore" => status("RESTORE_FAILED"),
        "unhealthy-project" => status("ACTIVE_UNHEALTHY"),
        "restarting-project" => status("RESTARTING"),
        "resizing-project" => status("RESIZING"),
        "removed-project" => (PROJECT, "/message", "Resource has been removed".into()),
        "upgrade-at-step-0" => step("0_requested"),
        "upgrade-at-step-1" => step("1_started"),
        "upgrade-at-step-2" => step("2_launched_upgraded_instance"),
        "upgrade-at-step-3" => step("3_detached_volume_from_upgraded_instance"),
        "upgrade-at-step-4" => step("4_attached_volume_to_original_instance"),
        "upgrade-at-step-5" => step("5_initiated_data_upgrade"),
        "upgrade-at-step-6" => step("6_completed_data_upgrade"),
        "upgrade-at-step-7" => step("7_detached_volume_from_original_instance"),
        "upgrade-at-step-8" => step("8_attached_volume_to_upgraded_instance"),
        "upgrade-at-step-9" => step("9_completed_upgrade"),
        "failed-upgrade" => (UPGRADE, "/databaseUpgradeStatus/error", "5_data_upgrade_completion_failed".into()),
        "upgraded-project" => (UPGRADE, "/databaseUpgradeStatus/status", 1.into()),
        "branch-ready" => branch("FUNCTIONS_DEPLOYED"),
        "branch-running-migrations" => branch("RUNNING_MIGRATIONS"),
        "branch-with-failed-migrations" => branch("MIGRATIONS_FAILED"),
        "branch-with-failed-functions" => branch("FUNCTIONS_FAILED"),
        "read-only-project" => (READ_ONLY, "/override_enabled", false.into()),
        "read-only-override-about-to-end" => (READ_ONLY, "/override_enabled", true.into()),
        "rate-limited-user" => (PROJECT, "/message", "ThrottlerException: Too Many Requests".into()),
        "free-quota-used-up" => ("/v1/projects", "/2/status", "ACTIVE_HEALTHY".into()),
        "hostname-waiting-for-dns" => (HOSTNAME, "/status", "2_initiated".into()),
        "hostname-ready" => (HOSTNAME, "/status", "4_origin_setup_completed".into()),
        "hostname-in-use" => (HOSTNAME, "/status", "5_services_reconfigured".into()),
        "authorized-app" | "expired-oauth-grant" => status("ACTIVE_HEALTHY"),
        "banned-address" => ("/v1/projects/{ref}/network-bans/retrieve", "/banned_ipv4_addresses/0", "203.0.113.7".into()),
        "restricted-network" => ("/v1/projects/{ref}/network-restrictions", "/config/dbAllowedCidrs/0", "10.0.0.0/8".into()),
        "replica-being-set-up" => ("/_sim/projects/{ref}/read-replicas", "/0/region", "eu-west-1".into()),
        "failed-backup" => ("/v1/projects/{ref}/database/backups", "/backups/0/status", "FAILED".into()),
        "flaky-platform" => ("/_sim/faults", "/0/rule/effect/status", 503.into()),
        "lost-create" => ("/_sim/faults", "/0/rule/effect/kind", "lost_answer".into()),
        "shop" => ("/v1/projects/{ref}/functions", "/0/slug", "hello".into()),
        "all-at-once" => ("/v1/projects", "/3/status", "UPGRADING".into()),
        "rejected-events" => ("/api/sources/{gateway}", "/metrics/rejected", 1.into()),
        "events" => ("/api/sources/{gateway}", "/metrics/inserts", 2.into()),
        other => panic!("no expectation for {other}"),
    }
}

fn read(api: &mut InProcess, path: &str) -> Value {
    match path {
        "/v1/projects/{ref}/network-bans/retrieve" => api.act(path).json(),
        "/api/sources/{gateway}" => {
            let token = peek(api, |sim| sim.beside().and_then(Simulator::first_token).map(str::to_owned));
            let token = token.expect("the analytics server has a token");
            let sources = api.send(Call::get("/api/sources").token(&token)).json();
            let mut sources = sources.as_array().into_iter().flatten();
            sources.find(|source| source["name"] == "gateway").cloned().unwrap_or_default()
        }
        _ => api.send(Call::get(path)).json(),
    }
}

#[test]
fn every_scenario_is_in_the_state_of_its_name() {
    let broken: Vec<String> = scenario::ALL.iter().filter_map(|one| told(&one.name()).err()).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

fn told(name: &str) -> Result<(), String> {
    let seed = scenario::named(name).map_err(|error| error.message)?;
    seed.build().map_err(|error| format!("{name}: {}", error.message))?;
    let mut api = InProcess::new(sim_fixtures::scenario::named(name));
    let (path, place, expected) = promised(name);
    let answer = read(&mut api, path);
    match answer.pointer(place) == Some(&expected) {
        true => Ok(()),
        false => Err(format!("{name}: {place} is not {expected} in {answer}")),
    }
}

#[test]
fn they_are_documented() {
    let mut text = "# Scenarios\n\nGenerated; `STUNTDOUBLE_BLESS=1 cargo test -p sim-tests` rewrites it.\n\n\
                    | name | state |\n|---|---|\n"
        .to_owned();
    let row = |one: &Scenario| format!("| `{}` | {} |", one.name(), one.about);
    scenario::ALL.iter().for_each(|one| writeln!(text, "{}", row(one)).expect("a string takes it"));
    held("docs/scenarios.md", &text);
}

#[test]
fn an_apps_token_is_valid_until_the_grant_expires() {
    use sim_core::management::project::ListProjects;
    let token = token_of_app();
    let mut good = scenario::authorized_app().build().expect("a good seed");
    assert!(good.as_user(&token).expect("it is valid").call(ListProjects {}).is_ok());
    let mut expired = scenario::expired_oauth_grant().build().expect("a good seed");
    let refused = expired.as_user(&token).map(drop).unwrap_err();
    assert_eq!(refused.status(), 401, "{refused}");
}

/// The access token of the scenarios' app, which a client gets by the same steps in the same world.
fn token_of_app() -> String {
    use sim_core::management::oauth::{Authorize, ExchangeToken, GrantType};
    let (client_id, client_secret) = scenario::APP;
    let seed = scenario::authorized_app();
    let mut before = seed.build().expect("a good seed").at_call(1).expect("the journal is whole");
    let back = "https://app.test/back";
    let mut admin = before.as_admin();
    let location = admin.call(Authorize::code(client_id, back)).expect("the app is registered").location;
    let exchange = ExchangeToken {
        grant_type: Some(GrantType::AuthorizationCode),
        client_id: Some(client_id.to_owned()),
        client_secret: Some(client_secret.into()),
        code: location.rsplit_once('=').map(|(_, code)| code.into()),
        code_verifier: None,
        redirect_uri: Some(back.to_owned()),
        refresh_token: None,
        ..ExchangeToken::default()
    };
    admin.call(exchange).expect("the code is valid").access_token.0
}
