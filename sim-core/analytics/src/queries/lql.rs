//! The search language: which events match a filter.
//!
//! Words and `path:value` pairs, separated by blanks; all of them must match. `m.` is short for `metadata.`,
//! a path through a list tries every element, and a leading `-` negates.

use std::cmp::Ordering;

use regex::Regex;
use serde_json::{Map, Value};
use sim_base::Timestamp;

use super::lql_time::Instants;
use super::lql_words::{JOINING, Word, pattern_of, text_of, value_of, words};
use crate::normalise::long_path;

/// A parsed filter.
#[derive(Clone, Debug)]
pub(crate) struct Filter(Vec<Clause>);

/// One word of a filter.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    pub(crate) negated: bool,
    pub(crate) path: String,
    pub(crate) test: Test,
}

/// The condition on the value at a path.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    Equals(String),
    Null,
    /// A text contains it.
    Contains(String),
    Matches(Regex),
    Compares(Comparison, String),
    Between(String, String),
    /// It is one of these texts.
    OneOf(&'static [&'static str]),
    /// It is a timestamp in that period.
    Within(Instants),
    /// A list has an element that equals it. A single value is a list of one.
    Includes(String),
    /// A list has an element that matches it.
    IncludesMatch(Regex),
}

/// A comparison of two values.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Comparison {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// The size limit of a compiled expression.
const REGEX_BYTES: usize = 1 << 20;

impl Filter {
    /// Parses a filter, or returns the error. An empty filter matches every event. Times such as `today` are relative to `now`.
    pub(crate) fn read(text: &str, now: Timestamp) -> Result<Filter, String> {
        Filter::of(&words(text)?, now)
    }

    /// The filter that the words are.
    pub(crate) fn of(words: &[Word], now: Timestamp) -> Result<Filter, String> {
        let parsed = |word: &Word| clause(&word.text, now).map_err(|problem| word.problem(&problem));
        words.iter().map(parsed).collect::<Result<_, _>>().map(Filter)
    }

    /// Parses a stored filter. A filter that an earlier version has stored, and that can't be parsed now, matches nothing.
    pub(crate) fn stored(text: &str, now: Timestamp) -> Filter {
        let nothing = || Clause { negated: false, path: "id".to_owned(), test: Test::OneOf(&[]) };
        Filter::read(text, now).unwrap_or_else(|_| Filter(vec![nothing()]))
    }

    /// Its parts, all of which must match.
    pub(crate) fn clauses(&self) -> &[Clause] {
        &self.0
    }

    /// Whether the event matches.
    pub(crate) fn holds(&self, body: &Map<String, Value>) -> bool {
        self.0.iter().all(|clause| clause.holds(body))
    }
}

/// Steps of a path.
const STEPS_MAX: usize = 64;

/// An error unless it is the path of a field, and short enough: its SQL nests equally deep.
pub(crate) fn require_path(path: &str) -> Result<(), String> {
    let steps = path.split('.').count();
    if steps > STEPS_MAX {
        return Err(format!("a path has {steps} steps, of at most {STEPS_MAX}"));
    }
    if !is_path(path) {
        return Err(format!("{path:?} is no path of a field"));
    }
    match path.split('.').any(str::is_empty) {
        true => Err(format!("{path:?} is no path of a field: a name is missing beside a dot")),
        false => Ok(()),
    }
}

/// Whether it has only the characters of a path.
fn is_path(path: &str) -> bool {
    !path.is_empty() && path.chars().all(|sign| sign.is_alphanumeric() || matches!(sign, '_' | '.'))
}

