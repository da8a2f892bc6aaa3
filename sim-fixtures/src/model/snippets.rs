//! SQL snippets that users save.

use serde_json::{Value, json};
use sim_core::management::snippet::{CreateSnippet, DeleteSnippet, GetSnippet, ListSnippets, UpdateSnippet};
use sim_core::{Operation as _, Timestamp};

use super::rule::{Answer, Asked, Group, Rule, done, given, number};
use super::{Model, SNIPPETS_ON_A_PAGE, merged, rule_of};
use crate::strategies::{Text, What};

pub(super) const GROUP: Group = Group {
    rules: RULES,
    first: &[("sim-create-snippet", |what| what)],
    next: |dice, model| {
        let rule =
            if model.snippets.len() < 6 { rule_of::<CreateSnippet>() } else { rule_of::<ListSnippets>() };
        Some(rule.draw(dice, model))
    },
    works: &[],
};

const NAMES: [Text; 3] = ["Count", "all users", "Ähnlich"];
const VISIBILITIES: [Text; 4] = ["user", "project", "org", "public"];

const RULES: &[Rule] = &[
    Rule::control(CreateSnippet::META, create)
        .call(|dice, model, what| {
            let (user, project) = (model.some_user(dice), model.some_project(dice));
            let visibility = dice.one_in(2).then(|| json!(dice.pick(&VISIBILITIES)));
            let favorite = dice.one_in(3).then(|| json!(true));
            what.with(given([
                ("user", Some(json!(format!("{{user {user}}}")))),
                ("project_ref", Some(json!(format!("{{project {project}}}")))),
                ("name", Some(json!(dice.pick(&NAMES)))),
                ("sql", Some(json!("select 1"))),
                ("visibility", visibility),
                ("favorite", favorite),
            ]))
        })
        .bodies(|| {
            let good =
                json!({ "user": "owner", "project_ref": "abcdefghijklmnopqrst", "name": "x", "sql": "" });
            let with = |field: &str, value: Value| merged(good.clone(), json!({ field: value }));
            vec![
                json!({}),
                with("name", json!("")),
                with("project_ref", json!("short")),
                with("visibility", json!("everyone")),
                with("sql", json!(null)),
                with("colour", json!("red")),
            ]
        })
        .makes(&[("snippet", "/id")]),
    Rule::open(ListSnippets::META, "database:read", list)
        .call(|dice, model, mut what| {
            let mut sort = (dice.one_in(2).then_some("name"), dice.one_in(2).then_some("asc"));
            if !model.cursors.is_empty() && !dice.one_in(2) {
                let cursor = dice.below(model.cursors.len());
                what = what.asking("cursor", format!("{{cursor {cursor}}}"));
                if !dice.one_in(4) {
                    let Cursor { by_name, ascending, .. } = model.cursors[cursor];
                    sort = (by_name.then_some("name"), ascending.then_some("asc"));
                }
            }
            for (name, value) in [("sort_by", sort.0), ("sort_order", sort.1)] {
                what = value.into_iter().fold(what, |what, value| what.asking(name, value));
            }
            if dice.one_in(4) {
                what = what.asking("limit", dice.pick(&["1", "3", "100"]));
            }
            if dice.one_in(4) {
                what = what.asking("project_ref", format!("{{project {}}}", model.some_project(dice)));
            }
            what
        })
        .queries(&["limit=0", "limit=101", "limit=ten", "sort_by=size", "sort_order=up", "project_ref=short"])
        .makes(&[("cursor", "/cursor")]),
    Rule::open(GetSnippet::META, "database:read", |model, asked| {
        let snippet = model.snippet(asked).ok_or(406_u16)?;
        let organization = model.projects[snippet.project].organization;
        if !model.reaches(organization, Some(snippet.project)) {
            return Err(406);
        }
        let is_public = snippet.visibility == "public";
        if is_public || model.is_visible(snippet, asked.user) {
            Ok(model.shown_snippet(snippet))
        } else {
            Err(406)
        }
    })
    .call(|dice, model, what| at_some(what, dice.below(model.snippets.len() + 1))),
    Rule::control(UpdateSnippet::META, update)
        .call(|dice, model, what| {
            let user = dice.one_in(3).then(|| json!(format!("{{user {}}}", model.some_user(dice))));
            let name = dice.one_in(2).then(|| json!(dice.pick(&NAMES)));
            let visibility = Some(json!(dice.pick(&VISIBILITIES))).filter(|_| !dice.one_in(2));
            let what = at_some(what, dice.below(model.snippets.len() + 1));
            what.with(given([("user", user), ("name", name), ("visibility", visibility)]))
        })
        .bodies(|| vec![json!({ "name": "" }), json!({ "visibility": "everyone" }), json!({ "owner": "x" })]),
    Rule::control(DeleteSnippet::META, |model, asked| {
        let number = model.snippet(asked).ok_or(404_u16)?.number;
        model.snippets[number].is_deleted = true;
        done()
    })
    .call(|dice, model, what| at_some(what, dice.below(model.snippets.len() + 1))),
];

fn at_some(what: What, snippet: usize) -> What {
    what.at("id", format!("{{snippet {snippet}}}"))
}

