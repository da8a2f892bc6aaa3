//! Calls of functions and procedures that a project has defined.

use std::collections::BTreeSet;

use sqlparser::ast::{self, Spanned as _};

use super::Given;
use crate::bind::{Binder, Clause, Deed, Scope};
use crate::cast::Context;
use crate::catalog::{CallNumber, Callee, Oid, Routine, repeated_type};
use crate::error::{Result, SqlError, SqlState};
use crate::functions::Kind;
use crate::run::changing_command;
use crate::security::session::names_of_path;
use crate::source::{self, Source, is_word};
use crate::tree::{Body, Expr, Field, Node, Query};
use crate::types::Type;

/// The cost to look through a body, besides its length, and the bytes that take a unit of work.
const BODY_COST: usize = 1_000;
const BODY_BYTES: usize = 4;

impl Binder<'_> {
    /// Binds a call of a user-defined function. A function in SQL with a single query is expanded.
    pub(in crate::bind) fn user_call(
        &mut self,
        schema: Option<&str>,
        called: &str,
        given: &Given,
    ) -> Result<Option<Expr>> {
        let Some((callee, arguments)) = self.user_routine(schema, called, given)? else { return Ok(None) };
        self.require_call(&callee);
        self.require_function(&callee, schema, called, given)?;
        let routine = &callee.routine;
        // An index or a generated column can contain no query, but it can call a function.
        let is_called = self.once.without_queries && routine.language == "sql" && !routine.returns_set;
        // What is computed of many rows of the caller would be computed of those of the function.
        let of_many_rows = arguments.iter().any(Expr::is_of_many_rows);
        if is_called || of_many_rows || !self.is_inlined(&callee)? {
            return self.body_call(&callee, arguments).map(Some);
        }
        let single = self.catalog.attributes(routine.returns).is_none() && routine.returns != Type::RECORD;
        if routine.returns_set && self.check_set_allowed().is_ok() && single && routine.language == "sql" {
            let (again, values) = (arguments.clone(), self.values_of_set(callee.routine.clone(), arguments)?);
            return match self
                .set_calls
                .last()
                .is_some_and(|(_, array)| is_called_for_each_row(routine, array))
            {
                true => {
                    self.set_calls.pop();
                    self.body_call(&callee, again).map(Some)
                }
                false => Ok(Some(values)),
            };
        }
        if routine.returns_set {
            return self.body_call(&callee, arguments).map(Some);
        }
        let (arguments, values) = self.bind_once(arguments)?;
        let call = |binder: &mut Self| {
            let before = std::mem::take(&mut binder.limited_by_columns);
            let value = binder.value_of_call(callee.routine.clone(), arguments.clone(), called);
            let limited = std::mem::replace(&mut binder.limited_by_columns, before);
            match value {
                Ok(value) if limited || must_be_called(&callee.routine, &value, &arguments) => {
                    binder.body_call(&callee, arguments)
                }
                // Dumps make a default before what its function reads. What is missing then is told when it is called.
                Err(error) if binder.clause.is_of_definition() && crate::notice::is_missing(error.code) => {
                    binder.body_call(&callee, arguments)
                }
                found => found,
            }
        };
        self.around(values, call).map(Some)
    }

    /// Refuses a procedure where a function is called.
    pub(in crate::bind) fn require_function(
        &self,
        callee: &Callee,
        schema: Option<&str>,
        called: &str,
        given: &Given,
    ) -> Result<()> {
        if !callee.routine.procedure {
            return Ok(());
        }
        let message = format!("{} is a procedure", self.signature_given(schema, called, given));
        Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message).hint("To call a procedure, use CALL."))
    }

    /// Whether a call becomes the query of the function. Other functions are run.
    pub(in crate::bind) fn is_inlined(&self, callee: &Callee) -> Result<bool> {
        let routine = &callee.routine;
        // The body of a function that must not be called says nothing: the call is refused.
        if self.denied_call.is_some() {
            return Ok(false);
        }
        let query = ["select", "values", "table", "with"];
        let changes = ["insert", "update", "delete"];
        if routine.language == "plpgsql" || routine.language == "sql" && routine.returns == Type::VOID {
            return Ok(false);
        }
        // What calls itself ends only when it runs.
        if self.expanding.contains(&routine.body) {
            return Ok(false);
        }
        // It sees what the statement has changed so far, unlike the other parts of the statement.
        if routine.volatility == 'v' && !self.before.is_empty() {
            return Ok(false);
        }
        // It is not called if an argument is null.
        if routine.strict && routine.inputs().next().is_some() {
            return Ok(false);
        }
        // What reads settings must see those of the function.
        let path = usize::from(routine.search_path().is_some());
        if routine.settings.len() > path
            || path > 0 && routine.body.to_lowercase().contains("current_setting")
        {
            return Ok(false);
        }
        if routine.language != "sql" {
            return Ok(true);
        }
        let statements = Source::stored(&routine.body).statements()?;
        let [only] = &statements[..] else { return Ok(false) };
        if routine.is_caller(only) && self.may(Deed::AsksForCallers, callee.number.oid()) {
            return Ok(false);
        }
        // Its body is refused when it runs.
        if routine.volatility != 'v' && changing_command(only).is_some() {
            return Ok(false);
        }
        Ok(query.iter().any(|word| is_word(&only[0], word))
            && !only.iter().any(|token| changes.iter().any(|word| is_word(token, word))))
    }

    /// A call that runs the body of a function.
    pub(super) fn body_call(&mut self, callee: &Callee, arguments: Vec<Expr>) -> Result<Expr> {
        let routine = &callee.routine;
        if routine.returns == Type::TRIGGER || routine.returns == Type::EVENT_TRIGGER {
            let message = "trigger functions can only be called as triggers";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        if !routine.returns_set {
            // Indexes take the pure form alone, and conditions use these indexes. What a query groups or sorts by is compared with its
            // targets.
            let compared = matches!(
                self.clause,
                Clause::Target
                    | Clause::From
                    | Clause::GroupBy
                    | Clause::Having
                    | Clause::OrderBy
                    | Clause::Aggregate
            );
            let pure = routine.volatility == 'i' && !compared;
            let text = if pure { "pg_call_pure({*})" } else { "pg_call({*})" };
            return self.call_of(text, callee, arguments, routine.returns);
        }
        self.check_set_allowed()?;
        let outputs = routine.arguments.iter().any(|argument| matches!(argument.mode, 'o' | 'b' | 't'));
        if routine.returns == Type::RECORD && !outputs {
            return Err(match routine.language.as_str() {
                "plpgsql" => SqlError::new(
                    SqlState::FEATURE_NOT_SUPPORTED,
                    "materialize mode required, but it is not allowed in this context",
                ),
                _ => SqlError::unsupported("a set of records without a column definition list"),
            });
        }
        let rows = self.call_of("pg_call_rows({*})", callee, arguments, Type::JSON)?;
        let source = self.new_source();
        self.set_calls.push((source, rows));
        let columns = crate::plpgsql::result_columns(self.catalog, routine);
        let field =
            |index: usize, type_: Type| Expr::new(Node::Column { source, field: Field::Item(index) }, type_);
        let named = routine.arguments.iter().any(|argument| !argument.is_input() || argument.mode == 'b');
        // The rows of a table with one column are rows.
        if columns.len() < 2 && (named || self.catalog.attributes(routine.returns).is_none()) {
            return Ok(field(0, columns.first().map_or(routine.returns, |column| column.type_.base)));
        }
        let items = columns.iter().enumerate().map(|(index, column)| field(index, column.type_.base));
        let items = items.collect();
        let names = columns.iter().map(|column| column.name.clone()).collect();
        let row = self.catalog.attributes(routine.returns).map_or(Type::RECORD, |_| routine.returns);
        Ok(Expr::new(Node::Row(items, names), row))
    }

    /// The call of a body by the function of SQLite in `text`.
    pub(in crate::bind) fn call_of(
        &mut self,
        text: &'static str,
        callee: &Callee,
        arguments: Vec<Expr>,
        type_: Type,
    ) -> Result<Expr> {
        let number = Expr::literal(callee.number.0, Type::INT8);
        let mut inputs = callee.routine.inputs();
        let settled = arguments.into_iter().map(|argument| {
            let is_record = inputs.next().is_some_and(|input| input.type_ == Type::RECORD);
            let argument = self.settle(argument)?;
            Ok(if is_record { self.described_record(argument) } else { argument })
        });
        let operands = std::iter::once(Ok(number)).chain(settled).collect::<Result<_>>()?;
        Ok(Expr::template(text, operands, type_))
    }

    /// A row for a parameter of type `record`, with the names and types of its fields. One whose fields are not known stays as it is.
    fn described_record(&self, row: Expr) -> Expr {
        let Some((names, items)) = self.row_items(&row) else { return row };
        let fields = names.into_iter().zip(items).map(|(name, item)| (name, item.type_.0));
        let fields: Vec<(String, u32)> = fields.collect();
        let fields = Expr::literal(serde_json::json!(fields).to_string(), Type::TEXT);
        let described = "json_array('record',json({0}),json({1}))";
        let described = Expr::template(described, vec![fields, row.clone()], Type::RECORD);
        self.unless_absent(&row, described)
    }

    /// Whether a function may do something. The answer is yes where looking would take too long.
    pub(in crate::bind) fn may(&self, deed: Deed, oid: Oid) -> bool {
        let Some(routine) = self.catalog.routine(oid) else { return false };
        if let Some(known) = self.deeds.borrow().get(&(oid, deed)) {
            return *known;
        }
        let does = match deed {
            Deed::Changes => Routine::changes_rows,
            Deed::Undoes => Routine::handles_errors,
            Deed::AsksForCallers => Routine::asks_for_callers,
        };
        let affords = |length: usize| {
            let cost = BODY_COST + length;
            let budgeted = self.budget.as_ref().is_none_or(|budget| budget.draw(cost / BODY_BYTES));
            self.once.affords_body(cost) && budgeted
        };
        let answer = self.catalog.does_or_calls(routine, does, &affords);
        self.deeds.borrow_mut().insert((oid, deed), answer);
        answer
    }

    /// Notes a call: for lists of calls, one in the text itself and not in a function or view that it uses.
    pub(crate) fn note_call(&mut self, callee: &Callee) {
        if self.undoes == Some(false) {
            self.undoes = Some(self.may(Deed::Undoes, callee.number.oid()));
        }
        if self.depth <= 1
            && let Some(calls) = &mut self.calls
        {
            calls.insert(callee.number.oid());
        }
    }

    /// The procedure that `CALL` means, with its arguments. Arguments that are only results are left out.
    pub(crate) fn procedure(&mut self, function: &ast::Function) -> Result<(CallNumber, Vec<Expr>)> {
        let (schema, called) = source::schema_and_name(&function.name)?;
        let outer = std::mem::replace(&mut self.clause, Clause::Call);
        let given = self.given(&Scope::default(), &function.args);
        self.clause = outer;
        let mut given = given?;
        let at = self.place(function.name.span().start);
        let call = self.signature_given(schema.as_deref(), &called, &given);
        if let Some(schema) = schema.as_deref().filter(|schema| self.catalog.schema_named(schema).is_none()) {
            let message = format!("schema \"{schema}\" does not exist");
            return Err(SqlError::new(SqlState::INVALID_SCHEMA, message).at(at));
        }
        let found = self.user_procedure(schema.as_deref(), &called, &mut given);
        let Some((callee, arguments)) = found.map_err(|error| error.at(at))? else {
            let message = format!("procedure {call} does not exist");
            return Err(SqlError::new(SqlState::UNDEFINED_FUNCTION, message).at(at).hint(
                "No procedure matches the given name and argument types. You might need to add explicit type casts.",
            ));
        };
        if !callee.routine.procedure {
            return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, format!("{call} is not a procedure"))
                .at(at)
                .hint("To call a function, use SELECT."));
        }
        let arguments = arguments.into_iter().map(|argument| self.settle(argument));
        Ok((callee.number, arguments.collect::<Result<_>>()?))
    }

    /// A call of a function that returns a set of values, among targets.
    pub(super) fn values_of_set(&mut self, routine: Routine, arguments: Vec<Expr>) -> Result<Expr> {
        let type_ = routine.returns;
        let mut query = self.expand(routine, arguments)?;
        self.retype(&mut query, &[type_])?;
        let array = Expr::new(Node::ArrayQuery(Box::new(query)), type_.array().unwrap_or(Type::TEXT));
        let source = self.new_source();
        self.set_calls.push((source, array));
        Ok(Expr::new(Node::Column { source, field: Field::Value }, type_))
    }

    pub(super) fn value_of_call(
        &mut self,
        routine: Routine,
        arguments: Vec<Expr>,
        called: &str,
    ) -> Result<Expr> {
        let returns = routine.returns;
        let declared = routine.clone();
        let query = self.expand(routine, arguments)?;
        if returns == Type::VOID {
            return Err(SqlError::unsupported(format!("the function {called}, which returns void,")));
        }
        let attributes = self.catalog.attributes(returns);
        let single = attributes.as_ref().is_some_and(|attributes| attributes.len() == 1)
            && matches!(&query.columns[..], [only] if ![returns, Type::RECORD, Type::UNKNOWN].contains(&only.type_.base));
        let row = attributes.is_some() || returns == Type::RECORD;
        let query = if row && (single || query.columns.len() > 1) {
            let mut query = query;
            if returns == Type::RECORD {
                let results = crate::plpgsql::result_columns(self.catalog, &declared);
                if results.len() == query.columns.len() {
                    query
                        .columns
                        .iter_mut()
                        .zip(results)
                        .for_each(|(column, result)| column.name = result.name);
                }
            }
            self.query_of_rows(query, returns)
        } else {
            query
        };
        let type_ = query.columns.first().map_or(Type::VOID, |column| column.type_.base);
        // The value is that of the first row; further rows are ignored.
        let query = Query {
            limit: Some(query.limit.clone().unwrap_or_else(|| Expr::literal(1, Type::INT8))),
            ..query
        };
        let scalar = Expr::new(Node::Scalar(Box::new(query)), type_);
        let coerced = self.coerce(scalar, returns.plain(), Context::Assignment)?;
        coerced.ok_or_else(|| SqlError::unsupported(format!("the result of the function {called}")))
    }

    pub(in crate::bind) fn query_of_rows(&mut self, mut query: Query, type_: Type) -> Query {
        if let Body::Select(select) = &mut query.body {
            let names = query.columns.iter().map(|column| column.name.clone()).collect();
            let items = std::mem::take(&mut select.targets);
            select.targets = vec![Expr::new(Node::Row(items, names), type_)];
            query.columns = vec![crate::tree::Output { name: "row".to_owned(), type_: type_.plain() }];
        }
        query
    }

    /// The type that `anyelement` and similar types stand for in a call; `None` if the arguments contradict each other, `Some(None)`
    /// if the routine has no such type.
    pub(super) fn element_for(&mut self, routine: &Routine, given: &Given) -> Result<Option<Option<Type>>> {
        if !routine.is_polymorphic() {
            return Ok(Some(None));
        }
        let inputs: Vec<_> = routine.inputs().collect();
        let mut pairs = Vec::new();
        for (index, argument) in given.positional.iter().enumerate() {
            let Some(input) = inputs.get(index).or(inputs.last()) else { return Ok(None) };
            let repeated = input.mode == 'v' && !given.variadic;
            pairs.push((if repeated { repeated_type(input.type_) } else { input.type_ }, argument.type_));
        }
        for (name, argument) in &given.named {
            let input = inputs.iter().find(|input| input.name.as_ref() == Some(name));
            pairs.extend(input.map(|input| (input.type_, argument.type_)));
        }
        for input in inputs.iter().skip(given.positional.len()) {
            let is_named = given.named.iter().any(|(name, _)| input.name.as_ref() == Some(name));
            let default = input.default.as_ref().filter(|_| !is_named && input.type_.is_polymorphic());
            if let Some(default) = default {
                let bound = self.stored(default, |binder| {
                    let parsed = binder.source.expression()?;
                    binder.expr(&Scope::default(), &parsed)
                })?;
                // A null is of the placeholder's own type.
                if !bound.type_.is_polymorphic() {
                    pairs.push((input.type_, bound.type_));
                }
            }
        }
        let (declared, types): (Vec<Type>, Vec<Type>) = pairs.into_iter().unzip();
        let unknown =
            |(declared, given): (&Type, &Type)| !declared.is_polymorphic() || *given == Type::UNKNOWN;
        let asked = declared.iter().any(|declared| declared.is_simple_placeholder());
        if asked && declared.iter().zip(&types).all(unknown) {
            let message = "could not determine polymorphic type because input has type unknown";
            return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message));
        }
        Ok(self.polymorphic(&declared, &types))
    }

    pub(super) fn arguments_for(&mut self, routine: &Routine, given: &Given) -> Result<Option<Vec<Expr>>> {
        let inputs: Vec<_> = routine.inputs().collect();
        let repeated = inputs.last().filter(|last| last.mode == 'v' && !given.variadic);
        let repeated =
            repeated.filter(|last| given.positional.len() >= inputs.len() || last.default.is_none());
        if let Some(element) = repeated.and_then(|last| last.type_.element()) {
            return self.variadic_arguments(&inputs, element, given);
        }
        if given.positional.len() + given.named.len() > inputs.len() {
            return Ok(None);
        }
        let is_open = |name: &String| {
            inputs.iter().skip(given.positional.len()).any(|input| input.name.as_ref() == Some(name))
        };
        if !given.named.iter().all(|(name, _)| is_open(name)) {
            return Ok(None);
        }
        let mut arguments = Vec::new();
        for (index, input) in inputs.iter().enumerate() {
            let named =
                given.named.iter().find(|(name, _)| Some(name) == input.name.as_ref()).map(|(_, expr)| expr);
            let expr = match (given.positional.get(index).or(named), &input.default) {
                (Some(expr), _) => expr.clone(),
                (None, Some(default)) => {
                    let bound = self.stored(default, |binder| {
                        let parsed = binder.source.expression()?;
                        binder.expr(&Scope::default(), &parsed)
                    })?;
                    // A default is assigned, which converts more than a given argument.
                    match self.castable(bound.type_, input.type_) {
                        Some(Context::Assignment) => self
                            .coerce(bound.clone(), input.type_.plain(), Context::Assignment)?
                            .unwrap_or(bound),
                        _ => bound,
                    }
                }
                (None, None) => return Ok(None),
            };
            if self.castable(expr.type_, input.type_) != Some(Context::Implicit) {
                return Ok(None);
            }
            arguments.push(self.implicit(expr, input.type_)?);
        }
        Ok(Some(arguments))
    }

    /// The arguments of a variadic function, with the last ones collected in an array.
    pub(super) fn variadic_arguments(
        &mut self,
        inputs: &[&crate::catalog::Argument],
        element: Type,
        given: &Given,
    ) -> Result<Option<Vec<Expr>>> {
        let fixed = inputs.len() - 1;
        if given.positional.len() <= fixed || !given.named.is_empty() {
            return Ok(None);
        }
        let types = inputs[..fixed].iter().map(|input| input.type_).chain(std::iter::repeat(element));
        let pairs: Vec<(&Expr, Type)> = given.positional.iter().zip(types).collect();
        if pairs.iter().any(|(expr, type_)| self.castable(expr.type_, *type_) != Some(Context::Implicit)) {
            return Ok(None);
        }
        let arguments = pairs.into_iter().map(|(expr, type_)| self.implicit(expr.clone(), type_));
        let mut arguments = arguments.collect::<Result<Vec<_>>>()?;
        let items = arguments.split_off(fixed);
        arguments.push(Expr::new(Node::Array(items), inputs[fixed].type_));
        Ok(Some(arguments))
    }

    /// The query of a function in SQL, with its arguments substituted.
    pub(crate) fn expand(&mut self, routine: Routine, arguments: Vec<Expr>) -> Result<Query> {
        if routine.language != "sql" {
            let message = format!("calling the function {} in language {}", routine.name, routine.language);
            return Err(SqlError::unsupported(message));
        }
        let named = routine.inputs().map(|input| input.name.clone()).zip(arguments).collect();
        let (qualifier, returns) = (routine.name.clone(), routine.returns);
        let body = routine.body.clone();
        let acting = match routine.security_definer {
            true => routine.owner.as_str().into(),
            false => self.current.clone(),
        };
        let before = (self.actor.clone(), self.current.clone());
        (self.actor, self.current) = (acting.clone(), acting);
        let path = routine.path_of_names().map(names_of_path).or_else(|| self.path_inside.clone());
        self.expanding.push(body.clone());
        let query = self.stored(&body, |binder| {
            // Its names are looked up when it is called.
            (binder.path_inside, binder.in_definition) = (path, false);
            let statements = binder.source.statements()?;
            let [only] = &statements[..] else {
                return Err(SqlError::unsupported(format!(
                    "the function {qualifier}, which has several statements,"
                )));
            };
            if !["select", "with", "values", "table"]
                .iter()
                .any(|word| crate::source::is_word(&only[0], word))
            {
                return Err(SqlError::unsupported(format!("the function {qualifier}, which is no query,")));
            }
            let parsed = binder.source.parse(only, sqlparser::parser::Parser::parse_query)?;
            binder.arguments = Some(named);
            let mut query = binder.query(&Scope::default(), &parsed)?;
            // A record is taken apart, so that its fields become those of the row.
            let record = matches!(&query.columns[..], [only] if only.type_.base == Type::RECORD);
            if record && binder.catalog.attributes(returns).is_some() {
                crate::plpgsql::expand_row(binder, &mut query);
            }
            Ok(query)
        });
        self.expanding.pop();
        (self.actor, self.current) = before;
        match query {
            // A view can be created before the tables that its functions read.
            Err(error) if error.code == SqlState::UNDEFINED_TABLE && self.stars.is_some() => {
                Ok(self.only_columns(&routine))
            }
            Err(_) if self.only_names => Ok(self.only_columns(&routine)),
            query => query,
        }
    }

    /// A query with the columns of a function's result.
    fn only_columns(&self, routine: &Routine) -> Query {
        let columns = self.routine_columns(routine).unwrap_or_else(|| {
            vec![crate::tree::Output { name: routine.name.clone(), type_: routine.returns.plain() }]
        });
        let nulls =
            columns.iter().map(|column| Expr::literal(rusqlite::types::Value::Null, column.type_.base));
        let select = crate::tree::Select { targets: nulls.collect(), ..Default::default() };
        let body = Body::Select(Box::new(select));
        Query { ctes: Vec::new(), body, order: Vec::new(), limit: None, offset: None, columns }
    }
}

