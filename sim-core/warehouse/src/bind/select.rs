//! `SELECT`: its list, its grouping, and the names in each of its clauses.

use sqlparser::ast::{self, Distinct, GroupByExpr, Select, SelectItem, ValueTableMode};

use super::expr::Expr;
use super::query::{Tail, at_position, position};
use super::rollup::groupings;
use super::scope::{Scope, same};
use super::{Binder, Bound, column_list, postgres, recursive};
use crate::encode::field_key;
use crate::refusal::{Refusal, RefusalKind};
use crate::types::Type;
use crate::{Column, Dialect};

/// An item of the list, with its column's name.
struct Item<'q> {
    name: String,
    /// Whether other clauses can refer to it by its name.
    named: bool,
    expr: &'q ast::Expr,
}

impl Binder<'_> {
    pub(super) fn select(
        &mut self,
        select: &Select,
        tail: &Tail<'_>,
        parent: Option<&Scope<'_>>,
    ) -> Result<Bound, Refusal> {
        check_clauses(select)?;
        if let Some(Distinct::On(keys)) = select.distinct.as_ref().filter(|_| self.is_postgres()) {
            let select = postgres::first_of_each(select, keys, tail.order)?;
            return self.select(&select, tail, parent);
        }
        if self.is_postgres()
            && self.lifted.is_empty()
            && let Some(bound) = self.select_of_sets(select, tail, parent)?
        {
            return Ok(bound);
        }
        let outer = (std::mem::take(&mut self.groups), std::mem::take(&mut self.windows));
        self.windows = named_windows(select)?;
        let absent = std::mem::take(&mut self.absent);
        let bound = match groupings(&select.group_by)? {
            Some(groupings) => self.grouped_several_times(select, groupings, tail, parent),
            None => self.select_once(select, None, tail, parent),
        };
        self.absent = absent;
        (self.groups, self.windows) = outer;
        bound
    }

    /// Binds the query with one grouping. The keys of `absent` are null in its rows.
    pub(super) fn select_once(
        &mut self,
        select: &Select,
        absent: Option<&[ast::Expr]>,
        tail: &Tail<'_>,
        parent: Option<&Scope<'_>>,
    ) -> Result<Bound, Refusal> {
        let stepping = std::mem::take(&mut self.stepping);
        let lifted = std::mem::take(&mut self.lifted);
        self.groups.clear();
        self.absent.clear();
        // A wildcard is refused before a table that is not there, as on the service.
        let items = items(&select.projection, self.dialect)?;
        let (mut from, mut scope) = self.from(&select.from, parent)?;
        self.with_sets(&mut from, &mut scope, &lifted)?;
        let filter = match &select.selection {
            Some(filter) => format!(" WHERE {}", self.condition(filter, &scope)?.plain("WHERE clause")?.sql),
            None => String::new(),
        };
        let groups = self.group_keys(&select.group_by, &items, &scope)?;
        let keyed = keyed_items(&select.group_by, &items);
        let missing = absent.unwrap_or_default().iter().map(|key| self.group_key(key, &items, &scope));
        let missing = missing.collect::<Result<Vec<_>, _>>()?;
        self.group_names = names_of_keys(&select.group_by, absent.unwrap_or_default(), &groups, &missing);
        self.groups = groups.iter().map(|key| key.sql.clone()).collect();
        self.absent =
            missing.into_iter().map(|key| key.sql).filter(|key| !self.groups.contains(key)).collect();
        let outputs = items.iter().enumerate().map(|(index, item)| {
            // A query in a key has other names each time that it is bound.
            let key = groups.iter().zip(&keyed).find(|(_, item)| **item == Some(index));
            key.map_or_else(
                || self.expr(item.expr, &scope),
                |(key, _)| Ok(Expr { loose: None, ..key.clone() }),
            )
        });
        let outputs = outputs.collect::<Result<Vec<_>, _>>()?;
        // From here on, names refer to items of the list first.
        let named = items.iter().zip(&outputs).filter(|(item, _)| item.named);
        scope.aliases = named.map(|(item, output)| (item.name.clone(), output.clone())).collect();
        let having = select.having.as_ref().map(|having| self.condition(having, &scope)).transpose()?;
        let qualify = select.qualify.as_ref().map(|qualify| self.condition(qualify, &scope)).transpose()?;
        let distinct = is_distinct(select)?;
        // After DISTINCT, only the columns of the result can be sorted.
        let order = if distinct { &[] } else { tail.order };
        let order = self.order_by(order, &outputs, &scope)?;
        let late = distinct || (qualify.is_some() && order.windowed);
        let windowed = outputs.iter().any(|expr| expr.windowed);
        if !lifted.is_empty() && windowed {
            return Err(Refusal::unsupported("a window function beside a function that gives rows"));
        }
        if absent.is_some() && windowed {
            return Err(Refusal::unsupported("a window function beside ROLLUP, CUBE or GROUPING SETS"));
        }
        let aggregated = !groups.is_empty()
            || absent.is_some()
            || having.is_some()
            || outputs.iter().chain(&having).chain([&order]).any(|expr| expr.aggregated);
        if aggregated {
            check_grouping(outputs.iter().chain(&having).chain(&qualify).chain([&order]))?;
        }
        if !aggregated && having.is_some() {
            return Err(Refusal::invalid("The HAVING clause requires GROUP BY or aggregation to be present"));
        }
        let group = self.group_by(&groups);
        if stepping && (aggregated || windowed) {
            return Err(recursive::plainer());
        }
        let having = having.map_or_else(String::new, |having| format!(" HAVING {}", having.sql));
        // Without keys and aggregates in its list, a query would not be grouped.
        let is_bare = aggregated && groups.is_empty() && !outputs.iter().any(|output| output.aggregated);
        let columns: Vec<Column> = items
            .iter()
            .zip(&outputs)
            .map(|(item, output)| Column {
                name: item.name.clone(),
                type_: output.type_.clone(),
                shape: output.shape.clone(),
            })
            .collect();
        let mut list = self.list(&outputs, distinct);
        if let Some(qualify) = &qualify {
            list.push_str(&format!(", {} AS q", qualify.sql));
            if !late && !order.sql.is_empty() {
                // The rows that are kept can be sorted by what is no column of the result.
                list.push_str(&format!(", row_number() OVER ({}) AS o", order.sql));
            }
        }
        if is_bare {
            list.push_str(", count(*) AS n");
        }
        if stepping {
            list.push_str(&self.round());
        }
        let word = if distinct { "SELECT DISTINCT" } else { "SELECT" };
        let sql = format!("{word} {list}{from}{filter}{group}{having}");
        let sql = match qualify {
            Some(_) => {
                let order = if late || order.sql.is_empty() { "" } else { " ORDER BY q.o" };
                format!("SELECT {} FROM ({sql}) AS q WHERE q.q{order}", column_list(columns.len()))
            }
            None if is_bare => {
                format!("SELECT {} FROM ({sql}{}) AS q", column_list(columns.len()), order.sql)
            }
            None => sql + &order.sql,
        };
        let bound = match late && !(tail.order.is_empty() && tail.limit.is_empty()) {
            true => {
                let order: Vec<_> = tail.order.iter().map(|key| as_position(key, &items)).collect();
                self.around(Bound { sql, columns }, &Tail { order: &order, limit: tail.limit.clone() })?
            }
            false => Bound { sql: sql + if late { "" } else { &tail.limit }, columns },
        };
        Ok(match select.value_table_mode {
            None => bound,
            Some(ValueTableMode::AsStruct | ValueTableMode::DistinctAsStruct) => self.as_struct(&bound),
            Some(_) => return Err(Refusal::unsupported("SELECT AS VALUE")),
        })
    }

    fn list(&self, outputs: &[Expr], distinct: bool) -> String {
        let item = |(index, output): (usize, &Expr)| {
            let sql = match (&output.type_, distinct) {
                // In a set operation or a subquery, a bare null would have no type.
                (Type::Null, _) => self.target.null(&Type::Null),
                (type_, true) => self.target.grouped(type_, &output.sql),
                (_, false) => output.sql.clone(),
            };
            format!("{sql} AS c{}", index + 1)
        };
        outputs.iter().enumerate().map(item).collect::<Vec<_>>().join(", ")
    }

    /// Rows of one column, which contains all others as a structure.
    pub(super) fn as_struct(&mut self, bound: &Bound) -> Bound {
        let mut arguments = Vec::new();
        for (index, column) in bound.columns.iter().enumerate() {
            arguments.push(self.target.text(&field_key(&column.name, index)));
            arguments.push(self.target.packed(&column.type_, &format!("c{}", index + 1)));
        }
        let build = self.target.pick("json_object", "jsonb_build_object");
        let sql = format!("SELECT {build}({}) AS c1 FROM ({}) AS q", arguments.join(", "), bound.sql);
        let fields = bound.columns.iter().map(|column| (column.name.clone(), column.type_.clone()));
        let type_ = Type::Struct(fields.collect());
        let shape = bound.columns.iter().map(|column| (column.name.clone(), column.shape.clone())).collect();
        Bound { sql, columns: vec![Column { name: String::new(), type_, shape }] }
    }

    /// The grouping keys. A name refers to an item of the list first, and then to a column.
    fn group_keys(
        &mut self,
        group_by: &GroupByExpr,
        items: &[Item<'_>],
        scope: &Scope<'_>,
    ) -> Result<Vec<Expr>, Refusal> {
        let (keys, modifiers) = match group_by {
            GroupByExpr::Expressions(keys, modifiers) => (keys, modifiers),
            GroupByExpr::All(modifiers) if modifiers.is_empty() => {
                let all = items.iter().map(|item| self.expr(item.expr, scope));
                let all = all.collect::<Result<Vec<_>, _>>()?;
                return Ok(all.into_iter().filter(|expr| !expr.aggregated && expr.loose.is_some()).collect());
            }
            GroupByExpr::All(modifiers) => (&Vec::new(), modifiers),
        };
        if !modifiers.is_empty() {
            return Err(Refusal::unsupported("WITH ROLLUP or CUBE"));
        }
        keys.iter().map(|key| self.group_key(key, items, scope)).collect()
    }

    fn group_key(&mut self, key: &ast::Expr, items: &[Item<'_>], scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let item = match (position(key), key) {
            (Some(number), _) => Some(at_position(items, number)?),
            (None, ast::Expr::Identifier(name)) => {
                items.iter().find(|item| item.named && same(&item.name, &name.value))
            }
            _ => None,
        };
        let bound = self.expr(item.map_or(key, |item| item.expr), scope)?.plain("GROUP BY")?;
        if matches!(bound.type_, Type::Array(_) | Type::Struct(_)) {
            return Err(Refusal::invalid(format!(
                "Grouping by expressions of type {} is not allowed",
                bound.type_
            )));
        }
        Ok(bound)
    }

    fn group_by(&self, groups: &[Expr]) -> String {
        // A constant makes no groups, and a bare number would be a position.
        let keys = groups.iter().map(|key| match key.loose {
            Some(_) => self.target.grouped(&key.type_, &key.sql),
            None => {
                self.target.pick(format!("(({} IS NULL) + 0)", key.sql), format!("({} IS NULL)", key.sql))
            }
        });
        let keys: Vec<String> = keys.collect();
        if keys.is_empty() { String::new() } else { format!(" GROUP BY {}", keys.join(", ")) }
    }
}

