//! The options of `EXPLAIN`.

use sqlparser::tokenizer::Token;

use crate::ddl::cursor::Cursor;
use crate::error::{Result, SqlError, SqlState};

/// The options of an `EXPLAIN`.
pub(super) struct Options {
    pub(super) analyze: bool,
    pub(super) costs: bool,
    pub(super) summary: Option<bool>,
    pub(super) timing: bool,
    pub(super) format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Json,
}

pub(super) fn options(cursor: &mut Cursor<'_>) -> Result<Options> {
    let mut options =
        Options { analyze: false, costs: true, summary: None, timing: true, format: Format::Text };
    let bracket = cursor.peek().is_some_and(|token| token.token == Token::LParen);
    let nested = cursor.is_at(1, "select") || cursor.is_at(1, "values") || cursor.is_at(1, "with");
    if !bracket || nested {
        options.analyze = cursor.word("analyze") || cursor.word("analyse");
        cursor.word("verbose");
        return Ok(options);
    }
    cursor.expect(&Token::LParen)?;
    loop {
        let option = cursor.ident()?;
        if option == "format" {
            let format = cursor.ident()?;
            options.format = match format.as_str() {
                "text" => Format::Text,
                "json" => Format::Json,
                "xml" | "yaml" => return Err(SqlError::unsupported(format!("EXPLAIN with format {format}"))),
                other => {
                    let message = format!("unrecognized value for EXPLAIN option \"format\": \"{other}\"");
                    return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
                }
            };
        } else {
            let ends = cursor.peek().is_none_or(|token| matches!(token.token, Token::Comma | Token::RParen));
            let value = cursor.peek().map(|token| token.token.to_string().to_lowercase());
            let on = ends || matches!(value.as_deref(), Some("on" | "true" | "1" | "'on'" | "'true'"));
            cursor.at += usize::from(!ends);
            match option.as_str() {
                "analyze" | "analyse" => options.analyze = on,
                "costs" => options.costs = on,
                "summary" => options.summary = Some(on),
                "timing" => options.timing = on,
                "verbose" | "settings" | "buffers" | "wal" => {}
                other => {
                    let message = format!("unrecognized EXPLAIN option \"{other}\"");
                    return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
                }
            }
        }
        if !cursor.token(&Token::Comma) {
            break;
        }
    }
    cursor.expect(&Token::RParen)?;
    Ok(options)
}
