//! What a partition has of its table: parts of indexes and keys, references and checks. Those of the table are in force; the parts
//! are what catalogs show, and what the partition keeps when it is detached.

use super::own::numbers_in;
use crate::catalog::{Constraint, ConstraintKind, Index, IndexKey, Oid, Relation};
use crate::ddl::cursor::Cursor;
use crate::ddl::names::choose;
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};

impl Engine<'_> {
    /// Gives a partition its parts of what its table has, and takes from it the parts of what that has no more.
    ///
    /// An index of the partition itself becomes the part of one like it. Indexes of `ONLY` the table have parts in new partitions.
    pub(super) fn inherit(&mut self, parent: &Relation, oid: Oid, is_new: bool) -> Result<()> {
        let (indexes, constraints) = (&parent.indexes, &parent.constraints);
        let relation = self.relation_mut(oid);
        let is_left = |of: Option<Oid>| of.is_none_or(|of| indexes.iter().any(|index| index.oid == of));
        relation.indexes.retain(|own| is_left(own.parent));
        let is_left = |of: Option<Oid>| of.is_none_or(|of| constraints.iter().any(|known| known.oid == of));
        relation.constraints.retain(|own| is_left(own.parent));
        for index in indexes.iter().filter(|index| is_new || !index.only) {
            self.inherit_index(parent, index, oid)?;
        }
        for constraint in constraints {
            match constraint.kind {
                ConstraintKind::Check { .. } => self.inherit_check(parent, constraint, oid)?,
                ConstraintKind::Foreign { .. } => self.inherit_reference(parent, constraint, oid)?,
                // A key comes with its index.
                _ => {}
            }
        }
        Ok(())
    }

    fn inherit_index(&mut self, parent: &Relation, index: &Index, oid: Oid) -> Result<()> {
        let child = self.relation(oid)?;
        if child.indexes.iter().any(|own| own.parent == Some(index.oid)) {
            return Ok(());
        }
        let key = key_of(parent, index.oid);
        let fits = |own: &&Index| {
            own.parent.is_none()
                && alike((parent, index), (&child, own))
                && (key.is_none() || key_of(&child, own.oid).is_some())
        };
        if let Some(own) = child.indexes.iter().find(fits) {
            return self.attach_index((parent, index.oid), oid, own.oid);
        }
        let primary = key.is_some_and(|key| matches!(key.kind, ConstraintKind::Primary { .. }));
        if primary && child.primary_key().is_some() {
            let message = format!("multiple primary keys for table \"{}\" are not allowed", child.name);
            return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
        }
        let number = |number: &u32| numbers_in(parent, &[*number], &child).first().copied();
        let keys = index
            .keys
            .iter()
            .map(|key| IndexKey { column: key.column.as_ref().and_then(number), ..key.clone() });
        let keys: Vec<IndexKey> = keys.collect();
        let taken = |name: &str| self.catalog.relation_exists(child.schema, name);
        let columns = |key: &Constraint| {
            let names = key.columns.iter().map(|number| parent.column_name(*number));
            names.collect::<Vec<_>>().join("_")
        };
        let include = numbers_in(parent, &index.include, &child);
        let name = match key {
            Some(_) if primary => choose(&child.name, "", "pkey", taken),
            Some(key) => choose(&child.name, &columns(key), "key", taken),
            None => self.index_name(&child, &keys, &include),
        };
        let part = Index {
            oid: self.new_oid(),
            name: name.clone(),
            keys,
            include,
            comment: None,
            parent: Some(index.oid),
            only: false,
            ..index.clone()
        };
        let of_part = part.oid;
        self.relation_mut(oid).indexes.push(part);
        if let Some(key) = key {
            let kind = match primary {
                true => ConstraintKind::Primary { index: of_part },
                false => ConstraintKind::Unique { index: of_part },
            };
            let columns = numbers_in(parent, &key.columns, &child);
            let new = self.new_oid();
            let part = Constraint { oid: new, name, kind, columns, ..part_of(key) };
            self.relation_mut(oid).constraints.push(part);
        }
        Ok(())
    }

    /// Makes an index of a partition the part of an index of its table.
    fn attach_index(&mut self, (parent, index): (&Relation, Oid), oid: Oid, own: Oid) -> Result<()> {
        let child = self.relation(oid)?;
        self.execute(&format!("DROP INDEX IF EXISTS i{own}"))?;
        let above = key_of(parent, index).map(|key| key.oid);
        let key = key_of(&child, own).filter(|_| above.is_some());
        key.map_or(Ok(()), |key| self.drop_foreign_triggers(oid, key))?;
        let key = key.map(|key| key.oid);
        let relation = self.relation_mut(oid);
        relation
            .indexes
            .iter_mut()
            .filter(|known| known.oid == own)
            .for_each(|known| known.parent = Some(index));
        let constraints = relation.constraints.iter_mut().filter(|known| Some(known.oid) == key);
        constraints.for_each(|known| known.parent = above);
        Ok(())
    }

    fn inherit_check(&mut self, parent: &Relation, constraint: &Constraint, oid: Oid) -> Result<()> {
        let child = self.relation(oid)?;
        let new = self.new_oid();
        let columns = numbers_in(parent, &constraint.columns, &child);
        let is_part = |own: &&mut Constraint| own.parent == Some(constraint.oid);
        let relation = self.relation_mut(oid);
        if let Some(own) = relation.constraints.iter_mut().find(is_part) {
            *own = Constraint { oid: own.oid, columns, comment: own.comment.take(), ..part_of(constraint) };
            return Ok(());
        }
        match relation.constraints.iter_mut().find(|own| own.name == constraint.name) {
            Some(own) if own.kind == constraint.kind => own.parent = Some(constraint.oid),
            Some(own) => {
                let (name, table) = (&own.name, &child.name);
                let message = format!("constraint \"{name}\" for relation \"{table}\" already exists");
                return Err(SqlError::new(SqlState::DUPLICATE_OBJECT, message));
            }
            None => relation.constraints.push(Constraint { oid: new, columns, ..part_of(constraint) }),
        }
        Ok(())
    }

    fn inherit_reference(&mut self, parent: &Relation, constraint: &Constraint, oid: Oid) -> Result<()> {
        let child = self.relation(oid)?;
        let columns = numbers_in(parent, &constraint.columns, &child);
        let mut kind = constraint.kind.clone();
        if let ConstraintKind::Foreign { set, .. } = &mut kind {
            *set = numbers_in(parent, set, &child);
        }
        let flags = |known: &Constraint| (known.deferrable, known.deferred, known.validated);
        if let Some(own) = child.constraints.iter().find(|own| own.parent == Some(constraint.oid)) {
            let own = own.oid;
            let relation = self.relation_mut(oid);
            let own = relation.constraints.iter_mut().filter(|known| known.oid == own);
            own.for_each(|own| {
                (own.deferrable, own.deferred, own.validated) = flags(constraint);
            });
            return Ok(());
        }
        let same = |own: &&Constraint| {
            own.parent.is_none()
                && own.columns == columns
                && own.kind == kind
                && flags(own) == flags(constraint)
        };
        if let Some(own) = child.constraints.iter().find(same) {
            self.drop_foreign_triggers(oid, own)?;
            let own = own.oid;
            let relation = self.relation_mut(oid);
            let own = relation.constraints.iter_mut().filter(|known| known.oid == own);
            own.for_each(|own| own.parent = Some(constraint.oid));
            return Ok(());
        }
        let name = match child.constraint(&constraint.name) {
            None => constraint.name.clone(),
            Some(_) => {
                let names: Vec<&str> = columns.iter().map(|number| child.column_name(*number)).collect();
                choose(&child.name, &names.join("_"), "fkey", |name| child.constraint(name).is_some())
            }
        };
        let new = self.new_oid();
        let part = Constraint { oid: new, name, kind, columns, ..part_of(constraint) };
        self.relation_mut(oid).constraints.push(part);
        Ok(())
    }

    /// `ALTER INDEX … ATTACH PARTITION`, after these words.
    pub(in crate::ddl) fn attach_to_index(
        &mut self,
        cursor: &mut Cursor<'_>,
        (table, index): (Oid, Oid),
    ) -> Result<Done> {
        let (schema, name) = cursor.name()?;
        cursor.finish()?;
        let (oid, own) = self.index_by_name(schema.as_deref(), &name)?;
        let (parent, child) = (self.relation(table)?, self.relation(oid)?);
        let found = |relation: &Relation, oid: Oid| {
            relation
                .indexes
                .iter()
                .find(|known| known.oid == oid)
                .cloned()
                .expect("the index was found by its name")
        };
        let (above, part) = (found(&parent, index), found(&child, own));
        if parent.partitioning.is_none() {
            let message =
                format!("ALTER action ATTACH PARTITION cannot be performed on relation \"{}\"", above.name);
            return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message)
                .detail("This operation is not supported for indexes."));
        }
        if part.parent == Some(index) {
            return Ok(Done::command("ALTER INDEX"));
        }
        let refuse = |code: &'static str, detail: String| {
            let message =
                format!("cannot attach index \"{name}\" as a partition of index \"{}\"", above.name);
            Err(SqlError::new(SqlState::new(code), message).detail(detail))
        };
        if part.parent.is_some() {
            return refuse("55000", format!("Index \"{name}\" is already attached to another index."));
        }
        if child.partition.as_ref().is_none_or(|of| of.parent != table) {
            let detail =
                format!("Index \"{name}\" is not an index on any partition of table \"{}\".", parent.name);
            return refuse("55000", detail);
        }
        if !alike((&parent, &above), (&child, &part)) {
            return refuse("42P17", "The index definitions do not match.".to_owned());
        }
        if child.indexes.iter().any(|known| known.parent == Some(index)) {
            let detail = format!("Another index is already attached for partition \"{}\".", child.name);
            return refuse("55000", detail);
        }
        if key_of(&parent, index).is_some() && key_of(&child, own).is_none() {
            let detail = format!(
                "The index \"{}\" belongs to a constraint in table \"{}\" but no constraint exists for index \"{name}\".",
                above.name, parent.name
            );
            return refuse("42P17", detail);
        }
        self.attach_index((&parent, index), oid, own)?;
        let catalog = self.catalog.clone();
        let has_part = |part: &Relation| part.indexes.iter().any(|known| known.parent == Some(index));
        if catalog.partitions_of(table).all(|(part, _)| has_part(part)) {
            let indexes = self.relation_mut(table).indexes.iter_mut();
            indexes.filter(|known| known.oid == index).for_each(|known| known.only = false);
        }
        Ok(Done::command("ALTER INDEX"))
    }

    /// What `ALTER TABLE ONLY` has added to a partitioned table, which its partitions do not get.
    pub(in crate::ddl) fn keep_to_only(&mut self, before: &Relation) -> Result<()> {
        let has_parts = self.catalog.partitions_of(before.oid).next().is_some();
        let relation = self.relation_mut(before.oid);
        let is_new = |known: &&Constraint| before.constraints.iter().all(|old| old.oid != known.oid);
        for known in relation.constraints.iter().filter(is_new) {
            match known.kind {
                ConstraintKind::Check { .. } if has_parts => {
                    let message = "constraint must be added to child tables too";
                    return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
                }
                ConstraintKind::Foreign { table, .. } => {
                    let message = format!(
                        "cannot use ONLY for foreign key on partitioned table \"{}\" referencing relation \"{}\"",
                        before.name,
                        self.relation(table)?.name
                    );
                    return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
                }
                _ => {}
            }
        }
        let is_new = |known: &&mut Index| before.indexes.iter().all(|old| old.oid != known.oid);
        let indexes = self.relation_mut(before.oid).indexes.iter_mut();
        indexes.filter(is_new).for_each(|index| index.only = has_parts);
        Ok(())
    }

    /// Refuses to drop a constraint that a partition has of its table.
    pub(in crate::ddl) fn refuse_inherited(&self, relation: &Relation, name: &str) -> Result<()> {
        match relation.constraint(name).is_some_and(|known| known.parent.is_some()) {
            true => {
                let table = &relation.name;
                let message = format!("cannot drop inherited constraint \"{name}\" of relation \"{table}\"");
                Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message))
            }
            false => Ok(()),
        }
    }
}

