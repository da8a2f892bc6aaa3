//! Loops.

use rusqlite::types::Value;

use super::super::fragment::{To, one_value, only_type};
use super::super::frame::{Found, Held, Slot};
use super::super::tree::{Fragment, Over, Placed, Target};
use super::{Flow, Run, STEP_WORK};
use crate::catalog::Oid;
use crate::error::{Result, SqlError, SqlState};
use crate::run::Returned;
use crate::types::Type;
use crate::value::array;

impl Run<'_, '_> {
    /// Runs the steps of a loop once. Returns how the loop ends, if it does.
    pub(super) fn turn(&mut self, label: Option<&String>, steps: &[Placed]) -> Result<Option<Flow>> {
        let own = |of: &Option<String>| of.is_none() || of.as_ref() == label;
        self.engine.budget.work(STEP_WORK)?;
        Ok(match self.steps(steps)? {
            Flow::Next => None,
            Flow::Continue(of) if own(&of) => None,
            Flow::Exit(of) if own(&of) => Some(Flow::Next),
            flow => Some(flow),
        })
    }

    pub(super) fn loop_over(
        &mut self,
        label: Option<&String>,
        over: &Over,
        steps: &[Placed],
    ) -> Result<Flow> {
        self.frame.borrow_mut().enter(label.cloned());
        let flow = self.run_loop(label, over, steps);
        self.frame.borrow_mut().leave();
        flow
    }

    pub(super) fn run_loop(&mut self, label: Option<&String>, over: &Over, steps: &[Placed]) -> Result<Flow> {
        match over {
            Over::Forever => loop {
                if let Some(flow) = self.turn(label, steps)? {
                    return Ok(flow);
                }
            },
            Over::While(condition) => {
                while self.holds(condition)? {
                    if let Some(flow) = self.turn(label, steps)? {
                        return Ok(flow);
                    }
                }
                Ok(Flow::Next)
            }
            Over::Integers { variable, from, to, by, reverse } => {
                self.integers(label, variable, (from, to, by.as_ref(), *reverse), steps)
            }
            Over::Query { targets, query } => {
                super::opened::require_rows(&query.tokens)?;
                let returned = self.query_rows(query, To::Columns)?;
                let _reads = self.engine.using(self.tables_of_loop(query));
                self.engine.known.cursors.borrow_mut().new_name();
                self.each_row(label, targets, returned, steps)
            }
            Over::Execute { targets, dynamic } => {
                let (returned, tables) = self.dynamic_rows(dynamic)?;
                let _reads = self.engine.using(tables);
                self.engine.known.cursors.borrow_mut().new_name();
                self.each_row(label, targets, returned, steps)
            }
            Over::Cursor { variable, cursor, arguments } => {
                self.each_row_of_cursor(label, (variable, cursor, arguments), steps)
            }
            Over::Array { targets, slice, array } => self.each_element(label, targets, *slice, array, steps),
        }
    }

    /// The tables that the query of a loop has just read, if it is kept for the next time.
    fn tables_of_loop(&self, query: &Fragment) -> Vec<Oid> {
        let frame = self.frame.borrow();
        self.engine.known_plan((frame.body, query.at), &frame).map_or_else(Vec::new, |plan| plan.tables())
    }

    pub(super) fn integers(
        &mut self,
        label: Option<&String>,
        variable: &str,
        (from, to, by, reverse): (&Fragment, &Fragment, Option<&Fragment>, bool),
        steps: &[Placed],
    ) -> Result<Flow> {
        let mut bound =
            |fragment: &Fragment, what: &str| match self.engine.evaluate(fragment, Type::INT4.plain())? {
                Value::Integer(value) => Ok(value),
                _ => Err(SqlError::new(SqlState::new("22004"), format!("{what} of FOR loop cannot be null"))),
            };
        let (mut at, end) = (bound(from, "lower bound")?, bound(to, "upper bound")?);
        let by = by.map_or(Ok(1), |by| bound(by, "BY value"))?;
        if by <= 0 {
            let message = "BY value of FOR loop must be greater than zero";
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
        }
        let number = self.frame.borrow_mut().declare(Slot::with(variable, Type::INT4, Value::Null));
        let mut any = false;
        while if reverse { at >= end } else { at <= end } {
            any = true;
            self.frame.borrow_mut().slots[number].held = Held::Value(Value::Integer(at));
            if let Some(flow) = self.turn(label, steps)? {
                self.set_found(true);
                return Ok(flow);
            }
            at += if reverse { -by } else { by };
        }
        self.set_found(any);
        Ok(Flow::Next)
    }

