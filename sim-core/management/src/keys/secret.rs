//! `/v1/projects/{ref}/secrets`: named values that a project's functions read. They are stored as digests.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use sim_base::operations;
use sim_base::{
    Body, Cx, Empty, Error, FromJson, Meta, New, Operation, Profile, Resource, Scope, Secret, Timestamp,
    ToSchema, View, from_micros, get, hex, micros, view,
};
use sim_base::{delete, post};

use crate::project::{self, ProjectRef};

operations![CreateSecrets, ListSecrets, DeleteSecrets];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

/// Keyed by the project's number, unlike other tables: there may be many secrets, and numbers are shorter
/// than references and follow the order of creation.
const TABLES: &str = "
    CREATE TABLE secret (
        project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE,
        name TEXT NOT NULL,
        digest BLOB NOT NULL,
        updated_at INTEGER NOT NULL,
        PRIMARY KEY (project, name)
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "secret",
    "A secret, without its value.",
    "SELECT ref AS project, secret.name, '•••' AS value, updated_at
     FROM secret JOIN project ON project.id = secret.project",
)];

/// A secret as listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ListedSecret {
    /// Its name.
    pub name: String,
    /// SHA-256 of its value, 64 hex digits.
    pub value: String,
    /// When it was last set.
    #[schemars(with = "String")]
    pub updated_at: Timestamp,
}

/// The most characters of a secret's name.
pub(crate) const LONGEST_NAME: usize = 256;
/// The most characters of a secret's value.
pub(crate) const LONGEST_VALUE: usize = 24_576;

/// A secret as set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct NewSecret {
    /// Its name; must not start with the reserved prefix.
    #[schemars(length(min = 1, max = LONGEST_NAME))]
    pub name: String,
    /// Its value.
    #[schemars(length(max = LONGEST_VALUE))]
    pub value: Secret,
}

/// Set secrets of a project: create new ones and replace existing ones.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct CreateSecrets {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The secrets; of several with the same name, the last one counts.
    pub secrets: Vec<NewSecret>,
}

