//! Queries of text search: `'cat' & !'dog' | 'fat' <-> 'rat':*A`.

use std::fmt;

use super::super::error::{Result, SqlError, SqlState};
use super::tsvector::{Reader, quoted, weight};

/// The deepest nesting of operators. The same operator repeated without brackets is one level, except for `<->` and `!`.
const DEPTH_MAX: usize = 400;

/// The greatest distance of two words in a phrase.
pub const DISTANCE_MAX: i64 = 16_384;

/// A part of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// A lexeme.
    Word(Word),
    /// What must not match.
    Not(Box<Query>),
    /// At least two parts that must all match.
    And(Vec<Query>),
    /// At least two parts of which one must match.
    Or(Vec<Query>),
    /// Two parts, and how many positions the second one is after the first one.
    Phrase(Box<Query>, Box<Query>, u16),
}

/// A lexeme of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// Its text.
    pub text: String,
    /// Whether it stands for all lexemes that begin so.
    pub prefix: bool,
    /// The weights that match, one bit for each from D on; 0 for all.
    pub weights: u8,
}

impl Query {
    /// Both queries.
    pub fn and(self, other: Query) -> Query {
        Query::And(join(self, other, |query| match query {
            Query::And(parts) => Ok(parts),
            other => Err(other),
        }))
    }

    /// One of two queries.
    pub fn or(self, other: Query) -> Query {
        Query::Or(join(self, other, |query| match query {
            Query::Or(parts) => Ok(parts),
            other => Err(other),
        }))
    }

    /// The second query at a distance after the first one.
    pub fn then(self, other: Query, distance: u16) -> Query {
        Query::Phrase(Box::new(self), Box::new(other), distance)
    }

    /// The opposite.
    pub fn negated(self) -> Query {
        Query::Not(Box::new(self))
    }

    /// Reads the text form; `None` is the empty query.
    ///
    /// Fails with 42601, as PostgreSQL does, or with 54001 for a query that is nested too deeply.
    pub fn parse(text: &str) -> Result<Option<Query>> {
        Query::parse_with(text, &mut |word| Ok(Some(Query::Word(word))))
    }

    /// The same, with another query in the place of each word.
    ///
    /// Fails as `parse` does, and if the replacement fails.
    pub fn parse_with(text: &str, replace: &mut Replace<'_>) -> Result<Option<Query>> {
        let mut parser = Parser { reader: Reader::new(text, "tsquery"), replace, depth: 0 };
        parser.reader.skip_blanks();
        if parser.reader.peek().is_none() {
            return Ok(None);
        }
        let (query, _) = parser.level(0)?;
        parser.reader.skip_blanks();
        if parser.reader.peek().is_some() {
            return Err(parser.reader.wrong());
        }
        Ok(clean(query).0)
    }

    /// Refuses a query that is nested too deeply.
    ///
    /// Fails with 54001.
    pub fn check(&self) -> Result<()> {
        if self.depth() > DEPTH_MAX { Err(too_deep()) } else { Ok(()) }
    }

    fn depth(&self) -> usize {
        1 + self.parts().into_iter().map(Query::depth).max().unwrap_or(0)
    }

    /// The parts of the outermost operator.
    pub fn parts(&self) -> Vec<&Query> {
        match self {
            Query::Word(_) => Vec::new(),
            Query::Not(part) => vec![part],
            Query::And(parts) | Query::Or(parts) => parts.iter().collect(),
            Query::Phrase(first, second, _) => vec![first, second],
        }
    }

    /// The number of words and operators.
    pub fn nodes(&self) -> usize {
        let inner: usize = self.parts().into_iter().map(Query::nodes).sum();
        inner + self.parts().len().saturating_sub(1).max(1)
    }

    /// The words, in order.
    pub fn words(&self) -> Vec<&Word> {
        match self {
            Query::Word(word) => vec![word],
            other => other.parts().into_iter().flat_map(Query::words).collect(),
        }
    }

