//! Calls of a project's aggregates: their functions are run over the rows of a group.

use std::cell::RefCell;
use std::rc::Rc;

use rusqlite::types::Value;
use serde_json::Value as Element;

use super::fragment::one_value;
use super::frame::{Frame, Slot};
use super::tree::{Fragment, Kind};
use crate::catalog::{Aggregation, Argument, CallNumber, Part, Routine};
use crate::error::{Result, SqlError, SqlState};
use crate::print::{self, Names};
use crate::run::Engine;
use crate::source::Source;
use crate::types::{Modified, Type};
use crate::value::array;

/// The calls of an aggregate's functions as queries: `$1` is the state, and the arguments of the row follow.
#[derive(Debug)]
pub(crate) struct Fold {
    step: (Rc<Source>, Fragment),
    finish: Option<(Rc<Source>, Fragment)>,
}

impl Engine<'_> {
    /// The value of an aggregate over the rows of its arguments, an array of arrays.
    pub(super) fn aggregate(&mut self, number: CallNumber, rows: Value) -> Result<Value> {
        let catalog = self.catalog.clone();
        let routine = catalog.callee(number).ok_or_else(|| gone(number))?;
        let aggregation = routine.aggregation.as_ref().ok_or_else(|| gone(number))?;
        let rows = match &rows {
            Value::Text(text) => array::elements(text),
            _ => Vec::new(),
        };
        self.inside_routine(&routine, |engine| engine.fold(&routine, aggregation, rows))
    }

    fn fold(&mut self, routine: &Routine, aggregation: &Aggregation, rows: Vec<Element>) -> Result<Value> {
        let parts = aggregation.finish.iter().chain([&aggregation.step]);
        for part in parts.filter_map(|part| self.catalog.routine(part.routine?)) {
            // The owner of the aggregate must be allowed to call them, not who calls the aggregate.
            if !self.catalog.allows(&routine.owner, part.guarded(), 'X') {
                return Err(part.denied());
            }
        }
        let fold = self.fold_of(routine, aggregation)?;
        let step_strict = self.is_strict(&aggregation.step);
        let base = |type_: Type| self.catalog.base_type(type_);
        let types: Vec<Type> = routine.inputs().map(|input| base(input.type_)).collect();
        let state_type = aggregation.state.plain();
        let mut state = match &aggregation.initial {
            Some(text) => self.read(text, state_type)?,
            None => Value::Null,
        };
        // Without an initial value, a strict function begins with the first argument that is not null.
        let mut begun = aggregation.initial.is_some() || !step_strict;
        for row in rows {
            self.budget.work(1)?;
            let items = match row {
                Element::String(text) => array::elements(&text),
                Element::Array(items) => items,
                _ => Vec::new(),
            };
            let values: Vec<Value> =
                types.iter().zip(&items).map(|(type_, item)| array::value(*type_, item)).collect();
            if step_strict && values.contains(&Value::Null) {
                continue;
            }
            if !begun {
                begun = true;
                state = values.into_iter().next().unwrap_or(Value::Null);
                continue;
            }
            if step_strict && state == Value::Null {
                continue;
            }
            let frame = self.frame_of(routine, (aggregation.state, &aggregation.step), state, values);
            state = self.with_frame(&fold.step, frame, |engine, step| engine.evaluate(step, state_type))?;
        }
        let (Some(finish), Some(part)) = (&fold.finish, &aggregation.finish) else { return Ok(state) };
        if self.is_strict(part) && (state == Value::Null || aggregation.finish_extra) {
            return Ok(Value::Null);
        }
        let nulls = vec![Value::Null; types.len()];
        let frame = self.frame_of(routine, (aggregation.state, part), state, nulls);
        let returns = routine.returns.plain();
        self.with_frame(finish, frame, |engine, finish| engine.evaluate(finish, returns))
    }

    /// A text as a value of type `type_`.
    fn read(&mut self, text: &str, type_: Modified) -> Result<Value> {
        let value = self.binder().literal(text, type_)?;
        let sql = format!("SELECT {}", print::expression(&value, Names::default()));
        one_value(self.fetch(&sql, 1)?)
    }

    /// The state and the arguments of a row as variables.
    fn frame_of(
        &self,
        routine: &Routine,
        (state, part): (Type, &Part),
        value: Value,
        arguments: Vec<Value>,
    ) -> Frame {
        let mut frame = Frame::default();
        frame.admitted = part.routine;
        frame.enter(None);
        let state = Argument { name: None, type_: state, mode: 'i', default: None };
        let mut values = std::iter::once(value).chain(arguments);
        for (index, argument) in std::iter::once(&state).chain(routine.inputs()).enumerate() {
            let argument = Argument { name: None, ..argument.clone() };
            let slot: Slot = self.input(&argument, &mut values);
            let slot = frame.declare(slot);
            frame.name(format!("${}", index + 1), slot);
        }
        frame
    }

    /// Runs `call` for a query whose variables are in `frame`.
    fn with_frame<T>(
        &mut self,
        (source, fragment): &(Rc<Source>, Fragment),
        mut frame: Frame,
        call: impl FnOnce(&mut Self, &Fragment) -> Result<T>,
    ) -> Result<T> {
        frame.body = Rc::as_ptr(source).addr();
        let outer_source = std::mem::replace(&mut self.source, source.clone());
        let outer_frame = self.frame.replace(Rc::new(RefCell::new(frame)));
        let outer_parameters = std::mem::take(&mut self.parameters);
        let result = call(self, fragment);
        self.source = outer_source;
        self.frame = outer_frame;
        self.parameters = outer_parameters;
        result.map_err(SqlError::nowhere)
    }

    fn fold_of(&self, routine: &Routine, aggregation: &Aggregation) -> Result<Rc<Fold>> {
        let count = routine.inputs().count() + 1;
        let query = |part: &Part, count: usize| {
            let operands: Vec<String> = (1..=count).map(|number| format!("${number}")).collect();
            format!("SELECT {}({})", part.name, operands.join(", "))
        };
        let step = query(&aggregation.step, count);
        let finish = aggregation.finish.as_ref();
        let finish = finish.map(|part| query(part, if aggregation.finish_extra { count } else { 1 }));
        let key = format!("{step}\0{finish:?}");
        if let Some(fold) = self.known.folds.borrow().get(&key) {
            return Ok(fold.clone());
        }
        let fragment = |text: String| -> Result<(Rc<Source>, Fragment)> {
            let source = Rc::new(Source::stored(&text));
            let tokens = source.tokens()?;
            Ok((source, Fragment { at: 0, tokens, kind: Kind::Expression }))
        };
        let fold = Rc::new(Fold { step: fragment(step)?, finish: finish.map(fragment).transpose()? });
        self.known.folds.borrow_mut().insert(key, fold.clone());
        Ok(fold)
    }

    /// Whether a function returns null for a null. That of a project may have been replaced since.
    fn is_strict(&self, part: &Part) -> bool {
        let routine = part.routine.and_then(|oid| self.catalog.routine(oid));
        routine.map_or(part.strict, |routine| routine.strict)
    }
}

fn gone(number: CallNumber) -> SqlError {
    let message = format!("aggregate with OID {} does not exist", number.oid());
    SqlError::new(SqlState::UNDEFINED_FUNCTION, message)
}
