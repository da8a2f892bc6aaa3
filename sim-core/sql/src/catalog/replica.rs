//! Published tables: whether replicas can know the rows that a change is about.

use std::collections::BTreeSet;

use super::{Catalog, Oid, Publication, Published, Relation, RelationKind};
use crate::error::{SqlError, SqlState};

impl Catalog {
    /// The refusal of an update or a delete of a published table whose rows replicas can't tell apart.
    pub(crate) fn unpublishable(&self, relation: &Relation, event: &str) -> Option<SqlError> {
        let published = match event {
            "UPDATE" => 'u',
            "DELETE" => 'd',
            _ => return None,
        };
        if relation.shown_kind() != RelationKind::Table
            || relation.unlogged
            || Some(relation.schema) == self.temporary()
        {
            return None;
        }
        if relation.partitioning.is_some() {
            let mut partitions = self.partitions_of(relation.oid);
            return partitions.find_map(|(partition, _)| self.unpublishable(partition, event));
        }
        let above = self.tables_above(relation);
        let publications = self.publications().map(|(_, publication)| publication);
        let about: Vec<&Publication> = publications
            .filter(|known| !known.leaves_out.contains(published))
            .filter(|known| above.iter().any(|table| known.has(table)))
            .collect();
        if about.is_empty() {
            return None;
        }
        let (verb, verbs, gerund) = match event {
            "UPDATE" => ("update", "updates", "updating"),
            _ => ("delete from", "deletes", "deleting from"),
        };
        let refuse = |code: &str, end: &str| {
            let message = format!("cannot {verb} table \"{}\"{end}", relation.name);
            SqlError::new(SqlState::new(code), message)
        };
        let identity = relation.replica_columns();
        let parts: Vec<&Published> = about
            .iter()
            .filter(|known| !known.all_tables)
            .filter_map(|known| above.iter().find_map(|table| known.details.get(&table.oid)))
            .collect();
        let is_known = |column: &u32| identity.as_ref().is_none_or(|known| known.contains(column));
        if !parts.iter().all(|part| part.filters_by.iter().all(is_known)) {
            let detail =
                "Column used in the publication WHERE expression is not part of the replica identity.";
            return Some(refuse("42P10", "").detail(detail));
        }
        let covers = |columns: &[u32]| match &identity {
            None => columns.is_empty(),
            Some(known) => columns.is_empty() || known.iter().all(|column| columns.contains(column)),
        };
        if !parts.iter().all(|part| covers(&part.columns)) {
            let detail = "Column list used by the publication does not cover the replica identity.";
            return Some(refuse("42P10", "").detail(detail));
        }
        if identity.is_none_or(|columns| !columns.is_empty()) {
            return None;
        }
        let end = format!(" because it does not have a replica identity and publishes {verbs}");
        let hint = format!("To enable {gerund} the table, set REPLICA IDENTITY using ALTER TABLE.");
        Some(refuse(SqlState::NOT_IN_PREREQUISITE_STATE.as_str(), &end).hint(hint))
    }

    /// A table, and the tables that it is a partition of.
    fn tables_above<'c>(&'c self, relation: &'c Relation) -> Vec<&'c Relation> {
        let above = |table: &&'c Relation| self.relation(table.partition.as_ref()?.parent);
        std::iter::successors(Some(relation), above).collect()
    }

    /// The publications that have something of a column: its values, or a condition that reads it.
    pub(crate) fn publications_about(&self, table: Oid, number: u32) -> Vec<Oid> {
        let about = self.publications().filter(|(_, known)| {
            let part = known.details.get(&table);
            part.is_some_and(|part| part.columns.contains(&number) || part.filters_by.contains(&number))
        });
        about.map(|(publication, _)| publication).collect()
    }
}

impl Publication {
    /// Whether it has a table, whole or in part.
    fn has(&self, table: &Relation) -> bool {
        self.all_tables || self.tables.contains(&table.oid) || self.schemas.contains(&table.schema)
    }
}

impl Relation {
    /// The columns by which replicas know a row; `None` for all.
    fn replica_columns(&self) -> Option<BTreeSet<u32>> {
        match self.replica_identity {
            'f' => None,
            'i' => {
                let index = self.indexes.iter().find(|index| Some(index.oid) == self.replica_index);
                let keys = index.into_iter().flat_map(|index| &index.keys);
                Some(keys.filter_map(|key| key.column).collect())
            }
            'n' => Some(BTreeSet::new()),
            _ => {
                let key = self.primary_key().filter(|key| !key.deferrable);
                Some(key.into_iter().flat_map(|key| key.columns.iter().copied()).collect())
            }
        }
    }
}
