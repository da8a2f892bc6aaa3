//! Text search: documents (`tsvector`), queries (`tsquery`), and the extension `unaccent`.
//!
//! `scan` cuts texts into tokens, `dictionary` makes lexemes of them by a configuration, `build` makes documents and queries,
//! `matching` and `rank` compare them. A function without its argument of type `regconfig` gets the session's configuration from
//! the binder, as a further argument after those of its row.

mod build;
mod dictionary;
mod headline;
mod matching;
mod rank;
mod scan;
mod unaccent;

use std::collections::BTreeSet;

use rusqlite::types::Value;
use serde_json::{Value as Element, json};
use sim_values::budget::Budget;
use sim_values::value::tsquery::{Query, phrase_distance};
use sim_values::value::tsvector::{self, Lexeme, Vector};

use self::build::{Builder, Parts};
use self::rank::Normal;
use super::text::{own, truth};
use super::{Arguments, Form, Function};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::array;
use sim_values::value::json::Json;

pub use dictionary::{
    UNACCENT, check_dictionary, check_kind, configurations, dictionaries, kind_number, mappings_of,
};

const V: Type = Type::TSVECTOR;
const Q: Type = Type::TSQUERY;
const C: Type = Type::REGCONFIG;
const D: Type = Type::REGDICTIONARY;
const T: Type = Type::TEXT;
const TEXTS: Type = Type(1009);
const REALS: Type = Type(1021);

