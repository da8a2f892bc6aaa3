//! Rows: compared, overlapping, and as lists of expressions.

use sqlparser::ast::{self, BinaryOperator};

use crate::bind::Binder;
use crate::bind::expr::Expr;
use crate::bind::value::no_signature;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    /// Rows that are compared: `(a, b) < (c, d)`; `None` unless both sides are rows of plain values.
    pub(in crate::bind) fn compared_rows(
        &mut self,
        left: &[Expr],
        operator: &BinaryOperator,
        right: &[Expr],
    ) -> Result<Option<Expr>, Refusal> {
        use BinaryOperator as B;
        if left.len() != right.len() || left.is_empty() {
            return Err(Refusal::invalid("unequal number of entries in row expressions"));
        }
        let pairs = left.iter().zip(right);
        let joined = |parts: Vec<Expr>, word: &str| {
            let sql = parts.iter().map(|part| part.sql.clone()).collect::<Vec<_>>().join(word);
            Expr::of(format!("({sql})"), Type::Bool, &parts)
        };
        let (last, strict) = match operator {
            B::Eq | B::NotEq => {
                let each = pairs.map(|(left, right)| self.compared(left, "=", right));
                let all = joined(each.collect::<Result<_, _>>()?, " AND ");
                return Ok(Some(match operator {
                    B::Eq => all,
                    _ => Expr::filled("(NOT {0})", &[all], Type::Bool),
                }));
            }
            B::Overlaps => return self.overlapping(left, right).map(Some),
            B::Lt => ("<", "<"),
            B::LtEq => ("<=", "<"),
            B::Gt => (">", ">"),
            B::GtEq => (">=", ">"),
            _ => return Ok(None),
        };
        // The first pair that differs decides.
        let mut result: Option<Expr> = None;
        for (left, right) in pairs.rev() {
            result = Some(match result {
                None => self.compared(left, last, right)?,
                Some(rest) => {
                    let first = self.compared(left, strict, right)?;
                    let same = self.compared(left, "=", right)?;
                    let later = joined(vec![same, rest], " AND ");
                    joined(vec![first, later], " OR ")
                }
            });
        }
        Ok(result)
    }

    /// `(begin, end) OVERLAPS (begin, end)`, of moments in order.
    fn overlapping(&mut self, left: &[Expr], right: &[Expr]) -> Result<Expr, Refusal> {
        let ([begin, end], [from, to]) = (left, right) else {
            return Err(Refusal::invalid("wrong number of parameters on side of OVERLAPS expression"));
        };
        let mut ends = Vec::new();
        for (begin, end) in [(begin, end), (from, to)] {
            let end = match end.type_ {
                Type::Interval => {
                    let sum = self.interval_operator(&BinaryOperator::Plus, begin, end)?;
                    sum.ok_or_else(|| no_signature("overlaps", left))?
                }
                _ => end.clone(),
            };
            ends.extend([begin.clone(), end]);
        }
        let (_, ends) = self.unified(&ends, "overlaps")?;
        let (least, most) = self.target.pick(("min", "max"), ("least", "greatest"));
        let template = format!(
            "(CASE WHEN {{0}} = {{1}} OR {{2}} = {{3}} THEN \
             {least}({{0}}, {{1}}) <= {most}({{2}}, {{3}}) AND {least}({{2}}, {{3}}) <= {most}({{0}}, {{1}}) \
             AND ({least}({{0}}, {{1}}) < {most}({{2}}, {{3}}) OR {least}({{0}}, {{1}}) = {least}({{2}}, {{3}})) \
             AND ({least}({{2}}, {{3}}) < {most}({{0}}, {{1}}) OR {least}({{0}}, {{1}}) = {least}({{2}}, {{3}})) \
             ELSE {least}({{0}}, {{1}}) < {most}({{2}}, {{3}}) AND {least}({{2}}, {{3}}) < {most}({{0}}, {{1}}) END)"
        );
        Ok(Expr::filled(&template, &ends, Type::Bool))
    }

    /// The values of a row in brackets; `None` for what is none.
    pub(in crate::bind) fn row_of<'q>(&self, expr: &'q ast::Expr) -> Option<Vec<&'q ast::Expr>> {
        match expr {
            ast::Expr::Tuple(values) => Some(values.iter().collect()),
            ast::Expr::Function(function) if function.name.to_string().eq_ignore_ascii_case("row") => {
                let ast::FunctionArguments::List(list) = &function.args else { return None };
                let values = list.args.iter().map(|argument| match argument {
                    ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(value)) => Some(value),
                    _ => None,
                });
                values.collect()
            }
            _ => None,
        }
    }
}