/// The levels of an event, the least severe first.
const LEVELS: &[&str] = &["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// The path of an event's level.
const LEVEL: &str = "metadata.level";

fn clause(word: &str, now: Timestamp) -> Result<Clause, String> {
    let (negated, word) = word.strip_prefix('-').map_or((false, word), |rest| (true, rest));
    if word.is_empty() || word.starts_with('-') {
        return Err(
            "a - must be followed by a word or a field; a text with it must be in quotation marks".to_owned()
        );
    }
    if JOINING.contains(&word) {
        return Err(format!(
            "the search language has no {word}: every word must match, and - negates; a text must be in quotation marks"
        ));
    }
    let (path, test) = match word.split_once(':') {
        Some((path, rest)) if is_path(path) => field(path, rest, now)?,
        _ if word.starts_with('"') => ("event_message".to_owned(), Test::Contains(text_of(word)?)),
        pair => match (word.strip_prefix('~'), pair) {
            (Some(pattern), _) => ("event_message".to_owned(), Test::Matches(regex(pattern)?)),
            (None, Some(("", _))) => return Err("the name of a field is missing before the colon".to_owned()),
            (None, Some((path, _))) => {
                return Err(format!(
                    "{path:?} is no path of a field; a text with a colon must be in quotation marks"
                ));
            }
            (None, None) if word.starts_with(OPERATORS) || word.starts_with("..") => {
                return Err("the name of a field is missing before the operator; a text with it must be in quotation marks".to_owned());
            }
            (None, None) => ("event_message".to_owned(), Test::Contains(text_of(word)?)),
        },
    };
    Ok(Clause { negated, path, test })
}

/// The whole path, and the condition on its value.
fn field(path: &str, rest: &str, now: Timestamp) -> Result<(String, Test), String> {
    require_path(path)?;
    match (path, rest) {
        ("s" | "select" | "c" | "chart" | "f" | "from", _) => Err("only filters are read here".to_owned()),
        ("t" | "timestamp", "NULL") => Ok(("timestamp".to_owned(), Test::Null)),
        ("t" | "timestamp", rest) => Ok(("timestamp".to_owned(), Test::Within(Instants::read(rest, now)?))),
        (path, rest) => {
            let (path, test) = (long_path(path), test(rest)?);
            let test = if path == LEVEL { by_severity(test)? } else { test };
            if matches!(&test, Test::Between(low, high) if !is_number(low) && low > high) {
                return Err(format!("{rest}: a range begins with its lower end"));
            }
            Ok((path, test))
        }
    }
}

/// Compares levels by severity instead of by their names.
fn by_severity(test: Test) -> Result<Test, String> {
    let place = |level: &String| LEVELS.iter().position(|known| known == level);
    let (first, last) = match &test {
        Test::Between(low, high) => (place(low), place(high).map(|last| last + 1)),
        Test::Compares(Comparison::GreaterOrEqual, low) => (place(low), Some(LEVELS.len())),
        Test::Compares(Comparison::Greater, low) => (place(low).map(|first| first + 1), Some(LEVELS.len())),
        Test::Compares(Comparison::LessOrEqual, high) => (Some(0), place(high).map(|last| last + 1)),
        Test::Compares(Comparison::Less, high) => (Some(0), place(high)),
        _ => return Ok(test),
    };
    let (first, last) = match (first, last, &test) {
        (Some(first), Some(last), _) => (first, last),
        _ if operands(&test).all(is_number) => return Ok(test),
        // Other words would be compared by the alphabet.
        _ => return Err(format!("{LEVEL}: a level is one of {}, or a number", LEVELS.join(", "))),
    };
    match LEVELS.get(first..last) {
        Some(levels) if !levels.is_empty() => Ok(Test::OneOf(levels)),
        _ => Err(format!(
            "{LEVEL}: no level is in that range; from the least severe they are {}",
            LEVELS.join(", ")
        )),
    }
}

/// The operands of a comparison or a range.
fn operands(test: &Test) -> impl Iterator<Item = &str> {
    let (first, second) = match test {
        Test::Between(low, high) => (Some(low), Some(high)),
        Test::Compares(_, operand) => (Some(operand), None),
        _ => (None, None),
    };
    first.into_iter().chain(second).map(String::as_str)
}

fn test(text: &str) -> Result<Test, String> {
    let compares = |comparison, rest: &str| Ok(Test::Compares(comparison, ordered(rest)?));
    if let Some(rest) = text.strip_prefix("@>~") {
        return Ok(Test::IncludesMatch(regex(rest)?));
    }
    if let Some(rest) = text.strip_prefix("@>") {
        return match rest.contains("..") && !rest.starts_with('"') {
            true => Err(format!("{rest}: a range has no other operator")),
            false => Ok(Test::Includes(operand(rest)?)),
        };
    }
    if let Some(rest) = text.strip_prefix('~') {
        return Ok(Test::Matches(regex(rest)?));
    }
    if let Some(rest) = text.strip_prefix("<=") {
        return compares(Comparison::LessOrEqual, rest);
    }
    if let Some(rest) = text.strip_prefix(">=") {
        return compares(Comparison::GreaterOrEqual, rest);
    }
    if let Some(rest) = text.strip_prefix('<') {
        return compares(Comparison::Less, rest);
    }
    if let Some(rest) = text.strip_prefix('>') {
        return compares(Comparison::Greater, rest);
    }
    match text.strip_prefix('=').unwrap_or(text) {
        "NULL" => Ok(Test::Null),
        quoted if quoted.starts_with(['"', '(']) => Ok(Test::Equals(operand(quoted)?)),
        rest => match rest.split_once("..") {
            Some((low, high)) => range(rest, low, high),
            None => Ok(Test::Equals(operand(rest)?)),
        },
    }
}

fn range(text: &str, low: &str, high: &str) -> Result<Test, String> {
    if high.starts_with('.') || high.contains("..") {
        return Err(format!("{text}: a range has two ends"));
    }
    let (low, high) = (ordered(low)?, ordered(high)?);
    match (low.parse::<f64>(), high.parse::<f64>(), is_number(&low) == is_number(&high)) {
        (_, _, false) => Err(format!("{text}: a range is between two numbers or two texts")),
        (Ok(low), Ok(high), _) if low > high => Err(format!("{text}: a range begins with its lower end")),
        _ => Ok(Test::Between(low, high)),
    }
}

/// Characters that an operand outside quotation marks can't begin with: they would be a second operator.
const OPERATORS: [char; 7] = ['<', '>', '=', '~', ':', '@', '!'];

fn operand(text: &str) -> Result<String, String> {
    if text.starts_with(OPERATORS) {
        return Err(format!(
            "{text:?} begins with a second operator; a value that does must be in quotation marks"
        ));
    }
    value_of(text)
}

/// The operand of a comparison or the end of a range: a number, a time, or a text.
fn ordered(text: &str) -> Result<String, String> {
    let operand = operand(text)?;
    let is_time = || text.parse::<Timestamp>().is_ok() || text.parse::<jiff::civil::DateTime>().is_ok();
    let is_like_number = text.starts_with(|sign: char| sign.is_ascii_digit());
    if matches!(text, "NULL" | "true" | "false") {
        return Err(format!("{text} has no order; only : compares with it"));
    }
    if text.contains("..") && !text.starts_with('"') {
        return Err(format!("{text}: a range has no other operator"));
    }
    match is_like_number && !is_number(text) && !is_time() {
        true => Err(format!("{text} is no number and no time; a text must be in quotation marks")),
        false => Ok(operand),
    }
}

fn is_number(text: &str) -> bool {
    let begins =
        text.strip_prefix('-').unwrap_or(text).starts_with(|sign: char| sign.is_ascii_digit() || sign == '.');
    begins && text.parse().is_ok_and(f64::is_finite)
}

fn regex(pattern: &str) -> Result<Regex, String> {
    if pattern.starts_with('~') {
        return Err(format!(
            "{pattern:?} begins with a second operator; put the expression in quotation marks"
        ));
    }
    let pattern = pattern_of(pattern)?;
    let built = regex::RegexBuilder::new(&pattern).size_limit(REGEX_BYTES).build();
    built.map_err(|_| format!("{pattern:?} is no regular expression"))
}

impl Clause {
    fn holds(&self, body: &Map<String, Value>) -> bool {
        let path: Vec<&str> = self.path.split('.').collect();
        let found = path.split_first().and_then(|(first, rest)| Some((body.get(*first)?, rest)));
        let holds = match found {
            Some((value, rest)) => any(value, rest, &self.test),
            None => matches!(self.test, Test::Null),
        };
        holds != self.negated
    }
}

/// Whether the value at the end of the path matches, in any element of the lists on the way.
fn any(value: &Value, path: &[&str], test: &Test) -> bool {
    match (value, path.split_first(), test) {
        (Value::Array(list), ..) => list.iter().any(|element| any(element, path, test)),
        (Value::Object(object), Some((name, rest)), _) => {
            object.get(*name).map_or(matches!(test, Test::Null), |inner| any(inner, rest, test))
        }
        (_, Some(_), _) => matches!(test, Test::Null),
        (value, None, test) => passes(value, test),
    }
}

fn passes(value: &Value, test: &Test) -> bool {
    match (value, test) {
        (Value::Null, test) => matches!(test, Test::Null),
        (value, Test::Equals(text) | Test::Includes(text)) => equals(value, text),
        (value, Test::Contains(text)) => shown(value).contains(text.as_str()),
        (value, Test::Matches(regex) | Test::IncludesMatch(regex)) => regex.is_match(&shown(value)),
        (value, Test::Compares(comparison, text)) => {
            compare(value, text).is_some_and(|order| match comparison {
                Comparison::Less => order.is_lt(),
                Comparison::LessOrEqual => order.is_le(),
                Comparison::Greater => order.is_gt(),
                Comparison::GreaterOrEqual => order.is_ge(),
            })
        }
        (value, Test::Between(low, high)) => {
            compare(value, low).is_some_and(Ordering::is_ge)
                && compare(value, high).is_some_and(Ordering::is_le)
        }
        (value, Test::OneOf(texts)) => texts.iter().any(|text| equals(value, text)),
        (value, Test::Within(instants)) => value.as_i64().is_some_and(|instant| instants.has(instant)),
        (_, Test::Null) => false,
    }
}

/// What an operand is compared as. Rules and searches both ask here, so that they find the same events.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Operand {
    /// Compared with numbers, and with texts that spell numbers.
    Whole(i64),
    /// The same.
    Real(f64),
    /// Microseconds, compared with numbers; texts are compared with its text.
    Instant(i64),
    /// Compared with texts.
    Text,
}

