//! Worlds of a server elsewhere, driven from Rust: in another process, or on a thread of this one.
//!
//! [`Client`] is the server, [`World`] one of its worlds, whose methods have the names that they have in process. Requests
//! and answers are the server's own types: those of [`control`](crate::control), and every
//! [`Operation`](sim_core::Operation).
//!
//! ```
//! use std::time::Duration;
//! use sim_core::Simulator;
//! use sim_core::engine::fault::{AddFault, Effect, Fault, On};
//! use sim_core::management::project::{CreateProject, ListProjects, Status};
//! use sim_http::Server;
//! use sim_http::client::Client;
//! use sim_http::control::CreateWorld;
//!
//! let server = Server::spawn(Simulator::builder().build());
//! let client = Client::at(server.url());
//! let world = client.create_world(CreateWorld { seed: Some(7), ..CreateWorld::default() })?;
//!
//! world.call(AddFault(Fault::new(On::operation("v1-create-a-project"), Effect::LostAnswer)))?;
//! let lost = world.call(CreateProject::named("demo", "acme")).unwrap_err();
//! assert_eq!(lost.reason, "no_answer");
//! world.advance(Duration::from_secs(60))?;
//! assert_eq!(world.call(ListProjects {})?[0].status, Status::ActiveHealthy);
//! # Ok::<(), sim_http::client::Error>(())
//! ```
//!
//! Calls wait for their answers, so a test needs no runtime; in one that has, they block its thread.

mod error;
mod process;
mod world;

use std::path::Path;
#[cfg(feature = "tls")]
use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
#[cfg(feature = "tls")]
use tokio_rustls::rustls::crypto::ring;
use ureq::Agent;
use ureq::config::ConfigBuilder;
#[cfg(feature = "tls")]
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::typestate::AgentScope;

pub use self::error::Error;
pub use self::process::Process;
pub use self::world::World;
use crate::control::{Control, CreateWorld, GetWorld, ListScenarios, ListWorlds, ScenarioInfo};
use crate::worlds::MAIN;

/// What a call comes to.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A server elsewhere. A clone is a second handle on it.
#[derive(Clone, Debug)]
pub struct Client {
    agent: Agent,
    url: String,
}

impl Client {
    /// The server at that address, as [`Server::url`](crate::Server::url) and `stuntdouble serve` have it.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_http::{Server, client::Client};
    ///
    /// let server = Server::spawn(Simulator::builder().build());
    /// assert_eq!(Client::at(server.url()).main()?.token(), Some(server.token()));
    /// # Ok::<(), sim_http::client::Error>(())
    /// ```
    pub fn at(url: &str) -> Client {
        Client::with(url, |config| config)
    }

    /// The same over TLS; `ca_pem` is the authority that the server has
    /// ([`Server::ca_pem`](crate::Server::ca_pem), the file `STUNTDOUBLE_CA`). Refuses what is no certificate.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_http::{Server, client::Client};
    ///
    /// let server = Server::builder().tls(true).spawn(Simulator::builder().build())?;
    /// let client = Client::trusting(server.url(), server.ca_pem().unwrap_or_default())?;
    /// assert_eq!(client.worlds()?.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "tls")]
    pub fn trusting(url: &str, ca_pem: &str) -> Result<Client> {
        let authority = Certificate::from_pem(ca_pem.as_bytes())
            .map_err(|error| Error::no_answer(format!("ca_pem: must be a certificate, {error}")))?;
        let roots = RootCerts::new_with_certs(&[authority]);
        let provider = Arc::new(ring::default_provider());
        let tls = TlsConfig::builder().unversioned_rustls_crypto_provider(provider).root_certs(roots);
        Ok(Client::with(url, |config| config.tls_config(tls.build())))
    }

    /// The server that `stuntdouble exec` has started around this process: `STUNTDOUBLE_URL`, and `STUNTDOUBLE_CA` where
    /// it speaks TLS.
    pub fn from_env() -> Result<Client> {
        let missing =
            |_| Error::no_answer("STUNTDOUBLE_URL: is not set; stuntdouble exec -- COMMAND sets it");
        let url = std::env::var("STUNTDOUBLE_URL").map_err(missing)?;
        match std::env::var_os("STUNTDOUBLE_CA") {
            Some(file) => Client::trusting_file(&url, file.as_ref()),
            None => Ok(Client::at(&url)),
        }
    }

