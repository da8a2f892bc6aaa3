//! Needs of operations: the declarations, the refusals for callers, and the page about both.

use std::fmt::Write as _;

use http::Method;
use serde_json::{Value, json};
use sim_core::Simulator;
use sim_core::engine::{Meta, Needs};
use sim_core::management::health::ServiceName;
use sim_core::management::needs::refused_in;
use sim_core::management::project::{ListProjects, Status};
use sim_core::seed::Seed;
use sim_fixtures::{Api, Call, InProcess, Reply, Scene, api, scenario};

use crate::steps::{Steps as _, under};
use crate::support::{both, held};

/// The operations that need more than a project.
fn needy() -> Vec<Meta> {
    let sim = Simulator::builder().build();
    sim.registry().operations().filter(|meta| meta.needs != Needs::NOTHING).copied().collect()
}

/// A call of the operation that is right in form.
fn call(meta: &Meta, branch: &str) -> Call {
    let path = meta.path.replace("{branch_id}", branch).replace("{version}", "1");
    let path = path.replace("{provider_id}", "11111111-2222-4333-8444-555555555555");
    let path = if meta.id == "v1-rollback-migrations" { path + "?gte=1" } else { path };
    let call = match meta.method.as_str() {
        "GET" => Call::get(&path),
        "POST" => Call::post(&path),
        "PUT" => Call::new(Method::PUT, &path),
        "PATCH" => Call::new(Method::PATCH, &path),
        _ => Call::delete(&path),
    };
    match body(meta.id) {
        Some(body) => call.json(body),
        None => call,
    }
}

fn body(id: &str) -> Option<Value> {
    Some(match id {
        "v1-create-restore-point" | "v1-undo" => json!({ "name": "x" }),
        "v1-restore-pitr-backup" => json!({ "recovery_time_target_unix": 1 }),
        "v1-update-database-password" => json!({ "password": "hunter22hunter22" }),
        "v1-modify-database-disk" => {
            json!({ "attributes": { "type": "gp3", "size_gb": 100, "iops": 3000, "throughput_mibps": 125 } })
        }
        "v1-run-a-query" | "v1-read-only-query" | "v1-apply-a-migration" | "v1-upsert-a-migration" => {
            json!({ "query": "select 1" })
        }
        "v1-create-login-role" => json!({ "read_only": true }),
        "v1-patch-a-migration" => json!({ "name": "x" }),
        "v1-update-auth-service-config" => json!({ "site_url": "https://a.example" }),
        "v1-update-pooler-config" => json!({ "pool_mode": "session" }),
        "v1-patch-postgres-config" | "v1-update-postgres-config" => json!({ "max_connections": 100 }),
        "v1-update-realtime-config" => json!({ "private_only": true }),
        "v1-update-storage-config" => json!({ "fileSizeLimit": 1000 }),
        "v1-update-postgrest-service-config" => json!({ "max_rows": 10 }),
        "v1-update-ssl-enforcement-config" => json!({ "requestedConfig": { "database": true } }),
        "v1-patch-network-restrictions" => json!({ "add": { "dbAllowedCidrs": ["10.0.0.0/8"] } }),
        "v1-update-network-restrictions" => json!({ "dbAllowedCidrs": ["10.0.0.0/8"] }),
        "v1-update-pgsodium-config" => json!({ "root_key": "0".repeat(64) }),
        "v1-create-a-sso-provider" => {
            json!({ "type": "saml", "metadata_url": "https://idp.example/metadata" })
        }
        "v1-update-a-sso-provider" => json!({ "domains": ["a.example"] }),
        "v1-update-jit-access-config" => json!({ "state": "disabled" }),
        _ => return None,
    })
}

/// The text with which the service says that something does not answer.
fn timeout(meta: &Meta) -> String {
    format!("{}: Connection terminated due to connection timeout", meta.failure)
}

fn told(reply: &Reply) -> (u16, Value) {
    (reply.status, reply.message().into())
}

#[test]
fn services_that_are_needed_have_published_names() {
    for meta in needy() {
        for service in meta.needs.services {
            assert!(ServiceName::ALL.iter().any(|name| name.as_str() == *service), "{}: {service}", meta.id);
        }
    }
}

