//! Settings of a server, and its start.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use sim_core::Simulator;
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::Runtime;
use tokio::sync::watch;

use super::Server;
use crate::disk::{Disk, Durability};
use crate::executor::Executor;
use crate::listen::{self, Acceptor, Limits, Requests, Tls, Unsent};
use crate::outgoing::{Delivery, Listening, OutgoingQueue, Poster};
use crate::request::{AccessRules, App, ControlAccess, HostName, Log, LogLine, Origin, Warn};
use crate::worlds::{Hub, SPEED_MAX};

/// Connections that may wait to be accepted.
const BACKLOG: u32 = 1024;

/// Settings of a server.
///
/// ```
/// use sim_core::Simulator;
/// use sim_http::{Limits, Server};
///
/// let server = Server::builder()
///     .speed(60.0)
///     .limits(Limits { connections: 10, ..Limits::default() })
///     .spawn(Simulator::builder().build())?;
/// assert!(server.url().starts_with("http://127.0.0.1:"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub struct Builder {
    addr: SocketAddr,
    host: Option<String>,
    #[cfg(feature = "tls")]
    tls: bool,
    limits: Limits,
    log: Option<Log>,
    speed: f64,
    begins_now: bool,
    warn: Option<Warn>,
    nodelay: bool,
    posts: bool,
    egress: bool,
    token_secret: Option<String>,
    data: Option<(PathBuf, Durability)>,
    control: Option<ControlAccess>,
    hosts: Vec<HostName>,
    origins: Vec<Origin>,
    #[cfg(feature = "postgres")]
    pooler: Option<u16>,
    #[cfg(feature = "dashboard")]
    dashboard: crate::Dashboard,
}

impl Default for Builder {
    fn default() -> Builder {
        Builder {
            addr: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            host: None,
            #[cfg(feature = "tls")]
            tls: false,
            limits: Limits::default(),
            log: None,
            speed: 0.0,
            begins_now: false,
            warn: None,
            nodelay: true,
            posts: true,
            egress: false,
            token_secret: None,
            data: None,
            control: None,
            hosts: Vec::new(),
            origins: Vec::new(),
            #[cfg(feature = "postgres")]
            pooler: None,
            #[cfg(feature = "dashboard")]
            dashboard: crate::Dashboard::default(),
        }
    }
}

impl Builder {
    /// The address to listen on; port 0 is any free one. Default 127.0.0.1:0.
    pub fn addr(mut self, addr: SocketAddr) -> Builder {
        self.addr = addr;
        self
    }

    /// The name by which clients address the server, for URL and certificate. Default the address.
    pub fn host(mut self, host: &str) -> Builder {
        self.host = Some(host.to_owned());
        self
    }

    /// Whether to speak TLS, with a certificate made at start. Default no.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_http::Server;
    ///
    /// let server = Server::builder().tls(true).spawn(Simulator::builder().build())?;
    /// assert!(server.url().starts_with("https://127.0.0.1:"));
    /// assert!(server.ca_pem().is_some());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[cfg(feature = "tls")]
    pub fn tls(mut self, tls: bool) -> Builder {
        self.tls = tls;
        self
    }

    /// Limits on clients.
    pub fn limits(mut self, limits: Limits) -> Builder {
        self.limits = limits;
        self
    }

    /// A function that is called after each request, on a thread of the server. It should not take long. To write lines to standard
    /// error, use [`write_stderr`](crate::write_stderr), which does not wait for the reader.
    ///
    /// ```
    /// use sim_http::{Server, write_stderr};
    ///
    /// let builder = Server::builder().log(|line| write_stderr(line));
    /// # let _ = builder;
    /// ```
    pub fn log(mut self, log: impl Fn(&LogLine) + Send + Sync + 'static) -> Builder {
        self.log = Some(Arc::new(log));
        self
    }

    /// Simulated seconds for each real one, 0 to 1,000,000. At 0, the default, and with [`Pace::Manual`](sim_core::Pace), the clock
    /// only moves when a test moves it.
    pub fn speed(mut self, speed: f64) -> Builder {
        self.speed = speed.clamp(0.0, SPEED_MAX);
        self
    }

    /// Whether worlds that clients make begin at the machine's present, unless they say otherwise, and worlds kept on disk go on there,
    /// unless their own present is later. Default no: they begin at the fixed instant of worlds in process, and go on where they were.
    pub fn begins_now(mut self, begins_now: bool) -> Builder {
        self.begins_now = begins_now;
        self
    }

    /// A function that gets a line when the server sees that it is probably set up wrongly. So far: the first time that events are
    /// refused because they lie ahead of the clock.
    pub fn warn(mut self, warn: impl Fn(&str) + Send + Sync + 'static) -> Builder {
        self.warn = Some(Warn::new(warn));
        self
    }

    /// Whether to send small answers at once (`TCP_NODELAY`). Default yes.
    pub fn nodelay(mut self, nodelay: bool) -> Builder {
        self.nodelay = nodelay;
        self
    }

    /// Whether to post the messages of the analytics server to webhooks and chats, if their addresses are loopback ones. Default yes.
    /// Otherwise messages stay in the outbox, where a test can read and answer them.
    pub fn posts(mut self, posts: bool) -> Builder {
        self.posts = posts;
        self
    }

