//! What statements share with the functions that they call.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rusqlite::Connection;

use super::Engine;
use crate::Outcome;
use crate::catalog::Catalog;
use crate::error::Result;
use crate::plpgsql::{self, Carried};
use crate::source::Source;

impl<'a> Engine<'a> {
    /// The engine for a function that a statement calls.
    pub(crate) fn inside(connection: &'a Connection, carried: &Carried) -> Engine<'a> {
        let outcome = Outcome { wrote: carried.wrote, ..Outcome::default() };
        Engine {
            connection,
            catalog: carried.catalog.clone(),
            settings: carried.settings.clone(),
            source: Rc::new(Source::stored("")),
            parameters: Vec::new(),
            placeholders: None,
            only_binds: false,
            read_only: carried.read_only,
            kept: carried.kept.clone(),
            opened_by: carried.opened_by.clone(),
            outside: carried.outside.clone(),
            definers: carried.definers,
            limits: carried.limits,
            budget: carried.budget.clone(),
            outcome,
            conflict: None,
            calls: carried.calls,
            frame: None,
            running: None,
            known: carried.known.clone(),
            values: Vec::new(),
            last_bound: None,
            last_query: None,
            changed: Rc::default(),
            transition: Vec::new(),
            prepared: carried.prepared.clone(),
            joined: None,
            carried_back: RefCell::default(),
            before: BTreeMap::new(),
            in_block: false,
            read_only_block: false,
            chained: None,
            away: carried.away.clone(),
            writes: carried.writes,
            alone: false,
            defining: false,
            has_seen: true,
            ends_at: None,
            guarded: 0,
            noted: 0,
            only_reads: false,
            at_hand: None,
            around: carried.around.clone(),
            _dates: None,
        }
    }

    /// The state that functions share with the statements that call them.
    pub(crate) fn carried(&self) -> Carried {
        Carried {
            catalog: self.catalog.clone(),
            settings: self.settings.clone(),
            read_only: self.read_only || self.read_only_block,
            kept: self.kept.clone(),
            opened_by: self.opened_by.clone(),
            outside: self.outside.clone(),
            definers: self.definers,
            limits: self.limits,
            budget: self.budget.clone(),
            away: self.away.clone(),
            wrote: self.outcome.wrote,
            writes: self.writes,
            calls: self.calls,
            known: self.known.clone(),
            prepared: self.prepared.clone(),
            around: self.around.clone(),
        }
    }

    /// Runs `query` on SQLite, which may call functions with bodies. [`Engine::take_back`] then takes over what they changed.
    pub(super) fn calling<T>(&self, query: impl FnOnce() -> T) -> T {
        let (result, carried) = plpgsql::calling(self.connection, self.carried(), query);
        *self.carried_back.borrow_mut() = Some(carried);
        result
    }

    /// The same where what the functions have changed of the state does not count.
    pub(crate) fn calling_apart<T>(&self, query: impl FnOnce() -> T) -> T {
        let carried = self.carried_back.take();
        let result = self.calling(query);
        self.carried_back.replace(carried);
        result
    }

    /// Reads the catalog again, after something was undone.
    pub(crate) fn reload(&mut self) -> Result<()> {
        self.catalog = Catalog::load(self.connection)?;
        if let Some(name) = self.away.clone() {
            self.take_temporary(&name);
        }
        Ok(())
    }

    /// Takes over the state that functions have changed.
    pub(crate) fn take_back(&mut self) {
        if let Some(carried) = self.carried_back.take() {
            self.catalog = carried.catalog;
            self.settings = carried.settings;
            self.kept = carried.kept;
            self.prepared = carried.prepared;
            self.outcome.wrote |= carried.wrote;
            self.writes = carried.writes;
        }
    }
}
