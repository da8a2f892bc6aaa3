//! Prints bound queries as SQLite's SQL.

use rusqlite::types::Value;

use super::catalog::{quote_identifier, quote_literal};
use super::functions::{Form, Kind};
use super::tree::{
    Body, Call, Candidates, Comparison, Cte, Expr, Field, From, JoinKind, Key, LETS, Node, Order, Query,
    Select, SetOperator, Window,
};
use super::types::Type;
use super::value::print_bytea;

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
}

/// An expression as SQL.
pub(crate) fn expression(expr: &Expr, names: Names<'_>) -> String {
    let mut printer = Printer::new(names);
    printer.expr(expr);
    printer.out
}

/// A query as SQL.
pub(crate) fn query(query: &Query) -> String {
    let mut printer = Printer::new(Names::default());
    printer.query(query);
    printer.out
}

impl<'n> Printer<'n> {
    pub(crate) fn new(names: Names<'n>) -> Printer<'n> {
        Printer { out: String::new(), names }
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.out.push_str(text);
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
            printer.push(&format!("w{}({}) AS ", cte.source, columns.join(",")));
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
        self.push(&format!("SELECT {} FROM (", columns.join(",")));
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
        self.push(&format!("SELECT {} FROM (SELECT ", columns.join(",")));
        self.targets(&select.targets, false);
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
        let mut operations = Vec::new();
        let mut first = query;
        while let Body::Set { operator, all, left, right } = &first.body
            && (operations.is_empty() || first.is_plain())
        {
            operations.push((*operator, *all, &**right));
            first = left;
        }
        operations.reverse();
        let distinct = operations.iter().any(|(_, all, _)| !all);
        self.compound(first, &operations, distinct);
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
                self.targets(&select.targets, distinct || select.distinct);
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
        let columns = query.columns.iter().enumerate().map(|(index, column)| {
            let collation = column.type_.base.collation().filter(|_| distinct);
            let collation = collation.map_or_else(String::new, |name| format!(" COLLATE {name}"));
            format!("c{0}{collation} AS c{0}", index + 1)
        });
        let columns: Vec<String> = columns.collect();
        self.push(&format!("SELECT {} FROM (", columns.join(",")));
    }

    fn values(&mut self, rows: &[Vec<Expr>]) {
        let width = rows.first().map_or(0, Vec::len);
        let columns: Vec<String> = (1..=width).map(|number| format!("column{number} AS c{number}")).collect();
        self.push(&format!("SELECT {} FROM (VALUES ", columns.join(",")));
        self.list(rows, ",", |printer, row| {
            printer.push("(");
            printer.list(row, ",", Printer::expr);
            printer.push(")");
        });
        self.push(")");
    }

    fn select(&mut self, select: &Select) {
        self.push("SELECT ");
        if select.distinct {
            self.push("DISTINCT ");
        }
        self.targets(&select.targets, select.distinct);
        self.rest_of_select(select);
    }

    fn targets(&mut self, targets: &[Expr], collated: bool) {
        if targets.is_empty() {
            self.push("NULL");
        }
        let mut number = 0;
        self.list(targets, ", ", |printer, target| {
            number += 1;
            if collated {
                printer.key_expr(target);
            } else {
                printer.expr(target);
            }
            printer.push(&format!(" AS c{number}"));
        });
    }

    fn rest_of_select(&mut self, select: &Select) {
        if !select.from.is_empty() {
            self.push(" FROM ");
            self.list(&select.from, " CROSS JOIN ", Printer::from);
        }
        if let Some(filter) = &select.filter {
            self.push(" WHERE ");
            self.expr(filter);
        }
        if !select.group.is_empty() {
            self.push(" GROUP BY ");
            self.list(&select.group, ", ", Printer::key_expr);
        }
        if let Some(having) = &select.having {
            // SQLite refuses HAVING unless it recognises an aggregate query.
            let trivial = select.group.is_empty() && !having.is_aggregated();
            self.push(if trivial { " GROUP BY NULL HAVING " } else { " HAVING " });
            self.expr(having);
        }
    }

    pub(crate) fn from(&mut self, from: &From) {
        match from {
            From::Table { source, name } => self.push(&format!("{name} AS s{source}")),
            From::Named { source, name } => self.push(&format!("{name} AS s{source}")),
            From::Query { source, query, lateral: false } => {
                self.push("(");
                self.query(query);
                self.push(&format!(") AS s{source}"));
            }
            From::Query { source, query, lateral: true } => {
                // Arguments of a table-valued function may refer to sources before it, but a subquery may not.
                let columns: Vec<String> =
                    (1..=query.columns.len()).map(|number| format!("c{number}")).collect();
                self.push(&format!(
                    "json_each((SELECT json_group_array(json_array({})) FROM (",
                    columns.join(",")
                ));
                self.query(query);
                self.push(&format!("))) AS s{source}"));
            }
            From::Elements { source, array } => {
                self.push("json_each(");
                self.expr(array);
                self.push(&format!(") AS s{source}"));
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
            self.expr(on);
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
                Key::Expr(expr) => printer.key_expr(expr),
            }
            printer.push(if order.descending { " DESC" } else { " ASC" });
            printer.push(if order.nulls_first { " NULLS FIRST" } else { " NULLS LAST" });
        });
    }