    /// Whether to post to other addresses too. Default no.
    pub fn allow_egress(mut self, egress: bool) -> Builder {
        self.egress = egress;
        self
    }

    /// A secret from which the default tokens of worlds are derived, if clients create these worlds without a seed. By default there is
    /// none, and such tokens follow from the names of the worlds. See [`sim_core::engine::Builder::token_secret`] for the main world.
    pub fn token_secret(mut self, secret: &str) -> Builder {
        self.token_secret = Some(secret.to_owned());
        self
    }

    /// A directory to keep worlds in, and when a change counts as safe. Worlds that are already there continue where they were.
    /// If the main world is among them, it is served in the place of the simulator given to [`spawn`](Builder::spawn). Named
    /// snapshots are not kept.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_core::management::project::{CreateProject, ListProjects};
    /// use sim_http::{Durability, Server};
    ///
    /// let dir = std::env::temp_dir().join(format!("stuntdouble-doc-{}", std::process::id()));
    /// let serve = || Server::builder().data(&dir, Durability::Process).spawn(Simulator::builder().build());
    /// let server = serve()?;
    /// server.sim().call(CreateProject::named("demo", "acme")).expect("the name is new");
    /// drop(server);
    /// assert_eq!(serve()?.sim().call(ListProjects {}).expect("they are listed").len(), 1);
    /// std::fs::remove_dir_all(&dir)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn data(mut self, dir: impl Into<PathBuf>, durability: Durability) -> Builder {
        self.data = Some((dir.into(), durability));
        self
    }

    /// Who may call the control API. Default clients on this machine, or everybody where the dashboard is open to everybody.
    ///
    /// ```
    /// use sim_http::{ControlAccess, Server};
    ///
    /// let builder = Server::builder().control(ControlAccess::Off);
    /// # let _ = builder;
    /// ```
    pub fn control(mut self, control: ControlAccess) -> Builder {
        self.control = Some(control);
        self
    }

    /// One more name by which clients on this machine may address the server, and all clients the control API. `localhost`, loopback
    /// addresses and [`host`](Builder::host) are always accepted. So is every other address, by the control API where
    /// [`control`](Builder::control) is open.
    pub fn allow_host(mut self, name: HostName) -> Builder {
        self.hosts.push(name);
        self
    }

    /// One more origin whose pages may call the server and read its answers. The server's own pages always may. With `*` pages of
    /// every origin may call the simulated services; the control API needs an origin by name.
    ///
    /// ```
    /// use sim_http::Server;
    ///
    /// let builder = Server::builder().allow_origin("http://localhost:3000".parse()?);
    /// # let _ = builder;
    /// # Ok::<(), String>(())
    /// ```
    pub fn allow_origin(mut self, origin: Origin) -> Builder {
        self.origins.push(origin);
        self
    }

    /// A port on which to speak PostgreSQL's protocol, so that drivers connect to the databases of projects as `postgres.<ref>`, with
    /// the project's password; port 0 is any free one. Default none. Connection strings that the API gives then name this port.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_http::Server;
    ///
    /// let server = Server::builder().pooler(0).spawn(Simulator::builder().build())?;
    /// assert!(server.pooler_addr().is_some());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[cfg(feature = "postgres")]
    pub fn pooler(mut self, port: u16) -> Builder {
        self.pooler = Some(port);
        self
    }

    /// Who may see the pages at `/dashboard`. Default browsers on this machine.
    ///
    /// ```
    /// use sim_http::{Dashboard, Server};
    ///
    /// let builder = Server::builder().dashboard(Dashboard::Off);
    /// # let _ = builder;
    /// ```
    #[cfg(feature = "dashboard")]
    pub fn dashboard(mut self, dashboard: crate::Dashboard) -> Builder {
        self.dashboard = dashboard;
        self
    }

    /// Where everybody sees the dashboard, everybody may call the control API, because the pages need it.
    fn control_access(&self) -> ControlAccess {
        #[cfg(feature = "dashboard")]
        let is_open = self.dashboard == crate::Dashboard::Anywhere;
        #[cfg(not(feature = "dashboard"))]
        let is_open = false;
        self.control.unwrap_or(if is_open { ControlAccess::Open } else { ControlAccess::Loopback })
    }

    /// Serves `sim` as the main world, on threads of its own. It accepts connections by the time this returns.
    ///
    /// Fails when it can't listen on the address.
    pub fn spawn(self, sim: Simulator) -> io::Result<Server> {
        let executor = Executor::new()?;
        let listener = bind(executor.runtime(), self.addr)?;
        let addr = listener.local_addr()?;
        let listening = Listening::at(addr);
        let control = self.control_access();
        let host = self.host.clone().unwrap_or_else(|| shown_ip(addr));
        #[cfg(feature = "postgres")]
        let pooler = self.pooler.map(|port| bind(executor.runtime(), SocketAddr::new(self.addr.ip(), port)));
        #[cfg(feature = "postgres")]
        let pooler = pooler.transpose()?;
        #[cfg(feature = "postgres")]
        let pooler_addr = pooler.as_ref().map(TcpListener::local_addr).transpose()?;
        let pooler_at: Option<(String, u16)>;
        #[cfg(feature = "postgres")]
        {
            pooler_at = pooler_addr.map(|addr| (host.clone(), addr.port()));
        }
        #[cfg(not(feature = "postgres"))]
        {
            pooler_at = None;
        }
        let sim = with_pooler(sim, pooler_at.as_ref());
        let names = database_names(&sim, pooler_at.is_some());
        let tls = self.make_tls(&host, &names)?.map(Arc::new);
        #[cfg(feature = "tls")]
        let ca_pem = tls.as_ref().map(|tls| tls.ca_pem().to_owned());
        let url = url(if tls.is_some() { "https" } else { "http" }, &host, addr.port());
        let outgoing = self.posts.then(|| {
            let (queue, other_end) = OutgoingQueue::new();
            executor.spawn(Delivery::new(Poster::new(self.egress), executor.clone()).run(other_end));
            queue
        });
        let mut hub = match &self.data {
            None => Hub::new(sim, self.speed, outgoing),
            Some((dir, durability)) => {
                let found = |sim| with_pooler(sim, pooler_at.as_ref());
                let disk = Disk::open(dir, *durability)?;
                Hub::on_disk(disk, || sim, found, self.speed, self.begins_now, outgoing)?
            }
        };
        hub.token_secret = self.token_secret;
        hub.begins_now = self.begins_now;
        hub.pooler = pooler_at;
        let access = AccessRules {
            control,
            hosts: host.parse().into_iter().chain(self.hosts).collect(),
            origins: self.origins,
        };
        let unsent = Arc::new(Unsent::new(self.limits.unsent_bytes));
        let requests = Arc::new(Requests::new(self.limits.request_bytes));
        let app = App { log: self.log, warn: self.warn, access, unsent, requests, ..App::new(hub) };
        #[cfg(feature = "dashboard")]
        let app = App { dashboard: self.dashboard, ..app };
        let app = Arc::new(app);
        let (stop, _) = watch::channel(false);
        #[cfg(feature = "postgres")]
        if let Some(listener) = pooler {
            let own =
                crate::pooler::Pooler::new(Arc::clone(&app), executor.clone(), tls.clone(), self.limits);
            executor.spawn(Arc::new(own).serve(listener, stop.subscribe()));
        }
        let acceptor = Acceptor {
            app: Arc::clone(&app),
            tls,
            limits: self.limits,
            nodelay: self.nodelay,
            executor: executor.clone(),
        };
        if let Some(limit) = self.limits.call_time {
            let app = Arc::clone(&app);
            executor.spawn(async move { app.hub.end_long_calls(limit).await });
        }
        let ended = executor.run(listen::serve(acceptor, listener, stop.clone()));
        executor.start()?;
        Ok(Server {
            app,
            addr,
            _listening: listening,
            url,
            #[cfg(feature = "tls")]
            ca_pem,
            #[cfg(feature = "postgres")]
            pooler_addr,
            stop,
            executor,
            ended: Some(ended),
        })
    }

    #[cfg(feature = "tls")]
    fn make_tls(&self, host: &str, names: &[String]) -> io::Result<Option<Tls>> {
        self.tls.then(|| Tls::new(host, names)).transpose()
    }

    #[cfg(not(feature = "tls"))]
    fn make_tls(&self, _: &str, _: &[String]) -> io::Result<Option<Tls>> {
        Ok(None)
    }
}

