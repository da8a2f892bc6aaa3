//! Steps that many facts use.

use http::Method;
use serde_json::{Value, json};
use sim_core::{Policy, RateLimit, Role};
use sim_fixtures::{Api, Call, Reply, Scene, scenario};

use crate::support::{both, seconds};

/// Prepares a world for the call of a row.
pub(crate) type Prepare = fn(&mut dyn Api);

/// Steps that must succeed.
pub(crate) trait Steps {
    /// A control operation.
    fn control(&mut self, method: Method, path: &str, body: Value) -> Value;

    /// Changes the plan of `acme`.
    fn plan(&mut self, plan: &str);

    /// Makes the next work of that name fail.
    fn next_fails(&mut self, work: &str);

    /// Gives the project an add-on or takes it away.
    fn addon(&mut self, addon: &str, enabled: bool);

    /// Resizes the project's instance and waits until that is done.
    fn resize(&mut self, size: &str);

    /// Creates another project in `acme`, which becomes active on its own; returns its reference.
    fn another_project(&mut self, name: &str) -> String;

    /// Advances the clock by seconds.
    fn after(&mut self, count: u64);

    /// The project's status.
    fn status(&mut self) -> String;
}

impl Steps for dyn Api + '_ {
    fn control(&mut self, method: Method, path: &str, body: Value) -> Value {
        let reply = self.send(Call::new(method.clone(), path).json(body));
        assert!(reply.status < 300, "{method} {path}: {reply}");
        reply.json()
    }

    fn plan(&mut self, plan: &str) {
        self.control(Method::PUT, "/_sim/organizations/acme/plan", json!({ "plan": plan }));
    }

    fn next_fails(&mut self, work: &str) {
        self.control(Method::PUT, &format!("/_sim/outcomes/{work}"), json!({ "outcome": "fail" }));
    }

    fn addon(&mut self, addon: &str, enabled: bool) {
        let path = format!("/_sim/projects/{{ref}}/addons/{addon}");
        self.control(Method::PUT, &path, json!({ "enabled": enabled }));
    }

    fn resize(&mut self, size: &str) {
        let body = json!({ "instance_size": size });
        self.control(Method::PUT, "/_sim/projects/{ref}/instance-size", body);
        self.after(60);
    }

    fn another_project(&mut self, name: &str) -> String {
        let body =
            json!({ "db_pass": "hunter22", "name": name, "organization_id": "acme", "region": "us-east-1" });
        let reply = self.post("/v1/projects", body);
        assert_eq!(reply.status, 201, "{reply}");
        reply.json()["id"].as_str().expect("a project has a reference").to_owned()
    }

    fn after(&mut self, count: u64) {
        self.advance(seconds(count));
    }

    fn status(&mut self) -> String {
        self.get("/v1/projects/{ref}").json()["status"].as_str().unwrap_or_default().to_owned()
    }
}

/// An active project under a policy without a rate limit and with the differences in `change`.
pub(crate) fn under(change: impl FnOnce(&mut Policy)) -> Scene {
    let mut policy = Policy { rate_limit: RateLimit::off(), ..Policy::default() };
    change(&mut policy);
    scenario::active_project_under(policy)
}

/// Checks the refusal.
#[track_caller]
pub(crate) fn refused(reply: &Reply, status: u16, reason: &str, message: &str) {
    let found = (reply.status, reply.reason(), reply.message());
    assert_eq!(found, (status, reason, message.to_owned()));
}

/// The message of a refusal, as a client sees it.
pub(crate) fn message(status: u16, text: &str) -> String {
    format!("{status} {}", json!({ "message": text }))
}

/// Checks that each call on a project is refused to callers without permission, and for projects that do not
/// exist, are removed, or have an impossible reference. The role is the lowest that may call.
pub(crate) fn refuse_strangers(calls: &[(Call, Role)]) {
    const NO_PRIVILEGES: &str = "Your account does not have the necessary privileges to access this endpoint. \
        For more details, refer to our documentation on access control.";
    both(
        || under(|_| {}),
        |api| {
            let removed = api.another_project("removed");
            api.delete(&format!("/v1/projects/{removed}"));
            for (call, least) in calls {
                let mut check = |call: Call, status: u16, expected: &str| {
                    let shown = call.to_string();
                    let reply = api.send(call);
                    let is_it = reply.status == status && reply.message().starts_with(expected);
                    assert!(is_it, "{shown}: {reply}, not {status} {expected}");
                };
                check(call.clone().nobody(), 401, "Unauthorized");
                check(call.clone().token("nobody-knows"), 401, "Unauthorized");
                check(call.clone().token("token-of-outsider"), 403, NO_PRIVILEGES);
                let lower = match least {
                    Role::ReadOnly => None,
                    Role::Developer => Some("reader"),
                    Role::Administrator => Some("developer"),
                    Role::Owner => Some("administrator"),
                };
                if let Some(lower) = lower {
                    check(call.clone().token(&format!("token-of-{lower}")), 403, NO_PRIVILEGES);
                }
                let of = |project: &str| Call { path: call.path.replace("{ref}", project), ..call.clone() };
                check(of("nosuchprojectatallxx"), 404, "Project not found");
                check(of("Not-A-Ref"), 400, "ref: Invalid");
                check(of(&removed), 400, "Resource has been removed");
            }
        },
    );
}
