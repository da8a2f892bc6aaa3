//! `stuntdouble openapi`, `routes` and `guide`: the operations that a server has.

use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::{Value, json};
use sim_core::engine::{Access, Meta, Registry, only_tag};
use sim_core::{Edition, Policy, Simulator};

use super::remote::is_server;
use crate::options::read_or_default;
use crate::{Failure, say};

/// Which OpenAPI document is printed.
#[derive(clap::Args)]
pub(crate) struct Document {
    /// The document of the control API under /_sim
    #[arg(long)]
    control: bool,
    /// The service: management or analytics [default: management]
    #[arg(long, value_name = "SERVICE", value_parser = ["management", "analytics"])]
    service: Option<String>,
    /// Only the operations with this tag: Database, or journal with --control
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// The edition of the API: 2025-05 or 2026-11 [default: 2026-11]
    #[arg(long, value_name = "EDITION")]
    edition: Option<Edition>,
    /// TOML file of names, as for serve
    #[arg(long, value_name = "FILE", env = "STUNTDOUBLE_PROFILE")]
    profile: Option<PathBuf>,
}

/// Prints the OpenAPI document.
pub(crate) fn openapi(wanted: &Document) -> Result<ExitCode, Failure> {
    let begun = match wanted.service.as_deref() {
        Some("analytics") => Simulator::analytics(),
        _ => Simulator::builder(),
    };
    let policy = Policy { edition: wanted.edition.unwrap_or_default(), ..Policy::default() };
    let profile = read_or_default("--profile", wanted.profile.as_deref())?;
    let sim = begun.policy(policy).profile(profile).build();
    let mut document = if wanted.control { sim_http::control_openapi(&sim) } else { sim.openapi() };
    if let Some(tag) = &wanted.tag {
        only_tag(&mut document, tag).map_err(|error| format!("--{}", error.message))?;
    }
    say(&format!("{document:#}"));
    Ok(ExitCode::SUCCESS)
}

/// Prints the guide that a server has at `/llms.txt`.
pub(crate) fn guide(url: &str) -> Result<ExitCode, Failure> {
    let url = url.trim_end_matches('/');
    let server = url.split_once("/w/").map_or(url, |(server, _)| server);
    if !is_server(server) {
        return Err(Failure(format!("--url {url}: must be a URL, as in http://127.0.0.1:8787")));
    }
    say(sim_http::guide(url).trim_end());
    Ok(ExitCode::SUCCESS)
}

/// Prints a table of all operations of both services and of the control API, or the same as JSON.
pub(crate) fn routes(json: bool, edition: Option<Edition>) -> Result<ExitCode, Failure> {
    let core = sim_core::management::registry().operations().filter(|meta| !is_control(meta));
    let analytics = sim_core::analytics::registry().operations().filter(|meta| !is_control(meta));
    let both = [sim_core::management::registry(), sim_core::analytics::registry()];
    let mut control: Vec<&Meta> = sim_http::control_operations().collect();
    for meta in both.into_iter().flat_map(Registry::operations).filter(|meta| is_control(meta)) {
        // The services share some of them.
        if control.iter().all(|known| known.id != meta.id) {
            control.push(meta);
        }
    }
    let is_there = |meta: &&Meta| edition.is_none_or(|edition| meta.is_in(edition));
    let all = core.chain(analytics).chain(control).filter(is_there);
    say(&if json { list(all) } else { table(all) });
    Ok(ExitCode::SUCCESS)
}

fn is_control(meta: &Meta) -> bool {
    meta.access == Access::Control
}

fn list<'a>(operations: impl Iterator<Item = &'a Meta>) -> String {
    let one = |meta: &Meta| {
        json!({
            "id": meta.id,
            "method": meta.method.as_str(),
            "path": meta.path,
            "status": meta.status,
            "statuses": meta.statuses(),
            "role": (meta.access == Access::Token).then(|| meta.role.as_str()),
            "scope": meta.scope.map(|scope| scope.0),
            "since": meta.since.as_str(),
            "beta": meta.beta,
            "deprecated": meta.deprecated,
        })
    };
    format!("{:#}", Value::Array(operations.map(one).collect()))
}

fn table<'a>(operations: impl Iterator<Item = &'a Meta>) -> String {
    let rows: Vec<[String; 4]> = operations.map(row).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or_default();
    let widths = [width(0), width(1), width(2)];
    let lines = rows.iter().map(|[method, path, id, needs]| {
        let [a, b, c] = widths;
        format!("{method:a$}  {path:b$}  {id:c$}  {needs}").trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
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
