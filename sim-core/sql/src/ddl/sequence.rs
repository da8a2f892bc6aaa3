//! Sequences.

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use super::names::relation_taken;
use super::table::{SequenceOption, note_sequence_option};
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
        let (mut given, mut owner, mut seen) = (Vec::new(), None, Vec::new());
        while !cursor.is_end() {
            note_sequence_option(cursor, &mut seen)?;
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
        self.require_relation_owner(oid)?;
        let (given, owner) = self.written_options(cursor)?;
        self.change_sequence(oid, options, &given, owner)?;
        Ok(Done::command("ALTER SEQUENCE"))
    }

    /// The options of a new sequence.
    pub(super) fn sequence_options(
        &self,
        type_: Type,
        given: &[SequenceOption],
        owner: Option<(Oid, u32)>,
    ) -> Result<SequenceOptions> {
        let first = SequenceOptions {
            type_,
            start: 0,
            increment: 1,
            minimum: 0,
            maximum: 0,
            cache: 1,
            cycle: false,
            owner,
        };
        changed(&first, given, true)
    }

    /// Changes the options of a sequence.
    pub(super) fn change_sequence(
        &mut self,
        oid: Oid,
        before: SequenceOptions,
        given: &[SequenceOption],
        owner: Option<Option<(Oid, u32)>>,
    ) -> Result<()> {
        let mut options = changed(&before, given, false)?;
        let restarts = given.iter().find_map(|option| match option {
            SequenceOption::Restart(value) => Some(value.unwrap_or(options.start)),
            _ => None,
        });
        let state = crate::catalog::Catalog::sequence_state(self.connection, oid)?;
        let value = restarts.or(state.map(|(value, _)| value)).unwrap_or(before.start);
        check_bounds(("RESTART", value), &options)?;
        // A sequence that was never asked goes on with the value with which it began.
        if restarts.is_some() || state.is_none() && options.start != before.start {
            let text = "INSERT OR REPLACE INTO pg_sequence_state VALUES (?1, ?2, 0)";
            self.connection.execute(text, (oid, value))?;
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

    /// Gives the sequence of an identity column the column's new type.
    pub(super) fn retype_identity(&mut self, sequence: Oid, type_: Type) -> Result<()> {
        let Some(options) = self.relation(sequence)?.sequence else { return Ok(()) };
        self.change_sequence(sequence, options, &[SequenceOption::Type(type_)], None)
    }
}

fn invalid(message: impl Into<String>) -> SqlError {
    SqlError::new(SqlState::INVALID_PARAMETER, message)
}

/// The least and the greatest value of a type.
fn limits(type_: Type) -> (i64, i64) {
    match type_ {
        Type::INT2 => (i16::MIN.into(), i16::MAX.into()),
        Type::INT4 => (i32::MIN.into(), i32::MAX.into()),
        _ => (i64::MIN, i64::MAX),
    }
}

fn name_of(type_: Type) -> &'static str {
    type_.builtin().map_or("bigint", |builtin| builtin.display)
}

/// Refuses a value beyond the bounds of a sequence.
fn check_bounds((what, value): (&str, i64), options: &SequenceOptions) -> Result<()> {
    let (minimum, maximum) = (options.minimum, options.maximum);
    if value < minimum {
        return Err(invalid(format!("{what} value ({value}) cannot be less than MINVALUE ({minimum})")));
    }
    if value > maximum {
        return Err(invalid(format!("{what} value ({value}) cannot be greater than MAXVALUE ({maximum})")));
    }
    Ok(())
}

/// The options after a change, or with `new` those of a new sequence. PostgreSQL reads and checks them in this order.
fn changed(before: &SequenceOptions, given: &[SequenceOption], new: bool) -> Result<SequenceOptions> {
    let mut options = before.clone();
    let (mut resets_maximum, mut resets_minimum) = (new, new);
    let (mut minimum, mut maximum, mut start) = (None, None, None);
    for option in given {
        match option {
            SequenceOption::Type(type_) if !type_.is_integer() => {
                return Err(invalid("sequence type must be smallint, integer, or bigint"));
            }
            SequenceOption::Type(type_) => {
                let (low, high) = limits(before.type_);
                resets_maximum |= before.maximum == high;
                resets_minimum |= before.minimum == low;
                options.type_ = *type_;
            }
            SequenceOption::Increment(0) => return Err(invalid("INCREMENT must not be zero")),
            SequenceOption::Increment(value) => options.increment = *value,
            SequenceOption::Cycle(value) => options.cycle = *value,
            SequenceOption::Maximum(value) => maximum = Some(*value),
            SequenceOption::Minimum(value) => minimum = Some(*value),
            SequenceOption::Start(value) => start = Some(*value),
            SequenceOption::Cache(value) if *value <= 0 => {
                return Err(invalid(format!("CACHE ({value}) must be greater than zero")));
            }
            SequenceOption::Cache(value) => options.cache = *value,
            SequenceOption::Restart(_) => {}
        }
    }
    let (low, high) = limits(options.type_);
    let (up, name) = (options.increment > 0, name_of(options.type_));
    match maximum {
        Some(Some(value)) => options.maximum = value,
        None if !resets_maximum => {}
        _ => options.maximum = if up || resets_maximum && !new { high } else { -1 },
    }
    match minimum {
        Some(Some(value)) => options.minimum = value,
        None if !resets_minimum => {}
        _ => options.minimum = if !up || resets_minimum && !new { low } else { 1 },
    }
    for (word, value) in [("MAXVALUE", options.maximum), ("MINVALUE", options.minimum)] {
        if !(low..=high).contains(&value) {
            return Err(invalid(format!("{word} ({value}) is out of range for sequence data type {name}")));
        }
    }
    if options.minimum >= options.maximum {
        let (minimum, maximum) = (options.minimum, options.maximum);
        return Err(invalid(format!("MINVALUE ({minimum}) must be less than MAXVALUE ({maximum})")));
    }
    match start {
        Some(value) => options.start = value,
        None if new => options.start = if up { options.minimum } else { options.maximum },
        None => {}
    }
    check_bounds(("START", options.start), &options)?;
    Ok(options)
}
