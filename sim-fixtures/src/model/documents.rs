//! `/v2`: documents about what `/v1` has too, and the repositories that projects are connected to.

use serde_json::{Value, json};
use sim_core::Operation as _;
use sim_core::management::v2::advisor_run::RunAdvisors;
use sim_core::management::v2::branch_create::CreateBranchDocument;
use sim_core::management::v2::project_list::ListProjectsByCursor;
use sim_core::management::v2::vcs_connection::{ListVcsConnections, SetVcsConnection};

use super::branches;
use super::rule::{Answer, Asked, Group, Rule, done, given, number};
use super::{Model, merged, rule_of};
use crate::strategies::{Dice, Text, What};

pub(super) const GROUP: Group = Group { rules: RULES, first: &[], next, works: &[] };

const BRANCHES: [Text; 3] = ["dev", "staging", "preview"];
/// A check of the settings, one of the health, and one that finds nothing out.
const CHECKS: [Text; 3] = ["pitr_not_enabled", "db_not_reachable", "leaked_service_key"];

const RULES: &[Rule] = &[
    Rule::read(ListProjectsByCursor::META, "projects:read", list_projects)
        .call(|dice, model, mut what| {
            let asked: [(Text, &[Text]); 3] = [
                ("page[size]", &["1", "2", "100"]),
                ("search", &["A", "eta"]),
                ("sort", &["inserted_at", "-inserted_at"]),
            ];
            for (name, values) in asked {
                if dice.one_in(3) {
                    what = what.asking(name, dice.pick(values));
                }
            }
            for name in ["page[after]", "page[before]"] {
                if dice.one_in(4) {
                    what = what.asking(name, format!("{{project {}}}", model.some_project(dice)));
                }
            }
            what
        })
        .queries(&["page[size]=0", "page[size]=101", "sort=name", "search=", "page[after]="]),
    Rule::control(SetVcsConnection::META, |model, asked| {
        let (project, repository) = (asked.project(), asked.body("repository").as_str().map(str::to_owned));
        let old = model.connections.iter().position(|one| one.project == project);
        match (repository, old) {
            (Some(repository), Some(old)) => model.connections[old].repository = repository,
            (Some(repository), None) => model.connections.push(Connection { project, repository }),
            (None, Some(old)) => drop(model.connections.remove(old)),
            (None, None) => {}
        }
        done()
    })
    .call(|dice, _, what| {
        let repository = dice.pick(&[Some("acme/shop"), Some("acme/site"), None]);
        what.with(json!({ "repository": repository }))
    })
    .bodies(|| {
        vec![
            json!({ "repository": 7 }),
            json!({ "repository": "a/b", "branch_limit": -1 }),
            json!({ "repository": "a/b", "host": "x" }),
        ]
    }),
    Rule::read(ListVcsConnections::META, "organizations:read", |model, asked| {
        let only = asked.what.asked("filter[project_ref]").map(number);
        let listed = model.connections.iter().filter(|one| {
            let project = &model.projects[one.project];
            project.organization == asked.number("slug")
                && project.is_live()
                && only.is_none_or(|only| only == one.project)
        });
        let shown = listed.map(|one| {
            let project = json!({ "ref": format!("{{project {}}}", one.project) });
            json!({ "attributes": { "project": project, "repository": { "name": one.repository } } })
        });
        Ok(json!({ "data": shown.collect::<Vec<_>>() }))
    })
    .call(|dice, model, what| match dice.one_in(3) {
        true => what.asking("filter[project_ref]", format!("{{project {}}}", model.some_project(dice))),
        false => what,
    })
    .queries(&["page[size]=0", "filter[project_ref]=x", "page[after]=x"]),
    Rule::read(RunAdvisors::META, "database:read", |model, asked| {
        let project = &model.projects[asked.project()];
        if !project.is_active() {
            return Ok(json!({ "data": { "attributes": { "lints": [{ "name": "project_not_active" }] } } }));
        }
        let asked_for = asked.body("data")["attributes"]["lints"].as_array().into_iter().flatten();
        let found = asked_for.filter_map(|one| match one["name"].as_str().unwrap_or_default() {
            "pitr_not_enabled" => project.pitr().is_none().then_some("pitr_not_enabled"),
            "db_not_reachable" => (!project.answers("db")).then_some("db_not_reachable"),
            _ => Some("advisor_check_unavailable"),
        });
        let lints: Vec<_> = found.map(|name| json!({ "name": name })).collect();
        Ok(json!({ "data": { "attributes": { "lints": lints } } }))
    })
    .call(|dice, _, what| {
        let mut some = dice.some(&CHECKS, 2);
        some.dedup();
        let some = if some.is_empty() { vec![CHECKS[0]] } else { some };
        let lints: Vec<_> = some.iter().map(|name| json!({ "name": name })).collect();
        what.with(document("project_advisors", json!({ "lints": lints })))
    })
    .bodies(|| {
        let lints = |lints: Value| document("project_advisors", json!({ "lints": lints }));
        vec![
            json!({}),
            lints(json!([])),
            lints(json!([{ "name": "magic" }])),
            lints(json!([{ "name": "advisor_check_unavailable" }])),
            lints(json!(vec![json!({ "name": "no_primary_key" }); 16])),
        ]
    }),
    Rule::develop(CreateBranchDocument::META, "environment:write", create_branch)
        .call(|dice, _, what| {
            what.with(document(
                "branch",
                given([
                    ("name", Some(json!(dice.pick(&BRANCHES)))),
                    ("persistent", dice.one_in(3).then(|| json!(true))),
                    ("with_data", dice.one_in(6).then(|| json!(true))),
                    ("desired_instance_size", dice.one_in(4).then(|| json!(dice.pick(&["nano", "small"])))),
                    ("desired_disk_size_gb", dice.one_in(3).then(|| json!(dice.pick(&[8, 20])))),
                ]),
            ))
        })
        .bodies(|| {
            let with = |field: &str, value: Value| {
                document("branch", merged(json!({ "name": "x" }), json!({ field: value })))
            };
            vec![
                json!({}),
                document("branch", json!({})),
                document("branches", json!({ "name": "x" })),
                with("name", json!("")),
                with("region", json!("moon-1")),
                with("git_branch", json!("")),
                with("desired_instance_size", json!("pico")),
                with("desired_disk_size_gb", json!(7)),
                with("desired_disk_size_gb", json!(61_441)),
            ]
        })
        .makes(&[("branch", "/data/id"), ("project", "/data/attributes/project_ref")]),
];

