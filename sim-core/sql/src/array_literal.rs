//! Array literals of JSON arrays, for columns of rows that are made of documents.

use super::error::{Result, SqlError, SqlState};
use super::value::json::{self, Json};

/// The literal of a document, the value of a member.
pub(super) fn array_literal(document: &Json, member: &str) -> Result<String> {
    let mut reader = Reader { member, dimensions: None, lengths: Vec::new(), place: Vec::new(), count: 0 };
    let Json::Array(items) = document else { return Err(reader.expected_array()) };
    let literal = reader.array(items)?;
    Ok(if reader.count == 0 { "{}".to_owned() } else { literal })
}

struct Reader<'m> {
    member: &'m str,
    /// How many there are, once the first element that is no array has come.
    dimensions: Option<usize>,
    /// The lengths of the arrays of each dimension, as far as they are known.
    lengths: Vec<Option<usize>>,
    /// The place of the element at hand in each dimension.
    place: Vec<usize>,
    count: usize,
}

impl Reader<'_> {
    fn array(&mut self, items: &[Json]) -> Result<String> {
        let depth = self.place.len() + 1;
        if !matches!(items.first(), Some(Json::Array(_))) {
            self.dimensions.get_or_insert(depth);
        }
        let mut literals = Vec::new();
        for (at, item) in items.iter().enumerate() {
            self.place.push(at);
            literals.push(match item {
                Json::Array(items) if self.dimensions.is_none_or(|dimensions| depth < dimensions) => {
                    self.array(items)?
                }
                _ if self.dimensions.is_some_and(|dimensions| depth < dimensions) => {
                    return Err(self.expected_array());
                }
                item => {
                    self.count += 1;
                    element(item)
                }
            });
            self.place.pop();
        }
        let known = self.lengths.len().max(depth);
        self.lengths.resize(known, None);
        if *self.lengths[depth - 1].get_or_insert(items.len()) != items.len() {
            return Err(SqlError::new(SqlState::INVALID_TEXT, "malformed JSON array")
                .detail("Multidimensional arrays must have sub-arrays with matching dimensions."));
        }
        Ok(format!("{{{}}}", literals.join(",")))
    }

    fn expected_array(&self) -> SqlError {
        let member = self.member;
        let hint = match self.place.is_empty() {
            true => format!("See the value of key \"{member}\"."),
            false => {
                let place: String = self.place.iter().map(|at| format!("[{at}]")).collect();
                format!("See the array element {place} of key \"{member}\".")
            }
        };
        SqlError::new(SqlState::INVALID_TEXT, "expected JSON array").hint(hint)
    }
}

fn element(item: &Json) -> String {
    match item {
        Json::Null => "NULL".to_owned(),
        Json::String(text) => json::quote(text),
        other => json::quote(&other.print()),
    }
}
