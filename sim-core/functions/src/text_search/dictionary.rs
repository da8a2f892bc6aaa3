//! Configurations of text search: which dictionaries make lexemes of a token.
//!
//! A value of type `regconfig` is represented by the name of its configuration. That of a user is followed by `=` and its
//! mappings, so that the value says by itself what it does: `es=asciiword:unaccent,spanish_stem;uint:simple`.

use rust_stemmers::{Algorithm, Stemmer};
use waken_snowball::{SnowballEnv, algorithms};

use super::scan::Kind;
use sim_values::error::{Result, SqlError, SqlState};

/// A language whose words have stems.
pub(super) struct Language {
    pub(super) name: &'static str,
    algorithm: Stems,
    /// Words without meaning, one on each line.
    stop: &'static str,
}

/// Who knows the stems of a language. PostgreSQL 15 has Snowball 2.2: some of its algorithms are those of older versions, others
/// those of newer ones.
enum Stems {
    Older(Algorithm),
    Newer(fn(&mut SnowballEnv<'_>) -> bool),
    /// Newer for words with these letters.
    By(&'static [char], fn(&mut SnowballEnv<'_>) -> bool, Algorithm),
}

impl Stems {
    fn of(&self, word: &str) -> String {
        let newer = |stem: fn(&mut SnowballEnv<'_>) -> bool| {
            let mut read = SnowballEnv::create(word);
            stem(&mut read);
            read.get_current().into_owned()
        };
        match self {
            Stems::By(letters, stem, _) if word.contains(*letters) => newer(*stem),
            Stems::Older(algorithm) | Stems::By(_, _, algorithm) => {
                Stemmer::create(*algorithm).stem(word).into_owned()
            }
            Stems::Newer(stem) => newer(*stem),
        }
    }
}

macro_rules! languages {
    ($($name:literal $stems:expr, $stop:expr;)*) => {
        static LANGUAGES: &[Language] = &[$(Language { name: $name, algorithm: $stems, stop: $stop }),*];
    };
}

// The stop words are those of the Snowball project, which PostgreSQL has too.
languages! {
    "arabic" Stems::Older(Algorithm::Arabic), "";
    "armenian" Stems::Newer(algorithms::armenian_stemmer::stem), "";
    "basque" Stems::Newer(algorithms::basque_stemmer::stem), "";
    "catalan" Stems::Newer(algorithms::catalan_stemmer::stem), "";
    "danish" Stems::Older(Algorithm::Danish), include_str!("stop/danish.txt");
    "dutch" Stems::Older(Algorithm::Dutch), include_str!("stop/dutch.txt");
    "english" Stems::Older(Algorithm::English), include_str!("stop/english.txt");
    "finnish" Stems::Older(Algorithm::Finnish), include_str!("stop/finnish.txt");
    "french" Stems::By(&['ë', 'ï'], algorithms::french_stemmer::stem, Algorithm::French), include_str!("stop/french.txt");
    "german" Stems::Older(Algorithm::German), include_str!("stop/german.txt");
    "greek" Stems::Older(Algorithm::Greek), "";
    "hindi" Stems::Newer(algorithms::hindi_stemmer::stem), "";
    "hungarian" Stems::Older(Algorithm::Hungarian), include_str!("stop/hungarian.txt");
    "indonesian" Stems::Newer(algorithms::indonesian_stemmer::stem), "";
    "irish" Stems::Newer(algorithms::irish_stemmer::stem), "";
    "italian" Stems::Older(Algorithm::Italian), include_str!("stop/italian.txt");
    "lithuanian" Stems::Newer(algorithms::lithuanian_stemmer::stem), "";
    "nepali" Stems::Newer(algorithms::nepali_stemmer::stem), include_str!("stop/nepali.txt");
    "norwegian" Stems::Older(Algorithm::Norwegian), include_str!("stop/norwegian.txt");
    "portuguese" Stems::Older(Algorithm::Portuguese), include_str!("stop/portuguese.txt");
    "romanian" Stems::Older(Algorithm::Romanian), "";
    "russian" Stems::Newer(algorithms::russian_stemmer::stem), include_str!("stop/russian.txt");
    "serbian" Stems::Newer(algorithms::serbian_stemmer::stem), "";
    "spanish" Stems::Older(Algorithm::Spanish), include_str!("stop/spanish.txt");
    "swedish" Stems::Older(Algorithm::Swedish), include_str!("stop/swedish.txt");
    "tamil" Stems::Older(Algorithm::Tamil), "";
    "turkish" Stems::Older(Algorithm::Turkish), include_str!("stop/turkish.txt");
    "yiddish" Stems::Newer(algorithms::yiddish_stemmer::stem), "";
}

/// Longer words are not indexed.
const WORD_MAX: usize = 2_046;

/// Longer words have no stem, in bytes.
const STEM_MAX: usize = 1_000;

/// Makes lexemes of a token.
#[derive(Clone, Copy)]
pub(super) enum Dictionary {
    /// The token in lower case.
    Simple,
    /// Its stem; nothing for a stop word.
    Stem(&'static Language),
    /// Removes accents, for the next dictionary.
    Unaccent,
}

impl Dictionary {
    fn numbered(number: i64) -> Result<Dictionary> {
        let found = dictionaries(true).find(|(known, _)| i64::from(*known) == number);
        found.and_then(|(_, name)| Dictionary::named(&name)).ok_or_else(|| {
            let message = format!("cache lookup failed for text search dictionary {number}");
            SqlError::new(SqlState::UNDEFINED_OBJECT, message)
        })
    }

