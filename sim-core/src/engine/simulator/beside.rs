//! A second service in the same world. It shares the clock, forks and snapshots of the first. If it has a listener,
//! it is told of each call to the first.

use bytes::Bytes;
use http::Request;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName, REFERER, USER_AGENT};
use sim_base::error::Error;
use sim_base::identity;
use sim_base::log_line::{Heard, Line};
use sim_base::policy::Policy;
use sim_base::request::Sent;
use sim_base::schema::MASK;

use super::builder::Builder;
use crate::engine::journal::tokens::Tokens;
use crate::engine::pipeline::answer::Answer;
use crate::engine::simulator::{Session, Simulator};

/// The second service of a world.
pub(crate) struct Beside {
    pub sim: Simulator,
    pub listener: Option<Listener>,
}

/// Makes the builder of the second service, for a world with that policy.
pub(crate) type Begin = Box<dyn FnOnce(Policy) -> Builder + Send>;

/// Called on the second service after the first one has answered a call.
pub(crate) type Listener = fn(&mut Simulator, &Heard<'_>);

/// Headers that a log shows, with their column names.
const SHOWN: [(HeaderName, &str); 5] = [
    (ACCEPT, "accept"),
    (CONTENT_TYPE, "content_type"),
    (REFERER, "referer"),
    (USER_AGENT, "user_agent"),
    (HeaderName::from_static("x-client-info"), "x_client_info"),
];

/// The headers of a request that a log shows. Credentials are masked.
pub(crate) fn shown_headers<B>(request: &Request<B>) -> Vec<(&'static str, String)> {
    let headers = request.headers();
    let text = |name: &HeaderName| Some(headers.get(name)?.to_str().ok()?.to_owned());
    let shown = SHOWN.into_iter().filter_map(|(name, column)| Some((column, text(&name)?)));
    let masked = headers.get(AUTHORIZATION).map(|_| ("authorization", MASK.to_owned()));
    shown.chain(masked).collect()
}

impl Simulator {
    /// The second service of this world, read-only: the analytics server of a world that has both services.
    ///
    /// To call it, call this simulator: the operation, the token or the path decides which service answers.
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

    /// A session of the simulator's driver at the service of that name. Use it for example to list the fault rules of
    /// one service. `None` if the world does not have that service.
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

    /// This service, and the second one if there is one.
    pub(crate) fn halves(&self) -> impl Iterator<Item = &Simulator> {
        [Some(self), self.beside()].into_iter().flatten()
    }

    /// Whether the second service is told of calls to this one.
    pub fn is_heard(&self) -> bool {
        self.beside.as_deref().is_some_and(|beside| beside.listener.is_some())
    }

    /// A fork that does not tell the second service of its calls.
    pub(super) fn quiet_fork(&self) -> Simulator {
        let mut fork = self.fork();
        if let Some(beside) = fork.beside.as_deref_mut() {
            beside.listener = None;
        }
        fork
    }

    /// The second service if `is_meant` holds for it and not for this one; otherwise this service.
    pub(crate) fn half(&mut self, is_meant: impl Fn(&Simulator) -> bool) -> &mut Simulator {
        if self.beside().is_some_and(|other| is_meant(other) && !is_meant(self)) {
            return &mut self.beside.as_deref_mut().expect("a service is beside it").sim;
        }
        self
    }

    /// Tells the second service of a call to this one. Calls to `/_sim` are not reported.
    pub(super) fn tell_beside(&mut self, sent: &Sent<'_>, answer: &Answer, lines: &[Line]) {
        let Some(Beside { sim, listener: Some(listener) }) = self.beside.as_deref_mut() else { return };
        if sent.target.starts_with("/_sim") {
            return;
        }
        let Some(status) = answer.made else { return };
        let refusal: Option<&Error> = answer.outcome.as_ref().err();
        let (manner, setup) = (self.registry.service.manner, &self.setup);
        let target = self.store.read(|db| {
            let tokens = Tokens::of(&setup.profile, &setup.world, |digest| identity::is_token(db, digest));
            tokens.in_target_of(manner, &sent.target).into_owned()
        });
        listener(
            sim,
            &Heard {
                method: sent.method,
                target: &target,
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
