//! The columns of a select list, and those that wildcards stand for.

use std::collections::BTreeMap;

use sqlparser::ast::{
    Expr, Query, Select, SelectItem, SelectItemQualifiedWildcardKind, SetExpr, TableFactor,
    WildcardAdditionalOptions,
};

use super::applied::{chosen, is_columns};
use super::from::{columns_of_alias, columns_of_values, elements_of, used};
use super::names::own_name;
use super::states::is_state;
use super::tables::column_of;
use super::{COLUMNS, LOGS, Writer, expr, name};
use crate::refusal::Refusal;

/// The most columns that `*` stands for. Joins of joins would have ever more.
const COLUMNS_MAX: usize = 1000;

impl Writer {
    pub(super) fn columns(&mut self, select: &Select) -> Result<Vec<String>, Refusal> {
        let mut columns = Vec::new();
        self.meanings = meanings(select);
        self.elements_of = elements_of(select);
        let joined = self.joined_columns(select);
        self.all = self.all_columns(select, None);
        self.rolling = !self.rolled.is_empty();
        for item in &select.projection {
            match item {
                SelectItem::UnnamedExpr(Expr::Function(call)) if is_columns(call) => {
                    let tables = self.tables(select);
                    let all = |only: Option<&str>| among(tables.as_ref()?, only);
                    for (expr, own) in chosen(&all, call)? {
                        columns.push(format!("{} as {}", self.expr(&expr)?, name(&own)));
                    }
                }
                SelectItem::UnnamedExpr(expr) if self.rolled.contains(expr) => {
                    columns.push(format!("{} as {}", self.expr(expr)?, name(&own_name(expr))));
                }
                SelectItem::UnnamedExpr(expr) => {
                    self.state_here = is_state(expr);
                    let (sql, own) = (self.expr(expr)?, name_in(&joined, expr));
                    let is_same = expr::is_name(expr)
                        && (sql == name(&own) || sql.ends_with(&format!(".{}", name(&own))));
                    columns.push(if is_same { sql } else { format!("{sql} as {}", name(&own)) });
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    // In its own meaning the name is the column's.
                    self.meanings.insert(alias.value.clone(), None);
                    let is_key =
                        self.rolled.iter().any(|key| *key == Expr::Identifier(alias.clone()) || key == expr);
                    // The rows are grouped by the key as it is.
                    let rolling = self.rolling;
                    self.rolling &= !is_key;
                    self.state_here = is_state(expr);
                    let sql = self.expr(expr)?;
                    self.rolling = rolling;
                    let shown = if is_key { format!("coalesce({sql}, zero_of({sql}))") } else { sql.clone() };
                    columns.push(format!("{shown} as {}", name(&alias.value)));
                    if let Some(elements) = self.tuple_of(expr)? {
                        self.tuples.insert(alias.value.clone(), elements);
                    }
                    let is_itself = sql == name(&alias.value);
                    if !is_itself {
                        self.aliases.insert(alias.value.clone(), format!("({sql})"));
                    }
                }
                SelectItem::Wildcard(options) => {
                    let all = self.all_columns(select, None).ok_or_else(wildcard)?;
                    let all = self.replaced(all, options)?;
                    let all = self.after_any(all);
                    columns.extend(but(all, &left_out(options)?));
                }
                SelectItem::QualifiedWildcard(
                    SelectItemQualifiedWildcardKind::ObjectName(table),
                    options,
                ) => {
                    let all = self.all_columns(select, Some(&table.to_string()));
                    let all = self.after_any(all.ok_or_else(wildcard)?);
                    columns.extend(but(all, &left_out(options)?));
                }
                _ => return Err(Refusal::unsupported(&item.to_string())),
            }
        }
        self.rolling = false;
        Ok(columns)
    }

    /// What a name means that a later column of the list has: a column's name comes before that of a table's column.
    pub(super) fn meaning_of(&mut self, column: &str) -> Result<Option<String>, Refusal> {
        let Some(meaning) = self.meanings.get_mut(column) else { return Ok(None) };
        let Some(expr) = meaning.take() else { return Ok(None) };
        let sql = format!("({})", self.expr(&expr)?);
        self.aliases.insert(column.to_owned(), sql.clone());
        Ok(Some(sql))
    }

