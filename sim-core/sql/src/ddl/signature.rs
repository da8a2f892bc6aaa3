//! What the parameters and the result of a routine must be: of a new one, and of one that replaces another.

use sqlparser::tokenizer::{Token, TokenWithSpan};

use crate::bind::{Clause, Scope};
use crate::cast::Context;
use crate::catalog::{Argument, Catalog, Oid, Routine};
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;
use crate::source::{Source, is_word};
use crate::types::Type;

impl Engine<'_> {
    /// Refuses a routine that differs from the one it replaces in what its callers rely on.
    pub(super) fn require_replaceable(&self, oid: Oid, before: &Routine, routine: &Routine) -> Result<()> {
        let word = before.word().to_uppercase();
        let refused = |message: String| {
            refused(message).hint(format!("Use DROP {word} {} first.", self.signature(oid)))
        };
        if before.word() != routine.word() {
            let article = if before.aggregation.is_some() { "an" } else { "a" };
            let error = SqlError::new(SqlState::WRONG_OBJECT_TYPE, "cannot change routine kind");
            return Err(error.detail(format!("\"{}\" is {article} {}.", before.name, kind_of(before))));
        }
        let (had, has) = (results(before), results(routine));
        let result = |routine: &Routine| match routine.procedure {
            true => (Type::VOID, results(routine).is_empty()),
            false => (routine.returns, routine.returns_set),
        };
        if result(before) != result(routine) {
            return Err(refused(match before.procedure {
                true => "cannot change whether a procedure has output parameters".to_owned(),
                false => "cannot change return type of existing function".to_owned(),
            }));
        }
        if (before.procedure || before.returns == Type::RECORD) && had != has {
            let error = refused("cannot change return type of existing function".to_owned());
            return Err(error.detail("Row type defined by OUT parameters is different."));
        }
        for (before, now) in before.inputs().zip(routine.inputs()) {
            if let Some(name) = before.name.as_ref().filter(|_| before.name != now.name) {
                return Err(refused(format!("cannot change name of input parameter \"{name}\"")));
            }
        }
        let defaults = |routine: &Routine| routine.inputs().filter(|input| input.default.is_some()).count();
        if defaults(routine) < defaults(before) {
            return Err(refused("cannot remove parameter defaults from existing function".to_owned()));
        }
        Ok(())
    }

    /// Refuses a default that its parameter can't take. What this engine can't read yet is left to the calls.
    pub(super) fn check_defaults(&self, routine: &Routine) -> Result<()> {
        for input in routine.inputs() {
            let Some(default) = input.default.as_ref().filter(|_| !input.type_.is_polymorphic()) else {
                continue;
            };
            if has_query(default) {
                let message = "cannot use subquery in DEFAULT expression";
                return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
            }
            let mut binder = self.binder();
            let bound = binder.stored(default, |binder| {
                let parsed = binder.source.expression()?;
                let bound = binder.expr_in(Clause::Default, &Scope::default(), &parsed)?;
                let given = bound.type_;
                Ok(binder.coerce(bound, input.type_.plain(), Context::Assignment)?.ok_or(given))
            });
            match bound {
                Ok(Ok(_)) => {}
                Ok(Err(given)) => {
                    let name = |type_| self.catalog.type_name(type_, -1);
                    let (wanted, given) = (name(input.type_), name(given));
                    let message = format!("argument of DEFAULT must be type {wanted}, not type {given}");
                    return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message));
                }
                Err(error) if error.message.ends_with("not supported") => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Refuses a result that the `OUT` parameters contradict.
    pub(super) fn check_returned(&self, routine: &Routine) -> Result<()> {
        let implied = implied_result(&routine.arguments);
        let declares = routine.arguments.iter().any(|argument| matches!(argument.mode, 'o' | 'b'));
        if !declares || routine.returns == implied {
            return Ok(());
        }
        let implied = self.catalog.type_name(implied, -1);
        Err(refused(format!("function result type must be {implied} because of OUT parameters")))
    }
}

