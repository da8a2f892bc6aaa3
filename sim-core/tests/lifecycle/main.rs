//! Upgrades, branches, backups, replicas, resizing, snippets and OAuth as a client sees them.

use std::time::Duration;

use bytes::Bytes;
use http::Request;
use serde_json::{Value, json};
use sim_core::engine::RateLimit;
use sim_core::management::project::CreateProject;
use sim_core::{Policy, Role, Simulator, UserSpec, World};

mod backup;
mod branch;
mod oauth;
mod replica;
mod snippet;
mod upgrade;

/// A world with one active project in `acme`, which is on the pro plan unless a test changes that.
struct Scene {
    sim: Simulator,
    project: String,
}

/// What came back.
struct Reply {
    status: u16,
    reason: String,
    location: String,
    body: String,
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    fn message(&self) -> String {
        self.json()["message"].as_str().unwrap_or_default().to_owned()
    }
}

fn active_project() -> Scene {
    scene(Policy::default())
}

/// Calls are not counted, everything else is as `policy` says.
fn scene(policy: Policy) -> Scene {
    let users = ["owner", "administrator", "developer", "reader", "outsider"];
    let world = users.iter().fold(World::empty(), |world, name| {
        world.user(UserSpec::named(name).token(&format!("token-of-{name}")))
    });
    let members = [
        ("owner", Role::Owner),
        ("administrator", Role::Administrator),
        ("developer", Role::Developer),
        ("reader", Role::ReadOnly),
    ];
    let world = world.organization("Acme", "pro", &members).organization(
        "Others",
        "pro",
        &[("outsider", Role::Owner)],
    );
    let policy = Policy { rate_limit: RateLimit::off(), ..policy };
    let mut sim = Simulator::builder().seed(7).policy(policy).world(world).build();
    let project = sim.call(CreateProject::named("demo", "acme")).expect("the project is good").id.0;
    sim.advance(Duration::from_secs(60));
    Scene { sim, project }
}

impl Scene {
    fn send(&mut self, method: &str, path: &str, token: &str, body: Option<Value>) -> Reply {
        let request = Request::builder()
            .method(method)
            .uri(path.replace("{ref}", &self.project))
            .header("authorization", format!("Bearer {token}"))
            .body(body.map_or_else(Bytes::new, |body| body.to_string().into()));
        self.exchange(request.expect("the request is good HTTP"))
    }

    fn exchange(&mut self, request: Request<Bytes>) -> Reply {
        let response = self.sim.handle(&request);
        let header = |name| {
            response.headers().get(name).map_or("", |value| value.to_str().unwrap_or_default()).to_owned()
        };
        Reply {
            status: response.status().as_u16(),
            reason: header("x-sim-reason"),
            location: header("location"),
            body: String::from_utf8_lossy(response.body()).into_owned(),
        }
    }

    fn get(&mut self, path: &str) -> Reply {
        self.send("GET", path, "token-of-owner", None)
    }

    fn post(&mut self, path: &str, body: Value) -> Reply {
        self.send("POST", path, "token-of-owner", Some(body))
    }

    fn patch(&mut self, path: &str, body: Value) -> Reply {
        self.send("PATCH", path, "token-of-owner", Some(body))
    }

    fn delete(&mut self, path: &str) -> Reply {
        self.send("DELETE", path, "token-of-owner", None)
    }

    /// Does a control operation, which must succeed.
    fn control(&mut self, method: &str, path: &str, body: Value) -> Value {
        let reply = self.send(method, path, "", Some(body));
        assert!(reply.status < 300, "{method} {path}: {} {}", reply.status, reply.body);
        reply.json()
    }

    fn plan(&mut self, plan: &str) {
        self.control("PUT", "/_sim/organizations/acme/plan", json!({ "plan": plan }));
    }

    fn next_fails(&mut self, work: &str) {
        self.control("PUT", &format!("/_sim/outcomes/{work}"), json!({ "outcome": "fail" }));
    }

    fn after(&mut self, seconds: u64) {
        self.sim.advance(Duration::from_secs(seconds));
    }

    fn status(&mut self) -> String {
        self.get("/v1/projects/{ref}").json()["status"].as_str().unwrap_or_default().to_owned()
    }

