//! Functions and procedures. They are stored in the catalog. A function in SQL is expanded where it is called.

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::cursor::Cursor;
use super::signature::{check_parameters, check_placeholders, check_types, implied_result, require_result};
use crate::bind::Scope;
use crate::cast::Context;
use crate::catalog::{Argument, Object, Oid, Routine, Settled, quote_literal};
use crate::describe;
use crate::error::{Result, SqlError, SqlState};
use crate::functions::is_no_bare_name;
use crate::parameters;
use crate::run::{Done, Engine, outside_brackets};
use crate::security::acl::Guarded;
use crate::source::{Source, is_word};
use crate::tree::Expr;
use crate::types::{Modified, Type};

/// How many arguments a function has at most, as in PostgreSQL.
pub(crate) const ARGUMENTS_MAX: usize = 100;

impl Engine<'_> {
    pub(super) fn create_routine(
        &mut self,
        cursor: &mut Cursor<'_>,
        replace: bool,
        procedure: bool,
    ) -> Result<Done> {
        let (schema, name) = cursor.name()?;
        let schema = self.creation_schema(schema.as_deref())?;
        let tag = if procedure { "CREATE PROCEDURE" } else { "CREATE FUNCTION" };
        let arguments = self.routine_arguments(cursor).map_err(without_quotes)?;
        let owner = self.settings.role.to_string();
        let mut routine = Routine { procedure, arguments, ..Routine::new(schema, name, owner) };
        if routine.inputs().count() > ARGUMENTS_MAX {
            let message = format!("functions cannot have more than {ARGUMENTS_MAX} arguments");
            return Err(SqlError::new(SqlState::new("54023"), message));
        }
        let mut returns = false;
        if !procedure && cursor.is("returns") && !cursor.is_at(1, "null") {
            cursor.at += 1;
            returns = true;
            self.returns(cursor, &mut routine).map_err(without_place)?;
        }
        if !returns {
            routine.returns = implied_result(&routine.arguments);
        }
        let mut seen = Vec::new();
        while !cursor.is_end() {
            note_option(cursor, procedure, &mut seen)?;
            self.routine_option(cursor, &mut routine)?;
        }
        if routine.language.is_empty() && routine.settled.is_some() {
            "sql".clone_into(&mut routine.language);
        }
        if routine.language.is_empty() {
            return Err(SqlError::new(SqlState::new("42P13"), "no language specified"));
        }
        let known = match routine.language.as_str() {
            "sql" | "plpgsql" | "internal" | "c" => true,
            language => language == "plv8" && self.catalog.has_extension(language),
        };
        if !known {
            let message = format!("language \"{}\" does not exist", routine.language);
            return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
        }
        super::privilege::require_trusted_language(&routine.language)?;
        check_parameters(&routine)?;
        check_placeholders(&routine, &self.catalog)?;
        match returns {
            true => self.check_returned(&routine)?,
            false => require_result(&routine)?,
        }
        self.check_defaults(&routine)?;
        check_types(&routine, &self.catalog)?;
        if !seen.iter().any(|option| option == BODY) {
            return Err(SqlError::new(SqlState::new("42P13"), "no function body specified"));
        }
        self.settle_body(&mut routine)?;
        self.check_body(&routine).map_err(|error| match &self.frame {
            Some(_) if routine.language == "plpgsql" => error.nowhere(),
            _ => placed_in(cursor, &routine.body, error),
        })?;
        self.enter_routine(routine, replace)?;
        Ok(Done::command(tag))
    }

    /// Parses the body of a function in PL/pgSQL, and checks that the query of a function in SQL can be bound, as far as this
    /// engine knows the names in it.
    fn check_body(&self, routine: &Routine) -> Result<()> {
        let unchecked = self
            .settings
            .values
            .get("check_function_bodies")
            .is_some_and(|value| ["off", "false", "no", "0"].contains(&value.to_lowercase().as_str()));
        if routine.language == "plpgsql" && !unchecked {
            let body = crate::plpgsql::whole_body_of(routine)?;
            return self.check_declared_types(routine, &body);
        }
        if routine.language == "sql" && !unchecked {
            self.check_beginnings(routine)?;
        }
        // What the arguments of a call decide is checked when it is called.
        if routine.language != "sql" || unchecked || routine.is_polymorphic() {
            return Ok(());
        }
        let arguments =
            routine.inputs().map(|argument| Expr::literal(rusqlite::types::Value::Null, argument.type_));
        let mut binder = self.binder();
        binder.only_check();
        let query = match binder.expand(routine.clone(), arguments.collect()) {
            Ok(query) => query,
            Err(error)
                if matches!(
                    error.code,
                    SqlState::FEATURE_NOT_SUPPORTED | SqlState::UNDEFINED_FUNCTION | SqlState::TOO_COMPLEX
                ) && !self.is_certain(&error, &routine.name) =>
            {
                self.check_last_statement(routine)?;
                return self.check_names_in_body(routine, None);
            }
            Err(error) => {
                // The same error is found with its place.
                let placed = self.check_names_in_body(routine, Some(&error)).err();
                return Err(placed.filter(|placed| placed.message == error.message).unwrap_or(error));
            }
        };
        let given: Vec<Type> = query.columns.iter().map(|column| column.type_.base).collect();
        self.check_result(routine, &given)
    }

    /// Refuses a body in SQL with words that begin no statement, and one that ends in `SELECT INTO`, which returns no rows.
    fn check_beginnings(&self, routine: &Routine) -> Result<()> {
        let source = Source::sent(&routine.body);
        let statements = source.statements()?;
        for tokens in &statements {
            let Token::Word(word) = &tokens[0].token else { continue };
            let text = word.value.to_lowercase();
            let begins = BEGINNINGS.iter().chain(crate::plpgsql::SQL).any(|known| *known == text);
            if word.quote_style.is_some() || !begins {
                return Err(source.syntax_error_at(&tokens[0]));
            }
        }
        let last = statements.last().map_or(&[][..], Vec::as_slice);
        let selects = last.first().is_some_and(|first| is_word(first, "select"));
        let into = outside_brackets(last).into_iter().any(|token| is_word(token, "into"));
        if selects && into && routine.returns != Type::VOID && !routine.procedure {
            let detail = "Function's final statement must be SELECT or INSERT/UPDATE/DELETE RETURNING.";
            return Err(self.mismatch(routine, detail));
        }
        Ok(())
    }

    /// Refuses a body in SQL whose last statement returns no rows, although the function returns something.
    fn check_last_statement(&self, routine: &Routine) -> Result<()> {
        if routine.returns == Type::VOID || routine.procedure {
            return Ok(());
        }
        let statements = self.binder().stored(&routine.body, |binder| binder.source.statements())?;
        let last = statements.last().map_or(&[][..], Vec::as_slice);
        let begins = |word: &str| last.first().is_some_and(|first| is_word(first, word));
        let returns = last.iter().any(|token| is_word(token, "returning"));
        let changes = ["insert", "update", "delete"].into_iter().any(begins) && !returns;
        if changes || last.is_empty() || ["create", "drop", "alter", "truncate"].into_iter().any(begins) {
            let detail = "Function's final statement must be SELECT or INSERT/UPDATE/DELETE RETURNING.";
            return Err(self.mismatch(routine, detail));
        }
        Ok(())
    }

    /// Refuses a query in SQL with other columns than those that the function returns.
    fn check_result(&self, routine: &Routine, given: &[Type]) -> Result<()> {
        if routine.returns == Type::VOID {
            return Ok(());
        }
        let problem = match self.catalog.attributes(routine.returns) {
            Some(attributes) => {
                let wanted: Vec<Type> = attributes.iter().map(|attribute| attribute.type_.base).collect();
                self.problem_of_row(routine, given, &wanted)
            }
            None if routine.returns == Type::RECORD => {
                let outputs = routine.arguments.iter().filter(|one| matches!(one.mode, 'o' | 'b' | 't'));
                let wanted: Vec<Type> = outputs.map(|one| one.type_).collect();
                if wanted.is_empty() { None } else { self.problem_of_row(routine, given, &wanted) }
            }
            None => self.problem_of_value(routine, given),
        };
        problem.map_or(Ok(()), |detail| Err(self.mismatch(routine, &detail)))
    }

    fn problem_of_value(&self, routine: &Routine, given: &[Type]) -> Option<String> {
        let [only] = given else { return Some("Final statement must return exactly one column.".to_owned()) };
        let name = self.catalog.type_name(*only, -1);
        (!self.assignable(*only, routine.returns)).then(|| format!("Actual return type is {name}."))
    }

    fn problem_of_row(&self, routine: &Routine, given: &[Type], wanted: &[Type]) -> Option<String> {
        // A row may come as one value.
        if matches!(given, [only] if [Type::RECORD, routine.returns].contains(only)) {
            return None;
        }
        if given.len() != wanted.len() {
            let amount = if given.len() < wanted.len() { "few" } else { "many" };
            return Some(format!("Final statement returns too {amount} columns."));
        }
        let mut pairs = given.iter().zip(wanted).zip(1..);
        let ((given, wanted), number) =
            pairs.find(|((given, wanted), _)| !self.assignable(**given, **wanted))?;
        let (given, wanted) = (self.catalog.type_name(*given, -1), self.catalog.type_name(*wanted, -1));
        Some(format!("Final statement returns {given} instead of {wanted} at column {number}."))
    }

    fn assignable(&self, given: Type, wanted: Type) -> bool {
        self.binder().castable(given, wanted).is_some_and(|needed| needed <= Context::Assignment)
    }

    fn mismatch(&self, routine: &Routine, detail: &str) -> SqlError {
        let declared = self.catalog.type_name(routine.returns, -1);
        let message = format!("return type mismatch in function declared to return {declared}");
        let error = SqlError::new(SqlState::new("42P13"), message).detail(detail);
        error.within(&format!("SQL function \"{}\"", routine.name))
    }

    pub(super) fn enter_routine(&mut self, routine: Routine, replace: bool) -> Result<()> {
        let inputs: Vec<Type> = routine.inputs().map(|argument| argument.type_).collect();
        let existing = self.routine_with(routine.schema, &routine.name, &inputs);
        let mut routine = routine;
        let oid = existing.unwrap_or_else(|| self.new_oid());
        match self.catalog.objects.get(&oid) {
            Some(Object::Routine(_)) if !replace => {
                let message =
                    format!("function \"{}\" already exists with same argument types", routine.name);
                return Err(SqlError::new(SqlState::DUPLICATE_FUNCTION, message));
            }
            Some(Object::Routine(before)) => {
                self.catalog.require_owner(
                    &self.settings.role,
                    &before.owner,
                    before.word(),
                    &before.name,
                )?;
                self.require_replaceable(oid, before, &routine)?;
                (routine.owner, routine.acl) = (before.owner.clone(), before.acl.clone());
            }
            _ => routine.acl = self.catalog.default_acl(&routine.owner, routine.schema, Guarded::Routine),
        }
        self.catalog_mut().objects.insert(oid, Object::Routine(routine));
        Ok(())
    }

    /// Refuses another name or schema that a routine with the same parameters has.
    pub(super) fn require_free_name(&self, oid: Oid, routine: &Routine) -> Result<()> {
        let inputs: Vec<Type> = routine.inputs().map(|argument| argument.type_).collect();
        let same = self.routine_with(routine.schema, &routine.name, &inputs);
        if same.is_none_or(|same| same == oid) {
            return Ok(());
        }
        let types = inputs.iter().map(|type_| self.catalog.type_name(*type_, -1));
        let message = format!(
            "function {}({}) already exists in schema \"{}\"",
            routine.name,
            types.collect::<Vec<_>>().join(", "),
            self.catalog.schema_name(routine.schema)
        );
        Err(SqlError::new(SqlState::DUPLICATE_FUNCTION, message))
    }

    fn routine_with(&self, schema: Oid, name: &str, inputs: &[Type]) -> Option<Oid> {
        let mut named =
            self.catalog.routines().filter(|(_, known)| known.schema == schema && known.name == name);
        named
            .find(|(_, known)| known.inputs().map(|argument| argument.type_).eq(inputs.iter().copied()))
            .map(|(oid, _)| oid)
    }

    /// A function's name with the types of its arguments.
    pub(super) fn signature(&self, oid: Oid) -> String {
        let Some(Object::Routine(routine)) = self.catalog.objects.get(&oid) else { return String::new() };
        let types = routine.inputs().map(|argument| self.catalog.type_name(argument.type_, -1));
        let name = self.catalog.qualified(routine.schema, &routine.name);
        format!("{name}({})", types.collect::<Vec<_>>().join(","))
    }

    pub(super) fn routine_arguments(&mut self, cursor: &mut Cursor<'_>) -> Result<Vec<Argument>> {
        cursor.expect(&Token::LParen)?;
        if cursor.token(&Token::RParen) {
            return Ok(Vec::new());
        }
        let arguments = cursor.list(|cursor| self.argument(cursor))?;
        cursor.expect(&Token::RParen)?;
        Ok(arguments)
    }

    /// Reads a type, or the column whose type it is: `places.id%TYPE`.
    fn parameter_type(&self, cursor: &mut Cursor<'_>) -> Result<Modified> {
        let ahead = |at: usize| cursor.tokens.get(cursor.at + at).map(|token| &token.token);
        let names = 1 + (0..).take_while(|name| ahead(2 * name + 1) == Some(&Token::Period)).count();
        if ahead(2 * names - 1) != Some(&Token::Mod) || !cursor.is_at(2 * names, "type") {
            return self.type_of(cursor);
        }
        let mut path = vec![cursor.ident()?];
        while cursor.token(&Token::Period) {
            path.push(cursor.ident()?);
        }
        cursor.at += 2;
        let written = path.join(".");
        let column = path.pop().unwrap_or_default();
        let Some(table) = path.pop() else {
            cursor.at -= 2;
            return Err(cursor.unexpected());
        };
        let relation = self.binder().relation_by_name(path.pop().as_deref(), &table)?;
        let Some(column) = relation.column(&column) else {
            let message = format!("column \"{column}\" of relation \"{table}\" does not exist");
            return Err(SqlError::new(SqlState::UNDEFINED_COLUMN, message));
        };
        let shown = self.catalog.type_name(column.type_.base, -1);
        let message = format!("type reference {written}%TYPE converted to {shown}");
        self.report("NOTICE", &SqlError::new(SqlState::new("00000"), message))?;
        Ok(column.type_)
    }

    fn argument(&mut self, cursor: &mut Cursor<'_>) -> Result<Argument> {
        let mode = |cursor: &mut Cursor<'_>| {
            if cursor.word("inout") {
                'b'
            } else if cursor.word("out") {
                'o'
            } else if cursor.word("variadic") {
                'v'
            } else {
                cursor.word("in");
                'i'
            }
        };
        let mode = mode(cursor);
        let at = |ahead: usize| cursor.tokens.get(cursor.at + ahead).map(|token| &token.token);
        let of_set =
            |ahead: usize| cursor.is_at(ahead, "setof") && matches!(at(ahead + 1), Some(Token::Word(_)));
        if of_set(0) || of_set(1) {
            let message = "functions cannot accept set arguments";
            return Err(SqlError::new(SqlState::new("42P13"), message));
        }
        // A single word is a type. Several words are a name and a type, unless the type has several words.
        let start = cursor.at;
        let unnamed = self.parameter_type(cursor);
        let ended = |cursor: &Cursor<'_>| {
            cursor.is("default")
                || cursor.peek().is_none_or(|token| {
                    matches!(token.token, Token::Comma | Token::RParen | Token::Eq | Token::Assignment)
                })
        };
        let (name, type_) = match unnamed {
            Ok(type_) if ended(cursor) => (None, type_),
            Err(error) if error.code == SqlState::UNDEFINED_OBJECT && ended(cursor) => return Err(error),
            unnamed => {
                let end = std::mem::replace(&mut cursor.at, start);
                if is_keyword(cursor) {
                    // Of a type's name, what comes after it is wrong.
                    cursor.at = if unnamed.is_ok() { end } else { start };
                    return Err(cursor.unexpected());
                }
                let name = cursor.ident()?;
                (Some(name), self.parameter_type(cursor)?)
            }
        };
        let with_default =
            cursor.word("default") || cursor.token(&Token::Eq) || cursor.token(&Token::Assignment);
        let default = match with_default {
            true => {
                let written = cursor.expr()?;
                let shown = self.binder().shown(&Scope::default(), &written.expr, type_.base);
                Some(shown.unwrap_or(written.text))
            }
            false => None,
        };
        Ok(Argument { name, type_: type_.base, mode, default })
    }

    fn returns(&mut self, cursor: &mut Cursor<'_>, routine: &mut Routine) -> Result<()> {
        if cursor.word("table") {
            cursor.expect(&Token::LParen)?;
            let columns = cursor.list(|cursor| {
                if is_keyword(cursor) {
                    return Err(cursor.unexpected());
                }
                let name = cursor.ident()?;
                let type_ = self.parameter_type(cursor)?.base;
                Ok(Argument { name: Some(name), type_, mode: 't', default: None })
            })?;
            cursor.expect(&Token::RParen)?;
            if routine.arguments.iter().any(|argument| matches!(argument.mode, 'o' | 'b')) {
                let message = "OUT and INOUT arguments aren't allowed in TABLE functions";
                return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
            }
            routine.arguments.extend(columns);
            routine.returns_set = true;
            routine.returns = match &routine
                .arguments
                .iter()
                .filter(|argument| argument.mode == 't')
                .collect::<Vec<_>>()[..]
            {
                [only] => only.type_,
                _ => Type::RECORD,
            };
            return Ok(());
        }
        routine.returns_set = cursor.word("setof");
        routine.returns = self.parameter_type(cursor)?.base;
        Ok(())
    }

    pub(super) fn routine_option(&mut self, cursor: &mut Cursor<'_>, routine: &mut Routine) -> Result<()> {
        if cursor.word("language") {
            routine.language = cursor.ident().or_else(|_| cursor.string())?.to_lowercase();
        } else if cursor.word("immutable") {
            routine.volatility = 'i';
        } else if cursor.word("stable") {
            routine.volatility = 's';
        } else if cursor.word("volatile") {
            routine.volatility = 'v';
        } else if cursor.word("strict") || cursor.words("returns null on null input") {
            routine.strict = true;
        } else if cursor.words("called on null input") {
            routine.strict = false;
        } else if cursor.word("leakproof") {
            let message = "only superuser can define a leakproof function";
            return Err(super::privilege::denied(message));
        } else if cursor.words("not leakproof") {
            routine.leakproof = false;
        } else if cursor.word("window") {
        } else if cursor.words("external security definer") || cursor.words("security definer") {
            routine.security_definer = true;
        } else if cursor.words("security invoker") || cursor.words("external security invoker") {
            routine.security_definer = false;
        } else if cursor.word("parallel") {
            let word = cursor.ident()?;
            routine.parallel = match word.as_str() {
                "safe" => 's',
                "restricted" => 'r',
                "unsafe" => 'u',
                _ => {
                    let message = "parameter \"parallel\" must be SAFE, RESTRICTED, or UNSAFE";
                    return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
                }
            };
        } else if cursor.word("cost") {
            routine.cost = Some(estimate(cursor, "COST")?);
        } else if cursor.word("rows") {
            let rows = estimate(cursor, "ROWS")?;
            if !routine.returns_set {
                let message = "ROWS is not applicable when function does not return a set";
                return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
            }
            routine.rows = Some(rows);
        } else if cursor.word("support") {
            cursor.name()?;
        } else if cursor.word("set") {
            self.routine_setting(cursor, routine)?;
        } else if cursor.word("as") {
            routine.body = cursor.string()?;
            if cursor.token(&Token::Comma) {
                cursor.string()?;
            }
        } else if cursor.is("return") || cursor.is("begin") {
            if !["", "sql"].contains(&routine.language.as_str()) {
                let message = "inline SQL function body only valid for language SQL";
                return Err(SqlError::new(SqlState::new("42P13"), message));
            }
            let from = cursor.at;
            let all: &[TokenWithSpan] = cursor.rest();
            let _ = all;
            let text = cursor.text(from, cursor.at);
            routine.language = "sql".to_owned();
            let returned = text.get(..7).filter(|word| word.eq_ignore_ascii_case("return "));
            routine.body = match returned {
                Some(_) => format!("select {}", &text[7..]),
                None => atomic_body(&text),
            };
            routine.settled = Some(Box::new(Settled { returned: returned.is_some(), ..Settled::default() }));
        } else {
            return Err(cursor.unexpected());
        }
        Ok(())
    }

    fn routine_setting(&mut self, cursor: &mut Cursor<'_>, routine: &mut Routine) -> Result<()> {
        let (prefix, name) = cursor.name()?;
        let name = prefix.map_or_else(|| name.clone(), |prefix| format!("{prefix}.{name}"));
        if cursor.words("from current") {
            let name = name.to_lowercase();
            let value = describe::setting(&self.settings, &name).ok_or_else(|| parameters::unknown(&name))?;
            // A path is a list of names; other values are texts.
            let value = if name == "search_path" { value } else { quote_literal(&value) };
            routine.settings.push(format!("{name} TO {value}"));
            return Ok(());
        }
        let _ = cursor.token(&Token::Eq) || cursor.word("to");
        let from = cursor.at;
        cursor.list(|cursor| {
            cursor.at += 1;
            Ok(())
        })?;
        let value = cursor.text(from, cursor.at.min(cursor.tokens.len()));
        self.check_parameter(&name.to_lowercase(), &value)?;
        routine.settings.push(format!("{name} TO {value}"));
        Ok(())
    }
}

