//! Definitions of columns and constraints, as they are written.

use sqlparser::tokenizer::Token;

use super::{ColumnDefinition, ConstraintDefinition, Element, SequenceOption, WrittenKind};
use crate::catalog::{Action, Identity, Relation};
use crate::collations::Collation;
use crate::ddl::cursor::Cursor;
use crate::ddl::storage::parameters;
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;
use crate::security::rights::denied;
use crate::source::is_word;
use crate::types::{Modified, Type};

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
        let name = cursor.column_name()?;
        let serials = ["serial", "serial4", "bigserial", "serial8", "smallserial", "serial2"];
        let serial = serials.iter().any(|word| cursor.is(word));
        let at = cursor.peek().and_then(|token| cursor.source.place(token.span.start));
        let type_ = self.type_of(cursor)?;
        self.require_storable(&name, type_.base)?;
        if serial && type_.base.element().is_some() {
            return Err(
                SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, "array of serial is not implemented").at(at)
            );
        }
        let compression = match cursor.word("compression") {
            true => {
                let word = cursor.ident()?;
                self.compression(&word, type_.base)?
            }
            false => None,
        };
        let mut column = ColumnDefinition {
            name,
            type_,
            not_null: serial,
            nullable: None,
            conflict: None,
            compression: None,
            default: None,
            generated: None,
            identity: None,
            serial,
            sequence: Vec::new(),
            sequence_name: None,
            constraints: Vec::new(),
            options: crate::ddl::foreign::options(cursor)?,
            collation: None,
        };
        column.compression = compression;
        while self.column_constraint(cursor, &mut column)? {}
        Ok(column)
    }

    /// A column of a partition: its name, and what it has besides what it takes from its table.
    pub(in crate::ddl) fn partition_column(
        &mut self,
        cursor: &mut Cursor<'_>,
        parent: &Relation,
    ) -> Result<ColumnDefinition> {
        let name = cursor.ident()?;
        cursor.words("with options");
        let known = parent.column(&name).ok_or_else(|| {
            let message = format!("column \"{name}\" does not exist");
            SqlError::new(SqlState::UNDEFINED_COLUMN, message)
        })?;
        let mut column = ColumnDefinition {
            name,
            type_: known.type_,
            not_null: false,
            nullable: None,
            conflict: None,
            compression: None,
            default: None,
            generated: None,
            identity: None,
            serial: false,
            sequence: Vec::new(),
            sequence_name: None,
            constraints: Vec::new(),
            options: Vec::new(),
            collation: None,
        };
        while self.column_constraint(cursor, &mut column)? {}
        if column.generated.is_some() || column.identity.is_some() {
            return Err(SqlError::unsupported("GENERATED of a column of a partition"));
        }
        Ok(column)
    }

    /// Refuses a column, or a field, of a type that has no values of its own.
    pub(in crate::ddl) fn require_storable(&self, name: &str, type_: Type) -> Result<()> {
        if !type_.is_pseudo() && type_.element() != Some(Type::RECORD) {
            return Ok(());
        }
        let shown = self.catalog.type_name(type_, -1);
        let message = format!("column \"{name}\" has pseudo-type {shown}");
        Err(SqlError::new(SqlState::new("42P16"), message))
    }

    /// Reads a type and resolves its name.
    pub(in crate::ddl) fn type_of(&self, cursor: &mut Cursor<'_>) -> Result<Modified> {
        let at = cursor.peek().and_then(|token| cursor.source.place(token.span.start));
        let data_type = cursor.data_type()?;
        let type_ = self.binder().data_type(&data_type).map_err(|error| error.at(at))?;
        self.require_usage(type_.base)?;
        Ok(type_)
    }

    /// Refuses a type that the role may not use.
    fn require_usage(&self, type_: Type) -> Result<()> {
        let of = type_.element().unwrap_or(type_);
        match self.catalog.user_type(of) {
            Some(known)
                if !known.is_row() && !self.catalog.allows(&self.settings.role, known.guarded(), 'U') =>
            {
                let name = self.catalog.type_name(of, -1);
                Err(denied(format!("permission denied for type {name}")))
            }
            _ => Ok(()),
        }
    }

    /// Reads a type and the collation after it. All texts sort alike.
    pub(in crate::ddl) fn type_with_collation(&self, cursor: &mut Cursor<'_>) -> Result<Modified> {
        let type_ = self.type_of(cursor)?;
        self.collation_of(cursor, type_)?;
        Ok(type_)
    }

    /// Reads a collation, if there is one. All texts sort alike.
    pub(in crate::ddl) fn collation_of(
        &self,
        cursor: &mut Cursor<'_>,
        type_: Modified,
    ) -> Result<Option<Collation>> {
        let at = cursor.peek().and_then(|token| cursor.source.place(token.span.start));
        if !cursor.word("collate") {
            return Ok(None);
        }
        let (schema, name) = cursor.name()?;
        let found = self.binder().collation(schema.as_deref(), &name).map_err(|error| error.at(at))?;
        let base = self.catalog.base_type(type_.base);
        let of = base.element().map_or(base, |element| self.catalog.base_type(element));
        if of.category() == 'S' {
            return Ok(Some(found));
        }
        let shown = self.catalog.type_name(type_.base, -1);
        let message = format!("collations are not supported by type {shown}");
        Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message).at(at))
    }

    /// Reads one constraint of a column; returns `false` if there is none.
    pub(super) fn column_constraint(
        &mut self,
        cursor: &mut Cursor<'_>,
        column: &mut ColumnDefinition,
    ) -> Result<bool> {
        let name = if cursor.word("constraint") { Some(cursor.new_name()?) } else { None };
        let own = vec![column.name.clone()];
        let at = cursor.peek().and_then(|token| cursor.source.place(token.span.start));
        let kind = if cursor.is("null") || cursor.is("not") && cursor.is_at(1, "null") {
            let allows = cursor.word("null");
            cursor.at += if allows { 0 } else { 2 };
            if column.nullable == Some(!allows) || allows && column.not_null {
                contradict(column, "conflicting NULL/NOT NULL declarations", at);
            }
            column.nullable = Some(allows);
            column.not_null |= !allows;
            return Ok(true);
        } else if cursor.word("default") {
            if column.default.is_some() {
                contradict(column, "multiple default values specified", at);
            } else if column.identity.is_some() {
                contradict(column, "both default and identity specified", at);
            } else if column.generated.is_some() {
                contradict(column, "both default and generation expression specified", at);
            }
            column.default = Some(cursor.default_expr()?);
            return Ok(true);
        } else if cursor.is("collate") {
            if column.collation.is_some() {
                return Err(
                    SqlError::new(SqlState::SYNTAX_ERROR, "multiple COLLATE clauses not allowed").at(at)
                );
            }
            column.collation = self.collation_of(cursor, column.type_)?;
            return Ok(true);
        } else if cursor.word("generated") {
            let before = (column.identity.is_some(), column.generated.is_some());
            self.generated(cursor, column)?;
            let is_identity = column.identity.is_some() && !before.0;
            let what = match (before, is_identity) {
                ((true, _), _) if column.generated.is_none() => "multiple identity specifications",
                ((_, true), false) => "multiple generation clauses specified",
                (_, true) if column.nullable == Some(true) => "conflicting NULL/NOT NULL declarations",
                (_, true) if column.default.is_some() => "both default and identity specified",
                (_, false) if column.default.is_some() => "both default and generation expression specified",
                ((true, _), _) | ((_, true), _) => "both identity and generation expression specified",
                _ if is_identity && column.serial => {
                    contradict(column, "both default and identity specified", None);
                    return Ok(true);
                }
                _ => return Ok(true),
            };
            contradict(column, what, at);
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
        if !constraint.validated {
            cursor.at -= 1;
            return Err(cursor.unexpected());
        }
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
            let mut seen = Vec::new();
            while !cursor.token(&Token::RParen) {
                note_sequence_option(cursor, &mut seen)?;
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
        let name = if cursor.word("constraint") { Some(cursor.new_name()?) } else { None };
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
        let mut full = false;
        loop {
            if cursor.words("match full") {
                full = true;
            } else if cursor.words("match partial") {
                let message = "MATCH PARTIAL not yet implemented";
                return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
            } else if cursor.words("match simple") {
            } else if cursor.words("on delete") {
                on_delete = action(cursor)?;
                if cursor.peek().is_some_and(|token| token.token == Token::LParen) {
                    set = cursor.names()?;
                }
            } else if cursor.words("on update") {
                on_update = action(cursor)?;
            } else {
                return Ok(WrittenKind::Foreign {
                    columns,
                    table,
                    referenced,
                    on_delete,
                    on_update,
                    set,
                    full,
                });
            }
        }
    }

    pub(super) fn constraint_options(
        &mut self,
        cursor: &mut Cursor<'_>,
        name: Option<String>,
        kind: WrittenKind,
    ) -> Result<ConstraintDefinition> {
        let is_key =
            matches!(kind, WrittenKind::Primary(_) | WrittenKind::Unique(_) | WrittenKind::UniqueNulls(_));
        let is_check = matches!(kind, WrittenKind::Check(_));
        let mut constraint = ConstraintDefinition {
            name,
            kind,
            deferrable: false,
            deferred: false,
            validated: true,
            no_inherit: false,
            key: Default::default(),
        };
        let mut deferral = Deferral::default();
        loop {
            if deferral.read(cursor)? {
            } else if is_check && cursor.words("no inherit") {
                constraint.no_inherit = true;
            } else if cursor.words("not valid") {
                constraint.validated = false;
            } else if is_key && cursor.word("include") {
                constraint.key.include = cursor.names()?;
            } else if is_key && cursor.word("with") {
                constraint.key.parameters = parameters(cursor)?;
            } else if cursor.words("using index tablespace") {
                cursor.ident()?;
            } else {
                break;
            }
        }
        (constraint.deferrable, constraint.deferred) = deferral.chosen();
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

/// Notes an option of a sequence, which begins at the cursor. Refuses one that is there already.
pub(in crate::ddl) fn note_sequence_option(cursor: &Cursor<'_>, seen: &mut Vec<String>) -> Result<()> {
    let ahead = usize::from(cursor.is("no"));
    let Some(Token::Word(word)) = cursor.tokens.get(cursor.at + ahead).map(|token| &token.token) else {
        return Ok(());
    };
    let word = word.value.to_lowercase();
    if seen.contains(&word) {
        let at = cursor.peek().and_then(|token| cursor.source.place(token.span.start));
        return Err(SqlError::new(SqlState::SYNTAX_ERROR, "conflicting or redundant options").at(at));
    }
    seen.push(word);
    Ok(())
}

/// Notes that something contradicts what stands before it in the definition of a column.
fn contradict(column: &mut ColumnDefinition, what: &'static str, at: Option<usize>) {
    column.conflict.get_or_insert((what, at));
}

/// When a constraint is checked, as far as it is written.
#[derive(Default)]
pub(in crate::ddl) struct Deferral {
    deferrable: Option<bool>,
    deferred: Option<bool>,
}

impl Deferral {
    /// Reads one of its words; returns `false` if there is none.
    pub(in crate::ddl) fn read(&mut self, cursor: &mut Cursor<'_>) -> Result<bool> {
        let at = cursor.peek().and_then(|token| cursor.source.place(token.span.start));
        let refused = |message: &str| Err(SqlError::new(SqlState::SYNTAX_ERROR, message).at(at));
        let (known, value) = if cursor.words("not deferrable") {
            (&mut self.deferrable, false)
        } else if cursor.word("deferrable") {
            (&mut self.deferrable, true)
        } else if cursor.words("initially deferred") {
            (&mut self.deferred, true)
        } else if cursor.words("initially immediate") {
            (&mut self.deferred, false)
        } else {
            return Ok(false);
        };
        if known.replace(value).is_some_and(|before| before != value) {
            return refused("conflicting constraint properties");
        }
        if (self.deferrable, self.deferred) == (Some(false), Some(true)) {
            return refused("constraint declared INITIALLY DEFERRED must be DEFERRABLE");
        }
        Ok(true)
    }

    /// Whether the check can be deferred, and whether it is at first.
    pub(in crate::ddl) fn chosen(&self) -> (bool, bool) {
        let deferred = self.deferred.unwrap_or(false);
        (deferred || self.deferrable.unwrap_or(false), deferred)
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
