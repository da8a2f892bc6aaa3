//! Requests: each value that an edition allows is taken and shown again, each that it forbids is refused by name.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;
use serde_json::{Map, Value, json};
use sim_core::{Edition, Simulator};
use sim_fixtures::{Call, Reply};

use super::Published;
use super::answers::decode;
use super::reasons::{unexplained, written_down};
use super::samples::{Sample, reply, samples};

#[test]
fn values_of_the_newest_edition_are_taken_or_refused() {
    values(Edition::V2026_11);
}

#[test]
fn values_of_the_first_edition_are_taken_or_refused() {
    values(Edition::V2025_05);
}

/// Stands for a member that was left out.
const LEFT_OUT: &str = "(left out)";

/// The values that were sent, and those without effect.
#[derive(Default)]
struct Counts {
    allowed: usize,
    forbidden: usize,
    answers: usize,
    /// By what was sent; `None` if it was taken or refused as it should be.
    problems: BTreeMap<String, Option<String>>,
    /// What does not decode.
    unread: BTreeSet<String>,
}

fn values(edition: Edition) {
    let (published, samples) = (Published::read(edition), samples(edition, |_, _| {}));
    let mut counts = Counts::default();
    let mut operations = 0;
    for (operation, theirs) in &published.0 {
        let is_open =
            theirs["body"].is_object() || theirs["query"].as_object().is_some_and(|all| !all.is_empty());
        let Some(kept) = samples.get(operation).filter(|_| is_open) else { continue };
        operations += 1;
        for (index, sample) in kept.iter().enumerate() {
            let reads = published.0.get(&format!("GET {}", operation.split_once(' ').unwrap_or_default().1));
            let is_json = !matches!(theirs["ct"].as_str(), Some("application/vnd.runtime.eszip"));
            let mut sent =
                Sent { operation, theirs, reads, sample, is_first: index == 0, counts: &mut counts };
            if theirs["body"].is_object() && is_json {
                sent.body(&theirs["body"], Some(sample.what.body()), &mut Vec::new(), &|value| value);
            }
            for (name, field) in theirs["query"].as_object().into_iter().flatten() {
                sent.query(name, field);
            }
        }
    }
    let problems: BTreeSet<String> = counts
        .problems
        .iter()
        .filter_map(|(what, problem)| Some(format!("{what}: {}", problem.as_ref()?)))
        .collect();
    println!(
        "{edition}: {} allowed and {} forbidden values sent to {operations} operations, {} problems; {} answers decoded, {} problems",
        counts.allowed,
        counts.forbidden,
        problems.len(),
        counts.answers,
        counts.unread.len(),
    );
    unexplained("answers", &counts.unread);
    written_down("values", edition, &problems);
}

/// One sample of an operation, whose request is changed field by field.
struct Sent<'s> {
    operation: &'s str,
    theirs: &'s Value,
    /// The read at the same path.
    reads: Option<&'s Value>,
    sample: &'s Sample,
    /// Whether it is the operation's first sample.
    is_first: bool,
    counts: &'s mut Counts,
}

