//! Paths of labels and patterns for them, as the extension `ltree` has them.

use crate::error::{Result, SqlError, SqlState};

/// How deep brackets and negations of a query can be.
const DEPTH_MAX: usize = 100;

/// A level of a pattern: how many labels it stands for, and which.
#[derive(Clone, Debug)]
pub struct Level {
    /// The fewest labels.
    pub least: usize,
    /// The most labels.
    pub most: usize,
    /// Whether it stands for labels that none of the words fits.
    pub not: bool,
    /// The words; none for any label.
    pub words: Vec<Word>,
}

/// A word of a pattern.
#[derive(Clone, Debug)]
pub struct Word {
    /// The word.
    pub text: String,
    /// Whether the label may go on after it.
    pub prefix: bool,
    /// Whether case does not count.
    pub any_case: bool,
    /// Whether it fits the parts of a label between underscores.
    pub parts: bool,
}

impl Level {
    /// Whether a label is one that it stands for.
    pub fn accepts(&self, label: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| word.fits(label)) != self.not
    }
}

impl Word {
    /// Whether it is the word of a label.
    pub fn fits(&self, label: &str) -> bool {
        if !self.parts {
            return self.same(&self.text, label);
        }
        let has = |word: &str| label.split('_').any(|part| self.same(word, part));
        self.text.split('_').filter(|word| !word.is_empty()).all(has)
    }

    fn same(&self, word: &str, label: &str) -> bool {
        let Some(start) = label.get(..word.len()) else { return false };
        (label.len() == word.len() || self.prefix)
            && (start == word || self.any_case && start.to_lowercase() == word.to_lowercase())
    }
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn malformed(kind: &str, at: usize) -> SqlError {
    SqlError::new(SqlState::SYNTAX_ERROR, format!("{kind} syntax error at character {at}"))
}

/// Reads a path.
///
/// # Errors
///
/// 42601 for another text.
pub fn parse(text: &str) -> Result<String> {
    let mut in_label = false;
    for (at, letter) in text.chars().enumerate() {
        match letter {
            '.' if in_label => in_label = false,
            letter if is_letter(letter) => in_label = true,
            _ => return Err(malformed("ltree", at + 1)),
        }
    }
    if !text.is_empty() && !in_label {
        let error = SqlError::new(SqlState::SYNTAX_ERROR, "ltree syntax error");
        return Err(error.detail("Unexpected end of input."));
    }
    Ok(text.to_owned())
}

/// The labels of a path.
pub fn labels(path: &str) -> Vec<&str> {
    if path.is_empty() { Vec::new() } else { path.split('.').collect() }
}

/// Reads a pattern.
///
/// # Errors
///
/// 42601 for another text.
pub fn parse_query(text: &str) -> Result<Vec<Level>> {
    let mut start = 0;
    let levels = text.split('.').map(|level| {
        let at = start + 1;
        start += level.chars().count() + 1;
        parse_level(level).ok_or_else(|| malformed("lquery", at))
    });
    levels.collect()
}

fn parse_level(text: &str) -> Option<Level> {
    let (words, count) = match text.split_once('{') {
        Some((words, count)) => (words, Some(count.strip_suffix('}')?)),
        None => (text, None),
    };
    let any = words == "*";
    let (least, most) = match count {
        None if any => (0, usize::MAX),
        None => (1, 1),
        Some(count) => {
            let bound = |text: &str, other: usize| {
                if text.is_empty() { Some(other) } else { text.parse::<u16>().ok().map(usize::from) }
            };
            match count.split_once(',') {
                Some((least, most)) => (bound(least, 0)?, bound(most, usize::MAX)?),
                None => (count.parse::<u16>().ok()?.into(), count.parse::<u16>().ok()?.into()),
            }
        }
    };
    if any {
        return Some(Level { least, most, not: false, words: Vec::new() });
    }
    let not = words.starts_with('!');
    let words = words.strip_prefix('!').unwrap_or(words).split('|').map(parse_word);
    Some(Level { least, most, not, words: words.collect::<Option<_>>()? })
}

fn parse_word(text: &str) -> Option<Word> {
    let word = text.trim_end_matches(['@', '*', '%']);
    let flags = &text[word.len()..];
    if word.is_empty() || !word.chars().all(is_letter) {
        return None;
    }
    let (prefix, any_case, parts) = (flags.contains('*'), flags.contains('@'), flags.contains('%'));
    Some(Word { text: word.to_owned(), prefix, any_case, parts })
}

/// Reads a query of words with `&`, `|`, `!` and brackets, and tells whether it holds.
///
/// # Errors
///
/// 42601 for another text; 54001 for one with too many brackets.
pub fn parse_text_query(text: &str, fits: &dyn Fn(&Word) -> bool) -> Result<bool> {
    let mut reader = Reader { rest: text.trim(), fits };
    let holds = reader.any(0)?;
    if reader.rest.is_empty() { Ok(holds) } else { Err(unread()) }
}

fn unread() -> SqlError {
    SqlError::new(SqlState::SYNTAX_ERROR, "operand syntax error")
}

struct Reader<'a> {
    rest: &'a str,
    fits: &'a dyn Fn(&Word) -> bool,
}

impl Reader<'_> {
    fn takes(&mut self, sign: char) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.map_or(self.rest, str::trim_start);
        rest.is_some()
    }

    fn any(&mut self, depth: usize) -> Result<bool> {
        let mut holds = self.all(depth)?;
        while self.takes('|') {
            holds |= self.all(depth)?;
        }
        Ok(holds)
    }

    fn all(&mut self, depth: usize) -> Result<bool> {
        let mut holds = self.one(depth)?;
        while self.takes('&') {
            holds &= self.one(depth)?;
        }
        Ok(holds)
    }

    fn one(&mut self, depth: usize) -> Result<bool> {
        if depth > DEPTH_MAX {
            return Err(SqlError::new(SqlState::new("54001"), "stack depth limit exceeded"));
        }
        if self.takes('!') {
            return self.one(depth + 1).map(|holds| !holds);
        }
        if self.takes('(') {
            let holds = self.any(depth + 1)?;
            return if self.takes(')') { Ok(holds) } else { Err(unread()) };
        }
        let end = self.rest.find(|letter| !is_letter(letter) && !"@*%".contains(letter));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.trim_start();
        Ok((self.fits)(&parse_word(word).ok_or_else(unread)?))
    }
}
