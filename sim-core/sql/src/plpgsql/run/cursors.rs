//! `OPEN`, `FETCH`, `MOVE`, `CLOSE`, and loops over cursors. A variable has the name of a cursor, which the session has.

use rusqlite::types::Value;
use sqlparser::parser::Parser;

use super::super::fragment::{To, expanded};
use super::super::frame::{Field, Held, Slot};
use super::super::tree::{
    Argument, Block, Declared, Fragment, Going, Opened, Placed, Step, Steps, Target, TypeName,
};
use super::{Flow, Run};
use crate::cursors::{self, Asked, Portal, Way};
use crate::error::{Result, SqlError, SqlState};
use crate::run::Returned;
use crate::source::is_word;
use crate::types::Type;

/// A cursor as a block declares it.
struct Bound<'b> {
    arguments: &'b [(String, TypeName)],
    query: &'b Fragment,
    scrolls: Option<bool>,
}

impl Run<'_, '_> {
    /// `FOR row IN cursor LOOP`. The cursor is open meanwhile.
    pub(super) fn each_row_of_cursor(
        &mut self,
        label: Option<&String>,
        (variable, cursor, arguments): (&str, &str, &[Argument]),
        steps: &[Placed],
    ) -> Result<Flow> {
        let name = self.open_bound(cursor, arguments)?;
        self.engine.known.cursors.borrow_mut().keep_for_loop(&name);
        let slot = Slot::new(&self.engine.catalog, variable, Type::RECORD.plain());
        let number = self.frame.borrow_mut().declare(slot);
        let mut any = false;
        let flow = loop {
            let returned = self.engine.fetch_cursor_rows(&name, Way::Forward(Some(1)))?;
            let Some(row) = returned.rows.into_iter().next() else { break Flow::Next };
            any = true;
            let fields = returned.columns.into_iter().zip(row);
            let fields =
                fields.map(|(column, value)| Field { name: column.name.into(), type_: column.type_, value });
            let held = Held::Row(Some(fields.collect()));
            self.store(number, held)?;
            if let Some(flow) = self.turn(label, steps)? {
                break flow;
            }
        };
        self.engine.known.cursors.borrow_mut().close(&name)?;
        self.set_found(any);
        Ok(flow)
    }

    /// The slot of a variable for cursors.
    fn cursor(&self, variable: &str) -> Result<usize> {
        let frame = self.frame.borrow();
        let slot = frame.slot(variable).filter(|slot| frame.slots[*slot].type_.base == Type::REFCURSOR);
        slot.ok_or_else(|| {
            let message = format!("variable \"{variable}\" must be of type cursor or refcursor");
            SqlError::new(SqlState::DATATYPE_MISMATCH, message)
        })
    }

    /// The name of the cursor that a variable has; `None` is null.
    fn name_in(&self, slot: usize) -> Option<String> {
        match &self.frame.borrow().slots[slot].held {
            Held::Value(Value::Text(name)) => Some(name.clone()),
            _ => None,
        }
    }

    /// The name of the cursor that a variable has to have.
    fn cursor_in(&self, variable: &str) -> Result<String> {
        let name = self.name_in(self.cursor(variable)?);
        name.ok_or_else(|| {
            SqlError::new(SqlState::new("22004"), format!("cursor variable \"{variable}\" is null"))
        })
    }

    pub(super) fn open(&mut self, cursor: &str, query: &Opened, scrolls: Option<bool>) -> Result<()> {
        match query {
            Opened::Bound(arguments) => self.open_bound(cursor, arguments).map(drop),
            Opened::Query(query) => {
                let slot = self.unopened(cursor)?;
                let opened = self.rows_of_cursor(query)?;
                self.open_in(slot, self.text_of(query), scrolls, opened).map(drop)
            }
            Opened::Execute(dynamic) => {
                let slot = self.unopened(cursor)?;
                let (returned, tables) = self.dynamic_rows(dynamic)?;
                let opened = cursors::Opened { tables, ..cursors::Opened::of_rows(returned) };
                self.open_in(slot, self.text_of(&dynamic.text), scrolls, opened).map(drop)
            }
        }
    }

