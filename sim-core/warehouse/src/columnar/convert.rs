//! Conversions of values to types, such as `toUInt32OrZero`.

/// Bits of an integer's type in its conversion: `toUInt32OrZero`.
const BITS: [&str; 6] = ["8", "16", "32", "64", "128", "256"];

/// `toInt32`, `toUInt8OrZero`, `toFloat64OrNull` …
pub(super) fn conversion(name: &str, arguments: &[String]) -> Option<String> {
    let (value, otherwise) = match arguments {
        [value] => (value, None),
        [value, otherwise] => (value, Some(otherwise)),
        _ => return None,
    };
    let rest = name.strip_prefix("to")?;
    let (type_, rest) = [("int64", "uint"), ("int64", "int"), ("float64", "float")]
        .into_iter()
        .find_map(|(type_, word)| Some((type_, rest.strip_prefix(word)?)))?;
    let bits = BITS.iter().rfind(|bits| rest.starts_with(**bits))?;
    let read = match type_ {
        "int64" => {
            let (least, most) = limits(name.contains("uint"), bits);
            format!("whole_in({value}, {least}, {most})")
        }
        _ => format!("safe_cast({value} as {type_})"),
    };
    match &rest[bits.len()..] {
        "ordefault" => Some(format!("coalesce({read}, {})", otherwise.map_or("0", String::as_str))),
        _ if otherwise.is_some() => None,
        "" if type_ == "int64" => Some(wrapped(value, name.contains("uint"), bits)),
        "" => Some(format!("cast({value} as {type_})")),
        "orzero" => Some(format!("coalesce({read}, 0)")),
        "ornull" => Some(read),
        _ => None,
    }
}

/// A whole number of a type with so many bits: one that is too large begins again at the other end, as in the store.
pub(super) fn wrapped(value: &str, unsigned: bool, bits: &str) -> String {
    let whole = format!("plain_whole({value})");
    match (bits.parse::<u32>(), unsigned) {
        (Ok(bits @ ..=32), true) => format!("({whole} & {})", (1_i64 << bits) - 1),
        (Ok(bits @ ..=32), false) => {
            let (half, all) = (1_i64 << (bits - 1), (1_i64 << bits) - 1);
            format!("((({whole} + {half}) & {all}) - {half})")
        }
        (_, true) => format!("unsigned_whole({whole})"),
        _ => whole,
    }
}

/// The least and the greatest number of an integer's type, as far as the warehouse has them.
pub(super) fn limits(unsigned: bool, bits: &str) -> (i64, i64) {
    let bits: u32 = bits.parse().unwrap_or(64);
    match unsigned {
        true if bits < 63 => (0, (1 << bits) - 1),
        true => (0, i64::MAX),
        false if bits < 63 => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        false => (-i64::MAX, i64::MAX),
    }
}
