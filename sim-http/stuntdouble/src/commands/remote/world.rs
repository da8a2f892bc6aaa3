//! `stuntdouble world list`: the worlds of a running server. Also `stuntdouble reset`, which one of them needs.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use sim_client::NewWorld;
use sim_core::Timestamp;
use sim_core::engine::near;
use sim_http::control::WorldInfo;

use super::{Reach, Server};
use crate::{Failure, say};

/// Arguments of `world`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Print the worlds, with their calls
    List {
        #[command(flatten)]
        server: Server,
    },
    /// Create a world, and print its URL and token
    Create(Box<Create>),
    /// Delete a world
    Delete {
        /// Name of the world
        name: String,
        #[command(flatten)]
        server: Server,
    },
}

/// A new world.
#[derive(Args)]
#[command(after_help = "Examples:
  stuntdouble world create                                   with a new name, and the settings of main
  stuntdouble world create paused --scenario paused-project  from a scenario
  stuntdouble world create team --seed-file team.toml        from a file")]
struct Create {
    /// Its name [default: a new one]
    name: Option<String>,
    /// Start from a scenario; `stuntdouble scenario` lists them
    #[arg(long, value_name = "NAME", conflicts_with = "seed_file")]
    scenario: Option<String>,
    /// Start from a seed file, TOML or JSON
    #[arg(long, value_name = "FILE")]
    seed_file: Option<PathBuf>,
    /// Seed of all random values [default: 0, or that of the file]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Time of its clock at the start, as in 2026-01-01T00:00:00Z
    #[arg(long, value_name = "TIMESTAMP")]
    start: Option<Timestamp>,
    /// Simulated seconds per real second; 0 is a paused clock
    #[arg(long, value_name = "FACTOR")]
    speed: Option<f64>,
    #[command(flatten)]
    server: Server,
}

pub(crate) fn run(Arguments { action }: &Arguments) -> Result<(), Failure> {
    match action {
        Action::List { server } => list(server),
        Action::Create(create) => create.run(),
        Action::Delete { name, server } => {
            let deleted: Result<Value, _> =
                server.client()?.control("sim-delete-world", &json!({ "name": name }));
            deleted.map_err(|error| server.failed(&error))?;
            say(&format!("world {name} is deleted"));
            Ok(())
        }
    }
}

fn list(server: &Server) -> Result<(), Failure> {
    let worlds: Result<Vec<WorldInfo>, _> = server.client()?.control("sim-list-worlds", &());
    let line = |WorldInfo { name, url, now, calls, .. }: &WorldInfo| {
        format!("{name}  {url}  {now}, {}", near::counted(*calls, "call"))
    };
    server.show(&worlds.map_err(|error| server.failed(&error))?, |worlds| {
        worlds.iter().map(line).collect::<Vec<_>>().join("\n")
    });
    Ok(())
}

impl Create {
    fn run(&self) -> Result<(), Failure> {
        let Create { name, scenario, seed, start, speed, server, .. } = self;
        let wanted = NewWorld {
            name: name.clone(),
            scenario: scenario.clone(),
            seed_file: self.seed_text()?,
            seed: *seed,
            start: *start,
            speed: *speed,
            ..NewWorld::default()
        };
        let made: Result<WorldInfo, _> = server.client()?.control("sim-create-world", &wanted);
        server.show(&made.map_err(|error| server.failed(&error))?, told);
        Ok(())
    }

    /// The text of the seed file.
    fn seed_text(&self) -> Result<Option<Value>, Failure> {
        let Some(file) = &self.seed_file else { return Ok(None) };
        let text = std::fs::read_to_string(file)
            .map_err(|error| Failure(format!("--seed-file {}: can't be read, {error}", file.display())))?;
        Ok(Some(text.into()))
    }
}

/// A world, and how to reach it.
pub(super) fn told(WorldInfo { name, url, now, token, .. }: &WorldInfo) -> String {
    let token = token.as_ref().map(|token| format!("\n  Token  {token}")).unwrap_or_default();
    format!("world {name}\n  URL    {url}{token}\n  Clock  {now}")
}

/// Arguments of `reset`.
#[derive(Args)]
#[command(after_help = "Example:
  stuntdouble reset --world main         state, clock and journal as at the start")]
pub(crate) struct Reset {
    #[command(flatten)]
    reach: Reach,
}

pub(crate) fn reset(Reset { reach }: &Reset) -> Result<(), Failure> {
    let done = reach.world()?.reset().map_err(|error| reach.failed(&error))?;
    reach.show(&done, |WorldInfo { name, now, .. }| format!("world {name} is reset\nnow {now}"));
    Ok(())
}
