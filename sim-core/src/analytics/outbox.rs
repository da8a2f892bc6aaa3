//! What the server sends to people and to addresses: caught here, for tests to read and for a transport to deliver.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::engine::{
    Access, Cx, Empty, Error, Kind, Meta, Operation, Resource, Timestamp, from_micros, get, micros, post,
};
use crate::operations;

use super::source;

operations![ListOutbox, AnswerMessage];

pub(super) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE outbox (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL,
        source TEXT NOT NULL,
        channel TEXT NOT NULL,
        recipient TEXT NOT NULL,
        subject TEXT,
        body TEXT NOT NULL,
        answer TEXT
    ) STRICT;
";

/// Messages that are kept; older ones are forgotten.
const KEPT: i64 = 1000;

/// How a message travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// Mail to an address.
    Email,
    /// A text message to a user.
    Sms,
    /// JSON that is posted to an address.
    Webhook,
    /// JSON that is posted to a chat's hook.
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

    fn named(name: &str) -> Channel {
        let found = Channel::ALL.iter().find(|(_, one)| *one == name);
        found.map(|(channel, _)| *channel).expect("stored channels have names")
    }
}

/// A message that the server sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Message {
    /// Number, from 1.
    pub id: i64,
    /// When.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// The token of the source that it is about.
    pub source: String,
    /// How it travels.
    pub channel: Channel,
    /// Address of mail or hook, or the user's name.
    pub recipient: String,
    /// Subject of mail.
    #[schemars(extend("x-nullable" = true))]
    pub subject: Option<String>,
    /// Text, or JSON as posted.
    pub body: String,
    /// What came of delivering it, once somebody has.
    #[schemars(extend("x-nullable" = true))]
    pub answer: Option<String>,
}

/// Sends a message about the source with that token.
pub(super) fn send(
    cx: &Cx<'_>,
    source: &str,
    channel: Channel,
    recipient: &str,
    subject: Option<&str>,
    body: &str,
) {
    let id = cx.db.insert(
        "INSERT INTO outbox (at, source, channel, recipient, subject, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        (micros(cx.now), source, channel.as_str(), recipient, subject, body),
    );
    cx.db.run("DELETE FROM outbox WHERE id <= ?1", (id - KEPT,));
}

/// List the newest messages that the server sent, oldest first.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ListOutbox {
    /// Only those with a greater number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<i64>,
}

impl Operation for ListOutbox {
    type Output = Vec<Message>;
    const META: Meta =
        Meta { access: Access::Control, query: &["after"], ..get("sim-list-outbox", "/_sim/outbox") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Message>, Error> {
        let sql = "SELECT id, at, source, channel, recipient, subject, body, answer FROM outbox
                   WHERE id > ?1 ORDER BY id";
        Ok(cx.db.all(sql, (self.after.unwrap_or(0),), |row| {
            Ok(Message {
                id: row.get(0)?,
                at: from_micros(row.get(1)?),
                source: row.get(2)?,
                channel: Channel::named(&row.get::<_, String>(3)?),
                recipient: row.get(4)?,
                subject: row.get(5)?,
                body: row.get(6)?,
                answer: row.get(7)?,
            })
        }))
    }
}

/// Say what came of delivering a message. A chat that has no such hook makes its source forget the address.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AnswerMessage {
    /// The message's number.
    pub id: String,
    /// What was answered: a body, or why nothing was.
    pub answer: String,
}

/// The answer of a chat that has no such hook.
const NO_SERVICE: &str = "no_service";

impl Operation for AnswerMessage {
    type Output = Empty;
    const META: Meta =
        Meta { status: 200, access: Access::Control, ..post("sim-answer-message", "/_sim/outbox/{id}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let sql = "UPDATE outbox SET answer = ?2 WHERE id = ?1 RETURNING channel, source";
        let id: Option<i64> = self.id.parse().ok();
        let found = cx
            .db
            .maybe(sql, (id, &self.answer), |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)));
        let text = format!("There is no message {}", self.id);
        let (channel, source) = found.ok_or_else(|| Error::new(Kind::NotFound, "message_not_found", text))?;
        if channel == Channel::Chat.as_str() && self.answer.trim() == NO_SERVICE {
            source::forget_chat(cx, &source);
        }
        Ok(Empty {})
    }
}
