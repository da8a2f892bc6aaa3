//! Paths in XML documents: steps by name, `*`, `//`, `.`, `..`, `@name`, `text()`, conditions by number and by value, `count()`,
//! `string()`. Anything else is refused.

use sim_values::budget::Budget;

use super::tree::{Element, Node, escaped};
use sim_values::error::{Result, SqlError, SqlState};

/// What a path has found.
#[derive(Clone)]
enum Found<'t> {
    /// An element with those around it, the outermost first.
    Element(Vec<&'t Element>),
    Text(&'t str),
    Attribute(&'t str),
}

impl Found<'_> {
    fn print(&self) -> String {
        match self {
            Found::Element(path) => {
                let mut out = String::new();
                if let Some(element) = path.last() {
                    element.print(&mut out);
                }
                out
            }
            Found::Text(text) => (*text).to_owned(),
            Found::Attribute(value) => escaped(value),
        }
    }

    fn value(&self) -> String {
        match self {
            Found::Element(path) => path.last().map(|element| element.text()).unwrap_or_default(),
            Found::Text(text) => (*text).to_owned(),
            Found::Attribute(value) => (*value).to_owned(),
        }
    }
}

/// The texts of what a path finds in a document.
pub(super) fn find(path: &str, root: &Element, budget: &Budget) -> Result<Vec<String>> {
    let path = path.trim();
    if path.is_empty() {
        return Err(SqlError::new(SqlState::new("22000"), "empty XPath expression"));
    }
    let within = |function: &str| path.strip_prefix(function)?.strip_suffix(')');
    if let Some(inner) = within("count(") {
        return Ok(vec![found(inner, vec![root], budget)?.len().to_string()]);
    }
    if let Some(inner) = within("string(") {
        let first = found(inner, vec![root], budget)?.into_iter().next();
        return Ok(vec![escaped(&first.map(|first| first.value()).unwrap_or_default())]);
    }
    Ok(found(path, vec![root], budget)?.iter().map(Found::print).collect())
}

fn unsupported(path: &str) -> SqlError {
    SqlError::unsupported(format!("the XPath expression \"{path}\""))
}

/// What a path finds, from an element on. A path that begins with a slash starts at the document.
fn found<'t>(path: &str, from: Vec<&'t Element>, budget: &Budget) -> Result<Vec<Found<'t>>> {
    let mut rest = path.trim();
    let mut now = vec![Found::Element(if rest.starts_with('/') { from[..1].to_vec() } else { from })];
    while !rest.is_empty() {
        let anywhere = rest.starts_with("//");
        rest = rest.trim_start_matches('/');
        let (step, after) = step_of(rest).ok_or_else(|| unsupported(path))?;
        rest = after;
        let mut next = Vec::new();
        for place in &now {
            let Found::Element(place) = place else { return Err(unsupported(path)) };
            let mut starts = Vec::new();
            if anywhere {
                below(place, &mut starts, budget)?;
            } else {
                starts.push(place.clone());
            }
            for start in starts {
                next.extend(taken(step, &start, budget)?.ok_or_else(|| unsupported(path))?);
            }
        }
        now = next;
    }
    Ok(now)
}

/// The first step of a path, and what follows.
fn step_of(path: &str) -> Option<(&str, &str)> {
    let (mut depth, mut quote) = (0, None);
    for (at, letter) in path.char_indices() {
        match (quote, letter) {
            (Some(open), letter) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '[') => depth += 1,
            (None, ']') => depth -= 1,
            (None, '/') if depth == 0 => return (at > 0).then(|| path.split_at(at)),
            _ => {}
        }
    }
    (!path.is_empty() && depth == 0).then_some((path, ""))
}

/// An element and all elements in it.
fn below<'t>(place: &[&'t Element], out: &mut Vec<Vec<&'t Element>>, budget: &Budget) -> Result<()> {
    budget.work(4 + place.len())?;
    out.push(place.to_vec());
    for child in children(place) {
        below(&child, out, budget)?;
    }
    Ok(())
}

