//! Functions that run a query which they get as a text: `query_to_xml`, `table_to_xml`, `ts_stat`.

use std::collections::BTreeMap;
use std::rc::Rc;

use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::Value;
use serde_json::json;
use sim_values::value::tsvector::{self, Vector};

use super::call::{inside, with_stack};
use crate::catalog::quote_identifier;
use crate::error::{Result, SqlError, SqlState};
use crate::functions::through_sqlite;
use crate::functions::xml::{Shape, document};
use crate::run::{Engine, Returned, TOKEN_WORK};
use crate::source::{Source, is_word};
use crate::types::Type;
use crate::value::array;

/// Registers the functions. A null argument gives null.
pub(super) fn register(connection: &Connection, flags: FunctionFlags) -> rusqlite::Result<()> {
    connection.create_scalar_function("pg_call_xml", 5, flags, |context| {
        unless_null(context, 4, |engine, context| {
            let around = text(context, 4)?;
            engine.xml_of_query(&text(context, 0)?, &around, context)
        })
    })?;
    connection.create_scalar_function("pg_call_table_xml", 4, flags, |context| {
        unless_null(context, 4, |engine, context| {
            let oid = context.get(0).unwrap_or_default();
            let Some(relation) = engine.catalog.relation(oid) else {
                let message = format!("relation with OID {oid} does not exist");
                return Err(SqlError::new(SqlState::UNDEFINED_TABLE, message));
            };
            let schema = quote_identifier(engine.catalog.schema_name(relation.schema));
            let name = relation.name.clone();
            let query = format!("select * from {schema}.{}", quote_identifier(&name));
            engine.xml_of_query(&query, &name, context)
        })
    })?;
    connection.create_scalar_function("pg_call_words", 2, flags, |context| {
        unless_null(context, 1, |engine, context| {
            let weights: Option<String> = context.get(1).map_err(SqlError::from)?;
            engine.words_of_query(&text(context, 0)?, weights.as_deref())
        })
    })
}

fn unless_null(
    context: &Context<'_>,
    required: usize,
    call: impl FnOnce(&mut Engine<'_>, &Context<'_>) -> Result<Value>,
) -> rusqlite::Result<Value> {
    if (0..required).any(|at| context.get_raw(at) == rusqlite::types::ValueRef::Null) {
        return Ok(Value::Null);
    }
    let call = |engine: &mut Engine<'_>| with_stack(engine.catalog.stack, || call(engine, context));
    with_stack(0, || inside(call)).map_err(through_sqlite)
}

fn text(context: &Context<'_>, at: usize) -> Result<String> {
    context.get(at).map_err(SqlError::from)
}

impl Engine<'_> {
    /// The rows of a query that is a text. It may not change anything.
    fn rows_of_text(&mut self, query: &str) -> Result<Returned> {
        let source = Rc::new(Source::sent(query));
        self.budget.work(TOKEN_WORK * source.most_tokens())?;
        let statements = source.statements()?;
        let reads = ["select", "with", "table", "values"];
        let [tokens] = &statements[..] else {
            return Err(SqlError::unsupported("a text of several statements here"));
        };
        if !reads.iter().any(|word| is_word(&tokens[0], word)) {
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, "invalid query"));
        }
        let changes = ["insert", "update", "delete", "merge"];
        let writes = |token| changes.iter().any(|word| is_word(token, word));
        if is_word(&tokens[0], "with") && tokens.iter().any(writes) {
            return Err(SqlError::unsupported("a query with changes here"));
        }
        let only_reads = std::mem::replace(&mut self.only_reads, true);
        let allowed = self.require_volatile(tokens);
        if allowed.is_err() {
            self.only_reads = only_reads;
        }
        allowed?;
        let outer_source = std::mem::replace(&mut self.source, source);
        let outer_frame = self.frame.take();
        // The query may call a function that asks the same again.
        let done = self.one_call_deeper(|engine| engine.statement(tokens));
        (self.source, self.frame, self.only_reads) = (outer_source, outer_frame, only_reads);
        done?.returned.ok_or_else(|| SqlError::new(SqlState::SYNTAX_ERROR, "invalid query"))
    }

    fn xml_of_query(&mut self, query: &str, around: &str, context: &Context<'_>) -> Result<Value> {
        let (nulls, forest) = (context.get(1).unwrap_or_default(), context.get(2).unwrap_or_default());
        let namespace = text(context, 3)?;
        let returned = self.rows_of_text(query)?;
        let columns = returned.columns.into_iter();
        let columns: Vec<(String, Type)> =
            columns.map(|column| (column.name, self.catalog.base_type(column.type_.base))).collect();
        let shape = Shape { nulls, forest, namespace: &namespace, around };
        document(&columns, &returned.rows, &shape, &self.budget).map(Value::Text)
    }

    /// The words of all documents that a query returns: in how many they are, and how often.
    fn words_of_query(&mut self, query: &str, weights: Option<&str>) -> Result<Value> {
        let returned = self.rows_of_text(query)?;
        if !matches!(&returned.columns[..], [only] if only.type_.base == Type::TSVECTOR) {
            let message = "ts_stat query must return one tsvector column";
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
        }
        let weights: Option<Vec<u8>> =
            weights.map(|letters| letters.chars().filter_map(tsvector::weight).collect());
        let mut words: BTreeMap<String, (i64, i64)> = BTreeMap::new();
        for row in &returned.rows {
            let [Value::Text(document)] = &row[..] else { continue };
            self.budget.work(document.len())?;
            for lexeme in Vector::parse(document)?.0 {
                let all = lexeme.positions.len().max(usize::from(weights.is_none()));
                let count = match &weights {
                    None => all,
                    Some(weights) => {
                        let fits = |weight: u8| weights.contains(&weight);
                        lexeme.positions.iter().filter(|position| fits(position.weight)).count()
                    }
                };
                if count > 0 {
                    let word = words.entry(lexeme.text).or_default();
                    *word = (word.0 + 1, word.1 + count as i64);
                }
            }
        }
        let rows = words.into_iter().map(|(word, (documents, entries))| json!([word, documents, entries]));
        Ok(array::of(rows.collect()))
    }
}
