//! A bound query: every name is resolved, and every expression has a type. It has everything that the printer needs, without the
//! original text.

mod constants;
mod replace;

use rusqlite::types::Value;

use super::functions::{Function, Kind};
use super::types::{Modified, Type};

/// The first number of the sources of a [`Node::Let`], which have no rows of tables.
pub(crate) const LETS: usize = 2_000_000;

/// An expression and its type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Expr {
    pub(crate) node: Node,
    pub(crate) type_: Type,
    pub(crate) modifier: i32,
    /// Its place in the text.
    pub(crate) at: At,
}

/// A place in the text. It does not count when expressions are compared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct At(pub(crate) Option<usize>);

impl PartialEq for At {
    fn eq(&self, _: &At) -> bool {
        true
    }
}

/// An operation. Its operands already have the types that it needs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    /// A value in its SQLite representation.
    Literal(Value),
    /// A literal without a type so far.
    Untyped(String),
    /// A column of a source.
    Column {
        source: usize,
        field: Field,
    },
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    Compare {
        operator: Comparison,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    IsNull {
        expr: Box<Expr>,
        negated: bool,
    },
    IsDistinct {
        left: Box<Expr>,
        right: Box<Expr>,
        negated: bool,
    },
    /// `IS TRUE` and `IS FALSE`.
    Is {
        expr: Box<Expr>,
        value: bool,
        negated: bool,
    },
    In {
        expr: Box<Expr>,
        list: Vec<Expr>,
        negated: bool,
    },
    InQuery {
        row: Vec<Expr>,
        query: Box<Query>,
        negated: bool,
    },
    /// `x op ANY (…)`. The comparison uses a column of `source` for the candidates.
    Quantified {
        comparison: Box<Expr>,
        source: usize,
        over: Box<Candidates>,
        all: bool,
    },
    Exists {
        query: Box<Query>,
        negated: bool,
    },
    Scalar(Box<Query>),
    ArrayQuery(Box<Query>),
    /// `x BETWEEN low AND high`.
    Between {
        expr: Box<Expr>,
        low: Box<Expr>,
        high: Box<Expr>,
        negated: bool,
    },
    /// Compares rows by their first items that differ.
    CompareRows {
        operator: Comparison,
        left: Vec<Expr>,
        right: Vec<Expr>,
    },
    /// `CASE`. With an operand, its branches have values instead of conditions.
    Case {
        operand: Option<Box<Expr>>,
        branches: Vec<(Expr, Expr)>,
        otherwise: Option<Box<Expr>>,
    },
    Coalesce(Vec<Expr>),
    /// Converts the operand to another type.
    Cast {
        expr: Box<Expr>,
        explicit: bool,
    },
    Call(Box<Call>),
    Array(Vec<Expr>),
    /// A row of values, with names if there are any. Its type is `record` or a composite type.
    Row(Vec<Expr>, Vec<String>),
    /// The value of a JSON object for a key; null for other keys.
    Lookup {
        map: String,
        key: Box<Expr>,
    },
    /// SQLite's SQL, where `{0}` stands for the first operand, and so on.
    Template {
        text: &'static str,
        operands: Vec<Expr>,
    },
    /// `body`, where the columns of `source` stand for `values`, each computed once.
    Let {
        source: usize,
        values: Vec<Expr>,
        body: Box<Expr>,
    },
    /// The position of an enum's label.
    Rank {
        expr: Box<Expr>,
        labels: Vec<String>,
    },
    /// A key that compares as a row or an array whose parts compare by their own types.
    Key {
        expr: Box<Expr>,
        parts: String,
    },
}

/// The values for `ANY` and `ALL`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Candidates {
    Array(Expr),
    Query(Query),
}

/// A column of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// `c7`
    Column(u32),
    /// The element of an unnested array.
    Value,
    /// An item of a row in an unnested array of rows.
    Item(usize),
    /// The number of an element, from 1.
    Ordinal,
    /// SQLite's number of the row.
    Row,
}

/// The operator of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A call of a function in the table.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) function: &'static Function,
    pub(crate) arguments: Vec<Expr>,
    pub(crate) distinct: bool,
    pub(crate) order: Vec<Order>,
    pub(crate) filter: Option<Expr>,
    pub(crate) window: Option<Window>,
}

impl PartialEq for Call {
    fn eq(&self, other: &Call) -> bool {
        std::ptr::eq(self.function, other.function)
            && !self.function.volatile
            && (&self.arguments, self.distinct, &self.order, &self.filter, &self.window)
                == (&other.arguments, other.distinct, &other.order, &other.filter, &other.window)
    }
}

/// The window of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Window {
    pub(crate) partition: Vec<Expr>,
    pub(crate) order: Vec<Order>,
    /// The frame, as written in the query.
    pub(crate) frame: Option<String>,
}

/// A sort key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Order {
    pub(crate) key: Key,
    pub(crate) descending: bool,
    pub(crate) nulls_first: bool,
}

/// A sort key's value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Key {
    /// An output column, counted from zero, and its type.
    Output(usize, Type),
    Expr(Expr),
}

