//! Assignments to parts of a column: elements and slices of arrays, members of documents, fields of rows.

use rusqlite::types::Value;
use sqlparser::ast::{self, AccessExpr, Ident, Subscript};

use crate::bind::{Binder, Clause, Scope};
use crate::cast::Context;
use crate::error::{Result, SqlError, SqlState};
use crate::readable::SUBSCRIPT;
use crate::source::{Source, name};
use crate::tree::Expr;
use crate::types::{Modified, Type};

/// A step from a column to a part of it.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Field(String),
    /// The text between the brackets.
    Subscript(String),
}

impl Step {
    /// What a part of the name of a target means.
    pub(crate) fn of(ident: &Ident) -> Step {
        match ident.value.strip_prefix(SUBSCRIPT) {
            Some(text) => Step::Subscript(text.to_owned()),
            None => Step::Field(name(ident)),
        }
    }
}

/// A subscript: an index, or the bounds of a slice.
enum Bounds {
    Index(Expr),
    Slice(Option<Expr>, Option<Expr>),
}

const ELEMENT: [&str; 6] = [
    "pg_put_element({0},{1},{2})",
    "pg_put_element({0},{1},{2},{3})",
    "pg_put_element({0},{1},{2},{3},{4})",
    "pg_put_element({0},{1},{2},{3},{4},{5})",
    "pg_put_element({0},{1},{2},{3},{4},{5},{6})",
    "pg_put_element({0},{1},{2},{3},{4},{5},{6},{7})",
];

const SLICE: [&str; 6] = [
    "pg_put_slice({0},{1},{2},{3},{4})",
    "pg_put_slice({0},{1},{2},{3},{4},{5},{6})",
    "pg_put_slice({0},{1},{2},{3},{4},{5},{6},{7},{8})",
    "pg_put_slice({0},{1},{2},{3},{4},{5},{6},{7},{8},{9},{10})",
    "pg_put_slice({0},{1},{2},{3},{4},{5},{6},{7},{8},{9},{10},{11},{12})",
    "pg_put_slice({0},{1},{2},{3},{4},{5},{6},{7},{8},{9},{10},{11},{12},{13},{14})",
];

const JSON: [&str; 6] = [
    "pg_put_json({0},{1},{2},{3})",
    "pg_put_json({0},{1},{2},{3},{4})",
    "pg_put_json({0},{1},{2},{3},{4},{5})",
    "pg_put_json({0},{1},{2},{3},{4},{5},{6})",
    "pg_put_json({0},{1},{2},{3},{4},{5},{6},{7})",
    "pg_put_json({0},{1},{2},{3},{4},{5},{6},{7},{8})",
];

