//! What one partition has and the others do not: keys, references, checks, columns without nulls.

use sqlparser::tokenizer::Token;

use crate::catalog::{Action, Column, Constraint, ConstraintKind, Index, Oid, Relation};
use crate::ddl::cursor::Cursor;
use crate::ddl::table::{ColumnDefinition, ConstraintDefinition, WrittenKind};
use crate::error::{Result, SqlError, SqlState};
use crate::print::{self, Names};
use crate::run::Engine;
use crate::tree::Expr;

/// What a partition is given when it is created.
pub(super) enum Own {
    Column(Box<ColumnDefinition>),
    Constraint(ConstraintDefinition),
}

/// Where the rows of a table or of a partition are.
pub(in crate::ddl) struct Side {
    /// The table or the partition.
    pub(in crate::ddl) of: Relation,
    /// The table that has its rows.
    pub(in crate::ddl) stored: Relation,
    /// The condition on rows of that table; `None` for all.
    pub(in crate::ddl) within: Option<Expr>,
}

impl Side {
    /// The numbers that columns have in the table that has the rows.
    pub(in crate::ddl) fn numbers(&self, own: &[u32]) -> Vec<u32> {
        let numbers = own.iter().map(|number| match &self.within {
            Some(_) => self.stored.column(self.of.column_name(*number)).map_or(0, |column| column.number),
            None => *number,
        });
        numbers.collect()
    }

    /// ` AND` and the condition on a row with a name, if there is one.
    pub(in crate::ddl) fn and_within(&self, row: &str) -> String {
        let names = Names::of(crate::ddl::physical::ROW, row);
        let condition = self.within.as_ref().map(|within| print::expression(within, names));
        condition.map_or_else(String::new, |condition| format!(" AND ({condition})"))
    }
}

