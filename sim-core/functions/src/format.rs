//! `format()`, quoting, encodings and digests.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use md5::Md5;
use rusqlite::types::Value;
use sha1::Sha1;
use sha2::{Digest as _, Sha224, Sha256, Sha384, Sha512};

use super::text::own;
use super::{Arguments, Function};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::{array, print_bytea};

const T: &[Type] = &[Type::TEXT];
const B: &[Type] = &[Type::BYTEA];

/// Words that need quotes as a name.
const RESERVED: &str = " all analyse analyze and any array as asc asymmetric authorization between bigint binary bit \
    boolean both case cast char character check coalesce collate collation column concurrently constraint create cross \
    current_catalog current_date current_role current_schema current_time current_timestamp current_user dec decimal \
    default deferrable desc distinct do else end except exists extract false fetch float for foreign freeze from full \
    grant greatest group grouping having ilike in initially inner inout int integer intersect interval into is isnull \
    join lateral leading least left like limit localtime localtimestamp national natural nchar none normalize not \
    notnull null nullif numeric offset on only or order out outer overlaps overlay placing position precision primary \
    real references returning right row select session_user setof similar smallint some substring symmetric table \
    tablesample then time timestamp to trailing treat trim true union unique user using values varchar variadic \
    verbose when where window with xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi \
    xmlroot xmlserialize xmltable ";

/// The length of a line of `base64` text, in characters.
const BASE64_LINE: usize = 76;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("quote_ident", T, Type::TEXT, |a| own(quote_ident(a.text(0)))),
    Function::rust("quote_literal", &[Type::AS_TEXT], Type::TEXT, |a| own(quote_literal(a.text(0)))),
    Function::rust("quote_nullable", &[Type::AS_TEXT], Type::TEXT, quote_nullable).nullable(),
    Function::rust("num_nulls", &[Type::ANY], Type::INT4, |a| Ok(counted(a, true))).nullable().variadic(),
    Function::rust("num_nonnulls", &[Type::ANY], Type::INT4, |a| Ok(counted(a, false))).nullable().variadic(),
    Function::rust("format", &[Type::TEXT, Type::AS_OUTPUT], Type::TEXT, format_text).nullable().variadic(),
    Function::rust("Format_array", &[Type::TEXT, Type(1009)], Type::TEXT, format_array).nullable(),
    Function::rust("parse_ident", &[Type::TEXT, Type::BOOL], Type(1009), parse_ident).optional(1),
    Function::rust("md5", T, Type::TEXT, |a| own(hex(&Md5::digest(a.bytes(0))))),
    Function::rust("md5", B, Type::TEXT, |a| own(hex(&Md5::digest(a.bytes(0))))),
    Function::rust("sha224", B, Type::BYTEA, |a| bytes(&Sha224::digest(a.bytes(0)))),
    Function::rust("sha256", B, Type::BYTEA, |a| bytes(&Sha256::digest(a.bytes(0)))),
    Function::rust("sha384", B, Type::BYTEA, |a| bytes(&Sha384::digest(a.bytes(0)))),
    Function::rust("sha512", B, Type::BYTEA, |a| bytes(&Sha512::digest(a.bytes(0)))),
    Function::rust("digest", &[Type::TEXT, Type::TEXT], Type::BYTEA, digest),
    Function::rust("digest", &[Type::BYTEA, Type::TEXT], Type::BYTEA, digest),
    Function::rust("encode", &[Type::BYTEA, Type::TEXT], Type::TEXT, encode),
    Function::rust("decode", &[Type::TEXT, Type::TEXT], Type::BYTEA, decode),
    Function::rust("bit_count", B, Type::INT8, |a| {
        Ok(Value::Integer(a.bytes(0).iter().map(|byte| i64::from(byte.count_ones())).sum()))
    }),
    Function::rust("||", &[Type::BYTEA, Type::BYTEA], Type::BYTEA, |a| {
        bytes(&[a.bytes(0), a.bytes(1)].concat())
    }),
];

fn bytes(value: &[u8]) -> Result<Value> {
    Ok(Value::Blob(value.to_vec()))
}

fn hex(bytes: &[u8]) -> String {
    print_bytea(bytes)[2..].to_owned()
}

