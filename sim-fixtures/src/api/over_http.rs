//! [`Api`] over a socket.

use bytes::Bytes;
use http::{Request, Response};
use sim_core::Simulator;

use super::{Api, Reply};

/// Gives access to the world behind a server.
pub type Lend = Box<dyn FnMut(&mut dyn FnMut(&mut Simulator))>;

/// A world behind an address. `lend` gives access to the world, to move the clock without a request.
pub struct Http {
    agent: ureq::Agent,
    url: String,
    project: String,
    lend: Lend,
}

impl Http {
    /// Calls the server at `url` (no slash at the end); `project` is the project of its scene.
    pub fn new(url: &str, project: &str, lend: Lend) -> Http {
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .allow_non_standard_methods(true)
            .max_redirects(0)
            .build()
            .new_agent();
        Http { agent, url: url.to_owned(), project: project.to_owned(), lend }
    }
}

impl Api for Http {
    fn exchange(&mut self, request: Request<Bytes>) -> Reply {
        let (mut parts, body) = request.into_parts();
        parts.uri =
            format!("{}{}", self.url, parts.uri).parse().expect("an address and a path make an address");
        let answered = if body.is_empty() {
            self.agent.run(Request::from_parts(parts, ()))
        } else {
            self.agent.run(Request::from_parts(parts, &body[..]))
        };
        let (parts, mut body) = answered.expect("the server answers").into_parts();
        let body = body.with_config().limit(u64::MAX).read_to_vec().expect("the body arrives whole");
        Response::from_parts(parts, Bytes::from(body)).into()
    }

    fn look(&mut self, look: &mut dyn FnMut(&mut Simulator)) {
        (self.lend)(look);
    }

    fn project(&self) -> String {
        self.project.clone()
    }
}
