//! The document about the translation's features, generated from the corpus.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::corpus::{Case, File};

/// Every kind of refusal.
pub(crate) const KINDS: [&str; 10] = [
    "Syntax",
    "NotAQuery",
    "NotSingular",
    "RestrictedFunction",
    "Wildcard",
    "UnknownSource",
    "OutsideSandbox",
    "UnknownField",
    "Invalid",
    "Unsupported",
];

/// Where the document is.
pub(crate) fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/warehouse-sql.md")
}

/// The document.
pub(crate) fn of(files: &[File]) -> String {
    let mut out = "\
# Queries in the warehouse's dialect

The queries that endpoints, ad-hoc queries and alerts can use on the relational backends. Each line is a query of the corpus in
`sim-core/tests/warehouse/corpus`. Its rows are the same on SQLite and on PostgreSQL. The last part has queries in PostgreSQL's dialect,
which endpoints may also use. Generated; `CORPUS_BLESS=1 cargo test -p sim-core --test warehouse` rewrites it.
"
    .to_owned();
    for file in files {
        let (refused, known): (Vec<&Case>, Vec<&Case>) =
            file.cases.iter().partition(|case| case.expected.starts_with("refused"));
        let _ = write!(out, "\n## {}\n", file.about);
        if !known.is_empty() {
            out.push_str("\n| what | for example |\n|---|---|\n");
        }
        for case in known {
            let _ = writeln!(out, "| {} | {} |", cell(&case.title), code(case));
        }
        if !refused.is_empty() {
            out.push_str("\n| refused | for example | because |\n|---|---|---|\n");
        }
        for case in refused {
            let reason = case.expected.split_once(": ").map_or("", |(_, reason)| reason);
            let _ = writeln!(out, "| {} | {} | {} |", cell(&case.title), code(case), cell(reason));
        }
    }
    out
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;")
}

/// The query on one line.
fn code(case: &Case) -> String {
    const LONGEST: usize = 240;
    let query = case.consumer.as_ref().unwrap_or(&case.query);
    let line = query.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None => line,
    };
    let line = line.replace('|', "\\|");
    if line.contains('`') { format!("`` {line} ``") } else { format!("`{line}`") }
}
