//! The sequences of calls, as texts; `docs/enums.md` shows them.
//!
//! A step is `policy` or `profile` with its differences from the default, `wait` with seconds, or a call:
//! method, path, JSON body. A call may end in `→ name=/pointer`, which names a part of the response for later
//! steps (`→ name=?field` of the address that it redirects to). `{ref}` is the world's project.

mod platform;
mod v2;

use sim_core::management::backup::BackupStatus;
use sim_core::management::branch_workflow::BranchStatus;
use sim_core::management::upgrade_progress::UpgradeError;

use self::platform::beyond;
use self::v2::second_version;

const REGIONS: [&str; 18] = [
    "us-east-1",
    "us-east-2",
    "us-west-1",
    "us-west-2",
    "ap-east-1",
    "ap-southeast-1",
    "ap-northeast-1",
    "ap-northeast-2",
    "ap-southeast-2",
    "eu-west-1",
    "eu-west-2",
    "eu-west-3",
    "eu-north-1",
    "eu-central-1",
    "eu-central-2",
    "ca-central-1",
    "ap-south-1",
    "sa-east-1",
];

const CHANNELS: [&str; 6] = ["internal", "alpha", "beta", "ga", "withdrawn", "preview"];

const PROJECT: &str = "/v1/projects/{ref}";
const NEW_BRANCH: &str = r#"POST /v1/projects/{ref}/branches {"branch_name":"dev"} → own=/project_ref"#;
const OF_ACME: &str = "GET /v1/organizations/acme/projects";
const HOSTNAME: &str = "/v1/projects/{ref}/custom-hostname";

/// All sequences. If several produce a value, the document shows the shortest.
pub(super) fn sequences() -> Vec<Vec<String>> {
    [
        lives(),
        organizations(),
        settings(),
        releases(),
        branches(),
        names(),
        content(),
        beyond(),
        second_version(),
    ]
    .concat()
    .into_iter()
    .map(listed_twice)
    .collect()
}

/// Lists projects in both versions where the first one is asked.
fn listed_twice(sequence: Vec<String>) -> Vec<String> {
    let again = |step: &str| (step == OF_ACME).then(|| OF_ACME.replace("/v1/", "/v2/"));
    sequence.into_iter().flat_map(|step| [again(&step), Some(step)]).flatten().collect()
}

fn steps<S: Into<String>, const N: usize>(steps: [S; N]) -> Vec<String> {
    steps.map(Into::into).into()
}

fn post(path: &str, body: &str) -> String {
    format!("POST {PROJECT}{path} {body}").trim_end().to_owned()
}

