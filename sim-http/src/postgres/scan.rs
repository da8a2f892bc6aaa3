//! Finds the statements of a text, and those in the bodies of functions.

use super::rewrite::Rewrite;

/// Words of PL/pgSQL after which a statement begins.
const BEFORE_A_STATEMENT: [&str; 4] = ["begin", "then", "else", "loop"];

/// The number of words by which statements are recognized.
const WORDS: usize = 8;

/// A statement of a text.
#[derive(Default)]
pub(super) struct Statement<'a> {
    whole: &'a str,
    /// Its first words.
    pub(super) words: Vec<(usize, &'a str)>,
    pub(super) end: usize,
    /// The body of the function that it is in.
    pub(super) body: Option<&'a str>,
    /// Where the expression of an `execute` ends, if before the statement.
    expression_end: Option<usize>,
    comments: Vec<(usize, usize)>,
}

impl<'a> Statement<'a> {
    /// Whether the word at `index` is one of them.
    pub(super) fn is(&self, index: usize, any: &[&str]) -> bool {
        self.words.get(index).is_some_and(|(_, word)| any.iter().any(|one| word.eq_ignore_ascii_case(one)))
    }

    /// Whether it begins with the words of `head`, of which names may have quotes.
    pub(super) fn begins(&self, head: &str) -> bool {
        head.split(' ').enumerate().all(|(index, any)| {
            let is = |word: &str| any == "*" || any.split('|').any(|one| one.eq_ignore_ascii_case(word));
            self.words.get(index).is_some_and(|(_, word)| is(word.trim_matches('"')))
        })
    }

    /// Where it begins, and its text.
    pub(super) fn text(&self) -> Option<(usize, &'a str)> {
        let (at, _) = *self.words.first()?;
        Some((at, self.whole.get(at..self.end)?.trim_end()))
    }

    /// Its text from `start` on, without comments.
    pub(super) fn plain(&self, start: usize) -> String {
        let (mut plain, mut done) = (String::new(), start);
        for (at, end) in self.comments.iter().filter(|(at, _)| *at >= start) {
            plain += &self.whole[done..*at];
            plain.push(' ');
            done = *end;
        }
        (plain + &self.whole[done..self.end]).trim_end().to_owned()
    }

    /// The place of the expression after its first word.
    pub(super) fn expression(&self) -> Option<(usize, usize)> {
        let (at, word) = *self.words.first()?;
        Some((at + word.len(), self.expression_end.unwrap_or(self.end)))
    }
}

/// A scan of a text, or of the body of a function in it.
pub(super) struct Scan<'a> {
    text: &'a str,
    at: usize,
    end: usize,
    statement: Statement<'a>,
    /// Open brackets.
    depth: usize,
    /// The previous token.
    previous: &'a str,
}

