//! Sequences.

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use super::names::relation_taken;
use super::table::SequenceOption;
use crate::catalog::{Oid, RelationKind, SequenceOptions};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::types::Type;

impl Engine<'_> {
    /// Adds a sequence to the catalog.
    pub(super) fn new_sequence(&mut self, schema: Oid, name: &str, options: SequenceOptions) -> Oid {
        let oid = self.new_relation(schema, name, RelationKind::Sequence);
        self.relation_mut(oid).sequence = Some(options);
        oid
    }

    pub(super) fn create_sequence(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_not_exists = cursor.words("if not exists");
        let (schema, name) = cursor.name()?;
        let schema = self.place_of(cursor, schema.as_deref())?;
        if self.catalog.relation_exists(schema, &name) {
            return self.skip_all(if_not_exists, relation_taken(&name), "CREATE SEQUENCE");
        }
        let (given, owner) = self.written_options(cursor)?;
        let options = self.sequence_options(Type::INT8, &given, owner.flatten())?;
        self.new_sequence(schema, &name, options);
        Ok(Done::command("CREATE SEQUENCE"))
    }

    /// Reads options up to the end. The owner is `Some(None)` after `OWNED BY NONE`.
    #[expect(clippy::type_complexity, reason = "one caller takes it apart at once")]
    fn written_options(
        &mut self,
        cursor: &mut Cursor<'_>,
    ) -> Result<(Vec<SequenceOption>, Option<Option<(Oid, u32)>>)> {
        let (mut given, mut owner) = (Vec::new(), None);
        while !cursor.is_end() {
            if cursor.words("owned by none") {
                owner = Some(None);
            } else if cursor.words("owned by") {
                let mut parts = vec![cursor.ident()?];
                while cursor.token(&Token::Period) {
                    parts.push(cursor.ident()?);
                }
                let column = parts.pop().unwrap_or_default();
                let table = parts.pop().unwrap_or_default();
                let relation = self.find(parts.pop().as_deref(), &table)?;
                let number = relation.column(&column).map(|column| column.number).ok_or_else(|| {
                    let message = format!("column \"{column}\" of relation \"{table}\" does not exist");
                    SqlError::new(SqlState::UNDEFINED_COLUMN, message)
                })?;
                owner = Some(Some((relation.oid, number)));
            } else {
                given.push(self.sequence_option(cursor)?.ok_or_else(|| cursor.unexpected())?);
            }
        }
        Ok((given, owner))
    }

    pub(super) fn alter_sequence(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_exists = cursor.words("if exists");
        let (schema, name) = cursor.name()?;
        let found =
            self.find(schema.as_deref(), &name).map(|relation| (relation.oid, relation.sequence.clone()));
        let (oid, options) = match found {
            Ok((oid, Some(options))) => (oid, options),
            Ok(_) => {
                return Err(SqlError::new(
                    SqlState::WRONG_OBJECT_TYPE,
                    format!("\"{name}\" is not a sequence"),
                ));
            }
            Err(error) => return self.skip_all(if_exists, error, "ALTER SEQUENCE"),
        };
        if cursor.is("rename")
            || cursor.is("owner") && cursor.is_at(1, "to")
            || cursor.is("set") && cursor.is_at(1, "schema")
        {
            return self.alter_relation(cursor, oid, "ALTER SEQUENCE");
        }
        let (given, owner) = self.written_options(cursor)?;
        self.change_sequence(oid, options, &given, owner)?;
        Ok(Done::command("ALTER SEQUENCE"))
    }

    /// Changes the options of a sequence.
    pub(super) fn change_sequence(
        &mut self,
        oid: Oid,
        mut options: SequenceOptions,
        given: &[SequenceOption],
        owner: Option<Option<(Oid, u32)>>,
    ) -> Result<()> {
        for option in given {
            match option {
                SequenceOption::Start(value) => options.start = *value,
                SequenceOption::Increment(value) => options.increment = *value,
                SequenceOption::Minimum(Some(value)) => options.minimum = *value,
                SequenceOption::Minimum(None) => options.minimum = 1,
                SequenceOption::Maximum(Some(value)) => options.maximum = *value,
                SequenceOption::Maximum(None) => options.maximum = i64::MAX,
                SequenceOption::Cache(value) => options.cache = *value,
                SequenceOption::Cycle(value) => options.cycle = *value,
                SequenceOption::Type(type_) => options.type_ = *type_,
                SequenceOption::Restart(value) => {
                    let value = value.unwrap_or(options.start);
                    self.connection.execute(
                        "INSERT OR REPLACE INTO pg_sequence_state VALUES (?1, ?2, 0)",
                        (oid, value),
                    )?;
                }
            }
        }
        if let Some(owner) = owner {
            options.owner = owner;
            if let Some((table, number)) = owner {
                self.column_mut(table, number).sequence = Some(oid);
            }
        }
        self.relation_mut(oid).sequence = Some(options);
        Ok(())
    }
}
