//! `stuntdouble replay FILE`: replays the calls of a world and compares the answers.

use std::path::Path;
use std::process::ExitCode;

use sim_core::engine::{Registry, ReplayError};
use sim_core::{Replay, analytics, management};

use crate::options::Engine;
use crate::{Failure, say};

/// Replays `file`; exit code 1 at a divergence.
pub(crate) fn run(file: &Path, engine: Option<&Engine>) -> Result<ExitCode, Failure> {
    let (replay, registry) = read(file)?;
    let server = engine.map_or(Ok(None), Engine::server)?;
    match replay.run_on(registry, server) {
        Ok(sim) => {
            say(&format!("the same: {} calls, hash {}", sim.calls(), sim.journal_hash()));
            Ok(ExitCode::SUCCESS)
        }
        Err(error @ (ReplayError::World(_) | ReplayError::Cut(_))) => Err(wrong(file, error)),
        Err(ReplayError::Divergence(divergence)) => {
            say(&divergence.to_string());
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Reads a replay file. Returns it with the registry of its service.
pub(crate) fn read(file: &Path) -> Result<(Replay, &'static Registry), Failure> {
    let text = std::fs::read(file).map_err(|error| wrong(file, format!("can't be read, {error}")))?;
    let replay: Replay = serde_json::from_slice(&text)
        .map_err(|error| wrong(file, format!("can't be read as a replay file from /_sim/replay: {error}")))?;
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
