//! Commands that drive a running server: they call its control API and print the answer.

mod advance;
mod diff;
mod explain;
mod fault;
mod fork;
mod journal;
mod length;
mod outcome;
mod query;
mod snapshot;
mod state;
mod world;

use std::ops::Deref;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde::Serialize;
use sim_client::{Client, Error, World};
use sim_http::client::Core;

use crate::{Failure, files, say};

/// The commands for a running server. They need no token: the control API takes calls from its own machine.
#[derive(Subcommand)]
pub(crate) enum Remote {
    /// Advance the clock of a running server, and print what happened
    Advance(advance::Arguments),
    /// Explain the answer to a call: each check, its result, and the earlier calls that caused it
    Explain(explain::Arguments),
    /// Add, list or remove fault rules of a running server
    Fault(fault::Arguments),
    /// Set how the next work of a kind ends, such as the next restore; or print what is set
    Outcome(outcome::Arguments),
    /// Print the latest calls of a running server; with --follow also those to come
    Journal(journal::Arguments),
    /// Copy a world of a running server, and print the URL of the copy
    Fork(fork::Arguments),
    /// Print what is different between two worlds of a running server: rows, and answers of the API
    Diff(diff::Arguments),
    /// Print the clock, the projects, the scheduled work, the decided outcomes and the fault rules of a running server
    State(state::Arguments),
    /// Print rows of a running server: calls, events, resources
    Query(query::Arguments),
    /// List, create or delete worlds of a running server
    World(world::Arguments),
    /// Take a snapshot of a world of a running server; or print the snapshots
    Snapshot(snapshot::Arguments),
    /// Restore a world of a running server from a snapshot
    Restore(snapshot::Restore),
    /// Reset a world of a running server: state, clock and journal as at its start
    Reset(world::Reset),
}

impl Remote {
    pub(crate) fn run(self) -> Result<ExitCode, Failure> {
        match self {
            Remote::Advance(arguments) => advance::run(&arguments),
            Remote::Explain(arguments) => explain::run(&arguments),
            Remote::Fault(arguments) => fault::run(&arguments),
            Remote::Outcome(arguments) => outcome::run(&arguments),
            Remote::Journal(arguments) => journal::run(&arguments),
            Remote::Fork(arguments) => fork::run(&arguments),
            Remote::Diff(arguments) => diff::run(&arguments),
            Remote::State(arguments) => state::run(&arguments),
            Remote::Query(arguments) => query::run(&arguments),
            Remote::World(arguments) => world::run(&arguments),
            Remote::Snapshot(arguments) => snapshot::run(&arguments),
            Remote::Restore(arguments) => snapshot::restore(&arguments),
            Remote::Reset(arguments) => world::reset(&arguments),
        }?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Which server.
#[derive(Args, Clone, Debug)]
pub(crate) struct Server {
    /// URL of the server, or of one of its worlds, as in http://127.0.0.1:8787/w/NAME
    #[arg(
        long,
        value_name = "URL",
        env = "STUNTDOUBLE_URL",
        default_value = "http://127.0.0.1:8787",
        help_heading = "Server"
    )]
    url: String,

    /// File with the certificate of the server's authority, for a server that speaks TLS
    #[arg(long, value_name = "FILE", env = "STUNTDOUBLE_CA", help_heading = "Server")]
    ca: Option<PathBuf>,

    /// Print the answer of the server as JSON
    #[arg(long)]
    json: bool,
}

/// Which world of which server.
#[derive(Args, Clone, Debug)]
pub(crate) struct Reach {
    #[command(flatten)]
    server: Server,

    /// World to use [default: the one in the URL, else main]
    #[arg(long, value_name = "NAME", env = "STUNTDOUBLE_WORLD", help_heading = "Server")]
    world: Option<String>,
}

impl Deref for Reach {
    type Target = Server;

    fn deref(&self) -> &Server {
        &self.server
    }
}

