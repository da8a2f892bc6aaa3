//! The variables of a call, as queries see them: each use of one becomes a parameter of the query.

use std::rc::Rc;

use rusqlite::types::Value;

use super::tree::Conflict;
use crate::catalog::{Catalog, Oid};
use crate::error::{Result, SqlError, SqlState};
use crate::tree::{Expr, Node};
use crate::types::{Modified, Type};
use crate::value::array;

/// A parameter that stands for a variable.
pub(crate) const PARAMETER: &str = "?{0}";

/// A variable that a query uses: its slot, and its field if it is a row.
pub(crate) type Used = (usize, Option<usize>);

/// The variables that are visible at a place of a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) slots: Vec<Slot>,
    scopes: Vec<Scope>,
    /// The uses of variables in the query that is being bound.
    pub(crate) used: Vec<Used>,
    pub(crate) conflict: Conflict,
    /// Whether variables become literals, for functions that need a constant.
    pub(crate) inline: bool,
    /// Whether the query that is being bound has such a literal.
    pub(crate) inlined: bool,
    /// The function that the queries may call whatever the role may: that of an aggregate.
    pub(crate) admitted: Option<Oid>,
    /// Whether a record in a single column of a query becomes the columns of the row that the function returns.
    pub(crate) apart: bool,
    /// Identifies the body, for plans of its queries.
    pub(crate) body: usize,
    /// `ROW_COUNT`: the rows of the last statement of the body, or of the last query in an expression.
    pub(crate) affected: usize,
}

#[derive(Clone, Debug)]
struct Scope {
    label: Option<String>,
    names: Vec<(Rc<str>, usize)>,
    /// The number of slots before it.
    start: usize,
}

/// A variable.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) name: Rc<str>,
    pub(crate) type_: Modified,
    pub(crate) constant: bool,
    pub(crate) not_null: bool,
    /// Whether a variable of a row's type is null, rather than a row of nulls.
    pub(crate) absent: bool,
    pub(crate) held: Held,
}

/// The value of a variable.
#[derive(Clone, Debug)]
pub(crate) enum Held {
    Value(Value),
    /// The fields of a record or a row; `None` for a record without structure.
    Row(Option<Vec<Field>>),
}

#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: Rc<str>,
    pub(crate) type_: Modified,
    pub(crate) value: Value,
}

/// In place of a field: whether the variable has no row. A row of nulls is one.
const ABSENT: usize = usize::MAX;

/// A variable or a field of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Slot(usize),
    Field(usize, usize),
}

impl Slot {
    /// A variable of a type, with null in it.
    pub(crate) fn new(catalog: &Catalog, name: &str, type_: Modified) -> Slot {
        let held = match catalog.attributes(type_.base) {
            Some(attributes) => {
                let field = |attribute: crate::catalog::Attribute| Field {
                    name: attribute.name.into(),
                    type_: attribute.type_,
                    value: Value::Null,
                };
                Held::Row(Some(attributes.into_iter().map(field).collect()))
            }
            None if type_.base == Type::RECORD => Held::Row(None),
            None => Held::Value(Value::Null),
        };
        Slot { name: name.into(), type_, constant: false, not_null: false, absent: true, held }
    }

    /// A variable with a value.
    pub(crate) fn with(name: &str, type_: Type, value: impl Into<Value>) -> Slot {
        let held = Held::Value(value.into());
        Slot {
            name: name.into(),
            type_: type_.plain(),
            constant: false,
            not_null: false,
            absent: false,
            held,
        }
    }
}

impl Held {
    /// The value in one piece: a row as an array of its fields.
    pub(crate) fn into_value(self) -> Value {
        match self {
            Held::Value(value) => value,
            Held::Row(None) => Value::Null,
            Held::Row(Some(fields)) => {
                array::of(fields.iter().map(|field| array::element((&field.value).into())).collect())
            }
        }
    }
}

impl Frame {
    pub(crate) fn enter(&mut self, label: Option<String>) {
        self.scopes.push(Scope { label, names: Vec::new(), start: self.slots.len() });
    }

    pub(crate) fn leave(&mut self) {
        if let Some(scope) = self.scopes.pop() {
            self.slots.truncate(scope.start);
        }
    }

    /// Adds a variable to the innermost scope.
    pub(crate) fn declare(&mut self, slot: Slot) -> usize {
        let number = self.slots.len();
        self.name(slot.name.clone(), number);
        self.slots.push(slot);
        number
    }

