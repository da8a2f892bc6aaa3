//! Changes of tables with triggers, row by row.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use rusqlite::types::Value;

use super::catalog::{Action, Constraint, ConstraintKind, Oid, Relation, RelationKind, Trigger};
use super::dml_after::After;
use super::dml_cascade::Follower;
use super::dml_deferred::Later;
use super::error::Result;
use super::in_use::tables_in;
use super::plpgsql::{Change, Changed, Watched, fires, transition_is_read, with_stack};
use super::print::{self, Names};
use super::run::Engine;
use super::state::affected_twice;
use super::touched::{self, Changing};
use super::tree::Expr;
use super::types::Type;

/// A change whose rows a query finds.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) table: Oid,
    /// The partition that the statement names; its triggers for each statement fire.
    pub(super) partition: Option<Oid>,
    pub(super) event: &'static str,
    /// Queries of the new values, after the number of the row if it is there already.
    pub(super) queries: Vec<String>,
    /// The columns of these values.
    pub(super) numbers: Vec<u32>,
    pub(super) conflict: Option<OnConflict>,
    /// What is returned of each row, and how many columns that has.
    pub(super) returning: Option<(String, usize)>,
    /// The number of the table as a source.
    pub(super) source: usize,
    /// What is returned of the rows beside it: their number as a source, and how many values that are. These follow the new ones.
    pub(super) beside: Option<(usize, usize)>,
    /// The query that refuses a row, whose stored values are its parameters, as triggers leave it.
    pub(super) check: Option<String>,
    /// The query that refuses a stored row, whose number is its parameter.
    pub(super) views: Option<String>,
}

impl Rows {
    /// The source of what is returned of the rows beside a row.
    pub(super) fn source_beside(&self, values: &[Value]) -> String {
        let Some((source, _)) = self.beside else { return String::new() };
        let cell = |(at, value): (usize, &Value)| {
            let literal = Expr::literal(value.clone(), Type::TEXT);
            format!("{} AS c{at}", print::expression(&literal, Names::default()))
        };
        let cells: Vec<String> = values.iter().enumerate().map(cell).collect();
        format!(" CROSS JOIN (SELECT {}) AS s{source}", cells.join(", "))
    }
}

/// `ON CONFLICT`
#[derive(Debug)]
pub(super) struct OnConflict {
    /// The target for SQLite.
    pub(super) target: String,
    /// What makes a row with the same key.
    pub(super) same: String,
    /// The columns that `DO UPDATE` sets, with their values, and its condition.
    pub(super) update: Option<(Vec<u32>, Vec<String>, String)>,
}

/// The row that a change has left.
enum Written {
    Row(Vec<Value>),
    /// Its number, where the table computes some of its values.
    Number(i64),
}

/// The statement of SQLite that inserts one row, whose stored values are its parameters.
struct Insert {
    /// The statement up to the end of the rows.
    head: String,
    sql: String,
    /// Whether it returns the number of the row, if it has inserted one.
    numbered: bool,
}

impl Insert {
    fn of(watched: &Watched, rows: &Rows) -> Insert {
        let relation = &watched.relation;
        let stored = relation.columns.iter().filter(|column| column.generated.is_none());
        let numbers: Vec<String> = stored.map(|column| format!("c{}", column.number)).collect();
        let places: Vec<String> = (1..=numbers.len()).map(|number| format!("?{number}")).collect();
        let list = match numbers.is_empty() {
            true => "DEFAULT VALUES".to_owned(),
            false => format!("({}) VALUES ({})", numbers.join(","), places.join(",")),
        };
        let head = format!("INSERT INTO {} {list}", relation.physical());
        let target = rows.conflict.as_ref();
        let target =
            target.map_or_else(String::new, |conflict| format!(" ON CONFLICT{} DO NOTHING", conflict.target));
        // To return something costs as much as the change itself.
        let numbered = rows.conflict.is_some()
            || rows.returning.is_some()
            || rows.views.is_some()
            || !watched.stores_as_written();
        let returning = if numbered { " RETURNING rowid" } else { "" };
        Insert { sql: format!("{head}{target}{returning}"), head, numbered }
    }
}

