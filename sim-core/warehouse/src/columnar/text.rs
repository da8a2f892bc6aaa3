//! What the parser does not read of the columnar dialect, as what it reads: backslashes, `WITH value AS name`, `tuple.1`.

use sqlparser::ast::{BinaryOperator, Expr};
use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan, Whitespace, Word};

use super::applied::applied;
use super::inner_names::with_inner_names;
use super::joins::{self, marked};
use crate::refusal::Refusal;

/// The most tokens of a query with the values of its `WITH` in place of their names.
pub(super) const TOKENS_MAX: usize = 100_000;

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
    let tokens = applied(&with_inner_names(tokens)?);
    with_values(super::unions::own_ends(kinds(marked(choices(places(worded(tokens)))))?))
}

/// What stands between the operands of `a DIV b`: `a % DIVIDED % b`.
pub(super) const DIVIDED: &str = "divided_by";

/// `a DIV b` and `a MOD b`, whose words the parser does not know.
fn worded(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let mut out: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let is = |word: &str| is_word(Some(&token.token), word);
        let last = significant(&out).next_back().map(|(_, token)| token);
        let after_value = match last {
            Some(Token::Number(..) | Token::RParen | Token::RBracket | Token::SingleQuotedString(_)) => true,
            Some(Token::Word(word)) => word.keyword == Keyword::NoKeyword || word.quote_style.is_some(),
            _ => false,
        };
        let put = |part: Token| TokenWithSpan { token: part, span: token.span };
        if after_value && is("mod") {
            out.push(put(Token::Mod));
        } else if after_value && is("div") {
            out.extend([Token::Mod, Token::Whitespace(space()), word(DIVIDED), Token::Mod].map(put));
        } else {
            out.push(token);
        }
    }
    out
}

/// The operands of `a DIV b`.
pub(super) fn divided(expr: &Expr) -> Option<(&Expr, &Expr)> {
    let Expr::BinaryOp { left, op: BinaryOperator::Modulo, right } = expr else { return None };
    let Expr::BinaryOp { left, op: BinaryOperator::Modulo, right: mark } = &**left else { return None };
    matches!(&**mark, Expr::Identifier(mark) if mark.value == DIVIDED).then_some((left, right))
}

fn is_choice(token: &TokenWithSpan) -> bool {
    matches!(&token.token, Token::Placeholder(sign) if sign == "?")
}

/// The first of these places where an operand of `a ? b : c` ends.
fn edge(
    tokens: &[TokenWithSpan],
    mut places: impl Iterator<Item = usize>,
    words: &[&str],
    open: fn(&Token) -> i32,
) -> Option<usize> {
    let mut depth = 0;
    places.find(|at| {
        let token = &tokens[*at].token;
        depth += open(token);
        let ends = matches!(token, Token::Comma | Token::Colon)
            || is_choice(&tokens[*at])
            || words.iter().any(|word| is_word(Some(token), word));
        depth < 0 || (depth == 0 && ends)
    })
}

