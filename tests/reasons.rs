//! `docs/reasons.md`: the words of the header `x-sim-reason`, found in the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use regex::Regex;
use sim_core::Kind;

use crate::support::held;

const HEAD: &str = "# Reasons of refusals

Every refusal has the header `x-sim-reason`, a stable word. Check the word in tests, and read the message; the message may change. To see why a
call was refused, run `stuntdouble explain CALL`.

A reason may have a field at its end, as in `invalid_body.name` or `invalid_query.limit`. A message shows `{…}` for a value. `–` means that the
message depends on the call. Generated from the sources; `STUNTDOUBLE_BLESS=1 cargo test -p sim-tests reasons` rewrites it.

| reason | status | message |
|---|---|---|
";

/// What a reason comes with: statuses and messages.
#[derive(Default)]
struct Uses {
    statuses: BTreeSet<u16>,
    messages: BTreeSet<String>,
}

#[test]
fn reasons_are_documented() {
    let mut files = Vec::new();
    for folder in
        ["sim-core/base/src", "sim-core/management", "sim-core/analytics", "sim-core/src", "sim-http/src"]
    {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder), &mut files);
    }
    let made = Regex::new(
        r#"Error::(\w+)\( ?(?:Kind::(\w+)(?:\([^)]*\))?, )?"([a-z_0-9]+)"(?:, (?:format!\( ?)?"((?:[^"\\]|\\.)*)")?"#,
    );
    let made = made.expect("a pattern");
    let mut reasons: BTreeMap<String, Uses> = BTreeMap::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source file");
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code = code.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
        for found in made.captures_iter(&code) {
            let part = |at: usize| found.get(at).map(|part| part.as_str());
            let Some(status) = status(&found[1], part(2)) else { continue };
            let reason = if &found[1] == "not_found" {
                format!("{}_not_found", &found[3])
            } else {
                found[3].to_owned()
            };
            let uses = reasons.entry(reason).or_default();
            uses.statuses.insert(status);
            uses.messages.extend(part(4).map(shown));
        }
    }
    for known in ["token_missing", "rate_limited", "project_not_active", "unknown_path", "project_exists"] {
        assert!(reasons.contains_key(known), "{known}");
    }
    let mut text = HEAD.to_owned();
    for (reason, Uses { statuses, messages }) in &reasons {
        let statuses = statuses.iter().map(u16::to_string).collect::<Vec<_>>().join(", ");
        let messages = messages.iter().map(String::as_str).collect::<Vec<_>>().join("; ");
        let messages = if messages.is_empty() { "–" } else { &messages };
        writeln!(text, "| `{reason}` | {statuses} | {messages} |").expect("a string takes it");
    }
    held("docs/reasons.md", &text);
}

/// The status of an error that this constructor makes. `None` for other functions.
fn status(constructor: &str, kind: Option<&str>) -> Option<u16> {
    let kind = match (constructor, kind) {
        ("invalid", _) | ("new", Some("Invalid")) => Kind::Invalid,
        ("unauthorized", _) | ("new", Some("Unauthorized")) => Kind::Unauthorized,
        ("forbidden", _) | ("new", Some("Forbidden")) => Kind::Forbidden,
        ("not_found", _) | ("new", Some("NotFound")) => Kind::NotFound,
        ("new", Some("PaymentRequired")) => Kind::PaymentRequired,
        ("new", Some("MethodNotAllowed")) => Kind::MethodNotAllowed(""),
        ("new", Some("NotAcceptable")) => Kind::NotAcceptable,
        ("new", Some("Conflict")) => Kind::Conflict,
        ("new", Some("TooLarge")) => Kind::TooLarge,
        ("new", Some("UnsupportedMediaType")) => Kind::UnsupportedMediaType,
        ("new", Some("Unprocessable")) => Kind::Unprocessable,
        ("new", Some("RateLimited")) => Kind::RateLimited,
        ("new", Some("Upstream")) => Kind::Upstream,
        ("new", Some("Unavailable")) => Kind::Unavailable,
        ("new", Some("NoAnswer")) => Kind::NoAnswer,
        ("new", Some("HostnameProvider")) => Kind::HostnameProvider,
        ("new", Some("Unreachable")) => Kind::Unreachable,
        _ => return None,
    };
    Some(kind.status())
}

/// A text of the source as people read it, in a cell of a table.
fn shown(literal: &str) -> String {
    let value = Regex::new(r"\{[^{}]*\}").expect("a pattern");
    let text = value.replace_all(literal, "{…}").replace("\\\"", "\"").replace("\\ ", "").replace("\\n", " ");
    text.replace('|', "\\|").replace('<', "&lt;")
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("tests") {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}
