//! `CREATE OPERATOR` and `ALTER OPERATOR`.

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use crate::catalog::{Object, Oid, OwnOperator, RecordedKind};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::tree::Expr;
use crate::types::Type;

/// What the brackets of a definition say.
#[derive(Default)]
struct Parameters {
    left: Option<Type>,
    right: Option<Type>,
    function: Option<(Option<String>, String)>,
    /// What the planner of a server would use, by its word.
    hints: Vec<(String, String)>,
}

/// Reads the name of an operator up to the bracket after it: as written, its schema, and its symbol.
pub(super) fn operator_name(cursor: &mut Cursor<'_>) -> (String, Option<String>, String) {
    let from = cursor.at;
    while cursor.peek().is_some_and(|token| token.token != Token::LParen) {
        cursor.at += 1;
    }
    let written = cursor.text(from, cursor.at).replace(' ', "");
    match written.rsplit_once('.') {
        Some((schema, symbol)) => {
            let (schema, symbol) = (schema.trim_matches('"').to_owned(), symbol.to_owned());
            (written, Some(schema), symbol)
        }
        None => (written.clone(), None, written),
    }
}

impl Engine<'_> {
    /// `CREATE OPERATOR`, after these words.
    pub(super) fn create_operator(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let start = cursor.at;
        let (_, schema, symbol) = operator_name(cursor);
        let signs = |symbol: &str| symbol.chars().all(|sign| "+-*/<>=~!@#%^&|`?".contains(sign));
        if symbol.is_empty() || !signs(&symbol) {
            cursor.at = start;
            return Err(cursor.unexpected());
        }
        let schema = self.creation_schema(schema.as_deref())?;
        let parameters = self.operator_parameters(cursor)?;
        cursor.finish()?;
        let (called_schema, called) =
            parameters.function.ok_or_else(|| invalid("operator function must be specified"))?;
        let right = match (parameters.left, parameters.right) {
            (None, None) => return Err(invalid("operator argument types must be specified")),
            (Some(_), None) => {
                let error = invalid("operator right argument type must be specified");
                return Err(error.detail("Postfix operators are not supported."));
            }
            (_, Some(right)) => right,
        };
        let types: Vec<Type> = parameters.left.into_iter().chain([right]).collect();
        let function = self.function_of_operands((called_schema.as_deref(), &called), &types)?;
        let same = |known: &OwnOperator<'_>| {
            (known.symbol, known.schema, known.left, known.right)
                == (symbol.as_str(), schema, parameters.left, right)
        };
        if self.catalog.own_operators().any(|known| same(&known)) {
            let message = format!("operator {symbol} already exists");
            return Err(SqlError::new(SqlState::DUPLICATE_FUNCTION, message));
        }
        let mut recorded = self.new_recorded(RecordedKind::Operator, symbol);
        (recorded.schema, recorded.of) = (Some(schema), Some(function));
        let operands = [("left", parameters.left), ("right", Some(right))].into_iter();
        let operands = operands.filter_map(|(word, type_)| Some((word.to_owned(), type_?.0.to_string())));
        recorded.words = operands.chain(parameters.hints).collect();
        self.record(recorded);
        Ok(Done::command("CREATE OPERATOR"))
    }

    /// The function that an operator with operands of these types calls.
    fn function_of_operands(&self, (schema, called): (Option<&str>, &str), types: &[Type]) -> Result<Oid> {
        let arguments = types.iter().map(|type_| Expr::literal(rusqlite::types::Value::Null, *type_));
        let mut binder = self.binder();
        binder.only_check();
        let found = match binder.function_of_types(schema, called, arguments.collect()) {
            Err(error) if error.code == SqlState::UNDEFINED_FUNCTION => None,
            found => found?,
        };
        match found {
            Some((Some(function), ..)) => Ok(function),
            Some((None, ..)) => {
                Err(SqlError::unsupported(format!("CREATE OPERATOR with the system's function {called}")))
            }
            None => {
                let shown = types.iter().map(|type_| self.catalog.type_name(*type_, -1));
                let shown = shown.collect::<Vec<_>>().join(", ");
                let name = schema.map_or_else(|| called.to_owned(), |schema| format!("{schema}.{called}"));
                let message = format!("function {name}({shown}) does not exist");
                Err(SqlError::new(SqlState::UNDEFINED_FUNCTION, message))
            }
        }
    }

    fn operator_parameters(&mut self, cursor: &mut Cursor<'_>) -> Result<Parameters> {
        let mut parameters = Parameters::default();
        cursor.expect(&Token::LParen)?;
        loop {
            let name = cursor.ident()?;
            let given = cursor.token(&Token::Eq);
            match name.as_str() {
                "leftarg" => parameters.left = Some(self.type_of(cursor)?.base),
                "rightarg" => parameters.right = Some(self.type_of(cursor)?.base),
                "function" | "procedure" => parameters.function = Some(cursor.name()?),
                "hashes" | "merges" | "commutator" | "negator" | "restrict" | "join" => {
                    let value = if given { value(cursor) } else { String::new() };
                    parameters.hints.push((name, value));
                }
                _ => {
                    let message = format!("operator attribute \"{name}\" not recognized");
                    self.report("WARNING", &SqlError::new(SqlState::SYNTAX_ERROR, message))?;
                    value(cursor);
                }
            }
            if !cursor.token(&Token::Comma) {
                break;
            }
        }
        cursor.expect(&Token::RParen).map(|()| parameters)
    }

    /// `ALTER OPERATOR`, after these words.
    pub(super) fn alter_operator(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let oid = self.operator_named(cursor, false)??;
        self.require_object_owner(oid)?;
        if cursor.words("owner to") {
            let owner = self.new_owner(cursor)?;
            self.give_object(oid, &owner);
        } else if cursor.words("set schema") {
            let schema = cursor.ident()?;
            let schema = self.creation_schema(Some(&schema))?;
            if let Some(Object::Recorded(recorded)) = self.catalog_mut().objects.get_mut(&oid) {
                recorded.schema = Some(schema);
            }
        } else {
            cursor.expect_word("set")?;
            cursor.skip_brackets()?;
        }
        cursor.finish()?;
        Ok(Done::command("ALTER OPERATOR"))
    }

    /// An operator by its symbol and the types of its operands.
    pub(super) fn own_operator(
        &self,
        schema: Option<&str>,
        symbol: &str,
        left: Option<Type>,
        right: Type,
    ) -> Option<Oid> {
        let schemas = match schema {
            Some(schema) => self.catalog.schema_named(schema).into_iter().collect(),
            None => self.binder().search_path(),
        };
        let mut all = self.catalog.own_operators();
        let found = all.find(|known| {
            (known.symbol, known.left, known.right) == (symbol, left, right)
                && schemas.contains(&known.schema)
        });
        found.map(|known| known.oid)
    }

    /// An operator's symbol, with its schema if that is not searched.
    pub(super) fn shown_operator(&self, operator: &OwnOperator<'_>) -> String {
        match self.binder().search_path().contains(&operator.schema) {
            true => operator.symbol.to_owned(),
            false => format!("{}.{}", self.catalog.schema_name(operator.schema), operator.symbol),
        }
    }
}

/// The value of a parameter as written: a name, or an operator with or without its word.
fn value(cursor: &mut Cursor<'_>) -> String {
    let from = cursor.at;
    let mut depth = 0;
    while let Some(token) = cursor.peek() {
        match token.token {
            Token::Comma | Token::RParen if depth == 0 => break,
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            _ => {}
        }
        cursor.at += 1;
    }
    cursor.text(from, cursor.at)
}

fn invalid(message: &str) -> SqlError {
    SqlError::new(SqlState::new("42P13"), message)
}
