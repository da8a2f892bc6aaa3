//! One world on a server elsewhere.

use std::time::Duration;

use bytes::Bytes;
use http::header::AUTHORIZATION;
use http::{Request, Response};
use serde_json::{Map, Value};
use sim_core::engine::{Access, Call, Coverage, Explanation, Meta};
use sim_core::seed::Seed;
use sim_core::{Due, Happened, Operation, Policy, Profile, Replay, Timestamp, analytics};

use super::{Client, Result, at, control_at, error};
use crate::control::{
    Advance, ClockState, Control, CreateSnapshot, DeleteSnapshot, DeleteWorld, Explain, Export, Fork,
    GetAgenda, GetClock, GetCoverage, GetHistory, GetJournal, GetPolicy, GetProfile, GetReplay, GetWorld,
    ListSnapshots, Moved, QueryJournal, Reset, RestoreSnapshot, SetSpeed, SnapshotInfo, Step, WorldInfo,
};

/// A world on a server elsewhere. Methods have the names that they have in process, on
/// [`Simulator`](sim_core::Simulator); what has none here goes by [`call`](World::call) or [`control`](World::control).
///
/// One that this handle made, new or as a fork, is deleted when it is dropped.
#[derive(Debug)]
pub struct World {
    client: Client,
    info: WorldInfo,
    is_ours: bool,
}

impl World {
    pub(super) fn new(client: &Client, info: WorldInfo) -> World {
        World { client: client.clone(), info, is_ours: false }
    }

    /// To be deleted when it is dropped.
    pub(super) fn ours(mut self) -> World {
        self.is_ours = true;
        self
    }

    /// The same world, which stays when the handle is dropped.
    #[must_use]
    pub fn kept(mut self) -> World {
        self.is_ours = false;
        self
    }

    /// Its name on the server.
    pub fn name(&self) -> &str {
        &self.info.name
    }

    /// The base URL for the client under test; leads to this world whatever the token.
    pub fn url(&self) -> &str {
        &self.info.url
    }

    /// The token of its first user; nothing in a world without users.
    pub fn token(&self) -> Option<&str> {
        self.info.token.as_deref()
    }

    /// The token of its analytics server, where it has one beside the management API.
    pub fn analytics_token(&self) -> Option<&str> {
        self.info.analytics_token.as_deref()
    }

    /// Makes a typed call as the first user of the world; what is for whoever drives it needs no user.
    ///
    /// Texts are sent as they are: in a world whose profile has other names, write those. What does not answer in JSON,
    /// such as a download, is for [`exchange`](World::exchange).
    pub fn call<O: Operation>(&self, operation: O) -> Result<O::Output> {
        self.call_with(self.token_for(&O::META), operation)
    }

