//! What the parser does not read of the columnar dialect, as what it reads: backslashes, `WITH value AS name`, `tuple.1`.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan, Whitespace, Word};

use crate::refusal::Refusal;

/// The most tokens of a query with the values of its `WITH` in place of their names.
const TOKENS_MAX: usize = 100_000;

/// The parser reads `tuple.1` as a call of this in brackets.
pub(super) const PLACE: &str = "tuple_place";

/// The text with two backslashes for each that begins no escape of the dialect: `'\d'` is a pattern.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut signs = text.chars().peekable();
    let mut quote = None;
    while let Some(sign) = signs.next() {
        out.push(sign);
        match (quote, sign) {
            (None, '\'' | '"' | '`') => quote = Some(sign),
            (None, '-') if signs.peek() == Some(&'-') => {
                out.extend(std::iter::from_fn(|| signs.next_if(|sign| *sign != '\n')));
            }
            (None, '/') if signs.peek() == Some(&'*') => {
                let mut before = ' ';
                for sign in signs.by_ref() {
                    out.push(sign);
                    if (before, sign) == ('*', '/') {
                        break;
                    }
                    before = sign;
                }
            }
            (Some(open), sign) if open == sign => quote = None,
            (Some('\''), '\\') => {
                let Some(next) = signs.next() else { break };
                if !matches!(next, '\\' | '\'' | '"' | '`' | 'b' | 'f' | 'r' | 'n' | 't' | '0' | 'a') {
                    out.push('\\');
                }
                out.push(next);
            }
            _ => {}
        }
    }
    out
}

/// The tokens as the parser reads them.
///
/// Fails when the values of its `WITH` would make it too long.
pub(crate) fn readable(tokens: Vec<TokenWithSpan>) -> Result<Vec<TokenWithSpan>, Refusal> {
    with_values(kinds(places(tokens))?)
}

/// `ALL JOIN` is `JOIN`, `LIMIT 5 WITH TIES` is `FETCH FIRST 5 ROWS WITH TIES`, and the offset of `LIMIT 5 OFFSET 1 BY key` is
/// behind its keys. Other kinds of joins are refused by name.
fn kinds(tokens: Vec<TokenWithSpan>) -> Result<Vec<TokenWithSpan>, Refusal> {
    const SIDES: [&str; 7] = ["join", "left", "right", "inner", "full", "semi", "anti"];
    const AFTER_KEYS: [&str; 6] = ["limit", "settings", "format", "union", "intersect", "except"];
    let mut out: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    // An offset that belongs behind the keys of LIMIT BY, and how many brackets are open since.
    let mut held: Option<(usize, Vec<TokenWithSpan>)> = None;
    let mut rest = tokens.iter().enumerate();
    while let Some((at, token)) = rest.next() {
        if let Some((open, offset)) = &mut held {
            let ends = AFTER_KEYS.iter().any(|word| is_word(Some(&token.token), word));
            match token.token {
                Token::LParen | Token::LBracket => *open += 1,
                Token::RParen | Token::RBracket if *open > 0 => *open -= 1,
                Token::RParen => out.append(offset),
                _ if ends && *open == 0 => out.append(offset),
                _ => {}
            }
            if offset.is_empty() {
                held = None;
            }
        }
        let next = || significant(&tokens[at + 1..]).map(|(_, token)| token);
        let joins = SIDES.iter().any(|side| is_word(next().next(), side));
        let last = significant(&out).next_back().map(|(_, token)| token);
        let is = |word: &str| is_word(Some(&token.token), word);
        match &token.token {
            Token::Word(kind) if joins && !matches!(last, Some(Token::Period | Token::Comma)) => {
                match kind.value.to_lowercase().as_str() {
                    "all" => continue,
                    "any" | "asof" | "paste" if kind.quote_style.is_none() => {
                        return Err(Refusal::unsupported(&format!("{} JOIN", kind.value.to_uppercase())));
                    }
                    _ => {}
                }
            }
            _ if is("with") && is_word(next().next(), "ties") => with_ties(&mut out)?,
            _ if is("offset") && is_word(next().nth(1), "by") => {
                let mut offset = vec![space_at(token.span), token.clone(), space_at(token.span)];
                offset.extend(
                    rest.find(|(_, token)| !matches!(token.token, Token::Whitespace(_)))
                        .map(|(_, token)| token.clone()),
                );
                offset.push(space_at(token.span));
                held = Some((0, offset));
                continue;
            }
            _ => {}
        }
        out.push(token.clone());
    }
    out.extend(held.into_iter().flat_map(|(_, offset)| offset));
    Ok(out)
}

fn space_at(span: Span) -> TokenWithSpan {
    TokenWithSpan { token: Token::Whitespace(space()), span }
}

