//! Queries: `WITH`, set operations, `ORDER BY`, `LIMIT`.

use sqlparser::ast::{self, LimitClause, OrderByKind, Query, SetExpr, SetOperator, SetQuantifier, With};

use super::expr::{Expr, Origin};
use super::recursive::Recursion;
use super::scope::{Kind, Range, Scope};
use super::{Binder, Bound, Cte, column_list};
use crate::Column;
use crate::Shape;
use crate::Target;
use crate::refusal::Refusal;
use crate::types::Type;

/// The clauses that follow a query's body.
pub(super) struct Tail<'q> {
    pub(super) order: &'q [ast::OrderByExpr],
    /// `LIMIT` and `OFFSET`, printed.
    pub(super) limit: String,
}

impl Tail<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.order.is_empty() && self.limit.is_empty()
    }
}

impl Binder<'_> {
    /// Binds a query with at most `max_rows` rows.
    pub(super) fn query(
        &mut self,
        query: &Query,
        parent: Option<&Scope<'_>>,
        max_rows: Option<u32>,
    ) -> Result<Bound, Refusal> {
        if !query.pipe_operators.is_empty() {
            return self.query(&super::pipes::plain(query)?, parent, max_rows);
        }
        check_clauses(query, self.is_postgres())?;
        if let Some(tied) = self.with_ties(query)? {
            return self.query(&tied, parent, max_rows);
        }
        let reach = self.ctes.len();
        let with = query.with.as_ref().map(|with| self.ctes_of(with, parent)).transpose()?;
        let tail = Tail { order: order_of(query)?, limit: self.limit(query, max_rows)? };
        let bound = self.nested(|binder| binder.body(&query.body, &tail, parent));
        self.ctes.truncate(reach);
        let Bound { sql, columns } = bound?;
        self.check_length(&sql)?;
        Ok(Bound { sql: with.map_or_else(|| sql.clone(), |with| format!("{with} {sql}")), columns })
    }

    /// Binds a query inside an expression. Also returns the column of the enclosing row that it uses, if any.
    pub(super) fn inner_query(
        &mut self,
        query: &Query,
        scope: &Scope<'_>,
    ) -> Result<(Bound, Option<String>), Refusal> {
        let around = self.outer.take();
        let bound = self.query(query, Some(scope), None);
        let taken = std::mem::replace(&mut self.outer, around);
        Ok((bound?, taken))
    }

    /// Binds common table expressions, which are visible from then on.
    pub(super) fn ctes_of(&mut self, with: &With, parent: Option<&Scope<'_>>) -> Result<String, Refusal> {
        let mut printed = Vec::new();
        for cte in &with.cte_tables {
            if !cte.alias.columns.is_empty() && !self.is_postgres() {
                return Err(Refusal::syntax("a common table expression has no list of columns"));
            }
            let name = cte.alias.name.value.clone();
            let named = (with.recursive && !cte.alias.columns.is_empty()).then(|| with_named_items(cte));
            let cte = named.as_ref().unwrap_or(cte);
            if let Some(recursion) = Recursion::of(cte).filter(|_| with.recursive) {
                printed.push(self.recursive(&name, &recursion, parent)?);
                continue;
            }
            let around = std::mem::take(&mut self.reads);
            let Bound { sql, columns } = self.query(&cte.query, parent, None)?;
            let columns = with_names(columns, &cte.alias)?;
            let reads = std::mem::replace(&mut self.reads, around);
            let table = self.fresh('w');
            let whole = if reads.is_deep() { "MATERIALIZED " } else { "" };
            printed.push(format!("{table}({}) AS {whole}({sql})", column_list(columns.len())));
            self.ctes.push(Cte { name, sql: table, columns, recursive: false, reads });
        }
        let word = if with.recursive { "WITH RECURSIVE" } else { "WITH" };
        Ok(format!("{word} {}", printed.join(", ")))
    }

    /// Binds a part of a query without `ORDER BY` and `LIMIT`.
    pub(super) fn plain_body(
        &mut self,
        body: &SetExpr,
        parent: Option<&Scope<'_>>,
    ) -> Result<Bound, Refusal> {
        self.body(body, &Tail { order: &[], limit: String::new() }, parent)
    }

    fn body(
        &mut self,
        body: &SetExpr,
        tail: &Tail<'_>,
        parent: Option<&Scope<'_>>,
    ) -> Result<Bound, Refusal> {
        match body {
            SetExpr::Select(select) => self.select(select, tail, parent),
            SetExpr::Query(query) if tail.is_empty() => self.query(query, parent, None),
            SetExpr::Query(query) => {
                let bound = self.query(query, parent, None)?;
                self.around(bound, tail)
            }
            SetExpr::SetOperation { left, op, set_quantifier, right } => {
                let bound = self.set_operation(left, *op, *set_quantifier, right, parent)?;
                if tail.is_empty() { Ok(bound) } else { self.around(bound, tail) }
            }
            SetExpr::Values(values) if self.is_postgres() => {
                let bound = self.written_rows(values, parent)?;
                if tail.is_empty() { Ok(bound) } else { self.around(bound, tail) }
            }
            _ => Err(Refusal::unsupported("a query without SELECT")),
        }
    }

    /// `VALUES (1, 'a'), (2, 'b')`
    fn written_rows(&mut self, values: &ast::Values, parent: Option<&Scope<'_>>) -> Result<Bound, Refusal> {
        let scope = Scope::within(parent);
        let mut rows = Vec::new();
        for row in &values.rows {
            let row = row.content.iter().map(|value| self.expr(value, &scope)?.plain("VALUES"));
            rows.push(row.collect::<Result<Vec<_>, _>>()?);
        }
        let count = rows.first().map_or(0, Vec::len);
        if rows.iter().any(|row| row.len() != count) {
            return Err(Refusal::invalid("VALUES lists must all be the same length"));
        }
        let (mut columns, mut list) = (Vec::new(), Vec::new());
        for place in 0..count {
            let given: Vec<Expr> = rows.iter().map(|row| row[place].clone()).collect();
            let (type_, values) = self.unified(&given, "VALUES")?;
            for (row, value) in rows.iter_mut().zip(values) {
                row[place] = value;
            }
            columns.push(Column { name: format!("column{}", place + 1), type_, shape: Shape::Open });
            list.push(format!("column{0} AS c{0}", place + 1));
        }
        let row = |row: &Vec<Expr>| row.iter().map(|value| value.sql.as_str()).collect::<Vec<_>>().join(", ");
        let rows: Vec<_> = rows.iter().map(|values| format!("({})", row(values))).collect();
        let sql =
            format!("SELECT {} FROM (VALUES {}) AS {}", list.join(", "), rows.join(", "), self.fresh('s'));
        Ok(Bound { sql, columns })
    }

    /// Applies `ORDER BY` and `LIMIT` to a finished query.
    pub(super) fn around(&mut self, inner: Bound, tail: &Tail<'_>) -> Result<Bound, Refusal> {
        let Bound { sql, columns } = inner;
        let name = self.fresh('s');
        let scope = Scope { ranges: vec![range(String::new(), &name, &columns)], ..Scope::default() };
        let outputs: Vec<Expr> = columns
            .iter()
            .enumerate()
            .map(|(index, column)| Expr::new(format!("{name}.c{}", index + 1), column.type_.clone()))
            .collect();
        let order = self.order_by(tail.order, &outputs, &scope)?.plain("ORDER BY of a finished result")?.sql;
        let list = column_list(columns.len());
        let sql = format!("SELECT {list} FROM ({sql}) AS {name}{order}{}", tail.limit);
        Ok(Bound { sql, columns })
    }

    fn set_operation(
        &mut self,
        left: &SetExpr,
        operator: SetOperator,
        quantifier: SetQuantifier,
        right: &SetExpr,
        parent: Option<&Scope<'_>>,
    ) -> Result<Bound, Refusal> {
        let by_name = match quantifier {
            SetQuantifier::AllByName if !self.is_postgres() => Some(SetQuantifier::All),
            SetQuantifier::DistinctByName if !self.is_postgres() => Some(SetQuantifier::Distinct),
            SetQuantifier::ByName if !self.is_postgres() => Some(SetQuantifier::None),
            _ => None,
        };
        let (written, quantifier) = (quantifier, by_name.unwrap_or(quantifier));
        let word = match (operator, quantifier) {
            (SetOperator::Union, SetQuantifier::All) => "UNION ALL",
            (SetOperator::Union, SetQuantifier::Distinct) => "UNION",
            (SetOperator::Intersect, SetQuantifier::Distinct) => "INTERSECT",
            (SetOperator::Except, SetQuantifier::Distinct) => "EXCEPT",
            (SetOperator::Union, SetQuantifier::None) if self.is_postgres() => "UNION",
            (SetOperator::Intersect, SetQuantifier::None) if self.is_postgres() => "INTERSECT",
            (SetOperator::Except, SetQuantifier::None) if self.is_postgres() => "EXCEPT",
            (_, SetQuantifier::None) => {
                return Err(Refusal::syntax(format!(
                    "Expected keyword ALL or keyword DISTINCT after {operator}"
                )));
            }
            (SetOperator::Intersect, SetQuantifier::All) if self.is_postgres() => "INTERSECT",
            (SetOperator::Except, SetQuantifier::All) if self.is_postgres() => "EXCEPT",
            _ => return Err(Refusal::unsupported(&format!("{operator} {quantifier}"))),
        };
        let counted = word != "UNION ALL" && quantifier == SetQuantifier::All;
        let is_other = |side: &SetExpr| matches!(side, SetExpr::SetOperation { op, set_quantifier, .. } if (*op, *set_quantifier) != (operator, written));
        if !self.is_postgres() && (is_other(left) || is_other(right)) {
            return Err(Refusal::syntax(
                "Different set operations cannot be used in the same query without using parentheses for grouping",
            ));
        }
        let distinct = counted || matches!(quantifier, SetQuantifier::Distinct | SetQuantifier::None);
        let left = self.nested(|binder| binder.plain_body(left, parent))?;
        let right = self.nested(|binder| binder.plain_body(right, parent))?;
        let right = if by_name.is_some() { by_names_of(&left, right)? } else { right };
        if left.columns.len() != right.columns.len() {
            let message = format!(
                "Queries in {operator} have mismatched column count; {} and {}",
                left.columns.len(),
                right.columns.len()
            );
            return Err(Refusal::invalid(message));
        }
        let columns = left.columns.iter().zip(&right.columns);
        let columns: Vec<Column> = columns
            .map(|(left, right)| {
                let type_ = left.type_.common(&right.type_).ok_or_else(|| {
                    Refusal::invalid(format!(
                        "Column {} of a set operation has incompatible types: {}, {}",
                        left.name, left.type_, right.type_
                    ))
                })?;
                let shape = match (&left.type_, &right.type_) {
                    (Type::Null, _) => right.shape.clone(),
                    (_, Type::Null) => left.shape.clone(),
                    _ => left.shape.clone().or(&right.shape),
                };
                Ok(Column { name: left.name.clone(), type_, shape })
            })
            .collect::<Result<_, Refusal>>()?;
        let left = self.part(&left, &columns, distinct)?;
        let right = self.part(&right, &columns, distinct)?;
        if counted {
            // Of rows that are the same, each has its own number.
            let list = column_list(columns.len());
            let numbered = |part: &str| {
                format!("SELECT {list}, row_number() OVER (PARTITION BY {list}) AS n FROM ({part}) AS q")
            };
            let sql = format!("SELECT {list} FROM ({} {word} {}) AS q", numbered(&left), numbered(&right));
            return Ok(Bound { sql, columns });
        }
        Ok(Bound { sql: format!("{left} {word} {right}"), columns })
    }

    /// One side of a set operation, with its columns converted to the common types.
    fn part(&mut self, bound: &Bound, columns: &[Column], distinct: bool) -> Result<String, Refusal> {
        let pairs = bound.columns.iter().zip(columns).enumerate();
        let list = pairs
            .map(|(index, (from, to))| {
                let number = index + 1;
                let expr = self.coerced(&Expr::new(format!("c{number}"), from.type_.clone()), &to.type_)?;
                let sql = if distinct { self.target.grouped(&expr.type_, &expr.sql) } else { expr.sql };
                Ok(format!("{sql} AS c{number}"))
            })
            .collect::<Result<Vec<_>, Refusal>>()?;
        Ok(format!("SELECT {} FROM ({}) AS q", list.join(", "), bound.sql))
    }

    /// `ORDER BY`. `outputs` are the columns that numbers refer to. The result has no type.
    pub(super) fn order_by(
        &mut self,
        order: &[ast::OrderByExpr],
        outputs: &[Expr],
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let mut keys = Vec::new();
        let mut exprs = Vec::new();
        for item in order {
            let expr = match position(&item.expr) {
                Some(number) => at_position(outputs, number)?.clone(),
                None => self.expr(&item.expr, scope)?,
            };
            keys.extend(self.sort_keys(&expr, item)?);
            exprs.push(expr);
        }
        let sql = if keys.is_empty() { String::new() } else { format!(" ORDER BY {}", keys.join(", ")) };
        Ok(Expr::of(sql, Type::Null, &exprs))
    }

    /// The sort keys of one expression. Nulls are first, or last in descending order.
    pub(super) fn sort_keys(&self, expr: &Expr, item: &ast::OrderByExpr) -> Result<Vec<String>, Refusal> {
        if item.with_fill.is_some() {
            return Err(Refusal::unsupported("WITH FILL"));
        }
        let descending = item.options.sort == Some(ast::OrderBySort::Desc);
        let direction = if descending { "DESC" } else { "ASC" };
        // For PostgreSQL, nulls are the greatest values.
        let first = item.options.nulls_first.unwrap_or(descending == self.is_postgres());
        let nulls = if first { "NULLS FIRST" } else { "NULLS LAST" };
        let key = |sql: String| format!("{sql} {direction} {nulls}");
        Ok(match &expr.type_ {
            // Numbers among other values are ordered as numbers.
            Type::Dynamic => {
                let text = self.target.ordered(&Type::String, &format!("wh_text({})", expr.sql));
                vec![key(format!("wh_only_number({})", expr.sql)), key(text)]
            }
            Type::Array(_) | Type::Struct(_) => {
                return Err(Refusal::invalid(format!(
                    "ORDER BY does not support expressions of type {}",
                    expr.type_
                )));
            }
            // A constant does not sort rows, and a bare number would be a column's position.
            // A parameter must stand somewhere, to be bound.
            _ if expr.is_literal() && expr.origin != Origin::Parameter => Vec::new(),
            type_ => vec![key(self.target.ordered(type_, &expr.sql))],
        })
    }

    /// `FETCH FIRST 2 ROWS WITH TIES` as a condition on the rank of a row; `None` for other queries.
    fn with_ties(&self, query: &Query) -> Result<Option<Query>, Refusal> {
        let Some(fetch) = query.fetch.as_ref().filter(|fetch| fetch.with_ties) else { return Ok(None) };
        let order = order_of(query)?;
        if order.is_empty() {
            return Err(Refusal::invalid("WITH TIES cannot be specified without ORDER BY clause"));
        }
        let SetExpr::Select(select) = &*query.body else {
            return Err(Refusal::unsupported("WITH TIES of a set operation"));
        };
        if query.limit_clause.is_some() || select.distinct.is_some() || select.qualify.is_some() {
            return Err(Refusal::unsupported("WITH TIES beside OFFSET or DISTINCT"));
        }
        let mut keys = order.to_vec();
        for key in &mut keys {
            if let Some(number) = position(&key.expr) {
                let item = number.checked_sub(1).and_then(|place| select.projection.get(place));
                key.expr = match item {
                    Some(
                        ast::SelectItem::UnnamedExpr(expr) | ast::SelectItem::ExprWithAlias { expr, .. },
                    ) => expr.clone(),
                    _ => {
                        return Err(Refusal::invalid(format!(
                            "ORDER BY position {number} is not in select list"
                        )));
                    }
                };
            }
        }
        let count = fetch.quantity.clone();
        let count = count.unwrap_or_else(|| ast::Expr::value(ast::Value::Number("1".to_owned(), false)));
        let mut select = select.clone();
        select.qualify = Some(ast::Expr::BinaryOp {
            left: Box::new(ranked_over("rank", Vec::new(), keys)),
            op: ast::BinaryOperator::LtEq,
            right: Box::new(count),
        });
        let mut tied = query.clone();
        tied.fetch = None;
        *tied.body = SetExpr::Select(select);
        Ok(Some(tied))
    }

    fn limit(&mut self, query: &Query, max_rows: Option<u32>) -> Result<String, Refusal> {
        let (limit, offset) = match &query.limit_clause {
            None => (None, None),
            Some(LimitClause::LimitOffset { limit, offset, limit_by }) if limit_by.is_empty() => {
                (limit.as_ref(), offset.as_ref().map(|offset| &offset.value))
            }
            Some(_) => return Err(Refusal::unsupported("this form of LIMIT")),
        };
        let limit = limit.map(|limit| self.row_count(limit, "LIMIT")).transpose()?;
        // `FETCH FIRST 2 ROWS ONLY`, without a number one row.
        let limit = match &query.fetch {
            None => limit,
            Some(_) if limit.is_some() => return Err(Refusal::syntax("multiple LIMIT clauses not allowed")),
            Some(fetch) => Some(match &fetch.quantity {
                Some(count) => self.row_count(count, "FETCH")?,
                None => "1".to_owned(),
            }),
        };
        let offset = offset.map(|offset| self.row_count(offset, "OFFSET")).transpose()?;
        let least = self.target.pick("min", "least");
        let limit = match (limit, max_rows) {
            (None, None) => None,
            (Some(limit), None) => Some(limit),
            (None, Some(most)) => Some(most.to_string()),
            (Some(limit), Some(most)) => Some(match limit.parse::<u64>() {
                Ok(limit) => limit.min(most.into()).to_string(),
                Err(_) => format!("{least}({limit}, {most})"),
            }),
        };
        Ok(match (limit, offset, self.target) {
            (None, None, _) => String::new(),
            (Some(limit), None, _) => format!(" LIMIT {limit}"),
            (Some(limit), Some(offset), _) => format!(" LIMIT {limit} OFFSET {offset}"),
            (None, Some(offset), Target::Sqlite) => format!(" LIMIT -1 OFFSET {offset}"),
            (None, Some(offset), Target::Postgres) => format!(" OFFSET {offset}"),
        })
    }

    fn row_count(&mut self, expr: &ast::Expr, clause: &str) -> Result<String, Refusal> {
        let expr = self.expr(expr, &Scope::default())?;
        match &expr.origin {
            Origin::Integer(number) if *number >= 0 => Ok(number.to_string()),
            Origin::Parameter => Ok(self.cast(&expr, &Type::Int64, false)?.sql),
            _ => {
                Err(Refusal::invalid(format!("{clause} expects a non-negative integer literal or parameter")))
            }
        }
    }
}

