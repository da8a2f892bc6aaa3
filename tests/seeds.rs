//! Seed files: their content appears in the world, errors in them name the place, and exported worlds can be
//! imported.

use std::collections::BTreeSet;
use std::panic::catch_unwind;

use serde_json::{Value, json};
use sim_core::engine::SingleTenant;
use sim_core::engine::fault::{Effect, Fault, On};
use sim_core::management::catalog::{InstanceSize, PostgresEngine, Region};
use sim_core::management::hostname_progress::Status as HostnameStatus;
use sim_core::management::pooler::PoolMode;
use sim_core::management::project::{CreateProject, ListProjects, Status};
use sim_core::management::upgrade_progress::{UpgradeError, UpgradeProgress};
use sim_core::seed::{self, CallSeed, ProjectSeed, Seed, Services, scenario};
use sim_core::{Policy, Replay, Simulator, UserSpec};
use sim_fixtures::strategies::Dice;
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
fn every_exported_scenario_is_restored_and_continues_in_the_same_way() {
    for one in scenario::ALL {
        let name = one.name();
        let mut sim = (one.seed)().build().expect("a scenario is a valid seed");
        let export = sim.export().expect("it is all in its pages");
        for file in [export.to_toml(), export.to_json()] {
            let again = Seed::parse(&file).expect("an export is a seed").build().expect("it can be built");
            assert_eq!(whole(&again), whole(&sim), "{name}");
            assert_eq!(again.export().expect("the same").to_toml(), export.to_toml(), "{name}");
        }
        let mut again = export.build().expect("it can be built");
        for world in [&mut sim, &mut again] {
            let _ = world.as_admin().call(CreateProject::named("later", "acme"));
            world.advance(std::time::Duration::from_secs(3 * 24 * 3600));
        }
        assert_eq!(whole(&again), whole(&sim), "{name}, three days later");
    }
}

#[test]
fn an_exported_world_can_be_replayed_from_its_beginning() {
    let sim = scenario::shop().build().expect("a good seed");
    let again = sim.export().and_then(|seed| seed.build()).expect("it comes back");
    let replayed = again.replay_file().expect("the journal is whole").run(again.registry());
    let replayed = replayed.unwrap_or_else(|divergence| panic!("{divergence}"));
    assert_eq!(replayed.journal_hash(), sim.journal_hash());
}

#[test]
fn an_exported_world_of_the_analytics_server_is_restored() {
    let file = r#"
        service = "analytics"
        [single_tenant]
        private_token = "private"
        platform = true
        [[sources]]
        name = "gateway"
        [[events]]
        source_name = "gateway"
        body = [{ message = "GET /a" }]
    "#;
    let sim = Seed::parse(file).and_then(|seed| seed.build()).expect("a good seed");
    let again = sim.export().and_then(|seed| Seed::parse(&seed.to_toml())?.build()).expect("it comes back");
    assert_eq!((again.journal(), again.agenda()), (sim.journal(), sim.agenda()));
    let rows = |sim: &Simulator| {
        let query = sim_core::analytics::query::RunQuery::sql("select event_message, timestamp from gateway");
        serde_json::to_value(sim.fork().call(query).expect("a good query").result).expect("plain data")
    };
    assert_eq!(rows(&again), rows(&sim));
    assert_eq!(rows(&sim)[0]["event_message"], "GET /a");
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
fn a_damaged_piece_of_a_chronicle_is_refused_or_read_without_panic() {
    let mut sim = Simulator::builder().seed(7).build();
    sim.call(CreateProject::named("demo", "acme")).expect("the name is new");
    let good = sim.snapshot().changes(None).expect("it is all in its pages");
    let lines: Vec<_> =
        good.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).collect();
    let mut dice = Dice::new(7);
    for case in 0..120 {
        // Every second case damages the text before the pages.
        let place = dice.below(if case % 2 == 0 { lines[1] } else { good.len() });
        let mut bad = good.clone();
        bad[place] ^= 1 << dice.below(8);
        let outcome = catch_unwind(|| {
            let mut again = Simulator::builder().seed(7).build();
            again.follow(&bad).and_then(|()| again.take_up()).map(|_| {
                let _ = again.call(ListProjects {});
                (again.journal().len(), again.rate_windows().len())
            })
        });
        assert!(outcome.is_ok(), "byte {place} of {}", good.len());
    }
}

