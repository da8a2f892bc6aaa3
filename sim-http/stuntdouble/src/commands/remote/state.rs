//! `stuntdouble state`: a world of a running server at a glance.

use std::fmt::Write as _;

use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};
use sim_client::World;
use sim_core::Due;
use sim_core::engine::near;
use sim_core::management::outcome::NextOutcome;
use sim_http::client::Core;
use sim_http::control::{ClockState, Services, WorldInfo};

use super::Reach;
use crate::Failure;

/// How many pieces of work the text lists.
const SHOWN: usize = 10;

/// Arguments of `state`.
#[derive(Args)]
#[command(after_help = "Example:
  stuntdouble state --world main")]
pub(crate) struct Arguments {
    #[command(flatten)]
    reach: Reach,
}

/// A world at a glance. Reading it adds nothing to the journal.
#[derive(Serialize)]
struct State {
    world: WorldInfo,
    clock: ClockState,
    projects: Vec<Map<String, Value>>,
    agenda: Vec<Due>,
    outcomes: Vec<NextOutcome>,
    faults: Vec<Map<String, Value>>,
}

pub(crate) fn run(Arguments { reach }: &Arguments) -> Result<(), Failure> {
    let world = reach.world()?;
    reach.show(&read(&world).map_err(|error| reach.failed(&error))?, text);
    Ok(())
}

fn read(world: &World<Core>) -> sim_client::Result<State> {
    let info = world.info()?;
    let clock = world.clock()?;
    let of_management = |sql: &str| match info.service {
        Services::Analytics => Ok(Vec::new()),
        _ => world.query_journal(sql),
    };
    let projects = of_management("select ref, name, status from project order by created_at, ref")?;
    let sql = "select work, project, outcome, after_ms, lasting, used, due_at, set_by_call from next_outcome";
    let rows = of_management(sql)?;
    let outcomes = rows.iter().filter_map(decided).filter(|one| one.is_pending(clock.now)).collect();
    Ok(State {
        clock,
        agenda: world.agenda()?,
        faults: world.query_journal("select id, rule, met, struck from fault order by id")?,
        projects,
        outcomes,
        world: info,
    })
}

fn text(State { world, clock, projects, agenda, outcomes, faults }: &State) -> String {
    let WorldInfo { name, url, calls, .. } = world;
    let runs = if clock.speed == 0.0 { "paused".to_owned() } else { format!("runs, speed {}", clock.speed) };
    let calls = near::counted(*calls, "call");
    let mut text = format!("world {name} at {url}, {calls}\nclock {}, {runs}\n", clock.now);
    let mut section = |title: &str, lines: Vec<String>| {
        let lines = if lines.is_empty() { "  none\n".to_owned() } else { lines.concat() };
        write!(text, "{title}\n{lines}").expect("a string takes it");
    };
    section("projects", projects.iter().map(project).collect());
    let more = agenda.len().saturating_sub(SHOWN);
    let mut work: Vec<String> = agenda.iter().take(SHOWN).map(due).collect();
    work.extend((more > 0).then(|| format!("  and {more} more\n")));
    section("scheduled", work);
    section(
        "decided outcomes",
        outcomes.iter().map(|one| format!("  {}\n", super::outcome::line(one))).collect(),
    );
    section("fault rules", faults.iter().map(fault).collect());
    text.trim_end().to_owned()
}

fn project(row: &Map<String, Value>) -> String {
    let field = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default();
    format!("  {}  {}  {}\n", field("ref"), field("status"), field("name"))
}

fn fault(row: &Map<String, Value>) -> String {
    let number = |name: &str| row.get(name).and_then(Value::as_u64).unwrap_or_default();
    let rule = row.get("rule").and_then(Value::as_str).unwrap_or_default();
    format!("  rule {}: matched {}, applied to {}: {rule}\n", number("id"), number("met"), number("struck"))
}

/// A decision from its row, in which 1 is true.
fn decided(row: &Map<String, Value>) -> Option<NextOutcome> {
    let mut fields = row.clone();
    fields.insert("lasting".to_owned(), (fields["lasting"] == 1).into());
    serde_json::from_value(fields.into()).ok()
}

/// What a piece of work will do: `finish pause → INACTIVE, `. Empty if it is no event of a lifecycle.
fn effect(Due { event, becomes, .. }: &Due) -> String {
    let Some(event) = event else { return String::new() };
    let mut words = String::new();
    for letter in event.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    let to = becomes.as_ref().map(|state| format!(" → {state}")).unwrap_or_default();
    format!("{words}{to}, ")
}

fn due(one: &Due) -> String {
    let Due { due, kind, subject, name, caused_by_call, .. } = one;
    let cause = if *caused_by_call == 0 { String::new() } else { format!(" (call {caused_by_call})") };
    let kind = kind.replace('_', " ");
    format!("  {due}  {}{kind} {}{cause}\n", effect(one), name.as_ref().unwrap_or(subject))
}
