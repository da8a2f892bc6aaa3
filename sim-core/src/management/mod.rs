//! The management API under `/v1`: one file for each resource.

use std::sync::LazyLock;

use crate::engine::{Cx, Registry, Service, World, create_user, set_role};

pub mod addon;
pub mod api_key;
pub mod backup;
pub mod branch;
pub mod branch_config;
pub mod branch_workflow;
pub mod catalog;
pub mod health;
pub mod oauth;
pub mod oauth_app;
pub mod organization;
pub mod outcome;
pub mod project;
pub mod readonly;
pub mod replica;
pub mod resize;
pub mod restore;
pub mod secret;
pub mod snippet;
pub mod upgrade;
pub mod upgrade_progress;
pub mod user;

/// The service as the engine runs it.
pub static SERVICE: Service = Service {
    title: "Project management API",
    resources: &[
        organization::RESOURCE,
        user::RESOURCE,
        outcome::RESOURCE,
        project::RESOURCE,
        restore::RESOURCE,
        addon::RESOURCE,
        health::RESOURCE,
        api_key::RESOURCE,
        secret::RESOURCE,
        readonly::RESOURCE,
        resize::RESOURCE,
        replica::RESOURCE,
        backup::RESOURCE,
        upgrade::RESOURCE,
        branch::RESOURCE,
        branch_config::RESOURCE,
        snippet::RESOURCE,
        oauth_app::RESOURCE,
        oauth::RESOURCE,
    ],
    guards: &[
        ("/v1/organizations/{slug}", organization::guard),
        ("/v1/projects/{ref}", project::guard),
        ("/v1/branches/{branch_id}", branch_config::guard),
    ],
    seed,
};

/// The service, compiled on first use.
pub fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry::new(&SERVICE));
    &REGISTRY
}

fn seed(cx: &mut Cx<'_>, world: &World) -> Result<(), crate::Error> {
    for user in &world.users {
        create_user(cx, user)?;
    }
    for spec in &world.organizations {
        let slug = organization::seed(cx, spec)?;
        for (name, role) in &spec.members {
            set_role(cx, &slug, user::named(cx, name)?.id, *role);
        }
    }
    Ok(())
}

/// The wire name of an enum member.
fn text_of(name: &impl serde::Serialize) -> String {
    match serde_json::to_value(name) {
        Ok(serde_json::Value::String(text)) => text,
        other => panic!("an enum member is a text: {other:?}"),
    }
}
