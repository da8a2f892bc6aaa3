//! Notifies people of new events and new fields: a timer per source, by the simulated clock.
//!
//! A source's timer ticks every `notifications_every` milliseconds, counted from the source's creation. At a
//! tick it reports the events since the last one, if there are any. Ticks without recipients or new events
//! are not scheduled.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Value, json};
use sim_base::{Cx, FromJson, Resource, Task, TaskEntry, from_micros, micros};

use crate::outbox::{About, Channel, send};
use crate::source::{self, Row};
use crate::{account, event_store};

pub(crate) const RESOURCE: Resource =
    Resource { tables: "", operations: &[], tasks: &[TaskEntry::of::<Tick>()] };

/// A source's next tick.
#[derive(Debug, Serialize, FromJson)]
struct Tick {
    source: String,
}

impl Task for Tick {
    const KIND: &'static str = "notification";
    const NAME: Option<&'static str> = Some("SELECT name FROM source WHERE token = ?1");

    fn subject(&self) -> &str {
        &self.source
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        let Some(source) = source::any_of_token(cx, &self.source) else { return "gone".to_owned() };
        let count = unseen(cx, source.id);
        see(cx, source.id);
        tell(cx, &source, count);
        format!("{count} new events")
    }
}

/// Events since the last tick.
fn unseen(cx: &Cx<'_>, source: i64) -> i64 {
    cx.db.one("SELECT inserts - seen FROM source_count WHERE source = ?1", (source,), |row| row.get(0))
}

fn see(cx: &Cx<'_>, source: i64) {
    cx.db.run("UPDATE source_count SET seen = inserts WHERE source = ?1", (source,));
}

/// Schedules a source's next tick. Call it when the source has new events, before they are counted.
pub(crate) fn expect(cx: &Cx<'_>, source: &Row) {
    if cx.is_scheduled::<Tick>(&source.token) {
        return;
    }
    // Earlier ticks were not scheduled; they would have seen all events up to now.
    see(cx, source.id);
    if tells(source) {
        let every = source.settings.notifications_every.saturating_mul(1000);
        let left = every - (micros(cx.now) - micros(source.inserted_at)).rem_euclid(every);
        cx.by_the_clock(Duration::from_micros(left.unsigned_abs()), &Tick { source: source.token.clone() });
    }
}

/// Restarts the timer of a source. Call it when the source's settings change.
pub(crate) fn reset(cx: &Cx<'_>, source: &Row) {
    if cx.is_scheduled::<Tick>(&source.token) {
        let before = unseen(cx, source.id);
        cx.cancel::<Tick>(&source.token);
        expect(cx, source);
        let sql = "UPDATE source_count SET seen = inserts - ?2 WHERE source = ?1";
        cx.db.run(sql, (source.id, before));
    }
}

/// Call it when a source is deleted.
pub(crate) fn stop(cx: &Cx<'_>, source: &Row) {
    cx.cancel::<Tick>(&source.token);
}

fn tells(source: &Row) -> bool {
    let (settings, to) = (&source.settings, &source.settings.notifications);
    settings.webhook_notification_url.is_some()
        || settings.chat_hook_url.is_some()
        || to.user_email_notifications
        || to.user_text_notifications
        || to.other_email_notifications.is_some()
        || !to.team_user_ids_for_email.is_empty()
}

fn tell(cx: &Cx<'_>, source: &Row, count: i64) {
    if count == 0 {
        return;
    }
    let (settings, to) = (&source.settings, &source.settings.notifications);
    let about = About::Source(&source.token);
    let link = format!("https://analytics.{}/sources/{}", cx.profile.project_domain, source.id);
    let mail = format!(
        "{} has {count} new event(s).\n\nSee them: {link}\nUnsubscribe: {link}/unsubscribe\n",
        source.name
    );
    let subject = format!("{count} New Event(s) for {}", source.name);
    let own = to.user_email_notifications.then(|| account::email(cx, source.user));
    let others = to.other_email_notifications.iter().flat_map(|list| list.split(','));
    let others = others.map(|address| address.trim().to_owned()).filter(|address| !address.is_empty());
    let team = team_emails(cx, source.user, &to.team_user_ids_for_email);
    for address in own.into_iter().chain(others).chain(team) {
        send(cx, about, Channel::Email, &address, Some(&subject), &mail);
    }
    if to.user_text_notifications {
        let text = format!("{} has {count} new event(s). See: {link}", source.name);
        let team = team_emails(cx, source.user, &to.team_user_ids_for_sms);
        for address in std::iter::once(account::email(cx, source.user)).chain(team) {
            send(cx, about, Channel::Sms, &address, None, &text);
        }
    }
    if let Some(url) = &settings.webhook_notification_url {
        let (url, body) = match embeds_at(cx, url) {
            Some(url) => (url, embeds(cx, source, count, &link)),
            None => (url.clone(), webhook(cx, source, count)),
        };
        send(cx, about, Channel::Webhook, &url, None, &body.to_string());
    }
    if let Some(url) = &settings.chat_hook_url
        && let Some(body) = chat(cx, source, count, &link)
    {
        send(cx, about, Channel::Chat, url, None, &body.to_string());
    }
}

