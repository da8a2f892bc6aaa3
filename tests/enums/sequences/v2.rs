//! Sequences of calls to `/v2`.

use sim_core::management::v2::webhooks::event::EventType;

use super::{PROJECT, fail, post, steps};

/// `/v2`.
pub(super) fn second_version() -> Vec<Vec<String>> {
    const CONFIG: &str = "GET /v2/projects/{ref}/config";
    let patch = |path: &str, body: &str| format!("PATCH {PROJECT}{path} {body}");
    let mut all = vec![
        steps([CONFIG]),
        steps([r#"PUT /_sim/organizations/acme/plan {"plan":"free"}"#, CONFIG]),
        steps([
            r#"policy {"durations":{"apply_restrictions_ms":1000}}"#,
            &post("/network-restrictions/apply", r#"{"dbAllowedCidrs":["10.0.0.0/8"]}"#),
            CONFIG,
        ]),
        steps([&*patch("/config/storage", r#"{"external":{"upstreamTarget":"canary"}}"#), CONFIG]),
    ];
    for mode in ["session", "statement"] {
        let set = format!(r#"PUT /_sim/projects/{{ref}}/pool-mode {{"pool_mode":"{mode}"}}"#);
        all.push(steps([&*set, CONFIG]));
    }
    for role in ["origin", "replica", "local"] {
        let set = format!(r#"{{"session_replication_role":"{role}"}}"#);
        all.push(steps([&*patch("/config/database/postgres", &set), CONFIG]));
    }
    all.extend(members());
    all.extend(notebooks());
    all.extend(documents());
    all.extend(webhooks());
    let link = |database: &str| {
        let attributes = format!(r#"{{"cloud_a_account_id":"123456789012"{database}}}"#);
        let data = format!(r#"{{"data":{{"type":"private_link_association","attributes":{attributes}}}}}"#);
        format!("POST /v2/projects/{{ref}}/private-link/associations {data}")
    };
    let links = "GET /v2/projects/{ref}/private-link/associations";
    let team = r#"PUT /_sim/organizations/acme/plan {"plan":"team"}"#;
    all.push(steps([team, &link(""), "wait 60", links]));
    all.push(steps([
        team,
        r#"PUT /_sim/projects/{ref}/instance-size {"instance_size":"small"}"#,
        "wait 60",
        &post("/read-replicas/setup", r#"{"read_replica_region":"eu-west-1"}"#),
        "wait 120",
        "GET /_sim/projects/{ref}/read-replicas → replica=/0/database_identifier",
        &link(r#","database_identifier":"{replica}""#),
    ]));
    let kinds = [
        "postgres",
        "warehouse",
        "columnar",
        "webhook",
        "drain_b",
        "drain_d",
        "drain_a",
        "s3",
        "drain_c",
        "last9",
        "otlp",
        "syslog",
    ];
    for (kind, http) in kinds.into_iter().zip(["http1", "http2"].into_iter().cycle()) {
        let config = format!(
            r#"{{"name":"a","backend_type":"{kind}","config":{{"url":"https://a.example","http":"{http}"}}}}"#
        );
        let data = format!(r#"{{"data":{{"type":"log_drain","attributes":{config}}}}}"#);
        all.push(steps([format!("POST /v2/projects/{{ref}}/analytics/log-drains {data}")]));
    }
    all
}

/// Members of organizations, and the other operations of `/v2` on them.
pub(super) fn members() -> Vec<Vec<String>> {
    const READER: &str = "GET /v1/organizations/acme/members → reader=/3/user_id";
    let give = |role: &str| {
        let attributes = format!(r#"{{"type":"organization_member_role","attributes":{role}}}"#);
        format!(r#"PATCH /v2/organizations/acme/members/{{reader}}/roles {{"data":{attributes}}}"#)
    };
    let mut all = vec![
        steps(["GET /v2/organizations/acme/members"]),
        steps(["GET /v2/organizations/acme/roles"]),
        steps(["GET /v2/organizations/acme/maintenance/windows"]),
        steps([
            r#"POST /v2/organizations/acme/members/invitations {"data":[{"type":"organization_invitation","attributes":{"email":"new@example.test","role":"owner"}}]}"#,
        ]),
        steps([
            r#"POST /v2/projects/{ref}/transfers/previews {"data":{"type":"project_transfer_input","attributes":{"target_organization_slug":"acme"}}}"#,
        ]),
        steps([
            "wait 172800",
            r#"POST /v2/projects/{ref}/backups/download {"data":{"type":"project_backup_file_url","id":1767312000}}"#,
        ]),
        steps([
            r#"PUT /_sim/organizations/acme/plan {"plan":"team"}"#,
            READER,
            &give(r#"{"role":"developer","projects":[{"ref":"{ref}"}]}"#),
        ]),
    ];
    for role in ["owner", "administrator", "developer", "read-only", "no-access"] {
        all.push(steps([READER, &give(&format!(r#"{{"role":"{role}"}}"#))]));
    }
    all
}

/// Notebooks, with every kind of cell.
fn notebooks() -> Vec<Vec<String>> {
    let post = |cell: &str| {
        let attributes = format!(r#"{{"name":"a","content":{{"cells":[{cell}]}}}}"#);
        let data = format!(r#"{{"data":{{"type":"notebook","attributes":{attributes}}}}}"#);
        format!("POST /v2/projects/{{ref}}/notebooks {data}")
    };
    let mut all = vec![steps([post(""), "GET /v2/projects/{ref}/notebooks".to_owned()])];
    for (view, kind, scale) in [("table", "bar", "linear"), ("chart", "line", "log")] {
        let chart = format!(
            r#"{{"type":"{kind}","scale":"{scale}","cumulative":false,"show_labels":true,"x_column":"a","y_series":[]}}"#
        );
        all.push(steps([post(&format!(
            r#"{{"type":"database","sql":"select 1","view":"{view}","chart":{chart}}}"#
        ))]));
    }
    for unit in ["minute", "hour", "day", "week", "month", "year"] {
        let range = format!(r#"{{"type":"relative","amount":1,"unit":"{unit}"}}"#);
        all.push(steps([post(&format!(r#"{{"type":"log","sql":"select 1","time_range":{range}}}"#))]));
    }
    all
}

/// Resources that `/v1` has too, and programs that run next to projects.
fn documents() -> Vec<Vec<String>> {
    let advise = |names: &str| {
        let lints =
            names.split(' ').map(|name| format!(r#"{{"name":"{name}"}}"#)).collect::<Vec<_>>().join(",");
        let data = format!(r#"{{"data":{{"type":"project_advisors","attributes":{{"lints":[{lints}]}}}}}}"#);
        format!("POST /v2/projects/{{ref}}/advisors/run {data}")
    };
    let deploy = |scope: &str| {
        let spec = format!(r#"{{"exposure":"public","instances":1,"size":"small"{scope}}}"#);
        let data = format!(r#"{{"type":"project_compute_instance","attributes":{{"spec":{spec}}}}}"#);
        format!(r#"POST /v2/projects/{{ref}}/compute/worker/deploy {{"data":{data}}}"#)
    };
    let branch = r#"POST /v2/projects/{ref}/branches {"data":{"type":"branch","attributes":{"name":"dev"}}}"#;
    let worker = "GET /v2/projects/{ref}/compute/worker";
    let mut all = vec![
        steps([
            r#"PUT /_sim/projects/{ref}/vcs-connection {"repository":"acme/shop"}"#,
            "GET /v2/organizations/acme/integrations/vcs/connections",
        ]),
        steps([branch]),
        steps([advise("leaked_service_key auth_password_policy_missing ssl_not_enforced")]),
        steps([r#"PUT /_sim/projects/{ref}/health/db {"healthy":false}"#, &advise("db_not_reachable")]),
        steps([&deploy(""), "wait 30", worker]),
        steps([&fail("deploy"), &deploy(""), "wait 30", worker]),
        steps(["POST /v2/projects/{ref}/compute/worker/uploads"]),
    ];
    all.extend(
        ["all", "platform", "none"].map(|group| steps([deploy(&format!(r#","secrets_scope":"{group}""#))])),
    );
    all
}

/// Webhooks: every kind of event, and every end of a delivery.
pub(super) fn webhooks() -> Vec<Vec<String>> {
    const AT: &str = "/v2/projects/{ref}/webhooks/endpoints";
    let kinds: Vec<String> = EventType::EVENTS.iter().map(|one| serde_json::json!(one).to_string()).collect();
    let endpoint = |kinds: &[String], enabled: bool| {
        let kinds = kinds.iter().map(|kind| format!(r#"{{"type":{kind}}}"#)).collect::<Vec<_>>().join(",");
        let attributes = format!(
            r#"{{"url":"https://a.example","signing_secret":"12345678","enabled":{enabled},"event_types":[{kinds}]}}"#
        );
        format!(r#"POST {AT} {{"data":{{"type":"endpoint","attributes":{attributes}}}}} → endpoint=/data/id"#)
    };
    let any = [r#""*""#.to_owned()];
    let deliveries = format!("GET {AT}/{{endpoint}}/deliveries");
    let answered = |status: u16| {
        steps([
            endpoint(&any, true),
            format!("POST {AT}/{{endpoint}}/test {{}} → delivery=/data/id"),
            format!(r#"POST /_sim/webhooks/posts/{{delivery}} {{"status":{status},"answer":"an answer"}}"#),
            deliveries.clone(),
        ])
    };
    let mut all = vec![
        steps([endpoint(&[kinds.clone(), any.to_vec()].concat(), true)]),
        answered(200),
        answered(500),
        steps([endpoint(&any, false), format!("POST {PROJECT}/pause"), deliveries.clone()]),
    ];
    all.extend(kinds.iter().map(|kind| {
        let event = format!(r#"{{"data":{{"type":"event","attributes":{{"type":{kind}}}}}}}"#);
        steps([endpoint(&any, true), format!("POST {AT}/{{endpoint}}/test {event}"), deliveries.clone()])
    }));
    all
}