    fn priority(&self) -> u8 {
        match self {
            Query::Or(_) => 1,
            Query::And(_) => 2,
            Query::Phrase(..) => 3,
            Query::Not(_) | Query::Word(_) => 4,
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, around: u8, right_of_phrase: bool) -> fmt::Result {
        let brackets = !matches!(self, Query::Word(_) | Query::Not(_))
            && (self.priority() < around || right_of_phrase && matches!(self, Query::Phrase(..)));
        if brackets {
            f.write_str("( ")?;
        }
        match self {
            Query::Word(word) => write!(f, "{word}")?,
            Query::Not(part) => {
                f.write_str("!")?;
                part.write(f, 4, false)?;
            }
            Query::And(parts) => write_all(f, parts, " & ", 2)?,
            Query::Or(parts) => write_all(f, parts, " | ", 1)?,
            Query::Phrase(first, second, distance) => {
                first.write(f, 3, false)?;
                if *distance == 1 {
                    f.write_str(" <-> ")?;
                } else {
                    write!(f, " <{distance}> ")?;
                }
                second.write(f, 3, true)?;
            }
        }
        if brackets { f.write_str(" )") } else { Ok(()) }
    }
}

/// Makes a query of a word; `None` if nothing is left of it.
pub type Replace<'a> = dyn FnMut(Word) -> Result<Option<Query>> + 'a;

fn write_all(f: &mut fmt::Formatter<'_>, parts: &[Query], between: &str, priority: u8) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            f.write_str(between)?;
        }
        part.write(f, priority, false)?;
    }
    Ok(())
}

/// The parts of two queries. A chain of the same operator becomes one list.
fn join(
    left: Query,
    right: Query,
    parts: impl Fn(Query) -> std::result::Result<Vec<Query>, Query>,
) -> Vec<Query> {
    let mut all = parts(left).unwrap_or_else(|other| vec![other]);
    all.extend(parts(right).unwrap_or_else(|other| vec![other]));
    all
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0, false)
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&quoted(&self.text))?;
        if self.prefix || self.weights != 0 {
            f.write_str(":")?;
        }
        if self.prefix {
            f.write_str("*")?;
        }
        for (bit, letter) in [(3, "A"), (2, "B"), (1, "C"), (0, "D")] {
            if self.weights & (1 << bit) != 0 {
                f.write_str(letter)?;
            }
        }
        Ok(())
    }
}

/// A query as it is read. A missing word keeps its place, because phrases count it.
enum Draft {
    Gone,
    Known(Query),
    Not(Box<Draft>),
    And(Vec<Draft>),
    Or(Vec<Draft>),
    Phrase(Box<Draft>, Box<Draft>, u16),
}

struct Parser<'a, 'b> {
    reader: Reader<'a>,
    replace: &'b mut Replace<'b>,
    depth: usize,
}

impl Parser<'_, '_> {
    /// The parts between operators of a priority: 0 for `|`, 1 for `&`, 2 for `<->`. Also returns how deeply they nest.
    fn level(&mut self, priority: u8) -> Result<(Draft, usize)> {
        if priority == 3 {
            return self.operand();
        }
        let (first, mut depth) = self.level(priority + 1)?;
        let mut parts = vec![first];
        loop {
            self.reader.skip_blanks();
            let distance = match (priority, self.reader.peek()) {
                (0, Some('|')) | (1, Some('&')) => {
                    self.reader.next();
                    None
                }
                (2, Some('<')) => Some(self.distance()?),
                _ => break,
            };
            let (next, next_depth) = self.level(priority + 1)?;
            depth = depth.max(next_depth);
            match (distance, parts.pop()) {
                (Some(distance), Some(first)) => {
                    depth = deeper(depth)?;
                    parts.push(Draft::Phrase(Box::new(first), Box::new(next), distance));
                }
                (_, first) => parts.extend(first.into_iter().chain([next])),
            }
        }
        Ok(match (priority, parts.len()) {
            (_, 1) => (parts.remove(0), depth),
            (0, _) => (Draft::Or(parts), deeper(depth)?),
            _ => (Draft::And(parts), deeper(depth)?),
        })
    }

    fn distance(&mut self) -> Result<u16> {
        self.reader.next();
        let (inside, rest) = self.reader.rest.split_once('>').ok_or_else(|| self.reader.wrong())?;
        let digits = inside.bytes().all(|byte| byte.is_ascii_digit()) && !inside.is_empty();
        if inside != "-" && !digits {
            return Err(self.reader.wrong());
        }
        self.reader.rest = rest;
        if inside == "-" {
            return Ok(1);
        }
        phrase_distance(inside.parse().unwrap_or(i64::MAX))
    }

