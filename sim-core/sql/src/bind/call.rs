//! Calls of functions.

use sqlparser::ast::{
    self, DuplicateTreatment, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArguments,
    Spanned as _, WindowFrameBound, WindowType,
};

use super::{Binder, Clause, Scope};
use crate::cast::Context;
use crate::catalog::{Oid, Routine};
use crate::ddl::ARGUMENTS_MAX;
use crate::error::{Result, SqlError, SqlState};
use crate::functions::{self, Kind};
use crate::source::{self, Source, is_word, name};
use crate::tree::{Body, Expr, Field, Key, Node, Order, Query, Window};
use crate::types::Type;

/// The arguments of a call, as written.
#[derive(Default)]
pub(super) struct Given {
    pub(super) positional: Vec<Expr>,
    pub(super) named: Vec<(String, Expr)>,
    pub(super) wildcard: bool,
    pub(super) variadic: bool,
}

impl Binder<'_> {
    /// Binds a call.
    pub(super) fn function(&mut self, scope: &Scope<'_>, function: &ast::Function) -> Result<Expr> {
        let at = self.place(function.name.span().start);
        self.function_at(scope, function).map_err(|error| error.at(at)).map(|expr| expr.at(at))
    }

    fn function_at(&mut self, scope: &Scope<'_>, function: &ast::Function) -> Result<Expr> {
        let (schema, called) = source::schema_and_name(&function.name)?;
        let builtin = matches!(schema.as_deref(), None | Some("pg_catalog" | "extensions"));
        if builtin && let Some(expr) = self.grammar_function(scope, &called, function)? {
            return Ok(expr);
        }
        let is_aggregate = builtin && is_aggregate(&called);
        if is_aggregate && function.over.is_none() {
            self.check_aggregate_allowed()?;
        }
        let before = self.clause;
        if is_aggregate && function.over.is_none() {
            self.clause = Clause::Aggregate;
        }
        let given = self.given(scope, &function.args);
        self.clause = before;
        let mut given = given?;
        let within = function.within_group.iter();
        let within: Vec<Expr> = within.map(|order| self.expr(scope, &order.expr)).collect::<Result<_>>()?;
        given.positional.extend(within.iter().cloned());
        let qualified = schema.as_deref().map(|schema| format!("{schema}.{called}"));
        let bound = self.call_named(schema.as_deref(), &called, given)?;
        let Some(mut bound) = bound.filter(|bound| qualified.is_none() || bound.type_ != Type::ANY) else {
            return Err(SqlError::new(
                SqlState::UNDEFINED_FUNCTION,
                format!("function {called} does not exist"),
            ));
        };
        self.decorate(scope, function, &mut bound)?;
        self.set_among_targets(bound)
    }

    /// Replaces a call that returns a set by a column for its elements. Refuses it where sets are not allowed.
    fn set_among_targets(&mut self, bound: Expr) -> Result<Expr> {
        let Node::Call(call) = &bound.node else { return Ok(bound) };
        let Kind::Set { columns } = call.function.kind else { return Ok(bound) };
        if self.clause == Clause::From {
            return Ok(bound);
        }
        if self.clause != Clause::Target {
            let message = format!("set-returning functions are not allowed in {}", self.clause.words());
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        let source = self.new_source();
        let type_ = bound.type_;
        let field = |index: usize, type_: Type| {
            let field = if columns.len() < 2 { Field::Value } else { Field::Item(index) };
            Expr::new(Node::Column { source, field }, type_)
        };
        self.set_calls.push((source, bound));
        if columns.len() < 2 {
            return Ok(field(0, type_));
        }
        let items = columns.iter().enumerate().map(|(index, (_, type_))| field(index, *type_)).collect();
        let names = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
        Ok(Expr::new(Node::Row(items, names), Type::RECORD))
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
            Some(_) => String::new(),
        };
        let arguments = match self.positional(&looked_up, given) {
            Some(arguments) => arguments,
            None => return Err(self.no_function(schema, called, &types)),
        };
        if let [argument] = &arguments[..]
            && let Some(to) = self.type_as_function(schema, called, argument.type_)
        {
            return self.cast(argument.clone(), to.plain()).map(Some);
        }
        if let Some(expr) = self.catalog_function(&looked_up, &arguments)? {
            return Ok(Some(expr));
        }
        if let ("min" | "max", [argument]) = (looked_up.as_str(), &arguments[..])
            && let Some(labels) = self.catalog.labels(self.catalog.base_type(argument.type_))
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
        match self.resolve(&looked_up, arguments, true)? {
            Ok(expr) => Ok(Some(expr)),
            Err(false) => Err(self.no_function(schema, called, &types)),
            Err(true) => {
                let names: Vec<String> =
                    types.iter().map(|type_| self.catalog.type_name(*type_, -1)).collect();
                let message = format!("function {called}({}) is not unique", names.join(", "));
                Err(SqlError::new(SqlState::AMBIGUOUS_FUNCTION, message).hint(
                    "Could not choose a best candidate function. You might need to add explicit type casts.",
                ))
            }
        }
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

    fn no_function(&self, schema: Option<&str>, called: &str, types: &[Type]) -> SqlError {
        if matches!(schema, None | Some("pg_catalog"))
            && let Some(refusal) = super::known::function(self, called, types)
        {
            return refusal;
        }
        let names: Vec<String> = types.iter().map(|type_| self.catalog.type_name(*type_, -1)).collect();
        let shown = schema.map_or_else(|| called.to_owned(), |schema| format!("{schema}.{called}"));
        SqlError::new(SqlState::UNDEFINED_FUNCTION, format!("function {shown}({}) does not exist", names.join(", "))).hint(
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
                let row = self.whole_row(scope, &alias);
                given.positional.push(row.ok_or_else(|| self.missing_table(scope, &alias))?);
            }
            FunctionArg::Unnamed(_) => given.wildcard = true,
            FunctionArg::Named { name: argument, arg: FunctionArgExpr::Expr(expr), .. } => {
                given.named.push((name(argument), self.expr(scope, expr)?));
            }
            FunctionArg::ExprNamed {
                name: ast::Expr::Identifier(argument),
                arg: FunctionArgExpr::Expr(expr),
                ..
            } => {
                given.named.push((name(argument), self.expr(scope, expr)?));
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

    fn check_aggregate_allowed(&self) -> Result<()> {
        let message = match self.clause {
            Clause::Aggregate => "aggregate function calls cannot be nested".to_owned(),
            Clause::Where
            | Clause::On
            | Clause::GroupBy
            | Clause::Limit
            | Clause::Values
            | Clause::Default
            | Clause::Check
            | Clause::Generated
            | Clause::Index
            | Clause::Set
            | Clause::Returning
            | Clause::From
            | Clause::Policy => format!("aggregate functions are not allowed in {}", self.clause.words()),
            Clause::Target | Clause::Having | Clause::OrderBy => return Ok(()),
        };
        Err(SqlError::new(SqlState::GROUPING_ERROR, message))
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
        let filter = match &function.filter {
            Some(filter) => Some(self.condition_in(Clause::Where, scope, filter)?),
            None => None,
        };
        let window = match &function.over {
            Some(over) => Some(self.window(scope, over)?),
            None => None,
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
        match call.function.kind {
            Kind::Window if window.is_none() => {
                return Err(SqlError::new(
                    SqlState::new("42P20"),
                    format!("window function {called} requires an OVER clause"),
                ));
            }
            Kind::Scalar | Kind::Set { .. } if !plain => {
                let what = if window.is_some() {
                    "OVER specified, but"
                } else {
                    "DISTINCT, ORDER BY or FILTER specified, but"
                };
                let kind = if window.is_some() {
                    "a window function nor an aggregate function"
                } else {
                    "an aggregate function"
                };
                let verb = if window.is_some() { "is neither" } else { "is not" };
                return Err(SqlError::new(
                    SqlState::WRONG_OBJECT_TYPE,
                    format!("{what} {called} {verb} {kind}"),
                ));
            }
            _ => {}
        }
        if window.is_some()
            && matches!(self.clause, Clause::Where | Clause::GroupBy | Clause::Having | Clause::On)
        {
            let message = format!("window functions are not allowed in {}", self.clause.words());
            return Err(SqlError::new(SqlState::new("42P20"), message));
        }
        if window.is_some() && distinct {
            return Err(SqlError::new(
                SqlState::FEATURE_NOT_SUPPORTED,
                "DISTINCT is not implemented for window functions",
            ));
        }
        if distinct && matches!(called, "array_agg" | "string_agg" | "json_agg" | "jsonb_agg") {
            // PostgreSQL sorts the values to find duplicates, so the result is in this order.
            self.once.charge(&call.arguments[0])?;
            let key = Key::Expr(self.sortable(call.arguments[0].clone()));
            if order.is_empty() {
                order.push(Order { key, descending: false, nulls_first: false });
            } else if !order.iter().any(|order| order.key == key) {
                let message =
                    "in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list";
                return Err(SqlError::new(SqlState::INVALID_COLUMN_REFERENCE, message));
            }
        }
        if distinct && called == "string_agg" {
            let packed = std::mem::take(&mut call.arguments);
            call.arguments = vec![Expr::template("json_array({*})", packed, Type::TEXT)];
            let distinct = functions::overloads(functions::collect::DISTINCT_TEXTS);
            call.function = distinct.first().expect("the table of functions has it");
        } else if distinct && call.arguments.len() > 1 {
            return Err(SqlError::unsupported("DISTINCT in an aggregate of several arguments"));
        }
        call.distinct = distinct;
        call.order = order;
        call.filter = filter;
        call.window = window;
        Ok(())
    }

    fn window(&mut self, scope: &Scope<'_>, over: &WindowType) -> Result<Window> {
        let spec = match over {
            WindowType::WindowSpec(spec) => spec.clone(),
            WindowType::NamedWindow(named) => self.named_window(&name(named))?,
        };
        let spec = match &spec.window_name {
            Some(base) => {
                let base = self.named_window(&name(base))?;
                ast::WindowSpec {
                    window_name: None,
                    partition_by: base.partition_by,
                    order_by: if spec.order_by.is_empty() { base.order_by } else { spec.order_by },
                    window_frame: spec.window_frame.or(base.window_frame),
                }
            }
            None => spec,
        };
        let partition = self.exprs(scope, &spec.partition_by)?;
        let partition = partition.into_iter().map(|expr| self.settle(expr)).collect::<Result<_>>()?;
        let order = self.sort_keys(scope, &spec.order_by)?;
        let frame = spec.window_frame.as_ref().map(|frame| self.frame(frame, &order)).transpose()?;
        Ok(Window { partition, order, frame })
    }

    fn frame(&mut self, frame: &ast::WindowFrame, order: &[Order]) -> Result<String> {
        let by_distance = frame.units == ast::WindowFrameUnits::Range
            && [Some(&frame.start_bound), frame.end_bound.as_ref()].into_iter().flatten().any(|bound| {
                matches!(bound, WindowFrameBound::Preceding(Some(_)) | WindowFrameBound::Following(Some(_)))
            });
        let numeric = matches!(&order.first().map(|order| &order.key), Some(Key::Expr(expr)) if expr.type_.is_integer() || expr.type_.is_float());
        if by_distance && !numeric {
            return Err(SqlError::unsupported("a RANGE frame by distance for this type"));
        }
        let start = bound(&frame.start_bound)?;
        Ok(match &frame.end_bound {
            Some(end) => format!("{} BETWEEN {start} AND {}", frame.units, bound(end)?),
            None => format!("{} {start}", frame.units),
        })
    }

    /// Binds the keys of an `ORDER BY` that can't refer to output columns.
    pub(super) fn sort_keys(&mut self, scope: &Scope<'_>, keys: &[ast::OrderByExpr]) -> Result<Vec<Order>> {
        let keys = keys.iter().map(|key| {
            let expr = self.expr(scope, &key.expr)?;
            let expr = self.settle(expr)?;
            Ok(super::query::order(key, Key::Expr(self.sortable(expr))))
        });
        keys.collect()
    }

    /// Binds a call of a user-defined function. A function in SQL with a single query is expanded.
    fn user_call(&mut self, schema: Option<&str>, called: &str, given: &Given) -> Result<Option<Expr>> {
        let Some((routine, arguments)) = self.user_routine(schema, called, given)? else { return Ok(None) };
        self.require_call(&routine);
        if !self.is_inlined(&routine)? {
            let count = given.positional.len() + given.named.len();
            return self.body_call(&routine, arguments, count, called).map(Some);
        }
        let single = self.catalog.attributes(routine.returns).is_none() && routine.returns != Type::RECORD;
        if routine.returns_set && self.clause == Clause::Target && single && routine.language == "sql" {
            return self.values_of_set(routine, arguments).map(Some);
        }
        if routine.returns_set {
            let count = given.positional.len() + given.named.len();
            return self.body_call(&routine, arguments, count, called).map(Some);
        }
        let (arguments, values) = self.bind_once(arguments)?;
        self.around(values, |binder| binder.value_of_call(routine, arguments, called)).map(Some)
    }

    /// Whether a call becomes the query of the function. Other functions are run.
    pub(super) fn is_inlined(&self, routine: &Routine) -> Result<bool> {
        let query = ["select", "values", "table", "with"];
        let changes = ["insert", "update", "delete"];
        if routine.language == "plpgsql" || routine.language == "sql" && routine.returns == Type::VOID {
            return Ok(false);
        }
        if routine.language != "sql" {
            return Ok(true);
        }
        let statements = Source::stored(&routine.body).statements()?;
        let [only] = &statements[..] else { return Ok(false) };
        Ok(query.iter().any(|word| is_word(&only[0], word))
            && !only.iter().any(|token| changes.iter().any(|word| is_word(token, word))))
    }

    /// A call that runs the body of a function. `count` arguments are the caller's; defaults follow.
    fn body_call(
        &mut self,
        routine: &Routine,
        arguments: Vec<Expr>,
        count: usize,
        called: &str,
    ) -> Result<Expr> {
        if routine.procedure {
            let types = routine.inputs().map(|input| self.catalog.type_name(input.type_, -1));
            let types = types.take(count).collect::<Vec<_>>().join(", ");
            let message = format!("{called}({types}) is a procedure");
            return Err(
                SqlError::new(SqlState::WRONG_OBJECT_TYPE, message).hint("To call a procedure, use CALL.")
            );
        }
        if routine.returns == Type::TRIGGER || routine.returns == Type::EVENT_TRIGGER {
            let message = "trigger functions can only be called as triggers";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        if !routine.returns_set {
            let pure = routine.volatility == 'i' && !matches!(self.clause, Clause::Target | Clause::From);
            let text = if pure { "pg_call_pure({*})" } else { "pg_call({*})" };
            return self.call_of(text, routine, arguments, routine.returns);
        }
        if self.clause != Clause::Target {
            let message = format!("set-returning functions are not allowed in {}", self.clause.words());
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        let rows = self.call_of("pg_call_rows({*})", routine, arguments, Type::JSON)?;
        let source = self.new_source();
        self.set_calls.push((source, rows));
        let columns = crate::plpgsql::result_columns(self.catalog, routine);
        let field =
            |index: usize, type_: Type| Expr::new(Node::Column { source, field: Field::Item(index) }, type_);
        if columns.len() < 2 {
            return Ok(field(0, columns.first().map_or(routine.returns, |column| column.type_.base)));
        }
        let items = columns.iter().enumerate().map(|(index, column)| field(index, column.type_.base));
        let items = items.collect();
        let names = columns.iter().map(|column| column.name.clone()).collect();
        let row = self.catalog.attributes(routine.returns).map_or(Type::RECORD, |_| routine.returns);
        Ok(Expr::new(Node::Row(items, names), row))
    }

    /// The call of a body by the function of SQLite in `text`.
    pub(super) fn call_of(
        &mut self,
        text: &'static str,
        routine: &Routine,
        arguments: Vec<Expr>,
        type_: Type,
    ) -> Result<Expr> {
        let oid = Expr::literal(i64::from(self.number_of(routine)?), Type::OID);
        let settled = arguments.into_iter().map(|argument| self.settle(argument));
        let operands = std::iter::once(Ok(oid)).chain(settled).collect::<Result<_>>()?;
        Ok(Expr::template(text, operands, type_))
    }

    /// Notes a call in the text itself, not in a function or view that it uses.
    pub(crate) fn note_call(&mut self, routine: &Routine) {
        if self.calls.is_some()
            && self.depth <= 1
            && let Ok(oid) = self.number_of(routine)
            && let Some(calls) = &mut self.calls
        {
            calls.insert(oid);
        }
    }

    fn number_of(&self, routine: &Routine) -> Result<Oid> {
        let found = self.catalog.routines().find(|(_, known)| {
            known.name == routine.name && known.schema == routine.schema && *known == routine
        });
        found.map(|(oid, _)| oid).ok_or_else(|| SqlError::unsupported("this function"))
    }

    /// The procedure that `CALL` means, with its arguments. Arguments that are only results are left out.
    pub(crate) fn procedure(&mut self, function: &ast::Function) -> Result<(Oid, Vec<Expr>)> {
        let (schema, called) = source::schema_and_name(&function.name)?;
        let mut given = self.given(&Scope::default(), &function.args)?;
        let catalog = self.catalog;
        let results: Vec<&Routine> = catalog
            .routines()
            .map(|(_, routine)| routine)
            .filter(|routine| routine.procedure && routine.name == called)
            .filter(|routine| routine.arguments.len() == given.positional.len())
            .collect();
        if let [routine] = &results[..] {
            let mut inputs = routine.arguments.iter().map(crate::catalog::Argument::is_input);
            given.positional.retain(|_| inputs.next().unwrap_or(true));
        }
        let types: Vec<Type> = given.positional.iter().map(|argument| argument.type_).collect();
        let names: Vec<String> = types.iter().map(|type_| self.catalog.type_name(*type_, -1)).collect();
        let names = names.join(", ");
        let Some((routine, arguments)) = self.user_routine(schema.as_deref(), &called, &given)? else {
            let message = format!("procedure {called}({names}) does not exist");
            return Err(SqlError::new(SqlState::UNDEFINED_FUNCTION, message).hint(
                "No procedure matches the given name and argument types. You might need to add explicit type casts.",
            ));
        };
        if !routine.procedure {
            return Err(SqlError::new(
                SqlState::WRONG_OBJECT_TYPE,
                format!("{called}({names}) is not a procedure"),
            )
            .hint("To call a function, use SELECT."));
        }
        let arguments = arguments.into_iter().map(|argument| self.settle(argument));
        Ok((self.number_of(&routine)?, arguments.collect::<Result<_>>()?))
    }

    /// A call of a function that returns a set of values, among targets.
    fn values_of_set(&mut self, routine: Routine, arguments: Vec<Expr>) -> Result<Expr> {
        let type_ = routine.returns;
        let mut query = self.expand(routine, arguments)?;
        self.retype(&mut query, &[type_])?;
        let array = Expr::new(Node::ArrayQuery(Box::new(query)), type_.array().unwrap_or(Type::TEXT));
        let source = self.new_source();
        self.set_calls.push((source, array));
        Ok(Expr::new(Node::Column { source, field: Field::Value }, type_))
    }

    fn value_of_call(&mut self, routine: Routine, arguments: Vec<Expr>, called: &str) -> Result<Expr> {
        let returns = routine.returns;
        let declared = routine.clone();
        let query = self.expand(routine, arguments)?;
        if returns == Type::VOID {
            return Err(SqlError::unsupported(format!("the function {called}, which returns void,")));
        }
        let row = self.catalog.attributes(returns).is_some() || returns == Type::RECORD;
        let query = if row && query.columns.len() > 1 {
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

    fn query_of_rows(&mut self, mut query: Query, type_: Type) -> Query {
        if let Body::Select(select) = &mut query.body {
            let names = query.columns.iter().map(|column| column.name.clone()).collect();
            let items = std::mem::take(&mut select.targets);
            select.targets = vec![Expr::new(Node::Row(items, names), type_)];
            query.columns = vec![crate::tree::Output { name: "row".to_owned(), type_: type_.plain() }];
        }
        query
    }

    /// The user-defined function that a call means, and its arguments.
    pub(super) fn user_routine(
        &mut self,
        schema: Option<&str>,
        called: &str,
        given: &Given,
    ) -> Result<Option<(Routine, Vec<Expr>)>> {
        let schemas = match schema {
            Some(schema) => self.schema_to_use(schema)?.into_iter().collect(),
            None => self.function_path(),
        };
        let catalog = self.catalog;
        let named = catalog
            .routines()
            .filter(|(_, routine)| routine.name == called && schemas.contains(&routine.schema));
        // Exact matches count most. An untyped literal most likely stands for a text.
        let score = |routine: &Routine| {
            let pairs = given.positional.iter().zip(routine.inputs());
            let points = pairs.map(|(argument, input)| match argument.type_ {
                Type::UNKNOWN => usize::from(input.type_.is_string()),
                type_ => 2 * usize::from(type_ == input.type_),
            });
            points.sum::<usize>()
        };
        let mut named: Vec<&Routine> = named.map(|(_, routine)| routine).collect();
        named.sort_by_key(|routine| std::cmp::Reverse(score(routine)));
        for routine in named {
            // A candidate is skipped if an argument can't be converted to its type.
            match self.arguments_for(routine, given) {
                Ok(Some(arguments)) => return Ok(Some((routine.clone(), arguments))),
                Ok(None) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    fn arguments_for(&mut self, routine: &Routine, given: &Given) -> Result<Option<Vec<Expr>>> {
        let inputs: Vec<_> = routine.inputs().collect();
        let repeated = inputs.last().filter(|last| last.mode == 'v' && !given.variadic);
        if let Some(element) = repeated.and_then(|last| last.type_.element()) {
            return self.variadic_arguments(&inputs, element, given);
        }
        if given.positional.len() + given.named.len() > inputs.len() {
            return Ok(None);
        }
        let mut arguments = Vec::new();
        for (index, input) in inputs.iter().enumerate() {
            let named =
                given.named.iter().find(|(name, _)| Some(name) == input.name.as_ref()).map(|(_, expr)| expr);
            let expr = match (given.positional.get(index).or(named), &input.default) {
                (Some(expr), _) => expr.clone(),
                (None, Some(default)) => self.stored(default, |binder| {
                    let parsed = binder.source.expression()?;
                    binder.expr(&Scope::default(), &parsed)
                })?,
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
    fn variadic_arguments(
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
        let qualifier = routine.name.clone();
        let body = routine.body.clone();
        let acting = match routine.security_definer {
            true => routine.owner.as_str().into(),
            false => self.current.clone(),
        };
        let before = (self.actor.clone(), self.current.clone());
        (self.actor, self.current) = (acting.clone(), acting);
        let query = self.stored(&body, |binder| {
            let statements = binder.source.statements()?;
            let [only] = &statements[..] else {
                return Err(SqlError::unsupported(format!(
                    "the function {qualifier}, which has several statements,"
                )));
            };
            if !super::super::source::is_word(&only[0], "select")
                && !super::super::source::is_word(&only[0], "with")
            {
                return Err(SqlError::unsupported(format!("the function {qualifier}, which is no query,")));
            }
            let parsed = binder.source.parse(only, sqlparser::parser::Parser::parse_query)?;
            binder.arguments = Some(named);
            binder.query(&Scope::default(), &parsed)
        });
        (self.actor, self.current) = before;
        query
    }
}

/// A bound of a window frame. Its distance must be a literal.
fn bound(bound: &WindowFrameBound) -> Result<String> {
    let distance = |distance: &ast::Expr| match distance {
        ast::Expr::Value(value) => Ok(value.to_string().trim_matches('\'').to_owned()),
        _ => Err(SqlError::unsupported("a window frame with a computed distance")),
    };
    Ok(match bound {
        WindowFrameBound::CurrentRow => "CURRENT ROW".to_owned(),
        WindowFrameBound::Preceding(None) => "UNBOUNDED PRECEDING".to_owned(),
        WindowFrameBound::Following(None) => "UNBOUNDED FOLLOWING".to_owned(),
        WindowFrameBound::Preceding(Some(by)) => format!("{} PRECEDING", distance(by)?),
        WindowFrameBound::Following(Some(by)) => format!("{} FOLLOWING", distance(by)?),
    })
}

/// Whether there is an aggregate with this name.
pub(super) fn is_aggregate(name: &str) -> bool {
    functions::overloads(name).iter().any(|function| matches!(function.kind, Kind::Aggregate { .. }))
}
