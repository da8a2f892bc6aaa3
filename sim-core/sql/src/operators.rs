//! Operators as PostgreSQL reads them: each is the longest run of their characters, with or without a schema, and any of them may
//! stand before its only operand.

use sqlparser::ast;
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan, Tokenizer};

use super::source::is_word;

/// The characters of operators.
const CHARACTERS: &str = "+-*/<>=~!@#%^&|`?";

/// Of these an operator has one that ends in `+` or `-`.
const SIGNED: &str = "~!@#%^&|`?";

/// Stands in for the left operand of an operator that the parser knows between two operands only.
const NOTHING: &str = "\u{6}";

/// Words after which an operand begins.
const BEFORE_OPERANDS: [&str; 14] = [
    "and",
    "or",
    "not",
    "where",
    "when",
    "then",
    "else",
    "select",
    "on",
    "by",
    "having",
    "case",
    "return",
    "returning",
];

/// Joins what is one operator, separates the signs after others, and marks those before their only operand.
pub(crate) fn read(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    // Most texts have none of these.
    if !(0..tokens.len()).any(|at| may_be_changed(&tokens[at..])) {
        return tokens;
    }
    let mut out: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let length = run(&tokens[at..]);
        let operator = match &tokens[at].token {
            Token::CustomBinaryOperator(_) => true,
            _ => length > 1,
        };
        if operator {
            let first = out.len();
            out.extend(parts(&tokens[at..at + length]));
            let unknown = matches!(out[first].token, Token::CustomBinaryOperator(_));
            if unknown && begins_operand(&out[..first]) {
                out.insert(first, nothing(out[first].span));
            }
        } else {
            if is_word(&tokens[at], "operator") && is_qualified(&tokens[at..]) && begins_operand(&out) {
                out.push(nothing(tokens[at].span));
            }
            out.push(tokens[at].clone());
        }
        at += length.max(1);
    }
    out
}

/// Whether an operator begins here that the parser would read in another way.
fn may_be_changed(tokens: &[TokenWithSpan]) -> bool {
    match &tokens[0].token {
        Token::CustomBinaryOperator(_) => true,
        Token::Word(_) => is_word(&tokens[0], "operator"),
        _ => run(tokens) > 1,
    }
}

/// Whether the left operand is none: the operator has only the other one.
pub(crate) fn is_nothing(left: &ast::Expr) -> bool {
    matches!(left, ast::Expr::Identifier(ident) if ident.value == NOTHING)
}

/// The schema that an operator is written with.
pub(crate) fn schema(operator: &ast::BinaryOperator) -> Option<&str> {
    match operator {
        ast::BinaryOperator::PGCustomBinaryOperator(parts) if parts.len() > 1 => {
            Some(parts[parts.len() - 2].trim_matches('"'))
        }
        _ => None,
    }
}

fn nothing(span: Span) -> TokenWithSpan {
    TokenWithSpan { token: Token::make_word(NOTHING, Some('"')), span: Span { end: span.start, ..span } }
}

/// The number of tokens that follow one another without a gap and are made of the characters of operators.
fn run(tokens: &[TokenWithSpan]) -> usize {
    let adjacent = |at: usize| at == 0 || tokens[at - 1].span.end == tokens[at].span.start;
    (0..tokens.len()).take_while(|at| adjacent(*at) && is_operator(&tokens[*at].token)).count()
}

fn is_operator(token: &Token) -> bool {
    match token {
        Token::Word(_)
        | Token::Whitespace(_)
        | Token::Number(..)
        | Token::SingleQuotedString(_)
        | Token::Comma
        | Token::Period
        | Token::LParen
        | Token::RParen
        | Token::LBracket
        | Token::RBracket
        | Token::SemiColon
        | Token::Placeholder(_)
        | Token::EOF => false,
        Token::Plus | Token::Minus | Token::Mul | Token::Eq | Token::CustomBinaryOperator(_) => true,
        token => {
            let text = token.to_string();
            !text.is_empty() && text.chars().all(|c| CHARACTERS.contains(c))
        }
    }
}

/// The tokens as which PostgreSQL reads a run of tokens.
fn parts(run: &[TokenWithSpan]) -> Vec<TokenWithSpan> {
    let whole: String = run.iter().map(|token| token.token.to_string()).collect();
    let bare = match whole.contains(|c| SIGNED.contains(c)) {
        true => &whole[..],
        // Of signs alone, the first one is an operator.
        false => match whole.trim_end_matches(['-', '+']) {
            "" => &whole[..1],
            bare => bare,
        },
    };
    let mut tokens = match &Tokenizer::new(&PostgreSqlDialect {}, bare).tokenize().unwrap_or_default()[..] {
        [only] => vec![only.clone()],
        _ => vec![Token::CustomBinaryOperator(bare.to_owned())],
    };
    let signs = whole[bare.len()..].chars();
    tokens.extend(signs.map(|sign| if sign == '-' { Token::Minus } else { Token::Plus }));
    let mut start = run[0].span.start;
    let placed = tokens.into_iter().map(|token| {
        let mut end = start;
        end.column += token.to_string().len() as u64;
        let span = Span { start, end };
        start = end;
        TokenWithSpan { token, span }
    });
    placed.collect()
}

/// Whether these tokens begin with `operator(schema.+)`.
fn is_qualified(tokens: &[TokenWithSpan]) -> bool {
    if tokens.get(1).is_none_or(|open| open.token != Token::LParen) {
        return false;
    }
    let inner = tokens[2..].iter().take_while(|token| token.token != Token::RParen);
    let inner: Vec<&Token> = inner.take(9).map(|token| &token.token).collect();
    let names = inner.iter().take_while(|token| matches!(token, Token::Word(_) | Token::Period)).count();
    names < inner.len() && inner[names..].iter().all(|token| is_operator(token))
}

/// Whether an operand begins after these tokens.
fn begins_operand(before: &[TokenWithSpan]) -> bool {
    let mut before = before.iter().rev().filter(|token| !matches!(token.token, Token::Whitespace(_)));
    match before.next() {
        None => false,
        Some(last) => match last.token {
            // The bracket of `operator(===)` has no operand.
            Token::LParen => before.next().is_none_or(|word| !is_word(word, "operator")),
            Token::Comma | Token::LBracket => true,
            _ => BEFORE_OPERANDS.iter().any(|word| is_word(last, word)),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_back(text: &str) -> String {
        let tokens = Tokenizer::new(&PostgreSqlDialect {}, text).tokenize_with_location().expect("tokens");
        let tokens =
            read(tokens).into_iter().map(|token| token.token.to_string().replace(NOTHING, "nothing"));
        tokens.filter(|token| !token.trim().is_empty()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn operators_are_the_longest_runs_of_their_characters() {
        assert_eq!(read_back("a->-1"), "a -> - 1");
        assert_eq!(read_back("a<+>b === c"), "a <+> b === c");
        assert_eq!(read_back("2*-1, 2^-1, 3<-+1"), "2 * - 1 , 2 ^- 1 , 3 < - + 1");
        assert_eq!(read_back("1 - -1, - - 2, 1+-2"), "1 - - 1 , - - 2 , 1 + - 2");
    }

    #[test]
    fn an_operator_before_its_only_operand_is_marked() {
        assert_eq!(read_back("select !!! 5"), "select \"nothing\" !!! 5");
        assert_eq!(read_back("select operator(a.-) 5"), "select \"nothing\" operator ( a . - ) 5");
        assert_eq!(read_back("create operator === (a)"), "create operator === ( a )");
        assert_eq!(read_back("a operator(b.===) c"), "a operator ( b . === ) c");
    }
}
