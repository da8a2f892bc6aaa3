//! What a body returns.

use rusqlite::types::Value;

use super::super::context::Place;
use super::super::fragment::{To, one_value};
use super::super::frame::{Field, Held, Slot};
use super::super::tree::Fragment;
use super::variables::NO_ROW;
use super::{Run, Wanted};
use crate::error::{Result, SqlError, SqlState};
use crate::run::Returned;
use crate::tree::Output;
use crate::types::{Modified, Type};
use crate::value::array;

const RECORD: &str = "returned record type does not match expected record type";

impl Run<'_, '_> {
    /// The arguments that are results, as a row.
    pub(super) fn output_fields(&self) -> Vec<Field> {
        let frame = self.frame.borrow();
        if let [only] = self.outputs[..]
            && let Held::Row(Some(fields)) = &frame.slots[only].held
            && self.returns_fields(&frame.slots[only])
        {
            return fields.clone();
        }
        let fields = self.outputs.iter().map(|slot| {
            let slot = &frame.slots[*slot];
            let value = if slot.absent { Value::Null } else { slot.held.clone().into_value() };
            Field { name: slot.name.clone(), type_: slot.type_, value }
        });
        fields.collect()
    }

    /// The arguments that are results, as the result of the call: the only one may be a row that is null.
    pub(super) fn output_row(&self) -> Held {
        let is_null =
            |slot: &Slot| slot.absent && matches!(slot.held, Held::Row(_)) && self.returns_fields(slot);
        let is_null = matches!(self.outputs[..], [only] if is_null(&self.frame.borrow().slots[only]));
        Held::Row((!is_null).then(|| self.output_fields()))
    }

    /// Whether the body returns the fields of its only result. A procedure returns the row in one column.
    fn returns_fields(&self, only: &Slot) -> bool {
        let type_ = only.type_.base;
        match &self.wanted {
            Wanted::Value(_) => false,
            Wanted::Row(columns) if type_ != Type::RECORD => {
                !matches!(&columns[..], [column] if column.type_.base == type_)
            }
            _ => true,
        }
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
            Wanted::Row(_) | Wanted::Trigger(_) => self.row_to_return(value)?,
        });
        Ok(())
    }

    fn row_to_return(&mut self, value: &Fragment) -> Result<Held> {
        let composite = "cannot return non-composite value from function returning composite type";
        self.row(value, Type::RECORD).map_err(|error| match error.message == NO_ROW {
            true => SqlError::new(error.code, composite),
            false => error,
        })
    }

    /// Makes the result one of the function's type after its end, where no block handles the errors.
    pub(super) fn convert_result(&mut self) -> Result<()> {
        match (self.wanted.clone(), self.unconverted.take(), self.result.take()) {
            (Wanted::Value(type_), Some(given), Some(Held::Value(value))) => {
                self.go_to(Place::Returned);
                self.result = Some(Held::Value(self.engine.convert(value, given, type_)?));
            }
            (Wanted::Row(columns), _, Some(Held::Row(Some(fields)))) if self.outputs.is_empty() => {
                self.go_to(Place::Returned);
                let types = columns.iter().map(|column| column.type_);
                let fields = self.parts_of_record(fields, &columns);
                self.require_types(&fields, types, RECORD)?;
                self.result = Some(Held::Row(Some(fields)));
            }
            (Wanted::Trigger(Some(relation)), _, Some(Held::Row(Some(fields)))) => {
                self.go_to(Place::Exit);
                let types = relation.columns.iter().map(|column| column.type_);
                let message = "returned row structure does not match the structure of the triggering table";
                self.require_types(&fields, types, message)?;
                self.result = Some(Held::Row(Some(fields)));
            }
            (_, _, result) => self.result = result,
        }
        Ok(())
    }

    /// The fields of a record that came as one value, which does not say their types.
    fn parts_of_record(&self, fields: Vec<Field>, columns: &[Output]) -> Vec<Field> {
        let [Field { type_: Modified { base: Type::RECORD, .. }, value: Value::Text(text), .. }] =
            &fields[..]
        else {
            return fields;
        };
        let items = array::elements(text);
        if items.len() != columns.len() {
            return fields;
        }
        let field = |(item, column): (&serde_json::Value, &Output)| Field {
            name: column.name.as_str().into(),
            type_: column.type_,
            value: array::value(self.engine.catalog.base_type(column.type_.base), item),
        };
        items.iter().zip(columns).map(field).collect()
    }

    /// Refuses a row whose columns are not of these types, if there are any.
    fn require_types(
        &self,
        fields: &[Field],
        types: impl ExactSizeIterator<Item = Modified>,
        message: &str,
    ) -> Result<()> {
        let count = types.len();
        let refused = |detail| Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message).detail(detail));
        for ((field, type_), number) in fields.iter().zip(types).zip(1..) {
            let given = field.type_;
            if given.base == type_.base && (given.modifier == type_.modifier || type_.modifier < 0) {
                continue;
            }
            let name = |type_: Modified| self.engine.catalog.type_name(type_.base, type_.modifier);
            return refused(format!(
                "Returned type {} does not match expected type {} in column {number}.",
                name(given),
                name(type_)
            ));
        }
        if count > 0 && fields.len() != count {
            return refused(format!(
                "Number of returned columns ({}) does not match expected column count ({count}).",
                fields.len()
            ));
        }
        Ok(())
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
                let variable = self.require_row(value)?;
                match self.row_to_return(value)? {
                    Held::Row(Some(fields)) => {
                        let types = columns.iter().map(|column| column.type_);
                        let fields = self.parts_of_record(fields, &columns);
                        let message =
                            if variable { "wrong record type supplied in RETURN NEXT" } else { RECORD };
                        self.require_types(&fields, types, message)?;
                        fields.into_iter().map(|field| field.value).collect()
                    }
                    _ => vec![Value::Null; columns.len()],
                }
            }
            (Some(_), Wanted::Nothing | Wanted::Trigger(_)) => return Ok(()),
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
