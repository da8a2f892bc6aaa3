//! The runs of alerts, by the simulated clock: every run sends all rows of its query.
//!
//! A run whose query fails sends nothing; the world's history has the error.

use std::time::Duration;

use serde::Serialize;
use serde_json::{Map, Value, json};
use sim_base::{Cx, FromJson, Resource, Task, TaskEntry, from_micros};

use crate::alert::{self, Alert};
use crate::backend;
use crate::cron::Cron;
use crate::execute::{self, Rows};
use crate::outbox::{About, Channel, send};

pub(crate) const RESOURCE: Resource =
    Resource { tables: "", operations: &[], tasks: &[TaskEntry::of::<Run>()] };

/// An alert's next run.
#[derive(Debug, Serialize, FromJson)]
struct Run {
    alert: String,
}

impl Task for Run {
    const KIND: &'static str = "alert";
    const NAME: Option<&'static str> = Some("SELECT settings ->> 'name' FROM alert WHERE token = ?1");

    fn subject(&self) -> &str {
        &self.alert
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        let Some(alert::Row { user, alert, mapping }) = alert::of_token(cx, &self.alert) else {
            return "gone".to_owned();
        };
        let cron = Cron::read(&alert.settings.cron).expect("a stored expression can be read");
        schedule(cx, &alert.token, &cron);
        match execute::run(cx, &alert::ask(user, &alert.settings, &mapping)) {
            Ok(rows) => {
                tell(cx, &alert, &rows);
                format!("{} rows", rows.len())
            }
            Err(wrong) => format!("failed: {}", wrong.text()),
        }
    }
}

/// Schedules the next run; there is none after the end of the calendar.
pub(crate) fn schedule(cx: &Cx<'_>, token: &str, cron: &Cron) {
    if let Some(next) = cron.next(cx.now) {
        let wait = Duration::try_from(next.duration_since(cx.now)).unwrap_or_default();
        cx.by_the_clock(wait, &Run { alert: token.to_owned() });
    }
}

/// Call it when an alert changes or is deleted.
pub(crate) fn stop(cx: &Cx<'_>, token: &str) {
    cx.cancel::<Run>(token);
}

fn tell(cx: &Cx<'_>, alert: &Alert, rows: &Rows) {
    if rows.is_empty() {
        return;
    }
    let about = About::Alert(&alert.token);
    if let Some(url) = &alert.settings.webhook_notification_url {
        send(cx, about, Channel::Webhook, url, None, &json!({ "result": rows }).to_string());
    }
    for id in &alert.settings.backend_ids {
        backend::tell(cx, *id, &alert.token, &json!({ "result": rows }));
    }
    if let Some(url) = &alert.settings.chat_hook_url {
        send(cx, about, Channel::Chat, url, None, &chat(cx, alert, rows).to_string());
    }
}

fn chat(cx: &Cx<'_>, alert: &Alert, rows: &Rows) -> Value {
    let link = format!("https://analytics.{}/alerts/{}", cx.profile.project_domain, alert.id);
    let text = format!("*{}*: {} row(s), <{link}|see the alert>", alert.settings.name, rows.len());
    let mut blocks = vec![json!({
        "type": "section",
        "text": { "type": "mrkdwn", "text": text },
        "accessory": {
            "type": "button", "text": { "type": "plain_text", "text": "Manage" }, "url": link,
        },
    })];
    blocks.extend(rows.iter().map(preformatted));
    json!({ "blocks": blocks })
}

/// One line per column, by name.
fn preformatted(row: &Map<String, Value>) -> Value {
    let mut columns: Vec<_> = row.iter().collect();
    columns.sort_by_key(|(name, _)| *name);
    let mut elements = Vec::new();
    for (index, (name, value)) in columns.into_iter().enumerate() {
        let end = if index == 0 { "" } else { "\n" };
        elements.push(json!({ "type": "text", "text": format!("{end}{name}: ") }));
        elements.push(shown(value));
    }
    json!({
        "type": "rich_text",
        "elements": [{ "type": "rich_text_preformatted", "elements": elements }],
    })
}

/// Numbers with 16 digits are timestamps in microseconds. They are formatted for people.
const INSTANTS: std::ops::Range<i64> = 1_000_000_000_000_000..10_000_000_000_000_000;

fn shown(value: &Value) -> Value {
    let text = match value {
        Value::String(url) if url.starts_with("https://") || url.starts_with("http://") => {
            return json!({ "type": "link", "url": url });
        }
        Value::String(text) => text.clone(),
        other => match other.as_i64().filter(|number| INSTANTS.contains(number)) {
            Some(micros) => from_micros(micros).to_string(),
            None => other.to_string(),
        },
    };
    json!({ "type": "text", "text": text })
}
