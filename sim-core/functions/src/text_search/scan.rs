//! The default parser of text search: it cuts a text into words, numbers, addresses, paths, tags and blanks.
//!
//! Where a text can be read in several ways, PostgreSQL prefers an address to a path, a path to a hyphenated word, and each of
//! them to a plain word. The functions here try them in this order.

mod markup;

use std::sync::LazyLock;

use regex::Regex;

/// The kind of a token, with PostgreSQL's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Kind {
    AsciiWord = 1,
    Word = 2,
    NumWord = 3,
    Email = 4,
    Url = 5,
    Host = 6,
    Scientific = 7,
    Version = 8,
    NumPart = 9,
    Part = 10,
    AsciiPart = 11,
    Blank = 12,
    Tag = 13,
    Protocol = 14,
    NumHyphenated = 15,
    AsciiHyphenated = 16,
    Hyphenated = 17,
    UrlPath = 18,
    File = 19,
    Decimal = 20,
    Signed = 21,
    Unsigned = 22,
    Entity = 23,
}

impl Kind {
    /// Its name in the mappings of configurations.
    pub(super) const ALL: [(Kind, &'static str); 23] = [
        (Kind::AsciiWord, "asciiword"),
        (Kind::Word, "word"),
        (Kind::NumWord, "numword"),
        (Kind::Email, "email"),
        (Kind::Url, "url"),
        (Kind::Host, "host"),
        (Kind::Scientific, "sfloat"),
        (Kind::Version, "version"),
        (Kind::NumPart, "hword_numpart"),
        (Kind::Part, "hword_part"),
        (Kind::AsciiPart, "hword_asciipart"),
        (Kind::Blank, "blank"),
        (Kind::Tag, "tag"),
        (Kind::Protocol, "protocol"),
        (Kind::NumHyphenated, "numhword"),
        (Kind::AsciiHyphenated, "asciihword"),
        (Kind::Hyphenated, "hword"),
        (Kind::UrlPath, "url_path"),
        (Kind::File, "file"),
        (Kind::Decimal, "float"),
        (Kind::Signed, "int"),
        (Kind::Unsigned, "uint"),
        (Kind::Entity, "entity"),
    ];
}

/// What the scanner expects next.
#[derive(Clone, Copy)]
enum Mode {
    Base,
    /// The host of an address that was read as a whole, up to this place.
    Host(usize),
    /// The path after such a host.
    UrlPath,
    /// The parts of a hyphenated word, up to this place.
    Parts(usize),
}

/// How a path goes on.
enum Step {
    /// With a name, at this place.
    Name(usize),
    /// It ends here.
    End(usize),
}

/// Reads the tokens of a text one by one.
pub(super) struct Scanner {
    text: Vec<char>,
    at: usize,
    mode: Mode,
    /// Whether the content of a script or style is skipped.
    ignoring: bool,
    /// The characters looked at since the last token.
    pub(super) looked: usize,
}

fn letter(c: char) -> bool {
    c.is_ascii_alphabetic()
}

fn digit(c: char) -> bool {
    c.is_ascii_digit()
}

fn ascii(c: char) -> bool {
    c.is_ascii_alphanumeric()
}

/// A letter of any script.
fn alpha(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphabetic() } else { c.is_alphanumeric() }
}

/// A character inside words that is no letter: a mark, or one without a width.
fn special(c: char) -> bool {
    static MARK: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^\p{M}$").expect("this is a pattern"));
    if c.is_ascii() {
        return false;
    }
    matches!(u32::from(c), 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x206f | 0xfeff)
        || MARK.is_match(c.encode_utf8(&mut [0; 4]))
}

fn word(c: char) -> bool {
    alpha(c) || special(c)
}

fn number_or_word(c: char) -> bool {
    word(c) || digit(c)
}

fn file(c: char) -> bool {
    ascii(c) || c == '_'
}

/// The first character of the name of a tag or an entity.
fn name_start(c: char) -> bool {
    letter(c) || c == ':' || c == '_'
}

fn name(c: char) -> bool {
    name_start(c) || alpha(c) || digit(c) || c == '.' || c == '-'
}

impl Scanner {
    pub(super) fn new(text: &str) -> Scanner {
        Scanner { text: text.chars().collect(), at: 0, mode: Mode::Base, ignoring: false, looked: 0 }
    }