fn next(dice: &mut Dice, model: &Model) -> Option<What> {
    let rule = dice.pick(&[
        rule_of::<ListProjectsByCursor>(),
        rule_of::<SetVcsConnection>(),
        rule_of::<RunAdvisors>(),
        rule_of::<CreateBranchDocument>(),
    ]);
    Some(rule.for_project(dice, model, 0))
}

fn document(kind: &str, attributes: Value) -> Value {
    json!({ "data": { "type": kind, "attributes": attributes } })
}

fn list_projects(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let text = |name: &str| asked.what.asked(name);
    let organization = asked.number("slug");
    let is_newest_first = text("sort") == Some("-inserted_at");
    let place = |name: &str| -> Result<Option<i64>, u16> {
        let Some(cursor) = text(name).map(number) else { return Ok(None) };
        // One that is gone keeps its place.
        let is_known =
            model.projects.get(cursor).is_some_and(|one| one.organization == organization || one.is_gone());
        if is_known { Ok(Some(rank(cursor, is_newest_first))) } else { Err(400) }
    };
    let (after, before) = (place("page[after]")?, place("page[before]")?);
    let search = text("search").map(str::to_ascii_lowercase);
    let mut listed: Vec<usize> = (0..model.projects.len())
        .filter(|one| model.projects[*one].organization == organization && model.projects[*one].is_listed())
        .filter(|one| {
            search.as_ref().is_none_or(|part| model.projects[*one].name.to_ascii_lowercase().contains(part))
        })
        .filter(|one| after.is_none_or(|after| rank(*one, is_newest_first) > after))
        .filter(|one| before.is_none_or(|before| rank(*one, is_newest_first) < before))
        .collect();
    listed.sort_by_key(|one| rank(*one, is_newest_first));
    let size = text("page[size]").map_or(100, |size| size.parse().unwrap_or(100));
    let from = if after.is_none() && before.is_some() { listed.len().saturating_sub(size) } else { 0 };
    let shown = listed.into_iter().skip(from).take(size).map(|one| {
        let project = &model.projects[one];
        let attributes = json!({ "name": project.name, "status": project.status });
        json!({ "id": format!("{{project {one}}}"), "attributes": attributes })
    });
    Ok(json!({ "data": shown.collect::<Vec<_>>() }))
}

/// The order of projects.
fn rank(project: usize, is_newest_first: bool) -> i64 {
    let age = i64::try_from(project).unwrap_or(i64::MAX);
    if is_newest_first { -age } else { age }
}

/// As in `/v1`, and with a disk of another size.
fn create_branch(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let attributes = &asked.body("data")["attributes"];
    let body = merged(attributes.clone(), json!({ "branch_name": attributes["name"] }));
    let first = What { body, ..asked.what.clone() };
    let mut shown = branches::create(model, &Asked { user: asked.user, what: &first })?;
    if let Some(size) = attributes["desired_disk_size_gb"].as_u64() {
        let now = model.now;
        let own = number(shown["project_ref"].as_str().unwrap_or_default());
        model.projects[own].disk.resize(size, now);
    }
    let id = shown["id"].take();
    let names = ["name", "project_ref", "parent_project_ref", "is_default", "persistent", "with_data"];
    let attributes: Value = names.iter().map(|name| ((*name).to_owned(), shown[*name].take())).collect();
    Ok(json!({ "data": { "id": id, "attributes": attributes } }))
}

/// The repository that a project is connected to.
#[derive(Clone, Debug)]
pub(super) struct Connection {
    project: usize,
    repository: String,
}
