//! Late calls: the client gets no answer, and the call runs later.

use std::collections::BTreeMap;

use bytes::Bytes;
use http::Request;
use serde::{Deserialize, Serialize};
use sim_base::cx::Cx;
use sim_base::identity;
use sim_base::jobs::Task;
use sim_base::request::Sent;
use sim_base::upload::Blob;

use crate::engine::journal::Origin;
use crate::engine::journal::tokens::Tokens;
use crate::engine::pipeline;
use crate::engine::service::setup::Setup;

/// A call that runs later.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct LateCall {
    method: String,
    target: String,
    /// The target, with tokens masked.
    shown: String,
    headers: Option<String>,
    body: Blob,
    origin: Origin,
}

impl LateCall {
    /// Creates the late call of request `sent`.
    pub(crate) fn of(cx: &Cx<'_>, sent: &Sent<'_>, origin: Origin) -> LateCall {
        let setup = Setup::of(cx);
        let tokens = Tokens::of(&setup.profile, &setup.world, |digest| identity::is_token(cx.db, digest));
        LateCall {
            method: sent.method.to_owned(),
            target: sent.target.clone().into_owned(),
            shown: tokens.in_target_of(setup.registry.service.manner, &sent.target).into_owned(),
            headers: sent.recorded_headers(),
            body: Blob(sent.body.to_vec()),
            origin,
        }
    }

    fn request(&self) -> Option<Request<Bytes>> {
        let headers: BTreeMap<String, String> = self
            .headers
            .as_deref()
            .map_or_else(BTreeMap::new, |text| serde_json::from_str(text).unwrap_or_default());
        let begun = Request::builder().method(&*self.method).uri(&*self.target);
        let whole = headers.iter().fold(begun, |request, (name, value)| request.header(name, value));
        whole.body(Bytes::from(self.body.0.clone())).ok()
    }
}

impl Task for LateCall {
    const KIND: &'static str = "late_call";
    const HIDDEN: &'static [&'static str] = &["target", "headers", "body"];

    fn subject(&self) -> &str {
        &self.shown
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        let request = self.request().expect("what came as a request is one again");
        match pipeline::run_late_call(cx, &request, self.origin) {
            Ok(success) => format!("{} {} → {}", self.method, self.shown, success.status),
            Err(error) => format!("{} {} → {} {}", self.method, self.shown, error.status(), error.reason),
        }
    }
}