    /// The same as [`trusting`](Client::trusting), with the certificate in a file.
    #[cfg(feature = "tls")]
    fn trusting_file(url: &str, file: &Path) -> Result<Client> {
        let unread = |error| Error::no_answer(format!("{}: can't be read, {error}", file.display()));
        Client::trusting(url, &std::fs::read_to_string(file).map_err(unread)?)
    }

    #[cfg(not(feature = "tls"))]
    fn trusting_file(url: &str, _: &Path) -> Result<Client> {
        Err(Error::no_answer(format!("{url}: speaks TLS, which needs the feature `tls` of sim-http")))
    }

    fn with(
        url: &str,
        settings: impl FnOnce(ConfigBuilder<AgentScope>) -> ConfigBuilder<AgentScope>,
    ) -> Client {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            // The server is on this machine: a proxy that the environment names does not lead to it.
            .proxy(None);
        let agent = settings(config).build().new_agent();
        Client { agent, url: url.trim_end_matches('/').to_owned() }
    }

    /// The world that is there from the start.
    pub fn main(&self) -> Result<World> {
        self.world(MAIN)
    }

    /// The world of that name; it stays when the handle is dropped.
    pub fn world(&self, name: &str) -> Result<World> {
        let info = self.control(GetWorld { name: name.to_owned() })?;
        Ok(World::new(self, info))
    }

    /// All worlds on the port, by name.
    pub fn worlds(&self) -> Result<Vec<World>> {
        let all = self.control(ListWorlds {})?;
        Ok(all.into_iter().map(|info| World::new(self, info)).collect())
    }

    /// Makes a world, which is deleted when the handle is dropped.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_http::control::CreateWorld;
    /// use sim_http::{Server, client::Client};
    ///
    /// let server = Server::spawn(Simulator::builder().build());
    /// let client = Client::at(server.url());
    /// let scenario = Some("paused-project".to_owned());
    /// let world = client.create_world(CreateWorld { scenario, ..CreateWorld::default() })?;
    /// assert_eq!(client.worlds()?.len(), 2);
    /// drop(world);
    /// assert_eq!(client.worlds()?.len(), 1);
    /// # Ok::<(), sim_http::client::Error>(())
    /// ```
    pub fn create_world(&self, wanted: CreateWorld) -> Result<World> {
        Ok(World::new(self, self.control(wanted)?).ours())
    }

    /// Worlds to begin with: the names that the field `scenario` of a new world takes.
    pub fn scenarios(&self) -> Result<Vec<ScenarioInfo>> {
        self.control(ListScenarios {})
    }

    /// Any control operation of the server, on the world `main` where it is about one.
    pub fn control<C: Control>(&self, operation: C) -> Result<C::Output> {
        control_at(self, &self.url, operation)
    }

    /// Sends `request`, whose address is whole, and waits for the answer, whatever it is.
    fn exchange(&self, request: Request<Bytes>) -> Result<Response<Bytes>> {
        let (parts, body) = request.into_parts();
        let answered = if body.is_empty() {
            self.agent.run(Request::from_parts(parts, ()))
        } else {
            self.agent.run(Request::from_parts(parts, &body[..]))
        };
        let (parts, mut body) = answered.map_err(Error::no_answer)?.into_parts();
        let body = body.with_config().limit(u64::MAX).read_to_vec().map_err(Error::unreadable)?;
        Ok(Response::from_parts(parts, body.into()))
    }
}

/// Makes a control operation on the world at `url`.
fn control_at<C: Control>(client: &Client, url: &str, operation: C) -> Result<C::Output> {
    let input = serde_json::to_value(operation).expect("a request is plain data");
    error::read(client.exchange(at(url, C::META.request(input))?)?)
}

/// `request`, which has a path, on the world at `url`. Refuses what is no address.
fn at(url: &str, request: Request<Bytes>) -> Result<Request<Bytes>> {
    let (mut parts, body) = request.into_parts();
    let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    let wrong = |error| {
        Error::no_answer(format!("url: must be like http://127.0.0.1:8787, received {url:?}, {error}"))
    };
    parts.uri = format!("{url}{path}").parse().map_err(wrong)?;
    Ok(Request::from_parts(parts, body))
}
