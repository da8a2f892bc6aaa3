//! Permissions of fine-grained tokens. The model draws tokens with some of them, and knows all operations that these reach.

use super::rule::Asked;
use crate::strategies::Text;

/// The permissions that tokens are given.
pub(super) const PERMISSIONS: [Text; 11] = [
    "api_gateway_keys_read",
    "api_gateway_keys_secrets_read",
    "api_gateway_keys_write",
    "auth_config_read",
    "auth_config_write",
    "database_read",
    "database_write",
    "edge_functions_secrets_write",
    "project_admin_read",
    "project_admin_write",
    "projects_read",
];

/// Operations that these permissions reach, and all that each needs.
const NEEDED: &[(&[Text], &[Text])] = &[
    (&[], &["v1-get-profile"]),
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
        ],
    ),
    (&["auth_config_write", "project_admin_write"], &["v1-update-auth-service-config"]),
    (
        &["database_read"],
        &[
            "v1-generate-typescript-types",
            "v1-get-database-metadata",
            "v1-get-database-openapi",
            "v1-get-project-pgbouncer-config",
            "v1-read-only-query",
        ],
    ),
    (&["database_write"], &["v1-create-login-role", "v1-delete-login-roles", "v1-run-a-query"]),
    (&["edge_functions_secrets_read"], &["v1-list-all-secrets"]),
    (&["edge_functions_secrets_write"], &["v1-bulk-create-secrets", "v1-bulk-delete-secrets"]),
    (&["projects_read"], &["v1-list-all-projects"]),
    (
        &["project_admin_read"],
        &[
            "v1-get-jit-access-config",
            "v1-get-project",
            "v1-get-project-claim-token",
            "v1-get-services-health",
            "v1-list-available-restore-versions",
            "v2-list-private-link-associations",
            "v2-preview-a-project-transfer",
        ],
    ),
    (
        &["project_admin_write"],
        &[
            "v1-cancel-a-project-restoration",
            "v1-create-project-claim-token",
            "v1-delete-a-project",
            "v1-delete-project-claim-token",
            "v1-get-pgsodium-config",
            "v1-pause-a-project",
            "v1-restart-a-project",
            "v1-restore-a-project",
            "v1-update-a-project",
            "v1-update-jit-access-config",
            "v1-update-pgsodium-config",
            "v2-create-private-link-association",
            "v2-delete-private-link-association",
            "v2-delete-private-link-association-for-database",
        ],
    ),
    (
        &["project_admin_read", "database_read"],
        &["v1-get-postgres-upgrade-eligibility", "v1-get-postgres-upgrade-status"],
    ),
    (&["project_admin_write", "database_write"], &["v1-upgrade-postgres-version"]),
];

/// Whether a token with these permissions covers the call.
pub(super) fn cover(granted: &[String], asked: &Asked<'_>) -> bool {
    let id = asked.what.rule.meta.id;
    if id == "v1-run-a-query" && asked.body("read_only") == true {
        return has(granted, "database_read");
    }
    let reveals = asked.what.asked("reveal") == Some("true");
    reach(granted, id) && (!reveals || has(granted, "api_gateway_keys_secrets_read"))
}

/// Whether all that the operation needs is among the permissions. An operation without a row needs others.
pub(super) fn reach(granted: &[String], id: &str) -> bool {
    let row = NEEDED.iter().find(|(_, operations)| operations.contains(&id));
    row.is_some_and(|(needed, _)| needed.iter().all(|one| has(granted, one)))
}

/// Who may write may read.
fn has(granted: &[String], needed: &str) -> bool {
    let read = needed.strip_suffix("_read");
    granted.iter().any(|one| one == needed || read.is_some_and(|thing| *one == format!("{thing}_write")))
}
