//! The management API under `/v1`: one file for each resource.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::de::DeserializeOwned;
use serde::de::value::StrDeserializer;
use sha2::Sha256;

use crate::engine::{
    CLOCK_LEAVES_ROWS, Cx, DatabaseKind, FAULTS, HISTORY_LEAVES_ROWS, Manner, Registry, Service,
    WINDOWS_LEAVE_ROWS, WORK_KNOWS_ROWS, World, create_user, set_role,
};
use crate::sql;

pub mod account;
pub mod action;
pub mod addon;
pub mod advisor;
pub mod api_key;
pub mod api_key_change;
pub mod auth_config;
pub mod auth_field;
pub mod backup;
pub mod backup_schedule;
mod backup_span;
pub mod billing;
pub mod branch;
pub mod branch_config;
pub mod branch_diff;
pub mod branch_merge;
pub mod branch_removal;
pub mod branch_seed;
pub mod branch_workflow;
pub mod bucket;
pub mod catalog;
mod catalog_diff;
pub mod claim_token;
mod database;
pub mod disk;
pub mod dns;
pub mod entitlement;
pub mod function;
pub mod function_body;
pub mod function_bulk;
pub mod function_deploy;
pub mod health;
pub mod hostname;
pub mod hostname_progress;
pub mod jit_access;
pub mod lifecycles;
pub mod login_role;
mod migration;
pub mod migration_history;
pub mod network;
pub mod network_change;
pub mod oauth;
pub mod oauth_app;
pub mod organization;
pub mod organization_project;
pub mod outcome;
pub mod pooler;
pub mod postgres_config;
pub mod project;
pub mod project_change;
pub mod project_claim;
pub mod project_lifecycle;
pub mod project_log;
pub mod project_ref;
pub mod project_row;
pub mod project_step;
pub mod query;
pub mod readonly;
pub mod realtime;
pub mod region;
pub mod replica;
pub mod resize;
pub mod rest;
pub mod rest_document;
mod restart;
pub mod restore;
pub mod restore_point;
pub mod root_key;
pub mod saml_metadata;
pub mod secret;
pub mod signing_key;
pub mod snippet;
pub mod ssl;
pub mod sso;
pub mod storage;
pub mod third_party_auth;
pub mod types;
pub mod upgrade;
pub mod upgrade_progress;
pub mod user;
pub mod vanity;
pub mod webhook;

