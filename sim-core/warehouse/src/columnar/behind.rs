//! `ANY JOIN` after other joins: the rows of these become one table first, of which the first row for each key is kept.

use std::collections::BTreeMap;

use sqlparser::ast::{JoinConstraint, JoinOperator, Select};

use super::columns::among;
use super::joins::is_any;
use super::{Writer, name};

/// The table of the rows that were joined before.
const TABLE: &str = "joined_before";

/// The columns of the tables before such a join.
#[derive(Clone, Default)]
pub(super) struct Behind {
    /// The place of the join.
    pub(super) join: usize,
    /// How a column is written as it stands in the query, and how it is written after the join.
    names: BTreeMap<String, String>,
    /// The columns before it, and their names after it.
    columns: Vec<(String, String)>,
}

impl Behind {
    /// A column as it is written after the join.
    pub(super) fn written(&self, column: &str) -> Option<&String> {
        self.names.get(column)
    }

    /// The names of all columns after the join.
    pub(super) fn columns(&self) -> Vec<String> {
        self.columns.iter().map(|(_, own)| own.clone()).collect()
    }

    /// The tables before the join as one.
    pub(super) fn table(&self, before: &str) -> String {
        let columns = self.columns.iter().map(|(written, own)| format!("{written} as {}", name(own)));
        format!("(select {} from {before}) as {}", columns.collect::<Vec<_>>().join(", "), name(TABLE))
    }

    pub(super) fn alias() -> &'static str {
        TABLE
    }
}

impl Writer {
    /// The columns before an `ANY JOIN` that is not the first join of a SELECT, if the query tells them.
    pub(super) fn behind(&self, select: &Select) -> Option<Behind> {
        let [from] = select.from.as_slice() else { return None };
        let mut joins = from.joins.iter().enumerate().skip(1);
        let (place, _) = joins.find(|(_, join)| match &join.join_operator {
            JoinOperator::Join(on) | JoinOperator::Inner(on) => is_any(on),
            JoinOperator::Right(on) | JoinOperator::RightOuter(on) => {
                is_any(on) && matches!(on, JoinConstraint::On(_))
            }
            _ => false,
        })?;
        let mut tables = self.tables(select)?;
        tables.truncate(place + 1);
        let mut behind = Behind { join: place, ..Behind::default() };
        for (own, columns) in &tables {
            if own.is_empty() {
                return None;
            }
            for column in columns {
                let new = format!("{own}__{column}");
                let after = format!("{}.{}", name(TABLE), name(&new));
                let written = format!("{}.{}", name(own), name(column));
                behind.names.insert(written.clone(), after.clone());
                behind.names.entry(name(column)).or_insert(after);
                behind.columns.push((written, new));
            }
        }
        among(&tables, None).map(|_| behind)
    }
}
