//! Expressions as the catalog shows them: with operators in brackets, and with types of literals and casts.

mod calls;
mod changes;
mod definitions;
mod operators;
mod query;
mod rows;
mod seen;
mod sql_body;
mod tables;

use rusqlite::types::ValueRef;
use sqlparser::ast::{self, BinaryOperator, UnaryOperator, Value};

pub(crate) use self::definitions::showing;
pub(crate) use self::query::Texts;
use self::rows::items_of_row;
pub(crate) use self::seen::{names_seen, seen};
use super::{Binder, SYSTEM_COLUMNS, Scope};
use crate::catalog::{quote_identifier, quote_literal};
use crate::source::{self, name};
use crate::tree::{Expr, Node};
use crate::types::{Modified, Type};
use crate::value;

/// Calls that are shown without brackets and arguments.
const BARE: &[&str] =
    &["current_date", "current_timestamp", "current_user", "session_user", "localtimestamp"];

impl Binder<'_> {
    /// A definition's expression as the catalog shows it; `None` for expressions that this module cannot show.
    ///
    /// Literals without another type get the type `wanted`.
    pub(crate) fn shown(&mut self, scope: &Scope<'_>, expr: &ast::Expr, wanted: Type) -> Option<String> {
        let words = self.words(scope, expr, wanted)?;
        self.once.shown(settled(words))
    }

    fn words(&mut self, scope: &Scope<'_>, expr: &ast::Expr, wanted: Type) -> Option<String> {
        match expr {
            ast::Expr::Nested(inner) => self.shown(scope, inner, wanted),
            ast::Expr::Identifier(_) | ast::Expr::CompoundIdentifier(_) => self.shown_name(scope, expr),
            ast::Expr::Value(value) => self.shown_value(&value.value, wanted),
            ast::Expr::UnaryOp { op: UnaryOperator::Minus, expr: operand } => match &**operand {
                ast::Expr::Value(ast::ValueWithSpan { value: Value::Number(number, _), .. }) => {
                    let type_ = self.expr(scope, expr).ok()?.type_;
                    Some(format!("'-{number}'::{}", self.catalog.type_name(type_, -1)))
                }
                operand => {
                    let own = self.catalog.base_type(self.expr(scope, operand).ok()?.type_);
                    let to = if own == Type::UNKNOWN { wanted } else { own };
                    Some(format!("(- {})", self.shown_as(scope, operand, to)?))
                }
            },
            ast::Expr::UnaryOp { op: UnaryOperator::Plus, expr: operand } => {
                Some(format!("(+ {})", self.shown(scope, operand, wanted)?))
            }
            ast::Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
                Some(format!("(NOT {})", self.shown(scope, expr, Type::BOOL)?))
            }
            ast::Expr::BinaryOp { op: op @ (BinaryOperator::And | BinaryOperator::Or), .. } => {
                self.shown_junction(scope, expr, op)
            }
            ast::Expr::BinaryOp { left, op, right } if crate::operators::is_nothing(left) => {
                let symbol = super::operator::symbol(op).ok()?;
                self.shown_prefix(scope, &symbol, right)
            }
            ast::Expr::BinaryOp { left, op, right } => {
                if let (Some(left), Some(right)) = (items_of_row(left), items_of_row(right)) {
                    return self.shown_rows(scope, &left, &super::operator::symbol(op).ok()?, &right);
                }
                let symbol = super::operator::symbol(op).ok()?;
                if let Some((over, all)) = crate::quantified::quantified(right) {
                    return self.shown_any(scope, left, (&symbol, if all { "ALL" } else { "ANY" }), &over);
                }
                if ["~~", "!~~", "~~*", "!~~*"].contains(&symbol.as_str()) {
                    return self.shown_pattern(scope, left, &symbol, right);
                }
                self.shown_operation(scope, expr, (left, right), &symbol)
            }
            ast::Expr::Like { negated, any: true, expr, pattern, escape_char: None } => {
                self.shown_any(scope, expr, (if *negated { "!~~" } else { "~~" }, "ANY"), pattern)
            }
            ast::Expr::ILike { negated, any: true, expr, pattern, escape_char: None } => {
                self.shown_any(scope, expr, (if *negated { "!~~*" } else { "~~*" }, "ANY"), pattern)
            }
            ast::Expr::Like { negated, any: false, expr, pattern, escape_char: None } => {
                self.shown_pattern(scope, expr, if *negated { "!~~" } else { "~~" }, pattern)
            }
            ast::Expr::ILike { negated, any: false, expr, pattern, escape_char: None } => {
                self.shown_pattern(scope, expr, if *negated { "!~~*" } else { "~~*" }, pattern)
            }
            ast::Expr::IsNull(inner) => self.shown_test(scope, inner, "IS NULL"),
            ast::Expr::IsNotNull(inner) => self.shown_test(scope, inner, "IS NOT NULL"),
            ast::Expr::IsTrue(inner) => self.shown_test(scope, inner, "IS TRUE"),
            ast::Expr::IsFalse(inner) => self.shown_test(scope, inner, "IS FALSE"),
            ast::Expr::IsNotTrue(inner) => self.shown_test(scope, inner, "IS NOT TRUE"),
            ast::Expr::IsNotFalse(inner) => self.shown_test(scope, inner, "IS NOT FALSE"),
            ast::Expr::IsUnknown(inner) => self.shown_test(scope, inner, "IS UNKNOWN"),
            ast::Expr::IsNotUnknown(inner) => self.shown_test(scope, inner, "IS NOT UNKNOWN"),
            ast::Expr::Collate { expr, collation } => {
                let own = self.expr(scope, expr).ok()?.type_;
                let own = if own == Type::UNKNOWN { Type::TEXT } else { own };
                let (schema, name) = source::schema_and_name(collation).ok()?;
                let visible = schema.is_none_or(|schema| schema == "pg_catalog");
                let shown = self.shown(scope, expr, own)?;
                visible.then(|| format!("({shown} COLLATE {})", quote_identifier(&name)))
            }
            ast::Expr::UnaryOp { op: op @ (UnaryOperator::PGAbs | UnaryOperator::BitwiseNot), expr } => {
                let own = self.expr(scope, expr).ok()?.type_;
                Some(format!("({op} {})", self.shown(scope, expr, own)?))
            }
            ast::Expr::UnaryOp {
                op: op @ (UnaryOperator::PGSquareRoot | UnaryOperator::PGCubeRoot),
                expr,
            } => Some(format!("({op} {})", self.shown_as(scope, expr, Type::FLOAT8)?)),
            ast::Expr::Tuple(items) => self.shown_row(scope, &items.iter().collect::<Vec<_>>()),
            ast::Expr::IsDistinctFrom(left, right) => self.shown_distinct(scope, left, right),
            ast::Expr::IsNotDistinctFrom(left, right) => {
                Some(format!("(NOT {})", self.shown_distinct(scope, left, right)?))
            }
            ast::Expr::Case { operand, conditions, else_result, .. } => {
                self.shown_case(scope, expr, operand.as_deref(), (conditions, else_result.as_deref()))
            }
            ast::Expr::AnyOp { left, compare_op, right, .. } => {
                self.shown_any(scope, left, (&super::operator::symbol(compare_op).ok()?, "ANY"), right)
            }
            ast::Expr::AllOp { left, compare_op, right } => {
                self.shown_any(scope, left, (&super::operator::symbol(compare_op).ok()?, "ALL"), right)
            }
            ast::Expr::InList { expr, list, negated } => self.shown_list(scope, expr, list, *negated),
            ast::Expr::Between { expr, negated, low, high } => {
                let symmetric = self.is_symmetric(expr, low);
                let text = self.shown_between(scope, expr, *negated, (low, high))?;
                if !symmetric {
                    return Some(text);
                }
                let joined = if *negated { "AND" } else { "OR" };
                Some(format!("({text} {joined} {})", self.shown_between(scope, expr, *negated, (high, low))?))
            }
            ast::Expr::Cast { expr, data_type, .. } => {
                let to = self.data_type(data_type).ok()?;
                self.shown_cast(scope, expr, to)
            }
            ast::Expr::TypedString(typed) => {
                let to = self.data_type(&typed.data_type).ok()?;
                let Value::SingleQuotedString(text) = &typed.value.value else { return None };
                self.shown_literal(text, to)
            }
            ast::Expr::Interval(_) => {
                let Node::Literal(stored) = self.expr(scope, expr).ok()?.node else { return None };
                let printed = value::print(Type::INTERVAL, ValueRef::from(&stored));
                Some(format!("{}::interval", quote_literal(&printed)))
            }
            ast::Expr::AtTimeZone { timestamp, time_zone } => {
                let zone = self.shown_as(scope, time_zone, Type::TEXT)?;
                Some(format!("({} AT TIME ZONE {zone})", self.shown(scope, timestamp, Type::TIMESTAMPTZ)?))
            }
            ast::Expr::Extract { field, expr, .. } => {
                let field = field.to_string().to_lowercase();
                Some(format!("EXTRACT({field} FROM {})", self.shown(scope, expr, Type::TIMESTAMPTZ)?))
            }
            ast::Expr::Subquery(query) => self.shown_subquery(scope, query),
            ast::Expr::Exists { subquery, negated } => {
                let text = format!("(EXISTS {})", self.shown_subquery(scope, subquery)?);
                Some(if *negated { format!("(NOT {text})") } else { text })
            }
            ast::Expr::InSubquery { expr, subquery, negated } => {
                let text = self.shown_in(scope, expr, "IN", subquery)?;
                Some(if *negated { format!("(NOT {text})") } else { text })
            }
            ast::Expr::SimilarTo { negated, expr, pattern, escape_char: None } => {
                let (text, pattern) =
                    (self.shown_as(scope, expr, Type::TEXT)?, self.shown_as(scope, pattern, Type::TEXT)?);
                let symbol = if *negated { "!~" } else { "~" };
                Some(format!("({text} {symbol} similar_to_escape({pattern}))"))
            }
            ast::Expr::CompoundFieldAccess { root, access_chain } => {
                self.shown_subscript(scope, root, access_chain)
            }
            ast::Expr::Position { .. }
            | ast::Expr::Trim { .. }
            | ast::Expr::Overlay { .. }
            | ast::Expr::Substring { .. } => self.shown_grammar(scope, expr),
            ast::Expr::Like { negated, any: false, expr, pattern, escape_char: Some(escape) }
                if self.once.qualified =>
            {
                let text = self.shown_as(scope, expr, Type::TEXT)?;
                let pattern = self.shown_as(scope, pattern, Type::TEXT)?;
                let symbol = if *negated { "!~~" } else { "~~" };
                let escape = self.shown_as(scope, escape, Type::TEXT)?;
                Some(format!("({text} {symbol} like_escape({pattern}, {escape}))"))
            }
            ast::Expr::Array(array) => self.shown_array(scope, &array.elem, wanted),
            ast::Expr::Function(function) => self.shown_call(scope, expr, function),
            _ => None,
        }
    }

    /// The text of a definition's expression as the catalog shows it, always in brackets.
    pub(crate) fn shown_condition(&mut self, scope: &Scope<'_>, expr: &ast::Expr, written: &str) -> String {
        self.shown(scope, expr, Type::BOOL).unwrap_or_else(|| format!("({written})"))
    }

    fn shown_name(&mut self, scope: &Scope<'_>, expr: &ast::Expr) -> Option<String> {
        if let ast::Expr::Identifier(ident) = expr
            && ident.quote_style.is_none()
            && BARE.contains(&name(ident).as_str())
        {
            return Some(ident.value.to_uppercase());
        }
        if let Some(row) = self.shown_whole_row(scope, expr) {
            return Some(row);
        }
        let bound = self.expr(scope, expr).ok()?;
        if let Some(system) = self.shown_system_column(scope, expr, &bound) {
            return Some(system);
        }
        if matches!(bound.node, Node::Column { source: usize::MAX, .. }) {
            return Some("VALUE".to_owned());
        }
        let Node::Column { source, field } = bound.node else {
            // The columns of a full join with the same name are one, which no table has.
            let ast::Expr::Identifier(ident) = expr else { return None };
            let merged = scope.visible.iter().any(|visible| visible.name == name(ident));
            return (merged && self.once.qualified).then(|| quote_identifier(&name(ident)));
        };
        let mut around = std::iter::successors(Some(scope), |scope| scope.parent);
        let table = around.find_map(|scope| scope.tables.iter().find(|table| table.source == source))?;
        let column = table.columns.iter().find(|column| column.field == field)?;
        let column = quote_identifier(&column.name);
        Some(match self.once.qualified {
            true => format!("{}.{column}", quote_identifier(self.once.texts.name(table))),
            false => column,
        })
    }

    /// A column that every table has implicitly, which is computed from others.
    fn shown_system_column(&self, scope: &Scope<'_>, expr: &ast::Expr, bound: &Expr) -> Option<String> {
        let (alias, last) = match expr {
            ast::Expr::Identifier(ident) => (None, ident),
            ast::Expr::CompoundIdentifier(idents) => match &idents[..] {
                [alias, last] => (Some(name(alias)), last),
                _ => return None,
            },
            _ => return None,
        };
        let column = SYSTEM_COLUMNS.iter().find(|known| **known == name(last))?;
        let mut source = None;
        bound.any(&mut |expr| match expr.node {
            Node::Column { source: of, .. } => source.replace(of).is_none(),
            _ => false,
        });
        let mut around = std::iter::successors(Some(scope), |scope| scope.parent);
        // The number of a table is that of no row.
        let of = |table: &&super::scope::Table| match source {
            Some(source) => table.source == source,
            None => alias.as_ref().is_none_or(|alias| table.alias == *alias),
        };
        let table = around.find_map(|scope| scope.tables.iter().find(of))?;
        // A source may have a column of this name that it was given.
        if table.columns.iter().any(|known| known.name == *column) {
            return None;
        }
        Some(match self.once.qualified {
            true => format!("{}.{column}", quote_identifier(self.once.texts.name(table))),
            false => (*column).to_owned(),
        })
    }

    fn shown_value(&self, value: &Value, wanted: Type) -> Option<String> {
        let wanted = if wanted == Type::UNKNOWN { Type::TEXT } else { wanted };
        Some(match value {
            Value::Number(number, _) if number.contains(['e', 'E']) => {
                self.shown_literal(number, Type::NUMERIC.plain())?
            }
            Value::DollarQuotedString(text) => self.shown_literal(&text.value, wanted.plain())?,
            Value::Number(number, _) => match number.parse::<i64>() {
                Ok(value) if i32::try_from(value).is_err() => format!("'{number}'::bigint"),
                _ if number.starts_with('.') => format!("0{number}"),
                _ => number.clone(),
            },
            Value::SingleQuotedString(text) | Value::EscapedStringLiteral(text) => {
                self.shown_literal(text, wanted.plain())?
            }
            Value::SingleQuotedByteStringLiteral(bits)
                if bits.bytes().all(|bit| matches!(bit, b'0' | b'1')) =>
            {
                format!("'{bits}'::\"bit\"")
            }
            Value::Boolean(value) => value.to_string(),
            Value::Null => format!("NULL::{}", self.catalog.type_name(wanted, -1)),
            _ => return None,
        })
    }

    /// A literal as printed by its type.
    fn shown_literal(&self, text: &str, type_: Modified) -> Option<String> {
        if type_.base == Type::REGCLASS {
            return Some(format!("{}::regclass", quote_literal(text)));
        }
        let literal = self.literal(text, type_).ok()?;
        let Node::Literal(stored) = &literal.node else { return None };
        if let (true, rusqlite::types::Value::Integer(oid)) = (type_.base.is_reg(), stored) {
            let name = self.object_name(type_.base, *oid)?;
            return Some(format!("{}::{}", quote_literal(&name), self.catalog.type_name(type_.base, -1)));
        }
        let base = self.catalog.base_type(type_.base);
        let printed = value::print(base, ValueRef::from(stored));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let bare = type_.base == base
            && match base {
                Type::BOOL => return Some(if printed == "t" { "true" } else { "false" }.to_owned()),
                Type::INT4 => digits(&printed),
                Type::NUMERIC => printed.split_once('.').is_some_and(|(a, b)| digits(a) && digits(b)),
                _ => false,
            };
        if bare {
            return Some(printed);
        }
        Some(format!("{}::{}", quote_literal(&printed), self.shown_type(type_)))
    }

    /// A type with its length. Without a length, `character` would mean one character, and `bit` one bit.
    fn shown_type(&self, type_: Modified) -> String {
        match type_ {
            Modified { base: Type::BPCHAR, modifier: ..0 } => "bpchar".to_owned(),
            Modified { base: Type::BIT, modifier: ..0 } => "\"bit\"".to_owned(),
            Modified { base, modifier } => self.catalog.type_name(base, modifier),
        }
    }

    /// `ARRAY[…]`. Its literals have the type of the elements.
    fn shown_array(&mut self, scope: &Scope<'_>, items: &[ast::Expr], wanted: Type) -> Option<String> {
        let element = wanted.element().unwrap_or(Type::TEXT);
        let items = items.iter().map(|item| self.shown(scope, item, element));
        let items = items.collect::<Option<Vec<_>>>()?;
        (!items.is_empty()).then(|| format!("ARRAY[{}]", items.join(", ")))
    }

    /// An argument that may have any type: a literal keeps none.
    fn shown_anything(&mut self, scope: &Scope<'_>, expr: &ast::Expr) -> Option<String> {
        match (self.expr(scope, expr).ok()?.type_, expr) {
            (
                Type::UNKNOWN,
                ast::Expr::Value(ast::ValueWithSpan { value: Value::SingleQuotedString(text), .. }),
            ) => Some(quote_literal(text)),
            (Type::UNKNOWN, _) => None,
            (own, expr) => self.shown(scope, expr, own),
        }
    }

    /// An element of an array, or a part of one.
    fn shown_subscript(
        &mut self,
        scope: &Scope<'_>,
        root: &ast::Expr,
        chain: &[ast::AccessExpr],
    ) -> Option<String> {
        if let (ast::Expr::Nested(whole), [ast::AccessExpr::Dot(ast::Expr::Identifier(field))]) =
            (root, chain)
            && let Some(row) = self.shown_whole_row(scope, whole)
        {
            return Some(format!("{}.{}", row.strip_suffix(".*")?, quote_identifier(&name(field))));
        }
        // The parser has a chain of its own for `table.column[1]`.
        if let (
            ast::Expr::Identifier(table),
            [ast::AccessExpr::Dot(ast::Expr::Identifier(column)), rest @ ..],
        ) = (root, chain)
            && !rest.is_empty()
            && scope.table(None, &name(table)).is_some()
        {
            let column = ast::Expr::CompoundIdentifier(vec![table.clone(), column.clone()]);
            return self.shown_subscript(scope, &column, rest);
        }
        let type_ = self.expr(scope, root).ok()?.type_;
        let key = if type_ == Type::JSONB { Type::TEXT } else { Type::INT4 };
        let mut text = self.shown(scope, root, type_)?;
        if !matches!(plain(root), ast::Expr::Identifier(_) | ast::Expr::CompoundIdentifier(_)) {
            text = format!("({text})");
        }
        for access in chain {
            let subscript = match access {
                ast::AccessExpr::Subscript(subscript) => subscript,
                ast::AccessExpr::Dot(ast::Expr::Identifier(field)) => {
                    let field = quote_identifier(&name(field));
                    text = match text.starts_with('(') && text.ends_with(')') {
                        true => format!("{text}.{field}"),
                        false => format!("({text}).{field}"),
                    };
                    continue;
                }
                ast::AccessExpr::Dot(_) => return None,
            };
            match subscript {
                ast::Subscript::Index { index } => {
                    text.push_str(&format!("[{}]", self.shown(scope, index, key)?));
                }
                ast::Subscript::Slice { lower_bound, upper_bound, stride: None } => {
                    let mut bound = |bound: &Option<ast::Expr>| match bound {
                        Some(bound) => self.shown(scope, bound, Type::INT4),
                        None => Some(String::new()),
                    };
                    let (low, high) = (bound(lower_bound)?, bound(upper_bound)?);
                    text.push_str(&format!("[{low}:{high}]"));
                }
                ast::Subscript::Slice { .. } => return None,
            }
        }
        Some(text)
    }

    /// `CASE`, each branch on a line.
    fn shown_case(
        &mut self,
        scope: &Scope<'_>,
        whole: &ast::Expr,
        operand: Option<&ast::Expr>,
        (branches, otherwise): (&[ast::CaseWhen], Option<&ast::Expr>),
    ) -> Option<String> {
        // Those of views stand further to the right.
        let margin = if self.once.qualified { "        " } else { "" };
        let type_ = match self.expr(scope, whole).ok()?.type_ {
            Type::UNKNOWN => Type::TEXT,
            type_ => type_,
        };
        let mut text = format!("\n{margin}CASE");
        let mut wanted = Type::BOOL;
        if let Some(operand) = operand {
            wanted = self.expr(scope, operand).ok()?.type_;
            text.push_str(&format!(" {}", self.shown(scope, operand, wanted)?));
        }
        for branch in branches {
            let condition = self.shown(scope, &branch.condition, wanted)?;
            let result = self.shown_as(scope, &branch.result, type_)?;
            let (condition, result) = (self.deeper(condition)?, self.deeper(result)?);
            text.push_str(&format!("\n{margin}    WHEN {condition} THEN {result}"));
        }
        let otherwise = match otherwise {
            Some(otherwise) => {
                let otherwise = self.shown_as(scope, otherwise, type_)?;
                self.deeper(otherwise)?
            }
            None => format!("NULL::{}", self.catalog.type_name(type_, -1)),
        };
        Some(format!("{text}\n{margin}    ELSE {otherwise}\n{margin}END"))
    }

    /// A part of a `CASE`, further to the right. Only the texts of views may change the lines in literals: others are run.
    fn deeper(&self, text: String) -> Option<String> {
        if !text.contains('\n') {
            return Some(text);
        }
        self.once.qualified.then(|| text.replace('\n', "\n    "))
    }

    fn shown_list(
        &mut self,
        scope: &Scope<'_>,
        expr: &ast::Expr,
        list: &[ast::Expr],
        negated: bool,
    ) -> Option<String> {
        if let Some(row) = items_of_row(expr) {
            return self.shown_rows_in(scope, &row, list, negated);
        }
        let tested = self.catalog.base_type(self.expr(scope, expr).ok()?.type_);
        if tested.element().is_some() {
            return None;
        }
        if let [only] = list {
            return self.shown_comparison(scope, expr, if negated { "<>" } else { "=" }, only);
        }
        let is_wide = matches!(tested, Type::INT8 | Type::NUMERIC | Type::FLOAT8);
        for item in list {
            let type_ = self.expr(scope, item).ok()?.type_;
            if type_ != Type::UNKNOWN && type_ != tested && !(is_wide && type_ == Type::INT4) {
                return None;
            }
        }
        let items = list.iter().map(|item| self.shown_as(scope, item, tested));
        let items = items.collect::<Option<Vec<_>>>()?;
        let items = format!("ARRAY[{}]", items.join(", "));
        let (symbol, word) = if negated { ("<>", "ALL") } else { ("=", "ANY") };
        let operator = format!("{} {word}", self.shown_operator(symbol, (Some(tested), tested)));
        let text = self.shown_as(scope, expr, tested)?;
        Some(match tested {
            Type::VARCHAR => format!("(({text})::text {operator} (({items})::text[]))"),
            _ => format!("({text} {operator} ({items}))"),
        })
    }

    fn shown_cast(&mut self, scope: &Scope<'_>, expr: &ast::Expr, to: Modified) -> Option<String> {
        let bound = self.expr(scope, expr).ok()?;
        if let Node::Untyped(text) = &bound.node {
            return self.shown_literal(text, to);
        }
        if bound.is_null_literal() && bound.type_ == Type::UNKNOWN {
            return Some(format!("NULL::{}", self.shown_type(to)));
        }
        // A cast of a written array is one of its elements.
        if let (ast::Expr::Array(array), Some(element)) = (plain(expr), to.base.element())
            && to.modifier < 0
            && !array.elem.is_empty()
            && !array.elem.iter().any(|item| matches!(plain(item), ast::Expr::Array(_)))
        {
            let items = array.elem.iter().map(|item| self.shown_cast(scope, plain(item), element.plain()));
            return Some(format!("ARRAY[{}]", items.collect::<Option<Vec<_>>>()?.join(", ")));
        }
        if matches!(plain(expr), ast::Expr::Array(array) if array.elem.is_empty()) {
            return Some(format!("ARRAY[]::{}", self.shown_type(to)));
        }
        // Only as an array does a written array take the type of the cast.
        let is_array = matches!(plain(expr), ast::Expr::Array(_)) && to.base.element().is_none();
        let text = self.shown(scope, expr, if is_array { bound.type_ } else { to.base })?;
        if items_of_row(expr).is_some() && bound.type_ != to.base {
            return Some(format!("{text}::{}", self.shown_type(to)));
        }
        let literals = |items: &[ast::Expr]| items.iter().all(|item| matches!(item, ast::Expr::Value(_)));
        let typed = matches!(expr, ast::Expr::Array(array) if literals(&array.elem));
        if (bound.type_ == to.base || typed && to.base.element().is_some()) && to.modifier < 0 {
            return Some(text);
        }
        Some(format!("({text})::{}", self.shown_type(to)))
    }
}

/// A text in which each `CASE` begins on a line of its own, with no blank before it.
fn settled(text: String) -> String {
    if !text.contains(" \n") {
        return text;
    }
    let mut lines = text.split('\n').peekable();
    let mut settled = String::with_capacity(text.len());
    while let Some(line) = lines.next() {
        match lines.peek() {
            Some(next) if next.trim_start().starts_with("CASE") => {
                settled.push_str(line.trim_end_matches(' '));
            }
            _ => settled.push_str(line),
        }
        if lines.peek().is_some() {
            settled.push('\n');
        }
    }
    settled
}

/// An expression without the brackets around it.
fn plain(expr: &ast::Expr) -> &ast::Expr {
    match expr {
        ast::Expr::Nested(inner) => plain(inner),
        other => other,
    }
}
