//! `stuntdouble replay FILE`: replays the calls of a world and compares the answers.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use sim_core::engine::{Divergence, Registry, ReplayError, near};
use sim_core::{Replay, Simulator, analytics, management};

use super::sweep::{interrupted, or_interrupted};
use crate::options::Engine;
use crate::progress::Progress;
use crate::{Failure, files, say};

/// Replays `file`; exit code 1 at a divergence, 130 if it is interrupted.
pub(crate) fn run(file: &Path, engine: Option<&Engine>) -> Result<ExitCode, Failure> {
    let so_far = Cell::default();
    match or_interrupted(repeat(file, engine, &so_far))? {
        Some(Ok(sim)) => {
            let calls = near::counted(sim.calls(), "call");
            say(&format!("the same: {calls}, hash {}", sim.journal_hash()));
            Ok(ExitCode::SUCCESS)
        }
        Some(Err(divergence)) => {
            say(&divergence.to_string());
            Ok(ExitCode::FAILURE)
        }
        None => {
            let SoFar { same, all } = so_far.get();
            if all > 0 {
                say(&format!("the same so far: {same} of {all} calls"));
            }
            Ok(interrupted())
        }
    }
}

/// How far a replay has come: the calls that did not diverge, and all.
#[derive(Clone, Copy, Default)]
struct SoFar {
    same: usize,
    all: usize,
}

/// Makes all calls. Each ends before the replay is interrupted.
async fn repeat(
    file: &Path,
    engine: Option<&Engine>,
    so_far: &Cell<SoFar>,
) -> Result<Result<Simulator, Divergence>, Failure> {
    let (replay, registry) = read_aside(file.to_owned()).await?;
    let server = engine.map_or(Ok(None), |engine| engine.server(&replay.profile))?;
    let all = replay.calls.len();
    let mut progress = Progress::of(all);
    let mut replaying = replay.start_on(registry, server).map_err(|error| wrong(file, error))?;
    loop {
        so_far.set(SoFar { same: replaying.done(), all });
        tokio::task::yield_now().await;
        match replaying.step() {
            Ok(true) => progress.step(""),
            Ok(false) => return Ok(Ok(replaying.finish())),
            Err(ReplayError::Divergence(divergence)) => return Ok(Err(divergence)),
            Err(error) => return Err(wrong(file, error)),
        }
    }
}

/// Reads a replay file on a thread of its own, which ends with the process: reading a pipe has no end of itself.
async fn read_aside(file: PathBuf) -> Result<(Replay, &'static Registry), Failure> {
    let (done, result) = tokio::sync::oneshot::channel();
    // Nobody waits for it any more when the command is interrupted.
    std::thread::spawn(move || drop(done.send(read(&file))));
    result.await.expect("reading ends with a result")
}

/// Reads a replay file. Returns it with the registry of its service.
pub(crate) fn read(file: &Path) -> Result<(Replay, &'static Registry), Failure> {
    let text = files::written(file).map_err(|why| wrong(file, why))?;
    let replay: Replay = serde_json::from_slice(&text).map_err(|error| {
        let why = near::explained(&error.to_string());
        wrong(file, format!("can't be read as a replay file from /_sim/replay: {why}"))
    })?;
    let registry = match replay.service == analytics::SERVICE.title {
        true => analytics::registry(),
        false => management::registry(),
    };
    Ok((replay, registry))
}

/// The failure of a command that cannot use this file.
pub(crate) fn wrong(file: &Path, why: impl std::fmt::Display) -> Failure {
    Failure(format!("FILE {}: {why}", file.display()))
}
