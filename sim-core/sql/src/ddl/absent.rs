//! `DROP` of kinds of objects that no database of ours has: that they are not there is all that there is to say.

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use super::drop::as_parsed;
use super::operator::operator_name;
use crate::catalog::Oid;
use crate::error::{Result, SqlError, SqlState};
use crate::notice::is_missing;
use crate::run::{Done, Engine};

/// A kind of object: its words, and whether a name of the kind is one that every database has.
struct Kind {
    words: &'static str,
    is_there: fn(&str) -> bool,
}

const KINDS: [Kind; 5] = [
    Kind { words: "conversion", is_there: |name| name.contains("_to_") },
    Kind { words: "language", is_there: |name| ["internal", "c", "sql", "plpgsql"].contains(&name) },
    Kind {
        words: "access method",
        is_there: |name| {
            ["heap", "btree", "hash", "gist", "gin", "spgist", "brin", "hnsw", "ivfflat", "bloom"]
                .contains(&name)
        },
    },
    Kind { words: "subscription", is_there: |_| false },
    Kind { words: "tablespace", is_there: |name| name.starts_with("pg_") },
];

const OF_TEXT_SEARCH: [Kind; 3] = [
    Kind {
        words: "dictionary",
        is_there: |name| name == "simple" || name == "unaccent" || name.ends_with("_stem"),
    },
    Kind { words: "parser", is_there: |name| name == "default" },
    Kind {
        words: "template",
        is_there: |name| ["simple", "synonym", "ispell", "thesaurus", "snowball", "unaccent"].contains(&name),
    },
];

