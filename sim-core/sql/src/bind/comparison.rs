//! Comparisons of values and rows, and the types in which they compare.

use super::Binder;
use super::records::is_constructor;
use crate::cast::{self, Context};
use crate::error::{Result, SqlError, SqlState};
use crate::tree::{Body, Comparison, Expr, Node, Query};
use crate::types::Type;
use crate::value::order::Parts;

/// The comparison of a symbol; `None` for other operators.
pub(super) fn comparison(symbol: &str) -> Option<Comparison> {
    Some(match symbol {
        "=" => Comparison::Equal,
        "<>" | "!=" => Comparison::NotEqual,
        "<" => Comparison::Less,
        "<=" => Comparison::LessOrEqual,
        ">" => Comparison::Greater,
        ">=" => Comparison::GreaterOrEqual,
        _ => return None,
    })
}

impl Binder<'_> {
    /// Binds a comparison.
    pub(crate) fn compare(&mut self, operator: Comparison, left: Expr, right: Expr) -> Result<Expr> {
        if let Some(compared) = self.compare_dissimilar(operator, &left, &right)? {
            return Ok(compared);
        }
        if let (Node::Row(left_items, _), Node::Row(right_items, _)) = (&left.node, &right.node) {
            let (left_items, right_items) = (left_items.clone(), right_items.clone());
            if !is_constructor(&left) || !is_constructor(&right) {
                let compared = self.compare_records(operator, left_items, right_items)?;
                let compared = self.unless_absent(&left, compared);
                return Ok(self.unless_absent(&right, compared));
            }
            let (left, right) = (left_items, right_items);
            return if matches!(operator, Comparison::Equal | Comparison::NotEqual) {
                self.equal_rows(operator, left, right)
            } else {
                self.order_rows(operator, left, right)
            };
        }
        // Figures have operators of their own, by their sizes, and no order.
        if [left.type_, right.type_].into_iter().any(|type_| self.catalog.base_type(type_).is_figure()) {
            return self.resolved_operation(operator.symbol(), left, right);
        }
        let (left, right) = self.comparable(operator, left, right)?;
        Ok(Expr::boolean(Node::Compare { operator, left: Box::new(left), right: Box::new(right) }))
    }

    /// Converts two values, but not rows, to the types in which an operator compares them.
    pub(super) fn comparable(&self, operator: Comparison, left: Expr, right: Expr) -> Result<(Expr, Expr)> {
        let common = self.comparison_type(left.type_, right.type_);
        let common = common.filter(|common| equality(operator) || *common != Type::HSTORE);
        let common =
            common.ok_or_else(|| self.no_operator(operator.symbol(), Some(left.type_), right.type_))?;
        let (left, right) = (self.compared_as(left, common)?, self.compared_as(right, common)?);
        Ok(match equality(operator) {
            true if self.has_own_key(&left) => (self.key(left), self.key(right)),
            true => (left, right),
            false => (self.sortable(left), self.sortable(right)),
        })
    }

    /// The type in which one value is compared with several others; `None` if there is not one such type.
    pub(super) fn one_comparison_type(&self, tested: &Expr, others: &[&Expr]) -> Option<Type> {
        let row = |expr: &Expr| matches!(expr.node, Node::Row(..));
        if row(tested) || others.iter().any(|other| row(other)) {
            return None;
        }
        let mut types = others.iter().map(|other| self.comparison_type(tested.type_, other.type_));
        let first = types.next()??;
        types.all(|type_| type_ == Some(first)).then_some(first)
    }

    /// The collation of a type, or how its parts compare, as an argument of functions.
    pub(super) fn collation_of(&self, type_: Type) -> Expr {
        let parts = self.catalog.parts(type_);
        if parts.need_key() {
            return Expr::literal(parts.written(), Type::TEXT);
        }
        let collation = self.catalog.base_type(type_).collation().unwrap_or_default();
        Expr::literal(collation.to_owned(), Type::TEXT)
    }

    /// Refuses types whose values have no order.
    pub(crate) fn require_order(&self, type_: Type, symbol: &str) -> Result<()> {
        let ordered = self.comparison_type(type_, type_).is_some();
        if ordered { Ok(()) } else { Err(self.no_operator(symbol, Some(type_), type_)) }
    }

    /// Converts an operand for operators across types without an implicit cast, such as between dates and timestamps.
    pub(super) fn compared_as(&self, expr: Expr, to: Type) -> Result<Expr> {
        let at = expr.at.0;
        let context = if expr.type_ == Type::UNKNOWN { Context::Implicit } else { Context::Explicit };
        let from = expr.type_;
        self.coerce(expr, to.plain(), context)?.ok_or_else(|| self.no_operator("=", Some(from), to).at(at))
    }

    fn equal_rows(&mut self, operator: Comparison, left: Vec<Expr>, right: Vec<Expr>) -> Result<Expr> {
        check_lengths(&left, &right)?;
        let mut result: Option<Expr> = None;
        for (left, right) in left.into_iter().zip(right).rev() {
            let same = match (&left.node, &right.node) {
                (Node::Row(lefts, _), Node::Row(rights, _)) => {
                    match self.compare_fields(operator, &left, &right)? {
                        Some(compared) => compared,
                        None => self.compare_records(operator, lefts.clone(), rights.clone())?,
                    }
                }
                _ => self.compare(operator, left, right)?,
            };
            result = Some(match (operator, result) {
                (_, None) => same,
                (Comparison::Equal, Some(rest)) => Expr::boolean(Node::And(Box::new(same), Box::new(rest))),
                (_, Some(rest)) => Expr::boolean(Node::Or(Box::new(same), Box::new(rest))),
            });
        }
        result.ok_or_else(no_items)
    }

    fn order_rows(&mut self, operator: Comparison, left: Vec<Expr>, right: Vec<Expr>) -> Result<Expr> {
        let (mut lefts, mut rights) = (Vec::new(), Vec::new());
        self.order_items(operator, left, right, (&mut lefts, &mut rights))?;
        if lefts.is_empty() {
            return Err(no_items());
        }
        Ok(Expr::boolean(Node::CompareRows { operator, left: lefts, right: rights }))
    }

    /// The items of two rows in the order of comparison, including those of nested rows.
    fn order_items(
        &self,
        operator: Comparison,
        left: Vec<Expr>,
        right: Vec<Expr>,
        items: (&mut Vec<Expr>, &mut Vec<Expr>),
    ) -> Result<()> {
        check_lengths(&left, &right)?;
        for (left, right) in left.into_iter().zip(right) {
            match (left.node, right.node) {
                (Node::Row(left, _), Node::Row(right, _)) => {
                    self.order_items(operator, left, right, (&mut *items.0, &mut *items.1))?;
                }
                (a, b) => {
                    let (left, right) = (Expr { node: a, ..left }, Expr { node: b, ..right });
                    let (left, right) = self.comparable(operator, left, right)?;
                    items.0.push(left);
                    items.1.push(right);
                }
            }
        }
        Ok(())
    }

    /// An expression for sorting rows. Labels of an enum are sorted by their order.
    pub(crate) fn sortable(&self, expr: Expr) -> Expr {
        match self.catalog.labels(self.catalog.base_type(expr.type_)) {
            Some(labels) => {
                let labels = labels.to_vec();
                Expr::new(Node::Rank { expr: Box::new(expr), labels }, Type::INT4)
            }
            None => {
                let parts = self.parts_of(&expr);
                self.catalog.key_by(parts, expr)
            }
        }
    }

    /// A key by which values are told apart; nothing else may be asked for the values.
    pub(crate) fn key(&self, expr: Expr) -> Expr {
        let parts = self.parts_of(&expr).told_apart();
        self.catalog.key_by(parts, expr)
    }

    /// Whether values are only told apart by keys.
    pub(crate) fn has_own_key(&self, expr: &Expr) -> bool {
        self.parts_of(expr).told_apart().need_key()
    }

    /// Values in one, which is equal to another one if the keys of `told_apart` are.
    pub(crate) fn packed(&self, told_apart: Vec<Expr>, mut values: Vec<Expr>) -> Expr {
        let key = self.key(Expr::new(Node::Row(told_apart, Vec::new()), Type::RECORD));
        let text = match values.len() {
            1 => PACKED[0],
            _ => PACKED[1],
        };
        values.insert(0, key);
        Expr::template(text, values, Type::RECORD)
    }

    /// How values compare. The fields of a row that is written out have known types.
    fn parts_of(&self, expr: &Expr) -> Parts {
        match &expr.node {
            Node::Row(items, _) => Parts::Row(items.iter().map(|item| self.parts_of(item)).collect()),
            Node::Array(items) if expr.type_.element() == Some(Type::RECORD) => {
                Parts::Each(Box::new(items.first().map_or(Parts::Plain, |item| self.parts_of(item))))
            }
            _ => self.catalog.parts(expr.type_),
        }
    }

    /// A key by which rows are told apart or sorted: the values of a domain are compared as those of the type under it.
    pub(crate) fn keyed(&self, expr: Expr) -> Expr {
        Expr { type_: self.catalog.base_type(expr.type_), ..expr }
    }

    /// The columns of a query by which its rows are told apart. Their names and types for those who read the query stay outside.
    pub(crate) fn key_columns(&self, query: &mut Query) {
        match &mut query.body {
            Body::Select(select) => {
                for target in &mut select.targets {
                    target.type_ = self.catalog.base_type(target.type_);
                }
            }
            Body::Set { left, right, .. } => {
                self.key_columns(left);
                self.key_columns(right);
            }
            Body::Values(_) => {}
        }
        for column in &mut query.columns {
            column.type_.base = self.catalog.base_type(column.type_.base);
        }
    }

    /// Whether values of a type can be compared by `=`.
    pub(crate) fn is_comparable(&self, type_: Type) -> bool {
        let type_ = self.catalog.base_type(type_);
        let type_ = type_.element().unwrap_or(type_);
        !matches!(type_, Type::JSON | Type::XML | Type::JSONPATH) && !type_.is_figure()
    }

    /// The type in which two values are compared.
    pub(super) fn comparison_type(&self, left: Type, right: Type) -> Option<Type> {
        let (left, right) = (self.catalog.operand_type(left), self.catalog.operand_type(right));
        let day = |type_: Type| match type_ {
            Type::DATE => Some(1),
            Type::TIMESTAMP => Some(2),
            Type::TIMESTAMPTZ => Some(3),
            _ => None,
        };
        let oid = |type_: Type| type_ == Type::OID || type_.is_reg() || type_.is_integer();
        let found = match (left, right) {
            (Type::UNKNOWN, Type::UNKNOWN) => Type::TEXT,
            (Type::UNKNOWN, known) | (known, Type::UNKNOWN) => known,
            (left, right) if left == right => left,
            (left, right) => match (cast::number_rank(left), cast::number_rank(right), day(left), day(right))
            {
                (Some(a), Some(b), _, _) => {
                    if a.max(b) >= 5 {
                        Type::FLOAT8
                    } else if a > b {
                        left
                    } else {
                        right
                    }
                }
                (_, _, Some(a), Some(b)) => {
                    if a > b {
                        left
                    } else {
                        right
                    }
                }
                _ if oid(left) && oid(right) => Type::OID,
                _ if left == Type::CITEXT && right.is_string()
                    || right == Type::CITEXT && left.is_string() =>
                {
                    if left == Type::CITEXT && right == Type::CITEXT { Type::CITEXT } else { Type::TEXT }
                }
                _ if left.is_string() && right.is_string() => {
                    let fixed = left == Type::BPCHAR || right == Type::BPCHAR;
                    if fixed && left != Type::TEXT && right != Type::TEXT { Type::BPCHAR } else { Type::TEXT }
                }
                _ if left == Type::TIME && [Type::INTERVAL, Type::TIMETZ].contains(&right) => right,
                _ if right == Type::TIME && [Type::INTERVAL, Type::TIMETZ].contains(&left) => left,
                _ if left.category() == 'I' && right.category() == 'I' => Type::INET,
                _ if (left == Type::RECORD) != (right == Type::RECORD)
                    && (self.catalog.attributes(left).is_some()
                        || self.catalog.attributes(right).is_some()) =>
                {
                    Type::RECORD
                }
                _ => return None,
            },
        };
        self.is_comparable(found).then_some(found)
    }
}

/// One value or two, with a key: the name of a member is the collation by which it compares, and only the first one is compared.
const PACKED: [&str; 2] = [
    "json_array(json_object('pg_array', {0} || '', '~', json_array({1} || '')))",
    "json_array(json_object('pg_array', {0} || '', '~', json_array({1} || '', {2} || '')))",
];

/// Whether values need no order for the comparison.
fn equality(operator: Comparison) -> bool {
    matches!(operator, Comparison::Equal | Comparison::NotEqual)
}

pub(super) fn check_lengths(left: &[Expr], right: &[Expr]) -> Result<()> {
    if left.len() == right.len() {
        return Ok(());
    }
    Err(SqlError::new(SqlState::SYNTAX_ERROR, "unequal number of entries in row expressions"))
}

fn no_items() -> SqlError {
    SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, "cannot compare rows of zero length")
}
