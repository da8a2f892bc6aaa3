//! The management API under `/v1` and `/v2`: a folder per subject, a file per resource.
//!
//! Modules that are not in the documentation are not stable.
//!
//! A resource uses only the functions of other resources, and of the simulator only [`sim_base::Cx`].

#![forbid(unsafe_code)]

use std::collections::BTreeMap;

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::de::DeserializeOwned;
use serde::de::value::StrDeserializer;
use sha2::Sha256;
use sim_base::ends::{self, End};
use sim_base::{Cx, Edition, Error, Manner, Section, Service, World, create_user, set_role};

mod apps;
mod auth;
mod backups;
mod branches;
mod databases;
#[doc(hidden)]
pub mod documents;
mod embedded;
mod from_text;
mod functions;
mod kept;
mod keys;
#[doc(hidden)]
pub mod lifecycles;
mod networking;
mod organizations;
pub mod outcome;
mod plans;
mod projects;
mod services;
pub mod snippet;
pub mod v2;

pub use apps::{oauth, oauth_app, oauth_claim, oauth_client};
pub(crate) use auth::auth_field_list;
pub use auth::{auth_config, signing_key, sso, third_party_auth};
#[doc(hidden)]
pub use auth::{auth_field, saml_metadata};
pub(crate) use backups::backup_span;
pub use backups::{backup, backup_schedule, restore_point};
pub use branches::{
    action, branch, branch_config, branch_diff, branch_merge, branch_removal, branch_seed, branch_workflow,
};
pub use databases::{
    advisor, catalog, connection, disk, jit_access, jit_invite, login_role, migration_history, pooler,
    postgres_config, query, readonly, replica, ssl, types, webhook,
};
pub(crate) use databases::{advisor_rule, catalog_diff, connection_block, database, migration};
pub use functions::{function, function_body, function_bulk, function_deploy};
#[doc(hidden)]
pub use functions::{function_source, function_syntax};
pub use keys::{api_key, api_key_change, root_key, secret};
pub use networking::{dns, hostname, hostname_progress, network, network_change, vanity};
pub(crate) use organizations::reach;
pub use organizations::{account, organization, organization_project, permission, user};
pub use plans::{addon, beyond_plan, billing, entitlement};
pub use projects::{
    claim_token, health, metrics, project, project_change, project_claim, project_log, region, resize,
    restart, restore, upgrade, upgrade_obstacles, upgrade_progress,
};
pub(crate) use projects::{idle_pause, service_start};
#[doc(hidden)]
pub use projects::{needs, project_lifecycle, project_ref, project_row, project_step};
pub use services::{bucket, realtime, rest, rest_document, storage};

/// The service as the engine runs it.
pub static SERVICE: Service = Service {
    name: "management",
    title: "Project management API",
    sections: &[
        organizations::SECTION,
        projects::SECTION,
        plans::SECTION,
        keys::SECTION,
        databases::SECTION,
        backups::SECTION,
        auth::SECTION,
        services::SECTION,
        networking::SECTION,
        functions::SECTION,
        branches::SECTION,
        apps::SECTION,
        Section { title: "Snippets", resources: &[snippet::RESOURCE], views: &[snippet::VIEWS] },
        v2::SECTION,
        Section {
            title: "Outcomes and documents",
            resources: &[outcome::RESOURCE, documents::RESOURCE],
            views: &[outcome::VIEWS, documents::VIEWS],
        },
    ],
    blank: include_bytes!("blank.bin"),
    manner: &Manner { token_path: Some("/project-claim/"), permit: permission::permit, ..Manner::MESSAGE },
    manners: &[("/v2/", &v2::refusal::MANNER)],
    guards: &[
        ("/v1/organizations/{slug}", organization::guard),
        ("/v1/projects/{ref}", project::guard),
        ("/v1/branches/{branch_id}", branch_config::guard),
        ("/v2/organizations/{slug}", organization::guard),
        ("/v2/projects/{ref}", project::guard),
    ],
    tags: TAGS,
    open_enums: Some(Edition::V2026_11),
    ends: ENDS,
    unused: outcome::unused,
    databases: Some(embedded::KIND),
    seed,
};

/// What ends by itself.
const ENDS: &[End] = &[
    ends::TOKEN,
    readonly::OVERRIDE_END,
    network::BAN_END,
    oauth::CODE_END,
    login_role::END,
    jit_invite::END,
    claim_token::END,
    realtime::RESTART_END,
    v2::compute::UPLOAD_END,
];

/// The service's own groups of operations.
const TAGS: &[(&str, &str)] = &[
    ("/analytics", "Analytics"),
    ("/advisors", "Advisors"),
    ("/actions", "Environments"),
    ("/branches", "Environments"),
    ("/billing", "Billing"),
    ("/config/auth", "Auth"),
    ("/config/realtime", "Realtime"),
    ("/config/storage", "Storage"),
    ("/storage", "Storage"),
    ("/postgrest", "Rest"),
    ("/custom-hostname", "Domains"),
    ("/vanity-subdomain", "Domains"),
    ("/functions", "Edge Functions"),
    ("/api-keys", "Secrets"),
    ("/pgsodium", "Secrets"),
    ("/secrets", "Secrets"),
    ("/config/disk", "Database"),
    ("/config/database", "Database"),
    ("/database", "Database"),
    ("/cli/", "Database"),
    ("/jit-access", "Database"),
    ("/read-replicas", "Database"),
    ("/readonly", "Database"),
    ("/ssl-enforcement", "Database"),
    ("/types/", "Database"),
    ("/v1/snippets", "Database"),
    ("/v1/oauth", "OAuth"),
    ("/v1/organizations", "Organizations"),
    ("/v1/profile", "Profile"),
    ("/v1/projects", "Projects"),
];

fn seed(cx: &mut Cx<'_>, world: &World) -> Result<(), Error> {
    let mut users = BTreeMap::new();
    for user in &world.users {
        users.insert(&user.name, create_user(cx, user)?);
    }
    for spec in &world.organizations {
        let slug = organization::seed(cx, spec)?;
        for (name, role) in &spec.members {
            let user = users.get(name).ok_or_else(|| {
                let text = format!("organizations: {}: members: there is no user {name:?}", spec.name);
                Error::invalid("user_not_found", text)
            })?;
            set_role(cx, &slug, *user, *role);
        }
    }
    Ok(())
}

/// The wire name of an enum member.
pub(crate) fn text_of(name: &impl serde::Serialize) -> String {
    match serde_json::to_value(name) {
        Ok(serde_json::Value::String(text)) => text,
        other => panic!("an enum member is a text: {other:?}"),
    }
}

/// The enum member with that name. Text that the simulator itself has stored is always one.
pub(crate) fn named<T: DeserializeOwned>(name: &str) -> T {
    let name = StrDeserializer::<serde::de::value::Error>::new(name);
    T::deserialize(name).expect("stored names are published ones")
}

/// HMAC-SHA256 over `parts`, each with its length, so that different lists never give the same input.
pub(crate) fn keyed(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}
