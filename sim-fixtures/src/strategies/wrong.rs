//! Malformed requests.

use serde_json::{Value, json};
use sim_core::engine::{Access, Body};

use super::{Dice, Text, What};

/// What is wrong with a request's form.
#[derive(Clone, Debug)]
pub enum Wrong {
    /// A JSON body that the operation does not accept.
    Body(Value),
    /// A part named `metadata` that it does not accept.
    Metadata(Value),
    /// A body that is not JSON.
    Garbage(&'static [u8]),
    /// An unsupported content type.
    ContentType(&'static str),
    /// A body beyond [`MAX_BODY_BYTES`].
    TooLarge,
    /// Another query.
    Query(&'static str),
    /// Another value of the path parameter of that name.
    Path(&'static str, &'static str),
    /// An unknown path.
    UnknownPath,
    /// A method that no path accepts.
    Method,
}

/// The limit on bodies that worlds for these calls must have. It is low, so large bodies are cheap to make.
pub const MAX_BODY_BYTES: usize = 4096;

impl Wrong {
    /// The status of its refusal.
    pub fn status(&self) -> u16 {
        match self {
            Wrong::Body(_) | Wrong::Metadata(_) | Wrong::Garbage(_) | Wrong::Query(_) | Wrong::Path(..) => {
                400
            }
            Wrong::UnknownPath => 404,
            Wrong::Method => 405,
            Wrong::TooLarge => 413,
            Wrong::ContentType(_) => 415,
        }
    }

    /// Whether the service still recognises the operation.
    pub fn is_routed(&self) -> bool {
        !matches!(self, Wrong::UnknownPath | Wrong::Method)
    }
}

/// One random defect.
pub(super) fn any(dice: &mut Dice, what: &What) -> Option<Wrong> {
    match dice.below(16) {
        0 => Some(Wrong::UnknownPath),
        1 => Some(Wrong::Method),
        _ => {
            let mut all = wrongs(what);
            (!all.is_empty()).then(|| all.swap_remove(dice.below(all.len())))
        }
    }
}

/// All possible defects of form of a request for `what`, while path and method stay right.
pub fn wrongs(what: &What) -> Vec<Wrong> {
    let meta = what.meta();
    let mut wrongs = Vec::new();
    for name in meta.path_names() {
        wrongs.extend(wrong_parts(name, meta.path, meta.access).iter().map(|value| Wrong::Path(name, value)));
    }
    wrongs.extend(what.rule.queries.iter().map(|query| Wrong::Query(query)));
    if meta.body == Body::None {
        return wrongs;
    }
    wrongs.push(Wrong::TooLarge);
    // The simulator's own operations read JSON whatever its type.
    let is_typed = meta.access != Access::Control || matches!(meta.body, Body::Multipart(_));
    if is_typed {
        wrongs.push(Wrong::ContentType("text/html"));
    }
    let own = (what.rule.bodies)();
    if matches!(meta.body, Body::Multipart(_)) {
        wrongs.extend(own.into_iter().map(Wrong::Metadata));
        return wrongs;
    }
    if is_typed && !matches!(meta.body, Body::FieldsOrBytes(_)) {
        wrongs.push(Wrong::ContentType("application/xml"));
    }
    wrongs.extend(GARBAGE.map(Wrong::Garbage));
    wrongs.extend([json!(7), json!("text"), json!(true), json!(null)].map(Wrong::Body));
    wrongs.extend(own.into_iter().map(Wrong::Body));
    wrongs
}

const GARBAGE: [&[u8]; 6] = [b"{", b"[1,", b"{\"name\"}", b"\xff\xfe", b"nonsense", b"{\"bytes\":1e999}"];

/// Invalid values of a path parameter.
fn wrong_parts(name: &str, path: &str, access: Access) -> &'static [Text] {
    match (name, access) {
        ("ref", _) => {
            &["short", "ABCDEFGHIJKLMNOPQRST", "abcdefghijklmnopqrst1", "%20", "%FF", "..%2F..%2Fetc"]
        }
        ("slug", Access::Token) => &["no%20blanks", "dots.and.more", "%00"],
        ("branch_id", _) => &["short", "ABCDEFGHIJKLMNOPQRST", "00000000-0000-4000-8000-00000000000g"],
        ("provider_id" | "tpa_id" | "run_id" | "user_id", _) => &["one", "00000000-0000-4000-8000"],
        ("addon_variant", _) => &["sauna", "ci_nano"],
        ("function_slug", _) => &["no%20blanks", "dots.and.more"],
        ("addon", _) => &["sauna", "pitr"],
        ("work", _) => &["nap", "CREATE"],
        ("service", _) => &["cron", "Auth"],
        ("id", _) if path.contains("tokens") => &["one", "-1", "1234567890123456789"],
        ("id", Access::Token) => &["one", "00000000-0000-4000-8000"],
        _ => &[],
    }
}