    fn named(name: &str) -> Option<Dictionary> {
        match name.rsplit('.').next().unwrap_or(name) {
            "simple" => Some(Dictionary::Simple),
            "unaccent" => Some(Dictionary::Unaccent),
            other => {
                let language = other.strip_suffix("_stem")?;
                LANGUAGES.iter().find(|known| known.name == language).map(Dictionary::Stem)
            }
        }
    }
}

/// A configuration.
pub(super) struct Configuration {
    /// The dictionaries for each kind of token that has any.
    mappings: Vec<(Kind, Vec<Dictionary>)>,
}

/// Kinds of tokens that are words of a language. The first three have only ASCII letters.
const WORDS: [Kind; 6] =
    [Kind::AsciiWord, Kind::AsciiPart, Kind::AsciiHyphenated, Kind::Word, Kind::Part, Kind::Hyphenated];

/// Kinds of tokens that no configuration has dictionaries for.
const LEFT_OUT: [Kind; 4] = [Kind::Blank, Kind::Tag, Kind::Protocol, Kind::Entity];

impl Configuration {
    /// The configuration that a value of type `regconfig` represents.
    pub(super) fn of(representation: &str) -> Result<Configuration> {
        if let Some((_, mappings)) = representation.split_once('=') {
            return Ok(Configuration::read(mappings));
        }
        let mappings = mappings_of(representation)?;
        Ok(Configuration::read(&mappings))
    }

    fn read(mappings: &str) -> Configuration {
        let read = |mapping: &str| {
            let (kind, dictionaries) = mapping.split_once(':')?;
            let kind = Kind::ALL.iter().find(|(_, name)| *name == kind)?.0;
            Some((kind, dictionaries.split(',').filter_map(Dictionary::named).collect()))
        };
        Configuration { mappings: mappings.split(';').filter_map(read).collect() }
    }

