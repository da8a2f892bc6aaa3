//! A project's database: SQL, migrations, types, settings, connections, access: `/v1/projects/{ref}/database`, `/config/database`.

use sim_base::Section;

pub mod advisor;
pub(crate) mod advisor_rule;
pub mod catalog;
pub(crate) mod catalog_diff;
pub mod connection;
pub(crate) mod connection_block;
pub(crate) mod database;
pub mod disk;
pub mod jit_access;
pub mod jit_invite;
pub mod login_role;
pub(crate) mod migration;
pub mod migration_history;
pub mod pooler;
pub mod postgres_config;
pub mod query;
pub mod readonly;
pub mod replica;
pub mod ssl;
pub mod types;
pub mod webhook;

/// The operations, for the service.
pub(crate) const SECTION: Section = Section {
    title: "Database",
    resources: &[
        readonly::RESOURCE,
        database::RESOURCE,
        query::RESOURCE,
        migration_history::RESOURCE,
        types::RESOURCE,
        advisor::RESOURCE,
        postgres_config::RESOURCE,
        pooler::RESOURCE,
        disk::RESOURCE,
        webhook::RESOURCE,
        ssl::RESOURCE,
        replica::RESOURCE,
        login_role::RESOURCE,
        connection::RESOURCE,
        jit_access::RESOURCE,
        jit_invite::RESOURCE,
    ],
    views: &[
        postgres_config::VIEWS,
        pooler::VIEWS,
        disk::VIEWS,
        webhook::VIEWS,
        ssl::VIEWS,
        replica::VIEWS,
        login_role::VIEWS,
        connection::VIEWS,
        jit_access::VIEWS,
        jit_invite::VIEWS,
    ],
};
