//! `stuntdouble state`: a world of a running server at a glance.

use std::collections::HashMap;
use std::fmt::Write as _;

use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};
use sim_client::World;
use sim_core::Due;
use sim_core::engine::near;
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
    faults: Vec<Map<String, Value>>,
    /// What the lifecycles' events lead to.
    #[serde(skip)]
    becomes: HashMap<String, String>,
}

pub(crate) fn run(Arguments { reach }: &Arguments) -> Result<(), Failure> {
    let world = reach.world()?;
    reach.show(&read(&world).map_err(|error| reach.failed(&error))?, text);
    Ok(())
}

fn read(world: &World<Core>) -> sim_client::Result<State> {
    let info = world.info()?;
    let projects = match info.service {
        Services::Analytics => Vec::new(),
        _ => world.query_journal("select ref, name, status from project order by created_at, ref")?,
    };
    Ok(State {
        clock: world.clock()?,
        agenda: world.agenda()?,
        faults: world.query_journal("select id, rule, met, struck from fault order by id")?,
        becomes: becomes(&world.control("sim-list-lifecycles", &())?),
        projects,
        world: info,
    })
}

fn text(State { world, clock, projects, agenda, faults, becomes }: &State) -> String {
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
    let mut work: Vec<String> = agenda.iter().take(SHOWN).map(|one| due(one, becomes)).collect();
    work.extend((more > 0).then(|| format!("  and {more} more\n")));
    section("scheduled", work);
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

/// The state that each event of a lifecycle leads to.
fn becomes(lifecycles: &Value) -> HashMap<String, String> {
    let arrows =
        lifecycles.as_array().into_iter().flatten().filter_map(|one| one["arrows"].as_array()).flatten();
    arrows
        .filter_map(|arrow| Some((arrow["event"].as_str()?.to_owned(), arrow["to"].as_str()?.to_owned())))
        .collect()
}

/// What a piece of work will do: `finish pause → INACTIVE, `. Empty if it is no event of a lifecycle.
fn effect(task: &str, becomes: &HashMap<String, String>) -> String {
    let task: Value = serde_json::from_str(task).unwrap_or_default();
    let Some(event) = task["event"].as_str() else { return String::new() };
    let mut words = String::new();
    for letter in event.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    let to = becomes.get(event).map(|state| format!(" → {state}")).unwrap_or_default();
    format!("{words}{to}, ")
}

fn due(
    Due { due, kind, subject, name, task, caused_by_call, .. }: &Due,
    becomes: &HashMap<String, String>,
) -> String {
    let cause = if *caused_by_call == 0 { String::new() } else { format!(" (call {caused_by_call})") };
    let effect = effect(task, becomes);
    format!("  {due}  {effect}{kind} {}{cause}\n", name.as_ref().unwrap_or(subject))
}