/// The sort key by its item's number, if it is an item of the list: columns of tables are not there after DISTINCT.
fn as_position(key: &ast::OrderByExpr, items: &[Item<'_>]) -> ast::OrderByExpr {
    let item = items.iter().position(|item| *item.expr == key.expr);
    let number = item.map(|item| ast::Expr::value(ast::Value::Number((item + 1).to_string(), false)));
    ast::OrderByExpr { expr: number.unwrap_or_else(|| key.expr.clone()), ..key.clone() }
}

/// The keys that are names, with what they stand for.
fn names_of_keys(
    group_by: &GroupByExpr,
    absent: &[ast::Expr],
    groups: &[Expr],
    missing: &[Expr],
) -> Vec<(String, String)> {
    let keys = match group_by {
        GroupByExpr::Expressions(keys, _) => keys.as_slice(),
        GroupByExpr::All(_) => &[],
    };
    let all = keys.iter().zip(groups).chain(absent.iter().zip(missing));
    all.filter_map(|(key, bound)| match key {
        ast::Expr::Identifier(name) => Some((name.value.clone(), bound.sql.clone())),
        _ => None,
    })
    .collect()
}

/// The item that each grouping key is, if it is one.
fn keyed_items(group_by: &GroupByExpr, items: &[Item<'_>]) -> Vec<Option<usize>> {
    let GroupByExpr::Expressions(keys, _) = group_by else { return Vec::new() };
    keys.iter()
        .map(|key| match (position(key), key) {
            (Some(number), _) => number.checked_sub(1),
            (None, ast::Expr::Identifier(name)) => {
                items.iter().position(|item| item.named && same(&item.name, &name.value))
            }
            _ => None,
        })
        .collect()
}

fn items(projection: &[SelectItem], dialect: Dialect) -> Result<Vec<Item<'_>>, Refusal> {
    let mut anonymous = 0;
    projection
        .iter()
        .map(|item| match item {
            SelectItem::ExprWithAlias { expr, alias } => {
                Ok(Item { name: alias.value.clone(), named: true, expr })
            }
            SelectItem::UnnamedExpr(expr) => Ok(match implied_name(expr) {
                Some(name) => Item { name, named: true, expr },
                None if dialect == Dialect::Postgres => {
                    Item { name: postgres::implied_name(expr), named: false, expr }
                }
                None => {
                    anonymous += 1;
                    Item { name: format!("f{}_", anonymous - 1), named: false, expr }
                }
            }),
            SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..) => {
                Err(Refusal::new(RefusalKind::Wildcard, "restricted wildcard (*) in a result column"))
            }
            SelectItem::ExprWithAliases { .. } => Err(Refusal::unsupported("an item with several names")),
        })
        .collect()
}

