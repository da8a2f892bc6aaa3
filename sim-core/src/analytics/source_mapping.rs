//! Which of the user's sources a query names: the seam to the translator, which will know it from the parsed tree.

use std::collections::BTreeMap;

/// The sources that `query` reads from, each with its token.
///
/// A table is named after FROM, JOIN or a comma, bare or in backticks; what stands in texts and comments is none.
pub(super) fn of(query: &str, tokens_by_name: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let words = words(query);
    let follows = |word: &str| word == "," || ["from", "join"].contains(&word.to_ascii_lowercase().as_str());
    let tables = words.windows(2).filter(|pair| follows(pair[0])).map(|pair| pair[1].trim_matches('`'));
    let sources = tables.filter_map(|name| tokens_by_name.get_key_value(name));
    sources.map(|(name, token)| (name.clone(), token.clone())).collect()
}

/// The words of a query: names with their dots, names in backticks, single signs. Texts count as one sign.
fn words(query: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = query.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\'' | '"' => closing(rest, first),
            '`' => closing(rest, '`'),
            '-' if rest.starts_with("--") => line(rest),
            '#' => line(rest),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            _ if is_name(first) => rest.find(|sign| !is_name(sign)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (word, after) = rest.split_at(length);
        if !word.starts_with("--") && !word.starts_with("/*") && first != '#' {
            words.push(word);
        }
        rest = after.trim_start();
    }
    words
}

fn is_name(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_' || sign == '.'
}

fn line(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// Up to and with the sign that closes what begins here; a backslash hides the next one.
fn closing(text: &str, sign: char) -> usize {
    let mut hidden = false;
    for (index, one) in text.char_indices().skip(1) {
        match one {
            _ if hidden => hidden = false,
            '\\' => hidden = true,
            _ if one == sign => return index + one.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(query: &str) -> Vec<String> {
        let sources = ["logs", "a.b.prod", "other"].map(|name| (name.to_owned(), format!("token of {name}")));
        of(query, &sources.into()).into_keys().collect()
    }

    #[test]
    fn tables_are_what_stands_where_tables_stand() {
        let rows: &[(&str, &[&str])] = &[
            ("select id from logs", &["logs"]),
            ("SELECT t.id FROM `a.b.prod` AS t, other", &["a.b.prod", "other"]),
            ("with c as (select id from a.b.prod) select id from c join logs on true", &["a.b.prod", "logs"]),
            ("select 'from logs', \"from other\", logs.id from nothing", &[]),
            ("select id -- from logs\n from other", &["other"]),
            ("select id /* from logs */ from # from logs\n other", &["other"]),
            ("select 'it\\'s from logs' from other", &["other"]),
            ("select 'open from logs", &[]),
            ("", &[]),
        ];
        for (query, expected) in rows {
            assert_eq!(names(query), *expected, "{query}");
        }
    }
}
