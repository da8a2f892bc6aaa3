//! `stuntdouble query SQL`: rows of a world, in SQLite's SQL.

use clap::Args;
use serde_json::{Map, Value};

use super::Reach;
use crate::Failure;

/// Columns are not padded further than this.
const WIDTH_MAX: usize = 40;

/// Arguments of `query`.
#[derive(Args)]
#[command(after_help = "Examples:
  stuntdouble query 'select call, target, status from call where status >= 400'
  stuntdouble query 'select ref, status from project'
  stuntdouble query 'select name from sqlite_schema'     which tables there are")]
pub(crate) struct Arguments {
    /// Query in SQLite's SQL over calls, events and rows of resources
    #[arg(value_name = "SQL")]
    sql: String,
    #[command(flatten)]
    reach: Reach,
}

pub(crate) fn run(Arguments { sql, reach }: &Arguments) -> Result<(), Failure> {
    let rows = reach.world()?.query_journal(sql).map_err(|error| reach.failed(&error))?;
    reach.show(&rows, |rows| table(rows));
    Ok(())
}

/// The rows below the names of their columns.
fn table(rows: &[Map<String, Value>]) -> String {
    let Some(first) = rows.first() else { return "no rows".to_owned() };
    let names: Vec<String> = first.keys().cloned().collect();
    let cells = rows.iter().map(|row| row.values().map(cell).collect());
    let lines: Vec<Vec<String>> = std::iter::once(names).chain(cells).collect();
    let width = |column: usize| {
        let widths = lines.iter().filter_map(|line| Some(line.get(column)?.chars().count()));
        widths.max().unwrap_or_default().min(WIDTH_MAX)
    };
    let widths: Vec<usize> = (0..first.len()).map(width).collect();
    let line = |cells: &Vec<String>| {
        let padded = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A value on one line.
fn cell(value: &Value) -> String {
    match value {
        Value::String(text) => text.escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'"),
        value => value.to_string(),
    }
}
