//! Expressions.

use rusqlite::types::Value;
use sqlparser::ast::{
    self, AccessExpr, BinaryOperator, Ident, Spanned as _, Subscript, UnaryOperator, ValueWithSpan,
};

use super::{Binder, Scope};
use crate::cast::Context;
use crate::catalog::Relation;
use crate::error::{Result, SqlError, SqlState};
use crate::plpgsql::Conflict;
use crate::source::{self, name};
use crate::tree::{Candidates, Comparison, Expr, Field, Node};
use crate::types::Type;
use crate::value::numeric;

/// The clause of an expression. It determines what the expression may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clause {
    Target,
    Where,
    On,
    GroupBy,
    Having,
    OrderBy,
    Limit,
    Values,
    Default,
    Check,
    Generated,
    Index,
    Set,
    Returning,
    Aggregate,
    From,
    Policy,
}

impl Clause {
    /// Its name in messages.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Clause::Target => "SELECT",
            Clause::Where => "WHERE",
            Clause::On => "JOIN conditions",
            Clause::GroupBy => "GROUP BY",
            Clause::Having => "HAVING",
            Clause::OrderBy => "ORDER BY",
            Clause::Limit => "LIMIT",
            Clause::Values => "VALUES",
            Clause::Default => "DEFAULT expressions",
            Clause::Check => "check constraints",
            Clause::Generated => "column generation expressions",
            Clause::Index => "index expressions",
            Clause::Set => "UPDATE",
            Clause::Returning => "RETURNING",
            Clause::Aggregate => "aggregate function calls",
            Clause::From => "functions in FROM",
            Clause::Policy => "policy expressions",
        }
    }
}

const SYSTEM_COLUMNS: &[&str] = &["tableoid", "ctid", "xmin", "xmax", "cmin", "cmax"];

/// The deepest nesting of an expression. Long chains of `AND` and `OR` do not count.
const NESTING_MAX: usize = 150;

