//! Prints bound queries as SQLite's SQL.

mod expressions;
mod logic;

pub(crate) use self::logic::joined;

use std::fmt::{self, Write as _};

use rusqlite::types::Value;

use super::catalog::{quote_identifier, quote_literal};
use super::functions::Kind;
use super::tree::{
    Body, Comparison, Cte, Expr, From, JoinKind, Key, Node, Order, Query, Select, SetOperator,
};
use super::types::Type;

/// Names that replace those of sources, as in a trigger: `NEW.c1` instead of `s7.c1`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Names<'n> {
    /// A source, and its other name.
    pub(crate) renamed: Option<(usize, &'n str)>,
    /// A source whose columns are replaced, and the SQL of each replaced column.
    pub(crate) replaced: Option<(usize, &'n [(u32, String)])>,
}

impl<'n> Names<'n> {
    /// Replaces the name of a source.
    pub(crate) fn of(source: usize, name: &'n str) -> Names<'n> {
        Names { renamed: Some((source, name)), replaced: None }
    }
}

/// The SQL written so far.
pub(crate) struct Printer<'n> {
    pub(crate) out: String,
    names: Names<'n>,
    /// The values of the parameters `?1`, `?2` … that stand for constants; `None` if constants are written as they are.
    values: Option<Vec<Value>>,
    /// Whether a condition of `WHERE` is being printed.
    in_filter: bool,
}

/// The most constants of a query for which parameters stand.
const VALUES_MAX: usize = 100;

/// An expression as SQL.
pub(crate) fn expression(expr: &Expr, names: Names<'_>) -> String {
    let mut printer = Printer::new(names);
    printer.expr(expr);
    printer.out
}

/// A condition as SQL, of which counts only whether it is true.
pub(crate) fn condition(expr: &Expr, names: Names<'_>) -> String {
    let mut printer = Printer::new(names);
    printer.condition(expr);
    printer.out
}

/// A query as SQL, with parameters in the place of the constants that columns are compared with, and the values of these. So SQLite
/// knows the statement when it comes again with other constants.
pub(crate) fn query_with_values(query: &Query) -> (String, Vec<Value>) {
    let mut printer = Printer { values: Some(Vec::new()), ..Printer::new(Names::default()) };
    printer.query(query);
    (printer.out, printer.values.unwrap_or_default())
}

/// A query as SQL.
pub(crate) fn query(query: &Query) -> String {
    let mut printer = Printer::new(Names::default());
    printer.query(query);
    printer.out
}

impl<'n> Printer<'n> {
    pub(crate) fn new(names: Names<'n>) -> Printer<'n> {
        Printer { out: String::new(), names, values: None, in_filter: false }
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Prints what `format_args!` has put together, without a text of its own for it.
    pub(crate) fn write(&mut self, text: fmt::Arguments<'_>) {
        self.out.write_fmt(text).expect("a text takes all that is written");
    }

    /// Prints `items`, separated by `separator`.
    pub(crate) fn list<T>(&mut self, items: &[T], separator: &str, mut print: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.push(separator);
            }
            print(self, item);
        }
    }

    pub(crate) fn query(&mut self, query: &Query) {
        self.ctes(&query.ctes);
        if query.has_distinct_on() {
            return self.distinct_on(query);
        }
        if query.needs_wrapping() {
            return self.wrapped(query);
        }
        match &query.body {
            Body::Select(select) => self.select(select),
            Body::Set { .. } => self.set_operations(query),
            Body::Values(rows) => self.values(rows),
        }
        self.order_by(&query.order);
        self.limit(query);
    }

    fn ctes(&mut self, ctes: &[Cte]) {
        if ctes.is_empty() {
            return;
        }
        self.push("WITH ");
        if ctes.iter().any(|cte| cte.recursive) {
            self.push("RECURSIVE ");
        }
        self.list(ctes, ", ", |printer, cte| {
            let columns: Vec<String> =
                (1..=cte.query.columns.len()).map(|number| format!("c{number}")).collect();
            printer.write(format_args!("w{}({}) AS ", cte.source, columns.join(",")));
            printer.push(match cte.materialized {
                Some(true) => "MATERIALIZED (",
                Some(false) => "NOT MATERIALIZED (",
                None => "(",
            });
            printer.query(&cte.query);
            printer.push(")");
        });
        self.push(" ");
    }

    /// Sorts a compound by expressions. SQLite sorts compounds only by output columns, so this needs an enclosing query.
    fn wrapped(&mut self, query: &Query) {
        let columns: Vec<String> = (1..=query.columns.len()).map(|number| format!("c{number}")).collect();
        self.write(format_args!("SELECT {} FROM (", columns.join(",")));
        let inner = Query { ctes: Vec::new(), order: Vec::new(), limit: None, offset: None, ..query.clone() };
        self.query(&inner);
        self.push(") AS s0");
        self.order_by(&query.order);
        self.limit(query);
    }

    /// Keeps the first row of each group, in the order of the query.
    fn distinct_on(&mut self, query: &Query) {
        let Body::Select(select) = &query.body else { return };
        let columns: Vec<String> = (1..=query.columns.len()).map(|number| format!("c{number}")).collect();
        self.write(format_args!("SELECT {} FROM (SELECT ", columns.join(",")));
        self.targets(select, false);
        let order: Vec<Order> = query.order.iter().map(|order| order.resolved(&select.targets)).collect();
        self.push(", row_number() OVER (PARTITION BY ");
        self.list(&select.distinct_on, ", ", Printer::key_expr);
        self.order_by(&order);
        self.push(") AS d, row_number() OVER (");
        self.order_by(&order);
        self.push(") AS o");
        self.rest_of_select(select);
        self.push(") WHERE d = 1 ORDER BY o");
        self.limit(query);
    }

    fn limit(&mut self, query: &Query) {
        match (&query.limit, &query.offset) {
            (None, None) => return,
            (Some(limit), _) => {
                self.push(" LIMIT ");
                self.expr(limit);
            }
            (None, Some(_)) => self.push(" LIMIT -1"),
        }
        if let Some(offset) = &query.offset {
            self.push(" OFFSET ");
            self.expr(offset);
        }
    }

    /// A chain of set operations without parentheses. Both databases evaluate it from left to right.
    fn set_operations(&mut self, query: &Query) {
        if let Body::Set { operator, left, right, .. } = &query.body
            && query.body.counts_rows()
        {
            return self.counted_operation(query, *operator, left, right);
        }
        let mut operations = Vec::new();
        let mut first = query;
        while let Body::Set { operator, all, left, right } = &first.body
            && !first.body.counts_rows()
            && (operations.is_empty() || first.is_plain())
        {
            operations.push((*operator, *all, &**right));
            first = left;
        }
        operations.reverse();
        let distinct = operations.iter().any(|(_, all, _)| !all);
        self.compound(first, &operations, distinct);
    }

    /// `EXCEPT ALL` or `INTERSECT ALL`: rows that are equal are numbered, which tells them apart.
    fn counted_operation(&mut self, query: &Query, operator: SetOperator, left: &Query, right: &Query) {
        self.columns_of_query(query, false);
        for (index, part) in [left, right].into_iter().enumerate() {
            if index > 0 {
                self.push(if operator == SetOperator::Except { " EXCEPT " } else { " INTERSECT " });
            }
            let (mut shown, mut keys) = (Vec::new(), Vec::new());
            for (index, column) in part.columns.iter().enumerate() {
                let name = format!("c{}", index + 1);
                match column.type_.base.collation() {
                    // Values that are equal may look different. The first of them stands for all.
                    Some(collation) => {
                        shown.push(format!("first_value({name}) OVER w COLLATE {collation} AS {name}"));
                        keys.push(format!("{name} COLLATE {collation}"));
                    }
                    None => {
                        shown.push(format!("{name} AS {name}"));
                        keys.push(name);
                    }
                }
            }
            self.write(format_args!("SELECT {},row_number() OVER w FROM (", shown.join(",")));
            self.query(part);
            self.write(format_args!(") WINDOW w AS (PARTITION BY {})", keys.join(",")));
        }
        self.push(")");
    }

    fn compound(&mut self, first: &Query, operations: &[(SetOperator, bool, &Query)], distinct: bool) {
        /// Below SQLite's limit of 500 queries in one compound.
        const COMPOUND_MAX: usize = 400;
        let (before, last) = operations.split_at(operations.len().saturating_sub(COMPOUND_MAX));
        if before.is_empty() {
            self.compound_part(first, distinct);
        } else {
            self.columns_of_query(first, distinct);
            self.compound(first, before, distinct);
            self.push(")");
        }
        for (operator, all, right) in last {
            self.push(match (operator, all) {
                (SetOperator::Union, true) => " UNION ALL ",
                (SetOperator::Union, false) => " UNION ",
                (SetOperator::Intersect, _) => " INTERSECT ",
                (SetOperator::Except, _) => " EXCEPT ",
            });
            self.compound_part(right, distinct);
        }
    }

    /// A part of a compound. Compounds are evaluated from left to right, so any part but a simple select becomes a subquery.
    fn compound_part(&mut self, query: &Query, distinct: bool) {
        match &query.body {
            Body::Select(select) if query.is_plain() && select.distinct_on.is_empty() => {
                self.push("SELECT ");
                if select.distinct {
                    self.push("DISTINCT ");
                }
                self.targets(select, distinct || select.distinct);
                self.rest_of_select(select);
            }
            _ => {
                self.columns_of_query(query, distinct);
                self.query(query);
                self.push(")");
            }
        }
    }

    /// The beginning of an enclosing query with the same columns.
    fn columns_of_query(&mut self, query: &Query, distinct: bool) {
        self.write(format_args!("SELECT {} FROM (", columns_of(query, distinct).join(",")));
    }

    fn values(&mut self, rows: &[Vec<Expr>]) {
        let width = rows.first().map_or(0, Vec::len);
        let columns: Vec<String> = (1..=width).map(|number| format!("column{number} AS c{number}")).collect();
        self.write(format_args!("SELECT {} FROM (VALUES ", columns.join(",")));
        self.list(rows, ",", |printer, row| {
            printer.push("(");
            printer.list(row, ",", |printer, value| {
                // SQLite would give the name of a bare column to the column of the rows.
                printer.push(if matches!(value.node, Node::Column { .. }) { "+" } else { "" });
                printer.expr(value);
            });
            printer.push(")");
        });
        self.push(")");
    }

    fn select(&mut self, select: &Select) {
        self.push("SELECT ");
        if select.distinct {
            self.push("DISTINCT ");
        }
        self.targets(select, select.distinct);
        self.rest_of_select(select);
    }

    fn targets(&mut self, select: &Select, collated: bool) {
        // SQLite makes all rows one group only if a target has an aggregate.
        let counts = select.is_one_group() && !select.targets.iter().any(Expr::is_aggregated);
        if select.targets.is_empty() {
            self.push(if counts { "count(*)" } else { "NULL" });
        }
        let mut number = 0;
        self.list(&select.targets, ", ", |printer, target| {
            number += 1;
            let counts = counts && number == 1;
            printer.push(if counts { "iif(count(*) IS NULL, NULL, " } else { "" });
            if collated {
                printer.key_expr(target);
            } else {
                printer.expr(target);
            }
            printer.push(if counts { ")" } else { "" });
            printer.write(format_args!(" AS c{number}"));
        });
    }

    fn rest_of_select(&mut self, select: &Select) {
        if !select.from.is_empty() {
            self.push(" FROM ");
            self.list(&select.from, " CROSS JOIN ", Printer::from);
        }
        if let Some(filter) = &select.filter {
            self.push(" WHERE ");
            let around = std::mem::replace(&mut self.in_filter, true);
            self.condition(filter);
            self.in_filter = around;
        }
        if !select.group.is_empty() {
            self.push(" GROUP BY ");
            self.list(&select.group, ", ", Printer::not_a_place);
        }
        if let Some(having) = &select.having {
            self.push(" HAVING ");
            self.condition(having);
        }
    }

    pub(crate) fn from(&mut self, from: &From) {
        match from {
            From::Table { source, name } => self.write(format_args!("{name} AS s{source}")),
            From::Named { source, name } => self.write(format_args!("{name} AS s{source}")),
            From::Query { source, query, lateral: false } => {
                self.push("(");
                self.query(query);
                self.write(format_args!(") AS s{source}"));
            }
            From::Query { source, query, lateral: true } => {
                // Arguments of a table-valued function may refer to sources before it, but a subquery may not.
                let columns =
                    query.columns.iter().enumerate().map(|(index, column)| match column.type_.base {
                        Type::BYTEA => format!("pg_cast(c{},17,25,-1,1)", index + 1),
                        _ => format!("c{}", index + 1),
                    });
                let columns: Vec<String> = columns.collect();
                self.write(format_args!(
                    "json_each((SELECT json_group_array(json_array({})) FROM (",
                    columns.join(",")
                ));
                self.query(query);
                self.write(format_args!("))) AS s{source}"));
            }
            From::Elements { source, array } => {
                self.push("json_each(");
                self.expr(array);
                self.write(format_args!(") AS s{source}"));
            }
            From::Join { left, right, kind, on } => self.join(left, right, *kind, on.as_ref()),
        }
    }

    fn join(&mut self, left: &From, right: &From, kind: JoinKind, on: Option<&Expr>) {
        self.from(left);
        self.push(match kind {
            JoinKind::Inner => " JOIN ",
            JoinKind::Left => " LEFT JOIN ",
            JoinKind::Right => " RIGHT JOIN ",
            JoinKind::Full => " FULL JOIN ",
            JoinKind::Cross => " CROSS JOIN ",
        });
        let nested = matches!(right, From::Join { .. });
        self.push(if nested { "(" } else { "" });
        self.from(right);
        self.push(if nested { ")" } else { "" });
        if let Some(on) = on {
            self.push(" ON ");
            self.condition(on);
        }
    }

    /// What follows the first source of a changed row: the other sources, and the condition.
    pub(crate) fn beside_and_where(&mut self, others: &[From], condition: Option<&Expr>) {
        for other in others {
            self.push(" CROSS JOIN ");
            self.from(other);
        }
        if let Some(condition) = condition {
            self.push(" WHERE ");
            self.condition(condition);
        }
    }

    /// A key. SQLite would take a bare number for the place of a column.
    fn not_a_place(&mut self, key: &Expr) {
        self.key_expr(key);
        if matches!(key.node, Node::Literal(Value::Integer(_))) {
            self.push("+0");
        }
    }

    pub(crate) fn order_by(&mut self, order: &[Order]) {
        if order.is_empty() {
            return;
        }
        self.push(" ORDER BY ");
        self.list(order, ", ", |printer, order| {
            match &order.key {
                Key::Output(index, type_) => {
                    printer.push(&(index + 1).to_string());
                    printer.collate(*type_);
                }
                Key::Expr(expr) => printer.not_a_place(expr),
            }
            printer.push(if order.descending { " DESC" } else { " ASC" });
            printer.push(if order.nulls_first { " NULLS FIRST" } else { " NULLS LAST" });
        });
    }

    fn collate(&mut self, type_: Type) {
        if let Some(collation) = type_.collation() {
            self.write(format_args!(" COLLATE {collation}"));
        }
    }

    /// A key by which rows are compared. A bare number would refer to a column.
    pub(crate) fn key_expr(&mut self, expr: &Expr) {
        if matches!(expr.node, Node::Literal(_)) {
            self.push("+");
        }
        self.expr(expr);
        self.collate(expr.type_);
    }

    /// An operand with the collation of a type.
    /// Prints what a column is compared with, which may become a parameter. Elsewhere a constant may have to be seen: SQLite takes
    /// `1` for a place in `ORDER BY`, and finds the index of an expression by the constants in it.
    fn compared(&mut self, expr: &Expr) {
        let values = self.values.as_mut().filter(|values| self.in_filter && values.len() < VALUES_MAX);
        match (&expr.node, values) {
            (Node::Literal(value @ (Value::Integer(_) | Value::Text(_))), Some(values)) => {
                values.push(value.clone());
                let number = values.len();
                self.write(format_args!("?{number}"));
            }
            _ => self.expr(expr),
        }
    }

    fn collated(&mut self, expr: &Expr, type_: Type) {
        self.expr(expr);
        self.collate(type_);
    }

    fn wrapped_list(&mut self, items: &[Expr], open: &str, close: &str) {
        self.push(open);
        self.list(items, ", ", Printer::expr);
        self.push(close);
    }
}

impl Comparison {
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Comparison::Equal => "=",
            Comparison::NotEqual => "<>",
            Comparison::Less => "<",
            Comparison::LessOrEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterOrEqual => ">=",
        }
    }
}

