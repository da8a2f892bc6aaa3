//! The databases that run the queries.

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde_json::{Map, Value};
use sim_core::sql::warehouse::{
    Cell, Column, POSTGRES_PRELUDE, Parameter, Relation, Request, Resolver, Table, Target, Translation, Type,
    prepare_connection, row, translate,
};

use super::answer::Answer;
use super::corpus::{Case, File, Source};
use super::server::{Cluster, Database};

/// 2025-02-10T10:30:45.123456Z
const NOW: i64 = 1_739_183_445_123_456;

/// A database with the events of a file.
pub(crate) trait Runner {
    fn rows(&mut self, translation: &Translation, values: &[Option<String>]) -> Result<Vec<String>, String>;
}

/// The translated query and its result, in the format of the corpus.
pub(crate) fn answer(target: Target, runner: &mut dyn Runner, file: &File, case: &Case) -> (String, String) {
    let request = Request {
        text: &case.query,
        dialect: file.dialect,
        consumer: case.consumer.as_deref(),
        target,
        max_rows: case.max_rows,
    };
    let translation = match translate(&request, &Names { file, target }) {
        Ok(translation) => translation,
        Err(refusal) => {
            let line = refusal.message.split_whitespace().collect::<Vec<_>>().join(" ");
            return (String::new(), format!("refused {:?}: {line}", refusal.kind));
        }
    };
    let values = translation.parameters.iter().map(|parameter| match parameter {
        Parameter::Now => Some(NOW.to_string()),
        Parameter::Named(name) => {
            case.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
        }
    });
    let values: Vec<Option<String>> = values.collect();
    let answer = match runner.rows(&translation, &values) {
        Ok(rows) if rows.is_empty() => "no rows".to_owned(),
        Ok(rows) => rows.join("\n"),
        Err(message) => format!("error {message}"),
    };
    (translation.sql, answer)
}

pub(crate) struct Names<'a> {
    pub(crate) file: &'a File,
    pub(crate) target: Target,
}

impl Resolver for Names<'_> {
    fn relation(&self, name: &str) -> Option<Relation> {
        if let Some((_, query)) = self.file.endpoints.iter().find(|(known, _)| known == name) {
            return Some(Relation::Query(query.clone()));
        }
        let index = self.file.sources.iter().position(|source| source.name == name)?;
        let table = match self.target {
            Target::Sqlite => format!("log_events_{index}"),
            Target::Postgres => format!("\"public\".\"log_events_{index}\""),
        };
        let known = self.file.sources[index].known.as_ref();
        let fields =
            known.map(|known| known.iter().map(|(name, type_)| (name.clone(), named(type_))).collect());
        Some(Relation::Table(Table { fields, ..Table::of_events(table) }))
    }
}

fn named(type_: &str) -> Type {
    match type_ {
        "STRING" => Type::String,
        "INT64" => Type::Int64,
        "FLOAT64" => Type::Float64,
        "BOOL" => Type::Bool,
        "STRINGS" => Type::Array(Box::new(Type::String)),
        _ => Type::Dynamic,
    }
}

/// `id`, `event_message`, `timestamp` and body of an event, as ingestion makes them.
fn stored(event: &str) -> (String, Option<String>, i64, Map<String, Value>) {
    let mut body: Map<String, Value> = serde_json::from_str(event).unwrap();
    let text = |key: &str| body.get(key).and_then(Value::as_str).map(str::to_owned);
    let (id, message, at) = (text("id").unwrap(), text("event_message"), body["timestamp"].as_i64().unwrap());
    // An event without a message has a null there.
    body.entry("event_message").or_insert(Value::Null);
    (id, message, at, body)
}

fn print<'a>(columns: &[Column], cells: impl IntoIterator<Item = Cell<'a>>) -> String {
    Value::Object(row(columns, cells)).to_string()
}

pub(crate) struct Sqlite(pub(crate) Connection);

impl Sqlite {
    pub(crate) fn with(file: &File) -> Sqlite {
        let mut connection = Connection::open_in_memory().unwrap();
        prepare_connection(&mut connection).unwrap();
        for (index, Source { events, .. }) in file.sources.iter().enumerate() {
            let table = format!(
                "CREATE TABLE log_events_{index}
                 (id TEXT PRIMARY KEY, body TEXT NOT NULL, event_message TEXT, timestamp INTEGER NOT NULL) STRICT"
            );
            connection.execute_batch(&table).unwrap();
            for event in events {
                let (id, message, timestamp, mut body) = stored(event);
                // Here the body lacks what has a column.
                body.retain(|name, _| !["id", "timestamp", "event_message"].contains(&name.as_str()));
                let body = Value::Object(body).to_string();
                let insert = format!("INSERT INTO log_events_{index} VALUES (?1, ?2, ?3, ?4)");
                connection.execute(&insert, (id, body, message, timestamp)).unwrap();
            }
        }
        Sqlite(connection)
    }
}

