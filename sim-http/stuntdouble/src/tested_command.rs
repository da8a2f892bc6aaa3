//! The command that `sweep` and `lens` test. Each run has a process group and a server of its own.

use std::ffi::OsString;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use sim_core::Simulator;
use sim_core::engine::fault::{AddFault, Fault};
use sim_core::sweep::Ending;
use tokio::process::Child;

use crate::Failure;
use crate::commands::exec;
use crate::options::Options;
use crate::running::Running;

/// A command, and how to run it.
pub(crate) struct TestedCommand {
    pub(crate) command: Vec<OsString>,
    pub(crate) options: Options,
    /// How long a run may take.
    pub(crate) timeout: Duration,
}

/// What happens to what it prints.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    /// All of it goes to standard error; standard output has the report alone.
    Shown,
    Hidden,
}

impl TestedCommand {
    /// Checks the options: each run needs a port of its own.
    pub(crate) fn new(
        options: Options,
        command: Vec<OsString>,
        seconds: f64,
    ) -> Result<TestedCommand, Failure> {
        let mut options = options.settled()?;
        if options.speed == Some(0.0) {
            let text = "--speed 0: the clock must run, as a client that waits after a 429 would be reported as bad; leave it out";
            return Err(Failure(text.to_owned()));
        }
        // With a paused clock, as --deterministic has it, no block of the rate limit would end.
        options.speed = Some(options.speed.unwrap_or(1.0));
        if options.port.is_some_and(|port| port != 0) || options.ca_out.is_some() {
            let text = "--port and --ca-out: each run has a server of its own; leave them out";
            return Err(Failure(text.to_owned()));
        }
        let timeout = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
        let timeout = timeout.ok_or_else(|| "--timeout: must be a number of seconds above 0".to_owned())?;
        Ok(TestedCommand { command, options, timeout })
    }

    /// Runs the command in `world`; returns the world after the run, and how the command ended.
    pub(crate) async fn run(&self, world: Simulator, output: Output) -> Result<(Simulator, Ending), Failure> {
        let running = Running::serve(&self.options, 0, world)?;
        let mut command = exec::command(&running, &self.command)?;
        command.stdin(Stdio::null()).kill_on_drop(true);
        match output {
            Output::Shown => command.stdout(std::io::stderr()),
            Output::Hidden => command.stdout(Stdio::null()).stderr(Stdio::null()),
        };
        #[cfg(unix)]
        command.process_group(0);
        let cannot_run = |error| Failure(format!("COMMAND {:?}: can't be run, {error}", self.command[0]));
        let mut child = command.spawn().map_err(cannot_run)?;
        let group = Group::of(&child);
        let ended = tokio::time::timeout(self.timeout, child.wait()).await;
        drop(group);
        let ending = match ended {
            Ok(status) => ending(status.map_err(cannot_run)?),
            Err(_) => Ending::Hung,
        };
        running.save_coverage(&self.options)?;
        let world = running.server.sim().fork();
        Ok((world, ending))
    }
}

/// A fork of `world` with one more fault rule.
pub(crate) fn with_fault(world: &Simulator, fault: &Fault) -> Result<Simulator, Failure> {
    let mut world = world.fork();
    let added = world.as_admin().call(AddFault(fault.clone()));
    added.map_err(|error| Failure(format!("a rule is refused, {}", error.message)))?;
    Ok(world)
}

fn ending(status: ExitStatus) -> Ending {
    status.code().map_or(Ending::Killed, Ending::Exit)
}

/// Ends the command and every process that it started.
struct Group {
    #[cfg(unix)]
    id: Option<rustix::process::Pid>,
}

impl Group {
    #[cfg(unix)]
    fn of(child: &Child) -> Group {
        Group { id: child.id().and_then(|id| rustix::process::Pid::from_raw(id as i32)) }
    }

    #[cfg(not(unix))]
    fn of(_: &Child) -> Group {
        Group {}
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Some(id) = self.id {
            // Fails only when all of them have ended.
            let _ = rustix::process::kill_process_group(id, rustix::process::Signal::KILL);
        }
    }
}
