//! Every value that an enum of a response can have occurs in some response, as listed in `docs/enums.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use sim_core::{Policy, Profile, RateLimit, Simulator};
use sim_fixtures::{Api, Call, InProcess, Reply, scenario};

use crate::support::{held, seconds};

mod sequences;

use sequences::sequences;

/// Values of a field that no sequence of calls produces, and why.
const NEVER: &[(&str, &[&str], &str)] = &[
    (
        "ChangedRestrictions.entitlement",
        &["disallowed"],
        "who may have no restrictions is refused a change of them",
    ),
    (
        "PrivateLinkAssociation.status",
        &["ASSOCIATION_REQUEST_EXPIRED", "ASSOCIATION_ACCEPTED", "CREATION_FAILED", "DELETING"],
        "nobody accepts an association, and it is deleted at once",
    ),
    ("ListedDatabase.status", &["INIT_READ_REPLICA_FAILED"], "only of a replica whose set-up failed"),
    ("ProjectOfOrganization.status", &["PROMOTING"], "no read replica is promoted"),
    ("WeeklyWindow.day", &["mon", "tue", "wed", "thu", "fri", "sat"], "every window opens on a Sunday"),
    ("BranchConfig.status", &["UNKNOWN"], "the call that makes a branch has its project accepted already"),
    ("ListedRegion.status", &["capacity", "other"], "every region has room"),
    ("JitConfig.unavailableReason", &["platform_unsupported"], "every platform has it"),
    ("Branch.preview_project_status", &["UNKNOWN"], "a branch is listed once its project is accepted"),
    ("LintMetadata.type", &["foreign table", "function", "extension"], "no rule is about such"),
    // The service answers a create with UNKNOWN, and with no other value, in what was observed. The enum is
    // that of the project, which all responses share. At the pace `instant` too the response is written
    // before the started work is done.
    (
        "CreatedProject.status",
        &[
            "COMING_UP",
            "ACTIVE_HEALTHY",
            "ACTIVE_UNHEALTHY",
            "INIT_FAILED",
            "PAUSING",
            "INACTIVE",
            "PAUSE_FAILED",
            "RESTORING",
            "RESTORE_FAILED",
            "UPGRADING",
            "RESTARTING",
            "RESIZING",
            "GOING_DOWN",
            "REMOVED",
        ],
        "a create answers before its project is accepted",
    ),
];

#[test]
fn every_value_is_answered_by_some_sequence() {
    let document = scenario::fresh().openapi();
    let published = published(&document);
    let mut seen = Seen::new();
    for sequence in sequences() {
        Player::new(&document, &mut seen).play(&sequence);
    }
    let mut problems = Vec::new();
    let mut text = HEAD.to_owned();
    for (field, values) in &published {
        write!(text, "\n## {field}\n\n| Value | Calls |\n|---|---|\n").expect("a string takes it");
        for value in values {
            let never = NEVER.iter().find(|(at, values, _)| at == field && values.contains(&value.as_str()));
            let calls = match (seen.get(&(field.clone(), value.clone())), never) {
                (Some(_), Some(_)) => {
                    problems.push(format!("{field}: {value} is answered, drop the exception"));
                    continue;
                }
                (Some(calls), None) => calls.clone(),
                (None, Some((_, _, reason))) => format!("never: {reason}"),
                (None, None) => {
                    problems.push(format!("{field}: {value} is not answered by any sequence"));
                    continue;
                }
            };
            writeln!(text, "| `{value}` | {calls} |").expect("a string takes it");
        }
    }
    for (field, value) in
        NEVER.iter().flat_map(|(field, values, _)| values.iter().map(move |one| (*field, *one)))
    {
        if !published.get(field).is_some_and(|values| values.iter().any(|one| one == value)) {
            problems.push(format!("{field}: {value} is not published, drop the exception"));
        }
    }
    let strays = seen.keys().filter(|(field, value)| !published[field].contains(value));
    problems.extend(strays.map(|(field, value)| format!("{field}: {value} is answered and not published")));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    held("docs/enums.md", &text);
}

const HEAD: &str = "# Enum values\n\n\
    Every value that a field of an answer can have, and calls that get it. Generated from the sequences of \
    `tests/enums/sequences.rs`\nby `STUNTDOUBLE_BLESS=1 cargo test -p sim-tests enums`. Each begins with an active \
    project `{ref}` of the organization `acme`,\nwhich is on the pro plan. `wait` advances the clock by seconds, `→` \
    names a part of an answer, `policy` and `profile` say how the\nworld differs from the default. Control operations \
    are below `/_sim`.\n";

