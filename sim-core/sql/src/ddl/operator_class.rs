//! The operator classes that indexes and partition keys name.

use std::str::FromStr;

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use crate::catalog::{Index, Relation, quote_identifier};
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;
use crate::system::{Fit, fit_of_class};
use crate::types::Type;

/// An operator class as written.
pub(super) struct WrittenClass {
    schema: Option<String>,
    name: String,
    /// Its options as PostgreSQL shows them.
    options: Option<String>,
}

/// What has a class.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum ClassOf {
    Index,
    Partition,
}

impl WrittenClass {
    pub(super) fn named(name: &str) -> WrittenClass {
        WrittenClass { schema: None, name: name.to_owned(), options: None }
    }

    /// The name of an operator class, with its options.
    pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<WrittenClass> {
        let (schema, name) = cursor.name()?;
        let options = if cursor.token(&Token::LParen) { Some(options(cursor, &name)?) } else { None };
        Ok(WrittenClass { schema, name, options })
    }
}

impl Engine<'_> {
    /// The class of a key of an index as the catalog has it: none where it is the default one of the type.
    pub(super) fn class_of_key(
        &self,
        class: Option<&WrittenClass>,
        type_: Type,
        method: &str,
    ) -> Result<Option<String>> {
        let is_default = self.fit_class(class, type_, (ClassOf::Index, method))?;
        Ok(class.and_then(|class| match &class.options {
            Some(options) => Some(format!("{} ({options})", class.name)),
            None => (!is_default).then(|| class.name.clone()),
        }))
    }

    /// Refuses an index whose keys have types that their classes don't take.
    pub(super) fn check_classes(&self, relation: &Relation, index: &Index) -> Result<()> {
        index.keys.iter().try_for_each(|key| {
            let type_ = self.binder().key_of_index(relation, key).1.base;
            let class = key.class_name().map(WrittenClass::named);
            self.fit_class(class.as_ref(), type_, (ClassOf::Index, &index.method)).map(drop)
        })
    }

    /// Whether the class is the default one of the type. It is refused if it is not there or doesn't take the type.
    pub(super) fn fit_class(
        &self,
        class: Option<&WrittenClass>,
        type_: Type,
        (of, method): (ClassOf, &str),
    ) -> Result<bool> {
        let schema = match class.and_then(|class| class.schema.as_ref()) {
            Some(schema) => Some(self.catalog.schema_named(schema).ok_or_else(|| {
                SqlError::new(SqlState::INVALID_SCHEMA, format!("schema \"{schema}\" does not exist"))
            })?),
            None => None,
        };
        let name = class.map(|class| class.name.as_str());
        let shown = class.map_or_else(String::new, |class| match &class.schema {
            Some(schema) => format!("{schema}.{}", class.name),
            None => class.name.clone(),
        });
        let of_key = || self.catalog.type_name(type_, -1);
        Err(match fit_of_class(&self.catalog, method, (schema, name), type_) {
            Fit::Default => return Ok(true),
            Fit::Other => return Ok(false),
            Fit::Unknown => {
                let message =
                    format!("operator class \"{shown}\" does not exist for access method \"{method}\"");
                SqlError::new(SqlState::UNDEFINED_OBJECT, message)
            }
            Fit::Unfit => {
                let message = format!("operator class \"{shown}\" does not accept data type {}", of_key());
                SqlError::new(SqlState::DATATYPE_MISMATCH, message)
            }
            Fit::NoDefault => {
                let message = format!(
                    "data type {} has no default operator class for access method \"{method}\"",
                    of_key()
                );
                let (one, default) = match of {
                    ClassOf::Index => ("an operator class for the index".to_owned(), String::new()),
                    ClassOf::Partition => (format!("a {method} operator class"), format!("{method} ")),
                };
                let hint = format!(
                    "You must specify {one} or define a default {default}operator class for the data type."
                );
                SqlError::new(SqlState::UNDEFINED_OBJECT, message).hint(hint)
            }
        })
    }
}

/// The options of a class, after the parenthesis.
fn options(cursor: &mut Cursor<'_>, class: &str) -> Result<String> {
    let mut seen: Vec<String> = Vec::new();
    let options = cursor.list(|cursor| {
        let name = cursor.ident()?;
        cursor.expect(&Token::Eq)?;
        if seen.contains(&name) {
            let message = format!("parameter \"{name}\" specified more than once");
            return Err(SqlError::new(SqlState::new("22023"), message));
        }
        seen.push(name.clone());
        let value = value(cursor)?;
        match option(class, &name)? {
            Bounds::Integer(least, most) => {
                check_bounds("integer", &name, &value, [least, most], &|n| n.to_string())?;
            }
            Bounds::Float(least, most) => {
                check_bounds("floating point", &name, &value, [least, most], &|n| format!("{n:.6}"))?;
            }
        }
        Ok(format!("{name}='{value}'"))
    })?;
    cursor.expect(&Token::RParen)?;
    Ok(options.join(", "))
}

fn value(cursor: &mut Cursor<'_>) -> Result<String> {
    let minus = if cursor.token(&Token::Minus) { "-" } else { "" };
    match cursor.peek().map(|token| &token.token) {
        Some(Token::SingleQuotedString(_)) => cursor.string(),
        Some(Token::Number(number, _)) => {
            cursor.at += 1;
            Ok(format!("{minus}{number}"))
        }
        _ => cursor.ident(),
    }
}

fn check_bounds<T: FromStr + PartialOrd>(
    kind: &str,
    name: &str,
    value: &str,
    [least, most]: [T; 2],
    shown: &dyn Fn(&T) -> String,
) -> Result<()> {
    let refused = |message: String| SqlError::new(SqlState::new("22023"), message);
    let number: T =
        value.parse().map_err(|_| refused(format!("invalid value for {kind} option \"{name}\": {value}")))?;
    if number >= least && number <= most {
        return Ok(());
    }
    let detail = format!("Valid values are between \"{}\" and \"{}\".", shown(&least), shown(&most));
    Err(refused(format!("value {value} out of bounds for option \"{name}\"")).detail(detail))
}

/// The values that an option can have.
enum Bounds {
    Integer(i64, i64),
    Float(f64, f64),
}

fn option(class: &str, name: &str) -> Result<Bounds> {
    const SIGNED: [&str; 6] = [
        "gist_trgm_ops",
        "tsvector_ops",
        "gist_ltree_ops",
        "gist_hstore_ops",
        "gist__ltree_ops",
        "gist__intbig_ops",
    ];
    let (bloom, several) = (class.ends_with("_bloom_ops"), class.ends_with("_minmax_multi_ops"));
    Ok(match name {
        "siglen" if SIGNED.contains(&class) => Bounds::Integer(1, 2024),
        "numranges" if class == "gist__int_ops" => Bounds::Integer(1, 252),
        "values_per_range" if several => Bounds::Integer(8, 256),
        "n_distinct_per_range" if bloom => Bounds::Float(-1.0, 2_147_483_647.0),
        "false_positive_rate" if bloom => Bounds::Float(0.0001, 0.25),
        _ => {
            let has_options = SIGNED.contains(&class) || class == "gist__int_ops" || bloom || several;
            let message = match has_options {
                true => format!("unrecognized parameter \"{name}\""),
                false => format!("operator class {} has no options", quote_identifier(class)),
            };
            return Err(SqlError::new(SqlState::new("22023"), message));
        }
    })
}
