//! Counts the fields of an export in protobuf, before memory is taken for them.

use prost::encoding::{WireType, decode_key, decode_varint};

use super::Signal;

/// The numbers of the fields that lead from an export to its records.
const RECORDS: &[&[u32]] = &[&[1], &[2], &[2]];

/// The numbers of the fields that lead from an export to the points of its metrics.
const POINTS: &[&[u32]] = &[&[1], &[2], &[2], &[5, 7, 9, 10, 11], &[1]];

/// The number of fields of an export and of all that leads to its records, with those of the records; of bytes that are no
/// export, of those before the place where they are wrong.
pub(in super::super) fn fields(signal: Signal, bytes: &[u8]) -> usize {
    count(if signal == Signal::Metrics { POINTS } else { RECORDS }, bytes)
}

/// The fields of a message, and of those in it that `path` leads to.
fn count(path: &[&[u32]], mut bytes: &[u8]) -> usize {
    let mut fields = 0;
    while let Some(part) = next(&mut bytes) {
        fields += 1;
        let is_message = part.wire_type == WireType::LengthDelimited;
        let on_the_way =
            path.split_first().filter(|(numbers, _)| is_message && numbers.contains(&part.number));
        if let Some((_, rest)) = on_the_way {
            fields += count(rest, part.value);
        }
    }
    fields
}

/// A field as sent.
pub(super) struct Part<'b> {
    pub number: u32,
    wire_type: WireType,
    /// Without its length.
    pub value: &'b [u8],
}

impl Part<'_> {
    /// Whether the field says nothing: it is 0, or of no bytes.
    pub(super) fn is_empty(&self) -> bool {
        let is_zero = |bits: u8| self.value.iter().all(|byte| byte & bits == 0);
        match self.wire_type {
            WireType::LengthDelimited => self.value.is_empty(),
            // The highest bit says that another byte follows.
            WireType::Varint => is_zero(0x7f),
            _ => is_zero(0xff),
        }
    }
}

/// The next field; `None` at the end, or if it is no field.
pub(super) fn next<'b>(bytes: &mut &'b [u8]) -> Option<Part<'b>> {
    let (number, wire_type) = decode_key(bytes).ok()?;
    let length = match wire_type {
        WireType::Varint => {
            let mut rest = *bytes;
            decode_varint(&mut rest).ok()?;
            bytes.len() - rest.len()
        }
        WireType::ThirtyTwoBit => 4,
        WireType::SixtyFourBit => 8,
        WireType::LengthDelimited => usize::try_from(decode_varint(bytes).ok()?).ok()?,
        WireType::StartGroup | WireType::EndGroup => return None,
    };
    let (value, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(Part { number, wire_type, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_on_the_way_to_records_count() {
        let of_logs = |bytes: &[u8]| fields(Signal::Logs, bytes);
        assert_eq!(of_logs(b""), 0);
        assert_eq!(of_logs(b"\x08\x01\x11abcdefgh\x1dabcd"), 3);
        assert_eq!(of_logs(&b"\x0a\x00".repeat(1_000)), 1_000);
        // A resource with a scope with two records, the second with a field in which nothing counts.
        let records = b"\x0a\x0c\x12\x0a\x12\x00\x12\x06\x32\x04\x0a\x00\x0a\x00";
        assert_eq!((of_logs(records), fields(Signal::Metrics, records)), (5, 5));
        // The points of a gauge count.
        let points = b"\x0a\x0a\x12\x08\x12\x06\x2a\x04\x0a\x00\x0a\x00";
        assert_eq!((of_logs(points), fields(Signal::Metrics, points)), (4, 6));
    }
}
