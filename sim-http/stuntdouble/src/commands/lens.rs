//! `stuntdouble lens -- COMMAND`: how much of the rate limit a client uses, and how it reacts to a refusal.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use clap::builder::RangedU64ValueParser;
use serde::Serialize;
use sim_core::engine::fault::{Effect, Fault, On};
use sim_core::engine::near;
use sim_core::lens::{Lens, Reaction, reaction};
use sim_core::sweep::{Ending, calls_of_client};
use sim_core::{RateLimit, Simulator};

use super::exec;
use super::sweep::{good_run, interrupted, or_interrupted, write_report};
use crate::options::Options;
use crate::tested_command::{Output, TestedCommand, with_fault};
use crate::{Failure, say};

/// How long the client is told to wait.
const WAIT_S: u64 = 2;
/// A limit under which only the fault rule blocks a caller.
const NEVER: RateLimit = RateLimit::of(u32::MAX, 1);

/// Arguments of `lens`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Numbers of runs that start together and share a user, as in 4,25; 1 to 1000 each. One run alone is always shown
    #[arg(long, value_name = "N", default_value = "4", value_delimiter = ',', value_parser = RangedU64ValueParser::<u32>::new().range(1..=1000))]
    runners: Vec<u32>,
    /// Seconds that a run may take
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0)]
    timeout: f64,
    /// File to write the report to, as JSON
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// The command and its arguments, after --
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// The result.
#[derive(Serialize)]
struct LensReport {
    #[serde(flatten)]
    lens: Lens,
    /// Absent if the second run was interrupted.
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<Refusal>,
}

/// How the client reacted to a refusal.
#[derive(Serialize)]
struct Refusal {
    /// The call that was refused, from 1.
    call: u32,
    retry_after_s: u64,
    reaction: Reaction,
    ending: Ending,
}

/// Runs the client twice; exit code 1 when it does not wait as it is told to.
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode, Failure> {
    let mut client = TestedCommand::new(arguments.options, arguments.command, arguments.timeout)?;
    if let Some(code) = exec::refuse_missing(&client.command) {
        return Ok(code);
    }
    let wanted = client.options.policy()?.rate_limit;
    let limit = if wanted.enabled { wanted } else { RateLimit::default() };
    client.options.rate_limit = Some(RateLimit::off());
    let unlimited = client.options.simulator()?;
    client.options.rate_limit = Some(NEVER);
    let limited = client.options.simulator()?;

    let mut runners = arguments.runners;
    if !runners.contains(&1) {
        runners.insert(0, 1);
    }
    let mut known = None;
    let refusal = or_interrupted(async {
        let good = good_run(&client, &unlimited).await?;
        let lens = Lens::of(&good.journal_from(unlimited.calls() + 1, u64::MAX), &limit, &runners);
        let calls = lens.calls;
        known = Some(lens);
        refuse(&client, &limited, calls).await
    })?;
    let Some(lens) = known else { return Ok(interrupted()) };
    let report = LensReport { lens, refusal };
    if let Some(file) = &arguments.report {
        write_report(file, &report)?;
    }
    say(&report.lens.to_string());
    let Some(refusal) = report.refusal else { return Ok(interrupted()) };
    say(&format!("\n{refusal}"));
    Ok(if refusal.is_good() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs the client with a refusal in the middle of its calls.
async fn refuse(client: &TestedCommand, world: &Simulator, calls: usize) -> Result<Refusal, Failure> {
    let call = u32::try_from(calls.div_ceil(2)).unwrap_or(u32::MAX);
    let rule = Fault::new(On::path("*"), Effect::RateLimit { seconds: WAIT_S }).from_nth(call);
    let world = with_fault(world, &rule)?;
    let (after, ending) = client.run(world, Output::Hidden).await?;
    let journal = after.journal();
    let reaction = reaction(&journal).ok_or_else(|| {
        let made = calls_of_client(&journal).count();
        let first = near::counted(calls as u64, "call");
        Failure(format!("COMMAND: made {first} at first and {made} the second time"))
    })?;
    Ok(Refusal { call, retry_after_s: WAIT_S, reaction, ending })
}

impl Refusal {
    fn is_good(&self) -> bool {
        self.reaction == Reaction::Waits && self.ending == Ending::Exit(0)
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Refusal { call, retry_after_s, reaction, ending } = self;
        let ended = match ending {
            Ending::Exit(code) => format!("ends with {code}"),
            Ending::Killed => "is ended by a signal".to_owned(),
            Ending::Hung => "does not end".to_owned(),
        };
        write!(f, "Told at call {call} to wait for {retry_after_s} s, {reaction} and {ended}.")
    }
}
