//! Set operations, in which `ORDER BY` and `LIMIT` belong to the query before them, and not to the whole.

use std::collections::BTreeSet;

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan, Word};

use super::text::significant;

/// A query of a set operation: where its SELECT begins, and whether it sorts and cuts its rows.
#[derive(Clone, Copy, Default)]
struct Part {
    select: Option<usize>,
    sorts: bool,
    cuts: bool,
}

/// What is open in a bracket: a query, and whether it is one of several, which keep their rows in order.
#[derive(Clone, Copy)]
struct Open {
    part: Part,
    several: bool,
    in_order: bool,
}

/// Puts queries of a set operation into brackets that sort or cut their own rows.
pub(super) fn own_ends(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let brackets = own_brackets(&tokens);
    if brackets.is_empty() {
        return tokens;
    }
    let (starts, ends): (BTreeSet<usize>, BTreeSet<usize>) = brackets.iter().copied().unzip();
    let mut out = Vec::with_capacity(tokens.len() + 2 * brackets.len());
    for (at, token) in tokens.iter().enumerate() {
        let put = |token_: Token| TokenWithSpan { token: token_, span: token.span };
        out.extend(ends.contains(&at).then(|| put(Token::RParen)));
        out.extend(starts.contains(&at).then(|| put(Token::LParen)));
        out.push(token.clone());
    }
    let span = tokens.last().map_or_else(Span::empty, |token| token.span);
    out.extend(ends.contains(&tokens.len()).then_some(TokenWithSpan { token: Token::RParen, span }));
    out
}

/// Where these brackets open and close.
fn own_brackets(tokens: &[TokenWithSpan]) -> Vec<(usize, usize)> {
    const NONE: Open =
        Open { part: Part { select: None, sorts: false, cuts: false }, several: false, in_order: true };
    let mut open: Vec<Open> = vec![NONE];
    let mut brackets: Vec<(usize, usize)> = Vec::new();
    let mut last: Option<&Token> = None;
    let mut all = significant(tokens).peekable();
    while let Some((at, token)) = all.next() {
        let level = open.len() - 1;
        match token {
            Token::LParen | Token::LBracket => open.push(NONE),
            Token::RParen | Token::RBracket if level > 0 => {
                close_last(open[level], at, &mut brackets);
                open.pop();
            }
            Token::Word(Word { keyword, quote_style: None, .. }) => {
                let now = &mut open[level];
                match keyword {
                    Keyword::SELECT if now.part.select.is_none() => now.part.select = Some(at),
                    Keyword::ORDER if now.part.select.is_some() => now.part.sorts = true,
                    Keyword::LIMIT | Keyword::FETCH if now.part.select.is_some() => now.part.cuts = true,
                    // Not the columns that a wildcard leaves out.
                    Keyword::UNION | Keyword::INTERSECT | Keyword::EXCEPT
                        if !matches!(last, Some(Token::Mul)) =>
                    {
                        let part = std::mem::take(&mut now.part);
                        now.several = true;
                        let is_all = matches!(all.peek(), Some((_, Token::Word(next))) if next.keyword == Keyword::ALL);
                        now.in_order &= *keyword == Keyword::UNION && is_all;
                        if part.sorts || part.cuts {
                            brackets.extend(part.select.map(|select| (select, at)));
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        last = Some(token);
    }
    if let Some(whole) = open.first() {
        let end = significant(tokens).next_back().filter(|(_, token)| **token == Token::SemiColon);
        close_last(*whole, end.map_or(tokens.len(), |(at, _)| at), &mut brackets);
    }
    brackets
}

/// Where equal rows are dropped there is no order that the last query could keep, so its keys sort the whole.
fn close_last(last: Open, end: usize, brackets: &mut Vec<(usize, usize)>) {
    let ends = last.part.cuts || (last.part.sorts && last.in_order);
    if last.several && ends {
        brackets.extend(last.part.select.map(|select| (select, end)));
    }
}