    fn resize(&mut self, size: &str) {
        self.control("PUT", "/_sim/projects/{ref}/instance-size", json!({ "instance_size": size }));
        self.after(60);
    }

    /// What every operation on a project refuses: bad tokens, strangers, unknown and misspelt references, low roles.
    fn refusals(&mut self, method: &str, path: &str, body: Option<Value>, too_low: Option<&str>) {
        let stray = path.replace("{ref}", "nosuchprojectatallxx");
        let misspelt = path.replace("{ref}", "Not-A-Ref");
        let mut table = vec![(path, "nobody-knows", 401), (path, "token-of-outsider", 403)];
        table.extend([(stray.as_str(), "token-of-owner", 404), (misspelt.as_str(), "token-of-owner", 400)]);
        table.extend(too_low.map(|token| (path, token, 403)));
        for (path, token, status) in table {
            let reply = self.send(method, path, token, body.clone());
            assert_eq!(reply.status, status, "{method} {path} as {token}: {}", reply.body);
        }
    }
}

#[track_caller]
fn refused(reply: &Reply, status: u16, reason: &str, message: &str) {
    assert_eq!((reply.status, &*reply.reason, &*reply.message()), (status, reason, message));
}

#[test]
fn a_world_with_all_of_it_is_lived_again_from_its_file() {
    let mut scene = active_project();
    scene.resize("small");
    scene.post("/v1/projects/{ref}/read-replicas/setup", json!({ "read_replica_region": "eu-west-1" }));
    let branch = scene.post("/v1/projects/{ref}/branches", json!({ "branch_name": "dev" })).json();
    scene.after(130);
    scene.post(&format!("/v1/branches/{}/reset", branch["id"].as_str().unwrap_or_default()), json!({}));
    scene.post(
        &format!("/v1/projects/{}/upgrade", branch["project_ref"].as_str().unwrap_or_default()),
        json!({ "target_version": "17" }),
    );
    let body = json!({ "name": "App", "redirect_uris": ["https://app.test"], "scopes": ["projects:read"] });
    let app = scene.control("POST", "/_sim/oauth/apps", body);
    let query = format!("client_id={}&response_type=code", app["client_id"].as_str().unwrap_or_default());
    scene.get(&format!("/v1/oauth/authorize?{query}&redirect_uri=https://app.test"));
    scene.after(90_000);
    scene.get("/v1/projects/{ref}/database/backups");
    let file = scene.sim.replay_file().expect("the journal is whole");
    let again = file.run(scene.sim.registry()).unwrap_or_else(|divergence| panic!("{divergence}"));
    assert_eq!(again.journal_hash(), scene.sim.journal_hash());
}

#[test]
fn the_lifecycles_of_branches_and_replicas_are_these_arrows() {
    use sim_core::management::branch_workflow::{BranchEvent, BranchStatus};
    use sim_core::management::replica::{ReplicaEvent, ReplicaStatus};
    let mut arrows = Vec::new();
    for status in BranchStatus::ALL {
        for event in BranchEvent::ALL {
            arrows.extend(status.on(event).map(|next| format!("{status:?} {event:?} {next:?}")));
        }
    }
    for status in ReplicaStatus::ALL {
        for event in ReplicaEvent::ALL {
            arrows.extend(status.on(event).map(|next| format!("{status:?} {event:?} {next:?}")));
        }
    }
    let expected = [
        "CreatingProject ProjectReady RunningMigrations",
        "CreatingProject Rerun RunningMigrations",
        "RunningMigrations PassMigrations MigrationsPassed",
        "RunningMigrations FailMigrations MigrationsFailed",
        "RunningMigrations Rerun RunningMigrations",
        "MigrationsPassed DeployFunctions FunctionsDeployed",
        "MigrationsPassed FailFunctions FunctionsFailed",
        "MigrationsPassed Rerun RunningMigrations",
        "MigrationsFailed Rerun RunningMigrations",
        "FunctionsDeployed Rerun RunningMigrations",
        "FunctionsFailed Rerun RunningMigrations",
        "ComingUp Finish ActiveHealthy",
        "ComingUp Fail InitFailed",
        "ComingUp Remove GoingDown",
        "ActiveHealthy Remove GoingDown",
        "InitFailed Remove GoingDown",
        "GoingDown FinishRemove Removed",
    ];
    assert_eq!(arrows, expected);
}
