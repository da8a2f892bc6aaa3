//! Functions and their uploaded sources.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sim_core::Operation as _;
use sim_core::management::function::{
    CreateFunction, DeleteFunction, GetFunction, ListFunctions, PushFunction, UpdateFunction,
};
use sim_core::management::function_body::GetFunctionBody;
use sim_core::management::function_bulk::BulkUpdateFunctions;
use sim_core::management::function_deploy::DeployFunction;

use super::rule::{Answer, Asked, Group, Rule, done, given};
use super::{FUNCTION_BYTES, FUNCTIONS, Model, rule_of};
use crate::strategies::{Dice, Shape, Text, What};

pub(super) const GROUP: Group = Group {
    rules: RULES,
    first: &[],
    next: |dice, model| {
        let rule = dice.pick(&[
            rule_of::<CreateFunction>(),
            rule_of::<UpdateFunction>(),
            rule_of::<DeployFunction>(),
            rule_of::<BulkUpdateFunctions>(),
            rule_of::<PushFunction>(),
        ]);
        Some(rule.for_project(dice, model, 0))
    },
    works: &[],
};

pub(super) const SLUGS: [Text; 3] = ["hello", "mail-2", "Third_one"];
const SOURCES: [Text; 4] = ["one()", "two()", "", "// drei"];
const LONG: Text = "0123456789012345678901234567890123456789012345678901234567890123456789";

const RULES: &[Rule] = &[
    Rule::develop(CreateFunction::META, "edge_functions:write", create)
        .call(|dice, _, what| {
            let source = if dice.one_in(12) { LONG } else { dice.pick(&SOURCES) };
            let slug = dice.pick(&SLUGS);
            let verify = dice.one_in(3).then(|| dice.one_in(2));
            if dice.one_in(4) && !source.is_empty() {
                let what = what.shaped(Shape::Bytes).with(json!({ "body": source }));
                return what.asking("slug", slug).asking("name", "bundle");
            }
            let name = dice.pick(&["Hello", "Grüße"]);
            let fields = [("slug", json!(slug)), ("name", json!(name)), ("body", json!(source))];
            let [slug, name, body] = fields.map(|(field, value)| (field, Some(value)));
            what.with(given([slug, name, body, ("verify_jwt", verify.map(Value::from))]))
        })
        .bodies(|| {
            vec![
                json!({}),
                json!({ "slug": "x", "name": "x" }),
                json!({ "slug": "no blanks", "name": "x", "body": "x" }),
                json!({ "slug": "x", "name": 7, "body": "x" }),
                json!({ "slug": "x", "name": "x", "body": "x", "verify_jwt": "yes" }),
            ]
        }),
    Rule::read(ListFunctions::META, "edge_functions:read", |model, asked| {
        let mut all: Vec<_> =
            model.functions(asked).iter().filter(|(_, function)| function.is_there).collect();
        all.sort_by_key(|(slug, function)| (function.created_at, slug.as_str()));
        Ok(all.into_iter().map(|(slug, function)| function.shown(slug)).collect())
    }),
    Rule::read(GetFunction::META, "edge_functions:read", |model, asked| {
        let slug = asked.what.part("function_slug");
        Ok(model.function(asked, slug).ok_or(404_u16)?.shown(slug))
    }),
    Rule::develop(UpdateFunction::META, "edge_functions:write", update)
        .call(|dice, _, what| {
            let name = dice.one_in(2).then(|| json!("renamed"));
            let verify = dice.one_in(3).then(|| json!(dice.one_in(2)));
            let source = if dice.one_in(12) { LONG } else { dice.pick(&SOURCES) };
            let body = dice.one_in(2).then(|| json!(source));
            what.with(given([("name", name), ("verify_jwt", verify), ("body", body)]))
        })
        .bodies(|| vec![json!({ "name": 7 }), json!({ "verify_jwt": "yes" }), json!({ "body": 7 })]),
    Rule::develop(DeleteFunction::META, "edge_functions:write", |model, asked| {
        let slug = asked.what.part("function_slug");
        model.function(asked, slug).ok_or(404_u16)?;
        model.projects[asked.project()].functions.remove(slug);
        done()
    }),
    Rule::develop(DeployFunction::META, "edge_functions:write", deploy).call(draw_deploy).bodies(|| {
        vec![
            json!({}),
            json!({ "entrypoint_path": "" }),
            json!({ "entrypoint_path": "index.ts", "verify_jwt": "yes" }),
            json!("index.ts"),
        ]
    }),
    Rule::read(GetFunctionBody::META, "edge_functions:read", |model, asked| {
        let function = model.function(asked, asked.what.part("function_slug")).ok_or(404_u16)?;
        // Every upload format contains the sources unchanged.
        Ok(function.sources().into_values().collect())
    })
    .call(|dice, _, mut what| {
        if dice.one_in(2) {
            what.headers.push(("accept", "multipart/form-data"));
        }
        what
    }),
    Rule::develop(BulkUpdateFunctions::META, "edge_functions:write", bulk)
        .call(|dice, model, what| {
            let slugs = dice.some(&SLUGS, 2).into_iter();
            let one = |slug| {
                let known = model.projects.first().and_then(|project| project.functions.get(slug));
                let version = known.map_or(1, |function| function.version) + dice.pick(&[1, 0, 2]);
                let status = dice.pick(&["ACTIVE", "ACTIVE", "THROTTLED", "REMOVED"]);
                let id = "00000000-0000-4000-8000-00000000000f";
                json!({ "id": id, "slug": slug, "name": "bulk", "status": status, "version": version })
            };
            what.with(slugs.map(one).collect())
        })
        .bodies(|| {
            let good = |field: &str, value: Value| {
                let one = json!({ "id": "x", "slug": "x", "name": "x", "status": "ACTIVE", "version": 1 });
                json!([super::merged(one, json!({ field: value }))])
            };
            vec![
                json!({}),
                json!([{}]),
                good("version", json!("1")),
                good("status", json!("SLEEPING")),
                good("slug", json!("no blanks")),
            ]
        }),
    Rule::control(PushFunction::META, |model, asked| {
        let slug = asked.what.part("function_slug");
        let status = model.function(asked, slug).ok_or(404_u16)?.status.as_str();
        let next = match (status, asked.text("event")) {
            (_, "deploy") | ("THROTTLED", "release") => "ACTIVE",
            ("ACTIVE", "throttle") => "THROTTLED",
            ("ACTIVE" | "THROTTLED", "remove") => "REMOVED",
            _ => return Err(400),
        };
        let functions = &mut model.projects[asked.project()].functions;
        let function = functions.get_mut(slug).expect("it existed a moment ago");
        function.status = next.to_owned();
        Ok(function.shown(slug))
    })
    .call(|dice, _, what| {
        what.with(json!({ "event": dice.pick(&["throttle", "release", "remove", "deploy"]) }))
    })
    .bodies(|| vec![json!({}), json!({ "event": "explode" })]),
];

