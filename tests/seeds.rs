//! Seed files: their content appears in the world, errors in them name the place, and exported worlds can be
//! imported.

mod builders;
mod exports;

use serde_json::{Value, json};
use sim_core::management::project::{CreateProject, ListProjects};
use sim_core::seed::{self, ProjectSeed, Seed, Services, scenario};
use sim_core::{Policy, Simulator};
use sim_fixtures::{Api as _, Call, InProcess, Scene, everything};

/// Everything of both services, with journals.
fn whole(sim: &Simulator) -> Value {
    let beside = sim.beside().map(|other| (other.journal(), other.journal_hash(), other.agenda()));
    json!({
        "seen": everything(sim),
        "journal": sim.journal(),
        "hash": sim.journal_hash(),
        "calls": sim.calls(),
        "agenda": sim.agenda(),
        "next": sim.next_due(),
        "beside": beside,
        "token": sim.first_token(),
    })
}

#[test]
fn a_seed_gives_the_same_world_as_calls() {
    let seed = Seed::new().project(ProjectSeed::named("demo"));
    let mut by_calls = Simulator::builder().build();
    by_calls.as_admin().call(CreateProject::named("demo", "acme")).expect("a good call");
    by_calls.advance_to_next();
    assert_eq!(whole(&seed.build().expect("a good seed")), whole(&by_calls));
}

#[test]
fn fields_of_newer_clients_can_be_declared() {
    let file = r#"
        [[users]]
        name = "ada"
        tokens = ["token-of-ada"]
        [[organizations]]
        name = "Acme"
        plan = "enterprise"
        members = { ada = "Owner" }
        [[projects]]
        name = "shop"
        migrations = [{ name = "items", query = "create table item (id int)" }]
        sql = ["insert into item values (1)"]
        third_party_auth = [{ oidc_issuer_url = "https://issuer.example" }]
        signing_keys = [{ algorithm = "ES256", status = "in_use" }]
        realtime = { max_concurrent_users = 7 }
        disk = { type = "io2", size_gb = 50, iops = 1000 }
        backup_time = "04:00:00"
        backups = [{ status = "FAILED" }]
        restore_points = ["before"]
        branches = [{ branch_name = "dev" }]
    "#;
    let mut sim = Seed::parse(file).and_then(|seed| seed.build()).expect("a good seed");
    let project = sim.call(ListProjects {}).expect("a good call")[0].id.to_string();
    sim.advance(std::time::Duration::from_secs(5 * 3600));
    let mut here = InProcess::new(Scene { sim, project: project.as_str().into() });
    for (path, field, expected) in [
        ("/database/migrations", "/0/name", json!("items")),
        ("/config/auth/third-party-auth", "/0/oidc_issuer_url", json!("https://issuer.example")),
        ("/config/auth/signing-keys", "/keys/0/status", json!("in_use")),
        ("/config/realtime", "/max_concurrent_users", json!(7)),
        ("/config/disk", "/attributes/iops", json!(1000)),
        ("/database/backups", "/backups/0/status", json!("FAILED")),
        ("/database/backups", "/backups/0/inserted_at", json!("2026-01-01T04:00:00Z")),
        ("/database/backups/restore-point", "/status", json!("AVAILABLE")),
        ("/branches", "/1/status", json!("FUNCTIONS_DEPLOYED")),
    ] {
        let reply = here.send(Call::get(&format!("/v1/projects/{project}{path}")).token("token-of-ada"));
        assert_eq!(reply.json().pointer(field), Some(&expected), "{path}: {reply}");
    }
}

#[test]
fn a_builder_can_be_changed_before_the_seed_is_done() {
    let seed = Seed::new().project(ProjectSeed::named("demo"));
    let slow = Policy {
        durations: sim_core::engine::Durations { create_ms: 5000, ..Default::default() },
        ..Policy::default()
    };
    let mut sim = seed.begin().expect("a good seed").policy(slow).build();
    assert_eq!(sim.now().to_string(), "2026-01-01T00:00:05Z");
    assert_eq!(sim.call(ListProjects {}).expect("a good call").len(), 1);
}

