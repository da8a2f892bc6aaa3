//! Options from flags, environment and a TOML file. Flags take precedence over the environment, and that over the file.

mod file;
mod value;
mod world;

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::BoolishValueParser;
use serde::Deserialize;
use sim_core::{Pace, RateLimit, Timestamp};
use sim_http::{ControlAccess, Dashboard, Durability, HostName, Origin};

use self::file::read_toml;
use self::value::{
    Start, call_limit_of_file, dashboard_of_file, each_of_file, log_of_file, one_of, parsed_of_file,
    read_call_limit, read_dashboard, read_log, read_pace, read_speed, read_start, speed_of_file,
    start_of_file,
};
use super::Engine;
use super::analytics::Environment;
use super::faults::Faults;
use crate::Failure;

pub(crate) use self::file::read_or_default;
pub(crate) use self::value::Log;
pub(crate) use self::world::token_secret;

/// How `serve` and `exec` run. Each is also a variable `STUNTDOUBLE_…` and a key of the file given by --config.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Options {
    /// Address or name to listen on [default: 127.0.0.1]
    #[arg(long, help_heading = "Network", value_name = "ADDRESS", env = "STUNTDOUBLE_HOST")]
    pub(crate) host: Option<String>,

    /// Port to listen on, 0 for any free one [default: 8787 for serve, 4000 for analytics serve, 0 for exec]
    #[arg(long, help_heading = "Network", value_name = "PORT", env = "STUNTDOUBLE_PORT")]
    pub(crate) port: Option<u16>,

    /// Token to accept; may be given several times
    ///
    /// Default: a token that is drawn at each start. With --seed it follows from the seed, and is the same at each start.
    #[arg(
        long,
        help_heading = "Access",
        value_name = "TOKEN",
        env = "STUNTDOUBLE_TOKEN",
        value_delimiter = ','
    )]
    pub(crate) token: Vec<String>,

    /// Seed of everything random, tokens included [default: 0]
    ///
    /// If it is given, the tokens follow from it, and are the same at each start.
    #[arg(long, help_heading = "World", value_name = "N", env = "STUNTDOUBLE_SEED")]
    pub(crate) seed: Option<u64>,

    /// Time of the clock at the start, as in 2026-01-01T00:00:00Z, or now
    ///
    /// Default: now for serve and exec, else 2026-01-01T00:00:00Z.
    #[arg(long, help_heading = "Clock", value_name = "RFC3339", env = "STUNTDOUBLE_START", value_parser = read_start)]
    #[serde(deserialize_with = "start_of_file")]
    pub(crate) start: Option<Start>,

    /// The same answers in each run: --start 2026-01-01T00:00:00Z --speed 0, unless these flags are given
    #[arg(long, help_heading = "Clock", env = "STUNTDOUBLE_DETERMINISTIC", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    pub(crate) deterministic: Option<bool>,

    /// Whether a world without another start begins now, and not at the fixed instant of worlds in process.
    #[arg(skip)]
    #[serde(skip)]
    pub(crate) now_by_default: bool,

    /// TOML or JSON file with the users, projects and everything else in the world
    ///
    /// Write it by hand, or export a world. Other flags take precedence.
    #[arg(long, help_heading = "World", value_name = "FILE", env = "STUNTDOUBLE_SEED_FILE")]
    pub(crate) seed_file: Option<PathBuf>,

    /// Scenario to start from; `stuntdouble scenario` lists them
    #[arg(long, help_heading = "World", value_name = "NAME", env = "STUNTDOUBLE_SCENARIO")]
    pub(crate) scenario: Option<String>,

    /// TOML file of names: token prefix, hosts, neutral tokens
    #[arg(long, help_heading = "World", value_name = "FILE", env = "STUNTDOUBLE_PROFILE")]
    pub(crate) profile: Option<PathBuf>,

    /// TOML file of behaviour: durations, outcomes, limits
    #[arg(long, help_heading = "World", value_name = "FILE", env = "STUNTDOUBLE_POLICY")]
    pub(crate) policy: Option<PathBuf>,

    /// When background work takes effect [default: clock]
    ///
    /// clock: when the clock reaches it; instant: at once; manual: when a step is asked for.
    #[arg(long, help_heading = "Clock", value_name = "PACE", env = "STUNTDOUBLE_PACE", value_parser = one_of(["clock", "instant", "manual"], read_pace))]
    pub(crate) pace: Option<Pace>,

    /// Simulated seconds for each real one; at 0 only the control API moves the clock [default: 1]
    #[arg(long, help_heading = "Clock", value_name = "X", env = "STUNTDOUBLE_SPEED", value_parser = read_speed)]
    #[serde(deserialize_with = "speed_of_file")]
    pub(crate) speed: Option<f64>,

    /// Seconds that a call to a simulated service may take [default: 10]
    ///
    /// A call that takes longer is undone, and its SQL is cancelled (57014). Nearly all calls end before by the work that they do,
    /// which is counted and the same on every machine.
    #[arg(long, help_heading = "Clock", value_name = "SECONDS", env = "STUNTDOUBLE_CALL_LIMIT", value_parser = read_call_limit)]
    #[serde(deserialize_with = "call_limit_of_file")]
    pub(crate) call_limit: Option<Duration>,

    /// Calls a user may make: spec, off, or COUNT/SECONDS [default: spec]
    #[arg(long, help_heading = "World", value_name = "LIMIT", env = "STUNTDOUBLE_RATE_LIMIT")]
    #[serde(deserialize_with = "parsed_of_file")]
    pub(crate) rate_limit: Option<RateLimit>,

    /// Engine of project databases: sqlite, postgres, or postgres=URL [default: sqlite]
    ///
    /// sqlite is embedded. postgres starts a server from binaries on this machine, for the time of the run. postgres=URL uses a running
    /// server, as in postgres=postgres://USER@HOST.
    #[arg(long, help_heading = "World", value_name = "ENGINE", env = "STUNTDOUBLE_ENGINE")]
    pub(crate) engine: Option<Engine>,

    /// Fault rules: a JSON or TOML file (`[[fault]]`), or the JSON itself
    #[arg(long, help_heading = "World", value_name = "RULES", env = "STUNTDOUBLE_FAULTS")]
    pub(crate) faults: Option<Faults>,

    /// Serve the analytics server too, on the same port and clock
    ///
    /// It has one tenant, and reads the variables of a self-hosted server.
    #[arg(long, help_heading = "World", env = "STUNTDOUBLE_ANALYTICS", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    pub(crate) analytics: Option<bool>,

    /// Log calls to /v1 and the SQL of projects as events of the analytics server; implies --analytics
    #[arg(long, help_heading = "World", env = "STUNTDOUBLE_SELF_LOG", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    pub(crate) self_log: Option<bool>,

    /// Directory to keep worlds in
    ///
    /// Each world has a directory of its own. Worlds that are there continue where they were; flags that describe how a world begins
    /// apply to new ones.
    #[arg(long, help_heading = "Storage", value_name = "DIR", env = "STUNTDOUBLE_DATA")]
    pub(crate) data: Option<PathBuf>,

    /// What an answered call survives with --data [default: power]
    ///
    /// power: a power failure; process: the end of this process; eventual: the last calls may be lost.
    #[arg(long, help_heading = "Storage", value_name = "LEVEL", env = "STUNTDOUBLE_DURABILITY", value_parser = one_of(["power", "process", "eventual"], str::parse::<Durability>))]
    #[serde(deserialize_with = "parsed_of_file")]
    pub(crate) durability: Option<Durability>,

    /// Speak TLS, with a certificate made at start
    #[arg(long, help_heading = "Network", env = "STUNTDOUBLE_TLS", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    pub(crate) tls: Option<bool>,

    /// File to write the certificate of the authority to; implies --tls
    ///
    /// Clients have to trust this certificate.
    #[arg(long, help_heading = "Network", value_name = "FILE", env = "STUNTDOUBLE_CA_OUT")]
    pub(crate) ca_out: Option<PathBuf>,

    /// Port on which to speak PostgreSQL's protocol, so that database drivers can connect
    ///
    /// The user is postgres.REF, with the project's reference; the password is that of the project. 0 is any free port. Connection strings that the API gives name it.
    #[arg(long, help_heading = "Network", value_name = "PORT", env = "STUNTDOUBLE_POOLER_PORT")]
    pub(crate) pooler_port: Option<u16>,

    /// Post messages of the analytics server and of webhooks to any address, not only to this machine
    #[arg(long, help_heading = "Network", env = "STUNTDOUBLE_ALLOW_EGRESS", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    pub(crate) allow_egress: Option<bool>,

    /// Fetch documents that calls name by URL, from this machine, or with --allow-egress from anywhere
    ///
    /// Metadata of identity providers and keys of other issuers. What was set for a URL with PUT /_sim/documents is not fetched.
    #[arg(long, help_heading = "Network", env = "STUNTDOUBLE_FETCH_DOCUMENTS", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    pub(crate) fetch_documents: Option<bool>,

    /// Who may call the control API at /_sim: loopback, open or off [default: loopback]
    ///
    /// loopback: clients on this machine; open: everybody who can reach the server, for example from outside of a container, and the
    /// default with --dashboard anywhere; off: nobody.
    #[arg(long, help_heading = "Access", value_name = "WHERE", env = "STUNTDOUBLE_CONTROL", value_parser = one_of(["loopback", "open", "off"], str::parse::<ControlAccess>))]
    #[serde(deserialize_with = "parsed_of_file")]
    pub(crate) control: Option<ControlAccess>,

    /// One more name by which clients may address the server; may be given several times
    ///
    /// localhost and the name in --host are always allowed.
    #[arg(
        long,
        help_heading = "Access",
        value_name = "NAME",
        env = "STUNTDOUBLE_ALLOW_HOST",
        value_delimiter = ','
    )]
    #[serde(deserialize_with = "each_of_file")]
    pub(crate) allow_host: Vec<HostName>,

    /// One more origin whose pages may call the server; may be given several times
    ///
    /// As in http://localhost:3000, or * for all pages, which then may not call the control API.
    #[arg(
        long,
        help_heading = "Access",
        value_name = "ORIGIN",
        env = "STUNTDOUBLE_ALLOW_ORIGIN",
        value_delimiter = ','
    )]
    #[serde(deserialize_with = "each_of_file")]
    pub(crate) allow_origin: Vec<Origin>,

    /// Who may see the pages at /dashboard [default: loopback]
    ///
    /// loopback: browsers on this machine; anywhere: everybody who can reach the server; off: nobody.
    #[arg(long, help_heading = "Access", value_name = "WHERE", env = "STUNTDOUBLE_DASHBOARD", value_parser = one_of(["loopback", "anywhere", "off"], read_dashboard))]
    #[serde(deserialize_with = "dashboard_of_file")]
    pub(crate) dashboard: Option<Dashboard>,

    /// Print one line of JSON as soon as connections are accepted
    ///
    /// {"url", "token", "world", "pid", …}.
    #[arg(long, help_heading = "Output", env = "STUNTDOUBLE_JSON", num_args = 0..=1, require_equals = true,
          default_missing_value = "true", value_parser = BoolishValueParser::new(), value_name = "BOOL")]
    pub(crate) json: Option<bool>,

    /// Log a line for each request on standard error: text, json or off
    ///
    /// A line has the time, the number of the call, method, path, status, reason and duration. Default: text for serve if standard
    /// error is a terminal, else off. --log alone is --log text.
    #[arg(long, help_heading = "Output", env = "STUNTDOUBLE_LOG", num_args = 0..=1, default_missing_value = "text", value_parser = read_log,
          value_name = "FORMAT")]
    #[serde(deserialize_with = "log_of_file")]
    pub(crate) log: Option<Log>,

    /// File to add the coverage to at the end; see stuntdouble coverage
    #[arg(long, help_heading = "Output", value_name = "FILE", env = "STUNTDOUBLE_COVERAGE")]
    pub(crate) coverage: Option<PathBuf>,

    /// TOML file with any of these flags as keys, as in port = 9000
    ///
    /// Its paths are relative to its folder. Flags take precedence over environment variables, and these over the file.
    #[arg(long, value_name = "FILE", env = "STUNTDOUBLE_CONFIG")]
    #[serde(skip)]
    pub(crate) config: Option<PathBuf>,

    #[command(flatten)]
    #[serde(skip)]
    pub(crate) environment: Box<Environment>,
}

