//! Migrations: the recorded schema changes of a project's database, and how a branch gets them.
//!
//! Clients write the records themselves, in a table of the database, or use `migration_history`. A branch
//! gets its parent's migrations, not its rows.

use serde_json::{Map, Value};
use sim_base::Cx;
use sim_values::call::Outcome;
use sim_values::error::SqlError;

use crate::branch::{self, Branch};
use crate::branch_seed;
use crate::branch_workflow::RunKind;
use crate::database;
use crate::project::{self, Row as Project};
use crate::query;

/// One recorded change.
pub(crate) struct Migration {
    pub(crate) version: String,
    pub(crate) name: Option<String>,
    pub(crate) statements: Vec<String>,
    /// The SQL that reverts it; empty if there is none.
    pub(crate) rollback: Vec<String>,
    pub(crate) idempotency_key: Option<String>,
    /// The address of the user who sent it.
    pub(crate) created_by: Option<String>,
}

impl Migration {
    fn of(mut row: Map<String, Value>) -> Option<Migration> {
        let mut list = |name: &str| -> Vec<String> {
            row.remove(name).and_then(|list| serde_json::from_value(list).ok()).unwrap_or_default()
        };
        let (statements, rollback) = (list("statements"), list("rollback"));
        let text = |name: &str| row.get(name).and_then(Value::as_str).map(str::to_owned);
        let [name, idempotency_key, created_by] = ["name", "idempotency_key", "created_by"].map(text);
        Some(Migration { version: text("version")?, name, statements, rollback, idempotency_key, created_by })
    }
}

/// Does the work of a run on the database of the branch or its parent. `false`: a migration or the seed
/// failed, and nothing after it was tried.
pub(crate) fn run(cx: &Cx<'_>, branch: &Branch, kind: RunKind, up_to: Option<&str>) -> bool {
    let own = branch::project_of(cx, branch);
    let Some(parent) = project::find(cx, &branch.parent_project_ref.0) else { return true };
    if own.r#ref == parent.r#ref {
        return true;
    }
    let (from, to) = match kind {
        RunKind::Create | RunKind::Push => (&parent, &own),
        RunKind::Reset => (&own, &own),
        RunKind::Merge => (&own, &parent),
    };
    if !to.status.is_active() {
        return false;
    }
    let mut wanted = recorded(cx, from);
    wanted.retain(|migration| up_to.is_none_or(|last| migration.version.as_str() <= last));
    match kind {
        RunKind::Reset => database::begin_anew(cx, &own),
        RunKind::Create if branch.with_data => database::begin_like(cx, &own, &parent),
        RunKind::Create | RunKind::Push | RunKind::Merge => {}
    }
    let done = recorded(cx, to);
    let missing = wanted.iter().filter(|one| done.iter().all(|done| done.version != one.version));
    missing.into_iter().all(|migration| apply(cx, to, migration).is_ok())
        && (branch.with_data && kind == RunKind::Create || seed(cx, &own, &parent, kind))
}

/// Fills a branch that is new or was reset.
fn seed(cx: &Cx<'_>, own: &Project, parent: &Project, kind: RunKind) -> bool {
    matches!(kind, RunKind::Push | RunKind::Merge)
        || query::execute(cx, own, &branch_seed::of(cx, &parent.r#ref), false).is_ok()
}

/// The migrations that the project's database has recorded, by version.
pub(crate) fn recorded(cx: &Cx<'_>, project: &Project) -> Vec<Migration> {
    let sql = format!("select * from {}.schema_migrations order by version", schema(cx));
    // Without the table there are no migrations.
    let rows = query::execute(cx, project, &sql, true).map_or_else(|_| Vec::new(), |outcome| outcome.rows);
    rows.into_iter().filter_map(Migration::of).collect()
}

/// The recorded versions of the project's database from this one on.
pub(crate) fn versions_since(cx: &Cx<'_>, project: &Project, version: &str) -> Vec<String> {
    if database::current(cx, project).is_none() {
        return Vec::new();
    }
    let (schema, least) = (schema(cx), quoted(version));
    let sql = format!("select version from {schema}.schema_migrations where version >= {least}");
    let rows = query::execute(cx, project, &sql, true).map_or_else(|_| Vec::new(), |outcome| outcome.rows);
    rows.iter().filter_map(|row| row.get("version").and_then(Value::as_str).map(str::to_owned)).collect()
}

/// Runs a migration and records it: both or neither.
fn apply(cx: &Cx<'_>, project: &Project, migration: &Migration) -> Result<Outcome, SqlError> {
    let text = format!("{};\n{}", migration.statements.join(";\n"), record(cx, migration));
    query::execute(cx, project, &text, false)
}

/// SQL that records a migration; clients may have created the table without the later columns.
pub(crate) fn record(cx: &Cx<'_>, migration: &Migration) -> String {
    let schema = schema(cx);
    let text = |text: &Option<String>| text.as_deref().map_or_else(|| "null".to_owned(), quoted);
    let list = |list: &[String]| {
        let elements: Vec<String> = list.iter().map(|text| quoted(text)).collect();
        format!("array[{}]::text[]", elements.join(", "))
    };
    format!(
        "create schema if not exists {schema};
         create table if not exists {schema}.schema_migrations
            (version text not null primary key, statements text[], name text);
         alter table {schema}.schema_migrations add column if not exists idempotency_key text;
         alter table {schema}.schema_migrations add column if not exists rollback text[];
         alter table {schema}.schema_migrations add column if not exists created_by text;
         insert into {schema}.schema_migrations (version, statements, name, idempotency_key, rollback, created_by)
            values ({}, {}, {}, {}, {}, {});",
        quoted(&migration.version),
        list(&migration.statements),
        text(&migration.name),
        text(&migration.idempotency_key),
        list(&migration.rollback),
        text(&migration.created_by),
    )
}

/// SQL that deletes a recorded migration.
pub(crate) fn forget(cx: &Cx<'_>, version: &str) -> String {
    format!("delete from {}.schema_migrations where version = {};\n", schema(cx), quoted(version))
}

/// The schema of the record table, as an identifier.
fn schema(cx: &Cx<'_>) -> String {
    format!("\"{}\"", cx.profile.migrations_schema.replace('"', "\"\""))
}

/// A text as an SQL literal.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