    /// How the columns of several tables are written, and their names: with its table's where an earlier table has the same.
    pub(super) fn joined_columns(&self, select: &Select) -> Vec<(String, String)> {
        let several = select.from.len() > 1 || select.from.iter().any(|from| !from.joins.is_empty());
        if several { self.all_columns(select, None).unwrap_or_default() } else { Vec::new() }
    }

    /// `* REPLACE (lower(a) AS a)`
    pub(super) fn replaced(
        &mut self,
        mut all: Vec<(String, String)>,
        options: &WildcardAdditionalOptions,
    ) -> Result<Vec<(String, String)>, Refusal> {
        for item in options.opt_replace.iter().flat_map(|replace| &replace.items) {
            let sql = self.expr(&item.expr)?;
            match all.iter_mut().find(|(_, column)| *column == item.column_name.value) {
                Some((written, _)) => *written = sql,
                None => return Err(Refusal::invalid(format!("* has no column {}", item.column_name))),
            }
        }
        Ok(all)
    }

    /// Columns as they are written after an `ANY JOIN`.
    fn after_any(&self, mut all: Vec<(String, String)>) -> Vec<(String, String)> {
        if let Some(behind) = &self.behind {
            for (written, _) in &mut all {
                if let Some(after) = behind.written(written) {
                    written.clone_from(after);
                }
            }
        }
        all
    }

    /// The columns of the tables, or of one, that a wildcard stands for: how each is written, and its name.
    pub(super) fn all_columns(&self, select: &Select, only: Option<&str>) -> Option<Vec<(String, String)>> {
        among(&self.tables(select)?, only)
    }

    /// The tables of a SELECT. This looks through the queries inside, so it must not be asked for each column.
    pub(super) fn tables(&self, select: &Select) -> Option<Vec<Columns>> {
        let tables = select.from.iter().flat_map(|from| {
            std::iter::once((&from.relation, Vec::new()))
                .chain(from.joins.iter().map(|join| (&join.relation, used(join))))
        });
        let columns = tables.map(|(table, merged)| {
            let (own, columns) = self.columns_of_table(table)?;
            Some((own, columns.into_iter().filter(|column| !merged.contains(column)).collect()))
        });
        columns.collect()
    }

    /// The name and the columns of a table, as far as the query tells.
    pub(super) fn columns_of_table(&self, table: &TableFactor) -> Option<(String, Vec<String>)> {
        match table {
            TableFactor::Table { name, alias, args: None, .. } => {
                let own = name.to_string().replace(['`', '"'], "");
                let known = match own.as_str() {
                    "system.one" => vec!["dummy".to_owned()],
                    LOGS => COLUMNS.map(str::to_owned).to_vec(),
                    own => self.read.borrow().columns.get(own)?.clone(),
                };
                Some((alias.as_ref().map_or(own, |alias| alias.name.value.clone()), known))
            }
            TableFactor::Table { name, alias, args: Some(_), .. }
                if let Some(column) = column_of(&name.to_string()) =>
            {
                // A list is called by its column.
                let plain = if column == "zero" { "" } else { column };
                let own = alias.as_ref().map_or(plain, |alias| alias.name.value.as_str());
                Some((own.to_owned(), vec![column.to_owned()]))
            }
            TableFactor::Table { name, alias, args: Some(args), .. }
                if name.to_string().eq_ignore_ascii_case("values") =>
            {
                let own = alias.as_ref().map_or("", |alias| alias.name.value.as_str());
                Some((own.to_owned(), columns_of_values(&args.args)))
            }
            TableFactor::Derived { subquery, alias, .. } => {
                if let SetExpr::Values(values) = &*subquery.body {
                    let own = alias.as_ref().map_or("", |alias| alias.name.value.as_str());
                    let count = values.rows.first().map_or(0, |row| row.content.len());
                    let names = columns_of_alias(alias.as_ref());
                    let names =
                        names.unwrap_or_else(|| (1..=count).map(|place| format!("c{place}")).collect());
                    return Some((own.to_owned(), names));
                }
                let own = alias.as_ref().map_or("", |alias| alias.name.value.as_str());
                let names = columns_of_alias(alias.as_ref());
                Some((own.to_owned(), names.or_else(|| self.columns_of(subquery))?))
            }
            _ => None,
        }
    }

    /// The columns of a query.
    pub(super) fn columns_of(&self, query: &Query) -> Option<Vec<String>> {
        self.columns_of_body(&query.body)
    }

