//! `stuntdouble doctor`: checks that this machine can run a server with these settings, one line for each check.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use sim_http::Server;

use super::serve::PORT;
use crate::options::Options;
use crate::running::Running;
use crate::{Failure, program, say, usage};

/// The check that the others need.
const WORLD: &str = "make a world";

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Runs all checks; exit code 1 when one fails.
pub(crate) fn run(options: Options) -> Result<ExitCode, Failure> {
    let options = options.settled()?;
    let plain = Options { tls: Some(false), ca_out: None, ..options.clone() };
    let checks: [(&str, Check); 4] = [
        (WORLD, world),
        ("listen where serve would", |options| {
            Running::start(options, PORT).map(|up| up.server.url().to_owned())
        }),
        ("make a certificate", certificate),
        ("answer a request", answer),
    ];
    let mut healthy = true;
    for (what, check) in checks {
        let began = Instant::now();
        match check(&plain) {
            Ok(found) => say(&format!("ok    {what:<26} {found}, {} µs", began.elapsed().as_micros())),
            Err(Failure(why)) => {
                say(&format!("FAIL  {what:<26} {why}"));
                usage::note(&program(), &why).iter().for_each(|note| say(&format!("      {note}")));
                healthy = false;
            }
        }
        if !healthy && what == WORLD {
            say("      the other checks need a world");
            break;
        }
    }
    Ok(if healthy { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A check: returns what it found.
type Check = fn(&Options) -> Result<String, Failure>;

fn world(options: &Options) -> Result<String, Failure> {
    let operations = sim_core::management::registry().operations().count();
    options.simulator().map(|sim| format!("{operations} operations, seed {}", sim.seed()))
}

fn certificate(options: &Options) -> Result<String, Failure> {
    let server = Server::builder().tls(true).spawn(options.simulator()?);
    server.map(|up| up.url().to_owned()).map_err(|error| Failure(error.to_string()))
}

fn answer(options: &Options) -> Result<String, Failure> {
    let up = Running::start(&Options { host: None, port: Some(0), ..options.clone() }, 0)?;
    let cannot = |error: std::io::Error| Failure(format!("{}: {error}", up.server.url()));
    let mut stream = TcpStream::connect_timeout(&up.server.addr(), TIMEOUT).map_err(cannot)?;
    stream.set_read_timeout(Some(TIMEOUT)).map_err(cannot)?;
    let request = format!(
        "GET /v1/projects HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\nconnection: close\r\n\r\n",
        up.server.token()
    );
    stream.write_all(request.as_bytes()).map_err(cannot)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(cannot)?;
    let status = answer.lines().next().unwrap_or("nothing").to_owned();
    // A policy may refuse it, but not with a 500.
    if answer.starts_with("HTTP/1.1 ") && !answer.starts_with("HTTP/1.1 5") {
        Ok(status)
    } else {
        Err(Failure(status))
    }
}