/// The columns by the names in `t(a, b)`.
pub(super) fn with_names(mut columns: Vec<Column>, alias: &ast::TableAlias) -> Result<Vec<Column>, Refusal> {
    if alias.columns.len() > columns.len() {
        return Err(Refusal::invalid(format!(
            "table \"{}\" has {} columns available but {} columns specified",
            alias.name.value,
            columns.len(),
            alias.columns.len()
        )));
    }
    for (column, name) in columns.iter_mut().zip(&alias.columns) {
        column.name.clone_from(&name.name.value);
    }
    Ok(columns)
}

/// The common table expression with the names of its columns in its first `SELECT` too, from which its recursive part has them.
fn with_named_items(cte: &ast::Cte) -> ast::Cte {
    let mut cte = cte.clone();
    let mut body = &mut *cte.query.body;
    while let SetExpr::SetOperation { left, .. } = body {
        body = left;
    }
    if let SetExpr::Select(select) = body {
        for (item, column) in select.projection.iter_mut().zip(&cte.alias.columns) {
            if let ast::SelectItem::UnnamedExpr(expr) | ast::SelectItem::ExprWithAlias { expr, .. } = item {
                let (expr, alias) = (expr.clone(), column.name.clone());
                *item = ast::SelectItem::ExprWithAlias { expr, alias };
            }
        }
    }
    cte
}

