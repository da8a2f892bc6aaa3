//! The extension `intarray`: arrays of integers as lists and sets.

use rusqlite::types::Value;
use serde_json::Value as Element;

use super::text::truth;
use super::{Arguments, Function};
use crate::decoded::parsing_work;
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::array;

const I: Type = Type::INT4;
const L: Type = Type(1007);

pub(super) static FUNCTIONS: &[Function] = &[
    own("icount", &[L], I, |a| number(list(a, 0)?.len() as i64)),
    own("#", &[L], I, |a| number(list(a, 0)?.len() as i64)),
    own("sort", &[L, Type::TEXT], L, |a| {
        let down = match a.text(1).to_ascii_lowercase().as_str() {
            "asc" => false,
            "desc" => true,
            _ => {
                let message = "second parameter must be \"ASC\" or \"DESC\"";
                return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
            }
        };
        sorted(a, down)
    }),
    own("sort", &[L], L, |a| sorted(a, false)),
    own("sort_asc", &[L], L, |a| sorted(a, false)),
    own("sort_desc", &[L], L, |a| sorted(a, true)),
    own("uniq", &[L], L, |a| {
        let mut list = list(a, 0)?;
        list.dedup();
        made(list)
    }),
    own("idx", &[L, I], I, place),
    own("#", &[L, I], I, place),
    own("subarray", &[L, I, I], L, |a| part(a, a.int(2))),
    own("subarray", &[L, I], L, |a| part(a, 0)),
    own("intset", &[I], L, |a| made(vec![a.int(0)])),
    own("+", &[L, I], L, |a| joined(a, vec![a.int(1)])),
    own("intarray_push_elem", &[L, I], L, |a| joined(a, vec![a.int(1)])),
    own("+", &[L, L], L, |a| joined(a, list(a, 1)?)),
    own("intarray_push_array", &[L, L], L, |a| joined(a, list(a, 1)?)),
    own("-", &[L, I], L, without),
    own("intarray_del_elem", &[L, I], L, without),
    own("-", &[L, L], L, difference),
    own("intset_subtract", &[L, L], L, difference),
    own("|", &[L, I], L, |a| made(set([list(a, 0)?, vec![a.int(1)]].concat()))),
    own("intset_union_elem", &[L, I], L, |a| made(set([list(a, 0)?, vec![a.int(1)]].concat()))),
    own("|", &[L, L], L, |a| made(set([list(a, 0)?, list(a, 1)?].concat()))),
    own("_int_union", &[L, L], L, |a| made(set([list(a, 0)?, list(a, 1)?].concat()))),
    own("&", &[L, L], L, common),
    own("_int_inter", &[L, L], L, common),
    own("@@", &[L, Type::QUERY_INT], Type::BOOL, |a| answers(a, 0, 1)),
    own("boolop", &[L, Type::QUERY_INT], Type::BOOL, |a| answers(a, 0, 1)),
    own("~~", &[Type::QUERY_INT, L], Type::BOOL, |a| answers(a, 1, 0)),
    own("rboolop", &[Type::QUERY_INT, L], Type::BOOL, |a| answers(a, 1, 0)),
    own("querytree", &[Type::QUERY_INT], Type::TEXT, |a| Ok(Value::Text(a.text(0).to_owned()))),
];

const fn own(
    name: &'static str,
    arguments: &'static [Type],
    returns: Type,
    call: fn(&Arguments<'_, '_>) -> Result<Value>,
) -> Function {
    Function::rust(name, arguments, returns, call).of_extension("intarray")
}

/// The numbers of an array, whatever its dimensions.
fn list(a: &Arguments<'_, '_>, index: usize) -> Result<Vec<i64>> {
    fn flatten(elements: Vec<Element>, out: &mut Vec<i64>) -> Result<()> {
        for element in elements {
            match element {
                Element::Array(nested) => flatten(nested, out)?,
                Element::Null => {
                    return Err(SqlError::new(SqlState::new("22004"), "array must not contain nulls"));
                }
                other => out.extend(other.as_i64()),
            }
        }
        Ok(())
    }
    a.budget().work(parsing_work(a.bytes(index)))?;
    let mut out = Vec::new();
    flatten(array::elements(a.text(index)), &mut out)?;
    Ok(out)
}

fn number(value: i64) -> Result<Value> {
    Ok(Value::Integer(value))
}

fn made(list: Vec<i64>) -> Result<Value> {
    Ok(array::of(list.into_iter().map(Element::from).collect()))
}

fn set(mut list: Vec<i64>) -> Vec<i64> {
    list.sort_unstable();
    list.dedup();
    list
}

fn sorted(a: &Arguments<'_, '_>, down: bool) -> Result<Value> {
    let mut list = list(a, 0)?;
    list.sort_unstable();
    if down {
        list.reverse();
    }
    made(list)
}

/// The place of a number, from one on; zero if it is not there.
fn place(a: &Arguments<'_, '_>) -> Result<Value> {
    let found = list(a, 0)?.into_iter().position(|one| one == a.int(1));
    number(found.map_or(0, |at| at as i64 + 1))
}

/// A part from a place on, which counts from the end if it is negative. So does the length, which then leaves out the last ones; zero
/// stands for all.
fn part(a: &Arguments<'_, '_>, length: i64) -> Result<Value> {
    let list = list(a, 0)?;
    let count = list.len() as i64;
    let start = if a.int(1) > 0 { a.int(1) - 1 } else { a.int(1) };
    let start = if start < 0 { count + start } else { start };
    let end = match length {
        0 => count,
        length if length < 0 => count + length,
        length => start + length,
    };
    let (start, end) = (start.max(0), end.min(count));
    if start >= end {
        return made(Vec::new());
    }
    made(list.into_iter().skip(start as usize).take((end - start) as usize).collect())
}

fn joined(a: &Arguments<'_, '_>, more: Vec<i64>) -> Result<Value> {
    made([list(a, 0)?, more].concat())
}

fn without(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut list = list(a, 0)?;
    list.retain(|one| *one != a.int(1));
    made(list)
}

fn difference(a: &Arguments<'_, '_>) -> Result<Value> {
    let gone = set(list(a, 1)?);
    let mut left = set(list(a, 0)?);
    left.retain(|one| gone.binary_search(one).is_err());
    made(left)
}

fn common(a: &Arguments<'_, '_>) -> Result<Value> {
    let other = set(list(a, 1)?);
    let mut left = set(list(a, 0)?);
    left.retain(|one| other.binary_search(one).is_ok());
    made(left)
}

fn answers(a: &Arguments<'_, '_>, list_at: usize, query_at: usize) -> Result<Value> {
    let list = set(list(a, list_at)?);
    a.budget().work(a.text(query_at).len())?;
    truth(sim_values::value::query_int::matches(a.text(query_at), &|one| list.binary_search(&one).is_ok()))
}