    /// The same as the user whose token it is; an empty one is nobody's.
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
        let input = serde_json::to_value(operation).expect("a request is plain data");
        let mut request = O::META.request(input);
        if let Some(token) = token {
            let bearer = format!("Bearer {token}").parse().map_err(error::Error::no_answer)?;
            request.headers_mut().insert(AUTHORIZATION, bearer);
        }
        error::read(self.exchange(request)?)
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
        control_at(&self.client, self.url(), operation)
    }

    /// Sends `request`, which has a path and its own credentials, to this world; the answer, whatever it is.
    pub fn exchange(&self, request: Request<Bytes>) -> Result<Response<Bytes>> {
        self.client.exchange(at(self.url(), request)?)
    }

    /// Address, seed, instant, and how many calls it has answered by now.
    pub fn info(&self) -> Result<WorldInfo> {
        self.control(GetWorld { name: self.info.name.clone() })
    }

    /// What its clock shows, how fast it goes, and when the next work is due.
    pub fn clock(&self) -> Result<ClockState> {
        self.control(GetClock {})
    }

    /// The simulated instant.
    pub fn now(&self) -> Result<Timestamp> {
        Ok(self.clock()?.now)
    }

    /// When the next piece of work is due.
    pub fn next_due(&self) -> Result<Option<Timestamp>> {
        Ok(self.clock()?.next_due)
    }

    /// Lets the clock go by itself: simulated seconds for each real one, 0 to stop it.
    pub fn set_speed(&self, speed: f64) -> Result<ClockState> {
        self.control(SetSpeed { speed })
    }

    /// Lets `by` of simulated time go by, in whole milliseconds. Does all work that falls due, and tells it.
    pub fn advance(&self, by: Duration) -> Result<Moved> {
        self.control(Advance::by(by))
    }

    /// The same, up to an instant. An instant in the past changes nothing.
    pub fn advance_to(&self, until: Timestamp) -> Result<Moved> {
        self.control(Advance::until(until))
    }

    /// Moves to the next due instant and does the work of that instant; nowhere when nothing is scheduled.
    pub fn advance_to_next(&self) -> Result<Moved> {
        self.control(Advance::to_next_due())
    }

    /// Does the next piece of scheduled work, whatever the pace.
    pub fn step(&self) -> Result<Moved> {
        self.control(Step {})
    }

    /// All scheduled work, in the order in which it will be done.
    pub fn agenda(&self) -> Result<Vec<Due>> {
        self.control(GetAgenda {})
    }

    /// All work that was done on `subject`, or on anything, oldest first.
    pub fn history(&self, subject: Option<&str>) -> Result<Vec<Happened>> {
        self.control(GetHistory { subject: subject.map(str::to_owned) }).map(|part| part.rows)
    }

    /// A second world that is equal to this one and goes its own way.
    pub fn fork(&self) -> Result<World> {
        self.forked(Fork::default())
    }

    /// The world as it was right after a call; 0 is its beginning.
    pub fn at_call(&self, call: u64) -> Result<World> {
        self.forked(Fork { at_call: Some(call), ..Fork::default() })
    }

    /// The world as it was at an instant.
    pub fn at(&self, instant: Timestamp) -> Result<World> {
        self.forked(Fork { at: Some(instant), ..Fork::default() })
    }

    fn forked(&self, fork: Fork) -> Result<World> {
        Ok(World::new(&self.client, self.control(fork)?).ours())
    }

    /// Keeps the world as it is now under a name, in place of an older snapshot of that name.
    pub fn snapshot(&self, name: &str) -> Result<SnapshotInfo> {
        self.control(CreateSnapshot { name: name.to_owned() })
    }

    /// The snapshots, by name.
    pub fn snapshots(&self) -> Result<Vec<SnapshotInfo>> {
        self.control(ListSnapshots {})
    }

    /// Makes the world what it was, clock and journal included. The snapshot stays.
    pub fn restore(&self, name: &str) -> Result<SnapshotInfo> {
        self.control(RestoreSnapshot { name: name.to_owned() })
    }

    /// Forgets a snapshot.
    pub fn delete_snapshot(&self, name: &str) -> Result<()> {
        self.control(DeleteSnapshot { name: name.to_owned() }).map(drop)
    }

    /// Begins the world anew. Its snapshots stay.
    pub fn reset(&self) -> Result<WorldInfo> {
        self.control(Reset {})
    }

    /// Deletes the world.
    pub fn delete(mut self) -> Result<()> {
        self.is_ours = false;
        self.control(DeleteWorld { name: self.info.name.clone() }).map(drop)
    }

    /// The world as a seed: one that is made of it answers every read with the same bytes.
    pub fn export(&self) -> Result<Seed> {
        Ok(self.control(Export {})?.0)
    }

    /// How it behaves.
    pub fn policy(&self) -> Result<Policy> {
        self.control(GetPolicy {})
    }

    /// What things are called in it.
    pub fn profile(&self) -> Result<Profile> {
        self.control(GetProfile {})
    }

    /// The calls so far, oldest first, as far back as the policy keeps them.
    pub fn journal(&self) -> Result<Vec<Call>> {
        self.journal_from(1, u64::MAX)
    }

    /// At most `limit` calls from number `from` on.
    pub fn journal_from(&self, from: u64, limit: u64) -> Result<Vec<Call>> {
        self.control(GetJournal { from: Some(from), limit: Some(limit), ..GetJournal::default() })
            .map(|part| part.rows)
    }

    /// Rows of a query, in SQLite's SQL, over the tables `call`, `event` and `due`.
    pub fn query_journal(&self, sql: &str) -> Result<Vec<Map<String, Value>>> {
        self.control(QueryJournal { sql: sql.to_owned() }).map(|part| part.rows)
    }

    /// Which check said what about a call, and which earlier calls are to blame.
    pub fn explain(&self, call: u64) -> Result<Explanation> {
        self.control(Explain { call, ..Explain::default() })
    }

    /// What the calls have reached: operation, state, role and outcome.
    pub fn coverage(&self) -> Result<Coverage> {
        self.control(GetCoverage {})
    }

    /// What `stuntdouble replay FILE` lives the world again from.
    pub fn replay_file(&self) -> Result<Replay> {
        Ok(self.control(GetReplay::default())?.0)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        if self.is_ours {
            // Where the server is gone, so is the world.
            let _ = self.control(DeleteWorld { name: self.info.name.clone() });
        }
    }
}
