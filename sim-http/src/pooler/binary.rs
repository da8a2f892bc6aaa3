//! The binary form of values: of the common types, of arrays of them, and of types whose binary form is their text.

/// Days from 0000-03-01 to 2000-01-01, and to 1970-01-01.
const DAYS_TO_2000: i64 = 730_425;
const MICROS_OF_DAY: i64 = 86_400_000_000;

/// The types of arrays, and those of their elements.
const ARRAYS: [(u32, u32); 24] = [
    (1000, 16),
    (1001, 17),
    (1002, 18),
    (1003, 19),
    (1016, 20),
    (1005, 21),
    (1007, 23),
    (1009, 25),
    (1028, 26),
    (199, 114),
    (1021, 700),
    (1022, 701),
    (1014, 1042),
    (1015, 1043),
    (1182, 1082),
    (1183, 1083),
    (1115, 1114),
    (1185, 1184),
    (1187, 1186),
    (1231, 1700),
    (2951, 2950),
    (3807, 3802),
    (1263, 2275),
    (2211, 2206),
];

/// The first identifier of types of users; even ones are the types, odd ones their arrays.
const FIRST_USER: u32 = 16384;

/// The type of the elements of an array type.
fn element(oid: u32) -> Option<u32> {
    if oid >= FIRST_USER {
        return (oid % 2 == 1).then(|| oid - 1);
    }
    ARRAYS.iter().find(|(array, _)| *array == oid).map(|(_, element)| *element)
}

/// A value from its text; `None` if its type has no binary form here.
pub(super) fn bytes(oid: u32, text: &str) -> Option<Vec<u8>> {
    if let Some(element) = element(oid) {
        return array_bytes(element, text);
    }
    Some(match oid {
        16 => vec![u8::from(text == "t")],
        17 => unhex(text.strip_prefix("\\x")?)?,
        18 => text.bytes().take(1).collect(),
        20 => text.parse::<i64>().ok()?.to_be_bytes().to_vec(),
        21 => text.parse::<i16>().ok()?.to_be_bytes().to_vec(),
        23 => text.parse::<i32>().ok()?.to_be_bytes().to_vec(),
        26 => text.parse::<u32>().ok()?.to_be_bytes().to_vec(),
        700 => text.parse::<f32>().ok()?.to_be_bytes().to_vec(),
        701 => text.parse::<f64>().ok()?.to_be_bytes().to_vec(),
        1082 => date(text)?.to_be_bytes().to_vec(),
        1083 => time(text)?.to_be_bytes().to_vec(),
        1114 | 1184 => timestamp(text)?.to_be_bytes().to_vec(),
        1186 => interval(text)?,
        1700 => numeric(text)?,
        2950 => unhex(&text.replace('-', ""))?,
        3802 => [&[1], text.as_bytes()].concat(),
        2278 => Vec::new(),
        _ if is_text(oid) => text.as_bytes().to_vec(),
        _ => return None,
    })
}

/// A value as text; `None` if the bytes are none of its type, or it has no binary form here.
pub(super) fn text(oid: u32, bytes: &[u8]) -> Option<String> {
    if let Some(element) = element(oid) {
        return array_text(element, bytes);
    }
    let utf8 = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
    match oid {
        16 => Some(if *bytes.first()? == 0 { "f" } else { "t" }.to_owned()),
        17 => Some(format!("\\x{}", hex(bytes))),
        20 => Some(i64::from_be_bytes(bytes.try_into().ok()?).to_string()),
        21 => Some(i16::from_be_bytes(bytes.try_into().ok()?).to_string()),
        23 => Some(i32::from_be_bytes(bytes.try_into().ok()?).to_string()),
        26 => Some(u32::from_be_bytes(bytes.try_into().ok()?).to_string()),
        700 => Some(f32::from_be_bytes(bytes.try_into().ok()?).to_string()),
        701 => Some(f64::from_be_bytes(bytes.try_into().ok()?).to_string()),
        1082 => date_text(i32::from_be_bytes(bytes.try_into().ok()?)),
        1083 => Some(time_text(i64::from_be_bytes(bytes.try_into().ok()?))),
        1114 => timestamp_text(i64::from_be_bytes(bytes.try_into().ok()?), ""),
        1184 => timestamp_text(i64::from_be_bytes(bytes.try_into().ok()?), "+00"),
        1186 => interval_text(bytes),
        1700 => numeric_text(bytes),
        2950 => {
            let hex = hex(bytes);
            let part = |range| hex.get(range);
            Some([part(0..8)?, part(8..12)?, part(12..16)?, part(16..20)?, part(20..32)?].join("-"))
        }
        3802 => bytes.strip_prefix(&[1]).and_then(utf8),
        _ if is_text(oid) => utf8(bytes),
        _ => None,
    }
}

