//! System relations: `pg_catalog` and `information_schema`, computed from the catalog when a statement reads them.

mod constants;
mod pg;
mod privileges;
mod recorded;
mod standard;
mod statistics;
mod text_search;

use std::sync::LazyLock;

use serde_json::Value as Json;

use super::bind::Settings;
use super::catalog::{Catalog, Oid};
use super::error::{SqlError, SqlState};
use super::types::Type;

/// A system relation.
pub(crate) struct System {
    /// The name, with the schema unless that is `pg_catalog`.
    pub(crate) name: &'static str,
    /// The columns whose values differ; see [`System::all_columns`].
    columns: &'static [(&'static str, Type)],
    /// The rows, each as long as these columns, in their SQLite representation.
    pub(crate) rows: fn(&Catalog, &Settings) -> Vec<Vec<Json>>,
}

/// All system relations.
pub(crate) static ALL: LazyLock<Vec<System>> = LazyLock::new(|| {
    let standard = pg::relations().into_iter().chain(standard::relations());
    let all = standard.chain(privileges::relations()).chain(text_search::relations());
    let all = all.chain(statistics::relations());
    all.chain(recorded::relations()).chain(constants::relations()).collect()
});

/// The system relation with a name. Without a schema, this searches `pg_catalog`.
pub(crate) fn find(schema: Option<&str>, name: &str) -> Option<&'static System> {
    let full = match schema {
        None | Some("pg_catalog") => name.to_owned(),
        Some(schema) => format!("{schema}.{name}"),
    };
    ALL.iter().find(|system| system.name == full)
}

impl System {
    /// The name of its schema.
    pub(crate) fn schema_name(&self) -> &'static str {
        self.name.split_once('.').map_or("pg_catalog", |(schema, _)| schema)
    }

    /// The name without its schema.
    pub(crate) fn short_name(&self) -> &'static str {
        self.name.rsplit('.').next().unwrap_or(self.name)
    }

    /// The columns, those included that have one value in all rows.
    pub(crate) fn all_columns(&self) -> impl Iterator<Item = (&'static str, Type)> {
        let constant = constants::of(self.name).iter().map(|(name, type_, _)| (*name, *type_));
        self.columns.iter().copied().chain(constant)
    }

    /// The word for this kind of relation in messages.
    pub(crate) fn word(&self) -> &'static str {
        let views = [
            "pg_available_extension_versions",
            "pg_available_extensions",
            "pg_indexes",
            "pg_locks",
            "pg_matviews",
            "pg_policies",
            "pg_publication_tables",
            "pg_roles",
            "pg_rules",
            "pg_seclabels",
            "pg_sequences",
            "pg_settings",
            "pg_tables",
            "pg_timezone_names",
            "pg_user",
            "pg_user_mappings",
            "pg_views",
        ];
        if self.name.contains('.')
            || self.name.starts_with("pg_stat_")
            || self.name.starts_with("pg_statio_")
            || views.contains(&self.name)
        {
            "view"
        } else {
            "table"
        }
    }

    /// The error for a role that lacks the privilege, as a project's role does.
    pub(crate) fn denied(&self) -> SqlError {
        let message = format!("permission denied for {} {}", self.word(), self.short_name());
        SqlError::new(SqlState::INSUFFICIENT_PRIVILEGE, message)
    }

    /// The identifier.
    pub(crate) fn oid(&self) -> Oid {
        match self.name {
            "pg_type" => 1247,
            "pg_attribute" => 1249,
            "pg_proc" => 1255,
            "pg_class" => 1259,
            "pg_namespace" => 2615,
            "pg_constraint" => 2606,
            "pg_trigger" => 2620,
            "pg_policy" => 3256,
            "pg_attrdef" => 2604,
            "pg_cast" => 2605,
            "pg_collation" => 3456,
            "pg_default_acl" => 826,
            "pg_event_trigger" => 3466,
            "pg_extension" => 3079,
            "pg_index" => 2610,
            "pg_language" => 2612,
            "pg_operator" => 2617,
            "pg_opclass" => 2616,
            "pg_opfamily" => 2753,
            "pg_publication" => 6104,
            "pg_publication_rel" => 6106,
            "pg_rewrite" => 2618,
            "pg_authid" => 1260,
            "pg_database" => 1262,
            "pg_foreign_data_wrapper" => 2328,
            "pg_foreign_server" => 1417,
            name => 12_000 + ALL.iter().position(|system| system.name == name).unwrap_or(0) as Oid,
        }
    }

    /// The rows as a common table expression for SQLite.
    pub(crate) fn definition(&self, catalog: &Catalog, settings: &Settings) -> String {
        let rows: Json = (self.rows)(catalog, settings).into_iter().map(Json::from).collect();
        let names: Vec<String> =
            (1..=self.all_columns().count()).map(|number| format!("c{number}")).collect();
        let differing = self.columns.iter().enumerate().map(|(index, (_, type_))| match *type_ {
            // Bytes are written as digits.
            Type::BYTEA => format!("unhex(cells->>{index})"),
            _ => format!("cells->>{index}"),
        });
        let constant = constants::of(self.name).iter().map(|(_, _, value)| (*value).to_owned());
        let items: Vec<String> = differing.chain(constant).collect();
        let rows = super::print::text_literal(&rows.to_string());
        // `OFFSET` keeps SQLite from computing a row again for each of its columns.
        format!(
            "\"{}\"({}) AS MATERIALIZED (SELECT {} FROM (SELECT value AS cells FROM json_each({rows}) LIMIT -1 OFFSET 0))",
            self.name,
            names.join(","),
            items.join(",")
        )
    }
}
