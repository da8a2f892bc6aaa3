//! `LIKE` in a table's definition: what it copies of another table.

use super::constraints::takes_nulls;
use super::{ColumnDefinition, ConstraintDefinition, Element, SequenceOption, StoredKey, WrittenKind};
use crate::bind::seen;
use crate::catalog::{Column, Constraint, ConstraintKind, Index, IndexKey, Oid, Relation};
use crate::ddl::cursor::{Cursor, Written};
use crate::ddl::exclusion::Exclusion;
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;
use crate::source::Source;

/// What is copied besides names, types and `NOT NULL`.
#[derive(Clone, Copy, Default)]
pub(super) struct Copied {
    comments: bool,
    constraints: bool,
    defaults: bool,
    generated: bool,
    identity: bool,
    indexes: bool,
    storage: bool,
    compression: bool,
}

impl Copied {
    /// Reads `INCLUDING` and `EXCLUDING`. What is known of the distribution of values is the same for all tables.
    fn read(cursor: &mut Cursor<'_>) -> Result<Copied> {
        let mut copied = Copied::default();
        while cursor.is("including") || cursor.is("excluding") {
            let including = cursor.is("including");
            cursor.at += 1;
            let what = cursor.ident()?;
            let parts = [
                ("comments", &mut copied.comments),
                ("constraints", &mut copied.constraints),
                ("defaults", &mut copied.defaults),
                ("generated", &mut copied.generated),
                ("identity", &mut copied.identity),
                ("indexes", &mut copied.indexes),
                ("storage", &mut copied.storage),
                ("compression", &mut copied.compression),
            ];
            let is_known =
                matches!(&*what, "all" | "statistics") || parts.iter().any(|(word, _)| *word == what);
            if !is_known {
                cursor.at -= 1;
                return Err(cursor.unexpected());
            }
            for (_, part) in parts.into_iter().filter(|(word, _)| *word == what || what == "all") {
                *part = including;
            }
        }
        Ok(copied)
    }
}

impl Engine<'_> {
    /// `LIKE`, after this word.
    pub(super) fn like(&self, cursor: &mut Cursor<'_>) -> Result<Element> {
        let at = cursor.peek().and_then(|token| cursor.source.place(token.span.start));
        let (schema, name) = cursor.name()?;
        let from = self.find(schema.as_deref(), &name).map_err(|error| error.at(at))?.oid;
        Ok(Element::Like { from, copied: Copied::read(cursor)? })
    }

    /// Adds the columns of another table, and returns its constraints.
    pub(super) fn copy_columns(
        &mut self,
        oid: Oid,
        from: Oid,
        copied: Copied,
    ) -> Result<Vec<ConstraintDefinition>> {
        let from = self.relation(from)?;
        for column in &from.columns {
            let relation = self.relation_mut(oid);
            if relation.column(&column.name).is_some() {
                let message = format!("column \"{}\" specified more than once", column.name);
                return Err(SqlError::new(SqlState::DUPLICATE_COLUMN, message));
            }
            let number = relation.next_column;
            relation.next_column += 1;
            // The default of a column with a sequence of its own reads that sequence.
            relation.columns.push(Column {
                number,
                default: column.default.clone().filter(|_| copied.defaults),
                generated: column.generated.clone().filter(|_| copied.generated),
                comment: column.comment.clone().filter(|_| copied.comments),
                identity: column.identity.filter(|_| copied.identity),
                stored: column.stored.clone().only(copied.storage, copied.compression),
                sequence: None,
                acl: Default::default(),
                ..column.clone()
            });
            if copied.identity && column.identity.is_some() {
                self.copy_sequence(oid, number, column)?;
            }
        }
        // Checks are bound anew, along the path of this session.
        let seen = seen(&self.catalog, &self.settings);
        constraints(seen.relation(from.oid).unwrap_or(&from), copied)
    }

    /// Creates a sequence like that of an identity column.
    fn copy_sequence(&mut self, oid: Oid, number: u32, column: &Column) -> Result<()> {
        let sequence = column.sequence.and_then(|sequence| self.catalog.relation(sequence));
        let options = sequence.and_then(|sequence| sequence.sequence.clone());
        let given = options.map(|options| {
            vec![
                SequenceOption::Start(options.start),
                SequenceOption::Increment(options.increment),
                SequenceOption::Minimum(Some(options.minimum)),
                SequenceOption::Maximum(Some(options.maximum)),
                SequenceOption::Cache(options.cache),
                SequenceOption::Cycle(options.cycle),
            ]
        });
        let definition = ColumnDefinition {
            name: column.name.clone(),
            type_: column.type_,
            not_null: true,
            nullable: None,
            conflict: None,
            compression: None,
            default: None,
            generated: None,
            identity: column.identity,
            serial: false,
            sequence: given.unwrap_or_default(),
            sequence_name: None,
            constraints: Vec::new(),
            options: Default::default(),
            collation: None,
        };
        self.own_sequence(oid, number, &definition)
    }

    /// Creates the indexes of another table that are not of its constraints.
    pub(super) fn copy_indexes(&mut self, oid: Oid, from: Oid, copied: Copied) -> Result<()> {
        let from = self.relation(from)?;
        let of_constraint = |index: &Index| {
            from.constraints.iter().any(|constraint| match constraint.kind {
                ConstraintKind::Primary { index: own }
                | ConstraintKind::Unique { index: own }
                | ConstraintKind::Exclude { index: own, .. } => own == index.oid,
                _ => false,
            })
        };
        for index in from.indexes.iter().filter(|index| copied.indexes && !of_constraint(index)) {
            let relation = self.relation(oid)?;
            let number = |old: u32| {
                let column = relation.column(from.column_name(old));
                column.map_or(0, |column| column.number)
            };
            let keys: Vec<IndexKey> = index
                .keys
                .iter()
                .map(|key| IndexKey { column: key.column.map(number), ..key.clone() })
                .collect();
            let include: Vec<u32> = index.include.iter().map(|old| number(*old)).collect();
            let copy = Index {
                name: self.index_name(&relation, &keys, &include),
                include,
                keys,
                comment: index.comment.clone().filter(|_| copied.comments),
                parent: None,
                only: false,
                oid: self.new_oid(),
                ..index.clone()
            };
            self.create_index(&relation, &copy)?;
            self.relation_mut(oid).indexes.push(copy);
        }
        Ok(())
    }
}

