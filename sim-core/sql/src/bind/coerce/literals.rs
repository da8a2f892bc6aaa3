//! Literals of a type: scalars, rows, and arrays of them.

use rusqlite::types::{Value, ValueRef};

use super::{ELEMENTS, TEXTS, unless_null};
use crate::bind::{Binder, Clause};
use crate::cast::{self, Context};
use crate::catalog::Attribute;
use crate::error::{Result, SqlError, SqlState};
use crate::row_text::RowText;
use crate::tree::{Body, Expr, Field, From, Node, Output, Query, Select};
use crate::types::{Modified, Type};
use crate::value::{self, array, interval};

impl Binder<'_> {
    /// Reads a literal as a value of `to`.
    pub(crate) fn literal(&self, text: &str, to: Modified) -> Result<Expr> {
        self.literal_as(text, to, false)
    }

    pub(super) fn literal_as(&self, text: &str, to: Modified, explicit: bool) -> Result<Expr> {
        if let Some(known) = &self.placeholders
            && known.find(text, self.catalog.base_type(to.base))
        {
            return Ok(Expr { modifier: to.modifier, ..Expr::literal(Value::Null, to.base) });
        }
        let (base, domains) = self.domains_between(Type::UNKNOWN, to.base);
        if !domains.is_empty() {
            let inner = self.literal(text, base)?;
            return self.to_domains(inner, &domains);
        }
        if let Some((array, domains)) = self.domains_of_elements(Type::UNKNOWN, base.base) {
            let inner = self.literal(text, array)?;
            return self.to_domain_elements(inner, base.base, &domains);
        }
        let base = base.base;
        if let Some(labels) = self.catalog.labels(base) {
            if !labels.iter().any(|label| label == text) {
                let name = self.catalog.type_name(base, -1);
                let message = format!("invalid input value for enum {name}: \"{text}\"");
                return Err(SqlError::new(SqlState::INVALID_TEXT, message));
            }
            self.require_settled(base, text)?;
            return Ok(Expr::literal(text.to_owned(), base));
        }
        if base.is_reg() {
            return Ok(Expr::literal(i64::from(self.named_object(base, text)?), base));
        }
        if base == Type::REGCONFIG {
            return Ok(Expr::literal(self.configuration(text)?, base));
        }
        if self.catalog.attributes(base).is_some() || base == Type::RECORD {
            return self.row_literal(text, base);
        }
        if base.element().is_some_and(Type::is_reg) {
            return self.run_time_cast(self.literal(text, TEXTS.plain())?, to, Context::Explicit);
        }
        if let Some(element) = base.element().filter(|element| element.is_user()) {
            return self.user_array(text, base, element);
        }
        if base == Type::XML {
            crate::functions::xml::check(text)?;
        }
        let text = match base {
            Type::INTERVAL if to.modifier >= 0 => &*interval::with_unit(text, to.modifier),
            _ => text,
        };
        if let Some(moment) = self.moment(text, base)? {
            return Ok(moment);
        }
        let value = self.literal_in_zone(text, base)?.map_or_else(|| value::parse(base, text), Ok)?;
        let fitted = cast::convert(ValueRef::from(&value), base, base, to.modifier, explicit);
        match fitted {
            Ok(value) => Ok(Expr { modifier: to.modifier, ..Expr::literal(value, base) }),
            // PostgreSQL looks at the length after it has read the literal; for a default, when a row is inserted.
            Err(_) if self.clause == Clause::Default => {
                let context = if explicit { Context::Explicit } else { Context::Assignment };
                let to = Modified { base, modifier: to.modifier };
                self.run_time_cast(Expr::literal(value, base), to, context)
            }
            Err(error) => Err(error.late()),
        }
    }

    /// The words that mean a time when the statement runs: `now`, `today`, `tomorrow 10:00`.
    fn moment(&self, text: &str, base: Type) -> Result<Option<Expr>> {
        let lower = text.trim().to_ascii_lowercase();
        let (word, clock) = lower.split_once(' ').unwrap_or((&lower, ""));
        let days = match word {
            "today" => 0,
            "tomorrow" => 1,
            "yesterday" => -1,
            "now" if clock.is_empty() => 0,
            _ => return Ok(None),
        };
        let dated = matches!(base, Type::DATE | Type::TIMESTAMP | Type::TIMESTAMPTZ);
        if !(dated || base == Type::TIME && word == "now") {
            return Ok(None);
        }
        if self.clause == Clause::Default {
            // PostgreSQL takes the time at which the default is defined.
            let refused = SqlError::unsupported(format!("the default '{lower}'"));
            return Err(refused.hint("now() and current_date are computed when a row is inserted."));
        }
        let now = Expr::template("{now}", Vec::new(), Type::TIMESTAMPTZ);
        if word == "now" {
            return self.cast(now, base.plain()).map(Some);
        }
        let operands = vec![self.cast(now, Type::DATE.plain())?, Expr::literal(days, Type::INT4)];
        let day = Expr::template("({0} + {1})", operands, Type::DATE);
        if clock.is_empty() || base == Type::DATE {
            return self.cast(day, base.plain()).map(Some);
        }
        let clock = value::parse(Type::TIME, clock)?;
        let local = vec![self.cast(day, Type::TIMESTAMP.plain())?, Expr::literal(clock, Type::TIME)];
        self.cast(Expr::template("({0} + {1})", local, Type::TIMESTAMP), base.plain()).map(Some)
    }

    fn user_array(&self, text: &str, type_: Type, element: Type) -> Result<Expr> {
        let texts = array::parse(Type::TEXT.array().unwrap_or(Type::TEXT), text)?;
        if self.catalog.attributes(element).is_some() {
            return self.row_array(&array::elements(&texts), type_, element);
        }
        for item in array::elements(&texts) {
            if let serde_json::Value::String(item) = item {
                self.literal(&item, element.plain())?;
            }
        }
        Ok(Expr::literal(texts, type_))
    }

    /// An array of rows, each of which is a text.
    fn row_array(&self, items: &[serde_json::Value], type_: Type, element: Type) -> Result<Expr> {
        let items = items.iter().map(|item| match item {
            serde_json::Value::String(row) => self.literal(row, element.plain()),
            serde_json::Value::Array(items) => self.row_array(items, type_, element),
            _ => Ok(Expr::literal(Value::Null, element)),
        });
        Ok(Expr::new(Node::Array(items.collect::<Result<_>>()?), type_))
    }

    fn row_literal(&self, text: &str, type_: Type) -> Result<Expr> {
        let attributes = self.catalog.attributes(type_).ok_or_else(|| {
            SqlError::new(
                SqlState::FEATURE_NOT_SUPPORTED,
                "input of anonymous composite types is not implemented",
            )
        })?;
        let mut row = RowText::begin(text)?;
        let items = attributes.into_iter().map(|attribute| match row.field()? {
            None => Ok(Expr::literal(Value::Null, attribute.type_.base)),
            Some(field) => self.literal(&field, attribute.type_),
        });
        let items = items.collect::<Result<_>>()?;
        row.end()?;
        Ok(Expr::new(Node::Row(items, Vec::new()), type_))
    }

    /// The row that a text is when the statement runs.
    pub(super) fn row_of_text(&self, text: Expr, type_: Type, attributes: Vec<Attribute>) -> Result<Expr> {
        let count = Expr::literal(attributes.len() as i64, Type::INT4);
        let fields = Expr::template("pg_row_fields({0},{1})", vec![text, count], Type::TEXT);
        let (mut operands, values) = self.bind_once(vec![fields])?;
        let fields = operands.pop().expect("one operand gives one column");
        let around = self.begin_around(&values);
        let items = attributes.into_iter().enumerate().map(|(at, attribute)| {
            let operands = vec![fields.clone(), Expr::literal(format!("$[{at}]"), Type::TEXT)];
            self.cast(Expr::template("json_extract({0},{1})", operands, Type::TEXT), attribute.type_)
        });
        let row = items
            .collect::<Result<_>>()
            .map(|items| unless_null(fields.clone(), Expr::new(Node::Row(items, Vec::new()), type_)));
        self.end_around(around, values, row)
    }

    /// An array of rows, which `row` makes of the texts of the elements of another array.
    pub(in crate::bind) fn array_of_rows(
        &self,
        array: Expr,
        type_: Type,
        row: impl Fn(Expr) -> Result<Expr>,
    ) -> Result<Expr> {
        let (mut operands, values) = self.bind_once(vec![array])?;
        let array = operands.pop().expect("one operand gives one column");
        let around = self.begin_around(&values);
        let inner = self.inner.replace(self.inner.get() + 1);
        let source = self.sources + ELEMENTS + inner + 1;
        let rows = row(Expr::new(Node::Column { source, field: Field::Value }, Type::TEXT)).map(|target| {
            let columns = vec![Output { name: "row".to_owned(), type_: target.type_.plain() }];
            let from = vec![From::Elements { source, array: array.clone() }];
            let body = Body::Select(Box::new(Select { targets: vec![target], from, ..Select::default() }));
            let query =
                Query { ctes: Vec::new(), body, order: Vec::new(), limit: None, offset: None, columns };
            unless_null(array, Expr::new(Node::ArrayQuery(Box::new(query)), type_))
        });
        self.end_around(around, values, rows)
    }
}
