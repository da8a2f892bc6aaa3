//! Suggestions for unknown names, for all messages about unknown names; and plain words for what a deserializer says.

use std::borrow::Cow;

/// The name in `known` that is nearest to `name`. `None` if none is near enough to be a typing error.
///
/// ```
/// use sim_core::engine::near;
///
/// assert_eq!(near::nearest("retry_after", ["status", "message", "retry_after_s"]), Some("retry_after_s"));
/// assert_eq!(near::nearest("colour", ["status", "message"]), None);
/// assert_eq!(near::nearest("PAUSED", ["PAUSING", "INACTIVE"]), Some("INACTIVE"));
/// assert_eq!(near::nearest("puased", ["new-project", "paused-project"]), Some("paused-project"));
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Names are short. A long text is not a typing error, and comparing it would take long.
    if name.len() > NAME_MAX {
        return None;
    }
    let name = name.to_lowercase();
    let known: Vec<&'a str> = known.into_iter().take(KNOWN_MAX).collect();
    if let Some(one) = meant(&name, &known) {
        return Some(one);
    }
    let distance = |one: &str| strsim::osa_distance(&name, &one.to_lowercase());
    let most = name.chars().count() / 3;
    known
        .iter()
        .copied()
        .filter(|one| one.len() <= 2 * NAME_MAX)
        .map(|one| (distance(one), one))
        .filter(|(distance, one)| *distance <= most.max(1) || begins_with_word(one, &name))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, one)| one)
        .or_else(|| nearly_begins(&name, &known))
}

/// The name in `known` whose first words are nearly `name`, in lower case.
fn nearly_begins<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    const SHORTEST: usize = 4;
    if name.len() < SHORTEST {
        return None;
    }
    let words = name.matches(SEPARATORS).count();
    let distance = |one: &str| {
        let one = one.to_lowercase();
        let (end, _) = one.match_indices(SEPARATORS).nth(words)?;
        Some(strsim::osa_distance(name, &one[..end]))
    };
    known.iter().copied().filter(|one| one.len() <= 2 * NAME_MAX).find(|one| distance(one) == Some(1))
}

/// Words of everyday language for a state, and the API's own.
const STATES: [(&str, &str); 8] = [
    ("paused", "INACTIVE"),
    ("stopped", "INACTIVE"),
    ("sleeping", "INACTIVE"),
    ("running", "ACTIVE_HEALTHY"),
    ("healthy", "ACTIVE_HEALTHY"),
    ("unhealthy", "ACTIVE_UNHEALTHY"),
    ("creating", "COMING_UP"),
    ("deleted", "REMOVED"),
];

/// The state in `known` that `name`, in lower case, has another word for.
fn meant<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let (_, state) = STATES.iter().find(|(word, _)| *word == name)?;
    known.iter().copied().find(|one| one == state)
}

/// Whether `name` is the first words of `one`.
fn begins_with_word(one: &str, name: &str) -> bool {
    one.to_lowercase().strip_prefix(name).is_some_and(|rest| rest.starts_with(SEPARATORS))
}

/// What stands between the words of a name.
const SEPARATORS: [char; 2] = ['_', '-'];

/// The longest name that is compared, in bytes.
const NAME_MAX: usize = 200;

/// The most names that it is compared with. The list may be part of a message that quotes a client.
const KNOWN_MAX: usize = 2000;

/// The nearest name as the end of a message: `; did you mean x?`. Empty if there is none.
///
/// ```
/// use sim_core::engine::near;
///
/// assert_eq!(near::question("pth", ["path", "method"]), "; did you mean `path`?");
/// assert_eq!(near::question("colour", ["path", "method"]), "");
/// ```
pub fn question<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known).map(|one| format!("; did you mean `{one}`?")).unwrap_or_default()
}

/// A number of things in words: `1 call`, `2 calls`.
///
/// ```
/// use sim_core::engine::near;
///
/// assert_eq!([near::counted(1, "call"), near::counted(0, "call")], ["1 call", "0 calls"]);
/// ```
pub fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Adds a suggestion to a message about an unknown field or value. The message lists the known ones: it is a deserializer's, or
/// that of the check of a call's input, which may have several.
///
/// ```
/// use sim_core::engine::near;
///
/// let text = "unknown field `pach`, expected one of `path`, `method`";
/// assert_eq!(near::explained(text), format!("{text}; did you mean `path`?"));
/// assert_eq!(near::explained("missing field `path`"), "missing field `path`");
///
/// let text = "kind: Invalid enum value. Expected 'reset' | 'late', received 'laet'";
/// assert_eq!(near::explained(text), format!("{text}; did you mean `late`?"));
///
/// let text = "invalid type: string \"soon\", expected u64";
/// assert_eq!(near::explained(text), "invalid type: string \"soon\", expected a whole number, 0 or more");
///
/// let text = "until: failed to find time component, which is required for parsing a timestamp";
/// assert_eq!(near::explained(text), "until: must be a timestamp such as 2026-01-01T00:00:00Z");
///
/// let text = "TOML parse error at line 1, column 9\ninvalid type: map, expected a string";
/// assert!(near::explained(text).ends_with("invalid type: map, expected a text in quotes"));
///
/// // Lines of the file that are too long for a message are left out.
/// let text = format!("TOML parse error at line 1, column 9\n  |\n1 | {}\n  | ^\nunclosed array", "x".repeat(5000));
/// assert_eq!(near::explained(&text), "TOML parse error at line 1, column 9\nunclosed array");
/// ```
pub fn explained(text: &str) -> String {
    let short = without_long_lines(text.trim_end());
    let text = &*in_plain_words(&short);
    // A message that comes from an inner field may have its suggestion already.
    if text.contains("; did you mean `") {
        return text.to_owned();
    }
    if text.contains(ENUM) {
        return with_questions(text);
    }
    let found = ["unknown field `", "unknown variant `"].iter().find_map(|begin| text.split_once(begin));
    let Some((name, rest)) = found.and_then(|(_, rest)| rest.split_once('`')) else { return text.to_owned() };
    let Some((_, known)) = rest.split_once("expected ") else { return text.to_owned() };
    let known = known.split('`').skip(1).step_by(2);
    let question = question(name, known);
    format!("{text}{question}")
}

