//! `/v2`: endpoints that events are posted to. Of what is delivered to them the model knows tests and what was posted again by hand.

use serde_json::{Value, json};
use sim_core::Operation as _;
use sim_core::management::v2::webhooks::delivery::{
    GetOrganizationDelivery, GetProjectDelivery, ListOrganizationDeliveries, ListProjectDeliveries,
    RetryOrganizationDelivery, RetryProjectDelivery, TestOrganizationEndpoint, TestProjectEndpoint,
};
use sim_core::management::v2::webhooks::endpoint::{
    CreateOrganizationEndpoint, CreateProjectEndpoint, DeleteOrganizationEndpoint,
    DeleteOrganizationEndpoints, DeleteProjectEndpoint, DeleteProjectEndpoints, GetOrganizationEndpoint,
    GetProjectEndpoint, ListOrganizationEndpoints, ListProjectEndpoints, UpdateOrganizationEndpoint,
    UpdateProjectEndpoint,
};
use sim_core::management::v2::webhooks::posting::{AnswerPost, ListPosts};

use super::rule::{Answer, Asked, Group, Rule, done, given};
use super::{Model, merged};
use crate::strategies::{Dice, Text, What};

pub(super) const GROUP: Group = Group { rules: RULES, first: &[], next, works: &[] };

const KINDS: [Text; 4] = ["*", "v1.project.status.changed", "v1.project.branch.created", "v1.project.paused"];

const RULES: &[Rule] = &[
    Rule::write(CreateOrganizationEndpoint::META, "", create)
        .call(some_endpoint)
        .bodies(wrong_endpoints)
        .makes(&[("webhook", "/data/id")]),
    Rule::write(CreateProjectEndpoint::META, "", create)
        .call(some_endpoint)
        .bodies(wrong_endpoints)
        .makes(&[("webhook", "/data/id")]),
    Rule::write(UpdateOrganizationEndpoint::META, "", update).call(some_changes).bodies(wrong_changes),
    Rule::write(UpdateProjectEndpoint::META, "", update).call(some_changes).bodies(wrong_changes),
    Rule::write(TestOrganizationEndpoint::META, "", test).call(some_test).bodies(wrong_tests).makes(DELIVERY),
    Rule::write(TestProjectEndpoint::META, "", test).call(some_test).bodies(wrong_tests).makes(DELIVERY),
    Rule::write(DeleteOrganizationEndpoint::META, "", delete).call(some),
    Rule::write(DeleteProjectEndpoint::META, "", delete).call(some),
    Rule::write(DeleteOrganizationEndpoints::META, "", delete_all),
    Rule::write(DeleteProjectEndpoints::META, "", delete_all),
    Rule::read(ListOrganizationEndpoints::META, "", list).call(some_page).queries(WRONG_PAGES),
    Rule::read(ListProjectEndpoints::META, "", list).call(some_page).queries(WRONG_PAGES),
    Rule::read(GetOrganizationEndpoint::META, "", get).call(some),
    Rule::read(GetProjectEndpoint::META, "", get).call(some),
    Rule::read(ListOrganizationDeliveries::META, "", deliveries).call(some).queries(&["page[size]=all"]),
    Rule::read(ListProjectDeliveries::META, "", deliveries).call(some).queries(&["page[size]=all"]),
    Rule::read(GetOrganizationDelivery::META, "", get_delivery).call(some_delivery),
    Rule::read(GetProjectDelivery::META, "", get_delivery).call(some_delivery),
    Rule::write(RetryOrganizationDelivery::META, "", retry).call(some_delivery).makes(DELIVERY),
    Rule::write(RetryProjectDelivery::META, "", retry).call(some_delivery).makes(DELIVERY),
    Rule::control(ListPosts::META, |_, _| Ok(json!({}))),
    Rule::control(AnswerPost::META, answer)
        .call(|dice, model, what| {
            let status = dice.pick(&[Some(200), Some(500), None]).map(|status| json!(status));
            let fields = given([("answer", Some(json!("an answer"))), ("status", status)]);
            some_delivery(dice, model, what).with(fields)
        })
        .bodies(|| vec![json!({}), json!({ "answer": 7 }), json!({ "answer": "ok", "status": 99 })]),
];

