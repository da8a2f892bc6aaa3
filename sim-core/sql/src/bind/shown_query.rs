//! Triggers and views as the catalog shows them.

use sqlparser::ast::{
    self, Distinct, GroupByExpr, JoinConstraint, JoinOperator, LimitClause, OrderByKind, SelectItem, SetExpr,
    TableFactor, TableWithJoins,
};

use super::{Binder, Scope};
use crate::catalog::{Relation, RelationKind, Trigger, quote_identifier, quote_literal};
use crate::error::SqlError;
use crate::pretty::pretty;
use crate::source::{self, Source};
use crate::tree::Node;
use crate::types::Type;

/// Events in the order in which a trigger shows them.
const EVENTS: [&str; 4] = ["INSERT", "DELETE", "UPDATE", "TRUNCATE"];

impl Binder<'_> {
    /// The statement that makes a trigger; `plain`: without what people do not need.
    pub(crate) fn trigger_text(&mut self, relation: &Relation, trigger: &Trigger, plain: bool) -> String {
        let events = EVENTS.iter().filter(|event| trigger.events.iter().any(|known| known == *event));
        let columns = trigger.columns.iter().map(|column| quote_identifier(column)).collect::<Vec<_>>();
        let events = events.map(|event| match *event {
            "UPDATE" if !columns.is_empty() => format!("UPDATE OF {}", columns.join(", ")),
            event => event.to_owned(),
        });
        let events = events.collect::<Vec<_>>().join(" OR ");
        let (kind, name) =
            (if trigger.constraint { "CONSTRAINT " } else { "" }, quote_identifier(&trigger.name));
        let table = self.table_text(relation, plain);
        let mut text = format!("CREATE {kind}TRIGGER {name} {} {events} ON {table} ", trigger.timing);
        if trigger.constraint {
            let of = trigger.refers_to.and_then(|oid| self.catalog.relation(oid));
            text.push_str(&of.map_or_else(String::new, |of| format!("FROM {} ", self.table_text(of, plain))));
            let (not, when) = (
                if trigger.deferrable { "" } else { "NOT " },
                if trigger.deferred { "DEFERRED" } else { "IMMEDIATE" },
            );
            text.push_str(&format!("{not}DEFERRABLE INITIALLY {when} "));
        }
        let tables = [("OLD", &trigger.old_table), ("NEW", &trigger.new_table)];
        let tables = tables.into_iter().filter_map(|(which, name)| Some((which, name.as_ref()?)));
        let tables: String =
            tables.map(|(which, name)| format!("{which} TABLE AS {} ", quote_identifier(name))).collect();
        if !tables.is_empty() {
            text.push_str(&format!("REFERENCING {tables}"));
        }
        text.push_str(if trigger.for_each_row { "FOR EACH ROW " } else { "FOR EACH STATEMENT " });
        if let Some(condition) = self.trigger_condition(relation, trigger) {
            let condition = if plain { pretty(&condition) } else { condition };
            text.push_str(&format!("WHEN ({condition}) "));
        }
        format!("{text}{}", self.trigger_action(trigger))
    }

    /// `EXECUTE FUNCTION f('a')`
    pub(crate) fn trigger_action(&self, trigger: &Trigger) -> String {
        let known = self.catalog.routines().find(|(oid, _)| *oid == trigger.function);
        let function = match known {
            Some((_, routine)) if self.function_path().contains(&routine.schema) => {
                quote_identifier(&routine.name)
            }
            Some((_, routine)) => {
                let schema = self.catalog.schema_name(routine.schema);
                format!("{}.{}", quote_identifier(schema), quote_identifier(&routine.name))
            }
            None => crate::plpgsql::builtin_trigger_name(trigger.function).unwrap_or_default().to_owned(),
        };
        let arguments = trigger.arguments.iter().map(|argument| quote_literal(argument));
        format!("EXECUTE FUNCTION {function}({})", arguments.collect::<Vec<_>>().join(", "))
    }

    /// The condition of a trigger, with all brackets.
    pub(crate) fn trigger_condition(&mut self, relation: &Relation, trigger: &Trigger) -> Option<String> {
        let condition = trigger.condition.as_ref()?;
        let shown = self.with_tables(condition, |binder| {
            let parsed = binder.source.expression()?;
            let mut scope = Scope::default();
            for alias in ["old", "new"] {
                let source = binder.new_source();
                let mut table = binder.table_of(relation, source, None)?;
                (table.alias, table.schema) = (alias.to_owned(), None);
                scope.tables.push(table);
            }
            Ok(binder.shown(&scope, &parsed, Type::BOOL))
        });
        Some(shown.unwrap_or_else(|| format!("({condition})")))
    }

    /// The query of a view; as it was written, if it has what this module cannot show.
    pub(crate) fn view_text(&mut self, view: &Relation, plain: bool) -> Option<String> {
        let definition = view.definition.as_ref()?;
        let names: Vec<String> = view.columns.iter().map(|column| column.name.clone()).collect();
        let path = self.search_path();
        let is_view = matches!(view.kind, RelationKind::View | RelationKind::MaterializedView);
        let shown = self.with_tables(definition, |binder| {
            let query = binder.source.query()?;
            Ok(Text { plain, path: &path }.query(binder, &query, &names))
        });
        let shown = shown.filter(|_| is_view && view.partition.is_none());
        Some(format!("{};", shown.unwrap_or_else(|| format!(" {definition}"))))
    }

    /// Binds a stored text whose columns are shown with their tables.
    fn with_tables(
        &mut self,
        text: &str,
        show: impl FnOnce(&mut Self) -> Result<Option<String>, SqlError>,
    ) -> Option<String> {
        let outer = std::mem::replace(&mut self.once.qualified, true);
        let shown = self.stored(text, show);
        self.once.qualified = outer;
        shown.ok().flatten()
    }

    fn table_text(&self, relation: &Relation, plain: bool) -> String {
        let name = quote_identifier(&relation.name);
        match plain && self.search_path().contains(&relation.schema) {
            true => name,
            false => format!("{}.{name}", quote_identifier(self.catalog.schema_name(relation.schema))),
        }
    }
}

