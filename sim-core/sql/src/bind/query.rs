//! Queries.

use std::collections::BTreeSet;

use rusqlite::types::Value;
use sqlparser::ast::{
    self, Distinct, GroupByExpr, LimitClause, OrderByKind, SelectItem, SelectItemQualifiedWildcardKind,
    SetExpr, SetQuantifier, Spanned as _,
};

use super::expr::column_name;
use super::{Binder, Clause, KnownCte, ReadsOfCtes, Scope};
use crate::cast::Context;
use crate::error::{Result, SqlError, SqlState};
use crate::source::{self, name};
use crate::tree::{
    Body, Cte, Expr, Field, From, JoinKind, Key, Node, Order, Output, Query, Select, SetOperator,
};
use crate::types::Type;

/// A sort key, with PostgreSQL's defaults.
pub(super) fn order(written: &ast::OrderByExpr, key: Key) -> Order {
    let descending = match &written.options.sort {
        Some(ast::OrderBySort::Desc) => true,
        Some(ast::OrderBySort::Using(operator)) => operator.to_string() == ">",
        _ => false,
    };
    Order { key, descending, nulls_first: written.options.nulls_first.unwrap_or(descending) }
}

impl Binder<'_> {
    /// Binds a query. All its columns get types.
    pub(crate) fn query(&mut self, scope: &Scope<'_>, query: &ast::Query) -> Result<Query> {
        let mut bound = self.untyped_query(scope, query)?;
        let types: Vec<Type> = bound.columns.iter().map(|column| column.type_.base).collect();
        if types.contains(&Type::UNKNOWN) {
            let settled = |type_: &Type| if *type_ == Type::UNKNOWN { Type::TEXT } else { *type_ };
            self.retype(&mut bound, &types.iter().map(settled).collect::<Vec<_>>())?;
        }
        Ok(bound)
    }

    /// Binds a query inside an expression.
    pub(crate) fn subquery(&mut self, scope: &Scope<'_>, query: &ast::Query) -> Result<Query> {
        let clause = std::mem::replace(&mut self.clause, Clause::Target);
        let calls = std::mem::take(&mut self.set_calls);
        let windows = std::mem::take(&mut self.windows);
        let bound = self.query(scope, query);
        (self.clause, self.set_calls, self.windows) = (clause, calls, windows);
        bound
    }

    /// Binds a query whose literals may stay untyped.
    pub(crate) fn untyped_query(&mut self, scope: &Scope<'_>, query: &ast::Query) -> Result<Query> {
        let known = self.ctes.len();
        let bound = self.query_with_ctes(scope, query);
        self.ctes.truncate(known);
        bound
    }

    fn query_with_ctes(&mut self, scope: &Scope<'_>, query: &ast::Query) -> Result<Query> {
        let ctes = match &query.with {
            Some(with) => self.with(scope, with)?,
            None => Vec::new(),
        };
        let sort = match &query.order_by {
            None => &[][..],
            Some(ast::OrderBy { kind: OrderByKind::Expressions(keys), .. }) => keys,
            Some(_) => return Err(SqlError::unsupported("ORDER BY ALL")),
        };
        let mut bound = self.body(scope, &query.body, sort)?;
        bound.ctes.splice(0..0, ctes);
        self.limit(scope, query, &mut bound)?;
        Ok(bound)
    }

    fn limit(&mut self, scope: &Scope<'_>, query: &ast::Query, bound: &mut Query) -> Result<()> {
        let (mut limit, mut offset) = (None, None);
        match &query.limit_clause {
            None => {}
            Some(LimitClause::LimitOffset { limit: given, offset: skipped, .. }) => {
                (limit, offset) = (given.as_ref(), skipped.as_ref().map(|offset| &offset.value));
            }
            Some(LimitClause::OffsetCommaLimit { .. }) => {
                return Err(SqlError::new(SqlState::SYNTAX_ERROR, "LIMIT #,# syntax is not supported")
                    .hint("Use separate LIMIT and OFFSET clauses."));
            }
        }
        if let Some(fetch) = &query.fetch {
            if fetch.with_ties || fetch.percent {
                return Err(SqlError::unsupported("FETCH FIRST WITH TIES"));
            }
            limit = limit.or(fetch.quantity.as_ref());
            if fetch.quantity.is_none() {
                bound.limit = Some(Expr::literal(1, Type::INT8));
            }
        }
        for (given, target, word) in
            [(limit, &mut bound.limit, "LIMIT"), (offset, &mut bound.offset, "OFFSET")]
        {
            let Some(given) = given else { continue };
            let expr = self.expr_in(Clause::Limit, scope, given)?;
            let type_ = expr.type_;
            let expr = self.coerce(expr, Type::INT8.plain(), Context::Assignment)?.ok_or_else(|| {
                let name = self.catalog.type_name(type_, -1);
                let message = format!("argument of {word} must be type bigint, not type {name}");
                SqlError::new(SqlState::DATATYPE_MISMATCH, message)
            })?;
            *target = match expr.node {
                Node::Literal(Value::Null) => None,
                Node::Literal(Value::Integer(..0)) => {
                    let code = SqlState::new(if word == "LIMIT" { "2201W" } else { "2201X" });
                    return Err(SqlError::new(code, format!("{word} must not be negative")));
                }
                _ => Some(expr),
            };
        }
        Ok(())
    }

    fn with(&mut self, scope: &Scope<'_>, with: &ast::With) -> Result<Vec<Cte>> {
        let mut ctes = Vec::new();
        let mut names = BTreeSet::new();
        for cte in &with.cte_tables {
            let called = name(&cte.alias.name);
            if self.ctes.iter().any(|known| known.name == called && known.rows.is_some()) {
                continue;
            }
            if !names.insert(called.clone()) {
                let message = format!("WITH query name \"{called}\" specified more than once");
                return Err(SqlError::new(SqlState::DUPLICATE_ALIAS, message)
                    .at(self.place(cte.alias.name.span.start)));
            }
            let source = self.new_source();
            let aliases: Vec<String> = cte.alias.columns.iter().map(|column| name(&column.name)).collect();
            let around = std::mem::take(&mut self.reads_of_ctes);
            let (query, recursive) = match &*cte.query.body {
                SetExpr::SetOperation { op: ast::SetOperator::Union, set_quantifier, left, right }
                    if with.recursive =>
                {
                    let all = *set_quantifier == SetQuantifier::All;
                    (self.recursive(scope, &called, source, &aliases, &cte.query, (left, right, all))?, true)
                }
                _ => (self.subquery(scope, &cte.query)?, false),
            };
            let reads = std::mem::replace(&mut self.reads_of_ctes, around);
            let columns = renamed(&query.columns, &aliases, &called).map_err(|error| {
                SqlError::new(error.code, error.message.replacen("table", "WITH query", 1))
                    .at(self.place(cte.alias.name.span.start))
            })?;
            self.ctes.push(KnownCte { name: called, source, columns, rows: None, undefined: false, reads });
            let heavy = !recursive && self.weigh(source, &query);
            let asked = cte.materialized.as_ref();
            let asked = asked.map(|kind| matches!(kind, ast::CteAsMaterialized::Materialized));
            let materialized = if heavy { Some(true) } else { asked };
            ctes.push(Cte { source, recursive, materialized, query });
        }
        Ok(ctes)
    }

    fn recursive(
        &mut self,
        scope: &Scope<'_>,
        called: &str,
        source: usize,
        names: &[String],
        whole: &ast::Query,
        (left, right, all): (&SetExpr, &SetExpr, bool),
    ) -> Result<Query> {
        let known = self.ctes.len();
        let with = match &whole.with {
            Some(with) => self.with(scope, with)?,
            None => Vec::new(),
        };
        let columns = Vec::new();
        let reads = ReadsOfCtes::default();
        let name = called.to_owned();
        self.ctes.push(KnownCte { name, source, columns, rows: None, undefined: true, reads });
        let first = self.body(scope, left, &[]);
        self.ctes.pop();
        let mut first = first?;
        let types = first.columns.iter().map(|column| column.type_.base);
        let types: Vec<Type> =
            types.map(|type_| if type_ == Type::UNKNOWN { Type::TEXT } else { type_ }).collect();
        self.retype(&mut first, &types)?;
        let columns = renamed(&first.columns, names, called)?;
        self.ctes.push(KnownCte {
            name: called.to_owned(),
            source,
            columns: columns.clone(),
            rows: None,
            undefined: false,
            reads,
        });
        let second = self.body(scope, right, &[]);
        self.ctes.truncate(known);
        let mut second = second?;
        if second.columns.len() != types.len() {
            return Err(unequal_columns("UNION"));
        }
        for (index, (column, type_)) in second.columns.iter().zip(&types).enumerate() {
            let given = column.type_.base;
            if given != Type::UNKNOWN
                && given != *type_
                && self.castable(given, *type_) != Some(Context::Implicit)
            {
                let (was, is) = (self.catalog.type_name(*type_, -1), self.catalog.type_name(given, -1));
                let message = format!(
                    "recursive query \"{called}\" column {} has type {was} in non-recursive term but type {is} overall",
                    index + 1
                );
                return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message)
                    .hint("Cast the output of the non-recursive term to the correct type."));
            }
        }
        self.retype(&mut second, &types)?;
        let body =
            Body::Set { operator: SetOperator::Union, all, left: Box::new(first), right: Box::new(second) };
        let mut query = Query { ctes: with, body, order: Vec::new(), limit: None, offset: None, columns };
        self.limit(scope, whole, &mut query)?;
        Ok(query)
    }

    fn body(&mut self, scope: &Scope<'_>, body: &SetExpr, sort: &[ast::OrderByExpr]) -> Result<Query> {
        match body {
            SetExpr::Select(select) => self.select(scope, select, sort),
            SetExpr::Query(query) => {
                let mut inner = self.untyped_query(scope, query)?;
                if sort.is_empty() {
                    return Ok(inner);
                }
                if !inner.order.is_empty() || inner.limit.is_some() {
                    return Err(SqlError::unsupported("ORDER BY of a sorted query"));
                }
                inner.order = self.output_order(&inner, sort)?;
                Ok(inner)
            }
            SetExpr::SetOperation { .. } => self.set_operations(scope, body, sort),
            SetExpr::Values(values) => self.values(scope, values, sort),
            SetExpr::Table(table) => {
                let text = match (&table.schema_name, &table.table_name) {
                    (Some(schema), Some(table)) => format!("SELECT * FROM {schema}.{table}"),
                    (None, Some(table)) => format!("SELECT * FROM {table}"),
                    _ => return Err(SqlError::unsupported("TABLE")),
                };
                let parsed = source::Source::sent(&text).query()?;
                self.body(scope, &parsed.body, sort)
            }
            SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_) => {
                Err(SqlError::unsupported("a data-modifying statement here"))
            }
        }
    }

    /// Binds a chain of set operations from left to right.
    fn set_operations(
        &mut self,
        scope: &Scope<'_>,
        body: &SetExpr,
        sort: &[ast::OrderByExpr],
    ) -> Result<Query> {
        let mut operations = Vec::new();
        let mut first = body;
        while let SetExpr::SetOperation { op, set_quantifier, left, right } = first {
            operations.push((*op, *set_quantifier, right));
            first = left;
        }
        let mut query = self.body(scope, first, &[])?;
        for (op, quantifier, right) in operations.into_iter().rev() {
            query = self.set_operation(scope, op, quantifier, query, right)?;
        }
        query.order = self.output_order(&query, sort)?;
        Ok(query)
    }

    fn set_operation(
        &mut self,
        scope: &Scope<'_>,
        op: ast::SetOperator,
        quantifier: SetQuantifier,
        mut left_query: Query,
        right: &SetExpr,
    ) -> Result<Query> {
        let (operator, word) = match op {
            ast::SetOperator::Union => (SetOperator::Union, "UNION"),
            ast::SetOperator::Intersect => (SetOperator::Intersect, "INTERSECT"),
            ast::SetOperator::Except | ast::SetOperator::Minus => (SetOperator::Except, "EXCEPT"),
        };
        let all = quantifier == SetQuantifier::All;
        if all && operator != SetOperator::Union {
            return Err(SqlError::unsupported(format!("{word} ALL")));
        }
        let mut right_query = self.body(scope, right, &[])?;
        if left_query.columns.len() != right_query.columns.len() {
            return Err(unequal_columns(word).at(self.place(right.span().start)));
        }
        let at = match right {
            SetExpr::Select(select) => {
                select.projection.first().and_then(|item| self.place(item.span().start))
            }
            _ => None,
        };
        let pairs = left_query.columns.iter().zip(&right_query.columns);
        let types = pairs.map(|(left, right)| match (left.type_.base, right.type_.base) {
            (Type::UNKNOWN, Type::UNKNOWN) => Ok(Type::UNKNOWN),
            (left, right) => self.common_type(&[left, right], word).map_err(|error| error.at(at)),
        });
        let types = types.collect::<Result<Vec<_>>>()?;
        self.retype(&mut left_query, &types)?;
        self.retype(&mut right_query, &types)?;
        let pairs = left_query.columns.iter().zip(&right_query.columns);
        let columns = pairs
            .map(|(left, right)| {
                let same = left.type_ == right.type_;
                Output {
                    name: left.name.clone(),
                    type_: if same { left.type_ } else { left.type_.base.plain() },
                }
            })
            .collect();
        let body = Body::Set { operator, all, left: Box::new(left_query), right: Box::new(right_query) };
        Ok(Query { ctes: Vec::new(), body, order: Vec::new(), limit: None, offset: None, columns })
    }

    /// The keys of an `ORDER BY` that can refer only to output columns.
    fn output_order(&mut self, query: &Query, sort: &[ast::OrderByExpr]) -> Result<Vec<Order>> {
        let keys = sort.iter().map(|written| {
            let index = self.output_index(&written.expr, &query.columns)?.ok_or_else(|| {
                SqlError::new(
                    SqlState::FEATURE_NOT_SUPPORTED,
                    "invalid UNION/INTERSECT/EXCEPT ORDER BY clause",
                )
                .detail("Only result column names can be used, not expressions or functions.")
                .hint("Add the expression/function to every SELECT, or move the UNION into a FROM clause.")
                .at(self.place(written.expr.span().start))
            })?;
            let type_ = query.columns[index].type_.base;
            let column = Expr::new(Node::Column { source: 0, field: Field::Column(index as u32 + 1) }, type_);
            let key = match self.sortable(column) {
                ranked @ Expr { node: Node::Rank { .. }, .. } => Key::Expr(ranked),
                _ => Key::Output(index, type_),
            };
            Ok(order(written, key))
        });
        keys.collect()
    }

    /// The output column that a sort key refers to by number or name.
    fn output_index(&self, key: &ast::Expr, columns: &[Output]) -> Result<Option<usize>> {
        match key {
            ast::Expr::Value(ast::ValueWithSpan { value: ast::Value::Number(number, _), span }) => {
                let index = number.parse::<usize>().ok().filter(|index| (1..=columns.len()).contains(index));
                index.map(|index| Some(index - 1)).ok_or_else(|| {
                    let message = format!("ORDER BY position {number} is not in select list");
                    SqlError::new(SqlState::INVALID_COLUMN_REFERENCE, message).at(self.place(span.start))
                })
            }
            ast::Expr::Identifier(ident) => {
                let wanted = name(ident);
                Ok(columns.iter().position(|column| column.name == wanted))
            }
            _ => Ok(None),
        }
    }

    fn values(
        &mut self,
        scope: &Scope<'_>,
        values: &ast::Values,
        sort: &[ast::OrderByExpr],
    ) -> Result<Query> {
        let mut rows = Vec::new();
        for row in &values.rows {
            let clause = std::mem::replace(&mut self.clause, Clause::Values);
            let row = row.content.iter().map(|expr| self.expr(scope, expr)).collect::<Result<Vec<_>>>();
            self.clause = clause;
            rows.push(row?);
        }
        let width = rows.first().map_or(0, Vec::len);
        if let Some(row) = rows.iter().find(|row| row.len() != width) {
            let at = row.first().and_then(|expr| expr.at.0);
            return Err(
                SqlError::new(SqlState::SYNTAX_ERROR, "VALUES lists must all be the same length").at(at)
            );
        }
        let mut columns = Vec::new();
        for index in 0..width {
            let types: Vec<Type> = rows.iter().map(|row| row[index].type_).collect();
            let unknown = types.iter().all(|type_| *type_ == Type::UNKNOWN);
            let type_ = if unknown { Type::UNKNOWN } else { self.common_type(&types, "VALUES")? };
            columns.push(Output { name: format!("column{}", index + 1), type_: type_.plain() });
            for row in &mut rows {
                if !unknown {
                    row[index] = self.implicit(row[index].clone(), type_)?;
                }
            }
        }
        let mut query = Query {
            ctes: Vec::new(),
            body: Body::Values(rows),
            order: Vec::new(),
            limit: None,
            offset: None,
            columns,
        };
        query.order = self.output_order(&query, sort)?;
        Ok(query)
    }

    /// Converts the columns of a query to other types.
    pub(crate) fn retype(&mut self, query: &mut Query, types: &[Type]) -> Result<()> {
        let same = query.columns.iter().zip(types).all(|(column, type_)| column.type_.base == *type_);
        if same {
            return Ok(());
        }
        match &mut query.body {
            Body::Select(select) => {
                for (target, type_) in select.targets.iter_mut().zip(types) {
                    let before = target.clone();
                    *target = self.cast(target.clone(), type_.plain())?;
                    for group in select.group.iter_mut().filter(|group| **group == before) {
                        group.clone_from(target);
                    }
                }
            }
            Body::Values(rows) => {
                for row in rows {
                    for (value, type_) in row.iter_mut().zip(types) {
                        *value = self.cast(value.clone(), type_.plain())?;
                    }
                }
            }
            Body::Set { left, right, .. } => {
                self.retype(left, types)?;
                self.retype(right, types)?;
            }
        }
        for (column, type_) in query.columns.iter_mut().zip(types) {
            if column.type_.base != *type_ {
                column.type_ = type_.plain();
            }
        }
        for order in &mut query.order {
            if let Key::Output(index, type_) = &mut order.key {
                *type_ = types[*index];
            }
        }
        Ok(())
    }

    fn select(
        &mut self,
        outer: &Scope<'_>,
        select: &ast::Select,
        sort: &[ast::OrderByExpr],
    ) -> Result<Query> {
        if select.into.is_some() {
            return Err(SqlError::unsupported("SELECT INTO"));
        }
        let windows = select.named_window.iter().map(|definition| {
            let spec = match &definition.1 {
                ast::NamedWindowExpr::WindowSpec(spec) => spec.clone(),
                ast::NamedWindowExpr::NamedWindow(base) => self.named_window(&name(base))?,
            };
            Ok((name(&definition.0), spec))
        });
        self.windows = windows.collect::<Result<_>>()?;
        let calls = std::mem::take(&mut self.set_calls);
        let clause = std::mem::replace(&mut self.clause, Clause::Target);
        let bound = self.select_parts(outer, select, sort);
        self.set_calls = calls;
        self.clause = clause;
        bound
    }

    fn select_parts(
        &mut self,
        outer: &Scope<'_>,
        select: &ast::Select,
        sort: &[ast::OrderByExpr],
    ) -> Result<Query> {
        let (mut from, part) = self.bind_from(outer, &select.from)?;
        let scope = Scope { parent: Some(outer), tables: part.tables, visible: part.visible };
        let (targets, columns) = self.targets(&scope, &select.projection)?;
        let filter = match &select.selection {
            Some(filter) => Some(self.condition_in(Clause::Where, &scope, filter)?),
            None => None,
        };
        let group = self.group_by(&scope, &select.group_by, &targets, &columns)?;
        let having = match &select.having {
            Some(having) => Some(self.condition_in(Clause::Having, &scope, having)?),
            None => None,
        };
        let (distinct, distinct_on) = match &select.distinct {
            Some(Distinct::Distinct) => (true, Vec::new()),
            Some(Distinct::On(keys)) => (false, self.distinct_keys(&scope, keys, &targets, &columns)?),
            Some(Distinct::All) | None => (false, Vec::new()),
        };
        let order = self.select_order(&scope, sort, &targets, &columns, distinct)?;
        check_distinct_on(&distinct_on, &order, &targets)?;
        if self.set_calls.len() > 1 {
            return Err(SqlError::unsupported("several set-returning functions in one select list"));
        }
        for (source, array) in std::mem::take(&mut self.set_calls) {
            let elements = From::Elements { source, array };
            from = match from.pop() {
                None => vec![elements],
                Some(last) => {
                    let joined = From::Join {
                        left: Box::new(last),
                        right: Box::new(elements),
                        kind: JoinKind::Cross,
                        on: None,
                    };
                    from.push(joined);
                    from
                }
            };
        }
        let keys = order.iter().filter_map(|order| match &order.key {
            Key::Expr(expr) => Some(expr),
            Key::Output(..) => None,
        });
        let aggregated = !group.is_empty()
            || having.is_some()
            || targets.iter().chain(keys.clone()).any(Expr::is_aggregated);
        if aggregated {
            for expr in targets.iter().chain(&having).chain(keys) {
                self.check_grouped(expr, &group, &scope)?;
            }
        }
        let bound = Select { distinct, distinct_on, targets, from, filter, group, aggregated, having };
        let body = Body::Select(Box::new(bound));
        Ok(Query { ctes: Vec::new(), body, order, limit: None, offset: None, columns })
    }

    pub(super) fn named_window(&self, called: &str) -> Result<ast::WindowSpec> {
        let found = self.windows.iter().find(|(known, _)| known == called).map(|(_, spec)| spec.clone());
        found.ok_or_else(|| {
            SqlError::new(SqlState::UNDEFINED_OBJECT, format!("window \"{called}\" does not exist"))
        })
    }

    /// Binds the targets of a clause other than `SELECT`.
    pub(crate) fn targets_in(
        &mut self,
        clause: Clause,
        scope: &Scope<'_>,
        items: &[SelectItem],
    ) -> Result<(Vec<Expr>, Vec<Output>)> {
        let before = std::mem::replace(&mut self.clause, clause);
        let bound = self.targets(scope, items);
        self.clause = before;
        bound
    }

    /// Binds a list of targets, and expands `*`.
    pub(crate) fn targets(
        &mut self,
        scope: &Scope<'_>,
        items: &[SelectItem],
    ) -> Result<(Vec<Expr>, Vec<Output>)> {
        const TARGETS_MAX: usize = 1_664;
        if items.len() > TARGETS_MAX {
            let message = format!("target lists can have at most {TARGETS_MAX} entries");
            return Err(SqlError::new(SqlState::new("54011"), message));
        }
        let (mut targets, mut columns) = (Vec::new(), Vec::new());
        let mut add = |expr: Expr, name: String| {
            columns.push(Output {
                name,
                type_: crate::types::Modified { base: expr.type_, modifier: expr.modifier },
            });
            targets.push(expr);
        };
        for item in items {
            match item {
                SelectItem::UnnamedExpr(expr) => {
                    if let Some(row) = expanded_row(expr) {
                        let bound = self.expr(scope, &row)?;
                        let (names, items) = self.fields_of(&bound)?;
                        names.into_iter().zip(items).for_each(|(name, item)| add(item, name));
                        continue;
                    }
                    let bound = self.expr(scope, expr)?;
                    add(bound, column_name(expr));
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    let bound = self.expr(scope, expr)?;
                    add(bound, name(alias));
                }
                SelectItem::Wildcard(options) => {
                    if let Some(alias) = &options.opt_alias {
                        return Err(source::not_a_name(alias).at(self.place(alias.span.start)));
                    }
                    if scope.tables.is_empty() {
                        let message = "SELECT * with no tables specified is not valid";
                        return Err(
                            SqlError::new(SqlState::SYNTAX_ERROR, message).at(self.place(item.span().start))
                        );
                    }
                    let visible = || scope.visible.iter().filter(|visible| !visible.hidden);
                    for visible in visible() {
                        add(visible.expr.clone(), visible.name.clone());
                    }
                    let names = visible().map(|visible| scope.written(visible));
                    self.star(options.wildcard_token.0.span, names.collect());
                }
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(object), _) => {
                    let (schema, alias) = source::schema_and_name(object)?;
                    let found = scope.table(schema.as_deref(), &alias);
                    if let (None, None, [ident]) = (found, &schema, &source::parts(object)[..])
                        && let Ok(Some(value)) = scope.column(&name(ident))
                        && let Some((names, items)) = self.row_items(&value)
                    {
                        names.into_iter().zip(items).for_each(|(name, item)| add(item, name));
                        continue;
                    }
                    let table = found
                        .ok_or_else(|| self.missing_table(scope, &alias).at(self.place(item.span().start)))?;
                    let columns = || table.columns.iter().filter(|column| !column.hidden);
                    for column in columns() {
                        add(table.column(column), column.name.clone());
                    }
                    let names = columns().map(|column| table.written(&column.name));
                    self.star(item.span(), names.collect());
                }
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::Expr(expr), _) => {
                    let bound = self.expr(scope, expr)?;
                    let (names, items) = self.fields_of(&bound)?;
                    names.into_iter().zip(items).for_each(|(name, item)| add(item, name));
                }
                SelectItem::ExprWithAliases { .. } => return Err(SqlError::unsupported("several aliases")),
            }
        }
        targets.iter().for_each(|target| self.touch(target));
        Ok((targets, columns))
    }

    /// The names and items that `(row).*` stands for.
    fn fields_of(&mut self, row: &Expr) -> Result<(Vec<String>, Vec<Expr>)> {
        let known = self.row_items(row);
        let (names, items) = known.ok_or_else(|| SqlError::unsupported("this row expansion"))?;
        items.iter().try_for_each(|item| self.once.charge(item))?;
        Ok((names, items))
    }

    /// Records the columns that a `*` stands for, so that a definition keeps its meaning.
    fn star(&mut self, span: sqlparser::tokenizer::Span, columns: Vec<String>) {
        let (Some(stars), 0) = (&mut self.stars, self.depth) else { return };
        let (from, to) = (self.source.offset(span.start), self.source.offset(span.end));
        let Some(range) = from.zip(to).map(|(from, to)| from..to) else { return };
        if self.source.text.get(range.clone()).is_some_and(|text| text.ends_with('*')) {
            stars.push((range, columns.join(", ")));
        }
    }

    fn group_by(
        &mut self,
        scope: &Scope<'_>,
        group_by: &GroupByExpr,
        targets: &[Expr],
        columns: &[Output],
    ) -> Result<Vec<Expr>> {
        let GroupByExpr::Expressions(keys, modifiers) = group_by else {
            return Err(SqlError::unsupported("GROUP BY ALL"));
        };
        if !modifiers.is_empty() {
            return Err(SqlError::unsupported("GROUP BY with a modifier"));
        }
        let mut group = Vec::new();
        for key in keys {
            let at = self.place(key.span().start);
            let bound = match key {
                ast::Expr::Identifier(ident)
                    if scope.visible.iter().any(|visible| visible.name == name(ident)) =>
                {
                    self.expr_in(Clause::GroupBy, scope, key)?
                }
                ast::Expr::Tuple(items) if items.is_empty() => continue,
                _ => match self.output_index(key, columns) {
                    Ok(Some(index)) => self.copied(&targets[index])?,
                    Ok(None) => self.expr_in(Clause::GroupBy, scope, key)?,
                    Err(error) => {
                        let message = error.message.replace("ORDER BY", "GROUP BY");
                        return Err(SqlError::new(error.code, message).at(error.position));
                    }
                },
            };
            if bound.is_aggregated() {
                let message = "aggregate functions are not allowed in GROUP BY";
                return Err(SqlError::new(SqlState::GROUPING_ERROR, message).at(at));
            }
            group.push(self.settle(bound)?);
        }
        Ok(group)
    }

    fn distinct_keys(
        &mut self,
        scope: &Scope<'_>,
        keys: &[ast::Expr],
        targets: &[Expr],
        columns: &[Output],
    ) -> Result<Vec<Expr>> {
        let keys = keys.iter().map(|key| match self.output_index(key, columns)? {
            Some(index) => self.copied(&targets[index]),
            None => self.expr(scope, key),
        });
        let keys = keys.collect::<Result<Vec<Expr>>>()?;
        // Rows are numbered within groups by these keys, and groups are sorted by them.
        keys.iter().chain(&keys).try_for_each(|key| self.once.charge(key))?;
        Ok(keys)
    }

    fn select_order(
        &mut self,
        scope: &Scope<'_>,
        sort: &[ast::OrderByExpr],
        targets: &[Expr],
        columns: &[Output],
        distinct: bool,
    ) -> Result<Vec<Order>> {
        let mut keys = Vec::new();
        for written in sort {
            let at = self.place(written.expr.span().start);
            let output = self.output_index(&written.expr, columns)?;
            let bound = match output {
                Some(index) => targets[index].clone(),
                None => self.expr_in(Clause::OrderBy, scope, &written.expr)?,
            };
            let bound = self.settle(bound)?;
            if !self.is_comparable(bound.type_) {
                let name = self.catalog.type_name(bound.type_, -1);
                let message = format!("could not identify an ordering operator for type {name}");
                return Err(SqlError::new(SqlState::UNDEFINED_FUNCTION, message)
                    .hint("Use an explicit ordering operator or modify the query.")
                    .at(at));
            }
            let output = output.or_else(|| targets.iter().position(|target| *target == bound));
            if distinct && output.is_none() {
                let message = "for SELECT DISTINCT, ORDER BY expressions must appear in select list";
                return Err(SqlError::new(SqlState::INVALID_COLUMN_REFERENCE, message).at(at));
            }
            let type_ = bound.type_;
            let key = match (self.sortable(bound), output) {
                (ranked @ Expr { node: Node::Rank { .. }, .. }, _) => {
                    self.once.charge(&ranked)?;
                    Key::Expr(ranked)
                }
                (_, Some(index)) => Key::Output(index, type_),
                (expr, None) => Key::Expr(expr),
            };
            keys.push(order(written, key));
        }
        Ok(keys)
    }

    /// Refuses columns that can have several values in a group.
    fn check_grouped(&self, expr: &Expr, group: &[Expr], scope: &Scope<'_>) -> Result<()> {
        if group.contains(expr) {
            return Ok(());
        }
        match &expr.node {
            Node::Column { source, field } => {
                let Some(table) = scope.tables.iter().find(|table| table.source == *source) else {
                    return Ok(());
                };
                // A domain's value of the column is the same column.
                if group.iter().any(|key| key.node == expr.node) || self.has_whole_key(table, group) {
                    return Ok(());
                }
                let column = table.columns.iter().find(|column| column.field == *field);
                let shown = column.map_or("", |column| &column.name);
                let message = format!(
                    "column \"{}.{shown}\" must appear in the GROUP BY clause or be used in an aggregate function",
                    table.alias
                );
                Err(SqlError::new(SqlState::GROUPING_ERROR, message).at(expr.at.0))
            }
            Node::Call(call)
                if call.window.is_none()
                    && matches!(call.function.kind, crate::functions::Kind::Aggregate { .. }) =>
            {
                Ok(())
            }
            _ => {
                expr.operands().into_iter().try_for_each(|operand| self.check_grouped(operand, group, scope))
            }
        }
    }

    /// Whether the grouping contains the primary key of a table. Then its other columns have one value in each group.
    fn has_whole_key(&self, table: &super::scope::Table, group: &[Expr]) -> bool {
        let key = table
            .relation
            .and_then(|oid| self.catalog.relation(oid))
            .and_then(|relation| relation.primary_key());
        key.is_some_and(|key| {
            key.columns.iter().all(|number| {
                let field = Field::Column(*number);
                group.iter().any(|expr| {
                    matches!(expr.node, Node::Column { source, field: of } if source == table.source && of == field)
                })
            })
        })
    }
}

