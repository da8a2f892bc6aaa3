//! `/_sim/agenda`: scheduled work, and what ends by itself.

use http::Method;
use serde_json::json;
use sim_core::Simulator;
use sim_fixtures::{Api, Call, api::peek, scenario};

use crate::steps::Steps as _;
use crate::support::both;

const BACK: &str = "https://app.test/back";

/// What is on the agenda, with the minutes until then.
fn agenda(api: &mut dyn Api) -> Vec<String> {
    let shown = |sim: &mut Simulator| {
        let minutes = |due: &sim_core::Due| (due.due.as_second() - sim.now().as_second()) / 60;
        sim.agenda().iter().map(|due| format!("{} in {} min", due.kind, minutes(due))).collect()
    };
    peek(api, shown)
}

/// Authorizes a new app, and returns the code.
fn code(api: &mut dyn Api) -> (String, String, String) {
    let app = json!({ "name": "App", "redirect_uris": [BACK], "scopes": ["projects:read"] });
    let app = api.control(Method::POST, "/_sim/oauth/apps", app);
    let text = |name: &str| app[name].as_str().expect("an app has both").to_owned();
    let (id, secret) = (text("client_id"), text("client_secret"));
    let query = format!("client_id={id}&response_type=code&redirect_uri=https%3A%2F%2Fapp.test%2Fback");
    let reply = api.send(Call::get(&format!("/v1/oauth/authorize?{query}")).nobody());
    let code = reply.header("location").split("code=").nth(1).expect("the browser comes back with a code");
    (id, secret, code.split('&').next().unwrap_or_default().to_owned())
}

#[test]
fn what_ends_by_itself_is_there_until_it_ends() {
    both(scenario::read_only_project, |api| {
        assert!(agenda(api).is_empty());
        assert_eq!(api.act("/v1/projects/{ref}/readonly/temporary-disable").status, 201);
        for _ in 0..2 {
            api.post("/_sim/projects/{ref}/database/failed-logins", json!({ "address": "192.0.2.1" }));
        }
        let role = api.post("/v1/projects/{ref}/cli/login-role", json!({ "read_only": true }));
        assert_eq!(role.status, 201, "{role}");
        assert_eq!(api.act("/v1/projects/{ref}/claim-token").status, 200);
        let (id, secret, code) = code(api);
        assert_eq!(
            agenda(api),
            [
                "end of OAuth code in 10 min",
                "end of read-only override in 15 min",
                "end of ban in 30 min",
                "end of login role in 60 min",
                "end of claim token in 1440 min",
            ]
        );

        // A code ends when it is used, and makes a token that ends.
        let fields = [
            ("grant_type", "authorization_code"),
            ("code", &code),
            ("redirect_uri", BACK),
            ("client_id", &id),
            ("client_secret", &secret),
        ];
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let call = Call::post("/v1/oauth/token").nobody().bytes("application/x-www-form-urlencoded", body);
        let made = api.send(call);
        assert_eq!(made.status, 201, "{made}");

        // The clock reaches each of them, and then there is nothing left.
        let mut ends = Vec::new();
        while let Some(next) = peek(api, |sim| sim.agenda().first().cloned()) {
            let same = |sim: &mut Simulator| {
                let others = sim.agenda().into_iter().skip(1).take_while(|one| one.due == next.due);
                others.map(|one| one.kind).collect::<Vec<_>>()
            };
            let same_instant = peek(api, same);
            let now = peek(api, |sim| sim.advance_to_next().map(|happened| (happened.len(), sim.now())));
            assert_eq!(now, Some((0, next.due)));
            ends.push(next.kind);
            ends.extend(same_instant);
        }
        ends.sort();
        let all = ["ban", "claim token", "login role", "read-only override", "token"];
        assert_eq!(ends, all.map(|what| format!("end of {what}")));
    });
}

#[test]
fn work_says_what_it_will_lead_to() {
    both(scenario::active_project, |api| {
        assert_eq!(api.post("/v1/projects/{ref}/branches", json!({ "branch_name": "dev" })).status, 201);
        api.put("/_sim/outcomes/pause", json!({ "outcome": "fail" }));
        assert_eq!(api.act("/v1/projects/{ref}/pause").status, 200);
        let told = |due: &sim_core::Due| {
            let name = due.name.as_deref().unwrap_or_default();
            let event = due.event.as_deref().unwrap_or_default();
            format!("{} {name}: {event} to {}", due.kind, due.becomes.as_deref().unwrap_or_default())
        };
        let due = peek(api, |sim| sim.agenda().iter().map(told).collect::<Vec<_>>());
        assert_eq!(
            due,
            [
                "project dev: FinishCreate to ACTIVE_HEALTHY",
                "branch dev: ProjectReady to RUNNING_MIGRATIONS",
                "project demo: FailPause to PAUSE_FAILED",
            ]
        );
    });
}

#[test]
fn work_and_ends_are_in_the_order_of_time() {
    both(scenario::active_project, |api| {
        api.post("/v1/projects/{ref}/cli/login-role", json!({ "read_only": true }));
        assert_eq!(api.act("/v1/projects/{ref}/pause").status, 200);
        let kinds = peek(api, |sim| sim.agenda().into_iter().map(|due| due.kind).collect::<Vec<_>>());
        assert_eq!(kinds, ["project", "end of login role"]);
        let (due, change) = peek(api, |sim| (sim.next_due(), sim.next_change()));
        assert_eq!(due, change);
        let done = peek(api, |sim| sim.advance_to_next().map(|happened| happened.len()));
        assert_eq!(done, Some(1));
        assert!(peek(api, |sim| sim.next_due().is_none() && sim.next_change().is_some()));
    });
}