/// `a ? b : c` is `if(a, b, c)`. The last is written first, as it may be in the one before it.
fn choices(mut tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    const BEFORE: [&str; 12] = [
        "select", "distinct", "where", "prewhere", "having", "qualify", "by", "on", "when", "then", "else",
        "limit",
    ];
    const AFTER: [&str; 18] = [
        "as", "from", "where", "prewhere", "group", "having", "qualify", "order", "limit", "union",
        "settings", "format", "asc", "desc", "then", "else", "end", "when",
    ];
    /// The most that are written; the parser refuses more.
    const MOST: usize = 200;
    for _ in 0..MOST {
        let Some(mark) = tokens.iter().rposition(is_choice) else { break };
        let opens = |token: &Token| match token {
            Token::LParen | Token::LBracket => 1,
            Token::RParen | Token::RBracket => -1,
            _ => 0,
        };
        let closes = |token: &Token| match token {
            Token::RParen | Token::RBracket => 1,
            Token::LParen | Token::LBracket => -1,
            _ => 0,
        };
        let start = edge(&tokens, (0..mark).rev(), &BEFORE, closes).map_or(0, |at| at + 1);
        let middle = edge(&tokens, mark + 1..tokens.len(), &AFTER, opens);
        let Some(middle) = middle.filter(|at| tokens[*at].token == Token::Colon) else { break };
        let end = edge(&tokens, middle + 1..tokens.len(), &AFTER, opens).unwrap_or(tokens.len());
        let put = |token: Token| TokenWithSpan { token, span: tokens[mark].span };
        let (open, close) = ([word("if"), Token::LParen], Token::RParen);
        let mut written: Vec<TokenWithSpan> = tokens[..start].to_vec();
        written.push(space_at(tokens[mark].span));
        written.extend(open.map(put));
        written.extend_from_slice(&tokens[start..mark]);
        written.push(put(Token::Comma));
        written.extend_from_slice(&tokens[mark + 1..middle]);
        written.push(put(Token::Comma));
        written.extend_from_slice(&tokens[middle + 1..end]);
        written.push(put(close));
        written.push(space_at(tokens[mark].span));
        written.extend_from_slice(&tokens[end..]);
        tokens = written;
    }
    tokens
}

/// `ALL JOIN` is `JOIN`, `USING key` is `USING (key)`, `LIMIT 5 WITH TIES` is `FETCH FIRST 5 ROWS WITH TIES`, and the offset of
/// `LIMIT 5 OFFSET 1 BY key` or `LIMIT 1, 5 BY key` is behind its keys. Other kinds of joins are refused by name.
fn kinds(tokens: Vec<TokenWithSpan>) -> Result<Vec<TokenWithSpan>, Refusal> {
    const SIDES: [&str; 7] = ["join", "left", "right", "inner", "full", "semi", "anti"];
    const AFTER_KEYS: [&str; 6] = ["limit", "settings", "format", "union", "intersect", "except"];
    let mut out: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    // An offset that belongs behind the keys of LIMIT BY, and how many brackets are open since.
    let mut held: Option<(usize, Vec<TokenWithSpan>)> = None;
    // The ends of lists that `ARRAY JOIN` takes.
    let mut lists: Vec<usize> = Vec::new();
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
                    // The parser knows `LEFT SEMI JOIN` only.
                    "semi" | "anti" if ["left", "right"].iter().any(|side| is_word(next().next(), side)) => {
                        let side = rest.find(|(_, token)| !matches!(token.token, Token::Whitespace(_)));
                        out.extend(side.map(|(_, side)| side.clone()));
                        out.extend([space_at(token.span), token.clone()]);
                        continue;
                    }
                    "paste" if kind.quote_style.is_none() => {
                        return Err(Refusal::unsupported(&format!("{} JOIN", kind.value.to_uppercase())));
                    }
                    _ => {}
                }
            }
            _ if is("with") && is_word(next().next(), "ties") => with_ties(&mut out)?,
            // After an operator the parser reads `any` as `= ANY (…)`.
            // The parser reads only names and calls there.
            Token::LBracket if is_word(last, "join") => {
                lists.extend(closing(&tokens, at));
                out.push(TokenWithSpan { token: word("array"), span: token.span });
                out.push(TokenWithSpan { token: Token::LParen, span: token.span });
                continue;
            }
            Token::RBracket if lists.contains(&at) => {
                out.push(TokenWithSpan { token: Token::RParen, span: token.span });
                continue;
            }
            Token::Word(_)
                if is("any")
                    && matches!(next().next(), Some(Token::LParen))
                    && last.is_some_and(is_operator) =>
            {
                out.push(TokenWithSpan { token: word("any_value"), span: token.span });
                continue;
            }
            _ if is("using") && matches!(next().next(), Some(Token::Word(_))) => {
                out.extend([token.clone(), space_at(token.span)]);
                let put = |part: Token| TokenWithSpan { token: part, span: token.span };
                let mut column = || rest.find(|(_, token)| !matches!(token.token, Token::Whitespace(_)));
                out.push(put(Token::LParen));
                let first = column().map(|(_, token)| token.token.clone());
                // A kind of join stands before the keys, which may have their brackets.
                let kind = first.as_ref().is_some_and(joins::is_mark);
                out.extend(first.map(put));
                if kind {
                    out.push(put(Token::Comma));
                    match column().map(|(_, token)| token.token.clone()) {
                        Some(Token::LParen) => continue,
                        key => out.extend(key.map(put)),
                    }
                }
                out.push(put(Token::RParen));
                continue;
            }
            _ if is("filter")
                && matches!(last, Some(Token::RParen))
                && is_word(next().nth(1), "where")
                && conditional(&mut out) =>
            {
                let is_where = |(_, token): &(usize, &TokenWithSpan)| is_word(Some(&token.token), "where");
                rest.find(is_where);
                continue;
            }
            _ if is("limit") => {
                let ahead: Vec<_> = next().take(4).cloned().collect();
                if let [offset, Token::Comma, count, by] = ahead.as_slice()
                    && is_word(Some(by), "by")
                {
                    let put = |token_: &Token| TokenWithSpan { token: token_.clone(), span: token.span };
                    out.extend([token.clone(), space_at(token.span), put(count), space_at(token.span)]);
                    let held_back =
                        [Token::make_word("offset", None), Token::Whitespace(space()), offset.clone()];
                    let mut offset = vec![space_at(token.span)];
                    offset.extend(held_back.iter().map(put));
                    offset.push(space_at(token.span));
                    held = Some((0, offset));
                    let mut skipped = 3;
                    while skipped > 0
                        && let Some((_, token)) = rest.next()
                    {
                        skipped -= usize::from(!matches!(token.token, Token::Whitespace(_)));
                    }
                    continue;
                }
                let after_by = follows_limit_by(&out);
                if matches!(ahead.as_slice(), [_, Token::Comma, ..]) && after_by {
                    return Err(Refusal::unsupported("an offset of LIMIT after LIMIT BY"));
                }
                if let ([Token::Number(count, false), ..], true) = (ahead.as_slice(), after_by) {
                    let words = ["fetch", "first"].map(|word| Token::make_word(word, None));
                    let more = [Token::Number(count.clone(), false), Token::make_word("rows", None)];
                    for part in words.into_iter().chain(more).chain([Token::make_word("only", None)]) {
                        out.extend([TokenWithSpan { token: part, span: token.span }, space_at(token.span)]);
                    }
                    rest.find(|(_, token)| !matches!(token.token, Token::Whitespace(_)));
                    continue;
                }
            }
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

