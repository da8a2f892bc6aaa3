//! How well a document matches a query. The formulas are PostgreSQL's, in the precision of its types.

use std::collections::BTreeSet;

use sim_values::budget::Budget;
use sim_values::value::tsquery::{Query, Word};
use sim_values::value::tsvector::{Lexeme, POSITION_MAX, Position, Vector};

use super::matching::{Found, Words, matches};
use sim_values::error::{Result, SqlError, SqlState};

/// The weights of D, C, B and A.
pub(super) const WEIGHTS: [f32; 4] = [0.1, 0.2, 0.4, 1.0];

/// The sum of 1/n² over all n.
const SQUARES: f64 = 1.644_934_066_85;

/// What the rank is divided by, one bit each.
#[derive(Clone, Copy)]
pub(super) struct Normal(pub(super) i64);

impl Normal {
    fn has(self, bit: i64) -> bool {
        self.0 & bit != 0
    }
}

/// The number of words of a document.
fn length(vector: &Vector) -> usize {
    vector.0.iter().map(|lexeme| lexeme.positions.len().max(1)).sum()
}

/// The different words of a query in their order.
fn unique(query: &Query) -> Vec<&Word> {
    let mut words = query.words();
    // PostgreSQL stores the last word first, and keeps the first of equal ones.
    words.reverse();
    words.sort_by(|a, b| a.text.cmp(&b.text));
    words.dedup_by(|a, b| a.text == b.text);
    words
}

fn found<'a>(vector: &'a Vector, word: &Word) -> &'a [Lexeme] {
    if word.prefix {
        vector.beginning(&word.text)
    } else {
        vector.find(&word.text).map(std::slice::from_ref).unwrap_or_default()
    }
}

/// `ts_rank`: by frequency of the words.
pub(super) fn rank(
    weights: [f32; 4],
    vector: &Vector,
    query: &Query,
    normal: Normal,
    budget: &Budget,
) -> Result<f32> {
    if vector.0.is_empty() {
        return Ok(0.0);
    }
    let words = unique(query);
    let together = matches!(query, Query::And(_) | Query::Phrase(..)) && words.len() > 1;
    let mut result = if together {
        near(weights, vector, &words, budget)?
    } else {
        frequent(weights, vector, &words, budget)?
    };
    if result < 0.0 {
        result = 1e-20;
    }
    let (length, count) = (length(vector) as f64, vector.0.len() as f64);
    if normal.has(1) {
        result = (f64::from(result) / (libm::log(length + 1.0) / std::f64::consts::LN_2)) as f32;
    }
    if normal.has(2) {
        result /= length as f32;
    }
    if normal.has(8) {
        result /= count as f32;
    }
    if normal.has(16) {
        result = (f64::from(result) / (libm::log(count + 1.0) / std::f64::consts::LN_2)) as f32;
    }
    if normal.has(32) {
        result /= result + 1.0;
    }
    Ok(result)
}

/// The rank of any of the words.
fn frequent(weights: [f32; 4], vector: &Vector, words: &[&Word], budget: &Budget) -> Result<f32> {
    const NOWHERE: [Position; 1] = [Position { at: 0, weight: 0 }];
    let mut result = 0.0_f32;
    for word in words {
        for lexeme in found(vector, word) {
            let positions =
                if lexeme.positions.is_empty() { &NOWHERE[..] } else { lexeme.positions.as_slice() };
            budget.work(positions.len())?;
            let (mut sum, mut best, mut best_at) = (0.0_f32, -1.0_f32, 0_usize);
            for (index, position) in positions.iter().enumerate() {
                let weight = weights[usize::from(position.weight)];
                sum += weight / ((index + 1) * (index + 1)) as f32;
                if weight > best {
                    (best, best_at) = (weight, index);
                }
            }
            let rest = best + sum - best / ((best_at + 1) * (best_at + 1)) as f32;
            result = (f64::from(result) + f64::from(rest) / SQUARES) as f32;
        }
    }
    if !words.is_empty() {
        result /= words.len() as f32;
    }
    Ok(result)
}

/// The rank of several words near to each other; negative if there are not two of them.
fn near(weights: [f32; 4], vector: &Vector, words: &[&Word], budget: &Budget) -> Result<f32> {
    const NOWHERE: [Position; 1] = [Position { at: POSITION_MAX, weight: 0 }];
    let mut result = -1.0_f32;
    let mut before: Vec<Option<(&[Position], bool)>> = Vec::new();
    for word in words {
        let mut mine = None;
        for lexeme in found(vector, word) {
            let known = !lexeme.positions.is_empty();
            let positions = if known { lexeme.positions.as_slice() } else { &NOWHERE[..] };
            mine = Some((positions, known));
            for (others, others_known) in before.iter().flatten() {
                budget.work(5 * positions.len() * others.len())?;
                for position in positions {
                    for other in *others {
                        let distance = position.at.abs_diff(other.at);
                        if distance == 0 && known && *others_known {
                            continue;
                        }
                        let distance = if distance == 0 { 16_384 } else { distance };
                        let weight = weights[usize::from(position.weight)]
                            * weights[usize::from(other.weight)]
                            * closeness(distance);
                        let weight = libm::sqrt(f64::from(weight)) as f32;
                        result = if result < 0.0 {
                            weight
                        } else {
                            (1.0 - (1.0 - f64::from(result)) * (1.0 - f64::from(weight))) as f32
                        };
                    }
                }
            }
        }
        before.push(mine);
    }
    Ok(result)
}

fn closeness(distance: u16) -> f32 {
    if distance > 100 {
        return 1e-30;
    }
    (1.0 / (1.005 + 0.05 * libm::exp(f64::from(f32::from(distance)) / 1.5 - 2.0))) as f32
}

