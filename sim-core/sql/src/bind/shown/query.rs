//! Queries of views and policies as the catalog shows them.

use std::collections::BTreeMap;

use sqlparser::ast::{self, Distinct, GroupByExpr, LimitClause, OrderByKind, SelectItem, SetExpr};

use super::tables::listed;
use super::{plain as bare, settled};
use crate::bind::query::is_clause;
use crate::bind::scope::Table;
use crate::bind::{Binder, Scope};
use crate::catalog::{Oid, quote_identifier};
use crate::forms;
use crate::pretty::pretty;
use crate::source;
use crate::tree::Node;
use crate::types::Type;

/// How a query is shown.
#[derive(Clone, Debug)]
pub(super) struct Text {
    /// For people, with fewer brackets.
    pub(super) plain: bool,
    /// The schemas whose tables need no schema.
    pub(super) path: Vec<Oid>,
}

/// The state of showing the query of a view.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts {
    pub(super) how: Option<Text>,
    /// The names of the tables in the queries around the present one. A table within gets another name.
    pub(super) taken: Vec<String>,
    /// The names under which tables are shown, by their sources.
    shown: BTreeMap<usize, String>,
}

impl Texts {
    pub(super) fn of(how: Text) -> Texts {
        Texts { how: Some(how), ..Texts::default() }
    }

    /// The name of a table.
    pub(super) fn name<'n>(&'n self, table: &'n Table) -> &'n str {
        self.shown.get(&table.source).map_or(&table.alias, String::as_str)
    }

    /// Chooses names for the tables of a query.
    pub(super) fn choose(&mut self, scope: &Scope<'_>) {
        for table in &scope.tables {
            let numbered = (1..).map(|number| format!("{}_{number}", table.alias));
            let mut names = std::iter::once(table.alias.clone()).chain(numbered);
            let Some(name) = names.find(|name| !self.taken.contains(name)) else { continue };
            self.taken.push(name.clone());
            self.shown.insert(table.source, name);
        }
    }
}

/// The names of the columns of a query.
pub(super) struct Names {
    pub(super) names: Vec<String>,
    /// Whether all queries of a union get them, as those of a view do.
    pub(super) named: bool,
    /// Whether others see them, so that each is shown.
    pub(super) visible: bool,
    /// The types of the columns of a union, which its literals get; empty for a query that is none.
    pub(super) types: Vec<Type>,
}

impl Names {
    pub(super) fn of(names: Vec<String>, named: bool) -> Names {
        Names { names, named, visible: true, types: Vec::new() }
    }
}

/// Begins a line after a union, which is less indented than the lines of its queries.
pub(super) const OUT: char = '\u{2}';

/// A query with each line moved to the right, as a part of another one.
pub(super) fn below(query: &str) -> String {
    query.replace('\n', "\n        ").replace(&format!("        {OUT}"), "")
}

impl Text {
    pub(super) fn query(
        &self,
        binder: &mut Binder<'_>,
        outer: &Scope<'_>,
        query: &ast::Query,
        names: &Names,
    ) -> Option<String> {
        let (ctes, taken) = (binder.ctes.len(), binder.once.texts.taken.len());
        let windows = std::mem::take(&mut binder.windows);
        let shown = self.with_ctes(binder, outer, query, names);
        binder.windows = windows;
        binder.ctes.truncate(ctes);
        binder.once.texts.taken.truncate(taken);
        shown
    }

    fn with_ctes(
        &self,
        binder: &mut Binder<'_>,
        outer: &Scope<'_>,
        query: &ast::Query,
        names: &Names,
    ) -> Option<String> {
        if !query.locks.is_empty() {
            return None;
        }
        if let SetExpr::Select(select) = &*query.body
            && let Some(values) = forms::values_alone(select)
        {
            return self.query(binder, outer, values, names);
        }
        let known = binder.ctes.len();
        if let Some(with) = &query.with {
            binder.with(outer, with).ok()?;
        }
        let body = match &*query.body {
            SetExpr::Select(select) => self.select(binder, outer, select, names, query.order_by.as_ref())?,
            SetExpr::Insert(change) | SetExpr::Update(change) | SetExpr::Delete(change) => {
                format!(" {}", self.change(binder, outer, change, names.visible)?)
            }
            body => {
                let alone = ast::Query { with: None, ..query.clone() };
                let columns = binder.subquery(outer, &alone).ok()?.columns;
                let types = columns.into_iter().map(|column| column.type_.base).collect();
                let names = &Names { names: names.names.clone(), types, ..*names };
                let mut text = self.set(binder, outer, body, names)?;
                if let Some(order) = &query.order_by {
                    let keys = self.places(order, names)?;
                    text.push_str(&format!("\n{OUT}  ORDER BY {keys}"));
                }
                text
            }
        };
        let limits = match &*query.body {
            SetExpr::Select(_) => limits(query)?,
            _ => limits(query)?.replace('\n', &format!("\n{OUT}")),
        };
        let body = format!("{body}{limits}");
        let Some(with) = &query.with else { return Some(body) };
        let shown = self.ctes(binder, outer, with, known)?;
        Some(format!(" WITH {shown}\n{body}"))
    }

