//! `INSERT`, `UPDATE` and `DELETE` in bodies and rules, as the catalog shows them.

use sqlparser::ast::{
    self, AssignmentTarget, ConflictTarget, OnConflictAction, OnInsert, SelectItem, SetExpr,
};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::TokenWithSpan;

use super::query::{Names, Text, Texts, below, targets};
use crate::bind::{Binder, Scope, column_name};
use crate::catalog::{Relation, quote_identifier};
use crate::dml::{Overriding, without_overriding};
use crate::source;
use crate::tree::Node;
use crate::types::Type;

impl Binder<'_> {
    /// A statement of a body or a rule that changes rows; `None` if it has what this module cannot show. In `outer` are the
    /// parameters, or the rows of the rule. `visible`: whether others see the names of what it returns.
    pub(super) fn shown_change(
        &mut self,
        outer: &Scope<'_>,
        tokens: &[TokenWithSpan],
        (text, visible): (Text, bool),
    ) -> Option<String> {
        let stripped = without_overriding(&self.source, tokens);
        if stripped.conflict.is_some() || stripped.overriding != Overriding::Nothing {
            return None;
        }
        let statement = self.source.parse(&stripped.tokens, Parser::parse_statement).ok()?;
        let within = std::mem::replace(&mut self.once.qualified, true);
        self.once.texts = Texts::of(text.clone());
        let shown = text.change(self, outer, &statement, visible);
        self.once.texts = Texts::default();
        self.once.qualified = within;
        shown
    }
}

impl Text {
    /// A change of rows, by itself or in `WITH`.
    pub(super) fn change(
        &self,
        binder: &mut Binder<'_>,
        outer: &Scope<'_>,
        statement: &ast::Statement,
        visible: bool,
    ) -> Option<String> {
        let taken = binder.once.texts.taken.len();
        let shown = match statement {
            ast::Statement::Insert(insert) => self.insert(binder, outer, insert, visible),
            ast::Statement::Update(update) => self.update(binder, outer, update, visible),
            ast::Statement::Delete(delete) => self.delete(binder, outer, delete, visible),
            _ => None,
        };
        binder.once.texts.taken.truncate(taken);
        shown
    }

    fn insert(
        &self,
        binder: &mut Binder<'_>,
        outer: &Scope<'_>,
        insert: &ast::Insert,
        visible: bool,
    ) -> Option<String> {
        let ast::TableObject::TableName(object) = &insert.table else { return None };
        let relation = binder.find_relation(object).ok()?;
        let alias = insert.table_alias.as_ref().map(|alias| source::name(&alias.alias));
        let mut text = format!("INSERT INTO {}", self.table_name(binder, object)?);
        if let Some(alias) = &alias {
            text.push_str(&format!(" AS {}", quote_identifier(alias)));
        }
        let mut scope = self.scope_of(binder, outer, relation, alias)?;
        binder.once.texts.choose(&scope);
        match &insert.source {
            None => text.push_str(" DEFAULT VALUES"),
            Some(query) => text.push_str(&self.inserted(binder, outer, insert, (relation, query))?),
        }
        if let Some(on) = &insert.on {
            let OnInsert::OnConflict(conflict) = on else { return None };
            text.push_str(&self.conflict(binder, &scope, relation, conflict)?);
        }
        scope.tables.truncate(1);
        Some(format!("{text}{}", self.returning(binder, &scope, insert.returning.as_deref(), visible)?))
    }

    /// The list of columns, and the rows.
    fn inserted(
        &self,
        binder: &mut Binder<'_>,
        outer: &Scope<'_>,
        insert: &ast::Insert,
        (relation, query): (&Relation, &ast::Query),
    ) -> Option<String> {
        let names =
            insert.columns.iter().map(|column| source::schema_and_name(column).ok().map(|(_, name)| name));
        let named = names.collect::<Option<Vec<_>>>()?;
        let width = match &*query.body {
            SetExpr::Values(values) => items_of(outer, values.rows.first()?)?.len(),
            _ => binder.subquery(outer, query).ok()?.columns.len(),
        };
        let columns = match named.is_empty() {
            true => relation.columns.iter().take(width).collect(),
            false => named.iter().map(|name| relation.column(name)).collect::<Option<Vec<_>>>()?,
        };
        let list: Vec<String> = columns.iter().map(|column| quote_identifier(&column.name)).collect();
        let list = format!(" ({})", list.join(", "));
        let SetExpr::Values(values) = &*query.body else {
            let outputs = binder.subquery(outer, query).ok()?.columns.into_iter().map(|column| column.name);
            let names = Names { visible: false, ..Names::of(outputs.collect(), false) };
            return Some(format!("{list} {}", below(&self.query(binder, outer, query, &names)?)));
        };
        let mut rows = Vec::new();
        let separator = if values.rows.len() > 1 { "," } else { ", " };
        for row in &values.rows {
            let items = items_of(outer, row)?;
            let items = items.iter().zip(&columns).map(|(item, column)| {
                let type_ = binder.catalog.base_type(column.type_.base);
                self.assigned(binder, outer, item, type_)
            });
            rows.push(format!("({})", items.collect::<Option<Vec<_>>>()?.join(separator)));
        }
        Some(match &rows[..] {
            [only] => format!("{list}\n  VALUES {only}"),
            _ => format!("{list} VALUES {}", rows.join(", ")),
        })
    }

