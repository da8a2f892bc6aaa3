//! The files of the corpus.
//!
//! A file begins with a line `-- # ` and its subject. A block is a set-up or a case:
//!
//! - `--= source a.b` and a line `--= {…}` for each event of that source; `--= known x STRING, y INT64` after the name gives
//!   the source a schema;
//! - `--= endpoint name` and lines `--= ` with its query;
//! - a case: `-- ` and its title; the query; `--@ name = value` for a parameter; lines `--> ` with the expected rows, `no rows`,
//!   `refused KIND: text`, or `error` for a query that fails while it runs. Lines `--& ` are a consumer's query; `--! 2` is the
//!   most rows it may have.
//!
//! Rows of queries without ORDER BY may come in any order.

use std::fs;
use std::path::{Path, PathBuf};

use sim_core::sql::warehouse::Dialect;

pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) about: String,
    /// PostgreSQL's where the file's name says so.
    pub(crate) dialect: Dialect,
    pub(crate) sources: Vec<Source>,
    pub(crate) endpoints: Vec<(String, String)>,
    pub(crate) cases: Vec<Case>,
}

pub(crate) struct Source {
    pub(crate) name: String,
    /// Names and types, if the fields are known.
    pub(crate) known: Option<Vec<(String, String)>>,
    pub(crate) events: Vec<String>,
}

#[derive(Default)]
pub(crate) struct Case {
    pub(crate) title: String,
    pub(crate) query: String,
    pub(crate) consumer: Option<String>,
    pub(crate) parameters: Vec<(String, String)>,
    pub(crate) max_rows: Option<u32>,
    pub(crate) expected: String,
}

impl File {
    /// Every file, by name.
    pub(crate) fn all() -> Vec<File> {
        let entries = fs::read_dir(directory().join("corpus")).unwrap();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.iter().map(|path| File::load(path)).collect()
    }

    fn load(path: &Path) -> File {
        let text = fs::read_to_string(path).unwrap();
        let about = text.lines().next().and_then(|line| line.strip_prefix("-- # ")).unwrap_or_default();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let dialect = match name.rsplit('-').next() {
            Some("postgres") => Dialect::Postgres,
            Some("columnar") => Dialect::Columnar,
            _ => Dialect::Warehouse,
        };
        let mut file = File {
            name,
            about: about.to_owned(),
            dialect,
            sources: Vec::new(),
            endpoints: Vec::new(),
            cases: Vec::new(),
        };
        for block in text.split("\n\n").map(str::trim).filter(|block| !block.is_empty()) {
            file.take(block);
        }
        file
    }

    fn take(&mut self, block: &str) {
        let block = block.trim_start_matches(&format!("-- # {}", self.about)).trim();
        let setup: Vec<&str> = block.lines().filter_map(|line| line.strip_prefix("--= ")).collect();
        match setup.as_slice() {
            [] if block.is_empty() => {}
            [] => self.cases.push(Case::read(block)),
            [head, rest @ ..] => match head.split_once(' ').unwrap() {
                ("source", name) => self.sources.push(Source::read(name, rest)),
                (_, name) => self.endpoints.push((name.to_owned(), rest.join("\n"))),
            },
        }
    }
}

impl Source {
    fn read(name: &str, lines: &[&str]) -> Source {
        let known = lines.first().and_then(|line| line.strip_prefix("known "));
        let known = known.map(|known| {
            let field = |field: &str| {
                let (name, type_) = field.trim().split_once(' ').unwrap();
                (name.to_owned(), type_.to_owned())
            };
            known.split(',').map(field).collect()
        });
        let events = lines.iter().filter(|line| line.starts_with('{'));
        Source { name: name.to_owned(), known, events: events.map(|event| (*event).to_owned()).collect() }
    }
}

impl Case {
    fn read(block: &str) -> Case {
        let mut case = Case::default();
        let (mut query, mut consumer, mut expected) = (Vec::new(), Vec::new(), Vec::new());
        for line in block.lines() {
            if let Some(row) = line.strip_prefix("-->") {
                expected.push(row.trim());
            } else if let Some(line) = line.strip_prefix("--& ") {
                consumer.push(line);
            } else if let Some(parameter) = line.strip_prefix("--@ ") {
                let (name, value) = parameter.split_once('=').unwrap();
                case.parameters.push((name.trim().to_owned(), value.trim().to_owned()));
            } else if let Some(most) = line.strip_prefix("--! ") {
                case.max_rows = Some(most.parse().unwrap());
            } else if let (Some(title), true) = (line.strip_prefix("-- "), case.title.is_empty()) {
                case.title = title.to_owned();
            } else {
                query.push(line);
            }
        }
        case.query = query.join("\n");
        case.consumer = (!consumer.is_empty()).then(|| consumer.join("\n"));
        case.expected = expected.join("\n");
        assert!(!case.title.is_empty() && !case.expected.is_empty(), "half a case: {block}");
        case
    }

    /// Whether a result is the expected one.
    pub(crate) fn accepts(&self, answer: &str) -> bool {
        if self.expected.starts_with("error") || self.expected.starts_with("refused") {
            // Without a text, any text matches: some are the parser's.
            return answer == self.expected
                || (!self.expected.contains(": ")
                    && self.expected.split_once(' ').is_none_or(|(_, kind)| !kind.contains(' '))
                    && answer.starts_with(&self.expected));
        }
        let ordered = self.consumer.as_ref().unwrap_or(&self.query).to_lowercase().contains("order by");
        let rows = |text: &str| {
            // A broken line here is a mistake in the corpus or an error in the result.
            let row = |line: &str| {
                serde_json::from_str::<serde_json::Value>(line)
                    .map_or_else(|_| line.to_owned(), |row| sorted(&row))
            };
            let mut rows: Vec<String> = text.lines().map(row).collect();
            if !ordered {
                rows.sort();
            }
            rows
        };
        rows(answer) == rows(&self.expected)
    }
}

/// A row with its keys in order.
pub(crate) fn sorted_line(line: &str) -> String {
    serde_json::from_str(line).map_or_else(|_| line.to_owned(), |row| sorted(&row))
}

/// JSON with its keys in order.
fn sorted(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Object(fields) => {
            let mut fields: Vec<_> =
                fields.iter().map(|(key, value)| format!("{key:?}:{}", sorted(value))).collect();
            fields.sort();
            format!("{{{}}}", fields.join(","))
        }
        serde_json::Value::Array(elements) => {
            format!("[{}]", elements.iter().map(sorted).collect::<Vec<_>>().join(","))
        }
        other => other.to_string(),
    }
}

/// The folder of this test.
fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/warehouse")
}
