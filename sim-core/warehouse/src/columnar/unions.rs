//! Set operations, in which `ORDER BY` and `LIMIT` belong to the query before them, and not to the whole.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan, Word};

use super::text::significant;

/// A query of a set operation: where its SELECT begins, where it ends, and whether it sorts or cuts its rows.
#[derive(Clone, Copy)]
struct Part {
    select: Option<usize>,
    ends: bool,
}

/// Puts queries of a set operation into brackets that sort or cut their own rows.
pub(super) fn own_ends(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    const NONE: Part = Part { select: None, ends: false };
    // For each open bracket: the query that is open, and whether it is one of several.
    let mut open: Vec<(Part, bool)> = vec![(NONE, false)];
    let mut brackets: Vec<(usize, usize)> = Vec::new();
    let mut last: Option<&Token> = None;
    for (at, token) in significant(&tokens) {
        let level = open.len() - 1;
        match token {
            Token::LParen | Token::LBracket => open.push((NONE, false)),
            Token::RParen | Token::RBracket if level > 0 => {
                close(open[level], at, &mut brackets);
                open.pop();
            }
            Token::Word(Word { keyword, quote_style: None, .. }) => {
                let (part, several) = &mut open[level];
                match keyword {
                    Keyword::SELECT if part.select.is_none() => part.select = Some(at),
                    // Not that of a window, of a wildcard's columns or of an aggregate.
                    Keyword::ORDER | Keyword::LIMIT | Keyword::FETCH if part.select.is_some() => {
                        part.ends = true
                    }
                    Keyword::UNION | Keyword::INTERSECT | Keyword::EXCEPT
                        if !matches!(last, Some(Token::Mul)) =>
                    {
                        let before = *part;
                        *several = true;
                        *part = NONE;
                        close((before, true), at, &mut brackets);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        last = Some(token);
    }
    if let Some(whole) = open.first() {
        let end = significant(&tokens).next_back().filter(|(_, token)| **token == Token::SemiColon);
        close(*whole, end.map_or(tokens.len(), |(at, _)| at), &mut brackets);
    }
    if brackets.is_empty() {
        return tokens;
    }
    let mut out = Vec::with_capacity(tokens.len() + 2 * brackets.len());
    for (at, token) in tokens.iter().enumerate() {
        let put = |token_: Token| TokenWithSpan { token: token_, span: token.span };
        out.extend(brackets.iter().filter(|(_, end)| *end == at).map(|_| put(Token::RParen)));
        out.extend(brackets.iter().filter(|(start, _)| *start == at).map(|_| put(Token::LParen)));
        out.push(token.clone());
    }
    let span = tokens.last().map_or_else(sqlparser::tokenizer::Span::empty, |token| token.span);
    let closing = brackets.iter().filter(|(_, end)| *end == tokens.len());
    out.extend(closing.map(|_| TokenWithSpan { token: Token::RParen, span }));
    out
}

fn close((part, several): (Part, bool), end: usize, brackets: &mut Vec<(usize, usize)>) {
    if let (true, true, Some(select)) = (several, part.ends, part.select) {
        brackets.push((select, end));
    }
}
