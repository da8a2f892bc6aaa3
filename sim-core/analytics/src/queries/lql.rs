//! The search language: which events match a filter.
//!
//! Words and `path:value` pairs, separated by blanks; all of them must match. `m.` is short for `metadata.`,
//! a path through a list tries every element, and a leading `-` negates.

use regex::Regex;
use serde_json::{Map, Value};
use sim_base::Timestamp;

use super::lql_time::Instants;
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
        words(text)?.iter().map(|word| clause(word, now)).collect::<Result<_, _>>().map(Filter)
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

/// The limits of a search: its bytes, its words, and the steps of a path.
const TEXT_BYTES: usize = 16 << 10;
const WORDS_MAX: usize = 100;
const STEPS_MAX: usize = 64;

/// Whether a path is short enough: its SQL nests equally deep.
pub(crate) fn require_short(path: &str) -> Result<(), String> {
    match path.split('.').count() {
        steps if steps > STEPS_MAX => Err(format!("a path has {steps} steps, of at most {STEPS_MAX}")),
        _ => Ok(()),
    }
}

/// Splits at blanks outside double quotes. The quotes are kept.
pub(crate) fn words(text: &str) -> Result<Vec<String>, String> {
    if text.len() > TEXT_BYTES {
        return Err(format!("the search has {} bytes, of at most {TEXT_BYTES}", text.len()));
    }
    let (mut words, mut word, mut quoted, mut hidden) = (Vec::new(), String::new(), false, false);
    for sign in text.chars() {
        if sign.is_whitespace() && !quoted {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            continue;
        }
        quoted ^= sign == '"' && !hidden;
        hidden = sign == '\\' && !hidden;
        word.push(sign);
    }
    words.extend((!word.is_empty()).then_some(word));
    if words.len() > WORDS_MAX {
        return Err(format!("the search has {} words, of at most {WORDS_MAX}", words.len()));
    }
    if quoted { Err("a quotation mark is not closed".to_owned()) } else { Ok(words) }
}

