//! Variables: their types, and values on their way into them.

use rusqlite::types::Value;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::super::context::Place;
use super::super::fragment::{To, one_value};
use super::super::frame::{Field, Found, Held, Slot, Used, unassigned};
use super::super::parse::name_of;
use super::super::tree::{Declaration, Declared, Fragment, Target, TypeName};
use super::{Run, qualified, unknown};
use crate::bind::Step as Part;
use crate::error::{Result, SqlError, SqlState};
use crate::source::is_word;
use crate::tree::Output;
use crate::types::{Modified, Type};

/// The refusal of a value where a row is needed.
pub(super) const NO_ROW: &str = "cannot assign non-composite value to a record variable";

/// The refusal of a text where a row of any type is needed.
const NO_RECORD: &str = "input of anonymous composite types is not implemented";

impl Run<'_, '_> {
    pub(super) fn declare_all(&mut self, declarations: &[Declaration]) -> Result<()> {
        let outer = self.place;
        for declaration in declarations {
            self.go_to(Place::Variable(declaration.line));
            self.declare(declaration)?;
        }
        self.go_to(outer);
        Ok(())
    }

    pub(super) fn declare(&mut self, Declaration { name, declared, .. }: &Declaration) -> Result<()> {
        match declared {
            Declared::Alias(of) => {
                let slot = self.frame.borrow().slot(of);
                let slot = slot.ok_or_else(|| {
                    SqlError::new(SqlState::UNDEFINED_OBJECT, format!("variable \"{of}\" does not exist"))
                })?;
                self.frame.borrow_mut().name(name.as_str(), slot);
            }
            Declared::Cursor { .. } => {
                // A declared cursor has the variable's name.
                let slot = Slot::with(name, Type::REFCURSOR, name.clone());
                self.frame.borrow_mut().declare(slot);
            }
            Declared::Variable { type_, constant, not_null, default } => {
                let type_ = self.type_named(type_)?;
                let mut slot = Slot::new(&self.engine.catalog, name, type_);
                slot.not_null = *not_null;
                // A default does not see the variable itself, so the value comes first.
                let value = match default {
                    Some(default) => Some(self.held(default, &slot)?),
                    None => {
                        // A domain may refuse the null with which the variable begins.
                        if self.engine.catalog.base_type(type_.base) != type_.base {
                            self.engine.convert(Value::Null, Type::TEXT.plain(), type_)?;
                        }
                        None
                    }
                };
                let constant = *constant;
                let number = self.frame.borrow_mut().declare(slot);
                if let Some(held) = value {
                    self.store(number, held)?;
                }
                self.frame.borrow_mut().slots[number].constant = constant;
            }
        }
        Ok(())
    }

    pub(super) fn type_named(&self, type_: &TypeName) -> Result<Modified> {
        let engine = &*self.engine;
        let unknown = |names: &[String]| {
            let message = format!("relation \"{}\" does not exist", names.join("."));
            SqlError::new(SqlState::UNDEFINED_TABLE, message)
        };
        match type_ {
            TypeName::Record => Ok(Type::RECORD.plain()),
            TypeName::Written(tokens) => {
                let mut tokens = tokens.clone();
                let array = tokens.last().is_some_and(|token| is_word(token, "array"));
                if array {
                    tokens.pop();
                }
                let parsed = engine.source.parse(&tokens, Parser::parse_data_type)?;
                let found = engine.plain_binder().data_type(&parsed)?;
                let array = if array { found.base.array() } else { None };
                Ok(array.map_or(found, Type::plain))
            }
            TypeName::RowOf(names) => {
                let (schema, name) = qualified(names);
                let relation = engine.plain_binder().relation_by_name(schema, name).map_err(|error| {
                    match error.code {
                        SqlState::INVALID_SCHEMA => error,
                        _ => unknown(names),
                    }
                })?;
                engine.catalog.row_type(relation.oid).map(Type::plain).ok_or_else(|| unknown(names))
            }
            TypeName::Like(names, _) => {
                let frame = self.frame.borrow();
                match frame.find(names)? {
                    Some(Found::Slot(slot)) => return Ok(frame.slots[slot].type_),
                    Some(Found::Field(slot, field)) => {
                        if let Some((_, type_)) = frame.shape((slot, Some(field))) {
                            return Ok(type_);
                        }
                    }
                    None => {}
                }
                let Some((column, table)) = names.split_last().filter(|(_, table)| !table.is_empty()) else {
                    let message = format!("type \"{}\" does not exist", names.join("."));
                    return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
                };
                let (schema, name) = qualified(table);
                let relation = engine.plain_binder().relation_by_name(schema, name)?;
                let found = relation.column(column).map(|column| column.type_);
                found.ok_or_else(|| {
                    let message = format!("column \"{column}\" of relation \"{name}\" does not exist");
                    SqlError::new(SqlState::UNDEFINED_COLUMN, message)
                })
            }
        }
    }

