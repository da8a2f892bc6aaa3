//! `CREATE CAST` and `DROP CAST`.

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use super::dependents::What;
use super::drop::as_parsed;
use crate::cast::Context;
use crate::catalog::{Oid, OwnCast, RecordedKind, Routine, TypeDefinition};
use crate::error::{Result, SqlError, SqlState};
use crate::notice::is_missing;
use crate::run::{Done, Engine};
use crate::types::Type;

impl Engine<'_> {
    /// `CREATE CAST`, after these words.
    pub(super) fn create_cast(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        cursor.expect(&Token::LParen)?;
        let source = self.type_of(cursor)?.base;
        cursor.expect_word("as")?;
        let target = self.type_of(cursor)?.base;
        cursor.expect(&Token::RParen)?;
        let function = if cursor.words("without function") {
            let message = "must be superuser to create a cast WITHOUT FUNCTION";
            return Err(SqlError::new(SqlState::INSUFFICIENT_PRIVILEGE, message));
        } else if cursor.words("with inout") {
            None
        } else {
            cursor.expect_word("with")?;
            cursor.expect_word("function")?;
            Some(self.find_routine(cursor, "function")??)
        };
        let context = if cursor.words("as implicit") {
            Context::Implicit
        } else if cursor.words("as assignment") {
            Context::Assignment
        } else {
            Context::Explicit
        };
        cursor.finish()?;
        let cast = OwnCast { source, target, context, through_text: function.is_none() };
        self.require_cast(cast)?;
        if let Some(routine) = function.and_then(|oid| self.catalog.routine(oid)) {
            self.require_cast_function(cast, routine)?;
        } else if source == target {
            return Err(wrong("source data type and target data type are the same"));
        }
        let [from, to] = [source, target].map(|type_| self.catalog.type_name(type_, -1));
        if self.catalog.own_cast(source, target).is_some() || crate::system::has_cast(source, target) {
            let message = format!("cast from type {from} to type {to} already exists");
            return Err(SqlError::new(SqlState::DUPLICATE_OBJECT, message));
        }
        let mut recorded = self.new_recorded(RecordedKind::Cast, String::new());
        (recorded.of, recorded.words) = (function, cast.words());
        self.record(recorded);
        Ok(Done::command("CREATE CAST"))
    }

    /// Refuses types between which the project can make no cast, and warns of domains, whose casts are passed over.
    fn require_cast(&self, cast: OwnCast) -> Result<()> {
        for (type_, side) in [(cast.source, "source"), (cast.target, "target")] {
            if type_.is_polymorphic()
                || type_ == Type::VOID
                || type_ == Type::RECORD
                || type_ == Type::TRIGGER
            {
                let shown = self.catalog.type_name(type_, -1);
                let message = format!("{side} data type {shown} is a pseudo-type");
                return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
            }
        }
        let own = |type_: Type| self.catalog.user_type(type_.element().unwrap_or(type_)).is_some();
        if !own(cast.source) && !own(cast.target) {
            let [from, to] = [cast.source, cast.target].map(|type_| self.catalog.type_name(type_, -1));
            let message = format!("must be owner of type {from} or type {to}");
            return Err(SqlError::new(SqlState::INSUFFICIENT_PRIVILEGE, message));
        }
        for (type_, side) in [(cast.source, "source"), (cast.target, "target")] {
            let definition = self.catalog.user_type(type_).map(|known| &known.definition);
            if matches!(definition, Some(TypeDefinition::Domain { .. })) {
                let message = format!("cast will be ignored because the {side} data type is a domain");
                self.report("WARNING", &SqlError::new(SqlState::WRONG_OBJECT_TYPE, message))?;
            }
        }
        Ok(())
    }

    fn require_cast_function(&self, cast: OwnCast, routine: &Routine) -> Result<()> {
        let inputs: Vec<Type> = routine.inputs().map(|input| input.type_).collect();
        let fits = |given: Type, wanted: Type| given == wanted || crate::cast::is_coercible(given, wanted);
        if inputs.is_empty() || inputs.len() > 3 {
            return Err(wrong("cast function must take one to three arguments"));
        }
        if !fits(cast.source, inputs[0]) {
            return Err(wrong(
                "argument of cast function must match or be binary-coercible from source data type",
            ));
        }
        if inputs.get(1).is_some_and(|second| *second != Type::INT4) {
            return Err(wrong("second argument of cast function must be type integer"));
        }
        if inputs.get(2).is_some_and(|third| *third != Type::BOOL) {
            return Err(wrong("third argument of cast function must be type boolean"));
        }
        if !fits(routine.returns, cast.target) {
            return Err(wrong(
                "return data type of cast function must match or be binary-coercible to target data type",
            ));
        }
        if routine.procedure || routine.aggregation.is_some() {
            return Err(wrong("cast function must be a normal function"));
        }
        if routine.returns_set {
            return Err(wrong("cast function must not return a set"));
        }
        if cast.source == cast.target && inputs.len() < 2 {
            return Err(wrong("source data type and target data type are the same"));
        }
        Ok(())
    }

    /// `DROP CAST`, after these words.
    pub(super) fn drop_cast(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_exists = cursor.words("if exists");
        let found = match self.cast_named(cursor) {
            Err(error) if if_exists && is_missing(error.code) => Err(error.nowhere()),
            found => found?,
        };
        let cascade = cursor.word("cascade");
        cursor.word("restrict");
        match found {
            Err(error) => self.skip_all(if_exists, error, "DROP CAST"),
            Ok(oid) => {
                cursor.finish()?;
                self.require_object_owner(oid)?;
                self.drop_all(vec![What::Object(oid)], cascade)?;
                Ok(Done::command("DROP CAST"))
            }
        }
    }

    /// The cast between two types in brackets.
    pub(super) fn cast_named(
        &mut self,
        cursor: &mut Cursor<'_>,
    ) -> Result<std::result::Result<Oid, SqlError>> {
        let if_exists = cursor.at > 1
            && cursor.tokens.get(cursor.at - 1).is_some_and(|token| crate::source::is_word(token, "exists"));
        cursor.expect(&Token::LParen)?;
        let from = cursor.at;
        let source = self.type_of(cursor)?.base;
        let source_text = cursor.text(from, cursor.at);
        cursor.expect_word("as")?;
        let from = cursor.at;
        let target = self.type_of(cursor)?.base;
        let target_text = cursor.text(from, cursor.at);
        cursor.expect(&Token::RParen)?;
        if let Some((oid, ..)) = self.catalog.own_cast(source, target) {
            return Ok(Ok(oid));
        }
        let [shown, shown_target] = [source, target].map(|type_| self.catalog.type_name(type_, -1));
        if crate::system::has_cast(source, target) {
            let message = format!(
                "cannot drop cast from {shown} to {shown_target} because it is required by the database system"
            );
            return Err(SqlError::new(SqlState::DEPENDENT_OBJECTS, message));
        }
        let (shown, shown_target) = match if_exists {
            true => (as_parsed(&source_text), as_parsed(&target_text)),
            false => (shown, shown_target),
        };
        let message = format!("cast from type {shown} to type {shown_target} does not exist");
        Ok(Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message)))
    }
}

fn wrong(message: &str) -> SqlError {
    SqlError::new(SqlState::new("42P17"), message)
}