/// The addresses of users in the owner's team, by their numbers.
fn team_emails(cx: &Cx<'_>, user: i64, ids: &[String]) -> Vec<String> {
    let sql = "SELECT u.email FROM team_user u JOIN team t ON t.id = u.team
               WHERE t.user = ?1 AND CAST(u.id AS TEXT) = ?2";
    ids.iter().filter_map(|id| cx.db.maybe(sql, (user, id), |row| row.get(0))).collect()
}

/// The most messages in a webhook's payload, and the most events in a chat's payload or in embeds.
const WEBHOOK_EVENTS: u32 = 5;
const CHAT_EVENTS: u32 = 3;
const EMBEDDED_EVENTS: u32 = 3;

/// The most characters of a message in an embed, so that it fits with its fences.
const EMBEDDED_CHARS: usize = 1018;

/// The newest events. If their server does not respond, the message is sent without them.
fn recent(cx: &Cx<'_>, source: &Row, count: u32) -> Vec<Value> {
    event_store::recent(cx, &source.token, count).unwrap_or_default()
}

fn webhook(cx: &Cx<'_>, source: &Row, count: i64) -> Value {
    let recent = recent(cx, source, WEBHOOK_EVENTS);
    let messages: Vec<_> = recent.iter().map(|event| event["event_message"].clone()).collect();
    json!({ "rate": count, "source_name": source.name, "source": source.token, "recent_events": messages })
}

/// The URL for posting embeds, if `url` takes them; its query asks to wait for the response.
fn embeds_at(cx: &Cx<'_>, url: &str) -> Option<String> {
    let uri: http::Uri = url.parse().ok()?;
    let host = uri.host()?.to_ascii_lowercase();
    let above = host.strip_suffix(&cx.profile.embeds_host.to_ascii_lowercase())?;
    let start = if uri.query().is_some() { '&' } else { '?' };
    (above.is_empty() || above.ends_with('.')).then(|| format!("{url}{start}wait=true"))
}

fn embeds(cx: &Cx<'_>, source: &Row, count: i64, link: &str) -> Value {
    let icon = format!("https://analytics.{}/icon.png", cx.profile.project_domain);
    let field = |event: &Value| {
        let message = event["event_message"].as_str().unwrap_or_default();
        let message: String = message.chars().take(EMBEDDED_CHARS).collect();
        json!({ "name": instant(event), "value": format!("```{message}```") })
    };
    let fields: Vec<_> = recent(cx, source, EMBEDDED_EVENTS).iter().map(field).collect();
    json!({
        "username": "Analytics",
        "avatar_url": icon,
        "embeds": [{
            "author": { "name": source.name, "url": link, "icon_url": icon },
            "title": format!("{count} new event(s)"),
            "fields": fields,
        }],
    })
}

/// An event older than this many microseconds is not new to a chat.
const NEWS_US: i64 = 60_000_000;

/// Nothing if no event is younger than a minute.
fn chat(cx: &Cx<'_>, source: &Row, count: i64, link: &str) -> Option<Value> {
    let recent = recent(cx, source, CHAT_EVENTS);
    let is_news = |event: &Value| event["timestamp"].as_i64().is_some_and(|at| at > micros(cx.now) - NEWS_US);
    if !recent.iter().any(is_news) {
        return None;
    }
    let mut blocks = vec![json!({
        "type": "section",
        "text": { "type": "mrkdwn", "text": format!("*{count} new event(s)* for `{}`", source.name) },
        "accessory": {
            "type": "button", "text": { "type": "plain_text", "text": "View events" }, "url": link,
        },
    })];
    blocks.extend(recent.iter().map(preformatted));
    Some(json!({ "blocks": blocks }))
}

fn preformatted(event: &Value) -> Value {
    let text = format!("{}: {}", instant(event), event["event_message"].as_str().unwrap_or_default());
    json!({
        "type": "rich_text",
        "elements": [{ "type": "rich_text_preformatted", "elements": [{ "type": "text", "text": text }] }],
    })
}

/// The event's time, formatted for people.
fn instant(event: &Value) -> String {
    event["timestamp"].as_i64().map_or_else(String::new, |at| from_micros(at).to_string())
}

/// Reports new columns of the source's table, if the warehouse keeps it.
pub(crate) fn tell_of_fields(cx: &Cx<'_>, source: i64, fields: &[String]) {
    let Some(source) = source::of_id(cx, source) else { return };
    let (to, about) = (&source.settings.notifications, About::Source(&source.token));
    let subject = format!("New Fields Found for Source {}", source.name);
    let all = source::columns(cx, source.id);
    let all = all.iter().map(|(path, kind)| format!("{path}: {kind}")).collect::<Vec<_>>().join("\n");
    let text = format!("New fields: {}\n\nAll fields:\n{all}\n", fields.join(", "));
    let own = to.user_schema_update_notifications.then(|| account::email(cx, source.user));
    let team = team_emails(cx, source.user, &to.team_user_ids_for_schema_updates);
    for address in own.into_iter().chain(team) {
        send(cx, about, Channel::Email, &address, Some(&subject), &text);
    }
}
