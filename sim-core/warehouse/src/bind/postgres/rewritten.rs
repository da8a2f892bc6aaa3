//! Calls of PostgreSQL's dialect that are written with others.

use sqlparser::ast;

use crate::bind::Binder;
use crate::bind::call::Call;
use crate::bind::expr::Expr;
use crate::bind::scope::Scope;
use crate::parse;
use crate::refusal::Refusal;

/// A function, its number of arguments, and what it is written as.
const FORMS: [(&str, usize, &str); 5] = [
    ("array_dims", 1, "(case when cardinality({0}) > 0 then '[1:' || cardinality({0}) || ']' end)"),
    ("array_fill", 2, "array(select {0} from generate_series(1, ({1})[1]) as filled_place)"),
    ("array_fill", 3, "array(select {0} from generate_series(1, ({1})[1]) as filled_place)"),
    ("width_bucket", 2, "(select count(*) from unnest({1}) as bucket_bound where bucket_bound <= {0})"),
    ("to_json", 1, "to_jsonb({0})"),
];

/// Aggregates that tell which place a value would have among others.
pub(in crate::bind) const PLACES: [&str; 4] = ["cume_dist", "dense_rank", "percent_rank", "rank"];

impl Binder<'_> {
    /// Such a call; `None` for any other.
    pub(super) fn rewritten(
        &mut self,
        name: &str,
        arguments: &[&ast::Expr],
        scope: &Scope<'_>,
    ) -> Result<Option<Expr>, Refusal> {
        let form = FORMS.iter().find(|(known, count, _)| *known == name && *count == arguments.len());
        let Some((_, _, form)) = form else { return Ok(None) };
        if let ("array_fill", Some(sizes)) = (name, arguments.get(1)) {
            let has_one = matches!(sizes, ast::Expr::Array(sizes) if sizes.elem.len() == 1);
            if !has_one {
                return Err(Refusal::unsupported("array_fill of other than one dimension"));
            }
        }
        let mut text = (*form).to_owned();
        for (place, argument) in arguments.iter().enumerate() {
            text = text.replace(&format!("{{{place}}}"), &format!("({argument})"));
        }
        let written = parse::postgres_expr(&text)?;
        self.expr(&written, scope).map(Some)
    }

    /// `rank(3) WITHIN GROUP (ORDER BY x)`
    pub(in crate::bind) fn place_among(
        &mut self,
        call: &Call<'_>,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let name = call.name.as_str();
        let ([value], [ast::OrderByExpr { expr: key, options, .. }], None) =
            (call.arguments.as_slice(), call.within, call.filter)
        else {
            return Err(Refusal::unsupported(&format!("{name} of several keys, or with FILTER")));
        };
        let less = if options.sort == Some(ast::OrderBySort::Desc) { ">" } else { "<" };
        let (key, value) = (format!("({key})"), format!("({value})"));
        let text = match name {
            "rank" => format!("(count(*) filter (where {key} {less} {value}) + 1)"),
            "dense_rank" => format!("(count(distinct {key}) filter (where {key} {less} {value}) + 1)"),
            "percent_rank" => format!(
                "(case when count(*) = 0 then 0::float8 else (count(*) filter (where {key} {less} {value}))::float8 / count(*) end)"
            ),
            _ => format!("((count(*) filter (where {key} {less}= {value}) + 1)::float8 / (count(*) + 1))"),
        };
        let written = parse::postgres_expr(&text)?;
        self.expr(&written, scope)
    }

    /// `pg_column_size`: the bytes of a value as it is kept.
    pub(super) fn column_size(
        &mut self,
        written: &ast::Expr,
        value: &Expr,
        name: &str,
    ) -> Result<Expr, Refusal> {
        let size = match name {
            "boolean" => 1,
            "smallint" => 2,
            "integer" | "date" | "real" => 4,
            "bigint"
            | "double precision"
            | "time without time zone"
            | "timestamp with time zone"
            | "timestamp without time zone" => 8,
            "interval" | "uuid" => 16,
            "text" | "unknown" => {
                let length = self.function("byte_length", std::slice::from_ref(value))?;
                let is_column =
                    matches!(written, ast::Expr::Identifier(_) | ast::Expr::CompoundIdentifier(_));
                // A short text in a row has a short head; a text without a type ends with a sign of its own.
                let template = match (is_column, name) {
                    (true, _) => "({0} + CASE WHEN {0} > 126 THEN 4 ELSE 1 END)",
                    (_, "unknown") => "({0} + 1)",
                    _ => "({0} + 4)",
                };
                return Ok(Expr::filled(template, &[length], crate::types::Type::Int64));
            }
            _ => return Err(Refusal::unsupported("pg_column_size of a value of this type")),
        };
        let size = self.target.integer(size);
        let template = format!("(CASE WHEN {{0}} IS NULL THEN NULL ELSE {size} END)");
        Ok(Expr::filled(&template, std::slice::from_ref(value), crate::types::Type::Int64))
    }
}
