//! All that can be seen of a world, to find out whether a call changed any of it.

use serde::Serialize;
use serde_json::{Value, json};
use sim_core::engine::Session;
use sim_core::management::addon::ListAddons;
use sim_core::management::api_key::ListApiKeys;
use sim_core::management::health::{GetHealth, ServiceName};
use sim_core::management::organization::{GetOrganization, ListMembers, ListOrganizations};
use sim_core::management::project::{ListProjects, Project};
use sim_core::management::readonly::GetReadOnly;
use sim_core::management::secret::ListSecrets;
use sim_core::management::user::{ListTokens, ListUsers};
use sim_core::{Operation, Simulator};

/// All that can be seen of `sim`, apart from its journal and its rate limits. Leaves no trace in it.
///
/// ```
/// use sim_core::management::project::PauseProject;
/// use sim_fixtures::{Scene, everything, scenario};
///
/// let Scene { mut sim, project } = scenario::paused_project();
/// let before = everything(&sim);
/// assert!(sim.call(PauseProject { r#ref: project }).is_err());
/// assert_eq!(everything(&sim), before);
/// ```
pub fn everything(sim: &Simulator) -> Value {
    let mut fork = sim.fork();
    let mut admin = fork.as_admin();
    let organizations = admin.call(ListOrganizations {}).expect("lists are open to whoever drives");
    let organizations: Vec<_> =
        organizations.into_iter().map(|one| organization(&mut admin, &one.id)).collect();
    let projects = admin.call(ListProjects {}).expect("lists are open to whoever drives");
    let projects: Vec<_> = projects.into_iter().map(|one| project(&mut admin, one)).collect();
    json!({
        "now": sim.now().to_string(),
        "agenda": sim.agenda(),
        "history": sim.history(None),
        "organizations": organizations,
        "projects": projects,
        "users": shown(&mut admin, ListUsers {}),
        "tokens": shown(&mut admin, ListTokens {}),
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
        "health": shown(admin, GetHealth { r#ref: r#ref(), services: ServiceName::ALL.into(), timeout_ms: None }),
        "keys": shown(admin, ListApiKeys { r#ref: r#ref(), reveal: Some(true) }),
        "secrets": shown(admin, ListSecrets { r#ref: r#ref() }),
        "add-ons": shown(admin, ListAddons { r#ref: r#ref() }),
        "read only": shown(admin, GetReadOnly { r#ref: r#ref() }),
    })
}

/// The answer as JSON, or the words of the refusal.
fn shown<O: Operation>(admin: &mut Session<'_>, operation: O) -> Value
where
    O::Output: Serialize,
{
    match admin.call(operation) {
        Ok(output) => serde_json::to_value(output).expect("an answer is plain data"),
        Err(refusal) => refusal.to_string().into(),
    }
}
