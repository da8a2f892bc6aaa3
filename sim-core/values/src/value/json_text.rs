//! Reading JSON: the words of a text and the document that they make, with PostgreSQL's errors.

use std::mem;

use super::json::Json;
use crate::error::{Result, SqlError, SqlState};

/// How deep a document may nest.
const DEPTH_MAX: usize = 400;

/// Reads a document. `decoded`: escapes in its texts have to stand for characters, as in `jsonb`.
pub(super) fn read(text: &str, decoded: bool) -> Result<Json> {
    let mut reader = Reader { text, decoded, word: Word::End, from: 0, to: 0, line: 1, line_from: 0 };
    reader.next()?;
    let value = reader.value(0)?;
    if reader.word == Word::End { Ok(value) } else { Err(reader.expected("end of input")) }
}

#[derive(PartialEq)]
enum Word {
    /// A bracket, comma or colon.
    Mark(u8),
    String(String),
    Number,
    True,
    False,
    Null,
    End,
}

struct Reader<'a> {
    text: &'a str,
    decoded: bool,
    /// The word at hand, which begins at `from` and ends at `to`.
    word: Word,
    from: usize,
    to: usize,
    /// The number of its line, and where that line begins.
    line: usize,
    line_from: usize,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Result<Json> {
        if depth > DEPTH_MAX {
            return Err(SqlError::new(SqlState::TOO_COMPLEX, "stack depth limit exceeded"));
        }
        let value = match &mut self.word {
            Word::Mark(b'{') => return self.object(depth),
            Word::Mark(b'[') => return self.array(depth),
            Word::String(text) => Json::String(mem::take(text)),
            Word::Number => Json::Number(self.text[self.from..self.to].to_owned()),
            Word::True => Json::Bool(true),
            Word::False => Json::Bool(false),
            Word::Null => Json::Null,
            Word::Mark(_) | Word::End => return Err(self.expected("JSON value")),
        };
        self.next()?;
        Ok(value)
    }

    fn array(&mut self, depth: usize) -> Result<Json> {
        self.next()?;
        let mut items = Vec::new();
        if self.take(b']')? {
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            if self.take(b']')? {
                return Ok(Json::Array(items));
            }
            if !self.take(b',')? {
                return Err(self.expected("\",\" or \"]\""));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json> {
        self.next()?;
        let mut members = Vec::new();
        if self.take(b'}')? {
            return Ok(Json::Object(members));
        }
        loop {
            let Word::String(key) = &mut self.word else {
                return Err(self.expected(if members.is_empty() { "string or \"}\"" } else { "string" }));
            };
            let key = mem::take(key);
            self.next()?;
            if !self.take(b':')? {
                return Err(self.expected("\":\""));
            }
            members.push((key, self.value(depth + 1)?));
            if self.take(b'}')? {
                return Ok(Json::Object(members));
            }
            if !self.take(b',')? {
                return Err(self.expected("\",\" or \"}\""));
            }
        }
    }

    /// Goes on to the next word if this one is a certain mark.
    fn take(&mut self, mark: u8) -> Result<bool> {
        let found = self.word == Word::Mark(mark);
        if found {
            self.next()?;
        }
        Ok(found)
    }

    /// Goes on to the next word.
    fn next(&mut self) -> Result<()> {
        let bytes = self.text.as_bytes();
        let mut at = self.to;
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = bytes.get(at) {
            if bytes[at] == b'\n' {
                (self.line, self.line_from) = (self.line + 1, at + 1);
            }
            at += 1;
        }
        self.from = at;
        (self.word, self.to) = match bytes.get(at) {
            None => (Word::End, at),
            Some(mark @ (b'{' | b'}' | b'[' | b']' | b',' | b':')) => (Word::Mark(*mark), at + 1),
            Some(b'"') => self.string()?,
            Some(b'-' | b'0'..=b'9') => (Word::Number, self.number()?),
            Some(_) => self.name()?,
        };
        Ok(())
    }

    fn name(&self) -> Result<(Word, usize)> {
        let rest = &self.text[self.from..];
        let length = rest.find(|c: char| !is_of_word(c)).unwrap_or(rest.len());
        let word = match &rest[..length] {
            "null" => Word::Null,
            "true" => Word::True,
            "false" => Word::False,
            _ => return Err(self.invalid(self.from + length.max(1))),
        };
        Ok((word, self.from + length))
    }

    /// Where the number ends that begins here.
    fn number(&self) -> Result<usize> {
        let bytes = self.text.as_bytes();
        let digits =
            |from: usize| from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let start = self.from + usize::from(bytes[self.from] == b'-');
        let mut end = if bytes.get(start) == Some(&b'0') { start + 1 } else { digits(start) };
        let mut is_number = end > start;
        if bytes.get(end) == Some(&b'.') {
            let fraction = end + 1;
            end = digits(fraction);
            is_number &= end > fraction;
        }
        if is_number && let Some(b'e' | b'E') = bytes.get(end) {
            let exponent = end + 1 + usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            end = digits(exponent);
            is_number &= end > exponent;
        }
        let rest = &self.text[end..];
        let junk = rest.find(|c: char| !is_of_word(c)).unwrap_or(rest.len());
        if is_number && junk == 0 { Ok(end) } else { Err(self.invalid(end + junk)) }
    }

    /// Reads the text that begins here.
    fn string(&self) -> Result<(Word, usize)> {
        let mut text = String::new();
        let mut at = self.from + 1;
        // The first half of a character of two escapes.
        let mut half = None;
        loop {
            let rest = &self.text[at..];
            let plain = rest.find(|c: char| c == '"' || c == '\\' || c < ' ').unwrap_or(rest.len());
            if half.is_some() && !rest.starts_with("\\u") {
                let escape = usize::from(rest.starts_with('\\'));
                return Err(self.lone_half(self.after(at + escape)));
            }
            text.push_str(&rest[..plain]);
            at += plain;
            match rest[plain..].bytes().next() {
                None => return Err(self.invalid(at)),
                Some(b'"') => return Ok((Word::String(text), at + 1)),
                Some(b'\\') if rest[plain + 1..].starts_with('u') => {
                    let code = self.code(at + 2)?;
                    at += 6;
                    if self.decoded {
                        half = self.joined(half, code, at, &mut text)?;
                    }
                }
                Some(b'\\') => {
                    text.push(self.escaped(at + 1)?);
                    at += 2;
                }
                Some(control) => {
                    let detail = format!("Character with value 0x{control:02x} must be escaped.");
                    return Err(self.malformed(&detail, at));
                }
            }
        }
    }

    /// The character for the one after a backslash.
    fn escaped(&self, at: usize) -> Result<char> {
        let Some(character) = self.text[at..].chars().next() else { return Err(self.invalid(at)) };
        Ok(match character {
            '"' | '\\' | '/' => character,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            _ => {
                let detail = format!("Escape sequence \"\\{character}\" is invalid.");
                return Err(self.malformed(&detail, self.after(at)));
            }
        })
    }

    /// The number that four hexadecimal digits write.
    fn code(&self, at: usize) -> Result<u32> {
        let mut code = 0;
        for (place, character) in self.text[at..].char_indices().take(4) {
            let Some(digit) = character.to_digit(16) else {
                let detail = "\"\\u\" must be followed by four hexadecimal digits.";
                return Err(self.malformed(detail, at + place + character.len_utf8()));
            };
            code = code * 16 + digit;
        }
        if at + 4 > self.text.len() { Err(self.invalid(self.text.len())) } else { Ok(code) }
    }

    /// Adds the character of an escape, which ends at `to`, or gives back the half that it is.
    fn joined(&self, half: Option<u32>, code: u32, to: usize, text: &mut String) -> Result<Option<u32>> {
        let code = match (half, code) {
            (None, 0xd800..0xdc00) => return Ok(Some(code)),
            (Some(_), 0xd800..0xdc00) => {
                let detail = "Unicode high surrogate must not follow a high surrogate.";
                return Err(self.malformed(detail, to));
            }
            (Some(high), 0xdc00..0xe000) => 0x1_0000 + ((high - 0xd800) << 10) + (code - 0xdc00),
            (Some(_), _) | (None, 0xdc00..0xe000) => return Err(self.lone_half(to)),
            (None, 0) => {
                let error = SqlError::new(SqlState::new("22P05"), "unsupported Unicode escape sequence");
                let error = error.detail("\\u0000 cannot be converted to text.");
                return Err(error.within(&self.excerpt(to)));
            }
            (None, code) => code,
        };
        text.extend(char::from_u32(code));
        Ok(None)
    }

    fn lone_half(&self, to: usize) -> SqlError {
        self.malformed("Unicode low surrogate must follow a high surrogate.", to)
    }

    /// Where the character ends that begins here.
    fn after(&self, at: usize) -> usize {
        at + self.text[at..].chars().next().map_or(0, char::len_utf8)
    }

    /// The error for a word, up to `to`, that is none.
    fn invalid(&self, to: usize) -> SqlError {
        let to = (to..self.text.len()).find(|at| self.text.is_char_boundary(*at)).unwrap_or(self.text.len());
        self.malformed(&format!("Token \"{}\" is invalid.", &self.text[self.from..to]), to)
    }

    /// The error for a word where another one should be.
    fn expected(&self, wanted: &str) -> SqlError {
        let detail = match self.word {
            Word::End => "The input string ended unexpectedly.".to_owned(),
            _ => format!("Expected {wanted}, but found \"{}\".", &self.text[self.from..self.to]),
        };
        self.malformed(&detail, self.to)
    }

    fn malformed(&self, detail: &str, to: usize) -> SqlError {
        let error = SqlError::new(SqlState::INVALID_TEXT, "invalid input syntax for type json");
        error.detail(detail).within(&self.excerpt(to))
    }

    /// The end of what was read, in its line.
    fn excerpt(&self, to: usize) -> String {
        const LENGTH: usize = 50;
        let read = &self.text[self.line_from..to];
        let cut = read.char_indices().map(|(at, _)| at).find(|at| read.len() - at < LENGTH).unwrap_or(0);
        let (before, cut) = if cut > 3 { ("...", cut) } else { ("", 0) };
        let goes_on = !matches!(self.text[to..].bytes().next(), None | Some(b'\n' | b'\r'));
        let after = if goes_on { "..." } else { "" };
        format!("JSON data, line {}: {before}{}{after}", self.line, &read[cut..])
    }
}

/// Whether a character is part of words, even if no word with it has a meaning.
fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii()
}