    /// The lexemes of a token. `None` if it is not part of the document; empty for a stop word, which counts as a position.
    pub(super) fn lexemes(&self, kind: Kind, token: &str) -> Option<Option<String>> {
        let (_, dictionaries) = self.mappings.iter().find(|(known, _)| *known == kind)?;
        if token.len() > WORD_MAX {
            return None;
        }
        let mut token = token.to_owned();
        for dictionary in dictionaries {
            match dictionary {
                Dictionary::Unaccent => token = super::unaccent::unaccent(&token),
                Dictionary::Simple => return Some(Some(lower(&token))),
                Dictionary::Stem(language) => return Some(stem(language, &token)),
            }
        }
        None
    }
}

/// The mappings of a configuration that PostgreSQL has from the start.
pub fn mappings_of(name: &str) -> Result<String> {
    let name = name.strip_prefix("pg_catalog.").unwrap_or(name);
    if name != "simple" && !LANGUAGES.iter().any(|language| language.name == name) {
        let message = format!("text search configuration \"{name}\" does not exist");
        return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
    }
    let dictionary = |kind: Kind| match WORDS.iter().position(|word| *word == kind) {
        Some(0..=2) if name == "russian" => "english_stem".to_owned(),
        Some(_) if name != "simple" => format!("{name}_stem"),
        _ => "simple".to_owned(),
    };
    let mappings = Kind::ALL.iter().filter(|(kind, _)| !LEFT_OUT.contains(kind));
    let mappings = mappings.map(|(kind, name)| format!("{name}:{}", dictionary(*kind)));
    Ok(mappings.collect::<Vec<_>>().join(";"))
}

/// A word in lower case, letter by letter.
pub(super) fn lower(word: &str) -> String {
    word.chars().map(|c| c.to_lowercase().next().unwrap_or(c)).collect()
}

/// The stem of a word; `None` for a stop word.
fn stem(language: &Language, word: &str) -> Option<String> {
    let word = lower(word);
    if language.stop.lines().any(|stop| stop.trim_end() == word) {
        return None;
    }
    if word.len() > STEM_MAX {
        return Some(word);
    }
    // A word that is nothing but its endings is its own stem.
    let stem = language.algorithm.of(&word);
    Some(if stem.is_empty() { word } else { stem })
}

/// What the dictionary with a number makes of a word: no lexeme of a stop word, and `None` of one that it does not know.
pub(super) fn lexize(number: i64, word: &str) -> Result<Option<Vec<String>>> {
    Ok(match Dictionary::numbered(number)? {
        Dictionary::Simple => Some(vec![lower(word)]),
        Dictionary::Stem(language) => Some(stem(language, word).into_iter().collect()),
        Dictionary::Unaccent => {
            let plain = super::unaccent::unaccent(word);
            (plain != word).then(|| vec![plain])
        }
    })
}

/// A text as the dictionary with a number writes it, or as it is if that dictionary does not know it.
pub(super) fn unaccented(number: i64, text: &str) -> Result<String> {
    let first = lexize(number, text)?.and_then(|lexemes| lexemes.into_iter().next());
    Ok(first.unwrap_or_else(|| text.to_owned()))
}

/// Refuses a dictionary that does not exist. `unaccent` exists once its extension is created.
pub fn check_dictionary(name: &str, unaccent: bool) -> Result<()> {
    if Dictionary::named(name).is_some() && (unaccent || name != "unaccent") {
        return Ok(());
    }
    let message = format!("text search dictionary \"{name}\" does not exist");
    Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message))
}

/// Refuses a kind of token that does not exist.
pub fn check_kind(name: &str) -> Result<()> {
    if Kind::ALL.iter().any(|(_, known)| *known == name) {
        return Ok(());
    }
    let message = format!("token type \"{name}\" does not exist");
    Err(SqlError::new(SqlState::INVALID_PARAMETER, message))
}

/// The names of the configurations that exist from the start.
pub fn configurations() -> impl Iterator<Item = &'static str> {
    std::iter::once("simple").chain(LANGUAGES.iter().map(|language| language.name))
}

/// The number of the dictionary that an extension brings.
pub const UNACCENT: u32 = 13_690;

/// The dictionaries of a database, with their numbers.
pub fn dictionaries(unaccent: bool) -> impl Iterator<Item = (u32, String)> {
    let stems = LANGUAGES.iter().map(|language| format!("{}_stem", language.name));
    let stems = (UNACCENT + 1..).zip(stems);
    let of_extension = unaccent.then(|| (UNACCENT, "unaccent".to_owned()));
    std::iter::once((3765, "simple".to_owned())).chain(of_extension).chain(stems)
}

/// The number of a kind of token.
pub fn kind_number(name: &str) -> Option<u8> {
    Kind::ALL.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind as u8)
}