impl Sent<'_> {
    /// Sends all values of `field` at its place in the body: `put` gives the body with another value there.
    fn body(
        &mut self,
        field: &Value,
        now: Option<&Value>,
        at: &mut Vec<String>,
        put: &dyn Fn(Value) -> Value,
    ) {
        for value in allowed(field) {
            self.take(at, &value, put(value.clone()));
        }
        for value in forbidden(field) {
            if self.can_be_sent(at, &value) {
                self.refuse(at, &value, &put(value.clone()));
            }
        }
        match field["t"].as_str().unwrap_or_default() {
            "object" => self.object(field, now, at, put),
            "array" => {
                let first = now.and_then(|now| now.get(0));
                at.push("0".to_owned());
                self.body(&field["i"], first, at, &|value| put(json!([value])));
                at.pop();
            }
            "record" => {
                let first = now.and_then(Value::as_object).and_then(|all| all.iter().next());
                let name = first.map_or("key", |(name, _)| name);
                at.push(name.to_owned());
                self.body(&field["v"], first.map(|(_, value)| value), at, &|value| {
                    put(json!({ name: value }))
                });
                at.pop();
            }
            "union" => {
                for one in field["u"].as_array().into_iter().flatten().filter(|one| one["t"] == "object") {
                    let fits = now.filter(|now| fits(one, now));
                    self.object(one, fits, at, put);
                }
            }
            _ => {}
        }
    }

    /// A body that is `null` is no body, and everything in a form is text.
    fn can_be_sent(&self, at: &[String], value: &Value) -> bool {
        let is_form = self.theirs["ct"] == "application/x-www-form-urlencoded";
        !(at.is_empty() && value.is_null()) && (value.is_string() || !is_form)
    }

    fn object(
        &mut self,
        field: &Value,
        now: Option<&Value>,
        at: &mut Vec<String>,
        put: &dyn Fn(Value) -> Value,
    ) {
        let whole = now.filter(|now| now.is_object()).cloned().unwrap_or_else(|| least(field));
        for (name, inner) in field["f"].as_object().into_iter().flatten() {
            let with = |value: Value| {
                let mut whole = whole.clone();
                whole[name] = value;
                put(whole)
            };
            let without = || {
                let mut whole = whole.clone();
                whole.as_object_mut().map(|fields| fields.shift_remove(name));
                put(whole)
            };
            at.push(name.clone());
            if inner["opt"] != true {
                self.refuse(at, &json!(LEFT_OUT), &without());
            } else if whole.get(name).is_some() {
                self.take(at, &json!(LEFT_OUT), without());
            }
            self.body(inner, whole.get(name), at, &with);
            self.beside_others(field, (name.as_str(), inner), &whole, at, put);
            at.pop();
        }
    }

    /// Sends the values that were refused once more, beside each value of the other fields that have few, and without each of the
    /// others: some values go together.
    fn beside_others(
        &mut self,
        field: &Value,
        (name, inner): (&str, &Value),
        whole: &Value,
        at: &[String],
        put: &dyn Fn(Value) -> Value,
    ) {
        let all = field["f"].as_object().into_iter().flatten();
        let others: Vec<_> = all.filter(|(other, _)| *other != name).collect();
        for value in allowed(inner) {
            let line = self.line(at, &value);
            let is_refused = |problems: &BTreeMap<String, Option<String>>| {
                problems.get(&line).and_then(Option::as_ref).filter(|one| one.starts_with("refused")).cloned()
            };
            let Some(first) = is_refused(&self.counts.problems) else { continue };
            for (other, schema) in &others {
                let without = (schema["opt"] == true && whole.get(other.as_str()).is_some()).then_some(None);
                let members = members(schema).map(Some);
                for member in without.into_iter().chain(members) {
                    let mut changed = whole.clone();
                    let fields = changed.as_object_mut().expect("it is an object");
                    match member {
                        Some(member) => fields.insert((*other).clone(), member.clone()),
                        None => fields.shift_remove(other.as_str()),
                    };
                    fields.insert(name.to_owned(), value.clone());
                    self.take(at, &value, put(changed));
                    self.counts.allowed -= 1;
                }
            }
            if is_refused(&self.counts.problems).is_some() {
                self.counts.problems.insert(line, Some(first));
            }
        }
    }

    fn query(&mut self, name: &str, field: &Value) {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let at = [name.to_owned()];
        let kind = field["t"].as_str().unwrap_or_default();
        for value in allowed(field).into_iter().filter(|value| !value.is_null() && !value.is_array()) {
            let call = asking(self.sample.call(self.sample.what.clone()), name, Some(&text(&value)));
            self.taken(&at, &value, call);
        }
        let is_text = |value: &Value| {
            value.is_null() || (["string", "array", "object"].contains(&kind) && !value.is_string())
        };
        for value in forbidden(field).into_iter().filter(|value| !is_text(value)) {
            let call = asking(self.sample.call(self.sample.what.clone()), name, Some(&text(&value)));
            self.refused(&at, &value, call);
        }
        if field["opt"] != true {
            self.refused(
                &at,
                &json!(LEFT_OUT),
                asking(self.sample.call(self.sample.what.clone()), name, None),
            );
        }
    }

    fn take(&mut self, at: &[String], value: &Value, body: Value) {
        let call = self.sample.call(self.sample.what.clone().with(body));
        self.taken(at, value, call);
    }

    fn refuse(&mut self, at: &[String], value: &Value, body: &Value) {
        let call = self.sample.call(self.sample.what.clone().with(body.clone()));
        self.refused(at, value, call);
    }

    fn line(&self, at: &[String], value: &Value) -> String {
        let mut value = value.to_string();
        if value.len() > 100 {
            value = format!("({} bytes)", value.len());
        }
        format!("{} {}={value}", self.operation, at.join("."))
    }

    fn taken(&mut self, at: &[String], value: &Value, call: Call) {
        let line = self.line(at, value);
        if self.counts.problems.get(&line).is_some_and(Option::is_none) {
            return;
        }
        self.counts.allowed += 1;
        let mut world = self.sample.before.fork();
        let answer = reply(&mut world, call.clone());
        let problem = self.came_of_it(at, value, &mut world, &answer, call);
        self.counts.problems.insert(line, problem);
    }

    fn came_of_it(
        &mut self,
        at: &[String],
        value: &Value,
        world: &mut Simulator,
        answer: &Reply,
        call: Call,
    ) -> Option<String> {
        if answer.status != self.sample.what.meta().status {
            return Some(format!("refused with {} {}", answer.status, answer.reason()));
        }
        let ignored = answer.header("x-sim-ignored");
        if ignored.split(',').any(|name| name.ends_with(&at[at.len().saturating_sub(1)..].concat()))
            && !at.is_empty()
        {
            return Some(format!("ignored: {ignored}"));
        }
        let mut problem = self.read(self.theirs, self.operation, answer, at, value);
        if let Some(reads) = self.reads {
            let path = call.path.split('?').next().unwrap_or_default().to_owned();
            let get = Call {
                method: http::Method::GET,
                path,
                body: bytes::Bytes::new(),
                headers: Vec::new(),
                ..call
            };
            let shown = reply(world, get);
            let operation = format!("GET {}", self.operation.split_once(' ').unwrap_or_default().1);
            if shown.status == 200 {
                problem = problem.or(self.read(reads, &operation, &shown, at, value));
            }
        }
        problem
    }

    /// Decodes an answer; the problem if it has the place, with another value.
    fn read(
        &mut self,
        theirs: &Value,
        operation: &str,
        answer: &Reply,
        at: &[String],
        value: &Value,
    ) -> Option<String> {
        let is_json = answer.header("content-type").starts_with("application/json");
        if !is_json || theirs["res"].is_null() {
            return None;
        }
        let answer = answer.json();
        self.counts.answers += 1;
        let unread = &mut self.counts.unread;
        decode(&theirs["res"], &answer, &mut String::from("answer"), &mut |problem| {
            unread.insert(format!("{operation} {problem}"));
        });
        let (schema, answer) = match &theirs["res"]["i"] {
            Value::Null => (&theirs["res"], &answer),
            // A list of entrances shows the settings in each; any other shows several things.
            items if !self.operation.starts_with("POST ") => (items, answer.get(0)?),
            _ => return None,
        };
        let place = at.iter().try_fold(schema, |schema, name| match &schema["i"] {
            Value::Null => schema["f"].get(name),
            items => name.parse::<usize>().is_ok().then_some(items),
        })?;
        let is_comparable = !at.is_empty()
            && value != LEFT_OUT
            && place["t"] != "json"
            && place["e"].as_array().is_none_or(|members| members.contains(value));
        let shown = at.iter().filter(|_| is_comparable).try_fold(answer, |answer, name| match answer {
            Value::Array(items) => items.first(),
            other => Some(&other[name]),
        });
        let shown = shown.filter(|_| is_comparable)?;
        let same = shown == value || shown.as_f64().is_some_and(|number| Some(number) == value.as_f64());
        (!same && !value.is_null()).then(|| format!("shown as {shown}"))
    }

    fn refused(&mut self, at: &[String], value: &Value, call: Call) {
        if !self.is_first {
            return;
        }
        self.counts.forbidden += 1;
        let answer = reply(&mut self.sample.before.fork(), call);
        let name = at.iter().rev().find(|name| name.parse::<usize>().is_err());
        let problem = if answer.status != 400 {
            Some(format!("answered with {}", answer.status))
        } else if !String::from_utf8_lossy(&answer.body).contains(name.map_or("", String::as_str)) {
            Some("the refusal does not name it".to_owned())
        } else {
            None
        };
        let line = format!("{} (forbidden)", self.line(at, value));
        self.counts.problems.insert(line, problem);
    }
}

