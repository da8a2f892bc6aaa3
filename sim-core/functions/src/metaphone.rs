//! Metaphone: how an English word sounds, as consonants.

use rusqlite::types::Value;

use super::Arguments;
use super::text::own;
use sim_values::error::{Result, SqlError, SqlState};

/// The longest text and the longest code, in bytes.
const LENGTH_MAX: usize = 255;

/// The sounds that have no letter of their own.
const SH: &str = "X";
const TH: &str = "0";

/// `metaphone(text, length)`.
pub(super) fn call(a: &Arguments<'_, '_>) -> Result<Value> {
    let text = a.text(0);
    if text.is_empty() {
        return own(String::new());
    }
    let too_long = |what: &str| {
        let message = format!("{what} exceeds the maximum length of {LENGTH_MAX} bytes");
        Err(SqlError::new(SqlState::INVALID_PARAMETER, message))
    };
    if text.len() > LENGTH_MAX {
        return too_long("argument");
    }
    match usize::try_from(a.int(1)) {
        Ok(length @ 1..=LENGTH_MAX) => own(code(text, length)),
        Ok(1..) => too_long("output"),
        _ => Err(SqlError::new(SqlState::new("2200F"), "output cannot be empty string")),
    }
}

fn code(text: &str, length: usize) -> String {
    let word = Word(text.as_bytes());
    let mut code = String::new();
    let Some(mut at) = word.0.iter().position(u8::is_ascii_alphabetic) else { return code };
    let (first, read) = word.beginning(at);
    code.push_str(&first);
    at += read;
    while at < word.0.len() && code.len() < length {
        let (sound, read) = word.sound(at);
        code.push_str(sound);
        at += read;
    }
    code.truncate(length);
    code
}

/// The letters of a word, of which only those of English sound.
struct Word<'t>(&'t [u8]);

impl Word<'_> {
    /// A letter, as a capital; 0 beyond the ends.
    fn letter(&self, at: usize, away: isize) -> u8 {
        let letter = at.checked_add_signed(away).and_then(|at| self.0.get(at));
        letter.map_or(0, u8::to_ascii_uppercase)
    }

    /// How a word begins that is spelled unlike it sounds, and the number of letters that say so. Vowels count only there.
    fn beginning(&self, at: usize) -> (String, usize) {
        let (first, second) = (self.letter(at, 0), self.letter(at, 1));
        let (sound, read) = match (first, second) {
            (b'A', b'E') => (b'E', 2),
            (b'G' | b'K' | b'P', b'N') => (b'N', 2),
            (b'W', b'H' | b'R') => (second, 2),
            (b'W', second) if is_vowel(second) => (b'W', 2),
            (b'X', _) => (b'S', 1),
            (first, _) if is_vowel(first) => (first, 1),
            _ => return (String::new(), 0),
        };
        (char::from(sound).to_string(), read)
    }

    /// How a letter sounds among the others, and the number of letters that are read with it.
    fn sound(&self, at: usize) -> (&'static str, usize) {
        let [before, letter, next, after] = [-1, 0, 1, 2].map(|away| self.letter(at, away));
        if before == letter && letter != b'C' {
            return ("", 1);
        }
        let soft = is_soft(next);
        let of_sh = next == b'I' && matches!(after, b'O' | b'A');
        match letter {
            b'B' if before != b'M' => ("B", 1),
            b'C' if soft && (next, after) == (b'I', b'A') => (SH, 1),
            b'C' if soft => (if before == b'S' { "" } else { "S" }, 1),
            b'C' if next == b'H' => (if after == b'R' || before == b'S' { "K" } else { SH }, 2),
            b'D' if next == b'G' && is_soft(after) => ("J", 2),
            b'G' if next == b'H' => {
                let silent = matches!(self.letter(at, -3), b'B' | b'D' | b'H') || self.letter(at, -4) == b'H';
                if silent { ("", 1) } else { ("F", 2) }
            }
            b'G' if next == b'N' => {
                let silent = !after.is_ascii_alphabetic() || (after, self.letter(at, 3)) == (b'E', b'D');
                (if silent { "" } else { "K" }, 1)
            }
            b'G' if soft && before != b'G' => ("J", 1),
            b'H' if is_vowel(next) && !matches!(before, b'C' | b'G' | b'P' | b'S' | b'T') => ("H", 1),
            b'P' if next == b'H' => ("F", 1),
            b'S' | b'T' if of_sh => (SH, 1),
            b'S' if next == b'H' => (SH, 2),
            b'S' if next == b'C' && after == b'H' && self.letter(at, 3) == b'W' => (SH, 3),
            b'T' if next == b'H' => (TH, 2),
            b'W' if is_vowel(next) => ("W", 1),
            b'X' => ("KS", 1),
            b'Y' if is_vowel(next) => ("Y", 1),
            b'K' if before == b'C' => ("", 1),
            b'C' | b'G' | b'K' | b'Q' => ("K", 1),
            b'D' | b'T' => ("T", 1),
            b'F' | b'V' => ("F", 1),
            b'S' | b'Z' => ("S", 1),
            b'J' => ("J", 1),
            b'L' => ("L", 1),
            b'M' => ("M", 1),
            b'N' => ("N", 1),
            b'P' => ("P", 1),
            b'R' => ("R", 1),
            _ => ("", 1),
        }
    }
}

fn is_vowel(letter: u8) -> bool {
    matches!(letter, b'A' | b'E' | b'I' | b'O' | b'U')
}

/// Whether C and G are soft before a letter.
fn is_soft(letter: u8) -> bool {
    matches!(letter, b'E' | b'I' | b'Y')
}
