//! Mutated queries: those of the corpus with words removed, doubled, or taken from another query.

use chacha20::ChaCha12Rng;
use rand::{Rng as _, RngExt as _, SeedableRng as _};
use sim_core::sql::warehouse::{Request, Target, Translation, translate};

use super::corpus::File;
use super::target::{Names, Postgres, Sqlite};

/// Mutations per query.
const ROUNDS: usize = 25;

/// Mutated queries that are translated, each with the file it came from.
pub(crate) fn accepted(target: Target, mut check: impl FnMut(&File, &str, &Translation)) -> usize {
    let files = File::all();
    let words: Vec<String> =
        files.iter().flat_map(|file| &file.cases).flat_map(|case| words_of(&case.query)).collect();
    let mut random = ChaCha12Rng::seed_from_u64(5);
    let mut count = 0;
    for file in &files {
        for case in &file.cases {
            for _ in 0..ROUNDS {
                let text = mutated(&case.query, &words, &mut random);
                let request =
                    Request { text: &text, dialect: file.dialect, consumer: None, target, max_rows: None };
                if let Ok(translation) = translate(&request, &Names { file, target }) {
                    count += 1;
                    check(file, &text, &translation);
                }
            }
        }
    }
    count
}

/// A target's error for a translated query before it runs.
pub(crate) trait Prepares {
    fn prepares(&self, translation: &Translation) -> Result<(), String>;
}

impl Prepares for Sqlite {
    fn prepares(&self, translation: &Translation) -> Result<(), String> {
        self.0.prepare(&translation.sql).map(drop).map_err(|error| error.to_string())
    }
}

impl Prepares for Postgres<'_> {
    fn prepares(&self, translation: &Translation) -> Result<(), String> {
        match self.0.run(&format!("PREPARE q AS {}", translation.sql)) {
            super::answer::Answer::Rows(_) => Ok(()),
            super::answer::Answer::Refusal(refusal) => Err(refusal.message),
        }
    }
}

/// Queries whose answers still differ: infinity in a tuple is no text on SQLite, which has no NaN; on PostgreSQL a replacement with
/// an escape that means nothing is no error, but the first member of an object is.
pub(crate) const DIFFERENT: [&str; 5] = [
    r#"select JSONExtractString ( '{"a":{"b.c":"x"}}' , 1 , 'b.c' ) as a , JSONExtractInt ( '{"n":5}' , 'n' ) as b , JSONExtractString ( '{}' , 'a' ) as c , JSONHas ( '{"a":1}' , 'a' ) as d , JSONExtractFloat ( '{"f":1.5}' , 'f' ) as e , JSONExtractBool ( '{"t":true}' , 't' ) as f"#,
    "select ( 1 / 0 ) - 5 as a , ( 1 / 0 ) * 2 as b , ( 1 / 0 , 1 ) as c , multiply ( - 1 / 0 , 3 ) as d",
    r"select replaceRegexpAll ( 'hello world' , '(\\w+) (\\w+)' , '(\\w+) (\\w+)' ) as r",
    "select JSONExtractString ( event_message , 'user' , 'tags' , 'id' ) as t , JSONExtractInt ( event_message , 'user' , 1 ) + 1 as n from logs where id = 'c2'",
    "select cast ( 'inf' as float64 ) + 1 as a , cast ( '-inf' as float64 ) * 0 as b , ieee_divide ( 1 , 0 ) - 5 as c , pow ( cast ( 'inf' as float64 ) , 2 ) as d , 1 / cast ( 'inf' as float64 ) as e",
];

/// Whether rows depend on an order that the query does not fix.
pub(crate) fn is_left_to_chance(text: &str) -> bool {
    let text = text.to_lowercase();
    ["limit", "agg", "over", "offset", "array", "qualify", "any", "argm", "_value"]
        .iter()
        .any(|word| text.contains(word))
}

/// Whether two results have the same rows, in any order, or are both errors. A text of an event that is used as a pattern may be
/// one for one database only.
pub(crate) fn agree(one: &str, other: &str) -> bool {
    if one.starts_with("error Cannot parse regular expression") {
        return true;
    }
    if one.starts_with("error") || other.starts_with("error") {
        return one.starts_with("error") && other.starts_with("error");
    }
    let rows = |text: &str| {
        let mut rows: Vec<String> = text.lines().map(super::corpus::sorted_line).collect();
        rows.sort();
        rows
    };
    rows(one) == rows(other)
}

fn words_of(query: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    for sign in query.chars() {
        match quote {
            Some(end) => {
                word.push(sign);
                if sign == end {
                    quote = None;
                }
            }
            None if sign.is_alphanumeric() || matches!(sign, '_' | '@') => word.push(sign),
            None => {
                words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
                if matches!(sign, '\'' | '`' | '"') {
                    quote = Some(sign);
                    word.push(sign);
                } else if !sign.is_whitespace() {
                    words.push(sign.to_string());
                }
            }
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

fn mutated(query: &str, others: &[String], random: &mut ChaCha12Rng) -> String {
    let mut words = words_of(query);
    for _ in 0..random.random_range(1..3) {
        if words.is_empty() {
            break;
        }
        let at = random.random_range(0..words.len());
        match random.next_u32() % 4 {
            0 => drop(words.remove(at)),
            1 => words.insert(at, words[at].clone()),
            2 if random.next_u32().is_multiple_of(4) => {
                words[at].clone_from(&others[random.random_range(0..others.len())]);
            }
            2 => words[at] = words[random.random_range(0..words.len())].clone(),
            _ => {
                let other = random.random_range(0..words.len());
                words.swap(at, other);
            }
        }
    }
    let joined = [(" . ", "."), ("| |", "||"), ("! =", "!="), ("< =", "<="), ("> =", ">="), ("r '", "r'")];
    joined.iter().fold(words.join(" "), |text, (apart, together)| text.replace(apart, together))
}
