//! What a body returns.

use rusqlite::types::Value;

use super::super::context::Place;
use super::super::fragment::{To, one_value};
use super::super::frame::{Field, Held};
use super::super::tree::Fragment;
use super::{Run, Wanted};
use crate::error::{Result, SqlError, SqlState};
use crate::run::Returned;
use crate::tree::Output;
use crate::types::{Modified, Type};

impl Run<'_, '_> {
    /// The arguments that are results, as a row.
    pub(super) fn output_fields(&self) -> Vec<Field> {
        let frame = self.frame.borrow();
        let fields = self.outputs.iter().map(|slot| {
            let slot = &frame.slots[*slot];
            Field { name: slot.name.clone(), type_: slot.type_, value: slot.held.clone().into_value() }
        });
        fields.collect()
    }

    pub(super) fn return_value(&mut self, value: Option<&Fragment>) -> Result<()> {
        let Some(value) = value else { return Ok(()) };
        self.result = Some(match self.wanted.clone() {
            Wanted::Value(type_) if self.engine.is_guarded() => {
                let returned = self.engine.fragment_rows(value, To::Columns)?;
                let given = match &returned.columns[..] {
                    [only] => only.type_,
                    columns => {
                        let message = format!("query returned {} columns", columns.len());
                        return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
                    }
                };
                self.unconverted = (given != type_).then_some(given);
                Held::Value(one_value(returned.rows)?)
            }
            Wanted::Value(type_) => Held::Value(self.engine.evaluate(value, type_)?),
            Wanted::Nothing => {
                self.engine.fragment_rows(value, To::Fields)?;
                return Ok(());
            }
            Wanted::Row(columns) => {
                let held = self.row(value, Type::RECORD)?;
                self.fitted(held, &columns)?
            }
            Wanted::Trigger => self.row(value, Type::RECORD)?,
        });
        Ok(())
    }

    /// Converts a result that was returned in a block that handles errors.
    pub(super) fn convert_result(&mut self) -> Result<()> {
        let (Some(given), &Wanted::Value(type_)) = (self.unconverted.take(), &self.wanted) else {
            return Ok(());
        };
        self.go_to(Place::Returned);
        if let Some(Held::Value(value)) = self.result.take() {
            self.result = Some(Held::Value(self.engine.convert(value, given, type_)?));
        }
        Ok(())
    }

    /// A row with the types of the columns that are wanted.
    pub(super) fn fitted(&mut self, held: Held, columns: &[Output]) -> Result<Held> {
        let Held::Row(Some(fields)) = held else { return Ok(held) };
        if columns.is_empty() {
            return Ok(Held::Row(Some(fields)));
        }
        if fields.len() != columns.len() {
            let message = "returned record type does not match expected record type";
            return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message).detail(format!(
                "Number of returned columns ({}) does not match expected column count ({}).",
                fields.len(),
                columns.len()
            )));
        }
        let mut fitted = Vec::with_capacity(fields.len());
        for (field, column) in fields.into_iter().zip(columns) {
            let value = self.engine.convert(field.value, field.type_, column.type_)?;
            fitted.push(Field { name: column.name.as_str().into(), type_: column.type_, value });
        }
        Ok(Held::Row(Some(fitted)))
    }

    pub(super) fn return_next(&mut self, value: Option<&Fragment>) -> Result<()> {
        if !self.set {
            let message = "cannot use RETURN NEXT in a non-SETOF function";
            return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message));
        }
        let row = match (value, self.wanted.clone()) {
            (None, _) => self.output_fields().into_iter().map(|field| field.value).collect(),
            (Some(value), Wanted::Value(type_)) => vec![self.engine.evaluate(value, type_)?],
            (Some(value), Wanted::Row(columns)) => {
                let held = self.row(value, Type::RECORD)?;
                match self.fitted(held, &columns)? {
                    Held::Row(Some(fields)) => fields.into_iter().map(|field| field.value).collect(),
                    _ => vec![Value::Null; columns.len()],
                }
            }
            (Some(_), Wanted::Nothing | Wanted::Trigger) => return Ok(()),
        };
        self.push_row(row)
    }

    pub(super) fn push_row(&mut self, row: Vec<Value>) -> Result<()> {
        let size: usize = row.iter().map(crate::encode::size).sum();
        self.engine.budget.work(size / 16)?;
        self.engine.budget.hold(size + 32)?;
        self.rows.push(row);
        Ok(())
    }

    /// `RETURN QUERY`
    pub(super) fn return_rows(&mut self, returned: Returned) -> Result<()> {
        if !self.set {
            let message = "cannot use RETURN QUERY in a non-SETOF function";
            return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message));
        }
        let types: Vec<Modified> = match &self.wanted {
            Wanted::Value(type_) => vec![*type_],
            Wanted::Row(columns) if !columns.is_empty() => {
                columns.iter().map(|column| column.type_).collect()
            }
            _ => returned.columns.iter().map(|column| column.type_).collect(),
        };
        let mismatch = |detail: String| {
            let message = "structure of query does not match function result type";
            SqlError::new(SqlState::DATATYPE_MISMATCH, message).detail(detail)
        };
        let catalog = self.engine.catalog.clone();
        for (index, (column, type_)) in returned.columns.iter().zip(&types).enumerate() {
            let (given, wanted) = (column.type_.base, type_.base);
            if given != wanted && given != Type::UNKNOWN {
                let name = |type_: Type| catalog.type_name(type_, -1);
                return Err(mismatch(format!(
                    "Returned type {} does not match expected type {} in column {}.",
                    name(given),
                    name(wanted),
                    index + 1
                )));
            }
        }
        if returned.columns.len() != types.len() {
            let (given, wanted) = (returned.columns.len(), types.len());
            return Err(mismatch(format!(
                "Number of returned columns ({given}) does not match expected column count ({wanted})."
            )));
        }
        self.set_found(!returned.rows.is_empty());
        self.frame.borrow_mut().affected = returned.rows.len();
        returned.rows.into_iter().try_for_each(|row| self.push_row(row))
    }
}