/// The default name of a column: the last name of a path.
pub(super) fn implied_name(expr: &ast::Expr) -> Option<String> {
    match expr {
        ast::Expr::Identifier(name) => Some(name.value.clone()).filter(|name| !name.starts_with('@')),
        ast::Expr::CompoundIdentifier(names) => names.last().map(|name| name.value.clone()),
        ast::Expr::CompoundFieldAccess { access_chain, .. } => match access_chain.last()? {
            ast::AccessExpr::Dot(ast::Expr::Identifier(name)) => Some(name.value.clone()),
            _ => None,
        },
        ast::Expr::Nested(inner) => implied_name(inner),
        _ => None,
    }
}

fn is_distinct(select: &Select) -> Result<bool, Refusal> {
    match (&select.distinct, select.value_table_mode) {
        (None | Some(Distinct::All), Some(ValueTableMode::DistinctAsStruct)) => Ok(true),
        (None | Some(Distinct::All), _) => Ok(false),
        (Some(Distinct::Distinct), _) => Ok(true),
        // PostgreSQL's is written in another way before.
        (Some(Distinct::On(_)), _) => Err(Refusal::unsupported("DISTINCT ON")),
    }
}

/// Refuses columns of single rows outside of aggregates that are not grouping keys.
fn check_grouping<'e>(exprs: impl Iterator<Item = &'e Expr>) -> Result<(), Refusal> {
    match exprs.filter_map(|expr| expr.loose.as_ref()).next() {
        Some(column) => Err(Refusal::invalid(format!(
            "SELECT list expression references column {column} which is neither grouped nor aggregated"
        ))),
        None => Ok(()),
    }
}

