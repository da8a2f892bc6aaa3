//! Where a text names columns of relations: what it needs, and what has to change in it when these get other names.

use std::collections::{BTreeMap, BTreeSet};

use sqlparser::ast::{self, AccessExpr, Ident, Spanned as _, TableAlias};
use sqlparser::tokenizer::Span;

use super::{Binder, Scope};
use crate::catalog::{Oid, TypeDefinition};
use crate::source::{Source, name};
use crate::tree::{Expr, Field, Node};
use crate::types::Type;

/// A column of a relation.
pub(crate) type ColumnOf = (Oid, u32);

/// The names in a text, by their places.
#[derive(Debug, Default)]
pub(crate) struct Named {
    pub(crate) columns: BTreeMap<usize, NamedColumn>,
    pub(crate) tables: BTreeMap<usize, NamedTable>,
    pub(crate) stars: BTreeMap<usize, Star>,
    /// The columns that give a result its name, and where the expression of the result begins.
    pub(crate) titles: BTreeMap<usize, usize>,
    /// The places of the relations in `FROM`, by their sources.
    places: BTreeMap<usize, usize>,
}

#[derive(Debug)]
pub(crate) struct NamedColumn {
    pub(crate) end: usize,
    pub(crate) column: ColumnOf,
    /// The place of its relation in `FROM`.
    pub(crate) table: Option<usize>,
    /// The name of its relation here, if the text does not say it.
    pub(crate) unsaid: Option<String>,
}

/// A relation in `FROM`.
#[derive(Debug)]
pub(crate) struct NamedTable {
    /// The end of its name, or of its alias.
    pub(crate) end: usize,
    pub(crate) relation: Oid,
    pub(crate) aliased: bool,
    /// Whether its columns have names of their own here.
    pub(crate) listed: bool,
    /// Those of its columns that `USING` names.
    pub(crate) merged: BTreeSet<u32>,
    /// Whether the names of its columns decide what it is joined by.
    pub(crate) natural: bool,
}

/// A `*`.
#[derive(Debug)]
pub(crate) struct Star {
    pub(crate) end: usize,
    pub(crate) columns: Vec<ColumnOf>,
    /// The columns that it stands for.
    pub(crate) written: String,
}

impl Named {
    /// Whether the text needs a column.
    pub(crate) fn needs(&self, column: ColumnOf) -> bool {
        let (relation, number) = column;
        self.columns.values().any(|known| known.column == column)
            || self.stars.values().any(|star| star.columns.contains(&column))
            || self.tables.values().any(|table| table.relation == relation && table.merged.contains(&number))
    }

    /// Whether the text reads a relation.
    pub(crate) fn reads(&self, relation: Oid) -> bool {
        self.tables.values().any(|table| table.relation == relation)
    }

    /// What its names mean, in their order.
    pub(crate) fn meanings(&self) -> Vec<(ColumnOf, Option<usize>)> {
        let place = |table: usize| self.tables.keys().position(|known| *known == table);
        self.columns.values().map(|named| (named.column, named.table.and_then(place))).collect()
    }
}