const DELIVERY: &[(Text, Text)] = &[("delivery", "/data/id")];

const WRONG_PAGES: &[Text] = &["page[limit]=-1", "page[offset]=x", "page[limit]="];

fn next(dice: &mut Dice, model: &Model) -> Option<What> {
    let there: Vec<_> = (0..model.webhooks.len()).filter(|one| !model.webhooks[*one].is_deleted).collect();
    if there.is_empty() || dice.one_in(4) {
        return Some(RULES[dice.below(2)].for_project(dice, model, 0));
    }
    let webhook = dice.pick(&there);
    let known = (0..model.deliveries.len()).filter(|one| model.deliveries[*one].webhook == webhook);
    let known: Vec<_> = known.collect();
    let about_delivery = !known.is_empty() && dice.one_in(2);
    if about_delivery && dice.one_in(3) {
        let rule = RULES.last().expect("there are rules");
        return Some(rule.draw(dice, model).at("id", format!("{{delivery {}}}", dice.pick(&known))));
    }
    let rule = if about_delivery { dice.pick(&[16, 18, 18]) } else { dice.pick(&[2, 4, 4, 4, 4, 6, 12, 14]) };
    let (rule, owner) = match model.webhooks[webhook].owner {
        Owner::Organization(organization) => {
            (&RULES[rule], ("slug", format!("{{organization {organization}}}")))
        }
        Owner::Project(project) => (&RULES[rule + 1], ("ref", format!("{{project {project}}}"))),
    };
    let id = match about_delivery {
        true => format!("{{delivery {}}}", dice.pick(&known)),
        false => format!("{{webhook {webhook}}}"),
    };
    Some(rule.draw(dice, model).at(owner.0, owner.1).at("id", id))
}

fn document(kind: &str, attributes: Value) -> Value {
    json!({ "data": { "type": kind, "attributes": attributes } })
}

fn some(dice: &mut Dice, model: &Model, what: What) -> What {
    what.at("id", format!("{{webhook {}}}", dice.below(model.webhooks.len() + 1)))
}

fn some_delivery(dice: &mut Dice, model: &Model, what: What) -> What {
    what.at("id", format!("{{delivery {}}}", dice.below(model.deliveries.len() + 1)))
}

fn some_page(dice: &mut Dice, _: &Model, what: What) -> What {
    let what = if dice.one_in(3) { what.asking("page[limit]", dice.pick(&["1", "100", "0"])) } else { what };
    if dice.one_in(3) { what.asking("page[offset]", dice.pick(&["0", "1"])) } else { what }
}

fn kinds(dice: &mut Dice) -> Value {
    let all = dice.some(&KINDS, 2);
    let all = if all.is_empty() { vec![KINDS[1]] } else { all };
    all.iter().map(|kind| json!({ "type": kind })).collect()
}

fn some_endpoint(dice: &mut Dice, _: &Model, what: What) -> What {
    let attributes = given([
        ("url", Some(json!("http://127.0.0.1:9/hook"))),
        ("event_types", Some(kinds(dice))),
        ("signing_secret", Some(json!("a secret of tests"))),
        ("description", dice.one_in(2).then(|| json!("for tests"))),
        ("enabled", dice.one_in(3).then(|| json!(false))),
        ("custom_headers", dice.one_in(4).then(|| json!({ "x-key": "k" }))),
    ]);
    what.with(document("endpoint", attributes))
}

fn wrong_endpoints() -> Vec<Value> {
    let good = || {
        json!({
            "url": "https://hooks.example/", "event_types": [{ "type": "*" }], "signing_secret": "12345678",
        })
    };
    let with = |field: &str, value: Value| document("endpoint", merged(good(), json!({ field: value })));
    let mut wrong = wrong_fields(with);
    wrong.extend([json!({}), document("endpoint", json!({})), document("webhook", good())]);
    wrong
}

