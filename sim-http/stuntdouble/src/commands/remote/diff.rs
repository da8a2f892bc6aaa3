//! `stuntdouble diff`: what is different between two worlds of a running server.

use std::fmt::Write as _;

use clap::Args;
use serde_json::{Map, Value, json};
use sim_core::engine::{AnswerChange, Difference, RowChange, ValueChange};

use super::Reach;
use crate::Failure;

/// Arguments of `diff`.
#[derive(Args)]
#[command(after_help = "Examples:
  stuntdouble fork --name before         keep the present state under a name
  stuntdouble diff before main           what has changed since then
  stuntdouble diff main --at-call 12     what has changed since call 12")]
pub(crate) struct Arguments {
    /// World to start from
    #[arg(value_name = "WORLD")]
    from: String,
    /// World to compare with [default: the first one as it is now]
    #[arg(value_name = "WORLD", required_unless_present_any = ["at_call", "snapshot"])]
    to: Option<String>,
    /// Start from the first world as it was right after this call; 0 is its beginning
    #[arg(long, value_name = "CALL", conflicts_with = "snapshot")]
    at_call: Option<u64>,
    /// Start from this snapshot of the first world
    #[arg(long, value_name = "NAME")]
    snapshot: Option<String>,
    #[command(flatten)]
    reach: Reach,
}

pub(crate) fn run(Arguments { from, to, at_call, snapshot, reach }: &Arguments) -> Result<(), Failure> {
    let reach = Reach { world: Some(from.clone()), ..reach.clone() };
    let fields = json!({ "to": to, "at_call": at_call, "snapshot": snapshot });
    let difference: Result<Difference, _> = reach.world()?.control("sim-diff-worlds", &fields);
    reach.show(&difference.map_err(|error| reach.failed(&error))?, text);
    Ok(())
}

fn text(difference: &Difference) -> String {
    if difference.is_empty() {
        return "no difference".to_owned();
    }
    let mut text = String::new();
    for row in &difference.rows {
        line(&mut text, &row_line(row));
    }
    let mut answers = difference.answers.iter().peekable();
    while let Some(answer) = answers.next() {
        line(&mut text, &format!("GET {}", answer.path));
        answer.changes.iter().for_each(|change| line(&mut text, &format!("  {}", value_line(change))));
        let Some(kind) = whole(answer) else { continue };
        let below = format!("{}/", answer.path);
        let is_same = |next: &&AnswerChange| next.path.starts_with(&below) && whole(next) == Some(kind);
        let more = std::iter::from_fn(|| answers.next_if(is_same)).count();
        if more > 0 {
            line(&mut text, &format!("  {more} answers below this path: {kind}; --json has them"));
        }
    }
    text.trim_end().to_owned()
}

/// What became of an answer that only one of the worlds has.
fn whole(answer: &AnswerChange) -> Option<&'static str> {
    match &*answer.changes {
        [ValueChange { pointer, before: None, .. }] if pointer.is_empty() => Some("new"),
        [ValueChange { pointer, after: None, .. }] if pointer.is_empty() => Some("gone"),
        _ => None,
    }
}

fn line(text: &mut String, one: &str) {
    writeln!(text, "{one}").expect("a string takes it");
}

/// `row project ref=…  status: "PAUSING" → "INACTIVE"`
fn row_line(RowChange { table, key, before, after }: &RowChange) -> String {
    let key: Vec<String> = key.iter().map(|(name, value)| format!("{name}={}", plain(value))).collect();
    let what = match (before, after) {
        (None, Some(new)) => format!("new  {}", Value::Object(new.clone())),
        (Some(_), None) => "deleted".to_owned(),
        (before, after) => {
            let value = |row: &Option<Map<String, Value>>, name: &str| {
                row.as_ref().and_then(|row| row.get(name)).cloned().unwrap_or_default()
            };
            let names = after.iter().flatten().map(|(name, _)| name);
            let changed: Vec<String> = names
                .map(|name| format!("{name}: {} → {}", value(before, name), value(after, name)))
                .collect();
            changed.join(", ")
        }
    };
    format!("row {table} {}  {what}", key.join(" "))
}

fn value_line(ValueChange { pointer, before, after }: &ValueChange) -> String {
    let place = if pointer.is_empty() { "the answer" } else { pointer };
    match (before, after) {
        (None, Some(new)) => format!("{place}: new, {}", short(new)),
        (Some(old), None) => format!("{place}: gone, {}", short(old)),
        (old, new) => {
            let value = |one: &Option<Value>| short(&one.clone().unwrap_or_default());
            format!("{place}: {} → {}", value(old), value(new))
        }
    }
}

/// The longest value that the text shows whole; `--json` has all of it.
const SHOWN: usize = 120;

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
