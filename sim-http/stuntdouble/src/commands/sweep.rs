//! `stuntdouble sweep -- COMMAND`: runs a client many times and injects one fault into one of its calls each time.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

use clap::Args;
use sim_core::Simulator;
use sim_core::engine::fault::Effect;
use sim_core::engine::near;
use sim_core::sweep::{self, Ending, Judge, Outage, Point, Report, USUAL, Verdict, count_calls, points};
use tokio::task::LocalSet;

use super::exec;
use super::serve::{Stop, quoted, signals};
use crate::options::Options;
use crate::progress::Progress;
use crate::tested_command::{Output, TestedCommand};
use crate::{Failure, say};

/// Effects that are not in the default.
const UNUSUAL: [&str; 2] = ["twice", "slow"];

/// The options that `exec` does not have; each takes a value.
const OWN_OPTIONS: [&str; 6] = ["--timeout", "--jobs", "--allow-exit", "--effects", "--outage", "--report"];

/// Arguments of `sweep`.
#[derive(Args)]
pub(crate) struct Sweep {
    #[command(flatten)]
    options: Options,
    /// Seconds after which a run counts as hung; late answers take twice as long
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    timeout: f64,
    /// Number of runs at a time [default: the processors of this machine]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Exit codes with which the client may give up [default: none; 1 if the outage lasts for the rest of the run]
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    allow_exit: Vec<i32>,
    /// Faults to inject: names of effects or statuses, or all [default: all but twice and slow]
    #[arg(long, value_name = "EFFECT", value_delimiter = ',')]
    effects: Vec<String>,
    /// How long a fault lasts: a number of calls (3), of seconds on the world's clock (10s), or the rest of the run
    #[arg(long, value_name = "LENGTH", default_value = "1")]
    outage: Outage,
    /// File to write all runs to, as JSON
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// The command and its arguments, after --
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Runs the sweep; exit code 1 when a run is bad.
pub(crate) fn run(arguments: Sweep) -> Result<ExitCode, Failure> {
    let effects = effects(&arguments.effects, arguments.timeout)?;
    let client = TestedCommand::new(arguments.options, arguments.command, arguments.timeout)?;
    if let Some(code) = exec::refuse_missing(&client.command) {
        return Ok(code);
    }
    let jobs = arguments.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let beginning = client.options.simulator()?;
    let shown = shown(&client.command);
    let allowed = match arguments.outage {
        Outage::Rest if arguments.allow_exit.is_empty() => vec![1],
        _ => arguments.allow_exit,
    };
    let sweep = Sweeping::start(client, beginning, &allowed, &effects, arguments.outage);
    let runs = Rc::new(RefCell::new(Runs::default()));
    let end = or_interrupted(async { sweep.await?.finish(jobs.max(1), &runs).await })?;
    let Runs { total, calls, done, .. } = runs.take();
    if end.is_none() && done.is_empty() {
        return Ok(interrupted());
    }
    let report = report(calls, done);
    if let Some(file) = &arguments.report {
        write_report(file, &report)?;
    }
    say(&report.to_string());
    if !report.is_clean() {
        say_how_to_repeat(&report, &shown);
    }
    Ok(match end {
        None => {
            eprintln!("error: interrupted after {} of {total} runs", report.runs.len());
            ExitCode::from(INTERRUPTED)
        }
        Some(()) if report.is_clean() => ExitCode::SUCCESS,
        Some(()) => ExitCode::FAILURE,
    })
}

/// The report of the finished runs.
fn report(calls: u32, mut done: Vec<(usize, Verdict)>) -> Report {
    // Runs end in any order.
    done.sort_by_key(|(place, _)| *place);
    let runs = done.into_iter().map(|(_, verdict)| verdict).collect();
    Report { good: Ending::Exit(0), calls, runs }
}

fn say_how_to_repeat(report: &Report, shown: &str) {
    say("\nTo repeat one of these runs:");
    let options = options_of_exec(std::env::args_os().skip(2));
    for Verdict { point, .. } in report.bad() {
        let rule = rule_of(point, report.runs.iter().any(|run| run.point.service != point.service));
        say(&format!("  stuntdouble exec {options}--faults {} -- {shown}", quoted(&rule)));
    }
}

fn effects(names: &[String], timeout_s: f64) -> Result<Vec<Effect>, Failure> {
    let wait_ms = (timeout_s * 2000.0).clamp(1.0, 3_600_000.0) as u64;
    let wanted: Vec<&str> = match names {
        [] => USUAL.to_vec(),
        [all] if all == "all" => USUAL.into_iter().chain(UNUSUAL).collect(),
        some => some.iter().map(String::as_str).collect(),
    };
    let known = |name: &str| match sweep::effect(name) {
        Some(Effect::Latency { .. }) => Ok(Effect::Latency { ms: wait_ms }),
        Some(Effect::Slow { .. }) => Ok(Effect::Slow { ms: wait_ms }),
        Some(effect) => Ok(effect),
        None => {
            let names = [&USUAL[2..], &UNUSUAL].concat();
            let question = near::question(name, names.iter().copied());
            Err(Failure(format!(
                "--effects {name:?}: must be all, a status from 400 to 599, or one of {}{question}",
                names.join(", ")
            )))
        }
    };
    wanted.into_iter().map(known).collect()
}

/// Runs `work` to its end. Ctrl-C and SIGTERM interrupt it and end its clients; then there is no result.
pub(crate) fn or_interrupted<T>(
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<Option<T>, Failure> {
    let clients = LocalSet::new();
    signals()?.block_on(async {
        let mut stop = Stop::new()?;
        tokio::select! {
            done = clients.run_until(work) => done.map(Some),
            () = stop.comes() => Ok(None),
        }
    })
}

/// The exit code of interrupted work, as in shells.
const INTERRUPTED: u8 = 130;

/// Says that the work was interrupted, and returns its exit code.
pub(crate) fn interrupted() -> ExitCode {
    eprintln!("error: interrupted");
    ExitCode::from(INTERRUPTED)
}

/// A sweep after its good run.
struct Sweeping {
    client: TestedCommand,
    beginning: Simulator,
    judge: Judge,
    calls: u32,
    points: VecDeque<(usize, Point)>,
}

impl Sweeping {
    async fn start(
        client: TestedCommand,
        beginning: Simulator,
        allowed: &[i32],
        effects: &[Effect],
        outage: Outage,
    ) -> Result<Sweeping, Failure> {
        let good = good_run(&client, &beginning).await?;
        let judge = Judge::new(&beginning, &good, Ending::Exit(0), allowed);
        let (again, ending) = client.run(beginning.fork(), Output::Hidden).await?;
        if let Some(trouble) = judge.judge(&again, ending).first() {
            return Err(Failure(format!(
                "COMMAND: does not do the same in a second run, so nothing can be compared; {trouble}"
            )));
        }
        let calls = count_calls(&beginning, &good);
        let points = points(&beginning, &good, effects, outage).into_iter().enumerate().collect();
        Ok(Sweeping { client, beginning, judge, calls, points })
    }

    /// Makes the other runs, `jobs` at a time. `runs` has the finished ones, also after an interruption.
    async fn finish(mut self, jobs: usize, runs: &Rc<RefCell<Runs>>) -> Result<(), Failure> {
        let points = std::mem::take(&mut self.points);
        let (total, progress) = (points.len(), Some(Progress::of(points.len())));
        *runs.borrow_mut() = Runs { points, total, calls: self.calls, progress, done: Vec::new() };
        let sweep = Rc::new(self);
        let workers: Vec<_> = (0..jobs)
            .map(|_| {
                let (sweep, runs) = (Rc::clone(&sweep), Rc::clone(runs));
                tokio::task::spawn_local(async move { sweep.work(&runs).await })
            })
            .collect();
        for worker in workers {
            worker.await.map_err(|error| Failure(format!("a run was aborted, {error}")))??;
        }
        Ok(())
    }

    /// Makes one run after the other until none is left.
    async fn work(&self, runs: &RefCell<Runs>) -> Result<(), Failure> {
        loop {
            let Some((place, point)) = runs.borrow_mut().points.pop_front() else { return Ok(()) };
            let verdict = self.try_out(point).await?;
            runs.borrow_mut().end(place, verdict);
        }
    }

    async fn try_out(&self, point: Point) -> Result<Verdict, Failure> {
        let world = point.harmed(&self.beginning).map_err(|error| error.message)?;
        let (world, ending) = self.client.run(world, Output::Hidden).await?;
        Ok(Verdict { troubles: self.judge.judge(&world, ending), ending, point })
    }
}

/// The runs to make, and the finished ones, each with its place in the report.
#[derive(Default)]
struct Runs {
    points: VecDeque<(usize, Point)>,
    total: usize,
    /// Calls of the run without faults.
    calls: u32,
    progress: Option<Progress>,
    done: Vec<(usize, Verdict)>,
}

impl Runs {
    fn end(&mut self, place: usize, verdict: Verdict) {
        self.done.push((place, verdict));
        let bad = self.done.iter().filter(|(_, run)| !run.troubles.is_empty()).count();
        self.progress.iter_mut().for_each(|bar| bar.step(&format!("{bad} bad")));
    }
}

/// The world after a run without faults.
pub(crate) async fn good_run(client: &TestedCommand, beginning: &Simulator) -> Result<Simulator, Failure> {
    let (world, ending) = client.run(beginning.fork(), Output::Shown).await?;
    let why = match ending {
        Ending::Exit(0) if count_calls(beginning, &world) == 0 => {
            "made no calls; it has to read STUNTDOUBLE_URL and STUNTDOUBLE_TOKEN".to_owned()
        }
        Ending::Exit(0) if world.dropped().calls > beginning.calls() => format!(
            "made {} calls, and the journal has dropped the first {} of them; raise journal_calls or journal_bytes in the policy",
            world.calls() - beginning.calls(),
            world.dropped().calls - beginning.calls(),
        ),
        Ending::Exit(0) => return Ok(world),
        Ending::Exit(code) => format!(
            "{} exited with {code} in a run without faults; see it alone with: stuntdouble exec -- {}",
            shown(&client.command[..1]),
            shown(&client.command)
        ),
        Ending::Killed => "was ended by a signal in a run without faults".to_owned(),
        Ending::Hung => {
            "did not end in time in a run without faults; see --timeout, --speed and --pace".to_owned()
        }
    };
    Err(Failure(format!("COMMAND: {why}")))
}

/// A rule as `--faults` reads it, with its service in a world of two.
fn rule_of(point: &Point, is_one_of_two: bool) -> String {
    let mut rule = serde_json::to_value(&point.fault).expect("a rule is plain data");
    if is_one_of_two {
        rule["service"] = point.service.clone().into();
    }
    rule.to_string()
}

/// The options in the arguments of a sweep that `exec` has as well, quoted for a shell, with a blank at the end.
fn options_of_exec(arguments: impl Iterator<Item = OsString>) -> String {
    let mut given = arguments.take_while(|word| word != "--");
    let mut kept = Vec::new();
    while let Some(word) = given.next() {
        let name = word.to_string_lossy().split('=').next().unwrap_or_default().to_owned();
        if !OWN_OPTIONS.contains(&&*name) {
            kept.push(word);
        } else if word == *name {
            // Its value is the next word.
            given.next();
        }
    }
    if kept.is_empty() { String::new() } else { format!("{} ", shown(&kept)) }
}

/// A command, quoted for a shell.
fn shown(command: &[OsString]) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=:".contains(&byte);
    let word = |word: &OsString| match word.to_string_lossy() {
        text if !text.is_empty() && text.bytes().all(plain) => text.into_owned(),
        text => quoted(&text),
    };
    command.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Writes a report as JSON.
pub(crate) fn write_report(file: &Path, report: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(report).expect("a report is plain data");
    std::fs::write(file, text)
        .map_err(|error| Failure(format!("--report {}: can't be written, {error}", file.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_command_has_the_options_of_the_sweep_that_exec_knows() {
        let options = |line: &str| options_of_exec(line.split(' ').map(OsString::from));
        assert_eq!(
            options("--pace instant --timeout 2 --effects=503 --seed=7 -- x --jobs 2"),
            "--pace instant --seed=7 "
        );
        assert_eq!(options("-- x"), "");
    }
}