const LEXEMES: &[(&str, Type)] = &[("lexeme", T), ("positions", Type(1005)), ("weights", TEXTS)];
const B: Type = Type::JSONB;
const J: Type = Type::JSON;
const KINDS: &[(&str, Type)] = &[("tokid", Type::INT4), ("alias", T), ("description", T)];
const TOKENS: &[(&str, Type)] = &[("tokid", Type::INT4), ("token", T)];

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("to_tsvector", &[C, T], V, |a| document(a, a.text(0), a.text(1))),
    Function::rust("to_tsvector", &[T], V, |a| document(a, a.text(1), a.text(0))),
    Function::rust("to_tsvector", &[C, Type::JSON], V, |a| json_document(a, 0, 1, STRINGS)),
    Function::rust("to_tsvector", &[C, Type::JSONB], V, |a| json_document(a, 0, 1, STRINGS)),
    Function::rust("to_tsvector", &[Type::JSON], V, |a| json_document(a, 1, 0, STRINGS)),
    Function::rust("to_tsvector", &[Type::JSONB], V, |a| json_document(a, 1, 0, STRINGS)),
    Function::rust("json_to_tsvector", &[C, Type::JSON, Type::JSONB], V, |a| {
        json_document(a, 0, 1, parts(a, 2)?)
    }),
    Function::rust("jsonb_to_tsvector", &[C, Type::JSONB, Type::JSONB], V, |a| {
        json_document(a, 0, 1, parts(a, 2)?)
    }),
    Function::rust("json_to_tsvector", &[Type::JSON, Type::JSONB], V, |a| {
        json_document(a, 2, 0, parts(a, 1)?)
    }),
    Function::rust("jsonb_to_tsvector", &[Type::JSONB, Type::JSONB], V, |a| {
        json_document(a, 2, 0, parts(a, 1)?)
    }),
    Function::rust("to_tsquery", &[C, T], Q, |a| {
        asked(a, build::written(a.text(0), a.text(1), a.budget())?, a.text(1))
    }),
    Function::rust("to_tsquery", &[T], Q, |a| {
        asked(a, build::written(a.text(1), a.text(0), a.budget())?, a.text(0))
    }),
    Function::rust("plainto_tsquery", &[C, T], Q, |a| {
        asked(a, build::plain(a.text(0), a.text(1), false, a.budget())?, a.text(1))
    }),
    Function::rust("plainto_tsquery", &[T], Q, |a| {
        asked(a, build::plain(a.text(1), a.text(0), false, a.budget())?, a.text(0))
    }),
    Function::rust("phraseto_tsquery", &[C, T], Q, |a| {
        asked(a, build::plain(a.text(0), a.text(1), true, a.budget())?, a.text(1))
    }),
    Function::rust("phraseto_tsquery", &[T], Q, |a| {
        asked(a, build::plain(a.text(1), a.text(0), true, a.budget())?, a.text(0))
    }),
    Function::rust("websearch_to_tsquery", &[C, T], Q, |a| {
        asked(a, build::web(a.text(0), a.text(1), a.budget())?, a.text(1))
    }),
    Function::rust("websearch_to_tsquery", &[T], Q, |a| {
        asked(a, build::web(a.text(1), a.text(0), a.budget())?, a.text(0))
    }),
    Function::template("get_current_ts_config", &[], C, "{0}"),
    Function::rust("ts_configuration", &[T, T], C, configuration),
    Function::rust("ts_lexize", &[D, T], TEXTS, |a| {
        let lexemes = dictionary::lexize(a.int(0), a.text(1))?;
        Ok(lexemes.map_or(Value::Null, |all| array::of(all.into_iter().map(Element::String).collect())))
    }),
    Function::set("ts_parse", &[T, T], Type::RECORD, TOKENS, tokens),
    Function::rust("@@", &[V, Q], Type::BOOL, |a| matches(a, &vector(a, 0)?, read_query(a, 1)?)),
    Function::rust("@@", &[Q, V], Type::BOOL, |a| matches(a, &vector(a, 1)?, read_query(a, 0)?)),
    Function::rust("@@", &[T, Q], Type::BOOL, |a| {
        matches(a, &read_document(a, a.text(2), a.text(0))?, read_query(a, 1)?)
    }),
    Function::rust("@@", &[T, T], Type::BOOL, |a| {
        let query = build::plain(a.text(2), a.text(1), false, a.budget())?;
        matches(a, &read_document(a, a.text(2), a.text(0))?, query)
    }),
    Function::rust("ts_match_vq", &[V, Q], Type::BOOL, |a| matches(a, &vector(a, 0)?, read_query(a, 1)?)),
    Function::rust("||", &[V, V], V, concatenate),
    Function::rust("tsvector_concat", &[V, V], V, concatenate),
    Function::rust("||", &[Q, Q], Q, |a| joined(a, Query::or)),
    Function::rust("&&", &[Q, Q], Q, |a| joined(a, Query::and)),
    Function::rust("tsquery_or", &[Q, Q], Q, |a| joined(a, Query::or)),
    Function::rust("tsquery_and", &[Q, Q], Q, |a| joined(a, Query::and)),
    Function::rust("!!", &[Q], Q, |a| query(checked(read_query(a, 0)?.map(Query::negated))?)),
    Function::rust("tsquery_not", &[Q], Q, |a| query(checked(read_query(a, 0)?.map(Query::negated))?)),
    Function::rust("<->", &[Q, Q], Q, |a| joined(a, |first, second| first.then(second, 1))),
    Function::rust("tsquery_phrase", &[Q, Q], Q, |a| joined(a, |first, second| first.then(second, 1))),
    Function::rust("tsquery_phrase", &[Q, Q, Type::INT4], Q, |a| {
        let distance = phrase_distance(a.int(2))?;
        joined(a, move |first, second| first.then(second, distance))
    }),
    Function::rust("@>", &[Q, Q], Type::BOOL, |a| truth(contains_words(a, 0, 1)?)),
    Function::rust("<@", &[Q, Q], Type::BOOL, |a| truth(contains_words(a, 1, 0)?)),
    Function::rust("numnode", &[Q], Type::INT4, |a| {
        let nodes = read_query(a, 0)?.map_or(0, |query| query.nodes());
        Ok(Value::Integer(nodes as i64))
    }),
    Function::rust("querytree", &[Q], T, |a| {
        own(match read_query(a, 0)? {
            None => String::new(),
            Some(query) => searchable(&query).map_or_else(|| "T".to_owned(), |query| query.to_string()),
        })
    }),
    Function::rust("setweight", &[V, Type::QCHAR], V, |a| weigh(a, None)),
    Function::rust("setweight", &[V, Type::QCHAR, TEXTS], V, |a| weigh(a, Some(&texts(a, 2)))),
    Function::rust("strip", &[V], V, |a| {
        let mut vector = vector(a, 0)?;
        vector.0.iter_mut().for_each(|lexeme| lexeme.positions.clear());
        own(vector.to_string())
    }),
    Function::rust("length", &[V], Type::INT4, |a| Ok(Value::Integer(vector(a, 0)?.0.len() as i64))),
    Function::rust("tsvector_to_array", &[V], TEXTS, |a| {
        let lexemes = vector(a, 0)?.0.into_iter().map(|lexeme| Element::String(lexeme.text));
        Ok(array::of(lexemes.collect()))
    }),
    Function::rust("array_to_tsvector", &[TEXTS], V, from_array),
    Function::rust("ts_delete", &[V, T], V, |a| delete(a, &[a.text(1).to_owned()])),
    Function::rust("ts_delete", &[V, TEXTS], V, |a| delete(a, &texts(a, 1))),
    Function::rust("ts_filter", &[V, Type(1002)], V, filter),
    Function::set("unnest", &[V], Type::RECORD, LEXEMES, lexemes),
    Function::rust("ts_rank", &[V, Q], Type::FLOAT4, |a| rank(a, None, 0, None)),
    Function::rust("ts_rank", &[V, Q, Type::INT4], Type::FLOAT4, |a| rank(a, None, 0, Some(2))),
    Function::rust("ts_rank", &[REALS, V, Q], Type::FLOAT4, |a| rank(a, Some(0), 1, None)),
    Function::rust("ts_rank", &[REALS, V, Q, Type::INT4], Type::FLOAT4, |a| rank(a, Some(0), 1, Some(3))),
    Function::rust("ts_rank_cd", &[V, Q], Type::FLOAT4, |a| cover_rank(a, None, 0, None)),
    Function::rust("ts_rank_cd", &[V, Q, Type::INT4], Type::FLOAT4, |a| cover_rank(a, None, 0, Some(2))),
    Function::rust("ts_rank_cd", &[REALS, V, Q], Type::FLOAT4, |a| cover_rank(a, Some(0), 1, None)),
    Function::rust("ts_rank_cd", &[REALS, V, Q, Type::INT4], Type::FLOAT4, |a| {
        cover_rank(a, Some(0), 1, Some(3))
    }),
    Function::rust("ts_headline", &[C, T, Q, T], T, |a| headline(a, a.text(0), (1, 2, Some(3)))),
    Function::rust("ts_headline", &[C, T, Q], T, |a| headline(a, a.text(0), (1, 2, None))),
    Function::rust("ts_headline", &[T, Q, T], T, |a| headline(a, a.text(3), (0, 1, Some(2)))),
    Function::rust("ts_headline", &[T, Q], T, |a| headline(a, a.text(2), (0, 1, None))),
    Function::rust("ts_headline", &[C, B, Q, T], B, |a| json_headline(a, a.text(0), (1, 2, Some(3)))),
    Function::rust("ts_headline", &[C, B, Q], B, |a| json_headline(a, a.text(0), (1, 2, None))),
    Function::rust("ts_headline", &[B, Q, T], B, |a| json_headline(a, a.text(3), (0, 1, Some(2)))),
    Function::rust("ts_headline", &[B, Q], B, |a| json_headline(a, a.text(2), (0, 1, None))),
    Function::rust("ts_headline", &[C, J, Q, T], J, |a| {
        compact(json_headline(a, a.text(0), (1, 2, Some(3)))?)
    }),
    Function::rust("ts_headline", &[C, J, Q], J, |a| compact(json_headline(a, a.text(0), (1, 2, None))?)),
    Function::rust("ts_headline", &[J, Q, T], J, |a| compact(json_headline(a, a.text(3), (0, 1, Some(2)))?)),
    Function::rust("ts_headline", &[J, Q], J, |a| compact(json_headline(a, a.text(2), (0, 1, None))?)),
    Function::set("ts_token_type", &[T], Type::RECORD, KINDS, |a| {
        check_parser(a.text(0))?;
        kinds_of_tokens()
    }),
    Function::set("ts_token_type", &[Type::OID], Type::RECORD, KINDS, |a| match a.int(0) {
        3722 => kinds_of_tokens(),
        other => {
            let message = format!("cache lookup failed for text search parser {other}");
            Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message))
        }
    }),
    Function::of("ts_rewrite", &[Q, Q, Q], Q, Form::Unsupported),
    Function::rust("unaccent", &[T], T, |a| own(unaccent::unaccent(a.text(0)))).of_extension("unaccent"),
    Function::rust("unaccent", &[D, T], T, |a| own(dictionary::unaccented(a.int(0), a.text(1))?))
        .of_extension("unaccent"),
];

