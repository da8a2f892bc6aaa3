//! Permissions of fine-grained personal tokens: which operations need which, and what a token lacks.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sim_base::{Bearer, Cx, Error, Meta, Method, NO_PRIVILEGES, ToSchema, require_scope};

/// A permission of a fine-grained personal token: `database_read`. One to write includes the one to read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Permission(#[schemars(extend("enum" = names()))] pub String);

/// Refuses with 403 a token whose scopes or permissions do not cover the call.
pub(crate) fn permit(_: &Cx<'_>, bearer: &Bearer, meta: &Meta, input: &Value) -> Result<(), Error> {
    require_scope(bearer, meta)?;
    let granted = bearer.limits.as_ref().and_then(|limits| limits.permissions.as_deref());
    let Some(granted) = granted else { return Ok(()) };
    let needed = needed(meta, input);
    if needed.is_empty() && meta.id != FREE {
        return Err(refusal(granted).because("permission needed", NONE, None));
    }
    let missing = lacking(&needed, granted);
    if missing.is_empty() {
        return Ok(());
    }
    let names = missing.join(", ");
    Err(refusal(granted).because("permission needed", names, None).lacking(missing))
}

fn refusal(granted: &[String]) -> Error {
    let error = Error::forbidden("permission_missing", NO_PRIVILEGES);
    error.because("permissions granted", granted.join(" "), None)
}

/// What a token with these permissions lacks for the operation. An operation that no permission covers is named so.
pub(crate) fn missing(granted: &[String], meta: &Meta) -> Vec<String> {
    match needed(meta, &Value::Null) {
        needed if needed.is_empty() && meta.id != FREE => vec![NONE.to_owned()],
        needed => lacking(&needed, granted),
    }
}

/// The fact about an operation that only a token without limits reaches.
const NONE: &str = "none that a token can be limited to";

/// The operation that needs no permission.
const FREE: &str = "v1-get-profile";

/// What the operation needs: one permission of each list.
fn needed(meta: &Meta, input: &Value) -> Vec<&'static [&'static str]> {
    if meta.id == "v1-run-a-query" && input["read_only"] == true {
        return vec![&["database_read"]];
    }
    if let Some(webhooks) = of_webhooks(meta) {
        return vec![webhooks];
    }
    let rows = PERMISSIONS.iter().filter(|(_, operations)| operations.contains(&meta.id));
    let mut needed: Vec<_> = rows.map(|(permissions, _)| *permissions).collect();
    if input["reveal"] == true || input["reveal"] == "true" {
        needed.push(SECRETS_OF_KEYS);
    }
    needed
}

/// What showing keys whole needs in addition.
const SECRETS_OF_KEYS: &[&str] = &["api_gateway_keys_secrets_read"];

fn of_webhooks(meta: &Meta) -> Option<&'static [&'static str]> {
    let reads = meta.method == Method::Get;
    Some(match (meta.id.split_once("-webhooks")?.0, reads) {
        ("v2-organizations-slug", true) => &["organization_webhooks_read"],
        ("v2-organizations-slug", false) => &["organization_webhooks_write"],
        ("v2-projects-ref", true) => &["project_webhooks_read"],
        ("v2-projects-ref", false) => &["project_webhooks_write"],
        _ => return None,
    })
}

fn lacking(needed: &[&'static [&'static str]], granted: &[String]) -> Vec<String> {
    let has = |permission: &str| granted.iter().any(|one| covers(one, permission));
    let unmet = needed.iter().filter(|any| !any.iter().any(|one| has(one)));
    unmet.map(|any| any[0].to_owned()).collect()
}

fn covers(granted: &str, needed: &str) -> bool {
    let reads = needed.strip_suffix("_read");
    granted == needed || reads.is_some_and(|thing| granted.strip_suffix("_write") == Some(thing))
}