/// Quotes a name for a statement if necessary.
pub(crate) fn quote_ident(name: &str) -> String {
    let plain = name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        && !RESERVED.contains(&format!(" {name} "));
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

/// Quotes a text for a statement.
pub(crate) fn quote_literal(text: &str) -> String {
    let doubled = text.replace('\'', "''");
    if text.contains('\\') { format!("E'{}'", doubled.replace('\\', "\\\\")) } else { format!("'{doubled}'") }
}

fn counted(a: &Arguments<'_, '_>, null: bool) -> Value {
    let count = (0..a.len()).filter(|index| a.is_null(*index) == null).count();
    Value::Integer(i64::try_from(count).unwrap_or(i64::MAX))
}

fn quote_nullable(a: &Arguments<'_, '_>) -> Result<Value> {
    own(if a.is_null(0) { "NULL".to_owned() } else { quote_literal(a.text(0)) })
}

fn format_text(a: &Arguments<'_, '_>) -> Result<Value> {
    let values = (1..a.len()).map(|index| (!a.is_null(index)).then(|| a.text(index).to_owned()));
    format_values(a, &values.collect::<Vec<_>>())
}

/// `format` with its values in an array of texts.
fn format_array(a: &Arguments<'_, '_>) -> Result<Value> {
    let items = if a.is_null(1) { Vec::new() } else { array::elements(a.text(1)) };
    let values = items.into_iter().map(|item| match item {
        serde_json::Value::Null => None,
        serde_json::Value::String(text) => Some(text),
        other => Some(other.to_string()),
    });
    format_values(a, &values.collect::<Vec<_>>())
}

fn format_values(a: &Arguments<'_, '_>, values: &[Option<String>]) -> Result<Value> {
    if a.is_null(0) {
        return Ok(Value::Null);
    }
    let mut result = String::new();
    let mut rest = a.text(0);
    let mut next = 1;
    while let Some(at) = rest.find('%') {
        result.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(tail) = rest.strip_prefix('%') {
            result.push('%');
            rest = tail;
            continue;
        }
        let specifier = Specifier::read(&mut rest, values, &mut next)?;
        result.push_str(&specifier.print(values)?);
        if result.len() > super::LENGTH_MAX {
            break;
        }
    }
    own(result + rest)
}

/// `%[position$][flags][width]type`
struct Specifier {
    argument: usize,
    left: bool,
    width: usize,
    kind: char,
}

impl Specifier {
    fn read(rest: &mut &str, values: &[Option<String>], next: &mut usize) -> Result<Specifier> {
        let position = match number(rest) {
            Some((position, tail)) if tail.starts_with('$') => {
                *rest = &tail[1..];
                Some(position)
            }
            _ => None,
        };
        if position == Some(0) {
            let message = "format specifies argument 0, but arguments are numbered from 1";
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
        }
        let mut left = rest.starts_with('-');
        *rest = rest.trim_start_matches('-');
        let mut width = 0;
        if let Some((digits, tail)) = number(rest) {
            (width, *rest) = (digits, tail);
        } else if let Some(tail) = rest.strip_prefix('*') {
            *rest = tail;
            let given = values.get(*next - 1).and_then(|value| value.as_deref()?.parse().ok());
            let given: i64 = given.unwrap_or(0);
            *next += 1;
            left |= given < 0;
            width = given.unsigned_abs() as usize;
        }
        let Some(kind) = rest.chars().next() else {
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, "unterminated format() type specifier")
                .hint("For a single \"%\" use \"%%\"."));
        };
        *rest = &rest[kind.len_utf8()..];
        let argument = position.unwrap_or(*next);
        *next = argument + 1;
        if width > super::LENGTH_MAX {
            return Err(super::text::too_long());
        }
        Ok(Specifier { argument, left, width, kind })
    }

    fn print(&self, values: &[Option<String>]) -> Result<String> {
        let Specifier { argument, kind, .. } = *self;
        if !matches!(kind, 's' | 'I' | 'L') {
            let message = format!("unrecognized format() type specifier \"{kind}\"");
            return Err(
                SqlError::new(SqlState::INVALID_PARAMETER, message).hint("For a single \"%\" use \"%%\".")
            );
        }
        let Some(value) = values.get(argument - 1) else {
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, "too few arguments for format()"));
        };
        let text = match (kind, value) {
            ('s', value) => value.clone().unwrap_or_default(),
            ('L', None) => "NULL".to_owned(),
            ('L', Some(value)) => quote_literal(value),
            (_, Some(value)) => quote_ident(value),
            (_, None) => {
                let message = "null values cannot be formatted as an SQL identifier";
                return Err(SqlError::new(SqlState::new("22004"), message));
            }
        };
        let padding = " ".repeat(self.width.saturating_sub(text.chars().count()));
        Ok(if self.left { text + &padding } else { padding + &text })
    }
}