impl Order {
    /// The same order, with expressions instead of output columns.
    fn resolved(&self, targets: &[Expr]) -> Order {
        match &self.key {
            Key::Output(index, _) => Order { key: Key::Expr(targets[*index].clone()), ..self.clone() },
            Key::Expr(_) => self.clone(),
        }
    }
}

impl Expr {
    /// Whether it contains an aggregate of its own query.
    pub(crate) fn is_aggregated(&self) -> bool {
        self.any(&mut Expr::is_aggregate_call)
    }

    pub(crate) fn is_aggregate_call(&self) -> bool {
        match &self.node {
            Node::Call(call) => call.window.is_none() && matches!(call.function.kind, Kind::Aggregate { .. }),
            _ => false,
        }
    }

    /// Whether it contains a call over a window of its own query.
    pub(crate) fn has_window(&self) -> bool {
        self.any(&mut |expr| matches!(&expr.node, Node::Call(call) if call.window.is_some()))
    }

    /// Whether it contains a call of the rows of a frame that SQLite can't say, which are collected over a wider window.
    pub(crate) fn has_frame_apart(&self) -> bool {
        self.any(
            &mut |expr| matches!(&expr.node, Node::Let { values, .. } if values.iter().any(Expr::has_window)),
        )
    }
}

impl Select {
    /// Whether all its rows are one group, even if there are none.
    fn is_one_group(&self) -> bool {
        self.aggregated && self.group.is_empty()
    }
}