    pub(super) fn columns_of_body(&self, mut body: &SetExpr) -> Option<Vec<String>> {
        while let SetExpr::SetOperation { left, .. } = body {
            body = left;
        }
        let select = match body {
            SetExpr::Select(select) => select,
            SetExpr::Query(inner) => return self.columns_of(inner),
            _ => return None,
        };
        let tables = self.tables(select);
        let all = |only: Option<&str>| among(tables.as_ref()?, only);
        let joined = tables.as_ref().filter(|tables| tables.len() > 1).and_then(|tables| among(tables, None));
        let joined = joined.unwrap_or_default();
        let mut columns = Vec::new();
        for item in &select.projection {
            match item {
                SelectItem::UnnamedExpr(Expr::Function(call)) if is_columns(call) => {
                    columns.extend(chosen(&all, call).ok()?.into_iter().map(|(_, column)| column));
                }
                SelectItem::UnnamedExpr(expr) => columns.push(name_in(&joined, expr)),
                SelectItem::ExprWithAlias { alias, .. } => columns.push(alias.value.clone()),
                SelectItem::Wildcard(options) => {
                    let left_out = left_out(options).ok()?;
                    let found = all(None)?;
                    columns.extend(
                        found
                            .into_iter()
                            .map(|(_, column)| column)
                            .filter(|column| !left_out.contains(column)),
                    );
                }
                SelectItem::QualifiedWildcard(SelectItemQualifiedWildcardKind::ObjectName(table), _) => {
                    let found = all(Some(&table.to_string()))?;
                    columns.extend(found.into_iter().map(|(_, column)| column));
                }
                _ => return None,
            }
        }
        Some(columns)
    }
}

/// The name of a table and its columns.
pub(super) type Columns = (String, Vec<String>);

/// How the columns of the tables, or of one, are written, and their names.
pub(super) fn among(tables: &[Columns], only: Option<&str>) -> Option<Vec<(String, String)>> {
    let mut all: Vec<(String, String)> = Vec::new();
    for (own, columns) in tables {
        if only.is_some_and(|only| only.replace(['`', '"'], "") != *own) {
            continue;
        }
        for column in columns {
            let written =
                if tables.len() > 1 { format!("{}.{}", name(own), name(column)) } else { name(column) };
            let taken = all.iter().any(|(_, known)| known == column);
            all.push((written, if taken { format!("{own}.{column}") } else { column.clone() }));
        }
    }
    Some(all).filter(|all| (1..=COLUMNS_MAX).contains(&all.len()))
}

/// The name of a column that the query does not name.
pub(super) fn name_in(joined: &[(String, String)], expr: &Expr) -> String {
    let own = own_name(expr);
    let Expr::CompoundIdentifier(parts) = expr else { return own };
    let [table, column] = parts.as_slice() else { return own };
    let written = format!("{}.{}", name(&table.value), name(&column.value));
    joined.iter().find(|(known, _)| *known == written).map_or(own, |(_, name)| name.clone())
}

/// The expressions of the columns with a name.
fn meanings(select: &Select) -> BTreeMap<String, Option<Expr>> {
    let named = select.projection.iter().filter_map(|item| match item {
        SelectItem::ExprWithAlias { expr, alias } => Some((alias.value.clone(), Some(expr.clone()))),
        _ => None,
    });
    named.collect()
}

/// The columns that `* EXCEPT` leaves out.
pub(super) fn left_out(options: &WildcardAdditionalOptions) -> Result<Vec<String>, Refusal> {
    let plain = WildcardAdditionalOptions {
        opt_except: options.opt_except.clone(),
        opt_replace: options.opt_replace.clone(),
        ..Default::default()
    };
    if options.to_string() != plain.to_string() {
        return Err(Refusal::unsupported(&format!("*{options}")));
    }
    let names = options
        .opt_except
        .iter()
        .flat_map(|except| std::iter::once(&except.first_element).chain(&except.additional_elements));
    Ok(names.map(|name| name.value.clone()).collect())
}

/// The columns that a wildcard stands for, as items of a list.
pub(super) fn but(all: Vec<(String, String)>, left_out: &[String]) -> Vec<String> {
    let kept = all.into_iter().filter(|(_, column)| !left_out.contains(column));
    kept.map(|(written, column)| format!("{written} as {}", name(&column))).collect()
}

pub(super) fn wildcard() -> Refusal {
    Refusal::unsupported(&format!("* of columns that the query does not tell, or of more than {COLUMNS_MAX}"))
}
