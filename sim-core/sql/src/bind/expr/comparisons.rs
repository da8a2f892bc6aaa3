//! Comparisons: `is`, `in`, `between`, `like`, `any` and `all`.

use rusqlite::types::Value;
use sqlparser::ast::{self, Spanned as _};

use super::not;
use crate::bind::{Binder, Scope};
use crate::cast::Context;
use crate::error::{Result, SqlError, SqlState};
use crate::source::{self, name};
use crate::tree::{Body, Candidates, Comparison, Expr, Field, From, Node, Output, Query, Select};
use crate::types::Type;

/// The operators that match a text with a pattern.
const PATTERNS: &[&str] = &["~~", "!~~", "~~*", "!~~*", "~", "!~", "~*", "!~*"];

/// A text to match with a pattern, where the trailing blanks of a `char` are significant.
fn padded(text: Expr) -> Expr {
    match text.type_ {
        Type::BPCHAR => Expr { type_: Type::TEXT, ..text },
        _ => text,
    }
}

/// Whether a row is null as a whole.
fn absent(row: Expr) -> Expr {
    match row.node {
        Node::Row(..) => Expr::literal(0, Type::BOOL),
        _ => Expr::boolean(Node::IsNull { expr: Box::new(row), negated: false }),
    }
}

impl Binder<'_> {
    pub(super) fn is_null(&mut self, scope: &Scope<'_>, inner: &ast::Expr, negated: bool) -> Result<Expr> {
        let inner = self.expr(scope, inner)?;
        if let Node::Row(items, _) = inner.node {
            let tests =
                items.into_iter().map(|item| Expr::boolean(Node::IsNull { expr: Box::new(item), negated }));
            let all = tests.reduce(|all, test| Expr::boolean(Node::And(Box::new(all), Box::new(test))));
            return Ok(all.unwrap_or_else(|| Expr::literal(1, Type::BOOL)));
        }
        if self.catalog.attributes(inner.type_).is_none_or(|attributes| attributes.is_empty()) {
            return Ok(Expr::boolean(Node::IsNull { expr: Box::new(inner), negated }));
        }
        // A row is null if all its columns are, and not null if none of them is.
        self.once(inner, |binder, row| {
            let (_, items) = binder.row_items(&row).unwrap_or_default();
            let tests =
                items.into_iter().map(|item| Expr::boolean(Node::IsNull { expr: Box::new(item), negated }));
            let all = tests.reduce(|all, test| Expr::boolean(Node::And(Box::new(all), Box::new(test))));
            Ok(all.unwrap_or_else(|| Expr::literal(1, Type::BOOL)))
        })
    }

    pub(super) fn is(
        &mut self,
        scope: &Scope<'_>,
        inner: &ast::Expr,
        value: bool,
        negated: bool,
    ) -> Result<Expr> {
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

    pub(super) fn is_unknown(&mut self, scope: &Scope<'_>, inner: &ast::Expr, negated: bool) -> Result<Expr> {
        let inner = self.expr(scope, inner)?;
        let what = if negated { "IS NOT UNKNOWN" } else { "IS UNKNOWN" };
        let expr = Box::new(self.boolean(inner, what)?);
        Ok(Expr::boolean(Node::IsNull { expr, negated }))
    }

    pub(super) fn is_distinct(
        &mut self,
        scope: &Scope<'_>,
        left: &ast::Expr,
        right: &ast::Expr,
        negated: bool,
    ) -> Result<Expr> {
        let at = self.source.place_between(left.span().end, right.span().start);
        let (left, right) = (self.expr(scope, left)?, self.expr(scope, right)?);
        if let Some(same) = self.compare_dissimilar(Comparison::Equal, &left, &right)? {
            return Ok(self.distinct_or_failed(same, left, right, negated));
        }
        if let (Some((_, items)), Some((_, others))) = (self.row_items(&left), self.row_items(&right))
            && items.len() == others.len()
        {
            let items = self.rows_distinct(items, others, negated).map_err(|error| error.at(at))?;
            // A stored row that is null as a whole differs from one whose items are.
            if matches!((&left.node, &right.node), (Node::Row(..), Node::Row(..))) {
                return Ok(items);
            }
            let (left, right) = (Box::new(absent(left)), Box::new(absent(right)));
            let absences = Expr::boolean(Node::IsDistinct { left, right, negated });
            let (absences, items) = (Box::new(absences), Box::new(items));
            return Ok(Expr::boolean(match negated {
                true => Node::And(absences, items),
                false => Node::Or(absences, items),
            }));
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

    /// Whether rows differ, one of which may be null. Of two others `same` says that they do, or fails.
    fn distinct_or_failed(&self, same: Expr, left: Expr, right: Expr, negated: bool) -> Expr {
        let distinct = match negated {
            true => same,
            false => not(same),
        };
        let (left, right) = (Box::new(absent(left)), Box::new(absent(right)));
        let absences = Expr::boolean(Node::IsDistinct { left, right, negated });
        Expr::boolean(Node::Coalesce(vec![distinct, absences]))
    }

    /// Whether two rows differ in an item; with `negated` whether they do not.
    pub(super) fn rows_distinct(&mut self, left: Vec<Expr>, right: Vec<Expr>, negated: bool) -> Result<Expr> {
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

    pub(super) fn in_list(
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
        self.refuse_set_of(&tested, "IN")?;
        let items = self.exprs(scope, list)?;
        let mut types = vec![tested.type_];
        types.extend(items.iter().map(|item| item.type_));
        let plain = !matches!(tested.node, Node::Row(..))
            && !items.iter().any(|item| matches!(item.node, Node::Row(..)));
        if plain
            && let Ok(common) = self.common_type(&types, "IN")
            && self.is_comparable(common)
            && (common.element().is_none() || types.iter().all(|type_| *type_ == common))
        {
            let key = |expr: Expr| Ok(self.key(self.implicit(expr, common)?));
            let expr = Box::new(key(tested)?);
            let list = items.into_iter().map(key).collect::<Result<_>>()?;
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

    pub(super) fn in_query(
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
        if items.iter().any(|item| self.has_own_key(item)) {
            let source = self.new_source();
            let columns = (1..).zip(&query.columns).map(|(number, column)| {
                Expr::new(Node::Column { source, field: Field::Column(number) }, column.type_.base)
            });
            let mut all: Option<Expr> = None;
            for (item, column) in items.into_iter().zip(columns.collect::<Vec<_>>()) {
                let same = self.compare(Comparison::Equal, item, column).map_err(|error| error.at(at))?;
                all = Some(match all {
                    Some(all) => Expr::boolean(Node::And(Box::new(all), Box::new(same))),
                    None => same,
                });
            }
            let comparison = Box::new(all.unwrap_or_else(|| Expr::literal(1, Type::BOOL)));
            let over = Box::new(Candidates::Query(query));
            let found = Expr::boolean(Node::Quantified { comparison, source, over, all: false });
            return Ok(if negated { not(found) } else { found });
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

    /// A row compared with the one row of a query; null if the query has none.
    pub(super) fn row_with_query(
        &mut self,
        scope: &Scope<'_>,
        row: Expr,
        symbol: &str,
        query: &ast::Query,
    ) -> Result<Expr> {
        let query = self.subquery(scope, query)?;
        let width = row.operands().len();
        if width != query.columns.len() {
            let few = if width > query.columns.len() { "few" } else { "many" };
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, format!("subquery has too {few} columns")));
        }
        let source = self.new_source();
        let column = |(number, column): (u32, &Output)| {
            let node = Node::Column { source, field: Field::Column(number) };
            Expr { modifier: column.type_.modifier, ..Expr::new(node, column.type_.base) }
        };
        let columns = (1..).zip(&query.columns).map(column).collect();
        let columns = Expr::new(Node::Row(columns, Vec::new()), Type::RECORD);
        let compared = self.operation(symbol, row, columns)?;
        let from = vec![From::Query { source, query: Box::new(query), lateral: false }];
        let title = Output { name: "?column?".to_owned(), type_: compared.type_.plain() };
        let type_ = compared.type_;
        let body = Body::Select(Box::new(Select { targets: vec![compared], from, ..Select::default() }));
        let one = Query {
            ctes: Vec::new(),
            body,
            order: Vec::new(),
            limit: None,
            offset: None,
            columns: vec![title],
        };
        Ok(Expr::new(Node::Scalar(Box::new(one)), type_))
    }

    /// Whether the bounds of `BETWEEN` are written as `SYMMETRIC`, which the parser does not tell.
    pub(in crate::bind) fn is_symmetric(&self, expr: &ast::Expr, low: &ast::Expr) -> bool {
        self.source.has_word_between(expr.span().end, low.span().start, "symmetric")
    }

    pub(super) fn between(
        &mut self,
        scope: &Scope<'_>,
        expr: &ast::Expr,
        low: &ast::Expr,
        high: &ast::Expr,
        negated: bool,
    ) -> Result<Expr> {
        let at = self.source.place_between(expr.span().end, low.span().start);
        let symmetric = self.is_symmetric(expr, low);
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
    pub(super) fn between_ends(
        &mut self,
        tested: Expr,
        (low, high): (Expr, Expr),
        at: Option<usize>,
    ) -> Result<Expr> {
        let above = self.compare(Comparison::GreaterOrEqual, tested.clone(), low);
        let above = above.map_err(|error| error.at(at))?;
        let below = self.compare(Comparison::LessOrEqual, tested, high).map_err(|error| error.at(at))?;
        Ok(Expr::boolean(Node::And(Box::new(above), Box::new(below))))
    }

    pub(super) fn like(
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
        let (left, right) = (operands[0].type_, operands[1].type_);
        let refused = |binder: &Self| match operator {
            "similar" | "!similar" if !binder.is_read_as_text(right) => {
                binder.no_function(Some("pg_catalog"), "similar_to_escape", &[right], &[])
            }
            "similar" => binder.no_operator("~", Some(left), Type::TEXT),
            "!similar" => binder.no_operator("!~", Some(left), Type::TEXT),
            operator => binder.no_operator(operator, Some(left), right),
        };
        let operator = if operator == "!similar" { "similar" } else { operator };
        let operator = self.without_case(operator, left, right);
        let operands = operands.into_iter().map(padded);
        let operands = operands.map(|operand| self.coerce(operand, Type::TEXT.plain(), Context::Implicit));
        let operands: Option<Vec<Expr>> = operands.collect::<Result<_>>()?;
        let operands = operands.ok_or_else(|| refused(self).at(at))?;
        let text = match operator {
            "~~" => "pg_like({*})",
            "!~~" => "(NOT pg_like({*}))",
            "~~*" => "pg_ilike({*})",
            "!~~*" => "(NOT pg_ilike({*}))",
            "similar*" => "pg_similar_i({*})",
            _ => "pg_similar({*})",
        };
        Ok(Expr::template(text, operands, Type::BOOL).at(at))
    }

    fn is_read_as_text(&self, type_: Type) -> bool {
        type_ == Type::UNKNOWN || self.castable(type_, Type::TEXT) == Some(Context::Implicit)
    }

    /// `LIKE ANY (…)` and `LIKE ALL (…)`.
    pub(super) fn like_each(
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

    pub(super) fn quantified(
        &mut self,
        scope: &Scope<'_>,
        left: &ast::Expr,
        symbol: &str,
        right: &ast::Expr,
        all: bool,
    ) -> Result<Expr> {
        let at = self.source.place_between(left.span().end, right.span().start);
        if let (ast::Expr::Tuple(_), ast::Expr::Subquery(query)) = (left, right) {
            return match (symbol, all) {
                ("=", false) => self.in_query(scope, left, query, false),
                ("<>", true) => self.in_query(scope, left, query, true),
                _ => Err(SqlError::unsupported("this comparison of a row with a subquery").at(at)),
            };
        }
        let tested = self.expr(scope, left)?;
        let tested = if PATTERNS.contains(&symbol) { padded(tested) } else { tested };
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
                if matches!(&array.node, Node::Array(items) if items.is_empty())
                    && array.type_.element().is_none()
                {
                    let message = "cannot determine type of empty array";
                    return Err(SqlError::new(SqlState::INDETERMINATE_DATATYPE, message)
                        .hint("Explicitly cast to the desired type, for example ARRAY[]::integer[].")
                        .at(array.at.0));
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
                let array = self.flat(array, element);
                if self.once.without_queries
                    && let Some(items) = array_items(&array, element)
                {
                    return self.each_of(symbol, tested, items, all).map_err(|error| error.at(at));
                }
                if self.once.without_queries
                    && matches!((symbol, all), ("=", false) | ("<>", true))
                    && let Some(found) = self.any_equal(&tested, &array, element)?
                {
                    let not = |found: Expr| Expr::boolean(Node::Not(Box::new(found)));
                    return Ok(if all { not(found) } else { found });
                }
                (Candidates::Array(array), Expr::new(Node::Column { source, field: Field::Value }, element))
            }
        };
        let comparison = Box::new(self.operation(symbol, tested, candidate).map_err(|error| error.at(at))?);
        if comparison.type_ != Type::BOOL {
            let message = "op ANY/ALL (array) requires operator to yield boolean";
            return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message).at(at));
        }
        Ok(Expr::boolean(Node::Quantified { comparison, source, over: Box::new(over), all }))
    }

    /// An array of several dimensions as one of its elements.
    fn flat(&self, array: Expr, element: Type) -> Expr {
        // Rows are arrays of their fields.
        if element == Type::RECORD || self.catalog.attributes(self.catalog.base_type(element)).is_some() {
            return array;
        }
        match &array.node {
            Node::Array(items) if items.iter().all(|item| item.type_.element().is_none()) => array,
            Node::Literal(Value::Text(text)) if !text.trim_start().starts_with("[[") => array,
            _ => Expr {
                modifier: array.modifier,
                ..Expr::template("pg_flat({0})", vec![array.clone()], array.type_)
            },
        }
    }

    /// `x = ANY (array)` as a call of a function, if equal values are told by the order of their type.
    fn any_equal(&self, tested: &Expr, array: &Expr, element: Type) -> Result<Option<Expr>> {
        if self.catalog.attributes(element).is_some() || element == Type::RECORD {
            return Ok(None);
        }
        let Some(tested) = self.coerce(tested.clone(), element.plain(), Context::Implicit)? else {
            return Ok(None);
        };
        let operands =
            vec![tested, array.clone(), Expr::literal(self.catalog.parts(element).written(), Type::TEXT)];
        Ok(Some(Expr::template("pg_any_equal({0},{1},{2})", operands, Type::BOOL)))
    }

    /// A quantified comparison item by item, for where SQLite takes no query.
    pub(super) fn each_of(
        &mut self,
        symbol: &str,
        tested: Expr,
        items: Vec<Expr>,
        all: bool,
    ) -> Result<Expr> {
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
}

/// The items of an array that is written out.
pub(super) fn array_items(array: &Expr, element: Type) -> Option<Vec<Expr>> {
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

/// The operand of `ALL`, which the parser reads as a function.
pub(super) fn all_of(pattern: &ast::Expr) -> Option<&ast::Expr> {
    let ast::Expr::Function(function) = pattern else { return None };
    let [only] = source::parts(&function.name)[..] else { return None };
    let ast::FunctionArguments::List(list) = &function.args else { return None };
    match &list.args[..] {
        [ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(array))] if name(only) == "all" => Some(array),
        _ => None,
    }
}
