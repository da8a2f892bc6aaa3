//! A project's reference: twenty letters that look random; half of them encode the number of its row.
//!
//! Ten letters are drawn; the other ten are the project's number, enciphered with the drawn ones. So a call
//! finds the row of its project directly, without an index on references. The cipher protects no secret: it
//! only makes references look alike.

use serde::{Deserialize, Serialize};
use sim_base::ToSchema;

use crate::from_text::from_text;

/// A project's reference: twenty lowercase letters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct ProjectRef(
    #[schemars(regex(pattern = r"^[a-z]{20}$"), extend("x-rule" = "a project reference: 20 lowercase letters"))]
    pub String,
);

from_text!(ProjectRef);

impl std::fmt::Display for ProjectRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Letters in each of the two halves of a reference.
#[doc(hidden)]
pub const LETTERS: usize = 10;
/// The number of words with half that many letters: the number is enciphered in two such parts.
#[doc(hidden)]
pub const PARTS: u64 = 26_u64.pow(LETTERS as u32 / 2);
/// Rounds of the cipher. After one round, references of neighbours look alike; four are usual.
const ROUNDS: u64 = 4;

/// The reference of the project with this number, with the given random letters.
#[doc(hidden)]
pub fn of_number(number: i64, chance: &str) -> String {
    let key = value(chance.as_bytes());
    let (high, low) = (0..ROUNDS)
        .fold((number as u64 / PARTS, number as u64 % PARTS), |(high, low), round| {
            (low, (high + mixed(key, round, low)) % PARTS)
        });
    word(high * PARTS + low) + chance
}

/// The number of the project with this reference, if there is such a project and `of_number` made the
/// reference.
#[doc(hidden)]
pub fn likely_number(r#ref: &str) -> Option<i64> {
    let (number, chance) =
        r#ref.as_bytes().split_at_checked(LETTERS).filter(|(_, rest)| rest.len() == LETTERS)?;
    let (key, number) = (value(chance), value(number));
    let (high, low) = (0..ROUNDS).rev().fold((number / PARTS, number % PARTS), |(high, low), round| {
        ((low + PARTS - mixed(key, round, high)) % PARTS, high)
    });
    Some((high * PARTS + low) as i64)
}

/// A word's letters as digits of a number.
fn value(word: &[u8]) -> u64 {
    word.iter().fold(0, |value, letter| value * 26 + u64::from(letter.wrapping_sub(b'a')) % 26)
}

/// The word with this many letters and that value.
fn word(value: u64) -> String {
    let digit = |place: u32| (value / 26_u64.pow(place) % 26) as u8;
    (0..LETTERS as u32).rev().map(|place| char::from(b'a' + digit(place))).collect()
}

/// A hash below `PARTS`: the last step of SplitMix64.
fn mixed(key: u64, round: u64, part: u64) -> u64 {
    let mut bits = key.wrapping_add((round * PARTS + part).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (bits ^ bits >> 31) % PARTS
}
