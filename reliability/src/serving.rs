//! `stuntdouble serve` as a process that may be killed at any time.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::thread::JoinHandle;

use serde_json::Value;

/// A server in a process of its own; killed when dropped.
pub struct Serving {
    child: Child,
    /// Its standard error, complete.
    words: Option<JoinHandle<String>>,
    /// The address it listens on.
    pub addr: SocketAddr,
    /// The token of the first user of its main world.
    pub token: String,
    /// The first token of its analytics server, if it has one.
    pub analytics_token: String,
}

impl Serving {
    /// Starts `binary serve` on a free port, with these additional flags. The error is its output if it
    /// prints no address.
    pub fn start(binary: &Path, flags: &[&str]) -> Result<Serving, String> {
        let mut child = spawn(binary, flags)?;
        let mut line = String::new();
        let said = child.stdout.take().map(|out| BufReader::new(out).read_line(&mut line));
        let line: Option<Value> = said.and_then(Result::ok).and_then(|_| serde_json::from_str(&line).ok());
        let Some(line) = line else {
            let output = child.wait_with_output().map_err(|error| error.to_string())?;
            return Err(format!("it does not start: {}", String::from_utf8_lossy(&output.stderr)));
        };
        let word = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
        let addr =
            word("url").trim_start_matches("http://").parse().map_err(|_| format!("no address: {line}"))?;
        let words = child.stderr.take().map(|stderr| std::thread::spawn(move || all_of(stderr)));
        Ok(Serving { child, words, addr, token: word("token"), analytics_token: word("analytics_token") })
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Kills it at once (SIGKILL), and waits until it has ended.
    pub fn kill(&mut self) {
        end(&mut self.child);
    }

    /// Kills it; returns its standard error.
    pub fn last_words(mut self) -> String {
        self.kill();
        self.words.take().map(|words| words.join().expect("it only reads")).unwrap_or_default()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Starts the process without waiting for its address, so that it can be killed while it starts.
pub(crate) fn spawn(binary: &Path, flags: &[&str]) -> Result<Child, String> {
    let mut command = Command::new(binary);
    command.args(["serve", "--port", "0", "--json", "--deterministic", "--rate-limit", "off"]).args(flags);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().map_err(|error| format!("{}: {error}", binary.display()))
}

fn all_of(mut stderr: ChildStderr) -> String {
    let mut words = Vec::new();
    // A read error counts as the end of the output.
    let _ = stderr.read_to_end(&mut words);
    String::from_utf8_lossy(&words).into_owned()
}

pub(crate) fn end(child: &mut Child) {
    // A process that has ended needs no signal.
    let _ = child.kill();
    let _ = child.wait();
}

/// The binary next to this program.
pub fn binary() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let binary = own.with_file_name(format!("stuntdouble{}", std::env::consts::EXE_SUFFIX));
    match binary.exists() {
        true => Ok(binary),
        false => Err(format!("there is no {}: `cargo build -p stuntdouble` makes it", binary.display())),
    }
}
