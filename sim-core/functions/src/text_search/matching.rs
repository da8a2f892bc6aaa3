//! Whether a document matches a query.

use sim_values::budget::Budget;
use sim_values::value::tsquery::{Query, Word};
use sim_values::value::tsvector::{Lexeme, Position, Vector};

use sim_values::error::Result;

/// What a document has of a word.
pub(super) enum Found {
    Nothing,
    /// The word, without positions.
    Somewhere,
    /// The word at these positions, in order.
    At(Vec<u16>),
}

/// Where words are looked up.
pub(super) trait Words {
    fn find(&self, word: &Word) -> Found;

    /// The work of a lookup.
    fn cost(&self, word: &Word) -> usize;
}

impl Words for Vector {
    fn find(&self, word: &Word) -> Found {
        let lexemes: &[Lexeme] = if word.prefix {
            self.beginning(&word.text)
        } else {
            self.find(&word.text).map(std::slice::from_ref).unwrap_or_default()
        };
        if lexemes.is_empty() {
            return Found::Nothing;
        }
        if lexemes.iter().any(|lexeme| lexeme.positions.is_empty()) {
            return Found::Somewhere;
        }
        let fits = |position: &&Position| word.weights == 0 || word.weights & (1 << position.weight) != 0;
        let positions = lexemes.iter().flat_map(|lexeme| &lexeme.positions).filter(fits);
        let mut positions: Vec<u16> = positions.map(|position| position.at).collect();
        positions.sort_unstable();
        positions.dedup();
        if positions.is_empty() { Found::Nothing } else { Found::At(positions) }
    }

    fn cost(&self, word: &Word) -> usize {
        5 + if word.prefix { self.0.len() / 4 } else { 0 }
    }
}

/// Whether the words match the query.
pub(super) fn matches(words: &dyn Words, query: &Query, budget: &Budget) -> Result<bool> {
    Matcher { words, budget }.whole(query)
}

struct Matcher<'a> {
    words: &'a dyn Words,
    budget: &'a Budget,
}

impl Matcher<'_> {
    fn find(&self, word: &Word) -> Result<Found> {
        self.budget.work(self.words.cost(word))?;
        let found = self.words.find(word);
        if let Found::At(positions) = &found {
            self.budget.work(positions.len())?;
        }
        Ok(found)
    }

    fn whole(&self, query: &Query) -> Result<bool> {
        Ok(match query {
            Query::Word(word) => !matches!(self.find(word)?, Found::Nothing),
            Query::Not(part) => !self.whole(part)?,
            Query::And(parts) => {
                for part in parts {
                    if !self.whole(part)? {
                        return Ok(false);
                    }
                }
                true
            }
            Query::Or(parts) => {
                for part in parts {
                    if self.whole(part)? {
                        return Ok(true);
                    }
                }
                false
            }
            // A phrase needs positions.
            Query::Phrase(..) => self.places(query)?.is_some_and(|places| places.any()),
        })
    }

    /// Where a part of a phrase ends; `None` if the document does not know positions.
    fn places(&self, query: &Query) -> Result<Option<Places>> {
        Ok(match query {
            Query::Word(word) => match self.find(word)? {
                Found::Nothing => Some(Places::default()),
                Found::Somewhere => None,
                Found::At(at) => {
                    Some(Places { at: at.into_iter().map(i32::from).collect(), ..Places::default() })
                }
            },
            Query::Not(part) => {
                self.places(part)?.map(|places| Places { negated: !places.negated, ..places })
            }
            Query::Phrase(first, second, distance) => {
                let first = self.places(first)?;
                if first.as_ref().is_some_and(|places| !places.any()) {
                    return Ok(first);
                }
                let second = self.places(second)?;
                if second.as_ref().is_some_and(|places| !places.any()) {
                    return Ok(second);
                }
                let (Some(first), Some(second)) = (first, second) else { return Ok(None) };
                let width = i32::from(*distance) + first.width + second.width;
                let shift = i32::from(*distance) + second.width;
                Some(self.both(first.shifted(shift), second, width)?)
            }
            Query::And(parts) => {
                let (mut all, mut unknown): (Option<Places>, bool) = (None, false);
                for part in parts {
                    let Some(next) = self.places(part)? else {
                        unknown = true;
                        continue;
                    };
                    if !next.any() {
                        return Ok(Some(Places::default()));
                    }
                    all = Some(match all {
                        None => next,
                        Some(all) => {
                            let width = all.width.max(next.width);
                            let shifts = (width - all.width, width - next.width);
                            self.both(all.shifted(shifts.0), next.shifted(shifts.1), width)?
                        }
                    });
                }
                all.filter(|_| !unknown)
            }
            Query::Or(parts) => {
                let mut any: Option<Places> = None;
                for part in parts {
                    let Some(next) = self.places(part)? else { return Ok(None) };
                    any = Some(match any {
                        None => next,
                        Some(any) => {
                            let width = any.width.max(next.width);
                            let shifts = (width - any.width, width - next.width);
                            let (any, next) = (any.shifted(shifts.0).not(), next.shifted(shifts.1).not());
                            // One of two: not both of their opposites.
                            self.both(any, next, width)?.not()
                        }
                    });
                }
                any
            }
        })
    }

    /// The places of both.
    fn both(&self, left: Places, right: Places, width: i32) -> Result<Places> {
        self.budget.work((left.at.len() + right.at.len()) / 4)?;
        let (at, negated) = match (left.negated, right.negated) {
            (false, false) => (select(&left.at, &right.at, true), false),
            (false, true) => (select(&left.at, &right.at, false), false),
            (true, false) => (select(&right.at, &left.at, false), false),
            (true, true) => {
                let mut at = [left.at, right.at].concat();
                at.sort_unstable();
                at.dedup();
                (at, true)
            }
        };
        Ok(Places { at, negated, width })
    }
}

/// The places in `from` that are in `others`, or those that are not.
fn select(from: &[i32], others: &[i32], wanted: bool) -> Vec<i32> {
    from.iter().copied().filter(|at| others.binary_search(at).is_ok() == wanted).collect()
}

/// Where a part of a phrase matches.
#[derive(Default)]
struct Places {
    at: Vec<i32>,
    /// Whether it matches everywhere but there.
    negated: bool,
    /// How many positions it goes back.
    width: i32,
}

impl Places {
    fn any(&self) -> bool {
        self.negated || !self.at.is_empty()
    }

    fn shifted(mut self, by: i32) -> Places {
        self.at.iter_mut().for_each(|at| *at += by);
        self
    }

    fn not(self) -> Places {
        Places { negated: !self.negated, ..self }
    }
}
