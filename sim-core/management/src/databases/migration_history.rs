//! `/v1/projects/{ref}/database/migrations`: the recorded schema changes of a project, kept in its database.
//!
//! Branches get these migrations, and return theirs when they are merged.

use std::collections::BTreeSet;

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Body, Cx, Edition, Empty, Error, FromJson, Meta, Needs, New, Operation, Resource, Role, Scope, ToSchema,
    delete, get, patch, post, put,
};

use crate::migration::{self, Migration};
use crate::project::{self, ProjectRef, Row};
use crate::{project_row, query};

operations![
    ApplyMigration,
    UpsertMigration,
    ListMigrations,
    GetMigration,
    PatchMigration,
    RollBackMigrations
];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// A recorded change, as in lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ListedMigration {
    /// When it was recorded: `20260102030405`. They run in the order of their versions.
    pub version: String,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A recorded change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct RecordedMigration {
    /// When it was recorded: `20260102030405`.
    pub version: String,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The SQL of the change.
    pub statements: Vec<String>,
    /// The SQL that reverts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollback: Option<Vec<String>>,
    /// The idempotency key of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_key: Option<String>,
    /// The email address of the user who sent it; absent if it was recorded in another way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_by: Option<String>,
}

/// Change a project's database and record the change: both or neither.
///
/// A request with the same key does not make the change again.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ApplyMigration {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The SQL of the change.
    #[schemars(length(min = 1), extend("x-any-text" = true))]
    pub query: String,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The SQL that reverts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollback: Option<String>,
    /// A key that is the same for all requests of the same change.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "idempotency-key")]
    pub idempotency_key: Option<String>,
}

impl Operation for ApplyMigration {
    type Output = Empty;
    const META: Meta = Meta {
        status: 200,
        beta: true,
        since: Edition::V2026_11,
        headers: &["idempotency-key"],
        role: Role::Developer,
        scope: Some(Scope("database:write")),
        also: &[500],
        failure: "Failed to apply database migration",
        needs: Needs::DATABASE,
        ..post("v1-apply-a-migration", "/v1/projects/{ref}/database/migrations")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let recorded = migration::recorded(cx, &project);
        let sent =
            Sent { query: self.query, name: self.name, rollback: self.rollback, key: self.idempotency_key };
        if let Some(earlier) = sent.earlier(&recorded) {
            return sent.require_same(cx, earlier);
        }
        let migration = sent.recorded(cx, next_version(cx, &project, &recorded));
        let text = format!("{};\n{}", migration.statements.join(";\n"), migration::record(cx, &migration));
        query::run(cx, &project, &text)?;
        Ok(Empty {})
    }
}

/// Record a change of a project's database without making it.
///
/// Replaces a change recorded with the same key.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct UpsertMigration {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The SQL of the change.
    #[schemars(length(min = 1), extend("x-any-text" = true))]
    pub query: String,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The SQL that reverts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollback: Option<String>,
    /// A key that is the same for all requests of the same change.
    #[serde(default, skip_serializing_if = "Option::is_none", rename = "idempotency-key")]
    pub idempotency_key: Option<String>,
}

impl Operation for UpsertMigration {
    type Output = Empty;
    const META: Meta = Meta {
        beta: true,
        since: Edition::V2026_11,
        headers: &["idempotency-key"],
        role: Role::Developer,
        scope: Some(Scope("database:write")),
        also: &[500],
        failure: "Failed to upsert database migration",
        needs: Needs::DATABASE,
        ..put("v1-upsert-a-migration", "/v1/projects/{ref}/database/migrations")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let recorded = migration::recorded(cx, &project);
        let sent =
            Sent { query: self.query, name: self.name, rollback: self.rollback, key: self.idempotency_key };
        let earlier = sent.earlier(&recorded).map(|earlier| earlier.version.clone());
        let forget = earlier.iter().map(|version| migration::forget(cx, version)).collect::<String>();
        let migration = sent.recorded(cx, earlier.unwrap_or_else(|| next_version(cx, &project, &recorded)));
        query::run(cx, &project, &format!("{forget}{}", migration::record(cx, &migration)))?;
        Ok(Empty {})
    }
}

/// A change as received.
struct Sent {
    query: String,
    name: Option<String>,
    rollback: Option<String>,
    key: Option<String>,
}

impl Sent {
    /// The change recorded with the same key.
    fn earlier<'r>(&self, recorded: &'r [Migration]) -> Option<&'r Migration> {
        recorded.iter().find(|one| one.idempotency_key.is_some() && one.idempotency_key == self.key)
    }

    /// The same SQL again changes nothing. Another name or rollback than the recorded one has no effect then.
    fn require_same(&self, cx: &Cx<'_>, earlier: &Migration) -> Result<Empty, Error> {
        if earlier.statements == [self.query.as_str()] {
            let rollback = earlier.rollback.first();
            for (field, sent, kept) in [
                ("body.name", &self.name, earlier.name.as_ref()),
                ("body.rollback", &self.rollback, rollback),
            ] {
                if sent.is_some() && sent.as_ref() != kept {
                    cx.without_effect(|| field.to_owned())?;
                }
            }
            return Ok(Empty {});
        }
        let text = "idempotency-key: was used for another migration";
        Err(Error::invalid("idempotency_key_used", text).because("migration", &earlier.version, None))
    }

    fn recorded(self, cx: &Cx<'_>, version: String) -> Migration {
        let sql = "SELECT email FROM user WHERE id = ?1";
        let created_by = cx.caller.user().map(|user| cx.db.one(sql, (user,), |row| row.get(0)));
        Migration {
            created_by,
            version,
            name: self.name,
            statements: vec![self.query],
            rollback: self.rollback.into_iter().collect(),
            idempotency_key: self.key,
        }
    }
}