fn draw_deploy(dice: &mut Dice, _: &Model, what: What) -> What {
    let entrypoint = if dice.one_in(8) { "elsewhere.ts" } else { "index.ts" };
    let source = if dice.one_in(12) { LONG } else { dice.pick(&SOURCES) };
    let mut files = vec![json!(["index.ts", source])];
    if dice.one_in(3) {
        files.push(json!(["deno.json", "{}"]));
    }
    let map = dice.one_in(3).then(|| json!(dice.pick(&["deno.json", ""])));
    let name = dice.one_in(4).then(|| json!(dice.pick(&["Mail", "no slug"])));
    let verify = dice.one_in(4).then(|| json!(dice.one_in(2)));
    let metadata = given([
        ("entrypoint_path", Some(json!(entrypoint))),
        ("import_map_path", map),
        ("name", name),
        ("verify_jwt", verify),
    ]);
    let files = Some(json!(files)).filter(|_| !dice.one_in(6));
    let what = what.shaped(Shape::Multipart).with(given([("metadata", Some(metadata)), ("file", files)]));
    let what = if dice.one_in(8) { what } else { what.asking("slug", dice.pick(&SLUGS)) };
    if dice.one_in(4) { what.asking("bundleOnly", "true") } else { what }
}

/// A function, or a bundle for a function that does not exist yet.
#[derive(Clone, Debug)]
pub(super) struct Function {
    is_there: bool,
    name: String,
    status: String,
    version: i64,
    created_at: i64,
    verify_jwt: bool,
    import_map: bool,
    /// Sources, by version.
    uploads: BTreeMap<i64, Sources>,
}

