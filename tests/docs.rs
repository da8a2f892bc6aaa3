//! The generated documents match the code. `STUNTDOUBLE_BLESS=1` rewrites them.

use std::fmt::Write as _;

use serde_json::Value;
use sim_core::engine::{Access, Meta};
use sim_core::{Edition, Policy, Profile, Simulator};

use crate::support::held;

#[test]
fn operations_are_documented() {
    let sim = Simulator::builder().build();
    let mut text = "# Operations\n\nGenerated from the declarations. `STUNTDOUBLE_BLESS=1 cargo test -p sim-tests` rewrites it.\n".to_owned();
    for (title, control) in [("The API", false), ("Control operations", true)] {
        let document = if control { sim.control_openapi() } else { sim.openapi() };
        write!(text, "\n## {title}\n\n| method and path | what it does | answers | role | scope | marks |\n")
            .expect("a string takes it");
        text.push_str("|---|---|---|---|---|---|\n");
        let listed = sim.registry().operations().filter(|meta| (meta.access == Access::Control) == control);
        listed.for_each(|meta| text.push_str(&row(meta, &document)));
    }
    held("docs/operations.md", &text);
}

/// One operation, as a row.
pub(crate) fn row(meta: &Meta, document: &Value) -> String {
    let described = &document["paths"][meta.path][meta.method.as_str().to_lowercase()];
    let statuses = meta.statuses().iter().map(u16::to_string).collect::<Vec<_>>().join(" ");
    let since = (meta.since > Edition::FIRST, meta.since.as_str());
    let marks: Vec<_> = [(meta.beta, "beta"), (meta.deprecated, "deprecated"), since]
        .into_iter()
        .filter_map(|(is, mark)| is.then_some(mark))
        .collect();
    let summary = described["summary"].as_str().unwrap_or_default();
    let role = if meta.access == Access::Token { meta.role.as_str() } else { "–" };
    let scope = meta.scope.map_or("–", |scope| scope.0);
    let (method, path) = (meta.method.as_str(), meta.path);
    format!("| `{method} {path}` | {summary} | {statuses} | {role} | {scope} | {} |\n", marks.join(", "))
}

#[test]
fn knobs_are_documented() {
    let mut text = "# Policy and profile\n\nEvery setting with its default. Generated; `STUNTDOUBLE_BLESS=1 cargo test -p sim-tests` rewrites it.\n".to_owned();
    let policy = serde_json::to_value(Policy::default()).expect("a policy is plain data");
    let profile = serde_json::to_value(Profile::default()).expect("a profile is plain data");
    text.push_str("\n## Policy: how a world behaves\n\n| setting | default | meaning |\n|---|---|---|\n");
    knobs(&schemars::schema_for!(Policy).to_value(), &policy, "", &mut text);
    text.push_str("\n## Profile: what things are called\n\n| setting | default | meaning |\n|---|---|---|\n");
    knobs(&schemars::schema_for!(Profile).to_value(), &profile, "", &mut text);
    held("docs/policy.md", &text);
}

#[test]
fn names_of_a_profile_are_documented() {
    held("docs/profile.toml", &sim_core::profile_file::template());
}

/// One row per setting; a setting that is itself a table gets one row per entry.
fn knobs(schema: &Value, defaults: &Value, prefix: &str, text: &mut String) {
    let root = schema.clone();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let default = &defaults[name];
        let reference = field["$ref"].as_str().and_then(|at| at.rsplit('/').next());
        match reference.map(|name| &root["$defs"][name]).filter(|schema| schema["properties"].is_object()) {
            Some(inner) => {
                let mut inner = inner.clone();
                inner["$defs"] = root["$defs"].clone();
                knobs(&inner, default, &format!("{prefix}{name}."), text);
            }
            None => {
                let meaning =
                    field["description"].as_str().unwrap_or_default().replace('\n', " ").replace('|', "\\|");
                let meaning = format!("{meaning}{}", bounds(field));
                writeln!(text, "| `{prefix}{name}` | `{default}` | {meaning} |").expect("a string takes it");
            }
        }
    }
}

/// The bounds of a setting, if it has more than those of its type.
fn bounds(field: &Value) -> String {
    let (least, most) = (field["minimum"].as_i64().unwrap_or_default(), field["maximum"].as_i64());
    match most.filter(|most| ![u8::MAX.into(), u16::MAX.into()].contains(most)) {
        Some(most) => format!(" From {least} to {most}."),
        None if least > 0 => format!(" At least {least}."),
        None => String::new(),
    }
}

#[test]
fn rows_are_documented() {
    let sim = Simulator::builder().with_self_log().build();
    let mut text = "# Tables of the journal\n\nThe tables that `query_journal` and `POST /_sim/journal/query` can read; see \
                    [journal.md](journal.md). Generated; `STUNTDOUBLE_BLESS=1 cargo test -p sim-tests` rewrites it.\n\n\
                    | table | what a row is | columns |\n|---|---|---|\n"
        .to_owned();
    let sql = "select name, sql from sqlite_schema order by rowid";
    for table in sim.query_journal(sql).expect("the tables are there") {
        let made = table["sql"].as_str().unwrap_or_default();
        let (about, columns) = made.split_once(" */ ").expect("a table says what it is");
        let about = about.split_once("/* ").expect("a comment begins").1;
        let columns = columns.trim_end_matches(')').replace(", ", "`, `");
        let name = table["name"].as_str().unwrap_or_default();
        writeln!(text, "| `{name}` | {about} | `{columns}` |").expect("a string takes it");
    }
    held("docs/rows.md", &text);
}