/// Field and value, and the shortest sequence of calls that produces it.
type Seen = BTreeMap<(String, String), String>;

/// All values of each response field, in the order of the document; a field is named `Schema.field`.
fn published(document: &Value) -> BTreeMap<String, Vec<String>> {
    let mut fields = BTreeMap::new();
    let mut visited = BTreeSet::new();
    let paths = document["paths"].as_object().into_iter().flatten();
    for operation in paths.flat_map(|(_, path)| path.as_object()).flat_map(Map::values) {
        for (status, response) in operation["responses"].as_object().into_iter().flatten() {
            if status.starts_with('2') {
                let schema = &response["content"]["application/json"]["schema"];
                collect(document, schema, &["answer".to_owned()], &mut visited, &mut fields);
            }
        }
    }
    fields
}

fn collect(
    document: &Value,
    schema: &Value,
    at: &[String],
    visited: &mut BTreeSet<String>,
    fields: &mut BTreeMap<String, Vec<String>>,
) {
    let (name, schema) = resolve(document, schema);
    if let Some(values) = schema["enum"].as_array() {
        let words = values.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        fields.insert(at.join("."), words);
        return;
    }
    if name.is_some_and(|name| !visited.insert(name.to_owned())) {
        return;
    }
    for (step, inner) in children(schema) {
        collect(document, inner, &below(name, at, step), visited, fields);
    }
}

/// The name of a part: that of the nearest named schema that contains it.
fn below(name: Option<&str>, at: &[String], step: Option<&str>) -> Vec<String> {
    let mut at = name.map_or_else(|| at.to_vec(), |name| vec![name.to_owned()]);
    at.extend(step.map(str::to_owned));
    at
}

/// A schema with references resolved, and its name if it has one.
fn resolve<'d>(document: &'d Value, schema: &'d Value) -> (Option<&'d str>, &'d Value) {
    match schema["$ref"].as_str().and_then(|at| at.rsplit('/').next()) {
        Some(name) => (Some(name), &document["components"]["schemas"][name]),
        None => (None, schema),
    }
}

/// The inner schemas: fields by name, all others without a name.
fn children(schema: &Value) -> impl Iterator<Item = (Option<&str>, &Value)> {
    let fields = schema["properties"].as_object().into_iter().flatten();
    let items = [&schema["items"], &schema["additionalProperties"]].into_iter().filter(|one| one.is_object());
    let choices =
        ["anyOf", "oneOf", "allOf"].map(|word| schema[word].as_array()).into_iter().flatten().flatten();
    fields
        .map(|(name, inner)| (Some(name.as_str()), inner))
        .chain(items.chain(choices).map(|inner| (None, inner)))
}

/// An active project in a world of that policy and profile.
fn begin(policy: &Policy, profile: &Profile) -> InProcess {
    let sim = Simulator::builder().seed(scenario::SEED).world(scenario::cast("pro"));
    InProcess::new(scenario::project_in(sim.policy(policy.clone()).profile(profile.clone()).build()))
}

/// Merges `patch` into `whole`: an object changes the fields that it names, any other value replaces.
fn patched<T: Serialize + DeserializeOwned>(whole: &T, patch: &str) -> T {
    fn apply(whole: &mut Value, patch: Value) {
        match (whole, patch) {
            (Value::Object(whole), Value::Object(patch)) => {
                for (name, value) in patch {
                    apply(whole.entry(name).or_insert(Value::Null), value);
                }
            }
            (whole, patch) => *whole = patch,
        }
    }
    let mut changed = json!(whole);
    apply(&mut changed, serde_json::from_str(patch).expect("a patch is JSON"));
    serde_json::from_value(changed).expect("a patch names what is there")
}

/// A part of a response: `/pointer` into its body, `?field` of the address that it redirects to.
fn part(reply: &Reply, at: &str) -> Option<String> {
    match at.strip_prefix('?') {
        Some(field) => {
            let (_, query) = reply.header("location").split_once('?')?;
            let mut fields = form_urlencoded::parse(query.as_bytes());
            fields.find(|(name, _)| name == field).map(|(_, value)| value.into_owned())
        }
        None => reply.json().pointer(at)?.as_str().map(str::to_owned),
    }
}

