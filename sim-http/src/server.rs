//! A server on threads of its own, and its settings.

mod builder;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use sim_core::engine::Coverage;
use sim_core::{Error, Simulator};
use tokio::sync::{oneshot, watch};

pub use self::builder::Builder;
use crate::executor::Executor;
use crate::outgoing::Listening;
use crate::request::{App, SimService};
use crate::worlds::{SimGuard, wait_for};

/// A simulator on a port. When dropped, it stops after the requests under way.
///
/// ```
/// use std::io::{Read as _, Write as _};
/// use sim_core::Simulator;
/// use sim_http::Server;
///
/// let server = Server::spawn(Simulator::builder().build());
/// let mut stream = std::net::TcpStream::connect(server.addr())?;
/// write!(stream, "GET /v1/projects HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")?;
/// let mut answer = String::new();
/// stream.read_to_string(&mut answer)?;
/// assert!(answer.starts_with("HTTP/1.1 401 Unauthorized"), "{answer}");
/// assert_eq!(server.sim().calls(), 1);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Server {
    app: Arc<App>,
    addr: SocketAddr,
    /// This server's address, so that its worlds post no messages to it.
    _listening: Listening,
    url: String,
    #[cfg(feature = "tls")]
    ca_pem: Option<String>,
    #[cfg(feature = "postgres")]
    pooler_addr: Option<SocketAddr>,
    stop: watch::Sender<bool>,
    executor: Executor,
    /// Reports that all requests have ended or were given up.
    ended: Option<oneshot::Receiver<()>>,
}

impl Server {
    /// Serves `sim` on a free port of 127.0.0.1. Its clock is paused.
    ///
    /// # Panics
    ///
    /// When no port is free or no thread can be started.
    pub fn spawn(sim: Simulator) -> Server {
        Server::builder().spawn(sim).expect("a port is free and a thread can be started")
    }

    /// Starts the settings of a server.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// Its base URL, such as `http://127.0.0.1:40123`, without a slash at the end.
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

    /// The first token of the analytics server of the main world; `None` unless that world has both services.
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

    /// The certificate of the authority that clients have to trust, as PEM; `None` unless [`tls`](Builder::tls) is on.
    #[cfg(feature = "tls")]
    pub fn ca_pem(&self) -> Option<&str> {
        self.ca_pem.as_deref()
    }

    /// The address at which it speaks PostgreSQL's protocol; `None` unless [`pooler`](Builder::pooler) is on.
    #[cfg(feature = "postgres")]
    pub fn pooler_addr(&self) -> Option<SocketAddr> {
        self.pooler_addr
    }

    /// Reads the main world, or changes it. The closure can't await anything, so no call waits for a world that its own test has
    /// locked.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_http::Server;
    ///
    /// let server = Server::spawn(Simulator::builder().build());
    /// assert_eq!(server.with(|sim| sim.calls()), 0);
    /// ```
    pub fn with<T>(&self, look: impl FnOnce(&mut Simulator) -> T) -> T {
        look(&mut self.app.sim())
    }

    /// The main world, locked. Requests to it wait until the guard is dropped; after five seconds they are refused with the reason
    /// `world_held`. In an async test prefer [`with`](Server::with).
    pub fn sim(&self) -> SimGuard<'_> {
        self.app.sim()
    }

    /// Adds `sim` as a world with this name and the speed of the main world; returns its URL. Refuses a name that is taken or that a
    /// path would have to escape.
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

    /// The coverage of all worlds, deleted ones included. A world whose call does not end soon is left out.
    pub fn coverage(&self) -> Coverage {
        self.app.hub.coverage()
    }

    /// The fault rules of all worlds that have applied to no call, and the decisions about work that no work has used, one line each,
    /// for the end of a run. A world whose call does not end soon is left out.
    pub fn unused(&self) -> Vec<String> {
        self.app.hub.unused()
    }

    /// The same worlds without a socket.
    pub fn service(&self) -> SimService {
        SimService { app: Arc::clone(&self.app) }
    }

    /// Accepts no more connections, finishes running requests and stops, as dropping it does.
    pub fn stop(self) {}
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(ended) = self.ended.take() {
            // The panic hook has reported a panic.
            let _ = wait_for(ended);
        }
        self.app.hub.end_calls(Duration::ZERO);
        self.executor.stop();
        self.app.hub.close();
    }
}
