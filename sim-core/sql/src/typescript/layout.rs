//! Formats lines like the service's formatter: two blanks for each level, eighty columns, no semicolons.

const WIDTH: usize = 80;

/// A text that is being written, with its indentation.
#[derive(Default)]
pub(super) struct Lines {
    text: String,
    depth: usize,
}

impl Lines {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str(&"  ".repeat(self.depth));
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Begins a block in braces.
    pub(super) fn open(&mut self, start: &str) {
        self.line(&format!("{start}{{"));
        self.depth += 1;
    }

    /// Ends a block.
    pub(super) fn close(&mut self, end: &str) {
        self.depth -= 1;
        self.line(&format!("}}{end}"));
    }

    /// Writes `content` one level deeper.
    pub(super) fn nested(&mut self, content: impl FnOnce(&mut Lines)) {
        self.depth += 1;
        content(self);
        self.depth -= 1;
    }

    fn fits(&self, line: &str) -> bool {
        2 * self.depth + line.chars().count() <= WIDTH
    }

    /// A member with a union type. If one line is too short, each alternative gets a line.
    pub(super) fn union(&mut self, key: &str, members: &[String]) {
        // `unknown` includes every type. An enum without labels includes none.
        let joined = if members.is_empty() { "never".to_owned() } else { members.join(" | ") };
        let line = format!("{key}: {joined}");
        if self.fits(&line) || members.len() < 2 {
            return self.line(&line);
        }
        self.line(&format!("{key}:"));
        self.depth += 1;
        for member in members.iter().flat_map(|member| member.split(" | ")) {
            self.line(&format!("| {member}"));
        }
        self.depth -= 1;
    }

    /// A member that is a list.
    pub(super) fn list(&mut self, key: &str, items: &[String], end: &str) {
        let line = format!("{key}: [{}]{end}", items.join(", "));
        if self.fits(&line) || items.is_empty() {
            return self.line(&line);
        }
        self.line(&format!("{key}: ["));
        self.depth += 1;
        for item in items {
            self.line(&format!("{item},"));
        }
        self.depth -= 1;
        self.line(&format!("]{end}"));
    }

    /// A member with an object type, or a union of several, on one line if it fits.
    pub(super) fn object(&mut self, key: &str, alternatives: &[Vec<String>]) {
        let flat: Vec<String> =
            alternatives.iter().map(|members| format!("{{ {} }}", members.join("; "))).collect();
        let line = format!("{key}: {}", flat.join(" | "));
        if self.fits(&line) {
            return self.line(&line);
        }
        if let [members] = alternatives {
            self.open(&format!("{key}: "));
            members.iter().for_each(|member| self.line(member));
            return self.close("");
        }
        self.line(&format!("{key}:"));
        self.depth += 1;
        for (members, flat) in alternatives.iter().zip(&flat) {
            if self.fits(&format!("| {flat}")) {
                self.line(&format!("| {flat}"));
                continue;
            }
            self.line("| {");
            self.depth += 2;
            members.iter().for_each(|member| self.line(member));
            self.depth -= 1;
            self.line("}");
            self.depth -= 1;
        }
        self.depth -= 1;
    }
}

/// A name as the key of a member, quoted if it is not an identifier.
pub(super) fn key(name: &str) -> String {
    let start = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '$';
    let plain = name.starts_with(start) && name.chars().all(|c| start(c) || c.is_ascii_digit());
    if plain { name.to_owned() } else { quoted(name) }
}

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The sort order of names: marks, digits, then letters regardless of case.
pub(super) fn order(name: &str) -> (Vec<(u8, char)>, String) {
    let class = |c: char| match c {
        c if c.is_alphabetic() => 2,
        c if c.is_numeric() => 1,
        _ => 0,
    };
    (name.chars().map(|c| (class(c), c.to_ascii_lowercase())).collect(), name.to_owned())
}
