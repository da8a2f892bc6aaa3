//! `DISTINCT ON`: the first row of each group, by a number that a window gives.

use sqlparser::ast;

use super::super::query::{position, ranked_over};
use super::super::scope::same;
use crate::refusal::Refusal;

/// The query without `DISTINCT ON`, which keeps the first row with equal `keys`.
///
/// Fails when the order does not begin with them.
pub(in crate::bind) fn first_of_each(
    select: &ast::Select,
    keys: &[ast::Expr],
    order: &[ast::OrderByExpr],
) -> Result<ast::Select, Refusal> {
    let meant = |expr: &ast::Expr| meant(expr, &select.projection).clone();
    let keys: Vec<ast::Expr> = keys.iter().map(meant).collect();
    let order: Vec<ast::OrderByExpr> =
        order.iter().map(|key| ast::OrderByExpr { expr: meant(&key.expr), ..key.clone() }).collect();
    let first: Vec<_> = order.iter().take_while(|key| keys.contains(&key.expr)).collect();
    let covers = keys.iter().all(|key| first.iter().any(|known| known.expr == *key));
    if !covers && first.len() < order.len() {
        return Err(Refusal::invalid(
            "SELECT DISTINCT ON expressions must match initial ORDER BY expressions",
        ));
    }
    let is_first = ast::Expr::BinaryOp {
        left: Box::new(ranked_over("row_number", keys, order)),
        op: ast::BinaryOperator::Eq,
        right: Box::new(ast::Expr::value(ast::Value::Number("1".to_owned(), false))),
    };
    Ok(ast::Select { distinct: None, qualify: Some(is_first), ..select.clone() })
}

/// What a number or the name of an item stands for.
fn meant<'q>(expr: &'q ast::Expr, items: &'q [ast::SelectItem]) -> &'q ast::Expr {
    let of = |item: &'q ast::SelectItem| match item {
        ast::SelectItem::UnnamedExpr(expr) | ast::SelectItem::ExprWithAlias { expr, .. } => Some(expr),
        _ => None,
    };
    if let Some(number) = position(expr) {
        return number.checked_sub(1).and_then(|place| items.get(place)).and_then(of).unwrap_or(expr);
    }
    let ast::Expr::Identifier(name) = expr else { return expr };
    let named = items.iter().find_map(|item| match item {
        ast::SelectItem::ExprWithAlias { expr, alias } if same(&alias.value, &name.value) => Some(expr),
        _ => None,
    });
    named.unwrap_or(expr)
}
