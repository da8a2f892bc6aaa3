//! Sources of rows.

mod functions;
mod json_rows;
pub(super) mod rows;
mod sample;

use sqlparser::ast::{
    self, FunctionArg, JoinConstraint, JoinOperator, Spanned as _, TableAlias, TableFactor, TableWithJoins,
};

use super::query::{Inside, renamed};
use super::scope::{Level, Table, TableColumn, Visible};
use super::{Binder, Clause, Scope};
use crate::catalog::{Relation, RelationKind};
use crate::error::{Result, SqlError, SqlState};
use crate::source::{self, name};
use crate::system::{self, SystemColumn};
use crate::tree::{Comparison, Expr, Field, From, JoinKind, LETS, Node, Output, Query};
use crate::types::Type;

/// A source, and the names that it brings into scope.
type Part = (From, Scope<'static>);

impl Binder<'_> {
    /// Binds a `FROM` clause.
    pub(crate) fn bind_from(
        &mut self,
        outer: &Scope<'_>,
        tables: &[TableWithJoins],
    ) -> Result<(Vec<From>, Scope<'static>)> {
        let mut all = Scope::default();
        let mut froms = Vec::new();
        for table in tables {
            let (from, part) = self.table_with_joins(outer, &all, table)?;
            all.join(part).map_err(|error| error.at(self.place(table.span().start)))?;
            froms.push(from);
        }
        Ok((froms, all))
    }

    fn table_with_joins(
        &mut self,
        outer: &Scope<'_>,
        before: &Scope<'_>,
        table: &TableWithJoins,
    ) -> Result<Part> {
        /// SQLite can join 64 sources.
        const JOINS_MAX: usize = 63;
        if table.joins.len() > JOINS_MAX {
            return Err(SqlError::unsupported("a join of more than 64 tables"));
        }
        let (mut from, mut scope) = self.factor(outer, before, &table.relation)?;
        for join in &table.joins {
            let mut left = Scope { parent: None, ..before.clone() };
            left.join(scope.clone())?;
            let (right, right_scope) = self.factor(outer, &left, &join.relation)?;
            let at = self.place(join.relation.span().start);
            use JoinOperator::{FullOuter, Right, RightOuter};
            if matches!(join.join_operator, Right(_) | RightOuter(_) | FullOuter(_)) {
                refuse_lateral(&scope, &right)?;
            }
            (from, scope) = self
                .join(outer, (from, scope), (right, right_scope), &join.join_operator)
                .map_err(|e| e.at(at))?;
        }
        Ok((from, scope))
    }

    fn join(&mut self, outer: &Scope<'_>, left: Part, right: Part, operator: &JoinOperator) -> Result<Part> {
        let (kind, constraint) = match operator {
            JoinOperator::Join(constraint) | JoinOperator::Inner(constraint) => (JoinKind::Inner, constraint),
            JoinOperator::Left(constraint) | JoinOperator::LeftOuter(constraint) => {
                (JoinKind::Left, constraint)
            }
            JoinOperator::Right(constraint) | JoinOperator::RightOuter(constraint) => {
                (JoinKind::Right, constraint)
            }
            JoinOperator::FullOuter(constraint) => (JoinKind::Full, constraint),
            JoinOperator::CrossJoin(_) => (JoinKind::Cross, &JoinConstraint::None),
            _ => return Err(SqlError::unsupported("this kind of join")),
        };
        let ((left_from, left_scope), (right_from, right_scope)) = (left, right);
        if matches!(kind, JoinKind::Left | JoinKind::Full) {
            self.make_optional(&right_scope);
        }
        if matches!(kind, JoinKind::Right | JoinKind::Full) {
            self.make_optional(&left_scope);
        }
        if matches!(constraint, JoinConstraint::Natural) {
            self.note_natural(&left_scope);
            self.note_natural(&right_scope);
        }
        let names = match constraint {
            JoinConstraint::Using(columns) => {
                let names =
                    columns.iter().map(|column| source::schema_and_name(column).map(|(_, name)| name));
                Some(names.collect::<Result<Vec<_>>>()?)
            }
            JoinConstraint::Natural => {
                let shared = left_scope.visible.iter().filter(|visible| !visible.hidden);
                let shared =
                    shared.filter(|l| right_scope.visible.iter().any(|r| !r.hidden && r.name == l.name));
                Some(shared.map(|visible| visible.name.clone()).collect())
            }
            JoinConstraint::On(_) | JoinConstraint::None => None,
        };
        let (mut merged, mut on) = (Vec::new(), None);
        for name in names.iter().flatten() {
            let (column, equal) = self.merge(&left_scope, &right_scope, name, kind)?;
            merged.push(column);
            on = Some(match on {
                Some(before) => Expr::boolean(Node::And(Box::new(before), Box::new(equal))),
                None => equal,
            });
        }
        let mut scope = left_scope;
        scope.join(right_scope)?;
        if let Some(names) = &names {
            scope.visible.retain(|visible| !names.contains(&visible.name));
            scope.visible.splice(0..0, merged);
        }
        if let JoinConstraint::On(condition) = constraint {
            let inner = Scope { parent: Some(outer), level: Level::Other, ..scope.clone() };
            on = Some(self.condition_in(Clause::On, &inner, condition)?);
        }
        let from = From::Join { left: Box::new(left_from), right: Box::new(right_from), kind, on };
        Ok((from, scope))
    }

    /// Notes that these sources may have no row, because an outer join did not find one.
    fn make_optional(&mut self, scope: &Scope<'_>) {
        for table in &scope.tables {
            let relation = table.relation.and_then(|oid| self.catalog.relation(oid));
            let columns = relation.filter(|relation| relation.is_stored()).map_or(&[][..], |r| &r.columns);
            let never_null = columns.iter().filter(|column| column.not_null && column.generated.is_none());
            let fields = never_null.map(|column| Field::Column(column.number)).collect();
            self.optional.insert(table.source, fields);
        }
    }

    /// Merges two columns of the same name into one. Also returns the condition that they are equal.
    fn merge(
        &mut self,
        left_scope: &Scope<'_>,
        right_scope: &Scope<'_>,
        name: &str,
        kind: JoinKind,
    ) -> Result<(Visible, Expr)> {
        let missing = |side: &str| {
            let message =
                format!("column \"{name}\" specified in USING clause does not exist in {side} table");
            SqlError::new(SqlState::UNDEFINED_COLUMN, message)
        };
        let left = left_scope.column(name)?.ok_or_else(|| missing("left"))?;
        let right = right_scope.column(name)?.ok_or_else(|| missing("right"))?;
        self.note_merged(left_scope, &left);
        self.note_merged(right_scope, &right);
        let (left_type, right_type) = (left.type_, right.type_);
        let equal = self.compare(Comparison::Equal, left.clone(), right.clone()).map_err(|error| {
            let [left, right] = [left_type, right_type].map(|type_| self.catalog.type_name(type_, -1));
            match error.code {
                SqlState::UNDEFINED_FUNCTION => SqlError::new(
                    SqlState::DATATYPE_MISMATCH,
                    format!("JOIN/USING types {left} and {right} cannot be matched"),
                ),
                _ => error,
            }
        })?;
        self.touch(&equal);
        let (both, type_) = self.unify(vec![left, right], "JOIN/USING")?;
        let modifier = Self::common_modifier(both.iter());
        let expr = match (kind, <[Expr; 2]>::try_from(both)) {
            (JoinKind::Full, Ok(both)) => Expr { modifier, ..Expr::new(Node::Coalesce(both.into()), type_) },
            (JoinKind::Right, Ok([_, right])) => right,
            // Of equal values PostgreSQL takes the one that has the common type already.
            (JoinKind::Inner | JoinKind::Cross, Ok([_, right])) if left_type != type_ => right,
            (_, Ok([left, _])) => left,
            (_, Err(_)) => return Err(SqlError::unsupported("this column of a join")),
        };
        Ok((Visible { name: name.to_owned(), expr, hidden: false }, equal))
    }

    fn factor(&mut self, outer: &Scope<'_>, before: &Scope<'_>, factor: &TableFactor) -> Result<Part> {
        match factor {
            TableFactor::Table { name, alias, args: None, sample: None, .. } => {
                let part = self.named_table(name, alias.as_ref())?;
                self.note_table(&part.1, name, alias.as_ref());
                Ok(part)
            }
            TableFactor::Table { name, alias, args: None, sample: Some(sample), .. } => {
                self.sampled(name, alias.as_ref(), sample)
            }
            TableFactor::Table { name, alias, args: Some(args), with_ordinality, .. } => {
                self.table_function(outer, before, name, &args.args, alias.as_ref(), *with_ordinality)
            }
            TableFactor::Function { name, args, alias, with_ordinality, .. } => {
                self.table_function(outer, before, name, args, alias.as_ref(), *with_ordinality)
            }
            TableFactor::UNNEST { alias, array_exprs, with_ordinality, .. } => {
                let unnest = ast::ObjectName::from(vec![ast::Ident::new("unnest")]);
                let args: Vec<FunctionArg> = array_exprs
                    .iter()
                    .map(|expr| FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr.clone())))
                    .collect();
                self.table_function(outer, before, &unnest, &args, alias.as_ref(), *with_ordinality)
            }
            TableFactor::Derived { lateral, subquery, alias, sample: None } => {
                if alias.is_none() {
                    return Err(self.without_alias(subquery));
                }
                let inner = lateral.then(|| lateral_scope(outer, before));
                let locks = alias.as_ref().is_some_and(|alias| self.locks(&name(&alias.name)));
                self.locks_next = locks.then_some(Inside::Query);
                let around = self.beside.len();
                if !lateral {
                    self.beside.extend(before.tables.iter().map(|table| table.alias.clone()));
                }
                let query = self.subquery(inner.as_ref().unwrap_or(outer), subquery);
                self.beside.truncate(around);
                self.derived(query?, alias.as_ref(), "", *lateral)
            }
            TableFactor::NestedJoin { table_with_joins, alias } => {
                if let Some((functions, numbered)) = rows::functions(table_with_joins) {
                    return self.rows_from(outer, before, &functions, alias.as_ref(), numbered);
                }
                let Some(alias) = alias else {
                    return self.table_with_joins(outer, before, table_with_joins);
                };
                let mut all = crate::source::Source::stored("SELECT * FROM joined").query()?;
                if let ast::SetExpr::Select(select) = &mut *all.body {
                    select.from = vec![(**table_with_joins).clone()];
                }
                let inner = lateral_scope(outer, before);
                let query = self.subquery(&inner, &all)?;
                self.derived(query, Some(alias), "", true)
            }
            other => Err(SqlError::unsupported(format!("the source of rows {other}"))),
        }
    }

    /// The refusal of a query among the sources that has no name.
    fn without_alias(&self, subquery: &ast::Query) -> SqlError {
        let (what, example) = match *subquery.body {
            ast::SetExpr::Values(_) => ("VALUES", "VALUES"),
            _ => ("subquery", "SELECT"),
        };
        let start = self.place(subquery.span().start);
        let bracket = start.and_then(|start| self.source.text.get(..start)?.rfind('('));
        SqlError::new(SqlState::SYNTAX_ERROR, format!("{what} in FROM must have an alias"))
            .hint(format!("For example, FROM ({example} ...) [AS] foo."))
            .at(bracket)
    }

    fn named_table(&mut self, object: &ast::ObjectName, alias: Option<&TableAlias>) -> Result<Part> {
        let (schema, called) = source::schema_and_name(object)?;
        let at = self.place(object.span().start);
        if let [only] = source::parts(object)[..]
            && source::is_reserved(only)
        {
            let call =
                called.starts_with("current_") || called.starts_with("local") || called.ends_with("user");
            let error = if call {
                SqlError::unsupported(format!("{called} as a source of rows"))
            } else {
                source::not_a_name(only)
            };
            return Err(error.at(at));
        }
        if schema.is_none()
            && let Some(cte) = self.ctes.iter().rev().find(|cte| cte.name == called).cloned()
        {
            if cte.undefined {
                let message = format!(
                    "recursive reference to query \"{called}\" must not appear within its non-recursive term"
                );
                return Err(SqlError::new(SqlState::INVALID_RECURSION, message).at(at));
            }
            self.reads_of_ctes.add(cte.reads).map_err(|error| error.at(at))?;
            if cte.rows.is_some() && cte.columns.is_empty() {
                let message = format!("WITH query \"{called}\" does not have a RETURNING clause");
                return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message).at(at));
            }
            let source = self.new_source();
            if let Some(weights) = self.weights.get(&cte.source).cloned() {
                self.weights.insert(source, weights);
            }
            let from = match cte.rows {
                None => From::Named { source, name: format!("w{}", cte.source) },
                Some(array) => From::Elements { source, array },
            };
            let by_item = matches!(from, From::Elements { .. });
            return Ok((from, self.part(source, &cte.columns, alias, &called, by_item)?));
        }
        if let Some(system) = system::find(schema.as_deref(), &called) {
            if system.is_closed() {
                return Err(system.denied());
            }
            self.system.insert(system.name);
            if system.name == "pg_sequences" {
                self.use_sequence(None);
            }
            if self.locks(&alias.map_or_else(|| called.clone(), |alias| name(&alias.name))) {
                return Err(system.denied());
            }
            let source = self.new_source();
            self.systems.insert(source, system);
            let output =
                |column: &SystemColumn| Output { name: column.name.to_owned(), type_: column.type_.plain() };
            let columns: Vec<Output> = system.all_columns().iter().map(output).collect();
            let mut scope = self.part(source, &columns, alias, system.short_name(), false)?;
            scope.tables[0].schema = alias.is_none().then(|| system.schema_name().to_owned());
            return Ok((From::Named { source, name: format!("\"{}\"", system.name) }, scope));
        }
        let relation = self.relation_of_query(schema.as_deref(), &called);
        let relation = relation.map_err(|error| match schema.is_none() && self.later.contains(&called) {
            true => refer_to_later(error, &called).at(at),
            false => error.at(at),
        })?;
        self.reads.insert(relation.oid);
        if relation.unpopulated {
            let message = format!("materialized view \"{called}\" has not been populated");
            let refusal = SqlError::new(SqlState::NOT_IN_PREREQUISITE_STATE, message);
            let refusal = refusal.hint("Use the REFRESH MATERIALIZED VIEW command.");
            // Definitions may read it, and are never run before it has rows.
            self.stopped.get_or_insert(refusal);
        }
        match relation.kind {
            RelationKind::Table | RelationKind::MaterializedView => {
                let at = self.source.offset(object.span().start);
                let only = at.is_some_and(|at| self.source.has_only_before(at));
                self.stored_table(relation, alias, only)
            }
            RelationKind::View => self.view(relation, alias),
            RelationKind::Sequence => self.sequence_row(relation, alias),
            RelationKind::Foreign => self.foreign_table(relation, alias),
        }
    }

    /// The one row of a sequence. It is never ahead of what was drawn, so `log_cnt` is 0.
    fn sequence_row(&mut self, relation: &Relation, alias: Option<&TableAlias>) -> Result<Part> {
        let source = self.new_source();
        self.require_read(relation, source);
        self.use_sequence(Some(relation.oid));
        let columns = [("last_value", Type::INT8), ("log_cnt", Type::INT8), ("is_called", Type::BOOL)];
        let columns = columns.map(|(name, type_)| Output { name: name.to_owned(), type_: type_.plain() });
        let scope = self.part(source, &columns, alias, &relation.name, false)?;
        let oid = relation.oid;
        let row = format!("pg_sequence_value({oid}) AS c1, 0 AS c2, pg_sequence_called({oid}) AS c3");
        Ok((From::Table { source, name: format!("(SELECT NULL AS rowid, {row})") }, scope))
    }

    /// A foreign table. A statement that runs is refused; a view of it may be defined.
    fn foreign_table(&mut self, relation: &Relation, alias: Option<&TableAlias>) -> Result<Part> {
        let source = self.new_source();
        self.require_read(relation, source);
        self.stopped.get_or_insert_with(|| self.catalog.unreachable(relation));
        let table = self.table_of(relation, source, alias)?;
        Ok((From::Table { source, name: no_rows(relation) }, Scope::of(table)))
    }

    fn stored_table(&mut self, relation: &Relation, alias: Option<&TableAlias>, only: bool) -> Result<Part> {
        let source = self.new_source();
        self.require_read(relation, source);
        let table = self.table_of(relation, source, alias)?;
        let locks = self.locks(&table.alias);
        if locks {
            self.require_columns(relation, [], 'w');
            self.refuse_locks_of_materialized(relation);
        }
        let name = match self.before.get(&relation.oid) {
            Some(kept) => kept.clone(),
            None if relation.dormant => no_rows(relation),
            // The rows of a partitioned table are all in its partitions.
            None if only && relation.partitioning.is_some() => no_rows(relation),
            None => relation.physical(),
        };
        let name = match relation.row_security && !relation.dormant && !self.only_names {
            true => self.visible_rows(relation, &name, locks)?.unwrap_or(name),
            false => name,
        };
        Ok((From::Table { source, name }, Scope::of(table)))
    }

    /// Brings a relation into scope under a number of its own, for expressions about one of its rows.
    pub(crate) fn row_of(&mut self, relation: &Relation) -> Result<Table> {
        let source = self.new_source();
        self.table_of(relation, source, None)
    }

    /// Brings a relation into scope under a source's number.
    pub(crate) fn table_of(
        &self,
        relation: &Relation,
        source: usize,
        alias: Option<&TableAlias>,
    ) -> Result<Table> {
        let names: Vec<String> =
            alias.iter().flat_map(|alias| &alias.columns).map(|column| name(&column.name)).collect();
        let outputs: Vec<Output> = relation
            .columns
            .iter()
            .map(|column| Output { name: column.name.clone(), type_: column.type_ })
            .collect();
        let outputs = renamed(&outputs, &names, &relation.name)?;
        let columns = outputs.into_iter().zip(&relation.columns).map(|(output, column)| TableColumn {
            name: output.name,
            type_: output.type_,
            field: Field::Column(column.number),
            hidden: false,
            computed: None,
        });
        Ok(Table {
            alias: alias.map_or_else(|| relation.name.clone(), |alias| name(&alias.name)),
            schema: alias.is_none().then(|| self.catalog.schema_name(relation.schema).to_owned()),
            source,
            columns: columns.collect(),
            relation: Some(relation.oid),
            returned: None,
            scalar: false,
            reachable: true,
        })
    }

    /// A view as a source.
    pub(crate) fn view(&mut self, relation: &Relation, alias: Option<&TableAlias>) -> Result<Part> {
        // What may be read of it is asked before what its query reads, under the number that it gets then.
        self.require_read(relation, usize::MAX);
        let readable = self.readable.remove(&usize::MAX);
        let locks = self.locks(&alias.map_or_else(|| relation.name.clone(), |alias| name(&alias.name)));
        if locks {
            self.require_columns(relation, [], 'w');
        }
        self.locks_next = locks.then_some(Inside::View);
        let mut query = self.view_query(relation)?;
        for (output, column) in query.columns.iter_mut().zip(&relation.columns) {
            output.name.clone_from(&column.name);
        }
        let query = self.visible_in_partition(relation, query)?;
        self.readable.extend(readable.map(|readable| (self.sources + 1, readable)));
        let (from, mut scope) = self.derived(query, alias, &relation.name, false)?;
        for table in &mut scope.tables {
            table.relation = Some(relation.oid);
            table.schema = alias.is_none().then(|| self.catalog.schema_name(relation.schema).to_owned());
        }
        Ok((from, scope))
    }

    /// Binds the query of a view.
    pub(crate) fn view_query(&mut self, relation: &Relation) -> Result<Query> {
        if self.views.contains(&relation.oid) {
            let message = format!("infinite recursion detected in rules for relation \"{}\"", relation.name);
            return Err(SqlError::new(SqlState::new("42P17"), message));
        }
        let definition = relation.definition.clone().unwrap_or_default();
        self.views.push(relation.oid);
        let actor = match relation.is_invokers() {
            true => self.current.clone(),
            false => relation.owner.as_str().into(),
        };
        let actor = std::mem::replace(&mut self.actor, actor);
        let query = self.stored_in(relation, &definition, |binder| {
            let parsed = binder.source.query()?;
            binder.subquery(&Scope::default(), &parsed)
        });
        self.actor = actor;
        self.views.pop();
        query
    }

    /// A query as a source.
    pub(crate) fn derived(
        &mut self,
        query: Query,
        alias: Option<&TableAlias>,
        called: &str,
        lateral: bool,
    ) -> Result<Part> {
        let source = self.new_source();
        let scope = self.part(source, &query.columns, alias, called, lateral)?;
        let query = if self.weigh(source, &query) { query.into_whole() } else { query };
        Ok((From::Query { source, query: Box::new(query), lateral }, scope))
    }

    pub(in crate::bind) fn part(
        &self,
        source: usize,
        columns: &[Output],
        alias: Option<&TableAlias>,
        called: &str,
        by_item: bool,
    ) -> Result<Scope<'static>> {
        let names: Vec<String> =
            alias.iter().flat_map(|alias| &alias.columns).map(|column| name(&column.name)).collect();
        let alias = alias.map_or_else(|| called.to_owned(), |alias| name(&alias.name));
        let columns = renamed(columns, &names, &alias)?;
        let columns = columns.into_iter().enumerate().map(|(index, column)| TableColumn {
            name: column.name,
            type_: column.type_,
            field: if by_item { Field::Item(index) } else { Field::Column(index as u32 + 1) },
            hidden: false,
            computed: None,
        });
        Ok(Scope::of(Table {
            alias,
            schema: None,
            source,
            columns: columns.collect(),
            relation: None,
            returned: None,
            scalar: false,
            reachable: true,
        }))
    }
}