#[test]
fn an_organization_without_members_belongs_to_owner() {
    for file in ["[[organizations]]\nname = 'X'", "[[users]]\nname = 'owner'\n[[organizations]]\nname = 'X'"]
    {
        let sim = Seed::parse(file).and_then(|seed| seed.build()).expect("a good seed");
        assert_eq!(sim.world().organizations[0].members.keys().collect::<Vec<_>>(), ["owner"]);
        let mut sim = sim;
        sim.call(CreateProject::named("demo", "x")).expect("the owner may create a project");
    }
    let refused =
        Seed::parse("[[users]]\nname = 'ada'\n[[organizations]]\nname = 'X'").and_then(|seed| seed.build());
    let refused = refused.map(drop).expect_err("no such user");
    assert!(refused.message.contains("owner"), "{refused}");
}

#[test]
fn errors_name_the_field() {
    for (file, expected) in [
        ("projcts = []", "projcts: there is no such field"),
        ("seed = 7\n  projcts = []", "line 2, column 3: projcts: "),
        ("{\n\"projcts\": []}", "line 2, column 12: projcts: "),
        ("seed = 'x'", "TOML parse error at line 1, column 8"),
        ("\n\n[[projects]]\nname = 7", "TOML parse error at line 4, column 8"),
        (
            "{\"seed\": \"x\"}",
            "JSON: seed: invalid type: string \"x\", expected a whole number, 0 or more at line 1 column 12",
        ),
        ("seed = 7\nstart = 2026-01-01", "line 2, column 9"),
        ("start = 2026-01-01", "expected a timestamp such as \"2026-01-01T00:00:00Z\""),
        ("[[projects]]\nname = 7", "expected a text in quotes"),
        ("[[users]]\nname = ''", "line 2, column 1: users.0.name: must not be empty"),
        (
            "[[users]]\nname = 'a'\n[[users]]\nname = 'a'",
            "line 4, column 1: users.1.name: there is another user \"a\"",
        ),
        (
            "[[users]]\nname = 'a'\ntokens = ['b', 'c d']",
            "line 3, column 16: users.0.tokens.1: must be a text without",
        ),
        (
            "[[organizations]]\nname = 'A'\nmembers = { ownr = 'Owner' }",
            "organizations.0.members: there is no user",
        ),
        ("[[calls]]\noperation = 'v1-list-all-projects'\ntimes = 0", "calls.0.times: must be at least 1"),
        (
            "[[calls]]\noperation = 'v1-list-all-projects'\ninput = { limt = 1 }",
            "calls.0.input.limt: v1-list-all-projects has no such field",
        ),
        (
            "[[projects]]\nname = 'a'\nbranches = [{ branch_name = 'b', persistant = true }]",
            "projects.0.branches.0.persistant: v1-create-a-branch has no such field; did you mean `persistent`?",
        ),
        (
            "[dns.'a.test']\ncnam = 'b.test'",
            "dns.a.test.cnam: sim-set-dns has no such field; did you mean `cname`?",
        ),
        ("start = 'noon'", "must be a timestamp such as 2026-01-01T00:00:00Z"),
        (
            "{\"start\": \"noon\"}",
            "JSON: start: must be a timestamp such as 2026-01-01T00:00:00Z at line 1 column ",
        ),
        ("[policy]\nrate_limit = 5", "expected fields with values"),
        (
            "[[organizations]]\nname = 'A'\nplan = 'por'",
            "line 3, column 1: organizations.0.plan: \"por\" is none of free, pro, team, enterprise; did you mean `pro`?",
        ),
        (
            "[[users]]\nname = 'ada'\n[[organizations]]\nname = 'A'\nmembers = { aad = 'Owner' }",
            "line 5, column 1: organizations.0.members: there is no user \"aad\"; did you mean `ada`?",
        ),
        (
            "seed = 1\n[policy]\ndurations = [1]",
            "line 3, column 1: policy.durations: must be fields with values",
        ),
        (
            "seed = 1\n[policy]\nsnippets_page = 101",
            "line 3, column 1: policy.snippets_page: Number must be less than or equal to 100",
        ),
        (
            "[profile]\npostgres_versions = [['17.1']]",
            "profile.postgres_versions.0: must be fields with values",
        ),
        ("{\"projects\": [[\"a\"]]}", "line 1, column 15: projects.0: must be fields with values"),
        (
            "[[faults]]\non = ['v1-get-project']\neffect.kind = 'reset'",
            "faults.0.on: must be fields with values",
        ),
        ("[[faults]]\non.path = '*'\neffect = ['reset']", "faults.0.effect: must be fields with values"),
        ("users = [['ada']]", "users.0: must be fields with values"),
        ("calls = [['v1-list-all-projects']]", "calls.0: must be fields with values"),
        ("self_log = true", "self_log: needs service"),
        ("service = 'analytics'\n[[projects]]\nname = 'a'", "projects: the analytics server has none"),
        ("[[projects]]\nname = 'a'\nstauts = 'INACTIVE'", "; did you mean `status`?"),
        ("[[projects]]\nname = 'a'\nstatus = 'INACTVE'", "; did you mean `INACTIVE`?"),
        ("[[projects]]\nname = 'a'\nregion = 'us-east-3'", "; did you mean `us-east-1`?"),
        ("[policy]\nedition = '2025-5'", "; did you mean `2025-05`?"),
        ("service = 'analytic'", "; did you mean `analytics`?"),
        ("[[calls]]\noperation = 'v1-list-al-projects'", "; did you mean `v1-list-all-projects`?"),
        (
            "[[projects]]\nname = 'shop'\n[[calls]]\noperation = 'v1-get-project'\nproject = 'shpo'",
            "; did you mean `shop`?",
        ),
        (
            "[[users]]\nname = 'ada'\n[[calls]]\noperation = 'v1-list-all-projects'\nas = 'aad'",
            "; did you mean `ada`?",
        ),
        ("[[faults]]\non.path = '/v1/projects'\neffect.kind = 'lost_anser'", "; did you mean `lost_answer`?"),
        ("[[faults]]\non.method = 'PSOT'\neffect.kind = 'reset'", "; did you mean `POST`?"),
        ("[[faults]]\non.caller = 'ownr'\neffect.kind = 'reset'", "; did you mean `owner`?"),
        ("[[projects]]\nname = 'a'\nsecrts = {}", "projects.0.secrts: there is no such field"),
        ("[[projects]]\nname = 'a'\nsecrets = []", "projects.0.secrets: must be a table"),
        (
            "[[projects]]\nname = 'a'\nstatus = 'COMING_UP'\nsql = ['select 1']",
            "projects.0.sql: needs a project that has been",
        ),
        ("[[projects]]\nname = 'a.b'", "projects.0: name should not contain a . string"),
        (
            "[[projects]]\nname = 'a'\norganization = 'acm'",
            "line 3, column 1: projects.0.organization: must be a slug of an organization, acme, received \"acm\"; did you mean `acme`?",
        ),
        ("[[projects]]\nname = 'a'\nsql = ['selec 1']", "projects.0.sql.0: "),
        (
            "[[projects]]\nname = 'a'\nsql = [\n  'select 1',\n  'selec 1']",
            "line 5, column 3: projects.0.sql.1: ",
        ),
        (
            "{\"projects\": [{\"name\": \"a\",\n\"sql\": [\"selec 1\"]}]}",
            "line 2, column 9: projects.0.sql.0: ",
        ),
        ("[[projects]]\nname = 'a'\n[dns.\"a.test\"]\ntxt = 7", "line 3, column 6: "),
        ("[[projects]]\nname = 'a'\nauth = { site_url = 1 }", "projects.0.auth: site_url"),
        (
            "[[projects]]\nname = 'a'\nhostname_status = '2_initiated'",
            "projects.0.hostname_status: needs a `hostname`",
        ),
        (
            "[[projects]]\nname = 'a'\nbranches = [{ branch_name = 'dev', status = 'X' }]",
            "projects.0.branches.0.status: ",
        ),
        (
            "[[projects]]\nname = 'a'\nstatus = 'PAUSING'\n[policy]\npace = 'instant'",
            "projects.0.status: does not come about",
        ),
        ("[[calls]]\noperation = 'v9'", "calls.0.operation: there is no operation \"v9\""),
        ("[[calls]]\noperation = 'v1-get-project'", "calls.0: "),
        (
            "[[calls]]\noperation = 'v1-get-project'\nproject = 'none'",
            "calls.0.project: there is no project \"none\"",
        ),
        (
            "[[calls]]\noperation = 'v1-list-all-projects'\nas = 'none'",
            "calls.0.as: there is no user \"none\"",
        ),
        (
            "[[calls]]\noperation = 'v1-list-all-projects'\nrefused = 'x'",
            "calls.0.refused: the call is not refused",
        ),
        ("[[calls]]", "calls.0: must name an operation or let time go by"),
        ("[[sources]]\nname = 'a'", "sources.0: there is no operation analytics-create-source in this world"),
        ("[[faults]]\non = {}\neffect = { kind = 'reset' }", "faults.0: on: names nothing"),
        ("[[users]]\nname = 'a'\n[[users]]\nname = 'a'", ""),
    ] {
        let refused = Seed::parse(file).and_then(|seed| seed.build()).map(drop).unwrap_err();
        assert!(refused.message.contains(expected), "{file:?}: {refused}");
        assert!(refused.status() < 500, "{file:?}: {refused}");
    }
}