    /// Assigns columns to a record, or to as many variables.
    pub(super) fn assign_row(
        &mut self,
        targets: &[Target],
        columns: &[Output],
        row: Vec<Value>,
    ) -> Result<()> {
        if let [target] = targets {
            let found = self.frame.borrow().find(&target.names)?;
            let is_row = |slot: usize| matches!(self.frame.borrow().slots[slot].held, Held::Row(_));
            if let Some(Found::Slot(slot)) = found
                && is_row(slot)
            {
                let fields = columns.iter().zip(row);
                let fields = fields.map(|(column, value)| Field {
                    name: column.name.as_str().into(),
                    type_: column.type_,
                    value,
                });
                let held = Held::Row(Some(fields.collect()));
                return self.store(slot, held);
            }
        }
        let mut values = columns.iter().map(|column| column.type_).zip(row);
        for target in targets {
            let (type_, value) = values.next().unwrap_or((Type::TEXT.plain(), Value::Null));
            self.assign(target, type_, value)?;
        }
        Ok(())
    }

    pub(super) fn assign_expression(
        &mut self,
        target: &Target,
        parts: &[Part],
        value: &Fragment,
    ) -> Result<()> {
        let found = self.frame.borrow().find(&target.names)?;
        if let (Some(Found::Slot(number)), []) = (found, parts) {
            let slot = self.frame.borrow().slots[number].clone();
            let held = self.held(value, &slot)?;
            return self.store(number, held);
        }
        if let (Some(found @ Found::Field(..)), []) = (found, parts) {
            let type_ = self.type_of(found);
            let value = self.engine.evaluate(value, type_)?;
            return self.put(found, value);
        }
        self.assign_part(target, parts, value)
    }

    /// Assigns to an element of a variable or field, or to a field of a field.
    fn assign_part(&mut self, target: &Target, parts: &[Part], value: &Fragment) -> Result<()> {
        let (found, fields) = self.outermost(target)?;
        let fields = fields.iter().cloned().map(Part::Field);
        let parts: Vec<Part> = fields.chain(parts.iter().cloned()).collect();
        let name = target.names.first().map_or("", String::as_str);
        let returned = self.engine.fragment_rows(value, To::Part(found, name, &parts))?;
        let value = one_value(returned.rows)?;
        self.put(found, value)
    }