/// SQL for a relation without rows, whose table does not exist yet.
fn no_rows(relation: &Relation) -> String {
    let columns = relation.columns.iter().map(|column| format!("NULL AS c{}", column.number));
    format!("(SELECT NULL AS rowid, {} WHERE 0)", columns.collect::<Vec<_>>().join(","))
}

/// The scope of a lateral source: the sources before it, and the enclosing scope.
fn lateral_scope<'p>(outer: &'p Scope<'p>, before: &Scope<'_>) -> Scope<'p> {
    let (tables, visible) = (before.tables.clone(), before.visible.clone());
    Scope { parent: Some(outer), level: Level::From, tables, visible }
}

/// The error for a relation that is missing, though a query of the same `WITH` has its name.
fn refer_to_later(error: SqlError, called: &str) -> SqlError {
    let detail = format!(
        "There is a WITH item named \"{called}\", but it cannot be referenced from this part of the query."
    );
    error.detail(detail).hint("Use WITH RECURSIVE, or re-order the WITH items to remove forward references.")
}

/// Refuses a source on the right of a right or full join that reads those on its left.
fn refuse_lateral(left: &Scope<'_>, right: &From) -> Result<()> {
    let mut found = None;
    right.clone().replace(&mut |expr| {
        if let Node::Column { source, .. } = expr.node
            && let Some(table) = left.tables.iter().find(|table| table.source == source)
        {
            found.get_or_insert((table.alias.clone(), expr.at.0));
        }
        false
    });
    let Some((table, at)) = found else { return Ok(()) };
    let message = format!("invalid reference to FROM-clause entry for table \"{table}\"");
    Err(SqlError::new(SqlState::INVALID_COLUMN_REFERENCE, message)
        .detail("The combining JOIN type must be INNER or LEFT for a LATERAL reference.")
        .at(at))
}

fn has_column(expr: &Expr) -> bool {
    expr.any(&mut |expr| match expr.node {
        Node::Column { source, .. } => source < LETS,
        Node::Scalar(_) => true,
        _ => false,
    })
}