/// The columns of a query that is printed as `sql`.
pub(super) fn range(name: String, sql: &str, columns: &[Column]) -> Range {
    let columns = columns.iter().enumerate().map(|(index, column)| {
        let expr = Expr::new(format!("{sql}.c{}", index + 1), column.type_.clone());
        let shape = column.shape.clone();
        (column.name.clone(), Expr { loose: Some(column.name.clone()), shape, ..expr })
    });
    Range { name, kind: Kind::Columns { columns: columns.collect(), body: None } }
}

/// The number, if the expression is one: it refers to a column of the result.
pub(super) fn position(expr: &ast::Expr) -> Option<usize> {
    match expr {
        ast::Expr::Value(ast::ValueWithSpan { value: ast::Value::Number(number, _), .. }) => {
            number.parse().ok()
        }
        _ => None,
    }
}

/// The column of the result that a number refers to.
pub(super) fn at_position<T>(outputs: &[T], number: usize) -> Result<&T, Refusal> {
    let found = number.checked_sub(1).and_then(|index| outputs.get(index));
    found.ok_or_else(|| Refusal::invalid(format!("column number {number} is out of range")))
}

fn order_of(query: &Query) -> Result<&[ast::OrderByExpr], Refusal> {
    match query.order_by.as_ref().map(|order| &order.kind) {
        None => Ok(&[]),
        Some(OrderByKind::Expressions(order)) => Ok(order),
        Some(OrderByKind::All(_)) => Err(Refusal::unsupported("ORDER BY ALL")),
    }
}

