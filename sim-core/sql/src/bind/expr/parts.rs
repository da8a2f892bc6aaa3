//! Rows and arrays, and what they are made of: fields, elements, slices.

use rusqlite::types::Value;
use sqlparser::ast::{self, AccessExpr, Spanned as _, Subscript};

use super::NESTING_MAX;
use crate::bind::call::Given;
use crate::bind::{Binder, Scope};
use crate::cast::Context;
use crate::catalog::Routine;
use crate::error::{Result, SqlError, SqlState};
use crate::source::{self, name};
use crate::tree::{Expr, Node};
use crate::types::{Modified, Type};

/// An expression without the brackets around it.
pub(super) fn unnested(expr: &ast::Expr) -> &ast::Expr {
    match expr {
        ast::Expr::Nested(inner) => unnested(inner),
        other => other,
    }
}

/// Refuses arrays of different lengths within one.
fn require_even(items: &[Expr]) -> Result<()> {
    let mut lengths = items.iter().filter_map(|item| match &item.node {
        Node::Array(inner) => Some(inner.len()),
        _ => None,
    });
    if lengths.next().is_some_and(|first| lengths.any(|length| length != first)) {
        let message = "multidimensional arrays must have array expressions with matching dimensions";
        return Err(SqlError::new(SqlState::new("2202E"), message));
    }
    Ok(())
}

