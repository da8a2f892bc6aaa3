//! `stuntdouble replay FILE`: whether a world can be lived again.

use std::path::Path;
use std::process::ExitCode;

use sim_core::engine::ReplayError;
use sim_core::{Replay, analytics, management};

use super::engine::Engine;
use super::{Failure, say};

/// The version of the files that this program reads.
const VERSION: u32 = 1;

/// Lives `file` again; exit code 1 at a divergence.
pub(crate) fn run(file: &Path, engine: Option<&Engine>) -> Result<ExitCode, Failure> {
    let wrong = |why: String| Failure(format!("FILE {}: {why}", file.display()));
    let text = std::fs::read(file).map_err(|error| wrong(format!("can't be read, {error}")))?;
    let replay: Replay = serde_json::from_slice(&text)
        .map_err(|error| wrong(format!("is no replay file as downloaded from /_sim/replay, {error}")))?;
    if replay.version != VERSION {
        return Err(wrong(format!("has version {}, this program reads version {VERSION}", replay.version)));
    }
    let registry = match replay.service == analytics::SERVICE.title {
        true => analytics::registry(),
        false => management::registry(),
    };
    let server = engine.map_or(Ok(None), Engine::server)?;
    match replay.run_on(registry, server) {
        Ok(sim) => {
            say(&format!("the same: {} calls, hash {}", sim.calls(), sim.journal_hash()));
            Ok(ExitCode::SUCCESS)
        }
        Err(error @ ReplayError::World(_)) => Err(wrong(error.to_string())),
        Err(ReplayError::Divergence(divergence)) => {
            say(&divergence.to_string());
            Ok(ExitCode::FAILURE)
        }
    }
}
