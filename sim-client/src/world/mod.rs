//! One world of a server: its handle, calls of its API, and control operations by id. The folder has the rest of its methods:
//! time, copies and settings, faults and users, the journal.

mod copies;
mod faults;
mod journal;
mod time;

use std::marker::PhantomData;
use std::{fmt, mem};

use http::Request;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{Api, Client, Plain, Reply, Result, Types, operations};

/// A world of a server. Answers are read as the types of `T`.
///
/// A world that its handle made, by [`create_world`](Client::create_world) or by a fork, is deleted when the handle is dropped.
///
/// ```
/// use sim_client::{Client, NewWorld};
///
/// # let server = sim_http::Server::spawn(sim_core::Simulator::builder().build());
/// # let url = server.url();
/// let world = Client::at(url).create_world(&NewWorld::default())?;
/// let before = world.fork()?;
/// world.api().get("/v1/projects")?;
/// assert_eq!((world.info()?.calls, before.info()?.calls), (1, 0));
/// # Ok::<(), sim_client::Error>(())
/// ```
pub struct World<T: Types = Plain> {
    client: Client,
    address: Address,
    is_owned: bool,
    types: PhantomData<fn() -> T>,
}

/// How to reach a world.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Address {
    name: String,
    url: String,
    token: Option<String>,
    analytics_token: Option<String>,
}

impl World {
    pub(crate) fn new(client: &Client, address: Address) -> World {
        World { client: client.clone(), address, is_owned: false, types: PhantomData }
    }
}

impl<T: Types> World<T> {
    /// The same world, deleted when the handle is dropped.
    pub(crate) fn owned(mut self) -> World<T> {
        self.is_owned = true;
        self
    }

    /// The same world, which stays when the handle is dropped.
    #[must_use]
    pub fn kept(mut self) -> World<T> {
        self.is_owned = false;
        self
    }

    /// The same world, with answers read as the types of `U`.
    #[must_use]
    pub fn typed<U: Types>(mut self) -> World<U> {
        let is_owned = mem::take(&mut self.is_owned);
        World { client: self.client.clone(), address: self.address.clone(), is_owned, types: PhantomData }
    }

    /// The server.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Its name on the server.
    pub fn name(&self) -> &str {
        &self.address.name
    }

    /// The base URL for the client under test, for requests with any token.
    pub fn url(&self) -> &str {
        &self.address.url
    }

    /// The token of its first user; `None` in a world without users.
    pub fn token(&self) -> Option<&str> {
        self.address.token.as_deref()
    }

    /// The token of its analytics server; `None` unless the world has both services.
    pub fn analytics_token(&self) -> Option<&str> {
        self.address.analytics_token.as_deref()
    }

    /// The simulated API, called as the first user.
    pub fn api(&self) -> Api<'_> {
        Api { client: &self.client, url: self.url(), token: self.token() }
    }

    /// The simulated API, called with this token; with an empty one, without a token.
    pub fn api_as<'w>(&'w self, token: &'w str) -> Api<'w> {
        let token = Some(token).filter(|token| !token.is_empty());
        Api { client: &self.client, url: self.url(), token }
    }

    /// Sends a request with its own path and credentials. Any answer is a success, including refusals.
    pub fn send(&self, request: Request<impl AsRef<[u8]>>) -> Result<Reply> {
        self.client.send_to(self.url(), request)
    }

    /// Makes any control operation on this world, by its id in [`OPERATIONS`](crate::OPERATIONS). `fields` has the fields of path,
    /// query and body together; an array is the whole body.
    ///
    /// ```
    /// use serde_json::{Value, json};
    /// use sim_client::Client;
    ///
    /// # let server = sim_http::Server::spawn(sim_core::Simulator::builder().build());
    /// # let url = server.url();
    /// let world = Client::at(url).main()?;
    /// let record = json!({ "name": "api.example.test", "txt": ["verified"] });
    /// let answer: Value = world.control("sim-set-dns", &record)?;
    /// assert_eq!(answer["txt"], json!(["verified"]));
    /// # Ok::<(), sim_client::Error>(())
    /// ```
    pub fn control<R: DeserializeOwned>(&self, operation: &str, fields: &impl Serialize) -> Result<R> {
        self.send(operations::request(operation, fields)?)?.read()
    }

    /// Makes a control operation and ignores its answer.
    fn act(&self, operation: &str, fields: &impl Serialize) -> Result<()> {
        self.control::<IgnoredAny>(operation, fields).map(drop)
    }

    /// Name, URL, seed, time, and number of calls.
    pub fn info(&self) -> Result<T::World> {
        self.control("sim-get-world", &self.named())
    }

    /// Deletes the world.
    pub fn delete(mut self) -> Result<()> {
        self.is_owned = false;
        self.act("sim-delete-world", &self.named())
    }

    fn named(&self) -> serde_json::Value {
        json!({ "name": self.name() })
    }
}

impl<T: Types> Drop for World<T> {
    fn drop(&mut self) {
        if self.is_owned {
            // This fails if the server is gone, and the world with it.
            let _ = self.act("sim-delete-world", &self.named());
        }
    }
}

impl<T: Types> fmt::Debug for World<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World").field("name", &self.name()).field("url", &self.url()).finish_non_exhaustive()
    }
}