/// The kinds of tokens of the one parser.
fn kinds_of_tokens() -> Result<Value> {
    let kinds = scan::Kind::ALL.iter().zip(DESCRIPTIONS);
    Ok(array::of(kinds.map(|((kind, alias), text)| json!([*kind as u8, alias, text])).collect()))
}

/// Whether the binder adds the session's configuration to the arguments.
pub fn takes_setting(function: &Function) -> bool {
    const NAMES: [&str; 9] = [
        "to_tsvector",
        "json_to_tsvector",
        "jsonb_to_tsvector",
        "to_tsquery",
        "plainto_tsquery",
        "phraseto_tsquery",
        "websearch_to_tsquery",
        "ts_headline",
        "get_current_ts_config",
    ];
    NAMES.contains(&function.name) && function.arguments.first() != Some(&C)
        || function.name == "@@" && function.arguments.first() == Some(&T)
}

const STRINGS: Parts = Parts { keys: false, strings: true, numbers: false, booleans: false };

fn vector(a: &Arguments<'_, '_>, index: usize) -> Result<Vector> {
    a.budget().work(a.text(index).len())?;
    Vector::parse(a.text(index))
}

fn read_query(a: &Arguments<'_, '_>, index: usize) -> Result<Option<Query>> {
    a.budget().work(a.text(index).len())?;
    Query::parse(a.text(index))
}

