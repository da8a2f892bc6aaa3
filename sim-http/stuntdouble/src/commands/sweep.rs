//! `stuntdouble sweep -- COMMAND`: a client run again and again, each time with one of its calls harmed.

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
use sim_core::sweep::{self, Ending, Judge, Outage, Point, Report, USUAL, Verdict, count_calls, points};
use tokio::task::LocalSet;

use super::serve::{Stop, quoted, signals};
use crate::options::Options;
use crate::progress::Progress;
use crate::tested_command::{Client, Said};
use crate::{Failure, say};

/// Effects that no default has.
const UNUSUAL: [&str; 2] = ["twice", "slow"];

/// What is swept, and what counts as bad.
#[derive(Args)]
pub(crate) struct Sweep {
    #[command(flatten)]
    options: Options,
    /// Seconds after which a run counts as hung; late answers come after twice as long
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    timeout: f64,
    /// Runs at a time [default: the processors of this machine]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Exit codes by which the client may give up [default: none; 1 where the outage lasts for the rest of the run]
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    allow_exit: Vec<i32>,
    /// What is done to calls: names of effects or statuses, or all [default: all but twice and slow]
    #[arg(long, value_name = "EFFECT", value_delimiter = ',')]
    effects: Vec<String>,
    /// How long what is done to a call goes on: for so many calls (3), for so many seconds of the world's clock (10s), or for
    /// the rest of the run
    #[arg(long, value_name = "LENGTH", default_value = "1")]
    outage: Outage,
    /// Where to write all runs as JSON
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// The command and its arguments, after --
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Sweeps; exit code 1 when something is bad.
pub(crate) fn run(asked: Sweep) -> Result<ExitCode, Failure> {
    let effects = effects(&asked.effects, asked.timeout)?;
    let client = Client::new(asked.options, asked.command, asked.timeout)?;
    let jobs = asked.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let beginning = client.options.simulator()?;
    let shown = shown(&client.command);
    let allowed = match asked.outage {
        Outage::Rest if asked.allow_exit.is_empty() => vec![1],
        _ => asked.allow_exit,
    };
    let sweep = Sweeping::start(client, beginning, &allowed, &effects, asked.outage);
    let report = or_interrupted(async { sweep.await?.finish(jobs.max(1)).await })?;
    if let Some(file) = &asked.report {
        write_report(file, &report)?;
    }
    say(&report.to_string());
    if report.is_clean() {
        return Ok(ExitCode::SUCCESS);
    }
    say("\nTo see one again, with the same options:");
    for Verdict { point, .. } in report.bad() {
        let rule = rule_of(point, report.runs.iter().any(|run| run.point.service != point.service));
        say(&format!("  stuntdouble exec --faults {} -- {shown}", quoted(&rule)));
    }
    Ok(ExitCode::FAILURE)
}

fn effects(names: &[String], timeout_s: f64) -> Result<Vec<Effect>, Failure> {
    let wait_ms = (timeout_s * 2000.0).clamp(1.0, 3_600_000.0) as u64;
    let asked: Vec<&str> = match names {
        [] => USUAL.to_vec(),
        [all] if all == "all" => USUAL.into_iter().chain(UNUSUAL).collect(),
        some => some.iter().map(String::as_str).collect(),
    };
    let known = |name: &str| match sweep::effect(name) {
        Some(Effect::Latency { .. }) => Ok(Effect::Latency { ms: wait_ms }),
        Some(Effect::Slow { .. }) => Ok(Effect::Slow { ms: wait_ms }),
        Some(effect) => Ok(effect),
        None => Err(Failure(format!(
            "--effects {name:?}: must be all, a status from 400 to 599, or one of {}",
            [&USUAL[2..], &UNUSUAL].concat().join(", ")
        ))),
    };
    asked.into_iter().map(known).collect()
}

/// Runs `work` to its end, unless Ctrl-C or SIGTERM comes before; then the clients are ended too.
pub(crate) fn or_interrupted<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let clients = LocalSet::new();
    signals()?.block_on(async {
        let mut stop = Stop::new()?;
        tokio::select! {
            done = clients.run_until(work) => done,
            () = stop.comes() => Err(Failure("interrupted".to_owned())),
        }
    })
}

/// The good run is over.
struct Sweeping {
    client: Client,
    beginning: Simulator,
    judge: Judge,
    calls: u32,
    points: VecDeque<(usize, Point)>,
}