impl Engine<'_> {
    /// Reads the list of columns and constraints of a new partition, if it is there.
    pub(super) fn partition_elements(
        &mut self,
        cursor: &mut Cursor<'_>,
        parent: &Relation,
    ) -> Result<Vec<Own>> {
        if !cursor.token(&Token::LParen) {
            return Ok(Vec::new());
        }
        let starts = ["constraint", "primary", "unique", "check", "foreign", "exclude"];
        let elements = cursor.list(|cursor| match starts.iter().any(|word| cursor.is(word)) {
            true => self.table_constraint(cursor).map(Own::Constraint),
            false => self.partition_column(cursor, parent).map(|column| Own::Column(Box::new(column))),
        })?;
        cursor.expect(&Token::RParen)?;
        Ok(elements)
    }

    /// Gives a new partition what it has besides what it takes from its table.
    pub(super) fn add_own(&mut self, oid: Oid, own: Own) -> Result<()> {
        let column = match own {
            Own::Constraint(constraint) => return self.add_to_partition(oid, constraint),
            Own::Column(column) => *column,
        };
        let number = self.relation(oid)?.column(&column.name).map_or(0, |known| known.number);
        if let Some(default) = &column.default {
            self.set_default(oid, number, default)?;
            self.share_default(oid, &column.name);
        }
        if column.not_null {
            self.column_mut(oid, number).not_null = true;
            self.sync_partitions(oid)?;
        }
        column.constraints.into_iter().try_for_each(|constraint| self.add_to_partition(oid, constraint))
    }

    /// Adds a constraint to one partition.
    pub(in crate::ddl) fn add_to_partition(
        &mut self,
        oid: Oid,
        constraint: ConstraintDefinition,
    ) -> Result<()> {
        let partition = self.relation(oid)?;
        let refused = match &constraint.kind {
            WrittenKind::Check(_) if partition.partitioning.is_some() => {
                Some("a check of a partition with partitions")
            }
            WrittenKind::Foreign { .. } => None,
            WrittenKind::Exclude(_) => Some("an exclusion constraint of a partition alone"),
            _ if constraint.deferrable => Some("a deferrable key of a partition alone"),
            _ => None,
        };
        if let Some(refused) = refused {
            return Err(SqlError::unsupported(refused));
        }
        self.add_constraint(oid, constraint)?;
        self.sync_partitions(oid)
    }

    /// Where the rows of a relation are.
    pub(in crate::ddl) fn stored_side(&self, relation: &Relation) -> Result<Side> {
        let of = relation.clone();
        if relation.partition.is_none() {
            return Ok(Side { stored: of.clone(), of, within: None });
        }
        let stored = self.relation(self.catalog.root_of(relation))?;
        let condition = self.catalog.condition_of_partition(relation);
        let within = self.row_expression(&stored, &condition, crate::bind::Clause::Check, None)?;
        Ok(Side { of, stored, within: Some(within) })
    }

    /// A foreign key as one of the table that has the rows, and ` AND` with the condition on these.
    pub(crate) fn foreign_of_root(
        &self,
        relation: &Relation,
        constraint: &Constraint,
    ) -> Result<(Relation, Constraint, String)> {
        let side = self.stored_side(relation)?;
        let mut own = constraint.clone();
        own.columns = side.numbers(&constraint.columns);
        if let ConstraintKind::Foreign { set, .. } = &mut own.kind {
            *set = side.numbers(set);
        }
        let within = side.and_within(&side.stored.physical());
        Ok((side.stored, own, within))
    }

    /// Refuses a reference to one partition whose rows would change with the row there: a row can leave the partition.
    pub(in crate::ddl) fn refuse_actions_of_partition(
        &self,
        referenced: &Relation,
        constraint: &Constraint,
    ) -> Result<()> {
        let ConstraintKind::Foreign { on_delete, on_update, .. } = &constraint.kind else { return Ok(()) };
        let acts = |action: &Action| !matches!(action, Action::NoAction | Action::Restrict);
        match referenced.partition.is_some() && (acts(on_delete) || acts(on_update)) {
            true => {
                let what = "a foreign key with ON DELETE or ON UPDATE actions to a partition alone";
                Err(SqlError::unsupported(what))
            }
            false => Ok(()),
        }
    }

    /// Removes the triggers of a table's own foreign keys and of those that refer to it.
    pub(super) fn drop_references(&self, relation: &Relation) -> Result<()> {
        for constraint in &relation.constraints {
            self.drop_foreign_triggers(relation.oid, constraint)?;
        }
        let mut references = self.catalog.references_to(relation.oid);
        references.try_for_each(|(child, constraint)| self.drop_foreign_triggers(child.oid, constraint))
    }

    /// Creates these triggers again, where the rows are now.
    pub(super) fn create_references(&self, oid: Oid) -> Result<()> {
        let relation = self.relation(oid)?;
        self.drop_references(&relation)?;
        for constraint in &relation.constraints {
            self.create_foreign_triggers(oid, constraint)?;
        }
        let to_itself = |child: &Relation| child.oid == oid;
        let mut references = self.catalog.references_to(oid).filter(|(child, _)| !to_itself(child));
        references.try_for_each(|(child, constraint)| self.create_foreign_triggers(child.oid, constraint))
    }

    /// A source of the rows of a relation: its table, or the rows of a partition under its own columns.
    pub(in crate::ddl) fn source_of_rows(&self, relation: &Relation) -> Result<String> {
        if relation.partition.is_none() {
            return Ok(relation.physical());
        }
        let root = self.relation(self.catalog.root_of(relation))?;
        let condition = self.partition_condition(&root, relation)?;
        let columns = relation.columns.iter().filter_map(|column| {
            let of_root = root.column(&column.name)?.number;
            Some(format!("c{of_root} AS c{}", column.number))
        });
        let columns = columns.collect::<Vec<_>>().join(", ");
        Ok(format!("(SELECT {columns} FROM {} WHERE {condition})", root.physical()))
    }

    /// Creates an index of the rows of one partition.
    pub(in crate::ddl) fn create_partition_index(&self, partition: &Relation, index: &Index) -> Result<()> {
        let (root, own) = self.index_of_root(partition, index)?;
        let condition = self.partition_condition(&root, partition)?;
        self.create_index_where(&root, &own, Some(&condition))
    }

    /// The table that has the rows of a partition, and the partition's index under that table's columns.
    pub(crate) fn index_of_root(&self, partition: &Relation, index: &Index) -> Result<(Relation, Index)> {
        let mut root = self.relation(self.catalog.root_of(partition))?;
        let mut own = index.clone();
        for key in &mut own.keys {
            let name = key.column.map(|number| partition.column_name(number));
            key.column = name.and_then(|name| root.column(name)).map(|column| column.number);
        }
        root.indexes.push(own.clone());
        Ok((root, own))
    }

    /// Creates the keys of one partition again, after the condition on its rows has changed.
    pub(super) fn create_own_indexes(&mut self, oid: Oid) -> Result<()> {
        let partition = self.relation(oid)?;
        self.drop_own_indexes(&partition)?;
        partition.indexes.iter().try_for_each(|index| self.create_index(&partition, index))
    }

    /// Gives the keys, references and indexes of a partition the new numbers of its columns, and drops those of columns that are gone.
    pub(super) fn renumber(&mut self, partition: &Relation, columns: &[Column]) -> Result<()> {
        let number = |old: &u32| {
            let name = &partition.column_number(*old)?.name;
            columns.iter().find(|column| column.name == *name).map(|column| column.number)
        };
        let kept = |old: &u32| number(old).is_some();
        if partition.columns.iter().all(|column| number(&column.number) == Some(column.number)) {
            return Ok(());
        }
        for known in partition.constraints.iter().filter(|known| !known.columns.iter().all(kept)) {
            self.drop_foreign_triggers(partition.oid, known)?;
        }
        let stays = |index: &Index| {
            index.keys.iter().filter_map(|key| key.column.as_ref()).chain(&index.include).all(kept)
        };
        for index in partition.indexes.iter().filter(|index| !stays(index)) {
            self.execute(&format!("DROP INDEX IF EXISTS i{}", index.oid))?;
        }
        let renumber = |numbers: &mut Vec<u32>| *numbers = numbers.iter().filter_map(number).collect();
        let relation = self.relation_mut(partition.oid);
        relation.constraints.retain(|known| known.columns.iter().all(kept));
        for known in &mut relation.constraints {
            renumber(&mut known.columns);
            if let ConstraintKind::Foreign { set, .. } = &mut known.kind {
                renumber(set);
            }
        }
        relation.indexes.retain(stays);
        for index in &mut relation.indexes {
            renumber(&mut index.include);
            index.keys.iter_mut().for_each(|key| key.column = key.column.as_ref().and_then(number));
        }
        let references = self.catalog.references_to(partition.oid);
        let references: Vec<(Oid, Oid)> = references.map(|(child, known)| (child.oid, known.oid)).collect();
        for (child, oid) in references {
            let known = self.relation_mut(child).constraints.iter_mut().find(|known| known.oid == oid);
            if let Some(ConstraintKind::Foreign { columns, .. }) = known.map(|known| &mut known.kind) {
                renumber(columns);
            }
        }
        Ok(())
    }

    pub(in crate::ddl) fn drop_own_indexes(&self, partition: &Relation) -> Result<()> {
        let unique = partition.indexes.iter().filter(|index| index.unique);
        unique.into_iter().try_for_each(|index| self.execute(&format!("DROP INDEX IF EXISTS i{}", index.oid)))
    }

    /// Lets the columns of partitions have nulls where those of their table may.
    pub(in crate::ddl) fn allow_nulls_below(&mut self, oid: Oid, column: &str) -> Result<()> {
        let mut below = Vec::new();
        self.catalog.add_partitions(oid, &mut below);
        for partition in below {
            let known = self.relation_mut(partition).columns.iter_mut().find(|known| known.name == column);
            known.into_iter().for_each(|known| known.not_null = false);
        }
        Ok(())
    }

    /// Gives the partitions of a table its default of a column.
    pub(in crate::ddl) fn share_default(&mut self, oid: Oid, column: &str) {
        let default = |relation: &Relation| relation.column(column).and_then(|column| column.default.clone());
        let shared = self.catalog.relation(oid).and_then(default);
        let mut below = Vec::new();
        self.catalog.add_partitions(oid, &mut below);
        for partition in below {
            let known = self.relation_mut(partition).columns.iter_mut().filter(|known| known.name == column);
            known.for_each(|known| known.default.clone_from(&shared));
        }
    }

    /// Refuses to detach a partition to whose rows other tables refer.
    pub(super) fn refuse_referenced(&self, partition: &Relation) -> Result<()> {
        let side = self.stored_side(partition)?;
        let mut above = partition.partition.as_ref().map(|of| of.parent);
        while let Some(parent) = above.and_then(|oid| self.catalog.relation(oid)) {
            for (child, constraint) in self.catalog.references_to(parent.oid) {
                let ConstraintKind::Foreign { columns, .. } = &constraint.kind else { continue };
                let names: Vec<&str> = columns.iter().map(|number| parent.column_name(*number)).collect();
                let numbers: Vec<u32> = names
                    .iter()
                    .filter_map(|name| side.stored.column(name))
                    .map(|column| column.number)
                    .collect();
                let equal = constraint
                    .columns
                    .iter()
                    .zip(&numbers)
                    .map(|(own, number)| format!("x.c{own} = p.c{number}"));
                let sql = format!(
                    "SELECT {} FROM {} AS p WHERE EXISTS (SELECT 1 FROM {} AS x WHERE {}){} LIMIT 1",
                    numbers.iter().map(|number| format!("p.c{number}")).collect::<Vec<_>>().join(", "),
                    side.stored.physical(),
                    self.source_of_rows(child)?,
                    equal.collect::<Vec<_>>().join(" AND "),
                    side.and_within("p")
                );
                let Some(key) = self.fetch(&sql, numbers.len())?.into_iter().next() else { continue };
                let message = format!(
                    "removing partition \"{}\" violates foreign key constraint \"{}\"",
                    partition.name, constraint.name
                );
                let detail = format!(
                    "Key ({})=({}) is still referenced from table \"{}\".",
                    names.join(", "),
                    crate::ddl::physical::shown(&key),
                    child.name
                );
                return Err(SqlError::new(SqlState::FOREIGN_KEY_VIOLATION, message).detail(detail));
            }
            above = parent.partition.as_ref().map(|of| of.parent);
        }
        Ok(())
    }

    /// Refuses to allow nulls in a column of a partition whose table has none in it.
    pub(in crate::ddl) fn require_nulls_above(&self, partition: &Relation, column: &str) -> Result<()> {
        let parent = partition.partition.as_ref().and_then(|of| self.catalog.relation(of.parent));
        match parent.and_then(|parent| parent.column(column)).is_some_and(|above| above.not_null) {
            true => {
                let message = format!("column \"{column}\" is marked NOT NULL in parent table");
                Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message))
            }
            false => Ok(()),
        }
    }
}

/// The numbers that columns of a table have in one of its partitions.
pub(super) fn numbers_in(parent: &Relation, numbers: &[u32], child: &Relation) -> Vec<u32> {
    let numbers = numbers.iter().map(|number| child.column(parent.column_name(*number)));
    numbers.flatten().map(|column| column.number).collect()
}
