//! What SQLite stores for a relation: a table without constraints, indexes, and triggers that check constraints and run foreign
//! key actions.
//!
//! Constraints are not part of a table's definition, so changing one never requires copying the table. Names are not part of it
//! either: a relation is called `r` and its number, a column `c` and its number.

use rusqlite::types::Value;

use super::columns::SPARE;
use crate::bind::{Binder, Clause, Scope};
use crate::catalog::{Action, Column, Constraint, ConstraintKind, Index, Oid, Relation};
use crate::describe;
use crate::error::{Result, SqlError, SqlState};
use crate::print::{self, Names};
use crate::run::{Engine, literal};
use crate::tree::{Expr, Field, Node};
use crate::types::Type;
use crate::value;

/// The number that stands for the table in an expression about one of its rows.
pub(super) const ROW: usize = 1_000_000;

/// The side of a key in `pg_pending` whose check is not deferred, because of `RESTRICT`.
const RESTRICTED: i64 = 2;

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
        let stored =
            index.unique || index.method == "btree" && index.keys.iter().all(|key| key.column.is_some());
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
        self.calling_apart(|| self.connection.execute_batch(&sql)).map_err(|error| {
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
        })
    }

    /// The keys of an index as SQL about the row `of` (`NEW.` in triggers).
    pub(super) fn index_keys(&self, relation: &Relation, index: &Index, of: &str) -> Result<Vec<String>> {
        let exprs = self.key_exprs(relation, index)?;
        let keys = exprs.iter().zip(&index.keys).map(|(expr, key)| {
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
        if !checks.is_empty() {
            for (suffix, event) in [("bi", "INSERT"), ("bu", "UPDATE")] {
                self.execute(&format!(
                    "CREATE TRIGGER {0}_{suffix} BEFORE {event} ON {0} BEGIN {checks} END",
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
            format!("coalesce({text}, 'null')")
        });
        let texts: Vec<String> = texts.collect();
        let joined = if texts.is_empty() { "''".to_owned() } else { print::joined(&texts, " || ', ' || ") };
        Ok(format!("'Failing row contains (' || {joined} || ').'"))
    }

    /// Creates the triggers of a constraint of the table `child`, if it is a foreign key, an exclusion or a key that can be deferred.
    pub(super) fn create_foreign_triggers(&self, child: Oid, constraint: &Constraint) -> Result<()> {
        // That of the table above is in force for the rows of a partition.
        if constraint.parent.is_some() {
            return Ok(());
        }
        if constraint.is_noted() {
            return self.create_exclusion_triggers(&self.relation(child)?, constraint);
        }
        let ConstraintKind::Foreign { table, columns, on_delete, on_update, set, full } = &constraint.kind
        else {
            return Ok(());
        };
        let child = &self.relation(child)?;
        if child.dormant {
            return Ok(());
        }
        let parent = self.relation(*table)?;
        self.refuse_actions_of_partition(&parent, constraint)?;
        let prefix = format!("{}_f{}", child.physical(), constraint.oid);
        let (child, parent) = (self.stored_side(child)?, self.stored_side(&parent)?);
        let (own, referenced) = (child.numbers(&constraint.columns), parent.numbers(columns));
        let set = child.numbers(set);
        let pairs =
            Pairs { child: &child.stored, parent: &parent.stored, own: &own, referenced: &referenced };
        let (c, p, oid) = (child.stored.physical(), parent.stored.physical(), constraint.oid);
        let own = pairs.own.iter().map(|number| format!("c{number}")).collect::<Vec<_>>().join(", ");
        let key = pairs.referenced.iter().map(|number| format!("c{number}")).collect::<Vec<_>>().join(", ");
        let present = pairs
            .own
            .iter()
            .map(|number| format!("NEW.c{number} IS NOT NULL"))
            .collect::<Vec<_>>()
            .join(" AND ");
        let missing = format!(
            "{present}{} AND NOT EXISTS (SELECT 1 FROM {p} AS p WHERE {}{})",
            child.and_within("NEW"),
            pairs.equal("p", "NEW"),
            parent.and_within("p")
        );
        let missing = match full {
            true => {
                let any = present.replace(" AND ", " OR ");
                format!("({missing} OR ({any}){} AND NOT ({present}))", child.and_within("NEW"))
            }
            false => missing,
        };
        let record =
            format!("INSERT INTO pg_pending VALUES ({oid}, json_array({}), 0)", pairs.own_values("NEW"));
        // A row comes into a partition by a change of other columns.
        let changes = if child.within.is_some() { "UPDATE".to_owned() } else { format!("UPDATE OF {own}") };
        for (suffix, event) in [("i", "INSERT".to_owned()), ("u", changes)] {
            self.execute(&format!(
                "CREATE TRIGGER {prefix}{suffix} AFTER {event} ON {c} WHEN {missing} BEGIN {record}; END"
            ))?;
        }
        let kept = format!(
            "WHERE EXISTS (SELECT 1 FROM {c} WHERE {}{})",
            pairs.children("OLD"),
            child.and_within(&c)
        );
        let kept = |side: i64| {
            let values = pairs.key_values("OLD");
            format!("INSERT INTO pg_pending SELECT {oid}, json_array({values}), {side} {kept}")
        };
        // Rows that fire triggers change later.
        let at_once = |action: Action| match action {
            Action::NoAction | Action::Restrict => "true".to_owned(),
            _ => format!("pg_cascades({oid})"),
        };
        let act = |action: Action, update: bool| -> Result<String> {
            let assign = |value: &dyn Fn(usize) -> Result<String>| -> Result<String> {
                let numbers = pairs
                    .own
                    .iter()
                    .enumerate()
                    .filter(|(_, number)| set.is_empty() || update || set.contains(number));
                let set = numbers.map(|(index, number)| Ok(format!("c{number} = {}", value(index)?)));
                Ok(format!(
                    "UPDATE {c} SET {} WHERE {}{}",
                    set.collect::<Result<Vec<_>>>()?.join(", "),
                    pairs.children("OLD"),
                    child.and_within(&c)
                ))
            };
            match action {
                Action::NoAction => Ok(kept(1)),
                Action::Restrict => Ok(kept(RESTRICTED)),
                Action::Cascade if update => assign(&|index| Ok(format!("NEW.c{}", pairs.referenced[index]))),
                Action::Cascade => {
                    Ok(format!("DELETE FROM {c} WHERE {}{}", pairs.children("OLD"), child.and_within(&c)))
                }
                Action::SetNull => assign(&|_| Ok("NULL".to_owned())),
                // Rows whose default is the key itself still want the row to which they refer.
                Action::SetDefault => Ok(format!(
                    "{}; UPDATE pg_pending SET side = 1 WHERE key = {oid} AND side = 0 AND value = json_array({})",
                    assign(&|index| self.default_sql(&child.of, constraint.columns[index]))?,
                    pairs.key_values("OLD")
                )),
            }
        };
        self.execute(&format!(
            "CREATE TRIGGER {prefix}d AFTER DELETE ON {p} WHEN {}{} BEGIN {}; END",
            at_once(*on_delete),
            parent.and_within("OLD"),
            act(*on_delete, false)?
        ))?;
        let changed = pairs.referenced.iter().map(|number| format!("OLD.c{number} IS NOT NEW.c{number}"));
        let mut changed = changed.collect::<Vec<_>>().join(" OR ");
        let mut changes = format!("UPDATE OF {key}");
        if parent.within.is_some() {
            // A row that leaves the partition is as good as deleted from it.
            changed.push_str(&format!(" OR (true{}) IS NOT TRUE", parent.and_within("NEW")));
            "UPDATE".clone_into(&mut changes);
        }
        self.execute(&format!(
            "CREATE TRIGGER {prefix}k AFTER {changes} ON {p} WHEN {}{} AND ({changed}) BEGIN {}; END",
            at_once(*on_update),
            parent.and_within("OLD"),
            act(*on_update, true)?
        ))
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

    /// Checks the foreign keys and exclusions that a statement may have broken. With `at_end`, also checks the deferred ones.
    pub(crate) fn check_pending(&mut self, at_end: bool) -> Result<()> {
        let mut any = self.connection.prepare_cached("SELECT EXISTS (SELECT 1 FROM pg_pending)")?;
        if !any.query_row([], |row| row.get::<_, bool>(0))? {
            return Ok(());
        }
        let pending =
            self.fetch("SELECT DISTINCT key, value, side FROM pg_pending ORDER BY min(side, 1), rowid", 3)?;
        for row in in_order(pending) {
            let [Value::Integer(oid), Value::Text(values), Value::Integer(side)] = &row[..] else { continue };
            let catalog = self.catalog.clone();
            let found = catalog.relations().find_map(|relation| {
                let constraint = relation.constraints.iter().find(|c| i64::from(c.oid) == *oid)?;
                Some((relation, constraint))
            });
            let Some((child, constraint)) = found else { continue };
            if !at_end && *side != RESTRICTED && self.is_deferred(constraint) {
                continue;
            }
            if self.settings.is_replica() && !constraint.is_noted() {
                continue;
            }
            match constraint.is_noted() {
                true => self.check_exclusion(child, constraint, values)?,
                false => self.check_foreign(child, constraint, values, *side)?,
            }
        }
        let kept: Vec<String> = self
            .catalog
            .relations()
            .flat_map(|relation| &relation.constraints)
            .filter(|constraint| !at_end && self.is_deferred(constraint))
            .map(|constraint| constraint.oid.to_string())
            .collect();
        self.execute(&format!(
            "DELETE FROM pg_pending WHERE side = {RESTRICTED} OR key NOT IN ({})",
            kept.join(",")
        ))
    }

    /// Checks the constraints that are deferred to the end of the transaction.
    pub(crate) fn check_deferred(&mut self) -> Result<()> {
        self.fire_deferred(true)?;
        self.check_pending(true)
    }

    /// Refuses a row of which only some columns of a key with `MATCH FULL` are null.
    fn refuse_mixed(&self, child: &Relation, constraint: &Constraint, values: &str) -> Result<()> {
        let nulls: Vec<bool> =
            value::array::elements(values).iter().map(serde_json::Value::is_null).collect();
        if nulls.iter().all(|null| *null) || !nulls.contains(&true) {
            return Ok(());
        }
        let columns = constraint.columns.iter().enumerate();
        let equal = columns
            .map(|(index, number)| format!("c{number} IS json_extract({}, '$[{index}]')", literal(values)));
        let equal = equal.collect::<Vec<_>>().join(" AND ");
        let sql = format!("SELECT 1 FROM {} WHERE {equal} LIMIT 1", self.source_of_rows(child)?);
        if self.fetch(&sql, 1)?.is_empty() {
            return Ok(());
        }
        let message = format!(
            "insert or update on table \"{}\" violates foreign key constraint \"{}\"",
            child.name, constraint.name
        );
        Err(SqlError::new(SqlState::FOREIGN_KEY_VIOLATION, message)
            .detail("MATCH FULL does not allow mixing of null and nonnull key values."))
    }

    pub(crate) fn check_foreign(
        &self,
        child: &Relation,
        constraint: &Constraint,
        values: &str,
        side: i64,
    ) -> Result<()> {
        let ConstraintKind::Foreign { table, columns, full, .. } = &constraint.kind else { return Ok(()) };
        if *full && side == 0 {
            self.refuse_mixed(child, constraint, values)?;
        }
        let parent = self.relation(*table)?;
        let pairs = Pairs { child, parent: &parent, own: &constraint.columns, referenced: columns };
        let value = |index: usize| format!("json_extract({}, '$[{index}]')", literal(values));
        let of_child = pairs.compared(|index| format!("x.c{}", pairs.own[index]), value);
        let of_parent = pairs.compared(|index| format!("p.c{}", pairs.referenced[index]), value);
        let rows = self.source_of_rows(child)?;
        // RESTRICT refuses to take a row away even if another one gets its key.
        let missing = match side {
            RESTRICTED => "true".to_owned(),
            _ => {
                let parents = self.source_of_rows(&parent)?;
                format!("NOT EXISTS (SELECT 1 FROM {parents} AS p WHERE {of_parent})")
            }
        };
        let sql = format!("SELECT EXISTS (SELECT 1 FROM {rows} AS x WHERE {of_child}) AND {missing}");
        let broken = matches!(self.fetch(&sql, 1)?.first().map(Vec::as_slice), Some([Value::Integer(1)]));
        if !broken {
            return Ok(());
        }
        let texts = self.key_texts(child, &constraint.columns, values);
        let partition = match child.partitioning {
            Some(_) => {
                let leaf = self.name_of_leaf(child, Names::of(ROW, "x"))?;
                let sql = format!("SELECT {leaf} FROM {rows} AS x WHERE {of_child}");
                self.fetch(&sql, 1)?.into_iter().flatten().next()
            }
            None => None,
        };
        let named = match partition {
            Some(Value::Text(name)) => name,
            _ => child.name.clone(),
        };
        let names = |relation: &Relation, numbers: &[u32]| {
            let names = numbers.iter().map(|number| relation.column_name(*number));
            names.collect::<Vec<_>>().join(", ")
        };
        let key = |relation: &Relation, numbers: &[u32]| match self
            .shows_columns(relation, numbers.iter().copied())
        {
            true => format!("Key ({})=({texts})", names(relation, numbers)),
            false => "Key".to_owned(),
        };
        let violation = if side == 0 {
            let message = format!(
                "insert or update on table \"{named}\" violates foreign key constraint \"{}\"",
                constraint.name
            );
            SqlError::new(SqlState::FOREIGN_KEY_VIOLATION, message).detail(format!(
                "{} is not present in table \"{}\".",
                key(child, &constraint.columns),
                parent.name
            ))
        } else {
            let message = format!(
                "update or delete on table \"{}\" violates foreign key constraint \"{}\" on table \"{}\"",
                parent.name, constraint.name, child.name
            );
            SqlError::new(SqlState::FOREIGN_KEY_VIOLATION, message).detail(format!(
                "{} is still referenced from table \"{}\".",
                key(&parent, columns),
                child.name
            ))
        };
        // It is about the table that has the key, also where rows of the other one change.
        Err(violation
            .of_table(self.catalog.schema_name(child.schema), if side == 0 { &named } else { &child.name }))
    }

    fn key_texts(&self, child: &Relation, numbers: &[u32], values: &str) -> String {
        let items = crate::value::array::elements(values);
        let texts = numbers.iter().zip(&items).map(|(number, item)| {
            let type_ = child
                .column_number(*number)
                .map_or(Type::TEXT, |column| self.catalog.base_type(column.type_.base));
            let value = crate::value::array::value(type_, item);
            crate::value::print(type_, (&value).into())
        });
        texts.collect::<Vec<_>>().join(", ")
    }

    /// The relation with a number, which must exist.
    pub(crate) fn relation(&self, oid: Oid) -> Result<Relation> {
        let missing =
            || SqlError::new(SqlState::UNDEFINED_TABLE, format!("could not open relation with OID {oid}"));
        self.catalog.relation(oid).cloned().ok_or_else(missing)
    }
}

/// The columns of a foreign key, each with the column that it refers to.
struct Pairs<'r> {
    child: &'r Relation,
    parent: &'r Relation,
    own: &'r [u32],
    referenced: &'r [u32],
}

impl Pairs<'_> {
    fn compared(&self, left: impl Fn(usize) -> String, right: impl Fn(usize) -> String) -> String {
        let pairs = (0..self.own.len()).map(|index| {
            let column = self.parent.column_number(self.referenced[index]);
            let collation = column.and_then(|column| column.type_.base.collation());
            let collation = collation.map_or_else(String::new, |name| format!(" COLLATE {name}"));
            format!("{} = {}{collation}", left(index), right(index))
        });
        pairs.collect::<Vec<_>>().join(" AND ")
    }

    /// The condition that the parent's row `parent` has the key to which the child's row `child` refers.
    fn equal(&self, parent: &str, child: &str) -> String {
        self.compared(
            |index| format!("{parent}.c{}", self.referenced[index]),
            |index| format!("{child}.c{}", self.own[index]),
        )
    }

    /// The child's rows that refer to the parent's row `row`.
    fn children(&self, row: &str) -> String {
        self.compared(
            |index| format!("{}.c{}", self.child.physical(), self.own[index]),
            |index| format!("{row}.c{}", self.referenced[index]),
        )
    }

    fn own_values(&self, row: &str) -> String {
        self.own.iter().map(|number| format!("{row}.c{number}")).collect::<Vec<_>>().join(", ")
    }

    fn key_values(&self, row: &str) -> String {
        self.referenced.iter().map(|number| format!("{row}.c{number}")).collect::<Vec<_>>().join(", ")
    }
}

/// Notes about keys in PostgreSQL's order: SQLite notes the keys of a row from the newest to the oldest.
fn in_order(mut pending: Vec<Vec<Value>>) -> Vec<Vec<Value>> {
    let place = |row: &[Value]| match row {
        [Value::Integer(key), _, Value::Integer(side)] => ((*side).min(1), *key),
        _ => (0, 0),
    };
    let of_one_row = |a: &Vec<Value>, b: &Vec<Value>| place(a).0 == place(b).0 && place(b).1 < place(a).1;
    pending.chunk_by_mut(of_one_row).for_each(<[Vec<Value>]>::reverse);
    pending
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