#[test]
fn settings_wait_until_a_project_is_set_up() {
    both(scenario::new_project, |api| {
        let text = "This project is not in an active state, it is COMING_UP";
        for meta in needy().iter().filter(|meta| meta.path.contains("{ref}")) {
            let expected = match refused_in(meta.needs, Status::ComingUp) {
                Some(400) => (400, json!(text)),
                _ => (544, json!(timeout(meta))),
            };
            assert_eq!(told(&api.send(call(meta, ""))), expected, "{}", meta.id);
        }
        api.after(60);
        assert_eq!(api.status(), "ACTIVE_HEALTHY");
        let sent = json!({ "dbAllowedCidrs": ["10.0.0.0/8"] });
        assert_eq!(api.post("/v1/projects/{ref}/network-restrictions/apply", sent).status, 201);
    });
}

/// A project in that status; `None` for one that is gone or waits to be accepted.
fn in_status(status: Status) -> Option<Scene> {
    if matches!(status, Status::Unknown | Status::GoingDown | Status::Removed) {
        return None;
    }
    let text = format!(
        "[policy.rate_limit]\nenabled = false\n[[users]]\nname = \"ada\"\ntokens = [\"t\"]\n\
         [[organizations]]\nname = \"Acme\"\nplan = \"pro\"\nmembers = {{ ada = \"Owner\" }}\n\
         [[projects]]\nname = \"demo\"\nstatus = \"{status}\"\n"
    );
    let built = Seed::parse(&text).and_then(|seed| seed.build());
    let mut sim = built.unwrap_or_else(|error| panic!("{status}: {error}"));
    let project = sim.call(ListProjects {}).expect("a list").remove(0).id;
    Some(Scene { sim, project })
}

#[test]
fn what_operations_need_decides_in_every_status() {
    for status in Status::ALL {
        let Some(scene) = in_status(status) else { continue };
        let mut world = InProcess::new(scene);
        let api: &mut dyn Api = &mut world;
        assert_eq!(api.status(), status.as_str());
        for meta in needy().iter().filter(|meta| meta.path.contains("{ref}")) {
            let before = api::peek(api, |sim| sim.fork());
            let reply = api.send(call(meta, ""));
            let about = format!("{} in {status}: {reply}", meta.id);
            match refused_in(meta.needs, status) {
                Some(400) => {
                    let text = format!("This project is not in an active state, it is {status}");
                    assert_eq!(told(&reply), (400, json!(text)), "{about}");
                }
                Some(_) => assert_eq!(told(&reply), (544, json!(timeout(meta))), "{about}"),
                // One service is broken there.
                None if status == Status::ActiveUnhealthy => {}
                None => assert_ne!(reply.reason(), "service_unreachable", "{about}"),
            }
            api.look(&mut |sim| *sim = before.fork());
        }
    }
}

#[test]
fn operations_on_the_database_are_refused_while_the_project_is_paused() {
    both(scenario::paused_project, |api| {
        for meta in needy().iter().filter(|meta| meta.path.contains("{ref}")) {
            let reply = api.send(call(meta, ""));
            match refused_in(meta.needs, Status::Inactive) {
                None | Some(400) => assert_ne!(reply.reason(), "service_unreachable", "{}", meta.id),
                _ => assert_eq!(told(&reply), (544, json!(timeout(meta))), "{}", meta.id),
            }
        }
    });
}

