//! How long the chains in stored texts are, such as `a or b or c`: a tree is as deep as its text has links. A call that reads a
//! stored text can be much shorter than that text, so its own length does not tell how much stack it takes.

use crate::source::CHAIN_MAX;

/// The most stack that a token of a chain takes, in bytes, unoptimised: about twice what was measured.
const STACK_OF_A_TOKEN: usize = 6 << 10;

/// Objects that are shorter than this have no chain that the stack of a small thread has no room for.
const SHORT: usize = 400;

/// A part of a text, in brackets or not.
#[derive(Default)]
struct Part {
    /// The tokens since the last comma.
    length: usize,
    /// The longest chain in a bracket since then.
    inside: usize,
    /// The longest chain before that comma, with what its brackets contain.
    before: usize,
}

impl Part {
    fn longest(&self) -> usize {
        self.before.max(self.length + self.inside)
    }

    fn next(&mut self) {
        *self = Part { before: self.longest(), ..Part::default() };
    }
}

/// The stack that a stored object may take, in bytes. `body` is the object as JSON, in whose strings its texts are.
pub(super) fn stack_of(body: &str) -> usize {
    if body.len() < SHORT { 0 } else { STACK_OF_A_TOKEN * longest_chain(body).min(CHAIN_MAX) }
}

fn longest_chain(body: &str) -> usize {
    let (mut longest, mut outer, mut part) = (0, Vec::new(), Part::default());
    let (mut quoted, mut in_word) = (false, false);
    let mut bytes = body.bytes();
    while let Some(byte) = bytes.next() {
        let is_word = byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
        let joined = in_word && is_word;
        in_word = is_word;
        match byte {
            // A string of the object ends or begins.
            b'"' => {
                longest = longest.max(part.longest() + outer.iter().map(Part::longest).sum::<usize>());
                (outer, part, quoted) = (Vec::new(), Part::default(), false);
            }
            b'\\' => drop(bytes.next()),
            b'\'' => quoted = !quoted,
            _ if quoted || joined || byte == b' ' => {}
            b'(' | b'[' => outer.push(std::mem::take(&mut part)),
            b')' | b']' => {
                let inside = part.longest();
                part = outer.pop().unwrap_or_default();
                part.inside = part.inside.max(inside);
            }
            b',' | b';' => part.next(),
            _ => part.length += 1,
        }
    }
    longest
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
}