impl<'a> Scan<'a> {
    pub(super) fn of(text: &'a str) -> Scan<'a> {
        let statement = Statement { whole: text, ..Statement::default() };
        Scan { text, at: 0, end: text.len(), statement, depth: 0, previous: "" }
    }

    /// The body of a function.
    pub(super) fn of_body(text: &'a str, at: usize, end: usize) -> Scan<'a> {
        let statement = Statement { whole: text, body: text.get(at..end), ..Statement::default() };
        Scan { text, at, end, statement, depth: 0, previous: "" }
    }

    pub(super) fn run(mut self, into: &mut Rewrite<'a>) {
        while let Some(char) = self.rest().chars().next() {
            match char {
                '\'' => self.string(into),
                '"' => {
                    let name = self.until('"');
                    self.note(name);
                    into.shape(self.at, name, self.rest());
                    self.previous = name;
                }
                '-' if self.rest().starts_with("--") => self.comment(Scan::skip_line),
                '/' if self.rest().starts_with("/*") => self.comment(Scan::skip_nested),
                '$' => self.dollar(into),
                ';' => {
                    self.end_statement(into);
                    self.token(1);
                }
                '(' | ')' => {
                    self.depth = if char == '(' { self.depth + 1 } else { self.depth.saturating_sub(1) };
                    self.token(1);
                }
                char if char.is_alphabetic() || char == '_' => self.word(into),
                char if char.is_whitespace() => self.at += char.len_utf8(),
                char if char.is_ascii_digit() => {
                    // No keyword starts after a number, despite `1current_date`.
                    let length =
                        self.rest().find(|c: char| !c.is_alphanumeric()).unwrap_or(self.rest().len());
                    self.token(length);
                }
                char => self.token(char.len_utf8()),
            }
        }
        self.end_statement(into);
    }

    fn word(&mut self, into: &mut Rewrite<'a>) {
        let word = self.name();
        let is = |any: &[&str]| any.iter().any(|one| word.eq_ignore_ascii_case(one));
        let at = self.note(word);
        let next = self.rest().trim_start().chars().next();
        into.word(at, word, self.previous, next);
        into.shape(self.at, word, self.rest());
        self.previous = word;
        if self.statement.body.is_some() && is(&BEFORE_A_STATEMENT) {
            self.begin_statement();
        } else if self.depth == 0 && is(&["into", "using"]) {
            self.statement.expression_end.get_or_insert(at);
        }
    }

    fn begin_statement(&mut self) {
        let Statement { whole, body, .. } = self.statement;
        self.statement = Statement { whole, body, ..Statement::default() };
        self.depth = 0;
    }

    fn end_statement(&mut self, into: &mut Rewrite<'a>) {
        self.statement.end = self.at;
        into.statement(&self.statement);
        self.begin_statement();
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..self.end]
    }

    /// Skips `length` bytes, or to the end if there are fewer.
    fn skip(&mut self, length: Option<usize>) {
        self.at = length.map_or(self.end, |length| self.at + length);
    }

    fn token(&mut self, length: usize) {
        self.previous = &self.rest()[..length];
        self.at += length;
    }

    fn name(&self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
        &rest[..end.unwrap_or(rest.len())]
    }

    /// Skips a word, and records it if it is one of the first.
    fn note(&mut self, word: &'a str) -> usize {
        let at = self.at;
        if self.statement.words.len() < WORDS {
            self.statement.words.push((at, word));
        }
        self.at += word.len();
        at
    }

    /// The text between two `quote`s (doubled ones are part of it), with the quotes.
    fn until(&self, quote: char) -> &'a str {
        let rest = self.rest();
        let mut from = 1;
        while let Some(at) = rest[from..].find(quote) {
            from += at + 1;
            if !rest[from..].starts_with(quote) {
                return &rest[..from];
            }
            from += 1;
        }
        rest
    }

    fn string(&mut self, into: &mut Rewrite<'a>) {
        if !self.previous.eq_ignore_ascii_case("e") {
            let (at, string) = (self.at, self.until('\''));
            let is_body = ["as", "do"].iter().any(|before| self.previous.eq_ignore_ascii_case(before));
            if is_body && self.is_code() {
                into.quoted_body(at, string);
            }
            return self.token(string.len());
        }
        let rest = self.rest();
        let (mut escaped, mut end) = (false, rest.len());
        for (at, char) in rest.char_indices().skip(1) {
            if char == '\'' && !escaped {
                end = at + 1;
                break;
            }
            escaped = char == '\\' && !escaped;
        }
        self.token(end);
    }

    fn comment(&mut self, skip: fn(&mut Self)) {
        let at = self.at;
        skip(self);
        self.statement.comments.push((at, self.at));
    }

    fn skip_line(&mut self) {
        self.skip(self.rest().find('\n'));
    }

    /// Comments nest.
    fn skip_nested(&mut self) {
        let mut depth = 0;
        loop {
            let rest = self.rest();
            let step = if rest.starts_with("/*") {
                depth += 1;
                2
            } else if rest.starts_with("*/") {
                depth -= 1;
                2
            } else {
                rest.chars().next().map_or(0, char::len_utf8)
            };
            self.at += step;
            if depth == 0 || step == 0 {
                return;
            }
        }
    }

    /// Skips a dollar-quoted text; the body of a function is scanned like the rest.
    fn dollar(&mut self, into: &mut Rewrite<'a>) {
        let rest = self.rest();
        let tag = rest[1..].find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let Some(tag) = tag.filter(|tag| rest[1 + tag..].starts_with('$')).map(|tag| &rest[..tag + 2]) else {
            return self.token(1);
        };
        let body = self.at + tag.len();
        let length = self.text[body..self.end].find(tag).unwrap_or(self.end - body);
        if self.is_code() {
            into.body(body, body + length);
        }
        self.previous = "$";
        self.at = (body + length + tag.len()).min(self.end);
    }

    fn is_code(&self) -> bool {
        self.statement.words.iter().enumerate().any(|(index, (_, word))| {
            let first = index == 0 && word.eq_ignore_ascii_case("do");
            first || ["function", "procedure"].iter().any(|one| word.eq_ignore_ascii_case(one))
        })
    }
}