/// The words that begin statements, besides those that PL/pgSQL leaves to SQL.
const BEGINNINGS: &[&str] =
    &["analyse", "begin", "close", "commit", "declare", "end", "execute", "fetch", "move", "rollback"];

/// What stands for the body among the options of `CREATE FUNCTION`.
const BODY: &str = "as";

/// Notes an option of `CREATE FUNCTION`, which begins at the cursor. Refuses one that is there already, and one that procedures don't
/// have.
fn note_option(cursor: &Cursor<'_>, procedure: bool, seen: &mut Vec<String>) -> Result<()> {
    let Some(Token::Word(word)) = cursor.peek().map(|token| &token.token) else { return Ok(()) };
    let word = word.value.to_lowercase();
    let (option, of_functions) = match word.as_str() {
        "immutable" | "stable" | "volatile" => ("volatility", true),
        "strict" | "called" | "returns" => ("strict", true),
        "leakproof" | "not" => ("leakproof", true),
        "security" | "external" => ("security", false),
        "return" | "begin" | BODY => (BODY, false),
        "language" => ("language", false),
        "cost" | "rows" | "support" | "parallel" | "window" => (word.as_str(), true),
        _ => return Ok(()),
    };
    let refusal = |error: SqlError| Err(error.at(cursor.unexpected().position));
    if procedure && word == "returns" && !cursor.is_at(1, "null") {
        let next = cursor.tokens.get(cursor.at + 1);
        return Err(next.map_or_else(|| cursor.unexpected(), |next| cursor.source.syntax_error_at(next)));
    }
    if procedure && of_functions {
        return refusal(SqlError::new(SqlState::new("42P13"), "invalid attribute in procedure definition"));
    }
    if seen.iter().any(|known| known == option) {
        return refusal(SqlError::new(SqlState::SYNTAX_ERROR, "conflicting or redundant options"));
    }
    seen.push(option.to_owned());
    Ok(())
}

