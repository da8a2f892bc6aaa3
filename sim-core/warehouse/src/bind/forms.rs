//! Functions of the warehouse's dialect that are written with queries over their lists.

use sqlparser::ast;

use super::Binder;
use super::expr::Expr;
use super::scope::Scope;
use crate::parse;
use crate::refusal::Refusal;

/// A function, its number of arguments, and what it is written as.
const FORMS: [(&str, usize, &str); 15] = [
    ("array_avg", 1, "(select avg(form_x) from unnest({0}) as form_x)"),
    ("array_find", 2, "(select form_x from unnest({0}) as form_x where form_x = {1} limit 1)"),
    ("array_find_all", 2, "array(select form_x from unnest({0}) as form_x where form_x = {1})"),
    ("array_includes", 2, "({1} in unnest({0}))"),
    (
        "array_includes_all",
        2,
        "(not exists(select 1 from unnest({1}) as form_x where form_x not in unnest({0})))",
    ),
    ("array_includes_any", 2, "exists(select 1 from unnest({1}) as form_x where form_x in unnest({0}))"),
    (
        "array_is_distinct",
        1,
        "((select count(*) - count(distinct form_x) from unnest({0}) as form_x where form_x is not null) = 0)",
    ),
    ("array_max", 1, "(select max(form_x) from unnest({0}) as form_x)"),
    ("array_min", 1, "(select min(form_x) from unnest({0}) as form_x)"),
    (
        "array_offset",
        2,
        "(select min(form_o) from unnest({0}) as form_x with offset as form_o where form_x = {1})",
    ),
    (
        "array_offsets",
        2,
        "array(select form_o from unnest({0}) as form_x with offset as form_o where form_x = {1} order by form_o)",
    ),
    ("array_sum", 1, "(select sum(form_x) from unnest({0}) as form_x)"),
    (
        "cosine_distance",
        2,
        "(select 1 - sum(form_x * {1}[safe_offset(form_o)]) / sqrt(sum(form_x * form_x) * sum({1}[safe_offset(form_o)] * {1}[safe_offset(form_o)])) from unnest({0}) as form_x with offset as form_o)",
    ),
    (
        "euclidean_distance",
        2,
        "sqrt((select sum(pow(form_x - {1}[safe_offset(form_o)], 2)) from unnest({0}) as form_x with offset as form_o))",
    ),
    ("normalize_and_casefold", 1, "lower(normalize({0}, nfkc))"),
];

/// The same with a function of an element (and of its place) as the second argument: its body and its parameters.
const OF_LAMBDAS: [(&str, &str); 7] = [
    ("array_transform", "array(select {body} from unnest({0}) as {x} with offset as {o} order by {o})"),
    (
        "array_filter",
        "array(select {x} from unnest({0}) as {x} with offset as {o} where {body} order by {o})",
    ),
    (
        "array_find_all",
        "array(select {x} from unnest({0}) as {x} with offset as {o} where {body} order by {o})",
    ),
    (
        "array_find",
        "(select {x} from unnest({0}) as {x} with offset as {o} where {body} order by {o} limit 1)",
    ),
    ("array_includes", "exists(select 1 from unnest({0}) as {x} where {body})"),
    ("array_offset", "(select min({o}) from unnest({0}) as {x} with offset as {o} where {body})"),
    (
        "array_offsets",
        "array(select {o} from unnest({0}) as {x} with offset as {o} where {body} order by {o})",
    ),
];

impl Binder<'_> {
    /// Such a call; `None` for any other.
    pub(super) fn form(
        &mut self,
        name: &str,
        arguments: &[&ast::Expr],
        scope: &Scope<'_>,
    ) -> Result<Option<Expr>, Refusal> {
        if let ("search", [text, ast::Expr::Value(query)]) = (name, arguments)
            && let ast::Value::SingleQuotedString(query) | ast::Value::DoubleQuotedString(query) =
                &query.value
        {
            let written = parse::warehouse_expr(&searched(text, query)?)?;
            return self.expr(&written, scope).map(Some);
        }
        if name == "array_zip" {
            return self.expr(&parse::warehouse_expr(&zipped(arguments)?)?, scope).map(Some);
        }
        let lambda = match arguments {
            [_, ast::Expr::Lambda(lambda)] => Some(lambda),
            _ => None,
        };
        let text = match lambda {
            Some(lambda) => {
                let Some((_, form)) = OF_LAMBDAS.iter().find(|(known, _)| *known == name) else {
                    return Err(Refusal::unsupported(&format!("a function as an argument of {name}")));
                };
                let parameters: Vec<&ast::Ident> = match &lambda.params {
                    ast::OneOrManyWithParens::One(one) => vec![&one.name],
                    ast::OneOrManyWithParens::Many(many) => many.iter().map(|one| &one.name).collect(),
                };
                let (x, o) = match parameters.as_slice() {
                    [x] => (x.to_string(), "form_o".to_owned()),
                    [x, o] if name != "array_includes" => (x.to_string(), o.to_string()),
                    _ => return Err(Refusal::invalid(format!("{name} takes a function of an element"))),
                };
                form.replace("{x}", &x).replace("{o}", &o).replace("{body}", &format!("({})", lambda.body))
            }
            None => {
                match FORMS.iter().find(|(known, count, _)| *known == name && *count == arguments.len()) {
                    Some((_, _, form)) => (*form).to_owned(),
                    None => return Ok(None),
                }
            }
        };
        let count = if lambda.is_some() { 1 } else { arguments.len() };
        let written = arguments.iter().take(count).enumerate();
        let text = written.fold(text, |text, (place, argument)| {
            text.replace(&format!("{{{place}}}"), &format!("({argument})"))
        });
        let written = parse::warehouse_expr(&text)?;
        self.expr(&written, scope).map(Some)
    }
}

