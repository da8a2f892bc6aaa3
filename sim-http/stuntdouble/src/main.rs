//! The `stuntdouble` program: a simulator of the management API on the command line.

#![forbid(unsafe_code)]

mod commands;
mod files;
mod help;
mod options;
mod progress;
mod replay_as_code;
mod running;
mod tested_command;
mod usage;

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use clap_complete::Shell;
use sim_core::Edition;

use self::commands::remote::Remote;
use self::commands::sweep::Sweep;
use self::commands::{
    analytics, coverage, doctor, documents, exec, lens, plans, profile, replay, scenario, serve, shell,
    shrink, sweep, tools,
};
use self::options::{Engine, Options};

/// Keeps related memory close together, which makes calls in large worlds faster: see docs/speed.md.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How long the last lines of a log may take to be written.
const FLUSH_TIME: Duration = Duration::from_millis(200);

/// A simulator of the project-management API for clients in any language
#[derive(Parser)]
#[command(name = "stuntdouble", version = env!("STUNTDOUBLE_VERSION"), max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve until Ctrl-C; prints URL, token and a first curl command
    #[command(after_help = help::SERVE)]
    Serve(Options),
    /// The analytics server
    #[command(subcommand)]
    Analytics(Analytics),
    /// Run a command beside a server; exits with its exit code
    ///
    /// The environment of the command has STUNTDOUBLE_URL and STUNTDOUBLE_TOKEN, with --tls STUNTDOUBLE_CA, with
    /// --pooler-port STUNTDOUBLE_POOLER, and with --analytics STUNTDOUBLE_ANALYTICS_TOKEN.
    #[command(after_help = help::EXEC)]
    Exec {
        #[command(flatten)]
        options: Options,
        /// Write a settings file for a command-line client: name, addresses and hosts, as YAML
        #[arg(long, value_name = "FILE")]
        cli_profile: Option<PathBuf>,
        /// The command and its arguments, after --
        #[arg(last = true, required = true, value_name = "COMMAND")]
        command: Vec<OsString>,
    },
    /// Inject every fault into every call of a command, one in each run, and report bad results
    ///
    /// Exits with 1 if a run is bad.
    #[command(after_help = help::SWEEP)]
    Sweep(Sweep),
    /// Report how much of the rate limit a command uses, and whether it waits when it is told to
    ///
    /// Shows also how long the command takes under the limit, alone and beside others. Exits with 1 if it does not wait.
    #[command(after_help = help::LENS)]
    Lens(lens::Arguments),
    /// Print the OpenAPI document
    Openapi(documents::Document),
    /// Print a template of a profile, or check one
    Profile(profile::Arguments),
    /// Print a table of all operations, or the same as JSON
    Routes {
        /// Print a JSON list
        #[arg(long)]
        json: bool,
        /// Only the operations of this edition: 2025-05 or 2026-11
        #[arg(long, value_name = "EDITION")]
        edition: Option<Edition>,
    },
    /// Print a short guide, the same as /llms.txt of a server
    Guide {
        /// URL of the server in the examples
        #[arg(long, value_name = "URL", env = "STUNTDOUBLE_URL", default_value = "http://127.0.0.1:8787")]
        url: String,
    },
    /// Serve tools for a model by the Model Context Protocol over standard input and output
    ///
    /// Starts a server of its own on a free port, for the client under test.
    #[command(after_help = help::TOOLS)]
    Tools(Options),
    #[command(flatten)]
    Remote(Remote),
    /// Print a table of the scenarios, or one of them as a seed file
    Scenario {
        /// Name of the scenario, such as paused-project
        name: Option<String>,
    },
    /// Print the JSON Schema of seed files
    SeedSchema,
    /// Print random call sequences with the expected answers, for tests of clients in any language
    ///
    /// Each line of the output is a sequence as JSON: calls, their expected answers, and the time between them.
    Plans(plans::Arguments),
    /// Check that this machine can run a server with these settings
    Doctor(Options),
    /// Add up the coverage of several runs, and show the gaps
    Coverage(coverage::Arguments),
    /// Replay a file call by call; prints the first difference and exits with 1 if there is one
    #[command(after_help = help::REPLAY)]
    Replay {
        /// The file, downloaded from /_sim/replay
        file: PathBuf,
        /// The engine of project databases, as for serve
        #[arg(long, value_name = "ENGINE", env = "STUNTDOUBLE_ENGINE")]
        engine: Option<Engine>,
    },
    /// Minimise a failing replay file; prints the rest as a Rust test and as a curl script
    ///
    /// Removes all calls, faults and pauses that the failure does not need.
    Shrink(shrink::Shrink),
    /// Print the completions for a shell, to be put where it looks for them
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page of the program
    Man {
        /// Write a page for the program and one for each of its commands to this folder instead
        #[arg(long, value_name = "FOLDER")]
        folder: Option<PathBuf>,
    },
}

/// Commands of the analytics server.
#[derive(Subcommand)]
enum Analytics {
    /// Serve it for one tenant until Ctrl-C, configured by the environment variables of a self-hosted server
    Serve(Options),
}

/// The message of a command that failed. It names the flag and a correct value.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl From<String> for Failure {
    fn from(text: String) -> Failure {
        Failure(text)
    }
}

/// The program's commands and options.
fn program() -> clap::Command {
    usage::settled(help::grouped(Cli::command()))
}

fn main() -> ExitCode {
    let program = program();
    let matches = program.clone().try_get_matches().unwrap_or_else(|error| usage::exit(&program, &error));
    let Cli { command } = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    usage::warn_of_variables(&program);
    let done = match command {
        Command::Serve(options) => serve::run(options),
        Command::Analytics(Analytics::Serve(options)) => analytics::run(options),
        Command::Exec { options, cli_profile, command } => {
            exec::run(options, cli_profile.as_deref(), &command)
        }
        Command::Sweep(arguments) => sweep::run(arguments),
        Command::Lens(arguments) => lens::run(arguments),
        Command::Openapi(wanted) => documents::openapi(&wanted),
        Command::Profile(arguments) => profile::run(&arguments),
        Command::Routes { json, edition } => documents::routes(json, edition),
        Command::Guide { url } => documents::guide(&url),
        Command::Tools(options) => tools::run(options),
        Command::Remote(command) => command.run(),
        Command::Scenario { name } => scenario::run(name.as_deref()),
        Command::SeedSchema => scenario::schema(),
        Command::Plans(arguments) => plans::run(arguments),
        Command::Doctor(options) => doctor::run(options),
        Command::Coverage(arguments) => coverage::run(&arguments),
        Command::Shrink(arguments) => shrink::run(&arguments),
        Command::Replay { file, engine } => replay::run(&file, engine.as_ref()),
        Command::Completions { shell } => shell::completions(shell),
        Command::Man { folder } => shell::man(folder),
    };
    // Nobody may be reading the log of a server.
    sim_http::flush_stderr(FLUSH_TIME);
    done.unwrap_or_else(|Failure(text)| {
        eprintln!("error: {text}");
        usage::note(&program, &text).iter().for_each(|note| eprintln!("{note}"));
        ExitCode::from(2)
    })
}

/// Prints a line to standard output, which a reader such as `head` may have closed.
fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}
