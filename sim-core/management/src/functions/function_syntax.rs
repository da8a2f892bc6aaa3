//! Texts that can be no JavaScript or TypeScript: a bracket, a string or a comment that does not end, a declaration without a name.
//! Everything else passes, and so does a text in which it is not sure where a string begins. Nothing is compiled.

/// Why `source` can't be parsed, and in which line; `None` if no reason is seen.
#[doc(hidden)]
pub fn problem(source: &str) -> Option<(String, usize)> {
    let mut scan = Scan { bytes: source.as_bytes(), at: 0, line: 1, open: Vec::new(), last: Last::Start };
    match scan.run() {
        Ok(()) | Err(Stop::Unsure) => None,
        Err(Stop::Wrong(text)) => Some((text, scan.line)),
    }
}

/// What ends the scan early.
enum Stop {
    /// The text can't be parsed.
    Wrong(String),
    /// It is not sure what the text means.
    Unsure,
}

/// The last token, as far as it decides what follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// There is none.
    Start,
    /// A sign after which an expression begins.
    Operator,
    /// A point, after which every word is a name.
    Point,
    /// A closing bracket.
    Closed,
    /// A name, a number or a string.
    Value,
    /// A word after which an expression begins: `return`.
    Keyword,
    /// `const`, `let` or `var`.
    Declaration,
}

struct Scan<'s> {
    bytes: &'s [u8],
    at: usize,
    line: usize,
    /// Brackets that are open, and a template's `` ` `` while its text or an expression in it goes on.
    open: Vec<u8>,
    last: Last,
}

