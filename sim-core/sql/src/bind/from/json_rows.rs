//! Rows of JSON documents: `json_to_record`, `json_populate_record` and their kin.

use sqlparser::ast::TableAlias;

use super::{Part, has_column};
use crate::bind::call::Given;
use crate::bind::{Binder, Clause};
use crate::cast::Context;
use crate::catalog::Attribute;
use crate::error::{Result, SqlError, SqlState};
use crate::source::name;
use crate::tree::{Body, Expr, Field, From, Node, Output, Query, Select};
use crate::types::{Modified, Type};

impl Binder<'_> {
    /// A JSON array of objects, as rows with the columns that the alias declares.
    pub(in crate::bind) fn recordset(
        &mut self,
        called: &str,
        given: Given,
        alias: Option<&TableAlias>,
    ) -> Result<Part> {
        let columns = self.declared_columns(alias)?;
        let document = given.positional.into_iter().next().unwrap_or_else(Expr::null);
        self.json_rows(called, document, columns, alias)
    }

    /// The columns that a source declares for its rows.
    fn declared_columns(&self, alias: Option<&TableAlias>) -> Result<Vec<Output>> {
        let columns = alias.iter().flat_map(|alias| &alias.columns).map(|column| {
            let data_type = column.data_type.as_ref().ok_or_else(|| {
                let message = "a column definition list is required for functions returning \"record\"";
                SqlError::new(SqlState::SYNTAX_ERROR, message)
            })?;
            Ok(Output { name: name(&column.name), type_: self.data_type(data_type)? })
        });
        let columns = columns.collect::<Result<Vec<_>>>()?;
        if columns.is_empty() {
            let message = "a column definition list is required for functions returning \"record\"";
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
        }
        Ok(columns)
    }

    pub(super) fn populate(
        &mut self,
        called: &str,
        given: Given,
        alias: Option<&TableAlias>,
    ) -> Result<Part> {
        let mut arguments = given.positional.into_iter();
        let (base, document) =
            (arguments.next().unwrap_or_else(Expr::null), arguments.next().unwrap_or_else(Expr::null));
        let columns = match self.catalog.attributes(base.type_) {
            Some(attributes) => attributes
                .into_iter()
                .map(|attribute| Output { name: attribute.name, type_: attribute.type_ })
                .collect(),
            None if base.type_ == Type::RECORD => self.declared_columns(alias)?,
            None => return Err(no_row_type(called, base.type_)),
        };
        let correlated = has_column(&document) || has_column(&base);
        let returned = Some(base.type_).filter(|type_| *type_ != Type::RECORD);
        let query = self.json_query(called, document, columns, Some(base))?;
        let plain = alias.map(|alias| TableAlias { columns: Vec::new(), ..alias.clone() });
        let (from, mut scope) = self.derived(query, plain.as_ref(), called, correlated)?;
        scope.tables[0].returned = returned;
        Ok((from, scope))
    }

    /// `jsonb_populate_record` as a value.
    pub(in crate::bind) fn populated(&mut self, called: &str, given: &[Expr]) -> Result<Option<Expr>> {
        let [base, document] = given else { return Ok(None) };
        let Some(attributes) = self.catalog.attributes(base.type_) else { return Ok(None) };
        if !matches!(called, "json_populate_record" | "jsonb_populate_record") || self.clause == Clause::From
        {
            return Ok(None);
        }
        let columns =
            attributes.into_iter().map(|attribute| Output { name: attribute.name, type_: attribute.type_ });
        let query = self.json_query(called, document.clone(), columns.collect(), Some(base.clone()))?;
        let plain = self.catalog.base_type(base.type_);
        let query = self.query_of_rows(query, plain);
        let row = self.checked_row(Expr::new(Node::Scalar(Box::new(query)), plain), base.type_)?;
        if !base.is_null_literal() {
            return Ok(Some(row));
        }
        // Of no document there is no row, not even one of nulls.
        self.once.charge(document)?;
        let given = Expr::template("({0} IS NOT NULL)", vec![document.clone()], Type::BOOL);
        let (branches, otherwise) = (vec![(given, row)], None);
        Ok(Some(Expr::new(Node::Case { operand: None, branches, otherwise }, base.type_)))
    }

    /// `jsonb_populate_recordset` among the targets of a query.
    pub(in crate::bind) fn populated_set(&mut self, called: &str, given: &[Expr]) -> Result<Option<Expr>> {
        let [base, document] = given else { return Ok(None) };
        let is_set = matches!(called, "json_populate_recordset" | "jsonb_populate_recordset");
        if !is_set || self.check_set_allowed().is_err() {
            return Ok(None);
        }
        let (Some(attributes), Some(array)) = (self.catalog.attributes(base.type_), base.type_.array())
        else {
            return Ok(None);
        };
        let columns: Vec<Output> = attributes
            .into_iter()
            .map(|attribute| Output { name: attribute.name, type_: attribute.type_ })
            .collect();
        let query = self.json_query(called, document.clone(), columns.clone(), Some(base.clone()))?;
        let query = self.query_of_rows(query, base.type_);
        let source = self.new_source();
        self.set_calls.push((source, Expr::new(Node::ArrayQuery(Box::new(query)), array)));
        let items = columns.iter().enumerate().map(|(index, column)| {
            Expr::new(Node::Column { source, field: Field::Item(index) }, column.type_.base)
        });
        let (items, names) = (items.collect(), columns.iter().map(|column| column.name.clone()).collect());
        Ok(Some(Expr::new(Node::Row(items, names), base.type_)))
    }

    pub(super) fn json_rows(
        &mut self,
        called: &str,
        document: Expr,
        columns: Vec<Output>,
        alias: Option<&TableAlias>,
    ) -> Result<Part> {
        let correlated = has_column(&document);
        let query = self.json_query(called, document, columns, None)?;
        let plain = alias.map(|alias| TableAlias { columns: Vec::new(), ..alias.clone() });
        self.derived(query, plain.as_ref(), called, correlated)
    }

    /// The rows of a document with these columns. Columns that it does not have are those of `base`.
    fn json_query(
        &mut self,
        called: &str,
        document: Expr,
        columns: Vec<Output>,
        base: Option<Expr>,
    ) -> Result<Query> {
        let document = self.implicit_json(document)?;
        let one = called.ends_with("record");
        let base = base.filter(|base| !base.is_null_literal());
        let defaults =
            base.and_then(|base| self.row_items(&base)).map(|(_, items)| items).unwrap_or_default();
        let source = self.new_source();
        let array = if one { "json_array(json(pg_json_rows({0},{1})))" } else { "pg_json_rows({0},{1})" };
        let operands = vec![document, Expr::literal(called.to_owned(), Type::TEXT)];
        let array = Expr::template(array, operands, Type::JSON);
        let row = Expr::new(Node::Column { source, field: Field::Value }, Type::TEXT);
        let mut targets = Vec::new();
        for column in &columns {
            let default = defaults.get(targets.len());
            targets.push(self.member_or(&row, (&column.name, column.type_), default)?);
        }
        let from = vec![From::Elements { source, array }];
        let body = Body::Select(Box::new(Select { targets, from, ..Select::default() }));
        Ok(Query { ctes: Vec::new(), body, order: Vec::new(), limit: None, offset: None, columns })
    }

    /// A member of an object as the value of a column, or the column's value before if there is no such member.
    fn member_or(
        &self,
        object: &Expr,
        (name, type_): (&str, Modified),
        before: Option<&Expr>,
    ) -> Result<Expr> {
        let value = self.member_of(object, (name, type_), before)?;
        let Some(before) = before else { return Ok(value) };
        let path = Expr::literal(format!("$.\"{name}\""), Type::TEXT);
        let operands = vec![object.clone(), path];
        let given = Expr::template("(json_type({0},{1}) IS NOT NULL)", operands, Type::BOOL);
        let (branches, otherwise) = (vec![(given, value)], Some(Box::new(before.clone())));
        Ok(Expr::new(Node::Case { operand: None, branches, otherwise }, type_.base))
    }

    /// A member of an object as the value of a column. The fields that a row's object does not have are those of the row before.
    fn member_of(
        &self,
        object: &Expr,
        (name, type_): (&str, Modified),
        before: Option<&Expr>,
    ) -> Result<Expr> {
        let operands = || vec![object.clone(), Expr::literal(name.to_owned(), Type::TEXT)];
        let json = type_.base == Type::JSON || type_.base == Type::JSONB;
        let text = if json {
            Expr::template("pg_json_member({0},{1},0)", operands(), Type::TEXT)
        } else if type_.base.element().is_some() {
            Expr::template("pg_json_member({0},{1},2)", operands(), Type::TEXT)
        } else {
            Expr::template("pg_json_member({0},{1},1)", operands(), Type::TEXT)
        };
        let element = type_.base.element().filter(|element| self.catalog.attributes(*element).is_some());
        if element.is_none() && self.catalog.attributes(type_.base).is_none() {
            return self.member(text, type_);
        }
        // A row is an object of its fields, or its text; an array of rows is one of those, or its text.
        let inner = Expr::template("pg_json_member({0},{1},0)", operands(), Type::TEXT);
        let (kind, value) = match element {
            None => {
                let row = self.row_of_members(&inner, self.catalog.base_type(type_.base), before)?;
                ("object", self.checked_row(row, type_.base)?)
            }
            Some(element) => {
                let row = |document: Expr| self.row_of_document(document, element);
                ("array", self.array_of_rows(inner, type_.base, row)?)
            }
        };
        let path = Expr::literal(format!("$.\"{name}\""), Type::TEXT);
        let is = |kinds: &str| {
            let operands = vec![object.clone(), path.clone(), Expr::literal(kinds.to_owned(), Type::TEXT)];
            Expr::template("coalesce(instr({2},json_type({0},{1})) > 0, 0)", operands, Type::BOOL)
        };
        let refused = |what: &str| no_composite(what, type_.base);
        let mut branches = vec![(is(kind), value)];
        if element.is_none() {
            branches.push((is("array"), refused("an array")));
            branches.push((is("integer,real,true,false"), refused("a scalar")));
        }
        let otherwise = Some(Box::new(self.member(text, type_)?));
        Ok(Expr::new(Node::Case { operand: None, branches, otherwise }, type_.base))
    }

    /// A row as the value of a domain over its type, if it is to be one.
    fn checked_row(&self, row: Expr, type_: Type) -> Result<Expr> {
        if row.type_ == type_ { Ok(row) } else { self.cast(row, type_.plain()) }
    }

    /// The row of an object's members.
    fn row_of_members(&self, object: &Expr, type_: Type, before: Option<&Expr>) -> Result<Expr> {
        let before = before.and_then(|before| self.row_items(before)).map(|(_, items)| items);
        let field = |(at, attribute): (usize, Attribute)| {
            self.once.charge(object)?;
            let before = before.as_ref().and_then(|before| before.get(at));
            self.member_or(object, (&attribute.name, attribute.type_), before)
        };
        let attributes = self.catalog.attributes(type_).unwrap_or_default();
        let items = attributes.into_iter().enumerate().map(field).collect::<Result<_>>()?;
        Ok(Expr::new(Node::Row(items, Vec::new()), type_))
    }

    /// The row of an element of a JSON array: an object, or the text of a row.
    fn row_of_document(&self, document: Expr, type_: Type) -> Result<Expr> {
        let row = self.row_of_members(&document, type_, None)?;
        let scalar =
            Expr::template("(typeof({0}) IN ('integer','real'))", vec![document.clone()], Type::BOOL);
        let given = Expr::template("(unicode({0}) = 123)", vec![document.clone()], Type::BOOL);
        let branches = vec![(scalar, no_composite("a scalar", type_)), (given, row)];
        let otherwise = Some(Box::new(self.cast(document, type_.plain())?));
        Ok(Expr::new(Node::Case { operand: None, branches, otherwise }, type_))
    }

    /// A member's text as the value of a column. It must fit: unlike a cast, this cuts nothing.
    pub(in crate::bind) fn member(&self, text: Expr, type_: Modified) -> Result<Expr> {
        let cuts = matches!(type_.base.element().unwrap_or(type_.base), Type::VARCHAR | Type::BPCHAR);
        if type_.modifier < 0 || !cuts {
            return self.cast(text, type_);
        }
        let whole = self.cast(text, type_.base.plain())?;
        let fits = self.coerce(whole, type_, Context::Assignment)?;
        fits.ok_or_else(|| SqlError::new(SqlState::UNDEFINED_FUNCTION, "function does not exist"))
    }

    pub(super) fn implicit_json(&self, document: Expr) -> Result<Expr> {
        let type_ = if document.type_ == Type::JSONB { Type::JSONB } else { Type::JSON };
        let found = self.coerce(document, type_.plain(), Context::Implicit)?;
        found.ok_or_else(|| SqlError::new(SqlState::UNDEFINED_FUNCTION, "function does not exist"))
    }
}

/// The refusal of a first argument that is no row.
fn no_row_type(called: &str, type_: Type) -> SqlError {
    let message = match type_ {
        Type::UNKNOWN => "could not determine polymorphic type because input has type unknown".to_owned(),
        _ => format!("first argument of {called} must be a row type"),
    };
    SqlError::new(SqlState::DATATYPE_MISMATCH, message)
}

/// The refusal of a document of which no row can be made, as an expression.
fn no_composite(what: &str, type_: Type) -> Expr {
    let message = format!("cannot call populate_composite on {what}");
    let operands = vec![
        Expr::literal(SqlState::INVALID_PARAMETER.as_str().to_owned(), Type::TEXT),
        Expr::literal(message, Type::TEXT),
    ];
    Expr::template("pg_raise({0},{1})", operands, type_)
}