/// Writes `LIMIT 5` at the end as `FETCH FIRST 5 ROWS`.
fn with_ties(out: &mut Vec<TokenWithSpan>) -> Result<(), Refusal> {
    let all: Vec<_> = significant(out).map(|(at, token)| (at, token.clone())).collect();
    let [.., (limit, keyword), (_, Token::Number(count, false))] = all.as_slice() else {
        return Err(Refusal::unsupported("WITH TIES after other than LIMIT and a number"));
    };
    if !is_word(Some(keyword), "limit") {
        return Err(Refusal::unsupported("WITH TIES after other than LIMIT and a number"));
    }
    let span = out[*limit].span;
    let words = ["fetch", "first"].map(|word| Token::make_word(word, None));
    let rest = [Token::Number(count.clone(), false), Token::make_word("rows", None)];
    out.truncate(*limit);
    for token in words.into_iter().chain(rest) {
        out.push(TokenWithSpan { token, span });
        out.push(TokenWithSpan { token: Token::Whitespace(space()), span });
    }
    Ok(())
}

fn significant(tokens: &[TokenWithSpan]) -> impl DoubleEndedIterator<Item = (usize, &Token)> {
    tokens
        .iter()
        .enumerate()
        .map(|(at, token)| (at, &token.token))
        .filter(|(_, token)| !matches!(token, Token::Whitespace(_)))
}

fn is_word(token: Option<&Token>, word: &str) -> bool {
    matches!(token, Some(Token::Word(found)) if found.quote_style.is_none() && found.value.eq_ignore_ascii_case(word))
}

fn word(value: &str) -> Token {
    Token::Word(Word { value: value.to_owned(), quote_style: None, keyword: Keyword::NoKeyword })
}

/// `x.1` is `x[tuple_place(1)]`, `GLOBAL IN` is `IN`, `INTERVAL '1 hour'` is `INTERVAL 1 hour`.
fn places(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let mut out: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        let span = token.span;
        match &token.token {
            Token::Number(digits, false) if digits.starts_with('.') => {
                let place = digits.trim_start_matches('.').to_owned();
                let last = out.last().map(|token| &token.token);
                if matches!(last, Some(Token::RParen | Token::RBracket | Token::Word(_))) {
                    let place = Token::Number(place, false);
                    let call =
                        [Token::LBracket, word(PLACE), Token::LParen, place, Token::RParen, Token::RBracket];
                    out.extend(call.map(|token| TokenWithSpan { token, span }));
                } else {
                    out.push(token);
                }
            }
            found if is_word(Some(found), "global") => {
                let mut ahead = rest.clone().map(|token| token.token);
                let next = ahead.find(|token| !matches!(token, Token::Whitespace(_)));
                let is_more = ["in", "not", "join", "inner", "left", "any"];
                if !is_more.iter().any(|more| is_word(next.as_ref(), more)) {
                    out.push(token);
                }
            }
            Token::SingleQuotedString(text) => {
                let last = significant(&out).next_back().map(|(_, token)| token);
                let parts = text.trim().split_once(' ').filter(|_| is_word(last, "interval"));
                match parts.filter(|(count, _)| count.parse::<i64>().is_ok()) {
                    Some((count, unit)) => {
                        put_both(&mut out, span, count, unit.trim());
                    }
                    None => out.push(token),
                }
            }
            _ => out.push(token),
        }
    }
    out
}

fn put_both(out: &mut Vec<TokenWithSpan>, span: Span, count: &str, unit: &str) {
    let unit = Token::make_word(unit, None);
    for token in [Token::Number(count.to_owned(), false), Token::Whitespace(space()), unit] {
        out.push(TokenWithSpan { token, span });
    }
}

fn space() -> Whitespace {
    Whitespace::Space
}

/// Writes the value of each `WITH value AS name` in place of the name.
fn with_values(mut tokens: Vec<TokenWithSpan>) -> Result<Vec<TokenWithSpan>, Refusal> {
    let mut from = 0;
    while let Some(start) = next_with(&tokens, from) {
        from = start + 1;
        let Some((items, select)) = items(&tokens, start) else { continue };
        let end = end_of(&tokens, start);
        let after = tokens.split_off(end);
        let mut body = tokens.split_off(select);
        let with = tokens[start].clone();
        let mut items: Vec<Vec<TokenWithSpan>> =
            items.iter().map(|(from, to)| tokens[*from..*to].to_vec()).collect();
        tokens.truncate(start);
        let mut tables = Vec::new();
        while !items.is_empty() {
            let item = items.remove(0);
            let Some((name, value)) = named_value(&item) else {
                tables.push(item);
                continue;
            };
            body = in_place(&body, &name, &value)?;
            items = items.iter().map(|item| in_place(item, &name, &value)).collect::<Result<_, _>>()?;
        }
        if let Some((first, more)) = tables.split_first() {
            let span = with.span;
            tokens.push(with);
            tokens.push(TokenWithSpan { token: Token::Whitespace(space()), span });
            tokens.extend(first.iter().cloned());
            for table in more {
                tokens.push(TokenWithSpan { token: Token::Comma, span });
                tokens.extend(table.iter().cloned());
            }
            tokens.push(TokenWithSpan { token: Token::Whitespace(space()), span });
        }
        tokens.extend(body);
        tokens.extend(after);
    }
    Ok(tokens)
}