fn query(query: Option<Query>) -> Result<Value> {
    own(query.map_or_else(String::new, |query| query.to_string()))
}

fn checked(query: Option<Query>) -> Result<Option<Query>> {
    query.as_ref().map_or(Ok(()), Query::check)?;
    Ok(query)
}

fn texts(a: &Arguments<'_, '_>, index: usize) -> Vec<String> {
    a.budget().draw(a.text(index).len() / 2);
    let items = array::elements(a.text(index)).into_iter();
    items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

/// The document of a text.
pub(crate) fn read_document(a: &Arguments<'_, '_>, configuration: &str, text: &str) -> Result<Vector> {
    let mut builder = Builder::new(configuration, a.budget())?;
    builder.text(text)?;
    Ok(builder.vector())
}

fn document(a: &Arguments<'_, '_>, configuration: &str, text: &str) -> Result<Value> {
    own(read_document(a, configuration, text)?.to_string())
}

fn json_document(
    a: &Arguments<'_, '_>,
    configuration: usize,
    document: usize,
    parts: Parts,
) -> Result<Value> {
    let mut builder = Builder::new(a.text(configuration), a.budget())?;
    builder.json(&*a.document(document)?, parts)?;
    own(builder.vector().to_string())
}

/// The parts that a filter names: `["string", "key"]`, or `"all"`.
fn parts(a: &Arguments<'_, '_>, index: usize) -> Result<Parts> {
    let wrong = |what: &str| {
        SqlError::new(SqlState::INVALID_PARAMETER, format!("wrong flag in flag array{what}"))
            .hint("Possible values are: \"string\", \"numeric\", \"boolean\", \"key\", and \"all\".")
    };
    let filter = a.document(index)?;
    let names = match &*filter {
        Json::Array(names) => names.as_slice(),
        name @ Json::String(_) => std::slice::from_ref(name),
        _ => {
            let message = "wrong flag type, only arrays and scalars are allowed";
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
        }
    };
    let mut parts = Parts::default();
    for name in names {
        let Json::String(name) = name else { return Err(wrong("")) };
        match name.to_ascii_lowercase().as_str() {
            "all" => parts = Parts { keys: true, strings: true, numbers: true, booleans: true },
            "key" => parts.keys = true,
            "string" => parts.strings = true,
            "numeric" => parts.numbers = true,
            "boolean" => parts.booleans = true,
            _ => return Err(wrong(&format!(": \"{name}\""))),
        }
    }
    Ok(parts)
}

/// The value for the name of a configuration. Argument 1 maps those of users to their values.
fn configuration(a: &Arguments<'_, '_>) -> Result<Value> {
    let name = &a.text(0).replace('"', "");
    let known: serde_json::Map<String, Element> = serde_json::from_str(a.text(1)).unwrap_or_default();
    if let Some(Element::String(known)) = known.get(name) {
        return own(known.clone());
    }
    mappings_of(name)?;
    own(name.strip_prefix("pg_catalog.").unwrap_or(name).to_owned())
}

/// What the kinds of tokens are, in the order of their numbers.
const DESCRIPTIONS: [&str; 23] = [
    "Word, all ASCII",
    "Word, all letters",
    "Word, letters and digits",
    "Email address",
    "URL",
    "Host",
    "Scientific notation",
    "Version number",
    "Hyphenated word part, letters and digits",
    "Hyphenated word part, all letters",
    "Hyphenated word part, all ASCII",
    "Space symbols",
    "XML tag",
    "Protocol head",
    "Hyphenated word, letters and digits",
    "Hyphenated word, all ASCII",
    "Hyphenated word, all letters",
    "URL path",
    "File or path name",
    "Decimal notation",
    "Signed integer",
    "Unsigned integer",
    "XML entity",
];

fn check_parser(name: &str) -> Result<()> {
    if matches!(name, "default" | "pg_catalog.default") {
        return Ok(());
    }
    let message = format!("text search parser \"{name}\" does not exist");
    Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message))
}