impl Operand {
    pub(crate) fn of(text: &str) -> Operand {
        if is_number(text) {
            let real = || text.parse().map_or(Operand::Text, Operand::Real);
            return text.parse().map_or_else(|_| real(), Operand::Whole);
        }
        let instant = text.parse::<Timestamp>().map(sim_base::micros);
        instant.map_or(Operand::Text, Operand::Instant)
    }
}

/// Numbers are equal by size, other values by their texts.
fn equals(value: &Value, text: &str) -> bool {
    match value {
        Value::Number(_) => compare(value, text).is_some_and(Ordering::is_eq),
        other => shown(other) == text,
    }
}

/// Compares numbers, and texts that spell numbers, by size with a number, and texts with a text; other values are not comparable.
fn compare(value: &Value, text: &str) -> Option<Ordering> {
    let spelled: Value;
    let value = match (value, Operand::of(text)) {
        (Value::String(left), Operand::Whole(_) | Operand::Real(_)) => {
            spelled = spelled_number(left)?;
            &spelled
        }
        (value, _) => value,
    };
    match (value, Operand::of(text)) {
        (Value::Number(number), Operand::Whole(right) | Operand::Instant(right)) => match number.as_i64() {
            Some(left) => Some(left.cmp(&right)),
            None => number.as_f64()?.partial_cmp(&(right as f64)),
        },
        (Value::Number(number), Operand::Real(right)) => number.as_f64()?.partial_cmp(&right),
        (Value::String(left), _) => Some(left.as_str().cmp(text)),
        _ => None,
    }
}

