//! Reads the whole observable state of a world, to find out whether a call changed any of it.

use serde::Serialize;
use serde_json::{Value, json};
use sim_core::engine::Session;
use sim_core::management::addon::ListAddons;
use sim_core::management::api_key::ListApiKeys;
use sim_core::management::auth_config::GetAuthConfig;
use sim_core::management::backup::ListBackups;
use sim_core::management::branch::{BranchId, ListBranches};
use sim_core::management::branch_config::GetBranchConfig;
use sim_core::management::branch_seed::GetBranchSeed;
use sim_core::management::function::ListFunctions;
use sim_core::management::health::{GetHealth, ServiceName};
use sim_core::management::hostname::GetHostname;
use sim_core::management::network::{GetBans, GetRestrictions};
use sim_core::management::oauth_app::ListApps;
use sim_core::management::organization::{GetOrganization, ListMembers, ListOrganizations};
use sim_core::management::pooler::GetPoolerConfig;
use sim_core::management::postgres_config::GetPostgresConfig;
use sim_core::management::project::{ListProjects, Project, ProjectRef};
use sim_core::management::readonly::GetReadOnly;
use sim_core::management::replica::ListReplicas;
use sim_core::management::resize::GetInstanceSize;
use sim_core::management::rest::GetRestConfig;
use sim_core::management::root_key::GetRootKey;
use sim_core::management::secret::ListSecrets;
use sim_core::management::snippet::ListSnippets;
use sim_core::management::ssl::GetSslEnforcement;
use sim_core::management::sso::ListSsoProviders;
use sim_core::management::storage::GetStorageConfig;
use sim_core::management::upgrade::{GetUpgradeEligibility, GetUpgradeStatus};
use sim_core::management::user::{ListTokens, ListUsers};
use sim_core::management::vanity::GetVanitySubdomain;
use sim_core::management::webhook::GetWebhooks;
use sim_core::{Operation, Simulator};

/// The whole observable state of `sim`, except its journal and its rate limits. Changes nothing in it.
///
/// ```
/// use sim_core::management::project::PauseProject;
/// use sim_fixtures::{Scene, everything, scenario};
///
/// let Scene { mut sim, project } = scenario::paused_project();
/// let before = everything(&sim);
/// assert!(sim.call(PauseProject::new(project)).is_err());
/// assert_eq!(everything(&sim), before);
/// ```
pub fn everything(sim: &Simulator) -> Value {
    let mut fork = sim.fork();
    let mut admin = fork.as_admin();
    let organizations = admin.call(ListOrganizations {}).expect("the control API may read lists");
    let organizations: Vec<_> =
        organizations.into_iter().map(|one| organization(&mut admin, &one.id)).collect();
    let projects = admin.call(ListProjects {}).expect("the control API may read lists");
    let projects: Vec<_> = projects.into_iter().map(|one| project(&mut admin, one)).collect();
    json!({
        "now": sim.now().to_string(),
        "agenda": sim.agenda(),
        "history": sim.history(None),
        "organizations": organizations,
        "projects": projects,
        "users": shown(&mut admin, ListUsers {}),
        "tokens": shown(&mut admin, ListTokens {}),
        "snippets": shown(&mut admin, ListSnippets { limit: Some("100".to_owned()), ..ListSnippets::default() }),
        "apps": shown(&mut admin, ListApps {}),
    })
}

fn organization(admin: &mut Session<'_>, slug: &str) -> Value {
    json!({
        "detail": shown(admin, GetOrganization { slug: slug.to_owned() }),
        "members": shown(admin, ListMembers { slug: slug.to_owned() }),
    })
}

fn project(admin: &mut Session<'_>, listed: Project) -> Value {
    let r#ref = || listed.id.clone();
    json!({
        "detail": listed,
        "settings": settings(admin, r#ref),
        "branches": branches(admin, r#ref()),
        "branch seed": shown(admin, GetBranchSeed { r#ref: r#ref() }),
        "functions": shown(admin, ListFunctions { r#ref: r#ref() }),
        "replicas": shown(admin, ListReplicas { r#ref: r#ref() }),
        "backups": shown(admin, ListBackups { r#ref: r#ref() }),
        "eligibility": shown(admin, GetUpgradeEligibility { r#ref: r#ref() }),
        "upgrade": shown(admin, GetUpgradeStatus { r#ref: r#ref(), tracking_id: None }),
        "restrictions": shown(admin, GetRestrictions { r#ref: r#ref() }),
        "bans": shown(admin, GetBans { r#ref: r#ref() }),
        "hostname": shown(admin, GetHostname { r#ref: r#ref() }),
        "vanity subdomain": shown(admin, GetVanitySubdomain { r#ref: r#ref() }),
        "health": shown(admin, GetHealth { r#ref: r#ref(), services: ServiceName::ALL.into(), timeout_ms: None }),
        "keys": shown(admin, ListApiKeys { r#ref: r#ref(), reveal: Some(true) }),
        "secrets": shown(admin, ListSecrets { r#ref: r#ref() }),
        "add-ons": shown(admin, ListAddons { r#ref: r#ref() }),
        "read only": shown(admin, GetReadOnly { r#ref: r#ref() }),
    })
}

fn settings(admin: &mut Session<'_>, r#ref: impl Fn() -> ProjectRef) -> Value {
    json!({
        "auth": shown(admin, GetAuthConfig { r#ref: r#ref() }),
        "providers": shown(admin, ListSsoProviders { r#ref: r#ref() }),
        "postgres": shown(admin, GetPostgresConfig { r#ref: r#ref() }),
        "pooler": shown(admin, GetPoolerConfig { r#ref: r#ref() }),
        "rest": shown(admin, GetRestConfig { r#ref: r#ref() }),
        "storage": shown(admin, GetStorageConfig { r#ref: r#ref() }),
        "root key": shown(admin, GetRootKey { r#ref: r#ref() }),
        "webhooks": shown(admin, GetWebhooks { r#ref: r#ref() }),
        "ssl": shown(admin, GetSslEnforcement { r#ref: r#ref() }),
        "size": shown(admin, GetInstanceSize { r#ref: r#ref() }),
    })
}

fn branches(admin: &mut Session<'_>, r#ref: ProjectRef) -> Value {
    let branches = admin.call(ListBranches { r#ref }).unwrap_or_default();
    let shown = branches.iter().map(|branch| {
        let config = shown(admin, GetBranchConfig { branch_id: BranchId(branch.id.clone()) });
        json!({ "branch": branch, "config": config })
    });
    shown.collect()
}

/// The response as JSON, or the text of the refusal.
fn shown<O: Operation>(admin: &mut Session<'_>, operation: O) -> Value
where
    O::Output: Serialize,
{
    match admin.call(operation) {
        Ok(output) => serde_json::to_value(output).expect("an answer is plain data"),
        Err(refusal) => refusal.to_string().into(),
    }
}