    fn operand(&mut self) -> Result<(Draft, usize)> {
        self.reader.skip_blanks();
        self.depth = deeper(self.depth)?;
        let operand = match self.reader.peek() {
            Some('!') => {
                self.reader.next();
                let (operand, depth) = self.operand()?;
                (Draft::Not(Box::new(operand)), deeper(depth)?)
            }
            Some('(') => {
                self.reader.next();
                let inner = self.level(0)?;
                self.reader.skip_blanks();
                if self.reader.next() != Some(')') {
                    return Err(self.reader.wrong());
                }
                inner
            }
            None => {
                let message = format!("no operand in tsquery: \"{}\"", self.reader.whole);
                return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
            }
            Some('&' | '|' | ')' | '<') => return Err(self.reader.wrong()),
            Some(_) => self.word()?,
        };
        self.depth -= 1;
        Ok(operand)
    }

    fn word(&mut self) -> Result<(Draft, usize)> {
        let text = self.reader.word(true)?.ok_or_else(|| self.reader.wrong())?;
        let mut word = Word { text, prefix: false, weights: 0 };
        if self.reader.peek() == Some(':') {
            self.reader.next();
            while let Some(c) = self.reader.peek() {
                match (c, weight(c)) {
                    ('*', _) => word.prefix = true,
                    (_, Some(weight)) => word.weights |= 1 << weight,
                    _ => break,
                }
                self.reader.next();
            }
        }
        Ok(match (self.replace)(word)? {
            Some(query) => {
                let depth = query.depth();
                (Draft::Known(query), depth)
            }
            None => (Draft::Gone, 1),
        })
    }
}

/// A distance, checked.
///
/// Fails with 22023 outside of the range.
pub fn phrase_distance(distance: i64) -> Result<u16> {
    u16::try_from(distance).ok().filter(|_| distance <= DISTANCE_MAX).ok_or_else(|| {
        let message = format!(
            "distance in phrase operator must be an integer value between zero and {DISTANCE_MAX} inclusive"
        );
        SqlError::new(SqlState::INVALID_PARAMETER, message)
    })
}

/// One level more.
fn deeper(depth: usize) -> Result<usize> {
    if depth < DEPTH_MAX { Ok(depth + 1) } else { Err(too_deep()) }
}

fn too_deep() -> SqlError {
    SqlError::new(SqlState::TOO_COMPLEX, "stack depth limit exceeded")
}

/// Removes missing words. Also returns how many positions phrases must add before and after what is left.
fn clean(draft: Draft) -> (Option<Query>, u16, u16) {
    match draft {
        Draft::Gone => (None, 0, 0),
        Draft::Known(query) => (Some(query), 0, 0),
        Draft::Not(part) => {
            let (part, before, after) = clean(*part);
            (part.map(Query::negated), before, after)
        }
        Draft::And(parts) => clean_list(parts, Query::and),
        Draft::Or(parts) => clean_list(parts, Query::or),
        Draft::Phrase(first, second, distance) => {
            let (first, first_before, first_after) = clean(*first);
            let (second, second_before, second_after) = clean(*second);
            let sum = |a: u16, b: u16| a.saturating_add(distance).saturating_add(b).min(16_384);
            match (first, second) {
                (None, None) => {
                    let gap = sum(first_before, second_before);
                    (None, gap, gap)
                }
                (None, second) => (second, sum(first_before, second_before), second_after),
                (first, None) => (first, first_before, sum(first_after, second_after)),
                (Some(first), Some(second)) => {
                    (Some(first.then(second, sum(first_after, second_before))), first_before, second_after)
                }
            }
        }
    }
}

fn clean_list(parts: Vec<Draft>, join: fn(Query, Query) -> Query) -> (Option<Query>, u16, u16) {
    parts.into_iter().map(clean).fold(
        (None, 0, 0),
        |(all, before, after), (part, part_before, part_after)| match (all, part) {
            (None, None) => (None, before.max(part_before), after.max(part_after)),
            (None, part) => (part, part_before, part_after),
            (all, None) => (all, before, after),
            (Some(all), Some(part)) => (Some(join(all, part)), 0, 0),
        },
    )
}

/// The query for words at their positions: a phrase with these distances, or all words in any order.
///
/// Fails with 54001 for a phrase that is too long.
pub fn of_positions(parts: Vec<(u16, Query)>, phrase: bool) -> Result<Option<Query>> {
    if phrase && parts.len() > DEPTH_MAX {
        return Err(too_deep());
    }
    let mut parts = parts.into_iter();
    let Some((mut last, mut all)) = parts.next() else { return Ok(None) };
    for (at, part) in parts {
        all = if phrase { all.then(part, at.saturating_sub(last)) } else { all.and(part) };
        last = at;
    }
    Ok(Some(all))
}