    /// The variable or the field of one that the first names stand for, and the names of the fields in it.
    fn outermost<'t>(&self, target: &'t Target) -> Result<(Found, &'t [String])> {
        let frame = self.frame.borrow();
        for end in (1..=target.names.len()).rev() {
            let (names, fields) = target.names.split_at(end);
            match frame.find(names)? {
                Some(Found::Slot(_)) if !fields.is_empty() => {}
                Some(found) => return Ok((found, fields)),
                None => {}
            }
        }
        Err(unknown(target))
    }

    /// The value of an expression for a variable.
    pub(super) fn held(&mut self, value: &Fragment, slot: &Slot) -> Result<Held> {
        let Held::Row(_) = slot.held else {
            return Ok(Held::Value(self.engine.evaluate(value, slot.type_)?));
        };
        self.row(value, slot.type_.base).map_err(|error| match error.message == NO_ROW {
            // PostgreSQL reads the text of the value as that of a row.
            true => SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, NO_RECORD),
            false => error,
        })
    }

    /// The type of a row in a variable, if the expression is no more than its name.
    pub(super) fn row_type(&self, value: &Fragment) -> Result<Type> {
        let [_, TokenWithSpan { token: Token::Word(word), .. }] = &value.tokens[..] else {
            return Ok(Type::RECORD);
        };
        let frame = self.frame.borrow();
        Ok(match frame.find(&[name_of(word)])? {
            Some(Found::Slot(number)) => frame.slots[number].type_.base,
            _ => Type::RECORD,
        })
    }

    /// The row in a variable, if the expression is no more than its name.
    fn row_variable(&self, value: &Fragment) -> Result<Option<Held>> {
        let [_, TokenWithSpan { token: Token::Word(word), .. }] = &value.tokens[..] else { return Ok(None) };
        let frame = self.frame.borrow();
        let Some(Found::Slot(number)) = frame.find(&[name_of(word)])? else { return Ok(None) };
        Ok(match &frame.slots[number].held {
            Held::Row(Some(_)) if frame.slots[number].absent => Some(Held::Row(None)),
            held @ Held::Row(Some(_)) => Some(held.clone()),
            _ => None,
        })
    }

    /// Whether an expression is no more than the name of a row. A record must have one.
    pub(super) fn require_row(&self, value: &Fragment) -> Result<bool> {
        let [_, TokenWithSpan { token: Token::Word(word), .. }] = &value.tokens[..] else { return Ok(false) };
        let frame = self.frame.borrow();
        let Some(Found::Slot(number)) = frame.find(&[name_of(word)])? else { return Ok(false) };
        match &frame.slots[number].held {
            Held::Row(None) => Err(unassigned(&frame.slots[number].name)),
            held => Ok(matches!(held, Held::Row(_))),
        }
    }

    /// The value of an expression as a row.
    pub(super) fn row(&mut self, value: &Fragment, type_: Type) -> Result<Held> {
        if let Some(held) = self.row_variable(value)? {
            return Ok(held);
        }
        let (returned, of_row) = self.engine.fragment_fields(value, To::Fields)?;
        if returned.rows.len() > 1 {
            let message = "query returned more than one row";
            return Err(SqlError::new(SqlState::CARDINALITY_VIOLATION, message));
        }
        let row = returned.rows.into_iter().next();
        let Some(row) = row else { return Ok(Held::Row(None)) };
        let columns = returned.columns;
        if let ([column], [value], false) = (&columns[..], &row[..], of_row) {
            let of = if column.type_.base == Type::RECORD { type_ } else { column.type_.base };
            let is_null = *value == Value::Null;
            if let Some(fields) = self.engine.fields_of(of, value) {
                return Ok(Held::Row((!is_null).then_some(fields)));
            }
            // A row of one column looks like a value. The text of any other value is read as a row.
            let fields = self.engine.catalog.attributes(type_).map(|fields| fields.len());
            let from = column.type_.base;
            if fields.is_some() && (from.is_string() || fields != Some(1)) && !is_null {
                let text = match value {
                    Value::Integer(truth) if from == Type::BOOL => {
                        ["f", "t"][*truth as usize & 1].to_owned().into()
                    }
                    value => self.engine.convert(value.clone(), column.type_, Type::TEXT.plain())?,
                };
                let value = self.engine.convert(text, Type::TEXT.plain(), type_.plain())?;
                let fields = self.engine.fields_of(type_, &value).filter(|_| value != Value::Null);
                return Ok(Held::Row(fields));
            }
            if !is_null
                && fields != Some(1)
                && (column.name == "?column?" || column.type_.base != Type::RECORD)
            {
                return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, NO_ROW));
            }
            if is_null {
                return Ok(Held::Row(None));
            }
        }
        let fields = columns.into_iter().zip(row);
        let fields =
            fields.map(|(column, value)| Field { name: column.name.into(), type_: column.type_, value });
        Ok(Held::Row(Some(fields.collect())))
    }

    /// Puts a value of the right kind into a variable. The fields of a row get the types of the variable's row.
    pub(super) fn store(&mut self, number: usize, held: Held) -> Result<()> {
        let slot = self.frame.borrow().slots[number].clone();
        if slot.constant {
            let message = format!("variable \"{}\" is declared CONSTANT", slot.name);
            return Err(SqlError::new(SqlState::new("22005"), message));
        }
        if slot.not_null && matches!(held, Held::Value(Value::Null) | Held::Row(None)) {
            let message =
                format!("null value cannot be assigned to variable \"{}\" declared NOT NULL", slot.name);
            return Err(SqlError::new(SqlState::new("22004"), message));
        }
        let attributes = self.engine.catalog.attributes(slot.type_.base);
        let absent = matches!(held, Held::Row(None));
        let held = match (held, attributes) {
            (Held::Row(fields), Some(attributes)) => {
                let mut given = fields.unwrap_or_default().into_iter();
                let mut fields = Vec::with_capacity(attributes.len());
                for attribute in attributes {
                    let value = match given.next() {
                        Some(field) => self.engine.convert(field.value, field.type_, attribute.type_)?,
                        None => Value::Null,
                    };
                    fields.push(Field { name: attribute.name.into(), type_: attribute.type_, value });
                }
                Held::Row(Some(fields))
            }
            (held, _) => held,
        };
        let slot = &mut self.frame.borrow_mut().slots[number];
        (slot.held, slot.absent) = (held, absent);
        Ok(())
    }

    fn type_of(&self, found: Found) -> Modified {
        let frame = self.frame.borrow();
        frame.shape(used(found)).map_or_else(
            || match found {
                Found::Slot(slot) => frame.slots[slot].type_,
                Found::Field(..) => Type::TEXT.plain(),
            },
            |(_, type_)| type_,
        )
    }

    /// Assigns a value to a variable or a field.
    pub(super) fn assign(&mut self, target: &Target, from: Modified, value: Value) -> Result<()> {
        let (found, fields) = self.outermost(target)?;
        if !fields.is_empty() {
            return Err(unknown(target));
        }
        let is_row = matches!(found, Found::Slot(slot) if matches!(self.frame.borrow().slots[slot].held, Held::Row(_)));
        if let (Found::Slot(slot), true) = (found, is_row) {
            let fields = self.engine.fields_of(from.base, &value).filter(|_| value != Value::Null);
            return self.store(slot, Held::Row(fields));
        }
        let value = self.engine.convert(value, from, self.type_of(found))?;
        self.put(found, value)
    }

    /// Puts a value of the right type into a variable or a field.
    fn put(&mut self, found: Found, value: Value) -> Result<()> {
        match found {
            Found::Slot(slot) => self.store(slot, Held::Value(value)),
            Found::Field(number, field) => {
                let (checked, fields) = {
                    let slot = &mut self.frame.borrow_mut().slots[number];
                    slot.absent = false;
                    let Held::Row(Some(fields)) = &mut slot.held else { return Ok(()) };
                    fields[field].value = value;
                    (slot.type_, slot.held.clone())
                };
                let base = self.engine.catalog.base_type(checked.base);
                if base != checked.base {
                    self.engine.convert(fields.into_value(), base.plain(), checked)?;
                }
                Ok(())
            }
        }
    }
}

fn used(found: Found) -> Used {
    match found {
        Found::Slot(slot) => (slot, None),
        Found::Field(slot, field) => (slot, Some(field)),
    }
}
