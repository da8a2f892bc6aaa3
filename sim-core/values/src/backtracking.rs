//! Matches patterns with look-around or back references, which no engine matches in linear time, within a [`Budget`].
//!
//! The library can end a search after a number of backtracks, but does not tell how many there were. So a search is tried with a
//! low limit and, if that does not suffice, again with ever higher ones. The work that a limit allows is charged before.

use fancy_regex::{Captures, CompileError, Error, Regex, RegexBuilder, RuntimeError};

use crate::budget::{Budget, timeout};
use crate::error::Result;
use crate::regular::{Options, SIZE_MAX, compilation, complex, unread};

/// The limit of a first try. It suffices for most matches of short texts.
const BACKTRACKS: usize = 64;
/// How much more the next try may take.
const GROWTH: usize = 8;
/// The highest limit; a call with an unlimited budget ends here.
const BACKTRACKS_MAX: usize = BACKTRACKS * GROWTH.pow(6);

/// How much memory the compiled parts of a pattern may take.
const PARTS_MAX: usize = SIZE_MAX;

/// The longest pattern.
const LENGTH_MAX: usize = 4096;

/// The longest text that is searched by the pattern that stays compiled. A search keeps memory in proportion to its text.
const SHORT: usize = 16 << 10;
/// About the bytes of memory that a search of a longer text takes for each byte of it.
const HELD: usize = 64;

/// A compiled pattern.
#[derive(Clone)]
pub(crate) struct Pattern {
    translated: String,
    options: Options,
    cost: Cost,
    /// The pattern for the first try.
    first: Regex,
}

impl Pattern {
    pub(crate) fn new(translated: String, options: Options, cost: Cost) -> Result<Pattern> {
        if translated.len() > LENGTH_MAX || cost.bytes > PARTS_MAX {
            return Err(complex());
        }
        let first = build(&translated, options, BACKTRACKS)?;
        Ok(Pattern { translated, options, cost, first })
    }

    pub(crate) fn repeats(&self) -> bool {
        self.cost.repeats || self.cost.looks[1..].iter().any(|count| *count > 0)
    }

    /// The positions of the groups of the first match from `start`.
    pub(crate) fn find<'t>(
        &self,
        tries: &mut Tries,
        budget: &Budget,
        text: &'t str,
        start: usize,
    ) -> Result<Option<Captures<'t, str>>> {
        self.search(tries, budget, text.len(), |regex| regex.captures_from_pos(text, start))
    }

    pub(crate) fn is_match(&self, budget: &Budget, text: &str) -> Result<bool> {
        self.search(&mut Tries::default(), budget, text.len(), |regex| regex.is_match(text))
    }

    fn search<T>(
        &self,
        tries: &mut Tries,
        budget: &Budget,
        length: usize,
        search: impl Fn(&Regex) -> fancy_regex::Result<T>,
    ) -> Result<T> {
        if tries.compiled.is_empty() && length > SHORT {
            budget.hold(length.saturating_mul(HELD))?;
        }
        let each = 2 + self.cost.of(length) / 32;
        let mut limit = BACKTRACKS;
        for level in 0.. {
            budget.work(limit.saturating_mul(each))?;
            if tries.compiled.len() == level {
                tries.compiled.push(if level == 0 && length <= SHORT {
                    self.first.clone()
                } else {
                    budget.work(compilation(&self.translated))?;
                    build(&self.translated, self.options, limit)?
                });
            }
            match search(&tries.compiled[level]) {
                Ok(found) => return Ok(found),
                Err(Error::RuntimeError(RuntimeError::BacktrackLimitExceeded)) if limit < BACKTRACKS_MAX => {
                    limit *= GROWTH;
                }
                Err(_) => break,
            }
        }
        Err(timeout())
    }
}

/// What a call has compiled of a pattern: the same with higher and higher limits.
#[derive(Default)]
pub struct Tries {
    compiled: Vec<Regex>,
}

fn build(translated: &str, options: Options, backtracks: usize) -> Result<Regex> {
    RegexBuilder::new(translated)
        .case_insensitive(options.insensitive)
        .dot_matches_new_line(!options.newlines_stop_dots)
        .multi_line(options.newlines_are_ends)
        .backtrack_limit(backtracks)
        .delegate_size_limit(PARTS_MAX)
        // It would read on to the end of the text before the first try.
        .seek(false)
        .build()
        .map_err(|error| match &error {
            Error::CompileError(inner) if matches!(&**inner, CompileError::InnerError(inner) if inner.size_limit().is_some()) => {
                complex()
            }
            _ => unread(&error.to_string()),
        })
}

/// The highest power of a text's length in a [`Cost`], and one.
const POWERS: usize = 4;

/// About the memory that the letters of every alphabet take.
const CLASS: usize = 32 << 10;

/// How often a translated pattern names the letters, spaces or digits of every alphabet.
fn alphabets(translated: &str) -> usize {
    ["\\w", "\\W", "\\p", "\\s", "\\S", "\\D"].iter().map(|name| translated.matches(name).count()).sum()
}

/// About the steps that a part of a pattern takes until it fails or is done, by the length of the text.
#[derive(Clone, Copy, Default)]
pub(crate) struct Cost {
    /// Characters and the like, each as often as the counts around it say.
    atoms: usize,
    /// About the memory that they take when compiled.
    bytes: usize,
    /// Whether the part may read on to the end of the text.
    repeats: bool,
    /// The steps of its look-arounds, by the power of the text's length that they are multiplied by.
    looks: [usize; POWERS],
}

impl Cost {
    /// The cost of a character, an assertion or a class.
    pub(crate) fn atom(translated: &str) -> Cost {
        let bytes = match translated.as_bytes() {
            [b'.'] => 512,
            _ => 64 * translated.len() + CLASS * alphabets(translated),
        };
        Cost { atoms: 1, bytes, ..Cost::default() }
    }

    pub(crate) fn add(&mut self, other: Cost) {
        self.atoms = self.atoms.saturating_add(other.atoms);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.repeats |= other.repeats;
        for (sum, count) in self.looks.iter_mut().zip(other.looks) {
            *sum = sum.saturating_add(count);
        }
    }

    pub(crate) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Under a repetition with a count.
    pub(crate) fn times(self, count: usize) -> Cost {
        let looks = self.looks.map(|steps| steps.saturating_mul(count));
        let (atoms, bytes) = (self.atoms.saturating_mul(count), self.bytes.saturating_mul(count));
        Cost { atoms, bytes, looks, ..self }
    }

    /// Under a repetition without end: it moves on through the text, and looks around at each place.
    pub(crate) fn endless(self) -> Result<Cost> {
        let [looks @ .., 0] = self.looks else { return Err(complex()) };
        let mut moved = [0; POWERS];
        moved[1..].copy_from_slice(&looks);
        Ok(Cost { repeats: true, looks: moved, ..self })
    }

    /// As the inner pattern of a look-around.
    pub(crate) fn looked(mut self) -> Cost {
        let steps = &mut self.looks[usize::from(self.repeats)];
        *steps = steps.saturating_add(self.atoms);
        Cost { atoms: 1, repeats: false, ..self }
    }

    fn of(&self, length: usize) -> usize {
        let looks = self
            .looks
            .iter()
            .rev()
            .fold(0_usize, |sum, steps| sum.saturating_mul(length).saturating_add(*steps));
        let moves = self.atoms.saturating_mul(if self.repeats { length } else { 1 });
        looks.saturating_add(moves)
    }
}