/// All permissions, sorted.
pub fn names() -> Vec<&'static str> {
    let webhooks = [
        "organization_webhooks_read",
        "organization_webhooks_write",
        "project_webhooks_read",
        "project_webhooks_write",
    ];
    let all = PERMISSIONS.iter().flat_map(|(permissions, _)| permissions.iter().copied());
    all.chain(SECRETS_OF_KEYS.iter().copied()).chain(webhooks).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Permissions, and the operations that need one of each list. An operation that is in several rows needs them all.
const PERMISSIONS: &[(&[&str], &[&str])] = &[
    (
        &["project_admin_read"],
        &[
            "v1-get-jit-access-config",
            "v1-get-postgres-upgrade-eligibility",
            "v1-get-postgres-upgrade-status",
            "v1-get-project",
            "v1-get-services-health",
            "v1-list-available-restore-versions",
            "v2-list-private-link-associations",
            "v2-preview-a-project-transfer",
            "v1-get-project-claim-token",
        ],
    ),
    (
        &["project_admin_write"],
        &[
            "v1-cancel-a-project-restoration",
            "v2-create-private-link-association",
            "v1-delete-a-project",
            "v2-delete-private-link-association",
            "v2-delete-private-link-association-for-database",
            "v1-get-pgsodium-config",
            "v1-pause-a-project",
            "v1-restart-a-project",
            "v1-restore-a-project",
            "v1-update-a-project",
            "v1-update-auth-service-config",
            "v1-update-jit-access-config",
            "v1-update-pgsodium-config",
            "v1-upgrade-postgres-version",
            "v1-create-project-claim-token",
            "v1-delete-project-claim-token",
        ],
    ),
    (
        &["action_runs_read"],
        &["v1-count-action-runs", "v1-get-action-run", "v1-get-action-run-logs", "v1-list-action-runs"],
    ),
    (&["action_runs_write"], &["v1-update-action-run-status"]),
    (
        &["advisors_read"],
        &["v1-get-performance-advisors", "v1-get-security-advisors", "v2-run-project-advisors"],
    ),
    (&["analytics_config_read"], &["v2-list-log-drains"]),
    (&["analytics_config_write"], &["v2-create-log-drain", "v2-delete-log-drain", "v2-update-log-drain"]),
    (
        &["analytics_logs_read"],
        &["v1-get-project-logs", "v1-get-project-logs-all", "v1-scrape-project-metrics"],
    ),
    (
        &["analytics_usage_read"],
        &[
            "v1-get-project-function-combined-stats",
            "v1-get-project-usage-api-count",
            "v1-get-project-usage-request-count",
        ],
    ),
    (
        &["backups_read"],
        &[
            "v1-get-backup-schedule",
            "v1-list-all-backups",
            "v1-get-restore-point",
            "v2-download-project-backup",
        ],
    ),
    (
        &["backups_write"],
        &[
            "v1-restore-pitr-backup",
            "v1-restore-physical-backup",
            "v1-update-backup-schedule",
            "v1-create-restore-point",
            "v1-undo",
        ],
    ),
    (
        &["database_read"],
        &[
            "v1-generate-typescript-types",
            "v1-get-database-metadata",
            "v1-get-database-openapi",
            "v1-get-postgres-upgrade-eligibility",
            "v1-get-postgres-upgrade-status",
            "v2-get-project-config",
            "v1-get-project-pgbouncer-config",
            "v1-read-only-query",
        ],
    ),
    (
        &["database_write"],
        &["v1-create-login-role", "v1-delete-login-roles", "v1-run-a-query", "v1-upgrade-postgres-version"],
    ),
    (&["database_config_read"], &["v1-get-postgres-config", "v2-get-project-config"]),
    (
        &["database_config_write"],
        &["v1-update-database-password", "v1-update-postgres-config", "v1-patch-postgres-config"],
    ),
    (&["database_jit_read"], &["v1-authorize-jit-access", "v1-get-jit-access"]),
    (
        &["database_jit_write"],
        &[
            "v1-delete-invite-external-jit-access",
            "v1-delete-jit-access",
            "v1-invite-external-jit-access",
            "v1-list-jit-access",
            "v1-update-jit-access",
        ],
    ),
    (&["database_network_bans_read"], &["v1-list-all-network-bans", "v1-list-all-network-bans-enriched"]),
    (&["database_network_bans_write"], &["v1-delete-network-bans"]),
    (&["database_network_restrictions_read"], &["v1-get-network-restrictions", "v2-get-project-config"]),
    (
        &["database_network_restrictions_write"],
        &[
            "v1-patch-network-restrictions",
            "v1-update-network-restrictions",
            "v1-review-network-restrictions",
        ],
    ),
    (&["database_migrations_read"], &["v1-get-a-migration", "v1-list-migration-history"]),
    (
        &["database_migrations_write"],
        &["v1-apply-a-migration", "v1-patch-a-migration", "v1-rollback-migrations", "v1-upsert-a-migration"],
    ),
    (&["database_pooling_config_read"], &["v1-get-pooler-config"]),
    (&["database_pooling_config_write"], &["v1-update-pooler-config"]),
    (&["database_readonly_config_read"], &["v1-get-readonly-mode-status"]),
    (&["database_readonly_config_write"], &["v1-disable-readonly-mode-temporarily"]),
    (&["database_ssl_config_read"], &["v2-get-project-config", "v1-get-ssl-enforcement-config"]),
    (&["database_ssl_config_write"], &["v1-update-ssl-enforcement-config"]),
    (&["database_webhooks_config_write"], &["v1-enable-database-webhook"]),
    (
        &["api_gateway_keys_read"],
        &["v1-get-project-api-key", "v1-get-project-api-keys", "v1-get-project-legacy-api-keys"],
    ),
    (
        &["api_gateway_keys_write"],
        &[
            "v1-create-project-api-key",
            "v1-delete-project-api-key",
            "v1-update-project-api-key",
            "v1-update-project-legacy-api-keys",
        ],
    ),
    (
        &["auth_config_read"],
        &[
            "v1-get-a-sso-provider",
            "v1-get-auth-service-config",
            "v2-get-project-config",
            "v1-get-project-tpa-integration",
            "v1-list-all-sso-provider",
            "v1-list-project-tpa-integrations",
        ],
    ),
    (
        &["auth_config_write"],
        &[
            "v1-create-a-sso-provider",
            "v1-create-project-tpa-integration",
            "v1-delete-a-sso-provider",
            "v1-delete-project-tpa-integration",
            "v1-update-a-sso-provider",
            "v1-update-auth-service-config",
        ],
    ),
    (
        &["auth_signing_keys_read"],
        &["v1-get-legacy-signing-key", "v1-get-project-signing-key", "v1-get-project-signing-keys"],
    ),
    (
        &["auth_signing_keys_write"],
        &[
            "v1-create-legacy-signing-key",
            "v1-create-project-signing-key",
            "v1-remove-project-signing-key",
            "v1-update-project-signing-key",
        ],
    ),
    (&["data_api_config_read"], &["v1-get-postgrest-service-config", "v2-get-project-config"]),
    (&["data_api_config_write"], &["v1-update-postgrest-service-config"]),
    (&["edge_functions_read"], &["v1-get-a-function", "v1-get-a-function-body", "v1-list-all-functions"]),
    (
        &["edge_functions_write"],
        &[
            "v1-bulk-update-functions",
            "v1-create-a-function",
            "v1-delete-a-function",
            "v1-deploy-a-function",
            "v1-update-a-function",
        ],
    ),
    (&["edge_functions_secrets_read"], &["v1-list-all-secrets"]),
    (&["edge_functions_secrets_write"], &["v1-bulk-create-secrets", "v1-bulk-delete-secrets"]),
    (&["realtime_config_read"], &["v2-get-project-config", "v1-get-realtime-config"]),
    (&["realtime_config_write"], &["v1-shutdown-realtime", "v1-update-realtime-config"]),
    (&["storage_read"], &["v1-list-all-buckets"]),
    (&["storage_config_read"], &["v2-get-project-config", "v1-get-storage-config"]),
    (&["storage_config_write"], &["v1-update-storage-config"]),
    (&["compute_read"], &["v2-get-a-compute-instance", "v2-list-all-compute-instances"]),
    (
        &["compute_write"],
        &[
            "v2-create-compute-instance-upload",
            "v2-delete-a-compute-instance",
            "v2-deploy-a-compute-instance",
        ],
    ),
    (
        &["branching_development_read", "branching_production_read"],
        &["v1-get-a-branch", "v1-get-a-branch-config", "v1-list-all-branches"],
    ),
    (
        &["branching_development_create", "branching_production_create"],
        &["v1-create-a-branch", "v2-create-a-branch"],
    ),
    (&["branching_development_delete", "branching_production_delete"], &["v1-delete-a-branch"]),
    (
        &["branching_development_write", "branching_production_write"],
        &[
            "v1-diff-a-branch",
            "v1-merge-a-branch",
            "v1-push-a-branch",
            "v1-reset-a-branch",
            "v1-restore-a-branch",
            "v1-update-a-branch-config",
        ],
    ),
    (&["branching_production_delete"], &["v1-disable-preview-branching"]),
    (&["custom_domain_read"], &["v1-get-hostname-config"]),
    (
        &["custom_domain_write"],
        &[
            "v1-activate-custom-hostname",
            "v1-delete-hostname-config",
            "v1-update-hostname-config",
            "v1-verify-dns-config",
        ],
    ),
    (&["infra_add_ons_read"], &["v1-list-project-addons"]),
    (&["infra_add_ons_write"], &["v1-apply-project-addon", "v1-remove-project-addon"]),
    (
        &["infra_disk_config_read"],
        &["v1-get-database-disk", "v1-get-disk-utilization", "v1-get-project-disk-autoscale-config"],
    ),
    (&["infra_disk_config_write"], &["v1-modify-database-disk"]),
    (&["infra_read_replicas_write"], &["v1-remove-a-read-replica", "v1-setup-a-read-replica"]),
    (&["vanity_subdomain_read"], &["v1-get-vanity-subdomain-config"]),
    (
        &["vanity_subdomain_write"],
        &[
            "v1-activate-vanity-subdomain-config",
            "v1-check-vanity-subdomain-availability",
            "v1-deactivate-vanity-subdomain-config",
        ],
    ),
    (&["organizations_read"], &["v1-list-all-organizations"]),
    (&["organizations_create"], &["v1-create-an-organization"]),
    (&["projects_read"], &["v1-list-all-projects"]),
    (&["snippets_read"], &["v1-get-a-snippet", "v1-list-all-snippets"]),
    (&["project_snippets_read"], &["v2-get-notebook", "v2-list-notebooks"]),
    (&["project_snippets_write"], &["v2-create-notebook", "v2-delete-notebook", "v2-update-notebook"]),
    (
        &["organization_admin_read"],
        &[
            "v1-get-an-organization",
            "v1-get-organization-entitlements",
            "v2-list-organization-maintenance-windows",
        ],
    ),
    (&["organization_admin_write"], &["v2-assign-organization-member-role", "v2-transfer-a-project"]),
    (
        &["members_read"],
        &["v1-list-organization-members", "v2-list-organization-members", "v2-list-organization-roles"],
    ),
    (
        &["members_write"],
        &[
            "v2-create-organization-invitations",
            "v2-delete-organization-invitations",
            "v2-remove-organization-members",
        ],
    ),
    (
        &["organization_projects_read"],
        &[
            "v1-get-all-projects-for-organization",
            "v2-list-organization-vcs-connections",
            "v2-list-organization-projects",
            "v1-get-available-regions",
        ],
    ),
    (&["organization_projects_create"], &["v1-create-a-project"]),
];
