//! The `stuntdouble` binary: a simulator of the management API to point clients at.

#![forbid(unsafe_code)]

mod commands;
mod options;
mod progress;
mod replay_as_code;
mod running;
mod tested_command;

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use self::commands::sweep::Sweep;
use self::commands::{
    analytics, coverage, doctor, documents, exec, lens, plans, replay, scenario, serve, shrink, sweep,
};
use self::options::{Engine, Options};

/// What belongs together lies together, however large worlds are: see docs/speed.md.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A simulator of the project-management API that clients in any language can be pointed at.
#[derive(Parser)]
#[command(name = "stuntdouble", version, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve until Ctrl-C; prints URL, token and a curl line to begin with
    Serve(Options),
    /// The analytics server
    #[command(subcommand)]
    Analytics(Analytics),
    /// Serve while a command runs that finds STUNTDOUBLE_URL and STUNTDOUBLE_TOKEN (STUNTDOUBLE_CA too with --tls, and
    /// STUNTDOUBLE_ANALYTICS_TOKEN with --analytics) in its environment; ends with its exit code, or 128 + signal
    Exec {
        #[command(flatten)]
        options: Options,
        /// The command and its arguments, after --
        #[arg(last = true, required = true, value_name = "COMMAND")]
        command: Vec<OsString>,
    },
    /// Run a command again and again, each time with one of its calls harmed in one way, and tell what it leaves behind;
    /// exit code 1 if something is bad
    Sweep(Sweep),
    /// Tell what a command asks of the rate limit, how long it takes under it, alone and with others, and whether it waits
    /// when it is told to; exit code 1 if it does not
    Lens(lens::Asked),
    /// Print the OpenAPI document
    Openapi {
        /// That of the control API under /_sim
        #[arg(long)]
        control: bool,
        /// TOML file of names, as for serve
        #[arg(long, value_name = "FILE", env = "STUNTDOUBLE_PROFILE")]
        profile: Option<PathBuf>,
    },
    /// Print a table of all operations
    Routes,
    /// Print a table of the worlds that --scenario knows, or one of them as a seed file to begin with
    Scenario {
        /// As in paused-project
        name: Option<String>,
    },
    /// Print the JSON Schema of seed files
    SeedSchema,
    /// Print histories by chance, one a line as JSON: calls, what must come of each, and time in between; for tests of clients
    /// in any language
    Plans(plans::Asked),
    /// Check that this machine can run a simulator with these settings
    Doctor(Options),
    /// Add up what the calls of several runs have reached, and show what none has
    Coverage(coverage::Asked),
    /// Live a replay file again; prints where it goes another way and exits with 1 if it does
    Replay {
        /// As downloaded from /_sim/replay
        file: PathBuf,
        /// What kept the projects' databases, as for serve
        #[arg(long, value_name = "ENGINE", env = "STUNTDOUBLE_ENGINE")]
        engine: Option<Engine>,
    },
    /// Take from a replay file all calls, faults and pauses that a failure does not need; prints what is left as a Rust test and
    /// as a curl script
    Shrink(shrink::Shrink),
}

/// What there is to do with the analytics server.
#[derive(Subcommand)]
enum Analytics {
    /// Serve it for one tenant until Ctrl-C, configured by the environment of a self-hosted server
    Serve(Options),
}

/// Why a command failed: what people read, naming the flag and what would be right.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl From<String> for Failure {
    fn from(text: String) -> Failure {
        Failure(text)
    }
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Serve(options) => serve::run(options),
        Command::Analytics(Analytics::Serve(options)) => analytics::run(options),
        Command::Exec { options, command } => exec::run(options, &command),
        Command::Sweep(asked) => sweep::run(asked),
        Command::Lens(asked) => lens::run(asked),
        Command::Openapi { control, profile } => documents::openapi(control, profile.as_deref()),
        Command::Routes => documents::routes(),
        Command::Scenario { name } => scenario::run(name.as_deref()),
        Command::SeedSchema => scenario::schema(),
        Command::Plans(asked) => plans::run(asked),
        Command::Doctor(options) => doctor::run(options),
        Command::Coverage(asked) => coverage::run(&asked),
        Command::Shrink(asked) => shrink::run(&asked),
        Command::Replay { file, engine } => replay::run(&file, engine.as_ref()),
    };
    done.unwrap_or_else(|Failure(text)| {
        eprintln!("error: {text}");
        ExitCode::from(2)
    })
}

/// Prints a line to standard output. A reader that has seen enough, such as `head`, may have closed it.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}
