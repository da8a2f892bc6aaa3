//! Posts to endpoints: a transport takes them, signed, and reports what was answered. What fails is posted again later.
//!
//! Posts are signed as the open specification of webhooks has it: `webhook-signature` is `v1,` and the base64 of
//! HMAC-SHA256, under the endpoint's secret, over the values of `webhook-id`, `webhook-timestamp` and the body with dots between.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde::Serialize;
use serde_json::json;
use sha2::Sha256;
use sim_base::operations;
use sim_base::{
    Access, Cx, Db, Empty, Error, FromJson, Meta, New, Operation, Secret, Task, Timestamp, ToSchema,
    from_micros, get, micros, post,
};

use super::delivery::DeliveryStatus;
use super::event::{Event, EventPayload};
use crate::{named, text_of};

operations![ListPosts, AnswerPost];

/// Attempts of an endpoint that are kept; older ones are dropped.
const KEPT: i64 = 1000;

/// The waits before further attempts.
const WAITS: [Duration; 4] = [
    Duration::from_secs(5),
    Duration::from_secs(5 * 60),
    Duration::from_secs(30 * 60),
    Duration::from_secs(2 * 3600),
];

/// The UUID of a new event.
pub(super) fn new_event(cx: &Cx<'_>) -> String {
    cx.rng.uuid("webhook event").to_string()
}

/// Makes the attempt of that number to post an event to an endpoint; skips it if the endpoint is disabled. Returns the UUID of
/// the delivery.
pub(super) fn deliver(
    cx: &Cx<'_>,
    endpoint: i64,
    enabled: bool,
    event_id: &str,
    event: &Event,
    attempt: i64,
) -> String {
    let status = if enabled { DeliveryStatus::Pending } else { DeliveryStatus::Skipped };
    let EventPayload { organization_slug, project_ref } = &event.payload;
    let sql = "INSERT INTO webhook_delivery (id, endpoint, event_id, event_type, event_at, organization, project, attempt,
                   attempted_at, status, code, headers, to_post)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 0, '{}', ?11)";
    let id = cx.rng.uuid("webhook delivery").to_string();
    let row = rusqlite::params![
        id,
        endpoint,
        event_id,
        text_of(&event.r#type),
        micros(event.timestamp),
        organization_slug,
        project_ref,
        attempt,
        micros(cx.now),
        text_of(&status),
        enabled,
    ];
    cx.db.insert(sql, row);
    let older = "DELETE FROM webhook_delivery WHERE endpoint = ?1 AND seq <=
                 (SELECT seq FROM webhook_delivery WHERE endpoint = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)";
    cx.db.run(older, (endpoint, KEPT));
    id
}

/// Makes another attempt after a failed one.
#[derive(Clone, Debug, Serialize, FromJson)]
pub struct Again {
    /// UUID of the failed attempt.
    delivery: String,
}

impl Task for Again {
    const KIND: &'static str = "webhook";

    fn subject(&self) -> &str {
        &self.delivery
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        let sql = "SELECT d.endpoint, e.enabled, d.event_id, d.event_type, d.event_at, d.organization, d.project, d.attempt
                   FROM webhook_delivery d JOIN webhook_endpoint e ON e.seq = d.endpoint WHERE d.id = ?1";
        let found = cx.db.maybe(sql, (&self.delivery,), |row| {
            let event = Event {
                r#type: named(row.get_ref(3)?.as_str()?),
                timestamp: from_micros(row.get(4)?),
                payload: EventPayload { organization_slug: row.get(5)?, project_ref: row.get(6)? },
            };
            Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?, event, row.get::<_, i64>(7)?))
        });
        let Some((endpoint, enabled, event_id, event, attempt)) = found else { return "gone".to_owned() };
        deliver(cx, endpoint, enabled, &event_id, &event, attempt + 1);
        if enabled { format!("attempt {}", attempt + 1) } else { "skipped".to_owned() }
    }
}

/// A post to an endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "WebhookPost")]
pub struct Post {
    /// UUID of the delivery.
    pub id: String,
    /// When the attempt was made.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// The address.
    pub url: String,
    /// The headers, but for those that every post has.
    pub headers: BTreeMap<String, Secret>,
    /// The event, as JSON.
    pub body: String,
    /// Where the delivery stands.
    pub status: DeliveryStatus,
}

const COLUMNS: &str =
    "d.id, d.attempted_at, e.url, e.custom_headers, e.signing_secret, d.event_id, d.event_type, d.event_at,
    d.organization, d.project, d.status";