/// The number that a text spells in digits.
fn spelled_number(text: &str) -> Option<Value> {
    let text = text.trim();
    if let Ok(whole) = text.parse::<i64>() {
        return Some(whole.into());
    }
    let has_signs_of_numbers = text.chars().all(|sign| sign.is_ascii_digit() || "+-.eE".contains(sign));
    let real: f64 = text.parse().ok().filter(|_| has_signs_of_numbers)?;
    real.is_finite().then(|| real.into())
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn now() -> Timestamp {
        "2026-01-01T12:00:00Z".parse().expect("an instant")
    }

    fn holds(filter: &str, body: &Value) -> bool {
        Filter::read(filter, now()).expect("a filter").holds(body.as_object().expect("an object"))
    }

    #[test]
    fn every_operator_means_what_it_says() {
        let body = json!({
            "event_message": "GET /rest/v1 200", "timestamp": 1_767_225_600_000_000_i64, "ok": true,
            "metadata": { "status": 404, "ratio": 0.5, "path": "/rest/v1", "tags": ["a", "blue"],
                "request": [{ "method": "GET" }, { "method": "POST" }] },
        });
        let rows = [
            ("", true),
            ("GET", true),
            ("PUT", false),
            ("-PUT", true),
            ("-GET", false),
            ("GET 200", true),
            ("GET 500", false),
            ("\"rest/v1 200\"", true),
            ("~\"^GET .* \\d+$\"", true),
            ("~^PUT", false),
            ("m.status:404", true),
            ("metadata.status:=404", true),
            ("m.status:40", false),
            ("-m.status:404", false),
            ("m.status:>400 m.status:<405", true),
            ("m.status:>=404 m.status:<=404", true),
            ("m.status:>404", false),
            ("m.status:<404", false),
            ("m.status:400..404", true),
            ("m.status:405..500", false),
            ("m.ratio:<0.6", true),
            ("m.path:~rest", true),
            ("m.path:\"/rest/v1\"", true),
            ("ok:true", true),
            ("m.none:1", false),
            ("-m.none:1", true),
            ("m.none:NULL", true),
            ("m.status:NULL", false),
            ("-m.status:NULL", true),
            ("m.status.none:NULL", true),
            ("m.tags:@>a", true),
            ("m.tags:@>b", false),
            ("m.tags:@>~bl", true),
            ("m.tags:@>~^l", false),
            ("m.tags:blue", true),
            ("m.request.method:POST", true),
            ("m.request.method:PUT", false),
            ("t:>2025-12-31T00:00:00Z", true),
            ("timestamp:<2025-12-31T00:00:00Z", false),
            ("t:today", true),
            ("-t:yesterday", true),
            ("t:last@1h", false),
            ("m.request:x", false),
        ];
        for (filter, expected) in rows {
            assert_eq!(holds(filter, &body), expected, "{filter}");
        }
    }

    #[test]
    fn levels_are_in_order_of_severity() {
        let levels = |filter: &str| {
            let holds = |level: &&&str| holds(filter, &json!({ "metadata": { "level": level } }));
            LEVELS.iter().filter(holds).copied().collect::<Vec<_>>().join(" ")
        };
        let rows = [
            ("m.level:info..error", "info notice warning error"),
            ("metadata.level:warning..critical", "warning error critical"),
            ("m.level:debug..warning", "debug info notice warning"),
            ("m.level:>=critical", "critical alert emergency"),
            ("m.level:>critical", "alert emergency"),
            ("m.level:<info", "debug"),
            ("m.level:<=info", "debug info"),
            ("-m.level:debug..alert", "emergency"),
            ("m.level:error", "error"),
        ];
        rows.iter().for_each(|(filter, expected)| assert_eq!(levels(filter), *expected, "{filter}"));
        assert!(holds("m.level:2..3", &json!({ "metadata": { "level": 3 } })));
    }

    #[test]
    fn invalid_filters_have_a_reason() {
        let rows = [
            ("\"open", "a quotation mark is not closed (at character 1)"),
            ("ok m.a:", "a value is missing (at character 4: m.a:)"),
            ("c:count(*)", "only filters are read here (at character 1: c:count(*))"),
            (
                "é \"b c\"  (a",
                "'(' is not closed; a text with it must be in quotation marks (at character 10: (a)",
            ),
        ];
        for (filter, problem) in rows {
            assert_eq!(Filter::read(filter, now()).expect_err("no filter"), problem, "{filter}");
        }
        let long = Filter::read(&format!("{})", "x".repeat(1000)), now()).expect_err("no filter");
        assert!(long.len() < 200, "{long}");
    }

    #[test]
    fn texts_with_balanced_signs_are_texts() {
        for filter in ["[error]", "f(x)", "it's", "a,b", "x=1", "a{}", "(a)", "/", "a\\", "5", "m", "t"] {
            assert!(Filter::read(filter, now()).is_ok(), "{filter}");
        }
        assert!(holds("m.x:(a b)", &json!({ "metadata": { "x": "a b" } })));
        assert!(holds("a\\\"b", &json!({ "event_message": "a\"b" })));
        assert!(holds("m.x:-5..5 m.x:>=-5 m.x:<.5", &json!({ "metadata": { "x": -5 } })));
    }
}