fn constraints(from: &Relation, copied: Copied) -> Result<Vec<ConstraintDefinition>> {
    let names = |numbers: &[u32]| numbers.iter().map(|number| from.column_name(*number).to_owned()).collect();
    let mut found = Vec::new();
    for constraint in &from.constraints {
        let columns = &constraint.columns;
        let (name, kind) = match &constraint.kind {
            ConstraintKind::Check { expression } if copied.constraints => {
                let expr = Box::new(Source::stored(expression).expression()?);
                let check = Written { expr, text: expression.clone() };
                (Some(constraint.name.clone()), WrittenKind::Check(check))
            }
            ConstraintKind::Primary { .. } if copied.indexes => (None, WrittenKind::Primary(names(columns))),
            ConstraintKind::Unique { index } if copied.indexes && takes_nulls(from, *index) => {
                (None, WrittenKind::UniqueNulls(names(columns)))
            }
            ConstraintKind::Unique { .. } if copied.indexes => (None, WrittenKind::Unique(names(columns))),
            ConstraintKind::Exclude { index, operators } if copied.indexes => {
                let Some(index) = from.indexes.iter().find(|known| known.oid == *index) else { continue };
                if !index.options.is_empty() {
                    let name = &constraint.name;
                    return Err(SqlError::unsupported(format!(
                        "LIKE of the parameters of the constraint {name}"
                    )));
                }
                (None, WrittenKind::Exclude(Exclusion::like(from, index, operators)?))
            }
            _ => continue,
        };
        let (deferrable, deferred) = (constraint.deferrable, constraint.deferred);
        let key = StoredKey { include: included(from, constraint), parameters: Vec::new() };
        found.push(ConstraintDefinition {
            name,
            kind,
            deferrable,
            deferred,
            validated: true,
            no_inherit: false,
            key,
        });
    }
    Ok(found)
}

/// The names of the columns that the index of a key has besides the key.
fn included(from: &Relation, constraint: &Constraint) -> Vec<String> {
    let (ConstraintKind::Primary { index } | ConstraintKind::Unique { index }) = constraint.kind else {
        return Vec::new();
    };
    let index = from.indexes.iter().find(|known| known.oid == index);
    let numbers = index.map_or(&[][..], |index| &index.include);
    numbers.iter().map(|number| from.column_name(*number).to_owned()).collect()
}
