//! `-State` and `-Merge`: an aggregate in two steps.
//!
//! A state is the value itself where values can be put together, a sum and a count for `avg`, and else the list of what was
//! collected.

use sqlparser::ast::{Expr, FunctionArg};

use super::Writer;
use super::aggregate::{aggregate, combinators, or_zero, whole_key, with_parameters};
use super::call::{expr_of, truth, unknown};
use super::expr::tuple;
use super::functions::is_aggregate;
use super::windows::closing;
use crate::refusal::Refusal;

/// What stands for a value in the form of an aggregate.
const VALUE: &str = "`value_of_state`";

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    State,
    Merge,
    MergeState,
    /// A state that is the value itself.
    Simple,
}

/// A call with such an ending.
pub(super) struct Stage {
    /// The aggregate in lower case, without its endings.
    pub(super) base: String,
    pub(super) step: Step,
    /// How many conditions its arguments end with.
    conditions: usize,
}

impl Stage {
    pub(super) fn gives_state(&self) -> bool {
        matches!(self.step, Step::State | Step::MergeState)
    }
}

/// The step and the aggregate that a name tells; `None` for other functions.
pub(super) fn stage_of(name: &str) -> Option<Stage> {
    let lower = name.replace(['`', '"'], "").to_lowercase();
    const ENDINGS: [(&str, Step); 4] = [
        ("mergestate", Step::MergeState),
        ("simplestate", Step::Simple),
        ("state", Step::State),
        ("merge", Step::Merge),
    ];
    let ends = |name: &str| {
        ENDINGS.iter().find_map(|(ending, step)| Some((name.strip_suffix(ending)?.to_owned(), *step)))
    };
    let (outer, found) = match lower.strip_suffix("if").and_then(ends) {
        Some(found) => (1, found),
        None => (0, ends(&lower)?),
    };
    let (whole, step) = found;
    let (base, conditional, empty) = combinators(&whole);
    if !is_aggregate(base) || empty.is_some() {
        return None;
    }
    // A merge has only the condition of its own; the states have met the other one.
    let inner = usize::from(conditional && matches!(step, Step::State | Step::Simple));
    Some(Stage { base: base.to_owned(), step, conditions: outer + inner })
}

/// How the state of an aggregate is put together.
enum Form {
    /// By the aggregate of that name.
    By(&'static str),
    Mean,
    /// From the list of what was collected: the expression, and the list in it.
    List(String, String),
    /// From the distinct values.
    Distinct,
    /// From pairs of a value and its key: 1 for the greatest key, -1 for the least.
    Pairs(i8),
    /// By the aggregate of the list of values.
    Again,
}

impl Writer {
    /// Such a call; `None` for other functions.
    pub(super) fn staged(
        &mut self,
        name: &str,
        parameters: &[FunctionArg],
        arguments: &[FunctionArg],
    ) -> Result<Option<String>, Refusal> {
        let Some(stage) = stage_of(name) else { return Ok(None) };
        if stage.gives_state() && !std::mem::take(&mut self.state_here) {
            return Err(Refusal::unsupported("the state of an aggregate inside an expression"));
        }
        let parameters = self.arguments(parameters)?;
        let printed = self.arguments(arguments)?;
        let Some(values) = printed.len().checked_sub(stage.conditions) else { return Err(unknown(name)) };
        let (values, conditions) = printed.split_at(values);
        let met: Vec<_> = conditions.iter().map(|condition| truth(condition)).collect();
        let met = (!met.is_empty()).then(|| met.join(" and "));
        if stage.step == Step::Simple {
            return self.simple(&stage.base, values, met.as_deref()).ok_or_else(|| unknown(name)).map(Some);
        }
        let form = form_of(&stage.base, &parameters, name)?;
        if stage.step == Step::State {
            return self.state(&stage, &form, values, met.as_deref()).ok_or_else(|| unknown(name)).map(Some);
        }
        let ([state], Some(given)) = (values, arguments.first().and_then(expr_of)) else {
            return Err(unknown(name));
        };
        match self.names.state(given) {
            Some(of) if family(&of) == family(&stage.base) => {}
            Some(of) => return Err(Refusal::invalid(format!("{name} of a state of {of}"))),
            None => {
                return Err(Refusal::unsupported(&format!(
                    "{name} of what is no state that a query inside makes"
                )));
            }
        }
        let state = match &met {
            Some(met) => format!("if({met}, {state}, null)"),
            None => state.clone(),
        };
        self.merged(&stage, &form, &parameters, &state, name).map(Some)
    }

    fn simple(&mut self, base: &str, values: &[String], met: Option<&str>) -> Option<String> {
        let values: Vec<_> = values.iter().map(|value| kept(value, met)).collect();
        matches!(base, "sum" | "min" | "max" | "any" | "anylast").then(|| aggregate(base, &values))?
    }

    fn state(&mut self, stage: &Stage, form: &Form, values: &[String], met: Option<&str>) -> Option<String> {
        Some(match (form, values) {
            (Form::By("sum"), values) if stage.base == "count" => match (values, met) {
                ([], None) => "count(*)".to_owned(),
                ([star], None) if star == "*" => "count(*)".to_owned(),
                ([], Some(met)) => format!("countif({met})"),
                ([value], met) => format!("count({})", kept(value, met)),
                _ => return None,
            },
            (Form::By(base), [value]) => aggregate(base, &[kept(value, met)])?,
            (Form::Mean, [value]) => {
                let value = kept(value, met);
                tuple(&[format!("coalesce(sum(plain_number({value})), 0)"), format!("count({value})")])
            }
            (Form::List(_, list), [value]) => list.replace(VALUE, &kept(value, met)),
            (Form::Distinct, [value]) => format!("array_agg(distinct ({}) ignore nulls)", kept(value, met)),
            (Form::Distinct, [_, _, ..]) => {
                format!("array_agg(distinct ({}) ignore nulls)", kept(&whole_key(values), met))
            }
            (Form::Pairs(_), [_, _]) => format!("array_agg(({}) ignore nulls)", kept(&tuple(values), met)),
            (Form::Again, [value]) => format!("array_agg(({}) ignore nulls)", kept(value, met)),
            _ => return None,
        })
    }