fn children<'t>(place: &[&'t Element]) -> Vec<Vec<&'t Element>> {
    let inner = place.last().map(|element| &element.children[..]).unwrap_or_default().iter();
    let elements = inner.filter_map(|child| match child {
        Node::Element(element) => Some([place, &[element]].concat()),
        Node::Text(_) => None,
    });
    elements.collect()
}

/// What one step finds. `None` for a step of another form.
fn taken<'t>(step: &str, place: &[&'t Element], budget: &Budget) -> Result<Option<Vec<Found<'t>>>> {
    let Some(here) = place.last() else { return Ok(None) };
    budget.work(2 + here.children.len() + here.attributes.len())?;
    let (name, mut conditions) = step.split_at(step.find('[').unwrap_or(step.len()));
    let name = name.trim();
    let mut all: Vec<Found<'t>> = match (name, name.strip_prefix('@')) {
        (".", _) => vec![Found::Element(place.to_vec())],
        ("..", _) => {
            place.split_last().map(|(_, outer)| Found::Element(outer.to_vec())).into_iter().collect()
        }
        ("text()", _) => {
            let texts = here.children.iter().filter_map(|child| match child {
                Node::Text(text) => Some(Found::Text(text)),
                Node::Element(_) => None,
            });
            texts.collect()
        }
        (_, Some(wanted)) => {
            let known = here.attributes.iter().filter(|(name, _)| wanted == "*" || name == wanted);
            known
                .filter(|(name, _)| !name.starts_with("xmlns"))
                .map(|(_, value)| Found::Attribute(value))
                .collect()
        }
        _ if !is_name(name) => return Ok(None),
        _ => {
            let same =
                |element: &Element| name == "*" || element.name == name && !in_namespace(place, element);
            let elements = children(place).into_iter();
            elements.filter(|path| path.last().is_some_and(|last| same(last))).map(Found::Element).collect()
        }
    };
    while let Some(rest) = conditions.strip_prefix('[') {
        let Some((condition, after)) = rest.split_once(']') else { return Ok(None) };
        conditions = after;
        let Some(kept) = kept(condition.trim(), all, budget)? else { return Ok(None) };
        all = kept;
    }
    Ok(conditions.trim().is_empty().then_some(all))
}

fn is_name(name: &str) -> bool {
    name == "*"
        || !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || "_-.".contains(letter))
}

/// Whether a name without a prefix belongs to a namespace, which paths without one do not mean.
fn in_namespace(around: &[&Element], element: &Element) -> bool {
    around.iter().copied().chain([element]).any(|one| one.attributes.iter().any(|(name, _)| name == "xmlns"))
}

/// Those for which a condition holds.
fn kept<'t>(condition: &str, all: Vec<Found<'t>>, budget: &Budget) -> Result<Option<Vec<Found<'t>>>> {
    if condition == "last()" {
        return Ok(Some(all.into_iter().next_back().into_iter().collect()));
    }
    if let Ok(number) = condition.parse::<usize>() {
        return Ok(Some(all.into_iter().skip(number.wrapping_sub(1)).take(1).collect()));
    }
    let (path, wanted) = match condition.split_once('=') {
        None => (condition, None),
        Some((path, value)) => {
            let value = value.trim();
            let text = value.strip_prefix(['"', '\'']).and_then(|inner| inner.strip_suffix(['"', '\'']));
            let number = value.parse::<f64>().is_ok().then_some(value);
            match text.or(number) {
                Some(value) => (path.trim(), Some(value)),
                None => return Ok(None),
            }
        }
    };
    let simple = path == "." || path == "text()" || is_name(path.strip_prefix('@').unwrap_or(path));
    if !simple {
        return Ok(None);
    }
    let mut out = Vec::new();
    for one in all {
        let Found::Element(place) = &one else { return Ok(None) };
        let seen = found(path, place.clone(), budget)?;
        if seen.iter().any(|seen| wanted.is_none_or(|wanted| seen.value() == wanted)) {
            out.push(one);
        }
    }
    Ok(Some(out))
}