#[test]
fn the_schema_and_the_reader_accept_the_same_files() {
    let schema = seed::schema();
    let checker = jsonschema::validator_for(&schema).expect("the schema is a schema");
    for one in scenario::ALL {
        let seed = (one.seed)();
        let exported = seed.build().and_then(|sim| sim.export()).expect("a good seed");
        for file in [seed.to_json(), exported.to_json()] {
            let file = serde_json::from_str(&file).expect("it is JSON");
            let problems: Vec<String> = checker
                .iter_errors(&file)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert!(problems.is_empty(), "{}: {}", one.name(), problems.join("; "));
        }
    }
    for wrong in [
        json!({ "projcts": [] }),
        json!({ "projects": [{ "name": "a", "secrts": {} }] }),
        json!({ "projects": [{ "name": "a", "secrets": { "A": 1 } }] }),
        json!({ "projects": [{ "name": "a", "functions": [{ "slug": "a" }] }] }),
        json!({ "calls": [{ "times": "x" }] }),
    ] {
        assert!(!checker.is_valid(&wrong), "{wrong}");
    }
}

#[test]
fn backends_and_rules_lead_where_their_names_say() {
    let seed = Seed::new()
        .service(Services::Both)
        .source(json!({ "name": "all" }))
        .source(json!({ "name": "errors" }))
        .backend(json!({ "name": "drain", "type": "webhook", "config": { "url": "http://127.0.0.1:9/" }, "sources": ["all"] }))
        .rule(json!({ "source": "all", "sink": "errors", "lql_string": "failed" }))
        .rule(json!({ "source": "errors", "backend": "drain", "lql_string": "failed" }))
        .events(json!({ "source_name": "all", "body": [{ "message": "ok" }, { "message": "it failed" }] }));
    let sim = seed.build().expect("a good seed");
    let rows = |sql: &str| json!(sim.query_journal(sql).expect("a good query")).to_string();
    insta::assert_snapshot!(rows("select source, sink, backend from rule order by source"), @r#"[{"source":"all","sink":"errors","backend":null},{"source":"errors","sink":null,"backend":"drain"}]"#);
    insta::assert_snapshot!(rows("select source, inserts from source_count where source in ('all', 'errors') order by 1"),
        @r#"[{"source":"all","inserts":2},{"source":"errors","inserts":1}]"#);
    let unknown = Seed::new().service(Services::Both).rule(json!({ "source": "none", "lql_string": "x" }));
    let refused = unknown.build().map(drop).unwrap_err();
    assert_eq!(refused.message, "rules.0.source: there is no source \"none\"");
}