#[test]
fn calls_are_counted_on_where_a_chronicle_is_taken_up() {
    let begin = || scenario::four_roles().build().expect("a good seed");
    let (mut sim, mut again) = (begin(), begin());
    let mut before = None;
    for tokens in [&["token-of-owner"][..], &[], &["token-of-developer", "token-of-owner"]] {
        for token in tokens {
            let calls = [(); 2].map(|()| sim.as_user(token).and_then(|mut user| user.call(ListProjects {})));
            assert!(calls.iter().all(Result::is_ok));
        }
        let now = sim.snapshot();
        again.follow(&now.changes(before.as_ref()).expect("it is all in its pages")).expect("it fits");
        before = Some(now);
    }
    again.take_up().expect("it is whole");
    assert_eq!(again.rate_windows(), sim.rate_windows());
    assert_eq!(sim.rate_windows().iter().map(|window| window.used).collect::<Vec<_>>(), [2, 4]);
}

#[test]
fn a_state_that_was_changed_is_refused() {
    let export = scenario::active_project().build().and_then(|sim| sim.export()).expect("a good seed");
    let mut file: Value = serde_json::from_str(&export.to_json()).expect("it is JSON");
    let refusal = |file: &Value| {
        Seed::parse(&file.to_string()).and_then(|seed| seed.build()).map(drop).unwrap_err().message
    };
    file["state"]["calls"] = 7.into();
    assert!(refusal(&file).contains(": state: was changed"), "{}", refusal(&file));
    let mut other_people: Value = serde_json::from_str(&export.to_json()).expect("it is JSON");
    other_people["users"][0]["name"] = "somebody".into();
    other_people["organizations"][0]["members"] = json!({});
    assert!(refusal(&other_people).contains(": state: was changed"), "{}", refusal(&other_people));
    let mut more: Value = serde_json::from_str(&export.to_json()).expect("it is JSON");
    more["projects"] = json!([{ "name": "another" }]);
    assert!(refusal(&more).contains(": projects: can't stand beside `state`"), "{}", refusal(&more));
}

#[test]
fn an_export_of_another_format_is_always_refused() {
    let export = scenario::active_project().build().and_then(|sim| sim.export()).expect("a good seed");
    let mut file: Value = serde_json::from_str(&export.to_json()).expect("it is JSON");
    file["state"]["format"] = 9.into();
    let words =
        "was made by another version; start a new world (found format 9, this version reads format 1)";
    let direct = serde_json::from_value::<Seed>(file.clone()).expect_err("it is of another format");
    assert_eq!(direct.to_string(), words);
    file["policy"]["not_yet_thought_of"] = 1.into();
    let toml = export.to_toml().replacen("[policy]", "[policy]\nnot_yet_thought_of = 1", 1);
    let toml = toml.replacen("format = 1", "format = 9", 1);
    for text in [file.to_string(), toml] {
        assert_eq!(
            Seed::parse(&text).expect_err("it is of another format").message,
            format!("state: {words}")
        );
    }
}

