//! A world's journal and seed as one file, replayed call by call.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use http::Request;
use serde::{Deserialize, Serialize};
use sim_base::error::Error;
use sim_base::fetch::Fetched;
use sim_base::format::{self, FORMAT};
use sim_base::identity::sealed_token;
use sim_base::policy::Policy;
use sim_base::profile::Profile;
use sim_base::server::DatabaseServer;
use sim_base::time::Timestamp;
use sim_base::upload::Blob;
use sim_base::world::World;

use super::Simulator;
use super::advance::STEP;
use super::builder::Builder;
use crate::engine::journal::cut::CutBody;
use crate::engine::journal::{Origin, Record, hash_text};
use crate::engine::service::registry::Registry;

/// Everything that is needed to replay a world. It contains complete requests, including secrets. Tokens are stored
/// as digests, and calls name them by number.
///
/// ```
/// use sim_core::Simulator;
/// use sim_core::management::organization::ListOrganizations;
///
/// let mut sim = Simulator::builder().seed(3).build();
/// sim.call(ListOrganizations {})?;
/// let again = sim.replay_file().expect("the journal is whole").run(sim.registry()).expect("nothing diverges");
/// assert_eq!(again.journal_hash(), sim.journal_hash());
/// # Ok::<(), sim_core::Error>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// The version of the file: 1. It is the first field, so that another version is refused before anything else.
    #[serde(deserialize_with = "format::read")]
    pub version: u32,
    /// The title of the world's service. Default: the management API.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub service: String,
    /// The world's seed.
    pub seed: u64,
    /// The time at which the world began.
    pub start: Timestamp,
    /// The time at which the file was made.
    pub end: Timestamp,
    /// The world's policy.
    pub policy: Policy,
    /// The world's profile.
    pub profile: Profile,
    /// The users and organizations at the beginning.
    pub world: World,
    /// The documents that calls fetched from outside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fetched: Vec<Fetched>,
    /// Every call, first to last.
    pub calls: Vec<ReplayCall>,
}

/// One call of a replay file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReplayCall {
    /// The time of the call. Work due by then is done first.
    pub at: Timestamp,
    /// The caller.
    pub caller: Origin,
    /// HTTP method, or `STEP`.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// The headers sent that affect the answer.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// The body sent, if it is text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// The body sent, if it is not text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body_base64: Option<Blob>,
    /// Length and digest of the body sent, if the journal did not keep it. Then the call can't be made again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body_cut: Option<CutBody>,
    /// The status of the answer.
    pub status: u16,
    /// The body of the answer, with secrets masked; for people to read.
    pub response: String,
    /// Length and digest of the answer, if the journal did not keep it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_cut: Option<CutBody>,
    /// Rolling hash after the call.
    pub hash: String,
}

/// The first call at which a replay diverged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The number of the call, from 1.
    pub call: u64,
    /// The call as the file records it.
    pub expected: Box<ReplayCall>,
    /// The status answered this time; `None` when the call could not be made at all.
    pub status: Option<u16>,
    /// The body answered this time.
    pub response: String,
}

impl std::fmt::Display for Divergence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ReplayCall { at, method, target, status, response, .. } = &*self.expected;
        writeln!(f, "call {} at {at} diverges: {method} {target}", self.call)?;
        writeln!(f, "  recorded {status} {response}")?;
        write!(
            f,
            "  replayed {} {}",
            self.status.map_or("nothing".to_owned(), |s| s.to_string()),
            self.response
        )?;
        match self.status == Some(*status) && self.response == *response {
            true => {
                write!(f, "\n  the answers are equal; the call is recorded otherwise, as in state or reason")
            }
            false => Ok(()),
        }
    }
}

impl std::error::Error for Divergence {}

/// Why a file could not be replayed to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// The world cannot be built: the file contradicts itself.
    World(Error),
    /// These calls can't be made again: the journal did not keep their bodies.
    Cut(Vec<u64>),
    /// A call diverged.
    Divergence(Divergence),
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReplayError::World(refusal) => write!(f, "its world can't be made, {}", refusal.message),
            ReplayError::Cut(calls) => {
                write!(f, "{}", unrepeatable(calls))
            }
            ReplayError::Divergence(divergence) => divergence.fmt(f),
        }
    }
}

impl std::error::Error for ReplayError {}