#[derive(Clone, Debug)]
pub(super) struct Snippet {
    number: usize,
    project: usize,
    owner: usize,
    updated_by: usize,
    name: String,
    visibility: String,
    favorite: bool,
    made: Timestamp,
    is_deleted: bool,
}

/// Where a page ended.
#[derive(Clone, Debug)]
pub(super) struct Cursor {
    by_name: bool,
    ascending: bool,
    after: Key,
}

/// The sort key of snippets; ties go by order of creation.
type Key = (String, Timestamp, usize);

impl Snippet {
    fn key(&self, by_name: bool) -> Key {
        let Snippet { name, made, number, .. } = self;
        if by_name { (name.clone(), Timestamp::UNIX_EPOCH, *number) } else { (String::new(), *made, *number) }
    }
}

fn create(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let (owner, project) = (number(asked.text("user")), number(asked.text("project_ref")));
    model.users.get(owner).ok_or(404_u16)?;
    model.live_project(None, project, "")?;
    let snippet = Snippet {
        number: model.snippets.len(),
        project,
        owner,
        updated_by: owner,
        name: asked.text("name").to_owned(),
        visibility: asked.body("visibility").as_str().unwrap_or("user").to_owned(),
        favorite: asked.body("favorite") == true,
        made: model.now,
        is_deleted: false,
    };
    let shown = model.shown_snippet(&snippet);
    model.snippets.push(snippet);
    Ok(shown)
}

fn list(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let by_name = asked.what.asked("sort_by") == Some("name");
    let ascending = asked.what.asked("sort_order") == Some("asc");
    let cursor = asked.what.asked("cursor").map(|cursor| model.cursors[number(cursor)].clone());
    if cursor.as_ref().is_some_and(|cursor| (cursor.by_name, cursor.ascending) != (by_name, ascending)) {
        return Err(400);
    }
    let project = asked.what.asked("project_ref").map(number);
    let mut found: Vec<_> = (0..model.snippets.len())
        .map(|number| &model.snippets[number])
        .filter(|one| model.is_there(one) && model.is_visible(one, asked.user))
        .filter(|one| model.reaches(model.projects[one.project].organization, Some(one.project)))
        .filter(|one| project.is_none_or(|project| project == one.project))
        .collect();
    found.sort_by_key(|one| one.key(by_name));
    if !ascending {
        found.reverse();
    }
    if let Some(Cursor { after, .. }) = cursor {
        found.retain(|one| if ascending { one.key(by_name) > after } else { one.key(by_name) < after });
    }
    let limit = asked.what.asked("limit").and_then(|limit| limit.parse().ok()).unwrap_or(SNIPPETS_ON_A_PAGE);
    let shown: Vec<_> = found.iter().take(limit).map(|one| model.shown_item(one)).collect();
    if found.len() <= limit {
        return Ok(json!({ "data": shown, "cursor": null }));
    }
    let after = found[limit - 1].key(by_name);
    model.cursors.push(Cursor { by_name, ascending, after });
    Ok(json!({ "data": shown }))
}

fn update(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let found = model.snippet(asked).ok_or(404_u16)?;
    let mut snippet = found.clone();
    snippet.updated_by = asked.body("user").as_str().map_or(snippet.owner, number);
    model.users.get(snippet.updated_by).ok_or(404_u16)?;
    snippet.name = asked.body("name").as_str().map_or(snippet.name, str::to_owned);
    snippet.visibility = asked.body("visibility").as_str().map_or(snippet.visibility, str::to_owned);
    let shown = model.shown_snippet(&snippet);
    let number = snippet.number;
    model.snippets[number] = snippet;
    Ok(shown)
}

impl Model {
    fn is_there(&self, snippet: &Snippet) -> bool {
        !snippet.is_deleted && !self.projects[snippet.project].is_gone()
    }

    fn snippet(&self, asked: &Asked<'_>) -> Option<&Snippet> {
        self.snippets.get(asked.number("id")).filter(|snippet| self.is_there(snippet))
    }

    /// Members of the organization see snippets that are not private to their owner.
    fn is_visible(&self, snippet: &Snippet, user: Option<usize>) -> bool {
        let organization = &self.organizations[self.projects[snippet.project].organization];
        organization.has(user)
            && (snippet.visibility != "user" || user.is_none_or(|user| user == snippet.owner))
    }

    fn shown_item(&self, snippet: &Snippet) -> Value {
        let name = |user: usize| json!({ "username": self.users[user].name });
        json!({
            "id": format!("{{snippet {}}}", snippet.number),
            "name": snippet.name,
            "type": "sql",
            "visibility": snippet.visibility,
            "favorite": snippet.favorite,
            "inserted_at": snippet.made.to_string(),
            "project": { "name": self.projects[snippet.project].name },
            "owner": name(snippet.owner),
            "updated_by": name(snippet.updated_by),
        })
    }

    fn shown_snippet(&self, snippet: &Snippet) -> Value {
        let content = json!({ "favorite": snippet.favorite, "sql": "select 1" });
        merged(self.shown_item(snippet), json!({ "content": content }))
    }
}