/// The error about an unknown type of a parameter, which has neither quotes nor a place.
fn without_quotes(error: SqlError) -> SqlError {
    let name = error.message.strip_prefix("type \"").and_then(|rest| rest.strip_suffix("\" does not exist"));
    match name.filter(|_| error.code == SqlState::UNDEFINED_OBJECT) {
        Some(name) => SqlError::new(error.code, format!("type {name} does not exist")),
        None => error,
    }
}

/// The error about an unknown type of the result has no place.
fn without_place(error: SqlError) -> SqlError {
    if error.code == SqlState::UNDEFINED_OBJECT { error.nowhere() } else { error }
}

/// A number of `COST` or `ROWS`.
fn estimate(cursor: &mut Cursor<'_>, word: &str) -> Result<f64> {
    let number = match cursor.peek().map(|token| &token.token) {
        Some(Token::Number(number, _)) => number.parse().ok(),
        _ => None,
    };
    let number: f64 = number.ok_or_else(|| cursor.unexpected())?;
    cursor.at += 1;
    if number <= 0.0 {
        let message = format!("{word} must be positive");
        return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
    }
    Ok(number)
}

/// The statements between `BEGIN ATOMIC` and `END`.
fn atomic_body(text: &str) -> String {
    let inner = text.trim_end().trim_end_matches(';').trim_end();
    let inner = inner.get(..inner.len().saturating_sub(3)).unwrap_or(inner);
    let mut words = inner.splitn(3, char::is_whitespace);
    let _ = (words.next(), words.next());
    words.next().unwrap_or("").to_owned()
}

/// Whether the next word names no parameter unless it is quoted.
fn is_keyword(cursor: &Cursor<'_>) -> bool {
    match cursor.peek().map(|token| &token.token) {
        Some(Token::Word(word)) if word.quote_style.is_none() => is_no_bare_name(&word.value.to_lowercase()),
        _ => false,
    }
}

/// The error about a body with its place in the statement, if the statement has the body as it is.
fn placed_in(cursor: &Cursor<'_>, body: &str, error: SqlError) -> SqlError {
    let written = cursor.tokens.windows(2).find(|pair| is_word(&pair[0], "as"));
    match written {
        Some([_, literal]) => cursor.source.placed_in(literal, body, error),
        _ => error.nowhere(),
    }
}
