//! Checks that a deploy makes in the sources of a function: the import map can be read, imported files exist, the entry point is
//! not empty, and no text is seen that can't be parsed. Nothing is compiled.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;
use sim_base::{Error, File};

use crate::function_body;
use crate::function_syntax;

/// A statement that imports or exports from a relative path. What only has types is not imported when it runs.
static RELATIVE: LazyLock<Regex> = LazyLock::new(|| {
    let text =
        r#"(?m)^\s*(?:import|export)\s*(type\s[^"';]*?from|[^"';()]*?from)?\s*["'](\.\.?/[^"'\n]+)["']"#;
    Regex::new(text).expect("the pattern is good")
});

/// An import of a module by a path that is written out, while the function runs.
static LATER: LazyLock<Regex> = LazyLock::new(|| {
    let text = r#"(?m)^(?:[^"'`/]|/[^/])*?\bimport\(\s*["'](\.\.?/[^"'\n]+)["']"#;
    Regex::new(text).expect("the pattern is good")
});

/// Refuses an import map that is none, imports of files that do not exist, an entry point without a statement, and texts that can't
/// be parsed in the entry point or what is imported.
#[doc(hidden)]
pub fn check(files: &[File], entrypoint: &str, import_map: Option<&str>) -> Result<(), Error> {
    let named = |path: &str| files.iter().find(|file| plain(&file.name) == plain(path));
    if let Some((path, map)) = import_map.and_then(|path| Some((path, named(path)?)))
        && let Some(problem) = problem_of_map(&map.content.0)
    {
        let text =
            format!("Failed to bundle the function (reason: Unable to parse import map {path}: {problem})");
        return Err(Error::invalid("import_map_unreadable", text).because("import map", path, None));
    }
    if named(entrypoint).is_some_and(|file| file.content.0.trim_ascii().is_empty()) {
        let text = format!("Failed to bundle the function (reason: The entrypoint {entrypoint} is empty)");
        return Err(Error::invalid("entrypoint_empty", text).because("entrypoint", entrypoint, None));
    }
    let known: BTreeSet<String> = files.iter().map(|file| beside("", &file.name)).collect();
    let mut used = BTreeSet::from([beside("", entrypoint)]);
    for file in files.iter().filter(|file| is_script(&file.name)) {
        let Ok(text) = std::str::from_utf8(&file.content.0) else { continue };
        let first = RELATIVE
            .captures_iter(text)
            .filter(|found| found.get(1).is_none_or(|from| !is_of_types(from.as_str())));
        let later = LATER.captures_iter(text).filter_map(|found| found.get(1));
        for path in first.filter_map(|found| found.get(2)).chain(later) {
            let wanted = beside(&file.name, path.as_str());
            if !known.contains(&wanted) {
                let text = format!("Failed to bundle the function (reason: Module not found \"{wanted}\")");
                let refusal = Error::invalid("module_not_found", text);
                return Err(refusal.because("imported by", &file.name, None));
            }
            used.insert(wanted);
        }
    }
    files.iter().filter(|file| used.contains(&beside("", &file.name))).try_for_each(require_syntax)
}

/// Refuses a file that can't be parsed. Markup in scripts is not looked at.
fn require_syntax(file: &File) -> Result<(), Error> {
    let is_plain = is_script(&file.name) && !file.name.ends_with('x');
    let Some(text) = std::str::from_utf8(&file.content.0).ok().filter(|_| is_plain) else { return Ok(()) };
    let Some((problem, line)) = function_syntax::problem(text) else { return Ok(()) };
    let text = format!(
        "Failed to bundle the function (reason: The module's source code could not be parsed: {problem} at {}:{line})",
        file.name
    );
    Err(Error::invalid("source_not_parsed", text).because("file", &file.name, None))
}

/// Why a file is no import map.
#[doc(hidden)]
pub fn problem_of_map(content: &[u8]) -> Option<String> {
    let map = match serde_json::from_slice::<Value>(content) {
        Ok(map) => map,
        Err(problem) => return Some(problem.to_string()),
    };
    let is_object = |name: &str| map.get(name).is_none_or(Value::is_object);
    if !map.is_object() {
        Some("it must be an object".to_owned())
    } else {
        ["imports", "scopes"]
            .iter()
            .find(|name| !is_object(name))
            .map(|name| format!("{name} must be an object"))
    }
}

fn is_of_types(clause: &str) -> bool {
    clause.starts_with("type")
}

fn is_script(name: &str) -> bool {
    [".ts", ".js", ".mjs", ".mts", ".tsx", ".jsx"].iter().any(|ending| name.ends_with(ending))
}

/// The path without `./` at its beginning, and without the address of the platform's folder.
pub(crate) fn plain(path: &str) -> &str {
    function_body::path_of(path).trim_start_matches("./")
}

/// The path that `relative` is, in a file of that name.
fn beside(file: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = plain(file).split('/').collect();
    parts.pop();
    for part in function_body::path_of(relative).split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}
