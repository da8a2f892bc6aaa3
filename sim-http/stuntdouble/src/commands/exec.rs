//! `stuntdouble exec -- COMMAND`: runs a command beside a server.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, ExitStatus};

use sim_core::Profile;
use tokio::process::Command;

use super::serve::signals;
use crate::Failure;
use crate::options::Options;
use crate::running::Running;

/// The exit code of a command that does not exist, as in a shell.
const NOT_FOUND: u8 = 127;
/// The exit code of a command that can't be run, as in a shell.
const NOT_RUN: u8 = 126;

/// Runs `command` beside a server, and exits with its code.
pub(crate) fn run(
    options: Options,
    cli_profile: Option<&Path>,
    command: &[OsString],
) -> Result<ExitCode, Failure> {
    let options = options.settled_for_clients()?;
    let running = Running::start(&options, 0)?;
    if let Some(file) = cli_profile {
        let text = settings(running.server.url(), &running.server.sim().profile().clone());
        std::fs::write(file, text).map_err(|error| {
            Failure(format!("--cli-profile {}: can't be written, {error}", file.display()))
        })?;
    }
    let child = self::command(&running, command)?;
    let program = child.as_std().get_program().to_owned();
    let code = match signals()?.block_on(ended(child)) {
        Ok(status) => code(status),
        Err(error) => {
            eprintln!("error: COMMAND {program:?}: can't be run, {error}");
            return Ok(ExitCode::from(if error.kind() == ErrorKind::NotFound { NOT_FOUND } else { NOT_RUN }));
        }
    };
    running.report_unused();
    running.save_coverage(&options)?;
    Ok(code)
}

/// Says that a command can't be run, if that is so, and returns the exit code for it.
pub(crate) fn refuse_missing(command: &[OsString]) -> Option<ExitCode> {
    let program = command.first()?;
    let is_path = Path::new(program).components().count() > 1;
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let places: Vec<PathBuf> = match is_path || cfg!(not(unix)) {
        true => vec![program.into()],
        false => std::env::split_paths(&folders).map(|folder| folder.join(program)).collect(),
    };
    if cfg!(not(unix)) || places.iter().any(|place| place.is_file()) {
        return None;
    }
    eprintln!("error: COMMAND {program:?}: can't be run, there is no such program");
    Some(ExitCode::from(NOT_FOUND))
}

/// The settings file of a command-line client that knows several installations by name.
fn settings(url: &str, profile: &Profile) -> String {
    let domain = &profile.project_domain;
    // The part of the pooler's host that does not depend on the region.
    let pooler = profile.pooler_host("{region}", domain);
    let pooler = pooler.rsplit('}').next().unwrap_or_default().trim_start_matches('.');
    format!(
        "name: local\napi_url: {url}\ndashboard_url: {url}/dashboard\nproject_host: {domain}\npooler_host: {pooler}\n"
    )
}

/// The command, with the address and the tokens of the server in its environment.
pub(crate) fn command(running: &Running, command: &[OsString]) -> Result<Command, Failure> {
    let [program, arguments @ ..] = command else { return Err(Failure("COMMAND: is missing".to_owned())) };
    let mut child = Command::new(program);
    child.args(arguments);
    child.env("STUNTDOUBLE_URL", running.server.url()).env("STUNTDOUBLE_TOKEN", running.server.token());
    if let Some(token) = running.server.analytics_token() {
        child.env("STUNTDOUBLE_ANALYTICS_TOKEN", token);
    }
    if let Some(pooler) = running.server.pooler_addr() {
        child.env("STUNTDOUBLE_POOLER", pooler.to_string());
    }
    if let Some(ca) = running.ca() {
        child.env("STUNTDOUBLE_CA", ca);
    }
    Ok(child)
}

/// Runs the command to its end. Ctrl-C reaches it from the terminal as it reaches this process; SIGTERM is passed on.
#[cfg(unix)]
async fn ended(mut command: Command) -> std::io::Result<ExitStatus> {
    use tokio::signal::unix::{SignalKind, signal};
    // Signals are watched before the command starts, because an early signal must not end this process alone.
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    let mut child = command.spawn()?;
    loop {
        tokio::select! {
            status = child.wait() => return status,
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {
                let id = child.id().and_then(|id| rustix::process::Pid::from_raw(id as i32));
                if let Some(id) = id {
                    // Fails only when the command has just ended.
                    let _ = rustix::process::kill_process(id, rustix::process::Signal::TERM);
                }
            }
        }
    }
}

#[cfg(not(unix))]
async fn ended(mut command: Command) -> std::io::Result<ExitStatus> {
    command.status().await
}

fn code(status: ExitStatus) -> ExitCode {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return ExitCode::from(128 | signal as u8);
    }
    ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}
