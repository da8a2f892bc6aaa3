//! Operators, comparisons and tests, as PostgreSQL shows them.

use sqlparser::ast::{self, BinaryOperator};

use super::plain;
use super::rows::items_of_row;
use crate::bind::{Binder, Scope};
use crate::tree::{Expr, Node};
use crate::types::Type;

/// Operators whose operands have one type.
const COMPARISONS: [&str; 14] =
    ["=", "<>", "<", "<=", ">", ">=", "~", "~*", "!~", "!~*", "~~", "~~*", "!~~", "!~~*"];

impl Binder<'_> {
    pub(super) fn shown_junction(
        &mut self,
        scope: &Scope<'_>,
        expr: &ast::Expr,
        operator: &BinaryOperator,
    ) -> Option<String> {
        let mut parts = Vec::new();
        let mut rest = expr;
        while let ast::Expr::BinaryOp { left, op, right } = rest
            && op == operator
        {
            parts.push(self.shown(scope, right, Type::BOOL)?);
            rest = left;
        }
        parts.push(self.shown(scope, rest, Type::BOOL)?);
        parts.reverse();
        let word = if *operator == BinaryOperator::And { " AND " } else { " OR " };
        Some(format!("({})", parts.join(word)))
    }

    pub(super) fn shown_operation(
        &mut self,
        scope: &Scope<'_>,
        whole: &ast::Expr,
        (left, right): (&ast::Expr, &ast::Expr),
        symbol: &str,
    ) -> Option<String> {
        let bound = self.expr(scope, whole).ok()?;
        let types = [left, right].map(|side| self.expr(scope, side).map(|side| side.type_));
        let [Ok(left_type), Ok(right_type)] = types else { return None };
        if let Some(own) = self.shown_own(scope, (left, right), symbol, (left_type, right_type)) {
            return own;
        }
        let both = (Some(left_type), right_type);
        let as_it_is = matches!(left_type, Type::NAME | Type::BPCHAR)
            || self.catalog.base_type(left_type) == Type::CITEXT;
        if ["~", "~*", "!~", "!~*"].contains(&symbol) && as_it_is {
            return self.shown_pattern(scope, left, symbol, right);
        }
        match &bound.node {
            Node::Compare { .. } => self.shown_comparison(scope, left, symbol, right),
            Node::Call(call) if call.arguments.len() == 2 => {
                let types = call.arguments.iter().map(|argument| self.catalog.base_type(argument.type_));
                let types: Vec<Type> = types.collect();
                // `||` takes any value beside a text.
                if symbol == "||" && types == [Type::TEXT, Type::TEXT] {
                    let (left, right) = (self.shown_part(scope, left)?, self.shown_part(scope, right)?);
                    return Some(format!("({left} {symbol} {right})"));
                }
                let mut side = |expr: &ast::Expr, type_: Type| match matches!(symbol, "+" | "-" | "*" | "/") {
                    true => self.shown_operand(scope, expr, type_),
                    false => self.shown_as(scope, expr, type_),
                };
                let (left, right) = (side(left, types[0])?, side(right, types[1])?);
                let symbol = self.shown_operator(symbol, both);
                Some(format!("({left} {symbol} {right})"))
            }
            // An operator of an extension, which is more than one call.
            _ if symbol == "%" => {
                let texts = |expr: &Expr| expr.type_ == Type::UNKNOWN || expr.type_.is_string();
                let both = [left, right].map(|side| self.expr(scope, side).is_ok_and(|side| texts(&side)));
                if both != [true, true] {
                    return None;
                }
                self.shown_pattern(scope, left, symbol, right)
            }
            _ => None,
        }
    }

    /// An operation of a project's own operator; `None` if it is another.
    fn shown_own(
        &mut self,
        scope: &Scope<'_>,
        (left, right): (&ast::Expr, &ast::Expr),
        symbol: &str,
        (left_type, right_type): (Type, Type),
    ) -> Option<Option<String>> {
        let own: Vec<Vec<Type>> = self
            .catalog
            .own_operators()
            .filter(|known| known.symbol == symbol && known.left.is_some())
            .map(|known| known.types())
            .collect();
        let fits = |own: &Type, given: Type| *own == given || given == Type::UNKNOWN;
        let types =
            own.into_iter().find(|types| fits(&types[0], left_type) && fits(&types[1], right_type))?;
        let shown = self.shown_operator(symbol, (Some(types[0]), types[1]));
        let sides = (self.shown_as(scope, left, types[0]), self.shown_as(scope, right, types[1]));
        Some(match sides {
            (Some(left), Some(right)) => Some(format!("({left} {shown} {right})")),
            _ => None,
        })
    }

    /// An operation with one operand.
    pub(super) fn shown_prefix(
        &mut self,
        scope: &Scope<'_>,
        symbol: &str,
        operand: &ast::Expr,
    ) -> Option<String> {
        let own = self.expr(scope, operand).ok()?.type_;
        let shown = self.shown_operator(symbol, (None, own));
        Some(format!("({shown} {})", self.shown_as(scope, operand, own)?))
    }

    /// An operand of arithmetic. It has operators between the types of integers.
    fn shown_operand(&mut self, scope: &Scope<'_>, expr: &ast::Expr, to: Type) -> Option<String> {
        let own = self.expr(scope, expr).ok()?.type_;
        if own.is_integer() && to.is_integer() || own == Type::FLOAT4 && to == Type::FLOAT8 {
            return self.shown(scope, expr, own);
        }
        self.shown_as(scope, expr, to)
    }

    /// A part of a text.
    fn shown_part(&mut self, scope: &Scope<'_>, expr: &ast::Expr) -> Option<String> {
        match self.expr(scope, expr).ok()?.type_ {
            type_ if type_ == Type::UNKNOWN || self.catalog.base_type(type_).is_string() => {
                self.shown_as(scope, expr, Type::TEXT)
            }
            type_ => self.shown(scope, expr, type_),
        }
    }

    pub(super) fn shown_comparison(
        &mut self,
        scope: &Scope<'_>,
        left: &ast::Expr,
        symbol: &str,
        right: &ast::Expr,
    ) -> Option<String> {
        let (a, b) = (self.expr(scope, left).ok()?, self.expr(scope, right).ok()?);
        let common = match self.operation("=", a.clone(), b.clone()).ok()?.node {
            Node::Compare { left, .. } => left.type_,
            _ => return None,
        };
        let common = self.catalog.base_type(common);
        let common = if common == Type::VARCHAR { Type::TEXT } else { common };
        // There are operators between these types.
        let across = |type_: Type| {
            (type_.is_integer() && common.is_integer())
                || (type_ == Type::FLOAT4 && common == Type::FLOAT8)
                || (matches!(type_, Type::DATE | Type::TIMESTAMP)
                    && matches!(common, Type::TIMESTAMP | Type::TIMESTAMPTZ))
        };
        let mut side = |expr: &ast::Expr, bound: &Expr| {
            if across(bound.type_) {
                self.shown(scope, expr, common)
            } else {
                self.shown_as(scope, expr, common)
            }
        };
        let (a, b) = (side(left, &a)?, side(right, &b)?);
        let symbol = if symbol == "!=" { "<>" } else { symbol };
        let symbol = match symbol {
            "IS DISTINCT FROM" => symbol.to_owned(),
            symbol => self.shown_operator(symbol, (Some(common), common)),
        };
        Some(format!("({a} {symbol} {b})"))
    }

    /// An operand with a cast to the type that its operator or function needs.
    pub(in crate::bind) fn shown_as(
        &mut self,
        scope: &Scope<'_>,
        expr: &ast::Expr,
        to: Type,
    ) -> Option<String> {
        let from = self.expr(scope, expr).ok()?.type_;
        let text = self.shown(scope, expr, to)?;
        if self.shown_whole_row(scope, expr).is_some() {
            return Some(text);
        }
        Some(match from {
            Type::UNKNOWN => text,
            // Only a domain is another type: the values of a range of a user are those of the type under it.
            from if from == to => text,
            from if self.catalog.named_base(from) == from && self.catalog.base_type(from) == to => text,
            _ => format!("({text})::{}", self.shown_type(to.plain())),
        })
    }

    pub(super) fn shown_pattern(
        &mut self,
        scope: &Scope<'_>,
        expr: &ast::Expr,
        symbol: &str,
        pattern: &ast::Expr,
    ) -> Option<String> {
        let types = [expr, pattern].map(|side| self.expr(scope, side).map(|side| side.type_));
        let [Ok(left), Ok(right)] = types else { return None };
        let shown = self.shown_operator(symbol, (Some(left), right));
        // A text without case keeps its type; a pattern of another type has operators of its own.
        let caseless = |type_: Type| self.catalog.base_type(type_) == Type::CITEXT;
        // Names and texts of a fixed length match as they are.
        let to = match left {
            _ if caseless(left) => Type::CITEXT,
            Type::NAME | Type::BPCHAR if symbol.contains('~') => left,
            _ => Type::TEXT,
        };
        let of_pattern = match right {
            Type::UNKNOWN if caseless(left) => Type::CITEXT,
            right if caseless(left) => self.catalog.base_type(right),
            _ => Type::TEXT,
        };
        let (text, pattern) = (self.shown_as(scope, expr, to)?, self.shown_as(scope, pattern, of_pattern)?);
        Some(format!("({text} {shown} {pattern})"))
    }

    pub(super) fn shown_test(&mut self, scope: &Scope<'_>, inner: &ast::Expr, words: &str) -> Option<String> {
        Some(format!("({} {words})", self.shown(scope, inner, Type::TEXT)?))
    }

    /// `x = ANY (array)`
    pub(super) fn shown_any(
        &mut self,
        scope: &Scope<'_>,
        left: &ast::Expr,
        (symbol, word): (&str, &str),
        right: &ast::Expr,
    ) -> Option<String> {
        if let ast::Expr::Subquery(query) = right {
            let word =
                if (symbol, word) == ("=", "ANY") { "IN".to_owned() } else { format!("{symbol} {word}") };
            return self.shown_in(scope, left, &word, query);
        }
        let of = self.expr(scope, right).ok()?.type_;
        let type_ = match (self.expr(scope, left).ok()?.type_, of.element()) {
            (Type::UNKNOWN, Some(element)) => element,
            (type_, _) => self.catalog.base_type(type_),
        };
        let list = type_.array()?;
        let is_comparison = COMPARISONS.contains(&symbol);
        let symbol = &*self.shown_operator(symbol, (Some(type_), of.element().unwrap_or(type_)));
        let element = of.element().unwrap_or(type_);
        let same = [Type::TEXT, Type::CITEXT].iter().any(|one| (*one, *one) == (type_, element));
        if type_.is_string() && element.is_string() && !same {
            let texts = Type::TEXT.array()?;
            let side = if symbol.contains('~') && type_ == Type::CITEXT { type_ } else { Type::TEXT };
            let (left, right) = (self.shown_as(scope, left, side)?, self.shown(scope, right, of)?);
            let right = if of == texts { right } else { format!("({right})::text[]") };
            return Some(format!("({left} {symbol} {word} ({right}))"));
        }
        if !is_comparison && of != Type::UNKNOWN {
            let (left, right) = (self.shown(scope, left, type_)?, self.shown(scope, right, of)?);
            return Some(format!("({left} {symbol} {word} ({right}))"));
        }
        if of != Type::UNKNOWN && of != list && !(type_.is_integer() && element.is_integer()) {
            return None;
        }
        let of = if of == Type::UNKNOWN { list } else { of };
        let (left, mut text) = (self.shown_as(scope, left, type_)?, self.shown(scope, right, of)?);
        // Without a cast, the query would be one of rows to compare with.
        if matches!(plain(right), ast::Expr::Cast { expr, .. } if matches!(plain(expr), ast::Expr::Subquery(_)))
            && text.starts_with("( ")
        {
            text.push_str(&format!("::{}", self.shown_type(of.plain())));
        }
        let right = text;
        Some(format!("({left} {symbol} {word} ({right}))"))
    }

    pub(super) fn shown_between(
        &mut self,
        scope: &Scope<'_>,
        expr: &ast::Expr,
        negated: bool,
        (low, high): (&ast::Expr, &ast::Expr),
    ) -> Option<String> {
        let (first, word, second) = if negated { ("<", "OR", ">") } else { (">=", "AND", "<=") };
        let first = self.shown_comparison(scope, expr, first, low)?;
        let second = self.shown_comparison(scope, expr, second, high)?;
        Some(format!("({first} {word} {second})"))
    }

    /// `x IN (query)`, where the value has a cast to the type in which it is compared.
    pub(super) fn shown_in(
        &mut self,
        scope: &Scope<'_>,
        left: &ast::Expr,
        words: &str,
        query: &ast::Query,
    ) -> Option<String> {
        let columns = self.subquery(scope, query).ok()?.columns;
        if let ("IN", Some(items)) = (words, items_of_row(left)) {
            let items = items.iter().map(|item| {
                let own = self.expr(scope, item).ok()?.type_;
                self.shown(scope, item, own)
            });
            let items = items.collect::<Option<Vec<_>>>()?.join(", ");
            return Some(format!("(({items}) {words} {})", self.shown_subquery(scope, query)?));
        }
        let [column] = &columns[..] else { return None };
        let bound = self.expr(scope, left).ok()?;
        let other = Expr::literal(rusqlite::types::Value::Null, column.type_.base);
        let common = match self.operation("=", bound.clone(), other).ok()?.node {
            Node::Compare { left, .. } => left.type_,
            _ => return None,
        };
        let common = self.catalog.base_type(common);
        let common = if common == Type::VARCHAR { Type::TEXT } else { common };
        let text = match bound.type_.is_integer() && common.is_integer() {
            true => self.shown(scope, left, common)?,
            false => self.shown_as(scope, left, common)?,
        };
        Some(format!("({text} {words} {})", self.shown_subquery(scope, query)?))
    }
}
