//! Operators that a project has made: calls of their functions.

use super::Binder;
use super::call::Given;
use crate::cast::Context;
use crate::catalog::{Oid, OwnOperator, PG_CATALOG, PUBLIC, quote_identifier};
use crate::error::{Result, SqlError, SqlState};
use crate::tree::Expr;
use crate::types::Type;

/// Operators that compare values of one type.
const COMPARISONS: [&str; 7] = ["=", "<>", "!=", "<", "<=", ">", ">="];

/// Operators that match a text with a pattern.
const MATCHES: [&str; 8] = ["~", "~*", "!~", "!~*", "~~", "~~*", "!~~", "!~~*"];

/// Operators of all arrays, whatever their elements.
const OF_ARRAYS: [&str; 11] = ["=", "<>", "!=", "<", "<=", ">", ">=", "@>", "<@", "&&", "||"];

/// Operators that compare texts by the parts that they share.
const SIMILAR: [&str; 10] = ["%", "<%", "%>", "<<%", "%>>", "<->", "<<->", "<->>", "<<<->", "<->>>"];

impl Binder<'_> {
    /// The operation of an operator of the project's; `None` if none fits. With `exact`, the operands have its types, of which one is
    /// the project's, too: that one comes before those of the system.
    pub(super) fn own_operation(
        &mut self,
        symbol: &str,
        left: Option<&Expr>,
        right: &Expr,
        exact: bool,
    ) -> Result<Option<Expr>> {
        if self.catalog.own_operators().next().is_none() {
            return Ok(None);
        }
        let path = self.search_path();
        self.own_operation_in(&path, symbol, (left, right), exact)
    }

    /// The same, of operators in these schemas.
    fn own_operation_in(
        &mut self,
        schemas: &[Oid],
        symbol: &str,
        (left, right): (Option<&Expr>, &Expr),
        exact: bool,
    ) -> Result<Option<Expr>> {
        let given: Vec<&Expr> = left.into_iter().chain([right]).collect();
        let mut best: Option<(usize, Vec<Type>, Oid)> = None;
        for operator in self.catalog.own_operators().filter(|operator| operator.symbol == symbol) {
            if !schemas.contains(&operator.schema) {
                continue;
            }
            let Some(fit) = self.fit_of(&operator, &given, exact) else { continue };
            if best.as_ref().is_none_or(|(known, ..)| fit > *known) {
                best = Some((fit, operator.types(), operator.function));
            }
        }
        let Some((_, types, function)) = best else { return Ok(None) };
        let catalog = self.catalog;
        let Some(routine) = catalog.routine(function) else { return Ok(None) };
        let mut positional = Vec::new();
        for (operand, type_) in given.into_iter().zip(types) {
            positional.push(self.implicit(operand.clone(), type_)?);
        }
        let given = Given { positional, ..Given::default() };
        self.user_call(Some(catalog.schema_name(routine.schema)), &routine.name, &given)
    }

    /// An operation whose operator is written with its schema.
    pub(super) fn qualified_operation(
        &mut self,
        schema: &str,
        symbol: &str,
        left: Option<Expr>,
        right: Expr,
    ) -> Result<Expr> {
        let Some(oid) = self.catalog.schema_named(schema) else {
            let message = format!("schema \"{schema}\" does not exist");
            return Err(SqlError::new(SqlState::INVALID_SCHEMA, message));
        };
        for exact in [true, false] {
            if let Some(own) = self.own_operation_in(&[oid], symbol, (left.as_ref(), &right), exact)? {
                return Ok(own);
            }
        }
        let types = (left.as_ref().map(|left| left.type_), right.type_);
        let home = self.schema_of_operator(symbol, types);
        let (left, right) = match oid == PG_CATALOG && home != PG_CATALOG {
            true => (left.map(|left| self.as_text(left)).transpose()?, self.as_text(right)?),
            false => (left, right),
        };
        let now = (left.as_ref().map(|left| left.type_), right.type_);
        if self.schema_of_operator(symbol, now) != oid {
            return Err(self.no_operator(&format!("{schema}.{symbol}"), types.0, types.1));
        }
        match left {
            Some(left) => self.operation(symbol, left, right),
            None => self.prefix_operation(symbol, right),
        }
    }

    /// A text without case as a text, which is all that the system's operators know of it.
    fn as_text(&mut self, operand: Expr) -> Result<Expr> {
        match self.catalog.base_type(operand.type_) {
            Type::CITEXT => self.implicit(operand, Type::TEXT),
            _ => Ok(operand),
        }
    }

    /// The schema of the operator between values of these types: of a project's own, of an extension's, or of the system's.
    pub(in crate::bind) fn schema_of_operator(
        &self,
        symbol: &str,
        (left, right): (Option<Type>, Type),
    ) -> Oid {
        let types: Vec<Type> = left.into_iter().chain([right]).collect();
        let known = |operator: &OwnOperator<'_>| operator.symbol == symbol && operator.types() == types;
        if let Some(own) = self.catalog.own_operators().find(known) {
            return own.schema;
        }
        let bases: Vec<Type> = types.iter().map(|type_| self.catalog.base_type(*type_)).collect();
        let text = |type_: &Type| *type_ == Type::UNKNOWN || type_.is_string() && *type_ != Type::CITEXT;
        if bases.contains(&Type::CITEXT) {
            let others = bases.iter().any(|type_| text(type_) && *type_ != Type::UNKNOWN);
            let its = MATCHES.contains(&symbol) || COMPARISONS.contains(&symbol) && !others;
            return self.catalog.extension_of_type(Type::CITEXT).filter(|_| its).unwrap_or(PG_CATALOG);
        }
        for base in &bases {
            if let Some(schema) = self.catalog.extension_of_type(*base) {
                return schema;
            }
            let of_elements = base.element().and_then(|element| self.catalog.extension_of_type(element));
            if let Some(schema) = of_elements.filter(|_| !OF_ARRAYS.contains(&symbol)) {
                return schema;
            }
        }
        if SIMILAR.contains(&symbol) && bases.iter().all(text) {
            let similar = self.catalog.extensions().find(|(_, known)| known.name == "pg_trgm");
            return similar.map_or(PG_CATALOG, |(_, known)| known.schema);
        }
        PG_CATALOG
    }

    /// An operator as definitions show it: with its schema, if this session's path lacks that.
    pub(in crate::bind) fn shown_operator(&self, symbol: &str, types: (Option<Type>, Type)) -> String {
        let schema = self.schema_of_operator(symbol, types);
        let own =
            || self.catalog.own_operators().any(|known| known.symbol == symbol && known.schema == schema);
        let bare = schema == PG_CATALOG
            || if own() {
                self.catalog.leaves_out(schema, &[PUBLIC])
            } else {
                self.catalog.shows_bare(schema)
            };
        match bare {
            true => symbol.to_owned(),
            false => format!("OPERATOR({}.{symbol})", quote_identifier(self.catalog.schema_name(schema))),
        }
    }

    /// How many operands have the operator's own types; `None` if one can't be made one of them.
    fn fit_of(&self, operator: &OwnOperator<'_>, given: &[&Expr], exact: bool) -> Option<usize> {
        let types = operator.types();
        if types.len() != given.len() {
            return None;
        }
        let pairs = || given.iter().zip(&types);
        let same = pairs().filter(|(operand, type_)| operand.type_ == **type_).count();
        if exact {
            let literals = given.iter().filter(|operand| operand.type_ == Type::UNKNOWN).count();
            let own = types.iter().any(|type_| type_.is_user());
            return (own && same > 0 && same + literals == types.len()).then_some(same);
        }
        let implicit =
            |operand: &Expr, type_: Type| self.castable(operand.type_, type_) == Some(Context::Implicit);
        pairs().all(|(operand, type_)| implicit(operand, *type_)).then_some(same)
    }
}
