//! What one partition has and the others do not: keys, checks, columns without nulls.

use crate::catalog::{Index, Oid, Relation};
use crate::ddl::table::{ConstraintDefinition, WrittenKind};
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;

impl Engine<'_> {
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
            WrittenKind::Foreign { .. } => Some("a foreign key of a partition alone"),
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
