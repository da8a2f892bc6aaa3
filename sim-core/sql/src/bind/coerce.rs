//! Converts expressions to types.

use std::borrow::Cow;

use rusqlite::types::{Value, ValueRef};

use super::{Binder, Clause};
use crate::cast::{self, Context};
use crate::catalog::{Attribute, CallNumber, TypeDefinition};
use crate::error::{Result, SqlError, SqlState};
use crate::row_text::RowText;
use crate::tree::{Body, Candidates, Expr, Field, From, Node, Output, Query, Select};
use crate::types::{Modified, Type};
use crate::value::{self, array, interval};

/// The number of the source of an array's elements while they are checked, above those of the query.
const ELEMENTS: usize = 5_000;

/// The type of arrays of texts.
const TEXTS: Type = Type(1009);

impl Binder<'_> {
    /// The least context in which the cast is allowed; `None` if there is no such cast.
    pub(crate) fn castable(&self, from: Type, to: Type) -> Option<Context> {
        if from == to || from == Type::UNKNOWN || to == Type::ANY {
            return Some(Context::Implicit);
        }
        let (base_from, base_to) = (self.catalog.base_type(from), self.catalog.base_type(to));
        if (base_from, base_to) != (from, to) {
            // A value of a domain is a value of its base type. A cast to a domain checks the value.
            return self.castable(base_from, base_to);
        }
        let row = |type_: Type| type_ == Type::RECORD || self.catalog.attributes(type_).is_some();
        if row(from) && row(to) {
            let implicit = to == Type::RECORD || from == Type::RECORD;
            return Some(if implicit { Context::Implicit } else { Context::Assignment });
        }
        if let (Some(from), Some(to)) = (from.element(), to.element()) {
            return self.castable(from, to);
        }
        if from.is_user() || to.is_user() {
            return match (from.is_string(), to.is_string()) {
                (true, false)
                    if self.catalog.labels(to).is_some()
                        || self.catalog.attributes(to).is_some()
                        || to.element().is_some() =>
                {
                    Some(Context::Explicit)
                }
                (false, true) => Some(Context::Assignment),
                _ => None,
            };
        }
        cast::context(from, to)
    }

    /// Converts `expr` to type `to`, by casts that are allowed in `context`; `None` if there is none.
    pub(crate) fn coerce(&self, expr: Expr, to: Modified, context: Context) -> Result<Option<Expr>> {
        if to.base == Type::ANY || to.base == Type::UNKNOWN {
            return Ok(Some(expr));
        }
        if expr.type_ == to.base && (to.modifier < 0 || expr.modifier == to.modifier) {
            return Ok(Some(expr));
        }
        let at = expr.at.0;
        if self.castable(expr.type_, to.base).is_none_or(|needed| needed > context) {
            return Ok(None);
        }
        let (base, domains) = self.domains_between(expr.type_, to.base);
        if !domains.is_empty() {
            let inner = self.coerce(expr, base, context)?;
            return inner.map(|inner| self.to_domains(inner, &domains)).transpose();
        }
        if let Some((array, domains)) = self.domains_of_elements(expr.type_, to.base) {
            let inner = self.coerce(expr, array, context)?;
            return inner.map(|inner| self.to_domain_elements(inner, to.base, &domains)).transpose();
        }
        let coerced = match expr.node {
            Node::Untyped(text) => {
                self.literal_as(&text, to, context == Context::Explicit).map_err(|error| error.at(at))?
            }
            Node::Literal(Value::Null) => Expr::literal(Value::Null, to.base),
            Node::Literal(value)
                if !expr.type_.is_user()
                    && !to.base.is_user()
                    && !self.is_named(expr.type_, to.base)
                    && !super::stability::cast_depends(expr.type_, to.base) =>
            {
                let explicit = context == Context::Explicit;
                let value =
                    cast::convert(ValueRef::from(&value), expr.type_, to.base, to.modifier, explicit)?;
                Expr::literal(value, to.base)
            }
            Node::Array(items) if items.is_empty() && to.base.element().is_none() => {
                let message = "cannot determine type of empty array";
                return Err(SqlError::new(SqlState::INDETERMINATE_DATATYPE, message)
                    .hint("Explicitly cast to the desired type, for example ARRAY[]::integer[].")
                    .at(at));
            }
            Node::Array(items) if to.base.element().is_some() => {
                let element = to.base.element().unwrap_or(Type::TEXT);
                let nested = items.first().is_some_and(|item| item.type_.element().is_some());
                let to_item =
                    Modified { base: if nested { to.base } else { element }, modifier: to.modifier };
                let items = items.into_iter().map(|item| self.cast_item(item, to_item, context));
                Expr::new(Node::Array(items.collect::<Result<_>>()?), to.base)
            }
            Node::Row(items, names)
                if to.base == Type::RECORD || self.catalog.attributes(to.base).is_some() =>
            {
                match self.catalog.attributes(to.base) {
                    None => Expr::new(Node::Row(items, names), to.base),
                    Some(attributes) if attributes.len() == items.len() => {
                        let items = items.into_iter().zip(attributes);
                        let items =
                            items.map(|(item, attribute)| self.cast_item(item, attribute.type_, context));
                        {
                            let items = items.collect::<Result<_>>()?;
                            Expr::new(Node::Row(items, names), to.base)
                        }
                    }
                    Some(_) => {
                        return Err(self
                            .no_cast(Type::RECORD, to.base)
                            .detail("Input has too few or too many columns."));
                    }
                }
            }
            node => self.run_time_cast(Expr { node, ..expr }, to, context)?,
        };
        Ok(Some(Expr { modifier: to.modifier, ..coerced }.at(at)))
    }

    fn cast_item(&self, item: Expr, to: Modified, context: Context) -> Result<Expr> {
        let from = item.type_;
        self.coerce(item, to, context)?.ok_or_else(|| self.no_cast(from, to.base))
    }

    /// Converts `expr` to type `to`, as an explicit cast does.
    pub(crate) fn cast(&self, expr: Expr, to: Modified) -> Result<Expr> {
        let (from, at) = (expr.type_, expr.at.0);
        self.coerce(expr, to, Context::Explicit)?.ok_or_else(|| self.no_cast(from, to.base).at(at))
    }

    /// Converts `expr` to type `to` implicitly. Fails if that is not possible.
    pub(crate) fn implicit(&self, expr: Expr, to: Type) -> Result<Expr> {
        let (from, at) = (expr.type_, expr.at.0);
        self.coerce(expr, to.plain(), Context::Implicit)?.ok_or_else(|| self.no_cast(from, to).at(at))
    }

    fn no_cast(&self, from: Type, to: Type) -> SqlError {
        if let Some(refusal) = super::known::cast(self, &[from, to]) {
            return refusal;
        }
        cast::no_cast(&self.catalog.type_name(from, -1), &self.catalog.type_name(to, -1))
    }

    /// Whether a cast needs the names of objects.
    fn is_named(&self, from: Type, to: Type) -> bool {
        let named = |type_: Type| {
            type_.is_reg() || type_ == Type::REGCONFIG || type_.element().is_some_and(Type::is_reg)
        };
        (named(from) && to.is_string()) || (named(to) && from.is_string())
    }

    fn run_time_cast(&self, expr: Expr, to: Modified, context: Context) -> Result<Expr> {
        let explicit = context == Context::Explicit;
        let from = self.catalog.base_type(expr.type_);
        let expr = if from == expr.type_ { expr } else { expr.known_as(from) };
        if from == to.base && to.modifier < 0 {
            return Ok(expr);
        }
        if let Some(cast) = self.cast_in_zone(&expr, from, to, context)? {
            return Ok(cast);
        }
        if from.is_reg() && to.base.is_string() {
            let text = Node::Lookup { map: self.object_names(from), key: Box::new(expr) };
            return Ok(Expr::new(text, to.base));
        }
        if from.is_string() && to.base.is_reg() {
            let map = Expr::literal(self.object_numbers(to.base), Type::TEXT);
            let kind = Expr::literal(self.catalog.type_name(to.base, -1), Type::TEXT);
            return Ok(Expr::template("pg_named({0},{1},{2})", vec![map, expr, kind], to.base));
        }
        let named = |type_: Type| type_.element().filter(|element| element.is_reg());
        if let (Some(element), Some(true)) = (named(to.base), from.element().map(Type::is_string)) {
            let map = Expr::literal(self.object_numbers(element), Type::TEXT);
            let kind = Expr::literal(self.catalog.type_name(element, -1), Type::TEXT);
            return Ok(Expr::template("pg_named_all({0},{1},{2})", vec![map, expr, kind], to.base));
        }
        if from.is_string() && named(to.base).is_some() {
            return self.run_time_cast(self.cast(expr, TEXTS.plain())?, to, context);
        }
        if from.is_string() && to.base == Type::REGCONFIG {
            return Ok(self.configuration_named(expr));
        }
        if array::is_vector(from) && to.base.element().is_some() {
            let plain = from.element().and_then(Type::array).unwrap_or(from);
            return match plain == to.base {
                true => Ok(expr.known_as(plain)),
                false => self.run_time_cast(expr.known_as(plain), to, context),
            };
        }
        if let Some(labels) = self.catalog.labels(to.base) {
            let fresh = labels.iter().filter(|label| self.is_fresh(to.base, label)).cloned();
            let fresh = serde_json::Value::from(fresh.collect::<Vec<_>>());
            let operands = vec![
                expr,
                Expr::literal(self.catalog.type_name(to.base, -1), Type::TEXT),
                Expr::literal(serde_json::Value::from(labels).to_string(), Type::TEXT),
                Expr::literal(fresh.to_string(), Type::TEXT),
            ];
            return Ok(Expr::template("pg_label({0},{1},{2},{3})", operands, to.base));
        }
        let row = |type_: Type| type_ == Type::RECORD || self.catalog.attributes(type_).is_some();
        if row(from) && row(to.base) {
            // As a record a row keeps its type, and with it the names of its fields.
            if to.base == Type::RECORD && from != Type::RECORD {
                return Ok(expr);
            }
            return Ok(Expr { type_: to.base, ..expr });
        }
        if row(from) && to.base.is_string() {
            return self.row_text(expr, to.base);
        }
        if let (true, Some(attributes)) = (from.is_string(), self.catalog.attributes(to.base)) {
            return self.row_of_text(expr, to.base, attributes);
        }
        let texts = from.is_string() || from.element().is_some_and(Type::is_string);
        if let (true, Some(element)) = (texts, to.base.element())
            && self.catalog.attributes(element).is_some()
        {
            let texts = self.cast(expr, TEXTS.plain())?;
            return self.array_of_rows(texts, to.base, |text| self.cast(text, element.plain()));
        }
        if row(to.base) || texts && to.base.element().is_some_and(row) {
            return Err(SqlError::unsupported(format!(
                "reading a value of type {}",
                self.catalog.type_name(to.base, -1)
            )));
        }
        if from.element().is_some_and(Type::is_reg) && to.base.is_string() {
            return self.cast(self.names_of_elements(expr), to);
        }
        if from.element().is_some_and(row) && to.base.is_string() {
            if let Some(texts) = self.rows_as_text(&expr).filter(|_| !self.has_rows_in_rows(from)) {
                return self.cast(texts, to);
            }
            let name = self.catalog.type_name(from, -1);
            return Err(SqlError::unsupported(format!("the text of a value of type {name}")));
        }
        Ok(Expr::new(Node::Cast { expr: Box::new(expr), explicit }, to.base))
    }

    /// A list of the catalog as an array, and one of `reg` values as that of their names.
    pub(super) fn plain_array(&self, expr: Expr) -> Result<Expr> {
        match expr.type_.element() {
            Some(element) if element.is_reg() => Ok(self.names_of_elements(expr)),
            Some(element) if array::is_vector(expr.type_) => {
                self.cast(expr, element.array().unwrap_or(element).plain())
            }
            _ => Ok(expr),
        }
    }

    /// The names of an array of `reg` values, as texts.
    pub(super) fn names_of_elements(&self, array: Expr) -> Expr {
        let map = self.object_names(array.type_.element().unwrap_or(array.type_));
        let operands = vec![Expr::literal(map, Type::TEXT), array];
        Expr::template("pg_lookup_all({0},{1})", operands, TEXTS)
    }

    /// A row as the text that clients see; `None` if its fields are not known.
    pub(crate) fn row_as_text(&self, row: &Expr) -> Result<Option<Expr>> {
        let whole = row;
        let (mut operands, values) = self.bind_once(vec![row.clone()])?;
        let row = operands.pop().expect("one operand gives one column");
        let Some((_, items)) = self.row_items(&row) else { return Ok(self.record_as_text(whole)) };
        let around = self.begin_around(&values);
        let written = matches!(row.node, Node::Row(..));
        // Without names it is no variable's row, of which nulls could say that there is none: that is asked of the whole row below.
        let unnamed = Expr { node: Node::Row(items, Vec::new()), ..row.clone() };
        let text = self.cast(unnamed, Type::TEXT.plain());
        let text =
            text.map(|text| if written { self.unless_absent(whole, text) } else { unless_null(row, text) });
        self.end_around(around, values, text).map(Some)
    }

    /// The text of a record that a function with several results returns.
    fn record_as_text(&self, record: &Expr) -> Option<Expr> {
        if let Node::Scalar(query) = &record.node {
            let mut query = query.clone();
            let Body::Select(select) = &mut query.body else { return None };
            let ([target], [column]) = (&mut select.targets[..], &mut query.columns[..]) else { return None };
            if !matches!(target.node, Node::Row(..)) {
                return None;
            }
            *target = self.row_text(target.clone(), Type::TEXT).ok()?;
            column.type_ = Type::TEXT.plain();
            return Some(Expr::new(Node::Scalar(query), Type::TEXT));
        }
        let columns = crate::plpgsql::result_columns(self.catalog, &*self.called_routine(record)?);
        let types: Vec<u32> =
            columns.iter().map(|column| self.catalog.base_type(column.type_.base).0).collect();
        let types = Expr::literal(serde_json::json!(types).to_string(), Type::TEXT);
        let text = "json_extract(pg_rows_text(json_array(json({0})),{1}),'$[0]')";
        (!columns.is_empty()).then(|| Expr::template(text, vec![record.clone(), types], Type::TEXT))
    }

    /// The function whose body `call` runs.
    pub(super) fn called_routine(&self, call: &Expr) -> Option<Cow<'_, crate::catalog::Routine>> {
        let Node::Template { text: "pg_call({*})" | "pg_call_pure({*})", operands } = &call.node else {
            return None;
        };
        let Node::Literal(Value::Integer(number)) = operands.first()?.node else { return None };
        self.catalog.callee(CallNumber(number))
    }

    /// The texts of rows that are written out and collected in an array; `None` for any other value.
    pub(crate) fn records_as_text(&self, array: &Expr) -> Result<Option<Expr>> {
        let written = |row: &Expr| matches!(row.node, Node::Row(..)) && row.type_ == Type::RECORD;
        if let Node::Array(rows) = &array.node
            && rows.iter().all(written)
            && !rows.is_empty()
        {
            let rows = rows.iter().map(|row| self.row_text(row.clone(), Type::TEXT));
            let texts = Node::Array(rows.collect::<Result<Vec<_>>>()?);
            return Ok(Some(Expr::new(texts, Type::TEXT.array().unwrap_or(Type::TEXT))));
        }
        let Node::Call(call) = &array.node else { return Ok(None) };
        let [row] = &call.arguments[..] else { return Ok(None) };
        if call.function.name != "array_agg" || !written(row) {
            return Ok(None);
        }
        let mut call = call.clone();
        call.arguments = vec![self.row_text(row.clone(), Type::TEXT)?];
        Ok(Some(Expr::new(Node::Call(call), Type::TEXT.array().unwrap_or(Type::TEXT))))
    }

    /// The text of an array of rows, element by element; `None` for any other value.
    pub(crate) fn rows_as_text(&self, array: &Expr) -> Option<Expr> {
        let attributes = self.catalog.attributes(array.type_.element()?)?;
        let types: Vec<u32> =
            attributes.iter().map(|attribute| self.catalog.base_type(attribute.type_.base).0).collect();
        let types = Expr::literal(serde_json::json!(types).to_string(), Type::TEXT);
        Some(Expr::template("pg_rows_text({0},{1})", vec![array.clone(), types], Type::TEXT.array()?))
    }

    /// Whether rows have fields whose texts depend on the catalog.
    fn has_rows_in_rows(&self, array: Type) -> bool {
        let attributes = array.element().and_then(|element| self.catalog.attributes(element));
        let of_catalog =
            |type_: Type| type_ == Type::RECORD || type_.is_reg() || self.catalog.attributes(type_).is_some();
        let within = |attribute: Attribute| {
            let base = self.catalog.base_type(attribute.type_.base);
            of_catalog(base) || base.element().is_some_and(of_catalog)
        };
        attributes.into_iter().flatten().any(within)
    }

    /// The text of a row: `(1,"a b",)`.
    fn row_text(&self, expr: Expr, to: Type) -> Result<Expr> {
        let absent = self.absence(&expr);
        let Node::Row(items, _) = expr.node else {
            let text = self.row_as_text(&expr)?;
            return Ok(text.ok_or_else(|| SqlError::unsupported("the text of a row"))?.known_as(to));
        };
        let text = |item: Expr| match self.catalog.base_type(item.type_) {
            // A cast to text would remove trailing blanks.
            Type::BPCHAR => Ok(Expr { type_: Type::TEXT, modifier: -1, ..item }),
            Type::BOOL => Ok(Expr::template("substr('ft', {0} + 1, 1)", vec![item], Type::TEXT)),
            _ => self.cast(item, Type::TEXT.plain()),
        };
        let items = items.into_iter().map(text).collect::<Result<Vec<_>>>()?;
        let row = Expr::new(Node::Row(items, Vec::new()), Type::RECORD);
        let text = Expr::template("pg_row_text({0})", vec![row], to);
        Ok(match absent {
            Some(absent) => {
                let branches = vec![(absent, Expr::literal(Value::Null, to))];
                Expr::new(Node::Case { operand: None, branches, otherwise: Some(Box::new(text)) }, to)
            }
            None => text,
        })
    }

    /// Reads a literal as a value of `to`.
    pub(crate) fn literal(&self, text: &str, to: Modified) -> Result<Expr> {
        self.literal_as(text, to, false)
    }

    fn literal_as(&self, text: &str, to: Modified, explicit: bool) -> Result<Expr> {
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
        let text = match base {
            Type::INTERVAL if to.modifier >= 0 => &*interval::with_unit(text, to.modifier),
            _ => text,
        };
        if let Some(moment) = self.moment(text, base)? {
            return Ok(moment);
        }
        let value = self.literal_in_zone(text, base)?.map_or_else(|| value::parse(base, text), Ok)?;
        let value = cast::convert(ValueRef::from(&value), base, base, to.modifier, explicit)?;
        Ok(Expr { modifier: to.modifier, ..Expr::literal(value, base) })
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
    fn row_of_text(&self, text: Expr, type_: Type, attributes: Vec<Attribute>) -> Result<Expr> {
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

    /// The domains that check a value of type `from` in a cast to `to`, in order, and the type that it has before.
    fn domains_between(&self, from: Type, to: Type) -> (Modified, Vec<Type>) {
        let mut base = to.plain();
        let mut domains = Vec::new();
        while base.base != from
            && let Some(TypeDefinition::Domain { base: next, .. }) = self.definition(base.base)
        {
            domains.push(base.base);
            base = *next;
        }
        domains.reverse();
        (base, domains)
    }

    fn definition(&self, type_: Type) -> Option<&TypeDefinition> {
        self.catalog.user_type(type_).map(|user_type| &user_type.definition)
    }

    /// The same for the elements of an array; `None` if these are no values of domains, or were before.
    fn domains_of_elements(&self, from: Type, to: Type) -> Option<(Modified, Vec<Type>)> {
        let (from, to) = (from.element().unwrap_or(Type::UNKNOWN), to.element().filter(|to| to.is_user())?);
        let (base, domains) = self.domains_between(from, to);
        let array = Modified { base: base.base.array()?, modifier: base.modifier };
        (!domains.is_empty()).then_some((array, domains))
    }

    /// Whether a domain refuses no value.
    fn is_free(&self, domain: Type) -> bool {
        match self.definition(domain) {
            Some(TypeDefinition::Domain { not_null, checks, .. }) => !not_null && checks.is_empty(),
            _ => true,
        }
    }

    /// Checks the elements of an array for domains.
    fn to_domain_elements(&self, array: Expr, type_: Type, domains: &[Type]) -> Result<Expr> {
        if domains.iter().all(|domain| self.is_free(*domain)) {
            return Ok(array.known_as(type_));
        }
        let (mut operands, values) = self.bind_once(vec![array])?;
        let array = operands.pop().expect("one operand gives one column");
        let around = self.begin_around(&values);
        let source = self.sources + ELEMENTS;
        let element = domains.first().map_or(Type::TEXT, |domain| self.catalog.base_type(*domain));
        let element = Expr::new(Node::Column { source, field: Field::Value }, element);
        let refusals = domains
            .iter()
            .try_fold(Vec::new(), |branches, domain| self.refusals(*domain, &element, type_, branches));
        let checked = refusals.map(|refusals| {
            let branches = refusals.into_iter().map(|(refused, error)| {
                let comparison = Box::new(refused);
                let flat = Expr::template("pg_unnest_anyarray({0})", vec![array.clone()], array.type_);
                let over = Box::new(Candidates::Array(flat));
                let any = Expr::boolean(Node::Quantified { comparison, source, over, all: false });
                let there = Node::IsNull { expr: Box::new(array.clone()), negated: true };
                (Expr::boolean(Node::And(Box::new(Expr::boolean(there)), Box::new(any))), error)
            });
            let otherwise = Some(Box::new(array.clone().known_as(type_)));
            Expr::new(Node::Case { operand: None, branches: branches.collect(), otherwise }, type_)
        });
        self.end_around(around, values, checked)
    }

    /// Checks a value for domains, each of which is based on the previous one.
    fn to_domains(&self, expr: Expr, domains: &[Type]) -> Result<Expr> {
        let Some(type_) = domains.last().copied() else { return Ok(expr) };
        if domains.iter().all(|domain| self.is_free(*domain)) {
            return Ok(expr.known_as(type_));
        }
        let (mut operands, values) = self.bind_once(vec![expr])?;
        let value = operands.pop().expect("one operand gives one column");
        let around = self.begin_around(&values);
        let checked = domains
            .iter()
            .try_fold(Vec::new(), |branches, domain| self.refusals(*domain, &value, type_, branches))
            .map(|branches| {
                let otherwise = Some(Box::new(value.known_as(type_)));
                Expr::new(Node::Case { operand: None, branches, otherwise }, type_)
            });
        self.end_around(around, values, checked)
    }

    /// Adds the conditions under which a domain refuses a value, with the errors.
    fn refusals(
        &self,
        domain: Type,
        value: &Expr,
        type_: Type,
        mut branches: Vec<(Expr, Expr)>,
    ) -> Result<Vec<(Expr, Expr)>> {
        let Some(TypeDefinition::Domain { not_null, checks, .. }) = self.definition(domain) else {
            return Ok(branches);
        };
        let name = self.catalog.type_name(domain, -1);
        if *not_null {
            let message = Expr::literal(format!("domain {name} does not allow null values"), Type::TEXT);
            self.once.charge(value)?;
            let null = Node::IsNull { expr: Box::new(value.clone()), negated: false };
            let refusal = Expr::template("pg_raise('23502', {0})", vec![message], type_);
            branches.push((Expr::boolean(null), refusal));
        }
        for (check, text) in checks {
            let condition = self.domain_check(text, value, domain)?;
            let message = format!("value for domain {name} violates check constraint \"{check}\"");
            let message = Expr::literal(message, Type::TEXT);
            let fails = Node::Is { expr: Box::new(condition), value: false, negated: false };
            let refusal = Expr::template("pg_raise('23514', {0})", vec![message], type_);
            branches.push((Expr::boolean(fails), refusal));
        }
        Ok(branches)
    }

    /// Lets `VALUE` stand for a value of the type under a domain.
    pub(crate) fn take_value_for(&mut self, base: Modified) {
        let node = Node::Column { source: usize::MAX, field: Field::Column(1) };
        let value = Expr::new(node, self.catalog.base_type(base.base));
        self.arguments = Some(vec![(Some("value".to_owned()), value)]);
    }

    fn domain_check(&self, text: &str, value: &Expr, type_: Type) -> Result<Expr> {
        let mut binder = Binder::new(self.catalog, self.source.clone(), self.settings, &[]);
        binder.sources = self.sources + 10_000;
        (binder.depth, binder.nesting, binder.length) = (self.depth, self.nesting, self.length);
        binder.once = self.once.clone();
        let value = value.clone().known_as(self.catalog.base_type(type_));
        let condition = binder.stored(text, |binder| {
            let parsed = binder.source.expression()?;
            binder.arguments = Some(vec![(Some("value".to_owned()), value)]);
            let scope = super::Scope::default();
            binder.condition(&scope, &parsed)
        });
        self.once.take_from(&binder.once);
        condition
    }

    /// The common type of values of these types, for `CASE`, `UNION` and `VALUES`.
    pub(crate) fn common_type(&self, types: &[Type], what: &str) -> Result<Type> {
        let mut known = types.iter().copied().filter(|type_| *type_ != Type::UNKNOWN);
        let Some(first) = known.next() else { return Ok(Type::TEXT) };
        if types.iter().all(|type_| *type_ == first) {
            return Ok(first);
        }
        known.try_fold(self.catalog.base_type(first), |common, next| {
            let next = self.catalog.base_type(next);
            if next == common {
                return Ok(common);
            }
            let implicit = |from, to| self.castable(from, to) == Some(Context::Implicit);
            if common.category() != next.category() || (common.is_user() != next.is_user()) {
                let (left, right) = (self.catalog.type_name(common, -1), self.catalog.type_name(next, -1));
                let message = format!("{what} types {left} and {right} cannot be matched");
                return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message));
            }
            Ok(match (implicit(common, next), implicit(next, common)) {
                (true, false) if !common.is_preferred() => next,
                (false, false) => {
                    let (left, right) =
                        (self.catalog.type_name(common, -1), self.catalog.type_name(next, -1));
                    let message = format!("{what} could not convert type {right} to {left}");
                    return Err(SqlError::new(SqlState::CANNOT_COERCE, message));
                }
                _ => common,
            })
        })
    }

    /// Converts values to their common type.
    pub(crate) fn unify(&self, exprs: Vec<Expr>, what: &str) -> Result<(Vec<Expr>, Type)> {
        let types: Vec<Type> = exprs.iter().map(|expr| expr.type_).collect();
        // The message names the type that does not fit as the second one.
        let misfit = exprs.iter().skip(1).find(|expr| {
            expr.type_ != Type::UNKNOWN && self.common_type(&[types[0], expr.type_], what).is_err()
        });
        let at = misfit.and_then(|expr| expr.at.0);
        let common = self.common_type(&types, what).map_err(|error| error.at(at))?;
        let exprs = exprs.into_iter().map(|expr| self.implicit(expr, common)).collect::<Result<_>>()?;
        Ok((exprs, common))
    }

    /// A literal without a type becomes a text.
    pub(crate) fn settle(&self, expr: Expr) -> Result<Expr> {
        if expr.type_ == Type::UNKNOWN { self.implicit(expr, Type::TEXT) } else { Ok(expr) }
    }
}

/// `built` of a stored row, or null if the row is null as a whole.
pub(super) fn unless_null(row: Expr, built: Expr) -> Expr {
    let (type_, null) = (built.type_, Expr::literal(Value::Null, built.type_));
    let absent = Expr::boolean(Node::IsNull { expr: Box::new(row), negated: false });
    Expr::new(
        Node::Case { operand: None, branches: vec![(absent, null)], otherwise: Some(Box::new(built)) },
        type_,
    )
}
