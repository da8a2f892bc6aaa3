//! Definitions of columns and constraints, as they are written.

use sqlparser::tokenizer::Token;

use super::{ColumnDefinition, ConstraintDefinition, Element, SequenceOption, WrittenKind};
use crate::catalog::{Action, Identity};
use crate::ddl::cursor::Cursor;
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;
use crate::source::is_word;
use crate::types::Modified;

impl Engine<'_> {
    pub(super) fn element(&mut self, cursor: &mut Cursor<'_>) -> Result<Element> {
        if cursor.word("like") {
            return self.like(cursor);
        }
        let starts = ["constraint", "primary", "unique", "check", "foreign", "exclude"];
        let keyword = starts.iter().any(|word| cursor.is(word));
        if keyword && !cursor.tokens.get(cursor.at + 1).is_some_and(is_type_word) {
            return Ok(Element::Constraint(self.table_constraint(cursor)?));
        }
        Ok(Element::Column(Box::new(self.column_definition_of(cursor)?)))
    }

    /// A column's name, type and constraints.
    pub(in crate::ddl) fn column_definition_of(
        &mut self,
        cursor: &mut Cursor<'_>,
    ) -> Result<ColumnDefinition> {
        let name = cursor.ident()?;
        let serials = ["serial", "serial4", "bigserial", "serial8", "smallserial", "serial2"];
        let serial = serials.iter().any(|word| cursor.is(word));
        let type_ = self.type_of(cursor)?;
        let mut column = ColumnDefinition {
            name,
            type_,
            not_null: serial,
            default: None,
            generated: None,
            identity: None,
            serial,
            sequence: Vec::new(),
            sequence_name: None,
            constraints: Vec::new(),
            options: crate::ddl::foreign::options(cursor)?,
        };
        while self.column_constraint(cursor, &mut column)? {}
        Ok(column)
    }

    /// Reads a type and resolves its name.
    pub(in crate::ddl) fn type_of(&self, cursor: &mut Cursor<'_>) -> Result<Modified> {
        let at = cursor.peek().and_then(|token| cursor.source.place(token.span.start));
        let data_type = cursor.data_type()?;
        self.binder().data_type(&data_type).map_err(|error| error.at(at))
    }

    /// Reads a type and the collation after it. All texts sort alike.
    pub(in crate::ddl) fn type_with_collation(&self, cursor: &mut Cursor<'_>) -> Result<Modified> {
        let type_ = self.type_of(cursor)?;
        if cursor.word("collate") {
            cursor.name()?;
        }
        Ok(type_)
    }

    /// Reads one constraint of a column; returns `false` if there is none.
    pub(super) fn column_constraint(
        &mut self,
        cursor: &mut Cursor<'_>,
        column: &mut ColumnDefinition,
    ) -> Result<bool> {
        let name = if cursor.word("constraint") { Some(cursor.ident()?) } else { None };
        let own = vec![column.name.clone()];
        let kind = if cursor.words("not null") {
            column.not_null = true;
            return Ok(true);
        } else if cursor.word("null") {
            return Ok(true);
        } else if cursor.word("default") {
            column.default = Some(cursor.default_expr()?);
            return Ok(true);
        } else if cursor.word("collate") {
            cursor.name()?;
            return Ok(true);
        } else if cursor.word("generated") {
            self.generated(cursor, column)?;
            return Ok(true);
        } else if cursor.words("primary key") {
            column.not_null = true;
            WrittenKind::Primary(own)
        } else if cursor.word("unique") {
            if nulls_not_distinct(cursor) { WrittenKind::UniqueNulls(own) } else { WrittenKind::Unique(own) }
        } else if cursor.word("check") {
            WrittenKind::Check(cursor.bracketed()?)
        } else if cursor.word("references") {
            self.references(cursor, own)?
        } else if name.is_some() {
            return Err(cursor.unexpected());
        } else {
            return Ok(false);
        };
        let constraint = self.constraint_options(cursor, name, kind)?;
        column.constraints.push(constraint);
        Ok(true)
    }

    pub(super) fn generated(&mut self, cursor: &mut Cursor<'_>, column: &mut ColumnDefinition) -> Result<()> {
        let identity = if cursor.words("by default") {
            Identity::ByDefault
        } else {
            cursor.expect_word("always")?;
            Identity::Always
        };
        cursor.expect_word("as")?;
        if !cursor.word("identity") {
            column.generated = Some(cursor.bracketed()?);
            return cursor.expect_word("stored");
        }
        if !column.type_.base.is_integer() {
            let message = "identity column type must be smallint, integer, or bigint";
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
        }
        column.identity = Some(identity);
        column.not_null = true;
        if cursor.token(&Token::LParen) {
            while !cursor.token(&Token::RParen) {
                if cursor.words("sequence name") {
                    column.sequence_name = Some(cursor.name()?);
                    continue;
                }
                let option = self.sequence_option(cursor)?.ok_or_else(|| cursor.unexpected())?;
                column.sequence.push(option);
            }
        }
        Ok(())
    }

    /// Reads one option of a sequence; returns `None` if there is none.
    pub(in crate::ddl) fn sequence_option(
        &mut self,
        cursor: &mut Cursor<'_>,
    ) -> Result<Option<SequenceOption>> {
        Ok(Some(if cursor.word("start") {
            cursor.word("with");
            SequenceOption::Start(cursor.integer()?)
        } else if cursor.word("increment") {
            cursor.word("by");
            SequenceOption::Increment(cursor.integer()?)
        } else if cursor.word("minvalue") {
            SequenceOption::Minimum(Some(cursor.integer()?))
        } else if cursor.word("maxvalue") {
            SequenceOption::Maximum(Some(cursor.integer()?))
        } else if cursor.words("no minvalue") {
            SequenceOption::Minimum(None)
        } else if cursor.words("no maxvalue") {
            SequenceOption::Maximum(None)
        } else if cursor.word("cache") {
            SequenceOption::Cache(cursor.integer()?)
        } else if cursor.words("no cycle") {
            SequenceOption::Cycle(false)
        } else if cursor.word("cycle") {
            SequenceOption::Cycle(true)
        } else if cursor.word("restart") {
            let with = cursor.word("with");
            let number =
                cursor.peek().is_some_and(|token| matches!(token.token, Token::Number(..) | Token::Minus));
            SequenceOption::Restart(if with || number { Some(cursor.integer()?) } else { None })
        } else if cursor.word("as") {
            SequenceOption::Type(self.type_of(cursor)?.base)
        } else {
            return Ok(None);
        }))
    }

    /// A constraint of a table.
    pub(in crate::ddl) fn table_constraint(
        &mut self,
        cursor: &mut Cursor<'_>,
    ) -> Result<ConstraintDefinition> {
        let name = if cursor.word("constraint") { Some(cursor.ident()?) } else { None };
        let kind = if cursor.words("primary key") {
            if cursor.words("using index") {
                WrittenKind::Index { primary: true, name: cursor.ident()? }
            } else {
                WrittenKind::Primary(cursor.names()?)
            }
        } else if cursor.word("unique") {
            let nulls = nulls_not_distinct(cursor);
            if cursor.words("using index") {
                WrittenKind::Index { primary: false, name: cursor.ident()? }
            } else if nulls {
                WrittenKind::UniqueNulls(cursor.names()?)
            } else {
                WrittenKind::Unique(cursor.names()?)
            }
        } else if cursor.word("check") {
            WrittenKind::Check(cursor.bracketed()?)
        } else if cursor.words("foreign key") {
            let columns = cursor.names()?;
            cursor.expect_word("references")?;
            self.references(cursor, columns)?
        } else if cursor.word("exclude") {
            self.exclusion(cursor)?
        } else {
            return Err(cursor.unexpected());
        };
        self.constraint_options(cursor, name, kind)
    }

    pub(super) fn references(
        &mut self,
        cursor: &mut Cursor<'_>,
        columns: Vec<String>,
    ) -> Result<WrittenKind> {
        let table = cursor.name()?;
        let bracket = cursor.peek().is_some_and(|token| token.token == Token::LParen);
        let referenced = if bracket { cursor.names()? } else { Vec::new() };
        let (mut on_delete, mut on_update, mut set) = (Action::NoAction, Action::NoAction, Vec::new());
        loop {
            if cursor.words("match full") {
                return Err(SqlError::unsupported("MATCH FULL"));
            } else if cursor.words("match simple") {
            } else if cursor.words("on delete") {
                on_delete = action(cursor)?;
                if cursor.peek().is_some_and(|token| token.token == Token::LParen) {
                    set = cursor.names()?;
                }
            } else if cursor.words("on update") {
                on_update = action(cursor)?;
            } else {
                return Ok(WrittenKind::Foreign { columns, table, referenced, on_delete, on_update, set });
            }
        }
    }

    pub(super) fn constraint_options(
        &mut self,
        cursor: &mut Cursor<'_>,
        name: Option<String>,
        kind: WrittenKind,
    ) -> Result<ConstraintDefinition> {
        let mut constraint =
            ConstraintDefinition { name, kind, deferrable: false, deferred: false, validated: true };
        loop {
            if cursor.words("not deferrable")
                || cursor.words("initially immediate")
                || cursor.words("no inherit")
            {
            } else if cursor.word("deferrable") {
                constraint.deferrable = true;
            } else if cursor.words("initially deferred") {
                constraint.deferrable = true;
                constraint.deferred = true;
            } else if cursor.words("not valid") {
                constraint.validated = false;
            } else if cursor.word("include") || cursor.word("with") {
                cursor.skip_brackets()?;
            } else if cursor.words("using index tablespace") {
                cursor.ident()?;
            } else {
                break;
            }
        }
        match constraint.kind {
            WrittenKind::Check(_) if constraint.deferrable => Err(SqlError::new(
                SqlState::FEATURE_NOT_SUPPORTED,
                "CHECK constraints cannot be marked DEFERRABLE",
            )),
            WrittenKind::Index { .. } if constraint.deferrable => {
                Err(SqlError::unsupported("a deferrable constraint USING INDEX"))
            }
            _ => Ok(constraint),
        }
    }
}