impl Binder<'_> {
    /// The place of a cast: that of its word, or of its sign.
    pub(super) fn place_of_cast(&self, kind: &ast::CastKind, written: &ast::Expr) -> Option<usize> {
        if *kind != ast::CastKind::DoubleColon {
            return self.source.place_of_word_before("cast", written.span().start);
        }
        let (mut casts, mut inner) = (0, written);
        while let ast::Expr::Cast { kind: ast::CastKind::DoubleColon, expr, .. } = inner {
            (casts, inner) = (casts + 1, expr);
        }
        self.source.place_of_sign("::", inner.span().end, casts)
    }

    /// A text under a collation, which must exist.
    pub(super) fn collated(
        &mut self,
        scope: &Scope<'_>,
        expr: &ast::Expr,
        collation: &ast::ObjectName,
    ) -> Result<Expr> {
        let bound = self.expr(scope, expr)?;
        let (schema, called) = source::schema_and_name(collation)?;
        let at = self.source.place_of_word_before("collate", collation.span().start);
        self.collation(schema.as_deref(), &called).map_err(|error| error.at(at))?;
        let base = self.catalog.base_type(bound.type_);
        let of = base.element().map_or(base, |element| self.catalog.base_type(element));
        if of == Type::UNKNOWN || matches!(of.category(), 'S' | 'P') {
            return Ok(bound);
        }
        let shown = self.catalog.type_name(bound.type_, -1);
        let message = format!("collations are not supported by type {shown}");
        Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message).at(at))
    }

    pub(super) fn row(&mut self, scope: &Scope<'_>, items: &[ast::Expr]) -> Result<Expr> {
        let items = items.iter().map(|item| self.expr(scope, item)).collect::<Result<_>>()?;
        Ok(Expr::new(Node::Row(items, Vec::new()), Type::RECORD))
    }

    pub(super) fn array(&mut self, scope: &Scope<'_>, items: &[ast::Expr]) -> Result<Expr> {
        let items = self.exprs(scope, items)?;
        if items.is_empty() {
            // The array stays untyped. A cast around it determines its type.
            return Ok(Expr::new(Node::Array(items), Type::UNKNOWN));
        }
        require_even(&items)?;
        let (items, element) = self.unify(items, "ARRAY")?;
        let type_ = if element.element().is_some() { Some(element) } else { element.array() };
        let type_ = type_.ok_or_else(|| {
            let name = self.catalog.type_name(element, -1);
            SqlError::new(
                SqlState::UNDEFINED_OBJECT,
                format!("could not find array type for data type {name}"),
            )
        })?;
        let modifier = Self::common_modifier(items.iter());
        Ok(Expr { modifier, ..Expr::new(Node::Array(items), type_) })
    }

    /// A written array as one of type `to`: each item is read as an element of it.
    pub(super) fn cast_array(
        &mut self,
        scope: &Scope<'_>,
        items: &[ast::Expr],
        to: Modified,
    ) -> Result<Expr> {
        let items = items.iter().map(|item| match unnested(item) {
            ast::Expr::Array(inner) => self.cast_array(scope, &inner.elem, to),
            _ => self.expr(scope, item),
        });
        let items = items.collect::<Result<Vec<_>>>()?;
        require_even(&items)?;
        self.cast(Expr::new(Node::Array(items), Type::UNKNOWN), to)
    }

    pub(super) fn access(
        &mut self,
        scope: &Scope<'_>,
        root: &ast::Expr,
        chain: &[AccessExpr],
    ) -> Result<Expr> {
        if let (ast::Expr::Array(array), Some(AccessExpr::Subscript(_))) = (root, chain.first())
            && array.named
        {
            let at = self.source.place_of('[', root.span().end);
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, "syntax error at or near \"[\"").at(at));
        }
        if let ast::Expr::Function(ast::Function { args: ast::FunctionArguments::None, .. }) = root {
            let at = self.source.place_of('.', root.span().end);
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, "syntax error at or near \".\"").at(at));
        }
        if chain.len() > NESTING_MAX {
            return Err(crate::bind::once::too_deep());
        }
        // The parser has a chain of its own for `table.column[1]`.
        let mut chain = chain;
        let mut value = match (root, chain) {
            (ast::Expr::Identifier(table), [AccessExpr::Dot(ast::Expr::Identifier(column)), rest @ ..])
                if scope.table(None, &name(table)).is_some() =>
            {
                chain = rest;
                self.qualified(scope, &[table.clone(), column.clone()])?
            }
            _ => self.expr(scope, root)?,
        };
        while let [access, after @ ..] = chain {
            if self.catalog.base_type(value.type_) == Type::HSTORE
                && let AccessExpr::Subscript(subscript) = access
            {
                let more = matches!(after.first(), Some(AccessExpr::Subscript(_)));
                value = self.hstore_subscript(scope, value, (subscript, more))?;
                chain = after;
                continue;
            }
            let (subscripts, behind) = subscripts_of(chain);
            if subscripts.iter().any(|subscript| matches!(subscript, Subscript::Slice { .. })) {
                value = self.slice(scope, value, &subscripts)?;
                chain = behind;
                continue;
            }
            value = match access {
                AccessExpr::Dot(ast::Expr::Identifier(field)) => {
                    self.note_field(value.type_, field);
                    self.field(value, &name(field))?
                }
                AccessExpr::Subscript(Subscript::Index { index }) => {
                    let index = self.expr(scope, index)?;
                    self.subscript(value, index)?
                }
                _ => return Err(SqlError::unsupported("this access to a value")),
            };
            chain = after;
        }
        Ok(value)
    }

    /// The part of an array between bounds. Beside them, a single subscript is the upper bound of a part that begins at 1.
    fn slice(&mut self, scope: &Scope<'_>, value: Expr, subscripts: &[&Subscript]) -> Result<Expr> {
        let type_ = value.type_;
        if self.catalog.base_type(type_).element().is_none() {
            let name = self.catalog.type_name(type_, -1);
            let message = match type_ {
                Type::JSONB => "jsonb subscript does not support slices".to_owned(),
                _ => format!("cannot subscript type {name} because it does not support subscripting"),
            };
            return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message).at(value.at.0));
        }
        if subscripts.len() > 6 {
            let count = subscripts.len();
            let message = format!("number of array dimensions ({count}) exceeds the maximum allowed (6)");
            return Err(SqlError::new(SqlState::PROGRAM_LIMIT, message));
        }
        let (mut given, mut bounds) = (String::new(), Vec::new());
        for subscript in subscripts {
            let (lower, upper) = match subscript {
                Subscript::Index { index } => {
                    let index = self.expr(scope, index)?;
                    (Some(Expr::literal(1, Type::INT4)), Some(self.index(index)?))
                }
                Subscript::Slice { lower_bound, upper_bound, stride: None } => {
                    let mut bound = |bound: &Option<ast::Expr>| match bound {
                        Some(bound) => {
                            let bound = self.expr(scope, bound)?;
                            self.index(bound).map(Some)
                        }
                        None => Ok(None),
                    };
                    (bound(lower_bound)?, bound(upper_bound)?)
                }
                Subscript::Slice { .. } => return Err(SqlError::unsupported("this access to a value")),
            };
            for bound in [lower, upper] {
                given.push(if bound.is_some() { '1' } else { '0' });
                bounds.push(bound.unwrap_or_else(|| Expr::literal(Value::Null, Type::INT4)));
            }
        }
        // The slice of a domain's value need not be a value of the domain.
        let type_ = if type_.element().is_some() { type_ } else { self.catalog.base_type(type_) };
        let operands = [value, Expr::literal(given, Type::TEXT)].into_iter().chain(bounds).collect();
        Ok(Expr::template("pg_slice({*})", operands, type_))
    }

    /// A subscript of an array: what can be assigned to an integer.
    pub(super) fn index(&self, index: Expr) -> Result<Expr> {
        let at = index.at.0;
        self.coerce(index, Type::INT4.plain(), Context::Assignment)?.ok_or_else(|| {
            SqlError::new(SqlState::DATATYPE_MISMATCH, "array subscript must have type integer").at(at)
        })
    }

    pub(super) fn subscript(&mut self, value: Expr, index: Expr) -> Result<Expr> {
        if value.type_ == Type::JSONB {
            return self.operation("->", value, index);
        }
        if let Node::Template { text: "pg_element({0},{1})", operands } = &value.node {
            let index = self.index(index)?;
            let operands = vec![operands[0].clone(), operands[1].clone(), index];
            return Ok(Expr::template("pg_element({0},{1},{2})", operands, value.type_));
        }
        let type_ = self.catalog.base_type(value.type_);
        if matches!(type_, Type::POINT | Type::BOX | Type::LSEG | Type::LINE) {
            let index = self.index(index)?;
            return self.plain_call(crate::functions::cube::AT, vec![value, index]);
        }
        if type_ == Type::NAME {
            // The characters of a name count from zero.
            let index = self.index(index)?;
            return Ok(Expr::template("substr({0}, {1} + 1, 1)", vec![value, index], Type::QCHAR));
        }
        let element = type_.element().ok_or_else(|| {
            let name = self.catalog.type_name(type_, -1);
            let message = format!("cannot subscript type {name} because it does not support subscripting");
            SqlError::new(SqlState::DATATYPE_MISMATCH, message).at(value.at.0)
        })?;
        let index = self.index(index)?;
        Ok(Expr::template("pg_element({0},{1})", vec![value, index], element))
    }

    /// A field of a row.
    pub(in crate::bind) fn field(&mut self, value: Expr, field: &str) -> Result<Expr> {
        if field == "*" {
            let bracket = value.at.0.and_then(|at| self.source.text.get(..at)?.rfind('('));
            let message = "row expansion via \"*\" is not supported here";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message).at(bracket));
        }
        let missing = || {
            let message = format!(
                "column \"{field}\" not found in data type {}",
                self.catalog.type_name(value.type_, -1)
            );
            SqlError::new(SqlState::UNDEFINED_COLUMN, message).at(value.at.0)
        };
        let (names, items) = self.row_items(&value).ok_or_else(|| {
            let message = format!(
                "column notation .{field} applied to type {}, which is not a composite type",
                self.catalog.type_name(value.type_, -1)
            );
            SqlError::new(SqlState::WRONG_OBJECT_TYPE, message).at(value.at.0)
        })?;
        match names.iter().position(|name| name == field) {
            Some(index) => {
                let attributes = self.catalog.attributes(self.catalog.base_type(value.type_));
                let declared = attributes.and_then(|attributes| Some(attributes.get(index)?.type_.modifier));
                let item = items[index].clone();
                let modifier = declared.filter(|_| item.modifier < 0).unwrap_or(item.modifier);
                Ok(Expr { modifier, ..item })
            }
            None => self.function_of_row(value.clone(), field)?.ok_or_else(missing),
        }
    }

    /// The call that `row.function` stands for where the row has no such column: of a project's function of rows of this type.
    pub(super) fn function_of_row(&mut self, row: Expr, called: &str) -> Result<Option<Expr>> {
        let takes_row = |routine: &Routine| {
            let mut inputs = routine.inputs();
            let first = inputs.next().is_some_and(|input| input.type_ == row.type_);
            first && inputs.next().is_none() && routine.name == called
        };
        if row.type_ == Type::RECORD || !self.catalog.routines().any(|(_, routine)| takes_row(routine)) {
            return Ok(None);
        }
        let given = Given { positional: vec![row], ..Given::default() };
        self.call_named(None, called, given)
    }

    /// The fields of a row and their names.
    pub(crate) fn row_items(&self, value: &Expr) -> Option<(Vec<String>, Vec<Expr>)> {
        if let Node::Row(items, names) = &value.node {
            let names = match self.catalog.attributes(value.type_) {
                Some(attributes) => attributes.into_iter().map(|attribute| attribute.name).collect(),
                None if names.is_empty() => (1..=items.len()).map(|number| format!("f{number}")).collect(),
                None => names.clone(),
            };
            return Some((names, items.clone()));
        }
        let Some(attributes) = self.catalog.attributes(value.type_) else {
            let columns = self.columns_of_record(value)?;
            let items = columns.iter().enumerate().map(|(index, (_, type_))| {
                let operands = vec![value.clone(), Expr::literal(index as i64, Type::INT4)];
                Expr::template("pg_item({0},{1})", operands, *type_)
            });
            let items = items.collect();
            return Some((columns.into_iter().map(|(name, _)| name).collect(), items));
        };
        let items = attributes.iter().enumerate().map(|(index, attribute)| {
            let operands = vec![value.clone(), Expr::literal(index as i64, Type::INT4)];
            Expr::template("pg_item({0},{1})", operands, attribute.type_.base)
        });
        let items = items.collect();
        Some((attributes.into_iter().map(|attribute| attribute.name).collect(), items))
    }

    /// The columns of a record that a function returns.
    pub(super) fn columns_of_record(&self, record: &Expr) -> Option<Vec<(String, Type)>> {
        match &record.node {
            Node::Scalar(query) => match &query.body {
                crate::tree::Body::Select(select) => match &select.targets[..] {
                    [Expr { node: Node::Row(items, names), .. }] if names.len() == items.len() => {
                        let types = items.iter().map(|item| item.type_);
                        Some(names.iter().cloned().zip(types).collect())
                    }
                    _ => None,
                },
                _ => None,
            },
            _ => {
                let columns = crate::plpgsql::result_columns(self.catalog, &*self.called_routine(record)?);
                Some(columns.into_iter().map(|column| (column.name, column.type_.base)).collect())
            }
        }
    }
}

/// The subscripts with which a chain begins, and what is behind them.
fn subscripts_of(chain: &[AccessExpr]) -> (Vec<&Subscript>, &[AccessExpr]) {
    let subscripts = chain.iter().map_while(|access| match access {
        AccessExpr::Subscript(subscript) => Some(subscript),
        AccessExpr::Dot(_) => None,
    });
    let subscripts: Vec<_> = subscripts.collect();
    let behind = &chain[subscripts.len()..];
    (subscripts, behind)
}