#[test]
fn operations_that_need_a_broken_service_are_refused() {
    let scene = || under(|_| {});
    both(scene, |api| {
        let branch = api.post("/v1/projects/{ref}/branches", json!({ "branch_name": "dev" })).json();
        api.after(60);
        let text = |field: &str| branch[field].as_str().expect("a text").to_owned();
        let (id, own) = (text("id"), text("project_ref"));
        for service in ServiceName::ALL.map(ServiceName::as_str) {
            for project in [&api.project(), &own] {
                let path = format!("/_sim/projects/{project}/health/{service}");
                api.control(Method::PUT, &path, json!({ "healthy": false }));
            }
            for meta in needy().iter().filter(|meta| !meta.needs.services.is_empty()) {
                let reply = api.send(call(meta, &id));
                if meta.needs.services.contains(&service) {
                    assert_eq!(told(&reply), (544, json!(timeout(meta))), "{} without {service}", meta.id);
                    assert_eq!(reply.reason(), "service_unreachable");
                } else {
                    assert_ne!(reply.status, 544, "{} without {service}", meta.id);
                }
            }
            for project in [&api.project(), &own] {
                let path = format!("/_sim/projects/{project}/health/{service}");
                api.control(Method::PUT, &path, json!({ "healthy": true }));
            }
        }
        assert_eq!(api.status(), "ACTIVE_HEALTHY");
    });
}

#[test]
fn connections_need_what_is_on_their_way() {
    both(
        || under(|_| {}),
        |api| {
            let role = api.post("/v1/projects/{ref}/cli/login-role", json!({ "read_only": true })).json();
            let role = role["role"].as_str().expect("a name").to_owned();
            let open = |api: &mut dyn Api, user: &str, pooled: bool| {
                let sent = json!({ "action": "open", "user": user, "pooled": pooled });
                api.post("/_sim/projects/{ref}/connections", sent).status
            };
            let ways = |api: &mut dyn Api| {
                [("postgres", false), ("postgres", true), (&*role, false), (&*role, true)]
                    .map(|(user, pooled)| open(api, user, pooled))
            };
            assert_eq!(ways(api), [201; 4]);
            let refused = [
                ("db", [544, 544, 544, 544]),
                ("pooler", [201, 544, 201, 544]),
                ("db_postgres_user", [544, 544, 201, 201]),
                ("pg_bouncer", [201, 201, 201, 201]),
            ];
            for (service, expected) in refused {
                let path = format!("/_sim/projects/{{ref}}/health/{service}");
                api.control(Method::PUT, &path, json!({ "healthy": false }));
                assert_eq!(ways(api), expected, "without {service}");
                api.control(Method::PUT, &path, json!({ "healthy": true }));
            }
        },
    );
}

#[test]
fn needs_are_documented() {
    let mut text = "# What operations need of a project\n\n\
        An operation on a project is refused while the project lacks what the operation needs:\n\n\
        - with 544 and the text of its own failure, `…: Connection terminated due to connection timeout`, while a service \
        that it needs does not answer. Break and mend services, or let them come up later, with \
        `PUT /_sim/projects/{ref}/health/{service}`.\n\
        - with 400, `This project is not in an active state, it is …`, while the project is being set up or, for some operations, \
        while it is not active.\n\n\
        A connection to the database needs `db`; as the user `postgres` also `db_postgres_user`; with a user `….{ref}`, through the \
        pooler, also `pooler`. It is refused with the SQLSTATE 08006. A connection that is open needs `db` alone. `pg_bouncer` \
        is no part of any path here, so it changes the health check alone.\n\n\
        Operations that are not listed work in every status but `REMOVED`, or have rules of their own. Generated; \
        `STUNTDOUBLE_BLESS=1 cargo test -p sim-tests` rewrites it. For operations that start or end a lifecycle see \
        [lifecycles](lifecycles.md).\n\n"
        .to_owned();
    let statuses = || Status::ALL.into_iter().filter(|status| *status != Status::Removed);
    let columns = statuses().map(|status| format!(" {status} |")).collect::<Vec<_>>().concat();
    writeln!(text, "| operation | services |{columns}\n|---|---|{}", "---|".repeat(statuses().count()))
        .expect("a string takes it");
    for meta in needy() {
        let cell =
            |status| refused_in(meta.needs, status).map_or(" |".to_owned(), |with| format!(" {with} |"));
        let cells: String = statuses().map(cell).collect();
        let (method, path, services) = (meta.method.as_str(), meta.path, meta.needs.services.join(", "));
        writeln!(text, "| `{method} {path}` | {services} |{cells}").expect("a string takes it");
    }
    held("docs/needs.md", &text);
}