/// The file of a test, by its path as the table of differences has it.
fn has_test(folder: &str, test: &str) -> bool {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let (modules, name) = test.rsplit_once("::").unwrap_or(("main", test));
    let module = root.join(modules.replace("::", "/"));
    let files = [module.with_extension("rs"), module.join("mod.rs")];
    let text = files.iter().find_map(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
    text.contains(&format!("#[test]\nfn {name}("))
}

#[test]
fn tests_that_the_table_of_differences_names_exist() {
    let text = String::from_utf8(crate::support::read("docs/fidelity.md")).expect("it is text");
    let rows = text.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
    let mut count = 0;
    for row in rows {
        let tests = row.rsplit(" | ").next().unwrap_or_default().trim_end_matches(" |");
        for test in tests.split(", ") {
            let (folder, name) = match test.strip_prefix("http: ") {
                Some(name) => ("sim-http/tests", name),
                None => ("tests", test),
            };
            assert!(has_test(folder, name.trim_matches('`')), "there is no test {test}: {row}");
            count += 1;
        }
    }
    assert!(count > 80, "{count} tests are named");
}

#[test]
fn tests_that_the_page_of_new_users_names_exist() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let text = std::fs::read_to_string(root.join("docs/first-use.md")).expect("the page is there");
    let browser = sources_under(&root.join("dashboard/tests"), ".mjs");
    let mut named = 0;
    for row in text.lines().filter(|line| line.starts_with("| ")) {
        for name in row.split('`').skip(1).step_by(2).filter(|name| name.contains("::")) {
            let (file, function) = name.rsplit_once("::").expect("a file and its test");
            let read = |folder: &str| {
                std::fs::read_to_string(root.join(format!("{folder}/{}.rs", file.replace("::", "/"))))
                    .unwrap_or_default()
            };
            let is_there = |folder| read(folder).contains(&format!("fn {function}("));
            assert!(is_there("tests") || is_there("sim-http/tests"), "there is no test {name}");
            named += 1;
        }
        let shown = row.trim_end_matches(" |").rsplit(" | ").next().unwrap_or_default();
        for name in shown.split('"').skip(1).step_by(2) {
            let begin = name.trim_end_matches([',', ' ', '…']);
            assert!(browser.contains(&format!("test(\"{begin}")), "there is no test {begin}");
            named += 1;
        }
    }
    assert!(named > 25, "{named} tests are named");
}

#[test]
fn tests_that_a_comparison_names_exist() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap_or_default();
    let all = |folder: &str, end: &str| sources_under(&root.join(folder), end);
    let (units, cases) = (
        all("sim-core", ".rs") + &all("sim-http/src", ".rs"),
        all("sim-core/tests/warehouse/corpus", ".sql"),
    );
    let text = read("docs/analytics/compared.md");
    let mut named = 0;
    for row in text.lines().filter(|line| line.starts_with("| ") && line.contains('`')) {
        let cell = row.trim_end_matches(" |").rsplit(" | ").next().unwrap_or_default();
        for name in cell.split('`').skip(1).step_by(2) {
            named += 1;
            let is_there = match name.split_once(':').filter(|(_, rest)| !rest.starts_with(':')) {
                Some(("case", title)) => cases.contains(&format!("-- {title}\n")),
                Some(("unit", function)) => units.contains(&format!("fn {function}(")),
                kind => {
                    let (folder, path) = kind.map_or(("tests", name), |(_, path)| ("sim-http/tests", path));
                    let (file, function) = path.rsplit_once("::").expect("a file and its test");
                    read(&format!("{folder}/{}.rs", file.replace("::", "/")))
                        .contains(&format!("fn {function}("))
                }
            };
            assert!(is_there, "there is no test {name}");
        }
    }
    assert!(named > 30, "{named}");
}

/// Only names of three words or more are looked at: shorter ones are those of the interface.
#[test]
fn tests_that_pages_name_exist() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let sources: String = ["tests", "sim-http", "sim-core", "sim-fixtures", "reliability"]
        .iter()
        .map(|folder| sources_under(&root.join(folder), ".rs"))
        .collect();
    let mut named = 0;
    for name in sources_under(&root.join("docs"), ".md").split('`').skip(1).step_by(2) {
        let Some((_, function)) = name.rsplit_once("::") else { continue };
        let is_a_name =
            function.chars().all(|char| char.is_ascii_lowercase() || char.is_ascii_digit() || char == '_');
        if is_a_name && function.matches('_').count() >= 2 {
            assert!(sources.contains(&format!("fn {function}(")), "there is no test {name}");
            named += 1;
        }
    }
    assert!(named > 100, "{named}");
}

/// The text of all files with that ending in a folder and those below it.
fn sources_under(folder: &std::path::Path, end: &str) -> String {
    let entries =
        std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<_> = entries.collect();
    paths.sort();
    let text = |path: std::path::PathBuf| match path.is_dir() {
        true => sources_under(&path, end),
        false if path.to_string_lossy().ends_with(end) => std::fs::read_to_string(path).expect("a text"),
        false => String::new(),
    };
    paths.into_iter().map(text).collect()
}
