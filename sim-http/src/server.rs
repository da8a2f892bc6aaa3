//! A server on its own thread, from spawn to drop.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

use sim_core::engine::Coverage;
use sim_core::{Error, Simulator};
use tokio::net::{TcpListener, TcpSocket};
use tokio::runtime::Runtime;
use tokio::sync::watch;

use crate::disk::{Disk, Durability};
use crate::listen::accept::{self, Acceptor};
use crate::listen::limits::Limits;
use crate::listen::tls::Tls;
use crate::outgoing::Dialer;
use crate::outgoing::{Courier, Tray};
use crate::request::access::{ControlAccess, Gate, HostName, Origin};
use crate::request::log::LogLine;
use crate::request::service::{App, Log, SimService};
use crate::worlds::hub::Hub;
use crate::worlds::world::SimGuard;

/// Connections that may wait to be taken in.
const BACKLOG: u32 = 1024;

/// A simulator on a port. Stops when dropped, after the requests under way.
///
/// ```
/// use std::io::{Read as _, Write as _};
/// use sim_core::Simulator;
/// use sim_http::Server;
///
/// let server = Server::spawn(Simulator::builder().build());
/// let mut stream = std::net::TcpStream::connect(server.addr())?;
/// write!(stream, "GET /v1/projects HTTP/1.1\r\nhost: sim\r\nconnection: close\r\n\r\n")?;
/// let mut answer = String::new();
/// stream.read_to_string(&mut answer)?;
/// assert!(answer.starts_with("HTTP/1.1 401 Unauthorized"), "{answer}");
/// assert_eq!(server.sim().calls(), 1);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Server {
    app: Arc<App>,
    addr: SocketAddr,
    url: String,
    #[cfg(feature = "tls")]
    ca_pem: Option<String>,
    stop: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Serves `sim` on a free port of 127.0.0.1. Its clock stands until it is moved.
    ///
    /// # Panics
    ///
    /// When there is no free port or no thread to be had.
    pub fn spawn(sim: Simulator) -> Server {
        Server::builder().spawn(sim).expect("a port and a thread are to be had")
    }

    /// Begins a server with other than the usual settings.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Where it is: `http://127.0.0.1:40123`, without a slash at the end.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The address it listens on.
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// The token of the first user of the main world.
    ///
    /// # Panics
    ///
    /// In a world without users.
    pub fn token(&self) -> &str {
        self.app.hub.main.token.as_deref().expect("the world has a user")
    }

    /// The first token of the analytics server of the main world, where it has one beside `/v1`.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_http::Server;
    ///
    /// let server = Server::spawn(Simulator::builder().with_self_log().build());
    /// assert!(server.analytics_token().is_some());
    /// ```
    pub fn analytics_token(&self) -> Option<&str> {
        self.app.hub.main.analytics_token.as_deref()
    }

    /// The certificate of the authority that clients have to trust, as PEM; `None` without TLS.
    #[cfg(feature = "tls")]
    pub fn ca_pem(&self) -> Option<&str> {
        self.ca_pem.as_deref()
    }

    /// The main world, locked to look inside: requests to it wait until the guard is dropped.
    pub fn sim(&self) -> SimGuard<'_> {
        self.app.sim()
    }

    /// Adds `sim` as a world with that name, whose clock goes as fast as the main one's; returns its URL. Refuses a
    /// name that is taken or could not stand in a path.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_http::Server;
    ///
    /// let server = Server::spawn(Simulator::builder().build());
    /// let url = server.add_world("second", Simulator::builder().seed(2).build())?;
    /// assert_eq!(url, format!("{}/w/second", server.url()));
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn add_world(&self, name: &str, sim: Simulator) -> Result<String, Error> {
        let hub = &self.app.hub;
        hub.add(hub.reserve(Some(name.to_owned()))?, sim, hub.speed)?;
        Ok(format!("{}/w/{name}", self.url))
    }

    /// What the calls of all worlds have reached, those included that are gone.
    pub fn coverage(&self) -> Coverage {
        self.app.hub.coverage()
    }

    /// The same worlds without a socket.
    pub fn service(&self) -> SimService {
        SimService { app: Arc::clone(&self.app) }
    }

    /// Takes no more connections, waits for the requests under way and stops. So does dropping it.
    pub fn stop(self) {}
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(thread) = self.thread.take() {
            // A panic of the server's thread has been reported by its hook.
            let _ = thread.join();
        }
        self.app.hub.close();
    }
}

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
    nodelay: bool,
    posts: bool,
    egress: bool,
    data: Option<(PathBuf, Durability)>,
    control: Option<ControlAccess>,
    hosts: Vec<HostName>,
    origins: Vec<Origin>,
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
            nodelay: true,
            posts: true,
            egress: false,
            data: None,
            control: None,
            hosts: Vec::new(),
            origins: Vec::new(),
            #[cfg(feature = "dashboard")]
            dashboard: crate::Dashboard::default(),
        }
    }
}

impl Builder {
    /// Where to listen; port 0 is any free one. Default 127.0.0.1:0.
    pub fn addr(mut self, addr: SocketAddr) -> Builder {
        self.addr = addr;
        self
    }

    /// The name that clients use, for URL and certificate; the address unless given.
    pub fn host(mut self, host: &str) -> Builder {
        self.host = Some(host.to_owned());
        self
    }

    /// Speak TLS, with a certificate made at start. Default no.
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

