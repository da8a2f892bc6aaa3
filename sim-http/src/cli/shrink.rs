//! `stuntdouble shrink FILE --failing CMD`: the least of a replay file by which something still fails.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

use clap::Args;
use serde_json::Value;
use sim_core::Replay;
use sim_core::engine::{DatabaseServer, Registry, ReplayCall};

use super::engine::Engine;
use super::serve::quoted;
use super::{Failure, replay, retold, say};

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
    let mut trial = Trial::new(asked, registry, server);
    let before = whole.calls.len();
    if !trial.fails(&whole)? {
        return Err(Failure(
            "--failing: ends with 0 for the whole file, so there is nothing to find".to_owned(),
        ));
    }
    let fewer = without_calls(whole, &mut trial)?;
    let fewer = without_rules(fewer, &mut trial)?;
    let fewer = without_pauses(fewer, &mut trial)?;
    let least = trial.relive(&fewer)?;
    if let Some(file) = &asked.out {
        write(file, &least)?;
    }
    say(&format!("{before} calls, {} of them needed; {} tries\n", least.calls.len(), trial.tries));
    say(&retold::rust(&least, registry));
    say(&retold::curl(&least));
    Ok(ExitCode::SUCCESS)
}

/// Asks the command.
struct Trial<'a> {
    asked: &'a Shrink,
    registry: &'static Registry,
    server: Option<Arc<dyn DatabaseServer>>,
    file: PathBuf,
    tries: usize,
}

impl Trial<'_> {
    fn new<'a>(
        asked: &'a Shrink,
        registry: &'static Registry,
        server: Option<Arc<dyn DatabaseServer>>,
    ) -> Trial<'a> {
        let name = format!("stuntdouble-{}-shrink.json", std::process::id());
        Trial { asked, registry, server, file: std::env::temp_dir().join(name), tries: 0 }
    }

    /// What comes of these calls now.
    fn relive(&self, replay: &Replay) -> Result<Replay, Failure> {
        let lived = replay.relive_on(self.registry, self.server.clone());
        let sim = lived.map_err(|error| replay::wrong(&self.asked.file, error))?;
        let told = sim.replay_file();
        told.ok_or_else(|| replay::wrong(&self.asked.file, "has more calls than its policy's journal keeps"))
    }

    fn fails(&mut self, replay: &Replay) -> Result<bool, Failure> {
        self.tries += 1;
        write(&self.file, &self.relive(replay)?)?;
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

fn without_calls(replay: Replay, trial: &mut Trial<'_>) -> Result<Replay, Failure> {
    let with = |calls: &[ReplayCall]| Replay { calls: calls.to_vec(), ..replay.clone() };
    let calls = least(replay.calls.clone(), &mut |calls| trial.fails(&with(calls)))?;
    Ok(with(&calls))
}

/// Takes rules out of the lists of them.
fn without_rules(mut replay: Replay, trial: &mut Trial<'_>) -> Result<Replay, Failure> {
    for index in 0..replay.calls.len() {
        let call = &replay.calls[index];
        let body = call.body.as_deref().and_then(|body| serde_json::from_str(body).ok());
        let (Some(Value::Array(rules)), "/_sim/faults") = (body, call.target.as_str()) else { continue };
        let with = |rules: &[Value]| {
            let mut replay = replay.clone();
            replay.calls[index].body = Some(Value::Array(rules.to_vec()).to_string());
            replay
        };
        let rules = least(rules, &mut |rules| trial.fails(&with(rules)))?;
        replay = with(&rules);
    }
    Ok(replay)
}

/// Lets each call follow the one before at once, where that makes no difference.
fn without_pauses(mut replay: Replay, trial: &mut Trial<'_>) -> Result<Replay, Failure> {
    for index in 0..=replay.calls.len() {
        let mut sooner = replay.clone();
        let before = index.checked_sub(1).map_or(replay.start, |before| replay.calls[before].at);
        let at = replay.calls.get(index).map_or(replay.end, |call| call.at);
        let pause = at.duration_since(before);
        if pause.is_zero() {
            continue;
        }
        sooner.calls[index..].iter_mut().for_each(|call| call.at -= pause);
        sooner.end -= pause;
        if trial.fails(&sooner)? {
            replay = sooner;
        }
    }
    Ok(replay)
}

/// A part of `items` that fails, and no longer does without any one of them. Takes out halves first, then smaller pieces.
fn least<T: Clone>(
    mut items: Vec<T>,
    fails: &mut dyn FnMut(&[T]) -> Result<bool, Failure>,
) -> Result<Vec<T>, Failure> {
    let mut piece = items.len().div_ceil(2);
    while piece > 0 && !items.is_empty() {
        let mut from = 0;
        let before = items.len();
        while from < items.len() {
            let end = (from + piece).min(items.len());
            let rest = [&items[..from], &items[end..]].concat();
            if fails(&rest)? {
                items = rest;
            } else {
                from = end;
            }
        }
        // The last one that went may have been what another one was needed for.
        piece = if piece == 1 && items.len() < before { 1 } else { piece / 2 };
    }
    Ok(items)
}

fn write(file: &Path, replay: &Replay) -> Result<(), Failure> {
    let text = serde_json::to_string(replay).expect("a replay file is plain data");
    std::fs::write(file, text)
        .map_err(|error| Failure(format!("{}: can't be written, {error}", file.display())))
}

#[cfg(test)]
mod tests {
    use super::least;

    #[test]
    fn what_is_left_is_needed() {
        for needed in [&[][..], &[7], &[0, 99], &[3, 4, 50, 51], &[98, 99]] {
            let mut tries = 0;
            let left = least((0..100).collect(), &mut |items: &[i32]| {
                tries += 1;
                Ok(needed.iter().all(|one| items.contains(one)))
            });
            assert_eq!(left.expect("nothing can go wrong"), needed);
            assert!(tries < 100, "{needed:?}: {tries}");
        }
    }

    #[test]
    fn what_goes_with_another_one_goes() {
        // An odd one is good only with the even one after it.
        let is_good = |items: &[i32]| items.iter().all(|one| one % 2 == 0 || items.contains(&(one + 1)));
        let left = least((0..20).collect(), &mut |items| Ok(items.contains(&10) && is_good(items)));
        assert_eq!(left.expect("nothing can go wrong"), [10]);
    }
}