fn tokens(a: &Arguments<'_, '_>) -> Result<Value> {
    check_parser(a.text(0))?;
    let mut scanner = scan::Scanner::new(a.text(1));
    let mut rows = Vec::new();
    while let Some((kind, token)) = scanner.token() {
        a.budget().work(20 + scanner.looked)?;
        rows.push(json!([kind as u8, token]));
    }
    Ok(array::of(rows))
}

fn matches(a: &Arguments<'_, '_>, vector: &Vector, query: Option<Query>) -> Result<Value> {
    match query {
        Some(query) => truth(matching::matches(vector, &query, a.budget())?),
        None => truth(false),
    }
}

/// Appends a document: its positions follow those of the first one.
fn concatenate(a: &Arguments<'_, '_>) -> Result<Value> {
    let (mut left, right) = (vector(a, 0)?, vector(a, 1)?);
    let last = left.last_position();
    left.0.extend(right.0.into_iter().map(|mut lexeme| {
        for position in &mut lexeme.positions {
            position.at = position.at.saturating_add(last).min(tsvector::POSITION_MAX);
        }
        lexeme
    }));
    own(Vector::of(left.0).to_string())
}

fn joined(a: &Arguments<'_, '_>, join: impl Fn(Query, Query) -> Query) -> Result<Value> {
    query(match (read_query(a, 0)?, read_query(a, 1)?) {
        (Some(left), Some(right)) => checked(Some(join(left, right)))?,
        (left, right) => left.or(right),
    })
}

/// The part of a query that an index can look up; `None` if it would have to read everything.
fn searchable(query: &Query) -> Option<Query> {
    match query {
        Query::Word(_) => Some(query.clone()),
        Query::Not(_) => None,
        Query::And(parts) => parts.iter().filter_map(searchable).reduce(Query::and),
        Query::Or(parts) => {
            let parts: Option<Vec<Query>> = parts.iter().map(searchable).collect();
            parts?.into_iter().reduce(Query::or)
        }
        Query::Phrase(first, second, distance) => match (searchable(first), searchable(second)) {
            (Some(first), Some(second)) => Some(first.then(second, *distance)),
            (first, second) => first.or(second),
        },
    }
}