    /// Gives a variable another name.
    pub(crate) fn name(&mut self, name: impl Into<Rc<str>>, slot: usize) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.push((name.into(), slot));
        }
    }

    /// Finds a variable, a field of a row, or either in a labelled block.
    pub(crate) fn find(&self, names: &[String]) -> Result<Option<Found>> {
        let [first, rest @ ..] = names else { return Ok(None) };
        if let Some(slot) = self.slot(first) {
            match (rest, &self.slots[slot].held) {
                ([], _) => return Ok(Some(Found::Slot(slot))),
                ([field], Held::Row(_)) => return self.field(slot, field).map(Some),
                _ => {}
            }
        }
        let labelled = self.scopes.iter().rev().find(|scope| scope.label.as_ref() == Some(first));
        let (Some(scope), [variable, fields @ ..]) = (labelled, rest) else { return Ok(None) };
        let found = scope.names.iter().rev().find(|(name, _)| **name == **variable);
        match (found, fields) {
            (Some((_, slot)), []) => Ok(Some(Found::Slot(*slot))),
            (Some((_, slot)), [field]) => self.field(*slot, field).map(Some),
            _ => Ok(None),
        }
    }

    /// A variable by its own name.
    pub(crate) fn slot(&self, name: &str) -> Option<usize> {
        let mut named = self.scopes.iter().rev().flat_map(|scope| scope.names.iter().rev());
        named.find(|(known, _)| **known == *name).map(|(_, slot)| *slot)
    }

    fn field(&self, slot: usize, name: &str) -> Result<Found> {
        let Slot { name: record, held, .. } = &self.slots[slot];
        let Held::Row(Some(fields)) = held else { return Err(unassigned(record)) };
        let at = fields.iter().position(|field| *field.name == *name).ok_or_else(|| {
            SqlError::new(SqlState::UNDEFINED_COLUMN, format!("record \"{record}\" has no field \"{name}\""))
        })?;
        Ok(Found::Field(slot, at))
    }

    /// The names of a row's fields.
    pub(crate) fn fields_of(&self, name: &str) -> Option<Vec<String>> {
        match &self.slots[self.slot(name)?].held {
            Held::Row(Some(fields)) => Some(fields.iter().map(|field| field.name.to_string()).collect()),
            _ => None,
        }
    }

    /// The cursor whose name a variable has.
    pub(crate) fn cursor_named(&self, variable: &str) -> Option<String> {
        let slot = &self.slots[self.slot(variable)?];
        match &slot.held {
            Held::Value(Value::Text(name)) if slot.type_.base == Type::REFCURSOR => Some(name.clone()),
            _ => None,
        }
    }

    /// What a name stands for in a query.
    pub(crate) fn resolve(&mut self, names: &[String]) -> Result<Option<Expr>> {
        Ok(self.find(names)?.map(|found| self.of_found(found)))
    }

    /// A variable or a field in a query.
    pub(crate) fn of_found(&mut self, found: Found) -> Expr {
        match found {
            Found::Field(slot, field) => self.parameter((slot, Some(field))),
            Found::Slot(slot) => match &self.slots[slot].held {
                Held::Value(_) => self.parameter((slot, None)),
                // As a whole, a record without a row is null.
                Held::Row(None) => self.parameter((slot, None)),
                Held::Row(Some(fields)) => {
                    let type_ = self.slots[slot].type_.base;
                    let fields: Vec<String> = fields.iter().map(|field| field.name.to_string()).collect();
                    let items = (0..fields.len()).map(|field| self.parameter((slot, Some(field)))).collect();
                    Expr::new(Node::Row(items, fields), type_)
                }
            },
        }
    }

    /// Whether the variable has no row, if the expression is a field of one.
    pub(crate) fn absence(&mut self, field: &Expr) -> Option<Expr> {
        let Node::Template { text, operands, .. } = &field.node else { return None };
        let &[Expr { node: Node::Literal(Value::Integer(number)), .. }] = &operands[..] else { return None };
        let at = usize::try_from(number).ok()?.checked_sub(1).filter(|_| *text == PARAMETER)?;
        let (slot, Some(_)) = *self.used.get(at)? else { return None };
        Some(self.parameter((slot, Some(ABSENT))))
    }

    fn parameter(&mut self, used: Used) -> Expr {
        let (_, type_) = self.shape(used).expect("the variable was found");
        let expr = if self.inline {
            self.inlined = true;
            Expr::literal(self.value(used), type_.base)
        } else {
            self.used.push(used);
            let number = Expr::literal(self.used.len() as i64, Type::INT4);
            Expr::template(PARAMETER, vec![number], type_.base)
        };
        Expr { modifier: type_.modifier, ..expr }
    }

    /// The name and type of what a query uses; `None` if it is no longer there.
    pub(crate) fn shape(&self, (slot, field): Used) -> Option<(&str, Modified)> {
        let slot = self.slots.get(slot)?;
        match (field, &slot.held) {
            (None, Held::Value(_) | Held::Row(None)) => Some((&*slot.name, slot.type_)),
            (Some(ABSENT), Held::Row(Some(_))) => Some((&*slot.name, Type::BOOL.plain())),
            (Some(field), Held::Row(Some(fields))) => {
                fields.get(field).map(|field| (&*field.name, field.type_))
            }
            _ => None,
        }
    }

    /// How many fields the row of a variable has; `None` if it has none.
    pub(crate) fn width(&self, slot: usize) -> Option<usize> {
        match &self.slots.get(slot)?.held {
            Held::Row(Some(fields)) => Some(fields.len()),
            _ => None,
        }
    }

    /// Whether a query uses all fields of a row.
    pub(crate) fn uses_all(&self, slot: usize, width: usize) -> bool {
        (0..width).all(|field| self.used.contains(&(slot, Some(field))))
    }

    /// The value of what a query uses.
    pub(crate) fn value(&self, (slot, field): Used) -> Value {
        match (field, &self.slots[slot].held) {
            (None, Held::Value(value)) => value.clone(),
            (Some(ABSENT), _) => Value::Integer(self.slots[slot].absent.into()),
            (Some(field), Held::Row(Some(fields))) => {
                fields.get(field).map_or(Value::Null, |field| field.value.clone())
            }
            _ => Value::Null,
        }
    }
}

pub(super) fn unassigned(record: &str) -> SqlError {
    SqlError::new(SqlState::NOT_IN_PREREQUISITE_STATE, format!("record \"{record}\" is not assigned yet"))
        .detail("The tuple structure of a not-yet-assigned record is indeterminate.")
}
