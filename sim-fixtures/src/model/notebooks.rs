//! `/v2`: notebooks of projects.

use serde_json::{Value, json};
use sim_core::Operation as _;
use sim_core::management::v2::notebook::{
    CreateNotebook, DeleteNotebook, GetNotebook, ListNotebooks, UpdateNotebook,
};

use super::rule::{Asked, Group, Rule, done, given};
use super::{Model, merged, rule_of};
use crate::strategies::{Dice, Text, What};

pub(super) const GROUP: Group = Group { rules: RULES, first: &[], next, works: &[] };

const NAMES: [Text; 3] = ["Sales", "errors", "a name"];

const RULES: &[Rule] = &[
    Rule::develop(CreateNotebook::META, "database:write", |model, asked| {
        let attributes = asked.body("data")["attributes"].clone();
        let new = merged(json!({ "favorite": false, "description": null }), attributes);
        model.notebooks.push(Notebook { project: asked.project(), attributes: new, is_deleted: false });
        let number = model.notebooks.len() - 1;
        Ok(json!({ "data": model.notebooks[number].shown(number, true) }))
    })
    .call(|dice, _, what| {
        let attributes = given([
            ("name", Some(json!(dice.pick(&NAMES)))),
            ("description", dice.one_in(2).then(|| json!("for tests"))),
            ("favorite", dice.one_in(2).then(|| json!(true))),
            ("content", Some(cells(dice))),
        ]);
        what.with(document(attributes))
    })
    .bodies(|| {
        let with = |field: &str, value: Value| {
            document(merged(json!({ "name": "x", "content": { "cells": [] } }), json!({ field: value })))
        };
        vec![
            json!({}),
            document(json!({ "name": "x" })),
            with("name", json!("")),
            with("name", json!("x".repeat(256))),
            with("content", json!({ "cells": [{ "type": "image" }] })),
            with("content", json!({ "cells": [{ "type": "markdown" }] })),
            with("content", json!({ "cells": [{ "type": "database", "sql": "select 1", "row_limit": 0 }] })),
        ]
    })
    .makes(&[("notebook", "/data/id")]),
    Rule::read(ListNotebooks::META, "database:read", |model, asked| {
        let mine = model.notebooks.iter().enumerate().filter(|(_, one)| one.is_of(asked.project()));
        let part = asked.what.asked("filter[name]").map(str::to_lowercase);
        let mut mine: Vec<_> = mine
            .filter(|(_, one)| part.as_ref().is_none_or(|part| one.name().to_lowercase().contains(part)))
            .collect();
        let sort = asked.what.asked("sort").unwrap_or("inserted_at");
        if sort.ends_with("name") {
            mine.sort_by(|(_, one), (_, other)| one.name().cmp(other.name()));
        }
        if sort.starts_with('-') {
            mine.reverse();
        }
        let size = asked.what.asked("page[size]").and_then(|size| size.parse().ok()).unwrap_or(100);
        let shown = mine.into_iter().take(size).map(|(number, one)| one.shown(number, false));
        Ok(json!({ "data": shown.collect::<Vec<_>>() }))
    })
    .call(|dice, _, mut what| {
        let asked: [(Text, &[Text]); 3] = [
            ("page[size]", &["1", "100"]),
            ("filter[name]", &["e", "SALES"]),
            ("sort", &["name", "-name", "inserted_at", "-inserted_at"]),
        ];
        for (name, values) in asked {
            if dice.one_in(3) {
                what = what.asking(name, dice.pick(values));
            }
        }
        what
    })
    .queries(&["page[size]=0", "sort=size", "filter[name]="]),
    Rule::read(GetNotebook::META, "database:read", |model, asked| {
        let number = notebook(model, asked)?;
        Ok(json!({ "data": model.notebooks[number].shown(number, true) }))
    })
    .call(some_notebook),
    Rule::develop(UpdateNotebook::META, "database:write", |model, asked| {
        let number = notebook(model, asked)?;
        let old = model.notebooks[number].attributes.take();
        model.notebooks[number].attributes = merged(old, asked.body("data")["attributes"].clone());
        Ok(json!({ "data": model.notebooks[number].shown(number, true) }))
    })
    .call(|dice, model, what| {
        let name = dice.one_in(2).then(|| json!(dice.pick(&NAMES)));
        let favorite = dice.one_in(2).then(|| json!(dice.one_in(2)));
        let content = dice.one_in(2).then(|| cells(dice));
        some_notebook(dice, model, what).with(document(given([
            ("name", name),
            ("favorite", favorite),
            ("content", content),
        ])))
    })
    .bodies(|| vec![json!({}), document(json!({ "name": "" })), document(json!({ "favorite": "yes" }))]),
    Rule::develop(DeleteNotebook::META, "database:write", |model, asked| {
        let number = notebook(model, asked)?;
        model.notebooks[number].is_deleted = true;
        done()
    })
    .call(some_notebook),
];

/// A call about an existing notebook; without one, a call that makes one.
fn next(dice: &mut Dice, model: &Model) -> Option<What> {
    let there: Vec<_> = (0..model.notebooks.len()).filter(|one| !model.notebooks[*one].is_deleted).collect();
    if there.is_empty() || dice.one_in(3) {
        return Some(rule_of::<CreateNotebook>().for_project(dice, model, 0));
    }
    let number = dice.pick(&there);
    let rule = dice.pick(&[
        rule_of::<GetNotebook>(),
        rule_of::<UpdateNotebook>(),
        rule_of::<UpdateNotebook>(),
        rule_of::<DeleteNotebook>(),
    ]);
    let what = rule.for_project(dice, model, model.notebooks[number].project);
    Some(what.at("id", format!("{{notebook {number}}}")))
}

fn document(attributes: Value) -> Value {
    json!({ "data": { "type": "notebook", "attributes": attributes } })
}

/// Cells without identifiers.
fn cells(dice: &mut Dice) -> Value {
    let text = json!({ "type": "markdown", "text": "# Title" });
    let query = json!({ "type": "database", "sql": "select 1", "row_limit": 5 });
    json!({ "cells": dice.pick(&[&[][..], &[&text][..], &[&query, &text][..]]) })
}

fn some_notebook(dice: &mut Dice, model: &Model, what: What) -> What {
    what.at("id", format!("{{notebook {}}}", dice.below(model.notebooks.len() + 1)))
}

fn notebook(model: &Model, asked: &Asked<'_>) -> Result<usize, u16> {
    let number = asked.number("id");
    model.notebooks.get(number).filter(|one| one.is_of(asked.project())).map(|_| number).ok_or(404)
}

/// A notebook of a project.
#[derive(Clone, Debug)]
pub(super) struct Notebook {
    project: usize,
    attributes: Value,
    is_deleted: bool,
}

impl Notebook {
    fn is_of(&self, project: usize) -> bool {
        self.project == project && !self.is_deleted
    }

    fn name(&self) -> &str {
        self.attributes["name"].as_str().unwrap_or_default()
    }

    /// The notebook as shown alone, or in a list without its content.
    fn shown(&self, number: usize, whole: bool) -> Value {
        let mut attributes = self.attributes.clone();
        if !whole {
            attributes.as_object_mut().map(|fields| fields.remove("content"));
        }
        json!({ "id": format!("{{notebook {number}}}"), "attributes": attributes })
    }
}
