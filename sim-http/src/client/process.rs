//! The program as a process, for the time of a test.

use std::io;
use std::ops::Deref;
use std::process::Command;

use super::Client;

/// A running `stuntdouble serve`, as [`sim_client::Process`] starts it. It ends when dropped.
///
/// ```no_run
/// use sim_http::client::Process;
///
/// let server = Process::start(&["--analytics"])?;
/// assert!(server.main()?.analytics_token().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Process {
    client: Client,
    _process: sim_client::Process,
}

impl Process {
    /// Starts the program that the variable `STUNTDOUBLE_BIN` names, or `stuntdouble` on `PATH`, with further flags of `serve`.
    pub fn start(flags: &[&str]) -> io::Result<Process> {
        sim_client::Process::start(flags).map(Process::from)
    }

    /// Starts `command`: a program with its subcommand `serve` and flags.
    pub fn of(command: &mut Command) -> io::Result<Process> {
        sim_client::Process::of(command).map(Process::from)
    }
}

impl From<sim_client::Process> for Process {
    fn from(process: sim_client::Process) -> Process {
        Process { client: Client((*process).clone()), _process: process }
    }
}

impl Deref for Process {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}
