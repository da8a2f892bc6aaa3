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

#[cfg(test)]
mod tests {
    use super::matches;

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
