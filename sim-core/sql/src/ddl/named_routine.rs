//! Finds the routine that a statement names.

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::cursor::Cursor;
use crate::catalog::{Argument, Oid, Routine};
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;
use crate::source::is_word;
use crate::types::Type;

impl Engine<'_> {
    /// The function without parameters that a trigger names: the first one in the search path.
    pub(super) fn routine_of_trigger(&self, schemas: &[Oid], name: &str) -> Option<(Oid, &Routine)> {
        let named = self.catalog.routines();
        let named = named.filter(|(_, known)| known.name == name && known.inputs().next().is_none());
        let place = |routine: &Routine| schemas.iter().position(|schema| *schema == routine.schema);
        let placed = named.filter_map(|(oid, routine)| Some((place(routine)?, (oid, routine))));
        placed.min_by_key(|(place, _)| *place).map(|(_, found)| found)
    }

    /// A function by name and, if they are given, the types of its arguments. `word` is what the statement calls it.
    pub(super) fn find_routine(
        &mut self,
        cursor: &mut Cursor<'_>,
        word: &str,
    ) -> Result<std::result::Result<Oid, SqlError>> {
        let (schema, name) = cursor.name()?;
        let bracket = cursor.peek().is_some_and(|token| token.token == Token::LParen);
        let from = cursor.at;
        let given = if bracket { Some(self.routine_arguments(cursor)?) } else { None };
        let modes = names_mode(&cursor.tokens[from..cursor.at]);
        let inputs: Option<Vec<Type>> = given.map(|arguments| {
            arguments.iter().filter(|argument| argument.is_input()).map(|argument| argument.type_).collect()
        });
        let schemas = match self.binder().schemas_for_function(schema.as_deref()) {
            Ok(schemas) => schemas,
            Err(missing) => return Ok(Err(missing)),
        };
        let all: Vec<(Oid, &Routine)> = self
            .catalog
            .routines()
            .filter(|(_, known)| known.name == name && schemas.contains(&known.schema))
            .collect();
        let systems = schema.as_deref().is_none_or(|schema| schema == "pg_catalog");
        if all.is_empty() && systems && !crate::functions::overloads(&name).is_empty() {
            return Ok(Err(super::privilege::denied(format!("must be owner of function {name}"))));
        }
        let shown = schema.map_or_else(|| name.clone(), |schema| format!("{schema}.{name}"));
        Ok(match (&inputs, &all[..]) {
            (None, [(only, _)]) => Ok(*only),
            (None, []) => Err(SqlError::new(
                SqlState::UNDEFINED_FUNCTION,
                format!("could not find a function named \"{shown}\""),
            )),
            (None, _) => Err(SqlError::new(
                SqlState::AMBIGUOUS_FUNCTION,
                format!("function name \"{shown}\" is not unique"),
            )
            .hint("Specify the argument list to select the function unambiguously.")),
            (Some(inputs), all) => {
                let of = |known: &Routine, counts: fn(&&Argument) -> bool| {
                    let arguments = known.arguments.iter().filter(counts);
                    arguments.map(|argument| argument.type_).eq(inputs.iter().copied())
                };
                let mut found = all.iter().find(|(_, known)| of(known, |argument| argument.is_input()));
                // The list may also have the types of what a procedure returns.
                let whole = match word {
                    "procedure" | "routine" if !modes => all.iter().find(|(_, known)| {
                        (known.procedure || word == "routine") && of(known, |argument| argument.mode != 't')
                    }),
                    _ => None,
                };
                if let (Some((one, _)), Some((other, _))) = (found, whole)
                    && one != other
                {
                    let message = format!("{word} name \"{shown}\" is not unique");
                    return Ok(Err(SqlError::new(SqlState::AMBIGUOUS_FUNCTION, message)));
                }
                found = found.or(whole);
                let types: Vec<String> =
                    inputs.iter().map(|type_| self.catalog.type_name(*type_, -1)).collect();
                let message = format!("function {shown}({}) does not exist", types.join(", "));
                found.map(|(oid, _)| *oid).ok_or_else(|| SqlError::new(SqlState::UNDEFINED_FUNCTION, message))
            }
        })
    }
}

/// Whether a list of arguments says which of them are results.
fn names_mode(list: &[TokenWithSpan]) -> bool {
    let modes = ["in", "out", "inout", "variadic"];
    list.windows(2).any(|pair| {
        matches!(pair[0].token, Token::LParen | Token::Comma)
            && modes.iter().any(|mode| is_word(&pair[1], mode))
    })
}
