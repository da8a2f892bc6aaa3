//! The differences between two worlds: in their rows, and in what the API answers.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use http::Request;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sim_base::ToSchema;
use sim_base::operation::{Access, Method};

use super::Simulator;
use super::changes::{RowChange, changed_rows};
use crate::engine::journal::Origin;

/// The lists of things that have paths of their own, with the parameter of those paths.
const PLACES: [(&str, &str); 2] = [("/v1/projects", "{ref}"), ("/v1/organizations", "{slug}")];

/// Members that identify an element of a list, the best first.
const KEYS: [&str; 5] = ["id", "ref", "slug", "name", "key"];

/// What is different in a later world.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Difference {
    /// Rows that were inserted, changed or deleted, by table and key. Secrets are masked.
    pub rows: Vec<RowChange>,
    /// Answers of the API that are different, by path.
    pub answers: Vec<AnswerChange>,
}

impl Difference {
    /// Whether the worlds are equal.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.answers.is_empty()
    }
}

/// An answer that is different in a later world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AnswerChange {
    /// The path of the GET request.
    pub path: String,
    /// The different values of its body.
    pub changes: Vec<ValueChange>,
}

/// A value that is different in a later answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ValueChange {
    /// Its place: a JSON pointer, into the later answer if the value is there.
    pub pointer: String,
    /// The old value; absent if there was none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub before: Option<Value>,
    /// The new value; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub after: Option<Value>,
}

impl Simulator {
    /// What is different in `later`: rows, and answers to GET requests of the API. Neither world changes.
    ///
    /// Compares a world with its fork, with a snapshot of it, or with itself at an earlier call. Journals and clocks are
    /// not compared. Takes as long as a GET request of each kind for each project, in both worlds.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_core::management::project::CreateProject;
    ///
    /// let mut sim = Simulator::builder().build();
    /// let before = sim.fork();
    /// sim.call(CreateProject::named("demo", "acme"))?;
    /// let difference = before.diff(&sim);
    /// assert!(difference.rows.iter().any(|change| change.table == "project"));
    /// assert!(difference.answers.iter().any(|answer| answer.path == "/v1/projects"));
    /// assert!(before.diff(&before.fork()).is_empty());
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn diff(&self, later: &Simulator) -> Difference {
        let halves = self.halves().zip(later.halves());
        let halves = halves.filter(|(before, after)| before.registry().name() == after.registry().name());
        let mut difference = Difference::default();
        for (before, after) in halves {
            difference.rows.extend(changed_rows(before, after));
            difference.answers.extend(changed_answers(before, after));
        }
        difference
    }
}

fn changed_answers(before: &Simulator, after: &Simulator) -> Vec<AnswerChange> {
    // These requests are no events of the world's logs, or logs would differ by them.
    let (mut before, mut after) = (before.quiet_fork(), after.quiet_fork());
    let mut changed = Vec::new();
    for path in paths_of(&mut before, &mut after) {
        let (old, new) = (answer(&mut before, &path), answer(&mut after, &path));
        let mut changes = Vec::new();
        compare(String::new(), old.as_ref(), new.as_ref(), &mut changes);
        if !changes.is_empty() {
            changed.push(AnswerChange { path, changes });
        }
    }
    changed
}

/// The paths of all GET requests that need no more than a project or an organization of one of the worlds.
fn paths_of(before: &mut Simulator, after: &mut Simulator) -> Vec<String> {
    let places: Vec<(&str, BTreeSet<String>)> = PLACES
        .iter()
        .map(|(list, parameter)| {
            let listed = [answer(before, list), answer(after, list)];
            let items = listed.iter().flatten().filter_map(Value::as_array).flatten();
            (*parameter, items.filter_map(|one| one["id"].as_str()).map(str::to_owned).collect())
        })
        .collect();
    let edition = after.policy().edition;
    let reads = after
        .registry()
        .operations()
        .filter(|meta| meta.method == Method::Get && meta.access == Access::Token && meta.is_in(edition));
    let mut paths: Vec<String> = reads
        .flat_map(|meta| match meta.path.matches('{').count() {
            0 => vec![meta.path.to_owned()],
            1 => {
                let place = places.iter().find(|(parameter, _)| meta.path.contains(parameter));
                let ids = place.iter().flat_map(|(parameter, ids)| ids.iter().map(move |id| (parameter, id)));
                ids.map(|(parameter, id)| meta.path.replace(parameter, id)).collect()
            }
            _ => Vec::new(),
        })
        .collect();
    paths.sort();
    paths
}

/// The body of the answer to a GET request of the simulator's driver, if it succeeds and is JSON.
fn answer(sim: &mut Simulator, path: &str) -> Option<Value> {
    let request = Request::get(path).body(Bytes::new()).ok()?;
    let response = sim.handle_from(Origin::Control, &request);
    let found = response.status().is_success().then(|| serde_json::from_slice(response.body()).ok());
    found.flatten()
}

fn compare(pointer: String, before: Option<&Value>, after: Option<&Value>, changes: &mut Vec<ValueChange>) {
    match (before, after) {
        (before, after) if before == after => {}
        (Some(Value::Object(before)), Some(Value::Object(after))) => {
            let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
            for name in names {
                let pointer = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
                compare(pointer, before.get(name), after.get(name), changes);
            }
        }
        (Some(Value::Array(before)), Some(Value::Array(after))) => {
            for (at, before, after) in paired(before, after) {
                compare(format!("{pointer}/{at}"), before, after, changes);
            }
        }
        (before, after) => {
            changes.push(ValueChange { pointer, before: before.cloned(), after: after.cloned() });
        }
    }
}

/// The elements of two lists that belong together, with their place: by what identifies them, else by their order.
fn paired<'a>(before: &'a [Value], after: &'a [Value]) -> Vec<(usize, Option<&'a Value>, Option<&'a Value>)> {
    let keyed = KEYS.iter().find_map(|key| Some((by_key(before, key)?, by_key(after, key)?)));
    let Some((old, new)) = keyed else {
        let most = before.len().max(after.len());
        return (0..most).map(|at| (at, before.get(at), after.get(at))).collect();
    };
    let gone =
        old.iter().filter(|(key, _)| !new.contains_key(*key)).map(|(_, (at, one))| (*at, Some(*one), None));
    let mut pairs: Vec<_> = new
        .iter()
        .map(|(key, (at, one))| (*at, old.get(key).map(|(_, one)| *one), Some(*one)))
        .chain(gone)
        .collect();
    pairs.sort_by_key(|(at, _, _)| *at);
    pairs
}

/// The elements of a list by a member that each of them has, if no two have the same.
fn by_key<'a>(list: &'a [Value], key: &str) -> Option<BTreeMap<String, (usize, &'a Value)>> {
    let mut found = BTreeMap::new();
    for (at, one) in list.iter().enumerate() {
        let value = one.get(key)?.to_string();
        if found.insert(value, (at, one)).is_some() {
            return None;
        }
    }
    Some(found)
}