/// Whether the binary form of a type is its text: strings, JSON, and types of users, which are enums or shown as text.
fn is_text(oid: u32) -> bool {
    matches!(oid, 0 | 18 | 19 | 25 | 114 | 705 | 1042 | 1043 | 2275 | 9002) || oid >= FIRST_USER
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
    digits?.chunks(2).map(|pair| u8::try_from(pair.first()? * 16 + pair.get(1)?).ok()).collect()
}

/// Days since 0000-03-01 of a date.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year
}

fn civil(days: i64) -> (i64, i64, i64) {
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

fn date(text: &str) -> Option<i32> {
    match text {
        "infinity" => return Some(i32::MAX),
        "-infinity" => return Some(i32::MIN),
        _ => {}
    }
    let (text, before_christ) = text.strip_suffix(" BC").map_or((text, false), |text| (text, true));
    let mut parts = text.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let year = if before_christ { 1 - year } else { year };
    i32::try_from(days(year, month, day) - DAYS_TO_2000).ok()
}

fn date_text(days: i32) -> Option<String> {
    match days {
        i32::MAX => return Some("infinity".to_owned()),
        i32::MIN => return Some("-infinity".to_owned()),
        _ => {}
    }
    let (year, month, day) = civil(i64::from(days) + DAYS_TO_2000);
    Some(match year {
        1.. => format!("{year:04}-{month:02}-{day:02}"),
        _ => format!("{:04}-{month:02}-{day:02} BC", 1 - year),
    })
}

fn time(text: &str) -> Option<i64> {
    let (clock, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut parts = clock.split(':').map(|part| part.parse::<i64>().ok());
    let (hours, minutes) = (parts.next()??, parts.next()??);
    let seconds = parts.next().flatten().unwrap_or(0);
    let micros: i64 = format!("{fraction:0<6}").get(..6)?.parse().ok()?;
    Some(((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + micros)
}

fn time_text(micros: i64) -> String {
    let (seconds, fraction) = (micros / 1_000_000, micros % 1_000_000);
    let clock = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if fraction == 0 { clock } else { format!("{clock}.{fraction:06}") }
}

fn timestamp(text: &str) -> Option<i64> {
    match text {
        "infinity" => return Some(i64::MAX),
        "-infinity" => return Some(i64::MIN),
        _ => {}
    }
    let (text, era) = text.strip_suffix(" BC").map_or((text, ""), |text| (text, " BC"));
    let (day, clock) = text.split_once(' ')?;
    let clock = clock.split('+').next()?;
    let day = i64::from(date(&[day, era].concat())?);
    day.checked_mul(MICROS_OF_DAY)?.checked_add(time(clock)?)
}

fn timestamp_text(micros: i64, zone: &str) -> Option<String> {
    match micros {
        i64::MAX => return Some("infinity".to_owned()),
        i64::MIN => return Some("-infinity".to_owned()),
        _ => {}
    }
    let day = date_text(i32::try_from(micros.div_euclid(MICROS_OF_DAY)).ok()?)?;
    let clock = time_text(micros.rem_euclid(MICROS_OF_DAY));
    Some(match day.strip_suffix(" BC") {
        Some(day) => format!("{day} {clock}{zone} BC"),
        None => format!("{day} {clock}{zone}"),
    })
}

fn interval(text: &str) -> Option<Vec<u8>> {
    let (mut months, mut days, mut micros) = (0_i32, 0_i32, 0_i64);
    let mut words = text.split(' ');
    while let Some(word) = words.next() {
        if word.contains(':') {
            let (sign, clock) = word.strip_prefix('-').map_or((1, word), |clock| (-1, clock));
            micros += sign * time(clock.trim_start_matches('+'))?;
            continue;
        }
        let number: i32 = word.parse().ok()?;
        match words.next()?.trim_end_matches('s') {
            "year" => months += number.checked_mul(12)?,
            "mon" => months += number,
            "day" => days += number,
            _ => return None,
        }
    }
    Some([&micros.to_be_bytes()[..], &days.to_be_bytes(), &months.to_be_bytes()].concat())
}

fn interval_text(bytes: &[u8]) -> Option<String> {
    let micros = i64::from_be_bytes(bytes.get(..8)?.try_into().ok()?);
    let days = i32::from_be_bytes(bytes.get(8..12)?.try_into().ok()?);
    let months = i32::from_be_bytes(bytes.get(12..16)?.try_into().ok()?);
    let sign = if micros < 0 { "-" } else { "" };
    Some(format!("{months} mons {days} days {sign}{}", time_text(micros.checked_abs()?)))
}

/// The signs of numbers in their binary form.
const NEGATIVE: u16 = 0x4000;
const SPECIAL: [(u16, &str); 3] = [(0xC000, "NaN"), (0xD000, "Infinity"), (0xF000, "-Infinity")];

fn numeric(text: &str) -> Option<Vec<u8>> {
    let head = |count: usize, weight: i16, sign: u16, scale: usize| {
        let (count, scale) = (u16::try_from(count).ok()?, u16::try_from(scale).ok()?);
        Some([count.to_be_bytes(), weight.to_be_bytes(), sign.to_be_bytes(), scale.to_be_bytes()].concat())
    };
    if let Some((sign, _)) = SPECIAL.iter().find(|(_, name)| *name == text) {
        return head(0, 0, *sign, 0);
    }
    let (sign, digits) = text.strip_prefix('-').map_or((0, text), |digits| (NEGATIVE, digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let whole = format!("{}{whole}", "0".repeat((4 - whole.len() % 4) % 4));
    let padded = format!("{fraction}{}", "0".repeat((4 - fraction.len() % 4) % 4));
    let all = [whole.as_str(), &padded].concat();
    let groups: Option<Vec<u16>> =
        (0..all.len() / 4).map(|at| all.get(4 * at..4 * at + 4)?.parse().ok()).collect();
    let groups = groups?;
    let weight = i16::try_from(whole.len() / 4).ok()? - 1;
    let leading = groups.iter().take_while(|group| **group == 0).count();
    let kept = groups.get(leading..)?;
    let kept = &kept[..kept.iter().rposition(|group| *group != 0).map_or(0, |last| last + 1)];
    let weight = if kept.is_empty() { 0 } else { weight - i16::try_from(leading).ok()? };
    let mut bytes = head(kept.len(), weight, sign, fraction.len())?;
    kept.iter().for_each(|group| bytes.extend(group.to_be_bytes()));
    Some(bytes)
}

fn numeric_text(bytes: &[u8]) -> Option<String> {
    let words: Vec<u16> =
        bytes.chunks(2).map(|pair| Some(u16::from_be_bytes(pair.try_into().ok()?))).collect::<Option<_>>()?;
    let [_, weight, sign, scale, groups @ ..] = &words[..] else { return None };
    if let Some((_, name)) = SPECIAL.iter().find(|(known, _)| known == sign) {
        return Some((*name).to_owned());
    }
    let (weight, scale) = (i32::from(i16::from_be_bytes(weight.to_be_bytes())), usize::from(*scale));
    let group = |place: i32| {
        let at = usize::try_from(weight - place).ok();
        at.and_then(|at| groups.get(at)).copied().unwrap_or(0)
    };
    let whole: String = (0..=weight.max(0)).rev().map(|place| format!("{:04}", group(place))).collect();
    let whole = whole.trim_start_matches('0');
    let needed = i32::try_from(scale.div_ceil(4)).ok()?;
    let fraction: String = (1..=needed).map(|place| format!("{:04}", group(-place))).collect();
    let sign = if *sign == NEGATIVE { "-" } else { "" };
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(match fraction.get(..scale) {
        Some("") | None => format!("{sign}{whole}"),
        Some(fraction) => format!("{sign}{whole}.{fraction}"),
    })
}

/// An array of one dimension, or an empty one.
fn array_bytes(element: u32, text: &str) -> Option<Vec<u8>> {
    let items = items(text)?;
    let has_null = items.iter().any(Option::is_none);
    let dimensions = i32::from(!items.is_empty());
    let mut bytes =
        [dimensions.to_be_bytes(), i32::from(has_null).to_be_bytes(), element.to_be_bytes()].concat();
    if !items.is_empty() {
        bytes.extend(i32::try_from(items.len()).ok()?.to_be_bytes());
        bytes.extend(1_i32.to_be_bytes());
    }
    for item in items {
        match item {
            None => bytes.extend((-1_i32).to_be_bytes()),
            Some(item) => {
                let value = self::bytes(element, &item)?;
                bytes.extend(i32::try_from(value.len()).ok()?.to_be_bytes());
                bytes.extend(value);
            }
        }
    }
    Some(bytes)
}

/// The items of an array's text.
fn items(text: &str) -> Option<Vec<Option<String>>> {
    let inner = text.strip_prefix('{')?.strip_suffix('}')?;
    let mut items = Vec::new();
    if inner.is_empty() {
        return Some(items);
    }
    let (mut item, mut quoted, mut inside) = (String::new(), false, false);
    let mut rest = inner.chars();
    while let Some(character) = rest.next() {
        match character {
            '\\' => item.extend(rest.next()),
            '"' => (inside, quoted) = (!inside, true),
            ',' if !inside => {
                items.push((quoted || item != "NULL").then(|| std::mem::take(&mut item)));
                item.clear();
                quoted = false;
            }
            // More dimensions have no binary form here.
            '{' if !inside => return None,
            other => item.push(other),
        }
    }
    items.push((quoted || item != "NULL").then_some(item));
    Some(items)
}

fn array_text(element: u32, bytes: &[u8]) -> Option<String> {
    let mut at = 0;
    let mut int = || {
        let value = i32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?);
        at += 4;
        Some(value)
    };
    let dimensions = int()?;
    int()?;
    int()?;
    if dimensions == 0 {
        return Some("{}".to_owned());
    }
    if dimensions != 1 {
        return None;
    }
    let count = int()?;
    int()?;
    let mut texts = Vec::new();
    for _ in 0..count {
        let length = i32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?);
        at += 4;
        let Ok(length) = usize::try_from(length) else {
            texts.push("NULL".to_owned());
            continue;
        };
        let value = self::text(element, bytes.get(at..at + length)?)?;
        texts.push(format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")));
        at += length;
    }
    Some(format!("{{{}}}", texts.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_goes_to_its_binary_form_and_back() {
        for (oid, shown) in [
            (16, "t"),
            (17, "\\x00ff"),
            (20, "-9223372036854775808"),
            (23, "7"),
            (700, "1.5"),
            (1082, "2024-02-29"),
            (1082, "0044-03-15 BC"),
            (1083, "23:59:59.000001"),
            (1114, "1999-12-31 23:59:59"),
            (1184, "2024-05-05 12:00:00.25+00"),
            (1700, "0"),
            (1700, "-12345.6700"),
            (1700, "0.00012"),
            (1700, "100000000"),
            (1700, "NaN"),
            (2950, "00000000-0000-4000-8000-000000000001"),
            (3802, "{\"a\": 1}"),
            (25, "žluť"),
        ] {
            let bytes = bytes(oid, shown).unwrap_or_else(|| panic!("{shown} has a binary form"));
            let back = text(oid, &bytes).unwrap_or_default();
            assert_eq!(back.replace(".250000", ".25"), shown, "{oid}");
        }
        assert_eq!(bytes(23, "7").as_deref(), Some(&[0, 0, 0, 7][..]));
        assert_eq!(bytes(1082, "2000-01-02").as_deref(), Some(&[0, 0, 0, 1][..]));
        assert_eq!(bytes(1186, "1 year 2 mons -3 days 04:05:06").map(|bytes| bytes[8..].to_vec()), {
            Some([(-3_i32).to_be_bytes(), 14_i32.to_be_bytes()].concat())
        });
    }

    #[test]
    fn an_array_goes_to_its_binary_form_and_back() {
        let bytes = bytes(1009, "{a,NULL,\"b,\\\"c\"}").expect("it is an array of texts");
        assert_eq!(text(1009, &bytes).as_deref(), Some("{\"a\",NULL,\"b,\\\"c\"}"));
        assert_eq!(text(1007, &self::bytes(1007, "{}").expect("an array")).as_deref(), Some("{}"));
        assert_eq!(self::bytes(1007, "{{1},{2}}"), None);
    }
}