    /// Opens a declared cursor with values for its arguments, and returns its name.
    fn open_bound(&mut self, cursor: &str, values: &[Argument]) -> Result<String> {
        let slot = self.unopened(cursor)?;
        let body = self.engine.running.clone();
        let declared = body.as_ref().and_then(|body| cursor_of(&body.block, cursor));
        let Some(Bound { arguments, query, scrolls }) = declared else {
            let message = format!("cursor \"{cursor}\" has no query");
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
        };
        let values = in_order(cursor, arguments, values)?;
        let mut slots = Vec::new();
        for ((name, type_), value) in arguments.iter().zip(values) {
            let type_ = self.type_named(type_)?;
            let value = self.engine.evaluate(value, type_)?;
            slots.push(Slot { type_, ..Slot::with(name, type_.base, value) });
        }
        self.frame.borrow_mut().enter(None);
        for slot in slots {
            self.frame.borrow_mut().declare(slot);
        }
        let opened = self.rows_of_cursor(query);
        self.frame.borrow_mut().leave();
        self.open_in(slot, self.text_of(query), scrolls, opened?)
    }

    /// The slot of a variable whose cursor is not open.
    fn unopened(&self, variable: &str) -> Result<usize> {
        let slot = self.cursor(variable)?;
        match self.name_in(slot) {
            Some(name) if self.engine.known.cursors.borrow().find(&name).is_some() => {
                let message = format!("cursor \"{name}\" already in use");
                Err(SqlError::new(SqlState::new("42P03"), message))
            }
            _ => Ok(slot),
        }
    }

    /// Opens a cursor under the name in a slot, or under a new one that is put there.
    fn open_in(
        &mut self,
        slot: usize,
        statement: String,
        scrolls: Option<bool>,
        opened: cursors::Opened,
    ) -> Result<String> {
        let given = self.name_in(slot);
        let asked = Asked { statement, scrolls, ..Asked::default() };
        let name = self.engine.open_cursor(given.clone(), asked, opened)?;
        if given.is_none() {
            self.store(slot, Held::Value(Value::Text(name.clone())))?;
        }
        Ok(name)
    }

    /// The rows of a query, with what is needed to change them through the cursor.
    fn rows_of_cursor(&mut self, query: &Fragment) -> Result<cursors::Opened> {
        let reads = ["select", "values", "table"].iter().any(|word| is_word(&query.tokens[0], word));
        if !reads {
            super::opened::require_rows(&query.tokens)?;
            return self.query_rows(query, To::Fields).map(cursors::Opened::of_rows);
        }
        let tokens = expanded(&query.tokens, &self.frame.borrow());
        let parsed = self.engine.source.parse(&tokens, Parser::parse_query);
        let parsed = self.engine.require_volatile(&query.tokens).and(parsed);
        let bound = parsed.and_then(|parsed| self.engine.bind_cursor(&parsed));
        let opened = bound.and_then(|bound| self.engine.run_cursor(bound));
        opened.map_err(|error| self.engine.told(error, query, false))
    }

    fn text_of(&self, fragment: &Fragment) -> String {
        self.engine.source.text_of(&fragment.tokens)
    }

    pub(super) fn fetch_row(&mut self, cursor: &str, going: &Going, into: Option<&[Target]>) -> Result<()> {
        let name = self.cursor_in(cursor)?;
        let way = self.way(going)?;
        let Some(targets) = into else {
            let passed = self.engine.known.cursors.borrow_mut().skip(&name, way)?;
            self.counted(passed);
            return Ok(());
        };
        let Returned { columns, rows } = self.engine.fetch_cursor_rows(&name, way)?;
        self.counted(rows.len());
        let row = rows.into_iter().next().unwrap_or_else(|| vec![Value::Null; columns.len()]);
        self.assign_row(targets, &columns, row)
    }

