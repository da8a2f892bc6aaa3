//! What a request would be answered, without making it.

use bytes::Bytes;
use http::{Request, Response};

use super::Simulator;
use crate::engine::journal::Origin;

impl Simulator {
    /// What whoever drives the simulator would be answered to `request` now. It is made on a fork that nobody sees, so
    /// nothing comes of it: no row in the journal, no call counted, no fault met, no change.
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
        // Nobody polls, so no clock is moved for who does.
        aside.lives_again = true;
        aside.half_for(request).handle_from(Origin::Control, request)
    }
}