fn wrong_changes() -> Vec<Value> {
    wrong_fields(|field, value| document("endpoint", json!({ field: value })))
}

fn wrong_fields(with: impl Fn(&str, Value) -> Value) -> Vec<Value> {
    vec![
        with("url", json!("/hook")),
        with("url", json!(7)),
        with("description", json!("x".repeat(513))),
        with("enabled", json!("yes")),
        with("event_types", json!([])),
        with("event_types", json!([{ "type": "v1.project.moved" }])),
        with("custom_headers", json!({ "x-key": 7 })),
        with("custom_headers", json!({ "Host": "other" })),
        with("signing_secret", json!("1234567")),
        with("signing_secret", json!("x".repeat(65))),
    ]
}

fn some_changes(dice: &mut Dice, model: &Model, what: What) -> What {
    let description = if dice.one_in(2) { Value::Null } else { json!("changed") };
    let attributes = given([
        ("enabled", dice.one_in(2).then(|| json!(true))),
        ("description", dice.one_in(2).then_some(description)),
        ("event_types", dice.one_in(2).then(|| json!([{ "type": "v1.project.paused" }]))),
        ("signing_secret", dice.one_in(3).then(|| json!("another secret"))),
    ]);
    some(dice, model, what).with(document("endpoint", attributes))
}

fn some_test(dice: &mut Dice, model: &Model, what: What) -> What {
    let what = some(dice, model, what);
    match dice.one_in(2) {
        true => what.with(document("event", json!({ "type": dice.pick(&KINDS[1..]) }))),
        false => what.with(json!({})),
    }
}

fn wrong_tests() -> Vec<Value> {
    vec![
        document("event", json!({ "type": "*" })),
        document("event", json!({})),
        document("endpoint", json!({ "type": "v1.project.paused" })),
    ]
}

fn create(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let owner = owner(asked);
    let preset = json!({ "enabled": true, "description": null });
    let attributes = merged(preset, asked.body("data")["attributes"].clone());
    model.webhooks.push(Webhook { owner, attributes, is_deleted: false });
    let number = model.webhooks.len() - 1;
    Ok(json!({ "data": model.webhooks[number].shown(number) }))
}

fn update(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let number = find(model, asked)?;
    let old = model.webhooks[number].attributes.take();
    model.webhooks[number].attributes = merged(old, asked.body("data")["attributes"].clone());
    Ok(json!({ "data": model.webhooks[number].shown(number) }))
}

fn test(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let webhook = find(model, asked)?;
    let attributes = &model.webhooks[webhook].attributes;
    let wanted: Vec<&str> = attributes["event_types"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| one["type"].as_str())
        .collect();
    let first = wanted.first().copied().filter(|kind| *kind != "*").unwrap_or("v1.project.created");
    let kind = asked.body("data")["attributes"]["type"].as_str().unwrap_or(first).to_owned();
    if attributes["enabled"] != true || !wanted.iter().any(|one| *one == kind || *one == "*") {
        return Err(400);
    }
    Ok(model.deliver(webhook, kind))
}

fn get_delivery(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let number = find_delivery(model, asked)?;
    Ok(json!({ "data": model.deliveries[number].shown(number) }))
}

fn retry(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let Delivery { webhook, kind, .. } = model.deliveries[find_delivery(model, asked)?].clone();
    if model.webhooks[webhook].attributes["enabled"] != true {
        return Err(400);
    }
    Ok(model.deliver(webhook, kind))
}

fn answer(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let number = asked.number("id");
    let webhook = model.deliveries.get(number).map(|one| &model.webhooks[one.webhook]).ok_or(404_u16)?;
    let is_gone = match webhook.owner {
        Owner::Project(project) => model.projects[project].is_gone(),
        Owner::Organization(_) => false,
    };
    if webhook.is_deleted || is_gone {
        return Err(404);
    }
    let status = if asked.body("status") == 200 { "success" } else { "failure" };
    model.deliveries[number].status = status;
    done()
}