const FROM: &str = "webhook_delivery d JOIN webhook_endpoint e ON e.seq = d.endpoint";

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Post> {
    let event = Event {
        r#type: named(row.get_ref(6)?.as_str()?),
        timestamp: from_micros(row.get(7)?),
        payload: EventPayload { organization_slug: row.get(8)?, project_ref: row.get(9)? },
    };
    let (at, body, event_id) = (from_micros(row.get(1)?), json!(event).to_string(), row.get::<_, String>(5)?);
    let custom: Option<String> = row.get(3)?;
    let mut headers: BTreeMap<String, Secret> =
        custom.map(|text| serde_json::from_str(&text).expect("they were stored as such")).unwrap_or_default();
    let seconds = at.as_second().to_string();
    let signature = signature(&row.get::<_, String>(4)?, &[&event_id, &seconds, &body]);
    headers.insert("webhook-id".to_owned(), Secret(event_id));
    headers.insert("webhook-timestamp".to_owned(), Secret(seconds));
    headers.insert("webhook-signature".to_owned(), Secret(signature));
    Ok(Post {
        id: row.get(0)?,
        at,
        url: row.get(2)?,
        headers,
        body,
        status: named(row.get_ref(10)?.as_str()?),
    })
}

fn signature(secret: &str, parts: &[&str]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("HMAC takes keys of any length");
    mac.update(parts.join(".").as_bytes());
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

/// Whether there are posts that nobody has taken.
pub fn has_waiting(db: Db<'_>) -> bool {
    db.maybe("SELECT 1 FROM webhook_delivery WHERE to_post LIMIT 1", (), |_| Ok(())).is_some()
}

/// Takes the posts that are not taken yet, oldest first. Each is returned once.
pub fn take(cx: &Cx<'_>) -> Vec<Post> {
    let taken = cx.db.all(&format!("SELECT {COLUMNS} FROM {FROM} WHERE d.to_post ORDER BY d.seq"), (), read);
    cx.db.run("UPDATE webhook_delivery SET to_post = 0 WHERE to_post", ());
    taken
}

/// Whether the delivery with that UUID waits for an answer.
pub fn is_pending(db: Db<'_>, id: &str) -> bool {
    let sql = "SELECT 1 FROM webhook_delivery WHERE id = ?1 AND status = 'pending'";
    db.maybe(sql, (id,), |_| Ok(())).is_some()
}

/// The most posts of a list: the latest ones.
const LISTED: i64 = 10_000;

/// List the posts to endpoints of webhooks, oldest first, as they are sent.
#[derive(Clone, Debug, Default, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct ListPosts {}

impl Operation for ListPosts {
    type Output = Vec<Post>;
    const META: Meta =
        Meta { access: Access::Control, ..get("sim-list-webhook-posts", "/_sim/webhooks/posts") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Post>, Error> {
        let sql = format!("SELECT {COLUMNS} FROM {FROM} ORDER BY d.seq DESC LIMIT ?1");
        let mut latest = cx.db.all(&sql, (LISTED,), read);
        latest.reverse();
        Ok(latest)
    }
}

/// Say what an endpoint answered to a post. Unless that is a success, it is posted again later: after 5 seconds, 5 minutes,
/// half an hour and 2 hours.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct AnswerPost {
    /// UUID of the delivery.
    pub id: String,
    /// The status of the answer; absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 100, max = 999))]
    pub status: Option<u16>,
    /// The headers of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub headers: Option<BTreeMap<String, String>>,
    /// The body of the answer, or why there was none.
    #[schemars(length(max = 1_048_576))]
    pub answer: String,
}

impl Operation for AnswerPost {
    type Output = Empty;
    const META: Meta = Meta {
        status: 200,
        access: Access::Control,
        ..post("sim-answer-webhook-post", "/_sim/webhooks/posts/{id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let sql = "SELECT attempt, status FROM webhook_delivery WHERE id = ?1";
        let found = cx.db.maybe(sql, (self.id.to_lowercase(),), |row| {
            Ok((row.get::<_, u32>(0)?, named::<DeliveryStatus>(row.get_ref(1)?.as_str()?)))
        });
        let (attempt, before) = found.ok_or_else(|| Error::not_found("delivery", &self.id))?;
        let (status, error) = match self.status {
            Some(200..=299) => (DeliveryStatus::Success, None),
            Some(other) => (
                DeliveryStatus::Failure,
                Some(("unexpected_status", format!("The endpoint answered {other}."))),
            ),
            None => (DeliveryStatus::Failure, Some(("no_answer", self.answer.clone()))),
        };
        let (code, message) = error.unzip();
        let sql =
            "UPDATE webhook_delivery SET status = ?2, code = ?3, headers = ?4, body = ?5, error_code = ?6,
                       error_message = ?7, to_post = FALSE WHERE id = ?1";
        let row = (
            self.id.to_lowercase(),
            text_of(&status),
            self.status.unwrap_or(0),
            json!(self.headers.unwrap_or_default()).to_string(),
            self.status.map(|_| self.answer),
            code,
            message,
        );
        cx.db.run(sql, row);
        if (before, status) == (DeliveryStatus::Pending, DeliveryStatus::Failure)
            && let Some(wait) = WAITS.get(attempt as usize - 1)
        {
            cx.after(*wait, &Again { delivery: self.id.to_lowercase() });
        }
        Ok(Empty {})
    }
}
