//! Rows that change with a row to which they refer, where that fires triggers.

use std::cell::RefCell;
use std::rc::Rc;

use rusqlite::types::Value;

use super::catalog::{Action, Constraint, ConstraintKind, Oid, Relation};
use super::dml_after::After;
use super::dml_order::Noted;
use super::dml_rows::Progress;
use super::error::{Result, SqlError, SqlState};
use super::plpgsql::deeper;
use super::run::Engine;

thread_local! {
    /// The foreign keys whose rows follow by rows, later than SQLite's own triggers would change them.
    static APART: RefCell<Rc<[Follower]>> = RefCell::new(Rc::new([]));
}

/// A foreign key whose rows change with the row to which they refer.
#[derive(Clone, Debug)]
pub(super) struct Follower {
    /// The table or the partition that has the key.
    child: Oid,
    /// The table that has its rows, and the key under that table's columns.
    stored: Oid,
    constraint: Constraint,
    /// ` AND` and the condition on the rows of a partition.
    within: String,
    /// What happens to these rows; `None` if there must be none.
    event: Option<&'static str>,
}

/// Whether SQLite's triggers make the changes that follow from a foreign key.
pub(super) fn cascades_at_once(constraint: Oid) -> bool {
    APART.with_borrow(|apart| apart.iter().all(|follower| follower.constraint.oid != constraint))
}