impl Scan<'_> {
    fn run(&mut self) -> Result<(), Stop> {
        if self.bytes.starts_with(b"#!") {
            self.skip_line();
        }
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => self.line += 1,
                b'/' => {
                    self.slash()?;
                    continue;
                }
                b'\'' | b'"' => self.string(byte)?,
                b'`' => {
                    self.open.push(b'`');
                    self.at += 1;
                    self.template()?;
                    continue;
                }
                b'(' | b'[' | b'{' => {
                    self.open.push(byte);
                    self.last = Last::Operator;
                }
                b')' | b']' | b'}' => {
                    self.close(byte)?;
                    continue;
                }
                _ if byte.is_ascii_whitespace() => {}
                _ if is_of_word(byte) => {
                    self.word();
                    continue;
                }
                _ => self.sign(byte)?,
            }
            self.at += 1;
        }
        match self.open.last() {
            Some(b'`') => Err(wrong("Unterminated template")),
            Some(&open) => Err(wrong(&format!("Expected {:?}, got end of file", char::from(partner(open))))),
            None => Ok(()),
        }
    }

    fn skip_line(&mut self) {
        while self.bytes.get(self.at).is_some_and(|byte| *byte != b'\n') {
            self.at += 1;
        }
    }

    /// A comment, a regular expression or a division.
    fn slash(&mut self) -> Result<(), Stop> {
        match (self.bytes.get(self.at + 1), self.last) {
            (Some(b'/'), _) => self.skip_line(),
            (Some(b'*'), _) => self.comment()?,
            (_, Last::Start | Last::Operator | Last::Keyword) => self.pattern()?,
            // After a bracket it is either, depending on what the bracket closes.
            (_, Last::Closed | Last::Declaration) => return Err(Stop::Unsure),
            (_, Last::Value | Last::Point) => {
                self.last = Last::Operator;
                self.at += 1;
            }
        }
        Ok(())
    }

    fn comment(&mut self) -> Result<(), Stop> {
        let begun = self.line;
        self.at += 2;
        loop {
            match self.bytes.get(self.at) {
                None => {
                    self.line = begun;
                    return Err(wrong("Unterminated block comment"));
                }
                Some(b'\n') => self.line += 1,
                Some(b'*') if self.bytes.get(self.at + 1) == Some(&b'/') => break,
                Some(_) => {}
            }
            self.at += 1;
        }
        self.at += 2;
        Ok(())
    }

    fn pattern(&mut self) -> Result<(), Stop> {
        let mut in_class = false;
        loop {
            self.at += 1;
            match self.bytes.get(self.at) {
                None | Some(b'\n') => return Err(Stop::Unsure),
                Some(b'\\') => self.at += 1,
                Some(b'[') => in_class = true,
                Some(b']') => in_class = false,
                Some(b'/') if !in_class => break,
                Some(_) => {}
            }
        }
        self.at += 1;
        self.last = Last::Value;
        Ok(())
    }

    /// A string; stops at its end.
    fn string(&mut self, quote: u8) -> Result<(), Stop> {
        loop {
            self.at += 1;
            match self.bytes.get(self.at) {
                None | Some(b'\n') => return Err(wrong("Unterminated string constant")),
                Some(b'\\') => {
                    self.at += 1;
                    self.line += usize::from(self.bytes.get(self.at) == Some(&b'\n'));
                }
                Some(byte) if *byte == quote => break,
                Some(_) => {}
            }
        }
        self.last = Last::Value;
        Ok(())
    }

    /// The text of a template, up to its end or to an expression in it.
    fn template(&mut self) -> Result<(), Stop> {
        loop {
            match self.bytes.get(self.at) {
                None => return Err(wrong("Unterminated template")),
                Some(b'\n') => self.line += 1,
                Some(b'\\') => {
                    self.at += 1;
                    self.line += usize::from(self.bytes.get(self.at) == Some(&b'\n'));
                }
                Some(b'`') => {
                    self.open.pop();
                    self.at += 1;
                    self.last = Last::Value;
                    return Ok(());
                }
                Some(b'$') if self.bytes.get(self.at + 1) == Some(&b'{') => {
                    self.open.push(b'{');
                    self.at += 2;
                    self.last = Last::Operator;
                    return Ok(());
                }
                Some(_) => {}
            }
            self.at += 1;
        }
    }

    fn close(&mut self, byte: u8) -> Result<(), Stop> {
        match self.open.pop() {
            Some(open) if partner(open) == byte => {}
            _ => return Err(wrong(&format!("Unexpected {:?}", char::from(byte)))),
        }
        self.at += 1;
        self.last = Last::Closed;
        // The bracket may end an expression in a template, whose text goes on.
        if self.open.last() == Some(&b'`') { self.template() } else { Ok(()) }
    }

    fn word(&mut self) {
        let start = self.at;
        while self.bytes.get(self.at).copied().is_some_and(is_of_word) {
            self.at += 1;
        }
        self.last = match &self.bytes[start..self.at] {
            _ if self.last == Last::Point => Last::Value,
            b"const" | b"let" | b"var" => Last::Declaration,
            b"return" | b"typeof" | b"case" | b"in" | b"of" | b"delete" | b"void" | b"throw" | b"new"
            | b"instanceof" | b"else" | b"do" | b"yield" | b"await" | b"default" | b"extends" => {
                Last::Keyword
            }
            _ => Last::Value,
        };
    }

    fn sign(&mut self, byte: u8) -> Result<(), Stop> {
        let next = self.bytes.get(self.at + 1);
        if self.last == Last::Declaration
            && (byte == b';' || byte == b'=' && !matches!(next, Some(b'=' | b'>')))
        {
            return Err(wrong(&format!("Expected a name, got {:?}", char::from(byte))));
        }
        // `i++ / 2` divides.
        let counts = matches!(byte, b'+' | b'-') && next == Some(&byte) && self.last == Last::Value;
        self.last = match byte {
            b'.' => Last::Point,
            _ if counts => {
                self.at += 1;
                Last::Value
            }
            _ => Last::Operator,
        };
        Ok(())
    }
}

fn wrong(text: &str) -> Stop {
    Stop::Wrong(text.to_owned())
}

const fn partner(open: u8) -> u8 {
    match open {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    }
}

const fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#' | b'@') || !byte.is_ascii()
}
