//! Constraints of tables: keys, references, checks, and whether the rows hold them.

use std::collections::BTreeSet;

use super::{ConstraintDefinition, Key, StoredKey, WrittenKind};
use crate::bind::{Clause, Scope};
use crate::cast;
use crate::catalog::{Action, Constraint, ConstraintKind, Index, IndexKey, Oid, Relation, RelationKind};
use crate::ddl::names::{choose, relation_taken};
use crate::ddl::storage::{Of, new_options};
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;
use crate::types::Type;

impl Engine<'_> {
    /// The numbers of columns that a constraint names.
    pub(super) fn numbers(&self, relation: &Relation, names: &[String]) -> Result<Vec<u32>> {
        let numbers = names.iter().map(|name| {
            relation.column(name).map(|column| column.number).ok_or_else(|| {
                let message = format!("column \"{name}\" named in key does not exist");
                SqlError::new(SqlState::UNDEFINED_COLUMN, message)
            })
        });
        numbers.collect()
    }

    /// Adds a constraint to a stored relation. The caller then refreshes the relation's checks, once for all constraints.
    pub(in crate::ddl) fn add_constraint(
        &mut self,
        oid: Oid,
        definition: ConstraintDefinition,
    ) -> Result<()> {
        let relation = self.relation(oid)?;
        let ConstraintDefinition { name, kind, deferrable, deferred, validated, no_inherit, key } =
            definition;
        // For a key, a conflict with the name of its index is reported first.
        let is_key = matches!(
            kind,
            WrittenKind::Primary(_)
                | WrittenKind::Unique(_)
                | WrittenKind::UniqueNulls(_)
                | WrittenKind::Exclude(_)
        );
        let taken = |name: &&String| {
            // Names of two keys are those of two indexes, which is another error.
            let known = relation.constraint(name).filter(|known| !is_key || !known.has_index());
            known.is_some() || !is_key && relation.constraint_trigger(name).is_some()
        };
        if let Some(name) = name.as_ref().filter(taken) {
            if matches!(&kind, WrittenKind::Index { name: index, .. } if index != name)
                && self.catalog.relation_exists(relation.schema, name)
            {
                return Err(relation_taken(name));
            }
            let message = format!("constraint \"{name}\" for relation \"{}\" already exists", relation.name);
            return Err(SqlError::new(SqlState::DUPLICATE_OBJECT, message));
        }
        let names: BTreeSet<&str> =
            relation.constraints.iter().map(|constraint| constraint.name.as_str()).collect();
        let (name, columns, kind) = match kind {
            WrittenKind::Primary(columns) => {
                self.key_constraint(&relation, name, &columns, (Key::Primary, deferrable), &key)?
            }
            WrittenKind::Unique(columns) => {
                self.key_constraint(&relation, name, &columns, (Key::Unique, deferrable), &key)?
            }
            WrittenKind::UniqueNulls(columns) => {
                self.key_constraint(&relation, name, &columns, (Key::UniqueNulls, deferrable), &key)?
            }
            WrittenKind::Exclude(exclusion) => self.exclusion_constraint(&relation, name, exclusion)?,
            WrittenKind::Index { primary, name: index } => {
                self.index_constraint(&relation, name, &index, primary)?
            }
            WrittenKind::Check(written) => {
                let mut binder = self.binder();
                let scope = Scope::of(binder.row_of(&relation)?);
                binder.condition_in(Clause::Check, &scope, &written.expr)?;
                // Bound so that functions are called, what they are called with is part of the expression.
                let mut caller = self.binder();
                caller.once.without_queries = true;
                let bound = caller.condition_in(Clause::Check, &scope, &written.expr);
                let columns = bound.map_or_else(|_| Vec::new(), |bound| used_columns(&bound));
                let about = match &columns[..] {
                    [only] => relation.column_name(*only),
                    _ => "",
                };
                let taken = |name: &str| names.contains(name);
                let name = name.unwrap_or_else(|| choose(&relation.name, about, "check", taken));
                let expression = binder.shown_condition(&scope, &written.expr, &written.text);
                (name, columns, ConstraintKind::Check { expression })
            }
            WrittenKind::Foreign { columns, table, referenced, on_delete, on_update, set, full } => {
                let own = self.foreign_numbers(&relation, &columns)?;
                let parent = self.find(table.0.as_deref(), &table.1)?.clone();
                self.check_permanence(&relation, &parent)?;
                refuse_writing_generated(&relation, &own, on_delete, on_update)?;
                let referenced = self.referenced(&relation, &parent, &own, &referenced, name.as_deref())?;
                let role = &self.settings.role;
                let may = |number: &u32| self.catalog.allows_column(role, &parent, *number, 'x');
                if !self.catalog.allows_relation(role, &parent, 'x') && !referenced.iter().all(may) {
                    return Err(parent.denied());
                }
                let taken = |name: &str| names.contains(name);
                let name = name.unwrap_or_else(|| choose(&relation.name, &columns.join("_"), "fkey", taken));
                let set = self.numbers(&relation, &set)?;
                let kind = ConstraintKind::Foreign {
                    table: parent.oid,
                    columns: referenced,
                    on_delete,
                    on_update,
                    set,
                    full,
                };
                (name, own, kind)
            }
        };
        if no_inherit && relation.partitioning.is_some() {
            let message =
                format!("cannot add NO INHERIT constraint to partitioned table \"{}\"", relation.name);
            return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
        }
        if let Some(partitioning) = &relation.partitioning {
            crate::ddl::partition::check_key(&relation, &partitioning.keys, &kind, &columns)?;
        }
        let new = self.new_oid();
        let constraint = Constraint {
            oid: new,
            name,
            kind,
            columns,
            deferrable,
            deferred,
            validated,
            no_inherit,
            comment: None,
            parent: None,
        };
        self.relation_mut(oid).constraints.push(constraint.clone());
        if validated {
            self.validate(oid, &constraint)?;
        }
        self.create_foreign_triggers(oid, &constraint)
    }

    pub(super) fn foreign_numbers(&self, relation: &Relation, names: &[String]) -> Result<Vec<u32>> {
        let numbers = names.iter().map(|name| {
            relation.column(name).map(|column| column.number).ok_or_else(|| {
                let message =
                    format!("column \"{name}\" referenced in foreign key constraint does not exist");
                SqlError::new(SqlState::UNDEFINED_COLUMN, message)
            })
        });
        numbers.collect()
    }

    /// The columns to which a foreign key refers. They must be a key of the other table, with comparable types.
    pub(super) fn referenced(
        &self,
        relation: &Relation,
        parent: &Relation,
        own: &[u32],
        names: &[String],
        constraint: Option<&str>,
    ) -> Result<Vec<u32>> {
        if parent.shown_kind() != RelationKind::Table {
            let message = format!("referenced relation \"{}\" is not a table", parent.name);
            return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
        }
        let numbers = if names.is_empty() {
            parent.primary_key().map(|key| key.columns.clone()).ok_or_else(|| {
                let message = format!("there is no primary key for referenced table \"{}\"", parent.name);
                SqlError::new(SqlState::UNDEFINED_OBJECT, message)
            })?
        } else {
            self.foreign_numbers(parent, names)?
        };
        if numbers.len() != own.len() {
            let message = "number of referencing and referenced columns for foreign key disagree";
            return Err(SqlError::new(SqlState::INVALID_FOREIGN_KEY, message));
        }
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        let key = parent.indexes.iter().find(|index| {
            let mut keys: Vec<u32> = index.keys.iter().filter_map(|key| key.column).collect();
            keys.sort_unstable();
            index.unique && index.predicate.is_none() && keys.len() == index.keys.len() && keys == sorted
        });
        if key.is_some_and(|key| key.deferrable) {
            let message =
                format!("cannot use a deferrable unique constraint for referenced table \"{}\"", parent.name);
            return Err(SqlError::new(SqlState::NOT_IN_PREREQUISITE_STATE, message));
        }
        if key.is_none() {
            let message = format!(
                "there is no unique constraint matching given keys for referenced table \"{}\"",
                parent.name
            );
            return Err(SqlError::new(SqlState::INVALID_FOREIGN_KEY, message));
        }
        for (own, referenced) in own.iter().zip(&numbers) {
            let (Some(own), Some(referenced)) =
                (relation.column_number(*own), parent.column_number(*referenced))
            else {
                continue;
            };
            let (a, b) =
                (self.catalog.base_type(own.type_.base), self.catalog.base_type(referenced.type_.base));
            if !can_refer(a, b)? {
                let base = format!("{}_{}_fkey", relation.name, own.name);
                let name = constraint.unwrap_or(&base);
                let message = format!("foreign key constraint \"{name}\" cannot be implemented");
                return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message).detail(format!(
                    "Key columns \"{}\" and \"{}\" are of incompatible types: {} and {}.",
                    own.name,
                    referenced.name,
                    self.catalog.type_name(a, -1),
                    self.catalog.type_name(b, -1)
                )));
            }
        }
        Ok(numbers)
    }

    pub(super) fn key_constraint(
        &mut self,
        relation: &Relation,
        name: Option<String>,
        columns: &[String],
        (key, deferrable): (Key, bool),
        stored: &StoredKey,
    ) -> Result<(String, Vec<u32>, ConstraintKind)> {
        let (primary, nulls) = (key == Key::Primary, key == Key::UniqueNulls);
        if primary && relation.primary_key().is_some() {
            let message = format!("multiple primary keys for table \"{}\" are not allowed", relation.name);
            return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
        }
        let numbers = self.numbers(relation, columns)?;
        let include = self.numbers(relation, &stored.include)?;
        let options = new_options(Of::Index("btree"), &stored.parameters)?;
        let columns: Vec<&str> = columns.iter().chain(&stored.include).map(String::as_str).collect();
        let taken = |name: &str| self.catalog.relation_exists(relation.schema, name);
        let name = match name {
            Some(name) if taken(&name) => return Err(relation_taken(&name)),
            Some(name) => name,
            None if primary => choose(&relation.name, "", "pkey", taken),
            None => choose(&relation.name, &columns.join("_"), "key", taken),
        };
        if primary {
            for number in &numbers {
                self.column_mut(relation.oid, *number).not_null = true;
            }
        }
        let keys = numbers.iter().map(|number| IndexKey {
            column: Some(*number),
            expression: None,
            descending: false,
            nulls_first: None,
            class: None,
            collation: None,
        });
        let oid = self.new_oid();
        let index = Index {
            oid,
            name: name.clone(),
            unique: true,
            method: "btree".to_owned(),
            keys: keys.collect(),
            include,
            options,
            predicate: None,
            nulls_not_distinct: nulls,
            deferrable,
            comment: None,
            parent: None,
            only: false,
        };
        self.check_classes(relation, &index)?;
        self.create_index(relation, &index)?;
        self.relation_mut(relation.oid).indexes.push(index);
        let kind = if primary {
            ConstraintKind::Primary { index: oid }
        } else {
            ConstraintKind::Unique { index: oid }
        };
        Ok((name, numbers, kind))
    }

    pub(super) fn index_constraint(
        &mut self,
        relation: &Relation,
        name: Option<String>,
        index: &str,
        primary: bool,
    ) -> Result<(String, Vec<u32>, ConstraintKind)> {
        if relation.partitioning.is_some() {
            let message = "ALTER TABLE / ADD CONSTRAINT USING INDEX is not supported on partitioned tables";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        let Some(found) = relation.indexes.iter().find(|known| known.name == index) else {
            if self.catalog.relation_named(relation.schema, index).is_some() {
                let message = format!("\"{index}\" is not an index");
                return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
            }
            return Err(match self.catalog.index_named(relation.schema, index) {
                Some(_) => SqlError::new(
                    SqlState::NOT_IN_PREREQUISITE_STATE,
                    format!("index \"{index}\" does not belong to table \"{}\"", relation.name),
                ),
                None => {
                    SqlError::new(SqlState::UNDEFINED_OBJECT, format!("index \"{index}\" does not exist"))
                }
            });
        };
        require_for_constraint(relation, found)?;
        if primary && relation.primary_key().is_some() {
            let message = format!("multiple primary keys for table \"{}\" are not allowed", relation.name);
            return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
        }
        let columns: Vec<u32> = found.keys.iter().filter_map(|key| key.column).collect();
        let oid = found.oid;
        let name = name.unwrap_or_else(|| index.to_owned());
        if name != index {
            let message = format!(
                "ALTER TABLE / ADD CONSTRAINT USING INDEX will rename index \"{index}\" to \"{name}\""
            );
            self.report("NOTICE", &SqlError::new(SqlState::SUCCESSFUL_COMPLETION, message))?;
            if self.catalog.relation_exists(relation.schema, &name) {
                return Err(relation_taken(&name));
            }
        }
        let entry = self.relation_mut(relation.oid);
        for known in entry.indexes.iter_mut().filter(|known| known.oid == oid) {
            known.name.clone_from(&name);
        }
        if !primary {
            return Ok((name, columns, ConstraintKind::Unique { index: oid }));
        }
        for number in &columns {
            self.check_not_null(relation, *number)?;
            self.column_mut(relation.oid, *number).not_null = true;
        }
        self.refresh_checks(relation.oid)?;
        Ok((name, columns, ConstraintKind::Primary { index: oid }))
    }

    /// Checks that the existing rows satisfy a new constraint.
    pub(in crate::ddl) fn validate(&mut self, oid: Oid, constraint: &Constraint) -> Result<()> {
        let relation = self.relation(oid)?;
        match &constraint.kind {
            ConstraintKind::Check { expression } => {
                let condition = self.row_expression(&relation, expression, Clause::Check, None)?;
                let sql = format!(
                    "SELECT 1 FROM {} WHERE {} IS 0 LIMIT 1",
                    self.source_of_rows(&relation)?,
                    crate::ddl::physical::bare(&condition)
                );
                if !self.fetch(&sql, 1)?.is_empty() {
                    let message = format!(
                        "check constraint \"{}\" of relation \"{}\" is violated by some row",
                        constraint.name, relation.name
                    );
                    return Err(SqlError::new(SqlState::CHECK_VIOLATION, message));
                }
                Ok(())
            }
            ConstraintKind::Primary { .. } => {
                constraint.columns.iter().try_for_each(|number| self.check_not_null(&relation, *number))?;
                if constraint.deferrable { self.validate_exclusion(&relation, constraint) } else { Ok(()) }
            }
            ConstraintKind::Unique { .. } if constraint.deferrable => {
                self.validate_exclusion(&relation, constraint)
            }
            ConstraintKind::Unique { .. } => Ok(()),
            ConstraintKind::Exclude { .. } => self.validate_exclusion(&relation, constraint),
            ConstraintKind::Foreign { full, .. } => {
                let columns: Vec<String> =
                    constraint.columns.iter().map(|number| format!("c{number}")).collect();
                let present: Vec<String> =
                    columns.iter().map(|column| format!("{column} IS NOT NULL")).collect();
                let rows = self.source_of_rows(&relation)?;
                self.execute(&format!(
                    "INSERT INTO pg_pending SELECT DISTINCT {}, json_array({}), 0 FROM {rows} AS x WHERE {}",
                    constraint.oid,
                    crate::ddl::foreign_key::noted_values(&relation, &constraint.columns, "x"),
                    present.join(if *full { " OR " } else { " AND " })
                ))?;
                self.check_pending(true)
            }
        }
    }

    /// Checks that a column has no nulls.
    pub(in crate::ddl) fn check_not_null(&self, relation: &Relation, number: u32) -> Result<()> {
        let sql = format!("SELECT 1 FROM {} WHERE c{number} IS NULL LIMIT 1", self.source_of_rows(relation)?);
        if self.fetch(&sql, 1)?.is_empty() {
            return Ok(());
        }
        let message = format!(
            "column \"{}\" of relation \"{}\" contains null values",
            relation.column_name(number),
            relation.name
        );
        Err(SqlError::new(SqlState::NOT_NULL_VIOLATION, message))
    }
}

