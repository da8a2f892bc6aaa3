//! `stuntdouble serve` as a process, for as long as a test needs it.

use std::io::{self, BufRead as _, BufReader};
use std::ops::Deref;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::Client;

/// A running `stuntdouble serve` on a free port of this machine, its clocks standing still. Ended when dropped.
///
/// ```no_run
/// use sim_http::client::Process;
///
/// let process = Process::start(&["--analytics"])?;
/// assert!(process.main()?.analytics_token().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Process {
    child: Child,
    client: Client,
}

impl Process {
    /// Starts the binary that `STUNTDOUBLE_BIN` names, else `stuntdouble` on `PATH`. `flags` are further ones of `serve`.
    pub fn start(flags: &[&str]) -> io::Result<Process> {
        let binary = std::env::var_os("STUNTDOUBLE_BIN").unwrap_or("stuntdouble".into());
        Process::of(Command::new(binary).arg("serve").args(flags))
    }

    /// Starts `command`, which is a binary with its `serve` and flags.
    pub fn of(command: &mut Command) -> io::Result<Process> {
        command.args(["--json", "--port", "0", "--speed", "0"]).stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let mut line = String::new();
        let read = child.stdout.as_mut().map(|out| BufReader::new(out).read_line(&mut line)).transpose();
        let started = read.and_then(|_| client_of(&line));
        match started {
            Ok(client) => Ok(Process { child, client }),
            Err(error) => {
                end(&mut child);
                Err(error)
            }
        }
    }
}

/// The client for the server that has printed `line`.
fn client_of(line: &str) -> io::Result<Client> {
    let unlike = |_| io::Error::other("stuntdouble serve has ended; standard error says why");
    let line: Value = serde_json::from_str(line).map_err(unlike)?;
    let url = line["url"].as_str().unwrap_or_default();
    match line["ca"].as_str() {
        Some(file) => Client::trusting_file(url, file.as_ref()).map_err(io::Error::other),
        None => Ok(Client::at(url)),
    }
}

fn end(child: &mut Child) {
    // One that has ended needs no signal.
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