impl Binder<'_> {
    /// Binds an expression in a clause.
    pub(crate) fn expr_in(&mut self, clause: Clause, scope: &Scope<'_>, expr: &ast::Expr) -> Result<Expr> {
        let before = std::mem::replace(&mut self.clause, clause);
        let bound = self.expr(scope, expr);
        self.clause = before;
        bound
    }

    /// Binds a condition.
    pub(crate) fn condition(&mut self, scope: &Scope<'_>, expr: &ast::Expr) -> Result<Expr> {
        let at = self.place(expr.span().start);
        let bound = self.expr(scope, expr)?;
        self.boolean(bound, "WHERE").map_err(|error| error.at(at))
    }

    /// Binds the condition of a clause.
    pub(crate) fn condition_in(
        &mut self,
        clause: Clause,
        scope: &Scope<'_>,
        expr: &ast::Expr,
    ) -> Result<Expr> {
        let at = self.place(expr.span().start);
        let bound = self.expr_in(clause, scope, expr)?;
        let word = match clause {
            Clause::On => "JOIN/ON",
            Clause::Policy => "POLICY",
            clause => clause.words(),
        };
        self.boolean(bound, word).map_err(|error| error.at(at))
    }

    fn boolean(&self, expr: Expr, what: &str) -> Result<Expr> {
        let (type_, at) = (expr.type_, expr.at.0);
        self.coerce(expr, Type::BOOL.plain(), Context::Implicit)?.ok_or_else(|| {
            let name = self.catalog.type_name(type_, -1);
            let message = format!("argument of {what} must be type boolean, not type {name}");
            SqlError::new(SqlState::DATATYPE_MISMATCH, message).at(at)
        })
    }

    /// Binds an expression.
    pub(crate) fn expr(&mut self, scope: &Scope<'_>, expr: &ast::Expr) -> Result<Expr> {
        self.enter()?;
        let at = self.place(expr.span().start);
        let bound = self.expr_node(scope, expr);
        self.nesting -= 1;
        let bound = bound?;
        Ok(if bound.at.0.is_some() { bound } else { bound.at(at) })
    }

    /// Goes one level deeper. Fails if the nesting is too deep.
    pub(super) fn enter(&mut self) -> Result<()> {
        if self.nesting > NESTING_MAX {
            return Err(super::once::too_deep());
        }
        self.nesting += 1;
        self.once.charge_expression(self.length)
    }

    pub(crate) fn exprs(&mut self, scope: &Scope<'_>, exprs: &[ast::Expr]) -> Result<Vec<Expr>> {
        exprs.iter().map(|expr| self.expr(scope, expr)).collect()
    }

    fn expr_node(&mut self, scope: &Scope<'_>, expr: &ast::Expr) -> Result<Expr> {
        match expr {
            ast::Expr::Identifier(ident) => self.identifier(scope, ident),
            ast::Expr::CompoundIdentifier(idents) => self.qualified(scope, idents),
            ast::Expr::Nested(inner) => self.expr(scope, inner),
            ast::Expr::Value(value) => self.value(value),
            ast::Expr::BinaryOp { op: op @ (BinaryOperator::And | BinaryOperator::Or), .. } => {
                self.junction(scope, expr, op)
            }
            ast::Expr::BinaryOp { left, op, right } => self.binary(scope, left, op, right),
            ast::Expr::UnaryOp { op, expr } => self.unary(scope, op, expr),
            ast::Expr::IsNull(inner) => self.is_null(scope, inner, false),
            ast::Expr::IsNotNull(inner) => self.is_null(scope, inner, true),
            ast::Expr::IsTrue(inner) => self.is(scope, inner, true, false),
            ast::Expr::IsNotTrue(inner) => self.is(scope, inner, true, true),
            ast::Expr::IsFalse(inner) => self.is(scope, inner, false, false),
            ast::Expr::IsNotFalse(inner) => self.is(scope, inner, false, true),
            ast::Expr::IsUnknown(inner) => self.is_unknown(scope, inner, false),
            ast::Expr::IsNotUnknown(inner) => self.is_unknown(scope, inner, true),
            ast::Expr::IsDistinctFrom(left, right) => self.is_distinct(scope, left, right, false),
            ast::Expr::IsNotDistinctFrom(left, right) => self.is_distinct(scope, left, right, true),
            ast::Expr::InList { expr, list, negated } => self.in_list(scope, expr, list, *negated),
            ast::Expr::InSubquery { expr, subquery, negated } => {
                self.in_query(scope, expr, subquery, *negated)
            }
            ast::Expr::Between { expr, negated, low, high } => self.between(scope, expr, low, high, *negated),
            ast::Expr::Like { negated, any, expr, pattern, escape_char: None }
                if *any || all_of(pattern).is_some() =>
            {
                self.like_each(scope, if *negated { "!~~" } else { "~~" }, expr, pattern)
            }
            ast::Expr::ILike { negated, any, expr, pattern, escape_char: None }
                if *any || all_of(pattern).is_some() =>
            {
                self.like_each(scope, if *negated { "!~~*" } else { "~~*" }, expr, pattern)
            }
            ast::Expr::Like { negated, any: false, expr, pattern, escape_char } => {
                self.like(scope, if *negated { "!~~" } else { "~~" }, expr, pattern, escape_char.as_deref())
            }
            ast::Expr::ILike { negated, any: false, expr, pattern, escape_char } => {
                self.like(scope, if *negated { "!~~*" } else { "~~*" }, expr, pattern, escape_char.as_deref())
            }
            ast::Expr::SimilarTo { negated, expr, pattern, escape_char } => {
                let bound = self.like(scope, "similar", expr, pattern, escape_char.as_deref())?;
                Ok(if *negated { Expr::boolean(Node::Not(Box::new(bound))) } else { bound })
            }
            ast::Expr::AnyOp { left, compare_op, right, .. } => {
                self.quantified(scope, left, &super::operator::symbol(compare_op)?, right, false)
            }
            ast::Expr::AllOp { left, compare_op, right } => {
                self.quantified(scope, left, &super::operator::symbol(compare_op)?, right, true)
            }
            ast::Expr::Cast { expr, data_type, .. } => {
                let to = self.data_type(data_type)?;
                let inner = self.expr(scope, expr)?;
                self.cast(inner, to)
            }
            ast::Expr::TypedString(typed) => {
                let to = self.data_type(&typed.data_type)?;
                let inner = self.value(&typed.value)?;
                self.cast(inner, to)
            }
            ast::Expr::Interval(interval) => self.interval(scope, interval),
            ast::Expr::Function(function) => self.function(scope, function),
            ast::Expr::Case { operand, conditions, else_result, .. } => {
                self.case(scope, operand.as_deref(), conditions, else_result.as_deref())
            }
            ast::Expr::Exists { subquery, negated } => {
                let query = self.subquery(scope, subquery)?;
                Ok(self.exists(query, *negated))
            }
            ast::Expr::Subquery(query) => self.scalar_query(scope, query),
            ast::Expr::Tuple(items) => self.row(scope, items),
            ast::Expr::Array(array) => self.array(scope, &array.elem),
            ast::Expr::CompoundFieldAccess { root, access_chain } => self.access(scope, root, access_chain),
            ast::Expr::Collate { expr, .. } => self.expr(scope, expr),
            other => self.special(scope, other),
        }
    }

    fn identifier(&mut self, scope: &Scope<'_>, ident: &Ident) -> Result<Expr> {
        let at = self.place(ident.span.start);
        let column = name(ident);
        if ident.quote_style.is_none()
            && let Some(call) = self.keyword_call(&column)?
        {
            return Ok(call.at(at));
        }
        if source::is_reserved(ident) {
            return Err(source::not_a_name(ident).at(at));
        }
        let variable = self.variable(std::slice::from_ref(&column))?;
        if let Some(found) = scope.column(&column).map_err(|error| error.at(at))? {
            self.touch(&found);
            return self.column_or_variable(found, variable, &column).map(|found| found.at(at));
        }
        if let Some(variable) = variable {
            return Ok(variable);
        }
        if let Some(argument) = self.argument(&column)? {
            return Ok(argument);
        }
        if let Some(row) = self.whole_row(scope, &column) {
            self.touch(&row);
            return Ok(row.at(at));
        }
        if let Some(found) = self.system_column(scope, None, &column)? {
            return Ok(found.at(at));
        }
        let error =
            SqlError::new(SqlState::UNDEFINED_COLUMN, format!("column \"{column}\" does not exist")).at(at);
        Err(match near(scope, &column) {
            Some(hint) => error.hint(hint),
            None => error,
        })
    }

    /// A column that every table has implicitly.
    fn system_column(&self, scope: &Scope<'_>, source: Option<usize>, column: &str) -> Result<Option<Expr>> {
        if !SYSTEM_COLUMNS.contains(&column) {
            return Ok(None);
        }
        let stored = |table: &&super::scope::Table| {
            source.is_none_or(|source| table.source == source)
                && table.relation.and_then(|oid| self.catalog.relation(oid)).is_some_and(Relation::is_stored)
        };
        let mut level = Some(scope);
        let mut found = None;
        while let (Some(scope), None) = (level, found) {
            found = scope.tables.iter().find(stored);
            level = scope.parent;
        }
        let Some(table) = found else { return Ok(None) };
        match column {
            "tableoid" => Ok(table.relation.map(|oid| Expr::literal(i64::from(oid), Type::OID))),
            // `xmax` is 0 for an inserted row, and another number for a row that the upsert has updated.
            "xmax" if self.upserts && self.clause == Clause::Returning => {
                let row = Expr::new(Node::Column { source: table.source, field: Field::Row }, Type::INT8);
                Ok(Some(Expr::template("pg_affected({0})", vec![row], Type::OID)))
            }
            _ => Err(SqlError::unsupported(format!("the system column {column}"))),
        }
    }

    /// The variable with these names in the PL/pgSQL function that runs the statement.
    fn variable(&self, names: &[String]) -> Result<Option<Expr>> {
        match &self.frame {
            Some(frame) => frame.borrow_mut().resolve(names),
            None => Ok(None),
        }
    }

    /// The meaning of a name that is a column and may also be a variable.
    fn column_or_variable(&self, column: Expr, variable: Option<Expr>, name: &str) -> Result<Expr> {
        let (Some(variable), Some(frame)) = (variable, &self.frame) else { return Ok(column) };
        match frame.borrow().conflict {
            Conflict::Column => Ok(column),
            Conflict::Variable => Ok(variable),
            Conflict::Error => {
                let message = format!("column reference \"{name}\" is ambiguous");
                Err(SqlError::new(SqlState::AMBIGUOUS_COLUMN, message)
                    .detail("It could refer to either a PL/pgSQL variable or a table column."))
            }
        }
    }

    /// The argument with this name in the call of the function that is being expanded.
    fn argument(&self, name: &str) -> Result<Option<Expr>> {
        let Some(arguments) = &self.arguments else { return Ok(None) };
        let found = arguments.iter().find(|(known, _)| known.as_deref() == Some(name));
        found.map(|(_, expr)| self.copied(expr)).transpose()
    }

    /// A copy of an expression.
    pub(super) fn copied(&self, argument: &Expr) -> Result<Expr> {
        self.once.charge(argument)?;
        Ok(argument.clone())
    }

    /// The row of a source under its name.
    pub(super) fn whole_row(&self, scope: &Scope<'_>, alias: &str) -> Option<Expr> {
        let table = scope.table(None, alias)?;
        if let (true, [only]) = (table.scalar, &table.columns[..]) {
            return Some(table.column(only));
        }
        let columns = table.columns.iter().filter(|column| !column.hidden);
        let (items, names) = columns.map(|column| (table.column(column), column.name.clone())).unzip();
        let type_ =
            table.relation.and_then(|relation| self.catalog.row_type(relation)).unwrap_or(Type::RECORD);
        Some(Expr::new(Node::Row(items, names), type_))
    }

    /// Whether a whole row is one that an outer join did not find, if it can be.
    pub(super) fn absence(&self, row: &Expr) -> Option<Expr> {
        let Node::Row(items, names) = &row.node else { return None };
        let source_of = |item: &Expr| match item.node {
            Node::Column { source, field } => Some((source, field)),
            _ => None,
        };
        let (source, _) = source_of(items.first()?)?;
        let deciding = self.optional.get(&source)?;
        // A row that is written out is there, whatever its items are.
        if names.is_empty() || items.iter().any(|item| source_of(item).is_none_or(|(of, _)| of != source)) {
            return None;
        }
        let decides = |item: &&Expr| source_of(item).is_some_and(|(_, field)| deciding.contains(&field));
        let deciders: Vec<&Expr> = match items.iter().find(decides) {
            Some(one) => vec![one],
            None => items.iter().collect(),
        };
        let missing = deciders
            .into_iter()
            .map(|item| Expr::boolean(Node::IsNull { expr: Box::new(item.clone()), negated: false }));
        missing.reduce(|all, next| Expr::boolean(Node::And(Box::new(all), Box::new(next))))
    }

    /// `built` of a whole row, or null if an outer join did not find the row.
    pub(super) fn unless_absent(&self, row: &Expr, built: Expr) -> Expr {
        let Some(absent) = self.absence(row) else { return built };
        let (type_, null) = (built.type_, Expr::literal(Value::Null, built.type_));
        let branches = vec![(absent, null)];
        Expr::new(Node::Case { operand: None, branches, otherwise: Some(Box::new(built)) }, type_)
    }

    fn qualified(&mut self, scope: &Scope<'_>, idents: &[Ident]) -> Result<Expr> {
        let at = idents.first().and_then(|ident| self.place(ident.span.start));
        let names: Vec<String> = idents.iter().map(name).collect();
        let (schema, table, column) = match &names[..] {
            [table, column] => (None, table, column),
            [schema, table, column] => (Some(schema.as_str()), table, column),
            _ => return Err(SqlError::unsupported("a column name of more than three parts").at(at)),
        };
        if let Some(found) = scope.table(schema, table) {
            if let Some(known) = found.columns.iter().find(|known| known.name == *column) {
                let found = found.column(known).at(at);
                self.touch(&found);
                return Ok(found);
            }
            if column == "*" {
                return Err(SqlError::unsupported("a row expansion here").at(at));
            }
            if let Some(variable) = self.variable(&names)? {
                return Ok(variable);
            }
            if let Some(found) = self.system_column(scope, Some(found.source), column)? {
                return Ok(found.at(at));
            }
            let shown = format!("{table}.{column}");
            return Err(
                SqlError::new(SqlState::UNDEFINED_COLUMN, format!("column {shown} does not exist")).at(at)
            );
        }
        if let Some(variable) = self.variable(&names)? {
            return Ok(variable);
        }
        if let Some(arguments) = &self.arguments
            && let Some((_, argument)) = arguments.iter().find(|(known, _)| known.as_deref() == Some(column))
        {
            return self.copied(argument);
        }
        Err(self.missing_table(scope, table).at(at))
    }

    /// The error for a table that is not visible here.
    pub(super) fn missing_table(&self, scope: &Scope<'_>, table: &str) -> SqlError {
        let aliased = scope.tables.iter().find(|known| {
            known
                .relation
                .and_then(|oid| self.catalog.relation(oid))
                .is_some_and(|relation| relation.name == table)
        });
        if let Some(known) = aliased {
            let message = format!("invalid reference to FROM-clause entry for table \"{table}\"");
            return SqlError::new(SqlState::UNDEFINED_TABLE, message)
                .hint(format!("Perhaps you meant to reference the table alias \"{}\".", known.alias));
        }
        let hidden = scope.tables.iter().any(|known| known.alias == table && !known.reachable)
            || scope.parent.is_some_and(|parent| parent.tables.iter().any(|known| known.alias == table));
        let message = if hidden {
            format!("invalid reference to FROM-clause entry for table \"{table}\"")
        } else {
            format!("missing FROM-clause entry for table \"{table}\"")
        };
        let error = SqlError::new(SqlState::UNDEFINED_TABLE, message);
        if hidden {
            error.detail(format!(
                "There is an entry for table \"{table}\", but it cannot be referenced from this part of the query."
            ))
        } else {
            error
        }
    }

    pub(super) fn value(&mut self, value: &ValueWithSpan) -> Result<Expr> {
        let at = self.place(value.span.start);
        let bound = match &value.value {
            ast::Value::Number(number, _) => number_literal(number)?,
            ast::Value::SingleQuotedString(text)
            | ast::Value::EscapedStringLiteral(text)
            | ast::Value::UnicodeStringLiteral(text)
            | ast::Value::NationalStringLiteral(text) => untyped(text),
            ast::Value::DollarQuotedString(text) => untyped(&text.value),
            ast::Value::Boolean(value) => Expr::literal(i64::from(*value), Type::BOOL),
            ast::Value::Null => Expr::null(),
            ast::Value::Placeholder(placeholder) => {
                self.parameter(placeholder).map_err(|error| error.at(at))?
            }
            other => return Err(SqlError::unsupported(format!("the literal {other}")).at(at)),
        };
        Ok(bound.at(at))
    }

    fn parameter(&mut self, placeholder: &str) -> Result<Expr> {
        let number = placeholder.strip_prefix('$').and_then(|digits| digits.parse::<usize>().ok());
        let undefined =
            || SqlError::new(SqlState::UNDEFINED_PARAMETER, format!("there is no parameter {placeholder}"));
        let index = number.and_then(|number| number.checked_sub(1)).ok_or_else(undefined)?;
        if let Some(variable) = self.variable(&[placeholder.to_owned()])? {
            return Ok(variable);
        }
        if let Some(arguments) = &self.arguments {
            return arguments.get(index).ok_or_else(undefined).and_then(|(_, expr)| self.copied(expr));
        }
        match self.parameters.get(index).ok_or_else(undefined)? {
            Some(text) => Ok(untyped(text)),
            None => Ok(Expr::null()),
        }
    }

    fn is_null(&mut self, scope: &Scope<'_>, inner: &ast::Expr, negated: bool) -> Result<Expr> {
        let inner = self.expr(scope, inner)?;
        if let Node::Row(items, _) = inner.node {
            let tests =
                items.into_iter().map(|item| Expr::boolean(Node::IsNull { expr: Box::new(item), negated }));
            let all = tests.reduce(|all, test| Expr::boolean(Node::And(Box::new(all), Box::new(test))));
            return Ok(all.unwrap_or_else(|| Expr::literal(1, Type::BOOL)));
        }
        Ok(Expr::boolean(Node::IsNull { expr: Box::new(inner), negated }))
    }

    fn is(&mut self, scope: &Scope<'_>, inner: &ast::Expr, value: bool, negated: bool) -> Result<Expr> {
        let inner = self.expr(scope, inner)?;
        let what = match (value, negated) {
            (true, false) => "IS TRUE",
            (true, true) => "IS NOT TRUE",
            (false, false) => "IS FALSE",
            (false, true) => "IS NOT FALSE",
        };
        let expr = Box::new(self.boolean(inner, what)?);
        Ok(Expr::boolean(Node::Is { expr, value, negated }))
    }

    fn is_unknown(&mut self, scope: &Scope<'_>, inner: &ast::Expr, negated: bool) -> Result<Expr> {
        let inner = self.expr(scope, inner)?;
        let what = if negated { "IS NOT UNKNOWN" } else { "IS UNKNOWN" };
        let expr = Box::new(self.boolean(inner, what)?);
        Ok(Expr::boolean(Node::IsNull { expr, negated }))
    }

    fn is_distinct(
        &mut self,
        scope: &Scope<'_>,
        left: &ast::Expr,
        right: &ast::Expr,
        negated: bool,
    ) -> Result<Expr> {
        let at = self.source.place_between(left.span().end, right.span().start);
        let (left, right) = (self.expr(scope, left)?, self.expr(scope, right)?);
        if let (Some((_, left)), Some((_, right))) = (self.row_items(&left), self.row_items(&right))
            && left.len() == right.len()
        {
            return self.rows_distinct(left, right, negated).map_err(|error| error.at(at));
        }
        // A row that an outer join did not find is null; one that is there is not, whatever its items are.
        if let (row @ Expr { node: Node::Row(..), .. }, Expr { node: Node::Literal(Value::Null), .. })
        | (Expr { node: Node::Literal(Value::Null), .. }, row @ Expr { node: Node::Row(..), .. }) =
            (&left, &right)
        {
            let absent = self.absence(row).unwrap_or_else(|| Expr::literal(0, Type::BOOL));
            return Ok(if negated { absent } else { not(absent) });
        }
        let compared = self.compare(Comparison::Equal, left, right).map_err(|error| error.at(at))?;
        match compared.node {
            Node::Compare { left, right, .. } => Ok(Expr::boolean(Node::IsDistinct { left, right, negated })),
            _ => Err(SqlError::unsupported("IS DISTINCT FROM for rows").at(at)),
        }
    }

    /// Whether two rows differ in an item; with `negated` whether they do not.
    fn rows_distinct(&mut self, left: Vec<Expr>, right: Vec<Expr>, negated: bool) -> Result<Expr> {
        let pairs = left.into_iter().zip(right).map(|(left, right)| {
            let compared = self.compare(Comparison::Equal, left, right)?;
            match compared.node {
                Node::Compare { left, right, .. } => {
                    Ok(Expr::boolean(Node::IsDistinct { left, right, negated }))
                }
                _ => Err(SqlError::unsupported("IS DISTINCT FROM for rows in rows")),
            }
        });
        let pairs = pairs.collect::<Result<Vec<_>>>()?.into_iter();
        let all = pairs.reduce(|all, next| {
            let (all, next) = (Box::new(all), Box::new(next));
            Expr::boolean(if negated { Node::And(all, next) } else { Node::Or(all, next) })
        });
        Ok(all.unwrap_or_else(|| Expr::literal(i64::from(negated), Type::BOOL)))
    }

    fn in_list(
        &mut self,
        scope: &Scope<'_>,
        expr: &ast::Expr,
        list: &[ast::Expr],
        negated: bool,
    ) -> Result<Expr> {
        let at = self
            .source
            .place_between(expr.span().end, list.first().map_or(expr.span().end, |item| item.span().start));
        let tested = self.expr(scope, expr)?;
        let items = self.exprs(scope, list)?;
        let mut types = vec![tested.type_];
        types.extend(items.iter().map(|item| item.type_));
        let plain = !matches!(tested.node, Node::Row(..))
            && !items.iter().any(|item| matches!(item.node, Node::Row(..)));
        if plain
            && let Ok(common) = self.common_type(&types, "IN")
            && self.is_comparable(common)
        {
            let expr = Box::new(self.implicit(tested, common)?);
            let list = items.into_iter().map(|item| self.implicit(item, common)).collect::<Result<_>>()?;
            return Ok(Expr::boolean(Node::In { expr, list, negated }));
        }
        self.once(tested, |binder, tested| {
            let mut any: Option<Expr> = None;
            for item in items {
                let equal =
                    binder.compare(Comparison::Equal, tested.clone(), item).map_err(|error| error.at(at))?;
                any = Some(match any {
                    Some(any) => Expr::boolean(Node::Or(Box::new(any), Box::new(equal))),
                    None => equal,
                });
            }
            let any = any.unwrap_or_else(|| Expr::literal(0, Type::BOOL));
            Ok(if negated { not(any) } else { any })
        })
    }

    fn in_query(
        &mut self,
        scope: &Scope<'_>,
        expr: &ast::Expr,
        query: &ast::Query,
        negated: bool,
    ) -> Result<Expr> {
        let at = self.place(expr.span().start);
        let tested = self.expr(scope, expr)?;
        let mut query = self.subquery(scope, query)?;
        let items = match tested.node {
            Node::Row(items, _) => items,
            _ => vec![tested],
        };
        if items.len() != query.columns.len() {
            let few = if items.len() > query.columns.len() { "few" } else { "many" };
            return Err(
                SqlError::new(SqlState::SYNTAX_ERROR, format!("subquery has too {few} columns")).at(at)
            );
        }
        let mut row = Vec::new();
        let mut types = Vec::new();
        for (item, column) in items.into_iter().zip(&query.columns) {
            let candidate = Expr::new(Node::Column { source: 0, field: Field::Value }, column.type_.base);
            let compared = self.compare(Comparison::Equal, item, candidate).map_err(|error| error.at(at))?;
            let Node::Compare { left, right, .. } = compared.node else {
                return Err(SqlError::unsupported("this comparison with a subquery").at(at));
            };
            types.push(right.type_);
            row.push(*left);
        }
        self.retype(&mut query, &types)?;
        Ok(Expr::boolean(Node::InQuery { row, query: Box::new(query), negated }))
    }

    fn between(
        &mut self,
        scope: &Scope<'_>,
        expr: &ast::Expr,
        low: &ast::Expr,
        high: &ast::Expr,
        negated: bool,
    ) -> Result<Expr> {
        let at = self.source.place_between(expr.span().end, low.span().start);
        let symmetric = self.source.has_word_between(expr.span().end, low.span().start, "symmetric");
        let (tested, low, high) = (self.expr(scope, expr)?, self.expr(scope, low)?, self.expr(scope, high)?);
        let common = self.one_comparison_type(&tested, &[&low, &high]);
        if let (true, Some(common)) = (symmetric, common) {
            let compared = [tested, low, high].map(|operand| self.compared_as(operand, common));
            let compared = compared.into_iter().collect::<Result<Vec<_>>>().map_err(|error| error.at(at))?;
            let operands = compared.into_iter().map(|operand| self.sortable(operand));
            let operands: Vec<Expr> = operands.collect();
            let collation = self.collation_of(operands[0].type_);
            let operands = std::iter::once(collation).chain(operands).collect();
            let within = Expr::template("pg_within({*})", operands, Type::BOOL);
            return Ok(if negated { not(within) } else { within });
        }
        if symmetric {
            let (operands, values) = self.bind_once(vec![tested, low, high])?;
            return self.around(values, |binder| {
                let ends = (operands[1].clone(), operands[2].clone());
                let one = binder.between_ends(operands[0].clone(), (ends.0.clone(), ends.1.clone()), at)?;
                let other = binder.between_ends(operands[0].clone(), (ends.1, ends.0), at)?;
                let either = Expr::boolean(Node::Or(Box::new(one), Box::new(other)));
                Ok(if negated { not(either) } else { either })
            });
        }
        if let Some(common) = common {
            let compared = |operand: Expr| {
                let operand = self.compared_as(operand, common).map_err(|error| error.at(at))?;
                Ok::<_, SqlError>(Box::new(self.sortable(operand)))
            };
            let (expr, low, high) = (compared(tested)?, compared(low)?, compared(high)?);
            return Ok(Expr::boolean(Node::Between { expr, low, high, negated }));
        }
        self.once(tested, |binder, tested| {
            let both = binder.between_ends(tested, (low, high), at)?;
            Ok(if negated { not(both) } else { both })
        })
    }

    /// `BETWEEN` as two comparisons, for different types or for rows.
    fn between_ends(&mut self, tested: Expr, (low, high): (Expr, Expr), at: Option<usize>) -> Result<Expr> {
        let above = self.compare(Comparison::GreaterOrEqual, tested.clone(), low);
        let above = above.map_err(|error| error.at(at))?;
        let below = self.compare(Comparison::LessOrEqual, tested, high).map_err(|error| error.at(at))?;
        Ok(Expr::boolean(Node::And(Box::new(above), Box::new(below))))
    }

    fn like(
        &mut self,
        scope: &Scope<'_>,
        operator: &'static str,
        expr: &ast::Expr,
        pattern: &ast::Expr,
        escape: Option<&ast::Expr>,
    ) -> Result<Expr> {
        let at = self.source.place_between(expr.span().end, pattern.span().start);
        let mut operands = vec![self.expr(scope, expr)?, self.expr(scope, pattern)?];
        if let Some(escape) = escape {
            operands.push(self.expr(scope, escape)?);
        }
        let shown = operator;
        let (left, right) = (operands[0].type_, operands[1].type_);
        // In a pattern match, the trailing blanks of a `char` are significant.
        let padded = |operand: Expr| match operand.type_ {
            Type::BPCHAR => Expr { type_: Type::TEXT, ..operand },
            _ => operand,
        };
        let operands = operands.into_iter().map(padded);
        let operands = operands.map(|operand| self.coerce(operand, Type::TEXT.plain(), Context::Implicit));
        let operands: Option<Vec<Expr>> = operands.collect::<Result<_>>()?;
        let operands = operands.ok_or_else(|| self.no_operator(shown, Some(left), right).at(at))?;
        let text = match operator {
            "~~" => "pg_like({*})",
            "!~~" => "(NOT pg_like({*}))",
            "~~*" => "pg_ilike({*})",
            "!~~*" => "(NOT pg_ilike({*}))",
            _ => "pg_similar({*})",
        };
        Ok(Expr::template(text, operands, Type::BOOL).at(at))
    }

    /// `LIKE ANY (…)` and `LIKE ALL (…)`.
    fn like_each(
        &mut self,
        scope: &Scope<'_>,
        symbol: &str,
        expr: &ast::Expr,
        pattern: &ast::Expr,
    ) -> Result<Expr> {
        match all_of(pattern) {
            Some(patterns) => self.quantified(scope, expr, symbol, patterns, true),
            None => self.quantified(scope, expr, symbol, pattern, false),
        }
    }

    fn quantified(
        &mut self,
        scope: &Scope<'_>,
        left: &ast::Expr,
        symbol: &str,
        right: &ast::Expr,
        all: bool,
    ) -> Result<Expr> {
        let at = self.source.place_between(left.span().end, right.span().start);
        let tested = self.expr(scope, left)?;
        let source = self.new_source();
        let (over, candidate) = match right {
            ast::Expr::Subquery(query) => {
                let query = self.subquery(scope, query)?;
                let [column] = &query.columns[..] else {
                    return Err(SqlError::new(SqlState::SYNTAX_ERROR, "subquery has too many columns").at(at));
                };
                let candidate =
                    Expr::new(Node::Column { source, field: Field::Column(1) }, column.type_.base);
                (Candidates::Query(query), candidate)
            }
            array => {
                let mut array = self.expr(scope, array)?;
                if array.type_ == Type::INT2VECTOR {
                    let shorts = Type::INT2.array().unwrap_or(Type::INT2);
                    array = Expr::template("('[' || replace({0},' ',',') || ']')", vec![array], shorts);
                }
                if array.type_ == Type::UNKNOWN {
                    let element = if tested.type_ == Type::UNKNOWN { Type::TEXT } else { tested.type_ };
                    let type_ = self.catalog.base_type(element).array().unwrap_or(Type::TEXT);
                    array = self.implicit(array, type_)?;
                }
                let element = self.catalog.base_type(array.type_).element().ok_or_else(|| {
                    let message = "op ANY/ALL (array) requires array on right side";
                    SqlError::new(SqlState::WRONG_OBJECT_TYPE, message).at(at)
                })?;
                if self.once.without_queries
                    && let Some(items) = array_items(&array, element)
                {
                    return self.each_of(symbol, tested, items, all).map_err(|error| error.at(at));
                }
                (Candidates::Array(array), Expr::new(Node::Column { source, field: Field::Value }, element))
            }
        };
        let comparison = Box::new(self.operation(symbol, tested, candidate).map_err(|error| error.at(at))?);
        Ok(Expr::boolean(Node::Quantified { comparison, source, over: Box::new(over), all }))
    }

    /// A quantified comparison item by item, for where SQLite takes no query.
    fn each_of(&mut self, symbol: &str, tested: Expr, items: Vec<Expr>, all: bool) -> Result<Expr> {
        let mut chain: Option<Expr> = None;
        for item in items {
            self.once.charge(&tested)?;
            let test = Box::new(self.operation(symbol, tested.clone(), item)?);
            chain = Some(match chain {
                None => *test,
                Some(before) if all => Expr::boolean(Node::And(Box::new(before), test)),
                Some(before) => Expr::boolean(Node::Or(Box::new(before), test)),
            });
        }
        Ok(chain.unwrap_or_else(|| Expr::literal(i64::from(all), Type::BOOL)))
    }

    fn case(
        &mut self,
        scope: &Scope<'_>,
        operand: Option<&ast::Expr>,
        conditions: &[ast::CaseWhen],
        otherwise: Option<&ast::Expr>,
    ) -> Result<Expr> {
        let operand = operand.map(|operand| self.expr(scope, operand)).transpose()?;
        let mut tests = Vec::new();
        let mut results = Vec::new();
        for when in conditions {
            let test = self.expr(scope, &when.condition)?;
            tests.push(match operand {
                Some(_) => test,
                None => self.boolean(test, "CASE/WHEN")?,
            });
            results.push(self.expr(scope, &when.result)?);
        }
        let has_else = otherwise.is_some();
        if let Some(otherwise) = otherwise {
            // The type of `ELSE` is considered first, as in PostgreSQL.
            results.insert(0, self.expr(scope, otherwise)?);
        }
        let (mut results, type_) = self.unify(results, "CASE")?;
        let otherwise = has_else.then(|| Box::new(results.remove(0)));
        match operand {
            Some(operand) => self.simple_case(operand, tests, results, otherwise, type_),
            None => {
                let branches = tests.into_iter().zip(results).collect();
                Ok(Expr::new(Node::Case { operand: None, branches, otherwise }, type_))
            }
        }
    }

    /// `CASE x WHEN 1 THEN …`. `x` is computed once.
    fn simple_case(
        &mut self,
        operand: Expr,
        tests: Vec<Expr>,
        results: Vec<Expr>,
        otherwise: Option<Box<Expr>>,
        type_: Type,
    ) -> Result<Expr> {
        if let Some(common) = self.one_comparison_type(&operand, &tests.iter().collect::<Vec<_>>()) {
            let operand = Some(Box::new(self.compared_as(operand, common)?));
            let tests = tests.into_iter().map(|test| self.compared_as(test, common));
            let branches = tests.collect::<Result<Vec<_>>>()?.into_iter().zip(results).collect();
            return Ok(Expr::new(Node::Case { operand, branches, otherwise }, type_));
        }
        self.once(operand, |binder, operand| {
            let tests =
                tests.into_iter().map(|test| binder.compare(Comparison::Equal, operand.clone(), test));
            let branches = tests.collect::<Result<Vec<_>>>()?.into_iter().zip(results).collect();
            Ok(Expr::new(Node::Case { operand: None, branches, otherwise }, type_))
        })
    }

    fn scalar_query(&mut self, scope: &Scope<'_>, query: &ast::Query) -> Result<Expr> {
        let bound = self.subquery(scope, query)?;
        let [column] = &bound.columns[..] else {
            let at = self.place(query.span().start).and_then(|at| at.checked_sub(1));
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, "subquery must return only one column").at(at));
        };
        let type_ = column.type_;
        Ok(Expr { modifier: type_.modifier, ..Expr::new(Node::Scalar(Box::new(bound)), type_.base) })
    }

    fn row(&mut self, scope: &Scope<'_>, items: &[ast::Expr]) -> Result<Expr> {
        let items = items.iter().map(|item| self.expr(scope, item)).collect::<Result<_>>()?;
        Ok(Expr::new(Node::Row(items, Vec::new()), Type::RECORD))
    }

    fn array(&mut self, scope: &Scope<'_>, items: &[ast::Expr]) -> Result<Expr> {
        let items = self.exprs(scope, items)?;
        if items.is_empty() {
            // The array stays untyped. A cast around it determines its type.
            return Ok(Expr::new(Node::Array(items), Type::UNKNOWN));
        }
        let (items, element) = self.unify(items, "ARRAY")?;
        let type_ = if element.element().is_some() { Some(element) } else { element.array() };
        let type_ = type_.ok_or_else(|| {
            let name = self.catalog.type_name(element, -1);
            SqlError::new(
                SqlState::UNDEFINED_OBJECT,
                format!("could not find array type for data type {name}"),
            )
        })?;
        Ok(Expr::new(Node::Array(items), type_))
    }

    fn access(&mut self, scope: &Scope<'_>, root: &ast::Expr, chain: &[AccessExpr]) -> Result<Expr> {
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
            return Err(super::once::too_deep());
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
        for access in chain {
            value = match access {
                AccessExpr::Dot(ast::Expr::Identifier(field)) => self.field(value, &name(field))?,
                AccessExpr::Subscript(Subscript::Index { index }) => {
                    let index = self.expr(scope, index)?;
                    self.subscript(value, index)?
                }
                AccessExpr::Subscript(Subscript::Slice { lower_bound, upper_bound, stride: None }) => {
                    let mut bound = |bound: &Option<ast::Expr>| match bound {
                        Some(bound) => {
                            let bound = self.expr(scope, bound)?;
                            self.implicit(bound, Type::INT4)
                        }
                        None => Ok(Expr::literal(Value::Null, Type::INT4)),
                    };
                    let (lower, upper) = (bound(lower_bound)?, bound(upper_bound)?);
                    let type_ = value.type_;
                    if self.catalog.base_type(type_).element().is_none() {
                        let name = self.catalog.type_name(type_, -1);
                        let message = match type_ {
                            Type::JSONB => "jsonb subscript does not support slices".to_owned(),
                            _ => format!(
                                "cannot subscript type {name} because it does not support subscripting"
                            ),
                        };
                        return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message).at(value.at.0));
                    }
                    Expr::template("pg_slice({0},{1},{2})", vec![value, lower, upper], type_)
                }
                _ => return Err(SqlError::unsupported("this access to a value")),
            };
        }
        Ok(value)
    }

    fn subscript(&mut self, value: Expr, index: Expr) -> Result<Expr> {
        if value.type_ == Type::JSONB {
            return self.operation("->", value, index);
        }
        if let Node::Template { text: "pg_element({0},{1})", operands } = &value.node {
            let index = self.implicit(index, Type::INT4)?;
            let operands = vec![operands[0].clone(), operands[1].clone(), index];
            return Ok(Expr::template("pg_element({0},{1},{2})", operands, value.type_));
        }
        let type_ = self.catalog.base_type(value.type_);
        let element = type_.element().ok_or_else(|| {
            let name = self.catalog.type_name(type_, -1);
            let message = format!("cannot subscript type {name} because it does not support subscripting");
            SqlError::new(SqlState::DATATYPE_MISMATCH, message).at(value.at.0)
        })?;
        let index = self.implicit(index, Type::INT4)?;
        Ok(Expr::template("pg_element({0},{1})", vec![value, index], element))
    }

    /// A field of a row.
    pub(super) fn field(&mut self, value: Expr, field: &str) -> Result<Expr> {
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
        let index = names.iter().position(|name| name == field).ok_or_else(missing)?;
        Ok(items[index].clone())
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
    fn columns_of_record(&self, record: &Expr) -> Option<Vec<(String, Type)>> {
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
                let columns = crate::plpgsql::result_columns(self.catalog, self.called_routine(record)?);
                Some(columns.into_iter().map(|column| (column.name, column.type_.base)).collect())
            }
        }
    }

    fn unary(&mut self, scope: &Scope<'_>, operator: &UnaryOperator, operand: &ast::Expr) -> Result<Expr> {
        // The sign is part of the literal. Otherwise -9223372036854775808 would be out of range.
        if let (
            UnaryOperator::Minus,
            ast::Expr::Value(ValueWithSpan { value: ast::Value::Number(number, _), .. }),
        ) = (operator, operand)
        {
            return number_literal(&format!("-{number}"));
        }
        let bound = self.expr(scope, operand)?;
        let symbol = match operator {
            UnaryOperator::Not => {
                return Ok(Expr::boolean(Node::Not(Box::new(self.boolean(bound, "NOT")?))));
            }
            UnaryOperator::Plus => "+",
            UnaryOperator::Minus => "-",
            UnaryOperator::BitwiseNot => "~",
            UnaryOperator::PGAbs => "@",
            UnaryOperator::PGSquareRoot => "|/",
            UnaryOperator::PGCubeRoot => "||/",
            UnaryOperator::BangNot | UnaryOperator::PGPrefixFactorial => "!!",
            other => return Err(SqlError::unsupported(format!("the operator {other}"))),
        };
        self.prefix_operation(symbol, bound)
    }

    fn binary(
        &mut self,
        scope: &Scope<'_>,
        left: &ast::Expr,
        operator: &BinaryOperator,
        right: &ast::Expr,
    ) -> Result<Expr> {
        let at = self.source.place_between(left.span().end, right.span().start);
        let (left, right) = (self.expr(scope, left)?, self.expr(scope, right)?);
        let symbol = super::operator::symbol(operator)?;
        self.operation(&symbol, left, right).map_err(|error| error.at(at))
    }

    /// Binds a chain of `AND` or `OR` operand by operand, without recursion.
    fn junction(&mut self, scope: &Scope<'_>, expr: &ast::Expr, operator: &BinaryOperator) -> Result<Expr> {
        let mut operands = Vec::new();
        let mut rest = expr;
        while let ast::Expr::BinaryOp { left, op, right } = rest
            && op == operator
        {
            operands.push(&**right);
            rest = left;
        }
        let and = *operator == BinaryOperator::And;
        let word = if and { "AND" } else { "OR" };
        let first = self.expr(scope, rest)?;
        let mut all = self.boolean(first, word)?;
        for operand in operands.into_iter().rev() {
            let next = self.expr(scope, operand)?;
            let (left, right) = (Box::new(all), Box::new(self.boolean(next, word)?));
            all = Expr::boolean(if and { Node::And(left, right) } else { Node::Or(left, right) });
        }
        Ok(all)
    }

    fn interval(&mut self, scope: &Scope<'_>, interval: &ast::Interval) -> Result<Expr> {
        let value = self.expr(scope, &interval.value)?;
        let Node::Untyped(text) = &value.node else {
            return Err(SqlError::unsupported("an interval of an expression"));
        };
        let text = match &interval.leading_field {
            Some(ast::DateTimeField::Day) if interval.last_field.is_some() && text.trim().contains(' ') => {
                let (days, rest) = text.trim().split_once(' ').unwrap_or((text, ""));
                let unit = if rest.contains(':') { "" } else { " hours" };
                format!("{days} days {rest}{unit}")
            }
            Some(unit) if text.trim().parse::<f64>().is_ok() => {
                format!("{text} {}", unit.to_string().to_lowercase())
            }
            _ => text.clone(),
        };
        self.literal(&text, Type::INTERVAL.plain()).map_err(|error| error.at(value.at.0))
    }
}

