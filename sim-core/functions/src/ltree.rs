//! The extension `ltree`: paths of labels, and patterns that match them. All are stored as their texts.

use rusqlite::types::Value;

use super::text::{own, truth};
use super::{Arguments, Function};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::ltree::{labels, parse_query, parse_text_query};
use sim_values::value::{array, ltree};

const L: Type = Type::LTREE;
const Q: Type = Type::LQUERY;
const X: Type = Type::LTXTQUERY;
const T: Type = Type::TEXT;
const I: Type = Type::INT4;
const BOOL: Type = Type::BOOL;
const LS: Type = Type(9023);
const QS: Type = Type(9025);
const BOTH: &[Type] = &[L, L];

pub(super) static FUNCTIONS: &[Function] = &[
    of("@>", BOTH, BOOL, |a| truth(is_above(a, 0, 1)?)),
    of("ltree_isparent", BOTH, BOOL, |a| truth(is_above(a, 0, 1)?)),
    of("<@", BOTH, BOOL, |a| truth(is_above(a, 1, 0)?)),
    of("ltree_risparent", BOTH, BOOL, |a| truth(is_above(a, 1, 0)?)),
    of("~", &[L, Q], BOOL, |a| truth(matches(a, a.text(0), a.text(1))?)),
    of("~", &[Q, L], BOOL, |a| truth(matches(a, a.text(1), a.text(0))?)),
    of("ltq_regex", &[L, Q], BOOL, |a| truth(matches(a, a.text(0), a.text(1))?)),
    of("?", &[L, QS], BOOL, |a| truth(matches_any(a, a.text(0), a.text(1))?)),
    of("?", &[QS, L], BOOL, |a| truth(matches_any(a, a.text(1), a.text(0))?)),
    of("@", &[L, X], BOOL, |a| truth(has_words(a, a.text(0), a.text(1))?)),
    of("@", &[X, L], BOOL, |a| truth(has_words(a, a.text(1), a.text(0))?)),
    of("||", BOTH, L, |a| joined(a.text(0), a.text(1))),
    of("||", &[L, T], L, |a| joined(a.text(0), a.text(1))),
    of("||", &[T, L], L, |a| joined(a.text(0), a.text(1))),
    of("ltree_addltree", BOTH, L, |a| joined(a.text(0), a.text(1))),
    of("nlevel", &[L], I, |a| Ok(Value::Integer(read(a, 0)?.len() as i64))),
    of("subltree", &[L, I, I], L, |a| part(&read(a, 0)?, a.int(1), a.int(2))),
    of("subpath", &[L, I, I], L, |a| subpath(a, Some(a.int(2)))),
    of("subpath", &[L, I], L, |a| subpath(a, None)),
    of("index", BOTH, I, |a| place(a, 0)),
    of("index", &[L, L, I], I, |a| place(a, a.int(2))),
    of("text2ltree", &[T], L, |a| own(ltree::parse(a.text(0))?)),
    of("ltree2text", &[L], T, |a| own(a.text(0).to_owned())),
    of("lca", &[LS], L, |a| {
        a.budget().work(a.text(0).len() / 4)?;
        let paths = array::elements(a.text(0));
        common(paths.iter().filter_map(|path| path.as_str()).collect())
    }),
    of("lca", BOTH, L, common_of),
    of("lca", &[L, L, L], L, common_of),
    of("lca", &[L, L, L, L], L, common_of),
    of("lca", &[L, L, L, L, L], L, common_of),
];

const fn of(
    name: &'static str,
    arguments: &'static [Type],
    returns: Type,
    call: fn(&Arguments<'_, '_>) -> Result<Value>,
) -> Function {
    Function::rust(name, arguments, returns, call).of_extension("ltree")
}

fn read<'a>(a: &'a Arguments<'_, '_>, index: usize) -> Result<Vec<&'a str>> {
    a.budget().work(a.text(index).len() / 4)?;
    Ok(labels(a.text(index)))
}

fn is_above(a: &Arguments<'_, '_>, above: usize, below: usize) -> Result<bool> {
    Ok(read(a, below)?.starts_with(&read(a, above)?))
}

fn joined(left: &str, right: &str) -> Result<Value> {
    let between = if left.is_empty() || right.is_empty() { "" } else { "." };
    own(ltree::parse(&format!("{left}{between}{right}"))?)
}

fn part(labels: &[&str], from: i64, to: i64) -> Result<Value> {
    let count = labels.len() as i64;
    if from < 0 || to < 0 || from >= count || from > to {
        return Err(SqlError::new(SqlState::INVALID_PARAMETER, "invalid positions"));
    }
    own(labels[from as usize..to.min(count) as usize].join("."))
}

fn subpath(a: &Arguments<'_, '_>, length: Option<i64>) -> Result<Value> {
    let labels = read(a, 0)?;
    let count = labels.len() as i64;
    let mut from = a.int(1);
    for _ in 0..2 {
        if from < 0 {
            from += count;
        }
    }
    let to = match length {
        None => count.max(from),
        Some(length) if length < 0 => count + length,
        Some(length) => from + length,
    };
    part(&labels, from, to)
}

/// Where the labels of one path are in another, from a place on.
fn place(a: &Arguments<'_, '_>, from: i64) -> Result<Value> {
    let (whole, sought) = (read(a, 0)?, read(a, 1)?);
    let count = whole.len() as i64;
    let from = if from < 0 { (count + from).max(0) } else { from };
    a.budget().work(whole.len() * sought.len())?;
    let found = (from..=count - sought.len() as i64)
        .find(|at| !sought.is_empty() && whole[*at as usize..].starts_with(&sought));
    Ok(Value::Integer(found.unwrap_or(-1)))
}

fn common_of(a: &Arguments<'_, '_>) -> Result<Value> {
    a.budget().work((0..a.len()).map(|index| a.text(index).len() / 4).sum())?;
    common((0..a.len()).map(|index| a.text(index)).collect())
}

/// The longest path that is above all of these.
fn common(paths: Vec<&str>) -> Result<Value> {
    let mut paths = paths.into_iter().map(labels);
    let Some(mut above) = paths.next() else { return Ok(Value::Null) };
    above.pop();
    for path in paths {
        let most = path.len().saturating_sub(1);
        let same = above.iter().zip(&path[..most]).take_while(|(left, right)| left == right).count();
        above.truncate(same);
    }
    own(above.join("."))
}

fn matches_any(a: &Arguments<'_, '_>, path: &str, queries: &str) -> Result<bool> {
    for query in array::elements(queries) {
        if matches(a, path, query.as_str().unwrap_or_default())? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn matches(a: &Arguments<'_, '_>, path: &str, query: &str) -> Result<bool> {
    let (labels, levels) = (labels(path), parse_query(query)?);
    a.budget().work((labels.len() + 1) * (labels.len() + 1) * levels.len() + query.len())?;
    // The places in the path up to which the levels so far can match.
    let mut ends = vec![true];
    ends.resize(labels.len() + 1, false);
    for level in &levels {
        let mut next = vec![false; labels.len() + 1];
        for from in (0..=labels.len()).filter(|from| ends[*from]) {
            for to in from..=labels.len() {
                let count = to - from;
                if count > level.most || to > from && !level.accepts(labels[to - 1]) {
                    break;
                }
                next[to] |= count >= level.least;
            }
        }
        ends = next;
    }
    Ok(ends[labels.len()])
}

fn has_words(a: &Arguments<'_, '_>, path: &str, query: &str) -> Result<bool> {
    let labels = labels(path);
    a.budget().work(labels.len() * query.len())?;
    parse_text_query(query, &|word| labels.iter().any(|label| word.fits(label)))
}