/// The call with another value of a query parameter, or without it.
pub(super) fn asking(mut call: Call, name: &str, value: Option<&str>) -> Call {
    let (path, query) = call.path.split_once('?').unwrap_or((&call.path, ""));
    let others = query.split('&').filter(|pair| !pair.is_empty() && pair.split('=').next() != Some(name));
    let mut pairs: Vec<String> = others.map(str::to_owned).collect();
    pairs.extend(
        value.map(|value| form_urlencoded::Serializer::new(String::new()).append_pair(name, value).finish()),
    );
    call.path = format!("{path}?{}", pairs.join("&"));
    call
}

fn fits(field: &Value, value: &Value) -> bool {
    let mut good = true;
    decode(field, value, &mut String::new(), &mut |_| good = false);
    good
}

/// The smallest value of that shape.
pub(super) fn least(field: &Value) -> Value {
    match field["t"].as_str().unwrap_or_default() {
        "object" => {
            let fields = field["f"].as_object().into_iter().flatten();
            let needed = fields.filter(|(_, one)| one["opt"] != true);
            Value::Object(needed.map(|(name, one)| (name.clone(), least(one))).collect::<Map<_, _>>())
        }
        "array" => match field["minlen"].as_u64() {
            None | Some(0) => json!([]),
            Some(_) => json!([least(&field["i"])]),
        },
        "record" => json!({}),
        "enum" => field["e"][0].clone(),
        "boolean" => json!(true),
        "integer" | "number" => field["ge"].as_i64().map_or(json!(1), Value::from),
        "union" => least(&field["u"][0]),
        "string" => match field["format"].as_str().unwrap_or_default() {
            "uuid" => json!("00000000-0000-4000-8000-000000000000"),
            "uri" => json!("https://a.example/b"),
            "email" => json!("a@b.example"),
            "date-time" => json!("2026-01-01T00:00:00Z"),
            "cidrv4" => json!("10.0.0.0/8"),
            "cidrv6" => json!("2001:db8::/32"),
            "ipv4" => json!("10.0.0.1"),
            "ipv6" => json!("2001:db8::1"),
            _ => json!("x".repeat(field["minlen"].as_u64().unwrap_or(1) as usize)),
        },
        _ => Value::Null,
    }
}