impl Query {
    fn has_distinct_on(&self) -> bool {
        matches!(&self.body, Body::Select(select) if !select.distinct_on.is_empty())
    }

    /// Whether it consists only of its body.
    pub(crate) fn is_plain(&self) -> bool {
        self.ctes.is_empty() && self.order.is_empty() && self.limit.is_none() && self.offset.is_none()
    }

    fn needs_wrapping(&self) -> bool {
        let by_expression = self.order.iter().any(|order| matches!(order.key, Key::Expr(_)));
        let sorted = !self.order.is_empty() || self.limit.is_some() || self.offset.is_some();
        match self.body {
            Body::Set { .. } => by_expression,
            Body::Values(_) => sorted,
            Body::Select(_) => false,
        }
    }

    /// Whether it returns at most one row.
    fn yields_one_row(&self) -> bool {
        let limited = matches!(&self.limit, Some(Expr { node: Node::Literal(Value::Integer(0 | 1)), .. }));
        limited
            || match &self.body {
                Body::Select(select) => {
                    select.is_one_group() || select.group.is_empty() && select.from.is_empty()
                }
                Body::Values(rows) => rows.len() == 1,
                Body::Set { .. } => false,
            }
    }
}

/// The columns of a query, as the targets of an enclosing one.
fn columns_of(query: &Query, distinct: bool) -> Vec<String> {
    let columns = query.columns.iter().enumerate().map(|(index, column)| {
        let collation = column.type_.base.collation().filter(|_| distinct);
        let collation = collation.map_or_else(String::new, |name| format!(" COLLATE {name}"));
        format!("c{0}{collation} AS c{0}", index + 1)
    });
    columns.collect()
}

/// A text as an SQL literal. Zero bytes are dropped: they would end a text in SQLite, and no text in PostgreSQL has one.
pub(crate) fn text_literal(text: &str) -> String {
    quote_literal(&text.replace('\0', ""))
}

fn quoted(name: &str) -> String {
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if plain { name.to_owned() } else { format!("\"{}\"", quote_identifier(name).trim_matches('"')) }
}
