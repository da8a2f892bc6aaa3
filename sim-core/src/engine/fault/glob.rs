//! Patterns of paths, in which `*` matches any text.

/// Whether `text` matches `pattern`. Takes at most the product of both lengths.
pub(super) fn matches(text: &str, pattern: &str) -> bool {
    let (text, pattern) = (text.as_bytes(), pattern.as_bytes());
    let (mut at, mut place) = (0, 0);
    // The place after the last star, and where the text after the star's match begins. Earlier stars need no second
    // try: if the rest matches after a longer match of theirs, it also matches after a longer match of the last star.
    let mut star = None;
    while at < text.len() {
        match pattern.get(place) {
            Some(b'*') => {
                place += 1;
                star = Some((place, at));
            }
            Some(byte) if *byte == text[at] => (at, place) = (at + 1, place + 1),
            _ => {
                let Some((after, covered)) = star else { return false };
                star = Some((after, covered + 1));
                (at, place) = (covered + 1, after);
            }
        }
    }
    pattern[place..].iter().all(|byte| *byte == b'*')
}

/// Whether some path fits both `pattern` and the path of a route, in which `{name}` stands for a word.
pub(super) fn meets(pattern: &str, route: &str) -> bool {
    let steps = steps(route);
    // The places in the route that a path can be at after a text that fits the pattern so far.
    let mut at = vec![false; steps.len() + 1];
    at[0] = true;
    for byte in pattern.bytes() {
        let mut next = vec![false; steps.len() + 1];
        if byte == b'*' {
            // Any text can lead from the first of these places to all later ones.
            let first = at.iter().position(|is_there| *is_there).unwrap_or(next.len());
            next[first..].fill(true);
        } else {
            for place in (0..steps.len()).filter(|place| at[*place]) {
                match steps[place] {
                    Step::Byte(own) => next[place + 1] |= own == byte,
                    Step::Word => next[place + 1] |= is_in_word(byte),
                    Step::More => next[place] |= is_in_word(byte),
                }
            }
        }
        for (place, step) in steps.iter().enumerate() {
            next[place + 1] |= next[place] && *step == Step::More;
        }
        at = next;
    }
    at[steps.len()]
}

/// A part of a route's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// This byte.
    Byte(u8),
    /// The first byte of a word.
    Word,
    /// Any number of bytes of a word.
    More,
}

fn steps(route: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut rest = route;
    while let Some((before, after)) = rest.split_once('{') {
        steps.extend(before.bytes().map(Step::Byte));
        steps.extend([Step::Word, Step::More]);
        rest = after.split_once('}').map_or("", |(_, rest)| rest);
    }
    steps.extend(rest.bytes().map(Step::Byte));
    steps
}

fn is_in_word(byte: u8) -> bool {
    !matches!(byte, b'/' | b'?')
}

#[cfg(test)]
mod tests {
    use super::{matches, meets};

    #[test]
    fn a_pattern_matches_the_routes_of_its_paths() {
        let route = "/v1/projects/{ref}/branches";
        for pattern in
            ["*", "/v1/*", "*branches", "/v1/projects/abc/branches", "/v1/projects/*/branches", "/*/*/*/*"]
        {
            assert!(meets(pattern, route), "{pattern}");
        }
        for pattern in
            ["/v1/projects", "/v1/projects//branches", "/v1/projects/a/b/branches", "/v2/*", "*/branch", ""]
        {
            assert!(!meets(pattern, route), "{pattern}");
        }
        assert!(meets("/v1/projects", "/v1/projects") && !meets("/v1/projects/", "/v1/projects"));
    }

    /// The matcher's rule, in its simplest form.
    fn naive(text: &[u8], pattern: &[u8]) -> bool {
        match pattern.split_first() {
            None => text.is_empty(),
            Some((b'*', rest)) => (0..=text.len()).any(|at| naive(&text[at..], rest)),
            Some((byte, rest)) => text.first() == Some(byte) && naive(&text[1..], rest),
        }
    }

    /// All texts of at most `length` of these characters.
    fn texts(signs: &str, length: usize) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut last = all.clone();
        for _ in 0..length {
            last =
                last.iter().flat_map(|text| signs.chars().map(move |sign| format!("{text}{sign}"))).collect();
            all.extend(last.clone());
        }
        all
    }

    #[test]
    fn it_matches_like_the_naive_matcher() {
        let texts_of_two = texts("ab", 6);
        for pattern in texts("ab*", 5) {
            for text in &texts_of_two {
                let expected = naive(text.as_bytes(), pattern.as_bytes());
                assert_eq!(matches(text, &pattern), expected, "{text:?} and {pattern:?}");
            }
        }
        assert!(matches("/v1/ä*", "/*ä*") && !matches("/v1/ö", "/*ä*"));
    }

    #[test]
    fn many_stars_take_no_time() {
        let pattern = format!("/v1/{}b", "*a".repeat(500));
        assert!(!matches(&format!("/v1/{}", "a".repeat(60_000)), &pattern));
        assert!(matches(&format!("/v1/{}b", "a".repeat(60_000)), &pattern));
    }
}