impl CreateSecrets {
    /// Sets one secret.
    pub fn one(r#ref: ProjectRef, name: &str, value: &str) -> CreateSecrets {
        CreateSecrets { r#ref, secrets: vec![NewSecret { name: name.to_owned(), value: value.into() }] }
    }
}

impl Operation for CreateSecrets {
    type Output = Empty;
    const META: Meta = Meta {
        body: Body::Field("secrets"),
        scope: Some(Scope("secrets:write")),
        check: Some(check),
        also: &[500],
        failure: "Failed to create project's secrets",
        ..post("v1-bulk-create-secrets", "/v1/projects/{ref}/secrets")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let mut last_of_name = BTreeMap::new();
        for (place, one) in self.secrets.into_iter().enumerate() {
            let replaced = last_of_name.insert(one.name, (place, one.value));
            replaced.map_or(Ok(()), |(place, _)| cx.without_effect(|| format!("body.secrets.{place}")))?;
        }
        let last_of_name = last_of_name.into_iter().map(|(name, (_, value))| (name, value)).collect();
        set(cx, &project, &last_of_name)?;
        Ok(Empty {})
    }
}

/// Sets secrets of the project, or refuses if they would be too many.
pub(crate) fn set(
    cx: &Cx<'_>,
    project: &project::Row,
    secrets: &BTreeMap<String, Secret>,
) -> Result<(), Error> {
    require_room(cx, project, secrets)?;
    let sql =
        "INSERT INTO secret VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET digest = ?3, updated_at = ?4";
    for (name, Secret(value)) in secrets {
        cx.db.run(sql, (project.id, name, &Sha256::digest(value)[..], micros(cx.now)));
    }
    Ok(())
}

/// A text that is the same for the same values of the project's secrets, or of those with these names. Fails with the place of
/// a name that no secret has.
pub(crate) fn generation(
    cx: &Cx<'_>,
    project: &project::Row,
    names: Option<&[&str]>,
) -> Result<String, usize> {
    let sql = "SELECT name, digest FROM secret WHERE project = ?1 ORDER BY name";
    let all: BTreeMap<String, Vec<u8>> =
        cx.db.all(sql, (project.id,), |row| Ok((row.get(0)?, row.get(1)?))).into_iter().collect();
    if let Some(index) = names.and_then(|names| names.iter().position(|name| !all.contains_key(*name))) {
        return Err(index);
    }
    let mut digest = Sha256::new();
    let read = |name: &String| names.is_none_or(|names| names.contains(&name.as_str()));
    for (name, value) in all.iter().filter(|(name, _)| read(name)) {
        digest.update((name.len() as u64).to_be_bytes());
        digest.update(name);
        digest.update(value);
    }
    Ok(hex(&digest.finalize()[..8]))
}

fn check(input: &Value, profile: &Profile) -> Result<(), Error> {
    let names = input["secrets"].as_array().into_iter().flatten().filter_map(|one| one["name"].as_str());
    check_names(names.enumerate().map(|(index, name)| (format!("{index}.name"), name)), profile)
}

/// Refuses names that start with the reserved prefix. Each name comes with its place in the body's `secrets`.
pub(crate) fn check_names<'a>(
    mut names: impl Iterator<Item = (String, &'a str)>,
    profile: &Profile,
) -> Result<(), Error> {
    let reserved = &profile.reserved_prefix;
    match names.find(|(_, name)| name.starts_with(reserved)) {
        Some((place, _)) => {
            let text = format!("Secret name must not start with the {reserved} prefix.");
            Err(Error::invalid(format!("invalid_body.secrets.{place}"), text))
        }
        None => Ok(()),
    }
}

/// Refuses secrets that would be too many, before one of them is written.
fn require_room(
    cx: &Cx<'_>,
    project: &project::Row,
    secrets: &BTreeMap<String, Secret>,
) -> Result<(), Error> {
    let limit = cx.policy.secrets_per_project;
    let sql = "SELECT name FROM secret WHERE project = ?1";
    let known: Vec<String> = cx.db.all(sql, (project.id,), |row| row.get(0));
    let replaced = known.iter().filter(|name| secrets.contains_key(*name)).count();
    let count = known.len() + secrets.len() - replaced;
    if count <= limit as usize || replaced == secrets.len() {
        return Ok(());
    }
    let text = format!("A project can have at most {limit} secrets, these would make it {count}.");
    Err(Error::invalid("too_many_secrets", text))
}

/// List a project's secrets, as digests of their values.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListSecrets {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ListSecrets {
    type Output = Vec<ListedSecret>;
    const META: Meta = Meta {
        scope: Some(Scope("secrets:read")),
        also: &[500],
        failure: "Failed to retrieve project's secrets",
        ..get("v1-list-all-secrets", "/v1/projects/{ref}/secrets")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<ListedSecret>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = "SELECT name, digest, updated_at FROM secret WHERE project = ?1 ORDER BY name";
        Ok(cx.db.all(sql, (project.id,), |row| {
            let value = hex(row.get_ref(1)?.as_blob()?);
            Ok(ListedSecret { name: row.get(0)?, value, updated_at: from_micros(row.get(2)?) })
        }))
    }
}

/// Delete the secrets with these names. Unknown names have no effect.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteSecrets {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The names.
    pub names: Vec<String>,
}

impl Operation for DeleteSecrets {
    type Output = Empty;
    const META: Meta = Meta {
        body: Body::Field("names"),
        scope: Some(Scope("secrets:write")),
        also: &[500],
        failure: "Failed to delete secrets with given names",
        ..delete("v1-bulk-delete-secrets", "/v1/projects/{ref}/secrets")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        for (place, name) in self.names.iter().enumerate() {
            if cx.db.run("DELETE FROM secret WHERE project = ?1 AND name = ?2", (project.id, name)) == 0 {
                cx.without_effect(|| format!("body.names.{place}"))?;
            }
        }
        Ok(Empty {})
    }
}