fn not(condition: Expr) -> Expr {
    Expr::boolean(Node::Not(Box::new(condition)))
}

/// The items of an array that is written out.
fn array_items(array: &Expr, element: Type) -> Option<Vec<Expr>> {
    match &array.node {
        Node::Array(items) if items.iter().all(|item| item.type_.element().is_none()) => Some(items.clone()),
        Node::Literal(Value::Text(text)) => {
            let items = crate::value::array::elements(text);
            let flat = items.iter().all(|item| !item.is_array());
            let literal = |item| Expr::literal(crate::value::array::value(element, item), element);
            flat.then(|| items.iter().map(literal).collect())
        }
        _ => None,
    }
}

/// A hint with the visible columns whose names are similar to an unknown one.
fn near(scope: &Scope<'_>, column: &str) -> Option<String> {
    let mut best: Vec<(usize, String)> = Vec::new();
    let mut level = Some(scope);
    while let Some(scope) = level {
        for table in &scope.tables {
            for known in &table.columns {
                let distance = distance(column, &known.name);
                if distance <= 3 && distance <= known.name.chars().count() / 2 {
                    best.push((distance, format!("{}.{}", table.alias, known.name)));
                }
            }
        }
        level = scope.parent;
    }
    let least = best.iter().map(|(distance, _)| *distance).min()?;
    let mut nearest = best.into_iter().filter(|(distance, _)| *distance == least).map(|(_, name)| name);
    match (nearest.next(), nearest.next(), nearest.next()) {
        (Some(only), None, _) => Some(format!("Perhaps you meant to reference the column \"{only}\".")),
        (Some(first), Some(second), None) => {
            Some(format!("Perhaps you meant to reference the column \"{first}\" or the column \"{second}\"."))
        }
        _ => None,
    }
}

