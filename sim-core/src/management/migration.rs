//! Migrations: what a project's database has recorded of the changes to its schema, and how a branch gets them.
//!
//! Clients keep the record themselves, in a table of the database. A branch gets its parent's migrations, not its rows.

use serde_json::{Map, Value};

use crate::engine::Cx;
use crate::sql::{Outcome, SqlError};

use super::branch::{self, Branch};
use super::branch_seed;
use super::branch_workflow::RunKind;
use super::database;
use super::project::{self, Row as Project};
use super::query;

/// One recorded change.
struct Migration {
    version: String,
    name: Option<String>,
    statements: Vec<String>,
}

impl Migration {
    fn of(mut row: Map<String, Value>) -> Option<Migration> {
        let version = row.get("version")?.as_str()?.to_owned();
        let name = row.get("name").and_then(Value::as_str).map(str::to_owned);
        let statements = row.remove("statements").and_then(|list| serde_json::from_value(list).ok());
        Some(Migration { version, name, statements: statements.unwrap_or_default() })
    }
}

/// Does to the branch's database what a run is for. `false`: a migration or the seed failed, and nothing after it was
/// tried.
pub(super) fn run(cx: &Cx<'_>, branch: &Branch, kind: RunKind, up_to: Option<&str>) -> bool {
    let own = branch::project_of(cx, branch);
    let Some(parent) = project::find(cx, &branch.parent_project_ref.0) else { return true };
    if own.r#ref == parent.r#ref {
        return true;
    }
    let mut wanted = recorded(cx, if kind == RunKind::Reset { &own } else { &parent });
    wanted.retain(|migration| up_to.is_none_or(|last| migration.version.as_str() <= last));
    if kind == RunKind::Reset {
        database::begin_anew(cx, &own);
    }
    let done = recorded(cx, &own);
    let missing = wanted.iter().filter(|one| done.iter().all(|done| done.version != one.version));
    missing.into_iter().all(|migration| apply(cx, &own, migration).is_ok()) && seed(cx, &own, &parent, kind)
}

/// Fills a branch that is new, or as good as new.
fn seed(cx: &Cx<'_>, own: &Project, parent: &Project, kind: RunKind) -> bool {
    kind == RunKind::Push || query::execute(cx, own, &branch_seed::of(cx, &parent.r#ref), false).is_ok()
}

/// The migrations that the project's database has recorded, by version.
fn recorded(cx: &Cx<'_>, project: &Project) -> Vec<Migration> {
    let sql = format!("select * from {}.schema_migrations order by version", schema(cx));
    // No table, no migrations.
    let rows = query::execute(cx, project, &sql, true).map_or_else(|_| Vec::new(), |outcome| outcome.rows);
    rows.into_iter().filter_map(Migration::of).collect()
}

/// Runs a migration and records it: both or neither.
fn apply(cx: &Cx<'_>, project: &Project, migration: &Migration) -> Result<Outcome, SqlError> {
    let schema = schema(cx);
    let name = migration.name.as_deref().map_or_else(|| "null".to_owned(), quoted);
    let statements: Vec<String> = migration.statements.iter().map(|text| quoted(text)).collect();
    let text = format!(
        "{};
         create schema if not exists {schema};
         create table if not exists {schema}.schema_migrations
            (version text not null primary key, statements text[], name text);
         insert into {schema}.schema_migrations (version, statements, name)
            values ({}, array[{}]::text[], {name})",
        migration.statements.join(";\n"),
        quoted(&migration.version),
        statements.join(", "),
    );
    query::execute(cx, project, &text, false)
}

/// The schema of the record, as an identifier.
fn schema(cx: &Cx<'_>) -> String {
    format!("\"{}\"", cx.profile.migrations_schema.replace('"', "\"\""))
}

/// A text as SQL writes it.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
