//! `stuntdouble coverage FILE...`: the coverage of several runs, and its gaps.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use sim_core::engine::{Coverage, Goal, Ignored, Registry, near};
use sim_core::{analytics, management};

use crate::{Failure, files, say};

/// Arguments of `coverage`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Files written by serve or exec with --coverage, or downloaded from /_sim/coverage
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Print the sum as JSON
    #[arg(long)]
    json: bool,

    /// Also print operations that were not called
    #[arg(long)]
    all: bool,

    /// Write the matrix of operations and statuses as an HTML page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// An outcome that must occur, as in "v1-get-project: 404" or "v1-get-project: 429 then 200"; exits with 1 if it did not
    #[arg(long, value_name = "GOAL")]
    goal: Vec<Goal>,
}

/// Adds up the files; exit code 1 when a goal was not reached.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    arguments.goal.iter().try_for_each(check)?;
    let mut sum = Coverage::default();
    for file in &arguments.files {
        sum.merge(read("FILE", file)?);
    }
    arguments.goal.iter().try_for_each(|goal| check_statuses(goal, &sum))?;
    if let Some(file) = &arguments.html {
        write("--html", file, &page(&sum))?;
    }
    say(if arguments.json { json(&sum) } else { table(&sum, arguments.all) }.trim_end());
    let misses = sum.misses(&arguments.goal);
    misses.iter().for_each(|goal| eprintln!("missed {goal}"));
    Ok(if misses.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Refuses a goal of an operation that does not exist.
fn check(goal: &Goal) -> Result<(), Failure> {
    let known = || [management::registry(), analytics::registry()].into_iter().flat_map(Registry::operations);
    if known().any(|meta| meta.id == goal.operation) {
        return Ok(());
    }
    let question = near::question(&goal.operation, known().map(|meta| meta.id));
    Err(Failure(format!("--goal {goal}: there is no operation {:?}{question}", goal.operation)))
}

/// Refuses a goal with a status that its operation never gives, and that no fault rule has given either.
fn check_statuses(goal: &Goal, sum: &Coverage) -> Result<(), Failure> {
    let operations =
        [management::registry(), analytics::registry()].into_iter().flat_map(Registry::operations);
    let Some(meta) = operations.into_iter().find(|meta| meta.id == goal.operation) else { return Ok(()) };
    let statuses = meta.statuses();
    let was_met =
        |status| sum.reached.iter().any(|one| one.operation == goal.operation && one.status == status);
    let wrong = [Some(goal.status), goal.next].into_iter().flatten();
    if wrong.into_iter().all(|status| statuses.contains(&status) || was_met(status)) {
        return Ok(());
    }
    let known = statuses.iter().map(u16::to_string).collect::<Vec<_>>().join(", ");
    Err(Failure(format!("--goal {goal}: {} answers {known}", goal.operation)))
}

/// Adds `coverage` to the contents of the file, if it exists.
pub(crate) fn add(file: &Path, mut coverage: Coverage) -> Result<(), Failure> {
    if file.exists() {
        coverage.merge(read("--coverage", file)?);
    }
    write("--coverage", file, &json(&coverage))
}

fn read(flag: &str, file: &Path) -> Result<Coverage, Failure> {
    let wrong = |why: String| Failure(format!("{flag} {}: {why}", file.display()));
    let text = files::written(file).map_err(wrong)?;
    serde_json::from_slice(&text).map_err(|error| {
        wrong(format!("is no coverage as serve writes it, {}", near::explained(&error.to_string())))
    })
}

fn write(flag: &str, file: &Path, text: &str) -> Result<(), Failure> {
    let wrong = |error| Failure(format!("{flag} {}: can't be written, {error}", file.display()));
    std::fs::write(file, text).map_err(wrong)
}

fn json(coverage: &Coverage) -> String {
    serde_json::to_string_pretty(coverage).expect("coverage is plain data")
}

/// An operation, and how often each of its statuses occurred.
type Row = (&'static str, Vec<(u16, u64)>);

/// The rows of both services; those of the analytics server only if it was called.
fn matrix(coverage: &Coverage) -> Vec<Row> {
    let is_met = |rows: &[Row]| rows.iter().any(|(_, row)| row.iter().any(|(_, count)| *count > 0));
    let mut rows = coverage.matrix(management::registry());
    rows.extend(Some(coverage.matrix(analytics::registry())).filter(|rows| is_met(rows)).unwrap_or_default());
    rows
}

fn table(coverage: &Coverage, shows_all: bool) -> String {
    let rows = matrix(coverage);
    let width = rows.iter().map(|(id, _)| id.len()).max().unwrap_or_default();
    let (mut met, mut all) = (0, 0);
    let mut text = String::new();
    for (id, statuses) in &rows {
        let shown = statuses.iter().map(|(status, count)| {
            all += 1;
            met += usize::from(*count > 0);
            if *count > 0 { format!("{status} × {count}") } else { format!("{status} –") }
        });
        let shown = shown.collect::<Vec<_>>().join("  ");
        if shows_all || statuses.iter().any(|(_, count)| *count > 0) {
            writeln!(text, "{id:width$}  {shown}").expect("a string takes what is written");
        }
    }
    for Ignored { operation, name, count } in &coverage.ignored {
        writeln!(text, "{operation:width$}  without effect: {name} × {count}")
            .expect("a string takes what is written");
    }
    format!("{text}\n{met} of {all} outcomes of {} operations were met", rows.len())
}

fn page(coverage: &Coverage) -> String {
    let cell = |(status, count): &(u16, u64)| {
        let class = if *count > 0 { "met" } else { "hole" };
        format!("<td class={class} title=\"{count} calls\">{status}<small>{count}</small></td>")
    };
    let row = |(id, statuses): &Row| {
        let states: std::collections::BTreeSet<_> = coverage
            .reached
            .iter()
            .filter(|one| one.operation == *id)
            .flat_map(|one| [&*one.state, &*one.role])
            .filter(|text| !text.is_empty())
            .collect();
        let states = states.into_iter().collect::<Vec<_>>().join(", ");
        let cells: String = statuses.iter().map(cell).collect();
        format!("<tr><th scope=row>{id}<small>{states}</small></th>{cells}</tr>\n")
    };
    let rows: String = matrix(coverage).iter().map(row).collect();
    PAGE.replace("{rows}", &rows)
}

const PAGE: &str = "<!doctype html>
<html lang=en><meta charset=utf-8><title>Coverage</title>
<style>
  body { font: 15px/1.4 system-ui, sans-serif; margin: 2rem; color-scheme: light dark }
  th { text-align: left; font-weight: 500; padding-right: 1rem } small { display: block; opacity: .7 }
  td { padding: .2rem .6rem; border-radius: .3rem } .met { background: #1a7f3733 } .hole { background: #cf222e33 }
</style>
<h1>Coverage</h1>
<p>Each operation with the statuses that it can answer; below each, how often it was reached. Below an operation are the states
and roles in which it was called.</p>
<table>
{rows}</table>
</html>
";
