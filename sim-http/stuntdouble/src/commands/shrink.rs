//! `stuntdouble shrink FILE --failing CMD`: the least of a replay file by which something still fails.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::Args;
use sim_core::engine::ReplayError;
use sim_core::shrink::{self, Shrunk};
use sim_core::{Replay, Simulator};

use super::replay;
use super::serve::quoted;
use crate::options::Engine;
use crate::{Failure, replay_as_code, say};

/// What is shrunk.
#[derive(Args)]
pub(crate) struct Shrink {
    /// As downloaded from /_sim/replay
    file: PathBuf,
    /// Command for a shell that ends with other than 0 where the failure is; it finds a file to look at as $1, or where it
    /// says {}
    #[arg(long, value_name = "CMD")]
    failing: String,
    /// Where to write the file that is left
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// What keeps the projects' databases, as for serve
    #[arg(long, value_name = "ENGINE", env = "STUNTDOUBLE_ENGINE")]
    engine: Option<Engine>,
}

/// Shrinks, and prints what is left.
pub(crate) fn run(asked: &Shrink) -> Result<ExitCode, Failure> {
    let (whole, registry) = replay::read(&asked.file)?;
    let server = asked.engine.as_ref().map_or(Ok(None), Engine::server)?;
    let before = whole.calls.len();
    let trial = Trial::new(asked);
    let shrunk = shrink::shrink(whole, registry, server, |sim| trial.fails(sim));
    let shrunk = shrunk.map_err(|stopped| match stopped {
        Stopped::Replay(error) => replay::wrong(&asked.file, error),
        Stopped::Asking(failure) => failure,
    })?;
    let Some(Shrunk { replay: least, tries }) = shrunk else {
        let text = "--failing: ends with 0 for the whole file, so there is nothing to find";
        return Err(Failure(text.to_owned()));
    };
    if let Some(file) = &asked.out {
        write(file, &least)?;
    }
    say(&format!("{before} calls, {} of them needed; {tries} tries\n", least.calls.len()));
    say(&replay_as_code::rust(&least, registry));
    say(&replay_as_code::curl(&least));
    Ok(ExitCode::SUCCESS)
}

/// Why it ended early.
enum Stopped {
    Replay(ReplayError),
    Asking(Failure),
}

impl From<ReplayError> for Stopped {
    fn from(error: ReplayError) -> Stopped {
        Stopped::Replay(error)
    }
}

/// Asks the command.
struct Trial<'a> {
    asked: &'a Shrink,
    file: PathBuf,
}

impl Trial<'_> {
    fn new(asked: &Shrink) -> Trial<'_> {
        let name = format!("stuntdouble-{}-shrink.json", std::process::id());
        Trial { asked, file: std::env::temp_dir().join(name) }
    }

    fn fails(&self, sim: &Simulator) -> Result<bool, Stopped> {
        let told = sim.replay_file().ok_or_else(|| {
            Stopped::Asking(replay::wrong(&self.asked.file, "has more calls than its policy's journal keeps"))
        })?;
        write(&self.file, &told).and_then(|()| self.ask()).map_err(Stopped::Asking)
    }

    fn ask(&self) -> Result<bool, Failure> {
        let path = self.file.display().to_string();
        let text = self.asked.failing.replace("{}", &quoted(&path));
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &text, "sh", &path])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let ended =
            shell.status().map_err(|error| Failure(format!("--failing: sh can't be run, {error}")))?;
        Ok(!ended.success())
    }
}

impl Drop for Trial<'_> {
    fn drop(&mut self) {
        // Nothing is lost when it stays.
        let _ = std::fs::remove_file(&self.file);
    }
}

fn write(file: &Path, replay: &Replay) -> Result<(), Failure> {
    let text = serde_json::to_string(replay).expect("a replay file is plain data");
    std::fs::write(file, text)
        .map_err(|error| Failure(format!("{}: can't be written, {error}", file.display())))
}
