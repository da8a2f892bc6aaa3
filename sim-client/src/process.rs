//! The program as a process, for the duration of a test.

use std::io::{self, BufRead as _, BufReader};
use std::ops::Deref;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::Client;

/// A running `stuntdouble serve` on a free port of this machine, with paused clocks. It ends when dropped.
///
/// ```no_run
/// use sim_client::Process;
///
/// let server = Process::start(&["--analytics"])?;
/// assert!(server.main()?.analytics_token().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Process {
    child: Child,
    client: Client,
}

impl Process {
    /// Starts the program that the variable `STUNTDOUBLE_BIN` names, or `stuntdouble` on `PATH`, with further flags of `serve`.
    pub fn start(flags: &[&str]) -> io::Result<Process> {
        let program = std::env::var_os("STUNTDOUBLE_BIN").unwrap_or("stuntdouble".into());
        Process::of(Command::new(program).arg("serve").args(flags))
    }

    /// Starts `command`: a program with its subcommand `serve` and flags.
    pub fn of(command: &mut Command) -> io::Result<Process> {
        command
            .args(["--json", "--port", "0", "--deterministic"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let mut line = String::new();
        let read = child.stdout.as_mut().map(|out| BufReader::new(out).read_line(&mut line)).transpose();
        match read.and_then(|_| client_of(&line)) {
            Ok(client) => Ok(Process { child, client }),
            Err(error) => {
                end(&mut child);
                Err(error)
            }
        }
    }
}

/// The client of the server that printed `line`.
fn client_of(line: &str) -> io::Result<Client> {
    let ended = |_| io::Error::other("stuntdouble serve has ended; standard error says why");
    let line: Value = serde_json::from_str(line).map_err(ended)?;
    let url = line["url"].as_str().unwrap_or_default();
    match line["ca"].as_str() {
        Some(file) => Client::trusting_file(url, file.as_ref()).map_err(io::Error::other),
        None => Ok(Client::at(url)),
    }
}

fn end(child: &mut Child) {
    // This fails only if the process has already ended.
    let _ = child.kill();
    let _ = child.wait();
}

impl Deref for Process {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}
