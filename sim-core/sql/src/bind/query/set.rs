//! Bodies of queries: `UNION` and its kin, `VALUES`, and the order of their rows.

use sqlparser::ast::{self, SetExpr, SetQuantifier, Spanned as _};

use super::order;
use crate::bind::{Binder, Clause, Scope};
use crate::error::{Result, SqlError, SqlState};
use crate::source::{self, name};
use crate::tree::{Body, Cte, Expr, Field, From, Key, Node, Order, Output, Query, Select, SetOperator};
use crate::types::{Modified, Type};

impl Binder<'_> {
    pub(super) fn body(
        &mut self,
        scope: &Scope<'_>,
        body: &SetExpr,
        sort: &[ast::OrderByExpr],
    ) -> Result<Query> {
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
    pub(super) fn set_operations(
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

    pub(super) fn set_operation(
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
        let tells_apart = !all || operator != SetOperator::Union;
        let mut right_query = self.body(scope, right, &[])?;
        if left_query.columns.len() != right_query.columns.len() {
            let first = match right {
                SetExpr::Select(select) => select.projection.first().map(|item| item.span().start),
                _ => None,
            };
            return Err(unequal_columns(word).at(self.place(first.unwrap_or(right.span().start))));
        }
        let at = match right {
            SetExpr::Select(select) => {
                select.projection.first().and_then(|item| self.place(item.span().start))
            }
            _ => None,
        };
        let pairs = left_query.columns.iter().zip(&right_query.columns);
        let types = pairs.map(|(left, right)| {
            self.common_type(&[left.type_.base, right.type_.base], word).map_err(|error| error.at(at))
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
        if all && tells_apart && left_query.columns.is_empty() {
            return Err(SqlError::unsupported(format!("{word} ALL of queries without columns")));
        }
        if tells_apart {
            self.require_equality_of_columns(&left_query, &right_query)?;
            if !all && left_query.columns.iter().any(|column| self.is_told_apart_by_key(column)) {
                return Ok(self.set_by_keys(operator, (left_query, right_query), columns));
            }
            if all && left_query.columns.iter().any(|column| self.is_told_apart_by_key(column)) {
                return Ok(self.counted_by_keys(operator, (left_query, right_query), columns));
            }
            if operator == SetOperator::Union && columns.iter().any(|column| self.may_look_different(column))
            {
                return Ok(self.union_of_first(left_query, right_query, columns));
            }
            self.key_columns(&mut left_query);
            self.key_columns(&mut right_query);
        }
        let body = Body::Set { operator, all, left: Box::new(left_query), right: Box::new(right_query) };
        Ok(Query { ctes: Vec::new(), body, order: Vec::new(), limit: None, offset: None, columns })
    }

    pub(super) fn is_told_apart_by_key(&self, column: &Output) -> bool {
        self.catalog.parts(column.type_.base).told_apart().need_key()
    }

    /// Whether values of a column may be equal and look different.
    fn may_look_different(&self, column: &Output) -> bool {
        self.catalog.base_type(column.type_.base).collation().is_some()
    }

    /// `UNION` with the first one of equal rows. SQLite's has the last one.
    fn union_of_first(&mut self, left: Query, right: Query, columns: Vec<Output>) -> Query {
        let is_plain = left.is_plain();
        let left = match left.body {
            Body::Select(select) if is_plain && is_union_of_first(&select) => {
                match select.from.into_iter().next() {
                    Some(From::Query { query, .. }) => query,
                    _ => unreachable!("it has one source"),
                }
            }
            body => Box::new(Query { body, ..left }),
        };
        let body = Body::Set { operator: SetOperator::Union, all: true, left, right: Box::new(right) };
        let source = self.new_source();
        let mut all = Query::plain(body, columns.clone());
        self.key_columns(&mut all);
        let targets = columns_of(source, &all.columns);
        let from = vec![From::Query { source, query: Box::new(all), lateral: false }];
        let select = Select { distinct: true, targets, from, ..Select::default() };
        Query::plain(Body::Select(Box::new(select)), columns)
    }

    /// `EXCEPT ALL` or `INTERSECT ALL` of such rows.
    fn counted_by_keys(
        &mut self,
        operator: SetOperator,
        (left, right): (Query, Query),
        columns: Vec<Output>,
    ) -> Query {
        let (left, right) = (self.with_packed(left, &columns), self.with_packed(right, &columns));
        let packed = left.columns.clone();
        let body = Body::Set { operator, all: true, left: Box::new(left), right: Box::new(right) };
        let query = Box::new(Query::plain(body, packed));
        self.unpacked(From::Query { source: 0, query, lateral: false }, &columns)
    }

    /// `WITH RECURSIVE` that tells such rows apart: the query called `w…` reads itself with pairs in place of values.
    pub(super) fn recursive_by_keys(&mut self, source: usize, mut query: Query) -> Result<Query> {
        let columns = query.columns.clone();
        let name = format!("w{source}");
        let Body::Set { left, right, .. } = &mut query.body else { return Ok(query) };
        let first = std::mem::replace(&mut **left, Query::plain(Body::Values(Vec::new()), Vec::new()));
        **left = self.with_packed(first, &columns);
        let Body::Select(select) = &mut right.body else {
            return Err(SqlError::unsupported("UNION in the part of WITH RECURSIVE that reads itself"));
        };
        let mut own = Vec::new();
        select.from.iter().for_each(|from| from.add_named(&name, &mut own));
        let keyed: Vec<bool> = columns.iter().map(|column| self.is_told_apart_by_key(column)).collect();
        select.replace(&mut |expr| {
            let Node::Column { source, field: Field::Column(number) } = expr.node else { return false };
            let found = own.contains(&source) && keyed.get(number as usize - 1) == Some(&true);
            if found {
                *expr = unpacked(expr.clone());
            }
            found
        });
        for (target, _) in select.targets.iter_mut().zip(&keyed).filter(|(_, keyed)| **keyed) {
            *target = self.packed(vec![target.clone()], vec![target.clone()]);
        }
        right.columns.clone_from(&left.columns);
        query.columns.clone_from(&left.columns);
        let mut outer = self.unpacked(From::Named { source: 0, name }, &columns);
        outer.ctes.push(Cte { source, recursive: true, materialized: None, query });
        Ok(outer)
    }

    /// A query whose columns SQLite tells apart: in place of those that need a key are pairs of the key and the value.
    fn with_packed(&mut self, query: Query, columns: &[Output]) -> Query {
        let source = self.new_source();
        let targets = columns_of(source, columns).into_iter().zip(columns).map(|(value, column)| match self
            .is_told_apart_by_key(column)
        {
            true => self.packed(vec![value.clone()], vec![value]),
            false => value,
        });
        let targets: Vec<Expr> = targets.collect();
        let columns = targets.iter().zip(columns).map(|(target, column)| Output {
            name: column.name.clone(),
            type_: Modified { base: self.catalog.base_type(target.type_), modifier: target.modifier },
        });
        let columns = columns.collect();
        let from = vec![From::Query { source, query: Box::new(query), lateral: false }];
        Query::plain(Body::Select(Box::new(Select { targets, from, ..Select::default() })), columns)
    }

    /// The query of the values within such pairs.
    fn unpacked(&self, from: From, columns: &[Output]) -> Query {
        let targets = columns_of(0, columns).into_iter().zip(columns);
        let targets = targets.map(|(value, column)| match self.is_told_apart_by_key(column) {
            true => unpacked(value),
            false => value,
        });
        let select = Select { targets: targets.collect(), from: vec![from], ..Select::default() };
        Query::plain(Body::Select(Box::new(select)), columns.to_vec())
    }

    /// A set operation on rows with columns that SQLite tells apart only by keys.
    fn set_by_keys(
        &mut self,
        operator: SetOperator,
        (left, right): (Query, Query),
        columns: Vec<Output>,
    ) -> Query {
        let plain = |body: Body, columns: &[Output]| Query::plain(body, columns.to_vec());
        let (source, other) = (self.new_source(), self.new_source());
        let of = |source: usize| columns_of(source, &columns);
        let keys = |source: usize| of(source).into_iter().map(|column| self.key(column));
        let from =
            |source: usize, query: Query| From::Query { source, query: Box::new(query), lateral: false };
        let (query, filter) = match operator {
            SetOperator::Union => {
                let body = Body::Set { operator, all: true, left: Box::new(left), right: Box::new(right) };
                (plain(body, &columns), None)
            }
            SetOperator::Intersect | SetOperator::Except => {
                let same = keys(source).zip(keys(other)).map(|(left, right)| {
                    let (left, right) = (Box::new(left), Box::new(right));
                    Expr::boolean(Node::IsDistinct { left, right, negated: true })
                });
                let same = same.reduce(|all, next| Expr::boolean(Node::And(Box::new(all), Box::new(next))));
                let found = Select {
                    targets: of(other),
                    from: vec![from(other, right)],
                    filter: same,
                    ..Select::default()
                };
                let query = Box::new(plain(Body::Select(Box::new(found)), &columns));
                let negated = operator == SetOperator::Except;
                (left, Some(Expr::boolean(Node::Exists { query, negated })))
            }
        };
        let select = Select {
            distinct_on: keys(source).collect(),
            targets: of(source),
            from: vec![from(source, query)],
            filter,
            ..Select::default()
        };
        let apart = plain(Body::Select(Box::new(select)), &columns);
        // Source 0 is what an `ORDER BY` refers to.
        let outer = Select { targets: of(0), from: vec![from(0, apart)], ..Select::default() };
        plain(Body::Select(Box::new(outer)), &columns)
    }

    /// The keys of an `ORDER BY` that can refer only to output columns.
    pub(super) fn output_order(&mut self, query: &Query, sort: &[ast::OrderByExpr]) -> Result<Vec<Order>> {
        let keys = sort.iter().map(|written| {
            let index = self.output_index(&written.expr, &query.columns)?.ok_or_else(|| {
                if let ast::Expr::Identifier(ident) = &written.expr {
                    let message = format!("column \"{}\" does not exist", name(ident));
                    return SqlError::new(SqlState::UNDEFINED_COLUMN, message)
                        .at(self.place(ident.span.start));
                }
                if let ast::Expr::CompoundIdentifier(idents) = &written.expr
                    && let [table, _] = &idents[..]
                {
                    return self
                        .missing_table(&Scope::default(), &name(table))
                        .at(self.place(table.span.start));
                }
                let columns = self.part(0, &query.columns, None, "", false);
                if let Err(error) = columns.and_then(|scope| self.expr(&scope, &written.expr)) {
                    return error;
                }
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
                ranked @ Expr { node: Node::Rank { .. } | Node::Key { .. }, .. } => Key::Expr(ranked),
                sorted => Key::Output(index, self.catalog.base_type(sorted.type_)),
            };
            Ok(order(written, key))
        });
        keys.collect()
    }

    /// The output column that a sort key refers to by number or name.
    pub(super) fn output_index(&self, key: &ast::Expr, columns: &[Output]) -> Result<Option<usize>> {
        match key {
            ast::Expr::Value(ast::ValueWithSpan { value: ast::Value::Placeholder(_), .. }) => Ok(None),
            ast::Expr::Value(ast::ValueWithSpan { value, span }) if !matches!(value, ast::Value::Number(number, _) if number.parse::<i32>().is_ok()) =>
            {
                let message = "non-integer constant in ORDER BY";
                Err(SqlError::new(SqlState::SYNTAX_ERROR, message).at(self.place(span.start)))
            }
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

    pub(super) fn values(
        &mut self,
        scope: &Scope<'_>,
        values: &ast::Values,
        sort: &[ast::OrderByExpr],
    ) -> Result<Query> {
        let mut rows = Vec::new();
        for row in &values.rows {
            let clause = std::mem::replace(&mut self.clause, Clause::Values);
            let items = row.content.iter().map(|expr| match self.expanded(scope, expr)? {
                Some((_, items)) => Ok(items),
                None => Ok(vec![self.expr(scope, expr)?]),
            });
            let row = items.collect::<Result<Vec<_>>>();
            self.clause = clause;
            rows.push(row?.concat());
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
            let type_ = self.common_type(&types, "VALUES")?;
            columns.push(Output { name: format!("column{}", index + 1), type_: type_.plain() });
            for row in &mut rows {
                row[index] = self.implicit(row[index].clone(), type_)?;
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
}

/// Whether a query is nothing but `UNION` of the queries of one with `UNION ALL`.
fn is_union_of_first(select: &Select) -> bool {
    let [From::Query { source, query, .. }] = &select.from[..] else { return false };
    let is_own = |(number, target): (u32, &Expr)| {
        target.node == Node::Column { source: *source, field: Field::Column(number) }
    };
    let is_all = matches!(query.body, Body::Set { operator: SetOperator::Union, all: true, .. });
    let rest = (&select.distinct_on, &select.filter, &select.group, select.aggregated, &select.having);
    select.distinct
        && is_all
        && query.is_plain()
        && rest == (&Vec::new(), &None, &Vec::new(), false, &None)
        && select.targets.len() == query.columns.len()
        && (1..).zip(&select.targets).all(is_own)
}

/// The value within a [`Binder::packed`] pair, which a column has in its place.
fn unpacked(column: Expr) -> Expr {
    let packed = Expr { type_: Type::RECORD, modifier: -1, ..column.clone() };
    let node = Node::Template { text: "json_extract({0}, '$[0].\"~\"[0]')", operands: vec![packed] };
    Expr { node, ..column }
}

fn columns_of(source: usize, columns: &[Output]) -> Vec<Expr> {
    let column = |(number, column): (u32, &Output)| {
        let node = Node::Column { source, field: Field::Column(number) };
        Expr { modifier: column.type_.modifier, ..Expr::new(node, column.type_.base) }
    };
    (1..).zip(columns).map(column).collect()
}

/// Renames the columns as an alias says.
pub(in crate::bind) fn renamed(columns: &[Output], names: &[String], table: &str) -> Result<Vec<Output>> {
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

pub(super) fn unequal_columns(word: &str) -> SqlError {
    SqlError::new(SqlState::SYNTAX_ERROR, format!("each {word} query must have the same number of columns"))
}
