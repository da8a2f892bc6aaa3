//! Calls: functions with a syntax of their own, and the lookup of all others.

mod columnar;
mod columnar_lists;
mod json;
mod lists;
mod safe;
mod special;

use sqlparser::ast::{
    self, DuplicateTreatment, FunctionArg, FunctionArgExpr, FunctionArgumentClause, FunctionArguments,
    NullTreatment,
};

use super::Binder;
use super::expr::{Expr, Origin};
use super::ordered_set::ORDERED;
use super::postgres::PLACES;
use super::scope::Scope;
use crate::Dialect;
use crate::refusal::Refusal;
use crate::types::Type;

/// The parts of a call.
pub(super) struct Call<'q> {
    /// In lower case.
    pub(super) name: String,
    pub(super) arguments: Vec<&'q ast::Expr>,
    /// Whether the argument is `*`.
    pub(super) star: bool,
    pub(super) distinct: bool,
    /// `HAVING MAX x`: only rows in which `x` is greatest, or least, count.
    pub(super) having: Option<&'q ast::HavingBound>,
    /// `FILTER (WHERE …)`
    pub(super) filter: Option<&'q ast::Expr>,
    pub(super) order: &'q [ast::OrderByExpr],
    /// `WITHIN GROUP (ORDER BY …)`
    pub(super) within: &'q [ast::OrderByExpr],
    pub(super) limit: Option<&'q ast::Expr>,
    pub(super) ignore_nulls: bool,
    pub(super) over: Option<&'q ast::WindowType>,
}

impl Call<'_> {
    /// Whether it has only a name and arguments.
    fn check_plain(&self) -> Result<(), Refusal> {
        let more = self.star
            || self.distinct
            || self.having.is_some()
            || self.filter.is_some()
            || !self.order.is_empty()
            || !self.within.is_empty()
            || self.limit.is_some()
            || self.ignore_nulls;
        match (more, self.over) {
            (true, _) => {
                Err(Refusal::invalid(format!("{} is no aggregate function", self.name.to_uppercase())))
            }
            (_, Some(_)) => {
                Err(Refusal::invalid(format!("{} is no analytic function", self.name.to_uppercase())))
            }
            _ => Ok(()),
        }
    }
}

/// Functions that reveal more than the data.
const RESTRICTED: [&str; 2] = ["session_user", "external_query"];

impl Binder<'_> {
    pub(super) fn call(&mut self, function: &ast::Function, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let mut name = function.name.to_string().replace('`', "").to_lowercase();
        if let (true, Some(same)) = (self.is_postgres(), super::postgres::aggregate_of(&name)) {
            name = same.to_owned();
        }
        if let (true, Some(same)) = (self.is_postgres(), super::postgres::of_jsonb(&name)) {
            name = same;
        }
        if RESTRICTED.contains(&name.as_str())
            || (self.is_postgres() && super::postgres::is_restricted(&name))
        {
            return Err(Refusal::restricted(&name));
        }
        if let (FunctionArguments::Subquery(query), "array") = (&function.args, name.as_str()) {
            return self.array_of_rows(query, scope);
        }
        if let (true, "make_interval", FunctionArguments::List(list)) =
            (self.is_postgres(), name.as_str(), &function.args)
        {
            return self.make_interval(&list.args, scope);
        }
        let call = written(name, function, self.dialect)?;
        if let ("normalize", [text, ast::Expr::Identifier(form)]) =
            (call.name.as_str(), call.arguments.as_slice())
        {
            let form = form.value.to_uppercase();
            let form = Expr {
                origin: Origin::Text(form.clone()),
                ..Expr::new(self.target.text(&form), Type::String)
            };
            let text = self.expr(text, scope)?;
            return self.special("normalize", &[text, form]);
        }
        if call.over.is_some() {
            return self.window_call(&call, scope);
        }
        if let ("grouping", [key]) = (call.name.as_str(), call.arguments.as_slice()) {
            return self.grouping(key, scope);
        }
        if let Some(aggregate) = self.relational_aggregate(&call, scope)? {
            return Ok(aggregate);
        }
        if let Some(aggregate) = self.aggregate(&call, scope)? {
            return Ok(aggregate);
        }
        call.check_plain()?;
        if self.is_postgres()
            && let Some(known) = self.postgres_call(&call.name, &call.arguments, scope)?
        {
            return Ok(known);
        }
        if !self.is_postgres()
            && let Some(written) = self.form(&call.name, &call.arguments, scope)?
        {
            return Ok(written);
        }
        if let Some(moment) = self.moment_call(&call.name, &call.arguments, scope)? {
            return Ok(moment);
        }
        let arguments: Vec<Expr> =
            call.arguments.iter().map(|argument| self.expr(argument, scope)).collect::<Result<_, _>>()?;
        match call.name.strip_prefix("safe.") {
            Some(name) => self.safe_call(name, &arguments),
            None => self.special(&call.name, &arguments),
        }
    }
}

/// The refusal of an unknown function in `FROM`.
pub(super) fn unknown_table_function(name: &str) -> Refusal {
    let name = name.to_lowercase();
    match RESTRICTED.contains(&name.as_str()) {
        true => Refusal::restricted(&name),
        false => Refusal::unsupported(&format!("the table function {name}")),
    }
}

/// Splits a call into its parts.
fn written(name: String, function: &ast::Function, dialect: Dialect) -> Result<Call<'_>, Refusal> {
    let mut call = Call {
        name,
        arguments: Vec::new(),
        star: false,
        distinct: false,
        having: None,
        filter: None,
        order: &[],
        within: &function.within_group,
        limit: None,
        ignore_nulls: matches!(function.null_treatment, Some(NullTreatment::IgnoreNulls)),
        over: function.over.as_ref(),
    };
    call.filter = function.filter.as_deref();
    let name = call.name.as_str();
    let is_ordered = dialect == Dialect::Postgres && (ORDERED.contains(&name) || PLACES.contains(&name));
    if (call.filter.is_some() && dialect == Dialect::Warehouse) || (!call.within.is_empty() && !is_ordered) {
        return Err(Refusal::unsupported("FILTER or WITHIN GROUP"));
    }
    let list = match &function.args {
        FunctionArguments::List(list) => list,
        FunctionArguments::None => return Ok(call),
        FunctionArguments::Subquery(_) => {
            return Err(Refusal::unsupported(&format!("a query as the argument of {}", call.name)));
        }
    };
    call.distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
    for argument in &list.args {
        match argument {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => call.arguments.push(expr),
            FunctionArg::Unnamed(FunctionArgExpr::Wildcard) => call.star = true,
            // The last argument, by its name.
            FunctionArg::Named { name, arg: FunctionArgExpr::Expr(mode), .. }
                if call.name == "array_zip" && name.value.eq_ignore_ascii_case("mode") =>
            {
                call.arguments.push(mode);
            }
            other => return Err(Refusal::unsupported(&format!("the argument {other}"))),
        }
    }
    for clause in &list.clauses {
        match clause {
            FunctionArgumentClause::OrderBy(order) => call.order = order,
            FunctionArgumentClause::Having(bound) => call.having = Some(bound),
            FunctionArgumentClause::Limit(limit) => call.limit = Some(limit),
            FunctionArgumentClause::IgnoreOrRespectNulls(treatment) => {
                call.ignore_nulls = *treatment == NullTreatment::IgnoreNulls;
            }
            other => return Err(Refusal::unsupported(&other.to_string())),
        }
    }
    Ok(call)
}
