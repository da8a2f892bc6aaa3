//! Expressions in SQLite's dialect.

use rusqlite::types::Value;

use super::{Printer, quoted, text_literal};
use crate::functions::{Form, Kind};
use crate::tree::{Call, Candidates, Comparison, Expr, Field, LETS, Node, Query, Window};
use crate::types::Type;
use crate::value::print_bytea;

/// The most labels of an enum that are compared one by one: SQLite takes time in proportion to the square of their number.
const CASES_MAX: usize = 100;

impl<'n> Printer<'n> {
    pub(crate) fn expr(&mut self, expr: &Expr) {
        match &expr.node {
            Node::Literal(value) => self.literal(value),
            Node::Untyped(text) => self.push(&text_literal(text)),
            Node::Column { source, field } => self.column(*source, *field, expr.type_),
            Node::And(left, right) => self.logic(left, right, false),
            Node::Or(left, right) => self.logic(left, right, true),
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
                self.write(format_args!(" {} (", operator.symbol()));
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
            Node::Row(items, _) => {
                self.push("json_array(");
                self.list(items, ", ", Printer::held);
                self.push(")");
            }
            Node::Lookup { map, key } => {
                self.write(format_args!("pg_lookup({}, ", text_literal(map)));
                self.expr(key);
                self.push(")");
            }
            Node::Template { text, operands } => self.template(text, operands, None),
            Node::Let { source, values, body } => self.bound(*source, values, body),
            Node::Key { expr, parts } => self.around("pg_key(", expr, &format!(", {})", text_literal(parts))),
            Node::Rank { expr, labels } if labels.len() > CASES_MAX => {
                let ranks = labels.iter().zip(0_u32..).map(|(label, rank)| (label.clone(), rank.into()));
                let map = serde_json::Value::Object(ranks.collect());
                self.write(format_args!("CAST(pg_lookup({}, ", text_literal(&map.to_string())));
                self.expr(expr);
                self.push(") AS INTEGER)");
            }
            Node::Rank { expr, labels } => {
                self.push("(CASE ");
                self.expr(expr);
                for (rank, label) in labels.iter().enumerate() {
                    self.write(format_args!(" WHEN {} THEN {rank}", text_literal(label)));
                }
                self.push(" END)");
            }
        }
    }

    pub(super) fn around(&mut self, before: &str, operand: &Expr, after: &str) {
        self.push(before);
        self.expr(operand);
        self.push(after);
    }

    pub(super) fn infix(&mut self, open: &str, left: &Expr, operator: &str, right: &Expr, close: &str) {
        self.push(open);
        self.expr(left);
        self.push(operator);
        self.expr(right);
        self.push(close);
    }

    pub(super) fn compare(&mut self, operator: &str, left: &Expr, right: &Expr) {
        self.push("(");
        self.expr(left);
        self.write(format_args!(" {operator} "));
        match left.node {
            Node::Column { .. } => self.compared(right),
            _ => self.expr(right),
        }
        self.collate(left.type_);
        self.push(")");
    }

    pub(super) fn literal(&mut self, value: &Value) {
        match value {
            Value::Null => self.push("NULL"),
            Value::Integer(i64::MIN) => self.push("(-9223372036854775807-1)"),
            Value::Integer(value) => self.push(&value.to_string()),
            Value::Real(value) if value.is_infinite() => {
                self.push(if *value > 0.0 { "9e999" } else { "-9e999" });
            }
            Value::Real(value) => self.write(format_args!("{value:?}")),
            Value::Text(text) => self.push(&text_literal(text)),
            Value::Blob(bytes) => self.write(format_args!("x'{}'", &print_bytea(bytes)[2..])),
        }
    }

    pub(super) fn column(&mut self, source: usize, field: Field, type_: Type) {
        if let (Some((replaced, values)), Field::Column(number)) = (self.names.replaced, field)
            && replaced == source
            && let Some((_, value)) = values.iter().find(|(of, _)| *of == number)
        {
            return self.push(value);
        }
        // These columns have unique names, because a column of a table may be printed without its source.
        if let (LETS.., Field::Column(number)) = (source, field) {
            return self.write(format_args!("s{source}.v{number}"));
        }
        let name = match self.names.renamed {
            Some((renamed, name)) if renamed == source => name.to_owned(),
            _ => format!("s{source}"),
        };
        match field {
            Field::Column(number) if name.is_empty() => self.write(format_args!("c{number}")),
            Field::Column(number) => self.write(format_args!("{name}.c{number}")),
            Field::Value if type_ == Type::BYTEA => {
                self.write(format_args!("pg_cast({name}.value,25,17,-1,1)"));
            }
            Field::Value => self.write(format_args!("{name}.value")),
            Field::Item(index) if type_ == Type::BYTEA => {
                self.write(format_args!("pg_cast(json_extract({name}.value,'$[{index}]'),25,17,-1,1)"));
            }
            Field::Item(index) => self.write(format_args!("json_extract({name}.value,'$[{index}]')")),
            Field::Row => self.write(format_args!("{name}.rowid")),
            Field::Ordinal => self.write(format_args!("({name}.key+1)")),
        }
    }