/// Writes the call at the end as `sumIf(x,`, which a condition follows: `sum(x) FILTER (WHERE …)`.
fn conditional(out: &mut Vec<TokenWithSpan>) -> bool {
    let all: Vec<(usize, Token)> = significant(out).map(|(at, token)| (at, token.clone())).collect();
    let opening = |from: usize| {
        let mut depth = 0_usize;
        all[..=from].iter().enumerate().rev().find_map(|(index, (_, token))| {
            match token {
                Token::RParen => depth += 1,
                Token::LParen => depth -= 1,
                _ => {}
            }
            (depth == 0).then_some(index)
        })
    };
    let Some(open) = all.len().checked_sub(1).and_then(opening) else { return false };
    let before = open.checked_sub(1);
    let name = match before.map(|before| (before, &all[before].1)) {
        Some((before, Token::RParen)) => opening(before).and_then(|open| open.checked_sub(1)),
        _ => before,
    };
    let Some((at, Token::Word(name))) = name.map(|name| &all[name]) else { return false };
    let (close, span) = (all[all.len() - 1].0, out[*at].span);
    let is_empty = open + 2 == all.len();
    let is_all = open + 3 == all.len() && all[open + 1].1 == Token::Mul;
    out[*at].token = word(&format!("{}If", name.value));
    out.truncate(if is_all { all[open + 1].0 } else { close });
    if !is_empty && !is_all {
        out.push(TokenWithSpan { token: Token::Comma, span });
    }
    out.push(space_at(span));
    true
}

