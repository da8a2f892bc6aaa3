//! `FROM`: tables, queries, lists and their joins.

mod lists;
mod path;

use sqlparser::ast::{
    self, JoinConstraint, JoinOperator, ObjectName, TableAlias, TableFactor, TableWithJoins,
};

use super::expr::Expr;
use super::query::{range, with_names};
use super::scope::{Kind, Range, Scope, same};
use super::{Binder, Bound, ENDPOINTS_MAX, column_list};
use crate::columnar::{KEYS, ROWS, ZEROS};
use crate::parse;
use crate::refusal::Refusal;
use crate::types::Type;
use crate::{Relation, Table};

/// A source of rows: its text, the columns of its rows, and whether it may refer to the sources before it.
pub(super) struct Factor {
    pub(super) sql: String,
    pub(super) ranges: Vec<Range>,
    pub(super) merged: Vec<(String, Expr)>,
    pub(super) lateral: bool,
}

impl Binder<'_> {
    /// Binds `FROM`. Each source sees the sources before it.
    pub(super) fn from<'p>(
        &mut self,
        from: &[TableWithJoins],
        parent: Option<&'p Scope<'p>>,
    ) -> Result<(String, Scope<'p>), Refusal> {
        let mut scope = Scope::within(parent);
        let mut sql = String::new();
        for TableWithJoins { relation, joins } in from {
            let factor = self.factor(relation, &scope)?;
            sql.push_str(if sql.is_empty() { " FROM " } else { " CROSS JOIN " });
            self.join(&mut sql, &mut scope, factor)?;
            for join in joins {
                self.joined(&mut sql, &mut scope, join)?;
            }
        }
        Ok((sql, scope))
    }

    pub(super) fn join(
        &self,
        sql: &mut String,
        scope: &mut Scope<'_>,
        factor: Factor,
    ) -> Result<(), Refusal> {
        for range in &factor.ranges {
            if !range.name.is_empty() && scope.ranges.iter().any(|known| same(&known.name, &range.name)) {
                return Err(Refusal::invalid(format!(
                    "Duplicate table alias {} in the same FROM clause",
                    range.name
                )));
            }
        }
        sql.push_str(if factor.lateral { self.target.pick("", "LATERAL ") } else { "" });
        sql.push_str(&factor.sql);
        scope.ranges.extend(factor.ranges);
        scope.merged.extend(factor.merged);
        Ok(())
    }

    fn joined(&mut self, sql: &mut String, scope: &mut Scope<'_>, join: &ast::Join) -> Result<(), Refusal> {
        let (word, constraint) = match &join.join_operator {
            JoinOperator::Join(constraint) | JoinOperator::Inner(constraint) => ("JOIN", constraint),
            JoinOperator::Left(constraint) | JoinOperator::LeftOuter(constraint) => ("LEFT JOIN", constraint),
            JoinOperator::Right(constraint) | JoinOperator::RightOuter(constraint) => {
                ("RIGHT JOIN", constraint)
            }
            JoinOperator::FullOuter(constraint) => ("FULL JOIN", constraint),
            JoinOperator::CrossJoin(constraint) => ("CROSS JOIN", constraint),
            _ => return Err(Refusal::unsupported("this kind of join")),
        };
        let factor = self.factor(&join.relation, scope)?;
        if factor.lateral && matches!(word, "RIGHT JOIN" | "FULL JOIN") {
            return Err(Refusal::unsupported(&format!("{word} of a list")));
        }
        let known = scope.ranges.len();
        sql.push_str(&format!(" {word} "));
        let lateral = factor.lateral;
        self.join(sql, scope, factor)?;
        match constraint {
            JoinConstraint::None if word == "CROSS JOIN" => {}
            // A list needs no condition: all its elements belong to its row.
            JoinConstraint::None if lateral => sql.push_str(" ON TRUE"),
            JoinConstraint::None => {
                return Err(Refusal::invalid(format!(
                    "{word} must have an immediately following ON or USING clause"
                )));
            }
            JoinConstraint::On(on) => {
                let on = self.condition(on, scope)?.plain("JOIN ON clause")?;
                sql.push_str(&format!(" ON {}", on.sql));
            }
            JoinConstraint::Using(names) => {
                let on = self.using(scope, known, names, word)?;
                sql.push_str(&format!(" ON {on}"));
            }
            JoinConstraint::Natural => {
                let names = common_names(scope, known);
                let on = self.using(scope, known, &names, word)?;
                // Without a common column every row is a partner.
                sql.push_str(&format!(" ON {}", if names.is_empty() { "TRUE" } else { on.as_str() }));
            }
        }
        if self.ctes.iter().any(|cte| cte.name == ZEROS) {
            self.fill_with_zeros(scope, known, word);
        }
        Ok(())
    }

    /// Gives rows without a partner zeros and empty texts, as the columnar store does. The rows of `WITH FILL` are filled by its
    /// own query.
    fn fill_with_zeros(&self, scope: &mut Scope<'_>, known: usize, word: &str) {
        let (left, right) = scope.ranges.split_at_mut(known);
        let filled: Vec<&mut Range> = match word {
            "LEFT JOIN" => right.iter_mut().collect(),
            "RIGHT JOIN" => left.iter_mut().collect(),
            "FULL JOIN" => left.iter_mut().chain(right).collect(),
            _ => return,
        };
        for range in filled.into_iter().filter(|range| range.name != ROWS && range.name != KEYS) {
            match &mut range.kind {
                Kind::Columns { columns, .. } => {
                    columns.iter_mut().for_each(|(_, value)| *value = self.or_zero(value));
                }
                Kind::Value(value) => *value = self.or_zero(value),
            }
        }
    }

    fn or_zero(&self, value: &Expr) -> Expr {
        let zero = match value.type_ {
            Type::Array(_) => self.target.pick("'[]'", "'[]'::jsonb").to_owned(),
            Type::Dynamic => self.target.pick("'{}'", "'{}'::jsonb").to_owned(),
            _ => self.zero_of(&value.type_).sql,
        };
        value.with(format!("coalesce({}, {zero})", value.sql), value.type_.clone())
    }

    /// Merges columns of the same name, and returns the condition that they are equal.
    fn using(
        &mut self,
        scope: &mut Scope<'_>,
        known: usize,
        names: &[ObjectName],
        word: &str,
    ) -> Result<String, Refusal> {
        let mut conditions = Vec::new();
        for name in names {
            let name = name_of(name);
            let path = [name.clone()];
            let mut left = Scope { ranges: scope.ranges[..known].to_vec(), ..Scope::default() };
            left.merged.clone_from(&scope.merged);
            let right = Scope { ranges: scope.ranges[known..].to_vec(), ..Scope::default() };
            let left = left.resolve(self.target, &path)?.0;
            let right = right.resolve(self.target, &path)?.0;
            let (left, right) = self.comparable(&left, &right, "=")?;
            conditions.push(self.equal(&left, &right).sql);
            let merged = match word {
                "RIGHT JOIN" => right,
                "FULL JOIN" => Expr::filled("coalesce({0}, {1})", &[left.clone(), right], left.type_.clone()),
                _ => left,
            };
            scope.merged.retain(|(known, _)| !same(known, &name));
            scope.merged.push((name, merged));
        }
        Ok(format!("({})", conditions.join(" AND ")))
    }

    fn factor(&mut self, factor: &TableFactor, scope: &Scope<'_>) -> Result<Factor, Refusal> {
        match factor {
            TableFactor::Table {
                name,
                alias,
                args: None,
                with_hints,
                version: None,
                with_ordinality: false,
                partitions,
                json_path: None,
                sample,
                index_hints,
            } if with_hints.is_empty()
                && partitions.is_empty()
                && index_hints.is_empty()
                && sample.as_ref().is_none_or(takes_all) =>
            {
                self.table(&name_of(name), alias.as_ref(), scope)
            }
            TableFactor::Derived { lateral: false, subquery, alias, sample: None } => {
                let around = std::mem::take(&mut self.reads);
                let bound = self.query(subquery, scope.parent, None)?;
                let reads = std::mem::replace(&mut self.reads, around);
                self.reads.add(reads)?;
                let mut bound = if reads.is_deep() { self.as_a_whole(bound) } else { bound };
                if let (Some(alias), true) = (alias, self.is_postgres()) {
                    bound.columns = with_names(bound.columns, alias)?;
                    return Ok(self.derived(bound, alias.name.value.clone()));
                }
                Ok(self.derived(bound, alias_of(alias.as_ref())?.unwrap_or_default()))
            }
            TableFactor::UNNEST { alias, array_exprs, with_offset: false, with_ordinality, .. }
                if self.is_postgres() =>
            {
                let lists = array_exprs.iter().map(|array| self.array_in_from(array, scope));
                let lists = lists.collect::<Result<Vec<_>, _>>()?;
                self.sets_in_from(lists, "unnest", alias.as_ref(), *with_ordinality)
            }
            TableFactor::UNNEST {
                alias,
                array_exprs,
                with_offset,
                with_offset_alias,
                with_ordinality: false,
            } => {
                let [array] = array_exprs.as_slice() else {
                    return Err(Refusal::unsupported("UNNEST of several lists"));
                };
                let array = self.expr(array, scope)?.plain("UNNEST")?;
                let name = alias_of(alias.as_ref())?.unwrap_or_default();
                let offset = with_offset
                    .then(|| with_offset_alias.as_ref().map_or("offset", |alias| alias.value.as_str()));
                self.elements(&array, name, offset)
            }
            TableFactor::NestedJoin { table_with_joins, alias: None } => {
                let (sql, inner) = self.from(std::slice::from_ref(table_with_joins), scope.parent)?;
                let sql = format!("({})", sql.trim_start_matches(" FROM "));
                Ok(Factor { sql, ranges: inner.ranges, merged: inner.merged, lateral: false })
            }
            TableFactor::Pivot {
                table,
                aggregate_functions,
                value_column,
                value_source,
                default_on_null: None,
                alias,
            } => {
                let bound = self.pivot(table, aggregate_functions, value_column, value_source, scope)?;
                Ok(self.derived(bound, alias_of(alias.as_ref())?.unwrap_or_default()))
            }
            TableFactor::Unpivot { table, value, name, columns, null_inclusion, alias } => {
                let bound = self.unpivot(table, value, name, columns, null_inclusion.as_ref(), scope)?;
                Ok(self.derived(bound, alias_of(alias.as_ref())?.unwrap_or_default()))
            }
            TableFactor::Table { name, args: Some(given), alias, with_ordinality, .. }
                if self.is_postgres() =>
            {
                self.rows_of_function(&name_of(name), &given.args, alias.as_ref(), *with_ordinality, scope)
            }
            TableFactor::Derived { lateral: true, subquery, alias, sample: None } if self.is_postgres() => {
                let bound = self.inner_query(subquery, scope)?;
                self.rows_of_query(bound, alias.as_ref())
            }
            TableFactor::Function { lateral: true, name, args, with_ordinality, alias }
                if self.is_postgres() =>
            {
                self.rows_of_function(&name_of(name), args, alias.as_ref(), *with_ordinality, scope)
            }
            TableFactor::Table { name, args: Some(_), .. } => {
                Err(super::call::unknown_table_function(&name_of(name)))
            }
            other => Err(Refusal::unsupported(&other.to_string())),
        }
    }

    /// The columns of a factor's rows. The factor does not count as read.
    pub(super) fn factor_ranges(
        &mut self,
        factor: &TableFactor,
        scope: &Scope<'_>,
    ) -> Result<Vec<Range>, Refusal> {
        self.factor(factor, scope).map(|factor| factor.ranges)
    }

    fn table(
        &mut self,
        name: &str,
        alias: Option<&TableAlias>,
        scope: &Scope<'_>,
    ) -> Result<Factor, Refusal> {
        let alias = alias_of(alias)?;
        let sql = self.fresh('s');
        if let Some(cte) = self.ctes.iter().rev().find(|cte| same(&cte.name, name)) {
            self.reads.add(cte.reads)?;
            if cte.recursive {
                self.reached.push(sql.clone());
            }
            let ranges = vec![range(alias.unwrap_or_else(|| name.to_owned()), &sql, &cte.columns)];
            return Ok(Factor {
                sql: format!("{} AS {sql}", cte.sql),
                ranges,
                merged: Vec::new(),
                lateral: false,
            });
        }
        // A list in a source before this one needs no UNNEST.
        let path: Vec<String> = name.split('.').map(str::to_owned).collect();
        if path.len() > 1 && scope.range(&path[..1]).is_some() {
            let array = self.path(&path, scope)?;
            let last = path.last().cloned().unwrap_or_default();
            return self.elements(&array, alias.unwrap_or(last), None);
        }
        let found = if self.sandboxed { None } else { self.resolver.relation(name) };
        let alias = alias.unwrap_or_else(|| name.to_owned());
        match found {
            Some(Relation::Table(table)) => {
                self.sources.insert(name.to_owned());
                Ok(self.stored(&table, sql, alias))
            }
            Some(Relation::Query(text)) => {
                let bound = self.endpoint(name, &text)?;
                Ok(self.derived(bound, alias))
            }
            None => {
                if !self.missing.iter().any(|known| known == name) {
                    self.missing.push(name.to_owned());
                }
                Ok(self.stored(&Table::of_events("missing"), sql, alias))
            }
        }
    }

    fn stored(&self, table: &Table, sql: String, alias: String) -> Factor {
        let body = format!("{sql}.body");
        let stored = [("id", Type::String), ("timestamp", Type::Timestamp), ("event_message", Type::String)];
        let column = |name: &str, sql: String, type_: Type| {
            (name.to_owned(), Expr { loose: Some(name.to_owned()), ..Expr::new(sql, type_) })
        };
        let mut columns: Vec<(String, Expr)> =
            stored.into_iter().map(|(name, type_)| column(name, format!("{sql}.{name}"), type_)).collect();
        if self.is_postgres() {
            columns.push(column("body", self.target.whole_body(&sql), Type::Dynamic));
        }
        for (name, type_) in table.fields.iter().flatten() {
            if !columns.iter().any(|(known, _)| same(known, name)) {
                let value = self.target.unpacked(type_, &self.target.field(&body, name));
                let (name, value) = column(name, value, type_.clone());
                let shape = table.shape.field(&name).unwrap_or_default();
                columns.push((name, Expr { shape, ..value }));
            }
        }
        let body = (table.fields.is_none() && !self.is_postgres()).then_some(body);
        let ranges = vec![Range { name: alias, kind: Kind::Columns { columns, body } }];
        Factor { sql: format!("{} AS {sql}", table.sql), ranges, merged: Vec::new(), lateral: false }
    }

    fn derived(&mut self, bound: Bound, alias: String) -> Factor {
        let name = self.fresh('s');
        let ranges = vec![range(alias, &name, &bound.columns)];
        Factor { sql: format!("({}) AS {name}", bound.sql), ranges, merged: Vec::new(), lateral: false }
    }

    /// Binds another endpoint's query, which sees nothing of the enclosing query.
    fn endpoint(&mut self, name: &str, text: &str) -> Result<Bound, Refusal> {
        if self.endpoints.len() == ENDPOINTS_MAX || self.endpoints.iter().any(|known| known == name) {
            return Err(Refusal::invalid(format!("Endpoint {name} uses itself")));
        }
        let query = parse::query(text, self.dialect)?;
        self.endpoints.push(name.to_owned());
        let ctes = std::mem::take(&mut self.ctes);
        let around = std::mem::take(&mut self.reads);
        let bound = self.query(&query, None, None);
        let reads = std::mem::replace(&mut self.reads, around);
        self.ctes = ctes;
        self.endpoints.pop();
        self.reads.add(reads)?;
        Ok(if reads.is_deep() { self.as_a_whole(bound?) } else { bound? })
    }

    /// Keeps the target from flattening a query. Otherwise a query that is used twice would double at each level.
    fn as_a_whole(&self, bound: Bound) -> Bound {
        let Bound { sql, columns } = bound;
        let limit = self.target.pick("LIMIT -1 OFFSET 0", "OFFSET 0");
        Bound { sql: format!("SELECT {} FROM ({sql}) AS q {limit}", column_list(columns.len())), columns }
    }
}