fn weight_of(text: &str) -> Result<u8> {
    let letter = text.chars().next().unwrap_or('\0');
    tsvector::weight(letter).ok_or_else(|| {
        SqlError::new(SqlState::INTERNAL, format!("unrecognized weight: {}", u32::from(letter)))
    })
}

fn weigh(a: &Arguments<'_, '_>, only: Option<&[String]>) -> Result<Value> {
    let weight = weight_of(a.text(1))?;
    let mut vector = vector(a, 0)?;
    for lexeme in &mut vector.0 {
        if only.is_none_or(|only| only.contains(&lexeme.text)) {
            lexeme.positions.iter_mut().for_each(|position| position.weight = weight);
        }
    }
    own(vector.to_string())
}

fn from_array(a: &Arguments<'_, '_>) -> Result<Value> {
    let items = array::elements(a.text(0));
    let lexemes = items.into_iter().map(|item| match item {
        Element::String(text) if text.is_empty() => {
            let message = "lexeme array may not contain empty strings";
            Err(SqlError::new(SqlState::new("2200F"), message))
        }
        Element::String(text) => Ok(Lexeme { text, positions: Vec::new() }),
        _ => Err(SqlError::new(SqlState::new("22004"), "lexeme array may not contain nulls")),
    });
    own(Vector::of(lexemes.collect::<Result<_>>()?).to_string())
}

fn delete(a: &Arguments<'_, '_>, gone: &[String]) -> Result<Value> {
    let mut vector = vector(a, 0)?;
    a.budget().work(vector.0.len() * gone.len() / 4)?;
    vector.0.retain(|lexeme| !gone.contains(&lexeme.text));
    own(vector.to_string())
}

/// Keeps only positions with some weights.
fn filter(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut kept = Vec::new();
    for item in texts(a, 1) {
        let letter = item.chars().next().unwrap_or('\0');
        kept.push(tsvector::weight(letter).ok_or_else(|| {
            SqlError::new(SqlState::INVALID_PARAMETER, format!("unrecognized weight: \"{letter}\""))
        })?);
    }
    let mut vector = vector(a, 0)?;
    for lexeme in &mut vector.0 {
        lexeme.positions.retain(|position| kept.contains(&position.weight));
    }
    vector.0.retain(|lexeme| !lexeme.positions.is_empty());
    own(vector.to_string())
}

fn lexemes(a: &Arguments<'_, '_>) -> Result<Value> {
    let rows = vector(a, 0)?.0.into_iter().map(|lexeme| {
        if lexeme.positions.is_empty() {
            return json!([lexeme.text, null, null]);
        }
        let positions: Vec<u16> = lexeme.positions.iter().map(|position| position.at).collect();
        let letters =
            lexeme.positions.iter().map(|position| ["D", "C", "B", "A"][usize::from(position.weight)]);
        let letters: Vec<&str> = letters.collect();
        json!([lexeme.text, json!(positions).to_string(), json!(letters).to_string()])
    });
    Ok(array::of(rows.collect()))
}

/// The headline of a text. The places are those of text, query and options.
fn headline(
    a: &Arguments<'_, '_>,
    configuration: &str,
    (text, query, options): (usize, usize, Option<usize>),
) -> Result<Value> {
    let query = read_query(a, query)?;
    let options = options.map_or("", |index| a.text(index));
    own(headline::headline(configuration, a.text(text), query.as_ref(), options, a.budget())?)
}

/// A document whose texts are their headlines. The places are those of document, query and options.
fn json_headline(
    a: &Arguments<'_, '_>,
    configuration: &str,
    (document, query, options): (usize, usize, Option<usize>),
) -> Result<Value> {
    let query = read_query(a, query)?;
    let options = options.map_or("", |index| a.text(index));
    let mut found = Json::clone(&*a.document(document)?);
    each_text(&mut found, &mut |text| {
        *text = headline::headline(configuration, text, query.as_ref(), options, a.budget())?;
        Ok(())
    })?;
    own(found.print())
}