/// The levels of an event, the least severe first.
const LEVELS: &[&str] = &["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// The path of an event's level.
const LEVEL: &str = "metadata.level";

fn clause(word: &str, now: Timestamp) -> Result<Clause, String> {
    let (negated, word) = word.strip_prefix('-').map_or((false, word), |rest| (true, rest));
    let is_path = |path: &str| {
        !path.is_empty() && path.chars().all(|sign| sign.is_alphanumeric() || matches!(sign, '_' | '.'))
    };
    if let Some((path, _)) = word.split_once(':') {
        require_short(path)?;
        if is_path(path) && path.split('.').any(str::is_empty) {
            return Err(format!("{path:?} is no path of a field: a name is missing beside a dot"));
        }
    }
    match word.split_once(':').filter(|(path, _)| is_path(path)) {
        Some(("s" | "select" | "c" | "chart" | "f" | "from", _)) => {
            Err(format!("{word}: only filters are read here"))
        }
        Some(("t" | "timestamp", rest)) if !rest.starts_with('~') && rest != "NULL" => {
            let test = Test::Within(Instants::read(rest, now)?);
            Ok(Clause { negated, path: "timestamp".to_owned(), test })
        }
        Some((path, rest)) => {
            let path = if path == "t" { "timestamp".to_owned() } else { long_path(path) };
            let test = test(rest)?;
            Ok(Clause { negated, test: if path == LEVEL { by_severity(test)? } else { test }, path })
        }
        None => {
            let test = match word.strip_prefix('~') {
                Some(pattern) => Test::Matches(regex(pattern)?),
                None => Test::Contains(unquoted(word)),
            };
            Ok(Clause { negated, path: "event_message".to_owned(), test })
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
        (None, None, _) | (_, _, Test::Compares(..)) => return Ok(test),
        // A range from a level to another word would hold texts by the alphabet.
        _ => return Err(format!("{LEVEL}: a range has two levels, of {}", LEVELS.join(", "))),
    };
    match LEVELS.get(first..last) {
        Some(levels) if !levels.is_empty() => Ok(Test::OneOf(levels)),
        _ => Err(format!(
            "{LEVEL}: no level is in that range; from the least severe they are {}",
            LEVELS.join(", ")
        )),
    }
}

fn test(text: &str) -> Result<Test, String> {
    let compares = |comparison, rest: &str| Ok(Test::Compares(comparison, operand(rest)?));
    if let Some(rest) = text.strip_prefix("@>~") {
        return Ok(Test::IncludesMatch(regex(rest)?));
    }
    if let Some(rest) = text.strip_prefix("@>") {
        return Ok(Test::Includes(operand(rest)?));
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
        quoted if quoted.starts_with('"') => Ok(Test::Equals(operand(quoted)?)),
        rest => match rest.split_once("..") {
            Some((low, high)) => {
                let numbers = (low.parse::<f64>(), high.parse::<f64>());
                if matches!(numbers, (Ok(low), Ok(high)) if low > high) {
                    return Err(format!("{rest}: a range begins with its lower end"));
                }
                Ok(Test::Between(operand(low)?, operand(high)?))
            }
            None => Ok(Test::Equals(operand(rest)?)),
        },
    }
}

/// Characters that an operand outside quotation marks can't begin with: they would be a second operator.
const OPERATORS: [char; 6] = ['<', '>', '=', '~', ':', '@'];

fn operand(text: &str) -> Result<String, String> {
    if text.starts_with(OPERATORS) {
        return Err(format!(
            "{text:?} begins with a second operator; a value that does must be in quotation marks"
        ));
    }
    quotable(text)
}

fn quotable(text: &str) -> Result<String, String> {
    let text = unquoted(text);
    if text.is_empty() { Err("a value is missing".to_owned()) } else { Ok(text) }
}

fn unquoted(text: &str) -> String {
    let inside = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    inside.map_or_else(|| text.to_owned(), |inside| inside.replace("\\\"", "\""))
}

fn regex(pattern: &str) -> Result<Regex, String> {
    if pattern.starts_with('~') {
        return Err(format!(
            "{pattern:?} begins with a second operator; put the expression in quotation marks"
        ));
    }
    let pattern = quotable(pattern)?;
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
        (value, Test::Contains(text)) => text_of(value).contains(text.as_str()),
        (value, Test::Matches(regex) | Test::IncludesMatch(regex)) => regex.is_match(&text_of(value)),
        (value, Test::Compares(comparison, text)) => {
            compare(value, text).is_some_and(|order| match comparison {
                Comparison::Less => order.is_lt(),
                Comparison::LessOrEqual => order.is_le(),
                Comparison::Greater => order.is_gt(),
                Comparison::GreaterOrEqual => order.is_ge(),
            })
        }
        (value, Test::Between(low, high)) => {
            compare(value, low).is_some_and(std::cmp::Ordering::is_ge)
                && compare(value, high).is_some_and(std::cmp::Ordering::is_le)
        }
        (value, Test::OneOf(texts)) => texts.iter().any(|text| equals(value, text)),
        (value, Test::Within(instants)) => value.as_i64().is_some_and(|instant| instants.has(instant)),
        (_, Test::Null) => false,
    }
}

fn equals(value: &Value, text: &str) -> bool {
    match value {
        Value::Number(_) => compare(value, text).is_some_and(std::cmp::Ordering::is_eq),
        other => text_of(other) == text,
    }
}

/// Compares numbers by size and texts by their characters; other values are not comparable. Timestamps may be
/// in RFC 3339.
fn compare(value: &Value, text: &str) -> Option<std::cmp::Ordering> {
    match value {
        Value::Number(number) => match (number.as_i64(), whole(text)) {
            (Some(left), Some(right)) => Some(left.cmp(&right)),
            _ => number.as_f64()?.partial_cmp(&text.parse().ok()?),
        },
        Value::String(left) => Some(left.as_str().cmp(text)),
        _ => None,
    }
}

fn whole(text: &str) -> Option<i64> {
    let instant = || text.parse::<sim_base::Timestamp>().ok().map(sim_base::micros);
    text.parse().ok().or_else(instant)
}

fn text_of(value: &Value) -> String {
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
            ("\"open", "a quotation mark is not closed"),
            ("m.a:", "a value is missing"),
            ("m.a:>", "a value is missing"),
            ("m.a:~(", "\"(\" is no regular expression"),
            ("c:count(*)", "c:count(*): only filters are read here"),
            ("m.a:>>1", "\">1\" begins with a second operator; a value that does must be in quotation marks"),
            ("m.a::v", "\":v\" begins with a second operator; a value that does must be in quotation marks"),
            (
                "m.a:>=<1",
                "\"<1\" begins with a second operator; a value that does must be in quotation marks",
            ),
            ("m.a:~~p", "\"~p\" begins with a second operator; put the expression in quotation marks"),
            (
                "m.level:error..info",
                "metadata.level: no level is in that range; from the least severe they are debug, info, notice, warning, error, \
                 critical, alert, emergency",
            ),
        ];
        for (filter, problem) in rows {
            assert_eq!(Filter::read(filter, now()).expect_err("no filter"), problem, "{filter}");
        }
    }
}