fn delete(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let number = find(model, asked)?;
    model.webhooks[number].is_deleted = true;
    Ok(json!({ "data": model.webhooks[number].shown(number) }))
}

fn delete_all(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let mine: Vec<usize> = of_owner(model, asked).collect();
    let shown: Vec<_> = mine.iter().map(|number| model.webhooks[*number].shown(*number)).collect();
    for number in mine {
        model.webhooks[number].is_deleted = true;
    }
    Ok(json!({ "data": shown }))
}

fn list(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let number =
        |name: &str, preset| asked.what.asked(name).map_or(preset, |text| text.parse().unwrap_or(preset));
    let (limit, offset): (usize, usize) = (number("page[limit]", 100).max(1), number("page[offset]", 0));
    let page = of_owner(model, asked).skip(offset).take(limit);
    Ok(json!({ "data": page.map(|number| model.webhooks[number].shown(number)).collect::<Vec<_>>() }))
}

fn get(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let number = find(model, asked)?;
    Ok(json!({ "data": model.webhooks[number].shown(number) }))
}

fn deliveries(model: &mut Model, asked: &Asked<'_>) -> Answer {
    find(model, asked).map(|_| json!({}))
}

/// Whose an endpoint is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Owner {
    Organization(usize),
    Project(usize),
}

fn owner(asked: &Asked<'_>) -> Owner {
    match asked.what.rule.meta.path.contains("{slug}") {
        true => Owner::Organization(asked.number("slug")),
        false => Owner::Project(asked.project()),
    }
}

fn of_owner<'m>(model: &'m Model, asked: &Asked<'_>) -> impl Iterator<Item = usize> + use<'m> {
    let owner = owner(asked);
    let is_there = move |one: &Webhook| one.owner == owner && !one.is_deleted;
    model.webhooks.iter().enumerate().filter(move |(_, one)| is_there(one)).map(|(number, _)| number)
}

fn find(model: &Model, asked: &Asked<'_>) -> Result<usize, u16> {
    let number = asked.number("id");
    of_owner(model, asked).find(|one| *one == number).ok_or(404)
}

fn find_delivery(model: &Model, asked: &Asked<'_>) -> Result<usize, u16> {
    let number = asked.number("id");
    let webhook = model.deliveries.get(number).ok_or(404_u16)?.webhook;
    of_owner(model, asked).find(|one| *one == webhook).map(|_| number).ok_or(404)
}

/// A delivery that the model knows of.
#[derive(Clone, Debug)]
pub(super) struct Delivery {
    webhook: usize,
    kind: String,
    status: Text,
}

impl Delivery {
    fn shown(&self, number: usize) -> Value {
        let attributes = json!({ "status": self.status, "event": { "type": self.kind } });
        json!({ "id": format!("{{delivery {number}}}"), "attributes": attributes })
    }
}

impl Model {
    fn deliver(&mut self, webhook: usize, kind: String) -> Value {
        self.deliveries.push(Delivery { webhook, kind, status: "pending" });
        json!({ "data": { "id": format!("{{delivery {}}}", self.deliveries.len() - 1), "type": "ingress" } })
    }
}

/// The list without what comes again.
fn once(list: Value) -> Value {
    let Value::Array(list) = list else { return list };
    let mut kept: Vec<Value> = Vec::new();
    for one in list {
        if !kept.contains(&one) {
            kept.push(one);
        }
    }
    kept.into()
}

/// An endpoint that events are posted to.
#[derive(Clone, Debug)]
pub(super) struct Webhook {
    owner: Owner,
    attributes: Value,
    is_deleted: bool,
}

impl Webhook {
    fn shown(&self, number: usize) -> Value {
        let shown = |name: &str| self.attributes[name].clone();
        json!({ "id": format!("{{webhook {number}}}"), "attributes": {
            "url": shown("url"),
            "description": shown("description"),
            "enabled": shown("enabled"),
            "event_types": once(shown("event_types")),
        } })
    }
}
