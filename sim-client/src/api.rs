//! Calls of the simulated API, and their answers.

use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, Method, Request};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{Client, Error, Result};

/// The simulated API of a world, as one caller.
///
/// ```
/// use serde::Deserialize;
/// use sim_client::Client;
///
/// #[derive(Deserialize)]
/// struct Organization {
///     slug: String,
/// }
///
/// # let server = sim_http::Server::spawn(sim_core::Simulator::builder().build());
/// # let url = server.url();
/// let world = Client::at(url).main()?;
/// let organizations: Vec<Organization> = world.api().get("/v1/organizations")?.read()?;
/// assert_eq!(organizations[0].slug, "acme");
///
/// let refused = world.api_as("").get("/v1/organizations")?;
/// assert_eq!((refused.status, refused.reason()), (401, Some("token_missing")));
/// # Ok::<(), sim_client::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Api<'w> {
    pub(crate) client: &'w Client,
    pub(crate) url: &'w str,
    pub(crate) token: Option<&'w str>,
}

impl Api<'_> {
    /// GET `path`, with its query.
    pub fn get(&self, path: &str) -> Result<Reply> {
        self.send(Method::GET, path, None::<&()>)
    }

    /// POST `body` as JSON.
    pub fn post(&self, path: &str, body: &impl Serialize) -> Result<Reply> {
        self.send(Method::POST, path, Some(body))
    }

    /// PUT `body` as JSON.
    pub fn put(&self, path: &str, body: &impl Serialize) -> Result<Reply> {
        self.send(Method::PUT, path, Some(body))
    }

    /// PATCH with `body` as JSON.
    pub fn patch(&self, path: &str, body: &impl Serialize) -> Result<Reply> {
        self.send(Method::PATCH, path, Some(body))
    }

    /// DELETE `path`, with its query.
    pub fn delete(&self, path: &str) -> Result<Reply> {
        self.send(Method::DELETE, path, None::<&()>)
    }

    /// Any method, with `body` as JSON if there is one.
    pub fn send(&self, method: Method, path: &str, body: Option<&impl Serialize>) -> Result<Reply> {
        let mut request = Request::builder().method(method).uri(path);
        if let Some(token) = self.token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        let body = match body {
            Some(body) => {
                request = request.header(CONTENT_TYPE, "application/json");
                serde_json::to_vec(body).map_err(Error::no_answer)?
            }
            None => Vec::new(),
        };
        self.client.send_to(self.url, request.body(body).map_err(Error::no_answer)?)
    }
}

/// An answer, including refusals.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Vec<u8>,
}

impl Reply {
    /// The body as JSON, for any status.
    pub fn json(&self) -> Result<Value> {
        serde_json::from_slice(&self.body).map_err(Error::unreadable)
    }

    /// The body of a success as any type that deserializes; an empty body counts as `{}`. A status of 400 or more is an error.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T> {
        if self.status >= 400 {
            return Err(Error::refused(self));
        }
        let body = if self.body.is_empty() { b"{}" } else { &self.body[..] };
        serde_json::from_slice(body).map_err(Error::unreadable)
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The reason of a refusal: the stable code in the header `x-sim-reason`.
    pub fn reason(&self) -> Option<&str> {
        self.header("x-sim-reason")
    }

    /// The number of the call, for [`World::explain`](crate::World::explain).
    pub fn call(&self) -> Option<u64> {
        self.header("x-sim-call")?.parse().ok()
    }

    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}