impl Engine<'_> {
    /// Deletes a row or gives it new values, by `sql`. The rows that refer to it and fire triggers follow later.
    pub(super) fn change_parent(
        &mut self,
        parent: &Rc<Relation>,
        (old, new): (&[Value], Option<&[Value]>),
        sql: &str,
        progress: &mut Progress,
    ) -> Result<()> {
        let followers = self.followers(parent, if new.is_some() { "UPDATE" } else { "DELETE" }, progress)?;
        let checks = followers.iter().any(|follower| follower.event.is_none());
        let last = if checks { self.last_note()? } else { 0 };
        let outer = APART.replace(followers.clone());
        let done = self.change(sql);
        APART.set(outer);
        done.map_err(|error| self.explain(error, sql))?;
        let noted = if checks { self.take_notes(last, &followers)? } else { Vec::new() };
        let moved = |follower: &Follower| follower.event.is_some() && follower.is_left(parent, old, new);
        if !noted.is_empty() || followers.iter().any(moved) {
            let (old, new) = (old.to_vec(), new.map(<[Value]>::to_vec));
            progress.after.push_back(After::Cascade { parent: parent.clone(), old, new, noted });
        }
        Ok(())
    }

    /// The foreign keys whose rows follow an event of a table by rows.
    fn followers(
        &self,
        parent: &Relation,
        event: &'static str,
        progress: &mut Progress,
    ) -> Result<Rc<[Follower]>> {
        if let Some(known) = progress.followers.get(&(parent.oid, event)) {
            return Ok(known.clone());
        }
        let mut found: Vec<Follower> = Vec::new();
        for (child, constraint) in self.catalog.references_to(parent.oid) {
            let ConstraintKind::Foreign { on_delete, on_update, .. } = &constraint.kind else { continue };
            let action = if event == "DELETE" { on_delete } else { on_update };
            let event = match action {
                Action::Cascade => Some(event),
                Action::SetNull | Action::SetDefault => Some("UPDATE"),
                Action::NoAction if self.is_deferred(constraint) => continue,
                Action::NoAction | Action::Restrict => None,
            };
            let fires = |event| self.changes_by_rows(self.catalog.with_rows_of(child), event);
            if progress.in_order || event.is_some_and(fires) {
                let (stored, constraint, within) = self.foreign_of_root(child, constraint)?;
                found.push(Follower { child: child.oid, stored: stored.oid, constraint, within, event });
            }
        }
        found.sort_by_key(|follower| follower.constraint.oid);
        let found: Rc<[Follower]> = found.into();
        progress.followers.insert((parent.oid, event), found.clone());
        Ok(found)
    }

    /// Changes the rows that refer to a row which was deleted or has another key, and checks that there are none of those keys which
    /// were noted.
    pub(super) fn cascade(
        &mut self,
        parent: &Relation,
        (old, new): (&[Value], Option<&[Value]>),
        noted: &[Noted],
        progress: &mut Progress,
    ) -> Result<()> {
        let followers = self.followers(parent, if new.is_some() { "UPDATE" } else { "DELETE" }, progress)?;
        for follower in followers.iter().filter(|follower| follower.is_left(parent, old, new)) {
            let Some(event) = follower.event else {
                let child = self.relation(follower.child)?;
                let known = child.constraints.iter().find(|known| known.oid == follower.constraint.oid);
                let of_key = noted.iter().filter(|noted| noted.key == follower.constraint.oid);
                known.into_iter().try_for_each(|key| {
                    of_key.clone().try_for_each(|noted| self.check_noted(&child, key, noted))
                })?;
                continue;
            };
            self.refuse_replaced(parent, follower, event)?;
            let line = self.statement_of_key(follower, event, new.is_some())?;
            self.as_text(line, |engine| {
                engine.change_referring(parent, (old, new), (follower, event), progress)
            })?;
        }
        Ok(())
    }

    /// The line of the context about the statement by which PostgreSQL changes the rows of a key.
    fn statement_of_key(&self, follower: &Follower, event: &str, update: bool) -> Result<String> {
        let child = self.relation(follower.child)?;
        let ConstraintKind::Foreign { on_delete, on_update, .. } = &follower.constraint.kind else {
            return Ok(String::new());
        };
        let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
        let name = |number: &u32| {
            let column = child.columns.iter().find(|column| column.number == *number);
            column.map_or_else(String::new, |column| quoted(&column.name))
        };
        let action = if update { on_update } else { on_delete };
        let set = follower.set(update).iter().enumerate().map(|(at, number)| match action {
            Action::SetNull => format!("{} = NULL", name(number)),
            Action::SetDefault => format!("{} = DEFAULT", name(number)),
            _ => format!("{} = ${}", name(number), at + 1),
        });
        let set = set.collect::<Vec<_>>().join(", ");
        let before = if update && *action == Action::Cascade { follower.constraint.columns.len() } else { 0 };
        let keys = follower.constraint.columns.iter().zip(before + 1..);
        let keys = keys.map(|(number, at)| format!("${at} OPERATOR(pg_catalog.=) {}", name(number)));
        let keys = keys.collect::<Vec<_>>().join(" AND ");
        let only = if child.partitioning.is_some() { "" } else { "ONLY " };
        let table = format!("{}.{}", quoted(self.catalog.schema_name(child.schema)), quoted(&child.name));
        let statement = match event {
            "DELETE" => format!("DELETE FROM {only}{table} WHERE {keys}"),
            _ => format!("UPDATE {only}{table} SET {set} WHERE {keys}"),
        };
        Ok(format!("SQL statement \"{statement}\""))
    }

    /// Changes the rows of one key.
    fn change_referring(
        &mut self,
        parent: &Relation,
        (old, new): (&[Value], Option<&[Value]>),
        (follower, event): (&Follower, &'static str),
        progress: &mut Progress,
    ) -> Result<()> {
        let child = self.relation(follower.stored)?;
        if let Some(refusal) = self.catalog.unpublishable(&self.relation(follower.child)?, event) {
            return Err(refusal);
        }
        let set = follower.set(new.is_some());
        let watched = self.watched(&child);
        let named = match follower.child == child.oid {
            true => watched.clone(),
            false => self.watched(&self.relation(follower.child)?),
        };
        if progress.begun.insert((follower.child, event)) {
            deeper(|| self.fire_for_statement(&named, "BEFORE", event, set))?;
        }
        // They fire once, after the last of the cascades.
        progress.after.retain(|next| !next.is_statement_of(follower.child, event));
        let key = follower.key(parent, old);
        for number in self.referring_rows(&child, follower, key.clone())? {
            self.budget.work(1_000)?;
            if event == "DELETE" {
                deeper(|| self.delete_row(&watched, None, number, progress))?;
            } else {
                let values = self.values_after(&child, follower, new.map(|new| follower.key(parent, new)))?;
                deeper(|| self.write_row(&watched, number, (set, &values), None, progress))?;
                // A row that keeps the key, as its default, still wants the row to which it refers.
                if values == key {
                    let oid = follower.constraint.oid;
                    self.execute(&format!("UPDATE pg_pending SET side = 1 WHERE key = {oid} AND side = 0"))?;
                }
            }
        }
        progress.after.push_back(deeper(|| After::statement(&named, event, set)));
        Ok(())
    }

    /// Refuses a change of rows that a rule makes something else of: they would keep referring to the row that has gone.
    fn refuse_replaced(&self, parent: &Relation, follower: &Follower, event: &str) -> Result<()> {
        let child = self.relation(follower.child)?;
        let replica = self.settings.is_replica();
        if !child.rules.iter().any(|rule| rule.event == event && rule.fires_in(replica) && rule.replaces()) {
            return Ok(());
        }
        let message = format!(
            "referential integrity query on \"{}\" from constraint \"{}\" on \"{}\" gave unexpected result",
            parent.name, follower.constraint.name, child.name
        );
        let error = SqlError::new(SqlState::INTERNAL, message);
        Err(error.hint("This is most likely due to a rule having rewritten the query."))
    }

    /// The values of the columns that a cascade sets.
    fn values_after(
        &mut self,
        child: &Relation,
        follower: &Follower,
        key: Option<Vec<Value>>,
    ) -> Result<Vec<Value>> {
        let set = follower.set(key.is_some());
        let ConstraintKind::Foreign { on_delete, on_update, .. } = &follower.constraint.kind else {
            return Ok(Vec::new());
        };
        match (if key.is_some() { on_update } else { on_delete }, key) {
            (Action::Cascade, Some(key)) => Ok(key),
            (Action::SetDefault, _) => {
                let defaults = set.iter().map(|number| self.default_sql(child, *number));
                let defaults = defaults.collect::<Result<Vec<_>>>()?.join(", ");
                self.values.clear();
                let found = self.fetch_calling(&format!("SELECT {defaults}"), set.len());
                self.take_back();
                Ok(found?.pop().unwrap_or_default())
            }
            _ => Ok(vec![Value::Null; set.len()]),
        }
    }

    /// The numbers of the rows with a key.
    fn referring_rows(&mut self, child: &Relation, follower: &Follower, key: Vec<Value>) -> Result<Vec<i64>> {
        let conditions = follower.constraint.columns.iter().enumerate();
        let conditions = conditions.map(|(index, number)| format!("c{number} = ?{}", index + 1));
        let conditions = conditions.collect::<Vec<_>>().join(" AND ") + &follower.within;
        self.values = key;
        let found = self.fetch(&format!("SELECT rowid FROM {} WHERE {conditions}", child.physical()), 1)?;
        let number = |row: Vec<Value>| match row[..] {
            [Value::Integer(number)] => Some(number),
            _ => None,
        };
        Ok(found.into_iter().filter_map(number).collect())
    }
}

impl Follower {
    /// The key, if there must be no rows.
    pub(super) fn checked(&self) -> Option<Oid> {
        self.event.is_none().then_some(self.constraint.oid)
    }

    /// The columns that the cascade sets.
    fn set(&self, update: bool) -> &[u32] {
        match &self.constraint.kind {
            ConstraintKind::Foreign { set, .. } if !update && !set.is_empty() => set,
            _ => &self.constraint.columns,
        }
    }

    /// The values of the columns of a row to which the key refers.
    fn key(&self, parent: &Relation, row: &[Value]) -> Vec<Value> {
        let ConstraintKind::Foreign { columns, .. } = &self.constraint.kind else { return Vec::new() };
        let at = |number: &u32| parent.columns.iter().position(|column| column.number == *number);
        columns.iter().filter_map(|number| row.get(at(number)?).cloned()).collect()
    }

    /// Whether rows may refer to a row as it was, and not as it is.
    fn is_left(&self, parent: &Relation, old: &[Value], new: Option<&[Value]>) -> bool {
        let before = self.key(parent, old);
        !before.contains(&Value::Null) && new.is_none_or(|new| self.key(parent, new) != before)
    }
}
