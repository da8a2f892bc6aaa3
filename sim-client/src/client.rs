//! A running server.

use std::path::Path;
#[cfg(feature = "tls")]
use std::sync::Arc;

use http::Request;
use serde::Serialize;
use serde::de::DeserializeOwned;
#[cfg(feature = "tls")]
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::typestate::AgentScope;
use ureq::{Agent, config::ConfigBuilder};

use crate::world::Address;
use crate::{Error, NewWorld, Reply, Result, ScenarioInfo, World, operations};

/// The world that every server has from the start.
const MAIN: &str = "main";

/// A running server. A clone is a second handle on it.
///
/// ```
/// use sim_client::{Client, NewWorld};
///
/// # let server = sim_http::Server::spawn(sim_core::Simulator::builder().build());
/// # let url = server.url();
/// let client = Client::at(url);
/// let scenario = Some("paused-project".to_owned());
/// let world = client.create_world(&NewWorld { scenario, ..NewWorld::default() })?;
/// assert_eq!(client.worlds()?.len(), 2);
/// drop(world);
/// assert_eq!(client.worlds()?.len(), 1);
/// # Ok::<(), sim_client::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Client {
    agent: Agent,
    url: String,
}

impl Client {
    /// The server with this base URL, as `stuntdouble serve` prints it.
    pub fn at(url: &str) -> Client {
        #[cfg(feature = "tls")]
        return Client::with_authorities(url, &[]);
        #[cfg(not(feature = "tls"))]
        Client::with(url, |config| config)
    }

    /// A server that speaks TLS. `ca_pem` is the certificate of its authority, from the file that `stuntdouble serve --tls` names.
    /// Fails when `ca_pem` is no certificate.
    #[cfg(feature = "tls")]
    pub fn trusting(url: &str, ca_pem: &str) -> Result<Client> {
        let authority = Certificate::from_pem(ca_pem.as_bytes())
            .map_err(|error| Error::no_answer(format!("ca_pem: must be a certificate, {error}")))?;
        Ok(Client::with_authorities(url, &[authority]))
    }

    /// The server at `url`, whose certificate is of one of these authorities.
    #[cfg(feature = "tls")]
    fn with_authorities(url: &str, authorities: &[Certificate<'static>]) -> Client {
        let roots = RootCerts::new_with_certs(authorities);
        // `ureq` has no cryptography of its own here.
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = TlsConfig::builder().unversioned_rustls_crypto_provider(provider).root_certs(roots);
        Client::with(url, |config| config.tls_config(tls.build()))
    }

    /// The server that `stuntdouble exec` started around this process: the variable `STUNTDOUBLE_URL`, with `STUNTDOUBLE_CA` if it
    /// speaks TLS.
    pub fn from_env() -> Result<Client> {
        let missing =
            |_| Error::no_answer("STUNTDOUBLE_URL: is not set; stuntdouble exec -- COMMAND sets it");
        let url = std::env::var("STUNTDOUBLE_URL").map_err(missing)?;
        match std::env::var_os("STUNTDOUBLE_CA") {
            Some(file) => Client::trusting_file(&url, file.as_ref()),
            None => Ok(Client::at(&url)),
        }
    }

    /// A server that speaks TLS, with the certificate of its authority in a file.
    #[cfg(feature = "tls")]
    pub(crate) fn trusting_file(url: &str, file: &Path) -> Result<Client> {
        let unread = |error| Error::no_answer(format!("{}: can't be read, {error}", file.display()));
        Client::trusting(url, &std::fs::read_to_string(file).map_err(unread)?)
    }

    #[cfg(not(feature = "tls"))]
    pub(crate) fn trusting_file(url: &str, _: &Path) -> Result<Client> {
        Err(Error::no_answer(format!("{url}: speaks TLS, which needs the feature `tls` of sim-client")))
    }

    fn with(
        url: &str,
        settings: impl FnOnce(ConfigBuilder<AgentScope>) -> ConfigBuilder<AgentScope>,
    ) -> Client {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            // The server is usually on this machine, where a proxy from the environment could not reach it.
            .proxy(None);
        let agent = settings(config).build().new_agent();
        Client { agent, url: url.trim_end_matches('/').to_owned() }
    }

    /// The base URL, without a slash at the end.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The world that every server has from the start.
    pub fn main(&self) -> Result<World> {
        self.world(MAIN)
    }

    /// The world of this name. It stays when the handle is dropped.
    pub fn world(&self, name: &str) -> Result<World> {
        let address: Address = self.control("sim-get-world", &serde_json::json!({ "name": name }))?;
        Ok(World::new(self, address))
    }

    /// All worlds of the server, by name.
    pub fn worlds(&self) -> Result<Vec<World>> {
        let all: Vec<Address> = self.control("sim-list-worlds", &())?;
        Ok(all.into_iter().map(|address| World::new(self, address)).collect())
    }

    /// Creates a world. It is deleted when the handle is dropped, unless that is [`kept`](World::kept).
    pub fn create_world(&self, wanted: &NewWorld) -> Result<World> {
        self.create_world_of(wanted)
    }

    /// Like [`create_world`](Client::create_world), with your own type that serializes to the fields of [`NewWorld`].
    pub fn create_world_of(&self, wanted: &impl Serialize) -> Result<World> {
        let address: Address = self.control("sim-create-world", wanted)?;
        Ok(World::new(self, address).owned())
    }

    /// The worlds that [`NewWorld::scenario`] can name.
    pub fn scenarios(&self) -> Result<Vec<ScenarioInfo>> {
        self.control("sim-list-scenarios", &())
    }

    /// Makes any control operation on the server, or on its main world: see [`World::control`].
    pub fn control<R: DeserializeOwned>(&self, operation: &str, fields: &impl Serialize) -> Result<R> {
        self.send_to(&self.url, operations::request(operation, fields)?)?.read()
    }

    /// Sends `request` to its path below the base URL `url`. Any answer is a success, including refusals.
    pub fn send_to(&self, url: &str, request: Request<impl AsRef<[u8]>>) -> Result<Reply> {
        let (mut parts, body) = request.into_parts();
        let path = parts.uri.path_and_query().map_or("/", |path| path.as_str());
        let wrong = |error| {
            Error::no_answer(format!("url: must be like http://127.0.0.1:8787, received {url:?}, {error}"))
        };
        parts.uri = format!("{url}{path}").parse().map_err(wrong)?;
        let answer = match body.as_ref() {
            [] => self.agent.run(Request::from_parts(parts, ())),
            body => self.agent.run(Request::from_parts(parts, body)),
        };
        let (parts, mut body) = answer.map_err(Error::no_answer)?.into_parts();
        let body = body.with_config().limit(u64::MAX).read_to_vec().map_err(Error::unreadable)?;
        Ok(Reply { status: parts.status.as_u16(), headers: parts.headers, body })
    }
}