/// Says which calls can't be made again.
fn unrepeatable(calls: &[u64]) -> String {
    const NAMED: usize = 20;
    let names: Vec<String> = calls.iter().take(NAMED).map(u64::to_string).collect();
    let others = calls.len().saturating_sub(NAMED);
    let others = if others > 0 { format!(" and {others} more") } else { String::new() };
    format!(
        "call {}{others} can't be made again: the body was longer than the journal keeps \
         (journal_request_bytes in the policy, and less for callers without a valid token)",
        names.join(", ")
    )
}

impl Simulator {
    /// The file that replays this world. `None` when the journal has dropped calls (`Policy.journal_calls`).
    pub fn replay_file(&self) -> Option<Replay> {
        if self.journal.dropped() > 0 {
            return None;
        }
        let setup = self.setup();
        let mut world = setup.world.clone();
        world
            .users
            .iter_mut()
            .flat_map(|user| &mut user.tokens)
            .for_each(|token| *token = sealed_token(token));
        if let Some(tenant) = &mut world.single_tenant {
            // The one user has this token too, as a digest.
            tenant.private_token = None;
        }
        Some(Replay {
            version: FORMAT,
            service: self.registry().service.title.to_owned(),
            seed: setup.seed,
            start: setup.start,
            end: self.now(),
            policy: setup.policy.clone(),
            profile: setup.profile.clone(),
            world,
            fetched: self.fetched(),
            calls: self.journal.records().map(ReplayCall::of).collect(),
        })
    }
}

impl Replay {
    /// The numbers of the calls that can't be made again, because the journal did not keep their bodies.
    pub fn cut_calls(&self) -> Vec<u64> {
        let numbered = (1..).zip(&self.calls);
        numbered.filter(|(_, call)| call.body_cut.is_some()).map(|(number, _)| number).collect()
    }

    /// Replays the world and stops at the first call that diverges. Returns the world at its end.
    ///
    /// A file that was changed by hand may describe a world that cannot be built. That is an error too, and so are
    /// [calls that can't be made again](Replay::cut_calls).
    pub fn run(&self, registry: &'static Registry) -> Result<Simulator, ReplayError> {
        self.run_on(registry, None)
    }

    /// Replays the world like [`run`](Replay::run), with the projects' databases on `server`, if given.
    pub fn run_on(
        &self,
        registry: &'static Registry,
        server: Option<Arc<dyn DatabaseServer>>,
    ) -> Result<Simulator, ReplayError> {
        let mut replaying = self.start_on(registry, server)?;
        while replaying.step()? {}
        Ok(replaying.finish())
    }

    /// Begins a replay, whose calls are made one at a time: to show its progress, or to stop it.
    ///
    /// ```
    /// use sim_core::management::organization::ListOrganizations;
    /// use sim_core::Simulator;
    ///
    /// let mut sim = Simulator::builder().build();
    /// sim.call(ListOrganizations {})?;
    /// let file = sim.replay_file().expect("the journal is whole");
    /// let mut replaying = file.start_on(sim.registry(), None).expect("its world can be made");
    /// while replaying.step().expect("nothing diverges") {
    ///     println!("{} of {}", replaying.done(), file.calls.len());
    /// }
    /// assert_eq!(replaying.finish().journal_hash(), sim.journal_hash());
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the world cannot be built, or [calls can't be made again](Replay::cut_calls).
    pub fn start_on(
        &self,
        registry: &'static Registry,
        server: Option<Arc<dyn DatabaseServer>>,
    ) -> Result<Replaying<'_>, ReplayError> {
        let cut = self.cut_calls();
        if !cut.is_empty() {
            return Err(ReplayError::Cut(cut));
        }
        Ok(Replaying { file: self, sim: self.begin(registry, server)?, done: 0 })
    }

    /// Makes the same calls at the same times and does not compare the answers: for files that were changed on
    /// purpose. To see the new answers, take the replay file of the returned world. Leaves out
    /// [calls that can't be made again](Replay::cut_calls).
    ///
    /// ```
    /// use sim_core::management::project::{CreateProject, ListProjects};
    /// use sim_core::Simulator;
    ///
    /// let mut sim = Simulator::builder().build();
    /// sim.call(CreateProject::named("demo", "acme"))?;
    /// sim.call(ListProjects {})?;
    /// let mut file = sim.replay_file().expect("the journal is whole");
    /// file.calls.remove(0);
    /// assert!(file.run(sim.registry()).is_err());
    /// let sim = file.rerun_on(sim.registry(), None).expect("its world can be made");
    /// assert_eq!(sim.journal()[0].response, "[]");
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn rerun_on(
        &self,
        registry: &'static Registry,
        server: Option<Arc<dyn DatabaseServer>>,
    ) -> Result<Simulator, ReplayError> {
        let mut sim = self.begin(registry, server)?;
        for call in self.calls.iter().filter(|call| call.body_cut.is_none()) {
            sim.advance_to(call.at);
            call.make(&mut sim);
        }
        sim.advance_to(self.end);
        sim.is_replaying = false;
        Ok(sim)
    }