    /// `finalizeAggregation(state)`: what the state comes to.
    pub(super) fn finalized(&self, given: Option<&Expr>, state: &str) -> Result<String, Refusal> {
        let refused = || Refusal::unsupported("finalizeAggregation of this state");
        let base = given.and_then(|given| self.names.state(given)).ok_or_else(refused)?;
        Ok(match form_of(&base, &[], "finalizeAggregation")? {
            Form::By(_) => state.to_owned(),
            Form::Mean => {
                let [sum, count] = [1, 2].map(|place| format!("tuple_element({state}, {place})"));
                format!("float_divide({sum}, {count})")
            }
            Form::Distinct => format!("array_length({state})"),
            Form::Pairs(sign) => format!("tuple_element(list_of_key({state}, {sign}), 1)"),
            Form::List(..) if base.starts_with("grouparray") || base.starts_with("groupuniqarray") => {
                state.to_owned()
            }
            Form::List(..) | Form::Again => return Err(refused()),
        })
    }

    fn merged(
        &mut self,
        stage: &Stage,
        form: &Form,
        parameters: &[String],
        state: &str,
        name: &str,
    ) -> Result<String, Refusal> {
        let again = stage.step == Step::MergeState;
        let all = |once: bool| format!("list_merged(array_agg(struct({state} as list)), {once})");
        Ok(match form {
            Form::By(base) => {
                let values = [state.to_owned()];
                let sql = aggregate(base, &values).ok_or_else(|| unknown(name))?;
                if self.grouped || again { sql } else { or_zero(base, sql, &values) }
            }
            Form::Mean => {
                let [sum, count] = [1, 2].map(|place| format!("sum(tuple_element({state}, {place}))"));
                if again { tuple(&[sum, count]) } else { format!("float_divide({sum}, {count})") }
            }
            Form::List(_, list) if again => all(is_distinct(list)),
            Form::List(whole, list) => whole.replace(list.as_str(), &all(is_distinct(list))),
            Form::Distinct if again => all(true),
            Form::Distinct => format!("array_length({})", all(true)),
            Form::Pairs(_) | Form::Again if again => all(false),
            Form::Pairs(sign) => {
                let found = format!("tuple_element(list_of_key({}, {sign}), 1)", all(false));
                if self.grouped { found } else { format!("coalesce({found}, zero_of({found}))") }
            }
            Form::Again => {
                let parameters = if parameters.is_empty() {
                    String::new()
                } else {
                    format!("({})", parameters.join(", "))
                };
                self.reduced(Some(&format!("{}{parameters}", stage.base)), &[all(false)])?
            }
        })
    }
}

fn kept(value: &str, met: Option<&str>) -> String {
    met.map_or_else(|| value.to_owned(), |met| format!("if({met}, {value}, null)"))
}

fn is_distinct(list: &str) -> bool {
    list.starts_with("array_agg(distinct ")
}

/// Aggregates whose states are the same.
fn family(base: &str) -> &str {
    ["uniq", "quantile", "median"]
        .into_iter()
        .find(|start| base.starts_with(start))
        .map_or(base, |start| if start == "median" { "quantile" } else { start })
}

fn form_of(base: &str, parameters: &[String], name: &str) -> Result<Form, Refusal> {
    let known = match base {
        "count" | "sum" => Some(Form::By("sum")),
        "min" => Some(Form::By("min")),
        "max" => Some(Form::By("max")),
        "any" | "any_value" => Some(Form::By("any")),
        "anylast" => Some(Form::By("anylast")),
        "avg" => Some(Form::Mean),
        "argmax" => Some(Form::Pairs(1)),
        "argmin" => Some(Form::Pairs(-1)),
        base if base.starts_with("uniq") => Some(Form::Distinct),
        _ => None,
    };
    if let Some(known) = known {
        return Ok(known);
    }
    let value = [VALUE.to_owned()];
    let whole = match parameters {
        [] => aggregate(base, &value).ok_or_else(|| unknown(name))?,
        parameters => with_parameters(name, base, parameters, VALUE)?,
    };
    Ok(match list_in(&whole) {
        Some(list) => Form::List(whole.clone(), list),
        // With an order or a limit the lists of states are no part of the whole list.
        None if whole.contains("array_agg(") || !parameters.is_empty() => return Err(unknown(name)),
        None => Form::Again,
    })
}

/// The list that an aggregate collects, if it collects one, as it comes.
fn list_in(whole: &str) -> Option<String> {
    const LIST: &str = "array_agg(";
    let at = whole.find(LIST)?;
    let begin = at + LIST.len();
    let list = whole.get(at..=begin + closing(&whole[begin..])?)?;
    let only = !whole.replace(list, "").contains(LIST);
    (only && list.ends_with(" ignore nulls)") && list.contains(VALUE)).then(|| list.to_owned())
}

/// Whether an expression is the state of an aggregate, which no answer shows.
pub(super) fn is_state(expr: &Expr) -> bool {
    match expr {
        Expr::Nested(inner) => is_state(inner),
        Expr::Function(call) => stage_of(&call.name.to_string()).is_some_and(|stage| stage.gives_state()),
        _ => false,
    }
}
