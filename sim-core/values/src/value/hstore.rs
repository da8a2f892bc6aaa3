//! Sets of pairs of texts, as the extension `hstore` has them. They are stored as printed: `"a"=>"1", "b"=>NULL`.

use std::cmp::Ordering;

use crate::error::{Result, SqlError, SqlState};

/// Keys and values, ordered by length and bytes of the keys. A value may be null.
pub type Pairs = Vec<(String, Option<String>)>;

/// Reads a set.
///
/// # Errors
///
/// XX000, as the extension does, for a text that is no list of pairs.
pub fn parse(text: &str) -> Result<Pairs> {
    let mut parser = Parser { text, at: 0 };
    let mut pairs = Vec::new();
    while let Some((key, _)) = parser.word(false)? {
        parser.arrow()?;
        let (value, quoted) = parser.word(true)?.ok_or_else(ended)?;
        let null = !quoted && value.eq_ignore_ascii_case("null");
        pairs.push((key, (!null).then_some(value)));
        parser.skip_blanks();
        match parser.peek() {
            None => break,
            Some(b',') => parser.at += 1,
            Some(_) => return Err(parser.stumble()),
        }
    }
    Ok(unique(pairs))
}

/// The pairs of a stored set.
pub fn read(text: &str) -> Pairs {
    parse(text).unwrap_or_default()
}

/// The pairs in order. The first of equal keys is kept.
pub fn unique(mut pairs: Pairs) -> Pairs {
    pairs.sort_by(|(a, _), (b, _)| key_order(a, b));
    pairs.dedup_by(|(a, _), (b, _)| a == b);
    pairs
}

fn key_order(a: &str, b: &str) -> Ordering {
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// The value of a key; `None` if there is no such key.
pub fn get<'p>(pairs: &'p Pairs, key: &str) -> Option<&'p Option<String>> {
    let at = pairs.binary_search_by(|(known, _)| key_order(known, key)).ok()?;
    pairs.get(at).map(|(_, value)| value)
}

/// Writes a set as PostgreSQL prints it.
pub fn print(pairs: &Pairs) -> String {
    let mut text = String::new();
    for (key, value) in pairs {
        if !text.is_empty() {
            text.push_str(", ");
        }
        quote(&mut text, key);
        text.push_str("=>");
        match value {
            Some(value) => quote(&mut text, value),
            None => text.push_str("NULL"),
        }
    }
    text
}

fn quote(text: &mut String, word: &str) {
    text.push('"');
    for character in word.chars() {
        if matches!(character, '"' | '\\') {
            text.push('\\');
        }
        text.push(character);
    }
    text.push('"');
}

/// The keys and values one after the other, and where each of them ends. A null value ends where its key does.
pub fn layout(pairs: &Pairs) -> (Vec<u8>, Vec<usize>) {
    let (mut bytes, mut ends) = (Vec::new(), Vec::new());
    for (key, value) in pairs {
        for word in [Some(key), value.as_ref()] {
            bytes.extend(word.map_or(&[][..], |word| word.as_bytes()));
            ends.push(bytes.len());
        }
    }
    (bytes, ends)
}

/// The order of the extension's index operators: by all bytes of keys and values, then by their number and lengths.
pub fn compare(left: &str, right: &str) -> Ordering {
    if left == right {
        return Ordering::Equal;
    }
    let (left, right) = (read(left), read(right));
    if left.is_empty() || right.is_empty() {
        return left.len().cmp(&right.len());
    }
    let ((bytes, ends), (others, other_ends)) = (layout(&left), layout(&right));
    let nulls = |pairs: &Pairs| pairs.iter().map(|(_, value)| value.is_none()).collect::<Vec<_>>();
    bytes
        .cmp(&others)
        .then_with(|| left.len().cmp(&right.len()))
        .then_with(|| ends.cmp(&other_ends))
        .then_with(|| nulls(&left).cmp(&nulls(&right)))
}

fn refusal(message: String) -> SqlError {
    SqlError::new(SqlState::new("XX000"), message)
}

fn ended() -> SqlError {
    refusal("Unexpected end of string".to_owned())
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(is_blank) {
            self.at += 1;
        }
    }

    fn stumble(&self) -> SqlError {
        let at = self.at;
        let near = self.text.get(at..).and_then(|rest| rest.chars().next());
        refusal(format!(
            "Syntax error near \"{}\" at position {at}",
            near.map_or_else(String::new, String::from)
        ))
    }

    /// The `=>` between a key and its value.
    fn arrow(&mut self) -> Result<()> {
        self.skip_blanks();
        for wanted in *b"=>" {
            match self.peek() {
                None => return Err(ended()),
                Some(found) if found == wanted => self.at += 1,
                Some(_) => return Err(self.stumble()),
            }
        }
        Ok(())
    }

    /// A key, or a value, which may have an equals sign in it. Also returns whether it was quoted. `None` at the end.
    fn word(&mut self, is_value: bool) -> Result<Option<(String, bool)>> {
        self.skip_blanks();
        let mut word = Vec::new();
        let quoted = match self.peek() {
            None => return Ok(None),
            Some(b'=') if !is_value => return Err(self.stumble()),
            Some(b'"') => {
                self.at += 1;
                true
            }
            Some(b'\\') => false,
            // A comma or an equals sign at the beginning is a part of the word.
            Some(first) => {
                word.push(first);
                self.at += 1;
                false
            }
        };
        loop {
            let next = self.peek();
            self.at += 1;
            match next {
                Some(b'\\') => {
                    word.push(self.peek().ok_or_else(ended)?);
                    self.at += 1;
                }
                Some(b'"') if quoted => break,
                None if quoted => return Err(ended()),
                Some(b'=') if !quoted && !is_value => {
                    self.at -= 1;
                    break;
                }
                Some(b',') if !quoted && is_value => {
                    self.at -= 1;
                    break;
                }
                None => {
                    self.at -= 1;
                    break;
                }
                Some(blank) if !quoted && is_blank(blank) => break,
                Some(byte) => word.push(byte),
            }
        }
        Ok(Some((String::from_utf8_lossy(&word).into_owned(), quoted)))
    }
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}
