//! `/_sim/events`: a stream of what happens in the chosen world.

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::Error;
use sim_core::engine::{Meta, get};

use super::{Control, Place, Run};
use crate::worlds::{Cursor, News, Watcher};

/// Watch the chosen world: its calls, its work and its clock, as server-sent events.
///
/// The first message has the present state. The stream continues until the world is deleted; the header `Last-Event-ID` resumes
/// it. If there are no events, the clock is sent every 15 s. Without a socket the answer ends after one message.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Watch {
    /// The `id` of the last message received; only new events are sent by default.
    pub after: Option<String>,
}

impl Control for Watch {
    type Output = News;
    const META: Meta =
        Meta { query: &["after"], produces: &["text/event-stream"], ..get("sim-watch", "/_sim/events") };
}

impl Run for Watch {
    async fn run(self, place: &Place<'_>) -> Result<News, Error> {
        let last = place.parts.headers.get("last-event-id").and_then(|id| id.to_str().ok());
        let cursor = match last.or(self.after.as_deref()) {
            None => None,
            Some(text) => Some(Cursor::read(text).ok_or_else(|| {
                let text = format!("after: must be the id of a message, as in 12.3, received {text:?}");
                Error::invalid("invalid_query.after", text)
            })?),
        };
        place.world.read_without_notice(|inside| News::after(inside, cursor)).await
    }

    fn respond(output: &News, place: &Place<'_>) -> Response<Bytes> {
        let mut response = Response::new(output.to_message());
        let stream = HeaderValue::from_static("text/event-stream; charset=utf-8");
        response.headers_mut().insert(CONTENT_TYPE, stream);
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response.extensions_mut().insert(Watcher::new(place.world, output));
        response
    }
}
