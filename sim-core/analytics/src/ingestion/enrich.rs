//! Adds values by key to events: `transform_key_values` of a source, lines `from.path:to.path` or
//! `from.path:to.path:path.in.value`.

use serde_json::{Map, Value};

use super::copies::{Copies, weight};
use super::normalise::{LINE_BYTES, at, clean, copy_to, long_path, text_of};

/// A line of the setting.
struct Line {
    from: String,
    to: String,
    /// The steps to a part of the value.
    part: Vec<String>,
}

/// What is wrong with the lines of the setting, if anything is.
pub(crate) fn problem(lines: &str) -> Option<String> {
    let wrong = first_wrong(lines, |line| read(line).is_some())?;
    Some(format!("{wrong:?} must be from.path:to.path, or from.path:to.path:path.in.value"))
}

/// What is wrong with the lines of `transform_copy_fields`, if anything is.
pub(crate) fn problem_of_copies(lines: &str) -> Option<String> {
    let is_copy = |line: &str| {
        line.split_once(':').is_some_and(|(from, to)| path(from).is_some() && path(to).is_some())
    };
    let wrong = first_wrong(lines, is_copy)?;
    Some(format!("{wrong:?} must be from.path:to.path"))
}

/// What is wrong with the lines of `transform_drop_fields`, if anything is.
pub(crate) fn problem_of_drops(lines: &str) -> Option<String> {
    let wrong = first_wrong(lines, |line| path(line).is_some())?;
    Some(format!("{wrong:?} must be the path of a field"))
}

/// Whether a line of `transform_drop_fields` is a column that every event keeps.
pub(crate) fn drops_own(lines: &str) -> bool {
    lines.lines().any(|line| crate::source::OWN.contains(&line.trim()))
}

/// What is wrong with the paths of `custom_event_message_keys`, if anything is.
pub(crate) fn problem_of_keys(keys: &str) -> Option<String> {
    let wrong = keys.split(',').find(|key| path(key).is_none())?;
    Some(format!("{wrong:?} must be the path of a field; paths are separated by commas"))
}

fn first_wrong(lines: &str, is_right: impl Fn(&str) -> bool) -> Option<&str> {
    lines.lines().filter(|line| !line.trim().is_empty()).find(|line| !is_right(line))
}

/// A path whose fields an event can have.
fn path(text: &str) -> Option<String> {
    let path = long_path(text);
    let is_name =
        |step: &str| !step.is_empty() && step.chars().all(|sign| sign.is_alphanumeric() || sign == '_');
    path.split('.').all(is_name).then_some(path)
}

fn read(line: &str) -> Option<Line> {
    let mut parts = line.trim().splitn(3, ':');
    let (from, to) = (path(parts.next()?)?, path(parts.next()?)?);
    Some(Line { from, to, part: parts.next().map_or(Some(Vec::new()), steps)? })
}

/// The steps of `a.b`, `$.a.b` or `$.a[0].b`.
fn steps(text: &str) -> Option<Vec<String>> {
    let text = text.trim();
    let path = text.strip_prefix("$.").unwrap_or(text);
    let mut steps = Vec::new();
    for step in path.split('.') {
        let (name, indexes) = step.split_once('[').map_or((step, None), |(name, rest)| (name, Some(rest)));
        if name.is_empty() || name.contains(['$', '*', ']', '@', '?']) {
            return None;
        }
        steps.push(name.to_owned());
        for index in indexes.into_iter().flat_map(|rest| rest.split('[')) {
            let index = index.strip_suffix(']')?;
            steps.push(index.parse::<usize>().ok()?.to_string());
        }
    }
    Some(steps)
}

/// Looks up the value at each line's first path with `find`, and puts the value found at the second. A value that would make
/// the event too large or too deep is left out. `None`: no `copies`
/// are left.
pub(crate) fn enrich(
    body: &mut Map<String, Value>,
    lines: &str,
    copies: &mut Copies,
    find: impl Fn(&str) -> Option<Value>,
) -> Option<()> {
    let mut left = super::normalise::COPIED_BYTES;
    for line in lines.lines().filter_map(read) {
        copies.take(1, LINE_BYTES)?;
        let Some(key) = at(body, &line.from).filter(|key| !key.is_null()).cloned().map(text_of) else {
            continue;
        };
        let Some(value) = find(&key) else { continue };
        // A whole value is read, also if a part of it is taken.
        copies.take(1, weight(&value))?;
        let Some(value) = part(value, &line.part).and_then(clean) else { continue };
        left = copy_to(body, &line.to, value, left);
    }
    Some(())
}

fn part(value: Value, steps: &[String]) -> Option<Value> {
    steps.iter().try_fold(value, |value, step| match value {
        Value::Object(mut object) => object.shift_remove(step),
        Value::Array(mut list) => {
            let index = step.parse::<usize>().ok().filter(|index| *index < list.len())?;
            Some(list.swap_remove(index))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lines_name_a_field_a_place_and_a_part() {
        let find = |key: &str| match key {
            "7" => Some(json!({ "org": { "ids": ["a", "b"] }, "name-x": "n" })),
            "plain" => Some(json!("text")),
            _ => None,
        };
        let rows = [
            ("m.id:org:org.ids[1]", json!("b")),
            ("metadata.id:org:$.org.ids[0]", json!("a")),
            ("m.id:org:org.none", json!(null)),
            ("m.id:org:org.ids[2]", json!(null)),
            ("m.id:org", json!({ "org": { "ids": ["a", "b"] }, "_name_x": "n" })),
            ("p:org", json!("text")),
            ("p:org:part", json!(null)),
            ("m.none:org", json!(null)),
        ];
        for (lines, expected) in rows {
            let Value::Object(mut body) = json!({ "metadata": { "id": 7 }, "p": "plain" }) else {
                panic!("an object")
            };
            enrich(&mut body, lines, &mut Copies::default(), find);
            assert_eq!(body.get("org").cloned().unwrap_or_default(), expected, "{lines}");
        }
    }

    #[test]
    fn lines_that_mean_nothing_have_a_reason() {
        for line in ["a", "a:", ":b", "a:b:", "a:b:$..c", "a:b:c[x]", "a:b:c[*]", "a..b:c"] {
            assert!(problem(line).is_some(), "{line}");
        }
        assert_eq!(problem("a:b\n\n m.a.b:c.d:$.e[0][1].f \n"), None);
        for line in ["nonsense", "a:", ":b", ":", "a:b:c", "a..b:c", "a:b.", "a b:c", "a:b-c", "a:$.b"] {
            assert!(problem_of_copies(line).is_some(), "{line}");
        }
        assert_eq!(problem_of_copies("a:b\n\n m.a.b : m.c \r\n"), None);
        for line in ["a..b", ".", "a,b", "a b", "$.a", "a:b"] {
            assert!(problem_of_drops(line).is_some(), "{line}");
        }
        assert_eq!(problem_of_drops("a\n\n m.a.b\nmetadata.id"), None);
        for keys in ["", ",", "a,,b", "a,", "a b", "m..x", "m.x|id"] {
            assert!(problem_of_keys(keys).is_some(), "{keys}");
        }
        assert_eq!(problem_of_keys("id, m.x,message"), None);
    }
}
