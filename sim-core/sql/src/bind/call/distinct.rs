//! `DISTINCT` in the calls of aggregates: values are told apart and sorted as they were before they were converted for the call.

use sqlparser::ast;

use crate::bind::{Binder, Clause, Scope};
use crate::error::{Result, SqlError, SqlState};
use crate::functions;
use crate::tree::{Call, Expr, Key, Node, Order};
use crate::types::Type;

/// The aggregates that collect values in an order.
const COLLECT: [&str; 7] = [
    "array_agg",
    "string_agg",
    "json_agg",
    "jsonb_agg",
    functions::collect::ROWS,
    "json_object_agg",
    "jsonb_object_agg",
];

impl Binder<'_> {
    /// Prepares a call with `DISTINCT` whose `ORDER BY` is `order`.
    pub(super) fn distinct_call(
        &mut self,
        scope: &Scope<'_>,
        function: &ast::Function,
        call: &mut Call,
        order: &mut Vec<Order>,
    ) -> Result<()> {
        let called = call.function.name;
        let given = self.arguments_as_given(scope, function, call)?;
        given.iter().try_for_each(|argument| self.require_equality_of_value(argument))?;
        if COLLECT.contains(&called) {
            self.order_distinct(call, &given, order)?;
        }
        match called {
            "json_object_agg" | "jsonb_object_agg" => self.tell_apart_by_keys(call, given),
            "json_agg" | "jsonb_agg" | functions::collect::ROWS => match self.as_json_alike(&given[0]) {
                Some(type_) => call.arguments[0].type_ = type_,
                None => self.tell_apart_by_keys(call, given),
            },
            "array_agg" if self.has_own_key(&given[0]) => self.tell_apart_by_keys(call, given),
            "string_agg" if call.arguments[0].type_ == Type::BYTEA => {
                return Err(SqlError::unsupported("DISTINCT in string_agg of bytes"));
            }
            "string_agg" => {
                let packed = std::mem::take(&mut call.arguments);
                call.arguments = vec![Expr::new(Node::Row(packed, Vec::new()), Type::TEXT)];
                let distinct = functions::overloads(functions::collect::DISTINCT_TEXTS);
                call.function = distinct.first().expect("the table of functions has it");
            }
            _ if call.arguments.len() > 1 => {
                return Err(SqlError::unsupported("DISTINCT in an aggregate of several arguments"));
            }
            "count" => {
                let counted = call.arguments.drain(..).map(|argument| self.key(argument));
                call.arguments = counted.collect();
            }
            _ => {}
        }
        Ok(())
    }

    /// The arguments before they were converted to what the function takes.
    fn arguments_as_given(
        &mut self,
        scope: &Scope<'_>,
        function: &ast::Function,
        call: &Call,
    ) -> Result<Vec<Expr>> {
        let ast::FunctionArguments::List(list) = &function.args else { return Ok(call.arguments.clone()) };
        let written = list.args.iter().map(|argument| match argument {
            ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => Some(expr),
            _ => None,
        });
        let Some(written) =
            written.collect::<Option<Vec<_>>>().filter(|all| all.len() == call.arguments.len())
        else {
            return Ok(call.arguments.clone());
        };
        let before = std::mem::replace(&mut self.clause, Clause::Aggregate);
        let bound = written.into_iter().map(|expr| {
            let bound = self.expr(scope, expr)?;
            self.once.charge(&bound)?;
            self.settle(bound)
        });
        let bound = bound.collect::<Result<Vec<_>>>();
        self.clause = before;
        let keyed = bound?.into_iter().map(|expr| self.keyed(expr));
        Ok(keyed.collect())
    }

    /// Refuses a value without an operator for equality; that of a row is that of its fields.
    fn require_equality_of_value(&self, value: &Expr) -> Result<()> {
        match &value.node {
            Node::Row(items, _) if items.iter().any(|item| self.require_equality_of(item).is_err()) => {
                let name = self.catalog.type_name(value.type_, -1);
                let message = format!("could not identify an equality operator for type {name}");
                Err(SqlError::new(SqlState::UNDEFINED_FUNCTION, message).at(value.at.0))
            }
            Node::Row(..) => Ok(()),
            _ => self.require_equality_of(value),
        }
    }

    /// PostgreSQL sorts the values to find duplicates, so the result is in this order, unless another one is asked for.
    fn order_distinct(&self, call: &Call, given: &[Expr], order: &mut Vec<Order>) -> Result<()> {
        let converted: Vec<Key> =
            call.arguments.iter().map(|argument| Key::Expr(self.sortable(argument.clone()))).collect();
        let mut keys: Vec<Key> = Vec::new();
        if call.function.name == "string_agg" {
            // Texts are told apart and sorted as what the function takes.
            for key in order.iter_mut() {
                let written = |argument: &Expr| Key::Expr(self.sortable(argument.clone())) == key.key;
                if let Some(at) = given.iter().position(written) {
                    key.key = converted[at].clone();
                }
            }
            keys.clone_from(&converted);
        } else {
            keys.extend(given.iter().flat_map(|argument| self.keys_of(argument)));
        }
        if order.is_empty() {
            // With a single key, SQLite would keep the last of several equal values.
            let constant = Key::Expr(Expr::literal(0, Type::INT4));
            let keys = keys.into_iter().chain([constant]);
            order.extend(keys.map(|key| Order { key, descending: false, nulls_first: false }));
            return Ok(());
        }
        keys.extend(converted);
        if order.iter().all(|order| keys.contains(&order.key)) {
            return Ok(());
        }
        let message = "in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list";
        Err(SqlError::new(SqlState::INVALID_COLUMN_REFERENCE, message))
    }

    /// The keys by which a value is sorted: those of a row are its fields.
    fn keys_of(&self, value: &Expr) -> Vec<Key> {
        let key = |value: &Expr| Key::Expr(self.sortable(value.clone()));
        match &value.node {
            Node::Row(items, _) => items.iter().map(key).collect(),
            _ => vec![key(value)],
        }
    }

    /// Lets SQLite tell rows of arguments apart by a key of the values as they were given.
    fn tell_apart_by_keys(&self, call: &mut Call, given: Vec<Expr>) {
        let packed = self.packed(given, std::mem::take(&mut call.arguments));
        call.arguments = vec![packed];
        call.function = functions::collect::distinct(call.function);
    }

    /// The type by which SQLite tells the JSON of a value apart, if equal values have equal JSON by its collation.
    fn as_json_alike(&self, value: &Expr) -> Option<Type> {
        if self.has_own_key(value) {
            return None;
        }
        let type_ = self.catalog.base_type(value.type_);
        match type_ {
            Type::CITEXT => Some(Type::CITEXT),
            Type::NUMERIC | Type::JSONB => Some(Type::JSONB),
            _ if type_.collation().is_some() => None,
            _ if type_.is_string() || type_.is_integer() => Some(Type::TEXT),
            _ => Some(Type::JSONB),
        }
    }
}