/// `name() OVER (PARTITION BY … ORDER BY …)`
pub(super) fn ranked_over(
    name: &str,
    partition_by: Vec<ast::Expr>,
    order_by: Vec<ast::OrderByExpr>,
) -> ast::Expr {
    let window = ast::WindowSpec { window_name: None, partition_by, order_by, window_frame: None };
    ast::Expr::Function(ast::Function {
        name: ast::ObjectName::from(vec![ast::Ident::new(name)]),
        uses_odbc_syntax: false,
        parameters: ast::FunctionArguments::None,
        args: ast::FunctionArguments::List(ast::FunctionArgumentList {
            duplicate_treatment: None,
            args: Vec::new(),
            clauses: Vec::new(),
        }),
        filter: None,
        null_treatment: None,
        over: Some(ast::WindowType::WindowSpec(window)),
        within_group: Vec::new(),
    })
}

fn check_clauses(query: &Query, is_postgres: bool) -> Result<(), Refusal> {
    let unread = |fetch: &ast::Fetch| !is_postgres || fetch.percent;
    let unknown = [
        (query.fetch.as_ref().is_some_and(unread), "FETCH"),
        (!query.locks.is_empty(), "FOR UPDATE"),
        (query.for_clause.is_some(), "FOR"),
        (query.settings.is_some(), "SETTINGS"),
        (query.format_clause.is_some(), "FORMAT"),
    ];
    match unknown.iter().find(|(found, _)| *found) {
        Some((_, construct)) => Err(Refusal::unsupported(construct)),
        None => Ok(()),
    }
}

/// The right side of a set operation `BY NAME`, with its columns in the order of the left side.
fn by_names_of(left: &Bound, right: Bound) -> Result<Bound, Refusal> {
    let (mut columns, mut list) = (Vec::new(), Vec::new());
    for (index, column) in left.columns.iter().enumerate() {
        let place = right.columns.iter().position(|known| known.name.eq_ignore_ascii_case(&column.name));
        let place = place.ok_or_else(|| only_one_side(&column.name))?;
        columns.push(right.columns[place].clone());
        list.push(format!("c{} AS c{}", place + 1, index + 1));
    }
    let known = |name: &str| left.columns.iter().any(|column| column.name.eq_ignore_ascii_case(name));
    match right.columns.iter().find(|column| !known(&column.name)) {
        Some(column) => Err(only_one_side(&column.name)),
        None => Ok(Bound { sql: format!("SELECT {} FROM ({}) AS q", list.join(", "), right.sql), columns }),
    }
}

fn only_one_side(column: &str) -> Refusal {
    Refusal::invalid(format!("Column {column} of a set operation BY NAME is on one side only"))
}
