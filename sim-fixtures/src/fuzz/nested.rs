//! Inputs that nest or repeat: short recipes that a fuzzer can find and change, and the long texts that they stand for.

use std::borrow::Cow;

use super::LONGEST;

/// The first byte of a recipe. No text begins like that.
pub const RECIPE: u8 = 0xFE;

/// Longest text that a recipe stands for, just below the limit of a body.
const GROWN: usize = 250_000;

/// What stands before and after the middle, once for each level. Without an end it is repetition.
pub(super) type Parts = [(&'static str, &'static str)];

/// The text that a recipe stands for: which of `parts`, how often (two bytes), and what is in the middle. Other bytes
/// stand for themselves.
pub(super) fn grown<'d>(data: &'d [u8], parts: &Parts) -> Cow<'d, [u8]> {
    let Some([which, high, low, middle @ ..]) = data.strip_prefix(&[RECIPE]) else {
        return Cow::Borrowed(&data[..data.len().min(LONGEST)]);
    };
    let (begin, end) = parts[usize::from(*which) % parts.len()];
    let most = GROWN / (begin.len() + end.len()).max(1);
    let levels = usize::from(u16::from_be_bytes([*high, *low])).min(most);
    let middle = &middle[..middle.len().min(LONGEST)];
    [begin.repeat(levels).as_bytes(), middle, end.repeat(levels).as_bytes()].concat().into()
}

pub(super) const JSON: &Parts = &[
    ("[", "]"),
    ("{\"name\":", "}"),
    ("[{\"name\":\"A\",\"value\":", "}]"),
    ("{\"a\":1,\"b\":[", "]}"),
    ("[1,", "1]"),
];

pub(super) const LQL: &Parts = &[
    ("a ", ""),
    ("-", ""),
    ("m.", ""),
    ("m.a:>1 ", ""),
    ("\\\"", ""),
    ("~(a|", ")"),
    ("m.a:~(", "){9}"),
    ("s:m.a@b ", ""),
    ("c:count(", ")"),
];

pub(super) const SEED: &Parts = &[
    ("x = [", "]"),
    ("[", "]"),
    ("{ a = ", " }"),
    ("[a.", ""),
    ("a.", ""),
    ("{\"calls\":[", "]}"),
    ("[[projects]]\nname = 'p'\n[[projects.branches]]\nbranch_name = 'b'\n", ""),
    ("[[calls]]\noperation = 'v1-list-all-projects'\ntimes = 4000000000\n", ""),
];

pub(super) const SAML: &Parts = &[
    ("<a>", "</a>"),
    ("<EntityDescriptor xmlns=\"urn:a\" entityID=\"a\">", "</EntityDescriptor>"),
    ("<!-- ", " -->"),
    ("<![CDATA[", "]]>"),
    ("&amp;", ""),
    ("<a b=\"", "\"/>"),
];

pub(super) const CRON: &Parts =
    &[("1,", ""), ("*/", ""), ("* ", ""), ("1-", ""), ("mon,", ""), ("0-59/1,", "")];

pub(super) const GLOB: &Parts = &[("*a", ""), ("*", ""), ("/*", ""), ("a", ""), ("*ä*", "")];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_is_a_text() {
        assert_eq!(&*grown(b"\xfe\x00\x00\x03x", JSON), b"[[[x]]]");
        assert_eq!(&*grown(b"[x]", JSON), b"[x]");
        assert!(grown(b"\xfe\x01\xff\xff", JSON).len() <= GROWN + LONGEST);
    }
}
