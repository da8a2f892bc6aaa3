//! Frames by a distance that SQLite can't add to a key, such as months: the call is made of the rows of a wider frame, of which it
//! takes those that are in reach.

use rusqlite::types::Value;

use crate::bind::Binder;
use crate::error::{Result, SqlError};
use crate::functions::Kind;
use crate::tree::{
    Body, Call, Comparison, Expr, Field, From, Key, Node, Order, Output, Query, Select, Window,
};
use crate::types::Type;

/// A frame by distances from the row's key.
pub(in crate::bind) struct Apart {
    pub(super) key: Order,
    pub(super) start: Option<Reach>,
    pub(super) end: Option<Reach>,
}

/// The distance of a frame's bound from the row.
pub(super) struct Reach {
    pub(super) distance: Expr,
    pub(super) preceding: bool,
}

impl Binder<'_> {
    /// Makes a call over a window one of the rows of its frame.
    pub(in crate::bind::call) fn in_frame_apart(
        &mut self,
        bound: &mut Expr,
        window: Window,
        apart: Apart,
    ) -> Result<()> {
        let Node::Call(call) = &mut bound.node else { return Ok(()) };
        let picks = matches!(call.function.name, "first_value" | "last_value" | "nth_value");
        if call.function.kind == Kind::Window && !picks {
            // Ranks and the like are about the whole partition.
            call.window = Some(Window { frame: None, ..window });
            return Ok(());
        }
        let Key::Expr(key) = apart.key.key.clone() else { return Ok(()) };
        let mut call = (**call).clone();
        let (collected, item_key) = self.collected(&mut call, &key, window.clone())?;
        let descending = apart.key.descending;
        let mut values = vec![collected, key.clone()];
        let mut bounds = Vec::new();
        for (reach, starts) in [(apart.start, true), (apart.end, false)] {
            let Some(reach) = reach else { continue };
            let symbol = if reach.preceding == descending { "+" } else { "-" };
            let limit = self.operation(symbol, key.clone(), reach.distance)?;
            // A later row's frame neither begins nor ends before that of an earlier row, even where the last days of months meet.
            let furthest = if descending { "min" } else { "max" };
            let mut limit = self.resolve(furthest, vec![limit], true)?.map_err(|_| no_such_limit())?;
            if let Node::Call(limit) = &mut limit.node {
                limit.window = Some(Window { frame: None, ..window.clone() });
            }
            bounds.push((values.len(), limit.type_, starts));
            values.push(limit);
        }
        let source = self.next_let();
        let around = self.begin_around(&values);
        let value = |at: usize, type_: Type| {
            let field = Field::Column(at as u32 + 1);
            Expr::new(Node::Column { source, field }, type_)
        };
        let body = self.of_items(
            (call, bound.type_),
            item_key,
            (value(0, values[0].type_), value(1, key.type_)),
            |binder, item| {
                let tests = bounds.iter().map(|(at, type_, starts)| {
                    let least = *starts != descending;
                    let operator = if least { Comparison::GreaterOrEqual } else { Comparison::LessOrEqual };
                    let near = binder.compare(operator, item.clone(), value(*at, *type_))?;
                    // Nulls are all before or all behind the other rows.
                    let text = match *starts == apart.key.nulls_first {
                        true => "({0} IS NULL OR ({1} IS NOT NULL AND {2}))",
                        false => "({1} IS NULL OR ({0} IS NOT NULL AND {2}))",
                    };
                    Ok(Expr::template(text, vec![value(1, key.type_), item.clone(), near], Type::BOOL))
                });
                tests.collect()
            },
        );
        let whole = self.end_around(around, values, body)?;
        *bound = Expr { at: bound.at, modifier: bound.modifier, ..whole };
        Ok(())
    }

    /// The rows of a window, each with the arguments of a call and then the key. The arguments of `call` become the places of these
    /// items. Also returns the place of the key.
    fn collected(&mut self, call: &mut Call, key: &Expr, window: Window) -> Result<(Expr, usize)> {
        let mut items: Vec<Expr> = call.arguments.clone();
        items.push(key.clone());
        let place = items.len() - 1;
        // A document holds no bytes.
        let items = items.into_iter().map(|item| match item.type_ {
            Type::BYTEA => Expr::template("pg_cast({0},17,25,-1,1)", vec![item], Type::TEXT),
            _ => item,
        });
        let items: Vec<Expr> = items.collect();
        let names = (1..=items.len()).map(|number| format!("f{number}")).collect();
        let row = Expr::new(Node::Row(items, names), Type::RECORD);
        let collected = self.resolve("array_agg", vec![row], true)?;
        let mut collected = collected.map_err(|_| SqlError::unsupported("collecting these arguments"))?;
        if let Node::Call(all) = &mut collected.node {
            (all.filter, all.window) = (call.filter.take(), Some(window));
        }
        Ok((collected, place))
    }

    /// A call of those of the items of an array that pass the tests.
    fn of_items(
        &mut self,
        (mut call, type_): (Call, Type),
        place: usize,
        (array, key): (Expr, Expr),
        tests: impl FnOnce(&mut Self, &Expr) -> Result<Vec<Expr>>,
    ) -> Result<Expr> {
        let source = self.new_source();
        let item = |at: usize, of: &Expr| {
            let node = Node::Column { source, field: Field::Item(at) };
            Expr { modifier: of.modifier, ..Expr::new(node, of.type_) }
        };
        let tests = tests(self, &item(place, &key))?;
        let filter =
            tests.into_iter().reduce(|left, right| Expr::boolean(Node::And(Box::new(left), Box::new(right))));
        for (at, argument) in call.arguments.iter_mut().enumerate() {
            if !matches!(argument.node, Node::Literal(_)) {
                *argument = item(at, argument);
            }
        }
        let (order, offset) =
            if call.function.kind == Kind::Window { picked(&call, source)? } else { (None, None) };
        let limit = order.is_some().then(|| Expr::literal(1, Type::INT8));
        let aggregated = order.is_none();
        let target = match aggregated {
            true => Expr::new(Node::Call(Box::new(call)), type_),
            false => item(0, &call.arguments[0]),
        };
        let columns = vec![Output { name: String::new(), type_: type_.plain() }];
        let from = vec![From::Elements { source, array }];
        let select = Select { targets: vec![target], from, filter, aggregated, ..Select::default() };
        let body = Body::Select(Box::new(select));
        let query =
            Query { ctes: Vec::new(), body, order: order.into_iter().collect(), limit, offset, columns };
        Ok(Expr::new(Node::Scalar(Box::new(query)), type_))
    }
}

/// The order in which the row that a call picks comes first, and the number of the rows before it.
fn picked(call: &Call, source: usize) -> Result<(Option<Order>, Option<Expr>)> {
    let number = Expr::new(Node::Column { source, field: Field::Ordinal }, Type::INT8);
    let descending = call.function.name == "last_value";
    let order = Order { key: Key::Expr(number), descending, nulls_first: false };
    let offset = match call.arguments.get(1).map(|count| &count.node) {
        None => None,
        Some(Node::Literal(Value::Integer(count @ 1..))) => Some(Expr::literal(count - 1, Type::INT8)),
        Some(_) => {
            return Err(SqlError::unsupported("nth_value with this number in a frame by such a distance"));
        }
    };
    Ok((Some(order), offset))
}

fn no_such_limit() -> SqlError {
    SqlError::unsupported("a RANGE frame by distance for this type")
}
