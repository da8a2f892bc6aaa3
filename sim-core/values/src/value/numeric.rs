//! Decimal numbers as canonical texts.

use std::cmp::Ordering;

/// The canonical text of a decimal number: no leading zeros, no plus, no exponent; digits after the point are
/// kept.
pub fn parse(text: &str) -> Option<String> {
    let text = text.trim();
    match text.to_ascii_lowercase().as_str() {
        "nan" => return Some("NaN".to_owned()),
        "infinity" | "inf" | "+infinity" | "+inf" => return Some("Infinity".to_owned()),
        "-infinity" | "-inf" => return Some("-Infinity".to_owned()),
        _ => {}
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    if exponent.abs() > 20_000 {
        return None;
    }
    let negative = mantissa.starts_with('-');
    let digits = mantissa.strip_prefix(['-', '+']).unwrap_or(mantissa);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit());
    if !all_digits || (whole.is_empty() && fraction.is_empty()) {
        return None;
    }
    let mut digits = format!("{whole}{fraction}");
    let mut point = whole.len() as i64 + i64::from(exponent);
    if point < 0 {
        digits.insert_str(0, &"0".repeat(point.unsigned_abs() as usize));
        point = 0;
    }
    while (digits.len() as i64) < point {
        digits.push('0');
    }
    Some(canonical(negative, &digits[..point as usize], &digits[point as usize..]))
}

fn canonical(negative: bool, whole: &str, fraction: &str) -> String {
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let zero = whole == "0" && fraction.bytes().all(|byte| byte == b'0');
    let sign = if negative && !zero { "-" } else { "" };
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

/// The order of two canonical numbers: `-Infinity`, the finite ones, `Infinity`, `NaN`.
pub fn compare(left: &str, right: &str) -> Ordering {
    let (left, right) = (Parts::of(left), Parts::of(right));
    left.rank.cmp(&right.rank).then_with(|| {
        let magnitude = (left.whole.len().cmp(&right.whole.len()))
            .then_with(|| left.whole.cmp(right.whole))
            .then_with(|| left.fraction.cmp(right.fraction));
        if left.rank < 0 { magnitude.reverse() } else { magnitude }
    })
}

/// `rank` is -2 for `-Infinity`, -1 for negative, 0, 1 for positive, 2 for `Infinity`, 3 for `NaN`.
struct Parts<'a> {
    rank: i8,
    whole: &'a str,
    fraction: &'a str,
}

impl Parts<'_> {
    fn of(text: &str) -> Parts<'_> {
        match text {
            "NaN" => return Parts { rank: 3, whole: "", fraction: "" },
            "Infinity" => return Parts { rank: 2, whole: "", fraction: "" },
            "-Infinity" => return Parts { rank: -2, whole: "", fraction: "" },
            _ => {}
        }
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
        let rank = match (whole.is_empty() && fraction.is_empty(), digits.len() < text.len()) {
            (true, _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        };
        Parts { rank, whole, fraction }
    }
}

/// `text` with exactly `scale` digits after the point, rounded half away from zero.
pub fn round(text: &str, scale: usize) -> String {
    if matches!(text, "NaN" | "Infinity" | "-Infinity") {
        return text.to_owned();
    }
    let negative = text.starts_with('-');
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if fraction.len() <= scale {
        return canonical(negative, whole, &format!("{fraction}{}", "0".repeat(scale - fraction.len())));
    }
    let up = fraction.as_bytes()[scale] >= b'5';
    let mut kept: Vec<u8> = whole.bytes().chain(fraction.bytes().take(scale)).collect();
    if up && !increment(&mut kept) {
        kept.insert(0, b'1');
    }
    let kept = String::from_utf8(kept).unwrap_or_default();
    let point = kept.len() - scale;
    canonical(negative, &kept[..point], &kept[point..])
}

/// Adds one to decimal digits; `false` when all were nines and are zeros now.
fn increment(digits: &mut [u8]) -> bool {
    for digit in digits.iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            return true;
        }
        *digit = b'0';
    }
    false
}

/// How many digits are before the point, without leading zeros.
pub fn whole_digits(text: &str) -> usize {
    Parts::of(text).whole.len()
}

/// Whether PostgreSQL's type has room for the digits of a canonical number.
pub fn fits(text: &str) -> bool {
    /// The most digits before and after the point.
    const DIGITS_MAX: (usize, usize) = (131_072, 16_383);
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    whole.len() <= DIGITS_MAX.0 && fraction.len() <= DIGITS_MAX.1
}

/// The number as JSON: unchanged if JSON allows it.
pub fn is_finite(text: &str) -> bool {
    !matches!(text, "NaN" | "Infinity" | "-Infinity")
}