impl Reach {
    /// The world, if the server is there and has it.
    fn world(&self) -> Result<World<Core>, Failure> {
        let (base, _) = self.address()?;
        let world = self.client_at(base)?.world(self.name()).map_err(|error| self.failed(&error))?;
        Ok(world.typed())
    }

    /// The name of the world.
    fn name(&self) -> &str {
        let named = self.address().ok().and_then(|(_, named)| named);
        self.world.as_deref().or(named).unwrap_or("main")
    }
}

impl Server {
    fn client(&self) -> Result<Client, Failure> {
        self.client_at(self.address()?.0)
    }

    /// The URL of the server, and the world that it names.
    fn address(&self) -> Result<(&str, Option<&str>), Failure> {
        let url = self.url.trim_end_matches('/');
        let (base, named) = url.rsplit_once("/w/").map_or((url, None), |(base, name)| (base, Some(name)));
        if is_server(base) && named.is_none_or(|name| !name.contains('/')) {
            return Ok((base, named));
        }
        let question = near_url(url).map(|url| format!("; did you mean {url}?")).unwrap_or_default();
        Err(Failure(format!(
            "--url {url}: must be the URL of a server, as in http://127.0.0.1:8787, or of one of its worlds, as in \
             http://127.0.0.1:8787/w/NAME{question}"
        )))
    }

    fn client_at(&self, url: &str) -> Result<Client, Failure> {
        let Some(file) = &self.ca else { return Ok(Client::at(url)) };
        let wrong = |why: String| Failure(format!("--ca {}: {why}", file.display()));
        let pem = files::settings(file).map_err(wrong)?;
        Client::trusting(url, &pem).map_err(|error| wrong(error.message))
    }

    fn failed(&self, error: &Error) -> Failure {
        match &*error.reason {
            "no_answer" => Failure(format!(
                "--url {}: no server answers, {}; {}",
                self.url,
                error.message,
                match self.url.starts_with("https://") && self.ca.is_none() {
                    true => "--ca names the file that `stuntdouble serve --ca-out FILE` has written",
                    false => "start one with `stuntdouble serve`",
                }
            )),
            "unreadable_answer" => {
                Failure(format!("--url {}: is no stuntdouble, {}", self.url, error.message))
            }
            _ => Failure(with_commands(&error.message)),
        }
    }

    /// Prints an answer: as JSON, or as `text` shows it.
    fn show<T: Serialize>(&self, answer: &T, text: impl FnOnce(&T) -> String) {
        say(&match self.json {
            true => serde_json::to_string_pretty(answer).expect("an answer is plain data"),
            false => text(answer),
        });
    }
}

/// What messages of the control API advise, and the command for it.
const COMMANDS: [(&str, &str); 4] = [
    (
        "POST /_sim/worlds makes one, GET lists them",
        "`stuntdouble world create` makes one, `stuntdouble world list` lists them",
    ),
    ("GET /_sim/snapshots lists", "`stuntdouble snapshot` lists"),
    ("GET /_sim/outcomes lists", "`stuntdouble outcome` lists"),
    ("GET /_sim/faults lists", "`stuntdouble fault list` lists"),
];

/// A message of the control API, for people who use commands.
fn with_commands(message: &str) -> String {
    let text = COMMANDS.iter().fold(message.to_owned(), |text, (call, command)| text.replace(call, command));
    match text
        .split_once("DELETE /_sim/worlds/")
        .and_then(|(before, rest)| Some((before, rest.strip_suffix(" first")?)))
    {
        Some((before, name)) => format!("{before}`stuntdouble world delete {name}` first"),
        None => text,
    }
}

/// Whether a URL is that of a server: scheme, host and port, and no path.
pub(crate) fn is_server(url: &str) -> bool {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"));
    rest.is_some_and(|authority| !authority.is_empty() && !authority.contains(['/', '?', '#', '@', ' ']))
}

/// The URL of a server that `url` was meant to be: without its path, or with a scheme.
fn near_url(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://").unwrap_or(("http", url));
    let authority = rest.split('/').next().unwrap_or_default();
    let near = format!("{scheme}://{authority}");
    is_server(&near).then_some(near)
}