/// The second of the call. If the project, its parent or one of their branches has that version, the next one that none of
/// them has: merge and push take two changes of one version for the same change.
fn next_version(cx: &Cx<'_>, project: &Row, recorded: &[Migration]) -> String {
    let now = cx.now.strftime("%Y%m%d%H%M%S").to_string();
    let mut taken: BTreeSet<String> = recorded.iter().map(|one| one.version.clone()).collect();
    let root = project.branch_of.as_ref().unwrap_or(&project.r#ref);
    for other in project_row::with_branches(cx, root).iter().filter(|one| one.r#ref != project.r#ref) {
        taken.extend(migration::versions_since(cx, other, &now));
    }
    let first: u64 = now.parse().expect("an instant in digits is a number");
    (first..)
        .map(|version| version.to_string())
        .find(|version| !taken.contains(version))
        .expect("there are more numbers than migrations")
}

/// List the recorded changes of a project's database.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListMigrations {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ListMigrations {
    type Output = Vec<ListedMigration>;
    const META: Meta = Meta {
        beta: true,
        since: Edition::V2026_11,
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to list database migrations",
        needs: Needs::DATABASE,
        ..get("v1-list-migration-history", "/v1/projects/{ref}/database/migrations")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<ListedMigration>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let listed = |one: Migration| ListedMigration { version: one.version, name: one.name };
        Ok(migration::recorded(cx, &project).into_iter().map(listed).collect())
    }
}

/// Get a recorded change of a project's database.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetMigration {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Its version.
    #[schemars(regex(pattern = r"^[0-9]+$"))]
    pub version: String,
}

impl Operation for GetMigration {
    type Output = RecordedMigration;
    const META: Meta = Meta {
        beta: true,
        since: Edition::V2026_11,
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to get database migration",
        needs: Needs::DATABASE,
        ..get("v1-get-a-migration", "/v1/projects/{ref}/database/migrations/{version}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<RecordedMigration, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let found = migration::recorded(cx, &project).into_iter().find(|one| one.version == self.version);
        let Migration { version, name, statements, rollback, idempotency_key, created_by } =
            found.ok_or_else(|| Error::not_found("migration", &self.version))?;
        let rollback = Some(rollback).filter(|rollback| !rollback.is_empty());
        Ok(RecordedMigration { version, name, statements, rollback, idempotency_key, created_by })
    }
}

/// Change the name of a recorded change of a project's database, or the SQL that reverts it. Omitted fields do not change.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct PatchMigration {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Its version.
    #[schemars(regex(pattern = r"^[0-9]+$"))]
    pub version: String,
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The SQL that reverts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollback: Option<String>,
}

impl Operation for PatchMigration {
    type Output = Empty;
    const META: Meta = Meta {
        beta: true,
        since: Edition::V2026_11,
        role: Role::Developer,
        scope: Some(Scope("database:write")),
        also: &[500],
        failure: "Failed to patch database migration",
        needs: Needs::DATABASE,
        ..patch("v1-patch-a-migration", "/v1/projects/{ref}/database/migrations/{version}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let found = migration::recorded(cx, &project).into_iter().find(|one| one.version == self.version);
        let before = found.ok_or_else(|| Error::not_found("migration", &self.version))?;
        let after = Migration {
            name: self.name.or(before.name),
            rollback: self.rollback.map_or(before.rollback, |rollback| vec![rollback]),
            ..before
        };
        let forget = migration::forget(cx, &self.version);
        query::run(cx, &project, &format!("{forget}{}", migration::record(cx, &after)))?;
        Ok(Empty {})
    }
}

/// Revert recorded changes of a project's database, newest first, and delete the records: all of them or none.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct RollBackMigrations {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The first version to revert; all later ones are also reverted.
    #[schemars(regex(pattern = r"^[0-9]+$"))]
    pub gte: String,
}

impl Operation for RollBackMigrations {
    type Output = Empty;
    const META: Meta = Meta {
        beta: true,
        since: Edition::V2026_11,
        query: &["gte"],
        body: Body::None,
        role: Role::Developer,
        scope: Some(Scope("database:write")),
        also: &[500],
        failure: "Failed to roll back database migrations",
        needs: Needs::DATABASE,
        ..delete("v1-rollback-migrations", "/v1/projects/{ref}/database/migrations")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let mut wanted = migration::recorded(cx, &project);
        wanted.retain(|one| one.version >= self.gte);
        if let Some(stuck) = wanted.iter().find(|one| one.rollback.is_empty()) {
            let text = format!("Migration {} has no rollback", stuck.version);
            return Err(Error::invalid("no_rollback", text).because("migration", &stuck.version, None));
        }
        let back = |one: &Migration| {
            format!("{};\n{}", one.rollback.join(";\n"), migration::forget(cx, &one.version))
        };
        let text: String = wanted.iter().rev().map(back).collect();
        if text.is_empty() {
            cx.without_effect(|| "query.gte".to_owned())?;
        } else {
            query::run(cx, &project, &text)?;
        }
        Ok(Empty {})
    }
}