/// The next `WITH` that begins a query.
fn next_with(tokens: &[TokenWithSpan], from: usize) -> Option<usize> {
    let mut before = None;
    for (at, token) in significant(tokens) {
        if at >= from && is_word(Some(token), "with") && matches!(before, None | Some(&Token::LParen)) {
            return Some(at);
        }
        before = Some(token);
    }
    None
}

/// The places of the items of a `WITH`, and of the `SELECT` after them.
fn items(tokens: &[TokenWithSpan], with: usize) -> Option<(Vec<(usize, usize)>, usize)> {
    let (mut depth, mut first, mut items) = (0_usize, with + 1, Vec::new());
    for (at, token) in significant(tokens).filter(|(at, _)| *at > with) {
        match token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket => depth = depth.checked_sub(1)?,
            Token::Comma if depth == 0 => {
                items.push((first, at));
                first = at + 1;
            }
            token if depth == 0 && is_word(Some(token), "select") => {
                items.push((first, at));
                return Some((items, at));
            }
            _ => {}
        }
    }
    None
}

/// Where the query in brackets ends, or the text.
fn end_of(tokens: &[TokenWithSpan], start: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in significant(tokens).filter(|(at, _)| *at > start) {
        match token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket if depth == 0 => return at,
            Token::RParen | Token::RBracket => depth -= 1,
            _ => {}
        }
    }
    tokens.len()
}

/// The name and the value of `value AS name`; `None` for a query with a name.
fn named_value(item: &[TokenWithSpan]) -> Option<(Word, Vec<TokenWithSpan>)> {
    let all: Vec<_> = significant(item).collect();
    let [.., (place, as_), (_, Token::Word(name))] = all.as_slice() else { return None };
    is_word(Some(as_), "as").then(|| (name.clone(), item[..*place].to_vec()))
}

fn put_last(lists: &mut [bool], is_list: bool) {
    if let Some(last) = lists.last_mut() {
        *last = is_list;
    }
}

/// The tokens with a value in place of its name. A column that is only the name keeps it.
fn in_place(
    tokens: &[TokenWithSpan],
    name: &Word,
    value: &[TokenWithSpan],
) -> Result<Vec<TokenWithSpan>, Refusal> {
    const ENDS: [&str; 9] =
        ["from", "where", "prewhere", "group", "having", "order", "limit", "union", "settings"];
    let mut out: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    // Whether the place is in the list of a SELECT, for each open bracket.
    let mut lists = vec![false];
    for (at, token) in tokens.iter().enumerate() {
        let before = significant(&out).next_back().map(|(_, token)| token.clone());
        let next = significant(&tokens[at + 1..]).next().map(|(_, token)| token);
        match &token.token {
            Token::LParen | Token::LBracket => lists.push(false),
            Token::RParen | Token::RBracket if lists.len() > 1 => {
                lists.pop();
            }
            found if is_word(Some(found), "select") => {
                put_last(&mut lists, true);
            }
            found if ENDS.iter().any(|end| is_word(Some(found), end)) => {
                put_last(&mut lists, false);
            }
            _ => {}
        }
        let is_name = matches!(&token.token, Token::Word(found) if found.value == name.value)
            && !matches!(before, Some(Token::Period))
            && !is_word(before.as_ref(), "as")
            && !matches!(next, Some(Token::LParen | Token::Period | Token::Arrow));
        if !is_name {
            out.push(token.clone());
            continue;
        }
        if out.len() + value.len() > TOKENS_MAX {
            return Err(Refusal::syntax("the values of WITH make the query too long"));
        }
        let span = token.span;
        out.push(TokenWithSpan { token: Token::LParen, span });
        out.extend(value.iter().cloned());
        out.push(TokenWithSpan { token: Token::RParen, span });
        let begins = matches!(before, Some(Token::Comma))
            || is_word(before.as_ref(), "select")
            || is_word(before.as_ref(), "distinct");
        let ends = matches!(next, None | Some(Token::Comma | Token::RParen))
            || ENDS.iter().any(|end| is_word(next, end));
        if lists.last() == Some(&true) && begins && ends {
            for token in
                [Token::Whitespace(space()), Token::make_word("as", None), Token::Whitespace(space())]
            {
                out.push(TokenWithSpan { token, span });
            }
            out.push(TokenWithSpan { token: Token::Word(name.clone()), span });
        }
    }
    Ok(out)
}