/// A world whose connection strings name the pooler.
fn with_pooler(sim: Simulator, at: Option<&(String, u16)>) -> Simulator {
    match at {
        Some((host, port)) => sim.with_pooler_at(host, *port),
        None => sim,
    }
}

/// The names by which clients address the databases of a world, for the certificate.
fn database_names(sim: &Simulator, has_pooler: bool) -> Vec<String> {
    if !has_pooler {
        return Vec::new();
    }
    let profile = sim.profile();
    let pooler = profile.pooler_host("", &profile.project_domain);
    let direct = format!("*.{}", profile.project_domain);
    [pooler, direct].into_iter().filter(|name| !name.contains("..") && !name.starts_with('.')).collect()
}

fn bind(runtime: &Runtime, addr: SocketAddr) -> io::Result<TcpListener> {
    let _runtime = runtime.enter();
    let socket = if addr.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // On Unix this allows a port that another server has just released.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(addr)?;
    socket.listen(BACKLOG)
}

/// An address that reaches `addr` from this machine: a loopback address if `addr` stands for all addresses.
fn shown_ip(addr: SocketAddr) -> String {
    match addr {
        SocketAddr::V4(v4) if v4.ip().is_unspecified() => "127.0.0.1".to_owned(),
        SocketAddr::V6(v6) if v6.ip().is_unspecified() => "::1".to_owned(),
        other => other.ip().to_string(),
    }
}

fn url(scheme: &str, host: &str, port: u16) -> String {
    match host.contains(':') {
        true => format!("{scheme}://[{host}]:{port}"),
        false => format!("{scheme}://{host}:{port}"),
    }
}