impl Binder<'_> {
    /// The value of a column with a new value in a part of it.
    pub(crate) fn with_part(
        &mut self,
        scope: &Scope<'_>,
        column: &str,
        (base, steps): (Expr, &[Step]),
        value: Expr,
    ) -> Result<Expr> {
        match steps {
            [] => Ok(value),
            [Step::Field(field), rest @ ..] => self.with_field(scope, column, (base, field, rest), value),
            [Step::Subscript(_), ..] => self.with_element(scope, column, (base, steps), value),
        }
    }

    /// The type of what is assigned to a part of a value.
    pub(crate) fn type_of_part(&self, type_: Type, steps: &[Step]) -> Type {
        let base = self.catalog.base_type(type_);
        match steps {
            [] => base,
            [Step::Field(field), rest @ ..] => {
                let attributes = self.catalog.attributes(base).unwrap_or_default();
                let found = attributes.iter().find(|attribute| attribute.name == *field);
                found.map_or(Type::UNKNOWN, |found| self.type_of_part(found.type_.base, rest))
            }
            [Step::Subscript(_), ..] => {
                let count = subscripts(steps);
                let sliced = steps[..count]
                    .iter()
                    .any(|step| matches!(step, Step::Subscript(text) if has_colon(text)));
                match base.element() {
                    _ if base == Type::JSONB || sliced => base,
                    None if base == Type::HSTORE => Type::TEXT,
                    Some(element) => self.type_of_part(element, &steps[count..]),
                    None => Type::UNKNOWN,
                }
            }
        }
    }

    fn with_field(
        &mut self,
        scope: &Scope<'_>,
        column: &str,
        (base, field, rest): (Expr, &str, &[Step]),
        value: Expr,
    ) -> Result<Expr> {
        let type_ = self.catalog.base_type(base.type_);
        let shown = self.catalog.type_name(base.type_, -1);
        let Some(attributes) = self.catalog.attributes(type_) else {
            let message = format!(
                "cannot assign to field \"{field}\" of column \"{column}\" because its type {shown} is not a composite type"
            );
            return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message));
        };
        let Some(at) = attributes.iter().position(|attribute| attribute.name == field) else {
            let message = format!(
                "cannot assign to field \"{field}\" of column \"{column}\" because there is no such column in data type {shown}"
            );
            return Err(SqlError::new(SqlState::UNDEFINED_COLUMN, message));
        };
        let wanted = attributes[at].type_;
        let place = Expr::literal(at as i64, Type::INT4);
        let inner = if rest.is_empty() {
            value
        } else {
            let current = Expr::template("pg_item({0},{1})", vec![base.clone(), place.clone()], wanted.base);
            self.with_part(scope, field, (current, rest), value)?
        };
        let refused = format!("subfield \"{field}\" is");
        let inner = self.as_part(inner, wanted, &refused, "of")?;
        let count = Expr::literal(attributes.len() as i64, Type::INT4);
        Ok(Expr::template("pg_put_item({0},{1},{2},{3})", vec![base, place, count, inner], type_))
    }

    fn with_element(
        &mut self,
        scope: &Scope<'_>,
        column: &str,
        (base, steps): (Expr, &[Step]),
        value: Expr,
    ) -> Result<Expr> {
        let type_ = self.catalog.base_type(base.type_);
        let (own, rest) = steps.split_at(subscripts(steps));
        if own.len() > ELEMENT.len() {
            let message =
                format!("number of array dimensions ({}) exceeds the maximum allowed (6)", own.len());
            return Err(SqlError::new(SqlState::PROGRAM_LIMIT, message));
        }
        let requires = format!("subscripted assignment to \"{column}\" requires");
        if type_ == Type::JSONB {
            return self.with_member(scope, column, (base, own, rest), (value, &requires));
        }
        if type_ == Type::HSTORE {
            return self.with_pair(scope, (base, own, rest), (value, &requires));
        }
        let Some(element) = type_.element() else {
            let name = self.catalog.type_name(base.type_, -1);
            let message = format!("cannot subscript type {name} because it does not support subscripting");
            return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message));
        };
        let bounds = own.iter().map(|step| self.bounds(scope, step)).collect::<Result<Vec<_>>>()?;
        if bounds.iter().any(|bounds| matches!(bounds, Bounds::Slice(..))) {
            if !rest.is_empty() {
                return Err(SqlError::unsupported("assigning to a part of a slice"));
            }
            let value = self.as_part(value, type_.plain(), &requires, "")?;
            return self.with_slice(base, bounds, value);
        }
        let mut places = Vec::new();
        for bounds in bounds {
            let Bounds::Index(index) = bounds else { continue };
            places.push(self.index(index)?);
        }
        let inner = if rest.is_empty() {
            value
        } else {
            let mut current = base.clone();
            for place in &places {
                current = self.subscript(current, place.clone())?;
            }
            self.with_part(scope, column, (current, rest), value)?
        };
        let inner = self.as_part(inner, element.plain(), &requires, "")?;
        let form = ELEMENT[places.len() - 1];
        Ok(Expr::template(form, [vec![base, inner], places].concat(), type_))
    }

    fn with_slice(&mut self, base: Expr, bounds: Vec<Bounds>, value: Expr) -> Result<Expr> {
        let (type_, form) = (self.catalog.base_type(base.type_), SLICE[bounds.len() - 1]);
        let (mut given, mut places) = (String::new(), Vec::new());
        for bounds in bounds {
            // Beside a slice, an index is the upper bound of one that begins at 1.
            let (lower, upper) = match bounds {
                Bounds::Index(index) => (Some(Expr::literal(1, Type::INT4)), Some(index)),
                Bounds::Slice(lower, upper) => (lower, upper),
            };
            for bound in [lower, upper] {
                given.push(if bound.is_some() { '1' } else { '0' });
                places.push(match bound {
                    Some(bound) => self.index(bound)?,
                    None => Expr::literal(Value::Null, Type::INT4),
                });
            }
        }
        let given = Expr::literal(given, Type::TEXT);
        Ok(Expr::template(form, [vec![base, value, given], places].concat(), type_))
    }

    fn with_member(
        &mut self,
        scope: &Scope<'_>,
        column: &str,
        (base, own, rest): (Expr, &[Step], &[Step]),
        (value, requires): (Expr, &str),
    ) -> Result<Expr> {
        if let Some(Step::Field(field)) = rest.first() {
            let message = format!(
                "cannot assign to field \"{field}\" of column \"{column}\" because its type jsonb is not a composite type"
            );
            return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message));
        }
        let mut path = Vec::new();
        for step in own {
            let Bounds::Index(index) = self.bounds(scope, step)? else {
                let message = "jsonb subscript does not support slices";
                return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message));
            };
            let wanted = if index.type_.is_integer() { Type::INT4 } else { Type::TEXT };
            let shown = self.catalog.type_name(index.type_, -1);
            let index = self.coerce(index, wanted.plain(), Context::Implicit)?;
            path.push(index.ok_or_else(|| {
                SqlError::new(SqlState::DATATYPE_MISMATCH, format!("subscript type {shown} is not supported"))
                    .hint("jsonb subscript must be coercible to either integer or text.")
            })?);
        }
        let value = self.as_part(value, Type::JSONB.plain(), requires, "")?;
        let is_array = path.first().is_some_and(|index| index.type_ == Type::INT4);
        let is_array = Expr::literal(i64::from(is_array), Type::INT4);
        let form = JSON[path.len() - 1];
        Ok(Expr::template(form, [vec![base, value, is_array], path].concat(), Type::JSONB))
    }

    /// A set of pairs with another value for a key.
    fn with_pair(
        &mut self,
        scope: &Scope<'_>,
        (base, own, rest): (Expr, &[Step], &[Step]),
        (value, requires): (Expr, &str),
    ) -> Result<Expr> {
        let ([step], []) = (own, rest) else { return Err(crate::bind::hstore::one_subscript()) };
        let Bounds::Index(key) = self.bounds(scope, step)? else {
            return Err(crate::bind::hstore::one_subscript());
        };
        let key = self.hstore_key(key)?;
        let value = self.as_part(value, Type::TEXT.plain(), requires, "")?;
        self.plain_call(crate::bind::hstore::WITH, vec![base, key, value])
    }

    /// A value as the part of another; `refused` begins the message if it can't be.
    fn as_part(&mut self, value: Expr, wanted: Modified, refused: &str, of: &str) -> Result<Expr> {
        let (given, at) = (value.type_, value.at.0);
        self.coerce(value, wanted, Context::Assignment)?.ok_or_else(|| {
            let catalog = self.catalog;
            let of = if of.is_empty() { String::new() } else { format!("{of} ") };
            let message = format!(
                "{refused} {of}type {} but expression is of type {}",
                catalog.type_name(wanted.base, -1),
                catalog.type_name(given, -1)
            );
            SqlError::new(SqlState::DATATYPE_MISMATCH, message)
                .hint("You will need to rewrite or cast the expression.")
                .at(at)
        })
    }

    fn bounds(&mut self, scope: &Scope<'_>, step: &Step) -> Result<Bounds> {
        let Step::Subscript(text) = step else { return Err(SqlError::unsupported("this assignment")) };
        // The text is a part of the statement, so its variables and parameters are those of the statement.
        let source = std::rc::Rc::new(Source::stored(&format!("x[{text}]")));
        let outer = std::mem::replace(&mut self.source, source);
        let bounds = self.parsed_bounds(scope);
        self.source = outer;
        bounds
    }

    fn parsed_bounds(&mut self, scope: &Scope<'_>) -> Result<Bounds> {
        let ast::Expr::CompoundFieldAccess { access_chain, .. } = self.source.expression()? else {
            return Err(SqlError::unsupported("this assignment"));
        };
        let [AccessExpr::Subscript(subscript)] = &access_chain[..] else {
            return Err(SqlError::unsupported("this assignment"));
        };
        Ok(match subscript {
            Subscript::Index { index } => Bounds::Index(self.expr_in(Clause::Set, scope, index)?),
            Subscript::Slice { lower_bound, upper_bound, stride: None } => {
                let mut bound = |bound: &Option<ast::Expr>| -> Result<Option<Expr>> {
                    bound.as_ref().map(|bound| self.expr_in(Clause::Set, scope, bound)).transpose()
                };
                Bounds::Slice(bound(lower_bound)?, bound(upper_bound)?)
            }
            Subscript::Slice { .. } => return Err(SqlError::unsupported("this assignment")),
        })
    }
}

/// The number of subscripts in a row.
fn subscripts(steps: &[Step]) -> usize {
    steps.iter().take_while(|step| matches!(step, Step::Subscript(_))).count()
}

/// Whether the text between brackets has the colon of a slice.
fn has_colon(text: &str) -> bool {
    let source = Source::stored(&format!("x[{text}]"));
    let Ok(ast::Expr::CompoundFieldAccess { access_chain, .. }) = source.expression() else { return false };
    matches!(&access_chain[..], [AccessExpr::Subscript(Subscript::Slice { .. })])
}
