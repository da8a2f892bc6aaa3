//! `docs/reasons.md`: the words of the header `x-sim-reason`, found in the sources.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;
use sim_core::Kind;

use sim_fixtures::Reply;

use crate::support::{held, read};

const HEAD: &str = "# Reasons of refusals

Every refusal has the header `x-sim-reason`, a stable word. Check the word in tests, and read the message; the message may change. To see why a
call was refused, run `stuntdouble explain CALL`.

A reason may have a field at its end, as in `invalid_body.name` or `invalid_query.limit`. A message shows `{…}` for a value. `–` means that the
message depends on the call. Generated from the sources; `STUNTDOUBLE_BLESS=1 cargo test -p sim-tests reasons` rewrites it.

| reason | status | message |
|---|---|---|
";

/// Reasons that no constructor has as a literal: the code chooses them by what it finds, or has no request to make an error of.
const CHOSEN: &[(&str, &[u16])] = &[
    ("body_timeout", &[408]),
    ("breaking_changes", &[400]),
    ("code_expired", &[400]),
    ("code_unknown", &[400]),
    ("code_used", &[400]),
    ("compute_build_in_progress", &[409]),
    ("default_branch", &[422]),
    ("dependent_objects", &[400]),
    ("events_ahead", &[200, 406]),
    ("events_rejected", &[200, 406]),
    ("fault", &[]),
    ("free_quota", &[400]),
    ("headers_timeout", &[408]),
    ("headers_too_large", &[431]),
    ("http_2_off", &[505]),
    ("internal_objects", &[400]),
    ("invalid_path", &[400]),
    ("invalid_protobuf", &[400]),
    ("invalid_query", &[400]),
    ("jit_access_expired", &[403]),
    ("jit_access_off", &[403]),
    ("jit_branches_only", &[403]),
    ("jit_network_not_allowed", &[403]),
    ("jit_role_missing", &[403]),
    ("malformed_request", &[400]),
    ("not_a_member", &[403]),
    ("persistent_branch", &[422]),
    ("project_not_deletable", &[400]),
    ("project_not_paused", &[400]),
    ("project_not_restoring", &[400]),
    ("query_failed", &[200, 400]),
    ("query_invalid", &[200, 400]),
    ("query_not_select", &[200, 400]),
    ("query_not_singular", &[400]),
    ("query_outside_sandbox", &[200]),
    ("query_restricted_function", &[400]),
    ("query_syntax", &[200, 400]),
    ("query_timeout", &[200, 400]),
    ("query_unknown_field", &[200, 400]),
    ("query_unknown_source", &[400]),
    ("query_unsupported", &[400]),
    ("query_wildcard", &[400]),
    ("result_too_large", &[200, 400]),
    ("role_too_low", &[403]),
    ("source_over_quota", &[429]),
    ("too_many_connections", &[503]),
    ("truncated_headers", &[400]),
    ("unknown_transfer_encoding", &[501]),
    ("unsupported_extensions", &[400]),
    ("user_over_quota", &[429]),
    ("validation_errors", &[400]),
];

/// What a reason comes with: statuses and messages.
#[derive(Default)]
struct Uses {
    statuses: BTreeSet<u16>,
    messages: BTreeSet<String>,
}

#[test]
fn reasons_are_documented() {
    let code = code();
    let mut reasons = constructed(&code);
    for (reason, statuses) in CHOSEN {
        let in_code =
            ["invalid_path", "invalid_query"].contains(reason) || code.contains(&format!("\"{reason}\""));
        assert!(in_code, "the code has no {reason}");
        reasons.entry((*reason).to_owned()).or_default().statuses.extend(*statuses);
    }
    let mut text = HEAD.to_owned();
    for (reason, Uses { statuses, messages }) in &reasons {
        let statuses = statuses.iter().map(u16::to_string).collect::<Vec<_>>().join(", ");
        let messages = messages.iter().map(String::as_str).collect::<Vec<_>>().join("; ");
        let [statuses, messages] =
            [&statuses, &messages].map(|text| if text.is_empty() { "–" } else { text });
        writeln!(text, "| `{reason}` | {statuses} | {messages} |").expect("a string takes it");
    }
    held("docs/reasons.md", &text);
    let words = reasons.keys().map(|reason| format!("{reason}\n")).collect::<String>();
    held("sim-core/base/src/reasons.txt", &words);
}

/// The code of the services, without comments and unit tests, and with single spaces.
fn code() -> String {
    let mut files = Vec::new();
    for folder in
        ["sim-core/base/src", "sim-core/management", "sim-core/analytics", "sim-core/src", "sim-http/src"]
    {
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder), &mut files);
    }
    files.sort();
    let mut code = String::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source file");
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            line.split_whitespace().for_each(|word| write!(code, "{word} ").expect("a string takes it"));
        }
    }
    code
}

/// The reasons that are literals of the constructors of errors.
fn constructed(code: &str) -> BTreeMap<String, Uses> {
    let made = Regex::new(
        r#"\b(Error::)?(invalid|unauthorized|forbidden|not_found|new)\( ?(?:Kind::(\w+)(?:\([^)]*\))?, )?"([a-z_0-9]+)"(?:, (?:format!\( ?)?"((?:[^"\\]|\\.)*)")?"#,
    );
    let made = made.expect("a pattern");
    let mut reasons: BTreeMap<String, Uses> = BTreeMap::new();
    for found in made.captures_iter(code) {
        let part = |at: usize| found.get(at).map(|part| part.as_str());
        let (is_core, constructor, word) = (part(1).is_some(), &found[2], &found[4]);
        let Some(status) = status(constructor, part(3)) else { continue };
        let reason = match (constructor, is_core) {
            ("not_found", true) => format!("{word}_not_found"),
            (_, true) | ("unauthorized" | "not_found", false) => word.to_owned(),
            // Functions of the same name that make something else.
            (_, false) => continue,
        };
        let uses = reasons.entry(reason).or_default();
        uses.statuses.insert(status);
        uses.messages.extend(part(5).map(shown).filter(|_| is_core));
    }
    reasons
}

/// Fails for a refusal whose reason is not in the table.
pub(crate) fn is_documented(reply: &Reply) {
    static WORDS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let page = String::from_utf8(read("docs/reasons.md")).expect("a page is text");
        page.lines()
            .filter_map(|line| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_owned()))
            .collect()
    });
    let reason = reply.reason();
    let word = reason.split_once('.').map_or(reason, |(word, _)| word);
    assert!(word.is_empty() || WORDS.contains(word), "docs/reasons.md has no {word} (see CHOSEN): {reply}");
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
