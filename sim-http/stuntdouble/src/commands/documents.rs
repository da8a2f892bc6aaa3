//! `stuntdouble openapi` and `routes`: the operations that a server has.

use std::path::Path;
use std::process::ExitCode;

use sim_core::engine::{Access, Meta};
use sim_core::{Edition, Simulator};

use crate::options::read_or_default;
use crate::{Failure, say};

/// Prints the OpenAPI document.
pub(crate) fn openapi(control: bool, profile: Option<&Path>) -> Result<ExitCode, Failure> {
    let sim = Simulator::builder().profile(read_or_default("--profile", profile)?).build();
    let document = if control { sim_http::control_openapi(&sim) } else { sim.openapi() };
    say(&format!("{document:#}"));
    Ok(ExitCode::SUCCESS)
}

/// Prints a table of all operations.
pub(crate) fn routes() -> Result<ExitCode, Failure> {
    let core = sim_core::management::registry().operations();
    let rows: Vec<[String; 4]> = core.chain(sim_http::control_operations()).map(row).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or_default();
    let widths = [width(0), width(1), width(2)];
    let lines = rows.iter().map(|[method, path, id, needs]| {
        let [a, b, c] = widths;
        format!("{method:a$}  {path:b$}  {id:c$}  {needs}").trim_end().to_owned()
    });
    say(&lines.collect::<Vec<_>>().join("\n"));
    Ok(ExitCode::SUCCESS)
}

fn row(meta: &Meta) -> [String; 4] {
    let needs = match (meta.access, meta.scope) {
        (Access::Control | Access::Public, _) => "no token".to_owned(),
        (Access::Optional, _) => "token where it wants one".to_owned(),
        (Access::Token, Some(scope)) => format!("{}, {}", meta.role.as_str(), scope.0),
        (Access::Token, None) => format!("{}, no app", meta.role.as_str()),
    };
    let needs = if meta.since > Edition::FIRST { format!("{needs}; since {}", meta.since) } else { needs };
    [meta.method.as_str().to_owned(), meta.path.to_owned(), meta.id.to_owned(), needs]
}
