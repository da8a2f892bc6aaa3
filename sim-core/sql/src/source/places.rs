//! Where things stand in a text, for the errors that show it.

use sqlparser::tokenizer::Location;

use super::Source;

impl Source {
    /// The byte offset of the parser's location.
    pub(crate) fn offset(&self, location: Location) -> Option<usize> {
        let start = *self.lines.get((location.line as usize).checked_sub(1)?)?;
        let character = start + (location.column as usize).checked_sub(1)?;
        let byte = if self.characters.is_empty() {
            Some(character)
        } else {
            self.characters.get(character).copied()
        };
        Some(byte.unwrap_or(self.text.len()).min(self.text.len()))
    }

    /// The same, but only if errors contain places.
    pub(crate) fn place(&self, location: Location) -> Option<usize> {
        self.offset(location).filter(|_| self.places)
    }

    /// The place of the operator between two operands.
    pub(crate) fn place_between(&self, left: Location, right: Location) -> Option<usize> {
        let (from, to) = (self.offset(left)?, self.offset(right)?);
        let between = self.text.get(from..to)?;
        // The location of a cast is that of its value.
        let skipped = match between.rfind("::") {
            Some(cast) => cast + operator_after_type(&between[cast..])?,
            None => between.find(|c: char| !c.is_whitespace() && c != ')' && c != '(')?,
        };
        Some(from + skipped).filter(|_| self.places)
    }

    /// The place at which an expression with a query begins that begins itself at a location: at its bracket, or at the word before.
    pub(crate) fn place_before_query(&self, query: Location) -> Option<usize> {
        let at = self.place(query)?;
        let bracket = self.text.get(..at)?.trim_end().strip_suffix('(')?.len();
        let before = self.text.get(..bracket)?.trim_end();
        let word = before.len() - before.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len();
        let word_at = before.len() - word;
        let known = ["exists", "in", "array"];
        let is_known = known.iter().any(|known| before[word_at..].eq_ignore_ascii_case(known));
        Some(if is_known { word_at } else { bracket })
    }

    /// The place of a word before a location, with nothing but brackets or the name of a type between them.
    pub(crate) fn place_of_word_before(&self, word: &str, location: Location) -> Option<usize> {
        let at = self.place(location)?;
        let mut before = self.text.get(..at)?;
        loop {
            before = before.trim_end_matches(|c: char| c.is_whitespace() || c == '(' || c == '[');
            let last = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
            let found = &before[last.len()..];
            if found.eq_ignore_ascii_case(word) {
                return Some(last.len());
            }
            if found.is_empty() {
                return None;
            }
            before = last;
        }
    }

    /// The place of the next sign after a location, or of a later one.
    pub(crate) fn place_of_sign(&self, sign: &str, after: Location, skipped: usize) -> Option<usize> {
        let from = self.place(after)?;
        self.text.get(from..)?.match_indices(sign).nth(skipped).map(|(at, _)| from + at)
    }

    /// Whether a word occurs between two locations.
    pub(crate) fn has_word_between(&self, left: Location, right: Location, word: &str) -> bool {
        let between =
            self.offset(left).zip(self.offset(right)).and_then(|(from, to)| self.text.get(from..to));
        between
            .is_some_and(|between| between.split_whitespace().any(|found| found.eq_ignore_ascii_case(word)))
    }

    /// The place at which a character next occurs after a location.
    pub(crate) fn place_of(&self, character: char, after: Location) -> Option<usize> {
        let from = self.offset(after)?;
        self.text.get(from..)?.find(character).map(|at| from + at).filter(|_| self.places)
    }
}

/// Where the operator begins in `::type operator …`.
fn operator_after_type(text: &str) -> Option<usize> {
    const WORDS: [&str; 8] = ["not", "like", "ilike", "similar", "in", "between", "is", "operator"];
    let sign = text.char_indices().skip(2).find(|(_, c)| "+-*/<>=~!@#%^&|`?".contains(*c)).map(|(at, _)| at);
    let mut starts = text.match_indices(char::is_whitespace).map(|(at, _)| at + 1);
    let word = starts.find(|start| {
        let rest = &text[*start..];
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        WORDS.contains(&rest[..end].to_ascii_lowercase().as_str())
    });
    sign.into_iter().chain(word).min()
}
