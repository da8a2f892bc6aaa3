//! Functions as sources of rows.

use sqlparser::ast::{self, FunctionArg, Spanned as _, TableAlias};

use super::{Part, has_column, lateral_scope};
use crate::bind::call::Given;
use crate::bind::{Binder, Clause, Scope};
use crate::catalog::{Callee, Routine};
use crate::error::{Result, SqlError, SqlState};
use crate::functions::Kind;
use crate::source::{self, name};
use crate::tree::{Body, Expr, Field, From, Node, Output, Query, Select};
use crate::types::Type;

/// Refuses definitions of columns for a function that has defined its own.
fn refuse_definitions(routine: &Routine, alias: Option<&TableAlias>) -> Result<()> {
    let defined = alias.is_some_and(|alias| alias.columns.iter().any(|column| column.data_type.is_some()));
    let results = routine.arguments.iter().any(|argument| matches!(argument.mode, 'o' | 'b' | 't'));
    let message = match (routine.returns == Type::RECORD, results) {
        _ if !defined => return Ok(()),
        (true, false) => return Ok(()),
        (true, true) => "a column definition list is redundant for a function with OUT parameters",
        (false, _) => "a column definition list is only allowed for functions returning \"record\"",
    };
    Err(SqlError::new(SqlState::SYNTAX_ERROR, message))
}

/// Lets the call of a body know the columns that its rows must have.
fn expect_columns(call: &mut Expr, columns: &[Output]) {
    let Node::Template { text, operands } = &mut call.node else { return };
    *text = match *text {
        "pg_call_rows({*})" => "pg_call_record_rows({*})",
        "pg_call({*})" => "pg_call_record({*})",
        // The call is within.
        _ => {
            operands.iter_mut().for_each(|operand| expect_columns(operand, columns));
            return;
        }
    };
    let columns: Vec<_> =
        columns.iter().map(|column| (&column.name, column.type_.base.0, column.type_.modifier)).collect();
    operands.insert(0, Expr::literal(serde_json::json!(columns).to_string(), Type::TEXT));
}

/// Functions whose rows a view of the catalog has too.
const VIEWS: &[(&str, &str)] = &[
    ("pg_available_extension_versions", "pg_available_extension_versions"),
    ("pg_cursor", "pg_cursors"),
    ("pg_lock_status", "pg_locks"),
    ("pg_prepared_statement", "pg_prepared_statements"),
    ("pg_show_all_settings", "pg_settings"),
    ("pg_timezone_abbrevs", "pg_timezone_abbrevs"),
    ("pg_timezone_names", "pg_timezone_names"),
];

