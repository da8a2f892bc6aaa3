//! How long the chains in stored texts are, such as `a or b or c`: a tree is as deep as its text has links. A call that reads a
//! stored text can be much shorter than that text, so its own length does not tell how much stack it takes.

use crate::source::{CHAIN_MAX, Chain};

/// The most stack that a token of a chain takes, in bytes, unoptimised: about twice what was measured.
const STACK_OF_A_TOKEN: usize = 6 << 10;

/// Objects that are shorter than this have no chain that the stack of a small thread has no room for.
const SHORT: usize = 400;

/// The stack that a stored object may take, in bytes. `body` is the object as JSON, in whose strings its texts are.
pub(super) fn stack_of(body: &str) -> usize {
    if body.len() < SHORT { 0 } else { STACK_OF_A_TOKEN * longest_chain(body).min(CHAIN_MAX) }
}

/// The longest chain in the strings of an object.
fn longest_chain(body: &str) -> usize {
    let mut longest = 0;
    let mut rest = body;
    while let Some((_, after)) = rest.split_once('"') {
        let end = end_of_string(after);
        longest = longest.max(longest_in(&after[..end]));
        rest = after.get(end + 1..).unwrap_or_default();
    }
    longest
}

/// Where a string of JSON ends.
fn end_of_string(text: &str) -> usize {
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => return at,
            b'\\' => drop(bytes.next()),
            _ => {}
        }
    }
    text.len()
}

/// The longest chain in a text as JSON writes it. Where it isn't plain what is quoted, no comma ends a chain.
fn longest_in(text: &str) -> usize {
    let is_plain = !text.contains("\\\\'") && !text.contains('$');
    let (mut outer, mut chain) = (Vec::new(), Chain::default());
    let (mut quoted, mut in_word) = (false, false);
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let comment = match () {
            () if quoted || !is_plain => None,
            () if rest.starts_with("--") => Some("\\n"),
            () if rest.starts_with("/*") => Some("*/"),
            () => None,
        };
        if let Some(end) = comment {
            rest = rest.split_once(end).map_or("", |(_, after)| after);
            continue;
        }
        let is_word = sign.is_alphanumeric() || sign == '_';
        let joined = in_word && is_word;
        in_word = is_word;
        let mut length = sign.len_utf8();
        match sign {
            // An escape of JSON, such as that of the end of a line.
            '\\' => length = 2,
            '\'' if is_plain => quoted = !quoted,
            _ if quoted || joined || sign == ' ' => {}
            '(' | '[' if is_plain => outer.push(std::mem::take(&mut chain)),
            ')' | ']' if is_plain => {
                let inside = chain.longest();
                chain = outer.pop().unwrap_or_default();
                chain.inside = chain.inside.max(inside);
            }
            ',' | ';' if is_plain => chain.end_item(),
            _ => chain.length += 1,
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    chain.longest() + outer.iter().map(Chain::longest).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::longest_chain;

    fn of(text: &str) -> usize {
        longest_chain(&serde_json::json!({ "name": "t", "definition": text }).to_string())
    }

    #[test]
    fn a_chain_ends_at_a_comma_of_its_own_bracket() {
        assert_eq!(of("a or b or c"), 5);
        assert_eq!(of("select a, b, c + d"), 3);
        assert_eq!(of("f(a, b) or f(c, d) or f(e, g + h)"), 5 + 3);
        assert_eq!(of("x = 'a, b, \"c\"' or y"), 4);
        assert_eq!(of("f(a, b"), 2);
    }

    #[test]
    fn what_looks_like_a_quote_hides_no_chain() {
        assert_eq!(of("a -- don't, or do\nor b or 'c, d'"), 4);
        assert_eq!(of("a /* don't */ or b"), 3);
        assert_eq!(of(r"e'\',' or e'\',' or c"), of(r"e'\' ' or e'\' ' or c") + 2);
        assert!(of("$$don't$$ or 'a, b' or c") >= 5);
    }
}