    pub(super) fn each_row(
        &mut self,
        label: Option<&String>,
        targets: &[Target],
        returned: Returned,
        steps: &[Placed],
    ) -> Result<Flow> {
        let Returned { columns, rows } = returned;
        let any = !rows.is_empty();
        if !any {
            self.assign_row(targets, &columns, vec![Value::Null; columns.len()])?;
        }
        for row in rows {
            self.assign_row(targets, &columns, row)?;
            if let Some(flow) = self.turn(label, steps)? {
                self.set_found(true);
                return Ok(flow);
            }
        }
        self.set_found(any);
        Ok(Flow::Next)
    }

    pub(super) fn each_element(
        &mut self,
        label: Option<&String>,
        targets: &[Target],
        slice: usize,
        array: &Fragment,
        steps: &[Placed],
    ) -> Result<Flow> {
        let returned = self.engine.fragment_rows(array, To::Fields)?;
        let type_ = self.engine.catalog.base_type(only_type(&returned)?.base);
        let Some(element) = type_.element() else {
            let name = self.engine.catalog.type_name(type_, -1);
            let message = format!("FOREACH expression must yield an array, not type {name}");
            return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message));
        };
        let Value::Text(text) = one_value(returned.rows)? else {
            let message = "FOREACH expression must not be null";
            return Err(SqlError::new(SqlState::new("22004"), message));
        };
        let mut items = array::elements(&text);
        let is_nested = self.engine.catalog.attributes(element).is_none();
        let dimensions = if is_nested { depth(&items) } else { 1 };
        if slice > dimensions {
            let message = format!("slice dimension ({slice}) is out of the valid range 0..{dimensions}");
            return Err(SqlError::new(SqlState::new("2202E"), message));
        }
        self.require_slices(targets, slice)?;
        if slice == dimensions && dimensions > 0 {
            items = vec![serde_json::Value::Array(items)];
        }
        for _ in slice + 1..dimensions {
            let nested = items.into_iter().flat_map(|item| match item {
                serde_json::Value::Array(items) => items,
                item => vec![item],
            });
            items = nested.collect();
        }
        let item_type = if slice == 0 { element } else { type_ };
        let any = !items.is_empty();
        for item in items {
            let value = array::value(self.engine.catalog.base_type(item_type), &item);
            match targets {
                [target] => self.assign(target, item_type.plain(), value)?,
                targets => self.assign_fields(targets, item_type, &value)?,
            }
            if let Some(flow) = self.turn(label, steps)? {
                self.set_found(true);
                return Ok(flow);
            }
        }
        self.set_found(any);
        Ok(Flow::Next)
    }

    /// Refuses a variable for slices that is no array.
    fn require_slices(&self, targets: &[Target], slice: usize) -> Result<()> {
        let [target] = targets else { return Ok(()) };
        let Some(Found::Slot(slot)) = self.frame.borrow().find(&target.names)? else { return Ok(()) };
        let type_ = self.engine.catalog.base_type(self.frame.borrow().slots[slot].type_.base);
        let message = match (slice, type_.element()) {
            (1.., None) => "FOREACH ... SLICE loop variable must be of an array type",
            (0, Some(_)) => "FOREACH loop variable must not be of an array type",
            _ => return Ok(()),
        };
        Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message))
    }

    /// Assigns the fields of a row to as many variables.
    fn assign_fields(&mut self, targets: &[Target], type_: Type, value: &Value) -> Result<()> {
        let mut fields = self.engine.fields_of(type_, value).unwrap_or_default().into_iter();
        if fields.len() == 0 && *value != Value::Null {
            let message = "cannot assign non-composite value to a row variable";
            return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message));
        }
        for target in targets {
            let (type_, value) =
                fields.next().map_or((Type::TEXT.plain(), Value::Null), |field| (field.type_, field.value));
            self.assign(target, type_, value)?;
        }
        Ok(())
    }
}

/// The number of dimensions of an array with these items.
fn depth(items: &[serde_json::Value]) -> usize {
    match items.first() {
        None => 0,
        Some(serde_json::Value::Array(nested)) => 1 + depth(nested),
        Some(_) => 1,
    }
}