/// Whether the query of a function would not have the values that its calls have.
fn must_be_called(routine: &Routine, value: &Expr, arguments: &[Expr]) -> bool {
    is_called_for_each_row(routine, value) || aggregates_arguments(value, arguments)
}

/// Whether a call is made for each row. Its query has one value for all rows if it reads no column of them.
fn is_called_for_each_row(routine: &Routine, value: &Expr) -> bool {
    routine.volatility == 'v' && value.draws()
}

/// Whether an aggregate of a function's query reads its arguments alone. SQLite would take it for an aggregate of the caller.
fn aggregates_arguments(value: &Expr, arguments: &[Expr]) -> bool {
    let source_of = |part: &Expr| match part.node {
        Node::Column { source, .. } => Some(source),
        _ => None,
    };
    let mut outer = BTreeSet::new();
    for argument in arguments {
        argument.any(&mut |part| {
            outer.extend(source_of(part));
            false
        });
    }
    let is_outer = |part: &Expr| source_of(part).is_some_and(|source| outer.contains(&source));
    let is_own = |part: &Expr| source_of(part).is_some_and(|source| !outer.contains(&source));
    let mut found = false;
    value.clone().replace(&mut |part| {
        let Node::Call(call) = &part.node else { return found };
        let mut read = call.arguments.iter().chain(&call.filter);
        found |= call.function.kind != Kind::Scalar
            && read.clone().any(|argument| argument.any(&mut |part| is_outer(part)))
            && !read.any(|argument| argument.any(&mut |part| is_own(part)));
        found
    });
    found
}