fn fail(work: &str) -> String {
    format!(r#"PUT /_sim/outcomes/{work} {{"outcome":"fail"}}"#)
}

/// The states of a project, and so of a branch's project.
fn lives() -> Vec<Vec<String>> {
    let mut all = vec![steps([
        r#"policy {"durations":{"accept_ms":1000}}"#,
        r#"POST /v1/projects {"db_pass":"hunter22","name":"new","organization_id":"acme","region":"us-east-1"} → new=/id"#,
        "GET /v1/projects",
        "GET /v1/projects/{new}",
        OF_ACME,
        "wait 1",
        NEW_BRANCH,
        "GET /v1/branches/{own}",
    ])];
    for (own, begin) in [("{ref}", vec![]), ("{own}", steps([NEW_BRANCH]))] {
        let life = |before: &[String], lives: &[&str]| {
            let mut all = before.to_vec();
            for step in lives {
                all.push(step.replace("{own}", own));
                let wait_only = step.starts_with("PUT /_sim/outcomes");
                all.extend((!wait_only && own == "{own}").then(|| "GET /v1/branches/{own}".to_owned()));
                all.extend((!wait_only && own == "{own}").then(|| format!("GET {PROJECT}/branches")));
                all.extend((!wait_only && own == "{ref}").then(|| "GET /v1/projects".to_owned()));
                all.extend((!wait_only && own == "{ref}").then(|| OF_ACME.to_owned()));
                let gone = step.starts_with("DELETE") || step == &"wait 2";
                all.extend((!wait_only && !gone && own == "{ref}").then(|| format!("GET {PROJECT}")));
            }
            all
        };
        let (create, pause, restore) = (fail("create"), fail("pause"), fail("restore"));
        let up = [begin.clone(), steps(["wait 60"])].concat();
        all.push(life(
            &begin,
            &["wait 60", "POST /v1/projects/{own}/pause", "wait 20", "POST /v1/projects/{own}/restore"],
        ));
        all.push(life(&up, &[r#"PUT /_sim/projects/{own}/health/rest {"healthy":false}"#]));
        all.push(life(&up, &[&pause, "POST /v1/projects/{own}/pause", "wait 20"]));
        all.push(life(
            &up,
            &[
                &restore,
                "POST /v1/projects/{own}/pause",
                "wait 20",
                "POST /v1/projects/{own}/restore",
                "wait 120",
            ],
        ));
        all.push(life(&up, &[r#"POST /v1/projects/{own}/upgrade {"target_version":"17"}"#]));
        all.push(life(&up, &[r#"PUT /v1/projects/{own}/config/database/postgres {"max_connections":100,"restart_database":true}"#]));
        all.push(life(&up, &[r#"PUT /_sim/projects/{own}/instance-size {"instance_size":"small"}"#]));
        let mut slow = steps([r#"policy {"durations":{"going_down_ms":2000}}"#]);
        slow.extend(up.clone());
        all.push(life(&slow, &["DELETE /v1/projects/{own}", "wait 2"]));
        if own == "{own}" {
            all.push(life(&[steps([create]), begin].concat(), &["wait 60"]));
        } else {
            let new = r#"POST /v1/projects {"db_pass":"hunter22","name":"new","organization_id":"acme","region":"us-east-1"} → new=/id"#;
            all.push(steps([
                &*create,
                new,
                "GET /v1/projects/{new}",
                "wait 60",
                "GET /v1/projects",
                OF_ACME,
                "GET /v1/projects/{new}",
            ]));
        }
    }
    for region in REGIONS {
        let create = format!(
            r#"POST /v1/projects {{"db_pass":"hunter22","name":"new","organization_id":"acme","region":"{region}"}} → new=/id"#
        );
        all.push(steps([&*create, "GET /v1/projects", "GET /v1/projects/{new}", OF_ACME]));
    }
    let services = "services=auth,db,db_postgres_user,pg_bouncer,pooler,realtime,rest,storage";
    let health = format!("GET {PROJECT}/health?{services}");
    all.push(steps([&*health, r#"PUT /_sim/projects/{ref}/health/db {"healthy":false}"#, &health]));
    all.push(steps([&*post("/pause", ""), "wait 20", &post("/restore", ""), &health]));
    all
}

fn organizations() -> Vec<Vec<String>> {
    let mut all = vec![
        steps(["GET /v1/organizations/acme/members"]),
        steps([
            r#"PUT /_sim/organizations/acme/options {"opt_in_tags":["AI_SQL_GENERATOR_OPT_IN","AI_DATA_GENERATOR_OPT_IN","AI_LOG_GENERATOR_OPT_IN"]}"#,
            "GET /v1/organizations/acme",
        ]),
    ];
    for plan in ["free", "pro", "team", "enterprise"] {
        let set = format!(r#"PUT /_sim/organizations/acme/plan {{"plan":"{plan}"}}"#);
        all.push(steps([&*set, "GET /v1/organizations/acme"]));
    }
    all
}

fn settings() -> Vec<Vec<String>> {
    let mut all = vec![steps([format!("GET {PROJECT}/api-keys?reveal=true")])];
    let mut patch = |path: &str, method: &str, field: &str, values: &[&str]| {
        for value in values {
            let set = format!(r#"{method} {PROJECT}{path} {{"{field}":"{value}"}}"#);
            all.push(steps([set, format!("GET {PROJECT}{path}")]));
        }
    };
    patch("/config/auth", "PATCH", "security_captcha_provider", &["turnstile", "hcaptcha"]);
    let vendors = ["vendor_a", "vendor_b", "vendor_c", "vendor_c_verify", "vendor_d"];
    patch("/config/auth", "PATCH", "sms_provider", &vendors);
    patch("/config/auth", "PATCH", "db_max_pool_size_unit", &["connections", "percent"]);
    let roles = ["origin", "replica", "local"];
    patch("/config/database/postgres", "PUT", "session_replication_role", &roles);
    for upstream in ["main", "canary"] {
        let set =
            format!(r#"PATCH {PROJECT}/config/storage {{"external":{{"upstreamTarget":"{upstream}"}}}}"#);
        all.push(steps([set, format!("GET {PROJECT}/config/storage")]));
    }
    for mode in ["transaction", "session", "statement"] {
        let set = format!(r#"PUT /_sim/projects/{{ref}}/pool-mode {{"pool_mode":"{mode}"}}"#);
        let entrances = format!("GET {PROJECT}/config/database/pooler");
        all.push(steps([set, format!("GET {PROJECT}/config/database/pgbouncer"), entrances]));
        let set = format!(r#"PUT /_sim/projects/{{ref}}/pool-mode {{"pool_mode":"{mode}"}}"#);
        all.push(steps([
            set,
            format!(r#"PATCH {PROJECT}/config/database/pooler {{"default_pool_size":5}}"#),
        ]));
    }
    all.push(steps([
        r#"PUT /_sim/projects/{ref}/instance-size {"instance_size":"small"}"#,
        "wait 60",
        &post("/read-replicas/setup", r#"{"read_replica_region":"eu-west-1"}"#),
        "wait 120",
        &format!("GET {PROJECT}/config/database/pooler"),
    ]));
    let restrictions = format!("GET {PROJECT}/network-restrictions");
    let apply = post("/network-restrictions/apply", r#"{"dbAllowedCidrs":["10.0.0.0/8"]}"#);
    let slow = r#"policy {"durations":{"apply_restrictions_ms":1000}}"#;
    all.push(steps([&*restrictions, &apply, &restrictions]));
    all.push(steps([slow, &apply, &restrictions]));
    let networks = r#"{"add":{"dbAllowedCidrs":["10.0.0.0/8"],"dbAllowedCidrsV6":["2001:db8::/32"]}}"#;
    let change = format!("PATCH {PROJECT}/network-restrictions {networks}");
    all.push(steps([&change]));
    all.push(steps([slow, &change]));
    all.push(steps([r#"PUT /_sim/organizations/acme/plan {"plan":"free"}"#, &restrictions]));
    let tables = "create table a (id int); create table b (id int); alter table b enable row level security; \
                  create view c as select * from a; create materialized view d as select * from a";
    all.push(steps([
        post("/database/query", &format!(r#"{{"query":"{tables}"}}"#)),
        format!("GET {PROJECT}/advisors/security"),
    ]));
    let backups = format!("GET {PROJECT}/database/backups");
    for status in BackupStatus::ALL {
        let status = serde_json::json!(status);
        let next = format!(r#"PUT /_sim/projects/{{ref}}/backups {{"status":{status}}}"#);
        all.push(steps([&*next, "wait 86400", &backups]));
    }
    all
}

/// Postgres versions of every engine and channel, and upgrades to them.
fn releases() -> Vec<Vec<String>> {
    let mut all = Vec::new();
    let version = |version: &str, engine: &str, channel: &str| {
        format!(r#"{{"version":"{version}","engine":"{engine}","release_channel":"{channel}"}}"#)
    };
    let offer = |versions: &[String]| format!(r#"profile {{"postgres_versions":[{}]}}"#, versions.join(","));
    let eligibility = format!("GET {PROJECT}/upgrade/eligibility");
    let restore = format!("GET {PROJECT}/restore");
    for channel in CHANNELS {
        let options =
            format!(r#"PUT /_sim/organizations/acme/options {{"allowed_release_channels":["{channel}"]}}"#);
        all.push(steps([
            &*offer(&[version("15.1", "15", channel), version("15.2", "15", channel)]),
            &options,
            "GET /v1/organizations/acme",
            &eligibility,
            &post("/pause", ""),
            "wait 20",
            &restore,
        ]));
    }
    for engine in ["13", "14", "15", "17", "17-oriole"] {
        let offer = offer(&[version("1.1", engine, "ga"), version("1.2", engine, "ga")]);
        all.push(steps([&*offer, &post("/pause", ""), "wait 20", &restore]));
        // An upgrade to the oldest version is not possible.
        if !["13", "14"].contains(&engine) {
            all.push(steps([&*offer, &eligibility]));
        }
    }
    let (upgrade, status) =
        (post("/upgrade", r#"{"target_version":"17"}"#), format!("GET {PROJECT}/upgrade/status"));
    for step in 0..11 {
        let wait = format!("wait {}", 42 * step);
        all.push(if step == 0 { steps([&upgrade, &status]) } else { steps([&upgrade, &wait, &status]) });
    }
    for error in UpgradeError::ALL {
        let error = serde_json::json!(error);
        let fail = format!(r#"PUT /_sim/projects/{{ref}}/upgrade/error {{"error":{error}}}"#);
        all.push(steps([&*fail, &upgrade, "wait 420", &status]));
    }
    all
}

fn branches() -> Vec<Vec<String>> {
    let list = format!("GET {PROJECT}/branches");
    let mut all = vec![steps([
        NEW_BRANCH,
        &list,
        "wait 2",
        &list,
        "wait 2",
        &list,
        "wait 2",
        &list,
        "POST /v1/branches/{own}/push {}",
        "POST /v1/branches/{own}/reset {}",
        "DELETE /v1/branches/{own}",
    ])];
    for work in ["branch_migrations", "branch_functions"] {
        all.push(steps([&*fail(work), NEW_BRANCH, "wait 60", &list]));
    }
    for status in BranchStatus::ALL {
        let set = format!(r#"PATCH /v1/branches/{{own}} {{"status":{}}}"#, serde_json::json!(status));
        all.push(steps([NEW_BRANCH, &set]));
    }
    all
}

/// Custom hostname and vanity subdomain.
fn names() -> Vec<Vec<String>> {
    let buy = r#"PUT /_sim/projects/{ref}/addons/custom_domain {"enabled":true}"#;
    let initialize = format!(r#"POST {HOSTNAME}/initialize {{"custom_hostname":"app.example.com"}}"#);
    let slow = r#"policy {"durations":{"hostname_accept_ms":1000}}"#;
    let get = format!("GET {HOSTNAME}");
    let vanity = format!("GET {PROJECT}/vanity-subdomain");
    let owner = format!("{initialize} → owner=/data/result/ownership_verification/value");
    let challenge = format!("{get} → challenge=/data/result/ssl/validation_records/0/txt_value");
    let origin = format!("{get} → origin=/data/result/custom_origin_server");
    vec![
        steps([slow, buy, &initialize, &get]),
        steps([
            buy,
            &owner,
            &challenge,
            &origin,
            r#"PUT /_sim/dns/app.example.com {"cname":"{origin}"}"#,
            r#"PUT /_sim/dns/_custom-hostname.app.example.com {"txt":["{owner}"]}"#,
            r#"PUT /_sim/dns/_acme-challenge.app.example.com {"txt":["{challenge}"]}"#,
            &format!("POST {HOSTNAME}/reverify"),
            "wait 60",
            &get,
            "wait 60",
            &get,
            &vanity,
            &format!("POST {HOSTNAME}/activate"),
            &get,
            &vanity,
        ]),
        steps([&*vanity, &post("/vanity-subdomain/activate", r#"{"vanity_subdomain":"demo"}"#), &vanity]),
    ]
}

/// Functions, snippets and tokens.
fn content() -> Vec<Vec<String>> {
    let (one, list) = (format!("GET {PROJECT}/functions/hi"), format!("GET {PROJECT}/functions"));
    let create = post("/functions", r#"{"slug":"hi","name":"hi","body":"x"}"#);
    let event =
        |word: &str| format!(r#"POST /_sim/projects/{{ref}}/functions/hi/events {{"event":"{word}"}}"#);
    let mut all = vec![steps([&create, &one, &list])];
    for word in ["throttle", "remove"] {
        all.push(steps([&create, &event(word), &one, &list]));
    }
    for visibility in ["user", "project", "org", "public"] {
        let keep = format!(
            r#"POST /_sim/snippets {{"user":"owner","project_ref":"{{ref}}","name":"a","sql":"select 1","visibility":"{visibility}"}} → id=/id"#
        );
        all.push(steps([&*keep, "GET /v1/snippets", "GET /v1/snippets/{id}"]));
    }
    all.push(steps([
        r#"POST /_sim/oauth/apps {"name":"App","redirect_uris":["https://app.test"],"scopes":[]} → app=/client_id secret=/client_secret"#,
        "GET /v1/oauth/authorize?client_id={app}&response_type=code&redirect_uri=https://app.test → code=?code",
        r#"POST /v1/oauth/token {"grant_type":"authorization_code","code":"{code}","redirect_uri":"https://app.test","client_id":"{app}","client_secret":"{secret}"}"#,
    ]));
    all
}
