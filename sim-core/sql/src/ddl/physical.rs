//! What SQLite stores for a relation: a table without constraints, indexes, and triggers that check constraints and run foreign
//! key actions.
//!
//! Constraints are not part of a table's definition, so changing one never requires copying the table. Names are not part of it
//! either: a relation is called `r` and its number, a column `c` and its number.

use rusqlite::types::Value;

use super::columns::SPARE;
use crate::bind::{Binder, Clause, Scope};
use crate::catalog::{Column, Constraint, ConstraintKind, Index, Oid, Relation};
use crate::describe;
use crate::error::{Result, SqlError, SqlState};
use crate::print::{self, Names};
use crate::run::{Engine, literal};
use crate::tree::{Expr, Field, Node};
use crate::types::Type;

/// The number that stands for the table in an expression about one of its rows.
pub(super) const ROW: usize = 1_000_000;

/// The work to bind an expression of a definition, besides what its length takes.
const DEFINITION_WORK: usize = 400;

impl Engine<'_> {
    /// Creates the table and indexes of a relation.
    pub(super) fn create_storage(&mut self, oid: Oid) -> Result<()> {
        let relation = self.relation(oid)?;
        let columns = relation.columns.iter().map(|column| self.column_definition(&relation, column));
        let mut columns = columns.collect::<Result<Vec<_>>>()?;
        let room = relation.next_column - 1 + SPARE;
        columns.extend((relation.next_column..=room).map(|number| format!("c{number}")));
        self.execute(&format!("CREATE TABLE {} ({})", relation.physical(), columns.join(", ")))?;
        self.relation_mut(oid).room = room;
        relation.indexes.iter().try_for_each(|index| self.create_index(&relation, index))
    }

    /// Binds an expression about a row of one table.
    pub(super) fn row_expression(
        &self,
        relation: &Relation,
        text: &str,
        clause: Clause,
        column: Option<&Column>,
    ) -> Result<Expr> {
        self.budget.work(DEFINITION_WORK + text.len())?;
        let mut binder = Binder::of_definition(&self.catalog, text, &self.settings);
        binder.once.without_queries = matches!(clause, Clause::Index | Clause::Transform | Clause::Generated);
        let parsed = binder.source.expression()?;
        let scope = Scope::of(binder.table_of(relation, ROW, None)?);
        match column {
            Some(column) => {
                let value = binder.expr_in(clause, &scope, &parsed)?;
                if clause == Clause::Generated && !value.is_immutable() {
                    let message = "generation expression is not immutable";
                    return Err(SqlError::new(SqlState::new("42P17"), message));
                }
                let type_ = value.type_;
                // The checks of a domain can't be part of a generated column: they are among those of the row.
                let wanted = match clause {
                    Clause::Generated => self.catalog.under_domains(column.type_),
                    _ => column.type_,
                };
                binder.coerce(value, wanted, crate::cast::Context::Assignment)?.ok_or_else(|| {
                    let message = format!(
                        "column \"{}\" is of type {} but default expression is of type {}",
                        column.name,
                        self.catalog.type_name(column.type_.base, -1),
                        self.catalog.type_name(type_, -1)
                    );
                    SqlError::new(SqlState::DATATYPE_MISMATCH, message)
                        .hint("You will need to rewrite or cast the expression.")
                })
            }
            None if matches!(clause, Clause::Index | Clause::Transform | Clause::Generated) => {
                let value = binder.expr_in(clause, &scope, &parsed)?;
                binder.settle(value)
            }
            None => binder.condition_in(clause, &scope, &parsed),
        }
    }

    pub(super) fn create_index(&self, relation: &Relation, index: &Index) -> Result<()> {
        if relation.dormant || index.parent.is_some() {
            return Ok(());
        }
        if relation.partition.is_some() {
            return if index.unique { self.create_partition_index(relation, index) } else { Ok(()) };
        }
        self.create_index_where(relation, index, None)
    }

    /// Creates an index, of the rows on which a condition holds.
    pub(super) fn create_index_where(
        &self,
        relation: &Relation,
        index: &Index,
        within: Option<&str>,
    ) -> Result<()> {
        let by_columns = index.method == "btree" && index.keys.iter().all(|key| key.column.is_some());
        // An index whose key can't be computed of a row refuses the row.
        let stored = index.unique || by_columns || self.key_exprs(relation, index)?.iter().any(may_fail);
        if !stored {
            return Ok(());
        }
        let keys = self.index_keys(relation, index, "")?;
        let unique = if index.unique && !index.deferrable { "UNIQUE " } else { "" };
        let mut sql =
            format!("CREATE {unique}INDEX i{} ON {} ({})", index.oid, relation.physical(), keys.join(", "));
        let mut conditions = Vec::from_iter(within.map(|within| format!("({within})")));
        if let Some(predicate) = &index.predicate {
            let condition = self.row_expression(relation, predicate, Clause::Index, None)?;
            conditions.push(bare_condition(&condition));
        }
        if !conditions.is_empty() {
            sql.push_str(&format!(" WHERE {}", conditions.join(" AND ")));
        }
        // Keys of the rows that are there may call functions.
        let created = self.calling_apart(|| self.connection.execute_batch(&sql)).map_err(|error| {
            let error = SqlError::from(error);
            if !error.message.starts_with("UNIQUE constraint failed") {
                return crate::run::untranslatable_message(error);
            }
            let message = format!("could not create unique index \"{}\"", index.name);
            let error = SqlError::new(SqlState::UNIQUE_VIOLATION, message);
            match self.duplicated_key(relation, index) {
                Some(detail) => error.detail(detail),
                None => error,
            }
        });
        match created {
            // SQLite has no such key; without it the index is only recorded.
            Err(error) if error.code == SqlState::FEATURE_NOT_SUPPORTED && !(index.unique || by_columns) => {
                Ok(())
            }
            created => created,
        }
    }

    /// The keys of an index as SQL about the row `of` (`NEW.` in triggers).
    pub(super) fn index_keys(&self, relation: &Relation, index: &Index, of: &str) -> Result<Vec<String>> {
        let exprs = self.key_exprs(relation, index)?;
        let keys = exprs.into_iter().zip(&index.keys).map(|(expr, key)| {
            let expr = &self.catalog.index_key(expr);
            let text = if of.is_empty() { bare(expr) } else { print::expression(expr, Names::of(ROW, of)) };
            let collation =
                expr.type_.collation().map_or_else(String::new, |name| format!(" COLLATE {name}"));
            // To SQLite nulls are different keys. Nulls that are one key become two values that are not null.
            if index.nulls_not_distinct {
                return format!("({text} IS NULL), coalesce({text}, 0){collation}");
            }
            let wrapped = if key.expression.is_some() { format!("({text})") } else { text };
            format!("{wrapped}{collation}")
        });
        Ok(keys.collect())
    }

    pub(super) fn key_exprs(&self, relation: &Relation, index: &Index) -> Result<Vec<Expr>> {
        let keys = index.keys.iter().map(|key| match (key.column, &key.expression) {
            (Some(number), _) => Ok(row_column(relation, number)),
            (None, Some(expression)) => self.row_expression(relation, expression, Clause::Index, None),
            (None, None) => Err(SqlError::unsupported("an index without keys")),
        });
        keys.collect()
    }

    fn duplicated_key(&self, relation: &Relation, index: &Index) -> Option<String> {
        let keys = self.key_exprs(relation, index).ok()?;
        let binder = Binder::new(&self.catalog, self.source.clone(), &self.settings, &[]);
        let texts: Option<Vec<String>> =
            keys.iter().map(|key| printed(&binder, key.clone()).ok().map(|text| bare(&text))).collect();
        let group = self.index_keys(relation, index, "").ok()?.join(", ");
        let sql = format!(
            "SELECT {} FROM {} GROUP BY {group} HAVING count(*) > 1 ORDER BY min(rowid) LIMIT 1",
            texts?.join(", "),
            relation.physical()
        );
        let row = self.fetch(&sql, keys.len()).ok()?.into_iter().next()?;
        Some(format!("Key ({})=({}) is duplicated.", describe::key_names(relation, index), shown(&row)))
    }

    /// Creates the triggers of a relation again, after its columns changed.
    pub(super) fn refresh_triggers(&mut self, oid: Oid) -> Result<()> {
        let relation = self.relation(oid)?;
        self.drop_triggers(&relation)?;
        relation
            .constraints
            .iter()
            .try_for_each(|constraint| self.create_foreign_triggers(oid, constraint))?;
        self.refresh_checks(oid)
    }

    /// Creates the checks of a relation again, after its columns, its constraints, or their names changed.
    pub(super) fn refresh_checks(&mut self, oid: Oid) -> Result<()> {
        let relation = self.relation(oid)?;
        if !relation.is_stored() || relation.dormant {
            return Ok(());
        }
        self.drop_checks(oid)?;
        let checks = self.check_statements(&relation)?;
        for (suffix, event) in [("bi", "INSERT"), ("bu", "UPDATE")] {
            let rights = self.rights_of_row(&relation, event)?;
            if !rights.is_empty() || !checks.is_empty() {
                self.execute(&format!(
                    "CREATE TRIGGER {0}_{suffix} BEFORE {event} ON {0} BEGIN {rights}{checks} END",
                    relation.physical()
                ))?;
            }
        }
        Ok(())
    }

    /// Removes the checks of a relation.
    pub(super) fn drop_checks(&self, oid: Oid) -> Result<()> {
        self.execute(&format!("DROP TRIGGER IF EXISTS r{oid}_bi; DROP TRIGGER IF EXISTS r{oid}_bu"))
    }

    /// Removes the checks of a relation, and the triggers of its own foreign keys.
    pub(super) fn drop_triggers(&self, relation: &Relation) -> Result<()> {
        for constraint in &relation.constraints {
            self.drop_foreign_triggers(relation.oid, constraint)?;
        }
        self.drop_checks(relation.oid)
    }

    fn check_statements(&self, relation: &Relation) -> Result<String> {
        let names = Names::of(ROW, "NEW");
        let mut failures = String::new();
        let mut raise = |condition: String, code: &str, message: String| {
            failures.push_str(&format!(" WHEN {condition} THEN {}", literal(&format!("{code}{message}"))));
        };
        for column in relation.columns.iter().filter(|column| column.not_null) {
            let message = format!(
                "null value in column \"{}\" of relation \"{}\" violates not-null constraint",
                column.name, relation.name
            );
            raise(format!("NEW.c{} IS NULL", column.number), "23502", message);
        }
        for (leaf, within) in self.catalog.leaves(relation.oid) {
            let own = |column: &&Column| {
                column.not_null && !relation.column(&column.name).is_some_and(|of| of.not_null)
            };
            for column in leaf.columns.iter().filter(own) {
                let Some(of_root) = relation.column(&column.name) else { continue };
                let within = self.row_expression(relation, &within, Clause::Check, None)?;
                let message = format!(
                    "null value in column \"{}\" of relation \"{}\" violates not-null constraint",
                    column.name, leaf.name
                );
                let within = print::expression(&within, names);
                raise(format!("({within} AND NEW.c{} IS NULL)", of_root.number), "23502", message);
            }
        }
        let mut checks: Vec<&Constraint> = relation
            .constraints
            .iter()
            .filter(|constraint| matches!(constraint.kind, ConstraintKind::Check { .. }))
            .collect();
        checks.sort_by(|a, b| a.name.cmp(&b.name));
        for constraint in checks {
            let ConstraintKind::Check { expression } = &constraint.kind else { continue };
            let condition = self.row_expression(relation, expression, Clause::Check, None)?;
            let message = format!(
                "new row for relation \"{}\" violates check constraint \"{}\"",
                relation.name, constraint.name
            );
            raise(format!("{} IS 0", print::expression(&condition, names)), "23514", message);
        }
        let domains = self.domain_checks(relation)?;
        for (leaf, within) in self.catalog.leaves(relation.oid) {
            for constraint in leaf.constraints.iter().filter(|known| known.parent.is_none()) {
                let ConstraintKind::Check { expression } = &constraint.kind else { continue };
                let within = self.row_expression(relation, &within, Clause::Check, None)?;
                let condition = self.row_expression(relation, expression, Clause::Check, None)?;
                let message = format!(
                    "new row for relation \"{}\" violates check constraint \"{}\"",
                    leaf.name, constraint.name
                );
                let (within, condition) =
                    (print::expression(&within, names), print::expression(&condition, names));
                raise(format!("({within} AND {condition} IS 0)"), "23514", message);
            }
        }
        let routing = self.routing(relation)?;
        if failures.is_empty() {
            return Ok(domains + &routing.map(|(refusal, _)| refusal).unwrap_or_default());
        }
        let schema = literal(self.catalog.schema_name(relation.schema));
        let (refusal, message, table) = match routing {
            // The messages name the partition of the row.
            Some((refusal, leaf)) => {
                let named = format!("relation \"{}\"", relation.name);
                let message = format!(
                    "replace(substr(failure, 6), {}, 'relation \"' || {leaf} || '\"')",
                    literal(&named)
                );
                (refusal, message, leaf)
            }
            None => (String::new(), "substr(failure, 6)".to_owned(), literal(&relation.name)),
        };
        // The text of the row is computed once for all checks, because it is as long as the table has columns.
        let row = self.failing_row(relation, ROW, names)?;
        Ok(format!(
            "{domains}{refusal}SELECT pg_raise(substr(failure, 1, 5), {message}, {row}, {schema}, {table})
             FROM (SELECT CASE{failures} END AS failure) WHERE failure IS NOT NULL;"
        ))
    }

    /// Statements that fail where a generated column has a value that its domain refuses.
    fn domain_checks(&self, relation: &Relation) -> Result<String> {
        let mut checks = String::new();
        for column in relation.columns.iter().filter(|column| column.generated.is_some()) {
            let base = self.catalog.under_domains(column.type_);
            if base == column.type_ {
                continue;
            }
            let binder = self.binder();
            let value = row_column(relation, column.number);
            let value = Expr { modifier: base.modifier, type_: base.base, ..value };
            if let Some(checked) = binder.coerce(value, column.type_, crate::cast::Context::Assignment)? {
                checks.push_str(&format!("SELECT {};", print::expression(&checked, Names::of(ROW, "NEW"))));
            }
        }
        Ok(checks)
    }

    /// SQL for the text `Failing row contains (1, null).` about a row that is a source.
    pub(crate) fn failing_row(&self, relation: &Relation, source: usize, names: Names<'_>) -> Result<String> {
        let binder = Binder::new(&self.catalog, self.source.clone(), &self.settings, &[]);
        let texts = relation.columns.iter().map(|column| {
            let mut value = row_column(relation, column.number);
            value.node = Node::Column { source, field: Field::Column(column.number) };
            let text = printed(&binder, value);
            let text = text.map_or_else(|_| "'…'".to_owned(), |text| print::expression(&text, names));
            format!("coalesce(pg_clipped({text}), 'null')")
        });
        let texts: Vec<String> = texts.collect();
        let joined = if texts.is_empty() { "''".to_owned() } else { print::joined(&texts, " || ', ' || ") };
        Ok(format!("'Failing row contains (' || {joined} || ').'"))
    }

    pub(crate) fn default_sql(&self, relation: &Relation, number: u32) -> Result<String> {
        let column =
            relation.column_number(number).ok_or_else(|| SqlError::unsupported("a missing column"))?;
        match self.catalog.default_of(column) {
            None => Ok("NULL".to_owned()),
            Some(default) => {
                Ok(bare(&self.row_expression(relation, default, Clause::Default, Some(column))?))
            }
        }
    }

    /// The relation with a number, which must exist.
    pub(crate) fn relation(&self, oid: Oid) -> Result<Relation> {
        let missing =
            || SqlError::new(SqlState::UNDEFINED_TABLE, format!("could not open relation with OID {oid}"));
        self.catalog.relation(oid).cloned().ok_or_else(missing)
    }
}