    /// The queries of `WITH`, which are the binder's from `known` on.
    fn ctes(
        &self,
        binder: &mut Binder<'_>,
        outer: &Scope<'_>,
        with: &ast::With,
        known: usize,
    ) -> Option<String> {
        let mut shown = Vec::new();
        for (place, cte) in with.cte_tables.iter().enumerate() {
            // A query with such a clause is shown as it was written.
            if is_clause(cte) {
                return None;
            }
            let (columns, visible) = match binder.ctes.get(known + place) {
                Some(known_cte) => (known_cte.columns.clone(), known + place + usize::from(with.recursive)),
                None => return None,
            };
            let later = binder.ctes.split_off(visible);
            let names = match cte.alias.columns.is_empty() {
                true => Some(columns.into_iter().map(|column| column.name).collect()),
                // The columns have other names outside.
                false => self.own_names(binder, outer, &cte.query.body),
            };
            let query =
                names.and_then(|names| self.query(binder, outer, &cte.query, &Names::of(names, false)));
            binder.ctes.truncate(visible);
            binder.ctes.extend(later);
            let query = query?;
            let name = quote_identifier(&source::name(&cte.alias.name));
            let columns = listed(&cte.alias.columns);
            let kind = match &cte.materialized {
                Some(ast::CteAsMaterialized::Materialized) => "MATERIALIZED ",
                Some(ast::CteAsMaterialized::NotMaterialized) => "NOT MATERIALIZED ",
                None => "",
            };
            shown.push(format!("{name}{columns} AS {kind}(\n        {}\n        )", below(&query)));
        }
        let recursive = if with.recursive { "RECURSIVE " } else { "" };
        Some(format!("{recursive}{}", shown.join(", ")))
    }

    /// The keys of an order over a union, which are places among its columns.
    fn places(&self, order: &ast::OrderBy, names: &Names) -> Option<String> {
        let OrderByKind::Expressions(keys) = &order.kind else { return None };
        let keys = keys.iter().map(|key| {
            let place = match &key.expr {
                ast::Expr::Identifier(ident) => {
                    names.names.iter().position(|name| *name == source::name(ident))? + 1
                }
                ast::Expr::Value(value) => value.to_string().parse().ok()?,
                _ => return None,
            };
            Some(format!("{place}{}", direction(key)))
        });
        Some(keys.collect::<Option<Vec<_>>>()?.join(", "))
    }

    fn set(
        &self,
        binder: &mut Binder<'_>,
        outer: &Scope<'_>,
        body: &SetExpr,
        names: &Names,
    ) -> Option<String> {
        match body {
            SetExpr::Select(select) => {
                let taken = binder.once.texts.taken.len();
                let shown = match names.named {
                    true => self.select(binder, outer, select, names, None),
                    false => {
                        let own = self.own_names(binder, outer, body)?;
                        let names = Names { names: own, types: names.types.clone(), ..*names };
                        self.select(binder, outer, select, &names, None)
                    }
                };
                binder.once.texts.taken.truncate(taken);
                shown
            }
            SetExpr::Values(values) => self.values(binder, outer, values),
            SetExpr::Query(query) if is_bare(query) => self.set(binder, outer, &query.body, names),
            SetExpr::Query(query) => Some(format!("({})", self.query(binder, outer, query, names)?)),
            SetExpr::SetOperation { op, set_quantifier, left, right } => {
                let all = match set_quantifier {
                    ast::SetQuantifier::All => " ALL",
                    ast::SetQuantifier::None => "",
                    _ => return None,
                };
                let (left, right) = (inside(left), inside(right));
                let is_other = matches!(left, SetExpr::SetOperation { op: known, set_quantifier: quantity, .. }
                    if (known, quantity) != (op, set_quantifier));
                let mut text = self.set(binder, outer, left, names)?;
                if is_other {
                    text = format!("(\n        {}\n) ", below(&text));
                } else {
                    text.push('\n');
                }
                let types = names.types.clone();
                let names = Names { names: names.names.clone(), visible: false, types, ..*names };
                let right_text = self.set(binder, outer, right, &names)?;
                Some(match right {
                    SetExpr::SetOperation { .. } => {
                        format!("{text}{op}{all} (\n        {}\n)", below(&right_text))
                    }
                    _ => format!("{text}{op}{all}\n{right_text}"),
                })
            }
            _ => None,
        }
    }