fn named_windows(select: &Select) -> Result<Vec<(String, ast::WindowSpec)>, Refusal> {
    let named = select.named_window.iter().map(|definition| match &definition.1 {
        ast::NamedWindowExpr::WindowSpec(spec) => Ok((definition.0.value.clone(), spec.clone())),
        ast::NamedWindowExpr::NamedWindow(_) => Err(Refusal::unsupported("a window named after another")),
    });
    named.collect()
}

fn check_clauses(select: &Select) -> Result<(), Refusal> {
    let unknown = [
        (select.top.is_some(), "TOP"),
        (select.exclude.is_some(), "EXCLUDE"),
        (select.into.is_some(), "SELECT INTO"),
        (!select.lateral_views.is_empty(), "LATERAL VIEW"),
        (select.prewhere.is_some(), "PREWHERE"),
        (!select.connect_by.is_empty(), "CONNECT BY"),
        (!select.cluster_by.is_empty(), "CLUSTER BY"),
        (!select.distribute_by.is_empty(), "DISTRIBUTE BY"),
        (!select.sort_by.is_empty(), "SORT BY"),
        (select.select_modifiers.is_some(), "this modifier of SELECT"),
        (select.projection.is_empty(), "a SELECT without columns"),
    ];
    match unknown.iter().find(|(found, _)| *found) {
        Some((_, construct)) => Err(Refusal::unsupported(construct)),
        None => Ok(()),
    }
}
