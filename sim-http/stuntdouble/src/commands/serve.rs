//! `stuntdouble serve`: runs a server until it is stopped.

use std::process::ExitCode;

use serde_json::json;
use sim_http::ControlAccess;
use tokio::runtime::Runtime;

use crate::options::Options;
use crate::running::Running;
use crate::{Failure, say};

/// The default port.
pub(crate) const PORT: u16 = 8787;

/// Serves until a signal comes: Ctrl-C, SIGTERM or SIGHUP.
pub(crate) fn run(options: Options) -> Result<ExitCode, Failure> {
    let options = options.settled_for_clients()?.logged_for_people();
    let running = Running::start(&options, PORT)?;
    wait(&options, &running, "/v1/projects")
}

/// Prints where the server is, and waits for a signal.
pub(crate) fn wait(options: &Options, running: &Running, first: &str) -> Result<ExitCode, Failure> {
    // A message about a panic must not wait for the reader of the log either.
    std::panic::set_hook(Box::new(|panic| sim_http::write_stderr(format_args!("{panic}"))));
    signals()?.block_on(async {
        // Signals are watched before the server announces itself, because an early signal must not be lost.
        let mut stop = Stop::new()?;
        say(&if options.json.unwrap_or(false) { line(running) } else { greeting(options, running, first) });
        stop.comes().await;
        Ok::<_, Failure>(())
    })?;
    running.report_unused();
    running.save_coverage(options)?;
    Ok(ExitCode::SUCCESS)
}

fn line(running: &Running) -> String {
    let server = &running.server;
    let (url, token) = (server.url(), server.token());
    let now = server.sim().now().to_string();
    let mut line =
        json!({ "url": url, "token": token, "world": "main", "pid": std::process::id(), "now": now });
    if let Some(token) = server.analytics_token() {
        line["analytics_token"] = token.into();
    }
    if let Some(pooler) = server.pooler_addr() {
        line["pooler"] = pooler.to_string().into();
    }
    if let Some(ca) = running.ca() {
        line["ca"] = ca.display().to_string().into();
    }
    line.to_string()
}

/// `first` is the path of the curl command.
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
    let others = match options.is_for_others()
        && options.control.unwrap_or_default() == ControlAccess::Loopback
    {
        true => "  Others may call /v1 and /api; /_sim is for this machine unless you give --control open\n",
        false => "",
    };
    let pooler = server.pooler_addr().map(|addr| {
        format!("  SQL    postgresql://postgres.<ref>:<password of the project>@{addr}/postgres\n")
    });
    let pooler = pooler.unwrap_or_default();
    let clock = match options.speed() {
        0.0 => "paused".to_owned(),
        speed => format!("runs, speed {speed}"),
    };
    let now = server.sim().now();
    let bearer = quoted(&format!("Authorization: Bearer {token}"));
    format!(
        "stuntdouble {} is up; Ctrl-C stops it\n\n  URL    {url}\n  Token  {token}\n{analytics}{authority}{pooler}{look}{others}  \
         Clock  {now}, {clock}\n  Docs   {url}/openapi.json and {url}/_sim/openapi.json\n\n  \
         curl {trust}-H {bearer} {url}{first}\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// Quotes a text for a shell.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A runtime to wait for signals on.
pub(crate) fn signals() -> Result<Runtime, Failure> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(unheard)
}

fn unheard(error: std::io::Error) -> Failure {
    Failure(format!("can't wait for signals: {error}"))
}

/// Receives Ctrl-C, SIGTERM and SIGHUP from the moment it is made.
#[cfg(unix)]
pub(crate) struct Stop {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    hangup: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Stop {
    pub(crate) fn new() -> Result<Stop, Failure> {
        use tokio::signal::unix::{SignalKind, signal};
        let hear = |kind| signal(kind).map_err(unheard);
        Ok(Stop {
            interrupt: hear(SignalKind::interrupt())?,
            terminate: hear(SignalKind::terminate())?,
            hangup: hear(SignalKind::hangup())?,
        })
    }

    pub(crate) async fn comes(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hangup.recv() => {}
        }
    }
}

#[cfg(windows)]
pub(crate) struct Stop(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Stop {
    pub(crate) fn new() -> Result<Stop, Failure> {
        tokio::signal::windows::ctrl_c().map(Stop).map_err(unheard)
    }

    pub(crate) async fn comes(&mut self) {
        self.0.recv().await;
    }
}
