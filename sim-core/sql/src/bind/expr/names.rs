//! Names in expressions: columns, variables, arguments, whole rows.

use rusqlite::types::Value;
use sqlparser::ast::Ident;

use super::Clause;
use crate::bind::{Binder, Scope};
use crate::catalog::Relation;
use crate::error::{Result, SqlError, SqlState};
use crate::plpgsql::{Conflict, PARAMETER};
use crate::readable::WHOLE;
use crate::source::{self, name};
use crate::tree::{Expr, Field, Node};
use crate::types::Type;

impl Binder<'_> {
    pub(in crate::bind) fn identifier(&mut self, scope: &Scope<'_>, ident: &Ident) -> Result<Expr> {
        let at = self.place(ident.span.start);
        let column = name(ident);
        if let Some(table) = column.strip_prefix(WHOLE) {
            let row = self.whole_row(scope, table).ok_or_else(|| self.missing_table(scope, table).at(at))?;
            self.touch(&row);
            return Ok(row.at(at));
        }
        if ident.quote_style.is_none()
            && let Some(call) = self.keyword_call(&column)?
        {
            return Ok(call.at(at));
        }
        if source::is_reserved(ident) {
            return Err(source::not_a_name(ident).at(at));
        }
        let variable = self.variable(std::slice::from_ref(&column))?;
        if let Some(found) = scope.column(&column).map_err(|error| error.at(at))? {
            self.touch(&found);
            self.note_column(scope, &found, ident, false);
            let found = self.column_or_variable(found, variable, &column);
            return found.map_err(|error| error.at(at)).map(|found| found.at(at));
        }
        if let Some(variable) = variable {
            // The name of a source is also that of its row.
            return match self.whole_row(scope, &column) {
                Some(row) => {
                    self.column_or_variable(row, Some(variable), &column).map_err(|error| error.at(at))
                }
                None => Ok(variable),
            };
        }
        if let Some(argument) = self.argument(&column)? {
            return Ok(argument);
        }
        if let Some(row) = self.whole_row(scope, &column) {
            self.touch(&row);
            return Ok(row.at(at));
        }
        if let Some(found) = self.system_column(scope, None, &column)? {
            return Ok(found.at(at));
        }
        let error =
            SqlError::new(SqlState::UNDEFINED_COLUMN, format!("column \"{column}\" does not exist")).at(at);
        Err(match near(scope, &column) {
            Some(hint) => error.hint(hint),
            None => error,
        })
    }

    /// A column that every table has implicitly.
    pub(super) fn system_column(
        &mut self,
        scope: &Scope<'_>,
        source: Option<usize>,
        column: &str,
    ) -> Result<Option<Expr>> {
        if !SYSTEM_COLUMNS.contains(&column) {
            return Ok(None);
        }
        let stored = |table: &&crate::bind::scope::Table| {
            let relation = table.relation.and_then(|oid| self.catalog.relation(oid));
            let stored =
                relation.is_some_and(|relation| relation.is_stored() || relation.partition.is_some());
            source.is_none_or(|source| table.source == source)
                && (stored || self.systems.contains_key(&table.source))
        };
        let mut level = Some(scope);
        let mut found = None;
        while let (Some(scope), None) = (level, found) {
            found = scope.tables.iter().find(stored);
            level = scope.parent;
        }
        let Some(table) = found else { return Ok(None) };
        if let Some(system) = self.systems.get(&table.source) {
            return match column {
                "tableoid" => Ok(Some(Expr::literal(i64::from(system.oid()), Type::OID))),
                _ => Err(SqlError::unsupported(format!("the system column {column}"))),
            };
        }
        match column {
            "tableoid" => {
                let relation = table.relation.and_then(|oid| self.catalog.relation(oid));
                relation.map(|relation| self.table_of_row(relation, table)).transpose()
            }
            // `xmax` is 0 for an inserted row, and another number for a row that the upsert has updated.
            "xmax" if self.upserts && self.clause == Clause::Returning => {
                let row = Expr::new(Node::Column { source: table.source, field: Field::Row }, Type::INT8);
                Ok(Some(Expr::template("pg_affected({0})", vec![row], Type::OID)))
            }
            "ctid"
                if table
                    .relation
                    .and_then(|oid| self.catalog.relation(oid))
                    .is_some_and(Relation::is_stored) =>
            {
                Ok(Some(Expr::new(Node::Column { source: table.source, field: Field::Row }, Type::TID)))
            }
            // The transaction that deletes the row.
            "xmax" if self.deletes && self.clause == Clause::Returning => {
                Ok(Some(Expr::template("({now} / 1000000)", Vec::new(), Type::OID)))
            }
            // No row waits for a transaction to end. Elsewhere PostgreSQL shows what has locked or upserted a row before.
            "xmax" if self.clause == Clause::Returning => Ok(Some(Expr::literal(0, Type::OID))),
            "xmin" if !self.clause.is_of_definition() => {
                self.once.asks_version()?;
                Ok(Some(self.version_of_row(&table.clone())))
            }
            _ => Err(SqlError::unsupported(format!("the system column {column}"))),
        }
    }

    /// A number that a row has for its values: another one when they change.
    fn version_of_row(&self, table: &crate::bind::scope::Table) -> Expr {
        let relation = table.relation.and_then(|oid| self.catalog.relation(oid));
        let generated = |name: &str| {
            relation
                .and_then(|relation| relation.column(name))
                .is_some_and(|column| column.generated.is_some())
        };
        let own = table.columns.iter().filter(|column| !column.hidden && !generated(&column.name));
        let values = own.map(|column| table.column(column)).collect();
        let row = Expr::new(Node::Row(values, Vec::new()), Type::RECORD);
        Expr::template("pg_row_version({0})", vec![row], Type::OID)
    }

    /// The number of the table that a row is in: that of its partition.
    fn table_of_row(&mut self, relation: &Relation, table: &crate::bind::scope::Table) -> Result<Expr> {
        let number = |oid: u32| Expr::literal(i64::from(oid), Type::OID);
        if relation.partitioning.is_none() {
            return Ok(number(relation.oid));
        }
        let catalog = self.catalog;
        let mut plain = table.clone();
        // Conditions have the names of the table's own columns.
        for (column, own) in plain.columns.iter_mut().zip(&relation.columns) {
            column.name.clone_from(&own.name);
        }
        let scope = Scope::of(plain);
        let mut branches = Vec::new();
        for (leaf, condition) in catalog.leaves(relation.oid) {
            let condition = self.stored(&condition, |binder| {
                let parsed = binder.source.expression()?;
                binder.condition_in(Clause::Check, &scope, &parsed)
            })?;
            branches.push((condition, number(leaf.oid)));
        }
        if branches.is_empty() {
            return Ok(number(relation.oid));
        }
        Ok(Expr::new(Node::Case { operand: None, branches, otherwise: None }, Type::OID))
    }

    /// The variable with these names in the PL/pgSQL function that runs the statement.
    pub(in crate::bind) fn variable(&self, names: &[String]) -> Result<Option<Expr>> {
        match &self.frame {
            Some(frame) => frame.borrow_mut().resolve(names),
            None => Ok(None),
        }
    }

    /// Refuses the name of a column as an arbiter if it is also that of a variable.
    pub(crate) fn refuse_variable(&self, ident: &Ident) -> Result<()> {
        let Some(conflict) = self.frame.as_ref().map(|frame| frame.borrow().conflict) else { return Ok(()) };
        let name = name(ident);
        if conflict == Conflict::Column || self.variable(std::slice::from_ref(&name))?.is_none() {
            return Ok(());
        }
        if conflict == Conflict::Variable {
            let message = "there is no unique or exclusion constraint matching the ON CONFLICT specification";
            return Err(SqlError::new(SqlState::INVALID_COLUMN_REFERENCE, message));
        }
        // PostgreSQL points at the bracket before the columns.
        let at = self.place(ident.span.start);
        let bracket = at.and_then(|at| self.source.text.get(..at)?.rfind('('));
        Err(ambiguous(&name).at(bracket.or(at)))
    }

    /// The meaning of a name that is a column and may also be a variable.
    pub(super) fn column_or_variable(
        &self,
        column: Expr,
        variable: Option<Expr>,
        name: &str,
    ) -> Result<Expr> {
        let (Some(variable), Some(frame)) = (variable, &self.frame) else { return Ok(column) };
        match frame.borrow().conflict {
            Conflict::Column => Ok(column),
            Conflict::Variable => Ok(variable),
            Conflict::Error => Err(ambiguous(name)),
        }
    }

    /// The argument with this name in the call of the function that is being expanded.
    pub(in crate::bind) fn argument(&self, name: &str) -> Result<Option<Expr>> {
        let Some(arguments) = &self.arguments else { return Ok(None) };
        let found = arguments.iter().find(|(known, _)| known.as_deref() == Some(name));
        found.map(|(_, expr)| self.copied(expr)).transpose()
    }

    /// A copy of an expression.
    pub(in crate::bind) fn copied(&self, argument: &Expr) -> Result<Expr> {
        self.once.charge(argument)?;
        Ok(argument.clone())
    }

    /// The row of a source under its name.
    pub(in crate::bind) fn whole_row(&self, scope: &Scope<'_>, alias: &str) -> Option<Expr> {
        let table = scope.table(None, alias)?;
        if let (true, [only]) = (table.scalar, &table.columns[..]) {
            return Some(table.column(only));
        }
        let columns = table.columns.iter().filter(|column| !column.hidden);
        let (items, names) = columns.map(|column| (table.column(column), column.name.clone())).unzip();
        let stored = table.relation.and_then(|relation| self.catalog.row_type(relation));
        let type_ = stored.or(table.returned).unwrap_or(Type::RECORD);
        Some(Expr::new(Node::Row(items, names), type_))
    }

    /// Whether a whole row is one that an outer join did not find, or of a variable that has none, if it can be.
    pub(in crate::bind) fn absence(&self, row: &Expr) -> Option<Expr> {
        let Node::Row(items, names) = &row.node else { return None };
        if let (Some(frame), [item, ..], [_, ..]) = (&self.frame, &items[..], &names[..])
            && let Some(absent) = frame.borrow_mut().absence(item)
        {
            return Some(absent);
        }
        if let Some(absent) = absence_of_variable(items, names) {
            return Some(absent);
        }
        let source_of = |item: &Expr| match item.node {
            Node::Column { source, field } => Some((source, field)),
            _ => None,
        };
        let (source, _) = source_of(items.first()?)?;
        let deciding = self.optional.get(&source)?;
        // A row that is written out is there, whatever its items are.
        if names.is_empty() || items.iter().any(|item| source_of(item).is_none_or(|(of, _)| of != source)) {
            return None;
        }
        let decides = |item: &&Expr| source_of(item).is_some_and(|(_, field)| deciding.contains(&field));
        let deciders: Vec<&Expr> = match items.iter().find(decides) {
            Some(one) => vec![one],
            None => items.iter().collect(),
        };
        let missing = deciders
            .into_iter()
            .map(|item| Expr::boolean(Node::IsNull { expr: Box::new(item.clone()), negated: false }));
        missing.reduce(|all, next| Expr::boolean(Node::And(Box::new(all), Box::new(next))))
    }

    /// `built` of a whole row, or null if an outer join did not find the row.
    pub(in crate::bind) fn unless_absent(&self, row: &Expr, built: Expr) -> Expr {
        let Some(absent) = self.absence(row) else { return built };
        let (type_, null) = (built.type_, Expr::literal(Value::Null, built.type_));
        let branches = vec![(absent, null)];
        Expr::new(Node::Case { operand: None, branches, otherwise: Some(Box::new(built)) }, type_)
    }

    pub(super) fn qualified(&mut self, scope: &Scope<'_>, idents: &[Ident]) -> Result<Expr> {
        let at = idents.first().and_then(|ident| self.place(ident.span.start));
        let names: Vec<String> = idents.iter().map(name).collect();
        let (schema, table, column) = match &names[..] {
            [table, column] => (None, table, column),
            [schema, table, column] => (Some(schema.as_str()), table, column),
            _ => return Err(SqlError::unsupported("a column name of more than three parts").at(at)),
        };
        if let Some(found) = scope.table(schema, table) {
            let mut named = found.columns.iter().filter(|known| known.name == *column);
            if let Some(known) = named.next() {
                if named.next().is_some() {
                    let message = format!("column reference \"{column}\" is ambiguous");
                    return Err(SqlError::new(SqlState::AMBIGUOUS_COLUMN, message).at(at));
                }
                let found = found.column(known).at(at);
                self.touch(&found);
                if let Some(last) = idents.last() {
                    self.note_column(scope, &found, last, true);
                }
                return Ok(found);
            }
            if column == source::ROW_NUMBER {
                return Ok(Expr::new(Node::Column { source: found.source, field: Field::Row }, Type::INT8));
            }
            if column == "*" {
                return Err(SqlError::unsupported("a row expansion here").at(at));
            }
            if let Some(variable) = self.variable(&names)? {
                return Ok(variable);
            }
            if let Some(found) = self.system_column(scope, Some(found.source), column)? {
                return Ok(found.at(at));
            }
            if let Some(row) = self.whole_row(scope, table)
                && let Some(call) = self.function_of_row(row, column)?
            {
                return Ok(call.at(at));
            }
            let shown = format!("{table}.{column}");
            return Err(
                SqlError::new(SqlState::UNDEFINED_COLUMN, format!("column {shown} does not exist")).at(at)
            );
        }
        if let Some(variable) = self.variable(&names)? {
            return Ok(variable);
        }
        // An argument that is a row has its columns.
        if schema.is_none()
            && let Some(row) = self.argument(table)?
            && let Some((names, items)) = self.row_items(&row)
            && let Some(place) = names.iter().position(|known| known == column)
        {
            return Ok(items[place].clone());
        }
        if let Some(arguments) = &self.arguments
            && let Some((_, argument)) = arguments.iter().find(|(known, _)| known.as_deref() == Some(column))
        {
            return self.copied(argument);
        }
        Err(self.missing_table(scope, table).at(at))
    }

    /// The error for a table that is not visible here.
    pub(in crate::bind) fn missing_table(&self, scope: &Scope<'_>, table: &str) -> SqlError {
        let elsewhere = || {
            format!(
                "There is an entry for table \"{table}\", but it cannot be referenced from this part of the query."
            )
        };
        if scope.table(None, table).is_some() || self.beside.iter().any(|known| known == table) {
            let message = format!("invalid reference to FROM-clause entry for table \"{table}\"");
            return SqlError::new(SqlState::UNDEFINED_TABLE, message).hint(elsewhere());
        }
        let aliased = scope.tables.iter().find(|known| {
            known
                .relation
                .and_then(|oid| self.catalog.relation(oid))
                .is_some_and(|relation| relation.name == table)
        });
        if let Some(known) = aliased {
            let message = format!("invalid reference to FROM-clause entry for table \"{table}\"");
            return SqlError::new(SqlState::UNDEFINED_TABLE, message)
                .hint(format!("Perhaps you meant to reference the table alias \"{}\".", known.alias));
        }
        let hidden = scope.tables.iter().any(|known| known.alias == table && !known.reachable)
            || scope.parent.is_some_and(|parent| parent.tables.iter().any(|known| known.alias == table));
        let message = if hidden {
            format!("invalid reference to FROM-clause entry for table \"{table}\"")
        } else {
            format!("missing FROM-clause entry for table \"{table}\"")
        };
        let error = SqlError::new(SqlState::UNDEFINED_TABLE, message);
        if hidden { error.detail(elsewhere()) } else { error }
    }
}