/// A copy of a constraint as a part of it.
fn part_of(constraint: &Constraint) -> Constraint {
    Constraint { parent: Some(constraint.oid), comment: None, ..constraint.clone() }
}

/// The primary or unique constraint of an index.
fn key_of(relation: &Relation, index: Oid) -> Option<&Constraint> {
    relation.constraints.iter().find(|known| match known.kind {
        ConstraintKind::Primary { index: of } | ConstraintKind::Unique { index: of } => of == index,
        _ => false,
    })
}

/// Whether an index of a partition can be the part of an index of its table.
fn alike((parent, above): (&Relation, &Index), (child, own): (&Relation, &Index)) -> bool {
    let keys =
        |relation: &Relation, index: &Index| -> Vec<(Option<String>, Option<String>, Option<String>)> {
            let name = |number: u32| relation.column_name(number).to_owned();
            let key = |key: &IndexKey| (key.column.map(name), key.expression.clone(), key.class.clone());
            index.keys.iter().map(key).collect()
        };
    let included = |relation: &Relation, index: &Index| -> Vec<String> {
        index.include.iter().map(|number| relation.column_name(*number).to_owned()).collect()
    };
    let flags = |index: &Index| (index.unique, index.nulls_not_distinct, index.deferrable);
    flags(above) == flags(own)
        && above.method == own.method
        && above.predicate == own.predicate
        && keys(parent, above) == keys(child, own)
        && included(parent, above) == included(child, own)
}