    /// A value for a column of a type.
    fn assigned(
        &self,
        binder: &mut Binder<'_>,
        scope: &Scope<'_>,
        value: &ast::Expr,
        type_: Type,
    ) -> Option<String> {
        match value {
            ast::Expr::Identifier(ident)
                if ident.quote_style.is_none() && ident.value.eq_ignore_ascii_case("default") =>
            {
                Some("DEFAULT".to_owned())
            }
            value => self.expr(binder, scope, value, type_),
        }
    }

    fn conflict(
        &self,
        binder: &mut Binder<'_>,
        scope: &Scope<'_>,
        relation: &Relation,
        conflict: &ast::OnConflict,
    ) -> Option<String> {
        let target = match &conflict.conflict_target {
            None => String::new(),
            Some(ConflictTarget::Columns(columns)) => {
                let names: Vec<String> =
                    columns.iter().map(|column| quote_identifier(&source::name(column))).collect();
                format!("({})", names.join(", "))
            }
            Some(ConflictTarget::OnConstraint(name)) => {
                format!(" ON CONSTRAINT {}", quote_identifier(&source::schema_and_name(name).ok()?.1))
            }
        };
        let OnConflictAction::DoUpdate(update) = &conflict.action else {
            return Some(format!(" ON CONFLICT{target} DO NOTHING"));
        };
        let source = binder.new_source();
        let mut excluded = binder.table_of(relation, source, None).ok()?;
        (excluded.alias, excluded.schema) = ("excluded".to_owned(), None);
        let mut tables = scope.tables.clone();
        tables.push(excluded);
        let scope =
            &Scope { parent: scope.parent, tables, visible: scope.visible.clone(), ..Scope::default() };
        let assignments = self.assignments(binder, scope, relation, &update.assignments)?;
        let condition = self.condition(binder, scope, update.selection.as_ref())?;
        Some(format!(" ON CONFLICT{target} DO UPDATE SET {assignments}{condition}"))
    }

    fn update(
        &self,
        binder: &mut Binder<'_>,
        outer: &Scope<'_>,
        update: &ast::Update,
        visible: bool,
    ) -> Option<String> {
        let others = match &update.from {
            None => &[][..],
            Some(ast::UpdateTableFromKind::AfterSet(others)) => &others[..],
            Some(ast::UpdateTableFromKind::BeforeSet(_)) => return None,
        };
        let (relation, scope, target, others) = self.sources(binder, outer, &update.table, others)?;
        let assignments = self.assignments(binder, &scope, relation, &update.assignments)?;
        let from = if others.is_empty() { others } else { format!("\n   FROM {others}") };
        let condition = self.condition(binder, &scope, update.selection.as_ref())?;
        let returning = self.returning(binder, &scope, update.returning.as_deref(), visible)?;
        Some(format!("UPDATE {target} SET {assignments}{from}{condition}{returning}"))
    }

    fn delete(
        &self,
        binder: &mut Binder<'_>,
        outer: &Scope<'_>,
        delete: &ast::Delete,
        visible: bool,
    ) -> Option<String> {
        let ast::FromTable::WithFromKeyword(from) = &delete.from else { return None };
        let [target] = &from[..] else { return None };
        let (_, scope, target, others) =
            self.sources(binder, outer, target, delete.using.as_deref().unwrap_or_default())?;
        let using = if others.is_empty() { others } else { format!("\n   USING {others}") };
        let condition = self.condition(binder, &scope, delete.selection.as_ref())?;
        let returning = self.returning(binder, &scope, delete.returning.as_deref(), visible)?;
        Some(format!("DELETE FROM {target}{using}{condition}{returning}"))
    }

    /// The relation whose rows are changed, the scope of it and of the other sources, and both as they are shown.
    fn sources<'c, 's>(
        &self,
        binder: &mut Binder<'c>,
        outer: &'s Scope<'s>,
        target: &ast::TableWithJoins,
        others: &[ast::TableWithJoins],
    ) -> Option<(&'c Relation, Scope<'s>, String, String)> {
        let ast::TableFactor::Table { name, .. } = &target.relation else { return None };
        let relation = binder.find_relation(name).ok()?;
        let all: Vec<ast::TableWithJoins> = std::iter::once(target).chain(others).cloned().collect();
        let (_, part) = binder.bind_from(outer, &all).ok()?;
        let scope =
            Scope { parent: Some(outer), tables: part.tables, visible: part.visible, ..Scope::default() };
        binder.once.texts.choose(&scope);
        let mut place = 0;
        let mut shown = all.iter().map(|table| self.joined(binder, &scope, table, &mut place));
        let target = shown.next()??;
        let others = shown.collect::<Option<Vec<_>>>()?.join(",\n    ");
        Some((relation, scope, target, others))
    }