/// Whether a key of type `own` can refer to one of type `referenced`.
///
/// Fails if PostgreSQL could compare the types, but their representations here differ.
pub(in crate::ddl) fn can_refer(own: Type, referenced: Type) -> Result<bool> {
    let same = own == referenced
        || (own.is_integer() && referenced.is_integer())
        || (own.is_string() && referenced.is_string());
    if !same && cast::context(own, referenced) == Some(cast::Context::Implicit) {
        return Err(SqlError::unsupported("a foreign key between columns of different types"));
    }
    Ok(same)
}

/// Whether a key takes nulls for equal.
pub(super) fn takes_nulls(relation: &Relation, index: Oid) -> bool {
    relation.indexes.iter().any(|known| known.oid == index && known.nulls_not_distinct)
}

/// Keeps one of several keys over the same columns, as PostgreSQL does: the primary one, with the first name that was given.
pub(super) fn merge_keys(constraints: &mut Vec<ConstraintDefinition>) {
    let columns = |constraint: &ConstraintDefinition| match &constraint.kind {
        WrittenKind::Primary(columns) => Some((true, columns.clone())),
        WrittenKind::Unique(columns) => Some((false, columns.clone())),
        _ => None,
    };
    let deferral = |constraint: &ConstraintDefinition| (constraint.deferrable, constraint.deferred);
    let mut at = 0;
    while at < constraints.len() {
        let Some((false, own)) = columns(&constraints[at]) else {
            at += 1;
            continue;
        };
        let kept = constraints.iter().enumerate().position(|(other, constraint)| {
            let alike = (constraint.deferrable, constraint.deferred) == deferral(&constraints[at]);
            columns(constraint)
                .is_some_and(|(primary, columns)| alike && columns == own && (primary || other < at))
        });
        match kept {
            Some(kept) => {
                let name = constraints[at].name.take();
                let kept = &mut constraints[kept].name;
                *kept = kept.take().or(name);
                constraints.remove(at);
            }
            None => at += 1,
        }
    }
}

