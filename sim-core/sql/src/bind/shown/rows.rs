//! Rows and lists of rows, as PostgreSQL shows them.

use sqlparser::ast;

use super::plain;
use crate::bind::{Binder, Scope};
use crate::catalog::quote_identifier;
use crate::readable::WHOLE;
use crate::source::{self, name};
use crate::types::Type;

impl Binder<'_> {
    /// A whole row of a table in the query of a view: `t.*`.
    pub(super) fn shown_whole_row(&self, scope: &Scope<'_>, expr: &ast::Expr) -> Option<String> {
        let ast::Expr::Identifier(ident) = expr else { return None };
        let called = name(ident);
        let marked = called.starts_with(WHOLE);
        let called = called.trim_start_matches(WHOLE);
        let is_column = |scope: &Scope<'_>| !marked && matches!(scope.column(called), Ok(Some(_)) | Err(_));
        if !self.once.qualified || is_column(scope) {
            return None;
        }
        let mut around = std::iter::successors(Some(scope), |scope| scope.parent);
        let table = around.find_map(|scope| scope.tables.iter().find(|table| table.alias == called))?;
        (!table.scalar).then(|| format!("{}.*", quote_identifier(self.once.texts.name(table))))
    }

    /// A whole row as an output column, which has a cast to its type if that has a name.
    pub(in crate::bind) fn shown_row_target(
        &mut self,
        scope: &Scope<'_>,
        expr: &ast::Expr,
    ) -> Option<String> {
        let row = self.shown_whole_row(scope, expr)?;
        let type_ = self.expr(scope, expr).ok()?.type_;
        Some(match type_ {
            Type::RECORD => row,
            type_ => format!("{row}::{}", self.catalog.type_name(type_, -1)),
        })
    }

    /// `IS DISTINCT FROM`, also of rows.
    pub(super) fn shown_distinct(
        &mut self,
        scope: &Scope<'_>,
        left: &ast::Expr,
        right: &ast::Expr,
    ) -> Option<String> {
        const WORDS: &str = "IS DISTINCT FROM";
        if let (Some(left), Some(right)) = (items_of_row(left), items_of_row(right)) {
            return self.shown_rows(scope, &left, WORDS, &right);
        }
        match (row_of(scope, left), row_of(scope, right)) {
            (Some(left), Some(right)) => Some(format!("({left}.* {WORDS} {right}.*)")),
            _ => self.shown_comparison(scope, left, WORDS, right),
        }
    }

    /// `ROW(a, b)`
    pub(super) fn shown_row(&mut self, scope: &Scope<'_>, items: &[&ast::Expr]) -> Option<String> {
        let items = items.iter().map(|item| {
            let own = self.expr(scope, item).ok()?.type_;
            self.shown(scope, item, if own == Type::UNKNOWN { Type::TEXT } else { own })
        });
        Some(format!("ROW({})", items.collect::<Option<Vec<_>>>()?.join(", ")))
    }

    /// A row that is written out, in a list of such rows: the comparisons with each of them.
    pub(super) fn shown_rows_in(
        &mut self,
        scope: &Scope<'_>,
        row: &[&ast::Expr],
        list: &[ast::Expr],
        negated: bool,
    ) -> Option<String> {
        let (symbol, joined) = if negated { ("<>", " AND ") } else { ("=", " OR ") };
        let compared = list.iter().map(|item| self.shown_rows(scope, row, symbol, &items_of_row(item)?));
        let compared = compared.collect::<Option<Vec<_>>>()?;
        match &compared[..] {
            [only] => Some(only.clone()),
            several => Some(format!("({})", several.join(joined))),
        }
    }

    /// A comparison of rows that are written out.
    pub(super) fn shown_rows(
        &mut self,
        scope: &Scope<'_>,
        left: &[&ast::Expr],
        symbol: &str,
        right: &[&ast::Expr],
    ) -> Option<String> {
        if symbol.eq_ignore_ascii_case("overlaps") {
            let [left, right] = [left, right].map(|side| self.shown_row(scope, side));
            let (left, right) = (left?, right?);
            let bare = |row: &str| row.strip_prefix("ROW").map(str::to_owned);
            return Some(format!("({} OVERLAPS {})", bare(&left)?, bare(&right)?));
        }
        if left.len() != right.len() {
            return None;
        }
        let joined = match symbol {
            "=" => " AND ",
            "<>" | "!=" | "IS DISTINCT FROM" => " OR ",
            _ => {
                let mut sides = (Vec::new(), Vec::new());
                for (left, right) in left.iter().zip(right) {
                    let pair = self.shown_comparison(scope, left, "\u{3}", right)?;
                    let (left, right) = pair.strip_prefix('(')?.strip_suffix(')')?.split_once(" \u{3} ")?;
                    sides.0.push(left.to_owned());
                    sides.1.push(right.to_owned());
                }
                return Some(format!("(ROW({}) {symbol} ROW({}))", sides.0.join(", "), sides.1.join(", ")));
            }
        };
        let pairs =
            left.iter().zip(right).map(|(left, right)| self.shown_comparison(scope, left, symbol, right));
        Some(format!("({})", pairs.collect::<Option<Vec<_>>>()?.join(joined)))
    }
}

/// The items of a row that is written out: `(a, b)` or `row(a, b)`.
pub(super) fn items_of_row(expr: &ast::Expr) -> Option<Vec<&ast::Expr>> {
    match plain(expr) {
        ast::Expr::Tuple(items) => Some(items.iter().collect()),
        ast::Expr::Function(function) => {
            let called = source::schema_and_name(&function.name).ok()?;
            let ast::FunctionArguments::List(list) = &function.args else { return None };
            if called != (None, "row".to_owned()) {
                return None;
            }
            let items = list.args.iter().map(|argument| match argument {
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(item)) => Some(item),
                _ => None,
            });
            items.collect()
        }
        _ => None,
    }
}

/// The table of a whole row `t.*`.
fn row_of(scope: &Scope<'_>, expr: &ast::Expr) -> Option<String> {
    let called = match expr {
        ast::Expr::QualifiedWildcard(object, _) => source::schema_and_name(object).ok()?.1,
        ast::Expr::Identifier(ident) => name(ident).trim_start_matches(WHOLE).to_owned(),
        ast::Expr::Nested(inner) => return row_of(scope, inner),
        _ => return None,
    };
    let is_column = scope.tables.iter().flat_map(|table| &table.columns).any(|column| column.name == called);
    let is_table = scope.tables.iter().any(|table| table.alias == called);
    (is_table && !is_column).then(|| quote_identifier(&called))
}
