//! Extended statistics, which are recorded, and `CLUSTER`, after which rows are in the same order.

use super::cursor::Cursor;
use super::names::choose;
use crate::catalog::RecordedKind;
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};

impl Engine<'_> {
    pub(super) fn create_statistics(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_not_exists = cursor.words("if not exists");
        let bracket = |cursor: &Cursor<'_>| {
            cursor.peek().is_some_and(|token| token.token == sqlparser::tokenizer::Token::LParen)
        };
        let named = if bracket(cursor) || cursor.is("on") { None } else { Some(cursor.name()?) };
        let kinds = if bracket(cursor) { cursor.names()? } else { Vec::new() };
        cursor.expect_word("on")?;
        if bracket(cursor) {
            return Err(SqlError::unsupported("statistics on expressions"));
        }
        let columns = cursor.list(Cursor::ident)?;
        cursor.expect_word("from")?;
        let table = self.find_table(cursor)?;
        cursor.finish()?;
        self.require_relation_owner(table)?;
        let relation = self.relation(table)?;
        let (schema, name) = match named {
            Some((schema, name)) => (self.creation_schema(schema.as_deref())?, Some(name)),
            None => (relation.schema, None),
        };
        let taken = |name: &str| {
            let mut known = self.catalog.recorded(RecordedKind::Statistics);
            known.any(|(_, known)| known.name == name && known.schema == Some(schema))
        };
        let name = match name {
            Some(name) if taken(&name) => {
                let message = format!("statistics object \"{name}\" already exists");
                let taken = SqlError::new(SqlState::DUPLICATE_OBJECT, message);
                return self.skip_all(if_not_exists, taken, "CREATE STATISTICS");
            }
            Some(name) => name,
            None => choose(&relation.name, &columns.join("_"), "stat", taken),
        };
        let numbers = columns.iter().map(|column| {
            relation.column(column).map(|column| column.number).ok_or_else(|| {
                let message = format!("column \"{column}\" does not exist");
                SqlError::new(SqlState::UNDEFINED_COLUMN, message)
            })
        });
        let mut numbers: Vec<u32> = numbers.collect::<Result<_>>()?;
        if numbers.len() < 2 {
            let message = "extended statistics require at least 2 columns";
            return Err(SqlError::new(SqlState::new("42P17"), message));
        }
        numbers.sort_unstable();
        let letter = |kind: &str, letter: &str| {
            if kinds.is_empty() || kinds.iter().any(|known| known == kind) {
                letter.to_owned()
            } else {
                String::new()
            }
        };
        let letters = letter("ndistinct", "d") + &letter("dependencies", "f") + &letter("mcv", "m");
        let keys = numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
        let mut statistics = self.new_recorded(RecordedKind::Statistics, name);
        (statistics.schema, statistics.of) = (Some(schema), Some(table));
        statistics.words.insert("keys".to_owned(), keys);
        statistics.words.insert("kinds".to_owned(), letters);
        self.record(statistics);
        Ok(Done::command("CREATE STATISTICS"))
    }

    /// `CLUSTER`, after this word.
    pub(super) fn cluster(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        cursor.word("verbose");
        if !cursor.is_end() {
            let table = self.find_table(cursor)?;
            self.require_relation_owner(table)?;
            if cursor.word("using") {
                let index = cursor.ident()?;
                self.cluster_on(table, &index)?;
            }
            let relation = self.relation(table)?;
            if relation.clustered.is_none() {
                let message =
                    format!("there is no previously clustered index for table \"{}\"", relation.name);
                return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
            }
            self.require_free(&relation, "CLUSTER")?;
        }
        cursor.finish()?;
        Ok(Done::command("CLUSTER"))
    }
}
