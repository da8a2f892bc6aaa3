//! Random calls, as many clients might make them on one world at once.

use serde_json::json;
use sim_fixtures::strategies::Dice;

/// Projects that a world gets; no more are created.
const PROJECTS: usize = 4;

/// A call that is about to be made.
pub(crate) struct Wish {
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) body: String,
}

impl Wish {
    fn get(path: String) -> Wish {
        Wish { method: "GET", path, body: String::new() }
    }

    fn post(path: String, body: &serde_json::Value) -> Wish {
        Wish { method: "POST", path, body: body.to_string() }
    }

    /// Whether it creates a project; then its reference is in the response.
    pub(crate) fn makes_project(&self) -> bool {
        self.method == "POST" && self.path == "/v1/projects"
    }
}

/// How much the calls write to the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Small calls only.
    Light,
    /// Sometimes a function of a hundred kilobytes and more, so that logs grow and are rewritten.
    Heavy,
}

/// The request that creates a world without a rate limit, whose journal holds few calls.
pub(crate) fn new_world(name: &str, seed: u64) -> String {
    let policy = json!({ "rate_limit": { "enabled": false }, "journal_calls": 2_000 });
    json!({ "name": name, "seed": seed, "policy": policy }).to_string()
}

/// A call in a world with those projects. `number` differs for every call.
pub(crate) fn draw(dice: &mut Dice, projects: &[String], number: u64, weight: Weight) -> Wish {
    let count = projects.len();
    if count == 0 || count < PROJECTS && dice.one_in(8) {
        return Wish::post(
            "/v1/projects".to_owned(),
            &json!({ "name": format!("project {number}"), "organization_id": "acme", "region": "us-east-1",
                     "db_pass": "correct horse battery" }),
        );
    }
    let project = format!("/v1/projects/{}", projects[dice.below(count)]);
    let below = |path: &str| format!("{project}/{path}");
    let sql = |query: String| Wish::post(below("database/query"), &json!({ "query": query }));
    match dice.below(24) {
        0..4 => Wish::get(project),
        4 => Wish::get("/v1/projects".to_owned()),
        5 | 6 => Wish::get(below("secrets")),
        7..11 => {
            let name = format!("NAME_{}", dice.below(8));
            let mut secrets = vec![json!({ "name": name, "value": number.to_string() })];
            if weight == Weight::Heavy {
                secrets.push(json!({ "name": "LAST", "value": number.to_string() }));
            }
            Wish::post(below("secrets"), &secrets.into())
        }
        11 => sql("create table if not exists log (number bigint primary key)".to_owned()),
        12..15 => sql(format!("insert into log values ({number})")),
        15 => sql("select count(*), max(number) from log".to_owned()),
        16 => Wish::post(below("pause"), &json!({})),
        17 | 18 => Wish::post(below("restore"), &json!({})),
        19 => Wish::post(below("branches"), &json!({ "branch_name": format!("branch-{number}") })),
        20 => Wish { method: "POST", path: "/v1/projects/".to_owned(), body: "{".to_owned() },
        _ => {
            let length = if weight == Weight::Heavy { 1 + dice.below(400_000) } else { 1 + dice.below(200) };
            let slug = format!("f{number}");
            let body = json!({ "slug": slug, "name": slug, "body": "x".repeat(length) });
            Wish::post(below("functions"), &body)
        }
    }
}

/// A fault rule for one of the next calls that change something: the call is done in part or twice, or its answer has another form.
pub(crate) fn rule(dice: &mut Dice) -> Wish {
    let effect = match dice.below(8) {
        0..3 => json!({ "kind": "partial", "done": 1, "status": 409 }),
        3 => json!({ "kind": "twice" }),
        4 => json!({ "kind": "alter", "set": { "/*": null } }),
        _ => json!({ "kind": dice.pick(&["lean", "rich", "varied", "reorder"]) }),
    };
    let operation = dice.pick(&["v1-bulk-create-secrets", "v1-create-a-branch", "v1-run-a-query"]);
    let rule = json!({ "on": { "operation": operation }, "effect": effect });
    Wish::post("/_sim/faults".to_owned(), &rule)
}