pub(super) fn used_columns(expr: &crate::tree::Expr) -> Vec<u32> {
    let mut columns = Vec::new();
    expr.any(&mut |expr| {
        if let crate::tree::Node::Column { field: crate::tree::Field::Column(number), .. } = expr.node
            && !columns.contains(&number)
        {
            columns.push(number);
        }
        false
    });
    columns
}

/// Refuses an index that no key can have.
fn require_for_constraint(relation: &Relation, index: &Index) -> Result<()> {
    let name = &index.name;
    let of_constraint = |constraint: &Constraint| match constraint.kind {
        ConstraintKind::Primary { index: own }
        | ConstraintKind::Unique { index: own }
        | ConstraintKind::Exclude { index: own, .. } => own == index.oid,
        _ => false,
    };
    if relation.constraints.iter().any(of_constraint) {
        let message = format!("index \"{name}\" is already associated with a constraint");
        return Err(SqlError::new(SqlState::NOT_IN_PREREQUISITE_STATE, message));
    }
    let unusual = |key: &IndexKey| {
        key.descending || key.nulls_first == Some(true) || key.class.is_some() || key.collation.is_some()
    };
    let message = if !index.unique {
        format!("\"{name}\" is not a unique index")
    } else if index.keys.iter().any(|key| key.expression.is_some()) {
        format!("index \"{name}\" contains expressions")
    } else if index.predicate.is_some() {
        format!("\"{name}\" is a partial index")
    } else if let Some(at) = index.keys.iter().position(unusual) {
        format!("index \"{name}\" column number {} does not have default sorting behavior", at + 1)
    } else {
        return Ok(());
    };
    Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message)
        .detail("Cannot create a primary key or unique constraint using such an index."))
}

/// Refuses a foreign key on a generated column that would write it.
fn refuse_writing_generated(
    relation: &Relation,
    own: &[u32],
    on_delete: Action,
    on_update: Action,
) -> Result<()> {
    let is_generated =
        |number: &u32| relation.column_number(*number).is_some_and(|column| column.generated.is_some());
    let sets = |action: Action| matches!(action, Action::SetNull | Action::SetDefault);
    let what = match () {
        () if !own.iter().any(is_generated) => return Ok(()),
        () if sets(on_update) || on_update == Action::Cascade => "ON UPDATE",
        () if sets(on_delete) => "ON DELETE",
        () => return Ok(()),
    };
    let message = format!("invalid {what} action for foreign key constraint containing generated column");
    Err(SqlError::new(SqlState::SYNTAX_ERROR, message))
}