    fn collate(&mut self, type_: Type) {
        if let Some(collation) = type_.collation() {
            self.push(&format!(" COLLATE {collation}"));
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
    fn collated(&mut self, expr: &Expr, type_: Type) {
        self.expr(expr);
        self.collate(type_);
    }

    fn wrapped_list(&mut self, items: &[Expr], open: &str, close: &str) {
        self.push(open);
        self.list(items, ", ", Printer::expr);
        self.push(close);
    }

    pub(crate) fn expr(&mut self, expr: &Expr) {
        match &expr.node {
            Node::Literal(value) => self.literal(value),
            Node::Untyped(text) => self.push(&text_literal(text)),
            Node::Column { source, field } => self.column(*source, *field, expr.type_),
            Node::And(left, right) => self.infix("(", left, " AND ", right, ")"),
            Node::Or(left, right) => self.infix("(", left, " OR ", right, ")"),
            Node::Not(operand) => self.around("(NOT ", operand, ")"),
            Node::Compare { operator, left, right } => self.compare(operator.symbol(), left, right),
            Node::IsDistinct { left, right, negated } => {
                self.compare(if *negated { "IS NOT DISTINCT FROM" } else { "IS DISTINCT FROM" }, left, right);
            }
            Node::IsNull { expr, negated } => {
                self.around("(", expr, if *negated { " IS NOT NULL)" } else { " IS NULL)" });
            }
            Node::Is { expr, value, negated } => {
                let value = u8::from(*value);
                let word = if *negated { "IS NOT" } else { "IS" };
                self.around("(", expr, &format!(" {word} {value})"));
            }
            Node::Between { expr, low, high, negated } => {
                self.push("(");
                self.expr(expr);
                self.push(if *negated { " NOT BETWEEN " } else { " BETWEEN " });
                self.collated(low, expr.type_);
                self.push(" AND ");
                self.collated(high, expr.type_);
                self.push(")");
            }
            Node::CompareRows { operator, left, right } => {
                self.wrapped_list(left, "((", ")");
                self.push(&format!(" {} (", operator.symbol()));
                self.list(right, ", ", |printer, item| printer.collated(item, item.type_));
                self.push("))");
            }
            Node::In { expr, list, negated } => {
                self.push("(");
                self.key_expr(expr);
                self.wrapped_list(list, if *negated { " NOT IN (" } else { " IN (" }, "))");
            }
            Node::InQuery { row, query, negated } => self.in_query(row, query, *negated),
            Node::Quantified { comparison, source, over, all } => {
                self.quantified(comparison, *source, over, *all);
            }
            Node::Exists { query, negated } => {
                self.push(if *negated { "(NOT EXISTS (" } else { "(EXISTS (" });
                self.query(query);
                self.push("))");
            }
            Node::Scalar(query) => self.scalar(query),
            Node::ArrayQuery(query) => {
                self.push("(SELECT json_group_array(c1) FROM (");
                self.query(query);
                self.push("))");
            }
            Node::Case { operand, branches, otherwise } => {
                self.case(operand.as_deref(), branches, otherwise.as_deref());
            }
            Node::Coalesce(operands) => match &operands[..] {
                [only] => self.expr(only),
                operands => self.wrapped_list(operands, "coalesce(", ")"),
            },
            Node::Cast { expr: operand, explicit } => {
                self.cast(operand, expr.type_, expr.modifier, *explicit);
            }
            Node::Call(call) => self.call(call),
            Node::Array(items) => self.array(items),
            Node::Row(items, _) => self.wrapped_list(items, "json_array(", ")"),
            Node::Lookup { map, key } => {
                self.push(&format!("json_extract({}, '$.\"' || ", text_literal(map)));
                self.expr(key);
                self.push(" || '\"')");
            }
            Node::Template { text, operands } => self.template(text, operands, None),
            Node::Let { source, values, body } => self.bound(*source, values, body),
            Node::Rank { expr, labels } => {
                self.push("(CASE ");
                self.expr(expr);
                for (rank, label) in labels.iter().enumerate() {
                    self.push(&format!(" WHEN {} THEN {rank}", text_literal(label)));
                }
                self.push(" END)");
            }
        }
    }

    fn around(&mut self, before: &str, operand: &Expr, after: &str) {
        self.push(before);
        self.expr(operand);
        self.push(after);
    }

    fn infix(&mut self, open: &str, left: &Expr, operator: &str, right: &Expr, close: &str) {
        self.push(open);
        self.expr(left);
        self.push(operator);
        self.expr(right);
        self.push(close);
    }

    fn compare(&mut self, operator: &str, left: &Expr, right: &Expr) {
        self.push("(");
        self.expr(left);
        self.push(&format!(" {operator} "));
        self.collated(right, left.type_);
        self.push(")");
    }

    fn literal(&mut self, value: &Value) {
        match value {
            Value::Null => self.push("NULL"),
            Value::Integer(i64::MIN) => self.push("(-9223372036854775807-1)"),
            Value::Integer(value) => self.push(&value.to_string()),
            Value::Real(value) if value.is_infinite() => {
                self.push(if *value > 0.0 { "9e999" } else { "-9e999" });
            }
            Value::Real(value) => self.push(&format!("{value:?}")),
            Value::Text(text) => self.push(&text_literal(text)),
            Value::Blob(bytes) => self.push(&format!("x'{}'", &print_bytea(bytes)[2..])),
        }
    }

    fn column(&mut self, source: usize, field: Field, type_: Type) {
        if let (Some((replaced, values)), Field::Column(number)) = (self.names.replaced, field)
            && replaced == source
            && let Some((_, value)) = values.iter().find(|(of, _)| *of == number)
        {
            return self.push(value);
        }
        // These columns have unique names, because a column of a table may be printed without its source.
        if let (LETS.., Field::Column(number)) = (source, field) {
            return self.push(&format!("s{source}.v{number}"));
        }
        let name = match self.names.renamed {
            Some((renamed, name)) if renamed == source => name.to_owned(),
            _ => format!("s{source}"),
        };
        match field {
            Field::Column(number) if name.is_empty() => self.push(&format!("c{number}")),
            Field::Column(number) => self.push(&format!("{name}.c{number}")),
            Field::Value if type_ == Type::BYTEA => self.push(&format!("pg_cast({name}.value,25,17,-1,1)")),
            Field::Value => self.push(&format!("{name}.value")),
            Field::Item(index) if type_ == Type::BYTEA => {
                self.push(&format!("pg_cast(json_extract({name}.value,'$[{index}]'),25,17,-1,1)"));
            }
            Field::Item(index) => self.push(&format!("json_extract({name}.value,'$[{index}]')")),
            Field::Row => self.push(&format!("{name}.rowid")),
            Field::Ordinal => self.push(&format!("({name}.key+1)")),
        }
    }

    fn in_query(&mut self, row: &[Expr], query: &Query, negated: bool) {
        match row {
            [only] => {
                self.push("(");
                self.key_expr(only);
            }
            row => self.wrapped_list(row, "((", ")"),
        }
        self.push(if negated { " NOT IN (" } else { " IN (" });
        self.query(query);
        self.push("))");
    }

    fn quantified(&mut self, comparison: &Expr, source: usize, over: &Candidates, all: bool) {
        if let (Node::Compare { operator: Comparison::Equal, left, right }, false) = (&comparison.node, all) {
            let constant =
                matches!(over, Candidates::Array(Expr { node: Node::Literal(Value::Text(_)), .. }));
            let candidate = matches!(&right.node, Node::Column { source: of, .. } if *of == source);
            if constant && candidate {
                self.push("(");
                self.key_expr(left);
                self.push(" IN (SELECT value FROM ");
                self.candidates(over, source);
                self.push("))");
                return;
            }
        }
        self.around(if all { "(SELECT pg_all(" } else { "(SELECT pg_any(" }, comparison, ") FROM ");
        self.candidates(over, source);
        self.push(")");
    }

    fn candidates(&mut self, over: &Candidates, source: usize) {
        match over {
            Candidates::Array(array) if matches!(array.node, Node::Literal(Value::Text(_))) => {
                self.around("json_each(", array, ")");
            }
            // A null array has one unknown element.
            Candidates::Array(array) => self.around("json_each(coalesce(", array, ",'[null]'))"),
            Candidates::Query(query) => {
                self.push("(");
                self.query(query);
                self.push(")");
            }
        }
        self.push(&format!(" AS s{source}"));
    }

    fn scalar(&mut self, query: &Query) {
        if query.yields_one_row() {
            self.push("(");
            self.query(query);
            self.push(")");
        } else {
            self.push("(SELECT pg_single(c1) FROM (");
            self.query(query);
            self.push("))");
        }
    }

    /// Computes values once. SQLite evaluates the single row of a query without sources once, however often its columns are used.
    fn bound(&mut self, source: usize, values: &[Expr], body: &Expr) {
        self.around("(SELECT ", body, " FROM (SELECT ");
        let mut number = 0;
        self.list(values, ", ", |printer, value| {
            number += 1;
            printer.around("", value, &format!(" AS v{number}"));
        });
        self.push(&format!(") AS s{source})"));
    }

    fn case(&mut self, operand: Option<&Expr>, branches: &[(Expr, Expr)], otherwise: Option<&Expr>) {
        self.push("(CASE");
        if let Some(operand) = operand {
            self.push(" ");
            self.key_expr(operand);
        }
        for (condition, result) in branches {
            self.around(" WHEN ", condition, "");
            self.around(" THEN ", result, "");
        }
        if let Some(otherwise) = otherwise {
            self.around(" ELSE ", otherwise, "");
        }
        self.push(" END)");
    }

    fn cast(&mut self, operand: &Expr, to: Type, modifier: i32, explicit: bool) {
        if modifier < 0 && super::cast::is_free(operand.type_, to) {
            return self.expr(operand);
        }
        self.push("pg_cast(");
        self.expr(operand);
        self.push(&format!(",{},{},{modifier},{})", operand.type_.0, to.0, u8::from(explicit)));
    }

    fn array(&mut self, items: &[Expr]) {
        let nested = items.first().is_some_and(|item| item.type_.element().is_some());
        self.push("json_array(");
        self.list(items, ", ", |printer, item| {
            if nested {
                printer.around("json(", item, ")");
            } else if item.type_ == Type::BYTEA {
                printer.around("pg_cast(", item, ",17,25,-1,1)");
            } else {
                printer.expr(item);
            }
        });
        self.push(")");
    }

    fn call(&mut self, call: &Call) {
        match call.function.form {
            Form::Template(text) => self.template(text, &call.arguments, Some(call)),
            _ => {
                self.push(&format!("{}(", quoted(&call.function.sql_name())));
                self.arguments(call);
                self.push(")");
            }
        }
        if let Some(filter) = &call.filter {
            self.around(" FILTER (WHERE ", filter, ")");
        }
        if let Some(window) = &call.window {
            self.window(window);
        }
    }

    /// The arguments of a call, with `DISTINCT` and `ORDER BY`.
    fn arguments(&mut self, call: &Call) {
        if call.distinct {
            self.push("DISTINCT ");
        }
        let collated = matches!(call.function.kind, Kind::Aggregate { .. });
        self.list(&call.arguments, ", ", |printer, argument| {
            if collated && !matches!(argument.node, Node::Literal(_)) {
                printer.key_expr(argument);
            } else {
                printer.expr(argument);
            }
        });
        self.order_by(&call.order);
    }

    fn window(&mut self, window: &Window) {
        self.push(" OVER (");
        if !window.partition.is_empty() {
            self.push("PARTITION BY ");
            self.list(&window.partition, ", ", Printer::key_expr);
        }
        self.order_by(&window.order);
        if let Some(frame) = &window.frame {
            self.push(&format!(" {frame}"));
        }
        self.push(")");
    }

    fn template(&mut self, text: &str, operands: &[Expr], call: Option<&Call>) {
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else { break };
            self.push(before);
            match (name, call) {
                ("*", Some(call)) => self.arguments(call),
                ("*", None) => self.list(operands, ", ", Printer::expr),
                ("now", _) => self.push("pg_now()"),
                ("today", _) => self.push("(pg_now()/86400000000)"),
                ("role", _) => self.push("pg_role()"),
                ("session", _) => self.push("pg_session_role()"),
                ("schema", _) => self.push("'public'"),
                (name, _) => self.operand(name, operands, call, after.starts_with(')')),
            }
            rest = after;
        }
        self.push(rest);
    }
}

impl Printer<'_> {
    /// An operand of a template. In an aggregate's call, its `DISTINCT` and `ORDER BY` are added.
    fn operand(&mut self, name: &str, operands: &[Expr], call: Option<&Call>, last: bool) {
        let index: usize = name.parse().unwrap_or(usize::MAX);
        let Some(operand) = operands.get(index) else { return self.push("NULL") };
        let aggregate = call.filter(|call| matches!(call.function.kind, Kind::Aggregate { .. }));
        if aggregate.is_some_and(|call| call.distinct && index == 0) {
            self.push("DISTINCT ");
        }
        self.expr(operand);
        if let Some(call) = aggregate.filter(|_| last && index + 1 == operands.len()) {
            if call.distinct && index == 0 {
                self.collate(operand.type_);
            }
            self.order_by(&call.order);
        }
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
        self.any(&mut |expr| match &expr.node {
            Node::Call(call) => call.window.is_none() && matches!(call.function.kind, Kind::Aggregate { .. }),
            _ => false,
        })
    }
}

impl Query {
    fn has_distinct_on(&self) -> bool {
        matches!(&self.body, Body::Select(select) if !select.distinct_on.is_empty())
    }

    /// Whether it consists only of its body.
    fn is_plain(&self) -> bool {
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
                    select.group.is_empty() && (select.aggregated || select.from.is_empty())
                }
                Body::Values(rows) => rows.len() == 1,
                Body::Set { .. } => false,
            }
    }
}

/// A text as an SQL literal. Zero bytes are dropped: they would end a text in SQLite, and no text in PostgreSQL has one.
pub(crate) fn text_literal(text: &str) -> String {
    quote_literal(&text.replace('\0', ""))
}

fn quoted(name: &str) -> String {
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if plain { name.to_owned() } else { format!("\"{}\"", quote_identifier(name).trim_matches('"')) }
}