impl Binder<'_> {
    /// Binds a text with `bind`, and returns the names in it.
    pub(crate) fn names_of<T>(
        &mut self,
        bind: impl FnOnce(&mut Self) -> crate::error::Result<T>,
    ) -> crate::error::Result<Named> {
        self.named = Some(Named::default());
        self.runs_nothing();
        let bound = bind(self);
        let named = self.named.take().unwrap_or_default();
        bound.map(|_| named)
    }

    /// Lets definitions be bound that nobody runs now: policies are not in force, and functions need not work.
    pub(crate) fn runs_nothing(&mut self) {
        self.only_names = true;
    }

    /// Gives the names of a function's arguments their meaning.
    pub(crate) fn know_arguments(&mut self, arguments: Vec<(Option<String>, Expr)>) {
        self.arguments = Some(arguments);
    }

    /// The column of a relation that an expression is, the place of the relation, and its name here.
    fn relation_column(&self, scope: &Scope<'_>, expr: &Expr) -> Option<(ColumnOf, Option<usize>, String)> {
        let Node::Column { source, field: Field::Column(number) } = expr.node else { return None };
        let mut around = std::iter::successors(Some(scope), |scope| scope.parent);
        let table = around.find_map(|scope| scope.tables.iter().find(|table| table.source == source))?;
        let place = self.named.as_ref()?.places.get(&source).copied();
        Some(((table.relation?, number), place, table.alias.clone()))
    }

    /// Notes that a name is that of a column.
    pub(super) fn note_column(&mut self, scope: &Scope<'_>, found: &Expr, ident: &Ident, qualified: bool) {
        if self.named.is_none() {
            return;
        }
        let Some((column, table, alias)) = self.relation_column(scope, found) else { return };
        let unsaid = Some(alias).filter(|alias| !qualified && !alias.is_empty());
        self.note(ident, column, table, unsaid);
    }

    /// Notes that a field of a row is named, which is a column of the row's relation.
    pub(super) fn note_field(&mut self, row: Type, ident: &Ident) {
        if self.named.is_none() {
            return;
        }
        let Some(known) = self.catalog.user_type(row) else { return };
        let TypeDefinition::Row { relation } = &known.definition else { return };
        let relation = self.catalog.relation(*relation);
        let column =
            relation.and_then(|relation| Some((relation.oid, relation.column(&name(ident))?.number)));
        if let Some(column) = column {
            self.note(ident, column, None, None);
        }
    }

    /// Notes that a statement names a column of the relation that it changes.
    fn note_target(&mut self, relation: Oid, ident: &Ident) {
        let column = self.catalog.relation(relation).and_then(|relation| relation.column(&name(ident)));
        if let Some(number) = column.map(|column| column.number) {
            self.note(ident, (relation, number), None, None);
        }
    }

    fn note(&mut self, ident: &Ident, column: ColumnOf, table: Option<usize>, unsaid: Option<String>) {
        let Some((start, end)) = range_of(&self.source, ident.span) else { return };
        let written = self.source.text.get(start..end).unwrap_or_default();
        if !written.trim_matches('"').eq_ignore_ascii_case(&ident.value.replace('"', "\"\"")) {
            return;
        }
        if let Some(named) = &mut self.named {
            named.columns.insert(start, NamedColumn { end, column, table, unsaid });
        }
    }

    /// Notes a relation in `FROM`.
    pub(super) fn note_table(
        &mut self,
        scope: &Scope<'_>,
        object: &ast::ObjectName,
        alias: Option<&TableAlias>,
    ) {
        let (Some(named), [table]) = (&mut self.named, &scope.tables[..]) else { return };
        let (Some(relation), Some((place, end))) = (table.relation, range_of(&self.source, object.span()))
        else {
            return;
        };
        let alias_end = alias.and_then(|alias| Some(range_of(&self.source, alias.name.span)?.1));
        named.places.insert(table.source, place);
        let known = named.tables.entry(place).or_insert(NamedTable {
            end,
            relation,
            aliased: alias.is_some(),
            listed: alias.is_some_and(|alias| !alias.columns.is_empty()),
            merged: BTreeSet::new(),
            natural: false,
        });
        known.end = alias_end.unwrap_or(end);
    }

    /// Notes that a column of each side of a join is named by `USING`, or has the name that a natural join looks for.
    pub(super) fn note_merged(&mut self, scope: &Scope<'_>, expr: &Expr) {
        if self.named.is_none() {
            return;
        }
        let found = self.relation_column(scope, expr);
        if let (Some(((_, number), Some(place), _)), Some(named)) = (found, &mut self.named)
            && let Some(table) = named.tables.get_mut(&place)
        {
            table.merged.insert(number);
        }
    }

    pub(super) fn note_natural(&mut self, scope: &Scope<'_>) {
        let Some(named) = &mut self.named else { return };
        for table in &scope.tables {
            let place = named.places.get(&table.source);
            if let Some(table) = place.and_then(|place| named.tables.get_mut(place)) {
                table.natural = true;
            }
        }
    }

    /// Notes which column gives a result its name.
    pub(super) fn note_title(&mut self, expr: &ast::Expr) {
        let Some(named) = &mut self.named else { return };
        let place = |span: Span| Some(range_of(&self.source, span)?.0);
        let (ident, first) = (naming(expr).and_then(|ident| place(ident.span)), place(expr.span()));
        if let (Some(ident), Some(first)) = (ident, first) {
            named.titles.insert(ident, first.min(ident));
        }
    }

    /// Notes the columns that a `*` stands for.
    pub(super) fn note_star<'e>(
        &mut self,
        scope: &Scope<'_>,
        span: Span,
        columns: impl Iterator<Item = &'e Expr>,
        written: &[String],
    ) {
        if self.named.is_none() {
            return;
        }
        let columns = columns.filter_map(|expr| Some(self.relation_column(scope, expr)?.0)).collect();
        let Some((start, end)) = range_of(&self.source, span) else { return };
        if !self.source.text.get(start..end).is_some_and(|text| text.ends_with('*')) {
            return;
        }
        let star = Star { end, columns, written: written.join(", ") };
        if let Some(named) = &mut self.named {
            named.stars.insert(start, star);
        }
    }

    /// Binds the parts of a statement in which names are those of columns.
    pub(crate) fn bind_names(
        &mut self,
        outer: &Scope<'_>,
        statement: &ast::Statement,
    ) -> crate::error::Result<()> {
        match statement {
            ast::Statement::Query(query) => self.query(outer, query).map(drop),
            ast::Statement::Insert(insert) => self.bind_names_of_insert(outer, insert),
            ast::Statement::Update(update) => {
                let mut tables = vec![update.table.clone()];
                if let Some(
                    ast::UpdateTableFromKind::BeforeSet(more) | ast::UpdateTableFromKind::AfterSet(more),
                ) = &update.from
                {
                    tables.extend(more.iter().cloned());
                }
                let (_, mut scope) = self.bind_from(outer, &tables)?;
                scope.parent = Some(outer);
                self.bind_assignments(&scope, &update.assignments)?;
                self.bind_condition_and_results(
                    &scope,
                    update.selection.as_ref(),
                    update.returning.as_deref(),
                )
            }
            ast::Statement::Delete(delete) => {
                let (ast::FromTable::WithFromKeyword(of) | ast::FromTable::WithoutKeyword(of)) = &delete.from;
                let tables: Vec<_> = of.iter().chain(delete.using.iter().flatten()).cloned().collect();
                let (_, mut scope) = self.bind_from(outer, &tables)?;
                scope.parent = Some(outer);
                self.bind_condition_and_results(
                    &scope,
                    delete.selection.as_ref(),
                    delete.returning.as_deref(),
                )
            }
            _ => Err(crate::error::SqlError::unsupported("a statement of this kind in a definition")),
        }
    }

    fn bind_names_of_insert(&mut self, outer: &Scope<'_>, insert: &ast::Insert) -> crate::error::Result<()> {
        let refusal = || crate::error::SqlError::unsupported("a statement of this kind in a definition");
        let ast::TableObject::TableName(object) = &insert.table else { return Err(refusal()) };
        let relation = self.find_relation(object)?;
        for column in &insert.columns {
            let ident = crate::source::parts(column).last().copied().cloned().ok_or_else(refusal)?;
            self.note_target(relation.oid, &ident);
        }
        if let Some(query) = &insert.source {
            self.query(outer, query)?;
        }
        let mut row = self.row_of(relation)?;
        if let Some(alias) = &insert.table_alias {
            row.alias = name(&alias.alias);
        }
        let mut scope = Scope { parent: Some(outer), ..Scope::of(row.clone()) };
        if let Some(ast::OnInsert::OnConflict(conflict)) = &insert.on {
            match &conflict.conflict_target {
                Some(ast::ConflictTarget::Columns(columns)) => {
                    columns.iter().for_each(|column| self.note_target(relation.oid, column));
                }
                Some(_) => return Err(refusal()),
                None => {}
            }
            if let ast::OnConflictAction::DoUpdate(update) = &conflict.action {
                let alias = "excluded".to_owned();
                let excluded = super::scope::Table { alias, schema: None, ..self.row_of(relation)? };
                scope.tables.push(excluded);
                self.bind_assignments(&scope, &update.assignments)?;
                self.bind_condition_and_results(&scope, update.selection.as_ref(), None)?;
                scope.tables.pop();
            }
        }
        self.bind_condition_and_results(&scope, None, insert.returning.as_deref())
    }

    /// Binds `SET …` of the first table of a scope.
    fn bind_assignments(
        &mut self,
        scope: &Scope<'_>,
        assignments: &[ast::Assignment],
    ) -> crate::error::Result<()> {
        let relation = scope.tables.first().and_then(|table| table.relation).unwrap_or_default();
        for assignment in assignments {
            let targets = match &assignment.target {
                ast::AssignmentTarget::ColumnName(target) => std::slice::from_ref(target),
                ast::AssignmentTarget::Tuple(targets) => targets,
            };
            for target in targets {
                if let Some(ident) = crate::source::parts(target).first().copied().cloned() {
                    self.note_target(relation, &ident);
                }
            }
            match (&assignment.value, targets) {
                (ast::Expr::Identifier(ident), _) if name(ident) == "default" => {}
                (ast::Expr::Subquery(query), [_, _, ..]) => drop(self.subquery(scope, query)?),
                (ast::Expr::Tuple(items), _) => {
                    items.iter().try_for_each(|item| self.expr(scope, item).map(drop))?;
                }
                (value, _) => drop(self.expr(scope, value)?),
            }
        }
        Ok(())
    }

    fn bind_condition_and_results(
        &mut self,
        scope: &Scope<'_>,
        condition: Option<&ast::Expr>,
        results: Option<&[ast::SelectItem]>,
    ) -> crate::error::Result<()> {
        if let Some(condition) = condition {
            self.expr(scope, condition)?;
        }
        results.map_or(Ok(()), |results| self.targets(scope, results).map(drop))
    }
}

/// The bytes of the text between two of the parser's locations.
fn range_of(source: &Source, span: Span) -> Option<(usize, usize)> {
    source.offset(span.start).zip(source.offset(span.end))
}

/// The name in an expression that is also that of its result.
fn naming(expr: &ast::Expr) -> Option<&Ident> {
    match expr {
        ast::Expr::Identifier(ident) => Some(ident),
        ast::Expr::CompoundIdentifier(idents) => idents.last(),
        ast::Expr::Nested(inner)
        | ast::Expr::Collate { expr: inner, .. }
        | ast::Expr::Cast { expr: inner, .. }
        | ast::Expr::Case { else_result: Some(inner), .. } => naming(inner),
        ast::Expr::CompoundFieldAccess { root, access_chain } => {
            let field = access_chain.iter().rev().find_map(|access| match access {
                AccessExpr::Dot(ast::Expr::Identifier(field)) => Some(field),
                _ => None,
            });
            field.or_else(|| naming(root))
        }
        _ => None,
    }
}