    /// The names that the columns of a query have by themselves.
    fn own_names(&self, binder: &mut Binder<'_>, outer: &Scope<'_>, body: &SetExpr) -> Option<Vec<String>> {
        let first = match inside(body) {
            SetExpr::SetOperation { left, .. } => return self.own_names(binder, outer, left),
            SetExpr::Query(query) => return self.own_names(binder, outer, &query.body),
            other => other,
        };
        let query = ast::Query {
            with: None,
            body: Box::new(first.clone()),
            order_by: None,
            limit_clause: None,
            fetch: None,
            locks: Vec::new(),
            for_clause: None,
            settings: None,
            format_clause: None,
            pipe_operators: Vec::new(),
        };
        let columns = binder.subquery(outer, &query).ok()?.columns;
        Some(columns.into_iter().map(|column| column.name).collect())
    }

    /// ` VALUES (1,'a'::text), (2,'b'::text)`
    fn values(&self, binder: &mut Binder<'_>, outer: &Scope<'_>, values: &ast::Values) -> Option<String> {
        let mut types = Vec::new();
        for place in 0..values.rows.first()?.len() {
            let column: Option<Vec<_>> =
                values.rows.iter().map(|row| binder.expr(outer, row.get(place)?).ok()).collect();
            types.push(binder.unify(column?, "VALUES").ok()?.1);
        }
        let mut rows = Vec::new();
        for row in &values.rows {
            let items = row.iter().zip(&types).map(|(item, type_)| {
                let type_ = if *type_ == Type::UNKNOWN { Type::TEXT } else { *type_ };
                binder.shown_as(outer, item, type_)
            });
            rows.push(format!("({})", items.collect::<Option<Vec<_>>>()?.join(",")));
        }
        Some(format!(" VALUES {}", rows.join(", ")))
    }

