//! The extension `fuzzystrmatch`: how many changes make one text another, and how words sound.

use rusqlite::types::Value;

use super::text::own;
use super::{Arguments, Function};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;

const T: Type = Type::TEXT;
const I: Type = Type::INT4;

/// The longest text of `levenshtein`, in characters.
const LENGTH_MAX: usize = 255;

pub(super) static FUNCTIONS: &[Function] = &[
    of("levenshtein", &[T, T], I, |a| distance(a, Costs::EVEN, None)),
    of("levenshtein", &[T, T, I, I, I], I, |a| distance(a, Costs::given(a), None)),
    of("levenshtein_less_equal", &[T, T, I], I, |a| distance(a, Costs::EVEN, Some(a.int(2)))),
    of("levenshtein_less_equal", &[T, T, I, I, I, I], I, |a| distance(a, Costs::given(a), Some(a.int(5)))),
    of("metaphone", &[T, I], T, super::metaphone::call),
    of("soundex", &[T], T, |a| own(soundex(a.text(0)))),
    of("text_soundex", &[T], T, |a| own(soundex(a.text(0)))),
    of("difference", &[T, T], I, |a| {
        let (left, right) = (soundex(a.text(0)), soundex(a.text(1)));
        let same = |at: &usize| left.as_bytes().get(*at) == right.as_bytes().get(*at);
        Ok(Value::Integer((0..4).filter(same).count() as i64))
    }),
];

const fn of(
    name: &'static str,
    arguments: &'static [Type],
    returns: Type,
    call: fn(&Arguments<'_, '_>) -> Result<Value>,
) -> Function {
    Function::rust(name, arguments, returns, call).of_extension("fuzzystrmatch")
}

/// What a change of one character costs.
#[derive(Clone, Copy)]
struct Costs {
    insert: i64,
    delete: i64,
    replace: i64,
}

impl Costs {
    const EVEN: Costs = Costs { insert: 1, delete: 1, replace: 1 };

    fn given(a: &Arguments<'_, '_>) -> Costs {
        Costs { insert: a.int(2), delete: a.int(3), replace: a.int(4) }
    }
}

/// The distance of two texts. A distance above `most` is only known to be above.
fn distance(a: &Arguments<'_, '_>, costs: Costs, most: Option<i64>) -> Result<Value> {
    let (from, to): (Vec<char>, Vec<char>) = (a.text(0).chars().collect(), a.text(1).chars().collect());
    if from.len() > LENGTH_MAX || to.len() > LENGTH_MAX {
        let message = format!("levenshtein argument exceeds maximum length of {LENGTH_MAX} characters");
        return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
    }
    a.budget().work(from.len() * to.len() / 4)?;
    let mut row: Vec<i64> = (0..=to.len() as i64).map(|count| count.saturating_mul(costs.insert)).collect();
    for letter in &from {
        let mut diagonal = row[0];
        row[0] = row[0].saturating_add(costs.delete);
        for (at, other) in to.iter().enumerate() {
            let replaced = if letter == other { diagonal } else { diagonal.saturating_add(costs.replace) };
            diagonal = row[at + 1];
            let deleted = row[at + 1].saturating_add(costs.delete);
            let inserted = row[at].saturating_add(costs.insert);
            row[at + 1] = replaced.min(deleted).min(inserted);
        }
    }
    let distance = row.last().copied().unwrap_or(0);
    let distance = match most {
        // The distance from an empty text needs no search.
        Some(most) if most >= 0 && distance > most && !from.is_empty() && !to.is_empty() => most + 1,
        _ => distance,
    };
    super::fit(Type::INT4, Some(distance))
}

/// The code of the sound of a word: its first letter and three digits.
fn soundex(text: &str) -> String {
    let code = |letter: char| match letter {
        'B' | 'F' | 'P' | 'V' => '1',
        'C' | 'G' | 'J' | 'K' | 'Q' | 'S' | 'X' | 'Z' => '2',
        'D' | 'T' => '3',
        'L' => '4',
        'M' | 'N' => '5',
        'R' => '6',
        'A'..='Z' => '0',
        other => other,
    };
    let mut letters = text.chars().skip_while(|c| !c.is_ascii_alphabetic()).map(|c| c.to_ascii_uppercase());
    let Some(first) = letters.next() else { return String::new() };
    let mut out = String::from(first);
    let mut last = code(first);
    for letter in letters {
        let next = code(letter);
        // A vowel has no digit, and two letters with the same digit in a row count once.
        if letter.is_ascii_alphabetic() && next != last && next != '0' {
            out.push(next);
        }
        last = next;
        if out.len() == 4 {
            break;
        }
    }
    format!("{out:0<4}")
}