/// Texts by path; none for a bundle.
type Sources = BTreeMap<String, String>;

impl Function {
    fn shown(&self, slug: &str) -> Value {
        json!({
            "slug": slug,
            "name": self.name,
            "status": self.status,
            "version": self.version,
            "created_at": self.created_at,
            "verify_jwt": self.verify_jwt,
            "import_map": self.import_map,
        })
    }

    fn sources(&self) -> Sources {
        self.uploads.get(&self.version).cloned().unwrap_or_default()
    }

    /// Version `to` runs from now on, with its own sources or with those of the version before. Older
    /// versions are removed.
    fn settle(&mut self, from: i64, to: i64) {
        if let Some(sources) = self.uploads.get(&from).cloned() {
            self.uploads.entry(to).or_insert(sources);
        }
        self.uploads.retain(|version, _| *version >= to && (*version != from || from == to));
    }
}

fn create(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let is_raw = asked.what.shape == Shape::Bytes;
    let field =
        |name: &str| if is_raw { asked.what.asked(name).unwrap_or_default() } else { asked.text(name) };
    let (slug, source) = (field("slug"), asked.text("body").to_owned());
    if model.function(asked, slug).is_some() {
        return Err(400);
    }
    model.require_room(asked.project())?;
    let path = if is_raw { "" } else { "index.ts" };
    let sources = Sources::from([(path.to_owned(), source)]);
    require_size(&sources)?;
    let mut function = model.new_function(asked.project(), slug);
    function.name = field("name").to_owned();
    function.verify_jwt = asked.body("verify_jwt").as_bool().unwrap_or(true);
    function.uploads.insert(1, sources);
    Ok(model.keep(asked, slug, function))
}

fn update(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let slug = asked.what.part("function_slug");
    let before = model.function(asked, slug).ok_or(404_u16)?;
    let mut after = before.clone();
    after.version += 1;
    after.name = asked.body("name").as_str().unwrap_or(&before.name).to_owned();
    after.verify_jwt = asked.body("verify_jwt").as_bool().unwrap_or(before.verify_jwt);
    let sources = match asked.body("body").as_str() {
        Some(source) => {
            after.status = "ACTIVE".to_owned();
            Sources::from([("index.ts".to_owned(), source.to_owned())])
        }
        None => before.sources(),
    };
    require_size(&sources)?;
    after.uploads.insert(after.version, sources);
    after.settle(before.version, before.version + 1);
    Ok(model.keep(asked, slug, after))
}

fn deploy(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let metadata = asked.body("metadata");
    let name = metadata["name"].as_str();
    let slug = asked.what.asked("slug").or(name.filter(|name| !name.contains(' '))).ok_or(400_u16)?;
    let before = model.function(asked, slug).cloned();
    if before.is_none() {
        model.require_room(asked.project())?;
    }
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let sources: Sources = match (asked.body("file").as_array(), &before) {
        (Some(files), _) => files.iter().map(|file| (text(&file[0]), text(&file[1]))).collect(),
        (None, Some(before)) => before.sources(),
        (None, None) => return Err(400),
    };
    require_size(&sources)?;
    let wanted = ["entrypoint_path", "import_map_path"].iter().filter_map(|field| metadata[field].as_str());
    let is_named = |path: &&str| !path.is_empty();
    // The content of a bundle is not visible.
    if !sources.contains_key("") && wanted.filter(is_named).any(|path| !sources.contains_key(path)) {
        return Err(400);
    }
    let entrypoint = metadata["entrypoint_path"].as_str().and_then(|path| sources.get(path));
    if entrypoint.is_some_and(|source| source.trim().is_empty()) {
        return Err(400);
    }
    let from = before.as_ref().map(|before| before.version);
    let mut after = before.unwrap_or_else(|| model.new_function(asked.project(), slug));
    let version = from.map_or(1, |from| from + 1);
    after.name = name.map_or(after.name, str::to_owned);
    after.verify_jwt = metadata["verify_jwt"].as_bool().unwrap_or(true);
    after.import_map = metadata["import_map_path"].as_str().is_some_and(|path| !path.is_empty());
    after.status = "ACTIVE".to_owned();
    after.version = version;
    after.uploads.insert(version, sources);
    if asked.what.asked("bundleOnly") == Some("true") {
        let uploads = after.uploads.clone();
        let shown = after.shown(slug);
        let functions = &mut model.projects[asked.project()].functions;
        functions.entry(slug.to_owned()).or_insert(Function { is_there: false, ..after }).uploads = uploads;
        return Ok(shown);
    }
    after.settle(from.unwrap_or(version), version);
    Ok(model.keep(asked, slug, after))
}

