//! `stuntdouble analytics serve`: runs the analytics server alone until it is stopped.

use std::process::ExitCode;

use super::serve;
use crate::Failure;
use crate::options::Options;
use crate::running::Running;

/// The default port.
const PORT: u16 = 4000;

/// Serves until Ctrl-C or SIGTERM.
pub(crate) fn run(options: Options) -> Result<ExitCode, Failure> {
    let options = options.settled_for_clients()?.logged_for_people();
    if options.self_log() {
        return Err(Failure(
            "--self-log: there is no /v1 here to log; `stuntdouble serve --self-log` has both".to_owned(),
        ));
    }
    if let Some((flag, _)) = options.begins_with()? {
        return Err(Failure(format!(
            "{flag}: is for `stuntdouble serve`, with service = \"analytics\" in the file"
        )));
    }
    let running = Running::serve(&options, PORT, options.environment.simulator(&options)?)?;
    serve::wait(&options, &running, "/api/sources")
}
