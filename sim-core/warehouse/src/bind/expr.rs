//! A bound expression: its text for the target, and its properties.

use crate::refusal::Refusal;
use crate::shape::Shape;
use crate::types::Type;

/// An expression in the target's SQL. Its text can be an operand of any operator.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) sql: String,
    pub(super) type_: Type,
    /// The fields that it can have.
    pub(super) shape: Shape,
    pub(super) origin: Origin,
    /// A column of single rows of this query, used outside of aggregates.
    pub(super) loose: Option<String>,
    /// Whether it uses a column of an enclosing query. Such a column is the same for all rows of this query.
    pub(super) outer: bool,
    pub(super) aggregated: bool,
    pub(super) windowed: bool,
}

/// Where the value comes from. Literals are allowed in places where other values are not.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Origin {
    /// A text in the query.
    Text(String),
    /// A whole number in the query.
    Integer(i64),
    /// A parameter, which is a text.
    Parameter,
    Other,
}

impl Expr {
    /// An expression without operands.
    pub(super) fn new(sql: impl Into<String>, type_: Type) -> Expr {
        Expr {
            sql: sql.into(),
            type_,
            shape: Shape::Open,
            origin: Origin::Other,
            loose: None,
            outer: false,
            aggregated: false,
            windowed: false,
        }
    }

    /// An expression with operands.
    pub(super) fn of<'e>(
        sql: impl Into<String>,
        type_: Type,
        operands: impl IntoIterator<Item = &'e Expr>,
    ) -> Expr {
        let mut expr = Expr::new(sql, type_);
        for operand in operands {
            expr.loose = expr.loose.or_else(|| operand.loose.clone());
            expr.outer |= operand.outer;
            expr.aggregated |= operand.aggregated;
            expr.windowed |= operand.windowed;
        }
        expr
    }

    /// The same value with another text, or made of it. What has its type, and a list of that, has its fields.
    pub(super) fn with(&self, sql: impl Into<String>, type_: Type) -> Expr {
        let is_list = matches!(&type_, Type::Array(of) if **of == self.type_);
        let shape = if is_list || type_ == self.type_ { self.shape.clone() } else { Shape::Open };
        Expr { shape, ..Expr::of(sql, type_, [self]) }
    }

    /// The shape of a value that is one of these. Nulls and empty lists have none.
    pub(super) fn shape_of(exprs: &[Expr]) -> Shape {
        let is_empty = |expr: &Expr| {
            matches!(&expr.type_, Type::Null) || expr.type_ == Type::Array(Box::new(Type::Null))
        };
        let shapes = exprs.iter().filter(|expr| !is_empty(expr)).map(|expr| expr.shape.clone());
        shapes.reduce(|one, other| one.or(&other)).unwrap_or_default()
    }

    /// Whether its text may be repeated. Repeated long texts would multiply with each level of a query.
    pub(super) fn may_be_copied(&self) -> bool {
        /// About the length of a field of an event.
        const SHORT: usize = 64;
        // An aggregate cannot move into a subquery, which would not see all rows.
        self.sql.len() <= SHORT || self.aggregated || self.windowed
    }

    /// The result of `build`, which may use the expression several times.
    pub(super) fn once(&self, build: impl FnOnce(&Expr) -> Result<Expr, Refusal>) -> Result<Expr, Refusal> {
        if self.may_be_copied() {
            return build(self);
        }
        let built = build(&Expr { sql: "v.c1".to_owned(), ..self.clone() })?;
        Ok(Expr { sql: format!("(SELECT {} FROM (SELECT {} AS c1) AS v)", built.sql, self.sql), ..built })
    }

    /// Fills a template: `{0}`, `{1}` … are the operands, `{*}` is all of them, separated by commas.
    pub(super) fn filled(template: &str, operands: &[Expr], type_: Type) -> Expr {
        // An aggregate of another operand would count the rows of the subquery.
        let moves = !operands.iter().any(|operand| operand.aggregated || operand.windowed);
        let repeated = |index: usize, operand: &Expr| {
            moves && !operand.may_be_copied() && template.matches(&format!("{{{index}}}")).count() > 1
        };
        let mut once = operands.to_vec();
        let mut values = Vec::new();
        for (index, operand) in once.iter_mut().enumerate() {
            if repeated(index, operand) {
                let sql = std::mem::replace(&mut operand.sql, format!("u.c{index}"));
                values.push(format!("{sql} AS c{index}"));
            }
        }
        let built = Expr::written(template, &once, type_);
        if values.is_empty() {
            return built;
        }
        let sql = format!("(SELECT {} FROM (SELECT {}) AS u)", built.sql, values.join(", "));
        Expr { sql, ..built }
    }

    fn written(template: &str, operands: &[Expr], type_: Type) -> Expr {
        let mut sql = String::with_capacity(template.len() + 32);
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            let (slot, after) = after.split_once('}').expect("templates close their braces");
            sql.push_str(before);
            match slot {
                "*" => {
                    let all: Vec<&str> = operands.iter().map(|operand| operand.sql.as_str()).collect();
                    sql.push_str(&all.join(", "));
                }
                // In JSON paths, empty brackets refer to the value itself.
                "" => sql.push_str("{}"),
                slot => {
                    let index: usize = slot.parse().expect("slots are numbers");
                    sql.push_str(operands.get(index).map_or("NULL", |operand| &operand.sql));
                }
            }
            rest = after;
        }
        sql.push_str(rest);
        Expr::of(sql, type_, operands)
    }

    /// Refuses aggregates and window functions, which are not allowed in `place`.
    pub(super) fn plain(self, place: &str) -> Result<Expr, Refusal> {
        match (self.aggregated, self.windowed) {
            (true, _) => Err(Refusal::invalid(format!("Aggregate function not allowed in {place}"))),
            (_, true) => Err(Refusal::invalid(format!("Analytic function not allowed in {place}"))),
            _ => Ok(self),
        }
    }

    /// Whether it is a literal.
    pub(super) fn is_literal(&self) -> bool {
        let bare = self.sql.trim_matches(['(', ')']);
        self.origin != Origin::Other
            || matches!(bare, "true" | "false" | "NULL")
            || bare.parse::<i64>().is_ok()
    }

    /// Whether it is a text from the query or a parameter.
    pub(super) fn is_given_text(&self) -> bool {
        matches!(self.origin, Origin::Text(_) | Origin::Parameter)
    }
}