impl Runner for Sqlite {
    fn rows(&mut self, translation: &Translation, values: &[Option<String>]) -> Result<Vec<String>, String> {
        let mut statement = self.0.prepare(&translation.sql).map_err(|error| error.to_string())?;
        for (index, (value, parameter)) in values.iter().zip(&translation.parameters).enumerate() {
            let bound = match parameter {
                Parameter::Now => statement.raw_bind_parameter(index + 1, NOW),
                Parameter::Named(_) => statement.raw_bind_parameter(index + 1, value),
            };
            bound.unwrap_or_else(|error| panic!("{error}: {}", translation.sql));
        }
        let mut found = statement.raw_query();
        let mut rows = Vec::new();
        while let Some(row) = found.next().map_err(|error| error.to_string())? {
            let cells = (0..translation.columns.len()).map(|index| {
                match row.get_ref(index).unwrap_or_else(|error| panic!("{error}: {}", translation.sql)) {
                    ValueRef::Null => Cell::Null,
                    ValueRef::Integer(number) => Cell::Integer(number),
                    ValueRef::Real(number) => Cell::Real(number),
                    ValueRef::Text(text) => Cell::Text(str::from_utf8(text).unwrap()),
                    ValueRef::Blob(bytes) => Cell::Blob(bytes),
                }
            });
            rows.push(print(&translation.columns, cells));
        }
        Ok(rows)
    }
}

pub(crate) struct Postgres<'a>(pub(crate) Database<'a>);

impl<'a> Postgres<'a> {
    pub(crate) fn with(cluster: &'a Cluster, file: &File) -> Postgres<'a> {
        let database = cluster.fresh_database();
        let run = |text: &str| {
            if let Answer::Refusal(refusal) = database.run(text) {
                panic!("{refusal} in {text}");
            }
        };
        run(POSTGRES_PRELUDE);
        run(POSTGRES_PRELUDE);
        for (index, Source { events, .. }) in file.sources.iter().enumerate() {
            run(&format!(
                "CREATE TABLE log_events_{index}
                 (id text primary key, body jsonb, event_message text, timestamp timestamp)"
            ));
            for event in events {
                let (id, message, timestamp, body) = stored(event);
                let message = message.map_or("NULL".to_owned(), |message| quoted(&message));
                run(&format!(
                    "INSERT INTO log_events_{index} VALUES ({}, {}, {message}, wh_from_micros({timestamp}))",
                    quoted(&id),
                    quoted(&Value::Object(body).to_string())
                ));
            }
        }
        Postgres(database)
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

impl Runner for Postgres<'_> {
    fn rows(&mut self, translation: &Translation, values: &[Option<String>]) -> Result<Vec<String>, String> {
        // Cells arrive as texts that any driver could request.
        let texts: Vec<String> =
            (1..=translation.columns.len()).map(|number| format!("c{number}::text AS c{number}")).collect();
        let types: Vec<&str> = translation
            .parameters
            .iter()
            .map(|parameter| match parameter {
                Parameter::Now => "bigint",
                Parameter::Named(_) => "text",
            })
            .collect();
        let types = if types.is_empty() { String::new() } else { format!("({})", types.join(", ")) };
        let values: Vec<String> =
            values.iter().map(|value| value.as_deref().map_or("NULL".to_owned(), quoted)).collect();
        let values = if values.is_empty() { String::new() } else { format!("({})", values.join(", ")) };
        let text = format!(
            "PREPARE q{types} AS SELECT {} FROM ({}) AS q; EXECUTE q{values}",
            texts.join(", "),
            translation.sql
        );
        match self.0.run(&text) {
            Answer::Rows(rows) => Ok(rows
                .iter()
                .map(|row| {
                    let cells = (1..=translation.columns.len())
                        .map(|number| row[&format!("c{number}")].as_str().map_or(Cell::Null, Cell::Text));
                    print(&translation.columns, cells)
                })
                .collect()),
            Answer::Refusal(refusal) => Err(refusal.message),
        }
    }
}
