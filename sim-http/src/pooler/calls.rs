//! Calls of a connection to its world.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, StatusCode};
use sim_core::engine::fault::Mishap;
use sim_core::management::connection::{ConnectionAction, ConnectionResult, ParameterValue, UseConnection};
use sim_core::management::project::ProjectRef;

use super::messages::Fatal;
use crate::worlds::{Touch, World};

/// A connection as its world knows it.
#[derive(Clone)]
pub(super) struct Caller {
    pub(super) world: Arc<World>,
    pub(super) project: String,
    pub(super) connection: u32,
    /// Whether its call is running.
    pub(super) runs: Arc<AtomicBool>,
}

/// Why a call has no result.
#[derive(Debug)]
pub(super) enum Failure {
    /// The world has no such project, user or connection.
    Unknown,
    /// A fault rule breaks the connection.
    Broken,
    /// What the client sent is longer than a call may be.
    TooLong(String),
    /// Another refusal.
    Refused(String),
}

impl Failure {
    /// What the client is told; `None` if it only sees the end of its connection.
    pub(super) fn fatal(self) -> Option<Fatal> {
        match self {
            Failure::Unknown => {
                Some(Fatal::new("57P01", "terminating connection due to administrator command"))
            }
            Failure::TooLong(text) => Some(Fatal::new("54000", text)),
            Failure::Refused(text) => Some(Fatal::new("08006", text)),
            Failure::Broken => None,
        }
    }
}

/// A use of a connection without its parts.
pub(super) fn plain(project: &str, action: ConnectionAction) -> UseConnection {
    UseConnection {
        r#ref: ProjectRef(project.to_owned()),
        action,
        connection: None,
        user: None,
        pooled: false,
        query: None,
        parameters: Vec::new(),
        data: None,
    }
}

/// Makes a call, as a request of the control API does, with the fault that its rule applies.
pub(super) async fn call(
    world: &World,
    runs: &AtomicBool,
    used: &UseConnection,
) -> Result<ConnectionResult, Failure> {
    let mut body = serde_json::to_value(used).expect("a request is plain data");
    if let Some(fields) = body.as_object_mut() {
        fields.remove("ref");
    }
    let request = Request::builder()
        .method(Method::POST)
        .uri(format!("/_sim/projects/{}/connections", used.r#ref.0))
        .header("content-type", "application/json")
        .body(Bytes::from(body.to_string()))
        .map_err(|error| Failure::Refused(error.to_string()))?;
    let called = world.with(Touch::Writes, |inside| {
        let _watched = world.watch.begin();
        runs.store(true, Ordering::SeqCst);
        let response = inside.sim.handle(&request);
        runs.store(false, Ordering::SeqCst);
        response
    });
    let response = called.await.map_err(|error| Failure::Refused(error.message))?;
    match response.extensions().get() {
        None => {}
        Some(Mishap::Delayed(ms) | Mishap::Slow(ms)) => tokio::time::sleep(Duration::from_millis(*ms)).await,
        Some(Mishap::Reset | Mishap::Torn) => return Err(Failure::Broken),
    }
    match response.status() {
        StatusCode::CREATED => serde_json::from_slice(response.body())
            .map_err(|_| Failure::Refused("a fault rule has altered the answer".to_owned())),
        StatusCode::NOT_FOUND => Err(Failure::Unknown),
        StatusCode::PAYLOAD_TOO_LARGE => Err(Failure::TooLong(message(response.body()))),
        _ => Err(Failure::Refused(message(response.body()))),
    }
}

fn message(body: &[u8]) -> String {
    let body: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    let text = body.get("message").and_then(|text| text.as_str());
    text.unwrap_or("the database does not answer").to_owned()
}

impl Caller {
    /// Runs a statement, or several.
    pub(super) async fn run(
        &self,
        query: &str,
        parameters: Vec<Option<String>>,
        types: Vec<u32>,
        data: Option<String>,
    ) -> Result<ConnectionResult, Failure> {
        let query = Some(query.to_owned());
        let type_of = |at: usize| types.get(at).copied().unwrap_or(0);
        let parameters = parameters.into_iter().enumerate();
        let parameters =
            parameters.map(|(at, value)| ParameterValue { value, type_oid: type_of(at) }).collect();
        let plain = self.plain(ConnectionAction::Run);
        call(&self.world, &self.runs, &UseConnection { query, parameters, data, ..plain }).await
    }

    /// Finds out what a statement takes and returns.
    pub(super) async fn describe(&self, query: &str, types: &[u32]) -> Result<ConnectionResult, Failure> {
        let query = Some(query.to_owned());
        let parameters = types.iter().map(|oid| ParameterValue { value: None, type_oid: *oid }).collect();
        let plain = self.plain(ConnectionAction::Describe);
        call(&self.world, &self.runs, &UseConnection { query, parameters, ..plain }).await
    }

    pub(super) async fn close(&self) -> Result<ConnectionResult, Failure> {
        call(&self.world, &self.runs, &self.plain(ConnectionAction::Close)).await
    }

    fn plain(&self, action: ConnectionAction) -> UseConnection {
        UseConnection { connection: Some(self.connection), ..plain(&self.project, action) }
    }
}