    /// The world before the first call.
    pub(super) fn begin(
        &self,
        registry: &'static Registry,
        server: Option<Arc<dyn DatabaseServer>>,
    ) -> Result<Simulator, ReplayError> {
        let begun = Builder::new(registry)
            .databases_on(server)
            .seed(self.seed)
            .start(self.start)
            .policy(self.policy.clone())
            .profile(self.profile.clone())
            .world(self.world.clone())
            .fetched(&self.fetched)
            .try_build();
        let mut sim = begun.map_err(ReplayError::World)?;
        sim.is_replaying = true;
        Ok(sim)
    }
}

/// A replay between two calls. See [`Replay::start_on`].
pub struct Replaying<'a> {
    file: &'a Replay,
    sim: Simulator,
    done: usize,
}

impl Replaying<'_> {
    /// Makes the next call. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// When the call diverges.
    pub fn step(&mut self) -> Result<bool, ReplayError> {
        let Some(expected) = self.file.calls.get(self.done) else { return Ok(false) };
        self.sim.advance_to(expected.at);
        let (status, response) = expected.make(&mut self.sim);
        let recorded = self.sim.journal.last().map(ReplayCall::of);
        let is_answer_same = recorded.is_none_or(|now| now.has_answer_of(expected));
        if self.sim.journal_hash() != expected.hash || !is_answer_same {
            let call = self.done as u64 + 1;
            let expected = Box::new(expected.clone());
            return Err(ReplayError::Divergence(Divergence { call, expected, status, response }));
        }
        self.done += 1;
        Ok(true)
    }

    /// The number of calls that were made, and did not diverge.
    pub fn done(&self) -> usize {
        self.done
    }

    /// The world after the last call, at the end of the file.
    pub fn finish(mut self) -> Simulator {
        self.sim.advance_to(self.file.end);
        self.sim.is_replaying = false;
        self.sim
    }
}

impl ReplayCall {
    fn of(call: &Record) -> ReplayCall {
        let (body, body_base64) = match str::from_utf8(call.texts.request()) {
            Ok("") => (None, None),
            Ok(text) => (Some(text.to_owned()), None),
            Err(_) => (None, Some(Blob(call.texts.request().to_vec()))),
        };
        ReplayCall {
            at: call.at,
            caller: call.caller,
            method: call.method.clone().into_owned(),
            target: call.texts.target().to_owned(),
            headers: call.headers(),
            body,
            body_base64,
            body_cut: call.texts.cuts().and_then(|cuts| cuts.request.clone()),
            status: call.status,
            response: String::from_utf8_lossy(call.texts.response()).into_owned(),
            response_cut: call.texts.cuts().and_then(|cuts| cuts.response.clone()),
            hash: hash_text(call.hash),
        }
    }

    /// Whether the answers are the same. The hash covers them, so they differ from an equal hash if the file was changed.
    fn has_answer_of(&self, other: &ReplayCall) -> bool {
        self.status == other.status && (other.response_cut.is_some() || self.response == other.response)
    }

    /// Makes the call again. Returns the status and the body. The status is `None` if the call could not be made.
    pub(super) fn make(&self, sim: &mut Simulator) -> (Option<u16>, String) {
        if let Some(cut) = &self.body_cut {
            return (None, format!("the body can't be sent again: {cut}"));
        }
        if self.method == STEP {
            return match sim.step() {
                Some(happened) => (Some(200), happened.became),
                None => (None, "nothing was scheduled".to_owned()),
            };
        }
        let mut request = Request::builder().method(&*self.method).uri(&*self.target);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let bytes = self.body_base64.clone().map(|Blob(bytes)| bytes);
        let body = Bytes::from(self.body.clone().map(String::into_bytes).or(bytes).unwrap_or_default());
        match request.body(body) {
            Ok(request) => {
                let response = sim.handle_from(self.caller, &request);
                (Some(response.status().as_u16()), String::from_utf8_lossy(response.body()).into_owned())
            }
            Err(error) => (None, error.to_string()),
        }
    }
}