    /// What a client may take.
    pub fn limits(mut self, limits: Limits) -> Builder {
        self.limits = limits;
        self
    }

    /// Called after each request, on the server's thread; it should not take long.
    ///
    /// ```
    /// use sim_http::Server;
    ///
    /// let builder = Server::builder().log(|line| eprintln!("{line}"));
    /// # let _ = builder;
    /// ```
    pub fn log(mut self, log: impl Fn(&LogLine) + Send + Sync + 'static) -> Builder {
        self.log = Some(Arc::new(log));
        self
    }

    /// Simulated seconds for each real one, 0 to 1,000,000. At 0, the default, the clock stands until it is moved by
    /// hand; with [`Pace::Manual`](sim_core::Pace) it always does.
    pub fn speed(mut self, speed: f64) -> Builder {
        self.speed = speed.clamp(0.0, crate::worlds::clock::SPEED_MAX);
        self
    }

    /// Send small answers at once (`TCP_NODELAY`). Default yes.
    pub fn nodelay(mut self, nodelay: bool) -> Builder {
        self.nodelay = nodelay;
        self
    }

    /// Post what worlds of the analytics server send to webhooks and chats while they are served, to loopback
    /// addresses. Default yes; otherwise it waits in the outbox for a test to read and to answer.
    pub fn posts(mut self, posts: bool) -> Builder {
        self.posts = posts;
        self
    }

    /// Post to other addresses too, wherever they are. Default no.
    pub fn allow_egress(mut self, egress: bool) -> Builder {
        self.egress = egress;
        self
    }

    /// Keep worlds in this directory, each in one of its own, as safe as the level says. Worlds that are there already go
    /// on from where they were; then the simulator that is to be served is not the main world, but the one that is there.
    /// Snapshots by name live as long as the server.
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

    /// Who gets to the control API. Default those on this machine, or whoever gets to see the dashboard.
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

    /// One more name by which clients may call the control API: `localhost`, loopback addresses and [`host`](Builder::host)
    /// are known anyway, and every address where [`control`](Builder::control) is open.
    pub fn allow_host(mut self, name: HostName) -> Builder {
        self.hosts.push(name);
        self
    }

    /// Lets pages from there call the control API and read its answers, beside those that the server has itself.
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

    /// Who gets to see the pages at `/dashboard`. Default those on this machine.
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

    /// The dashboard is worth nothing to whom its calls are refused.
    fn control_access(&self) -> ControlAccess {
        #[cfg(feature = "dashboard")]
        let is_open = self.dashboard == crate::Dashboard::Anywhere;
        #[cfg(not(feature = "dashboard"))]
        let is_open = false;
        self.control.unwrap_or(if is_open { ControlAccess::Open } else { ControlAccess::Loopback })
    }

    /// Serves `sim` as the main world, on a thread of its own. Accepts connections when it returns.
    ///
    /// Fails when the address can't be had.
    pub fn spawn(self, sim: Simulator) -> io::Result<Server> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let listener = listen(&runtime, self.addr)?;
        let addr = listener.local_addr()?;
        let control = self.control_access();
        let host = self.host.clone().unwrap_or_else(|| shown_ip(addr));
        let tls = self.make_tls(&host)?;
        #[cfg(feature = "tls")]
        let ca_pem = tls.as_ref().map(|tls| tls.ca_pem().to_owned());
        let url = url(if tls.is_some() { "https" } else { "http" }, &host, addr.port());
        let tray = self.posts.then(|| {
            let (tray, other_end) = Tray::new();
            runtime.spawn(Courier::new(Dialer::new(self.egress)).run(other_end));
            tray
        });
        let hub = match &self.data {
            None => Hub::new(sim, self.speed, tray),
            Some((dir, durability)) => Hub::on_disk(Disk::open(dir, *durability)?, || sim, self.speed, tray)?,
        };
        let gate = Gate {
            control,
            hosts: host.parse().into_iter().chain(self.hosts).collect(),
            origins: self.origins,
        };
        let app = App { log: self.log, gate, ..App::new(hub) };
        #[cfg(feature = "dashboard")]
        let app = App { dashboard: self.dashboard, ..app };
        let app = Arc::new(app);
        let (stop, _) = watch::channel(false);
        let serving = accept::serve(
            Acceptor { app: Arc::clone(&app), tls, limits: self.limits, nodelay: self.nodelay },
            listener,
            stop.clone(),
        );
        let thread = std::thread::Builder::new().name("stuntdouble".to_owned());
        let thread = thread.spawn(move || {
            runtime.block_on(serving);
            // Who still looks up a name is not waited for.
            runtime.shutdown_background();
        });
        let thread = Some(thread?);
        Ok(Server {
            app,
            addr,
            url,
            #[cfg(feature = "tls")]
            ca_pem,
            stop,
            thread,
        })
    }

    #[cfg(feature = "tls")]
    fn make_tls(&self, host: &str) -> io::Result<Option<Tls>> {
        self.tls.then(|| Tls::new(host)).transpose()
    }

    #[cfg(not(feature = "tls"))]
    fn make_tls(&self, _: &str) -> io::Result<Option<Tls>> {
        Ok(None)
    }
}

fn listen(runtime: &Runtime, addr: SocketAddr) -> io::Result<TcpListener> {
    let _runtime = runtime.enter();
    let socket = if addr.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // On Unix: a port whose last owner has just gone can be had.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(addr)?;
    socket.listen(BACKLOG)
}

/// The address that reaches `addr` from this machine: that of the loopback when it means all.
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