/// Runs a sequence and records the values in its responses.
struct Player<'p> {
    document: &'p Value,
    seen: &'p mut Seen,
    names: BTreeMap<String, String>,
    /// Steps that changed something.
    told: Vec<String>,
}

impl<'p> Player<'p> {
    fn new(document: &'p Value, seen: &'p mut Seen) -> Player<'p> {
        Player { document, seen, names: BTreeMap::new(), told: Vec::new() }
    }

    fn play(&mut self, sequence: &[String]) {
        let (mut policy, mut profile) = (Policy::default(), Profile::default());
        policy.rate_limit = RateLimit::off();
        let mut steps = sequence.iter();
        let mut api = None;
        for step in steps.by_ref() {
            let (verb, rest) = step.split_once(' ').expect("a step has a verb");
            let step = match verb {
                "policy" => {
                    policy = patched(&policy, rest);
                    format!("policy `{rest}`")
                }
                "profile" => {
                    profile = patched(&profile, rest);
                    format!("profile `{rest}`")
                }
                _ => {
                    let api = api.get_or_insert_with(|| begin(&policy, &profile));
                    self.names.insert("ref".to_owned(), api.project());
                    self.step(api, verb, rest);
                    continue;
                }
            };
            assert!(api.is_none(), "a world begins with its policy and profile: {step}");
            self.told.push(step);
        }
    }

    fn step(&mut self, api: &mut dyn Api, verb: &str, rest: &str) {
        if verb == "wait" {
            api.advance(seconds(rest.parse().expect("seconds are a number")));
            self.told.push(format!("wait {rest}"));
            return;
        }
        let (call, capture) = rest.split_once(" → ").unwrap_or((rest, ""));
        let (path, body) = call.split_once(' ').unwrap_or((call, ""));
        let fill = |text: &str| {
            self.names
                .iter()
                .fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
        };
        let mut request = Call::new(verb.parse().expect("methods have good names"), &fill(path));
        if !body.is_empty() {
            request = request.bytes("application/json", fill(body));
        }
        let reply = api.send(request);
        assert!(reply.status < 400, "{verb} {rest}: {reply}");
        let step = format!("`{verb} {rest}`");
        let calls =
            self.told.iter().chain([&step]).cloned().collect::<Vec<_>>().join("; ").replace('|', "\\|");
        self.watch(verb, path, &reply, &calls);
        for (name, at) in capture.split_whitespace().filter_map(|part| part.split_once('=')) {
            self.names.insert(name.to_owned(), part(&reply, at).expect("the answer has it"));
        }
        if verb != "GET" || !capture.is_empty() {
            self.told.push(step);
        }
    }

    fn watch(&mut self, verb: &str, path: &str, reply: &Reply, calls: &str) {
        let path = path.split('?').next().unwrap_or_default();
        let fits = |template: &str| {
            let (mut ours, mut theirs) = (path.split('/'), template.split('/'));
            loop {
                match (ours.next(), theirs.next()) {
                    (None, None) => return true,
                    (Some(one), Some(other)) if one == other || other.starts_with('{') => {}
                    _ => return false,
                }
            }
        };
        let mut templates: Vec<_> =
            self.document["paths"].as_object().into_iter().flatten().filter(|(path, _)| fits(path)).collect();
        templates.sort_by_key(|(path, _)| path.matches('{').count());
        let Some((_, operations)) = templates.first() else { return };
        let responses = &operations[verb.to_lowercase()]["responses"];
        let schema = &responses[reply.status.to_string()]["content"]["application/json"]["schema"];
        if schema.is_object() && !reply.body.is_empty() {
            self.note(schema, &["answer".to_owned()], &reply.json(), calls);
        }
    }

    fn note(&mut self, schema: &'p Value, at: &[String], value: &Value, calls: &str) {
        let (name, schema) = resolve(self.document, schema);
        if schema["enum"].is_array() {
            if let Some(word) = value.as_str() {
                let known =
                    self.seen.entry((at.join("."), word.to_owned())).or_insert_with(|| calls.to_owned());
                if calls.len() < known.len() {
                    calls.clone_into(known);
                }
            }
            return;
        }
        for (step, inner) in children(schema) {
            let at = below(name, at, step);
            match (step, value) {
                (Some(step), _) => drop(value.get(step).map(|value| self.note(inner, &at, value, calls))),
                (None, Value::Array(items)) => {
                    items.iter().for_each(|item| self.note(inner, &at, item, calls));
                }
                (None, _) => self.note(inner, &at, value, calls),
            }
        }
    }
}
