//! `PIVOT` and `UNPIVOT`: rewritten to the equivalent grouping or union.

use sqlparser::ast::helpers::attached_token::AttachedToken;
use sqlparser::ast::{
    self, CaseWhen, ExprWithAlias, FunctionArg, FunctionArgExpr, FunctionArguments, GroupByExpr, Ident,
    NullInclusion, PivotValueSource, Query, Select, SelectItem, SetExpr, SetOperator, SetQuantifier,
    TableFactor, UnaryOperator, Value,
};
use sqlparser::dialect::BigQueryDialect;
use sqlparser::tokenizer::{Token, Tokenizer};

use super::scope::{Kind, Scope, same};
use super::{Binder, Bound};
use crate::Dialect;
use crate::parse;
use crate::refusal::Refusal;

impl Binder<'_> {
    pub(super) fn pivot(
        &mut self,
        table: &TableFactor,
        aggregates: &[ExprWithAlias],
        by: &[ast::Expr],
        values: &PivotValueSource,
        scope: &Scope<'_>,
    ) -> Result<Bound, Refusal> {
        let (PivotValueSource::List(values), [by]) = (values, by) else {
            return Err(Refusal::unsupported("PIVOT without one column and a list of its values"));
        };
        let used: Vec<String> = aggregates
            .iter()
            .map(|one| &one.expr)
            .chain([by])
            .flat_map(|expr| words(&expr.to_string()))
            .collect();
        let columns = self.columns_of(table, "PIVOT", scope)?;
        let kept: Vec<String> =
            columns.into_iter().filter(|name| !used.iter().any(|word| same(word, name))).collect();
        let mut items: Vec<SelectItem> =
            kept.iter().map(|name| SelectItem::UnnamedExpr(column(name))).collect();
        for ExprWithAlias { expr: value, alias } in values {
            let name = alias.as_ref().map_or_else(|| implied(value), |alias| Ok(alias.value.clone()))?;
            for ExprWithAlias { expr: aggregate, alias } in aggregates {
                let name = match (alias, aggregates) {
                    (Some(alias), _) => format!("{}_{name}", alias.value),
                    (None, [_]) => name.clone(),
                    (None, _) => {
                        return Err(Refusal::invalid("Each of several aggregates of PIVOT needs an alias"));
                    }
                };
                let expr = only_where(aggregate, by, value)?;
                items.push(SelectItem::ExprWithAlias { expr, alias: quoted(&name) });
            }
        }
        let keys = kept.iter().map(|name| column(name)).collect();
        let query = selecting(table, |select| {
            select.projection = items;
            select.group_by = GroupByExpr::Expressions(keys, Vec::new());
        });
        self.query(&query, scope.parent, None)
    }

    pub(super) fn unpivot(
        &mut self,
        table: &TableFactor,
        value: &ast::Expr,
        name: &Ident,
        unpivoted: &[ExprWithAlias],
        nulls: Option<&NullInclusion>,
        scope: &Scope<'_>,
    ) -> Result<Bound, Refusal> {
        let ast::Expr::Identifier(value) = value else {
            return Err(Refusal::unsupported("UNPIVOT into several columns"));
        };
        let mut kept = self.columns_of(table, "UNPIVOT", scope)?;
        let mut sides = Vec::new();
        for ExprWithAlias { expr, alias } in unpivoted {
            let ast::Expr::Identifier(from) = expr else {
                return Err(Refusal::unsupported("UNPIVOT of what is no column"));
            };
            kept.retain(|column| !same(column, &from.value));
            sides.push((from.value.clone(), alias.as_ref().unwrap_or(from).value.clone()));
        }
        let with_nulls = matches!(nulls, Some(NullInclusion::IncludeNulls));
        let side = |(from, label): &(String, String)| {
            let mut items: Vec<SelectItem> =
                kept.iter().map(|name| SelectItem::UnnamedExpr(column(name))).collect();
            items.push(SelectItem::ExprWithAlias { expr: column(from), alias: quoted(&value.value) });
            let label = ast::Expr::Value(Value::SingleQuotedString(label.clone()).into());
            items.push(SelectItem::ExprWithAlias { expr: label, alias: quoted(&name.value) });
            selecting(table, |select| {
                select.projection = items;
                select.selection = (!with_nulls).then(|| ast::Expr::IsNotNull(Box::new(column(from))));
            })
        };
        let mut sides = sides.iter().map(side);
        let mut query = sides.next().ok_or_else(|| Refusal::syntax("UNPIVOT needs columns"))?;
        for right in sides {
            query.body = Box::new(SetExpr::SetOperation {
                left: query.body,
                op: SetOperator::Union,
                set_quantifier: SetQuantifier::All,
                right: right.body,
            });
        }
        self.query(&query, scope.parent, None)
    }

    /// The names of a table's columns. All of them must be known.
    fn columns_of(
        &mut self,
        table: &TableFactor,
        what: &str,
        scope: &Scope<'_>,
    ) -> Result<Vec<String>, Refusal> {
        let ranges = self.factor_ranges(table, scope)?;
        match ranges.as_slice() {
            [only] => match &only.kind {
                Kind::Columns { columns, body: None } => {
                    Ok(columns.iter().map(|(name, _)| name.clone()).collect())
                }
                _ => {
                    Err(Refusal::unsupported(&format!("{what} of a source: select its fields in a subquery")))
                }
            },
            _ => Err(Refusal::unsupported(&format!("{what} of a join"))),
        }
    }
}