/// A query with its output columns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Query {
    pub(crate) ctes: Vec<Cte>,
    pub(crate) body: Body,
    pub(crate) order: Vec<Order>,
    pub(crate) limit: Option<Expr>,
    pub(crate) offset: Option<Expr>,
    pub(crate) columns: Vec<Output>,
}

impl Query {
    /// A query that is only a body.
    pub(crate) fn plain(body: Body, columns: Vec<Output>) -> Query {
        Query { ctes: Vec::new(), body, order: Vec::new(), limit: None, offset: None, columns }
    }
}

/// An output column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Output {
    pub(crate) name: String,
    pub(crate) type_: Modified,
}

/// A common table expression, whose name is made from `source`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cte {
    pub(crate) source: usize,
    pub(crate) recursive: bool,
    pub(crate) materialized: Option<bool>,
    pub(crate) query: Query,
}

/// The body of a query, which returns its rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Body {
    Select(Box<Select>),
    Set { operator: SetOperator, all: bool, left: Box<Query>, right: Box<Query> },
    Values(Vec<Vec<Expr>>),
}

impl Body {
    /// Whether it is `EXCEPT ALL` or `INTERSECT ALL`, which count rows that are equal.
    pub(crate) fn counts_rows(&self) -> bool {
        matches!(self, Body::Set { operator: SetOperator::Except | SetOperator::Intersect, all: true, .. })
    }

    /// The place in the text of each column: where the first of its queries has it. A row of `VALUES` has none.
    pub(crate) fn places(&self) -> Vec<Option<usize>> {
        match self {
            Body::Select(select) => select.targets.iter().map(|target| target.at.0).collect(),
            Body::Set { left, .. } => left.body.places(),
            Body::Values(rows) => vec![None; rows.first().map_or(0, Vec::len)],
        }
    }
}

/// `UNION`, `INTERSECT`, `EXCEPT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SetOperator {
    Union,
    Intersect,
    Except,
}

/// A `SELECT`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Select {
    pub(crate) distinct: bool,
    pub(crate) distinct_on: Vec<Expr>,
    pub(crate) targets: Vec<Expr>,
    pub(crate) from: Vec<From>,
    pub(crate) filter: Option<Expr>,
    pub(crate) group: Vec<Expr>,
    /// Whether all rows are one group, because there are aggregates and no `GROUP BY`.
    pub(crate) aggregated: bool,
    pub(crate) having: Option<Expr>,
}

/// A source of rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum From {
    /// A stored relation, by its name in SQLite.
    Table {
        source: usize,
        name: String,
    },
    Query {
        source: usize,
        query: Box<Query>,
        lateral: bool,
    },
    /// A common table expression or a system relation, by name.
    Named {
        source: usize,
        name: String,
    },
    /// A JSON array, element by element.
    Elements {
        source: usize,
        array: Expr,
    },
    Join {
        left: Box<From>,
        right: Box<From>,
        kind: JoinKind,
        on: Option<Expr>,
    },
}

/// The kind of a join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JoinKind {
    Inner,
    Left,
    Right,
    Full,
    Cross,
}

impl Expr {
    pub(crate) fn new(node: Node, type_: Type) -> Expr {
        Expr { node, type_, modifier: -1, at: At(None) }
    }

    pub(crate) fn boolean(node: Node) -> Expr {
        Expr::new(node, Type::BOOL)
    }

    pub(crate) fn literal(value: impl Into<Value>, type_: Type) -> Expr {
        Expr::new(Node::Literal(value.into()), type_)
    }

    pub(crate) fn null() -> Expr {
        Expr::new(Node::Literal(Value::Null), Type::UNKNOWN)
    }

    pub(crate) fn template(text: &'static str, operands: Vec<Expr>, type_: Type) -> Expr {
        Expr::new(Node::Template { text, operands }, type_)
    }

    pub(crate) fn at(mut self, at: Option<usize>) -> Expr {
        self.at = At(at.or(self.at.0));
        self
    }

    /// The same value as one of another type with the same representation: that of a domain, or the one under it.
    pub(crate) fn known_as(self, type_: Type) -> Expr {
        let at = self.at;
        // A cast converts to the type of its node.
        let own = matches!(self.node, Node::Cast { .. }) && self.type_ != type_;
        let held = if own { Expr::template("{0}", vec![self], type_) } else { self };
        Expr { type_, modifier: -1, at, ..held }
    }

    pub(crate) fn is_null_literal(&self) -> bool {
        matches!(self.node, Node::Literal(Value::Null))
    }

    /// Whether it is a column or a literal, which can be copied without cost.
    pub(crate) fn is_cheap(&self) -> bool {
        let leaf = |expr: &Expr| match &expr.node {
            Node::Column { .. } | Node::Literal(_) | Node::Untyped(_) => true,
            Node::Template { text, operands } => operands.is_empty() || *text == super::plpgsql::PARAMETER,
            _ => false,
        };
        leaf(self) || matches!(&self.node, Node::Cast { expr, .. } if leaf(expr))
    }