    fn select(
        &self,
        binder: &mut Binder<'_>,
        outer: &Scope<'_>,
        select: &ast::Select,
        names: &Names,
        order: Option<&ast::OrderBy>,
    ) -> Option<String> {
        if select.into.is_some() || select.qualify.is_some() {
            return None;
        }
        let (_, part) = binder.bind_from(outer, &select.from).ok()?;
        let scope =
            &Scope { parent: Some(outer), tables: part.tables, visible: part.visible, ..Scope::default() };
        binder.once.texts.choose(scope);
        let mut windows = Vec::new();
        for definition in &select.named_window {
            let ast::NamedWindowExpr::WindowSpec(spec) = &definition.1 else { return None };
            windows.push((source::name(&definition.0), spec.clone()));
        }
        binder.windows.clone_from(&windows);
        let targets = targets(scope, &select.projection)?;
        if targets.len() != names.names.len() {
            return None;
        }
        let list = (&targets[..], &names.names[..]);
        let mut text = " SELECT ".to_owned();
        match &select.distinct {
            None => {}
            Some(Distinct::Distinct) => text.push_str("DISTINCT "),
            Some(Distinct::On(keys)) => {
                let keys = keys.iter().map(|key| self.key(binder, scope, key, list));
                text.push_str(&format!("DISTINCT ON ({}) ", keys.collect::<Option<Vec<_>>>()?.join(", ")));
            }
            Some(_) => return None,
        }
        let types = names.types.iter().copied().chain(std::iter::repeat(Type::TEXT));
        let shown = targets.iter().zip(&names.names).zip(types).map(|((expr, name), type_)| {
            let row = binder.shown_row_target(scope, expr);
            let is_row = row.is_some();
            let shown = match row {
                Some(row) => row,
                None => self.expr(binder, scope, expr, type_)?,
            };
            let is_name = matches!(expr, ast::Expr::Identifier(_) | ast::Expr::CompoundIdentifier(_));
            let own = match binder.expr(scope, expr).ok()?.node {
                Node::Column { .. } => shown.rsplit('.').next().unwrap_or_default().to_owned(),
                _ if is_row => String::new(),
                _ if is_name => shown.rsplit('.').next().unwrap_or_default().to_owned(),
                _ if names.visible => String::new(),
                _ => "\"?column?\"".to_owned(),
            };
            let name = quote_identifier(name);
            Some(if own == name { shown } else { format!("{shown} AS {name}") })
        });
        text.push_str(&shown.collect::<Option<Vec<_>>>()?.join(",\n    "));
        // A `CASE` begins on a line of its own.
        let mut text = text.replace(",\n    \n", ",\n");
        if targets.is_empty() {
            text.truncate(text.trim_end().len());
        }
        if !select.from.is_empty() {
            let mut place = 0;
            let tables = select.from.iter().map(|table| self.joined(binder, scope, table, &mut place));
            let tables = tables.collect::<Option<Vec<_>>>()?.join(",\n    ");
            text.push_str(&format!("\n   FROM {tables}"));
        }
        if let Some(condition) = &select.selection {
            text.push_str(&format!("\n  WHERE {}", self.expr(binder, scope, condition, Type::BOOL)?));
        }
        match &select.group_by {
            GroupByExpr::Expressions(keys, more) if more.is_empty() => {
                let keys = distinct(binder, scope, keys);
                let keys = keys.into_iter().map(|key| self.group(binder, scope, key, list));
                let keys = keys.collect::<Option<Vec<_>>>()?.join(", ");
                if !keys.is_empty() {
                    text.push_str(&format!("\n  GROUP BY {keys}"));
                }
            }
            _ => return None,
        }
        if let Some(condition) = &select.having {
            text.push_str(&format!("\n HAVING {}", self.expr(binder, scope, condition, Type::BOOL)?));
        }
        if !windows.is_empty() {
            let shown = windows.iter().map(|(name, spec)| {
                Some(format!("{} AS ({})", quote_identifier(name), binder.shown_window(scope, spec)?))
            });
            text.push_str(&format!("\n  WINDOW {}", shown.collect::<Option<Vec<_>>>()?.join(", ")));
        }
        if let Some(order) = order {
            let OrderByKind::Expressions(keys) = &order.kind else { return None };
            let keys = keys
                .iter()
                .map(|key| Some(format!("{}{}", self.key(binder, scope, &key.expr, list)?, direction(key))));
            text.push_str(&format!("\n  ORDER BY {}", keys.collect::<Option<Vec<_>>>()?.join(", ")));
        }
        Some(settled(text))
    }

    pub(super) fn expr(
        &self,
        binder: &mut Binder<'_>,
        scope: &Scope<'_>,
        expr: &ast::Expr,
        wanted: Type,
    ) -> Option<String> {
        let shown = binder.shown(scope, expr, wanted)?;
        Some(if self.plain { pretty(&shown) } else { shown })
    }

    /// An item of `GROUP BY`.
    fn group(
        &self,
        binder: &mut Binder<'_>,
        scope: &Scope<'_>,
        item: &ast::Expr,
        list: (&[ast::Expr], &[String]),
    ) -> Option<String> {
        let (word, sets, always) = match item {
            ast::Expr::Rollup(sets) => ("ROLLUP", sets, false),
            ast::Expr::Cube(sets) => ("CUBE", sets, false),
            ast::Expr::GroupingSets(sets) => ("GROUPING SETS ", sets, true),
            key => return self.key(binder, scope, key, list),
        };
        let sets = sets.iter().map(|set| {
            let keys = set.iter().map(|key| self.key(binder, scope, key, list));
            let keys = keys.collect::<Option<Vec<_>>>()?.join(", ");
            Some(if always || set.len() != 1 { format!("({keys})") } else { keys })
        });
        Some(format!("{word}({})", sets.collect::<Option<Vec<_>>>()?.join(", ")))
    }

    /// A key of `GROUP BY`, `ORDER BY` or `DISTINCT ON`: a place or a name among the targets stands for the target.
    fn key(
        &self,
        binder: &mut Binder<'_>,
        scope: &Scope<'_>,
        key: &ast::Expr,
        (targets, names): (&[ast::Expr], &[String]),
    ) -> Option<String> {
        let at = match key {
            ast::Expr::Value(value) => value.to_string().parse::<usize>().ok()?.checked_sub(1),
            ast::Expr::Identifier(ident) => names.iter().position(|name| *name == source::name(ident)),
            _ => None,
        };
        let expr = match at {
            Some(at) => targets.get(at)?,
            None => key,
        };
        let shown = self.expr(binder, scope, expr, Type::TEXT)?;
        let node = binder.expr(scope, expr).ok()?.node;
        let is_name = matches!(bare(expr), ast::Expr::Identifier(_) | ast::Expr::CompoundIdentifier(_));
        let call = binder.is_call(scope, expr);
        Some(match is_name || matches!(node, Node::Column { .. }) || !(self.plain || call) {
            true => shown,
            false => format!("({shown})"),
        })
    }
}

