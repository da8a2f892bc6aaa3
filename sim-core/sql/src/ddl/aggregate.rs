//! Aggregates of a project: `CREATE AGGREGATE`. They run in `plpgsql/aggregate.rs`.

use rusqlite::types::Value;
use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use crate::catalog::{Aggregation, Argument, Oid, Part, Routine, of_element, quote_identifier};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::tree::Expr;
use crate::types::Type;

/// Parameters that change how PostgreSQL computes an aggregate, and not what comes out.
const WITHOUT_EFFECT: [&str; 14] = [
    "combinefunc",
    "serialfunc",
    "deserialfunc",
    "parallel",
    "sspace",
    "msspace",
    "msfunc",
    "minvfunc",
    "mstype",
    "mfinalfunc",
    "mfinalfunc_extra",
    "minitcond",
    "finalfunc_modify",
    "mfinalfunc_modify",
];

/// What the brackets of the definition say.
#[derive(Default)]
struct Parameters {
    base: Option<Type>,
    step: Option<(Option<String>, String)>,
    state: Option<Type>,
    finish: Option<(Option<String>, String)>,
    finish_extra: bool,
    initial: Option<String>,
}

impl Engine<'_> {
    pub(super) fn create_aggregate(&mut self, cursor: &mut Cursor<'_>, replace: bool) -> Result<Done> {
        let (schema, name) = cursor.name()?;
        let schema = self.creation_schema(schema.as_deref())?;
        let arguments = self.aggregate_arguments(cursor)?;
        let parameters = self.aggregate_parameters(cursor)?;
        let arguments = match (arguments, parameters.base) {
            (Some(arguments), _) => arguments,
            (None, Some(base)) => vec![Argument { name: None, type_: base, mode: 'i', default: None }],
            (None, None) => return Err(undefined("aggregate input type must be specified")),
        };
        let state = parameters.state.ok_or_else(|| undefined("aggregate stype must be specified"))?;
        let step = parameters.step.ok_or_else(|| undefined("aggregate sfunc must be specified"))?;
        if state.is_polymorphic() && !arguments.iter().any(|argument| argument.type_.is_polymorphic()) {
            let declared = self.catalog.type_name(state, -1);
            return Err(undefined("cannot determine transition data type").detail(format!(
                "A result of type {declared} requires at least one input of type anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange."
            )));
        }
        let mut types: Vec<Type> = vec![state];
        types.extend(arguments.iter().filter(|argument| argument.is_input()).map(|argument| argument.type_));
        let (step, next) = self.function_part(&step, &types)?;
        if next != of_element(state, Type::TEXT) {
            let declared = self.catalog.type_name(state, -1);
            let message = format!("return type of transition function {} is not {declared}", step.name);
            return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message));
        }
        let begins = types.get(1).is_some_and(|first| *first == state);
        if step.strict && parameters.initial.is_none() && !begins {
            return Err(undefined(
                "must not omit initial value when transition function is strict and transition type is not compatible with input type",
            ));
        }
        let (finish, returns) = match parameters.finish {
            Some(finish) => {
                let types = if parameters.finish_extra { &types[..] } else { &types[..1] };
                let (finish, returns) = self.function_part(&finish, types)?;
                // A placeholder was tried with texts.
                let placeholder = |type_: Type| of_element(type_, Type::TEXT) == returns && type_ != returns;
                let returns = types.iter().copied().find(|type_| placeholder(*type_)).unwrap_or(returns);
                (Some(finish), returns)
            }
            None => (None, state),
        };
        let aggregation = Aggregation {
            step,
            state,
            initial: parameters.initial,
            finish,
            finish_extra: parameters.finish_extra,
        };
        if let Some(initial) = aggregation.initial.clone().filter(|_| !state.is_polymorphic()) {
            // An initial value that can't be read is an error here, not at the first call.
            self.binder().literal(&initial, state.plain())?;
        }
        let routine = Routine {
            arguments,
            returns,
            aggregation: Some(aggregation),
            ..Routine::new(schema, name, self.settings.role.to_string())
        };
        self.enter_routine(routine, replace)?;
        Ok(Done::command("CREATE AGGREGATE"))
    }

    /// The arguments in brackets; `None` for the old form, in which only the second brackets follow.
    fn aggregate_arguments(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<Vec<Argument>>> {
        let start = cursor.at;
        cursor.expect(&Token::LParen)?;
        if cursor.token(&Token::Mul) {
            cursor.expect(&Token::RParen)?;
            return Ok(Some(Vec::new()));
        }
        let equals = cursor.tokens.get(cursor.at + 1).is_some_and(|token| token.token == Token::Eq);
        cursor.at = start;
        if equals {
            return Ok(None);
        }
        let arguments = self.routine_arguments(cursor)?;
        if arguments.iter().any(|argument| argument.mode != 'i') {
            return Err(SqlError::unsupported("an aggregate with OUT or VARIADIC arguments"));
        }
        Ok(Some(arguments))
    }

    fn aggregate_parameters(&mut self, cursor: &mut Cursor<'_>) -> Result<Parameters> {
        let mut parameters = Parameters::default();
        cursor.expect(&Token::LParen)?;
        loop {
            let name = cursor.ident()?;
            let given = cursor.token(&Token::Eq);
            match name.as_str() {
                "sfunc" | "sfunc1" => parameters.step = Some(cursor.name()?),
                "stype" | "stype1" => parameters.state = Some(self.type_of(cursor)?.base),
                "finalfunc" => parameters.finish = Some(cursor.name()?),
                "initcond" | "initcond1" => {
                    parameters.initial = Some(cursor.string().or_else(|_| {
                        let from = cursor.at;
                        cursor.at += 1;
                        Ok::<_, SqlError>(cursor.text(from, cursor.at))
                    })?);
                }
                "basetype" => parameters.base = Some(self.type_of(cursor)?.base),
                "finalfunc_extra" => parameters.finish_extra = true,
                "sortop" | "hypothetical" => {
                    return Err(SqlError::unsupported(format!("{} of an aggregate", name.to_uppercase())));
                }
                known if WITHOUT_EFFECT.contains(&known) => {
                    if given {
                        skip_value(cursor);
                    }
                }
                _ => return Err(undefined(format!("aggregate attribute \"{name}\" not recognized"))),
            }
            if !cursor.token(&Token::Comma) {
                break;
            }
        }
        cursor.expect(&Token::RParen).map(|()| parameters)
    }

    /// A function of an aggregate, and the type that it returns. Placeholders are tried with texts.
    fn function_part(
        &self,
        (schema, name): &(Option<String>, String),
        types: &[Type],
    ) -> Result<(Part, Type)> {
        let tried: Vec<Type> = types.iter().map(|type_| of_element(*type_, Type::TEXT)).collect();
        let arguments = tried.iter().map(|type_| Expr::literal(Value::Null, *type_)).collect();
        let mut binder = self.binder();
        binder.only_check();
        let found = match binder.function_of_types(schema.as_deref(), name, arguments) {
            Err(error) if error.code == SqlState::UNDEFINED_FUNCTION && tried != types => None,
            found => found?,
        };
        // A function of PostgreSQL's takes no placeholder for another.
        let compatible = |type_: &Type| type_.is_compatible_placeholder();
        let takes = COMPATIBLE.contains(&name.as_str()) && types.iter().all(compatible);
        let found = found.filter(|(routine, ..)| routine.is_some() || tried == types || takes);
        let Some((routine, strict, returns)) = found else {
            let shown: Vec<String> = types.iter().map(|type_| self.catalog.type_name(*type_, -1)).collect();
            let message = format!("function {name}({}) does not exist", shown.join(", "));
            return Err(SqlError::new(SqlState::UNDEFINED_FUNCTION, message));
        };
        let schema = match routine.and_then(|oid| self.catalog.routine(oid)) {
            Some(routine) => self.catalog.schema_name(routine.schema),
            None => "pg_catalog",
        };
        let name = format!("{}.{}", quote_identifier(schema), quote_identifier(name));
        Ok((Part { name, routine, strict }, returns))
    }
}

impl Aggregation {
    /// The project's functions that it calls.
    pub(crate) fn routines(&self) -> impl Iterator<Item = Oid> {
        [Some(&self.step), self.finish.as_ref()].into_iter().flatten().filter_map(|part| part.routine)
    }
}

/// Functions of PostgreSQL's whose arguments are placeholders for compatible types.
const COMPATIBLE: [&str; 5] = ["array_append", "array_cat", "array_prepend", "array_remove", "array_replace"];

fn undefined(message: impl Into<String>) -> SqlError {
    SqlError::new(SqlState::new("42P13"), message)
}

/// Skips the value of a parameter: words, a number or a text.
fn skip_value(cursor: &mut Cursor<'_>) {
    while cursor.peek().is_some_and(|token| !matches!(token.token, Token::Comma | Token::RParen)) {
        cursor.at += 1;
    }
}
