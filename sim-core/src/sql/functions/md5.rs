//! MD5 (RFC 1321), which PostgreSQL has as a function. Not for secrets.

const SHIFTS: [u32; 16] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];

/// The digest of `data`.
pub(in crate::sql) fn digest(data: &[u8]) -> [u8; 16] {
    let mut padded = data.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((data.len() as u64).wrapping_mul(8).to_le_bytes());
    let mut state = [0x6745_2301_u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    for block in padded.chunks_exact(64) {
        mix(&mut state, block);
    }
    let mut result = [0; 16];
    for (place, word) in result.chunks_exact_mut(4).zip(state) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    result
}

fn mix(state: &mut [u32; 4], block: &[u8]) {
    let word = |index: usize| {
        let at = index % 16 * 4;
        u32::from_le_bytes([block[at], block[at + 1], block[at + 2], block[at + 3]])
    };
    let [mut a, mut b, mut c, mut d] = *state;
    for step in 0..64 {
        let (mixed, index) = match step / 16 {
            0 => ((b & c) | (!b & d), step),
            1 => ((d & b) | (!d & c), 5 * step + 1),
            2 => (b ^ c ^ d, 3 * step + 5),
            _ => (c ^ (b | !d), 7 * step),
        };
        let sum = a.wrapping_add(mixed).wrapping_add(constant(step)).wrapping_add(word(index));
        let rotated = sum.rotate_left(SHIFTS[step / 16 * 4 + step % 4]);
        (a, d, c, b) = (d, c, b, b.wrapping_add(rotated));
    }
    for (sum, part) in state.iter_mut().zip([a, b, c, d]) {
        *sum = sum.wrapping_add(part);
    }
}

/// The whole part of 2^32 · |sin(step + 1)|.
fn constant(step: usize) -> u32 {
    (libm::sin((step + 1) as f64).abs() * 4_294_967_296.0) as u32
}

#[cfg(test)]
mod tests {
    use super::digest;
    use crate::sql::value::print_bytea;

    #[test]
    fn digests_are_those_of_the_standard() {
        let rows = [
            (String::new(), "\\xd41d8cd98f00b204e9800998ecf8427e"),
            ("abc".to_owned(), "\\x900150983cd24fb0d6963f7d28e17f72"),
            ("1234567890".repeat(8), "\\x57edf4a22be3c955ac49da2e2107b67a"),
        ];
        for (text, expected) in rows {
            assert_eq!(print_bytea(&digest(text.as_bytes())), expected, "{text}");
        }
    }
}
