//! The extension `pg_trgm`: how similar two texts are by the sequences of three characters that they share.
//!
//! A word is its letters and digits in lower case, with two blanks before them and one after.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::types::Value;
use serde_json::Value as Element;

use super::text::truth;
use super::{Arguments, Form, Function};
use sim_values::error::{Result, SqlError};
use sim_values::types::Type;
use sim_values::value::array;

const TT: &[Type] = &[Type::TEXT, Type::TEXT];
const REAL: Type = Type::FLOAT4;
const BOOL: Type = Type::BOOL;

pub(super) static FUNCTIONS: &[Function] = &[
    own("similarity", TT, REAL, |a| real(similarity(a)?)),
    own("similarity_dist", TT, REAL, |a| real(1.0 - similarity(a)?)),
    own("<->", TT, REAL, |a| real(1.0 - similarity(a)?)),
    own("%", TT, BOOL, |a| truth(similarity(a)? >= limit(a, 2))),
    own("similarity_op", TT, BOOL, |a| truth(similarity(a)? >= limit(a, 2))),
    own("word_similarity", TT, REAL, |a| real(word(a, 0, 1, false)?)),
    own("strict_word_similarity", TT, REAL, |a| real(word(a, 0, 1, true)?)),
    own("<%", TT, BOOL, |a| truth(word(a, 0, 1, false)? >= limit(a, 2))),
    own("%>", TT, BOOL, |a| truth(word(a, 1, 0, false)? >= limit(a, 2))),
    own("<<%", TT, BOOL, |a| truth(word(a, 0, 1, true)? >= limit(a, 2))),
    own("%>>", TT, BOOL, |a| truth(word(a, 1, 0, true)? >= limit(a, 2))),
    own("<<->", TT, REAL, |a| real(1.0 - word(a, 0, 1, false)?)),
    own("<->>", TT, REAL, |a| real(1.0 - word(a, 1, 0, false)?)),
    own("<<<->", TT, REAL, |a| real(1.0 - word(a, 0, 1, true)?)),
    own("<->>>", TT, REAL, |a| real(1.0 - word(a, 1, 0, true)?)),
    own("show_trgm", &[Type::TEXT], Type(1009), shown),
    own("show_limit", &[], REAL, |a| real(limit(a, 0))),
    // The binder sets the parameter.
    Function::of("set_limit", &[REAL], REAL, Form::Unsupported).of_extension("pg_trgm"),
];

/// The parameter from which the binder adds a further argument to a call, and its value if it is not set.
pub fn parameter(function: &Function) -> Option<(&'static str, &'static str)> {
    if function.extension != Some("pg_trgm") {
        return None;
    }
    match function.name {
        "%" | "similarity_op" | "show_limit" => Some(("pg_trgm.similarity_threshold", "0.3")),
        "<%" | "%>" => Some(("pg_trgm.word_similarity_threshold", "0.6")),
        "<<%" | "%>>" => Some(("pg_trgm.strict_word_similarity_threshold", "0.5")),
        _ => None,
    }
}

/// The threshold, which the binder has added.
fn limit(a: &Arguments<'_, '_>, index: usize) -> f32 {
    a.real(index) as f32
}

const fn own(
    name: &'static str,
    arguments: &'static [Type],
    returns: Type,
    call: fn(&Arguments<'_, '_>) -> Result<Value>,
) -> Function {
    Function::rust(name, arguments, returns, call).of_extension("pg_trgm")
}

fn real(value: f32) -> Result<Value> {
    Ok(Value::Real(f64::from(value)))
}

type Trigram = [char; 3];

/// A trigram in the order of the text.
struct Place {
    trigram: Trigram,
    /// Whether it is the first or last one of a word.
    first: bool,
    last: bool,
}

fn places(a: &Arguments<'_, '_>, index: usize) -> Result<Vec<Place>> {
    let text = a.text(index);
    a.budget().work(2 * text.len())?;
    let mut places = Vec::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let inner = word.chars().flat_map(char::to_lowercase);
        let padded: Vec<char> = [' ', ' '].into_iter().chain(inner).chain([' ']).collect();
        let last = padded.len() - 3;
        places.extend(padded.windows(3).enumerate().map(|(at, three)| Place {
            trigram: [three[0], three[1], three[2]],
            first: at == 0,
            last: at == last,
        }));
    }
    Ok(places)
}

fn trigrams(a: &Arguments<'_, '_>, index: usize) -> Result<BTreeSet<Trigram>> {
    Ok(places(a, index)?.into_iter().map(|place| place.trigram).collect())
}

/// The shared part of `count` of `left` and `right` trigrams.
fn part(count: usize, left: usize, right: usize) -> f32 {
    let all = left + right - count;
    if all == 0 { 0.0 } else { count as f32 / all as f32 }
}

fn similarity(a: &Arguments<'_, '_>) -> Result<f32> {
    let (left, right) = (trigrams(a, 0)?, trigrams(a, 1)?);
    Ok(part(left.intersection(&right).count(), left.len(), right.len()))
}

/// The greatest similarity of a text and a part of another one. If it is strict, the part consists of whole words.
fn word(a: &Arguments<'_, '_>, text: usize, other: usize, strict: bool) -> Result<f32> {
    let wanted = trigrams(a, text)?;
    let places = places(a, other)?;
    // For each trigram of the part, where it is last.
    let mut last: BTreeMap<Trigram, usize> = BTreeMap::new();
    let (mut lower, mut count, mut best) = (strict.then_some(0), 0_usize, 0.0_f32);
    for (upper, place) in places.iter().enumerate() {
        let found = wanted.contains(&place.trigram);
        if lower.is_some() || found {
            let new = last.insert(place.trigram, upper).is_none();
            count += usize::from(new && found);
        }
        if !(if strict { place.last } else { found }) {
            continue;
        }
        let from = lower.unwrap_or(upper);
        // The part is shortened at its start as long as that makes it more similar.
        let (mut kept, mut kept_count, mut now) = (from, count, part(count, wanted.len(), last.len()));
        let (mut some_count, mut some_length) = (count, last.len());
        a.budget().work(5 * (upper - from + 1))?;
        for (at, candidate) in places[..=upper].iter().enumerate().skip(from) {
            if !strict || candidate.first {
                let other = part(some_count, wanted.len(), some_length);
                if other > now {
                    (kept, kept_count, now) = (at, some_count, other);
                }
            }
            if last.get(&candidate.trigram) == Some(&at) {
                some_length -= 1;
                some_count -= usize::from(wanted.contains(&candidate.trigram));
            }
        }
        best = best.max(now);
        for (at, gone) in places[..kept].iter().enumerate().skip(from) {
            if last.get(&gone.trigram) == Some(&at) {
                last.remove(&gone.trigram);
            }
        }
        (lower, count) = (Some(kept), kept_count);
    }
    Ok(best)
}

fn shown(a: &Arguments<'_, '_>) -> Result<Value> {
    let trigrams = trigrams(a, 0)?;
    if trigrams.iter().flatten().any(|c| !c.is_ascii()) {
        return Err(SqlError::unsupported("show_trgm of a text that is not ASCII"));
    }
    Ok(array::of(trigrams.into_iter().map(|three| Element::String(three.iter().collect())).collect()))
}
