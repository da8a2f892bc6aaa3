//! Tags, comments and entities of XML and HTML.

use super::{Kind, Scanner, ascii, digit, name, name_start};

impl Scanner {
    pub(super) fn entity(&mut self, at: usize) -> Option<(Kind, usize)> {
        let end = if self.is(at + 1, |c| c == '#') {
            if self.is(at + 2, |c| c == 'x' || c == 'X') {
                let end = self.run(at + 3, |c| c.is_ascii_hexdigit());
                (end > at + 3).then_some(end)
            } else {
                let end = self.run(at + 2, digit);
                (end > at + 2).then_some(end)
            }
        } else if self.is(at + 1, name_start) {
            Some(self.run(at + 2, name))
        } else {
            None
        };
        let end = end.filter(|end| self.is(*end, |c| c == ';'))?;
        Some((Kind::Entity, end + 1))
    }

    pub(super) fn tag(&mut self, at: usize) -> Option<(Kind, usize)> {
        let end = match self.peek(at + 1)? {
            '!' if self.is(at + 2, |c| c == 'D' || c == 'd') => self.attributes(at + 3)?,
            '!' => self.comment(at + 2)?,
            '?' if self.is(at + 2, |c| c == 'x' || c == 'X') => self.attributes(at + 3)?,
            '/' if self.is(at + 2, name_start) => self.tag_name(at + 2)?,
            c if name_start(c) => self.tag_name(at + 1)?,
            _ => return None,
        };
        let text: String = self.text[at..end].iter().take(8).collect::<String>().to_ascii_lowercase();
        let opens = |name: &str| text.starts_with(name);
        if opens("</script") || opens("</style") {
            self.ignoring = false;
        } else if opens("<script") || opens("<style") {
            self.ignoring = true;
        }
        Some((Kind::Tag, end))
    }

    fn comment(&mut self, at: usize) -> Option<usize> {
        if !(self.is(at, |c| c == '-') && self.is(at + 1, |c| c == '-')) {
            return None;
        }
        let mut end = at + 2;
        loop {
            end = self.run(end, |c| c != '-');
            let hyphens = self.run(end, |c| c == '-');
            if hyphens == end {
                return None;
            }
            if hyphens - end >= 2 && self.is(hyphens, |c| c == '>') {
                return Some(hyphens + 1);
            }
            end = hyphens;
        }
    }

    fn tag_name(&mut self, at: usize) -> Option<usize> {
        let end = self.run(at, name);
        match self.peek(end)? {
            '>' => Some(end + 1),
            '/' if self.is(end + 1, |c| c == '>') => Some(end + 2),
            c if c.is_whitespace() => self.attributes(end + 1),
            _ => None,
        }
    }

    /// The end of a tag, after its name.
    fn attributes(&mut self, at: usize) -> Option<usize> {
        let mut end = at;
        loop {
            end = self.run(end, |c| c.is_whitespace() || ascii(c) || "=-_#/:.&?%~".contains(c));
            match self.peek(end)? {
                '>' => return Some(end + 1),
                quote @ ('\'' | '"') => {
                    end += 1;
                    loop {
                        end = self.run(end, |c| c != quote && c != '\\');
                        if self.peek(end)? == quote {
                            break;
                        }
                        end += 2;
                    }
                    end += 1;
                }
                _ => return None,
            }
        }
    }
}
