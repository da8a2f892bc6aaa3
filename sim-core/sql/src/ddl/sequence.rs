//! Sequences, and settings of the session.

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use super::names::relation_taken;
use super::table::SequenceOption;
use crate::catalog::{Oid, RelationKind, SequenceOptions};
use crate::describe;
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine, Returned};
use crate::tree::Output;
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
        let schema = self.creation_schema(schema.as_deref())?;
        if self.catalog.relation_exists(schema, &name) {
            return if if_not_exists {
                Ok(Done::command("CREATE SEQUENCE"))
            } else {
                Err(relation_taken(&name))
            };
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
            Err(_) if if_exists => return Ok(Done::command("ALTER SEQUENCE")),
            Err(error) => return Err(error),
        };
        if cursor.is("rename") || cursor.words("owner to") || cursor.is("set") && cursor.is_at(1, "schema") {
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

    /// `SET`.
    pub(super) fn set(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        cursor.at += 1;
        let _ = cursor.word("local") || cursor.word("session");
        if cursor.is("constraints") || cursor.is("transaction") || cursor.is("characteristics") {
            cursor.rest();
            return Ok(Done::command("SET"));
        }
        if cursor.words("time zone") {
            let zone = cursor.rest().iter().map(|token| token.token.to_string()).collect::<String>();
            check_setting("timezone", zone.trim_matches('\''))?;
            return Ok(Done::command("SET"));
        }
        if cursor.word("role") {
            return self.set_role(cursor);
        }
        let mut name = cursor.ident()?;
        while cursor.token(&Token::Period) {
            name = format!("{name}.{}", cursor.ident()?);
        }
        let _ = cursor.token(&Token::Eq) || cursor.word("to");
        let values = cursor.list(|cursor| match cursor.peek().map(|token| &token.token) {
            Some(Token::Word(_)) => cursor.ident(),
            Some(Token::Number(number, _)) => {
                cursor.at += 1;
                Ok(number.clone())
            }
            Some(Token::Minus) => cursor.integer().map(|number| number.to_string()),
            _ => cursor.string(),
        })?;
        cursor.finish()?;
        let value = values.join(", ");
        check_setting(&name, &value)?;
        self.set_value(name, &value);
        Ok(Done::command("SET"))
    }

    /// Takes a role that changes nothing. As another one a statement could see less, which the engine does not do.
    fn set_role(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let quoted = cursor.peek().is_some_and(|token| matches!(token.token, Token::SingleQuotedString(_)));
        let role = if quoted { cursor.string()? } else { cursor.ident()? };
        cursor.finish()?;
        if role == "none" || role == self.role {
            return Ok(Done::command("SET"));
        }
        if self.catalog.role(&role).is_some() {
            return Err(SqlError::unsupported("SET ROLE"));
        }
        Err(SqlError::new(SqlState::INVALID_PARAMETER, format!("role \"{role}\" does not exist")))
    }

    /// Gives a parameter of the session a value.
    pub(crate) fn set_value(&mut self, name: String, value: &str) {
        if name == "search_path" {
            let path = value.split(',').map(|schema| schema.trim().trim_matches('"').to_owned());
            self.settings.search_path =
                path.filter(|schema| !schema.is_empty() && schema != "$user").collect();
        }
        self.settings.values.insert(name, value.to_owned());
    }

    /// `SHOW`.
    pub(super) fn show_setting(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let name = if cursor.words("time zone") { "timezone".to_owned() } else { cursor.ident()? };
        let value = describe::setting(&self.settings, &name).ok_or_else(|| {
            SqlError::new(
                SqlState::UNDEFINED_OBJECT,
                format!("unrecognized configuration parameter \"{name}\""),
            )
        })?;
        let shown = if name == "timezone" { "TimeZone".to_owned() } else { name };
        let columns = vec![Output { name: shown, type_: Type::TEXT.plain() }];
        Ok(Done {
            tag: "SHOW".to_owned(),
            returned: Some(Returned { columns, rows: vec![vec![value.into()]] }),
        })
    }
}

/// Refuses values that would change the format of results.
fn check_setting(name: &str, value: &str) -> Result<()> {
    let value = value.to_lowercase();
    let usual: &[&str] = match name {
        "timezone" => &["utc", "gmt", "default", "etc/utc", "local", "0"],
        "datestyle" => &["iso", "iso, mdy", "default"],
        "intervalstyle" => &["postgres", "default"],
        "bytea_output" => &["hex", "default"],
        "standard_conforming_strings" => &["on", "true", "default"],
        "extra_float_digits" => &["1", "2", "3", "default"],
        _ => return Ok(()),
    };
    if usual.contains(&value.as_str()) {
        Ok(())
    } else {
        Err(SqlError::unsupported(format!("{name} = {value}")))
    }
}
