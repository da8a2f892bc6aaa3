//! The extension `unaccent`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What replaces characters: on each line the replacement, a tab, and the characters. The rules are those of the extension.
static RULES: &str = include_str!("unaccent.txt");

/// A text without accents.
pub(super) fn unaccent(text: &str) -> String {
    static BY_CHARACTER: LazyLock<BTreeMap<char, &'static str>> = LazyLock::new(|| {
        let lines = RULES.lines().filter_map(|line| line.split_once('\t'));
        lines.flat_map(|(to, from)| from.chars().map(move |c| (c, to))).collect()
    });
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match BY_CHARACTER.get(&c) {
            Some(replacement) => out.push_str(replacement),
            None => out.push(c),
        }
    }
    out
}
