//! A project's reference: twenty letters that look random; half of them encode the number of its row.
//!
//! Ten letters are drawn; the other ten are the project's number, enciphered with the drawn ones. So a call
//! finds the row of its project directly, without an index on references. The cipher protects no secret: it
//! only makes references look alike.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::from_text::from_text;

/// A project's reference: twenty lowercase letters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
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
pub(crate) const LETTERS: usize = 10;
/// The number of words with half that many letters: the number is enciphered in two such parts.
const PARTS: u64 = 26_u64.pow(LETTERS as u32 / 2);
/// Rounds of the cipher. After one round, references of neighbours look alike; four are usual.
const ROUNDS: u64 = 4;

/// The reference of the project with this number, with the given random letters.
pub(crate) fn of_number(number: i64, chance: &str) -> String {
    let key = value(chance.as_bytes());
    let (high, low) = (0..ROUNDS)
        .fold((number as u64 / PARTS, number as u64 % PARTS), |(high, low), round| {
            (low, (high + mixed(key, round, low)) % PARTS)
        });
    word(high * PARTS + low) + chance
}

/// The number of the project with this reference, if there is such a project and `of_number` made the
/// reference.
pub(crate) fn likely_number(r#ref: &str) -> Option<i64> {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{LETTERS, PARTS, likely_number, of_number};
    use sim_core::management::project::{CreateProject, DeleteProject};
    use sim_core::{Pace, Policy, Simulator};

    #[test]
    fn a_reference_finds_its_row_after_changes_of_others() {
        let at_once = Policy { pace: Pace::Instant, ..Policy::default() };
        let mut sim = Simulator::builder().policy(at_once).build();
        let create = |sim: &mut Simulator, name: &str| sim.call(CreateProject::named(name, "acme"));
        create(&mut sim, "first").expect("the name is new");
        let last = create(&mut sim, "last").expect("the name is new");
        sim.call(DeleteProject { r#ref: last.id }).expect("it is there");
        create(&mut sim, "another").expect("the name is new");
        let sql = "SELECT id, ref FROM project ORDER BY id";
        let read =
            |row: &rusqlite::Row<'_>| Ok((row.get::<_, i64>(0)?, likely_number(&row.get::<_, String>(1)?)));
        let numbers = sim.read(|db| db.all(sql, (), read));
        assert_eq!(numbers, [(1, Some(1)), (3, Some(3))]);
    }

    proptest! {
        #[test]
        fn a_reference_says_its_number(number in 0..(PARTS * PARTS) as i64, chance in "[a-z]{10}") {
            let reference = of_number(number, &chance);
            prop_assert!(reference.len() == 2 * LETTERS && reference.bytes().all(|letter| letter.is_ascii_lowercase()));
            prop_assert_eq!(likely_number(&reference), Some(number));
        }

        #[test]
        fn other_texts_decode_to_any_number_or_none(text in ".{0,30}") {
            prop_assert_eq!(likely_number(&text).is_some(), text.len() == 2 * LETTERS);
        }
    }

    #[test]
    fn references_of_neighbours_look_like_any_others() {
        let letters = |number| of_number(number, "abcdefghij").into_bytes();
        let alike = |number| {
            letters(number).iter().zip(&letters(number + 1)).take(LETTERS).filter(|(a, b)| a == b).count()
        };
        let alike: usize = (0..26_000).map(alike).sum();
        assert!(
            (9_500..10_500).contains(&alike),
            "{alike} of 260,000 letters are the next one's, not every 26th"
        );
    }
}