/// The edit distance of two names.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (at, other) in to.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[at + 1];
            row[at + 1] = changed.min(row[at] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

/// The operand of `ALL`, which the parser reads as a function.
fn all_of(pattern: &ast::Expr) -> Option<&ast::Expr> {
    let ast::Expr::Function(function) = pattern else { return None };
    let [only] = source::parts(&function.name)[..] else { return None };
    let ast::FunctionArguments::List(list) = &function.args else { return None };
    match &list.args[..] {
        [ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(array))] if name(only) == "all" => Some(array),
        _ => None,
    }
}

/// A literal without a type.
pub(crate) fn untyped(text: &str) -> Expr {
    Expr::new(Node::Untyped(text.to_owned()), Type::UNKNOWN)
}

/// A number literal. Its type is the smallest of integer, bigint and numeric that can hold it.
fn number_literal(number: &str) -> Result<Expr> {
    if let Ok(value) = number.parse::<i64>() {
        let type_ = if i32::try_from(value).is_ok() { Type::INT4 } else { Type::INT8 };
        return Ok(Expr::literal(value, type_));
    }
    let canonical = numeric::parse(number).ok_or_else(|| {
        SqlError::new(
            SqlState::SYNTAX_ERROR,
            format!("trailing junk after numeric literal at or near \"{number}\""),
        )
    })?;
    Ok(Expr::literal(canonical, Type::NUMERIC))
}

