//! What the extension `hstore` does with rows and subscripts.

use sqlparser::ast::Subscript;

use super::{Binder, Scope};
use crate::cast::Context;
use crate::error::{Result, SqlError, SqlState};
use crate::functions::hstore::OF_ROW;
pub(super) use crate::functions::hstore::WITH;
use crate::tree::{Body, Expr, Field, From, Node, Output, Query, Select};
use crate::types::{Modified, Type};

impl Binder<'_> {
    /// A call of the extension about a row, or of its type as a function.
    pub(super) fn hstore_function(
        &mut self,
        schema: Option<&str>,
        called: &str,
        arguments: &[Expr],
    ) -> Result<Option<Expr>> {
        let own = matches!(called, "hstore" | "populate_record");
        if !own || schema == Some("pg_catalog") || !self.catalog.has_extension("hstore") {
            return Ok(None);
        }
        match (called, arguments) {
            ("hstore", [text]) if text.type_ == Type::UNKNOWN => {
                self.cast(text.clone(), Type::HSTORE.plain()).map(Some)
            }
            ("hstore", [row]) if self.is_row(row) => self.hstore_of_row(row.clone()).map(Some),
            ("populate_record", [row, set]) => self.row_with_pairs(row, set),
            _ => Ok(None),
        }
    }

    /// The operator that changes fields of a row.
    pub(super) fn hstore_operation(&mut self, symbol: &str, row: &Expr, set: &Expr) -> Result<Option<Expr>> {
        if symbol != "#=" || !self.catalog.has_extension("hstore") {
            return Ok(None);
        }
        self.row_with_pairs(row, set)
    }

    fn is_row(&self, expr: &Expr) -> bool {
        expr.type_ == Type::RECORD || self.catalog.attributes(expr.type_).is_some()
    }

    /// The names and the texts of a row's fields.
    fn hstore_of_row(&mut self, row: Expr) -> Result<Expr> {
        self.once(row, |binder, row| {
            let fields = binder.row_items(&row);
            let (names, items) =
                fields.ok_or_else(|| SqlError::unsupported("hstore of a row whose fields are not known"))?;
            let mut arguments = Vec::with_capacity(2 * items.len());
            for (name, item) in names.into_iter().zip(items) {
                binder.once.charge(&item)?;
                let item = binder.settle(item)?;
                arguments.push(Expr::literal(name, Type::TEXT));
                arguments.push(binder.output_of(item)?);
            }
            binder.plain_call(OF_ROW, arguments)
        })
    }

    /// A row with the values of a set in the fields that it names. `None` if the first argument is no row, or the other no set.
    fn row_with_pairs(&mut self, row: &Expr, set: &Expr) -> Result<Option<Expr>> {
        let coerced = self.coerce(set.clone(), Type::HSTORE.plain(), Context::Implicit)?;
        let (true, Some(set)) = (self.is_row(row), coerced) else { return Ok(None) };
        let attributes = self.catalog.attributes(row.type_);
        let null = row.is_null_literal();
        let (names, items) = match self.row_items(row) {
            Some(fields) => fields,
            None => return Err(SqlError::unsupported("changing a row whose fields are not known")),
        };
        let types: Vec<Modified> = match attributes {
            Some(attributes) => attributes.into_iter().map(|attribute| attribute.type_).collect(),
            None => items.iter().map(|item| item.type_.plain()).collect(),
        };
        let source = self.new_source();
        let array = Expr::template("json_array({0})", vec![set], Type::JSON);
        let pairs = Expr::new(Node::Column { source, field: Field::Value }, Type::HSTORE);
        let (mut targets, mut columns) = (Vec::new(), Vec::new());
        for ((name, item), type_) in names.into_iter().zip(items).zip(types) {
            self.once.charge(&item)?;
            let key = Expr::literal(name.clone(), Type::TEXT);
            let given = self.plain_call("exist", vec![pairs.clone(), key.clone()])?;
            let text = self.plain_call("fetchval", vec![pairs.clone(), key])?;
            let value = self.member(text, type_)?;
            let before = if null { Expr::literal(rusqlite::types::Value::Null, type_.base) } else { item };
            let (branches, otherwise) = (vec![(given, value)], Some(Box::new(before)));
            targets.push(Expr::new(Node::Case { operand: None, branches, otherwise }, type_.base));
            columns.push(Output { name, type_ });
        }
        let from = vec![From::Elements { source, array }];
        let body = Body::Select(Box::new(Select { targets, from, ..Select::default() }));
        let query = Query { ctes: Vec::new(), body, order: Vec::new(), limit: None, offset: None, columns };
        let query = self.query_of_rows(query, row.type_);
        Ok(Some(Expr::new(Node::Scalar(Box::new(query)), row.type_)))
    }

    /// The value of a key.
    pub(super) fn hstore_subscript(
        &mut self,
        scope: &Scope<'_>,
        set: Expr,
        (subscript, more): (&Subscript, bool),
    ) -> Result<Expr> {
        let (Subscript::Index { index }, false) = (subscript, more) else { return Err(one_subscript()) };
        let key = self.expr(scope, index)?;
        let key = self.hstore_key(key)?;
        self.operation("->", set, key)
    }

    /// A subscript: what can be assigned to a text.
    pub(super) fn hstore_key(&self, key: Expr) -> Result<Expr> {
        let at = key.at.0;
        self.coerce(key, Type::TEXT.plain(), Context::Assignment)?.ok_or_else(|| {
            SqlError::new(SqlState::DATATYPE_MISMATCH, "hstore subscript must have type text").at(at)
        })
    }
}

/// The refusal of slices and of several subscripts.
pub(super) fn one_subscript() -> SqlError {
    SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, "hstore allows only one subscript")
}
