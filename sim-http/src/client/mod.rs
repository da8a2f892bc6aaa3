//! The client of a server in another process, with the simulator's own types.
//!
//! [`Client`] is the server, [`World`] one of its worlds. A world has the methods of [`sim_client::World`], whose answers are read as
//! the types of [`Core`]. [`call`](World::call) makes any [`Operation`](sim_core::Operation), [`control`](World::control) any
//! [`Control`].
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
//! Calls block, so a test needs no async runtime.

mod process;
mod world;

use bytes::Bytes;
use http::Request;
pub use sim_client::{Error, Result};
use sim_core::engine::fault::FaultStanding;
use sim_core::engine::{Call, Coverage, Explanation, Meta};
use sim_core::seed::Seed;
use sim_core::{Due, Happened, Policy, Profile, Replay};

pub use self::process::Process;
pub use self::world::World;
use crate::control::{
    ClockState, Control, CreateWorld, ListScenarios, Moved, ScenarioInfo, SnapshotInfo, WorldInfo,
};

/// The types of the simulator, which a [`World`] reads its answers as.
#[derive(Clone, Copy, Debug)]
pub struct Core;

impl sim_client::Types for Core {
    type World = WorldInfo;
    type Clock = ClockState;
    type Moved = Moved;
    type Due = Due;
    type Happened = Happened;
    type Snapshot = SnapshotInfo;
    type Seed = Seed;
    type Policy = Policy;
    type Profile = Profile;
    type Fault = FaultStanding;
    type Call = Call;
    type Explanation = Explanation;
    type Coverage = Coverage;
    type Replay = Replay;
}

/// A server in another process, or on a thread of this one. A clone is a second handle on it.
#[derive(Clone, Debug)]
pub struct Client(sim_client::Client);

impl Client {
    /// The server with this base URL, as [`Server::url`](crate::Server::url) and `stuntdouble serve` have it.
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
        Client(sim_client::Client::at(url))
    }

    /// A server that speaks TLS. `ca_pem` is the certificate of its authority, from [`Server::ca_pem`](crate::Server::ca_pem) or the
    /// file that `stuntdouble serve --tls` names. Fails when `ca_pem` is no certificate.
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
        sim_client::Client::trusting(url, ca_pem).map(Client)
    }

    /// The server that `stuntdouble exec` started around this process: the variable `STUNTDOUBLE_URL`, with `STUNTDOUBLE_CA` if it
    /// speaks TLS.
    pub fn from_env() -> Result<Client> {
        sim_client::Client::from_env().map(Client)
    }

    /// The world that every server has from the start.
    pub fn main(&self) -> Result<World> {
        self.0.main().map(World::of)
    }

    /// The world of this name. It stays when the handle is dropped.
    pub fn world(&self, name: &str) -> Result<World> {
        self.0.world(name).map(World::of)
    }

    /// All worlds of the server, by name.
    pub fn worlds(&self) -> Result<Vec<World>> {
        Ok(self.0.worlds()?.into_iter().map(World::of).collect())
    }

    /// Makes a world. It is deleted when the handle is dropped, unless that is [`kept`](World::kept).
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
        self.0.create_world_of(&wanted).map(World::of)
    }

    /// The worlds that the field `scenario` of a new world can name.
    pub fn scenarios(&self) -> Result<Vec<ScenarioInfo>> {
        self.control(ListScenarios {})
    }

    /// Makes any control operation on the server, or on its main world.
    pub fn control<C: Control>(&self, operation: C) -> Result<C::Output> {
        self.0.send_to(self.0.url(), request(&C::META, operation))?.read()
    }
}

/// The request of an operation.
fn request(meta: &Meta, operation: impl serde::Serialize) -> Request<Bytes> {
    meta.request(serde_json::to_value(operation).expect("a request is plain data"))
}
