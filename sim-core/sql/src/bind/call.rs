//! Calls of functions.

mod aggregate;
mod distinct;
mod hypothetical;
mod level;
mod operator;
mod resolve;
mod routine;
mod standard;
mod window;

pub(super) use level::{OuterAggregate, refuse_in, refuse_nested};
pub(crate) use operator::functions_of_operators;

use sqlparser::ast::{
    self, DuplicateTreatment, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArguments,
    Spanned as _,
};

use self::aggregate::is_of_both_kinds;
use super::{Binder, Clause, Scope};
use crate::ddl::{ARGUMENTS_MAX, functions_of};
use crate::error::{Result, SqlError, SqlState};
use crate::functions::{self, Kind};
use crate::readable::VARIADIC;
use crate::source::{self, name};
use crate::state::TRANSACTIONS;
use crate::tree::{Call, Expr, Field, Node};
use crate::types::Type;

/// Calls that are no functions, so that they are in no schema.
pub(super) const GRAMMAR: [&str; 5] = ["coalesce", "greatest", "grouping", "least", "nullif"];

/// The arguments of a call, as written.
#[derive(Default)]
pub(super) struct Given {
    pub(super) positional: Vec<Expr>,
    pub(super) named: Vec<(String, Expr)>,
    pub(super) wildcard: bool,
    pub(super) variadic: bool,
    /// Whether a positional argument comes after a named one.
    pub(super) misplaced: bool,
}

/// How the refusal of a call that returns a set begins. The clause follows.
const NO_SETS: &str = "set-returning functions are not allowed in";

