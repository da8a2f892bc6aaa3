//! One world of a server, with typed calls.

use std::ops::Deref;

use bytes::Bytes;
use http::header::AUTHORIZATION;
use http::{Request, Response};
use sim_core::engine::{Access, Meta};
use sim_core::{Operation, Timestamp, analytics};

use super::{Core, Error, Result, request};
use crate::control::Control;

/// A world of a server. It has the methods of [`sim_client::World`], with answers as the types of [`Core`], and typed calls. Methods
/// have the same names as in process, on [`Simulator`](sim_core::Simulator).
///
/// A world that its handle made, new or as a fork, is deleted when the handle is dropped.
#[derive(Debug)]
pub struct World(sim_client::World<Core>);

impl Deref for World {
    type Target = sim_client::World<Core>;

    fn deref(&self) -> &sim_client::World<Core> {
        &self.0
    }
}

impl World {
    pub(super) fn of(world: sim_client::World) -> World {
        World(world.typed())
    }

    /// The same world, which stays when the handle is dropped.
    #[must_use]
    pub fn kept(self) -> World {
        World(self.0.kept())
    }

    /// Deletes the world.
    pub fn delete(self) -> Result<()> {
        self.0.delete()
    }

    /// Makes a typed call as the first user of the world; a control operation needs no user.
    ///
    /// Texts are sent as they are: in a world whose profile has other names, use those. For an answer that is not JSON, such as a
    /// download, use [`exchange`](World::exchange).
    pub fn call<O: Operation>(&self, operation: O) -> Result<O::Output> {
        self.call_with(self.token_for(&O::META), operation)
    }

    /// Makes a typed call with this token; with an empty one, without a token.
    ///
    /// ```
    /// use sim_core::management::project::ListProjects;
    /// use sim_core::Simulator;
    /// use sim_http::{Server, client::Client};
    ///
    /// let server = Server::spawn(Simulator::builder().build());
    /// let world = Client::at(server.url()).main()?;
    /// let refused = world.call_as("of-a-stranger", ListProjects {}).unwrap_err();
    /// assert_eq!((refused.status, refused.reason.as_str()), (Some(401), "token_unknown"));
    /// # Ok::<(), sim_http::client::Error>(())
    /// ```
    pub fn call_as<O: Operation>(&self, token: &str, operation: O) -> Result<O::Output> {
        self.call_with(Some(token).filter(|token| !token.is_empty()), operation)
    }

    fn call_with<O: Operation>(&self, token: Option<&str>, operation: O) -> Result<O::Output> {
        let mut request = request(&O::META, operation);
        if let Some(token) = token {
            let bearer = format!("Bearer {token}").parse().map_err(Error::no_answer)?;
            request.headers_mut().insert(AUTHORIZATION, bearer);
        }
        self.send(request)?.read()
    }

    fn token_for(&self, meta: &Meta) -> Option<&str> {
        let is_analytics = || analytics::registry().operations().any(|one| one.id == meta.id);
        match self.analytics_token() {
            Some(token) if meta.access != Access::Control && is_analytics() => Some(token),
            _ => self.token(),
        }
    }

    /// Makes a control operation of the server on this world.
    pub fn control<C: Control>(&self, operation: C) -> Result<C::Output> {
        self.send(request(&C::META, operation))?.read()
    }

    /// Sends a request with its own path and credentials. Any answer is a success, including refusals.
    pub fn exchange(&self, request: Request<Bytes>) -> Result<Response<Bytes>> {
        let reply = self.send(request)?;
        let mut response = Response::new(Bytes::from(reply.body));
        *response.status_mut() = reply.status.try_into().map_err(Error::unreadable)?;
        *response.headers_mut() = reply.headers;
        Ok(response)
    }

    /// A copy of this world. From now on the two are independent.
    pub fn fork(&self) -> Result<World> {
        self.0.fork().map(World)
    }

    /// A copy of this world as it was right after a call; 0 is the start.
    pub fn at_call(&self, call: u64) -> Result<World> {
        self.0.at_call(call).map(World)
    }

    /// A copy of this world as it was at a time.
    pub fn at(&self, instant: Timestamp) -> Result<World> {
        self.0.at(instant).map(World)
    }
}