/// Whether an expression contains a query.
fn has_query(expression: &str) -> bool {
    let tokens = Source::stored(expression).tokens().unwrap_or_default();
    let begins = |two: &[TokenWithSpan]| {
        two[0].token == Token::LParen
            && ["select", "with", "values"].iter().any(|word| is_word(&two[1], word))
    };
    tokens.windows(2).any(begins)
}

/// The columns of the result, by name and type.
fn results(routine: &Routine) -> Vec<(Option<&str>, Type)> {
    let results = routine.arguments.iter().filter(|argument| matches!(argument.mode, 'o' | 'b' | 't'));
    results.map(|result| (result.name.as_deref(), result.type_)).collect()
}

fn refused(message: impl Into<String>) -> SqlError {
    SqlError::new(SqlState::new("42P13"), message)
}

/// Refuses a function that says nothing about its result.
pub(super) fn require_result(routine: &Routine) -> Result<()> {
    let declares = routine.arguments.iter().any(|argument| matches!(argument.mode, 'o' | 'b'));
    if routine.procedure || declares {
        return Ok(());
    }
    Err(refused("function result type must be specified"))
}

/// Refuses parameters that contradict each other.
pub(super) fn check_parameters(routine: &Routine) -> Result<()> {
    let (mut collects, mut defaults) = (false, false);
    for (index, argument) in routine.arguments.iter().enumerate() {
        if argument.is_input() && collects {
            return Err(refused("VARIADIC parameter must be the last input parameter"));
        }
        if routine.procedure && argument.mode == 'o' && defaults {
            return Err(refused("procedure OUT parameters cannot appear after one with a default value"));
        }
        if argument.mode == 'v' {
            collects = true;
            let list = argument.type_.element().is_some() || argument.type_ == Type::ANY;
            if !list && !matches!(argument.type_, Type::ANYARRAY | Type::ANYCOMPATIBLEARRAY) {
                return Err(refused("VARIADIC parameter must be an array"));
            }
        }
        let same = |before: &&Argument| before.name == argument.name && meet(before, argument, routine);
        if let Some(name) = &argument.name
            && routine.arguments[..index].iter().any(|before| same(&before))
        {
            return Err(refused(format!("parameter name \"{name}\" used more than once")));
        }
        if argument.default.is_some() && !argument.is_input() {
            return Err(refused("only input parameters can have default values"));
        }
        if argument.is_input() && defaults && argument.default.is_none() {
            return Err(refused("input parameters after one with a default value must also have defaults"));
        }
        defaults |= argument.default.is_some();
    }
    Ok(())
}

/// Whether two parameters can't have one name. In PL/pgSQL all of them are variables.
fn meet(one: &Argument, other: &Argument, routine: &Routine) -> bool {
    let in_only = |argument: &Argument| matches!(argument.mode, 'i' | 'v');
    let out_only = |argument: &Argument| matches!(argument.mode, 'o' | 't');
    let apart = in_only(one) && out_only(other) || out_only(one) && in_only(other);
    !apart || routine.language == "plpgsql"
}

