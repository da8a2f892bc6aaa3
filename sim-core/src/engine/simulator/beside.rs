//! A second service in the same world: on one clock with the first, in its forks and snapshots, and told of its calls
//! where it listens.

use bytes::Bytes;
use http::Request;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, REFERER, USER_AGENT};
use sim_base::error::Error;
use sim_base::log_line::{Heard, Line};
use sim_base::policy::Policy;
use sim_base::request::Sent;
use sim_base::schema::MASK;

use super::builder::Builder;
use crate::engine::pipeline::answer::Answer;
use crate::engine::simulator::{Session, Simulator};

/// A service beside another one.
pub(crate) struct Beside {
    pub sim: Simulator,
    pub listener: Option<Listener>,
}

/// Begins the service beside a world that has that policy.
pub(crate) type Begin = Box<dyn FnOnce(Policy) -> Builder + Send>;

/// What a service does about a call that the one beside it has answered.
pub(crate) type Listener = fn(&mut Simulator, &Heard<'_>);

/// Headers that a log shows.
const SHOWN: [(HeaderName, &str); 5] = [
    (ACCEPT, "accept"),
    (CONTENT_TYPE, "content_type"),
    (REFERER, "referer"),
    (USER_AGENT, "user_agent"),
    (HeaderName::from_static("x-client-info"), "x_client_info"),
];

/// The headers of a request that a log shows: of credentials, only that there were some.
pub(crate) fn shown_headers<B>(request: &Request<B>) -> Vec<(&'static str, String)> {
    let headers = request.headers();
    let text = |name: &HeaderName| Some(headers.get(name)?.to_str().ok()?.to_owned());
    let shown = SHOWN.into_iter().filter_map(|(name, column)| Some((column, text(&name)?)));
    let masked = headers.get(AUTHORIZATION).map(|_| ("authorization", MASK.to_owned()));
    shown.chain(masked).collect()
}

impl Simulator {
    /// The service beside this one in the same world, to look into: the analytics server of a world that has both.
    ///
    /// It is called through this one: a typed call, a token or a path of its own leads to it.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_core::analytics::source::ListSources;
    /// use sim_core::management::project::ListProjects;
    ///
    /// let mut sim = Simulator::builder().with_self_log().build();
    /// sim.call(ListProjects {})?;
    /// assert_eq!(sim.call(ListSources {})?.len(), 9);
    /// let analytics = sim.beside().expect("it has both");
    /// assert_eq!(analytics.now(), sim.now());
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn beside(&self) -> Option<&Simulator> {
        self.beside.as_deref().map(|beside| &beside.sim)
    }

    /// Whoever drives the simulator, at the service of that name where the world has two: its own rules by which calls come
    /// to harm, say. `None` where the world does not have it.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_core::engine::fault::ListFaults;
    ///
    /// let mut sim = Simulator::builder().with_self_log().build();
    /// assert!(sim.as_admin_of("analytics").expect("it has both").call(ListFaults {})?.is_empty());
    /// assert!(sim.as_admin_of("billing").is_none());
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn as_admin_of(&mut self, service: &str) -> Option<Session<'_>> {
        let half = self.half(|half| half.registry().name() == service);
        (half.registry().name() == service).then(|| half.as_admin())
    }

    /// This service, and the one beside it if there is one.
    pub(crate) fn halves(&self) -> impl Iterator<Item = &Simulator> {
        [Some(self), self.beside()].into_iter().flatten()
    }

    /// Whether the service beside this one is told of its calls.
    pub fn is_heard(&self) -> bool {
        self.beside.as_deref().is_some_and(|beside| beside.listener.is_some())
    }

    /// This service, unless the one beside it is meant and this one is not.
    pub(crate) fn half(&mut self, is_meant: impl Fn(&Simulator) -> bool) -> &mut Simulator {
        if self.beside().is_some_and(|other| is_meant(other) && !is_meant(self)) {
            return &mut self.beside.as_deref_mut().expect("a service is beside it").sim;
        }
        self
    }

    /// Tells the service beside this one of a call, unless it was one that drives the simulator.
    pub(super) fn tell_beside(&mut self, sent: &Sent<'_>, answer: &Answer, lines: &[Line]) {
        let Some(Beside { sim, listener: Some(listener) }) = self.beside.as_deref_mut() else { return };
        if sent.target.starts_with("/_sim") {
            return;
        }
        let Some(status) = answer.made else { return };
        let refusal: Option<&Error> = answer.outcome.as_ref().err();
        listener(
            sim,
            &Heard {
                method: sent.method,
                target: &self.registry.service.manner.shown(&sent.target),
                headers: &sent.shown,
                status,
                reason: refusal.map(|error| &*error.reason),
                lines,
            },
        );
    }
}

impl sim_base::fetch::Beside for Simulator {
    fn answer_to(&self, target: &str) -> Result<String, String> {
        let request = Request::get(target).body(Bytes::new()).map_err(|problem| problem.to_string())?;
        let reply = self.peek(&request);
        let text = String::from_utf8_lossy(reply.body()).into_owned();
        if reply.status().is_success() {
            Ok(text)
        } else {
            Err(format!("{} {text}", reply.status().as_u16()))
        }
    }
}
