//! The outbox: the messages that the server sends to people and addresses, for tests to read and for a
//! transport to deliver.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;
use sim_base::operations;
use sim_base::{
    Access, Cx, Db, Empty, Error, FromJson, Kind, Meta, New, Operation, Resource, Timestamp, ToSchema, View,
    from_micros, get, micros, post, view,
};

use crate::source;

operations![ListOutbox, AnswerMessage];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE outbox (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL,
        source TEXT,
        alert TEXT,
        channel TEXT NOT NULL,
        recipient TEXT NOT NULL,
        subject TEXT,
        body TEXT NOT NULL,
        headers TEXT, -- secret
        status INTEGER,
        answer TEXT,
        to_post INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX outbox_to_post ON outbox (id) WHERE to_post;
";

pub(crate) const VIEWS: &[View] = &[view(
    "outbox",
    "A message in the outbox, without its recipient.",
    "SELECT id, at, source, alert, channel, subject, body, status FROM outbox",
)];

/// The number of messages kept; older ones are deleted.
const KEPT: i64 = 1000;

/// The transport of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// Mail to an address.
    Email,
    /// A text message to a user.
    Sms,
    /// JSON posted to an address.
    Webhook,
    /// JSON posted to a chat's webhook.
    Chat,
}

impl Channel {
    const ALL: [(Channel, &'static str); 4] = [
        (Channel::Email, "email"),
        (Channel::Sms, "sms"),
        (Channel::Webhook, "webhook"),
        (Channel::Chat, "chat"),
    ];

    fn as_str(self) -> &'static str {
        Channel::ALL.iter().find(|(one, _)| *one == self).map_or("", |(_, name)| name)
    }

    /// Whether a transport posts it to an address.
    pub const fn is_posted(self) -> bool {
        matches!(self, Channel::Webhook | Channel::Chat)
    }

    fn named(name: &str) -> Channel {
        let found = Channel::ALL.iter().find(|(_, one)| *one == name);
        found.map(|(channel, _)| *channel).expect("stored channels have names")
    }
}

/// A message that the server sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Message {
    /// Number, from 1.
    pub id: i64,
    /// When.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// The token of its source.
    #[schemars(extend("x-nullable" = true))]
    pub source: Option<String>,
    /// The token of its alert.
    #[schemars(extend("x-nullable" = true))]
    pub alert: Option<String>,
    /// Its transport.
    pub channel: Channel,
    /// The email address, the webhook's address, or the user's name.
    pub recipient: String,
    /// Subject of mail.
    #[schemars(extend("x-nullable" = true))]
    pub subject: Option<String>,
    /// The text, or the posted JSON.
    pub body: String,
    /// The headers that are posted with it, if there are any.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(extend("x-secret" = true))]
    pub headers: BTreeMap<String, String>,
    /// The status of the recipient's response, if there was one.
    #[schemars(extend("x-nullable" = true))]
    pub status: Option<u16>,
    /// The result of its delivery, once reported.
    #[schemars(extend("x-nullable" = true))]
    pub answer: Option<String>,
}

const COLUMNS: &str = "id, at, source, alert, channel, recipient, subject, body, status, answer, headers";

fn row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Message> {
    Ok(Message {
        id: row.get(0)?,
        at: from_micros(row.get(1)?),
        source: row.get(2)?,
        alert: row.get(3)?,
        channel: Channel::named(&row.get::<_, String>(4)?),
        recipient: row.get(5)?,
        subject: row.get(6)?,
        body: row.get(7)?,
        status: row.get(8)?,
        answer: row.get(9)?,
        headers: row.get::<_, Option<String>>(10)?.map_or_else(BTreeMap::new, |text| {
            serde_json::from_str(&text).expect("headers are stored as JSON")
        }),
    })
}