/// The members of an enum, or of several.
fn members(field: &Value) -> impl Iterator<Item = &Value> {
    let all = field["u"].as_array().into_iter().flatten().chain([field]);
    all.flat_map(|one| one["e"].as_array().into_iter().flatten())
}

/// Members, bounds, both flags, lengths, and `null` where it is allowed.
fn allowed(field: &Value) -> Vec<Value> {
    let is_free = field["pattern"].is_null() && field["format"].is_null();
    let mut all = match field["t"].as_str().unwrap_or_default() {
        "enum" => field["e"].as_array().cloned().unwrap_or_default(),
        "boolean" => vec![json!(true), json!(false)],
        "integer" | "number" => {
            let above = field["gt"].as_i64().map(|bound| json!(bound + 1));
            let bounds = [field["ge"].clone(), field["le"].clone(), above.unwrap_or_default()];
            bounds.into_iter().filter(|bound| !bound.is_null()).collect()
        }
        "string" if is_free => lengths(field).map(|length| json!("x".repeat(length))).collect(),
        "array" if field["minlen"].as_u64().is_none_or(|least| least == 0) => vec![json!([])],
        _ => Vec::new(),
    };
    all.extend((field["nullable"] == true).then_some(Value::Null));
    all
}

fn lengths(field: &Value) -> impl Iterator<Item = usize> {
    [&field["minlen"], &field["maxlen"]]
        .into_iter()
        .filter_map(|length| usize::try_from(length.as_u64()?).ok())
}

/// A value of another type, no member, beyond the bounds, and `null` where it is not allowed.
fn forbidden(field: &Value) -> Vec<Value> {
    let kind = field["t"].as_str().unwrap_or_default();
    let mut all = match kind {
        "enum" => vec![json!("no such member"), json!(7)],
        "boolean" => vec![json!("perhaps")],
        "integer" | "number" => {
            let beyond = |bound: &Value, step: i64| Some(json!(bound.as_i64()?.checked_add(step)?));
            let mut all = vec![json!("many")];
            all.extend(beyond(&field["ge"], -1));
            all.extend(beyond(&field["gt"], 0));
            all.extend(beyond(&field["le"], 1));
            all
        }
        "string" => {
            const OTHER: &str = " no,such text ";
            let pattern = field["pattern"].as_str().and_then(|pattern| Regex::new(pattern).ok());
            let is_other = pattern.map_or(!field["format"].is_null(), |pattern| !pattern.is_match(OTHER));
            let mut all = vec![json!(7)];
            all.extend(field["maxlen"].as_u64().map(|length| json!("x".repeat(length as usize + 1))));
            all.extend(
                field["minlen"]
                    .as_u64()
                    .filter(|least| *least > 0)
                    .map(|least| json!("x".repeat(least as usize - 1))),
            );
            all.extend(is_other.then(|| json!(OTHER)));
            all
        }
        "array" => {
            let mut all = vec![json!("one")];
            all.extend(field["minlen"].as_u64().filter(|least| *least > 0).map(|_| json!([])));
            all
        }
        "object" | "record" => vec![json!(7), json!([])],
        _ => return Vec::new(),
    };
    all.extend((field["nullable"] != true).then_some(Value::Null));
    all
}