    /// The next token; `None` at the end.
    pub(super) fn token(&mut self) -> Option<(Kind, String)> {
        self.looked = 0;
        let (kind, end) = self.scan()?;
        let text = self.text[self.at..end].iter().collect();
        // The parts of these tokens follow as further tokens.
        let again = kind == Kind::Url
            || matches!(kind, Kind::NumHyphenated | Kind::AsciiHyphenated | Kind::Hyphenated);
        if !again {
            self.at = end;
        }
        Some((kind, text))
    }

    fn scan(&mut self) -> Option<(Kind, usize)> {
        let at = self.at;
        let first = self.peek(at)?;
        match self.mode {
            Mode::Base => {}
            Mode::Host(end) => {
                self.mode = if self.peek(end) == Some('/') { Mode::UrlPath } else { Mode::Base };
                return Some((Kind::Host, end));
            }
            Mode::UrlPath => {
                self.mode = Mode::Base;
                return Some((Kind::UrlPath, self.url_path(at)));
            }
            Mode::Parts(end) if at < end => return Some(self.part(at, end)),
            Mode::Parts(_) => {
                self.mode = Mode::Base;
                // The hyphen after a hyphenated word is no sign.
                if first == '-' && self.is(at + 1, digit) {
                    return Some((Kind::Blank, at + 1));
                }
            }
        }
        let found = match first {
            '<' => self.tag(at),
            _ if self.ignoring => None,
            '&' => self.entity(at),
            '/' | '~' | '.' => self.path(at),
            '+' | '-' => self.signed(at),
            c if digit(c) => Some(self.digits(at)),
            c if letter(c) => Some(self.letters(at)),
            c if alpha(c) => Some(self.word(at, at)),
            _ => None,
        };
        Some(found.unwrap_or_else(|| (Kind::Blank, self.blank(at))))
    }

    fn peek(&self, at: usize) -> Option<char> {
        self.text.get(at).copied()
    }

    fn is(&self, at: usize, test: impl Fn(char) -> bool) -> bool {
        self.peek(at).is_some_and(test)
    }

    /// The end of the run of characters that pass the test.
    fn run(&mut self, at: usize, test: impl Fn(char) -> bool) -> usize {
        let length = self.text[at..].iter().take_while(|c| test(**c)).count();
        self.looked += length + 1;
        at + length
    }

    fn blank(&mut self, at: usize) -> usize {
        let ignoring = self.ignoring;
        self.run(at + 1, |c| c != '<' && (ignoring || !(alpha(c) || digit(c) || "-+&/".contains(c))))
    }

    /// A token that begins with an ASCII letter.
    fn letters(&mut self, at: usize) -> (Kind, usize) {
        let end = self.run(at, letter);
        let next = self.peek(end);
        if next.is_some_and(|c| ".-_@".contains(c) || digit(c))
            && let Some(found) = self.address(at)
        {
            return found;
        }
        match next {
            Some('.' | '/') => self.file(end).unwrap_or((Kind::AsciiWord, end)),
            Some('-') => self.hyphenated(at, end).unwrap_or((Kind::AsciiWord, end)),
            Some(':') if self.is(end + 1, |c| c == '/') && self.is(end + 2, |c| c == '/') => {
                (Kind::Protocol, end + 3)
            }
            Some(c) if digit(c) => self.num_word(at, end),
            Some(c) if word(c) => self.word(at, end),
            _ => (Kind::AsciiWord, end),
        }
    }

    /// A token of letters and digits, known to be one up to `from`.
    fn num_word(&mut self, at: usize, from: usize) -> (Kind, usize) {
        let end = self.run(from, number_or_word);
        let longer = match self.peek(end) {
            Some('@') => self.email(end),
            Some('/' | '.') => self.file(end),
            Some('-') => self.hyphenated(at, end),
            _ => None,
        };
        longer.unwrap_or((Kind::NumWord, end))
    }

    /// A word of letters, not all of them ASCII.
    fn word(&mut self, at: usize, from: usize) -> (Kind, usize) {
        let end = self.run(from, word);
        match self.peek(end) {
            Some('-') => self.hyphenated(at, end).unwrap_or((Kind::Word, end)),
            Some(c) if digit(c) => self.num_word(at, end),
            _ => (Kind::Word, end),
        }
    }