/// The token of the message's owner.
#[derive(Clone, Copy)]
pub(crate) enum About<'a> {
    Source(&'a str),
    Alert(&'a str),
    /// A test of a backend, which has no owner among them.
    Backend,
}

/// Sends a message.
pub(crate) fn send(
    cx: &Cx<'_>,
    about: About<'_>,
    channel: Channel,
    recipient: &str,
    subject: Option<&str>,
    body: &str,
) {
    let id = put(cx, about, channel, recipient, subject, body);
    cx.db.run("DELETE FROM outbox WHERE id <= ?1", (id - KEPT,));
}

/// Posts JSON to an address, with headers of the recipient's own.
pub(crate) fn post_with(
    cx: &Cx<'_>,
    about: About<'_>,
    url: &str,
    headers: &BTreeMap<String, String>,
    body: &str,
) {
    let id = put(cx, about, Channel::Webhook, url, None, body);
    cx.db.run("UPDATE outbox SET headers = ?2 WHERE id = ?1", (id, json!(headers).to_string()));
    cx.db.run("DELETE FROM outbox WHERE id <= ?1", (id - KEPT,));
}

fn put(
    cx: &Cx<'_>,
    about: About<'_>,
    channel: Channel,
    recipient: &str,
    subject: Option<&str>,
    body: &str,
) -> i64 {
    let (source, alert) = match about {
        About::Source(token) => (Some(token), None),
        About::Alert(token) => (None, Some(token)),
        About::Backend => (None, None),
    };
    cx.db.insert(
        "INSERT INTO outbox (at, source, alert, channel, recipient, subject, body, to_post)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        (micros(cx.now), source, alert, channel.as_str(), recipient, subject, body, channel.is_posted()),
    )
}

/// Whether messages to webhooks and chats wait for delivery.
pub fn has_waiting(db: Db<'_>) -> bool {
    db.one("SELECT EXISTS (SELECT 1 FROM outbox WHERE to_post)", (), |row| row.get(0))
}

/// Takes the messages to webhooks and chats that wait for delivery, oldest first. Each is returned once.
pub fn take(cx: &Cx<'_>) -> Vec<Message> {
    let take = format!("UPDATE outbox SET to_post = 0 WHERE to_post RETURNING {COLUMNS}");
    let mut taken = cx.db.all(&take, (), row);
    taken.sort_by_key(|message| message.id);
    taken
}

/// The message with that number.
pub fn find(db: Db<'_>, id: i64) -> Option<Message> {
    db.maybe(&format!("SELECT {COLUMNS} FROM outbox WHERE id = ?1"), (id,), row)
}

/// List the newest messages that the server sent, oldest first.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema, New)]
#[serde(default)]
pub struct ListOutbox {
    /// Only messages with a greater number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<i64>,
}

impl Operation for ListOutbox {
    type Output = Vec<Message>;
    const META: Meta =
        Meta { access: Access::Control, query: &["after"], ..get("sim-list-outbox", "/_sim/outbox") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Message>, Error> {
        let sql = format!("SELECT {COLUMNS} FROM outbox WHERE id > ?1 ORDER BY id");
        Ok(cx.db.all(&sql, (self.after.unwrap_or(0),), row))
    }
}

/// Report the result of a message's delivery. If a chat has no such webhook, the source's address for it is removed.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct AnswerMessage {
    /// The message's number.
    pub id: String,
    /// The status of the response, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-nullable" = true))]
    pub status: Option<u16>,
    /// The body of the response, or the reason why there was none.
    #[schemars(length(max = 1_048_576))]
    pub answer: String,
}

/// A chat's response for an unknown webhook.
const NO_SERVICE: &str = "no_service";

impl Operation for AnswerMessage {
    type Output = Empty;
    const META: Meta =
        Meta { status: 200, access: Access::Control, ..post("sim-answer-message", "/_sim/outbox/{id}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let sql = format!("UPDATE outbox SET status = ?2, answer = ?3 WHERE id = ?1 RETURNING {COLUMNS}");
        let id: Option<i64> = self.id.parse().ok();
        let found = cx.db.maybe(&sql, (id, self.status, &self.answer), row);
        let text = format!("There is no message {}", self.id);
        let message = found.ok_or_else(|| Error::new(Kind::NotFound, "message_not_found", text))?;
        if let (Channel::Chat, Some(source)) = (message.channel, &message.source)
            && self.answer.trim() == NO_SERVICE
        {
            source::forget_chat(cx, source, &message.recipient);
        }
        Ok(Empty {})
    }
}