impl Options {
    /// Fills in missing options from the file given by --config, and checks what the parser does not.
    pub(crate) fn settled(self) -> Result<Options, Failure> {
        let settled = match self.config.clone() {
            Some(file) => self.or(read_toml::<Options>("--config", &file)?.below(&file)),
            None => self,
        };
        if settled.self_log() && settled.analytics == Some(false) {
            return Err(Failure("--analytics false: --self-log needs the analytics server".to_owned()));
        }
        match settled.token.iter().find(|token| !is_token(token)) {
            Some(bad) => Err(Failure(format!(
                "--token {bad:?}: must be visible ASCII characters without blanks, as it travels in a header"
            ))),
            None => Ok(settled),
        }
    }

    /// Fills in missing options, as [`settled`](Options::settled) does, for a server that real clients call: worlds begin now.
    pub(crate) fn settled_for_clients(self) -> Result<Options, Failure> {
        let settled = self.settled()?;
        Ok(Options { now_by_default: !settled.deterministic.unwrap_or(false), ..settled })
    }

    /// The same with a request log, unless the options say otherwise, if people read standard error.
    pub(crate) fn logged_for_people(self) -> Options {
        let default = if std::io::stderr().is_terminal() { Log::Text } else { Log::Off };
        Options { log: self.log.or(Some(default)), ..self }
    }