#[test]
fn a_replay_file_of_another_format_is_refused_before_anything_else() {
    let file = Simulator::builder().build().replay_file().expect("the journal is whole");
    let text = serde_json::to_string(&file).expect("it is plain data");
    let text = text.replacen("\"version\":1", "\"version\":9,\"not_yet_thought_of\":1", 1);
    let said = serde_json::from_str::<Replay>(&text).expect_err("it is of another format").to_string();
    let words =
        "was made by another version; start a new world (found format 9, this version reads format 1)";
    assert!(said.starts_with(words), "{said}");
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

/// A field, and its builder.
type Builder<T> = (&'static str, fn(T) -> T);

/// For each field of a seed file, its builder.
const SEED_BUILDERS: [Builder<Seed>; 27] = [
    ("service", |seed| seed.service(Services::Analytics)),
    ("self_log", |seed| seed.self_log()),
    ("seed", |seed| seed.seed(7)),
    ("start", |seed| seed.start("2026-02-01T00:00:00Z".parse().expect("an instant"))),
    ("users", |seed| seed.user(UserSpec::named("ada"))),
    ("organizations", |seed| seed.organization("Acme", "pro", &[])),
    ("single_tenant", |seed| seed.single_tenant(SingleTenant::default())),
    ("policy", |seed| seed.policy(Policy::default())),
    ("profile", |seed| seed.profile(sim_core::Profile::default())),
    ("projects", |seed| seed.project(ProjectSeed::named("a"))),
    ("calls", |seed| seed.call(CallSeed::default())),
    ("faults", |seed| seed.fault(Fault::new(On::path("*"), Effect::Reset))),
    ("state", |_| Simulator::builder().build().export().expect("it is all in its pages")),
    ("dns", |seed| seed.dns("a.test", json!({}))),
    ("options", |seed| seed.options("acme", json!({}))),
    ("apps", |seed| seed.app(json!({}))),
    ("sources", |seed| seed.source(json!({}))),
    ("backends", |seed| seed.backend(json!({}))),
    ("rules", |seed| seed.rule(json!({}))),
    ("access_tokens", |seed| seed.access_token(json!({}))),
    ("endpoints", |seed| seed.endpoint(json!({}))),
    ("alerts", |seed| seed.alert(json!({}))),
    ("teams", |seed| seed.team(json!({}))),
    ("events", |seed| seed.events(json!({}))),
    ("logs", |seed| seed.log(json!({}))),
    ("projects", |seed| seed.project(ProjectSeed::named("b"))),
    ("calls", |seed| seed.advance(std::time::Duration::from_secs(1))),
];

/// For each field of a project, its builder.
const PROJECT_BUILDERS: [Builder<ProjectSeed>; 45] = [
    ("name", |project| project),
    ("organization", |project| project.organization("acme")),
    ("region", |project| project.region(Region::EuWest1)),
    ("size", |project| project.size(InstanceSize::Small)),
    ("postgres_engine", |project| project.postgres_engine(PostgresEngine::V15)),
    ("db_pass", |project| project.db_pass("a-password")),
    ("status", |project| project.paused()),
    ("status", |project| project.status(Status::Restoring)),
    ("upgrade", |project| project.upgrading(UpgradeProgress::Started)),
    ("upgrade", |project| project.failed_upgrade(UpgradeError::DataUpgradeCompletion)),
    ("hostname_status", |project| project.hostname("a.test", HostnameStatus::Initiated)),
    ("hostname", |project| project.hostname("a.test", HostnameStatus::Initiated)),
    ("addons", |project| project.addon("custom_domain")),
    ("migrations", |project| project.migration("a", "select 1")),
    ("sql", |project| project.sql("select 1")),
    ("auth", |project| project.auth(json!({}))),
    ("sso_providers", |project| project.sso_provider(json!({}))),
    ("third_party_auth", |project| project.third_party_auth(json!({}))),
    ("signing_keys", |project| project.signing_key(json!({}))),
    ("realtime", |project| project.realtime(json!({}))),
    ("disk", |project| project.disk(json!({}))),
    ("postgres", |project| project.postgres(json!({}))),
    ("pool_mode", |project| project.pool_mode(PoolMode::Session)),
    ("rest", |project| project.rest(json!({}))),
    ("storage", |project| project.storage(json!({}))),
    ("ssl", |project| project.ssl(true)),
    ("root_key", |project| project.root_key("00")),
    ("vault", |project| project.vault("card", "1")),
    ("webhooks", |project| project.webhooks()),
    ("network", |project| project.network(&[])),
    ("failed_logins", |project| project.failed_login("203.0.113.7")),
    ("vanity", |project| project.vanity("shop")),
    ("secrets", |project| project.secret("A", "b")),
    ("api_keys", |project| project.api_key(json!({}))),
    ("functions", |project| project.function("hello", "")),
    ("snippets", |project| project.snippet("ada", "all", "select 1")),
    ("replicas", |project| project.replica(Region::EuWest1)),
    ("backup_time", |project| project.backup_time("04:00:00")),
    ("backups", |project| project.backup(json!({}))),
    ("restore_points", |project| project.restore_point("before")),
    ("branch_seed", |project| project.branch_seed("select 1")),
    ("obstacles", |project| project.obstacles(json!({}))),
    ("branches", |project| project.branch("dev")),
    ("read_only", |project| project.read_only()),
    ("health", |project| project.broken("rest")),
];

#[test]
fn every_field_has_a_builder() {
    let schema = seed::schema();
    let fields = |schema: &Value| -> BTreeSet<String> {
        schema["properties"].as_object().expect("it has fields").keys().cloned().collect()
    };
    let names = |name: &&str| (*name).to_owned();
    let said: BTreeSet<_> = SEED_BUILDERS.iter().map(|(name, _)| names(name)).collect();
    assert_eq!(said, fields(&schema));
    for (name, build) in SEED_BUILDERS {
        let file: Value = serde_json::from_str(&build(Seed::new()).to_json()).expect("it is JSON");
        assert!(!file[name].is_null(), "{name}: {file}");
    }
    let said: BTreeSet<_> = PROJECT_BUILDERS.iter().map(|(name, _)| names(name)).collect();
    assert_eq!(said, fields(&schema["$defs"]["ProjectSeed"]));
    for (name, build) in PROJECT_BUILDERS {
        let file = json!(build(ProjectSeed::named("a")));
        assert!(!file[name].is_null(), "{name}: {file}");
    }
}

/// For each table of a resource, the field of a seed that fills it, or the other way in which its rows are created.
const TABLES: [(&str, &str); 48] = [
    ("access_token", "access_tokens"),
    ("addon", "projects.addons"),
    ("alert", "alerts"),
    ("api_key", "projects.api_keys"),
    ("auth_config", "projects.auth"),
    ("backend", "backends"),
    ("backup", "projects.backups"),
    ("branch", "projects.branches"),
    ("branch_seed", "projects.branch_seed"),
    ("cached_result", "calls: an endpoint is asked"),
    ("custom_hostname", "projects.hostname"),
    ("dns", "dns"),
    ("endpoint", "endpoints"),
    ("failed_login", "projects.failed_logins"),
    ("fault", "faults"),
    ("function", "projects.functions"),
    ("member", "organizations"),
    ("network_restriction", "projects.network"),
    ("next_outcome", "calls: it is said of what comes next"),
    ("oauth_app", "apps"),
    ("oauth_grant", "apps"),
    ("organization", "organizations"),
    ("outbox", "events"),
    ("pooler", "projects.pool_mode"),
    ("postgres_config", "projects.postgres"),
    ("project", "projects"),
    ("rate_window", "calls: whoever calls has one"),
    ("rejected_event", "calls: a delivery is refused"),
    ("replica", "projects.replicas"),
    ("rest_config", "projects.rest"),
    ("root_key", "projects.root_key"),
    ("rule", "rules"),
    ("secret", "projects.secrets"),
    ("service_fault", "projects.health"),
    ("snippet", "projects.snippets"),
    ("source", "sources"),
    ("source_backend", "backends"),
    ("source_count", "events"),
    ("source_field", "events"),
    ("ssl_enforcement", "projects.ssl"),
    ("sso_domain", "projects.sso_providers"),
    ("sso_provider", "projects.sso_providers"),
    ("storage_config", "projects.storage"),
    ("team", "teams"),
    ("team_user", "calls: a member is added to a team"),
    ("token", "users"),
    ("upgrade", "projects.upgrade"),
    ("user", "users"),
];

/// The rest of the tables.
const MORE_TABLES: [(&str, &str); 31] = [
    ("action_run", "calls: a branch is pushed"),
    ("backup_schedule", "projects.backup_time"),
    ("claim_token", "calls: one is made"),
    ("compute_instance", "calls: one is deployed"),
    ("compute_upload", "calls: one is asked for"),
    ("connection", "calls: a database client connects"),
    ("disk", "projects.disk"),
    ("document", "calls: one is set"),
    ("invitation", "calls: somebody is invited"),
    ("jit_access", "calls: a member is let in"),
    ("jit_config", "calls: members are let in"),
    ("jit_invite", "calls: somebody is invited"),
    ("log_drain", "calls: one is made"),
    ("login_role", "calls: one is made"),
    ("member_scope", "calls: a role is limited to projects"),
    ("notebook", "calls: one is made"),
    ("private_link", "calls: one is made"),
    ("project_use", "calls: the policy pauses idle projects"),
    ("realtime_config", "projects.realtime"),
    ("restore_point", "projects.restore_points"),
    ("service_start", "projects.health"),
    ("signing_key", "projects.signing_keys"),
    ("third_party_auth", "projects.third_party_auth"),
    ("vanity_subdomain", "projects.vanity"),
    ("vault_value", "projects.vault"),
    ("vcs_connection", "calls: a project is connected"),
    ("warehouse_dataset", "sources"),
    ("warehouse_request", "events"),
    ("webhook", "projects.webhooks"),
    ("webhook_delivery", "calls: something happens"),
    ("webhook_endpoint", "calls: one is made"),
];

#[test]
fn every_resource_has_a_builder() {
    let sim = Simulator::builder().with_self_log().build();
    let sql =
        "select name from sqlite_schema where name not in ('call', 'event', 'due', 'dropped') order by name";
    let found = sim.query_journal(sql).expect("a good query");
    let found: BTreeSet<_> = found.iter().filter_map(|row| row["name"].as_str()).collect();
    let listed = || TABLES.into_iter().chain(MORE_TABLES);
    assert_eq!(found, listed().map(|(table, _)| table).collect());
    for (table, field) in listed().filter(|(_, field)| !field.starts_with("calls: ")) {
        let has = |name: &str| match name.strip_prefix("projects.") {
            Some(name) => PROJECT_BUILDERS.iter().any(|(builder, _)| *builder == name),
            None => SEED_BUILDERS.iter().any(|(builder, _)| *builder == name),
        };
        assert!(has(field), "{table}: {field}");
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