impl Binder<'_> {
    /// The rows of a view of the catalog, under the name of a function.
    fn rows_of_view(&mut self, view: &str, called: &str, alias: Option<&TableAlias>) -> Result<Part> {
        let view = ast::ObjectName::from(vec![ast::Ident::new("pg_catalog"), ast::Ident::new(view)]);
        let own = TableAlias { explicit: true, name: ast::Ident::new(called), columns: Vec::new(), at: None };
        self.named_table(&view, Some(alias.unwrap_or(&own)))
    }

    pub(super) fn table_function(
        &mut self,
        outer: &Scope<'_>,
        before: &Scope<'_>,
        object: &ast::ObjectName,
        args: &[FunctionArg],
        alias: Option<&TableAlias>,
        with_ordinality: bool,
    ) -> Result<Part> {
        let scope = lateral_scope(outer, before);
        let (mut schema, called) = source::schema_and_name(object)?;
        let at = self.place(object.span().start);
        let clause = std::mem::replace(&mut self.clause, Clause::From);
        let mut given = Given::default();
        let bound = args.iter().try_for_each(|arg| self.one_given(&scope, arg, &mut given));
        self.clause = clause;
        bound?;
        given.check_names()?;
        let correlated =
            given.positional.iter().chain(given.named.iter().map(|(_, expr)| expr)).any(has_column);
        let mut found = self.user_routine(schema.as_deref(), &called, &given)?;
        if let Some((own, given)) = self.shaped_by_query(found.as_ref(), &given, alias)? {
            let hidden = format!("_{called}");
            found = self.user_routine(Some(&own), &hidden, &given)?;
            schema = Some(own);
        }
        if let Some((callee, arguments)) = found {
            self.require_call(&callee);
            self.require_function(&callee, schema.as_deref(), &called, &given)?;
            refuse_definitions(&callee.routine, alias)?;
            // Rows without a column list, and numbered ones, are those of a call.
            let listed =
                callee.routine.returns != Type::RECORD || self.routine_columns(&callee.routine).is_some();
            // A function of one row has one in any case, of nulls if its query has none.
            let called_for_rows = with_ordinality || !listed || !callee.routine.returns_set;
            if called_for_rows || !self.is_inlined(&callee)? {
                return self.rows_of_body(&callee, arguments, &called, alias, with_ordinality);
            }
            let routine = callee.routine.clone();
            let (outputs, returns) = (self.routine_columns(&routine), routine.returns);
            let (scalar, returned) = (self.is_scalar(&routine), self.rows_of(&routine));
            let returns_set = routine.returns_set;
            let mut query = self.expand(routine, arguments.clone()).map_err(|error| error.at(at))?;
            // A call gives one row, whatever its query finds. A row in one piece has to be taken apart.
            if !returns_set && !is_one_row(&query)
                || matches!(&query.columns[..], [only] if only.type_.base == returns)
                    && self.catalog.attributes(returns).is_some()
            {
                return self.rows_of_body(&callee, arguments, &called, alias, with_ordinality);
            }
            if let Some(outputs) = outputs {
                let types: Vec<Type> = outputs.iter().map(|output| output.type_.base).collect();
                self.retype(&mut query, &types)?;
                query.columns = outputs;
            } else if let [only] = &mut query.columns[..] {
                only.name = alias.map_or_else(|| called.clone(), |alias| name(&alias.name));
            }
            let (from, mut scope) = self.derived(query, alias, &called, correlated)?;
            scope.tables[0].scalar = scalar;
            scope.tables[0].returned = returned;
            return Ok((from, scope));
        }
        let no_arguments = given.positional.is_empty() && given.named.is_empty();
        if let Some((_, view)) = VIEWS.iter().find(|(function, _)| *function == called)
            && no_arguments
            && !with_ordinality
        {
            return self.rows_of_view(view, &called, alias);
        }
        if matches!(
            called.as_str(),
            "json_to_recordset" | "jsonb_to_recordset" | "json_to_record" | "jsonb_to_record"
        ) {
            return self.recordset(&called, given, alias).map_err(|error| error.at(at));
        }
        if matches!(
            called.as_str(),
            "json_populate_recordset"
                | "jsonb_populate_recordset"
                | "json_populate_record"
                | "jsonb_populate_record"
        ) {
            return self.populate(&called, given, alias);
        }
        if called == "unnest" && given.positional.len() > 1 {
            return self.unnest_several(given, alias, with_ordinality);
        }
        let call = self.call_named(schema.as_deref(), &called, given).map_err(|error| error.at(at))?;
        let call = call.ok_or_else(|| SqlError::unsupported("this function in FROM"))?;
        let kind = match &call.node {
            Node::Call(call) => Some(call.function.kind),
            _ => None,
        };
        let Some(Kind::Set { columns }) = kind else {
            return self.scalar_table(call, &called, alias, correlated);
        };
        self.elements(call, columns, &called, alias, with_ordinality)
    }

    /// For a function of `tablefunc` whose columns are those of the query's list: the extension's schema, and the arguments of its other
    /// half, which takes their types too.
    fn shaped_by_query(
        &self,
        found: Option<&(Callee, Vec<Expr>)>,
        given: &Given,
        alias: Option<&TableAlias>,
    ) -> Result<Option<(String, Given)>> {
        let extension = self.catalog.extensions().find(|(_, known)| known.name == "tablefunc");
        let (Some((callee, _)), Some((_, extension))) = (found, extension) else { return Ok(None) };
        let routine = &callee.routine;
        if routine.returns != Type::RECORD || routine.schema != extension.schema {
            return Ok(None);
        }
        let mut wanted = Vec::new();
        for column in alias.iter().flat_map(|alias| &alias.columns) {
            let Some(data_type) = &column.data_type else { return Ok(None) };
            let type_ = self.data_type(data_type)?;
            wanted.push(self.catalog.type_name(type_.base, type_.modifier));
        }
        let arguments = given.positional.clone();
        let positional = match (routine.name.as_str(), wanted.is_empty()) {
            ("crosstab", false) => {
                // The number of categories, once an argument, follows from the list.
                let is_count = routine.arguments.get(1).is_some_and(|second| second.type_ == Type::INT4);
                arguments.into_iter().take(if is_count { 1 } else { 2 }).collect()
            }
            ("connectby", false) => {
                let mut rest = arguments.into_iter();
                let mut all: Vec<Expr> = rest.by_ref().take(3).collect();
                let is_ordered = routine.arguments.get(5).is_some_and(|sixth| sixth.type_ == Type::INT4);
                all.push(if is_ordered { rest.next().unwrap_or_else(Expr::null) } else { Expr::null() });
                all.extend(rest);
                if all.len() == 6 {
                    all.push(Expr::null());
                }
                all
            }
            _ => return Ok(None),
        };
        let mut given = Given { positional, ..Given::default() };
        given.positional.push(Expr::literal(serde_json::json!(wanted).to_string(), Type(1009)));
        let schema = self.catalog.schema_name(extension.schema).to_owned();
        Ok(Some((schema, given)))
    }

    /// The rows that the body of a function returns, as a source.
    pub(super) fn rows_of_body(
        &mut self,
        callee: &Callee,
        arguments: Vec<Expr>,
        called: &str,
        alias: Option<&TableAlias>,
        with_ordinality: bool,
    ) -> Result<Part> {
        let routine = &callee.routine;
        let mut outputs = self.routine_columns(routine).unwrap_or_default();
        let mut array = if routine.returns_set {
            self.call_of("pg_call_rows({*})", callee, arguments, Type::JSON)?
        } else {
            let row = !self.is_scalar(routine);
            let text = "pg_call({*})";
            let call = self.call_of(text, callee, arguments, routine.returns)?;
            let row = match row {
                true => Expr::template("json({0})", vec![call], Type::JSON),
                false => Expr::new(Node::Row(vec![call], Vec::new()), Type::RECORD),
            };
            Expr::template("json_array({0})", vec![row], Type::JSON)
        };
        if outputs.is_empty() && routine.returns == Type::RECORD {
            let columns = alias.iter().flat_map(|alias| &alias.columns).map(|column| {
                let data_type = column.data_type.as_ref().ok_or_else(|| {
                    let message = "a column definition list is required for functions returning \"record\"";
                    SqlError::new(SqlState::SYNTAX_ERROR, message)
                })?;
                Ok(Output { name: name(&column.name), type_: self.data_type(data_type)? })
            });
            outputs = columns.collect::<Result<Vec<_>>>()?;
            if outputs.is_empty() {
                let message = "a column definition list is required for functions returning \"record\"";
                return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
            }
            expect_columns(&mut array, &outputs);
        }
        let scalar = outputs.is_empty();
        if scalar {
            let name = alias.map_or_else(|| called.to_owned(), |alias| name(&alias.name));
            outputs.push(Output { name, type_: routine.returns.plain() });
        }
        let count = outputs.len();
        if with_ordinality {
            outputs.push(Output { name: "ordinality".to_owned(), type_: Type::INT8.plain() });
        }
        let source = self.new_source();
        let mut scope = self.part(source, &outputs, alias, called, true)?;
        for (index, column) in scope.tables[0].columns.iter_mut().enumerate() {
            column.field = if index < count { Field::Item(index) } else { Field::Ordinal };
        }
        scope.tables[0].scalar = self.is_scalar(routine) && !with_ordinality;
        scope.tables[0].returned = self.rows_of(routine).filter(|_| !with_ordinality);
        scope.visible = scope.tables[0].visible();
        Ok((From::Elements { source, array }, scope))
    }

    pub(super) fn elements(
        &mut self,
        call: Expr,
        columns: &'static [(&'static str, Type)],
        called: &str,
        alias: Option<&TableAlias>,
        with_ordinality: bool,
    ) -> Result<Part> {
        let source = self.new_source();
        let single = columns.len() == 1;
        let attributes = self.catalog.attributes(call.type_).filter(|_| columns.is_empty());
        let returned = attributes.is_some().then_some(call.type_);
        let mut fields: Vec<(Output, Field)> = if columns.is_empty() {
            match attributes {
                Some(attributes) => attributes
                    .into_iter()
                    .enumerate()
                    .map(|(index, attribute)| {
                        (Output { name: attribute.name, type_: attribute.type_ }, Field::Item(index))
                    })
                    .collect(),
                None => {
                    let name = alias.map_or_else(|| called.to_owned(), |alias| name(&alias.name));
                    vec![(Output { name, type_: call.type_.plain() }, Field::Value)]
                }
            }
        } else {
            let columns = columns.iter().enumerate();
            let columns = columns.map(|(index, (name, type_))| {
                (
                    Output { name: (*name).to_owned(), type_: self.instantiate(*type_, call.type_) },
                    if single { Field::Value } else { Field::Item(index) },
                )
            });
            columns.collect()
        };
        if with_ordinality {
            fields
                .push((Output { name: "ordinality".to_owned(), type_: Type::INT8.plain() }, Field::Ordinal));
        }
        let outputs: Vec<Output> = fields.iter().map(|(output, _)| output.clone()).collect();
        let mut scope = self.part(source, &outputs, alias, called, true)?;
        for (column, (_, field)) in scope.tables[0].columns.iter_mut().zip(&fields) {
            column.field = *field;
        }
        scope.tables[0].scalar = fields.len() == 1 && returned.is_none();
        scope.tables[0].returned = returned.filter(|_| !with_ordinality);
        scope.visible = scope.tables[0].visible();
        Ok((From::Elements { source, array: call }, scope))
    }

    /// A function that returns one value, as a table with one row.
    pub(super) fn scalar_table(
        &mut self,
        call: Expr,
        called: &str,
        alias: Option<&TableAlias>,
        correlated: bool,
    ) -> Result<Part> {
        let (names, items) = match self.row_items(&call) {
            Some((names, items)) => {
                items.iter().try_for_each(|item| self.once.charge(item))?;
                (names, items)
            }
            None => {
                let column = alias.map_or_else(|| called.to_owned(), |alias| name(&alias.name));
                (vec![column], vec![call])
            }
        };
        let columns = names.into_iter().zip(&items);
        let columns = columns.map(|(name, item)| Output { name, type_: item.type_.plain() }).collect();
        let body = Body::Select(Box::new(Select { targets: items, ..Select::default() }));
        let query = Query { ctes: Vec::new(), body, order: Vec::new(), limit: None, offset: None, columns };
        let (from, mut scope) = self.derived(query, alias, called, correlated)?;
        scope.tables[0].scalar = true;
        Ok((from, scope))
    }

    /// Several arrays unnested in parallel.
    pub(super) fn unnest_several(
        &mut self,
        given: Given,
        alias: Option<&TableAlias>,
        with_ordinality: bool,
    ) -> Result<Part> {
        let mut outputs: Vec<(Output, Field)> = Vec::new();
        let mut arrays = Vec::new();
        for (index, array) in given.positional.into_iter().enumerate() {
            let element = array.type_.element().ok_or_else(|| {
                SqlError::new(SqlState::UNDEFINED_FUNCTION, "function unnest() does not exist")
            })?;
            outputs.push((Output { name: "unnest".to_owned(), type_: element.plain() }, Field::Item(index)));
            arrays.push(array);
        }
        if with_ordinality {
            outputs
                .push((Output { name: "ordinality".to_owned(), type_: Type::INT8.plain() }, Field::Ordinal));
        }
        let source = self.new_source();
        let columns: Vec<Output> = outputs.iter().map(|(output, _)| output.clone()).collect();
        let mut scope = self.part(source, &columns, alias, "unnest", true)?;
        for (column, (_, field)) in scope.tables[0].columns.iter_mut().zip(&outputs) {
            column.field = *field;
        }
        scope.visible = scope.tables[0].visible();
        let array = Expr::template("pg_zip({*})", arrays, Type::TEXT);
        Ok((From::Elements { source, array }, scope))
    }

    /// Whether a routine returns values, not rows: the name of a source that calls it means such a value.
    fn is_scalar(&self, routine: &Routine) -> bool {
        routine.returns != Type::RECORD && self.catalog.attributes(routine.returns).is_none()
    }

    /// The type of the rows of a routine, if it has a name.
    fn rows_of(&self, routine: &Routine) -> Option<Type> {
        self.catalog.attributes(routine.returns).map(|_| routine.returns)
    }

    /// The columns that a user's function returns as a table.
    pub(in crate::bind) fn routine_columns(&self, routine: &Routine) -> Option<Vec<Output>> {
        let columns = crate::plpgsql::result_columns(self.catalog, routine);
        (!columns.is_empty()).then_some(columns)
    }
}

/// Whether a query certainly finds a single row.
fn is_one_row(query: &Query) -> bool {
    let Body::Select(select) = &query.body else { return false };
    let whole = query.limit.is_none() && query.offset.is_none();
    let kept = select.filter.is_none() && select.having.is_none();
    whole && kept && select.group.is_empty() && (select.from.is_empty() || select.aggregated)
}