/// Refuses `DISTINCT ON` if the `ORDER BY` does not begin with its expressions.
fn check_distinct_on(keys: &[Expr], order: &[Order], targets: &[Expr]) -> Result<()> {
    let fits = order.iter().take(keys.len()).all(|order| match &order.key {
        Key::Output(index, _) => keys.contains(&targets[*index]),
        Key::Expr(Expr { node: Node::Rank { expr, .. }, .. }) => keys.contains(expr),
        Key::Expr(expr) => keys.contains(expr),
    });
    match keys.first() {
        Some(first) if !fits => {
            let message = "SELECT DISTINCT ON expressions must match initial ORDER BY expressions";
            Err(SqlError::new(SqlState::INVALID_COLUMN_REFERENCE, message).at(first.at.0))
        }
        _ => Ok(()),
    }
}

/// Renames the columns as an alias says.
pub(super) fn renamed(columns: &[Output], names: &[String], table: &str) -> Result<Vec<Output>> {
    if names.len() > columns.len() {
        let message = format!(
            "table \"{table}\" has {} columns available but {} columns specified",
            columns.len(),
            names.len()
        );
        return Err(SqlError::new(SqlState::INVALID_COLUMN_REFERENCE, message));
    }
    let names = names.iter().map(Some).chain(std::iter::repeat(None));
    let renamed = columns
        .iter()
        .zip(names)
        .map(|(column, name)| Output { name: name.unwrap_or(&column.name).clone(), type_: column.type_ });
    Ok(renamed.collect())
}

fn unequal_columns(word: &str) -> SqlError {
    SqlError::new(SqlState::SYNTAX_ERROR, format!("each {word} query must have the same number of columns"))
}

/// The row of `(row).*`, which the parser reads as a field with the name `*`.
fn expanded_row(expr: &ast::Expr) -> Option<ast::Expr> {
    let ast::Expr::CompoundFieldAccess { root, access_chain } = expr else { return None };
    let (ast::AccessExpr::Dot(ast::Expr::Identifier(last)), before) = access_chain.split_last()? else {
        return None;
    };
    if last.value != "*" {
        return None;
    }
    Some(match before {
        [] => (**root).clone(),
        before => ast::Expr::CompoundFieldAccess { root: root.clone(), access_chain: before.to_vec() },
    })
}