/// The number at the beginning of `text`, and the rest.
fn number(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

fn parse_ident(a: &Arguments<'_, '_>) -> Result<Value> {
    let (text, strict) = (a.text(0), a.is_null(1) || a.bool(1));
    let invalid = || {
        let message = format!("string is not a valid identifier: \"{text}\"");
        SqlError::new(SqlState::INVALID_PARAMETER, message)
    };
    let mut parts = Vec::new();
    let mut rest = text.trim();
    loop {
        if let Some(tail) = rest.strip_prefix('"') {
            let (part, tail) =
                quoted(tail).ok_or_else(|| invalid().detail("String has unclosed double quotes."))?;
            if part.is_empty() {
                return Err(invalid().detail("Quoted identifier must not be empty."));
            }
            parts.push(part);
            rest = tail.trim_start();
        } else {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || !c.is_ascii() || "_$".contains(c)));
            let end = end.unwrap_or(rest.len());
            if end == 0 || rest.starts_with(|c: char| c.is_ascii_digit() || c == '$') {
                return Err(match (rest.starts_with('.'), parts.is_empty()) {
                    (true, _) => invalid().detail("No valid identifier before \".\"."),
                    (false, false) => invalid().detail("No valid identifier after \".\"."),
                    (false, true) => invalid(),
                });
            }
            parts.push(rest[..end].to_ascii_lowercase());
            rest = rest[end..].trim_start();
        }
        match rest.strip_prefix('.') {
            Some(tail) => rest = tail.trim_start(),
            None if rest.is_empty() || !strict => break,
            None => return Err(invalid()),
        }
    }
    Ok(array::of(parts.into_iter().map(Into::into).collect()))
}

/// The text up to the closing quote, in which two quotes are one, and what follows.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut part = String::new();
    let mut rest = text;
    loop {
        let end = rest.find('"')?;
        part.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('"') {
            Some(tail) => rest = tail,
            None => return Some((part, rest)),
        }
        part.push('"');
    }
}

fn digest(a: &Arguments<'_, '_>) -> Result<Value> {
    let (data, algorithm) = (a.bytes(0), a.text(1));
    match algorithm.to_ascii_lowercase().as_str() {
        "md5" => bytes(&Md5::digest(data)),
        "sha224" => bytes(&Sha224::digest(data)),
        "sha256" => bytes(&Sha256::digest(data)),
        "sha384" => bytes(&Sha384::digest(data)),
        "sha512" => bytes(&Sha512::digest(data)),
        "sha1" => bytes(&Sha1::digest(data)),
        _ => Err(SqlError::new(
            SqlState::INVALID_PARAMETER,
            format!("Cannot use \"{algorithm}\": No such hash algorithm"),
        )),
    }
}

fn encode(a: &Arguments<'_, '_>) -> Result<Value> {
    let (data, format) = (a.bytes(0), a.text(1));
    match format.to_ascii_lowercase().as_str() {
        "hex" => own(hex(data)),
        "base64" => {
            let text = STANDARD.encode(data);
            let lines: Vec<&str> = (0..text.len())
                .step_by(BASE64_LINE)
                .map(|at| &text[at..text.len().min(at + BASE64_LINE)])
                .collect();
            own(lines.join("\n"))
        }
        "escape" => own(data.iter().map(|byte| escaped(*byte)).collect()),
        _ => Err(unknown_encoding(format)),
    }
}

fn escaped(byte: u8) -> String {
    match byte {
        b'\\' => "\\\\".to_owned(),
        0 | 128.. => format!("\\{byte:03o}"),
        _ => char::from(byte).to_string(),
    }
}

fn decode(a: &Arguments<'_, '_>) -> Result<Value> {
    let (text, format) = (a.text(0), a.text(1));
    let refuse = |message: String| Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
    let compact: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    match format.to_ascii_lowercase().as_str() {
        "hex" => Ok(Value::Blob(sim_values::value::parse_hex(text)?)),
        "base64" => {
            let known = |c: char| c.is_ascii_alphanumeric() || "+/=".contains(c);
            if let Some(symbol) = compact.chars().find(|c| !known(*c)) {
                let message = format!("invalid symbol \"{symbol}\" found while decoding base64 sequence");
                return refuse(message);
            }
            match STANDARD.decode(&compact) {
                Ok(decoded) => Ok(Value::Blob(decoded)),
                Err(_) => Err(SqlError::new(SqlState::INVALID_PARAMETER, "invalid base64 end sequence")
                    .hint("Input data is missing padding, is truncated, or is otherwise corrupted.")),
            }
        }
        "escape" => sim_values::value::parse(Type::BYTEA, text),
        _ => Err(unknown_encoding(format)),
    }
}

fn unknown_encoding(format: &str) -> SqlError {
    SqlError::new(SqlState::INVALID_PARAMETER, format!("unrecognized encoding: \"{format}\""))
}
