//! Formats of times that are patterns, such as `YYYY-MM-DD`, read as the elements of `FORMAT_TIMESTAMP`.
//!
//! `CAST … FORMAT` of the warehouse's dialect and `to_char` of PostgreSQL's have their own tables.

use crate::refusal::Refusal;

/// What a dialect's patterns are.
pub(super) struct Patterns {
    /// Each pattern with what writes it; nothing for one that is known to be another thing, and refused.
    pub(super) known: &'static [(&'static str, &'static str)],
    /// Patterns of numbers in letters of any case.
    pub(super) any_case: bool,
    /// Whether a letter that begins no pattern stands for itself.
    pub(super) copies: bool,
    /// What is refused, before the rest of the format.
    pub(super) refused: &'static str,
}

/// The patterns of `CAST … FORMAT`.
pub(super) const OF_CAST: Patterns = Patterns {
    known: &[
        ("YYYY", "%Y"),
        ("YY", "%y"),
        ("MONTH", ""),
        ("Month", "%B"),
        ("MON", "%E2b"),
        ("Mon", "%b"),
        ("MM", "%m"),
        ("MI", "%M"),
        ("DDD", "%j"),
        ("DD", "%d"),
        ("DAY", ""),
        ("Day", "%A"),
        ("DY", "%E2a"),
        ("Dy", "%a"),
        ("HH24", "%H"),
        ("HH12", "%I"),
        ("HH", "%I"),
        ("Q", "%Q"),
        ("SSSSS", ""),
        ("SS", "%S"),
        ("FF3", "%E0m"),
        ("FF6", "%E0u"),
        ("TZH:TZM", "%Ez"),
        ("AM", "%p"),
        ("PM", "%p"),
        ("A.M.", ""),
        ("P.M.", ""),
    ],
    any_case: false,
    copies: false,
    refused: "CAST with the FORMAT element",
};

/// The patterns of `to_char`.
pub(super) const OF_TO_CHAR: Patterns = Patterns {
    known: &[
        ("Y,YYY", "%E7Y"),
        ("YYYY", "%Y"),
        ("YYY", "%E7z"),
        ("YY", "%y"),
        ("Y", "%E7q"),
        ("IYYY", "%G"),
        ("IYY", "%E7t"),
        ("IY", "%g"),
        ("I", "%E7v"),
        ("CC", "%E7C"),
        ("J", "%E7J"),
        ("Q", "%Q"),
        // Names with blanks up to the longest.
        ("MONTH", "%E7M"),
        ("Month", "%E1B"),
        ("month", "%E7m"),
        ("MON", "%E2b"),
        ("Mon", "%b"),
        ("mon", "%E7n"),
        ("DAY", "%E7A"),
        ("Day", "%E1A"),
        ("day", "%E7a"),
        ("DY", "%E2a"),
        ("Dy", "%a"),
        ("dy", "%E7y"),
        ("RM", "%E7R"),
        ("rm", "%E7r"),
        ("MM", "%m"),
        ("WW", "%E7w"),
        ("W", "%E7W"),
        ("IW", "%V"),
        ("IDDD", "%E7I"),
        ("ID", "%u"),
        ("DDD", "%j"),
        ("DD", "%d"),
        ("D", "%E7D"),
        ("HH24", "%H"),
        ("HH12", "%I"),
        ("HH", "%I"),
        ("MI", "%M"),
        ("SSSSS", "%E7S"),
        ("SSSS", "%E7S"),
        ("SS", "%S"),
        ("MS", "%E0m"),
        ("US", "%E0u"),
        ("FF1", "%E71"),
        ("FF2", "%E72"),
        ("FF3", "%E0m"),
        ("FF4", "%E74"),
        ("FF5", "%E75"),
        ("FF6", "%E0u"),
        ("AM", "%p"),
        ("PM", "%p"),
        ("am", "%P"),
        ("pm", "%P"),
        ("A.M.", "%E7N"),
        ("P.M.", "%E7N"),
        ("a.m.", "%E7o"),
        ("p.m.", "%E7o"),
        ("AD", "AD"),
        ("BC", "AD"),
        ("ad", "ad"),
        ("bc", "ad"),
        ("A.D.", "A.D."),
        ("B.C.", "A.D."),
        ("a.d.", "a.d."),
        ("b.c.", "a.d."),
        // What is around a number: without blanks and zeros, or with the letters of its order.
        ("FM", "%E9f"),
        ("TH", "%E9T"),
        ("th", "%E9t"),
        ("TM", ""),
        ("SP", ""),
        ("TZ", ""),
        ("tz", ""),
        ("OF", ""),
    ],
    any_case: true,
    copies: true,
    refused: "to_char with the pattern",
};