    fn scope_of<'s>(
        &self,
        binder: &mut Binder<'_>,
        outer: &'s Scope<'s>,
        relation: &Relation,
        alias: Option<String>,
    ) -> Option<Scope<'s>> {
        let source = binder.new_source();
        let mut table = binder.table_of(relation, source, None).ok()?;
        table.alias = alias.unwrap_or(table.alias);
        let visible = table.visible();
        Some(Scope { parent: Some(outer), tables: vec![table], visible, ..Scope::default() })
    }

    fn assignments(
        &self,
        binder: &mut Binder<'_>,
        scope: &Scope<'_>,
        relation: &Relation,
        assignments: &[ast::Assignment],
    ) -> Option<String> {
        let mut pairs = Vec::new();
        for assignment in assignments {
            match (&assignment.target, &assignment.value) {
                (AssignmentTarget::ColumnName(column), value) => pairs.push((column, value)),
                (AssignmentTarget::Tuple(columns), ast::Expr::Tuple(values)) => {
                    pairs.extend(columns.iter().zip(values));
                }
                (AssignmentTarget::Tuple(columns), ast::Expr::Subquery(query)) if assignments.len() == 1 => {
                    let names = columns.iter().map(|column| source::schema_and_name(column).ok());
                    let names = names.map(|name| Some(quote_identifier(&name?.1)));
                    let names = names.collect::<Option<Vec<_>>>()?.join(", ");
                    return Some(format!("({names}) = {}", binder.shown_subquery(scope, query)?));
                }
                _ => return None,
            }
        }
        let shown = pairs.into_iter().map(|(column, value)| {
            let column = relation.column(&source::schema_and_name(column).ok()?.1)?;
            let type_ = binder.catalog.base_type(column.type_.base);
            let value = self.assigned(binder, scope, value, type_)?;
            Some(format!("{} = {value}", quote_identifier(&column.name)))
        });
        Some(shown.collect::<Option<Vec<_>>>()?.join(", "))
    }

    fn condition(
        &self,
        binder: &mut Binder<'_>,
        scope: &Scope<'_>,
        condition: Option<&ast::Expr>,
    ) -> Option<String> {
        let Some(condition) = condition else { return Some(String::new()) };
        Some(format!("\n  WHERE {}", self.expr(binder, scope, condition, Type::BOOL)?))
    }

    fn returning(
        &self,
        binder: &mut Binder<'_>,
        scope: &Scope<'_>,
        items: Option<&[SelectItem]>,
        visible: bool,
    ) -> Option<String> {
        let Some(items) = items else { return Some(String::new()) };
        let targets = targets(scope, items)?;
        let own_name = |expr: &ast::Expr| match expr {
            ast::Expr::CompoundIdentifier(parts) => parts.last().map_or_else(String::new, source::name),
            expr => column_name(expr),
        };
        // Where one is a `*`, all others are shown under their own names.
        let given = |place: usize| match items.get(place).filter(|_| items.len() == targets.len()) {
            Some(SelectItem::ExprWithAlias { alias, .. }) => Some(source::name(alias)),
            _ => None,
        };
        let shown = targets.iter().enumerate().map(|(place, expr)| {
            let shown = self.expr(binder, scope, expr, Type::TEXT)?;
            let name = quote_identifier(&given(place).unwrap_or_else(|| own_name(expr)));
            let own = match binder.expr(scope, expr).ok()?.node {
                Node::Column { .. } => shown.rsplit('.').next().unwrap_or_default().to_owned(),
                _ if visible => String::new(),
                _ => "\"?column?\"".to_owned(),
            };
            Some(if own == name { shown } else { format!("{shown} AS {name}") })
        });
        Some(format!("\n  RETURNING {}", shown.collect::<Option<Vec<_>>>()?.join(",\n    ")))
    }
}

/// The values of a row, with those that `new.*` stands for.
fn items_of(scope: &Scope<'_>, row: &[ast::Expr]) -> Option<Vec<ast::Expr>> {
    let mut items = Vec::new();
    for item in row {
        let ast::Expr::QualifiedWildcard(object, _) = item else {
            items.push(item.clone());
            continue;
        };
        let (schema, name) = source::schema_and_name(object).ok()?;
        let table = scope.table(schema.as_deref(), &name)?;
        let quoted = |name: &str| ast::Ident::with_quote('"', name);
        items.extend(
            table.columns.iter().filter(|column| !column.hidden).map(|column| {
                ast::Expr::CompoundIdentifier(vec![quoted(&table.alias), quoted(&column.name)])
            }),
        );
    }
    Some(items)
}