/// Whether there may be rows of which an expression can't be computed.
pub(super) fn may_fail(expr: &Expr) -> bool {
    const TOTAL: &[&str] = &[
        "#>",
        "#>>",
        "->",
        "->>",
        "btrim",
        "date_trunc",
        "length",
        "lower",
        "ltrim",
        "md5",
        "rtrim",
        "setweight",
        "to_tsvector",
        "upper",
        "||",
    ];
    expr.any(&mut |part| match &part.node {
        Node::Call(call) => !TOTAL.contains(&call.function.name),
        Node::Cast { .. } => !part.type_.is_string(),
        Node::Template { text, .. } => text.starts_with("pg_call"),
        _ => false,
    })
}

/// A value as text, in the format of its type.
pub(super) fn printed(binder: &Binder<'_>, value: Expr) -> Result<Expr> {
    let type_ = binder.catalog.base_type(value.type_);
    if let Some(text) = binder.row_as_text(&value)? {
        return Ok(text);
    }
    if type_.is_user() || type_.is_reg() {
        return binder.cast(value, Type::TEXT.plain());
    }
    let type_ = Expr::literal(i64::from(type_.0), Type::INT4);
    Ok(Expr::template("pg_text({0},{1})", vec![value, type_], Type::TEXT))
}

/// A column of the current row.
fn row_column(relation: &Relation, number: u32) -> Expr {
    let type_ = relation.column_number(number).map_or(Type::TEXT.plain(), |column| column.type_);
    let node = Node::Column { source: ROW, field: Field::Column(number) };
    Expr { modifier: type_.modifier, ..Expr::new(node, type_.base) }
}

/// SQL for an expression about a row, with unqualified column names, as definitions of tables and indexes require.
pub(super) fn bare(expr: &Expr) -> String {
    print::expression(expr, Names::of(ROW, ""))
}

/// Like [`bare`], for the condition of an index.
pub(super) fn bare_condition(expr: &Expr) -> String {
    print::condition(expr, Names::of(ROW, ""))
}

pub(super) fn shown(row: &[Value]) -> String {
    let texts = row.iter().map(|value| match value {
        Value::Null => "null".to_owned(),
        value => crate::value::print(Type::TEXT, value.into()),
    });
    texts.collect::<Vec<_>>().join(", ")
}
