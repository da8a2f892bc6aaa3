//! Documents of text search: sorted lexemes with their positions, `'cat':3 'fat':2A`.

use std::fmt;

use super::super::error::{Result, SqlError, SqlState};

/// The greatest position in a document. Later words have this one.
pub const POSITION_MAX: u16 = 16_383;

/// The most positions of one lexeme.
const POSITIONS_MAX: usize = 255;

/// The longest lexeme, in bytes.
const LEXEME_MAX: usize = 2_046;

/// Where a lexeme is, and how much it counts there: 0 for D (not printed) to 3 for A.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Counted from one.
    pub at: u16,
    /// 0 for D to 3 for A.
    pub weight: u8,
}

/// A lexeme of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lexeme {
    /// Its text.
    pub text: String,
    /// Its positions in order; empty if they are not known.
    pub positions: Vec<Position>,
}

/// A document: lexemes in the order of their bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vector(pub Vec<Lexeme>);

impl Vector {
    /// Sorts lexemes, and merges those with the same text.
    pub fn of(mut lexemes: Vec<Lexeme>) -> Vector {
        lexemes.sort_by(|a, b| a.text.cmp(&b.text));
        let mut merged: Vec<Lexeme> = Vec::with_capacity(lexemes.len());
        for lexeme in lexemes {
            match merged.last_mut().filter(|last| last.text == lexeme.text) {
                Some(last) => last.positions.extend(lexeme.positions),
                None => merged.push(lexeme),
            }
        }
        for lexeme in &mut merged {
            // Of two weights at one position the greater one counts.
            lexeme.positions.sort_by_key(|position| (position.at, std::cmp::Reverse(position.weight)));
            lexeme.positions.dedup_by_key(|position| position.at);
            lexeme.positions.truncate(POSITIONS_MAX);
        }
        Vector(merged)
    }

    /// Reads the text form.
    ///
    /// Fails with 42601 or 54000, as PostgreSQL does.
    pub fn parse(text: &str) -> Result<Vector> {
        let mut reader = Reader::new(text, "tsvector");
        let mut lexemes = Vec::new();
        while let Some(word) = reader.word(false)? {
            let positions = reader.positions()?;
            lexemes.push(Lexeme { text: word, positions });
        }
        Ok(Vector::of(lexemes))
    }

    /// The lexeme with this text.
    pub fn find(&self, text: &str) -> Option<&Lexeme> {
        self.0.binary_search_by(|lexeme| lexeme.text.as_str().cmp(text)).ok().and_then(|at| self.0.get(at))
    }

    /// The lexemes that begin with this text.
    pub fn beginning(&self, text: &str) -> &[Lexeme] {
        let from = self.0.partition_point(|lexeme| lexeme.text.as_str() < text);
        let rest = self.0.get(from..).unwrap_or_default();
        let count = rest.iter().take_while(|lexeme| lexeme.text.starts_with(text)).count();
        rest.get(..count).unwrap_or_default()
    }

    /// The greatest position; 0 if there is none.
    pub fn last_position(&self) -> u16 {
        let last = self.0.iter().filter_map(|lexeme| lexeme.positions.last());
        last.map(|position| position.at).max().unwrap_or(0)
    }
}

impl fmt::Display for Vector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, lexeme) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            f.write_str(&quoted(&lexeme.text))?;
            for (index, position) in lexeme.positions.iter().enumerate() {
                f.write_str(if index == 0 { ":" } else { "," })?;
                write!(f, "{}{}", position.at, ["", "C", "B", "A"][usize::from(position.weight.min(3))])?;
            }
        }
        Ok(())
    }
}

/// A lexeme in quotes.
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''"))
}

/// The weight that a letter stands for.
pub fn weight(letter: char) -> Option<u8> {
    match letter.to_ascii_uppercase() {
        'A' => Some(3),
        'B' => Some(2),
        'C' => Some(1),
        'D' => Some(0),
        _ => None,
    }
}