    /// A token that begins with a digit.
    fn digits(&mut self, at: usize) -> (Kind, usize) {
        let end = self.run(at, digit);
        let next = self.peek(end);
        if let Some('e' | 'E') = next
            && let Some(end) = self.exponent(end)
        {
            return (Kind::Scientific, end);
        }
        if next.is_some_and(|c| ".-_@".contains(c) || letter(c))
            && let Some(found) = self.address(at)
        {
            return found;
        }
        match next {
            Some('.') if self.is(end + 1, digit) => self.fraction(end),
            Some('/') => self.file(end).unwrap_or((Kind::Unsigned, end)),
            Some(c) if word(c) => self.num_word(at, end),
            _ => (Kind::Unsigned, end),
        }
    }

    /// A number with a point at `point`, or a version.
    fn fraction(&mut self, point: usize) -> (Kind, usize) {
        let mut end = self.run(point + 1, digit);
        let mut kind = Kind::Decimal;
        while self.is(end, |c| c == '.') && self.is(end + 1, digit) {
            end = self.run(end + 1, digit);
            kind = Kind::Version;
        }
        if kind == Kind::Decimal
            && let Some(end) = self.exponent(end)
        {
            return (Kind::Scientific, end);
        }
        (kind, end)
    }

    fn exponent(&mut self, at: usize) -> Option<usize> {
        if !self.is(at, |c| c == 'e' || c == 'E') {
            return None;
        }
        let digits = if self.is(at + 1, |c| c == '+' || c == '-') { at + 2 } else { at + 1 };
        self.is(digits, digit).then(|| self.run(digits, digit))
    }

    fn signed(&mut self, at: usize) -> Option<(Kind, usize)> {
        if !self.is(at + 1, digit) {
            return None;
        }
        let end = self.run(at + 1, digit);
        if let Some(end) = self.exponent(end) {
            return Some((Kind::Scientific, end));
        }
        if !(self.is(end, |c| c == '.') && self.is(end + 1, digit)) {
            return Some((Kind::Signed, end));
        }
        match self.fraction(end) {
            // A version has no sign.
            (Kind::Version, _) => Some((Kind::Blank, at + 1)),
            found => Some(found),
        }
    }

    /// An e-mail address, a URL or a host that begins at `at`.
    fn address(&mut self, at: usize) -> Option<(Kind, usize)> {
        let mut end = at;
        let (mut best, mut dotted, mut pure) = (None, false, true);
        let mut label = at;
        loop {
            let from = end;
            end = self.run(end, ascii);
            pure &= self.text[from..end].iter().all(|c| letter(*c));
            // A domain ends with a label of at least two letters.
            if dotted && pure && end - label >= 2 {
                best = Some(end);
            }
            match self.peek(end) {
                Some('@') => match self.email(end) {
                    Some(found) => return Some(found),
                    None => break,
                },
                Some(c @ ('.' | '-' | '_')) if self.is(end + 1, ascii) => {
                    end += 1;
                    if c == '.' {
                        (dotted, pure, label) = (true, true, end);
                    } else {
                        (pure, label) = (false, end);
                        dotted = false;
                    }
                }
                _ => break,
            }
        }
        let mut end = best?;
        if self.is(end, |c| c == ':') && self.is(end + 1, digit) {
            end = self.run(end + 1, digit);
        }
        if self.is(end, |c| c == '/')
            && let path = self.url_path(end + 1)
            && path > end + 1
        {
            self.mode = Mode::Host(end);
            return Some((Kind::Url, path));
        }
        Some((Kind::Host, end))
    }

    /// The address whose `@` is at `at`.
    fn email(&mut self, at: usize) -> Option<(Kind, usize)> {
        let before = self.mode;
        let end = self.host(at + 1);
        self.mode = before;
        end.map(|end| (Kind::Email, end))
    }

    fn host(&mut self, at: usize) -> Option<usize> {
        if !self.is(at, ascii) {
            return None;
        }
        let mut end = at;
        let (mut best, mut domain, mut label) = (None, false, at);
        loop {
            end = self.run(end, ascii);
            if domain && end - label >= 2 && self.text[label..end].iter().all(|c| letter(*c)) {
                best = Some(end);
            }
            match self.peek(end) {
                Some(c @ ('.' | '-' | '_')) if self.is(end + 1, ascii) => {
                    (domain, label) = (c == '.', end + 1);
                    end += 1;
                }
                _ => break,
            }
        }
        let end = best?;
        if self.is(end, |c| c == ':') && self.is(end + 1, digit) {
            return Some(self.run(end + 1, digit));
        }
        Some(end)
    }