fn is_operator(token: &Token) -> bool {
    matches!(
        token,
        Token::Plus
            | Token::Minus
            | Token::Mul
            | Token::Div
            | Token::Mod
            | Token::Eq
            | Token::Neq
            | Token::Lt
            | Token::LtEq
            | Token::Gt
            | Token::GtEq
    )
}

/// The place of the bracket that closes the one at a place.
fn closing(tokens: &[TokenWithSpan], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    tokens.iter().enumerate().skip(open).find_map(|(at, token)| {
        match token.token {
            Token::LBracket => depth += 1,
            Token::RBracket => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })
}

/// Whether the query that is open at the end has a `LIMIT … BY`.
fn follows_limit_by(out: &[TokenWithSpan]) -> bool {
    let (mut depth, mut by) = (0_usize, false);
    for (_, token) in significant(out).rev() {
        match token {
            Token::RParen | Token::RBracket => depth += 1,
            Token::LParen | Token::LBracket if depth == 0 => return false,
            Token::LParen | Token::LBracket => depth -= 1,
            _ if depth > 0 => {}
            token if is_word(Some(token), "by") => by = true,
            token if is_word(Some(token), "limit") => return by,
            token if is_word(Some(token), "select") || is_word(Some(token), "union") => return false,
            _ => {}
        }
    }
    false
}

pub(super) fn space_at(span: Span) -> TokenWithSpan {
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

pub(super) fn significant(tokens: &[TokenWithSpan]) -> impl DoubleEndedIterator<Item = (usize, &Token)> {
    tokens
        .iter()
        .enumerate()
        .map(|(at, token)| (at, &token.token))
        .filter(|(_, token)| !matches!(token, Token::Whitespace(_)))
}

pub(super) fn is_word(token: Option<&Token>, word: &str) -> bool {
    matches!(token, Some(Token::Word(found)) if found.quote_style.is_none() && found.value.eq_ignore_ascii_case(word))
}

pub(super) fn word(value: &str) -> Token {
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
                if is_word(last, "interval")
                    && let Some(parts) = several_units(text)
                {
                    put_all(&mut out, span, &parts);
                    continue;
                }
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

/// The counts and units of `1 hour 30 minutes`.
fn several_units(text: &str) -> Option<Vec<(&str, &str)>> {
    let words: Vec<_> = text.split_whitespace().collect();
    let parts: Option<Vec<_>> = words
        .chunks(2)
        .map(|pair| match pair {
            [count, unit] if count.parse::<i64>().is_ok() => Some((*count, *unit)),
            _ => None,
        })
        .collect();
    parts.filter(|parts| parts.len() > 1)
}

/// Writes them behind an `INTERVAL` as a tuple of intervals.
fn put_all(out: &mut Vec<TokenWithSpan>, span: Span, parts: &[(&str, &str)]) {
    while let Some(last) = out.pop() {
        if !matches!(last.token, Token::Whitespace(_)) {
            break;
        }
    }
    let mut before = Token::LParen;
    for (count, unit) in parts {
        let word = [before, Token::make_word("INTERVAL", None), Token::Whitespace(space())];
        out.extend(word.map(|token| TokenWithSpan { token, span }));
        put_both(out, span, count, unit);
        before = Token::Comma;
    }
    out.push(TokenWithSpan { token: Token::RParen, span });
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

/// Whether a token is the `STEP` of `WITH FILL`.
fn is_step(token: &Token, before: &[TokenWithSpan]) -> bool {
    if !is_word(Some(token), "step") {
        return false;
    }
    let ends = |token: &Token| {
        matches!(token, Token::Comma | Token::SemiColon)
            || is_word(Some(token), "by")
            || is_word(Some(token), "step")
    };
    let mut last = significant(before).rev().map(|(_, token)| token).take_while(|token| !ends(token));
    last.any(|token| is_word(Some(token), "fill"))
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
            && !is_step(&token.token, &out)
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
