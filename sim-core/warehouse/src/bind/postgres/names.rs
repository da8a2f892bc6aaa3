//! The names that PostgreSQL gives to columns without an alias.

use sqlparser::ast::{self, DataType};

use super::super::select;

/// PostgreSQL's name for a column without an alias.
pub(in crate::bind) fn implied_name(expr: &ast::Expr) -> String {
    name_of(expr).map_or_else(|| "?column?".to_owned(), |(name, _)| name)
}

/// A name, and whether it is better than that of a type around it.
fn name_of(expr: &ast::Expr) -> Option<(String, bool)> {
    let weak = |name: &str| Some((name.to_owned(), false));
    let strong = |name: &str| Some((name.to_owned(), true));
    match expr {
        ast::Expr::Nested(inner) | ast::Expr::Collate { expr: inner, .. } => name_of(inner),
        ast::Expr::Cast { expr, data_type, .. } => match name_of(expr) {
            Some((name, true)) => Some((name, true)),
            _ => weak(&type_name(data_type)),
        },
        ast::Expr::TypedString(typed) => weak(&type_name(&typed.data_type)),
        ast::Expr::Interval(_) => weak("interval"),
        ast::Expr::Case { else_result, .. } => match else_result.as_deref().and_then(name_of) {
            Some((name, true)) => Some((name, true)),
            _ => weak("case"),
        },
        ast::Expr::Function(function) => strong(&function.name.to_string().to_lowercase()),
        ast::Expr::Extract { .. } => strong("extract"),
        ast::Expr::Exists { negated: false, .. } => strong("exists"),
        ast::Expr::Position { .. } => strong("position"),
        ast::Expr::Substring { shorthand: true, .. } => strong("substr"),
        ast::Expr::Substring { .. } => strong("substring"),
        ast::Expr::Overlay { .. } => strong("overlay"),
        ast::Expr::Ceil { .. } => strong("ceil"),
        ast::Expr::Floor { .. } => strong("floor"),
        ast::Expr::AtTimeZone { .. } => strong("timezone"),
        ast::Expr::Trim { trim_where, .. } => strong(match trim_where {
            Some(ast::TrimWhereField::Leading) => "ltrim",
            Some(ast::TrimWhereField::Trailing) => "rtrim",
            _ => "btrim",
        }),
        ast::Expr::Array(_) => strong("array"),
        ast::Expr::CompoundFieldAccess { root, access_chain }
            if matches!(access_chain.last(), Some(ast::AccessExpr::Subscript(_))) =>
        {
            let dot = access_chain.iter().rev().find_map(|step| match step {
                ast::AccessExpr::Dot(ast::Expr::Identifier(name)) => Some(name.value.clone()),
                _ => None,
            });
            dot.map_or_else(|| name_of(root), |name| Some((name, true)))
        }
        ast::Expr::Subquery(query) => name_of_query(&query.body),
        other => select::implied_name(other).map(|name| (name, true)),
    }
}

/// The name of the one column of a subquery.
fn name_of_query(body: &ast::SetExpr) -> Option<(String, bool)> {
    match body {
        ast::SetExpr::Select(select) => match select.projection.first()? {
            ast::SelectItem::UnnamedExpr(expr) => Some((implied_name(expr), true)),
            ast::SelectItem::ExprWithAlias { alias, .. } => Some((alias.value.clone(), true)),
            _ => None,
        },
        ast::SetExpr::Query(query) => name_of_query(&query.body),
        ast::SetExpr::SetOperation { left, .. } => name_of_query(left),
        _ => None,
    }
}

/// The name of a type in PostgreSQL's catalog; that of a list is the name of its elements' type.
fn type_name(type_: &DataType) -> String {
    if let DataType::Array(ast::ArrayElemTypeDef::SquareBracket(of, _)) = type_ {
        return type_name(of);
    }
    let written = type_.to_string().to_lowercase();
    let is_zoned = written.ends_with("with time zone") && !written.ends_with("without time zone");
    let plain = written.split('(').next().unwrap_or_default().trim();
    let plain = plain.split(" with").next().unwrap_or_default().trim();
    let name = match plain {
        "int" | "integer" => "int4",
        "smallint" => "int2",
        "bigint" => "int8",
        "real" => "float4",
        "float" | "double precision" | "double" => "float8",
        "decimal" | "dec" => "numeric",
        "boolean" => "bool",
        "character varying" | "char varying" => "varchar",
        "char" | "character" => "bpchar",
        "timestamp" if is_zoned => "timestamptz",
        "time" if is_zoned => "timetz",
        other => other,
    };
    name.to_owned()
}