impl Patterns {
    /// The elements for a format.
    pub(super) fn elements(&self, format: &str) -> Result<String, Refusal> {
        let mut out = String::new();
        let mut rest = format;
        while let Some(sign) = rest.chars().next() {
            if let Some((text, after)) = quoted(rest) {
                out.push_str(&text);
                rest = after;
                continue;
            }
            match self.at(rest) {
                Some((_, "")) => return Err(self.refusal(rest)),
                Some((pattern, element)) => {
                    out.push_str(element);
                    rest = &rest[pattern.len()..];
                }
                None if sign.is_ascii_alphanumeric() && !self.copies => return Err(self.refusal(rest)),
                None => {
                    out.push_str(if sign == '%' { "%%" } else { &rest[..sign.len_utf8()] });
                    rest = &rest[sign.len_utf8()..];
                }
            }
        }
        Ok(out)
    }

    /// The longest pattern at the beginning of a text.
    fn at(&self, text: &str) -> Option<(&'static str, &'static str)> {
        let begins = |known: &str| {
            let begin = text.get(..known.len());
            text.starts_with(known)
                || (self.any_case && begin.is_some_and(|begin| begin.eq_ignore_ascii_case(known)))
        };
        let found = self.known.iter().filter(|(known, _)| begins(known));
        // Of those of one length, the one in the same letters.
        found.max_by_key(|(known, _)| (known.len(), text.starts_with(known))).copied()
    }

    fn refusal(&self, rest: &str) -> Refusal {
        Refusal::unsupported(&format!("{} {rest:?}", self.refused))
    }
}

/// A text in quotes at the beginning of a format, as elements of another one that write it; and what follows.
fn quoted(format: &str) -> Option<(String, &str)> {
    let quoted = format.strip_prefix('"')?;
    let (text, after) = quoted.split_once('"').unwrap_or((quoted, ""));
    Some((text.replace('%', "%%"), after))
}

/// A format of `to_char` with what stands for its patterns of the zone, which is UTC, and without `TM` and `SP`, which change nothing
/// in the language of the server here.
pub(super) fn in_utc(format: &str, zoned: Option<bool>) -> Result<String, Refusal> {
    const NAMES: [&str; 6] = ["MONTH", "Month", "month", "DAY", "Day", "day"];
    let mut out = String::new();
    let mut rest = format;
    // Whether a pattern stands before, to which `SP` would belong.
    let mut after = false;
    while let Some(sign) = rest.chars().next() {
        let length = match quoted(rest) {
            Some((_, left)) => rest.len() - left.len(),
            None => 0,
        };
        if length > 0 {
            out.push_str(&rest[..length]);
            (rest, after) = (&rest[length..], false);
            continue;
        }
        let written = [("TZH", "\"+00\""), ("tzh", "\"+00\""), ("TZM", "\"00\""), ("tzm", "\"00\"")]
            .into_iter()
            .chain([("OF", "\"+00\""), ("of", "\"+00\""), ("TZ", "\"UTC\""), ("tz", "\"utc\"")])
            .find(|(pattern, _)| rest.starts_with(pattern));
        if let Some((pattern, text)) = written {
            match (zoned, pattern.len() == 2 && pattern.eq_ignore_ascii_case("tz")) {
                (None, true) => {
                    return Err(Refusal::unsupported(&format!(
                        "to_char with the pattern {pattern} of a column that a query inside gives"
                    )));
                }
                (Some(false), true) => {}
                _ => out.push_str(text),
            }
            (rest, after) = (&rest[pattern.len()..], true);
            continue;
        }
        if let Some(left) = rest.strip_prefix("TM").or_else(|| rest.strip_prefix("tm")) {
            out.push_str(if NAMES.iter().any(|name| left.starts_with(name)) { "FM" } else { "" });
            (rest, after) = (left, false);
            continue;
        }
        if let (true, Some(left)) = (after, rest.strip_prefix("SP")) {
            (rest, after) = (left, false);
            continue;
        }
        let length = OF_TO_CHAR.at(rest).map_or(sign.len_utf8(), |(pattern, _)| pattern.len());
        let pattern = &rest[..length];
        let is_known = OF_TO_CHAR.at(rest).is_some();
        let is_plain = matches!(pattern, "SP" | "Sp" | "sP" | "sp");
        out.push_str(&if is_plain { format!("\"{pattern}\"") } else { pattern.to_owned() });
        after = is_known
            && !is_plain
            && !pattern.eq_ignore_ascii_case("TH")
            && !pattern.eq_ignore_ascii_case("FM");
        rest = &rest[length..];
    }
    Ok(out)
}