/// A word of the document that the query has.
struct Place {
    position: Position,
    /// The numbers of the query's words that it stands for.
    words: BTreeSet<usize>,
}

/// The words of a part of the document.
struct Part<'a> {
    query: &'a [&'a Word],
    places: &'a [Place],
}

impl Words for Part<'_> {
    fn find(&self, word: &Word) -> Found {
        let Some(number) = self.query.iter().position(|known| std::ptr::eq(*known, word)) else {
            return Found::Nothing;
        };
        let at = self.places.iter().filter(|place| place.words.contains(&number));
        let mut at: Vec<u16> = at.map(|place| place.position.at).collect();
        at.dedup();
        if at.is_empty() { Found::Nothing } else { Found::At(at) }
    }

    fn cost(&self, _: &Word) -> usize {
        5 + self.query.len() / 4 + self.places.len()
    }
}

/// `ts_rank_cd`: by the density of parts that match.
pub(super) fn rank_by_cover(
    weights: [f32; 4],
    vector: &Vector,
    query: &Query,
    normal: Normal,
    budget: &Budget,
) -> Result<f32> {
    let words = query.words();
    let places = places(vector, &words, budget)?;
    if places.is_empty() {
        return Ok(0.0);
    }
    let inverse = weights.map(|weight| 1.0 / f64::from(weight));
    let (mut rank, mut distances, mut last, mut count) = (0.0_f64, 0.0_f64, 0.0_f64, 0_u32);
    let mut from = 0;
    while let Some((first, end)) = cover(&places, &mut from, (query, &words), budget)? {
        let covered = &places[first..=end];
        let sum: f64 = covered.iter().map(|place| inverse[usize::from(place.position.weight)]).sum();
        let words = covered.len() as f64;
        let (start, stop) = (places[first].position.at, places[end].position.at);
        let noise = i64::from(stop) - i64::from(start) - (end - first) as i64;
        let noise = if noise < 0 { ((end - first) / 2) as f64 } else { noise as f64 };
        rank += words / sum / (1.0 + noise);
        let middle = f64::from(u32::from(start) + u32::from(stop)) / 2.0;
        if count > 0 && middle > last {
            distances += 1.0 / (middle - last);
        }
        last = middle;
        count += 1;
    }
    let (length, lexemes) = (length(vector) as f64, vector.0.len() as f64);
    if normal.has(1) {
        rank /= libm::log(length + 1.0);
    }
    if normal.has(2) {
        rank /= length;
    }
    if normal.has(4) && count > 0 && distances > 0.0 {
        rank /= f64::from(count) / distances;
    }
    if normal.has(8) {
        rank /= lexemes;
    }
    if normal.has(16) {
        rank /= libm::log(lexemes + 1.0) / std::f64::consts::LN_2;
    }
    if normal.has(32) {
        rank /= rank + 1.0;
    }
    Ok(rank as f32)
}

/// The words of the document that the query has, in the order of the document.
fn places(vector: &Vector, words: &[&Word], budget: &Budget) -> Result<Vec<Place>> {
    let mut all: Vec<(u16, u8, &str, usize)> = Vec::new();
    for (number, word) in words.iter().enumerate() {
        budget.work(10)?;
        for lexeme in found(vector, word) {
            budget.work(5 * (1 + lexeme.positions.len()))?;
            let fits = |p: &&Position| word.weights == 0 || word.weights & (1 << p.weight) != 0;
            let positions = lexeme.positions.iter().filter(fits);
            all.extend(positions.map(|p| (p.at, p.weight, lexeme.text.as_str(), number)));
        }
    }
    all.sort_unstable();
    let mut places: Vec<Place> = Vec::new();
    let mut last = None;
    for (at, weight, text, number) in all {
        match places.last_mut().filter(|_| last == Some((at, weight, text))) {
            Some(place) => {
                place.words.insert(number);
            }
            None => places.push(Place { position: Position { at, weight }, words: BTreeSet::from([number]) }),
        }
        last = Some((at, weight, text));
    }
    Ok(places)
}

/// The next shortest part, from `from` on, that matches. Afterwards, `from` is after its first word.
fn cover(
    places: &[Place],
    from: &mut usize,
    (query, words): (&Query, &[&Word]),
    budget: &Budget,
) -> Result<Option<(usize, usize)>> {
    let matching = |range: &[Place]| {
        budget.work(5 + range.len())?;
        matches(&Part { query: words, places: range }, query, budget)
    };
    while *from < places.len() {
        let mut end = *from;
        while !matching(&places[*from..=end])? {
            end += 1;
            if end == places.len() {
                return Ok(None);
            }
        }
        if places[end].position.at == 0 {
            return Ok(None);
        }
        let mut first = end;
        while first > *from && !matching(&places[first..=end])? {
            first -= 1;
        }
        *from = first + 1;
        if places[first].position.at <= places[end].position.at && matching(&places[first..=end])? {
            return Ok(Some((first, end)));
        }
    }
    Ok(None)
}

/// The weights in an array.
pub(super) fn weights(items: &[serde_json::Value]) -> Result<[f32; 4]> {
    if items.len() < 4 {
        return Err(SqlError::new(SqlState::new("2202E"), "array of weight is too short"));
    }
    let mut weights = WEIGHTS;
    for (weight, item) in weights.iter_mut().zip(items) {
        let Some(given) = item.as_f64() else {
            return Err(SqlError::new(SqlState::new("22004"), "array of weight must not contain nulls"));
        };
        if given > 1.0 {
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, "weight out of range"));
        }
        if given >= 0.0 {
            *weight = given as f32;
        }
    }
    Ok(weights)
}
