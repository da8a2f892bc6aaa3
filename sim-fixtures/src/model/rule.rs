//! The declarations that the model has for each operation and each group of operations.

use serde_json::{Value, json};
use sim_core::engine::{Access, Meta, Method};

use super::Model;
use crate::strategies::{Dice, Text, What};

/// The body of a success, or the status of a refusal.
pub(super) type Answer = Result<Value, u16>;

/// Changes a plain request into another one.
pub(super) type Change = fn(What) -> What;

/// A group of operations.
pub(super) struct Group {
    pub(super) rules: &'static [Rule],
    /// The first calls of a history about this group, by operation, and how each differs from the plain one.
    pub(super) first: &'static [(Text, Change)],
    /// A call that is valid in the current state; few random calls would get far.
    pub(super) next: fn(&mut Dice, &Model) -> Option<What>,
    /// Kinds of its background work, which may fail.
    pub(super) works: &'static [Text],
}

/// One operation: who may call it, which calls are drawn, and what the results must be.
pub(crate) struct Rule {
    /// Its declaration: path, method, success status and form of the body.
    pub(crate) meta: Meta,
    /// The lowest role in the organization concerned; empty if none is needed.
    pub(crate) role: Text,
    /// The scope that an app needs; empty if no app may call it.
    pub(crate) scope: Text,
    /// Adds body and query to a request whose path is complete.
    pub(crate) call: fn(&mut Dice, &Model, What) -> What,
    /// Bodies that are refused for their form; of a multipart form the part `metadata`.
    pub(crate) bodies: fn() -> Vec<Value>,
    /// Queries that are refused for their form.
    pub(crate) queries: &'static [Text],
    /// Kinds of things that a success names, and where it names them.
    pub(crate) makes: &'static [(Text, Text)],
    pub(super) run: fn(&mut Model, &Asked<'_>) -> Answer,
}

type Run = fn(&mut Model, &Asked<'_>) -> Answer;

impl Rule {
    const fn new(meta: Meta, role: Text, scope: Text, run: Run) -> Rule {
        let (bodies, queries, makes): (fn() -> Vec<Value>, _, _) = (Vec::new, &[], &[]);
        Rule { meta, role, scope, call: |_, _, what| what, bodies, queries, makes, run }
    }

    /// An operation that any member may call.
    pub(super) const fn read(meta: Meta, scope: Text, run: Run) -> Rule {
        Rule::new(meta, "Read-only", scope, run)
    }

    /// An operation for administrators.
    pub(super) const fn write(meta: Meta, scope: Text, run: Run) -> Rule {
        Rule::new(meta, "Administrator", scope, run)
    }

    /// An operation for those who work on content.
    pub(super) const fn develop(meta: Meta, scope: Text, run: Run) -> Rule {
        Rule::new(meta, "Developer", scope, run)
    }

    /// An operation that needs no role, or checks the role itself.
    pub(super) const fn open(meta: Meta, scope: Text, run: Run) -> Rule {
        Rule::new(meta, "", scope, run)
    }

    /// An operation of the control API.
    pub(super) const fn control(meta: Meta, run: Run) -> Rule {
        Rule::new(meta, "", "", run)
    }

    pub(super) const fn call(mut self, call: fn(&mut Dice, &Model, What) -> What) -> Rule {
        self.call = call;
        self
    }

    pub(super) const fn bodies(mut self, bodies: fn() -> Vec<Value>) -> Rule {
        self.bodies = bodies;
        self
    }

    pub(super) const fn queries(mut self, queries: &'static [Text]) -> Rule {
        self.queries = queries;
        self
    }

    pub(super) const fn makes(mut self, makes: &'static [(Text, Text)]) -> Rule {
        self.makes = makes;
        self
    }

    /// Whether it changes nothing.
    pub(super) fn is_read(&self) -> bool {
        self.meta.method == Method::Get && self.meta.access != Access::Public
            || self.meta.id == "v1-list-all-network-bans"
    }

    /// A request about things that probably exist.
    pub(crate) fn draw(&'static self, dice: &mut Dice, model: &Model) -> What {
        self.about(dice, model, None)
    }

    /// A request about a given project.
    pub(super) fn for_project(&'static self, dice: &mut Dice, model: &Model, project: usize) -> What {
        self.about(dice, model, Some(project))
    }

    fn about(&'static self, dice: &mut Dice, model: &Model, project: Option<usize>) -> What {
        let mut what = What::of(self);
        for name in self.meta.path_names() {
            let value = match name {
                "ref" => format!("{{project {}}}", project.unwrap_or_else(|| model.some_project(dice))),
                "slug" => format!("{{organization {}}}", model.some_organization(dice)),
                "user" => format!("{{user {}}}", model.some_user(dice)),
                "branch_id" => model.some_branch(dice),
                "provider_id" => format!("{{provider {}}}", dice.below(model.providers.len() + 1)),
                "function_slug" => dice.pick(&super::functions::SLUGS).to_owned(),
                "client_id" => format!("{{app {}}}", dice.below(model.apps.len() + 1)),
                // The rule fills in the others itself.
                _ => continue,
            };
            what = what.at(name, value);
        }
        (self.call)(dice, model, what)
    }
}

/// A call that has reached its operation.
pub(super) struct Asked<'a> {
    /// The user who calls; `None` for the control API or an anonymous call.
    pub(super) user: Option<usize>,
    pub(super) what: &'a What,
}

impl Asked<'_> {
    /// The number in the path parameter of that name.
    pub(super) fn number(&self, name: &str) -> usize {
        number(self.what.part(name))
    }

    /// The number of the project in the path.
    pub(super) fn project(&self) -> usize {
        self.number("ref")
    }

    pub(super) fn body(&self, field: &str) -> &Value {
        &self.what.body[field]
    }

    /// The text in a field of the body; empty if there is none.
    pub(super) fn text(&self, field: &str) -> &str {
        self.body(field).as_str().unwrap_or_default()
    }

    /// The texts in a field of the body.
    pub(super) fn texts(&self, field: &str) -> Vec<String> {
        texts(self.body(field))
    }
}

pub(super) fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The number of a placeholder: 3 of `{project 3}`.
pub(super) fn number(placeholder: &str) -> usize {
    let digits = placeholder.trim_end_matches('}').rsplit(' ').next().and_then(|text| text.parse().ok());
    digits.unwrap_or(usize::MAX)
}

/// An object of the fields that have a value.
pub(super) fn given<const N: usize>(fields: [(Text, Option<Value>); N]) -> Value {
    fields
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// A success without content.
pub(super) fn done() -> Answer {
    Ok(json!({}))
}
