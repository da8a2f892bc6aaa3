//! The text of a row, `(1,"a b",)`, as PostgreSQL reads and writes it.

use rusqlite::types::ValueRef;
use serde_json::Value as Element;

use super::error::{Result, SqlError, SqlState};
use super::types::Type;
use super::value::{self, array};

/// Arrays of texts.
const TEXTS: Type = Type(1009);

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

/// The texts of rows. The types of their fields are numbers, lists of those of a row, or objects with the list of those of an array's
/// rows.
pub(super) fn row_texts(rows: Vec<Element>, types: &[Element]) -> Vec<Element> {
    let items = |row: &Element| match row {
        Element::Array(items) => items.clone(),
        Element::String(text) => array::elements(text),
        _ => Vec::new(),
    };
    let field = |(item, type_): (&Element, &Element)| match (item, type_) {
        (Element::Null, _) => String::new(),
        (row, Element::Array(types)) => {
            let text = row_texts(vec![row.clone()], types).pop();
            row_field(text.as_ref().and_then(Element::as_str).unwrap_or(""))
        }
        (rows, Element::Object(each)) => {
            let types = each.get("each").and_then(Element::as_array);
            let texts = row_texts(items(rows), types.map_or(&[][..], Vec::as_slice));
            row_field(&array::print(TEXTS, &Element::from(texts).to_string()))
        }
        (item, type_) => {
            let type_ = Type(type_.as_u64().and_then(|oid| u32::try_from(oid).ok()).unwrap_or(Type::TEXT.0));
            let value = array::value(type_, item);
            row_field(&value::print(type_, ValueRef::from(&value)))
        }
    };
    let text = |row: Element| match row {
        Element::Null => Element::Null,
        row => format!("({})", items(&row).iter().zip(types).map(field).collect::<Vec<_>>().join(",")).into(),
    };
    rows.into_iter().map(text).collect()
}

/// The text of a field in that of its row.
pub(super) fn row_field(text: &str) -> String {
    let plain =
        !text.is_empty() && !text.contains(|c: char| "(),\"\\".contains(c) || c.is_ascii_whitespace());
    if plain { text.to_owned() } else { format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\"\"")) }
}
