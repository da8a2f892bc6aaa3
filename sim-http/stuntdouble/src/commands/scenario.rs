//! `stuntdouble scenario` and `seed-schema`: the worlds to start from, and the schema of seed files.

use std::process::ExitCode;

use sim_core::seed::{self, scenario};

use crate::{Failure, say};

/// Prints a table of all scenarios, or one of them as a seed file.
pub(crate) fn run(name: Option<&str>) -> Result<ExitCode, Failure> {
    match name {
        Some(name) => say(&scenario::named(name).map_err(|error| Failure(error.message))?.to_toml()),
        None => say(&table()),
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the JSON Schema of seed files.
pub(crate) fn schema() -> Result<ExitCode, Failure> {
    say(&format!("{:#}", seed::schema()));
    Ok(ExitCode::SUCCESS)
}

fn table() -> String {
    let rows: Vec<(String, &str)> = scenario::ALL.iter().map(|one| (one.name(), one.about)).collect();
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    rows.iter().map(|(name, about)| format!("{name:width$}  {about}")).collect::<Vec<_>>().join("\n")
}
