//! Previewing the answer to a request without changing the world.

use bytes::Bytes;
use http::{Request, Response};

use super::Simulator;
use crate::engine::journal::Origin;

impl Simulator {
    /// The answer that the simulator's driver would get to `request` now. The request is made on a fork that is then
    /// dropped. So this world does not change: no call is recorded or counted, and no fault is used up.
    ///
    /// ```
    /// use http::Request;
    /// use sim_core::Simulator;
    ///
    /// let sim = Simulator::builder().build();
    /// let request = Request::get("/v1/projects").body(Default::default()).expect("a request");
    /// assert_eq!(sim.peek(&request).body(), "[]");
    /// assert_eq!(sim.calls(), 0);
    /// ```
    pub fn peek(&self, request: &Request<Bytes>) -> Response<Bytes> {
        let mut aside = self.fork();
        // This is not a client that polls, so the clock must not move for it.
        aside.is_replaying = true;
        aside.half_for(request).handle_from(Origin::Control, request)
    }
}
