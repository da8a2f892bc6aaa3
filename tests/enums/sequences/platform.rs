//! Regions, versions and everything around a project: keys, members, backups, networks.

use sim_core::management::catalog::InstanceSize;

use super::{NEW_BRANCH, OF_ACME, PROJECT, post, steps};

/// Everything around a project.
pub(super) fn beyond() -> Vec<Vec<String>> {
    [plans(), access(), recovery()].concat()
}

/// Regions, sizes, add-ons and plans.
fn plans() -> Vec<Vec<String>> {
    let get = |path: &str| format!("GET {PROJECT}{path}");
    let patch = |path: &str, body: &str| format!("PATCH {PROJECT}{path} {body}");
    let size =
        |size: &str| format!(r#"PUT /_sim/projects/{{ref}}/instance-size {{"instance_size":"{size}"}}"#);
    let regions = "GET /v1/projects/available-regions?organization_slug=acme";
    let mut all = vec![
        steps(["GET /v1/organizations/acme/entitlements"]),
        steps([regions]),
        steps([format!("{regions}&continent=EU")]),
        steps([format!("{regions}&continent=AS")]),
        steps(["DELETE /v1/projects/{ref}/cli/login-role"]),
        steps([
            &*size("small"),
            "wait 60",
            &post("/read-replicas/setup", r#"{"read_replica_region":"us-west-1"}"#),
            OF_ACME,
        ]),
    ];
    let addons = "/billing/addons";
    for (kind, variant) in
        [("custom_domain", "cd_default"), ("ipv4", "ipv4_default"), ("compute_instance", "ci_small")]
    {
        let apply = patch(addons, &format!(r#"{{"addon_type":"{kind}","addon_variant":"{variant}"}}"#));
        all.push(steps([&*apply, "wait 60", &get(addons)]));
    }
    for days in [7, 14, 28] {
        let apply = patch(addons, &format!(r#"{{"addon_type":"pitr","addon_variant":"pitr_{days}"}}"#));
        all.push(steps([&*size("small"), "wait 60", &apply, &get(addons)]));
    }
    for name in InstanceSize::ALL.into_iter().filter(|name| *name != InstanceSize::Micro) {
        let name = serde_json::json!(name);
        all.push(steps([&*size(name.as_str().unwrap_or_default()), "wait 60", OF_ACME, &get(addons)]));
    }
    let (globex, plan) =
        (r#"POST /v1/organizations {"name":"Globex"} → other=/id"#, |slug: &str, plan: &str| {
            format!(r#"PUT /_sim/organizations/{slug}/plan {{"plan":"{plan}"}}"#)
        });
    for name in ["free", "pro", "team", "enterprise"] {
        let claim = "GET /v1/organizations/{other}/project-claim/{claim}";
        let token = post("/claim-token", "") + " → claim=/token";
        all.push(steps([globex, &*plan("acme", name), &plan("{other}", name), &token, claim]));
    }
    let disk = post("/config/disk", r#"{"attributes":{"type":"io2","size_gb":50,"iops":100}}"#);
    all.push(steps([&*get("/config/disk"), &disk, &get("/config/disk"), OF_ACME]));
    for addon in ["auth_mfa_phone", "auth_mfa_web_authn", "log_drain", "etl_pipeline"] {
        let set = format!(r#"PUT /_sim/projects/{{ref}}/addons/{addon} {{"enabled":true}}"#);
        all.push(steps([set, get(addons)]));
    }
    all
}

/// Logins, keys and tokens of other issuers.
fn access() -> Vec<Vec<String>> {
    let get = |path: &str| format!("GET {PROJECT}{path}");
    let patch = |path: &str, body: &str| format!("PATCH {PROJECT}{path} {body}");
    let mut all = Vec::new();
    let saml = patch("/config/auth", r#"{"saml_enabled":true}"#);
    for format in [
        "1.1:nameid-format:unspecified",
        "2.0:nameid-format:transient",
        "1.1:nameid-format:emailAddress",
        "2.0:nameid-format:persistent",
    ] {
        let xml = r#"<EntityDescriptor xmlns=\"urn:oasis:names:tc:SAML:2.0:metadata\" entityID=\"a\"/>"#;
        let format = format!("urn:oasis:names:tc:SAML:{format}");
        let body = format!(r#"{{"type":"saml","metadata_xml":"{xml}","name_id_format":"{format}"}}"#);
        all.push(steps([&*saml, &post("/config/auth/sso/providers", &body)]));
    }
    let (keys, legacy) = ("/config/auth/signing-keys", "/config/auth/signing-keys/legacy");
    for algorithm in ["EdDSA", "ES256", "RS256", "HS256"] {
        all.push(steps([post(keys, &format!(r#"{{"algorithm":"{algorithm}"}}"#))]));
    }
    let one = post(keys, r#"{"algorithm":"ES256"}"#) + " → key=/id";
    let moved =
        |status: &str| patch("/config/auth/signing-keys/{key}", &format!(r#"{{"status":"{status}"}}"#));
    all.push(steps([&*one, &moved("in_use"), &post(legacy, ""), &get("/config/auth/signing-keys/{key}")]));
    all.push(steps([&*one, &moved("revoked")]));
    let third = "/config/auth/third-party-auth";
    for body in [
        r#"{"oidc_issuer_url":"https://issuer.example"}"#,
        r#"{"jwks_url":"https://issuer.example/jwks"}"#,
        r#"{"custom_jwks":{"keys":[]}}"#,
    ] {
        all.push(steps([post(third, body)]));
    }
    let jit = get("/jit-access");
    let new = r#"profile {"postgres_versions":[{"version":"17.1","engine":"17","release_channel":"ga"}]}"#;
    let enforce = format!(r#"PUT {PROJECT}/ssl-enforcement {{"requestedConfig":{{"database":true}}}}"#);
    let enable = format!(r#"PUT {PROJECT}/jit-access {{"state":"enabled"}}"#);
    all.push(steps([&jit]));
    all.push(steps([new, &*jit, &enforce, &jit, "wait 10", &jit, &enable]));
    all
}

/// Obstacles to upgrades, restore points, branches that are restored, and their runs.
fn recovery() -> Vec<Vec<String>> {
    let get = |path: &str| format!("GET {PROJECT}{path}");
    let patch = |path: &str, body: &str| format!("PATCH {PROJECT}{path} {body}");
    let mut all = Vec::new();
    let objects = ["table", "function"].map(|kind| {
        format!(
            r#"{{"type":"user_defined_objects_in_internal_schemas","obj_type":"{kind}","schema_name":"auth","obj_name":"x"}}"#
        )
    });
    all.push(steps([
        format!(
            r#"PUT /_sim/projects/{{ref}}/upgrade/obstacles {{"validation_errors":[{}]}}"#,
            objects.join(",")
        ),
        get("/upgrade/eligibility"),
    ]));
    let (points, first) = ("/database/backups/restore-point", r#"{"name":"first"}"#);
    let undo = post("/database/backups/undo", first);
    let second = post(points, r#"{"name":"second"}"#);
    all.push(steps([
        &*post(points, first),
        "wait 30",
        &get(points),
        &second,
        "wait 30",
        &undo,
        "wait 180",
        &get(points),
    ]));
    all.push(steps([&*post(points, first), &post("/pause", ""), "wait 30", &get(points)]));
    let (going, restore) = ("DELETE /v1/branches/{own}?force=false", "POST /v1/branches/{own}/restore");
    all.push(steps([NEW_BRANCH, "wait 60", going, restore]));
    let run = "POST /v1/branches/{own}/push {} → run=/workflow_run_id";
    let status = |status: &str| patch("/actions/{run}/status", &format!(r#"{{"deploy":"{status}"}}"#));
    for step in ["CREATED", "DEAD", "EXITED", "PAUSED", "REMOVING", "RESTARTING", "RUNNING"] {
        all.push(steps([NEW_BRANCH, "wait 2", run, &status(step), &get("/actions/{run}")]));
    }
    all
}
