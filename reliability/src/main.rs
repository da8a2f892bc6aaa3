//! `sim-reliability`: the runs behind the figures of docs/reliability.md.

#![forbid(unsafe_code)]

use std::net::SocketAddr;
use std::panic;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};
use sim_reliability::crash::{Crash, Promise};
use sim_reliability::events::Events;
use sim_reliability::load::{Load, Soak};
use sim_reliability::model::Model;
use sim_reliability::serving::{Serving, binary};

/// Connections that the server accepts at most, by default.
const LIMIT: usize = 1000;

/// Tries to show that the simulator is unreliable. The runs with a server need its binary next to this one:
/// build it with `cargo build -p stuntdouble`.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    run: Run,
}

#[derive(Subcommand)]
enum Run {
    /// Kill the server at random moments under load, and compare the worlds after each restart with the
    /// answered calls
    Crash {
        /// The number of kills
        #[arg(long, default_value_t = 500)]
        kills: usize,
        /// The server's --durability
        #[arg(long, value_enum, default_value = "process")]
        durability: Promise,
        /// The seed of the calls and of the moments of the kills
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// A directory for this alone; its content is removed
        #[arg(long, value_name = "DIR", default_value = "target/crash")]
        dir: PathBuf,
    },
    /// Call the server by many connections, with misbehaving clients among them
    Load {
        /// Connections that call all the time
        #[arg(long, default_value_t = 64)]
        connections: usize,
        /// How long
        #[arg(long, default_value_t = 10.0)]
        minutes: f64,
        /// The number of worlds
        #[arg(long, default_value_t = 32)]
        worlds: usize,
        /// The seed of the calls
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Also let clients race over further worlds, and compare what they see with the journal: each world
        /// must be linearizable
        #[arg(long)]
        races: bool,
    },
    /// Apply the same load twice, the second time with hostile SQL in one more world, which may slow down the other worlds a little
    Soak {
        /// Connections that call all the time
        #[arg(long, default_value_t = 64)]
        connections: usize,
        /// How long in all
        #[arg(long, default_value_t = 30.0)]
        minutes: f64,
        /// The number of worlds, the one with hostile SQL apart
        #[arg(long, default_value_t = 31)]
        worlds: usize,
        /// The seed of the calls
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// How many times as long 99 of 100 calls may take beside hostile SQL; more where other programs run too
        #[arg(long, default_value_t = 2.0)]
        ratio: f64,
    },
    /// Send events with queries beside to a source that holds some of them; then kill servers while they take events
    Events {
        /// How many events
        #[arg(long, default_value_t = 1_000_000)]
        events: usize,
        /// How many the source holds
        #[arg(long, default_value_t = 100_000)]
        bound: usize,
        /// The number of kills
        #[arg(long, default_value_t = 20)]
        kills: usize,
        /// The seed of the moments of the kills
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// A directory for this alone; its content is removed
        #[arg(long, value_name = "DIR", default_value = "target/events")]
        dir: PathBuf,
    },
    /// Make random calls, with injected faults, and compare each with the reference model
    Model {
        /// How many calls
        #[arg(long, default_value_t = 10_000_000)]
        calls: usize,
        /// The first seed
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Seeds that run at the same time; by default one per core
        #[arg(long)]
        jobs: Option<usize>,
    },
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().run {
        Run::Crash { kills, durability, seed, dir } => crash(kills, durability, seed, &dir),
        Run::Load { connections, minutes, worlds, seed, races } => {
            load(connections, minutes, worlds, seed, races)
        }
        Run::Soak { connections, minutes, worlds, seed, ratio } => {
            soak(connections, minutes, worlds, seed, ratio)
        }
        Run::Events { events, bound, kills, seed, dir } => {
            events_beside_queries(events, bound, kills, seed, &dir)
        }
        Run::Model { calls, seed, jobs } => model(calls, seed, jobs),
    };
    match outcome {
        Ok(figures) => {
            println!("{figures}");
            ExitCode::SUCCESS
        }
        Err((wrong, again)) => {
            eprintln!("{wrong}\nagain: cargo run -p sim-reliability -- {again}");
            ExitCode::FAILURE
        }
    }
}

/// What is wrong, and the arguments that repeat it.
type Failure = (String, String);

fn crash(kills: usize, durability: Promise, seed: u64, dir: &Path) -> Result<String, Failure> {
    let run = || Crash { binary: &binary()?, dir, kills, durability, seed }.run();
    let level = durability.as_str();
    let again = || format!("crash --kills {kills} --durability {level} --seed {seed}");
    run().map(|figures| figures.to_string()).map_err(|wrong| (wrong, again()))
}

fn load(connections: usize, minutes: f64, worlds: usize, seed: u64, races: bool) -> Result<String, Failure> {
    let outcome = on_server(|addr, pid| {
        let time = Duration::from_secs_f64(minutes * 60.0);
        let load = Load { addr, pid, connections, limit: LIMIT, worlds, time, seed, races, hostile: 0 };
        load.run().map(|figures| figures.to_string())
    });
    let races = if races { " --races" } else { "" };
    let again = || {
        format!("load --connections {connections} --minutes {minutes} --worlds {worlds} --seed {seed}{races}")
    };
    outcome.map_err(|wrong| (wrong, again()))
}

fn soak(connections: usize, minutes: f64, worlds: usize, seed: u64, ratio: f64) -> Result<String, Failure> {
    let outcome = on_server(|addr, pid| {
        let time = Duration::from_secs_f64(minutes * 60.0);
        let load =
            Load { addr, pid, connections, limit: LIMIT, worlds, time, seed, races: false, hostile: 0 };
        let figures = Soak { load }.run()?;
        if figures.ratio() > ratio {
            Err(format!("it takes too long:\n{figures}"))
        } else {
            Ok(figures.to_string())
        }
    });
    let again = || {
        format!(
            "soak --connections {connections} --minutes {minutes} --worlds {worlds} --seed {seed} --ratio {ratio}"
        )
    };
    outcome.map_err(|wrong| (wrong, again()))
}

fn events_beside_queries(
    events: usize,
    bound: usize,
    kills: usize,
    seed: u64,
    dir: &Path,
) -> Result<String, Failure> {
    let run = || Events { binary: &binary()?, dir, events, bound, kills, seed }.run();
    let again = || format!("events --events {events} --bound {bound} --kills {kills} --seed {seed}");
    run().map(|figures| figures.to_string()).map_err(|wrong| (wrong, again()))
}

/// Runs against a server, which must not panic.
fn on_server(run: impl FnOnce(SocketAddr, Option<u32>) -> Result<String, String>) -> Result<String, String> {
    let serving = Serving::start(&binary()?, &[])?;
    let outcome = run(serving.addr, Some(serving.pid()));
    let words = serving.last_words();
    if words.contains("panicked") { Err(format!("it has panicked: {words}")) } else { outcome }
}

fn model(calls: usize, seed: u64, jobs: Option<usize>) -> Result<String, Failure> {
    let jobs = jobs.or_else(|| std::thread::available_parallelism().ok().map(usize::from)).unwrap_or(1);
    // Shortening a history panics at each attempt; only the panic of the shortest one is printed, at the end.
    panic::set_hook(Box::new(|_| {}));
    let outcome = Model { calls, seed, jobs }.run();
    outcome.map(|figures| figures.to_string()).map_err(|failure| {
        (failure.reason, format!("model --calls {} --seed {} --jobs 1", failure.calls, failure.seed))
    })
}