/// Changes all texts of a document but the keys.
fn each_text(json: &mut Json, change: &mut impl FnMut(&mut String) -> Result<()>) -> Result<()> {
    match json {
        Json::String(text) => change(text),
        Json::Array(items) => items.iter_mut().try_for_each(|item| each_text(item, change)),
        Json::Object(members) => members.iter_mut().try_for_each(|(_, value)| each_text(value, change)),
        Json::Null | Json::Bool(_) | Json::Number(_) => Ok(()),
    }
}

/// The document of a headline without blanks, as `json` has it.
fn compact(document: Value) -> Result<Value> {
    match document {
        Value::Text(text) => own(Json::parse(&text)?.print_compact()),
        other => Ok(other),
    }
}

/// The document of several texts one after the other.
pub fn document_of(configuration: &str, texts: &[String], budget: &Budget) -> Result<String> {
    let mut builder = Builder::new(configuration, budget)?;
    texts.iter().try_for_each(|text| builder.text(text))?;
    Ok(builder.vector().to_string())
}

type Rank = fn([f32; 4], &Vector, &Query, Normal, &Budget) -> Result<f32>;

fn rank(a: &Arguments<'_, '_>, weights: Option<usize>, first: usize, normal: Option<usize>) -> Result<Value> {
    ranked(a, rank::rank, (weights, first, normal))
}

fn cover_rank(
    a: &Arguments<'_, '_>,
    weights: Option<usize>,
    first: usize,
    normal: Option<usize>,
) -> Result<Value> {
    ranked(a, rank::rank_by_cover, (weights, first, normal))
}

/// The rank. The places are those of the weights, of document and query, and of what the rank is divided by.
fn ranked(
    a: &Arguments<'_, '_>,
    rank: Rank,
    (weights, first, normal): (Option<usize>, usize, Option<usize>),
) -> Result<Value> {
    let weights = match weights {
        Some(index) => rank::weights(&array::elements(a.text(index)))?,
        None => rank::WEIGHTS,
    };
    let normal = Normal(normal.map_or(0, |index| a.int(index)));
    let vector = vector(a, first)?;
    let rank = match read_query(a, first + 1)? {
        Some(query) => rank(weights, &vector, &query, normal, a.budget())?,
        None => 0.0,
    };
    Ok(Value::Real(f64::from(rank)))
}

/// A query that was made of a text. The client is told if nothing is left of it.
fn asked(a: &Arguments<'_, '_>, made: Option<Query>, text: &str) -> Result<Value> {
    if made.is_none() {
        let message = match text.contains(char::is_alphanumeric) {
            true => {
                "text-search query contains only stop words or doesn't contain lexemes, ignored".to_owned()
            }
            false => format!("text-search query doesn't contain lexemes: \"{text}\""),
        };
        a.report("NOTICE", &SqlError::new(SqlState::SUCCESSFUL_COMPLETION, message));
    }
    query(made)
}

/// Whether the query in one argument names all lexemes of the one in the other.
fn contains_words(a: &Arguments<'_, '_>, whole: usize, part: usize) -> Result<bool> {
    let words = |index| -> Result<BTreeSet<String>> {
        let mut words = BTreeSet::new();
        if let Some(query) = read_query(a, index)? {
            add_words(&query, &mut words);
        }
        Ok(words)
    };
    Ok(words(part)?.is_subset(&words(whole)?))
}

fn add_words(query: &Query, words: &mut BTreeSet<String>) {
    match query {
        Query::Word(word) => drop(words.insert(word.text.clone())),
        Query::Not(inner) => add_words(inner, words),
        Query::And(parts) | Query::Or(parts) => parts.iter().for_each(|part| add_words(part, words)),
        Query::Phrase(first, second, _) => {
            add_words(first, words);
            add_words(second, words);
        }
    }
}