impl Sweeping {
    async fn start(
        client: Client,
        beginning: Simulator,
        allowed: &[i32],
        effects: &[Effect],
        outage: Outage,
    ) -> Result<Sweeping, Failure> {
        let good = good_run(&client, &beginning).await?;
        let judge = Judge::new(&beginning, &good, Ending::Exit(0), allowed);
        let (again, ending) = client.run(beginning.fork(), Said::Dropped).await?;
        if let Some(trouble) = judge.judge(&again, ending).first() {
            return Err(Failure(format!(
                "COMMAND: does not do the same a second time, so nothing can be compared; {trouble}"
            )));
        }
        let calls = count_calls(&beginning, &good);
        let points = points(&beginning, &good, effects, outage).into_iter().enumerate().collect();
        Ok(Sweeping { client, beginning, judge, calls, points })
    }

    /// Makes the other runs, so many at a time.
    async fn finish(mut self, jobs: usize) -> Result<Report, Failure> {
        let calls = self.calls;
        let points = std::mem::take(&mut self.points);
        let progress = Progress::of(points.len());
        let all = Rc::new((self, RefCell::new(Runs { points, progress, done: Vec::new() })));
        let workers: Vec<_> = (0..jobs)
            .map(|_| {
                let all = Rc::clone(&all);
                tokio::task::spawn_local(async move { all.0.work(&all.1).await })
            })
            .collect();
        for worker in workers {
            worker.await.map_err(|error| Failure(format!("a run broke off, {error}")))??;
        }
        let mut runs = std::mem::take(&mut all.1.borrow_mut().done);
        // They end in any order.
        runs.sort_by_key(|(place, _)| *place);
        let runs = runs.into_iter().map(|(_, verdict)| verdict).collect();
        Ok(Report { good: Ending::Exit(0), calls, runs })
    }

    /// One run after the other, as long as there are any.
    async fn work(&self, runs: &RefCell<Runs>) -> Result<(), Failure> {
        loop {
            let Some((place, point)) = runs.borrow_mut().points.pop_front() else { return Ok(()) };
            let verdict = self.try_out(point).await?;
            runs.borrow_mut().end(place, verdict);
        }
    }

    async fn try_out(&self, point: Point) -> Result<Verdict, Failure> {
        let world = point.harmed(&self.beginning).map_err(|error| error.message)?;
        let (world, ending) = self.client.run(world, Said::Dropped).await?;
        Ok(Verdict { troubles: self.judge.judge(&world, ending), ending, point })
    }
}

/// The runs to make, and those that are made, each with its place in the report.
struct Runs {
    points: VecDeque<(usize, Point)>,
    progress: Progress,
    done: Vec<(usize, Verdict)>,
}

impl Runs {
    fn end(&mut self, place: usize, verdict: Verdict) {
        self.done.push((place, verdict));
        let bad = self.done.iter().filter(|(_, run)| !run.troubles.is_empty()).count();
        self.progress.step(&format!("{bad} bad"));
    }
}

/// The world after a run in which nothing was wrong.
pub(crate) async fn good_run(client: &Client, beginning: &Simulator) -> Result<Simulator, Failure> {
    let (world, ending) = client.run(beginning.fork(), Said::Shown).await?;
    let why = match ending {
        Ending::Exit(0) if count_calls(beginning, &world) == 0 => {
            "made no calls; it has to read STUNTDOUBLE_URL and STUNTDOUBLE_TOKEN".to_owned()
        }
        Ending::Exit(0) if world.dropped().calls > beginning.calls() => format!(
            "made {} calls, and the journal has dropped the first {} of them; raise journal_calls in the policy",
            world.calls() - beginning.calls(),
            world.dropped().calls - beginning.calls(),
        ),
        Ending::Exit(0) => return Ok(world),
        Ending::Exit(code) => format!("ended with {code} where nothing was wrong"),
        Ending::Killed => "was ended by a signal where nothing was wrong".to_owned(),
        Ending::Hung => {
            "did not end in time where nothing was wrong; see --timeout, --speed and --pace".to_owned()
        }
    };
    Err(Failure(format!("COMMAND: {why}")))
}

/// A rule as `--faults` reads it; in a world of two services with that of the point.
fn rule_of(point: &Point, is_one_of_two: bool) -> String {
    let mut rule = serde_json::to_value(&point.fault).expect("a rule is plain data");
    if is_one_of_two {
        rule["service"] = point.service.clone().into();
    }
    rule.to_string()
}

/// A command as a shell reads it.
fn shown(command: &[OsString]) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=:".contains(&byte);
    let word = |word: &OsString| match word.to_string_lossy() {
        text if !text.is_empty() && text.bytes().all(plain) => text.into_owned(),
        text => quoted(&text),
    };
    command.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Writes what was found as JSON.
pub(crate) fn write_report(file: &Path, report: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(report).expect("a report is plain data");
    std::fs::write(file, text)
        .map_err(|error| Failure(format!("--report {}: can't be written, {error}", file.display())))
}