/// The targets of a query, with the columns that `*` stands for.
pub(super) fn targets(scope: &Scope<'_>, items: &[SelectItem]) -> Option<Vec<ast::Expr>> {
    let quoted = |name: &str| ast::Ident::with_quote('"', name);
    let mut targets = Vec::new();
    for item in items {
        match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
                targets.push(expr.clone());
            }
            SelectItem::Wildcard(_) => {
                for visible in scope.visible.iter().filter(|visible| !visible.hidden) {
                    let table = scope.tables.iter().find_map(|table| {
                        let column =
                            table.columns.iter().find(|column| table.column(column) == visible.expr)?;
                        Some((table, column))
                    });
                    targets.push(match table {
                        Some((table, column)) => {
                            ast::Expr::CompoundIdentifier(vec![quoted(&table.alias), quoted(&column.name)])
                        }
                        None => ast::Expr::Identifier(quoted(&visible.name)),
                    });
                }
            }
            SelectItem::QualifiedWildcard(ast::SelectItemQualifiedWildcardKind::ObjectName(object), _) => {
                let (schema, name) = source::schema_and_name(object).ok()?;
                let table = scope.table(schema.as_deref(), &name)?;
                let columns = table.columns.iter().filter(|column| !column.hidden);
                targets.extend(columns.map(|column| {
                    ast::Expr::CompoundIdentifier(vec![quoted(&table.alias), quoted(&column.name)])
                }));
            }
            _ => return None,
        }
    }
    Some(targets)
}

/// A query in brackets that have no effect on it.
fn is_bare(query: &ast::Query) -> bool {
    query.with.is_none()
        && query.order_by.is_none()
        && query.limit_clause.is_none()
        && query.fetch.is_none()
        && query.locks.is_empty()
}

/// The body within such brackets.
fn inside(body: &SetExpr) -> &SetExpr {
    match body {
        SetExpr::Query(query) if is_bare(query) => inside(&query.body),
        body => body,
    }
}

/// ` DESC NULLS LAST`, unless it is the default.
pub(super) fn direction(key: &ast::OrderByExpr) -> String {
    let down = matches!(key.options.sort, Some(ast::OrderBySort::Desc));
    let nulls = match key.options.nulls_first.filter(|first| *first != down) {
        Some(true) => " NULLS FIRST",
        Some(false) => " NULLS LAST",
        None => "",
    };
    format!("{}{nulls}", if down { " DESC" } else { "" })
}

/// `OFFSET` and `LIMIT`.
fn limits(query: &ast::Query) -> Option<String> {
    let (mut limit, mut skipped) = (None, None);
    match &query.limit_clause {
        None => {}
        Some(LimitClause::LimitOffset { limit: given, offset, limit_by }) if limit_by.is_empty() => {
            (limit, skipped) = (given.as_ref(), offset.as_ref().map(|offset| &offset.value));
        }
        Some(_) => return None,
    }
    let mut text = String::new();
    if let Some(value) = skipped {
        text.push_str(&format!("\n OFFSET {}", count(value)?));
    }
    if let Some(value) = limit {
        text.push_str(&format!("\n LIMIT {}", count(value)?));
    }
    if let Some(fetch) = &query.fetch {
        let value = fetch.quantity.as_ref().map_or_else(|| Some("1".to_owned()), count)?;
        text.push_str(&match fetch.with_ties {
            true => format!("\n FETCH FIRST ({value}) ROWS WITH TIES"),
            false => format!("\n LIMIT {value}"),
        });
    }
    Some(text)
}

/// A number of rows.
fn count(value: &ast::Expr) -> Option<String> {
    let text = value.to_string();
    text.bytes().all(|byte| byte.is_ascii_digit()).then_some(text)
}

/// The keys without those that come again, as `date(x)` does after `x::date`.
fn distinct<'a>(binder: &mut Binder<'_>, scope: &Scope<'_>, keys: &'a [ast::Expr]) -> Vec<&'a ast::Expr> {
    let mut bound = Vec::new();
    let is_new = |key: &&ast::Expr| {
        let key = binder.expr(scope, key).ok();
        let is_new = key.is_none() || !bound.contains(&key);
        bound.push(key);
        is_new
    };
    keys.iter().filter(is_new).collect()
}
