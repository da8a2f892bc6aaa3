//! `/v1/logs`, `/v1/metrics`, `/v1/traces`: where exporters of telemetry post to if they know only the server's address.

use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{Cx, Error, Meta, New, Operation, Payload, Resource, ToSchema};

use crate::delivery::{Delivery, Form};
use crate::ingest::{Ingested, ingestion, respond, take_in};
use crate::otlp::Signal;

operations![ExportLogs, ExportMetrics, ExportTraces];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// The content types of an answer, which has that of the request.
pub(crate) const ANSWERS: &[&str] = &["application/json", "application/x-protobuf"];

/// Declares the operation for one signal.
macro_rules! export {
    ($(#[$doc:meta])* $name:ident, $id:literal, $path:literal, $signal:expr) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
        pub struct $name {
            /// The export, and its source.
            #[serde(flatten)]
            pub delivery: Delivery,
        }

        impl Operation for $name {
            type Output = Ingested;
            const META: Meta = Meta { produces: ANSWERS, ..ingestion($id, $path) };

            fn run(self, cx: &mut Cx<'_>) -> Result<Ingested, Error> {
                take_in(cx, Form::Otlp($signal), self.delivery)
            }

            fn payload(output: &Ingested) -> Payload {
                respond(output)
            }
        }
    };
}

export!(
    /// Export log records to a source, as protocol buffers or JSON of the OpenTelemetry protocol.
    ///
    /// The header `x-source` or a parameter names the source. Records that can't be stored are counted in the answer.
    ExportLogs, "analytics-export-logs", "/v1/logs", Signal::Logs
);
export!(
    /// Export metrics to a source, in the same way: each point becomes an event.
    ExportMetrics, "analytics-export-metrics", "/v1/metrics", Signal::Metrics
);
export!(
    /// Export spans to a source, in the same way: each span becomes an event, and each of its own events another one.
    ExportTraces, "analytics-export-traces", "/v1/traces", Signal::Traces
);
