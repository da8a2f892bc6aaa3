//! Calls by the operation's id, with their input as JSON: used for the calls in seed files.

use serde_json::{Map, Value};
use sim_base::error::Error;
use sim_base::identity::Caller;
use sim_base::near;
use sim_base::operation::Body;

use crate::engine::pipeline::Credentials;
use crate::engine::service::contract::Matched;
use crate::engine::service::{input, unknown};
use crate::engine::simulator::{Session, Simulator};

impl Session<'_> {
    /// Makes the call. It has the same stages, refusals and journal as the typed call.
    pub(crate) fn call_by_name(self, id: &str, input: Value) -> Result<Value, Error> {
        let (sim, caller) = self.parts(id);
        sim.call_by_name(caller, id, input)
    }
}

impl Simulator {
    /// Whether one of the world's services has an operation with that id.
    pub(crate) fn has_operation(&self, id: &str) -> bool {
        self.halves().any(|half| half.setup.contract().by_id(id).is_some())
    }

    /// The operation whose id is nearest to `id`, as the end of a message.
    pub(crate) fn operation_near(&self, id: &str) -> String {
        let known = self.halves().flat_map(|half| half.setup.contract().operations());
        near::question(id, known.map(|meta| meta.id))
    }

    /// The path of a field that the operation does not have, and the nearest one that it has, as the end of a message.
    pub(crate) fn unknown_field(&self, id: &str, input: &Map<String, Value>) -> Option<(String, String)> {
        let operation = self.halves().find_map(|half| half.setup.contract().by_id(id))?;
        // The schema of an operation without fields allows any.
        let has_fields =
            operation.entry.meta.body != Body::None || operation.input().field_names().next().is_some();
        let path = match has_fields {
            true => {
                let found = unknown::in_fields(operation, &Value::Object(input.clone()));
                found.first()?.strip_prefix("body.")?.to_owned()
            }
            false => input.keys().next()?.clone(),
        };
        let fields = operation.input().field_names();
        let question = near::question(&path, fields);
        Some((path, question))
    }

    fn call_by_name(
        &mut self,
        caller: Result<Caller, Error>,
        id: &str,
        input: Value,
    ) -> Result<Value, Error> {
        let setup = self.setup.clone();
        let unknown = || {
            let question = near::question(id, setup.contract().operations().map(|meta| meta.id));
            Error::invalid("unknown_operation", format!("there is no operation {id:?}{question}"))
        };
        let registered = setup.contract().by_id(id).ok_or_else(unknown)?;
        // Checked first, because input of another shape could not be written as a request.
        input::check(registered, &input, &setup.profile)?;
        let headers = sim_base::request::header_fields(&registered.entry.meta, &input);
        let sent = input::write(registered, &input, &setup.names, &headers);
        let answer = self.pass(
            &sent,
            &Credentials::Caller(caller),
            Ok(Matched { operation: registered, path: Vec::new() }),
            |_| Ok(input.into()),
            |matched, input, cx| (matched.operation.entry.run)(input, cx),
        );
        let payload = answer.outcome?.payload;
        Ok(serde_json::from_slice(&payload.body).unwrap_or_default())
    }
}