fn bulk(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let before_all = model.projects[asked.project()].functions.clone();
    let mut shown = Vec::new();
    for one in asked.what.body.as_array().into_iter().flatten() {
        let slug = one["slug"].as_str().unwrap_or_default();
        let before = model.function(asked, slug).cloned();
        if before.is_none() && model.require_room(asked.project()).is_err() {
            model.projects[asked.project()].functions = before_all;
            return Err(402);
        }
        let from = before.as_ref().map(|before| before.version);
        let mut after = before.unwrap_or_else(|| model.new_function(asked.project(), slug));
        after.name = one["name"].as_str().unwrap_or_default().to_owned();
        after.status = one["status"].as_str().unwrap_or_default().to_owned();
        after.version = one["version"].as_i64().unwrap_or_default();
        after.settle(from.unwrap_or(after.version), after.version);
        shown.push(model.keep(asked, slug, after));
    }
    Ok(json!({ "functions": shown }))
}

fn require_size(sources: &Sources) -> Result<(), u16> {
    if sources.values().map(String::len).sum::<usize>() <= FUNCTION_BYTES { Ok(()) } else { Err(413) }
}

impl Model {
    fn functions(&self, asked: &Asked<'_>) -> &BTreeMap<String, Function> {
        &self.projects[asked.project()].functions
    }

    fn function(&self, asked: &Asked<'_>, slug: &str) -> Option<&Function> {
        self.functions(asked).get(slug).filter(|function| function.is_there)
    }

    fn require_room(&self, project: usize) -> Result<(), u16> {
        if self.has_room(project, 1) { Ok(()) } else { Err(402) }
    }

    /// Whether the plan allows so many more functions.
    fn has_room(&self, project: usize, more: usize) -> bool {
        let there = self.projects[project].functions.values().filter(|function| function.is_there).count();
        let limit = FUNCTIONS.iter().find(|(plan, _)| *plan == self.plan(project));
        more == 0 || there.saturating_add(more) <= limit.expect("every plan has a limit").1
    }

    /// Deploys all functions of one project to another, or none if there is no room for all.
    pub(super) fn copy_functions(&mut self, from: usize, to: usize) -> bool {
        let all = self.projects[from].functions.clone().into_iter();
        let copied: Vec<_> = all.filter(|(_, function)| function.is_there).collect();
        let find = |model: &Model, slug: &str| {
            model.projects[to].functions.get(slug).filter(|function| function.is_there).cloned()
        };
        if !self.has_room(to, copied.iter().filter(|(slug, _)| find(self, slug).is_none()).count()) {
            return false;
        }
        for (slug, other) in copied {
            let before = find(self, &slug);
            let old = before.as_ref().map(|before| before.version);
            let base = before.unwrap_or_else(|| self.new_function(to, &slug));
            let version = old.map_or(1, |old| old + 1);
            let Function { name, verify_jwt, import_map, .. } = other.clone();
            let mut after =
                Function { name, verify_jwt, import_map, status: "ACTIVE".to_owned(), version, ..base };
            after.uploads.insert(version, other.sources());
            after.settle(old.unwrap_or(version), version);
            self.projects[to].functions.insert(slug, after);
        }
        true
    }

    /// Version 1 of a function, next to its bundle.
    fn new_function(&self, project: usize, slug: &str) -> Function {
        let bundled = self.projects[project].functions.get(slug);
        Function {
            is_there: true,
            name: slug.to_owned(),
            status: "ACTIVE".to_owned(),
            version: 1,
            created_at: self.now.as_millisecond(),
            verify_jwt: true,
            import_map: false,
            uploads: bundled.map(|function| function.uploads.clone()).unwrap_or_default(),
        }
    }

    fn keep(&mut self, asked: &Asked<'_>, slug: &str, function: Function) -> Value {
        let kept = Function { is_there: true, ..function };
        let shown = kept.shown(slug);
        self.projects[asked.project()].functions.insert(slug.to_owned(), kept);
        shown
    }
}
