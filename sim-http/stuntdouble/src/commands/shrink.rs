//! `stuntdouble shrink FILE --failing CMD`: minimises a failing replay file.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::Args;
use sim_core::engine::{ReplayError, near};
use sim_core::shrink::{self, Shrunk};
use sim_core::{Replay, Simulator};

use super::replay;
use super::serve::quoted;
use crate::options::Engine;
use crate::progress::Progress;
use crate::{Failure, replay_as_code, say};

/// Arguments of `shrink`.
#[derive(Args)]
pub(crate) struct Shrink {
    /// The file, downloaded from /_sim/replay
    file: PathBuf,
    /// Shell command that exits with other than 0 when the failure occurs; it gets the name of a replay file as $1, and in the
    /// place of {}
    #[arg(long, value_name = "CMD")]
    failing: String,
    /// File to write the minimised replay to; each shorter one that still fails is written at once
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The engine of project databases, as for serve
    #[arg(long, value_name = "ENGINE", env = "STUNTDOUBLE_ENGINE")]
    engine: Option<Engine>,
}

/// Minimises the file and prints the result.
pub(crate) fn run(arguments: &Shrink) -> Result<ExitCode, Failure> {
    let (whole, registry) = replay::read(&arguments.file)?;
    let server = arguments.engine.as_ref().map_or(Ok(None), |engine| engine.server(&whole.profile))?;
    let before = whole.calls.len();
    let cut = whole.cut_calls().len();
    if cut > 0 {
        eprintln!("{} left out: the journal did not keep their bodies", near::counted(cut as u64, "call"));
    }
    if let Some(file) = &arguments.out {
        check_out(file)?;
    }
    let mut trial = Trial::new(arguments);
    let shrunk = shrink::shrink(whole, registry, server, |sim| trial.fails(sim));
    let shrunk = shrunk.map_err(|stopped| match stopped {
        Stopped::Replay(error) => replay::wrong(&arguments.file, error),
        Stopped::Command(failure) => failure,
    })?;
    drop(trial);
    let Some(Shrunk { replay: least, tries }) = shrunk else {
        let text = "--failing: exits with 0 for the whole file, so there is no failure to minimise";
        return Err(Failure(text.to_owned()));
    };
    if least.calls.is_empty() && least.end == least.start {
        let text = "--failing: fails without any call, too; so it does not test these calls";
        return Err(Failure(text.to_owned()));
    }
    if let Some(file) = &arguments.out {
        write("--out ", file, &least)?;
    }
    let (all, tries) = (near::counted(before as u64, "call"), near::counted(tries as u64, "run"));
    say(&format!("{all}, {} of them needed; {tries} of the command\n", least.calls.len()));
    say(&replay_as_code::rust(&least, registry));
    say(&replay_as_code::curl(&least));
    Ok(ExitCode::SUCCESS)
}

/// The reason for stopping early.
enum Stopped {
    Replay(ReplayError),
    Command(Failure),
}

impl From<ReplayError> for Stopped {
    fn from(error: ReplayError) -> Stopped {
        Stopped::Replay(error)
    }
}

/// Runs the command on candidates.
struct Trial<'a> {
    arguments: &'a Shrink,
    file: PathBuf,
    progress: Progress,
    /// The number of calls of the shortest failing candidate.
    least: Option<usize>,
}

impl Trial<'_> {
    fn new(arguments: &Shrink) -> Trial<'_> {
        let name = format!("stuntdouble-{}-shrink.json", std::process::id());
        let file = std::env::temp_dir().join(name);
        Trial { arguments, file, progress: Progress::open(), least: None }
    }

    fn fails(&mut self, sim: &Simulator) -> Result<bool, Stopped> {
        let candidate = sim.replay_file().ok_or_else(|| {
            Stopped::Command(replay::wrong(
                &self.arguments.file,
                "has more calls than its policy's journal keeps",
            ))
        })?;
        self.try_out(&candidate).map_err(Stopped::Command)
    }

    /// Runs the command on a candidate. A shorter one that fails is written to `--out`, which has it even if the search
    /// is interrupted.
    fn try_out(&mut self, candidate: &Replay) -> Result<bool, Failure> {
        write("", &self.file, candidate)?;
        let fails = self.run()?;
        let calls = candidate.calls.len();
        if fails && self.least.is_none_or(|least| calls < least) {
            self.least = Some(calls);
            self.arguments.out.as_ref().map_or(Ok(()), |file| write("--out ", file, candidate))?;
        }
        let shortest = self.least.map(|calls| format!("{} left", near::counted(calls as u64, "call")));
        self.progress.step(&shortest.unwrap_or_default());
        Ok(fails)
    }

    fn run(&self) -> Result<bool, Failure> {
        let path = self.file.display().to_string();
        let text = self.arguments.failing.replace("{}", &quoted(&path));
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &text, "sh", &path])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let ended =
            shell.status().map_err(|error| Failure(format!("--failing: sh can't be run, {error}")))?;
        // The shell's codes for a command that does not exist, or can't be run.
        match ended.code() {
            Some(code @ (126 | 127)) if self.least.is_none() => Err(Failure(format!(
                "--failing: exits with {code} for the whole file: the command can't be run"
            ))),
            _ => Ok(!ended.success()),
        }
    }
}

impl Drop for Trial<'_> {
    fn drop(&mut self) {
        // A temporary file may stay.
        let _ = std::fs::remove_file(&self.file);
    }
}

/// Finds out before the search whether its result can be written.
fn check_out(file: &Path) -> Result<(), Failure> {
    let existed = file.exists();
    let opened = std::fs::OpenOptions::new().append(true).create(true).open(file);
    opened.map_err(|error| Failure(format!("--out {}: can't be written, {error}", file.display())))?;
    if !existed {
        // It is written once there is a result; an empty file may stay.
        let _ = std::fs::remove_file(file);
    }
    Ok(())
}

fn write(flag: &str, file: &Path, replay: &Replay) -> Result<(), Failure> {
    let text = serde_json::to_string(replay).expect("a replay file is plain data");
    std::fs::write(file, text)
        .map_err(|error| Failure(format!("{flag}{}: can't be written, {error}", file.display())))
}