    fn way(&mut self, Going { backward, from, steps }: &Going) -> Result<Way> {
        let count = match steps {
            Steps::All => None,
            Steps::These(count) => Some(*count),
            Steps::Computed(count) => match self.engine.evaluate(count, Type::INT4.plain())? {
                Value::Integer(count) => Some(count),
                _ => {
                    let message = "relative or absolute cursor position is null";
                    return Err(SqlError::new(SqlState::new("22004"), message));
                }
            },
        };
        Ok(match (from, count) {
            (Some("absolute"), Some(count)) => Way::Absolute(count),
            (Some(_), Some(count)) => Way::Relative(count),
            _ if *backward => Way::Backward(count),
            _ => Way::Forward(count),
        })
    }

    pub(super) fn close(&mut self, cursor: &str) -> Result<()> {
        let name = self.cursor_in(cursor)?;
        let mut cursors = self.engine.known.cursors.borrow_mut();
        if cursors.find(&name).is_some_and(Portal::is_looped) {
            let message = format!("cannot drop pinned portal \"{name}\"");
            return Err(SqlError::new(SqlState::new("24000"), message));
        }
        cursors.close(&name)
    }
}

/// The values for the arguments of a cursor, in their order.
fn in_order<'v>(
    cursor: &str,
    arguments: &[(String, TypeName)],
    values: &'v [Argument],
) -> Result<Vec<&'v Fragment>> {
    let refused = |message: String| Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
    match (arguments.len(), values.len()) {
        (0, 1..) => return refused(format!("cursor \"{cursor}\" has no arguments")),
        (1.., 0) => return refused(format!("cursor \"{cursor}\" has arguments")),
        (known, given) if given > known => {
            return refused(format!("too many arguments for cursor \"{cursor}\""));
        }
        _ => {}
    }
    let mut places: Vec<Option<&Fragment>> = vec![None; arguments.len()];
    for (index, (named, value)) in values.iter().enumerate() {
        let place = match named {
            None => index,
            Some(wanted) => match arguments.iter().position(|(name, _)| name == wanted) {
                Some(place) => place,
                None => return refused(format!("cursor \"{cursor}\" has no argument named \"{wanted}\"")),
            },
        };
        if places[place].replace(value).is_some() {
            let name = &arguments[place].0;
            return refused(format!(
                "value for parameter \"{name}\" of cursor \"{cursor}\" specified more than once"
            ));
        }
    }
    match places.into_iter().collect::<Option<Vec<_>>>() {
        Some(values) => Ok(values),
        None => refused(format!("not enough arguments for cursor \"{cursor}\"")),
    }
}

/// The declaration of a cursor in a block or the blocks in it.
fn cursor_of<'b>(block: &'b Block, cursor: &str) -> Option<Bound<'b>> {
    let own = block.declarations.iter().find_map(|declaration| match &declaration.declared {
        Declared::Cursor { arguments, query, scrolls } if declaration.name == cursor => {
            Some(Bound { arguments, query, scrolls: *scrolls })
        }
        _ => None,
    });
    let handlers = block.handlers.iter().flat_map(|handler| &handler.steps);
    own.or_else(|| block.steps.iter().chain(handlers).find_map(|placed| cursor_in(&placed.step, cursor)))
}

fn cursor_in<'b>(step: &'b Step, cursor: &str) -> Option<Bound<'b>> {
    let among = |steps: &'b [Placed]| steps.iter().find_map(|placed| cursor_in(&placed.step, cursor));
    match step {
        Step::Block(block) => cursor_of(block, cursor),
        Step::If { branches, otherwise } => {
            branches.iter().find_map(|(_, steps)| among(steps)).or_else(|| among(otherwise))
        }
        Step::Case { branches, otherwise } => {
            let otherwise = || otherwise.as_deref().and_then(among);
            branches.iter().find_map(|(_, steps)| among(steps)).or_else(otherwise)
        }
        Step::Loop { steps, .. } => among(steps),
        _ => None,
    }
}