/// Refuses types that the language has no values of.
pub(super) fn check_types(routine: &Routine, catalog: &Catalog) -> Result<()> {
    let name = |type_: Type| catalog.type_name(type_, -1);
    let pseudo = |type_: Type| type_.is_pseudo() && !name(type_).starts_with("any");
    let inputs = routine.inputs().map(|input| input.type_);
    match routine.language.as_str() {
        "sql" => {
            let allowed = [Type::VOID, Type::RECORD];
            if pseudo(routine.returns) && !allowed.contains(&routine.returns) {
                return Err(refused(format!("SQL functions cannot return type {}", name(routine.returns))));
            }
            let mut wrong = inputs.filter(|type_| pseudo(*type_));
            wrong.next().map_or(Ok(()), |type_| {
                Err(refused(format!("SQL functions cannot have arguments of type {}", name(type_))))
            })
        }
        "plpgsql" => {
            let unsupported = |message| Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
            let allowed = [Type::VOID, Type::RECORD, Type::TRIGGER, Type::EVENT_TRIGGER];
            if pseudo(routine.returns) && !allowed.contains(&routine.returns) {
                return unsupported(format!(
                    "PL/pgSQL functions cannot return type {}",
                    name(routine.returns)
                ));
            }
            let fired = [(Type::TRIGGER, "trigger"), (Type::EVENT_TRIGGER, "event trigger")];
            let fired = fired.iter().find(|(type_, _)| *type_ == routine.returns);
            if let Some((_, word)) = fired.filter(|_| routine.inputs().next().is_some()) {
                let error = refused(format!("{word} functions cannot have declared arguments"));
                let compiled = format!("compilation of PL/pgSQL function \"{}\" near line 1", routine.name);
                let error = error.inside(&compiled);
                return Err(match *word {
                    "trigger" => error.hint(
                        "The arguments of the trigger can be accessed through TG_NARGS and TG_ARGV instead.",
                    ),
                    _ => error,
                });
            }
            let mut wrong = inputs.filter(|type_| pseudo(*type_) && *type_ != Type::RECORD);
            wrong.next().map_or(Ok(()), |type_| {
                unsupported(format!("PL/pgSQL functions cannot accept type {}", name(type_)))
            })
        }
        _ => Ok(()),
    }
}

/// The result type of a function that declares it only by its `OUT` arguments.
pub(super) fn implied_result(arguments: &[Argument]) -> Type {
    let outputs: Vec<Type> = arguments
        .iter()
        .filter(|argument| matches!(argument.mode, 'o' | 'b'))
        .map(|argument| argument.type_)
        .collect();
    match outputs[..] {
        [] => Type::VOID,
        [only] => only,
        _ => Type::RECORD,
    }
}

/// What an error calls a routine.
fn kind_of(routine: &Routine) -> &'static str {
    if routine.aggregation.is_some() { "aggregate function" } else { routine.word() }
}

/// Refuses a result of a type that no argument determines.
pub(super) fn check_placeholders(routine: &Routine, catalog: &Catalog) -> Result<()> {
    let of_ranges = |type_: Type| {
        matches!(
            type_,
            Type::ANYRANGE | Type::ANYMULTIRANGE | Type::ANYCOMPATIBLERANGE | Type::ANYCOMPATIBLEMULTIRANGE
        )
    };
    let determines = |result: Type| {
        routine.inputs().any(|input| {
            input.type_.is_polymorphic()
                && input.type_.is_compatible_placeholder() == result.is_compatible_placeholder()
                && (!of_ranges(result) || of_ranges(input.type_))
        })
    };
    let mut results = routine.arguments.iter().filter(|argument| !argument.is_input());
    let asks = |type_: Type| type_.is_polymorphic() && !determines(type_);
    let undetermined = match asks(routine.returns) {
        true => Some(routine.returns),
        false => results.find(|result| asks(result.type_)).map(|result| result.type_),
    };
    let Some(result) = undetermined else { return Ok(()) };
    let error = SqlError::new(SqlState::new("42P13"), "cannot determine result data type");
    let simple = "anyelement, anyarray, anynonarray, anyenum, anyrange, or anymultirange";
    let compatible = "anycompatible, anycompatiblearray, anycompatiblenonarray, anycompatiblerange, or anycompatiblemultirange";
    let wanted = match result {
        Type::ANYRANGE | Type::ANYMULTIRANGE => "anyrange or anymultirange",
        Type::ANYCOMPATIBLERANGE | Type::ANYCOMPATIBLEMULTIRANGE => {
            "anycompatiblerange or anycompatiblemultirange"
        }
        result if result.is_compatible_placeholder() => compatible,
        _ => simple,
    };
    let result = catalog.type_name(result, -1);
    Err(error.detail(format!("A result of type {result} requires at least one input of type {wanted}.")))
}