/// The name of a table, with its dots.
fn name_of(name: &ObjectName) -> String {
    let part = |part: &ast::ObjectNamePart| match part {
        ast::ObjectNamePart::Identifier(ident) => ident.value.clone(),
        ast::ObjectNamePart::Function(function) => function.to_string(),
    };
    name.0.iter().map(part).collect::<Vec<_>>().join(".")
}

pub(super) fn alias_of(alias: Option<&TableAlias>) -> Result<Option<String>, Refusal> {
    match alias {
        Some(alias) if !alias.columns.is_empty() => Err(Refusal::syntax("an alias has no list of columns")),
        alias => Ok(alias.map(|alias| alias.name.value.clone())),
    }
}

/// The columns that the tables of both sides have, those that a join has merged counted once.
fn common_names(scope: &Scope<'_>, known: usize) -> Vec<ObjectName> {
    let names = |ranges: &[Range]| -> Vec<String> {
        let columns = ranges.iter().filter_map(|range| match &range.kind {
            Kind::Columns { columns, .. } => Some(columns),
            Kind::Value(_) => None,
        });
        columns.flatten().map(|(name, _)| name.clone()).collect()
    };
    let (left, right) = (names(&scope.ranges[..known]), names(&scope.ranges[known..]));
    let mut common: Vec<String> = Vec::new();
    for name in right {
        if left.iter().any(|one| same(one, &name)) && !common.iter().any(|one| same(one, &name)) {
            common.push(name);
        }
    }
    common.into_iter().map(|name| ObjectName::from(vec![ast::Ident::with_quote('"', name)])).collect()
}

/// Whether `TABLESAMPLE` takes all rows. Another part of them would be at random.
fn takes_all(sample: &ast::TableSampleKind) -> bool {
    let (ast::TableSampleKind::BeforeTableAlias(sample) | ast::TableSampleKind::AfterTableAlias(sample)) =
        sample;
    let quantity = sample.quantity.as_ref();
    let number = quantity.and_then(|quantity| quantity.value.to_string().parse::<f64>().ok());
    let is_rows = quantity.is_some_and(|quantity| matches!(quantity.unit, Some(ast::TableSampleUnit::Rows)));
    number == Some(100.0) && !is_rows
}
