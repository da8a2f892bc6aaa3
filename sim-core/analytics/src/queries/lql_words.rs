//! Words of the search language, with their places, and the texts in them.

/// A word of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// The place of its first character, from 1.
    pub(crate) at: usize,
    pub(crate) text: String,
}

impl Word {
    /// The problem, with the word and its place.
    pub(crate) fn problem(&self, problem: &str) -> String {
        let mut shown: String = self.text.chars().take(SHOWN).collect();
        if shown.len() < self.text.len() {
            shown.push('…');
        }
        format!("{problem} (at character {}: {shown})", self.at)
    }
}

/// Characters of a word in a message.
const SHOWN: usize = 60;

/// The limits of a search: its bytes and its words.
const TEXT_BYTES: usize = 16 << 10;
const WORDS_MAX: usize = 100;

/// Splits at blanks outside double quotes, and outside the parentheses that hold a value. Both are kept.
pub(crate) fn words(text: &str) -> Result<Vec<Word>, String> {
    if text.len() > TEXT_BYTES {
        return Err(format!("the search has {} bytes, of at most {TEXT_BYTES}", text.len()));
    }
    let (mut words, mut word) = (Vec::new(), Word { at: 1, text: String::new() });
    // The sign that ends what has begun, and the place where it began.
    let (mut until, mut hidden) = (None, false);
    for (place, sign) in text.chars().enumerate() {
        if sign.is_whitespace() && until.is_none() {
            let next = Word { at: place + 2, text: String::new() };
            let ended = std::mem::replace(&mut word, next);
            words.extend((!ended.text.is_empty()).then_some(ended));
            hidden = false;
            continue;
        }
        until = match (until, sign) {
            (None, '"') if !hidden => Some(('"', place + 1)),
            (None, '(') if [":", ":=", ":@>"].iter().any(|before| word.text.ends_with(before)) => {
                Some((')', place + 1))
            }
            (Some((end, _)), sign) if sign == end && !hidden => None,
            (until, _) => until,
        };
        hidden = sign == '\\' && !hidden;
        word.text.push(sign);
    }
    words.extend((!word.text.is_empty()).then_some(word));
    if words.len() > WORDS_MAX {
        return Err(format!("the search has {} words, of at most {WORDS_MAX}", words.len()));
    }
    match until {
        None => Ok(words),
        Some(('"', place)) => Err(format!("a quotation mark is not closed (at character {place})")),
        Some((_, place)) => Err(format!("a parenthesis is not closed (at character {place})")),
    }
}

/// The text of a word, in quotation marks or not.
pub(crate) fn text_of(word: &str) -> Result<String, String> {
    let text = match quoted(word)? {
        Some(inside) => inside,
        None => plain(word)?,
    };
    if text.is_empty() { Err("a value is missing".to_owned()) } else { Ok(text.replace("\\\"", "\"")) }
}

/// Words that other languages join conditions with.
pub(crate) const JOINING: [&str; 8] = ["AND", "OR", "NOT", "&&", "||", "&", "|", "!"];

/// The value of a field: like a text, or in parentheses. Signs that join values elsewhere must be quoted.
pub(crate) fn value_of(word: &str) -> Result<String, String> {
    if let Some(inside) = word.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        if inside.contains(['(', ')']) {
            return Err(
                "parentheses in parentheses mean nothing; put the value in quotation marks".to_owned()
            );
        }
        if let Some(word) = inside.split_whitespace().find(|word| JOINING.contains(word)) {
            return Err(format!("{word} joins no values here; a value with it must be in quotation marks"));
        }
        return match inside.is_empty() {
            true => Err("a value is missing".to_owned()),
            false => Ok(inside.to_owned()),
        };
    }
    let joins = |sign: &char| matches!(sign, ',' | '|' | '[' | ']' | '{' | '}');
    match word.chars().find(joins).filter(|_| !word.starts_with('"')) {
        Some(sign) => {
            Err(format!("{sign:?} joins no values here; a value with it must be in quotation marks"))
        }
        None => text_of(word),
    }
}

/// The pattern after `~`, in quotation marks or not.
pub(crate) fn pattern_of(word: &str) -> Result<String, String> {
    let text = quoted(word)?.unwrap_or(word);
    if text.is_empty() { Err("a value is missing".to_owned()) } else { Ok(text.replace("\\\"", "\"")) }
}

/// What is between the quotation marks; `None` if the word has none.
fn quoted(word: &str) -> Result<Option<&str>, String> {
    let mut hidden = false;
    let marks: Vec<usize> = word
        .char_indices()
        .filter_map(|(place, sign)| {
            let is_mark = sign == '"' && !hidden;
            hidden = sign == '\\' && !hidden;
            is_mark.then_some(place)
        })
        .collect();
    match marks[..] {
        [] => Ok(None),
        [0, last] if last + 1 == word.len() => Ok(word.get(1..last)),
        _ => Err("quotation marks must be round the whole text; one inside it is written \\\"".to_owned()),
    }
}

/// A text without quotation marks: its brackets are balanced, and it has no sign of a pattern.
fn plain(word: &str) -> Result<&str, String> {
    if word.contains('*') {
        return Err(
            "* is no pattern here; write ~ and a regular expression, or put the text in quotation marks"
                .to_owned(),
        );
    }
    let mut open = Vec::new();
    for sign in word.chars() {
        match sign {
            '(' | '[' | '{' => open.push(sign),
            ')' | ']' | '}' if open.pop() != Some(opening(sign)) => {
                return Err(format!("{sign:?} closes nothing; a text with it must be in quotation marks"));
            }
            _ => {}
        }
    }
    match open.pop() {
        None => Ok(word),
        Some(sign) => Err(format!("{sign:?} is not closed; a text with it must be in quotation marks")),
    }
}

const fn opening(closing: char) -> char {
    match closing {
        ')' => '(',
        ']' => '[',
        _ => '{',
    }
}