    /// A path that begins with a slash, a point or a tilde.
    fn path(&mut self, at: usize) -> Option<(Kind, usize)> {
        match self.peek(at)? {
            '/' => self.file_from(at + 1),
            '~' if self.is(at + 1, |c| c == '/') => self.file_from(at + 2),
            '~' if self.is(at + 1, file) => Some(self.file_rest(at + 1)),
            '.' if self.is(at + 1, |c| c == '/' || c == '.') => self.file_from(at),
            _ => None,
        }
    }

    /// A path that goes on with the point or slash at `at`.
    fn file(&mut self, at: usize) -> Option<(Kind, usize)> {
        match self.peek(at)? {
            '/' => self.file_from(at + 1),
            _ if self.is(at + 1, file) => Some(self.file_rest(at + 1)),
            _ => None,
        }
    }

    /// A path after a slash.
    fn file_from(&mut self, at: usize) -> Option<(Kind, usize)> {
        self.step(at).map(|step| match step {
            Step::Name(at) => self.file_rest(at),
            Step::End(end) => (Kind::File, end),
        })
    }

    /// What a path has after a slash: skips `./`, `../` and `~/`.
    fn step(&mut self, mut at: usize) -> Option<Step> {
        let mut parent = None;
        loop {
            self.looked += 1;
            let next = self.peek(at + 1);
            match (self.peek(at), next) {
                (Some(c), _) if file(c) => return Some(Step::Name(at)),
                (Some('.' | '~'), Some('/')) => at += 2,
                (Some('.'), Some('.')) => {
                    let after = self.peek(at + 2);
                    if after.is_none_or(|c| c == '/' || c.is_whitespace()) {
                        parent = Some(Step::End(at + 2));
                    }
                    if after != Some('/') {
                        return parent;
                    }
                    at += 3;
                }
                (Some('.' | '~'), Some(c)) if file(c) => return Some(Step::Name(at + 1)),
                _ => return parent,
            }
        }
    }

    /// The rest of a path, in which everything up to `at` is right.
    fn file_rest(&mut self, mut at: usize) -> (Kind, usize) {
        loop {
            let end = self.run(at, |c| file(c) || c == '-');
            let step = match self.peek(end) {
                Some('.') if self.is(end + 1, file) => Some(Step::Name(end + 1)),
                Some('/') => self.step(end + 1),
                _ => None,
            };
            match step {
                Some(Step::Name(next)) => at = next,
                Some(Step::End(stop)) => return (Kind::File, stop),
                None => return (Kind::File, end),
            }
        }
    }

    fn url_path(&mut self, at: usize) -> usize {
        self.run(at, |c| c.is_ascii_graphic() && !"\"<>\\^`{|}".contains(c))
    }

    /// A word of several parts. The first part ends at `hyphen`.
    fn hyphenated(&mut self, at: usize, hyphen: usize) -> Option<(Kind, usize)> {
        let mut end = hyphen;
        while self.is(end, |c| c == '-') {
            let digits = self.run(end + 1, digit);
            let part = self.run(digits, number_or_word);
            if part == digits || special(self.text[digits]) {
                break;
            }
            end = part;
        }
        if end == hyphen {
            return None;
        }
        self.mode = Mode::Parts(end);
        let mut whole = self.text[at..end].iter().filter(|c| **c != '-');
        let kind = if whole.clone().any(|c| digit(*c)) {
            Kind::NumHyphenated
        } else if whole.all(|c| letter(*c)) {
            Kind::AsciiHyphenated
        } else {
            Kind::Hyphenated
        };
        Some((kind, end))
    }

    /// A part of the hyphenated word that ends at `end`.
    fn part(&mut self, at: usize, end: usize) -> (Kind, usize) {
        if self.is(at, |c| c == '-') {
            return (Kind::Blank, at + 1);
        }
        let stop = self.run(at, |c| c != '-').min(end);
        let part = &self.text[at..stop];
        let kind = if part.iter().any(|c| digit(*c)) {
            Kind::NumPart
        } else if part.iter().all(|c| letter(*c)) {
            Kind::AsciiPart
        } else {
            Kind::Part
        };
        (kind, stop)
    }
}