    /// The given flags that have no effect on a world that is kept already.
    pub(crate) fn for_new_worlds(&self) -> String {
        let given = [
            ("--scenario", self.scenario.is_some()),
            ("--seed-file", self.seed_file.is_some()),
            ("--seed", self.seed.is_some()),
            ("--token", !self.token.is_empty()),
            ("--start", self.start.is_some()),
            ("--policy", self.policy.is_some()),
            ("--profile", self.profile.is_some()),
        ];
        given.iter().filter(|(_, is_given)| *is_given).map(|(flag, _)| *flag).collect::<Vec<_>>().join(", ")
    }

    /// Whether worlds that say nothing else begin now.
    pub(crate) fn begins_now(&self) -> bool {
        self.start.map_or(self.now_by_default, |start| start == Start::Now)
    }

    /// The start of a world that says nothing else, unless it is that of worlds in process.
    fn default_start(&self) -> Option<Timestamp> {
        self.begins_now().then(sim_http::now)
    }

    /// Simulated seconds for each real one.
    pub(crate) fn speed(&self) -> f64 {
        self.speed.unwrap_or(if self.deterministic.unwrap_or(false) { 0.0 } else { 1.0 })
    }

    fn or(self, file: Options) -> Options {
        Options {
            host: self.host.or(file.host),
            port: self.port.or(file.port),
            token: if self.token.is_empty() { file.token } else { self.token },
            seed: self.seed.or(file.seed),
            start: self.start.or(file.start),
            deterministic: self.deterministic.or(file.deterministic),
            now_by_default: self.now_by_default,
            // The two exclude each other. If one is given as a flag, the other one in the file is ignored.
            seed_file: self.seed_file.clone().or(file.seed_file.filter(|_| self.scenario.is_none())),
            scenario: self.scenario.or(file.scenario.filter(|_| self.seed_file.is_none())),
            profile: self.profile.or(file.profile),
            policy: self.policy.or(file.policy),
            pace: self.pace.or(file.pace),
            speed: self.speed.or(file.speed),
            call_limit: self.call_limit.or(file.call_limit),
            rate_limit: self.rate_limit.or(file.rate_limit),
            engine: self.engine.or(file.engine),
            faults: self.faults.or(file.faults),
            analytics: self.analytics.or(file.analytics),
            self_log: self.self_log.or(file.self_log),
            data: self.data.or(file.data),
            durability: self.durability.or(file.durability),
            tls: self.tls.or(file.tls),
            ca_out: self.ca_out.or(file.ca_out),
            pooler_port: self.pooler_port.or(file.pooler_port),
            allow_egress: self.allow_egress.or(file.allow_egress),
            fetch_documents: self.fetch_documents.or(file.fetch_documents),
            control: self.control.or(file.control),
            allow_host: if self.allow_host.is_empty() { file.allow_host } else { self.allow_host },
            allow_origin: if self.allow_origin.is_empty() { file.allow_origin } else { self.allow_origin },
            dashboard: self.dashboard.or(file.dashboard),
            json: self.json.or(file.json),
            log: self.log.or(file.log),
            coverage: self.coverage.or(file.coverage),
            config: self.config,
            environment: self.environment,
        }
    }

