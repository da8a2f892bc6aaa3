//! The warehouse's dialect for the parser: its own, with operators that move bits.

use std::any::TypeId;

use sqlparser::ast::Statement;
use sqlparser::dialect::{BigQueryDialect, Dialect};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::Token;

/// The parser's dialect and what it lacks.
#[derive(Debug)]
pub(super) struct WarehouseDialect;

/// Below a sum, above `&`.
const SHIFT: u8 = 26;

/// Below `&`, above `|`.
const XOR: u8 = 22;

const INNER: BigQueryDialect = BigQueryDialect;

impl Dialect for WarehouseDialect {
    // The parser asks for the dialect by its type.
    fn dialect(&self) -> TypeId {
        TypeId::of::<BigQueryDialect>()
    }

    fn supports_bitwise_shift_operators(&self) -> bool {
        true
    }

    fn get_next_precedence(&self, parser: &Parser<'_>) -> Option<Result<u8, ParserError>> {
        match parser.peek_token_ref().token {
            Token::ShiftLeft | Token::ShiftRight => Some(Ok(SHIFT)),
            Token::Caret => Some(Ok(XOR)),
            _ => None,
        }
    }

    fn parse_statement(&self, parser: &mut Parser<'_>) -> Option<Result<Statement, ParserError>> {
        INNER.parse_statement(parser)
    }

    fn is_delimited_identifier_start(&self, sign: char) -> bool {
        INNER.is_delimited_identifier_start(sign)
    }

    fn identifier_quote_style(&self, identifier: &str) -> Option<char> {
        INNER.identifier_quote_style(identifier)
    }

    fn is_identifier_start(&self, sign: char) -> bool {
        INNER.is_identifier_start(sign)
    }

    fn is_identifier_part(&self, sign: char) -> bool {
        INNER.is_identifier_part(sign)
    }

    fn is_column_alias(&self, keyword: &Keyword, parser: &mut Parser<'_>) -> bool {
        INNER.is_column_alias(keyword, parser)
    }

    fn supports_projection_trailing_commas(&self) -> bool {
        true
    }

    fn supports_column_definition_trailing_commas(&self) -> bool {
        true
    }

    fn supports_triple_quoted_string(&self) -> bool {
        true
    }

    fn supports_window_function_null_treatment_arg(&self) -> bool {
        true
    }

    fn supports_string_literal_backslash_escape(&self) -> bool {
        true
    }

    fn supports_window_clause_named_window_reference(&self) -> bool {
        true
    }

    fn supports_parenthesized_set_variables(&self) -> bool {
        true
    }

    fn supports_select_wildcard_except(&self) -> bool {
        true
    }

    fn require_interval_qualifier(&self) -> bool {
        true
    }

    fn supports_struct_literal(&self) -> bool {
        true
    }

    fn supports_select_expr_star(&self) -> bool {
        true
    }

    fn supports_from_first_select(&self) -> bool {
        true
    }

    fn supports_execute_immediate(&self) -> bool {
        true
    }

    fn supports_table_versioning(&self) -> bool {
        true
    }

    fn supports_group_by_expr(&self) -> bool {
        true
    }

    fn supports_lambda_functions(&self) -> bool {
        true
    }

    fn supports_pipe_operator(&self) -> bool {
        true
    }

    fn supports_create_table_multi_schema_info_sources(&self) -> bool {
        true
    }

    fn supports_select_wildcard_replace(&self) -> bool {
        true
    }

    fn supports_comma_separated_trim(&self) -> bool {
        true
    }
}