/// The longest line of a message, in bytes.
const LINE_MAX: usize = 2000;

/// The message without its excerpt of the file, if that has a line that is too long.
fn without_long_lines(text: &str) -> Cow<'_, str> {
    if text.lines().all(|line| line.len() <= LINE_MAX) {
        return text.into();
    }
    let is_excerpt = |line: &&str| {
        line.trim_start_matches(|char: char| char == ' ' || char.is_ascii_digit()).starts_with('|')
    };
    let lines: Vec<&str> = text.lines().filter(|line| !is_excerpt(line)).collect();
    lines.join("\n").into()
}

/// What a deserializer calls a type, and the words for it.
const TYPES: [(&str, &str); 15] = [
    ("u64", "a whole number, 0 or more"),
    ("u32", "a whole number, 0 or more"),
    ("usize", "a whole number, 0 or more"),
    ("u16", "a whole number from 0 to 65535"),
    ("u8", "a whole number from 0 to 255"),
    ("i64", "a whole number"),
    ("i32", "a whole number"),
    ("f64", "a number"),
    ("f32", "a number"),
    ("a map", "fields with values"),
    ("a sequence", "a list"),
    ("a boolean", "true or false"),
    ("ident", "true, false or null"),
    ("value", "a value"),
    ("a timestamp string", "a timestamp such as \"2026-01-01T00:00:00Z\""),
];

/// How messages of the parser of timestamps begin. They name its steps.
const TIMESTAMPS: [&str; 10] = [
    "failed to find ",
    "failed to parse ",
    "expected two digit ",
    "expected four digit ",
    "expected six digit ",
    "expected UTC ",
    "expected `-` separator",
    "parsed date is not valid",
    "parsed hour ",
    "parsed value ",
];

/// Says in plain words which type a deserializer expected.
fn in_plain_words(text: &str) -> Cow<'_, str> {
    if let Some(at) = TIMESTAMPS.iter().find_map(|begin| text.find(begin)) {
        let (before, rest) = text.split_at(at);
        let place = rest.find(" at line ").map_or("", |at| &rest[at..]);
        return format!("{before}must be a timestamp such as 2026-01-01T00:00:00Z{place}").into();
    }
    const EXPECTED: &str = "expected ";
    let Some(at) = text.rfind(EXPECTED).map(|at| at + EXPECTED.len()) else { return text.into() };
    let (before, rest) = text.split_at(at);
    let end = rest.find(" at line ").unwrap_or(rest.len());
    let (expected, place) = rest.split_at(end);
    // A date without quotes is a type of its own in TOML, and a map to the deserializer.
    let is_toml = text.starts_with("TOML parse error");
    let of_fields = ["struct ", "internally tagged enum ", "adjacently tagged enum "];
    let plain = match TYPES.iter().find(|(name, _)| *name == expected) {
        Some((_, plain)) => plain,
        None if is_toml && expected == "a string" => "a text in quotes",
        None if of_fields.iter().any(|begin| expected.starts_with(begin)) => "fields with values",
        None => return text.into(),
    };
    format!("{before}{plain}{place}").into()
}

/// How the check of a call's input begins a list of possible values.
const ENUM: &str = "Invalid enum value. Expected ";

/// The most suggestions in one message.
const QUESTIONS_MAX: usize = 5;

fn with_questions(text: &str) -> String {
    let (mut done, mut rest) = (String::new(), text);
    for _ in 0..QUESTIONS_MAX {
        let Some((before, after)) = rest.split_once(ENUM) else { break };
        let Some((value, question, after)) = of_enum(after) else { break };
        done.extend([before, ENUM, value, &question]);
        rest = after;
    }
    done + rest
}

/// Splits what follows [`ENUM`] after the received value, and finds the possible value that is nearest to it.
fn of_enum(text: &str) -> Option<(&str, String, &str)> {
    let (known, rest) = text.split_once(", received '")?;
    let (name, rest) = rest.split_once('\'')?;
    let question = question(name, known.split('\'').skip(1).step_by(2));
    Some((&text[..text.len() - rest.len()], question, rest))
}
