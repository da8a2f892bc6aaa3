//! `stuntdouble serve`: a server until somebody stops it.

use std::process::ExitCode;

use serde_json::json;
use tokio::runtime::Runtime;

use super::options::Options;
use super::running::Running;
use super::{Failure, say};

/// Where clients find it unless told otherwise.
pub(crate) const PORT: u16 = 8787;

/// Serves until Ctrl-C or SIGTERM.
pub(crate) fn run(options: Options) -> Result<ExitCode, Failure> {
    let options = options.settled()?;
    let running = Running::start(&options, PORT)?;
    wait(&options, &running, "/v1/projects")
}

/// Says where the server is, and waits for somebody to stop it.
pub(crate) fn wait(options: &Options, running: &Running, first: &str) -> Result<ExitCode, Failure> {
    say(&if options.json.unwrap_or(false) { line(running) } else { greeting(options, running, first) });
    signals()?.block_on(stopped()).map_err(|error| format!("signals can't be waited for: {error}"))?;
    running.save_coverage(options)?;
    Ok(ExitCode::SUCCESS)
}

fn line(running: &Running) -> String {
    let server = &running.server;
    let (url, token) = (server.url(), server.token());
    let mut line = json!({ "url": url, "token": token, "world": "main", "pid": std::process::id() });
    if let Some(token) = server.analytics_token() {
        line["analytics_token"] = token.into();
    }
    if let Some(ca) = running.ca() {
        line["ca"] = ca.display().to_string().into();
    }
    line.to_string()
}

/// `first` is the path of a call to begin with.
fn greeting(options: &Options, running: &Running, first: &str) -> String {
    let server = &running.server;
    let (url, token) = (server.url(), server.token());
    let ca = running.ca().map(|ca| ca.display().to_string());
    let trust = ca.as_ref().map(|ca| format!("--cacert {} ", quoted(ca))).unwrap_or_default();
    let authority = ca.map(|ca| format!("  CA     {ca}\n")).unwrap_or_default();
    let analytics = server.analytics_token().map(|token| format!("  /api   {url}/api, token {token}\n"));
    let analytics = analytics.unwrap_or_default();
    let look = match options.shows_dashboard() {
        true => format!("  Look   {url}/dashboard\n"),
        false => String::new(),
    };
    let bearer = quoted(&format!("Authorization: Bearer {token}"));
    format!(
        "stuntdouble {} is up; Ctrl-C stops it\n\n  URL    {url}\n  Token  {token}\n{analytics}{authority}{look}  \
         Docs   {url}/openapi.json and {url}/_sim/openapi.json\n\n  \
         curl {trust}-H {bearer} {url}{first}\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// As a shell reads it back.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A runtime that waits for signals.
pub(crate) fn signals() -> Result<Runtime, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| Failure(format!("signals can't be waited for: {error}")))
}

#[cfg(unix)]
pub(crate) async fn stopped() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        done = tokio::signal::ctrl_c() => done,
        _ = terminate.recv() => Ok(()),
    }
}

#[cfg(not(unix))]
pub(crate) async fn stopped() -> std::io::Result<()> {
    tokio::signal::ctrl_c().await
}
