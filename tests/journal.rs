//! The journal has one row per call, with reasons and without secrets.

use insta::assert_snapshot;
use serde_json::json;
use sim_core::engine::ReplayError;
use sim_core::management::organization::ListOrganizations;
use sim_core::management::project::PauseProject;
use sim_core::{Policy, RateLimit, Simulator};
use sim_fixtures::{Api, Call, Expect as _, Reply, Scene, api, scenario};

use crate::steps::Steps as _;
use crate::support::{both, seconds};

fn journal(api: &mut dyn Api) -> String {
    api::peek(api, |sim| serde_json::to_string(&sim.journal()).expect("a journal is plain data"))
}

#[test]
fn every_answer_names_its_row() {
    both(scenario::four_roles, |api| {
        let reply = api.get("/v1/projects");
        assert_eq!(reply.header("x-sim-call"), "1");
        let refused = api.send(Call::get("/v1/projects").nobody());
        assert_eq!(refused.header("x-sim-call"), "2");
        let rows = api::peek(api, |sim| sim.journal());
        let rows: Vec<_> = rows.iter().map(|row| (row.call, row.status, row.reason.as_deref())).collect();
        assert_eq!(rows, [(1, 200, None), (2, 401, Some("token_missing"))]);
    });
}

#[test]
fn an_explanation_names_the_checks_and_the_calls_that_led_there() {
    both(scenario::active_project, |api| {
        api.act("/v1/projects/{ref}/pause");
        let refused = api.act("/v1/projects/{ref}/pause");
        let number = refused.header("x-sim-call").parse().expect("a number");
        let explanation = api::peek(api, |sim| sim.explain(number).expect("the journal holds it"));
        assert_snapshot!(explanation, @r#"
        call 3 at 2026-01-01T00:01:00Z: POST /v1/projects/jyegvyphfflqhlxwbqup/pause → 400 project_not_active
          credentials  passed
          rate_limit   passed
          route        passed
          validation   passed
          permission   passed
          existence    passed
          state        refused
            project.status = PAUSING, since call 2
          call 2 at 2026-01-01T00:01:00Z: POST /v1/projects/jyegvyphfflqhlxwbqup/pause → 200
        "#);
    });
}

/// Why the call was refused, and the call that caused it.
fn gate(api: &mut dyn Api, refused: &Reply) -> String {
    let number = refused.header("x-sim-call").parse().expect("a number");
    let explanation = api::peek(api, |sim| sim.explain(number).expect("the journal holds it"));
    let causes: Vec<_> = explanation.because_of.iter().map(|call| call.call).collect();
    format!("{} {causes:?}", explanation.gate.expect("it was refused"))
}

#[test]
fn an_explanation_names_the_call_that_made_or_deleted_the_thing() {
    both(scenario::active_project, |api| {
        let project = |name: &str| json!({ "db_pass": "hunter22", "name": name, "organization_id": "acme", "region": "us-east-1" });
        let made = api.post("/v1/projects", project("second"));
        let (by, second) = (made.header("x-sim-call").to_owned(), made.json()["id"].clone());
        let second = second.as_str().expect("a reference");
        let refused = api.post("/v1/projects", project("second"));
        assert_eq!(gate(api, &refused), format!("project {second} exists since call {by} [{by}]"));
        let gone = api.delete(&format!("/v1/projects/{second}")).header("x-sim-call").to_owned();
        let refused = api.get(&format!("/v1/projects/{second}/functions"));
        assert_eq!(gate(api, &refused), format!("project.status is REMOVED since call {gone} [{gone}]"));
        api.advance(seconds(60));
        let refused = api.get(&format!("/v1/projects/{second}/functions"));
        assert_eq!(gate(api, &refused), format!("project {second} was deleted by call {gone} [{gone}]"));
        let refused = api.get("/v1/projects/nosuchprojectatallxx");
        assert_eq!(gate(api, &refused), "project nosuchprojectatallxx is missing []");

        let function = json!({ "slug": "f1", "name": "f1", "body": "x" });
        let by = api.post("/v1/projects/{ref}/functions", function.clone()).header("x-sim-call").to_owned();
        let refused = api.post("/v1/projects/{ref}/functions", function);
        assert!(gate(api, &refused).ends_with(&format!("exists since call {by} [{by}]")));
        let gone = api.delete("/v1/projects/{ref}/functions/f1").header("x-sim-call").to_owned();
        let refused = api.get("/v1/projects/{ref}/functions/f1");
        assert_eq!(gate(api, &refused), format!("function f1 was deleted by call {gone} [{gone}]"));

        let key = json!({ "name": "mine", "type": "secret" });
        let by = api.post("/v1/projects/{ref}/api-keys", key.clone()).header("x-sim-call").to_owned();
        let refused = api.post("/v1/projects/{ref}/api-keys", key);
        assert!(gate(api, &refused).ends_with(&format!("exists since call {by} [{by}]")));

        api.control(http::Method::PUT, "/_sim/organizations/acme/plan", json!({ "plan": "pro" }));
        let sent = json!({ "custom_hostname": "app.example.com" });
        let refused = api.post("/v1/projects/{ref}/custom-hostname/initialize", sent);
        assert_eq!(gate(api, &refused), "add-on custom_domain is missing []");
    });
}

#[test]
fn a_struck_call_did_not_pass_the_check_for_faults() {
    both(scenario::active_project, |api| {
        let effects = [json!({ "kind": "garbage" }), json!({ "kind": "status", "status": 503 })];
        for effect in effects {
            let rule = json!({ "on": { "path": "/v1/organizations" }, "effect": effect });
            let by = api.post("/_sim/faults", rule).header("x-sim-call").to_owned();
            let struck = api.get("/v1/organizations").header("x-sim-call").parse().expect("a number");
            let explanation = api::peek(api, |sim| sim.explain(struck).expect("the journal holds it"));
            assert!(!explanation.checks[0].passed, "{explanation}");
            assert_eq!(explanation.because_of[0].call.to_string(), by);
            let refused = explanation.gate.is_some_and(|gate| gate.contains(&format!("since call {by}")));
            assert_eq!(refused, effect["kind"] == "status");
        }
    });
}

#[test]
fn secrets_are_in_no_row_however_the_call_ends() {
    both(scenario::active_project, |api| {
        let create = || {
            let body =
                json!({ "db_pass": "S3CRET", "name": "x", "organization_id": "acme", "region": "us-east-1" });
            Call::post("/v1/projects").json(body)
        };
        let set = |body| Call::post("/v1/projects/{ref}/secrets").json(body);
        let calls = [
            create(),
            create().nobody(),
            create().token("token-of-reader"),
            create().token("S3CRET-token"),
            Call::post("/v1/projects").json(json!([{ "db_pass": "S3CRET" }])),
            Call::post("/v1/projects").json(json!({ "db_pass": ["S3CRET"] })),
            Call::post("/v1/projects").bytes("application/json", r#"{"db_pass":"S3CRET""#),
            Call::post("/v1/projects").bytes("text/html", r#"{"db_pass":"S3CRET"}"#),
            Call::put("/v1/projects").json(json!({ "db_pass": "S3CRET" })),
            Call::post("/v1/nothing").json(json!({ "db_pass": "S3CRET" })),
            set(json!([{ "name": "A", "value": "S3CRET" }])),
            set(json!({ "name": "A", "value": "S3CRET" })),
            set(json!([["A", "S3CRET"]])),
            set(json!("S3CRET")),
            set(json!([{ "name": "PLATFORM_A", "value": "S3CRET" }])),
            Call::post("/_sim/users/owner/tokens").json(json!({ "token": "S3CRET" })),
            Call::post("/_sim/users/nobody/tokens").json(json!({ "token": "S3CRET" })),
            Call::get("/v1/projects").token("S3CRET"),
        ];
        for call in calls {
            let shown = call.to_string();
            api.send(call);
            assert!(!journal(api).contains("S3CRET"), "{shown}");
        }
    });
}

#[test]
fn rows_of_rate_limited_calls_contain_no_secret() {
    both(scenario::rate_limited_user, |api| {
        let body =
            json!({ "db_pass": "S3CRET", "name": "x", "organization_id": "acme", "region": "us-east-1" });
        assert_eq!(api.post("/v1/projects", body).status, 429);
        assert!(!journal(api).contains("S3CRET"));
    });
}

#[test]
fn revealed_keys_and_new_tokens_are_in_no_row() {
    both(scenario::active_project, |api| {
        let keys = api.get("/v1/projects/{ref}/api-keys?reveal=true").json();
        for key in keys.as_array().expect("a list") {
            let key = key["api_key"].as_str().expect("a key");
            assert!(!journal(api).contains(key), "{key}");
        }
        let token = api.post("/_sim/users/owner/tokens", json!({})).json()["token"].to_string();
        assert!(!journal(api).contains(token.trim_matches('"')));
    });
}

#[test]
fn changed_rows_show_no_secret() {
    let root_key = "5ec2e7".repeat(10) + "5ec2";
    let body = json!({ "db_pass": "S3CRET", "name": "x", "organization_id": "acme", "region": "us-east-1" });
    let calls = [
        Call::post("/v1/projects").json(body),
        Call::post("/v1/projects/{ref}/secrets").json(json!([{ "name": "A", "value": "S3CRET" }])),
        Call::new(http::Method::PATCH, "/v1/projects/{ref}/config/auth")
            .json(json!({ "smtp_pass": "S3CRET" })),
        Call::put("/v1/projects/{ref}/pgsodium").json(json!({ "root_key": root_key })),
        Call::put("/_sim/projects/{ref}/vault/a").json(json!({ "value": "S3CRET" })),
        Call::post("/_sim/users/owner/tokens").json(json!({ "token": "S3CRET" })),
    ];
    both(scenario::active_project, |api| {
        for call in calls.clone() {
            let reply = api.send(call.clone());
            let number = reply.header("x-sim-call").parse().expect("a number");
            let changes = api::peek(api, |sim| sim.changes_of(number).expect("the journal is whole"));
            assert!(!changes.is_empty(), "{call}: {reply}");
            let shown = serde_json::to_string(&changes).expect("changes are plain data");
            assert!(!shown.contains("S3CRET") && !shown.contains(&root_key), "{call}: {shown}");
        }
    });
}

#[test]
fn a_replay_file_holds_no_token() {
    let mut sim = scenario::active_project().sim;
    sim.call(ListOrganizations {}).expect("lists are open to members");
    let file =
        serde_json::to_string(&sim.replay_file().expect("the journal is whole")).expect("it is plain data");
    assert!(!file.contains("token-of-"));
}

#[test]
fn the_journal_is_bounded_and_its_hash_continues() {
    let policy = Policy { journal_calls: 100, rate_limit: RateLimit::off(), ..Policy::default() };
    let mut sim = scenario::with_policy(policy);
    for _ in 0..1000 {
        sim.call(ListOrganizations {}).expect("lists are open to members");
    }
    assert_eq!(sim.calls(), 1000);
    assert!((100..200).contains(&sim.journal().len()), "{}", sim.journal().len());
    assert!(sim.replay_file().is_none());
    assert_eq!(sim.journal().last().expect("it is not empty").hash, sim.journal_hash());
}

#[test]
fn history_has_finished_work_and_the_calls_that_caused_it() {
    both(scenario::active_project, |api| {
        let paused = api.act("/v1/projects/{ref}/pause").header("x-sim-call").to_owned();
        api.advance(seconds(20));
        let history = api::peek(api, |sim: &mut Simulator| sim.history(None));
        let shown: Vec<_> = history.iter().map(|one| format!("{} {}", one.at, one.became)).collect();
        assert_eq!(shown, ["2026-01-01T00:01:00Z ACTIVE_HEALTHY", "2026-01-01T00:01:20Z INACTIVE"]);
        assert_eq!(history[1].caused_by_call.to_string(), paused);
    });
}

#[test]
fn a_replay_file_whose_world_contradicts_itself_is_an_error() {
    let mut sim = scenario::four_roles();
    sim.call(ListOrganizations {}).expect("lists are open to members");
    let good = sim.replay_file().expect("the journal is whole");
    let twice = [good.world.users.clone(), good.world.users.clone()].concat();
    let mut wrong = [good.clone(), good.clone(), good];
    wrong[0].world.users = twice;
    wrong[1].world.organizations[0].plan = "gold".to_owned();
    wrong[2].profile.postgres_versions.clear();
    for (file, reason) in
        wrong.iter().zip(["user_exists", "invalid_world.plan", "invalid_profile.postgres_versions"])
    {
        match file.run(sim.registry()) {
            Err(ReplayError::World(refusal)) => assert_eq!(refusal.reason, reason),
            other => panic!("{reason}: {:?}", other.map(|sim| sim.calls())),
        }
    }
}

#[test]
fn a_replay_file_whose_answers_were_changed_diverges() {
    let mut sim = scenario::four_roles();
    sim.call(ListOrganizations {}).expect("lists are open to members");
    let good = sim.replay_file().expect("the journal is whole");
    assert!(good.run(sim.registry()).is_ok());
    let mut wrong = [good.clone(), good];
    let last = wrong[0].calls.len() - 1;
    wrong[0].calls[last].status = 500;
    wrong[1].calls[last].response = "[]".to_owned();
    for (file, expected) in wrong.iter().zip(["recorded 500 [", "recorded 200 []"]) {
        match file.run(sim.registry()) {
            Err(ReplayError::Divergence(divergence)) => {
                assert!(divergence.to_string().contains(expected), "{divergence}");
            }
            other => panic!("{expected}: {:?}", other.map(|sim| sim.calls())),
        }
    }
}

#[test]
fn the_journal_answers_in_sql_and_is_not_changed_by_it() {
    let Scene { mut sim, project } = scenario::active_project();
    sim.call(PauseProject { r#ref: project.clone() }).expect("it is active");
    sim.advance(seconds(20));
    sim.call(PauseProject { r#ref: project }).expect_err("it is paused");
    let ask = |sql: &str| sim.query_journal(sql).map(|rows| json!(rows).to_string());
    let calls = ask("select call, method, status, reason, role, state from call where target like '%/pause'");
    assert_snapshot!(calls.expect("rows"), @r#"[{"call":2,"method":"POST","status":200,"reason":null,"role":"Owner","state":"ACTIVE_HEALTHY"},{"call":3,"method":"POST","status":400,"reason":"project_not_active","role":"Owner","state":"INACTIVE"}]"#);
    let event = ask(
        "select event.became from event join call on event.caused_by_call = call.call where call.call = 2",
    );
    assert_snapshot!(event.expect("rows"), @r#"[{"became":"INACTIVE"}]"#);
    for sql in [
        "delete from call",
        "attach 'file' as other",
        "select datetime('now')",
        "select random()",
        "pragma table_info(call)",
        "select * from journal",
        "select 1; select 2",
        "select 1; nothing",
        "-- nothing",
        "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n",
    ] {
        assert_eq!(ask(sql).expect_err(sql).reason, "invalid_body.sql");
    }
}

#[test]
fn asserts_over_the_journal_fail_with_it() {
    let policy = Policy { journal_calls: 10, rate_limit: RateLimit::off(), ..Policy::default() };
    let mut sim = scenario::with_policy(policy);
    for _ in 0..2 {
        sim.call(ListOrganizations {}).expect("a list");
    }
    let id = "v1-list-all-organizations";
    sim.journal()
        .expect(2, id)
        .expect(0, "v1-create-a-project")
        .expect_in_order(&[id, id])
        .expect_no_refusals();
    let failure = |check: &dyn Fn()| {
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(check)).expect_err("it fails");
        panic.downcast_ref::<String>().cloned().unwrap_or_default()
    };
    assert_snapshot!(failure(&|| { sim.journal().expect(1, id); }), @r"
    2 calls of v1-list-all-organizations instead of 1 succeeded:
      1 GET /v1/organizations → 200 
      2 GET /v1/organizations → 200
    ");
    assert!(
        failure(&|| {
            sim.journal().expect_in_order(&[id, id, id]);
        })
        .contains("was not called when")
    );
    let misspelt = failure(&|| {
        sim.journal().expect(0, "v1-creat-a-project");
    });
    assert_eq!(misspelt, "there is no operation \"v1-creat-a-project\"; did you mean `v1-create-a-project`?");
    let mut refused = sim.fork();
    refused.call(PauseProject { r#ref: scenario::NO_PROJECT.into() }).expect_err("there is none");
    assert!(
        failure(&|| {
            refused.journal().expect_no_refusals();
        })
        .contains("project_not_found")
    );
    (0..100).for_each(|_| drop(sim.call(ListOrganizations {})));
    assert!(
        failure(&|| {
            sim.journal().expect(2, id);
        })
        .contains("has dropped the calls before")
    );
}

/// A world of both services with one of everything; all its secrets are `S3CRET`.
fn secretive() -> Simulator {
    let file = r#"
        service = "both"
        [single_tenant]
        private_token = "S3CRET-private"
        public_token = "S3CRET-public"
        platform = true

        [[users]]
        name = "ada"
        tokens = ["S3CRET-of-ada"]
        [[organizations]]
        name = "Acme"
        plan = "enterprise"
        members = { ada = "Owner" }

        [[projects]]
        name = "shop"
        db_pass = "S3CRET-db"
        secrets = { KEY = "S3CRET-value" }
        root_key = "5ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2e75ec2"
        vault = { card = "S3CRET-card" }
        auth = { external_idp_01_secret = "S3CRET-auth", smtp_pass = "S3CRET-smtp" }
        functions = [{ slug = "hello", name = "hello", body = "x" }]
        branches = [{ branch_name = "dev" }]
        snippets = [{ user = "ada", name = "all", sql = "select 1" }]
        failed_logins = ["203.0.113.7"]

        [[apps]]
        name = "App"
        client_id = "11111111-2222-4333-8444-555555555555"
        client_secret = "S3CRET-app"
        redirect_uris = ["https://app.test/back"]
        scopes = ["projects:read"]
        authorized_by = ["ada"]

        [[sources]]
        name = "mine"
        [[events]]
        source_name = "mine"
        body = [{ message = "hello" }]
        [[backends]]
        name = "drain"
        type = "webhook"
        config = { url = "http://127.0.0.1:9/hook" }
        sources = ["mine"]
        [[rules]]
        source = "mine"
        backend = "drain"
        lql_string = "hello"
        [[access_tokens]]
        description = "mine"
    "#;
    sim_core::seed::Seed::parse(file).and_then(|seed| seed.build()).expect("a good seed")
}

fn tables(sim: &Simulator) -> Vec<String> {
    let rows = sim.query_journal("select name from sqlite_schema order by name").expect("a good query");
    rows.iter().map(|row| row["name"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn rows_of_resources_answer_in_sql() {
    let sim = secretive();
    let ask = |sql: &str| json!(sim.query_journal(sql).expect(sql)).to_string();
    assert_snapshot!(ask("select service, name, status, created_at from project order by branch_of"), @r#"[{"service":"management","name":"shop","status":"ACTIVE_HEALTHY","created_at":"2026-01-01T00:00:00Z"},{"service":"management","name":"dev","status":"ACTIVE_HEALTHY","created_at":"2026-01-01T00:01:00Z"}]"#);
    assert_snapshot!(ask("select project.name, secret.name as secret, value from secret join project on ref = project"), @r#"[{"name":"shop","secret":"KEY","value":"•••"}]"#);
    let caused = "select branch.name, target, call.status from branch join project on project.ref = branch.project \
                  join call on call = changed_by_call and call.service = project.service";
    assert_snapshot!(ask(caused), @r#"[{"name":"main","target":"/v1/projects","status":201},{"name":"dev","target":"/v1/projects/cvdpzbwgwnddnluwvdrc/branches","status":201}]"#);
    assert_snapshot!(ask("select service, user, name from token order by 1, 2, 3"), @r#"[{"service":"analytics","user":"default","name":"ANALYTICS_PRIVATE_ACCESS_TOKEN"},{"service":"analytics","user":"default","name":"api_key"},{"service":"analytics","user":"default","name":"mine"},{"service":"management","user":"ada","name":"App"},{"service":"management","user":"ada","name":"given"}]"#);
    assert_snapshot!(ask("select source, backend from source_backend union all select source, backend from rule"), @r#"[{"source":"mine","backend":"drain"},{"source":"mine","backend":"drain"}]"#);
}

#[test]
fn no_table_shows_a_secret_or_its_digest() {
    let sim = secretive();
    for table in tables(&sim) {
        let rows = sim.query_journal(&format!("select * from \"{table}\"")).expect("it is there");
        let shown = json!(rows).to_string();
        assert!(!shown.contains("S3CRET") && !shown.contains("5ec2e75ec2e7"), "{table}: {shown}");
        if table != "call" {
            // Longer than a UUID and not a word: a digest or a key.
            let key = |word: &&str| word.len() > 36 && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let word = shown.split(|c: char| !c.is_ascii_alphanumeric()).find(key);
            assert_eq!(word, None, "{table}");
        }
    }
}

#[test]
fn dropped_journal_calls_are_reported() {
    let policy = Policy { journal_calls: 10, rate_limit: RateLimit::off(), ..Policy::default() };
    let mut sim = scenario::with_policy(policy);
    for _ in 0..100 {
        sim.call(ListOrganizations {}).expect("a list");
    }
    let dropped = sim.dropped();
    assert_eq!((dropped.calls, dropped.events), (54, 0));
    assert_eq!(sim.journal()[0].call, dropped.calls + 1);
    let told = sim.query_journal("select (select calls from dropped) + count(*) as calls from call");
    assert_eq!(told.expect("rows")[0]["calls"], 100);
    assert!(sim.explain(54).is_none() && sim.explain(55).is_some());
}

#[test]
fn both_services_are_in_one_journal() {
    let mut sim = Simulator::builder().with_self_log().build();
    sim.call(ListOrganizations {}).expect("a list");
    sim.call(sim_core::analytics::source::ListSources {}).expect("a list");
    let rows = sim.query_journal("select service, operation from call").expect("rows");
    assert_snapshot!(json!(rows), @r#"[{"service":"management","operation":"v1-list-all-organizations"},{"service":"analytics","operation":"sim-write-logs"},{"service":"analytics","operation":"analytics-list-sources"}]"#);
}

#[test]
fn the_journal_has_a_field_under_the_name_that_was_sent() {
    both(scenario::active_project, |api| {
        for (name, organization) in [("two", "organization_slug"), ("three", "organization_id")] {
            let body =
                json!({ "name": name, organization: "acme", "region": "us-east-1", "db_pass": "hunter22" });
            assert_eq!(api.post("/v1/projects", body).status, 201);
            let last = api::peek(api, |sim| sim.journal().pop().expect("the call is there"));
            let request = last.request.expect("it has a body");
            assert!(request.contains(&format!("\"{organization}\":\"acme\"")), "{request}");
        }
    });
}
