//! Lengths of time on the command line: `500ms`, `90s`, `15m`, `1h30m`, `2d`.

use std::str::FromStr;
use std::time::Duration;

/// A length of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Length(pub(crate) Duration);

/// The units, with their milliseconds.
const UNITS: [(&str, u64); 5] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];

impl FromStr for Length {
    type Err = String;

    fn from_str(text: &str) -> Result<Length, String> {
        let wrong =
            || format!("must be a length of time such as 500ms, 90s, 15m, 1h30m or 2d, received {text:?}");
        let mut ms = 0_u64;
        let mut rest = text;
        while !rest.is_empty() {
            let (number, more) =
                rest.split_at(rest.find(|sign: char| !sign.is_ascii_digit()).ok_or_else(wrong)?);
            let (unit, more) =
                more.split_at(more.find(|sign: char| sign.is_ascii_digit()).unwrap_or(more.len()));
            let (_, factor) = UNITS.iter().find(|(name, _)| *name == unit).ok_or_else(wrong)?;
            let piece = number.parse::<u64>().ok().and_then(|number| number.checked_mul(*factor));
            ms = piece.and_then(|piece| ms.checked_add(piece)).ok_or_else(wrong)?;
            rest = more;
        }
        if text.is_empty() { Err(wrong()) } else { Ok(Length(Duration::from_millis(ms))) }
    }
}

impl Length {
    /// In milliseconds.
    pub(crate) fn ms(self) -> u64 {
        u64::try_from(self.0.as_millis()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_units() {
        for (text, ms) in
            [("500ms", 500), ("90s", 90_000), ("15m", 900_000), ("1h30m", 5_400_000), ("2d", 172_800_000)]
        {
            assert_eq!(text.parse(), Ok(Length(Duration::from_millis(ms))), "{text}");
        }
        for text in ["", "15", "m", "15x", "-1s", "1.5s", "99999999999999999999d", "1s "] {
            assert!(text.parse::<Length>().is_err(), "{text}");
        }
    }
}
