//! Converts expressions to types.

mod by_cast;
mod common;
mod domains;
mod literals;

use std::borrow::Cow;

use rusqlite::types::{Value, ValueRef};

use super::Binder;
use crate::cast::{self, Context};
use crate::catalog::{Attribute, CallNumber};
use crate::error::{Result, SqlError, SqlState};
use crate::tree::{Body, Expr, Node};
use crate::types::{Modified, Type};
use crate::value::array;

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
            if self.are_other_ranges(from, to) {
                return None;
            }
            // A value of a domain is a value of its base type. A cast to a domain checks the value.
            return self.castable(base_from, base_to);
        }
        if let Some((_, cast, _)) = self.catalog.own_cast(from, to) {
            return Some(cast.context);
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

    /// Whether two types are ranges of users that have nothing to do with each other.
    fn are_other_ranges(&self, from: Type, to: Type) -> bool {
        match (self.catalog.own_range(from), self.catalog.own_range(to)) {
            (Some((from, _)), Some((to, range))) => from != to && from != range.pair,
            _ => false,
        }
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
        // Records in an array become rows of a type only where they are written.
        if expr.type_.element() == Some(Type::RECORD)
            && to.base.element().is_some_and(|element| self.catalog.attributes(element).is_some())
            && !(context == Context::Explicit && matches!(expr.node, Node::Array(_)))
        {
            return Ok(None);
        }
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
        if let Some(cast) = self.by_own_cast(&expr, to, context)? {
            return Ok(Some(Expr { modifier: to.modifier, ..cast }.at(at)));
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
                match cast::convert(ValueRef::from(&value), expr.type_, to.base, to.modifier, explicit) {
                    Ok(value) => Expr::literal(value, to.base),
                    // What is around may never come to it, as in `CASE WHEN d ~ '^[0-9]+$' THEN d::int END` for a parameter.
                    Err(_) => self.run_time_cast(Expr { node: Node::Literal(value), ..expr }, to, context)?,
                }
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
            if let Some(texts) = self.records_as_text(&expr)? {
                return self.cast(texts, to);
            }
            if let Some(texts) = self.rows_as_text(&expr).filter(|_| !self.has_unknown_fields(from)) {
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
        let mut call = call.clone();
        let Some(row) = call.collected().filter(|row| written(row)) else { return Ok(None) };
        *row = self.row_text(row.clone(), Type::TEXT)?;
        Ok(Some(Expr::new(Node::Call(call), Type::TEXT.array().unwrap_or(Type::TEXT))))
    }

    /// The text of an array of rows, element by element; `None` for any other value.
    pub(crate) fn rows_as_text(&self, array: &Expr) -> Option<Expr> {
        let element = array.type_.element()?;
        let types: Vec<Type> = match self.catalog.attributes(element) {
            Some(attributes) => attributes.iter().map(|attribute| attribute.type_.base).collect(),
            None => self.types_of_written_rows(array)?,
        };
        let types = types.into_iter().map(|type_| self.type_of_field(type_));
        let types = serde_json::Value::Array(types.collect()).to_string();
        let types = Expr::literal(types, Type::TEXT);
        Some(Expr::template("pg_rows_text({0},{1})", vec![array.clone(), types], Type::TEXT.array()?))
    }

    /// The type of a field for `pg_rows_text`: its number, or those of the fields of a row or of an array's rows.
    fn type_of_field(&self, type_: Type) -> serde_json::Value {
        let base = self.catalog.base_type(type_);
        let fields = |attributes: Vec<Attribute>| {
            let types = attributes.iter().map(|attribute| self.type_of_field(attribute.type_.base));
            types.collect::<Vec<_>>()
        };
        match (self.catalog.attributes(base), base.element().and_then(|row| self.catalog.attributes(row))) {
            (Some(row), _) => fields(row).into(),
            (None, Some(row)) => serde_json::json!({ "each": fields(row) }),
            (None, None) => base.0.into(),
        }
    }

    /// The types of the fields, where an array is made of rows that are written: `array_agg((a, 1))`, `ARRAY(SELECT (a, 1))`.
    fn types_of_written_rows(&self, array: &Expr) -> Option<Vec<Type>> {
        let collected;
        let row = match &array.node {
            Node::Call(call) => {
                collected = call.clone().collected().cloned();
                collected.as_ref()?
            }
            Node::ArrayQuery(query) => match &query.body {
                Body::Select(select) => select.targets.first()?,
                _ => return None,
            },
            _ => return None,
        };
        let Node::Row(items, _) = &row.node else { return None };
        let known = |item: &Expr| match item.type_ {
            Type::UNKNOWN => Some(Type::TEXT),
            type_ => {
                let base = self.catalog.base_type(type_);
                let base = base.element().unwrap_or(base);
                let of_catalog =
                    base == Type::RECORD || base.is_reg() || self.catalog.attributes(base).is_some();
                (!of_catalog).then_some(type_)
            }
        };
        items.iter().map(known).collect()
    }

    /// Whether rows have fields, at any depth, whose texts need more than their types.
    fn has_unknown_fields(&self, array: Type) -> bool {
        let attributes = array.element().and_then(|element| self.catalog.attributes(element));
        let within = |attribute: Attribute| {
            let base = self.catalog.base_type(attribute.type_.base);
            let element = base.element().unwrap_or(base);
            element == Type::RECORD
                || element.is_reg()
                || element.array().is_some_and(|array| self.has_unknown_fields(array))
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