    /// Whether it has an aggregate or a window function of its own query. A query inside of that query could not compute it.
    pub(crate) fn is_of_many_rows(&self) -> bool {
        self.any(&mut |expr| match &expr.node {
            Node::Call(call) => call.window.is_some() || call.function.kind != Kind::Scalar,
            _ => false,
        })
    }

    /// Whether it depends on the session, without regard to its operands.
    pub(crate) fn is_volatile(&self) -> bool {
        let asks = |text: &str| text.contains("{now}") || text.contains("{today}");
        let asks = match &self.node {
            Node::Call(call) => {
                matches!(call.function.form, super::functions::Form::Template(text) if asks(text))
            }
            Node::Template { text, .. } => asks(text),
            _ => false,
        };
        asks || self.is_drawn()
    }

    /// Whether it may have another value each time, also within a statement.
    pub(crate) fn is_drawn(&self) -> bool {
        match &self.node {
            Node::Call(call) => call.function.volatile,
            Node::Template { text, .. } => {
                ["pg_call(", "pg_nextval(", "pg_setval("].iter().any(|call| text.starts_with(call))
            }
            _ => false,
        }
    }

    /// Whether it or any part may have another value each time, also in its queries.
    pub(crate) fn draws(&self) -> bool {
        let mut found = false;
        self.clone().replace(&mut |part| {
            found |= part.is_drawn();
            found
        });
        found
    }

    /// Its operands, without queries.
    pub(crate) fn operands(&self) -> Vec<&Expr> {
        match &self.node {
            Node::Literal(_)
            | Node::Untyped(_)
            | Node::Column { .. }
            | Node::Exists { .. }
            | Node::Scalar(_)
            | Node::ArrayQuery(_) => Vec::new(),
            Node::And(left, right)
            | Node::Or(left, right)
            | Node::Compare { left, right, .. }
            | Node::IsDistinct { left, right, .. } => vec![left, right],
            Node::Between { expr, low, high, .. } => vec![expr, low, high],
            Node::CompareRows { left, right, .. } => left.iter().chain(right).collect(),
            Node::Let { values, body, .. } => values.iter().chain([&**body]).collect(),
            Node::Not(expr)
            | Node::IsNull { expr, .. }
            | Node::Is { expr, .. }
            | Node::Cast { expr, .. }
            | Node::Rank { expr, .. }
            | Node::Key { expr, .. }
            | Node::Lookup { key: expr, .. } => vec![expr],
            Node::In { expr, list, .. } => std::iter::once(&**expr).chain(list).collect(),
            Node::InQuery { row, .. } => row.iter().collect(),
            Node::Quantified { comparison, over, .. } => match &**over {
                Candidates::Array(array) => vec![comparison, array],
                Candidates::Query(_) => vec![comparison],
            },
            Node::Case { operand, branches, otherwise } => {
                let branches = branches.iter().flat_map(|(condition, result)| [condition, result]);
                operand.as_deref().into_iter().chain(branches).chain(otherwise.as_deref()).collect()
            }
            Node::Coalesce(operands)
            | Node::Array(operands)
            | Node::Row(operands, _)
            | Node::Template { operands, .. } => operands.iter().collect(),
            Node::Call(call) => call.operands(),
        }
    }

    /// The queries that it reads itself.
    pub(crate) fn queries(&self) -> Vec<&Query> {
        match &self.node {
            Node::Exists { query, .. }
            | Node::Scalar(query)
            | Node::ArrayQuery(query)
            | Node::InQuery { query, .. } => vec![query],
            Node::Quantified { over, .. } => match &**over {
                Candidates::Query(query) => vec![query],
                Candidates::Array(_) => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// Whether `found` is true for it or for any operand, without queries.
    pub(crate) fn any(&self, found: &mut dyn FnMut(&Expr) -> bool) -> bool {
        found(self) || self.operands().into_iter().any(|operand| operand.any(found))
    }
}

impl Call {
    pub(crate) fn plain(function: &'static Function, arguments: Vec<Expr>) -> Call {
        Call { function, arguments, distinct: false, order: Vec::new(), filter: None, window: None }
    }

    /// What `array_agg` collects. With `DISTINCT` it may be packed with a key.
    pub(crate) fn collected(&mut self) -> Option<&mut Expr> {
        let [argument] = &mut self.arguments[..] else { return None };
        match self.function.name {
            "array_agg" => Some(argument),
            "array_agg distinct" => match &mut argument.node {
                Node::Template { operands, .. } => operands.get_mut(1),
                _ => None,
            },
            _ => None,
        }
    }

    fn operands(&self) -> Vec<&Expr> {
        let window = self.window.iter();
        let sorted = self.order.iter().chain(window.clone().flat_map(|window| &window.order));
        let keys = sorted.filter_map(|order| match &order.key {
            Key::Expr(expr) => Some(expr),
            Key::Output(..) => None,
        });
        let partitions = window.flat_map(|window| &window.partition);
        self.arguments.iter().chain(&self.filter).chain(partitions).chain(keys).collect()
    }
}
