//! The names of columns that a query does not name.

use sqlparser::ast::{self, AccessExpr};

use crate::forms;
use crate::source::{self, name};
use crate::types::Type;

/// PostgreSQL's name for a column without an alias.
pub(crate) fn column_name(expr: &ast::Expr) -> String {
    inferred_name(expr).unwrap_or_else(|| "?column?".to_owned())
}

pub(super) fn inferred_name(expr: &ast::Expr) -> Option<String> {
    match expr {
        ast::Expr::Identifier(ident) => Some(match name(ident).as_str() {
            "current_timestamp" => "current_timestamp".to_owned(),
            other => other.trim_start_matches(crate::readable::WHOLE).to_owned(),
        }),
        ast::Expr::CompoundIdentifier(idents) => idents.last().map(name),
        ast::Expr::Nested(inner) | ast::Expr::Collate { expr: inner, .. } => inferred_name(inner),
        ast::Expr::Function(function) => source::parts(&function.name).last().map(|ident| name(ident)),
        ast::Expr::Cast { expr, data_type, .. } => strong_name(expr).or_else(|| type_column_name(data_type)),
        ast::Expr::TypedString(typed) => type_column_name(&typed.data_type),
        ast::Expr::Interval(_) => Some("interval".to_owned()),
        ast::Expr::Case { else_result, .. } => {
            Some(else_result.as_deref().and_then(strong_name).unwrap_or_else(|| "case".to_owned()))
        }
        ast::Expr::Exists { negated: false, .. } => Some("exists".to_owned()),
        ast::Expr::Subquery(query) => match &*query.body {
            ast::SetExpr::Select(select) => match select.projection.first()? {
                ast::SelectItem::UnnamedExpr(expr) => inferred_name(expr),
                ast::SelectItem::ExprWithAlias { alias, .. } => Some(name(alias)),
                _ => forms::values_alone(select).map(|_| "column1".to_owned()),
            },
            ast::SetExpr::Values(_) => Some("column1".to_owned()),
            _ => None,
        },
        ast::Expr::Array(_) => Some("array".to_owned()),
        ast::Expr::Tuple(_) => Some("row".to_owned()),
        ast::Expr::CompoundFieldAccess { root, access_chain } => {
            let last = access_chain.iter().rev().find_map(|access| match access {
                AccessExpr::Dot(ast::Expr::Identifier(field)) => Some(name(field)),
                _ => None,
            });
            last.or_else(|| inferred_name(root))
        }
        ast::Expr::Extract { .. } => Some("extract".to_owned()),
        ast::Expr::Position { .. } => Some("position".to_owned()),
        ast::Expr::Substring { shorthand: true, .. } => Some("substr".to_owned()),
        ast::Expr::Substring { .. } => Some("substring".to_owned()),
        ast::Expr::Overlay { .. } => Some("overlay".to_owned()),
        ast::Expr::Ceil { .. } => Some("ceil".to_owned()),
        ast::Expr::Floor { .. } => Some("floor".to_owned()),
        ast::Expr::AtTimeZone { .. } => Some("timezone".to_owned()),
        ast::Expr::BinaryOp { op: ast::BinaryOperator::Overlaps, .. } => Some("overlaps".to_owned()),
        ast::Expr::Trim { trim_where, .. } => Some(
            match trim_where {
                Some(ast::TrimWhereField::Leading) => "ltrim",
                Some(ast::TrimWhereField::Trailing) => "rtrim",
                _ => "btrim",
            }
            .to_owned(),
        ),
        _ => None,
    }
}

/// The name of an expression, unless it is only that of its type.
pub(super) fn strong_name(expr: &ast::Expr) -> Option<String> {
    match expr {
        ast::Expr::Cast { expr, .. } | ast::Expr::Nested(expr) => strong_name(expr),
        ast::Expr::Case { else_result, .. } => else_result.as_deref().and_then(strong_name),
        ast::Expr::TypedString(_) | ast::Expr::Interval(_) | ast::Expr::Value(_) => None,
        other => inferred_name(other),
    }
}

pub(super) fn type_column_name(data_type: &ast::DataType) -> Option<String> {
    let text = data_type.to_string().to_lowercase();
    let base = text.split(['(', '[']).next().unwrap_or(&text).trim();
    match data_type {
        ast::DataType::Custom(name, _) => source::parts(name).last().map(|ident| source::name(ident)),
        ast::DataType::Interval { .. } => Some("interval".to_owned()),
        ast::DataType::Timestamp(_, ast::TimezoneInfo::WithTimeZone) => Some("timestamptz".to_owned()),
        ast::DataType::Timestamp(..) => {
            Some(if base == "timestamptz" { "timestamptz" } else { "timestamp" }.to_owned())
        }
        _ => {
            let known = Type::named(base).and_then(Type::builtin);
            Some(known.map_or_else(|| base.to_owned(), |builtin| builtin.name.to_owned()))
        }
    }
}
