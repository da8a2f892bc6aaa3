//! What a new world holds.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::identity::UserSpec;
use super::operation::Role;

/// Users and organizations of a new world.
///
/// ```
/// use sim_core::{Role, Simulator, UserSpec, World};
///
/// let world = World::empty()
///     .user(UserSpec::named("ada").token("token-of-ada"))
///     .user(UserSpec::named("bob").token("token-of-bob"))
///     .organization("Acme", "pro", &[("ada", Role::Owner), ("bob", Role::Developer)]);
/// let mut sim = Simulator::builder().world(world).build();
/// assert!(sim.as_user("token-of-bob").is_ok());
/// ```
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct World {
    /// Users, in order of creation.
    pub users: Vec<UserSpec>,
    /// Organizations, in order of creation.
    pub organizations: Vec<OrganizationSpec>,
    /// The single tenant of an analytics server: its tokens, and its sources and endpoints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub single_tenant: Option<SingleTenant>,
}

/// The settings of an analytics server for one tenant, besides its one user.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SingleTenant {
    /// The token for ingestion and queries; generated unless given.
    pub public_token: Option<String>,
    /// The token for everything.
    pub private_token: Option<String>,
    /// The key of its one user for ingestion and queries, used without a public token; generated unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key: Option<String>,
    /// Whether it has the platform's sources and endpoints.
    pub platform: bool,
}

/// An organization of a new world.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OrganizationSpec {
    /// Its name.
    pub name: String,
    /// Its plan: `free`, `pro`, `team` or `enterprise`.
    #[serde(default = "paid")]
    pub plan: String,
    /// Role of each member, by user name.
    pub members: BTreeMap<String, Role>,
}

fn paid() -> String {
    "pro".to_owned()
}

impl World {
    /// A world without users and organizations.
    pub fn empty() -> World {
        World { users: Vec::new(), organizations: Vec::new(), single_tenant: None }
    }

    /// Adds a user.
    #[must_use]
    pub fn user(mut self, user: UserSpec) -> World {
        self.users.push(user);
        self
    }

    /// Adds an organization on `plan`, whose `members` are given by user name and role.
    #[must_use]
    pub fn organization(mut self, name: &str, plan: &str, members: &[(&str, Role)]) -> World {
        let members = members.iter().map(|(user, role)| ((*user).to_owned(), *role)).collect();
        self.organizations.push(OrganizationSpec { name: name.to_owned(), plan: plan.to_owned(), members });
        self
    }
}

impl Default for World {
    /// One user with one token, owner of one organization on a paid plan.
    fn default() -> World {
        World::empty().user(UserSpec::named("owner")).organization("Acme", "pro", &[("owner", Role::Owner)])
    }
}