/// PostgreSQL's name for a column without an alias.
pub(crate) fn column_name(expr: &ast::Expr) -> String {
    inferred_name(expr).unwrap_or_else(|| "?column?".to_owned())
}

fn inferred_name(expr: &ast::Expr) -> Option<String> {
    match expr {
        ast::Expr::Identifier(ident) => Some(match name(ident).as_str() {
            "current_timestamp" => "current_timestamp".to_owned(),
            other => other.to_owned(),
        }),
        ast::Expr::CompoundIdentifier(idents) => idents.last().map(name),
        ast::Expr::Nested(inner) | ast::Expr::Collate { expr: inner, .. } => inferred_name(inner),
        ast::Expr::Function(function) => source::parts(&function.name).last().map(|ident| name(ident)),
        ast::Expr::Cast { expr, data_type, .. } => {
            inferred_name(expr).or_else(|| type_column_name(data_type))
        }
        ast::Expr::TypedString(typed) => type_column_name(&typed.data_type),
        ast::Expr::Interval(_) => Some("interval".to_owned()),
        ast::Expr::Case { else_result, .. } => {
            Some(else_result.as_deref().and_then(strong_name).unwrap_or_else(|| "case".to_owned()))
        }
        ast::Expr::Exists { .. } => Some("exists".to_owned()),
        ast::Expr::Subquery(query) => match &*query.body {
            ast::SetExpr::Select(select) => match select.projection.first()? {
                ast::SelectItem::UnnamedExpr(expr) => inferred_name(expr),
                ast::SelectItem::ExprWithAlias { alias, .. } => Some(name(alias)),
                _ => None,
            },
            ast::SetExpr::Values(_) => Some("column1".to_owned()),
            _ => None,
        },
        ast::Expr::Array(_) => Some("array".to_owned()),
        ast::Expr::Tuple(_) => Some("row".to_owned()),
        ast::Expr::CompoundFieldAccess { root, access_chain } => {
            let last = access_chain.iter().rev().find_map(|access| match access {
                AccessExpr::Dot(ast::Expr::Identifier(field)) => Some(name(field)),
                _ => None,
            });
            last.or_else(|| inferred_name(root))
        }
        ast::Expr::Value(ValueWithSpan { value: ast::Value::Boolean(_), .. }) => Some("bool".to_owned()),
        ast::Expr::Extract { .. } => Some("extract".to_owned()),
        ast::Expr::Position { .. } => Some("position".to_owned()),
        ast::Expr::Substring { .. } => Some("substring".to_owned()),
        ast::Expr::Overlay { .. } => Some("overlay".to_owned()),
        ast::Expr::Ceil { .. } => Some("ceil".to_owned()),
        ast::Expr::Floor { .. } => Some("floor".to_owned()),
        ast::Expr::AtTimeZone { .. } => Some("timezone".to_owned()),
        ast::Expr::Trim { trim_where, .. } => Some(
            match trim_where {
                Some(ast::TrimWhereField::Leading) => "ltrim",
                Some(ast::TrimWhereField::Trailing) => "rtrim",
                _ => "btrim",
            }
            .to_owned(),
        ),
        _ => None,
    }
}

/// The name of an expression, unless it is only that of its type.
fn strong_name(expr: &ast::Expr) -> Option<String> {
    match expr {
        ast::Expr::Cast { expr, .. } => strong_name(expr),
        ast::Expr::TypedString(_) | ast::Expr::Interval(_) | ast::Expr::Value(_) => None,
        other => inferred_name(other),
    }
}

fn type_column_name(data_type: &ast::DataType) -> Option<String> {
    let text = data_type.to_string().to_lowercase();
    let base = text.split(['(', '[']).next().unwrap_or(&text).trim();
    match data_type {
        ast::DataType::Custom(name, _) => source::parts(name).last().map(|ident| source::name(ident)),
        ast::DataType::Timestamp(_, ast::TimezoneInfo::WithTimeZone) => Some("timestamptz".to_owned()),
        ast::DataType::Timestamp(..) => {
            Some(if base == "timestamptz" { "timestamptz" } else { "timestamp" }.to_owned())
        }
        _ => {
            let known = Type::named(base).and_then(Type::builtin);
            Some(known.map_or_else(|| base.to_owned(), |builtin| builtin.name.to_owned()))
        }
    }
}
