//! A world with an active project and someone of each role, and one way to ask it something.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use serde_json::Value;
use sim_core::management::project::{CreateProject, DeleteProject, ProjectRef};
use sim_core::{Policy, RateLimit, Role, Simulator, UserSpec, World};

pub(crate) struct Scene {
    pub(crate) sim: Simulator,
    pub(crate) project: ProjectRef,
}

/// An operation of the API, and the least role that may call it.
pub(crate) type Asked = (&'static str, &'static str, Value, Role);

impl Scene {
    pub(crate) fn new(plan: &str, change: impl FnOnce(&mut Policy)) -> Scene {
        let mut policy = Policy { rate_limit: RateLimit::off(), ..Policy::default() };
        change(&mut policy);
        let roles = Role::ALL.map(|role| (role.as_str(), role));
        let world = roles.iter().rev().fold(World::empty(), |world, (name, _)| {
            world.user(UserSpec::named(name).token(&format!("token-of-{name}")))
        });
        let world = world.user(UserSpec::named("outsider").token("token-of-outsider"));
        let sim = Simulator::builder().seed(7).policy(policy).world(world.organization("Acme", plan, &roles));
        let mut scene = Scene { sim: sim.build(), project: "x".into() };
        scene.project = scene.another_project("demo");
        scene.wait(60);
        scene
    }

    pub(crate) fn another_project(&mut self, name: &str) -> ProjectRef {
        self.sim.call(CreateProject::named(name, "acme")).expect("the project is good").id
    }

    pub(crate) fn wait(&mut self, seconds: u64) {
        self.sim.advance(Duration::from_secs(seconds));
    }

    /// Status and body, as in `404 {"message":"Project not found"}`. `P` in a path is the project's.
    pub(crate) fn ask(&mut self, method: &str, path: &str, body: &Value) -> String {
        self.ask_as("Owner", method, path, body)
    }

    pub(crate) fn ask_as(&mut self, who: &str, method: &str, path: &str, body: &Value) -> String {
        let body = if body.is_null() { Bytes::new() } else { body.to_string().into() };
        shown(&self.exchange(who, method, path, &[], body))
    }

    pub(crate) fn exchange(
        &mut self,
        who: &str,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Bytes,
    ) -> Response<Bytes> {
        let path = path.replacen("P/", &format!("/v1/projects/{}/", self.project), 1);
        let path = path.replacen("S/", &format!("/_sim/projects/{}/", self.project), 1);
        let mut request = Request::builder().method(method).uri(path);
        if who != "nobody" {
            request = request.header("authorization", format!("Bearer token-of-{who}"));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.sim.handle(&request.body(body).expect("the request is well-formed"))
    }
}

pub(crate) fn shown(response: &Response<Bytes>) -> String {
    format!("{} {}", response.status().as_u16(), String::from_utf8_lossy(response.body()))
}

pub(crate) fn json(reply: &str) -> Value {
    let (status, body) = reply.split_once(' ').expect("a reply has a status");
    assert!(status.starts_with('2'), "{reply}");
    serde_json::from_str(body).expect("a success is JSON")
}

/// Each operation refuses those who may not, projects that are not there, and references that are none.
pub(crate) fn refuses_strangers(operations: &[Asked]) {
    let mut scene = Scene::new("pro", |_| {});
    let removed = scene.another_project("removed");
    scene.sim.call(DeleteProject { r#ref: removed.clone() }).expect("the project can be deleted");
    for (method, path, body, role) in operations {
        let mut check = |who: &str, project: Option<&str>, expected: &str| {
            let path = project
                .map_or((*path).to_owned(), |one| path.replacen('P', &format!("/v1/projects/{one}"), 1));
            let reply = scene.ask_as(who, method, &path, body);
            assert!(reply.starts_with(expected), "{method} {path} as {who}: {reply}, not {expected}");
        };
        check("nobody", None, r#"401 {"message":"Unauthorized"}"#);
        check("outsider", None, r#"403 {"message":"Your account does not have the necessary privileges"#);
        if let Some(lower) = Role::ALL.into_iter().take_while(|one| one < role).last() {
            let words = r#"403 {"message":"Your account does not have the necessary privileges"#;
            check(lower.as_str(), None, words);
        }
        check("Owner", Some("nosuchprojectatallxx"), r#"404 {"message":"Project not found"}"#);
        check("Owner", Some("Not-A-Ref"), r#"400 {"message":"ref: Invalid"#);
        check("Owner", Some(&removed.0), r#"400 {"message":"Resource has been removed"}"#);
    }
}