/// `ARRAY_ZIP(one, other, …, (x, y) -> …, mode => 'PAD')`: the elements at the same places, as structures or as the function makes
/// them. The mode is the last argument here.
fn zipped(arguments: &[&ast::Expr]) -> Result<String, Refusal> {
    let wrong =
        || Refusal::invalid("ARRAY_ZIP takes two to four arrays, a function of their elements and a mode");
    let (mode, arguments) = match arguments.split_last() {
        Some((ast::Expr::Value(mode), rest)) => match &mode.value {
            ast::Value::SingleQuotedString(mode) | ast::Value::DoubleQuotedString(mode) => {
                (mode.to_uppercase(), rest)
            }
            _ => return Err(wrong()),
        },
        _ => ("STRICT".to_owned(), arguments),
    };
    let (lambda, lists) = match arguments.split_last() {
        Some((ast::Expr::Lambda(lambda), lists)) => (Some(lambda), lists),
        _ => (None, arguments),
    };
    if !(2..=4).contains(&lists.len()) {
        return Err(wrong());
    }
    let lengths: Vec<_> = lists.iter().map(|list| format!("array_length({list})")).collect();
    let all = lengths.join(", ");
    let count = match mode.as_str() {
        "TRUNCATE" => format!("least({all})"),
        "PAD" => format!("greatest({all})"),
        "STRICT" => format!(
            "if(least({all}) = greatest({all}), {}, cast(error('ARRAY_ZIP: the arrays differ in length') as int64))",
            lengths[0]
        ),
        _ => return Err(Refusal::invalid(format!("ARRAY_ZIP has no mode {mode}"))),
    };
    let elements: Vec<_> = lists.iter().map(|list| format!("({list})[safe_offset(form_o)]")).collect();
    let from = format!("unnest(generate_array(0, {count} - 1)) as form_o");
    let list = match lambda {
        None => format!("array(select struct({}) from {from} order by form_o)", elements.join(", ")),
        Some(lambda) => {
            let parameters: Vec<_> = match &lambda.params {
                ast::OneOrManyWithParens::One(one) => vec![&one.name],
                ast::OneOrManyWithParens::Many(many) => many.iter().map(|one| &one.name).collect(),
            };
            if parameters.len() != lists.len() {
                return Err(wrong());
            }
            let named = elements.iter().zip(parameters).map(|(element, name)| format!("{element} as {name}"));
            let named = named.collect::<Vec<_>>().join(", ");
            format!(
                "array(select ({}) from (select {named}, form_o as form_p from {from}) order by form_p)",
                lambda.body
            )
        }
    };
    let missing: Vec<_> = lists.iter().map(|list| format!("({list}) is null")).collect();
    Ok(format!("if({}, null, {list})", missing.join(" or ")))
}

/// `SEARCH(text, 'words')`: whether the text has each of the words, in letters of any case.
fn searched(text: &ast::Expr, query: &str) -> Result<String, Refusal> {
    if query.contains(['"', '\\', '`'])
        || query.split_whitespace().any(|word| word == "OR" || word.starts_with('-'))
    {
        return Err(Refusal::unsupported("SEARCH with other than words"));
    }
    let lower = query.to_lowercase();
    let words = lower.split(|sign: char| !sign.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let found = |word: &str| format!("regexp_contains(lower({text}), r'(^|[^a-z0-9]){word}([^a-z0-9]|$)')");
    let all: Vec<_> = words.map(found).collect();
    if all.is_empty() {
        return Err(Refusal::invalid("SEARCH needs a word"));
    }
    Ok(format!("({})", all.join(" and ")))
}
