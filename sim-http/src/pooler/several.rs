//! Whether a text has more than one statement.

/// Whether a statement follows the first one. What a quoted text, a comment, brackets or the body of a function has in it does not
/// count.
pub(super) fn is_several(text: &str) -> bool {
    let mut scan = Scan { rest: text, ..Scan::default() };
    while let Some(found) = scan.next() {
        match found {
            Found::End => scan.ended |= scan.begun,
            Found::Other if scan.ended => return true,
            Found::Other => scan.begun = true,
        }
    }
    false
}

enum Found {
    /// A semicolon between statements.
    End,
    /// A part of a statement.
    Other,
}

#[derive(Default)]
struct Scan<'t> {
    rest: &'t str,
    brackets: usize,
    /// How deep the body of a function is nested that has statements between `BEGIN ATOMIC` and `END`.
    blocks: usize,
    word: &'t str,
    begun: bool,
    ended: bool,
}

impl<'t> Scan<'t> {
    fn next(&mut self) -> Option<Found> {
        self.skip_blank();
        let first = self.rest.chars().next()?;
        match first {
            ';' if self.brackets == 0 && self.blocks == 0 => {
                self.skip(1);
                return Some(Found::End);
            }
            '(' => self.brackets += 1,
            ')' => self.brackets = self.brackets.saturating_sub(1),
            '\'' => {
                let escapes = self.word.eq_ignore_ascii_case("e");
                self.quoted('\'', escapes);
            }
            '"' => self.quoted('"', false),
            '$' => self.dollar_quoted(),
            first if first.is_alphabetic() || first == '_' => self.keyword(),
            _ => {}
        }
        if !(first.is_alphabetic() || first == '_' || "'\"$".contains(first)) {
            self.skip(first.len_utf8());
            self.word = "";
        }
        Some(Found::Other)
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or("");
    }

    fn skip_blank(&mut self) {
        loop {
            let trimmed = self.rest.trim_start();
            if trimmed.len() < self.rest.len() {
                self.word = "";
            }
            self.rest = trimmed;
            if self.rest.starts_with("--") {
                let line = self.rest.find('\n').unwrap_or(self.rest.len());
                self.skip(line);
            } else if self.rest.starts_with("/*") {
                self.skip_comment();
            } else {
                return;
            }
        }
    }

    /// Comments nest.
    fn skip_comment(&mut self) {
        let mut depth = 0_usize;
        while !self.rest.is_empty() {
            if self.rest.starts_with("/*") {
                depth += 1;
                self.skip(2);
            } else if self.rest.starts_with("*/") {
                depth -= 1;
                self.skip(2);
            } else {
                self.skip(self.rest.chars().next().map_or(1, char::len_utf8));
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// A doubled quote ends one text and begins the next, which is as good.
    fn quoted(&mut self, quote: char, escapes: bool) {
        self.skip(1);
        self.word = "";
        while let Some(at) = self.rest.find([quote, '\\']) {
            let is_escape = self.rest[at..].starts_with('\\');
            self.skip(at + 1);
            if is_escape && escapes {
                self.skip(self.rest.chars().next().map_or(0, char::len_utf8));
            } else if !is_escape {
                return;
            }
        }
        self.rest = "";
    }

    fn dollar_quoted(&mut self) {
        self.word = "";
        let tag =
            self.rest[1..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest.len() - 1);
        let is_tag = self.rest[1 + tag..].starts_with('$')
            && !self.rest[1..].starts_with(|c: char| c.is_ascii_digit());
        if !is_tag {
            self.skip(1);
            return;
        }
        let sign = &self.rest[..tag + 2];
        let inside = &self.rest[sign.len()..];
        self.rest = inside.find(sign).map_or("", |end| &inside[end + sign.len()..]);
    }

    fn keyword(&mut self) {
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
        let word = &self.rest[..end.unwrap_or(self.rest.len())];
        self.skip(word.len());
        self.word = word;
        let is = |wanted: &str| word.eq_ignore_ascii_case(wanted);
        let next = self.rest.trim_start();
        let atomic = next.get(..6).is_some_and(|next| next.eq_ignore_ascii_case("atomic"));
        if is("begin") && atomic || self.blocks > 0 && is("case") {
            self.blocks += 1;
        } else if is("end") {
            self.blocks = self.blocks.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_several;

    #[test]
    fn only_semicolons_between_statements_separate_them() {
        let one = [
            "select 1",
            "select 1;",
            ";; select 1 ; ;-- done\n ; /* ; select 2 */",
            "",
            ";",
            "select ';select 2'",
            "select 'a''; b'",
            "select e'\\'; select 2'",
            "select \"a;b\" from t",
            "select $$;a;$$, $q$ $$ ; $q$, $1",
            "create rule r as on insert to t do also (delete from a; delete from b)",
            "select 'a\\';",
            "create function f() returns int begin atomic select case when true then 1 end; select 2; end;",
            "/* /* ; */ ; x */ select 1",
            "do 'begin; end;'",
        ];
        for text in one {
            assert!(!is_several(text), "{text}");
        }
        let several = [
            "select 1; select 2",
            "select 1;;select 2;",
            "begin; commit",
            "select 'a\\'; select 2",
            "select $1; select $2",
            "create function f() returns int begin atomic select 1; end; select 2",
            "select 1 -- ;\n; select 2",
        ];
        for text in several {
            assert!(is_several(text), "{text}");
        }
    }
}
