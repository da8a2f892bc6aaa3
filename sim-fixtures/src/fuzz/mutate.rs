//! Nearly valid bytes, generated from one number: for machines without a fuzzer.

use super::WORDS;
use crate::strategies::Dice;

/// One of `corpus`, changed in a few random places that follow from `chance`.
///
/// ```
/// use sim_fixtures::fuzz::mutated;
///
/// let corpus = [b"select 1".to_vec()];
/// assert_eq!(mutated(7, &corpus), mutated(7, &corpus));
/// ```
///
/// # Panics
///
/// When `corpus` is empty.
pub fn mutated(chance: u64, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut dice = Dice::new(chance);
    let mut bytes = corpus[dice.below(corpus.len())].clone();
    for _ in 0..=dice.below(4) {
        let at = dice.below(bytes.len() + 1);
        let end = (at + 1 + dice.below(16)).min(bytes.len());
        match dice.below(8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
            1 if at < bytes.len() => bytes[at] = dice.below(256) as u8,
            2 => drop(bytes.drain(at..end.max(at))),
            3 => {
                let piece = bytes[at..end.max(at)].repeat(1 + dice.below(8));
                bytes.splice(at..at, piece);
            }
            4 | 5 => drop(bytes.splice(at..at, WORDS[dice.below(WORDS.len())].bytes())),
            6 => {
                let other = &corpus[dice.below(corpus.len())];
                let from = dice.below(other.len() + 1);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
            _ => bytes.truncate(at),
        }
    }
    bytes
}