impl Engine<'_> {
    /// After `DROP`, where no other kind has matched.
    pub(super) fn drop_absent(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        if let Some(kind) = KINDS.iter().find(|kind| cursor.words(kind.words)) {
            return self.drop_named(cursor, kind, kind.words);
        }
        if cursor.word("operator") {
            return match ["class", "family"].into_iter().find(|word| cursor.word(word)) {
                Some(word) => self.drop_operators_of_method(cursor, word),
                None => self.drop_operator(cursor),
            };
        }
        if cursor.word("transform") {
            return self.drop_transform(cursor);
        }
        Err(unsupported(&cursor.ident()?))
    }

    /// After `DROP TEXT SEARCH`.
    pub(super) fn drop_absent_of_text_search(&self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let Some(kind) = OF_TEXT_SEARCH.iter().find(|kind| cursor.word(kind.words)) else {
            return Err(unsupported(&format!("text search {}", cursor.ident()?)));
        };
        self.drop_named(cursor, kind, &format!("text search {}", kind.words))
    }

    fn drop_named(&self, cursor: &mut Cursor<'_>, kind: &Kind, words: &str) -> Result<Done> {
        let if_exists = cursor.words("if exists");
        for (schema, name) in cursor.list(Cursor::name)? {
            if (kind.is_there)(&name) {
                return Err(unsupported(words));
            }
            let shown = schema.as_ref().map_or_else(|| name.clone(), |schema| format!("{schema}.{name}"));
            let missing = match (schema, if_exists) {
                (Some(schema), _) if self.catalog.schema_named(&schema).is_none() => no_schema(&schema),
                _ => absent(format!("{words} \"{shown}\" does not exist")),
            };
            self.skip(if_exists, missing)?;
        }
        self.dropped(cursor, words)
    }

    fn drop_operators_of_method(&self, cursor: &mut Cursor<'_>, word: &str) -> Result<Done> {
        let words = format!("operator {word}");
        let if_exists = cursor.words("if exists");
        let (schema, name) = cursor.name()?;
        cursor.expect_word("using")?;
        let method = cursor.ident()?;
        if name.ends_with("_ops") && schema.as_deref().is_none_or(|schema| schema == "pg_catalog") {
            return Err(unsupported(&words));
        }
        let shown = schema.as_ref().map_or_else(|| name.clone(), |schema| format!("{schema}.{name}"));
        let missing = match schema {
            Some(schema) if self.catalog.schema_named(&schema).is_none() => no_schema(&schema),
            _ => absent(format!("{words} \"{shown}\" does not exist for access method \"{method}\"")),
        };
        self.skip(if_exists, missing)?;
        self.dropped(cursor, &words)
    }

    fn drop_operator(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_exists = cursor.words("if exists");
        self.drop_listed_as(cursor, if_exists, |engine, cursor| engine.operator_named(cursor, if_exists))?;
        Ok(Done::command("DROP OPERATOR"))
    }

    /// An operator of the project's by symbol and types, or the error that there is none.
    pub(super) fn operator_named(
        &mut self,
        cursor: &mut Cursor<'_>,
        if_exists: bool,
    ) -> Result<std::result::Result<Oid, SqlError>> {
        let (written, schema, symbol) = operator_name(cursor);
        cursor.expect(&Token::LParen)?;
        let mut types = Vec::new();
        let mut operands = Vec::new();
        let mut unknown = None;
        loop {
            if cursor.word("none") {
                operands.push(None);
                types.push("NONE".to_owned());
            } else {
                let start = cursor.at;
                match self.type_of(cursor) {
                    Ok(type_) => {
                        operands.push(Some(type_.base));
                        types.push(self.catalog.type_name(type_.base, -1));
                    }
                    Err(error) if if_exists && is_missing(error.code) => {
                        cursor.at = start;
                        cursor.name()?;
                        unknown = unknown.or_else(|| Some(error.nowhere()));
                    }
                    Err(error) => return Err(error),
                }
            }
            if !cursor.token(&Token::Comma) {
                break;
            }
        }
        cursor.expect(&Token::RParen)?;
        if let [left, Some(right)] = operands[..]
            && let Some(oid) = self.own_operator(schema.as_deref(), &symbol, left, right)
        {
            return Ok(Ok(oid));
        }
        let of_system = unknown.is_none() && operands.iter().flatten().all(|type_| !type_.is_user());
        if of_system && self.knows_operator(&symbol) {
            return Err(unsupported("operator"));
        }
        let no_operator = |shown: String| SqlError::new(SqlState::UNDEFINED_FUNCTION, shown);
        Ok(Err(match (schema, unknown, &types[..]) {
            (Some(schema), ..) if self.catalog.schema_named(&schema).is_none() => no_schema(&schema),
            (_, Some(unknown), _) => unknown,
            (schema, None, _) if if_exists => {
                let shown = schema.map_or_else(|| symbol.clone(), |schema| format!("{schema}.{symbol}"));
                no_operator(format!("operator {shown} does not exist"))
            }
            (_, _, [left, right]) if left == "NONE" => {
                no_operator(format!("operator does not exist: {written} {right}"))
            }
            (_, _, types) => {
                no_operator(format!("operator does not exist: {}", types.join(&format!(" {written} "))))
            }
        }))
    }

    fn knows_operator(&self, symbol: &str) -> bool {
        const OTHERS: [&str; 12] = ["=", "<>", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "%"];
        OTHERS.contains(&symbol)
            || !crate::functions::overloads(symbol).is_empty()
            || crate::bind::known::is_operator(symbol)
    }

    fn drop_transform(&self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_exists = cursor.words("if exists");
        cursor.expect_word("for")?;
        let from = cursor.at;
        let type_ = self.type_of(cursor)?;
        let written = cursor.text(from, cursor.at);
        cursor.expect_word("language")?;
        let language = cursor.ident()?;
        let shown = if if_exists { as_parsed(&written) } else { self.catalog.type_name(type_.base, -1) };
        let message = format!("transform for type {shown} language \"{language}\" does not exist");
        self.skip(if_exists, absent(message))?;
        self.dropped(cursor, "transform")
    }

    fn dropped(&self, cursor: &mut Cursor<'_>, words: &str) -> Result<Done> {
        let _ = cursor.word("cascade") || cursor.word("restrict");
        cursor.finish()?;
        Ok(Done::command(format!("DROP {}", words.to_uppercase())))
    }
}

fn absent(message: String) -> SqlError {
    SqlError::new(SqlState::UNDEFINED_OBJECT, message)
}

fn no_schema(schema: &str) -> SqlError {
    SqlError::new(SqlState::INVALID_SCHEMA, format!("schema \"{schema}\" does not exist"))
}

fn unsupported(words: &str) -> SqlError {
    SqlError::unsupported(format!("DROP {}", words.to_uppercase()))
}