    /// Resolves the paths of a file against its folder.
    fn below(mut self, file: &Path) -> Options {
        let folder = file.parent().unwrap_or(Path::new(""));
        let paths = [
            &mut self.seed_file,
            &mut self.profile,
            &mut self.policy,
            &mut self.data,
            &mut self.ca_out,
            &mut self.coverage,
        ];
        for path in paths {
            *path = path.take().map(|path| folder.join(path));
        }
        self.faults.iter_mut().for_each(|faults| faults.below(folder));
        self
    }

    /// Whether there are pages at `/dashboard`.
    pub(crate) fn shows_dashboard(&self) -> bool {
        self.dashboard.unwrap_or_default() != Dashboard::Off
    }

    /// Whether other machines may reach the server.
    pub(crate) fn is_for_others(&self) -> bool {
        let address = self.host().parse::<std::net::IpAddr>();
        address.map_or(self.host() != "localhost", |address| !address.is_loopback())
    }

    /// The address to listen on.
    pub(crate) fn host(&self) -> &str {
        self.host.as_deref().unwrap_or("127.0.0.1")
    }

    /// Whether to speak TLS.
    pub(crate) fn tls(&self) -> bool {
        self.tls.unwrap_or(self.ca_out.is_some())
    }

    /// Whether calls to `/v1` are logged at the analytics server.
    pub(crate) fn self_log(&self) -> bool {
        self.self_log.unwrap_or(false)
    }
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
}