impl Binder<'_> {
    /// Binds a call.
    pub(super) fn function(&mut self, scope: &Scope<'_>, function: &ast::Function) -> Result<Expr> {
        let at = self.place(function.name.span().start);
        self.function_at(scope, function).map_err(|error| error.at(at)).map(|expr| expr.at(at))
    }

    /// Whether the function belongs to an extension that was created in the schema.
    fn is_of_an_extension(&self, schema: Option<&str>, called: &str) -> bool {
        let Some(schema) = schema.and_then(|name| self.catalog.schema_named(name)) else { return false };
        let mut here = self.catalog.extensions().filter(|(_, known)| known.schema == schema);
        here.any(|(_, known)| functions_of(&known.name).any(|name| name == called))
    }

    fn function_at(&mut self, scope: &Scope<'_>, function: &ast::Function) -> Result<Expr> {
        let (schema, called) = source::schema_and_name(&function.name)?;
        if schema.as_deref() == Some("information_schema")
            && let Some(known) = self.standard_function(scope, &called, &function.args)?
        {
            return Ok(known);
        }
        if schema.is_some() && GRAMMAR.contains(&called.as_str()) {
            let types: Vec<Type> =
                self.given(scope, &function.args)?.positional.iter().map(|argument| argument.type_).collect();
            return Err(self.no_function(schema.as_deref(), &called, &types, &[]));
        }
        let builtin = matches!(schema.as_deref(), None | Some("pg_catalog" | "extensions"))
            || self.is_of_an_extension(schema.as_deref(), &called);
        if builtin && let Some(expr) = self.grammar_function(scope, &called, function)? {
            return Ok(expr);
        }
        if builtin && (called.starts_with("txid_current") || called.starts_with("pg_current_xact_id")) {
            self.once.asks_transaction()?;
        }
        if builtin && functions::transactions::reads_number(&called) {
            self.use_sequence(Some(TRANSACTIONS));
        }
        let is_aggregate = self.is_aggregate(builtin, schema.as_deref(), &called);
        // The arguments tell which one a name is that both an aggregate and another function have.
        let is_told = builtin && is_of_both_kinds(&called);
        let mut refused = None;
        if is_aggregate && !is_told && function.over.is_none() {
            refused = self.check_aggregate_allowed().err();
        }
        let before = self.clause;
        if is_aggregate && !is_told && function.over.is_none() {
            self.clause = Clause::Aggregate;
        }
        let given = self.given(scope, &function.args);
        self.clause = before;
        let mut given = given?;
        if builtin && called == "count" && given.count() == 0 && !given.wildcard {
            let message = "count(*) must be used to call a parameterless aggregate function";
            return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
        }
        if is_told && function.over.is_none() {
            refused = self.check_told_aggregate(&given).err();
        }
        if function.over.is_some() {
            let message = "window function calls cannot contain set-returning function calls";
            self.refuse_sets(&given.positional, message)?;
        }
        if is_aggregate
            && let Some((callee, arguments)) = self.user_routine(schema.as_deref(), &called, &given)?
            && callee.routine.aggregation.is_some()
        {
            let aggregate = self.own_aggregate(scope, &callee, arguments, function)?;
            return self.leveled(scope, aggregate, refused);
        }
        if builtin && let Some(rank) = self.hypothetical(scope, &called, &given.positional, function)? {
            return self.leveled(scope, rank, refused);
        }
        if builtin && let Some(row) = self.populated(&called, &given.positional)? {
            return Ok(row);
        }
        if builtin && let Some(rows) = self.populated_set(&called, &given.positional)? {
            return Ok(rows);
        }
        let within = function.within_group.iter();
        let within: Vec<Expr> = within.map(|order| self.expr(scope, &order.expr)).collect::<Result<_>>()?;
        given.positional.extend(within.iter().cloned());
        let qualified = schema.as_deref().map(|schema| format!("{schema}.{called}"));
        let bound = self.call_named(schema.as_deref(), &called, given);
        // A mistake in its condition comes before one in the call.
        if let (Err(_), Some(filter)) = (&bound, &function.filter) {
            self.condition_in(Clause::Filter, scope, filter)?;
        }
        let bound = bound?;
        let Some(mut bound) = bound.filter(|bound| qualified.is_none() || bound.type_ != Type::ANY) else {
            return Err(SqlError::new(
                SqlState::UNDEFINED_FUNCTION,
                format!("function {called} does not exist"),
            ));
        };
        self.decorate(scope, function, &mut bound)?;
        if is_aggregate && function.over.is_none() {
            bound = self.leveled(scope, bound, refused)?;
        }
        self.set_among_targets(bound)
    }

    /// Whether an expression has a call that returns a set.
    fn has_set(&self, expr: &Expr) -> bool {
        expr.any(&mut |part| self.is_set(part))
    }

    fn is_set(&self, part: &Expr) -> bool {
        matches!(part.node, Node::Column { source, .. } if self.set_calls.iter().any(|(call, _)| *call == source))
    }

    /// Refuses calls that return sets where an expression may not be computed for each row.
    pub(super) fn refuse_sets(&self, exprs: &[Expr], message: &str) -> Result<()> {
        let mut found = None;
        for expr in exprs {
            expr.any(&mut |part| {
                if self.is_set(part) {
                    found = Some(part.at.0);
                }
                false
            });
        }
        found.map_or(Ok(()), |at| Err(no_sets(message).at(at)))
    }

    /// Refuses a condition that returns a set.
    pub(super) fn refuse_set_of(&self, expr: &Expr, what: &str) -> Result<()> {
        if self.set_calls.is_empty() || !self.has_set(expr) {
            return Ok(());
        }
        let message = format!("argument of {what} must not return a set");
        Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message).at(expr.at.0))
    }

    /// Whether an expression is a call that returns a set.
    pub(crate) fn returns_set(&mut self, call: &ast::Expr) -> bool {
        let bound = self.expr_in(Clause::Values, &Scope::default(), call);
        bound.is_err_and(|error| error.message == format!("{NO_SETS} {}", Clause::Values.words()))
    }

    /// Refuses a call that returns a set in a clause that takes none.
    pub(super) fn check_set_allowed(&self) -> Result<()> {
        match self.clause {
            Clause::Target | Clause::GroupBy | Clause::OrderBy => Ok(()),
            Clause::Aggregate => {
                Err(no_sets("aggregate function calls cannot contain set-returning function calls"))
            }
            clause => {
                let message = format!("{NO_SETS} {}", clause.words());
                Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message))
            }
        }
    }

    /// Replaces a call that returns a set by a column for its elements. Refuses it where sets are not allowed.
    fn set_among_targets(&mut self, bound: Expr) -> Result<Expr> {
        let Node::Call(call) = &bound.node else { return Ok(bound) };
        let Kind::Set { columns } = call.function.kind else { return Ok(bound) };
        if self.clause == Clause::From {
            return Ok(bound);
        }
        self.check_set_allowed()?;
        // PostgreSQL goes through several calls in step, so the same call twice has the same rows.
        let mut before = self.set_calls.iter().filter(|_| !call.function.volatile);
        let again = before.find(|(_, known)| *known == bound).map(|(source, _)| *source);
        let source = again.unwrap_or_else(|| self.new_source());
        let type_ = bound.type_;
        let field = |index: usize, type_: Type| {
            let field = if columns.len() < 2 { Field::Value } else { Field::Item(index) };
            Expr::new(Node::Column { source, field }, type_)
        };
        if again.is_none() {
            self.set_calls.push((source, bound));
        }
        if columns.len() < 2 {
            return Ok(field(0, type_));
        }
        let items = columns.iter().enumerate().map(|(index, (_, type_))| field(index, *type_)).collect();
        let names = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
        Ok(Expr::new(Node::Row(items, names), Type::RECORD))
    }

    /// Binds a call of a built-in function with null as its array of arguments. All but `format` return null.
    fn variadic_null(
        &mut self,
        schema: Option<&str>,
        called: &str,
        mut given: Given,
    ) -> Result<Option<Expr>> {
        let Some(last) = given.positional.pop() else { return Ok(None) };
        let Some(element) = last.type_.element() else {
            let message = "VARIADIC argument must be an array";
            return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message).at(last.at.0));
        };
        given.variadic = false;
        if called == "format" {
            return self.call_named(schema, called, given);
        }
        let null = |type_| Expr::literal(rusqlite::types::Value::Null, type_);
        given.positional.push(null(element));
        let call = self.call_named(schema, called, given)?;
        Ok(call.map(|call| null(call.type_)))
    }

    /// Binds a call of a built-in function whose last arguments are in an array that is only known when the statement runs, by a
    /// function that takes arrays.
    fn variadic_of_array(&mut self, called: &str, mut given: Given) -> Result<Option<Expr>> {
        let Some(last) = given.positional.pop() else { return Ok(None) };
        let array = self.settle(last)?;
        let Some(element) = self.catalog.base_type(array.type_).element() else {
            let message = "VARIADIC argument must be an array";
            return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message).at(array.at.0));
        };
        let texts = Type::TEXT.array().unwrap_or(Type::TEXT);
        let is_text = self.catalog.base_type(element).is_string();
        let others = std::mem::take(&mut given.positional);
        let call = |binder: &mut Self, name: &str, arguments: Vec<Expr>| {
            binder.call_named(Some("pg_catalog"), name, Given { positional: arguments, ..Given::default() })
        };
        match (called, &others[..]) {
            ("concat", []) => {
                call(self, "array_to_string", vec![array, Expr::literal(String::new(), Type::TEXT)])
            }
            ("concat_ws", [separator]) => call(self, "array_to_string", vec![array, separator.clone()]),
            ("format", [pattern]) => {
                let array = self.cast(array, texts.plain())?;
                call(self, "Format_array", vec![pattern.clone(), array])
            }
            ("json_extract_path" | "jsonb_extract_path", [document]) => {
                let type_ = if called.starts_with("jsonb") { Type::JSONB } else { Type::JSON };
                let document = self.implicit(document.clone(), type_)?;
                self.operation("#>", document, array).map(Some)
            }
            ("json_extract_path_text" | "jsonb_extract_path_text", [document]) => {
                let type_ = if called.starts_with("jsonb") { Type::JSONB } else { Type::JSON };
                let document = self.implicit(document.clone(), type_)?;
                self.operation("#>>", document, array).map(Some)
            }
            ("jsonb_build_array", []) => call(self, "to_jsonb", vec![array]),
            ("json_build_object", []) if is_text => call(self, "json_object", vec![array]),
            ("jsonb_build_object", []) if is_text => call(self, "jsonb_object", vec![array]),
            ("num_nulls" | "num_nonnulls", []) => {
                let null = Expr::literal(rusqlite::types::Value::Null, element);
                let text = match called {
                    "num_nulls" => "({0} - {1})",
                    _ => "({1})",
                };
                self.once(array, |binder, array| {
                    let known = call(binder, "array_remove", vec![array.clone(), null])?;
                    let all = call(binder, "cardinality", vec![array])?;
                    let known =
                        known.map(|known| call(binder, "cardinality", vec![known])).transpose()?.flatten();
                    let operands = all.into_iter().chain(known).collect();
                    Ok(Expr::template(text, operands, Type::INT4))
                })
                .map(Some)
            }
            _ => Err(SqlError::unsupported(
                "VARIADIC with another argument than ARRAY[…] for this built-in function",
            )),
        }
    }

    /// Binds a call by name.
    pub(super) fn call_named(
        &mut self,
        schema: Option<&str>,
        called: &str,
        given: Given,
    ) -> Result<Option<Expr>> {
        let types: Vec<Type> = given
            .positional
            .iter()
            .chain(given.named.iter().map(|(_, expr)| expr))
            .map(|e| e.type_)
            .collect();
        let named: Vec<String> = given.named.iter().map(|(name, _)| name.clone()).collect();
        if types.len() > ARGUMENTS_MAX {
            let message = format!("cannot pass more than {ARGUMENTS_MAX} arguments to a function");
            return Err(SqlError::new(SqlState::new("54023"), message));
        }
        if let Some(expr) = self.user_call(schema, called, &given)? {
            return Ok(Some(expr));
        }
        if schema.is_some_and(|schema| self.catalog.schema_named(schema).is_none()) {
            let schema = schema.unwrap_or_default();
            return Err(SqlError::new(
                SqlState::INVALID_SCHEMA,
                format!("schema \"{schema}\" does not exist"),
            ));
        }
        let looked_up = match schema {
            Some("pg_catalog" | "extensions" | "public") | None => called.to_owned(),
            _ if self.is_of_an_extension(schema, called) => called.to_owned(),
            Some(_) => String::new(),
        };
        if given.variadic && given.positional.last().is_some_and(is_null) {
            return self.variadic_null(schema, called, given);
        }
        if given.variadic && !matches!(given.positional.last().map(|last| &last.node), Some(Node::Array(_))) {
            return self.variadic_of_array(&looked_up, given);
        }
        let given = spread(given);
        let arguments = match self.positional(&looked_up, given) {
            Some(arguments) => arguments,
            None => return Err(self.no_function(schema, called, &types, &named)),
        };
        if let ("row_to_json", [value, ..]) = (looked_up.as_str(), &arguments[..])
            && value.type_ != Type::RECORD
            && self.catalog.attributes(value.type_).is_none()
        {
            return Err(self.no_function(schema, called, &types, &named));
        }
        if let Some(expr) = self.hstore_function(schema, &looked_up, &arguments)? {
            return Ok(Some(expr));
        }
        if let Some(feature) = self.feature_of_row(&looked_up, &arguments)? {
            return Ok(Some(feature));
        }
        if let Some(made) = self.made_range(schema, called, &arguments)? {
            return Ok(Some(made));
        }
        if let [argument] = &arguments[..]
            && let Some(to) = self.type_as_function(schema, called, argument.type_)
        {
            return self.cast(argument.clone(), to.plain()).map(Some);
        }
        let mut arguments = arguments;
        if looked_up == "array_to_string" {
            arguments =
                arguments.into_iter().map(|argument| self.plain_array(argument)).collect::<Result<_>>()?;
        }
        if let Some(expr) = self.catalog_function(&looked_up, &arguments)? {
            return Ok(Some(expr));
        }
        if let ("min" | "max", [argument]) = (looked_up.as_str(), &arguments[..])
            && let Some(labels) = self.catalog.labels(argument.type_)
        {
            let (type_, labels) =
                (argument.type_, Expr::literal(serde_json::json!(labels).to_string(), Type::TEXT));
            let rank = self.sortable(argument.clone());
            let Ok(extreme) = self.resolve(&looked_up, vec![rank], true)? else { return Ok(None) };
            return Ok(Some(Expr::template(
                "json_extract({1}, '$[' || {0} || ']')",
                vec![extreme, labels],
                type_,
            )));
        }
        if functions::overloads(&looked_up).is_empty()
            && let Some(expr) = self.function_of_operator(&looked_up, &arguments)?
        {
            return Ok(Some(expr));
        }
        if schema.is_none() && !self.sees_extension_of(&looked_up) {
            return Err(self.no_function(schema, called, &types, &named));
        }
        match self.resolve(&looked_up, arguments, true)? {
            Ok(expr) => Ok(Some(expr)),
            Err(false) => Err(self.no_function(schema, called, &types, &named)),
            Err(true) => {
                let call = self.shown_signature(None, called, &types, &named);
                let message = format!("function {call} is not unique");
                Err(SqlError::new(SqlState::AMBIGUOUS_FUNCTION, message).hint(
                    "Could not choose a best candidate function. You might need to add explicit type casts.",
                ))
            }
        }
    }

    /// Whether the schema of the extension that a function belongs to is searched. Stored definitions have found their functions.
    fn sees_extension_of(&self, called: &str) -> bool {
        let home = self.catalog.extension_of_function(called).filter(|_| !self.in_definition);
        home.is_none_or(|home| self.function_path().contains(&home))
    }

    /// The type that a call such as `date(x)` casts to.
    fn type_as_function(&self, schema: Option<&str>, called: &str, from: Type) -> Option<Type> {
        let has_row = |function: &&functions::Function| {
            function.arguments.len() == 1 && (from == Type::UNKNOWN || function.arguments[0] == from)
        };
        let overloads = functions::overloads(called);
        if overloads.iter().any(has_row) || !overloads.is_empty() && Type::named(called).is_none() {
            return None;
        }
        let to = self.find_type(schema, called).ok()?;
        let castable = self.castable(from, to).is_some() && self.catalog.attributes(to).is_none();
        castable.then_some(to)
    }

    pub(super) fn no_function(
        &self,
        schema: Option<&str>,
        called: &str,
        types: &[Type],
        named: &[String],
    ) -> SqlError {
        if (matches!(schema, None | Some("pg_catalog")) || self.is_of_an_extension(schema, called))
            && let Some(refusal) = super::known::function(self, called, types)
        {
            return refusal;
        }
        let call = self.shown_signature(schema, called, types, named);
        SqlError::new(SqlState::UNDEFINED_FUNCTION, format!("function {call} does not exist")).hint(
            "No function matches the given name and argument types. You might need to add explicit type casts.",
        )
    }

    pub(super) fn given(&mut self, scope: &Scope<'_>, arguments: &FunctionArguments) -> Result<Given> {
        let mut given = Given::default();
        match arguments {
            FunctionArguments::None => {}
            FunctionArguments::Subquery(query) => {
                let query = ast::Expr::Subquery(query.clone());
                given.positional.push(self.expr(scope, &query)?);
            }
            FunctionArguments::List(list) => {
                for argument in &list.args {
                    self.one_given(scope, argument, &mut given)?;
                }
                given.check_names()?;
            }
        }
        Ok(given)
    }

    pub(super) fn one_given(
        &mut self,
        scope: &Scope<'_>,
        argument: &FunctionArg,
        given: &mut Given,
    ) -> Result<()> {
        let named = given.named.len();
        if given.variadic {
            // Nothing follows the array of a variadic function's values.
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, "syntax error at or near \",\""));
        }
        self.add_given(scope, argument, given)?;
        given.misplaced |= named > 0 && given.named.len() == named;
        Ok(())
    }

    fn add_given(&mut self, scope: &Scope<'_>, argument: &FunctionArg, given: &mut Given) -> Result<()> {
        match argument {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(ast::Expr::Prefixed { prefix, value }))
                if prefix.value.eq_ignore_ascii_case("variadic") =>
            {
                given.variadic = true;
                given.positional.push(self.expr(scope, value)?);
            }
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => {
                given.positional.push(self.expr(scope, expr)?);
            }
            FunctionArg::Unnamed(FunctionArgExpr::QualifiedWildcard(table)) => {
                let (_, alias) = source::schema_and_name(table)?;
                // `t.*` is the row even where the table has a column `t`.
                given.positional.push(self.starred_row(scope, &alias)?);
            }
            FunctionArg::Unnamed(_) => given.wildcard = true,
            FunctionArg::Named { name: argument, arg: FunctionArgExpr::Expr(expr), .. }
            | FunctionArg::ExprNamed {
                name: ast::Expr::Identifier(argument),
                arg: FunctionArgExpr::Expr(expr),
                ..
            } if argument.quote_style.is_none() && argument.value.eq_ignore_ascii_case("variadic") => {
                given.variadic = true;
                given.positional.push(self.expr(scope, expr)?);
            }
            FunctionArg::Named { name: argument, arg: FunctionArgExpr::Expr(expr), .. } => {
                let argument = name(argument);
                given.variadic |= argument.starts_with(VARIADIC);
                given.named.push((argument.trim_start_matches(VARIADIC).to_owned(), self.expr(scope, expr)?));
            }
            FunctionArg::ExprNamed {
                name: ast::Expr::Identifier(argument),
                arg: FunctionArgExpr::Expr(expr),
                ..
            } => {
                let argument = name(argument);
                given.variadic |= argument.starts_with(VARIADIC);
                given.named.push((argument.trim_start_matches(VARIADIC).to_owned(), self.expr(scope, expr)?));
            }
            _ => return Err(SqlError::unsupported("this kind of argument")),
        }
        Ok(())
    }

    /// The arguments in the order of the signature; `None` if it lacks one of the names.
    fn positional(&self, called: &str, given: Given) -> Option<Vec<Expr>> {
        if given.named.is_empty() {
            return Some(given.positional);
        }
        let known = functions::overloads(called)
            .iter()
            .find(|known| given.named.iter().all(|(name, _)| known.names.contains(&name.as_str())))?;
        let mut arguments: Vec<Option<Expr>> = given.positional.into_iter().map(Some).collect();
        arguments.resize(known.arguments.len(), None);
        for (name, expr) in given.named {
            let index = known.names.iter().position(|known| *known == name)?;
            arguments[index] = Some(expr);
        }
        let typed = arguments.into_iter().zip(known.arguments);
        Some(
            typed
                .map(|(given, type_)| match given {
                    Some(given) => given,
                    // The default of a strict function's argument is zero.
                    None if known.strict => Expr::literal(0, *type_),
                    None => Expr::literal(rusqlite::types::Value::Null, *type_),
                })
                .collect(),
        )
    }

    pub(super) fn check_aggregate_allowed(&self) -> Result<()> {
        match self.clause {
            Clause::Aggregate
            | Clause::Where
            | Clause::Filter
            | Clause::On
            | Clause::GroupBy
            | Clause::Limit
            | Clause::Values
            | Clause::Default
            | Clause::Check
            | Clause::Generated
            | Clause::Index
            | Clause::Transform
            | Clause::Set
            | Clause::Returning
            | Clause::From
            | Clause::Policy
            | Clause::Trigger
            | Clause::Call => Err(level::refusal(self.clause)),
            Clause::Target | Clause::Having | Clause::OrderBy => Ok(()),
        }
    }

    /// The call of `count(*)`.
    pub(super) fn count_call(&mut self, scope: &Scope<'_>, function: &ast::Function) -> Result<Expr> {
        let refused = if function.over.is_none() { self.check_aggregate_allowed().err() } else { None };
        let rows = functions::overloads("count").iter().find(|count| count.arguments.is_empty());
        let rows = rows.expect("the table of functions has count(*)");
        let mut bound = Expr::new(Node::Call(Box::new(Call::plain(rows, Vec::new()))), Type::INT8);
        self.decorate(scope, function, &mut bound)?;
        self.leveled(scope, bound, refused)
    }

    /// Adds the other clauses of a call: `DISTINCT`, `ORDER BY`, `FILTER`, `OVER`.
    pub(super) fn decorate(
        &mut self,
        scope: &Scope<'_>,
        function: &ast::Function,
        bound: &mut Expr,
    ) -> Result<()> {
        let (mut distinct, mut order) = (false, Vec::new());
        if let FunctionArguments::List(list) = &function.args {
            distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
            for clause in &list.clauses {
                match clause {
                    FunctionArgumentClause::OrderBy(keys) => order = self.sort_keys(scope, keys)?,
                    _ => return Err(SqlError::unsupported("this clause among the arguments of a call")),
                }
            }
        }
        if !function.within_group.is_empty() {
            order = self.sort_keys(scope, &function.within_group)?;
        }
        if let Node::Call(call) = &mut bound.node
            && call.function.name == "mode"
        {
            let key = self.key(Expr::new(Node::Row(call.arguments.clone(), Vec::new()), Type::RECORD));
            call.arguments.push(key);
        }
        let filter = match &function.filter {
            Some(filter) => Some(self.condition_in(Clause::Filter, scope, filter)?),
            None => None,
        };
        let (window, apart) = match &function.over {
            Some(over) => {
                let (window, apart) = self.window(scope, over)?;
                (Some(window), apart)
            }
            None => (None, None),
        };
        let plain = !distinct && order.is_empty() && filter.is_none() && window.is_none();
        let Node::Call(call) = &mut bound.node else {
            return if plain {
                Ok(())
            } else {
                Err(SqlError::unsupported("FILTER or OVER on this function"))
            };
        };
        let called = call.function.name;
        if matches!(call.function.kind, Kind::Aggregate { .. }) {
            let arguments = std::mem::take(&mut call.arguments);
            call.arguments = arguments.into_iter().map(|argument| self.keyed(argument)).collect();
        }
        match call.function.kind {
            Kind::Window if window.is_none() => {
                return Err(SqlError::new(
                    SqlState::WRONG_OBJECT_TYPE,
                    format!("window function {called} requires an OVER clause"),
                ));
            }
            Kind::Scalar | Kind::Set { .. } if !plain => {
                let what = match () {
                    () if distinct => "DISTINCT specified, but",
                    () if !order.is_empty() => "ORDER BY specified, but",
                    () if filter.is_some() => "FILTER specified, but",
                    () => "OVER specified, but",
                };
                let window = window.filter(|_| what.starts_with("OVER"));
                let kind = if window.is_some() {
                    "a window function nor an aggregate function"
                } else {
                    "an aggregate function"
                };
                return Err(SqlError::new(
                    SqlState::WRONG_OBJECT_TYPE,
                    format!("{what} {called} is not {kind}"),
                ));
            }
            _ => {}
        }
        if window.is_some() && !matches!(self.clause, Clause::Target | Clause::OrderBy | Clause::Aggregate) {
            let message = format!("window functions are not allowed in {}", self.clause.words());
            return Err(SqlError::new(SqlState::new("42P20"), message));
        }
        if window.is_some() && (distinct || !order.is_empty()) {
            let what = if distinct { "DISTINCT" } else { "aggregate ORDER BY" };
            let message = format!("{what} is not implemented for window functions");
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        window::refuse_windows(call, window.as_ref())?;
        if distinct {
            self.distinct_call(scope, function, call, &mut order)?;
        }
        call.filter = filter;
        if let (Some(window), Some(apart)) = (window.clone(), apart) {
            return self.in_frame_apart(bound, window, apart);
        }
        let moves = |frame: &String| !frame.contains("UNBOUNDED PRECEDING");
        let moves = window.as_ref().and_then(|window| window.frame.as_ref()).is_some_and(moves);
        if moves && let Some(moving) = functions::aggregates::moving(call.function) {
            call.function = moving;
        }
        call.distinct = distinct;
        call.order = order;
        call.window = window;
        Ok(())
    }
}

fn no_sets(message: &str) -> SqlError {
    SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message)
        .hint("You might be able to move the set-returning function into a LATERAL FROM item.")
}

fn is_null(expr: &Expr) -> bool {
    matches!(expr.node, Node::Literal(rusqlite::types::Value::Null))
}

/// The arguments of a built-in function, with those that `VARIADIC` gives as an array one by one.
fn spread(mut given: Given) -> Given {
    if std::mem::take(&mut given.variadic)
        && let Some(Expr { node: Node::Array(items), .. }) = given.positional.pop()
    {
        given.positional.extend(items);
    }
    given
}