    pub(super) fn in_query(&mut self, row: &[Expr], query: &Query, negated: bool) {
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

    pub(super) fn quantified(&mut self, comparison: &Expr, source: usize, over: &Candidates, all: bool) {
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

    pub(super) fn candidates(&mut self, over: &Candidates, source: usize) {
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
        self.write(format_args!(" AS s{source}"));
    }

    pub(super) fn scalar(&mut self, query: &Query) {
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
    pub(super) fn bound(&mut self, source: usize, values: &[Expr], body: &Expr) {
        self.around("(SELECT ", body, " FROM (SELECT ");
        let mut number = 0;
        self.list(values, ", ", |printer, value| {
            number += 1;
            printer.around("", value, &format!(" AS v{number}"));
        });
        self.write(format_args!(") AS s{source})"));
    }

    pub(super) fn case(
        &mut self,
        operand: Option<&Expr>,
        branches: &[(Expr, Expr)],
        otherwise: Option<&Expr>,
    ) {
        self.push("(CASE");
        if let Some(operand) = operand {
            self.push(" ");
            self.key_expr(operand);
        }
        for (condition, result) in branches {
            self.push(" WHEN ");
            match operand {
                Some(_) => self.expr(condition),
                None => self.condition(condition),
            }
            self.around(" THEN ", result, "");
        }
        if let Some(otherwise) = otherwise {
            self.around(" ELSE ", otherwise, "");
        }
        self.push(" END)");
    }

    pub(super) fn cast(&mut self, operand: &Expr, to: Type, modifier: i32, explicit: bool) {
        if modifier < 0 && crate::cast::is_free(operand.type_, to) {
            return self.expr(operand);
        }
        self.push("pg_cast(");
        self.expr(operand);
        self.write(format_args!(",{},{},{modifier},{})", operand.type_.0, to.0, u8::from(explicit)));
    }

    pub(super) fn array(&mut self, items: &[Expr]) {
        let nested = items.first().is_some_and(|item| item.type_.element().is_some());
        // Only of arrays that are written out is it known how long they are.
        let written = |item: &Expr| matches!(&item.node, Node::Array(inner) if !inner.is_empty());
        let checked = nested && !items.iter().all(written);
        self.push(if checked { "pg_nested_array(json_array(" } else { "json_array(" });
        self.list(items, ", ", |printer, item| {
            if nested {
                printer.around("json(", item, ")");
            } else if matches!(item.node, Node::Row(..)) {
                // Without this, SQLite would take the text of a row for a nested array.
                printer.around("(", item, " || '')");
            } else {
                printer.held(item);
            }
        });
        self.push(if checked { "))" } else { ")" });
    }

    /// What a document holds, which cannot be bytes.
    fn held(&mut self, item: &Expr) {
        match item.type_ {
            Type::BYTEA => self.around("pg_cast(", item, ",17,25,-1,1)"),
            _ => self.expr(item),
        }
    }

    pub(super) fn call(&mut self, call: &Call) {
        match call.function.form {
            Form::Template(text) => self.template(text, &call.arguments, Some(call)),
            _ => {
                self.write(format_args!("{}(", quoted(&call.function.sql_name())));
                self.arguments(call);
                self.push(")");
            }
        }
        if let Some(filter) = &call.filter {
            self.push(" FILTER (WHERE ");
            self.condition(filter);
            self.push(")");
        }
        if let Some(window) = &call.window {
            self.window(window);
        }
    }

    /// The arguments of a call, with `DISTINCT` and `ORDER BY`.
    pub(super) fn arguments(&mut self, call: &Call) {
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

    pub(super) fn window(&mut self, window: &Window) {
        self.push(" OVER (");
        if !window.partition.is_empty() {
            self.push("PARTITION BY ");
            self.list(&window.partition, ", ", Printer::key_expr);
        }
        self.order_by(&window.order);
        if let Some(frame) = &window.frame {
            self.write(format_args!(" {frame}"));
        }
        self.push(")");
    }

    pub(super) fn template(&mut self, text: &str, operands: &[Expr], call: Option<&Call>) {
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
    pub(super) fn operand(&mut self, name: &str, operands: &[Expr], call: Option<&Call>, last: bool) {
        let index: usize = name.parse().unwrap_or(usize::MAX);
        let Some(operand) = operands.get(index) else { return self.push("NULL") };
        let aggregate = call.filter(|call| matches!(call.function.kind, Kind::Aggregate { .. }));
        if aggregate.is_some_and(|call| call.distinct && index == 0) {
            self.push("DISTINCT ");
        }
        self.expr(operand);
        if let Some(call) = aggregate.filter(|_| last && index + 1 == operands.len()) {
            // The least and the greatest array are told by the order of its elements.
            let compared = call.distinct || operand.type_.element().is_some();
            if compared && index == 0 {
                self.collate(operand.type_);
            }
            self.order_by(&call.order);
        }
    }
}