/// How a query is shown.
struct Text<'p> {
    plain: bool,
    /// The schemas whose tables need no schema.
    path: &'p [crate::catalog::Oid],
}

impl Text<'_> {
    fn query(&self, binder: &mut Binder<'_>, query: &ast::Query, names: &[String]) -> Option<String> {
        if query.with.is_some() || query.fetch.is_some() || !query.locks.is_empty() {
            return None;
        }
        let SetExpr::Select(select) = &*query.body else {
            let plain = query.order_by.is_none() && query.limit_clause.is_none();
            return if plain { self.set(binder, &query.body, names) } else { None };
        };
        let (mut text, scope) = self.select(binder, select, names)?;
        if let Some(order) = &query.order_by {
            let OrderByKind::Expressions(keys) = &order.kind else { return None };
            let keys = keys.iter().map(|key| {
                let shown = self.key(binder, &scope, &key.expr, select, names)?;
                let (down, first) =
                    (matches!(key.options.sort, Some(ast::OrderBySort::Desc)), key.options.nulls_first);
                let nulls = match first.filter(|first| *first != down) {
                    Some(true) => " NULLS FIRST",
                    Some(false) => " NULLS LAST",
                    None => "",
                };
                Some(format!("{shown}{}{nulls}", if down { " DESC" } else { "" }))
            });
            text.push_str(&format!("\n  ORDER BY {}", keys.collect::<Option<Vec<_>>>()?.join(", ")));
        }
        match &query.limit_clause {
            None => {}
            Some(LimitClause::LimitOffset { limit, offset, limit_by }) if limit_by.is_empty() => {
                let offset = offset.as_ref().map(|offset| ("OFFSET", &offset.value));
                for (word, value) in offset.into_iter().chain(limit.as_ref().map(|limit| ("LIMIT", limit))) {
                    text.push_str(&format!("\n {word} {}", count(value)?));
                }
            }
            Some(_) => return None,
        }
        Some(text)
    }

    fn set(&self, binder: &mut Binder<'_>, body: &SetExpr, names: &[String]) -> Option<String> {
        match body {
            SetExpr::Select(select) => Some(self.select(binder, select, names)?.0),
            SetExpr::SetOperation { op, set_quantifier, left, right } => {
                if !matches!(**right, SetExpr::Select(_)) {
                    return None;
                }
                let (left, right) = (self.set(binder, left, names)?, self.set(binder, right, names)?);
                let all = match set_quantifier {
                    ast::SetQuantifier::All => " ALL",
                    ast::SetQuantifier::None => "",
                    _ => return None,
                };
                Some(format!("{left}\n{op}{all}\n{right}"))
            }
            _ => None,
        }
    }

    fn select(
        &self,
        binder: &mut Binder<'_>,
        select: &ast::Select,
        names: &[String],
    ) -> Option<(String, Scope<'static>)> {
        let only = select.into.is_none() && select.named_window.is_empty() && select.qualify.is_none();
        if !only || select.projection.len() != names.len() {
            return None;
        }
        let (_, scope) = binder.bind_from(&Scope::default(), &select.from).ok()?;
        let mut text = " SELECT ".to_owned();
        match &select.distinct {
            None => {}
            Some(Distinct::Distinct) => text.push_str("DISTINCT "),
            Some(Distinct::On(keys)) => {
                let keys = keys.iter().map(|key| self.key(binder, &scope, key, select, names));
                text.push_str(&format!("DISTINCT ON ({}) ", keys.collect::<Option<Vec<_>>>()?.join(", ")));
            }
            Some(_) => return None,
        }
        let targets = select.projection.iter().zip(names).map(|(item, name)| {
            let (SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = item else {
                return None;
            };
            let shown = self.expr(binder, &scope, expr, Type::TEXT)?;
            let own = match binder.expr(&scope, expr).ok()?.node {
                Node::Column { .. } => shown.rsplit('.').next().unwrap_or_default().to_owned(),
                _ => "\"?column?\"".to_owned(),
            };
            let name = quote_identifier(name);
            Some(if own == name { shown } else { format!("{shown} AS {name}") })
        });
        text.push_str(&targets.collect::<Option<Vec<_>>>()?.join(",\n    "));
        // A `CASE` begins on a line of its own.
        let mut text = text.replace(",\n    \n", ",\n").replace("SELECT \n", "SELECT\n");
        if !select.from.is_empty() {
            let tables = select.from.iter().map(|table| self.joined(binder, &scope, table));
            let tables = tables.collect::<Option<Vec<_>>>()?.join(",\n    ");
            text.push_str(&format!("\n   FROM {tables}"));
        }
        if let Some(condition) = &select.selection {
            text.push_str(&format!("\n  WHERE {}", self.expr(binder, &scope, condition, Type::BOOL)?));
        }
        match &select.group_by {
            GroupByExpr::Expressions(keys, more) if more.is_empty() => {
                let keys = keys.iter().map(|key| self.key(binder, &scope, key, select, names));
                let keys = keys.collect::<Option<Vec<_>>>()?.join(", ");
                if !keys.is_empty() {
                    text.push_str(&format!("\n  GROUP BY {keys}"));
                }
            }
            _ => return None,
        }
        if let Some(condition) = &select.having {
            text.push_str(&format!("\n HAVING {}", self.expr(binder, &scope, condition, Type::BOOL)?));
        }
        Some((text, scope))
    }

    fn expr(
        &self,
        binder: &mut Binder<'_>,
        scope: &Scope<'_>,
        expr: &ast::Expr,
        wanted: Type,
    ) -> Option<String> {
        let shown = binder.shown(scope, expr, wanted)?;
        Some(if self.plain { pretty(&shown) } else { shown })
    }

    /// A key of `GROUP BY`, `ORDER BY` or `DISTINCT ON`: a place or a name among the targets stands for the target.
    fn key(
        &self,
        binder: &mut Binder<'_>,
        scope: &Scope<'_>,
        key: &ast::Expr,
        select: &ast::Select,
        names: &[String],
    ) -> Option<String> {
        let at = match key {
            ast::Expr::Value(value) => value.to_string().parse::<usize>().ok()?.checked_sub(1),
            ast::Expr::Identifier(ident) => names.iter().position(|name| *name == source::name(ident)),
            _ => None,
        };
        let expr = match at.map(|at| select.projection.get(at)) {
            Some(Some(SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. })) => expr,
            Some(_) => return None,
            None => key,
        };
        let shown = self.expr(binder, scope, expr, Type::TEXT)?;
        let node = binder.expr(scope, expr).ok()?.node;
        let call = matches!(expr, ast::Expr::Function(_));
        Some(match matches!(node, Node::Column { .. }) || !(self.plain || call) {
            true => shown,
            false => format!("({shown})"),
        })
    }

    fn joined(&self, binder: &mut Binder<'_>, scope: &Scope<'_>, table: &TableWithJoins) -> Option<String> {
        let mut text = self.table(binder, &table.relation)?;
        for join in &table.joins {
            let (word, constraint) = match &join.join_operator {
                JoinOperator::Join(on) | JoinOperator::Inner(on) => ("JOIN", Some(on)),
                JoinOperator::Left(on) | JoinOperator::LeftOuter(on) => ("LEFT JOIN", Some(on)),
                JoinOperator::Right(on) | JoinOperator::RightOuter(on) => ("RIGHT JOIN", Some(on)),
                JoinOperator::FullOuter(on) => ("FULL JOIN", Some(on)),
                JoinOperator::CrossJoin(_) => ("CROSS JOIN", None),
                _ => return None,
            };
            let other = self.table(binder, &join.relation)?;
            let on = match constraint {
                None => String::new(),
                Some(JoinConstraint::On(condition)) => {
                    let shown = self.expr(binder, scope, condition, Type::BOOL)?;
                    if self.plain { format!(" ON {shown}") } else { format!(" ON ({shown})") }
                }
                Some(_) => return None,
            };
            text = match self.plain {
                true => format!("{text}\n     {word} {other}{on}"),
                false => format!("({text}\n     {word} {other}{on})"),
            };
        }
        Some(text)
    }

    fn table(&self, binder: &mut Binder<'_>, table: &TableFactor) -> Option<String> {
        if let TableFactor::Derived { lateral: false, subquery, alias: Some(alias), sample: None } = table
            && alias.columns.is_empty()
        {
            let columns = binder.subquery(&Scope::default(), subquery).ok()?.columns;
            let names: Vec<String> = columns.into_iter().map(|column| column.name).collect();
            let shown = self.query(binder, subquery, &names)?.replace('\n', "\n        ");
            return Some(format!("({shown}) {}", quote_identifier(&source::name(&alias.name))));
        }
        let TableFactor::Table { name, alias, args: None, sample: None, .. } = table else { return None };
        let relation = binder.find_relation(name).ok()?;
        let shown = quote_identifier(&relation.name);
        let shown = match self.path.contains(&relation.schema) {
            true => shown,
            false => format!("{}.{shown}", quote_identifier(binder.catalog.schema_name(relation.schema))),
        };
        let Some(alias) = alias else { return Some(shown) };
        if !alias.columns.is_empty() {
            return None;
        }
        let name = source::name(&alias.name);
        Some(if name == relation.name { shown } else { format!("{shown} {}", quote_identifier(&name)) })
    }
}

/// A number of rows.
fn count(value: &ast::Expr) -> Option<String> {
    let text = value.to_string();
    text.bytes().all(|byte| byte.is_ascii_digit()).then_some(text)
}

/// The texts of views and triggers where no statement is at hand that asks for them.
pub(crate) fn showing<T>(
    catalog: &crate::catalog::Catalog,
    settings: &super::Settings,
    show: impl FnOnce(&mut Binder<'_>) -> T,
) -> T {
    show(&mut Binder::new(catalog, std::rc::Rc::new(Source::stored("")), settings, &[]))
}
