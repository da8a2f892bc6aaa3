//! Bounds what the events of a delivery have in common. Each event gets a copy of it, so a short body could take much memory.

use serde_json::Value;
use sim_base::{Error, Kind};

/// How many bytes of copies a delivery may take in memory.
const BYTES_MAX: usize = 128 << 20;

/// The bytes of copies that a delivery may still take.
#[derive(Debug)]
pub(crate) struct Copies(usize);

impl Default for Copies {
    fn default() -> Copies {
        Copies(BYTES_MAX)
    }
}

impl Copies {
    /// Takes the bytes of `count` copies. `None`: fewer were left, and none is left from then on.
    pub(crate) fn take(&mut self, count: usize, bytes: usize) -> Option<()> {
        let left = self.0.checked_sub(count.saturating_mul(bytes));
        self.0 = left.unwrap_or(0);
        left.map(|_| ())
    }
}

/// The bytes of a value in memory.
pub(crate) fn weight(value: &Value) -> usize {
    let within = match value {
        Value::String(text) => text.len(),
        Value::Array(list) => list.iter().map(weight).sum(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| NAME_BYTES + name.len() + weight(value)).sum()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    size_of::<Value>() + within
}

/// What the name of a field takes beside its text: the text's place, a hash, and a position.
const NAME_BYTES: usize = size_of::<String>() + 2 * size_of::<usize>();

/// The refusal of a delivery with too many copies of `what`.
pub(crate) fn too_large(what: &str) -> Error {
    let most = BYTES_MAX >> 20;
    let text = format!(
        "body: its events would take more than {most} MiB with their copies of {what}, send them in several requests"
    );
    Error::new(Kind::TooLarge, "too_many_copies", text)
}

/// The reason for an event that can't be stored because the source's settings have copied too much before it.
pub(crate) fn reason() -> String {
    let most = BYTES_MAX >> 20;
    format!(
        "Validation error: the source's settings must not copy more than {most} MiB within the events of a delivery."
    )
}