/// What a change by rows has done so far.
#[derive(Default)]
pub(super) struct Progress {
    returned: Vec<Vec<Value>>,
    count: usize,
    /// What follows when all rows have changed.
    pub(super) after: VecDeque<After>,
    /// The tables and events whose triggers before a statement have fired.
    pub(super) begun: BTreeSet<(Oid, &'static str)>,
    /// The foreign keys to a table whose rows change by rows when one of its rows is deleted or gets another key.
    pub(super) followers: BTreeMap<(Oid, &'static str), Rc<[Follower]>>,
    /// Whether all that follows goes by rows, as its order matters.
    pub(super) in_order: bool,
    /// The values of the variables of the statement.
    values: Vec<Value>,
    /// What is returned of the rows beside the one that changes.
    beside: Vec<Value>,
    /// The rows that an upsert has inserted or updated, which it can't update again.
    upserted: BTreeSet<i64>,
    /// The rows that triggers read together.
    pub(super) changed: Rc<Changed>,
    /// Whether the rows that the statement names are changing, and none that follow them.
    pub(super) is_at_hand: bool,
    /// How a row is inserted.
    insert: Option<Rc<Insert>>,
    /// The tables whose triggers wait.
    watched: Option<Rc<Watched>>,
}

impl Progress {
    /// A table in one piece for all its rows.
    fn watched(&mut self, watched: &Watched) -> Rc<Watched> {
        match &self.watched {
            Some(known) if Rc::ptr_eq(&known.relation, &watched.relation) => known.clone(),
            _ => self.watched.insert(Rc::new(watched.clone())).clone(),
        }
    }

    /// Adds what another part of the same statement has left to do.
    pub(super) fn join(&mut self, other: Progress) {
        self.after.extend(other.after);
        self.begun.extend(other.begun);
        self.in_order |= other.in_order;
        let changed = Rc::make_mut(&mut self.changed);
        changed.own.extend(&other.changed.own);
        changed.rows.extend(other.changed.rows.iter().cloned());
    }

    /// What is left to do when all rows have changed.
    pub(super) fn ending(&mut self) -> Progress {
        Progress {
            after: std::mem::take(&mut self.after),
            begun: std::mem::take(&mut self.begun),
            followers: std::mem::take(&mut self.followers),
            in_order: self.in_order,
            changed: self.changed.clone(),
            ..Progress::default()
        }
    }
}

impl Engine<'_> {
    /// Whether a change of a table has to go row by row, because it fires triggers: its own or those of rows that change with it.
    pub(super) fn changes_by_rows(&self, relation: &Relation, event: &str) -> bool {
        self.fires_below(relation, event, &mut BTreeSet::new())
    }

    /// The same for an update of certain columns. Other rows change with a row only if its key does.
    pub(super) fn updates_by_rows(&self, relation: &Relation, set: &[(u32, String)]) -> bool {
        let sets = |column: &u32| set.iter().any(|(number, _)| number == column);
        let follows = |(child, constraint): (&Relation, &Constraint)| match &constraint.kind {
            ConstraintKind::Foreign {
                columns,
                on_update: Action::Cascade | Action::SetNull | Action::SetDefault,
                ..
            } => columns.iter().any(sets) && self.changes_by_rows(self.catalog.with_rows_of(child), "UPDATE"),
            _ => false,
        };
        // A row that comes into another partition is deleted from one and inserted into the other.
        let moves = |event: &str| relation.partitioning.is_some() && self.fires_within(relation, event);
        self.fires_within(relation, "UPDATE")
            || moves("DELETE")
            || moves("INSERT")
            || self.catalog.references_to(relation.oid).any(follows)
    }

    /// Whether a change of rows fires a trigger of the table or of one of its partitions, or is refused there.
    fn fires_within(&self, relation: &Relation, event: &str) -> bool {
        let within = |(partition, _): (&Relation, _)| self.fires_within(partition, event);
        fires(relation, event)
            || self.catalog.unpublishable(relation, event).is_some()
            || relation.partitioning.is_some() && self.catalog.partitions_of(relation.oid).any(within)
    }

    fn fires_below(&self, relation: &Relation, event: &str, seen: &mut BTreeSet<Oid>) -> bool {
        if self.fires_within(relation, event) {
            return true;
        }
        if event == "INSERT" || !seen.insert(relation.oid) {
            return false;
        }
        let references = self.catalog.references_to(relation.oid);
        let mut stored = references.map(|(child, constraint)| (self.catalog.with_rows_of(child), constraint));
        stored.any(|(child, constraint)| match &constraint.kind {
            ConstraintKind::Foreign {
                on_update: Action::Cascade | Action::SetNull | Action::SetDefault,
                ..
            } if event == "UPDATE" => self.fires_below(child, "UPDATE", seen),
            ConstraintKind::Foreign { on_delete: Action::Cascade, .. } if event == "DELETE" => {
                self.fires_below(child, "DELETE", seen)
            }
            ConstraintKind::Foreign { on_delete: Action::SetNull | Action::SetDefault, .. }
                if event == "DELETE" =>
            {
                self.fires_below(child, "UPDATE", seen)
            }
            _ => false,
        })
    }

    /// Runs a change row by row. Returns the rows of `RETURNING` and the number of changed rows.
    pub(super) fn change_rows(&mut self, rows: &Rows) -> Result<(Vec<Vec<Value>>, usize)> {
        with_stack(self.catalog.stack, || self.change_each(rows))
    }

    fn change_each(&mut self, rows: &Rows) -> Result<(Vec<Vec<Value>>, usize)> {
        let watched = self.watched(&self.relation(rows.table)?);
        if watched.relation.kind == RelationKind::View {
            return self.change_view(&watched, rows);
        }
        let read = rows.queries.iter().flat_map(|query| tables_in(query));
        let _tables = self.using(read.chain([rows.table]).collect());
        let mut progress = Progress { values: self.values.clone(), ..Progress::default() };
        let named = match rows.partition {
            Some(partition) => self.watched(&self.relation(partition)?),
            None => watched.clone(),
        };
        progress.changed = Rc::new(Changed { own: vec![rows.table, named.relation.oid], rows: Vec::new() });
        let updates = rows.conflict.as_ref().and_then(|conflict| conflict.update.as_ref());
        let updates = updates.map(|(set, ..)| ("UPDATE", set));
        for (event, set) in std::iter::once((rows.event, &rows.numbers)).chain(updates) {
            progress.begun.insert((named.relation.oid, event));
            if !self.is_merging() {
                self.fire_for_statement(&named, "BEFORE", event, set)?;
            }
        }
        for (event, set) in updates.into_iter().chain([(rows.event, &rows.numbers)]) {
            progress.in_order |= event != "INSERT" && self.order_matters(&watched.relation, event, set)?;
        }
        let beside = rows.beside.map_or(0, |(_, values)| values);
        let width = rows.numbers.len() + beside + usize::from(rows.event != "INSERT");
        let changing = Changing::begin(watched.relation.physical());
        progress.is_at_hand = true;
        let mut seen = BTreeSet::new();
        // A row of values is stored before the next one draws from a sequence.
        for query in &rows.queries {
            self.values.clone_from(&progress.values);
            let found = self.fetch(query, width)?;
            self.take_back();
            self.store_sequences()?;
            found
                .iter()
                .try_for_each(|row| self.change_row(&watched, rows, row, &mut seen, &mut progress))?;
        }
        progress.is_at_hand = false;
        drop(changing);
        for (event, set) in updates.into_iter().chain([(rows.event, &rows.numbers)]) {
            if !self.is_merging() {
                progress.after.push_back(After::statement(&named, event, set));
            }
        }
        self.end_changes(&mut progress)?;
        Ok((progress.returned, progress.count))
    }

    /// Changes a row as the query has found it: its number, unless it is new, the new values, and those of the rows beside it.
    fn change_row(
        &mut self,
        watched: &Watched,
        rows: &Rows,
        found: &[Value],
        seen: &mut BTreeSet<i64>,
        progress: &mut Progress,
    ) -> Result<()> {
        self.budget.work(1_000)?;
        match (rows.event, found) {
            ("INSERT", values) => self.insert_row(watched, rows, values, progress),
            // A row that joins several others changes once.
            (event, [Value::Integer(number), values @ ..]) if seen.insert(*number) => {
                let (values, beside) = values.split_at(rows.numbers.len());
                progress.beside = beside.to_vec();
                match event {
                    "UPDATE" => self.update_row(watched, rows, *number, (&rows.numbers, values), progress),
                    _ => self.delete_row(watched, Some(rows), *number, progress),
                }
            }
            _ => Ok(()),
        }
    }

    /// Fires the triggers before the change of a row; `None` when one skips it.
    fn fire_before(
        &mut self,
        watched: &Watched,
        event: &'static str,
        (old, new): (Option<&[Value]>, Option<Vec<Value>>),
        set: &[u32],
    ) -> Result<Option<Vec<Value>>> {
        let mut row = new;
        for trigger in watched.triggers("BEFORE", event, true, set) {
            let change = Change { event, old, new: row.as_deref() };
            let Some(answer) = touched::firing(|| self.fire(watched, &trigger, change))? else {
                return Ok(None);
            };
            if row.is_some() {
                row = Some(answer);
            }
        }
        Ok(Some(row.unwrap_or_default()))
    }

    /// `new` is the row after the change.
    fn fire_after(
        &mut self,
        watched: &Watched,
        event: &'static str,
        (old, new): (Option<Vec<Value>>, Option<Written>),
        set: &[u32],
        progress: &mut Progress,
    ) -> Result<()> {
        let triggers = watched.triggers("AFTER", event, true, set);
        let read = transition_is_read(&watched.relation, event);
        if triggers.is_empty() && !read {
            return Ok(());
        }
        let new = match new {
            Some(Written::Row(row)) => Some(row),
            Some(Written::Number(number)) => self.row(watched, number)?,
            None => None,
        };
        self.note_change(watched, event, (old.as_ref(), new.as_ref()), progress)?;
        self.queue_triggers(watched, event, (old, new), triggers, progress)
    }

    /// Keeps a change of a row for triggers that read all of them.
    fn note_change(
        &mut self,
        watched: &Watched,
        event: &'static str,
        (old, new): (Option<&Vec<Value>>, Option<&Vec<Value>>),
        progress: &mut Progress,
    ) -> Result<()> {
        if !transition_is_read(&watched.relation, event) {
            return Ok(());
        }
        let size: usize = old.into_iter().chain(new).flatten().map(crate::encode::size).sum();
        self.budget.hold(size + 64)?;
        let changed = Rc::make_mut(&mut progress.changed);
        changed.rows.push((watched.relation.oid, event, old.cloned(), new.cloned()));
        Ok(())
    }

    /// Lets the triggers after a change of a row wait for the end of the statement.
    fn queue_triggers(
        &mut self,
        watched: &Watched,
        event: &'static str,
        (old, new): (Option<Vec<Value>>, Option<Vec<Value>>),
        triggers: Vec<Rc<Trigger>>,
        progress: &mut Progress,
    ) -> Result<()> {
        let size: usize = old.iter().chain(&new).flatten().map(crate::encode::size).sum();
        let (old, new) = (old.map(Rc::<[Value]>::from), new.map(Rc::<[Value]>::from));
        for trigger in triggers {
            self.budget.hold(size + 64)?;
            let (old, new) = (old.clone(), new.clone());
            let watched = progress.watched(watched);
            let depth = crate::plpgsql::depth();
            let later = Later { watched, trigger, event, old, new, depth };
            progress.after.push_back(After::Row(Box::new(later)));
        }
        Ok(())
    }

    /// The values of a row, one for each column.
    fn row(&mut self, watched: &Watched, number: i64) -> Result<Option<Vec<Value>>> {
        self.values = vec![Value::Integer(number)];
        Ok(self.fetch(&watched.row_query, watched.relation.columns.len())?.pop())
    }

    /// The same for a row that a statement is about to change. `None` for one that is gone, of those that follow another.
    fn row_to_change(
        &mut self,
        watched: &Watched,
        number: i64,
        progress: &Progress,
    ) -> Result<Option<Vec<Value>>> {
        let row = self.row(watched, number)?;
        if progress.is_at_hand && (row.is_none() || touched::is_touched(number)) {
            return Err(touched::refusal("updated"));
        }
        Ok(row)
    }

    /// `updated` says whether an upsert has updated the row, which its `xmax` shows.
    fn return_row(&mut self, rows: &Rows, number: i64, updated: bool, progress: &mut Progress) -> Result<()> {
        progress.count += 1;
        self.values = vec![Value::Integer(number)];
        self.check_row(rows.views.as_deref())?;
        let Some((targets, width)) = &rows.returning else { return Ok(()) };
        if rows.conflict.is_some() {
            self.fetch(
                &format!("SELECT pg_begin_upsert({number}), {updated} AND pg_affect({number}, 1)"),
                1,
            )?;
        }
        self.values.clone_from(&progress.values);
        let table = super::catalog::physical(rows.table);
        let source = rows.source;
        let beside = rows.source_beside(&progress.beside);
        let sql =
            format!("SELECT {targets} FROM {table} AS s{source}{beside} WHERE s{source}.rowid = {number}");
        let returned = self.fetch(&sql, *width);
        self.take_back();
        progress.returned.extend(returned?);
        Ok(())
    }

    fn insert_row(
        &mut self,
        watched: &Watched,
        rows: &Rows,
        values: &[Value],
        progress: &mut Progress,
    ) -> Result<()> {
        let relation = watched.relation.clone();
        let value =
            |number: u32| rows.numbers.iter().position(|known| *known == number).map(|at| &values[at]);
        let new = relation.columns.iter().map(|column| value(column.number).cloned().unwrap_or(Value::Null));
        let Some(new) = self.fire_before(watched, "INSERT", (None, Some(new.collect())), &[])? else {
            return Ok(());
        };
        let insert = match &progress.insert {
            Some(known) => known.clone(),
            None => progress.insert.insert(Rc::new(Insert::of(watched, rows))).clone(),
        };
        let stored = relation.columns.iter().zip(&new).filter(|(column, _)| column.generated.is_none());
        self.values = stored.map(|(_, value)| value.clone()).collect();
        self.check_row(rows.check.as_deref())?;
        let inserted = match insert.numbered {
            true => self.fetch_calling(&insert.sql, 1).map(|mut rows| rows.pop()),
            false => self.change(&insert.sql).map(|_| None),
        };
        let inserted = inserted.map_err(|error| self.explain_of_rows(error, &insert.sql, Some(&insert.head)));
        self.take_back();
        match (inserted?.as_deref(), &rows.conflict) {
            (Some([Value::Integer(number)]), _) => {
                if rows.conflict.is_some() {
                    progress.upserted.insert(*number);
                }
                self.return_row(rows, *number, false, progress)?;
                let new = match watched.stores_as_written() {
                    true => Written::Row(new),
                    false => Written::Number(*number),
                };
                self.fire_after(watched, "INSERT", (None, Some(new)), &[], progress)
            }
            (_, Some(conflict)) => self.update_conflicting(watched, rows, conflict, &new, progress),
            _ if !insert.numbered => {
                progress.count += 1;
                self.fire_after(watched, "INSERT", (None, Some(Written::Row(new))), &[], progress)
            }
            _ => Ok(()),
        }
    }

    fn update_conflicting(
        &mut self,
        watched: &Watched,
        rows: &Rows,
        conflict: &OnConflict,
        new: &[Value],
        progress: &mut Progress,
    ) -> Result<()> {
        let Some((set, values, condition)) = &conflict.update else { return Ok(()) };
        let relation = &watched.relation;
        let excluded = relation.columns.iter().zip(new).map(|(column, value)| {
            let literal = Expr::literal(value.clone(), Type::TEXT);
            format!("{} AS c{}", print::expression(&literal, Names::default()), column.number)
        });
        let sql = format!(
            "SELECT s{0}.rowid, {condition}{1} FROM {2} AS s{0} CROSS JOIN (SELECT {3}) AS excluded WHERE {4}",
            rows.source,
            values.iter().map(|value| format!(", {value}")).collect::<String>(),
            relation.physical(),
            excluded.collect::<Vec<_>>().join(", "),
            conflict.same
        );
        self.values.clone_from(&progress.values);
        let found = self.fetch(&sql, values.len() + 2);
        self.take_back();
        match found?.pop().as_deref() {
            Some([Value::Integer(number), wanted, values @ ..]) => {
                if touched::is_touched(*number) || progress.upserted.contains(number) {
                    return Err(affected_twice());
                }
                if *wanted != Value::Integer(1) {
                    return Ok(());
                }
                progress.upserted.insert(*number);
                self.update_row(watched, rows, *number, (set, values), progress)
            }
            _ => Ok(()),
        }
    }

    fn update_row(
        &mut self,
        watched: &Watched,
        rows: &Rows,
        number: i64,
        change: (&[u32], &[Value]),
        progress: &mut Progress,
    ) -> Result<()> {
        if self.write_row(watched, number, change, rows.check.as_deref(), progress)? {
            self.return_row(rows, number, true, progress)?;
        }
        Ok(())
    }

    /// Updates a row, and returns whether no trigger has skipped it.
    pub(super) fn write_row(
        &mut self,
        watched: &Watched,
        number: i64,
        (set, values): (&[u32], &[Value]),
        check: Option<&str>,
        progress: &mut Progress,
    ) -> Result<bool> {
        let relation = watched.relation.clone();
        let Some(old) = self.row_to_change(watched, number, progress)? else { return Ok(false) };
        let mut new = old.clone();
        for (column, value) in set.iter().zip(values) {
            if let Some(at) = relation.columns.iter().position(|known| known.number == *column) {
                new[at] = value.clone();
            }
        }
        // They are computed after the triggers.
        for (at, _) in relation.columns.iter().enumerate().filter(|(_, column)| column.generated.is_some()) {
            new[at] = Value::Null;
        }
        let counted = self.counted_as_set(set, progress);
        let Some(new) = self.fire_before(watched, "UPDATE", (Some(&old), Some(new)), &counted)? else {
            return Ok(false);
        };
        if progress.is_at_hand {
            touched::require_untouched(number, "updated")?;
        }
        if check.is_some() {
            let stored = relation.columns.iter().zip(&new).filter(|(column, _)| column.generated.is_none());
            self.values = stored.map(|(_, value)| value.clone()).collect();
            self.check_row(check)?;
        }
        let moved = self.moves_between_partitions(watched, &old, &new)?;
        let new = match moved {
            true if self.fire_before(watched, "DELETE", (Some(&old), None), &[])?.is_none() => {
                return Ok(false);
            }
            true => match self.fire_before(watched, "INSERT", (None, Some(new)), &[])? {
                Some(new) => new,
                None => {
                    self.remove_row(watched, old, number, progress)?;
                    return Ok(false);
                }
            },
            false => new,
        };
        let columns = relation.columns.iter().enumerate();
        let changed = columns.filter(|(at, column)| {
            column.generated.is_none() && (set.contains(&column.number) || old[*at] != new[*at])
        });
        let (mut list, mut values) = (Vec::new(), vec![Value::Integer(number)]);
        for (at, column) in changed {
            values.push(new[at].clone());
            list.push(format!("c{} = ?{}", column.number, values.len()));
        }
        if !list.is_empty() {
            let sql = format!("UPDATE {} SET {} WHERE rowid = ?1", relation.physical(), list.join(", "));
            self.values = values;
            let done = self.change_parent(&relation, (&old, Some(&new)), &sql, progress);
            self.take_back();
            done?;
        }
        if moved {
            let row = self.row(watched, number)?;
            self.note_change(watched, "UPDATE", (Some(&old), row.as_ref()), progress)?;
            let after = |event| watched.triggers("AFTER", event, true, &[]);
            self.queue_triggers(watched, "DELETE", (Some(old), None), after("DELETE"), progress)?;
            self.queue_triggers(watched, "INSERT", (None, row), after("INSERT"), progress)?;
            return Ok(true);
        }
        let new = match watched.stores_as_written() {
            true => Written::Row(new),
            false => Written::Number(number),
        };
        self.fire_after(watched, "UPDATE", (Some(old), Some(new)), &counted, progress)?;
        Ok(true)
    }

    /// Whether a row comes into another partition.
    fn moves_between_partitions(&mut self, watched: &Watched, old: &[Value], new: &[Value]) -> Result<bool> {
        let mut part = |row| self.part_of(watched, Change { event: "INSERT", old: None, new: Some(row) });
        let (from, to) = (part(old)?, part(new)?);
        Ok(from.is_some() && to.is_some() && from != to)
    }

    /// Refuses a row, whose values are those of the next statement, where a policy does not let it in.
    fn check_row(&mut self, check: Option<&str>) -> Result<()> {
        let Some(check) = check else { return Ok(()) };
        let done = self.fetch(check, 0);
        let values = std::mem::take(&mut self.values);
        self.take_back();
        self.values = values;
        done.map(drop)
    }

    pub(super) fn delete_row(
        &mut self,
        watched: &Watched,
        rows: Option<&Rows>,
        number: i64,
        progress: &mut Progress,
    ) -> Result<()> {
        let Some(old) = self.row_to_change(watched, number, progress)? else { return Ok(()) };
        if self.fire_before(watched, "DELETE", (Some(&old), None), &[])?.is_none() {
            return Ok(());
        }
        if progress.is_at_hand {
            touched::require_untouched(number, "deleted")?;
        }
        if let Some(rows) = rows {
            self.return_row(rows, number, true, progress)?;
        }
        self.remove_row(watched, old, number, progress)
    }

    /// Deletes a row before whose deletion triggers have fired.
    fn remove_row(
        &mut self,
        watched: &Watched,
        old: Vec<Value>,
        number: i64,
        progress: &mut Progress,
    ) -> Result<()> {
        let relation = watched.relation.clone();
        self.values = vec![Value::Integer(number)];
        let sql = format!("DELETE FROM {} WHERE rowid = ?1", relation.physical());
        let done = self.change_parent(&relation, (&old, None), &sql, progress);
        self.take_back();
        done?;
        self.fire_after(watched, "DELETE", (Some(old), None), &[], progress)
    }
}