pub(crate) const SYSTEM_COLUMNS: &[&str] = &["tableoid", "ctid", "xmin", "xmax", "cmin", "cmax"];

/// A hint with the visible columns whose names are similar to an unknown one.
pub(super) fn near(scope: &Scope<'_>, column: &str) -> Option<String> {
    let mut best: Vec<(usize, String)> = Vec::new();
    let mut level = Some(scope);
    while let Some(scope) = level {
        for table in &scope.tables {
            for known in &table.columns {
                let distance = distance(column, &known.name);
                if distance <= 3 && distance <= known.name.chars().count() / 2 {
                    best.push((distance, format!("{}.{}", table.alias, known.name)));
                }
            }
        }
        level = scope.parent;
    }
    let least = best.iter().map(|(distance, _)| *distance).min()?;
    let mut nearest = best.into_iter().filter(|(distance, _)| *distance == least).map(|(_, name)| name);
    match (nearest.next(), nearest.next(), nearest.next()) {
        (Some(only), None, _) => Some(format!("Perhaps you meant to reference the column \"{only}\".")),
        (Some(first), Some(second), None) => {
            Some(format!("Perhaps you meant to reference the column \"{first}\" or the column \"{second}\"."))
        }
        _ => None,
    }
}

/// The edit distance of two names.
pub(super) fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (at, other) in to.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[at + 1];
            row[at + 1] = changed.min(row[at] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

/// Whether the row of a variable is null, such as `old` in a trigger for `INSERT`.
fn absence_of_variable(items: &[Expr], names: &[String]) -> Option<Expr> {
    let is_field = |item: &Expr| match &item.node {
        Node::Template { text, .. } => *text == PARAMETER,
        Node::Literal(_) => true,
        _ => false,
    };
    if names.is_empty() || !items.iter().all(is_field) {
        return None;
    }
    let missing =
        items.iter().map(|item| Expr::boolean(Node::IsNull { expr: Box::new(item.clone()), negated: false }));
    missing.reduce(|all, next| Expr::boolean(Node::And(Box::new(all), Box::new(next))))
}

/// The refusal of a name that is both a variable's and a column's.
fn ambiguous(name: &str) -> SqlError {
    let message = format!("column reference \"{name}\" is ambiguous");
    SqlError::new(SqlState::AMBIGUOUS_COLUMN, message)
        .detail("It could refer to either a PL/pgSQL variable or a table column.")
}
