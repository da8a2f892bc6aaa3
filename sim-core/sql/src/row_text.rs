//! The text of a row, `(1,"a b",)`, as PostgreSQL reads it.

use super::error::{Result, SqlError, SqlState};

/// A text whose fields are read one after the other.
pub(super) struct RowText<'t> {
    text: &'t str,
    rest: &'t str,
    begun: bool,
}

impl<'t> RowText<'t> {
    pub(super) fn begin(text: &'t str) -> Result<RowText<'t>> {
        let mut row = RowText { text, rest: text.trim_start_matches(is_space), begun: false };
        match row.rest.strip_prefix('(') {
            Some(rest) => row.rest = rest,
            None => return Err(row.malformed("Missing left parenthesis.")),
        }
        Ok(row)
    }

    /// The next field; `None` for null.
    pub(super) fn field(&mut self) -> Result<Option<String>> {
        if std::mem::replace(&mut self.begun, true) {
            match self.rest.strip_prefix(',') {
                Some(rest) => self.rest = rest,
                None => return Err(self.malformed("Too few columns.")),
            }
        }
        if self.rest.starts_with([',', ')']) {
            return Ok(None);
        }
        let (mut field, mut quoted) = (String::new(), false);
        loop {
            if !quoted && self.rest.starts_with([',', ')']) {
                return Ok(Some(field));
            }
            match self.next()? {
                '\\' => field.push(self.next()?),
                '"' if quoted && self.rest.starts_with('"') => field.push(self.next()?),
                '"' => quoted = !quoted,
                other => field.push(other),
            }
        }
    }

    pub(super) fn end(self) -> Result<()> {
        match self.rest.strip_prefix(')') {
            None => Err(self.malformed("Too many columns.")),
            Some(rest) if rest.trim_start_matches(is_space).is_empty() => Ok(()),
            Some(_) => Err(self.malformed("Junk after right parenthesis.")),
        }
    }

    fn next(&mut self) -> Result<char> {
        let mut characters = self.rest.chars();
        let Some(next) = characters.next() else { return Err(self.malformed("Unexpected end of input.")) };
        self.rest = characters.as_str();
        Ok(next)
    }

    fn malformed(&self, detail: &str) -> SqlError {
        let message = format!("malformed record literal: \"{}\"", self.text);
        SqlError::new(SqlState::INVALID_TEXT, message).detail(detail)
    }
}

fn is_space(character: char) -> bool {
    character.is_ascii_whitespace() || character == '\u{b}'
}
