//! Transition tables: all rows that a statement has changed, as its triggers read them.

use rusqlite::types::Value;

use super::trigger::Watched;
use crate::bind::{Binder, KnownCte};
use crate::catalog::{Oid, Relation, Trigger};
use crate::run::{Engine, Returned, known_rows};
use crate::tree::Output;

/// The rows that a statement has changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changed {
    /// The table that the statement changes, and the partition of it that it names.
    pub(crate) own: Vec<Oid>,
    pub(crate) rows: Vec<Row>,
}

/// One change: its table, its event, and the row before and after it.
pub(crate) type Row = (Oid, &'static str, Option<Vec<Value>>, Option<Vec<Value>>);

/// Whether a trigger of a table reads the rows that an event has changed.
pub(crate) fn is_read(relation: &Relation, event: &str) -> bool {
    let reads = |trigger: &Trigger| {
        (trigger.old_table.is_some() || trigger.new_table.is_some())
            && trigger.enabled != 'D'
            && trigger.events.iter().any(|known| known == event)
    };
    relation.triggers.iter().any(reads)
}

impl Engine<'_> {
    /// The transition tables of a trigger, for an event.
    pub(super) fn transition_tables(
        &self,
        watched: &Watched,
        trigger: &Trigger,
        event: &str,
    ) -> Vec<KnownCte> {
        if trigger.old_table.is_none() && trigger.new_table.is_none() {
            return Vec::new();
        }
        let columns = watched.relation.columns.iter();
        let columns: Vec<Output> =
            columns.map(|column| Output { name: column.name.clone(), type_: column.type_ }).collect();
        let table = |name: &String, rows: Vec<Vec<Value>>| {
            known_rows(name.clone(), Returned { columns: columns.clone(), rows })
        };
        let own = &self.changed.own;
        let table_of = |oid: Oid| if own.contains(&oid) { own[0] } else { oid };
        let table_oid = table_of(watched.relation.oid);
        let of_event =
            || self.changed.rows.iter().filter(|(table, of, ..)| *of == event && *table == table_oid);
        let old = trigger.old_table.as_ref();
        let old = old.map(|name| table(name, of_event().filter_map(|(_, _, old, _)| old.clone()).collect()));
        let new = trigger.new_table.as_ref();
        let new = new.map(|name| table(name, of_event().filter_map(|(.., new)| new.clone()).collect()));
        old.into_iter().chain(new).collect()
    }

    /// Lets a statement read the transition tables of the innermost body.
    pub(crate) fn know_transition(&self, binder: &mut Binder<'_>) {
        self.transition.iter().for_each(|table| binder.know(table.clone()));
    }
}