/// Reads words of documents and queries.
pub(super) struct Reader<'a> {
    pub(super) whole: &'a str,
    pub(super) rest: &'a str,
    kind: &'static str,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str, kind: &'static str) -> Reader<'a> {
        Reader { whole: text, rest: text, kind }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let mut characters = self.rest.chars();
        let next = characters.next();
        self.rest = characters.as_str();
        next
    }

    pub(super) fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    pub(super) fn wrong(&self) -> SqlError {
        let message = format!("syntax error in {}: \"{}\"", self.kind, self.whole);
        SqlError::new(SqlState::SYNTAX_ERROR, message)
    }

    /// The next word; `None` at the end. In a query, operators end a word.
    pub(super) fn word(&mut self, query: bool) -> Result<Option<String>> {
        self.skip_blanks();
        let Some(first) = self.peek() else { return Ok(None) };
        let mut word = String::new();
        if first == '\'' {
            self.next();
            loop {
                match self.next().ok_or_else(|| self.wrong())? {
                    '\'' if self.peek() == Some('\'') => {
                        self.next();
                        word.push('\'');
                    }
                    '\'' => break,
                    '\\' => word.push(self.escaped()?),
                    other => word.push(other),
                }
            }
        } else {
            let operator = |c: char| query && "!&|()".contains(c);
            let ends = |c: char, first: bool| {
                c.is_whitespace() || (c == ':' && (query || !first)) || operator(c) || (query && c == '<')
            };
            while let Some(c) = self.peek().filter(|c| !ends(*c, word.is_empty())) {
                self.next();
                word.push(if c == '\\' { self.escaped()? } else { c });
            }
            if word.is_empty() {
                return Err(self.wrong());
            }
        }
        if word.len() > LEXEME_MAX {
            let message = format!("word is too long ({} bytes, max {LEXEME_MAX} bytes)", word.len());
            return Err(SqlError::new(SqlState::PROGRAM_LIMIT, message));
        }
        Ok(Some(word))
    }

    fn escaped(&mut self) -> Result<char> {
        self.next().ok_or_else(|| {
            let message = format!("there is no escaped character: \"{}\"", self.whole);
            SqlError::new(SqlState::SYNTAX_ERROR, message)
        })
    }

    fn positions(&mut self) -> Result<Vec<Position>> {
        let mut positions = Vec::new();
        if self.peek() != Some(':') {
            return Ok(positions);
        }
        loop {
            self.next();
            let digits = self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let (number, rest) = self.rest.split_at(digits);
            if number.is_empty() {
                return Err(self.wrong());
            }
            self.rest = rest;
            let at = number.parse::<u16>().unwrap_or(POSITION_MAX).min(POSITION_MAX);
            if at == 0 {
                let message = format!("wrong position info in tsvector: \"{}\"", self.whole);
                return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
            }
            let given = self.peek().and_then(|c| if c == '*' { Some(3) } else { weight(c) });
            if given.is_some() {
                self.next();
            }
            positions.push(Position { at, weight: given.unwrap_or(0) });
            match self.peek() {
                Some(',') => {}
                None => return Ok(positions),
                Some(c) if c.is_whitespace() => return Ok(positions),
                Some(_) => return Err(self.wrong()),
            }
        }
    }
}

/// The order of two documents: by size, then by content.
pub fn compare(left: &str, right: &str) -> std::cmp::Ordering {
    let (Ok(left), Ok(right)) = (Vector::parse(left), Vector::parse(right)) else {
        return left.cmp(right);
    };
    let known = |lexeme: &Lexeme| usize::from(!lexeme.positions.is_empty());
    let size = |vector: &Vector| {
        vector.0.iter().fold(8 + 4 * vector.0.len(), |size, lexeme| {
            let size = size + lexeme.text.len();
            if lexeme.positions.is_empty() {
                size
            } else {
                size.next_multiple_of(2) + 2 + 2 * lexeme.positions.len()
            }
        })
    };
    let lexemes = left.0.iter().zip(&right.0).map(|(a, b)| {
        let by_text = known(b).cmp(&known(a)).then_with(|| a.text.cmp(&b.text));
        by_text
            .then_with(|| b.positions.len().cmp(&a.positions.len()))
            .then_with(|| b.positions.cmp(&a.positions))
    });
    let by_size = size(&left).cmp(&size(&right)).then_with(|| left.0.len().cmp(&right.0.len()));
    by_size.then_with(|| lexemes.into_iter().find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal))
}
