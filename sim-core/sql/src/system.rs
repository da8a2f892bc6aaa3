//! System relations: `pg_catalog` and `information_schema`, computed from the catalog when a statement reads them.

mod constants;
mod extension_functions;
mod facts;
mod operator_classes;
mod pg;
mod privileges;
mod recorded;
mod relations;
mod standard;
mod statistics;
mod text_search;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::Value as Json;

use super::bind::Settings;
use super::catalog::{Catalog, Oid};
use super::error::{SqlError, SqlState};
use super::types::Type;

pub(crate) use self::extension_functions::{
    functions as functions_of_extension, names as names_of_functions,
};
pub(crate) use self::facts::has_cast;
pub(crate) use self::operator_classes::{Fit, fit_of_class, schema_of_class};
pub(crate) use self::pg::METHODS;

/// A system relation.
pub(crate) struct System {
    /// The name, with the schema unless that is `pg_catalog`.
    pub(crate) name: &'static str,
    /// The columns whose values differ; see [`System::all_columns`].
    pub(crate) columns: &'static [&'static str],
    /// The rows, each as long as these columns, in their SQLite representation.
    pub(crate) rows: fn(&Catalog, &Settings) -> Vec<Vec<Json>>,
}

/// A column of a system relation.
pub(crate) struct SystemColumn {
    pub(crate) name: &'static str,
    pub(crate) type_: Type,
    /// Its value for `definition`, in SQLite's SQL.
    value: String,
}

/// All system relations.
pub(crate) static ALL: LazyLock<Vec<System>> = LazyLock::new(|| {
    let standard = pg::relations().into_iter().chain(standard::relations());
    let all = standard.chain(privileges::relations()).chain(text_search::relations());
    let all = all.chain(statistics::relations()).chain(recorded::relations()).chain(facts::relations());
    let mut all: Vec<System> = all.chain(super::cursors::relations()).collect();
    let known: Vec<&str> = all.iter().map(|system| system.name).collect();
    // The others have no rows.
    let others = relations::ALL.keys().filter(|name| !known.contains(*name));
    all.extend(others.map(|name| System { name, columns: &[], rows: |_, _| Vec::new() }));
    all
});

/// The places of the system relations in [`ALL`], by name.
static PLACES: LazyLock<BTreeMap<&'static str, usize>> =
    LazyLock::new(|| ALL.iter().enumerate().map(|(place, system)| (system.name, place)).collect());

/// The columns of the system relations, by the relations' names.
static COLUMNS: LazyLock<BTreeMap<&'static str, Vec<SystemColumn>>> =
    LazyLock::new(|| ALL.iter().map(|system| (system.name, system.read_columns())).collect());

/// The system relation with a name. Without a schema, this searches `pg_catalog`.
pub(crate) fn find(schema: Option<&str>, name: &str) -> Option<&'static System> {
    let place = match schema {
        None | Some("pg_catalog") => PLACES.get(name),
        Some(schema) => PLACES.get(format!("{schema}.{name}").as_str()),
    };
    place.map(|place| &ALL[*place])
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

    fn layout(&self) -> &'static relations::Layout {
        relations::ALL.get(self.name).expect("a system relation is in relations.txt")
    }

    /// The columns: those that differ, those that have one value in all rows, and those about which nothing is known.
    pub(crate) fn all_columns(&self) -> &'static [SystemColumn] {
        COLUMNS.get(self.name).map_or(&[], Vec::as_slice)
    }

    fn read_columns(&self) -> Vec<SystemColumn> {
        let column = |&(name, type_): &(&'static str, Type)| {
            let cell = self.columns.iter().position(|column| *column == name);
            let value = match (cell, type_) {
                // Bytes are written as digits.
                (Some(cell), Type::BYTEA) => format!("unhex(cells->>{cell})"),
                (Some(cell), _) => format!("cells->>{cell}"),
                (None, _) => match constants::of(self.name, name) {
                    Some(value) => value.to_owned(),
                    None if statistics::counts(self.name) => statistics::uncounted(type_).to_owned(),
                    None => "NULL".to_owned(),
                },
            };
            SystemColumn { name, type_, value }
        };
        self.layout().columns.iter().map(column).collect()
    }

    /// The word for this kind of relation in messages.
    pub(crate) fn word(&self) -> &'static str {
        if self.layout().is_view { "view" } else { "table" }
    }

    /// Whether only a superuser may read it, as a project's role is not.
    pub(crate) fn is_closed(&self) -> bool {
        self.layout().is_closed
    }

    /// The error for a role that lacks the privilege, as a project's role does.
    pub(crate) fn denied(&self) -> SqlError {
        let message = format!("permission denied for {} {}", self.word(), self.short_name());
        SqlError::new(SqlState::INSUFFICIENT_PRIVILEGE, message)
    }

    /// The identifier.
    pub(crate) fn oid(&self) -> Oid {
        let place = || PLACES.get(self.name).map_or(0, |place| *place as Oid);
        self.layout().oid.unwrap_or_else(|| 12_000 + place())
    }

    /// The rows as a common table expression for SQLite.
    pub(crate) fn definition(&self, catalog: &Catalog, settings: &Settings) -> String {
        self.definition_of((self.rows)(catalog, settings))
    }

    /// The same with other rows.
    pub(crate) fn definition_of(&self, rows: Vec<Vec<Json>>) -> String {
        let rows: Json = rows.into_iter().map(Json::from).collect();
        let columns = self.all_columns();
        let names: Vec<String> = (1..=columns.len()).map(|number| format!("c{number}")).collect();
        let values: Vec<&str> = columns.iter().map(|column| column.value.as_str()).collect();
        let rows = super::print::text_literal(&rows.to_string());
        // `OFFSET` keeps SQLite from computing a row again for each of its columns.
        format!(
            "\"{}\"({}) AS MATERIALIZED (SELECT {} FROM (SELECT value AS cells FROM json_each({rows}) LIMIT -1 OFFSET 0))",
            self.name,
            names.join(","),
            values.join(",")
        )
    }
}
