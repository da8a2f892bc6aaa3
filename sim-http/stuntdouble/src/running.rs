//! The server of `serve`, `exec` and `doctor`, with its certificate file.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sim_core::Simulator;
use sim_http::{DiskError, Limits, Server, write_stderr};

use crate::Failure;
use crate::commands::coverage;
use crate::options::{Log, Options, token_secret};

/// How long a call may take without `--call-limit`. The work of a call is counted, and takes a second or a few; but within one step
/// SQLite copies values of any size.
const CALL_LIMIT: Duration = Duration::from_secs(10);

/// A running server, and the file with the certificate of its authority.
pub(crate) struct Running {
    pub(crate) server: Server,
    ca: Option<CaFile>,
}

impl Running {
    /// Starts a server of the world that the options describe, on `default_port` unless they name another one.
    pub(crate) fn start(options: &Options, default_port: u16) -> Result<Running, Failure> {
        Running::serve(options, default_port, options.simulator()?)
    }

    /// Starts a server of `sim`.
    pub(crate) fn serve(options: &Options, default_port: u16, sim: Simulator) -> Result<Running, Failure> {
        let port = options.port.unwrap_or(default_port);
        let addr = resolve(options.host(), port)?;
        let mut builder = Server::builder().addr(addr).tls(options.tls()).speed(options.speed());
        builder =
            builder.begins_now(options.begins_now()).allow_egress(options.allow_egress.unwrap_or(false));
        builder = builder.warn(|line| write_stderr(format_args!("{line}")));
        let call_time = Some(options.call_limit.unwrap_or(CALL_LIMIT));
        builder = builder.limits(Limits { call_time, ..Limits::default() });
        if options.seed.is_none() {
            builder = builder.token_secret(&token_secret()?);
        }
        if let Some(dir) = &options.data {
            let ignored = options.for_new_worlds();
            if !ignored.is_empty() && dir.join("main").exists() {
                let text = format!(
                    "note: world main was kept in {}: {ignored} apply to new worlds only",
                    dir.display()
                );
                write_stderr(format_args!("{text}"));
            }
            builder = builder.data(dir, options.durability.unwrap_or_default());
        }
        builder = options.pooler_port.into_iter().fold(builder, sim_http::Builder::pooler);
        builder = options.control.into_iter().fold(builder, sim_http::Builder::control);
        builder = options.allow_host.iter().cloned().fold(builder, sim_http::Builder::allow_host);
        builder = options.allow_origin.iter().cloned().fold(builder, sim_http::Builder::allow_origin);
        builder = builder.dashboard(options.dashboard.unwrap_or_default());
        if addr.ip().to_string() != options.host() {
            builder = builder.host(options.host());
        }
        builder = match options.log.unwrap_or(Log::Off) {
            Log::Off => builder,
            Log::Text => builder.log(|line| write_stderr(format_args!("{line}"))),
            Log::Json => builder.log(|line| write_stderr(format_args!("{}", line.to_json()))),
        };
        let server = builder.spawn(sim).map_err(|error| cannot_start(addr, &error))?;
        let ca = server
            .ca_pem()
            .map(|pem| CaFile::write(pem, server.addr().port(), options.ca_out.as_deref()))
            .transpose()?;
        Ok(Running { server, ca })
    }

    /// Adds the coverage to the file that the options name.
    pub(crate) fn save_coverage(&self, options: &Options) -> Result<(), Failure> {
        let Some(file) = &options.coverage else { return Ok(()) };
        coverage::add(file, self.server.coverage())
    }

    /// Says at the end of a run which fault rules and decisions nothing has used.
    pub(crate) fn report_unused(&self) {
        for line in self.server.unused() {
            write_stderr(format_args!("warning: {line}"));
        }
    }

    /// The file with the certificate of the authority; `None` without TLS.
    pub(crate) fn ca(&self) -> Option<&Path> {
        self.ca.as_ref().map(|file| &*file.path)
    }
}

fn resolve(host: &str, port: u16) -> Result<SocketAddr, Failure> {
    let wrong = |why: &str| {
        Failure(format!("--host {host:?}: {why}; give an address of this machine, as in 127.0.0.1"))
    };
    let mut found = (host, port).to_socket_addrs().map_err(|error| wrong(&error.to_string()))?;
    found.next().ok_or_else(|| wrong("has no address"))
}

fn cannot_start(addr: SocketAddr, error: &io::Error) -> Failure {
    match error.get_ref().filter(|inner| inner.is::<DiskError>()) {
        Some(inner) => Failure(format!("--data: {inner}")),
        None => cannot_listen(addr, error),
    }
}

fn cannot_listen(addr: SocketAddr, error: &io::Error) -> Failure {
    let (ip, port) = (addr.ip(), addr.port());
    Failure(match error.kind() {
        io::ErrorKind::AddrInUse => {
            format!("--port {port}: is in use on {ip}; give another one, or 0 for any that is free")
        }
        io::ErrorKind::PermissionDenied => {
            format!("--port {port}: needs privileges; give one above 1023, or 0 for any that is free")
        }
        io::ErrorKind::AddrNotAvailable => {
            format!("--host {ip}: is no address of this machine; 127.0.0.1 always is")
        }
        _ => format!("--host {ip} --port {port}: {error}"),
    })
}

/// The certificate of the authority in a file, which is removed at the end unless the user named it.
struct CaFile {
    path: PathBuf,
    is_users: bool,
}

impl CaFile {
    fn write(pem: &str, port: u16, chosen: Option<&Path>) -> Result<CaFile, Failure> {
        // Named by port, because a process may have several servers.
        let own = || std::env::temp_dir().join(format!("stuntdouble-{}-{port}-ca.pem", std::process::id()));
        let path = chosen.map_or_else(own, Path::to_owned);
        std::fs::write(&path, pem)
            .map_err(|error| Failure(format!("--ca-out {}: can't be written, {error}", path.display())))?;
        Ok(CaFile { path, is_users: chosen.is_some() })
    }
}

impl Drop for CaFile {
    fn drop(&mut self) {
        if !self.is_users {
            // A temporary file may stay.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
