//! The binary form of values: of the common types, of arrays of them, and of types whose binary form is their text.

mod array;
mod moments;
mod number;
mod other;
mod read;
#[cfg(test)]
mod tests;

use self::read::{Reader, Wrong};

/// Types with their arrays and their names in messages.
const TYPES: [(u32, u32, &str); 37] = [
    (16, 1000, "boolean"),
    (17, 1001, "bytea"),
    (18, 1002, "\"char\""),
    (19, 1003, "name"),
    (20, 1016, "bigint"),
    (21, 1005, "smallint"),
    (23, 1007, "integer"),
    (25, 1009, "text"),
    (26, 1028, "oid"),
    (114, 199, "json"),
    (600, 1017, "point"),
    (650, 651, "cidr"),
    (700, 1021, "real"),
    (701, 1022, "double precision"),
    (869, 1041, "inet"),
    (1042, 1014, "character"),
    (1043, 1015, "character varying"),
    (1082, 1182, "date"),
    (1083, 1183, "time without time zone"),
    (1114, 1115, "timestamp without time zone"),
    (1184, 1185, "timestamp with time zone"),
    (1186, 1187, "interval"),
    (1266, 1270, "time with time zone"),
    (1560, 1561, "bit"),
    (1562, 1563, "bit varying"),
    (1700, 1231, "numeric"),
    (2206, 2211, "regtype"),
    (2275, 1263, "cstring"),
    (2950, 2951, "uuid"),
    (3802, 3807, "jsonb"),
    (3904, 3905, "int4range"),
    (3906, 3907, "numrange"),
    (3908, 3909, "tsrange"),
    (3910, 3911, "tstzrange"),
    (3912, 3913, "daterange"),
    (3926, 3927, "int8range"),
    (2278, 0, "void"),
];

/// Ranges, and what they are ranges of.
const RANGES: [(u32, u32); 6] =
    [(3904, 23), (3906, 1700), (3908, 1114), (3910, 1184), (3912, 1082), (3926, 20)];

/// The first identifier of types of users; even ones are the types, odd ones their arrays.
const FIRST_USER: u32 = 16384;

/// The type of the elements of an array type.
fn element(oid: u32) -> Option<u32> {
    if oid >= FIRST_USER {
        return (oid % 2 == 1).then(|| oid - 1);
    }
    TYPES.iter().find(|(_, array, _)| *array == oid && oid != 0).map(|(element, ..)| *element)
}

/// The type of the bounds of a range type.
fn bound(oid: u32) -> Option<u32> {
    RANGES.iter().find(|(range, _)| *range == oid).map(|(_, bound)| *bound)
}

/// The name of a type in a message.
fn name_of(oid: u32) -> &'static str {
    TYPES.iter().find(|(known, ..)| *known == oid).map_or("???", |(.., name)| *name)
}

/// A value from its text; `None` if its type has no binary form here.
pub(super) fn bytes(oid: u32, text: &str) -> Option<Vec<u8>> {
    if let Some(element) = element(oid) {
        return array::array_bytes(element, text);
    }
    if let Some(bound) = bound(oid) {
        return other::range(bound, text);
    }
    Some(match oid {
        16 => vec![u8::from(text == "t")],
        17 => unhex(text.strip_prefix("\\x")?)?,
        18 => vec![text.bytes().next().unwrap_or(0)],
        20 => text.parse::<i64>().ok()?.to_be_bytes().to_vec(),
        21 => text.parse::<i16>().ok()?.to_be_bytes().to_vec(),
        23 => text.parse::<i32>().ok()?.to_be_bytes().to_vec(),
        26 => text.parse::<u32>().ok()?.to_be_bytes().to_vec(),
        600 => other::point(text)?,
        650 => other::address(text, true)?,
        869 => other::address(text, false)?,
        700 => text.parse::<f32>().ok()?.to_be_bytes().to_vec(),
        701 => text.parse::<f64>().ok()?.to_be_bytes().to_vec(),
        1082 => moments::date(text)?.to_be_bytes().to_vec(),
        1083 => moments::time(text)?.to_be_bytes().to_vec(),
        1114 => moments::timestamp(text, false)?.to_be_bytes().to_vec(),
        1184 => moments::timestamp(text, true)?.to_be_bytes().to_vec(),
        1186 => moments::interval(text)?,
        1266 => moments::time_with_zone(text)?,
        1560 | 1562 => other::bits(text)?,
        1700 => number::numeric(text)?,
        2950 => unhex(&text.replace('-', ""))?,
        3802 => [&[1], text.as_bytes()].concat(),
        2278 => Vec::new(),
        _ if is_text(oid) => text.as_bytes().to_vec(),
        _ => return None,
    })
}

/// A value as text: that of parameter `place`, counted from 1.
pub(super) fn text(oid: u32, bytes: &[u8], place: usize) -> Result<String, Wrong> {
    let mut from = Reader(bytes);
    let text = value(oid, &mut from)?;
    if from.0.is_empty() {
        return Ok(text);
    }
    Err(Wrong::new("22P03", format!("incorrect binary data format in bind parameter {place}")))
}

/// Reads one value; the caller looks whether there is more than it.
fn value(oid: u32, from: &mut Reader<'_>) -> Result<String, Wrong> {
    if let Some(element) = element(oid) {
        return array::read_array(element, from);
    }
    if let Some(bound) = bound(oid) {
        return other::read_range(bound, from);
    }
    Ok(match oid {
        16 => if from.byte()? == 0 { "f" } else { "t" }.to_owned(),
        17 => format!("\\x{}", hex(from.rest())),
        18 => one_byte(from.byte()?)?,
        20 => from.long()?.to_string(),
        21 => from.word()?.cast_signed().to_string(),
        23 => from.int()?.to_string(),
        26 => from.int()?.cast_unsigned().to_string(),
        600 => other::read_point(from)?,
        650 => other::read_address(from, true)?,
        869 => other::read_address(from, false)?,
        700 => from.real()?.to_string(),
        701 => from.float()?.to_string(),
        1082 => moments::read_date(from)?,
        1083 => moments::read_time(from)?,
        1114 => moments::read_timestamp(from, "")?,
        1184 => moments::read_timestamp(from, "+00")?,
        1186 => moments::read_interval(from)?,
        1266 => moments::read_time_with_zone(from)?,
        1560 | 1562 => other::read_bits(from)?,
        1700 => number::read_numeric(from)?,
        2950 => {
            let hex = hex(from.take(16)?);
            [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
        }
        3802 => match from.byte().map_err(|_| Wrong::short())? {
            1 => from.utf8()?,
            version => {
                return Err(Wrong::new("22P03", format!("unsupported jsonb version number {version}")));
            }
        },
        _ if is_text(oid) => from.utf8()?,
        _ => {
            let text = format!("no binary input function available for the type with OID {oid}");
            return Err(Wrong::new("0A000", text));
        }
    })
}

/// Whether the binary form of a type is its text: strings, JSON, and types of users, which are enums or shown as text.
fn is_text(oid: u32) -> bool {
    matches!(oid, 0 | 19 | 25 | 114 | 705 | 1042 | 1043 | 2275 | 9002) || oid >= FIRST_USER
}

/// A value of the type `"char"`; a zero is no character.
fn one_byte(byte: u8) -> Result<String, Wrong> {
    match byte {
        0 => Ok(String::new()),
        1..=127 => Ok(char::from(byte).to_string()),
        _ => Err(Wrong::not_utf8()),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text.chars().map(|digit| digit.to_digit(16)).collect();
    digits?.chunks(2).map(|pair| u8::try_from(pair.first()? * 16 + pair.get(1)?).ok()).collect()
}