/// The service as the engine runs it.
pub static SERVICE: Service = Service {
    name: "management",
    title: "Project management API",
    resources: &[
        FAULTS,
        organization::RESOURCE,
        user::RESOURCE,
        account::RESOURCE,
        outcome::RESOURCE,
        project::RESOURCE,
        organization_project::RESOURCE,
        region::RESOURCE,
        entitlement::RESOURCE,
        project_change::RESOURCE,
        restore::RESOURCE,
        addon::RESOURCE,
        billing::RESOURCE,
        health::RESOURCE,
        api_key::RESOURCE,
        api_key_change::RESOURCE,
        secret::RESOURCE,
        readonly::RESOURCE,
        database::RESOURCE,
        query::RESOURCE,
        migration_history::RESOURCE,
        types::RESOURCE,
        advisor::RESOURCE,
        bucket::RESOURCE,
        auth_config::RESOURCE,
        sso::RESOURCE,
        third_party_auth::RESOURCE,
        signing_key::RESOURCE,
        postgres_config::RESOURCE,
        pooler::RESOURCE,
        rest::RESOURCE,
        rest_document::RESOURCE,
        storage::RESOURCE,
        disk::RESOURCE,
        realtime::RESOURCE,
        root_key::RESOURCE,
        webhook::RESOURCE,
        ssl::RESOURCE,
        resize::RESOURCE,
        replica::RESOURCE,
        backup_span::RESOURCE,
        backup::RESOURCE,
        backup_schedule::RESOURCE,
        restore_point::RESOURCE,
        upgrade::RESOURCE,
        branch::RESOURCE,
        branch_config::RESOURCE,
        branch_diff::RESOURCE,
        branch_merge::RESOURCE,
        branch_removal::RESOURCE,
        branch_seed::RESOURCE,
        action::RESOURCE,
        network::RESOURCE,
        network_change::RESOURCE,
        dns::RESOURCE,
        hostname::RESOURCE,
        vanity::RESOURCE,
        function::RESOURCE,
        function_body::RESOURCE,
        function_bulk::RESOURCE,
        function_deploy::RESOURCE,
        snippet::RESOURCE,
        login_role::RESOURCE,
        claim_token::RESOURCE,
        project_claim::RESOURCE,
        jit_access::RESOURCE,
        project_log::RESOURCE,
        oauth_app::RESOURCE,
        oauth::RESOURCE,
    ],
    blank: include_bytes!("blank.bin"),
    views: &[
        organization::VIEWS,
        outcome::VIEWS,
        project::VIEWS,
        addon::VIEWS,
        health::VIEWS,
        api_key::VIEWS,
        secret::VIEWS,
        auth_config::VIEWS,
        sso::VIEWS,
        third_party_auth::VIEWS,
        signing_key::VIEWS,
        postgres_config::VIEWS,
        pooler::VIEWS,
        rest::VIEWS,
        storage::VIEWS,
        disk::VIEWS,
        realtime::VIEWS,
        root_key::VIEWS,
        webhook::VIEWS,
        ssl::VIEWS,
        replica::VIEWS,
        backup::VIEWS,
        backup_schedule::VIEWS,
        restore_point::VIEWS,
        upgrade::VIEWS,
        branch::VIEWS,
        branch_seed::VIEWS,
        action::VIEWS,
        network::VIEWS,
        dns::VIEWS,
        hostname::VIEWS,
        vanity::VIEWS,
        function::VIEWS,
        snippet::VIEWS,
        login_role::VIEWS,
        claim_token::VIEWS,
        jit_access::VIEWS,
        oauth_app::VIEWS,
        oauth::VIEWS,
    ],
    manner: &Manner { token_path: Some("/project-claim/"), ..Manner::MESSAGE },
    guards: &[
        ("/v1/organizations/{slug}", organization::guard),
        ("/v1/projects/{ref}", project::guard),
        ("/v1/branches/{branch_id}", branch_config::guard),
    ],
    databases: Some(DatabaseKind { prepare: sql::prepare_connection, create: create_database }),
    ladder: &[
        CLOCK_LEAVES_ROWS,
        WORK_KNOWS_ROWS,
        WINDOWS_LEAVE_ROWS,
        HISTORY_LEAVES_ROWS,
        organization::PROJECTS_ARE_COUNTED,
        secret::DIGESTS_ARE_BYTES,
        organization::RESTING_ARE_COUNTED,
        secret::PROJECTS_ARE_NUMBERS,
    ],
    seed,
};

/// The service, compiled on first use.
pub fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry::new(&SERVICE));
    &REGISTRY
}

fn seed(cx: &mut Cx<'_>, world: &World) -> Result<(), crate::Error> {
    let mut users = BTreeMap::new();
    for user in &world.users {
        users.insert(&user.name, create_user(cx, user)?);
    }
    for spec in &world.organizations {
        let slug = organization::seed(cx, spec)?;
        for (name, role) in &spec.members {
            let user = users.get(name).ok_or_else(|| crate::Error::not_found("user", name))?;
            set_role(cx, &slug, *user, *role);
        }
    }
    Ok(())
}

fn create_database(connection: &rusqlite::Connection) -> rusqlite::Result<()> {
    sql::create(connection).map_err(|error| rusqlite::Error::UserFunctionError(Box::new(error)))
}

/// The wire name of an enum member.
fn text_of(name: &impl serde::Serialize) -> String {
    match serde_json::to_value(name) {
        Ok(serde_json::Value::String(text)) => text,
        other => panic!("an enum member is a text: {other:?}"),
    }
}

/// The enum member that is written like that. What the simulator itself has stored is one.
fn named<T: DeserializeOwned>(name: &str) -> T {
    let name = StrDeserializer::<serde::de::value::Error>::new(name);
    T::deserialize(name).expect("stored names are published ones")
}

/// HMAC-SHA256 over `parts`, each with its length, so that no two lists of parts are alike.
fn keyed(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    for part in parts {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}