fn column(name: &str) -> ast::Expr {
    ast::Expr::Identifier(quoted(name))
}

fn quoted(name: &str) -> Ident {
    Ident::with_quote('`', name)
}

/// A query of that table, completed by `fill`.
fn selecting(table: &TableFactor, fill: impl FnOnce(&mut Select)) -> Query {
    let mut query = parse::query("SELECT 1 FROM t", Dialect::Warehouse).expect("the template is a query");
    if let SetExpr::Select(select) = &mut *query.body {
        for from in &mut select.from {
            from.relation = table.clone();
        }
        fill(select);
    }
    query
}

fn words(text: &str) -> Vec<String> {
    let tokens = Tokenizer::new(&BigQueryDialect {}, text).tokenize().unwrap_or_default();
    let word = |token| match token {
        Token::Word(word) => Some(word.value),
        _ => None,
    };
    tokens.into_iter().filter_map(word).collect()
}

/// The aggregate over the rows in which the column has that value.
fn only_where(aggregate: &ast::Expr, by: &ast::Expr, value: &ast::Expr) -> Result<ast::Expr, Refusal> {
    let ast::Expr::Function(function) = aggregate else {
        return Err(Refusal::invalid("PIVOT expects an aggregate function"));
    };
    let mut function = function.clone();
    let (name, FunctionArguments::List(list)) =
        (function.name.to_string().to_lowercase(), &mut function.args)
    else {
        return Err(Refusal::invalid("PIVOT expects an aggregate function"));
    };
    // These would count the rows of other values as nulls.
    if name == "array_agg" || function.over.is_some() || !super::aggregate::is_aggregate(&name) {
        return Err(Refusal::unsupported(&format!("{name} in PIVOT")));
    }
    let argument = match list.args.first() {
        Some(FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))) => expr.clone(),
        Some(FunctionArg::Unnamed(FunctionArgExpr::Wildcard)) => {
            ast::Expr::Value(Value::Number("1".to_owned(), false).into())
        }
        _ => return Err(Refusal::invalid("PIVOT expects an aggregate function of a value")),
    };
    let condition = ast::Expr::IsNotDistinctFrom(Box::new(by.clone()), Box::new(value.clone()));
    let case = ast::Expr::Case {
        case_token: AttachedToken::empty(),
        end_token: AttachedToken::empty(),
        operand: None,
        conditions: vec![CaseWhen { condition, result: argument }],
        else_result: None,
    };
    list.args[0] = FunctionArg::Unnamed(FunctionArgExpr::Expr(case));
    Ok(ast::Expr::Function(function))
}

/// The default name of a value's column.
fn implied(value: &ast::Expr) -> Result<String, Refusal> {
    let (minus, literal) = match value {
        ast::Expr::UnaryOp { op: UnaryOperator::Minus, expr } => ("minus_", &**expr),
        other => ("", other),
    };
    if let ast::Expr::Value(value) = literal {
        match &value.value {
            Value::SingleQuotedString(text) | Value::DoubleQuotedString(text) if minus.is_empty() => {
                return Ok(text.clone());
            }
            Value::Number(digits, _) => return Ok(format!("_{minus}{}", digits.replace('.', "_point_"))),
            Value::Boolean(value) => return Ok(value.to_string().to_uppercase()),
            Value::Null => return Ok("NULL".to_owned()),
            _ => {}
        }
    }
    Err(Refusal::invalid(format!("The value {value} of PIVOT needs an alias")))
}