/// Reads whether a unique key takes nulls for equal.
pub(in crate::ddl) fn nulls_not_distinct(cursor: &mut Cursor<'_>) -> bool {
    if cursor.words("nulls not distinct") {
        return true;
    }
    cursor.words("nulls distinct");
    false
}

/// Reads the options about storage, which have no effect, and `ON COMMIT` of a temporary table.
pub(in crate::ddl) fn storage_options(cursor: &mut Cursor<'_>) -> Result<Option<char>> {
    let mut on_commit = None;
    loop {
        if cursor.word("with") {
            cursor.skip_brackets()?;
        } else if cursor.words("without oids") || cursor.words("using heap") {
        } else if cursor.word("tablespace") {
            crate::ddl::names::tablespace(cursor)?;
        } else if cursor.words("on commit") {
            if !cursor.temporary {
                let message = "ON COMMIT can only be used on temporary tables";
                return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
            }
            on_commit = if cursor.word("drop") {
                Some('d')
            } else if cursor.words("delete rows") {
                Some('r')
            } else if cursor.words("preserve rows") {
                None
            } else {
                return Err(cursor.unexpected());
            };
        } else {
            return Ok(on_commit);
        }
    }
}

/// The tokens of the query in a definition, and whether its rows are wanted.
pub(in crate::ddl) fn query_with_data<'t>(
    cursor: &mut Cursor<'t>,
) -> (&'t [sqlparser::tokenizer::TokenWithSpan], bool) {
    let rest = cursor.rest();
    let ends = |words: &[&str]| {
        rest.len() >= words.len()
            && rest[rest.len() - words.len()..].iter().zip(words).all(|(token, word)| is_word(token, word))
    };
    if ends(&["with", "no", "data"]) {
        (&rest[..rest.len() - 3], false)
    } else if ends(&["with", "data"]) {
        (&rest[..rest.len() - 2], true)
    } else {
        (rest, true)
    }
}

pub(super) fn action(cursor: &mut Cursor<'_>) -> Result<Action> {
    if cursor.words("no action") {
        Ok(Action::NoAction)
    } else if cursor.word("restrict") {
        Ok(Action::Restrict)
    } else if cursor.word("cascade") {
        Ok(Action::Cascade)
    } else if cursor.words("set null") {
        Ok(Action::SetNull)
    } else if cursor.words("set default") {
        Ok(Action::SetDefault)
    } else {
        Err(cursor.unexpected())
    }
}

/// Whether a token is a common type. Then the word before it is a column's name, not the beginning of a constraint.
pub(super) fn is_type_word(token: &sqlparser::tokenizer::TokenWithSpan) -> bool {
    ["text", "int", "integer", "boolean", "bool", "uuid", "timestamptz", "jsonb", "varchar"]
        .iter()
        .any(|word| is_word(token, word))
}
