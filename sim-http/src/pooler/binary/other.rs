//! Ranges, addresses, strings of bits and points.

use std::net::IpAddr;

use super::read::{Reader, Wrong};
use super::{bytes, value};

/// What the first byte of a range says.
const EMPTY: u8 = 0x01;
const WITH_LOWER: u8 = 0x02;
const WITH_UPPER: u8 = 0x04;
const NO_LOWER: u8 = 0x08;
const NO_UPPER: u8 = 0x10;

pub(super) fn range(of: u32, text: &str) -> Option<Vec<u8>> {
    if text == "empty" {
        return Some(vec![EMPTY]);
    }
    let with_lower = text.starts_with('[');
    let with_upper = text.ends_with(']');
    let (lower, upper) = bounds(text.get(1..text.len().checked_sub(1)?)?)?;
    let flag = |is: bool, flag: u8| if is { flag } else { 0 };
    let mut out = vec![
        flag(with_lower, WITH_LOWER)
            | flag(with_upper, WITH_UPPER)
            | flag(lower.is_none(), NO_LOWER)
            | flag(upper.is_none(), NO_UPPER),
    ];
    for bound in [lower, upper].into_iter().flatten() {
        let bound = bytes(of, &bound)?;
        out.extend(u32::try_from(bound.len()).ok()?.to_be_bytes());
        out.extend(bound);
    }
    Some(out)
}

/// The bounds between the brackets of a range; a bound that is missing is none.
fn bounds(text: &str) -> Option<(Option<String>, Option<String>)> {
    let mut bounds = vec![None::<String>];
    let mut inside = false;
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let last = bounds.last_mut()?;
        match character {
            '"' if inside && rest.peek() == Some(&'"') => last.get_or_insert_default().extend(rest.next()),
            '"' => {
                inside = !inside;
                last.get_or_insert_default();
            }
            '\\' => last.get_or_insert_default().extend(rest.next()),
            ',' if !inside => bounds.push(None),
            other => last.get_or_insert_default().push(other),
        }
    }
    let [lower, upper]: [Option<String>; 2] = bounds.try_into().ok()?;
    Some((lower, upper))
}

pub(super) fn read_range(of: u32, from: &mut Reader<'_>) -> Result<String, Wrong> {
    let flags = from.byte()?;
    let is = |flag: u8| flags & flag != 0;
    let mut bound = |missing: bool| -> Result<String, Wrong> {
        if missing || is(EMPTY) {
            return Ok(String::new());
        }
        let length = usize::try_from(from.int()?).map_err(|_| Wrong::short())?;
        let mut inner = Reader(from.take(length)?);
        let text = value(of, &mut inner)?;
        Ok(format!("\"{}\"", text.replace('"', "\"\"")))
    };
    let (lower, upper) = (bound(is(NO_LOWER))?, bound(is(NO_UPPER))?);
    if !from.0.is_empty() {
        return Err(Wrong::new("08P01", "invalid message format"));
    }
    if is(EMPTY) {
        return Ok("empty".to_owned());
    }
    let (begin, end) = (if is(WITH_LOWER) { '[' } else { '(' }, if is(WITH_UPPER) { ']' } else { ')' });
    Ok(format!("{begin}{lower},{upper}{end}"))
}

/// The families of addresses: their number, and the bytes of an address.
const FAMILY_4: (u8, usize) = (2, 4);
const FAMILY_6: (u8, usize) = (3, 16);

pub(super) fn address(text: &str, is_network: bool) -> Option<Vec<u8>> {
    let (address, bits) = text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
    let (family, octets) = match address.parse::<IpAddr>().ok()? {
        IpAddr::V4(address) => (FAMILY_4.0, address.octets().to_vec()),
        IpAddr::V6(address) => (FAMILY_6.0, address.octets().to_vec()),
    };
    let size = u8::try_from(octets.len()).ok()?;
    let bits = bits.map_or(Some(size * 8), |bits| bits.parse().ok())?;
    Some([&[family, bits, u8::from(is_network), size][..], &octets].concat())
}

pub(super) fn read_address(from: &mut Reader<'_>, is_network: bool) -> Result<String, Wrong> {
    let name = if is_network { "cidr" } else { "inet" };
    let wrong = |what: &str| Wrong::new("22P03", format!("invalid {what} in external \"{name}\" value"));
    let family = from.byte()?;
    let known = [FAMILY_4, FAMILY_6].into_iter().find(|(known, _)| *known == family);
    let (_, size) = known.ok_or_else(|| wrong("address family"))?;
    let bits = usize::from(from.byte()?);
    if bits > size * 8 {
        return Err(wrong("bits"));
    }
    from.byte()?;
    if usize::from(from.byte()?) != size {
        return Err(wrong("length"));
    }
    let octets = from.take(size)?;
    let beyond = (bits..size * 8).any(|bit| octets[bit / 8] & (0x80_u8 >> (bit % 8)) != 0);
    if is_network && beyond {
        return Err(Wrong::new("22P03", "invalid external \"cidr\" value"));
    }
    let address = match <[u8; 4]>::try_from(octets) {
        Ok(four) => IpAddr::from(four),
        Err(_) => IpAddr::from(<[u8; 16]>::try_from(octets).map_err(|_| wrong("length"))?),
    };
    let is_whole = !is_network && bits == size * 8;
    Ok(if is_whole { address.to_string() } else { format!("{address}/{bits}") })
}

pub(super) fn bits(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.bytes().map(|digit| digit.wrapping_sub(b'0')).collect();
    let packed = digits.chunks(8).map(|part| {
        let set = part.iter().enumerate().filter(|(_, digit)| **digit == 1);
        set.fold(0, |byte, (at, _)| byte | (0x80_u8 >> at))
    });
    let length = i32::try_from(digits.len()).ok()?;
    digits.iter().all(|digit| *digit <= 1).then(|| length.to_be_bytes().into_iter().chain(packed).collect())
}

pub(super) fn read_bits(from: &mut Reader<'_>) -> Result<String, Wrong> {
    let length = usize::try_from(from.int()?)
        .map_err(|_| Wrong::new("22P03", "invalid length in external bit string"))?;
    let bytes = from.take(length.div_ceil(8))?;
    Ok((0..length).map(|bit| if bytes[bit / 8] & (0x80_u8 >> (bit % 8)) == 0 { '0' } else { '1' }).collect())
}

pub(super) fn point(text: &str) -> Option<Vec<u8>> {
    let (x, y) = text.strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    let (x, y): (f64, f64) = (x.parse().ok()?, y.parse().ok()?);
    Some([x.to_be_bytes(), y.to_be_bytes()].concat())
}

pub(super) fn read_point(from: &mut Reader<'_>) -> Result<String, Wrong> {
    Ok(format!("({},{})", from.float()?, from.float()?))
}
